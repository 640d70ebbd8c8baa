//! Inputs without an end, files that announce more than they have, and systems that give little.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::FileExt;
use std::process::{Command, Stdio};

use bootes::wire;
use bootes_testkit::sampled;

use crate::fixture::Fixture;

/// A call of the command as `sh` makes it after `before`: its status, its standard output and its standard error.
fn call(fixture: &Fixture, before: &str, line: &str) -> (Option<i32>, String, String) {
    let script = format!("{before}; exec {} {line}", env!("CARGO_BIN_EXE_bootes"));
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).current_dir(fixture.path("")).env_remove("BOOTES_ISA").stdin(Stdio::null());
    let output = shell.output().expect("sh");
    let [stdout, stderr] = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    (output.status.code(), stdout, stderr)
}

/// A call that must be refused with one line.
fn refusal(fixture: &Fixture, before: &str, line: &str) -> String {
    let (code, _, error) = call(fixture, before, line);
    assert_eq!(code, Some(2), "{line}: {error}");
    assert!(error.starts_with("error: ") && error.lines().count() == 1, "{line}: {error}");
    assert!(!error.contains("panicked"), "{line}: {error}");
    error
}

fn works(fixture: &Fixture, before: &str, line: &str) -> String {
    let (code, output, error) = call(fixture, before, line);
    assert_eq!((code, error.as_str()), (Some(0), ""), "{line}");
    output
}

/// Less than any buffer that grows with an input without an end.
const LITTLE: &str = "ulimit -v 600000";

#[test]
fn inputs_without_an_end() {
    let fixture = Fixture::with_keys();
    fixture.call("keygen --params toy_8 --out k8").ok();
    fs::write(fixture.path("text"), " 1".repeat(1 << 20)).expect("a file");
    assert!(Command::new("mkfifo").arg(fixture.path("pipe")).status().expect("mkfifo").success());
    let endless = "while cat text; do :; done";
    let endings = [
        ("encrypt --key k8/client.key --input /dev/stdin --output y", "16777216 values"),
        ("encrypt --key k8/client.key --bytes --input /dev/zero --output y", "16777216 values"),
        ("encrypt --key k8/client.key --input /dev/zero --output y", "16777216 values"),
        ("encrypt --key k/client.key --input /dev/stdin --output y", "16777216 values"),
        ("encrypt --key k/client.key --input /dev/zero --output y", "not an integer"),
        ("run --params toy_4 --table /dev/stdin --input in.txt", "1048576 entries"),
        ("run --params toy_4 --table /dev/zero --input in.txt", "not an integer"),
        ("eval --key k/server.key --table id.txt --input /dev/zero --output y", "not a Bootes"),
        ("inspect /dev/zero", "not a Bootes"),
    ];
    for (line, word) in sampled(endings, 2) {
        let line = format!("{line} < pipe & ({endless}) > pipe 2>/dev/null; wait $!");
        let script = format!("{LITTLE}; {} {line}", env!("CARGO_BIN_EXE_bootes"));
        let mut shell = Command::new("sh");
        let output = shell.args(["-c", &script]).current_dir(fixture.path("")).output().expect("sh");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && error.contains(word), "{line}: {error}");
    }
}

#[test]
fn files_that_announce_what_they_do_not_have() {
    let fixture = Fixture::with_keys();
    let bytes = fixture.read("c");
    let announce = |name: &str, like: &str, payload: u64| {
        let mut start = fixture.read(like)[..wire::HEADER_BYTES].to_vec();
        start[43..51].copy_from_slice(&payload.to_le_bytes());
        fixture.write(name, &start);
    };
    // Ten bytes, and then no end.
    for (like, line) in [
        ("c", "decrypt --key k/client.key --input /dev/stdin"),
        ("c", "inspect /dev/stdin"),
        ("k/client.key", "decrypt --key /dev/stdin --input c"),
        ("k/server.key", "eval --key /dev/stdin --table id.txt --input c --output y"),
    ] {
        announce("start", like, 10);
        let script =
            format!("(cat start /dev/zero 2>/dev/null) | ({LITTLE}; exec {} {line})", env!("CARGO_BIN_EXE_bootes"));
        let mut shell = Command::new("sh");
        let output = shell.args(["-c", &script]).current_dir(fixture.path("")).output().expect("sh");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && error.lines().count() == 1, "{line}: {error}");
    }
    // As much as they announce, of nothing.
    for (like, line) in [
        ("c", "decrypt --key k/client.key --input big"),
        ("c", "inspect big"),
        ("k/client.key", "inspect big"),
        ("k/client.key", "decrypt --key big --input c"),
        ("k/server.key", "eval --key big --table id.txt --input c --output y"),
    ] {
        let payload = 1 << 30;
        announce("big", like, payload);
        let big = OpenOptions::new().write(true).open(fixture.path("big")).expect("a file");
        big.set_len(payload + wire::OVERHEAD_BYTES as u64).expect("a long file");
        let error = refusal(&fixture, LITTLE, line);
        assert!(error.contains("big"), "{error}");
    }
    assert_eq!(fixture.read("c"), bytes);
}

