//! The noise of tables of several digits, and how often they fail.
//!
//! With all digits but one fixed, a table of several digits is a table of that digit, and errors of the
//! digit's point z reach the result as they do in a table of one digit: of an angle of ε turns and a radius
//! that is off by ρ at most 1.3·E·|t|^(order + 1) is left, |t|² = (2πpε)² + (pρ)² ([`characters::flattened`]), with
//! E a convolution of the table along the digit with the numbers of the table (1, 0, …, 0). To that come
//! * what the **characters'** own circuit, conjugations and products add. For a digit's circuit it is s·K·s
//!   with s the coefficients of the table along the digit, Σs² ≤ 2·(1/2)² whatever the table, and K the
//!   covariance of the characters' noise, at most its trace, wherever the digit's point may be;
//! * errors of digits on **errors of others**: with P_i what digit i's error makes of a function, and N_i its noise,
//!   the error is Π_i(1 + P_i + N_i) − 1, at most the sum of the digits' own times Π_i(1 + |P_i| + |N_i|);
//! * the **rounding** of the table's coefficients to integers, which is known exactly;
//! * **SlotsToCoeffs**, and the rounding of results.
//!
//! After the matrix product, values are as large as the factor of slots, so that what is added there is as
//! nothing.
//!
//! Errors of what is left of a message add up from digit to digit, as those of
//! [`TableNoise::of_digits`](crate::ckks::TableNoise::of_digits) do.
//! ("Larger tables with CKKS", appendix D, has worst-case bounds of the paper's algorithms.)
use std::collections::HashMap;
use std::f64::consts::TAU;
use std::hash::Hash;

use bootes_lattice::noise::failure::{log2_failure, sum_log2};
use bootes_schemes::ckks::bootstrap::Transforms;
use bootes_schemes::ckks::noise::{CircuitNoise, ErrorBound, OutputNoise, SlotNoise};
use bootes_schemes::polyeval::{ArithmeticCircuit, Gate};
use num_complex::Complex64;

use super::{DigitPlan, LargeTable, Shape, check_levels};
use crate::ckks::noise::{CircleNoise, PhaseNoise, WayBack};
use crate::ckks::tables::whole::centred;
use crate::ckks::{TableParams, characters};
use crate::{CkksLutError, Lut, LutError, planning};

/// Parts of the variance, in this order.
const SOURCES: [&str; 4] = ["characters", "products", "rounding", "SlotsToCoeffs"];

/// Entries over which what a digit's characters add is averaged, for the standard deviation; no bound depends on it.
const SAMPLES: usize = 32;

/// Points from the message to the largest angle, at which a circuit's noise is read.
const OFFSETS: i32 = 2;

/// The predicted error of the results of a table of several digits, as a fraction of half the distance of
/// messages, 1/(2p'): 1 is failure.
#[derive(Debug, Clone)]
pub struct LargeNoise {
    /// Mean variances.
    sources: [f64; SOURCES.len()],
    /// The largest error that has no variance, of the worst entry.
    bias: f64,
    /// The variance of the worst entry and phase.
    worst: SlotNoise,
    /// log2 of the probability that a digit's angle or radius is beyond what the bias says.
    log2_beyond: f64,
    max_slot_value: f64,
    out_modulus: f64,
}

/// The entries f/p' of a table, or of one as good as any.
struct Values {
    all: Vec<f64>,
    /// Whether errors are to be those of any table.
    any: bool,
    /// Errors of coefficients: the largest, and the variance, as parts of half the distance of
    /// messages.
    rounding: [f64; 2],
}

/// A digit's point on the circle, and its characters.
struct Digit<'a> {
    params: &'a TableParams,
    transforms: &'a Transforms,
    circle: &'a CircleNoise,
    plan: &'a DigitPlan,
}

