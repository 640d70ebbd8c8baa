//! Every refusal's advice, followed: what it says to do works.

use crate::fixture::Fixture;
use bootes_testkit::{in_full, sampled};

/// A command that must be refused with this advice among its words, and commands that follow it.
pub(crate) type Case<'a> = (&'a str, &'a str, &'a [&'a str]);

impl Fixture {
    /// Follows the advice of each refusal.
    pub(crate) fn follow(&self, cases: &[Case<'_>]) {
        for (line, advice, cure) in cases {
            self.refuses(line, &[advice]);
            for line in *cure {
                self.call(line).ok();
            }
        }
    }

    /// The integers of a vector, decrypted.
    pub(crate) fn values(&self, key: &str, file: &str) -> Vec<i128> {
        let text = self.call(&format!("decrypt --key {key} --input {file}")).ok();
        text.lines().map(|line| line.parse().expect("integers")).collect()
    }
}

#[test]
fn functions_that_are_none_of_large_integers() {
    let fixture = Fixture::new();
    fixture.write("y", "15 0 3");
    fixture.write("z", "1 2 7");
    fixture.call("keygen --params toy_8 --out k8").ok();
    fixture.call("encrypt --key k8/client.key --input y --output y.ct").ok();
    let run = |op: &str| format!("run --params toy_int16 --width 8 --op {op} --input y --input2 z");
    for (op, advice) in [("mul", "--expr \"x * y\""), ("div", "floor:K"), ("xor", "--expr \"xor(x, y)\"")] {
        let refusal = fixture.call(&run(op)).refusal();
        assert!(refusal.contains(advice) && !refusal.contains("did you mean"), "{refusal}");
    }
    fixture.follow(&[
        (
            "run --params toy_int16 --width 8 --op select --input y",
            "it is an expression",
            &["run --params toy_int16 --width 8 --expr select(x<y,x,y) --input y --input2 z"],
        ),
        (
            "run --params toy_int16 --width 8 --op rleu --input y",
            "did you mean relu",
            &["run --params toy_int16 --width 8 --op relu --input y"],
        ),
        (
            "run --params toy_int16 --width 8 --op neg --input y",
            "linear --weights -1",
            &["linear --weights -1 --input y.ct --output neg.ct"],
        ),
        (
            "run --params toy_int16 --width 8 --op div --input y",
            "floor:K",
            &["run --params toy_int16 --width 8 --op floor:2 --input y"],
        ),
        (
            "run --params toy_int16 --width 8 --op mul --input y",
            "--expr",
            &["run --params toy_slots_257 --expr x*y --modulus 257 --input y --input2 z"],
        ),
    ]);
    let xor = "run --params toy_int16 --width 4 --unsigned --expr xor(x,y) --input y --input2 z --output xor";
    fixture.call(xor).ok();
    assert_eq!(fixture.read("xor"), b"14\n2\n4\n");
    let help = fixture.call("eval --help").ok();
    for op in ["less", "equal", "max", "min", "add", "sub"] {
        let about = help.lines().skip_while(|line| !line.contains("--input2")).nth(1).expect("a line on it");
        assert!(about.contains(op), "{about}");
    }
}

#[test]
fn integers_outside_their_width() {
    let fixture = Fixture::new();
    fixture.call("keygen --params toy_int16 --out k").ok();
    let cases = [
        ("-32769", "--width 16", "take --width 17", "--width 17"),
        ("40000", "--width 16", "take --width 17, or give --unsigned", "--width 16 --unsigned"),
        ("-3", "--width 8 --unsigned", "leave out --unsigned", "--width 8"),
        ("-300", "--width 8 --unsigned", "take --width 10 and leave out --unsigned", "--width 10"),
        ("3000000000", "--width 16", "take --width 33", "--width 33"),
        ("16000000000000000000", "--width 16", "take --width 64 and give --unsigned", "--width 64 --unsigned"),
        ("200", "--width 16 --within 8", "take --within 9", "--width 16 --within 9"),
    ];
    for (value, option, advice, cure) in cases {
        fixture.write("v", value);
        let encrypt =
            |option: &str, output: &str| format!("encrypt --key k/client.key --input v --output {output} {option}");
        let refusal = fixture.call(&encrypt(option, "no.ct")).refusal();
        assert!(refusal.contains(advice), "{option}: {refusal}");
        fixture.call(&encrypt(cure, "v.ct")).ok();
        assert_eq!(fixture.values("k/client.key", "v.ct"), [value.parse::<i128>().expect("an integer")]);
    }
    fixture.write("v", "18446744073709551616");
    for option in ["--width 64", "--width 64 --unsigned"] {
        let refusal = fixture.call(&format!("encrypt --key k/client.key --input v --output v.ct {option}")).refusal();
        assert!(refusal.contains("no --width above 64") && !refusal.contains("take --"), "{refusal}");
    }
    fixture.write("v", "-32769");
    assert!(!fixture.call("run --op relu --width 16 --input v").refusal().contains("--unsigned"));
}

#[test]
fn values_that_were_forgotten() {
    let fixture = Fixture::with_keys();
    let required = |option: &str| format!("a value is required for '{option}");
    for (line, option) in [
        ("linear --weights --input c --output r", "--weights <W1,W2,…>"),
        ("linear --weights 1 --input c --constant --output r", "--constant <N>"),
        ("run --expr --modulus 257 --input in.txt", "--expr <E>"),
        ("keygen --bits 4 --pfail --out d", "--pfail <L>"),
        ("run --table id.txt --input in.txt --memory --threads 1", "--memory <G>"),
    ] {
        fixture.refuses(line, &[&required(option)]);
    }
    fixture.follow(&[
        (
            "linear --weights 1 --input c --constant 99999999999999999999 --output r",
            "expected an integer of 64 bits",
            &["linear --weights 1 --input c --constant -9223372036854775807 --output r"],
        ),
        (
            "linear --weights 1,2 --input c --output r",
            "give a weight for each --input",
            &[
                "linear --weights -1,2 --input c --input c --output r",
                "linear --weights=-1,-2 --input c --input c --output r",
            ],
        ),
    ]);
}

#[test]
fn expressions_have_the_modulus_of_their_set() {
    let fixture = Fixture::new();
    fixture.write("x", "1 2 256");
    let run = |options: &str| fixture.call(&format!("run --expr x+1 {options} --input x --json"));
    assert_eq!(run("--params toy_slots_257").json()["correct"], true);
    let refusal = run("").refusal();
    assert!(refusal.starts_with("--expr is of integers of --width W, or modulo a prime"), "{refusal}");
    assert!(refusal.contains("--params slots_257"), "{refusal}");
    let refusal = run("--params toy_4").refusal();
    assert!(refusal.starts_with("how long are the values?"), "{refusal}");
    assert_eq!(run("--params toy_int16 --width 9 --unsigned").json()["correct"], true);
    assert_eq!(run("--params toy_8 --bits 8").refusal().lines().count(), 1);
    fixture.call("params slots_257").ok();
}

#[test]
fn moduli_without_slots_and_numbers_of_expressions() {
    let fixture = Fixture::new();
    fixture.write("x", "1 2 3");
    fixture.refuses(
        "keygen --engine bfv --modulus 1024 --out k",
        &["such as 1021, or 65537", "tables modulo 1024 have keygen --bits 10"],
    );
    fixture.follow(&[
        ("params slots_1024", "such as 1021", &["params slots_1021", "params slots_65537"]),
        ("params slots_131101", "such as 131", &[]),
        ("params slots_131071", "or 65537", &[]),
        ("params slots_114689", "take another prime, such as", &[]),
        ("params slots_3_10", "a power of at most 8", &["params slots_3_8"]),
        ("params slots_257_9", "a power of at most 3", &["params slots_257_3"]),
        (
            "run --params toy_slots_257 --modulus 257 --input x --expr x+5192296858534827628530496329220096",
            "of residues reduce it by their modulus",
            &[
                "run --params toy_slots_257 --modulus 257 --input x --expr x+128",
                "run --params toy_slots_257 --modulus 257 --input x --expr rot(x,-9223372036854775808)",
            ],
        ),
    ]);
    for (name, from) in [("slots_131101", "131101"), ("slots_131071", "131071"), ("slots_8191", "8191")] {
        let refusal = fixture.call(&format!("params {name}")).refusal();
        let prime = refusal.split("such as ").nth(1).and_then(|rest| rest.split([',', ' ']).next()).expect("a prime");
        assert_ne!(prime, from);
        fixture.call(&format!("params slots_{prime}")).ok();
    }
}

#[test]
fn rows_of_benchmarks() {
    let fixture = Fixture::new();
    for (line, advice) in [
        ("bench ckks-figure2 --rows none-such", "expected one of 4 bits, 5 bits"),
        ("bench ckks-figure3 --rows none-such", "expected one of 8 bits AKP-FBT"),
        ("bench ckks-large --quick --rows none-such", "expected one of 12 bits"),
        ("bench fdfb-table8 --rows none-such", "part of no row of fdfb-table8"),
        ("bench bfv-kernels --quick --rows none-such", "expected one of N=2^12"),
        ("bench calibrate --rows recursive", "expected one of fhew_"),
        ("bench calibrate --engine ckks --rows fhew", "expected one of batch_"),
    ] {
        let refusal = fixture.call(&format!("{line} --json")).refusal();
        assert!(refusal.contains(advice), "{line}: {refusal}");
    }
    fixture.call("bench ckks-figure2 --rows 4,5").ok();
}

#[test]
fn instructions_that_are_not_here() {
    let fixture = Fixture::new();
    for name in ["neon", "avx512", "sse9"] {
        let answer = fixture.call_with("params toy_4", |command| {
            command.env("BOOTES_ISA", name);
        });
        if answer.code == Some(0) {
            continue;
        }
        let refusal = answer.refusal();
        let known = refusal.split("use ").nth(1).and_then(|rest| rest.split(", or unset").next()).expect("names");
        let known = known.split(", which").next().expect("the first");
        for known in known.split([',', ' ']).filter(|word| !word.is_empty() && *word != "or") {
            fixture
                .call_with("params toy_4", |command| {
                    command.env("BOOTES_ISA", known);
                })
                .ok();
        }
    }
}

#[test]
fn moduli_that_other_engines_have() {
    let fixture = Fixture::new();
    let refused = "pad it to 65550 entries, and encrypt modulo 65550; or take engine bfv";
    fixture.follow(&[
        ("plan --modulus 65537 --engine ckks", refused, &["plan --modulus 65550", "params slots_65537_tables"]),
        // Primes are no help to a table of another size.
        ("plan --modulus 999983", "pad it to 1000000 entries, and encrypt modulo 1000000 (--modulus 1000000)", &[]),
        (
            "params slots_999983",
            "take a smaller prime, such as 131063, the largest that has a set",
            &["params slots_131063"],
        ),
        ("plan --bits 17 --engine fhew", "leave --engine out, or give --engine ckks", &["params batch_18bit"]),
        ("keygen --bits 17 --engine fhew --out k", "engine ckks, which has 1 to 20", &[]),
    ]);
    assert!(!fixture.call("plan --modulus 999983").refusal().contains("131063"));
    let plan = fixture.call("plan --modulus 65537").ok();
    assert!(plan.contains(refused) && plan.contains("slots_65537_tables"), "{plan}");
    if !in_full() {
        return;
    }
    // Engines without a plan are there all the same.
    let plan = fixture.call("plan --bits 4 --json").json();
    assert!(plan["batch"].is_object() && plan.get("slots").is_some_and(|slots| slots.is_null()), "{plan}");
    // The engine of least time is one of three.
    let plan = fixture.call("plan --modulus 257 --count 100 --threads 1").ok();
    assert!(plan.contains("\nfor 100 values: engine bfv with slots_257_depth_8 takes the least time"), "{plan}");
    // An engine without room says so.
    let plan = fixture.call("plan --modulus 257 --memory 0.5").ok();
    assert!(plan.contains("\nengine bfv: refused: it needs"), "{plan}");
    let plan = fixture.call("plan --modulus 257 --memory 0.5 --json").json();
    assert!(plan["slots"]["refused"].as_str().is_some_and(|words| words.contains("of memory")), "{plan}");
    assert!(!fixture.call("plan --modulus 256 --memory 0.5").ok().contains("bfv"));
    // The results of a table modulo P may have other bits.
    fixture.write("t", "0 7 1 -1 4");
    fixture.write("x", "0 1 2 3 4");
    let run = fixture.call("run --params toy_8 --table t --modulus 5 --out-bits 4 --input x --json").json();
    assert_eq!((&run["correct"], &run["out_bits"]), (&true.into(), &4.into()));
}

#[test]
fn weights_beyond_the_modulus_are_told() {
    let fixture = Fixture::with_keys();
    for (weights, note) in [("17", "17 is 1"), ("-16", "-16 is 0"), ("15", ""), ("-15", "")] {
        let answer = fixture.call(&format!("linear --weights={weights} --input c --output r"));
        assert_eq!(answer.code, Some(0), "{}", answer.stderr);
        assert_eq!(answer.stderr.is_empty(), note.is_empty(), "{weights}: {}", answer.stderr);
        assert!(answer.stderr.contains(note) && answer.stderr.lines().count() <= 1, "{weights}: {}", answer.stderr);
    }
    let rows = fixture.call("linear --weights 16 --weights 1 --input c --output a --output b");
    assert!(rows.stderr.starts_with("note: ") && rows.stderr.contains("16 is 0"), "{}", rows.stderr);
}

#[test]
fn noise_that_leaves_no_room() {
    let fixture = Fixture::new();
    fixture.call("keygen --params toy_8 --out k").ok();
    fixture.write("id", (0..256).map(|i| i.to_string()).collect::<Vec<_>>().join(" "));
    fixture.call("encrypt --key k/client.key --input in.txt --output fresh").ok();
    fixture.call("eval --key k/server.key --table id --input fresh --output results").ok();
    let cures: &[&str] = &["linear --weights 12 --input results --output r"];
    fixture.follow(&[(
        "linear --weights 127,127 --input results --input results --output r",
        "promises 2^-64: operands have an encryption in common, so that their noise adds up in full; take smaller \
         weights, as by tables whose entries have them, or messages of fewer bits",
        cures,
    )]);
    let budgets = fixture.call("params --engine fhew").ok();
    assert!(budgets.lines().next().is_some_and(|head| head.contains(" budget ")), "{budgets}");
    let sets = fixture.call("params --engine fhew --json").json();
    let budget = |name: &str| {
        let set = sets["params"].as_array().and_then(|sets| sets.iter().find(|set| set["name"] == name));
        set.and_then(|set| set["result_budget_bits"].as_f64()).expect("a budget")
    };
    assert!(budget("fhew_8bit_2m128") < 2.0 && budget("fhew_int16_2m128") > 6.0, "{sets}");
}

#[test]
#[ignore = "keys of a default set and long tables, ten seconds: .ci/full runs it"]
fn noise_of_results_of_long_tables() {
    let fixture = Fixture::new();
    let lut = bootes::Lut::unstructured(11);
    fixture.write("t", lut.values().iter().map(u64::to_string).collect::<Vec<_>>().join(" "));
    fixture.call("keygen --params fhew_int16_2m64 --out k").ok();
    for (name, value) in [("x", 3), ("y", 500)] {
        fixture.write(name, value.to_string());
        fixture.call(&format!("encrypt --key k/client.key --input {name} --output {name}.k --bits 11")).ok();
    }
    for x in ["x", "y"] {
        fixture.call(&format!("eval --key k/server.key --table t --out-bits 13 --input {x}.k --output {x}.r")).ok();
        fixture.call(&format!("linear --weights 4 --input {x}.r --output {x}.4")).ok();
    }
    // There is room for the noise of what decryption bears.
    fixture.call("eval --key k/server.key --op max --input x.4 --input2 y.4 --output max").ok();
    let expected = 4 * i128::from(lut.values()[3].max(lut.values()[500]));
    assert_eq!(fixture.values("k/client.key", "max"), [expected]);
}

#[test]
fn rows_are_called_as_they_are_printed() {
    let fixture = Fixture::new();
    // What calibrate prints, a set and a row, is what it takes.
    let printed = fixture.call("bench calibrate --engine ckks --rows toy_batch_4bit --quick --runs 1 --json").ok();
    assert!(printed.contains("\"row\":\"EvalExp\""), "{printed}");
    for rows in ["4-bit recursive", "fhew_4bit_2m64 4-bit recursive"] {
        let answer = fixture.call_with("bench calibrate --quick --runs 1 --json", |command| {
            command.args(["--rows", rows]);
        });
        let printed = answer.ok();
        assert!(printed.contains("\"row\":\"4-bit recursive\""), "{printed}");
        assert!(!printed.contains("\"row\":\"4-bit eval-func\"") && !printed.contains("batch_"), "{printed}");
    }
    let refused = fixture.call_with("bench calibrate --json", |command| {
        command.args(["--rows", "4-bit recursion"]);
    });
    assert!(refused.refusal().contains("expected one of fhew_"));
}

#[test]
fn options_are_named_as_the_command_has_them() {
    let fixture = Fixture::new();
    let keygen = |client: &str| format!("keygen --params toy_4 --client {client} --server b.key");
    fixture.call(&keygen("a.key")).ok();
    fixture.refuses(&keygen("a.key"), &["choose another --client, or --force"]);
    fixture.refuses(&keygen("other.key"), &["choose another --server, or --force"]);
    fixture.call("keygen --params toy_slots_257 --out k").ok();
    fixture.write("x", "1 2 3");
    fixture.call("encrypt --key k/client.key --input x --output x.ct").ok();
    fixture.follow(&[
        (
            "eval --key k/server.key --expr x*y --input x.ct --output r",
            "give an --input for each",
            &[
                "eval --key k/server.key --expr x*y --input x.ct --input x.ct --output r",
                "eval --key k/server.key --expr x*y --input x.ct --input2 x.ct --output r2",
            ],
        ),
        (
            "run --params toy_slots_257 --modulus 257 --expr x*y --input x",
            "give an --input for each",
            &[
                "run --params toy_slots_257 --modulus 257 --expr x*y --input x --input x",
                "run --params toy_slots_257 --modulus 257 --expr x*y --input x --input2 x",
            ],
        ),
    ]);
    // What a star at a name means is said where there is one.
    for (engine, is_starred) in [("fhew", true), ("ckks", false)] {
        let plan = fixture.call(&format!("plan --bits 4 --engine {engine}")).ok();
        assert_eq!(plan.contains("an algorithm with * takes several tables from one rotation"), is_starred, "{plan}");
    }
}

/// The width that is named holds all values, not only the first that is too long.
#[test]
fn widths_of_the_longest_value() {
    let fixture = Fixture::new();
    fixture.call("keygen --params toy_int16 --out k").ok();
    fixture.write("list", "5 70 300 5000 -2");
    fixture.write("columns.csv", "a,b\n5,70\n300,5000\n");
    let encrypt = "encrypt --key k/client.key --width 4";
    for (input, words, cure) in [
        ("--input list --output c", "list: line 1: 70 is outside", "--width 14"),
        ("--input columns.csv --column a --column b --output a.ct --output b.ct", "line 2, column b: 70", "--width 14"),
    ] {
        fixture.refuses(&format!("{encrypt} {input}"), &[words, cure]);
        fixture.call(&format!("encrypt --key k/client.key {cure} {input}")).ok();
    }
}

/// Sets that are named for a weighted sum of answers bear it.
#[test]
fn weighted_answers() {
    let fixture = Fixture::new();
    fixture.call("keygen --params fhew_int16_2m128 --out k").ok();
    fixture.write("x", "3");
    fixture.write("y", "4");
    fixture.write("id", "0 1");
    fixture.write("0-100", "0 100");
    for name in ["x", "y"] {
        fixture
            .call(&format!("encrypt --key k/client.key --width 16 --within 13 --input {name} --output {name}.ct"))
            .ok();
    }
    fixture.call("eval --key k/server.key --op less --input x.ct --input2 y.ct --output less").ok();
    fixture.call("eval --key k/server.key --table id --out-bits 17 --input less --output wide").ok();
    for weight in sampled([98, 110, 100], 2) {
        let sum = format!("linear --weights 1,{weight} --input x.ct --input wide --output sum");
        let refused = fixture.call(&sum).refusal();
        assert!(refused.contains("smaller weights, as by tables whose entries have them"), "{refused}");
        assert!(!refused.contains("fhew_table16"), "{refused}");
    }
    fixture.call("eval --key k/server.key --table 0-100 --out-bits 17 --input less --output wide").ok();
    fixture.call("linear --weights 1,1 --input x.ct --input wide --output sum").ok();
    assert_eq!(fixture.values("k/client.key", "sum"), [103]);
}

/// Integers up to 129 have a sign to lose in 7 bits: no table of 256 entries is named.
#[test]
fn tables_on_sums() {
    let fixture = Fixture::keys_of("toy_int16");
    let sum = |integers: &str, options: &str| {
        fixture.encrypted("x", integers, options);
        fixture.call("linear --weights 1 --constant 2 --input x.ct --output sum").ok();
    };
    fixture.write("id", (0..128).map(|i| i.to_string()).collect::<Vec<_>>().join(" "));
    let eval = "eval --key k/server.key --table id --input sum --output r";
    sum("3 120", "--bits 7");
    fixture.call(eval).ok();
    assert_eq!(fixture.values("k/client.key", "r"), [5, 122]);
    sum("3 120", "--width 7 --unsigned");
    let refused = fixture.call(eval).refusal();
    assert!(!refused.contains("256 entries") && refused.contains("--width 7 --within R --unsigned"), "{refused}");
    sum("3 60", "--width 7 --within 6 --unsigned");
    fixture.call(eval).ok();
    assert_eq!(fixture.values("k/client.key", "r"), [5, 62]);
}

/// A multiple of 2^k has k bits more room, also of as many files as are not read side by side.
#[test]
fn multiples_of_powers_of_two() {
    for set in ["toy_batch_integers", "toy_int16"] {
        let fixture = Fixture::keys_of(set);
        fixture.encrypted("x", "200 13 255", "--width 8 --unsigned");
        // x - 16 * floor(x / 16).
        fixture.evaluate("--op floor:4 --input x.ct", "q");
        fixture.call("linear --weights 1,-16 --input x.ct --input q --output r").ok();
        assert_eq!(fixture.values("k/client.key", "r"), [8, 13, 15]);
        fixture.call("linear --weights 2 --input x.ct --output twice").ok();
        assert_eq!(fixture.values("k/client.key", "twice"), [400, 26, 510]);
    }
    let fixture = Fixture::keys_of("toy_int16");
    fixture.encrypted("bit", "0 1", "--width 8 --within 1 --unsigned");
    let (weights, inputs) = (vec!["2"; 257].join(","), "--input bit.ct ".repeat(257));
    fixture.call(&format!("linear --weights {weights} {inputs} --output r")).ok();
    assert_eq!(fixture.values("k/client.key", "r"), [0, 514]);
}
