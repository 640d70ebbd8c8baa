//! Pages of the guide, whose commands are run as they are written.

use std::path::Path;
use std::process::Command;

use crate::fixture::Fixture;

/// The blocks of a page that a shell runs.
fn blocks(page: &str) -> Vec<String> {
    let path = format!("{}/../../docs/guide/{page}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let blocks = text.split("\n```sh\n").skip(1);
    blocks.map(|rest| rest.split("\n```").next().expect("a block").to_string()).collect()
}

/// What a line says that it prints: a comment at its end.
fn expected(line: &str) -> Option<&str> {
    let (command, comment) = line.rsplit_once(" # ")?;
    (!command.trim().is_empty() && !comment.contains(['\'', '"'])).then_some(comment)
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn programs_do_what_they_say() {
    check_page("programs.md");
}

#[test]
#[ignore = "two minutes: .ci/full runs it"]
fn jobs_do_what_they_say() {
    check_page("jobs.md");
}

/// Each block runs in the directory of those before it, and prints what its comments say, in their order.
fn check_page(page: &str) {
    let directory = Path::new(env!("CARGO_BIN_EXE_bootes")).parent().expect("a directory");
    let search = format!("{}:{}", directory.display(), std::env::var("PATH").unwrap_or_default());
    let (fixture, blocks) = (Fixture::new(), blocks(page));
    assert!(!blocks.is_empty(), "{page}");
    for block in blocks {
        let mut command = Command::new("bash");
        command.args(["-euo", "pipefail", "-c", &block]).current_dir(fixture.path(".")).env("PATH", &search);
        let output = command.output().expect("a shell");
        let (out, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success() && errors.is_empty(), "{page}:\n{block}\n{out}{errors}");
        let (out, mut at) = (words(&out), 0);
        for line in block.lines().filter_map(expected) {
            let found = out[at..].find(&words(line));
            at += found.unwrap_or_else(|| panic!("{page}:\n{block}\nprints no \"{line}\" in:\n{out}"));
        }
    }
}
