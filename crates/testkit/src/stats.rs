//! Moments, confidence intervals and goodness of fit.

use crate::special::{beta_quantile, chi_square_quantile, gamma_q, normal_quantile};

/// The first four moments of a sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moments {
    /// The size of the sample.
    pub count: usize,
    /// The mean.
    pub mean: f64,
    /// The unbiased variance (divided by count − 1).
    pub variance: f64,
    /// The skewness m₃/m₂^(3/2), 0 for a Gaussian.
    pub skewness: f64,
    /// The excess kurtosis m₄/m₂² − 3, 0 for a Gaussian.
    pub excess_kurtosis: f64,
}

impl Moments {
    /// The moments of `sample`, of at least two values.
    pub fn of(sample: &[f64]) -> Self {
        assert!(sample.len() >= 2, "moments need two values, found {}", sample.len());
        let n = sample.len() as f64;
        let mean = sample.iter().sum::<f64>() / n;
        let central = |k: i32| sample.iter().map(|x| (x - mean).powi(k)).sum::<f64>() / n;
        let m2 = central(2);
        Self {
            count: sample.len(),
            mean,
            variance: m2 * n / (n - 1.0),
            skewness: central(3) / m2.powf(1.5),
            excess_kurtosis: central(4) / (m2 * m2) - 3.0,
        }
    }

    /// The standard deviation.
    pub fn std(&self) -> f64 {
        self.variance.sqrt()
    }
}

/// The confidence interval of the mean of a large sample (100 or more): mean ± z·std/√count.
pub fn mean_interval(moments: &Moments, confidence: f64) -> (f64, f64) {
    let half = normal_quantile(0.5 + 0.5 * confidence) * (moments.variance / moments.count as f64).sqrt();
    (moments.mean - half, moments.mean + half)
}

/// The confidence interval of the variance of a Gaussian from the unbiased variance of `count` independent values.
///
/// (count − 1)·sample/χ² at the two quantiles of the chi-square distribution of count − 1 degrees of freedom.
pub fn variance_interval(sample_variance: f64, count: usize, confidence: f64) -> (f64, f64) {
    assert!(count >= 2, "a variance needs two values, found {count}");
    let degrees = count as f64 - 1.0;
    let tail = 0.5 * (1.0 - confidence);
    (
        degrees * sample_variance / chi_square_quantile(1.0 - tail, degrees),
        degrees * sample_variance / chi_square_quantile(tail, degrees),
    )
}

/// The Clopper–Pearson (exact, conservative) confidence interval of a probability seen `successes` times in `trials`.
pub fn clopper_pearson(successes: u64, trials: u64, confidence: f64) -> (f64, f64) {
    assert!(trials >= 1 && successes <= trials, "{successes} successes in {trials} trials");
    let tail = 0.5 * (1.0 - confidence);
    let (k, n) = (successes as f64, trials as f64);
    let low = if successes == 0 { 0.0 } else { beta_quantile(tail, k, n - k + 1.0) };
    let high = if successes == trials { 1.0 } else { beta_quantile(1.0 - tail, k + 1.0, n - k) };
    (low, high)
}

/// The p-value of Pearson's chi-square test of counts against expected counts (each 5 or more), all cells.
pub fn chi_square_p_value(observed: &[u64], expected: &[f64]) -> f64 {
    assert_eq!(observed.len(), expected.len(), "as many expected counts as observed ones");
    assert!(observed.len() >= 2 && expected.iter().all(|&e| e >= 5.0), "two cells or more, of 5 expected or more");
    let statistic: f64 = observed.iter().zip(expected).map(|(&o, &e)| (o as f64 - e).powi(2) / e).sum();
    gamma_q(0.5 * (observed.len() as f64 - 1.0), 0.5 * statistic)
}

/// The p-value of Pearson's chi-square test of counts against equal ones.
pub fn chi_square_uniform_p_value(observed: &[u64]) -> f64 {
    let expected = observed.iter().sum::<u64>() as f64 / observed.len() as f64;
    chi_square_p_value(observed, &vec![expected; observed.len()])
}

/// The p-value of the Jarque–Bera test of normality: exp(−JB/2), JB = n/6·(skewness² + kurtosis²/4).
///
/// JB tends to a chi-square of two degrees of freedom, slowly: samples of 2000 or more, and p-values as orders of
/// magnitude (5 % critical value 5.99, 1 %: 9.21, 1e-6: 27.6).
pub fn jarque_bera_p_value(sample: &[f64]) -> f64 {
    assert!(sample.len() >= 2000, "the Jarque–Bera test needs 2000 values, found {}", sample.len());
    let m = Moments::of(sample);
    let statistic = m.count as f64 / 6.0 * (m.skewness.powi(2) + 0.25 * m.excess_kurtosis.powi(2));
    (-0.5 * statistic).exp()
}

/// The correlation of two samples of equal length; of independent ones it is about N(0, 1/length).
pub fn correlation(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len(), "samples of equal length");
    let n = a.len() as f64;
    let (mean_a, mean_b) = (a.iter().sum::<f64>() / n, b.iter().sum::<f64>() / n);
    let (mut ab, mut aa, mut bb) = (0.0, 0.0, 0.0);
    for (x, y) in a.iter().zip(b) {
        let (x, y) = (x - mean_a, y - mean_b);
        ab += x * y;
        aa += x * x;
        bb += y * y;
    }
    ab / (aa * bb).sqrt()
}

