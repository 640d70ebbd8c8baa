//! Polynomials of the ring of a chain of primes, against big integers.

use bootes_ring::error::RingError;
use bootes_ring::isa::Isa;
use bootes_ring::modulus::Modulus;
use bootes_ring::ntt::{Automorphism, Ntt};
use bootes_ring::poly::{Coeff, Eval, Limbs, Poly};
use bootes_ring::primes;
use bootes_ring::rns::{Basis, Constant, Division, RnsRing};
use bootes_ring::sample::MaskSeed;
use bootes_testkit::TestRng;
use num_bigint::BigInt;

const DEGREE: usize = 128;

fn ring() -> RnsRing {
    let chain: Vec<_> = primes::below(1 << 50, DEGREE).take(1).chain(primes::around(1 << 42, DEGREE).take(4)).collect();
    let special: Vec<_> = primes::below(1 << 50, DEGREE).skip(1).take(2).collect();
    RnsRing::new(DEGREE, &chain, &special).unwrap()
}

/// The integers |x| < Q/2 with the residues of a polynomial.
fn integers(ring: &RnsRing, x: &Poly<Coeff>) -> Vec<BigInt> {
    let basis = Basis::new(ring.moduli(x.limbs())).unwrap();
    let (mut words, mut digits) = (vec![0; basis.words()], vec![0.0; basis.len()]);
    (0..DEGREE)
        .map(|j| {
            let residues: Vec<f64> = x.iter().map(|limb| limb[j]).collect();
            basis.compose_into(&mut words, &residues, &mut digits);
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            BigInt::from_signed_bytes_le(&bytes)
        })
        .collect()
}

fn product(a: &[f64], b: &[f64]) -> Vec<BigInt> {
    let mut out = vec![BigInt::from(0); DEGREE];
    for (i, &x) in a.iter().enumerate() {
        for (j, &y) in b.iter().enumerate() {
            let term = BigInt::from(x as i128) * BigInt::from(y as i128);
            let to = &mut out[(i + j) % DEGREE];
            if i + j < DEGREE { *to += term } else { *to -= term }
        }
    }
    out
}

fn random(rng: &mut TestRng, bits: u32) -> Vec<f64> {
    (0..DEGREE)
        .map(|_| (rng.next_u64() >> 11) as f64 * f64::from(bits as i32 - 53).exp2())
        .map(|x| x.round() - (f64::from(bits) - 1.0).exp2())
        .collect()
}

#[test]
fn sums_products_and_constants_are_those_of_integers() {
    let (ring, mut rng) = (ring(), TestRng::new("poly", 1));
    let limbs = ring.limbs();
    let (a, b) = (random(&mut rng, 40), random(&mut rng, 90));
    let (x, y) = (ring.from_integers(limbs, &a), ring.from_integers(limbs, &b));
    assert_eq!(integers(&ring, &y), b.iter().map(|&x| BigInt::from(x as i128)).collect::<Vec<_>>());
    let (x, y) = (ring.forward(x), ring.forward(y));
    let expected = product(&a, &b);
    let mut z = x.clone();
    ring.mul_assign(&mut z, &y);
    assert_eq!(integers(&ring, &ring.backward(z.clone())), expected);
    let twice = ring.sum_of_products(limbs, &[(&x, &y), (&x, &y)]);
    let copy = z.clone();
    ring.add_assign(&mut z, &copy);
    assert_eq!(integers(&ring, &ring.backward(z.clone())), integers(&ring, &ring.backward(twice)));
    let copy = z.clone();
    ring.sub_assign(&mut z, &copy);
    assert!(integers(&ring, &ring.backward(z)).iter().all(|x| *x == BigInt::from(0)));

    // Constants re + im·X^(N/2).
    let terms = [(3.0, -5.0), (2f64.powi(60), 2f64.powi(57)), (0.0, 1.0)];
    let constants: Vec<Constant> = terms.iter().map(|&(re, im)| ring.constant(limbs, re, im)).collect();
    let polynomial = |(re, im): (f64, f64)| {
        let mut c = vec![0.0; DEGREE];
        (c[0], c[DEGREE / 2]) = (re, im);
        c
    };
    let expected: Vec<BigInt> = [&a, &b, &a]
        .iter()
        .zip(terms)
        .map(|(x, term)| product(x, &polynomial(term)))
        .reduce(|a, b| a.iter().zip(b).map(|(a, b)| a + b).collect())
        .unwrap();
    // A sum modulo fewer primes beside them.
    let few = Limbs::chain(limbs.chain - 1);
    let constant = ring.constant(few, terms[0].0, terms[0].1);
    let sums = [
        (limbs, vec![(&constants[0], &x), (&constants[1], &y), (&constants[2], &x)]),
        (limbs, vec![(&constants[0], &x)]),
        (few, vec![(&constant, &x)]),
        (limbs, Vec::new()),
    ];
    let [sum, one, less, none] = ring.linear_combinations(&sums).try_into().unwrap();
    let [alone] = ring.linear_combinations(&sums[1..2]).try_into().unwrap();
    assert!(one.iter().eq(alone.iter()) && less.iter().eq(one.restricted(few).iter()));
    let mut alone = x.clone();
    ring.mul_constant_assign(&mut alone, &constants[0]);
    assert!(one.iter().eq(alone.iter()) && none.iter().flatten().all(|&x| x == 0.0));
    assert_eq!(integers(&ring, &ring.backward(sum)), expected);
    let mut z = x.clone();
    ring.mul_constant_assign(&mut z, &constants[0]);
    ring.add_constant_assign(&mut z, &constants[1]);
    let mut expected = product(&a, &polynomial(terms[0]));
    expected[0] += BigInt::from(1u64 << 60);
    expected[DEGREE / 2] += BigInt::from(1u64 << 57);
    assert_eq!(integers(&ring, &ring.backward(z)), expected);

    // X -> X^g.
    let image = ring.backward(ring.automorphism(&x, &Automorphism::new(DEGREE, 5)));
    let mut expected = vec![BigInt::from(0); DEGREE];
    for (i, &a) in a.iter().enumerate() {
        let to = 5 * i % (2 * DEGREE);
        expected[to % DEGREE] = BigInt::from(if to < DEGREE { a } else { -a } as i128);
    }
    assert_eq!(integers(&ring, &image), expected);
}

