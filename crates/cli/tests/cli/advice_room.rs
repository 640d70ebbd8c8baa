//! Advice on answers, sums and tables that have no room: followed, it gives what plain integers give.

use crate::fixture::Fixture;

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
}

#[test]
fn differences_and_negative_weights_of_answers() {
    let fixture = Fixture::keys_of("toy_int16");
    fixture.encrypted("x", "-1 5 -7 9", "--width 8");
    fixture.encrypted("y", "3 -5 -2 8", "--width 8");
    ["x", "y"].iter().for_each(|name| fixture.evaluate(&format!("--op sign --input {name}.ct"), name));
    let difference = "evaluate the --table of 0 and 1 with --out-bits 2 on each first, and take the difference of";
    fixture.refuses("sub --input x --input2 y --output d", &[difference]);
    for name in ["x", "y"] {
        fixture.table("0 1", "--out-bits 2", name, &format!("{name}.2"));
        fixture.table("0 1", "--out-bits 3", name, &format!("{name}.3"));
        fixture.table("0 4", "--out-bits 3", name, &format!("{name}.4"));
    }
    fixture.call("sub --input x.2 --input2 y.2 --output d").ok();
    assert_eq!(fixture.values("k/client.key", "d"), [1, -1, 0, 0]);
    let weighted = "instead of a multiple evaluate the --table of 0 and the weight without its sign, with --out-bits \
                    3, and add the results up, or subtract them where weights are negative";
    fixture.refuses("linear --weights=1,-4 --input x --input y --output w", &[weighted]);
    fixture.call("sub --input x.3 --input2 y.4 --output w").ok();
    assert_eq!(fixture.values("k/client.key", "w"), [1, -4, -3, 0]);
    // Other functions take more room than answers have, too.
    let room = "first evaluate the --table of 0 and 1 with --out-bits 3 on them";
    for op in ["max", "sub", "add"] {
        fixture.refuses(&format!("eval --key k/server.key --op {op} --input x --input2 y --output r"), &[room]);
        fixture.evaluate(&format!("--op {op} --input x.3 --input2 y.3"), op);
    }
    assert_eq!(fixture.values("k/client.key", "max"), [1, 1, 1, 0]);
    assert_eq!(fixture.values("k/client.key", "sub"), [1, -1, 0, 0]);
    assert_eq!(fixture.values("k/client.key", "add"), [1, 1, 2, 0]);
    fixture.refuses("eval --key k/server.key --op floor:4 --input x --output r", &["with --out-bits 5 on them"]);
    fixture.table("0 1", "--out-bits 5", "x", "x.5");
    fixture.evaluate("--op floor:4 --input x.5", "floor");
    assert_eq!(fixture.values("k/client.key", "floor"), [0; 4]);
    // What no set has is not named.
    for weights in ["--weights 2147483648", "--weights 200000", "--weights 1 --constant 1000000000000"] {
        let refusal = fixture.call(&format!("linear {weights} --input x --output r")).refusal();
        assert!(refusal.ends_with("take smaller weights and constants, or fewer terms"), "{refusal}");
    }
}

