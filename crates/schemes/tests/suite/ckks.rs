//! CKKS on a toy ring: every operation against plain numbers, the maps of bootstrapping, errors.

use std::sync::Arc;

use bootes_lattice::rns::MaskStorage;
use bootes_lattice::security::{Target, rns_max_log2_modulus};
use bootes_ring::sample::SecretSeed;
use bootes_schemes::ckks::bootstrap::{TransformOptions, Transforms};
use bootes_schemes::ckks::linear::LinearMap;
use bootes_schemes::ckks::{
    Bootstrap, BootstrapOptions, BootstrapSet, CkksCiphertext, CkksError, CkksLiteral, CkksParams, CkksSecretKey,
    Encoder, Evaluator, Exponential, KeyRequest, Precision,
};
use bootes_schemes::class::SetClass;
use bootes_schemes::lintrans::Diagonals;
use bootes_schemes::polyeval::{ArithmeticCircuit, Gate, Minus, PolynomialBasis};
use bootes_schemes::rlwe::{GaloisAction, KeyError};
use bootes_testkit::{TestRng, seed_bytes};
use num_complex::Complex64;

fn toy(levels: usize) -> CkksParams {
    let literal = CkksLiteral {
        name: "toy_ckks".into(),
        class: SetClass::Toy,
        log2_degree: 10,
        base_bits: 50,
        scale_bits: 42,
        levels,
        digit_primes: 4,
        special_primes: 4,
        weight: 64,
        sparse_weight: 40,
    };
    literal.try_build().unwrap()
}

struct Setting {
    secret: CkksSecretKey,
    encoder: Encoder,
    evaluator: Evaluator,
}

fn setting(params: &CkksParams, request: &KeyRequest) -> Setting {
    let secret = CkksSecretKey::derive(params, &SecretSeed::from_bytes(&seed_bytes("ckks", 0)));
    let keys = secret.evaluation_key_with_randomness_for_tests(request, MaskStorage::Expanded, &[7; 32]);
    assert_eq!(keys.bytes(), request.bytes(params, MaskStorage::Expanded));
    let evaluator = Evaluator::new(Arc::new(keys)).unwrap();
    Setting { encoder: Encoder::new(params.degree()).unwrap(), secret, evaluator }
}

