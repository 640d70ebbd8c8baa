//! Engine ckks from the shell, on toy sets.

use std::os::unix::fs::PermissionsExt;

use crate::fixture::Fixture;
use bootes_testkit::sampled;

/// Keys `k/client.key` and `k/server.key` of `toy_batch_4bit`, and 1100 values in `x.txt`, encrypted as `c`.
fn with_keys() -> Fixture {
    let fixture = Fixture::new();
    let values: Vec<String> = (0..1100).map(|i| (i * i % 16).to_string()).collect();
    fixture.write("x.txt", values.join("\n"));
    fixture.call("keygen --engine ckks --set toy_batch_4bit --out k --threads 2").ok();
    fixture.call("encrypt --key k/client.key --input x.txt --output c").ok();
    fixture
}

fn reversed() -> String {
    (0..1100).map(|i| format!("{}\n", 15 - i * i % 16)).collect()
}

#[test]
fn client_and_server_by_files() {
    let fixture = with_keys();
    let mode = |name: &str| fixture.path(name).metadata().expect("a key").permissions().mode() & 0o777;
    assert_eq!(mode("k/client.key"), 0o600);
    let report = fixture.call("eval --key k/server.key --table rev.txt --input c --output r --threads 2").ok();
    for word in
        ["toy_batch_4bit", "INSECURE", "2 ciphertexts", "1100 results (4-bit messages)", "peak memory", "predicted"]
    {
        assert!(report.contains(word), "no \"{word}\" in {report}");
    }
    assert_eq!(fixture.call("decrypt --key k/client.key --input r").ok(), reversed());
    // Results are inputs again; masks made at every use give the same.
    let json =
        fixture.call("eval --key k/server.key --table rev.txt --input r --output rr --masks seeded --threads 2 --json");
    let json = json.json();
    assert_eq!(
        (&json["engine"], &json["ciphertexts"], &json["side_by_side"], &json["masks_kept"]),
        (&"ckks".into(), &2.into(), &2.into(), &false.into())
    );
    let values = fixture.call("decrypt --key k/client.key --input rr --json").json();
    assert_eq!(values["values"], serde_json::json!((0..1100).map(|i| i * i % 16).collect::<Vec<_>>()));
    fixture.call("decrypt --key k/client.key --input r --output y --engine ckks").ok();
    assert_eq!(fixture.read("y"), reversed().as_bytes());

    // Several ciphertexts say how many values they hold.
    for (file, kind, version) in
        [("k/client.key", "ckks client key", 3), ("k/server.key", "ckks server key", 3), ("c", "ckks ciphertexts", 8)]
    {
        let report = fixture.call(&format!("inspect {file}")).ok();
        assert!(report.contains(kind) && report.contains("toy_batch_4bit") && report.contains("right"), "{report}");
        let object = fixture.call(&format!("inspect {file} --json")).json();
        assert_eq!((&object["kind"], &object["version"]), (&kind.into(), &version.into()));
        assert_eq!(object["bytes"], fixture.read(file).len());
    }
    assert_eq!(fixture.call("inspect c --json").json()["count"], 1100);
}

#[test]
fn keys_by_name() {
    let fixture = Fixture::new();
    fixture.call("keygen --params toy_batch_4bit --client a.key --server b.key").ok();
    assert!(fixture.exists("a.key") && fixture.exists("b.key"));
    let line = "keygen --params toy_batch_4bit --client a.key --server b.key";
    fixture.refuses(line, &["a.key", "exists", "--force"]);
    fixture.refuses("keygen --params toy_batch_4bit --client d --server d", &["both keys"]);
    fixture.refuses("keygen --params toy_batch_4bit --client d", &["--out"]);
    fixture.call(&format!("{line} --force --json")).json();
}

