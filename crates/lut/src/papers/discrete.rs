//! All N coefficients of a ciphertext of BFV refreshed through CKKS in one pass, for any plaintext modulus t: the noise is
//! an exact message. The idea of [`coefficients`](super::coefficients), Kim, Seo, Song's (ePrint 2024/109), with digits in
//! place of an approximation; ours.
//!
//! 1. Under a sparse key of weight h, x is switched to the modulus P·t. Its phase is then P·u + e modulo P·t, u the message's
//!    and e an *integer*: the sum of h + 1 roundings, |e| ≤ (h + 1)/2, and of next to nothing of the noise before.
//! 2. The same modulo P has the phase e modulo P and no noise at all: a message of Z_P for functional bootstrapping. Raised,
//!    and its coefficients in slots, z = exp(2πi·e/P).
//! 3. e has balanced digits d_i modulo 3. Their characters exp(2πi·d_i/3) are polynomials of z, flattened at the P points so
//!    that its errors enter squared. At the scale of a prime they come out with errors η of some 2^-30.
//! 4. Roots of unity are cleaned at a scale of two primes: v = z³ is 1 but for 3η, and z·v^(−1/3) ≈ z·(14 − 7v + 2v²)/9 errs
//!    by 14/3·η³: nothing but the rounding of 2^-80 is left. z·z has a wide scale without any division.
//! 5. e = 2/√3·Σ 3^i·Im(character) goes to the coefficients by SlotsToCoeffs with constants of 86 bits, and (Q'/P)·e is
//!    subtracted from Q'/(P·t) times what 1. left: the phase is (Q'/t)·u, less what e errs by.
//!
//! A pass leaves a budget of log2(P/2) bits and those to which e is known at all roots.
use std::f64::consts::{LN_2, PI, SQRT_2, TAU};

use bootes_lattice::noise::failure::log2_failure;
use bootes_lattice::rns::RnsCiphertext;
use bootes_schemes::bfv::{BfvCiphertext, BfvParams, BfvSchemeError, Evaluator, PhaseSize, Scheme, State};
use bootes_schemes::ckks::bootstrap::{TransformOptions, Transforms, on_halves};
use bootes_schemes::ckks::embedding_stages::{even_levels, precise_slots_to_coeffs};
use bootes_schemes::ckks::noise::{CircuitNoise, SlotNoise};
use bootes_schemes::ckks::sets::named_among;
use bootes_schemes::ckks::wide::{WideCiphertext, WideMap};
use bootes_schemes::ckks::{CkksError, CkksLiteral, CkksParams, Evaluator as CkksEvaluator, Exponential, KeyRequest};
use bootes_schemes::polyeval::{ArithmeticCircuit, PolynomialBasis};
use bootes_schemes::precise::Precise;
use bootes_schemes::rlwe::{GaloisAction, KeyError};
use num_complex::Complex64;
use serde::Deserialize;

use self::characters::{DIGITS, characters, cubed, curvature};
use super::coefficients::{lifted_factor, power_of_two, times};
use crate::LutError;
use crate::bfv::slim::promised;

mod characters;

/// P at most, so that digits hold |e| ≤ P/2.
const MAX_RESIDUES: u64 = 81;
/// Primes that cleaning takes.
const CLEANING_LEVELS: usize = 4;
/// The level of results at most: moduli are numbers of `f64`.
const MAX_OUTPUT_LEVEL: usize = 16;
/// Primes that a wide map takes.
const WIDE: usize = 2;
/// log2 of the scale of wide maps' constants, about, and of e in the coefficients.
const LOG2_CONSTANTS: f64 = 86.0;

/// How the noise is computed.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DiscreteOptions {
    /// P, at least h + 3 and at most 81.
    pub residues: u64,
    /// log2 of the error of exp(2πix).
    pub exponential_log2_error: f64,
    /// Stages of CoeffsToSlots.
    pub to_slots: usize,
    /// Stages of SlotsToCoeffs, of two primes each.
    pub to_coeffs: usize,
}

