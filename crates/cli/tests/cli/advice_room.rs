//! Advice on integers, answers and sums that have no room, or are of two spaces: followed, it gives what plain
//! integers give.

use crate::fixture::Fixture;
use bootes_testkit::sampled;

impl Fixture {
    /// Keys of a set, in `k`.
    pub(crate) fn keys_of(params: &str) -> Self {
        let fixture = Self::new();
        fixture.call(&format!("keygen --params {params} --out k")).ok();
        fixture
    }

    /// Writes integers, and encrypts them with these options as `NAME.ct`.
    pub(crate) fn encrypted(&self, name: &str, integers: &str, options: &str) {
        self.write(name, integers);
        self.call(&format!("encrypt --key k/client.key --input {name} --output {name}.ct {options}")).ok();
    }

    /// Evaluates on `k/server.key`, to `output`.
    pub(crate) fn evaluate(&self, of: &str, output: &str) {
        self.call(&format!("eval --key k/server.key {of} --output {output}")).ok();
    }

    /// The same of the table with these entries.
    pub(crate) fn table(&self, entries: &str, options: &str, input: &str, output: &str) {
        self.write("entries", entries);
        self.evaluate(&format!("--table entries {options} --input {input}"), output);
    }

    /// Evaluates the expression that the refusal of a call names, on these vectors: the results, decrypted.
    fn advised(&self, line: &str, inputs: &[&str]) -> Vec<i128> {
        let refusal = self.call(line).refusal();
        let expression = refusal.split("--expr '").nth(1).and_then(|rest| rest.split('\'').next());
        let expression = expression.unwrap_or_else(|| panic!("{line}: {refusal}"));
        let inputs: String = inputs.iter().map(|input| format!(" --input {input}")).collect();
        let eval = self.call_with(&format!("eval --key k/server.key{inputs} --output advised"), |command| {
            command.args(["--expr", expression]);
        });
        eval.ok();
        self.values("k/client.key", "advised")
    }

    /// The same of functions of two, by their lines up to the operands, which must all be refused.
    fn all_advised(&self, functions: &[Binary], [left, right]: [&str; 2]) {
        let operands = [left, right].map(|operand| self.values("k/client.key", operand));
        for (line, function) in functions {
            let second = if line.starts_with("linear") { "input" } else { "input2" };
            let line = format!("{line} --input {left} --{second} {right} --output r");
            let expected: Vec<i128> = operands[0].iter().zip(&operands[1]).map(|(&x, &y)| function(x, y)).collect();
            assert_eq!(self.advised(&line, &[left, right]), expected, "{line}");
        }
    }
}

