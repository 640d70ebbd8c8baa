//! Engine bfv: vectors modulo a prime.
use crate::fixture::Fixture;
use bootes_testkit::{in_full, sampled};

/// A table, and two inputs modulo 17.
fn fixture() -> Fixture {
    let fixture = Fixture::new();
    let numbers = |f: &dyn Fn(u64) -> u64, count| (0..count).map(|i| format!("{}\n", f(i) % 17)).collect::<String>();
    fixture.write("t17", numbers(&|x| x * x * x + 5, 17));
    fixture.write("x17", numbers(&|x| x * 7, 8));
    fixture.write("y17", numbers(&|x| x + 3, 8));
    fixture
}

#[test]
fn tables_and_expressions() {
    let fixture = fixture();
    let run = "run --params toy_slots_17 --modulus 17";
    let report = fixture.call(&format!("{run} --table t17 --input x17 --output z17 --json")).json();
    assert_eq!((&report["engine"], &report["correct"]), (&"bfv".into(), &true.into()));
    let image = |x: u64| (x * x * x + 5) % 17;
    let expected: String = (0..8).map(|i| format!("{}\n", image(i * 7 % 17))).collect();
    assert_eq!(fixture.read("z17"), expected.as_bytes());
    let said = fixture.call(&format!("{run} --expr x*y+3*rot(x,1)-sum(y)^9 --input x17 --input2 y17")).ok();
    assert!(said.contains("right: all 8 values agree with plain arithmetic"), "{said}");
    // One probability, rounded alike.
    let after =
        |words: &str| said.split(words).nth(1).and_then(|rest| rest.split_whitespace().next()).map(String::from);
    assert!(after("failure 2^").is_some() && after(", failure 2^") == after("wrong with 2^"), "{said}");
    fixture.call(&format!("{run} --expr -x --input x17 --output z17 --json")).json();
    let expected: String = (0..8).map(|i| format!("{}\n", (17 - i * 7 % 17) % 17)).collect();
    assert_eq!(fixture.read("z17"), expected.as_bytes());
}

#[test]
fn by_files() {
    let fixture = fixture();
    fixture.call("keygen --params toy_slots_17 --out k17").ok();
    for name in ["x17", "y17"] {
        fixture.call(&format!("encrypt --key k17/client.key --input {name} --output {name}.ct")).ok();
    }
    let eval = "eval --key k17/server.key --input x17.ct --input y17.ct --output a.ct";
    fixture.call(&format!("{eval} --expr x*y+1;swap(y) --output b.ct")).ok();
    let expected: String = (0..8u64).map(|i| format!("{}\n", (i * 7 % 17 * (i + 3) + 1) % 17)).collect();
    assert_eq!(fixture.call("decrypt --key k17/client.key --input a.ct").ok(), expected);
    // Both rows have four slots.
    let expected: String = (0..8u64).map(|i| format!("{}\n", (i + 4) % 8 + 3)).collect();
    assert_eq!(fixture.call("decrypt --key k17/client.key --input b.ct").ok(), expected);
    fixture.call("eval --key k17/server.key --expr -x+1 --input x17.ct --output n.ct").ok();
    let expected: String = (0..8u64).map(|i| format!("{}\n", (18 - i * 7 % 17) % 17)).collect();
    assert_eq!(fixture.call("decrypt --key k17/client.key --input n.ct").ok(), expected);
    fixture.call("eval --key k17/server.key --table t17 --modulus 17 --input a.ct --output t.ct").ok();
    fixture.call("decrypt --key k17/client.key --input t.ct").ok();
    for file in ["x17.ct", "k17/client.key", "k17/server.key"] {
        assert!(fixture.call(&format!("inspect {file}")).ok().contains("toy_slots_17"));
    }
    assert!(fixture.call("params toy_slots_17").ok().contains("modulo 17, 8 a ciphertext: 2 x 4"));
    assert_eq!(fixture.call("params toy_slots_17 --json").json()["modulus"], 17);
}

