//! Key switching: a ciphertext under one key becomes one under another.
//!
//! | | from | to | key |
//! |---|---|---|---|
//! | [`LweKeySwitchKey`] | LWE, long key | LWE, short key | kN·d short samples |
//! | [`GlweKeySwitchKey`] | GLWE, any polynomials | GLWE | k'·d rows |
//! | [`PackingKey`] | LWE samples | GLWE, each in a block of coefficients | kN·d rows: hundreds of MB |
//! | [`TraceKey`] | LWE samples | GLWE, one coefficient each | k·d·log2(N) rows: a few MB |
//!
//! Digits in [−B/2, B/2 − 1] have a mean of −½, so that half of the sum of the rows' noise would be in all results of a
//! key, and in sums of many add up. So all of these take digits without a mean (`Ties`).
use crate::Gadget;
use bootes_ring::torus::Torus;
use sha2::{Digest, Sha256};

mod glwe;
mod lwe;
mod packing;
mod trace;

pub(crate) use glwe::upper_bits;
pub use glwe::{GlweKeySwitchKey, SeededGlweKeySwitchKey};
pub use lwe::{LweKeySwitchKey, SeededLweKeySwitchKey};
pub use packing::{PackingKey, SeededPackingKey};
pub use trace::{SeededTraceKey, TraceKey};

/// Digits without a mean: where one is −B/2, as it is for one word in B, half of the words take B/2, and the digit
/// above is one less.
///
/// Which half is told by a bit of the word, the same for its negative, so that the two have results whose masks are
/// unrelated: their products count on that. Of random words the mean is 0 and the mean square (B² + 2)/12, as before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ties {
    /// Σ_l 2^64/B^l: a word with all digits 1.
    ones: u64,
}

impl Ties {
    pub(crate) fn new(gadget: Gadget) -> Self {
        Self { ones: (1..=gadget.levels()).map(|level| 1 << gadget.shift::<u64>(level)).sum() }
    }

    /// A word, and what is added to all its digits in [−B/2, B/2 − 1] to have those of `x`: 0 or 1.
    #[inline]
    pub(crate) fn split(self, x: u64) -> (u64, i64) {
        // Whether a product is from a quarter to three of the torus: it depends on all bits, of which files and halves
        // leave the low ones zero.
        let tie = x.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1 << 62) >> 63;
        (x.wrapping_sub(tie.wrapping_neg() & self.ones), tie as i64)
    }
}

/// Words of a mask that [`dither`] changes, at most.
const DITHERED: usize = 28;

/// Words that are looked at: of 2048, one in eight of which is near enough to half a unit, 44 of those.
const TRIED: usize = 384;

/// What a word counts that is near half a unit, and what one counts that changes by a whole unit: there are more of
/// these, with a sign each.
const COUNTS: [usize; 2] = [2, 5];

/// Words of a mask of so many that [`dither`] rounds to the other side, or else changes by a whole unit.
#[must_use]
pub fn dithered_words(mask: usize) -> [usize; 2] {
    let [near, unit] = COUNTS;
    let rounded = DITHERED.min(mask / 16);
    [rounded, (near * rounded).div_ceil(unit)]
}