/// The correlation of a sample with itself shifted by `lag`; of independent values it is about N(0, 1/length).
pub fn serial_correlation(sample: &[f64], lag: usize) -> f64 {
    assert!(lag < sample.len(), "lag {lag} in a sample of {}", sample.len());
    correlation(&sample[..sample.len() - lag], &sample[lag..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TestRng;

    fn close(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() <= tolerance, "{found} instead of {expected}");
    }

    /// Normal values as sums of twelve uniform ones are not normal enough; this is Box–Muller with the standard library.
    fn gaussian(name: &str, count: usize) -> Vec<f64> {
        let mut rng = TestRng::new(name, 0);
        (0..count)
            .map(|_| {
                let radius = (-2.0 * (1.0 - rng.unit_f64()).ln()).sqrt();
                radius * (std::f64::consts::TAU * rng.unit_f64()).cos()
            })
            .collect()
    }

    #[test]
    fn moments_by_hand() {
        let m = Moments::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
        assert_eq!((m.count, m.mean), (8, 5.0));
        close(m.variance, 32.0 / 7.0, 1e-14);
        close(m.skewness, 42.0 / 64.0, 1e-14);
        close(m.excess_kurtosis, 44.5 / 16.0 - 3.0, 1e-14);
    }

    #[test]
    fn variance_interval_by_the_tables() {
        // χ² of 99 degrees: 73.361 and 128.422.
        let (low, high) = variance_interval(1.0, 100, 0.95);
        close(low, 99.0 / 128.421_988_643_84, 1e-10);
        close(high, 99.0 / 73.361_080_191_283_7, 1e-10);
        // Large samples: 1 ± z·√(2/n).
        let (low, high) = variance_interval(4.0, 1_000_001, 0.95);
        close(low, 4.0 * (1.0 - 1.96 * 2f64.sqrt() * 1e-3), 1e-4);
        close(high, 4.0 * (1.0 + 1.96 * 2f64.sqrt() * 1e-3), 1e-4);
    }

    #[test]
    fn clopper_pearson_by_closed_forms() {
        // No success: 1 − (α/2)^(1/n); one of one: α/2.
        let (low, high) = clopper_pearson(0, 100, 0.95);
        assert_eq!(low, 0.0);
        close(high, 1.0 - 0.025f64.powf(0.01), 1e-12);
        let (low, high) = clopper_pearson(1, 1, 0.95);
        close(low, 0.025, 1e-12);
        assert_eq!(high, 1.0);
        // The defining binomial tails at 5 of 100.
        let (low, high) = clopper_pearson(5, 100, 0.95);
        let tail = |p: f64, range: std::ops::RangeInclusive<u32>| -> f64 {
            let choose = |k: u32| (0..k).fold(1.0, |c, i| c * f64::from(100 - i) / f64::from(i + 1));
            range.map(|k| choose(k) * p.powi(k as i32) * (1.0 - p).powi(100 - k as i32)).sum()
        };
        close(tail(low, 0..=4), 0.975, 1e-10);
        close(tail(high, 0..=5), 0.025, 1e-10);
    }

    #[test]
    fn chi_square_by_hand() {
        // Statistic 3.841… at one degree of freedom is the 5 % point: counts 50 ± d with 2d²/50 = 3.84.
        close(chi_square_p_value(&[60, 40], &[50.0, 50.0]), 0.045_500_263_896_358, 1e-12);
        close(chi_square_uniform_p_value(&[10, 10, 10]), 1.0, 1e-12);
        // Two degrees of freedom: exp(−statistic/2).
        close(chi_square_uniform_p_value(&[20, 10, 30]), (-5.0f64).exp(), 1e-12);
    }

    #[test]
    fn normality() {
        assert!(jarque_bera_p_value(&gaussian("normality", 50_000)) > 1e-4);
        let mut rng = TestRng::new("uniform is not normal", 0);
        let uniform: Vec<f64> = (0..50_000).map(|_| rng.unit_f64()).collect();
        assert!(jarque_bera_p_value(&uniform) < 1e-100);
    }

    #[test]
    fn intervals_cover() {
        let mut covered = [0; 2];
        for i in 0..200 {
            let m = Moments::of(&gaussian(&format!("cover {i}"), 400));
            let (a, b) = mean_interval(&m, 0.9);
            let (c, d) = variance_interval(m.variance, m.count, 0.9);
            covered[0] += u64::from(a <= 0.0 && 0.0 <= b);
            covered[1] += u64::from(c <= 1.0 && 1.0 <= d);
        }
        for covered in covered {
            let (low, high) = clopper_pearson(covered, 200, 0.9999);
            assert!(low <= 0.9 && 0.9 <= high, "{covered} of 200");
        }
    }

    #[test]
    fn correlations() {
        let (a, b) = (gaussian("a", 10_000), gaussian("b", 10_000));
        assert!(correlation(&a, &b).abs() < 0.05);
        close(correlation(&a, &a), 1.0, 1e-12);
        close(correlation(&a, &a.iter().map(|x| 3.0 - 2.0 * x).collect::<Vec<_>>()), -1.0, 1e-12);
        assert!(serial_correlation(&a, 1).abs() < 0.05);
        let slow: Vec<f64> = (0..1000).map(f64::from).collect();
        assert!(serial_correlation(&slow, 1) > 0.99);
    }
}