/// What a table or a constant makes of the zeros beside the values is said where a sum adds it.
#[test]
fn slots_without_values_are_told_where_they_count() {
    let fixture = fixture();
    fixture.write("v", "5 6 7");
    fixture.write("ones", "1 1 1");
    fixture.write("less", (0..17).map(|x| format!("{}\n", u8::from(x < 3))).collect::<String>());
    fixture.call("keygen --params toy_slots_17 --out k").ok();
    for name in ["v", "ones"] {
        fixture.call(&format!("encrypt --key k/client.key --input {name} --output {name}.ct")).ok();
    }
    fixture.call("eval --key k/server.key --table less --modulus 17 --input v.ct --output f.ct").ok();
    let sum = |text: &str, inputs: &str| {
        let answer = fixture.call(&format!("eval --key k/server.key --expr {text} {inputs} --output s.ct"));
        assert_eq!(answer.code, Some(0), "{}", answer.stderr);
        (fixture.call("decrypt --key k/client.key --input s.ct").ok(), answer.stderr)
    };
    let (found, note) = sum("sum(f)", "--input f.ct");
    assert_eq!(found, "5\n5\n5\n");
    for part in ["note: 5 of the 8 slots have no value", "sum adds them", "other than 0", "an input of 3 ones first"] {
        assert!(note.contains(part), "{note}");
    }
    assert_eq!(sum("dot(f,ones)", "--input f.ct --input ones.ct"), ("0\n0\n0\n".into(), String::new()));
    assert_eq!(sum("sum(v)", "--input v.ct"), ("1\n1\n1\n".into(), String::new()));
    let (_, note) = sum("swap(v+2)", "--input v.ct");
    assert!(note.contains("hold 2 each by then") && note.contains("swap moves them among the values"), "{note}");
    let run = "run --params toy_slots_17 --modulus 17 --expr sum(x+1) --input";
    let note = fixture.call(&format!("{run} v")).stderr;
    assert!(note.contains("5 of the 8 slots have no value, and hold 1 each by then"), "{note}");
    // Also in two steps, by files, where nothing of the input is left.
    fixture.call("eval --key k/server.key --expr 0*x+1 --input v.ct --output c.ct").ok();
    let (found, note) = sum("sum(c)", "--input c.ct");
    assert!(found == "8\n8\n8\n" && note.contains("5 of the 8 slots have no value"), "{note}");
    assert_eq!(sum("dot(c,ones)", "--input c.ct --input ones.ct"), ("3\n3\n3\n".into(), String::new()));
    // Where all slots have values, nothing is beside them.
    fixture.call(&format!("{run} x17")).ok();
}

/// Each step adds to the probability of failure, which a set promises to keep.
#[test]
fn expressions_keep_the_promise() {
    let fixture = fixture();
    let long = vec!["x"; 20_000].join("+");
    let run = "run --params toy_slots_17 --modulus 17 --input x17 --expr";
    let words = ["2^-127.", "2^-128", "toy_slots_17", "n*x"];
    let refusal = fixture.call(&format!("{run} {long}")).refusal();
    assert!(words.iter().all(|word| refusal.contains(word)), "{}", &refusal[..200]);
    assert!(fixture.call(&format!("{run} 50000*x")).ok().contains("right: all 8"));
    fixture.call("keygen --params toy_slots_17 --out k17").ok();
    fixture.call("encrypt --key k17/client.key --input x17 --output x.ct").ok();
    if in_full() {
        fixture.refuses(&format!("eval --key k17/server.key --input x.ct --output z --expr {long}"), &words);
    }
    fixture.refuses(&format!("{run} max(x,x)"), &["toy_slots_17 is a parameter set of engine bfv: take another"]);
    for option in ["--out-modulus 5", "--out-bits 3", "--algorithm recursive"] {
        fixture.refuses(&format!("{run} x*x {option}"), &["go with --table"]);
    }
}

