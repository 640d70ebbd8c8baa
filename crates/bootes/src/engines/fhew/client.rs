//! The secret side.
use crate::door::space::Integers;
use crate::fhew::ciphertexts::{CiphertextReader, Ciphertexts};
use crate::fhew::samples::Source;
use crate::fhew::server_key::Keys;
use crate::fhew::words::{OfWords, Word, with_words};
use crate::fhew::{Params, ServerKey};
use crate::memory::{check_ciphertexts, reserved_as};
use crate::names::read_name;
use crate::{Error, KeyNeeds, Space};
use bootes_lattice::noise::measure::torus_difference;
use bootes_lattice::wire::{ObjectKind, Reader, Writer, open, seal};
use bootes_lut::Interval;
use bootes_lut::fhew::digits::MAX_LARGE_BITS;
use bootes_lut::integer::MAX_WIDTH;
use bootes_lut::table::MAX_BITS;
use bootes_ring::sample::SecretSeed;
use bootes_ring::torus::Torus;
use bootes_schemes::fhew::keys::SecretKeys;
use std::io::Read;
use zeroize::Zeroizing;

/// Room for a client key's payload, so that no copy of the seed is left behind by a growing buffer.
const SECRET_PAYLOAD_BYTES: usize = 256;

/// The values on the torus, fractions of 2^128, the limbs of each side by side.
fn encode(values: impl Iterator<Item = i64>, space: Space) -> impl Iterator<Item = u128> {
    values.flat_map(move |value| (0..space.limbs()).map(move |limb| space.encode(value, limb)))
}

/// Holds the secret keys: encrypts, decrypts, and makes the server's key.
#[derive(Debug)]
pub(crate) struct Client {
    pub(super) keys: SecretKeys,
}

impl Client {
    /// New keys from the system's randomness.
    pub(crate) fn generate(params: &Params) -> Result<Self, Error> {
        Ok(Self { keys: SecretKeys::derive(&params.0, SecretSeed::from_entropy()?) })
    }

    /// The secret keys of a seed and a set, the same every time: the seed is as secret as they are, and 32 bytes that
    /// nobody guesses. Server keys and ciphertexts are made with fresh randomness all the same.
    pub(crate) fn from_seed(params: &Params, seed: &[u8; 32]) -> Self {
        Self { keys: SecretKeys::derive(&params.0, SecretSeed::from_bytes(seed)) }
    }

    /// The parameters.
    pub(crate) fn params(&self) -> Params {
        Params(self.keys.params().clone())
    }

    /// A public identifier of the key pair.
    pub(crate) fn key_id(&self) -> [u8; 16] {
        self.keys.key_id()
    }

    /// Encrypts residues modulo 2^`bits`, 1 ≤ bits ≤ the parameters' bits: their sums wrap. Those of 9 to 16 bits are
    /// integers, as for [`Self::encrypt_modulo`].
    pub(crate) fn encrypt_bits(&self, values: &[u64], bits: u32) -> Result<Ciphertexts, Error> {
        let params = self.keys.params();
        if self.are_integers(bits) {
            return self.encrypt_modulo(values, 1 << bits);
        }
        if !(1..=params.bits()).contains(&bits) {
            let refusal = Error::Bits { found: bits, max: params.bits(), params: params.name().into() };
            return Err(self.gap(bits).unwrap_or(refusal));
        }
        let max = (1u64 << bits) - 1;
        if let Some(index) = values.iter().position(|&v| v > max) {
            return Err(Error::Value { index, value: values[index], max, bits });
        }
        self.encrypt_in(values.iter().map(|&v| v as i64), Space::of_bits(bits))
    }

    /// Encrypts residues modulo any p, 2 ≤ p ≤ 2^bits, bits as the parameters have: their sums wrap. Those of
    /// more than 8 bits are the integers 0 to p − 1, whose sums do not, with room for as many bits: tables
    /// are evaluated on their digits.
    ///
    /// # Errors
    /// [`Error::Modulus`], [`Error::Gap`] for other p; [`Error::Residue`] for a value that is not below p.
    pub(crate) fn encrypt_modulo(&self, values: &[u64], p: u64) -> Result<Ciphertexts, Error> {
        let params = self.keys.params();
        let bits = p.checked_next_power_of_two().map_or(u32::MAX, u64::ilog2);
        let max = 1 << params.bits();
        if !(2..=max).contains(&p) && !self.are_integers(bits) {
            let refusal = Error::Modulus { found: p, max, params: params.name().into() };
            return Err(self.gap(bits).unwrap_or(refusal));
        }
        if let Some(index) = values.iter().position(|&v| v >= p) {
            return Err(Error::Residue { index, value: values[index], modulus: p });
        }
        if self.are_integers(bits) {
            let values: Zeroizing<Vec<i64>> = Zeroizing::new(values.iter().map(|&v| v as i64).collect());
            return self.encrypt_within(&values, 0..=p as i64 - 1, bits);
        }
        self.encrypt_in(values.iter().map(|&v| v as i64), Space::Modular(p))
    }

