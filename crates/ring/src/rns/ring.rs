//! The ring Z_Q\[X\]/(X^N + 1) of a chain of primes, with special primes beside it.

use std::collections::HashMap;

use rayon::prelude::*;
use zeroize::Zeroizing;

use super::{Basis, Conversion};
use crate::error::RingError;
use crate::mem::AlignedVec;
use crate::modulus::{Factor, Modulus};
use crate::ntt::{Automorphism, Ntt};
use crate::poly::{Coeff, Eval, Form, Limbs, Poly};
use crate::sample::{MaskSeed, MaskStream};
use crate::secret::for_each_with_cleared_stack;
use crate::simd::LANES;

/// A chain of primes q_0, q_1, …, and special primes p_0, p_1, …, all ≡ 1 modulo 2N.
///
/// Operations are exact and run on all threads of the current rayon pool, limb by limb. Those that secrets go through,
/// transforms, sums, products and automorphisms, [clear the stack](for_each_with_cleared_stack) of each thread.
/// Polynomials of the wrong degree or with other limbs are an error of the program and panic.
#[derive(Debug)]
pub struct RnsRing {
    degree: usize,
    chain: Vec<Ntt>,
    special: Vec<Ntt>,
}

/// Constants and what they multiply.
pub type Terms<'a> = Vec<(&'a Constant, &'a Poly<Eval>)>;

/// An integer constant a + b·X^(N/2), whose values are a + b·i and a − b·i with i² = −1 modulo each prime.
#[derive(Debug, Clone)]
pub struct Constant {
    limbs: Limbs,
    /// For each limb the value on the first half of the values and on the second, balanced.
    halves: Vec<[f64; 2]>,
}

impl Constant {
    /// The primes.
    #[must_use]
    pub fn limbs(&self) -> Limbs {
        self.limbs
    }
}

/// Numbers of a limb that one thread converts at a time.
const PIECE: usize = 1 << 12;

/// The most limbs that are converted at a time: they share the reading of the input, and stay in the cache for what
/// comes next.
const GROUP: usize = 4;

/// Items in groups of at most four, about as many for each thread of the current pool: for limbs that are made
/// together.
#[must_use]
pub fn groups<T>(items: Vec<T>) -> Vec<Vec<T>> {
    let (total, threads) = (items.len(), rayon::current_num_threads());
    let count = (threads * total.div_ceil(threads).div_ceil(GROUP)).min(total);
    let mut items = items.into_iter();
    (0..count).map(|g| items.by_ref().take((g + 1) * total / count - g * total / count).collect()).collect()
}

/// Numbers that are combined at a time, of all terms: a quarter of a megabyte, in the second-level cache.
const COMBINED: usize = 1 << 15;

/// Numbers of a limb of each column that a matrix is multiplied with at a time.
const PRODUCT_PIECE: usize = 1 << 12;

/// Numbers of a limb that are multiplied at a time: seven times as many fit the second-level cache.
const TENSOR_PIECE: usize = 1 << 10;

impl RnsRing {
    /// The smallest degree: below it the values where X^(N/2) = i are not the first half.
    pub const MIN_DEGREE: usize = 1 << 7;

    /// The ring of degree N = `degree`.
    ///
    /// # Errors
    /// [`RingError::Degree`], [`RingError::RootOrder`] if a prime is not 1 modulo 2N, [`RingError::Basis`] if a prime
    /// occurs twice or the chain is empty.
    pub fn new(degree: usize, chain: &[Modulus], special: &[Modulus]) -> Result<Self, RingError> {
        if degree < Self::MIN_DEGREE {
            return Err(RingError::Degree { found: degree, min: Self::MIN_DEGREE, max: Ntt::MAX_DEGREE });
        }
        if chain.is_empty() {
            return Err(RingError::Basis { repeated: None });
        }
        Basis::new([chain, special].concat())?;
        let plans = |primes: &[Modulus]| primes.iter().map(|&p| Ntt::new(degree, p)).collect::<Result<_, _>>();
        Ok(Self { degree, chain: plans(chain)?, special: plans(special)? })
    }

