//! Polynomials in less memory: residues on as many bits as their primes have.
use std::fmt;
use std::ops::Range;

use rayon::prelude::*;

use super::RnsRing;
use crate::mem::AlignedVec;
use crate::modulus::Modulus;
use crate::ntt::{Ntt, PackedLimb};
use crate::poly::{Eval, Limbs, Poly};
use crate::simd::{self, Kernel, LANES, Packing, Simd};
use crate::tally::{self, Operation};

/// A polynomial by its values, a residue modulo p on bits(p) bits of memory instead of 64: for keys, which are large
/// and only read.
///
/// Each of eight lanes is a string of words of 64 bits, and holds every eighth residue: with k = bits(p), the bits i·k
/// … (i + 1)·k − 1 of lane l are residue 8i + l, balanced, plus 2^(k − 1). So eight residues are read by two shifts
/// that are the same in all lanes.
#[derive(Clone)]
pub struct PackedPoly {
    degree: usize,
    limbs: Limbs,
    /// Where limbs start, and the end: in words of every lane.
    starts: Vec<usize>,
    /// Words of limbs in order; those of the eight lanes with the same number are together.
    data: AlignedVec<u64>,
}

/// Residues after which all lanes begin a new word, whatever the number of bits.
const WHOLE: usize = 64 * LANES;

/// Words in a lane of `degree` residues, and one more, so that there is a next word everywhere.
fn words(degree: usize, p: Modulus) -> usize {
    (degree / LANES * p.bits() as usize).div_ceil(64) + 1
}

impl PackedPoly {
    /// The primes.
    #[must_use]
    pub fn limbs(&self) -> Limbs {
        self.limbs
    }

    /// The residues `range` of limb `i`.
    ///
    /// # Panics
    /// Unless the range is within the limb and starts at a multiple of 512.
    #[must_use]
    pub fn residues(&self, i: usize, range: Range<usize>) -> PackedLimb<'_> {
        assert!(
            range.start.is_multiple_of(WHOLE) && range.start <= range.end && range.end <= self.degree,
            "residues {range:?} of {}: start at a multiple of {WHOLE}",
            self.degree
        );
        let words = &self.data.as_chunks().0[self.starts[i]..self.starts[i + 1]];
        let skip = range.start * (words.len() - 1) / self.degree;
        PackedLimb { len: range.len(), words: &words[skip..] }
    }

    /// The bytes in memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val::<[u64]>(&self.data)
    }

    /// The words of each limb.
    fn limbs_mut(&mut self) -> Vec<&mut [[u64; LANES]]> {
        let mut rest = self.data.as_chunks_mut().0;
        let limb = |ends: &[usize]| rest.split_off_mut(..ends[1] - ends[0]).expect("the words of all limbs");
        self.starts.windows(2).map(limb).collect()
    }
}

impl fmt::Debug for PackedPoly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PackedPoly(degree {}, {:?})", self.degree, self.limbs)
    }
}

impl RnsRing {
    /// The bytes of a packed polynomial.
    #[must_use]
    pub fn packed_bytes(&self, limbs: Limbs) -> usize {
        self.moduli(limbs).iter().map(|&p| size_of::<[u64; LANES]>() * words(self.degree(), p)).sum()
    }

    /// A polynomial in less memory, of which `make` writes limb after limb.
    ///
    /// # Errors
    /// The first that `make` returns.
    pub fn try_pack<T>(
        &self,
        limbs: Limbs,
        mut make: impl FnMut(usize, &mut [f64]) -> Result<(), T>,
    ) -> Result<PackedPoly, T> {
        let mut out = self.packed(limbs);
        let mut limb = AlignedVec::unspecified(self.degree());
        for (i, words) in out.limbs_mut().into_iter().enumerate() {
            make(i, &mut limb)?;
            pack_into(self.ntt(limbs, i), words, &limb);
        }
        Ok(out)
    }

    /// `x` in less memory.
    #[must_use]
    pub fn pack(&self, x: &Poly<Eval>) -> PackedPoly {
        let mut out = self.packed(x.limbs());
        let pack = |(i, words)| pack_into(self.ntt(x.limbs(), i), words, x.limb(i));
        out.limbs_mut().into_par_iter().enumerate().for_each(pack);
        out
    }

    /// Overwrites `limb`, of N numbers, by limb `i` of `x`.
    pub fn unpack_limb(&self, limb: &mut [f64], x: &PackedPoly, i: usize) {
        let packed = x.residues(i, 0..self.degree());
        self.ntt(x.limbs, i).unpack_into(limb, packed);
    }

    /// A packed polynomial for a caller that overwrites all its words.
    fn packed(&self, limbs: Limbs) -> PackedPoly {
        let mut starts = vec![0];
        starts.extend(self.moduli(limbs).iter().scan(0, |end, &p| {
            *end += words(self.degree(), p);
            Some(*end)
        }));
        let data = AlignedVec::unspecified(LANES * starts[limbs.count()]);
        PackedPoly { degree: self.degree(), limbs, starts, data }
    }
}

/// Packs balanced residues.
fn pack_into(ntt: &Ntt, words: &mut [[u64; LANES]], limb: &[f64]) {
    tally::count(Operation::Packed, limb.len());
    simd::run(ntt.isa(), Pack { bits: ntt.modulus().bits(), words, limb: limb.as_chunks().0 });
}

struct Pack<'a> {
    bits: u32,
    words: &'a mut [[u64; LANES]],
    limb: &'a [[f64; LANES]],
}

impl Kernel for Pack<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Packing { mask, bias } = Packing::new(self.bits);
        // The word that is being filled, and how many bits of it are.
        let (mut word, mut filled, mut at) = ([0; LANES], 0, 0);
        for x in self.limb {
            let mut numbers = [0; LANES];
            for (number, x) in numbers.iter_mut().zip(x) {
                *number = (x + bias).to_bits() & mask;
            }
            for (word, x) in word.iter_mut().zip(numbers) {
                *word |= x << filled;
            }
            filled += self.bits;
            if filled >= 64 {
                filled -= 64;
                self.words[at] = word;
                at += 1;
                for (word, x) in word.iter_mut().zip(numbers) {
                    *word = x >> (self.bits - filled);
                }
            }
        }
        self.words[at] = word;
        self.words[at + 1..].fill([0; LANES]);
    }
}
