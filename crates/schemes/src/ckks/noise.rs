//! The noise of operations, circuits and linear maps, predicted.
//!
//! Noise e of slots is complex, of mean 0, and alike in all directions; E|e|² is called its variance. A polynomial with
//! independent coefficients of variance v has slots of variance N·v; divided by the square of a scale it is that of
//! values.
//!
//! **Rounding is keyed.** Whatever divides a ciphertext rounds both polynomials, which leaves r_0 + r_1·s in the phase:
//! coefficients of variance (1 + h)/12, h = ‖s‖². But slot j of r_1·s is that of r_1 times that of s, which is one
//! number for as long as the key is used. So the variance in slot j is N·(1 + h·u_j)/12 with u_j = |s(ζ_j)|²/h, of mean
//! 1 over the slots. For a random key s(ζ_j) is a sum of h random units, nearly a complex Gaussian, and P(u_j > u) =
//! e^-u: among 2^15 slots some have ten times the variance of others, again and again, in every operation and in every
//! one that follows, since a value stays in its slot. A promise that is to hold for *each* key is one for its worst
//! slot: keys beyond [`max_slot_value`](crate::rlwe::RlweParams::max_slot_value) are not used, and noise is Gaussian
//! given the key. Where slots are mixed, by the stages of a linear map, u is averaged away.
//!
//! **Circuits** are read backwards: with v̄ = ∂output/∂v for each value v, noise of variance σ² that enters at v leaves
//! with |v̄|²·σ². This is exact to first order, though the same noise reaches the output on many ways.
use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};
use std::ops::{Add, AddAssign, Mul};

use bootes_lattice::noise::failure::log2_failure;
use num_complex::Complex64;
use rayon::prelude::*;

use super::CkksParams;
use super::params::NOISE_STD;
use crate::polyeval::{ArithmeticCircuit, Gate, Id, Minus};

/// E|e|² in a slot: `flat` + `keyed`·u, with u = |s(ζ_j)|²/h the slot's own; see the module.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SlotNoise {
    /// The variance that all slots have.
    pub flat: f64,
    /// The variance that is proportional to u, which has mean 1.
    pub keyed: f64,
}

impl SlotNoise {
    /// The same variance in all slots.
    #[must_use]
    pub fn flat(variance: f64) -> Self {
        Self { flat: variance, keyed: 0.0 }
    }

    /// The mean over slots.
    #[must_use]
    pub fn mean(self) -> f64 {
        self.flat + self.keyed
    }

    /// In a slot of the value u.
    #[must_use]
    pub fn at(self, u: f64) -> f64 {
        self.flat + self.keyed * u
    }

    /// At least both, in every slot.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self { flat: self.flat.max(other.flat), keyed: self.keyed.max(other.keyed) }
    }
}

impl Add for SlotNoise {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { flat: self.flat + other.flat, keyed: self.keyed + other.keyed }
    }
}

impl AddAssign for SlotNoise {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// Noise times a number of this |·|².
impl Mul<f64> for SlotNoise {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self { flat: self.flat * factor, keyed: self.keyed * factor }
    }
}

/// A bound on the error of values that travels with ciphertexts: e = b + g, |b| ≤ `bias`, and g Gaussian given the key,
/// of variance `noise`.at(u) in a slot of the value u.
///
/// A bias is what has no variance of its own: errors of approximations, squares of errors. What is bounded only but for
/// 2^-140 ([`ErrorBound::most`]) counts as bounded.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ErrorBound {
    /// The largest |b|.
    pub bias: f64,
    /// The variance of g, which is real.
    pub noise: SlotNoise,
}

impl ErrorBound {
    /// Standard deviations that a Gaussian leaves with a probability of 2^-140.
    pub const TAIL: f64 = 13.73;

    /// The bound of errors without a bias.
    #[must_use]
    pub fn unbiased(noise: SlotNoise) -> Self {
        Self { bias: 0.0, noise }
    }

