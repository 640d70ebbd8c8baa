//! What schemes share, with slots that are not complex: integers modulo a prime, messages as BGV has them.
use bootes_lattice::rns::{MaskStorage, RnsCiphertext};
use bootes_ring::primes;
use bootes_ring::sample::{KeyDistribution, SecretSeed};
use bootes_schemes::lintrans::Diagonals;
use bootes_schemes::rlwe::{
    GaloisAction, GaloisGroup, HoistedMap, KeyError, KeyRequest, RlweLiteral, RlweParams, RlweSecretKeys, Slots,
};
use bootes_testkit::{TestRng, seed_bytes};

const DEGREE: usize = 128;
/// 1 modulo 2N, so that there are N slots: two rows of N/2.
const P: i64 = 257;

fn params(error_factor: u64) -> Result<RlweParams, KeyError> {
    RlweLiteral {
        log2_degree: DEGREE.ilog2(),
        chain: primes::around(1 << 45, DEGREE).take(3).collect(),
        special: primes::below(1 << 50, DEGREE).take(2).collect(),
        auxiliary: Vec::new(),
        digit_primes: 2,
        key: KeyDistribution::Ternary,
        sparse: Some(KeyDistribution::SparseTernary { weight: 32 }),
        galois: GaloisGroup::finite(DEGREE, P as u64)?,
        error_factor,
    }
    .try_build()
}

fn power(x: i64, n: usize) -> i64 {
    (0..n).fold(1, |power, _| power * x % P)
}

/// ζ^g for the slots of both rows: g = ±5^j, j along the row. 3 generates the units modulo 257.
fn roots() -> Vec<i64> {
    let group = GaloisGroup::finite(DEGREE, P as u64).unwrap();
    let row = |sign: usize| {
        let exponent = |j| group.exponent(GaloisAction::rotation(j)) * sign % (2 * DEGREE);
        (0..DEGREE as i64 / 2).map(exponent).collect::<Vec<_>>()
    };
    [row(1), row(2 * DEGREE - 1)].concat().into_iter().map(|exponent| power(3, exponent)).collect()
}

/// The integer coefficients, balanced, of the polynomial with these slots.
fn encode(slots: &[i64]) -> Vec<f64> {
    let (roots, inverse) = (roots(), power(DEGREE as i64, P as usize - 2));
    let coefficient = |k: usize| {
        let sum = |(&x, &root): (&i64, &i64)| x * power(power(root, P as usize - 2), k) % P;
        slots.iter().zip(&roots).map(sum).sum::<i64>() * inverse % P
    };
    (0..DEGREE).map(coefficient).map(|x| (if 2 * x > P { x - P } else { x }) as f64).collect()
}

/// Slots of integers modulo P, both rows alike in a map.
struct Rows;

impl Slots for Rows {
    type Value = i64;

    fn coefficients(&self, period: usize) -> usize {
        2 * period
    }
}

/// The polynomial of X^(N/2m) whose slots are this period m of a diagonal, repeated.
fn polynomial(diagonal: &[i64]) -> Vec<f64> {
    let slots: Vec<i64> = diagonal.iter().copied().cycle().take(DEGREE).collect();
    encode(&slots).into_iter().step_by(DEGREE / 2 / diagonal.len()).collect()
}

fn slots_of(params: &RlweParams, keys: &RlweSecretKeys, x: &RnsCiphertext) -> Vec<i64> {
    // Noise is far below the first prime.
    let phase = keys.key().phase(params.ring(), x);
    let coefficients: Vec<i64> = phase.limb(0).iter().map(|&x| (x as i64).rem_euclid(P)).collect();
    let value = |&root: &i64| coefficients.iter().rev().fold(0, |value, &c| (value * root + c) % P);
    roots().iter().map(value).collect()
}

#[test]
fn linear_maps_of_integers_modulo_p() {
    let params = params(P as u64).unwrap();
    let mut rng = TestRng::new("integer slots", 0);
    let keys = RlweSecretKeys::derive(&params, &[1; 16], &SecretSeed::from_bytes(&seed_bytes("bgv", 0)), |_| true);
    let values: Vec<i64> = (0..DEGREE).map(|_| rng.below(P as u64) as i64).collect();
    let message = params.ring().from_integers(params.limbs(2), &encode(&values));
    let (mask, noise) = SecretSeed::from_bytes(&[3; 32]).fork_both(0, 0);
    let x = RnsCiphertext::encrypt(params.ring(), message, keys.key(), params.errors(), &mask, &noise);
    assert_eq!(slots_of(&params, &keys, &x), values);

    for (level, period, rotations) in [(2, 64, vec![0, 1, 2, 3, 5, 9, 60]), (1, 16, vec![4, 8, 0]), (2, 4, vec![7])] {
        let mut diagonal = || (0..period).map(|_| rng.below(P as u64) as i64).collect::<Vec<_>>();
        let map = Diagonals::new(64, period, rotations.into_iter().map(|r| (r, diagonal())).collect());
        let rows = values.chunks(64).flat_map(|row| map.apply(row)).map(|x| x.rem_euclid(P));
        let expected: Vec<i64> = rows.collect();
        let prepared = HoistedMap::new(&params, &Rows, map, level).unwrap();
        let polynomials = prepared.polynomials(|diagonal| Ok::<_, KeyError>(polynomial(diagonal))).unwrap();
        let mut request = KeyRequest::default();
        prepared.request(&mut request);
        let key =
            keys.evaluation_key(&params, &request, MaskStorage::Seeded, &keys.generation(&[5; 32]), crate::unheard);
        key.expect(&request).unwrap();
        let kept = prepared.apply(&polynomials, &key, &x, false).unwrap();
        assert_eq!(kept.limbs(), params.limbs(level));
        assert_eq!(slots_of(&params, &keys, &kept), expected, "{level} {period}");
        // A level less, and the known factor.
        let rescaled = prepared.apply(&polynomials, &key, &x, true).unwrap();
        assert_eq!(rescaled.limbs(), params.limbs(level - 1));
        let factor = params.prime(level) as i64 % P;
        let found: Vec<i64> = slots_of(&params, &keys, &rescaled).iter().map(|x| x * factor % P).collect();
        assert_eq!(found, expected, "{level} {period} rescaled");
    }
    // The exchange of the rows.
    let exchange = GaloisAction::Rotation { axis: 1, by: 1 };
    let mut request = KeyRequest::default();
    request.action(exchange, 2);
    let key = keys.evaluation_key(&params, &request, MaskStorage::Seeded, &keys.generation(&[6; 32]), crate::unheard);
    let exchanged = key.galois(exchange, 2).unwrap().apply(params.ring(), params.gadget(), &x);
    assert_eq!(slots_of(&params, &keys, &exchanged), [&values[64..], &values[..64]].concat());
    let missing = key.galois(GaloisAction::rotation(1), 2).unwrap_err();
    assert_eq!(missing, KeyError::NoGaloisKey { action: GaloisAction::rotation(1) });
}

#[test]
fn what_cannot_be_built_is_named() {
    assert!(matches!(params(0), Err(KeyError::Parameter { what: "factor of errors", .. })));
    let prime = primes::around(1 << 45, DEGREE).next().unwrap().value();
    assert!(matches!(params(prime), Err(KeyError::Parameter { .. } | KeyError::Lattice(_))));
}
