//! The number-theoretic transform against plain definitions, and each instruction set against the reference.

use bootes_ring::automorphism::automorphism_balanced_into;
use bootes_ring::error::RingError;
use bootes_ring::isa::Isa;
use bootes_ring::modulus::Modulus;
use bootes_ring::ntt::{self, Automorphism, Ntt};
use bootes_ring::primes;
use bootes_testkit::TestRng;
use std::ops::RangeInclusive;

fn balanced(random: &mut TestRng, p: Modulus, len: usize) -> Vec<f64> {
    (0..len).map(|_| p.balance(p.reduce(random.next_u64()))).collect()
}

fn isas() -> impl Iterator<Item = Isa> {
    Isa::available_here().iter().copied()
}

/// The largest and the smallest prime for the degree, and the largest for words.
fn moduli(degree: usize) -> Vec<Modulus> {
    let below = [50, 47].map(|bits| primes::below(1 << bits, degree).next());
    below.into_iter().chain([primes::above(0, degree).next()]).flatten().collect()
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|x| x.to_bits()).collect()
}

/// P(x) by Horner's rule.
fn evaluate(p: Modulus, coeffs: &[f64], x: u64) -> f64 {
    p.balance(coeffs.iter().rev().fold(0, |sum, &c| p.add(p.mul(sum, x), p.unbalance(c))))
}

/// Coefficients of every pattern that makes partial sums large, up to `bound`·p, and random ones.
fn inputs(p: Modulus, degree: usize, bound: u64) -> Vec<Vec<f64>> {
    let top = (bound * (p.value() / 2)) as f64;
    let mut random = TestRng::new("ntt", degree as u64 ^ p.value());
    let mut inputs = vec![balanced(&mut random, p, degree), vec![top; degree], vec![-top; degree], vec![0.0; degree]];
    for shift in [0, 1, 2, 3, 5, degree.ilog2() - 1] {
        inputs.push((0..degree).map(|j| if j >> shift & 1 == 0 { top } else { -top }).collect());
    }
    inputs.extend((0..4).map(|_| (0..degree).map(|_| if random.next_u64() >> 63 == 0 { top } else { -top }).collect()));
    inputs
}

#[test]
fn positions_and_exponents_are_inverse() {
    for degree in (4..=12).map(|log2| 1 << log2) {
        let mut seen = vec![false; degree];
        for position in 0..degree {
            let exponent = ntt::exponent(degree, position);
            assert!(exponent % 2 == 1 && !std::mem::replace(&mut seen[exponent / 2], true));
            assert_eq!(ntt::position(degree, exponent), position);
            assert_eq!(ntt::position(degree, exponent + 2 * degree), position);
        }
    }
}

#[test]
fn values_are_those_at_the_stated_roots() {
    for degree in (4..=11).chain([13, 16, 17]).map(|log2| 1usize << log2) {
        for p in moduli(degree) {
            let ntt = Ntt::new(degree, p).unwrap();
            let root = p.primitive_root(2 * degree as u64).unwrap();
            for coeffs in inputs(p, degree, 4) {
                let mut values = coeffs.clone();
                ntt.forward(&mut values);
                assert!(values.iter().all(|x| x.abs() <= (p.value() / 2) as f64));
                for position in (0..degree).step_by(if degree > 256 { degree / 16 - 1 } else { 1 }) {
                    let x = p.pow(root, ntt::exponent(degree, position) as u64);
                    assert_eq!(values[position], evaluate(p, &coeffs, x), "{ntt:?} position {position}");
                }
            }
        }
    }
}

#[test]
fn backward_undoes_forward() {
    for degree in (4..=17).map(|log2| 1usize << log2) {
        for p in moduli(degree) {
            for isa in isas() {
                let ntt = Ntt::with_isa(degree, p, isa).unwrap();
                for input in inputs(p, degree, 2) {
                    let expected: Vec<_> = input.iter().map(|&x| p.balance_f64(x)).collect();
                    let mut data = input.clone();
                    ntt.forward(&mut data);
                    ntt.backward(&mut data);
                    assert!(data == expected, "{ntt:?}: backward after forward");
                    data.copy_from_slice(&input);
                    ntt.backward(&mut data);
                    assert!(data.iter().all(|x| x.abs() <= (p.value() / 2) as f64));
                    ntt.forward(&mut data);
                    assert!(data == expected, "{ntt:?}: forward after backward");
                }
            }
        }
    }
}

#[test]
fn transforms_are_bit_equal_on_all_instruction_sets() {
    transforms_are_bit_equal(4..=14);
}