/// Parameters of CKKS, and how noise is computed with them.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DiscreteSet {
    /// The scheme's parameters.
    pub params: CkksLiteral,
    /// The function that is computed.
    pub discrete: DiscreteOptions,
}

/// The file of sets.
#[derive(Deserialize)]
struct Sets {
    set: Vec<DiscreteSet>,
}

impl DiscreteSet {
    /// All sets, in the order of the file.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let sets: Sets = toml::from_str(include_str!("../../data/discrete.toml")).expect("the shipped sets parse");
        sets.set
    }

    /// The set of that name.
    ///
    /// # Errors
    /// [`CkksError::UnknownSet`].
    pub fn named(name: &str) -> Result<Self, CkksError> {
        named_among(Self::all(), |set| &set.params, name)
    }
}

/// Circuits and maps for one set and plaintext modulus.
#[derive(Debug)]
pub struct DiscreteNoise {
    /// P and t.
    residues: u64,
    modulus: u64,
    transforms: Transforms,
    exponential: ArithmeticCircuit,
    characters: ArithmeticCircuit,
    to_coeffs: Vec<WideMap>,
    /// e comes out at a scale that is 2^-`shift` of Q'/(P·t).
    shift: u32,
    /// The fingerprint of the set.
    fingerprint: [u8; 16],
    /// The level of the characters, and of results.
    levels: [usize; 2],
    error: DiscreteError,
}

/// The errors of the coefficients of e: noise of the wide steps, and the rest after cleaning of the errors η of
/// characters, about η³ in each slot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DiscreteError {
    /// The standard deviation of the former.
    pub std: f64,
    /// The former's at the root where the key's value is largest.
    pub worst_std: f64,
    /// The standard deviation of the latter, at most.
    pub cubes: f64,
    /// The latter at most.
    pub largest_cube: f64,
    /// Its mean, which squares of errors make, at most.
    pub bias: f64,
    /// η at most.
    pub character: f64,
}

impl DiscreteError {
    /// The size of the polynomial that e errs by.
    #[must_use]
    pub fn size(self, params: &BfvParams) -> PhaseSize {
        let worst = params.random_size(self.worst_std.powi(2)).worst;
        let average = 0.5 * (self.std.powi(2) + self.cubes.powi(2)).log2();
        PhaseSize { average, worst: (worst.exp2() + self.worst_cubes(params.degree())).log2() }
    }

    /// The bound of |Σ_k b_k·ζ^k| at all of N roots ζ but with a probability of 2^-140, for the rest of cleaning in N
    /// slots: by Bernstein's inequality for independent numbers, less their means, and the largest of these.
    fn worst_cubes(self, degree: usize) -> f64 {
        let n = degree as f64;
        // Both parts at N roots, in both directions.
        let log = BfvParams::TAIL_BITS * LN_2 + (4.0 * n).ln();
        let part = self.cubes * (2.0 * n * log).sqrt() + 2.0 / 3.0 * (self.largest_cube + self.bias) * log;
        SQRT_2 * part + n * self.bias
    }
}

/// 2/(9·√3)/2: e from twice the imaginary part of 9 times the characters.
fn unit() -> Precise {
    Precise::from(1.0) / (Precise::from(9.0) * Precise::from(3.0).sqrt())
}

