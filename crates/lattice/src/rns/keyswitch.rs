//! Hybrid key switching: a polynomial times a secret s' becomes a ciphertext under s.
//!
//! The chain is cut into groups of α primes with products D_0, D_1, …. The digit d_j of a polynomial x is its residue
//! modulo D_j, |d_j| ≤ D_j/2, and x = Σ_j d_j·g_j modulo Q with g_j ≡ 1 modulo D_j and 0 modulo the other groups, at
//! every level alike. Rows of the key encrypt P·g_j·s' modulo Q·P, so Σ_j d_j·row_j has the phase P·x·s' + Σ_j d_j·e_j,
//! and division by P leaves
//!
//! noise variance = N·σ²·Σ_j D_j²/(12·P²) + (1 + h)/12,
//!
//! the last term for the rounding, with h = ‖s‖².
//!
//! **Low levels take fewer special primes.** Where few primes of the chain are left, digits are smaller, and the first
//! special primes, with a product P', are enough for the noise of the top level. With (P/P')^-1·x in place of x the
//! same rows give the phase P'·x·s' + … modulo Q·P', since P and P' are both 0 modulo P'.
//!
//! **Congruent modulo t** ([`HybridGadget::congruent`]), for errors that are multiples of t: the division by
//! P adds a multiple of t as well, t times the rounding above, so the phase is x·s' modulo t, and the noise t
//! times as large.
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use bootes_ring::cancel::is_wanted;
use bootes_ring::mem::AlignedVec;
use bootes_ring::modulus::{Factor, Modulus};
use bootes_ring::poly::{Coeff, Eval, Limbs, Poly};
use bootes_ring::rns::{Basis, Conversion, Division, PackedPoly, RnsRing, groups};
use bootes_ring::sample::{MaskSeed, MaskStream, NoiseStream, SecretSeed};
use bootes_ring::secret::{Secret, for_each_with_cleared_stack};
use rayon::prelude::*;

use super::RnsSecretKey;
use super::ciphertext::{ErrorDistribution, RnsCiphertext, noise};
use crate::LatticeError;

/// How polynomials are cut into digits, with the plans for every level.
pub struct HybridGadget {
    /// Primes of a digit.
    alpha: usize,
    /// Special primes.
    special: usize,
    /// t, modulo which divisions are congruent: 1 for rounding.
    modulus: u64,
    /// For 1, 2, … primes of the chain.
    levels: Vec<Level>,
}

struct Level {
    /// How many special primes are used.
    special: usize,
    /// (P/P')^-1 modulo each prime; empty if all special primes are used.
    scale: Vec<Factor>,
    /// For each digit, from its primes to all others and the special ones.
    raise: Vec<Conversion>,
    /// Division by P.
    down: Division,
    /// Division by P and the last prime of the chain.
    down_rescale: Option<Division>,
}

impl HybridGadget {
    /// Digits of `alpha` primes and the first `special` special primes, for the first `chain` primes of the ring.
    ///
    /// # Errors
    /// [`LatticeError::Parameter`] if `alpha` or `special` is zero, or the ring has fewer primes.
    pub fn new(ring: &RnsRing, chain: usize, alpha: usize, special: usize) -> Result<Self, LatticeError> {
        Self::congruent(ring, chain, alpha, special, 1)
    }

