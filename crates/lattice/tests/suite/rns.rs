//! RLWE over a chain of primes: decryption, noise as statistics, automorphisms, relinearisation.

use bootes_lattice::rns::galois::rotation_exponent;
use bootes_lattice::rns::keyswitch::relinearisation_key;
use bootes_lattice::rns::{
    ErrorDistribution, GaloisKey, HybridGadget, MaskStorage, RnsCiphertext, RnsPublicKey, RnsSecretKey, SwitchKey,
};
use bootes_ring::automorphism::automorphism_balanced_into;
use bootes_ring::poly::{Coeff, Limbs, Poly};
use bootes_ring::primes;
use bootes_ring::rns::{Division, RnsRing};
use bootes_ring::sample::{KeyDistribution, MaskSeed, SecretSeed};
use bootes_testkit::{Moments, TestRng, seed_bytes, variance_interval};

const STD: f64 = 3.19;

struct Setting {
    ring: RnsRing,
    gadget: HybridGadget,
    key: RnsSecretKey,
}

fn seed(name: &str, index: u64) -> (MaskSeed, SecretSeed) {
    let secret = SecretSeed::from_bytes(&seed_bytes(name, index));
    (secret.fork_mask(1), secret.fork(2))
}

/// `chain` primes, digits of `alpha` of them, `special` special primes; all primes of 45 bits but the special ones,
/// of 50.
fn setting(degree: usize, chain: usize, alpha: usize, special: usize) -> Setting {
    let q: Vec<_> = primes::around(1 << 45, degree).take(chain).collect();
    let p: Vec<_> = primes::below(1 << 50, degree).take(special).collect();
    let ring = RnsRing::new(degree, &q, &p).unwrap();
    let gadget = HybridGadget::new(&ring, chain, alpha, special).unwrap();
    let key = RnsSecretKey::generate(&ring, ring.limbs(), &seed("rns key", 0).1, KeyDistribution::Ternary);
    Setting { ring, gadget, key }
}

/// Small coefficients, the first limb of a small polynomial.
fn small(x: &Poly<Coeff>) -> &[f64] {
    x.limb(0)
}

fn message(degree: usize, index: u64) -> Vec<f64> {
    let mut rng = TestRng::new("message", index);
    (0..degree).map(|_| rng.below(2001) as f64 - 1000.0).collect()
}

fn encrypt(setting: &Setting, limbs: Limbs, message: &[f64], index: u64) -> RnsCiphertext {
    let (mask, noise) = seed("rns encryption", index);
    let message = setting.ring.from_integers(limbs, message);
    RnsCiphertext::encrypt(&setting.ring, message, &setting.key, STD.into(), &mask, &noise)
}

fn check_std(errors: &[f64], expected: f64, what: &str) {
    let moments = Moments::of(errors);
    let (low, high) = variance_interval(moments.variance, errors.len(), 0.9999);
    assert!(low <= expected && expected <= high, "{what}: variance {expected} predicted, [{low}, {high}] measured");
}

fn differences(found: &[f64], expected: &[f64]) -> Vec<f64> {
    found.iter().zip(expected).map(|(a, b)| a - b).collect()
}

#[test]
fn encryptions_carry_the_noise_they_should() {
    let setting = setting(1 << 13, 3, 1, 1);
    let degree = setting.ring.degree();
    let m = message(degree, 0);
    let fresh = encrypt(&setting, Limbs::chain(3), &m, 0);
    let phase = setting.key.phase(&setting.ring, &fresh);
    check_std(&differences(small(&phase), &m), STD * STD + 1.0 / 12.0, "secret encryption");

    let (mask, noise) = seed("public key", 0);
    let public = RnsPublicKey::generate(&setting.ring, Limbs::chain(3), &setting.key, STD.into(), &mask, &noise);
    let encrypted =
        public.encrypt(&setting.ring, setting.ring.from_integers(Limbs::chain(2), &m), STD.into(), &seed("u", 1).1);
    assert_eq!(encrypted.limbs(), Limbs::chain(2));
    let phase = setting.key.phase(&setting.ring, &encrypted);
    // u of this very encryption is unknown here: its mean weight.
    let expected = (STD * STD + 1.0 / 12.0) * (2.0 / 3.0 * degree as f64 + 1.0 + setting.key.weight() as f64);
    let moments = Moments::of(&differences(small(&phase), &m));
    assert!((moments.variance / expected - 1.0).abs() < 0.1, "{} against {expected}", moments.variance);
}

