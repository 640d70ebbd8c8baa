//! The noise of functional bootstrapping with CKKS, and how often it fails.
//!
//! The parts of the error of an output, as a fraction of half the distance of messages:
//! * **The angle.** The input's error, the noise of raising and the real noise of CoeffsToSlots shift the phase by ε
//!   turns; tables flatten that to A(pε) (`response`), of which C·(pε)^(order + 1)
//!   ([`Interpolation::curvatures`](super::Interpolation::curvatures)) is the first term and no bound.
//! * **The circle.** Roundings from the last conjugation of CoeffsToSlots on are complex and leave the circle: the
//!   exponential multiplies those in its variable by 2πK, and the tables what they get by |∂T/∂z|, of the order of p,
//!   half of which is radial.
//! * **The tables'** own products and combinations, the most that there is anywhere on the circle
//!   ([`CircuitNoise::on_circle`]); joining halves; **SlotsToCoeffs**, and the rounding of results to 2^log2_modulus.
//!
//! Tables that are not known, of which an attacker may choose any, are bounded by dual norms over all of them
//! ([`TableNoise::any`]). The noise of single steps of circuits is that of first order: the second is less by the noise
//! itself, 2^-10 and less where a value decrypts.
//!
//! All but the last are roundings within one slot, so their variance goes with the key's value u = |s(ζ_j)|²/h there.
//! Coefficient k of a result comes from the slot to which coefficient k of an input goes: in a chain of tables the same
//! u is in the input's error, in the angle and on the circle. So failure is computed for one slot, where all of these
//! are independent Gaussians, and for the worst that a key may have
//! ([`max_slot_value`](bootes_schemes::rlwe::RlweParams::max_slot_value)); it is not averaged over keys. Besides, the
//! exponential adds most noise at phases near 0 ([`CircleNoise::phases`]).
//!
//! **Chains.** What is known of a result's error is an [`ErrorBound`], which travels with it; the flattened angle is
//! its bias, which does not average out in sums and is the square of what the next table squares again.
//!
//! EvalExp has nearly all of the noise: with K = 20.5, some 400 times the rounding of one division.
use bootes_lattice::noise::failure::{log2_failure, sum_log2};
use bootes_schemes::ckks::bootstrap::Transforms;
use bootes_schemes::ckks::noise::{CircuitNoise, ErrorBound, SlotNoise};
use num_complex::Complex64;
use std::f64::consts::{LOG2_E, TAU};

use super::response::{Reach, Response};
use super::{PreparedTables, TableParams, clean};
use crate::{CkksLutError, Lut, LutError};

/// Steps a turn in the average over phases.
const STEPS: f64 = 4.0;

/// The most that noise between two steps is larger than at them: (θ/sin θ)² for θ = 2πK·(1/8K)/4.
const PEAK: f64 = 1.02;

/// log2 of the probability that something is beyond a bound which counts as certain: the radius, its mean's part, the
/// circle's, the noise of inputs, each but for 2^-140.
pub(super) const LOG2_BEYOND: f64 = -138.0;

/// Parts of an output's noise, in this order in [`TableNoise::sources`].
pub const SOURCES: [&str; 6] = ["angle", "series", "EvalExp input", "EvalExp", "EvalLUT", "SlotsToCoeffs"];

/// The predicted error of the outputs of one table, as a fraction of half the distance of messages 1/(2p'): 1 is
/// failure.
#[derive(Debug, Clone)]
pub struct TableNoise {
    entries: Vec<Entry>,
    response: Response,
    /// The largest |pρ| that counts.
    radius: f64,
    /// For distances [`distance`]\(i\) of angles.
    reaches: Vec<Reach>,
    /// The most noise of the tables' own, wherever the point is.
    added: SlotNoise,
    circle: CircleNoise,
    /// In turns.
    input: ErrorBound,
    order: u32,
    max_slot_value: f64,
    /// Mean variances, but for the angle's.
    sources: [f64; SOURCES.len() - 1],
    in_modulus: f64,
    out_modulus: f64,
    /// The noise of the way back to an RLWE ciphertext.
    back: WayBack,
}

/// Errors of the way from slots to an RLWE ciphertext.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct WayBack {
    /// SlotsToCoeffs and the rounding of results.
    pub(super) noise: SlotNoise,
    /// The largest error of SlotsToCoeffs' rounded numbers: [`aligned`].
    pub(super) fixed: f64,
}