    /// The same with divisions that are congruent modulo t = `modulus`: see the module.
    ///
    /// # Errors
    /// As [`HybridGadget::new`]; [`LatticeError::Parameter`] if t is 0 or a multiple of a prime of the ring.
    pub fn congruent(
        ring: &RnsRing,
        chain: usize,
        alpha: usize,
        special: usize,
        modulus: u64,
    ) -> Result<Self, LatticeError> {
        let all = ring.limbs();
        let check = |what, found: usize, max: usize| {
            let error = LatticeError::Parameter {
                what,
                expected: "at least 1 and what the ring has",
                found: found.to_string(),
            };
            if (1..=max).contains(&found) { Ok(()) } else { Err(error) }
        };
        check("number of primes of a digit", alpha, all.chain)?;
        check("number of special primes", special, all.special)?;
        check("number of primes of the chain", chain, all.chain)?;
        if modulus == 0 || ring.moduli(all).iter().any(|p| p.reduce(modulus) == 0) {
            let expected = "prime to all primes of the ring";
            return Err(LatticeError::Parameter { what: "plaintext modulus", expected, found: modulus.to_string() });
        }
        let top = ring.moduli(Limbs { chain, special });
        let log2: Vec<f64> = top.iter().map(|q| (q.value() as f64).log2()).collect();
        // Σ_j D_j²/P'² of the first primes of either kind.
        let noise = |kept: usize, used: usize| {
            let p: f64 = log2[chain..][..used].iter().sum();
            log2[..kept].chunks(alpha).map(|digit| (2.0 * (digit.iter().sum::<f64>() - p)).exp2()).sum::<f64>()
        };
        let (most, unused) = (noise(chain, special), |used: usize| &top[chain + used..]);
        let level = |chain: usize| {
            let special = (1..special).find(|&used| noise(chain, used) <= most).unwrap_or(special);
            let from = Limbs { chain, special };
            let moduli = ring.moduli(from);
            let scale = |q: &Modulus| {
                let product = unused(special).iter().fold(1, |product, p| q.mul(product, q.reduce(p.value())));
                q.factor(q.inverse(product).expect("the primes are distinct"))
            };
            let scale =
                if unused(special).is_empty() { Vec::new() } else { moduli[..chain].iter().map(scale).collect() };
            let basis = |limbs: Vec<_>| Basis::new(limbs).expect("the primes of a ring are distinct");
            let raise = (0..chain).step_by(alpha).map(|first| {
                let own = first..(first + alpha).min(chain);
                let others = [&moduli[..own.start], &moduli[own.end..]].concat();
                Conversion::new(&basis(moduli[own].to_vec()), &basis(others))
            });
            Level {
                special,
                scale,
                raise: raise.collect(),
                down: Division::congruent(ring, from, chain, modulus),
                down_rescale: (chain > 1).then(|| Division::congruent(ring, from, chain - 1, modulus)),
            }
        };
        Ok(Self { alpha, special, modulus, levels: (1..=chain).map(level).collect() })
    }

    /// The most primes of the chain that a polynomial may have.
    #[must_use]
    pub fn chain(&self) -> usize {
        self.levels.len()
    }

    /// Digits of a polynomial modulo the first `chain` primes.
    #[must_use]
    pub fn digits(&self, chain: usize) -> usize {
        chain.div_ceil(self.alpha)
    }

    /// Special primes.
    #[must_use]
    pub fn special(&self) -> usize {
        self.special
    }

    /// Primes of digit `j` of a polynomial modulo the first `chain` primes.
    #[must_use]
    pub fn digit_primes(&self, chain: usize, j: usize) -> usize {
        self.alpha.min(chain - j * self.alpha)
    }

    /// The primes of keys for polynomials modulo the first `chain` primes at most.
    #[must_use]
    pub fn full(&self, chain: usize) -> Limbs {
        Limbs { chain, special: self.special }
    }

    /// The primes of raised digits and sums for a polynomial modulo the first `chain` primes: as many special ones as
    /// it needs.
    #[must_use]
    pub fn raised(&self, chain: usize) -> Limbs {
        Limbs { chain, special: self.levels[chain - 1].special }
    }

