//! Functions of integers one after the other, every pair of them, against plain integers: the circuits read without
//! keys, on phases.
use bootes_lut::fhew::Circuit;
use bootes_lut::fhew::digits::Method;
use bootes_lut::integer::IntegerLimbs;
use bootes_lut::{IntegerOp, Interval, LutError};
use bootes_schemes::fhew::encoding::{decode, encode};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Bits of one ciphertext.
const LIMB: u32 = 16;

/// An integer as ciphertexts have it, and what it should be.
#[derive(Clone)]
struct Value {
    limbs: IntegerLimbs,
    range: Interval,
    phases: Vec<u64>,
    expected: i128,
}

impl Value {
    fn fresh(value: i128, range: Interval, limbs: IntegerLimbs) -> Self {
        let bits = limbs.bits();
        let phases = (0..bits.len()).map(|i| encode(limbs.limb(value, i), bits[i] + 1)).collect();
        Self { limbs, range, phases, expected: value }
    }

    /// The integer of the range with the residue that is there.
    fn check(self, what: &str) -> Self {
        let shifts = [0, self.limbs.low];
        let bits = self.limbs.bits();
        let residues = self.phases.iter().zip(&bits).map(|(&phase, bits)| decode(phase, bits + 1) as i128);
        let residue: i128 = residues.zip(shifts).map(|(residue, shift)| residue << shift).sum();
        let modulus = 1i128 << (self.limbs.width() + 1);
        let found = self.range.min + (residue - self.range.min).rem_euclid(modulus);
        assert!(self.range.has(self.expected), "{what}: {} is not in {}", self.expected, self.range);
        assert_eq!(found, self.expected, "{what} in {:?}, {}", self.limbs, self.range);
        self
    }

    fn plus(&self, other: &Self, sign: i128) -> Self {
        let range = if sign > 0 { self.range.plus(other.range) } else { self.range.minus(other.range) };
        let phase = |(&x, &y): (&u64, &u64)| x.wrapping_add((sign as u64).wrapping_mul(y));
        Self {
            limbs: self.limbs,
            range: range.expect("small integers"),
            phases: self.phases.iter().zip(&other.phases).map(phase).collect(),
            expected: self.expected + sign * other.expected,
        }
    }
}

#[derive(Default)]
struct Evaluator {
    circuits: HashMap<(IntegerOp, u32, Option<u32>, u32), Circuit>,
    coins: u64,
    done: usize,
    refused: usize,
}

impl Evaluator {
    fn apply(&mut self, op: IntegerOp, operands: &[&Value], log2_base: u32) -> Result<Value, LutError> {
        let limbs = operands[0].limbs;
        assert!(operands.iter().all(|operand| operand.limbs == limbs));
        let ranges: Vec<Interval> = operands.iter().map(|operand| operand.range).collect();
        let range = op.image(&ranges, limbs.width()).inspect_err(|_| self.refused += 1)?;
        let key = (op, limbs.low, limbs.high, log2_base);
        if let Entry::Vacant(entry) = self.circuits.entry(key) {
            entry.insert(op.circuit(Method::Reduce, limbs, log2_base)?);
        }
        let inputs: Vec<u64> = operands.iter().flat_map(|operand| operand.phases.clone()).collect();
        let phases = self.circuits[&key].phases(&inputs, &mut self.coins).expect("no window is left");
        let values: Vec<i128> = operands.iter().map(|operand| operand.expected).collect();
        let result = Value { limbs: op.out_limbs(limbs), range, phases, expected: op.apply(&values) };
        assert_eq!(result.phases.len(), result.limbs.bits().len(), "{op}");
        self.done += 1;
        Ok(result.check(&format!("{op} of {values:?}, {limbs:?}, digits of {log2_base} bits")))
    }
}

fn ops(width: u32) -> Vec<IntegerOp> {
    let mut floors = vec![1, 2, width / 2, width.saturating_sub(1), width];
    floors.retain(|bits| (1..=width).contains(bits));
    floors.dedup();
    IntegerOp::SIMPLE.into_iter().chain(floors.into_iter().map(IntegerOp::Floor)).collect()
}

fn ranges(width: u32) -> [Interval; 2] {
    [Interval::signed(width), Interval::unsigned(width)]
}

/// The ends, what is next to 0, and the middle.
fn extremes(range: Interval) -> Vec<i128> {
    let mut values = vec![range.min, range.max, -1, 0, 1, range.max / 2 + 1];
    values.retain(|&value| range.has(value));
    values.sort_unstable();
    values.dedup();
    values
}

fn fresh(range: Interval, limbs: IntegerLimbs) -> Vec<Value> {
    extremes(range).into_iter().map(|value| Value::fresh(value, range, limbs)).collect()
}

/// All results of `op` on these operands.
fn results(evaluator: &mut Evaluator, op: IntegerOp, left: &[Value], right: &[Value]) -> Vec<Value> {
    let mut results = Vec::new();
    for x in left {
        match op.operands() {
            1 => results.extend(evaluator.apply(op, &[x], 4)),
            _ => results.extend(right.iter().filter_map(|y| evaluator.apply(op, &[x, y], 4).ok())),
        }
    }
    results
}

#[test]
fn all_integers_of_small_widths() -> Result<(), LutError> {
    let mut evaluator = Evaluator::default();
    let one = |low| IntegerLimbs::one(low);
    let two = |low, high| IntegerLimbs::two(low, high);
    for limbs in [one(1), one(2), one(3), one(4), two(1, 1), two(2, 1), two(1, 2), two(2, 2)] {
        for range in ranges(limbs.width()) {
            let all: Vec<Value> = (range.min..=range.max).map(|value| Value::fresh(value, range, limbs)).collect();
            for op in ops(limbs.width()) {
                for log2_base in [1, 2, 4, 8] {
                    for x in &all {
                        match op.operands() {
                            1 => drop(evaluator.apply(op, &[x], log2_base)?),
                            _ => all.iter().try_for_each(|y| evaluator.apply(op, &[x, y], log2_base).map(drop))?,
                        }
                    }
                }
            }
        }
    }
    assert_eq!(evaluator.refused, 0);
    Ok(())
}