impl WayBack {
    /// From `level` to a ciphertext modulo 2^`log2_modulus`, of real values with this mean square and largest square;
    /// in turns.
    pub(super) fn new(
        params: &TableParams,
        transforms: &Transforms,
        level: usize,
        log2_modulus: u32,
        [mean, largest]: [f64; 2],
    ) -> Self {
        let (ckks, factor) = (params.ckks(), params.slot_factor().powi(2));
        let rescaled = match level == transforms.coeffs_level() {
            true => SlotNoise::default(),
            false => ckks.rounding_noise(ckks.scale(transforms.coeffs_level())),
        };
        // Two real values make one complex slot.
        let of = |noise, square: f64| transforms.to_coeffs_noise(ckks, noise, 2.0 * square * factor) * factor.recip();
        let noise = of(rescaled * factor, mean) + params.rounding_error(log2_modulus).noise;
        Self { noise, fixed: aligned(ckks.degree(), of(SlotNoise::default(), largest)) }
    }

    fn times(self, factor: f64) -> Self {
        Self { noise: self.noise * factor.powi(2), fixed: self.fixed * factor }
    }
}

/// The effect of a table on the circle's errors at one entry, near it.
#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    /// C of C·(pε)^(order + 1).
    curvature: f64,
    /// The factor of the variance of complex noise.
    gain: f64,
    /// The table's own noise, that of joining halves among it.
    added: SlotNoise,
}

/// Distances of angles that failure is computed for.
const DISTANCES: i32 = 80;

/// From 1/2, beyond which all is lost, to 2^-11, each 2^(−1/8) times the one before.
fn distance(i: i32) -> f64 {
    0.5 * (-f64::from(i) / 8.0).exp2()
}

/// Errors of the point on the circle at some phase.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PhaseNoise {
    /// The probability of the phase.
    pub weight: f64,
    /// The variance of complex noise, half of which is radial.
    pub noise: SlotNoise,
    /// The variance of the angle, in turns², that complex noise adds.
    pub angle: SlotNoise,
    /// The largest radial error that has no variance.
    pub bias: f64,
}

/// The noise of the point on the circle before any table: by [`CircleNoise::new`].
#[derive(Debug, Clone, PartialEq)]
pub struct CircleNoise {
    /// The variance of the angle in turns², but for the input's error and what complex noise adds to it.
    pub angle: SlotNoise,
    /// The largest angle in turns that the error of the series makes.
    pub angle_bias: f64,
    /// The mean variance of complex noise that comes in with the variable.
    pub input: SlotNoise,
    /// The mean variance of complex noise that the exponential adds.
    pub added: SlotNoise,
    /// The mean square of the error of the series.
    pub series: f64,
    /// Phases x ≥ 0: near 0 noise is largest, where T_2(x/K) is least sensitive to x and the result most to T_2.
    pub phases: Vec<PhaseNoise>,
}

impl CircleNoise {
    /// The noise of z at phases as raising distributes them, for inputs without errors.
    #[must_use]
    pub fn new(params: &TableParams, transforms: &Transforms) -> Self {
        let (ckks, exponential) = (params.ckks(), params.exponential());
        let bound = exponential.bound();
        // The switch to q_0 rounds too.
        let turns = Transforms::raise_variance(ckks) + params.rounding_variance() / ckks.prime(0).powi(2);
        let [real, complex] = transforms.to_slots_noise(ckks, turns);
        let angle = real * (bound * bound);
        let circuit = exponential.circuit();
        let reading = CircuitNoise::new(ckks, &circuit, transforms.slots_level(ckks));
        // A sum of h + 1 uniform numbers is close to a Gaussian where most of them are.
        let variance = Transforms::phase_variance(ckks);
        let half_angle = 0.5 / (TAU * TAU);
        // All of the series' error may be along the circle.
        let (angle_bias, none) = (exponential.error() / TAU, SlotNoise::default());
        let mut circle = Self { angle, angle_bias, input: none, added: none, series: 0.0, phases: Vec::new() };
        let mut second: f64 = 0.0;
        let mut total = 0.0;
        for i in 0..(bound * STEPS) as u32 {
            let x = (f64::from(i) + 0.5) / STEPS;
            let weight = (-x * x / (2.0 * variance)).exp();
            let at = reading.at((x / bound).into())[0];
            let through = complex * at.slope.norm_sqr();
            total += weight;
            circle.input += through * weight;
            circle.added += at.added * weight;
            circle.series += weight * (at.value - Complex64::cis(TAU * x)).norm_sqr();
            let noise = (through + at.added) * PEAK;
            // The second order of ln(1 + e) and of |1 + e|, |e|²/2.
            let square = 0.5 * ErrorBound::unbiased(noise).most(ckks.max_slot_value()).powi(2);
            second = second.max(square);
            let bias = exponential.error() + square;
            // Complex noise of z moves the angle too.
            circle.phases.push(PhaseNoise { weight, noise, angle: noise * half_angle, bias });
        }
        circle.angle_bias += second / TAU;
        circle.phases.iter_mut().for_each(|phase| phase.weight /= total);
        circle.input = circle.input * (1.0 / total);
        circle.added = circle.added * (1.0 / total);
        circle.series /= total;
        if params.literal().clean_circle {
            let level = transforms.slots_level(ckks) - exponential.depth();
            return circle.cleaned(clean::modulus_noise(ckks, level), ckks.max_slot_value());
        }
        circle
    }

