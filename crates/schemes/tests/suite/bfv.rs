//! BFV and BGV against arithmetic in Z[X]/(X^N + 1) modulo p^r.
use std::sync::Arc;

use bootes_lattice::rns::MaskStorage;
use bootes_ring::sample::SecretSeed;
use bootes_schemes::bfv::residue::ResidueRing;
use bootes_schemes::bfv::{
    BfvCiphertext, BfvLiteral, BfvParams, BfvSchemeError, BfvSecretKey, BfvSlots, Evaluator, KeyRequest, Scheme,
};
use bootes_schemes::class::SetClass;
use bootes_schemes::polyeval::{self, ArithmeticCircuit, PolynomialBasis};
use bootes_schemes::rlwe::{GaloisAction, KeyError};
use bootes_testkit::{TestRng, portion, seed_bytes};

const DEGREE: usize = 128;
const SCHEMES: [Scheme; 2] = [Scheme::Bfv, Scheme::Bgv];

fn literal(base: u64, exponent: u32) -> BfvLiteral {
    BfvLiteral {
        name: format!("toy_{base}_{exponent}"),
        class: SetClass::Toy,
        log2_degree: DEGREE.ilog2(),
        base,
        exponent,
        base_bits: 50,
        primes: vec![(45, 7)],
        digit_primes: 2,
        special_primes: 3,
        special_bits: 50,
        weight: 64,
        sparse_weight: 16,
    }
}

struct Toy {
    params: BfvParams,
    secret: BfvSecretKey,
    evaluator: Evaluator,
    rng: TestRng,
}

impl Toy {
    fn new(base: u64, exponent: u32) -> Self {
        let params = literal(base, exponent).try_build().unwrap();
        let secret = BfvSecretKey::derive(&params, &SecretSeed::from_bytes(&seed_bytes("exact", base)));
        let mut request = KeyRequest::default();
        request.products(params.max_level());
        request.action(GaloisAction::rotation(1), params.max_level());
        let key = secret.evaluation_key(&request, MaskStorage::Expanded, crate::unheard).unwrap();
        let evaluator = Evaluator::new(Arc::new(key));
        Self { params, secret, evaluator, rng: TestRng::new("exact", base) }
    }

    fn message(&mut self, exponent: u32) -> Vec<i64> {
        let t = self.params.power(exponent);
        (0..DEGREE).map(|_| self.rng.below(t) as i64).collect()
    }

    fn fresh(&mut self, scheme: Scheme, exponent: u32) -> (Vec<i64>, BfvCiphertext) {
        let message = self.message(exponent);
        let x = self.secret.encrypt(&message, scheme, exponent, self.params.max_level()).unwrap();
        (message, x)
    }

    /// Decrypts, and holds the size of w against its bound.
    fn expect(&self, x: &BfvCiphertext, expected: &[i64], what: &str) {
        let residues = self.params.residues(x.exponent);
        let expected: Vec<u64> = expected.iter().map(|&m| residues.reduce(m)).collect();
        assert!(self.secret.decrypt(x).unwrap() == expected, "{what}");
        let [_, largest] = self.secret.measure(x).unwrap();
        assert!(largest <= x.size.worst, "{what}: 2^{largest} beyond 2^{}", x.size.worst);
    }
}

/// a·b modulo X^N + 1 and t.
fn product(a: &[i64], b: &[i64], residues: ResidueRing) -> Vec<i64> {
    let mut out = vec![0u64; DEGREE];
    for (i, &a) in a.iter().enumerate() {
        for (j, &b) in b.iter().enumerate() {
            let term = residues.mul(residues.reduce(a), residues.reduce(b));
            let term = if i + j < DEGREE { term } else { residues.neg(term) };
            out[(i + j) % DEGREE] = (out[(i + j) % DEGREE] + term) % residues.modulus();
        }
    }
    out.into_iter().map(|x| x as i64).collect()
}

