//! What is read and what is written: any number of names for one file, pipes, links, devices, and calls that are
//! interrupted.

use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::fixture::{Fixture, command};

/// Both engines: how to make keys, and the digits of their tables.
const ENGINES: [&str; 2] = ["toy_4", "toy_batch_4bit"];

fn fifo(fixture: &Fixture, name: &str) {
    let status = Command::new("mkfifo").arg(fixture.path(name)).status().expect("mkfifo");
    assert!(status.success());
}

/// Writes a file into a pipe.
fn feed(fixture: &Fixture, file: &str, fifo: &str) -> Child {
    let script = format!("cat {file} > {fifo}");
    Command::new("sh").args(["-c", &script]).current_dir(fixture.path("")).spawn().expect("sh")
}

#[test]
fn nothing_that_is_read_is_overwritten() {
    let fixture = Fixture::with_keys();
    symlink("k", fixture.path("dir")).expect("a link");
    for (name, spellings) in [
        ("in.txt", ["in.txt", "./in.txt", "k/../in.txt", "link", "hard"]),
        ("c", ["c", "./c", "k/../c", "link", "hard"]),
        ("id.txt", ["id.txt", "./id.txt", "k/../id.txt", "link", "hard"]),
        ("k/client.key", ["k/client.key", "./k/client.key", "dir/client.key", "link", "hard"]),
        ("k/server.key", ["k/server.key", "./k/server.key", "dir/server.key", "link", "hard"]),
    ] {
        let _ = (fs::remove_file(fixture.path("link")), fs::remove_file(fixture.path("hard")));
        symlink(name, fixture.path("link")).expect("a link");
        fs::hard_link(fixture.path(name), fixture.path("hard")).expect("a link");
        let writers = [
            ("run --params toy_4 --table id.txt --input in.txt", vec!["id.txt", "in.txt"]),
            ("encrypt --key k/client.key --input in.txt", vec!["k/client.key", "in.txt"]),
            ("eval --key k/server.key --table id.txt --input c", vec!["k/server.key", "id.txt", "c"]),
            ("decrypt --key k/client.key --input c", vec!["k/client.key", "c"]),
        ];
        for (line, _) in writers.iter().filter(|(_, inputs)| inputs.contains(&name)) {
            let before = fixture.read(name);
            for output in spellings {
                fixture.refuses(&format!("{line} --output {output}"), &[output, "the same file", name]);
            }
            assert_eq!(fixture.read(name), before);
        }
    }
}

#[test]
fn a_client_key_is_not_its_server_key() {
    let fixture = Fixture::new();
    fs::create_dir(fixture.path("d")).expect("a directory");
    symlink("d", fixture.path("e")).expect("a link");
    symlink("a", fixture.path("d/link")).expect("a link");
    for (client, server) in
        [("a", "a"), ("a", "./a"), ("d/a", "e/a"), ("d/a", "d/../e/a"), ("d/a", "d/link"), ("e/link", "d/a")]
    {
        for params in ENGINES {
            let line = format!("keygen --params {params} --client {client} --server {server} --force");
            fixture.refuses(&line, &[server, "the same file"]);
        }
    }
    fixture.write("a", "kept");
    fs::hard_link(fixture.path("a"), fixture.path("b")).expect("a link");
    fixture.refuses("keygen --params toy_4 --client a --server b --force", &["b", "the same file"]);
}

#[test]
fn keys_replace_keys_only() {
    let fixture = Fixture::new();
    fixture.write("notes.txt", "mine");
    for params in ENGINES {
        for names in ["--client notes.txt --server a", "--client a --server notes.txt"] {
            fixture.refuses(&format!("keygen --params {params} {names} --force"), &["notes.txt", "it is no key"]);
        }
        assert_eq!(fixture.read("notes.txt"), b"mine");
    }
}

