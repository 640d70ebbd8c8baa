//! Linear maps ([`crate::lintrans`]) on ciphertexts, hoisted: for any slots whose diagonals are integer
//! polynomials.
use bootes_lattice::rns::{GaloisKey, RnsCiphertext, RnsDigits};
use bootes_ring::error::RingError;
use bootes_ring::mem::AlignedVec;
use bootes_ring::ntt::{self, Ntt};
use bootes_ring::poly::{Eval, Poly};
use num_complex::Complex64;

use super::{GaloisAction, KeyError, KeyRequest, RlweCost, RlweEvaluationKey, RlweParams};
use crate::cost::Residues;
use crate::lintrans::{BsgsPlan, Diagonals};
use crate::scalar::Scalar;

/// The slots of a scheme along an axis: the size of a diagonal's polynomial, and what rotates them.
pub trait Slots {
    /// The value of a slot.
    type Value: Scalar;
    /// How many parts a coefficient has: x of one part, x + 2^[`HIGH_BITS`]·y of two.
    const PARTS: usize = 1;

    /// How many coefficients the polynomial has whose slots are a diagonal of this period: a power of two that divides
    /// N. With k of them it is a polynomial of X^(N/k).
    fn coefficients(&self, period: usize) -> usize;

    /// The rotation of slots to the left.
    fn rotation(&self, by: usize) -> GaloisAction {
        GaloisAction::rotation(by as i64)
    }
}

/// log2 of the unit of upper parts of coefficients.
pub const HIGH_BITS: u32 = 44;

/// A linear map for one level: its steps, and what their work, noise and keys depend on.
#[derive(Debug)]
pub struct HoistedMap<T = Complex64> {
    plan: BsgsPlan<T>,
    level: usize,
    /// The rotations of the babies; none where nothing moves.
    babies: Vec<Option<GaloisAction>>,
    /// The rotation by a giant step, if there are several.
    giant: Option<GaloisAction>,
    /// Coefficients of the polynomial of each diagonal; of so many parts.
    sizes: Vec<usize>,
    parts: usize,
    /// How values are made by a smaller transform; none for diagonals of N coefficients.
    subring: Option<Subring>,
}

/// The diagonals of a [`HoistedMap`] as integer coefficients, each rotated by its giant step: for each giant, for each
/// baby.
///
/// A diagonal of period m of complex slots is a polynomial of X^(N/(2m)), kept as 2m integers, 16·m bytes;
/// what it needs modulo the primes is made when it is used.
#[derive(Debug)]
pub struct MapPolynomials(Vec<Vec<Option<Vec<f64>>>>);

impl MapPolynomials {
    /// Those of all diagonals.
    pub fn iter(&self) -> impl Iterator<Item = &[f64]> {
        self.0.iter().flatten().flatten().map(Vec::as_slice)
    }
}

/// The ring of X^(N/k).
#[derive(Debug)]
struct Subring {
    /// The transforms of degree k modulo all primes of the level.
    plans: Vec<Ntt>,
    /// Which of their values each value of degree N is; if k ≤ N/8, each of the first of a run
    /// ([`Ntt::RUN`]).
    from: Vec<u32>,
}

impl<T: Scalar> HoistedMap<T> {
    /// The steps of a map for ciphertexts of `level`.
    ///
    /// # Errors
    /// [`KeyError::Parameter`] for a level beyond the parameters.
    pub fn new<S: Slots<Value = T>>(
        params: &RlweParams,
        slots: &S,
        map: Diagonals<T>,
        level: usize,
    ) -> Result<Self, KeyError> {
        params.check_level(level)?;
        let babies = (2.0 * map.iter().len() as f64).sqrt().log2().floor().exp2() as usize;
        let plan = BsgsPlan::new(map, babies.max(1));
        let sizes: Vec<usize> = inner(&plan).flatten().flatten().map(|d| slots.coefficients(d.len())).collect();
        let degree = sizes.first().map_or(Ntt::MIN_DEGREE, |&size| size);
        let subring = (Ntt::MIN_DEGREE..params.degree()).contains(&degree).then(|| {
            let moduli = params.ring().moduli(params.gadget().raised(level + 1));
            let plans = moduli.into_iter().map(|p| Ntt::new(degree, p)).collect::<Result<_, RingError>>()?;
            // ψ^(N/k) is the root of the smaller degree k, so values depend on exponents modulo 2k.
            let from = |to| ntt::position(degree, ntt::exponent(params.degree(), to)) as u32;
            let first = params.degree() / Ntt::RUN;
            let from = match degree <= first {
                true => (0..first).map(ntt::run_position).map(from).collect(),
                false => (0..params.degree()).map(from).collect(),
            };
            Ok::<_, KeyError>(Subring { plans, from })
        });
        let rotation = |&by: &usize| (by != 0).then(|| slots.rotation(by));
        let (babies, giant) = (plan.babies().iter().map(rotation).collect(), plan.giants().get(1).and_then(rotation));
        Ok(Self { sizes, parts: S::PARTS, plan, level, babies, giant, subring: subring.transpose()? })
    }

