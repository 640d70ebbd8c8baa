//! The transforms against plain definitions, and each instruction set against the reference.

use bootes_ring::fft::{BlockRotation, BlockShape, Fft, block_error_std, error_std};
use bootes_ring::gadget::Gadget;
use bootes_ring::isa::Isa;
use bootes_ring::word::sub_linear_combination_u32;
use bootes_testkit::TestRng;

fn words(random: &mut TestRng, len: usize) -> Vec<u64> {
    (0..len).map(|_| random.next_u64()).collect()
}

/// Uniform in ±2^`bits`/2.
fn integers(random: &mut TestRng, len: usize, bits: u32) -> Vec<i64> {
    (0..len).map(|_| random.next_u64() as i64 >> (64 - bits)).collect()
}

fn isas() -> impl Iterator<Item = Isa> {
    Isa::available_here().iter().copied()
}

fn degrees(log2: std::ops::RangeInclusive<u32>) -> impl Iterator<Item = usize> {
    log2.map(|log2| 1 << log2)
}

/// acc += a·b modulo X^N + 1 and 2^64.
fn add_product(acc: &mut [u64], a: &[i64], b: &[u64]) {
    let degree = acc.len();
    for (i, &a) in a.iter().enumerate() {
        for (j, &b) in b.iter().enumerate() {
            let product = (a as u64).wrapping_mul(b);
            if i + j < degree {
                acc[i + j] = acc[i + j].wrapping_add(product);
            } else {
                acc[i + j - degree] = acc[i + j - degree].wrapping_sub(product);
            }
        }
    }
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn points_are_values_at_the_stated_roots() {
    for degree in degrees(5..=11).chain([1 << 13]) {
        let fft = Fft::new(degree).unwrap();
        let coeffs = integers(&mut TestRng::new("fft", degree as u64), degree, 20);
        let mut freq = vec![0.0; degree];
        fft.forward_integer(&mut freq, &coeffs);
        let mut seen = vec![false; degree / 2];
        for position in 0..degree / 2 {
            let e = fft.exponent(position);
            assert_eq!(e % 4, 1);
            assert!(!std::mem::replace(&mut seen[e / 4], true));
            if degree > 2048 && position % 61 != 0 {
                continue;
            }
            let (mut re, mut im) = (0.0, 0.0);
            for (j, &c) in coeffs.iter().enumerate() {
                let (sin, cos) = (std::f64::consts::PI * (e * j % (2 * degree)) as f64 / degree as f64).sin_cos();
                re += c as f64 * cos;
                im += c as f64 * sin;
            }
            let at = position / 8 * 16 + position % 8;
            let error = (re - freq[at]).hypot(im - freq[at + 8]);
            assert!(error < 1e-3, "degree {degree} position {position} error {error}");
        }
    }
}

#[test]
fn products_are_negacyclic() {
    for isa in isas() {
        for degree in degrees(5..=10) {
            let fft = Fft::with_isa(degree, isa).unwrap();
            let mut random = TestRng::new("fft", 7 + degree as u64);
            let a = integers(&mut random, degree, 10);
            let b = words(&mut random, degree);
            let mut acc = words(&mut random, degree);
            let mut expected = acc.clone();
            add_product(&mut expected, &a, &b);
            let (mut x, mut y, mut z) = (vec![0.0; degree], vec![0.0; degree], vec![f64::NAN; degree]);
            fft.forward_integer(&mut x, &a);
            fft.forward_torus(&mut y, &b);
            fft.mul(&mut z, &x, &y);
            fft.backward_add_torus(&mut acc, &mut z);
            let worst = acc.iter().zip(&expected).map(|(&x, &y)| (x.wrapping_sub(y) as i64).unsigned_abs()).max();
            assert!(worst.unwrap() < 1 << 28, "{isa} {degree} {worst:?}");
        }
    }
}

#[test]
fn small_products_are_exact() {
    for isa in isas() {
        for degree in degrees(5..=17) {
            let fft = Fft::with_isa(degree, isa).unwrap();
            let mut random = TestRng::new("fft", degree as u64);
            let a = integers(&mut random, degree, 5);
            let mut b = vec![0; degree];
            b[degree - 1] = 3;
            b[0] = -1;
            let (mut x, mut y, mut z) = (vec![0.0; degree], vec![0.0; degree], vec![0.0; degree]);
            fft.forward_integer(&mut x, &a);
            fft.forward_integer(&mut y, &b);
            fft.mul_add(&mut z, &x, &y);
            fft.backward_f64(&mut x, &mut z);
            for j in 0..degree {
                let next = if j + 1 < degree { a[j + 1] } else { -a[0] };
                assert!((x[j] - (-a[j] - 3 * next) as f64).abs() < 1e-9, "{isa} {degree} {j} {}", x[j]);
            }
        }
    }
}

#[test]
fn transforms_are_bit_equal_on_all_instruction_sets() {
    for degree in degrees(5..=14) {
        let mut random = TestRng::new("fft", 3);
        let coeffs = integers(&mut random, degree, 51);
        let mut torus = words(&mut random, degree);
        torus[..6].copy_from_slice(&[0, 1, u64::MAX, 1 << 63, i64::MAX as u64, (1 << 53) + 1]);
        let old = words(&mut random, degree);
        let gadget = Gadget::try_new(9, 4).unwrap();
        let run = |isa| {
            let fft = Fft::with_isa(degree, isa).unwrap();
            let mut results = vec![vec![0.0; degree]; 3];
            fft.forward_integer(&mut results[0], &coeffs);
            fft.forward_torus(&mut results[1], &torus);
            fft.forward_digit(&mut results[2], &torus, gadget, 3);
            let mut product = vec![0.0; degree];
            fft.mul(&mut product, &results[1], &results[2]);
            fft.mul_add(&mut product, &results[2], &results[1]);
            let (mut acc, mut plain, mut copy) = (old.clone(), vec![0.0; degree], product.clone());
            fft.backward_add_torus(&mut acc, &mut copy);
            fft.backward_f64(&mut plain, &mut product.clone());
            results.extend([product, plain]);
            (results.iter().map(|result| bits(result)).collect::<Vec<_>>(), acc)
        };
        let expected = run(Isa::Scalar);
        for isa in isas() {
            assert!(run(isa) == expected, "{isa} {degree}");
        }
    }
}

#[test]
fn transforms_in_place_are_the_same() {
    for degree in degrees(5..=14) {
        let coeffs = integers(&mut TestRng::new("fft", 9), degree, 30);
        let half = degree / 2;
        // Where the parts of complex number j stand.
        let places: Vec<_> = (0..half).map(|j| (j / 8 * 16 + j % 8, j / 8 * 16 + j % 8 + 8)).collect();
        let mut folded = vec![0.0; degree];
        for (j, &(re, im)) in places.iter().enumerate() {
            (folded[re], folded[im]) = (coeffs[j] as f64, coeffs[j + half] as f64);
        }
        for isa in isas() {
            let fft = Fft::with_isa(degree, isa).unwrap();
            let (mut freq, mut out, mut in_place) = (vec![0.0; degree], vec![0.0; degree], folded.clone());
            fft.forward_integer(&mut freq, &coeffs);
            fft.forward_in_place(&mut in_place);
            assert!(bits(&freq) == bits(&in_place), "{isa} {degree} forward");
            fft.backward_f64(&mut out, &mut freq);
            fft.backward_in_place(&mut in_place);
            for (j, &(re, im)) in places.iter().enumerate() {
                let found = [in_place[re], in_place[im]].map(|x| x / half as f64);
                assert!(bits(&found) == bits(&[out[j], out[j + half]]), "{isa} {degree} {j} backward");
            }
        }
    }
}

#[test]
fn digits_are_those_of_the_gadget() {
    for isa in isas() {
        for (log2_base, levels) in [(1, 3), (7, 3), (23, 1), (32, 2), (8, 8)] {
            let gadget = Gadget::try_new(log2_base, levels).unwrap();
            for degree in [32, 64, 128, 256, 512, 1024] {
                let fft = Fft::with_isa(degree, isa).unwrap();
                let words = words(&mut TestRng::new("fft", 5), degree);
                for level in 1..=levels {
                    let digits: Vec<_> = words.iter().map(|&x| gadget.digit(x, level)).collect();
                    let (mut fused, mut plain) = (vec![0.0; degree], vec![0.0; degree]);
                    fft.forward_digit(&mut fused, &words, gadget, level);
                    fft.forward_integer(&mut plain, &digits);
                    assert!(bits(&fused) == bits(&plain), "{isa} {gadget:?} {level} {degree}");
                    if log2_base * levels < 64 {
                        let digits: Vec<_> = words.iter().map(|&x| gadget.odd_digit(x, level)).collect();
                        fft.forward_odd_digit(&mut fused, &words, gadget, level);
                        fft.forward_integer(&mut plain, &digits);
                        assert!(bits(&fused) == bits(&plain), "{isa} {gadget:?} {level} {degree} odd");
                    }
                    if log2_base * levels < 63 {
                        let digits: Vec<_> = words.iter().map(|&x| gadget.odd_digit(x << 1, level)).collect();
                        fft.forward_odd_digit_of_half(&mut fused, &words, gadget, level);
                        fft.forward_integer(&mut plain, &digits);
                        assert!(bits(&fused) == bits(&plain), "{isa} {gadget:?} {level} {degree} of half");
                    }
                }
            }
        }
    }
}

/// The constant polynomial has the same value everywhere, and its inverse transform is exact.
#[test]
fn accumulation_wraps_exactly() {
    let two_64 = 2f64.powi(64);
    let fractions = [0.5, -0.5, 0.25, 1.5, -1.5, 2.5, -1e9 - 0.5, 0.5 - 2f64.powi(-53), 2f64.powi(40) + 0.375];
    let tiny = [0.5, 1.5, -0.5, -1.5, 2.5, 0.500001, 1e9 + 0.5, -1e9 - 0.5, 4_294_967_295.5, -2_147_483_648.5];
    let values = fractions.into_iter().chain(tiny.map(|x| x / two_64)).chain([1.0 - 2f64.powi(-53), 0.0]);
    for value in values {
        let fraction = value - value.round_ties_even();
        let expected = (fraction * two_64).round_ties_even() as i128 as u64;
        for isa in isas() {
            for degree in [32, 128, 256, 1024, 2048] {
                let fft = Fft::with_isa(degree, isa).unwrap();
                let mut freq: Vec<_> = (0..degree).map(|j| if j % 16 < 8 { value } else { 0.0 }).collect();
                let mut acc: Vec<_> = (0..degree as u64).map(|j| u64::MAX - j).collect();
                fft.backward_add_torus(&mut acc, &mut freq);
                for (j, &word) in acc.iter().enumerate() {
                    let old = u64::MAX - j as u64;
                    let expected = if j == 0 { old.wrapping_add(expected) } else { old };
                    assert_eq!(word, expected, "{isa} {degree} {value:e} {j}");
                }
            }
        }
    }
}

/// X^exponent·a modulo X^n + 1.
fn rotate(a: &[i64], exponent: usize) -> Vec<i64> {
    let n = a.len();
    let mut rotated = vec![0; n];
    for (j, &a) in a.iter().enumerate() {
        let to = (j + exponent) % (2 * n);
        if to < n {
            rotated[to] = a;
        } else {
            rotated[to - n] = -a;
        }
    }
    rotated
}

#[test]
fn block_rotation_agrees_with_coefficients() {
    let mut random = TestRng::new("fft", 11);
    let shapes = [(2, 2), (3, 3), (4, 2), (5, 5), (1, 1), (6, 3)];
    for degree in [32, 64, 128] {
        for (extension, (rows, cols)) in [1, 2, 3, 5].into_iter().flat_map(|nu| shapes.map(|shape| (nu, shape))) {
            let block = 1 + random.next_u64() as usize % 4;
            let shape = BlockShape { extension, rows, cols, block };
            let n = extension * degree;
            let special = [0, n, 1, 2 * n - 1, extension % (2 * n), n - 1, 2 * n - extension];
            let exponents: Vec<_> = (0..block)
                .map(|_| match random.next_u64() as usize % 10 {
                    choice @ 0..7 => special[choice] as u32,
                    _ => (random.next_u64() as usize % (2 * n)) as u32,
                })
                .collect();
            let polynomials: Vec<_> = (0..rows).map(|_| integers(&mut random, n, 8)).collect();
            let keys: Vec<_> = (0..block * rows * cols).map(|_| words(&mut random, degree)).collect();

            let mut expected = vec![vec![0u64; degree]; extension * cols];
            for i in 0..block {
                for row in 0..rows {
                    let mut difference = rotate(&polynomials[row], exponents[i] as usize);
                    difference.iter_mut().zip(&polynomials[row]).for_each(|(x, y)| *x -= y);
                    for c in 0..extension {
                        let component: Vec<_> = difference[c..].iter().step_by(extension).copied().collect();
                        for col in 0..cols {
                            let key = &keys[(i * rows + row) * cols + col];
                            add_product(&mut expected[c * cols + col], &component, key);
                        }
                    }
                }
            }

            let mut reference: Option<Vec<u64>> = None;
            for isa in isas() {
                let fft = Fft::with_isa(degree, isa).unwrap();
                let mut key = vec![0.0; shape.key_len(degree)];
                let mut freq = vec![0.0; degree];
                for (index, polynomial) in keys.iter().enumerate() {
                    fft.forward_torus(&mut freq, polynomial);
                    let place = (index / cols / rows, index / cols % rows, index % cols);
                    fft.pack_key(shape, &mut key, place, &freq);
                }
                let mut digits = vec![0.0; shape.digits_len(degree)];
                for (place, digits) in digits.chunks_exact_mut(degree).enumerate() {
                    let (c, row) = (place / rows, place % rows);
                    let component: Vec<_> = polynomials[row][c..].iter().step_by(extension).copied().collect();
                    fft.forward_integer(digits, &component);
                }
                let mut out = vec![f64::NAN; shape.out_len(degree)];
                fft.rotate_multiply_block(shape, &mut out, &digits, &key, &exponents);
                assert!(*reference.get_or_insert_with(|| bits(&out)) == bits(&out), "{isa} {shape:?}");
                for (freq, expected) in out.chunks_exact_mut(degree).zip(&expected) {
                    let mut acc = vec![0; degree];
                    fft.backward_add_torus(&mut acc, freq);
                    for (x, y) in acc.iter().zip(expected) {
                        let error = (x.wrapping_sub(*y) as i64).unsigned_abs();
                        assert!(error < 1 << 28, "{isa} {degree} {shape:?} {exponents:?} {error:x}");
                    }
                }
            }
        }
    }
}

/// Rotations made at once are those made one by one, bit for bit, with extensions of their own.
#[test]
fn block_rotations_at_once_are_those_one_by_one() {
    let mut random = TestRng::new("fft", 12);
    let mut numbers = |len: usize| integers(&mut random, len, 20).iter().map(|&x| x as f64).collect::<Vec<_>>();
    let degree = 64;
    let shapes = [(2, 2, 8), (3, 3, 7), (6, 2, 7), (4, 2, 3), (2, 4, 2), (3, 1, 4), (3, 2, 1), (2, 3, 2), (1, 1, 1)];
    for (rows, cols, block) in shapes {
        let shape = BlockShape { extension: 1, rows, cols, block };
        let key = numbers(shape.key_len(degree));
        let shapes = [1, 3, 1, 2, 5, 1, 1, 8].map(|extension| BlockShape { extension, ..shape });
        let digits = shapes.map(|shape| numbers(shape.digits_len(degree)));
        let exponents: Vec<Vec<u32>> = (0..shapes.len() as u32)
            .map(|j| (0..block as u32).map(|i| (37 * i + 11 * j) * i.min(j) % (2 * degree as u32)).collect())
            .collect();
        let mut reference: Option<Vec<Vec<f64>>> = None;
        for isa in isas() {
            let fft = Fft::with_isa(degree, isa).unwrap();
            let mut apart = shapes.map(|shape| vec![f64::NAN; shape.out_len(degree)]);
            for i in 0..shapes.len() {
                fft.rotate_multiply_block(shapes[i], &mut apart[i], &digits[i], &key, &exponents[i]);
            }
            let mut together = shapes.map(|shape| vec![f64::NAN; shape.out_len(degree)]);
            let parts = together.iter_mut().zip(&digits).zip(&exponents).zip(shapes);
            let mut rotations: Vec<_> = parts
                .map(|(((out, digits), exponents), BlockShape { extension, .. })| BlockRotation {
                    extension,
                    exponents,
                    digits,
                    out,
                })
                .collect();
            fft.rotate_multiply_blocks(shape, &key, true, &mut rotations);
            assert!(apart == together, "{isa} {shape:?}");
            assert!(*reference.get_or_insert_with(|| apart.to_vec()) == apart, "{isa} {shape:?}");
        }
    }
}

/// Of which rows times columns wraps to one.
#[test]
#[should_panic(expected = "unsupported BlockShape")]
fn huge_shapes_are_refused() {
    let fft = Fft::new(32).unwrap();
    let shape = BlockShape { extension: 1, rows: (31 << 59) + 1, cols: (1 << 59) + 1, block: 1 };
    fft.rotate_multiply_block(shape, &mut [0.0; 32], &[0.0; 32], &[0.0; 32], &[1]);
}

#[test]
#[should_panic(expected = "9 rotations")]
fn too_many_rotations_at_once_are_refused() {
    let fft = Fft::new(64).unwrap();
    let shape = BlockShape { extension: 1, rows: 1, cols: 1, block: 1 };
    let mut rotations = std::array::from_fn::<_, 9, _>(|_| BlockRotation::default());
    fft.rotate_multiply_blocks(shape, &[0.0; 64], false, &mut rotations);
}

#[test]
fn linear_combinations_wrap() {
    let mut random = TestRng::new("fft", 23);
    for (len, rows) in [(0, 3), (1, 0), (5, 1), (33, 8), (100, 11), (631, 40)] {
        let old: Vec<_> = words(&mut random, len).iter().map(|&x| x as u32).collect();
        let matrix: Vec<_> = words(&mut random, len * rows).iter().map(|&x| x as u32).collect();
        let digits: Vec<_> = integers(&mut random, rows, 32).iter().map(|&x| x as i32).collect();
        for isa in isas() {
            let mut acc = old.clone();
            sub_linear_combination_u32(isa, &mut acc, &matrix, &digits);
            for j in 0..len {
                let sum =
                    (0..rows).fold(0u32, |sum, r| sum.wrapping_add(matrix[r * len + j].wrapping_mul(digits[r] as u32)));
                assert_eq!(acc[j], old[j].wrapping_sub(sum));
            }
        }
    }
}

/// The measured error of Σ_{j<t} a_j·b_j against the law. The exact result comes from words of 32 bits: split into
/// 16-bit halves, a product has no rounding error to speak of.
#[test]
fn rounding_errors_follow_the_law() {
    let log2_base = 24;
    let mut report = String::new();
    for degree in degrees(9..=14) {
        let fft = Fft::new(degree).unwrap();
        for terms in [1, 2, 4, 8] {
            let mut random = TestRng::new("fft", (degree * terms) as u64);
            let (mut sum, mut count) = (0.0, 0);
            for _ in 0..(16384 / degree).max(3) {
                let (mut x, mut y) = (vec![0.0; degree], vec![0.0; degree]);
                let mut freq = vec![0.0; degree];
                let mut exact = vec![0u64; degree];
                let mut part_freq = [vec![0.0; degree], vec![0.0; degree], vec![0.0; degree], vec![0.0; degree]];
                for _ in 0..terms {
                    let a = integers(&mut random, degree, log2_base);
                    let b = words(&mut random, degree);
                    fft.forward_integer(&mut x, &a);
                    fft.forward_torus(&mut y, &b);
                    fft.mul_add(&mut freq, &x, &y);
                    for (part, part_freq) in part_freq.iter_mut().enumerate() {
                        let b: Vec<_> = b.iter().map(|&b| (b >> (16 * part)) as u16 as i64 - 32768).collect();
                        fft.forward_integer(&mut y, &b);
                        fft.mul_add(part_freq, &x, &y);
                    }
                    // Σ_part 32768·2^(16 part), which is missing from b, times a.
                    let missing = (0..4).fold(0u64, |sum, part| sum.wrapping_add(32768 << (16 * part)));
                    add_product_by_all_ones(&mut exact, &a, missing);
                }
                for (part, part_freq) in part_freq.iter_mut().enumerate() {
                    fft.backward_f64(&mut x, part_freq);
                    for (exact, &x) in exact.iter_mut().zip(&x) {
                        assert!((x - x.round()).abs() < 0.2);
                        *exact = exact.wrapping_add((x.round() as i64 as u64) << (16 * part));
                    }
                }
                let mut acc = vec![0; degree];
                fft.backward_add_torus(&mut acc, &mut freq);
                for (&x, &y) in acc.iter().zip(&exact) {
                    sum += (x.wrapping_sub(y) as i64 as f64 / 2f64.powi(64)).powi(2);
                    count += 1;
                }
            }
            let measured = (sum / f64::from(count)).sqrt();
            let ratio = measured / error_std(log2_base, degree, terms);
            report += &format!("N={degree} t={terms} measured/law={ratio:.3}\n");
        }
    }
    println!("{report}");
    for line in report.lines() {
        let ratio: f64 = line.rsplit('=').next().unwrap().parse().unwrap();
        assert!((0.8..1.25).contains(&ratio), "{line}");
    }
}

/// As above for the block rotation, which counts (X^e − 1)·D·K as two products.
#[test]
fn block_rotation_follows_the_law() {
    let (degree, log2_base) = (1024, 20);
    let fft = Fft::new(degree).unwrap();
    for (extension, rows, block) in [(1, 2, 4), (1, 3, 2), (2, 2, 7), (4, 2, 5), (32, 4, 7), (1, 10, 8), (1, 32, 2)] {
        let shape = BlockShape { extension, rows, cols: 2, block };
        let mut random = TestRng::new("fft", block as u64);
        let mut freq = vec![0.0; degree];
        let mut digits = vec![0.0; shape.digits_len(degree)];
        for digits in digits.chunks_exact_mut(degree) {
            fft.forward_integer(digits, &integers(&mut random, degree, log2_base));
        }
        let range = 2 * (extension * degree) as u64;
        let exponents: Vec<_> = (0..block).map(|_| (1 + random.next_u64() % (range - 1)) as u32).collect();
        // The key, and its words' four 16-bit parts, the last of them signed.
        let mut keys = vec![vec![0.0; shape.key_len(degree)]; 5];
        for place in 0..block * rows * 2 {
            let place = (place / 2 / rows, place / 2 % rows, place % 2);
            let words = words(&mut random, degree);
            fft.forward_torus(&mut freq, &words);
            fft.pack_key(shape, &mut keys[4], place, &freq);
            for (part, key) in keys[..4].iter_mut().enumerate() {
                let mut rest: Vec<_> = words.iter().map(|&x| x as i64).collect();
                let mut low = vec![0; degree];
                for _ in 0..=part {
                    low = rest.iter().map(|&x| x as i16 as i64).collect();
                    rest = rest.iter().zip(&low).map(|(&x, &low)| x.wrapping_sub(low) >> 16).collect();
                }
                fft.forward_integer(&mut freq, &low);
                fft.pack_key(shape, key, place, &freq);
            }
        }
        let mut out = vec![0.0; shape.out_len(degree)];
        let mut exact = vec![0u64; out.len()];
        for (part, key) in keys[..4].iter().enumerate() {
            fft.rotate_multiply_block(shape, &mut out, &digits, key, &exponents);
            for (freq_out, exact) in out.chunks_exact_mut(degree).zip(exact.chunks_exact_mut(degree)) {
                fft.backward_f64(&mut freq, freq_out);
                for (exact, &x) in exact.iter_mut().zip(&freq) {
                    assert!((x - x.round()).abs() < 0.2);
                    *exact = exact.wrapping_add((x.round() as i64 as u64) << (16 * part));
                }
            }
        }
        fft.rotate_multiply_block(shape, &mut out, &digits, &keys[4], &exponents);
        let mut sum = 0.0;
        for (freq, exact) in out.chunks_exact_mut(degree).zip(exact.chunks_exact(degree)) {
            let mut acc = vec![0; degree];
            fft.backward_add_torus(&mut acc, freq);
            let errors = acc.iter().zip(exact).map(|(&x, &y)| x.wrapping_sub(y) as i64 as f64);
            sum += errors.map(|error| (error / 2f64.powi(64)).powi(2)).sum::<f64>();
        }
        let measured = (sum / exact.len() as f64).sqrt();
        let ratio = measured / block_error_std(log2_base, degree, rows, block, Some(extension));
        println!("{shape:?} measured/bound={ratio:.3}");
        assert!((0.85..1.02).contains(&ratio), "{shape:?} {ratio}");
    }
}

/// acc += a·(value·Σ_j X^j).
fn add_product_by_all_ones(acc: &mut [u64], a: &[i64], value: u64) {
    let total = a.iter().fold(0u64, |sum, &a| sum.wrapping_add(a as u64));
    let mut prefix = 0u64;
    for (acc, &a) in acc.iter_mut().zip(a) {
        prefix = prefix.wrapping_add(a as u64);
        // Σ_{i≤j} a_i − Σ_{i>j} a_i
        *acc = acc.wrapping_add(prefix.wrapping_mul(2).wrapping_sub(total).wrapping_mul(value));
    }
}
