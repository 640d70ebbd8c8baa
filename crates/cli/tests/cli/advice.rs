//! Every refusal's advice, followed: what it says to do works.

use crate::fixture::Fixture;

/// A command that must be refused with this advice among its words, and commands that follow it.
type Case<'a> = (&'a str, &'a str, &'a [&'a str]);

impl Fixture {
    /// Follows the advice of each refusal.
    fn follow(&self, cases: &[Case<'_>]) {
        for (line, advice, cure) in cases {
            self.refuses(line, &[advice]);
            for line in *cure {
                self.call(line).ok();
            }
        }
    }

    /// The integers of a vector, decrypted.
    fn values(&self, key: &str, file: &str) -> Vec<i64> {
        let text = self.call(&format!("decrypt --key {key} --input {file}")).ok();
        text.lines().map(|line| line.parse().expect("integers")).collect()
    }
}

#[test]
fn functions_that_are_none_of_large_integers() {
    let fixture = Fixture::new();
    fixture.call("keygen --params toy_8 --out k8").ok();
    fixture.write("y", "15 0 3");
    fixture.write("z", "1 2 7");
    fixture.write("xor", (0..256).map(|i| ((i / 16) ^ (i % 16)).to_string()).collect::<Vec<_>>().join(" "));
    let run = |op: &str| format!("run --params toy_int16 --width 8 --op {op} --input y --input2 z");
    for (op, advice) in [("mul", "--expr \"x * y\" --modulus P"), ("div", "floor:K"), ("xor", "linear --weights 16,1")]
    {
        let refusal = fixture.call(&run(op)).refusal();
        assert!(refusal.contains(advice) && !refusal.contains("did you mean"), "{refusal}");
    }
    fixture.follow(&[
        (
            "run --params toy_int16 --width 8 --op select --input y",
            "a --table of both",
            &[
                "encrypt --key k8/client.key --input y --output y.ct",
                "encrypt --key k8/client.key --input z --output z.ct",
                "linear --weights 16,1 --input y.ct --input z.ct --output both.ct",
                "eval --key k8/server.key --table xor --input both.ct --output xor.ct",
            ],
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
    assert_eq!(fixture.values("k8/client.key", "xor.ct"), [15 ^ 1, 2, 3 ^ 7]);
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
        ("3000000000", "--width 16", "take --width 32 and give --unsigned", "--width 32 --unsigned"),
        ("200", "--width 16 --within 8", "take --within 9", "--width 16 --within 9"),
    ];
    for (value, option, advice, cure) in cases {
        fixture.write("v", value);
        let encrypt =
            |option: &str, output: &str| format!("encrypt --key k/client.key --input v --output {output} {option}");
        let refusal = fixture.call(&encrypt(option, "no.ct")).refusal();
        assert!(refusal.contains(advice), "{option}: {refusal}");
        fixture.call(&encrypt(cure, "v.ct")).ok();
        assert_eq!(fixture.values("k/client.key", "v.ct"), [value.parse::<i64>().expect("an integer")]);
    }
    fixture.write("v", "4294967296");
    for option in ["--width 32", "--width 32 --unsigned"] {
        let refusal = fixture.call(&format!("encrypt --key k/client.key --input v --output v.ct {option}")).refusal();
        assert!(refusal.contains("no --width above 32") && !refusal.contains("take --"), "{refusal}");
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
fn moduli_without_slots_and_numbers_of_expressions() {
    let fixture = Fixture::new();
    fixture.write("x", "1 2 3");
    fixture.refuses(
        "keygen --engine bfv --modulus 1024 --out k",
        &["such as 1021, or 65537", "keygen --engine ckks --bits 10"],
    );
    fixture.follow(&[
        ("params slots_1024", "such as 1021", &["params slots_1021", "params slots_65537"]),
        ("params slots_131101", "such as 131", &[]),
        ("params slots_131071", "or 65537", &[]),
        ("params slots_3_10", "a power of at most 9", &["params slots_3_9"]),
        ("params slots_257_9", "a power of at most 3", &["params slots_257_3"]),
        (
            "run --params toy_slots_257 --modulus 257 --input x --expr x+9223372036854775808",
            "reduce it modulo",
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
