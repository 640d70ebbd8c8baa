//! Functional digit decomposition (Algorithm 2): the digits of large integers, and tables of each digit.
//!
//! Messages modulo P = 2^a in ciphertexts modulo Q, digits modulo p = 2^b. Modulo q = Q·p/P the ciphertext holds the
//! lowest digit alone; a bootstrap takes it out, and the difference, divided by p, holds the digits above modulo P/p
//! and Q/p. The last digit has a − b·(n − 1) bits, n = ⌈a/b⌉. With each digit the noise of what is left gets that of
//! the digit, and is divided by p ([`BatchNoise::of_digits`]).
use bootes_lattice::port::{RlweCiphertext, RlweEncoding, mod_switch_variance};
use bootes_schemes::ckks::CkksCiphertext;
use bootes_schemes::ckks::bootstrap::{BootstrapStep, Transforms};
use bootes_schemes::ckks::noise::{ErrorBound, SlotNoise};

use super::{BatchNoise, BatchParams, FunctionalBootstrap, PreparedTables};
use crate::{Lut, LutError};

/// One digit of every message.
#[derive(Debug)]
pub struct DigitSlots {
    /// Its bits.
    pub bits: u32,
    /// Its values in slots, as [`FunctionalBootstrap::evaluate_to_slots`] leaves them: the digit first, then each
    /// table of it.
    pub slots: Vec<CkksCiphertext>,
}

/// What is left of messages modulo 2^a while their digits are taken, the lowest first.
pub(super) struct Rest(RlweCiphertext);

impl Rest {
    /// All of it.
    pub(super) fn new(input: &RlweCiphertext) -> Self {
        Self(input.clone())
    }

    /// a of what is left.
    pub(super) fn bits(&self) -> u32 {
        self.0.encoding().plaintext_modulus().ilog2()
    }

    /// The lowest `bits` bits: modulo Q·2^bits/2^a.
    pub(super) fn lowest(&self, bits: u32) -> Result<RlweCiphertext, LutError> {
        Ok(self.0.reduce(self.0.encoding().log2_modulus() - (self.bits() - bits))?)
    }

    /// Without the lowest `bits` bits, which `slots` hold divided by 2^a.
    pub(super) fn subtract(
        &mut self,
        bootstrap: &FunctionalBootstrap,
        slots: &CkksCiphertext,
        bits: u32,
    ) -> Result<(), LutError> {
        let encoding = self.0.encoding();
        self.0.sub_assign(&bootstrap.to_rlwe(slots, encoding, self.0.count())?)?;
        // Division by p: the same words modulo Q/p.
        let rest = self.0.mod_switch(encoding.log2_modulus() - bits)?;
        self.0 = rest.with_plaintext_modulus(encoding.plaintext_modulus() >> bits)?;
        Ok(())
    }
}

impl FunctionalBootstrap {
    /// The digits of `digit_bits` bits of messages modulo 2^a, the lowest first, and `tables` of each of them.
    ///
    /// Tables are on Z_p; of the last digit, if it is shorter, their first entries count. `watch` hears the number of
    /// the digit and what is being done with it.
    ///
    /// # Errors
    /// [`LutError::BatchDigits`] unless the plaintext modulus is a power of two and digits are of 1 to the set's bits;
    /// as [`FunctionalBootstrap::evaluate_rlwe`].
    pub fn decompose(
        &self,
        input: &RlweCiphertext,
        digit_bits: u32,
        tables: &[Lut],
        mut watch: impl FnMut(u32, BootstrapStep),
    ) -> Result<Vec<DigitSlots>, LutError> {
        let count = digit_count(self.params(), input.encoding(), digit_bits)?;
        let mut rest = Rest::new(input);
        let mut digits = Vec::with_capacity(count as usize);
        for number in 0..count {
            let (log2_p, bits) = (rest.bits(), digit_bits.min(rest.bits()));
            let prepared = digit_tables(self.params(), log2_p, bits, tables)?;
            let slots = self.slots_of(&prepared, &rest.lowest(bits)?, |step| watch(number, step))?;
            if number + 1 < count {
                watch(number, BootstrapStep::SlotsToCoeffs);
                rest.subtract(self, &slots[0], bits)?;
            }
            digits.push(DigitSlots { bits, slots });
        }
        Ok(digits)
    }
}

