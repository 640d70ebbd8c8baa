//! Tables on digits, of any modulus, and integers of two ciphertexts.

use crate::fixture::Fixture;
use bootes_testkit::sampled;

/// One entry a line: x ↦ (x² + 1)·7 modulo `out`.
fn table(entries: u64, out: u64) -> String {
    (0..entries).map(|x| format!("{}\n", (x * x + 1) * 7 % out)).collect()
}

/// Longer residues than sets have in one ciphertext are integers in limbs where values are few, as what is planned says.
#[test]
fn eighteen_bits() {
    let fixture = Fixture::new();
    let image = |x: u64| (x * x + 1) * 7 % 1000;
    fixture.write("t", table(1 << 18, 1000));
    fixture.write("x", "0 1 77777 262143");
    let expected: String = [0u64, 1, 77_777, 262_143].map(|x| format!("{}\n", image(x))).concat();
    let report = fixture.call("run --params toy_int16 --table t --input x --output r").ok();
    assert!(report.contains("tree of CMUXes on 18 bits") && report.contains("right: all 4"), "{report}");
    assert_eq!(fixture.read("r"), expected.as_bytes());
    let plan = fixture.call("plan --table t").ok();
    assert!(plan.contains("engine fhew") && plan.contains("--width 18 --unsigned"), "{plan}");
    assert!(fixture.call("plan --table t --count 60000").ok().contains("engine ckks"), "thousands are batches");
    fixture.call("keygen --params toy_int16 --out k").ok();
    fixture.call("encrypt --key k/client.key --width 18 --unsigned --input x --output c").ok();
    fixture.call("eval --key k/server.key --table t --input c --output r").ok();
    assert_eq!(fixture.call("decrypt --key k/client.key --input r").ok(), expected);
}

#[test]
fn twelve_bits() {
    let fixture = Fixture::new();
    fixture.write("t", table(4096, 4096));
    fixture.write("x", "0 1 2 4095 1000 0xabc");
    let expected: String = [0u64, 1, 2, 4095, 1000, 0xabc].map(|x| format!("{}\n", (x * x + 1) * 7 % 4096)).concat();
    let report = fixture.call("run --params toy_int16 --table t --input x --output r").ok();
    assert!(report.contains("12-bit inputs, 12-bit results") && report.contains("right: all 6"), "{report}");
    assert!(report.contains("cmux-tree") && report.contains("T[4095] = "), "{report}");
    assert_eq!(fixture.read("r"), expected.as_bytes());
    let json = fixture.call("run --params toy_int16 --table t --input x --threads 2 --json").json();
    assert_eq!((&json["bits"], &json["out_bits"], &json["correct"]), (&12.into(), &12.into(), &true.into()));

    fixture.call("keygen --params toy_int16 --out k").ok();
    let encrypted = fixture.call("encrypt --key k/client.key --bits 12 --input x --output c").ok();
    assert!(encrypted.contains("6 12-bit messages, kept as unsigned 12-bit integers"), "{encrypted}");
    fixture.call("eval --key k/server.key --table t --input c --output r").ok();
    assert_eq!(fixture.call("decrypt --key k/client.key --input r").ok(), expected);
    // What --width encrypts without a sign is the same; results are inputs.
    fixture.call("encrypt --key k/client.key --width 12 --unsigned --input x --output c").ok();
    fixture.call("eval --key k/server.key --table t --input c --output r").ok();
    fixture.call("eval --key k/server.key --table t --input r --output rr").ok();
    let twice = |x: u64| (1..3).fold(x, |x, _| (x * x + 1) * 7 % 4096);
    let decrypted = fixture.call("decrypt --key k/client.key --input rr --json").json();
    assert_eq!(decrypted["values"], serde_json::json!([0, 1, 2, 4095, 1000, 0xabc].map(twice)));
    // A negative integer has no entry, nor have those that are not below the modulus.
    fixture.write("minus", "-1 5");
    fixture.call("encrypt --key k/client.key --width 12 --input minus --output c").ok();
    fixture.refuses("eval --key k/server.key --table t --input c --output s", &["t:", "2^12 entries", "signed 12-bit"]);
    fixture.write("t1000", table(1000, 1000));
    fixture.write("big", "1010 5");
    fixture.call("encrypt --key k/client.key --bits 10 --input big --output c").ok();
    let line = "eval --key k/server.key --table t1000 --modulus 1000 --input c --output s";
    fixture.refuses(line, &["t1000:", "1000 entries", "unsigned 10-bit", "--modulus 1000"]);
    // Wide results of a narrow range, and narrow ones.
    fixture.write("t", table(512, 50_000));
    fixture.write("x", "0 511 77");
    fixture.call("run --params toy_int16 --table t --input x").ok();
    fixture.write("t", table(512, 2));
    fixture.call("run --params toy_int16 --table t --input x").ok();
}

