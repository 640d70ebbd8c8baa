//! The noise of CKKS operations, circuits and maps: predicted and measured.

use std::f64::consts::TAU;
use std::sync::Arc;

use bootes_lattice::rns::{MaskStorage, RnsCiphertext};
use bootes_ring::sample::SecretSeed;
use bootes_schemes::ckks::bootstrap::{TransformOptions, Transforms};
use bootes_schemes::ckks::noise::{CircuitNoise, SlotNoise};
use bootes_schemes::ckks::{
    CkksCiphertext, CkksLiteral, CkksParams, CkksSecretKey, Encoder, Evaluator, Exponential, KeyRequest, ciphertext,
};
use bootes_schemes::class::SetClass;
use bootes_schemes::rlwe::GaloisAction;
use bootes_testkit::{CONFIDENCE, Moments, TestRng, seed_bytes, variance_interval};
use num_complex::Complex64;

struct Setting {
    params: CkksParams,
    secret: CkksSecretKey,
    encoder: Encoder,
    evaluator: Evaluator,
    transforms: Transforms,
    /// |s(ζ_j)|²/h.
    keyed: Vec<f64>,
}

const LEVELS: usize = 15;
const BOUND: f64 = 15.0;

fn setting(scale_bits: u32) -> Setting {
    let literal = CkksLiteral {
        name: "toy_ckks_noise".into(),
        class: SetClass::Toy,
        log2_degree: 11,
        base_bits: 50,
        scale_bits,
        levels: LEVELS,
        digit_primes: 4,
        special_primes: 4,
        weight: 192,
        sparse_weight: 40,
    };
    let params = literal.try_build().unwrap();
    let encoder = Encoder::new(params.degree()).unwrap();
    let options =
        TransformOptions { bound: BOUND, to_slots: 3, to_coeffs: 3, output_level: 0, output_scale: params.prime(0) };
    let transforms = Transforms::new(&params, options).unwrap();
    let mut request = KeyRequest { relinearisation: Some(LEVELS), ..KeyRequest::default() };
    request.action(GaloisAction::Conjugation, LEVELS);
    request.rotation(3, LEVELS);
    transforms.request(&params, &mut request);
    let secret = CkksSecretKey::derive(&params, &SecretSeed::from_bytes(&seed_bytes("ckks noise", 0)));
    let evaluator = Evaluator::new(Arc::new(secret.evaluation_key_with_randomness_for_tests(
        &request,
        MaskStorage::Expanded,
        &[7; 32],
    )))
    .unwrap();
    let coefficients: Vec<f64> = secret.key().expose_coefficients().iter().map(|&s| s.into()).collect();
    let mut slots = vec![Complex64::ZERO; params.slots()];
    encoder.slots_into(&mut slots, &coefficients).unwrap();
    let keyed = slots.iter().map(|s| s.norm_sqr() / 192.0).collect();
    Setting { params, secret, encoder, evaluator, transforms, keyed }
}

impl Setting {
    fn encrypt(&self, values: &[Complex64], index: u64) -> CkksCiphertext {
        let seed = SecretSeed::from_bytes(&seed_bytes("ckks noise encryption", index));
        self.secret.encrypt_with_randomness_for_tests(&self.encoder, values, LEVELS, &seed).unwrap()
    }

    fn decrypt(&self, x: &CkksCiphertext) -> Vec<Complex64> {
        self.secret.decrypt(&self.encoder, x, self.params.slots()).unwrap()
    }

    /// Real errors, scaled by what is predicted for each slot, are standard Gaussians.
    fn check(&self, name: &str, errors: &[(usize, f64, SlotNoise)]) {
        let scale =
            |&(j, error, noise): &(usize, f64, SlotNoise)| error / (noise.flat + noise.keyed * self.keyed[j]).sqrt();
        let moments = Moments::of(&errors.iter().map(scale).collect::<Vec<_>>());
        let (low, high) = variance_interval(moments.variance, errors.len(), CONFIDENCE);
        let (low, high) = (low.sqrt(), high.sqrt());
        println!(
            "Δ = 2^{} {name}: measured/predicted {:.3} ({low:.3} to {high:.3}), kurtosis {:.2}",
            self.params.literal().scale_bits,
            moments.std(),
            moments.excess_kurtosis
        );
        assert!(low <= 1.03 && high >= 0.97, "{name}: {low} to {high}");
    }