fn zip(a: &[i64], b: &[i64], op: impl Fn(i64, i64) -> i64) -> Vec<i64> {
    a.iter().zip(b).map(|(&a, &b)| op(a, b)).collect()
}

#[test]
fn operations_are_those_of_the_ring() {
    for (base, exponent) in [(2, 8), (3, 4), (17, 2), (127, 2), (257, 2), (257, 1), (65537, 1), (65537, 2), (1000, 2)] {
        let mut toy = Toy::new(base, exponent);
        for (scheme, r) in SCHEMES.into_iter().flat_map(|scheme| [(scheme, 1), (scheme, exponent)]) {
            let what = format!("{scheme} modulo {base}^{r}");
            let residues = toy.params.residues(r);
            let ((a, x), (b, y)) = (toy.fresh(scheme, r), toy.fresh(scheme, r));
            toy.expect(&x, &a, &what);
            let evaluator = &toy.evaluator;
            toy.expect(&evaluator.add(&x, &y).unwrap(), &zip(&a, &b, |a, b| a + b), &what);
            toy.expect(&evaluator.sub(&x, &y).unwrap(), &zip(&a, &b, |a, b| a - b), &what);
            toy.expect(&evaluator.neg(&x).unwrap(), &zip(&a, &a, |a, _| -a), &what);
            toy.expect(&evaluator.add_plain(&x, &b).unwrap(), &zip(&a, &b, |a, b| a + b), &what);
            let times = product(&a, &b, residues);
            toy.expect(&evaluator.mul_plain(&x, &b).unwrap(), &times, &what);
            let mut shifted = a.clone();
            shifted[0] -= 5;
            toy.expect(&evaluator.add_constant(&x, -5).unwrap(), &shifted, &what);
            toy.expect(&evaluator.mul_constant(&x, 7).unwrap(), &zip(&a, &a, |a, _| a * 7), &what);
            let xy = evaluator.mul(&x, &y).unwrap();
            toy.expect(&xy, &times, &what);
            // Factors and levels differ.
            toy.expect(&evaluator.add(&xy, &x).unwrap(), &zip(&times, &a, |t, a| t + a), &what);
            let square = product(&times, &times, residues);
            let squared = evaluator.mul(&xy, &xy).unwrap();
            toy.expect(&squared, &square, &what);
            let sum = evaluator.sum_of_products(&[(&xy, &x), (&x, &y)]).unwrap();
            toy.expect(&sum, &zip(&product(&times, &a, residues), &times, |a, b| a + b), &what);
            let combined = evaluator.combine(&[(&xy, 3), (&x, -2), (&y, 1)], 4, None).unwrap();
            let mut expected = zip(&zip(&times, &a, |t, a| 3 * t - 2 * a), &b, |x, b| x + b);
            expected[0] += 4;
            toy.expect(&combined, &expected, &what);
        }
    }
}

/// The mean over fresh operands of the variance of w, as a part of the predicted: within 20 %, and no coefficient
/// beyond the bound.
#[test]
fn sizes_are_as_predicted() {
    let runs = portion(100, 2);
    for (base, exponent) in [(17, 4), (257, 2), (65537, 2)] {
        let mut toy = Toy::new(base, exponent);
        for (scheme, r) in SCHEMES.into_iter().flat_map(|scheme| [(scheme, 1), (scheme, exponent)]) {
            let mut ratios = std::collections::BTreeMap::<&str, f64>::new();
            for _ in 0..runs {
                let ((a, x), (b, y)) = (toy.fresh(scheme, r), toy.fresh(scheme, r));
                let (evaluator, secret) = (&toy.evaluator, &toy.secret);
                // A key's own errors do not average out over its ciphertexts: a new one each time.
                let public = secret.public_key().unwrap();
                let low = evaluator.drop_to(&x, 1).unwrap();
                let made = [
                    ("fresh", x.clone()),
                    ("public", public.encrypt(&a, scheme, r, 3).unwrap()),
                    ("level 5", evaluator.drop_to(&x, 5).unwrap().into_owned()),
                    ("level 0", evaluator.drop_to(&x, 0).unwrap().into_owned()),
                    ("rotated", evaluator.rotate(&low, 0, 1).unwrap()),
                    ("plain product", evaluator.mul_plain(&x, &b).unwrap()),
                    ("product", evaluator.mul(&x, &y).unwrap()),
                ];
                for (name, x) in made {
                    let [std, largest] = secret.measure(&x).unwrap();
                    assert!(largest <= x.size.worst, "{scheme} modulo {base}^{r}, {name}: 2^{largest}");
                    *ratios.entry(name).or_default() += (2.0 * (std - x.size.average)).exp2() / runs as f64;
                }
            }
            for (name, ratio) in ratios {
                assert!((0.8..1.25).contains(&ratio), "{scheme} modulo {base}^{r}, {name}: {ratio}");
            }
        }
    }
}

