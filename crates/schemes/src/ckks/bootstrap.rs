//! Raising a ciphertext of level 0 and bringing its coefficients to slots and back: what ordinary and functional
//! bootstrapping share; and ordinary bootstrapping.
//!
//! A ciphertext modulo q_0 has the phase t with coefficients q_0·y, |y| ≤ 1/2. Taken modulo Q under a sparse key of h
//! nonzero coefficients its phase is q_0·(y + I) with small integers I. After CoeffsToSlots the slots of two
//! ciphertexts hold x/K, x = y + I: coefficients 0, …, N/2 − 1 in one, the others in the other, in bit-reversed order.
use std::f64::consts::TAU;

use bootes_lattice::rns::RnsCiphertext;
use num_complex::Complex64;
use serde::{Deserialize, Serialize};

use super::exponential::Exponential;
use super::linear::LinearMap;
use super::noise::{CircuitNoise, ErrorBound, SlotNoise};
use super::{CkksCiphertext, CkksError, CkksParams, Encoder, Evaluator, embedding_stages};
use crate::polyeval::{ArithmeticCircuit, PolynomialBasis};
use crate::rlwe::{GaloisAction, KeyError, KeyRequest};

/// How a ciphertext is raised and its slots are mapped.
#[derive(Debug, Clone, PartialEq)]
pub struct TransformOptions {
    /// K, which no phase exceeds.
    pub bound: f64,
    /// Stages of CoeffsToSlots, a level each.
    pub to_slots: usize,
    /// Stages of SlotsToCoeffs, a level each; none where coefficients are made otherwise.
    pub to_coeffs: usize,
    /// The level of the result of SlotsToCoeffs.
    pub output_level: usize,
    /// The factor from slots to coefficients, as a part of the output's scale: coefficients are `output_scale`·(slot).
    pub output_scale: f64,
}

/// CoeffsToSlots from the top level, SlotsToCoeffs down to the output level.
#[derive(Debug)]
pub struct Transforms {
    options: TransformOptions,
    to_slots: Vec<LinearMap>,
    to_coeffs: Vec<LinearMap>,
}

impl Transforms {
    /// Both maps.
    ///
    /// # Errors
    /// [`CkksError::Keys`] if the parameters have too few levels, or a map no stage.
    pub fn new(params: &CkksParams, options: TransformOptions) -> Result<Self, CkksError> {
        Self::while_wanted(params, options, || Ok(()))
    }

    /// The same while `wanted` has no reason to end it: it is asked before each stage.
    ///
    /// # Errors
    /// As [`Self::new`]; those of `wanted`.
    pub fn while_wanted<E: From<CkksError>>(
        params: &CkksParams,
        options: TransformOptions,
        wanted: impl Fn() -> Result<(), E>,
    ) -> Result<Self, E> {
        let (top, degree) = (params.max_level(), params.degree());
        let needed = (options.to_slots + options.to_coeffs + options.output_level) as u64;
        if needed > top as u64 {
            let (what, max) = ("levels of the maps", top as u64);
            return Err(CkksError::from(KeyError::Parameter { what, found: needed, min: 2, max }).into());
        }
        // The input is read at the scale K·q_0, and comes out at the canonical scale; each stage takes an equal part of
        // the factor.
        let even = |maps: Vec<crate::lintrans::Diagonals>, first: usize, factor: f64| {
            let part = factor.powf(1.0 / maps.len() as f64);
            let stage = |(i, map)| {
                wanted()?;
                Ok(LinearMap::new(params, map, first - i, params.prime(first - i) * part)?)
            };
            maps.into_iter().enumerate().map(stage).collect::<Result<Vec<_>, E>>()
        };
        // Half, because real and imaginary parts are separated by adding and subtracting conjugates.
        let half = Complex64::from(0.5);
        let maps =
            embedding_stages::coeffs_to_slots(degree, &embedding_stages::even_levels(degree, options.to_slots)?, half)?;
        let to_slots = even(maps, top, params.scale(top - options.to_slots) / (options.bound * params.prime(0)))?;
        let first = options.output_level + options.to_coeffs;
        let to_coeffs = if options.to_coeffs == 0 {
            Vec::new()
        } else {
            let mut levels = embedding_stages::even_levels(degree, options.to_coeffs)?;
            levels.reverse();
            let maps = embedding_stages::slots_to_coeffs(degree, &levels, Complex64::ONE)?;
            even(maps, first, options.output_scale / params.scale(first))?
        };
        Ok(Self { options, to_slots, to_coeffs })
    }