    /// The polynomials, by `encode` of a period of a diagonal: [`Slots::coefficients`] integers of absolute value up to
    /// 2^52. Where they have two parts, all upper ones come after all lower ones.
    ///
    /// # Errors
    /// Those of `encode`.
    pub fn polynomials<E>(&self, encode: impl Fn(&[T]) -> Result<Vec<f64>, E>) -> Result<MapPolynomials, E> {
        let of_giant = |diagonals: Inner<'_, T>| diagonals.into_iter().map(|d| d.map(&encode).transpose()).collect();
        Ok(MapPolynomials(inner(&self.plan).map(of_giant).collect::<Result<_, E>>()?))
    }

    /// The steps.
    #[must_use]
    pub fn plan(&self) -> &BsgsPlan<T> {
        &self.plan
    }

    /// How many values [`HoistedMap::values_into`] makes of a polynomial of degree N.
    fn value_count(&self, degree: usize) -> usize {
        self.subring.as_ref().map_or(degree, |subring| subring.from.len())
    }

    /// The values of a diagonal modulo the prime of limb `i`, whose transform of degree N is `ntt`.
    fn values_into(&self, values: &mut [f64], diagonal: &[f64], ntt: &Ntt, i: usize) {
        let size = diagonal.len() / self.parts;
        let (low, high) = diagonal.split_at(size);
        let p = ntt.modulus();
        let unit = p.factor(p.reduce(1 << HIGH_BITS));
        let balance = |ntt: &Ntt, out: &mut [f64]| {
            ntt.balance_into(out, low);
            if !high.is_empty() {
                let mut upper = vec![0.0; size];
                ntt.balance_into(&mut upper, high);
                ntt.add_mul_factor_assign(out, &upper, unit);
            }
        };
        match &self.subring {
            Some(Subring { plans, from }) => {
                let mut small = vec![0.0; size];
                balance(&plans[i], &mut small);
                plans[i].forward(&mut small);
                // The mask changes nothing and spares the check.
                values.iter_mut().zip(from).for_each(|(x, &from)| *x = small[from as usize & (size - 1)]);
            }
            None if size == values.len() => {
                balance(ntt, values);
                ntt.forward(values);
            }
            None => {
                values.fill(0.0);
                let step = values.len() / size;
                values.iter_mut().step_by(step).zip(low).for_each(|(x, &c)| *x = p.balance_f64(c));
                let upper = values.iter_mut().step_by(step).zip(high);
                upper.for_each(|(x, &c)| *x = p.balance_f64(*x + p.mul_factor(p.balance_f64(c), unit)));
                ntt.forward(values);
            }
        }
    }

    /// The level that it is prepared for.
    #[must_use]
    pub fn level(&self) -> usize {
        self.level
    }

    /// The work of [`HoistedMap::apply`], with the division by the prime of the level or without.
    #[must_use]
    pub fn work(&self, cost: RlweCost<'_>, rescale: bool) -> Residues {
        let (gadget, level) = (cost.params().gadget(), self.level);
        let (limbs, chain) = (gadget.raised(level + 1), level + 1);
        let keyed = self.babies.iter().flatten().count();
        let plain = self.plan.babies().len() - keyed;
        let babies = cost.key_product(gadget, level) * keyed as f64
            + cost.passes(keyed * (chain + 2 * limbs.count()) + 2 * plain * chain);
        let product = |&size: &usize| self.diagonal_work(cost, size) + cost.products(2 * limbs.count());
        let products: Residues = self.sizes.iter().map(product).sum();
        let giants = self.plan.giants().len() - 1;
        let giant = cost.division(limbs, chain)
            + cost.decomposition(gadget, level)
            + cost.raising(gadget, level)
            + cost.key_product(gadget, level)
            + cost.passes(5 * limbs.count());
        let hoisted = cost.decomposition(gadget, level) + cost.raising(gadget, level);
        hoisted + babies + products + giant * giants as f64 + cost.division(limbs, chain - usize::from(rescale)) * 2.0
    }

    /// The values of a diagonal of `size` coefficients modulo all primes.
    fn diagonal_work(&self, cost: RlweCost<'_>, size: usize) -> Residues {
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
        self.babies.iter().flatten().chain(&self.giant).for_each(|&action| request.action(action, self.level));
    }

