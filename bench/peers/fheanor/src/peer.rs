//! The peer: `ThinBootstrapper` of fheanor over Z[X]/(X^N + 1), with the digits of its keys as in its own benchmark.
use bootes_lattice::security::rns;
use bootes_ring::sample::KeyDistribution;
use feanor_math::homomorphism::Homomorphism;
use feanor_math::integer::{BigIntRing, int_cast};
use feanor_math::primitive_int::StaticRing;
use feanor_math::ring::{El, RingExtensionStore, RingStore};
use feanor_math::rings::extension::FreeAlgebraStore;
use feanor_math::rings::zn::ZnRingStore;
use feanor_math::seq::{VectorFn, VectorView};
use fheanor::bfv::bootstrap::{SparseKeyEncapsulationKey, ThinBootstrapper};
use fheanor::bfv::{BFVInstantiation, CiphertextRing, KeySwitchKey, PlaintextRing, Pow2BFV, RelinKey, SecretKey};
use fheanor::bgv::SecretKeyDistribution;
use fheanor::gadget_product::digits::RNSGadgetVectorDigitIndices;
use fheanor::number_ring::galois::GaloisGroupEl;

use crate::clock::{Times, time};
use crate::ours::{LOG2_DEGREE, MODULUS, SLOTS};

/// What a row gives the peer.
pub struct Case {
    pub name: &'static str,
    /// log2 Q is one of these 15 from here on.
    log2_q: usize,
    /// h of the secret key.
    pub weight: u32,
    /// h of the sparse key.
    pub sparse_weight: u32,
    /// What is to be removed is taken to be at most so large.
    pub bound: i64,
}

/// "257": all as in the library's benchmark of p^r = 257^2. "257-budget": a modulus that leaves about the budget that
/// ours leaves. "257-keys": the weights and the bound of ours, and about its budget.
pub const CASES: [Case; 3] = [
    Case { name: "257", log2_q: 805, weight: 128, sparse_weight: 32, bound: 6 },
    Case { name: "257-budget", log2_q: 590, weight: 128, sparse_weight: 32, bound: 6 },
    Case { name: "257-keys", log2_q: 660, weight: 256, sparse_weight: 40, bound: 20 },
];

impl Case {
    pub fn by_name(name: &str) -> Result<&'static Self, String> {
        let names = CASES.map(|case| case.name).join(", ");
        CASES.iter().find(|case| case.name == name).ok_or_else(|| format!("no row {name}: there are {names}"))
    }
}

/// Standard deviation of fresh noise.
const STD: f64 = 3.2;
/// Products with constants in a row, of each transform.
const TRANSFORM_LEVELS: usize = 4;
/// Digits of the relinearisation key.
const RELIN_DIGITS: usize = 5;
/// Primes of the modulus that the sparse key is used with.
const SPARSE_PRIMES: usize = 2;
/// Generates the units modulo p.
const GENERATOR: u64 = 3;

type Plaintext = El<PlaintextRing<Pow2BFV>>;

/// Rings and keys.
pub struct Peer {
    plaintexts: PlaintextRing<Pow2BFV>,
    ciphertexts: CiphertextRing<Pow2BFV>,
    products: CiphertextRing<Pow2BFV>,
    bootstrapper: ThinBootstrapper<Pow2BFV>,
    secret: SecretKey<Pow2BFV>,
    galois: Vec<(GaloisGroupEl, KeySwitchKey<Pow2BFV>)>,
    relin: RelinKey<Pow2BFV>,
    sparse: SparseKeyEncapsulationKey<Pow2BFV>,
    weights: [u32; 2],
    pub log2_q: f64,
}

/// One bootstrapping.
pub struct Run {
    /// Seconds.
    pub times: Times,
    /// Wrong slots.
    pub wrong: usize,
    /// Bits that the result has left, measured.
    pub budget: usize,
}

impl Peer {
    pub fn new(case: &Case, cache: &str) -> Result<Self, String> {
        std::fs::create_dir_all(cache).map_err(|e| format!("{cache}: {e}"))?;
        let scheme = Pow2BFV::new(2 << LOG2_DEGREE);
        let plaintexts =
            scheme.create_plaintext_ring(int_cast(MODULUS as i64, BigIntRing::RING, StaticRing::<i64>::RING));
        let (ciphertexts, products) = scheme.create_ciphertext_rings(case.log2_q..case.log2_q + 15);
        let primes = ciphertexts.base_ring().len();
        let digits = RNSGadgetVectorDigitIndices::select_digits(primes.div_ceil(2), primes);
        let relin_digits = RNSGadgetVectorDigitIndices::select_digits(RELIN_DIGITS, primes);
        let bootstrapper = ThinBootstrapper::build_pow2(
            &scheme,
            &plaintexts,
            &ciphertexts,
            1,
            Some(case.bound),
            TRANSFORM_LEVELS,
            &digits,
            Some(cache),
        );
        let mut random = rand::rng();
        let weight = SecretKeyDistribution::SparseWithHwt(case.weight as usize);
        let secret = Pow2BFV::gen_sk(&ciphertexts, &mut random, weight);
        let elements = bootstrapper.required_galois_keys(&plaintexts);
        let galois = Pow2BFV::gen_gks(&ciphertexts, &mut random, &secret, elements, &digits, STD);
        let relin = Pow2BFV::gen_rk(&ciphertexts, &mut random, &secret, &relin_digits, STD);
        let sparse = SparseKeyEncapsulationKey::new(
            bootstrapper.intermediate_plaintext_ring(),
            &ciphertexts,
            &secret,
            SPARSE_PRIMES,
            case.sparse_weight as usize,
            &mut random,
            STD,
        );
        let log2_q = log2(&ciphertexts);
        let weights = [case.weight, case.sparse_weight];
        Ok(Self { plaintexts, ciphertexts, products, bootstrapper, secret, galois, relin, sparse, weights, log2_q })
    }

