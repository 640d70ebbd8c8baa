//! CKKS on a toy ring: every operation against plain numbers, the maps of bootstrapping, errors.

use std::sync::Arc;

use bootes_lattice::rns::MaskStorage;
use bootes_lattice::security::{Target, rns_max_log2_modulus};
use bootes_ring::sample::SecretSeed;
use bootes_schemes::ckks::bootstrap::{TransformOptions, Transforms};
use bootes_schemes::ckks::{
    Bootstrap, BootstrapOptions, CkksCiphertext, CkksError, CkksLiteral, CkksParams, CkksSecretKey, Encoder, Evaluator,
    Exponential, KeyRequest, Precision,
};
use bootes_schemes::polyeval::{Basis, Circuit};
use bootes_testkit::{TestRng, seed_bytes};
use num_complex::Complex64;

fn toy(levels: usize) -> CkksParams {
    let literal = CkksLiteral {
        name: "toy_ckks".into(),
        log2_degree: 10,
        base_bits: 50,
        scale_bits: 42,
        levels,
        digit_primes: 4,
        special_primes: 4,
        weight: 64,
        sparse_weight: 32,
    };
    literal.try_build().unwrap()
}

struct Setting {
    secret: CkksSecretKey,
    encoder: Encoder,
    evaluator: Evaluator,
}

fn setting(params: &CkksParams, request: &KeyRequest) -> Setting {
    let secret = CkksSecretKey::derive(params, SecretSeed::from_bytes(seed_bytes("ckks", 0)));
    let keys = secret.evaluation_key(request, MaskStorage::Expanded, |_, _| ());
    assert_eq!(keys.bytes(), request.bytes(params, MaskStorage::Expanded));
    let evaluator = Evaluator::new(Arc::new(keys)).unwrap();
    Setting { encoder: Encoder::new(params.degree()).unwrap(), secret, evaluator }
}

impl Setting {
    fn encrypt(&self, values: &[Complex64], level: usize) -> CkksCiphertext {
        let seed = SecretSeed::from_bytes(seed_bytes("encryption", values.len() as u64));
        self.secret.encrypt(&self.encoder, values, level, &seed.fork_mask(1), &seed.fork(2)).unwrap()
    }

    /// The largest error.
    fn error(&self, ciphertext: &CkksCiphertext, expected: impl Iterator<Item = Complex64>) -> f64 {
        let expected: Vec<_> = expected.collect();
        let found = self.secret.decrypt(&self.encoder, ciphertext, expected.len()).unwrap();
        found.iter().zip(&expected).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
    }
}

fn values(rng: &mut TestRng, count: usize) -> Vec<Complex64> {
    (0..count).map(|_| Complex64::new(2.0 * rng.unit_f64() - 1.0, 2.0 * rng.unit_f64() - 1.0)).collect()
}

