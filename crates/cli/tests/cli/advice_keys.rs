//! Advice on values that keys do not hold: followed, with those keys or others as it says, it gives what plain integers
//! give.

use crate::fixture::Fixture;
use bootes_testkit::sampled;

/// A table with these entries as text.
fn entries(count: i64, of: impl Fn(i64) -> i64) -> String {
    (0..count).map(|i| of(i).to_string()).collect::<Vec<_>>().join(" ")
}

#[test]
fn inputs_of_tables_that_keys_hold_as_integers_alone() {
    let fixture = Fixture::keys_of("toy_int16");
    fixture.encrypted("x", "0 1 1", "--width 9 --unsigned");
    let eval = "eval --key k/server.key --table t --input x.ct --output r";
    // Residues have up to 4 bits here, and longer messages are integers. Integers stay integers.
    let others = ["--bits 3", "--width 9 --unsigned", "--width 8", "--width 20"];
    for (of, values, refused, expected) in [
        (entries(256, |i| 255 - i), "--width 8 --unsigned", &others[..], [255, 254, 254]),
        (entries(32, |i| 2 * i), "--width 5 --unsigned", &others, [0, 2, 2]),
        (entries(2, |i| 255 * i), "--width 1 --unsigned", &others, [0, 255, 255]),
        (entries(16, |i| 15 - i), "--width 4 --unsigned", &others[1..], [15, 14, 14]),
        (entries(16, |i| 15 - i), "--bits 4", &others[..1], [15, 14, 14]),
    ] {
        fixture.write("t", of);
        let messages = values.replace("--width", "--bits").replace(" --unsigned", "");
        for options in refused {
            let cure = if options.starts_with("--bits") { &messages } else { values };
            fixture.encrypted("x", "0 1 1", options);
            fixture.refuses(eval, &[&format!("values encrypted with {cure}")]);
        }
        for values in [values, &messages] {
            fixture.encrypted("x", "0 1 1", values);
            fixture.call(eval).ok();
            assert_eq!(fixture.values("k/client.key", "r"), expected, "{values}");
        }
    }
    fixture.write("t", entries(100, |i| 99 - i));
    let eval = format!("{eval} --modulus 100");
    for options in others {
        fixture.encrypted("x", "0 1 1", options);
        fixture.refuses(&eval, &["values encrypted with --modulus 100"]);
    }
    fixture.encrypted("x", "0 1 1", "--modulus 100");
    fixture.call(&eval).ok();
    assert_eq!(fixture.values("k/client.key", "r"), [99, 98, 98]);
    // What takes other keys, with more bits than these.
    fixture.call("keygen --params toy_4 --out k --force").ok();
    fixture.encrypted("x", "0 1 1", "--bits 3");
    fixture.refuses(&eval, &["other keys (bootes keygen --bits 7) and values encrypted with --modulus 100"]);
    fixture.call("keygen --params toy_8 --out k --force").ok();
    fixture.encrypted("x", "0 1 1", "--modulus 100");
    fixture.call(&eval).ok();
    assert_eq!(fixture.values("k/client.key", "r"), [99, 98, 98]);
}

#[test]
fn results_of_tables_that_keys_do_not_hold() {
    let fixture = Fixture::new();
    fixture.write("t", "300 7");
    // Other keys of which residues have as many bits, and such of the other engine.
    for (set, options, keys, other) in [
        ("toy_4", "", "make other keys with bootes keygen --bits 9", "toy_int16"),
        ("toy_8", "", "make other keys with bootes keygen --bits 9", "toy_int16"),
        (
            "toy_int16",
            "--out-bits 18",
            "take keys of bootes keygen --engine ckks --bits 18, and inputs encrypted with --bits",
            "toy_batch_4bit",
        ),
    ] {
        let eval = format!("eval --key k/server.key --table t {options} --input x.ct --output r");
        fixture.call(&format!("keygen --params {set} --out k --force")).ok();
        fixture.encrypted("x", "0 1 1", "--bits 1");
        fixture.refuses(&eval, &[keys]);
        fixture.call(&format!("keygen --params {other} --out k --force")).ok();
        fixture.encrypted("x", "0 1 1", "--bits 1");
        fixture.call(&eval).ok();
        assert_eq!(fixture.values("k/client.key", "r"), [300, 7, 7], "{set}");
    }
    // As integers, whose results may be longer.
    fixture.call("keygen --params toy_int16 --out k --force").ok();
    let eval = "eval --key k/server.key --table t --out-bits 18 --input x.ct --output r";
    fixture.encrypted("x", "0 1 1", "--bits 1");
    fixture.refuses(eval, &["or of bootes keygen --width W, and inputs encrypted with --width W --unsigned"]);
    fixture.encrypted("x", "0 1 1", "--width 1 --unsigned");
    fixture.call(eval).ok();
    assert_eq!(fixture.values("k/client.key", "r"), [300, 7, 7]);
}