#[test]
fn schemes_turn_into_each_other() {
    let mut toy = Toy::new(257, 2);
    for (from, to) in [(Scheme::Bfv, Scheme::Bgv), (Scheme::Bgv, Scheme::Bfv)] {
        let ((a, x), (b, y)) = (toy.fresh(from, 2), toy.fresh(to, 2));
        let converted = x.clone().into_scheme(&toy.params, to);
        assert_eq!(converted.scheme, to);
        toy.expect(&converted, &a, "converted");
        let times = product(&a, &b, toy.params.residues(2));
        toy.expect(&toy.evaluator.mul(&converted, &y).unwrap(), &times, "product of a converted one");
        toy.expect(&toy.evaluator.mul(&y, &x).unwrap(), &times, "product with the other scheme");
        toy.expect(&toy.evaluator.add(&x, &y).unwrap(), &zip(&a, &b, |a, b| a + b), "sum with the other scheme");
    }
}

#[test]
fn powers_of_p_are_divided_away() {
    for base in [2, 127] {
        let mut toy = Toy::new(base, 3);
        for scheme in SCHEMES {
            let message: Vec<i64> = toy.message(2).iter().map(|m| m * base as i64).collect();
            let x = toy.secret.encrypt(&message, scheme, 3, 4).unwrap();
            let divided = toy.evaluator.divide_exact(&x, base).unwrap();
            assert_eq!(divided.exponent, 2);
            let quotient: Vec<i64> = message.iter().map(|m| m / base as i64).collect();
            toy.expect(&divided, &quotient, "a quotient");
            let squared = toy.evaluator.mul(&divided, &divided).unwrap();
            toy.expect(&squared, &product(&quotient, &quotient, toy.params.residues(2)), "its square");
            let multiplied = toy.evaluator.multiply_exact(&divided, 1).unwrap();
            toy.expect(&multiplied, &message, "multiplied again");
            let error = toy.evaluator.divide_exact(&x, base.pow(3)).unwrap_err();
            assert_eq!(error, BfvSchemeError::Divisor { base, exponent: 3, divisor: base.pow(3) });
            let error = toy.evaluator.add(&x, &divided).unwrap_err();
            assert_eq!(error, BfvSchemeError::Moduli { base, exponents: [3, 2] });
        }
    }
}

