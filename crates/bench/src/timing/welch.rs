//! Welch's t-test of two samples of times, whole and without their largest ones.

/// From this |t| on the means differ.
pub(super) const LEAK: f64 = 10.0;
/// From this one on they may: one test in 10^5 of equal ones comes so far.
pub(super) const SUSPICIOUS: f64 = 4.5;
/// Tests of times below a quantile: 1 − 2^(−i/2).
const CROPS: i32 = 20;
/// A quantile below which fewer times are is not tested.
const LEAST: usize = 100;

/// The findings of the tests.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comparison {
    /// t of all times.
    pub(super) t: f64,
    /// The largest |t|.
    pub(super) largest_t: f64,
    /// The quantile below which the times are that it is of.
    pub(super) quantile: f64,
    /// The first mean less the second there.
    pub(super) difference: f64,
}

/// Count, mean and variance.
struct Sample {
    count: f64,
    mean: f64,
    variance: f64,
}

impl Sample {
    /// The moments of the times up to `most`.
    fn of(times: &[f64], most: f64) -> Self {
        let kept = || times.iter().filter(|&&time| time <= most);
        let count = kept().count() as f64;
        let mean = kept().sum::<f64>() / count;
        let squares: f64 = kept().map(|time| (time - mean).powi(2)).sum();
        Self { count, mean, variance: squares / (count - 1.0) }
    }
}

/// t and the difference of the means, of the times up to `most`; none for too few of them, or such as are all the same.
fn welch(times: &[Vec<f64>; 2], most: f64) -> Option<(f64, f64)> {
    let [x, y] = times.each_ref().map(|times| Sample::of(times, most));
    let (difference, square) = (x.mean - y.mean, x.variance / x.count + y.variance / y.count);
    (x.count.min(y.count) >= LEAST as f64 && square > 0.0).then(|| (difference / square.sqrt(), difference))
}

/// Compares the times of two classes.
pub(super) fn compare(times: &[Vec<f64>; 2]) -> Comparison {
    let mut all = times.concat();
    all.sort_by(f64::total_cmp);
    let (t, difference) = welch(times, f64::INFINITY).unwrap_or_default();
    let mut found = Comparison { t, largest_t: t.abs(), quantile: 1.0, difference };
    for i in 1..=CROPS {
        let quantile = 1.0 - (-0.5 * f64::from(i)).exp2();
        let Some(&most) = all.get((quantile * all.len() as f64) as usize) else { continue };
        if let Some((t, difference)) = welch(times, most).filter(|(t, _)| t.abs() > found.largest_t) {
            found = Comparison { largest_t: t.abs(), quantile, difference, ..found };
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use bootes_testkit::TestRng;

    /// Times as they are: a floor, what varies, and rare interruptions that take a hundred times as long.
    fn times(rng: &mut TestRng, count: usize, shift: f64) -> Vec<f64> {
        let mut time = || {
            let usual = 1000.0 + 20.0 * rng.unit_f64() - 20.0 * rng.unit_f64().ln();
            let is_rare = rng.below(500) == 0;
            (usual + shift + if is_rare { 1e5 * rng.unit_f64() } else { 0.0 }).round()
        };
        (0..count).map(|_| time()).collect()
    }

    /// Samples small enough to do it by hand: means 3 and 6, variances 2.5 and 10, five each.
    #[test]
    fn t_by_hand() {
        let x: Vec<f64> = [1.0, 2.0, 3.0, 4.0, 5.0].repeat(LEAST);
        let y: Vec<f64> = x.iter().map(|x| 2.0 * x).collect();
        let count = (5 * LEAST) as f64;
        let variance = 2.0 * count / (count - 1.0);
        let expected = -3.0 / (5.0 * variance / count).sqrt();
        let found = compare(&[x, y]);
        assert!((found.t - expected).abs() < 1e-9, "{} instead of {expected}", found.t);
        assert_eq!(welch(&[vec![1.0; 200], vec![1.0; 200]], 2.0), None, "times without a variance");
    }

    #[test]
    fn equal_times_are_no_leak() {
        for index in 0..8 {
            let mut rng = TestRng::new("equal times", index);
            let found = compare(&[times(&mut rng, 50_000, 0.0), times(&mut rng, 50_000, 0.0)]);
            assert!(found.largest_t < SUSPICIOUS, "{index}: {found:?}");
        }
    }

    /// One nanosecond of a thousand, which interruptions hide from the test of all times.
    #[test]
    fn small_differences_are_found() {
        let mut rng = TestRng::new("unequal times", 0);
        let found = compare(&[times(&mut rng, 100_000, 1.0), times(&mut rng, 100_000, 0.0)]);
        assert!(found.largest_t >= LEAK && found.t.abs() < SUSPICIOUS, "{found:?}");
        assert!(found.quantile < 1.0 && (0.2..2.0).contains(&found.difference), "{found:?}");
    }
}
