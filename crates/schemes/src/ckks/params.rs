//! Parameter sets of CKKS: an unchecked literal, checked once, then immutable and cheap to clone.
use crate::class::SetClass;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use bootes_lattice::security::RnsSecurity;
use bootes_lattice::wire;
use bootes_ring::modulus::Modulus;
use bootes_ring::primes;
use bootes_ring::rns::RnsRing;
use bootes_ring::sample::KeyDistribution;
use serde::{Deserialize, Serialize};

use super::CkksError;
pub use crate::rlwe::NOISE_STD;
use crate::rlwe::params::{SLOT_VALUE_MARGIN, TOLD_BITS, check};
use crate::rlwe::{GaloisGroup, RlweLiteral, RlweParams};

/// A parameter set as written in a file: not yet checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CkksLiteral {
    /// Unique name.
    pub name: String,
    /// The class of the set: how far it is to be trusted.
    #[serde(default)]
    pub class: SetClass,
    /// log2 of the ring degree N.
    pub log2_degree: u32,
    /// Bits of q_0, the modulus of level 0: the last one left, and the one that bootstrapping raises.
    pub base_bits: u32,
    /// log2 of the scale Δ; the primes q_1, q_2, … are close to it.
    pub scale_bits: u32,
    /// Levels L: rescalings that a fresh ciphertext allows.
    pub levels: usize,
    /// Primes of a key-switching digit.
    pub digit_primes: usize,
    /// Special primes, of 50 bits.
    pub special_primes: usize,
    /// Nonzero coefficients of the secret key.
    pub weight: u32,
    /// Nonzero coefficients of the key that a ciphertext is raised under (sparse-secret encapsulation).
    pub sparse_weight: u32,
}

/// A checked parameter set: ring, primes and secrets as all schemes have them ([`RlweParams`]), and scales.
///
/// A ciphertext of level ℓ lives modulo q_0⋯q_ℓ. Each level has a *canonical scale* S_ℓ with S_(ℓ−1) = S_ℓ²/q_ℓ
/// exactly: q_ℓ is the free prime nearest to S_ℓ²/Δ, from the top down, which keeps every S_ℓ near Δ. So products of
/// ciphertexts with canonical scales have canonical scales.
#[derive(Clone)]
pub struct CkksParams(Arc<Inner>);

struct Inner {
    literal: CkksLiteral,
    rlwe: RlweParams,
    scales: Vec<f64>,
    fingerprint: [u8; 16],
}

impl CkksLiteral {
    /// Checks the literal, finds its primes and makes its tables.
    ///
    /// # Errors
    /// [`CkksError::Primes`], [`CkksError::Insecure`], and as [`RlweLiteral::try_build`].
    pub fn try_build(self) -> Result<CkksParams, CkksError> {
        check("log2 of the ring degree", self.log2_degree.into(), 7, 17)?;
        let bits = u64::from(Modulus::MAX_BITS);
        check("bits of q_0", self.base_bits.into(), 25, bits)?;
        check("bits of the scale", self.scale_bits.into(), 25, bits - 1)?;
        check("levels", self.levels as u64, 1, 120)?;
        check("special primes", self.special_primes as u64, 1, 60)?;
        let degree = 1usize << self.log2_degree;
        let few = |what| move || CkksError::Primes { what, degree };
        let base = primes::below(1 << self.base_bits, degree).next().ok_or_else(few("q_0"))?;
        let mut used = vec![base];
        let specials = primes::below(1 << Modulus::MAX_BITS, degree).filter(|&p| p != base);
        let special: Vec<_> = specials.take(self.special_primes).collect();
        if special.len() < self.special_primes {
            return Err(few("special primes")());
        }
        used.extend(&special);
        // From the top: the prime nearest to the square of the scale over Δ.
        let delta = f64::from(self.scale_bits).exp2();
        let mut scales = vec![delta];
        let mut chain = Vec::new();
        for _ in 0..self.levels {
            let scale = scales[scales.len() - 1];
            let target = (scale * scale / delta) as u64;
            let free = |p: &Modulus| !used.contains(p);
            let (below, above) = (primes::below(target, degree).find(free), primes::above(target, degree).find(free));
            let distance = |p: &Modulus| p.value().abs_diff(target);
            let prime = below.into_iter().chain(above).min_by_key(distance).ok_or_else(few("the chain"))?;
            used.push(prime);
            chain.push(prime);
            scales.push(scale * scale / prime.value() as f64);
        }
        chain.push(base);
        chain.reverse();
        scales.reverse();
        let rlwe = RlweLiteral {
            log2_degree: self.log2_degree,
            chain,
            special,
            auxiliary: Vec::new(),
            digit_primes: self.digit_primes,
            key: KeyDistribution::SparseTernary { weight: self.weight },
            sparse: Some(KeyDistribution::SparseTernary { weight: self.sparse_weight }),
            galois: GaloisGroup::complex(degree),
            error_factor: 1,
        };
        let rlwe = rlwe.try_build()?;
        let fingerprint = fingerprint(&self, rlwe.ring());
        let inner = Inner { literal: self, rlwe, scales, fingerprint };
        let params = CkksParams(Arc::new(inner));
        params.check_security()?;
        Ok(params)
    }
}