    /// The bound of `factor`·e.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self { bias: self.bias * factor.abs(), noise: self.noise * (factor * factor) }
    }

    /// The bound of e + e' with independent g and g'.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self { bias: self.bias + other.bias, noise: self.noise + other.noise }
    }

    /// The bound of e + e' whatever g and g' share, in slots of values up to `u`: standard deviations add there.
    ///
    /// By 2·√(v·v') ≤ λ·v + v'/λ for all λ, with equality for λ² = v'/v: that of the slot of the value `u`.
    #[must_use]
    pub fn plus_dependent(self, other: Self, u: f64) -> Self {
        let (v, w) = (self.noise.at(u), other.noise.at(u));
        let bias = self.bias + other.bias;
        if v == 0.0 || w == 0.0 {
            return Self { bias, noise: self.noise + other.noise };
        }
        let ratio = (w / v).sqrt();
        Self { bias, noise: self.noise * (1.0 + ratio) + other.noise * (1.0 + 1.0 / ratio) }
    }

    /// Whether each part is at most that of `other`, but for rounding.
    #[must_use]
    pub fn is_within(self, other: Self) -> bool {
        let most = 1.0 + 1e-9;
        self.bias <= other.bias * most
            && self.noise.flat <= other.noise.flat * most
            && self.noise.keyed <= other.noise.keyed * most
    }

    /// The standard deviation of g in a slot of the value `u`.
    #[must_use]
    pub fn std(self, u: f64) -> f64 {
        self.noise.at(u).sqrt()
    }

    /// The value that |e| exceeds with a probability of 2^-140 in a slot of the value `u`.
    #[must_use]
    pub fn most(self, u: f64) -> f64 {
        self.bias + Self::TAIL * self.std(u)
    }

    /// log2 P(|e| > `window`), at most, in a slot of the value `u`.
    #[must_use]
    pub fn log2_failure(self, window: f64, u: f64) -> f64 {
        log2_failure(window - self.bias, self.std(u))
    }
}

impl CkksParams {
    /// The noise of both polynomials' rounding, at this scale: N·(1 + h·u)/(12·scale²).
    #[must_use]
    pub fn rounding_noise(&self, scale: f64) -> SlotNoise {
        let flat = self.degree() as f64 / (12.0 * scale * scale);
        SlotNoise { flat, keyed: flat * f64::from(self.literal().weight) }
    }

    /// The noise of a key switch at `level` but for its rounding: N·(N·σ²·Σ_j D_j²/(12·P²))/scale².
    #[must_use]
    pub fn switch_noise(&self, level: usize, scale: f64) -> SlotNoise {
        let variance = self.gadget().variance(self.ring(), level + 1, self.errors(), 0) - 1.0 / 12.0;
        SlotNoise::flat(self.degree() as f64 * variance.max(0.0) / (scale * scale))
    }

    /// The noise of a rotation or a conjugation: key switch and rounding.
    #[must_use]
    pub fn rotation_noise(&self, level: usize, scale: f64) -> SlotNoise {
        self.switch_noise(level, scale) + self.rounding_noise(scale)
    }

    /// The noise of a product, or a sum of products, with a result of this level and canonical scale: the key switch
    /// before, the rounding after the division by q_(`level` + 1).
    #[must_use]
    pub fn product_noise(&self, level: usize) -> SlotNoise {
        self.switch_noise(level + 1, self.scale(level + 1).powi(2)) + self.rounding_noise(self.scale(level))
    }

    /// The noise of an encryption under the public key, u·e + e_0 + e_1·s, and of its rounded encoding: N·(σ²·(2N/3 +
    /// 1 + h) + 1/12)/scale².
    ///
    /// The public key's error e is one for as long as the key is used, as s is: its slots too are nearly complex
    /// Gaussians over keys, so that it is keyed noise, though not with the u_j of s.
    #[must_use]
    pub fn public_encryption_noise(&self, scale: f64) -> SlotNoise {
        let (degree, variance) = (self.degree() as f64, NOISE_STD * NOISE_STD / (scale * scale));
        SlotNoise {
            flat: degree * (variance + 1.0 / (12.0 * scale * scale)),
            keyed: degree * variance * (2.0 * degree / 3.0 + f64::from(self.literal().weight)),
        }
    }

    /// The noise of a fresh encryption under the secret key, and of its rounded encoding: N·(σ² + 1/12)/scale².
    #[must_use]
    pub fn encryption_noise(&self, scale: f64) -> SlotNoise {
        SlotNoise::flat(self.degree() as f64 * (NOISE_STD * NOISE_STD + 1.0 / 12.0) / (scale * scale))
    }
}

/// A circuit's output at one value of the variable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OutputNoise {
    /// The output.
    pub value: Complex64,
    /// Its derivative by the variable.
    pub slope: Complex64,
    /// The noise that the circuit adds.
    pub added: SlotNoise,
}

