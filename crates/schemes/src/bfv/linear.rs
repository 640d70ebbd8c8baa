//! Linear maps of slots ([`crate::rlwe::linear`]) on ciphertexts of BGV.
use num_complex::Complex64;

use super::{BfvCiphertext, BfvParams, BfvSchemeError, BfvSlots, Evaluator, Gaussian, PhaseSize, Scheme, State};
use crate::ckks::Encoder;
use crate::cost::Residues;
use crate::lintrans::Diagonals;
use crate::rlwe::params::check;
use crate::rlwe::{GaloisAction, HoistedMap, KeyRequest, MapPolynomials, RlweCost};

/// A linear map prepared for one level: Σ_i d_i ⊙ rot_i, d_i constants modulo p^r, for plaintexts modulo p, …, p^r.
#[derive(Debug)]
pub struct LinearMap {
    map: HoistedMap<Gaussian>,
    polynomials: MapPolynomials,
    /// The size of Σ_r d_r·σ_r(w) for w of size 1, by the norms of the polynomials d_r.
    norm: PhaseSize,
    /// r: the constants are right modulo p^r.
    exponent: u32,
}

/// Σ c², and the largest |c(ζ)|, of the polynomial with these coefficients.
fn norms(coefficients: &[f64]) -> [f64; 2] {
    let squares = coefficients.iter().map(|c| c * c).sum();
    let sum = coefficients.iter().map(|c| c.abs()).sum();
    let Ok(encoder) = Encoder::new(coefficients.len()) else { return [squares, sum] };
    let mut slots = vec![Complex64::ZERO; coefficients.len() / 2];
    let largest = encoder.slots_into(&mut slots, coefficients);
    [squares, largest.map_or(sum, |()| slots.iter().map(|z| z.norm()).fold(0.0, f64::max))]
}

impl LinearMap {
    /// Prepares a map of these slots for ciphertexts of `level`.
    ///
    /// # Errors
    /// As [`HoistedMap::new`].
    pub fn new(
        params: &BfvParams,
        slots: &BfvSlots,
        map: Diagonals<Gaussian>,
        level: usize,
    ) -> Result<Self, BfvSchemeError> {
        let map = HoistedMap::new(params, slots, map, level)?;
        let polynomials = map.polynomials(|diagonal| Ok::<_, BfvSchemeError>(slots.polynomial(diagonal)))?;
        // Rotations change no norm.
        let norms = polynomials.iter().map(norms).reduce(|[a, b], [c, d]| [a + c, b + d]);
        let [squares, largest] = norms.unwrap_or([0.0; 2]);
        let norm = PhaseSize { average: f64::log2(squares) / 2.0, worst: f64::log2(largest) };
        Ok(Self { map, polynomials, norm, exponent: slots.exponent() })
    }

    /// The level that it is prepared for.
    #[must_use]
    pub fn level(&self) -> usize {
        self.map.level()
    }

    /// Refuses plaintexts modulo more than its constants.
    fn check(&self, params: &BfvParams, x: &State) -> Result<(), BfvSchemeError> {
        let exponents = [x.exponent, self.exponent];
        if x.exponent <= self.exponent {
            Ok(())
        } else {
            Err(BfvSchemeError::Moduli { base: params.base(), exponents })
        }
    }

    /// Asks for the keys that it needs.
    pub fn request(&self, request: &mut KeyRequest) {
        self.map.request(request);
    }

    /// The size of w after the map.
    #[must_use]
    pub fn size(&self, params: &BfvParams, size: PhaseSize) -> PhaseSize {
        // Divisions are congruent modulo p^e, the largest power.
        let switch = params.switch_size(self.level(), params.max_exponent(), false);
        let rotated = size.plus(switch);
        let mixed = PhaseSize { average: rotated.average + self.norm.average, worst: rotated.worst + self.norm.worst };
        let giants = self.map.plan().giants().len() as f64;
        mixed.plus(PhaseSize { average: switch.average + giants.log2() / 2.0, worst: switch.worst + giants.log2() })
    }
}