#[test]
fn the_whole_job() {
    let fixture = Fixture::new();
    let values: Vec<String> = (0..50).map(|i| (i % 13).to_string()).collect();
    fixture.write("x.txt", values.join(" "));
    fixture.write("t.txt", (0..13).map(|x| (x * x % 7).to_string()).collect::<Vec<_>>().join(" "));
    let line = "run --set toy_batch_4bit --table t.txt --modulus 13 --out-modulus 7 --input x.txt --threads 2";
    let report = fixture.call(&format!("{line} --output y")).ok();
    for word in ["generate keys", "expand server key", "evaluate", "right: all 50 values", "T[3] = 2", "peak memory"] {
        assert!(report.contains(word), "no \"{word}\" in {report}");
    }
    let expected: String = (0..50).map(|i| format!("{}\n", (i % 13) * (i % 13) % 7)).collect();
    assert_eq!(fixture.read("y"), expected.as_bytes());
    let json = fixture.call(&format!("{line} --json")).json();
    assert_eq!((&json["engine"], &json["correct"], &json["out_modulus"]), (&"ckks".into(), &true.into(), &7.into()));
    assert!(json["predicted_peak_bytes"].as_u64() > Some(10_000_000));
    // Few values, or another engine by name, go one by one.
    let json = fixture.call("run --engine fhew --params toy_4 --table rev.txt --input in.txt --json").json();
    assert!(json["engine"] == "fhew" && json["algorithm"].is_string());
}

#[test]
fn what_the_engine_does_not_do_is_refused() {
    let fixture = with_keys();
    fixture.call("keygen --params toy_batch_4bit --out other").ok();
    fixture.call("keygen --params toy_batch_6bit --out set").ok();
    fixture.call("keygen --params toy_4 --out fhew").ok();
    fixture.write("long.txt", (0..32).map(|x| x.to_string()).collect::<Vec<_>>().join(" "));
    fixture.write("bad.txt", "1 2\n16");
    fixture.write("none.txt", "# nothing");
    for (line, words) in [
        ("encrypt --key k/client.key --input bad.txt --output y", &["bad.txt", "line 2", "16", "0 to 15"][..]),
        ("encrypt --key k/client.key --input none.txt --output y", &["none.txt", "no integers"]),
        ("encrypt --key k/client.key --input x.txt --modulus 17 --output y", &["toy_batch_4bit", "4-bit"]),
        (
            "encrypt --key k/client.key --input x.txt --width 8 --output y",
            &["no large integers", "keygen --engine ckks --width 8"],
        ),
        ("encrypt --key k/client.key --engine fhew --input x.txt --output y", &["ckks client key", "--engine is fhew"]),
        ("eval --key k/server.key --table long.txt --input c --output y", &["2^5 entries", "4-bit", "--bits 5"]),
        ("eval --key k/server.key --op relu --input c --output y", &["relu", "keygen --engine ckks --width"]),
        ("eval --key k/client.key --table rev.txt --input c --output y", &["a ckks client key", "ckks server key"]),
        (
            "eval --key fhew/server.key --table rev.txt --input c --output y",
            &["ckks ciphertexts", "engine fhew", "key pair"],
        ),
        ("eval --key k/server.key --table rev.txt --input k/client.key --output y", &["a ckks client key"]),
        ("eval --key other/server.key --table rev.txt --input c --output y", &["c:", "another key", "key pair"]),
        (
            "eval --key set/server.key --table rev.txt --input c --output y",
            &["c:", "other parameters (toy_batch_4bit) than", "(toy_batch_"],
        ),
        ("eval --key rev.txt --table rev.txt --input c --output y", &["rev.txt", "not a Bootes key"]),
        ("eval --key absent --table rev.txt --input c --output y", &["cannot read absent"]),
        ("decrypt --key other/client.key --input c", &["another key"]),
        ("decrypt --key k/client.key --input k/server.key", &["a ckks server key"]),
        ("run --params toy_batch_4bit --op relu --width 8 --input x.txt", &["no large integers"]),
        ("run --set toy_batch_4bit --table long.txt --input x.txt", &["toy_batch_4bit", "at most 4-bit", "5 bits"]),
        ("run --set batch_5bit --table rev.txt --input x.txt", &["batch_5bit", "batch_4bit"]),
    ] {
        fixture.refuses(line, words);
    }
}