    /// The noise after [`clean::modulus_of`]: the angle, 3e²/2 of the radial half of all errors e, and its own noise.
    fn cleaned(self, noise: SlotNoise, max_slot_value: f64) -> Self {
        let radial = (self.input + self.added).mean() / 2.0 + self.series;
        let second = 0.5 * ErrorBound::unbiased(noise).most(max_slot_value).powi(2);
        let clean = |phase: PhaseNoise| {
            let radial = ErrorBound { bias: phase.bias, noise: phase.noise * 0.5 }.most(max_slot_value);
            PhaseNoise {
                weight: phase.weight,
                noise,
                angle: phase.angle + noise * (0.5 / (TAU * TAU)),
                bias: 1.5 * radial * radial + 0.5 * radial.powi(3) + second,
            }
        };
        Self {
            angle: self.angle,
            angle_bias: self.angle_bias,
            input: SlotNoise::default(),
            added: noise,
            series: 6.75 * radial * radial,
            phases: self.phases.into_iter().map(clean).collect(),
        }
    }

    /// The bound of radial errors at the worst phase but with a probability of 2^-140, in a slot of the value `u`.
    fn most_radius(&self, u: f64) -> f64 {
        let most = |phase: &PhaseNoise| ErrorBound { bias: phase.bias, noise: phase.noise * 0.5 }.most(u);
        self.phases.iter().map(most).fold(0.0, f64::max)
    }

    /// The mean variance of the angle in turns².
    #[must_use]
    pub fn mean_angle(&self) -> SlotNoise {
        self.phases.iter().fold(self.angle, |sum, phase| sum + phase.angle * phase.weight)
    }
}

/// The properties of a table, or of all, that noise depends on.
struct Read {
    entries: Vec<Entry>,
    response: Response,
    /// Wherever the point is.
    added: SlotNoise,
    order: u32,
    /// p and p'.
    moduli: [u64; 2],
    /// The level of the result in slots.
    level: usize,
    /// The mean and the largest of (f(m)/p')².
    squares: [f64; 2],
}

impl Read {
    fn noise(
        self,
        params: &TableParams,
        transforms: &Transforms,
        circle: CircleNoise,
        input: ErrorBound,
        log2_modulus: u32,
    ) -> TableNoise {
        let ckks = params.ckks();
        let [in_modulus, out_modulus] = self.moduli.map(|modulus| modulus as f64);
        let unit = (2.0 * out_modulus).powi(2);
        // Errors of slots reach pairs of values.
        let joined = ckks.rotation_noise(self.level, ckks.scale(self.level)) * (0.5 * unit);
        let back = WayBack::new(params, transforms, self.level, log2_modulus, self.squares).times(2.0 * out_modulus);
        let mean_of = |f: fn(&Entry) -> f64| self.entries.iter().map(f).sum::<f64>() / self.entries.len() as f64;
        let gain = mean_of(|entry| entry.gain);
        let sources = [
            circle.series * gain,
            circle.input.mean() * gain,
            circle.added.mean() * gain,
            mean_of(|entry| entry.added.mean()),
            (joined + back.noise).mean(),
        ];
        let radius = in_modulus * circle.most_radius(ckks.max_slot_value());
        // A polynomial of degree n grows by e^(nρ) at most off the circle.
        let off_circle = (2.0 * self.response.degree() * radius / in_modulus).exp();
        TableNoise {
            entries: self.entries.into_iter().map(|entry| Entry { added: entry.added + joined, ..entry }).collect(),
            reaches: self.response.reaches(distance(0), DISTANCES, radius),
            response: self.response,
            radius,
            added: self.added * off_circle + joined,
            circle,
            input,
            order: self.order,
            max_slot_value: ckks.max_slot_value(),
            sources,
            in_modulus,
            out_modulus,
            back,
        }
    }
}

