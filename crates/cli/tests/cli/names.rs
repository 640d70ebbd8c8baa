//! Names of results: on files, and of what plans print.

use crate::fixture::Fixture;

/// Runs the commands that a plan prints.
fn follow(fixture: &Fixture, plan: &serde_json::Value) {
    for command in plan["commands"].as_array().expect("commands") {
        let command = command.as_str().expect("a line").strip_prefix("bootes ").expect("a command").replace('\'', "");
        fixture.call(&command).ok();
    }
}

/// No result is written over another, or over an input.
#[test]
fn plans_name_no_two_files_alike() {
    let fixture = Fixture::new();
    for (name, values) in [("x", "1 7 3"), ("y", "2 2 3"), ("r1", "1 2 3")] {
        fixture.write(&format!("{name}.txt"), values);
    }
    let results = |expr: &str, outputs: &[(&str, &str)]| {
        let line = format!("plan --params toy_int16 --width 3 --unsigned --threads 1 --json --expr {expr}");
        follow(&fixture, &fixture.call(&line).json());
        for (file, values) in outputs {
            let found = fixture.call(&format!("decrypt --key K/client.key --input {file}.ct")).ok();
            assert_eq!(found.split_whitespace().collect::<Vec<_>>().join(" "), *values, "{expr}: {file}");
        }
        std::fs::remove_dir_all(fixture.path("K")).expect("keys that were made");
    };
    results("r2=x+y;x-y", &[("r2", "3 9 6"), ("r2_", "-1 5 0")]);
    results("x-y;r1=x+y", &[("r1_", "-1 5 0"), ("r1", "3 9 6")]);
    results("r1+x;r2_=r1-x;2*x", &[("r1_", "2 9 6"), ("r2_", "0 -5 0"), ("r3", "2 14 6")]);
}

#[test]
fn results_are_written_by_their_names() {
    let fixture = Fixture::new();
    fixture.write("x", "1 7 3");
    fixture.write("y", "2 2 3");
    fixture.call("keygen --params toy_int16 --out k").ok();
    for name in ["x", "y"] {
        let form = "--width 4 --within 3 --unsigned";
        fixture.call(&format!("encrypt --key k/client.key {form} --input {name} --output {name}.ct")).ok();
    }
    let eval = "eval --key k/server.key --expr d=x-y;x+x;s=x+y --input x.ct --input y.ct";
    let words = fixture.call(&format!("{eval} --output s=sum.ct --output twice.ct --output d=diff.ct")).ok();
    assert!(words.contains("diff.ct, twice.ct, sum.ct: "), "{words}");
    for (file, values) in [("diff", "-1\n5\n0\n"), ("twice", "2\n14\n6\n"), ("sum", "3\n9\n6\n")] {
        assert_eq!(fixture.call(&format!("decrypt --key k/client.key --input {file}.ct")).ok(), values);
    }
    for (outputs, words) in [
        ("d=a s=b", "2 outputs for 3 expr(s)"),
        ("d=a s=b d=c", "--output d=… is given twice"),
        ("d=a b c", "another --output has a name: give --output s=FILE, too"),
        ("d=a s=a c", "a: it is the same file as a"),
        ("d=a s=b total=c", "--expr has no result total: its results with names are d, s; a file that is called so is"),
        ("d=a s=x.ct c", "x.ct: it is the same file as x.ct"),
    ] {
        let outputs: String = outputs.split(' ').map(|output| format!(" --output {output}")).collect();
        fixture.refuses(&format!("{eval}{outputs}"), &[words]);
    }
    let line = "eval --key k/server.key --expr x-y --input x.ct --input y.ct --output d=a";
    fixture.refuses(line, &["--expr has no result d: name it in --expr, as in d = x + y, or"]);
    fixture.call(&line.replace("d=a", "./d=a")).ok();
    assert!(fixture.path("d=a").exists());
    // All results of a job are columns of one file.
    let line = "run --params toy_int16 --width 3 --unsigned --expr d=x-y --input x --input y --output d=a";
    fixture.refuses(line, &["give --output FILE, or --output ./d=…"]);
}

