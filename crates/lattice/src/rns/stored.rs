//! Switching keys as bytes: packed bodies and the seed of the masks.
//!
//! | bytes | a switching key |
//! |---|---|
//! | 1 | log2 N |
//! | 2, 2, 2 | primes of the chain, special primes, rows |
//! | 32 | seed of the masks |
//! | ⌈N·bits(p)/8⌉ for each row and each prime p | residues of the body, [packed](bootes_ring::pack) |
//!
//! A Galois key is its exponent (4 bytes) and a switching key; Galois keys are their number (4 bytes) and each, by increasing exponent. The form
//! is unique. Keys are read for a ring and a gadget: what does not fit them is refused before anything is allocated, and a key that was read
//! can be used with the gadget. Memory: one limb of packed residues beside the key. Time: of packing and SHA-256, both at about 1.8 GB/s of
//! packed bytes with SHA instructions, on one thread.

use std::io::{Read, Write};

use bootes_ring::pack::{pack_residues, packed_bytes, unpack_residues};
use bootes_ring::poly::{Eval, Limbs, Poly};
use bootes_ring::rns::RnsRing;
use bootes_ring::sample::MaskSeed;

use super::{GaloisKey, GaloisKeys, HybridGadget, RnsCiphertext, SwitchKey};
use crate::wire::stream::expect_field;
use crate::wire::{StreamError, StreamReader, StreamWriter, WireError};

/// Bytes of a switching key before its rows.
const HEAD_BYTES: u64 = 1 + 3 * 2 + SEED_BYTES;

/// Bytes of the seed of a mask.
const SEED_BYTES: u64 = 32;

/// Bytes of one row.
fn row_bytes(ring: &RnsRing, limbs: Limbs) -> u64 {
    ring.moduli(limbs).iter().map(|&p| packed_bytes(ring.degree(), p) as u64).sum()
}

impl SwitchKey {
    /// The bytes that [`SwitchKey::write`] writes.
    #[must_use]
    pub fn stored_bytes(&self, ring: &RnsRing) -> u64 {
        HEAD_BYTES + self.parts().0.len() as u64 * row_bytes(ring, self.limbs())
    }

    /// Writes the key, of this ring.
    ///
    /// # Errors
    /// [`StreamError::Io`].
    pub fn write<W: Write>(&self, ring: &RnsRing, out: &mut StreamWriter<W>) -> Result<(), StreamError> {
        let (limbs, (bodies, seed)) = (self.limbs(), self.parts());
        out.u8(ring.degree().ilog2() as u8)?;
        for count in [limbs.chain, limbs.special, bodies.len()] {
            out.u16(u16::try_from(count).expect("a ring has fewer than 2^16 primes"))?;
        }
        out.raw(&seed.to_bytes())?;
        let (mut packed, mut limb) = (Vec::new(), vec![0.0; ring.degree()]);
        for body in bodies {
            for i in 0..limbs.count() {
                ring.unpack_limb(&mut limb, body, i);
                packed.clear();
                pack_residues(&mut packed, &limb, ring.modulus(limbs, i));
                out.raw(&packed)?;
            }
        }
        Ok(())
    }