impl Digit<'_> {
    /// The most that |pε| and |pρ| come to where its circuit takes the point, for messages with this error in turns of
    /// the digit.
    fn distance(&self, message: ErrorBound, circuit_depth: usize) -> [f64; 2] {
        let (ckks, circle, p) = (self.params.ckks(), self.circle, self.plan.modulus as f64);
        let dropped = ckks.rounding_noise(ckks.scale(self.plan.level + circuit_depth));
        let u = ckks.max_slot_value();
        let of = |phase: &PhaseNoise| {
            let angle = circle.angle + phase.angle + dropped * (0.5 / (TAU * TAU));
            let angle = message.plus(ErrorBound::unbiased(angle)).times(p).most(u) + p * circle.angle_bias;
            let radius = ErrorBound { bias: phase.bias, noise: (phase.noise + dropped) * 0.5 };
            [angle, radius.times(p).most(u)]
        };
        circle.phases.iter().map(of).fold([0.0; 2], |most, found| [most[0].max(found[0]), most[1].max(found[1])])
    }

    /// The noise that a conjugation adds to a character.
    fn conjugation(&self) -> SlotNoise {
        let ckks = self.params.ckks();
        // Of A and of B, or of both halves.
        ckks.rotation_noise(self.plan.level, ckks.scale(self.plan.level))
            * if self.plan.factor < 1.0 { 2.0 } else { 1.0 }
    }

    /// The factor of the variance of the complex error of a character's ciphertext: that of its real
    /// part, half of it, times the square of what makes it the character.
    fn part(&self) -> f64 {
        0.5 * (2.0 / self.plan.factor).powi(2)
    }

    /// The most of a noise that is made of a circuit's outputs, by sums, where the digit's point is off by at most |pε|
    /// ≤ `angle` and |pρ| ≤ `radius`.
    ///
    /// It is read at a grid of points. Between them it is off the line through them by h²/8 times its second
    /// derivative, which is at most (2πn/p)² times the most that there is on the circle for angles, and (2n/p)² times
    /// that for radii, of polynomials of degree n.
    fn near(
        &self,
        circuit: &ArithmeticCircuit,
        [angle, radius]: [f64; 2],
        of: impl Fn(&[OutputNoise]) -> SlotNoise + Sync,
    ) -> SlotNoise {
        let p = self.plan.modulus;
        let reading = CircuitNoise::new(self.params.ckks(), circuit, self.plan.level + circuit.depth());
        let degree = f64::from(self.plan.order + 1);
        let length = (self.plan.order as usize + 1) * p + 1;
        let circle = reading.on_circle(length, |outputs| vec![of(outputs)])[0] * (2.0 * degree * radius).exp();
        let step = angle / f64::from(OFFSETS);
        let between = ((TAU * degree * step).powi(2) + (4.0 * degree * radius).powi(2)) / 8.0;
        let mut most = SlotNoise::default();
        for d in 0..p {
            for offset in -OFFSETS..=OFFSETS {
                let turns = TAU * (d as f64 + step * f64::from(offset)) / p as f64;
                for rho in [-radius, radius] {
                    most = most.max(of(&reading.at(Complex64::from_polar((rho / p as f64).exp(), turns))));
                }
            }
        }
        most + circle * between
    }

    /// The variance that all characters but 1 have together, of their circuit and of conjugations, where the point is
    /// so far off: the worst digit.
    fn trace(&self, distance: [f64; 2]) -> Result<SlotNoise, LutError> {
        let (circuit, p) = (self.plan.circuit(None)?, self.plan.modulus);
        let sum = |outputs: &[OutputNoise]| {
            // Both parts of each.
            outputs.iter().fold(SlotNoise::default(), |sum, output| sum + output.added) * (2.0 * self.part())
        };
        Ok(self.near(&circuit, distance, sum) + self.conjugation() * (p - 1) as f64)
    }

    /// The error that they add to the table of these entries of the digit at entry `d`.
    fn added(&self, line: &[f64], d: usize) -> Result<f64, LutError> {
        let p = self.plan.modulus;
        let spectrum = characters::spectrum(line);
        let mut circuit = self.plan.circuit(None)?;
        // One output more, a combination of the others with constants so large that its own rounding is
        // nothing.
        const LARGE: f64 = (1u64 << 30) as f64;
        let terms = circuit.outputs().iter().zip(&spectrum[1..]).map(|(&id, &gamma)| (id, gamma * LARGE));
        let gate = Gate::Combination { terms: terms.collect(), constant: Complex64::ZERO };
        let sum = circuit.push(gate);
        circuit.output(sum);
        let reading = CircuitNoise::new(self.params.ckks(), &circuit, self.plan.level + circuit.depth() - 1);
        let outputs = reading.at(Complex64::cis(TAU * d as f64 / p as f64));
        let own = outputs.last().map_or(0.0, |output| output.added.mean()) / (LARGE * LARGE);
        let conjugations = spectrum[1..].iter().map(Complex64::norm_sqr).sum::<f64>() * self.conjugation().mean();
        Ok(own * self.part() + conjugations)
    }
}

