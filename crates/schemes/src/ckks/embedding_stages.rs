//! The embedding of n = N/2 slots as a product of few sparse linear maps, for evaluation on slots.
//!
//! With w_k = t_k + i·t_(k+n) the coefficients of a polynomial in pairs, its slots are z = U w, U_(j,k) = ζ^(5^j·k).
//! The fast transform ([`encoder`](super::encoder)) is U = B_(n/2)···B_2·B_1·(bit reversal), where B_h does the
//! butterflies of pairs h apart: three diagonals 0, ±h, of period 2h. The bit reversal is left out, since what happens
//! between the two maps does not mind the order.
//!
//! A stage merges some of them into one map ([`mod@butterflies`]). Each entry of a stage of k levels is 0 or a
//! root of unity, times 2^-k in the inverse.

use num_complex::Complex64;

use super::CkksError;
use super::encoder::{check_degree, twiddles};
use super::precise::PreciseRoots;
use crate::lintrans::Diagonals;
use crate::lintrans::butterflies::{self, Butterflies};
use crate::precise::PreciseComplex;
use crate::scalar::Scalar;

/// log2 n levels, n = `degree`/2, split over `stages` as evenly as can be, the longer first; fewer stages if there are
/// fewer levels.
///
/// # Errors
/// [`CkksError::Degree`] unless N is a power of two in 2^4..=2^17; [`CkksError::Levels`] for no stages.
pub fn even_levels(degree: usize, stages: usize) -> Result<Vec<usize>, CkksError> {
    let expected = log2_slots(degree)?;
    if stages == 0 {
        return Err(CkksError::Levels { found: Vec::new(), expected });
    }
    Ok(butterflies::split(expected, stages))
}

/// The maps from bit-reversed w to `factor`·z, in order of application; stage number m merges `levels`\[m\] levels.
///
/// Strides increase from 1. The factor is spread evenly, each stage has the principal root of it.
///
/// # Errors
/// [`CkksError::Degree`] unless N is a power of two in 2^4..=2^17; [`CkksError::Levels`] unless the levels are positive
/// with sum log2(N/2).
pub fn slots_to_coeffs(degree: usize, levels: &[usize], factor: Complex64) -> Result<Vec<Diagonals>, CkksError> {
    check_levels(degree, levels)?;
    let maps = butterflies(degree).up(levels, |half| twiddles(half).collect());
    Ok(scaled(maps, factor))
}

/// [`slots_to_coeffs`] to 100 bits, with the factor 1.
///
/// # Errors
/// As [`slots_to_coeffs`].
pub fn precise_slots_to_coeffs(degree: usize, levels: &[usize]) -> Result<Vec<Diagonals<PreciseComplex>>, CkksError> {
    check_levels(degree, levels)?;
    let roots = PreciseRoots::new();
    Ok(butterflies(degree).up(levels, |half| roots.twiddles(half).collect()))
}

/// The maps from z to bit-reversed `factor`·w, in order of application; stage number m merges `levels`\[m\] levels.
///
/// Strides decrease to 1. Every level halves, so the entries of a stage of k levels have modulus 2^-k before the
/// factor, which is spread evenly: each stage has the principal root of it.
///
/// # Errors
/// As [`slots_to_coeffs`].
pub fn coeffs_to_slots(degree: usize, levels: &[usize], factor: Complex64) -> Result<Vec<Diagonals>, CkksError> {
    check_levels(degree, levels)?;
    let roots = |half| twiddles(half).map(|root| root.conj() / 2.0).collect();
    let maps = butterflies(degree).down(levels, Complex64::new(0.5, 0.0), roots);
    Ok(scaled(maps, factor))
}

fn butterflies<T: Scalar>(degree: usize) -> Butterflies<impl Fn(T, T, T) -> T> {
    Butterflies { slots: degree / 2, first: 1, multiply_add: |sum, a, b| sum + a * b }
}

/// The factor is spread evenly.
fn scaled(maps: Vec<Diagonals>, factor: Complex64) -> Vec<Diagonals> {
    let root = factor.powf(1.0 / maps.len() as f64);
    maps.into_iter().map(|map| map.scale(root)).collect()
}

/// log2(N/2).
fn log2_slots(degree: usize) -> Result<usize, CkksError> {
    check_degree(degree).map(|()| degree.trailing_zeros() as usize - 1)
}

