//! Programs as circuits on engine ckks, evaluated on residues: what they are right for but for noise.
use bootes_lut::ckks::{Draft, TableParams};
use bootes_lut::{Interval, Kind, Program};
use bootes_schemes::ckks::Encoder;

/// How many pairs are tried, at most.
const TRIED: i64 = 4096;

/// Every operation of two integers of `bits` bits with this set, or those of them that it has room for.
fn check(set: &str, bits: u32, texts: &[&str]) -> usize {
    let params = TableParams::named(set).unwrap();
    let transforms = params.transforms(&Encoder::new(params.capacity()).unwrap()).unwrap();
    let ranges = [Interval::unsigned(bits); 2];
    let mut found = 0;
    for text in texts {
        let program = Program::parse(text, &[]).unwrap();
        let Ok(draft) = Draft::new(&params, &program, &ranges.map(|range| (2 << bits, Kind::Integers(range)))) else {
            continue;
        };
        found += 1;
        let results = draft.results().to_vec();
        let circuit = draft.circuit(&transforms).unwrap();
        let all = 1i64 << (2 * bits);
        for pair in (0..all).step_by((all / TRIED).max(1) as usize | 1).chain([0, all - 1, all - 2]) {
            let [x, y] = [pair >> bits, pair & ((1 << bits) - 1)];
            let expected = program.integers_of(&[&[x], &[y]], &ranges).unwrap();
            let residues = circuit.on_residues(&[x as u64, y as u64]);
            for ((residue, expected), (modulus, _)) in residues.into_iter().zip(expected).zip(&results) {
                let expected = expected[0].rem_euclid(*modulus as i64);
                assert_eq!(residue as i64, expected, "{text} of {x} and {y} with {set}, {bits} bits");
            }
        }
    }
    found
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
    let sets = [("toy_batch_4bit", 3), ("toy_batch_6bit", 4), ("toy_batch_6bit", 3), ("toy_batch_9bit", 5)];
    for (set, bits) in sets.into_iter().chain([("toy_batch_9bit", 6), ("toy_batch_integers", 8)]) {
        let found = check(set, bits, &ALL);
        println!("{set} {bits} {found}");
        assert!(found >= 8, "{set}, {bits} bits: {found} have room");
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
