//! The fuzzer of one target, which `BOOTES_FUZZ` names; arguments are libFuzzer's. `.ci/fuzz` builds and runs it.
//!
//! `BOOTES_FUZZ=list` gives the names of targets.
#![no_main]

use std::sync::OnceLock;

use bootes_fuzz::TARGETS;

static TARGET: OnceLock<fn(&[u8])> = OnceLock::new();

/// The target that was asked for; without one, or with another, their names.
fn target() -> fn(&[u8]) {
    let name = std::env::var("BOOTES_FUZZ").unwrap_or_default();
    if name == "list" {
        TARGETS.iter().for_each(|(target, _)| println!("{target}"));
        std::process::exit(0);
    }
    TARGETS.iter().find(|(known, _)| *known == name).map(|(_, run)| *run).unwrap_or_else(|| {
        let names: Vec<&str> = TARGETS.iter().map(|(name, _)| *name).collect();
        eprintln!("error: BOOTES_FUZZ is \"{name}\": expected one of {}", names.join(", "));
        std::process::exit(2);
    })
}

libfuzzer_sys::fuzz_target!(init: { TARGET.get_or_init(target); }, |data: &[u8]| TARGET.get_or_init(target)(data));