#[test]
fn too_little_memory_is_refused_before_any_work() {
    let fixture = with_keys();
    fixture.call("keygen --params toy_4 --out fhew").ok();
    fixture.call("encrypt --key fhew/client.key --input in.txt --output fhew.c").ok();
    for line in [
        "keygen --params toy_batch_4bit --out n --memory 0.001",
        "eval --key k/server.key --table rev.txt --input c --output y --memory 0.001",
        "run --set toy_batch_4bit --table rev.txt --input x.txt --memory 0.001",
    ] {
        fixture.refuses(line, &["it needs", " MB of memory, and 1.00 MB are available", "smaller parameter set"]);
    }
    for line in [
        "keygen --params toy_4 --out n --memory 0.00001",
        "eval --key fhew/server.key --table rev.txt --input fhew.c --output y --memory 0.00001",
        "run --params toy_4 --table rev.txt --input in.txt --memory 0.00001",
    ] {
        fixture.refuses(line, &["it needs", "0.01 MB are available"]);
    }
    fixture.refuses("run --set toy_batch_4bit --table rev.txt --input x.txt --memory 0", &["--memory", "above 0"]);
    // What is predicted is enough; with less, masks are not kept.
    let line = "eval --key k/server.key --table rev.txt --input c --output y --threads 1 --json";
    // Without the program itself, which no limit is on.
    let all = fixture.call(line).json()["predicted_peak_bytes"].as_u64().expect("bytes") as f64 - 2e7;
    let json = |bytes: f64| fixture.call(&format!("{line} --memory {}", bytes * 1e-9)).json();
    assert_eq!([all + 2.0, all - 1e6].map(|bytes| json(bytes)["masks_kept"].clone()), [true, false]);
}

/// Peaks of `keygen` and `run` for tables of so many bits: what is predicted is 0.9 to 1.35 of them.
fn peaks_are_as_predicted(set: &str, bits: u32) {
    let fixture = Fixture::new();
    fixture.write("t.txt", (0..1 << bits).rev().map(|x: u32| x.to_string()).collect::<Vec<_>>().join(" "));
    fixture.write("x.txt", "0 1");
    let lines = [
        format!("keygen --set {set} --out k --threads 2 --json"),
        format!("run --set {set} --table t.txt --input x.txt --threads 1 --json"),
        format!("run --set {set} --table t.txt --input x.txt --threads 2 --masks seeded --json"),
    ];
    for line in sampled(lines, 2) {
        let json = fixture.call(&line).json();
        // Not every system tells.
        let Some(peak) = json["peak_rss_bytes"].as_f64() else { return };
        let ratio = json["predicted_peak_bytes"].as_f64().expect("bytes") / peak;
        println!("{line}: {:.3} GB, predicted {ratio:.3} times that", peak * 1e-9);
        // Sets of 1 bit have little but the process and what the pool of buffers keeps.
        let (least, most) = if bits == 1 { (0.9, 1.35) } else { (0.95, 1.15) };
        assert!((least..most).contains(&ratio), "{line}: {ratio}");
    }
}

#[test]
fn peak_memory_is_as_predicted() {
    peaks_are_as_predicted("batch_1bit", 1);
}

#[test]
#[ignore = "keys of gigabytes, minutes"]
fn peak_memory_of_larger_sets_is_as_predicted() {
    for bits in [4, 8, 10, 12] {
        peaks_are_as_predicted(&format!("batch_{bits}bit"), bits);
    }
}

