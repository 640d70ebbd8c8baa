//! Baby steps and giant steps.

use std::collections::{BTreeMap, BTreeSet};

use num_complex::Complex64;

use super::{Diagonals, multiply_add, rotated};
use crate::scalar::Scalar;

/// The operations of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinearCounts {
    /// Products with a plaintext: the diagonals.
    pub products: usize,
    /// Rotations of the input, which share one decomposition.
    pub hoisted_rotations: usize,
    /// Rotations of intermediate sums, with a decomposition each.
    pub full_rotations: usize,
}

/// How to evaluate a map with about 2√(number of diagonals) rotations.
///
/// The rotations are multiples of a stride s; the shortest window of multiples that holds them is r = (o + i + g·n1)·s modulo n, with
/// babies i < n1 and giants g ≥ 0. So
///
/// M z = Σ_g rot_(g·n1·s) Σ_i d'_(g,i) ⊙ rot_((o+i)·s) z,  d'_(g,i) = rot_(−g·n1·s) d_r,
///
/// with the inner sums of one baby list, and the outer sum, with x_g the inner sums, by Horner's rule, which needs one key for all giants:
/// x_0 + rot_(n1·s)(x_1 + rot_(n1·s)(x_2 + …)). (A key for each would save nothing: every rotated mask is decomposed anyway.) No window needs a rotation of its own, because its offset o goes into the
/// babies; with o = 0, which is chosen where it takes no more giants, the first baby is the input itself. Chains of maps can be shifted
/// ([`Diagonals::shift`]) so that all o are 0, as [`ckks::embedding_stages`](crate::ckks::embedding_stages)
/// does.
///
/// Cost: [`BsgsPlan::counts`]. Memory: that of the diagonals, which the plan takes over.
#[derive(Debug, Clone)]
pub struct BsgsPlan<T = Complex64> {
    slots: usize,
    babies: Vec<usize>,
    giants: Vec<usize>,
    /// d'_(g,i), one period.
    inner: BTreeMap<(usize, usize), Vec<T>>,
}

impl<T: Scalar> BsgsPlan<T> {
    /// The plan for a map with n1 = `baby_count` babies; a power of two near √(2·number of diagonals) suits hoisting.
    ///
    /// # Panics
    /// If `baby_count` is 0.
    #[must_use]
    pub fn new(map: Diagonals<T>, baby_count: usize) -> Self {
        assert!(baby_count > 0, "a plan needs a baby step");
        let (n, stride) = (map.slots(), map.stride());
        let multiples: Vec<_> = map.iter().map(|(rotation, _)| rotation / stride).collect();
        let offset = offset(&multiples, n / stride, baby_count);
        let (slots, period, diagonals) = (map.slots, map.period, map.diagonals);
        // (g, i) of each rotation.
        let digits = |rotation: usize| {
            let index = (rotation / stride + n / stride - offset) % (n / stride);
            (index / baby_count, index % baby_count)
        };
        let giants = diagonals.keys().map(|&r| digits(r).0 + 1).max().unwrap_or(1);
        let used_babies: BTreeSet<_> = diagonals.keys().map(|&r| digits(r).1).collect();
        let rank = |i: usize| used_babies.range(..i).count();
        let inner = diagonals.into_iter().map(|(rotation, mut diagonal)| {
            let (g, i) = digits(rotation);
            diagonal.rotate_right(g * baby_count * stride % period);
            ((g, rank(i)), diagonal)
        });
        Self {
            slots,
            inner: inner.collect(),
            babies: used_babies.iter().map(|i| (offset + i) * stride % n).collect(),
            giants: (0..giants).map(|g| g * baby_count * stride).collect(),
        }
    }