/// Integers that one bootstrap does not take go through digits, whatever the table's size.
#[test]
fn tables_of_few_entries_on_long_integers() {
    let fixture = Fixture::new();
    fixture.call("keygen --params toy_int16 --out k").ok();
    for bits in [4u64, 6, 8] {
        let size = 1 << bits;
        fixture.write("t", table(size, size));
        fixture.write("x", format!("0 1 {}", size - 1));
        fixture.call(&format!("encrypt --key k/client.key --width {bits} --unsigned --input x --output c")).ok();
        fixture.call("eval --key k/server.key --table t --input c --output r").ok();
        let expected: String = [0, 1, size - 1].map(|x| format!("{}\n", (x * x + 1) * 7 % size)).concat();
        assert_eq!(fixture.call("decrypt --key k/client.key --input r").ok(), expected, "{bits} bits");
    }
}

#[test]
fn the_default_set_of_a_large_table() {
    let fixture = Fixture::new();
    fixture.write("t", table(4096, 4096));
    fixture.write("x", "77 4095");
    let report = fixture.call("run --table t --input x --pfail -64 --json").json();
    assert_eq!(report["correct"], true);
    assert!(report["log2_p_fail"].as_f64().expect("a number") <= -64.0 && report["security_bits"].is_number());
    let plan = fixture.call("plan --bits 12 --pfail -64 --json").json();
    assert_eq!(plan["choice"]["params"], report["params"]);
    assert_eq!(plan["choice"]["algorithm"], report["algorithm"]);
    for target in sampled([128, 64], 2) {
        let plan = fixture.call(&format!("plan --bits 16 --pfail -{target} --json")).json();
        assert_eq!(plan["choice"]["params"], format!("fhew_int16_2m{target}"));
        assert!(plan["choice"]["log2_p_fail"].as_f64() <= Some(-f64::from(target)), "{plan}");
    }
    let explained = fixture.call("plan --bits 9 --explain").ok();
    for word in ["tree-4", "tree-4-homfloor", "tree-4-difference", "the choice", "slower by", "refused"] {
        assert!(explained.contains(word), "no \"{word}\" in {explained}");
    }
    let keys = fixture.call("keygen --bits 12 --out k --json").json();
    assert!(keys["integer_bits"].as_u64() >= Some(12) && keys["additional_keys"] != "none", "{keys}");
}

#[test]
#[ignore = "minutes, and gigabytes of memory"]
fn tables_of_16_bits() {
    let fixture = Fixture::new();
    fixture.write("t", table(65_536, 65_536));
    fixture.write("x", "0 1 511 512 32767 32768 65024 65535");
    for target in [64, 128] {
        let report = fixture.call(&format!("run --table t --input x --pfail -{target} --json")).json();
        assert_eq!((&report["correct"], &report["bits"], &report["out_bits"]), (&true.into(), &16.into(), &16.into()));
        assert!(report["log2_p_fail"].as_f64() <= Some(-f64::from(target)), "{report}");
    }
}

#[test]
fn moduli() {
    let fixture = Fixture::new();
    for (p, q, params) in [(10u64, 10u64, "toy_4"), (100, 7, "toy_8"), (7, 7, "toy_4"), (1000, 1000, "toy_int16")] {
        fixture.write("t", table(p, q));
        let inputs = [0, 1, p / 2 - 1, p / 2, p / 2 + 1, p - 2, p - 1];
        fixture.write("x", inputs.map(|x| x.to_string()).join(" "));
        let expected: String = inputs.map(|x| format!("{}\n", (x * x + 1) * 7 % q)).concat();
        let form = if p == q { format!("--modulus {p}") } else { format!("--modulus {p} --out-modulus {q}") };
        let run = format!("run --params {params} --table t --input x {form}");
        let report = fixture.call(&format!("{run} --output r")).ok();
        assert!(report.contains(&format!("modulo-{p} inputs, modulo-{q} results")), "{report}");
        assert_eq!(fixture.read("r"), expected.as_bytes(), "{p}");
        let json = fixture.call(&format!("{run} --json")).json();
        assert_eq!((&json["modulus"], &json["out_modulus"]), (&p.into(), &q.into()));

        fixture.call(&format!("keygen --params {params} --out k{p}")).ok();
        fixture.call(&format!("encrypt --key k{p}/client.key --modulus {p} --input x --output c{p}")).ok();
        fixture.call(&format!("eval --key k{p}/server.key --table t {form} --input c{p} --output r{p}")).ok();
        assert_eq!(fixture.call(&format!("decrypt --key k{p}/client.key --input r{p}")).ok(), expected);
    }
    assert!(fixture.call("inspect c10").ok().contains("7, messages modulo 10"));
    let plan = fixture.call("plan --modulus 10 --json").json();
    assert_eq!((&plan["modulus"], &plan["bits"]), (&10.into(), &4.into()));
    assert!(plan["choice"]["algorithm"].is_string());
    // An output modulus may be a power of two.
    fixture.write("t", table(10, 8));
    fixture.write("x", "3 9");
    fixture.call("run --params toy_4 --table t --input x --modulus 10 --out-modulus 8").ok();
    // Three entries are two bits, but the set for them is too noisy.
    fixture.write("t", "1 2 0");
    fixture.write("x", "0 1 2");
    let json = fixture.call("run --engine fhew --table t --input x --modulus 3 --pfail -64 --json").json();
    assert_eq!(json["params"], "fhew_3bit_2m64");
}

