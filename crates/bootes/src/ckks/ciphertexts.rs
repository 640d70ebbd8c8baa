//! Vectors of values in ciphertexts of N each.
use std::io::{Read, Write};

use bootes_lattice::port::{RlweCiphertext, RlweEncoding, RlweError};
use bootes_lattice::wire::{ObjectKind, Reader, StreamError, StreamReader, StreamWriter, WireError, Writer};
use bootes_lut::LutError;
use bootes_lut::ckks::{BatchParams as Params, Tables};
use bootes_schemes::ckks::Encoder;
use bootes_schemes::ckks::noise::{ErrorBound, SlotNoise};

use super::{NEWEST, VERSION, begin, check_key, keep, name_bytes, parameters};
use crate::memory::Room;
use crate::origin::{MAX_LINEAGE, Origin, identify};
use crate::{Error, Interval, Lut, NoiseCure, Space};

mod rows;

/// Encrypted integers under one key, N in each RLWE ciphertext but the last, which may have fewer: residues modulo p,
/// or integers of a range, whose limbs stand side by side.
///
/// The bound on their error is public and travels along, also in files: linear operations raise it, and are refused
/// when decryption would fail more often than the parameters promise, as an evaluation is. As those of
/// [`Ciphertexts`](crate::Ciphertexts) they know which encryptions and evaluations they come from, and where two
/// operands share one, the standard deviations of their errors add. Tables of the same inputs share the map to the
/// circle: their results share an origin, the inputs' content.
#[derive(Clone, Debug)]
pub(crate) struct Ciphertexts {
    params: Params,
    key_id: [u8; 16],
    space: Space,
    /// At least one for each limb, those of the first N values first; all of one ciphertext modulus.
    parts: Vec<RlweCiphertext>,
    /// In turns.
    error: ErrorBound,
    origin: Origin,
}

/// Bytes of the longest message space in a file, and some.
const LONGEST_SPACE: usize = 64;

/// Bits of the largest messages that ciphertexts of a set hold: as far apart as the set's own in the largest modulus.
pub(super) fn most_bits(params: &Params) -> u32 {
    let literal = params.literal();
    let as_far_apart = literal.bits + RlweEncoding::MAX_LOG2_MODULUS - literal.log2_modulus;
    // Those of functions of integers have their own promise.
    as_far_apart.max(literal.integer_bits + 1)
}

impl Ciphertexts {
    /// Fresh encryptions.
    pub(super) fn fresh(params: &Params, key_id: [u8; 16], space: Space, parts: Vec<RlweCiphertext>) -> Self {
        let error = params.fresh_error(parts[0].encoding().log2_modulus());
        let origin = content(&parts);
        Self { params: params.clone(), key_id, space, parts, error, origin }
    }

    /// Residues that an evaluation of these ciphertexts gives.
    pub(super) fn results(&self, parts: Vec<RlweCiphertext>, error: ErrorBound) -> Self {
        let space = Space::Modular(parts[0].encoding().plaintext_modulus());
        Self::results_of(&[self], space, parts, error)
    }

    /// Results of an evaluation of all these ciphertexts.
    pub(super) fn results_of(operands: &[&Self], space: Space, parts: Vec<RlweCiphertext>, error: ErrorBound) -> Self {
        let first = operands[0];
        let origin = |x: &Self| x.origin.and(&content(&x.parts));
        let origin = operands[1..].iter().fold(origin(first), |all, x| all.and(&origin(x)));
        Self { params: first.params.clone(), key_id: first.key_id, space, parts, error, origin }
    }

    /// The bound on the error of each value, in turns: 1/(2p) is where decryption fails.
    pub(crate) fn error(&self) -> ErrorBound {
        self.error
    }

    /// The variance of the error but for its bias, in the worst slot of the worst key.
    pub(crate) fn noise_variance(&self) -> f64 {
        self.error.noise.at(self.params.ckks().max_slot_value())
    }

    /// log2 of the probability that a value decrypts wrongly, at most, for every key.
    pub(crate) fn log2_failure(&self) -> f64 {
        log2_failure(&self.params, self.error, self.space)
    }

    /// log2 of the factor by which the error may grow within the promise, to a thousandth.
    pub(crate) fn noise_budget(&self) -> f64 {
        budget(&self.params, self.error, self.space, 0.0)
    }

