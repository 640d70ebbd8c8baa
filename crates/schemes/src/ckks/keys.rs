//! Secret keys and the evaluation key.
use std::collections::BTreeMap;
use std::fmt;

use bootes_lattice::rns::galois::rotation_exponent;
use bootes_lattice::rns::keyswitch::relinearisation_key;
use bootes_lattice::rns::{GaloisKey, GaloisKeys, HybridGadget, MaskStorage, RnsPublicKey, RnsSecretKey, SwitchKey};
use bootes_ring::poly::Limbs;
use bootes_ring::sample::{MaskSeed, SecretSeed};

use super::params::{CkksParams, NOISE_STD};

/// What each seed derived from the root is for. The values are part of the file format.
#[derive(Clone, Copy)]
#[repr(u64)]
enum Purpose {
    Key = 1,
    SparseKey = 2,
    Identity = 3,
    Relinearisation = 4,
    // One index an exponent.
    Galois = 5,
    ToSparse = 6,
    FromSparse = 7,
    Public = 8,
}

/// The secret keys: s, and the sparse key of encapsulation, both from one 32-byte seed.
pub struct CkksSecretKey {
    params: CkksParams,
    root: SecretSeed,
    key: RnsSecretKey,
    sparse: RnsSecretKey,
}

/// What an evaluation key is to hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyRequest {
    /// The highest level of products, if there are any.
    pub relinearisation: Option<usize>,
    /// The highest level of complex conjugation, if it is needed.
    pub conjugation: Option<usize>,
    /// For each rotation of slots to the left, 0 < r < N/2, its highest level.
    pub rotations: BTreeMap<usize, usize>,
    /// Whether ciphertexts are raised under the sparse key.
    pub raise: bool,
}

impl KeyRequest {
    /// Adds a rotation for levels up to `level`.
    pub fn rotation(&mut self, rotation: usize, level: usize) {
        let most = self.rotations.entry(rotation).or_default();
        *most = level.max(*most);
    }

    /// The keys, by exponent of their automorphism and highest level.
    fn exponents(&self, degree: usize) -> impl Iterator<Item = (usize, usize)> {
        let rotations = self.rotations.iter().map(move |(&r, &level)| (rotation_exponent(degree, r as i64), level));
        rotations.chain(self.conjugation.map(|level| (2 * degree - 1, level)))
    }

    /// The bytes of the key in memory.
    #[must_use]
    pub fn bytes(&self, params: &CkksParams, storage: MaskStorage) -> usize {
        let bytes = |gadget: &HybridGadget, level: usize| {
            let halves = if storage == MaskStorage::Expanded { 2 } else { 1 };
            gadget.digits(level + 1) * params.ring().packed_bytes(gadget.full(level + 1)) * halves
        };
        let full = |level| bytes(params.gadget(), level);
        let galois: usize = self.exponents(params.degree()).map(|(_, level)| full(level)).sum();
        let raise = if self.raise { full(params.max_level()) + bytes(params.base_gadget(), 0) } else { 0 };
        galois + raise + self.relinearisation.map_or(0, full)
    }
}

impl CkksSecretKey {
    /// Derives the keys from `root`.
    #[must_use]
    pub fn derive(params: &CkksParams, root: SecretSeed) -> Self {
        let generate = |purpose: Purpose, distribution| {
            RnsSecretKey::generate(params.ring(), params.ring().limbs(), &root.fork(purpose as u64), distribution)
        };
        let key = generate(Purpose::Key, params.key_distribution());
        let sparse = generate(Purpose::SparseKey, params.sparse_distribution());
        Self { params: params.clone(), root, key, sparse }
    }

    /// The parameters.
    #[must_use]
    pub fn params(&self) -> &CkksParams {
        &self.params
    }

    /// s.
    #[must_use]
    pub fn key(&self) -> &RnsSecretKey {
        &self.key
    }

    /// The seed that everything is derived from.
    #[must_use]
    pub fn root(&self) -> &SecretSeed {
        &self.root
    }

