use super::{Basis, Circuit, Counts, Minus, Step, Weights};
use bootes_testkit::TestRng;
use num_complex::Complex64;

const BASES: [Basis; 2] = [Basis::Power, Basis::Chebyshev];

fn number(rng: &mut TestRng) -> Complex64 {
    Complex64::new(2.0 * rng.unit_f64() - 1.0, 2.0 * rng.unit_f64() - 1.0)
}

fn random(rng: &mut TestRng, degree: usize) -> Vec<Complex64> {
    (0..=degree).map(|_| number(rng)).collect()
}

/// By Horner's or Clenshaw's rule.
fn direct(basis: Basis, coefficients: &[Complex64], x: Complex64) -> Complex64 {
    let (mut last, mut before) = (Complex64::ZERO, Complex64::ZERO);
    for &c in coefficients.iter().rev() {
        (last, before) = match basis {
            Basis::Power => (c + x * last, Complex64::ZERO),
            Basis::Chebyshev => (c + 2.0 * x * last - before, last),
        };
    }
    if basis == Basis::Chebyshev { last - x * before } else { last }
}

fn check(basis: Basis, polynomials: &[Vec<Complex64>], rng: &mut TestRng) -> Circuit {
    let circuit = Circuit::polynomials(basis, polynomials);
    for _ in 0..4 {
        let x = match basis {
            Basis::Power => Complex64::from_polar(1.0 - 0.1 * rng.unit_f64(), 7.0 * rng.unit_f64()),
            Basis::Chebyshev => Complex64::from(2.0 * rng.unit_f64() - 1.0),
        };
        for (found, coefficients) in circuit.eval(x).into_iter().zip(polynomials) {
            let expected = direct(basis, coefficients, x);
            let size = coefficients.iter().map(|c| c.norm()).sum::<f64>();
            assert!(
                (found - expected).norm() <= 1e-9 * size.sqrt(),
                "{basis:?} {}: {found} {expected}",
                coefficients.len()
            );
        }
    }
    for (level, coefficients) in circuit.output_levels().into_iter().zip(polynomials) {
        assert_eq!(level, (coefficients.len() as f64).log2().ceil() as usize, "{} coefficients", coefficients.len());
    }
    let (earliest, latest) = (circuit.earliest(), circuit.latest());
    assert!(earliest.iter().zip(&latest).all(|(earliest, latest)| earliest <= latest));
    circuit
}

#[test]
fn every_degree_has_its_value_and_the_least_depth() {
    let mut rng = TestRng::new("polyeval", 0);
    for basis in BASES {
        for degree in (1..=200).chain([255, 256, 257, 511, 700, 1023, 1024, 2047, 3000, 4095]) {
            let polynomial = random(&mut rng, degree);
            check(basis, &[polynomial], &mut rng);
        }
    }
}

#[test]
fn small_degrees() {
    let mut rng = TestRng::new("small degrees", 0);
    let counts =
        |coefficients: &[Complex64]| Circuit::polynomials(Basis::Power, &[coefficients.to_vec()]).total_counts();
    for (degree, relinearisations) in [(0, 0), (1, 0), (2, 1), (3, 2), (4, 3)] {
        let polynomial = random(&mut rng, degree);
        assert_eq!(counts(&polynomial).relinearisations, relinearisations, "degree {degree}");
        assert!(counts(&polynomial).rescalings <= 2 * degree);
    }
    let (zero, one) = (Complex64::ZERO, Complex64::ONE);
    for basis in BASES {
        let x = Complex64::from(0.5);
        for (polynomial, depth) in [(vec![], 0), (vec![zero], 0), (vec![one, zero], 0), (vec![zero, one, zero], 0)] {
            let circuit = Circuit::polynomials(basis, core::slice::from_ref(&polynomial));
            assert_eq!((circuit.depth(), circuit.counts().len()), (depth, depth));
            assert_eq!(circuit.eval(x), [direct(basis, &polynomial, x)]);
        }
        assert_eq!(Circuit::polynomials(basis, &[]).outputs(), []);
    }
    // x^8 alone: three squarings.
    let circuit = Circuit::polynomials(Basis::Power, &[(0..9).map(|j| if j == 8 { one } else { zero }).collect()]);
    assert_eq!((circuit.depth(), circuit.steps().len(), circuit.total_counts().squares), (3, 4, 3));
}

