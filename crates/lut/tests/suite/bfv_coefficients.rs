//! Coefficients of BFV refreshed through CKKS.
use std::sync::Arc;

use bootes_lattice::rns::MaskStorage;
use bootes_lut::papers::CoefficientBootstrap;
use bootes_ring::sample::SecretSeed;
use bootes_schemes::bfv::{BfvParams, BfvSchemeError, BfvSecretKey, Evaluator, KeyRequest, Scheme};
use bootes_schemes::ckks::{Bootstrap, BootstrapSet, CkksSecretKey, Evaluator as CkksEvaluator};
use bootes_testkit::{TestRng, sampled, seed_bytes};

/// The level of results: three passes leave room for the last constant.
const LEVEL: usize = 6;

#[test]
fn coefficients_are_refreshed() {
    let BootstrapSet { params, bootstrap } = BootstrapSet::named("toy_bootstrap").unwrap();
    let ckks = params.try_build().unwrap();
    let bootstrap = || Bootstrap::new(&ckks, bootstrap.clone()).unwrap();
    let root = SecretSeed::from_bytes(&seed_bytes("coefficients", 0));
    let mut request = KeyRequest::default();
    bootstrap().request(&ckks, &mut request);
    let key =
        CkksSecretKey::derive(&ckks, &root).evaluation_key(&request, MaskStorage::Expanded, crate::unheard).unwrap();
    let ckks_evaluator = CkksEvaluator::new(Arc::new(key)).unwrap();
    for (base, exponent) in sampled([(2, 1), (257, 1), (1000, 1), (65537, 2)], 3) {
        let params = BfvParams::on_ckks(&ckks, base, exponent, LEVEL).unwrap();
        let secret = BfvSecretKey::derive(&params, &root);
        let mut request = KeyRequest::default();
        request.products(LEVEL);
        let key = secret.evaluation_key(&request, MaskStorage::Expanded, crate::unheard).unwrap();
        let evaluator = Evaluator::new(Arc::new(key));
        let refresh = CoefficientBootstrap::new(evaluator.clone(), ckks_evaluator.clone(), bootstrap()).unwrap();
        assert!(refresh.gained() > 24.0, "{} bits", refresh.gained());
        let mut rng = TestRng::new("coefficients", base);
        let t = params.power(exponent);
        let message: Vec<i64> = (0..params.degree()).map(|_| rng.below(t) as i64).collect();
        let expected: Vec<u64> = message.iter().map(|&m| m as u64).collect();
        let fresh = secret.encrypt(&message, Scheme::Bfv, exponent, 1).unwrap();
        let mut x = fresh.clone();
        for pass in 0..3 {
            let before = secret.measure(&x).unwrap()[1] - params.log2_level(x.level);
            let size = x.size.worst - params.log2_level(x.level);
            x = refresh.passes(&fresh, LEVEL, pass + 1).unwrap();
            assert!(secret.decrypt(&x).unwrap() == expected, "modulo {t}, pass {pass}");
            let [std, largest] = secret.measure(&x).unwrap();
            assert!(largest <= x.size.worst, "modulo {t}, pass {pass}: 2^{largest}, not 2^{}", x.size.worst);
            let gained = size - (x.size.worst - params.log2_level(LEVEL));
            assert!(pass == 0 || (gained - refresh.gained()).abs() < 1.01, "modulo {t}, pass {pass}: {gained} bits");
            assert!(largest - params.log2_level(LEVEL) < before);
            // Noise is predicted for the turns where it is largest.
            let ratio = (std - x.size.average).exp2();
            assert!((0.5..1.1).contains(&ratio), "modulo {t}, pass {pass}: {ratio} of the predicted noise");
        }
        // Results are operands.
        let square = evaluator.mul(&x, &x).unwrap();
        assert!(square.budget(&params).worst > 20.0);
        let error = evaluator.mul(&x.clone().into_scheme(&params, Scheme::Bgv), &x).unwrap_err();
        assert_eq!(error, BfvSchemeError::OtherScheme { found: Scheme::Bgv, expected: Scheme::Bfv });
    }
}