/// What is encrypted under a client key is lost with it: no output takes its place, even where it is not read.
#[test]
fn nothing_replaces_a_client_key() {
    let fixture = Fixture::new();
    fixture.write("in.txt", "1 2 3");
    for params in ENGINES {
        fixture.call(&format!("keygen --params {params} --out mine --force")).ok();
        fixture.call(&format!("keygen --params {params} --out other --force")).ok();
        let kept = fixture.read("other/client.key");
        let encrypt = "encrypt --key mine/client.key --input in.txt --output";
        fixture.call(&format!("{encrypt} c")).ok();
        fixture.refuses(&format!("{encrypt} other/client.key"), &["other/client.key", "it is a client key"]);
        fixture.refuses("decrypt --key mine/client.key --input c --output other/client.key", &["it is a client key"]);
        assert_eq!(fixture.read("other/client.key"), kept);
        // Nor that of a server key, which belongs to one client key.
        let kept = fixture.read("mine/server.key");
        fixture.refuses(&format!("{encrypt} mine/server.key"), &["mine/server.key", "it is a key"]);
        assert_eq!(fixture.read("mine/server.key"), kept);
    }
    // Nor those of other keys.
    fixture.call("keygen --params toy_8 --out a").ok();
    fixture.call("keygen --params toy_batch_6bit --out b").ok();
    fixture.call("conversion-key --from a/client.key --to b/client.key --output a/b.key").ok();
    let kept = fixture.read("a/b.key");
    fixture.refuses("encrypt --key a/client.key --input in.txt --output a/b.key", &["a/b.key", "it is a key"]);
    assert_eq!(fixture.read("a/b.key"), kept);
}

#[test]
fn keys_made_at_once_belong_together() {
    let fixture = Fixture::new();
    let together = |force: &str| {
        let line = format!("keygen --params toy_4 --out k {force}");
        let start = |_| {
            let mut command = command(&fixture.path(""), &line);
            command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts")
        };
        let calls: Vec<Child> = (0..4).map(start).collect();
        let outputs: Vec<_> = calls.into_iter().map(|call| call.wait_with_output().expect("it ends")).collect();
        assert!(outputs.iter().any(|output| output.status.success()));
        for output in outputs.iter().filter(|output| !output.status.success()) {
            let error = String::from_utf8_lossy(&output.stderr);
            assert!(error.contains("another bootes keygen") || error.contains("it exists"), "{error}");
        }
        fixture.call("encrypt --key k/client.key --input in.txt --output c").ok();
        fixture.call("eval --key k/server.key --table id.txt --input c --output r").ok();
        outputs.iter().filter(|output| output.status.success()).count()
    };
    assert_eq!(together(""), 1);
    for _ in 0..3 {
        together("--force");
    }
    let names = fixture.names();
    assert!(!names.iter().any(|(name, _)| name.to_string_lossy().contains(".bootes-")), "{names:?}");
}

#[test]
fn what_is_appended_to_keeps_what_it_has() {
    let fixture = Fixture::with_keys();
    let lines = [
        ("run --params toy_4 --table id.txt --input in.txt --output", "0\n1\n2\n"),
        ("decrypt --key k/client.key --input c --output", "0\n1\n2\n"),
    ];
    for (line, values) in lines {
        for name in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"] {
            fixture.write("log", "before\n");
            let _ = fs::remove_file(fixture.path("link"));
            symlink("/dev/stdout", fixture.path("link")).expect("a link");
            let log = OpenOptions::new().append(true).open(fixture.path("log")).expect("a file");
            let answer = fixture.call_with(&format!("{line} {name}"), |command| {
                command.stdout(log);
            });
            assert_eq!((answer.code, answer.stderr.as_str()), (Some(0), ""));
            let log = String::from_utf8(fixture.read("log")).expect("text");
            assert!(log.starts_with(&format!("before\n{values}")) && log.lines().count() == 17, "{line} {name}: {log}");
        }
    }
    // Standard error, and where nothing was asked for.
    fixture.write("log", "before\n");
    let log = OpenOptions::new().append(true).open(fixture.path("log")).expect("a file");
    fixture.call_with("decrypt --key k/client.key --input c --output /dev/stderr", |command| {
        command.stderr(log);
    });
    assert!(fixture.read("log").starts_with(b"before\n0\n1\n"));
    fixture.refuses("decrypt --key k/client.key --input c --json --output /dev/stdout", &["--json", "/dev/stdout"]);
}

