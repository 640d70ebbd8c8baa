use super::{
    ArithmeticCircuit, Gate, GateCounts, Id, Minus, PolynomialBasis, Residue, ResidueError, ResidueReading, Weights,
};
use bootes_testkit::TestRng;
use num_complex::Complex64;

const BASES: [PolynomialBasis; 2] = [PolynomialBasis::Power, PolynomialBasis::Chebyshev];

fn number(rng: &mut TestRng) -> Complex64 {
    Complex64::new(2.0 * rng.unit_f64() - 1.0, 2.0 * rng.unit_f64() - 1.0)
}

fn random(rng: &mut TestRng, degree: usize) -> Vec<Complex64> {
    (0..=degree).map(|_| number(rng)).collect()
}

/// By Horner's or Clenshaw's rule.
fn direct(basis: PolynomialBasis, coefficients: &[Complex64], x: Complex64) -> Complex64 {
    let (mut last, mut before) = (Complex64::ZERO, Complex64::ZERO);
    for &c in coefficients.iter().rev() {
        (last, before) = match basis {
            PolynomialBasis::Power => (c + x * last, Complex64::ZERO),
            PolynomialBasis::Chebyshev => (c + 2.0 * x * last - before, last),
        };
    }
    if basis == PolynomialBasis::Chebyshev { last - x * before } else { last }
}

fn check(basis: PolynomialBasis, polynomials: &[Vec<Complex64>], rng: &mut TestRng) -> ArithmeticCircuit {
    let circuit = ArithmeticCircuit::polynomials(basis, polynomials);
    for _ in 0..4 {
        let x = match basis {
            PolynomialBasis::Power => Complex64::from_polar(1.0 - 0.1 * rng.unit_f64(), 7.0 * rng.unit_f64()),
            PolynomialBasis::Chebyshev => Complex64::from(2.0 * rng.unit_f64() - 1.0),
        };
        for (found, coefficients) in circuit.eval(&[x]).into_iter().zip(polynomials) {
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
    let counts = |coefficients: &[Complex64]| {
        ArithmeticCircuit::polynomials(PolynomialBasis::Power, &[coefficients.to_vec()]).total_counts()
    };
    for (degree, relinearisations) in [(0, 0), (1, 0), (2, 1), (3, 2), (4, 3)] {
        let polynomial = random(&mut rng, degree);
        assert_eq!(counts(&polynomial).relinearisations, relinearisations, "degree {degree}");
        assert!(counts(&polynomial).rescalings <= 2 * degree);
    }
    let (zero, one) = (Complex64::ZERO, Complex64::ONE);
    for basis in BASES {
        let x = Complex64::from(0.5);
        for (polynomial, depth) in [(vec![], 0), (vec![zero], 0), (vec![one, zero], 0), (vec![zero, one, zero], 0)] {
            let circuit = ArithmeticCircuit::polynomials(basis, core::slice::from_ref(&polynomial));
            assert_eq!((circuit.depth(), circuit.counts().len()), (depth, depth));
            assert_eq!(circuit.eval(&[x]), [direct(basis, &polynomial, x)]);
        }
        assert_eq!(ArithmeticCircuit::<Complex64>::polynomials(basis, &[]).outputs(), []);
    }
    // x^8 alone: three squarings.
    let circuit = ArithmeticCircuit::polynomials(
        PolynomialBasis::Power,
        &[(0..9).map(|j| if j == 8 { one } else { zero }).collect()],
    );
    assert_eq!((circuit.depth(), circuit.gates().len(), circuit.total_counts().squares), (3, 4, 3));
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
    let circuit = ArithmeticCircuit::polynomials(PolynomialBasis::Power, core::slice::from_ref(&polynomial)).squared(2);
    assert_eq!(circuit.depth(), 7);
    let x = Complex64::new(0.3, -0.4);
    assert!((circuit.eval(&[x])[0] - direct(PolynomialBasis::Power, &polynomial, x).powu(4)).norm() < 1e-9);
}

#[test]
fn readings_of_a_small_circuit() {
    // T_3 = 2·T_1·T_2 − T_1 and 5·T_2 + T_2·(T_3 + 1).
    let mut circuit = ArithmeticCircuit::new(1);
    let x = circuit.input(0);
    let t2 = circuit.push(Gate::Product { a: x, b: x, doubled: true, minus: Minus::One });
    let t3 = circuit.push(Gate::Product { a: x, b: t2, doubled: true, minus: Minus::Value(x) });
    let five = circuit.push(Gate::Combination { terms: vec![(t2, 5.0.into())], constant: Complex64::ZERO });
    let factor = circuit.push(Gate::Combination { terms: vec![(t3, Complex64::ONE)], constant: Complex64::ONE });
    let sum = circuit.push(Gate::SumOfProducts { products: vec![(t2, factor)], addends: vec![five] });
    circuit.output(sum);

    let (t2, t3) = (-0.5, -1.0);
    assert_eq!(circuit.eval(&[0.5.into()]), [Complex64::from(5.0 * t2 + t2 * (t3 + 1.0))]);
    assert_eq!(circuit.earliest(), [0, 1, 2, 2, 3, 4]);
    assert_eq!(circuit.latest(), [0, 1, 2, 4, 3, 4]);
    assert_eq!(circuit.inline(), [false, false, false, true, true, false]);
    assert_eq!(circuit.last_use(), [2, 5, 5, 5, 5, 6]);
    // T_2 and T_3, the sum, and a combination.
    assert_eq!(circuit.peak_live(), 4);
    let product = GateCounts { products: 1, relinearisations: 1, rescalings: 1, ..GateCounts::default() };
    let combination = GateCounts { rescalings: 1, multiply_adds: 1, ..GateCounts::default() };
    let mut last = product;
    last += combination;
    assert_eq!(circuit.counts(), [GateCounts { squares: 1, ..product }, product, combination, last]);
}

/// The table of the module's documentation.
#[test]
fn table_of_counts() {
    let mut rng = TestRng::new("counts", 0);
    let mut table = String::new();
    for degree in [31, 63, 255, 1023, 4095] {
        let [power, chebyshev] = BASES.map(|basis| ArithmeticCircuit::polynomials(basis, &[random(&mut rng, degree)]));
        let GateCounts { products, relinearisations, rescalings, multiply_adds, .. } = power.total_counts();
        let (depth, live) = (power.depth(), power.peak_live());
        assert_eq!((power.counts(), live), (chebyshev.counts(), chebyshev.peak_live()));
        table += &format!(
            "//! | {degree} | {depth} | {relinearisations} | {products} | {multiply_adds} | {rescalings} | {live} |\n"
        );
    }
    println!("{table}");
    assert!(include_str!("../polyeval.rs").contains(&table), "the documentation has another table");
}

/// All residues modulo p^e, and the value of a circuit of one input there.
fn on_all<'a>(
    circuit: &'a ArithmeticCircuit<i64>,
    prime: u64,
    exponent: u32,
) -> impl Iterator<Item = (u64, Result<Vec<Residue>, ResidueError>)> + 'a {
    let value = move |x: u64| circuit.run(&mut ResidueReading { inputs: &[x], prime, exponent }, |_, _| ());
    (0..prime.pow(exponent)).map(move |x| (x, value(x)))
}

