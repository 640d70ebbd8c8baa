//! The noise of functional bootstrapping with CKKS, and how often it fails.
//!
//! The parts of the error of an output, as a fraction of half the distance of messages:
//! * **The angle.** The input's noise, that of raising and the real noise of CoeffsToSlots shift the phase by ε turns; tables flatten that to
//!   C·(pε)^(order + 1) ([`Interpolation::curvatures`](super::Interpolation::curvatures)).
//! * **The circle.** Roundings from the last conjugation of CoeffsToSlots on are complex and leave the circle: the exponential multiplies those
//!   in its variable by 2πK, and the tables what they get by |∂T/∂z|, of the order of p, half of which is radial.
//! * **The tables'** own products and combinations; joining halves; **SlotsToCoeffs**, and the rounding of results to
//!   2^log2_modulus.
//!
//! All but the last are roundings within one slot, so their variance goes with |s(ζ_j)|², and tails are those of
//! [`SlotNoise`]: exponential ones over random keys, not Gaussian ones. Besides, the exponential adds most noise at phases near 0
//! ([`CircleNoise::phases`]).
//!
//! EvalExp has nearly all of it: with K near 15, some 320 times the rounding of one division.
use bootes_lattice::noise::failure::sum_log2;
use bootes_schemes::ckks::Encoder;
use bootes_schemes::ckks::bootstrap::Transforms;
use bootes_schemes::ckks::noise::{CircuitNoise, SlotNoise};
use num_complex::Complex64;
use std::f64::consts::{LOG2_E, TAU};

use super::{BatchParams, PreparedTables, clean};
use crate::LutError;

/// log2 of the failure probability of a whole ciphertext that every evaluation keeps.
pub const LOG2_PROMISE: f64 = -64.0;

/// Steps a turn in the average over phases.
const STEPS: f64 = 4.0;

/// Parts of an output's noise, in this order in [`BatchNoise::sources`].
pub const SOURCES: [&str; 6] = ["angle", "series", "EvalExp input", "EvalExp", "EvalLUT", "SlotsToCoeffs"];

/// The predicted noise of the outputs of one table, as a fraction of half the distance of messages 1/(2p'): 1 is failure.
#[derive(Debug, Clone)]
pub struct BatchNoise {
    /// What the circle's noise is multiplied by, and the rest.
    entries: Vec<(f64, SlotNoise)>,
    phases: Vec<(f64, SlotNoise)>,
    curvatures: Vec<f64>,
    /// ε.
    angle: SlotNoise,
    order: u32,
    sources: [f64; SOURCES.len()],
    log2_capacity: f64,
    log2_overflow: f64,
}

/// What the point on the circle is like before any table: by [`CircleNoise::new`].
#[derive(Debug, Clone, PartialEq)]
pub struct CircleNoise {
    /// The variance of the angle in turns².
    pub angle: SlotNoise,
    /// The variance of complex noise that comes in with the variable.
    pub input: SlotNoise,
    /// The variance of complex noise that the exponential adds.
    pub added: SlotNoise,
    /// The mean square of the error of the series.
    pub series: f64,
    /// Phases x ≥ 0 by probability, with the variance of complex noise there: near 0 it is largest, where T_2(x/K) is least sensitive to x and
    /// the result most to T_2.
    pub phases: Vec<(f64, SlotNoise)>,
}

