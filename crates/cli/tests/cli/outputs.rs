//! Outputs that cannot be written, and outputs that must not be lost.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};

use crate::fixture::{Fixture, command};

/// A call of every command that writes, with its output to be named.
const WRITERS: [&str; 4] = [
    "run --params toy_4 --table id.txt --input in.txt --output",
    "encrypt --key k/client.key --input in.txt --output",
    "eval --key k/server.key --table id.txt --input c --output",
    "decrypt --key k/client.key --input c --output",
];

#[test]
fn unwritable() {
    let fixture = Fixture::with_keys();
    fs::create_dir(fixture.path("directory")).expect("a directory");
    fixture.write("fixed", "keep me");
    fs::set_permissions(fixture.path("fixed"), Permissions::from_mode(0o444)).expect("permissions");
    for writer in WRITERS {
        for (output, word) in [
            ("no/such/directory/y", "does not exist"),
            ("directory", "is a directory"),
            ("in.txt/y", "not a directory"),
            ("fixed", "read-only"),
            ("/proc/y", "cannot write"),
        ] {
            fixture.refuses(&format!("{writer} {output}"), &[output, word]);
        }
    }
    assert_eq!(fixture.read("fixed"), b"keep me");
}

#[test]
fn a_full_disk() {
    let fixture = Fixture::with_keys();
    let before = fixture.names();
    for writer in WRITERS {
        let message = fixture.call(&format!("{writer} /dev/full")).refusal();
        assert!(message.contains("/dev/full") && message.contains("no space left"), "{message}");
    }
    let full = || fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
    for line in ["params", "inspect c", "decrypt --key k/client.key --input c", "--help", "bench kernels --runs x"] {
        let answer = fixture.call_with(line, |command| {
            command.stdout(full());
        });
        assert!(!answer.refusal().is_empty());
    }
    assert_eq!(fixture.names(), before);
}

#[test]
fn a_file_is_replaced_whole() {
    let fixture = Fixture::with_keys();
    fixture.write("y", "old");
    fs::set_permissions(fixture.path("y"), Permissions::from_mode(0o640)).expect("permissions");
    symlink("y", fixture.path("link")).expect("a link");
    fixture.call("decrypt --key k/client.key --input c --output link").ok();
    assert!(fixture.read("y").starts_with(b"0\n1\n2\n"));
    assert!(fixture.path("link").symlink_metadata().expect("a link").is_symlink());
    assert_eq!(fixture.path("y").metadata().expect("a file").permissions().mode() & 0o777, 0o640);
}

#[test]
fn keys_are_not_overwritten() {
    let fixture = Fixture::with_keys();
    let (client, server) = (fixture.read("k/client.key"), fixture.read("k/server.key"));
    fixture.refuses("keygen --params toy_4 --out k", &["k/client.key", "--force"]);
    fs::remove_file(fixture.path("k/client.key")).expect("it was there");
    fixture.refuses("keygen --params toy_4 --out k", &["k/server.key", "--force"]);
    fixture.write("k/client.key", &client);
    fixture.call("keygen --params toy_4 --out k --force --json").json();
    assert_ne!(fixture.read("k/client.key"), client);
    assert_ne!(fixture.read("k/server.key"), server);
    let mode = fixture.path("k/client.key").metadata().expect("a key").permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "also where one with other permissions was");
}

/// Keys of every engine are known as keys.
#[test]
fn client_keys_are_replaced_by_keys_only() {
    let fixture = Fixture::with_keys();
    for set in ["toy_batch_4bit", "toy_slots_17"] {
        fixture.call(&format!("keygen --params {set} --out {set}")).ok();
        let (path, key) = (format!("{set}/client.key"), fixture.read(&format!("{set}/client.key")));
        fixture.refuses(&format!("decrypt --key k/client.key --input c --output {path}"), &[&path, "client key"]);
        assert_eq!(fixture.read(&path), key);
        fixture.call(&format!("keygen --params {set} --out {set} --force")).ok();
        assert_ne!(fixture.read(&path), key);
    }
}

