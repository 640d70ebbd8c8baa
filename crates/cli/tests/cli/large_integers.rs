//! Functions of large integers: what works, and what is refused.

use crate::fixture::Fixture;

const LEFT: [i64; 8] = [0, 1, -1, 32_767, -32_768, 300, -301, 12_345];
const RIGHT: [i64; 8] = [0, -1, 1, -32_768, 32_767, 301, -300, 12_345];

fn list(values: &[i64]) -> String {
    values.iter().map(|value| format!("{value}\n")).collect()
}

/// `x` and `y`, 16-bit operands.
fn operands(fixture: &Fixture) {
    fixture.write("x", list(&LEFT));
    fixture.write("y", list(&RIGHT));
}

/// Also keys `i/client.key` and `i/server.key`, and the operands encrypted as `cx` and `cy`.
fn with_keys() -> Fixture {
    let fixture = Fixture::new();
    operands(&fixture);
    fixture.call("keygen --params toy_int16 --out i").ok();
    for name in ["x", "y"] {
        let line = format!("encrypt --key i/client.key --width 16 --input {name} --output c{name}");
        assert!(fixture.call(&line).ok().contains("8 signed 16-bit integers"));
    }
    fixture
}

#[test]
fn the_whole_job() {
    let fixture = Fixture::new();
    operands(&fixture);
    let job = "run --params toy_int16 --width 16 --threads 2 --input x";
    for (op, expected) in [
        ("relu", LEFT.map(|x| x.max(0))),
        ("sign", LEFT.map(|x| i64::from(x < 0))),
        ("abs", LEFT.map(i64::abs)),
        ("floor:3", LEFT.map(|x| x >> 3)),
    ] {
        let report = fixture.call(&format!("{job} --op {op} --output r")).ok();
        assert!(report.contains("right: all 8 values agree with plain integers"), "{report}");
        assert!(report.contains(&format!("{op}(-1)")) && report.contains("toy_int16"), "{report}");
        assert_eq!(fixture.read("r"), list(&expected).as_bytes(), "{op}");
    }
    let pairs = LEFT.into_iter().zip(RIGHT);
    for (op, expected) in [
        ("max", pairs.clone().map(|(x, y)| x.max(y)).collect::<Vec<_>>()),
        ("min", pairs.clone().map(|(x, y)| x.min(y)).collect()),
        ("less", pairs.map(|(x, y)| i64::from(x < y)).collect()),
    ] {
        let report = fixture.call(&format!("{job} --input2 y --op {op} --output r --json")).json();
        assert_eq!((&report["correct"], &report["op"]), (&true.into(), &op.into()), "{report}");
        assert_eq!((&report["width"], &report["bits"]), (&16.into(), &17.into()));
        for key in ["algorithm", "plan", "eval_s", "per_value_ms", "server_key_bytes", "peak_rss_bytes", "isa"] {
            assert!(report.get(key).is_some(), "no {key} in {report}");
        }
        assert_eq!(fixture.read("r"), list(&expected).as_bytes(), "{op}");
    }
    // Without a sign.
    fixture.write("u", "0 65535 32768 4");
    fixture.write("v", "1 65534 65535 4");
    let line = "run --params toy_int16 --width 16 --unsigned --input u --input2 v --op max --output r";
    assert!(fixture.call(line).ok().contains("max of unsigned 16-bit integers"));
    assert_eq!(fixture.read("r"), b"1\n65535\n65535\n4\n");
}

#[test]
fn the_default_set_for_a_width() {
    let fixture = Fixture::new();
    fixture.write("x", "-5 7");
    let line = "run --op relu --width 9 --pfail -64 --input x --output r --json";
    let report = fixture.call(line).json();
    assert_eq!((&report["correct"], &report["params"]), (&true.into(), &"fhew_int16_2m64".into()));
    assert!(report["log2_p_fail"].as_f64().expect("a number") <= -64.0);
    assert_eq!(fixture.read("r"), b"0\n7\n");
    let keys = fixture.call("keygen --width 12 --out k --json").json();
    assert_eq!((&keys["params"], &keys["integer_bits"]), (&"fhew_int16_2m128".into(), &16.into()));
    assert!(fixture.call("params").ok().contains("integers"));
}

