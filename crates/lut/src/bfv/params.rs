//! Parameter sets for vectors of Z_(p^r) that are computed on without end, or to a depth: primes and digits follow from
//! p and r by rule; those of the paper are data.
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use bootes_ring::primes;
use bootes_schemes::bfv::{
    BfvLiteral, BfvParams, BfvSchemeError, BfvSlots, KeyRequest, PhaseSize, Scheme, State, split_primes,
};
use bootes_schemes::class::SetClass;
use bootes_schemes::rlwe::{GaloisAction, GaloisGroup};

use super::depth::least_depth;
use super::{DigitMethod, DigitRemoval, SlimBootstrap, leveled};
use crate::program::{Operation, Program};
use crate::{BfvLutError, LutError};

/// A set with its slots, and how its vectors are refreshed, if they are.
#[derive(Debug, Clone)]
pub struct ProgramParams {
    params: BfvParams,
    slots: Arc<BfvSlots>,
    exponent: u32,
    refresh: Refresh,
}

/// What there is for vectors that have no room for another product.
#[derive(Debug, Clone)]
enum Refresh {
    /// Bootstrapping, with transforms of so many stages, made when first asked for.
    Bootstrap { stages: usize, made: Arc<OnceLock<SlimBootstrap>> },
    /// Nothing: there is room for so many products in a row, in the smallest ring of `least` and more, log2 of its
    /// degree.
    Nothing { depth: u32, least: u32 },
}

/// log2 of the ring of sets that bootstrap, for arithmetic.
const LOG2_DEGREE: u32 = 15;

/// The most slots of transforms in one stage: each is a diagonal.
const MAX_SLOTS: usize = 1 << 11;

/// log2 of the largest p^e that bootstrapping has primes and levels for, by the number of digits that are removed and
/// of stages.
fn max_bits(digits: u32, stages: usize) -> f64 {
    match (digits, stages) {
        (1, 1) => 34.0,
        (1, _) => 33.0,
        // Circuits for several digits are deeper.
        _ => 20.5,
    }
}

/// Stages of the transforms of vectors modulo powers of p: N has 2^(j−1) slots where 2^j ≤ 2N divides p − 1.
fn stages(p: u64) -> usize {
    if p % 4 == 1 && (p - 1).trailing_zeros() > MAX_SLOTS.ilog2() + 1 { 2 } else { 1 }
}

/// The name of the set for vectors modulo p^r that bootstraps, if there is one.
pub(crate) fn bootstrapped(p: u64, r: u32) -> Option<String> {
    let digits = digits(p, SPARSE_WEIGHT);
    // p ≡ 3 modulo 4 has 2^(j−1) slots where 2^j divides p + 1.
    let few = p % 4 == 1 || (p + 1).trailing_zeros() <= MAX_SLOTS.ilog2() + 1;
    let fits = f64::from(r.saturating_add(digits)) * (p as f64).log2() <= max_bits(digits, stages(p));
    let power = if r == 1 { String::new() } else { format!("_{r}") };
    (few && fits && p % 2 == 1 && primes::is_prime(p)).then(|| format!("slots_{p}{power}"))
}

/// The set for vectors modulo a power of a prime, if it is one.
fn of_power(modulus: u64) -> Option<String> {
    if modulus.is_power_of_two() {
        return Some(format!("slots_{modulus}_depth_1")).filter(|_| (2..=1 << 40).contains(&modulus));
    }
    let root = |r: u32| (modulus as f64).powf(1.0 / f64::from(r)).round() as u64;
    let is_power = |&(p, r): &(u64, u32)| p % 2 == 1 && p.checked_pow(r) == Some(modulus) && primes::is_prime(p);
    let (p, r) = (2..40).map(|r| (root(r), r)).find(is_power).filter(|_| modulus < 1 << 40)?;
    Some(bootstrapped(p, r).unwrap_or_else(|| format!("slots_{p}_{r}_depth_1")))
}

