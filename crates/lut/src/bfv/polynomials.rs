//! Polynomials modulo p^e of the lowest digit of an integer, balanced for odd p, 0 or 1 for p = 2 (Section 3).
//!
//! Coefficients are given lowest first, least in absolute value.
use bootes_schemes::bfv::residue::ResidueRing;

/// The digit of x: |d| ≤ (p − 1)/2, or 0 and 1 for p = 2.
fn digit(x: u64, p: u64) -> i64 {
    let d = (x % p) as i64;
    if p > 2 && 2 * d > p as i64 { d - p as i64 } else { d }
}

fn balanced(ring: ResidueRing, coefficients: impl IntoIterator<Item = u64>) -> Vec<i64> {
    let mut coefficients: Vec<i64> = coefficients.into_iter().map(|c| ring.balance(c)).collect();
    while coefficients.len() > 1 && coefficients.last() == Some(&0) {
        coefficients.pop();
    }
    coefficients
}

/// `polynomial` ← `polynomial`·(x − root) + c: a step of Horner's rule in Newton's form.
fn times_linear_plus(ring: ResidueRing, polynomial: &mut Vec<u64>, root: u64, c: u64) {
    let minus = ring.neg(root);
    polynomial.push(0);
    for i in (0..polynomial.len()).rev() {
        let below = if i > 0 { polynomial[i - 1] } else { c };
        polynomial[i] = (below + ring.mul(polynomial[i], minus)) % ring.modulus();
    }
}

/// G_(e,p), which retains the lowest digit: G(x) ≡ \[x\]_p modulo p^e for every integer x (Lemma 3).
///
/// By Newton's interpolation of the digit at 0, …, (e − 1)(p − 1) + 1: further divided differences are multiples of p^e
/// (the lemma). A difference over m! is p-integral, so they are computed modulo p^e times what m! is divisible by. As the
/// digit is an odd function for odd p, and an even one for p = 2, the polynomial's other half is left out, which for p = 2
/// costs a bit: that one is computed modulo 2^(e+1).
///
/// # Panics
/// Unless e ≥ 1 and p^(2e + 2) < 2^62.
#[must_use]
pub fn retain(p: u64, e: u32) -> Vec<i64> {
    let own = if p == 2 { e + 1 } else { e };
    let degree = (u64::from(own) - 1) * (p - 1) + 1;
    // Legendre: the power of p in degree!.
    let excess = (1..).map(|i| degree / p.pow(i)).take_while(|&q| q > 0).sum::<u64>() as u32;
    let wide = ResidueRing::new(p.pow(own + excess));
    let ring = ResidueRing::new(p.pow(own));
    let mut differences: Vec<u64> = (0..=degree).map(|x| wide.reduce(digit(x, p))).collect();
    // Δ^m/m! modulo p^own, m = 0, 1, ….
    let (mut newton, mut unit, mut power) = (Vec::with_capacity(differences.len()), 1, 0);
    for m in 0..=degree {
        if m > 0 {
            let mut rest = m;
            while rest.is_multiple_of(p) {
                (rest, power) = (rest / p, power + 1);
            }
            unit = wide.mul(unit, rest % wide.modulus());
            let next = differences.windows(2).map(|pair| (pair[1] + wide.neg(pair[0])) % wide.modulus());
            differences = next.collect();
        }
        let over = wide.inverse(unit).expect("a unit");
        newton.push(wide.mul(differences[0], over) / p.pow(power) % ring.modulus());
    }
    let mut polynomial = vec![newton[newton.len() - 1]];
    for m in (0..newton.len() - 1).rev() {
        times_linear_plus(ring, &mut polynomial, m as u64, newton[m]);
    }
    let kept = |i: usize| (i % 2 == 1) == (p > 2);
    let half = polynomial.into_iter().enumerate().map(|(i, c)| if kept(i) { c } else { 0 });
    balanced(ResidueRing::new(p.pow(e)), half)
}

/// F_e, which lifts a digit: F(z_0 + p^e'·z_1) ≡ z_0 modulo p^(e'+1) for 1 ≤ e' ≤ e and digits z_0 (Lemma 2, Halevi and
/// Shoup 2015): x^p less p^i·h_i for i = 1, …, e, h_i of degree below p with h_i(z_0) ≡ (F(z_0) − z_0)/p^i modulo p.
///
/// # Panics
/// Unless p^(e + 1) < 2^62.
#[must_use]
pub fn lift(p: u64, e: u32) -> Vec<i64> {
    let (ring, field) = (ResidueRing::new(p.pow(e + 1)), ResidueRing::new(p));
    let mut polynomial = vec![0; p as usize + 1];
    polynomial[p as usize] = 1;
    let digits: Vec<i64> = (0..p).map(|x| digit(x, p)).collect();
    for i in 1..=e {
        let power = p.pow(i);
        let values: Vec<u64> = digits
            .iter()
            .map(|&z| {
                let z = ring.reduce(z);
                let value = polynomial.iter().rev().fold(0, |sum, &c| (ring.mul(sum, z) + c) % ring.modulus());
                (value + ring.neg(z)) % ring.modulus() / power % p
            })
            .collect();
        let points: Vec<u64> = digits.iter().map(|&z| field.reduce(z)).collect();
        for (c, h) in polynomial.iter_mut().zip(interpolate(field, &points, &values, 1)) {
            *c = (*c + ring.neg(ring.mul(h, power))) % ring.modulus();
        }
    }
    balanced(ring, polynomial)
}

