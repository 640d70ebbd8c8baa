//! Fresh ciphertexts in half the bytes: the body, packed, and the seed of the mask.
use std::io::{Read, Write};

use bootes_lattice::rns::RnsCiphertext;
use bootes_lattice::wire::{StreamError, StreamReader, StreamWriter};
use bootes_ring::pack::{pack_residues, packed_bytes, unpack_residues};
use bootes_ring::rns::PackedPoly;
use bootes_ring::sample::MaskSeed;
use num_complex::Complex64;

use super::{CkksCiphertext, CkksError, CkksParams, CkksSecretKey, Encoder};

/// Bytes of a seed.
const SEED_BYTES: u64 = 32;

/// A fresh encryption at the canonical scale of its level, whose mask is made from its seed when it is used.
#[derive(Debug, Clone)]
pub struct SeededCiphertext {
    body: PackedPoly,
    mask: MaskSeed,
}

impl SeededCiphertext {
    /// Its level.
    #[must_use]
    pub fn level(&self) -> usize {
        self.body.limbs().chain - 1
    }

    /// The ciphertext, under the key of this identity.
    #[must_use]
    pub fn expand(&self, params: &CkksParams, key: [u8; 16]) -> CkksCiphertext {
        let (ring, limbs) = (params.ring(), self.body.limbs());
        let mut b = ring.unspecified(limbs);
        (0..limbs.count()).for_each(|i| ring.unpack_limb(b.limb_mut(i), &self.body, i));
        let inner = RnsCiphertext { b, a: ring.uniform(limbs, &self.mask, 0) };
        CkksCiphertext::new(inner, params.scale(self.level()), key)
    }

    /// Bytes in memory of one at a level.
    #[must_use]
    pub fn bytes(params: &CkksParams, level: usize) -> u64 {
        SEED_BYTES + params.ring().packed_bytes(params.limbs(level)) as u64
    }

    /// The bytes that [`Self::write`] writes of one at a level.
    #[must_use]
    pub fn stored_bytes(params: &CkksParams, level: usize) -> u64 {
        let moduli = params.ring().moduli(params.limbs(level));
        SEED_BYTES + moduli.into_iter().map(|p| packed_bytes(params.degree(), p) as u64).sum::<u64>()
    }

    /// Writes the seed of the mask (32 bytes), and the residues of the body modulo prime after prime,
    /// [packed](bootes_ring::pack).
    ///
    /// # Errors
    /// [`StreamError::Io`].
    pub fn write<W: Write>(&self, params: &CkksParams, out: &mut StreamWriter<W>) -> Result<(), StreamError> {
        let (ring, limbs) = (params.ring(), self.body.limbs());
        out.raw(&self.mask.to_bytes())?;
        let (mut packed, mut limb) = (Vec::new(), vec![0.0; ring.degree()]);
        for i in 0..limbs.count() {
            ring.unpack_limb(&mut limb, &self.body, i);
            packed.clear();
            pack_residues(&mut packed, &limb, ring.modulus(limbs, i));
            out.raw(&packed)?;
        }
        Ok(())
    }

    /// Reads one of a level.
    ///
    /// # Errors
    /// [`StreamError::Residues`]; as [`StreamReader::raw_into`].
    pub fn read<R: Read>(params: &CkksParams, level: usize, input: &mut StreamReader<R>) -> Result<Self, StreamError> {
        let (ring, limbs, mut packed) = (params.ring(), params.limbs(level), Vec::new());
        let mask = MaskSeed::from_bytes(input.array()?);
        let body = ring.try_pack(limbs, |i, limb| {
            let p = ring.modulus(limbs, i);
            packed.resize(packed_bytes(ring.degree(), p), 0);
            input.raw_into(&mut packed)?;
            unpack_residues(limb, &packed, p).map_err(|source| StreamError::Residues { row: 0, limb: i, source })
        })?;
        Ok(Self { body, mask })
    }
}

impl CkksSecretKey {
    /// Encrypts values as [`Self::encrypt`] does, with a mask from a seed that is published in its place.
    ///
    /// # Errors
    /// As [`Self::encrypt`].
    pub fn encrypt_seeded(
        &self,
        encoder: &Encoder,
        values: &[Complex64],
        level: usize,
    ) -> Result<SeededCiphertext, CkksError> {
        let (ciphertext, mask) = self.encrypt_with_mask(encoder, values, level)?;
        Ok(SeededCiphertext { body: self.params().ring().pack(&ciphertext.inner().b), mask })
    }
}
