//! Pages of the guide, whose commands are run as they are written.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::fixture::Fixture;

/// A block of a page.
enum Block {
    /// What a shell runs.
    Script(String),
    /// Commands, which `$ ` is before, each with what it prints.
    Session(Vec<(String, Vec<String>)>),
}

impl Block {
    fn script(&self) -> String {
        match self {
            Self::Script(text) => text.clone(),
            Self::Session(commands) => commands.iter().map(|(command, _)| format!("{command}\n")).collect(),
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The blocks of a page that a shell runs, in their order.
fn blocks(page: &str) -> Vec<Block> {
    let path = root().join("docs/guide").join(page);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    // Of fences, each odd one begins a block.
    let mut parts = text.split("\n```").skip(1);
    let mut blocks = Vec::new();
    while let Some(part) = parts.next() {
        let (kind, body) = part.split_once('\n').unwrap_or_else(|| panic!("{page}: a block without an end"));
        match kind {
            "sh" => blocks.push(Block::Script(body.into())),
            "" | "text" if body.starts_with("$ ") => {
                let mut commands: Vec<(String, Vec<String>)> = Vec::new();
                for line in body.lines() {
                    match (line.strip_prefix("$ "), commands.last_mut()) {
                        (Some(command), _) => commands.push((command.into(), Vec::new())),
                        (None, Some((_, printed))) => printed.push(line.into()),
                        (None, None) => unreachable!("it begins with a command"),
                    }
                }
                blocks.push(Block::Session(commands));
            }
            _ => {}
        }
        parts.next();
    }
    blocks
}

/// What a line says that it prints: a comment at its end.
fn expected(line: &str) -> Option<&str> {
    let (command, comment) = line.rsplit_once(" # ")?;
    (!command.trim().is_empty() && !comment.contains(['\'', '"'])).then_some(comment)
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn shell(script: &str, fixture: &Fixture) -> Output {
    let directory = Path::new(env!("CARGO_BIN_EXE_bootes")).parent().expect("a directory");
    let search = format!("{}:{}", directory.display(), std::env::var("PATH").unwrap_or_default());
    let mut command = Command::new("bash");
    command.args(["-euo", "pipefail", "-c", script]).current_dir(fixture.path(".")).env("PATH", &search);
    command.output().expect("a shell")
}

#[test]
fn programs_do_what_they_say() {
    check_page("programs.md", true);
}

#[test]
#[ignore = "two minutes: .ci/full runs it"]
fn jobs_do_what_they_say() {
    check_page("jobs.md", true);
}

#[test]
#[ignore = "some minutes, 4 GB: .ci/full runs it"]
fn pages_of_client_and_server_run_in_their_order() {
    check_page("files-and-commands.md", true);
    // Their comments say what is done.
    for page in ["bits.md", "vectors.md", "products.md", "conversions.md"] {
        check_page(page, false);
    }
}

/// What is printed but for times, of which some are by the threads that there are.
fn without_times(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_unit = |word: &&str| ["ms", "s", "µs"].contains(&word.trim_end_matches([',', ';', ')', '…']));
    let of_time = |i: usize| words.get(i).is_some_and(is_unit) || words.get(i + 1).is_some_and(is_unit);
    (0..words.len()).filter(|&i| !of_time(i)).map(|i| words[i]).collect::<Vec<_>>().join(" ")
}

/// Plans are those of the shipped calibration that the pages have, line by line but for times and what `…` stands for.
#[test]
fn plans_are_as_they_are_shown() {
    let calibration = root().join("crates/schemes/data/calibration/avx512-amd.toml");
    let calibration = format!("export BOOTES_CALIBRATION='{}'\n", calibration.display());
    let fixture = Fixture::new();
    // Where other instructions are in use, it is refused.
    if !shell(&format!("{calibration}bootes plan --bits 2 --threads 1"), &fixture).status.success() {
        return;
    }
    for page in ["algorithms.md", "many-values.md"] {
        let sessions = blocks(page).into_iter().filter_map(|block| match block {
            Block::Session(commands) => Some(commands),
            Block::Script(_) => None,
        });
        let plans = sessions.flatten().filter(|(command, _)| command.starts_with("bootes plan "));
        let mut count = 0;
        for (command, shown) in plans {
            count += 1;
            let output = shell(&format!("{calibration}{command}"), &fixture);
            let printed = String::from_utf8_lossy(&output.stdout);
            for line in shown.iter().filter(|line| *line != "…") {
                let start = without_times(line.trim_end_matches('…'));
                let is_printed = printed.lines().any(|one| without_times(one).starts_with(&start));
                assert!(is_printed, "{page}: {command}\nprints no\n{line}\nin\n{printed}");
            }
        }
        assert!(count > 0, "{page}");
    }
}

/// Each block runs in the directory of those before it, and prints what its comments say, in their order, if they do.
fn check_page(page: &str, comments_are_printed: bool) {
    let (fixture, blocks) = (Fixture::new(), blocks(page));
    assert!(!blocks.is_empty(), "{page}");
    #[cfg(unix)]
    std::os::unix::fs::symlink(root().join("examples"), fixture.path("examples")).expect("a link");
    for block in blocks {
        let script = block.script();
        if script.contains("import numpy") && !shell("python3 -c 'import numpy'", &fixture).status.success() {
            continue;
        }
        let output = shell(&script, &fixture);
        let (out, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success() && errors.is_empty(), "{page}:\n{script}\n{out}{errors}");
        let Block::Script(script) = block else { continue };
        if !comments_are_printed {
            continue;
        }
        let (out, mut at) = (words(&out), 0);
        for line in script.lines().filter_map(expected) {
            let found = out[at..].find(&words(line));
            at += found.unwrap_or_else(|| panic!("{page}:\n{script}\nprints no \"{line}\" in:\n{out}"));
        }
    }
}