    /// self + other, modulo p; the variances of errors add, or their standard deviations if both come from one
    /// encryption or evaluation.
    ///
    /// # Errors
    /// As all linear operations: [`Error::NoiseBudget`]; [`Error::Operands`] for other moduli, [`Error::Lengths`],
    /// [`Error::OtherParams`], [`Error::OtherKey`].
    pub(crate) fn add(&self, other: &Self) -> Result<Self, Error> {
        self.combine(other, "sum", self.range().plus(other.range()), RlweCiphertext::add_assign)
    }

    /// self − other, modulo p; the error grows as that of a sum.
    ///
    /// # Errors
    /// As [`Self::add`].
    pub(crate) fn sub(&self, other: &Self) -> Result<Self, Error> {
        self.combine(other, "difference", self.range().minus(other.range()), RlweCiphertext::sub_assign)
    }

    fn combine(
        &self,
        other: &Self,
        name: &'static str,
        range: Option<Interval>,
        operation: impl Fn(&mut RlweCiphertext, &RlweCiphertext) -> Result<(), RlweError>,
    ) -> Result<Self, Error> {
        self.check_alike(other, name)?;
        let space = self.space.linear(name, range, self.room())?;
        let error = match self.origin.meets(&other.origin) {
            true => self.error.plus_dependent(other.error, self.params.ckks().max_slot_value()),
            false => self.error.plus(other.error),
        };
        let mut sum = Self { space, error, origin: self.origin.and(&other.origin), ..self.clone() };
        sum.keeps_promise_of(&[self, other], 1)?;
        sum.parts.iter_mut().zip(&other.parts).try_for_each(|(x, y)| operation(x, y))?;
        Ok(sum)
    }

    /// factor · self, modulo p; the error is multiplied by |factor|, of residues by that of the factor's nearest to 0.
    ///
    /// # Errors
    /// [`Error::NoiseBudget`].
    pub(crate) fn mul_small(&self, factor: i64) -> Result<Self, Error> {
        let factor = self.space.reduced(factor);
        let error = if factor == 0 { self.least_error() } else { self.error.times(factor as f64) };
        let space = self.space.linear("multiple", self.range().times(factor), self.room())?;
        let mut product = Self { space, error, ..self.clone() };
        product.keeps_promise_of(&[self], factor)?;
        product.parts.iter_mut().for_each(|part| part.mul_assign(factor));
        Ok(product)
    }

    /// self + constant, modulo p; a rounding more, the same in all values.
    ///
    /// # Errors
    /// [`Error::NoiseBudget`].
    pub(crate) fn add_constant(&self, constant: i64) -> Result<Self, Error> {
        let range = self.range().plus(Interval { min: constant, max: constant });
        let space = self.space.linear("sum with a constant", range, self.room())?;
        let residue = i128::from(constant).rem_euclid(i128::from(self.modulus())) as u64;
        // The same rounding in all values, of up to half a unit.
        let half_unit = 0.5 * f64::exp2(-f64::from(self.log2_modulus()));
        let error = ErrorBound { bias: self.error.bias + half_unit, ..self.error };
        let mut sum = Self { space, error, ..self.clone() };
        sum.keeps_promise_of(&[self], 1)?;
        sum.parts.iter_mut().for_each(|part| part.add_constant(residue));
        Ok(sum)
    }

    fn check_promise(&self) -> Result<(), Error> {
        let (found, promised) = (self.log2_failure(), self.params.log2_p_fail());
        if found <= promised {
            return Ok(());
        }
        Err(Error::NoiseBudget { params: self.params.name().into(), found, promised, cure: NoiseCure::default() })
    }

    /// The same of a result of these operands, of one of which it may be a multiple; a refusal says what would do.
    fn keeps_promise_of(&self, operands: &[&Self], factor: i64) -> Result<(), Error> {
        self.check_promise().map_err(|error| match error {
            Error::NoiseBudget { params, found, promised, .. } => {
                let of = |error| budget(&self.params, error, self.space, -64.0);
                let least = operands.iter().map(|operand| of(operand.error)).fold(f64::INFINITY, f64::min);
                let needed = least - of(self.error);
                let refreshed = operands.iter().try_fold(false, |refreshed, operand| {
                    Ok::<_, LutError>(refreshed || of(operand.refreshed()?) > least.max(needed))
                });
                let refresh = refreshed.unwrap_or(false);
                let cure = NoiseCure { refresh, smaller_weights: factor.unsigned_abs() > 1, other: None };
                Error::NoiseBudget { params, found, promised, cure }
            }
            error => error,
        })
    }