    /// Makes the tables of all transforms, if they are not there yet.
    ///
    /// # Errors
    /// As [`Ntt::prepare`].
    pub fn prepare(&self) -> Result<(), RingError> {
        self.chain.par_iter().chain(&self.special).try_for_each(Ntt::prepare)
    }

    /// The degree N.
    #[must_use]
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// All primes.
    #[must_use]
    pub fn limbs(&self) -> Limbs {
        Limbs { chain: self.chain.len(), special: self.special.len() }
    }

    /// The transform of limb `i` of `limbs`.
    #[must_use]
    pub fn ntt(&self, limbs: Limbs, i: usize) -> &Ntt {
        if i < limbs.chain { &self.chain[i] } else { &self.special[i - limbs.chain] }
    }

    /// The prime of limb `i` of `limbs`.
    #[must_use]
    pub fn modulus(&self, limbs: Limbs, i: usize) -> Modulus {
        self.ntt(limbs, i).modulus()
    }

    /// The primes of `limbs`.
    #[must_use]
    pub fn moduli(&self, limbs: Limbs) -> Vec<Modulus> {
        (0..limbs.count()).map(|i| self.modulus(limbs, i)).collect()
    }

    /// log2 of the product of `limbs`.
    #[must_use]
    pub fn log2(&self, limbs: Limbs) -> f64 {
        self.moduli(limbs).iter().map(|q| (q.value() as f64).log2()).sum()
    }

    /// Zero.
    #[must_use]
    pub fn zero<F: Form>(&self, limbs: Limbs) -> Poly<F> {
        Poly::zero(self.degree, limbs)
    }

    /// A polynomial for a caller that overwrites all its numbers, which are unspecified.
    #[must_use]
    pub fn unspecified<F: Form>(&self, limbs: Limbs) -> Poly<F> {
        Poly::unspecified(self.degree, limbs)
    }

    /// The values of a polynomial.
    #[must_use]
    pub fn forward(&self, mut x: Poly<Coeff>) -> Poly<Eval> {
        let limbs = self.check(&x);
        for_each_with_cleared_stack(x.par_iter_mut().enumerate(), |(i, limb)| self.ntt(limbs, i).forward(limb));
        x.cast()
    }

    /// The coefficients of a polynomial.
    #[must_use]
    pub fn backward(&self, mut x: Poly<Eval>) -> Poly<Coeff> {
        let limbs = self.check(&x);
        for_each_with_cleared_stack(x.par_iter_mut().enumerate(), |(i, limb)| self.ntt(limbs, i).backward(limb));
        x.cast()
    }

    /// The coefficients of a polynomial that is kept.
    #[must_use]
    pub fn backward_of(&self, x: &Poly<Eval>) -> Poly<Coeff> {
        let limbs = self.check(x);
        let mut out = self.unspecified(limbs);
        out.par_iter_mut().enumerate().for_each(|(i, limb)| {
            limb.copy_from_slice(x.limb(i));
            self.ntt(limbs, i).backward(limb);
        });
        out
    }

    /// The polynomial with these small coefficients, |x| < 2^52.
    #[must_use]
    pub fn from_small<T: Copy + Into<f64> + Sync>(&self, limbs: Limbs, coefficients: &[T]) -> Poly<Coeff> {
        // Secrets, mostly.
        let coefficients: Zeroizing<Vec<f64>> = Zeroizing::new(coefficients.iter().map(|&x| x.into()).collect());
        self.from_integers(limbs, &coefficients)
    }

    /// The polynomial with these coefficients: integers |x| < 2^100 in `f64`.
    #[must_use]
    pub fn from_integers(&self, limbs: Limbs, coefficients: &[f64]) -> Poly<Coeff> {
        let large = coefficients.iter().any(|x| x.abs() >= LARGE);
        let mut out = self.unspecified(limbs);
        for_each_with_cleared_stack(out.par_iter_mut().enumerate(), |(i, limb)| {
            let ntt = self.ntt(limbs, i);
            if large {
                let p = ntt.modulus();
                let split = p.factor(p.reduce(1 << 50));
                limb.iter_mut().zip(coefficients).for_each(|(out, &x)| *out = residue(x, p, split));
            } else {
                ntt.balance_into(limb, coefficients);
            }
        });
        out
    }

