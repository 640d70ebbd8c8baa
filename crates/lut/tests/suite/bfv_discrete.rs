//! Coefficients of BFV refreshed by their noise as an exact message.
use std::sync::Arc;

use bootes_lattice::rns::MaskStorage;
use bootes_lut::LutError;
use bootes_lut::papers::discrete::DiscreteOptions;
use bootes_lut::papers::{DiscreteBootstrap, DiscreteNoise, DiscreteSet};
use bootes_ring::sample::SecretSeed;
use bootes_schemes::bfv::{BfvParams, BfvSchemeError, BfvSecretKey, Evaluator, KeyRequest, Scheme};
use bootes_schemes::ckks::{CkksError, CkksLiteral, CkksParams, CkksSecretKey, Evaluator as CkksEvaluator};
use bootes_testkit::{TestRng, sampled, seed_bytes};

/// CKKS with the keys that are asked for.
fn evaluator(ckks: &CkksParams, noise: &DiscreteNoise, root: &SecretSeed) -> CkksEvaluator {
    let mut request = KeyRequest::default();
    noise.request(ckks, &mut request);
    let key =
        CkksSecretKey::derive(ckks, root).evaluation_key(&request, MaskStorage::Expanded, crate::unheard).unwrap();
    CkksEvaluator::new(Arc::new(key)).unwrap()
}

/// BFV with products, and its secret key.
fn exact(params: &BfvParams, level: usize, root: &SecretSeed) -> (BfvSecretKey, Evaluator) {
    let secret = BfvSecretKey::derive(params, root);
    let mut request = KeyRequest::default();
    request.products(level);
    let key = secret.evaluation_key(&request, MaskStorage::Expanded, crate::unheard).unwrap();
    (secret, Evaluator::new(Arc::new(key)))
}

#[test]
fn noise_is_an_exact_message() {
    let DiscreteSet { params, discrete } = DiscreteSet::named("toy_discrete").unwrap();
    let ckks = params.try_build().unwrap();
    let root = SecretSeed::from_bytes(&seed_bytes("discrete", 0));
    let noise = |t| DiscreteNoise::new(&ckks, &discrete, t).unwrap();
    // Keys are the same for all t.
    let ckks_evaluator = evaluator(&ckks, &noise(2), &root);
    for (base, exponent) in sampled([(2u64, 1), (257, 1), (1000, 1), (65537, 2)], 3) {
        let noise = noise(base.pow(exponent));
        let level = noise.output_level();
        let params = BfvParams::on_ckks(&ckks, base, exponent, level).unwrap();
        let (secret, evaluator) = exact(&params, level, &root);
        let refresh = DiscreteBootstrap::new(evaluator.clone(), ckks_evaluator.clone(), noise).unwrap();
        let mut rng = TestRng::new("discrete", base);
        let t = params.power(exponent);
        let mut expected: Vec<u64> = (0..params.degree()).map(|_| rng.below(t)).collect();
        let message: Vec<i64> = expected.iter().map(|&m| m as i64).collect();
        let mut x = secret.encrypt(&message, Scheme::Bfv, exponent, 1).unwrap();
        // Until little is left, and then without end.
        while x.budget(&params).worst > 4.0 {
            x = evaluator.add(&x, &x).unwrap();
            expected.iter_mut().for_each(|m| *m = *m * 2 % t);
        }
        for round in 0..2 {
            let (state, log2_failure) = refresh.predict(x.state()).unwrap();
            assert!(log2_failure < -1000.0, "modulo {t}: 2^{log2_failure}");
            x = refresh.bootstrap(&x).unwrap();
            assert_eq!(x.state(), state);
            assert!(secret.decrypt(&x).unwrap() == expected, "modulo {t}, round {round}");
            assert!(x.budget(&params).worst > 70.0, "modulo {t}: {:?}", x.budget(&params));
            let [std, largest] = secret.measure(&x).unwrap();
            assert!(largest <= x.size.worst);
            let ratio = (std - x.size.average).exp2();
            assert!((0.85..1.15).contains(&ratio), "modulo {t}, round {round}: {ratio} of the predicted noise");
            x = evaluator.add(&x, &x).unwrap();
            expected.iter_mut().for_each(|m| *m = *m * 2 % t);
        }
        // Results are operands.
        let square = evaluator.mul(&x, &x).unwrap();
        let refreshed = refresh.bootstrap(&square).unwrap();
        assert_eq!(secret.decrypt(&refreshed).unwrap(), secret.decrypt(&square).unwrap());
        // Too much noise.
        let mut noisy = x;
        while let Ok(sum) = evaluator.add(&noisy, &noisy) {
            noisy = sum;
        }
        let error = refresh.bootstrap(&noisy).unwrap_err();
        assert!(matches!(error, LutError::BfvScheme(BfvSchemeError::Exhausted { .. })), "{error}");
    }
}