/// The noise of a circuit as [`Evaluator::evaluate`](super::Evaluator::evaluate) runs it on a variable of some level.
#[derive(Debug)]
pub struct CircuitNoise<'a> {
    circuit: &'a ArithmeticCircuit,
    /// The level of the variable, and those of the values.
    top: usize,
    levels: Vec<usize>,
    /// By level: of a product, of a division, and (S_ℓ·q_(ℓ+1))^-2/6 for constants rounded at it.
    product: Vec<SlotNoise>,
    rounding: Vec<SlotNoise>,
    constant: Vec<f64>,
    scales: Vec<f64>,
}

impl<'a> CircuitNoise<'a> {
    /// The reading of a circuit of one input, which has level `top`.
    ///
    /// # Panics
    /// If the circuit is deeper than that, or has more inputs.
    #[must_use]
    pub fn new(params: &CkksParams, circuit: &'a ArithmeticCircuit, top: usize) -> Self {
        assert_eq!(circuit.inputs(), 1, "noise is read of circuits of one input");
        let levels = circuit.latest().into_iter().map(|level| top - level).collect();
        let below = || 0..top;
        let constant = |level| (params.scale(level) * params.prime(level + 1)).powi(-2) / 6.0;
        Self {
            circuit,
            top,
            levels,
            product: below().map(|level| params.product_noise(level)).collect(),
            rounding: below().map(|level| params.rounding_noise(params.scale(level))).collect(),
            constant: below().map(constant).collect(),
            scales: (0..=top).map(|level| params.scale(level)).collect(),
        }
    }

    /// The outputs where the variable is `x`.
    #[must_use]
    pub fn at(&self, x: Complex64) -> Vec<OutputNoise> {
        let values = self.circuit.values(&[x]);
        let of = |&output: &Id| {
            let mut added = SlotNoise::default();
            let slope = self.read(output, &values, |_, slope, noise| added += noise * slope.norm_sqr());
            OutputNoise { value: values[output.index()], slope, added }
        };
        self.circuit.outputs().iter().map(of).collect()
    }

    /// The largest of each noise that is made of outputs, by sums, where the variable is anywhere on the unit circle,
    /// for outputs that are polynomials of it of a degree below `length`.
    ///
    /// The factors of noise are polynomials of z of no higher degree n. The norm of such a vector is at most the
    /// largest at M > n equidistant points, divided by cos(πn/2M) (Ehlich and Zeller 1964, of trigonometric
    /// polynomials).
    #[must_use]
    pub fn on_circle(&self, length: usize, of: impl Fn(&[OutputNoise]) -> Vec<SlotNoise> + Sync) -> Vec<SlotNoise> {
        let (points, factor) = circle_points(length);
        let most = |a: Vec<SlotNoise>, b: Vec<SlotNoise>| a.iter().zip(&b).map(|(a, b)| a.max(*b)).collect();
        let all = (0..points).into_par_iter().map(|i| of(&self.at(root(i, points)))).reduce_with(most);
        all.unwrap_or_default().into_iter().map(|noise| noise * factor).collect()
    }

    /// The same of any combination Σ_k f(k)·P(z·exp(−2πik/`entries`)) of the only output P with real |f(k)| ≤ `most`,
    /// where such a combination of the powers of z is added to what noise of these is multiplied by.
    #[must_use]
    pub fn any_on_circle(&self, length: usize, entries: usize, most: f64) -> SlotNoise {
        let (points, factor) = circle_points(length);
        // A step of the table is a whole number of points.
        let each = points.div_ceil(entries);
        let powers = self.powers();
        let line = |start: usize| {
            let mut slopes = BTreeMap::new();
            for k in 0..entries {
                let values = self.circuit.values(&[root(start + k * each, entries * each)]);
                self.read(self.circuit.outputs()[0], &values, |source, slope, noise| {
                    let (sum, most_noise): &mut (f64, SlotNoise) = slopes.entry(source).or_default();
                    *most_noise = most_noise.max(noise);
                    *sum = if powers[source.0] { *sum + most * slope.norm() } else { sum.max(slope.norm()) };
                });
            }
            slopes
        };
        let larger = |a: (f64, SlotNoise), b: (f64, SlotNoise)| (a.0.max(b.0), a.1.max(b.1));
        let all = (0..each).into_par_iter().map(line).reduce(BTreeMap::new, |mut a, b| {
            b.into_iter().for_each(|(source, found)| {
                let known = a.entry(source).or_default();
                *known = larger(*known, found);
            });
            a
        });
        all.values().fold(SlotNoise::default(), |sum, &(slope, noise)| sum + noise * (slope * slope * factor))
    }

