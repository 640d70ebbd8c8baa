//! Linear maps of complex slots ([`crate::rlwe::linear`]) on ciphertexts with a scale.
use std::sync::OnceLock;

use num_complex::Complex64;

use super::ciphertext::{check_size, encode};
use super::noise::SlotNoise;
use super::{CkksCiphertext, CkksError, CkksParams, Cost, Encoder, Evaluator};
use crate::cost::Residues;
use crate::lintrans::Diagonals;
use crate::rlwe::{HoistedMap, KeyRequest, MapPolynomials, Slots};
use crate::scalar::Scalar;

/// A linear map for one level, its diagonals to be rounded at a scale.
#[derive(Debug)]
pub struct LinearMap {
    map: HoistedMap,
    /// Made when the map is first applied: its work, noise and keys are known without them.
    polynomials: OnceLock<MapPolynomials>,
    /// The scale of the diagonals.
    scale: f64,
    size: MapSize,
}

struct ComplexSlots;

impl Slots for ComplexSlots {
    type Value = Complex64;

    fn coefficients(&self, period: usize) -> usize {
        2 * period
    }
}

impl LinearMap {
    /// A map for ciphertexts of `level`; its diagonals get the scale `scale`, and results the scale of the input times
    /// `scale`/q_level.
    ///
    /// # Errors
    /// [`CkksError::Keys`] for a level beyond the parameters.
    pub fn new(params: &CkksParams, map: Diagonals, level: usize, scale: f64) -> Result<Self, CkksError> {
        let map = HoistedMap::new(params, &ComplexSlots, map, level)?;
        Ok(Self { size: MapSize::of(&map, Complex64::norm_sqr), map, polynomials: OnceLock::new(), scale })
    }

    /// The polynomials of the diagonals, made if they are not yet.
    ///
    /// # Errors
    /// [`CkksError::TooLarge`] for entries that are 2^52 or more at the scale; as [`Encoder::coefficients_into`].
    pub fn prepare(&self, encoder: &Encoder) -> Result<&MapPolynomials, CkksError> {
        if let Some(polynomials) = self.polynomials.get() {
            return Ok(polynomials);
        }
        let polynomials = self.map.polynomials(|diagonal| {
            let coefficients = encode(encoder, diagonal, self.scale)?;
            check_size(52.0, &coefficients)?;
            Ok::<_, CkksError>(coefficients.iter().copied().step_by(encoder.degree() / 2 / diagonal.len()).collect())
        })?;
        Ok(self.polynomials.get_or_init(|| polynomials))
    }

    /// The level that it is prepared for.
    #[must_use]
    pub fn level(&self) -> usize {
        self.map.level()
    }

    /// The noise, and the variance of the values, after the map of slots with `noise` and values of variance `signal`
    /// at the scale `scale`; both alike in all slots. Also the scale.
    ///
    /// With d the diagonals and R = Σ|d|² the mean of a row: R·noise; R·(key switch) for the rotated babies, which are
    /// not divided by P; a key switch and the rounding of the mask, at the scale before the division by q_ℓ, for each
    /// giant; the rounding of that division; and 2m rounded coefficients for each diagonal of period m, times the
    /// values.
    #[must_use]
    pub fn noise(&self, params: &CkksParams, noise: SlotNoise, signal: f64, scale: f64) -> (SlotNoise, f64, f64) {
        self.size.noise(params, (self.scale, params.prime(self.level())), (noise, signal, scale))
    }

    /// The work of [`Evaluator::apply_linear`].
    #[must_use]
    pub fn work(&self, cost: Cost<'_>) -> Residues {
        self.map.work(*cost, true)
    }

    /// Asks for the keys that it needs.
    pub fn request(&self, request: &mut KeyRequest) {
        self.map.request(request);
    }
}

/// The sums over the diagonals of a map that its noise depends on.
#[derive(Debug)]
pub(super) struct MapSize {
    level: usize,
    /// Σ of the mean |d|²: of all diagonals d, and of those that babies rotate.
    rows: f64,
    rotated: f64,
    /// The variance of rounded coefficients.
    rounded: f64,
    /// That rotate.
    giants: f64,
}

impl MapSize {
    /// `size` is |·|².
    pub(super) fn of<T: Scalar>(map: &HoistedMap<T>, size: impl Fn(&T) -> f64) -> Self {
        let (plan, level) = (map.plan(), map.level());
        let giants = plan.giants().len();
        let mut found = Self { level, rows: 0.0, rotated: 0.0, rounded: 0.0, giants: giants as f64 - 1.0 };
        for (i, &rotation) in plan.babies().iter().enumerate() {
            for diagonal in (0..giants).filter_map(|giant| plan.inner(giant, i)) {
                let size = diagonal.iter().map(&size).sum::<f64>() / diagonal.len() as f64;
                found.rows += size;
                found.rotated += if rotation == 0 { 0.0 } else { size };
                found.rounded += 2.0 * diagonal.len() as f64 / 12.0;
            }
        }
        found
    }

    /// [`LinearMap::noise`] of a map of the scale `map_scale`, whose results are divided by `primes`.
    pub(super) fn noise(
        &self,
        params: &CkksParams,
        (map_scale, primes): (f64, f64),
        (noise, signal, scale): (SlotNoise, f64, f64),
    ) -> (SlotNoise, f64, f64) {
        let before = scale * map_scale;
        let after = before / primes;
        let mixed = self.rows * noise.mean()
            + self.rotated * params.switch_noise(self.level, scale).mean()
            + self.giants * (params.switch_noise(self.level, before).mean() + params.rounding_noise(before).keyed)
            + self.rounded / map_scale.powi(2) * signal;
        (SlotNoise::flat(mixed) + params.rounding_noise(after), self.rows * signal, after)
    }
}

impl Evaluator {
    /// M z, one level below the map's: see [`HoistedMap::apply`].
    ///
    /// # Errors
    /// [`CkksError::Exhausted`] if the ciphertext is not at the level of the map or above;
    /// [`CkksError::Keys`]; as [`LinearMap::prepare`].
    pub fn apply_linear(&self, map: &LinearMap, x: &CkksCiphertext) -> Result<CkksCiphertext, CkksError> {
        self.check(x)?;
        let level = map.level();
        if x.level() < level || level == 0 {
            return Err(CkksError::Exhausted { operation: "linear map", needed: level.max(1), found: x.level() });
        }
        let inner = map.map.apply(map.prepare(self.encoder())?, &self.keys, &x.inner, true)?;
        Ok(CkksCiphertext { inner, scale: x.scale * map.scale / self.params.prime(level), key: x.key })
    }
}
