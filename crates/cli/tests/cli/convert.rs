//! Ciphertexts that move between engines.

use crate::fixture::Fixture;

fn pair() -> Fixture {
    let f = Fixture::new();
    f.call("keygen --params toy_batch_4bit --out b").ok();
    f.call("keygen --params toy_4 --out s").ok();
    f.call("conversion-key --from b/client.key --to s/client.key --output k").ok();
    f
}

/// A batch is uploaded, some of it converted and put through a table.
#[test]
fn there_and_back() {
    let f = pair();
    f.call("encrypt --key b/client.key --input in.txt --output x").ok();
    let said = f.call("convert --key k --input x --output y").ok();
    assert!(said.contains("16 values of x") && said.contains("for keys of toy_4"), "{said}");
    let all: String = (0..16).map(|x| format!("{x}\n")).collect();
    assert_eq!(f.call("decrypt --key s/client.key --input y").ok(), all);
    let some = f.call("convert --key k --input x --rows 14..,3,0..2 --output z --json").json();
    assert_eq!((&some["count"], &some["engine"], &some["params"]), (&5.into(), &"fhew".into(), &"toy_4".into()));
    f.call("eval --key s/server.key --table rev.txt --input z --output r").ok();
    assert_eq!(f.call("decrypt --key s/client.key --input r").ok(), "1\n0\n12\n15\n14\n");
    // Of a hundred thousand results, which are 100 MB and more, few are in memory; not even these are in a megabyte.
    let rows = vec!["0..16"; 6000].join(",");
    let many = format!("convert --key k --input x --rows {rows} --output n --threads 1 --json");
    let made = f.call(&format!("{many} --memory 0.05")).json();
    let [count, peak, bytes] = ["count", "peak_rss_bytes", "result_bytes"].map(|name| made[name].as_u64().unwrap());
    assert!(count == 96_000 && bytes == f.read("n").len() as u64 && peak < bytes / 2, "{made}");
    let refused = f.call(&format!("{many} --memory 0.001")).refusal();
    assert!(refused.contains("memory"), "{refused}");
    // What the file is.
    let shown = f.call("inspect k").ok();
    assert!(shown.contains("conversion key") && shown.contains("toy_batch_4bit"), "{shown}");
    assert!(shown.contains("to parameters   toy_4") && shown.contains("give this file to the server"), "{shown}");
    let [key, single] = ["k", "s/client.key"].map(|file| f.call(&format!("inspect {file} --json")).json());
    assert_eq!((&key["kind"], &key["target_key_id"]), (&"conversion key".into(), &single["key_id"]));
    let made = f.call("conversion-key --from b/client.key --to s/client.key --output l --json").json();
    assert_eq!((&made["from"]["engine"], &made["to"]["params"]), (&"ckks".into(), &"toy_4".into()));
    assert!(f.read("k") != f.read("l"));
}

/// Single values become a batch.
#[test]
fn the_way_back() {
    let f = pair();
    f.call("conversion-key --from s/client.key --to b/client.key --output l").ok();
    f.call("encrypt --key s/client.key --input in.txt --output x").ok();
    let said = f.call("convert --key l --input x --rows 3..6,0 --output y").ok();
    assert!(said.contains("4 values of x") && said.contains("for keys of toy_batch_4bit"), "{said}");
    f.call("eval --key b/server.key --table rev.txt --input y --output r").ok();
    assert_eq!(f.call("decrypt --key b/client.key --input r").ok(), "12\n11\n10\n15\n");
    assert!(f.call("inspect l").ok().contains("to parameters   toy_batch_4bit"));
    f.refuses("convert --key l --input y --output z", &["y", "engine ckks"]);
    f.refuses("convert --key k --input x --output z --rows 9..5", &["rows 9..5 are none", "A less than B"]);
    f.refuses("convert --key k --input x --output z", &["x", "engine fhew"]);
}

