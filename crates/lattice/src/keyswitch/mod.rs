//! Key switching: a ciphertext under one key becomes one under another.
//!
//! | | from | to | key |
//! |---|---|---|---|
//! | [`LweKeySwitchKey`] | LWE, long key | LWE, short key | kN·d short samples |
//! | [`GlweKeySwitchKey`] | GLWE, any polynomials | GLWE | k'·d rows |
//! | [`PackingKey`] | LWE samples | GLWE, each in a block of coefficients | kN·d rows: hundreds of MB |
//! | [`TraceKey`] | LWE samples | GLWE, one coefficient each | k·d·log2(N) rows: a few MB |
//!
//! Digits have a mean of −½, so that half of the rows' noise would be in all results of a key, and in sums of many add
//! up. So inputs of [`LweKeySwitchKey`] and [`TraceKey`] are negated before, and their results after, by a
//! bit that depends on them ([`sign`]); the rows of a [`PackingKey`] meet each coefficient on their own.
use crate::Gadget;
use bootes_ring::torus::Torus;

mod glwe;
mod lwe;
mod packing;
mod trace;

pub(crate) use glwe::upper_bits;
pub use glwe::{GlweKeySwitchKey, SeededGlweKeySwitchKey};
pub use lwe::{LweKeySwitchKey, SeededLweKeySwitchKey};
pub use packing::{PackingKey, SeededPackingKey};
pub use trace::{SeededTraceKey, TraceKey};

/// Words of a mask that [`dither`] changes.
pub const DITHERED: usize = 5;

/// Words that are looked at, some twenty of which are near enough to half a unit.
const TRIED: usize = 160;

/// Changes some words of a mask so that a key switch makes another sample of it, for each `number` its own: what
/// rotates by the sample then has noise of its own, whatever the mask. The words as they were, to be put back
/// ([`restore`]).
///
/// A digit more or less in one word is a row of the key more or less, and with it another sample. In a mask as it
/// should be, words are taken whose rest is near half a unit B^−d, within 1/16, and rounded to the other side: that
/// adds [`formula::dithered`](crate::noise::formula::dithered), next to nothing. Other masks have few such words: that
/// of x − x, which drops nothing either, and multiples of an eighth of a unit or more, some of which are halves, that a
/// negated sample rounds to the other side already. Their words change by a whole unit: of 42 units² that are dropped
/// with kN = 2048, or none, that is 2.5.
pub fn dither<W: Torus>(sample: &mut [W], gadget: Gadget, mut number: u64) -> [(usize, W); DITHERED] {
    let log2_unit = 64 - gadget.log2_base() * gadget.levels();
    let mut before = [(0, W::default()); DITHERED];
    let (mut changed, mut tried, words) = (0, 0, sample.len() - 1);
    // Not the numbers of the key switches that follow.
    number ^= 0x5851_f42d_4c95_7f2d;
    while changed < DITHERED {
        number = mixed(number);
        tried += 1;
        let i = ((number >> 32) as usize * words) >> 32;
        let from_half = (sample[i].top() << (64 - log2_unit) ^ 1 << 63) as i64;
        // What is nearer than 2^-20 of a unit is half of one.
        let step = match (1 << 44..=1 << 60).contains(&from_half.unsigned_abs()) {
            true if from_half < 0 => W::from_top(1 << (log2_unit - 3)),
            true => W::default().wrapping_sub(W::from_top(1 << (log2_unit - 3))),
            false if tried < TRIED => continue,
            false => W::from_top(1 << log2_unit).times(1 - 2 * (number & 1) as i64),
        };
        before[changed] = (i, sample[i]);
        sample[i] = sample[i].wrapping_add(step);
        changed += 1;
    }
    before
}

/// The mask as it was before [`dither`].
pub fn restore<W: Torus>(sample: &mut [W], before: [(usize, W); DITHERED]) {
    before.into_iter().rev().for_each(|(i, word)| sample[i] = word);
}

/// A bijection of words under which each bit of the result depends on all of the argument (SplitMix64).
#[must_use]
pub fn mixed(word: u64) -> u64 {
    let word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

/// A bit of these samples, that of others as often as not: whether they are negated.
#[must_use]
pub fn sign<'a, W: Torus>(samples: impl Iterator<Item = &'a [W]>) -> bool {
    // A few words of a mask are as good as all; halved words have no top bit, so that bits are mixed.
    let words = samples.flat_map(|sample| sample.iter().take(16).chain(sample.last()));
    words.fold(0u64, |hash, word| (hash ^ word.top()).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)) >> 63 == 1
}