    /// The variance of the noise of a key switch of a uniform polynomial modulo the first `chain` primes: see the
    /// module.
    #[must_use]
    pub fn variance(&self, ring: &RnsRing, chain: usize, errors: ErrorDistribution, weight: usize) -> f64 {
        let ErrorDistribution { std, factor } = errors;
        let limbs = self.raised(chain);
        let log2: Vec<f64> = ring.moduli(limbs).iter().map(|q| (q.value() as f64).log2()).collect();
        let p: f64 = log2[chain..].iter().sum();
        let digits: f64 = log2[..chain].chunks(self.alpha).map(|d| (2.0 * (d.iter().sum::<f64>() - p)).exp2()).sum();
        let [factor, modulus] = [factor, self.modulus].map(|t| (t as f64).powi(2));
        ring.degree() as f64 * std * std * digits / 12.0 * factor + (1.0 + weight as f64) / 12.0 * modulus
    }

    /// The digits of `x`, a polynomial modulo primes of the chain.
    #[must_use]
    pub fn decompose<'a>(&'a self, ring: &RnsRing, x: &'a Poly<Eval>) -> RnsDigits<'a> {
        let limbs = x.limbs();
        let level = &self.levels[limbs.chain - 1];
        let mut of = Cow::Borrowed(x);
        if !level.scale.is_empty() {
            let scaled = of.to_mut().par_iter_mut().zip(&level.scale).enumerate();
            scaled.for_each(|(i, (limb, &factor))| ring.ntt(limbs, i).mul_factor_assign(limb, factor));
        }
        let mut prepared = ring.unspecified(limbs);
        prepared.par_iter_mut().enumerate().for_each(|(i, limb)| {
            let ntt = ring.ntt(limbs, i);
            limb.copy_from_slice(of.limb(i));
            ntt.backward(limb);
            ntt.mul_factor_assign(limb, level.raise[i / self.alpha].factor(i % self.alpha));
        });
        let limbs = self.raised(limbs.chain);
        RnsDigits { of, prepared, alpha: self.alpha, limbs, raise: &level.raise, raised: Vec::new() }
    }

    /// `x`, modulo Q·P, divided by P.
    #[must_use]
    pub fn divide(&self, ring: &RnsRing, x: &Poly<Eval>) -> Poly<Eval> {
        let [divided] = self.division(x.limbs().chain, false).divide(ring, [x]);
        divided
    }

    /// Both polynomials of `x`, modulo Q·P, divided by P and the last prime of the chain.
    ///
    /// # Panics
    /// If there is one prime of the chain only.
    #[must_use]
    pub fn divide_rescale(&self, ring: &RnsRing, x: &RnsCiphertext) -> RnsCiphertext {
        x.divided(ring, self.division(x.limbs().chain, true))
    }

    /// Division by P, and by the last of `chain` primes if `rescale`.
    fn division(&self, chain: usize, rescale: bool) -> &Division {
        let level = &self.levels[chain - 1];
        if rescale { level.down_rescale.as_ref().expect("a prime that can be dropped") } else { &level.down }
    }

    /// P modulo the prime of limb `i` of `limbs`.
    fn special_product(&self, ring: &RnsRing, limbs: Limbs, i: usize) -> Factor {
        let q = ring.modulus(limbs, i);
        let special = (limbs.chain..limbs.count()).map(|j| ring.modulus(limbs, j).value());
        q.factor(special.fold(1, |product, p| q.mul(product, q.reduce(p))))
    }

    /// `limb` ← `limb` + P·`x`, limb `i` of `limbs`, where x modulo primes of the chain is given: nothing is added to
    /// limbs of the special ones.
    pub fn add_times_p(&self, ring: &RnsRing, limbs: Limbs, i: usize, limb: &mut [f64], x: &Poly<Eval>) {
        if i < limbs.chain {
            ring.ntt(limbs, i).add_mul_factor_assign(limb, x.limb(i), self.special_product(ring, limbs, i));
        }
    }
}

impl fmt::Debug for HybridGadget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "HybridGadget(digits of {} primes, {} special, {} levels)",
            self.alpha,
            self.special,
            self.levels.len()
        )
    }
}