    /// What identifies the key in ciphertexts and evaluation keys; public.
    #[must_use]
    pub fn id(&self) -> [u8; 16] {
        let seed = self.root.fork_mask(Purpose::Identity as u64).to_bytes();
        std::array::from_fn(|i| seed[i])
    }

    fn seeds(&self, purpose: Purpose, index: usize) -> (MaskSeed, SecretSeed) {
        let (domain, index) = (purpose as u64, index as u64);
        (self.root.fork_mask_indexed(domain, index), self.root.fork_indexed(domain, index))
    }

    /// The public key, modulo all primes of the chain.
    #[must_use]
    pub fn public_key(&self) -> CkksPublicKey {
        let (mask, noise) = self.seeds(Purpose::Public, 0);
        let limbs = self.params.limbs(self.params.max_level());
        let key = RnsPublicKey::generate(self.params.ring(), limbs, &self.key, NOISE_STD, &mask, &noise);
        CkksPublicKey { params: self.params.clone(), id: self.id(), key }
    }

    /// Generates an evaluation key. `progress` hears after each key how many of how many are made.
    #[must_use]
    pub fn evaluation_key(
        &self,
        request: &KeyRequest,
        storage: MaskStorage,
        mut progress: impl FnMut(usize, usize),
    ) -> CkksEvaluationKey {
        let (params, ring, gadget) = (&self.params, self.params.ring(), self.params.gadget());
        let exponents: Vec<_> = request.exponents(params.degree()).collect();
        let total = exponents.len() + usize::from(request.relinearisation.is_some()) + usize::from(request.raise);
        let mut done = 0;
        let mut step = || {
            done += 1;
            progress(done, total);
        };
        let relinearisation = request.relinearisation.map(|level| {
            let (mask, noise) = self.seeds(Purpose::Relinearisation, 0);
            let key = relinearisation_key(ring, gadget, level + 1, &self.key, NOISE_STD, mask, &noise);
            step();
            key.with_masks(ring, storage)
        });
        let mut galois = GaloisKeys::default();
        for (exponent, level) in exponents {
            let (mask, noise) = self.seeds(Purpose::Galois, exponent);
            let key = GaloisKey::generate(ring, gadget, level + 1, exponent, &self.key, NOISE_STD, mask, &noise);
            galois.insert(key.with_masks(ring, storage));
            step();
        }
        let raise = request.raise.then(|| {
            let (dense, sparse) = (self.key.expose_values(), self.sparse.expose_values());
            let (mask, noise) = self.seeds(Purpose::ToSparse, 0);
            // Under the sparse key: modulo q_0·p_0 only.
            let base = params.base_gadget();
            let to_sparse = SwitchKey::generate(ring, base, 1, dense, sparse, NOISE_STD, mask, &noise);
            let (mask, noise) = self.seeds(Purpose::FromSparse, 0);
            let chain = params.max_level() + 1;
            let from_sparse = SwitchKey::generate(ring, gadget, chain, sparse, dense, NOISE_STD, mask, &noise);
            step();
            RaiseKeys {
                to_sparse: to_sparse.with_masks(ring, storage),
                from_sparse: from_sparse.with_masks(ring, storage),
            }
        });
        CkksEvaluationKey { params: params.clone(), id: self.id(), relinearisation, galois, raise }
    }
}

impl fmt::Debug for CkksSecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CkksSecretKey").field("params", &self.params.name()).finish_non_exhaustive()
    }
}

/// The key that anyone can encrypt with.
#[derive(Debug, Clone)]
pub struct CkksPublicKey {
    pub(super) params: CkksParams,
    pub(super) id: [u8; 16],
    pub(super) key: RnsPublicKey,
}

/// The keys of sparse-secret encapsulation (Bossuat, Troncoso-Pastoriza, Hubaux: *Bootstrapping for Approximate Homomorphic Encryption
/// with Negligible Failure-Probability*, 2022).
#[derive(Debug)]
pub struct RaiseKeys {
    /// From s to the sparse key, modulo q_0·p_0: the only samples under the sparse key.
    pub to_sparse: SwitchKey,
    /// From the sparse key to s, modulo QP.
    pub from_sparse: SwitchKey,
}