    /// Which values are powers of the variable, whatever the constants.
    fn powers(&self) -> Vec<bool> {
        let mut powers = Vec::with_capacity(self.levels.len());
        for gate in self.circuit.gates() {
            powers.push(match gate {
                Gate::Input(_) => true,
                Gate::Product { a, b, minus, .. } => {
                    let of = |id: &Id| powers[id.index()];
                    of(a) && of(b) && if let Minus::Value(c) = minus { of(c) } else { true }
                }
                _ => false,
            });
        }
        powers
    }

    /// The reading backwards from one output, at the `values` of all steps: `visit` hears of every source of noise, by
    /// its name, the derivative of the output by it, and its variance. The derivative by the variable is returned.
    fn read(&self, output: Id, values: &[Complex64], mut visit: impl FnMut(Source, Complex64, SlotNoise)) -> Complex64 {
        let mut reading = Backward { noise: self, slopes: vec![Complex64::ZERO; values.len()], drops: BTreeMap::new() };
        reading.slopes[output.index()] = Complex64::ONE;
        for (i, gate) in self.circuit.gates().iter().enumerate().rev() {
            let slope = reading.slopes[i];
            if slope == Complex64::ZERO {
                continue;
            }
            let level = self.levels[i];
            match gate {
                // Dropped from the top level, if it is not there.
                Gate::Input(_) => {
                    if level != self.top {
                        *reading.drops.entry((i, level)).or_default() += slope;
                    }
                }
                Gate::Product { a, b, doubled, minus } => {
                    let factor = if *doubled { 2.0 } else { 1.0 };
                    visit((i, None), slope, self.product[level]);
                    reading.factors(*a, *b, slope * factor, level + 1, values);
                    if let Minus::Value(c) = minus {
                        reading.read(*c, -slope, level);
                    }
                }
                Gate::Combination { terms, .. } if terms.is_empty() => {}
                Gate::Combination { terms, .. } => {
                    let mut constants = 0.0;
                    for (id, c) in terms {
                        reading.slopes[id.index()] += slope * c;
                        constants += values[id.index()].norm_sqr() * self.scales[self.levels[id.index()]].powi(2);
                    }
                    visit((i, None), slope, self.rounding[level] + SlotNoise::flat(constants * self.constant[level]));
                }
                Gate::SumOfProducts { products, addends } => {
                    visit((i, None), slope, self.product[level]);
                    products.iter().for_each(|(a, b)| reading.factors(*a, *b, slope, level + 1, values));
                    addends.iter().for_each(|id| reading.read(*id, slope, level));
                }
                Gate::ExactDivision { dividend, divisor } => reading.read(*dividend, slope / *divisor as f64, level),
            }
        }
        for ((i, level), slope) in &reading.drops {
            visit((*i, Some(*level)), *slope, self.rounding[*level]);
        }
        reading.slopes[0]
    }
}

/// A source of noise: a step of the circuit, or its value brought to a level.
type Source = (usize, Option<usize>);

/// Points of the circle for polynomials of degree `length` − 1, and what squares of norms are at most by those at them.
fn circle_points(length: usize) -> (usize, f64) {
    let points = length.next_power_of_two() * if length > 1024 { 4 } else { 8 };
    (points, (0.5 * PI * (length - 1) as f64 / points as f64).cos().powi(-2))
}

/// exp(2πik/n).
fn root(k: usize, n: usize) -> Complex64 {
    Complex64::cis(TAU * (k % n) as f64 / n as f64)
}

/// ∂output/∂value, and ∂output/∂(a value brought to a lower level): one rounding each, however often it is read there.
struct Backward<'a> {
    noise: &'a CircuitNoise<'a>,
    slopes: Vec<Complex64>,
    drops: BTreeMap<(usize, usize), Complex64>,
}

impl Backward<'_> {
    /// A value is read at `level`.
    fn read(&mut self, id: Id, slope: Complex64, level: usize) {
        self.slopes[id.index()] += slope;
        if self.noise.levels[id.index()] != level {
            *self.drops.entry((id.index(), level)).or_default() += slope;
        }
    }

    /// a·b is read.
    fn factors(&mut self, a: Id, b: Id, slope: Complex64, level: usize, values: &[Complex64]) {
        self.read(a, slope * values[b.index()], level);
        self.read(b, slope * values[a.index()], level);
    }
}
