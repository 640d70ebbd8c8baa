//! Words of 128 bits: limbs, digits, products and samples against integer arithmetic.

use bootes_ring::fft::{BlockShape, Fft, WordLimbs, block_error_std, error_std};
use bootes_ring::gadget::Gadget;
use bootes_ring::isa::Isa;
use bootes_ring::sample::{MaskSeed, MaskStream, NoiseStream, SecretSeed};
use bootes_ring::torus::Torus;
use bootes_testkit::{CONFIDENCE, Moments, variance_interval};

fn words(index: u64, len: usize) -> Vec<u128> {
    let mut words = vec![0; len];
    MaskStream::new(&MaskSeed::from_bytes([3; 32]), index).fill_u128(&mut words);
    words
}

/// Uniform in ±2^`bits`/2.
fn integers(index: u64, len: usize, bits: u32) -> Vec<i64> {
    words(index, len).into_iter().map(|x| x as i64 >> (64 - bits)).collect()
}

fn isas() -> impl Iterator<Item = Isa> {
    Isa::available_here().iter().copied()
}

/// acc += a·b modulo X^N + 1 and 2^128.
fn add_product(acc: &mut [u128], a: &[i64], b: &[u128]) {
    let degree = acc.len();
    for (i, &a) in a.iter().enumerate() {
        for (j, &b) in b.iter().enumerate() {
            let product = b.times(a);
            let acc = &mut acc[(i + j) % degree];
            *acc = if i + j < degree { acc.wrapping_add(product) } else { acc.wrapping_sub(product) };
        }
    }
}

/// acc += Σ a_j·b_j by limbs.
fn add_products_by_limbs(fft: &Fft, acc: &mut [u128], a: &[Vec<i64>], b: &[Vec<u128>], limbs: &WordLimbs) {
    let degree = fft.degree();
    let (mut x, mut y, mut sum) = (vec![0.0; degree], vec![0.0; degree], vec![0.0; degree]);
    for limb in limbs.as_slice() {
        sum.fill(0.0);
        for (a, b) in a.iter().zip(b) {
            fft.forward_integer(&mut x, a);
            fft.forward_limb(&mut y, b, limb);
            fft.mul_add(&mut sum, &x, &y);
        }
        fft.backward_add_limb(acc, &mut sum, limb);
    }
}

#[test]
fn products_by_limbs_agree_with_integers_and_err_as_predicted() {
    let log2_base = 20;
    for (degree, target) in [(32, -40), (64, -70), (512, -25), (512, -60), (1024, -90), (2048, -110)] {
        let target = f64::from(target).exp2();
        let limbs = WordLimbs::new::<u128>(error_std(log2_base, degree, 3), target, WordLimbs::MAX);
        assert!(limbs.error_std() <= target);
        let a: Vec<_> = (0..3).map(|j| integers(j, degree, log2_base)).collect();
        let b: Vec<_> = (10..13).map(|j| words(j, degree)).collect();
        let start = words(20, degree);
        let mut expected = start.clone();
        a.iter().zip(&b).for_each(|(a, b)| add_product(&mut expected, a, b));
        let mut results = isas().map(|isa| {
            let mut acc = start.clone();
            add_products_by_limbs(&Fft::with_isa(degree, isa).unwrap(), &mut acc, &a, &b, &limbs);
            acc
        });
        let first = results.next().unwrap();
        let errors: Vec<f64> = first.iter().zip(&expected).map(|(&x, &y)| x.wrapping_sub(y).fraction()).collect();
        let ratio = Moments::of(&errors).variance.sqrt() / limbs.error_std();
        // Small transforms err less than the law of the large ones, and tell it less well.
        let (low, high) = if degree < 512 { (0.5, 1.5) } else { (0.75, 1.25) };
        assert!((low..high).contains(&ratio), "N = {degree}, {limbs:?}: {ratio}");
        assert!(results.all(|other| other == first), "N = {degree}: instruction sets differ");
    }
}

#[test]
fn digits_are_those_of_the_gadget() {
    for (log2_base, levels) in [(19, 3), (32, 2), (16, 4), (20, 6), (21, 4), (32, 4)] {
        let gadget = Gadget::try_for::<u128>(log2_base, levels).unwrap();
        let degree = 256;
        let mut x = words(1, degree);
        x[..4].copy_from_slice(&[0, u128::MAX, 1 << 127, u128::from(u64::MAX)]);
        for isa in isas() {
            let fft = Fft::with_isa(degree, isa).unwrap();
            let (mut found, mut expected) = (vec![0.0; degree], vec![0.0; degree]);
            for level in 1..=levels {
                let digits: Vec<i64> = x.iter().map(|&x| gadget.digit(x, level)).collect();
                fft.forward_digit(&mut found, &x, gadget, level);
                fft.forward_integer(&mut expected, &digits);
                assert_eq!(found, expected, "{isa} {gadget:?} {level}");
                if log2_base * levels < 128 {
                    let digits: Vec<i64> = x.iter().map(|&x| gadget.odd_digit(x, level)).collect();
                    fft.forward_odd_digit(&mut found, &x, gadget, level);
                    fft.forward_integer(&mut expected, &digits);
                    assert_eq!(found, expected, "{isa} {gadget:?} {level} odd");
                }
                if log2_base * levels < 127 {
                    let digits: Vec<i64> = x.iter().map(|&x| gadget.odd_digit(x << 1, level)).collect();
                    fft.forward_odd_digit_of_half(&mut found, &x, gadget, level);
                    fft.forward_integer(&mut expected, &digits);
                    assert_eq!(found, expected, "{isa} {gadget:?} {level} of half");
                }
            }
        }
    }
}