/// A function of two integers, by its command.
type Binary = (&'static str, fn(i128, i128) -> i128);

const SUMS: [Binary; 3] =
    [("add", |x, y| x + y), ("sub", |x, y| x - y), ("linear --weights 3,-4 --constant 5", |x, y| 3 * x - 4 * y + 5)];

const FUNCTIONS: [Binary; 6] = [
    ("eval --key k/server.key --op less", |x, y| i128::from(x < y)),
    ("eval --key k/server.key --op equal", |x, y| i128::from(x == y)),
    ("eval --key k/server.key --op max", i128::max),
    ("eval --key k/server.key --op min", i128::min),
    ("eval --key k/server.key --op add", |x, y| x + y),
    ("eval --key k/server.key --op sub", |x, y| x - y),
];

/// Integers of several widths and rooms, answers and integers in two ciphertexts.
#[test]
fn programs_take_integers_of_any_width() {
    let fixture = Fixture::keys_of("toy_int16");
    for (name, integers, options) in [
        ("x", "3 -128 127 0", "--width 8"),
        ("u", "7 255 127 0", "--width 8 --unsigned"),
        ("y", "3 -2048 2047 -1", "--width 12"),
        ("z", "-70000 5 127 524287", "--width 20"),
        ("z2", "1 -2 -300 524287", "--width 20"),
        ("long", "4000000000 7 127 0", "--width 32 --unsigned"),
        ("signed", "-2147483648 2147483647 127 -1", "--width 32"),
    ] {
        fixture.encrypted(name, integers, options);
    }
    fixture.evaluate("--op sign --input x.ct", "s");
    fixture.evaluate("--op sign --input y.ct", "t");
    // Fewer bits than they were, in one ciphertext and in two.
    fixture.evaluate("--expr shr(x,4) --input x.ct", "f");
    fixture.evaluate("--op floor:4 --input z.ct", "g");
    let pairs = [["x.ct", "y.ct"], ["s", "x.ct"], ["s", "t"], ["f", "y.ct"], ["z.ct", "s"], ["g", "y.ct"]];
    for operands in sampled(pairs, 3) {
        fixture.all_advised(&SUMS, operands);
        fixture.all_advised(&FUNCTIONS, operands);
    }
    for operands in [["x.ct", "u.ct"], ["long.ct", "signed.ct"]] {
        fixture.all_advised(&FUNCTIONS[..4], operands);
    }
    fixture.all_advised(&SUMS[2..], ["x.ct", "x.ct"]);
    fixture.all_advised(&SUMS[2..], ["z.ct", "z2.ct"]);
    fixture.refuses("add --input z.ct --input2 z2.ct --output r", &["take bootes eval --op add and --op sub"]);
    fixture.evaluate("--op add --input z.ct --input2 z2.ct", "r");
    assert_eq!(fixture.values("k/client.key", "r"), [-69999, 3, -173, 1_048_574]);
    // Of one operand: answers, and sums that fill their space.
    fixture.call("add --input u.ct --input2 u.ct --output sum").ok();
    for (op, of, expected) in [
        ("floor:4", "s", [0; 4]),
        ("floor:32", "s", [0; 4]),
        ("relu", "s", [0, 1, 0, 0]),
        ("relu", "sum", [14, 510, 254, 0]),
        ("floor:3", "sum", [1, 63, 31, 0]),
    ] {
        let line = format!("eval --key k/server.key --op {op} --input {of} --output r");
        assert_eq!(fixture.advised(&line, &[of]), expected, "{line}");
    }
}

#[test]
fn programs_of_engine_ckks_take_integers_in_one_ciphertext() {
    let fixture = Fixture::keys_of("toy_batch_integers");
    for (name, integers, options) in [
        ("x", "3 -128 127", "--width 8"),
        ("u", "7 255 127", "--width 8 --unsigned"),
        ("y", "3 -512 511", "--width 10"),
        ("z", "-30000 5 127", "--width 16"),
    ] {
        fixture.encrypted(name, integers, options);
    }
    fixture.evaluate("--op sign --input x.ct", "s");
    let functions = [SUMS[0], FUNCTIONS[0]];
    for operands in [["x.ct", "y.ct"], ["s", "x.ct"], ["s", "s"]] {
        fixture.all_advised(&functions, operands);
    }
    let floor = "eval --key k/server.key --op floor:4 --input s --output r";
    assert_eq!(fixture.advised(floor, &["s"]), [0; 3]);
    fixture.call("add --input u.ct --input2 u.ct --output sum").ok();
    let relu = "eval --key k/server.key --op relu --input sum --output r";
    fixture.refuses(relu, &["encrypt them with --width 9 --unsigned, and --within for the bits that they have"]);
    // More than such a ciphertext holds, answers beside two, and none of both.
    let keys = |width: u32| format!("take keys of bootes keygen --engine fhew --width {width}, whose eval --expr");
    fixture.refuses("linear --weights 100 --input x.ct --output r", &[&keys(16), "or take fewer terms"]);
    let max = |y: &str| format!("eval --key k/server.key --op max --input x.ct --input2 {y}.ct --output r");
    let same = "encrypt both with the same --width, and --within for the bits that they have";
    for (y, words) in [("y", same), ("z", same), ("z", &keys(16)), ("u", "with --width 9, and --within for the bits")] {
        fixture.refuses(&max(y), &[words]);
    }
    for (y, options, expected) in [
        ("y", "--width 10 --within 8", [3, -128, 511]),
        ("z", "--width 16 --within 8", [3, 5, 127]),
        ("u", "--width 9 --within 8", [7, 255, 127]),
    ] {
        fixture.encrypted("x", "3 -128 127", options);
        fixture.encrypted("u", "7 255 127", "--width 9 --within 8 --unsigned");
        fixture.call(&max(y)).ok();
        assert_eq!(fixture.values("k/client.key", "r"), expected, "{y}");
    }
    fixture.call("add --input u.ct --input2 u.ct --output sum").ok();
    fixture.call(relu).ok();
    assert_eq!(fixture.values("k/client.key", "r"), [14, 510, 254]);
}

/// Tables of integers of which no table has an entry for each.
#[test]
fn tables_of_longest_integers() {
    let fixture = Fixture::keys_of("toy_int16");
    fixture.encrypted("x", "18446744073709551615 0", "--width 64 --unsigned");
    fixture.write("t", (0..16).map(|x| format!("{x} ")).collect::<String>());
    fixture.refuses("eval --key k/server.key --table t --input x.ct --output r", &["the table has 2^4 entries"]);
    let several = "eval --key k/server.key --table t --sizes 4,4 --input x.ct --input x.ct --output r";
    fixture.refuses(several, &["--sizes says that input 1 has 4 values"]);
    fixture.call("eval --key k/server.key --expr x+x --input x.ct --output r").ok();
    assert_eq!(fixture.values("k/client.key", "r"), [36_893_488_147_419_103_230, 0]);
}

/// What no program has room for.
#[test]
fn sums_beyond_programs() {
    let fixture = Fixture::keys_of("toy_int16");
    fixture.encrypted("x", "-1 5 -7", "--width 8");
    fixture.evaluate("--op sign --input x.ct", "s");
    for weights in ["400000000000000000", "-9000000000000000000", "300000000000000000 --constant 5000000000000000000"] {
        let line = format!("linear --weights={weights} --input x.ct --output r");
        let refusal = fixture.call(&line).refusal();
        assert!(refusal.contains(": take fewer terms, smaller weights and constants, or residues"), "{refusal}");
    }
    // 2^32 times an answer.
    fixture.refuses("linear --weights 4294967296 --input s --output r", &["take bootes eval --expr"]);
    fixture.evaluate("--expr 4294967296*x --input s", "r");
    assert_eq!(fixture.values("k/client.key", "r"), [1 << 32, 0, 1 << 32]);
    // A refusal is alone, without a note on weights.
    fixture.encrypted("m", "0 1", "--bits 1");
    fixture.encrypted("n", "0 1", "--bits 2");
    fixture.refuses("linear --weights 5,1 --input m.ct --input n.ct --output r", &["expected both in one space"]);
    // No expression concatenates.
    fixture.encrypted("wide", "7 -8", "--width 10");
    let cure = "expected both in one space; encrypt both with the same --width, and --within for the bits";
    fixture.refuses("concat --input x.ct --input wide.ct --output r", &[cure]);
    fixture.encrypted("x", "-1 5 -7", "--width 10 --within 8");
    fixture.call("concat --input x.ct --input wide.ct --output r").ok();
    assert_eq!(fixture.values("k/client.key", "r"), [-1, 5, -7, 7, -8]);
}

#[test]
fn residues_beside_integers() {
    let fixture = Fixture::keys_of("toy_int16");
    fixture.encrypted("x", "3 12", "--width 4 --unsigned");
    let add = "add --input x.ct --input2 m.ct --output r";
    let words = "encrypt both with the same --bits or --modulus, or both with --width";
    for (options, both) in [("--bits 3", "--bits 4"), ("--modulus 13", "--modulus 13")] {
        fixture.encrypted("m", "1 2", options);
        fixture.refuses(add, &[words]);
        fixture.encrypted("m", "1 2", both);
        fixture.call(&format!("encrypt --key k/client.key --input x --output r.ct {both}")).ok();
        fixture.call(&add.replace("x.ct", "r.ct")).ok();
        assert_eq!(fixture.values("k/client.key", "r"), [4, if both == "--bits 4" { 14 } else { 1 }]);
    }
    fixture.encrypted("m", "1 2", "--width 3");
    fixture.all_advised(&SUMS, ["x.ct", "m.ct"]);
}

/// Sums of rows have no program, and neither have tables on sums that fill their space.
#[test]
fn widths_that_have_room() {
    let fixture = Fixture::keys_of("toy_int16");
    let rows = |options: &str| fixture.encrypted("x", "100 -3 127 127", options);
    let sum = "linear --sum-rows --input x.ct --output r";
    rows("--width 8");
    fixture.refuses(sum, &["room for 2^9: encrypt them with --width 9, and --within for the bits"]);
    rows("--width 9 --within 8");
    fixture.call(sum).ok();
    assert_eq!(fixture.values("k/client.key", "r"), [351]);
    rows("--width 16");
    fixture.refuses(sum, &["take fewer rows at a time (bootes slice), and add their sums up with eval --expr 'x + y'"]);
    for (rows, part) in [("0..2", "a"), ("2..4", "b")] {
        fixture.call(&format!("slice --rows {rows} --input x.ct --output part")).ok();
        fixture.call(&format!("linear --sum-rows --input part --output {part}")).ok();
    }
    fixture.evaluate("--expr x+y --input a --input b", "r");
    assert_eq!(fixture.values("k/client.key", "r"), [351]);
    let twice = |options: &str| {
        fixture.encrypted("x", "7 3", options);
        fixture.call("add --input x.ct --input2 x.ct --output sum").ok();
    };
    fixture.write("t", (0..1024).map(|i| (i % 7).to_string()).collect::<Vec<_>>().join(" "));
    let eval = "eval --key k/server.key --table t --input sum --output r";
    for room in ["--width 9", "--width 10 --within 9"] {
        twice(&format!("{room} --unsigned"));
        fixture.call(eval).ok();
        assert_eq!(fixture.values("k/client.key", "r"), [0, 6], "{room}");
    }
}

/// Results on answers are modulo 2^N, on integers that are cut into digits modulo 2^(N + 1).
#[test]
fn tables_give_the_room_that_sums_take() {
    let fixture = Fixture::keys_of("toy_int16");
    assert!(fixture.call("eval --help").ok().contains("modulo 2^(BITS+1)"));
    for width in [16, 12] {
        fixture.encrypted("a", "-300 5", &format!("--width {width}"));
        fixture.evaluate("--op sign --input a.ct", "s");
        fixture.table("0 1", &format!("--out-bits {width}"), "s", "narrow");
        fixture.table("0 1", &format!("--out-bits {}", width + 1), "s", "wide");
        fixture.table("0 1", &format!("--out-bits {width}"), "narrow", "digits");
        fixture.all_advised(&SUMS[..1], ["a.ct", "narrow"]);
        for same in ["wide", "digits"] {
            fixture.call(&format!("add --input a.ct --input2 {same} --output sum")).ok();
            assert_eq!(fixture.values("k/client.key", "sum"), [-299, 5], "{width} {same}");
        }
    }
}

#[test]
fn sums_that_wrapped_are_told_before_a_table() {
    let fixture = Fixture::keys_of("toy_4");
    fixture.write("grade", "0 0 0 0 1 1 1 1 2 2 2 2 3 3 3 3");
    fixture.write("passed", "0 0 0 0 0 0 1 1 1 1 1 1 1 1 1 1");
    fixture.encrypted("u", "3 9 13 15", "");
    let sum = |options: &str| {
        fixture.evaluate(&format!("--table grade {options} --input u.ct"), "g");
        fixture.call("linear --weights 3 --input g --output sum").ok();
    };
    let eval = "eval --key k/server.key --table passed --input sum --output p";
    sum("");
    fixture.refuses(eval, &["or, where they come of tables' results, those tables with --out-bits 4"]);
    sum("--out-bits 4");
    fixture.call(eval).ok();
    assert_eq!(fixture.values("k/client.key", "p"), [0, 1, 1, 1]);
}

#[test]
fn tables_with_negative_entries() {
    let fixture = Fixture::keys_of("toy_int16");
    fixture.encrypted("x", "0 3 1", "--width 2 --unsigned");
    fixture.write("t", "-2 -1 0 1");
    let words =
        "for integers add a constant to all entries, which bootes linear --weights 1 --constant takes off the results";
    fixture.refuses("eval --key k/server.key --table t --input x.ct --output r", &[words]);
    fixture.table("0 1 2 3", "", "x.ct", "shifted");
    fixture.call("linear --weights 1 --constant -2 --input shifted --output r").ok();
    assert_eq!(fixture.values("k/client.key", "r"), [-2, 1, -1]);
}

#[test]
fn moduli_that_vectors_have_not() {
    let fixture = Fixture::keys_of("toy_slots_257");
    fixture.write("x", "1 2");
    fixture.write("y", "1 2");
    let run = "run --params toy_slots_257 --modulus 257";
    fixture.refuses(&format!("{run} --expr x*x --input x --input2 y"), &["leave out --input2"]);
    fixture.call(&format!("{run} --expr x*x --input x")).ok();
    for (options, keys) in [("--bits 3", "keygen --bits 3"), ("--modulus 100", "keygen --bits 7")] {
        let line = format!("encrypt --key k/client.key --input x --output c {options}");
        let refusal = fixture.call(&line).refusal();
        assert!(refusal.contains(keys) && !refusal.contains("--engine bfv"), "{refusal}");
    }
    fixture.call("encrypt --key k/client.key --input x --output x.ct").ok();
    let refusal = fixture.call("eval --key k/server.key --table id.txt --input x.ct --output r").refusal();
    assert!(!refusal.contains("--engine bfv --modulus 16"), "{refusal}");
    let rotation = "reduce it modulo the slots of a row";
    fixture.refuses(&format!("{run} --input x --expr rot(x,9223372036854775808)"), &[rotation]);
    fixture.refuses("plan --bits 25", &["take --width of keygen, encrypt and run"]);
}

#[test]
fn results_of_engine_ckks_that_are_no_integers() {
    let fixture = Fixture::keys_of("toy_batch_integers");
    fixture.encrypted("x", "3 7 0 5", "--width 4 --unsigned");
    let entries = (0..16).map(|i| (i + 2) % 16).map(|i| i.to_string()).collect::<Vec<_>>().join(" ");
    let table = || fixture.table(&entries, "--out-bits 5", "x.ct", "t");
    table();
    let less = "eval --key k/server.key --op less --input t --input2 t --output l";
    let words =
        "residues with engine ckks: take keys of bootes keygen --engine fhew --width 5, whose tables give integers";
    fixture.refuses(less, &["it holds 5-bit messages, but less takes large integers", words]);
    fixture.evaluate("--op less --input x.ct --input2 x.ct", "l");
    fixture.call("keygen --engine fhew --width 5 --out k --force").ok();
    fixture.encrypted("x", "3 7 0 5", "--width 4 --unsigned");
    table();
    fixture.call(less).ok();
    assert_eq!(fixture.values("k/client.key", "l"), [0; 4]);
}

#[test]
fn moduli_of_tables() {
    let fixture = Fixture::new();
    fixture.write("t", (0..100).map(|i| (99 - i).to_string()).collect::<Vec<_>>().join(" "));
    fixture.refuses("keygen --modulus 100 --out k", &["tables modulo 100 have keygen --bits 7"]);
    fixture.call("keygen --params toy_8 --out k").ok();
    fixture.encrypted("x", "3 99 -1", "--modulus 100");
    let eval = "eval --key k/server.key --table t --input x.ct --output r";
    fixture.refuses(eval, &["input, B from 1 to 20; give --modulus 100 for inputs modulo 100"]);
    fixture.call(&format!("{eval} --modulus 100")).ok();
    assert_eq!(fixture.values("k/client.key", "r"), [96, 0, 0]);
    fixture.write("neg", "-1 2");
    let encrypt = "encrypt --key k/client.key --input neg --output neg.ct";
    fixture.refuses(&format!("{encrypt} --bits 8"), &["correct the value, or give --modulus 256"]);
    fixture.call(&format!("{encrypt} --modulus 256")).ok();
    assert_eq!(fixture.values("k/client.key", "neg.ct"), [255, 2]);
}

/// What is said of a table whose number of entries is no power of two does it, at each door.
#[test]
fn tables_of_any_number_of_entries() {
    let fixture = Fixture::keys_of("toy_4");
    let numbers = |count: u64| (0..count).map(|i| i.to_string()).collect::<Vec<_>>().join(" ");
    let line = |line: &str| fixture.call(line).refusal();
    fixture.encrypted("x", "1 6", "--bits 4");
    let eval = "eval --key k/server.key --table t --input x.ct --output r";
    for length in [7, 15] {
        fixture.write("t", numbers(length));
        let both = format!("a table of 16 entries, or values encrypted with --modulus {length} and --modulus {length}");
        fixture.refuses(eval, &[&both]);
        fixture.refuses(&format!("{eval} --modulus {length}"), &["16 entries without --modulus, or values encrypted"]);
        fixture.encrypted("y", "1 6", &format!("--modulus {length}"));
        fixture.call(&format!("{} --modulus {length}", eval.replace("x.ct", "y.ct"))).ok();
        fixture.write("t", numbers(16));
        fixture.call(eval).ok();
        fixture.refuses(&eval.replace("x.ct", "y.ct"), &[&format!("a table of {length} entries and --modulus")]);
    }
    // Of integers any number that has one for each.
    fixture.write("t", numbers(15));
    fixture.encrypted("x", "1 6", "--width 3 --unsigned");
    fixture.refuses(eval, &["; give --modulus 15 for inputs modulo 15, or add 1 or remove 7"]);
    fixture.call(&format!("{eval} --modulus 15")).ok();
    let program = eval.replace("--table t", "--expr f(x) --table f=t");
    fixture.refuses(&format!("{program} --modulus 15"), &["leave --modulus out"]);
    fixture.call(&program).ok();
    // What inputs there are, and sets.
    let run = "run --params toy_4 --table t --input values";
    for (values, cures) in [
        ("3 15", &["; add 1"][..]),
        ("3 14", &["give --modulus 15 for inputs modulo 15, or add 1"]),
        ("3 7", &["give --modulus 15 for inputs modulo 15, or add 1 or remove 7"]),
    ] {
        fixture.write("values", values);
        fixture.write("t", numbers(15));
        let refused = line(run);
        assert!(cures.iter().all(|cure| refused.ends_with(cure)), "{values}: {refused}");
        if refused.contains("--modulus") {
            fixture.call(&format!("{run} --modulus 15")).ok();
        }
        for entries in [16, 8].into_iter().take(if refused.contains("remove") { 2 } else { 1 }) {
            fixture.write("t", numbers(entries));
            fixture.call(run).ok();
        }
    }
    fixture.write("t", numbers(15));
    let plan = "plan --params toy_4 --table t";
    let refused = line(&format!("{plan} --bits 4"));
    assert!(refused.ends_with("give --modulus 15 in place of --bits 4 for inputs modulo 15, or add 1"), "{refused}");
    fixture.call(&format!("{plan} --modulus 15")).ok();
    let refused = line("plan --engine bfv --table t");
    assert!(!refused.contains("add 1"), "{refused}");
}

#[test]
fn messages_of_two_moduli() {
    for set in ["toy_4", "toy_batch_4bit"] {
        let fixture = Fixture::keys_of(set);
        for (narrow, wide, encrypt, results) in [
            ("--bits 2", "--bits 3", "--bits 3", "--out-bits 3"),
            ("--modulus 3", "--bits 3", "--bits 3", "--modulus 3 --out-bits 3"),
            ("--bits 2", "--modulus 10", "--modulus 10", "--modulus 4 --out-modulus 10"),
        ] {
            let entries = if narrow == "--modulus 3" { "0 1 2" } else { "0 1 2 3" };
            fixture.encrypted("x", "1 2", narrow);
            fixture.encrypted("y", "5 7", wide);
            let words = format!("encrypt both with {encrypt}, or evaluate a --table with {results} on those modulo");
            fixture.refuses("add --input x.ct --input2 y.ct --output s", &[&words]);
            fixture.table(entries, results, "x.ct", "table");
            fixture.encrypted("x", "1 2", encrypt);
            for same in ["table", "x.ct"] {
                fixture.call(&format!("add --input {same} --input2 y.ct --output s")).ok();
                let modulus = if wide == "--bits 3" { 8 } else { 10 };
                assert_eq!(fixture.values("k/client.key", "s"), [6, 9 % modulus], "{set}: {narrow}, {wide}");
            }
        }
    }
}
