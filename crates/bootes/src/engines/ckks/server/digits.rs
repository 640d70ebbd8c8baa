//! Digits of integers modulo a power of two: a bootstrap a digit.
use std::io::{Read, Write};

use bootes_lattice::noise::failure::sum_log2;
use bootes_lattice::port::{RlweCiphertext, RlweEncoding};
use bootes_lut::ckks::decompose::digit_count;
use bootes_lut::ckks::{PreparedTables, TableNoise, TableParams as Params, Tables};
use bootes_lut::{CkksLutError, Lut, LutError};
use bootes_schemes::cancel::Cancel;
use bootes_schemes::ckks::bootstrap::Transforms;
use bootes_schemes::ckks::noise::ErrorBound;

use super::{Server, check_residues, vectors};
use crate::ckks::ciphertexts::CiphertextReader;
use crate::ckks::predict::workspace;
use crate::ckks::{Ciphertexts, check_key};
use crate::engines::EngineServer;
use crate::engines::blocks::{Files, VectorReader};
use crate::memory::Room;
use crate::threads::{on_threads, useful};
use crate::{Error, PlanError, Space};

/// Digits of so many bits of integers modulo p.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Digits {
    pub(crate) bits: u32,
    pub(crate) p: u64,
}

impl Digits {
    /// How many there are.
    pub(crate) fn count(self) -> u32 {
        self.p.ilog2().div_ceil(self.bits)
    }

    /// Those of each: the digit in place, and as an input of tables.
    pub(in crate::engines::ckks) fn tables(self, params: &Params) -> Result<Tables, LutError> {
        let digit = Lut::modular((0..1 << self.bits).collect(), 1 << self.bits)?;
        Ok(Tables::Whole(PreparedTables::new(params, &[digit.clone(), digit])?))
    }
}

impl Server {
    /// The table of a digit, and the errors of all of them, if they keep the promise.
    pub(crate) fn check_digits(
        &self,
        ciphertexts: &Ciphertexts,
        digit_bits: u32,
    ) -> Result<([Lut; 1], Vec<ErrorBound>), Error> {
        let params = self.params();
        check_key("ciphertext", [ciphertexts.owner(), (params, self.key_id)])?;
        check_residues(ciphertexts, "digits")?;
        let encoding = ciphertexts.parts()[0].encoding();
        digit_count(params, encoding, digit_bits)?;
        let digit = [Lut::modular((0..1 << digit_bits).collect(), 1 << digit_bits)?];
        let errors = digit_errors(params, self.bootstrap.transforms(), encoding, ciphertexts.error(), &digit)?;
        Ok((digit, errors))
    }

    /// The digits of `digits.bits` bits of integers modulo a power of two
    /// ([`Client::encrypt_unsigned`](crate::Client::encrypt_unsigned)), the lowest first, each modulo 2^bits: inputs of
    /// tables. A bootstrap a digit; `progress` hears which part is done. It ends where it is cancelled.
    ///
    /// # Errors
    /// [`CkksLutError::Digits`] for digits of none or more bits than the set's; [`CkksLutError::Integers`] for
    /// integers too large for the noise; as [`Self::evaluate_unless`].
    pub(crate) fn decompose_unless(
        &self,
        cancel: &Cancel,
        ciphertexts: &Ciphertexts,
        digits: Digits,
        threads: usize,
        progress: impl FnMut(f64) + Send,
    ) -> Result<Vec<Ciphertexts>, Error> {
        let parts = ciphertexts.parts();
        let (errors, mut of) = self.decomposition(cancel, ciphertexts, parts.len(), digits, threads, progress)?;
        self.check_results(ciphertexts, errors.len())?;
        let of = || parts.iter().enumerate().map(|(i, part)| of(i, part)).collect::<Result<Vec<_>, _>>();
        Ok(vectors(ciphertexts, on_threads(threads, of)??, errors))
    }