#[test]
fn functions_of_integers_on_results_modulo_p() {
    let fixture = Fixture::keys_of("toy_8");
    fixture.encrypted("x", "1 2 99", "--modulus 100");
    fixture.table(&entries(100, |i| 99 - i), "--modulus 100", "x.ct", "t");
    let min = "eval --key k/server.key --op min --input t --input2 x.ct --output r";
    let words =
        "with --width 7 --unsigned; tables with an entry for each such integer, without --modulus, give integers";
    fixture
        .refuses(min, &["take other keys (bootes keygen --width 7) and encrypt them, or what they come from", words]);
    fixture.call("keygen --params toy_int16 --out k --force").ok();
    fixture.encrypted("x", "1 2 9", "--modulus 10");
    fixture.table(&entries(10, |i| 9 - i), "--modulus 10", "x.ct", "t");
    fixture.refuses(min, &["large integers: encrypt them, or what they come from, with --width 4 --unsigned; tables"]);
    let floor = "eval --key k/server.key --op floor:6 --input x.ct --output r";
    fixture
        .refuses(floor, &["large integers: encrypt them, or what they come from, with --width 6 --unsigned; tables"]);
    fixture.encrypted("x", "1 2 9", "--width 6 --unsigned");
    fixture.call(floor).ok();
    fixture.encrypted("x", "1 2 99", "--width 7 --unsigned");
    fixture.table(&entries(128, |i| (99 - i).max(0)), "", "x.ct", "t");
    fixture.call(min).ok();
    assert_eq!(fixture.values("k/client.key", "r"), [1, 2, 0]);
}

#[test]
fn numbers_that_are_no_integers() {
    let fixture = Fixture::keys_of("toy_int16");
    let encrypt = |options: &str| format!("encrypt --key k/client.key --input x --output x.ct {options}");
    for (text, options) in [("1.5 -2", "--bits 4"), ("1.5 -2", "--width 8"), ("a\n1.5\n-2\n", "--bits 4 --column a")] {
        fixture.write("x", text);
        let refusal = fixture.call(&encrypt(options)).refusal();
        assert!(refusal.ends_with("\"1.5\" is not an integer: round it, or scale all of them by one factor first"));
    }
    fixture.encrypted("x", "15 -20", "--width 8");
    assert_eq!(fixture.values("k/client.key", "x.ct"), [15, -20]);
    // A list is not the bytes of its file, whatever is in it.
    for (text, words) in [("3 300", "correct the value, or take --width 9"), ("3 -1", "or leave out --unsigned")] {
        fixture.write("x", text);
        let refusal = fixture.call(&encrypt("--width 8 --unsigned")).refusal();
        assert!(refusal.ends_with(words), "{refusal}");
    }
    fixture.write("x", "ab");
    fixture.refuses(&encrypt("--width 8 --unsigned"), &["or --bytes to take the bytes of the file as the values"]);
    fixture.call(&encrypt("--width 8 --unsigned --bytes")).ok();
    assert_eq!(fixture.values("k/client.key", "x.ct"), [97, 98]);
    // Those outside have a width.
    fixture.write("x", "15 -20");
    fixture.refuses(&encrypt("--bits 4"), &["is outside the domain", "correct the value, or take --width 6"]);
}