/// The prime nearest to p that there is a set for.
fn nearest(p: u64) -> u64 {
    let p = p.min(1 << 17);
    (0..=p).flat_map(|step| [p - step, p + step]).find(|&near| bootstrapped(near, 1).is_some()).unwrap_or(65537)
}

/// The prime nearest to p for sets that are not bootstrapped: where there are larger ones, with 2^13 slots at least.
fn nearest_leveled(p: u64) -> u64 {
    let p = p.min((1 << 40) - 1);
    let around = [primes::below(p, 1 << 13).next(), primes::above(p, 1 << 13).next()];
    let around = around.into_iter().flatten().map(|q| q.value()).filter(|q| *q < 1 << 40);
    around.min_by_key(|q| q.abs_diff(p)).filter(|_| p >= 1 << 14).unwrap_or_else(|| nearest(p))
}

/// The weight of the sparse key: of all its keys, none ever makes |v| larger than (h + 1)/2.
const SPARSE_WEIGHT: u32 = 40;
const TOY_SPARSE_WEIGHT: u32 = 8;

/// The largest p whose tables fit the set for arithmetic: p^2 of 18 bits.
const MAX_SMALL_TABLE: u64 = 512;

/// The work that a set has levels for.
#[derive(Clone, Copy, PartialEq)]
enum Purpose {
    /// Sums, products and rotations modulo p^r.
    Arithmetic,
    /// Tables of Z_p besides, where those need more.
    Tables,
}

/// What a name says, but for those of papers.
struct Named {
    p: u64,
    r: u32,
    toy: bool,
    /// For what there is room, or for how many products in a row, and log2 of the ring, if it is not the smallest.
    what: Result<Purpose, (u32, Option<u32>)>,
}

impl Named {
    fn read(name: &str) -> Option<Self> {
        let (toy, rest) = name.strip_prefix("toy_").map_or((false, name), |rest| (true, rest));
        let parts: Vec<&str> = rest.strip_prefix("slots_")?.split('_').collect();
        let number = |text: &str| Some(text).filter(|text| !text.starts_with(['+', '0']))?.parse::<u64>().ok();
        // A first power is not said.
        let power = |text: &str| u32::try_from(number(text)?).ok().filter(|&r| r > 1);
        let depth = |text: &str| u32::try_from(number(text)?).ok();
        let ring = |text: &str| depth(text).filter(|&l| l <= ProgramParams::MAX_LOG2_DEGREE && !toy);
        let p = number(parts[0])?;
        let (r, what) = match parts[1..] {
            [] => (1, Ok(Purpose::Arithmetic)),
            ["tables"] if p > MAX_SMALL_TABLE => (1, Ok(Purpose::Tables)),
            ["depth", d] => (1, Err((depth(d)?, None))),
            ["depth", d, "ring", l] => (1, Err((depth(d)?, Some(ring(l)?)))),
            [r, "depth", d] => (power(r)?, Err((depth(d)?, None))),
            [r, "depth", d, "ring", l] => (power(r)?, Err((depth(d)?, Some(ring(l)?)))),
            [r] => (power(r)?, Ok(Purpose::Arithmetic)),
            _ => return None,
        };
        Some(Self { p, r, toy, what })
    }
}

impl ProgramParams {
    /// log2 of the largest ring that a set has.
    pub const MAX_LOG2_DEGREE: u32 = LOG2_DEGREE + 1;

    /// The set for vectors modulo p^r at N = 2^15. Up to p = 509 it has tables of Z_p too.
    ///
    /// # Errors
    /// [`BfvLutError::Prime`] for a p that is no odd prime; [`BfvLutError::Power`] for powers of it that are too
    /// large: p^e < 2^34, where e − r is 1 from p = 41 on, and < 2^20.5 below, where it is more;
    /// [`BfvLutError::Transform`] for p ≡ 3 modulo 4 with more than 2048 slots.
    pub fn new(p: u64, r: u32) -> Result<Self, LutError> {
        Self::build(p, r, Purpose::Arithmetic, false)
    }

