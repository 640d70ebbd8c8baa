//! Exact products, round trips, noise as statistics, digits, bytes.
use bootes_ring::primes;
use bootes_ring::sample::KeyDistribution;
use bootes_testkit::{Moments, TestRng, seed_bytes, variance_interval};

use super::*;

const STD: f64 = 3.19;
const WEIGHT: usize = 64;

struct Setting {
    ring: RnsRing,
    key: RnsSecretKey,
}

fn seeds(index: u64) -> (MaskSeed, SecretSeed) {
    let secret = SecretSeed::from_bytes(&seed_bytes("rlwe", index));
    (secret.fork_mask(1), secret.fork(2))
}

/// Two primes of 45 bits and a special one of 50; the key has `limbs`.
fn setting(degree: usize, limbs: Limbs, distribution: KeyDistribution) -> Setting {
    let q: Vec<_> = primes::around(1 << 45, degree).take(2).collect();
    let p: Vec<_> = primes::below(1 << 50, degree).take(1).collect();
    let ring = RnsRing::new(degree, &q, &p).unwrap();
    let key = RnsSecretKey::generate(&ring, limbs, &seeds(0).1, distribution);
    Setting { ring, key }
}

fn sparse(degree: usize) -> Setting {
    setting(degree, Limbs { chain: 1, special: 1 }, KeyDistribution::SparseTernary { weight: WEIGHT as u32 })
}

fn encoding(p: u64, k: u32) -> RlweEncoding {
    RlweEncoding::new(p, k).unwrap()
}

fn values(count: usize, p: u64) -> Vec<u64> {
    let mut rng = TestRng::new("rlwe values", p);
    (0..count).map(|_| rng.below(p)).collect()
}

impl Setting {
    fn encrypt(&self, encoding: RlweEncoding, values: &[u64], std: f64, index: u64) -> RlweCiphertext {
        let (mask, noise) = seeds(index);
        RlweCiphertext::encrypt(&self.ring, encoding, values, &self.key, std, mask, &noise).unwrap()
    }

    fn check_noise(&self, ciphertext: &RlweCiphertext, values: &[u64], expected: f64, count: usize, what: &str) {
        assert_eq!(ciphertext.decrypt(&self.ring, &self.key).unwrap(), values, "{what}");
        let errors = ciphertext.errors(&self.ring, &self.key, values).unwrap();
        check_variance(&errors, expected, count, what);
    }
}

/// `count` is that of the values that are independent: all of fresh noise, half of rounding noise, whose sample
/// variance has about twice the variance, since two coefficients share r_a_i·s_j·s_k for about h² pairs (j, k).
fn check_variance(errors: &[f64], expected: f64, count: usize, what: &str) {
    let (low, high) = variance_interval(Moments::of(errors).variance, count, 0.9999);
    assert!(low <= expected && expected <= high, "{what}: variance {expected} predicted, [{low}, {high}] measured");
}

#[test]
fn phases_are_exact() {
    let n = 128;
    let all = Limbs { chain: 2, special: 1 };
    let sparse = KeyDistribution::SparseTernary { weight: 2 };
    for (limbs, distribution, k) in [
        (Limbs::chain(1), sparse, 40),
        (Limbs::chain(2), KeyDistribution::Ternary, 50),
        (Limbs { chain: 1, special: 1 }, KeyDistribution::Ternary, 50),
        (all, sparse, 2),
    ] {
        let setting = setting(n, limbs, distribution);
        let encoding = encoding(2, k);
        let values = values(n, 2);
        let ciphertext = setting.encrypt(encoding, &values, 0.0, 1);
        let (a, s) = (ciphertext.mask(), setting.key.expose_coefficients());
        assert!(a.iter().chain(ciphertext.body()).all(|&x| x < 1 << k));
        for i in 0..n {
            let mut phase = ciphertext.body()[i];
            for j in 0..n {
                let term = a[(n + i - j) % n].wrapping_mul(s[j] as u64);
                phase = if j <= i { phase.wrapping_add(term) } else { phase.wrapping_sub(term) };
            }
            assert_eq!(encoding.reduce(phase), encoding.encode(values[i]), "{limbs:?} {k} coefficient {i}");
        }
    }
}