#[test]
fn long_transforms_are_bit_equal_on_all_instruction_sets() {
    transforms_are_bit_equal(15..=17);
}

fn transforms_are_bit_equal(log2_degrees: RangeInclusive<u32>) {
    for degree in log2_degrees.map(|log2| 1usize << log2) {
        for p in moduli(degree) {
            for input in inputs(p, degree, 2) {
                let run = |isa| {
                    let ntt = Ntt::with_isa(degree, p, isa).unwrap();
                    let (mut values, mut coeffs) = (input.clone(), input.clone());
                    ntt.forward(&mut values);
                    ntt.backward(&mut coeffs);
                    [bits(&values), bits(&coeffs)]
                };
                let expected = run(Isa::Scalar);
                for isa in isas() {
                    assert!(run(isa) == expected, "{isa} {degree} {p}");
                }
            }
        }
    }
}

/// Σ_i a_i·b_i modulo X^N + 1, coefficients.
fn schoolbook(p: Modulus, terms: &[(Vec<f64>, Vec<f64>)]) -> Vec<f64> {
    let degree = terms[0].0.len();
    let mut sum = vec![0u64; degree];
    for (a, b) in terms {
        for (i, &a) in a.iter().enumerate() {
            for (j, &b) in b.iter().enumerate() {
                let product = p.mul(p.unbalance(a), p.unbalance(b));
                let to = &mut sum[(i + j) % degree];
                *to = if i + j < degree { p.add(*to, product) } else { p.sub(*to, product) };
            }
        }
    }
    sum.into_iter().map(|x| p.balance(x)).collect()
}

#[test]
fn products_are_negacyclic() {
    for degree in (4..=9).map(|log2| 1usize << log2) {
        for p in moduli(degree) {
            let mut random = TestRng::new("ntt", degree as u64);
            let terms: Vec<_> =
                (0..3).map(|_| (balanced(&mut random, p, degree), balanced(&mut random, p, degree))).collect();
            let (expected, first) = (schoolbook(p, &terms), schoolbook(p, &terms[..1]));
            for isa in isas() {
                let ntt = Ntt::with_isa(degree, p, isa).unwrap();
                let mut values = terms.clone();
                for (a, b) in &mut values {
                    ntt.forward(a);
                    ntt.forward(b);
                }
                let slices: Vec<_> = values.iter().map(|(a, b)| (a.as_slice(), b.as_slice())).collect();
                let mut sum = vec![f64::NAN; degree];
                ntt.sum_of_products_into(&mut sum, &slices);
                ntt.backward(&mut sum);
                assert!(sum == expected, "{ntt:?}");
                let mut product = values[0].0.clone();
                ntt.mul_assign(&mut product, &values[0].1);
                ntt.backward(&mut product);
                assert!(product == first, "{ntt:?}");
            }
        }
    }
}

/// Matrices of any shape, entries and residues as large as they can be, or random.
#[test]
fn matrix_products_are_exact_at_the_extremes() {
    let degree = 16;
    for p in moduli(degree).into_iter().chain(primes::below(1 << 25, degree).take(1)) {
        let top = (p.value() / 2) as f64;
        let mut random = TestRng::new("matrix", p.value());
        for (rows, columns) in [(1, 1), (2, 3), (3, 127), (9, 128), (17, 129), (4, 300)] {
            // Two digits, three, four and five, and as much as these bear.
            for (size, extreme, aligned) in [
                (1u64 << 17, false, false),
                (1 << 28, false, false),
                (1 << 32, false, false),
                (1 << 33, true, false),
                (1 << 33, true, true),
                (1 << 37, false, false),
                (1 << 37, true, false),
                (1 << 37, true, true),
            ] {
                let mut entry = || {
                    let sign = if aligned || random.next_u64() >> 63 == 0 { 1.0 } else { -1.0 };
                    sign * if extreme { size as f64 } else { random.below(size) as f64 }
                };
                let matrix: Vec<Vec<f64>> = (0..rows).map(|_| (0..columns).map(|_| entry()).collect()).collect();
                let x: Vec<Vec<f64>> = (0..columns)
                    .map(|b| match (extreme, b % 2) {
                        // Digits as large as they can be, all of one sign.
                        (true, _) if aligned => {
                            vec![top.min(f64::from(1 << 12) * (1.0 + 2f64.powi(13) + 2f64.powi(26))); 2 * degree]
                        }
                        (true, 0) => vec![top; 2 * degree],
                        (true, _) => vec![-top; 2 * degree],
                        _ => [balanced(&mut random, p, degree), balanced(&mut random, p, degree)].concat(),
                    })
                    .collect();
                let entry = |row: &[f64], j: usize| {
                    let sum = row.iter().zip(&x).map(|(&c, x)| c as i128 * x[j] as i128).sum::<i128>();
                    p.balance(sum.rem_euclid(p.value().into()) as u64)
                };
                let expected: Vec<Vec<f64>> =
                    matrix.iter().map(|row| (0..2 * degree).map(|j| entry(row, j)).collect()).collect();
                let rows: Vec<&[f64]> = matrix.iter().map(Vec::as_slice).collect();
                let columns: Vec<&[f64]> = x.iter().map(Vec::as_slice).collect();
                for isa in isas() {
                    let ntt = Ntt::with_isa(degree, p, isa).unwrap();
                    let mut out = vec![vec![f64::NAN; 2 * degree]; rows.len()];
                    let mut slices: Vec<&mut [f64]> = out.iter_mut().map(Vec::as_mut_slice).collect();
                    ntt.matrix_product_into(&mut slices, &rows, &columns);
                    assert!(out == expected, "{ntt:?} {} x {}, {size}", rows.len(), columns.len());
                }
            }
        }
    }
}

