//! Functional bootstrapping with CKKS on toy rings: every input of every small table.

use std::sync::Arc;

use bootes_lattice::rns::{MaskStorage, RnsCiphertext};
use bootes_lut::Lut;
use bootes_lut::ckks::{BatchLiteral, BatchParams, FunctionalBootstrap, PreparedTables};
use bootes_ring::sample::SecretSeed;
use bootes_schemes::ckks::{CkksSecretKey, Encoder, Evaluator, ciphertext};
use bootes_testkit::{TestRng, seed_bytes};

fn toy(bits: u32, log2_degree: u32) -> BatchParams {
    let literal = BatchLiteral {
        name: "toy_batch".into(),
        bits,
        order: 1,
        log2_degree,
        base_bits: 50,
        scale_bits: 42,
        digit_primes: 8,
        special_primes: 7,
        weight: 192,
        sparse_weight: 32,
        bound: 15.0,
        exponential_log2_error: -30.0,
        to_slots: 3,
        to_coeffs: 3,
        spare_levels: 0,
        log2_modulus: 40,
    };
    literal.try_build().unwrap()
}

struct Setting {
    secret: CkksSecretKey,
    bootstrap: FunctionalBootstrap,
}

fn setting(params: &BatchParams) -> Setting {
    let secret = CkksSecretKey::derive(params.ckks(), SecretSeed::from_bytes(seed_bytes("batch", 0)));
    let encoder = Encoder::new(params.capacity()).unwrap();
    let request = params.request(&params.transforms(&encoder).unwrap());
    let keys = secret.evaluation_key(&request, MaskStorage::Expanded, |_, _| ());
    let bootstrap = FunctionalBootstrap::new(params, Evaluator::new(Arc::new(keys)).unwrap()).unwrap();
    Setting { secret, bootstrap }
}

impl Setting {
    fn encrypt(&self, values: &[u64], p: u64) -> RnsCiphertext {
        let params = self.bootstrap.params().ckks();
        let q = params.prime(0);
        let coefficients: Vec<f64> = values.iter().map(|&m| (q * m as f64 / p as f64).round()).collect();
        let message = params.ring().from_integers(params.limbs(0), &coefficients);
        let seed = SecretSeed::from_bytes(seed_bytes("batch encryption", p));
        RnsCiphertext::encrypt(params.ring(), message, self.secret.key(), 3.19, &seed.fork_mask(1), &seed.fork(2))
    }

    /// Messages, and the largest noise as a part of half their distance.
    fn decrypt(&self, x: &RnsCiphertext, p: u64) -> (Vec<u64>, f64) {
        let params = self.bootstrap.params().ckks();
        let phase = ciphertext::coefficients(params, &self.secret.key().phase(params.ring(), x));
        let scaled: Vec<f64> = phase.iter().map(|t| t / params.prime(0) * p as f64).collect();
        let noise = scaled.iter().map(|x| (x - x.round()).abs()).fold(0.0, f64::max);
        (scaled.iter().map(|x| (x.round() as i64).rem_euclid(p as i64) as u64).collect(), 2.0 * noise)
    }
}

#[test]
fn every_value_of_every_small_table_is_right() {
    let params = toy(6, 10);
    assert!(params.log2_overflow() < -64.0);
    let s = setting(&params);
    let mut rng = TestRng::new("batch", 1);
    for p in [2, 3, 4, 5, 8, 11, 16, 27, 32, 64] {
        let inputs: Vec<u64> = (0..params.capacity() as u64).map(|i| (i + i / p) % p).collect();
        // A random table, one onto a smaller modulus, and one onto a larger.
        let tables: Vec<Lut> =
            [p, 2, 100].iter().map(|&q| Lut::modular((0..p).map(|_| rng.below(q)).collect(), q).unwrap()).collect();
        let prepared = PreparedTables::new(&params, &tables).unwrap();
        let results = s.bootstrap.evaluate(&prepared, &s.encrypt(&inputs, p), |_| ()).unwrap();
        for (table, result) in tables.iter().zip(&results) {
            let (found, noise) = s.decrypt(result, table.out_modulus());
            let expected: Vec<u64> = inputs.iter().map(|&m| table.values()[m as usize]).collect();
            assert!(found == expected, "p = {p} to {}", table.out_modulus());
            println!("p = {p} to {}: noise {noise:.2e} of half the distance", table.out_modulus());
            assert!(noise < 0.05, "p = {p} to {}: noise {noise}", table.out_modulus());
        }
    }
}
