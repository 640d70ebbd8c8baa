//! Ours: the set and the steps of row 257 of `bfv-table5`.
use std::sync::Arc;

use bootes_lattice::rns::MaskStorage;
use bootes_lut::bfv::{DigitMethod, DigitRemoval, SlimBootstrap};
use bootes_ring::sample::SecretSeed;
use bootes_schemes::class::SetClass;
use bootes_schemes::bfv::{Evaluator, BfvLiteral, BfvParams, BfvSecretKey, BfvSlots, KeyRequest, Scheme};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::clock::{Times, time};

/// p.
pub const MODULUS: u64 = 257;
/// log2 N.
pub const LOG2_DEGREE: u32 = 15;
/// 2·128 divides p − 1 and 2·256 does not: X^N + 1 has 128 factors modulo p.
pub const SLOTS: usize = 128;
/// h of the secret key.
pub const WEIGHT: u32 = 256;
/// h of the sparse key.
pub const SPARSE_WEIGHT: u32 = 40;
/// What is to be removed is at most so large, always: half the weight of the sparse key.
pub const BOUND: u64 = SPARSE_WEIGHT as u64 / 2;
/// Of each transform.
const STAGES: usize = 1;

/// Keys and plan.
pub struct Ours {
    pool: ThreadPool,
    params: BfvParams,
    slots: BfvSlots,
    slim: SlimBootstrap,
    secret: BfvSecretKey,
    evaluator: Evaluator,
    budget_bits: f64,
}

impl Ours {
    pub fn new() -> Result<Self, String> {
        let message = |e: &dyn std::fmt::Display| format!("ours: {e}");
        let pool = ThreadPoolBuilder::new().num_threads(1).build().map_err(|e| message(&e))?;
        let literal = BfvLiteral {
            name: "slim_257_1_15".into(),
            class: SetClass::Secure,
            log2_degree: LOG2_DEGREE,
            base: MODULUS,
            exponent: 2,
            base_bits: 50,
            prime_bits: 33,
            levels: 15,
            digit_primes: 4,
            special_primes: 3,
            special_bits: 45,
            weight: WEIGHT,
            sparse_weight: SPARSE_WEIGHT,
        };
        let params = literal.try_build().map_err(|e| message(&e))?;
        let method = DigitMethod::BoundedRange { bound: BOUND };
        let removal = DigitRemoval { p: MODULUS, e: 2, v: 1, method }.circuit();
        let slim = SlimBootstrap::new(1, &params, [1, 2], STAGES, removal, BOUND as f64).map_err(|e| message(&e))?;
        let slots = BfvSlots::new(&params, 1).map_err(|e| message(&e))?;
        let secret = BfvSecretKey::derive(&params, &SecretSeed::from_bytes(&[1; 32]));
        let mut request = KeyRequest::default();
        slim.request(&mut request);
        let key = pool.install(|| secret.evaluation_key(&request, MaskStorage::Expanded, |_, _| ()));
        let evaluator = Evaluator::new(Arc::new(key.map_err(|e| message(&e))?));
        let mut ours = Self { pool, params, slots, slim, secret, evaluator, budget_bits: f64::NAN };
        ours.budget_bits = ours.bootstrap(&[0; SLOTS])?.1;
        Ok(ours)
    }

    /// Seconds of one bootstrapping, whose slots must be right.
    pub fn run(&self, values: &[u64]) -> Result<Times, String> {
        self.bootstrap(values).map(|(times, _)| times)
    }

    /// Seconds, and the bits that the result has left at worst.
    fn bootstrap(&self, values: &[u64]) -> Result<(Times, f64), String> {
        let message = |e: &dyn std::fmt::Display| format!("ours: {e}");
        let signed: Vec<i64> = values.iter().map(|&value| value as i64).collect();
        let plaintext = self.slots.encode(&signed).map_err(|e| message(&e))?;
        self.pool.install(|| {
            let input = self.secret.encrypt(&plaintext, Scheme::Bfv, 1, STAGES).map_err(|e| message(&e))?;
            let (output, times) = time(|| self.slim.bootstrap(&self.evaluator, &input));
            let output = output.map_err(|e| message(&e))?;
            let decrypted = self.secret.decrypt(&output).map_err(|e| message(&e))?;
            let found = self.slots.decode(&decrypted).map_err(|e| message(&e))?;
            match found.iter().zip(values).position(|(found, right)| found != right) {
                Some(slot) => Err(format!("ours: slot {slot} is {}, expected {}", found[slot], values[slot])),
                None => Ok((times, output.budget(&self.params).worst)),
            }
        })
    }

    pub fn log2_q(&self) -> f64 {
        self.params.log2_level(self.params.max_level())
    }

    pub fn log2_qp(&self) -> f64 {
        self.params.log2_modulus()
    }

    pub fn security_bits(&self) -> Option<f64> {
        self.params.security_bits()
    }

    /// What a result has left at worst, by the prediction.
    pub fn budget_bits(&self) -> f64 {
        self.budget_bits
    }
}