#[test]
fn divisions_round_to_nearest() {
    let (ring, mut rng) = (ring(), TestRng::new("poly", 2));
    let all = ring.limbs();
    let seeds: [u8; 32] = std::array::from_fn(|_| rng.next_u64() as u8);
    for (from, kept) in [
        (Limbs::chain(5), 4),
        (all, 5),
        (all, 4),
        (Limbs { chain: 3, special: 2 }, 3),
        (Limbs { chain: 1, special: 1 }, 1),
    ] {
        let dropped: BigInt = ring.moduli(from)[kept..].iter().map(|p| BigInt::from(p.value())).product();
        let q: BigInt = ring.moduli(from)[..kept].iter().map(|p| BigInt::from(p.value())).product();
        let mut x = ring.backward(ring.uniform(from, &MaskSeed::from_bytes(seeds), 7));
        // Next to halves, but for the margin in which either neighbour may come out: at both ends and around zero.
        let (last, half): (BigInt, BigInt) = ((&q - 1) / 2, (&dropped - 1) / 2);
        let edge: BigInt = half - ((&dropped * 16) >> 53) - 1;
        let mut extremes = Vec::new();
        for whole in [-&last, last, BigInt::from(0), BigInt::from(1), BigInt::from(-1)] {
            extremes.extend([&whole * &dropped + &edge, &whole * &dropped - &edge, whole * &dropped]);
        }
        for (limb, p) in x.iter_mut().zip(ring.moduli(from)) {
            for (x, value) in limb.iter_mut().zip(&extremes) {
                let p = BigInt::from(p.value());
                let rest = u64::try_from(((value % &p) + &p) % &p).unwrap();
                *x = Modulus::new(u64::try_from(p).unwrap()).unwrap().balance(rest);
            }
        }
        let x = ring.forward(x);
        let [quotient] = Division::new(&ring, from, kept).divide(&ring, [&x]);
        assert_eq!(quotient.limbs(), Limbs::chain(kept));
        let found = integers(&ring, &ring.backward(quotient));
        for (x, found) in integers(&ring, &ring.backward(x)).iter().zip(&found) {
            let numerator: BigInt = x * 2 + &dropped;
            let rounded = numerator.floor_division(&(&dropped * 2));
            let difference: BigInt = (rounded - found) % &q;
            assert_eq!(difference, BigInt::from(0), "{from:?} to {kept}");
        }
    }
}

/// P·y = x − δ with δ ≡ 0 modulo t and |δ| ≤ t·P/2, for divisions that drop one prime and several.
#[test]
fn congruent_divisions_keep_residues_up_to_the_known_factor() {
    let ring = ring();
    let all = ring.limbs();
    for (t, from, kept) in [(65537, Limbs::chain(5), 4), (257, all, 5), (65537, all, 4), (4, all, 4), (3, all, 1)] {
        let product = |primes: &[Modulus]| -> BigInt { primes.iter().map(|p| BigInt::from(p.value())).product() };
        let moduli = ring.moduli(from);
        let (q, dropped) = (product(&moduli[..kept]), product(&moduli[kept..]));
        let x = ring.uniform(from, &MaskSeed::from_bytes([5; 32]), 9);
        let [quotient] = Division::congruent(&ring, from, kept, t).divide(&ring, [&x]);
        let (x, found) = (integers(&ring, &ring.backward(x)), integers(&ring, &ring.backward(quotient)));
        for (x, found) in x.iter().zip(found) {
            // The representative next to x/P: x − P·y is −δ, but for a multiple of P·Q.
            let (all, rest): (BigInt, BigInt) = (&q * &dropped, x - &found * &dropped);
            let twice: BigInt = &rest * 2 + &all;
            let delta = rest - twice.floor_division(&(&all * 2)) * &all;
            assert_eq!(&delta % t, BigInt::from(0), "{t}, {from:?} to {kept}");
            let size = if delta < BigInt::from(0) { -delta } else { delta };
            assert!(size * 2 <= dropped.clone() * t, "{t}, {from:?} to {kept}");
        }
    }
}