    /// Makes the polynomials of all stages, that the first evaluation would make.
    ///
    /// # Errors
    /// As [`LinearMap::prepare`].
    pub fn prepare(&self, encoder: &Encoder) -> Result<(), CkksError> {
        self.to_slots.iter().chain(&self.to_coeffs).try_for_each(|map| map.prepare(encoder).map(drop))
    }

    /// The options.
    #[must_use]
    pub fn options(&self) -> &TransformOptions {
        &self.options
    }

    /// The stages of CoeffsToSlots.
    #[must_use]
    pub fn to_slots(&self) -> &[LinearMap] {
        &self.to_slots
    }

    /// The stages of SlotsToCoeffs.
    #[must_use]
    pub fn to_coeffs(&self) -> &[LinearMap] {
        &self.to_coeffs
    }

    /// The level of the slots that CoeffsToSlots leaves.
    #[must_use]
    pub fn slots_level(&self, params: &CkksParams) -> usize {
        params.max_level() - self.to_slots.len()
    }

    /// The level that SlotsToCoeffs starts from.
    #[must_use]
    pub fn coeffs_level(&self) -> usize {
        self.options.output_level + self.to_coeffs.len()
    }

    /// The variance of raised phases in turns², (h + 1)/12 for a sparse key of weight h: sums of h + 1 uniform numbers.
    #[must_use]
    pub fn phase_variance(params: &CkksParams) -> f64 {
        (f64::from(params.literal().sparse_weight) + 1.0) / 12.0
    }

    /// Coefficients' variance in turns² that [`Evaluator::raise`] adds: two key switches, and the rounding of the first
    /// under the sparse key.
    #[must_use]
    pub fn raise_variance(params: &CkksParams) -> f64 {
        let to =
            params.base_gadget().variance(params.ring(), 1, params.errors(), params.literal().sparse_weight as usize);
        let chain = params.max_level() + 1;
        let from = params.gadget().variance(params.ring(), chain, params.errors(), params.literal().weight as usize);
        (to + from) / params.prime(0).powi(2)
    }

    /// The noise in slots after CoeffsToSlots, of both results of [`Evaluator::coeffs_to_slots`] alike: the variance of
    /// a real error, and that of a complex one; in units of the slots, turns/K. Coefficients come with an error of the
    /// variance `turns` in turns², alike in all.
    ///
    /// Errors that are not alike, those of earlier results, keep to their slots: coefficient k comes out in the slot
    /// from which a result's coefficient k comes. Add them to the real error, divided by K².
    ///
    /// An error e of the maps becomes e + conj(e), which is real and shifts the phase only; the rounding of the
    /// conjugation is complex and leaves the circle.
    #[must_use]
    pub fn to_slots_noise(&self, params: &CkksParams, turns: f64) -> [SlotNoise; 2] {
        let factor = params.degree() as f64 / self.options.bound.powi(2);
        let start = (SlotNoise::flat(factor * turns), factor * Self::phase_variance(params));
        let scale = self.options.bound * params.prime(0);
        let next = |(noise, signal, scale), map: &LinearMap| map.noise(params, noise, signal, scale);
        let (noise, _, scale) = self.to_slots.iter().fold((start.0, start.1, scale), next);
        [noise * 2.0, params.rotation_noise(self.slots_level(params), scale)]
    }

    /// The noise of coefficients after SlotsToCoeffs, as a part of the output scale, of slots with complex `noise` and
    /// values of variance `signal`.
    ///
    /// Errors of slots reach pairs of coefficients as real and imaginary parts, which have half their variance each.
    /// All that comes from within the maps is mixed.
    #[must_use]
    pub fn to_coeffs_noise(&self, params: &CkksParams, noise: SlotNoise, signal: f64) -> SlotNoise {
        let scale = params.scale(self.coeffs_level());
        let next = |(noise, signal, scale), map: &LinearMap| map.noise(params, noise, signal, scale);
        let (added, _, scale) = self.to_coeffs.iter().fold((SlotNoise::default(), signal, scale), next);
        let coefficients = added.mean() * (scale / self.options.output_scale).powi(2) / params.degree() as f64;
        SlotNoise::flat(coefficients) + noise * 0.5
    }

    /// Asks for the keys that both need.
    pub fn request(&self, params: &CkksParams, request: &mut KeyRequest) {
        self.to_slots.iter().chain(&self.to_coeffs).for_each(|map| map.request(request));
        let level = self.slots_level(params);
        request.action(GaloisAction::Conjugation, level);
        request.raise = true;
    }
}