/// 200,000 ciphertexts are 400 MB in full.
#[test]
fn many_values_need_little_memory() {
    let fixture = Fixture::with_keys();
    let values: String = (0..200_000).map(|x| format!("{}\n", x % 16)).collect();
    fixture.write("many", &values);
    works(&fixture, LITTLE, "encrypt --key k/client.key --input many --output cs");
    let little = "ulimit -v 300000";
    assert!(works(&fixture, little, "inspect cs").contains("200000"));
    works(&fixture, little, "decrypt --key k/client.key --input cs --output back");
    assert_eq!(fixture.read("back"), values.as_bytes());
}

/// 120,000 ciphertexts are 246 MB in full, and results 123 MB in a file: more than there is memory for.
#[test]
fn files_may_be_larger_than_memory() {
    let fixture = Fixture::with_keys();
    let values: String = (0..120_000).map(|x| format!("{}\n", x % 16)).collect();
    fixture.write("many", &values);
    for name in ["a", "b"] {
        works(&fixture, LITTLE, &format!("encrypt --key k/client.key --input many --output {name}"));
    }
    let little = "ulimit -v 240000";
    works(&fixture, little, "concat --input a --input b --output both");
    works(&fixture, little, "linear --weights 1 --constant 0 --input a --output same");
    assert!(fixture.read("both").len() < 9 * 240_000 && fixture.read("same").len() < 9 * 120_000);
    works(&fixture, little, "linear --weights 2,-1 --constant 1 --input a --input b --output sum");
    works(&fixture, little, "concat --input sum --input a --output mixed");
    works(&fixture, little, "slice --input mixed --rows 119000..121000 --output few");
    assert!(works(&fixture, "ulimit -v 90000", "inspect mixed").contains("240000"));
    works(&fixture, "ulimit -v 90000", "decrypt --key k/client.key --input mixed --output back");
    let plus_one: String = (0..120_000).map(|x| format!("{}\n", (x % 16 + 1) % 16)).collect();
    assert_eq!(fixture.read("back"), (plus_one + &values).as_bytes());
    fixture.write("three", ["3"; 16].join(" "));
    works(&fixture, ":", "eval --key k/server.key --table three --input sum --memory 0.05 --output r");
}

/// 28 MB of vectors, more than there is memory for: what a ciphertext needs is taken, and no more.
#[test]
fn files_of_vectors_may_be_larger_than_memory() {
    let fixture = Fixture::new();
    let values: String = (0..81_920).map(|x| format!("{}\n", x % 7)).collect();
    fixture.write("many", &values);
    let doubled: String = (0..81_920).map(|x| format!("{}\n", x % 7 * 2)).collect();
    // Where there is room for it, glibc reserves 64 MB or more for a thread, at times the last of it.
    let little = "ulimit -v 90000";
    for set in ["toy_slots_257", "toy_batch_4bit"] {
        fixture.call(&format!("keygen --params {set} --out k --force")).ok();
        works(&fixture, ":", "encrypt --key k/client.key --input many --output a --json");
        works(&fixture, little, "add --input a --input2 a --output sum");
        works(&fixture, little, "concat --input sum --input sum --output both");
        assert!(works(&fixture, little, "inspect both").contains("163840"));
        works(&fixture, little, "slice --input both --rows 81920.. --output half");
        works(&fixture, little, "decrypt --key k/client.key --input half --output back");
        assert_eq!(fixture.read("back"), doubled.as_bytes(), "{set}");
    }
    fixture.call("keygen --params toy_slots_257 --out k --force").ok();
    works(&fixture, ":", "encrypt --key k/client.key --input many --output a --json");
    works(&fixture, ":", "eval --key k/server.key --expr 2*x --input a --output r --memory 0.006");
    works(&fixture, ":", "decrypt --key k/client.key --input r --output back");
    assert!(fixture.read("r").len() > 6_000_000 && fixture.read("back") == doubled.as_bytes());
}