impl BatchNoise {
    /// The noise that [`FunctionalBootstrap::decompose`] leaves, for errors of `input` turns in messages of this
    /// encoding: for each digit that of itself, a message modulo the P that is left and in a ciphertext modulo the Q
    /// that is left; then that of each table, modulo 2^log2_modulus of the set.
    ///
    /// A digit's own error stays in what is left; the division by p leaves errors in turns as they are, but for its
    /// rounding.
    ///
    /// # Errors
    /// As [`FunctionalBootstrap::decompose`].
    pub fn of_digits(
        params: &BatchParams,
        transforms: &Transforms,
        encoding: RlweEncoding,
        input: ErrorBound,
        digit_bits: u32,
        tables: &[Lut],
    ) -> Result<Vec<Vec<Self>>, LutError> {
        let weight = params.literal().weight as usize;
        let (mut log2_p, mut log2_q) = (encoding.plaintext_modulus().ilog2(), encoding.log2_modulus());
        let mut rest = input;
        let digit = |_| {
            let bits = digit_bits.min(log2_p);
            let prepared = digit_tables(params, log2_p, bits, tables)?;
            // Turns of q = Q·2^bits/P.
            let low = rest.times(f64::from(log2_p - bits).exp2());
            let noise = Self::modulo(params, transforms, &prepared, low, |table| {
                if table == 0 { log2_q } else { params.literal().log2_modulus }
            });
            let rounding = mod_switch_variance(0.0, log2_q, log2_q - bits, weight);
            (log2_p, log2_q) = (log2_p - bits, log2_q - bits);
            let rounding = ErrorBound::unbiased(SlotNoise::flat(rounding)).times((-f64::from(log2_q)).exp2());
            rest = rest.plus(noise[0].result()).plus(rounding);
            Ok(noise)
        };
        (0..digit_count(params, encoding, digit_bits)?).map(digit).collect()
    }
}

/// n = ⌈a/b⌉, for b = `digit_bits`.
///
/// # Errors
/// [`LutError::BatchDigits`] unless the plaintext modulus is a power of two and digits are of 1 to the set's bits.
pub fn digit_count(params: &BatchParams, encoding: RlweEncoding, digit_bits: u32) -> Result<u32, LutError> {
    let (modulus, max) = (encoding.plaintext_modulus(), params.literal().bits);
    if !modulus.is_power_of_two() || !(1..=max).contains(&digit_bits) {
        return Err(LutError::BatchDigits { modulus, digit_bits, max });
    }
    Ok(modulus.ilog2().div_ceil(digit_bits))
}

/// The lowest digit as itself among messages modulo 2^`log2_p`.
pub(super) fn digit_of(log2_p: u32, bits: u32) -> Result<Lut, LutError> {
    Lut::modular((0..1 << bits).collect(), 1 << log2_p)
}

/// The lowest digit, as itself among messages modulo 2^`log2_p` and by each table.
fn digit_tables(params: &BatchParams, log2_p: u32, bits: u32, tables: &[Lut]) -> Result<PreparedTables, LutError> {
    let p = 1u64 << bits;
    let first = |table: &Lut| match table.values().get(..p as usize) {
        Some(values) => Lut::modular(values.to_vec(), table.out_modulus()),
        None => Err(LutError::BatchTables { found: vec![table.values().len()], max: 1 << params.literal().bits }),
    };
    let all = std::iter::once(digit_of(log2_p, bits)).chain(tables.iter().map(first)).collect::<Result<Vec<_>, _>>()?;
    PreparedTables::new(params, &all)
}