/// The [fingerprint](wire::fingerprint) of all that keys and ciphertexts depend on: the fields of the literal in their
/// order, the primes that were found for them, the chain first, and what all sets have in common.
fn fingerprint(literal: &CkksLiteral, ring: &RnsRing) -> [u8; 16] {
    let CkksLiteral {
        name,
        class: _,
        log2_degree,
        base_bits,
        scale_bits,
        levels,
        digit_primes,
        special_primes,
        weight,
        sparse_weight,
    } = literal;
    wire::fingerprint("bootes ckks 3", |w| {
        w.str(name);
        [log2_degree, base_bits, scale_bits].into_iter().for_each(|&field| w.u32(field));
        [levels, digit_primes, special_primes].into_iter().for_each(|&field| w.u64(field as u64));
        [weight, sparse_weight].into_iter().for_each(|&field| w.u32(field));
        w.u64s(&ring.moduli(ring.limbs()).iter().map(|p| p.value()).collect::<Vec<_>>());
        w.f64(NOISE_STD);
        w.f64(SLOT_VALUE_MARGIN);
    })
}

impl CkksParams {
    /// The name of the set.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.literal.name
    }

    /// The literal that it was built from.
    #[must_use]
    pub fn literal(&self) -> &CkksLiteral {
        &self.0.literal
    }

    /// S_ℓ.
    #[must_use]
    pub fn scale(&self, level: usize) -> f64 {
        self.0.scales[level]
    }

    /// Security of samples under the secret key modulo QP, and of those under the sparse key modulo q_0·p_0. Of the
    /// secret key it is known that no slot is beyond [`RlweParams::max_slot_value`].
    ///
    /// # Errors
    /// Where there are no data: toy degrees.
    pub fn security(&self) -> Result<Vec<RnsSecurity>, CkksError> {
        Ok(self.security_with_told(TOLD_BITS)?)
    }

    /// The least of all estimates for both keys, in bits; `None` where there are no data.
    #[must_use]
    pub fn security_bits(&self) -> Option<f64> {
        let estimates = self.security().ok()?;
        Some(estimates.iter().map(RnsSecurity::bits).fold(f64::INFINITY, f64::min))
    }

    /// Refuses a set that does not keep the rule on security unless its class says so.
    fn check_security(&self) -> Result<(), CkksError> {
        if !self.literal().class.is_secure()
            || self.security().is_ok_and(|estimates| estimates.iter().all(RnsSecurity::meets_rule))
        {
            return Ok(());
        }
        let (weight, sparse_weight) = (self.literal().weight, self.literal().sparse_weight);
        Err(CkksError::Insecure {
            set: self.name().into(),
            bits: self.security_bits().unwrap_or(0.0),
            log2_modulus: self.log2_modulus(),
            weights: [weight, sparse_weight],
        })
    }

    /// The identity of the set in keys and ciphertexts: a hash of the literal and of the primes, 16 bytes.
    #[must_use]
    pub fn fingerprint(&self) -> [u8; 16] {
        self.0.fingerprint
    }
}

/// The parameters of all schemes.
impl Deref for CkksParams {
    type Target = RlweParams;

    fn deref(&self) -> &RlweParams {
        &self.0.rlwe
    }
}

impl fmt::Debug for CkksParams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CkksParams({})", self.name())
    }
}

impl PartialEq for CkksParams {
    fn eq(&self, other: &Self) -> bool {
        self.fingerprint() == other.fingerprint()
    }
}
