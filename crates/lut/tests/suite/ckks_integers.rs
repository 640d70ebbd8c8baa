//! Functions of integers with CKKS: circuits as they are, on toy rings, and on a real one.
use bootes_lattice::port::{RlweCiphertext, RlweEncoding};
use bootes_lut::ckks::{Circuit, CircuitBounds, TableParams};
use bootes_lut::integer::{IntegerLimbs, IntegerOp};
use bootes_lut::{Interval, LutError};
use bootes_ring::sample::SecretSeed;
use bootes_testkit::{TestRng, in_full, portion, sampled, seed_bytes};

use crate::ckks::{Setting, setting};

/// All functions of integers in these limbs.
fn ops(limbs: IntegerLimbs) -> Vec<IntegerOp> {
    IntegerOp::SIMPLE.into_iter().chain((1..=limbs.width()).map(IntegerOp::Floor)).collect()
}

/// Operands of a function: all that there are of few bits, or extremes and random ones, as pairs.
fn operands(range: Interval, seed: u64, most: usize) -> Vec<[i128; 2]> {
    let (min, max) = (range.min, range.max);
    let count = (max - min + 1) as u64;
    if count < 1 << 16 && count * count <= most as u64 {
        return (min..=max).flat_map(|x| (min..=max).map(move |y| [x, y])).collect();
    }
    let extremes: Vec<i128> =
        [min, min + 1, -1, 0, 1, max / 2, max - 1, max].into_iter().filter(|&x| range.has(x)).collect();
    let mut rng = TestRng::new("operands", seed);
    let mut random = || min + rng.below(count) as i128;
    let mut all: Vec<[i128; 2]> = extremes.iter().flat_map(|&x| extremes.iter().map(move |&y| [x, y])).collect();
    while all.len() < most {
        let [x, y] = [random(), random()];
        // Near ones, in one limb and in the other, and equal ones.
        let near = [y, x, (x + 1).min(max), x ^ 1, (x & !0xff) | (y & 0xff), (y & !0xff) | (x & 0xff)];
        all.extend(near.into_iter().filter(|&y| range.has(y)).map(|y| [x, y]));
    }
    all.truncate(most);
    all
}

/// Residues of the operands' limbs, and of the expected result's.
type Residues = (Vec<u64>, Vec<u64>);

fn residues(op: IntegerOp, limbs: IntegerLimbs, operands: [i128; 2]) -> Residues {
    let operands = &operands[..op.operands()];
    let inputs = operands.iter().flat_map(|&x| limbs.split(x)).collect();
    (inputs, op.out_limbs(limbs).split(op.apply(operands)))
}

/// Signed and unsigned integers, those of two limbs too.
fn ranges(limbs: IntegerLimbs) -> [Interval; 2] {
    [Interval::signed(limbs.width()), Interval::unsigned(limbs.width())]
}

