//! NumPy's arrays as tables, inputs and results.

use std::fs;
use std::process::{Command, Stdio};

use crate::fixture::Fixture;

/// What NumPy wrote (`tests/data/npy/make.py`).
fn written(name: &str) -> Vec<u8> {
    fs::read(format!("{}/tests/data/npy/{name}.npy", env!("CARGO_MANIFEST_DIR"))).expect("an array of NumPy's")
}

/// With these arrays as `NAME.npy`.
fn fixture(fixture: Fixture, names: &[&str]) -> Fixture {
    names.iter().for_each(|name| fixture.write(&format!("{name}.npy"), written(name)));
    fixture
}

/// As NumPy writes it.
fn array(values: &[i64]) -> Vec<u8> {
    let mut file = written("empty");
    let header = format!("{{'descr': '<i8', 'fortran_order': False, 'shape': ({},), }}", values.len());
    file[10..127].fill(b' ');
    file[10..10 + header.len()].copy_from_slice(header.as_bytes());
    file.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    file
}

#[test]
fn tables_inputs_and_results() {
    let fixture = fixture(Fixture::new(), &["reversed", "column", "bool", "scalar"]);
    let up: Vec<i64> = (0..16).collect();
    // The table in one format, the input and the output in others.
    let report =
        fixture.call("run --params toy_4 --table reversed.npy --input column.npy --output y.npy --json").json();
    assert_eq!((&report["correct"], &report["input_format"]), (&true.into(), &"npy".into()));
    assert_eq!(fixture.read("y.npy"), array(&up));
    let said = fixture.call("run --params toy_4 --table rev.txt --input y.npy --output z.NPY").ok();
    assert!(said.contains("16 values (npy)"), "{said}");
    assert_eq!(fixture.read("z.NPY"), written("reversed"));
    fixture.call("run --params toy_4 --table reversed.npy --input in.txt --output y").ok();
    assert_eq!(fixture.read("y"), (0..16).rev().map(|x| format!("{x}\n")).collect::<String>().as_bytes());
    fixture.call("run --params toy_4 --table rev.txt --input scalar.npy --output y.npy").ok();
    assert_eq!(fixture.read("y.npy"), array(&[8]));

    // By content, whatever the name.
    fixture.write("table", written("reversed"));
    fixture.write("values.csv", written("bool"));
    fixture.call("run --params toy_4 --table table --input values.csv --output y.npy").ok();
    assert_eq!(fixture.read("y.npy"), array(&[15, 14, 14]));

    // At 8 bits, where a file is bytes otherwise; --bytes takes those.
    fixture.write("t8", (0..256).map(|x| format!("{} ", 255 - x)).collect::<String>());
    fixture.call("run --params toy_8 --table t8 --input values.csv --output y").ok();
    assert_eq!(fixture.read("y"), b"255\n254\n254\n");
    let report = fixture.call("run --params toy_8 --table t8 --input bool.npy --bytes --output y --json").json();
    assert_eq!((&report["count"], &report["input_format"]), (&131.into(), &"bytes".into()));
}

#[test]
fn pipes() {
    let fixture = fixture(Fixture::new(), &["reversed"]);
    // In pieces, the first one within the magic.
    let script = "head -c 3 reversed.npy; sleep 0.2; tail -c +4 reversed.npy";
    let mut shell = Command::new("sh");
    shell.args(["-c", script]).current_dir(fixture.path("")).stdout(Stdio::piped());
    let mut shell = shell.spawn().expect("sh");
    let pipe = shell.stdout.take().expect("a pipe");
    let line = "run --params toy_4 --table rev.txt --input /dev/stdin --output /dev/stdout";
    let results = fixture.call_with(line, |command| {
        command.stdin(pipe);
    });
    let results = results.ok();
    assert_eq!(results, (0..16).map(|x| format!("{x}\n")).collect::<String>(), "standard output is text");
    shell.wait().expect("sh ends");
}

#[test]
fn client_and_server() {
    let fixture = fixture(Fixture::with_keys(), &["reversed"]);
    let said = fixture.call("encrypt --key k/client.key --input reversed.npy --output c").ok();
    assert!(said.contains("(npy of reversed.npy)"), "{said}");
    fixture.call("eval --key k/server.key --table reversed.npy --input c --output r").ok();
    let said = fixture.call("decrypt --key k/client.key --input r --output y.npy").ok();
    assert!(said.contains("as npy"), "{said}");
    assert_eq!(fixture.read("y.npy"), array(&(0..16).collect::<Vec<_>>()));
    let text = fixture.call("decrypt --key k/client.key --input c").ok();
    assert_eq!(text, (0..16).rev().map(|x| format!("{x}\n")).collect::<String>());
}