/// A block of blind rotation with limbs as columns: exact but for the law of the last limb.
#[test]
fn block_rotation_by_limbs_follows_the_law() {
    let (degree, log2_base, rows, block) = (1024, 22, 4, 2);
    let fft = Fft::new(degree).unwrap();
    let limbs = WordLimbs::new::<u128>(block_error_std(log2_base, degree, rows, block, None), f64::from(-60).exp2(), 3);
    assert_eq!(limbs.count(), 3);
    let polynomials = 2;
    let shape = BlockShape { extension: 1, rows, cols: polynomials * limbs.count(), block };
    let exponents = [700, 1500];
    let digits: Vec<_> = (0..rows as u64).map(|row| integers(row, degree, log2_base)).collect();
    let (mut key, mut freq) = (vec![0.0; shape.key_len(degree)], vec![0.0; degree]);
    let mut expected = vec![vec![0u128; degree]; polynomials];
    for (i, &exponent) in exponents.iter().enumerate() {
        for (row, digits) in digits.iter().enumerate() {
            for (p, expected) in expected.iter_mut().enumerate() {
                let b = words((100 + (i * rows + row) * polynomials + p) as u64, degree);
                for (l, limb) in limbs.as_slice().iter().enumerate() {
                    fft.forward_limb(&mut freq, &b, limb);
                    fft.pack_key(shape, &mut key, (i, row, p * limbs.count() + l), &freq);
                }
                let mut product = vec![0; degree];
                add_product(&mut product, digits, &b);
                // (X^e − 1)·product.
                for (t, &x) in product.iter().enumerate() {
                    let to = (t + exponent) % (2 * degree);
                    let sum = &mut expected[to % degree];
                    *sum = if to < degree { sum.wrapping_add(x) } else { sum.wrapping_sub(x) };
                    expected[t] = expected[t].wrapping_sub(x);
                }
            }
        }
    }
    let (mut transformed, mut out) = (vec![0.0; shape.digits_len(degree)], vec![0.0; shape.out_len(degree)]);
    for (digits, transformed) in digits.iter().zip(transformed.chunks_exact_mut(degree)) {
        fft.forward_integer(transformed, digits);
    }
    fft.rotate_multiply_block(shape, &mut out, &transformed, &key, &exponents.map(|e| e as u32));
    let mut errors = Vec::new();
    for (p, out) in out.chunks_exact_mut(limbs.count() * degree).enumerate() {
        let mut acc = vec![0u128; degree];
        for (limb, out) in limbs.as_slice().iter().zip(out.chunks_exact_mut(degree)) {
            fft.backward_add_limb(&mut acc, out, limb);
        }
        errors.extend(acc.iter().zip(&expected[p]).map(|(&x, &y)| x.wrapping_sub(y).fraction()));
    }
    let ratio = Moments::of(&errors).variance.sqrt() / limbs.error_std();
    assert!((0.75..1.25).contains(&ratio), "{ratio}");
}

#[test]
fn wide_gaussians_have_their_variance_and_random_low_bits() {
    for log2_std in [-60, -74, -98, -115] {
        let std = f64::from(log2_std).exp2();
        let mut noise = vec![0u128; 20_000];
        NoiseStream::new(&SecretSeed::from_bytes(&[5; 32]), 1).add_gaussian_u128(&mut noise, std);
        let errors: Vec<f64> = noise.iter().map(|x| x.fraction()).collect();
        let moments = Moments::of(&errors);
        let (low, high) = variance_interval(moments.variance, moments.count, CONFIDENCE);
        assert!((low..=high).contains(&std.powi(2)), "2^{log2_std}: {}", moments.std() / std);
        assert!(moments.mean.abs() < 5.0 * std / 20_000f64.sqrt());
        for bit in 0..(126 + log2_std).min(128) as u32 {
            let ones = noise.iter().filter(|&&x| x >> bit & 1 == 1).count();
            assert!((9600..10_400).contains(&ones), "2^{log2_std}, bit {bit}: {ones}");
        }
    }
}

#[test]
fn wide_masks_are_the_stream_in_pieces_of_sixteen_bytes() {
    let seed = MaskSeed::from_bytes([9; 32]);
    let (mut wide, mut narrow) = (vec![0u128; 300], vec![0u64; 600]);
    MaskStream::new(&seed, 7).fill_u128(&mut wide);
    MaskStream::new(&seed, 7).fill_u64(&mut narrow);
    for (wide, narrow) in wide.iter().zip(narrow.as_chunks::<2>().0) {
        assert_eq!(*wide, u128::from(narrow[0]) | u128::from(narrow[1]) << 64);
    }
}