/// Vectors modulo p, whose server key moves them to single values and back.
#[test]
fn vectors_there_and_back() {
    let f = Fixture::new();
    f.call("keygen --params toy_slots_7 --out v").ok();
    f.call("keygen --params toy_4 --out s").ok();
    f.call("conversion-key --from v/client.key --to s/client.key --output out").ok();
    f.call("conversion-key --from s/client.key --to v/client.key --output back").ok();
    f.write("v.txt", b"0\n1\n2\n3\n4\n5\n6\n");
    f.write("t.txt", b"6\n5\n4\n3\n2\n1\n0\n");
    f.call("encrypt --key v/client.key --input v.txt --output x").ok();
    f.refuses("convert --key out --input x --output y", &["x", "add --server SERVER_KEY", "toy_slots_7"]);
    f.refuses("convert --key out --server s/server.key --input x --output y", &["s/server.key", "engine fhew"]);
    f.refuses("convert --key out --server v/client.key --input x --output y", &["v/client.key", "server key"]);
    f.refuses("convert --key out --server v/server.key --input x --output v/server.key", &["v/server.key"]);
    let said = f.call("convert --key out --server v/server.key --input x --rows 2..,0 --output y").ok();
    assert!(said.contains("6 values of x") && said.contains("for keys of toy_4"), "{said}");
    f.call("eval --key s/server.key --table t.txt --modulus 7 --input y --output z").ok();
    let made = f.call("convert --key back --server v/server.key --input z --output w --json").json();
    assert_eq!(
        (&made["count"], &made["engine"], &made["space"]),
        (&6.into(), &"bfv".into(), &"messages modulo 7".into())
    );
    f.call("eval --key v/server.key --expr w*w --input w --output r").ok();
    assert_eq!(f.call("decrypt --key v/client.key --input r").ok(), "2\n2\n4\n1\n0\n1\n");
    assert!(f.call("inspect back").ok().contains("to parameters   toy_slots_7"));
    f.call("keygen --params toy_batch_4bit --out b").ok();
    f.call("conversion-key --from s/client.key --to b/client.key --output k").ok();
    f.refuses("convert --key k --server v/server.key --input z --output u", &["v/server.key", "leave out --server"]);
    let direct = "conversion-key --from b/client.key --to v/client.key --output u";
    f.refuses(direct, &["from engine ckks to engine bfv", "take two, to keys of engine fhew and from these"]);
}

/// Answers stay integers: their sums are refused where there is no room, with an expression that has it.
#[test]
fn answers_stay_integers() {
    let f = Fixture::new();
    f.call("keygen --params toy_batch_4bit --out b").ok();
    f.call("keygen --params toy_int16 --out s").ok();
    f.call("conversion-key --from s/client.key --to b/client.key --output l").ok();
    f.write("v", b"1\n1\n5\n");
    f.call("encrypt --key s/client.key --width 8 --unsigned --input v --output x").ok();
    f.call("eval --key s/server.key --expr x==1 --input x --output e").ok();
    f.call("convert --key l --input e --output z").ok();
    let [before, after] = ["e", "z"].map(|file| f.call(&format!("inspect {file} --json")).json()["space"].clone());
    assert_eq!(before, after);
    assert!(f.call("inspect z").ok().contains("integers from 0 to 1 modulo 2^1"));
    f.refuses("add --input z --input2 z --output t", &["from 0 to 2", "--expr 'x + y'"]);
    f.call("eval --key b/server.key --expr x+y --input z --input z --output t").ok();
    assert_eq!(f.call("decrypt --key b/client.key --input t").ok(), "2\n2\n0\n");
}