    /// M z for a ciphertext of the map's level or above, at the map's level; divided by the prime of the
    /// level, and one level below, if `rescale`.
    ///
    /// Double hoisting: the mask is decomposed once for all baby steps, whose results stay modulo QP, as do
    /// the bodies to the end. Horner's rule over the giant steps divides one mask by P each, to decompose it;
    /// the last division is by the rescaling prime too.
    ///
    /// # Errors
    /// As [`RlweEvaluationKey::galois`].
    ///
    /// # Panics
    /// If the ciphertext is below the map's level, or that is 0 and to be rescaled.
    pub fn apply(
        &self,
        MapPolynomials(diagonals): &MapPolynomials,
        keys: &RlweEvaluationKey,
        x: &RnsCiphertext,
        rescale: bool,
    ) -> Result<RnsCiphertext, KeyError> {
        let (ring, gadget) = (keys.params.ring(), keys.params.gadget());
        let mut sums = {
            let inner = x.restricted(keys.params.limbs(self.level));
            self.inner_sums(diagonals, keys, &inner, &gadget.decompose(ring, &inner.a).raise(ring))?
        };
        let mut sum = sums.pop().expect("a plan has a giant step");
        if let Some(action) = self.giant {
            let key = keys.galois(action, self.level)?;
            while let Some(mut next) = sums.pop() {
                let a = gadget.divide(ring, &sum.a);
                add_rotated(&keys.params, &mut next, key, &sum.b, &gadget.decompose(ring, &a));
                sum = next;
            }
        }
        Ok(if rescale { gadget.divide_rescale(ring, &sum) } else { sum.map(|x| gadget.divide(ring, x)) })
    }

    /// For each giant step g, Σ_i d_(g,i) ⊙ baby_i modulo QP, of the ciphertext `x` whose mask has the digits
    /// `digits`.
    ///
    /// Limb by limb: its rotations are made once and serve all giant steps while they are in the cache;
    /// polynomials are read and written once.
    fn inner_sums(
        &self,
        diagonals: &[Vec<Option<Vec<f64>>>],
        keys: &RlweEvaluationKey,
        x: &RnsCiphertext,
        digits: &RnsDigits<'_>,
    ) -> Result<Vec<RnsCiphertext>, KeyError> {
        let (params, limbs) = (&keys.params, digits.limbs());
        let (ring, gadget, degree) = (params.ring(), params.gadget(), params.degree());
        let key = |action: &Option<GaloisAction>| action.map(|action| keys.galois(action, self.level)).transpose();
        let keys = self.babies.iter().map(key).collect::<Result<Vec<_>, _>>()?;
        let unspecified = |_: &_| RnsCiphertext { b: ring.unspecified(limbs), a: ring.unspecified(limbs) };
        let mut sums: Vec<RnsCiphertext> = diagonals.iter().map(unspecified).collect();
        let buffers = || {
            let babies = AlignedVec::<f64>::unspecified(2 * degree * (keys.len() + 1));
            let together = self.together(degree, diagonals.len());
            (babies, AlignedVec::<f64>::unspecified(self.value_count(degree) * together * keys.len()))
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
                self.limb_sums(diagonals, (ring.ntt(limbs, i), i), babies, values, &mut sums);
            }
        });
        Ok(sums)
    }

    /// Giant steps whose diagonals are made together: all of them where diagonals are short, so that a piece
    /// of the babies serves all in the cache.
    fn together(&self, degree: usize, giants: usize) -> usize {
        if self.value_count(degree) == degree { 1 } else { giants.max(1) }
    }

    /// Limb `i` of Σ_j d_j ⊙ baby_j, for each giant step; `babies` holds b and a of each.
    fn limb_sums(
        &self,
        diagonals: &[Vec<Option<Vec<f64>>>],
        (ntt, i): (&Ntt, usize),
        babies: &[f64],
        values: &mut [f64],
        sums: &mut [[&mut [f64]; 2]],
    ) {
        let (degree, count) = (ntt.degree(), self.value_count(ntt.degree()));
        let (together, run) = (self.together(degree, diagonals.len()), degree / count);
        for (steps, sums) in diagonals.chunks(together).zip(sums.chunks_mut(together)) {
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

/// For each baby, the diagonal of a giant.
type Inner<'a, T> = Vec<Option<&'a [T]>>;

/// For each giant, for each baby, its diagonal.
fn inner<T: Scalar>(plan: &BsgsPlan<T>) -> impl Iterator<Item = Inner<'_, T>> {
    (0..plan.giants().len()).map(|giant| (0..plan.babies().len()).map(|i| plan.inner(giant, i)).collect())
}

/// Numbers of a limb that are multiplied at a time.
const PIECE: usize = 1 << 10;

/// `sum` ← `sum` + (`b`, 0) rotated + the key's product, all modulo QP, for digits of a mask: a giant step.
fn add_rotated(params: &RlweParams, sum: &mut RnsCiphertext, key: &GaloisKey, b: &Poly<Eval>, digits: &RnsDigits<'_>) {
    let (ring, limbs) = (params.ring(), digits.limbs());
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
