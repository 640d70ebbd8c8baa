//! Expressions of integers and residues.
use crate::fixture::Fixture;
use bootes_testkit::sampled;

/// A whole job, beside plain integers.
#[test]
fn expressions_are_run() {
    let fixture = Fixture::new();
    fixture.write("x", "1 7 3 0");
    fixture.write("y", "2 2 3 5");
    fixture.write("x4", "1 2 3 0");
    fixture.write("t.csv", "b,a\n2,1\n2,7\n3,3\n5,0\n");
    let run = |line: &str| fixture.call(&format!("run --params toy_int16 {line} --json")).json();
    for expr in ["select(x>y,x,y)", "x*y+1", "x/y", "max(x,y)-min(x,y)", "and(x,y)", "100*(x==y)"] {
        let found = run(&format!("--expr {expr} --width 3 --unsigned --input x --input2 y"));
        assert_eq!((&found["correct"], &found["expression"]), (&true.into(), &expr.into()), "{found}");
    }
    assert_eq!(run("--expr -x --width 4 --input x")["correct"], true);
    assert_eq!(run("--expr x*x+3*x --bits 3 --input x")["correct"], true);
    assert_eq!(run("--expr 2*x --modulus 10 --engine fhew --input x")["correct"], true);
    // Functions are of residues, and give integers.
    for expr in ["max(x,5)", "x<5", "300*(x<11)", "min(x,-1)", "x+max(x,y)"] {
        let y = if expr.contains('y') { "--input2 y" } else { "" };
        assert_eq!(run(&format!("--expr {expr} --modulus 11 --input x {y}"))["correct"], true, "{expr}");
    }
    // Residues wrap, as integers too with a set that holds fewer, and constants among them are residues.
    fixture.write("long", "99 15 3");
    let line = "run --params toy_int16 --modulus 100 --expr x+y --input long --input long --output sums";
    fixture.call(line).ok();
    assert_eq!(fixture.read("sums"), b"98\n30\n6\n");
    // Tables of numbers among them have the entry.
    for modulus in [11, 257] {
        let entries = (0..modulus).map(|x| format!("{} ", x * x % modulus)).collect::<String>();
        fixture.write("T", entries);
        let line = format!("--modulus {modulus} --table F=T --input x");
        assert_eq!(fixture.call(&format!("run {line} --expr F(x)+F(3) --json")).json()["correct"], true);
        fixture.refuses(&format!("run {line} --expr x+F(300)"), &["--expr has the number 300 for it: expected 0 to"]);
    }
    let found = fixture.call("run --params toy_4 --expr x;7;-3 --bits 2 --input x4 --json");
    assert_eq!(found.json()["correct"], true);
    // Columns go to the names of the expression.
    let line = "run --params toy_int16 --expr a-b --width 4 --input t.csv --column b --column a --output r";
    fixture.call(line).ok();
    assert_eq!(fixture.read("r"), b"-1\n5\n0\n-5\n");
}

#[test]
fn functions_of_files_of_residues() {
    let fixture = Fixture::keys_of("toy_int16");
    fixture.encrypted("x", "1 10 5", "--modulus 11");
    fixture.encrypted("y", "2 9 5", "--modulus 11");
    for (expr, expected) in [("max(x,y)", [2, 10, 5]), ("x<y", [1, 0, 0])] {
        fixture.evaluate(&format!("--expr {expr} --input x.ct --input2 y.ct"), "r");
        assert_eq!(fixture.values("k/client.key", "r"), expected, "{expr}");
    }
    fixture.evaluate("--expr max(x,300) --input x.ct", "r");
    assert_eq!(fixture.values("k/client.key", "r"), [300; 3]);
}