    /// Whether messages of so many bits are integers, since they are too long for residues.
    fn are_integers(&self, bits: u32) -> bool {
        let params = self.params();
        (MAX_BITS.max(params.bits()) + 1..=params.integer_bits().unwrap_or(0).min(MAX_LARGE_BITS)).contains(&bits)
    }

    /// The refusal of messages that are too long for residues, where longer ones are integers.
    fn gap(&self, found: u32) -> Option<Error> {
        let (params, max) = (self.keys.params(), self.keys.params().bits());
        let longest = params.integer_bits()?.min(MAX_LARGE_BITS);
        let is_gap = (max + 1..u64::BITS).contains(&found) && longest > MAX_BITS.max(max);
        is_gap.then(|| Error::Gap { found, max, longest, params: params.name().into() })
    }

    /// Encrypts integers with a sign, of `width` bits: −2^(width − 1) to 2^(width − 1) − 1. They are for functions of
    /// integers ([`crate::IntegerOp`]) and tables on their digits.
    ///
    /// # Errors
    /// As [`Self::encrypt_within`].
    pub(crate) fn encrypt_integers(&self, values: &[i64], width: u32) -> Result<Ciphertexts, Error> {
        self.encrypt_range(values, Interval::signed(width.clamp(1, MAX_WIDTH)), width)
    }

    /// Encrypts integers without a sign, of `width` bits: 0 to 2^width − 1. Otherwise they are as those with a sign;
    /// functions of both take one kind, or a width that has room for the difference of any two.
    ///
    /// # Errors
    /// As [`Self::encrypt_within`].
    pub(crate) fn encrypt_unsigned(&self, values: &[u64], width: u32) -> Result<Ciphertexts, Error> {
        let mut signed = Zeroizing::new(Vec::with_capacity(values.len()));
        signed.extend(values.iter().map(|&v| i64::try_from(v).unwrap_or(i64::MAX)));
        self.encrypt_range(&signed, Interval::unsigned(width.clamp(1, MAX_WIDTH)), width)
    }

    /// Encrypts integers of `range`, such as `0..=99`, with room for `width` bits: in Z_{2^(width + 1)}, or in two such
    /// limbs of half the width.
    ///
    /// The range is public and travels with the ciphertexts: linear operations widen it, functions and tables are
    /// evaluated where every integer of it is served, and refused elsewhere. A width above that of the range is room
    /// for sums, or for the difference of operands whose ranges differ.
    ///
    /// # Errors
    /// [`Error::Width`] if two ciphertexts of these parameters do not hold them; [`Error::Room`] unless −2^width ≤ x <
    /// 2^width for all x of the range; [`Error::Integer`] for a value outside it.
    pub(crate) fn encrypt_within(
        &self,
        values: &[i64],
        range: impl Into<Interval>,
        width: u32,
    ) -> Result<Ciphertexts, Error> {
        self.encrypt_range(values, range.into(), width)
    }

    fn encrypt_range(&self, values: &[i64], range: Interval, width: u32) -> Result<Ciphertexts, Error> {
        let limbs = Params(self.keys.params().clone()).integer_limbs(width)?;
        let integers = Integers::new(limbs, range).filter(|_| range.width() <= width);
        let integers = integers.ok_or(Error::Room { range, width })?;
        if let Some(index) = values.iter().position(|&v| !range.has(v)) {
            return Err(Error::Integer { index, value: values[index], range, width });
        }
        self.encrypt_in(values.iter().copied(), Space::Integers(integers))
    }

    fn encrypt_in(&self, values: impl ExactSizeIterator<Item = i64>, space: Space) -> Result<Ciphertexts, Error> {
        with_words!(self.keys.params().word_bits(), W => {
            // Of its final size, so that none is left behind.
            // As words, as bodies and as bytes.
            check_ciphertexts((3 * size_of::<W>() * values.len() * space.limbs()) as u64)?;
            let mut encoded = Zeroizing::new(reserved_as(values.len(), space.limbs())?);
            encoded.extend(encode(values, space).map(W::nearest));
            let (mask_seed, bodies) = self.keys.encrypt::<W>(&encoded)?;
            Ok(Ciphertexts::seeded(self.keys.params(), self.key_id(), space, mask_seed, &bodies))
        })
    }

    /// Decrypts residues, 0 to p − 1, or integers that are not negative.
    ///
    /// # Errors
    /// [`Error::Negative`] for integers of a range that has negative ones: take [`Self::decrypt_integers`].
    pub(crate) fn decrypt(&self, ciphertexts: &Ciphertexts) -> Result<Vec<u64>, Error> {
        let space = ciphertexts.space();
        if space.range().min < 0 {
            return Err(Error::Negative { space });
        }
        Ok(self.decode(ciphertexts)?.into_iter().map(|value| value as u64).collect())
    }

    /// Decrypts integers of any range; residues to 0 … p − 1.
    pub(crate) fn decrypt_integers(&self, ciphertexts: &Ciphertexts) -> Result<Vec<i64>, Error> {
        self.decode(ciphertexts)
    }

