//! Programs as sums of functions of sums, evaluated on plain integers: integers in limbs are those of the
//! specification, and every sum is of the range that it is said to have.
use bootes_lut::forms::{Atom, CARRY_ERROR, Capacity, Condition, Form, Forms, Limbs};
use bootes_lut::integer::IntegerLimbs;
use bootes_lut::{Interval, Kind, Program};
use bootes_testkit::portion;

/// The values of all atoms; sums have the range that they are known to have.
fn atoms(forms: &Forms, program: &Program, ciphertexts: &[i128]) -> Vec<i128> {
    let mut values: Vec<i128> = Vec::new();
    for atom in &forms.atoms {
        let of = |form: &Form| value(form, &values);
        let value = match atom {
            Atom::Input(i) => ciphertexts[*i],
            Atom::Image(function, form) => function.apply(program, of(form)),
            Atom::Joint(table, forms) => {
                let entry = forms.iter().fold(0, |entry, form| 2 * entry + of(form).rem_euclid(2));
                program.tables()[*table].entry(entry as usize).into()
            }
            Atom::OfSeveral(function, parts) => {
                let above = |sum: i128, (form, bits): &(Form, u32)| {
                    assert!((0..1 << bits).contains(&of(form)), "a part of {bits} bits");
                    (sum << bits) + of(form)
                };
                function.apply(program, parts.iter().rev().fold(0, above))
            }
            Atom::Select(condition, then, otherwise, _) => {
                let holds = match condition {
                    Condition::One(form) => of(form) == 1,
                    Condition::Negative(form) => of(form) < 0,
                };
                // Both have the range that they are said to have: tables are made for it.
                let [then, otherwise] = [of(then), of(otherwise)];
                if holds { then } else { otherwise }
            }
            Atom::Quotient(form, shift, _) => {
                assert_eq!(of(form) & ((1 << shift) - 1), 0, "a multiple of 2^{shift}");
                of(form) >> shift
            }
            Atom::Carry(forms, bits, range) => {
                let sum: i128 = forms.iter().map(of).sum();
                let room = 0..=1i128 << bits;
                assert!(forms.iter().all(|form| room.contains(&of(form).abs())), "what is read fills half of a circle");
                // Which one it is, noise may say.
                let error = if values.len().is_multiple_of(2) { CARRY_ERROR } else { -CARRY_ERROR };
                let carry = (sum as f64 / (1u64 << bits) as f64 + 0.5 + 0.999 * error).floor() as i128;
                assert!(range.has(carry), "{carry} of {range}");
                carry
            }
            Atom::Residue(form, bits) => {
                let sum = form.terms().fold(form.constant(), |sum, (atom, weight)| sum + weight * values[atom]);
                let half = 1i128 << (bits - 1);
                (sum + half).rem_euclid(2 * half) - half
            }
        };
        values.push(value);
    }
    values
}

fn value(form: &Form, atoms: &[i128]) -> i128 {
    let sum =
        form.terms().fold(form.constant(), |sum, (atom, weight)| sum.wrapping_add(weight.wrapping_mul(atoms[atom])));
    assert!(form.range().has(sum), "{sum} of a sum from {}: {form:?}", form.range());
    sum
}