#[test]
fn residues_are_reduced() {
    let fixture = fixture();
    fixture.write("n", "-1 -16 3");
    fixture.write("n.csv", "a,b\n-1,5\n");
    fixture.write("minus", (0..17).map(|x| format!("{}\n", -x)).collect::<String>());
    let run = "run --params toy_slots_17 --modulus 17 --input n --output r";
    fixture.call(&format!("{run} --expr x --json")).json();
    assert_eq!(fixture.read("r"), b"16\n1\n3\n");
    fixture.call(&format!("{run} --table minus --json")).json();
    assert_eq!(fixture.read("r"), b"1\n16\n14\n");
    fixture.call("keygen --params toy_slots_17 --out k17").ok();
    fixture.call("encrypt --key k17/client.key --modulus 17 --input n --output c").ok();
    fixture.call("encrypt --key k17/client.key --input n.csv --column a --output a").ok();
    let reduced = fixture.call("linear --weights 1000 --input c --output d");
    assert!(reduced.stderr.starts_with("note: ") && reduced.stderr.contains("1000 is 14"), "{}", reduced.stderr);
    let decrypted = |name: &str| fixture.call(&format!("decrypt --key k17/client.key --input {name}")).ok();
    assert_eq!((decrypted("c"), decrypted("a")), ("16\n1\n3\n".into(), "16\n".into()));
    assert_eq!(decrypted("d"), "3\n14\n8\n");
    fixture.write("n", "-17");
    fixture.refuses("encrypt --key k17/client.key --input n --output e", &["n: line 1: -17", "-16 to 16"]);
    // Modulo what is no prime, too.
    fixture.write("n", "-1 -9 3");
    fixture.call("keygen --params toy_4 --out k").ok();
    fixture.call("encrypt --key k/client.key --modulus 10 --input n --output c").ok();
    assert_eq!(fixture.call("linear --weights 1003 --input c --output d").code, Some(0));
    assert_eq!(fixture.call("decrypt --key k/client.key --input d").ok(), "7\n3\n9\n");
}

#[test]
fn refusals() {
    let fixture = fixture();
    fixture.call("keygen --params toy_slots_17 --out k17").ok();
    fixture.call("encrypt --key k17/client.key --input x17 --output x17.ct").ok();
    let run = "run --modulus 17 --input x17";
    let eval = "eval --key k17/server.key --output a.ct --input x17.ct";
    for (line, part) in [
        (format!("{run} --engine bfv --table t17 --bits 4"), "--bits"),
        (format!("{run} --expr x+"), "character 3: expected a number"),
        (format!("{run} --expr x*y"), "--expr is of x, y, and there is 1 file"),
        (format!("{run} --engine ckks --expr rot(x,1)"), "are of vectors modulo a prime, with engine bfv"),
        (
            format!("{run} --params toy_4 --expr x*x"),
            "modulo 17: parameter set toy_4 has no room for it; leave --params out",
        ),
        (format!("{run} --params toy_slots_31 --expr x*x"), "hold values modulo 31, but 17 is asked for"),
        (format!("{run} --engine bfv --algorithm hermite --table t17"), "hermite"),
        ("run --expr x*x --input x17".into(), "--modulus"),
        ("run --engine bfv --modulus 16 --table t17 --input x17".into(), "17 entries, but --modulus is 16"),
        ("keygen --engine bfv --modulus 16 --out k".into(), "there are no slots modulo 16"),
        ("keygen --engine bfv --bits 8 --out k".into(), "there are no slots modulo 256"),
        ("keygen --engine ckks --modulus 17 --out k".into(), "--modulus is for engine bfv"),
        ("encrypt --key k17/client.key --input x17 --output c --modulus 31".into(), "modulo 17, but 31 is asked for"),
        ("encrypt --key k17/client.key --input x17 --output c --width 4".into(), "modulo 17 and nothing else"),
        (format!("{eval} --expr x*y"), "--expr is of x, y, and there is 1 file: give an --input for each"),
        (format!("{eval} --expr x;x+1"), "--output"),
        (format!("{eval} --op relu"), "it holds messages modulo 17, but relu takes large integers"),
        (
            format!("{eval} --table t17 --input x17.ct --modulus 17"),
            "17 entries, and there are 17*17 = 289 combinations",
        ),
        ("params slots_15".into(), "there are no slots modulo 15"),
        ("params slots_257_1".into(), "no parameter set is called slots_257_1"),
        (
            "plan --engine bfv --modulus 7681 --params slots_7681".into(),
            "a table of 7681 entries takes 13 products in a row",
        ),
        (
            "keygen --engine bfv --modulus 131071 --out k".into(),
            "there are 16384 slots, and parameter sets have at most 2048",
        ),
        ("keygen --engine bfv --modulus 131101 --out k".into(), "modulo 131101^2, more than the 2^34 that"),
        ("params slots_3_10".into(), "modulo 3^10 bootstrapping computes modulo 3^14, more than the 2^20.5 that"),
        ("plan --engine bfv --modulus 16".into(), "there are no slots modulo 16"),
    ] {
        let refusal = fixture.call(&line).refusal();
        assert!(refusal.contains(part), "{line}: {refusal}");
    }
}