    /// Both parts of complex errors.
    fn check_values(
        &self,
        name: &str,
        found: &[Complex64],
        expected: &[Complex64],
        noise: impl Fn(usize) -> SlotNoise,
    ) {
        let error = |j: usize| found[j] - expected[j];
        let parts = |j: usize| [(j, error(j).re, noise(j) * 0.5), (j, error(j).im, noise(j) * 0.5)];
        self.check(name, &(0..found.len()).flat_map(parts).collect::<Vec<_>>());
    }
}

fn values(rng: &mut TestRng, count: usize) -> Vec<Complex64> {
    (0..count).map(|_| Complex64::new(2.0 * rng.unit_f64() - 1.0, 2.0 * rng.unit_f64() - 1.0)).collect()
}

#[test]
fn operations() {
    for scale_bits in [30, 36, 42] {
        let s = setting(scale_bits);
        let (e, params, scale) = (&s.evaluator, &s.params, s.params.scale(LEVELS));
        let mut rng = TestRng::new("ckks noise", scale_bits.into());
        let (x, y) = (values(&mut rng, params.slots()), values(&mut rng, params.slots()));
        let (a, b) = (s.encrypt(&x, 1), s.encrypt(&y, 2));
        let fresh = params.encryption_noise(scale);
        s.check_values("fresh", &s.decrypt(&a), &x, |_| fresh);
        let public = s.secret.public_key_with_randomness_for_tests(&[7; 32]);
        let seed = SecretSeed::from_bytes(&seed_bytes("public", 0));
        let public = public.encrypt_with_randomness_for_tests(&s.encoder, &x, LEVELS, &seed).unwrap();
        // Keyed by the slots of another secret than s: the mean, and heavy tails.
        let noise = SlotNoise::flat(params.public_encryption_noise(scale).mean());
        s.check_values("public", &s.decrypt(&public), &x, |_| noise);
        let rounding = params.rounding_noise(params.scale(LEVELS - 1));
        let third: Vec<_> = x.iter().map(|x| x / 3.0).collect();
        let rescaled = s.decrypt(&e.mul_constant(&a, Complex64::from(1.0 / 3.0)).unwrap());
        s.check_values("constant", &rescaled, &third, |_| fresh * (1.0 / 9.0) + rounding);
        let mut rotated = x.clone();
        rotated.rotate_left(3);
        let rotation = params.rotation_noise(LEVELS, scale);
        s.check_values("rotation", &s.decrypt(&e.rotate(&a, 3).unwrap()), &rotated, |_| fresh + rotation);
        let conjugates: Vec<_> = x.iter().map(Complex64::conj).collect();
        s.check_values("conjugation", &s.decrypt(&e.conjugate(&a).unwrap()), &conjugates, |_| fresh + rotation);
        let products: Vec<_> = x.iter().zip(&y).map(|(x, y)| x * y).collect();
        s.check_values("product", &s.decrypt(&e.mul(&a, &b).unwrap()), &products, |j| {
            fresh * (x[j].norm_sqr() + y[j].norm_sqr()) + params.product_noise(LEVELS - 1)
        });
    }
}