/// Readings of digits' circuits, which take long and do not depend on tables, or on little of them: of equal digits, at
/// equal distances from their points, they are made once.
#[derive(Debug, Default)]
pub struct Readings {
    traces: HashMap<(PlanKey, [u64; 2]), SlotNoise>,
    /// What is left of messages modulo this, in ciphertexts of a modulus, without the digit.
    rests: HashMap<(PlanKey, [u64; 2], u64, u32), ErrorBound>,
    /// What is added to a digit's table of these entries, at an entry.
    added: HashMap<(PlanKey, Vec<u64>, usize), f64>,
}

/// p, order and level of a digit, and the factor of its parts.
type PlanKey = (usize, u32, usize, u64);

fn key(plan: &DigitPlan) -> PlanKey {
    (plan.modulus, plan.order, plan.level, plan.factor.to_bits())
}

/// What is known by this key, or found now.
fn known<K: Hash + Eq, V: Copy>(
    all: &mut HashMap<K, V>,
    key: K,
    find: impl FnOnce() -> Result<V, LutError>,
) -> Result<V, LutError> {
    if let Some(&found) = all.get(&key) {
        return Ok(found);
    }
    planning::wanted()?;
    let found = find()?;
    all.insert(key, found);
    Ok(found)
}

/// Along the digit of size p and this stride the largest |Σ_k f(… k …)·weights\[(d − k) mod p\]| of all entries.
fn largest_convolved(values: &[f64], p: usize, stride: usize, weights: &[Complex64]) -> f64 {
    // Weights from −k on are from p − k on, of two periods.
    let periods = |part: fn(&Complex64) -> f64| weights.iter().chain(weights).map(part).collect::<Vec<_>>();
    let parts = [periods(|w| w.re), periods(|w| w.im)];
    let mut sums = [vec![0.0; p * stride], vec![0.0; p * stride]];
    let mut largest: f64 = 0.0;
    for line in values.chunks_exact(p * stride) {
        for (part, sums) in parts.iter().zip(&mut sums) {
            characters::combine(line, stride, |k| &part[p - k..2 * p - k], sums);
        }
        largest = sums[0].iter().zip(&sums[1]).fold(largest, |largest, (re, im)| largest.max(re * re + im * im));
    }
    largest.sqrt()
}

impl LargeNoise {
    /// The prediction for inputs modulo 2^a in ciphertexts of this modulus with errors of `input` turns.
    ///
    /// # Errors
    /// [`CkksLutError::OtherSet`] for a table that was prepared with another set; [`CkksError::Exhausted`] if the
    /// set has too few levels; what encodings refuse.
    ///
    /// [`CkksError::Exhausted`]: bootes_schemes::ckks::CkksError::Exhausted
    pub fn predict(
        params: &TableParams,
        transforms: &Transforms,
        table: &LargeTable,
        log2_modulus: u32,
        input: ErrorBound,
    ) -> Result<Self, LutError> {
        Self::reading(params, transforms, table, (log2_modulus, input), &mut Readings::default())
    }

    /// [`Self::predict`], with what was read for other tables of the same set.
    ///
    /// # Errors
    /// As [`Self::predict`].
    pub fn reading(
        params: &TableParams,
        transforms: &Transforms,
        table: &LargeTable,
        (log2_modulus, input): (u32, ErrorBound),
        readings: &mut Readings,
    ) -> Result<Self, LutError> {
        table.check(params, transforms)?;
        let values = Values { all: table.values(params), any: false, rounding: table.rounding };
        let of = (&table.shape, table.out_modulus);
        Self::of(params, transforms, of, &values, (log2_modulus, input), readings)
    }