/// Keys without bootstrapping: made by their depth, and what they have no room for is told with what has.
#[test]
fn keys_of_a_depth() {
    let fixture = Fixture::new();
    fixture.write("a", "1 2 8119");
    fixture.write("b", "8119 0 8119");
    let p = 65_929_217u64;
    let made = fixture.call(&format!("keygen --engine bfv --modulus {p} --depth 1 --out k --json")).json();
    assert_eq!((&made["params"], &made["depth"]), (&"slots_65929217_depth_1".into(), &1.into()));
    assert!(made["server_key_bytes"].as_u64().unwrap() < 8_000_000, "{made}");
    for name in ["a", "b"] {
        fixture.call(&format!("encrypt --key k/client.key --modulus {p} --input {name} --output {name}.ct")).ok();
    }
    let eval = "eval --key k/server.key --input a.ct --input b.ct --output r.ct --expr";
    fixture.call(&format!("{eval} x*y+(x-y)*(x-y)")).ok();
    let expected: String =
        [(1, 8119), (2, 0), (8119, 8119)].map(|(x, y): (i64, i64)| format!("{}\n", x * y + (x - y).pow(2))).concat();
    assert_eq!(fixture.call("decrypt --key k/client.key --input r.ct").ok(), expected);
    let refusal = fixture.call(&format!("{eval} (x*y)^32")).refusal();
    let said = "has no room with parameter set slots_65929217_depth_1, which is for 1 product in a row and bootstraps \
                nothing: it takes a depth of 6; make keys of the set slots_65929217_depth_6";
    assert!(refusal.trim_end().ends_with(said), "{refusal}");
    assert!(fixture.call("params slots_65929217_depth_6").ok().contains("none: room for 6 products in a row"));
    for (line, words) in [
        ("keygen --depth 2 --bits 4 --out z", &["--bits"][..]),
        ("keygen --engine bfv --modulus 65537 --depth 0 --out z", &["--depth", "from 1 on"]),
        ("keygen --engine bfv --modulus 65537 --depth 59 --out z", &["have 1 to", "slots_65537, which bootstraps"]),
        ("keygen --engine bfv --modulus 1099511627777 --depth 1 --out z", &["up to 2^40"]),
        ("keygen --engine bfv --modulus 65929218 --depth 1 --out z", &["such as 65929217"]),
        (
            "encrypt --key k/client.key --modulus 65537 --input a --output z",
            &["modulo 65929217, but 65537 is asked for"],
        ),
        ("keygen --engine ckks --modulus 65537 --depth 1 --out z", &["--modulus is for engine bfv"]),
    ] {
        fixture.refuses(line, words);
    }
    fixture.call("keygen --engine bfv --modulus 65929217 --depth 1 --out z").ok();
}

/// An expression takes keys of its depth by itself, modulo primes that others have no tables for.
#[test]
fn expressions_take_keys_of_their_depth() {
    let fixture = Fixture::new();
    fixture.write("a", "1 2 8119");
    fixture.write("b", "8119 0 8119");
    let run = "run --expr (x-y)^2+x*y --input a --input2 b --modulus";
    for (modulus, set) in [(65_929_217u64, "slots_65929217_depth_1"), (65537, "slots_65537_depth_1")] {
        let report = fixture.call(&format!("{run} {modulus} --json --output r")).json();
        assert_eq!((&report["params"], &report["correct"]), (&set.into(), &true.into()));
        assert!(report["server_key_bytes"].as_u64().unwrap() < 8_000_000, "{report}");
    }
    let plan = "plan --expr x^3 --modulus";
    let said = fixture.call(&format!("{plan} 65929217")).ok();
    assert!(said.contains("keygen --params slots_65929217_depth_2"), "{said}");
    assert_eq!(fixture.call(&format!("{plan} 65537 --json")).json()["params"], "slots_65537_depth_2");
    fixture.refuses("plan --modulus 65929217", &["tables have 2 to 1048576 entries", "--expr"]);
    let refusal = fixture.call(&format!("{run} 65929219 --engine bfv")).refusal();
    assert!(refusal.contains("such as 65929217 (of keygen with --depth D"), "{refusal}");
}