#[test]
fn client_and_server_by_files() {
    let fixture = with_keys();
    let eval = "eval --key i/server.key --threads 2 --output r --input cx";
    let report = fixture.call(&format!("{eval} --input2 cy --op max --width 16")).ok();
    assert!(
        report.contains("8 results (signed 16-bit integers)") && report.contains("max (16-bit integers"),
        "{report}"
    );
    let max = list(&LEFT.iter().zip(RIGHT).map(|(&x, y)| x.max(y)).collect::<Vec<_>>());
    assert_eq!(fixture.call("decrypt --key i/client.key --input r").ok(), max);
    // Results are operands, and have a sign.
    let json = fixture.call("eval --key i/server.key --output s --input r --op floor:2 --json").json();
    assert_eq!((&json["op"], &json["width"], &json["out_bits"]), (&"floor:2".into(), &16.into(), &15.into()));
    let values = fixture.call("decrypt --key i/client.key --input s --json").json();
    let floor: Vec<i64> = LEFT.iter().zip(RIGHT).map(|(&x, y)| x.max(y) >> 2).collect();
    assert_eq!((&values["values"], &values["integers"]), (&serde_json::json!(floor), &true.into()));
    assert!(fixture.call("inspect cx").ok().contains("8, signed 16-bit integers"));
    assert!(fixture.call("inspect i/server.key").ok().contains("additional keys"));
    // Tables, with the same keys.
    fixture.call("encrypt --key i/client.key --bits 4 --input in.txt --output c").ok();
    fixture.call("eval --key i/server.key --table rev.txt --input c --output r").ok();
    assert!(fixture.call("decrypt --key i/client.key --input r").ok().starts_with("15\n14\n"));
}

#[test]
fn the_caller_says_whether_there_is_a_sign() {
    let fixture = Fixture::new();
    fixture.write("x", "40000 7");
    fixture.write("y", "-30000 7");
    fixture.write("z", "32768 65535");
    let run = "run --params toy_int16 --width 16";
    for op in ["max", "less"] {
        let line = format!("{run} --op {op} --input x --input2 y --output r");
        fixture.refuses(&line, &["x:", "line 1: 40000", "-32768 to 32767 of signed", "--unsigned"]);
        fixture
            .refuses(&format!("{line} --unsigned"), &["y:", "line 1: -30000", "0 to 65535 of unsigned", "--unsigned"]);
    }
    fixture.refuses("run --unsigned --table id.txt --input in.txt --output r", &["--unsigned goes with --op"]);
    // Under keys, too: the files say.
    fixture.call("keygen --params toy_int16 --out i").ok();
    for (name, options) in [("x", "--width 16 --unsigned"), ("y", "--width 16"), ("z", "--width 16 --unsigned")] {
        fixture.call(&format!("encrypt --key i/client.key {options} --input {name} --output c{name}")).ok();
    }
    assert!(fixture.call("inspect cx").ok().contains("2, unsigned 16-bit integers"));
    let inspected = fixture.call("inspect cy --json").json();
    assert_eq!((&inspected["integers"], &inspected["range"]), (&true.into(), &serde_json::json!([-32_768, 32_767])));
    let eval = "eval --key i/server.key --output r --input cx";
    fixture
        .refuses(&format!("{eval} --op max --input2 cy"), &["max", "0 to 65535 and from -32768", "--expr 'max(x, y)'"]);
    fixture.call(&format!("{eval} --op max --input2 cz")).ok();
    assert_eq!(fixture.call("decrypt --key i/client.key --input r").ok(), "40000\n65535\n");
    // |x| of integers with a sign is one without.
    fixture.call("eval --key i/server.key --output a --input cy --op abs").ok();
    fixture.call("eval --key i/server.key --output r --input a --op less --input2 cx").ok();
    assert_eq!(fixture.call("decrypt --key i/client.key --input r").ok(), "1\n0\n");
    fixture.refuses("eval --key i/server.key --output r --input a --op less --input2 cy", &["less", "0 to 32768"]);
}

/// The reference of `run` is mathematics: ⌊−1/2^8⌋ is −1, and so is the result.
#[test]
fn a_floor_by_the_whole_width() {
    let fixture = Fixture::new();
    fixture.write("x", "-1 0 127 -128");
    let report = fixture.call("run --params toy_int16 --op floor:8 --width 8 --input x --output r").ok();
    assert!(report.contains("right: all 4 values agree with plain integers (floor:8(-1) = -1"), "{report}");
    assert_eq!(fixture.read("r"), b"-1\n0\n0\n-1\n");
}