impl CircleNoise {
    /// The noise of z, averaged over phases as raising distributes them, for inputs with errors of `input_std` turns.
    #[must_use]
    pub fn new(params: &BatchParams, transforms: &Transforms, input_std: f64) -> Self {
        let (ckks, exponential) = (params.ckks(), params.exponential());
        let bound = exponential.bound();
        let turns = input_std * input_std + Transforms::raise_variance(ckks);
        let [real, complex] = transforms.to_slots_noise(ckks, turns);
        let circuit = exponential.circuit();
        let reading = CircuitNoise::new(ckks, &circuit, transforms.slots_level(ckks));
        // A sum of h + 1 uniform numbers is close to a Gaussian where most of them are.
        let variance = Transforms::phase_variance(ckks);
        let mut phases = Vec::new();
        let (mut total, mut series, mut input, mut added) = (0.0, 0.0, SlotNoise::default(), SlotNoise::default());
        for i in 0..(bound * STEPS) as u32 {
            let x = (f64::from(i) + 0.5) / STEPS;
            let weight = (-x * x / (2.0 * variance)).exp();
            let at = reading.at((x / bound).into())[0];
            let through = complex * at.slope.norm_sqr();
            total += weight;
            input += through * weight;
            added += at.added * weight;
            series += weight * (at.value - Complex64::cis(TAU * x)).norm_sqr();
            phases.push((weight, through + at.added));
        }
        phases.iter_mut().for_each(|(weight, _)| *weight /= total);
        let (input, added) = (input * (1.0 / total), added * (1.0 / total));
        // Complex noise of z moves the angle too.
        let angle = real * (bound * bound) + (input + added) * (0.5 / (TAU * TAU));
        let circle = Self { angle, input, added, series: series / total, phases };
        if params.literal().clean_circle {
            return circle.cleaned(clean::modulus_noise(ckks, transforms.slots_level(ckks) - exponential.depth()));
        }
        circle
    }

    /// What [`clean::modulus_of`] leaves: the angle, 3e²/2 of the radial half of all noise e, and its own noise.
    fn cleaned(self, noise: SlotNoise) -> Self {
        let radial = (self.input + self.added).mean() / 2.0 + self.series;
        Self {
            angle: self.angle + noise * (0.5 / (TAU * TAU)),
            input: SlotNoise::default(),
            added: noise,
            series: 6.75 * radial * radial,
            phases: self.phases.into_iter().map(|(weight, _)| (weight, noise)).collect(),
        }
    }
}

impl BatchNoise {
    /// The prediction for each table, for inputs with errors of `input_std` turns.
    ///
    /// # Errors
    /// As [`BatchParams::transforms`].
    pub fn predict(params: &BatchParams, tables: &PreparedTables, input_std: f64) -> Result<Vec<Self>, LutError> {
        let encoder = Encoder::new(params.capacity())?;
        Ok(Self::with_transforms(params, &params.transforms(&encoder)?, tables, input_std))
    }

    /// [`BatchNoise::predict`] with the maps at hand.
    #[must_use]
    pub fn with_transforms(
        params: &BatchParams,
        transforms: &Transforms,
        tables: &PreparedTables,
        input_std: f64,
    ) -> Vec<Self> {
        Self::modulo(params, transforms, tables, input_std, |_| params.literal().log2_modulus)
    }