/// The same on thousands of values at once.
#[test]
fn expressions_are_run_on_batches() {
    let fixture = Fixture::new();
    fixture.write("x", "1 7 3 0");
    fixture.write("y", "2 2 3 5");
    for (set, form, exprs) in [
        ("toy_batch_9bit", "--width 3 --unsigned", &["select(x>y,x,y)", "x*y+1", "x/y", "max(x,y)-min(x,y)"][..]),
        ("toy_batch_integers", "--width 8", &["select(x>y,x,y)", "max(x,y)-min(x,y)", "100*(x==y)"]),
        ("toy_batch_6bit", "--bits 3", &["x*y+1"]),
        ("toy_batch_6bit", "--modulus 8", &["x*x+y"]),
    ] {
        for expr in exprs {
            let line = format!("run --params {set} --expr {expr} {form} --input x --input y --json");
            let found = fixture.call(&line).json();
            assert_eq!((&found["correct"], &found["engine"]), (&true.into(), &"ckks".into()), "{line}: {found}");
        }
    }
    fixture.write("t", (0..64).map(|i| (i / 8 * (i % 8) % 16).to_string()).collect::<Vec<_>>().join(" "));
    let line = "run --params toy_batch_9bit --table t --sizes 8,8 --input x --input y --json";
    assert_eq!(fixture.call(line).json()["correct"], true);
}

/// A set without room for the values is neither chosen nor taken.
#[test]
fn sets_have_room_for_the_values_of_a_program() {
    let fixture = Fixture::new();
    fixture.write("x", "1 7 3 0");
    let line = "--expr x>5 --width 6 --unsigned --params toy_batch_6bit";
    for command in [format!("run {line} --input x"), format!("plan {line}")] {
        let refused = fixture.call(&command).refusal();
        assert!(refused.contains("6 bits") && refused.contains("toy_batch_6bit"), "{refused}");
    }
    // Sums of 17 bits are in limbs with engine fhew, and in one ciphertext with ckks.
    for engine in ["fhew", "ckks"] {
        let plan = fixture.call(&format!("plan --expr x+x --width 17 --unsigned --engine {engine} --json")).json();
        assert_eq!(plan["engine"], engine);
    }
}

/// A set that holds residues as integers alone is no reason to refuse them; files of such say what their sums do.
#[test]
fn residues_are_integers_of_a_named_set() {
    let fixture = Fixture::new();
    fixture.write("x.txt", "0 1 999 500");
    fixture.write("y.txt", "0 1 999 500");
    let of = "--params toy_int16 --expr x+y --modulus 1000";
    fixture.call(&format!("run {of} --input x.txt --input y.txt --output r")).ok();
    assert_eq!(fixture.read("r"), b"0\n2\n998\n0\n");
    let plan = fixture.call(&format!("plan {of} --threads 1 --json")).json();
    for command in plan["commands"].as_array().expect("commands") {
        let line = command.as_str().and_then(|line| line.strip_prefix("bootes ")).expect("a command");
        fixture.call(&line.replace('\'', "").replace(" % ", "%")).ok();
    }
    assert_eq!(fixture.call("decrypt --key K/client.key --input r1.ct").ok(), "0\n2\n998\n0\n");
    // Apart.
    let encrypt = "encrypt --key K/client.key --input x.txt --output x.ct";
    let said = fixture.call(&format!("{encrypt} --modulus 1000")).ok();
    assert!(said.contains("messages modulo 1000, kept as integers from 0 to 999 modulo 2^11"), "{said}");
    for (expr, expected) in [("x+y", [0, 2, 998, 0]), ("(x+y)%1000", [0, 2, 998, 0]), ("x*7+y", [0, 8, 992, 0])] {
        fixture.call(&format!("eval --key K/server.key --expr {expr} --input x.ct --input x.ct --output s.ct")).ok();
        assert_eq!(fixture.values("K/client.key", "s.ct"), expected);
    }
    fixture.call("add --input x.ct --input2 x.ct --output s.ct").ok();
    assert_eq!(fixture.values("K/client.key", "s.ct"), [0, 2, 998, 0]);
    let told = fixture.call("inspect s.ct --json").json();
    assert_eq!((&told["modulus"], &told["integers"]), (&1000.into(), &false.into()));
    for options in ["--bits 4", "--width 10 --unsigned"] {
        fixture.write("x.txt", "0 1 9");
        let said = fixture.call(&format!("{encrypt} {options}")).ok();
        assert!(!said.contains("wrap"), "{said}");
    }
}

