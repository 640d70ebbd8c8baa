//! Ring, primes and secrets of a scheme: an unchecked literal, checked once, then immutable and cheap to
//! clone.
use std::fmt;
use std::sync::Arc;

use bootes_lattice::rns::{ErrorDistribution, HybridGadget};
use bootes_lattice::security::{RnsSecurity, rns};
use bootes_ring::modulus::Modulus;
use bootes_ring::poly::Limbs;
use bootes_ring::rns::{Division, RnsRing};
use bootes_ring::sample::KeyDistribution;

use super::{GaloisAction, GaloisGroup, KeyError};

/// Standard deviation of all noise, before its factor.
pub const NOISE_STD: f64 = 3.19;

/// How far above ln(N/2) [`RlweParams::max_slot_value`] is.
pub(crate) const SLOT_VALUE_MARGIN: f64 = 1.6;

/// Bits that are known of a key since it keeps to [`RlweParams::max_slot_value`]: −log2 of e^(−e^−1.6), with a margin.
pub const TOLD_BITS: f64 = 0.3;

/// The rings and keys of a scheme, not yet checked.
#[derive(Debug, Clone)]
pub struct RlweLiteral {
    /// log2 of the ring degree N.
    pub log2_degree: u32,
    /// The primes q_0, q_1, …, q_L of the chain; a ciphertext of level ℓ lives modulo q_0⋯q_ℓ.
    pub chain: Vec<Modulus>,
    /// The special primes of key switching.
    pub special: Vec<Modulus>,
    /// More primes, which no key has: products of BFV go through them.
    pub auxiliary: Vec<Modulus>,
    /// Primes of a key-switching digit.
    pub digit_primes: usize,
    /// The distribution of the secret key.
    pub key: KeyDistribution,
    /// The distribution of the key that ciphertexts are raised under (sparse-secret encapsulation), modulo
    /// q_0·p_0; none where nothing is raised.
    pub sparse: Option<KeyDistribution>,
    /// How the ring acts on slots.
    pub galois: GaloisGroup,
    /// The factor of all errors, modulo which divisions are congruent: 1, or the plaintext modulus of BGV.
    pub error_factor: u64,
}

/// A checked literal with its ring and the plans of all levels.
#[derive(Clone)]
pub struct RlweParams(Arc<Inner>);

struct Inner {
    key: KeyDistribution,
    sparse: Option<KeyDistribution>,
    galois: GaloisGroup,
    errors: ErrorDistribution,
    ring: RnsRing,
    gadget: HybridGadget,
    /// The gadget of the switch to the sparse key: modulo q_0·p_0, rounded.
    base_gadget: HybridGadget,
    /// From level ℓ to ℓ − 1, at ℓ − 1.
    rescale: Vec<Division>,
}

/// Refuses a parameter out of its range.
///
/// # Errors
/// [`KeyError::Parameter`].
pub(crate) fn check(what: &'static str, found: u64, min: u64, max: u64) -> Result<(), KeyError> {
    let error = KeyError::Parameter { what, found, min, max };
    if (min..=max).contains(&found) { Ok(()) } else { Err(error) }
}

impl RlweLiteral {
    /// Checks the literal and makes its tables.
    ///
    /// # Errors
    /// [`KeyError::Parameter`], [`KeyError::OddWeight`], [`KeyError::Ring`] for primes that repeat or do not
    /// suit the degree, [`KeyError::Lattice`] for an error factor that is not prime to them.
    pub fn try_build(self) -> Result<RlweParams, KeyError> {
        let Self { log2_degree, chain, special, auxiliary, digit_primes, key, sparse, galois, error_factor } = self;
        check("log2 of the ring degree", log2_degree.into(), 7, 17)?;
        check("primes of a digit", digit_primes as u64, 1, chain.len() as u64)?;
        check("factor of errors", error_factor, 1, 1 << 40)?;
        let degree = 1usize << log2_degree;
        check("degree of the Galois group", galois.degree() as u64, degree as u64, degree as u64)?;
        check_key("weight of the key", key, degree)?;
        sparse.map_or(Ok(()), |sparse| check_key("weight of the sparse key", sparse, degree))?;
        let ring = RnsRing::new(degree, &chain, &[&special[..], &auxiliary].concat())?;
        let gadget = HybridGadget::congruent(&ring, chain.len(), digit_primes, special.len(), error_factor)?;
        let base_gadget = HybridGadget::new(&ring, 1, 1, 1)?;
        let rescale = |level| Division::congruent(&ring, Limbs::chain(level + 1), level, error_factor);
        let rescale = (1..chain.len()).map(rescale).collect();
        let errors = ErrorDistribution { std: NOISE_STD, factor: error_factor };
        Ok(RlweParams(Arc::new(Inner { key, sparse, galois, errors, ring, gadget, base_gadget, rescale })))
    }
}

/// Refuses a sparse key that cannot be drawn evenly.
fn check_key(what: &'static str, key: KeyDistribution, degree: usize) -> Result<(), KeyError> {
    let KeyDistribution::SparseTernary { weight } = key else { return Ok(()) };
    check(what, weight.into(), 2, degree as u64 / 2)?;
    if weight % 2 == 1 { Err(KeyError::OddWeight { found: weight }) } else { Ok(()) }
}

