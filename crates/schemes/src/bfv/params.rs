//! Parameter sets of BFV and BGV: an unchecked literal, checked once, then immutable and cheap to clone.
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use bootes_lattice::rns::HybridGadget;
use bootes_lattice::security::RnsSecurity;
use bootes_lattice::wire;
use bootes_ring::modulus::Modulus;
use bootes_ring::poly::Limbs;
use bootes_ring::primes;
use bootes_ring::rns::Division;
use bootes_ring::sample::KeyDistribution;
use serde::{Deserialize, Serialize};

use super::residue::ResidueRing;
use super::{BfvSchemeError, split_primes};
use crate::ckks::CkksParams;
use crate::class::SetClass;
use crate::rlwe::params::{SLOT_VALUE_MARGIN, TOLD_BITS, check};
use crate::rlwe::{GaloisGroup, NOISE_STD, RlweLiteral, RlweParams};

/// A parameter set as written in a file: not yet checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BfvLiteral {
    /// Unique name.
    pub name: String,
    /// The class of the set: how far it is to be trusted.
    #[serde(default)]
    pub class: SetClass,
    /// log2 of the ring degree N.
    pub log2_degree: u32,
    /// p: an odd prime where there are slots, or a product of distinct primes ≡ 1 modulo 2N; any number from 2 on where
    /// there are none, of powers of two one.
    pub base: u64,
    /// e: plaintexts are modulo p, p², …, p^e ≤ 2^40. Errors of keys are multiples of p^e.
    pub exponent: u32,
    /// Bits of q_0, the last prime that is left.
    pub base_bits: u32,
    /// Bits of the primes q_1, q_2, …, and how many there are: a pair where all have one size, else one for each run of
    /// a size, from q_1 up. L is how many there are.
    pub primes: Vec<(u32, usize)>,
    /// Primes of a key-switching digit.
    pub digit_primes: usize,
    /// Special primes.
    pub special_primes: usize,
    /// Their bits.
    pub special_bits: u32,
    /// Nonzero coefficients of the secret key; 0 of a dense one, uniform on {−1, 0, 1}.
    pub weight: u32,
    /// Nonzero coefficients of the key that a ciphertext is raised under (sparse-secret encapsulation); 0 where nothing
    /// is raised.
    pub sparse_weight: u32,
}

/// A checked parameter set: ring, primes and secrets as all schemes have them ([`RlweParams`]), and how polynomials are
/// divided and key-switched modulo each power of p.
#[derive(Clone)]
pub struct BfvParams(Arc<Inner>);

struct Inner {
    literal: BfvLiteral,
    rlwe: RlweParams,
    /// For p^0 = 1, as BFV has them, to p^e.
    powers: Vec<Power>,
    fingerprint: [u8; 16],
    /// The bytes that keys are derived with: of this set, or of the set that it shares its keys with.
    key_fingerprint: [u8; 16],
    /// The highest level with primes for products of BFV.
    product_level: usize,
}

/// Divisions that are congruent modulo a power of p.
struct Power {
    modulus: u64,
    gadget: HybridGadget,
    /// From level ℓ to ℓ − 1, at ℓ − 1.
    drop: Vec<Division>,
}