/// What `plan` says of few values of a batch is followed, command by command.
#[test]
fn plan_names_the_way_around() {
    let f = Fixture::new();
    let plan = "plan --bits 2 --params toy_batch_6bit --threads 1 --count";
    let told = f.call(&format!("{plan} 1")).ok();
    let line = told.lines().last().unwrap();
    assert!(line.starts_with("for 1 value that are there with engine ckks, and keys: "), "{line}");
    assert!(line.contains("or by engine fhew") && line.contains("a conversion key of"), "{line}");
    let told = f.call(&format!("{plan} 1 --json")).json();
    let detour = &told["detour"];
    assert!(detour["seconds"].as_f64() < detour["straight_s"].as_f64() && detour["engine"] == "fhew", "{detour}");
    f.call("keygen --params toy_batch_6bit --out K").ok();
    f.write("x.txt", b"1\n2\n3\n0\n");
    f.write("T", b"3\n2\n1\n0\n");
    f.call("encrypt --key K/client.key --bits 2 --input x.txt --output X.ct").ok();
    let mut shown = String::new();
    for command in detour["commands"].as_array().unwrap() {
        let command = command.as_str().unwrap();
        assert!(line.contains(command), "{line}");
        shown = f.call(&command.strip_prefix("bootes ").unwrap().replace("--rows R", "--rows 1..3")).ok();
    }
    assert_eq!(shown, "1\n0\n");
    assert!(!f.call(&format!("{plan} 1024")).ok().contains("conversion"));
    assert!(f.call(&format!("{plan} 1024 --json")).json()["detour"].is_null());
}

#[test]
fn refusals_say_what_to_do() {
    let f = pair();
    f.call("encrypt --key b/client.key --input in.txt --output x").ok();
    f.call("encrypt --key s/client.key --input in.txt --output y").ok();
    let make =
        |from: &str, to: &str| format!("conversion-key --from {from}/client.key --to {to}/client.key --output l");
    f.refuses(&make("b", "b"), &["from engine ckks to engine ckks", "to engine fhew (--to), and back"]);
    f.refuses("conversion-key --from b/server.key --to s/client.key --output l", &["b/server.key", "client key"]);
    let convert = |key: &str, input: &str, more: &str| format!("convert --key {key} --input {input} --output z {more}");
    f.refuses(&convert("k", "y", ""), &["y", "engine fhew"]);
    f.refuses(&convert("b/server.key", "x", ""), &["b/server.key", "conversion key"]);
    f.refuses(&convert("k", "k", ""), &["k", "ciphertexts"]);
    f.refuses(&convert("k", "x", "--rows 16"), &["row 16", "expected 0 to 15"]);
    f.refuses(&convert("k", "x", "--rows 3..17"), &["row 16", "expected 0 to 15"]);
    f.refuses(&convert("k", "x", "--rows 18446744073709551615"), &["expected 0 to 15"]);
    for rows in ["", "a", "3..1", "1..1", "1,,2", "-1"] {
        f.refuses(&convert("k", "x", &format!("--rows={rows}")), &["--rows"]);
    }
    f.call("keygen --params toy_batch_4bit --out c").ok();
    f.call("encrypt --key c/client.key --input in.txt --output w").ok();
    f.refuses(&convert("k", "w", ""), &["w", "another key"]);
    // Longer messages than the other set has; the advice names one that has them.
    f.call("keygen --params toy_batch_9bit --out d").ok();
    f.call("encrypt --key d/client.key --input in.txt --output v").ok();
    f.call("conversion-key --from d/client.key --to s/client.key --output m").ok();
    f.refuses(&convert("m", "v", ""), &["9", "toy_4", "bootes keygen --params fhew_", "bootes conversion-key"]);
    // Damaged, and cut.
    let whole = f.read("k");
    for at in [15, 30, 60, whole.len() - 20] {
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        f.write("damaged", &damaged);
        f.refuses(&convert("damaged", "x", ""), &["damaged", "checksum"]);
        f.refuses("inspect damaged", &["damaged", "checksum"]);
    }
    f.write("cut", &whole[..90]);
    f.refuses("inspect cut", &["cut", "90"]);
}
