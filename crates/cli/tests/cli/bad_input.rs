//! Bad tables, inputs and arguments.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use crate::fixture::Fixture;

fn run(table: &str, input: &str) -> String {
    format!("run --params toy_4 --table {table} --input {input} --output y")
}

fn numbers(count: usize) -> String {
    vec!["1"; count].join("\n")
}

#[test]
fn files_that_cannot_be_read() {
    let fixture = Fixture::with_keys();
    fixture.write("empty", "");
    fs::create_dir(fixture.path("directory")).expect("a directory");
    fixture.write("locked", "1 2");
    fs::set_permissions(fixture.path("locked"), Permissions::from_mode(0o000)).expect("permissions");
    let mut bad = vec![
        ("missing", "no such file"),
        ("empty", "empty"),
        ("directory", "is a directory"),
        ("in.txt/x", "not a directory"),
        ("/proc/self/mem", "cannot read"),
    ];
    // The superuser reads everything.
    if fs::File::open(fixture.path("locked")).is_err() {
        bad.push(("locked", "permission denied"));
    }
    for (file, words) in bad {
        for line in [
            run(file, "in.txt"),
            run("id.txt", file),
            format!("encrypt --key {file} --input in.txt --output y"),
            format!("encrypt --key k/client.key --input {file} --output y"),
            format!("eval --key {file} --table id.txt --input c --output y"),
            format!("eval --key k/server.key --table {file} --input c --output y"),
            format!("eval --key k/server.key --table id.txt --input {file} --output y"),
            format!("decrypt --key {file} --input c --output y"),
            format!("decrypt --key k/client.key --input {file} --output y"),
            format!("inspect {file}"),
        ] {
            fixture.refuses(&line, &[file, words]);
        }
    }
}

#[test]
fn table_lengths() {
    let fixture = Fixture::new();
    for (count, words) in [
        (1, ["1 entry", "at least 2"]),
        (3, ["3 entries", "; add 13"]),
        (15, ["15 entries", "; add 1"]),
        (100, ["toy_4 hold at most 4-bit messages, but 7 bits are asked for", "name another set"]),
        ((1 << 20) + 1, ["more than 1048576 entries", "larger tables"]),
    ] {
        fixture.write("t", numbers(count));
        fixture.refuses(&run("t", "in.txt"), &words);
    }
    for (count, words) in [
        (100, ["100 entries, not a power of two", "--modulus 100 for inputs modulo 100, or add 28 or remove 36"]),
        (257, ["257 entries", "--modulus 257 for inputs modulo 257, or add 255 or remove 1"]),
    ] {
        fixture.write("t", numbers(count));
        fixture.refuses("run --engine fhew --table t --input in.txt", &words);
    }
    fixture.write("t", "# nothing but a comment\n");
    fixture.refuses(&run("t", "in.txt"), &["no entries"]);
    // A table wider than the parameters, and parameters narrower than a table.
    fixture.write("t", numbers(32));
    fixture.refuses(&run("t", "in.txt"), &["toy_4", "5"]);
    fixture.refuses("run --bits 3 --table id.txt --input in.txt", &["4-bit", "--bits is 3"]);
}

#[test]
fn table_entries() {
    let fixture = Fixture::new();
    for (text, words) in [
        ("0 1\n2 -1\n", ["line 2", "-1", "negative"]),
        ("0 1\n\n2 x7\n", ["line 3", "\"x7\"", "not an integer"]),
        ("0 1\n2.5 3\n", ["line 2", "\"2.5\"", "not an integer"]),
        ("0,1,,2", ["line 1", "comma", "integer"]),
        ("0\n1\n2\n1048576\n", ["line 4", "1048576", "1048575"]),
        ("99999999999999999999999 1", ["line 1", "999999999999", "more than"]),
        ("0 \u{7}\u{1b}[31m", ["line 1", "\\u{7}", "not an integer"]),
        ("\u{0}\u{0}", ["line 1", "not an integer", "\\u{0}"]),
    ] {
        fixture.write("t", text);
        fixture.refuses(&run("t", "in.txt"), &words);
    }
    fixture.write("t", "0 1 2 8");
    fixture.refuses(&format!("{} --out-bits 3", run("t", "in.txt")), &["line 1", "entry 3 is 8", "--out-bits 3"]);
    fixture.write("t", [0xff, 0xfe, b'1', b' ', b'2']);
    fixture.refuses(&run("t", "in.txt"), &["UTF-16"]);
}

