//! Coefficients of BFV refreshed by their noise as an exact message.
use std::sync::Arc;

use bootes_lattice::rns::MaskStorage;
use bootes_lut::bfv::{DiscreteBootstrap, DiscreteNoise, DiscreteSet};
use bootes_ring::sample::SecretSeed;
use bootes_schemes::ckks::{CkksSecretKey, Encoder, Evaluator as CkksEvaluator};
use bootes_schemes::exact::{Evaluator, ExactParams, ExactSecretKey, KeyRequest, Scheme};
use bootes_testkit::{TestRng, seed_bytes};

#[test]
fn noise_is_an_exact_message() {
    let DiscreteSet { params, discrete } = DiscreteSet::named("toy_discrete").unwrap();
    let ckks = params.try_build().unwrap();
    let encoder = Encoder::new(ckks.degree()).unwrap();
    let root = SecretSeed::from_bytes(&seed_bytes("discrete", 0));
    let noise = |t| DiscreteNoise::new(&ckks, &encoder, &discrete, t).unwrap();
    let mut request = KeyRequest::default();
    noise(2).request(&ckks, &mut request);
    let key = CkksSecretKey::derive(&ckks, &root).evaluation_key(&request, MaskStorage::Expanded, |_, _| ()).unwrap();
    let ckks_evaluator = CkksEvaluator::new(Arc::new(key)).unwrap();
    for (base, exponent) in [(2u64, 1), (257, 1), (1000, 1), (65537, 1), (65537, 2)] {
        let noise = noise(base.pow(exponent));
        let level = noise.output_level();
        let params = ExactParams::on_ckks(&ckks, base, exponent, level).unwrap();
        let secret = ExactSecretKey::derive(&params, &root);
        let mut request = KeyRequest::default();
        request.products(level);
        let key = secret.evaluation_key(&request, MaskStorage::Expanded, |_, _| ()).unwrap();
        let evaluator = Evaluator::new(Arc::new(key));
        println!("{base}^{exponent}: {:?}", noise.error());
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
            let before = x.budget(&params).worst;
            x = refresh.bootstrap(&x).unwrap();
            assert_eq!(x.state(), state);
            let [std, largest] = secret.measure(&x).unwrap();
            let ratio = (std - x.size.average).exp2();
            println!(
                "  {round}: budget {before} to {}, measured {}, failure 2^{log2_failure}, {ratio} of the predicted noise",
                x.budget(&params).worst,
                params.log2_level(x.level) - 1.0 - largest
            );
            assert!(secret.decrypt(&x).unwrap() == expected, "modulo {t}, round {round}");
        }
    }
}
