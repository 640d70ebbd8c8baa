//! Full bootstrapping of BFV and BGV.
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bootes_lattice::rns::MaskStorage;
use bootes_lut::bfv::{DigitMethod, DigitRemoval};
use bootes_lut::papers::FullBootstrap;
use bootes_ring::sample::SecretSeed;
use bootes_schemes::bfv::{
    BfvLiteral, BfvParams, BfvSchemeError, BfvSecretKey, BfvSlots, Evaluator, KeyRequest, Scheme,
};
use bootes_testkit::{TestRng, seed_bytes};

use crate::bfv_slim::literal;

const BOUND: u64 = 6;

fn removal(p: u64, r: u32) -> bootes_schemes::polyeval::ArithmeticCircuit<i64> {
    DigitRemoval { p, e: r + 1, v: 1, method: DigitMethod::BoundedRange { bound: BOUND } }.circuit()
}

/// All coefficients, or those of a power of X, of any polynomial: chains of bootstraps in both schemes, with products of
/// elements in the slots between them.
#[test]
fn polynomials_are_refreshed() {
    for (base, r, spread, stages) in
        [(31, 1, 1, 1), (31, 2, 4, 1), (97, 1, 1, 2), (127, 1, 1, 1), (193, 1, 2, 2), (257, 1, 1, 1), (17, 2, 8, 1)]
    {
        let params = BfvLiteral { exponent: r + 1, ..literal(base) }.try_build().unwrap();
        let full = FullBootstrap::new(&params, [r, r + 1], spread, stages, removal(base, r), BOUND as f64).unwrap();
        let slots = BfvSlots::new(&params, r).unwrap();
        assert_eq!(full.parts(), slots.extension() / spread);
        let secret = BfvSecretKey::derive(&params, &SecretSeed::from_bytes(&seed_bytes("full", base)));
        let mut request = KeyRequest::default();
        full.request(&mut request);
        let evaluator =
            Evaluator::new(Arc::new(secret.evaluation_key(&request, MaskStorage::Expanded, crate::unheard).unwrap()));
        let mut rng = TestRng::new("full", base);
        let t = params.power(r);
        for scheme in [Scheme::Bgv, Scheme::Bfv] {
            let of_power = |(i, c): (usize, i64)| if i % spread == 0 { c } else { 0 };
            let mut message: Vec<i64> = (0..params.degree()).map(|i| of_power((i, rng.below(t) as i64))).collect();
            let mut x = secret.encrypt(&message, scheme, r, 2).unwrap();
            for round in 0..3 {
                let told = AtomicUsize::new(0);
                let refreshed = full
                    .bootstrap(&evaluator, &x, |_, of| {
                        assert_eq!(of, full.parts());
                        told.fetch_add(1, Ordering::Relaxed);
                    })
                    .unwrap();
                assert_eq!(told.into_inner(), full.parts());
                let prediction = full.check(x.state()).unwrap();
                assert_eq!(refreshed.state(), prediction.result);
                assert_eq!((refreshed.scheme, refreshed.exponent), (scheme, r));
                let found = secret.decrypt(&refreshed).unwrap();
                assert!(found.iter().zip(&message).all(|(&x, &y)| x == y as u64), "modulo {base}^{r}, round {round}");
                let [_, largest] = secret.measure(&refreshed).unwrap();
                assert!(largest <= refreshed.size.worst);
                // Elements in the slots are squared: what is refreshed is a product.
                let squared = evaluator.mul(&refreshed, &refreshed).unwrap();
                let elements = slots.decode_elements(&found).unwrap();
                let product = secret.decrypt(&squared).unwrap();
                let d = slots.extension();
                let f = slots.minimal_polynomial();
                let of_product = slots.decode_elements(&product).unwrap();
                for slot in [0, slots.count() - 1] {
                    let of = |x: &[u64]| x[slot * d..(slot + 1) * d].to_vec();
                    assert_eq!(of(&of_product), squared_modulo(&of(&elements), &f, t), "modulo {base}^{r}");
                }
                message = product.into_iter().map(|c| c as i64).collect();
                x = squared;
            }
            let other = secret.encrypt(&message, scheme, r + 1, 2).unwrap();
            let error = full.bootstrap(&evaluator, &other, crate::unheard).unwrap_err();
            assert_eq!(error, BfvSchemeError::Moduli { base, exponents: [r + 1, r] });
        }
    }
}

fn squared_modulo(a: &[u64], f: &[i64], t: u64) -> Vec<u64> {
    let (d, t) = (a.len(), i128::from(t));
    let mut out = vec![0i128; 2 * d];
    for (i, &x) in a.iter().enumerate() {
        for (j, &y) in a.iter().enumerate() {
            out[i + j] = (out[i + j] + i128::from(x) * i128::from(y)) % t;
        }
    }
    for i in (d..2 * d).rev() {
        let c = std::mem::take(&mut out[i]);
        for j in 0..d {
            out[i - d + j] = (out[i - d + j] - c * i128::from(f[j])) % t;
        }
    }
    out[..d].iter().map(|&c| c.rem_euclid(t) as u64).collect()
}

#[test]
fn what_cannot_be_refreshed_is_refused() {
    let params = literal(257).try_build().unwrap();
    let refused =
        |params: &BfvParams, p, spread| FullBootstrap::new(params, [1, 2], spread, 1, removal(p, 1), 6.0).err();
    for spread in [0, 3, 2 * params.degree()] {
        assert!(matches!(refused(&params, 257, spread), Some(BfvSchemeError::Spread { .. })), "{spread}");
    }
    let short = BfvLiteral { primes: vec![(45, 2)], ..literal(31) }.try_build().unwrap();
    assert!(matches!(refused(&short, 31, 1), Some(BfvSchemeError::Exhausted { .. })));
}