/// The digits of a polynomial, to be raised to Q·P: prepared once, used with many keys (*hoisting*).
///
/// For one use their limbs are raised when they are read, some at a time, and go from the cache into the product; for
/// many they are kept ([`RnsDigits::raise`]).
#[derive(Debug)]
pub struct RnsDigits<'a> {
    /// The polynomial that they are digits of: modulo its own primes a digit is the polynomial.
    of: Cow<'a, Poly<Eval>>,
    /// Its coefficients, ready for the conversions.
    prepared: Poly<Coeff>,
    alpha: usize,
    limbs: Limbs,
    raise: &'a [Conversion],
    /// The digits modulo the other primes, if they are kept; their own limbs are unspecified.
    raised: Vec<Poly<Eval>>,
}

impl RnsDigits<'_> {
    /// The primes of the raised digits.
    #[must_use]
    pub fn limbs(&self) -> Limbs {
        self.limbs
    }

    /// Raises all limbs, for many uses.
    #[must_use]
    pub fn raise(mut self, ring: &RnsRing) -> Self {
        let raise = |(j, conversion)| {
            let (own, prepared) = (self.own(j), self.prepared_of(j));
            let mut digit: Poly<Eval> = ring.unspecified(self.limbs);
            let others = digit.iter_mut().enumerate().filter(|(i, _)| !own.contains(i)).map(|(_, limb)| limb);
            ring.convert(conversion, others.enumerate().collect(), &prepared);
            let others = digit.par_iter_mut().enumerate().filter(|(i, _)| !own.contains(i));
            others.for_each(|(i, limb)| ring.ntt(self.limbs, i).forward(limb));
            digit
        };
        self.raised = self.raise.iter().enumerate().map(raise).collect();
        self
    }

    /// The primes of digit `j`.
    fn own(&self, j: usize) -> Range<usize> {
        j * self.alpha..((j + 1) * self.alpha).min(self.limbs.chain)
    }

    /// The residues that digit `j` is converted from.
    fn prepared_of(&self, j: usize) -> Vec<&[f64]> {
        self.own(j).map(|k| self.prepared.limb(k)).collect()
    }

    /// The limbs of `items`, of which `work` gets some at a time, on all threads: the number of a limb, the values of
    /// all digits modulo its prime, and what belongs to it. `init` makes what a thread works with.
    pub fn for_each_group<T: Send, S>(
        &self,
        ring: &RnsRing,
        items: Vec<(usize, T)>,
        init: impl Fn() -> S + Send + Sync,
        work: impl Fn(&mut S, Vec<(usize, Vec<&[f64]>, T)>) + Sync,
    ) {
        let (n, count) = (ring.degree(), self.raise.len());
        if !self.raised.is_empty() {
            let digit = |j: usize, i| if self.own(j).contains(&i) { self.of.limb(i) } else { self.raised[j].limb(i) };
            let all = items.into_par_iter();
            all.for_each_init(init, |state, (i, item)| {
                work(state, vec![(i, (0..count).map(|j| digit(j, i)).collect(), item)]);
            });
            return;
        }
        let groups = groups(items);
        let most = groups.iter().map(Vec::len).max().unwrap_or(0);
        let init = || (AlignedVec::<f64>::unspecified(count * most * n), init());
        groups.into_par_iter().for_each_init(init, |(buffer, state), group| {
            for (j, (conversion, raised)) in self.raise.iter().zip(buffer.chunks_exact_mut(most * n)).enumerate() {
                let own = self.own(j);
                let others = group.iter().zip(raised.chunks_exact_mut(n)).filter(|((i, _), _)| !own.contains(i));
                // The digit's own primes are not among those it is converted to.
                let place = |i| if i < own.start { i } else { i - own.len() };
                let (which, mut others): (Vec<_>, Vec<_>) = others.map(|(&(i, _), limb)| (i, (place(i), limb))).unzip();
                conversion.combine_into(&mut others, &self.prepared_of(j));
                which.into_iter().zip(others).for_each(|(i, (_, limb))| ring.ntt(self.limbs, i).forward(limb));
            }
            let digit = |j: usize, g: usize, i| match self.own(j).contains(&i) {
                true => self.of.limb(i),
                false => &buffer[(j * most + g) * n..][..n],
            };
            let digits = |g, i| (0..count).map(|j| digit(j, g, i)).collect();
            work(state, group.into_iter().enumerate().map(|(g, (i, item))| (i, digits(g, i), item)).collect());
        });
    }
}