#[test]
fn circuits_are_read_on_ciphertexts() {
    let mut toy = Toy::new(17, 2);
    let coefficients: Vec<i64> = (0..12).map(|_| toy.rng.below(289) as i64 - 144).collect();
    let mut circuit = ArithmeticCircuit::polynomials(PolynomialBasis::Power, &[coefficients]);
    let output = circuit.outputs()[0];
    let x = circuit.input(0);
    let last = circuit.product(output, x);
    circuit.output(last);
    for scheme in SCHEMES {
        for m in [0, 1, 5, 16, 200, 288] {
            let mut message = vec![0; DEGREE];
            message[0] = m;
            let x = toy.secret.encrypt(&message, scheme, 2, 7).unwrap();
            let reading = polyeval::ResidueReading { inputs: &[m as u64], prime: 17, exponent: 2 };
            let expected = circuit.run(&mut { reading }, crate::unheard).unwrap();
            let found = toy.evaluator.evaluate(&circuit, &[&x], crate::unheard).unwrap();
            let states: Vec<_> = found.iter().map(BfvCiphertext::state).collect();
            assert_eq!(toy.params.outputs(&circuit, &[x.state()]).unwrap(), states);
            for (found, expected) in found.iter().zip(expected) {
                message[0] = expected.value as i64;
                toy.expect(found, &message, &format!("{scheme} of {m}"));
            }
        }
    }
}

/// A product of results until none is promised: decryption is right as long as there is no error.
#[test]
fn an_exhausted_modulus_is_refused() {
    let mut toy = Toy::new(257, 1);
    for scheme in SCHEMES {
        let (mut a, mut x) = toy.fresh(scheme, 1);
        let mut products = 0;
        let error = loop {
            match toy.evaluator.mul(&x, &x) {
                Err(error) => break error,
                Ok(next) => {
                    (a, x) = (product(&a, &a, toy.params.residues(1)), next);
                    toy.expect(&x, &a, "a square");
                    products += 1;
                }
            }
        };
        assert!(products >= 8, "{scheme}: {products}");
        assert!(matches!(error, BfvSchemeError::Exhausted { operation: "product", .. }), "{error}");
    }
}

#[test]
fn what_cannot_be_is_named() {
    let base_of = |base, exponent| literal(base, exponent).try_build().unwrap_err();
    assert_eq!(base_of(1, 3), BfvSchemeError::PlaintextModulus { base: 1, exponent: 3 });
    assert_eq!(base_of(65537, 3), BfvSchemeError::PlaintextModulus { base: 65537, exponent: 3 });
    let insecure = BfvLiteral { class: SetClass::Secure, ..literal(257, 1) }.try_build().unwrap_err();
    assert!(matches!(insecure, BfvSchemeError::Insecure { .. }), "{insecure}");
    let mut toy = Toy::new(257, 2);
    let (message, x) = toy.fresh(Scheme::Bgv, 2);
    let encrypt = |message: &[i64], exponent, level| toy.secret.encrypt(message, Scheme::Bgv, exponent, level);
    assert_eq!(encrypt(&message[1..], 1, 1).unwrap_err(), BfvSchemeError::Coefficients { found: 127, expected: 128 });
    assert_eq!(encrypt(&message, 3, 1).unwrap_err(), BfvSchemeError::Exponent { base: 257, found: 3, max: 2 });
    assert!(matches!(encrypt(&message, 2, 8).unwrap_err(), BfvSchemeError::Keys(KeyError::Parameter { .. })));
    let action = GaloisAction::rotation(3);
    assert_eq!(toy.evaluator.apply(&x, action).unwrap_err(), BfvSchemeError::Keys(KeyError::NoGaloisKey { action }));
    let other = BfvSecretKey::derive(&toy.params, &SecretSeed::from_bytes(&[9; 32]));
    assert!(matches!(other.decrypt(&x).unwrap_err(), BfvSchemeError::Foreign { what: "ciphertext", .. }));
}

