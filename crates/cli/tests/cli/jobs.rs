//! What works.

use std::os::unix::fs::PermissionsExt;

use crate::fixture::{Fixture, example};

#[test]
fn the_whole_job_in_words() {
    let fixture = Fixture::new();
    let line = format!(
        "run --params toy_4 --threads 2 --table {} --input {} --output y",
        example("present_sbox.txt"),
        example("nibbles.txt")
    );
    let report = fixture.call(&line).ok();
    for word in [
        "toy_4",
        "INSECURE",
        "generate keys",
        "encrypt",
        "evaluate",
        "decrypt",
        "server key",
        "2 threads",
        "values a second",
    ] {
        assert!(report.contains(word), "no \"{word}\" in {report}");
    }
    assert!(report.contains("right: all 16 values"), "{report}");
    assert_eq!(fixture.read("y"), b"11\n5\n9\n2\n14\n6\n10\n0\n12\n3\n13\n7\n15\n4\n8\n1\n");
}

#[test]
fn the_whole_job_as_json() {
    let fixture = Fixture::new();
    let report = fixture.call("run --json --params toy_4 --threads 1 --table rev.txt --input in.txt").json();
    for key in [
        "correct",
        "count",
        "bits",
        "algorithm",
        "params",
        "log2_p_fail",
        "security_bits",
        "security_bits_strict",
        "keygen_s",
        "encrypt_s",
        "eval_s",
        "per_value_ms",
        "decrypt_s",
        "server_key_bytes",
        "ciphertext_bytes",
        "peak_rss_bytes",
        "threads",
        "isa",
    ] {
        assert!(report.get(key).is_some(), "no {key} in {report}");
    }
    assert_eq!(report["correct"], true);
    assert_eq!(report["count"], 16);
    assert_eq!(report["bits"], 4);
    assert_eq!(report["params"], "toy_4");
    assert_eq!(report["threads"], 1);
    assert!(report["log2_p_fail"].as_f64().expect("a number") <= -64.0);
    assert!(report["peak_rss_bytes"].as_u64().expect("a number") > 1_000_000);
}

#[test]
fn bytes_through_the_aes_table() {
    let fixture = Fixture::new();
    let (table, message) = (example("aes_sbox.txt"), example("message.txt"));
    let text = std::fs::read(&message).expect("the example");
    let job = format!("run --json --params toy_8 --table {table} --input {message} --output y");
    let report = fixture.call(&job).json();
    assert_eq!((&report["correct"], &report["input_format"]), (&true.into(), &"bytes".into()));
    let integers = String::from_utf8(fixture.read("y")).expect("digits");
    assert_eq!(integers.lines().count(), text.len());
    fixture.call(&format!("{job} --bytes")).json();
    let bytes = fixture.read("y");
    assert_eq!(integers.lines().map(|line| line.parse::<u8>().expect("a byte")).collect::<Vec<_>>(), bytes);
    let position = text.iter().position(|byte| *byte == b'T').expect("a T");
    assert_eq!(bytes[position], 0x20);
}

#[test]
fn client_and_server_by_files() {
    let fixture = Fixture::with_keys();
    let mode = |name: &str| fixture.path(name).metadata().expect("a key").permissions().mode() & 0o777;
    assert_eq!(mode("k/client.key"), 0o600);

    // The server has its key and the ciphertexts; its result is a valid input again.
    std::fs::create_dir(fixture.path("s")).expect("a directory");
    for name in ["k/server.key", "c"] {
        let target = fixture.path("s").join(name.rsplit('/').next().expect("a name"));
        std::fs::copy(fixture.path(name), target).expect("a copy");
    }
    let report = fixture.call("eval --key s/server.key --table rev.txt --input s/c --output s/r --threads 2").ok();
    assert!(report.contains("16 results (4-bit messages)"), "{report}");
    fixture.call("eval --key s/server.key --table rev.txt --input s/r --output s/rr --json").json();

    let reversed: String = (0..16).rev().map(|x| format!("{x}\n")).collect();
    assert_eq!(fixture.call("decrypt --key k/client.key --input s/r").ok(), reversed);
    fixture.call("decrypt --key k/client.key --input s/r --output y").ok();
    assert_eq!(fixture.read("y"), reversed.as_bytes());
    fixture.call("decrypt --key k/client.key --input s/rr --output y --bytes").ok();
    assert_eq!(fixture.read("y"), (0..16).collect::<Vec<u8>>());
    let values = fixture.call("decrypt --key k/client.key --input s/rr --json").json();
    assert_eq!(values["values"], serde_json::json!((0..16).collect::<Vec<u8>>()));
}