impl TableNoise {
    /// The prediction for each table, for inputs with errors of `input` turns.
    #[must_use]
    pub fn predict(
        params: &TableParams,
        transforms: &Transforms,
        tables: &PreparedTables,
        input: ErrorBound,
    ) -> Vec<Self> {
        Self::modulo(params, transforms, tables, input, |_| params.literal().log2_modulus)
    }

    /// The same for results of table i modulo 2^`log2_modulus`(i).
    pub(super) fn modulo(
        params: &TableParams,
        transforms: &Transforms,
        tables: &PreparedTables,
        input: ErrorBound,
        log2_modulus: impl Fn(usize) -> u32,
    ) -> Vec<Self> {
        let ckks = params.ckks();
        let top = transforms.slots_level(ckks) - params.circle_depth();
        let reading = CircuitNoise::new(ckks, tables.circuit(), top);
        let p = tables.in_modulus();
        let at = |m| reading.at(Complex64::cis(TAU * m as f64 / p as f64));
        let outputs: Vec<_> = (0..p).map(at).collect();
        let length = tables.interpolations().iter().map(|table| table.coefficients().len()).max().unwrap_or(1);
        let most_added = reading.on_circle(length, |outputs| outputs.iter().map(|output| output.added).collect());
        let (levels, circle) = (tables.circuit().output_levels(), CircleNoise::new(params, transforms));
        (0..levels.len())
            .map(|i| {
                let outputs: Vec<_> = outputs.iter().map(|at| at[i]).collect();
                let squares: Vec<f64> = outputs.iter().map(|output| (2.0 * output.value.re).powi(2)).collect();
                let mean = squares.iter().sum::<f64>() / squares.len() as f64;
                let largest = squares.iter().fold(0.0, |most: f64, square| most.max(*square));
                let table = &tables.interpolations()[i];
                let curvatures = table.curvatures();
                let unit = (2.0 * tables.out_moduli()[i] as f64).powi(2);
                // 2·Re(e) has twice the variance of e.
                let entry = |m: usize| Entry {
                    curvature: 2.0 * curvatures[m].abs(),
                    gain: 2.0 * unit * outputs[m].slope.norm_sqr(),
                    added: outputs[m].added * (2.0 * unit),
                };
                let read = Read {
                    entries: (0..outputs.len()).map(entry).collect(),
                    response: Response::new(table),
                    added: most_added[i] * (2.0 * unit),
                    order: table.order(),
                    moduli: [p, tables.out_moduli()[i]],
                    level: top - levels[i],
                    squares: [mean, largest],
                };
                read.noise(params, transforms, circle.clone(), input, log2_modulus(i))
            })
            .collect()
    }

    /// The prediction for any tables of p entries modulo p': the error is the worst of all of them in each respect, and
    /// so is the standard deviation.
    ///
    /// # Errors
    /// As [`PreparedTables::new`].
    pub fn any(
        params: &TableParams,
        transforms: &Transforms,
        [p, out_modulus]: [u64; 2],
        input: ErrorBound,
    ) -> Result<Self, LutError> {
        let ckks = params.ckks();
        let top = transforms.slots_level(ckks) - params.circle_depth();
        // (1, 0, …, 0), of which all are combinations.
        let mut delta = vec![0; p as usize];
        delta[0] = 1;
        let tables = PreparedTables::new(params, &[Lut::modular(delta, out_modulus)?])?;
        let (table, circuit) = (&tables.interpolations()[0], tables.circuit());
        let (range, unit) = ((out_modulus - 1) as f64, (2.0 * out_modulus as f64).powi(2));
        let reading = CircuitNoise::new(ckks, circuit, top);
        let added = reading.any_on_circle(table.coefficients().len(), p as usize, 0.5 * range) * (2.0 * unit);
        let response = Response::any(table, range);
        let entry = Entry {
            curvature: 0.5 * range * table.curvatures().iter().map(|c| 2.0 * c.abs()).sum::<f64>(),
            gain: 0.5 * response.reach(0.0, 0.0).slope.powi(2),
            added,
        };
        let read = Read {
            entries: vec![entry],
            response,
            added,
            order: table.order(),
            moduli: [p, out_modulus],
            level: top - circuit.output_levels()[0],
            squares: [0.25; 2],
        };
        let circle = CircleNoise::new(params, transforms);
        Ok(read.noise(params, transforms, circle, input, params.literal().log2_modulus))
    }