#[test]
fn keygen_leaves_nothing_behind() {
    let fixture = Fixture::new();
    fixture.refuses("keygen --params toy_4 --out in.txt", &["in.txt", "directory"]);
    fixture.refuses("keygen --params toy_4 --out in.txt/k", &["in.txt/k", "not a directory"]);
    fixture.refuses("keygen --params toy_4 --out /proc/k", &["/proc/k", "cannot write"]);
    fs::create_dir_all(fixture.path("k/server.key")).expect("a directory where a key should be");
    fixture.refuses("keygen --params toy_4 --out k --force", &["k/server.key", "is a directory"]);
    fixture.call("keygen --params toy_4 --out a/b/c").ok();
    assert!(fixture.exists("a/b/c/client.key"));
}

#[test]
fn data_on_standard_output_has_no_report_in_it() {
    let fixture = Fixture::with_keys();
    let values = fixture.call("decrypt --key k/client.key --input c --output /dev/stdout").ok();
    assert_eq!(values.lines().count(), 16);
    let eval = "eval --key k/server.key --table rev.txt --input c --output /dev/stdout";
    fixture.write("r", fixture.call(eval).stdout);
    assert!(fixture.call("decrypt --key k/client.key --input r").ok().starts_with("15\n14\n"));
}

/// `-` is standard input where it is read, and standard output where it is written; `./-` is a file.
#[test]
fn a_hyphen_is_a_stream() {
    let fixture = Fixture::with_keys();
    let through = |line: &str, input: &[u8]| {
        fixture.write("before", input);
        let answer = fixture.call_with(line, |command| {
            command.stdin(fs::File::open(fixture.path("before")).expect("a file"));
        });
        assert_eq!((answer.code, answer.stderr.as_str()), (Some(0), ""), "{line}");
        answer.stdout
    };
    let names = fixture.names();
    let encrypted = through("encrypt --key k/client.key --input - --output=-", b"3 1 2");
    let reversed = through("eval --key k/server.key --table rev.txt --input - --output -", &encrypted);
    let summed = through("add --input - --input2 c3 --output -", &{
        fixture.write("c3", &encrypted);
        reversed
    });
    assert_eq!(through("decrypt --key k/client.key --input - --output -", &summed), b"15\n15\n15\n");
    let inspected = String::from_utf8(through("inspect -", &summed)).expect("text");
    assert!(inspected.contains("toy_4"), "{inspected}");
    assert_eq!(fixture.names().len(), names.len() + 2, "but for what this test wrote");
    fixture.call("decrypt --key k/client.key --input c --output ./-").ok();
    assert!(fixture.exists("-"));
    fixture.refuses("decrypt --key k/client.key --input c --json --output -", &["--json", "/dev/stdout"]);
}

/// A reader that goes away early (`bootes params | head -1`) gets the status that shells know of filters, without a
/// word; what goes to a file is there.
#[test]
fn a_broken_pipe() {
    let fixture = Fixture::with_keys();
    let run = "run --params toy_4 --table id.txt --input in.txt";
    let decrypt = "decrypt --key k/client.key --input c";
    let [run_to_file, decrypt_to_stdout] = [format!("{run} --output y"), format!("{decrypt} --output /dev/stdout")];
    let lines = ["params", "params --json", "--help", decrypt, "inspect c", run, "bench --list"];
    for line in lines.into_iter().chain([&*run_to_file, &decrypt_to_stdout, "bench kernels --quick --runs 1"]) {
        let mut command = command(&fixture.path(""), line);
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = command.stdout(writer).output().expect("it starts");
        assert_eq!((output.status.code(), &output.stderr[..]), (Some(141), &b""[..]), "{line}");
    }
    assert_eq!(fixture.read("y").split(|&byte| byte == b'\n').count(), 17);
}

#[test]
fn messages_that_nobody_hears() {
    let fixture = Fixture::new();
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
    let answer = fixture.call_with("params no_such_set", |command| {
        command.stderr(full);
    });
    assert_eq!(answer.code, Some(2));
}