impl BfvLiteral {
    /// Checks the literal, finds its primes and makes its tables.
    ///
    /// # Errors
    /// [`BfvSchemeError::PlaintextModulus`], [`BfvSchemeError::Primes`], [`BfvSchemeError::Insecure`], and as
    /// [`RlweLiteral::try_build`].
    pub fn try_build(self) -> Result<BfvParams, BfvSchemeError> {
        let bits = u64::from(Modulus::MAX_BITS);
        check("log2 of the ring degree", self.log2_degree.into(), 7, 17)?;
        check("bits of q_0", self.base_bits.into(), 25, bits)?;
        self.primes.iter().try_for_each(|&(size, _)| check("bits of the primes", size.into(), 25, bits))?;
        check("primes above q_0", self.levels() as u64, 1, 60)?;
        check("special primes", self.special_primes as u64, 1, 60)?;
        check("bits of the special primes", self.special_bits.into(), 25, bits)?;
        let degree = 1usize << self.log2_degree;
        let modulus = self.plaintext_modulus()?;
        let mut used: Vec<Modulus> = Vec::new();
        let mut take = |what, bits: u32, count: usize| {
            let free = |q: &Modulus| !used.contains(q) && !self.base.is_multiple_of(q.value());
            let found: Vec<_> = primes::below(1 << bits, degree).filter(free).take(count).collect();
            // All of the wanted size, but for a bit.
            if found.len() < count || found.iter().any(|q| q.bits() + 1 < bits) {
                return Err(BfvSchemeError::Primes { what, degree });
            }
            used.extend(&found);
            Ok(found)
        };
        let special = take("special primes", self.special_bits, self.special_primes)?;
        let mut chain = take("q_0", self.base_bits, 1)?;
        for &(size, count) in &self.primes {
            chain.extend(take("the chain", size, count)?);
        }
        let bits = self.product_bits(&chain, &special)?;
        let auxiliary = take("products of BFV", Modulus::MAX_BITS, auxiliary_primes(bits))?;
        let key = match self.weight {
            0 => KeyDistribution::Ternary,
            weight => KeyDistribution::SparseTernary { weight },
        };
        let keys = (key, self.sparse_weight);
        let top = self.levels();
        self.build([chain, special, auxiliary], keys, modulus, (None, top))
    }

    /// L.
    #[must_use]
    pub fn levels(&self) -> usize {
        self.primes.iter().map(|(_, count)| count).sum()
    }

    /// p^e.
    fn plaintext_modulus(&self) -> Result<u64, BfvSchemeError> {
        let modulus = self.base.checked_pow(self.exponent).filter(|&t| self.base >= 2 && (2..=1 << 40).contains(&t));
        modulus.ok_or(BfvSchemeError::PlaintextModulus { base: self.base, exponent: self.exponent })
    }

    /// The bits that products of BFV over these primes of the chain take besides the special ones.
    fn product_bits(&self, chain: &[Modulus], special: &[Modulus]) -> Result<f64, BfvSchemeError> {
        let log2 = |primes: &[Modulus]| primes.iter().map(|q| (q.value() as f64).log2()).sum::<f64>();
        let message = (self.plaintext_modulus()? as f64).log2() + f64::from(self.log2_degree);
        Ok(log2(chain) + message + 2.0 - log2(special))
    }

    /// The set over these primes: of the chain, special, and for products of BFV.
    fn build(
        self,
        [chain, special, auxiliary]: [Vec<Modulus>; 3],
        (key, sparse_weight): (KeyDistribution, u32),
        error_factor: u64,
        (key_fingerprint, product_level): (Option<[u8; 16]>, usize),
    ) -> Result<BfvParams, BfvSchemeError> {
        let (degree, count, specials) = (1usize << self.log2_degree, chain.len(), special.len());
        let is_prime = primes::is_prime(self.base) && self.base > 2;
        let has_slots = is_prime || self.exponent == 1 && split_primes(self.base, degree).is_some();
        let rlwe = RlweLiteral {
            log2_degree: self.log2_degree,
            chain,
            special,
            auxiliary,
            digit_primes: self.digit_primes,
            key,
            sparse: (sparse_weight > 0).then_some(KeyDistribution::SparseTernary { weight: sparse_weight }),
            galois: if has_slots { GaloisGroup::finite(degree, self.base)? } else { GaloisGroup::complex(degree) },
            error_factor,
        };
        let rlwe = rlwe.try_build()?;
        let ring = rlwe.ring();
        let power = |j: u32| {
            let modulus = self.base.pow(j);
            let gadget = HybridGadget::congruent(ring, count, self.digit_primes, specials, modulus);
            let drop = |level| Division::congruent(ring, Limbs::chain(level + 1), level, modulus);
            let drop = (1..count).map(drop).collect();
            Ok(Power { modulus, gadget: gadget.map_err(crate::rlwe::KeyError::from)?, drop })
        };
        let powers = (0..=self.exponent).map(power).collect::<Result<_, BfvSchemeError>>()?;
        let fingerprint = fingerprint(&self, &rlwe);
        let key_fingerprint = key_fingerprint.unwrap_or(fingerprint);
        let params = Inner { literal: self, rlwe, powers, fingerprint, key_fingerprint, product_level };
        let params = BfvParams(Arc::new(params));
        params.check_security()?;
        Ok(params)
    }
}

