//! Values that are sent by AES.

use crate::fixture::Fixture;

/// Keys, the key of AES once, values twice, ciphertexts of them, a table.
#[test]
fn there_and_back() {
    let f = Fixture::new();
    f.call("keygen --params toy_bits --out k").ok();
    let made =
        f.call("encrypt --symmetric --key k/client.key --input in.txt --output a --symmetric-key s --json").json();
    assert_eq!((&made["count"], &made["bits"], &made["space"]), (&16.into(), &4.into(), &"4-bit messages".into()));
    let said = f.call("encrypt --symmetric --key k/client.key --input in.txt --output b").ok();
    assert!(said.contains("by AES-128"), "{said}");
    assert!(f.read("a").len() < 160 && f.read("a") != f.read("b"));
    let plan = f.call("transcipher --key k/server.key --symmetric-key s --input a --plan --json").json();
    assert!(plan["rotations"].as_u64().is_some_and(|rotations| rotations > 1280) && plan["predicted_s"].is_f64());
    let said = f.call("transcipher --key k/server.key --symmetric-key s --input a --output c").ok();
    assert!(said.contains("rotations for 16 values") && said.contains("transciphered in"), "{said}");
    let all: String = (0..16).map(|x| format!("{x}\n")).collect();
    assert_eq!(f.call("decrypt --key k/client.key --input c").ok(), all);
    f.call("eval --key k/server.key --table rev.txt --input c --output d").ok();
    let reversed: String = (0..16).rev().map(|x| format!("{x}\n")).collect();
    assert_eq!(f.call("decrypt --key k/client.key --input d").ok(), reversed);
    // What the files are.
    let shown = f.call("inspect s").ok();
    assert!(shown.contains("encrypted symmetric key") && shown.contains("no: give this file to the server"), "{shown}");
    let shown = f.call("inspect a").ok();
    assert!(shown.contains("16, 4-bit messages, by AES-128") && shown.contains("first counter"), "{shown}");
    let [key, sent] = ["s", "a"].map(|file| f.call(&format!("inspect {file} --json")).json());
    assert_eq!((&key["symmetric_key_id"], &key["params"]), (&sent["symmetric_key_id"], &"toy_bits".into()));
    // Bits.
    f.write("bits.txt", "1 0 0 1 1");
    f.call("encrypt --symmetric --bits 1 --key k/client.key --input bits.txt --output e").ok();
    f.call("transcipher --key k/server.key --symmetric-key s --input e --output g").ok();
    assert_eq!(f.call("decrypt --key k/client.key --input g").ok(), "1\n0\n0\n1\n1\n");
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let f = Fixture::new();
    for keys in ["k", "l"] {
        f.call(&format!("keygen --params toy_bits --out {keys} --public")).ok();
        let line = format!("encrypt --symmetric --key {keys}/client.key --input in.txt --output {keys}.a");
        f.call(&format!("{line} --symmetric-key {keys}.s")).ok();
    }
    let call = |key: &str, symmetric: &str, input: &str| {
        format!("transcipher --key {key} --symmetric-key {symmetric} --input {input} --output x")
    };
    f.refuses(&call("k/server.key", "l.s", "k.a"), &["l.s", "another key"]);
    f.refuses(&call("k/server.key", "k.s", "l.a"), &["l.a", "another key"]);
    f.refuses(&call("k/client.key", "k.s", "k.a"), &["k/client.key", "a client key"]);
    f.refuses(&call("k/server.key", "k.a", "k.s"), &["k.a", "a list of symmetric ciphertexts", "symmetric key"]);
    f.refuses("decrypt --key k/client.key --input k.a", &["k.a", "symmetric ciphertexts"]);
    f.refuses("transcipher --key k/server.key --symmetric-key k.s --input k.a", &["--output"]);
    let encrypt = |key: &str, more: &str| format!("encrypt --symmetric --key {key} --input in.txt --output x {more}");
    f.refuses(&encrypt("k/public.key", ""), &["k/public.key", "give the client key"]);
    f.refuses(&encrypt("k/client.key", "--bits 3"), &["--bits 1, 2, 4"]);
    f.refuses(&encrypt("k/client.key", "--bits 2"), &["in.txt", "4"]);
    f.refuses(&encrypt("k/client.key", "--width 8"), &["--width"]);
    for more in ["", "--width 8", "--modulus 16"] {
        let line = format!("encrypt --key k/client.key --input in.txt --output x --symmetric-key y {more}");
        f.refuses(&line, &["--symmetric"]);
    }
    f.refuses(&encrypt("k/client.key", "--symmetric-key x"), &["x", "the same file"]);
    f.refuses("encrypt --key k/client.key --input in.txt --output x --symmetric-key y", &["--symmetric"]);
    // The advice is taken: a set that has bytes.
    let advice = ["bootes keygen --params fhew_bits_2m128"];
    f.refuses(&encrypt("k/client.key", "--bits 8"), &advice);
    f.call("keygen --params toy_4 --out m").ok();
    f.refuses(&encrypt("m/client.key", ""), &advice);
    f.call("keygen --params fhew_bits_2m128 --out n").ok();
    f.call(&encrypt("n/client.key", "--bytes --symmetric-key n.s")).ok();
    f.refuses(&call("n/server.key", "k.s", "k.a"), &["k.s", "other parameters"]);
    let plan = f.call("transcipher --key n/server.key --symmetric-key n.s --input x --plan").ok();
    assert!(plan.contains("below 2^-1000") || plan.contains("failure 2^-"), "{plan}");
    // Damaged, and cut; nothing is written.
    for file in ["k.a", "k.s"] {
        let whole = f.read(file);
        for at in [15, 30, whole.len() - 20] {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            f.write("damaged", &damaged);
            let line = if file == "k.a" {
                call("k/server.key", "k.s", "damaged")
            } else {
                call("k/server.key", "damaged", "k.a")
            };
            f.refuses(&line, &["damaged", "checksum"]);
            f.refuses("inspect damaged", &["damaged", "checksum"]);
        }
        f.write("cut", &whole[..70]);
        f.refuses("inspect cut", &["cut", "70"]);
    }
}