#[test]
fn integers_of_two_ciphertexts() {
    let fixture = Fixture::new();
    let (left, right) = ([0i64, -1, 2_147_483_647, -2_147_483_648, 65_536], [5i64, 70_000, -3, 2_147_483_647, -65_536]);
    let list = |values: &[i64]| values.iter().map(|value| format!("{value}\n")).collect::<String>();
    fixture.write("x", list(&left));
    fixture.write("y", list(&right));
    let run = "run --params toy_int16 --width 32 --input x --output r";
    for (op, expected) in [
        ("relu", left.map(|x| x.max(0))),
        ("sign", left.map(|x| i64::from(x < 0))),
        ("abs", left.map(i64::abs)),
        ("floor:7", left.map(|x| x >> 7)),
        ("floor:20", left.map(|x| x >> 20)),
    ] {
        fixture.call(&format!("{run} --op {op}")).ok();
        assert_eq!(fixture.read("r"), list(&expected).as_bytes(), "{op}");
    }
    fixture.call(&format!("{run} --op less --input2 y")).ok();
    assert_eq!(fixture.read("r"), b"1\n1\n0\n1\n0\n");

    fixture.call("keygen --params toy_int16 --out k").ok();
    for (name, width) in [("x", 32), ("y", 32)] {
        let line = format!("encrypt --key k/client.key --width {width} --input {name} --output c{name}");
        assert!(fixture.call(&line).ok().contains("5 signed 32-bit integers in limbs of 16 and 16 bits"));
    }
    fixture.call("eval --key k/server.key --op max --width 32 --input cx --input2 cy --output r").ok();
    let max: Vec<i64> = left.iter().zip(right).map(|(&x, y)| x.max(y)).collect();
    assert_eq!(fixture.call("decrypt --key k/client.key --input r").ok(), list(&max));
    assert!(fixture.call("inspect r").ok().contains("5, signed 32-bit integers"));

    fixture.write("s", "1 2 3 4 5");
    for width in [16, 24] {
        fixture.call(&format!("encrypt --key k/client.key --width {width} --input s --output c{width}")).ok();
    }
    let eval = "eval --key k/server.key --output r --input cx";
    for (line, words) in [
        (format!("{eval} --op max --input2 c24"), &["c24:", "24-bit", "32-bit"][..]),
        (format!("{eval} --op max --input2 c16"), &["c16:", "16-bit", "32-bit"]),
        (format!("{eval} --op relu --width 24"), &["cx:", "32-bit", "--width is 24"]),
        (format!("{eval} --op floor:33"), &["floor:33", "1 to 32"]),
        (format!("{run} --op floor:33"), &["floor:33", "1 to 32"]),
        (
            format!("{eval} --table id.txt"),
            &["id.txt:", "in limbs of 16", "expected values encrypted with --width 4 --unsigned"],
        ),
        (
            "add --input cx --input2 cy --output sum".into(),
            &["32-bit", "integers in several ciphertexts each", "take bootes eval --op add and --op sub"],
        ),
    ] {
        fixture.refuses(&line, words);
    }
}

