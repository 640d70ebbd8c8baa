//! The automorphisms X ↦ X^g of Z\[X\]/(X^N + 1), g odd.

/// `out`(X) = `input`(X^g) modulo X^N + 1 and 2^64, g = `exponent` modulo 2N.
///
/// X^N = −1, so coefficient i goes to position i·g modulo N, negated if i·g modulo 2N is N or more. The automorphisms form
/// a group: g after h is g·h modulo 2N.
///
/// # Panics
/// If the lengths differ, are not a power of two, or g is even.
pub fn automorphism_into(out: &mut [u64], input: &[u64], exponent: usize) {
    let (degree, step) = check(out.len(), input.len(), exponent);
    let log2 = degree.trailing_zeros();
    for (i, &x) in input.iter().enumerate() {
        let to = i.wrapping_mul(step) & (2 * degree - 1);
        // All ones if the monomial passed X^N, else zero.
        let sign = ((to >> log2) as u64).wrapping_neg();
        out[to & (degree - 1)] = (x ^ sign).wrapping_sub(sign);
    }
}

/// `out`(X) = `input`(X^g) modulo X^N + 1 for balanced residues of any modulus, g = `exponent` modulo 2N.
///
/// # Panics
/// As [`automorphism_into`].
pub fn automorphism_balanced_into(out: &mut [f64], input: &[f64], exponent: usize) {
    let (degree, step) = check(out.len(), input.len(), exponent);
    for (i, &x) in input.iter().enumerate() {
        let to = i.wrapping_mul(step) & (2 * degree - 1);
        out[to & (degree - 1)] = if to < degree { x } else { -x };
    }
}

/// N, and g modulo 2N.
fn check(out: usize, degree: usize, exponent: usize) -> (usize, usize) {
    assert!(out == degree && degree.is_power_of_two(), "polynomials of one length, a power of two");
    assert!(exponent % 2 == 1, "X -> X^{exponent} is no automorphism: the exponent must be odd");
    (degree, exponent % (2 * degree))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(degree: usize) -> Vec<u64> {
        (1..=degree as u64).map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15)).collect()
    }

    #[test]
    fn monomials_go_where_they_belong() {
        let degree = 32;
        for exponent in (1..2 * degree).step_by(2) {
            for i in 0..degree {
                let (mut x, mut image) = (vec![0u64; degree], vec![7u64; degree]);
                x[i] = 5;
                automorphism_into(&mut image, &x, exponent);
                let to = i * exponent % (2 * degree);
                let mut expected = vec![0u64; degree];
                expected[to % degree] = if to < degree { 5 } else { 5u64.wrapping_neg() };
                assert_eq!(image, expected, "g = {exponent}, X^{i}");
                let signed = |x: &[u64]| x.iter().map(|&x| x as i64 as f64).collect::<Vec<_>>();
                let mut balanced = vec![7.0; degree];
                automorphism_balanced_into(&mut balanced, &signed(&x), exponent);
                assert_eq!(balanced, signed(&expected));
            }
        }
    }

    #[test]
    fn they_compose_like_their_exponents() {
        let degree = 256;
        let x = words(degree);
        let (mut once, mut twice, mut product) = (x.clone(), x.clone(), x.clone());
        for (g, h) in [(3, 5), (2 * degree - 1, 2 * degree - 1), (degree + 1, 129), (257, 77)] {
            automorphism_into(&mut once, &x, g);
            automorphism_into(&mut twice, &once, h);
            automorphism_into(&mut product, &x, g * h);
            assert_eq!(twice, product);
        }
        automorphism_into(&mut once, &x, 1);
        assert_eq!(once, x);
    }

    #[test]
    #[should_panic(expected = "must be odd")]
    fn even_exponents_are_refused() {
        automorphism_into(&mut [0; 4], &[0; 4], 2);
    }
}