#[test]
fn the_limit_of_memory_holds_before_keys_are_read() {
    let fixture = Fixture::with_keys();
    // A key that is refused for its size is not looked at.
    let key = OpenOptions::new().write(true).open(fixture.path("k/server.key")).expect("a key");
    key.write_all_at(b"damage", 1000).expect("it is written");
    for line in [
        "eval --key k/server.key --table id.txt --input c --output y",
        "run --params toy_4 --table id.txt --input in.txt",
        "keygen --params toy_4 --out other",
    ] {
        let error = refusal(&fixture, ":", &format!("{line} --memory 0.0001"));
        assert!(error.contains("of memory"), "{error}");
    }
    assert!(!fixture.exists("other") && !fixture.exists("y"));
}

#[test]
fn threads_that_do_not_start() {
    let fixture = Fixture::with_keys();
    fixture.write("long", "1 2 3 ".repeat(350));
    fixture.call("encrypt --key k/client.key --input long --output cl").ok();
    let threads = |line: &str, told: &str| {
        let answer = fixture.call_with(&format!("{line} --json"), |command| {
            command.env("RAYON_NUM_THREADS", told);
        });
        answer.json()["threads"].as_u64().expect("a number")
    };
    let eval = "eval --key k/server.key --table rev.txt --input c --output r";
    assert_eq!(threads(eval, "1"), 1);
    // Whatever else says how many.
    let all = std::thread::available_parallelism().map_or(1, |all| all.get() as u64);
    assert_eq!([threads(&format!("{eval} --threads 2"), "1"), threads(eval, "0")], [all.min(2), all]);
    let eval = "eval --key k/server.key --table rev.txt --input cl --threads 1024 --output r";
    // Their stacks take the addresses that are left: fewer threads do the work, or a line says what they had no room
    // for.
    let (code, _, error) = call(&fixture, "ulimit -v 400000", eval);
    assert!(code == Some(0) || (code == Some(2) && error.contains("could not allocate")), "{error}");
    assert_eq!(error.lines().count(), usize::from(code == Some(2)), "{error}");
    // Engine ckks takes as many as the machine has, whatever it is told.
    let many = "export RAYON_NUM_THREADS=4096; ulimit -v 1500000";
    works(&fixture, many, "run --params toy_batch_4bit --table id.txt --input in.txt --threads 1024");
    works(&fixture, many, "plan --bits 4 --engine ckks --params toy_batch_4bit --explain");
    fixture.call("keygen --params toy_batch_4bit --out b").ok();
    works(&fixture, many, "encrypt --key b/client.key --input in.txt --output bc");
    assert!(works(&fixture, many, "decrypt --key b/client.key --input bc").starts_with("0\n1\n2\n"));
    works(&fixture, many, "eval --key b/server.key --table id.txt --input bc --output br --threads 1024");
}