fn check_levels(degree: usize, levels: &[usize]) -> Result<(), CkksError> {
    let expected = log2_slots(degree)?;
    let sum = levels.iter().try_fold(0, |sum: usize, &level| sum.checked_add(level));
    if levels.contains(&0) || sum != Some(expected) {
        return Err(CkksError::Levels { found: levels.to_vec(), expected });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use bootes_testkit::TestRng;

    use super::super::encoder::bit_reversed;
    use super::*;
    use crate::lintrans::BsgsPlan;

    fn random(name: &str, count: usize) -> Vec<Complex64> {
        let mut rng = TestRng::new(name, count as u64);
        (0..count).map(|_| Complex64::new(2.0 * rng.unit_f64() - 1.0, 2.0 * rng.unit_f64() - 1.0)).collect()
    }

    fn distance(a: &[Complex64], b: &[Complex64]) -> f64 {
        assert_eq!(a.len(), b.len());
        a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
    }

    fn reversed(values: &[Complex64]) -> Vec<Complex64> {
        (0..values.len()).map(|k| values[bit_reversed(k, values.len())]).collect()
    }

    fn chain(stages: &[Diagonals], values: &[Complex64]) -> Vec<Complex64> {
        stages.iter().fold(values.to_vec(), |values, stage| stage.apply(&values))
    }

    /// All lists of positive numbers with this sum.
    fn splits(sum: usize) -> Vec<Vec<usize>> {
        if sum == 0 {
            return vec![Vec::new()];
        }
        let tails = |head| splits(sum - head).into_iter().map(move |tail| [vec![head], tail].concat());
        (1..=sum).flat_map(tails).collect()
    }

    /// U by definition.
    fn matrix(n: usize) -> Vec<Vec<Complex64>> {
        let powers = std::iter::successors(Some(1), |power| Some(5 * power % (4 * n)));
        let root = |exponent: usize| Complex64::cis(PI * (exponent % (4 * n)) as f64 / (2 * n) as f64);
        powers.take(n).map(|power| (0..n).map(|k| root(power * k)).collect()).collect()
    }

    /// The rotations, divided by the stride s = `stride`, lie in 0..2^(k+1); 2^(k+1) − 1 of them, or 2^k where they
    /// meet.
    fn check_shape(stage: &Diagonals, stride: usize, level: usize) {
        let (n, next) = (stage.slots(), stride << level);
        let count = if next == n { 1 << level } else { (2 << level) - 1 };
        assert_eq!((stage.iter().len(), stage.period(), stage.stride()), (count, next, stride));
        assert!(stage.iter().all(|(rotation, _)| rotation / stride < 2 << level));
    }

    #[test]
    fn stages_multiply_to_the_embedding_for_all_splits() {
        for degree in [32, 64, 128, 256, 512] {
            let n = degree / 2;
            let u = matrix(n);
            let w = random("w", n);
            let z: Vec<_> = u.iter().map(|row| row.iter().zip(&w).map(|(a, b)| a * b).sum()).collect();
            let factor = Complex64::new(0.6, -0.8) * 3.0;
            let times = |values: &[Complex64]| values.iter().map(|x| x * factor).collect::<Vec<_>>();
            for levels in splits(n.trailing_zeros() as usize) {
                let forward = slots_to_coeffs(degree, &levels, factor).unwrap();
                assert!(distance(&chain(&forward, &reversed(&w)), &times(&z)) < 1e-11);
                let mirrored: Vec<_> = levels.iter().rev().copied().collect();
                let backward = coeffs_to_slots(degree, &mirrored, factor).unwrap();
                assert!(distance(&chain(&backward, &z), &times(&reversed(&w))) < 1e-12);

                let mut stride = 1;
                for (m, level) in levels.iter().enumerate() {
                    let [stage, inverse] = [&forward[m], &backward[levels.len() - 1 - m]];
                    check_shape(stage, stride, *level);
                    check_shape(inverse, stride, *level);
                    let keys = |map: &Diagonals| BsgsPlan::new(map.clone(), 1 << (level / 2)).rotations();
                    assert_eq!(keys(stage), keys(inverse));
                    stride <<= level;
                    let root = factor.norm().powf(1.0 / levels.len() as f64);
                    let modulus = |map: &Diagonals, size: f64| {
                        let entry = |x: &Complex64| *x == Complex64::ZERO || (x.norm() / size - 1.0).abs() < 1e-14;
                        map.iter().all(|(_, diagonal)| diagonal.iter().all(entry))
                    };
                    assert!(modulus(stage, root) && modulus(inverse, root / f64::from(1 << level)));
                }
            }
        }
    }

    #[test]
    fn one_stage_is_the_matrix() {
        let n = 32;
        let columns: Vec<_> = matrix(n).iter().map(|row| reversed(row)).collect();
        let stages = slots_to_coeffs(2 * n, &[2, 2, 1], Complex64::ONE).unwrap();
        let product = stages[2].compose(&stages[1]).compose(&stages[0]);
        for (a, b) in product.iter().zip(Diagonals::from_matrix(&columns).iter()) {
            assert!(a.0 == b.0 && distance(a.1, b.1) < 1e-13);
        }
    }

    #[test]
    fn there_and_back_by_baby_steps_and_giant_steps() {
        let degree = 1 << 13;
        let w = random("there and back", degree / 2);
        let plans = |stages: Vec<Diagonals>| stages.into_iter().map(|s| BsgsPlan::new(s, 4));
        for stages in 2..=5 {
            let levels = even_levels(degree, stages).unwrap();
            let mirrored: Vec<_> = levels.iter().rev().copied().collect();
            let there = plans(slots_to_coeffs(degree, &levels, Complex64::ONE).unwrap());
            let back = plans(coeffs_to_slots(degree, &mirrored, Complex64::ONE).unwrap());
            let result = there.chain(back).fold(w.clone(), |values, plan| plan.apply_plain(&values));
            let error = distance(&result, &w);
            println!("{stages} stages: error 2^{:.2}", error.log2());
            assert!(error < 2e-15 * 2.0);
        }
    }

    #[test]
    fn levels_are_split_evenly_or_refused() {
        assert_eq!(even_levels(1 << 16, 4).unwrap(), [4, 4, 4, 3]);
        assert_eq!(even_levels(1 << 17, 3).unwrap(), [6, 5, 5]);
        assert_eq!(even_levels(16, 9).unwrap(), [1, 1, 1]);
        assert_eq!(even_levels(16, 0).unwrap_err(), CkksError::Levels { found: vec![], expected: 3 });
        for found in [vec![], vec![2], vec![3, 0], vec![2, 2], vec![usize::MAX, 4]] {
            let error = CkksError::Levels { found: found.clone(), expected: 3 };
            assert_eq!(slots_to_coeffs(16, &found, Complex64::ONE).unwrap_err(), error);
            assert_eq!(coeffs_to_slots(16, &found, Complex64::ONE).unwrap_err(), error);
        }
        assert!(matches!(slots_to_coeffs(24, &[3], Complex64::ONE), Err(CkksError::Degree { found: 24, .. })));
    }
}
