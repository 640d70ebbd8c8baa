//! The secret side of the batch engine.
use std::fmt;
use std::io::Read;

use bootes_lattice::port::{RlweCiphertext, RlweEncoding};
use bootes_lattice::rns::MaskStorage;
use bootes_lattice::wire::{ObjectKind, Reader, Writer, open, seal_as};
use bootes_lut::ckks::BatchParams as Params;
use bootes_ring::sample::SecretSeed;
use bootes_schemes::ckks::CkksSecretKey;
use bootes_schemes::ckks::params::NOISE_STD;
use zeroize::Zeroizing;

use super::integers::not_for_integers;
use super::{
    CiphertextReader, Ciphertexts, Memory, ServerKey, VERSION, check_key, fresh_bytes, keep, maps_encoder, named,
};
use crate::door::space::Integers;
use crate::engines::blocks::VectorReader;
use crate::memory::{Room, check_ciphertexts, reserved_as};
use crate::names::{hex, read_name};
use crate::threads::{on_all_threads, on_threads};
use crate::{Error, Interval, Space};

/// Room for a client key's payload, so that no copy of the seed is left behind by a growing buffer.
const SECRET_PAYLOAD_BYTES: usize = 256;

/// Holds the secret keys of the batch engine: encrypts, decrypts, and makes the server's key.
pub(crate) struct Client {
    params: Params,
    root: SecretSeed,
    pub(super) keys: CkksSecretKey,
}

impl Client {
    /// New keys from the system's randomness.
    ///
    /// # Errors
    /// [`Error::Randomness`].
    pub(crate) fn generate(params: &Params) -> Result<Self, Error> {
        let root = SecretSeed::from_entropy()?;
        on_all_threads(|| Ok(Self::of(params, root)))
    }

    /// The secret keys of a seed and a set, the same every time: the seed is as secret as they are, and 32 bytes that
    /// nobody guesses. Server keys and ciphertexts are made with fresh randomness all the same.
    pub(crate) fn from_seed(params: &Params, seed: &[u8; 32]) -> Self {
        Self::of(params, SecretSeed::from_bytes(seed))
    }

    fn of(params: &Params, root: SecretSeed) -> Self {
        let keys = CkksSecretKey::derive(params.ckks(), &root.bind(&params.fingerprint()));
        Self { params: params.clone(), root, keys }
    }

    /// The parameters.
    pub(crate) fn params(&self) -> &Params {
        &self.params
    }

    /// A public identifier of the key pair.
    pub(crate) fn key_id(&self) -> [u8; 16] {
        self.keys.id()
    }

    /// Encrypts integers modulo p, 2 ≤ p ≤ 2^bits, bits as the set has: N to a ciphertext.
    ///
    /// Values of batches are residues: sums of them, and of results of any table, wrap modulo p.
    ///
    /// # Errors
    /// [`Error::NoValues`], [`Error::Modulus`] for other p; [`Error::Residue`] for a value that is not below p;
    /// [`Error::CiphertextMemory`] before anything is done, as all that encrypt.
    pub(crate) fn encrypt(&self, values: &[u64], p: u64) -> Result<Ciphertexts, Error> {
        let (literal, max) = (self.params.literal(), 1 << self.params.literal().bits);
        if !(2..=max).contains(&p) {
            return Err(Error::Modulus { found: p, max, params: self.params.name().into() });
        }
        self.encrypt_residues(values, RlweEncoding::new(p, literal.log2_modulus)?)
    }

    /// Encrypts integers of `bits` bits without a sign, 0 to 2^bits − 1, which may be more than tables take:
    /// for [`Server::decompose_unless`](super::Server::decompose_unless), which refuses more of them than the
    /// noise allows.
    ///
    /// # Errors
    /// [`Error::NoValues`], [`Error::Bits`] for none or more than there is room for in a modulus of 2^50;
    /// [`Error::Residue`].
    pub(crate) fn encrypt_unsigned(&self, values: &[u64], bits: u32) -> Result<Ciphertexts, Error> {
        let literal = self.params.literal();
        let max = literal.bits + RlweEncoding::MAX_LOG2_MODULUS - literal.log2_modulus;
        if !(1..=max).contains(&bits) {
            return Err(Error::Bits { found: bits, max, params: self.params.name().into() });
        }
        // Digits are as far apart as messages of the set's bits.
        let log2_modulus = literal.log2_modulus + bits.saturating_sub(literal.bits);
        self.encrypt_residues(values, RlweEncoding::new(1 << bits, log2_modulus)?)
    }

