//! Linear maps ([`crate::lintrans`]) on ciphertexts.
use bootes_lattice::rns::{Digits, GaloisKey, RnsCiphertext};
use bootes_ring::error::RingError;
use bootes_ring::mem::AlignedVec;
use bootes_ring::ntt::{self, Ntt};
use bootes_ring::poly::{Eval, Poly};
use num_complex::Complex64;

use super::ciphertext::{check_size, encode};
use super::noise::SlotNoise;
use super::{CkksCiphertext, CkksError, CkksParams, Cost, Encoder, Evaluator, KeyRequest};
use crate::cost::Residues;
use crate::lintrans::{BsgsPlan, Diagonals};

/// A linear map prepared for one level: its diagonals as rounded coefficients.
///
/// A diagonal of period m is a polynomial of X^(N/(2m)), kept as 2m integers, 16·m bytes; what it needs modulo the
/// primes is made when it is used.
#[derive(Debug)]
pub struct LinearMap {
    plan: BsgsPlan,
    level: usize,
    /// The scale of the diagonals.
    scale: f64,
    /// For each giant, for each baby.
    diagonals: Vec<Vec<Option<Vec<f64>>>>,
    /// How values are made by a smaller transform; none for m = N/2.
    subring: Option<Subring>,
}

/// The ring of X^(N/(2m)).
#[derive(Debug)]
struct Subring {
    /// The transforms of degree 2m modulo all primes of the level.
    plans: Vec<Ntt>,
    /// Which of their values each value of degree N is; if 2m ≤ N/8, each of the first of a run ([`Ntt::RUN`]).
    from: Vec<u32>,
}