    /// The error of a table's results on these.
    fn refreshed(&self) -> Result<ErrorBound, LutError> {
        let (params, encoder) = (&self.params, Encoder::new(self.params.capacity())?);
        let transforms = params.transforms(&encoder)?;
        let tables = Tables::new(params, &transforms, &[Lut::unstructured_modulo(self.modulus())])?;
        tables.promised(params, &transforms, self.log2_modulus(), self.error)?;
        Ok(Tables::chain(params, &transforms, 1)?.1)
    }

    /// Bits that integers in one ciphertext have room for.
    fn room(&self) -> u32 {
        self.params.literal().integer_bits + 1
    }

    fn log2_modulus(&self) -> u32 {
        self.parts[0].encoding().log2_modulus()
    }

    fn range(&self) -> Interval {
        self.space.range()
    }

    /// What they hold.
    pub(crate) fn space(&self) -> Space {
        self.space
    }

    /// The same as residues, of which the integers are one.
    ///
    /// # Errors
    /// [`Error::Limbs`] for integers of two ciphertexts.
    pub(crate) fn as_residues(&self) -> Result<Self, Error> {
        Ok(Self { space: self.space.as_residues()?, ..self.clone() })
    }

    /// The same as integers of a range, those that are congruent.
    ///
    /// # Errors
    /// [`Error::AsIntegers`].
    pub(crate) fn as_integers(&self, range: Interval) -> Result<Self, Error> {
        Ok(Self { space: self.space.as_integers(range)?, ..self.clone() })
    }

    pub(super) fn origin(&self) -> &Origin {
        &self.origin
    }

    pub(super) fn parts(&self) -> &[RlweCiphertext] {
        &self.parts
    }

    /// Set and key.
    pub(super) fn owner(&self) -> (&Params, [u8; 16]) {
        (&self.params, self.key_id)
    }

    /// Number of encrypted integers, at least one.
    pub(crate) fn len(&self) -> usize {
        self.parts.iter().step_by(self.space.limbs()).map(RlweCiphertext::count).sum()
    }

    /// Number of RLWE ciphertexts, an evaluation each; or of each limb.
    pub(crate) fn ciphertexts(&self) -> usize {
        self.parts.len() / self.space.limbs()
    }

    /// p, of residues or of the low limb.
    pub(crate) fn modulus(&self) -> u64 {
        self.parts[0].encoding().plaintext_modulus()
    }

    /// Parameters they were made with.
    pub(crate) fn params(&self) -> &Params {
        &self.params
    }

    /// Identifier of their key.
    pub(crate) fn key_id(&self) -> [u8; 16] {
        self.key_id
    }

    /// The bytes of their file.
    pub(crate) fn stored_bytes(&self) -> u64 {
        self.payload_bytes() + name_bytes(&self.params) + bootes_lattice::wire::OVERHEAD_BYTES as u64
    }

    fn payload_bytes(&self) -> u64 {
        self.payload_bytes_of(self.parts.len())
    }

    /// The bytes of so many such ciphertexts, which all have one size, without the name of the set.
    fn payload_bytes_of(&self, count: usize) -> u64 {
        let space = self.stored_space().map_or(0, |bytes| 8 + bytes.len() as u64);
        let head = space + 4 + 3 * 8 + 4 + 8 * self.origin.lineage.len() as u64;
        head + (count as u64).saturating_mul(8 + self.parts[0].stored_bytes() as u64)
    }

    /// Of integers the version of their space's form (a byte), and the space.
    fn stored_space(&self) -> Option<Vec<u8>> {
        self.space.integers().map(|_| {
            let mut w = Writer::new();
            let form = self.space.write(&mut w);
            let mut bytes = vec![form as u8];
            bytes.extend(w.as_bytes());
            bytes
        })
    }

    /// Writes them: of integers their space; their number (4 bytes); the bias, the flat and the keyed variance of
    /// their errors; the number of their origins (4 bytes) and each; each ciphertext with its length before it.
    ///
    /// # Errors
    /// [`Error::Stream`].
    pub(crate) fn write<W: Write>(&self, out: W) -> Result<W, Error> {
        let mut out = BatchWriter::new(out, self, self.parts.len())?;
        self.parts.iter().try_for_each(|part| out.put(part))?;
        out.finish()
    }

    /// Reads them; every size is checked, and the checksum at the end.
    ///
    /// The bound on errors is checked as far as it can be: fresh ciphertexts have that of the set, others at least the
    /// error of rounding, and none more than the promise allows.
    ///
    /// # Errors
    /// As [`Self::read_within`].
    pub(crate) fn read<R: Read>(input: R) -> Result<Self, Error> {
        Self::read_within(None, input)
    }