/// The steps of bootstrapping, for whoever watches or measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BootstrapStep {
    /// The modulus is raised.
    ModRaise,
    /// Coefficients become slots.
    CoeffsToSlots,
    /// exp(2πix).
    EvalExp,
    /// Polynomials on the circle: the identity modulo 1, or tables.
    EvalLut,
    /// Slots become coefficients.
    SlotsToCoeffs,
}

impl BootstrapStep {
    /// All steps in order.
    pub const ALL: [Self; 5] = [Self::ModRaise, Self::CoeffsToSlots, Self::EvalExp, Self::EvalLut, Self::SlotsToCoeffs];

    /// The name in the literature.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ModRaise => "ModRaise",
            Self::CoeffsToSlots => "CoeffsToSlots",
            Self::EvalExp => "EvalExp",
            Self::EvalLut => "EvalLUT",
            Self::SlotsToCoeffs => "SlotsToCoeffs",
        }
    }
}

impl Evaluator {
    /// A ciphertext of level 0 under s as one of the top level, whose phase is that of the input plus q_0·I.
    ///
    /// By way of the sparse key: |I| is small.
    ///
    /// # Errors
    /// [`CkksError::Keys`].
    pub fn raise(&self, x: &RnsCiphertext) -> Result<RnsCiphertext, CkksError> {
        let (ring, top) = (self.ring(), self.params.limbs(self.params.max_level()));
        let sparse = self.to_sparse(x)?;
        self.from_sparse(&sparse.map(|x| ring.forward(ring.from_integers(top, ring.backward(x.clone()).limb(0)))))
    }

    /// A ciphertext under s as one of level 0 under the sparse key.
    ///
    /// # Errors
    /// [`CkksError::Keys`].
    pub fn to_sparse(&self, x: &RnsCiphertext) -> Result<RnsCiphertext, CkksError> {
        let (ring, base) = (self.ring(), x.restricted(self.params.limbs(0)));
        let mut sparse = self.keys.raise()?.to_sparse.switch(ring, self.params.base_gadget(), &base.a);
        ring.add_assign(&mut sparse.b, &base.b);
        Ok(sparse)
    }

    /// A ciphertext of any level under the sparse key as one under s.
    ///
    /// # Errors
    /// [`CkksError::Keys`].
    pub fn from_sparse(&self, x: &RnsCiphertext) -> Result<RnsCiphertext, CkksError> {
        let mut out = self.keys.raise()?.from_sparse.switch(self.ring(), self.params.gadget(), &x.a);
        self.ring().add_assign(&mut out.b, &x.b);
        Ok(out)
    }

    /// The phases of a raised ciphertext in slots: (x_0, …, x_(N/2−1))/K and (x_(N/2), …, x_(N−1))/K, both
    /// bit-reversed, x = (phase)/q_0.
    ///
    /// # Errors
    /// [`CkksError::Keys`].
    pub fn coeffs_to_slots(&self, maps: &Transforms, x: RnsCiphertext) -> Result<[CkksCiphertext; 2], CkksError> {
        let scale = maps.options.bound * self.params.prime(0);
        let mut slots = CkksCiphertext::new(x, scale, self.keys.id());
        for map in &maps.to_slots {
            slots = self.apply_linear(map, &slots)?;
        }
        let conjugate = self.conjugate(&slots)?;
        Ok([self.add(&slots, &conjugate)?, self.mul_integer(&self.sub(&slots, &conjugate)?, 0, -1)?])
    }

    /// A ciphertext whose phase has the slots' bit-reversed real and imaginary parts, times the output scale, as
    /// coefficients.
    ///
    /// # Errors
    /// [`CkksError::Keys`], [`CkksError::Exhausted`].
    pub fn slots_to_coeffs(&self, maps: &Transforms, x: &CkksCiphertext) -> Result<CkksCiphertext, CkksError> {
        let mut out = self.at_level(x, maps.coeffs_level())?.into_owned();
        for map in &maps.to_coeffs {
            out = self.apply_linear(map, &out)?;
        }
        Ok(out)
    }

    /// u + i·v from the real parts u of 2a and v of 2b: (a + ib) + conj(a − ib).
    ///
    /// # Errors
    /// [`CkksError::Keys`].
    pub fn join_real_parts(&self, a: &CkksCiphertext, b: &CkksCiphertext) -> Result<CkksCiphertext, CkksError> {
        let b = self.mul_integer(b, 0, 1)?;
        let conjugate = self.conjugate(&self.sub(a, &b)?)?;
        self.add(&self.add(a, &b)?, &conjugate)
    }
}