/// Results at a higher level: e is multiplied by a large power of two.
#[test]
fn results_may_have_any_level() {
    let DiscreteSet { params, discrete } = DiscreteSet::named("toy_discrete").unwrap();
    let ckks = CkksLiteral { levels: params.levels + 7, ..params }.try_build().unwrap();
    let root = SecretSeed::from_bytes(&seed_bytes("discrete levels", 0));
    let noise = DiscreteNoise::new(&ckks, &discrete, 2).unwrap();
    let (ckks_evaluator, level) = (evaluator(&ckks, &noise, &root), noise.output_level());
    assert_eq!(level, 9);
    let params = BfvParams::on_ckks(&ckks, 2, 1, level).unwrap();
    let (secret, evaluator) = exact(&params, level, &root);
    let refresh = DiscreteBootstrap::new(evaluator, ckks_evaluator, noise).unwrap();
    let message: Vec<i64> = (0..params.degree() as i64).map(|i| i % 3 % 2).collect();
    let x = refresh.bootstrap(&secret.encrypt(&message, Scheme::Bfv, 1, 1).unwrap()).unwrap();
    assert!(secret.decrypt(&x).unwrap().into_iter().eq(message.iter().map(|&m| m as u64)));
    assert!(secret.measure(&x).unwrap()[1] <= x.size.worst && x.budget(&params).worst > 70.0);
}

#[test]
fn what_does_not_fit_is_refused() {
    let DiscreteSet { params, discrete } = DiscreteSet::named("toy_discrete").unwrap();
    let ckks = params.clone().try_build().unwrap();
    let roots = [1, 2].map(|i| SecretSeed::from_bytes(&seed_bytes("discrete", i)));
    let noise = || DiscreteNoise::new(&ckks, &discrete, 257).unwrap();
    let ckks_evaluator = evaluator(&ckks, &noise(), &roots[0]);
    let params_of = |base| BfvParams::on_ckks(&ckks, base, 1, 2).unwrap();
    let (_, other) = exact(&params_of(257), 2, &roots[1]);
    let error = DiscreteBootstrap::new(other, ckks_evaluator.clone(), noise()).unwrap_err();
    assert!(matches!(error, LutError::BfvScheme(BfvSchemeError::Foreign { .. })), "{error}");
    let larger = CkksLiteral { base_bits: 48, ..params.clone() }.try_build().unwrap();
    let of_larger = DiscreteNoise::new(&larger, &discrete, 257).unwrap();
    let (_, of_257) = exact(&params_of(257), 2, &roots[0]);
    let error = DiscreteBootstrap::new(of_257, ckks_evaluator.clone(), of_larger).unwrap_err();
    assert!(matches!(error, LutError::BfvScheme(BfvSchemeError::Foreign { what: "plan of the noise", .. })), "{error}");
    let (_, of_1000) = exact(&params_of(1000), 2, &roots[0]);
    let error = DiscreteBootstrap::new(of_1000, ckks_evaluator, noise()).unwrap_err();
    assert!(
        matches!(error, LutError::BfvScheme(BfvSchemeError::PortModulus { found: 257, expected: 1000 })),
        "{error}"
    );
    for t in [0, 1, 1 << 40] {
        let error = DiscreteNoise::new(&ckks, &discrete, t).unwrap_err();
        assert!(error.to_string().contains("plaintext modulus"), "{error}");
    }
    for residues in [0, 42, 82, 1 << 40] {
        let options = DiscreteOptions { residues, ..discrete.clone() };
        let error = DiscreteNoise::new(&ckks, &options, 257).unwrap_err();
        assert!(error.to_string().contains("43 to 81"), "{error}");
    }
    let few = CkksLiteral { levels: 26, ..params };
    let few = few.try_build().unwrap();
    let error = DiscreteNoise::new(&few, &discrete, 257).unwrap_err();
    assert!(matches!(error, CkksError::Keys(_)) && error.to_string().contains("levels"), "{error}");
}

/// At full size: predicted here, measured by `bfv-through-ckks`.
#[test]
fn the_shipped_set_leaves_66_bits() {
    let DiscreteSet { params, discrete } = DiscreteSet::named("discrete").unwrap();
    let ckks = params.try_build().unwrap();
    assert!(ckks.security().unwrap().iter().all(|security| security.meets_rule()));
    let noise = DiscreteNoise::new(&ckks, &discrete, 257).unwrap();
    assert_eq!(noise.output_level(), 2);
    let params = BfvParams::on_ckks(&ckks, 257, 1, 2).unwrap();
    // log2(P/2) and the bits to which e is known at all roots, from the 4 that may be left before.
    let budget = 24f64.log2() - noise.error().size(&params).worst;
    assert!(budget > 66.0, "{budget}: {:?}", noise.error());
}
