//! Vectors of values in ciphertexts of N each.
use std::io::{Read, Write};

use bootes_lattice::port::{RlweCiphertext, RlweEncoding, RlweError};
use bootes_lattice::wire::{ObjectKind, Reader, StreamError, StreamReader, StreamWriter, WireError, Writer};
use bootes_lut::ckks::BatchParams as Params;
use bootes_schemes::ckks::noise::{ErrorBound, SlotNoise};

use super::{begin, check_key, name_bytes, parameters};
use crate::Error;
use crate::memory::Room;
use crate::origin::{MAX_LINEAGE, Origin, identify};

mod rows;

/// Encrypted integers modulo p under one key, N in each RLWE ciphertext but the last, which may have fewer.
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
    /// At least one, of one encoding.
    parts: Vec<RlweCiphertext>,
    /// In turns.
    error: ErrorBound,
    origin: Origin,
}

/// Bits of the largest messages that ciphertexts of a set hold: as far apart as the set's own in the largest modulus.
pub(super) fn most_bits(params: &Params) -> u32 {
    params.literal().bits + RlweEncoding::MAX_LOG2_MODULUS - params.literal().log2_modulus
}

impl Ciphertexts {
    /// Fresh encryptions.
    pub(super) fn fresh(params: &Params, key_id: [u8; 16], parts: Vec<RlweCiphertext>) -> Self {
        let error = params.fresh_error(parts[0].encoding().log2_modulus());
        let origin = content(&parts);
        Self { params: params.clone(), key_id, parts, error, origin }
    }

    /// Results of an evaluation of these ciphertexts.
    pub(super) fn results(&self, parts: Vec<RlweCiphertext>, error: ErrorBound) -> Self {
        Self {
            params: self.params.clone(),
            key_id: self.key_id,
            parts,
            error,
            origin: self.origin.and(&content(&self.parts)),
        }
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
        log2_failure(&self.params, self.error, self.modulus())
    }

    /// log2 of the factor by which the error may grow within the promise, to a thousandth.
    pub(crate) fn noise_budget(&self) -> f64 {
        let keeps = |log2: f64| {
            let error = self.error.times(log2.exp2());
            log2_failure(&self.params, error, self.modulus()) <= self.params.log2_p_fail()
        };
        let (mut low, mut high) = (0.0, 64.0);
        while high - low > 1e-3 {
            let middle = 0.5 * (low + high);
            if keeps(middle) { low = middle } else { high = middle }
        }
        low
    }

    /// self + other, modulo p; the variances of errors add, or their standard deviations if both come from one
    /// encryption or evaluation.
    ///
    /// # Errors
    /// As all linear operations: [`Error::NoiseBudget`]; [`Error::Operands`] for other moduli, [`Error::Lengths`],
    /// [`Error::OtherParams`], [`Error::OtherKey`].
    pub(crate) fn add(&self, other: &Self) -> Result<Self, Error> {
        self.combine(other, "sum", RlweCiphertext::add_assign)
    }

    /// self − other, modulo p; the error grows as that of a sum.
    ///
    /// # Errors
    /// As [`Self::add`].
    pub(crate) fn sub(&self, other: &Self) -> Result<Self, Error> {
        self.combine(other, "difference", RlweCiphertext::sub_assign)
    }

    fn combine(
        &self,
        other: &Self,
        name: &'static str,
        operation: impl Fn(&mut RlweCiphertext, &RlweCiphertext) -> Result<(), RlweError>,
    ) -> Result<Self, Error> {
        self.check_alike(other, name)?;
        let error = match self.origin.meets(&other.origin) {
            true => self.error.plus_dependent(other.error, self.params.ckks().max_slot_value()),
            false => self.error.plus(other.error),
        };
        let mut sum = Self { error, origin: self.origin.and(&other.origin), ..self.clone() };
        sum.check_promise()?;
        sum.parts.iter_mut().zip(&other.parts).try_for_each(|(x, y)| operation(x, y))?;
        Ok(sum)
    }

    /// factor · self, modulo p; the error is multiplied by |factor|.
    ///
    /// # Errors
    /// [`Error::NoiseBudget`].
    pub(crate) fn mul_small(&self, factor: i64) -> Result<Self, Error> {
        let error = if factor == 0 { self.least_error() } else { self.error.times(factor as f64) };
        let mut product = Self { error, ..self.clone() };
        product.check_promise()?;
        product.parts.iter_mut().for_each(|part| part.mul_assign(factor));
        Ok(product)
    }