#[test]
fn encodings_round_to_nearest() {
    let mut rng = TestRng::new("encodings", 0);
    for (p, k) in [(2, 2), (3, 5), (16, 30), (1000, 50), (65_537, 40), (1 << 49, 50), ((1 << 49) - 1, 50)] {
        let encoding = encoding(p, k);
        for m in [0, 1, p - 1, p / 2].into_iter().chain((0..100).map(|_| rng.below(p))) {
            let x = encoding.encode(m);
            let error = encoding.error(x, m);
            assert!(x < 1 << k && error.abs() <= 0.5, "{encoding}: {m} at {x}");
            assert_eq!(encoding.decode(x), m);
            let slack = (encoding.tolerance() - 1.0).floor() as u64;
            for x in [x.wrapping_add(slack), x.wrapping_sub(slack)].map(|x| encoding.reduce(x)) {
                assert_eq!(encoding.decode(x), m, "{encoding}: {m} at {x}");
                assert!((encoding.error(x, m).abs() - slack as f64).abs() <= 0.5);
            }
        }
    }
}

#[test]
fn quotients_are_rounded_exactly() {
    let mut rng = TestRng::new("quotients", 0);
    for base in [1 << 25, 1 << 45, 1 << 50] {
        let q = primes::below(base, 128).next().unwrap().value() as i64;
        for k in [2, 20, 30, 50] {
            let ratio = f64::from(k).exp2() / q as f64;
            let half = q / 2;
            let edges = [0, 1, -1, half, -half, half - 1, q / 4, q / 4 + 1, half >> k.min(40)];
            for x in edges.into_iter().chain((0..2000).map(|_| rng.below(q as u64) as i64 - half)) {
                let twice = 2 * (i128::from(x) << k) + i128::from(q);
                let expected = twice.div_euclid(2 * i128::from(q)) as u64;
                assert_eq!(round_quotient(x as f64, k, q, ratio), expected, "{x}·2^{k}/{q}");
            }
        }
    }
}

#[test]
fn fresh_noise_is_as_predicted() {
    let setting = sparse(1 << 13);
    for (index, (p, k)) in [(2, 20), (16, 30), (3, 12), (1000, 40), (1 << 20, 50), (999_983, 28)].iter().enumerate() {
        let encoding = encoding(*p, *k);
        let values = values(1 << 13, *p);
        for std in [STD, 0.0].into_iter().take(if p.is_power_of_two() { 1 } else { 2 }) {
            let ciphertext = setting.encrypt(encoding, &values, std, index as u64);
            let rounding = if std == 0.0 { 1.0 / 12.0 } else { 0.0 };
            let expected = encoding.fresh_variance(std) - rounding;
            setting.check_noise(&ciphertext, &values, expected, 1 << 13, &format!("{encoding}, std {std}"));
        }
    }
    // Fewer values: zeros behind.
    let few = setting.encrypt(encoding(16, 30), &[1, 2, 3], STD, 0);
    assert_eq!((few.count(), few.decrypt(&setting.ring, &setting.key).unwrap()), (3, vec![1, 2, 3]));
    assert!(few.errors(&setting.ring, &setting.key, &[&[1, 2, 3][..], &[0; 100]].concat()).unwrap()[3..].len() == 100);
}

#[test]
fn noise_of_switches_is_as_predicted() {
    let setting = sparse(1 << 13);
    let (ring, n) = (&setting.ring, 1 << 13);
    let q0 = ring.modulus(Limbs::chain(1), 0).value() as f64;
    let weight = setting.key.weight();
    for (p, k) in [(16, 50), (1000, 48), (16, 30)] {
        let encoding = encoding(p, k);
        let values = values(n, p);
        let fresh = setting.encrypt(encoding, &values, STD, 7);
        // To q_0: messages are q_0/p·m.
        let base = fresh.to_base(ring).unwrap();
        let phase = setting.key.phase(ring, &base);
        let centre = |x: f64| x - (x / q0).round() * q0;
        let terms = phase.limb(0).iter().zip(&values);
        let errors: Vec<f64> = terms.map(|(x, &m)| centre(x - q0 * m as f64 / p as f64)).collect();
        let expected = switch_variance(encoding.fresh_variance(STD), q0.log2() - f64::from(k), weight);
        check_variance(&errors, expected, n / 2, &format!("{encoding} to q_0"));
        let back = RlweCiphertext::from_base(ring, &base, RlweEncoding::new(p, 30).unwrap(), n).unwrap();
        if f64::from(k) > q0.log2() {
            // On to 2^30, where all is rounded to little.
            let expected = switch_variance(expected, 30.0 - q0.log2(), weight);
            setting.check_noise(&back, &values, expected, n / 2, &format!("{encoding} to q_0 and 2^30"));
        } else {
            // A finer modulus and back is the identity.
            assert!(back.body() == fresh.body() && back.mask() == fresh.mask());
        }
        for to in [25, 29, 50] {
            let switched = fresh.mod_switch(to).unwrap();
            let expected = mod_switch_variance(encoding.fresh_variance(STD), k, to, weight);
            setting.check_noise(&switched, &values, expected, n / 2, &format!("{encoding} to 2^{to}"));
        }
    }
    // A ciphertext that was modulo q_0 from the start.
    let setting = self::setting(n, Limbs::chain(2), KeyDistribution::Ternary);
    let values = values(n, 10);
    let message: Vec<f64> = values.iter().map(|&m| (q0 * m as f64 / 10.0).round()).collect();
    let (mask, noise) = seeds(8);
    let message = setting.ring.from_integers(Limbs::chain(1), &message);
    let base = RnsCiphertext::encrypt(&setting.ring, message, &setting.key, STD.into(), &mask, &noise);
    let switched = RlweCiphertext::from_base(&setting.ring, &base, encoding(10, 40), n).unwrap();
    let expected = switch_variance(STD * STD, 40.0 - q0.log2(), setting.key.weight());
    setting.check_noise(&switched, &values, expected, n / 2, "q_0 to 2^40");
}

