//! How often a sum of uniform variables leaves its interval: the overflow of a raised modulus.
//!
//! A phase b + Σ a_i·s_i modulo q of a ternary key with h nonzero coefficients, read over the integers and divided by q, is
//! distributed as a sum of h + 1 uniform variables on [−1/2, 1/2]: message, error and the multiple of q together.

/// log2 P(|X_1 + … + X_n| > bound) for independent X_i uniform on [−1/2, 1/2], n = `terms` ≥ 1: the tail of the Irwin–Hall
/// distribution. 0 for `bound` ≤ 0, −∞ from n/2 on.
///
/// With x = n/2 − bound it is 2·F_n(x), F_n(x) = Σ_{j≥0} f_{n+1}(x − j), where the densities f_n, cardinal B-splines, follow
/// the recursion (n − 1)·f_n(x) = x·f_{n−1}(x) + (n − x)·f_{n−1}(x − 1) of Cox and de Boor. All terms are positive, so nothing
/// cancels, and all are logarithms, so nothing underflows: the result is accurate to about n·1e-16 of its size. O(n²) time.
///
/// # Panics
/// If `terms` is 0.
pub fn log2_irwin_hall_tail(terms: usize, bound: f64) -> f64 {
    assert!(terms > 0, "a sum of no terms");
    let x = 0.5 * terms as f64 - bound;
    if bound.is_nan() || bound <= 0.0 {
        return if bound.is_nan() { bound } else { 0.0 };
    }
    if x <= 0.0 {
        return f64::NEG_INFINITY;
    }
    // log2 f_n at fraction + j, j = 0, 1, …, ⌊x⌋: f_1 is 1 on [0, 1).
    let fraction = x.fract();
    let mut densities = vec![f64::NEG_INFINITY; x as usize + 1];
    densities[0] = 0.0;
    for n in 2..=terms + 1 {
        let n = n as f64;
        for j in (0..densities.len()).rev() {
            let at = fraction + j as f64;
            let before = if j == 0 { f64::NEG_INFINITY } else { densities[j - 1] };
            densities[j] = add_log2(densities[j] + at.log2(), before + (n - at).max(0.0).log2()) - (n - 1.0).log2();
        }
    }
    let tail = densities.into_iter().fold(f64::NEG_INFINITY, add_log2);
    (1.0 + tail).min(0.0)
}

/// log2(2^a + 2^b).
fn add_log2(a: f64, b: f64) -> f64 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    if low == f64::NEG_INFINITY { high } else { high + (low - high).exp2().ln_1p() * core::f64::consts::LOG2_E }
}

#[cfg(test)]
mod tests {
    use super::log2_irwin_hall_tail;
    use bootes_testkit::{CONFIDENCE, TestRng, clopper_pearson};

    /// Reference values from exact rational arithmetic: 2/n!·Σ_k (−1)^k·C(n, k)·(x − k)^n.
    #[test]
    #[allow(clippy::excessive_precision, reason = "reference values as they were computed")]
    fn exact_values() {
        for (terms, bound, expected) in [
            (5, 1.25, -4.299560281858908),
            (25, 10.0, -49.633413780924236),
            (25, 11.0, -68.057451090888833),
            (33, 8.0, -20.705411516467553),
            (33, 10.0, -32.794595262903378),
            (33, 11.0, -40.610930071137972),
            (33, 12.0, -50.112089518858632),
            (33, 13.0, -62.065662429245904),
            (33, 14.0, -78.084032913857925),
            (33, 15.0, -102.403895247920616),
            (33, 16.0, -154.707657771718743),
            (65, 12.5, -24.548746818243107),
            (193, 25.0, -31.589705443530811),
            (193, 28.0, -39.218240670660705),
            (193, 50.0, -126.923349394695833),
            (257, 12.0, -6.723682351321095),
            (257, 28.375, -30.482615976554346),
            (257, 70.0, -187.408481635812109),
            (257, 128.0, -1948.001911773408438),
        ] {
            let found = log2_irwin_hall_tail(terms, bound);
            assert!((found - expected).abs() < 1e-11 * expected.abs().max(1.0), "{terms} {bound}: {found} {expected}");
        }
    }

    #[test]
    fn one_and_two_terms_and_the_ends() {
        for bound in [0.1, 0.25, 0.3, 0.4999] {
            assert!((log2_irwin_hall_tail(1, bound) - (1.0 - 2.0 * bound).log2()).abs() < 1e-12);
            assert!((log2_irwin_hall_tail(2, bound) - 2.0 * (1.0 - bound).log2()).abs() < 1e-12);
        }
        for terms in [1, 2, 7, 33, 256] {
            assert_eq!(log2_irwin_hall_tail(terms, -1.0), 0.0);
            assert_eq!(log2_irwin_hall_tail(terms, 0.0), 0.0);
            assert!(log2_irwin_hall_tail(terms, 1e-9).abs() < 1e-7);
            assert_eq!(log2_irwin_hall_tail(terms, 0.5 * terms as f64), f64::NEG_INFINITY);
            let mut last = 1e-12;
            for i in 0..10 * terms {
                let value = log2_irwin_hall_tail(terms, 0.05 * i as f64);
                assert!(value <= last, "{terms} {i}");
                last = value;
            }
        }
        assert!(log2_irwin_hall_tail(3, f64::NAN).is_nan());
    }

    #[test]
    fn samples() {
        let mut rng = TestRng::new("irwin hall", 0);
        let tries = 200_000;
        for (terms, bound) in [(3, 0.7), (13, 2.2), (33, 5.0), (193, 12.3)] {
            let mut sum = || (0..terms).map(|_| rng.unit_f64() - 0.5).sum::<f64>();
            let over = (0..tries).filter(|_| sum().abs() > bound).count();
            let (low, high) = clopper_pearson(over as u64, tries, CONFIDENCE);
            let p = log2_irwin_hall_tail(terms, bound).exp2();
            assert!(low <= p && p <= high, "{terms} {bound}: {p} of {low}..{high}");
        }
    }
}
