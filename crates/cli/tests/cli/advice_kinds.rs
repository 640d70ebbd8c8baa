//! Advice on rows, rooms, tables and names: followed, it works.

use crate::fixture::Fixture;

/// A list of integers.
fn numbers(range: std::ops::Range<u32>) -> String {
    range.map(|x| x.to_string()).collect::<Vec<_>>().join(" ")
}

/// Sums of rows that have no room, by halves: of signed results and residues no identity can be written.
#[test]
fn rows_are_added_up_by_halves() {
    let fixture = Fixture::keys_of("toy_int16");
    fixture.encrypted("x", "-100 3 120 -7", "--width 8");
    fixture.evaluate("--expr 3*x --input x.ct", "signed");
    fixture.encrypted("r", "99 98 97 1", "--modulus 100");
    let halves = "halve the rows (bootes slice) and add the halves up with eval --expr 'x + y', until one row is left";
    for (file, expected) in [("signed", 48), ("r.ct", 95)] {
        fixture.refuses(&format!("linear --sum-rows --input {file} --output s"), &[halves]);
        let halve = |of: &str, rows: u32| {
            for (half, from) in [("a", 0), ("b", rows)] {
                fixture.call(&format!("slice --rows {from}..{} --input {of} --output {half}", from + rows)).ok();
            }
        };
        halve(file, 2);
        fixture.evaluate("--expr x+y --input a --input b", "two");
        halve("two", 1);
        fixture.evaluate("--expr x+y --input a --input b", "one");
        assert_eq!(fixture.values("k/client.key", "one"), [expected], "{file}");
    }
    // Integers that are encrypted, and results without a sign.
    fixture.refuses("linear --sum-rows --input x.ct --output s", &["encrypt them with --width 9, and --within"]);
    fixture.evaluate("--op sign --input x.ct", "s");
    fixture.refuses("linear --sum-rows --input s --output r", &["a --table with --out-bits 4 first, such as the"]);
    fixture.table("0 1", "--out-bits 4", "s", "wide");
    fixture.call("linear --sum-rows --input wide --output r").ok();
    assert_eq!(fixture.values("k/client.key", "r"), [2]);
}

/// Residues modulo 2^b in rooms of two widths.
#[test]
fn residues_in_one_room() {
    let fixture = Fixture::keys_of("toy_int16");
    fixture.encrypted("x", "3 60 7", "--bits 6");
    fixture.evaluate("--expr x*y --input x.ct --input x.ct", "squares");
    let concat = |one: &str, other: &str| format!("concat --input {one} --input {other} --output all");
    fixture.refuses(&concat("x.ct", "squares"), &["evaluate a --table with --out-bits 6 on both first"]);
    fixture.table(&numbers(0..64), "--out-bits 6", "x.ct", "one");
    fixture.table(&numbers(0..64), "--out-bits 6", "squares", "other");
    fixture.call(&concat("one", "other")).ok();
    assert_eq!(fixture.values("k/client.key", "all"), [3, 60, 7, 9, 16, 49]);
}

/// Tables with fewer entries than values, and with negative ones.
#[test]
fn tables_that_are_short() {
    let fixture = Fixture::keys_of("toy_int16");
    fixture.write("t", "6 5 4 3 2 1 0");
    fixture.write("x", "0 3 6 7");
    fixture.write("y", "-8 -1 0 7");
    let run = |sign: &str, input: &str, expr: &str| {
        format!("run --params toy_int16 --width 4 {sign} --table f=t --input {input} --expr {expr}")
    };
    fixture.refuses(&run("--unsigned", "x", "f(x)"), &["as x % 7 and min(x, 6) of --expr do"]);
    fixture.refuses(&run("", "y", "f(x)"), &["as x % 7 and min(max(x, 0), 6) of --expr do, linear --constant"]);
    for (sign, input) in [("--unsigned", "x"), ("", "y")] {
        for expr in ["f(x%7)", "f(min(max(x,0),6))"] {
            fixture.call(&run(sign, input, expr)).ok();
        }
    }
    let refused = fixture.call(&run("--unsigned", "x", "x+f(1,2)")).refusal();
    assert!(refused.ends_with("these are constants: write the entry itself"), "{refused}");
    // Entries of residues modulo their number.
    fixture.write("n", "-2 -1 0 1 2 3 4 5");
    fixture.write("r", "0 1 7");
    for (line, cure) in [
        ("run --params toy_4 --bits 3 --table n --input r", "run --params toy_4 --modulus 8 --table n --input r"),
        (
            "run --params toy_4 --bits 3 --table f=n --expr f(x) --input r",
            "run --params toy_4 --modulus 8 --table f=n --expr f(x) --input r",
        ),
    ] {
        fixture.refuses(line, &["take those of residues with --modulus in place of --bits"]);
        fixture.call(cure).ok();
    }
}

