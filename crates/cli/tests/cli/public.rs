//! Keys that anybody encrypts with.

use crate::fixture::Fixture;

/// Keys with a public one beside them, encryption with it, evaluation, decryption, with every engine.
#[test]
fn anybody_encrypts() {
    for (set, bytes) in [("toy_4", 2160), ("toy_batch_4bit", 11_641), ("toy_slots_17", 11_959)] {
        let f = Fixture::new();
        let made = f.call(&format!("keygen --params {set} --out k --public --json")).json();
        assert_eq!((&made["public_key"], &made["public_key_bytes"]), (&"k/public.key".into(), &bytes.into()), "{set}");
        assert_eq!(f.read("k/public.key").len(), bytes);
        let line = "encrypt --key k/public.key --input in.txt --output c --json";
        assert_eq!(f.call(line).json()["key_id"], made["key_id"]);
        assert_eq!(f.call("decrypt --key k/client.key --input c").ok().lines().count(), 16);
        f.call("encrypt --key k/client.key --input in.txt --output d").ok();
        f.call("add --input c --input2 d --output sum").ok();
        let p = if set == "toy_slots_17" { 17 } else { 16 };
        let doubled: String = (0..16).map(|x| format!("{}\n", 2 * x % p)).collect();
        assert_eq!(f.call("decrypt --key k/client.key --input sum").ok(), doubled);
        let shown = f.call("inspect k/public.key").ok();
        assert!(shown.contains("public key") && shown.contains("no: give this file to whoever"), "{shown}");
        assert_eq!(f.call("inspect k/public.key --json").json()["params"], set);
        assert!(f.call("inspect c").ok().contains("noise budget"));
        f.refuses("decrypt --key k/public.key --input c", &["k/public.key", "public key"]);
        f.refuses(
            "encrypt --key k/server.key --input in.txt --output e",
            &["k/server.key", "server key", "client key", "public key"],
        );
        // Of another client.
        f.call(&format!("keygen --params {set} --out l --public")).ok();
        f.call("encrypt --key l/public.key --input in.txt --output e").ok();
        f.refuses("add --input c --input2 e --output f", &["e", "another key"]);
        f.refuses("decrypt --key k/client.key --input e", &["e", "another key"]);
    }
}

#[test]
fn tables_take_what_anybody_encrypts() {
    let f = Fixture::new();
    let made = f.call("keygen --params toy_4 --client a --server b --public c").ok();
    assert!(made.contains("for anybody who encrypts"), "{made}");
    f.call("encrypt --key c --input in.txt --output x").ok();
    f.call("eval --key b --table rev.txt --input x --output y").ok();
    let reversed: String = (0..16).rev().map(|x| format!("{x}\n")).collect();
    assert_eq!(f.call("decrypt --key a --input y").ok(), reversed);
}

/// Keys of a set for integers have messages too, whose sums wrap: which are meant is said, to each key.
#[test]
fn integers_or_messages_are_said() {
    let f = Fixture::new();
    f.call("keygen --params toy_int16 --out k --public").ok();
    for key in ["client", "public"] {
        let line = format!("encrypt --key k/{key}.key --input in.txt --output {key}");
        f.refuses(&line, &[&format!("k/{key}.key"), "which values?", "--width W or --bits B"]);
        f.call(&format!("{line} --width 8")).ok();
        f.call(&format!("{line}-4 --bits 4")).ok();
    }
    f.call("add --input client --input2 public --output sum").ok();
    let sums: String = (0..16).map(|x| format!("{}\n", 2 * x)).collect();
    assert_eq!(f.call("decrypt --key k/client.key --input sum").ok(), sums);
}

/// It is a key as others are: nothing takes its place unasked, and it that of nothing else.
#[test]
fn public_keys_are_kept() {
    let f = Fixture::new();
    f.refuses("keygen --params toy_4 --client a --server b --public", &["--public PUBLIC_KEY"]);
    f.refuses("keygen --params toy_4 --client a --server b --public b", &["b", "the same file", "--public"]);
    f.call("keygen --params toy_4 --out k --public").ok();
    f.refuses("keygen --params toy_4 --out l --public k/public.key", &["k/public.key", "it exists", "--public"]);
    f.refuses("encrypt --key k/client.key --input in.txt --output k/public.key", &["k/public.key", "it is a key"]);
    f.write("notes.txt", "1 2 3");
    f.refuses("keygen --params toy_4 --out l --public notes.txt --force", &["notes.txt", "it is no key"]);
    let before = f.read("k/public.key");
    f.call("keygen --params toy_4 --out k --public --force").ok();
    assert!(f.read("k/public.key") != before);
    // Damaged, and cut.
    let mut damaged = before;
    for at in [15, 30, 100] {
        damaged[at] ^= 1;
        f.write("damaged.key", &damaged);
        f.refuses("encrypt --key damaged.key --input in.txt --output c", &["damaged.key", "checksum"]);
    }
    f.write("cut.key", &damaged[..500]);
    f.refuses("encrypt --key cut.key --input in.txt --output c", &["cut.key", "500"]);
}