#[test]
fn polynomials_of_integers() {
    let mut rng = TestRng::new("integers", 0);
    for basis in BASES {
        for (prime, exponent) in [(2u64, 5), (3, 4), (17, 2), (257, 1)] {
            let modulus = prime.pow(exponent) as i64;
            for degree in [0, 1, 2, 3, 7, 12, 31, 100] {
                let mut random = || rng.below(modulus as u64) as i64 - modulus / 2;
                let polynomials: [Vec<i64>; 2] = [(); 2].map(|()| (0..=degree).map(|_| random()).collect());
                let circuit = ArithmeticCircuit::polynomials(basis, &polynomials);
                for (x, values) in on_all(&circuit, prime, exponent) {
                    for (found, coefficients) in values.unwrap().into_iter().zip(&polynomials) {
                        let (x, mut last, mut before) = (x as i64, 0, 0);
                        for &c in coefficients.iter().rev() {
                            (last, before) = match basis {
                                PolynomialBasis::Power => ((c + x * last) % modulus, 0),
                                PolynomialBasis::Chebyshev => ((c + 2 * x * last - before) % modulus, last),
                            };
                        }
                        let expected = (last - x * before).rem_euclid(modulus) as u64;
                        assert_eq!(found, Residue { value: expected, exponent }, "{basis:?} {degree} at {x}");
                    }
                }
                // No level for constants: at most those of complex numbers.
                assert!(circuit.depth() <= (degree + 1usize).next_power_of_two().ilog2() as usize);
                assert!(circuit.counts().len() == circuit.depth() + 1);
            }
        }
    }
}