#[test]
fn large_integers() {
    let fixture = Fixture::new();
    let (left, right) = ([-32_768i64, 5, 32_767, -1], [1i64, -7, 3, 0]);
    fixture.write("x.npy", array(&left));
    fixture.write("y.npy", array(&right));
    let run = "run --params toy_int16 --width 16 --op max --input x.npy --input2 y.npy --output r.npy";
    let report = fixture.call(&format!("{run} --json")).json();
    assert_eq!((&report["correct"], &report["input_format"]), (&true.into(), &"npy".into()));
    assert_eq!(fixture.read("r.npy"), array(&[1, 5, 32_767, 0]));
    let run = "run --params toy_int16 --width 8 --op abs --input x.npy --output r";
    fixture.refuses(run, &["x.npy: index 0: -32768 is outside the range -128 to 127 of signed 8-bit"]);
    fixture.write("y.npy", array(&right[..3]));
    let run = "run --params toy_int16 --width 16 --op max --input x.npy --input2 y.npy --output r";
    fixture.refuses(run, &["y.npy: it has 3 integers, and x.npy has 4"]);
}

#[test]
fn bad_arrays() {
    let fixture = fixture(Fixture::with_keys(), &["reversed", "float32", "matrix", "empty", "i8_little", "u8_big"]);
    fixture.write("text.npy", "1 2 3");
    fixture.write("none.npy", "");
    fixture.write("cut.npy", &written("reversed")[..200]);
    fixture.write("long.npy", [written("reversed"), vec![0]].concat());
    fixture.write("300.npy", array(&[1, 300]));
    for (file, words) in [
        ("float32.npy", &["dtype is '<f4', floating-point", "expected integers", "save a.astype(numpy.int64)"][..]),
        ("matrix.npy", &["shape is (2, 8)", "expected one dimension", "a.ravel()"]),
        ("text.npy", &["its name ends in .npy", "\\x93NUMPY", "numpy.save"]),
        ("none.npy", &["its name ends in .npy", "numpy.save"]),
        ("cut.npy", &["ends after 9 of its 16 values", "copy"]),
        ("long.npy", &["goes on after the 16 values", "one array a file"]),
        ("empty.npy", &["holds no"]),
    ] {
        let words = [&[file], words].concat();
        fixture.refuses(&format!("run --params toy_4 --table {file} --input in.txt --output y"), &words);
        fixture.refuses(&format!("run --params toy_4 --table id.txt --input {file} --output y"), &words);
        fixture.refuses(&format!("encrypt --key k/client.key --input {file} --output y"), &words);
        fixture.refuses(&format!("eval --key k/server.key --table {file} --input c --output y"), &words);
    }
    let table = |file: &str| format!("run --params toy_4 --table {file} --input in.txt --output y");
    let input = |file: &str| format!("run --params toy_4 --table id.txt --input {file} --output y");
    fixture.refuses(&table("i8_little.npy"), &["i8_little.npy: entry", "table entries are not negative"]);
    fixture.write("large.npy", array(&[1, 1 << 21]));
    fixture.refuses(&table("large.npy"), &["large.npy: entry 1 is 2097152, more than the 1048575"]);
    fixture.write("minus.npy", array(&[0, -3]));
    fixture.refuses(&table("minus.npy"), &["minus.npy: entry 1 is -3: table entries are not negative"]);
    fixture.refuses(&input("300.npy"), &["300.npy: index 1: 300 is outside the domain 0 to 15 of 4-bit inputs"]);
    fixture.refuses(&input("u8_big.npy"), &["u8_big.npy: index 2: 18446744073709551615 is outside"]);
    // More is announced than there is, or may be.
    let mut lie = written("reversed");
    lie[10..127].fill(b' ');
    let header = b"{'descr': '<i8', 'fortran_order': False, 'shape': (1099511627776,), }";
    lie[10..10 + header.len()].copy_from_slice(header);
    fixture.write("lie.npy", lie);
    fixture.refuses(&input("lie.npy"), &["lie.npy: it has more than 16777216 values"]);
    fixture.refuses(&table("lie.npy"), &["lie.npy: the table has more than"]);
}

#[test]
fn arrays_where_something_else_is_asked_for() {
    let fixture = fixture(Fixture::with_keys(), &["reversed"]);
    let encrypt = "encrypt --key k/client.key --input reversed.npy --column age --output y";
    fixture.refuses(encrypt, &["reversed.npy", "--column takes CSV", "leave --column out"]);
    let decrypt = "decrypt --key k/client.key --input c --output y.npy";
    fixture.refuses(&format!("{decrypt} --column age"), &["y.npy: --column writes CSV", "leave --column out"]);
    fixture.refuses(&format!("{decrypt} --bytes"), &["y.npy: --bytes writes bytes", "leave --bytes out"]);
    let run = "run --params toy_4 --table id.txt --input in.txt --output y.npy --bytes";
    fixture.refuses(run, &["y.npy: --bytes writes bytes", "rename the file"]);
}