    /// The same at a small ring, for tests: it has no security.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn toy(p: u64, r: u32) -> Result<Self, LutError> {
        Self::build(p, r, Purpose::Arithmetic, true)
    }

    /// The set for vectors modulo p and any tables of Z_p: `slots_P`, or from p = 521 on `slots_P_tables` at N = 2^16,
    /// which has ⌈log2(p − 1)⌉ more levels, the products of a table in a row.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn for_tables(p: u64) -> Result<Self, LutError> {
        let small = p <= MAX_SMALL_TABLE;
        Self::build(p, 1, if small { Purpose::Arithmetic } else { Purpose::Tables }, false)
    }

    /// The set for vectors modulo p^r, p^r < 2^40, with room for `depth` products in a row and no bootstrapping:
    /// `slots_P_depth_D`, or `slots_P_R_depth_D`, in the smallest ring, N = 2^12 to 2^16, that has a secure modulus.
    /// Each product may be one of rotated factors, and the result the sum of all k slots, or of any max(k, √p, 256)
    /// such products.
    ///
    /// Where r = 1, p may be a product of distinct primes ≡ 1 modulo 2N, or a power of two to 2^40, of which a
    /// ciphertext holds one value.
    ///
    /// # Errors
    /// [`BfvLutError::Prime`] for another p that is no odd prime; [`LutError::BfvScheme`] for powers beyond 2^40;
    /// [`BfvLutError::Depth`] for a depth of 0, beyond what is secure, or in whose ring a product of primes has no
    /// slots.
    pub fn leveled(p: u64, r: u32, depth: u32) -> Result<Self, LutError> {
        Self::build_leveled(p, r, depth, 0, false)
    }

    /// The set of a [name](BfvParams::name): `slots_P`, `slots_P_R`, `slots_P_tables`, `slots_P_depth_D`,
    /// `slots_P_R_depth_D`, of their toys, or of a paper's; `slots_P_depth_D_ring_L` has the ring of N = 2^L, where
    /// that is not the smallest.
    ///
    /// # Errors
    /// As [`Self::new`] and [`Self::leveled`]; `None` for other names.
    #[must_use]
    pub fn named(name: &str) -> Option<Result<Self, LutError>> {
        if let Some(literal) = BfvLiteral::of_papers().iter().find(|set| set.name == name) {
            let r = literal.exponent - digits(literal.base, literal.sparse_weight);
            return Some(Self::refreshed(literal.clone(), r, 1));
        }
        let Named { p, r, toy, what } = Named::read(name)?;
        Some(match what {
            Ok(purpose) => Self::build(p, r, purpose, toy),
            Err((depth, ring)) => {
                let set = Self::leveled_literal(p, r, depth, ring.unwrap_or(0), toy);
                // Of the smallest ring nothing is said.
                if set.as_ref().is_ok_and(|set| set.name != name) {
                    return None;
                }
                Self::build_leveled(p, r, depth, ring.unwrap_or(0), toy)
            }
        })
    }

    /// log2 of the ring of the set of this name, if there is one: none is built.
    #[must_use]
    pub fn log2_degree_of(name: &str) -> Option<u32> {
        if let Some(literal) = BfvLiteral::of_papers().iter().find(|set| set.name == name) {
            return Some(literal.log2_degree);
        }
        let Named { p, r, toy, what } = Named::read(name)?;
        Some(match what {
            _ if toy => leveled::TOY_LOG2_DEGREE,
            Ok(purpose) => LOG2_DEGREE + u32::from(purpose == Purpose::Tables),
            Err((depth, ring)) => Self::leveled_literal(p, r, depth, ring.unwrap_or(0), toy).ok()?.log2_degree,
        })
    }

    fn build_leveled(p: u64, r: u32, depth: u32, least: u32, toy: bool) -> Result<Self, LutError> {
        let params = Self::leveled_literal(p, r, depth, least, toy)?.try_build()?;
        Self::of(params, r, Refresh::Nothing { depth, least })
    }

    fn leveled_literal(p: u64, r: u32, depth: u32, least: u32, toy: bool) -> Result<BfvLiteral, LutError> {
        let is_two = p.is_power_of_two() && p > 1;
        let whole = p.saturating_pow(if is_two { r } else { 1 });
        let none = BfvLutError::Prime { found: whole, nearest: nearest_leveled(whole), power: of_power(whole) };
        let none = LutError::Bfv(none);
        if r == 0 || p > 1 && p.checked_pow(r).is_none_or(|modulus| modulus > 1 << 40) {
            return Err(BfvSchemeError::PlaintextModulus { base: p, exponent: r }.into());
        }
        // A power of two is the modulus itself, not a power of 2.
        if p == 1 || if is_two { r > 1 } else { p.is_multiple_of(2) } {
            return Err(none);
        }
        let is_prime = is_two || primes::is_prime(p);
        let literal = match leveled::literal(p, r, depth, least, toy) {
            // Of a product of primes a ring has slots where it is small enough, and so is the depth.
            Ok(literal) if !is_prime && (r > 1 || split_primes(p, 1 << literal.log2_degree).is_none()) => {
                return Err(shallower(p, r, (depth, depth - 1), toy).unwrap_or(none));
            }
            Err(LutError::Bfv(BfvLutError::Depth { most, .. })) if !is_prime => {
                return Err(shallower(p, r, (depth, most), toy).unwrap_or(none));
            }
            literal => literal?,
        };
        let is_smallest = least == 0 || leveled::literal(p, r, depth, 0, toy)?.log2_degree == literal.log2_degree;
        let ring = if is_smallest { String::new() } else { format!("_ring_{}", literal.log2_degree) };
        let power = if r == 1 { String::new() } else { format!("_{r}") };
        let name = format!("{}slots_{p}{power}_depth_{depth}{ring}", if toy { "toy_" } else { "" });
        Ok(BfvLiteral { name, ..literal })
    }

    fn build(p: u64, r: u32, purpose: Purpose, toy: bool) -> Result<Self, LutError> {
        if p.is_multiple_of(2) || !primes::is_prime(p) {
            // Of primes beyond those of sets that bootstrap there are others.
            let nearest = if p > 1 << 17 { nearest_leveled(p) } else { nearest(p) };
            return Err(BfvLutError::Prime { found: p, nearest, power: of_power(p) }.into());
        }
        if r == 0 {
            return Err(BfvSchemeError::PlaintextModulus { base: p, exponent: r }.into());
        }
        let sparse_weight = if toy { TOY_SPARSE_WEIGHT } else { SPARSE_WEIGHT };
        let digits = digits(p, sparse_weight);
        let exponent = r.saturating_add(digits);
        let bits = f64::from(exponent) * (p as f64).log2();
        let stages = stages(p);
        let max_bits = max_bits(digits, stages);
        if bits > max_bits {
            return Err(BfvLutError::Power {
                modulus: p,
                exponent: r,
                raised: exponent,
                bits,
                max_bits,
                nearest: nearest(p),
            }
            .into());
        }
        // Primes that a product modulo p^e fits, and as many as are secure.
        let (log2_degree, primes, digit_primes, special) = match bits {
            _ if purpose == Purpose::Tables => {
                // SlotsToCoeffs; products modulo p, a table's in a row; bootstrapping, modulo p^2.
                let depth = (p - 1).next_power_of_two().ilog2();
                let wide = depth > 16;
                let table = (depth + 18 + u32::from(wide), depth as usize + usize::from(wide));
                let raised = 8 + usize::from(depth > 15 || stages > 1);
                (LOG2_DEGREE + 1, vec![(50, stages), table, (50, raised)], 7, (50, 7))
            }
            _ if stages > 1 => (LOG2_DEGREE, vec![(50, 13)], 2, (50, 2)),
            ..=18.0 => (LOG2_DEGREE, vec![(32, 19)], 4, (45, 3)),
            ..=26.0 => (LOG2_DEGREE, vec![(44, 14)], 3, (45, 3)),
            _ => (LOG2_DEGREE, vec![(50, 12)], 3, (50, 3)),
        };
        let suffix = match (purpose, r) {
            (Purpose::Tables, _) => "_tables".into(),
            (Purpose::Arithmetic, 1) => String::new(),
            (Purpose::Arithmetic, _) => format!("_{r}"),
        };
        let literal = BfvLiteral {
            name: format!("{}slots_{p}{suffix}", if toy { "toy_" } else { "" }),
            class: if toy { SetClass::Toy } else { SetClass::Secure },
            log2_degree: if toy { leveled::TOY_LOG2_DEGREE } else { log2_degree },
            base: p,
            exponent,
            base_bits: 50,
            primes,
            digit_primes,
            special_primes: special.1,
            special_bits: special.0,
            weight: if toy { 64 } else { 256 },
            sparse_weight,
        };
        Self::refreshed(literal, r, stages)
    }

    fn refreshed(literal: BfvLiteral, r: u32, stages: usize) -> Result<Self, LutError> {
        let params = literal.try_build()?;
        let found = params.slots();
        if stages == 1 && found > MAX_SLOTS {
            let modulus = params.base();
            return Err(BfvLutError::Transform { modulus, found, max: MAX_SLOTS, nearest: nearest(modulus) }.into());
        }
        Self::of(params, r, Refresh::Bootstrap { stages, made: Arc::default() })
    }

    fn of(params: BfvParams, r: u32, refresh: Refresh) -> Result<Self, LutError> {
        let slots = Arc::new(BfvSlots::new(&params, r)?);
        Ok(Self { params, slots, exponent: r, refresh })
    }

    /// The set without bootstrapping of the least depth that has room for a program of so many fresh values modulo
    /// p^r, in the smallest ring in which all values that are added up or rotated are in one ciphertext, if there is
    /// one. Where another set bootstraps, rotations are of rows as long as there.
    #[must_use]
    pub fn leveled_for(p: u64, r: u32, program: &Program, values: usize) -> Option<Self> {
        let first = Self::leveled(p, r, 1).ok()?;
        let any = |is: fn(&Operation) -> bool| program.operations().iter().any(is);
        let moves = any(|operation| matches!(operation, Operation::Rotation(..) | Operation::Exchange(_)));
        let sums = any(|operation| matches!(operation, Operation::SumSlots(_)));
        let shape = |log2_degree: u32| Some(GaloisGroup::finite(1 << log2_degree, p).ok()?.axes()[0].length);
        if first.holds_one_value() && (moves || sums || !program.tables().is_empty()) {
            return None;
        }
        let row = bootstrapped(p, r).filter(|_| moves).and_then(|_| shape(LOG2_DEGREE));
        let fits = |set: &Self| {
            let is_long = !(moves || sums) || values <= set.slots().count();
            is_long && row.is_none_or(|row| row == set.slots().shape()[1])
        };
        let depth = least_depth(&first, program)?;
        let mut set = if depth == 1 { first } else { first.with_depth(depth).ok()? };
        while !fits(&set) {
            let larger = set.degree().ilog2() + 1;
            // More rooms of more slots take more depth, if any.
            let first = set.with_ring(1, larger).ok()?;
            set = first.with_depth(least_depth(&first, program)?).ok()?;
        }
        Some(set)
    }

    /// The products in a row that there is room for, where nothing is bootstrapped.
    #[must_use]
    pub fn depth(&self) -> Option<u32> {
        match self.refresh {
            Refresh::Bootstrap { .. } => None,
            Refresh::Nothing { depth, .. } => Some(depth),
        }
    }

    /// The refusal of an operation, in words, that this set has no room for, and one of another depth may have.
    #[must_use]
    pub fn no_room(&self, part: &str, deeper: Option<u32>) -> LutError {
        let deeper = deeper.and_then(|depth| Some(Box::new((depth, self.with_depth(depth).ok()?.name().into()))));
        let (params, depth) = (self.name().into(), self.depth().unwrap_or(0));
        let bootstrapped = self.bootstrapped().map(Into::into);
        LutError::Bfv(BfvLutError::Room { part: part.into(), params, depth, deeper, bootstrapped })
    }

    /// The refusal of an operation, in words, of slots, where a ciphertext has one.
    pub(super) fn one_value(&self, part: &str) -> LutError {
        let modulus = self.modulus();
        LutError::Bfv(BfvLutError::OneValue { part: part.into(), modulus, nearest: nearest_leveled(modulus) })
    }

    /// The name of the set for the same vectors that bootstraps, if there is one.
    #[must_use]
    pub fn bootstrapped(&self) -> Option<String> {
        let toy = if self.literal().class == SetClass::Toy { "toy_" } else { "" };
        bootstrapped(self.base(), self.exponent).map(|name| format!("{toy}{name}"))
    }

    /// The same set of another depth, in a ring of as many slots or more, which is none of bootstrapping.
    ///
    /// # Errors
    /// As [`Self::leveled`].
    pub fn with_depth(&self, depth: u32) -> Result<Self, LutError> {
        let least = if let Refresh::Nothing { least, .. } = self.refresh { least } else { 0 };
        self.with_ring(depth, least)
    }

    /// The same in the smallest ring of N = 2^`least` or more.
    fn with_ring(&self, depth: u32, least: u32) -> Result<Self, LutError> {
        let toy = self.literal().class == SetClass::Toy;
        Self::build_leveled(self.base(), self.exponent, depth, least, toy)
    }

    /// The slots modulo p^r.
    #[must_use]
    pub fn slots(&self) -> &BfvSlots {
        &self.slots
    }

    /// Whether a ciphertext has one value, which is not rotated and not added up: modulo powers of two.
    #[must_use]
    pub fn holds_one_value(&self) -> bool {
        self.slots.count() == 1
    }

    /// r.
    #[must_use]
    pub fn exponent(&self) -> u32 {
        self.exponent
    }

    /// Whether there are levels for any table of Z_p, where vectors are bootstrapped.
    #[must_use]
    pub fn has_tables(&self) -> bool {
        self.depth().is_none()
            && self.exponent == 1
            && (self.modulus() <= MAX_SMALL_TABLE || self.name().ends_with("_tables"))
    }

    /// p^r, what vectors are modulo.
    #[must_use]
    pub fn modulus(&self) -> u64 {
        self.params.power(self.exponent)
    }

    /// The level of fresh ciphertexts: near that of results of bootstrapping; where there are primes for a table,
    /// above those, since fresh noise is larger than what is left after a division. The highest where nothing is
    /// bootstrapped.
    #[must_use]
    pub fn fresh_level(&self) -> usize {
        if self.depth().is_some() {
            return self.params.max_level();
        }
        match *self.params.literal().primes {
            [(_, to_coeffs), (_, table), _] => to_coeffs + table + 2,
            _ => self.params.max_level() / 2,
        }
    }

    /// How its vectors are refreshed, if they are. It is made once, and takes up to a second and a hundred megabytes.
    ///
    /// # Errors
    /// [`LutError::BfvScheme`].
    pub fn bootstrap(&self) -> Result<Option<&SlimBootstrap>, LutError> {
        let Refresh::Bootstrap { stages, made } = &self.refresh else { return Ok(None) };
        if made.get().is_none() {
            // Of two that are made at once, one is kept.
            let _ = made.set(self.make_bootstrap(*stages)?);
        }
        Ok(made.get())
    }

    fn make_bootstrap(&self, stages: usize) -> Result<SlimBootstrap, LutError> {
        let (params, r, e) = (&self.params, self.exponent, self.params.max_exponent());
        // Larger maps and rings leave more noise, for which there is one more.
        let more = stages > 1 || params.literal().log2_degree > 15;
        let bound = u64::from(params.literal().sparse_weight) / 2 + u64::from(more);
        let (p, v) = (params.base(), e - r);
        let method = if v == 1 { DigitMethod::BoundedRange { bound } } else { DigitMethod::ChenHan };
        let removal = DigitRemoval { p, e, v, method }.circuit();
        // What all v digits hold, balanced.
        let held = if v == 1 { bound as f64 } else { (params.power(v) / 2) as f64 };
        let from = |level| SlimBootstrap::new(level, params, [r, e], stages, removal.clone(), held);
        let bootstrap = from(1)?;
        // With many slots modulo a large p, or of the largest powers, a division more.
        let next = |state: State| bootstrap.check(state).map(|prediction| prediction.result);
        let lasts = next(self.fresh_state()).is_ok() && next(params.raised(r)).and_then(next).is_ok();
        Ok(if lasts { bootstrap } else { from(2)? })
    }

    /// The moves that any rotation is made of: rows by powers of two, and their exchange.
    #[must_use]
    pub fn moves(&self) -> Vec<GaloisAction> {
        let [rows, columns] = self.slots.shape();
        let exchange = (rows == 2).then_some(GaloisAction::Rotation { axis: 1, by: 1 });
        (0..columns.ilog2()).map(|i| GaloisAction::rotation(1 << i)).chain(exchange).collect()
    }

    /// The keys that a server needs for everything: rotations up to the level of fresh ciphertexts and of results of
    /// bootstrapping.
    #[must_use]
    pub fn request(&self, bootstrap: Option<&SlimBootstrap>) -> KeyRequest {
        let mut request = KeyRequest::default();
        match bootstrap {
            Some(bootstrap) => bootstrap.request(&mut request),
            None => request.products(self.params.max_level()),
        }
        let level = self.highest(bootstrap);
        self.moves().into_iter().for_each(|action| request.action(action, level));
        request
    }

    /// The highest level that a vector has, fresh or bootstrapped.
    #[must_use]
    pub fn highest(&self, bootstrap: Option<&SlimBootstrap>) -> usize {
        let refreshed = bootstrap.and_then(|bootstrap| bootstrap.predict(self.fresh_state()).ok());
        refreshed.map_or(self.params.max_level(), |prediction| prediction.result.level).max(self.fresh_level())
    }

    /// The state of a fresh vector, of the least size that is told.
    #[must_use]
    pub fn fresh_state(&self) -> State {
        let fresh = self.params.fresh(Scheme::Bgv, self.exponent, self.fresh_level());
        State { size: fresh.size.at_least(self.least_size(self.exponent)), ..fresh }
    }

    /// The least size of w in such a state, but for its size: where it may be that of a fresh vector, a fresh one's,
    /// whatever it is of; else [`BfvParams::least_size`].
    #[must_use]
    pub fn least(&self, state: State) -> PhaseSize {
        let fresh = self.fresh_state();
        if (State { size: fresh.size, ..state }) == fresh { fresh.size } else { self.least_size(state.exponent) }
    }
}

/// The refusal of a depth for a product of primes that has slots in the ring of one up to `below`.
fn shallower(p: u64, r: u32, (depth, below): (u32, u32), toy: bool) -> Option<LutError> {
    let has_slots = |&depth: &u32| {
        let literal = leveled::literal(p, r, depth, 0, toy);
        literal.is_ok_and(|literal| split_primes(p, 1 << literal.log2_degree).is_some())
    };
    let most = (1..=below).rev().find(has_slots).filter(|_| r == 1)?;
    Some(LutError::Bfv(BfvLutError::Depth { modulus: p, depth, most, bootstrapped: None }))
}

/// The least v with |x| ≤ h/2 in v balanced digits.
fn digits(p: u64, sparse_weight: u32) -> u32 {
    let least = u64::from(sparse_weight) + 1;
    (1..64).find(|&v| p.saturating_pow(v) >= least).unwrap_or(1)
}

impl Deref for ProgramParams {
    type Target = BfvParams;

    fn deref(&self) -> &BfvParams {
        &self.params
    }
}