impl RlweParams {
    /// The ring.
    #[must_use]
    pub fn ring(&self) -> &RnsRing {
        &self.0.ring
    }

    /// The gadget of key switching.
    #[must_use]
    pub fn gadget(&self) -> &HybridGadget {
        &self.0.gadget
    }

    /// The gadget of the switch to the sparse key, modulo q_0·p_0: of phases with messages in their high bits, whose
    /// errors are no multiples of the factor.
    #[must_use]
    pub fn base_gadget(&self) -> &HybridGadget {
        &self.0.base_gadget
    }

    /// The division by q_ℓ, from level ℓ ≥ 1: rounded, or congruent modulo the factor of errors.
    #[must_use]
    pub fn rescale(&self, level: usize) -> &Division {
        &self.0.rescale[level - 1]
    }

    /// How the ring acts on slots.
    #[must_use]
    pub fn galois(&self) -> &GaloisGroup {
        &self.0.galois
    }

    /// The exponent g of an action: X ↦ X^g.
    ///
    /// # Panics
    /// As [`GaloisGroup::exponent`].
    #[must_use]
    pub fn exponent(&self, action: GaloisAction) -> usize {
        self.0.galois.exponent(action)
    }

    /// The errors of keys and fresh ciphertexts.
    #[must_use]
    pub fn errors(&self) -> ErrorDistribution {
        self.0.errors
    }

    /// The errors of what has its messages in the high bits: the same without their factor.
    #[must_use]
    pub fn base_errors(&self) -> ErrorDistribution {
        ErrorDistribution { factor: 1, ..self.0.errors }
    }

    /// N.
    #[must_use]
    pub fn degree(&self) -> usize {
        self.0.ring.degree()
    }

    /// The slots of a ciphertext: N/2 complex ones.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.0.galois.slots()
    }

    /// L, the highest level.
    #[must_use]
    pub fn max_level(&self) -> usize {
        self.0.ring.limbs().chain - 1
    }

    /// q_ℓ.
    #[must_use]
    pub fn prime(&self, level: usize) -> f64 {
        self.0.ring.modulus(Limbs::chain(level + 1), level).value() as f64
    }

    /// The primes of level ℓ.
    #[must_use]
    pub fn limbs(&self, level: usize) -> Limbs {
        Limbs::chain(level + 1)
    }

    /// Refuses levels above L.
    ///
    /// # Errors
    /// [`KeyError::Parameter`].
    pub fn check_level(&self, level: usize) -> Result<(), KeyError> {
        check("level", level as u64, 0, self.max_level() as u64)
    }

    /// The primes of keys: the chain and the special ones.
    #[must_use]
    pub fn key_limbs(&self) -> Limbs {
        self.0.gadget.full(self.0.gadget.chain())
    }

    /// log2(QP) of the highest level with all special primes.
    #[must_use]
    pub fn log2_modulus(&self) -> f64 {
        self.0.ring.log2(self.key_limbs())
    }

    /// The most that u_j = |s(ζ_j)|²/h is at any root ζ_j of X^N + 1, h the mean of ‖s‖²: ln(N/2) + 1.6. Of random
    /// keys 82 % keep to it, since nearly P(u_j > u) = e^-u; the others are not used, which tells 0.3 bits about the
    /// key.
    #[must_use]
    pub fn max_slot_value(&self) -> f64 {
        Self::max_slot_value_of(self.degree())
    }

    /// The same of a degree.
    #[must_use]
    pub fn max_slot_value_of(degree: usize) -> f64 {
        (degree as f64 / 2.0).ln() + SLOT_VALUE_MARGIN
    }

    /// The distribution of the secret key.
    #[must_use]
    pub fn key_distribution(&self) -> KeyDistribution {
        self.0.key
    }

    /// The mean of ‖s‖²: h, or 2N/3 of a dense ternary key.
    #[must_use]
    pub fn mean_weight(&self) -> f64 {
        self.0.key.mean_weight(self.degree())
    }

    /// The distribution of the sparse key, which is used modulo q_0·p_0 only; none where nothing is raised.
    #[must_use]
    pub fn sparse_distribution(&self) -> Option<KeyDistribution> {
        self.0.sparse
    }

    /// Security of samples under the secret key modulo QP, of which `told` bits are known besides, and of
    /// those under the sparse key modulo q_0·p_0, if there is one.
    ///
    /// # Errors
    /// [`KeyError::Security`] where there are no data: toy degrees.
    pub fn security_with_told(&self, told: f64) -> Result<Vec<RnsSecurity>, KeyError> {
        let base = self.0.ring.log2(self.0.base_gadget.raised(1));
        let mut all = vec![rns(self.0.key, self.degree(), self.log2_modulus())?.with_told(told)];
        if let Some(sparse) = self.0.sparse {
            all.push(rns(sparse, self.degree(), base)?);
        }
        Ok(all)
    }
}

impl fmt::Debug for RlweParams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RlweParams(degree {}, {:?})", self.degree(), self.0.ring.limbs())
    }
}