#[test]
fn digits_are_taken_off_from_below() {
    // Algorithm 2 with digits of 3, 3 and 2 bits; the bootstrapping of a digit is its encryption anew.
    let setting = sparse(1 << 10);
    let (ring, key) = (&setting.ring, &setting.key);
    let (mut p, mut k) = (1 << 8, 40);
    let mut rest = values(1 << 10, p);
    let mut ciphertext = setting.encrypt(encoding(p, k), &rest, STD, 20);
    for bits in [3, 3] {
        let lowest = ciphertext.reduce(k - (p.ilog2() - bits)).unwrap();
        assert_eq!(lowest.encoding().plaintext_modulus(), 1 << bits);
        let digits = lowest.decrypt(ring, key).unwrap();
        assert!(digits.iter().zip(&rest).all(|(digit, m)| *digit == m % (1 << bits)));
        ciphertext.sub_assign(&setting.encrypt(encoding(p, k), &digits, STD, 21 + u64::from(bits))).unwrap();
        (p, k) = (p >> bits, k - bits);
        ciphertext = ciphertext.with_plaintext_modulus(p).unwrap().mod_switch(k).unwrap();
        rest.iter_mut().for_each(|m| *m >>= bits);
        assert_eq!(ciphertext.decrypt(ring, key).unwrap(), rest);
    }
    assert_eq!(ciphertext.encoding(), encoding(4, 34));
    // A fresh ciphertext keeps its seed, and the noise is the same.
    let fresh = setting.encrypt(encoding(12, 40), &[11, 5], STD, 30);
    let reduced = fresh.reduce(38).unwrap();
    assert!(reduced.stored_bytes() < fresh.stored_bytes() && reduced.encoding() == encoding(3, 38));
    assert_eq!(reduced.decrypt(ring, key).unwrap(), [2, 2]);
    assert!(reduced.mask().iter().zip(&*fresh.mask()).all(|(a, b)| *a == b % (1 << 38)));
}

#[test]
fn sums_are_modulo_p() {
    let setting = sparse(256);
    let mut sum = setting.encrypt(encoding(10, 20), &[3, 9], STD, 40);
    sum.add_assign(&setting.encrypt(encoding(10, 20), &[9, 9, 4], STD, 41)).unwrap();
    assert_eq!(sum.decrypt(&setting.ring, &setting.key).unwrap(), [2, 8, 4]);
    sum.sub_assign(&setting.encrypt(encoding(10, 20), &[3], STD, 42)).unwrap();
    assert_eq!(sum.decrypt(&setting.ring, &setting.key).unwrap(), [9, 8, 4]);
    let other = setting.encrypt(encoding(10, 21), &[3], STD, 43);
    let error = sum.add_assign(&other).unwrap_err();
    assert_eq!(error, RlweError::Encoding { found: encoding(10, 21), expected: encoding(10, 20) });
}