/// Results that are made together are of values that there is memory for.
#[test]
fn fewer_values_need_less_memory() {
    let fixture = Fixture::new();
    fixture.call("keygen --params toy_int16 --out k").ok();
    fixture.write("many", "0 1 2 3 4 5 6 7 ".repeat(5000));
    fixture.call("encrypt --key k/client.key --width 7 --within 3 --unsigned --input many --output a").ok();
    let eval = |input: &str| format!("eval --key k/server.key --expr x*x;x<3 --input {input} --output r --output s");
    let refused = fixture.call(&format!("{} --memory 0.06", eval("a"))).refusal();
    assert!(
        refused.contains("allow or free more, or take fewer values at a time (of files: bootes slice)"),
        "{refused}"
    );
    fixture.call("slice --input a --rows 0..100 --output few").ok();
    fixture.call(&format!("{} --memory 0.06", eval("few"))).ok();
    // What is told is enough.
    let fixture = Fixture::with_keys();
    fixture.write("many", "0 1 2 3 4 5 6 7 ".repeat(400));
    for (line, memory) in [
        ("run --params toy_4 --table id.txt --input many --threads 1", "0.002"),
        ("keygen --params toy_batch_4bit --out b", "0.0001"),
        ("keygen --params toy_slots_257 --out s", "0.0001"),
    ] {
        let refused = fixture.call(&format!("{line} --memory {memory}")).refusal();
        let words: Vec<&str> = refused.split(" MB").next().expect("a word").split(' ').collect();
        let needed: f64 = words.last().and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("{refused}"));
        fixture.call(&format!("{line} --memory {}", needed * 1e-3)).ok();
    }
}

/// Whatever the system gives: a result, or one line.
#[test]
fn little_memory_is_said_in_a_line() {
    let fixture = Fixture::with_keys();
    fixture.call("keygen --params toy_batch_4bit --out b").ok();
    fixture.call("encrypt --key b/client.key --input in.txt --output bc").ok();
    for line in [
        "keygen --params toy_batch_4bit --out b --force",
        "eval --key b/server.key --table id.txt --input bc --output br --threads 2",
        "decrypt --key b/client.key --input bc",
        "run --params toy_batch_4bit --table id.txt --input in.txt --threads 2",
        "eval --key k/server.key --table id.txt --input c --output r --threads 2",
        "plan --bits 8",
    ] {
        for kilobytes in [40_000, 80_000, 120_000, 180_000, 260_000] {
            let (code, _, error) = call(&fixture, &format!("ulimit -v {kilobytes}"), line);
            // A note on traces, or one, follows the standard library's line where some small buffer has no room.
            let is_line = error.lines().count() == 1 || error.starts_with("memory allocation of ");
            let clean = code == Some(0) || (code == Some(2) && is_line);
            assert!(clean && !error.contains("panicked"), "{line}, {kilobytes} kB: {code:?} {error}");
        }
    }
}

#[test]
fn a_sparse_file_is_not_read() {
    let fixture = Fixture::with_keys();
    let file = File::create(fixture.path("sparse")).expect("a file");
    file.set_len(1 << 40).expect("a long file");
    for line in [
        "run --params toy_4 --table sparse --input in.txt",
        "encrypt --key k/client.key --input sparse --output y",
        "decrypt --key k/client.key --input sparse",
        "inspect sparse",
    ] {
        assert!(refusal(&fixture, LITTLE, line).contains("sparse"));
    }
    let mut start = Vec::new();
    File::open(fixture.path("c")).and_then(|mut file| file.read_to_end(&mut start)).expect("a file");
    (&file).write_all(&start).expect("it is written");
    assert!(refusal(&fixture, LITTLE, "inspect sparse").contains("too long"));
}

/// 10 MB of names, and more than is read.
#[test]
fn names_of_columns_need_little_memory() {
    let fixture = Fixture::with_keys();
    for (count, word) in [(2_000_000, "and 1999991 more"), (4_000_000, "more than 16.8 MB")] {
        fixture.write("x.csv", "name,".repeat(count) + "\n");
        let error =
            refusal(&fixture, "ulimit -v 400000", "encrypt --key k/client.key --input x.csv --column q --output y");
        assert!(error.contains("x.csv:") && error.contains(word) && error.len() < 300, "{error}");
    }
    let names = (0..9000).map(|i| format!("x{i}")).collect::<Vec<_>>().join("+");
    let line = format!("run --modulus 257 --params toy_slots_257 --input in.txt --expr {names}");
    let error = fixture.call(&line).refusal();
    assert!(error.contains("and 8990 more") && error.len() < 300, "{error}");
}

