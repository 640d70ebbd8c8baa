//! Slim bootstrapping of BFV and BGV.
use std::sync::Arc;

use bootes_lattice::rns::MaskStorage;
use bootes_lut::bfv::{DigitMethod, DigitRemoval, SlimBootstrap};
use bootes_ring::sample::SecretSeed;
use bootes_schemes::class::SetClass;
use bootes_schemes::exact::{Evaluator, ExactError, ExactLiteral, ExactSecretKey, ExactSlots, KeyRequest, Scheme};
use bootes_testkit::{TestRng, seed_bytes};

fn literal(base: u64) -> ExactLiteral {
    ExactLiteral {
        name: format!("toy_slim_{base}"),
        class: SetClass::Toy,
        log2_degree: 7,
        base,
        exponent: 2,
        base_bits: 50,
        prime_bits: 45,
        levels: 12,
        digit_primes: 3,
        special_primes: 4,
        weight: 64,
        sparse_weight: 8,
    }
}

#[test]
fn vectors_are_refreshed() {
    for base in [31, 97, 127, 193, 257] {
        let params = literal(base).try_build().unwrap();
        let bound = 6;
        let method = DigitMethod::BoundedRange { bound };
        let removal = DigitRemoval { p: base, e: 2, v: 1, method }.circuit();
        let slim = SlimBootstrap::new(&params, [1, 2], 2, removal, bound as f64).unwrap();
        let slots = ExactSlots::new(&params, 1).unwrap();
        let secret = ExactSecretKey::derive(&params, &SecretSeed::from_bytes(&seed_bytes("slim", base)));
        let mut request = KeyRequest::default();
        slim.request(&mut request);
        let key = secret.evaluation_key(&request, MaskStorage::Expanded, |_, _| ()).unwrap();
        let evaluator = Evaluator::new(Arc::new(key));
        let mut rng = TestRng::new("slim", base);
        for scheme in [Scheme::Bgv, Scheme::Bfv] {
            let values: Vec<i64> = (0..slots.count()).map(|_| rng.below(base) as i64).collect();
            let message = slots.encode(&values).unwrap();
            let mut x = secret.encrypt(&message, scheme, 1, 3).unwrap();
            for round in 0..3 {
                let prediction = slim.predict(x.state()).unwrap();
                assert!(prediction.log2_failure < -100.0, "{prediction:?}");
                let refreshed = slim.bootstrap(&evaluator, &x).unwrap();
                assert_eq!(refreshed.state().size, prediction.result.size);
                assert_eq!((refreshed.scheme, refreshed.exponent), (scheme, 1));
                let found = slots.decode(&secret.decrypt(&refreshed).unwrap()).unwrap();
                assert!(found.iter().zip(&values).all(|(&x, &y)| x == y as u64), "modulo {base}, round {round}");
                let [_, largest] = secret.measure(&refreshed).unwrap();
                assert!(largest <= refreshed.size.worst);
                assert!(refreshed.level > 4, "modulo {base}: level {}", refreshed.level);
                x = evaluator.drop_to(&refreshed, 3).unwrap().into_owned();
            }
            let other = secret.encrypt(&message, scheme, 2, 3).unwrap();
            let error = slim.bootstrap(&evaluator, &other).unwrap_err();
            assert_eq!(error, ExactError::Moduli { base, exponents: [2, 1] });
        }
    }
    // Fewer digits than the sparse key makes.
    let params = literal(257).try_build().unwrap();
    let removal = DigitRemoval { p: 257, e: 2, v: 1, method: DigitMethod::BoundedRange { bound: 3 } }.circuit();
    let slim = SlimBootstrap::new(&params, [1, 2], 2, removal, 3.0).unwrap();
    let secret = ExactSecretKey::derive(&params, &SecretSeed::from_bytes(&[1; 32]));
    let x = secret.encrypt(&[0; 128], Scheme::Bgv, 1, 3).unwrap();
    assert!(slim.predict(x.state()).unwrap().log2_failure > -1.0);
}