    /// The same with more of an error that has no variance, as a part of half the distance of messages.
    #[must_use]
    pub(super) fn with_bias(self, bias: f64) -> Self {
        let fixed = self.back.fixed + bias;
        Self { back: WayBack { fixed, ..self.back }, ..self }
    }

    /// That of the values in slots.
    pub(super) fn in_slots(mut self) -> Self {
        self.sources[SOURCES.len() - 2] -= self.back.noise.mean();
        Self { back: WayBack::default(), ..self }
    }

    /// The same for inputs with errors of `input` turns.
    #[must_use]
    pub fn with_input(self, input: ErrorBound) -> Self {
        Self { input, ..self }
    }

    /// [`Self::predict`], if results keep the promise of the set.
    ///
    /// # Errors
    /// [`CkksLutError::Noise`] if a value of some table is wrong more often than [`TableParams::log2_p_fail`].
    pub fn promised(
        params: &TableParams,
        transforms: &Transforms,
        tables: &PreparedTables,
        input: ErrorBound,
    ) -> Result<Vec<Self>, LutError> {
        let all = Self::predict(params, transforms, tables, input);
        let (found, promised) = (|noise: &Self| noise.log2_failure(), params.log2_p_fail());
        match all.iter().map(found).enumerate().find(|&(_, log2_failure)| log2_failure > promised) {
            Some((table, found)) => {
                Err(CkksLutError::Noise { table, found, promised, params: params.name().into() }.into())
            }
            None => Ok(all),
        }
    }

    /// How many tables in a row keep the promise, whatever they are, up to `most`: each the worst of the set's bits, on
    /// results of the one before. Also the bound on the error of the first one's results.
    ///
    /// # Errors
    /// As the set.
    pub fn chain(params: &TableParams, transforms: &Transforms, most: u32) -> Result<(u32, ErrorBound), LutError> {
        let fresh = params.fresh_error(params.literal().log2_modulus);
        let mut noise = Self::any(params, transforms, [1 << params.literal().bits; 2], fresh)?;
        let first = noise.result();
        let mut count = 0;
        while count < most && noise.log2_failure() <= params.log2_p_fail() {
            let (last, result) = (noise.input, noise.result());
            // Converged: so it goes on.
            count = if (result.bias - last.bias).abs() <= 1e-9 * result.bias { most } else { count + 1 };
            noise = noise.with_input(result);
        }
        Ok((count, first))
    }

    /// The standard deviation over uniform inputs, slots and phases, but for the bias of the input.
    #[must_use]
    pub fn std(&self) -> f64 {
        self.variances().iter().sum::<f64>().sqrt()
    }

    /// The variance of each source.
    fn variances(&self) -> [f64; SOURCES.len()] {
        let n = self.order + 1;
        let moment = moment(n, self.circle.mean_angle() + self.input.noise) * self.in_modulus.powi(2 * n as i32);
        let curvature =
            self.entries.iter().map(|entry| entry.curvature.powi(2)).sum::<f64>() / self.entries.len() as f64;
        let [series, input, added, tables, end] = self.sources;
        [moment * curvature, series, input, added, tables, end]
    }

    /// The variance of the error at input `entry` in a slot with |s(ζ_j)|² = h·`u`, but for the angle's part; over all
    /// phases.
    #[must_use]
    pub fn variance(&self, entry: usize, u: f64) -> f64 {
        self.phase_variances(entry, u).map(|(weight, variance)| weight * variance).sum()
    }

    /// The same at each phase, with the probability of the phase.
    pub fn phase_variances(&self, entry: usize, u: f64) -> impl Iterator<Item = (f64, f64)> {
        let Entry { gain, added, .. } = self.entries[entry];
        self.circle.phases.iter().map(move |phase| (phase.weight, (phase.noise * gain + added + self.back.noise).at(u)))
    }

    /// The part of the variance that each source has.
    pub fn sources(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let variances = self.variances();
        let total: f64 = variances.iter().sum();
        SOURCES.into_iter().zip(variances.map(|variance| variance / total))
    }