#[test]
fn bad_tables() {
    let fixture = Fixture::new();
    fixture.call("keygen --params toy_int16 --out k").ok();
    fixture.call("keygen --params toy_4 --out k4").ok();
    fixture.write("t512", table(512, 512));
    fixture.write("t10", table(10, 10));
    fixture.write("x", "0 9");
    for (line, output) in [("--bits 9", "c9"), ("--bits 10", "c10bits"), ("--modulus 10", "c10"), ("--width 9", "w9")] {
        fixture.call(&format!("encrypt --key k/client.key {line} --input x --output {output}")).ok();
    }
    fixture.write("out", "10");
    fixture.write("minus", "-1");
    let eval = "eval --key k/server.key --output r";
    let run = "run --input x --output r";
    for (line, words) in [
        (format!("{run} --table t10"), &["10 entries", "not a power of two", "--modulus 10"][..]),
        (format!("{run} --table t10 --bits 1"), &["10 entries", "--bits is 1: give --modulus 10 in place of it"]),
        (format!("{run} --table t10 --modulus 12"), &["10 entries", "--modulus is 12"]),
        (format!("{run} --table t10 --modulus 10 --out-modulus 5"), &["line 1", "7", "modulo 5"]),
        (format!("{run} --table t10 --out-modulus 5"), &["--modulus", "required"]),
        (format!("{run} --table t10 --modulus 1"), &["--modulus", "2 to 1048576"]),
        (format!("{run} --table t10 --modulus 1048577"), &["10 entries", "1048577"]),
        (format!("{run} --table t10 --modulus 10 --out-bits 2"), &["line 1", "7", "--out-bits 2"]),
        (format!("{run} --op relu --modulus 10"), &["--op", "--modulus"]),
        (format!("{run} --table t512 --params toy_4"), &["toy_4", "4-bit messages", "9 bits"]),
        (format!("{run} --table t512 --bits 8"), &["9-bit", "--bits is 8"]),
        (format!("{run} --table t512 --algorithm recursive"), &["t512:", "tree", "leave it out"]),
        (format!("{run} --table t10 --modulus 10 --params toy_4 --out-modulus 17"), &["toy_4", "5 bits"]),
        ("run --input out --output r --table t10 --modulus 10".into(), &["line 1", "10", "-9 to 9", "modulo-10"]),
        ("run --input minus --output r --table t512".into(), &["line 1", "-1", "0 to 511"]),
        (format!("{eval} --table t512 --input c10bits"), &["t512:", "2^9 entries", "10-bit integers", "--bits 9"]),
        (format!("{eval} --table t512 --input c10"), &["t512:", "modulo 10", "--bits 9"]),
        (format!("{eval} --table t10 --modulus 10 --input c9"), &["t10:", "10 entries", "9-bit", "--modulus 10"]),
        (format!("{eval} --table t512 --input w9 --algorithm boot"), &["t512:", "leave it out"]),
        (format!("{eval} --op relu --input c10"), &["c10:", "modulo 10", "--width"]),
        ("encrypt --key k/client.key --bits 17 --input x --output c".into(), &["toy_int16", "16-bit", "17 bits"]),
        ("encrypt --key k4/client.key --bits 9 --input x --output c".into(), &["toy_4", "4-bit", "9 bits"]),
        ("encrypt --key k4/client.key --modulus 17 --input x --output c".into(), &["toy_4", "4-bit", "5 bits"]),
        ("encrypt --key k/client.key --modulus 9 --input x --output c".into(), &["line 1", "9", "-8 to 8"]),
        ("encrypt --key k/client.key --modulus 10 --bits 4 --input x --output c".into(), &["--modulus", "--bits"]),
        ("keygen --bits 21 --out d".into(), &["--bits", "1 to 20"]),
        ("keygen --engine fhew --bits 17 --out d".into(), &["1 to 16 bits", "17", "ckks"]),
        ("plan --bits 16 --memory 0.01".into(), &["at most 0.01 GB", "is enough"]),
    ] {
        fixture.refuses(&line, words);
    }
    // Whether results may have more bits than messages is for their noise to tell.
    let run = "run --table t10 --modulus 10 --out-modulus 100 --params toy_int16 --input x --json";
    assert_eq!(fixture.call(run).json()["correct"], true);
}

#[test]
fn tables_of_several_values() {
    let fixture = Fixture::new();
    fixture.call("keygen --params toy_4 --out k").ok();
    // Row by row: 3x + y modulo 16.
    fixture.write("f", "0 1 2 3\n3 4 5 6\n6 7 8 9\n9 10 11 12\n");
    for (name, values) in [("x", "0 1 2 3"), ("y", "3 3 0 1"), ("one", "1")] {
        fixture.write(name, values);
        fixture.call(&format!("encrypt --key k/client.key --bits 2 --input {name} --output {name}.ct")).ok();
    }
    for second in ["--input", "--input2"] {
        let eval = format!("eval --key k/server.key --table f --input x.ct {second} y.ct --output r");
        let printed = fixture.call(&format!("{eval} --json")).json();
        assert_eq!(printed["sizes"], serde_json::json!([4, 4]));
        assert_eq!(fixture.values("k/client.key", "r"), [3, 6, 6, 10]);
    }
    let eval = "eval --key k/server.key --output r --input x.ct";
    fixture.refuses(&format!("{eval} --table f --input one.ct"), &["one.ct: it holds 1 value, and x.ct holds 4"]);
    let three = format!("{eval} --table f --input x.ct --input y.ct");
    fixture.refuses(&three, &["f: the table has 16 entries, and there are 4*4*4 = 64 combinations"]);
    fixture.refuses(&format!("{eval} --table f --table f --output s --input y.ct"), &["give them one by one"]);
    fixture.refuses(&format!("{eval} --table f --algorithm recursive --input y.ct"), &["leave it out"]);
}