/// How many primes of 50 bits have so many bits.
fn auxiliary_primes(bits: f64) -> usize {
    (bits / 49.9).ceil().max(0.0) as usize
}

/// The [fingerprint](wire::fingerprint) of all that keys and ciphertexts depend on.
fn fingerprint(literal: &BfvLiteral, rlwe: &RlweParams) -> [u8; 16] {
    let BfvLiteral {
        name,
        class: _,
        log2_degree,
        base,
        exponent,
        base_bits,
        primes,
        digit_primes,
        special_primes,
        special_bits,
        weight,
        sparse_weight,
    } = literal;
    // All primes follow.
    let prime_bits = &primes[0].0;
    wire::fingerprint("bootes exact 2", |w| {
        w.str(name);
        [log2_degree, exponent, base_bits, prime_bits, special_bits].into_iter().for_each(|&field| w.u32(field));
        w.u64(*base);
        [literal.levels(), *digit_primes, *special_primes].into_iter().for_each(|field| w.u64(field as u64));
        [weight, sparse_weight].into_iter().for_each(|&field| w.u32(field));
        let ring = rlwe.ring();
        w.u64s(&ring.moduli(ring.limbs()).iter().map(|q| q.value()).collect::<Vec<_>>());
        w.f64(NOISE_STD);
        w.f64(SLOT_VALUE_MARGIN);
    })
}

impl BfvParams {
    /// BFV modulo p^`exponent` over the chain of a set of CKKS and under its secret key, with products up to level
    /// `level`: what is bootstrapped through CKKS. Errors of its keys are no multiples of p, so that there is no BGV.
    ///
    /// # Errors
    /// As [`BfvLiteral::try_build`].
    pub fn on_ckks(ckks: &CkksParams, base: u64, exponent: u32, level: usize) -> Result<Self, BfvSchemeError> {
        let of = ckks.literal();
        let literal = BfvLiteral {
            name: format!("{}_modulo_{base}_{exponent}", of.name),
            class: of.class,
            log2_degree: of.log2_degree,
            base,
            exponent,
            base_bits: of.base_bits,
            primes: vec![(of.scale_bits, of.levels)],
            digit_primes: of.digit_primes,
            special_primes: of.special_primes,
            special_bits: Modulus::MAX_BITS,
            weight: of.weight,
            sparse_weight: of.sparse_weight,
        };
        literal.plaintext_modulus()?;
        ckks.check_level(level)?;
        let all = ckks.ring().moduli(ckks.key_limbs());
        let (chain, special) = all.split_at(of.levels + 1);
        if let Some(q) = all.iter().find(|q| base.is_multiple_of(q.value())) {
            return Err(BfvSchemeError::PlaintextModulus { base: q.value(), exponent });
        }
        let bits = literal.product_bits(&chain[..=level], special)?;
        let free = primes::below(1 << Modulus::MAX_BITS, ckks.degree());
        let free = free.filter(|q| !all.contains(q) && !base.is_multiple_of(q.value()));
        let auxiliary = free.take(auxiliary_primes(bits)).collect();
        let keys = (ckks.key_distribution(), of.sparse_weight);
        let shared = (Some(ckks.fingerprint()), level);
        literal.build([chain.to_vec(), special.to_vec(), auxiliary], keys, 1, shared)
    }

    /// Whether there is BFV only, since errors of the keys are no multiples of p^e.
    #[must_use]
    pub fn is_bfv_only(&self) -> bool {
        self.errors().factor == 1
    }

    /// The bytes that keys are derived with.
    pub(super) fn key_fingerprint(&self) -> [u8; 16] {
        self.0.key_fingerprint
    }

    /// The highest level of products of BFV: there are no more auxiliary primes.
    #[must_use]
    pub fn product_level(&self) -> usize {
        self.0.product_level
    }