/// Sums of any number of terms, all of them as large as they can be, or random.
#[test]
fn pointwise_operations_are_exact_at_the_extremes() {
    let degree = 16;
    for p in moduli(degree).into_iter().chain(primes::below(1 << 25, degree).take(1)) {
        let top = (p.value() / 2) as f64;
        let mut random = TestRng::new("ntt", p.value());
        for count in (0..=20).chain([64, 1000]) {
            for kind in 0..4 {
                let mut operand = |sign: f64| match kind {
                    0 => vec![top; degree],
                    1 => vec![sign * top; degree],
                    2 => (0..degree).map(|_| if random.next_u64() >> 63 == 0 { top } else { -top }).collect(),
                    _ => balanced(&mut random, p, degree),
                };
                let terms: Vec<(Vec<f64>, Vec<f64>)> = (0..count).map(|_| (operand(1.0), operand(-1.0))).collect();
                let slices: Vec<_> = terms.iter().map(|(a, b)| (a.as_slice(), b.as_slice())).collect();
                let expected: Vec<_> = (0..degree)
                    .map(|j| {
                        let products = terms.iter().map(|(a, b)| p.mul(p.unbalance(a[j]), p.unbalance(b[j])));
                        p.balance(products.fold(0, |sum, x| p.add(sum, x)))
                    })
                    .collect();
                for isa in isas() {
                    let ntt = Ntt::with_isa(degree, p, isa).unwrap();
                    let mut sum = vec![f64::NAN; degree];
                    ntt.sum_of_products_into(&mut sum, &slices);
                    assert!(sum == expected, "{ntt:?} {count} terms of kind {kind}");
                    let Some((a, b)) = terms.first() else { continue };
                    let by_words = |f: fn(Modulus, u64, u64) -> u64| -> Vec<f64> {
                        let words = a.iter().zip(b).map(|(&a, &b)| f(p, p.unbalance(a), p.unbalance(b)));
                        words.map(|x| p.balance(x)).collect()
                    };
                    let mut result = a.clone();
                    ntt.add_assign(&mut result, b);
                    assert!(result == by_words(Modulus::add));
                    result.copy_from_slice(a);
                    ntt.sub_assign(&mut result, b);
                    assert!(result == by_words(Modulus::sub));
                    result.copy_from_slice(a);
                    ntt.mul_assign(&mut result, b);
                    assert!(result == by_words(Modulus::mul));
                    result.fill((1u64 << 52) as f64 - 1.0);
                    let w = p.unbalance(a[0]);
                    ntt.mul_factor_assign(&mut result, p.factor(w));
                    assert!(result == [p.balance(p.mul(w, p.reduce((1 << 52) - 1))); 16]);
                }
            }
        }
    }
}

/// Integers |x| < 2^52 where balancing is hardest: the ends, and about odd multiples of p/2 near them and near 0; and random ones.
fn hard_integers(p: Modulus, random: &mut TestRng) -> Vec<f64> {
    let (end, size) = ((1i64 << 52) - 1, p.value() as i64);
    let last = end / size;
    let near = [0, 1, last / 2, last - 1, last].into_iter().flat_map(|k| [k * size, k * size + size / 2]);
    let near = near.flat_map(|x| [x - 1, x, x + 1]).chain([end, end - 1]).filter(|x| (0..=end).contains(x));
    let mut all: Vec<_> = near.flat_map(|x| [x as f64, -x as f64]).collect();
    all.resize_with(96, || (random.next_u64() >> 11) as f64 - (1i64 << 52) as f64);
    all.iter_mut().for_each(|x| *x = x.max(-end as f64));
    all
}

