//! Raising a ciphertext of level 0 and bringing its coefficients to slots and back: what ordinary and functional bootstrapping share; and
//! ordinary bootstrapping.
//!
//! A ciphertext modulo q_0 has the phase t with coefficients q_0·y, |y| ≤ 1/2. Taken modulo Q under a sparse key of h nonzero coefficients its
//! phase is q_0·(y + I) with small integers I. After CoeffsToSlots the slots of two ciphertexts hold x/K, x = y + I: coefficients
//! 0, …, N/2 − 1 in one, the others in the other, in bit-reversed order.
use num_complex::Complex64;

use bootes_lattice::rns::RnsCiphertext;

use super::exponential::Exponential;
use super::linear::LinearMap;
use super::noise::SlotNoise;
use super::params::NOISE_STD;
use super::{CkksCiphertext, CkksError, CkksParams, Encoder, Evaluator, KeyRequest, dft};

/// How a ciphertext is raised and its slots are mapped.
#[derive(Debug, Clone, PartialEq)]
pub struct TransformOptions {
    /// K: phases are beyond it with a negligible probability.
    pub bound: f64,
    /// Stages of CoeffsToSlots, a level each.
    pub to_slots: usize,
    /// Stages of SlotsToCoeffs, a level each.
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
    /// Prepares both maps.
    ///
    /// # Errors
    /// [`CkksError::Parameter`] if the parameters have too few levels, or a map no stage.
    pub fn new(params: &CkksParams, encoder: &Encoder, options: TransformOptions) -> Result<Self, CkksError> {
        let (top, degree) = (params.max_level(), params.degree());
        let needed = (options.to_slots + options.to_coeffs + options.output_level) as u64;
        if needed > top as u64 {
            return Err(CkksError::Parameter { what: "levels of the maps", found: needed, min: 2, max: top as u64 });
        }
        // The input is read at the scale K·q_0, and comes out at the canonical scale; each stage takes an equal part of the factor.
        let even = |maps: Vec<crate::lintrans::Diagonals>, first: usize, factor: f64| {
            let part = factor.powf(1.0 / maps.len() as f64);
            let prepare = |(i, map)| LinearMap::new(params, encoder, map, first - i, params.prime(first - i) * part);
            maps.into_iter().enumerate().map(prepare).collect::<Result<Vec<_>, _>>()
        };
        // Half, because real and imaginary parts are separated by adding and subtracting conjugates.
        let half = Complex64::from(0.5);
        let maps = dft::coeffs_to_slots(degree, &dft::even_levels(degree, options.to_slots)?, half)?;
        let to_slots = even(maps, top, params.scale(top - options.to_slots) / (options.bound * params.prime(0)))?;
        let mut levels = dft::even_levels(degree, options.to_coeffs)?;
        levels.reverse();
        let maps = dft::slots_to_coeffs(degree, &levels, Complex64::ONE)?;
        let first = options.output_level + options.to_coeffs;
        let to_coeffs = even(maps, first, options.output_scale / params.scale(first))?;
        Ok(Self { options, to_slots, to_coeffs })
    }