#[test]
fn exponential() {
    for scale_bits in [30, 42] {
        let s = setting(scale_bits);
        let mut rng = TestRng::new("ckks noise exponential", scale_bits.into());
        let exponential = Exponential::choose(BOUND, -36.0).unwrap();
        let circuit = exponential.circuit();
        let reading = CircuitNoise::new(&s.params, &circuit, LEVELS);
        let t: Vec<Complex64> = (0..s.params.slots()).map(|_| (1.8 * rng.unit_f64() - 0.9).into()).collect();
        let x = s.encrypt(&t, 3);
        // Encryption's noise is known; what is left is the circuit's.
        let start = s.decrypt(&x);
        let found = s.decrypt(&s.evaluator.evaluate(&circuit, &[&x], crate::unheard).unwrap()[0]);
        let (mut radial, mut angular) = (Vec::new(), Vec::new());
        for (j, z) in found.iter().enumerate() {
            let at = reading.at(start[j])[0];
            let error = (z - at.value) * Complex64::cis(-TAU * BOUND * t[j].re);
            radial.push((j, error.re, at.added * 0.5));
            angular.push((j, error.im, at.added * 0.5));
        }
        s.check("EvalExp, radial", &radial);
        s.check("EvalExp, angular", &angular);
    }
}

#[test]
fn raising_and_the_maps() {
    for scale_bits in [30, 42] {
        let s = setting(scale_bits);
        let (params, ring, n) = (&s.params, s.params.ring(), s.params.slots());
        let mut rng = TestRng::new("ckks noise maps", scale_bits.into());
        let q = params.prime(0);
        let message: Vec<f64> = (0..2 * n).map(|_| ((rng.unit_f64() - 0.5) * q).round()).collect();
        let seed = SecretSeed::from_bytes(&seed_bytes("ckks noise maps", 0));
        let limbs = params.limbs(0);
        let input = ring.from_integers(limbs, &message);
        let input = RnsCiphertext::encrypt(ring, input, s.secret.key(), 3.19.into(), &seed.fork_mask(1), &seed.fork(2));
        let phase = |x: &RnsCiphertext| ciphertext::coefficients(params, &s.secret.key().phase(ring, x));
        let raised = s.evaluator.raise(&input).unwrap();
        let (before, after) = (phase(&input), phase(&raised));
        let variance = SlotNoise::flat(Transforms::raise_variance(params));
        let shift = |j: usize| (j % n, (after[j] - before[j]) / q - ((after[j] - before[j]) / q).round(), variance);
        s.check("raising", &(0..2 * n).map(shift).collect::<Vec<_>>());

        let [real, complex] = s.transforms.to_slots_noise(params, 0.0);
        let halves = s.evaluator.coeffs_to_slots(&s.transforms, raised).unwrap();
        let reversed = |j: usize| j.reverse_bits() >> (usize::BITS - n.trailing_zeros());
        let (mut reals, mut imaginaries) = (Vec::new(), Vec::new());
        for (half, slots) in halves.iter().map(|x| s.decrypt(x)).enumerate() {
            for (j, z) in slots.iter().enumerate() {
                let expected = after[reversed(j) + half * n] / (BOUND * q);
                reals.push((j, z.re - expected, real + complex * 0.5));
                imaginaries.push((j, z.im, complex * 0.5));
            }
        }
        s.check("CoeffsToSlots, real", &reals);
        s.check("CoeffsToSlots, imaginary", &imaginaries);

        // Coefficients are less than half the modulus.
        let x: Vec<_> = values(&mut rng, n).iter().map(|x| x * 0.4).collect();
        let slots = s.encrypt(&x, 4);
        let start = s.decrypt(&s.evaluator.at_level(&slots, s.transforms.coeffs_level()).unwrap());
        let end = phase(s.evaluator.slots_to_coeffs(&s.transforms, &slots).unwrap().inner());
        let noise = s.transforms.to_coeffs_noise(params, SlotNoise::default(), 0.16 * 2.0 / 3.0);
        let error = |k: usize| {
            let expected = start[reversed(k % n)];
            (k % n, end[k] / q - if k < n { expected.re } else { expected.im }, noise)
        };
        s.check("SlotsToCoeffs", &(0..2 * n).map(error).collect::<Vec<_>>());
    }
}