    /// The number n of slots.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.slots
    }

    /// The rotations (o + i)·s of the input that are used, modulo n.
    #[must_use]
    pub fn babies(&self) -> &[usize] {
        &self.babies
    }

    /// The rotations g·n1·s < n of the inner sums: giant g is g times giant 1, and g rotations by that.
    #[must_use]
    pub fn giants(&self) -> &[usize] {
        &self.giants
    }

    /// One period of d'_(g,i) for giant number g and baby number i, if it is not 0.
    #[must_use]
    pub fn inner(&self, giant: usize, baby: usize) -> Option<&[T]> {
        self.inner.get(&(giant, baby)).map(Vec::as_slice)
    }

    /// The rotations that need a key, increasing.
    #[must_use]
    pub fn rotations(&self) -> Vec<usize> {
        let giants = self.giants.get(1..2).unwrap_or_default();
        let all: BTreeSet<_> = self.babies.iter().chain(giants).copied().filter(|&rotation| rotation != 0).collect();
        all.into_iter().collect()
    }

    /// Plaintext products and rotations.
    #[must_use]
    pub fn counts(&self) -> LinearCounts {
        let proper = |rotations: &[usize]| rotations.iter().filter(|&&rotation| rotation != 0).count();
        LinearCounts {
            products: self.inner.len(),
            hoisted_rotations: proper(&self.babies),
            full_rotations: proper(&self.giants),
        }
    }

    /// M z by the steps of the plan.
    ///
    /// # Panics
    /// If there are not n values.
    #[must_use]
    pub fn apply_plain(&self, values: &[T]) -> Vec<T> {
        assert_eq!(values.len(), self.slots, "one value a slot");
        let babies: Vec<_> = self.babies.iter().map(|&rotation| rotated(values, rotation)).collect();
        let mut out = vec![T::ZERO; self.slots];
        let step = self.giants.get(1).copied().unwrap_or(0);
        for giant in (0..self.giants.len()).rev() {
            out.rotate_left(step);
            for (i, baby) in babies.iter().enumerate() {
                if let Some(diagonal) = self.inner(giant, i) {
                    multiply_add(&mut out, diagonal, baby);
                }
            }
        }
        out
    }
}

/// Where the window of all increasing `multiples` modulo `modulus` begins: at 0, or after the largest gap where that takes fewer giants.
fn offset(multiples: &[usize], modulus: usize, baby_count: usize) -> usize {
    let (Some(&first), Some(&last)) = (multiples.first(), multiples.last()) else { return 0 };
    let inside = multiples.windows(2).map(|pair| (pair[1] - pair[0], pair[1]));
    let (gap, start) = inside.chain([(first + modulus - last, first)]).max().unwrap_or((1, 0));
    let shortest = modulus - gap + 1;
    if shortest.div_ceil(baby_count) < (last + 1).div_ceil(baby_count) { start } else { 0 }
}

#[cfg(test)]
mod tests {
    use bootes_testkit::TestRng;

    use super::super::tests::{assert_close, random, sparse};
    use super::*;

    #[test]
    fn plans_follow_the_map() {
        let mut rng = TestRng::new("plans", 0);
        let rotations: [&[usize]; 8] =
            [&[], &[0], &[5], &[0, 1, 2, 3, 4, 5, 6, 7], &[0, 4, 60, 8, 56], &[61, 7, 3], &[0, 16, 32, 48], &[2, 40]];
        for rotations in rotations {
            for period in [1, 8, 64] {
                let map = sparse(&mut rng, 64, period, rotations);
                let z = random(&mut rng, 64);
                for baby_count in 1..10 {
                    let plan = BsgsPlan::new(map.clone(), baby_count);
                    assert_close(&plan.apply_plain(&z), &map.apply(&z));
                    let counts = plan.counts();
                    assert_eq!(counts.products, rotations.len());
                    assert!(counts.hoisted_rotations <= baby_count);
                    assert!(plan.rotations().len() <= counts.hoisted_rotations + 1);
                }
            }
        }
    }

    #[test]
    fn windows_around_zero_need_no_rotation_of_their_own() {
        let mut rng = TestRng::new("windows", 0);
        let symmetric: Vec<_> = (0..31).map(|i| (64 + i - 15) % 64 * 4).collect();
        let plan = BsgsPlan::new(sparse(&mut rng, 256, 256, &symmetric), 8);
        assert_eq!(plan.counts(), LinearCounts { products: 31, hoisted_rotations: 8, full_rotations: 3 });
        assert_eq!((plan.babies()[0], plan.giants()), (256 - 60, [0, 32, 64, 96].as_slice()));
        let one_sided: Vec<_> = (1..32).map(|i| i * 4).collect();
        let plan = BsgsPlan::new(sparse(&mut rng, 256, 256, &one_sided), 8);
        assert_eq!(plan.counts(), LinearCounts { products: 31, hoisted_rotations: 7, full_rotations: 3 });
        assert_eq!(plan.rotations(), [4, 8, 12, 16, 20, 24, 28, 32]);
        assert_eq!((plan.inner(0, 0), plan.inner(1, 0).map(<[_]>::len)), (None, Some(256)));
    }
}