    /// The options.
    #[must_use]
    pub fn options(&self) -> &TransformOptions {
        &self.options
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

    /// Coefficients' variance in turns² that [`Evaluator::raise`] adds: two key switches, and the rounding of the first under the sparse key.
    #[must_use]
    pub fn raise_variance(params: &CkksParams) -> f64 {
        let to = params.base_gadget().variance(params.ring(), 1, NOISE_STD, params.literal().sparse_weight as usize);
        let chain = params.max_level() + 1;
        let from = params.gadget().variance(params.ring(), chain, NOISE_STD, params.literal().weight as usize);
        (to + from) / params.prime(0).powi(2)
    }

    /// The noise in slots after CoeffsToSlots, of both results of [`Evaluator::coeffs_to_slots`] alike: the variance of a real error, and that of
    /// a complex one; in units of the slots, turns/K. Coefficients come with an error of the variance `turns` in turns².
    ///
    /// An error e of the maps becomes e + conj(e), which is real and shifts the phase only; the rounding of the conjugation is complex and leaves
    /// the circle.
    #[must_use]
    pub fn to_slots_noise(&self, params: &CkksParams, turns: f64) -> [SlotNoise; 2] {
        let factor = params.degree() as f64 / self.options.bound.powi(2);
        let start = (SlotNoise::flat(factor * turns), factor * Self::phase_variance(params));
        let scale = self.options.bound * params.prime(0);
        let next = |(noise, signal, scale), map: &LinearMap| map.noise(params, noise, signal, scale);
        let (noise, _, scale) = self.to_slots.iter().fold((start.0, start.1, scale), next);
        [noise * 2.0, params.rotation_noise(self.slots_level(params), scale)]
    }

    /// The noise of coefficients after SlotsToCoeffs, as a part of the output scale, of slots with complex `noise` and values of
    /// variance `signal`.
    ///
    /// Errors of slots reach pairs of coefficients as real and imaginary parts, which have half their variance each. All that comes from within
    /// the maps is mixed.
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
        request.conjugation = Some(request.conjugation.map_or(level, |most| most.max(level)));
        request.raise = true;
    }
}

/// Which of the stages is done, for whoever watches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Raised modulo Q.
    ModRaise,
    /// CoeffsToSlots.
    CoeffsToSlots,
    /// SlotsToCoeffs.
    SlotsToCoeffs,
}

impl Evaluator {
    /// A ciphertext of level 0 under s as one of the top level, whose phase is that of the input plus q_0·I.
    ///
    /// By way of the sparse key: |I| is small.
    ///
    /// # Errors
    /// [`CkksError::NoRaiseKeys`]; [`CkksError::Exhausted`] never.
    pub fn raise(&self, x: &RnsCiphertext) -> Result<RnsCiphertext, CkksError> {
        let keys = self.keys.raise.as_ref().ok_or(CkksError::NoRaiseKeys)?;
        let (ring, top) = (self.ring(), self.params.limbs(self.params.max_level()));
        let base = x.restricted(self.params.limbs(0));
        let mut sparse = keys.to_sparse.switch(ring, self.params.base_gadget(), &base.a);
        ring.add_assign(&mut sparse.b, &base.b);
        let raised = sparse.map(|x| ring.forward(ring.from_integers(top, ring.backward(x.clone()).limb(0))));
        let mut out = keys.from_sparse.switch(ring, self.params.gadget(), &raised.a);
        ring.add_assign(&mut out.b, &raised.b);
        Ok(out)
    }

    /// The phases of a raised ciphertext in slots: (x_0, …, x_(N/2−1))/K and (x_(N/2), …, x_(N−1))/K, both bit-reversed, x = (phase)/q_0.
    ///
    /// # Errors
    /// [`CkksError::NoGaloisKey`].
    pub fn coeffs_to_slots(&self, maps: &Transforms, x: RnsCiphertext) -> Result<[CkksCiphertext; 2], CkksError> {
        let scale = maps.options.bound * self.params.prime(0);
        let mut slots = CkksCiphertext::new(x, scale, self.keys.id());
        for map in &maps.to_slots {
            slots = self.apply_linear(map, &slots)?;
        }
        let conjugate = self.conjugate(&slots)?;
        Ok([self.add(&slots, &conjugate)?, self.mul_integer(&self.sub(&slots, &conjugate)?, 0, -1)])
    }

    /// A ciphertext whose phase has the slots' bit-reversed real and imaginary parts, times the output scale, as coefficients.
    ///
    /// # Errors
    /// [`CkksError::NoGaloisKey`], [`CkksError::Exhausted`].
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
    /// [`CkksError::NoGaloisKey`].
    pub fn join_real_parts(&self, a: &CkksCiphertext, b: &CkksCiphertext) -> Result<CkksCiphertext, CkksError> {
        let b = self.mul_integer(b, 0, 1);
        let conjugate = self.conjugate(&self.sub(a, &b)?)?;
        self.add(&self.add(a, &b)?, &conjugate)
    }
}

#[allow(unused)]
fn placeholder(_: &Exponential) {}