#[test]
fn what_cannot_be_is_named() {
    let setting = sparse(128);
    let (ring, key) = (&setting.ring, &setting.key);
    let encrypt = |p, k, values: &[u64], std| {
        RlweCiphertext::encrypt(ring, encoding(p, k), values, key, std, seeds(1).0, &seeds(1).1).map(drop)
    };
    assert_eq!(encrypt(5, 20, &[0, 4, 5, 6], STD), Err(RlweError::Value { position: 2, found: 5, modulus: 5 }));
    assert_eq!(encrypt(5, 20, &[0; 129], STD), Err(RlweError::TooManyValues { found: 129, max: 128 }));
    assert_eq!(encrypt(256, 13, &[0], STD), Err(RlweError::TooSmall { found: 13, plaintext_modulus: 256, min: 14 }));
    assert_eq!(encrypt(256, 14, &[0], STD), Ok(()));
    assert_eq!(encrypt(2, 50, &[0], -1.0), Err(RlweError::Noise { found: -1.0 }));
    assert!(matches!(encrypt(2, 50, &[0], f64::NAN), Err(RlweError::Noise { .. })));
    assert_eq!(RlweEncoding::new(1, 20), Err(RlweError::PlaintextModulus { found: 1 }));
    for found in [0, 1, 51, u32::MAX] {
        assert_eq!(RlweEncoding::new(2, found), Err(RlweError::Log2Modulus { found, max: 50 }));
    }
    for (p, min) in [(5, 4), (8, 4), (9, 5), (u64::MAX, 65)] {
        let found = min.min(51) - 1;
        assert_eq!(RlweEncoding::new(p, found), Err(RlweError::TooSmall { found, plaintext_modulus: p, min }));
        assert!(min > 50 || RlweEncoding::new(p, min).is_ok());
    }
    let fresh = setting.encrypt(encoding(12, 40), &[1], STD, 2);
    for log2_modulus in [41, 37, 0] {
        assert_eq!(fresh.reduce(log2_modulus), Err(RlweError::Reduction { found: encoding(12, 40), log2_modulus }));
    }
    assert!(matches!(fresh.mod_switch(4), Err(RlweError::TooSmall { min: 5, .. })));
    let larger = sparse(256);
    let degree = Err(RlweError::Degree { found: 128, expected: 256 });
    assert_eq!(fresh.decrypt(&larger.ring, &larger.key), degree);
    assert_eq!(fresh.to_base(&larger.ring).map(|_| vec![]), degree);
    let short = self::setting(128, Limbs::chain(1), KeyDistribution::Ternary);
    let error = fresh.decrypt(ring, &short.key).unwrap_err();
    assert!(error.to_string().contains("has primes of 45.0 bits in all, 46."), "{error}");
    let two = RnsCiphertext::trivial(ring, ring.zero(Limbs::chain(2)));
    let found = RlweCiphertext::from_base(ring, &two, encoding(2, 20), 1);
    assert_eq!(found, Err(RlweError::NotBase { found: Limbs::chain(2) }));
}

#[test]
fn bytes_come_back_and_damage_is_named() {
    let setting = sparse(128);
    let fresh = setting.encrypt(encoding(1000, 37), &values(100, 1000), STD, 50);
    let words = fresh.mod_switch(21).unwrap();
    for (ciphertext, size) in [(&fresh, 15 + 32 + 128 * 37 / 8), (&words, 15 + 2 * 128 * 21 / 8)] {
        let mut out = Writer::new();
        ciphertext.write(&mut out);
        let bytes = out.into_bytes();
        assert_eq!((bytes.len(), ciphertext.stored_bytes()), (size, size));
        let read = |bytes: &[u8]| {
            let mut input = Reader::new(bytes);
            let out = RlweCiphertext::read(128, &mut input)?;
            input.finish()?;
            Ok::<_, RlweError>(out)
        };
        assert_eq!(&read(&bytes).unwrap(), ciphertext);
        for length in 0..bytes.len() {
            let error = read(&bytes[..length]).unwrap_err();
            assert!(matches!(error, RlweError::Wire(WireError::UnexpectedEnd { .. })), "{length}: {error}");
        }
        assert!(matches!(read(&[&bytes[..], &[0]].concat()), Err(RlweError::Wire(WireError::TrailingBytes { .. }))));
        let changed = |at: usize, value: u8| {
            let mut bytes = bytes.clone();
            bytes[at] = value;
            read(&bytes).unwrap_err()
        };
        assert_eq!(changed(0, 8), RlweError::Degree { found: 256, expected: 128 });
        assert_eq!(changed(0, 255), RlweError::Degree { found: 0, expected: 128 });
        assert_eq!(changed(1, 51), RlweError::Log2Modulus { found: 51, max: 50 });
        assert!(matches!(changed(1, 10), RlweError::TooSmall { .. }));
        assert!(matches!(changed(2, 2), RlweError::Wire(WireError::Malformed { .. })));
        assert!(matches!(changed(10, 1), RlweError::TooSmall { min: 58, .. }));
        assert_eq!(changed(11, 129), RlweError::TooManyValues { found: 129, max: 128 });
    }
}