    /// Reads a key for this ring and gadget; its masks are not kept.
    ///
    /// # Errors
    /// [`StreamError::Field`] for another degree or other numbers of primes or rows, [`StreamError::Residues`], and as
    /// [`StreamReader::raw_into`].
    pub fn read<R: Read>(
        ring: &RnsRing,
        gadget: &HybridGadget,
        input: &mut StreamReader<R>,
    ) -> Result<Self, StreamError> {
        let log2_degree = u64::from(ring.degree().ilog2());
        expect_field("log2 of the ring degree", input.u8()?.into(), log2_degree, log2_degree)?;
        let [chain, special, rows] = [input.u16()?, input.u16()?, input.u16()?];
        let most = gadget.chain().min(ring.limbs().chain) as u64;
        expect_field("number of primes of the chain", chain.into(), 1, most)?;
        expect_field("number of special primes", special.into(), gadget.special() as u64, gadget.special() as u64)?;
        let limbs = gadget.full(chain.into());
        let digits = gadget.digits(limbs.chain) as u64;
        expect_field("number of rows", rows.into(), digits, digits)?;
        let seed = MaskSeed::from_bytes(input.array()?);
        input.expect_left(digits * row_bytes(ring, limbs))?;
        let mut packed = Vec::new();
        let mut bodies = Vec::new();
        for row in 0..rows.into() {
            let body = ring.try_pack(limbs, |i, limb| {
                let p = ring.modulus(limbs, i);
                packed.resize(packed_bytes(ring.degree(), p), 0);
                input.raw_into(&mut packed)?;
                let residues = unpack_residues(limb, &packed, p);
                residues.map_err(|source| StreamError::Residues { row, limb: i, source })
            });
            bodies.push(body?);
        }
        Ok(Self::from_parts(limbs, bodies, seed))
    }
}

/// A polynomial: the packed residues of each prime.
fn write_polynomial<W: Write>(ring: &RnsRing, x: &Poly<Eval>, out: &mut StreamWriter<W>) -> Result<(), StreamError> {
    let mut packed = Vec::new();
    for (i, limb) in x.iter().enumerate() {
        packed.clear();
        pack_residues(&mut packed, limb, ring.modulus(x.limbs(), i));
        out.raw(&packed)?;
    }
    Ok(())
}

fn read_polynomial<R: Read>(
    ring: &RnsRing,
    limbs: Limbs,
    row: usize,
    input: &mut StreamReader<R>,
) -> Result<Poly<Eval>, StreamError> {
    let mut x = ring.zero(limbs);
    let mut packed = Vec::new();
    for (i, limb) in x.iter_mut().enumerate() {
        let p = ring.modulus(limbs, i);
        packed.resize(packed_bytes(ring.degree(), p), 0);
        input.raw_into(&mut packed)?;
        unpack_residues(limb, &packed, p).map_err(|source| StreamError::Residues { row, limb: i, source })?;
    }
    Ok(x)
}

/// A ciphertext modulo primes that its reader knows: its body, then its mask.
impl RnsCiphertext {
    /// The bytes of a ciphertext modulo these primes.
    #[must_use]
    pub fn stored_bytes(ring: &RnsRing, limbs: Limbs) -> u64 {
        2 * row_bytes(ring, limbs)
    }

    /// Writes both polynomials.
    ///
    /// # Errors
    /// [`StreamError::Io`].
    pub fn write<W: Write>(&self, ring: &RnsRing, out: &mut StreamWriter<W>) -> Result<(), StreamError> {
        [&self.b, &self.a].into_iter().try_for_each(|x| write_polynomial(ring, x, out))
    }

    /// Reads a ciphertext modulo these primes.
    ///
    /// # Errors
    /// [`StreamError::Residues`], and as [`StreamReader::raw_into`].
    pub fn read<R: Read>(ring: &RnsRing, limbs: Limbs, input: &mut StreamReader<R>) -> Result<Self, StreamError> {
        input.expect_left(Self::stored_bytes(ring, limbs))?;
        let b = read_polynomial(ring, limbs, 0, input)?;
        Ok(Self { b, a: read_polynomial(ring, limbs, 1, input)? })
    }

    /// The bytes of a fresh ciphertext modulo these primes, with the seed of its mask.
    #[must_use]
    pub fn seeded_bytes(ring: &RnsRing, limbs: Limbs) -> u64 {
        SEED_BYTES + row_bytes(ring, limbs)
    }

    /// Writes the seed that the mask is made of, as [`Self::encrypt`] does it, and the body.
    ///
    /// # Errors
    /// [`StreamError::Io`].
    pub fn write_seeded<W: Write>(
        &self,
        ring: &RnsRing,
        mask: &MaskSeed,
        out: &mut StreamWriter<W>,
    ) -> Result<(), StreamError> {
        out.raw(&mask.to_bytes())?;
        write_polynomial(ring, &self.b, out)
    }