#[test]
fn links_and_pipes_stay_what_they_are() {
    let fixture = Fixture::with_keys();
    fs::create_dir(fixture.path("d")).expect("a directory");
    symlink("d/new", fixture.path("link")).expect("a link");
    symlink("loop", fixture.path("loop")).expect("a link");
    let works = |line: String| {
        let answer = fixture.call(&line);
        assert_eq!(answer.code, Some(0), "{line}: {}", answer.stderr);
    };
    for line in ["decrypt --key k/client.key --input c", "bench calibrate --quick --runs 1 --rows toy_batch_4bit"] {
        let option = if line.starts_with("bench") { "--write" } else { "--output" };
        let _ = fs::remove_file(fixture.path("d/new"));
        works(format!("{line} {option} link"));
        assert!(fixture.path("link").symlink_metadata().expect("a link").is_symlink());
        assert!(fixture.path("d/new").symlink_metadata().expect("a file").is_file());
        works(format!("{line} {option} /dev/null"));
        assert!(!fixture.path("/dev/null").symlink_metadata().expect("a device").is_file());
        fixture.refuses(&format!("{line} {option} loop"), &["loop", "links"]);
        fixture.refuses(&format!("{line} {option} d"), &["d", "directory"]);
        fifo(&fixture, "pipe");
        let mut reader = Command::new("cat").arg(fixture.path("pipe")).stdout(Stdio::piped()).spawn().expect("cat");
        works(format!("{line} {option} pipe"));
        let mut text = String::new();
        reader.stdout.take().expect("a pipe").read_to_string(&mut text).expect("text");
        assert!(text.len() > 20 && reader.wait().expect("it ends").success());
        assert!(!fixture.path("pipe").symlink_metadata().expect("a pipe").is_file());
        fs::remove_file(fixture.path("pipe")).expect("it is there");
    }
    // Nothing beside it, as a name of something temporary would be.
    let names = fixture.names();
    assert!(!names.iter().any(|(name, _)| name.to_string_lossy().contains("part")), "{names:?}");
}

#[test]
fn outputs_are_looked_at_before_the_work() {
    let fixture = Fixture::with_keys();
    // Were anything else read first, that would be the complaint.
    fixture.write("bad", "no key");
    fs::create_dir(fixture.path("d")).expect("a directory");
    for writer in [
        "run --params toy_4 --table bad --input bad --output",
        "encrypt --key bad --input bad --output",
        "eval --key bad --table bad --input bad --output",
        "decrypt --key bad --input bad --output",
        "bench calibrate --write",
    ] {
        for (output, word) in [
            ("results/", "directory"),
            ("no/y", "does not exist"),
            ("d", "directory"),
            ("d/.", "directory"),
            ("in.txt/", "not a"),
        ] {
            fixture.refuses(&format!("{writer} {output}"), &[output, word]);
        }
    }
}

