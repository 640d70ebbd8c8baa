//! The canonical embedding: polynomials with real coefficients as vectors of complex slots.
//!
//! Let ζ = exp(iπ/N). Slot j of P ∈ R\[X\]/(X^N + 1) is P(ζ^(5^j)), j < N/2; at the other roots of X^N + 1 stand the
//! conjugates. So products of polynomials are products of slots, X ↦ X^5 rotates the slots by one to the left, X ↦ X^-1
//! conjugates them. Polynomials in Y = X^(N/2n) have slots of period n: they are what n < N/2 values are encoded to.
//!
//! With t_k the coefficient of Y^k, k < 2n, and ζ_n = exp(iπ/2n), the n slots are
//!
//! z_j = Σ_(k < n) w_k·ζ_n^(5^j·k),  w_k = t_k + i·t_(k+n),  because ζ_n^(5^j·n) = i for all j.
//!
//! Even and odd k are two such sums e, o of half the length: z_j = e_j + ζ_n^(5^j)·o_j and z_(j+n/2) = e_j −
//! ζ_n^(5^j)·o_j. That is a decimation in time, O(n log n), with twiddles that depend on the length of a block only:
//! one table for all n.
//!
//! Error: each level adds an error of about 2^-53.6 of its vector's root mean square, independent of the others. The
//! way there and back has 2·log2 n levels, so its error, relative to the root mean square of the slots, is
//! 2^-53.6·√(2·log2 n) (2^-51.1 for n = 2^15); the largest of all n errors stays below 5 times that.
//!
//! Reference: Cheon, Han, Kim, Kim, Song, "Bootstrapping for Approximate Homomorphic Encryption", 2018, the special
//! FFT.

use bootes_ring::fft::root;
use num_complex::Complex64;
use zeroize::optimization_barrier;

use super::CkksError;

/// The twiddles ζ^(5^j) of blocks of 2·`half` slots: exp(2πi·5^j/8`half`), j < `half`.
pub(super) fn twiddles(half: usize) -> impl Iterator<Item = Complex64> {
    let order = 8 * half as u64;
    std::iter::successors(Some(1), move |power| Some(5 * power % order)).take(half).map(move |power| {
        let [re, im] = root(power, order);
        Complex64 { re, im }
    })
}

/// `index` < n with its log2 n bits reversed, n = `slots` a power of two.
pub(super) fn bit_reversed(index: usize, slots: usize) -> usize {
    index.reverse_bits().checked_shr(usize::BITS - slots.trailing_zeros()).unwrap_or(0)
}

/// Checks N = `degree`.
pub(super) fn check_degree(degree: usize) -> Result<(), CkksError> {
    let (min, max) = (Encoder::MIN_DEGREE, Encoder::MAX_DEGREE);
    let known = degree.is_power_of_two() && (min..=max).contains(&degree);
    if known { Ok(()) } else { Err(CkksError::Degree { found: degree, min, max }) }
}

/// The canonical embedding and its inverse for one degree N: a table of N/2 roots of unity, immutable.
#[derive(Debug, Clone)]
pub struct Encoder {
    degree: usize,
    /// Twiddles of blocks of 2h slots at h..2h.
    twiddles: Vec<Complex64>,
}

impl Encoder {
    /// The smallest degree.
    pub const MIN_DEGREE: usize = 1 << 4;
    /// The largest degree.
    pub const MAX_DEGREE: usize = 1 << 17;

    /// The embedding for degree N = `degree`.
    ///
    /// # Errors
    /// [`CkksError::Degree`] unless N is a power of two in 2^4..=2^17.
    pub fn new(degree: usize) -> Result<Self, CkksError> {
        check_degree(degree)?;
        let levels = (degree / 2).trailing_zeros();
        let unused = Complex64::ZERO;
        let twiddles = std::iter::once(unused).chain((0..levels).flat_map(|level| twiddles(1 << level))).collect();
        Ok(Self { degree, twiddles })
    }

