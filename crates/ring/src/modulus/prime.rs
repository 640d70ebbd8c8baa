//! Which integers are prime.

/// Whether n is prime: Miller–Rabin for the first twelve primes, which is a proof below 2^64 (Sorenson–Webster 2015).
#[must_use]
pub const fn is_prime(n: u64) -> bool {
    const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if n < 2 {
        return false;
    }
    let mut i = 0;
    while i < BASES.len() {
        if n.is_multiple_of(BASES[i]) {
            return n == BASES[i];
        }
        i += 1;
    }
    let twos = (n - 1).trailing_zeros();
    i = 0;
    while i < BASES.len() {
        if !is_probable_prime(n, BASES[i], twos) {
            return false;
        }
        i += 1;
    }
    true
}

/// Whether a^d = 1 or a^(2^i·d) = −1 modulo n for some i < `twos`, n − 1 = 2^`twos`·d.
const fn is_probable_prime(n: u64, a: u64, twos: u32) -> bool {
    let mut x = 1;
    let mut square = a;
    let mut exponent = (n - 1) >> twos;
    while exponent > 0 {
        if exponent % 2 == 1 {
            x = mul(x, square, n);
        }
        square = mul(square, square, n);
        exponent /= 2;
    }
    if x == 1 {
        return true;
    }
    let mut i = 0;
    while i < twos {
        if x == n - 1 {
            return true;
        }
        x = mul(x, x, n);
        i += 1;
    }
    false
}

const fn mul(a: u64, b: u64, n: u64) -> u64 {
    (a as u128 * b as u128 % n as u128) as u64
}
