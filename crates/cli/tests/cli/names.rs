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
        ("plan --bits 3 --table t".into(), "--expr <E>|--sizes <S1,S2,…>"),
    ] {
        fixture.refuses(&line, &[words]);
    }
}
