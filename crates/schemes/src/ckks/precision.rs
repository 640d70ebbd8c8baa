//! How many bits of values are right.
use num_complex::Complex64;

/// Bits of precision over many values, −log2 of the errors of real and imaginary parts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Precision {
    /// The precision of the worst part.
    pub min: f64,
    /// The mean over all parts.
    pub mean: f64,
    /// The standard deviation over all parts.
    pub std: f64,
    /// −log2 of the root mean square of the errors.
    pub rms: f64,
}

impl Precision {
    /// Errors below 2^-60 count as 2^-60.
    const MAX: f64 = 60.0;

    /// The precision of `found` for `expected`.
    ///
    /// # Panics
    /// If there are no values, or not equally many.
    #[must_use]
    pub fn of(found: &[Complex64], expected: &[Complex64]) -> Self {
        assert!(!found.is_empty() && found.len() == expected.len(), "equally many values");
        let errors: Vec<f64> = found.iter().zip(expected).flat_map(|(a, b)| [a.re - b.re, a.im - b.im]).collect();
        let bits: Vec<f64> = errors.iter().map(|e| (-e.abs().log2()).min(Self::MAX)).collect();
        let count = errors.len() as f64;
        let mean = bits.iter().sum::<f64>() / count;
        let variance = bits.iter().map(|b| (b - mean).powi(2)).sum::<f64>() / count;
        let square = errors.iter().map(|e| e * e).sum::<f64>() / count;
        Self {
            min: bits.iter().copied().fold(f64::INFINITY, f64::min),
            mean,
            std: variance.sqrt(),
            rms: (-square.log2() / 2.0).min(Self::MAX),
        }
    }
}