#[test]
fn operations_are_those_of_numbers() {
    let params = toy(6);
    let mut request = KeyRequest { relinearisation: Some(6), conjugation: Some(6), ..KeyRequest::default() };
    request.rotation(3, 6);
    request.rotation(params.slots() - 1, 4);
    let s = setting(&params, &request);
    let (e, mut rng) = (&s.evaluator, TestRng::new("ckks", 1));
    let n = params.slots();
    let (x, y) = (values(&mut rng, n), values(&mut rng, n));
    let (a, b) = (s.encrypt(&x, 6), s.encrypt(&y, 5));
    let tolerance = 1e-7;
    let check = |name: &str, found: Result<CkksCiphertext, CkksError>, f: &dyn Fn(usize) -> Complex64| {
        let found = found.unwrap();
        let error = s.error(&found, (0..n).map(f));
        assert!(error < tolerance, "{name}: {error}");
        found
    };
    let i = Complex64::I;
    check("add", e.add(&a, &b), &|j| x[j] + y[j]);
    check("sub", e.sub(&a, &b), &|j| x[j] - y[j]);
    check("neg", Ok(e.neg(&a)), &|j| -x[j]);
    check("add constant", Ok(e.add_constant(&a, 0.5 - 0.25 * i)), &|j| x[j] + 0.5 - 0.25 * i);
    check("add plain", e.add_plain(&a, &y), &|j| x[j] + y[j]);
    check("mul integer", Ok(e.mul_integer(&a, -2, 3)), &|j| x[j] * Complex64::new(-2.0, 3.0));
    check("mul constant", e.mul_constant(&a, 0.3 + 0.7 * i), &|j| x[j] * (0.3 + 0.7 * i));
    check("mul plain", e.mul_plain(&a, &y), &|j| x[j] * y[j]);
    let product = check("mul", e.mul(&a, &b), &|j| x[j] * y[j]);
    assert_eq!(product.level(), 4);
    assert!((product.scale() / params.scale(4) - 1.0).abs() < 1e-12);
    check("square", e.mul(&a, &a), &|j| x[j] * x[j]);
    check("sum of products", e.sum_of_products(&[(&a, &b), (&b, &b), (&product, &a)]), &|j| {
        x[j] * y[j] + y[j] * y[j] + x[j] * y[j] * x[j]
    });
    check("combination", e.combine(&[(&a, i), (&product, 2.0.into())], 0.5.into()), &|j| {
        x[j] * i + x[j] * y[j] * 2.0 + 0.5
    });
    check("rotate", e.rotate(&a, 3), &|j| x[(j + 3) % n]);
    check("rotate back", e.rotate(&product, -1), &|j| x[(j + n - 1) % n] * y[(j + n - 1) % n]);
    check("conjugate", e.conjugate(&a), &|j| x[j].conj());
    let dropped = e.drop_to(&a, 2).unwrap();
    assert_eq!(dropped.level(), 2);
    check("drop", Ok(dropped), &|j| x[j]);
    let few = values(&mut rng, 8);
    assert!(s.error(&s.encrypt(&few, 3), few.iter().copied()) < tolerance);

    // Public encryption.
    let public = s.secret.public_key();
    let message = bootes_schemes::ckks::ciphertext::encode(&s.encoder, &x, params.scale(3)).unwrap();
    let message = params.ring().from_integers(params.limbs(3), &message);
    let inner = public.encrypt(params.ring(), message, 3.19, &SecretSeed::from_bytes(seed_bytes("public", 0)));
    check("public", Ok(CkksCiphertext::new(inner, params.scale(3), s.secret.id())), &|j| x[j]);

    // What is refused.
    assert!(matches!(e.rotate(&a, 5), Err(CkksError::NoGaloisKey { rotation: Some(5) })));
    assert!(matches!(e.rotate(&a, -1), Err(CkksError::GaloisKeyLevel { rotation: Some(-1), max: 4, found: 6 })));
    assert!(matches!(e.rescale(&e.drop_to(&a, 0).unwrap()), Err(CkksError::Exhausted { needed: 1, found: 0, .. })));
    assert!(matches!(e.drop_to(&e.drop_to(&a, 2).unwrap(), 3), Err(CkksError::Exhausted { needed: 3, found: 2, .. })));
    assert!(matches!(e.mul(&a, &e.drop_to(&a, 0).unwrap()), Err(CkksError::Exhausted { needed: 1, found: 0, .. })));
    assert!(matches!(e.add(&a, &a.clone().with_scale(1e9)), Err(CkksError::Scales { .. })));
    assert!(matches!(e.raise(a.inner()), Err(CkksError::NoRaiseKeys)));
    let foreign = CkksSecretKey::derive(&params, SecretSeed::from_bytes(seed_bytes("ckks", 1)));
    assert!(matches!(foreign.decrypt(&s.encoder, &a, n), Err(CkksError::Foreign { .. })));
    let stranger = CkksCiphertext::new(a.inner().clone(), a.scale(), foreign.id());
    assert!(matches!(e.add(&a, &stranger), Err(CkksError::Foreign { .. })));
}

