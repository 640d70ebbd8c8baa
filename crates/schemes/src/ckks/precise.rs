//! Constants of 100 bits for wide scales: roots of unity, and the inverse embedding of the [`encoder`](super::encoder) with
//! [`Precise`] numbers. It prepares maps; nothing of it is in a loop over ciphertexts.
use super::encoder::bit_reversed;
use crate::precise::{Precise, PreciseComplex};
use crate::scalar::Scalar;

/// log2 of the largest order of a root.
const MAX_LOG2_ORDER: u32 = 20;

/// exp(2πi/2^k) for k = 0, …, off by about 2^-103: by halving the angle.
#[derive(Debug)]
pub(super) struct PreciseRoots(Vec<PreciseComplex>);

impl PreciseRoots {
    pub(super) fn new() -> Self {
        let (one, two) = (Precise::from(1.0), Precise::from(2.0));
        let of = |re: f64, im: f64| PreciseComplex { re: re.into(), im: im.into() };
        let mut roots = vec![of(1.0, 0.0), of(-1.0, 0.0), of(0.0, 1.0)];
        for k in 2..MAX_LOG2_ORDER as usize {
            let PreciseComplex { re, im } = roots[k];
            let half = ((one + re) / two).sqrt();
            roots.push(PreciseComplex { re: half, im: im / (two * half) });
        }
        Self(roots)
    }

    /// exp(2πi·`power`/2^`log2_order`).
    fn root(&self, power: u64, log2_order: u32) -> PreciseComplex {
        let bits = (0..log2_order).filter(|bit| power >> bit & 1 == 1);
        bits.fold(PreciseComplex::ONE, |root, bit| root * self.0[(log2_order - bit) as usize])
    }

    /// As [`twiddles`](super::encoder::twiddles): exp(2πi·5^j/8`half`), j < `half`.
    pub(super) fn twiddles(&self, half: usize) -> impl Iterator<Item = PreciseComplex> {
        let log2_order = half.ilog2() + 3;
        let powers = std::iter::successors(Some(1u64), move |power| Some(5 * power % (1 << log2_order)));
        powers.take(half).map(move |power| self.root(power, log2_order))
    }
}

/// The inverse embedding, to 100 bits.
#[derive(Debug)]
pub(super) struct PreciseEncoder {
    /// Conjugated twiddles of blocks of 2h slots at h..2h.
    twiddles: Vec<PreciseComplex>,
}

impl PreciseEncoder {
    /// For up to `slots` slots.
    pub(super) fn new(slots: usize) -> Self {
        let roots = PreciseRoots::new();
        let halves = (0..slots.ilog2()).flat_map(|level| roots.twiddles(1 << level));
        let twiddles = std::iter::once(PreciseComplex::ZERO).chain(halves.map(|root| root.conj())).collect();
        Self { twiddles }
    }

    /// The 2n coefficients of the polynomial in X^(N/2n) with these n slots, times `scale`, rounded.
    pub(super) fn coefficients(&self, slots: &[PreciseComplex], scale: Precise) -> Vec<Precise> {
        let (n, mut values) = (slots.len(), slots.to_vec());
        for half in (0..n.ilog2()).rev().map(|level| 1 << level) {
            for block in values.chunks_exact_mut(2 * half) {
                let (low, high) = block.split_at_mut(half);
                for ((x, y), &twiddle) in low.iter_mut().zip(high).zip(&self.twiddles[half..2 * half]) {
                    (*x, *y) = (*x + *y, (*x - *y) * twiddle);
                }
            }
        }
        let scale = scale / Precise::from(n as f64);
        let mut out = vec![Precise::from(0.0); 2 * n];
        for k in 0..n {
            let w = values[bit_reversed(k, n)];
            (out[k], out[k + n]) = ((w.re * scale).round(), (w.im * scale).round());
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use bootes_testkit::TestRng;

    use super::*;

    #[test]
    fn roots_have_their_orders() {
        let roots = PreciseRoots::new();
        for (root, before) in roots.0[1..].iter().zip(&roots.0) {
            assert!((*root * *root - *before).norm_sqr().sqrt() < 2f64.powi(-100));
        }
        // 2^-20 of a turn by its series.
        let pi = Precise::from(PI) + Precise::from(1.224_646_799_147_353_2e-16);
        let x = Precise::from(2.0) * pi / Precise::from(f64::from(1 << MAX_LOG2_ORDER));
        let mut term = x;
        let mut sine = x;
        for n in 1..8 {
            term = term * x * x / Precise::from(-f64::from(2 * n * (2 * n + 1)));
            sine = sine + term;
        }
        assert!(f64::from(sine - roots.0[MAX_LOG2_ORDER as usize].im).abs() < 2f64.powi(-118));
    }

    /// The slots of the rounded coefficients, by the definition.
    #[test]
    fn coefficients_have_their_slots() {
        let (n, roots, mut rng) = (16, PreciseRoots::new(), TestRng::new("precise", 0));
        let mut number = || Precise::from(2.0 * rng.unit_f64() - 1.0) + Precise::from(2f64.powi(-54) * rng.unit_f64());
        let slots: Vec<_> = (0..n).map(|_| PreciseComplex { re: number(), im: number() }).collect();
        let scale = Precise::from(2f64.powi(88));
        let coefficients = PreciseEncoder::new(64).coefficients(&slots, scale);
        let mut power = 1;
        for slot in slots {
            let term = |(k, &c): (usize, &Precise)| {
                let root = roots.root(power * k as u64 % (4 * n), 6);
                PreciseComplex { re: root.re * (c / scale), im: root.im * (c / scale) }
            };
            let sum = coefficients.iter().enumerate().map(term).fold(PreciseComplex::ZERO, |a, b| a + b);
            assert!((sum - slot).norm_sqr().sqrt() < 2f64.powi(-84));
            power = 5 * power % (4 * n);
        }
    }
}
