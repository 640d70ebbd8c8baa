//! Transforms of slots in stages: products of few linear maps, each of some levels of butterflies.
//!
//! Level B_h does the butterflies of pairs h apart: three diagonals 0, ±h, of period 2h, for h = f, 2f, …, n/2. Here f,
//! the `first` h, is the number of transforms that are done side by side, in slots j modulo f. A stage merges k levels,
//! s ≤ h < 2^k·s, into one map. Its rotations are i·s, |i| < 2^k: 2^(k+1) − 1 diagonals, of period 2^k·s. In the stage
//! of the largest h they meet modulo n, which leaves 2^k diagonals.
//!
//! **Shifts.** Baby steps and giant steps like rotations from 0 up ([`BsgsPlan`](super::BsgsPlan)), so the vector
//! between two stages is rotated, which is free ([`Diagonals::shift`]). Rotate the output of each stage by 2^k·s, the
//! stride of the next one: then the stage of stride s has input rotated by s, rotations (i + 2^k − 1)·s ∈ 0..=(2^(k+1)
//! − 2)·s, and the last output is rotated by n, that is, not at all. The first stage, whose input is not rotated, has
//! 1..=2^(k+1) − 1 instead, still 2^(k+1) multiples with
//! 0. The inverse is the mirror image: vectors between stages are rotated by −s, s the stride of the stage before. So
//!    both directions, of mirrored levels, share all keys.
//!
//! References: Chen, Chillotti, Song, "Improved Bootstrapping for Approximate Homomorphic Encryption", 2019; Han, Hhan,
//! Cheon, "Improved Homomorphic Discrete Fourier Transforms and FHE Bootstrapping", 2019. The shifts are ours.
use std::collections::BTreeMap;

use super::Diagonals;
use crate::scalar::Scalar;

/// `levels` split over `stages` as evenly as can be, the longer first; fewer stages if there are fewer levels.
///
/// # Panics
/// For no stages.
#[must_use]
pub fn split(levels: usize, stages: usize) -> Vec<usize> {
    let stages = stages.min(levels);
    (0..stages).map(|stage| (levels + stages - 1 - stage) / stages).collect()
}

/// The arithmetic of the butterflies of n slots.
pub struct Butterflies<M> {
    /// n.
    pub slots: usize,
    /// f.
    pub first: usize,
    /// (x, a, b) ↦ x + a·b.
    pub multiply_add: M,
}

impl<M> Butterflies<M> {
    /// The maps of increasing h in order of application, for bit-reversed input; stage number m merges `levels`\[m\]
    /// levels.
    ///
    /// z_j = x_j + ζ_j·x_(j+h), z_(j+h) = x_j − ζ_j·x_(j+h) for j < h in each block of 2h, `roots`(h) the h values ζ_j.
    ///
    /// # Panics
    /// Unless the levels are positive with sum log2(n/f).
    pub fn up<T: Scalar>(&self, levels: &[usize], roots: impl Fn(usize) -> Vec<T>) -> Vec<Diagonals<T>>
    where
        M: Fn(T, T, T) -> T,
    {
        let n = self.slots;
        let stage = |[first, next]: [usize; 2]| {
            let before = if first == self.first { 0 } else { first };
            self.merged(halves(first, next), |half| self.butterfly(&roots(half))).shift(before, next % n)
        };
        self.strides(levels.iter()).into_iter().map(stage).collect()
    }

    /// The maps of decreasing h in order of application, to bit-reversed output; stage number m merges `levels`\[m\]
    /// levels.
    ///
    /// x_j = u·(z_j + z_(j+h)), x_(j+h) = (z_j − z_(j+h))·u/ζ_j for j < h in each block of 2h, u = `unit`, `roots`(h)
    /// the h values u/ζ_j: inverses of [`Self::up`], where u = 1/2.
    ///
    /// # Panics
    /// As [`Self::up`].
    pub fn down<T: Scalar>(&self, levels: &[usize], unit: T, roots: impl Fn(usize) -> Vec<T>) -> Vec<Diagonals<T>>
    where
        M: Fn(T, T, T) -> T,
    {
        let n = self.slots;
        let stage = |[first, next]: [usize; 2]| {
            let after = if first == self.first { 0 } else { n - first };
            let inverse = self.merged(halves(first, next).rev(), |half| self.inverse_butterfly(unit, &roots(half)));
            inverse.shift(n - next, after)
        };
        self.strides(levels.iter().rev()).into_iter().rev().map(stage).collect()
    }

    /// The first h of each stage and of the next.
    fn strides<'a>(&self, levels: impl Iterator<Item = &'a usize>) -> Vec<[usize; 2]> {
        let mut stride = self.first;
        let stages = levels.map(|&level| {
            assert!(level > 0, "a stage has a level");
            let first = stride;
            stride <<= level;
            [first, stride]
        });
        let stages = stages.collect();
        assert_eq!(stride, self.slots, "stages have all levels");
        stages
    }

    /// The product of the levels `halves`, the first of which is applied first.
    fn merged<T: Scalar>(
        &self,
        halves: impl Iterator<Item = usize>,
        level: impl Fn(usize) -> Diagonals<T>,
    ) -> Diagonals<T>
    where
        M: Fn(T, T, T) -> T,
    {
        let product = halves.map(level).reduce(|first, then| then.compose_by(&first, &self.multiply_add));
        product.expect("a stage has a level")
    }

    fn butterfly<T: Scalar>(&self, roots: &[T]) -> Diagonals<T> {
        let (ones, zeros) = (vec![T::ONE; roots.len()], vec![T::ZERO; roots.len()]);
        self.level([[&ones, &negated(roots)], [roots, &zeros], [&zeros, &ones]])
    }

    fn inverse_butterfly<T: Scalar>(&self, unit: T, roots: &[T]) -> Diagonals<T> {
        let (units, zeros) = (vec![unit; roots.len()], vec![T::ZERO; roots.len()]);
        self.level([[&units, &negated(roots)], [&units, &zeros], [&zeros, roots]])
    }

    /// The map with diagonals 0, h, −h, each given by its entries for the lower and the upper half of a block of 2h.
    fn level<T: Scalar>(&self, diagonals: [[&[T]; 2]; 3]) -> Diagonals<T> {
        let (n, half) = (self.slots, diagonals[0][0].len());
        let mut map = BTreeMap::new();
        for (rotation, halves) in [0, half, n - half].into_iter().zip(diagonals) {
            let entries = map.entry(rotation).or_insert_with(|| vec![T::ZERO; 2 * half]);
            // h and −h are one for 2h = n.
            entries.iter_mut().zip(halves.concat()).for_each(|(sum, entry)| *sum = *sum + entry);
        }
        Diagonals::new(n, 2 * half, map)
    }
}

/// The powers of two h, `first` ≤ h < `end`.
fn halves(first: usize, end: usize) -> impl DoubleEndedIterator<Item = usize> {
    (first.trailing_zeros()..end.trailing_zeros()).map(|log2| 1 << log2)
}

fn negated<T: Scalar>(values: &[T]) -> Vec<T> {
    values.iter().map(|&x| T::ZERO - x).collect()
}