#[test]
fn moduli_of_which_vectors_have_no_tables() {
    let fixture = Fixture::new();
    for modulus in [258, 514] {
        let refused = fixture.call(&format!("keygen --modulus {modulus} --out k")).refusal();
        let bits = refused.rsplit("keygen ").next().expect("options").to_string();
        assert!(refused.contains(&format!("tables modulo {modulus} have keygen --bits")), "{refused}");
        fixture.call(&format!("keygen {bits} --out k{modulus}")).ok();
        fixture.write("x", (modulus - 1).to_string());
        let encrypt = format!("encrypt --key k{modulus}/client.key --input x --output x.ct --modulus {modulus}");
        fixture.call(&encrypt).ok();
    }
    let refused = fixture.call("keygen --modulus 131074 --out k").refusal();
    assert!(!refused.contains("tables modulo"), "{refused}");
    fixture.call("keygen --modulus 256 --depth 1 --out k").ok();
    fixture.write("t", numbers(0..256));
    fixture.encrypted("x", "3 255", "");
    let eval = "eval --key k/server.key --table t --input x.ct --output r";
    fixture.refuses(
        eval,
        &["engine bfv has tables modulo primes alone: take --bits or --modulus with keys of bootes keygen --bits 8"],
    );
    fixture.call("keygen --bits 8 --out k --force").ok();
    fixture.encrypted("x", "3 255", "--modulus 256");
    fixture.call(eval).ok();
    assert_eq!(fixture.values("k/client.key", "r"), [3, 255]);
}

/// What is named for a program that a set is too noisy for.
#[test]
#[ignore = "half a minute of planning: .ci/full runs it"]
fn programs_beyond_the_noise_of_a_set() {
    let fixture = Fixture::keys_of("toy_int16");
    for (name, integers) in [("w", "50"), ("h", "150")] {
        fixture.encrypted(name, integers, "--width 8 --unsigned");
    }
    let eval = "eval --key k/server.key --expr w*10000/(h*h) --input w.ct --input h.ct --output r";
    let refused = fixture.call(eval).refusal();
    assert!(refused.ends_with(": take the keys that bootes plan --expr finds"), "{refused}");
}

/// Keys beside a client key that is replaced are of none that is there.
#[test]
fn keys_that_are_left() {
    let fixture = Fixture::new();
    fixture.call("keygen --params toy_4 --out k --public").ok();
    let forced = fixture.call("keygen --params toy_4 --client k/client.key --server s.key --force");
    assert_eq!(forced.code, Some(0), "{}", forced.stderr);
    let note = "note: k/server.key, k/public.key: of the client key that was replaced";
    assert!(forced.stderr.starts_with(note) && forced.stderr.lines().count() == 1, "{}", forced.stderr);
    fixture.call("keygen --params toy_4 --out k --public --force").ok();
    fixture.call("keygen --params toy_4 --out k --public --force").ok();
}

/// Outputs are compared at once, whatever their number and the paths that lead to them.
#[test]
fn many_outputs() {
    let fixture = Fixture::keys_of("toy_int16");
    fixture.encrypted("x", "3", "--width 4");
    let results: Vec<String> = (0..600).map(|i| format!("x+{i}")).collect();
    let outputs = |last: &str| {
        let named = (0..599).map(|i| format!("--output r{i} ")).collect::<String>();
        format!("eval --key k/server.key --expr {} --input x.ct {named} --output {last}", results.join(";"))
    };
    fixture.refuses(&outputs("./r7"), &["./r7: it is the same file as r7"]);
    fixture.call(&outputs("r599")).ok();
    assert_eq!(fixture.values("k/client.key", "r599"), [602]);
}

/// Integers in two ciphertexts each, of which no table is, by their upper bits.
#[test]
fn limbs_that_are_converted() {
    let fixture = Fixture::new();
    let [fhew, ckks] = ["toy_int16", "toy_batch_integers"];
    for set in [fhew, ckks] {
        fixture.call(&format!("keygen --params {set} --out {set}")).ok();
    }
    fixture.write("x", "-25000 70 30000");
    for (from, to, width) in [(fhew, ckks, 32), (ckks, fhew, 16)] {
        fixture.call(&format!("conversion-key --from {from}/client.key --to {to}/client.key --output to_{to}")).ok();
        let options = format!("--key {from}/client.key --width {width}");
        fixture.call(&format!("encrypt {options} --input x --output x.ct")).ok();
        let upper = format!("shr(x, {})", width - 8);
        fixture.refuses(
            &format!("convert --key to_{to} --input x.ct --output y"),
            &[&format!("as bootes eval --expr '{upper}'")],
        );
        let eval = fixture.call_with(&format!("eval --key {from}/server.key --input x.ct --output short"), |command| {
            command.args(["--expr", &upper]);
        });
        eval.ok();
        fixture.call(&format!("convert --key to_{to} --input short --output y")).ok();
        let expected = [-25_000, 70, 30_000].map(|x: i128| x >> (width - 8));
        assert_eq!(fixture.values(&format!("{to}/client.key"), "y"), expected, "{from}");
    }
}