/// The commands that a plan prints do what it says.
#[test]
fn plans_of_expressions_are_commands() {
    for (set, engine) in [("toy_int16", "fhew"), ("toy_batch_9bit", "ckks")] {
        check_plan(set, engine);
    }
}

fn check_plan(set: &str, engine: &str) {
    let fixture = Fixture::new();
    fixture.write("x.txt", "1 7 3 0");
    fixture.write("y.txt", "2 2 3 5");
    let line = format!("plan --params {set} --expr select(x>y,x-y,0);x+y --width 3 --unsigned --threads 1 --json");
    let plan = fixture.call(&line).json();
    assert_eq!((&plan["engine"], &plan["params"], &plan["within"]), (&engine.into(), &set.into(), &3.into()));
    assert!(plan["log2_failure"].as_f64().is_some_and(|log2| log2 <= -64.0), "{plan}");
    for command in plan["commands"].as_array().expect("commands") {
        let command = command.as_str().expect("a line").strip_prefix("bootes ").expect("a command").replace('\'', "");
        fixture.call(&command).ok();
    }
    assert_eq!(fixture.call("decrypt --key K/client.key --input r1.ct").ok(), "0\n5\n0\n0\n");
    assert_eq!(fixture.call("decrypt --key K/client.key --input r2.ct").ok(), "3\n9\n6\n5\n");
    // In words, the same lines.
    let words = fixture.call(line.trim_end_matches(" --json")).ok();
    assert!(
        words.contains(&format!("choice: engine {engine}, {set}")) && words.contains("bootes eval --key K/server.key")
    );
}

/// What is too long for a program is told what does, and that does.
#[test]
fn long_values_have_another_way() {
    let fixture = Fixture::new();
    fixture.write("x", "1 7 3");
    fixture.write("y", "1 2 3");
    fixture.call("keygen --params toy_batch_9bit --out k").ok();
    fixture.call("encrypt --key k/client.key --bits 9 --input x --output x.ct").ok();
    let inputs = "--input x --input y";
    for (line, words) in [
        ("plan --expr x*y --bits 12 --engine ckks", "no set of engine ckks has room for it; leave --engine out"),
        ("plan --expr x*y --modulus 4093 --engine ckks", "no set of engine ckks has room for it; leave --engine out"),
        ("plan --expr x*y --modulus 251 --params toy_4", "parameter set toy_4 has no room for it; leave --params out"),
        (
            "plan --expr f(x)*y --bits 3 --table f=half --params toy_4",
            "half: the table has 16 entries, and is of residues modulo 8: expected 8",
        ),
        (
            "eval --key k/server.key --expr x*x*x --input x.ct --output r",
            "parameter set toy_batch_9bit has no room for it; take the keys that bootes plan --expr finds",
        ),
        (
            &format!("run --expr x*y;x-y --bits 6 --params toy_batch_6bit {inputs}"),
            "parameter set toy_batch_6bit has no room for it; leave --params out",
        ),
        // Its engine is refused before the length of values is asked for.
        (
            &format!("run --expr x<y --params toy_slots_257 {inputs}"),
            "for engines fhew and ckks, and toy_slots_257 is a parameter set of engine bfv: take another",
        ),
        (&format!("run --expr x<y --params toy_int16 {inputs}"), "how long are the values? --expr needs --width W"),
    ] {
        fixture.write("half", (0..16).map(|x| format!("{} ", x / 2)).collect::<String>());
        fixture.refuses(line, &[words]);
    }
    let lines = [
        "x*y --width 12 --unsigned",
        "x*y --bits 12",
        "x*y --modulus 4093",
        "x<y --width 32",
        "x*y;x-y --bits 6",
        "max(x,y) --width 24",
    ];
    for line in sampled(lines, 3) {
        fixture.call(&format!("plan --expr {line} --threads 1")).ok();
    }
    let run = fixture.call(&format!("run --expr 2*min(x,y)+(x<y) --width 32 --params toy_int16 {inputs}"));
    assert!(run.ok().contains("right: all 3 values"));
}