/// The same work on both halves, side by side where there are threads: one that would wait within a half goes on in the
/// other. Then the values of both are alive.
///
/// # Errors
/// The first that `work` returns.
pub fn on_halves<T: Send, U: Send, E: Send>(
    [low, high]: [T; 2],
    work: impl Fn(T) -> Result<U, E> + Sync,
) -> Result<[U; 2], E> {
    let (low, high) = rayon::join(|| work(low), || work(high));
    Ok([low?, high?])
}

/// How ordinary bootstrapping approximates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BootstrapOptions {
    /// log2 of the error of exp(2πix).
    pub exponential_log2_error: f64,
    /// Stages of CoeffsToSlots.
    pub to_slots: usize,
    /// Stages of SlotsToCoeffs.
    pub to_coeffs: usize,
    /// log2 of q_0 over the scale of messages when they are raised: coefficients are y ≤ 2^-this in turns.
    pub log2_message_ratio: u32,
    /// The number n of harmonics: y is off by y·(2πy)^(2n), relatively, times less than 1.
    pub harmonics: usize,
}

/// Ordinary bootstrapping: a ciphertext of level 1 or more becomes one with the same values at a high level.
///
/// y = θ/2π for small θ from z = exp(iθ), by the combination of sin kθ, k ≤ n, that agrees with θ to order 2n:
/// θ ≈ Σ_k 2·(−1)^(k+1)/k · n!²/((n−k)!·(n+k)!) · Im z^k.
#[derive(Debug)]
pub struct Bootstrap {
    options: BootstrapOptions,
    transforms: Transforms,
    exponential: ArithmeticCircuit,
    harmonics: ArithmeticCircuit,
}

impl Bootstrap {
    /// Prepares the circuits and maps. Results are at the top level less [`Bootstrap::depth`].
    ///
    /// # Errors
    /// [`CkksError::Keys`] if the parameters have too few levels, [`CkksError::Exponential`].
    pub fn new(params: &CkksParams, options: BootstrapOptions) -> Result<Self, CkksError> {
        let n = options.harmonics as u64;
        if !(1..=8).contains(&n) {
            return Err(KeyError::Parameter { what: "number of harmonics", found: n, min: 1, max: 8 }.into());
        }
        let (weight, error) = (params.literal().sparse_weight as usize, options.exponential_log2_error);
        let exponential = Exponential::for_key(weight, error)?;
        let (bound, exponential) = (exponential.bound(), exponential.circuit());
        // n!²/((n−k)!·(n+k)!)
        let weight = |k: u64| (1..=k).map(|i| (n - k + i) as f64 / (n + i) as f64).product::<f64>();
        let term = |k: u64| {
            let sign = if k % 2 == 1 { 2.0 } else { -2.0 };
            // −i·z has the imaginary part of z as its real part; half, since the conjugate is added.
            Complex64::new(0.0, -0.5 * sign * weight(k) / (k as f64 * TAU))
        };
        let terms = std::iter::once(Complex64::ZERO).chain((1..=n).map(term)).collect();
        let harmonics = ArithmeticCircuit::polynomials(PolynomialBasis::Power, &[terms]);
        let depth = options.to_slots + exponential.depth() + harmonics.depth() + options.to_coeffs;
        let (top, needed) = (params.max_level() as u64, depth as u64 + 1);
        let output_level = params.max_level().checked_sub(depth).filter(|&level| level > 0);
        let output_level =
            output_level.ok_or(KeyError::Parameter { what: "levels", found: top, min: needed, max: 120 })?;
        let transforms = TransformOptions {
            bound,
            to_slots: options.to_slots,
            to_coeffs: options.to_coeffs,
            output_level,
            output_scale: params.scale(output_level) * f64::from(options.log2_message_ratio).exp2(),
        };
        let transforms = Transforms::new(params, transforms)?;
        Ok(Self { options, transforms, exponential, harmonics })
    }

    /// The maps to slots and back.
    #[must_use]
    pub fn transforms(&self) -> &Transforms {
        &self.transforms
    }