#[test]
fn input_values() {
    let fixture = Fixture::with_keys();
    for (text, words) in [
        ("1\n2\n16\n", ["line 3", "16", "0 to 15"]),
        ("1\n\n# comment\n-2", ["line 4", "-2", "0 to 15"]),
        ("1 99999999999999999999", ["line 1", "99999999999999999999", "0 to 15"]),
        ("1\n2 two\n", ["line 2", "two", "not an integer"]),
        ("# no values\n", ["no integers", "--bytes", "at least one"]),
    ] {
        fixture.write("x", text);
        fixture.refuses(&run("id.txt", "x"), &words);
        fixture.refuses("encrypt --key k/client.key --input x --output y", &words);
    }
    fixture.write("x", "\u{1}\u{2}\n");
    fixture.write("z", "\u{1}\u{2}\n\u{10}");
    fixture.call("encrypt --bytes --key k/client.key --input x --output y").ok();
    fs::remove_file(fixture.path("y")).expect("it was written");
    fixture.refuses("encrypt --bytes --key k/client.key --input z --output y", &["line 2", "byte 16 at offset 3"]);
    fixture.write("x", "4");
    fixture.refuses("encrypt --bits 2 --key k/client.key --input x --output y", &["line 1", "0 to 3"]);
    fixture.refuses("encrypt --bits 5 --key k/client.key --input x --output y", &["toy_4", "4-bit", "5 bits"]);
    // At 8 bits a list of integers stays one, though its numbers are too large.
    fixture.write("x", "1 2\n300");
    fixture.write("t", (0..256).map(|x| format!("{x},")).collect::<String>());
    fixture.refuses("run --params toy_8 --table t --input x", &["line 2", "300", "0 to 255"]);
    // So it does with a mistake in it.
    for (text, word) in [("1 2 hello 3", "hello"), ("1,,2", "comma"), ("1.0", "1.0"), ("1;2", "1;2"), ("-x", "-x")] {
        fixture.write("x", text);
        match text {
            "-x" => drop(fixture.call("run --params toy_8 --table t --input x").ok()),
            _ => fixture.refuses("run --params toy_8 --table t --input x", &["line 1", word, "--bytes"]),
        }
    }
}

#[test]
fn a_table_of_other_width_than_the_ciphertexts() {
    let fixture = Fixture::with_keys();
    fixture.write("t", "1 0");
    let eval = "eval --key k/server.key --input c --output y";
    fixture.refuses(&format!("{eval} --table t"), &["2^1 entries", "4-bit", "or values encrypted with --bits 1"]);
    // What these keys cannot do is no cure.
    fixture.write("t", numbers(32));
    fixture.refuses(&format!("{eval} --table t"), &["2^5 entries", "other keys (bootes keygen --bits 5)"]);
    fixture.refuses(&format!("{eval} --op relu"), &["relu", "other keys (bootes keygen --width 4)"]);
    fixture.refuses(&format!("{eval} --table id.txt --out-bits 8"), &["outputs of 8 bits", "keygen --bits 8"]);
    fixture.write("t", numbers(15));
    fixture.write("x", "0 14");
    fixture.call("encrypt --key k/client.key --modulus 15 --input x --output c15").ok();
    let eval = "eval --key k/server.key --input c15 --output y --table t --modulus 15 --algorithm recursive-2";
    fixture.refuses(eval, &["recursive-2", "15 entries", "divisible by 2^2"]);
}

