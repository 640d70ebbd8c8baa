//! Columns of CSV files in and out, several tables on one key, matrices, slices and concatenation, with both engines.

use crate::fixture::Fixture;

fn lines(values: impl IntoIterator<Item = u64>) -> String {
    values.into_iter().map(|value| format!("{value}\n")).collect()
}

#[test]
fn columns_come_and_go_as_csv() {
    for (set, count) in [("toy_4", 40u64), ("toy_batch_4bit", 1500)] {
        let fixture = Fixture::new();
        let rows: Vec<[u64; 2]> = (0..count).map(|i| [i * 7 % 16, i * 11 % 16]).collect();
        let text: String = rows.iter().map(|[x, y]| format!("{x},somebody,{y}\n")).collect();
        fixture.write("people.csv", format!("age,name,\"income, net\"\n{text}"));
        fixture.write("square.txt", lines((0..16).map(|x| x * x % 16)));
        fixture.write("half.txt", lines((0..16).map(|x| x / 2)));
        fixture.call(&format!("keygen --params {set} --out k")).ok();
        let two = ["--column", "income, net", "--output", "y", "--column", "age", "--output", "x"];
        let encrypt = "encrypt --key k/client.key --input people.csv";
        let report = fixture
            .call_with(encrypt, |command| {
                command.args(two);
            })
            .ok();
        assert!(report.starts_with(&format!("y, x: {count} ")) && report.contains("CSV of people.csv"), "{report}");

        // Two tables on one column, with one key.
        let eval = "eval --key k/server.key --modulus 16 --input x";
        fixture.call(&format!("{eval} --table square.txt --output sq --table half.txt --output h --json")).json();
        // A matrix across columns.
        fixture.call("linear --weights 1,1 --output sum --weights 1,-1 --output diff --input sq --input y").ok();
        fixture
            .call(
                "decrypt --key k/client.key --column square --input sq --column half --input h --column sum --input sum \
                 --column diff --input diff --output out.csv",
            )
            .ok();
        let row = |&[x, y]: &[u64; 2]| {
            let square = x * x % 16;
            format!("{square},{},{},{}\n", x / 2, (square + y) % 16, (16 + square - y) % 16)
        };
        let expected = format!("square,half,sum,diff\n{}", rows.iter().map(row).collect::<String>());
        assert_eq!(String::from_utf8_lossy(&fixture.read("out.csv")), expected, "{set}");
        let json = fixture.call("decrypt --key k/client.key --column h --input h --json").json();
        assert_eq!(json["columns"]["h"][3], rows[3][0] / 2);

        // Rows of whole ciphertexts.
        let cut = if set == "toy_4" { 13 } else { 1024 };
        fixture.call(&format!("slice --input h --rows {cut}.. --output late")).ok();
        fixture.call(&format!("slice --input h --rows ..{cut} --output early")).ok();
        fixture.call("concat --input early --input late --output again").ok();
        let decrypted = |name: &str| fixture.call(&format!("decrypt --key k/client.key --input {name}")).ok();
        assert_eq!(decrypted("late"), lines(rows.iter().skip(cut).map(|[x, _]| x / 2)));
        assert_eq!(decrypted("again"), decrypted("h"));

        fixture.refuses("slice --input h --rows 3..100000 --output z", &["h:", "3..100000"]);
        fixture.refuses("slice --input h --rows 3-4 --output z", &["expected A..B"]);
        for none in ["0..0", "3..2", "100000.."] {
            fixture.refuses(&format!("slice --input h --rows {none} --output z"), &["h:", none, "A less than B"]);
        }
        fixture.refuses("linear --weights 1,x --input h --output z", &["expected integers"]);
        fixture.refuses(&format!("{eval} --table square.txt --table half.txt --output z"), &["1 output for 2 tables"]);
        fixture.refuses(
            &format!("{eval} --table square.txt --output z --table half.txt --output z"),
            &["z:", "the same file", "each table"],
        );
        fixture.refuses(&format!("{eval} --table square.txt --output x"), &["x:", "which is read"]);
        fixture.refuses("decrypt --key k/client.key --input h --input sq", &["2 inputs and 0 columns"]);
        fixture.refuses(
            "decrypt --key k/client.key --column a --input h --column b --input late",
            &["late:", "columns of one file have as many"],
        );
        let encrypt = format!("{encrypt} --output z --column");
        fixture.refuses(&format!("{encrypt} ago"), &["people.csv:", "no column is called ago", "age"]);
        fixture.refuses(&format!("{encrypt} name"), &["line 2, column name", "\"somebody\" is not an integer"]);
        fixture.refuses(&format!("{encrypt} age --modulus 9"), &["column age", "outside -8 to 8"]);
        assert!(!fixture.exists("z"));
    }
}