/// Circuits on ciphertexts are the functions on integers: exhaustive up to five bits, and up to eight if all cases are
/// taken.
#[test]
fn circuits_are_the_functions() {
    for (name, widths) in [
        ("toy_batch_integers", [1, 2, 3, 4, 5, 7, 9, 11, 13, 16]),
        ("batch_integers", [8, 9, 12, 16, 17, 20, 21, 24, 31, 32]),
    ] {
        let params = TableParams::named(name).unwrap();
        for width in widths {
            let most = if width > 8 { portion(1 << 14, 8) as usize } else { 1 << 16 };
            // Every first operand, with second ones of every residue modulo 2^i.
            let every = if (6..=8).contains(&width) { 7 } else { 1 };
            let mut all = vec![params.integer_limbs(width).unwrap()];
            // What floor leaves of two limbs.
            all.extend(all[0].high.map(|_| IntegerLimbs { low: 3, ..all[0] }));
            for (limbs, op) in all.into_iter().flat_map(|limbs| ops(limbs).into_iter().map(move |op| (limbs, op))) {
                let circuit = Circuit::of_integers(&params, op, limbs).unwrap();
                for range in ranges(limbs) {
                    let mut all: Vec<_> = sampled(operands(range, u64::from(width), most), every).collect();
                    if op.operands() == 1 {
                        all.sort_unstable();
                        all.dedup_by_key(|operands| operands[0]);
                    }
                    for operands in all {
                        let (inputs, expected) = residues(op, limbs, operands);
                        assert_eq!(circuit.on_residues(&inputs), expected, "{op} of {operands:?} in {limbs:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn limbs_that_do_not_fit_are_refused() {
    let params = TableParams::named("toy_batch_integers").unwrap();
    assert_eq!(params.max_integer_bits(), 16);
    assert!(matches!(params.integer_limbs(17), Err(LutError::Width { width: 17, max: 16, .. })));
    for (low, high, op) in [
        (0, None, IntegerOp::Sign),
        (11, None, IntegerOp::Sign),
        (9, Some(2), IntegerOp::Abs),
        (8, Some(0), IntegerOp::Sign),
        (8, Some(11), IntegerOp::Sign),
        (4, None, IntegerOp::Floor(5)),
    ] {
        let refused = Circuit::of_integers(&params, op, IntegerLimbs { low, between: 0, high });
        assert!(matches!(refused, Err(LutError::Width { .. })), "{low} {high:?}");
    }
    // A set for tables has no such functions.
    let tables = TableParams::named("toy_batch_4bit").unwrap();
    assert_eq!(tables.max_integer_bits(), 0);
    assert!(Circuit::of_integers(&tables, IntegerOp::Sign, IntegerLimbs::one(3)).is_err());
}

fn encrypt(s: &Setting, bits: u32, values: &[u64], seed: u64) -> RlweCiphertext {
    let params = s.bootstrap.params();
    let encoding = RlweEncoding::new(1 << bits, params.literal().log2_modulus).unwrap();
    let seed = SecretSeed::from_bytes(&seed_bytes("integers", seed));
    RlweCiphertext::encrypt(
        params.ckks().ring(),
        encoding,
        values,
        s.secret.key(),
        3.19,
        seed.fork_mask(1),
        &seed.fork(2),
    )
    .unwrap()
}

/// Evaluates, looks at every value, and compares the noise: measured over predicted deviation of each limb, and the largest
/// error as a part of half the distance of messages.
fn check(s: &Setting, op: IntegerOp, limbs: IntegerLimbs, range: Interval) -> Vec<[f64; 2]> {
    let params = s.bootstrap.params();
    let circuit = &Circuit::of_integers(params, op, limbs).unwrap();
    let fresh = params.fresh_error(params.literal().log2_modulus);
    let noise =
        CircuitBounds::predict(params, s.bootstrap.transforms(), circuit, &vec![fresh; op.operands()], false).unwrap();
    assert!(noise.log2_failure() <= params.log2_p_fail(), "{op} of {limbs:?}: {}", noise.log2_failure());
    // Extremes and near ones, then uniform ones: uniform residues, for which the deviation is predicted, where all are
    // operands.
    let half = params.capacity() / 2;
    let mut rng = TestRng::new("uniform", u64::from(limbs.width()));
    let uniform = op.operands() == 1 && limbs.high.is_none();
    let range = if uniform { Interval::signed(limbs.width() + 1) } else { range };
    let mut random = || range.min + rng.below((range.max - range.min + 1) as u64) as i128;
    let hard = operands(range, 7, half).into_iter().cycle().take(half).collect::<Vec<_>>();
    let all = hard.into_iter().chain(std::iter::repeat_with(|| [random(), random()]).take(half));
    let pairs: Vec<_> = all.map(|operands| residues(op, limbs, operands)).collect();
    let column = |value: &dyn Fn(&Residues) -> u64| pairs.iter().map(value).collect::<Vec<u64>>();
    let bits = limbs.bits();
    let inputs: Vec<_> = (0..op.operands() * bits.len())
        .map(|i| encrypt(s, bits[i % bits.len()] + 1, &column(&|pair| pair.0[i]), i as u64))
        .collect();
    let results = s.bootstrap.evaluate_circuit(circuit, &inputs, drop).unwrap();
    let ring = params.ckks().ring();
    let check = |(i, (result, predicted)): (usize, (&RlweCiphertext, f64))| {
        let expected = column(&|pair| pair.1[i]);
        assert_eq!(result.decrypt(ring, s.secret.key()).unwrap(), expected, "{op} of {limbs:?}");
        let modulus = (-f64::from(result.encoding().log2_modulus())).exp2();
        let errors = result.errors(ring, s.secret.key(), &expected).unwrap();
        let std = (errors[half..].iter().map(|e| e * e).sum::<f64>() / half as f64).sqrt() * modulus;
        let worst = errors.iter().fold(0.0, |worst: f64, e| worst.max(e.abs())) * modulus;
        let bound = noise.results().next().unwrap().most(params.ckks().max_slot_value());
        assert!(worst < bound, "{op} of {limbs:?}: {worst:.2e} beyond {bound:.2e}");
        [std / predicted, worst * 2.0 * result.encoding().plaintext_modulus() as f64]
    };
    assert_eq!(results.len(), op.out_limbs(limbs).bits().len());
    results.iter().zip(noise.stds()).enumerate().map(check).collect()
}

#[test]
fn every_function_is_right_and_as_noisy_as_predicted() {
    let params = TableParams::named("toy_batch_integers").unwrap();
    let s = setting(&params);
    for (turn, width) in sampled([14, 3, 8, 12, 4, 10], 2).enumerate() {
        let limbs = params.integer_limbs(width).unwrap();
        let mut ops = ops(limbs);
        ops.truncate(if width == 14 { 18 } else { 12 });
        // Each function in some width.
        let first = if in_full() { 0 } else { turn };
        for (i, op) in sampled(ops.into_iter().enumerate().skip(first), 3) {
            let found = check(&s, op, limbs, ranges(limbs)[i % 2]);
            println!("{op} of {limbs:?}: {found:.2?}");
            // 512 values: five of their deviations.
            let uniform = op.operands() == 1 && limbs.high.is_none();
            let ratios = if uniform { 0.84..1.16 } else { 0.3..1.6 };
            assert!(found.iter().all(|[ratio, worst]| ratios.contains(ratio) && *worst < 0.1), "{op} of {limbs:?}");
        }
    }
}

/// With the shipped set: ReLU and absolute values of results follow one another without end, and all functions take them.
#[test]
fn chains_of_the_shipped_set_keep_the_promise() {
    let params = TableParams::named("batch_integers").unwrap();
    let transforms = params.transforms().unwrap();
    let fresh = params.fresh_error(params.literal().log2_modulus);
    let u = params.ckks().max_slot_value();
    for width in sampled([8, 16, 24, 32], 3) {
        let limbs = params.integer_limbs(width).unwrap();
        let ops = IntegerOp::SIMPLE.into_iter().chain([IntegerOp::Floor(1)]);
        let circuits: Vec<_> = ops.map(|op| (op, Circuit::of_integers(&params, op, limbs).unwrap())).collect();
        let predict = |(op, circuit): &(IntegerOp, Circuit), input| {
            let noise =
                CircuitBounds::predict(&params, &transforms, circuit, &vec![input; op.operands()], false).unwrap();
            assert!(noise.log2_failure() <= params.log2_p_fail(), "{op} of {width} bits: {}", noise.log2_failure());
            noise.results().next().unwrap()
        };
        let endless = circuits.iter().filter(|(op, _)| matches!(op, IntegerOp::Relu | IntegerOp::Abs));
        // Long ones take a second each.
        for circuit in sampled(endless, if width > 16 { 2 } else { 1 }) {
            let results: Vec<_> =
                std::iter::successors(Some(fresh), |&input| Some(predict(circuit, input))).take(7).collect();
            let [.., before, last] = results[..] else { unreachable!("there are several") };
            assert!(last.most(u) <= before.most(u) * 1.01, "{} of {width} bits: {results:?}", circuit.0);
            circuits.iter().for_each(|next| _ = predict(next, last));
            // Those keep the noise of operands, which equality of long ones has no room for.
            let noisy = circuits.iter().filter(|(op, _)| matches!(op, IntegerOp::Max | IntegerOp::Sub));
            let noisy: Vec<_> = noisy.map(|other| predict(other, last)).collect();
            let others = circuits.iter().filter(|(op, _)| width <= 16 || *op != IntegerOp::Equal);
            sampled(others, 3).for_each(|next| noisy.iter().for_each(|&noisy| _ = predict(next, noisy)));
        }
    }
}