    /// The constant `re` + `im`·X^(N/2), integers of absolute value below 2^100 in `f64`.
    #[must_use]
    pub fn constant(&self, limbs: Limbs, re: f64, im: f64) -> Constant {
        let halves = (0..limbs.count()).map(|i| {
            let p = self.modulus(limbs, i);
            let split = p.factor(p.reduce(1 << 50));
            let (re, im) = (residue(re, p, split), residue(im, p, split));
            let im = p.mul_factor(im, p.factor(p.unbalance(self.ntt(limbs, i).imaginary_unit())));
            [p.balance_f64(re + im), p.balance_f64(re - im)]
        });
        Constant { limbs, halves: halves.collect() }
    }

    /// `a` ← `a` + `b`, modulo the primes of `a`; `b` may have more.
    pub fn add_assign<F: Form>(&self, a: &mut Poly<F>, b: &Poly<F>) {
        self.zip(a, b, Ntt::add_assign);
    }

    /// `a` ← `a` − `b`, modulo the primes of `a`; `b` may have more.
    pub fn sub_assign<F: Form>(&self, a: &mut Poly<F>, b: &Poly<F>) {
        self.zip(a, b, Ntt::sub_assign);
    }

    /// `a` ← `a`·`b`, modulo the primes of `a`; `b` may have more.
    pub fn mul_assign(&self, a: &mut Poly<Eval>, b: &Poly<Eval>) {
        self.zip(a, b, Ntt::mul_assign);
    }

    /// `a` ← −`a`.
    pub fn neg_assign<F: Form>(&self, a: &mut Poly<F>) {
        a.par_iter_mut().for_each(|limb| limb.iter_mut().for_each(|x| *x = -*x));
    }

    /// `a` ← `a`·c.
    pub fn mul_constant_assign(&self, a: &mut Poly<Eval>, c: &Constant) {
        let limbs = self.check(a);
        assert_eq!(limbs, c.limbs, "limbs of a constant");
        let half = self.degree / 2;
        a.par_iter_mut().enumerate().for_each(|(i, limb)| {
            let (ntt, p) = (self.ntt(limbs, i), self.modulus(limbs, i));
            for (part, c) in limb.chunks_exact_mut(half).zip(c.halves[i]) {
                ntt.mul_factor_assign(part, p.factor(p.unbalance(c)));
            }
        });
    }

    /// `a` ← `a` + c.
    pub fn add_constant_assign(&self, a: &mut Poly<Eval>, c: &Constant) {
        let limbs = self.check(a);
        assert_eq!(limbs, c.limbs, "limbs of a constant");
        let half = self.degree / 2;
        a.par_iter_mut().enumerate().for_each(|(i, limb)| {
            for (part, c) in limb.chunks_exact_mut(half).zip(c.halves[i]) {
                self.ntt(limbs, i).add_constant_assign(part, c);
            }
        });
    }