#[test]
fn key_switching_noise_follows_its_formula() {
    for (chain, alpha, special, level, used) in
        [(4, 1, 1, 4, 1), (6, 3, 3, 6, 3), (6, 3, 3, 4, 3), (5, 2, 2, 5, 2), (6, 3, 3, 2, 3), (6, 3, 3, 1, 2)]
    {
        let setting = setting(1 << 12, chain, alpha, special);
        assert_eq!(setting.gadget.raised(level), Limbs { chain: level, special: used });
        let ring = &setting.ring;
        let other = RnsSecretKey::generate(ring, ring.limbs(), &seed("other key", 0).1, KeyDistribution::Ternary);
        let (mask, noise) = seed("switch key", 0);
        let key = SwitchKey::generate(
            ring,
            &setting.gadget,
            chain,
            other.expose_values(),
            setting.key.expose_values(),
            STD.into(),
            mask,
            &noise,
        );
        let x = ring.uniform(Limbs::chain(level), &seed("uniform", level as u64).0, 0);
        let switched = key.switch(ring, &setting.gadget, &x);
        let mut product = x.clone();
        ring.mul_assign(&mut product, other.expose_values());
        let mut phase = setting.key.phase(ring, &switched);
        ring.sub_assign(&mut phase, &ring.backward(product));
        let expected =
            setting.gadget.variance(ring, level, (STD * STD + 1.0 / 12.0).sqrt().into(), setting.key.weight());
        check_std(small(&phase), expected, &format!("{level} of {chain} primes, digits of {alpha}, {special} special"));

        let kept = key.with_masks(ring, MaskStorage::Expanded);
        let again = kept.switch(ring, &setting.gadget, &x);
        assert!(
            again.a.iter().eq(switched.a.iter()) && again.b.iter().eq(switched.b.iter()),
            "masks kept and made agree"
        );
    }
}

#[test]
fn automorphisms_act_on_messages() {
    let setting = setting(1 << 10, 4, 2, 2);
    let (ring, gadget) = (&setting.ring, &setting.gadget);
    let m: Vec<f64> = message(ring.degree(), 1).iter().map(|x| x * 1e6).collect();
    let fresh = encrypt(&setting, Limbs::chain(4), &m, 1);
    let digits = gadget.decompose(ring, &fresh.a);
    for exponent in [rotation_exponent(ring.degree(), 3), rotation_exponent(ring.degree(), -7), 2 * ring.degree() - 1] {
        let (mask, noise) = seed("galois", exponent as u64);
        let key = GaloisKey::generate(ring, gadget, 4, exponent, &setting.key, STD.into(), mask, &noise);
        let mut expected = vec![0.0; m.len()];
        automorphism_balanced_into(&mut expected, &m, exponent);
        let mut raised = RnsCiphertext { b: ring.unspecified(digits.limbs()), a: ring.unspecified(digits.limbs()) };
        let limbs = raised.b.iter_mut().zip(raised.a.iter_mut()).map(Into::into).enumerate().collect();
        let scratch = || [vec![0.0; ring.degree()], vec![0.0; ring.degree()]];
        digits.for_each_group(ring, limbs, scratch, |[b, a], group| {
            for (i, values, out) in group {
                let limbs = digits.limbs();
                let body = |limb: &mut [f64]| gadget.add_times_p(ring, limbs, i, limb, &fresh.b);
                key.raised_limb(ring, limbs, body, &values, i, out, [&mut *b, &mut *a]);
            }
        });
        let results = [
            key.apply(ring, gadget, &fresh),
            key.apply(ring, gadget, &fresh.restricted(Limbs::chain(2))),
            raised.map(|x| gadget.divide(ring, x)),
        ];
        for result in results {
            let phase = setting.key.phase(ring, &result);
            let worst = differences(small(&phase), &expected).into_iter().fold(0.0, |max: f64, x| max.max(x.abs()));
            assert!(worst < 200.0, "X -> X^{exponent}: error {worst}");
        }
    }
}

#[test]
fn products_are_relinearised_and_rescaled() {
    let setting = setting(1 << 10, 4, 2, 2);
    let (ring, gadget) = (&setting.ring, &setting.gadget);
    let (mask, noise) = seed("relinearisation", 0);
    let key = relinearisation_key(ring, gadget, 4, &setting.key, STD.into(), mask, &noise);
    let scale = 2f64.powi(40);
    let mut x = vec![0.0; ring.degree()];
    let mut y = x.clone();
    (x[1], y[2]) = (scale * 3.0, scale * 5.0);
    let (x, y) = (encrypt(&setting, Limbs::chain(4), &x, 2), encrypt(&setting, Limbs::chain(4), &y, 3));
    let limbs = Limbs::chain(4);
    let d2 = ring.sum_of_products(limbs, &[(&x.a, &y.a)]);
    let digits = gadget.decompose(ring, &d2);
    let d0 = ring.sum_of_products(limbs, &[(&x.b, &y.b)]);
    let d1 = ring.sum_of_products(limbs, &[(&x.b, &y.a), (&x.a, &y.b)]);
    let plus = [Some(&d0), Some(&d1)];
    let [at_once, divided] = [true, false].map(|rescale| key.switch_and_sum(ring, gadget, &digits, plus, rescale));
    // Kept digits make no difference.
    let again = key.switch_and_sum(ring, gadget, &digits.raise(ring), plus, true);
    assert!(again.b.iter().eq(at_once.b.iter()) && again.a.iter().eq(at_once.a.iter()));
    let rescale = Division::new(ring, limbs, 3);
    let last = ring.modulus(limbs, 3).value() as f64;
    // 15·2^80 and noise, over a prime: at once, or after the division by P.
    let rounding = (setting.key.weight() as f64 / 12.0).sqrt();
    let (expected, noise) = (15.0 * scale * scale / last, 7.0 * (6.0 * scale * STD / last + rounding));
    for result in [at_once, divided.divided(ring, &rescale)] {
        let phase = setting.key.phase(ring, &result);
        for (i, &found) in small(&phase).iter().enumerate() {
            let error = found - if i == 3 { expected } else { 0.0 };
            assert!(error.abs() < noise, "coefficient {i}: error {error}, {noise} allowed");
        }
    }
}