/// Whether the masks of a key are kept, or made from their seed at every use: time against half the memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MaskStorage {
    /// Masks are made at every use.
    Seeded,
    /// Masks are kept.
    Expanded,
}

/// Encryptions of P·g_j·s' under s modulo Q·P; the masks of row j are the streams j·2^16 + i of the seed, i the limb.
/// Both are packed in memory, from which a product reads more than it has time to wait for.
#[derive(Clone)]
pub struct SwitchKey {
    limbs: Limbs,
    seed: MaskSeed,
    bodies: Vec<PackedPoly>,
    /// Empty if the masks are made when used.
    masks: Vec<PackedPoly>,
}

impl SwitchKey {
    /// The key from s' = `from` to s = `to`, for polynomials modulo the first `chain` primes at most. Values of `from`
    /// and `to` modulo Q·P are needed.
    #[must_use]
    #[expect(clippy::too_many_arguments, reason = "two keys, where they are used, and what encryption needs")]
    pub fn generate(
        ring: &RnsRing,
        gadget: &HybridGadget,
        chain: usize,
        from: &Poly<Eval>,
        to: &Poly<Eval>,
        errors: ErrorDistribution,
        seed: MaskSeed,
        noise_seed: &SecretSeed,
    ) -> Self {
        let limbs = gadget.full(chain);
        let mut stream = NoiseStream::new(noise_seed, 0);
        let bodies = (0..gadget.digits(chain)).map(|j| {
            let mut body = noise(ring, limbs, &mut stream, errors).map(|x| ring.forward(x));
            let mut product = Secret::new(ring.uniform(limbs, &seed, first_stream(j)));
            ring.mul_assign(&mut product, to);
            ring.sub_assign(&mut body, &product);
            let own = j * gadget.alpha..((j + 1) * gadget.alpha).min(chain);
            let own = body.par_iter_mut().enumerate().skip(own.start).take(own.len());
            for_each_with_cleared_stack(own, |(i, limb)| gadget.add_times_p(ring, limbs, i, limb, from));
            ring.pack(&body.publish())
        });
        Self { limbs, seed, bodies: bodies.collect(), masks: Vec::new() }
    }

    /// Keeps or drops the masks. Where they are not wanted any longer ([`is_wanted`]), some are missing.
    #[must_use]
    pub fn with_masks(mut self, ring: &RnsRing, storage: MaskStorage) -> Self {
        self.masks = match storage {
            MaskStorage::Seeded => Vec::new(),
            MaskStorage::Expanded => {
                let mask = |j| ring.pack(&ring.uniform(self.limbs, &self.seed, first_stream(j)));
                (0..self.bodies.len()).take_while(|_| is_wanted()).map(mask).collect()
            }
        };
        self
    }

    /// The primes.
    #[must_use]
    pub fn limbs(&self) -> Limbs {
        self.limbs
    }