    /// The same for results of table i modulo 2^`log2_modulus`(i).
    pub(super) fn modulo(
        params: &BatchParams,
        transforms: &Transforms,
        tables: &PreparedTables,
        input_std: f64,
        log2_modulus: impl Fn(usize) -> u32,
    ) -> Vec<Self> {
        let ckks = params.ckks();
        let circle = CircleNoise::new(params, transforms, input_std);
        let top = transforms.slots_level(ckks) - params.circle_depth();
        let reading = CircuitNoise::new(ckks, tables.circuit(), top);
        // Of results, in turns².
        let weight = f64::from(params.literal().weight);
        let rounding = |i| (1.0 + weight) / 12.0 * (-2.0 * f64::from(log2_modulus(i))).exp2();
        let p = tables.in_modulus();
        let at = |m| reading.at(Complex64::cis(TAU * m as f64 / p as f64));
        let outputs: Vec<_> = (0..p).map(at).collect();
        let levels = tables.circuit().output_levels();
        (0..levels.len())
            .map(|i| {
                let outputs: Vec<_> = outputs.iter().map(|at| at[i]).collect();
                let mean_of = |f: &dyn Fn(usize) -> f64| (0..outputs.len()).map(f).sum::<f64>() / outputs.len() as f64;
                // Two real parts make one complex slot.
                let signal = 2.0 * mean_of(&|m| (2.0 * outputs[m].value.re).powi(2));
                let level = top - levels[i];
                let mut joined = ckks.rotation_noise(level, ckks.scale(level));
                if level != transforms.coeffs_level() {
                    joined += ckks.rounding_noise(ckks.scale(transforms.coeffs_level()));
                }
                let end = transforms.to_coeffs_noise(ckks, joined, signal) + SlotNoise::flat(rounding(i));
                let unit = (2.0 * tables.out_moduli()[i] as f64).powi(2);
                let order = params.literal().order;
                let curvatures: Vec<f64> = tables.interpolations()[i].curvatures().iter().map(|c| 2.0 * c).collect();
                // 2·Re(e) has twice the variance of e.
                let part = |m: usize| {
                    let slope = 2.0 * unit * outputs[m].slope.norm_sqr();
                    let series = SlotNoise::flat(slope * circle.series);
                    [series, circle.input * slope, circle.added * slope, outputs[m].added * (2.0 * unit), end * unit]
                };
                let entry = |m: usize| {
                    let [series, _, _, tables, end] = part(m);
                    (2.0 * unit * outputs[m].slope.norm_sqr(), series + tables + end)
                };
                let moment = moment(order + 1, circle.angle) * (p as f64).powi(2 * (order as i32 + 1));
                let mut sources = [0.0; SOURCES.len()];
                sources[0] = moment * mean_of(&|m| curvatures[m].powi(2));
                (0..5).for_each(|s| sources[s + 1] = mean_of(&|m| part(m)[s].mean()));
                Self {
                    entries: (0..outputs.len()).map(entry).collect(),
                    phases: circle.phases.clone(),
                    curvatures,
                    angle: circle.angle * (p as f64).powi(2),
                    order,
                    sources,
                    log2_capacity: (params.capacity() as f64).log2(),
                    log2_overflow: params.log2_overflow(),
                }
            })
            .collect()
    }

    /// The noise that is promised for each table: for inputs that are fresh, or results of a table like it with the same set.
    ///
    /// # Errors
    /// [`LutError::BatchNoise`] if a ciphertext of some table fails more often than 2^[`LOG2_PROMISE`].
    pub fn promised(
        params: &BatchParams,
        transforms: &Transforms,
        tables: &PreparedTables,
    ) -> Result<Vec<Self>, LutError> {
        let fresh = Self::with_transforms(params, transforms, tables, params.input_std());
        let result = fresh.iter().map(|noise| noise.std() / (2.0 * tables.in_modulus() as f64)).fold(0.0, f64::max);
        let all = Self::with_transforms(params, transforms, tables, params.input_std().hypot(result));
        let failure = |noise: &Self| noise.log2_ciphertext_failure()[0];
        match all.iter().position(|noise| failure(noise) > LOG2_PROMISE) {
            Some(table) => {
                let log2_failure = failure(&all[table]);
                Err(LutError::BatchNoise { table, log2_failure, params: params.name().into() })
            }
            None => Ok(all),
        }
    }

    /// The standard deviation over uniform inputs.
    #[must_use]
    pub fn std(&self) -> f64 {
        self.sources.iter().sum::<f64>().sqrt()
    }

    /// The largest standard deviation of an entry but for the angle's part.
    #[must_use]
    pub fn worst_std(&self) -> f64 {
        (0..self.entries.len()).map(|m| self.variance(m, 1.0)).fold(0.0, f64::max).sqrt()
    }

    /// The variance of the noise of input `entry` in a slot with |s(ζ_j)|² = h·`keyed`, but for the angle's part; over all phases.
    #[must_use]
    pub fn variance(&self, entry: usize, keyed: f64) -> f64 {
        let at = |(weight, noise): (f64, SlotNoise)| weight * (noise.flat + noise.keyed * keyed);
        self.phases(entry).map(at).sum()
    }

    /// The probabilities of phases, and the noise of an entry there.
    fn phases(&self, entry: usize) -> impl Iterator<Item = (f64, SlotNoise)> {
        let (factor, rest) = self.entries[entry];
        self.phases.iter().map(move |&(weight, noise)| (weight, noise * factor + rest))
    }

