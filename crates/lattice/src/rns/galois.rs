//! Automorphisms of ciphertexts: X ↦ X^g, among them rotations of slots and complex conjugation.
use std::collections::BTreeMap;

use bootes_ring::ntt::Automorphism;
use bootes_ring::poly::{Eval, Limbs, Poly};
use bootes_ring::rns::RnsRing;
use bootes_ring::sample::{MaskSeed, SecretSeed};
use bootes_ring::secret::Secret;

use super::{ErrorDistribution, HybridGadget, MaskStorage, RnsCiphertext, RnsDigits, RnsSecretKey, SwitchKey};

/// The key of φ: X ↦ X^g.
///
/// It switches from s to φ^-1(s), so that digits are used as they are: (b, 0) + Σ_j d_j·row_j is a ciphertext under
/// φ^-1(s), and φ of it one under s. One decomposition serves all automorphisms of a ciphertext.
#[derive(Clone, Debug)]
pub struct GaloisKey {
    automorphism: Automorphism,
    key: SwitchKey,
}

impl GaloisKey {
    /// The key of X ↦ X^g, g = `exponent` odd, for ciphertexts modulo the first `chain` primes at most.
    #[must_use]
    #[expect(clippy::too_many_arguments, reason = "the automorphism, where it is used, and what encryption needs")]
    pub fn generate(
        ring: &RnsRing,
        gadget: &HybridGadget,
        chain: usize,
        exponent: usize,
        key: &RnsSecretKey,
        errors: ErrorDistribution,
        seed: MaskSeed,
        noise_seed: &SecretSeed,
    ) -> Self {
        let inverse = Automorphism::new(ring.degree(), inverse_exponent(ring.degree(), exponent));
        let secret = key.expose_values();
        let target = Secret::new(ring.automorphism(secret, &inverse));
        let key = SwitchKey::generate(ring, gadget, chain, secret, &target, errors, seed, noise_seed);
        Self { automorphism: Automorphism::new(ring.degree(), exponent), key }
    }

    /// g.
    #[must_use]
    pub fn exponent(&self) -> usize {
        self.automorphism.exponent()
    }

    /// The switching key.
    #[must_use]
    pub fn switch_key(&self) -> &SwitchKey {
        &self.key
    }

    /// A key from what was stored.
    #[must_use]
    pub fn from_parts(degree: usize, exponent: usize, key: SwitchKey) -> Self {
        Self { automorphism: Automorphism::new(degree, exponent), key }
    }

    /// Keeps or drops the masks.
    #[must_use]
    pub fn with_masks(self, ring: &RnsRing, storage: MaskStorage) -> Self {
        Self { key: self.key.with_masks(ring, storage), ..self }
    }

    /// φ of a polynomial.
    #[must_use]
    pub fn permute(&self, ring: &RnsRing, x: &Poly<Eval>) -> Poly<Eval> {
        ring.automorphism(x, &self.automorphism)
    }

    /// φ of a ciphertext.
    #[must_use]
    pub fn apply(&self, ring: &RnsRing, gadget: &HybridGadget, x: &RnsCiphertext) -> RnsCiphertext {
        self.apply_hoisted(ring, gadget, &x.b, &gadget.decompose(ring, &x.a))
    }

    /// φ of a ciphertext with the body `b` and the mask of the given digits.
    #[must_use]
    pub fn apply_hoisted(
        &self,
        ring: &RnsRing,
        gadget: &HybridGadget,
        b: &Poly<Eval>,
        digits: &RnsDigits<'_>,
    ) -> RnsCiphertext {
        let mut switched = self.key.switch_and_sum(ring, gadget, digits, [None, None], false);
        ring.add_assign(&mut switched.b, b);
        switched.map(|x| self.permute(ring, x))
    }

    /// Limb `i` of `limbs` of P·φ of a ciphertext modulo Q·P, not yet divided: sums of these are divided once (*double
    /// hoisting*). `digits` are the values there of the mask's digits, `add_body` adds P times the body. `scratch` is
    /// as large as `out`.
    #[expect(clippy::too_many_arguments, reason = "a ciphertext in two parts, one of its limbs, and memory")]
    pub fn raised_limb(
        &self,
        ring: &RnsRing,
        limbs: Limbs,
        add_body: impl FnOnce(&mut [f64]),
        digits: &[&[f64]],
        i: usize,
        out: [&mut [f64]; 2],
        [scratch_b, scratch_a]: [&mut [f64]; 2],
    ) {
        self.key.product_limb(ring, limbs, digits, i, [&mut *scratch_b, &mut *scratch_a]);
        add_body(scratch_b);
        let [out_b, out_a] = out;
        self.automorphism.apply_into(out_b, scratch_b);
        self.automorphism.apply_into(out_a, scratch_a);
    }
}

/// g^-1 modulo 2N.
fn inverse_exponent(degree: usize, exponent: usize) -> usize {
    // The group of units modulo 2N has an exponent that divides N/2.
    power(exponent, degree / 2 - 1, 2 * degree)
}

/// The exponent 5^r of the rotation of slots by r to the left, r modulo N/2.
#[must_use]
pub fn rotation_exponent(degree: usize, rotation: i64) -> usize {
    power(5, rotation.rem_euclid(degree as i64 / 2) as usize, 2 * degree)
}

/// x^n modulo `modulus` < 2^32.
#[must_use]
pub fn power(mut x: usize, mut n: usize, modulus: usize) -> usize {
    let mut power = 1;
    while n > 0 {
        if n % 2 == 1 {
            power = power * x % modulus;
        }
        x = x * x % modulus;
        n /= 2;
    }
    power
}

/// Galois keys by exponent.
#[derive(Clone, Debug, Default)]
pub struct GaloisKeys(pub(super) BTreeMap<usize, GaloisKey>);

impl GaloisKeys {
    /// Adds a key, in place of one with the same exponent.
    pub fn insert(&mut self, key: GaloisKey) {
        self.0.insert(key.exponent(), key);
    }

    /// The key of X ↦ X^g, if there is one.
    #[must_use]
    pub fn get(&self, exponent: usize) -> Option<&GaloisKey> {
        self.0.get(&exponent)
    }

    /// Keeps or drops the masks of all keys.
    #[must_use]
    pub fn with_masks(self, ring: &RnsRing, storage: MaskStorage) -> Self {
        Self(self.0.into_iter().map(|(exponent, key)| (exponent, key.with_masks(ring, storage))).collect())
    }

    /// All keys, by exponent.
    pub fn iter(&self) -> impl Iterator<Item = &GaloisKey> {
        self.0.values()
    }

    /// The bytes in memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.iter().map(|key| key.switch_key().bytes()).sum()
    }
}