#[test]
fn fewer_bits_in_and_out() {
    let fixture = Fixture::with_keys();
    fixture.write("t", "0 1 1 0 # parity of two bits");
    fixture.write("x", "3, 1,\n2, 0,");
    fixture.call("encrypt --key k/client.key --bits 2 --input x --output c2").ok();
    fixture.call("eval --key k/server.key --table t --input c2 --output r").ok();
    assert_eq!(fixture.call("decrypt --key k/client.key --input r").ok(), "0\n1\n1\n0\n");
    assert_eq!(fixture.call("inspect r --json").json()["bits"], 1);
    fixture.call("eval --key k/server.key --table t --input c2 --output r --out-bits 4").ok();
    assert_eq!(fixture.call("inspect r --json").json()["bits"], 4);
    assert_eq!(fixture.call("decrypt --key k/client.key --input r").ok(), "0\n1\n1\n0\n");
}

#[test]
fn every_algorithm_by_name() {
    let fixture = Fixture::with_keys();
    let reversed: String = (0..16).rev().map(|x| format!("{x}\n")).collect();
    for name in ["compress", "recursive"] {
        let line = format!("eval --key k/server.key --table rev.txt --input c --output r --json --algorithm {name}");
        let report = fixture.call(&line).json();
        assert!(report["algorithm"].as_str().expect("a name").starts_with(name), "{report}");
        assert_eq!(fixture.call("decrypt --key k/client.key --input r").ok(), reversed);
    }
}

#[test]
fn descriptions() {
    let fixture = Fixture::with_keys();
    let list = fixture.call("params").ok();
    assert!(list.contains("toy_4") && list.contains("p_fail"), "{list}");
    let all = fixture.call("params --json").json();
    assert!(all["params"].as_array().expect("a list").len() > 3);
    assert!(fixture.call("params toy_4").ok().contains("toy_4"));
    assert_eq!(fixture.call("params toy_4 --json").json()["bits"], 4);
    for (file, kind) in [("k/client.key", "client key"), ("k/server.key", "server key"), ("c", "ciphertexts")] {
        let text = fixture.call(&format!("inspect {file}")).ok();
        assert!(text.contains(kind) && text.contains("toy_4"), "{text}");
        let object = fixture.call(&format!("inspect {file} --json")).json();
        assert_eq!((&object["kind"], &object["version"]), (&kind.into(), &1.into()));
        assert_eq!(object["bytes"], fixture.read(file).len());
    }
    assert_eq!(fixture.call("inspect c --json").json()["count"], 16);
    for line in ["--help", "run --help", "eval --help", "--version", "bench --list"] {
        fixture.call(line).ok();
    }
}

#[test]
fn the_instruction_set_is_chosen_by_the_environment() {
    let fixture = Fixture::new();
    let line = "run --params toy_4 --table rev.txt --input in.txt --json";
    let report = fixture.call_with(line, |command| {
        command.env("BOOTES_ISA", "scalar");
    });
    assert_eq!(report.json()["isa"], "scalar");
    let refused = fixture.call_with("params", |command| {
        command.env("BOOTES_ISA", "sse9");
    });
    assert!(refused.refusal().contains("sse9"));
}

#[test]
fn input_from_a_pipe() {
    let fixture = Fixture::new();
    let file = std::fs::File::open(fixture.path("in.txt")).expect("the input");
    let mut cat =
        std::process::Command::new("cat").stdin(file).stdout(std::process::Stdio::piped()).spawn().expect("cat");
    let pipe = cat.stdout.take().expect("a pipe");
    let report = fixture.call_with("run --params toy_4 --table rev.txt --input /dev/stdin --json", |command| {
        command.stdin(pipe);
    });
    assert_eq!(report.json()["correct"], true);
    cat.wait().expect("cat ends");
}

#[test]
fn example_tables_are_what_they_say() {
    let fixture = Fixture::new();
    let examples = [
        ("aes_sbox", 8, 8),
        ("relu", 7, 6),
        ("sine", 6, 6),
        ("parity", 5, 1),
        ("present_sbox", 4, 4),
        ("square", 4, 8),
    ];
    for (name, in_bits, out_bits) in examples {
        fixture.write("x", "0 1");
        let table = example(&format!("{name}.txt"));
        let report = fixture.call(&format!("run --params toy_8 --table {table} --input x --json")).json();
        assert_eq!((&report["bits"], &report["out_bits"]), (&in_bits.into(), &out_bits.into()), "{name}");
    }
    // FIPS 197: S(00) = 63, S(53) = ed, S(ff) = 16; a permutation.
    let text = std::fs::read_to_string(example("aes_sbox.txt")).expect("the example");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let mut table: Vec<u8> = lines.flat_map(str::split_whitespace).map(|word| word.parse().expect("a byte")).collect();
    assert_eq!((table[0], table[0x53], table[0xff]), (0x63, 0xed, 0x16));
    table.sort_unstable();
    assert_eq!(table, (0..=255).collect::<Vec<u8>>());
}