    /// The bytes in memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bodies.iter().chain(&self.masks).map(PackedPoly::bytes).sum()
    }

    /// The bodies and the seed of the masks: what is stored.
    #[must_use]
    pub fn parts(&self) -> (&[PackedPoly], &MaskSeed) {
        (&self.bodies, &self.seed)
    }

    /// A key from what was stored.
    #[must_use]
    pub fn from_parts(limbs: Limbs, bodies: Vec<PackedPoly>, seed: MaskSeed) -> Self {
        Self { limbs, seed, bodies, masks: Vec::new() }
    }

    /// Σ_j d_j·row_j modulo Q·P, of the phase P·x·s' + noise.
    ///
    /// # Panics
    /// If the key lacks primes of the digits.
    #[must_use]
    pub fn product(&self, ring: &RnsRing, digits: &RnsDigits<'_>) -> RnsCiphertext {
        let mut out = RnsCiphertext { b: ring.unspecified(digits.limbs), a: ring.unspecified(digits.limbs) };
        let limbs = out.b.iter_mut().zip(out.a.iter_mut()).map(Into::into).enumerate().collect();
        digits.for_each_group(
            ring,
            limbs,
            || (),
            |(), group| {
                group
                    .into_iter()
                    .for_each(|(i, digits_i, out)| self.product_limb(ring, digits.limbs, &digits_i, i, out));
            },
        );
        out
    }

    /// (P·(`b`, `a`) + Σ_j d_j·row_j)/P, also divided by the last prime of the chain if `rescale`: a ciphertext with
    /// the phase b + a·s + x·s' of x's digits.
    ///
    /// Limbs that the division drops come first; each of the others is divided as soon as it is made, so that nothing
    /// modulo Q·P is kept.
    ///
    /// # Panics
    /// If the key lacks primes of the digits, or a polynomial primes of their chain.
    #[must_use]
    pub fn switch_and_sum(
        &self,
        ring: &RnsRing,
        gadget: &HybridGadget,
        digits: &RnsDigits<'_>,
        plus: [Option<&Poly<Eval>>; 2],
        rescale: bool,
    ) -> RnsCiphertext {
        let (n, limbs) = (ring.degree(), digits.limbs);
        let division = gadget.division(limbs.chain, rescale);
        let (kept, dropped) = (division.kept(), limbs.count() - division.kept());
        let make = |digits: &[&[f64]], i: usize, [b, a]: [&mut [f64]; 2]| {
            self.product_limb(ring, limbs, digits, i, [&mut *b, &mut *a]);
            for (sum, x) in [(b, plus[0]), (a, plus[1])] {
                if let Some(x) = x {
                    gadget.add_times_p(ring, limbs, i, sum, x);
                }
            }
        };
        let mut prepared = AlignedVec::<f64>::unspecified(2 * dropped * n);
        let (prepared_b, prepared_a) = prepared.split_at_mut(dropped * n);
        let parts = prepared_b.chunks_exact_mut(n).zip(prepared_a.chunks_exact_mut(n));
        let parts = parts.enumerate().map(|(k, (b, a))| (kept + k, [b, a])).collect();
        digits.for_each_group(
            ring,
            parts,
            || (),
            |(), group| {
                for (i, digits, [b, a]) in group {
                    make(&digits, i, [&mut *b, &mut *a]);
                    division.prepare(ring, i, b);
                    division.prepare(ring, i, a);
                }
            },
        );
        let prepared_b: Vec<&[f64]> = prepared_b.chunks_exact(n).collect();
        let prepared_a: Vec<&[f64]> = prepared_a.chunks_exact(n).collect();
        let chain = Limbs::chain(kept);
        let mut out = RnsCiphertext { b: ring.unspecified(chain), a: ring.unspecified(chain) };
        let parts = out.b.iter_mut().zip(out.a.iter_mut()).enumerate().collect();
        let sums = || AlignedVec::<f64>::unspecified(2 * n);
        digits.for_each_group(ring, parts, sums, |sums, group| {
            let (mut rests_b, mut rests_a) = (Vec::new(), Vec::new());
            let mut all_digits = Vec::new();
            for (i, digits, (b, a)) in group {
                rests_b.push((i, b));
                rests_a.push((i, a));
                all_digits.push(digits);
            }
            division.rests_into(ring, &mut rests_b, &prepared_b);
            division.rests_into(ring, &mut rests_a, &prepared_a);
            for ((digits, (i, b)), (_, a)) in all_digits.iter().zip(rests_b).zip(rests_a) {
                let (sum_b, sum_a) = sums.split_at_mut(n);
                make(digits, i, [&mut *sum_b, &mut *sum_a]);
                division.finish(ring, i, b, sum_b);
                division.finish(ring, i, a, sum_a);
            }
        });
        out
    }

    /// Limb `i` of `limbs` of Σ_j d_j·row_j, of the values `digits` of all digits there: two fused operations and two
    /// additions a term.
    ///
    /// Piece by piece: one of all digits stays in the first-level cache for both polynomials.
    ///
    /// # Panics
    /// If the key lacks the prime.
    pub fn product_limb(&self, ring: &RnsRing, limbs: Limbs, digits: &[&[f64]], i: usize, [b, a]: [&mut [f64]; 2]) {
        let count = digits.len();
        assert!(limbs.chain <= self.limbs.chain && limbs.special <= self.limbs.special, "key modulo {:?}", self.limbs);
        let (ntt, own) = (ring.ntt(limbs, i), self.limbs.position(limbs, i));
        let stream = |j| MaskStream::new(&self.seed, first_stream(j) + own as u64);
        let seeded = if self.masks.is_empty() { count } else { 0 };
        let (mut streams, mut made): (Vec<_>, _) = ((0..seeded).map(stream).collect(), vec![0.0; PIECE * seeded]);
        for ((b, a), from) in b.chunks_mut(PIECE).zip(a.chunks_mut(PIECE)).zip((0..).step_by(PIECE)) {
            let range = from..from + b.len();
            let digits = digits.iter().map(|digit| &digit[range.clone()]);
            for (out, rows) in [(b, &self.bodies), (&mut *a, &self.masks)] {
                if !rows.is_empty() {
                    let rows = rows.iter().map(|row| row.residues(own, range.clone()));
                    ntt.sum_of_packed_products_into(out, &digits.clone().zip(rows).collect::<Vec<_>>());
                }
            }
            if seeded == 0 {
                continue;
            }
            for (stream, mask) in streams.iter_mut().zip(made.chunks_exact_mut(PIECE)) {
                stream.fill_residues(&mut mask[..a.len()], ntt.modulus());
            }
            let masks = made.chunks_exact(PIECE).map(|mask| &mask[..a.len()]);
            ntt.sum_of_products_into(a, &digits.zip(masks).collect::<Vec<_>>());
        }
    }

    /// A ciphertext under s with the phase of `x`·s': decomposition, product, division.
    #[must_use]
    pub fn switch(&self, ring: &RnsRing, gadget: &HybridGadget, x: &Poly<Eval>) -> RnsCiphertext {
        self.switch_and_sum(ring, gadget, &gadget.decompose(ring, x), [None, None], false)
    }
}

impl fmt::Debug for SwitchKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SwitchKey({} digits, {:?}, masks kept: {})", self.bodies.len(), self.limbs, !self.masks.is_empty())
    }
}

/// Numbers of a limb that are multiplied at a time: whole words of packed rows.
const PIECE: usize = 1 << 10;

/// The stream of limb 0 of row `j`.
fn first_stream(j: usize) -> u64 {
    (j as u64) << 16
}

/// s² under s: the key that relinearises products.
#[must_use]
pub fn relinearisation_key(
    ring: &RnsRing,
    gadget: &HybridGadget,
    chain: usize,
    key: &RnsSecretKey,
    errors: ErrorDistribution,
    seed: MaskSeed,
    noise_seed: &SecretSeed,
) -> SwitchKey {
    let mut square = Secret::new(key.expose_values().clone());
    ring.mul_assign(&mut square, key.expose_values());
    SwitchKey::generate(ring, gadget, chain, &square, key.expose_values(), errors, seed, noise_seed)
}