/// Keys, tables and ciphertexts come from pipes as well as from files.
#[test]
fn every_input_is_read_once() {
    for params in ENGINES {
        let fixture = Fixture::new();
        fixture.call(&format!("keygen --params {params} --out k")).ok();
        fixture.call("encrypt --key k/client.key --input in.txt --output c").ok();
        for name in ["key", "table", "input"] {
            fifo(&fixture, name);
        }
        let pipes = |line: &str, files: &[(&str, &str)]| {
            let feeding: Vec<Child> = files.iter().map(|(file, name)| feed(&fixture, file, name)).collect();
            let answer = fixture.call(line);
            feeding.into_iter().for_each(|mut child| assert!(child.wait().expect("it ends").success()));
            answer.ok()
        };
        let files = [("k/client.key", "key"), ("in.txt", "input")];
        pipes("encrypt --key key --input input --output piped", &files);
        let files = [("k/server.key", "key"), ("rev.txt", "table"), ("piped", "input")];
        pipes("eval --key key --table table --input input --output r", &files);
        let values = pipes("decrypt --key key --input input", &[("k/client.key", "key"), ("r", "input")]);
        assert!(values.starts_with("15\n14\n13\n") && values.lines().count() == 16, "{values}");
        for file in ["k/client.key", "k/server.key", "r"] {
            assert!(pipes("inspect input", &[(file, "input")]).contains("checksum"));
            let from = fs::File::open(fixture.path(file)).expect("a file");
            let answer = fixture.call_with("inspect /dev/stdin", |command| {
                command.stdin(from);
            });
            assert!(answer.ok().contains(params));
        }
        let files = [("rev.txt", "table"), ("in.txt", "input")];
        let report = pipes(&format!("run --params {params} --table table --input input"), &files);
        assert!(report.contains("right: all 16"), "{report}");
    }
}

/// A call that waits for somebody to open a pipe, ended by this signal.
fn interrupted(fixture: &Fixture, line: &str, signal: &str) -> Option<i32> {
    let mut child = command(&fixture.path(""), line).stdout(Stdio::null()).spawn().expect("it starts");
    // A file that has no name yet, or a temporary one.
    let is_temporary = |link: &Path| ["(deleted)", ".tmp"].iter().any(|end| link.to_string_lossy().ends_with(end));
    for _ in 0..100 {
        let open = fs::read_dir(format!("/proc/{}/fd", child.id())).expect("open files").flatten();
        let mut links = open.filter_map(|entry| fs::read_link(entry.path()).ok());
        if links.any(|link| is_temporary(&link)) {
            break;
        }
        sleep(Duration::from_millis(20));
    }
    let kill = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill");
    assert!(kill.success());
    child.wait().expect("it ends").signal()
}

#[test]
fn signals_leave_nothing_behind() {
    let fixture = Fixture::new();
    fifo(&fixture, "pipe");
    let before = fixture.names();
    // Where the tests themselves run with a signal ignored, as jobs in the background of a shell do, so does the call.
    let status = fs::read_to_string("/proc/self/status").expect("a status");
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).expect("a mask");
    let ignored = u64::from_str_radix(ignored.trim(), 16).expect("a number");
    for (signal, number) in [("-INT", 2), ("-TERM", 15), ("-HUP", 1)] {
        if ignored >> (number - 1) & 1 == 1 {
            continue;
        }
        for key in ["client", "server"] {
            let line = format!("keygen --params toy_4 --out d/e --{key} pipe");
            assert_eq!(interrupted(&fixture, &line, signal), Some(number));
            assert_eq!(fixture.names(), before, "{signal} {key}");
        }
    }
    // Who ignores a signal goes on ignoring it.
    let script = format!(
        "trap '' HUP; {} keygen --params toy_4 --out d/e --client pipe & echo $!; wait $!",
        env!("CARGO_BIN_EXE_bootes")
    );
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).current_dir(fixture.path("")).stdout(Stdio::piped());
    let mut shell = shell.spawn().expect("sh");
    let mut pid = String::new();
    let mut output = BufReader::new(shell.stdout.take().expect("a pipe"));
    output.read_line(&mut pid).expect("a line");
    while !fixture.exists("d/e") {
        sleep(Duration::from_millis(20));
    }
    sleep(Duration::from_millis(200));
    assert!(Command::new("kill").args(["-HUP", pid.trim()]).status().expect("kill").success());
    let key = fs::read(fixture.path("pipe")).expect("the key comes through the pipe");
    assert!(key.len() > 50 && shell.wait().expect("it ends").success());
    assert!(fixture.exists("d/e/server.key"));
}