#[test]
fn keys_for_an_algorithm() {
    let fixture = Fixture::new();
    // `run` makes what the algorithm needs.
    for name in ["cancel-sign", "fdfb-ks"] {
        let line = format!("run --params toy_4 --table rev.txt --input in.txt --algorithm {name} --json");
        let report = fixture.call(&line).json();
        assert_eq!((&report["correct"], &report["algorithm"]), (&true.into(), &name.into()));
    }
    fixture.call("keygen --params toy_4 --out k").ok();
    fixture.call("encrypt --key k/client.key --input in.txt --output c").ok();
    let eval = "eval --table rev.txt --algorithm cancel-sign --output r";
    fixture
        .refuses(&format!("{eval} --key k/server.key --input c"), &["cancel-sign", "keygen --algorithm cancel-sign"]);
    let report = fixture.call("keygen --params toy_4 --algorithm cancel-sign --out a").ok();
    assert!(report.contains("packing"), "{report}");
    assert!(fixture.read("a/server.key").len() > fixture.read("k/server.key").len());
    fixture.call("encrypt --key a/client.key --input in.txt --output c").ok();
    fixture.call(&format!("{eval} --key a/server.key --input c")).ok();
    assert!(fixture.call("decrypt --key a/client.key --input r").ok().starts_with("15\n14\n"));
    fixture
        .refuses("keygen --params toy_4 --algorithm cancelsign --out b", &["cancelsign", "did you mean cancel-sign"]);
}

/// What the library mends by functions of its own has a cure in options here.
#[test]
fn refusals_name_options() {
    let fixture = with_keys();
    fixture.write("bit", "0 1");
    fixture.write("small", "0 1 2 3 4 5 6 7");
    fixture.call("encrypt --key i/client.key --bits 3 --input small --output csmall").ok();
    fixture.call("eval --key i/server.key --op less --input cx --input2 cy --output less").ok();
    for (line, words) in [
        ("add --input less --input2 less --output z", &["0 to 2", "room for 2^1", "--expr 'x + y'"][..]),
        ("eval --key i/server.key --op relu --input less --output z", &["relu", "0 and 1 alone", "--expr 'relu(x)'"]),
        ("eval --key i/server.key --op floor:1 --input less --output z", &["floor:1", "--expr 'shr(x, 1)'"]),
        ("linear --weights 3 --input cx --output z", &["-98304 to 98301", "--expr '3*x - 4*y + 5'"]),
        ("add --input csmall --input2 cx --output z", &["sum of 3-bit messages and signed 16-bit", "--width"]),
    ] {
        let message = fixture.call(line).refusal();
        assert!(words.iter().all(|word| message.contains(word)) && !message.contains("::"), "{line}: {message}");
    }
    // A table gives answers room.
    fixture.call("eval --key i/server.key --table bit --out-bits 4 --input less --output room").ok();
    fixture.call("add --input room --input2 room --output twice").ok();
    assert_eq!(fixture.call("decrypt --key i/client.key --input twice").ok(), list(&[0, 0, 2, 0, 2, 2, 2, 0]));
}

#[test]
fn answers_and_floors_in_sums() {
    let fixture = Fixture::new();
    for (name, text) in [("x", "3 -100"), ("y", "4 -101"), ("t", "0 100"), ("one", "0 1"), ("big", "0 511")] {
        fixture.write(name, text);
    }
    fixture.call("keygen --params toy_int16 --out i").ok();
    for name in ["x", "y"] {
        fixture.call(&format!("encrypt --key i/client.key --width 8 --input {name} --output c{name}")).ok();
    }
    let decrypted = |name: &str| fixture.call(&format!("decrypt --key i/client.key --input {name}")).ok();
    fixture.call("eval --key i/server.key --op less --input cx --input2 cy --output less").ok();
    fixture.call("eval --key i/server.key --table t --input less --output hundred").ok();
    assert_eq!(decrypted("hundred"), "100\n0\n");
    fixture.call("eval --key i/server.key --table one --out-bits 9 --input less --output wide").ok();
    fixture.call("linear --weights 100,1 --input wide --input cx --output r").ok();
    assert_eq!(decrypted("r"), "103\n-100\n");
    fixture.call("linear --weights 100 --constant -50 --input wide --output r").ok();
    assert_eq!(decrypted("r"), "50\n-50\n");
    fixture.call("eval --key i/server.key --op floor:4 --input cx --output f").ok();
    for line in ["--weights 1,-16 --input cx --input f", "--weights -16,1 --input f --input cx"] {
        fixture.call(&format!("linear {line} --output r")).ok();
        assert_eq!(decrypted("r"), "3\n12\n");
    }
    // An image of any size.
    let run = "run --params toy_int16 --table big --input one --output r";
    assert!(fixture.call(run).ok().contains("right: all 2 values"));
    assert_eq!(fixture.read("r"), b"0\n511\n");
}