#[test]
fn answers_of_engine_ckks_have_tables_of_residues() {
    let fixture = Fixture::keys_of("toy_batch_integers");
    fixture.encrypted("x", "-1 5 -7 9", "--width 8");
    fixture.encrypted("y", "3 -5 -2 8", "--width 8");
    fixture.encrypted("m", "7 1 2 3", "--bits 3");
    fixture.encrypted("n", "7 1 2 3", "--width 3 --unsigned");
    ["x", "y"].iter().for_each(|name| fixture.evaluate(&format!("--op sign --input {name}.ct"), name));
    let keys = "take keys of bootes keygen --engine fhew, with the same --width, whose tables do that";
    fixture.refuses("sub --input x --input2 y --output r", &[keys]);
    fixture.refuses("linear --weights=1,-4 --input x --input y --output r", &[keys]);
    let residues = "take the sum of the results, which are residues";
    fixture.refuses("add --input x --input2 y --output r", &["with --out-bits 3 on each first", residues]);
    for name in ["x", "y"] {
        fixture.table("0 1", "--out-bits 3", name, &format!("{name}.3"));
    }
    fixture.call("add --input x.3 --input2 y.3 --output sum").ok();
    assert_eq!(fixture.values("k/client.key", "sum"), [1, 1, 2, 0]);
    // Beside residues and integers.
    let too = "with --out-bits 3 on the answers, whose results are residues, too";
    fixture.refuses("add --input x --input2 m.ct --output r", &[too]);
    fixture.call("add --input x.3 --input2 m.ct --output sum").ok();
    assert_eq!(fixture.values("k/client.key", "sum"), [0, 1, 3, 3]);
    let wide = "take keys of bootes keygen --engine fhew --width 8, whose tables do that";
    for line in ["add --input x --input2 x.ct", "add --input m.ct --input2 x.ct"] {
        fixture.refuses(&format!("{line} --output r"), &[wide]);
    }
    fixture.refuses("eval --key k/server.key --op max --input x --input2 x.ct --output r", &["of one width", wide]);
    let alike =
        "encrypt both with --width 8 (k more before floor:k, up to 16), and --within for the bits that they have";
    let refusal = fixture.call("add --input n.ct --input2 x.ct --output r").refusal();
    assert!(refusal.ends_with(alike) && !refusal.contains("--table"), "{refusal}");
    fixture.encrypted("n", "7 1 2 3", "--width 8 --within 4");
    fixture.call("add --input n.ct --input2 x.ct --output sum").ok();
    assert_eq!(fixture.values("k/client.key", "sum"), [6, 6, -5, 12]);
    // With the keys that it names.
    let fixture = Fixture::keys_of("toy_int16");
    fixture.encrypted("x", "-1 5 -7 9", "--width 9 --within 8");
    fixture.evaluate("--op sign --input x.ct", "x");
    let table = "evaluate a --table with --out-bits 10 on those of fewer bits first";
    fixture.refuses("add --input x --input2 x.ct --output r", &[table]);
    fixture.table("0 1", "--out-bits 10", "x", "wide");
    fixture.call("add --input wide --input2 x.ct --output sum").ok();
    assert_eq!(fixture.values("k/client.key", "sum"), [0, 5, -6, 9]);
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
fn the_longer_operand_may_be_the_one_to_change() {
    let fixture = Fixture::keys_of("toy_int16");
    fixture.encrypted("x", "-7 5", "--width 9 --within 4");
    fixture.encrypted("y", "14 -9", "--width 6 --within 5");
    let sub = "sub --input x.ct --input2 y.ct --output r";
    fixture.refuses(sub, &["or encrypt those of more bits with --width 6 --within 4"]);
    fixture.encrypted("x", "-7 5", "--width 6 --within 4");
    fixture.call(sub).ok();
    assert_eq!(fixture.values("k/client.key", "r"), [-21, 14]);
    // Where the difference has no room it is no advice.
    fixture.encrypted("x", "-7 5", "--width 9 --within 7");
    fixture.encrypted("y", "30 -9", "--width 6");
    assert!(!fixture.call(sub).refusal().contains("those of more bits with"));
}

#[test]
fn tables_give_the_room_that_sums_take() {
    let fixture = Fixture::keys_of("toy_int16");
    // On answers results are modulo 2^N, on integers that are cut into digits modulo 2^(N + 1).
    for width in [16, 12] {
        fixture.encrypted("a", "-300 5", &format!("--width {width}"));
        fixture.encrypted("b", "3 -5", &format!("--width {width}"));
        fixture.evaluate("--op less --input a.ct --input2 b.ct", "less");
        fixture.table("0 1", &format!("--out-bits {width}"), "less", "narrow");
        let most = width + 1;
        let words = format!(
            "the identity, a --table with --out-bits {width}, on those of fewer bits first, or give the one that they \
             are results of --out-bits {most} (on digits {width}: see bootes eval --help)"
        );
        fixture.refuses("linear --weights 1,1 --input a.ct --input narrow --output r", &[&words]);
        fixture.table("0 1", &format!("--out-bits {most}"), "less", "wide");
        fixture.table("0 1", &format!("--out-bits {width}"), "narrow", "digits");
        for same in ["wide", "digits"] {
            fixture.call(&format!("linear --weights 1,1 --input a.ct --input {same} --output sum")).ok();
            assert_eq!(fixture.values("k/client.key", "sum"), [-299, 5], "{width} {same}");
        }
    }
    // Of residues as well.
    fixture.encrypted("r", "3 15", "--bits 4");
    fixture.encrypted("a", "-300 5", "--width 10");
    let words = "with --width 4 --unsigned, and evaluate a --table with --out-bits 11 (on digits 10: see bootes eval";
    fixture.refuses("add --input r.ct --input2 a.ct --output s", &[words]);
    fixture.encrypted("r", "3 15", "--width 4 --unsigned");
    let identity = (0..16).map(|i| i.to_string()).collect::<Vec<_>>().join(" ");
    fixture.table(&identity, "--out-bits 10", "r.ct", "wide");
    fixture.call("add --input wide --input2 a.ct --output sum").ok();
    assert_eq!(fixture.values("k/client.key", "sum"), [-297, 20]);
    assert!(fixture.call("eval --help").ok().contains("modulo 2^(BITS+1)"));
}

#[test]
fn sums_without_a_sign_are_encrypted_so() {
    let fixture = Fixture::keys_of("toy_int16");
    let encrypt = |options: &str| {
        fixture.encrypted("x", "7 3", options);
        fixture.call("add --input x.ct --input2 x.ct --output sum").ok();
    };
    encrypt("--width 3 --unsigned");
    let words =
        "have no room in 3-bit integers; encrypt them, or what they are sums of, with --width 4 --unsigned, and";
    for (op, expected) in [("relu", [14, 6]), ("floor:3", [1, 0])] {
        let eval = format!("eval --key k/server.key --op {op} --input sum --output r");
        encrypt("--width 3 --unsigned");
        fixture.refuses(&eval, &[words]);
        encrypt("--width 4 --within 3 --unsigned");
        fixture.call(&eval).ok();
        assert_eq!(fixture.values("k/client.key", "r"), expected, "{op}");
    }
    // A table on digits.
    fixture.write("t", (0..1024).map(|i| (i % 7).to_string()).collect::<Vec<_>>().join(" "));
    let eval = "eval --key k/server.key --table t --input sum --output r";
    encrypt("--width 9 --unsigned");
    let words = "integers from 0 to 1022 have no room in 9 bits: encrypt them, or what they are sums of, with --width \
                 10 --unsigned (k more before floor:k, up to 16, or a --table in its place), and --within";
    fixture.refuses(eval, &[words]);
    encrypt("--width 10 --within 9 --unsigned");
    fixture.call(eval).ok();
    assert_eq!(fixture.values("k/client.key", "r"), [0, 6]);
}

#[test]
fn tables_with_negative_entries() {
    let fixture = Fixture::keys_of("toy_int16");
    fixture.encrypted("x", "0 3 1", "--width 2 --unsigned");
    fixture.write("t", "-2 -1 0 1");
    let words = "for integers add a constant to all entries, which bootes linear --constant takes off the results";
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
fn results_that_fill_their_space() {
    let fixture = Fixture::keys_of("toy_int16");
    fixture.encrypted("x", "3 7 0 1", "--width 3 --unsigned");
    let entries = "2 11 3 4 5 6 7 8";
    let functions = ["less", "equal", "max", "relu", "abs"].map(|op| match op {
        "relu" | "abs" => format!("--op {op} --input t"),
        _ => format!("--op {op} --input t --input2 t"),
    });
    fixture.table(entries, "", "x.ct", "t");
    for of in &functions {
        let words = "or give tables that they are results of --out-bits 5 (on digits 4";
        fixture.refuses(&format!("eval --key k/server.key {of} --output r"), &[words]);
    }
    fixture.table(entries, "--out-bits 5", "x.ct", "t");
    for (of, expected) in functions.iter().zip([[0; 4], [1; 4], [4, 8, 2, 11], [4, 8, 2, 11], [4, 8, 2, 11]]) {
        fixture.evaluate(of, "r");
        assert_eq!(fixture.values("k/client.key", "r"), expected, "{of}");
    }
    // The identity would be on digits that have no sign: it is not named.
    fixture.encrypted("y", "-300 5 1 0", "--width 16");
    fixture.table("6 43 3 4 5 6 7 8", "", "x.ct", "t");
    let add = "add --input t --input2 y.ct --output s";
    let words = "that they have, or give tables that those of fewer bits are results of --out-bits 17 (on digits 16";
    fixture.refuses(add, &[words]);
    fixture.table("6 43 3 4 5 6 7 8", "--out-bits 17", "x.ct", "t");
    fixture.call(add).ok();
    assert_eq!(fixture.values("k/client.key", "s"), [-296, 13, 7, 43]);
    // As far apart as multiples of answers are.
    fixture.table("0 8 3 4 5 6 7 8", "", "x.ct", "t");
    let add = "add --input t --input2 y.ct --output s";
    fixture.refuses(add, &["where they come from answers, ", "or evaluate a --table with --out-bits 17 (on digits 16"]);
    fixture.table("0 8 3 4 5 6 7 8", "--out-bits 17", "x.ct", "t");
    fixture.call(add).ok();
    assert_eq!(fixture.values("k/client.key", "s"), [-296, 13, 1, 8]);
    // In the space that the width has, where the sum is an operand, too.
    fixture.table("0 6 3 4 5 6 1 2", "", "x.ct", "t");
    let add = "add --input t --input2 t --output s";
    fixture.refuses(add, &["with --width 4 (", "give tables that they are results of --out-bits 5 (on digits 4"]);
    fixture.table("0 6 3 4 5 6 1 2", "--out-bits 5", "x.ct", "t");
    fixture.call(add).ok();
    assert_eq!(fixture.values("k/client.key", "s"), [8, 4, 0, 12]);
    fixture.evaluate("--op relu --input s", "r");
    assert_eq!(fixture.values("k/client.key", "r"), [8, 4, 0, 12]);
}

#[test]
fn multiples_of_answers() {
    let fixture = Fixture::keys_of("toy_int16");
    fixture.encrypted("x", "-1 5 -7 9", "--width 8");
    fixture.encrypted("y", "3 -5 -2 8", "--width 8");
    fixture.evaluate("--op less --input x.ct --input2 y.ct", "l");
    let linear = "linear --weights 2 --constant 3 --output r --input";
    fixture.refuses(&format!("{linear} l"), &["evaluate the --table of 0 and 1 with --out-bits 4 on each first"]);
    fixture.table("0 1", "--out-bits 4", "l", "wide");
    fixture.call(&format!("{linear} wide")).ok();
    assert_eq!(fixture.values("k/client.key", "r"), [5, 3, 5, 3]);
    // 1 and -1.
    fixture.call("linear --weights 2 --constant -1 --input l --output pm").ok();
    for (line, bits, expected) in [
        ("add --input pm --input2 pm", 3, [2, -2, 2, -2]),
        ("linear --weights 3 --input pm", 3, [3, -3, 3, -3]),
        ("add --input pm --input2 x.ct", 9, [0, 4, -6, 8]),
        ("eval --key k/server.key --op max --input pm --input2 x.ct", 9, [1, 5, 1, 9]),
    ] {
        let words = format!(
            "where they come from answers, evaluate the --table of 0 and 2 with --out-bits {bits} on those instead, \
             and add -1 to the results (bootes linear --constant)"
        );
        fixture.refuses(&format!("{line} --output r"), &[&words]);
        fixture.table("0 2", &format!("--out-bits {bits}"), "l", "0-2");
        fixture.call("linear --weights 1 --constant -1 --input 0-2 --output pm.wide").ok();
        fixture.call(&format!("{} --output r", line.replace("pm", "pm.wide"))).ok();
        assert_eq!(fixture.values("k/client.key", "r"), expected, "{line}");
    }
}

#[test]
fn operands_of_sums_with_constants() {
    let fixture = Fixture::keys_of("toy_int16");
    for (integers, options, linear, words, wider, expected) in [
        (
            "0 127 3",
            "--width 12 --within 7 --unsigned",
            "--weights -60 --constant 32000",
            "room for 2^13 of them: encrypt them with --width 15 --within 7 --unsigned, or",
            "--width 15 --within 7 --unsigned",
            vec![32000, 24380, 31820],
        ),
        (
            "0 -1",
            "--width 1",
            "--weights -1 --constant -3672",
            "encrypt them with --width 12 --within 1 (both k more before floor:k, up to 16, or a --table in its \
             place), give",
            "--width 12 --within 1",
            vec![-3672, -3671],
        ),
    ] {
        fixture.encrypted("x", integers, options);
        let linear = format!("linear {linear} --input x.ct --output r");
        fixture.refuses(&linear, &[words]);
        fixture.encrypted("x", integers, wider);
        fixture.call(&linear).ok();
        assert_eq!(fixture.values("k/client.key", "r"), expected, "{linear}");
    }
    // A refusal is alone, without a note on weights.
    fixture.encrypted("m", "0 1", "--bits 1");
    fixture.encrypted("n", "0 1", "--bits 2");
    fixture.refuses("linear --weights 5,1 --input m.ct --input n.ct --output r", &["expected both in one space"]);
}

#[test]
fn results_of_floor_have_less_room_than_their_operands() {
    let fixture = Fixture::keys_of("toy_int16");
    let floor = |options: &str| {
        fixture.encrypted("x", "-100 37 127", options);
        fixture.evaluate("--op floor:4 --input x.ct", "f");
    };
    fixture.encrypted("y", "-3 5 100", "--width 8");
    floor("--width 8");
    let (multiple, sum) = ("linear --weights 3 --input f --output r", "add --input f --input2 y.ct --output r");
    fixture.refuses(multiple, &["encrypt them with --width 5 --within 4 (both k more before floor:k, up to 16"]);
    let shifted = "encrypt both with --width 8 (k more before floor:k, up to 16, or a --table in its place), and \
                   --within for the bits that they have, or add 8 to those of fewer bits (bootes linear --constant), \
                   evaluate the --table of 0 to 15 with \
                   --out-bits 9 (on digits 8: see bootes eval --help) on the sums, and add -8 to the results";
    fixture.refuses(sum, &[shifted]);
    let expected = [-10, 7, 107];
    fixture.call("linear --weights 1 --constant 8 --input f --output f.8").ok();
    let identity = (0..16).map(|i| i.to_string()).collect::<Vec<_>>().join(" ");
    // On digits, as this set has messages of 4 bits.
    fixture.table(&identity, "--out-bits 8", "f.8", "f.9");
    fixture.call("linear --weights 1 --constant -8 --input f.9 --output wide").ok();
    fixture.call(&sum.replace("--input f", "--input wide")).ok();
    assert_eq!(fixture.values("k/client.key", "r"), expected);
    floor("--width 12 --within 8");
    fixture.call(sum).ok();
    assert_eq!(fixture.values("k/client.key", "r"), expected);
    floor("--width 9 --within 8");
    fixture.call(multiple).ok();
    assert_eq!(fixture.values("k/client.key", "r"), [-21, 6, 21]);
}

#[test]
fn answers_beside_integers_in_two_ciphertexts() {
    let fixture = Fixture::keys_of("toy_int16");
    let answers = |width: u32| {
        fixture.encrypted("x", "3 -7 0", &format!("--width {width}"));
        fixture.encrypted("y", "4 -9 0", &format!("--width {width}"));
        fixture.evaluate("--op less --input x.ct --input2 y.ct", "l");
    };
    answers(20);
    let words = "nothing gives answers in two ciphertexts each: take integers of up to 16 bits (encrypt --width 16, \
                 keys of bootes keygen --engine fhew --width 16), and evaluate a --table with --out-bits 17 on those";
    let lines = ["add --", "eval --key k/server.key --op add --", "eval --key k/server.key --op max --"];
    lines.iter().for_each(|line| fixture.refuses(&format!("{line}input x.ct --input2 l --output r"), &[words]));
    answers(16);
    fixture.table("0 1", "--out-bits 17", "l", "wide");
    for (line, expected) in lines.iter().zip([[4, -7, 0], [4, -7, 0], [3, 0, 0]]) {
        fixture.call(&format!("{line}input x.ct --input2 wide --output r")).ok();
        assert_eq!(fixture.values("k/client.key", "r"), expected, "{line}");
    }
}

#[test]
fn results_of_engine_ckks_that_are_no_integers() {
    let fixture = Fixture::keys_of("toy_batch_integers");
    fixture.encrypted("x", "3 7 0 5", "--width 4 --unsigned");
    let entries = (0..16).map(|i| (i + 2) % 16).map(|i| i.to_string()).collect::<Vec<_>>().join(" ");
    let table = || fixture.table(&entries, "--out-bits 5", "x.ct", "t");
    table();
    let less = "eval --key k/server.key --op less --input t --input2 t --output l";
    let words = "residues with engine ckks: take keys of bootes keygen --engine fhew --width 5, whose tables do that";
    fixture.refuses(less, &["it holds 5-bit messages, but less takes large integers", words]);
    fixture.evaluate("--op less --input x.ct --input2 x.ct", "l");
    fixture
        .refuses("eval --key k/server.key --op relu --input l --output r", &["l: relu of integers that have room for"]);
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
    fixture.refuses(eval, &["input, B from 1 to 20; give --modulus 100 for inputs modulo 100, or add 28 or remove 36"]);
    fixture.call(&format!("{eval} --modulus 100")).ok();
    assert_eq!(fixture.values("k/client.key", "r"), [96, 0, 0]);
    fixture.write("neg", "-1 2");
    let encrypt = "encrypt --key k/client.key --input neg --output neg.ct";
    fixture.refuses(&format!("{encrypt} --bits 8"), &["correct the value, or give --modulus 256"]);
    fixture.call(&format!("{encrypt} --modulus 256")).ok();
    assert_eq!(fixture.values("k/client.key", "neg.ct"), [255, 2]);
}

/// No width is that of zeros: what they come from is encrypted with more.
#[test]
fn zeros_and_a_constant_without_room() {
    let fixture = Fixture::keys_of("toy_int16");
    fixture.encrypted("x", "0 0", "--width 2 --unsigned");
    fixture.table("0 0 0 0", "--out-bits 3", "x.ct", "zeros");
    let from = "encrypt what they come from with --width 5";
    fixture.refuses("linear --weights 1 --constant 16 --input zeros --output sum", &[from, "results of --out-bits 6"]);
    fixture.table("0 0 0 0", "--out-bits 6", "x.ct", "zeros");
    fixture.call("linear --weights 1 --constant 16 --input zeros --output sum").ok();
}

/// Results of tables are residues with engine ckks, and give integers no room.
#[test]
fn operands_without_room_by_engine() {
    for (set, has_tables) in [("toy_batch_integers", false), ("toy_int16", true)] {
        let fixture = Fixture::keys_of(set);
        let encrypt = |options: &str| {
            fixture.encrypted("x", "3 -128 127", options);
            fixture.encrypted("y", "7 127 -128", options);
            fixture.call("linear --weights 2 --input x.ct --output twice").ok();
        };
        for (op, expected) in [("min", [6, -256, -128]), ("max", [7, 127, 254]), ("less", [1, 1, 0])] {
            let eval = format!("eval --key k/server.key --op {op} --input twice --input2 y.ct --output r");
            encrypt("--width 8");
            let refusal = fixture.call(&eval).refusal();
            assert!(refusal.contains("or all with --width 9 (k more before floor:k, up to 16"), "{refusal}");
            assert_eq!(refusal.contains("--out-bits"), has_tables, "{refusal}");
            encrypt("--width 9 --within 8");
            fixture.call(&eval).ok();
            assert_eq!(fixture.values("k/client.key", "r"), expected, "{set}, {op}");
        }
    }
}

#[test]
fn answers_without_their_last_bits() {
    let fixture = Fixture::keys_of("toy_int16");
    fixture.encrypted("x", "-1 5", "--width 8");
    fixture.evaluate("--op sign --input x.ct", "s");
    let floor = |k: u32, of: &str| format!("eval --key k/server.key --op floor:{k} --input {of} --output r");
    fixture.refuses(&floor(16, "s"), &["first evaluate the --table of 0 and 1 with --out-bits 17 on them"]);
    fixture.table("0 1", "--out-bits 17", "s", "wide");
    fixture.call(&floor(16, "wide")).ok();
    for k in [17, 32] {
        fixture.refuses(&floor(k, "s"), &["is 0 for both: take the zeros of bootes linear --weights 0"]);
    }
    fixture.call("linear --weights 0 --input s --output zeros").ok();
    for zeros in ["r", "zeros"] {
        assert_eq!(fixture.values("k/client.key", zeros), [0, 0]);
    }
}

#[test]
fn operands_of_two_widths() {
    let fixture = Fixture::keys_of("toy_int16");
    fixture.encrypted("x", "-300 2047", "--width 12");
    fixture.encrypted("y", "3 -2048", "--width 16 --within 12");
    let less = |x: &str| format!("eval --key k/server.key --op less --input {x} --input2 y.ct --output r");
    let words = "of one width; encrypt both with --width 16 (a --table in place of floor:k), and --within for the bits \
                 that they have, or add 2048 to those of fewer bits (bootes linear --constant), evaluate the --table \
                 of 0 to 4095 with --out-bits 16 on the sums, and add -2048 to the results";
    fixture.refuses(&less("x.ct"), &[words]);
    fixture.call("linear --weights 1 --constant 2048 --input x.ct --output sums").ok();
    let identity = (0..4096).map(|i| i.to_string()).collect::<Vec<_>>().join(" ");
    fixture.table(&identity, "--out-bits 16", "sums", "results");
    fixture.call("linear --weights 1 --constant -2048 --input results --output wide").ok();
    fixture.encrypted("x", "-300 2047", "--width 16 --within 12");
    for same in ["x.ct", "wide"] {
        fixture.call(&less(same)).ok();
        assert_eq!(fixture.values("k/client.key", "r"), [1, 0], "{same}");
    }
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

/// Differences of integers with a sign and of others without have a bit more than both.
#[test]
fn operands_of_two_widths_and_signs() {
    let fixture = Fixture::keys_of("toy_int16");
    let max = "--op max --input x.ct --input2 y.ct";
    let call = format!("eval --key k/server.key {max} --output r");
    fixture.encrypted("x", "31 0 7", "--width 5 --unsigned");
    fixture.encrypted("y", "-8 -1 7", "--width 4");
    let words = "encrypt both with --width 6 (k more before floor:k, up to 16, or a --table in its place), and \
                 --within, and --unsigned, as before, for the bits that they have";
    fixture.refuses(&call, &["of one width", words]);
    fixture.encrypted("x", "31 0 7", "--width 5 --unsigned");
    fixture.encrypted("y", "-8 -1 7", "--width 5 --within 4");
    fixture.refuses(&call, &["encrypt all with --unsigned, if none is negative, or all with --width 6"]);
    for options in [["--width 6 --within 5 --unsigned", "--width 6 --within 4"], ["--width 6", "--width 6"]] {
        fixture.encrypted("x", "31 0 7", options[0]);
        fixture.encrypted("y", "-8 -1 7", options[1]);
        fixture.evaluate(max, "r");
        assert_eq!(fixture.values("k/client.key", "r"), [31, 0, 7]);
    }
    // None negative.
    fixture.encrypted("x", "31 0 7", "--width 5 --unsigned");
    fixture.encrypted("y", "8 1 7", "--width 5 --unsigned");
    fixture.evaluate(max, "r");
    assert_eq!(fixture.values("k/client.key", "r"), [31, 1, 7]);
}