/// What is too long is taken modulo a power of two that results have, as it says.
#[test]
fn long_products_are_taken_modulo_what_results_have() {
    let fixture = Fixture::new();
    fixture.write("x", "4611686018427387903 5");
    let run = |expression: &str| {
        fixture.call(&format!("run --params toy_int16 --expr {expression} --width 62 --unsigned --input x"))
    };
    for (expression, words) in sampled(
        [
            ("x*x", "modulo a power of two up to 2^65, as x*y % 2^64 is"),
            ("x*x%2^111", "modulo a power of two up to 2^65, as x*y % 2^64 is"),
            ("x*x%2^66", "results modulo 2^65, as (x*y) % 2^65 is"),
        ],
        2,
    ) {
        let refusal = run(expression).refusal();
        assert!(refusal.contains(words), "{expression}: {refusal}");
    }
    for expression in sampled(["x*x%2^65", "x*x%2^64"], 2) {
        assert!(run(expression).ok().contains("right: all 2 values"), "{expression}");
    }
}

/// Files are of names in the order in which an expression has these, which is told.
#[test]
fn files_are_told_with_their_names() {
    let fixture = Fixture::new();
    fixture.write("a.txt", "1 2 3");
    fixture.write("b.txt", "5 7 9");
    for (inputs, told, expected) in [
        ("--input a.txt --input2 b.txt", "input b=a.txt, a=b.txt: 3 values", "-4\n-5\n-6\n"),
        ("--input a=a.txt --input b=b.txt", "input a=a.txt, b=b.txt: 3 values", "4\n5\n6\n"),
    ] {
        let run = fixture.call(&format!("run --params toy_int16 --expr b-a --width 8 {inputs} --output r")).ok();
        assert!(run.contains(told), "{run}");
        assert_eq!(fixture.read("r"), expected.as_bytes(), "{inputs}");
    }
    let json = fixture.call("run --params toy_int16 --expr b-a --width 8 --input a.txt --input2 b.txt --json").json();
    assert_eq!(json["correct"], true);
}

/// A set that is named has room for the program, not for the value alone that lacked it.
#[test]
fn sets_that_are_named_take_the_program() {
    let fixture = Fixture::new();
    let lines = ["--width 11 --unsigned --expr xor(2,y)", "--width 10 --unsigned --expr sign(and(y,y))+3/z-shr(x,x%7)"];
    for line in sampled(lines, 2) {
        let refused = fixture.call(&format!("plan --params toy_batch_integers {line}")).refusal();
        let name = refused.trim().rsplit(' ').next().expect("a word");
        assert!(refused.contains("take parameter set"), "{refused}");
        fixture.call(&format!("plan --params {name} {line} --threads 1")).ok();
    }
}

/// What an expression refuses of its own values is no matter of the file that was given first.
#[test]
fn no_file_is_blamed_for_what_is_between() {
    let fixture = Fixture::new();
    fixture.write("x", "1 7 3");
    fixture.write("y", "1 2 3");
    fixture.call("keygen --params toy_int16 --out k").ok();
    for name in ["x", "y"] {
        fixture.call(&format!("encrypt --key k/client.key --input {name} --output {name}.ct --width 16")).ok();
    }
    let line = "eval --key k/server.key --expr x*y^7 --input x.ct --input y.ct --output r";
    let refusal = fixture.call(line).refusal();
    assert!(refusal.contains(" is of integers from ") && !refusal.contains(".ct"), "{refusal}");
    let refusal = fixture.call("run --params toy_int16 --expr x*y^7 --width 16 --input x --input2 y").refusal();
    assert!(refusal.contains(" is of integers from ") && !refusal.contains(".ct"), "{refusal}");
}