/// x^(p^(e−1)) is the lowest balanced digit of x modulo p^e, for p = 2 and 3: its lift.
fn lowest_digit(circuit: &mut ArithmeticCircuit<i64>, x: Id, prime: u64, exponent: u32) -> Id {
    (1..exponent).fold(x, |x, _| {
        let square = circuit.square(x);
        if prime == 2 { square } else { circuit.product(square, x) }
    })
}

/// (x − its lowest digit)/p.
fn without_lowest_digit(circuit: &mut ArithmeticCircuit<i64>, x: Id, digit: Id, prime: u64) -> Id {
    let rest = circuit.push(Gate::Combination { terms: vec![(x, 1), (digit, -1)], constant: 0 });
    circuit.push(Gate::ExactDivision { dividend: rest, divisor: prime })
}

/// Digits are removed one after the other and divided away: x = d_0 + p·d_1 + p²·d_2 + … modulo p^e.
#[test]
fn digits_are_removed_and_divided_away() {
    for (prime, most) in [(2u64, 6), (3, 4)] {
        for digits in 2..=most {
            let mut circuit = ArithmeticCircuit::new(1);
            let mut x = circuit.input(0);
            for exponent in (2..=digits).rev() {
                let digit = lowest_digit(&mut circuit, x, prime, exponent);
                circuit.output(digit);
                x = without_lowest_digit(&mut circuit, x, digit, prime);
            }
            circuit.output(x);
            let lift = if prime == 2 { 1 } else { 2 };
            // A combination and a division take no level.
            assert_eq!(circuit.depth(), (1..digits).sum::<u32>() as usize * lift);
            for (x, found) in on_all(&circuit, prime, digits) {
                let found = found.unwrap();
                let exponents: Vec<u32> = found.iter().map(|digit| digit.exponent).collect();
                assert_eq!(exponents, (1..=digits).rev().collect::<Vec<_>>());
                let (mut sum, mut unit) = (0i64, 1);
                for Residue { value, exponent } in found {
                    let (value, modulus) = (value as i64, prime.pow(exponent) as i64);
                    let digit = if 2 * value > modulus { value - modulus } else { value };
                    assert!(digit.abs() < 2, "a digit of {x} modulo {prime} is {digit}");
                    sum += unit * digit;
                    unit *= prime as i64;
                }
                assert_eq!(sum.rem_euclid(unit) as u64, x, "modulo {prime}^{digits}");
            }
        }
    }
}

/// Two inputs, and what integers do not have.
#[test]
fn several_inputs_and_refusals() {
    let mut circuit = ArithmeticCircuit::new(2);
    let (x, y) = (circuit.input(0), circuit.input(1));
    let product = circuit.push(Gate::SumOfProducts { products: vec![(x, y), (x, x)], addends: vec![y] });
    circuit.output(product);
    for (a, b) in (0..27).flat_map(|a| (0..27).map(move |b| (a, b))) {
        let found = circuit.run(&mut ResidueReading { inputs: &[a, b], prime: 3, exponent: 3 }, |_, _| ());
        assert_eq!(found, Ok(vec![Residue { value: (a * b + a * a + b) % 27, exponent: 3 }]));
    }
    let refused = |gates: &[Gate<i64>]| {
        let mut circuit = ArithmeticCircuit::new(1);
        for gate in gates {
            circuit.push(gate.clone());
        }
        circuit.read(&mut ResidueReading { inputs: &[7], prime: 3, exponent: 2 }).unwrap_err()
    };
    let divided = |divisor| Gate::ExactDivision { dividend: Id(0), divisor };
    assert_eq!(refused(&[divided(3)]), ResidueError::NotDivisible { gate: 1, value: 7, divisor: 3 });
    for divisor in [2, 9] {
        assert_eq!(refused(&[divided(divisor)]), ResidueError::Divisor { gate: 1, divisor, prime: 3, exponent: 2 });
    }
    let three = Gate::Combination { terms: vec![], constant: 3 };
    let other = Gate::ExactDivision { dividend: Id(1), divisor: 3 };
    let mixed = Gate::Product { a: Id(0), b: Id(2), doubled: false, minus: Minus::Nothing };
    assert_eq!(refused(&[three, other, mixed]), ResidueError::Moduli { gate: 3, prime: 3, exponents: [2, 1] });
}