#[test]
fn arguments() {
    let fixture = Fixture::with_keys();
    let job = "--table id.txt --input in.txt --output y";
    for (line, words) in [
        (format!("run {job} --params toy_4 --threads 0"), ["--threads", "'0'"]),
        (format!("run {job} --params toy_4 --threads -1"), ["-1", "--help"]),
        (format!("run {job} --params toy_4 --threads x"), ["--threads", "'x'"]),
        (format!("run {job} --params toy_4 --threads 1000000"), ["--threads", "1024"]),
        (format!("run {job} --params toy5"), ["toy5", "`bootes params` lists those of engines"]),
        (format!("run {job} --pfail -65"), ["--pfail", "-128 or -64"]),
        (format!("run {job} --params toy_4 --pfail -128"), ["toy_4", "--pfail"]),
        (format!("run {job} --width 4"), ["--width goes with --op", "its inputs are: leave it out"]),
        (format!("run {job} --unsigned"), ["--unsigned goes with --op", "have no sign: leave it out"]),
        ("encrypt --key k/client.key --input in.txt --output y --unsigned".into(), ["--unsigned", "--width W"]),
        (format!("run {job} --bits 0"), ["--bits", "1 to 20"]),
        (format!("run {job} --bits 21"), ["--bits", "1 to 20"]),
        (format!("run {job} --out-bits 99"), ["--out-bits", "1 to 20"]),
        (format!("run {job} --out-modulus 16"), ["--modulus", "required"]),
        (format!("run {job} --out-modulus 16 --out-bits 2"), ["--out-modulus", "--out-bits"]),
        ("run --op abs --input in.txt --width 8 --out-modulus 5".to_string(), ["--out-modulus", "--op"]),
        (
            "encrypt --key k/client.key --input in.txt --output y --bits 4 --unsigned".to_string(),
            ["--bits", "--unsigned"],
        ),
        ("keygen --engine ckks --set toy_4 --out d".to_string(), ["toy_4", "of engine fhew"]),
        (format!("run {job} --params toy_4 --algorithm comprss"), ["comprss", "compress"]),
        (format!("run {job} --params toy_4 --algorithm compress-many"), ["compress-many", "for several tables"]),
        (format!("run {job} --params toy_4 --algorithm tree-4-homfloor"), ["tree-4-homfloor", "leave it out"]),
        (format!("run {job} --params toy_4 --masks kept"), ["--masks", "engines ckks"]),
        (
            "eval --key k/server.key --table id.txt --input c --output y --masks seeded".to_string(),
            ["--masks", "engines ckks"],
        ),
        (format!("run {job} --params toy_4 --memory -5"), ["'-5'", "gigabytes, a number above 0"]),
        ("plan --bits 4 --memory 5GB".to_string(), ["'5GB'", "without a unit"]),
        ("params --engine fewh".to_string(), ["--engine", "did you mean fhew"]),
        ("params toy_4 --engine fhew".to_string(), ["--engine", "cannot be used"]),
        ("run --input in.txt".to_string(), ["--table", "required"]),
        ("run".to_string(), ["--table", "--input"]),
        ("runn".to_string(), ["runn", "run"]),
        (String::new(), ["command", "--help"]),
        (format!("run {job} --nonsense"), ["--nonsense", "--help"]),
        (format!("run {job} --table id.txt"), ["--table", "bootes run takes one"]),
        ("keygen --out d".to_string(), ["--bits", "--params"]),
        ("keygen --bits 5 --params toy_4 --out d".to_string(), ["toy_4", "5 bits"]),
        ("keygen --params toy_44 --out d".to_string(), ["toy_44", "toy_4"]),
        ("params toy_444".to_string(), ["toy_444", "toy_4"]),
        ("bench".to_string(), ["<NAME>", "--help"]),
        ("bench no-such-benchmark".to_string(), ["no-such-benchmark", "benchmark"]),
        ("bench kernels --runs 0".to_string(), ["--runs", "'0'"]),
        (
            "eval --key k/server.key --table id.txt --input c --output y --threads 0".to_string(),
            ["--threads", "expected 1"],
        ),
        (
            "eval --key k/server.key --table id.txt --input c --output y --algorithm x".to_string(),
            ["\"x\"", "compress"],
        ),
    ] {
        fixture.refuses(&line, &words);
    }
}

