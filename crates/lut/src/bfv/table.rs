//! Any table Z_p → Z_p as a polynomial of degree p − 1 at most, evaluated on all slots in about 2√p products.
use bootes_schemes::bfv::residue::ResidueRing;
use bootes_schemes::polyeval::{ArithmeticCircuit, PolynomialBasis, Weights};

/// The balanced coefficients of the polynomial of degree below p with the values f(0), …, f(p − 1), without its zeros
/// at the end: c_0 = f(0), c_j = −Σ_(a ≠ 0) f(a)·a^(−j) for 0 < j < p − 1, and c_(p−1) = −Σ f(a).
///
/// The sums are a discrete Fourier transform of length p − 1 over Z_p.
///
/// # Panics
/// Unless p is a prime and there are p values.
#[must_use]
pub fn polynomial(values: &[u64]) -> Vec<i64> {
    let p = values.len() as u64;
    let ring = ResidueRing::new(p);
    let n = p - 1;
    let g = generator(ring);
    let mut at = Vec::with_capacity(n as usize);
    let mut a = 1;
    for _ in 0..n {
        at.push(values[a as usize] % p);
        a = ring.mul(a, g);
    }
    let over = ring.inverse(g).expect("a generator is a unit");
    let sums = transform(ring, &at, over);
    let mut coefficients: Vec<u64> = sums.into_iter().map(|sum| ring.neg(sum)).collect();
    // a^0 and a^(p−1) are the same but for a = 0.
    let last = (coefficients[0] + ring.neg(values[0])) % p;
    coefficients[0] = values[0] % p;
    coefficients.push(last);
    let mut balanced: Vec<i64> = coefficients.into_iter().map(|c| ring.balance(c)).collect();
    while balanced.len() > 1 && balanced.last() == Some(&0) {
        balanced.pop();
    }
    balanced
}

/// Weights of a circuit that leaves few primes, so that powers of low degree, which have the most, are dear; sums are
/// products of a matrix.
const WEIGHTS: Weights =
    Weights { relinearisation: 1.0, product: 0.1, rescaling: 0.2, multiply_add: 0.002, limbs_left: 3 };

/// The circuit of a table, of one input and one output.
///
/// # Panics
/// As [`polynomial`].
#[must_use]
pub fn circuit(values: &[u64]) -> ArithmeticCircuit<i64> {
    ArithmeticCircuit::polynomials_weighted(PolynomialBasis::Power, &[polynomial(values)], &WEIGHTS)
}

/// The least prime factor of n > 1.
fn least_factor(n: u64) -> u64 {
    (2..).take_while(|q| q * q <= n).find(|q| n.is_multiple_of(*q)).unwrap_or(n)
}

fn power(ring: ResidueRing, x: u64, n: u64) -> u64 {
    (0..64).rev().fold(1, |power, bit| {
        let square = ring.mul(power, power);
        if n >> bit & 1 == 1 { ring.mul(square, x) } else { square }
    })
}

/// A generator of the units modulo a prime.
fn generator(ring: ResidueRing) -> u64 {
    let n = ring.modulus() - 1;
    let (mut rest, mut factors) = (n, Vec::new());
    while rest > 1 {
        let q = least_factor(rest);
        factors.push(q);
        rest /= q;
    }
    let generates = |g: &u64| factors.iter().all(|q| power(ring, *g, n / q) != 1);
    (1..=n).find(generates).expect("the units modulo a prime are cyclic")
}

/// Σ_i x_i·w^(ij) for each j, w of the order of the length: split by prime factors.
fn transform(ring: ResidueRing, x: &[u64], w: u64) -> Vec<u64> {
    let n = x.len();
    if n == 1 {
        return x.to_vec();
    }
    let q = least_factor(n as u64) as usize;
    let inner = power(ring, w, q as u64);
    let part = |r: usize| transform(ring, &x.iter().skip(r).step_by(q).copied().collect::<Vec<_>>(), inner);
    let parts: Vec<Vec<u64>> = (0..q).map(part).collect();
    let (mut out, mut root) = (Vec::with_capacity(n), 1);
    for j in 0..n {
        let sum = parts.iter().rev().fold(0, |sum, part| (ring.mul(sum, root) + part[j % (n / q)]) % ring.modulus());
        out.push(sum);
        root = ring.mul(root, w);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use bootes_schemes::polyeval::ResidueReading as Reading;
    use bootes_testkit::TestRng;

    #[test]
    fn polynomials_have_the_values_of_tables() {
        for p in [3u64, 5, 17, 31, 127, 257] {
            let mut rng = TestRng::new("tables modulo primes", p);
            let random: Vec<u64> = (0..p).map(|_| rng.below(p)).collect();
            let even: Vec<u64> = (0..p).map(|a| random[a.min(p - a) as usize % p as usize]).collect();
            for values in [random, even, vec![2; p as usize], (0..p).collect()] {
                let circuit = circuit(&values);
                for a in 0..p {
                    let mut reading = Reading { inputs: &[a], prime: p, exponent: 1 };
                    let found = circuit.run(&mut reading, |_, _| ()).unwrap();
                    assert_eq!(found[0].value, values[a as usize], "at {a} modulo {p}");
                }
            }
        }
        let square: Vec<u64> = (0..65537u64).map(|a| a * a % 65537).collect();
        assert_eq!(polynomial(&square), [0, 0, 1]);
    }
}
