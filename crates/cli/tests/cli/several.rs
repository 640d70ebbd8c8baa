//! Several encrypted values: tables of them, tables and results with names, columns and files by name.

use crate::fixture::Fixture;
use bootes_testkit::{in_full, sampled};

/// Entries of a table of two values.
fn entries(sizes: [u64; 2], image: impl Fn(u64, u64) -> u64) -> String {
    let all = (0..sizes[0]).flat_map(|x| (0..sizes[1]).map(move |y| (x, y)));
    all.map(|(x, y)| format!("{}\n", image(x, y))).collect()
}

#[test]
fn tables_of_several_values_are_run() {
    let fixture = Fixture::new();
    fixture.write("x", "0 1 2 3 3");
    fixture.write("y", "3 3 1 2 0");
    fixture.write("z.csv", "name,y,x\nAda,3,0\nAlan,3,1\nJoan,1,2\n");
    fixture.write("product", entries([4, 4], |x, y| x * y));
    fixture.write("unequal", entries([2, 8], |x, y| x + y));
    fixture.write("odd", entries([3, 5], |x, y| x * y % 15));
    fixture.write("long", entries([64, 64], |x, y| x.max(y)));
    let values = |line: &str| {
        fixture.call(&format!("run {line} --output r")).ok();
        String::from_utf8(fixture.read("r")).expect("text").split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let run = "--params toy_4 --table product";
    assert_eq!(values(&format!("{run} --input x --input y")), "0 3 2 6 0");
    assert_eq!(values(&format!("{run} --input x --input2 y")), "0 3 2 6 0");
    // Residues, and integers of a width that is said.
    assert_eq!(values(&format!("{run} --bits 2 --input x --input y")), "0 3 2 6 0");
    assert_eq!(values(&format!("{run} --width 2 --unsigned --input x --input y")), "0 3 2 6 0");
    assert_eq!(values(&format!("{run} --input z.csv --column x --column y")), "0 3 2");
    fixture.write("b", "0 1 1 0 1");
    assert_eq!(values("--params toy_4 --table unequal --sizes 2,8 --input b --input x"), "0 2 3 3 4");
    fixture.write("t", "-1 1 2 0 1");
    assert_eq!(values("--params toy_4 --table odd --modulus 15 --sizes 3,5 --input t --input y"), "6 3 2 0 0");
    // Numbers of entries that are no power of two need no option: residues modulo it, or modulo what holds them.
    fixture.write("u", "0 1 2 0 1");
    assert_eq!(values("--params toy_4 --table odd --sizes 3,5 --input u --input y"), "0 3 2 0 0");
    fixture.write("nine", entries([3, 3], |x, y| x + y));
    assert_eq!(values("--params toy_4 --table nine --input u --input u"), "0 2 4 0 2");
    fixture.write("more", entries([3, 3], |x, y| 5 * x + y));
    assert_eq!(values("--params toy_4 --table more --input u --input u"), "0 6 12 0 6");
    assert_eq!(values("--params toy_int16 --table long --input x --input y"), "3 3 2 3 3");
    let found = fixture.call("run --params toy_4 --table product --input x --input y --json").json();
    assert_eq!((&found["correct"], &found["sizes"][1], &found["count"]), (&true.into(), &4.into(), &5.into()));

    fixture.write("wide", entries([8, 4], |x, y| x + y));
    let run = "run --params toy_4 --table";
    for (line, words) in [
        (format!("{run} unequal --sizes 4,8 --input b --input x"), "4*8 = 32 combinations of the values"),
        (
            format!("{run} product --bits 3 --input x --input y"),
            "8*8 = 64 combinations of the values that each input may have: expected an entry for each, the last input \
             varying fastest; --bits and --width are of each input",
        ),
        (format!("{run} product --width 2 --input x --input y"), "give --unsigned"),
        (format!("{run} product --sizes 4,2,2 --input x --input y"), "--sizes has 3 numbers, and there are 2 inputs"),
        (format!("{run} product --sizes 4,4 --input x"), "give an --input for each"),
        (format!("{run} product --sizes 4 --input x"), "expected two numbers or more"),
        (format!("{run} long --input x --input y --engine ckks"), "fhew"),
        ("run --params toy_4_binary --table wide --sizes 8,4 --input x --input y".into(), "leave --params out"),
        (format!("{run} odd --input x --input y"), "have not one number of values each: give --sizes"),
        (format!("{run} odd --sizes 3,5 --input y --input u"), "y: "),
        (format!("{run} product --input x --input in.txt"), "in.txt: "),
        (format!("{run} product --input x --input b --input y"), "have not one number of values each: give --sizes"),
        (format!("{run} product --algorithm recursive --input x --input y"), "leave it out"),
    ] {
        fixture.refuses(&line, &[words]);
    }
    fixture.write("short", "1 2");
    fixture.refuses(&format!("{run} product --input x --input short"), &["short: it has 2 integers, and x has 5"]);
}

/// Results of several integers that are too long for one ciphertext have several.
#[test]
fn tables_of_several_values_have_long_results() {
    let fixture = Fixture::new();
    fixture.write("x", "0 15 7");
    fixture.write("long", entries([16, 16], |x, y| 4000 * x * y));
    fixture.call("keygen --params toy_int16 --out K").ok();
    fixture.call("encrypt --key K/client.key --width 8 --within 4 --unsigned --input x --output x.ct").ok();
    fixture.call("eval --key K/server.key --table long --input x.ct --input x.ct --output r.ct").ok();
    assert_eq!(fixture.call("decrypt --key K/client.key --input r.ct").ok(), "0\n900000\n196000\n");
    fixture.call("run --params toy_int16 --table long --width 4 --unsigned --input x --input x --output r").ok();
    assert_eq!(fixture.read("r"), b"0\n900000\n196000\n");
}

/// Tables of several residues have an entry for each combination, and give residues of the same modulus.
#[test]
fn tables_of_several_residues_are_in_expressions() {
    let fixture = Fixture::new();
    fixture.write("x", "0 1 1 0");
    fixture.write("y", "1 1 0 2");
    fixture.write("carry", "0 0 0 1 0 1 1 1");
    fixture.write("nine", entries([3, 3], |x, y| (x + 2 * y) % 3));
    fixture.write("squares", "0 1 4 9 16 25 36 49");
    fixture.write("products", entries([3, 3], |x, y| x * y));
    fixture.write("bits.csv", "x,y,z\n0,1,1\n1,1,0\n1,1,1\n0,1,0\n");
    let adder =
        "--expr s=x+y+z;c=carry(x,y,z);t=x+c;u=xor(x,and(y,z));v=carry(x,1,carry(0,y,z)) --table carry=carry --bits 1";
    fixture.call(&format!("run --params toy_4 {adder} --input bits.csv --output r")).ok();
    assert_eq!(
        String::from_utf8(fixture.read("r")).unwrap(),
        "s,c,t,u,v\n0,1,1,1,1\n0,1,0,1,1\n1,1,0,0,1\n1,0,0,0,0\n"
    );
    fixture.call(&format!("plan --params toy_4 {adder}")).ok();
    let nine = "--expr f(x,y)+x --table f=nine --modulus 3";
    fixture.call("keygen --params toy_4 --out K").ok();
    for name in ["x", "y"] {
        fixture.call(&format!("encrypt --key K/client.key --modulus 3 --input {name} --output {name}.ct")).ok();
    }
    fixture.call(&format!("eval --key K/server.key {nine} --input x=x.ct --input y=y.ct --output r.ct")).ok();
    assert_eq!(fixture.call("decrypt --key K/client.key --input r.ct").ok(), "2\n1\n2\n1\n");
    for (line, words) in [
        (
            "run --expr f(x) --table f=nine --modulus 3 --input x",
            "has 9 entries, and is of residues modulo 3: expected 3",
        ),
        (
            "plan --expr f(x,y) --table f=nine --bits 1",
            "is of residues modulo 2, 2: expected 4, one for each combination",
        ),
        (
            "plan --expr f(x,y) --table f=carry --width 3",
            "of these integers take f(8*x + y + 36), a table of 64 entries, of which number v is the entry of \
             v/8 - 4, v % 8 - 4",
        ),
        (
            "plan --expr f(x,y) --table f=carry --width 13",
            "of these integers there are combinations of 26 bits, and a table has 2^20 entries at most: take shorter \
             ones, as x % 1024 is",
        ),
        ("plan --expr f(x) --table f=nine --width 3", "a table of 9 entries on integers from -4 to 3"),
        (
            "plan --expr g(x)+g(x) --table g=squares --bits 3",
            "squares: entry 3 is 9, and results of this table are residues modulo 8, as what it is of: expected 0 to \
             7; of integers (--width 3 --unsigned in place of --bits or --modulus) it gives integers",
        ),
        (
            "eval --key K/server.key --expr h(x,y) --table h=products --input x=x.ct --input y=y.ct --output r.ct",
            "products: entry 8 is 4, and results of this table",
        ),
    ] {
        fixture.refuses(line, &[words]);
    }
    // What they advise.
    let sums = "--expr g(x)+g(x) --table g=squares --width 3 --unsigned";
    fixture.call(&format!("run --params toy_int16 {sums} --input x --output r")).ok();
    assert_eq!(fixture.read("r"), b"0\n2\n2\n0\n");
    // The modulus of each, or of their combinations.
    for options in ["--modulus 3", "--modulus 9 --out-modulus 3"] {
        fixture.call(&format!("run --params toy_4 --table nine {options} --input x --input y --output r")).ok();
        assert_eq!(fixture.read("r"), b"2\n0\n1\n1\n", "{options}");
    }
    fixture.call("eval --key K/server.key --table nine --modulus 3 --input x.ct --input y.ct --output m.ct").ok();
    // A table alone has the modulus of its operands, too.
    fixture.call("eval --key K/server.key --table nine --input x.ct --input y.ct --output r.ct").ok();
    fixture.call("eval --key K/server.key --expr r+x --input r=r.ct --input x=x.ct --output s.ct").ok();
    assert_eq!(fixture.call("decrypt --key K/client.key --input s.ct").ok(), "2\n1\n2\n1\n");
    fixture.write("packed", entries([8, 8], |x, y| (x + y) % 8));
    fixture.write("long", entries([64, 64], |x, y| (x + y) % 8));
    for line in [
        "plan --params toy_int16 --table f=packed --width 3 --expr f(8*x+y+36)",
        "plan --params toy_int16 --table f=long --width 13 --expr f(64*(x%64)+y%64)",
    ] {
        fixture.call(line).ok();
    }
}

/// What is told where a table of several values is refused is done, and does.
#[test]
fn refusals_of_tables_of_several_values_are_followed() {
    let fixture = Fixture::new();
    fixture.write("x", "1 2 3");
    fixture.write("y", "1 0 2");
    let image = |x, y| (x * 13 + y) % 60;
    fixture.write("T", entries([5, 13], image));
    fixture.write("all", entries([8, 16], image));
    fixture.write("long", entries([4, 16], |x, y| 40 * (x * 16 + y)));
    fixture.write("negative", (-3..61).map(|value| format!("{value} ")).collect::<String>());
    let expected = "14\n26\n41\n";
    let encrypt = |options: [&str; 2]| {
        for (name, options) in ["x", "y"].into_iter().zip(options) {
            fixture.call(&format!("encrypt --key K/client.key --input {name} --output {name}.ct {options}")).ok();
        }
    };
    let eval = |table: &str| format!("eval --key K/server.key --table {table} --input x.ct --input y.ct --output r");
    let check = |table: &str| {
        fixture.call(&eval(table)).ok();
        assert_eq!(fixture.call("decrypt --key K/client.key --input r").ok(), expected);
    };
    fixture.call("keygen --params toy_4 --out K").ok();
    encrypt(["--modulus 5", "--modulus 13"]);
    let words = "encrypt them with --width 7 --within R --unsigned, R bits each, with keys of bootes keygen --width 7, \
                 and the table 128 entries, one for each such integer; or take these with keys of bootes keygen \
                 --engine fhew --bits 7";
    fixture.refuses(&eval("T"), &[words]);
    // Sets for integers take residues as well, of any number of values, and both beside each other.
    fixture.call("keygen --params toy_int16 --out K --force").ok();
    encrypt(["--modulus 5", "--modulus 13"]);
    check("T");
    for mixed in
        [["--width 7 --within 3 --unsigned", "--modulus 13"], ["--modulus 5", "--width 7 --within 4 --unsigned"]]
    {
        encrypt(mixed);
        fixture.refuses(&eval("T"), &["say with --sizes how many values each has"]);
        check("T --sizes 5,13");
    }
    encrypt(["--width 7 --within 3 --unsigned", "--width 7 --within 4 --unsigned"]);
    let words = "the last input varying fastest; say with --sizes how many values each has, give it 128 entries, or \
                 encrypt residues, which have any number of values (encrypt --modulus)";
    fixture.refuses(&eval("T"), &[words]);
    check("all");
    check("T --sizes 5,13");
    check("all --sizes 8,16");
    let swapped = eval("T --sizes 5,13").replace("--input x.ct --input y.ct", "--input y.ct --input x.ct");
    fixture.refuses(
        &swapped,
        &[
            "y.ct: it holds integers from 0 to 15",
            "in the order of --sizes, or encrypt this one with --within 3 --unsigned",
        ],
    );
    fixture.refuses(&eval("T --sizes 5,12"), &["5*12 = 60 combinations"]);
    fixture.refuses(&eval("T --sizes 5,13,1"), &["expected two numbers or more from 2 on"]);
    fixture.refuses(&eval("T --sizes 5,2,6"), &["--sizes has 3 numbers, and there are 2 inputs"]);
    fixture.refuses(&eval("T --sizes 5,13").replace(" --input y.ct", ""), &["give an --input for each"]);
    fixture.call("keygen --params toy_8 --out K --force").ok();
    encrypt(["--modulus 5", "--modulus 13"]);
    check("T");

    let inputs = "--input x --input y";
    for (line, words) in [
        (
            format!("run --table T --modulus 65 --sizes 5,13 --params toy_4 {inputs}"),
            "values of 3, 4 bits, and a bootstrap with parameter set toy_4 takes 4: leave --params out",
        ),
        (
            "plan --table negative --sizes 4,16".into(),
            "run and eval take those of residues with --modulus in place of --bits",
        ),
        (
            format!("run --table negative --sizes 4,16 --out-modulus 64 --params toy_8 {inputs}"),
            "--modulus <P> (of --out-modulus: P is the number of entries of the table)",
        ),
    ] {
        fixture.refuses(&line, &[words]);
    }
    for line in ["plan --table long --sizes 4,16 --threads 1", "plan --table T --sizes 5,13 --threads 1"] {
        fixture.call(line).ok();
    }
    fixture.call(&format!("run --table long --sizes 4,16 --params toy_8 {inputs}")).ok();
    // Sets for integers take them as such.
    fixture.call(&format!("run --table T --sizes 5,13 --params toy_int16 {inputs} --output r")).ok();
    assert_eq!(fixture.read("r"), expected.as_bytes());
    fixture.call(&format!("run --table negative --sizes 4,16 --modulus 64 --params toy_8 {inputs}")).ok();
    let line = "run --table negative --sizes 4,16 --modulus 64 --out-modulus 64 --params toy_8";
    fixture.call(&format!("{line} {inputs}")).ok();
    let line = "run --op max --width 4 --params toy_int16 --input x --input2 y";
    fixture.refuses(&format!("{line} --within 3"), &["run finds the room itself; leave it out"]);
    fixture.call(line).ok();
}

/// What a plan prints does what it says.
#[test]
fn plans_of_tables_of_several_values_are_commands() {
    let fixture = Fixture::new();
    for (sizes, image, set) in sampled([([2, 8], 14, "toy_4"), ([3, 5], 7, "toy_4"), ([5, 13], 7, "toy_int16")], 2) {
        let modulus = sizes[0] * sizes[1];
        fixture.write("T", entries(sizes, |x, y| (x * 7 + y) % modulus));
        let line = format!("plan --sizes {},{} --params {set} --threads 1", sizes[0], sizes[1]);
        assert_eq!(fixture.call(&format!("{line} --table T")).code, Some(0));
        fixture.write("x1.txt", "0 1");
        fixture.write("x2.txt", "4 0");
        let plan = fixture.call(&format!("{line} --json")).json();
        for command in plan["commands"].as_array().expect("commands") {
            fixture.call(command.as_str().and_then(|line| line.strip_prefix("bootes ")).expect("a command")).ok();
        }
        let found = fixture.call("decrypt --key K/client.key --input r.ct").ok();
        assert_eq!(found, format!("4\n{}\n", image.min(7)), "{plan}");
        let words = fixture.call(&line).ok();
        assert!(words.contains("a table of 2 values") && words.contains("--table T"), "{words}");
        std::fs::remove_dir_all(fixture.path("K")).expect("keys that were made");
    }
    let plan = fixture.call("plan --sizes 16,16 --threads 1 --json").json();
    assert_eq!((&plan["engine"], &plan["sizes"][0]), (&"fhew".into(), &16.into()));
    // What is no power of two is of integers where that is faster.
    for sizes in sampled(["20,20", "7,7,7", "64,100"], 2) {
        let plan = fixture.call(&format!("plan --sizes {sizes} --threads 1 --json")).json();
        assert_eq!(plan["engine"], "fhew", "{sizes}");
    }
    fixture.refuses("plan --sizes 16,16 --bits 4", &["--sizes"]);
    fixture.refuses("plan --sizes 1024,2048", &["at most 2^20, the most entries of a table"]);
    fixture.refuses("plan --sizes 1024,1024 --engine fhew", &["leave --engine out"]);
    // Residues of more bits together than the set has residues are kept as integers, in limbs beyond 16 bits.
    for sizes in ["100,655", "100,656"] {
        assert_eq!(fixture.call(&format!("plan --sizes {sizes} --engine fhew --json")).json()["engine"], "fhew");
    }
    let line = "plan --sizes 64,64,64 --threads 1";
    fixture.refuses(&format!("{line} --engine fhew"), &["leave --engine out"]);
    assert!(!in_full() || fixture.call(&format!("{line} --json")).json()["engine"] == "ckks");
    // Of many encryptions some are shown, and all are told to machines.
    let sum = (0..20).map(|i| format!("v{i}")).collect::<Vec<_>>().join("+");
    let line = format!("plan --expr {sum} --width 8 --threads 1 --params toy_int16");
    let words = fixture.call(&line).ok();
    assert!(words.contains("v7.ct\n  … and so for 12 more\n  bootes eval") && !words.contains("v8.txt"), "{words}");
    assert_eq!(fixture.call(&format!("{line} --json")).json()["commands"].as_array().map(Vec::len), Some(23));
}

#[test]
fn expressions_have_tables_by_name() {
    let fixture = Fixture::new();
    fixture.write("x", "1 7 3 0");
    fixture.write("y", "2 2 3 5");
    fixture.write("square", (0..8).map(|x| format!("{} ", x * x)).collect::<String>());
    fixture.write("half", (0..16).map(|x| format!("{} ", x / 2)).collect::<String>());
    fixture.write("s257", (0..257).map(|x| format!("{} ", x * x % 257)).collect::<String>());
    let run = |line: &str| {
        let found = fixture.call(&format!("run {line} --input x --input y --json")).json();
        assert_eq!(found["correct"], true, "{found}");
    };
    // Integers, which do not wrap, residues of single values and in slots.
    run("--params toy_int16 --width 3 --unsigned --table f=square --expr f(x)+y");
    run("--params toy_int16 --width 3 --unsigned --table f=square --table g=square --expr max(f(x),g(y))-x");
    run("--params toy_4 --bits 4 --table half=half --expr half(x)+3*y");
    run("--params toy_slots_257 --modulus 257 --table f=s257 --expr f(x)+y");
    // One that has an entry for each integer that it is of, and ends before others.
    fixture.write("five", "10 11 12 13 14");
    run("--params toy_int16 --width 3 --unsigned --table f=five --expr f(x%5)+y");
    for (line, words) in [
        ("--table f=five --expr f(x)+y", "five: a table of 5 entries on integers from 0 to 7: "),
        ("--table f=square --table g=square --expr f(x)+y", "--expr has no g(…): leave --table g=… out, or use it"),
    ] {
        let line = format!("run --params toy_int16 --width 3 --unsigned {line} --input x --input y");
        fixture.refuses(&line, &[words]);
    }

    let line = "plan --params toy_int16 --expr f(x)+y --table f=square --width 3 --unsigned --threads 1 --json";
    let plan = fixture.call(line).json();
    fixture.write("x.txt", "1 7 3 0");
    fixture.write("y.txt", "2 2 3 5");
    for command in plan["commands"].as_array().expect("commands") {
        let command = command.as_str().expect("a line").strip_prefix("bootes ").expect("a command").replace('\'', "");
        fixture.call(&command).ok();
    }
    assert_eq!(fixture.call("decrypt --key K/client.key --input r1.ct").ok(), "3\n51\n12\n5\n");
    // Files by name, in any order.
    let eval = "eval --key K/server.key --table f=square --expr f(x)-y";
    fixture.call(&format!("{eval} --input y=y.ct --input x=x.ct --output d.ct")).ok();
    assert_eq!(fixture.call("decrypt --key K/client.key --input d.ct").ok(), "-1\n47\n6\n-5\n");

    let run = "run --params toy_int16 --width 3 --unsigned --input x";
    for (line, words) in [
        (format!("{run} --expr g(x)"), "no function is called g: expected rot,"),
        (format!("{run} --expr g(x)"), "give it with --table g=FILE"),
        (format!("{run} --expr g(x)+f(x) --table f=square"), "tables are f"),
        (format!("{run} --expr x+1 --table f=square"), "--expr has no f(…): leave --table f=… out, or use it"),
        (format!("{run} --expr x+1 --table square"), "square: a table of --expr has a name: give --table f=FILE"),
        (format!("{run} --expr f(x) --table f=square --table f=half"), "--table f=… is given twice"),
        (format!("{run} --expr f(x) --table f=none"), "cannot read none"),
        (format!("{run} --expr f(x) --table f=square --out-bits 9"), "results of --expr are as its values"),
        (format!("{eval} --input y=y.ct --input z=x.ct --output r"), "--expr has no z"),
        (format!("{eval} --input y=y.ct --output r"), "give --input x=FILE, too"),
        (format!("{eval} --input y=y.ct --input x.ct --output r"), "x.ct: it has no name"),
        (format!("{eval} --input y=y.ct --input x=x.ct --output y.ct"), "y.ct: it is the same file as y.ct"),
        (
            "run --params toy_4 --bits 3 --input x --expr f(x) --table f=half".into(),
            "half: the table has 16 entries, and is of residues modulo 8: expected 8",
        ),
        ("plan --bits 3 --table f=half".into(), "--expr"),
    ] {
        fixture.refuses(&line, &[words]);
    }
}

#[test]
fn columns_and_results_have_names() {
    let fixture = Fixture::new();
    fixture.write("t.csv", "name,age,income\nAda,36,5\nAlan,41,7\nJoan,75,-3\n");
    fixture.write("age.txt", "36 41 75");
    fixture.write("income.txt", "5 7 -3");
    let run = "run --params toy_int16 --width 8 --expr";
    let call = |expr: &str, line: &str| {
        let mut words: Vec<&str> = "--params toy_int16 --width 8 --output r --expr".split(' ').collect();
        words.push(expr);
        words.extend(line.split(' '));
        fixture
            .call_with("run", |command| {
                command.args(&words);
            })
            .ok();
        String::from_utf8(fixture.read("r")).expect("text")
    };
    let (score, table) = ("score = 3*age + income", "--input t.csv");
    assert_eq!(call(score, table), "score\n113\n130\n222\n");
    let more = "score = age + income; score > 45; low = min(age, income)";
    let expected = "score,score > 45,low\n41,0,5\n48,1,7\n72,1,-3\n";
    assert_eq!(call(more, table), expected);
    assert_eq!(call(more, "--input income=income.txt --input age=age.txt"), expected);
    // The name of a column is that of its expression.
    assert_eq!(call("age - income", table), "age - income\n31\n34\n78\n");
    // As it was: one result without a name.
    assert_eq!(call("age - income", "--input age.txt --input income.txt"), "31\n34\n78\n");
    assert_eq!(call("age - income", "--input t.csv --column age --column income"), "31\n34\n78\n");
    // Residues, bytes among them, and slots.
    let residues = fixture.call("run --params toy_4 --bits 4 --expr s=a+a --input b.csv");
    assert!(residues.refusal().contains("b.csv"));
    fixture.write("b.csv", "a\n3\n9\n");
    fixture.call("run --params toy_4 --bits 4 --expr s=a+a --input b.csv --output r").ok();
    assert_eq!(fixture.read("r"), b"s\n6\n2\n");
    fixture.call("run --params toy_slots_257 --modulus 257 --expr a*a;t=a+1 --input b.csv --output r").ok();
    assert_eq!(fixture.read("r"), b"a*a,t\n9,4\n81,10\n");
    let words = fixture.call(&format!("{run} d=age-income --input t.csv")).ok();
    assert!(words.contains("right: all 3 values agree with plain arithmetic (d of (36, 5) = 31, "), "{words}");

    fixture.write("cell.csv", "age,income\n1,2\n3,\n");
    fixture.write("twice.csv", "age,income,age\n1,2,3\n");
    fixture.write("ragged.csv", "age,income\n1,2\n3\n");
    fixture.write("short.txt", "1 2");
    for (line, words) in [
        ("age-incom --input t.csv", "no column is called incom (did you mean income?): its first line has name, age"),
        ("age-income --input cell.csv", "line 3, column income: the cell is empty"),
        ("age-income --input twice.csv", "several columns are called age"),
        ("age-income --input ragged.csv", "line 3: it has 1 field, and the first line has 2"),
        ("age-income --input age=age.txt --input income=short.txt", "short.txt: it has 2 integers, and age.txt has 3"),
        ("age-income --input age=age.txt --input age=short.txt", "--input age=… is given twice"),
        ("age-income --input age.txt", "or one of CSV whose first line has these names"),
        ("age-income --input t.csv --input age.txt", "line 1: \"name\" is not an integer"),
        ("age-income --input t.csv --input age.txt --column age", "age.txt: --column is of one --input"),
        ("age-income --input age=t.csv --column age", "give one of them"),
        ("age;age --input t.csv", "character 5: expected another result: one before is called or written so"),
        ("age;income --input t.csv --output r.npy", "r.npy: several results are columns of CSV"),
        ("age=age+1 --input t.csv", "another name: a value or a result has this one"),
    ] {
        fixture.refuses(&format!("{run} {line}"), &[words]);
    }
}
