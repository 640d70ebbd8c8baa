//! Linear maps ([`crate::lintrans`]) on ciphertexts.
use bootes_lattice::rns::RnsCiphertext;
use bootes_ring::error::RingError;
use bootes_ring::ntt::{self, Ntt};
use bootes_ring::poly::{Eval, Poly};
use num_complex::Complex64;
use rayon::prelude::*;

use super::ciphertext::encode;
use super::noise::SlotNoise;
use super::{CkksCiphertext, CkksError, CkksParams, Encoder, Evaluator, KeyRequest};
use crate::lintrans::{BsgsPlan, Diagonals, GiantKeys};

/// A linear map prepared for one level: its diagonals as rounded coefficients.
///
/// A diagonal of period m is a polynomial of X^(N/(2m)), kept as 2m integers, 16·m bytes; what it needs modulo the primes is made when it is
/// used.
#[derive(Debug)]
pub struct LinearMap {
    plan: BsgsPlan,
    level: usize,
    /// The scale of the diagonals.
    scale: f64,
    /// For each giant, for each baby.
    diagonals: Vec<Vec<Option<Vec<f64>>>>,
    /// The transforms of degree 2m modulo all primes of the level, and which of their values each value of degree N is; none for m = N/2.
    subring: Option<(Vec<Ntt>, Vec<u32>)>,
}

impl LinearMap {
    /// Prepares a map for ciphertexts of `level`; its diagonals get the scale `scale`, and results the scale of the input times
    /// `scale`/q_level.
    ///
    /// # Errors
    /// As [`Encoder::coefficients_into`].
    pub fn new(
        params: &CkksParams,
        encoder: &Encoder,
        map: Diagonals,
        level: usize,
        scale: f64,
    ) -> Result<Self, CkksError> {
        let babies = (2.0 * map.iter().len() as f64).sqrt().log2().floor().exp2() as usize;
        let plan = BsgsPlan::new(map, babies.max(1), GiantKeys::One);
        let prepare = |diagonal: &[Complex64]| {
            let coefficients = encode(encoder, diagonal, scale)?;
            Ok(coefficients.into_iter().step_by(params.slots() / diagonal.len()).collect())
        };
        let diagonals = (0..plan.giants().len()).map(|g| {
            (0..plan.babies().len())
                .map(|i| plan.inner(g, i).map(prepare).transpose())
                .collect::<Result<_, CkksError>>()
        });
        let diagonals = diagonals.collect::<Result<Vec<Vec<Option<Vec<f64>>>>, _>>()?;
        let degree = diagonals.iter().flatten().flatten().next().map_or(Ntt::MIN_DEGREE, Vec::len);
        let subring = (Ntt::MIN_DEGREE..params.degree()).contains(&degree).then(|| {
            let moduli = params.ring().moduli(params.gadget().raised(level + 1));
            let plans = moduli.into_iter().map(|p| Ntt::new(degree, p)).collect::<Result<_, RingError>>()?;
            // ψ^(N/(2m)) is the root of the smaller degree, so values depend on exponents modulo 4m.
            let from = |to| ntt::position(degree, ntt::exponent(params.degree(), to)) as u32;
            Ok::<_, CkksError>((plans, (0..params.degree()).map(from).collect()))
        });
        Ok(Self { diagonals, plan, level, scale, subring: subring.transpose()? })
    }

    /// The values of a diagonal modulo the prime of limb `i`, whose transform of degree N is `ntt`.
    fn values_into(&self, values: &mut [f64], diagonal: &[f64], ntt: &Ntt, i: usize) {
        let size = diagonal.len();
        match &self.subring {
            Some((plans, from)) => {
                let mut small = vec![0.0; size];
                plans[i].balance_into(&mut small, diagonal);
                plans[i].forward(&mut small);
                // The mask changes nothing and spares the check.
                values.iter_mut().zip(from).for_each(|(x, &from)| *x = small[from as usize & (size - 1)]);
            }
            None if size == values.len() => {
                ntt.balance_into(values, diagonal);
                ntt.forward(values);
            }
            None => {
                values.fill(0.0);
                let step = values.len() / size;
                values.iter_mut().step_by(step).zip(diagonal).for_each(|(x, &c)| *x = ntt.modulus().balance_f64(c));
                ntt.forward(values);
            }
        }
    }

    /// The level that it is prepared for.
    #[must_use]
    pub fn level(&self) -> usize {
        self.level
    }