    /// The same of any table of this shape onto Z_p', p' = `out_modulus`: errors are those of the worst, and
    /// the standard deviation is that of a table without structure. What is wrong with coefficients has at
    /// most `rounding`, and this variance, as parts of half the distance of messages.
    ///
    /// An angle and a radius change an entry by Σ_k f(k)·w_(d−k) with Σ_k w_k = 0, at most ½Σ|w_k| for
    /// |f| ≤ ½.
    ///
    /// # Errors
    /// As [`Self::predict`].
    pub fn predict_any(
        params: &TableParams,
        transforms: &Transforms,
        shape: &Shape,
        out_modulus: u64,
        rounding: [f64; 2],
        log2_modulus: u32,
        input: ErrorBound,
    ) -> Result<Self, LutError> {
        check_levels(shape, params, transforms)?;
        let table = Lut::unstructured_modulo(shape.entries());
        let all = centred(&table).into_iter().map(|v| v / table.out_modulus() as f64).collect();
        let values = Values { all, any: true, rounding };
        let readings = &mut Readings::default();
        Self::of(params, transforms, (shape, out_modulus), &values, (log2_modulus, input), readings)
    }

    fn of(
        params: &TableParams,
        transforms: &Transforms,
        (shape, out_modulus): (&Shape, u64),
        values: &Values,
        (log2_modulus, input): (u32, ErrorBound),
        readings: &mut Readings,
    ) -> Result<Self, LutError> {
        let (ckks, any) = (params.ckks(), values.any);
        let (circle, end) = (CircleNoise::new(params, transforms), params.sums_level());
        let (n, low) = (shape.moduli().len(), shape.summed().len() + shape.row_levels());
        let unit = 2.0 * out_modulus as f64;
        let (rounding, values) = (values.rounding, &values.all);
        let square = values.iter().map(|f| f * f).sum::<f64>() / values.len() as f64;
        let largest_square = if any { 0.25 } else { values.iter().fold(0.0, |most: f64, f| most.max(f * f)) };
        let u = ckks.max_slot_value();
        let mut sources = [0.0; SOURCES.len()];
        let (mut bias, mut worst, mut others) = (rounding[0], SlotNoise::default(), 1.0);
        let mut rest = Remainder { input, modulus: shape.entries(), log2_modulus };
        let mut stride = 1;
        for (i, plan) in shape.plans(end).iter().enumerate() {
            let digit = Digit { params, transforms, circle: &circle, plan };
            let p = plan.modulus;
            let step = (values.len() / SAMPLES).max(1) | 1;
            let samples = (0..values.len()).step_by(step).map(|m| {
                let d = m / stride % p;
                let line: Vec<f64> = (0..p).map(|k| values[m - d * stride + k * stride]).collect();
                let bits = line.iter().map(|entry| entry.to_bits()).collect();
                known(&mut readings.added, (key(plan), bits, d), || digit.added(&line, d))
            });
            let samples = samples.collect::<Result<Vec<f64>, LutError>>()?;
            sources[0] += samples.iter().sum::<f64>() / samples.len() as f64 * unit * unit;
            let distance = digit.distance(rest.lowest(plan), plan.circuit(None)?.depth());
            let at = distance.map(f64::to_bits);
            let trace = known(&mut readings.traces, (key(plan), at), || digit.trace(distance))?;
            worst += trace * (0.5 * unit * unit);
            let weights = characters::curvatures(p, plan.order);
            let norm = weights.iter().map(|w| w.norm()).sum::<f64>();
            // The largest of the table, or of any.
            let largest = if any { 0.5 * norm } else { largest_convolved(values, p, stride, &weights) };
            let flattened = |weight| characters::flattened(weight, plan.order, distance[0], distance[1]);
            bias += unit * flattened(largest);
            // Of functions up to 1, where Σs² ≤ 2.
            others *= 1.0 + flattened(norm) + ErrorBound::unbiased(trace * 2.0).most(u);
            if i + 1 < n {
                let of = (key(plan), at, rest.modulus, log2_modulus);
                let result = known(&mut readings.rests, of, || rest.left(&digit, distance))?;
                let (input, modulus) = (rest.input.plus(result), rest.modulus / plan.modulus as u64);
                rest = Remainder { input, modulus, ..rest };
            }
            stride *= p;
        }
        if shape.factors().len() > 1 {
            let product = ckks.product_noise(end + low) * (0.5 * 4.0 * unit * unit);
            sources[1] = product.mean() * square;
            worst += product * 0.25;
        }
        (bias, worst) = (bias * others, worst * (others * others));
        sources[2] = rounding[1];
        // All inputs may be the one of the largest entry.
        let back = |square| {
            let level = params.sums_level();
            WayBack::new(params, transforms, level, params.literal().log2_modulus, [square, largest_square])
        };
        sources[3] = unit * unit * back(square).noise.mean();
        worst += back(largest_square).noise * (unit * unit);
        bias += unit * back(largest_square).fixed;
        Ok(Self {
            sources,
            bias,
            worst,
            // An angle, a radius and noise for each digit, and roundings by chance.
            log2_beyond: (3.0 * n as f64 + 1.0).log2() - 140.0,
            max_slot_value: u,
            out_modulus: out_modulus as f64,
        })
    }