    /// The bound on the error of a result, in turns: of the worst entry and phase.
    #[must_use]
    pub fn result(&self) -> ErrorBound {
        let u = self.max_slot_value;
        let worst = |f: &dyn Fn(&PhaseNoise) -> f64| self.circle.phases.iter().map(f).fold(0.0, f64::max);
        let distance = worst(&|phase| self.angle_at(phase).most(u));
        let reach = match distance < 0.5 {
            true => self.response.reach(distance, self.radius),
            false => Reach { angle: f64::INFINITY, ..self.reaches[0] },
        };
        let bias = reach.angle + reach.slope * worst(&|phase| phase.bias) + self.back.fixed;
        let noise = self.circle.phases.iter().fold(SlotNoise::default(), |most, phase| most.max(phase.noise));
        let noise = noise * (0.5 * reach.slope.powi(2)) + self.added + self.back.noise;
        ErrorBound { bias, noise }.times(0.5 / self.out_modulus)
    }

    /// The bound of p·ε at a phase.
    fn angle_at(&self, phase: &PhaseNoise) -> ErrorBound {
        let circle = ErrorBound { bias: self.circle.angle_bias, noise: self.circle.angle + phase.angle };
        self.input.plus(circle).times(self.in_modulus)
    }

    /// log2 of the probability that a value of the worst entry is wrong, in the worst slot that a key may have, or that
    /// who decrypts it by the bound of [`Self::result`] cannot know that it is right.
    #[must_use]
    pub fn log2_failure(&self) -> f64 {
        // Phases of one entry are m/p + I: all in one step of a turn.
        let wrong = self.log2_failure_of(&self.reaches, self.added, self.max_slot_value) + STEPS.log2();
        let unknown = self.result().log2_failure(0.5 / self.out_modulus, self.max_slot_value);
        sum_log2(&[wrong.max(unknown), LOG2_BEYOND]).min(0.0)
    }

    /// The same for input `entry` in a slot with |s(ζ_j)|² = h·`u`.
    #[must_use]
    pub fn log2_slot_failure(&self, entry: usize, u: f64) -> f64 {
        let reaches = self.response.at(entry).reaches(distance(0), DISTANCES, self.radius);
        self.log2_failure_of(&reaches, self.entries[entry].added, u)
    }

    /// Over phases, Σ_i P(d_(i+1) < |pε| ≤ d_i)·P(|noise| > 1 − what is left of d_i) for the d_i of [`distance`], the
    /// last interval being that from 0.
    fn log2_failure_of(&self, reaches: &[Reach], added: SlotNoise, u: f64) -> f64 {
        let terms: Vec<f64> = self
            .circle
            .phases
            .iter()
            .map(|phase| {
                let angle = self.angle_at(phase);
                let beyond: Vec<f64> = (0..=DISTANCES).map(|i| angle.log2_failure(distance(i), u)).collect();
                let noise = |reach: &Reach| {
                    let variance = phase.noise * (0.5 * reach.slope.powi(2)) + added + self.back.noise;
                    log2_failure(1.0 - reach.slope * phase.bias - self.back.fixed - reach.angle, variance.at(u).sqrt())
                };
                // log2(2^a − 2^b).
                let between =
                    |(reach, pair): (_, &[f64])| pair[1] + (1.0 - (pair[0] - pair[1]).exp2()).log2() + noise(reach);
                let mut terms: Vec<f64> = reaches
                    .iter()
                    .zip(beyond.windows(2))
                    .filter(|(_, pair)| pair[1] > -1e6 && pair[0] < pair[1])
                    .map(between)
                    .collect();
                let [first, .., last] = beyond[..] else { unreachable!("more than one distance") };
                terms.extend([first, noise(&reaches[DISTANCES as usize]) + (-last.exp2()).ln_1p() * LOG2_E]);
                phase.weight.log2() + sum_log2(&terms)
            })
            .collect();
        sum_log2(&terms).min(0.0)
    }
}

/// The largest error that the rounded numbers of SlotsToCoeffs make, for a variance of messages as large as they may be.
///
/// It is the same linear map of the messages every time, so that equal messages have equal errors, and sums of results
/// add them up. By Cauchy and Schwarz no messages exceed √N times the deviation that random ones have.
fn aligned(degree: usize, variance: SlotNoise) -> f64 {
    (degree as f64 * variance.mean()).sqrt()
}

/// E ε^(2n) of ε with this variance; u has the moments E u^k = k!.
pub(super) fn moment(n: u32, noise: SlotNoise) -> f64 {
    // Σ_k C(n, k)·flat^(n−k)·keyed^k·k!, times (2n − 1)!!.
    let (mut term, mut sum) = (1.0, 0.0);
    for k in 0..=n {
        sum += term * noise.flat.powi((n - k) as i32) * noise.keyed.powi(k as i32);
        term *= f64::from(n - k);
    }
    (1..=n).map(|i| f64::from(2 * i - 1)).product::<f64>() * sum
}