    /// The levels that it takes.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.options.to_slots + self.exponential.depth() + self.harmonics.depth() + self.options.to_coeffs
    }

    /// The error of the coefficients y of [`Evaluator::bootstrap_turns`], in turns, for |y| ≤ `most`.
    ///
    /// The bias is that of both approximations, the largest on a grid; noise is read at its ends and in its middle.
    #[must_use]
    pub fn turns_noise(&self, params: &CkksParams, most: f64) -> ErrorBound {
        const GRID: i32 = 16;
        let [real, complex] = self.transforms.to_slots_noise(params, Transforms::raise_variance(params));
        let (level, bound) = (self.transforms.slots_level(params), self.transforms.options.bound);
        let exponential = CircuitNoise::new(params, &self.exponential, level);
        let harmonics = CircuitNoise::new(params, &self.harmonics, level - self.exponential.depth());
        let turns = bound.floor() as i32;
        let (mut bias, mut noise) = (0.0f64, SlotNoise::default());
        for (i, turn) in (-GRID..=GRID).flat_map(|i| [-turns, 0, turns - 1].map(|turn| (i, turn))) {
            let y = most * f64::from(i) / f64::from(GRID);
            let point = exponential.at(Complex64::from((y + f64::from(turn)) / bound))[0];
            let value = harmonics.at(point.value)[0];
            // Twice the real part.
            bias = bias.max((2.0 * value.value.re - y).abs());
            if i.abs() == GRID || i == 0 {
                let slope = value.slope * point.slope;
                let real = real * (2.0 * slope.re).powi(2) + complex * (2.0 * slope.norm_sqr());
                let added = point.added * (2.0 * value.slope.norm_sqr()) + value.added * 2.0;
                noise = noise.max(real + added);
            }
        }
        // Both halves, and the conjugate that joins them.
        let level = self.transforms.coeffs_level();
        let joined = noise * 2.0 + params.rotation_noise(level, params.scale(level));
        ErrorBound { bias, noise: self.transforms.to_coeffs_noise(params, joined, 2.0 * most * most) }
    }

    /// Asks for the keys that it needs, and relinearisation for all levels.
    pub fn request(&self, params: &CkksParams, request: &mut KeyRequest) {
        self.transforms.request(params, request);
        request.products(self.transforms.slots_level(params));
    }
}

impl Evaluator {
    /// The same values at a high level.
    ///
    /// Slots of absolute value up to 1 are brought back to about [`Precision`](super::precision::Precision) as measured
    /// by the benchmarks; larger values leave the range of the approximation.
    ///
    /// # Errors
    /// [`CkksError::Exhausted`] for a ciphertext of level 0; missing keys.
    pub fn bootstrap(
        &self,
        bootstrap: &Bootstrap,
        x: &CkksCiphertext,
        watch: impl FnMut(BootstrapStep),
    ) -> Result<CkksCiphertext, CkksError> {
        self.check(x)?;
        let ratio = f64::from(bootstrap.options.log2_message_ratio).exp2();
        let base = self.to_scale(x, 0, self.params.prime(0) / ratio)?;
        let out = self.bootstrap_turns(bootstrap, &base.inner, watch)?;
        let scale = self.params.scale(out.level());
        Ok(out.with_scale(scale))
    }

    /// A ciphertext of level 0 whose phase has coefficients q_0·y, |y| ≤ 2^-`log2_message_ratio`, as one with the
    /// coefficients y times its scale.
    ///
    /// # Errors
    /// Missing keys.
    pub fn bootstrap_turns(
        &self,
        bootstrap: &Bootstrap,
        base: &RnsCiphertext,
        mut watch: impl FnMut(BootstrapStep),
    ) -> Result<CkksCiphertext, CkksError> {
        watch(BootstrapStep::ModRaise);
        let raised = self.raise(base)?;
        watch(BootstrapStep::CoeffsToSlots);
        let halves = self.coeffs_to_slots(&bootstrap.transforms, raised)?;
        watch(BootstrapStep::EvalExp);
        let polynomial = |circuit, x: &_| Ok::<_, CkksError>(self.evaluate(circuit, &[x], |_, _| ())?.remove(0));
        let halves = on_halves(halves, |x| polynomial(&bootstrap.exponential, &x))?;
        watch(BootstrapStep::EvalLut);
        let [low, high] = on_halves(halves, |z| polynomial(&bootstrap.harmonics, &z))?;
        let joined = self.join_real_parts(&low, &high)?;
        watch(BootstrapStep::SlotsToCoeffs);
        let out = self.slots_to_coeffs(&bootstrap.transforms, &joined)?;
        Ok(out.with_scale(bootstrap.transforms.options().output_scale))
    }
}
