//! Linear maps of slots as data: [`Diagonals`], and the plan by which they are evaluated, [`BsgsPlan`].
//!
//! Slots can be multiplied by constants, of any [`Scalar`], and rotated along an axis, (rot_r z)_j = z_(j+r),
//! indices modulo the number n of slots, a power of two. So a map is given by its diagonals: M = Σ_r d_r ⊙
//! rot_r.

mod bsgs;
pub mod butterflies;

pub use bsgs::{BsgsPlan, LinearCounts};

use std::collections::BTreeMap;

use num_complex::Complex64;

use crate::scalar::Scalar;

/// A linear map of n slots: (M z)_j = Σ_r d_r\[j\]·z\[(j + r) mod n\], the d_r of a common period that divides n.
///
/// Only diagonals other than 0, and only one period of them, are stored; the period is the smallest. The
/// memory is that of the entries, 16 bytes for each complex one.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagonals<T = Complex64> {
    slots: usize,
    period: usize,
    /// d_r by r < n.
    diagonals: BTreeMap<usize, Vec<T>>,
}

impl<T: Scalar> Diagonals<T> {
    /// The map of n = `slots` slots with the given d_r by r < n, each of which is one period.
    ///
    /// # Panics
    /// If n is not a power of two, `period` not one that divides n, some r ≥ n, or some d_r is not one period long.
    #[must_use]
    pub fn new(slots: usize, mut period: usize, mut diagonals: BTreeMap<usize, Vec<T>>) -> Self {
        assert!(slots.is_power_of_two(), "{slots} slots are not a power of two");
        assert!(period.is_power_of_two() && period <= slots, "period {period} is no power of two up to {slots}");
        let fits = |(&rotation, diagonal): (&usize, &Vec<_>)| rotation < slots && diagonal.len() == period;
        assert!(diagonals.iter().all(fits), "diagonals are numbered below {slots} and {period} long");
        diagonals.retain(|_, diagonal| diagonal.iter().any(|&entry| entry != T::ZERO));
        while period > 1 && diagonals.values().all(|d| d[..period / 2] == d[period / 2..period]) {
            period /= 2;
        }
        for diagonal in diagonals.values_mut() {
            diagonal.truncate(period);
            diagonal.shrink_to_fit();
        }
        Self { slots, period, diagonals }
    }

    /// The map of a matrix given by its n `rows`.
    ///
    /// # Panics
    /// If the matrix is not square or n is not a power of two.
    #[must_use]
    pub fn from_matrix(rows: &[Vec<T>]) -> Self {
        let n = rows.len();
        assert!(rows.iter().all(|row| row.len() == n), "a square matrix has {n} columns");
        let diagonal = |r| (r, rows.iter().enumerate().map(|(j, row)| row[(j + r) % n]).collect());
        Self::new(n, n, (0..n).map(diagonal).collect())
    }

    /// The number n of slots.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.slots
    }

    /// The smallest common period of the diagonals.
    #[must_use]
    pub fn period(&self) -> usize {
        self.period
    }

    /// The diagonals other than 0: (r, one period of d_r) for increasing r < n.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (usize, &[T])> {
        self.diagonals.iter().map(|(&rotation, diagonal)| (rotation, diagonal.as_slice()))
    }

    /// The largest stride of which all r are multiples, a power of two; n if there is at most the main diagonal.
    #[must_use]
    pub fn stride(&self) -> usize {
        let bits = self.diagonals.keys().fold(self.slots, |bits, rotation| bits | rotation);
        1 << bits.trailing_zeros()
    }

    /// The product z ↦ `self`(`first`(z)).
    ///
    /// d_r ⊙ rot_r(e_s ⊙ rot_s z) = (d_r ⊙ rot_r e_s) ⊙ rot_(r+s) z: one product of periods for each pair of diagonals.
    ///
    /// # Panics
    /// If the numbers of slots differ.
    #[must_use]
    pub fn compose(&self, first: &Self) -> Self {
        self.compose_by(first, |sum, a, b| sum + a * b)
    }

    /// As [`Self::compose`], with `multiply_add`(x, a, b) for x + a·b: of integers modulo p^r, say.
    ///
    /// # Panics
    /// As [`Self::compose`].
    #[must_use]
    pub fn compose_by(&self, first: &Self, multiply_add: impl Fn(T, T, T) -> T) -> Self {
        assert_eq!(self.slots, first.slots, "maps of equally many slots");
        let period = self.period.max(first.period);
        let mut product = BTreeMap::new();
        for (r, outer) in self.iter() {
            for (s, inner) in first.iter() {
                let sum = product.entry((r + s) % self.slots).or_insert_with(|| vec![T::ZERO; period]);
                for (j, sum) in sum.iter_mut().enumerate() {
                    *sum = multiply_add(*sum, outer[j % self.period], inner[(j + r) % first.period]);
                }
            }
        }
        Self::new(self.slots, period, product)
    }

    /// `factor`·M.
    #[must_use]
    pub fn scale(self, factor: T) -> Self {
        self.map(|entry| entry * factor)
    }

    /// The map of the entries' images: of integers reduced modulo p^r, say.
    #[must_use]
    pub fn map(mut self, image: impl Fn(T) -> T) -> Self {
        self.diagonals.values_mut().flatten().for_each(|entry| *entry = image(*entry));
        Self::new(self.slots, self.period, self.diagonals)
    }

    /// rot_`after`·M·rot_(−`before`), `before` and `after` < n: M for input that is rotated by `before`, and then its
    /// output is rotated by `after`.
    ///
    /// rot_a(d_r ⊙ rot_(r−b) z) = (rot_a d_r) ⊙ rot_(r+a−b) z: it is free, and renumbers the diagonals.
    ///
    /// # Panics
    /// If `before` or `after` ≥ n.
    #[must_use]
    pub fn shift(self, before: usize, after: usize) -> Self {
        let Self { slots, period, diagonals } = self;
        assert!(before < slots && after < slots, "rotations are below {slots}");
        let shifted = diagonals.into_iter().map(|(rotation, mut diagonal)| {
            diagonal.rotate_left(after % period);
            ((rotation + slots + after - before) % slots, diagonal)
        });
        Self { slots, period, diagonals: shifted.collect() }
    }

    /// M z, by the definition.
    ///
    /// # Panics
    /// If there are not n values.
    #[must_use]
    pub fn apply(&self, values: &[T]) -> Vec<T> {
        assert_eq!(values.len(), self.slots, "one value a slot");
        let mut out = vec![T::ZERO; self.slots];
        for (rotation, diagonal) in self.iter() {
            multiply_add(&mut out, diagonal, &rotated(values, rotation));
        }
        out
    }
}