impl DiscreteNoise {
    /// For messages modulo t = `modulus` < 2^40, on a set of CKKS. Results are at the level that is left, 1 to 16.
    ///
    /// # Errors
    /// [`CkksError::Keys`] for other numbers of residues than the sparse key and the digits allow, for a modulus out of its
    /// range, and for too few or too many levels; [`CkksError::Exponential`].
    pub fn new(params: &CkksParams, options: &DiscreteOptions, modulus: u64) -> Result<Self, CkksError> {
        let (residues, weight) = (options.residues, params.literal().sparse_weight);
        let parameter = |what, found, min, max| CkksError::from(KeyError::Parameter { what, found, min, max });
        if !(2..1 << 40).contains(&modulus) {
            return Err(parameter("plaintext modulus", modulus, 2, (1 << 40) - 1));
        }
        let least = u64::from(weight) + 3;
        if !(least..=MAX_RESIDUES).contains(&residues) {
            return Err(parameter("residues of the noise", residues, least, MAX_RESIDUES));
        }
        let exponential = Exponential::for_key(weight as usize, options.exponential_log2_error)?;
        let (bound, exponential) = (exponential.bound(), exponential.circuit());
        let characters = ArithmeticCircuit::polynomials(PolynomialBasis::Power, &characters(residues));
        let cleaned = options.to_slots + exponential.depth() + characters.depth() + CLEANING_LEVELS;
        let depth = cleaned + WIDE * options.to_coeffs;
        let top = params.max_level();
        let other = || parameter("levels", top as u64, depth as u64 + 1, (depth + MAX_OUTPUT_LEVEL) as u64);
        let output_level = top.checked_sub(depth).filter(|level| (1..=MAX_OUTPUT_LEVEL).contains(level));
        let output_level = output_level.ok_or_else(other)?;
        let transforms = TransformOptions {
            bound,
            to_slots: options.to_slots,
            to_coeffs: 0,
            output_level,
            output_scale: params.scale(output_level),
        };
        let transforms = Transforms::new(params, transforms)?;
        let level = output_level + WIDE * options.to_coeffs + CLEANING_LEVELS;
        // e comes out at the scale 2^-shift·Q'/(P·t).
        let q = (0..=output_level).fold(Precise::from(1.0), |q, level| q * Precise::from(params.prime(level)));
        let whole = q / Precise::from(residues as f64) / Precise::from(modulus as f64);
        let shift = (f64::from(whole).log2() - LOG2_CONSTANTS).floor().max(0.0) as u32;
        let scales = Scales::new(params, level);
        let mut noise = Self {
            residues,
            modulus,
            transforms,
            exponential,
            characters,
            to_coeffs: Vec::new(),
            shift,
            fingerprint: params.fingerprint(),
            levels: [level, output_level],
            error: DiscreteError { std: 0.0, worst_std: 0.0, cubes: 0.0, largest_cube: 0.0, bias: 0.0, character: 0.0 },
        };
        let mut levels = even_levels(params.degree(), options.to_coeffs)?;
        levels.reverse();
        let maps = precise_slots_to_coeffs(params.degree(), &levels)?;
        let (first, count) = (level - CLEANING_LEVELS, maps.len());
        let primes = (output_level + 1..=first).map(|level| Precise::from(params.prime(level)));
        // The product of all scales is exact, whatever each is.
        let product =
            primes.fold(whole / Precise::from(f64::from(shift).exp2()) * unit() / scales.cleaned, |x, q| x * q);
        let each = f64::from(product).powf(1.0 / count as f64);
        let mut rest = product;
        for (stage, map) in maps.into_iter().enumerate() {
            let scale = if stage + 1 == count { rest } else { Precise::from(each) };
            rest = rest / scale;
            noise.to_coeffs.push(WideMap::new(params, map, first - WIDE * stage, scale)?);
        }
        noise.error = noise.predict(params, options, &scales);
        Ok(noise)
    }

    /// The error of e.
    #[must_use]
    pub fn error(&self) -> DiscreteError {
        self.error
    }

    /// The level of results.
    #[must_use]
    pub fn output_level(&self) -> usize {
        self.levels[1]
    }

    /// Asks for the keys that it needs.
    pub fn request(&self, params: &CkksParams, request: &mut KeyRequest) {
        self.transforms.request(params, request);
        request.products(self.transforms.slots_level(params));
        request.action(GaloisAction::Conjugation, self.levels[0]);
        self.to_coeffs.iter().for_each(|map| map.request(request));
    }