    /// Reads a ciphertext modulo these primes whose mask is a seed, and that seed.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn read_seeded<R: Read>(
        ring: &RnsRing,
        limbs: Limbs,
        input: &mut StreamReader<R>,
    ) -> Result<(Self, MaskSeed), StreamError> {
        input.expect_left(Self::seeded_bytes(ring, limbs))?;
        let mask = MaskSeed::from_bytes(input.array()?);
        let b = read_polynomial(ring, limbs, 0, input)?;
        Ok((Self { b, a: ring.uniform(limbs, &mask, 0) }, mask))
    }
}

impl GaloisKey {
    /// The bytes that [`GaloisKey::write`] writes.
    #[must_use]
    pub fn stored_bytes(&self, ring: &RnsRing) -> u64 {
        4 + self.switch_key().stored_bytes(ring)
    }

    /// Writes the key, of this ring.
    ///
    /// # Errors
    /// [`StreamError::Io`].
    pub fn write<W: Write>(&self, ring: &RnsRing, out: &mut StreamWriter<W>) -> Result<(), StreamError> {
        out.u32(u32::try_from(self.exponent()).expect("exponents are below 2N"))?;
        self.switch_key().write(ring, out)
    }

    /// Reads a key for this ring and gadget; its masks are not kept.
    ///
    /// # Errors
    /// [`StreamError::Field`] for an exponent of 2N or more, [`WireError::Malformed`] for an even one, and as [`SwitchKey::read`].
    pub fn read<R: Read>(
        ring: &RnsRing,
        gadget: &HybridGadget,
        input: &mut StreamReader<R>,
    ) -> Result<Self, StreamError> {
        let exponent = input.u32()?;
        expect_field("exponent of an automorphism", exponent.into(), 1, 2 * ring.degree() as u64 - 1)?;
        if exponent % 2 == 0 {
            return Err(WireError::Malformed { what: "the exponent of an automorphism is even" }.into());
        }
        Ok(Self::from_parts(ring.degree(), exponent as usize, SwitchKey::read(ring, gadget, input)?))
    }
}

impl GaloisKeys {
    /// The bytes that [`GaloisKeys::write`] writes.
    #[must_use]
    pub fn stored_bytes(&self, ring: &RnsRing) -> u64 {
        4 + self.iter().map(|key| key.stored_bytes(ring)).sum::<u64>()
    }

    /// Writes all keys, of this ring.
    ///
    /// # Errors
    /// [`StreamError::Io`].
    pub fn write<W: Write>(&self, ring: &RnsRing, out: &mut StreamWriter<W>) -> Result<(), StreamError> {
        out.u32(u32::try_from(self.iter().count()).expect("exponents are below 2N"))?;
        self.iter().try_for_each(|key| key.write(ring, out))
    }

    /// Reads keys for this ring and gadget; their masks are not kept.
    ///
    /// # Errors
    /// [`StreamError::Field`] for more than N keys, [`WireError::Malformed`] unless exponents increase, and as [`GaloisKey::read`].
    pub fn read<R: Read>(
        ring: &RnsRing,
        gadget: &HybridGadget,
        input: &mut StreamReader<R>,
    ) -> Result<Self, StreamError> {
        let count = input.u32()?;
        expect_field("number of Galois keys", count.into(), 0, ring.degree() as u64)?;
        let (mut keys, mut last) = (Self::default(), 0);
        for _ in 0..count {
            let key = GaloisKey::read(ring, gadget, input)?;
            if key.exponent() <= last {
                return Err(WireError::Malformed { what: "the exponents of Galois keys do not increase" }.into());
            }
            last = key.exponent();
            keys.insert(key);
        }
        Ok(keys)
    }
}

#[cfg(test)]
mod tests;
