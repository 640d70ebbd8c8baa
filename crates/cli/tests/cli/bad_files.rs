//! Damaged, foreign and mismatched keys and ciphertexts.

use std::fs;

use bootes::wire::{self, ObjectKind};
use bootes_testkit::sampled;

use crate::fixture::Fixture;

/// A call that reads the file `bad` in the place of each kind of object.
const READERS: [(&str, &str); 3] = [
    ("k/client.key", "decrypt --key bad --input c --output y"),
    ("k/server.key", "eval --key bad --table id.txt --input c --output y"),
    ("c", "decrypt --key k/client.key --input bad --output y"),
];

/// Positions of a file to try: all of a small one; of a large one the ends and some between.
fn positions(length: usize) -> Vec<usize> {
    let all: Vec<usize> = match length {
        0..=512 => (0..length).collect(),
        _ => (0..60).chain((60..length - 20).step_by(length / 16)).chain(length - 20..length).collect(),
    };
    // Bytes of both parities.
    sampled(all, 3).collect()
}

#[test]
fn every_truncation() {
    let fixture = Fixture::with_keys();
    for (name, line) in READERS {
        let bytes = fixture.read(name);
        for length in positions(bytes.len()) {
            fixture.write("bad", &bytes[..length]);
            let word = if length == 0 { "empty" } else { "truncated" };
            fixture.refuses(line, &["bad", word]);
        }
        fixture.write("bad", [&bytes[..], b"x"].concat());
        fixture.refuses(line, &["bad", "too long"]);
    }
}

/// Files after each other are no file: what puts them together is named, and does.
#[test]
fn files_of_several_are_told() {
    let f = Fixture::with_keys();
    f.write("two", [f.read("c"), f.read("c")].concat());
    for line in ["decrypt --key k/client.key --input two", "decrypt --key k/client.key --input -"] {
        let said = f.call_with(line, |command| {
            command.stdin(fs::File::open(f.path("two")).expect("a file"));
        });
        let said = said.refusal();
        assert!(said.contains("too long") && said.contains("put together by bootes concat"), "{said}");
    }
    f.call("concat --input c --input c --output both").ok();
    assert_eq!(f.call("decrypt --key k/client.key --input both").ok().lines().count(), 32);
}

#[test]
fn every_flipped_byte() {
    let fixture = Fixture::with_keys();
    for (name, line) in READERS {
        let bytes = fixture.read(name);
        for at in positions(bytes.len()) {
            let mut changed = bytes.clone();
            changed[at] ^= if at % 2 == 0 { 1 } else { 0xff };
            fixture.write("bad", &changed);
            // Kind, fingerprint and key are not blamed for what the checksum tells.
            let of_whom = 10..wire::HEADER_BYTES - 8;
            fixture.refuses(line, if of_whom.contains(&at) { &["bad: ", "damaged"] } else { &["bad"] });
            if at >= wire::HEADER_BYTES {
                fixture.refuses("inspect bad", &["checksum", "damaged"]);
            }
        }
    }
}

#[test]
fn other_types_and_versions() {
    let fixture = Fixture::with_keys();
    let kinds = [("k/client.key", "a client key"), ("k/server.key", "a server key"), ("c", "a list of ciphertexts")];
    for (expected, line) in READERS {
        for (name, found) in kinds {
            if name != expected {
                fixture.write("bad", fixture.read(name));
                let (_, wanted) = kinds.iter().find(|(name, _)| *name == expected).expect("a kind");
                fixture.refuses(line, &["bad", found, wanted]);
            }
        }
        let mut bytes = fixture.read(expected);
        let newest = wire::FORMAT_VERSION;
        let (later, known) = (format!("version {}", newest + 1), format!("versions 1 to {newest}"));
        bytes[8] = newest as u8 + 1;
        fixture.write("bad", &bytes);
        fixture.refuses(line, &["bad", &later, &known]);
        fixture.refuses("inspect bad", &["bad", &later]);
        // A header that promises more than all memory.
        bytes[8] = 1;
        bytes[43..51].fill(0xff);
        fixture.write("bad", &bytes);
        fixture.refuses(line, &["bad", "truncated"]);
        fixture.write("bad", "1 2 3 4 and many other words that are no key at all, whatever their number");
        fixture.refuses(line, &["bad", "not a Bootes"]);
        fixture.refuses("inspect bad", &["bad", "not a Bootes"]);
    }
}

