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
    Isa::available_here().iter().copied()
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
        (take(9, 50, 8), take(3, 50, 0)),
        (take(16, 50, 8), take(2, 50, 0)),
        (mixed, take(4, 50, 0)),
        (take(40, 20, 0), take(2, 50, 0)),
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

/// The end of the range of exact conversion, |x| ≤ (1/2 − k²·2^-53)·Q.
fn end(basis: &Basis) -> BigInt {
    let (q, k) = (product(basis), basis.len());
    if k == 1 { (&q - 1) / 2 } else { (&q / 2) - ((&q * (k * k)) >> 53) - 1 }
}

/// Digits y_i = ±(q_i − 1)/2: all of one sign, alternating, random; one list for each integer.
fn extreme_digits(basis: &Basis, random: &mut TestRng) -> Vec<Vec<f64>> {
    let half = |i: usize| (basis.moduli()[i].value() / 2) as f64;
    let digits = |sign: &mut dyn FnMut(usize) -> bool| -> Vec<f64> {
        (0..basis.len()).map(|i| if sign(i) { half(i) } else { -half(i) }).collect()
    };
    let fixed = [|_| true, |_| false, |i: usize| i.is_multiple_of(2), |i: usize| !i.is_multiple_of(2)];
    let mut all: Vec<_> = fixed.into_iter().map(|mut sign| digits(&mut sign)).collect();
    all.resize_with(8, || digits(&mut |_| random.next_u64() >> 63 == 0));
    all
}

/// Q/q_i.
fn cofactor(basis: &Basis, i: usize) -> BigInt {
    product(basis) / basis.moduli()[i].value()
}

/// Σ_i y_i·Q/q_i.
fn composed(basis: &Basis, digits: &[f64]) -> BigInt {
    digits.iter().enumerate().map(|(i, &y)| cofactor(basis, i) * y as i64).sum()
}

/// y_i = x·(Q/q_i)^-1 modulo q_i, balanced.
fn digits(basis: &Basis, x: &BigInt) -> Vec<f64> {
    let digit = |(i, &q): (usize, &Modulus)| {
        let inverse = q.inverse(q.unbalance(residue(&cofactor(basis, i), q))).unwrap();
        residue(&(x * inverse), q)
    };
    basis.moduli().iter().enumerate().map(digit).collect()
}

/// `count` integers in the range of exact conversion: both ends, zero, one, those of extreme digits, random ones.
fn integers(basis: &Basis, count: usize, random: &mut TestRng) -> Vec<BigInt> {
    let (q, end) = (product(basis), end(basis));
    let mut all = vec![BigInt::from(0), BigInt::from(1), BigInt::from(-1), end.clone(), -&end];
    let extreme = extreme_digits(basis, random);
    all.extend(
        extreme.iter().map(|digits| center(&composed(basis, digits), &q)).filter(|x| (-&end..=end.clone()).contains(x)),
    );
    assert!(all.len() <= count);
    all.resize_with(count, || below(random, &(&end * 2 + 1)) - &end);
    all
}

/// `x`, limb-major, by both functions of `conversion`, which agree.
fn converted(conversion: &Conversion, from: &Basis, to: &Basis, x: &[BigInt]) -> Vec<f64> {
    let mut scratch = ScratchBuffer::new(conversion.scratch_bytes());
    let mut out = vec![f64::NAN; x.len() * to.len()];
    conversion.convert_into(&mut out, &residues(from, x), scratch.scratch());

    let digits: Vec<_> = x.iter().map(|x| digits(from, x)).collect();
    let prepared: Vec<Vec<_>> = (0..from.len()).map(|i| digits.iter().map(|digits| digits[i]).collect()).collect();
    let prepared: Vec<&[f64]> = prepared.iter().map(Vec::as_slice).collect();
    let mut combined = vec![f64::NAN; out.len()];
    conversion.combine_into(&mut combined.chunks_mut(x.len()).enumerate().collect::<Vec<_>>(), &prepared);
    assert!(out == combined, "{} to {} primes", from.len(), to.len());
    out
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
            let expected = residues(&to, &all);
            for isa in isas() {
                let out = converted(&Conversion::on(isa, &from, &to), &from, &to, &all);
                assert!(out == expected, "{isa}: {} to {} primes, degree {degree}", from.len(), to.len());
            }
        }
    }
}

/// Σ_i y_i·Q/q_i, whatever x is.
#[test]
fn approximate_conversions_leave_the_quotient_away() {
    let mut random = TestRng::new("rns", 3);
    for (from, to) in bases() {
        let (q, k) = (product(&from), from.len());
        let half: BigInt = &q / 2;
        for degree in [16, 32, 48, 64] {
            let mut all = vec![BigInt::from(0), BigInt::from(1), BigInt::from(-1), half.clone(), -&half];
            all.extend(extreme_digits(&from, &mut random).iter().map(|digits| center(&composed(&from, digits), &q)));
            all.resize_with(degree, || below(&mut random, &q) - &half);
            let sums: Vec<_> = all.iter().map(|x| composed(&from, &digits(&from, x))).collect();
            for (x, sum) in all.iter().zip(&sums) {
                let multiple = sum - x;
                assert_eq!(&multiple % &q, BigInt::from(0));
                assert!((multiple / &q).magnitude() <= BigInt::from(k / 2).magnitude(), "{x} of {k} primes");
            }
            let expected = residues(&to, &sums);
            for isa in isas() {
                let out = converted(&Conversion::approximate_on(isa, &from, &to), &from, &to, &all);
                assert!(out == expected, "{isa}: {k} to {} primes, degree {degree}", to.len());
            }
        }
    }
}

/// Beyond the range in which the quotient is certain the result may stand for x ± Q.
#[test]
fn conversions_are_congruent_everywhere() {
    let mut random = TestRng::new("rns", 4);
    for (from, to) in bases() {
        let q = product(&from);
        let half: BigInt = &q / 2;
        let mut all: Vec<_> = (0..4).flat_map(|i| [&half - i, i - &half]).collect();
        all.extend(extreme_digits(&from, &mut random).iter().map(|digits| center(&composed(&from, digits), &q)));
        let out = converted(&Conversion::new(&from, &to), &from, &to, &all);
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