#[test]
fn polynomials_are_evaluated_to_the_last_level() {
    let params = toy(8);
    let s = setting(&params, &KeyRequest { relinearisation: Some(8), ..KeyRequest::default() });
    let mut rng = TestRng::new("ckks", 2);
    let n = params.slots();
    let x: Vec<Complex64> = (0..n).map(|_| (2.0 * rng.unit_f64() - 1.0).into()).collect();
    let a = s.encrypt(&x, 8);
    for (basis, degree) in [(Basis::Power, 3), (Basis::Power, 63), (Basis::Chebyshev, 31), (Basis::Chebyshev, 100)] {
        let size = 1.0 / (degree as f64).sqrt();
        let coefficients = [(); 2].map(|()| values(&mut rng, degree + 1).iter().map(|c| c * size).collect::<Vec<_>>());
        let circuit = Circuit::polynomials(basis, &coefficients);
        let found = s.evaluator.evaluate(&circuit, &a, |_, _| ()).unwrap();
        for (k, found) in found.iter().enumerate() {
            assert_eq!(found.level(), 8 - circuit.depth());
            let error = s.error(found, x.iter().map(|&x| circuit.eval(x)[k]));
            assert!(error < 1e-6, "{basis:?} of degree {degree}: {error}");
        }
    }
    let deep = Circuit::polynomials(Basis::Power, &[vec![Complex64::ONE; 512]]);
    assert!(matches!(
        s.evaluator.evaluate(&deep, &a, |_, _| ()),
        Err(CkksError::Exhausted { needed: 9, found: 8, .. })
    ));
}

/// Raises a ciphertext, takes its coefficients to the circle and back.
#[test]
fn raised_coefficients_come_back() {
    // One stage has diagonals of entries 2^-10 at the scale 2^30.
    for (stages_in, stages_out, tolerance) in [(1, 1, 1e-4), (3, 2, 1e-6), (2, 4, 1e-6), (4, 3, 1e-6)] {
        let exponential = Exponential::choose(16.0, -30.0).unwrap();
        let params = toy(stages_in + exponential.depth() + 1 + stages_out);
        let options = TransformOptions {
            bound: 16.0,
            to_slots: stages_in,
            to_coeffs: stages_out,
            output_level: 1,
            output_scale: params.scale(1),
        };
        let encoder = Encoder::new(params.degree()).unwrap();
        let maps = Transforms::new(&params, &encoder, options).unwrap();
        let mut request = KeyRequest { relinearisation: Some(params.max_level()), ..KeyRequest::default() };
        maps.request(&params, &mut request);
        let s = setting(&params, &request);
        assert_eq!(s.evaluator.params().limbs(0).chain, 1);
        // Coefficients q_0·y for random y, by encrypting their values.
        let mut rng = TestRng::new("ckks", 3);
        let y: Vec<f64> = (0..params.degree()).map(|_| rng.unit_f64() - 0.5).collect();
        let seed = SecretSeed::from_bytes(seed_bytes("raise", 0));
        let coefficients: Vec<f64> = y.iter().map(|y| (y * params.prime(0)).round()).collect();
        let message = params.ring().from_integers(params.limbs(0), &coefficients);
        let inner = bootes_lattice::rns::RnsCiphertext::encrypt(
            params.ring(),
            message,
            s.secret.key(),
            3.19,
            &seed.fork_mask(1),
            &seed.fork(2),
        );
        let raised = s.evaluator.raise(&inner).unwrap();
        let [low, high] = s.evaluator.coeffs_to_slots(&maps, raised).unwrap();
        let n = params.slots();
        let bits = n.ilog2();
        let reverse = |j: usize| j.reverse_bits() >> (usize::BITS - bits);
        for (part, slots) in [&low, &high].into_iter().enumerate() {
            let found = s.secret.decrypt(&s.encoder, slots, n).unwrap();
            for (j, z) in found.iter().enumerate() {
                let x = z.re * 16.0;
                let error = x - y[part * n + reverse(j)];
                assert!(x.abs() < 16.0 && z.im.abs() < tolerance, "slot {j} holds {z}");
                assert!((error - error.round()).abs() < tolerance, "slot {j} holds {x}");
            }
        }
        // The circle, and back: real parts of exp(2πix) as coefficients.
        let circuit = exponential.circuit();
        let circle = [low, high].map(|x| s.evaluator.evaluate(&circuit, &x, |_, _| ()).unwrap().remove(0));
        let joined = s.evaluator.join_real_parts(&circle[0], &circle[1]).unwrap();
        let back = s.evaluator.slots_to_coeffs(&maps, &joined).unwrap();
        assert_eq!(back.level(), 1);
        let phase = s.secret.key().phase(params.ring(), back.inner());
        let found = bootes_schemes::ckks::ciphertext::coefficients(&params, &phase);
        for (j, (&found, &y)) in found.iter().zip(&y).enumerate() {
            let expected = 2.0 * (std::f64::consts::TAU * y).cos();
            let error = found / params.scale(1) - expected;
            assert!(error.abs() < 40.0 * tolerance, "coefficient {j}: {found} for {expected}");
        }
    }
}