    /// [`Self::read`] that takes `memory` bytes at most.
    ///
    /// # Errors
    /// [`Error::Stream`] for what are no such ciphertexts, [`Error::Lut`] for a set that does not exist,
    /// [`Error::ChangedParams`], [`Error::Rlwe`] for a ciphertext of another ring; [`Error::CiphertextMemory`] before
    /// they are taken.
    pub(crate) fn read_within<R: Read>(memory: Option<u64>, input: R) -> Result<Self, Error> {
        let mut input = StreamReader::new(input, ObjectKind::BatchCiphertexts)?;
        let params = parameters(&mut input, "ciphertext")?;
        let stored = match input.header().version {
            NEWEST.. => Some(input.bytes(LONGEST_SPACE)?),
            _ => None,
        };
        let count = input.u32()?;
        let mut number = || Ok::<_, Error>(f64::from_bits(input.u64()?));
        let error = ErrorBound { bias: number()?, noise: SlotNoise { flat: number()?, keyed: number()? } };
        let origins = input.u32()?;
        if origins as usize > MAX_LINEAGE {
            return Err(malformed("ciphertexts of too many origins"));
        }
        let mut lineage = Vec::new();
        for _ in 0..origins {
            lineage.push(input.u64()?);
        }
        let degree = params.capacity();
        // Two words of 8 bytes a coefficient, and a head.
        let longest = 16 * degree + 64;
        let part = |input: &mut StreamReader<R>| {
            let bytes = input.bytes(longest)?;
            let mut r = Reader::new(&bytes);
            let part = RlweCiphertext::read(degree, &mut r)?;
            r.finish()?;
            Ok::<_, Error>(part)
        };
        if count == 0 {
            return Err(malformed("a list of no ciphertexts"));
        }
        let first = part(&mut input)?;
        let space = match stored {
            None => Space::Modular(first.encoding().plaintext_modulus()),
            Some(bytes) => integers(&bytes, &params)?,
        };
        let moduli = space.moduli();
        if !(count as usize).is_multiple_of(moduli.len()) {
            return Err(malformed("a list of ciphertexts that lacks limbs"));
        }
        // All have the form of the first: as many as there are bytes left for, or the file is cut.
        let most = (1 + input.remaining() / (8 + first.stored_bytes() as u64)).min(count.into()) as usize;
        let halves = if first.is_seeded() { 1 } else { 2 };
        let needed = (most as u64).saturating_mul(8 * halves * degree as u64);
        let refused = |available| Error::CiphertextMemory { needed, available };
        Room::now(memory).check(0, needed).map_err(|error| match error {
            Error::Memory { available, .. } => refused(available),
            error => error,
        })?;
        let mut parts = Vec::new();
        parts.try_reserve_exact(most).map_err(|_| refused(0))?;
        parts.push(first);
        let key_id = input.header().key_id;
        let mut read =
            Self { params, key_id, space, parts, error, origin: Origin { lineage, dependent: false, moved: false } };
        read.check_error()?;
        for _ in 1..count {
            let part = part(&mut input)?;
            if part.encoding().log2_modulus() != read.log2_modulus() || part.is_seeded() != read.parts[0].is_seeded() {
                return Err(malformed("ciphertexts that do not make one vector"));
            }
            read.parts.push(part);
        }
        input.finish()?;
        let last = read.parts.len() - moduli.len();
        let values = read.parts[last].count();
        let makes_one = |(i, part): (usize, &RlweCiphertext)| {
            part.encoding().plaintext_modulus() == moduli[i % moduli.len()]
                && part.count() == if i < last { degree } else { values }
        };
        if values == 0 || !read.parts.iter().enumerate().all(makes_one) {
            return Err(malformed("ciphertexts that do not make one vector"));
        }
        if read.parts[0].is_seeded() && read.origin != content(&read.parts) {
            return Err(malformed("fresh ciphertexts of another origin"));
        }
        keep(&read.params);
        Ok(read)
    }