    /// The name of the set.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.literal.name
    }

    /// The literal that it was built from.
    #[must_use]
    pub fn literal(&self) -> &BfvLiteral {
        &self.0.literal
    }

    /// p.
    #[must_use]
    pub fn base(&self) -> u64 {
        self.0.literal.base
    }

    /// e, the largest exponent of plaintext moduli.
    #[must_use]
    pub fn max_exponent(&self) -> u32 {
        self.0.literal.exponent
    }

    /// p^`exponent`.
    ///
    /// # Panics
    /// For an exponent beyond e.
    #[must_use]
    pub fn power(&self, exponent: u32) -> u64 {
        self.0.powers[exponent as usize].modulus
    }

    /// Z_t for t = p^`exponent`.
    ///
    /// # Panics
    /// For an exponent of 0 or beyond e.
    #[must_use]
    pub fn residues(&self, exponent: u32) -> ResidueRing {
        ResidueRing::new(self.power(exponent))
    }

    /// Refuses exponents other than 1 to e.
    ///
    /// # Errors
    /// [`BfvSchemeError::Exponent`].
    pub fn check_exponent(&self, exponent: u32) -> Result<(), BfvSchemeError> {
        let max = self.max_exponent();
        let error = BfvSchemeError::Exponent { base: self.base(), found: exponent, max };
        if (1..=max).contains(&exponent) { Ok(()) } else { Err(error) }
    }

    /// The gadget whose divisions are congruent modulo p^`exponent`; 0 for rounding.
    ///
    /// # Panics
    /// For an exponent beyond e.
    #[must_use]
    pub fn gadget_of(&self, exponent: u32) -> &HybridGadget {
        &self.0.powers[exponent as usize].gadget
    }

    /// The division by q_ℓ from level ℓ ≥ 1, congruent modulo p^`exponent`; 0 for rounding.
    ///
    /// # Panics
    /// For level 0 or an exponent beyond e.
    #[must_use]
    pub fn drop_of(&self, exponent: u32, level: usize) -> &Division {
        &self.0.powers[exponent as usize].drop[level - 1]
    }

    /// log2 Q of a level.
    #[must_use]
    pub fn log2_level(&self, level: usize) -> f64 {
        self.ring().log2(self.limbs(level))
    }

    /// Q of a level modulo `ring`'s t.
    #[must_use]
    pub fn modulus_in(&self, ring: ResidueRing, level: usize) -> u64 {
        let moduli = self.ring().moduli(self.limbs(level));
        moduli.iter().fold(1, |product, q| ring.mul(product, q.value() % ring.modulus()))
    }

    /// Security of samples under the secret key modulo QP, and of those under the sparse key, if there is one, modulo
    /// q_0·p_0. Of the secret key it is known that no slot is beyond [`RlweParams::max_slot_value`].
    ///
    /// # Errors
    /// Where there are no data: toy degrees.
    pub fn security(&self) -> Result<Vec<RnsSecurity>, BfvSchemeError> {
        Ok(self.security_with_told(TOLD_BITS)?)
    }

    /// The least of all estimates for all keys, in bits; `None` where there are no data.
    #[must_use]
    pub fn security_bits(&self) -> Option<f64> {
        let estimates = self.security().ok()?;
        Some(estimates.iter().map(RnsSecurity::bits).fold(f64::INFINITY, f64::min))
    }

    /// Refuses a set that does not keep the rule on security unless its class says so.
    fn check_security(&self) -> Result<(), BfvSchemeError> {
        let meets = |estimates: Vec<RnsSecurity>| estimates.iter().all(RnsSecurity::meets_rule);
        if !self.literal().class.is_secure() || self.security().is_ok_and(meets) {
            return Ok(());
        }
        let (set, log2_modulus) = (self.name().into(), self.log2_modulus());
        Err(BfvSchemeError::Insecure { set, bits: self.security_bits().unwrap_or(0.0), log2_modulus })
    }

    /// The identity of the set in keys and ciphertexts: a hash of the literal and of the primes, 16 bytes.
    #[must_use]
    pub fn fingerprint(&self) -> [u8; 16] {
        self.0.fingerprint
    }
}

/// The parameters of all schemes.
impl Deref for BfvParams {
    type Target = RlweParams;

    fn deref(&self) -> &RlweParams {
        &self.0.rlwe
    }
}

impl fmt::Debug for BfvParams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BfvParams({})", self.name())
    }
}

impl PartialEq for BfvParams {
    fn eq(&self, other: &Self) -> bool {
        self.fingerprint() == other.fingerprint()
    }
}