#[test]
fn damaged_files() {
    let fixture = with_keys();
    let readers = [
        ("k/client.key", "decrypt --key bad --input c"),
        ("k/server.key", "eval --key bad --table rev.txt --input c --output y"),
        ("c", "decrypt --key k/client.key --input bad"),
    ];
    for (name, line) in readers {
        let bytes = fixture.read(name);
        for length in [40, 51, 60, bytes.len() / 2, bytes.len() - 1] {
            fixture.write("bad", &bytes[..length]);
            fixture.refuses(line, &["bad", "truncated"]);
        }
        fixture.write("bad", [&bytes[..], b"x"].concat());
        fixture.refuses(line, &["bad", "too long"]);
        for at in [0, 9, 60, 90, bytes.len() / 2, bytes.len() - 17, bytes.len() - 1] {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            fixture.write("bad", &changed);
            fixture.refuses(line, &["bad"]);
            fixture.refuses("inspect bad", &["bad"]);
        }
    }
}

#[test]
fn sets_and_plans() {
    let fixture = Fixture::new();
    let list = fixture.call("params").ok();
    for set in ["batch_1bit", "batch_12bit", "toy_batch_4bit", "p_fail"] {
        assert!(list.contains(set), "no \"{set}\" in {list}");
    }
    let [fhew, ckks] = ["fhew", "ckks"].map(|engine| fixture.call(&format!("params --engine {engine}")).ok());
    assert!(fhew.contains("fhew_8bit_2m128") && !fhew.contains("batch_") && list.starts_with(&fhew), "{fhew}");
    assert!(ckks.contains("batch_8bit") && !ckks.contains("fhew_") && list.contains(&ckks), "{ckks}");
    let json = fixture.call("params --engine fhew --json").json();
    assert!(json["params"][0]["engine"] == "fhew" && json["batch"] == serde_json::json!([]));
    let set = fixture.call("params batch_8bit").ok();
    for word in ["65536 values", "least of all estimates", "log QP", "2^-128 a value", "without end"] {
        assert!(set.contains(word), "no \"{word}\" in {set}");
    }
    assert!(json["params"].as_array().expect("sets").iter().all(|set| set["description"].is_null()));
    assert!(fixture.call("params toy_4 --json").json()["description"].is_string());
    assert!(fixture.call("params batch_8bit --json").json()["security_bits"].as_f64() >= Some(132.0));
    assert_eq!(fixture.call("params batch_8bit --json").json()["capacity"], 65536);
    let plan = fixture.call("plan --bits 4 --count 100000").ok();
    for word in ["ckks", "batch_4bit", "from ", "values on", "engine ckks takes the least time"] {
        assert!(plan.contains(word), "no \"{word}\" in {plan}");
    }
    assert!(fixture.call("plan --bits 4 --count 1").ok().contains("engine fhew takes the least time"));
    // Keys whose masks are made at every use take half, where the others do not fit.
    let peak = |rest: &str| {
        let plan = fixture.call(&format!("plan --bits 4 --engine ckks --threads 1 --json {rest}")).json();
        plan["batch"]["memory_bytes"].as_u64().expect("bytes")
    };
    let all = peak("");
    let limit = all * 9 / 10;
    assert!(peak(&format!("--memory {}", limit as f64 * 1e-9)) <= limit);
    // What was asked for comes first.
    let line = "plan --bits 4 --count 100000 --memory 1";
    let plan = fixture.call(line).ok();
    assert!(plan.contains("engine fhew takes the least time") && plan.contains("ckks is refused: it needs"), "{plan}");
    assert_eq!(fixture.call(&format!("{line} --json")).json()["recommended_engine"], "fhew");
    let json = fixture.call("plan --bits 4 --threads 1 --json").json();
    let batch = &json["batch"];
    let crossover = batch["crossover_count"].as_u64().expect("a number");
    let ratio = 1e3 * batch["ciphertext_s"].as_f64().expect("s") / json["choice"]["per_value_ms"].as_f64().expect("ms");
    // The last batch of 16 values may be smaller.
    assert!((crossover as f64 - ratio).abs() <= 16.0, "{crossover} {ratio}");
    assert!(fixture.call("plan --bits 4 --engine fhew --json").json()["batch"].is_null());
    assert!(fixture.call("plan --bits 13").ok().contains("batch_14bit"));
}