/// Products of residues that have no slots are of integers, where that is faster: what is printed is done.
#[test]
fn products_of_residues_are_of_integers() {
    let fixture = Fixture::new();
    let programs = [(256, "x*y", "x*y % 256", [254, 44, 0]), (100, "x*y-y", "(x*y-y) % 100", [8, 0, 43])];
    for (modulus, text, made, expected) in sampled(programs, 2) {
        fixture.write("x.txt", [255, 3, 0].map(|x| format!("{} ", x % modulus)).concat());
        fixture.write("y.txt", [2, if modulus == 256 { 100 } else { 0 }, 57].map(|y| format!("{y} ")).concat());
        // Of powers of two vectors of one value take less time.
        let engine = if modulus == 256 { " --engine fhew" } else { "" };
        let options = format!("--expr {text} --modulus {modulus} --threads 1{engine}");
        let report = fixture.call(&format!("run {options} --input x.txt --input2 y.txt --output r --json")).json();
        assert_eq!((&report["engine"], &report["correct"]), (&"fhew".into(), &true.into()), "{report}");
        let lines = expected.map(|value| format!("{value}\n")).concat();
        assert_eq!(fixture.read("r"), lines.as_bytes());
        let said = fixture.call(&format!("plan {options}")).ok();
        assert!(said.starts_with(&format!("{made} of integers from 0 to {}", modulus - 1)) || modulus == 256, "{said}");
        assert!(said.contains(&format!("--expr '{made}'")) && said.contains("--unsigned"), "{said}");
        // Without the blanks of the expression, as a shell has it for one word.
        let word = |(number, part): (usize, &str)| if number % 2 == 1 { part.replace(' ', "") } else { part.into() };
        for step in said.lines().filter_map(|line| line.strip_prefix("  bootes ")) {
            let answer = fixture.call(&step.split('\'').enumerate().map(word).collect::<String>()).ok();
            assert!(!step.starts_with("decrypt") || answer == lines, "{answer}");
        }
        std::fs::remove_dir_all(fixture.path("K")).expect("keys that were made");
    }
    // Of many values engine ckks is faster, and what has slots is of vectors.
    let plan = |options: &str| fixture.call(&format!("plan --expr x*y --threads 1 --json {options}")).json();
    assert!(!in_full() || plan("--modulus 256 --count 1000000")["engine"] == "ckks");
    assert_eq!(plan("--modulus 17")["engine"], "bfv");
}

/// A table takes keys that bootstrap nothing, by itself where the whole job is faster, and as planned.
#[test]
fn tables_take_keys_of_their_depth() {
    let fixture = Fixture::new();
    let table = |x: u64| (x * x * x * 41 + x * 7 + x / 3) % 257;
    let lines = |values: &[u64]| values.iter().map(|x| format!("{x}\n")).collect::<String>();
    let values: Vec<u64> = (0..150).map(|i| i * 89 % 257).collect();
    fixture.write("t", lines(&(0..257).map(table).collect::<Vec<_>>()));
    fixture.write("x.txt", lines(&values));
    let expected = lines(&values.iter().map(|&x| table(x)).collect::<Vec<_>>());
    for engine in sampled(["", " --engine bfv"], 2) {
        let options = format!("--table t --modulus 257 --threads 1{engine}");
        let report = fixture.call(&format!("run {options} --input x.txt --output r --json")).json();
        assert_eq!((&report["params"], &report["correct"]), (&"slots_257_depth_8".into(), &true.into()));
        assert_eq!(fixture.read("r"), expected.as_bytes());
        let said = fixture.call(&format!("plan {options} --count 150")).ok();
        for step in said.lines().filter_map(|line| line.strip_prefix("  bootes ")) {
            let answer = fixture.call(step).ok();
            assert!(!step.starts_with("decrypt") || answer == expected, "{answer}");
        }
        std::fs::remove_dir_all(fixture.path("K")).expect("keys that were made");
    }
    // Without a table by its size; nobody says how many there are, and what follows.
    let said = fixture.call("plan --modulus 257 --count 150 --threads 1").ok();
    assert!(said.contains("engine bfv with slots_257_depth_8 takes the least time"), "{said}");
    assert!(fixture.call("plan --modulus 257").ok().contains("slots_257 "));
}