    /// The degree N.
    #[must_use]
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// The largest number of slots, N/2.
    #[must_use]
    pub fn max_slots(&self) -> usize {
        self.degree / 2
    }

    /// `out` = the N coefficients of the polynomial in Y = X^(N/2n) with the n given `slots`, not scaled: the inverse
    /// embedding.
    ///
    /// Any power of two n ≤ N/2; all coefficients but each (N/2n)-th are 0. A coefficient is at most the largest
    /// modulus of a slot.
    ///
    /// # Errors
    /// [`CkksError::TooManyValues`] if n > N/2, [`CkksError::Slots`] unless n is a power of two,
    /// [`CkksError::Coefficients`] unless `out` has length N, [`CkksError::NotFinite`].
    pub fn coefficients_into(&self, out: &mut [f64], slots: &[Complex64]) -> Result<(), CkksError> {
        let step = self.step(slots.len(), out.len())?;
        if let Some(position) = slots.iter().position(|z| !z.is_finite()) {
            return Err(CkksError::NotFinite { position });
        }
        let mut values = slots.to_vec();
        self.backward(&mut values);
        let (n, scale) = (slots.len(), 1.0 / slots.len() as f64);
        out.fill(0.0);
        for k in 0..n {
            let w = values[bit_reversed(k, n)] * scale;
            (out[step * k], out[step * (k + n)]) = (w.re, w.im);
        }
        // Messages, where these are encrypted.
        values.fill(Complex64::ZERO);
        optimization_barrier(&values[..]);
        Ok(())
    }

    /// `out` = the n slots of the polynomial with the N given `coefficients`: the embedding.
    ///
    /// Any power of two n ≤ N/2. Only the coefficients of powers of Y = X^(N/2n) are read: for other polynomials, slot
    /// j is the mean of the slots ≡ j modulo n, which is how to decode n values under noise.
    ///
    /// # Errors
    /// [`CkksError::TooManyValues`] if n > N/2, [`CkksError::Slots`] unless n is a power of two,
    /// [`CkksError::Coefficients`] unless there are N coefficients, [`CkksError::NotFinite`].
    pub fn slots_into(&self, out: &mut [Complex64], coefficients: &[f64]) -> Result<(), CkksError> {
        let n = out.len();
        let step = self.step(n, coefficients.len())?;
        if let Some(position) = coefficients.iter().position(|t| !t.is_finite()) {
            return Err(CkksError::NotFinite { position });
        }
        for (position, out) in out.iter_mut().enumerate() {
            let k = bit_reversed(position, n);
            *out = Complex64 { re: coefficients[step * k], im: coefficients[step * (k + n)] };
        }
        self.forward(out);
        Ok(())
    }

    /// N/2n for n = `slots`, after checking both lengths.
    fn step(&self, slots: usize, coefficients: usize) -> Result<usize, CkksError> {
        let max = self.max_slots();
        if slots > max {
            Err(CkksError::TooManyValues { found: slots, max })
        } else if !slots.is_power_of_two() {
            Err(CkksError::Slots { found: slots })
        } else if coefficients != self.degree {
            Err(CkksError::Coefficients { found: coefficients, expected: self.degree })
        } else {
            Ok(max / slots)
        }
    }

    /// Bit-reversed w to z.
    fn forward(&self, values: &mut [Complex64]) {
        for level in 0..values.len().trailing_zeros() {
            self.butterflies(values, 1 << level, |x, y, twiddle| {
                let y = y * twiddle;
                (x + y, x - y)
            });
        }
    }

    /// z to bit-reversed n·w.
    fn backward(&self, values: &mut [Complex64]) {
        for level in (0..values.len().trailing_zeros()).rev() {
            self.butterflies(values, 1 << level, |x, y, twiddle| (x + y, (x - y) * twiddle.conj()));
        }
    }