/// Not even a process that is killed leaves a key that nobody asked for, where the file system has files without names.
#[test]
fn who_is_killed_leaves_no_key_behind() {
    let fixture = Fixture::new();
    fifo(&fixture, "pipe");
    fs::create_dir(fixture.path("k")).expect("a directory");
    for force in ["", "--force"] {
        let before = fixture.names();
        // The server key is written, and the client key waits.
        let line = format!("keygen --params toy_4 --client pipe --server k/server.key {force}");
        assert_eq!(interrupted(&fixture, &line, "-KILL"), Some(9));
        assert_eq!(fixture.names(), before);
        fixture.call("keygen --params toy_4 --out k --force").ok();
    }
}

/// Runs a script as somebody who has a directory `d` to write in; `None` where nobody else can be.
fn as_nobody(fixture: &Fixture, script: &str) -> Option<Output> {
    fs::create_dir(fixture.path("d")).expect("a directory");
    for (name, mode) in [("", 0o755), ("d", 0o777)] {
        fs::set_permissions(fixture.path(name), fs::Permissions::from_mode(mode)).expect("permissions");
    }
    // Only root drops its privileges, and only to somebody who reads the program.
    let reads = nobody(fixture, &format!("test -x {}", env!("CARGO_BIN_EXE_bootes"))).status();
    reads.is_ok_and(|status| status.success()).then(|| nobody(fixture, script).output().expect("sh"))
}

fn nobody(fixture: &Fixture, script: &str) -> Command {
    let mut shell = Command::new("setpriv");
    shell.args(["--reuid=65534", "--regid=65534", "--clear-groups", "sh", "-c", script]);
    shell.current_dir(fixture.path("")).stdin(Stdio::null());
    shell
}

/// Whoever may write in a directory, but not read it, may write keys there, new ones and in the place of old ones.
#[test]
fn keys_go_where_nobody_reads() {
    let fixture = Fixture::new();
    let program = env!("CARGO_BIN_EXE_bootes");
    let script = format!(
        "mkdir -m 300 d/k && {program} keygen --params toy_4 --out d/k &&
         {program} keygen --params toy_4 --out d/k --force"
    );
    let Some(output) = as_nobody(&fixture, &script) else { return };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let names: Vec<_> = fixture.names().into_iter().filter(|(name, _)| name.starts_with(fixture.path("d/k"))).collect();
    assert_eq!(names.len(), 3, "{names:?}");
}

/// Such a directory cannot be locked; still one call alone writes keys there at a time.
#[test]
fn keys_made_at_once_where_nobody_reads_belong_together() {
    for (force, most) in [("", 1), ("--force", 6)] {
        let fixture = Fixture::new();
        let call = format!("{} keygen --params toy_4 --out d/k {force}", env!("CARGO_BIN_EXE_bootes"));
        let script = format!(
            "mkdir -m 300 d/k; for i in 1 2 3 4 5 6; do ({call} >/dev/null 2>d/error$i; echo $? >d/code$i) & done; wait"
        );
        if as_nobody(&fixture, &script).is_none() {
            return;
        }
        let of = |name: &str, i: u32| String::from_utf8(fixture.read(&format!("d/{name}{i}"))).expect("a text");
        let made = (1..=6).filter(|&i| of("code", i) == "0\n").count();
        assert!((1..=most).contains(&made), "{made}");
        for error in (1..=6).map(|i| of("error", i)).filter(|error| !error.is_empty()) {
            assert!(error.contains("another bootes keygen") || error.contains("it exists"), "{error}");
        }
        fixture.call("encrypt --key d/k/client.key --input in.txt --output c").ok();
        fixture.call("eval --key d/k/server.key --table id.txt --input c --output r").ok();
        let names = fixture.names();
        assert!(!names.iter().any(|(name, _)| name.to_string_lossy().contains(".bootes-")), "{names:?}");
    }
}