impl Setting {
    fn encrypt(&self, values: &[Complex64], level: usize) -> CkksCiphertext {
        let seed = SecretSeed::from_bytes(&seed_bytes("encryption", values.len() as u64));
        self.secret.encrypt_with_randomness_for_tests(&self.encoder, values, level, &seed).unwrap()
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
    let mut request = KeyRequest { relinearisation: Some(6), ..KeyRequest::default() };
    request.action(GaloisAction::Conjugation, 6);
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
    check("neg", e.neg(&a), &|j| -x[j]);
    check("add constant", e.add_constant(&a, 0.5 - 0.25 * i), &|j| x[j] + 0.5 - 0.25 * i);
    check("add plain", e.add_plain(&a, &y), &|j| x[j] + y[j]);
    check("mul integer", e.mul_integer(&a, -2, 3), &|j| x[j] * Complex64::new(-2.0, 3.0));
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
    let (key, seed) = (s.secret.public_key().unwrap(), SecretSeed::from_bytes(&seed_bytes("public", 0)));
    check("public", key.encrypt(&s.encoder, &x, 3), &|j| x[j]);
    let public = key.encrypt_with_randomness_for_tests(&s.encoder, &x, 3, &seed);
    check("public", public, &|j| x[j]);
}

/// One clear line each.
#[test]
fn what_does_not_fit_is_refused() {
    let params = toy(6);
    let mut request = KeyRequest::default();
    request.action(GaloisAction::Conjugation, 3);
    request.rotation(params.slots() - 1, 4);
    let s = setting(&params, &request);
    let (e, n, i) = (&s.evaluator, params.slots(), Complex64::I);
    let x = values(&mut TestRng::new("refused", 0), n);
    let a = s.encrypt(&x, 6);
    let low = e.drop_to(&a, 0).unwrap();
    let refused = |result: Result<CkksCiphertext, CkksError>, line: &str| {
        assert_eq!(result.unwrap_err().to_string(), line);
    };
    refused(e.rotate(&a, 5), "no Galois key for the rotation by 5; generate the evaluation key with it");
    refused(
        e.rotate(&a, -1),
        "the Galois key for the rotation by -1 serves levels up to 4, but level 6 is needed; drop levels first, or generate the key for that",
    );
    refused(
        e.conjugate(&a),
        "the Galois key for the complex conjugation serves levels up to 3, but level 6 is needed; drop levels first, or generate the key for that",
    );
    refused(e.mul(&a, &a), "no relinearisation key; generate the evaluation key with it");
    refused(
        e.raise(a.inner()).map(|inner| CkksCiphertext::new(inner, 1.0, a.key_id())),
        "no keys for raising the modulus; generate the evaluation key for bootstrapping",
    );
    // Levels.
    refused(
        e.rescale(&low),
        "rescaling needs a ciphertext of level 1 or above, this one is at level 0; bootstrap it, or use parameters of more levels",
    );
    refused(
        e.drop_to(&e.drop_to(&a, 2).unwrap(), 3),
        "dropping levels needs a ciphertext of level 3 or above, this one is at level 2; bootstrap it, or use parameters of more levels",
    );
    refused(
        e.mul(&a, &low),
        "product needs a ciphertext of level 1 or above, this one is at level 0; bootstrap it, or use parameters of more levels",
    );
    refused(
        e.mul_plain(&low, &x),
        "product with a plaintext needs a ciphertext of level 1 or above, this one is at level 0; bootstrap it, or use parameters of more levels",
    );
    refused(
        e.mul_constant(&low, i),
        "product with a constant needs a ciphertext of level 1 or above, this one is at level 0; bootstrap it, or use parameters of more levels",
    );
    let encrypt = |values: &[Complex64], level| {
        let seed = SecretSeed::from_bytes(&seed_bytes("refused", 0));
        s.secret.encrypt_with_randomness_for_tests(&s.encoder, values, level, &seed)
    };
    refused(encrypt(&x, 7), "level is 7: expected 0 to 6");
    // Scales.
    refused(
        e.add(&a, &a.clone().with_scale(1e9)),
        "scales 2^42.000000 and 2^29.897353 do not match; bring both to the scale of their level",
    );
    // Values.
    refused(
        encrypt(&vec![i; 2 * n], 3),
        "too many values for one ciphertext: 1024, expected at most 512; split them over several",
    );
    refused(encrypt(&[i; 3], 3), "3 slots: expected a power of two; pad with zeros");
    refused(
        encrypt(&[i, f64::NAN * i], 3),
        "value 1 is not finite; bring the values into the range that the parameters expect",
    );
    let large = "values too large: a coefficient of 2^52.0 at their scale, expected less than 2^49.0; bring the values into range or encrypt at a higher level";
    refused(encrypt(&[1e3.into()], 0), large);
    refused(e.add_constant(&low, 1e3.into()), large);
    refused(e.add_plain(&low, &[-1e3 * i]), large);
    for c in [f64::NAN, f64::INFINITY, 1e300] {
        assert!(matches!(e.add_constant(&a, c.into()), Err(CkksError::TooLarge { .. })));
        assert!(matches!(e.mul_constant(&a, c * i), Err(CkksError::TooLarge { .. })));
    }
    let wide = LinearMap::new(&params, Diagonals::from_matrix(&vec![vec![i; n]; n]), 3, 1e17).unwrap();
    assert!(matches!(wide.prepare(&s.encoder), Err(CkksError::TooLarge { log2_max: 52.0, .. })));
    // Keys.
    let other = CkksSecretKey::derive(&params, &SecretSeed::from_bytes(&seed_bytes("ckks", 1)));
    let foreign = "the ciphertext is under another key than that of this pair, of parameters `toy_ckks`; use one key pair throughout";
    assert_eq!(other.decrypt(&s.encoder, &a, n).unwrap_err().to_string(), foreign);
    let f = CkksCiphertext::new(a.inner().clone(), a.scale(), other.id());
    let circuit = ArithmeticCircuit::polynomials(PolynomialBasis::Power, &[vec![Complex64::ZERO, i]]);
    let map = LinearMap::new(&params, Diagonals::from_matrix(&vec![vec![i; n]; n]), 3, 1e9).unwrap();
    for result in [
        e.add(&a, &f),
        e.sub(&f, &a),
        e.neg(&f),
        e.add_constant(&f, i),
        e.add_plain(&f, &x),
        e.mul_integer(&f, 0, 1),
        e.mul_constant(&f, i),
        e.mul_plain(&f, &x),
        e.mul(&a, &f),
        e.sum_of_products(&[(&a, &a), (&f, &a)]),
        e.rescale(&f),
        e.drop_to(&f, 2),
        e.at_level(&f, 2).map(std::borrow::Cow::into_owned),
        e.combine(&[(&f, i)], i),
        e.rotate(&f, -1),
        e.rotate(&f, 0),
        e.at_level(&f, 6).map(std::borrow::Cow::into_owned),
        e.conjugate(&f),
        e.apply_linear(&map, &f),
        e.evaluate(&circuit, &[&f], crate::unheard).map(|mut outputs| outputs.remove(0)),
    ] {
        refused(result, foreign);
    }
    // Parameters.
    let literal = CkksLiteral { name: "sparse".into(), class: SetClass::Secure, ..params.literal().clone() };
    let line = literal.try_build().unwrap_err().to_string();
    assert!(line.starts_with("parameter set sparse has 0.0 bits of security with log2(QP)"), "{line}");
}

/// Levels and scales of all values, by the circuit alone, are those of the ciphertexts.
#[test]
fn circuits_are_read_on_levels_and_scales() {
    let params = toy(6);
    let s = setting(&params, &KeyRequest { relinearisation: Some(6), ..KeyRequest::default() });
    let mut rng = TestRng::new("scales", 0);
    // Every kind of gate but exact division, from operands of equal levels and of different ones; every value
    // is an output.
    let (mut circuit, minus) = (ArithmeticCircuit::new(1), |minus| (true, minus));
    let x = circuit.input(0);
    let square = circuit.square(x);
    let mut product = |a, b, (doubled, minus)| circuit.push(Gate::Product { a, b, doubled, minus });
    let cube = product(square, x, minus(Minus::Value(x)));
    let sixth = product(cube, cube, minus(Minus::One));
    let terms = vec![(x, 0.5.into()), (cube, Complex64::I)];
    let sum = circuit.push(Gate::Combination { terms, constant: Complex64::ONE });
    let products = vec![(sixth, sum), (x, square)];
    let all = circuit.push(Gate::SumOfProducts { products, addends: vec![square, sum] });
    [x, square, cube, sixth, sum, all].into_iter().for_each(|id| circuit.output(id));
    let read = params.levels_and_scales(&circuit, &[(6, params.scale(6))]).unwrap();
    assert_eq!(read.iter().map(|&(level, _)| level).collect::<Vec<_>>(), [6, 5, 4, 3, 3, 2]);
    let t = Complex64::from(rng.unit_f64());
    let outputs = s.evaluator.evaluate(&circuit, &[&s.encrypt(&[t], 6)], crate::unheard).unwrap();
    for ((output, &(level, scale)), expected) in outputs.iter().zip(&read).zip(circuit.eval(&[t])) {
        assert_eq!(output.level(), level);
        assert!((output.scale() / scale - 1.0).abs() < 1e-12);
        assert!(s.error(output, std::iter::once(expected)) < 1e-6);
    }
    let refused = |level, scale| params.levels_and_scales(&circuit, &[(level, scale)]).unwrap_err();
    assert!(matches!(refused(3, params.scale(3)), CkksError::Exhausted { needed: 4, found: 3, .. }));
    assert!(matches!(refused(5, 1e9), CkksError::Exhausted { needed: 6, found: 5, .. }));
    assert!(matches!(refused(7, 1e9), CkksError::Keys(KeyError::Parameter { found: 7, max: 6, .. })));
    assert_eq!(params.levels_and_scales(&circuit, &[]), Err(CkksError::Inputs { found: 0, expected: 1 }));
    circuit.push(Gate::ExactDivision { dividend: all, divisor: 2 });
    let divided = params.levels_and_scales(&circuit, &[(6, params.scale(6))]);
    assert_eq!(divided, Err(CkksError::ExactDivision { divisor: 2 }));
}

/// Inputs of different levels are brought to the lowest; levels and scales are read before.
#[test]
fn circuits_have_several_inputs() {
    let params = toy(6);
    let s = setting(&params, &KeyRequest { relinearisation: Some(6), ..KeyRequest::default() });
    let mut rng = TestRng::new("inputs", 0);
    let mut circuit = ArithmeticCircuit::new(3);
    let [x, y, z] = [0, 1, 2].map(|i| circuit.input(i));
    let products = vec![(x, y), (z, z)];
    let sum = circuit.push(Gate::SumOfProducts { products, addends: vec![y] });
    let terms = vec![(sum, Complex64::I), (x, 2.0.into())];
    let combined = circuit.push(Gate::Combination { terms, constant: Complex64::ONE });
    circuit.output(sum);
    circuit.output(combined);
    let t = values(&mut rng, 3);
    let inputs = [(t[0], 6), (t[1], 4), (t[2], 5)].map(|(t, level)| s.encrypt(&[t], level));
    let found = s.evaluator.evaluate(&circuit, &inputs.each_ref(), crate::unheard).unwrap();
    let of_inputs = [6, 4, 5].map(|level| (level, params.scale(level)));
    let read = params.levels_and_scales(&circuit, &of_inputs).unwrap();
    for ((output, id), expected) in found.iter().zip(circuit.outputs()).zip(circuit.eval(&t)) {
        assert_eq!(output.level(), read[id.index()].0);
        assert!(s.error(output, std::iter::once(expected)) < 1e-6);
    }
    assert_eq!(found.iter().map(CkksCiphertext::level).collect::<Vec<_>>(), [3, 2]);
}

/// Any map: full, with gaps, of short periods, of one diagonal, and none.
#[test]
fn linear_maps_are_matrices() {
    let params = toy(3);
    let n = params.slots();
    let mut rng = TestRng::new("linear", 0);
    for (period, rotations) in [
        (n, (0..n).collect::<Vec<_>>()),
        (n, vec![0, 1, 7, 300, 511]),
        (16, vec![0, 64, 192, 448]),
        (1, vec![3]),
        (n, vec![500, 501, 502]),
        (n, vec![]),
    ] {
        let size = 1.0 / (rotations.len().max(1) as f64).sqrt();
        let mut diagonal = |&r: &usize| (r, values(&mut rng, period).iter().map(|x| x * size).collect());
        let map = Diagonals::new(n, period, rotations.iter().map(&mut diagonal).collect());
        let scale = params.prime(2);
        let prepared = LinearMap::new(&params, map.clone(), 2, scale).unwrap();
        let mut request = KeyRequest::default();
        prepared.request(&mut request);
        let s = setting(&params, &request);
        let x = values(&mut rng, n);
        let found = s.evaluator.apply_linear(&prepared, &s.encrypt(&x, 3)).unwrap();
        assert_eq!(found.level(), 1);
        let error = s.error(&found, map.apply(&x).into_iter());
        assert!(error < 1e-7, "{} diagonals of period {period}: {error}", rotations.len());
    }
}

#[test]
fn precision_is_in_bits() {
    let one = Complex64::ONE;
    let found = [one + 0.25, one - Complex64::new(0.0625, 0.25)];
    let precision = Precision::of(&found, &[one, one]);
    // Parts: 2, 60 (no error), 4 and 2 bits.
    assert_eq!((precision.min, precision.mean), (2.0, 17.0));
    assert!((precision.std - 617f64.sqrt()).abs() < 1e-12);
    assert!((precision.rms + 0.5 * ((2.0 * 0.0625 + 0.0625 * 0.0625) / 4.0f64).log2()).abs() < 1e-12);
    assert_eq!(Precision::of(&[one], &[one]), Precision { min: 60.0, mean: 60.0, std: 0.0, rms: 60.0 });
}

#[test]
fn polynomials_are_evaluated_to_the_last_level() {
    let params = toy(8);
    let s = setting(&params, &KeyRequest { relinearisation: Some(8), ..KeyRequest::default() });
    let mut rng = TestRng::new("ckks", 2);
    let n = params.slots();
    let x: Vec<Complex64> = (0..n).map(|_| (2.0 * rng.unit_f64() - 1.0).into()).collect();
    let a = s.encrypt(&x, 8);
    for (basis, degree) in [
        (PolynomialBasis::Power, 3),
        (PolynomialBasis::Power, 63),
        (PolynomialBasis::Chebyshev, 31),
        (PolynomialBasis::Chebyshev, 100),
    ] {
        let size = 1.0 / (degree as f64).sqrt();
        let coefficients = [(); 2].map(|()| values(&mut rng, degree + 1).iter().map(|c| c * size).collect::<Vec<_>>());
        let circuit = ArithmeticCircuit::polynomials(basis, &coefficients);
        let found = s.evaluator.evaluate(&circuit, &[&a], crate::unheard).unwrap();
        for (k, found) in found.iter().enumerate() {
            assert_eq!(found.level(), 8 - circuit.depth());
            let error = s.error(found, x.iter().map(|&x| circuit.eval(&[x])[k]));
            assert!(error < 1e-6, "{basis:?} of degree {degree}: {error}");
        }
    }
    let deep = ArithmeticCircuit::polynomials(PolynomialBasis::Power, &[vec![Complex64::ONE; 512]]);
    assert!(matches!(
        s.evaluator.evaluate(&deep, &[&a], crate::unheard),
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
        let maps = Transforms::new(&params, options).unwrap();
        let mut request = KeyRequest { relinearisation: Some(params.max_level()), ..KeyRequest::default() };
        maps.request(&params, &mut request);
        let s = setting(&params, &request);
        assert_eq!(s.evaluator.params().limbs(0).chain, 1);
        // Coefficients q_0·y for random y, by encrypting their values.
        let mut rng = TestRng::new("ckks", 3);
        let y: Vec<f64> = (0..params.degree()).map(|_| rng.unit_f64() - 0.5).collect();
        let seed = SecretSeed::from_bytes(&seed_bytes("raise", 0));
        let coefficients: Vec<f64> = y.iter().map(|y| (y * params.prime(0)).round()).collect();
        let message = params.ring().from_integers(params.limbs(0), &coefficients);
        let inner = bootes_lattice::rns::RnsCiphertext::encrypt(
            params.ring(),
            message,
            s.secret.key(),
            3.19.into(),
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
        let circle = [low, high].map(|x| s.evaluator.evaluate(&circuit, &[&x], crate::unheard).unwrap().remove(0));
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
        exponential_log2_error: -34.0,
        to_slots: 3,
        to_coeffs: 3,
        log2_message_ratio: 5,
        harmonics: 4,
    };
    let params = toy(20);
    let bootstrap = Bootstrap::new(&params, options.clone()).unwrap();
    assert_eq!(bootstrap.depth(), 17);
    let mut request = KeyRequest::default();
    bootstrap.request(&params, &mut request);
    let s = setting(&params, &request);
    let mut rng = TestRng::new("ckks", 4);
    // Random values, and equal ones, whose only coefficient is the largest there can be.
    for values in [values(&mut rng, params.slots()), vec![Complex64::ONE; params.slots()]] {
        let out = s.evaluator.bootstrap(&bootstrap, &s.encrypt(&values, 1), drop).unwrap();
        assert_eq!((out.level(), out.scale()), (3, params.scale(3)));
        let found = s.secret.decrypt(&s.encoder, &out, values.len()).unwrap();
        let precision = Precision::of(&found, &values);
        println!("{precision:?}");
        assert!(precision.min > 13.0, "{precision:?}");
    }
    assert!(matches!(
        s.evaluator.bootstrap(&bootstrap, &s.encrypt(&[Complex64::ONE], 0), drop),
        Err(CkksError::Exhausted { needed: 1, found: 0, .. })
    ));
    assert!(matches!(Bootstrap::new(&toy(17), options), Err(CkksError::Keys(KeyError::Parameter { min: 18, .. }))));
}

/// The precision that a shipped set promises, for values up to 1, and the levels that it leaves.
fn check_precision(name: &str) {
    let BootstrapSet { params, bootstrap } = BootstrapSet::named(name).unwrap();
    let params = params.try_build().unwrap();
    let bootstrap = Bootstrap::new(&params, bootstrap).unwrap();
    let mut request = KeyRequest::default();
    bootstrap.request(&params, &mut request);
    let s = setting(&params, &request);
    let mut rng = TestRng::new("precision", 0);
    let values: Vec<_> = (0..params.slots())
        .map(|_| Complex64::from_polar(rng.unit_f64().sqrt(), std::f64::consts::TAU * rng.unit_f64()))
        .collect();
    let out = s.evaluator.bootstrap(&bootstrap, &s.encrypt(&values, 1), drop).unwrap();
    let precision = Precision::of(&s.secret.decrypt(&s.encoder, &out, values.len()).unwrap(), &values);
    println!("{name}: {precision:?}");
    assert_eq!(out.level(), 8);
    assert!(precision.min > 16.0 && precision.mean > 20.0, "{name}: {precision:?}");
}

#[test]
fn the_toy_set_keeps_its_precision() {
    check_precision("toy_bootstrap");
}

#[test]
#[ignore = "the shipped set: keys of gigabytes"]
fn the_shipped_set_keeps_its_precision() {
    check_precision("bootstrap_8");
}

/// Samples under the sparse key exist modulo q_0·p_0 only, within its limit; all others are under the secret key,
/// within theirs.
#[test]
fn the_sparse_key_is_used_at_its_modulus_only() {
    for (log2_degree, levels, scale_bits, special_primes) in [(15, 12, 34, 4), (16, 22, 42, 7)] {
        let literal = CkksLiteral {
            name: "sparse".into(),
            class: SetClass::Secure,
            log2_degree,
            base_bits: 50,
            scale_bits,
            levels,
            digit_primes: 7,
            special_primes,
            weight: 192,
            sparse_weight: 40,
        };
        let params = literal.try_build().unwrap();
        let base = params.base_gadget().raised(1);
        assert_eq!((base.chain, base.special), (1, 1));
        let max =
            rns_max_log2_modulus(params.sparse_distribution().unwrap(), params.degree(), Target::Bits132).unwrap();
        assert!(params.ring().log2(base) <= f64::from(max));
        assert!(params.security().unwrap().iter().all(|security| security.meets_rule()));
    }
    // The keys themselves: of the two of encapsulation only the one to the sparse key is under it.
    let params = toy(3);
    let secret = CkksSecretKey::derive(&params, &SecretSeed::from_bytes(&seed_bytes("ckks", 0)));
    let mut request = KeyRequest { raise: true, relinearisation: Some(3), ..KeyRequest::default() };
    request.action(GaloisAction::Conjugation, 3);
    let keys = secret.evaluation_key_with_randomness_for_tests(&request, MaskStorage::Seeded, &[7; 32]);
    assert_eq!(keys.sparse_limbs(), Some(params.base_gadget().raised(1)));
    assert_eq!(keys.bytes(), request.bytes(&params, MaskStorage::Seeded));
}