    /// [`Self::decrypt_integers`] of a file, of which a few ciphertexts at a time are in memory.
    ///
    /// # Errors
    /// As [`Self::decrypt_integers`], and [`CiphertextReader::finish`].
    pub(crate) fn decrypt_from<R: Read>(&self, mut ciphertexts: CiphertextReader<R>) -> Result<Vec<i64>, Error> {
        let (head, count) = (ciphertexts.head().clone(), ciphertexts.len());
        let values = self.decode_from(&head, count, &mut ciphertexts)?;
        ciphertexts.finish()?;
        Ok(values)
    }

    fn decode(&self, ciphertexts: &Ciphertexts) -> Result<Vec<i64>, Error> {
        self.decode_from(ciphertexts, ciphertexts.len(), &mut ciphertexts.cursor())
    }

    /// The values of a source of ciphertexts like these.
    fn decode_from<'a>(
        &self,
        like: &Ciphertexts,
        count: usize,
        source: &mut impl Source<'a>,
    ) -> Result<Vec<i64>, Error> {
        let space = like.space();
        let mut values = reserved_as(count, 1)?;
        let mut limbs = Zeroizing::new(Vec::with_capacity(space.limbs()));
        self.phases(like, count, source, |phase| {
            limbs.push(phase.top());
            if limbs.len() == space.limbs() {
                values.push(space.decode(limbs.drain(..)));
            }
        })?;
        Ok(values)
    }

    /// The noise of each ciphertext as a fraction of the torus, given its plaintexts; the limbs of a value side by
    /// side.
    ///
    /// Leaks the secret key to whoever sees it together with the ciphertexts: for tests and benchmarks only.
    pub(crate) fn measure_noise(&self, ciphertexts: &Ciphertexts, values: &[u64]) -> Result<Vec<f64>, Error> {
        let mut encoded = encode(values.iter().map(|&v| v as i64), ciphertexts.space());
        let mut noise = Vec::with_capacity(values.len());
        self.phases(ciphertexts, ciphertexts.len(), &mut ciphertexts.cursor(), |phase| {
            noise.extend(encoded.next().map(|value| torus_difference(phase, value)));
        })?;
        Ok(noise)
    }

    /// Hands the phase of each of `count` values' ciphertexts, in units of 2^-128, to `take`, expanded one by one.
    fn phases<'a>(
        &self,
        like: &Ciphertexts,
        count: usize,
        source: &mut impl Source<'a>,
        mut take: impl FnMut(u128),
    ) -> Result<(), Error> {
        like.check_key(self.keys.params(), self.key_id())?;
        with_words!(self.keys.params().word_bits(), W => {
            let mut ciphertext = vec![W::default(); self.keys.params().ciphertext_dimension() + 1];
            for _ in 0..count * like.space().limbs() {
                source.next(1)?.expand_into(&mut ciphertext);
                take(self.keys.phase(&ciphertext).widened());
            }
        });
        Ok(())
    }

    /// The key that the server needs: public, seed-compressed; another one at every call, with masks and noise of its
    /// own.
    ///
    /// It holds the additional keys of `needs` ([`Params::extra_keys`]), for algorithms that need them, and
    /// for a parameter set of large integers those that their functions need.
    pub(crate) fn server_key_with(&self, needs: &KeyNeeds) -> Result<ServerKey, Error> {
        let needs = self.params().integer_keys().and(needs.clone());
        Ok(ServerKey(match self.keys.params().word_bits() {
            64 => OfWords::Narrow(self.keys_of_words(&needs)?),
            _ => OfWords::Wide(self.keys_of_words(&needs)?),
        }))
    }

    fn keys_of_words<W: Word>(&self, needs: &KeyNeeds) -> Result<Keys<W>, Error> {
        let extra = if needs.is_empty() { None } else { Some(self.keys.extra_keys_of(needs)?) };
        Ok(Keys { common: self.keys.evaluation_key_of()?, extra })
    }

    /// The secret key in bytes: keep them secret.
    pub(crate) fn export_secret_bytes(&self) -> Zeroizing<Vec<u8>> {
        let mut w = Writer::with_capacity(SECRET_PAYLOAD_BYTES);
        w.str(self.keys.params().name());
        w.raw(self.keys.expose_root().expose_bytes());
        let payload = Zeroizing::new(w.into_bytes());
        Zeroizing::new(seal(ObjectKind::ClientKey, self.keys.params().fingerprint(), self.key_id(), &payload))
    }

    /// A client from [`Self::export_secret_bytes`].
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let (header, payload) = open(bytes, ObjectKind::ClientKey)?;
        let mut r = Reader::new(payload);
        let Params(params) = Params::by_name(read_name(&mut r)?)?;
        let root = SecretSeed::from_bytes(r.array_ref()?);
        r.finish()?;
        if params.fingerprint() != header.fingerprint {
            return Err(Error::ChangedParams { what: "client key", params: params.name().into() });
        }
        let client = Self { keys: SecretKeys::derive(&params, root) };
        if client.key_id() != header.key_id {
            return Err(Error::OtherKey {
                what: "client key",
                found: crate::names::hex(&header.key_id),
                expected: crate::names::hex(&client.key_id()),
            });
        }
        Ok(client)
    }
}
