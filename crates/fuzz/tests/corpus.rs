//! The inputs that are kept, through their targets, as they are and with random changes.
use std::fs;
use std::path::{Path, PathBuf};

use bootes_fuzz::{TARGETS, Target, seeds};
use bootes_testkit::TestRng;

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

/// The inputs of a target, by their names.
fn inputs(target: &str) -> Vec<(String, Vec<u8>)> {
    let directory = corpus().join(target);
    let files = fs::read_dir(&directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    let mut inputs: Vec<_> = files
        .map(|file| {
            let path = file.expect("a directory is read").path();
            (path.display().to_string(), fs::read(&path).expect("a file is read"))
        })
        .collect();
    inputs.sort();
    assert!(!inputs.is_empty(), "{target} has no inputs");
    inputs
}

/// Runs a target, and says with which input it failed.
fn run(&(_, target): &Target, name: &str, data: &[u8]) {
    let passed = std::panic::catch_unwind(|| target(data)).is_ok();
    assert!(passed, "{name}: {}", data.escape_ascii());
}

#[test]
fn what_is_kept_passes() {
    for target in TARGETS {
        inputs(target.0).iter().for_each(|(name, data)| run(target, name, data));
    }
}

/// A fuzzer that sees nothing: some changes of each input, always the same ones.
#[test]
fn what_is_near_passes() {
    let changes: u64 = std::env::var("BOOTES_FUZZ_CHANGES").ok().and_then(|text| text.parse().ok()).unwrap_or(40);
    for target in TARGETS {
        for (name, data) in inputs(target.0) {
            let mut rng = TestRng::new(target.0, data.len() as u64);
            for _ in 0..changes {
                let mut changed = data.clone();
                for _ in 0..1 + rng.below(3) {
                    change(&mut changed, &mut rng);
                }
                run(target, &name, &changed);
            }
        }
    }
}

/// Overwrites, takes away, repeats or adds some bytes.
fn change(data: &mut Vec<u8>, rng: &mut TestRng) {
    let at = rng.below(data.len() as u64 + 1) as usize;
    let end = data.len().min(at + rng.below(9) as usize);
    let ends = [0, 1, 0x7f, 0x80, 0xff, b'0', b'-', b'"'];
    let byte = if rng.below(2) == 0 { rng.next_u64() as u8 } else { ends[rng.below(8) as usize] };
    match rng.below(4) {
        0 => data[at..end].fill(byte),
        1 => drop(data.drain(at..end)),
        2 => data.extend_from_within(at..end),
        _ => data.insert(at, byte),
    }
}

/// No targets' inputs are left behind when a target goes.
#[test]
fn every_directory_is_a_target() {
    for entry in fs::read_dir(corpus()).expect("there is a corpus") {
        let name = entry.expect("a directory is read").file_name();
        assert!(TARGETS.iter().any(|(target, _)| name == **target), "{}", name.display());
    }
}

#[test]
#[ignore = "writes files"]
fn write_the_corpus_of_seeds() -> Result<(), bootes::Error> {
    seeds::write(&corpus())
}
