//! Programs as circuits on engine ckks, evaluated on residues: what they are right for but for noise.
use bootes_lut::ckks::{Draft, Operand, TableParams};
use bootes_lut::{Interval, Kind, Program};
use bootes_testkit::{portion, sampled};

/// About how many pairs are tried, at most.
fn tried() -> i128 {
    portion(4096, 4).into()
}

/// Every operation of two integers of `bits` bits with this set, or those of them that it has room for.
fn check(set: &str, bits: u32, texts: &[&str]) -> usize {
    let params = TableParams::named(set).unwrap();
    let transforms = params.transforms().unwrap();
    let ranges = [Interval::unsigned(bits); 2];
    let mut found = 0;
    for text in texts {
        let program = Program::parse(text, &[]).unwrap();
        let operands = ranges.map(|range| operand(&params, range));
        let draft = match Draft::new(&params, &program, &operands) {
            Ok(draft) => draft,
            Err(refused) => {
                println!("{set} {bits} {text}: {refused}");
                continue;
            }
        };
        found += 1;
        let results = draft.results().to_vec();
        let circuit = draft.circuit(&transforms).unwrap();
        let all = 1i128 << (2 * bits);
        for pair in (0..all).step_by((all / tried()).max(1) as usize | 1).chain([0, all - 1, all - 2]) {
            let [x, y] = [pair >> bits, pair & ((1 << bits) - 1)];
            let expected = program.integers_of(&[&[x], &[y]], &ranges).unwrap();
            let inputs = [x, y].into_iter().zip(&operands).flat_map(|(x, operand)| limbs(x, &moduli(operand)));
            let residues = circuit.on_residues(&inputs.collect::<Vec<u64>>());
            let expected = expected.into_iter().zip(&results).flat_map(|(x, (moduli, _))| limbs(x[0], moduli));
            assert_eq!(residues, expected.collect::<Vec<_>>(), "{text} of {x} and {y} with {set}, {bits} bits");
        }
    }
    found
}

/// Integers of a range, in one ciphertext or in limbs.
fn operand(params: &TableParams, range: Interval) -> Operand {
    let width = range.width();
    let kind = Kind::Integers(range);
    let limbs = match params.integer_limbs(width) {
        Ok(limbs) => {
            limbs.bits().into_iter().zip(limbs.ranges(range)).map(|(b, x)| (2 << b, Kind::Integers(x))).collect()
        }
        Err(_) => vec![(2 << width, kind)],
    };
    Operand { limbs, kind }
}

fn moduli(operand: &Operand) -> Vec<u64> {
    operand.limbs.iter().map(|&(modulus, _)| modulus).collect()
}

/// The residues of an integer's limbs, all but the highest from 0 to half their modulus.
fn limbs(x: i128, moduli: &[u64]) -> Vec<u64> {
    match *moduli {
        [low, high] => vec![x as u64 % (low / 2), (x >> (low.ilog2() - 1)).rem_euclid(high as i128) as u64],
        [modulus] => vec![x.rem_euclid(modulus as i128) as u64],
        _ => unreachable!("one or two"),
    }
}

const ALL: [&str; 16] = [
    "x/y",
    "x % y",
    "x*y",
    "x + y",
    "x < y",
    "x == y",
    "max(x, y)",
    "min(x, y)",
    "select(x > y, x, y + 1)",
    "abs(x - y)",
    "and(x, y)",
    "xor(x, y)",
    "shr(x, y)",
    "x/3 + y % 5",
    "select(x > y, x - y, 0)",
    "x/(y + 1) + x % (y + 1)",
];

/// Long division among them, where selections are of a table.
#[test]
fn programs_are_right_but_for_noise() {
    let sets = [("toy_batch_4bit", 3), ("toy_batch_9bit", 5), ("toy_batch_6bit", 4), ("toy_batch_9bit", 6)];
    for (set, bits) in sampled(sets.into_iter().chain([("toy_batch_integers", 8), ("toy_batch_6bit", 3)]), 3) {
        let found = check(set, bits, &ALL);
        println!("{set} {bits} {found}");
        assert!(found >= 8, "{set}, {bits} bits: {found} have room");
    }
}

/// Integers that are too long for one ciphertext have limbs.
#[test]
fn programs_in_limbs_are_right_but_for_noise() {
    let wrapping = ["x*y % 2^B", "(x + y) % 2^B", "(x - y) % 2^B", "x*y/2^B", "shr(x, y % 16)", "shl(x, y % 16) % 2^B"];
    for bits in [11, 16] {
        let wrapping = wrapping.map(|text| text.replace("2^B", &(1u64 << bits).to_string()));
        // Products have no room, and shifts have to be bounded.
        let without = |text: &&str| !["x*y", "shr(x, y)"].contains(text);
        let texts = ALL.iter().copied().filter(without).chain(wrapping.iter().map(String::as_str));
        let texts: Vec<&str> = sampled(texts, 2).collect();
        let found = check("toy_batch_integers", bits, &texts);
        assert_eq!(found, texts.len(), "{bits} bits");
    }
}

/// The shipped sets.
#[test]
#[ignore = "sets' maps take seconds each; .ci/full runs it"]
fn programs_of_shipped_sets_are_right_but_for_noise() {
    let sets =
        [("batch_4bit", 3), ("batch_8bit", 5), ("batch_8bit", 7), ("batch_12bit_digits", 11), ("batch_14bit", 12)];
    for (set, bits) in sets {
        println!("{set} {bits} {}", check(set, bits, &ALL));
    }
}