/// What is raised is p^(e−r)·F·m + v, and v is as large as predicted.
#[test]
fn raised_messages_have_their_lower_digits() {
    for (base, r, e) in [(2, 3, 12), (17, 1, 3), (257, 1, 2), (127, 2, 3), (65537, 1, 2)] {
        let params = literal(base, e).try_build().unwrap();
        let secret = BfvSecretKey::derive(&params, &SecretSeed::from_bytes(&seed_bytes("raise", base)));
        let key = KeyRequest { raise: true, ..KeyRequest::default() };
        let key = secret.evaluation_key(&key, MaskStorage::Expanded, crate::unheard).unwrap();
        let evaluator = Evaluator::new(Arc::new(key));
        let mut rng = TestRng::new("raise", base);
        let (t, high) = (params.residues(r), params.power(e - r) as i64);
        let (mut squares, mut largest, mut predicted, mut ratio, runs) = (0.0, 0.0f64, 0.0, 0.0, 8);
        for i in 0..runs {
            let message: Vec<i64> = (0..DEGREE).map(|_| rng.below(t.modulus()) as i64).collect();
            let x = secret.encrypt(&message, SCHEMES[i % 2], r, i % 8).unwrap();
            let raised = evaluator.raise(&x, e).unwrap();
            assert_eq!((raised.ciphertext.level, raised.ciphertext.exponent), (7, e));
            let all = params.residues(e);
            for (found, m) in secret.decrypt(&raised.ciphertext).unwrap().into_iter().zip(&message) {
                let expected = all.mul(t.mul(t.reduce(*m), raised.factor), high as u64);
                let v = all.balance(all.reduce(found as i64 - expected as i64)) as f64;
                squares += v * v;
                largest = largest.max(v.abs());
            }
            let [std, most] = secret.measure(&raised.ciphertext).unwrap();
            let size = raised.ciphertext.size;
            assert!(most <= size.worst, "modulo {base}^{e}: 2^{most}");
            ratio += (2.0 * (std - size.average)).exp2() / runs as f64;
            predicted = (raised.noise.powi(2) + (1.0 + 16.0) / 12.0).sqrt();
        }
        assert!((0.7..1.4).contains(&ratio), "modulo {base}^{e}: {ratio} of the predicted variance");
        let std = (squares / (runs * DEGREE) as f64).sqrt();
        assert!((0.85..1.2).contains(&(std / predicted)), "modulo {base}^{e}: {std}, not {predicted}");
        // 17 uniform numbers, and little else.
        assert!(largest <= 8.5 + 8.0 * predicted, "modulo {base}^{e}: {largest}");
        let error = evaluator.raise(&secret.encrypt(&[0; DEGREE], Scheme::Bfv, e, 0).unwrap(), e).unwrap_err();
        assert_eq!(error, BfvSchemeError::Exponent { base, found: e, max: e - 1 });
    }
}

/// m(X^g).
fn image(m: &[i64], g: usize) -> Vec<i64> {
    let mut out = vec![0; DEGREE];
    for (i, &m) in m.iter().enumerate() {
        let to = i * g % (2 * DEGREE);
        out[to % DEGREE] = if to < DEGREE { m } else { -m };
    }
    out
}