#[test]
fn tables_of_sums_and_of_negative_integers() {
    let fixture = Fixture::new();
    let list = |range: std::ops::Range<u32>| range.map(|x| format!("{x}\n")).collect::<String>();
    for (name, text) in
        [("zero", "0".into()), ("one", "1".into()), ("t", list(0..1024)), ("t8", list(0..8)), ("n", "-1".into())]
    {
        fixture.write(name, text);
    }
    fixture.call("keygen --params toy_int16 --out i").ok();
    let encrypt = |options: &str| {
        for name in ["zero", "one"] {
            let line = format!("encrypt --key i/client.key {options} --unsigned --input {name} --output c{name}");
            fixture.call(&line).ok();
        }
        fixture.call("add --input czero --input2 cone --output sum").ok();
    };
    let eval = "eval --key i/server.key --table t --input sum --output r";
    // With and without the room that digits take.
    for room in ["--width 9", "--width 10 --within 9"] {
        encrypt(room);
        fixture.call(eval).ok();
        assert_eq!(fixture.call("decrypt --key i/client.key --input r").ok(), "1\n", "{room}");
    }
    fixture.call("encrypt --key i/client.key --width 3 --input n --output cn").ok();
    let line = "eval --key i/server.key --table t8 --input cn --output r";
    fixture.refuses(line, &["negative", "--unsigned", "--constant"]);
    fixture.call("linear --weights 1 --constant 4 --input cn --output cn4").ok();
    fixture.call("eval --key i/server.key --table t8 --input cn4 --output r").ok();
    assert_eq!(fixture.call("decrypt --key i/client.key --input r").ok(), "3\n");
}