    /// [`Self::decompose_unless`] of what is read as it is needed, whose digits are written as they come, a vector to
    /// each of `outputs`, which are given back.
    ///
    /// # Errors
    /// As [`Self::decompose_unless`]; [`Error::ResultCount`] unless there is an output for each digit;
    /// [`Error::Stream`], where what was written is worth nothing.
    pub(crate) fn decompose_to<R: Read, W: Write>(
        &self,
        cancel: &Cancel,
        mut input: CiphertextReader<R>,
        outputs: Vec<W>,
        digits: Digits,
        threads: usize,
        progress: impl FnMut(f64) + Send,
    ) -> Result<Vec<W>, Error> {
        let (head, count) = (input.head().clone(), input.left());
        let (errors, mut of) = self.decomposition(cancel, &head, 1, digits, threads, progress)?;
        let (found, expected) = (errors.len(), outputs.len());
        if found != expected {
            return Err(Error::ResultCount { found, expected });
        }
        let mut files = Files::Begin(outputs);
        for i in 0..count {
            let part = input.next_parts(1)?.remove(0);
            let digits = on_threads(threads, || of(i, &part))??;
            files.put(&vectors(&head, vec![digits], errors.iter().copied()))?;
        }
        input.finish()?;
        files.finish()
    }

    /// The errors of the digits of integers like these, and what makes them of a ciphertext, by its number; with so
    /// many ciphertexts in memory then.
    #[expect(clippy::type_complexity, reason = "a closure and what it leaves")]
    fn decomposition<'a>(
        &'a self,
        cancel: &Cancel,
        inputs: &Ciphertexts,
        held: usize,
        digits: Digits,
        threads: usize,
        mut progress: impl FnMut(f64) + Send + 'a,
    ) -> Result<
        (Vec<ErrorBound>, impl FnMut(usize, &RlweCiphertext) -> Result<Vec<RlweCiphertext>, LutError> + Send + 'a),
        Error,
    > {
        let (params, Digits { bits, p }) = (self.params(), digits);
        if inputs.modulus() != p {
            let [found, expected] = [inputs.modulus(), p].map(Space::Modular);
            return Err(PlanError::Space { found, expected }.into());
        }
        let (digit, errors) = self.check_digits(inputs, bits)?;
        let workspace = workspace(params, &digits.tables(params)?, useful(threads))?(1);
        Room::now(self.memory).check(self.held(held), workspace)?;
        let encoding = RlweEncoding::new(1 << bits, params.literal().log2_modulus)?;
        let (bootstrap, count) = (self.bootstrap.cancelled_by(cancel), errors.len());
        let all = (inputs.blocks() * count) as f64;
        let of = move |i: usize, part: &RlweCiphertext| {
            let tell = |number: u32, _| progress((i * count + number as usize) as f64 / all);
            let digits = bootstrap.decompose(part, bits, &digit, tell)?;
            digits.iter().map(|digit| bootstrap.to_rlwe(&digit.slots[1], encoding, part.count())).collect()
        };
        Ok((errors, of))
    }
}

/// The errors of the digits of integers with errors of `input` turns, as inputs of tables.
///
/// # Errors
/// [`CkksLutError::Integers`] for digits that would be wrong more often than promised.
pub(super) fn digit_errors(
    params: &Params,
    transforms: &Transforms,
    encoding: RlweEncoding,
    input: ErrorBound,
    digit: &[Lut; 1],
) -> Result<Vec<ErrorBound>, LutError> {
    let digit_bits = digit[0].in_bits();
    let noise = TableNoise::of_digits(params, transforms, encoding, input, digit_bits, digit)?;
    // A digit's noise in place is no failure yet: it counts with the digits above. A digit that is wrong spoils them.
    let promised = params.log2_p_fail();
    let found = sum_log2(&noise.iter().map(|digit| digit[1].log2_failure()).collect::<Vec<_>>());
    if found > promised {
        let bits = encoding.plaintext_modulus().ilog2();
        return Err(CkksLutError::Integers { bits, digit_bits, found, promised, params: params.name().into() }.into());
    }
    Ok(noise.iter().map(|digit| digit[1].result()).collect())
}