#[test]
fn another_key_and_other_parameters() {
    let fixture = Fixture::with_keys();
    fixture.call("keygen --params toy_4 --out other").ok();
    fixture.call("keygen --params toy_4_binary --out set").ok();
    for (keys, word) in [("other", "another key"), ("set", "other parameters (toy_4)")] {
        fixture.refuses(&format!("decrypt --key {keys}/client.key --input c --output y"), &["c:", word]);
        fixture.refuses(
            &format!("eval --key {keys}/server.key --table id.txt --input c --output y"),
            &["c:", word, "key pair"],
        );
    }
}

/// Identifiers are shown short where that tells them apart.
#[test]
fn keys_that_differ_late_are_told_apart() {
    let fixture = Fixture::with_keys();
    let bytes = fixture.read("c");
    let (header, payload) = wire::open(&bytes, ObjectKind::Ciphertexts).expect("our file");
    let hex = |id: &[u8]| id.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    for (at, shown) in [(15, 16), (0, 4)] {
        let mut key_id = header.key_id;
        key_id[at] ^= 1;
        fixture.write("bad", wire::seal(header.kind, header.fingerprint, key_id, payload));
        let [found, expected] = [key_id, header.key_id].map(|id| format!("({})", hex(&id[..shown])));
        let words = ["bad:", "another key", &found, &expected];
        fixture.refuses("decrypt --key k/client.key --input bad --output y", &words);
    }
}

/// Content that is wrong under a right checksum: whoever changes a file can do that.
#[test]
fn forged_contents() {
    let fixture = Fixture::with_keys();
    for (name, line) in READERS {
        let bytes = fixture.read(name);
        let (header, _) = wire::peek(&bytes).expect("our file");
        let (_, payload) = wire::open(&bytes, header.kind).expect("our file");
        let seal = |payload: &[u8]| wire::seal(header.kind, header.fingerprint, header.key_id, payload);
        for cut in [0, 1, 8, 9, 12, payload.len() / 2, payload.len() - 1] {
            fixture.write("bad", seal(&payload[..cut]));
            fixture.refuses(line, &["bad"]);
        }
        fixture.write("bad", seal(&[payload, b"x"].concat()));
        fixture.refuses(line, &["bad"]);
        // The name of the set, then anything.
        for at in [0, 7, 8, 13] {
            let mut changed = payload.to_vec();
            changed[at] = 0xff;
            fixture.write("bad", seal(&changed));
            assert_ne!(fixture.call(line).code, None, "{name}, byte {at}");
        }
        let _ = fs::remove_file(fixture.path("y"));
    }
    // In this process, every byte.
    let bytes = fixture.read("c");
    let (header, payload) = wire::open(&bytes, ObjectKind::Ciphertexts).expect("our file");
    let client = bootes::Client::from_bytes(&fixture.read("k/client.key")).expect("our key");
    for at in 0..payload.len() {
        for value in [0, 1, 0x7f, 0x80, 0xff] {
            let mut changed = payload.to_vec();
            changed[at] = value;
            let bytes = wire::seal(header.kind, header.fingerprint, header.key_id, &changed);
            if let Ok(ciphertexts) = bootes::Ciphertexts::read(&bytes[..]) {
                assert!(ciphertexts.len() <= payload.len());
                let _ = client.decrypt(&ciphertexts);
            }
        }
    }
}

#[test]
fn ciphertexts_of_parameters_that_are_gone() {
    let fixture = Fixture::with_keys();
    let bytes = fixture.read("c");
    let (header, payload) = wire::open(&bytes, ObjectKind::Ciphertexts).expect("our file");
    fixture.write("bad", wire::seal(header.kind, [7; 16], header.key_id, payload));
    let words = ["bad", "another version of parameter set toy_4", &"07".repeat(16)];
    fixture.refuses("decrypt --key k/client.key --input bad --output y", &words);
    fixture.refuses("inspect bad", &words);
    fixture.refuses("inspect bad", &["here: make keys and ciphertexts anew"]);
}