/// Results of a program on integers, those of more than `most` bits in limbs of `bits` bits; inputs of at most `room`
/// are in one ciphertext.
fn results(text: &str, ranges: &[Interval], limbs: Option<u32>, most: u32, room: u32, inputs: &[i128]) -> Vec<i128> {
    let program = Program::parse(text, &[]).unwrap();
    let kinds: Vec<Kind> = ranges.iter().copied().map(Kind::Integers).collect();
    // In two limbs, or as many as they take.
    let several =
        |range: &Interval| (range.width() > room).then(|| IntegerLimbs::of(range.width(), most.min(range.width() - 1)));
    let in_limbs: Vec<Option<IntegerLimbs>> = ranges.iter().map(several).collect();
    let bits = limbs.or(in_limbs.iter().flatten().map(|limbs| limbs.low).max()).unwrap_or(most);
    let limbs = Limbs { bits, most, inputs: in_limbs.clone() };
    let mut found = None;
    for (short, packed) in [(3, 3), (3, most), (4, 4), (5, 5), (6, 6)] {
        if short > 3 && short + 2 > most {
            continue;
        }
        let (quiet, carries) = (inputs[0] & 1 == 1, inputs[0] & 2 == 2);
        let capacity = Capacity {
            short,
            packed,
            limbs: Some(limbs.clone()),
            quiet,
            trees: false,
            tree_bits: if inputs[0] & 8 == 8 { 20 } else { 0 },
            carries,
            batched: packed == short && inputs[0] & 4 == 4,
        };
        let forms = Forms::of(&program, &kinds, capacity).unwrap_or_else(|error| panic!("{text}: {error}"));
        for form in forms.operands() {
            let own = form.range();
            assert!(
                own.is_in_residues(most.max(room) + 1),
                "{text} of {ranges:?}, {bits} bits: no room for a sum from {own} in {most} bits and a sign; {forms:?}"
            );
        }
        let ciphertexts = inputs.iter().zip(&in_limbs).flat_map(|(&x, limbs)| match limbs {
            Some(limbs) => {
                let lower = (0..limbs.count() - 1).map(|limb| limbs.limb(x, limb) as i128);
                lower.chain([x >> limbs.below()]).collect()
            }
            None => vec![x],
        });
        let atoms = atoms(&forms, &program, &ciphertexts.collect::<Vec<_>>());
        let sums = forms.outputs.iter().map(|output| {
            let shift = |limb: usize| forms.limb_bits * limb as u32;
            let limbs: Vec<i128> = output.limbs.iter().map(|form| value(form, &atoms)).collect();
            let (_, lower) = limbs.split_last().unwrap();
            assert!(lower.iter().all(|limb| (0..1 << forms.limb_bits).contains(limb)), "{text}: {limbs:?}");
            let sum = limbs.iter().enumerate().map(|(limb, &value)| value << shift(limb)).sum::<i128>();
            // The highest is known by its residue.
            let range = output.kind.range().unwrap();
            let modulus = 1i128 << (shift(limbs.len() - 1) + forms.limb_bits + 1);
            let is_in_range = range.has(sum);
            let sum = match !is_in_range && forms.limb_bits > 0 {
                true => range.min + (sum - range.min).rem_euclid(modulus),
                false => sum,
            };
            assert!(output.kind.range().unwrap().has(sum), "{text}: {sum} of {}", output.kind);
            sum
        });
        let sums: Vec<i128> = sums.collect();
        assert!(found.is_none_or(|found| found == sums), "{text}");
        found = Some(sums);
    }
    found.unwrap()
}

/// Compares results with the specification's, and returns them.
fn check(text: &str, ranges: &[Interval], limbs: Option<u32>, most: u32, room: u32, inputs: &[i128]) -> Vec<i128> {
    let program = Program::parse(text, &[]).unwrap();
    let (ranges, inputs) = (&ranges[..program.inputs()], &inputs[..program.inputs()]);
    let columns: Vec<&[i128]> = inputs.iter().map(std::slice::from_ref).collect();
    let expected: Vec<i128> = program.integers_of(&columns, ranges).unwrap().iter().map(|values| values[0]).collect();
    let found = results(text, ranges, limbs, most, room, inputs);
    assert_eq!(found, expected, "{text} of {inputs:?} from {ranges:?}, {most} bits");
    found
}

