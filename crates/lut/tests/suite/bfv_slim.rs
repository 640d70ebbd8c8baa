//! Slim bootstrapping of BFV and BGV.
use std::sync::Arc;

use bootes_lattice::rns::MaskStorage;
use bootes_lut::bfv::SlimBootstrap;
use bootes_ring::sample::SecretSeed;
use bootes_schemes::class::SetClass;
use bootes_schemes::exact::residue::Residues;
use bootes_schemes::exact::{Evaluator, ExactLiteral, ExactSecretKey, ExactSlots, KeyRequest, Scheme};
use bootes_schemes::polyeval::{ArithmeticCircuit, Gate, PolynomialBasis};
use bootes_testkit::{TestRng, seed_bytes};

/// p·k + i modulo p² ↦ k for |i| ≤ B: Π(x − i)·g(x) over p, g of degree 2B.
fn bounded_removal(p: u64, bound: i64) -> ArithmeticCircuit<i64> {
    let ring = Residues::new(p * p);
    let times_linear = |polynomial: &[u64], root: i64| {
        let mut out = vec![0; polynomial.len() + 1];
        for (i, &c) in polynomial.iter().enumerate() {
            out[i + 1] = (out[i + 1] + c) % ring.modulus();
            out[i] = (out[i] + ring.mul(c, ring.reduce(-root))) % ring.modulus();
        }
        out
    };
    let points: Vec<i64> = (-bound..=bound).collect();
    let base = points.iter().fold(vec![1], |base, &i| times_linear(&base, i));
    let mut g = vec![0; points.len()];
    for &i in &points {
        let others = points.iter().filter(|&&j| j != i);
        let derivative = others.clone().fold(1, |d, &j| ring.mul(d, ring.reduce(i - j)));
        let over = ring.inverse(derivative).unwrap();
        let lagrange = others.fold(vec![1], |l, &j| times_linear(&l, j));
        // 1/base'(i), and once more for the Lagrange polynomial.
        let factor = ring.mul(over, over);
        g.iter_mut().zip(lagrange).for_each(|(g, l)| *g = (*g + ring.mul(l, factor)) % ring.modulus());
    }
    let mut product = vec![0; base.len() + g.len() - 1];
    for (i, &a) in base.iter().enumerate() {
        for (j, &b) in g.iter().enumerate() {
            product[i + j] = (product[i + j] + ring.mul(a, b)) % ring.modulus();
        }
    }
    let product: Vec<i64> = product.into_iter().map(|c| ring.balance(c)).collect();
    let polynomial = ArithmeticCircuit::polynomials(PolynomialBasis::Power, &[product]);
    let mut circuit = ArithmeticCircuit::new(1);
    for gate in &polynomial.gates()[1..] {
        circuit.push(gate.clone());
    }
    let dividend = polynomial.outputs()[0];
    let output = circuit.push(Gate::ExactDivision { dividend, divisor: p });
    circuit.output(output);
    circuit
}

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
        let removal = bounded_removal(base, bound);
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
        }
    }
}