/// The public key of evaluation.
#[derive(Debug)]
pub struct CkksEvaluationKey {
    pub(super) params: CkksParams,
    pub(super) id: [u8; 16],
    pub(super) relinearisation: Option<SwitchKey>,
    pub(super) galois: GaloisKeys,
    pub(super) raise: Option<RaiseKeys>,
}

impl CkksEvaluationKey {
    /// The parameters.
    #[must_use]
    pub fn params(&self) -> &CkksParams {
        &self.params
    }

    /// The identity of the secret key.
    #[must_use]
    pub fn id(&self) -> [u8; 16] {
        self.id
    }

    /// The bytes in memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let raise = self.raise.iter().map(|keys| keys.to_sparse.bytes() + keys.from_sparse.bytes()).sum::<usize>();
        self.relinearisation.as_ref().map_or(0, SwitchKey::bytes) + self.galois.bytes() + raise
    }

    /// The primes of the samples under the sparse key, if there are any.
    #[must_use]
    pub fn sparse_limbs(&self) -> Option<Limbs> {
        self.raise.as_ref().map(|keys| keys.to_sparse.limbs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ckks::CkksLiteral;
    use bootes_ring::poly::{Eval, Poly};
    use bootes_testkit::seed_bytes;

    /// Every key decrypts under the secret key that it is said to be under: the one to the sparse key alone under that, modulo q_0·p_0.
    #[test]
    fn all_keys_but_one_are_under_the_secret_key() {
        let params = CkksLiteral::named("toy_bootstrap").unwrap().try_build().unwrap();
        let (ring, top) = (params.ring(), params.max_level());
        let secret = CkksSecretKey::derive(&params, SecretSeed::from_bytes(seed_bytes("keys", 0)));
        let mut request =
            KeyRequest { relinearisation: Some(top), conjugation: Some(top), raise: true, ..KeyRequest::default() };
        request.rotation(7, top);
        let keys = secret.evaluation_key(&request, MaskStorage::Expanded, |_, _| ());
        let (s, sparse) = (secret.key.expose_values(), secret.sparse.expose_values());
        let mut square = s.clone();
        ring.mul_assign(&mut square, s);
        let raise = keys.raise.as_ref().unwrap();
        // Galois keys are under φ^-1(s), of the same weight.
        let inverse = |key: &GaloisKey| {
            let exponent = (1..2 * ring.degree()).step_by(2).find(|g| g * key.exponent() % (2 * ring.degree()) == 1);
            ring.automorphism(s, &bootes_ring::ntt::Automorphism::new(ring.degree(), exponent.unwrap()))
        };
        let mut all = vec![
            (keys.relinearisation.as_ref().unwrap(), params.gadget(), &square, s.clone()),
            (&raise.from_sparse, params.gadget(), sparse, s.clone()),
            (&raise.to_sparse, params.base_gadget(), s, sparse.clone()),
        ];
        all.extend(keys.galois.iter().map(|key| (key.switch_key(), params.gadget(), s, inverse(key))));
        assert_eq!(all.len(), 5);
        for (i, (key, gadget, from, to)) in all.into_iter().enumerate() {
            let limbs = Limbs::chain(key.limbs().chain);
            assert_eq!(key.limbs(), gadget.full(if i == 2 { 1 } else { top + 1 }), "key {i}");
            let x = ring.uniform(limbs, &secret.root.fork_mask(99), 0);
            let switched = key.switch(ring, gadget, &x);
            // b + a·s − x·s'.
            let product = |x: &Poly<Eval>, y: &Poly<Eval>| {
                let mut product = x.clone();
                ring.mul_assign(&mut product, &y.restricted(limbs));
                product
            };
            let mut noise = switched.b.clone();
            ring.add_assign(&mut noise, &product(&switched.a, &to));
            ring.sub_assign(&mut noise, &product(&x, from));
            let noise = crate::ckks::ciphertext::coefficients(&params, &ring.backward(noise));
            let largest = noise.iter().fold(0.0, |max: f64, x| max.max(x.abs()));
            assert!(largest < 1e4, "key {i}: noise of {largest:e}");
        }
    }
}
