//! Results made smaller, to be sent and decrypted.

use crate::fixture::Fixture;

fn fixture() -> Fixture {
    let fixture = Fixture::new();
    fixture.call("keygen --params toy_4 --compression --out k").ok();
    fixture.call("encrypt --key k/client.key --input in.txt --output c").ok();
    fixture.call("eval --key k/server.key --table rev.txt --input c --output r").ok();
    fixture
}

#[test]
fn results_are_small_and_right() {
    let fixture = fixture();
    let plain = fixture.call("decrypt --key k/client.key --input r").ok();
    let text = fixture.call("compress --key k/server.key --input r --output z").ok();
    assert!(text.starts_with("z: 16 values in ") && text.contains(" B a value); key loaded in "), "{text}");
    assert!(8 * fixture.read("z").len() < fixture.read("r").len());
    assert_eq!(fixture.call("decrypt --key k/client.key --input z").ok(), plain);
    let object = fixture.call("compress --key k/server.key --input r --output z2 --threads 1 --json").json();
    assert_eq!((&object["count"], &object["engine"]), (&16.into(), &"fhew".into()));
    assert_eq!(object["result_bytes"], fixture.read("z2").len());
    assert_eq!(object["ciphertext_bytes"], fixture.read("r").len());
    // Through a pipe, without a word.
    let sent = fixture.call("compress --key k/server.key --input r --output /dev/stdout");
    assert_eq!((sent.code, sent.stdout.len(), &*sent.stderr), (Some(0), fixture.read("z").len(), ""));
    let text = fixture.call("inspect z").ok();
    assert!(text.contains("compressed      yes: for decryption") && !text.contains("noise budget"), "{text}");
    assert_eq!(fixture.call("inspect z --json").json()["compressed"], true);
    assert_eq!(fixture.call("inspect r --json").json()["compressed"], false);
    assert!(fixture.call("inspect k/server.key").ok().contains("packing keys for blocks of [1]"));
    // Rows stay so.
    fixture.call("slice --input z --rows 4..9 --output some").ok();
    fixture.call("concat --input some --input z2 --output all").ok();
    assert_eq!(fixture.call("inspect all --json").json()["compressed"], true);
    let rows: Vec<&str> = plain.lines().collect();
    let expected: Vec<&str> = rows[4..9].iter().chain(&rows).copied().collect();
    assert_eq!(fixture.call("decrypt --key k/client.key --input all").ok().lines().collect::<Vec<_>>(), expected);
}

/// Fresh values have a seed in place of masks.
#[test]
fn what_would_not_get_smaller_stays_as_it_is() {
    let fixture = fixture();
    let text = fixture.call("compress --key k/server.key --input c --output z").ok();
    let size = format!("{} B", fixture.read("c").len());
    assert_eq!(
        text.trim_end(),
        format!("z: 16 values of c as they were, in {size}: compressed they would take no less")
    );
    assert_eq!(fixture.read("z"), fixture.read("c"));
    assert_eq!(fixture.call("inspect z --json").json()["compressed"], false);
    fixture.call("eval --key k/server.key --table rev.txt --input z --output y").ok();
}

/// Nothing but fewer bits, with a key of which nothing is asked.
#[test]
fn results_of_many_values_have_fewer_bits() {
    let fixture = Fixture::new();
    fixture.call("keygen --params toy_batch_4bit --out k").ok();
    fixture.call("encrypt --key k/client.key --input in.txt --output c").ok();
    fixture.call("eval --key k/server.key --table rev.txt --input c --output r").ok();
    fixture.call("compress --key k/server.key --input r --output z").ok();
    assert!(2 * fixture.read("z").len() < fixture.read("r").len());
    let plain = fixture.call("decrypt --key k/client.key --input r").ok();
    assert_eq!(fixture.call("decrypt --key k/client.key --input z").ok(), plain);
    assert!(fixture.call("inspect z").ok().contains("noise budget    0."));
    // The key is not loaded: this is less than it takes.
    let key = fixture.read("k/server.key").len();
    let memory = key as f64 / 2e9;
    fixture.refuses(
        &format!("eval --key k/server.key --table rev.txt --input c --output y --memory {memory}"),
        &["MB of memory"],
    );
    fixture.call(&format!("compress --key k/server.key --input r --output y --memory {memory}")).ok();
    assert_eq!(fixture.read("y"), fixture.read("z"));
}

#[test]
fn what_is_not_for_it_is_refused() {
    let fixture = fixture();
    fixture.call("compress --key k/server.key --input r --output z").ok();
    for line in [
        "add --input z --input2 c --output y",
        "linear --weights 2 --input z --output y",
        "linear --weights 1 --constant 3 --input z --output y",
        "eval --key k/server.key --table rev.txt --input z --output y",
        "compress --key k/server.key --input z --output y",
    ] {
        fixture.refuses(line, &["z", "compressed ciphertexts, which are for decryption alone"]);
    }
    fixture.refuses("concat --input z --input c --output y", &["z, c: ", "a concatenation with others"]);
    fixture.refuses("compress --key k/server.key --input r --output r", &["r", "the same file"]);
    fixture.refuses("compress --key k/client.key --input r --output y", &["k/client.key", "a server key"]);
    fixture.refuses("compress --key k/server.key --input in.txt --output y", &["in.txt"]);
    fixture.call("keygen --params toy_4 --out other").ok();
    fixture.refuses("compress --key other/server.key --input r --output y", &["r", "another key"]);
    fixture.call("encrypt --key other/client.key --input in.txt --output d").ok();
    let words = ["other/server.key: it has no part for compression: make keys with", "toy_4 --compression"];
    fixture.refuses("compress --key other/server.key --input d --output y", &words);
    // Damage.
    let file = fixture.read("z");
    for end in [0, 7, 60, file.len() / 2, file.len() - 1] {
        fixture.write("bad", &file[..end]);
        fixture.refuses("decrypt --key k/client.key --input bad", &["bad: "]);
    }
    for at in (0..file.len()).step_by(file.len() / 20) {
        let mut damaged = file.clone();
        damaged[at] ^= 1;
        fixture.write("bad", &damaged);
        fixture.refuses("decrypt --key k/client.key --input bad", &["bad"]);
    }
}