    /// Refuses what no encryption and no evaluation says of its error, for ciphertexts like the first.
    fn check_error(&self) -> Result<(), Error> {
        let max = 1 << most_bits(&self.params);
        if let Some(found) = self.space.moduli().into_iter().find(|&p| p > max) {
            return Err(Error::Modulus { found, max, params: self.params.name().into() });
        }
        let ErrorBound { bias, noise: SlotNoise { flat, keyed } } = self.error;
        if ![bias, flat, keyed].iter().all(|part| part.is_finite() && *part >= 0.0) {
            return Err(malformed("a bound on errors that is no number from 0 on"));
        }
        self.check_promise()?;
        if self.parts[0].is_seeded() {
            return match self.error == self.params.fresh_error(self.log2_modulus()) {
                true => Ok(()),
                false => Err(malformed("fresh ciphertexts whose error is not that of an encryption")),
            };
        }
        let least = self.least_error().noise.flat;
        let lineage = &self.origin.lineage;
        // Rounding errors of sums of variances are far below 1e-9 of them.
        if flat < least * (1.0 - 1e-9) || lineage.is_empty() || !lineage.is_sorted_by(|a, b| a < b) {
            return Err(malformed("results whose error is none that an evaluation leaves"));
        }
        Ok(())
    }

    /// The smaller of the errors of an encryption and of rounding: no bound is below, not even that of 0·x.
    fn least_error(&self) -> ErrorBound {
        let log2_modulus = self.log2_modulus();
        let [fresh, rounded] = [self.params.fresh_error(log2_modulus), self.params.rounding_error(log2_modulus)];
        if fresh.noise.flat < rounded.noise.flat { fresh } else { rounded }
    }
}

/// Writes a file of so many ciphertexts, one after the other.
pub(super) struct BatchWriter<W: Write>(StreamWriter<W>);

impl<W: Write> BatchWriter<W> {
    /// The head of a file of `count` ciphertexts that are like those of `like`.
    pub(super) fn new(out: W, like: &Ciphertexts, count: usize) -> Result<Self, Error> {
        let bytes = like.payload_bytes_of(count);
        let space = like.stored_space();
        let version = if space.is_some() { NEWEST } else { VERSION };
        let mut out = begin(out, version, ObjectKind::BatchCiphertexts, &like.params, like.key_id, bytes)?;
        if let Some(space) = space {
            out.bytes(&space)?;
        }
        out.u32(u32::try_from(count).map_err(|_| Error::NoValues)?)?;
        for number in [like.error.bias, like.error.noise.flat, like.error.noise.keyed] {
            out.u64(number.to_bits())?;
        }
        out.u32(like.origin.lineage.len() as u32)?;
        for &id in &like.origin.lineage {
            out.u64(id)?;
        }
        Ok(Self(out))
    }

    /// The next one.
    pub(super) fn put(&mut self, part: &RlweCiphertext) -> Result<(), Error> {
        let mut w = Writer::with_capacity(part.stored_bytes());
        part.write(&mut w);
        Ok(self.0.bytes(w.as_bytes())?)
    }

    /// Ends the file.
    pub(super) fn finish(self) -> Result<W, Error> {
        Ok(self.0.finish()?)
    }
}

/// What ciphertexts are, and what they share with others: their masks.
fn content(parts: &[RlweCiphertext]) -> Origin {
    let identify = |part: &RlweCiphertext| identify(part.mask().iter().copied());
    Origin::of(parts.iter().map(identify).collect())
}

/// log2 of the probability that a value with this error decrypts wrongly.
fn log2_failure(params: &Params, error: ErrorBound, space: Space) -> f64 {
    error.log2_failure(space.half_step(), params.ckks().max_slot_value()) + (space.limbs() as f64).log2()
}

/// log2 of the factor by which an error may grow within the promise, `least` or more, to a thousandth.
fn budget(params: &Params, error: ErrorBound, space: Space, least: f64) -> f64 {
    let keeps = |log2: f64| log2_failure(params, error.times(log2.exp2()), space) <= params.log2_p_fail();
    let (mut low, mut high) = (least, 64.0);
    while high - low > 1e-3 {
        let middle = 0.5 * (low + high);
        if keeps(middle) { low = middle } else { high = middle }
    }
    low
}

/// The space of integers from a file.
fn integers(bytes: &[u8], params: &Params) -> Result<Space, Error> {
    let malformed = || malformed("a message space out of range");
    let (&form, space) = bytes.split_first().ok_or_else(malformed)?;
    let mut r = Reader::new(space);
    let space = Space::read(&mut r, form.into(), most_bits(params), params.name())?;
    r.finish()?;
    let integers = space.integers().filter(|integers| !integers.is_approximate()).ok_or_else(malformed)?;
    // Two limbs are what a function of integers takes.
    match integers.limbs().high {
        Some(high) if !params.holds_limbs(integers.limbs().low, high) => Err(malformed()),
        _ => Ok(space),
    }
}

fn malformed(what: &'static str) -> Error {
    StreamError::from(WireError::Malformed { what }).into()
}