/// Operands of a whole job, from one file.
#[test]
fn jobs_take_columns() {
    let fixture = Fixture::new();
    fixture.write("x.csv", "name,a,b,c\nAda,3,5,1\nAlan,15,-1,-2\nJoan,7,7,7\n");
    let result = |line: &str| {
        fixture.call(&format!("run --input x.csv --output y {line}")).ok();
        String::from_utf8(fixture.read("y")).expect("text").split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(result("--params toy_4 --table rev.txt --column a"), "12 0 8");
    assert_eq!(result("--params toy_int16 --width 8 --op relu --column b"), "5 0 7");
    for (columns, less) in [("--column a --column b", "1 0 0"), ("--column b --column a", "0 1 0")] {
        assert_eq!(result(&format!("--params toy_int16 --width 8 --op less {columns}")), less);
    }
    let vectors = "--params toy_slots_257 --modulus 257 --expr x*y+z --column a --column b --column c";
    assert_eq!(result(vectors), "16 240 56");
    // By name, whatever the order.
    for order in ["--column a --column b --column c", "--column c --column b --column a"] {
        let line = format!("--params toy_slots_257 --modulus 257 --expr b*c-a {order}");
        assert_eq!(result(&line), "2 244 42", "{order}");
    }
    let run = "run --input x.csv --params toy_int16 --width 8";
    for (line, words) in [
        (
            format!("{run} --op relu"),
            "line 1: \"name\" is not an integer: expected decimal or 0x hexadecimal digits, and \
                                      --column NAME for a column of CSV",
        ),
        (format!("{run} --op relu --column a --column b"), "relu has one operand: give one --column"),
        (format!("{run} --op less --column a"), "less has two operands: give a --column for each"),
        (format!("{run} --op less --column a --input2 in.txt"), "--input2"),
        (format!("{run} --op relu --column name"), "line 2, column name: \"Ada\" is not an integer"),
        (
            "run --input x.csv --params toy_4 --table rev.txt --column a --column b".into(),
            "column b: 5 is outside 0 to 3",
        ),
        ("run --input x.csv --params toy_4 --table rev.txt --column b".into(), "column b: -1 is outside 0 to 15"),
        ("run --input x.csv --params toy_4 --table rev.txt".into(), "and --column NAME for a column of CSV"),
        (
            "run --input x.csv --params toy_slots_257 --modulus 257 --expr x*y --column a".into(),
            "one --column for each",
        ),
        (
            "run --input x.csv --params toy_slots_257 --modulus 257 --expr a*y --column b --column a".into(),
            "some of the columns have such names, b and a: give the expression the names of all columns",
        ),
    ] {
        fixture.refuses(&line, &[words]);
    }
    fixture.write("x.csv", "a,b\n1,2\n3\n");
    fixture.refuses(&format!("{run} --op relu --column a"), &["line 3: it has 1 field, and the first line has 2"]);
}

#[test]
fn a_name_that_was_written_is_found_again() {
    let fixture = Fixture::with_keys();
    let named = |line: &str, name: &str| {
        fixture
            .call_with(line, |command| {
                command.args(["--column", name]);
            })
            .ok()
    };
    for name in [" sp ", "in; come", "say \"x\""] {
        named("decrypt --key k/client.key --input c --output out.csv", name);
        named("encrypt --key k/client.key --input out.csv --output again", name);
        let decrypted = |name: &str| fixture.call(&format!("decrypt --key k/client.key --input {name}")).ok();
        assert_eq!(decrypted("again"), decrypted("c"));
    }
    // Letters with their accents, and before them.
    for (name, other, how) in
        [("\u{e9}t\u{e9}", "e\u{301}te\u{301}", "characters of their own"), ("u\u{308}", "\u{fc}", "in the letters")]
    {
        fixture.write("x.csv", format!("a,{other}\n1,2\n"));
        let encrypt = |name: &str| {
            let line = format!("encrypt --key k/client.key --input x.csv --output x.ct --column {name}");
            fixture.call(&line)
        };
        let refusal = encrypt(name).refusal();
        assert!(refusal.contains(&format!("(did you mean {other}, whose accents are {how}? copy it)")), "{refusal}");
        encrypt(other).ok();
    }
    // Sums of residues say what they are; columns of different kinds are all named.
    fixture.write("ones", "1\n".repeat(16));
    fixture.call("encrypt --key k/client.key --input ones --output bits --bits 1").ok();
    assert!(
        fixture
            .call("add --input c --input2 c --output sum")
            .ok()
            .contains("4-bit messages (sums are taken modulo 16)")
    );
    assert!(fixture.call("concat --input c --input c --output both").ok().contains("4-bit messages, "));
    let rows = fixture.call("inspect c --json").json()["count"].as_u64().expect("a number");
    fixture.call(&format!("slice --input bits --rows 0..{} --output few", rows.min(16))).ok();
    fixture.call(&format!("slice --input c --rows 0..{} --output c16", rows.min(16))).ok();
    let two = "decrypt --key k/client.key --column a --input c16 --column b --input few --output two.csv";
    let said = fixture.call(two).ok();
    assert!(said.contains("4-bit messages") && said.contains("1-bit messages"), "{said}");
    // As spreadsheets write it.
    fixture.write("x.csv", "\u{feff}\"age\";name\r\n3;Ada\r\n5;Alan\r\n");
    fixture.call("encrypt --key k/client.key --input x.csv --column age --output ages").ok();
    assert_eq!(fixture.call("decrypt --key k/client.key --input ages").ok(), "3\n5\n");
}

/// The rows of columns are added up: of one encryption, and of many by a public key.
#[test]
fn rows_are_added_up() {
    let fixture = Fixture::new();
    fixture.call("keygen --params toy_int16 --out k --public").ok();
    let form = "--width 12 --within 4 --unsigned";
    let values: Vec<u64> = (0..50).map(|i| i * 7 % 16).collect();
    let mut inputs = String::new();
    for (i, value) in values.iter().enumerate() {
        fixture.write("one", value.to_string());
        fixture.call(&format!("encrypt --key k/public.key {form} --input one --output c{i}")).ok();
        inputs += &format!(" --input c{i}");
    }
    fixture.call(&format!("concat{inputs} --output all")).ok();
    fixture.write("x", values.iter().map(|value| format!("{value}\n")).collect::<String>());
    fixture.call(&format!("encrypt --key k/client.key {form} --input x --output x.ct")).ok();
    let total = values.iter().sum::<u64>();
    let sum = |line: &str| {
        fixture.call(&format!("linear --sum-rows {line} --output s")).ok();
        fixture.call("decrypt --key k/client.key --input s").ok()
    };
    assert_eq!(sum("--input all"), format!("{total}\n"));
    assert_eq!(sum("--input x.ct"), format!("{total}\n"));
    assert_eq!(sum("--input x.ct --input all --weights 3,-1 --constant 5"), format!("{}\n", 2 * total + 5));
    assert_eq!(sum("--input x.ct --input all"), format!("{}\n", 2 * total));
    let line = "linear --sum-rows --input x.ct --input all --weights 1,1 --output s --weights 1,-1 --output d";
    fixture.call(line).ok();
    assert_eq!(fixture.call("decrypt --key k/client.key --input d").ok(), "0\n");
    std::fs::remove_file(fixture.path("s")).expect("a sum");
    // Without room for the sum.
    fixture.call("encrypt --key k/client.key --width 4 --unsigned --input x --output narrow").ok();
    fixture.refuses("linear --sum-rows --input narrow --output s", &["narrow: ", "and --within", "--width"]);
    // Of results a table makes room.
    fixture.call("eval --key k/server.key --expr x>7 --input x=all --output mask").ok();
    let advice = ["mask: the sum of its rows is from 0 to 50", "of results evaluate a --table with --out-bits 7 first"];
    fixture.refuses("linear --sum-rows --input mask --output s", &advice);
    fixture.write("identity", "0 1");
    fixture.call("eval --key k/server.key --table identity --out-bits 7 --input mask --output wide").ok();
    assert_eq!(sum("--input wide"), format!("{}\n", values.iter().filter(|&&value| value > 7).count()));
    std::fs::remove_file(fixture.path("s")).expect("a sum");
    fixture.refuses("linear --input narrow --output s", &["--weights"]);
    fixture.call("keygen --params toy_batch_4bit --out b").ok();
    fixture.call("encrypt --key b/client.key --input x --output x.b").ok();
    fixture.refuses("linear --sum-rows --input x.b --output s", &["x.b: engine ckks adds up columns, no rows: "]);
    fixture.call("keygen --params toy_slots_257 --out v").ok();
    fixture.call("encrypt --key v/client.key --input x --output x.v").ok();
    fixture.refuses("linear --sum-rows --input x.v --output s", &["eval --expr \"sum(x)\""]);
    fixture.call("eval --key v/server.key --expr sum(x) --input x.v --output s").ok();
    let sums = fixture.call("decrypt --key v/client.key --input s").ok();
    assert_eq!(sums.lines().next(), Some((total % 257).to_string().as_str()));
}

/// One equals sign names a result: where a value of that name is given, a comparison was meant.
#[test]
fn a_result_is_no_comparison() {
    let fixture = Fixture::new();
    fixture.write("t.csv", "a,b\n1,2\n3,3\n");
    fixture.write("a", "1 3");
    let run = "run --width 4 --params toy_int16 --threads 1 --expr";
    for input in ["--input t.csv", "--input t.csv --column a --column b", "--input a=a --input b=a"] {
        fixture.refuses(&format!("{run} a=b {input}"), &["a = … names a result", "a == … compares"]);
    }
    let answer = fixture.call(&format!("{run} a==b --input t.csv --output r")).ok();
    assert!(answer.contains("all 2 values agree"), "{answer}");
    fixture.call(&format!("{run} c=b+1 --input t.csv --output r")).ok();
}

/// What is long in what somebody wrote is left out of what is said.
#[test]
fn lines_of_errors_are_short() {
    let fixture = Fixture::new();
    let (long, digits) = ("x".repeat(20_000), "9".repeat(20_000));
    fixture.write("x", &digits);
    fixture.write("y", "1");
    for (line, words) in [
        (format!("run --op {long} --width 8 --input y"), "expected one of sign, less"),
        (format!("run --table {long} --input y"), "cannot read"),
        (format!("run --expr {}y --bits 2 --input y", "y+".repeat(10_000) + "not(y)+"), "of residues"),
        (format!("run --expr x+1 --modulus {digits} --input y"), "expected 2 to"),
        (format!("{long} --input y"), "unrecognized subcommand"),
        (String::from("run --op relu --width 8 --input x"), "is too long: integers have 64 bits at most"),
        (format!("linear --weights {digits} --input y --output r"), "expected integers of 64 bits, -2^63 to 2^63 - 1"),
    ] {
        let message = fixture.call(&line).refusal();
        assert!(message.len() < 1200 && message.contains(words), "{message}");
    }
}