/// At 8 bits bytes may be values, but not those of a list with a mistake in it.
#[test]
fn text_with_digits_is_no_bytes_unasked() {
    let fixture = Fixture::new();
    fixture.call("keygen --params toy_8 --out k").ok();
    let encrypt = "encrypt --key k/client.key --output y --input x";
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    for (content, words) in [
        (b"[1, 2, 3]".to_vec(), ["line 1", "\"[1\""]),
        (b"NaN\n".to_vec(), ["line 1", "\"NaN\""]),
        (b"-Infinity\n1\n".to_vec(), ["line 1", "\"-Infinity\""]),
        (b"age,name\n3,Ada\n".to_vec(), ["\"age\"", "--column"]),
        (b"Gr\xf6\xdfe;x\n3;4\n".to_vec(), ["line 1", "--column"]),
        ("Größe;x\n3;4\n".into(), ["line 1", "--column"]),
        (utf16("\u{feff}1 2 3"), ["UTF-16", "write it as UTF-8"]),
        (b"\xfe\xff\0A".to_vec(), ["UTF-16", "write it as UTF-8"]),
        (utf16("1 2 3"), ["line 1", "an integer"]),
        (b"\x001\0 \x002".to_vec(), ["line 1", "an integer"]),
    ] {
        fixture.write("x", content);
        fixture.refuses(encrypt, &[&words[..], &["x:", "--bytes"]].concat());
        fixture.call(&format!("{encrypt} --bytes")).ok();
        fs::remove_file(fixture.path("y")).expect("it was written");
    }
    for content in [&b"hello, world\n"[..], b"\x7fELF\x01 123", b"GIF89a\x01\0", &(0..=255).collect::<Vec<u8>>()] {
        fixture.write("x", content);
        assert!(fixture.call(encrypt).ok().contains("bytes of x"));
    }
    fixture.write("x", utf16("\u{feff}1"));
    fixture.refuses("run --params toy_4 --table x --input in.txt", &["x:", "UTF-16", "write it as UTF-8"]);
}

#[test]
fn archives_and_ranges_without_a_width_are_refused() {
    let fixture = Fixture::with_keys();
    fixture.write("x", "1 2 3");
    for size in ["--bits 4", "--modulus 16"] {
        let line = format!("encrypt --key k/client.key --input x --output y --within 3 {size}");
        fixture.refuses(&line, &["--within"]);
    }
    fixture.write("t8", (0..256).map(|x| format!("{x} ")).collect::<String>());
    for begin in ["PK\u{3}\u{4}", "PK\u{3}\u{4}\u{0}\u{1}"] {
        fixture.write("x.npz", begin);
        fixture.refuses("run --params toy_4 --table t8 --input x.npz", &["x.npz:", "archive", "--bytes"]);
    }
    fixture.write("x.gz", [0x1f, 0x8b, 8, 0]);
    fixture.refuses("run --params toy_4 --table t8 --input x.gz", &["x.gz:", "archive", "--bytes"]);
}

#[test]
fn standard_input_is_read_once() {
    let fixture = Fixture::with_keys();
    for line in [
        "add --input - --input2 - --output r",
        "add --input=- --input2 - --output r",
        "eval --key k/server.key --expr x*y --input x=- --input y=- --output r",
        "decrypt --key - --input -",
    ] {
        fixture.refuses(line, &["standard input (-) is given twice", "give files"]);
    }
    fixture.refuses("keygen --depth 3 --out q", &["--modulus <P> (of --depth: P is the prime that values are modulo)"]);
}
