//! Functional digit decomposition (Algorithm 2): the digits of large integers, and tables of each digit.
//!
//! Messages modulo P in ciphertexts modulo Q = 2^k, the lowest digit modulo a divisor p of P. Multiplied by P/p the
//! ciphertext holds that digit alone; a bootstrap takes it out as d·Q/P, and the difference holds the digits above,
//! modulo P/p, as it is. With powers of two the paper reduces to Q·p/P in place of the product, and divides the
//! difference by p: the same in turns, less exactly. With each digit the noise of what is left gets that of the digit
//! ([`TableNoise::of_digits`]).
use bootes_lattice::port::{RlweCiphertext, RlweEncoding};
use bootes_schemes::ckks::CkksCiphertext;
use bootes_schemes::ckks::bootstrap::{BootstrapStep, Transforms};
use bootes_schemes::ckks::noise::ErrorBound;

use super::{FunctionalBootstrap, PreparedTables, TableNoise, TableParams};
use crate::{CkksLutError, Lut, LutError};

/// One digit of every message.
#[derive(Debug)]
pub struct DigitSlots {
    /// Its bits.
    pub bits: u32,
    /// Its values in slots, as [`FunctionalBootstrap::evaluate_to_slots`] leaves them: the digit first, then each
    /// table of it.
    pub slots: Vec<CkksCiphertext>,
}

/// The rest of messages modulo P while their digits are taken, the lowest first.
pub(crate) struct Rest(RlweCiphertext);

impl Rest {
    /// All of it.
    pub(crate) fn new(input: &RlweCiphertext) -> Self {
        Self(input.clone())
    }

    /// P of what is left.
    pub(crate) fn modulus(&self) -> u64 {
        self.0.encoding().plaintext_modulus()
    }

    /// It.
    pub(super) fn into_inner(self) -> RlweCiphertext {
        self.0
    }

    /// The lowest digit alone, modulo p: P/p times the ciphertext.
    pub(crate) fn lowest(&self, p: u64) -> Result<RlweCiphertext, LutError> {
        let mut digit = self.0.clone();
        digit.mul_assign((self.modulus() / p) as i64);
        Ok(digit.with_plaintext_modulus(p)?)
    }

    /// Without the lowest digit modulo p, which `slots` hold divided by P: multiples of p modulo P, and so messages
    /// modulo P/p.
    pub(crate) fn subtract(
        &mut self,
        bootstrap: &FunctionalBootstrap,
        slots: &CkksCiphertext,
        p: u64,
    ) -> Result<(), LutError> {
        let mut rest = self.0.clone();
        rest.sub_assign(&bootstrap.to_rlwe(slots, rest.encoding(), rest.count())?)?;
        self.0 = rest.with_plaintext_modulus(self.modulus() / p)?;
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
    /// [`CkksLutError::Digits`] unless the plaintext modulus is a power of two and digits are of 1 to as many bits as
    /// tables that are evaluated whole; as [`FunctionalBootstrap::evaluate_rlwe`].
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
            let log2_p = rest.modulus().ilog2();
            let bits = digit_bits.min(log2_p);
            let prepared = digit_tables(self.params(), log2_p, bits, tables)?;
            let slots = self.slots_of(&prepared, &rest.lowest(1 << bits)?, |step| watch(number, step))?;
            if number + 1 < count {
                watch(number, BootstrapStep::SlotsToCoeffs);
                rest.subtract(self, &slots[0], 1 << bits)?;
            }
            digits.push(DigitSlots { bits, slots });
        }
        Ok(digits)
    }
}

impl TableNoise {
    /// The noise that [`FunctionalBootstrap::decompose`] leaves, for errors of `input` turns in messages of this
    /// encoding: for each digit that of itself, a message modulo the P that is left and in a ciphertext modulo the Q
    /// that is left; then that of each table, modulo 2^log2_modulus of the set.
    ///
    /// A digit's own error stays in what is left.
    ///
    /// # Errors
    /// As [`FunctionalBootstrap::decompose`].
    pub fn of_digits(
        params: &TableParams,
        transforms: &Transforms,
        encoding: RlweEncoding,
        input: ErrorBound,
        digit_bits: u32,
        tables: &[Lut],
    ) -> Result<Vec<Vec<Self>>, LutError> {
        let (mut log2_p, log2_q) = (encoding.plaintext_modulus().ilog2(), encoding.log2_modulus());
        let mut rest = input;
        let digit = |_| {
            let bits = digit_bits.min(log2_p);
            let prepared = digit_tables(params, log2_p, bits, tables)?;
            let low = rest.times(f64::from(log2_p - bits).exp2());
            let noise = Self::modulo(params, transforms, &prepared, low, |table| {
                if table == 0 { log2_q } else { params.literal().log2_modulus }
            });
            log2_p -= bits;
            rest = rest.plus(noise[0].result());
            Ok(noise)
        };
        (0..digit_count(params, encoding, digit_bits)?).map(digit).collect()
    }
}

/// n = ⌈a/b⌉, for b = `digit_bits`.
///
/// # Errors
/// [`CkksLutError::Digits`] unless the plaintext modulus is a power of two and digits are of 1 to as many bits as
/// tables that are evaluated whole.
pub fn digit_count(params: &TableParams, encoding: RlweEncoding, digit_bits: u32) -> Result<u32, LutError> {
    let (modulus, max) = (encoding.plaintext_modulus(), params.literal().whole().ilog2());
    if !modulus.is_power_of_two() || !(1..=max).contains(&digit_bits) {
        return Err(CkksLutError::Digits { modulus, digit_bits, max }.into());
    }
    Ok(modulus.ilog2().div_ceil(digit_bits))
}

/// The lowest digit, modulo p, as itself among messages modulo `modulus`.
pub(crate) fn digit_of(modulus: u64, p: u64) -> Result<Lut, LutError> {
    Lut::modular((0..p).collect(), modulus)
}

/// The lowest digit, as itself among messages modulo 2^`log2_p` and by each table.
fn digit_tables(params: &TableParams, log2_p: u32, bits: u32, tables: &[Lut]) -> Result<PreparedTables, LutError> {
    let p = 1u64 << bits;
    let first = |table: &Lut| match table.values().get(..p as usize) {
        Some(values) => Lut::modular(values.to_vec(), table.out_modulus()),
        None => {
            Err(CkksLutError::Tables { found: vec![table.values().len()], max: params.literal().whole() as usize }
                .into())
        }
    };
    let all =
        std::iter::once(digit_of(1 << log2_p, p)).chain(tables.iter().map(first)).collect::<Result<Vec<_>, _>>()?;
    PreparedTables::new(params, &all)
}