/// Every pair of functions but sums, which have a bit more: on integers of every width with and without sign the second
/// is right, or refused.
#[test]
fn results_are_operands_again() {
    let mut evaluator = Evaluator::default();
    let ops = |width| ops(width).into_iter().filter(|op| !matches!(op, IntegerOp::Add | IntegerOp::Sub));
    for width in 1..=32 {
        let limbs = IntegerLimbs::of(width, LIMB);
        for range in ranges(width) {
            let start = fresh(range, limbs);
            for first in ops(width) {
                let middle = results(&mut evaluator, first, &start, &start);
                assert!(!middle.is_empty() && evaluator.refused == 0, "{first} of fresh {width}-bit integers");
                let limbs = middle[0].limbs;
                if matches!(first, IntegerOp::Sign | IntegerOp::Less | IntegerOp::Equal) {
                    // Answers are for tables: they have no room for a sign.
                    assert!(ops(1).all(|op| op.image(&vec![middle[0].range; op.operands()], 0).is_err()));
                    continue;
                }
                for second in ops(limbs.width()) {
                    evaluator.refused = 0;
                    let before = evaluator.done;
                    results(&mut evaluator, second, &middle, &middle);
                    assert_eq!(evaluator.refused, 0, "{second} of {first}, {width} bits");
                    // With fresh ones of the same kind.
                    let other = ranges(limbs.width()).into_iter().zip(ranges(width)).find(|(_, kind)| *kind == range);
                    let other = fresh(other.expect("a kind").0, limbs);
                    results(&mut evaluator, second, &middle, &other);
                    results(&mut evaluator, second, &other, &middle);
                    // |−2^(w − 1)| is beyond the integers with a sign: their difference may be.
                    let beyond = first == IntegerOp::Abs && range.min < 0 && second.operands() == 2;
                    assert_eq!(evaluator.refused > 0, beyond, "{second} of {first} and fresh ones, {width} bits");
                    assert!(evaluator.done > before);
                    // They are right beside those without a sign.
                    if beyond {
                        evaluator.refused = 0;
                        let other = fresh(Interval::unsigned(limbs.width()), limbs);
                        results(&mut evaluator, second, &middle, &other);
                        results(&mut evaluator, second, &other, &middle);
                        assert_eq!(evaluator.refused, 0, "{second} of {first}");
                    }
                }
                evaluator.refused = 0;
            }
        }
    }
    assert!(evaluator.done > 100_000, "{}", evaluator.done);
}

/// Differences, of which one bit more is known, have a sign; what their room does not hold is refused.
#[test]
fn functions_of_differences_and_sums() {
    let mut evaluator = Evaluator::default();
    for width in 1..=LIMB {
        let limbs = IntegerLimbs::of(width, LIMB);
        for range in ranges(width) {
            let start = fresh(range, limbs);
            let pairs = |sign| -> Vec<Value> {
                start.iter().flat_map(|x| start.iter().map(move |y| x.plus(y, sign).check("sum"))).collect()
            };
            let differences = pairs(-1);
            for op in ops(width) {
                evaluator.refused = 0;
                let found = results(&mut evaluator, op, &differences, &start);
                // But x − y − z of one bit without a sign is −2 to 1, and sums of three bits are four integers.
                let room = match op {
                    IntegerOp::Add | IntegerOp::Sub => width == 1,
                    IntegerOp::Equal => false,
                    _ => (width, range.min) == (1, 0),
                };
                let two = op.operands() == 2 && !room;
                assert_eq!((evaluator.refused > 0, found.is_empty()), (two, two), "{op} of differences, {width} bits");
            }
            // Sums of those with a sign are in reach too; of those without they have no room for it.
            let sums = pairs(1);
            evaluator.refused = 0;
            results(&mut evaluator, IntegerOp::Relu, &sums, &[]);
            assert_eq!(evaluator.refused > 0, range.min == 0, "sums, {width} bits");
        }
    }
}

#[test]
fn operands_of_two_kinds_are_refused_or_have_room() {
    let (signed, unsigned) = (Interval::signed(16), Interval::unsigned(16));
    let error = IntegerOp::Max.image(&[unsigned, signed], 16).unwrap_err();
    assert!(matches!(error, LutError::Range { needed: 17, .. }), "{error}");
    let words = ["max", "0 to 65535 and from -32768 to 32767", "width of 17"];
    assert!(words.iter().all(|word| error.to_string().contains(word)), "{error}");
    assert_eq!(IntegerOp::Max.image(&[unsigned, signed], 17).ok(), Some(unsigned));
    // The image of abs is one more than the integers with a sign.
    assert_eq!(IntegerOp::Abs.image(&[Interval::signed(8)], 8).ok(), Some(Interval { min: 0, max: 128 }));
    assert!(IntegerOp::Less.image(&[Interval { min: 0, max: 128 }, Interval::signed(8)], 8).is_err());
    assert!(IntegerOp::Less.image(&[Interval { min: 0, max: 128 }, Interval { min: -127, max: 127 }], 8).is_ok());
    // ⌊−1/2^w⌋ is −1, not 1.
    assert_eq!(IntegerOp::Floor(8).image(&[Interval::signed(8)], 8).ok(), Some(Interval { min: -1, max: 0 }));
}
