//! Slim bootstrapping of BFV and BGV, with maps that are written down entry by entry.
use std::collections::BTreeMap;
use std::sync::Arc;

use bootes_lattice::rns::MaskStorage;
use bootes_lut::bfv::slim::Stage;
use bootes_lut::bfv::{SlimBootstrap, SlimMaps};
use bootes_ring::sample::SecretSeed;
use bootes_schemes::class::SetClass;
use bootes_schemes::exact::residue::Residues;
use bootes_schemes::exact::{Evaluator, ExactLiteral, ExactParams, ExactSecretKey, KeyRequest, LinearMap, Scheme};
use bootes_schemes::lintrans::Diagonals;
use bootes_schemes::polyeval::{ArithmeticCircuit, Gate, PolynomialBasis};
use bootes_schemes::rlwe::{GaloisAction, KeyError, Slots};
use bootes_testkit::{TestRng, seed_bytes};

/// Slots of polynomials of Y = X^d modulo t = p^e, Y^k = −1: slot 2c + ρ is the value at ζ^(±5^c), a minus for ρ = 1.
struct Subring {
    residues: Residues,
    /// ζ^s for each slot, of order 2k.
    roots: Vec<u64>,
}

fn power(residues: Residues, x: u64, n: u64) -> u64 {
    (0..64).rev().fold(1, |power, bit| {
        let square = residues.mul(power, power);
        if n >> bit & 1 == 1 { residues.mul(square, x) } else { square }
    })
}

impl Subring {
    /// For p ≡ 1 modulo 4.
    fn new(params: &ExactParams, exponent: u32) -> Self {
        let (p, k, residues) = (params.base(), params.slots() as u64, params.residues(exponent));
        let modulo_p = Residues::new(p);
        let candidates = (2..p).map(|x| power(modulo_p, x, (p - 1) / (2 * k)));
        let root = candidates.into_iter().find(|&x| power(modulo_p, x, k) == p - 1).unwrap();
        // Teichmüller's.
        let zeta = power(residues, root, p.pow(exponent - 1));
        assert_eq!(power(residues, zeta, k), residues.modulus() - 1);
        let exponents = (0..k).map(|slot| {
            let e = (0..slot / 2).fold(1, |e, _| e * 5 % (2 * k));
            if slot % 2 == 1 { 2 * k - e } else { e }
        });
        Self { residues, roots: exponents.map(|e| power(residues, zeta, e)).collect() }
    }

    fn coefficients(&self, slots: &[i64]) -> Vec<f64> {
        let ring = self.residues;
        let over = ring.inverse(slots.len() as u64).unwrap();
        let coefficient = |i: u64| {
            let term =
                |(&m, &root): (&i64, &u64)| ring.mul(ring.reduce(m), power(ring, ring.inverse(root).unwrap(), i));
            let sum = slots.iter().zip(&self.roots).map(term).fold(0, |sum, x| (sum + x) % ring.modulus());
            ring.balance(ring.mul(sum, over)) as f64
        };
        (0..slots.len() as u64).map(coefficient).collect()
    }

    /// The maps Σ M_ji·x_i of vectors and of those with exchanged rows.
    fn stage(&self, params: &ExactParams, level: usize, entry: impl Fn(usize, usize) -> u64) -> Stage {
        let k = self.roots.len();
        let map = |exchanged: usize| {
            let diagonal = |c: usize| {
                let entries = (0..k).map(|j| self.residues.balance(entry(j, ((j + 2 * c) % k) ^ exchanged)));
                (2 * c, entries.collect())
            };
            let diagonals: BTreeMap<usize, Vec<i64>> = (0..k / 2).map(diagonal).collect();
            LinearMap::new(params, self, Diagonals::new(k, k, diagonals), level).unwrap()
        };
        Stage { here: map(0), exchanged: Some(map(1)) }
    }
}

impl Slots for Subring {
    type Value = i64;
    type Error = KeyError;

    fn encode(&self, diagonal: &[i64]) -> Result<Vec<f64>, KeyError> {
        let repeated: Vec<i64> = diagonal.iter().copied().cycle().take(self.roots.len()).collect();
        Ok(self.coefficients(&repeated))
    }

    fn rotation(&self, by: usize) -> GaloisAction {
        GaloisAction::rotation(by as i64 / 2)
    }
}

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
    for base in [97, 193, 257] {
        let params = literal(base).try_build().unwrap();
        let (k, top) = (params.slots(), params.max_level());
        let d = params.degree() / k;
        let low = Subring::new(&params, 1);
        let high = Subring::new(&params, 2);
        let to_coeffs = low.stage(&params, 2, |j, i| power(low.residues, low.roots[j], i as u64));
        let over = high.residues.inverse((k * d) as u64).unwrap();
        let to_slots = high.stage(&params, top, |i, j| {
            let inverse = high.residues.inverse(high.roots[j]).unwrap();
            high.residues.mul(over, power(high.residues, inverse, i as u64))
        });
        let trace = (0..d.ilog2()).map(|i| GaloisAction::Frobenius { power: 1 << i }).collect();
        let maps = SlimMaps { to_coeffs: vec![to_coeffs], trace, to_slots: vec![to_slots] };
        let bound = 6;
        let slim = SlimBootstrap::new(&params, [1, 2], maps, bounded_removal(base, bound), bound as f64);
        let secret = ExactSecretKey::derive(&params, &SecretSeed::from_bytes(&seed_bytes("slim", base)));
        let mut request = KeyRequest::default();
        slim.request(&mut request);
        let key = secret.evaluation_key(&request, MaskStorage::Expanded, |_, _| ()).unwrap();
        let evaluator = Evaluator::new(Arc::new(key));
        let mut rng = TestRng::new("slim", base);
        for scheme in [Scheme::Bgv, Scheme::Bfv] {
            let values: Vec<i64> = (0..k).map(|_| rng.below(base) as i64).collect();
            let mut message = vec![0; params.degree()];
            for (c, place) in low.coefficients(&values).into_iter().zip(message.iter_mut().step_by(d)) {
                *place = c as i64;
            }
            let mut x = secret.encrypt(&message, scheme, 1, 3).unwrap();
            for round in 0..3 {
                let prediction = slim.predict(x.state()).unwrap();
                assert!(prediction.log2_failure < -100.0, "{prediction:?}");
                let refreshed = slim.bootstrap(&evaluator, &x).unwrap();
                assert_eq!(refreshed.state().size, prediction.result.size);
                assert_eq!((refreshed.scheme, refreshed.exponent), (scheme, 1));
                let expected: Vec<u64> = message.iter().map(|m| m.rem_euclid(base as i64) as u64).collect();
                assert!(secret.decrypt(&refreshed).unwrap() == expected, "modulo {base}, round {round}");
                let [_, largest] = secret.measure(&refreshed).unwrap();
                assert!(largest <= refreshed.size.worst);
                assert!(refreshed.level > 4, "modulo {base}: level {}", refreshed.level);
                x = evaluator.drop_to(&refreshed, 3).unwrap().into_owned();
            }
        }
    }
}
