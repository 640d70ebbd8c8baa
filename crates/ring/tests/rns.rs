//! Residue number systems against big integers.

use bootes_ring::error::RingError;
use bootes_ring::isa::Isa;
use bootes_ring::mem::ScratchBuffer;
use bootes_ring::modulus::Modulus;
use bootes_ring::primes;
use bootes_ring::rns::{Basis, Conversion};
use bootes_testkit::TestRng;
use num_bigint::{BigInt, Sign};

fn below(random: &mut TestRng, bound: &BigInt) -> BigInt {
    let words = bound.bits() / 32 + 3;
    let digits: Vec<u32> = (0..words).map(|_| random.next_u64() as u32).collect();
    BigInt::from_slice(Sign::Plus, &digits) % bound
}

fn isas() -> impl Iterator<Item = Isa> {
    Isa::ALL.into_iter().filter(|&isa| isa <= Isa::detect())
}

/// Pairs of bases without a common prime: few and many primes, large and small ones, mixed.
fn bases() -> Vec<(Basis, Basis)> {
    let take = |count: usize, bits: u32, skip: usize| -> Vec<Modulus> {
        primes::below(1 << bits, 64).skip(skip).take(count).collect()
    };
    let mixed = [take(2, 50, 30), take(1, 20, 0), take(2, 35, 3)].concat();
    [
        (take(1, 50, 0), take(1, 50, 1)),
        (take(1, 20, 0), take(3, 50, 0)),
        (take(2, 50, 0), take(1, 20, 0)),
        (take(3, 49, 0), take(2, 50, 0)),
        (take(7, 50, 0), take(8, 50, 7)),
        (take(8, 50, 8), take(7, 45, 0)),
        (take(8, 50, 8), take(3, 50, 0)),
        (mixed, take(4, 50, 0)),
        (take(40, 50, 0), take(3, 50, 40)),
    ]
    .map(|(from, to)| (Basis::new(from).unwrap(), Basis::new(to).unwrap()))
    .into()
}

fn product(basis: &Basis) -> BigInt {
    basis.moduli().iter().map(|q| BigInt::from(q.value())).product()
}

/// x modulo `modulus`, of least absolute value.
fn center(x: &BigInt, modulus: &BigInt) -> BigInt {
    let half: BigInt = modulus / 2;
    let rest = ((x + &half) % modulus + modulus) % modulus;
    rest - half
}

fn residue(x: &BigInt, q: Modulus) -> f64 {
    let centered = center(x, &BigInt::from(q.value()));
    i64::try_from(centered).unwrap() as f64
}

/// Limb-major residues of many integers.
fn residues(basis: &Basis, integers: &[BigInt]) -> Vec<f64> {
    basis.moduli().iter().flat_map(|&q| integers.iter().map(move |x| residue(x, q))).collect()
}

/// Integers in two's complement, lowest word first.
fn words(x: &BigInt, count: usize) -> Vec<u64> {
    let modulus = BigInt::from(1) << (64 * count);
    let mut digits = ((x + &modulus) % &modulus).to_u64_digits().1;
    digits.resize(count, 0);
    digits
}

/// `count` integers |x| ≤ (1/2 − k²·2^-53)·Q: both ends, zero, one, random ones.
fn integers(basis: &Basis, count: usize, random: &mut TestRng) -> Vec<BigInt> {
    let q = product(basis);
    let k = basis.len();
    let end: BigInt = if k == 1 { (&q - 1) / 2 } else { (&q / 2) - ((&q * (k * k)) >> 53) - 1 };
    let mut all = vec![BigInt::from(0), BigInt::from(1), BigInt::from(-1), end.clone(), -&end];
    all.resize_with(count, || below(random, &(&end * 2 + 1)) - &end);
    all
}

#[test]
fn big_integers_are_composed_and_decomposed() {
    let mut random = TestRng::new("rns", 1);
    for (basis, _) in bases() {
        let q = product(&basis);
        assert!((basis.log2() - (q.bits() as f64)).abs() <= 1.0);
        let half: BigInt = &q / 2;
        let mut all = integers(&basis, 50, &mut random);
        all.extend([half.clone(), -half]);
        for x in all {
            let expected = words(&x, basis.words());
            let residues = residues(&basis, std::slice::from_ref(&x));
            let (mut found, mut digits) = (vec![7; basis.words()], vec![0.0; basis.len()]);
            basis.compose_into(&mut found, &residues, &mut digits);
            assert_eq!(found, expected, "{x} of {} primes", basis.len());
            basis.decompose_into(&mut digits, &expected);
            assert_eq!(digits, residues, "{x} of {} primes", basis.len());
        }
    }
}

#[test]
fn conversions_are_exact_within_their_range() {
    let mut random = TestRng::new("rns", 2);
    for (from, to) in bases() {
        for degree in [16, 32, 48, 64] {
            let all = integers(&from, degree, &mut random);
            let (input, expected) = (residues(&from, &all), residues(&to, &all));
            for isa in isas() {
                let conversion = Conversion::on(isa, &from, &to);
                let mut scratch = ScratchBuffer::new(conversion.scratch_bytes());
                let mut out = vec![f64::NAN; expected.len()];
                conversion.convert_into(&mut out, &input, scratch.scratch());
                assert!(out == expected, "{isa}: {} to {} primes, degree {degree}", from.len(), to.len());
            }
        }
    }
}

/// Beyond the range in which the quotient is certain the result may stand for x ± Q.
#[test]
fn conversions_are_congruent_everywhere() {
    for (from, to) in bases() {
        let q = product(&from);
        let half: BigInt = &q / 2;
        let all: Vec<_> = (0..8).flat_map(|i| [&half - i, i - &half]).collect();
        let conversion = Conversion::new(&from, &to);
        let mut scratch = ScratchBuffer::new(conversion.scratch_bytes());
        let mut out = vec![f64::NAN; all.len() * to.len()];
        conversion.convert_into(&mut out, &residues(&from, &all), scratch.scratch());
        for (i, x) in all.iter().enumerate() {
            let candidates = [x.clone(), x + &q, x - &q].map(|x| residues(&to, &[x]));
            let found: Vec<_> = (0..to.len()).map(|j| out[j * all.len() + i]).collect();
            assert!(candidates.contains(&found), "{x} of {} primes", from.len());
        }
    }
}

#[test]
fn bases_need_distinct_primes() {
    let p = Modulus::new(97).unwrap();
    assert_eq!(Basis::new(vec![]).err(), Some(RingError::Basis { repeated: None }));
    assert_eq!(Basis::new(vec![p, p]).err(), Some(RingError::Basis { repeated: Some(97) }));
}
