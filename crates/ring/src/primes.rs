//! Primes p ≡ 1 modulo 2N, for which X^N + 1 splits into linear factors.

use crate::modulus::Modulus;
pub use crate::modulus::is_prime;

/// The primes 3 ≤ p < `limit`, p < 2^50, p ≡ 1 modulo 2·`degree`, from the largest down.
///
/// # Panics
/// If `degree` is zero or beyond 2^48.
pub fn below(limit: u64, degree: usize) -> impl Iterator<Item = Modulus> {
    let step = step(degree);
    let limit = limit.min(1 << Modulus::MAX_BITS);
    // The largest p ≡ 1 below the limit.
    let first = limit.saturating_sub(2) / step * step + 1;
    candidates(first, step.wrapping_neg())
}

/// The primes `limit` ≤ p < 2^50, p ≡ 1 modulo 2·`degree`, from the smallest up.
///
/// # Panics
/// If `degree` is zero or beyond 2^48.
pub fn above(limit: u64, degree: usize) -> impl Iterator<Item = Modulus> {
    let step = step(degree);
    let limit = limit.clamp(3, 1 << Modulus::MAX_BITS);
    let first = (limit - 1).next_multiple_of(step) + 1;
    candidates(first, step)
}

/// Primes p < 2^50, p ≡ 1 modulo 2·`degree`, from `center` outwards, such that the product of any first k of them stays close to
/// `center`^k: the next one below `center` while that product is larger, otherwise the next one above. Ends with either side.
///
/// # Panics
/// If `degree` is zero or beyond 2^48.
pub fn around(center: u64, degree: usize) -> impl Iterator<Item = Modulus> {
    let (mut below, mut above) = (below(center, degree), above(center, degree));
    let mut log2 = 0.0;
    std::iter::from_fn(move || {
        let next = if log2 > 0.0 { below.next() } else { above.next() }?;
        log2 += (next.value() as f64 / center as f64).log2();
        Some(next)
    })
}

fn step(degree: usize) -> u64 {
    assert!(degree > 0 && degree <= 1 << 48, "degree {degree} is not in 1..=2^48");
    2 * degree as u64
}

/// The primes among 3 ≤ p < 2^50 from `first` in steps, modulo 2^64.
fn candidates(first: u64, step: u64) -> impl Iterator<Item = Modulus> {
    std::iter::successors(Some(first), move |p| Some(p.wrapping_add(step)))
        .take_while(|p| (3..1 << Modulus::MAX_BITS).contains(p))
        .filter_map(|p| Modulus::new(p).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(primes: impl Iterator<Item = Modulus>, count: usize) -> Vec<u64> {
        primes.take(count).map(Modulus::value).collect()
    }

    #[test]
    fn small_primes_are_those_of_the_sieve() {
        let mut composite = vec![false; 1 << 16];
        for n in 2..composite.len() {
            assert_eq!(is_prime(n as u64), !composite[n], "{n}");
            for multiple in (n * n..composite.len()).step_by(n) {
                composite[multiple] = true;
            }
        }
        assert!(!is_prime(0) && !is_prime(1));
    }

    #[test]
    fn large_numbers_are_told_apart() {
        // The largest primes below 2^64 and below 2^50.
        assert!(is_prime(u64::MAX - 58) && is_prime((1 << 50) - 27));
        // A product of two primes below 2^32, a Carmichael number, strong pseudoprimes to the first 4, 7 and 9 bases.
        for n in [4_294_967_291 * 4_294_967_279, 561, 3_215_031_751, 341_550_071_728_321, 3_825_123_056_546_413_051] {
            assert!(!is_prime(n), "{n}");
        }
    }

    #[test]
    fn searches_find_all_in_order() {
        let all: Vec<u64> = (3..5000).filter(|&p| p % 32 == 1 && is_prime(p)).collect();
        let split = all.partition_point(|&p| p < 2000);
        let descending: Vec<_> = all[..split].iter().rev().copied().collect();
        assert_eq!(values(below(2000, 16), 1000), descending);
        assert_eq!(values(above(2000, 16), all.len() - split), all[split..]);
        // Limits: below is exclusive, above inclusive.
        assert_eq!(values(below(97, 16), 1), []);
        assert_eq!(values(below(98, 16), 2), [97]);
        assert_eq!(values(above(97, 16), 2), [97, 193]);
        assert_eq!(values(above((1 << 50) - 100, 1 << 17), 1), []);
        assert_eq!(values(below(0, 1), 1), []);
        assert_eq!(values(below(u64::MAX, 1), 1), [(1 << 50) - 27]);
    }

    #[test]
    fn primes_around_a_center_balance() {
        let center = 1u64 << 45;
        let primes = values(around(center, 1 << 16), 40);
        let mut log2 = 0.0;
        for &p in &primes {
            assert!(p % (1 << 17) == 1 && p.abs_diff(center) < 1 << 28);
            log2 += (p as f64 / center as f64).log2();
            assert!(f64::abs(log2) < 1e-5);
        }
        let mut distinct = primes.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), primes.len());
    }
}