    fn predict(&self, params: &CkksParams, options: &DiscreteOptions, scales: &Scales) -> DiscreteError {
        let (u, p) = (params.max_slot_value(), self.residues as i64);
        // What no slot exceeds but for 2^-140, whatever the direction of its noise.
        let tail = (2.0 * (BfvParams::TAIL_BITS * LN_2 + (params.degree() as f64).ln())).sqrt();
        let most = |bias, noise: SlotNoise| bias + tail * noise.at(u).sqrt();
        // z, whatever the phase.
        let [real, complex] = self.transforms.to_slots_noise(params, Transforms::raise_variance(params));
        let (level, bound) = (self.transforms.slots_level(params), self.transforms.options().bound);
        let exponential = CircuitNoise::new(params, &self.exponential, level);
        // At all phases that there are, multiples of 1/P up to K.
        let phases = (bound * p as f64).floor() as i32;
        let of_z = (-phases..=phases).map(|phase| {
            let point = exponential.at(Complex64::from(f64::from(phase) / p as f64 / bound))[0];
            (real + complex) * point.slope.norm_sqr() + point.added
        });
        let of_z = of_z.fold(SlotNoise::default(), SlotNoise::max);
        // The series, and |e| ≤ P/2 times what the unit q_0/P is rounded by.
        let bias = options.exponential_log2_error.exp2() + PI * p as f64 / (2.0 * params.prime(0));
        let z = most(bias, of_z);
        // Characters: what is flattened away enters squared.
        let circuit = CircuitNoise::new(params, &self.characters, level - self.exponential.depth());
        let points = (0..p).flat_map(|e| circuit.at(Complex64::cis(TAU * e as f64 / p as f64)));
        let of_points = points.map(|point| point.added + of_z * point.slope.norm_sqr());
        let added = of_points.fold(SlotNoise::default(), SlotNoise::max);
        let curved = curvature(self.residues, z);
        let character = most(curved * z * z, added);
        // e from its digits; what they share adds up.
        let weights = (0..DIGITS).map(|i| 3f64.powi(i as i32));
        let of_digits = 2.0 / 3f64.sqrt() * weights.clone().sum::<f64>();
        let cube = cubed(character) * of_digits;
        // η = g + q: g noise of the circuit, a circular complex Gaussian, so that E η³ = E q³; q at most `curved` times the square
        // of z's error, a bias and a Gaussian of any direction: by Minkowski's inequality. Sixth powers of g are
        // largest on a line.
        let of_z = |n: i32, factor: f64| {
            let norm = (factor * moment(of_z, n, u)).powf(0.5 / f64::from(n));
            (bias + norm).powi(2 * n)
        };
        let sixth = 32.0 * (15.0 * moment(added, 3, u) + curved.powi(6) * of_z(6, 10395.0));
        let cubes = cube * sixth.sqrt();
        let bias = cube * curved.powi(3) * of_z(3, 15.0);
        let sum = scales.noise * weights.map(|weight| weight * weight).sum::<f64>();
        // Twice the imaginary parts of both halves, with a conjugation.
        let first = self.levels[0] - CLEANING_LEVELS;
        let joined = sum * 4.0 + params.rotation_noise(first, f64::from(scales.cleaned));
        let unit = f64::from(unit());
        let signal = 2.0 * Transforms::phase_variance(params) / (unit * unit);
        let start = (joined, signal, f64::from(scales.cleaned));
        let next = |(noise, signal, scale), map: &WideMap| map.noise(params, noise, signal, scale);
        let (slots, _, _) = self.to_coeffs.iter().fold(start, next);
        let [std, worst_std] = [slots.mean(), slots.at(u)].map(|noise| unit * (noise / params.degree() as f64).sqrt());
        DiscreteError { std, worst_std, cubes, largest_cube: cube * character.powi(3), bias, character }
    }
}