    /// Encrypts integers of a range in `width` bits, for functions of integers: N to a ciphertext, or to two.
    ///
    /// # Errors
    /// [`Error::NotWith`] for a set that is made for tables; [`Error::Width`], [`Error::Room`] unless the range is one
    /// of `width` bits; [`Error::Integer`] for a value outside it; [`Error::NoValues`].
    pub(crate) fn encrypt_within(&self, values: &[i64], range: Interval, width: u32) -> Result<Ciphertexts, Error> {
        let (params, max) = (&self.params, self.params.max_integer_bits());
        if max == 0 {
            return Err(not_for_integers(params));
        }
        let limbs = params.integer_limbs(width);
        let limbs = limbs.map_err(|_| Error::Width { found: width, max, params: params.name().into() })?;
        let integers = Integers::new(limbs, range).filter(|_| range.width() <= width);
        let integers = integers.ok_or(Error::Room { range, width })?;
        if let Some(index) = values.iter().position(|&v| !range.has(v)) {
            return Err(Error::Integer { index, value: values[index], range, width });
        }
        self.encrypt_as(values, |value| value, Space::Integers(integers), params.literal().log2_modulus)
    }

    fn encrypt_residues(&self, values: &[u64], encoding: RlweEncoding) -> Result<Ciphertexts, Error> {
        let p = encoding.plaintext_modulus();
        if let Some(index) = values.iter().position(|&value| value >= p) {
            return Err(Error::Residue { index, value: values[index], modulus: p });
        }
        self.encrypt_as(values, |value| value as i64, Space::Modular(p), encoding.log2_modulus())
    }

    /// Each limb of N values, which are integers by `integer`, in a ciphertext.
    fn encrypt_as<T: Copy + Sync>(
        &self,
        values: &[T],
        integer: impl Fn(T) -> i64 + Send + Sync,
        space: Space,
        log2_modulus: u32,
    ) -> Result<Ciphertexts, Error> {
        if values.is_empty() {
            return Err(Error::NoValues);
        }
        check_ciphertexts(fresh_bytes(&self.params, values.len(), space.limbs()))?;
        let (ring, key) = (self.params.ckks().ring(), self.keys.key());
        let encodings = space.moduli().into_iter().map(|p| RlweEncoding::new(p, log2_modulus));
        let encodings = encodings.collect::<Result<Vec<_>, _>>()?;
        let encrypt = |(limb, &encoding): (usize, &RlweEncoding), values: &[T]| {
            let residues = values.iter().map(|&value| space.residue(integer(value), limb));
            let residues = Zeroizing::new(residues.collect::<Vec<_>>());
            let of = [encoding.plaintext_modulus(), log2_modulus.into(), limb as u64];
            // Files of one limb are what they were.
            let of = &of[..if limb == 0 { 2 } else { 3 }];
            let seed = self.keys.rlwe_encryption_seed(residues.iter().chain(of).copied())?;
            let (mask, noise) = seed.fork_both(0, 0);
            Ok(RlweCiphertext::encrypt(ring, encoding, &residues, key, NOISE_STD, mask, &noise)?)
        };
        let limbs = |values| encodings.iter().enumerate().map(move |limb| (limb, values));
        let parts = on_all_threads(|| {
            let parts = values.chunks(self.params.capacity()).flat_map(limbs);
            parts.map(|(limb, values)| encrypt(limb, values)).collect::<Result<_, Error>>()
        })?;
        Ok(Ciphertexts::fresh(&self.params, self.key_id(), space, parts))
    }

    /// Decrypts residues, or integers none of which may be negative.
    ///
    /// # Errors
    /// [`Error::Negative`]; as [`Self::decrypt_integers`].
    pub(crate) fn decrypt(&self, ciphertexts: &Ciphertexts) -> Result<Vec<u64>, Error> {
        let space = ciphertexts.space();
        if space.range().min < 0 {
            return Err(Error::Negative { space });
        }
        Ok(self.decrypt_integers(ciphertexts)?.into_iter().map(|value| value as u64).collect())
    }

    /// Decrypts integers of any range, or residues.
    ///
    /// # Errors
    /// [`Error::OtherParams`], [`Error::OtherKey`]; [`Error::CiphertextMemory`].
    pub(crate) fn decrypt_integers(&self, ciphertexts: &Ciphertexts) -> Result<Vec<i64>, Error> {
        check_key("ciphertext", [ciphertexts.owner(), (&self.params, self.key_id())])?;
        let mut values = reserved_as(ciphertexts.len(), 1)?;
        self.decrypt_parts(ciphertexts.space(), ciphertexts.parts(), &mut values)?;
        Ok(values)
    }

    /// [`Self::decrypt_integers`] of ciphertexts that are read as they are needed.
    ///
    /// # Errors
    /// As [`Self::decrypt_integers`]; [`Error::Stream`].
    pub(crate) fn decrypt_from<R: Read>(&self, mut input: CiphertextReader<R>) -> Result<Vec<i64>, Error> {
        let (head, space) = (input.head(), input.head().space());
        check_key("ciphertext", [head.owner(), (&self.params, self.key_id())])?;
        let mut values = reserved_as(head.len(), 1)?;
        while input.left() > 0 {
            self.decrypt_parts(space, &input.next_parts(1)?, &mut values)?;
        }
        input.finish().map(|()| values)
    }