impl LinearMap {
    /// Prepares a map for ciphertexts of `level`; its diagonals get the scale `scale`, and results the scale of the
    /// input times `scale`/q_level.
    ///
    /// # Errors
    /// [`CkksError::Parameter`] for a level beyond the parameters; [`CkksError::TooLarge`] for entries that are 2^52 or
    /// more at the scale; as [`Encoder::coefficients_into`].
    pub fn new(
        params: &CkksParams,
        encoder: &Encoder,
        map: Diagonals,
        level: usize,
        scale: f64,
    ) -> Result<Self, CkksError> {
        params.check_level(level)?;
        let babies = (2.0 * map.iter().len() as f64).sqrt().log2().floor().exp2() as usize;
        let plan = BsgsPlan::new(map, babies.max(1));
        let prepare = |diagonal: &[Complex64]| {
            let coefficients = encode(encoder, diagonal, scale)?;
            check_size(52.0, &coefficients)?;
            Ok(coefficients.iter().copied().step_by(params.slots() / diagonal.len()).collect())
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
            let first = params.degree() / Ntt::RUN;
            let from = match degree <= first {
                true => (0..first).map(ntt::run_position).map(from).collect(),
                false => (0..params.degree()).map(from).collect(),
            };
            Ok::<_, CkksError>(Subring { plans, from })
        });
        Ok(Self { diagonals, plan, level, scale, subring: subring.transpose()? })
    }

    /// How many values [`LinearMap::values_into`] makes of a polynomial of degree N.
    fn value_count(&self, degree: usize) -> usize {
        self.subring.as_ref().map_or(degree, |subring| subring.from.len())
    }

    /// The values of a diagonal modulo the prime of limb `i`, whose transform of degree N is `ntt`.
    fn values_into(&self, values: &mut [f64], diagonal: &[f64], ntt: &Ntt, i: usize) {
        let size = diagonal.len();
        match &self.subring {
            Some(Subring { plans, from }) => {
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

    /// The noise, and the variance of the values, after the map of slots with `noise` and values of variance `signal`
    /// at the scale `scale`; both alike in all slots. Also the scale.
    ///
    /// With d the diagonals and R = Σ|d|² the mean of a row: R·noise; R·(key switch) for the rotated babies, which are
    /// not divided by P; a key switch and the rounding of the mask, at the scale before the division by q_ℓ, for each
    /// giant; the rounding of that division; and 2m rounded coefficients for each diagonal of period m, times the
    /// values.
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
            + giants * (params.switch_noise(self.level, before).mean() + params.rounding_noise(before).keyed)
            + rounded / self.scale.powi(2) * signal;
        (SlotNoise::flat(mixed) + params.rounding_noise(after), rows * signal, after)
    }

    /// The work of [`Evaluator::apply_linear`].
    #[must_use]
    pub fn work(&self, cost: Cost<'_>) -> Residues {
        let (gadget, level) = (cost.params().gadget(), self.level);
        let (limbs, chain) = (gadget.raised(level + 1), level + 1);
        let keyed = self.plan.babies().iter().filter(|&&rotation| rotation != 0).count();
        let plain = self.plan.babies().len() - keyed;
        let babies = cost.key_product(gadget, level) * keyed as f64
            + cost.passes(keyed * (chain + 2 * limbs.count()) + 2 * plain * chain);
        let diagonals = self.diagonals.iter().flatten().flatten();
        let products: Residues =
            diagonals.map(|diagonal| self.diagonal_work(cost, diagonal.len()) + cost.products(2 * limbs.count())).sum();
        let giants = self.plan.giants().len() - 1;
        let giant = cost.division(limbs, chain)
            + cost.decomposition(gadget, level)
            + cost.raising(gadget, level)
            + cost.key_product(gadget, level)
            + cost.passes(5 * limbs.count());
        let hoisted = cost.decomposition(gadget, level) + cost.raising(gadget, level);
        hoisted + babies + products + giant * giants as f64 + cost.division(limbs, level) * 2.0
    }

    /// The values of a diagonal of `size` coefficients modulo all primes.
    fn diagonal_work(&self, cost: Cost<'_>, size: usize) -> Residues {
        let (params, limbs) = (cost.params(), cost.params().gadget().raised(self.level + 1));
        let words = |i: usize| match &self.subring {
            Some(subring) => subring.plans[i].on_words(),
            None => params.ring().ntt(limbs, i).on_words(),
        };
        let degree = if self.subring.is_some() { size } else { params.degree() };
        let points = (degree * degree.ilog2() as usize) as f64;
        let on_words = (0..limbs.count()).filter(|&i| words(i)).count();
        // Coefficients that are spread out are balanced one by one.
        let balanced = if self.subring.is_some() || size == params.degree() { size } else { 0 };
        Residues {
            transform: points * (limbs.count() - on_words) as f64,
            words: points * on_words as f64,
            pass: (balanced * limbs.count()) as f64,
            ..Residues::default()
        }
    }

    /// Asks for the keys that it needs.
    pub fn request(&self, request: &mut KeyRequest) {
        self.plan.rotations().into_iter().for_each(|rotation| request.rotation(rotation, self.level));
    }
}

impl Evaluator {
    /// M z, one level below the map's.
    ///
    /// Double hoisting: the mask is decomposed once for all baby steps, whose results stay modulo QP, as do the bodies
    /// to the end. Horner's rule over the giant steps divides one mask by P each, to decompose it; the last division is
    /// by the rescaling prime too.
    ///
    /// # Errors
    /// [`CkksError::Exhausted`] if the ciphertext is not at the level of the map or above; [`CkksError::NoGaloisKey`].
    pub fn apply_linear(&self, map: &LinearMap, x: &CkksCiphertext) -> Result<CkksCiphertext, CkksError> {
        self.check(x)?;
        if x.level() < map.level || map.level == 0 {
            return Err(CkksError::Exhausted { operation: "linear map", needed: map.level.max(1), found: x.level() });
        }
        let (ring, gadget) = (self.ring(), self.params.gadget());
        let mut sums = {
            let inner = x.inner.restricted(self.params.limbs(map.level));
            self.inner_sums(map, &inner, &gadget.decompose(ring, &inner.a).raise(ring))?
        };
        let mut sum = sums.pop().expect("a plan has a giant step");
        if let Some(&step) = map.plan.giants().get(1) {
            let key = self.galois_key(Some(step as i64), map.level)?;
            while let Some(mut next) = sums.pop() {
                let a = gadget.divide(ring, &sum.a);
                self.add_rotated(&mut next, key, &sum.b, &gadget.decompose(ring, &a));
                sum = next;
            }
        }
        let inner = gadget.divide_rescale(ring, &sum);
        Ok(CkksCiphertext { inner, scale: x.scale * map.scale / self.params.prime(map.level), key: x.key })
    }

    /// For each giant step g, Σ_i d_(g,i) ⊙ baby_i modulo QP, of the ciphertext `x` whose mask has the digits `digits`.
    ///
    /// Limb by limb: its rotations are made once and serve all giant steps while they are in the cache; polynomials are
    /// read and written once.
    fn inner_sums(
        &self,
        map: &LinearMap,
        x: &RnsCiphertext,
        digits: &Digits<'_>,
    ) -> Result<Vec<RnsCiphertext>, CkksError> {
        let (ring, gadget, degree, limbs) = (self.ring(), self.params.gadget(), self.params.degree(), digits.limbs());
        let key = |&rotation: &usize| match rotation {
            0 => Ok(None),
            _ => self.galois_key(Some(rotation as i64), map.level).map(Some),
        };
        let keys = map.plan.babies().iter().map(key).collect::<Result<Vec<_>, _>>()?;
        let unspecified = |_: &_| RnsCiphertext { b: ring.unspecified(limbs), a: ring.unspecified(limbs) };
        let mut sums: Vec<RnsCiphertext> = map.diagonals.iter().map(unspecified).collect();
        let buffers = || {
            let babies = AlignedVec::<f64>::unspecified(2 * degree * (keys.len() + 1));
            (babies, AlignedVec::<f64>::unspecified(map.value_count(degree) * map.together(degree) * keys.len()))
        };
        let items = by_limb(&mut sums).into_iter().enumerate().collect();
        digits.for_each_group(ring, items, buffers, |(babies, values), group| {
            for (i, digits, mut sums) in group {
                let (scratch, babies) = babies.split_at_mut(2 * degree);
                for (key, baby) in keys.iter().zip(babies.chunks_exact_mut(2 * degree)) {
                    let [b, a] = halves(baby);
                    match key {
                        Some(key) => {
                            let body = |limb: &mut [f64]| gadget.add_times_p(ring, limbs, i, limb, &x.b);
                            key.raised_limb(ring, limbs, body, &digits, i, [b, a], halves(scratch));
                        }
                        None => {
                            for (limb, x) in [(b, &x.b), (a, &x.a)] {
                                limb.fill(0.0);
                                gadget.add_times_p(ring, limbs, i, limb, x);
                            }
                        }
                    }
                }
                map.inner_sums(ring.ntt(limbs, i), i, babies, values, &mut sums);
            }
        });
        Ok(sums)
    }

    /// `sum` ← `sum` + (`b`, 0) rotated + the key's product, all modulo QP, for digits of a mask: a giant step.
    fn add_rotated(&self, sum: &mut RnsCiphertext, key: &GaloisKey, b: &Poly<Eval>, digits: &Digits<'_>) {
        let (ring, limbs) = (self.ring(), digits.limbs());
        let buffer = || AlignedVec::<f64>::unspecified(4 * ring.degree());
        let items = sum.b.iter_mut().zip(sum.a.iter_mut()).enumerate().collect();
        digits.for_each_group(ring, items, buffer, |buffer, group| {
            for (i, digits, (sum_b, sum_a)) in group {
                let (out, scratch) = buffer.split_at_mut(2 * ring.degree());
                let ntt = ring.ntt(limbs, i);
                let body = |limb: &mut [f64]| ntt.add_assign(limb, b.limb(i));
                key.raised_limb(ring, limbs, body, &digits, i, halves(out), halves(scratch));
                let [b, a] = halves(out);
                ntt.add_assign(sum_b, b);
                ntt.add_assign(sum_a, a);
            }
        });
    }
}

impl LinearMap {
    /// Giant steps whose diagonals are made together: all of them where diagonals are short, so that a piece of the
    /// babies serves all in the cache.
    fn together(&self, degree: usize) -> usize {
        if self.value_count(degree) == degree { 1 } else { self.diagonals.len().max(1) }
    }

    /// Limb `i` of Σ_j d_j ⊙ baby_j, for each giant step; `babies` holds b and a of each.
    fn inner_sums(&self, ntt: &Ntt, i: usize, babies: &[f64], values: &mut [f64], sums: &mut [[&mut [f64]; 2]]) {
        let (degree, count) = (ntt.degree(), self.value_count(ntt.degree()));
        let (together, run) = (self.together(degree), degree / count);
        for (steps, sums) in self.diagonals.chunks(together).zip(sums.chunks_mut(together)) {
            let mut values = values.chunks_exact_mut(count);
            let mut terms = Vec::with_capacity(steps.len());
            for diagonals in steps {
                let present = diagonals.iter().zip(babies.chunks_exact(2 * degree));
                let present = present.filter_map(|(diagonal, baby)| Some((diagonal.as_ref()?, baby)));
                let mut of_step = Vec::with_capacity(diagonals.len());
                for ((diagonal, baby), values) in present.zip(values.by_ref()) {
                    self.values_into(values, diagonal, ntt, i);
                    of_step.push((&*values, baby.split_at(degree)));
                }
                terms.push(of_step);
            }
            for from in (0..degree).step_by(PIECE) {
                let range = from..degree.min(from + PIECE);
                let runs = range.start / run..range.end / run;
                for (terms, [b, a]) in terms.iter().zip(&mut *sums) {
                    let of_b = terms.iter().map(|(values, (b, _))| (&values[runs.clone()], &b[range.clone()]));
                    let of_a = terms.iter().map(|(values, (_, a))| (&values[runs.clone()], &a[range.clone()]));
                    for (out, terms) in [(b, of_b.collect::<Vec<_>>()), (a, of_a.collect())] {
                        let out = &mut out[range.clone()];
                        if run == 1 {
                            ntt.sum_of_products_into(out, &terms);
                        } else {
                            ntt.sum_of_run_products_into(out, &terms);
                        }
                    }
                }
            }
        }
    }
}

/// Numbers of a limb that are multiplied at a time.
const PIECE: usize = 1 << 10;

fn halves(x: &mut [f64]) -> [&mut [f64]; 2] {
    x.split_at_mut(x.len() / 2).into()
}

/// For each limb, both of its parts in each ciphertext.
fn by_limb(ciphertexts: &mut [RnsCiphertext]) -> Vec<Vec<[&mut [f64]; 2]>> {
    let count = ciphertexts.first().map_or(0, |x| x.limbs().count());
    let mut limbs: Vec<_> = (0..count).map(|_| Vec::with_capacity(ciphertexts.len())).collect();
    for x in ciphertexts {
        let both = x.b.iter_mut().zip(x.a.iter_mut());
        limbs.iter_mut().zip(both).for_each(|(limbs, (b, a))| limbs.push([b, a]));
    }
    limbs
}