/// The commands that plans of integers print work as they stand, with sets that are made for tables too.
#[test]
fn commands_of_plans_work() {
    let fixture = Fixture::new();
    fixture.write("x.txt", "65535 3 4660");
    fixture.write("y.txt", "43690 1 255");
    let plan = fixture.call("plan --expr and(x,y);x<y --width 16 --unsigned --threads 1 --engine fhew").ok();
    assert!(plan.contains("fhew_5bit") || plan.contains("fhew_4bit") || plan.contains("fhew_3bit"), "{plan}");
    let commands: Vec<String> = plan
        .lines()
        .filter_map(|line| line.trim().strip_prefix("bootes "))
        .map(|line| line.replace('\'', ""))
        .collect();
    assert!(commands.len() >= 6, "{plan}");
    let printed: Vec<String> = commands.iter().map(|command| fixture.call(command).ok()).collect();
    assert_eq!(printed[printed.len() - 2..].join(""), "43690\n1\n52\n0\n0\n0\n");
}

#[test]
fn expressions_that_are_none() {
    let fixture = Fixture::new();
    fixture.write("x", "1 7 3");
    fixture.call("keygen --params toy_batch_4bit --out k").ok();
    fixture.call("encrypt --key k/client.key --input x --output x.ct").ok();
    for (line, words) in [
        ("run --params toy_int16 --expr x/2 --input x", "how long are the values?"),
        ("run --params toy_int16 --expr sum(x) --width 4 --input x", "with engine bfv"),
        ("run --params toy_batch_4bit --expr x/2 --bits 4 --input x", "encrypt them with --width W"),
        ("run --params toy_int16 --expr x<3<4 --width 4 --input x", "--expr: "),
        ("run --expr x<3 --width 4 --engine bfv --input x", "engines fhew and ckks"),
        ("plan --expr x^8 --width 17 --params toy_int16", "at most 112 bits"),
        ("plan --expr x*x", "--width"),
        ("eval --key k/server.key --expr x/2 --input x.ct --output r", "--width W"),
        ("run --params toy_int16 --expr not(x) --width 3 --unsigned --input x", "not(x) is of integers from 0 to 7: "),
        ("run --params toy_4 --expr not(x) --bits 3 --input x", "not(x) is of residues modulo 8: expected a condition"),
        ("run --expr x+1 --modulus 13 --width 4 --input x", "modulo what --modulus says, or of those of --width: give"),
        ("run --expr x+1 --modulus 13 --bits 4 --input x", "modulo what --modulus says, or of those of --bits: give"),
        ("run --params toy_int16 --expr x\u{b3}+1 --width 4 --input x", "x^2 in place of x\u{b2}"),
        ("plan --expr x\u{2081}+x --width 4", "letters, digits 0 to 9 and _"),
    ] {
        fixture.refuses(line, &[words]);
    }
}

/// Operands of different lengths are refused before anything is planned.
#[test]
fn operands_have_one_length() {
    for (set, options) in [("toy_int16", "--width 2"), ("toy_batch_integers", "--width 2"), ("toy_slots_257", "")] {
        let fixture = Fixture::keys_of(set);
        fixture.encrypted("x", "1 0 1", options);
        fixture.encrypted("y", "1 0", options);
        let words = "y.ct: it holds 2 values, and x.ct holds 3: give one for each";
        fixture.refuses("eval --key k/server.key --expr x+y --input x.ct --input y.ct --output r", &[words]);
        fixture.encrypted("y", "1 0 0", options);
        fixture.evaluate("--expr x+y --input x.ct --input y.ct", "r");
        assert_eq!(fixture.values("k/client.key", "r"), [2, 0, 1], "{set}");
    }
    let fixture = Fixture::keys_of("toy_8");
    fixture.encrypted("x", "1 0 1", "--modulus 4");
    fixture.encrypted("y", "1 0", "--modulus 4");
    fixture.write("t", (0..16).map(|i| i.to_string()).collect::<Vec<_>>().join(" "));
    let words = "y.ct: it holds 2 values, and x.ct holds 3: give one for each";
    fixture.refuses("eval --key k/server.key --table t --input x.ct --input y.ct --output r", &[words]);
}