/// While a call waits for whoever reads its client key, no other one replaces its server key.
#[test]
fn keys_that_wait_where_nobody_reads_are_not_replaced() {
    let fixture = Fixture::new();
    let program = env!("CARGO_BIN_EXE_bootes");
    let script = format!(
        "mkdir -m 300 d/k; mkfifo d/pipe
         {program} keygen --params toy_4 --client d/pipe --server d/k/server.key >/dev/null 2>d/first &
         for i in 1 2 3 4 5 6 7 8 9 10; do test -e d/k/.bootes-keygen.lock || sleep 0.3; done
         {program} keygen --params toy_4 --out d/k 2>&1; cat d/pipe > d/client.key; wait"
    );
    let Some(output) = as_nobody(&fixture, &script) else { return };
    let error = String::from_utf8_lossy(&output.stdout);
    assert!(error.contains("another bootes keygen") && error.lines().count() == 1, "{error}");
    assert_eq!(fixture.read("d/first"), b"");
    fixture.call("encrypt --key d/client.key --input in.txt --output c").ok();
    fixture.call("eval --key d/k/server.key --table id.txt --input c --output r").ok();
}

/// What a call that was killed leaves is taken over, if it can be opened; else a line says which file it is.
#[test]
fn a_lock_that_was_left_keeps_nobody_out() {
    let fixture = Fixture::new();
    let program = env!("CARGO_BIN_EXE_bootes");
    let keygen = format!("{program} keygen --params toy_4 --out");
    let Some(output) = as_nobody(&fixture, "mkdir -m 300 d/a d/b") else { return };
    assert!(output.status.success());
    for (directory, mode) in [("a", 0o444), ("b", 0o600)] {
        let lock = fixture.path(&format!("d/{directory}/.bootes-keygen.lock"));
        fs::write(&lock, b"").expect("a file");
        fs::set_permissions(&lock, fs::Permissions::from_mode(mode)).expect("permissions");
    }
    let again = |line: &str| nobody(&fixture, line).output().expect("sh");
    let output = again(&format!("{keygen} d/a"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = again(&format!("{keygen} d/b"));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && error.lines().count() == 1, "{error}");
    assert!(error.contains("d/b/.bootes-keygen.lock") && error.contains("remove it"), "{error}");
    // What the line says helps; and a lock that is left by its own user is no obstacle either.
    let output =
        again(&format!("rm -f d/b/.bootes-keygen.lock && (umask 77; : > d/b/.bootes-keygen.lock) && {keygen} d/b"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_secret_is_for_its_owner_from_the_beginning() {
    let fixture = Fixture::new();
    fs::create_dir(fixture.path("k")).expect("a directory");
    fixture.call("keygen --params toy_4 --out k").ok();
    for name in ["k/client.key", "k/server.key"] {
        fs::set_permissions(fixture.path(name), fs::Permissions::from_mode(0o666)).expect("permissions");
    }
    symlink("client.key", fixture.path("k/link")).expect("a link");
    fixture.call("keygen --params toy_4 --client k/link --server k/server.key --force").ok();
    let mode = |name: &str| fixture.path(name).metadata().expect("a key").permissions().mode() & 0o777;
    assert_eq!((mode("k/client.key"), mode("k/server.key")), (0o600, 0o666));
    assert!(fixture.path("k/link").symlink_metadata().expect("a link").is_symlink());
}

/// A limit on the size of files is met with a line, not with a signal that leaves half a file.
#[test]
fn files_may_not_be_large() {
    let fixture = Fixture::new();
    let line = "keygen --params toy_4 --out k";
    let script = format!("ulimit -f 8; exec {} {line}", env!("CARGO_BIN_EXE_bootes"));
    let before = fixture.names();
    let mut shell = Command::new("sh");
    let output = shell.args(["-c", &script]).current_dir(fixture.path("")).output().expect("sh");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && error.contains("server.key") && error.contains("ulimit -f"), "{error}");
    assert_eq!(fixture.names(), before);
}