/// Tables of several digits, by files of NumPy, with keys apart and at once; by which digits, `plan` says.
#[test]
fn tables_of_several_digits() {
    let fixture = Fixture::new();
    let entries: Vec<i64> = (0..512).map(|x| (x * x * 41 + 7 * x + 3) % 1009 % 512).collect();
    let values: Vec<i64> = (0..100).map(|i| i * 37 % 512).collect();
    let text = |values: &[i64]| values.iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
    fixture.write("t", text(&entries));
    fixture.write("x", text(&values));
    let run = fixture.call("run --params toy_batch_9bit --table t --input x --output y.npy --json").json();
    assert!(run["correct"] == true && run["algorithm"] == "digits 8 x 8 x 8", "{run}");
    fixture.call("keygen --params toy_batch_9bit --out k").ok();
    fixture.call("encrypt --key k/client.key --input x --output c").ok();
    fixture.call("eval --key k/server.key --table t --input c --table t --output d --output e").ok();
    fixture.call("eval --key k/server.key --table t --input d --output f").ok();
    for (file, times) in [("d", 1), ("e", 1), ("f", 2)] {
        fixture.call(&format!("decrypt --key k/client.key --input {file} --output z.npy")).ok();
        let image = |&x: &i64| (0..times).fold(x, |x, _| entries[x as usize]);
        let expected: Vec<u8> = values.iter().flat_map(|x| image(x).to_le_bytes()).collect();
        assert!(fixture.read("z.npy").ends_with(&expected), "{file}");
        assert!(file != "d" || fixture.read("y.npy").ends_with(&expected));
    }
    let plan = fixture.call("plan --params toy_batch_9bit --bits 9 --explain").ok();
    assert!(plan.contains("digits 8 x 8 x 8") && plan.contains("the choice"), "{plan}");
    fixture.refuses("plan --params toy_batch_9bit --modulus 509", &["509 entries", "pad it to 512"]);
    // Larger than anything of the other engine.
    let plan = fixture.call("plan --bits 17").ok();
    assert!(plan.contains("batch_18bit"), "{plan}");
    fixture.refuses("keygen --bits 17 --memory 1 --out big", &["memory"]);
}