/// What keygen tells of its memory: the peak by the system, and what it predicts, in bytes.
#[test]
fn keys_take_what_is_predicted_at_most() {
    let fixture = Fixture::new();
    let peak = |line: &str| -> [u64; 2] {
        let output = works(&fixture, ":", line);
        ["peak_rss_bytes", "predicted_peak_bytes"].map(|name| {
            let rest = output.split(&format!("\"{name}\":")).nth(1).expect("it is told");
            rest.split([',', '}']).next().expect("a number").parse().expect("a number")
        })
    };
    // The program itself, which is not counted.
    let [base, _] = peak("keygen --params toy_slots_257 --out t --json");
    let [held, told] = peak("keygen --params slots_257 --out k --json");
    let stated = told - 20_000_000;
    assert!(held - base < stated && stated < 6 * (held - base) / 5, "{held} - {base}, {stated}");
}

/// Maps of 200 MB are not made for keys of 800 MB, nor a set of 40 MB for its keys.
#[test]
fn keys_that_do_not_fit_are_refused_before_their_set_is_made() {
    let fixture = Fixture::new();
    let mut peaks = Vec::new();
    for set in [
        "--params toy_slots_257",
        "--params slots_65537",
        "--params batch_1bit",
        "--engine ckks --bits 8",
        "--engine ckks --width 8",
    ] {
        let line = format!("keygen {set} --memory 0.001 --out k");
        let error = refusal(&fixture, ":", &line);
        assert!(error.contains("of memory, and 1.00 MB are available"), "{set}: {error}");
        peaks.push(peak_of(&fixture, &line));
    }
    // Beyond the keys that raise and multiply, rotations are known too.
    peaks.push(peak_of(&fixture, "keygen --params slots_65537 --memory 0.19 --out k"));
    assert!(peaks.iter().all(|&peak| peak < peaks[0] + (24 << 20)), "{peaks:?}");
}

/// What a refusal says is needed is enough for all of the job.
#[test]
fn a_memory_that_is_told_is_enough() {
    let fixture = Fixture::new();
    fixture.write("t12", (0..1 << 12).map(|x| format!("{x} ")).collect::<String>());
    fixture.write("t4", (0..1 << 4).map(|x| format!("{x} ")).collect::<String>());
    fixture.write("x", "1 2 3");
    fixture.write("many", (0..401).map(|x| format!("{x} ")).collect::<String>());
    let needs = |line: &str, first: &str| {
        let error = refusal(&fixture, ":", &format!("{line} --memory {first}"));
        let needed = error.split("it needs ").nth(1).expect("a need").split(' ').collect::<Vec<_>>();
        let unit = if needed[1] == "GB" { 1.0 } else { 1e-3 };
        format!("{:.6}", needed[0].parse::<f64>().expect("a number") * unit)
    };
    let jobs = [
        "--engine fhew --table t12 --input x",
        "--width 4 --expr 'x*y' --input x=x --input y=x",
        "--params toy_batch_4bit --table t4 --input x",
        "--params toy_batch_integers --width 5 --op relu --input x",
        "--params toy_slots_257 --expr 'x*x*x' --input x",
        "--params slots_17 --modulus 17 --expr 'x*x+rot(x,1)' --input x",
    ];
    for job in sampled(jobs, 2) {
        let line = format!("run {job} --threads 1");
        works(&fixture, ":", &format!("{line} --memory {}", needs(&line, "0.0001")));
    }
    let program = "run --engine bfv --modulus 17 --expr 'x*x+rot(x,1)' --input x --threads 1";
    let least = needs(program, "0.001");
    assert!(least.parse::<f64>().expect("a number") < 0.05, "{least} GB of keys that bootstrap nothing");
    works(&fixture, ":", &format!("{program} --memory {least}"));
    // Nothing is planned that there is no room for.
    let line = "run --op less --width 16 --input many --input2 many --memory 0.001";
    assert!(refusal(&fixture, ":", line).contains("and 1.00 MB are available"));
    let (few, peak) = (peak_of(&fixture, "params toy_4"), peak_of(&fixture, line));
    assert!(peak < few + (40 << 20), "{few} {peak}");
}