/// Every operation on integers of up to 16 bits, with limbs of 4 to 8.
#[test]
fn long_integers_are_those_of_the_specification() {
    let texts = [
        "x + y",
        "x - y",
        "x + x + y - 7",
        "x < y",
        "x <= y",
        "x == y",
        "x != y",
        "x*y",
        "x*x",
        "x*y % 64",
        "(x*y + 7*x*y - 5) % 128",
        "x*x % 32 + x*x",
        "(x - y)*(x + y) % 256",
        "37*x - 5*y",
        "0 - x - y - x - y - (x - y - 300)",
        "d = x + y - 7 + x + 3*y - (y - x); d - x; d + x + y - d",
        "x/y",
        "x % y",
        "x/8",
        "x % 32",
        "x/64",
        "min(x, y)",
        "max(x, y)",
        "abs(x - y)",
        "relu(x - y)",
        "sign(y - x)",
        "and(x, y)",
        "or(x, y)",
        "xor(x, y)",
        "x/(y + 1)",
        "(x + 1) % (y - 3)",
        "(x - 40)/(y % 16 + 1)",
        "x/(y % 16 - 20)",
        "x % (0 - 7)",
        "x/(0 - 9)",
        "shl(x, 3)",
        "shl(x, 5) % 64",
        "shl(x, y % 16) % 256",
        "shl(x*y, y % 8) % 1024",
        "shl(x, y % 64) % 2097152",
        "shr(x, 5)",
        "shr(x, y % 8)",
        "shl(x, y % 4)",
        "select(x > y, x - y, y - x)",
        "select(x > y, x, 300)",
        "(x < y)*x",
        "min(x, 5) + y % 4",
        "min(x, 5)*2 < y % 8",
        "x - x + 3",
        "max(min(x - y, 6), 0 - 6)",
        "x*1000",
        "4096*x + y",
        "2*x",
        "3*x - y",
        "-3*x",
        "10*x + 5*y",
        "-19*(x - y)",
        "100*x",
        "31*x % 256 + 7*y % 1024",
        "(x + y)*(x - y)",
        "min(x, 0 - 146)",
        "shl(0 - 219, x % 2) + y",
        "shr(0 - 109, y % 8) + x",
        "x % 17",
        "x/17",
        "and(x, 291)",
        "d = x - y; d*d; d < 0",
        "((x + y) % 256 + (x*3) % 256) % 256",
        "x == 500",
        "argmin(x, y, 40) + 3*argmax(x, y, 40)",
        "smallest(2, x, y, 40) - largest(1, x, y)",
        "leading_zeros(x % 256, 8) + leading_zeros(y % 1024, 10)",
        "min(x, y % 32) + relu(x % 64 - y)",
        "(x + y)/(-7) + x % -7",
        "(x - y) % -100 + (x + 5)/(-3)",
        "x + 70000 > y",
        "select(x % 2 == 1, 3*x + 1, x/2)",
    ];
    let mut state = 1u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % below
    };
    for text in texts {
        for round in 0..portion(600, 8) {
            let bits = [1, 2].map(|_| 2 + random(9) as u32);
            let unsigned = round % 3 != 0 || text.contains("sh");
            let ranges = bits.map(|bits| if unsigned { Interval::unsigned(bits) } else { Interval::signed(bits) });
            let inputs = ranges.map(|range| match random(4) {
                0 => range.min,
                1 => range.max,
                _ => range.min + random((range.max - range.min + 1) as u64) as i128,
            });
            let most = 5 + random(6) as u32;
            let limbs = if random(2) == 0 { None } else { Some(most) };
            // Some in one ciphertext, which are taken to pieces.
            let room = if round % 4 == 0 { 11 } else { most };
            check(text, &ranges, limbs, most, room, &inputs);
        }
    }
}

/// Integers of up to 64 bits, in limbs of 8 to 16.
#[test]
fn integers_of_64_bits_are_those_of_the_specification() {
    let texts = [
        "x - y",
        "x + y - x",
        "(x + y) % 2^64",
        "x < y",
        "x <= y",
        "x == y",
        "min(x, y)",
        "max(x, y)",
        "abs(x)",
        "relu(y)",
        "select(x > y, x, y)",
        "select(x > y, x, 7)",
        "x*y % 1099511627776",
        "x*12345678901 % 36028797018963968",
        "x*y % 2^64",
        "x*(y % 2^48)",
        "mulhi(x % 2^56, y % 2^56, 56)",
        "mulhi(x, y, 64)",
        "(x*x*3 - y) % 2^57",
        "signed(x*y + 5, 64)",
        "unsigned(x - y, 64)",
        "rotl(x, 61 - y % 8, 64)",
        "and(x, y)",
        "or(x, y)",
        "xor(x, y)",
        "x % 1099511627776",
        "x % 65536",
        "x/65536",
        "x/1099511627776",
        "shl(x, 3) % 17592186044416",
        "shl(x, y % 64) % 2^64",
        "shl(x, y % 32)",
        "shl(x % 2, y % 64 % 33)",
        "shl(x % 16, 33 + y % 8)",
        "shl(x % 4, y % 64 % 40) % 2^45",
        "select(x == x, x % 1024, y)",
        "select(x != x, x, y/2^33) + 1",
        "shr(x, y % 64)",
        "x == 123456789012345",
    ];
    let mut state = 6u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 2) % below
    };
    for text in texts {
        for round in 0..portion(24, 3) {
            let bits = 33 + random(32) as u32;
            let bits = [bits, if round % 2 == 0 { bits } else { 2 + random(u64::from(bits) - 1) as u32 }];
            let unsigned = round % 3 != 0 || text.contains("sh");
            let ranges = bits.map(|bits| if unsigned { Interval::unsigned(bits) } else { Interval::signed(bits) });
            let inputs = ranges.map(|range| match random(4) {
                0 => range.min,
                1 => range.max,
                _ => range.min + (i128::from(random(1 << 62)) << 8 | 0x5a) % (range.max - range.min + 1),
            });
            let most = [8, 11, 16][random(3) as usize];
            check(text, &ranges, None, most, most, &inputs);
        }
    }
    for round in 0..portion(20, 3) {
        let ranges = [40, 20].map(Interval::unsigned);
        let inputs = [random(1 << 40) as i128, (random(1 << 20) as i128) * i128::from(round % 4 != 0)];
        check("x/y", &ranges, None, 16, 16, &inputs);
        check("x % y", &ranges, None, 16, 16, &inputs);
    }
}