#[test]
fn functions_of_integers() {
    let fixture = Fixture::new();
    let x: Vec<i64> = (0..100).map(|i| (i * i * 7919 + i) % 65536 - 32768).collect();
    let y: Vec<i64> = x.iter().enumerate().map(|(i, x)| if i % 3 == 0 { *x } else { -x / 2 }).collect();
    let text = |values: &[i64]| values.iter().map(i64::to_string).collect::<Vec<_>>().join("\n") + "\n";
    fixture.write("x", text(&x));
    fixture.write("y", text(&y));
    fixture.write("one", text(&vec![1; 100]));
    let run = fixture.call("run --params toy_batch_integers --width 16 --op max --input x --input2 y --json").json();
    assert!(run["correct"] == true && run["engine"] == "ckks" && run["width"] == 16, "{run}");
    assert_eq!(run["algorithm"], "functional digit decomposition, 4 bootstraps");
    fixture.call("keygen --params toy_batch_integers --width 16 --out k").ok();
    for name in ["x", "y"] {
        fixture.call(&format!("encrypt --key k/client.key --width 16 --input {name} --output {name}.ct")).ok();
    }
    let inspected = fixture.call("inspect x.ct").ok();
    assert!(inspected.contains("signed 16-bit integers in limbs of 8 and 8 bits"), "{inspected}");
    let larger = |x: i64, y: i64| x.max(y);
    type Job = (&'static str, &'static str, fn(i64, i64) -> i64);
    let jobs: [Job; 4] = [
        ("equal", "y.ct", |x, y| i64::from(x == y)),
        ("max", "y.ct", larger),
        ("sub", "y.ct", |x, y| x - y),
        ("abs", "", |x, _| x.abs()),
    ];
    for (op, other, f) in jobs {
        let other = if other.is_empty() { String::new() } else { format!("--input2 {other}") };
        fixture.call(&format!("eval --key k/server.key --op {op} --input x.ct {other} --output r.ct")).ok();
        fixture.call("decrypt --key k/client.key --input r.ct --output r").ok();
        let expected: Vec<i64> = x.iter().zip(&y).map(|(&x, &y)| f(x, y)).collect();
        assert_eq!(String::from_utf8(fixture.read("r")).unwrap(), text(&expected), "{op}");
    }
    // Room for differences.
    fixture.call("encrypt --key k/client.key --width 9 --within 1 --unsigned --input one --output u.ct").ok();
    fixture.call("linear --weights 3 --input u.ct --output t.ct").ok();
    fixture.call("eval --key k/server.key --op max --input t.ct --input2 u.ct --output m.ct").ok();
    fixture.call("decrypt --key k/client.key --input m.ct --output m").ok();
    assert_eq!(fixture.read("m"), "3\n".repeat(100).into_bytes());
    fixture.call("encrypt --key k/client.key --width 14 --input one --output s.ct").ok();
    for (line, words) in [
        ("encrypt --key k/client.key --width 14 --within 12 --input x --output z", ["12", "outside"]),
        ("encrypt --key k/client.key --bits 5 --input x --output z", ["outside the domain", "--width"]),
        ("run --op floor:+1 --width 16 --input x", ["floor:+1", "floor:K"]),
        ("eval --key k/server.key --op max --input x.ct --input2 s.ct --output z", ["one width", "s.ct"]),
        ("eval --key k/server.key --op floor:17 --input x.ct --output z", ["floor", "16"]),
        ("encrypt --key k/client.key --width 17 --input x --output z", ["17 bits", "16-bit"]),
        ("linear --weights 2 --input x.ct --output z", ["carries", "--op add"]),
        ("run --engine ckks --width 33 --op abs --input x", ["33", "32"]),
    ] {
        fixture.refuses(line, &words);
    }
    let listed = fixture.call("params toy_batch_integers").ok();
    assert!(listed.contains("of up to 10 bits in one ciphertext and 16 in two"), "{listed}");
}

/// A table on integers with room is the same as in an expression.
#[test]
fn tables_take_integers_with_room() {
    let fixture = Fixture::new();
    fixture.write("x", "0 3 9 15");
    fixture.write("square", (0..16).map(|x| format!("{} ", x * x)).collect::<String>());
    fixture.call("keygen --params toy_batch_integers --out k").ok();
    let encrypt = "encrypt --key k/client.key --width 8 --unsigned --input x --output";
    fixture.call(&format!("{encrypt} short --within 4")).ok();
    fixture.call(&format!("{encrypt} long")).ok();
    let eval = "eval --key k/server.key --output r --input";
    for function in ["--table square", "--expr f(x) --table f=square"] {
        let report = fixture.call(&format!("{eval} short {function}")).ok();
        assert!(report.contains("integers from 0 to 225 modulo 2^9"), "{report}");
        assert_eq!(fixture.call("decrypt --key k/client.key --input r").ok(), "0\n9\n81\n225\n");
    }
    // Without a bootstrap there is no digit.
    let report = fixture.call(&format!("{eval} short --expr x+x")).ok();
    assert!(report.contains("sums alone, no bootstrap"), "{report}");
    std::fs::remove_file(fixture.path("r")).expect("a result");
    fixture.refuses(&format!("{eval} long --table square"), &["long: it holds unsigned 8-bit integers, but tables"]);
}