    /// The noise, and the variance of the values, after the map of slots with `noise` and values of variance `signal` at the scale
    /// `scale`; both alike in all slots. Also the scale.
    ///
    /// With d the diagonals and R = Σ|d|² the mean of a row: R·noise; R·(key switch) for the rotated babies, which are not divided by P; a
    /// key switch and a rounding, at the scale before the division by q_ℓ, for each giant; the rounding of that division; and 2m rounded
    /// coefficients for each diagonal of period m, times the values.
    #[must_use]
    pub fn noise(&self, params: &CkksParams, noise: SlotNoise, signal: f64, scale: f64) -> (SlotNoise, f64, f64) {
        let before = scale * self.scale;
        let after = before / params.prime(self.level);
        let (mut rows, mut rotated, mut rounded) = (0.0, 0.0, 0.0);
        for (i, &rotation) in self.plan.babies().iter().enumerate() {
            for diagonal in (0..self.plan.giants().len()).filter_map(|giant| self.plan.inner(giant, i)) {
                let size = diagonal.iter().map(Complex64::norm_sqr).sum::<f64>() / diagonal.len() as f64;
                rows += size;
                rotated += if rotation == 0 { 0.0 } else { size };
                rounded += 2.0 * diagonal.len() as f64 / 12.0;
            }
        }
        let giants = self.plan.giants().len() as f64 - 1.0;
        let mixed = rows * noise.mean()
            + rotated * params.switch_noise(self.level, scale).mean()
            + giants * params.rotation_noise(self.level, before).mean()
            + rounded / self.scale.powi(2) * signal;
        (SlotNoise::flat(mixed) + params.rounding_noise(after), rows * signal, after)
    }

    /// Asks for the keys that it needs.
    pub fn request(&self, request: &mut KeyRequest) {
        self.plan.rotations().into_iter().for_each(|rotation| request.rotation(rotation, self.level));
    }
}

impl Evaluator {
    /// M z, one level below the map's.
    ///
    /// The mask is decomposed once for all baby steps, whose results stay modulo QP; Horner's rule over the giant steps divides by P once each,
    /// and the last time by the rescaling prime too.
    ///
    /// # Errors
    /// [`CkksError::Exhausted`] if the ciphertext is not at the level of the map or above; [`CkksError::NoGaloisKey`].
    pub fn apply_linear(&self, map: &LinearMap, x: &CkksCiphertext) -> Result<CkksCiphertext, CkksError> {
        self.check(x)?;
        if x.level() < map.level || map.level == 0 {
            return Err(CkksError::Exhausted { operation: "linear map", needed: map.level.max(1), found: x.level() });
        }
        let (ring, gadget, slots) = (self.ring(), self.params.gadget(), self.params.slots() as i64);
        let inner = x.inner.restricted(self.params.limbs(map.level));
        let digits = gadget.decompose(ring, &inner.a);
        let limbs = digits.limbs();
        let mut babies = Vec::with_capacity(map.plan.babies().len());
        for &rotation in map.plan.babies() {
            if rotation == 0 {
                let mut raised = RnsCiphertext { b: ring.zero(limbs), a: ring.zero(limbs) };
                gadget.add_times_p(ring, &mut raised.b, &inner.b, 0..limbs.chain);
                gadget.add_times_p(ring, &mut raised.a, &inner.a, 0..limbs.chain);
                babies.push(raised);
            } else {
                let key = self.galois_key(Some(rotation as i64), map.level)?;
                babies.push(key.apply_raised(ring, gadget, &inner.b, &digits));
            }
        }
        drop(digits);
        let step = map.plan.giants().get(1).map_or(0, |&step| step as i64 % slots);
        let mut sum: Option<RnsCiphertext> = None;
        for row in map.diagonals.iter().rev() {
            let mut next = match sum {
                None => RnsCiphertext { b: ring.zero(limbs), a: ring.zero(limbs) },
                Some(sum) => {
                    let sum = gadget.divide(ring, &sum);
                    let key = self.galois_key(Some(step), map.level)?;
                    key.apply_raised(ring, gadget, &sum.b, &gadget.decompose(ring, &sum.a))
                }
            };
            self.add_inner(&mut next, map, row, &babies);
            sum = Some(next);
        }
        let sum = sum.expect("a plan has a giant step");
        let inner = gadget.divide_rescale(ring, &sum);
        Ok(CkksCiphertext { inner, scale: x.scale * map.scale / self.params.prime(map.level), key: x.key })
    }

    /// `sum` ← `sum` + Σ_i d_i ⊙ baby_i modulo QP, limb by limb.
    fn add_inner(
        &self,
        sum: &mut RnsCiphertext,
        map: &LinearMap,
        diagonals: &[Option<Vec<f64>>],
        babies: &[RnsCiphertext],
    ) {
        let (ring, limbs, degree) = (self.ring(), sum.limbs(), self.params.degree());
        let RnsCiphertext { b, a } = sum;
        let present: Vec<_> = diagonals.iter().zip(babies).filter_map(|(d, baby)| Some((d.as_ref()?, baby))).collect();
        let buffer = || vec![0.0; degree * present.len()];
        b.par_iter_mut().zip(a.par_iter_mut()).enumerate().for_each_init(buffer, |buffer, (i, (b, a))| {
            let ntt = ring.ntt(limbs, i);
            for ((diagonal, _), values) in present.iter().zip(buffer.chunks_exact_mut(degree)) {
                map.values_into(values, diagonal, ntt, i);
            }
            let term = |x: fn(&RnsCiphertext) -> &Poly<Eval>| {
                let baby = move |baby| x(baby).limb(x(baby).position(limbs, i));
                let values = buffer.chunks_exact(degree);
                values.zip(&present).map(|(values, (_, x))| (values, baby(x))).collect::<Vec<_>>()
            };
            ntt.add_products_assign(b, &term(|x| &x.b));
            ntt.add_products_assign(a, &term(|x| &x.a));
        });
    }
}