    /// self + constant, modulo p; a rounding more, the same in all values.
    ///
    /// # Errors
    /// [`Error::NoiseBudget`].
    pub(crate) fn add_constant(&self, constant: i64) -> Result<Self, Error> {
        let p = self.modulus();
        let constant = i128::from(constant).rem_euclid(i128::from(p)) as u64;
        // The same rounding in all values, of up to half a unit.
        let half_unit = 0.5 * f64::exp2(-f64::from(self.encoding().log2_modulus()));
        let error = ErrorBound { bias: self.error.bias + half_unit, ..self.error };
        let mut sum = Self { error, ..self.clone() };
        sum.check_promise()?;
        sum.parts.iter_mut().for_each(|part| part.add_constant(constant));
        Ok(sum)
    }

    fn check_promise(&self) -> Result<(), Error> {
        let (found, promised) = (self.log2_failure(), self.params.log2_p_fail());
        if found <= promised {
            return Ok(());
        }
        Err(Error::NoiseBudget { params: self.params.name().into(), found, promised })
    }

    fn encoding(&self) -> RlweEncoding {
        self.parts[0].encoding()
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
        self.parts.iter().map(RlweCiphertext::count).sum()
    }

    /// Number of RLWE ciphertexts: an evaluation each.
    pub(crate) fn ciphertexts(&self) -> usize {
        self.parts.len()
    }

    /// p.
    pub(crate) fn modulus(&self) -> u64 {
        self.encoding().plaintext_modulus()
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
        let head = 4 + 3 * 8 + 4 + 8 * self.origin.lineage.len() as u64;
        head + (count as u64).saturating_mul(8 + self.parts[0].stored_bytes() as u64)
    }

    /// Writes them: their number (4 bytes); the bias, the flat and the keyed variance of their errors; the number of
    /// their origins (4 bytes) and each; each ciphertext with its length before it.
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
            Self { params, key_id, parts, error, origin: Origin { lineage, dependent: false, moved: false } };
        read.check_error()?;
        for _ in 1..count {
            let part = part(&mut input)?;
            let like = &read.parts[0];
            if part.encoding() != like.encoding() || part.is_seeded() != like.is_seeded() {
                return Err(malformed("ciphertexts that do not make one vector"));
            }
            read.parts.push(part);
        }
        input.finish()?;
        let full = &read.parts[..read.parts.len() - 1];
        if read.parts[full.len()].count() == 0 || full.iter().any(|part| part.count() != degree) {
            return Err(malformed("ciphertexts that do not make one vector"));
        }
        if read.parts[0].is_seeded() && read.origin != content(&read.parts) {
            return Err(malformed("fresh ciphertexts of another origin"));
        }
        Ok(read)
    }

    /// Refuses what no encryption and no evaluation says of its error, for ciphertexts like the first.
    fn check_error(&self) -> Result<(), Error> {
        let p = self.modulus();
        let max = 1 << most_bits(&self.params);
        if p > max {
            return Err(Error::Modulus { found: p, max, params: self.params.name().into() });
        }
        let ErrorBound { bias, noise: SlotNoise { flat, keyed } } = self.error;
        if ![bias, flat, keyed].iter().all(|part| part.is_finite() && *part >= 0.0) {
            return Err(malformed("a bound on errors that is no number from 0 on"));
        }
        self.check_promise()?;
        if self.parts[0].is_seeded() {
            return match self.error == self.params.fresh_error(self.encoding().log2_modulus()) {
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
        let log2_modulus = self.encoding().log2_modulus();
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
        let mut out = begin(out, ObjectKind::BatchCiphertexts, &like.params, like.key_id, bytes)?;
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

/// log2 of the probability that a value modulo p with this error decrypts wrongly.
fn log2_failure(params: &Params, error: ErrorBound, p: u64) -> f64 {
    error.log2_failure(0.5 / p as f64, params.ckks().max_slot_value())
}

fn malformed(what: &'static str) -> Error {
    StreamError::from(WireError::Malformed { what }).into()
}