/// Limbs of two bits, whose sums of many have no room for what their carries leave.
#[test]
fn sums_in_short_limbs() {
    let ranges = [20, 10].map(Interval::unsigned);
    for inputs in [[1_048_575, 1023], [1_048_574, 1023], [3, 1023], [2, 512], [699_051, 682], [0, 1023]] {
        for text in ["x + 3*y", "x - y + 65*y", "x + y + 4*y + 16*y", "3*y - x - x"] {
            check(text, &ranges, Some(2), 5, 5, &inputs);
        }
    }
}

/// Sums and differences of up to 40 integers of one length or another, and what is left of them modulo 2^k.
#[test]
fn sums_of_many_are_those_of_the_specification() {
    let mut state = 3u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % below
    };
    for _ in 0..400 {
        let count = 3 + random(38) as usize;
        let operators: Vec<&str> = (0..count).map(|_| [" + ", " - "][random(2) as usize]).collect();
        let text: String = operators.iter().enumerate().map(|(i, operator)| format!("{operator}x{i}")).collect();
        let ranges: Vec<Interval> = (0..count)
            .map(|_| {
                let bits = 1 + random(10) as u32;
                [Interval::unsigned(bits), Interval::signed(bits)][random(2) as usize]
            })
            .collect();
        let input = |range: &Interval| match random(3) {
            0 => range.min,
            1 => range.max,
            _ => range.min + random((range.max - range.min + 1) as u64) as i128,
        };
        let inputs: Vec<i128> = ranges.iter().map(input).collect();
        let most = 5 + random(3) as u32;
        let limbs = Some(most).filter(|_| random(2) == 0);
        check(&format!("7{text}"), &ranges, limbs, most, most, &inputs);
        let kept = 1 << (1 + random(15));
        check(&format!("(7{text}) % {kept}"), &ranges, limbs, most, most, &inputs);
        check(&format!("and(7{text}, {}) + x0", kept - 1), &ranges, limbs, most, most, &inputs);
    }
}

/// Products of lengths from one to all of their bits.
#[test]
fn products_wrap_at_any_length() {
    let mut state = 4u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % below
    };
    for _ in 0..400 {
        let bits = [0, 1].map(|_| 9 + random(16) as u32);
        let ranges = bits.map(|bits| [Interval::unsigned(bits), Interval::signed(bits)][random(2) as usize]);
        let c = random(1 << bits[1]) as i128 | 1;
        let most = [8, 9, 12, 16][random(4) as usize].max(bits[0].max(bits[1]).div_ceil(2));
        let (text, full) = match random(3) {
            0 => ("x*y".to_string(), bits[0] + bits[1]),
            1 => (format!("x*{c}"), bits[0] + bits[1]),
            _ => ("x*x".to_string(), 2 * bits[0]),
        };
        let kept = full - random(u64::from(full) / 2) as u32;
        let input = |range: Interval, choice: u64, random: u64| match choice {
            0 => range.min,
            1 => range.max,
            _ => range.min + (random % (range.max - range.min + 1) as u64) as i128,
        };
        let inputs = ranges.map(|range| input(range, random(3), random(1 << 31)));
        check(&format!("{text} % {}", 1i128 << kept), &ranges, None, most, most, &inputs);
    }
}