#[test]
fn bootstrapping_brings_values_back() {
    let options = BootstrapOptions {
        bound: 15.0,
        exponential_log2_error: -34.0,
        to_slots: 3,
        to_coeffs: 3,
        log2_message_ratio: 5,
        harmonics: 4,
    };
    let params = toy(20);
    let encoder = Encoder::new(params.degree()).unwrap();
    let bootstrap = Bootstrap::new(&params, &encoder, options.clone()).unwrap();
    assert_eq!(bootstrap.depth(), 17);
    let mut request = KeyRequest::default();
    bootstrap.request(&params, &mut request);
    let s = setting(&params, &request);
    let mut rng = TestRng::new("ckks", 4);
    // Random values, and equal ones, whose only coefficient is the largest there can be.
    for values in [values(&mut rng, params.slots()), vec![Complex64::ONE; params.slots()]] {
        let out = s.evaluator.bootstrap(&bootstrap, &s.encrypt(&values, 1), |_| ()).unwrap();
        assert_eq!((out.level(), out.scale()), (3, params.scale(3)));
        let found = s.secret.decrypt(&s.encoder, &out, values.len()).unwrap();
        let precision = Precision::of(&found, &values);
        println!("{precision:?}");
        assert!(precision.min > 13.0, "{precision:?}");
    }
    assert!(matches!(
        s.evaluator.bootstrap(&bootstrap, &s.encrypt(&[Complex64::ONE], 0), |_| ()),
        Err(CkksError::Exhausted { needed: 1, found: 0, .. })
    ));
    assert!(matches!(Bootstrap::new(&toy(17), &encoder, options), Err(CkksError::Parameter { min: 18, .. })));
}

/// Samples under the sparse key exist modulo q_0·p_0 only, within its limit; all others are under the secret key, within theirs.
#[test]
fn the_sparse_key_is_used_at_its_modulus_only() {
    for (log2_degree, levels, scale_bits, special_primes) in [(15, 12, 34, 4), (16, 22, 42, 7)] {
        let literal = CkksLiteral {
            name: "sparse".into(),
            log2_degree,
            base_bits: 50,
            scale_bits,
            levels,
            digit_primes: 7,
            special_primes,
            weight: 192,
            sparse_weight: 32,
        };
        let params = literal.try_build().unwrap();
        let base = params.base_gadget().raised(1);
        assert_eq!((base.chain, base.special), (1, 1));
        let max = rns_max_log2_modulus(params.sparse_distribution(), params.degree(), Target::Bits132).unwrap();
        assert!(params.ring().log2(base) <= f64::from(max));
        assert!(params.security().unwrap().iter().all(|security| security.reaches(Target::Bits132)));
    }
    // The keys themselves: of the two of encapsulation only the one to the sparse key is under it.
    let params = toy(3);
    let secret = CkksSecretKey::derive(&params, SecretSeed::from_bytes(seed_bytes("ckks", 0)));
    let request = KeyRequest { raise: true, relinearisation: Some(3), conjugation: Some(3), ..KeyRequest::default() };
    let keys = secret.evaluation_key(&request, MaskStorage::Seeded, |_, _| ());
    assert_eq!(keys.sparse_limbs(), Some(params.base_gadget().raised(1)));
    assert_eq!(keys.bytes(), request.bytes(&params, MaskStorage::Seeded));
}