/// A linear map of all slots: of the slots as they are, and of their images under an automorphism that reaches what
/// rotations along the first axis do not.
#[derive(Debug)]
pub struct SlotMap {
    /// The map of the slots as they are.
    pub here: LinearMap,
    /// The automorphism, and the map of the image at the same level.
    pub image: Option<(GaloisAction, LinearMap)>,
}

impl SlotMap {
    /// The level that it is prepared for.
    #[must_use]
    pub fn level(&self) -> usize {
        self.here.level()
    }

    /// Asks for the keys that it needs.
    pub fn request(&self, request: &mut KeyRequest) {
        self.here.request(request);
        if let Some((action, map)) = &self.image {
            map.request(request);
            request.action(*action, self.level());
        }
    }

    /// Bytes of the polynomials of all diagonals.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let maps = [&self.here].into_iter().chain(self.image.as_ref().map(|(_, map)| map));
        maps.flat_map(|map| map.polynomials.iter()).map(size_of_val).sum()
    }

    /// The work of [`Evaluator::apply_slots`].
    #[must_use]
    pub fn work(&self, cost: RlweCost<'_>) -> Residues {
        let here = self.here.map.work(cost, false);
        let Some((_, map)) = &self.image else { return here };
        here + cost.rotation(self.level()) + map.map.work(cost, false)
    }

    /// The state after the map.
    ///
    /// # Errors
    /// [`BfvSchemeError::Exhausted`]; [`BfvSchemeError::Keys`] for a ciphertext below the map's level.
    pub fn state(&self, params: &BfvParams, x: State) -> Result<State, BfvSchemeError> {
        check("level", x.level as u64, self.level() as u64, params.max_level() as u64)?;
        self.here.check(params, &x)?;
        let x = State { scheme: Scheme::Bgv, ..params.at_level(x, self.level()) };
        let of =
            |map: &LinearMap, x: State| params.promised("linear map", State { size: map.size(params, x.size), ..x });
        let here = of(&self.here, x)?;
        let Some((_, map)) = &self.image else { return Ok(here) };
        Ok(params.sum(here, of(map, params.moved(x)?)?)?.1)
    }
}

/// The state after these maps, one after the other.
///
/// # Errors
/// As [`SlotMap::state`].
pub fn stages_state(maps: &[SlotMap], params: &BfvParams, x: State) -> Result<State, BfvSchemeError> {
    maps.iter().try_fold(x, |x, map| map.state(params, x))
}

impl Evaluator {
    /// M x at the map's level, in BGV; level and w are as they come.
    ///
    /// # Errors
    /// [`BfvSchemeError::Keys`] for missing keys or a ciphertext below the map's level; [`BfvSchemeError::Foreign`],
    /// [`BfvSchemeError::Exhausted`].
    pub fn apply_linear(&self, map: &LinearMap, x: &BfvCiphertext) -> Result<BfvCiphertext, BfvSchemeError> {
        self.params.has(Scheme::Bgv)?;
        map.check(&self.params, x)?;
        let x = self.drop_to(x, map.level())?.into_owned().into_scheme(&self.params, Scheme::Bgv);
        let inner = map.map.apply(&map.polynomials, &self.keys, &x.inner, false)?;
        let state = State { size: map.size(&self.params, x.size), ..x.state };
        Ok(BfvCiphertext { inner, state: self.params.promised("linear map", state)?, ..x })
    }

    /// The map of a ciphertext at or above its level.
    ///
    /// # Errors
    /// As [`Self::apply_linear`], [`Self::apply`].
    pub fn apply_slots(&self, map: &SlotMap, x: &BfvCiphertext) -> Result<BfvCiphertext, BfvSchemeError> {
        let x = self.brought(x, map.level(), Scheme::Bgv)?;
        let here = self.apply_linear(&map.here, &x)?;
        let Some((action, map)) = &map.image else { return Ok(here) };
        self.add(&here, &self.apply_linear(map, &self.apply(&x, *action)?)?)
    }

    /// These maps of a ciphertext at or above the level of the first, one after the other.
    ///
    /// # Errors
    /// As [`Self::apply_slots`].
    pub fn apply_stages(&self, maps: &[SlotMap], x: &BfvCiphertext) -> Result<BfvCiphertext, BfvSchemeError> {
        maps.iter().try_fold(x.clone(), |x, map| self.apply_slots(map, &x))
    }
}