/// A table of several values is planned as it is, and refused for what it lacks.
#[test]
fn plans_of_sizes_take_a_table() {
    let fixture = Fixture::new();
    let entries = |count: u64, image: fn(u64) -> u64| (0..count).map(|i| format!("{} ", image(i))).collect::<String>();
    fixture.write("t", entries(12, |i| i * 5 % 12));
    fixture.write("t16", entries(16, |i| i * 3 % 16));
    fixture.write("large", entries(12, |_| 40));
    fixture.write("negative", "1 2 3 -1");
    for (name, values) in [("x1", "0 1 1"), ("x2", "1 0 1"), ("x3", "2 1 0")] {
        fixture.write(&format!("{name}.txt"), values);
    }
    let plan = "plan --params toy_4 --threads 1 --json --sizes";
    follow(&fixture, &fixture.call(&format!("{plan} 2,2,3 --table t")).json());
    assert_eq!(fixture.call("decrypt --key K/client.key --input r.ct").ok(), "1\n11\n9\n");
    std::fs::remove_dir_all(fixture.path("K")).expect("keys that were made");
    // As a shell takes them.
    fixture.write("a b's", entries(16, |i| i));
    let with_table = |command: &mut std::process::Command| {
        command.args(["--table", "a b's"]);
    };
    let plan_of_it = fixture.call_with(&format!("{plan} 4,4"), with_table).json();
    assert!(plan_of_it["commands"][3].as_str().is_some_and(|line| line.contains("--table 'a b'\\''s' --sizes")));
    for (line, words) in [
        (format!("{plan} 2,2,3 --table t16"), "t16: the table has 16 entries, and there are 2*2*3 = 12 combinations"),
        (format!("{plan} 2,2,4 --table t"), "t: the table has 12 entries, and there are 2*2*4 = 16 combinations"),
        (format!("{plan} 2,2,3 --table large"), "6 bits"),
        (format!("{plan} 2,2 --table negative"), "entry 3 is -1: table entries are not negative"),
        (format!("{plan} 2,2,3 --table none"), "cannot read none"),
        (format!("{plan} 2,2,3 --table t --table t"), "--sizes is of one --table"),
        (format!("{plan} 2,2,3 --unsigned"), "--unsigned"),
        (format!("{plan} 2,2,3 --bits 3"), "--bits"),
    ] {
        fixture.refuses(&line, &[words]);
    }
}

/// A table of one value is planned as `run` does it, its entries telling the size, and so are integers.
#[test]
fn plans_take_a_table_of_one_value() {
    let fixture = Fixture::new();
    let entries = |count: u64, most: u64| (0..count).map(|i| format!("{} ", i * i * 7919 % most)).collect::<String>();
    fixture.write("t", entries(8, 8));
    fixture.write("t5", entries(5, 5));
    fixture.write("long", entries(16, 1 << 18));
    fixture.write("x.txt", "0 1 4");
    for (options, expected) in [
        ("--table t --params toy_4", "0\n7\n0\n"),
        ("--table t --bits 3 --params toy_4", "0\n7\n0\n"),
        ("--table t --width 3 --params toy_4", "0\n7\n0\n"),
        ("--table t5 --modulus 5 --params toy_4", "0\n4\n4\n"),
        ("--table t --params toy_batch_4bit", "0\n7\n0\n"),
        // Residues have no such results with engine fhew.
        ("--table long --params toy_int16", "0\n7919\n126704\n"),
        ("--table long --width 4 --params toy_int16", "0\n7919\n126704\n"),
    ] {
        let plan = fixture.call(&format!("plan {options} --threads 1 --json")).json();
        assert!(plan["entries"].is_u64() || options.contains("long"), "{plan}");
        follow(&fixture, &plan);
        assert_eq!(fixture.call("decrypt --key K/client.key --input r.ct").ok(), expected, "{options}");
        std::fs::remove_dir_all(fixture.path("K")).expect("keys that were made");
        let words = fixture.call(&format!("plan {options} --threads 1")).ok();
        assert!(words.starts_with("table ") && words.contains("bootes eval --key K/server.key --table "), "{words}");
    }
    for (line, words) in [
        ("plan --table t --bits 4", "t: the table has 8 entries, and values of --bits 4 take 2^4: leave --bits out"),
        ("plan --table t --width 2", "values of --width 2 take 2^2: leave --width out"),
        ("plan --table t5", "5 entries"),
        ("plan --table t --table t", "--table is one file, or NAME=FILE for each that --expr has"),
        ("plan --table t --explain", "--explain"),
        ("plan --width 3", "--table"),
        ("plan --table t --params toy_4 --engine ckks", "toy_4"),
    ] {
        fixture.refuses(line, &[words]);
    }
    fixture.call("plan --table t").ok();
}

/// Results that are too long for residues of engine fhew are those of integers, if that is faster.
#[test]
fn tables_of_long_results_are_of_integers() {
    let fixture = Fixture::new();
    for (count, name) in [(16, "t"), (11, "t11")] {
        fixture.write(name, (0..count).map(|i| format!("{} ", i * 20011)).collect::<String>());
    }
    fixture.write("x", "0 1 10");
    for options in
        ["", "--params toy_int16", "--engine fhew", "--table t11 --modulus 11 --out-bits 18 --params toy_int16"]
    {
        let table = if options.contains("t11") { "" } else { "--table t" };
        let report = fixture.call(&format!("run {table} {options} --input x --json --threads 2 --output r")).json();
        assert_eq!((&report["engine"], &report["wrong"]), (&"fhew".into(), &0.into()), "{options}: {report}");
        assert_eq!(fixture.read("r"), b"0\n20011\n200110\n");
    }
    // As residues where that is asked for.
    fixture.refuses("run --table t --bits 19 --params toy_int16 --input x", &["19"]);
}