#[test]
fn bad_functions_and_operands() {
    let fixture = with_keys();
    fixture.call("keygen --params toy_4 --out k").ok();
    fixture.call("encrypt --key k/client.key --input in.txt --output c").ok();
    fixture.call("encrypt --key i/client.key --width 12 --input in.txt --output c12").ok();
    fixture.write("short", "1 2");
    fixture.call("encrypt --key i/client.key --width 16 --input short --output cshort").ok();
    fixture.call("keygen --params toy_int16 --out other").ok();
    fixture.call("encrypt --key other/client.key --width 16 --input y --output cother").ok();
    fixture.call("encrypt --key i/client.key --bits 3 --input short --output c3").ok();
    let run = "run --params toy_int16 --output r --input x";
    let eval = "eval --key i/server.key --output r --input cx";
    for (line, words) in [
        (format!("{run} --width 16 --op rleu"), &["rleu", "did you mean relu", "floor:K"][..]),
        (format!("{run} --width 16 --op floor"), &["floor", "did you mean floor:K"]),
        (format!("{run} --width 16 --op floor:x"), &["floor:x", "K a number"]),
        (format!("{run} --width 16 --op floor:17"), &["floor:17", "1 to 16"]),
        (format!("{run} --width 16 --op floor:0"), &["floor:0", "1 to 16"]),
        (format!("{run} --width 16 --op max"), &["max", "--input2"]),
        (format!("{run} --width 16 --op relu --input2 y"), &["y:", "relu", "one operand"]),
        (format!("{run} --op relu"), &["relu", "--width"]),
        (format!("{run} --width 65 --op relu"), &["--width", "'65'", "1 to 64"]),
        (format!("{run} --width 0 --op relu"), &["--width", "'0'", "1 to 64"]),
        (format!("{run} --width 16 --op relu --table id.txt"), &["--op", "--table", "cannot be used"]),
        (format!("{run} --width 16 --op relu --bits 4"), &["--width", "--bits"]),
        (format!("{run} --width 16 --op relu --algorithm boot"), &["--op", "--algorithm"]),
        (format!("{run} --width 16 --op relu --bytes"), &["--op", "--bytes"]),
        (format!("{run} --width 12 --op relu"), &["x:", "line 4", "32767", "-2048 to 2047"]),
        (format!("{run} --width 16 --op max --input2 short"), &["short:", "2 integers", "8"]),
        (format!("{run} --width 16 --op max --input2 none"), &["none", "no such file"]),
        ("run --params toy_int16 --width 4 --table id.txt --input in.txt".to_string(), &["--width", "--table"]),
        (
            "run --params toy_int16 --input2 y --table id.txt --input in.txt".to_string(),
            &["in.txt:", "0 to 3 of 2-bit"],
        ),
        ("run --input x".to_string(), &["--table", "--op"]),
        (format!("{eval} --op max"), &["max", "--input2"]),
        (format!("{eval} --op relu --input2 cy"), &["cy:", "one operand"]),
        (format!("{eval} --op relu --width 12"), &["cx:", "16-bit integers", "--width is 12"]),
        (format!("{eval} --op floor:17"), &["floor:17", "1 to 16"]),
        (format!("{eval} --op max --input2 c12"), &["c12:", "12-bit", "16-bit"]),
        (format!("{eval} --op max --input2 cshort"), &["cshort:", "2 values", "cx holds 8"]),
        (format!("{eval} --op max --input2 cother"), &["cother:", "another key"]),
        (format!("{eval} --op max --input2 c3"), &["c3:", "3-bit messages", "--width"]),
        (format!("{eval} --op max --input2 c"), &["c:", "4-bit messages", "--width"]),
        (format!("{eval} --op relu --table id.txt"), &["--op", "--table"]),
        (format!("{eval} --table id.txt --input2 cy"), &["id.txt:", "16 entries", "32768*32768"]),
        (format!("{eval} --table id.txt"), &["id.txt", "2^4 entries", "16-bit integers", "--width 4 --unsigned"]),
        (format!("{eval} --table id.txt --width 4"), &["--width", "--table"]),
        ("encrypt --key i/client.key --width 65 --input in.txt --output r".to_string(), &["--width", "1 to 64"]),
        ("encrypt --key i/client.key --width 4 --bits 4 --input in.txt --output r".to_string(), &["--width", "--bits"]),
        ("encrypt --key i/client.key --width 8 --input x --output r".to_string(), &["x:", "line 4", "-128 to 127"]),
        ("keygen --width 65 --out d".to_string(), &["--width", "1 to 64"]),
        ("keygen --width 8 --bits 8 --out d".to_string(), &["--width", "--bits"]),
        ("keygen --width 64 --params toy_4_binary --out d".to_string(), &["toy_4_binary", "64 bits are asked for"]),
    ] {
        fixture.refuses(&line, words);
    }
}

/// Tables on integers in limbs that have an entry for each are evaluated, and others refused with what does the same.
#[test]
fn tables_of_integers_in_limbs() {
    let fixture = with_keys();
    fixture.write("v", "1\n3\n0\n");
    fixture.write("t", (0..16).map(|i| format!("{}\n", 15 - i)).collect::<String>());
    let encrypt = "encrypt --key i/client.key --input v --output v.ct --unsigned --width";
    let table = "eval --key i/server.key --input v.ct --output r.ct --table";
    fixture.call(&format!("{encrypt} 64")).ok();
    fixture.refuses(&format!("{table} t"), &["--width 4 --unsigned"]);
    fixture.call(&format!("{encrypt} 64 --within 4")).ok();
    fixture.call(&format!("{table} f=t --expr f(x)")).ok();
    assert_eq!(fixture.values("i/client.key", "r.ct"), [14, 12, 15]);
    fixture.call(&format!("{table} t")).ok();
    assert_eq!(fixture.values("i/client.key", "r.ct"), [14, 12, 15]);
    fixture.call(&format!("{encrypt} 4")).ok();
    fixture.call(&format!("{table} t")).ok();
    assert_eq!(fixture.values("i/client.key", "r.ct"), [14, 12, 15]);
}