#[test]
fn odd_and_even_polynomials_are_cheaper() {
    let mut rng = TestRng::new("parity", 0);
    for basis in BASES {
        for degree in [15, 31, 63, 127, 255, 1023] {
            let dense = random(&mut rng, degree);
            let all = check(basis, core::slice::from_ref(&dense), &mut rng);
            for parity in [0, 1] {
                let keep = |(j, &c): (usize, &Complex64)| if j % 2 == parity { c } else { Complex64::ZERO };
                let mut half: Vec<_> = dense.iter().enumerate().map(keep).collect();
                half.truncate(degree + parity);
                let half = check(basis, &[half], &mut rng);
                let (half_cost, cost) = (half.cost(&Weights::default()), all.cost(&Weights::default()));
                assert!(
                    half_cost < if degree < 1000 { 1.0 } else { 0.8 } * cost,
                    "{basis:?} {degree} {parity}: {half_cost} of {cost}"
                );
                assert!(half.total_counts().multiply_adds <= degree / 2 + 1);
            }
        }
    }
}

#[test]
fn polynomials_share_their_powers() {
    let mut rng = TestRng::new("shared", 0);
    for basis in BASES {
        let one = check(basis, &[random(&mut rng, 255)], &mut rng).total_counts();
        let many: Vec<_> = (0..8).map(|_| random(&mut rng, 255)).collect();
        let many = check(basis, &many, &mut rng).total_counts();
        assert!(many.relinearisations < 3 * one.relinearisations, "{many:?} {one:?}");
        let mixed: Vec<_> = [3, 200, 0, 64, 17].map(|degree| random(&mut rng, degree)).into();
        check(basis, &mixed, &mut rng);
    }
}

#[test]
fn squarings() {
    let mut rng = TestRng::new("squarings", 0);
    let polynomial = random(&mut rng, 20);
    let circuit = Circuit::polynomials(Basis::Power, core::slice::from_ref(&polynomial)).squared(2);
    assert_eq!(circuit.depth(), 7);
    let x = Complex64::new(0.3, -0.4);
    assert!((circuit.eval(x)[0] - direct(Basis::Power, &polynomial, x).powu(4)).norm() < 1e-9);
}

#[test]
fn readings_of_a_small_circuit() {
    // T_3 = 2·T_1·T_2 − T_1 and 5·T_2 + T_2·(T_3 + 1).
    let mut circuit = Circuit::new();
    let x = circuit.input();
    let t2 = circuit.push(Step::Product { a: x, b: x, doubled: true, minus: Minus::One });
    let t3 = circuit.push(Step::Product { a: x, b: t2, doubled: true, minus: Minus::Value(x) });
    let five = circuit.push(Step::Combination { terms: vec![(t2, 5.0.into())], constant: Complex64::ZERO });
    let factor = circuit.push(Step::Combination { terms: vec![(t3, Complex64::ONE)], constant: Complex64::ONE });
    let sum = circuit.push(Step::SumOfProducts { products: vec![(t2, factor)], addends: vec![five] });
    circuit.output(sum);

    let (t2, t3) = (-0.5, -1.0);
    assert_eq!(circuit.eval(0.5.into()), [Complex64::from(5.0 * t2 + t2 * (t3 + 1.0))]);
    assert_eq!(circuit.earliest(), [0, 1, 2, 2, 3, 4]);
    assert_eq!(circuit.latest(), [0, 1, 2, 4, 3, 4]);
    assert_eq!(circuit.inline(), [false, false, false, true, true, false]);
    assert_eq!(circuit.last_use(), [2, 5, 5, 5, 5, 6]);
    // T_2 and T_3, the sum, and a combination.
    assert_eq!(circuit.peak_live(), 4);
    let product = Counts { products: 1, relinearisations: 1, rescalings: 1, ..Counts::default() };
    let combination = Counts { rescalings: 1, multiply_adds: 1, ..Counts::default() };
    let mut last = product;
    last += combination;
    assert_eq!(circuit.counts(), [Counts { squares: 1, ..product }, product, combination, last]);
}

/// The table of the module's documentation.
#[test]
fn table_of_counts() {
    let mut rng = TestRng::new("counts", 0);
    let mut table = String::new();
    for degree in [31, 63, 255, 1023, 4095] {
        let [power, chebyshev] = BASES.map(|basis| Circuit::polynomials(basis, &[random(&mut rng, degree)]));
        let Counts { products, relinearisations, rescalings, multiply_adds, .. } = power.total_counts();
        let (depth, live) = (power.depth(), power.peak_live());
        assert_eq!((power.counts(), live), (chebyshev.counts(), chebyshev.peak_live()));
        table += &format!(
            "//! | {degree} | {depth} | {relinearisations} | {products} | {multiply_adds} | {rescalings} | {live} |\n"
        );
    }
    println!("{table}");
    assert!(include_str!("../polyeval.rs").contains(&table), "the documentation has another table");
}