/// The fewest bits that hold a value, of text and of columns.
#[test]
fn values_that_messages_do_not_hold() {
    let fixture = Fixture::new();
    for (set, value, options, cure) in [
        ("toy_int16", 9, "--bits 3", "--bits 4"),
        ("toy_int16", 300, "--bits 3", "--width 9 --unsigned"),
        ("toy_int16", 70_000, "--bits 4", "--width 17 --unsigned"),
        ("toy_int16", -1, "--bits 4", "--width 5"),
        ("toy_int16", 10, "--modulus 10", "--width 4 --unsigned"),
        ("toy_int16", -200, "--width 8", "--width 9"),
        ("toy_int16", 200, "--width 8 --within 7", "--within 9"),
        ("toy_int16", 300, "--width 8 --within 7", "--width 9 --within 10"),
        ("toy_batch_integers", 9, "--bits 3", "--bits 4"),
        ("toy_batch_integers", -9, "--bits 3", "--width 5"),
    ] {
        fixture.call(&format!("keygen --params {set} --out k --force")).ok();
        fixture.write("x", value.to_string());
        fixture.write("x.csv", format!("n,a\n1,{value}\n"));
        for input in ["x", "x.csv --column a"] {
            let encrypt = |options: &str| {
                fixture.call(&format!("encrypt --key k/client.key --input {input} --output x.ct {options}"))
            };
            let refusal = encrypt(options).refusal();
            let (said, words) = (refusal.split("correct the value").nth(1), format!(", or take {cure}"));
            let is_said = said.is_some_and(|said| format!("{said},").contains(&format!("{words},")));
            assert!(is_said, "{input} {options}, {cure}: {refusal}");
            let cure = if cure.starts_with("--within") { format!("--width 8 {cure}") } else { cure.into() };
            encrypt(&cure).ok();
            assert_eq!(fixture.values("k/client.key", "x.ct"), [value], "{cure}");
        }
    }
    // What these keys hold nowhere.
    for (value, bits) in [(9, 4), (300, 9)] {
        fixture.call("keygen --params toy_4_binary --out k --force").ok();
        fixture.write("x", value.to_string());
        let encrypt = |bits: u32| format!("encrypt --key k/client.key --input x --output x.ct --bits {bits}");
        let other = format!("make keys with bootes keygen --bits {bits}, and take --bits {bits}");
        fixture.refuses(&encrypt(3), &[if bits > 4 { &other } else { "or take --bits 4" }]);
        fixture.call(&format!("keygen --bits {bits} --pfail -64 --out k --force")).ok();
        fixture.call(&encrypt(bits)).ok();
    }
}

#[test]
fn ranges_that_have_no_room_in_their_width() {
    let fixture = Fixture::keys_of("toy_int16");
    fixture.write("x", "15 0");
    for (options, width) in [("--within 10", 9), ("--within 9 --unsigned", 9), ("--within 16 --unsigned", 16)] {
        let encrypt =
            |width: u32| format!("encrypt --key k/client.key --input x --output x.ct --width {width} {options}");
        let words = format!("is more than --width 8 has room for: give --width {width}, more for sums of them, or");
        fixture.refuses(&encrypt(8), &[&words, "or --within 8"]);
        fixture.call(&encrypt(width)).ok();
        assert_eq!(fixture.values("k/client.key", "x.ct"), [15, 0]);
        fixture.call(&encrypt(8).replace(options, "--within 8")).ok();
    }
}

#[test]
fn sets_that_fail_more_often_than_asked_for() {
    let fixture = Fixture::new();
    for (line, set, other) in [
        ("plan --bits 4", "toy_4", "fhew_4bit_2m128"),
        ("plan --bits 4 --engine fhew", "toy_8", "fhew_8bit_2m128"),
        ("plan --bits 4 --json", "wide_4bit_q100", "fhew_4bit_2m128"),
        ("keygen --out k", "toy_int16", "fhew_int16_2m128"),
        ("run --table id.txt --input in.txt", "toy_4", "fhew_4bit_2m128"),
    ] {
        let words = format!("more than the 2^-128 of --pfail: take --params {other}, or leave --pfail out");
        let line = format!("{line} --params");
        fixture.refuses(&format!("{line} {set} --pfail -128"), &[&format!("the parameters {set} fail with"), &words]);
        fixture.call(&format!("{line} {set}")).ok();
        if line.starts_with("plan") {
            fixture.call(&format!("{line} {other} --pfail -128")).ok();
        }
    }
}