/// Peak memory of a call, by the system: the largest that was seen of three calls.
fn peak_of(fixture: &Fixture, line: &str) -> u64 {
    let mut peak = 0;
    for _ in 0..3 {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bootes"));
        command.args(line.split(' ')).current_dir(fixture.path("")).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("a process");
        let status = format!("/proc/{}/status", child.id());
        // What is known of it ends with it, and a busy machine looks late or not at all.
        while child.try_wait().expect("a process").is_none() {
            let text = fs::read_to_string(&status).unwrap_or_default();
            let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
            peak = peak.max(kilobytes.unwrap_or(0) << 10);
        }
    }
    peak
}

#[test]
fn a_plan_of_engine_bfv_keeps_the_limits() {
    let fixture = Fixture::new();
    let plan = |rest: &str| format!("plan --engine bfv --params toy_slots_257 --modulus 257 --count 1280 {rest}");
    for threads in [1, 2] {
        let line = works(&fixture, ":", &plan(&format!("--threads {threads} --json")));
        assert!(line.contains(&format!("\"threads\":{threads}")), "{line}");
    }
    assert!(refusal(&fixture, ":", &plan("--memory 0.001")).contains("and 1.00 MB are available"));
}

/// Four million values, of which ciphertexts of gigabytes would be made.
#[test]
fn millions_of_values_are_refused_in_a_line() {
    let fixture = Fixture::new();
    for (set, engine) in [("toy_slots_257", "s"), ("toy_batch_4bit", "b"), ("toy_4", "f")] {
        fixture.call(&format!("keygen --params {set} --out {engine}")).ok();
    }
    fixture.write("many", "1 2 ".repeat(2_000_000));
    for (engine, must) in [("s", true), ("b", false), ("f", false)] {
        let line = format!("encrypt --key {engine}/client.key --input many --output y");
        let (code, _, error) = call(&fixture, "ulimit -v 150000", &line);
        let refused = code == Some(2) && error.lines().count() == 1 && error.contains("memory");
        assert!(refused || (code == Some(0) && !must), "{line}: {code:?} {error}");
    }
    let run = "run --params toy_slots_257 --modulus 257 --expr x*x --input many";
    let error = refusal(&fixture, "ulimit -v 150000", run);
    assert!(error.contains("it needs"), "{error}");
    let error = refusal(&fixture, ":", &format!("{run} --memory 0.1"));
    assert!(error.contains("GB of memory, and 100.00 MB are available"), "{error}");
    assert!(!fixture.exists("y"));
}

/// The least limit of addresses, in kilobytes, for the command itself, below which it ends before it begins, and for
/// the buffers of files.
fn least_limit(fixture: &Fixture) -> u64 {
    let starts = |limit: &u64| call(fixture, &format!("ulimit -v {limit}"), "--version").0 == Some(0);
    (30_000..100_000).step_by(1_000).find(starts).expect("room for the command alone") + 2_000
}

/// Under each of these limits of addresses, in kilobytes, a line or the result; never the end of the process.
fn sweep(fixture: &Fixture, line: &str, limits: &[u32]) {
    for limit in limits {
        let (code, _, error) = call(fixture, &format!("export RUST_BACKTRACE=0; ulimit -v {limit}"), line);
        // What no check foresees is the standard library's line, with a note on backtraces below it.
        let lines = error.lines().filter(|line| !line.starts_with("note: ")).count();
        let begins = ["error: ", "memory allocation of "].iter().any(|begin| error.starts_with(begin));
        let told = code == Some(2) && lines == 1 && begins;
        assert!(told || (code == Some(0) && lines == 0), "{line}, {limit}: {code:?} {error}");
    }
}