    /// Encrypts, bootstraps and checks `values`.
    pub fn run(&self, values: &[u64]) -> Run {
        let (plaintexts, ciphertexts) = (&self.plaintexts, &self.ciphertexts);
        let input = Pow2BFV::enc_sym(plaintexts, ciphertexts, rand::rng(), &self.encode(values), &self.secret, STD);
        let (output, times) = time(|| {
            let sparse = Some(&self.sparse);
            self.bootstrapper.bootstrap_thin(
                ciphertexts,
                &self.products,
                input,
                &self.relin,
                &self.galois,
                sparse,
                None,
            )
        });
        let budget = Pow2BFV::noise_budget(plaintexts, ciphertexts, &output, &self.secret);
        let found = Pow2BFV::dec(plaintexts, ciphertexts, output, &self.secret);
        Run { times, wrong: self.wrong(&found, values), budget }
    }

    /// The polynomial in Y = X^(N/128) that is v_i at Y = g^(2i+1): slot i is an integer, which is thin packing.
    fn encode(&self, values: &[u64]) -> Plaintext {
        let inverse = power(SLOTS as u64, MODULUS - 2);
        let coefficient = |j: usize| {
            let terms = values.iter().enumerate().map(|(i, value)| value * power(root(i), MODULUS - 1 - j as u64));
            inverse * (terms.sum::<u64>() % MODULUS) % MODULUS
        };
        let step = (1 << LOG2_DEGREE) / SLOTS;
        let to_ring = self.plaintexts.base_ring().int_hom();
        self.plaintexts.from_canonical_basis(
            (0..1 << LOG2_DEGREE)
                .map(|k: usize| to_ring.map(if k.is_multiple_of(step) { coefficient(k / step) as i32 } else { 0 })),
        )
    }

    /// How many slots are not `values`. All are counted where the plaintext has other powers of X than those of Y.
    fn wrong(&self, found: &Plaintext, values: &[u64]) -> usize {
        let step = (1 << LOG2_DEGREE) / SLOTS;
        let (ring, coefficients) = (self.plaintexts.base_ring(), self.plaintexts.wrt_canonical_basis(found));
        let all: Vec<u64> = coefficients.iter().map(|c| ring.smallest_positive_lift(c) as u64).collect();
        if all.iter().enumerate().any(|(k, &c)| c != 0 && !k.is_multiple_of(step)) {
            return SLOTS;
        }
        let powers: Vec<u64> = all.into_iter().step_by(step).collect();
        let slot = |i| powers.iter().rev().fold(0, |sum, c| (sum * root(i) + c) % MODULUS);
        values.iter().enumerate().filter(|&(i, &value)| slot(i) != value).count()
    }

    /// Bits of security by the estimator of ours, of both keys: the library tells none. It has no special primes, so
    /// samples under the secret key are modulo Q.
    pub fn security_bits(&self) -> Result<f64, String> {
        let moduli = [self.log2_q, log2(&self.sparse.C_sparse_sk)];
        let bits = self.weights.iter().zip(moduli).map(|(&weight, log2_modulus)| {
            rns(KeyDistribution::SparseTernary { weight }, 1 << LOG2_DEGREE, log2_modulus)
                .map(|estimate| estimate.bits())
                .map_err(|e| e.to_string())
        });
        bits.collect::<Result<Vec<_>, _>>().map(|bits| bits.into_iter().fold(f64::INFINITY, f64::min))
    }
}

/// log2 of the modulus.
fn log2(ring: &CiphertextRing<Pow2BFV>) -> f64 {
    ring.base_ring().as_iter().map(|prime| (*prime.modulus() as f64).log2()).sum()
}

/// The root of Y^128 + 1 of slot i.
fn root(i: usize) -> u64 {
    power(GENERATOR, 2 * i as u64 + 1)
}

/// b^e modulo p.
fn power(b: u64, e: u64) -> u64 {
    (0..e).fold(1, |product, _| product * b % MODULUS)
}