    /// What each source has of the variance.
    pub fn sources(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let total: f64 = self.sources.iter().sum();
        SOURCES.into_iter().zip(self.sources.map(|source| source / total))
    }

    /// The standard deviation of pε, the input's distance from its message as a part of the distance of messages.
    #[must_use]
    pub fn angle_std(&self) -> f64 {
        self.angle.mean().sqrt()
    }

    /// log2 of the probability that a value of the worst entry is wrong, over keys and noise, unless its phase was beyond K.
    #[must_use]
    pub fn log2_failure(&self) -> f64 {
        let worst = (0..self.entries.len()).max_by(|&a, &b| self.variance(a, 1.0).total_cmp(&self.variance(b, 1.0)));
        let curvature = self.curvatures.iter().fold(0.0, |c: f64, x| c.max(x.abs()));
        self.log2_failure_with(worst.expect("a table has entries"), curvature, |noise| noise)
    }

    /// The same for input `entry`.
    #[must_use]
    pub fn log2_entry_failure(&self, entry: usize) -> f64 {
        self.log2_failure_with(entry, self.curvatures[entry].abs(), |noise| noise)
    }

    /// The same in a slot with |s(ζ_j)|² = h·`keyed`: over noise alone, which is Gaussian there.
    #[must_use]
    pub fn log2_slot_failure(&self, entry: usize, keyed: f64) -> f64 {
        let within = |noise: SlotNoise| SlotNoise::flat(noise.flat + noise.keyed * keyed);
        self.log2_failure_with(entry, self.curvatures[entry].abs(), within)
    }

    /// Σ_i P(d_(i+1) < |pε| ≤ d_i)·P(|noise| > 1 − C·d_i^(order + 1)) for d_0 = 1/2, beyond which all is lost, d_(i+1) = d_i·2^(−1/4), the
    /// last interval being that from 0. `slot` makes noise that over keys to that in a slot.
    fn log2_failure_with(&self, entry: usize, curvature: f64, slot: impl Fn(SlotNoise) -> SlotNoise) -> f64 {
        let phases: Vec<_> = self.phases(entry).map(|(weight, noise)| (weight, slot(noise))).collect();
        let angle = slot(self.angle);
        let distance = |i: i32| 0.5 * (-0.25 * f64::from(i)).exp2();
        let beyond: Vec<f64> = (0..=40).map(|i| angle.log2_failure(distance(i))).collect();
        let noise = |i: i32| {
            let window = 1.0 - curvature * distance(i).powi(self.order as i32 + 1);
            let tail = |(weight, noise): &(f64, SlotNoise)| weight.log2() + noise.log2_failure(window);
            sum_log2(&phases.iter().map(tail).collect::<Vec<_>>()).min(0.0)
        };
        // log2(2^a − 2^b).
        let between = |(i, pair): (i32, &[f64])| pair[1] + (1.0 - (pair[0] - pair[1]).exp2()).log2() + noise(i);
        let mut terms: Vec<f64> =
            (0..).zip(beyond.windows(2)).filter(|(_, pair)| pair[1] > -1e6).map(between).collect();
        terms.extend([beyond[0], noise(40) + (-beyond[40].exp2()).ln_1p() * LOG2_E]);
        sum_log2(&terms).min(0.0)
    }

    /// log2 of the probabilities that any of a ciphertext's N values is wrong by noise, and that any raised phase is beyond K.
    #[must_use]
    pub fn log2_ciphertext_failure(&self) -> [f64; 2] {
        [(self.log2_failure() + self.log2_capacity).min(0.0), self.log2_overflow]
    }
}

/// E ε^(2n) of ε with this variance; u has the moments E u^k = k!.
fn moment(n: u32, noise: SlotNoise) -> f64 {
    // Σ_k C(n, k)·flat^(n−k)·keyed^k·k!, times (2n − 1)!!.
    let (mut term, mut sum) = (1.0, 0.0);
    for k in 0..=n {
        sum += term * noise.flat.powi((n - k) as i32) * noise.keyed.powi(k as i32);
        term *= f64::from(n - k);
    }
    (1..=n).map(|i| f64::from(2 * i - 1)).product::<f64>() * sum
}