#[test]
fn values_that_no_table_has_are_vectors_or_integers() {
    let fixture = Fixture::new();
    fixture.write("x.txt", "5 9");
    let followed = |keygen: &str, values: &str| {
        fixture.call(&format!("{} --out n --force", keygen.strip_prefix("bootes ").unwrap_or(keygen))).ok();
        fixture.call(&format!("encrypt --key n/client.key --input x.txt --output e {values}")).ok();
        assert_eq!(fixture.values("n/client.key", "e"), [5, 9], "{keygen} {values}");
    };
    let named = |line: &str, before: &str| {
        let (_, rest) = line.split_once(before).unwrap_or_else(|| panic!("{line}"));
        rest.split([',', ';']).next().unwrap_or_default().trim().to_string()
    };
    for set in sampled(["toy_8", "toy_slots_257"], 2) {
        fixture.call(&format!("keygen --params {set} --out k --force")).ok();
        let encrypt = |modulus: u64| {
            let line = format!("encrypt --key k/client.key --input x.txt --output e --modulus {modulus}");
            fixture.call(&line).refusal()
        };
        for prime in [1_000_000_007, 1_048_583] {
            let line = encrypt(prime);
            followed(&named(&line, "make other keys with "), &format!("--modulus {prime}"));
        }
        for number in [1_048_577, 1_000_000_008] {
            let line = encrypt(number);
            let (prime, keygen) = (named(&line, "take a prime, as "), named(&line, "with keys of "));
            assert!(line.contains("or integers"), "{line}");
            followed(&keygen, prime.split(" with ").next().unwrap_or_default());
            let (values, keygen) =
                (named(&line, "do not wrap, "), line.rsplit("with keys of ").next().unwrap_or_default());
            followed(keygen, values.split(" with ").next().unwrap_or_default());
        }
    }
    // A byte that is none of these messages.
    fixture.call("keygen --params toy_batch_4bit --out k --force").ok();
    let line = fixture.call("encrypt --key k/client.key --input x.txt --output e --bytes --bits 4").refusal();
    let keygen = named(&line, "make keys with ");
    assert!(keygen.contains("--engine ckks --bits 6"), "{line}");
    // Primes that bootstrap nothing are said to.
    for number in sampled([7_516_372_993u64, 1_048_577, 549_755_813_889], 2) {
        let line = fixture.call(&format!("keygen --engine bfv --modulus {number} --out n")).refusal();
        let (prime, rest) = line.split_once("such as ").and_then(|(_, rest)| rest.split_once(' ')).unwrap();
        assert!(rest.starts_with("(of keygen with --depth D"), "{line}");
        followed(&format!("keygen --engine bfv --depth 1 --modulus {prime}"), &format!("--modulus {prime}"));
    }
    let line = fixture.call("keygen --engine bfv --modulus 66049 --depth 1 --out n").refusal();
    assert_eq!(line.matches("65537").count(), 1, "{line}");
}

#[test]
fn functions_of_integers_name_what_their_keys_have() {
    let fixture = Fixture::keys_of("toy_8");
    let encrypted = |values: &str, name: &str, options: &str| {
        fixture.write("v.txt", values);
        fixture.call(&format!("encrypt --key k/client.key --input v.txt --output {name} {options}")).ok();
    };
    let both = || {
        encrypted("5 -9", "s", "--width 8");
        encrypted("200 9", "u", "--width 8 --unsigned");
    };
    both();
    fixture.refuses(
        "eval --key k/server.key --op max --input s --input u --output r",
        &["max", "packing keys", "make keys for integers with bootes keygen --width"],
    );
    // `run` makes its own.
    fixture.write("t.csv", "x,y\n0,1\n1,1\n");
    let line = "run --expr x*y==y --width 6 --unsigned --params toy_4 --input t.csv";
    fixture.refuses(line, &["packing keys", "which keys of this set lack: leave --params out"]);
    fixture.call(&line.replace(" --params toy_4", "")).ok();
    fixture.call("keygen --params toy_int16 --out k --force").ok();
    both();
    let line = fixture.call("eval --key k/server.key --op max --input s --input u --output r").refusal();
    assert!(line.contains("take --expr 'max(x, y)'"), "{line}");
    fixture.call("eval --key k/server.key --expr max(x,y) --input s --input u --output r").ok();
    assert_eq!(fixture.values("k/client.key", "r"), [200, 9]);
    // A table of integers that may be negative.
    fixture.write("t", entries(256, |i| (i - 128).abs()));
    let eval = |input: &str| format!("eval --key k/server.key --table t --input {input} --output r");
    let line = fixture.call(&eval("s")).refusal();
    let linear = line.split_once("(bootes ").and_then(|(_, rest)| Some(rest.split_once(')')?.0)).expect("a command");
    fixture.call(&format!("{linear} --input s --output moved")).ok();
    fixture.call(&eval("moved")).ok();
    assert_eq!(fixture.values("k/client.key", "r"), [5, 9]);
}