#[test]
fn sets_that_there_is_no_room_for_are_not_made() {
    let fixture = Fixture::new();
    fixture.write("t16", "1 ".repeat(1 << 16));
    fixture.write("x", "1 2 3");
    sweep(&fixture, "params", &[60_000, 160_000, 190_000, 200_000, 210_000, 240_000]);
    sweep(&fixture, "params --json --engine ckks", &[100_000, 150_000, 190_000, 200_000]);
    for set in ["batch_8bit", "batch_12bit", "batch_integers"] {
        sweep(&fixture, &format!("params {set}"), &[45_000, 70_000, 100_000, 150_000, 210_000, 240_000]);
    }
    let limits = [42_000, 70_000, 100_000, 130_000, 160_000, 200_000, 240_000];
    for line in [
        "run --engine ckks --table t16 --input x",
        "run --engine ckks --width 16 --op relu --input x",
        "keygen --engine ckks --bits 8 --out kz",
    ] {
        sweep(&fixture, line, &limits);
    }
    // Planning, too: engine ckks has maps of 350 MB for tables of 14 bits and more.
    fixture.write("t20", "1 ".repeat(1 << 20));
    sweep(&fixture, "plan --bits 20", &[200_000, 330_000, 400_000, 480_000]);
    sweep(&fixture, "run --table t20 --input x", &[200_000, 400_000, 480_000]);
    sweep(&fixture, "run --table t16 --input x --threads 1", &[60_000, 77_000]);
    let limited = peak_of(&fixture, "plan --bits 20 --memory 0.1");
    assert!(limited < 100 << 20, "{limited}");
    // What there is no room for is told as that.
    assert!(refusal(&fixture, "ulimit -v 100000", "params batch_8bit").contains("of memory"));
}

/// Keys of engine bfv, and evaluations with them, where there is little besides the command itself.
#[test]
fn vectors_without_room_are_refused_in_a_line() {
    let fixture = Fixture::new();
    fixture.write("x", "1 2 3");
    let least = least_limit(&fixture);
    for set in ["toy_slots_17", "toy_slots_257"] {
        fixture.call(&format!("keygen --params {set} --out k --force")).ok();
        fixture.call("encrypt --key k/client.key --input x --output c").ok();
        for line in [
            &format!("keygen --params {set} --out other --force"),
            "eval --key k/server.key --expr x*x --input c --output r",
            &format!("run --params {set} --expr x*x --input x"),
        ] {
            let mut refused = 0;
            for limit in (least..=130_000).step_by(4_000) {
                let (code, _, error) = call(&fixture, &format!("ulimit -v {limit}"), line);
                let is_line = code == Some(2) && error.starts_with("error: ") && error.lines().count() == 1;
                assert!(code == Some(0) || is_line || code == Some(127), "{line}, {limit}: {code:?} {error}");
                refused += u32::from(is_line);
            }
            assert!(refused > 0, "{line}");
        }
    }
}

/// What grows with the values is reserved where it can be refused: no allocation that fails ends the process.
#[test]
fn decryption_without_room_is_refused_in_a_line() {
    let fixture = Fixture::new();
    fixture.write("x", "1 2 ".repeat(100_000));
    fixture.call("keygen --params toy_slots_257 --out k").ok();
    fixture.call("encrypt --key k/client.key --input x --output c").ok();
    let mut refused = 0;
    for limit in (least_limit(&fixture)..=70_000).step_by(5_000) {
        let before = format!("export RUST_BACKTRACE=0; ulimit -v {limit}");
        let (code, _, error) = call(&fixture, &before, "decrypt --key k/client.key --input c --json");
        // Where threads' stacks have taken the last addresses, the words are the standard library's, of a few bytes, or
        // those of libc.
        let sizes =
            error.split("memory allocation of ").skip(1).filter_map(|rest| rest.split(' ').next()?.parse().ok());
        let is_small = error.contains("TLS destructor")
            || (error.contains("memory allocation of ") && sizes.max().is_none_or(|bytes: usize| bytes < 1 << 14));
        let is_line = error.lines().count() == 1 && error.starts_with("error: ");
        let line = (code == Some(2) && is_line) || (code != Some(0) && is_small);
        assert!((line && !error.contains("panicked")) || (code == Some(0) && error.is_empty()), "{limit}: {error}");
        refused += u32::from(line);
    }
    assert!(refused > 0);
}

/// A client key is small; its set is not.
#[test]
fn clients_of_sets_that_there_is_no_room_for() {
    let fixture = Fixture::new();
    fixture.write("x", "1 2 3");
    fixture.call("keygen --params slots_257 --out k").ok();
    fixture.call("encrypt --key k/client.key --input x --output c").ok();
    let limits = [least_limit(&fixture) as u32, 60_000, 100_000, 140_000, 150_000, 160_000, 180_000];
    sweep(&fixture, "encrypt --key k/client.key --input x --output y", &limits);
    sweep(&fixture, "decrypt --key k/client.key --input c", &limits);
}