#[test]
fn slots_are_a_product_of_rings() {
    for base in [3, 5, 7, 17, 31, 97, 127, 193, 257, 12289, 65537] {
        for exponent in 1..=2 {
            let params = literal(base, exponent).try_build().unwrap();
            let (slots, ring) = (BfvSlots::new(&params, exponent).unwrap(), params.residues(exponent));
            assert_eq!(slots.count(), params.slots());
            let mut rng = TestRng::new("slots", base);
            let mut vector = || (0..slots.count()).map(|_| rng.below(ring.modulus()) as i64).collect::<Vec<_>>();
            let (a, b) = (vector(), vector());
            let [x, y] = [&a, &b].map(|values| slots.encode(values).unwrap());
            let decode = |m: &[i64]| slots.decode(&m.iter().map(|&m| ring.reduce(m)).collect::<Vec<_>>()).unwrap();
            let reduced = |v: &[i64]| v.iter().map(|&x| ring.reduce(x)).collect::<Vec<_>>();
            assert_eq!(decode(&x), reduced(&a), "modulo {base}^{exponent}");
            assert_eq!(decode(&zip(&x, &y, |a, b| a + b)), reduced(&zip(&a, &b, |a, b| a + b)));
            let products: Vec<_> = a.iter().zip(&b).map(|(&a, &b)| ring.mul(ring.reduce(a), ring.reduce(b))).collect();
            assert_eq!(decode(&product(&x, &y, ring)), products, "modulo {base}^{exponent}");
            // Rotations along each axis, to the left; the first slots are one row.
            let axes = params.galois().axes();
            let columns = axes[0].length;
            for by in [1, columns / 2] {
                let rotated = decode(&image(&x, params.exponent(GaloisAction::rotation(by as i64))));
                let expected =
                    a.chunks(columns).flat_map(|row| (0..columns).map(|c| row[(c + by) % columns]).collect::<Vec<_>>());
                assert_eq!(rotated, reduced(&expected.collect::<Vec<_>>()), "modulo {base}^{exponent} by {by}");
            }
            if axes.len() == 2 {
                let exchanged = decode(&image(&x, params.exponent(GaloisAction::Rotation { axis: 1, by: 1 })));
                assert_eq!(exchanged, reduced(&[&a[columns..], &a[..columns]].concat()));
            }
            assert_eq!(decode(&image(&x, params.exponent(GaloisAction::Frobenius { power: 1 }))), reduced(&a));
        }
    }
    let params = literal(6, 3).try_build().unwrap();
    assert_eq!(BfvSlots::new(&params, 1).unwrap_err(), BfvSchemeError::NoSlots { base: 6 });
    // Modulo powers of two one slot, in constant polynomials: sums and products of them are its own.
    for (base, exponent) in [(2, 3), (2, 1), (1 << 40, 1)] {
        let params = literal(base, exponent).try_build().unwrap();
        let (slots, ring) = (BfvSlots::new(&params, exponent).unwrap(), params.residues(exponent));
        assert_eq!((slots.count(), slots.shape()), (1, [1, 1]));
        let [a, b] = [ring.modulus() as i64 - 1, ring.modulus() as i64 / 2];
        let [x, y] = [a, b].map(|value| slots.encode(&[value]).unwrap());
        assert!(x[1..].iter().chain(&y[1..]).all(|&c| c == 0));
        let found: Vec<u64> = product(&x, &y, ring).iter().map(|&c| ring.reduce(c)).collect();
        assert_eq!(slots.decode(&found).unwrap(), [ring.mul(ring.reduce(a), ring.reduce(b))]);
    }
    assert!(literal(1 << 41, 1).try_build().is_err());
    let params = literal(257, 1).try_build().unwrap();
    let slots = BfvSlots::new(&params, 1).unwrap();
    assert_eq!(slots.encode(&[1; 3]).unwrap_err(), BfvSchemeError::SlotCount { found: 3, expected: 128 });
    assert_eq!(slots.decode(&[1; 3]).unwrap_err(), BfvSchemeError::Coefficients { found: 3, expected: 128 });
}

/// Sets over one key of CKKS, keys of low levels, constants modulo less: refused, and not wrong.
#[test]
fn what_belongs_elsewhere_is_refused() {
    let params = literal(257, 2).try_build().unwrap();
    let secret = BfvSecretKey::derive(&params, &SecretSeed::from_bytes(&[5; 32]));
    let mut request = KeyRequest::default();
    request.products(1);
    let key = secret.evaluation_key(&request, MaskStorage::Expanded, crate::unheard).unwrap();
    let evaluator = Evaluator::new(Arc::new(key));
    let message = vec![3; params.degree()];
    let x = secret.encrypt(&message, Scheme::Bfv, 1, params.max_level()).unwrap();
    assert!(matches!(evaluator.mul(&x, &x), Err(BfvSchemeError::Keys(_))));
    assert!(matches!(evaluator.combine(&[(&x, 1)], 0, Some(257)), Err(BfvSchemeError::Factor { .. })));
    assert!(matches!(evaluator.multiply_exact(&x, u32::MAX), Err(BfvSchemeError::Exponent { .. })));
    // The same identity, another set.
    let other = literal(127, 2).try_build().unwrap();
    let foreign = BfvCiphertext::new(&other, x.inner().clone(), x.state(), x.key_id());
    assert!(matches!(secret.decrypt(&foreign), Err(BfvSchemeError::Foreign { .. })));
    assert!(matches!(evaluator.add(&foreign, &x), Err(BfvSchemeError::Foreign { .. })));
    let map = BfvSlots::new(&params, 1).unwrap().to_coeffs(&params, &[1]).unwrap().swap_remove(0);
    let squared = secret.encrypt(&message, Scheme::Bgv, 2, 1).unwrap();
    assert!(matches!(evaluator.apply_slots(&map, &squared), Err(BfvSchemeError::Moduli { .. })));
}