/// rot_r z.
fn rotated<T: Scalar>(values: &[T], rotation: usize) -> Vec<T> {
    let (start, end) = values.split_at(rotation);
    [end, start].concat()
}

/// out += d ⊙ z, for one period of d.
fn multiply_add<T: Scalar>(out: &mut [T], diagonal: &[T], values: &[T]) {
    for ((out, entry), value) in out.iter_mut().zip(diagonal.iter().cycle()).zip(values) {
        *out = *out + *entry * *value;
    }
}

#[cfg(test)]
mod tests {
    use bootes_testkit::TestRng;

    use super::*;

    pub(super) fn random(rng: &mut TestRng, count: usize) -> Vec<Complex64> {
        (0..count).map(|_| Complex64::new(2.0 * rng.unit_f64() - 1.0, 2.0 * rng.unit_f64() - 1.0)).collect()
    }

    pub(super) fn assert_close(a: &[Complex64], b: &[Complex64]) {
        assert_eq!(a.len(), b.len());
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).norm() < 1e-12));
    }

    /// A map of n slots with these diagonals of this period.
    pub(super) fn sparse(rng: &mut TestRng, slots: usize, period: usize, rotations: &[usize]) -> Diagonals {
        Diagonals::new(slots, period, rotations.iter().map(|&r| (r, random(rng, period))).collect())
    }

    fn product(rows: &[Vec<Complex64>], z: &[Complex64]) -> Vec<Complex64> {
        rows.iter().map(|row| row.iter().zip(z).map(|(a, b)| a * b).sum()).collect()
    }

    #[test]
    fn maps_are_matrices() {
        let mut rng = TestRng::new("matrices", 0);
        for n in [1, 2, 8, 32] {
            let [a, b] = [(); 2].map(|()| (0..n).map(|_| random(&mut rng, n)).collect::<Vec<_>>());
            let z = random(&mut rng, n);
            let [ma, mb] = [&a, &b].map(|rows| Diagonals::from_matrix(rows));
            assert_eq!((ma.slots(), ma.period(), ma.iter().len(), ma.stride()), (n, n, n, 1));
            assert_close(&ma.apply(&z), &product(&a, &z));
            assert_close(&ma.compose(&mb).apply(&z), &product(&a, &product(&b, &z)));
            let twice: Vec<_> = product(&a, &z).iter().map(|x| x * 2.0).collect();
            assert_close(&ma.clone().scale(2.0.into()).apply(&z), &twice);
            let (before, after) = (3 % n, 5 % n);
            let shifted = ma.shift(before, after).apply(&rotated(&z, before));
            assert_close(&shifted, &rotated(&product(&a, &z), after));
        }
    }

    /// The same modulo 3^4, whose entries are reduced after each product.
    #[test]
    fn maps_of_integers_are_matrices() {
        let (n, modulus, mut rng) = (16, 81, TestRng::new("integer matrices", 0));
        let mut row = || -> Vec<i64> { (0..n).map(|_| rng.below(81) as i64).collect() };
        let [a, b] = [(); 2].map(|()| (0..n).map(|_| row()).collect::<Vec<_>>());
        let z = row();
        let reduce = |x: i64| x.rem_euclid(modulus);
        let product = |rows: &[Vec<i64>], z: &[i64]| -> Vec<i64> {
            rows.iter().map(|row| reduce(row.iter().zip(z).map(|(a, b)| a * b).sum())).collect()
        };
        let both = Diagonals::from_matrix(&a).compose(&Diagonals::from_matrix(&b)).map(reduce);
        let expected = product(&a, &product(&b, &z));
        assert_eq!(both.apply(&z).into_iter().map(reduce).collect::<Vec<_>>(), expected);
        let plan = BsgsPlan::new(both, 4);
        assert_eq!(plan.apply_plain(&z).into_iter().map(reduce).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn zeros_and_repetitions_are_not_stored() {
        let mut rng = TestRng::new("repetitions", 0);
        let map = sparse(&mut rng, 32, 8, &[4, 28]);
        assert_eq!((map.period(), map.stride()), (8, 4));
        let long = |d: &[Complex64]| d.repeat(4);
        let mut diagonals: BTreeMap<_, _> = map.iter().map(|(r, d)| (r, long(d))).collect();
        diagonals.insert(7, vec![Complex64::ZERO; 32]);
        assert_eq!(Diagonals::new(32, 32, diagonals), map);
        let other = sparse(&mut rng, 32, 4, &[0, 2]);
        let product = map.compose(&other);
        assert_eq!(product.iter().map(|(r, _)| r).collect::<Vec<_>>(), [4, 6, 28, 30]);
        assert_eq!(product.period(), 8);
        let zero = map.scale(Complex64::ZERO);
        assert_eq!((zero.iter().len(), zero.period(), zero.stride()), (0, 1, 32));
    }
}