/// The mean of v^n over the slots of any key, v = f + k·u the variance in a slot, at most: u is from 0 to `most` with a
/// mean of 1, and v^n is convex.
fn moment(noise: SlotNoise, n: i32, most: f64) -> f64 {
    let [least, largest] = [0.0, most].map(|u| noise.at(u).powi(n));
    least + (largest - least) / most
}

/// Scales of cleaning, from characters at a level.
struct Scales {
    /// The scale of 14 − 7v + 2v².
    factor: Precise,
    /// The scale of 9 times the cleaned characters.
    cleaned: Precise,
    /// The noise of these.
    noise: SlotNoise,
}

impl Scales {
    fn new(params: &CkksParams, level: usize) -> Self {
        let (s, q) = (Precise::from(params.scale(level)), |i: usize| Precise::from(params.prime(level - i)));
        let square = s * s;
        let cube = square * s / q(0);
        let sixth = cube * cube / q(1) / q(2);
        let factor = sixth / Precise::from(2.0);
        let cleaned = s * factor / q(3);
        let product = |level, scale: Precise, drop| params.wide_product_noise(level, f64::from(scale), drop);
        // 9f = z·(14 − 7v + 2v²) falls by 3·z for v, and grows by 2·z for v².
        let noise = product(level, square, 0) * 9.0
            + product(level, square * s, 1) * 9.0
            + product(level - 1, cube * cube, 2) * 4.0
            + params.rounding_noise(f64::from(factor))
            + product(level - 3, s * factor, 1);
        Self { factor, cleaned, noise }
    }
}

/// How coefficients are refreshed.
#[derive(Debug)]
pub struct DiscreteBootstrap {
    exact: Evaluator,
    ckks: CkksEvaluator,
    noise: DiscreteNoise,
    /// r, t = p^r.
    exponent: u32,
}

impl DiscreteBootstrap {
    /// With evaluators under one secret key: of BFV on the chain of the set of CKKS ([`BfvParams::on_ckks`]), and of
    /// CKKS with the keys that `noise` asked for.
    ///
    /// # Errors
    /// [`BfvSchemeError::Foreign`] for evaluators of two secret keys and for a `noise` of another set;
    /// [`BfvSchemeError::PortModulus`] unless t is a power of p.
    pub fn new(exact: Evaluator, ckks: CkksEvaluator, noise: DiscreteNoise) -> Result<Self, LutError> {
        let params = exact.params();
        let foreign = |what, expected: &str| BfvSchemeError::Foreign { what, expected: expected.into() };
        if exact.key_id() != ckks.key_id() {
            return Err(foreign("key of CKKS", params.name()).into());
        }
        if noise.fingerprint != ckks.params().fingerprint() {
            return Err(foreign("plan of the noise", ckks.params().name()).into());
        }
        let (found, expected) = (noise.modulus, params.power(params.max_exponent()));
        let exponent = (1..=params.max_exponent()).find(|&r| params.power(r) == found);
        let exponent = exponent.ok_or(BfvSchemeError::PortModulus { found, expected })?;
        Ok(Self { exact, ckks, noise, exponent })
    }