/// To the port and back in both schemes, after products: the same messages, with noise as predicted.
#[test]
fn messages_pass_through_the_port() {
    for (base, exponent) in [(2, 4), (17, 2), (257, 1), (1000, 1)] {
        let mut toy = Toy::new(base, exponent);
        let params = toy.params.clone();
        let (ring, t) = (params.ring(), params.power(exponent));
        let variance = bootes_lattice::port::switch_variance(0.0, 0.0, 64);
        for scheme in SCHEMES {
            let (m, x) = toy.fresh(scheme, exponent);
            let (other, y) = toy.fresh(scheme, exponent);
            let of_both = toy.evaluator.mul(&x, &y).unwrap();
            let expected = product(&m, &other, toy.params.residues(exponent));
            let expected: Vec<u64> = expected.into_iter().map(|m| m as u64).collect();
            let out = toy.evaluator.to_port(&of_both, DEGREE, 40).unwrap();
            assert_eq!(out.decrypt(ring, toy.secret.key()).unwrap(), expected, "{base}^{exponent}, {scheme}");
            let errors = out.errors(ring, toy.secret.key(), &expected).unwrap();
            // w is what the division by the last prime rounds, a few standard deviations of it; and both parts round.
            let rounding = toy.params.rounding_size(1.0).average.exp2();
            let most = 12.0 * rounding * (1.0 + (40f64.exp2() / toy.params.prime(0)) * t as f64);
            assert!(errors.iter().all(|e| e.abs() < most), "{base}^{exponent}, {scheme}: {errors:?}, {most}");
            let back = toy.evaluator.from_port(&out, exponent, most * most).unwrap();
            assert_eq!(toy.secret.decrypt(&back).unwrap(), expected, "{base}^{exponent}, {scheme}");
            let [_, largest] = toy.secret.measure(&back).unwrap();
            assert!(largest <= back.size.worst);
            let sum = toy.evaluator.add(&back, &back).unwrap();
            let doubled: Vec<u64> = expected.iter().map(|m| 2 * m % t).collect();
            assert_eq!(toy.secret.decrypt(&sum).unwrap(), doubled);
        }
        // From elsewhere: noise of the rounding alone.
        let zeros = toy.secret.encrypt(&[0; DEGREE], Scheme::Bfv, exponent, 0).unwrap();
        let out = toy.evaluator.to_port(&zeros, 3, 50).unwrap();
        assert_eq!(out.count(), 3);
        let error =
            toy.evaluator.from_port(&out.mod_switch(49).unwrap().with_plaintext_modulus(3).unwrap(), exponent, 1.0);
        assert_eq!(error.unwrap_err(), BfvSchemeError::PortModulus { found: 3, expected: t });
        assert!(matches!(toy.evaluator.from_port(&out, exponent, 1e40), Err(BfvSchemeError::Exhausted { .. })));
        assert!(matches!(toy.evaluator.from_port(&out, exponent + 1, variance), Err(BfvSchemeError::Exponent { .. })));
        assert!(matches!(toy.evaluator.to_port(&zeros, DEGREE + 1, 40), Err(BfvSchemeError::Port(_))));
        assert!(matches!(toy.evaluator.to_port(&zeros, 1, 51), Err(BfvSchemeError::Port(_))));
    }
}