/// Floor division.
trait FloorDivision {
    fn floor_division(&self, by: &BigInt) -> BigInt;
}

impl FloorDivision for BigInt {
    fn floor_division(&self, by: &BigInt) -> BigInt {
        let quotient: BigInt = self / by;
        if &quotient * by > *self { quotient - 1 } else { quotient }
    }
}

#[test]
fn restriction_keeps_residues() {
    let (ring, mut rng) = (ring(), TestRng::new("poly", 3));
    let a = random(&mut rng, 30);
    let all = ring.from_integers(ring.limbs(), &a);
    for limbs in [Limbs::chain(1), Limbs::chain(5), Limbs { chain: 2, special: 1 }, Limbs { chain: 3, special: 2 }] {
        assert!(all.restricted(limbs).iter().eq(ring.from_integers(limbs, &a).iter()));
    }
}

#[test]
fn bad_rings_are_refused() {
    let p = |n: u64| Modulus::new(n).unwrap();
    let chain: Vec<_> = primes::below(1 << 50, DEGREE).take(2).collect();
    assert!(matches!(RnsRing::new(64, &chain, &[]), Err(RingError::Degree { found: 64, .. })));
    assert!(matches!(RnsRing::new(DEGREE, &[], &chain), Err(RingError::Basis { repeated: None })));
    assert!(matches!(RnsRing::new(DEGREE, &chain, &chain), Err(RingError::Basis { repeated: Some(_) })));
    assert!(matches!(RnsRing::new(DEGREE, &[p(97)], &[]), Err(RingError::RootOrder { modulus: 97, .. })));
}

#[test]
fn packed_residues_are_what_they_were_on_every_instruction_set() {
    let mut random = TestRng::new("packed", 0);
    for degree in [128, 256, 2048] {
        let moduli: Vec<Modulus> = [50, 49, 48, 42, 33, 32, 31, 21]
            .iter()
            .map(|&bits| primes::below(1 << bits, degree).next().unwrap())
            .collect();
        let ring = RnsRing::new(degree, &moduli, &[]).unwrap();
        let limbs = Limbs::chain(moduli.len());
        let poly = |random: &mut TestRng| {
            let mut x = ring.zero::<Eval>(limbs);
            for (limb, p) in x.iter_mut().zip(&moduli) {
                let half = (p.value() / 2) as f64;
                let extremes = [half, -half, 0.0, 1.0, -1.0, half - 1.0, 1.0 - half];
                for value in limb {
                    *value = match random.next_u64() {
                        word if word % 2 == 0 => extremes[(word / 2 % 7) as usize],
                        word => p.balance(word % p.value()),
                    };
                }
            }
            x
        };
        let [x, y, a, b] = [(); 4].map(|()| poly(&mut random));
        let packed = [&x, &y].map(|x| ring.pack(x));
        let bits: usize = moduli.iter().map(|p| (degree / 8 * p.bits() as usize).div_ceil(64) + 1).sum();
        assert!(packed.iter().all(|x| x.bytes() == 64 * bits && x.bytes() == ring.packed_bytes(limbs)));
        let mut limb = vec![f64::NAN; degree];
        for (i, &p) in moduli.iter().enumerate() {
            ring.unpack_limb(&mut limb, &packed[0], i);
            assert_eq!(limb, x.limb(i), "{} bits", p.bits());
            for &isa in Isa::available_here() {
                let ntt = Ntt::with_isa(degree, p, isa).unwrap();
                // From the start, and from a piece that starts a word.
                let pieces = [0..degree, 0..72, 512..degree, 1024..degree];
                for range in pieces.into_iter().filter(|range| !range.is_empty()) {
                    let mut sums = [(); 2].map(|()| vec![f64::NAN; range.len()]);
                    let factors = [&a, &b].map(|a| &a.limb(i)[range.clone()]);
                    let plain = [&x, &y].map(|x| &x.limb(i)[range.clone()]);
                    ntt.sum_of_products_into(&mut sums[0], &[0, 1].map(|k| (factors[k], plain[k])));
                    let terms = [0, 1].map(|k| (factors[k], packed[k].residues(i, range.clone())));
                    ntt.sum_of_packed_products_into(&mut sums[1], &terms);
                    assert_eq!(sums[0], sums[1], "{} bits, {isa}, {range:?}", p.bits());
                }
            }
        }
    }
}

#[test]
#[should_panic(expected = "start at a multiple of 512")]
fn pieces_of_packed_limbs_start_with_a_word() {
    let ring = RnsRing::new(1024, &[primes::below(1 << 42, 1024).next().unwrap()], &[]).unwrap();
    let _ = ring.pack(&ring.zero(Limbs::chain(1))).residues(0, 8..1024);
}