    /// The result for a ciphertext of this state, and log2 of the probability that some coefficient comes out wrong.
    ///
    /// # Errors
    /// [`BfvSchemeError::Exhausted`] for noise beyond what the modulus P·t bears; [`BfvSchemeError::Moduli`] for
    /// another power of p than t.
    pub fn predict(&self, x: State) -> Result<(State, f64), BfvSchemeError> {
        let (params, noise) = (self.exact.params(), &self.noise);
        if x.exponent != self.exponent {
            return Err(BfvSchemeError::Moduli { base: params.base(), exponents: [x.exponent, self.exponent] });
        }
        let low = params.promised("refreshing of coefficients", params.at_level(x, 0))?;
        // In units of e.
        let p = noise.residues as f64;
        let to_sparse = params.base_gadget();
        let weight = params.literal().sparse_weight as usize;
        let switch = to_sparse.variance(params.ring(), 1, params.errors(), weight);
        let per_phase = p * noise.modulus as f64 / params.prime(0);
        let rounding = (weight as f64 + 1.0) / 2.0;
        // Coefficients of w: the bound of all roots holds for them, where primes are dropped they keep to less.
        let dropped = x.size.worst + params.log2_level(0) - params.log2_level(x.level);
        let divided = 1.01 * noise.modulus as f64 * (f64::from(params.literal().weight) + 1.0) / 2.0;
        let most = (dropped.exp2() + if x.level > 0 { divided } else { 0.0 }).min(low.size.worst.exp2());
        let rest = p / 2.0 - rounding - most * p / params.prime(0);
        let log2_failure = log2_failure(rest, switch.sqrt() * per_phase) + (params.degree() as f64).log2();
        let level = noise.output_level();
        let error = noise.error.size(params).scaled(params.log2_level(level) - p.log2());
        let log2_t = (noise.modulus as f64).log2();
        // Of what is lifted, and of what comes out of SlotsToCoeffs, which is keyed.
        let lift = params.rounding_size(1.0).scaled(log2_t);
        let size = error
            .plus(lift)
            .plus(lift.scaled(f64::from(noise.shift)))
            .plus(params.switch_size(level, x.exponent, true));
        let factor = lifted_factor(params, low, level);
        let state = State { level, scheme: Scheme::Bfv, exponent: x.exponent, factor, size };
        Ok((params.promised("refreshing of coefficients", state)?, log2_failure))
    }

    /// The same message with a budget that does not depend on the one before.
    ///
    /// # Errors
    /// As [`Self::predict`], and [`BfvSchemeError::Exhausted`] where it predicts failures more often than 2^-128;
    /// [`BfvSchemeError::Keys`], and what CKKS refuses.
    pub fn bootstrap(&self, x: &BfvCiphertext) -> Result<BfvCiphertext, LutError> {
        let (params, noise) = (self.exact.params(), &self.noise);
        let (state, log2_failure) = self.predict(x.state())?;
        promised(log2_failure)?;
        let low = self.exact.brought(x, 0, Scheme::Bfv)?;
        let [message, error] = self.parted(low.inner())?;
        let digits = self.digits(error)?;
        let mut out = self.ckks.from_sparse(&message)?;
        let ring = params.ring();
        let error = times(params, digits.inner().clone(), |q| power_of_two(q, noise.shift.into()));
        out.for_both_with(&error, |x, y| ring.sub_assign(x, y));
        Ok(BfvCiphertext::new(params, out, state, x.key_id()))
    }

    /// Under the sparse key: Q'/(P·t) times x switched to the modulus P·t, and the same modulo P, of q_0/P times it.
    fn parted(&self, x: &RnsCiphertext) -> Result<[RnsCiphertext; 2], CkksError> {
        let (params, noise) = (self.ckks.params(), &self.noise);
        let ring = params.ring();
        let sparse = self.ckks.to_sparse(x)?;
        let q = ring.modulus(params.limbs(0), 0).value();
        let (p, modulus) = (noise.residues as i64, noise.residues * noise.modulus);
        let switched = |c: f64| {
            let product = 2 * i128::from(c as i64) * i128::from(modulus) + i128::from(q);
            product.div_euclid(2 * i128::from(q)) as i64
        };
        let output = params.limbs(noise.output_level());
        // (Q'·c − r)/(P·t) is −r/(P·t) modulo every prime of Q', r the rest.
        let chain = ring.moduli(output);
        let product = chain.iter().fold(1, |x, q| u128::from(q.value()) * x % u128::from(modulus)) as i128;
        let rest = |c: i64| {
            let m = i128::from(modulus);
            let rest = (i128::from(c) * product).rem_euclid(m);
            (if 2 * rest > m { rest - m } else { rest }) as f64
        };
        let centred = |c: i64| {
            let rest = c.rem_euclid(p);
            if 2 * rest >= p { rest - p } else { rest }
        };
        let unit = (q as f64 / p as f64).round();
        let top = params.limbs(params.max_level());
        let coefficients = |x: &_| -> Vec<i64> { ring.backward_of(x).limb(0).iter().map(|&c| switched(c)).collect() };
        let message = sparse.map(|x| {
            let rests: Vec<f64> = coefficients(x).into_iter().map(rest).collect();
            let mut lifted = ring.forward(ring.from_integers(output, &rests));
            lifted.iter_mut().enumerate().for_each(|(i, limb)| {
                let q = ring.modulus(output, i);
                let over = q.neg(q.inverse(q.reduce(modulus)).expect("primes do not divide P·t"));
                ring.ntt(output, i).mul_factor_assign(limb, q.factor(over));
            });
            lifted
        });
        let error = sparse.map(|x| {
            let units: Vec<f64> = coefficients(x).into_iter().map(|c| centred(c) as f64 * unit).collect();
            ring.forward(ring.from_integers(top, &units))
        });
        Ok([message, error])
    }