    /// Applies `butterfly` to each pair of values `half` apart in blocks of 2·`half`.
    #[inline(always)]
    fn butterflies(
        &self,
        values: &mut [Complex64],
        half: usize,
        butterfly: impl Fn(Complex64, Complex64, Complex64) -> (Complex64, Complex64),
    ) {
        let twiddles = &self.twiddles[half..2 * half];
        for block in values.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for ((x, y), &twiddle) in low.iter_mut().zip(high).zip(twiddles) {
                (*x, *y) = butterfly(*x, *y, twiddle);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use bootes_testkit::TestRng;

    use super::*;

    /// `count` numbers uniform on [−1, 1).
    fn reals(rng: &mut TestRng, count: usize) -> Vec<f64> {
        (0..count).map(|_| 2.0 * rng.unit_f64() - 1.0).collect()
    }

    fn slots(rng: &mut TestRng, count: usize) -> Vec<Complex64> {
        (0..count).map(|_| Complex64::new(2.0 * rng.unit_f64() - 1.0, 2.0 * rng.unit_f64() - 1.0)).collect()
    }

    /// The first n slots by definition.
    fn oracle(coefficients: &[f64], n: usize) -> Vec<Complex64> {
        let degree = coefficients.len();
        let powers = std::iter::successors(Some(1), |power| Some(5 * power % (2 * degree)));
        let value = |power| {
            let at = |k| Complex64::cis(PI * (power * k % (2 * degree)) as f64 / degree as f64);
            coefficients.iter().enumerate().map(|(k, t)| at(k) * t).sum()
        };
        powers.take(n).map(value).collect()
    }

    fn embedding(encoder: &Encoder, coefficients: &[f64], n: usize) -> Vec<Complex64> {
        let mut out = vec![Complex64::ZERO; n];
        encoder.slots_into(&mut out, coefficients).unwrap();
        out
    }

    /// P(X^exponent).
    fn automorphism(coefficients: &[f64], exponent: usize) -> Vec<f64> {
        let degree = coefficients.len();
        let mut out = vec![0.0; degree];
        for (k, t) in coefficients.iter().enumerate() {
            let to = k * exponent % (2 * degree);
            out[to % degree] = if to < degree { *t } else { -t };
        }
        out
    }

    fn largest(values: impl Iterator<Item = Complex64>) -> f64 {
        values.map(Complex64::norm).fold(0.0, f64::max)
    }

    fn distance(a: &[Complex64], b: &[Complex64]) -> f64 {
        assert_eq!(a.len(), b.len());
        largest(a.iter().zip(b).map(|(a, b)| a - b))
    }

    #[test]
    fn the_embedding_is_that_of_the_definition_for_all_numbers_of_slots() {
        let mut rng = TestRng::new("embedding", 0);
        for degree in [16, 32, 64, 128, 256] {
            let encoder = Encoder::new(degree).unwrap();
            for n in (0..degree.trailing_zeros()).map(|log2| 1 << log2) {
                let z = slots(&mut rng, n);
                let mut coefficients = vec![f64::NAN; degree];
                encoder.coefficients_into(&mut coefficients, &z).unwrap();
                let step = degree / (2 * n);
                assert!(coefficients.iter().enumerate().all(|(k, &t)| k % step == 0 || t == 0.0));
                assert!(distance(&oracle(&coefficients, n), &z) < 1e-13);
                assert!(distance(&embedding(&encoder, &coefficients, n), &z) < 1e-14);
                // The slots repeat, and other polynomials are averaged.
                let all = embedding(&encoder, &coefficients, degree / 2);
                assert!(all.chunks(n).all(|part| distance(part, &z) < 1e-13));
                let noisy = reals(&mut rng, degree);
                let all = oracle(&noisy, degree / 2);
                let mean = |j| all[j..].iter().step_by(n).sum::<Complex64>() / step as f64;
                let means: Vec<_> = (0..n).map(mean).collect();
                assert!(distance(&embedding(&encoder, &noisy, n), &means) < 1e-13);
            }
        }
    }

    #[test]
    fn errors_grow_as_the_root_of_the_levels() {
        for (degree, index) in [(1 << 6, 0), (1 << 11, 1), (1 << 16, 2), (1 << 17, 3)] {
            let (encoder, n) = (Encoder::new(degree).unwrap(), degree / 2);
            let z = slots(&mut TestRng::new("error law", index), n);
            let mut coefficients = vec![0.0; degree];
            encoder.coefficients_into(&mut coefficients, &z).unwrap();
            let back = embedding(&encoder, &coefficients, n);
            let square = |values: &mut dyn Iterator<Item = Complex64>| values.map(|z| z.norm_sqr()).sum::<f64>();
            let errors = || back.iter().zip(&z).map(|(a, b)| a - b);
            let root_mean_square = (square(&mut z.iter().copied()) / n as f64).sqrt();
            let relative = (square(&mut errors()) / n as f64).sqrt() / root_mean_square;
            let law = 2f64.powf(-53.6) * (2.0 * f64::from(n.trailing_zeros())).sqrt();
            let most = largest(errors()) / root_mean_square;
            println!("N = {degree}: rms {:.3} laws, max {:.3} laws = 2^{:.2}", relative / law, most / law, most.log2());
            assert!(relative < 1.1 * law && relative > 0.7 * law, "{relative} at N = {degree}, law {law}");
            assert!(most < 5.0 * law, "{most} at N = {degree}, law {law}");
        }
    }

    #[test]
    fn products_rotations_and_conjugates() {
        let mut rng = TestRng::new("products", 0);
        let degree = 128;
        let (encoder, n) = (Encoder::new(degree).unwrap(), degree / 2);
        let (a, b) = (reals(&mut rng, degree), reals(&mut rng, degree));
        let [za, zb] = [&a, &b].map(|p| embedding(&encoder, p, n));
        let mut product = vec![0.0; degree];
        for (i, j) in (0..degree).flat_map(|i| (0..degree).map(move |j| (i, j))) {
            let term = a[i] * b[j];
            product[(i + j) % degree] += if i + j < degree { term } else { -term };
        }
        let expected: Vec<_> = za.iter().zip(&zb).map(|(a, b)| a * b).collect();
        assert!(distance(&embedding(&encoder, &product, n), &expected) < 1e-11);

        let mut left = za.clone();
        left.rotate_left(1);
        assert!(distance(&embedding(&encoder, &automorphism(&a, 5), n), &left) < 1e-12);
        let conjugates: Vec<_> = za.iter().map(Complex64::conj).collect();
        assert!(distance(&embedding(&encoder, &automorphism(&a, 2 * degree - 1), n), &conjugates) < 1e-12);
    }

    #[test]
    fn what_cannot_be_encoded_is_refused() {
        for found in [0, 8, 24, 1 << 18] {
            assert_eq!(Encoder::new(found).unwrap_err(), CkksError::Degree { found, min: 16, max: 1 << 17 });
        }
        let encoder = Encoder::new(16).unwrap();
        let mut coefficients = vec![0.0; 16];
        let mut encode = |z: &[Complex64]| encoder.coefficients_into(&mut coefficients, z).unwrap_err();
        assert_eq!(encode(&[Complex64::ONE; 9]), CkksError::TooManyValues { found: 9, max: 8 });
        assert_eq!(encode(&[Complex64::ONE; 6]), CkksError::Slots { found: 6 });
        assert_eq!(encode(&[]), CkksError::Slots { found: 0 });
        let infinite = Complex64::new(0.0, f64::INFINITY);
        assert_eq!(encode(&[Complex64::ONE, infinite]), CkksError::NotFinite { position: 1 });
        let mut out = [Complex64::ZERO; 8];
        let short = encoder.slots_into(&mut out, &[0.0; 8]).unwrap_err();
        assert_eq!(short, CkksError::Coefficients { found: 8, expected: 16 });
        coefficients[5] = f64::NAN;
        assert_eq!(encoder.slots_into(&mut out, &coefficients).unwrap_err(), CkksError::NotFinite { position: 5 });
    }
}