/// Changes some words of a mask so that a key switch makes another sample of it, for each `number` its own: what
/// rotates by the sample then has noise of its own, whatever the mask.
///
/// With kN = 2048 a mask has 2^124 ditherings. Two numbers dither one of zeros alike with 2^-106, and none with more
/// than 2^-98, whatever its words. Numbers depend on the mask ([`Evaluation::number`]): else masks could be made for
/// them.
///
/// A digit more or less in one word is a row of the key more or less, and with it another sample. In a mask as it
/// should be, words are taken whose rest is near half a unit B^−d, within 1/16, and rounded to the other side: that
/// adds [`formula::dithered`](crate::noise::formula::dithered), next to nothing. The body loses half of all steps, the
/// mean of what a key of bits makes of them. Other masks have few such words: that
/// of x − x, which drops nothing either, and multiples of an eighth of a unit or more, some of which are halves, that a
/// negated sample rounds to the other side already. Their words change by a whole unit: of 42 units² that are dropped
/// with kN = 2048, or none, that is 3.
pub fn dither<W: Torus>(sample: &mut [W], gadget: Gadget, number: Number) {
    let log2_unit = 64 - gadget.log2_base() * gadget.levels();
    let words = sample.len() - 1;
    let (mut tried, mut left) = (0, COUNTS[0] * dithered_words(words)[0]);
    let mut steps = W::default();
    while left > 0 {
        let word = mixed(number.0[tried % 4] ^ tried as u64);
        tried += 1;
        let i = ((word >> 32) as usize * words) >> 32;
        let from_half = (sample[i].top() << (64 - log2_unit) ^ 1 << 63) as i64;
        // What is nearer than 2^-20 of a unit is half of one.
        let (step, counts) = match (1 << 44..1 << 60).contains(&from_half.unsigned_abs()) {
            true if from_half < 0 => (W::from_top(1 << (log2_unit - 3)), COUNTS[0]),
            true => (W::default().wrapping_sub(W::from_top(1 << (log2_unit - 3))), COUNTS[0]),
            false if tried < TRIED => continue,
            false => (W::from_top(1 << log2_unit).times(1 - 2 * (word & 1) as i64), COUNTS[1]),
        };
        sample[i] = sample[i].wrapping_add(step);
        steps = steps.wrapping_add(step);
        left = left.saturating_sub(counts);
    }
    // The mean of a key of bits.
    sample[words] = sample[words].wrapping_sub(W::from_top(((steps.top() as i64) >> 1) as u64));
}

/// What tells an evaluation from all others: a digest of what its operands come from, of which nobody finds two that
/// are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evaluation([u8; 32]);

impl Evaluation {
    /// Of operands that come from these encryptions and evaluations, in any form that tells lists apart.
    pub fn of(words: impl IntoIterator<Item = u64>) -> Self {
        let hash = words.into_iter().fold(Sha256::new(), |hash, word| hash.chain_update(word.to_le_bytes()));
        Self(hash.finalize().into())
    }

    /// The same for one value, of these ciphertexts: where operands come from too much to be named, they alone tell
    /// evaluations apart.
    #[must_use]
    pub fn of_value<'a, W: Torus>(&self, samples: impl IntoIterator<Item = &'a [W]>) -> Self {
        let hash = Sha256::new().chain_update(self.0);
        let words = |hash, sample| match W::BITS {
            64 => hashed(hash, sample, W::top),
            _ => hashed(hashed(hash, sample, W::top), sample, W::low),
        };
        Self(samples.into_iter().fold(hash, words).finalize().into())
    }

    /// The number of one key switch of one value, this sample: another one for each. Who knew it before could make
    /// samples that dithering makes one.
    #[must_use]
    pub fn number<W: Torus>(&self, value: u64, switch: u64, sample: &[W]) -> Number {
        let hash = Sha256::new().chain_update(self.0);
        let hash = hash.chain_update(value.to_le_bytes()).chain_update(switch.to_le_bytes());
        let bytes = hashed(hash, sample, W::top).finalize();
        let mut words = bytes.as_chunks().0.iter().map(|&word| u64::from_le_bytes(word));
        Number([0; 4].map(|_: u64| words.next().unwrap_or_default()))
    }
}

/// The digest of what was hashed and 64 bits of each word.
fn hashed<W: Torus>(hash: Sha256, sample: &[W], part: fn(W) -> u64) -> Sha256 {
    let mut parts = [[0; 8]; 64];
    sample.chunks(parts.len()).fold(hash, |hash, words| {
        parts.iter_mut().zip(words).for_each(|(bytes, &word)| *bytes = part(word).to_le_bytes());
        hash.chain_update(parts[..words.len()].as_flattened())
    })
}

/// The number of a key switch, for [`dither`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number([u64; 4]);

/// A bijection of words under which each bit of the result depends on all of the argument (SplitMix64).
fn mixed(word: u64) -> u64 {
    let word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}