/// Messages that are the phase modulo t, as BGV has them: encryption, key switches, automorphisms and
/// divisions keep them, the last up to the known factor 1/q; the noise is t times as large as with errors of
/// the factor 1.
#[test]
fn phases_are_kept_modulo_t() {
    let Setting { ring, key, .. } = setting(1 << 12, 6, 3, 3);
    let ring = &ring;
    for t in [3u64, 257, 65537] {
        let errors = ErrorDistribution { std: STD, factor: t };
        let gadget = HybridGadget::congruent(ring, 6, 3, 3, t).unwrap();
        let residues = |x: &Poly<Coeff>| -> Vec<u64> {
            // Noise is far below the first prime.
            small(x).iter().map(|&x| (x as i64).rem_euclid(t as i64) as u64).collect()
        };
        let mut rng = TestRng::new("modulo t", t);
        let m: Vec<u64> = (0..ring.degree()).map(|_| rng.below(t)).collect();
        let message = |limbs| ring.from_integers(limbs, &m.iter().map(|&x| x as f64).collect::<Vec<_>>());

        let (mask, noise) = seed("congruent", t);
        let fresh = RnsCiphertext::encrypt(ring, message(Limbs::chain(6)), &key, errors, &mask, &noise);
        assert_eq!(residues(&key.phase(ring, &fresh)), m, "encryption modulo {t}");
        let public = RnsPublicKey::generate(ring, Limbs::chain(6), &key, errors, &mask, &noise);
        let encrypted = public.encrypt(ring, message(Limbs::chain(2)), errors, &seed("u", t).1);
        assert_eq!(residues(&key.phase(ring, &encrypted)), m, "public encryption modulo {t}");

        // A product of a uniform mask with another key: its error is a multiple of t, of the predicted size.
        let other = RnsSecretKey::generate(ring, ring.limbs(), &seed("other key", 0).1, KeyDistribution::Ternary);
        let (from, to) = (other.expose_values(), key.expose_values());
        let switch = SwitchKey::generate(ring, &gadget, 6, from, to, errors, mask, &noise);
        for level in [6, 4, 1] {
            let x = ring.uniform(Limbs::chain(level), &seed("uniform", level as u64).0, 0);
            let mut phase = key.phase(ring, &switch.switch(ring, &gadget, &x));
            let mut product = x;
            ring.mul_assign(&mut product, from);
            ring.sub_assign(&mut phase, &ring.backward(product));
            assert!(residues(&phase).iter().all(|&x| x == 0), "key switch of {level} primes modulo {t}");
            let rounded = ErrorDistribution { std: (STD * STD + 1.0 / 12.0).sqrt(), ..errors };
            let expected = gadget.variance(ring, level, rounded, key.weight());
            check_std(small(&phase), expected, &format!("key switch of {level} primes modulo {t}"));
        }

        let exponent = rotation_exponent(ring.degree(), 3);
        let galois = GaloisKey::generate(ring, &gadget, 6, exponent, &key, errors, seed("galois", t).0, &noise);
        let mut expected = vec![0.0; m.len()];
        let balanced: Vec<f64> = m.iter().map(|&x| x as f64).collect();
        automorphism_balanced_into(&mut expected, &balanced, exponent);
        let expected: Vec<u64> = expected.iter().map(|&x| (x as i64).rem_euclid(t as i64) as u64).collect();
        let rotated = galois.apply(ring, &gadget, &fresh);
        assert_eq!(residues(&key.phase(ring, &rotated)), expected, "automorphism modulo {t}");

        // Modulus switching: 1/q times the messages.
        let q = ring.modulus(Limbs::chain(6), 5).value() % t;
        let divided = fresh.divided(ring, &Division::congruent(ring, Limbs::chain(6), 5, t));
        let found = residues(&key.phase(ring, &divided));
        assert!(found.iter().zip(&m).all(|(&x, &m)| x * q % t == m), "division modulo {t}");
    }
    assert!(HybridGadget::congruent(ring, 6, 3, 3, 0).is_err());
    assert!(HybridGadget::congruent(ring, 6, 3, 3, ring.modulus(ring.limbs(), 0).value()).is_err());
}