/// Modulo 2^K, a value a ciphertext: by themselves where that is faster, and as planned.
#[test]
fn products_modulo_powers_of_two_take_keys_of_their_depth() {
    let fixture = Fixture::new();
    fixture.write("x.txt", "4294967295 3 123456789");
    fixture.write("y.txt", "2 5 987654321");
    let lines = "4294967294\n15\n4227814277\n";
    for options in ["--modulus 4294967296", "--modulus 4294967296 --engine bfv"] {
        let options = format!("--expr x*y {options} --threads 1");
        let report = fixture.call(&format!("run {options} --input x.txt --input2 y.txt --output r --json")).json();
        assert_eq!((&report["params"], &report["correct"]), (&"slots_4294967296_depth_1".into(), &true.into()));
        assert_eq!(fixture.read("r"), lines.as_bytes());
        let said = fixture.call(&format!("plan {options}")).ok();
        for step in said.lines().filter_map(|line| line.strip_prefix("  bootes ")) {
            let answer = fixture.call(&step.replace('\'', "")).ok();
            assert!(!step.starts_with("decrypt") || answer == lines, "{answer}");
        }
        std::fs::remove_dir_all(fixture.path("K")).expect("keys that were made");
    }
    // Of so many bits, too.
    fixture.write("a", "255 7");
    fixture.write("b", "3 9");
    fixture.call("run --expr x*y+3*x --bits 8 --input a --input2 b --output r").ok();
    assert_eq!(fixture.read("r"), b"250\n84\n");
    fixture.call("keygen --engine bfv --modulus 65536 --depth 1 --out k").ok();
    for name in ["a", "b"] {
        fixture.call(&format!("encrypt --key k/client.key --modulus 65536 --input {name} --output {name}.ct")).ok();
    }
    let eval = "eval --key k/server.key --input a.ct --output r.ct --expr";
    fixture.call(&format!("{eval} x*y-x^2 --input b.ct")).ok();
    fixture.call("compress --key k/server.key --input r.ct --output c.ct").ok();
    assert_eq!(fixture.call("decrypt --key k/client.key --input c.ct").ok(), "1276\n14\n");
    assert!(fixture.call("params slots_65536_depth_1").ok().contains("modulo 65536, 1 a ciphertext"));
    for text in ["rot(x,1)", "swap(x)", "sum(x)", "dot(x,x)"] {
        let words = &["modulo 65536 it holds one value: add ciphertexts up, as x + y, or take a prime, such as 65537"];
        fixture.refuses(&format!("{eval} {text}"), words);
        fixture.refuses(&format!("run --expr {text} --modulus 65536 --input a"), words);
        fixture.refuses(&format!("plan --expr {text} --modulus 65536"), words);
    }
    fixture.refuses(&format!("{eval} x^4"), &["a depth of 2; make keys of the set slots_65536_depth_2"]);
    fixture.call("keygen --params slots_65536_depth_2 --out k2").ok();
    // Without a depth nothing holds them: the refusal is followed.
    let refusal = fixture.call("keygen --engine bfv --modulus 65536 --out k3").refusal();
    assert!(refusal.contains("or --params slots_65536_depth_1, of one value a ciphertext"), "{refusal}");
    fixture.refuses("params slots_2_16_depth_1", &["--params slots_65536_depth_1"]);
}