    /// e in the coefficients, of a ciphertext under the sparse key with the phase (q_0/P)·e modulo q_0.
    fn digits(&self, x: RnsCiphertext) -> Result<WideCiphertext, CkksError> {
        let (ckks, noise) = (&self.ckks, &self.noise);
        let raised = ckks.from_sparse(&x)?;
        drop(x);
        let halves = ckks.coeffs_to_slots(&noise.transforms, raised)?;
        let sums = on_halves(halves, |x| {
            let z = ckks.evaluate(&noise.exponential, &[&x], |_, _| ())?.remove(0);
            let characters = ckks.evaluate(&noise.characters, &[&z], |_, _| ())?;
            self.cleaned_sum(&characters.iter().map(|x| ckks.widened(x)).collect::<Result<Vec<_>, _>>()?)
        })?;
        let joined = ckks.wide_imaginary_parts(&sums[0], &sums[1])?;
        noise.to_coeffs.iter().try_fold(joined, |x, map| ckks.apply_wide(map, &x))
    }

    /// Σ 3^i·9·(the i-th character, cleaned).
    fn cleaned_sum(&self, characters: &[WideCiphertext]) -> Result<WideCiphertext, CkksError> {
        let (ckks, [level, _]) = (&self.ckks, self.noise.levels);
        let scales = Scales::new(ckks.params(), level);
        let cleaned = characters.iter().map(|z| {
            let square = ckks.wide_product(z, z, 0)?;
            let v = ckks.wide_product(&square, z, 1)?;
            let sixth = ckks.wide_product(&v, &v, 2)?;
            // Twice it, at half of its scale.
            let twice = sixth.with_scale(scales.factor);
            let factor = ckks.wide_combination(&[(-7, &v), (1, &twice)], 14, level - 3, scales.factor)?;
            ckks.wide_product(z, &factor, 1)
        });
        let cleaned = cleaned.collect::<Result<Vec<_>, CkksError>>()?;
        let terms: Vec<_> = cleaned.iter().enumerate().map(|(i, x)| (3i64.pow(i as u32), x)).collect();
        ckks.wide_combination(&terms, 0, level - CLEANING_LEVELS, scales.cleaned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The worst key: some slots as large as there may be, and the others 0.
    #[test]
    fn moments_are_those_of_the_worst_key() {
        let (noise, most, slots) = (SlotNoise { flat: 0.1, keyed: 2.0 }, 11.0, 11 * 64);
        for n in [3, 6] {
            let mean = (0..slots).map(|j| noise.at(if j % 11 == 0 { most } else { 0.0 }).powi(n)).sum::<f64>()
                / f64::from(slots);
            assert!((moment(noise, n, most) / mean - 1.0).abs() < 1e-9, "{n}");
        }
    }
}