/// Sums and products that are too long, of which residues modulo 2^k are taken.
#[test]
fn long_products_wrap_where_residues_are_taken() {
    type Exact = fn(i128, i128) -> i128;
    let programs: [(&str, Exact, u32); 9] = [
        ("x*y % 4294967296", |x, y| x * y, 32),
        ("x*x % 65536", |x, _| x * x, 16),
        ("x*2654435769 % 4294967296", |x, _| x * 2_654_435_769, 32),
        ("(x*y + 12345) % 4294967296", |x, y| x * y + 12345, 32),
        ("(x*y - x*x*y + y) % 1024", |x, y| (x * y).wrapping_sub(x * x * y).wrapping_add(y), 10),
        ("x*y*x*y % 1", |_, _| 0, 0),
        ("x*x*x*y % 2147483648", |x, y| x.wrapping_mul(x).wrapping_mul(x).wrapping_mul(y), 31),
        ("(x - y*y) % 8", |x, y| x - y * y, 3),
        ("x*y % 4294967296 + x*y % 256", |x, y| (x * y).rem_euclid(1 << 32) + (x * y).rem_euclid(256), 40),
    ];
    let mut state = 2u64;
    for (text, exact, bits) in programs {
        if bits == 0 {
            // No residue, nothing is taken: the product is refused.
            let ranges = [Interval::unsigned(32); 2];
            assert!(Program::parse(text, &[]).unwrap().integers_of(&[&[1], &[1]], &ranges).is_err());
            continue;
        }
        for range in [Interval::unsigned(32), Interval::signed(32), Interval { min: 5, max: 3_000_000_000 }] {
            for round in 0..portion(10, 2) as usize {
                let inputs = [0, 1].map(|_| {
                    state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    let random = range.min + ((state >> 31) as i128).rem_euclid(range.max - range.min + 1);
                    if round < 4 {
                        [range.min, range.max][round >> 1 & 1].max(random * (round as i128 & 1))
                    } else {
                        random
                    }
                });
                let found = check(text, &[range; 2], None, 16, 16, &inputs);
                let [x, y] = inputs;
                assert_eq!(found[0], exact(x, y).rem_euclid(1 << bits), "{text} of {inputs:?}");
            }
        }
    }
}

/// Conditions that always hold, or never, inside others: what they leave out takes no room.
#[test]
fn what_is_never_chosen_takes_no_room() {
    let (unsigned, signed) = (Interval::unsigned(42), Interval::signed(42));
    for (text, range) in [
        ("and(select(x >= 0, x/549755813888, y), (x < y))", unsigned),
        ("or(select(x < 0, y, x % 8), select(y >= 0, y % 4, x))", unsigned),
        ("xor(select(and(x >= 0, y >= 0), x % 4, y), y % 16)", unsigned),
        ("and(select(select(x >= 0, x == x, x < y), y % 32, x), (x > y))", unsigned),
        ("shl(select(or(x < y, y >= 0), x/274877906944, y), select(not(x < 0), y % 4, x))", unsigned),
        ("select(x < 4398046511104, x % 8, y)*select(min(x, y) >= 0, 3, x)", unsigned),
        ("(x == 0 - 1) + select(x == 0 - 1, y, x % 8)/2", unsigned),
        ("and(select(abs(x) >= 0, x % 8, y), (x < y))", signed),
        ("and(select(x - 2199023255552 < 0, x/274877906944, y), (x > y)) % 16", signed),
        ("and(select(x*x % 4 < 3, x/549755813888, y), x < y)", Interval::unsigned(6)),
    ] {
        for (most, inputs) in [16, 10].iter().flat_map(|&most| {
            let values = [range.min, range.max, range.min / 3 + range.max / 2, 5, 6];
            values.iter().flat_map(|&x| values.map(|y| (most, [x, y]))).collect::<Vec<_>>()
        }) {
            check(text, &[range; 2], None, most, most, &inputs);
        }
    }
}