    /// Σ_i c_i·x_i for each of some lists of terms, modulo primes of its own, which all its constants have; the x_i
    /// may have more.
    ///
    /// Pieces of the x_i are copied side by side for all sums: where they are, their distances are powers of two, and
    /// a cache holds few such lines at once.
    #[must_use]
    pub fn linear_combinations(&self, sums: &[(Limbs, Terms<'_>)]) -> Vec<Poly<Eval>> {
        let same = |(limbs, terms): &(Limbs, Terms<'_>)| terms.iter().all(|(c, _)| c.limbs == *limbs);
        assert!(sums.iter().all(same), "limbs of constants");
        let mut columns: Vec<&Poly<Eval>> = Vec::new();
        let mut places: HashMap<*const Poly<Eval>, usize> = HashMap::new();
        let mut place = |x| {
            *places.entry(std::ptr::from_ref::<Poly<Eval>>(x)).or_insert_with(|| {
                columns.push(x);
                columns.len() - 1
            })
        };
        let terms: Vec<Vec<(&Constant, usize)>> =
            sums.iter().map(|(_, terms)| terms.iter().map(|&(c, x)| (c, place(x))).collect()).collect();
        let most = |part: fn(&Limbs) -> usize| sums.iter().map(|(limbs, _)| part(limbs)).max().unwrap_or(0);
        let primes = Limbs { chain: most(|limbs| limbs.chain), special: most(|limbs| limbs.special) };
        let mut out: Vec<Poly<Eval>> = sums.iter().map(|(limbs, _)| self.unspecified(*limbs)).collect();
        // For each prime the sums that have it.
        let mut all: Vec<Vec<_>> = (0..primes.count()).map(|_| Vec::with_capacity(sums.len())).collect();
        for (out, terms) in out.iter_mut().zip(&terms) {
            let limbs = out.limbs();
            for (i, limb) in out.iter_mut().enumerate() {
                all[primes.position(limbs, i)].push((i, limb, terms));
            }
        }
        let half = self.degree / 2;
        all.into_par_iter().enumerate().for_each(|(prime, mut sums)| {
            let columns: Vec<Option<&[f64]>> =
                columns.iter().map(|&x| x.limbs().find(primes, prime).map(|i| x.limb(i))).collect();
            let copied = if sums.len() > 1 { columns.len() } else { 0 };
            let piece = (COMBINED / columns.len().max(1)).next_power_of_two().clamp(LANES, half);
            let mut copies = AlignedVec::<f64>::new(copied * piece);
            for from in (0..self.degree).step_by(piece) {
                for (copy, x) in copies.chunks_exact_mut(piece).zip(&columns) {
                    x.iter().for_each(|x| copy.copy_from_slice(&x[from..from + piece]));
                }
                for (i, out, terms) in &mut sums {
                    let term = |&(c, x): &(&Constant, usize)| {
                        let limb = columns[x].expect("a term has the primes of its sum");
                        let x = if copied > 0 { &copies[x * piece..] } else { &limb[from..] };
                        (c.halves[*i][from / half], &x[..piece])
                    };
                    let terms: Vec<_> = terms.iter().map(term).collect();
                    self.ntt(primes, prime).linear_combination_into(&mut out[from..from + piece], &terms);
                }
            }
        });
        out
    }

    /// Σ_b `rows`\[a\]\[b\]·x_b modulo the primes `limbs` for each row a of a matrix of integers, as
    /// [`Ntt::matrix_product_into`]; the x_b may have more primes.
    #[must_use]
    pub fn matrix_product(&self, limbs: Limbs, rows: &[&[f64]], columns: &[&Poly<Eval>]) -> Vec<Poly<Eval>> {
        let mut out: Vec<Poly<Eval>> = rows.iter().map(|_| self.unspecified(limbs)).collect();
        let mut pieces: Vec<(usize, usize, Vec<&mut [f64]>)> = Vec::new();
        let length = PRODUCT_PIECE.min(self.degree);
        for i in 0..limbs.count() {
            pieces.extend((0..self.degree).step_by(length).map(|from| (i, from, Vec::with_capacity(rows.len()))));
        }
        for out in &mut out {
            let parts = out.iter_mut().flat_map(|limb| limb.chunks_exact_mut(length));
            pieces.iter_mut().zip(parts).for_each(|((_, _, all), part)| all.push(part));
        }
        pieces.into_par_iter().for_each(|(i, from, mut outs)| {
            let columns: Vec<&[f64]> =
                columns.iter().map(|x| &x.limb(x.position(limbs, i))[from..from + length]).collect();
            self.ntt(limbs, i).matrix_product_into(&mut outs, rows, &columns);
        });
        out
    }

    /// Σ_i a_i·b_i modulo the primes `limbs`; the factors may have more.
    #[must_use]
    pub fn sum_of_products(&self, limbs: Limbs, terms: &[(&Poly<Eval>, &Poly<Eval>)]) -> Poly<Eval> {
        let mut out = self.unspecified::<Eval>(limbs);
        out.par_iter_mut().enumerate().for_each(|(i, limb)| {
            let limb_of = |x: &'_ Poly<Eval>| x.position(limbs, i);
            let terms: Vec<_> = terms.iter().map(|(a, b)| (a.limb(limb_of(a)), b.limb(limb_of(b)))).collect();
            self.ntt(limbs, i).sum_of_products_into(limb, &terms);
        });
        out
    }

    /// (x_0 + x_1·S)·(y_0 + y_1·S) as the coefficients of a polynomial of S, modulo the primes of `out`; the factors
    /// may have more. Added to `out` if `ADD`.
    ///
    /// Piece by piece, so that factors are read once.
    pub fn tensor<const ADD: bool>(&self, out: &mut [Poly<Eval>; 3], x: [&Poly<Eval>; 2], y: [&Poly<Eval>; 2]) {
        let limbs = self.check(&out[0]);
        assert!(out.iter().all(|out| out.limbs() == limbs), "limbs of a tensor");
        let [d0, d1, d2] = out.each_mut().map(Poly::par_iter_mut);
        d0.zip(d1).zip(d2).enumerate().for_each(|(i, ((d0, d1), d2))| {
            let ntt = self.ntt(limbs, i);
            let op = if ADD { Ntt::add_products_assign } else { Ntt::sum_of_products_into };
            let limb_of = |x: &'_ Poly<Eval>| x.position(limbs, i);
            let [x0, x1] = x.map(|x| x.limb(limb_of(x)));
            let [y0, y1] = y.map(|y| y.limb(limb_of(y)));
            for from in (0..self.degree).step_by(TENSOR_PIECE) {
                let range = from..(from + TENSOR_PIECE).min(self.degree);
                let [x0, x1, y0, y1] = [x0, x1, y0, y1].map(|x| &x[range.clone()]);
                op(ntt, &mut d0[range.clone()], &[(x0, y0)]);
                op(ntt, &mut d1[range.clone()], &[(x0, y1), (x1, y0)]);
                op(ntt, &mut d2[range], &[(x1, y1)]);
            }
        });
    }

    /// P(X^g) for the values of P.
    #[must_use]
    pub fn automorphism(&self, x: &Poly<Eval>, automorphism: &Automorphism) -> Poly<Eval> {
        let limbs = self.check(x);
        let mut out = self.unspecified(limbs);
        let outs = out.par_iter_mut().enumerate();
        for_each_with_cleared_stack(outs, |(i, out)| automorphism.apply_into(out, x.limb(i)));
        out
    }

    /// A uniform polynomial: limb i is stream `first_stream` + i of the seed.
    #[must_use]
    pub fn uniform(&self, limbs: Limbs, seed: &MaskSeed, first_stream: u64) -> Poly<Eval> {
        let mut out = self.unspecified(limbs);
        out.par_iter_mut().enumerate().for_each(|(i, limb)| {
            MaskStream::new(seed, first_stream + i as u64).fill_residues(limb, self.modulus(limbs, i));
        });
        out
    }

    /// Runs [`Conversion::combine_into`] for whole limbs on all threads, piece by piece.
    pub fn convert(&self, conversion: &Conversion, out: Vec<(usize, &mut [f64])>, prepared: &[&[f64]]) {
        let pieces = self.degree.div_ceil(PIECE);
        let mut outs: Vec<Vec<(usize, &mut [f64])>> = (0..pieces).map(|_| Vec::with_capacity(out.len())).collect();
        for (j, limb) in out {
            outs.iter_mut().zip(limb.chunks_mut(PIECE)).for_each(|(outs, piece)| outs.push((j, piece)));
        }
        outs.into_par_iter().enumerate().for_each(|(n, mut out)| {
            let range = n * PIECE..((n + 1) * PIECE).min(self.degree);
            let prepared: Vec<&[f64]> = prepared.iter().map(|limb| &limb[range.clone()]).collect();
            conversion.combine_into(&mut out, &prepared);
        });
    }

    fn zip<F: Form>(&self, a: &mut Poly<F>, b: &Poly<F>, op: impl Fn(&Ntt, &mut [f64], &[f64]) + Sync) {
        let limbs = self.check(a);
        for_each_with_cleared_stack(a.par_iter_mut().enumerate(), |(i, limb)| {
            op(self.ntt(limbs, i), limb, b.limb(b.position(limbs, i)));
        });
    }

    /// The limbs of `x`, which must be of this ring.
    fn check<F: Form>(&self, x: &Poly<F>) -> Limbs {
        let (limbs, all) = (x.limbs(), self.limbs());
        assert!(
            x.degree() == self.degree && limbs.chain <= all.chain && limbs.special <= all.special,
            "{x:?} is foreign"
        );
        limbs
    }
}

/// Integers from this size on are split before they are reduced.
const LARGE: f64 = (1u64 << 52) as f64;

/// x modulo p, balanced, for an integer |x| < 2^100 and `split` = 2^50 modulo p.
fn residue(x: f64, p: Modulus, split: Factor) -> f64 {
    if x.abs() < LARGE {
        return p.balance_f64(x);
    }
    let unit = (1u64 << 50) as f64;
    let high = (x / unit).trunc();
    p.balance_f64(p.mul_factor(high, split) + p.balance_f64(x - high * unit))
}

/// Division of polynomials by a part of their modulus, with rounding to nearest: rescaling and ModDown.
///
/// x modulo Q·P ↦ round(x/P) modulo Q. With r ≡ x modulo P, |r| ≤ (P − 1)/2, it is (x − r)/P; r is transformed back
/// modulo P, converted to Q and transformed forth. Exact but for r within k²·2^-53·P of ±P/2
/// (`docs/basis-conversion.md`).
///
/// **Congruent modulo t** ([`Division::congruent`]), x ↦ (x − δ)/P with δ ≡ x modulo P and δ ≡ 0 modulo t:
/// with r ≡ t^-1·x modulo P, |r| ≤ (P − 1)/2, it is δ = t·r. So the result is P^-1·x modulo t, and x/P up to
/// t/2: the modulus switching of BGV (Brakerski, Gentry, Vaikuntanathan, ITCS 2012). For t = 1 it is
/// rounding.
#[derive(Debug)]
pub struct Division {
    from: Limbs,
    /// How many primes of the chain are kept.
    kept: usize,
    conversion: Conversion,
    /// What prepares each dropped limb for the conversion: that of the conversion itself, over t.
    prepare: Vec<Factor>,
    /// t modulo each kept prime; none for 1.
    times: Vec<Factor>,
    /// 1/P modulo each kept prime.
    inverses: Vec<Factor>,
}

impl Division {
    /// From `from` to the first `kept` primes of the chain.
    ///
    /// # Panics
    /// Unless primes are kept and dropped.
    #[must_use]
    pub fn new(ring: &RnsRing, from: Limbs, kept: usize) -> Self {
        Self::congruent(ring, from, kept, 1)
    }

    /// From `from` to the first `kept` primes of the chain, congruent modulo t = `modulus` ≥ 1.
    ///
    /// # Panics
    /// Unless primes are kept and dropped, and t is prime to those dropped.
    #[must_use]
    pub fn congruent(ring: &RnsRing, from: Limbs, kept: usize, modulus: u64) -> Self {
        assert!(0 < kept && kept <= from.chain && kept < from.count(), "from {from:?} to {kept} primes");
        let moduli = ring.moduli(from);
        let basis = |primes: &[Modulus]| Basis::new(primes.to_vec()).expect("the primes of a ring are distinct");
        let (keep, drop) = (basis(&moduli[..kept]), basis(&moduli[kept..]));
        let inverse = |&q: &Modulus| q.factor(q.inverse(drop.product_modulo(q)).expect("the primes are distinct"));
        let inverses = keep.moduli().iter().map(inverse).collect();
        let conversion = Conversion::new(&drop, &keep);
        let over = |(i, p): (usize, &Modulus)| {
            let inverse = p.inverse(p.reduce(modulus)).expect("t is prime to the primes that are dropped");
            p.factor(p.mul(inverse, p.unbalance(conversion.factor(i).value)))
        };
        let times = |q: &Modulus| q.factor(q.reduce(modulus));
        let (prepare, times) = match modulus {
            1 => ((0..drop.len()).map(|i| conversion.factor(i)).collect(), Vec::new()),
            _ => (drop.moduli().iter().enumerate().map(over).collect(), keep.moduli().iter().map(times).collect()),
        };
        Self { from, kept, conversion, prepare, times, inverses }
    }

    /// What is divided.
    #[must_use]
    pub fn from(&self) -> Limbs {
        self.from
    }

    /// How many primes of the chain are kept.
    #[must_use]
    pub fn kept(&self) -> usize {
        self.kept
    }

    /// The first of three steps: `limb` ← the coefficients of the dropped limb `i` of x, of the values `limb`, ready
    /// for [`Division::rests_into`].
    pub fn prepare(&self, ring: &RnsRing, i: usize, limb: &mut [f64]) {
        let ntt = ring.ntt(self.from, i);
        ntt.backward(limb);
        ntt.mul_factor_assign(limb, self.prepare[i - self.kept]);
    }

    /// The second: the values of r, or δ, for some of the kept primes, from all prepared limbs.
    pub fn rests_into(&self, ring: &RnsRing, out: &mut [(usize, &mut [f64])], prepared: &[&[f64]]) {
        self.conversion.combine_into(out, prepared);
        out.iter_mut().for_each(|(i, limb)| {
            let ntt = ring.ntt(self.from, *i);
            ntt.forward(limb);
            if let Some(&times) = self.times.get(*i) {
                ntt.mul_factor_assign(limb, times);
            }
        });
    }

    /// The third: `out` ← (`x` − `out`)/P modulo the kept prime `i`.
    pub fn finish(&self, ring: &RnsRing, i: usize, out: &mut [f64], x: &[f64]) {
        ring.ntt(self.from, i).rsub_mul_factor_assign(out, x, self.inverses[i]);
    }

    /// round(x/P), or (x − δ)/P, for each x.
    #[must_use]
    pub fn divide<const COUNT: usize>(&self, ring: &RnsRing, x: [&Poly<Eval>; COUNT]) -> [Poly<Eval>; COUNT] {
        assert!(x.iter().all(|x| x.limbs() == self.from), "limbs of a dividend");
        let (n, dropped) = (ring.degree(), self.from.count() - self.kept);
        let mut prepared = AlignedVec::unspecified(COUNT * n * dropped);
        prepared.par_chunks_exact_mut(n).enumerate().for_each(|(k, limb)| {
            let i = self.kept + k % dropped;
            limb.copy_from_slice(x[k / dropped].limb(i));
            self.prepare(ring, i, limb);
        });
        let mut out = x.map(|_| ring.unspecified::<Eval>(Limbs::chain(self.kept)));
        let parts = out.par_iter_mut().zip(prepared.par_chunks_exact(n * dropped)).zip(x);
        parts.for_each(|((out, prepared), x)| {
            let prepared: Vec<&[f64]> = prepared.chunks_exact(n).collect();
            // A conversion from one limb is done where it is used; one from many reads them for some limbs at a time.
            let limbs = out.iter_mut().enumerate();
            let groups = if dropped == 1 { limbs.map(|limb| vec![limb]).collect() } else { groups(limbs.collect()) };
            groups.into_par_iter().for_each(|mut group| {
                self.rests_into(ring, &mut group, &prepared);
                group.into_iter().for_each(|(i, out)| self.finish(ring, i, out, x.limb(i)));
            });
        });
        out
    }
}