    /// [`Self::predict`], if results keep the promise of the set.
    ///
    /// # Errors
    /// [`CkksLutError::Noise`] if a value is wrong more often than [`TableParams::log2_p_fail`]; as
    /// [`Self::predict`].
    pub fn promised(
        params: &TableParams,
        transforms: &Transforms,
        table: &LargeTable,
        log2_modulus: u32,
        input: ErrorBound,
    ) -> Result<Self, LutError> {
        let noise = Self::predict(params, transforms, table, log2_modulus, input)?;
        let (found, promised) = (noise.log2_failure(), params.log2_p_fail());
        if found <= promised {
            return Ok(noise);
        }
        Err(CkksLutError::Noise { table: 0, found, promised, params: params.name().into() }.into())
    }

    /// The standard deviation over uniform inputs, slots and phases, but for the angles' part.
    #[must_use]
    pub fn std(&self) -> f64 {
        self.sources.iter().sum::<f64>().sqrt()
    }

    /// The part of the variance that each source has.
    pub fn sources(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let total: f64 = self.sources.iter().sum();
        SOURCES.into_iter().zip(self.sources.map(|variance| variance / total))
    }

    /// The bound on the error of a result, in turns: of the worst entry and phase.
    #[must_use]
    pub fn result(&self) -> ErrorBound {
        ErrorBound { bias: self.bias, noise: self.worst }.times(0.5 / self.out_modulus)
    }

    /// log2 of the probability that a value of the worst entry is wrong, in the worst slot that a key may
    /// have.
    #[must_use]
    pub fn log2_failure(&self) -> f64 {
        let noise = log2_failure(1.0 - self.bias, self.worst.at(self.max_slot_value).sqrt());
        sum_log2(&[noise, self.log2_beyond]).min(0.0)
    }
}

/// Bounds of the messages that are left.
struct Remainder {
    /// In turns.
    input: ErrorBound,
    modulus: u64,
    log2_modulus: u32,
}

impl Remainder {
    /// The error of the lowest digit, in turns of its own modulus.
    fn lowest(&self, plan: &DigitPlan) -> ErrorBound {
        self.input.times(self.modulus as f64 / plan.modulus as f64)
    }

    /// What taking off a digit adds, whose point is so far off.
    fn left(&self, digit: &Digit<'_>, [angle, radius]: [f64; 2]) -> Result<ErrorBound, LutError> {
        let (params, ckks, plan) = (digit.params, digit.params.ckks(), digit.plan);
        let values = plan.as_message(self.modulus)?;
        let (p, unit) = (plan.modulus as f64, (self.modulus as f64).recip());
        let circuit = plan.circuit(Some(&values))?;
        let own = digit.near(&circuit, [angle, radius], |outputs| outputs.last().expect("an output").added * 2.0);
        let joined = ckks.rotation_noise(plan.level, ckks.scale(plan.level)) * 0.5;
        let back = WayBack::new(params, digit.transforms, plan.level, self.log2_modulus, [(p * unit).powi(2); 2]);
        let weights = characters::curvatures(plan.modulus, plan.order);
        let largest = largest_convolved(&values, plan.modulus, 1, &weights);
        let bias = characters::flattened(largest, plan.order, angle, radius) + back.fixed;
        Ok(ErrorBound { bias, noise: own + joined + back.noise })
    }
}