    fn decrypt_parts(&self, space: Space, parts: &[RlweCiphertext], values: &mut Vec<i64>) -> Result<(), Error> {
        on_all_threads(|| {
            for block in parts.chunks(space.limbs()) {
                let limb = |part: &RlweCiphertext| part.decrypt(self.params.ckks().ring(), self.keys.key());
                let limbs = block.iter().map(limb).collect::<Result<Vec<_>, _>>()?;
                let value = |i: usize| space.of_residues(limbs.iter().map(|limb| limb[i]));
                values.extend((0..limbs[0].len()).map(value));
            }
            Ok(())
        })
    }

    /// The noise of each ciphertext in turns, given its plaintexts; the limbs of a value side by side.
    ///
    /// Leaks the secret key to whoever sees it together with the ciphertexts: for tests and benchmarks only.
    ///
    /// # Errors
    /// [`Error::OtherParams`], [`Error::OtherKey`]; [`Error::CiphertextMemory`].
    pub(crate) fn measure_noise(&self, ciphertexts: &Ciphertexts, values: &[u64]) -> Result<Vec<f64>, Error> {
        check_key("ciphertext", [ciphertexts.owner(), (&self.params, self.key_id())])?;
        let (space, parts, n) = (ciphertexts.space(), ciphertexts.parts(), self.params.capacity());
        let unit = (-f64::from(parts[0].encoding().log2_modulus())).exp2();
        let mut noise = reserved_as(values.len(), space.limbs())?;
        on_all_threads(|| {
            for (block, values) in parts.chunks(space.limbs()).zip(values.chunks(n)) {
                let of = |(limb, part): (usize, &RlweCiphertext)| {
                    let residues: Vec<u64> = values.iter().map(|&value| space.residue(value as i64, limb)).collect();
                    part.errors(self.params.ckks().ring(), self.keys.key(), &residues)
                };
                let limbs = block.iter().enumerate().map(of).collect::<Result<Vec<_>, _>>()?;
                noise.extend((0..values.len()).flat_map(|i| limbs.iter().map(move |limb| limb[i] * unit)));
            }
            Ok(noise)
        })
    }

    /// The key that the server needs: public, its masks seeds; another one at every call. `progress` hears after each
    /// of its keys how many of how many are made. It takes `memory` bytes at most, by [`Memory::of_keys`].
    ///
    /// # Errors
    /// [`Error::Memory`] before anything is made; [`Error::Threads`], [`Error::ThreadPool`]; [`Error::Ckks`] if there
    /// is no randomness.
    pub(crate) fn server_key_within(
        &self,
        memory: Option<u64>,
        threads: usize,
        progress: impl FnMut(usize, usize) + Send,
    ) -> Result<ServerKey, Error> {
        Room::now(memory).check(0, Memory::of_keys(&self.params)?.peak())?;
        on_threads(threads, || {
            let encoder = maps_encoder(&self.params)?;
            let request = self.params.request(&self.params.transforms(&encoder)?);
            Ok(ServerKey::new(&self.params, self.keys.evaluation_key(&request, MaskStorage::Seeded, progress)?))
        })?
    }

    /// The secret key in bytes, the name of the set and a seed: keep them secret.
    pub(crate) fn export_secret_bytes(&self) -> Zeroizing<Vec<u8>> {
        let mut w = Writer::with_capacity(SECRET_PAYLOAD_BYTES);
        w.str(self.params.name());
        w.raw(self.root.expose_bytes());
        let payload = Zeroizing::new(w.into_bytes());
        let fingerprint = self.params.fingerprint();
        Zeroizing::new(seal_as(VERSION, ObjectKind::BatchClientKey, fingerprint, self.key_id(), &payload))
    }

    /// A client from [`Self::export_secret_bytes`].
    ///
    /// # Errors
    /// [`Error::Wire`], [`Error::Lut`] for a set that does not exist, [`Error::ChangedParams`], [`Error::OtherKey`].
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let (header, payload) = open(bytes, ObjectKind::BatchClientKey)?;
        let mut r = Reader::new(payload);
        let params = named(read_name(&mut r)?)?;
        let root = SecretSeed::from_bytes(r.array_ref()?);
        r.finish()?;
        if params.fingerprint() != header.fingerprint {
            return Err(Error::ChangedParams { what: "client key", params: params.name().into() });
        }
        let client = on_all_threads(|| Ok(Self::of(&params, root)))?;
        if client.key_id() != header.key_id {
            let [found, expected] = [header.key_id, client.key_id()].map(|id| hex(&id));
            return Err(Error::OtherKey { what: "client key", found, expected });
        }
        keep(&params);
        Ok(client)
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("params", &self.params.name()).finish_non_exhaustive()
    }
}