/// The polynomial that retains the lowest digit i if |i| ≤ B = `bound`: R(x) ≡ i modulo p^e for x ≡ i modulo p.
///
/// R − i is to be a multiple of (x − i)^e for every i: Hermite's interpolation, of degree e·(2B + 1) − 1, whose even part
/// is left out. For e = 2 the degree is 4B + 1, whatever p (after Ma, Huang, Wang, Wang, EUROCRYPT 2024).
///
/// # Panics
/// Unless 2B < p, an odd prime, and p^e < 2^62.
#[must_use]
pub fn retain_bounded(p: u64, e: u32, bound: u64) -> Vec<i64> {
    assert!(2 * bound < p && p > 2, "digits up to {bound} modulo {p}");
    let ring = ResidueRing::new(p.pow(e));
    let digits = (0..=2 * bound).map(|i| i as i64 - bound as i64);
    let points: Vec<u64> = digits.map(|i| ring.reduce(i)).collect();
    let polynomial = interpolate(ring, &points, &points, e as usize);
    balanced(ring, polynomial.into_iter().enumerate().map(|(i, c)| if i % 2 == 1 { c } else { 0 }))
}

/// The polynomial with these values at points whose differences are units, and with derivatives 0 up to order
/// `repeated` − 1: by divided differences.
fn interpolate(ring: ResidueRing, points: &[u64], values: &[u64], repeated: usize) -> Vec<u64> {
    let nodes: Vec<usize> = (0..points.len() * repeated).map(|i| i / repeated).collect();
    let mut column: Vec<u64> = nodes.iter().map(|&i| values[i]).collect();
    let mut newton = vec![column[0]];
    for order in 1..nodes.len() {
        column = (0..nodes.len() - order)
            .map(|i| {
                let (first, last) = (nodes[i], nodes[i + order]);
                if first == last {
                    return 0;
                }
                let distance = (points[last] + ring.neg(points[first])) % ring.modulus();
                let over = ring.inverse(distance).expect("differences of points are units");
                ring.mul((column[i + 1] + ring.neg(column[i])) % ring.modulus(), over)
            })
            .collect();
        newton.push(column[0]);
    }
    let mut polynomial = vec![newton[newton.len() - 1]];
    for m in (0..newton.len() - 1).rev() {
        times_linear_plus(ring, &mut polynomial, points[nodes[m]], newton[m]);
    }
    polynomial
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(ring: ResidueRing, polynomial: &[i64], x: u64) -> u64 {
        polynomial.iter().rev().fold(0, |sum, &c| (ring.mul(sum, x) + ring.reduce(c)) % ring.modulus())
    }

    #[test]
    fn the_lowest_digit_is_retained() {
        for (p, e) in [(2u64, 1), (2, 5), (2, 8), (3, 4), (5, 2), (5, 4), (7, 3), (17, 3), (31, 3), (127, 2), (257, 2)]
        {
            let (ring, polynomial) = (ResidueRing::new(p.pow(e)), retain(p, e));
            assert!(polynomial.len() as u64 <= (u64::from(e) - 1) * (p - 1) + 3, "({p}, {e})");
            for x in (0..p.pow(e)).step_by(1 + p.pow(e) as usize / 5000) {
                assert_eq!(ring.balance(value(ring, &polynomial, x)), ring.balance(ring.reduce(digit(x, p))), "{x}");
            }
        }
        // (2, 5): degree 6, (p, 2): the odd part of degree p.
        assert_eq!(retain(2, 5).len(), 7);
        assert_eq!(retain(17, 2).len(), 18);
    }

    #[test]
    fn digits_are_lifted() {
        for (p, e) in [(2u64, 4), (3, 4), (5, 5), (17, 3), (127, 2)] {
            let polynomial = lift(p, e);
            assert_eq!(polynomial.len() as u64, p + 1);
            for from in 1..=e {
                let ring = ResidueRing::new(p.pow(from + 1));
                for z in 0..p {
                    for high in (0..p).step_by(1 + p as usize / 5) {
                        let x = ring.reduce(digit(z, p) + (p.pow(from) * high) as i64);
                        assert_eq!(value(ring, &polynomial, x), ring.reduce(digit(z, p)), "({p}, {e}): {z}, {high}");
                    }
                }
            }
        }
    }

    #[test]
    fn bounded_digits_are_retained() {
        for (p, e, bound) in [(17u64, 2, 5), (17, 3, 4), (127, 2, 15), (257, 2, 20), (257, 3, 20), (65537, 2, 20)] {
            let (ring, polynomial) = (ResidueRing::new(p.pow(e)), retain_bounded(p, e, bound));
            assert!(polynomial.len() as u64 <= u64::from(e) * (2 * bound + 1), "({p}, {e}, {bound})");
            assert!(polynomial.iter().step_by(2).all(|&c| c == 0));
            let bound = bound as i64;
            for i in -bound..=bound {
                for k in (0..p.pow(e - 1)).step_by(1 + p.pow(e - 1) as usize / 97) {
                    let x = ring.reduce(i + (p * k) as i64);
                    assert_eq!(value(ring, &polynomial, x), ring.reduce(i), "({p}, {e}): {i}, {k}");
                }
            }
        }
        assert_eq!(retain_bounded(65537, 2, 20).len(), 82);
    }
}
