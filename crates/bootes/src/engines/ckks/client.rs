//! The secret side of engine ckks.
use std::io::Read;

use bootes_lattice::port::{RlweCiphertext, RlweEncoding};
use bootes_lattice::rns::MaskStorage;
use bootes_schemes::ckks::params::NOISE_STD;
use zeroize::Zeroizing;

use super::integers::not_for_integers;
use super::{
    CiphertextReader, Ciphertexts, Client, EncryptedTable, ServerKey, check_key, fresh_bytes, key_memory, maps_encoder,
};
use crate::door::space::Integers;
use crate::engines::KeyRequest;
use crate::engines::blocks::VectorReader;
use crate::engines::{Ckks, ClientKey, EngineCiphertexts, EngineClient, check_residues};
use crate::memory::{Room, check_ciphertexts, reserved_as};
use crate::threads::{on_all_threads, on_threads, useful};
use crate::{Engine, Error, Interval, Lut, SlotTables, Space};

impl Client {
    fn encrypt_residues(&self, values: &[i64], encoding: RlweEncoding) -> Result<Ciphertexts, Error> {
        let p = encoding.plaintext_modulus();
        check_residues(values, p)?;
        self.encrypt_as(values, Space::Modular(p), encoding.log2_modulus())
    }

    /// Each limb of N values in a ciphertext.
    fn encrypt_as(&self, values: &[i64], space: Space, log2_modulus: u32) -> Result<Ciphertexts, Error> {
        if values.is_empty() {
            return Err(Error::NoValues);
        }
        check_ciphertexts(fresh_bytes(&self.params, values.len(), space.limbs()))?;
        let (ring, key) = (self.params.ckks().ring(), self.keys.key());
        let encodings = space.moduli().into_iter().map(|p| RlweEncoding::new(p, log2_modulus));
        let encodings = encodings.collect::<Result<Vec<_>, _>>()?;
        let encrypt = |(limb, &encoding): (usize, &RlweEncoding), values: &[i64]| {
            let residues = values.iter().map(|&value| space.residue(value, limb));
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

    /// Encrypts residues modulo 2^`bits`, which may have more bits than tables take: for digits.
    ///
    /// # Errors
    /// [`Error::Bits`]; [`Error::Residue`], [`Error::NoValues`], [`Error::CiphertextMemory`].
    fn encrypt_long(&self, values: &[i64], bits: u32) -> Result<Ciphertexts, Error> {
        let literal = self.params.literal();
        let max = literal.bits + RlweEncoding::MAX_LOG2_MODULUS - literal.log2_modulus;
        if !(1..=max).contains(&bits) {
            return Err(Error::Bits { found: bits, max, params: self.params.name().into() });
        }
        // Digits are as far apart as messages of the set's bits.
        let log2_modulus = literal.log2_modulus + bits.saturating_sub(literal.bits);
        self.encrypt_residues(values, RlweEncoding::new(1 << bits, log2_modulus)?)
    }
}

impl EngineClient<Ckks> for Client {
    fn encrypt_modulo(&self, values: &[i64], p: u64) -> Result<Ciphertexts, Error> {
        let (literal, max) = (self.params.literal(), 1 << self.params.literal().bits);
        if !(2..=max).contains(&p) {
            return Err(Error::Modulus { found: p, max, params: self.params.name().into() });
        }
        self.encrypt_residues(values, RlweEncoding::new(p, literal.log2_modulus)?)
    }

    fn encrypt_unsigned(&self, values: &[i64], width: u32) -> Result<Ciphertexts, Error> {
        if self.params.literal().integer_bits == 0 {
            return self.encrypt_long(values, width);
        }
        self.encrypt_within(values, Interval::unsigned(width.clamp(1, 62)), width)
    }

    fn encrypt_within(&self, values: &[i64], range: Interval, width: u32) -> Result<Ciphertexts, Error> {
        let (params, max) = (&self.params, self.params.max_integer_bits());
        if max == 0 {
            return Err(not_for_integers(params));
        }
        let limbs = params.integer_limbs(width);
        let limbs = limbs.map_err(|_| Error::Width { found: width, max, params: params.name().into() })?;
        let integers = Integers::new(limbs, range).filter(|_| range.width() <= width);
        let integers = integers.ok_or(Error::Room { range, width, engine: Engine::Ckks })?;
        if let Some(index) = values.iter().position(|&v| !range.has(v)) {
            return Err(Error::Integer { index, value: values[index], range, width });
        }
        self.encrypt_as(values, Space::Integers(integers), params.literal().log2_modulus)
    }

    fn decrypt(&self, ciphertexts: &Ciphertexts) -> Result<Vec<u64>, Error> {
        let space = ciphertexts.space();
        if space.range().min < 0 {
            return Err(Error::Negative { space });
        }
        Ok(self.decrypt_integers(ciphertexts)?.into_iter().map(|value| value as u64).collect())
    }

    fn decrypt_integers(&self, ciphertexts: &Ciphertexts) -> Result<Vec<i64>, Error> {
        check_key("ciphertext", [ciphertexts.owner(), (&self.params, self.key_id())])?;
        let mut values = reserved_as(ciphertexts.len(), 1)?;
        self.decrypt_parts(ciphertexts.space(), ciphertexts.parts(), &mut values)?;
        Ok(values)
    }

    fn decrypt_from<R: Read>(&self, mut input: CiphertextReader<R>) -> Result<Vec<i64>, Error> {
        let (head, space) = (input.head(), input.head().space());
        check_key("ciphertext", [head.owner(), (&self.params, self.key_id())])?;
        let mut values = reserved_as(head.len(), 1)?;
        while input.left() > 0 {
            self.decrypt_parts(space, &input.next_parts(1)?, &mut values)?;
        }
        input.finish().map(|()| values)
    }

    fn measure_noise(&self, ciphertexts: &Ciphertexts, values: &[i64]) -> Result<Vec<f64>, Error> {
        check_key("ciphertext", [ciphertexts.owner(), (&self.params, self.key_id())])?;
        let (space, parts, n) = (ciphertexts.space(), ciphertexts.parts(), self.params.capacity());
        let unit = (-f64::from(parts[0].encoding().log2_modulus())).exp2();
        let mut noise = reserved_as(values.len(), space.limbs())?;
        on_all_threads(|| {
            for (block, values) in parts.chunks(space.limbs()).zip(values.chunks(n)) {
                let of = |(limb, part): (usize, &RlweCiphertext)| {
                    let residues: Vec<u64> = values.iter().map(|&value| space.residue(value, limb)).collect();
                    part.errors(self.params.ckks().ring(), self.keys.key(), &residues)
                };
                let limbs = block.iter().enumerate().map(of).collect::<Result<Vec<_>, _>>()?;
                noise.extend((0..values.len()).flat_map(|i| limbs.iter().map(move |limb| limb[i] * unit)));
            }
            Ok(noise)
        })
    }

    fn encrypt_table(&self, lut: &Lut) -> Result<EncryptedTable, Error> {
        EncryptedTable::of(self, lut)
    }

    fn encrypt_tables(&self, tables: &SlotTables) -> Result<EncryptedTable, Error> {
        EncryptedTable::of_slots(self, tables)
    }

    fn server_key(&self, request: &KeyRequest, progress: &mut (dyn FnMut(f64) + Send)) -> Result<ServerKey, Error> {
        Room::now(request.memory).check(0, key_memory(&self.params)?)?;
        let tell = |done: usize, all: usize| progress(done as f64 / all as f64);
        on_threads(useful(request.threads), || {
            let encoder = maps_encoder(&self.params)?;
            let keys = self.params.request(&self.params.transforms(&encoder)?);
            Ok(ServerKey::new(&self.params, self.keys.evaluation_key(&keys, MaskStorage::Seeded, tell)?))
        })?
    }
}