/// Against integers of 128 bits, for all pairs of inputs at the ends of their ranges.
#[test]
fn products_by_a_factor_and_balancing_are_exact_at_the_extremes() {
    let degree = 16;
    for p in moduli(degree).into_iter().chain(primes::below(1 << 25, degree).take(1)) {
        let mut random = TestRng::new("ntt", p.value());
        let exact = |x: i128| p.balance(x.rem_euclid(i128::from(p.value())) as u64);
        let half = (p.value() / 2) as f64;
        let hard = hard_integers(p, &mut random);
        let residues =
            [[half, -half, half - 1.0, 1.0 - half, 1.0, -1.0, 0.0].to_vec(), balanced(&mut random, p, 9)].concat();
        let pairs =
            |values: &[f64]| -> Vec<_> { values.iter().flat_map(|&a| values.iter().map(move |&b| (a, b))).collect() };
        let mut differences = pairs(&hard);
        differences.retain(|(a, b)| (b - a).abs() < 2f64.powi(52));
        differences.resize(differences.len().next_multiple_of(degree), (0.0, 0.0));
        let split = |pairs: &[(f64, f64)]| -> (Vec<f64>, Vec<f64>) { pairs.iter().copied().unzip() };
        for isa in isas() {
            let ntt = Ntt::with_isa(degree, p, isa).unwrap();
            let mut out = vec![f64::NAN; hard.len()];
            ntt.balance_into(&mut out, &hard);
            let expected: Vec<_> = hard.iter().map(|&x| exact(x as i128)).collect();
            assert!(out == expected, "{ntt:?}: balanced");
            for w in [half, -half, half - 1.0, 1.0, 0.0, residues[9]] {
                let factor = p.factor(p.unbalance(w));
                for pairs in differences.chunks(degree) {
                    let (mut a, b) = split(pairs);
                    let expected: Vec<_> =
                        pairs.iter().map(|&(a, b)| exact((b as i128 - a as i128) * w as i128)).collect();
                    ntt.rsub_mul_factor_assign(&mut a, &b, factor);
                    assert!(a == expected, "{ntt:?}: {w}·(b − a)");
                }
                for pairs in pairs(&residues).chunks(degree) {
                    let (mut a, b) = split(pairs);
                    let expected: Vec<_> =
                        pairs.iter().map(|&(a, b)| exact(a as i128 + w as i128 * b as i128)).collect();
                    ntt.add_mul_factor_assign(&mut a, &b, factor);
                    assert!(a == expected, "{ntt:?}: a + {w}·b");
                }
            }
        }
    }
}

#[test]
fn automorphisms_permute_values() {
    for degree in [16, 32, 64, 256, 2048] {
        let p = primes::below(1 << 50, degree).next().unwrap();
        let ntt = Ntt::new(degree, p).unwrap();
        let coeffs = balanced(&mut TestRng::new("ntt", 1), p, degree);
        let mut values = coeffs.clone();
        ntt.forward(&mut values);
        for g in (1..64).step_by(2).chain([degree + 1, 2 * degree - 1, 2 * degree + 7]) {
            let automorphism = Automorphism::new(degree, g);
            assert_eq!((automorphism.degree(), automorphism.exponent()), (degree, g % (2 * degree)));
            let (mut image, mut permuted) = (vec![0.0; degree], vec![0.0; degree]);
            automorphism_balanced_into(&mut image, &coeffs, g);
            ntt.forward(&mut image);
            automorphism.apply_into(&mut permuted, &values);
            assert!(image == permuted, "degree {degree} g {g}");
            for isa in Isa::ALL {
                permuted.fill(0.0);
                Automorphism::on(isa, degree, g).apply_into(&mut permuted, &values);
                assert!(image == permuted, "degree {degree} g {g} {isa}");
            }
        }
    }
}

#[test]
fn plans_that_cannot_be_are_refused() {
    let p = Modulus::new(97).unwrap();
    assert!(Ntt::new(16, p).is_ok());
    assert_eq!(Ntt::new(64, p).err(), Some(RingError::RootOrder { modulus: 97, order: 128 }));
    for degree in [0, 8, 24, 1 << 18] {
        assert_eq!(Ntt::new(degree, p).err(), Some(RingError::Degree { found: degree, min: 16, max: 1 << 17 }));
    }
}

#[test]
#[should_panic(expected = "are not all N")]
fn wrong_lengths_panic() {
    Ntt::new(16, Modulus::new(97).unwrap()).unwrap().forward(&mut [0.0; 32]);
}
