//! A command line as it is written, and what is said of its mistakes.

use std::ffi::OsString;
use std::io::ErrorKind;

use clap::error::ErrorKind as ClapError;
use clap::{CommandFactory, Parser};

use super::Cli;
use crate::error::CliError;
use crate::report;

impl Cli {
    fn parse<T: Into<OsString>>(line: impl IntoIterator<Item = T>) -> Result<Self, clap::Error> {
        Self::try_parse_from(with_values(line.into_iter().map(Into::into)))
    }

    /// Parses the command line of this process; `None` if it asked for help or the version, which then are printed.
    pub(crate) fn parse_line() -> Result<Option<Self>, CliError> {
        let line: Vec<OsString> = std::env::args_os().collect();
        let is_input = |word: &&OsString| word.to_str().is_some_and(|word| word.rsplit('=').next() == Some(INPUT));
        if with_values(line.iter().cloned()).iter().filter(is_input).count() > 1 {
            return Err(CliError::new(
                "standard input (-) is given twice, and what reads it first leaves nothing: give files in place of one",
            ));
        }
        match Self::parse(line.iter().cloned()) {
            Ok(cli) => Ok(Some(cli)),
            Err(error) if matches!(error.kind(), ClapError::DisplayHelp | ClapError::DisplayVersion) => {
                match error.print() {
                    Err(error) if error.kind() == ErrorKind::BrokenPipe => report::reader_is_gone(),
                    Err(error) => return Err(CliError::new(format!("cannot write to standard output: {error}"))),
                    Ok(()) => {}
                }
                Ok(None)
            }
            Err(error) => Err(one_line(&error, &line)),
        }
    }
}

const INPUT: &str = "/dev/stdin";
const OUTPUT: &str = "/dev/stdout";

/// The value of an option, where it is a file that is called `-`, or `NAME=-`: standard input, of one that is read, or
/// standard output.
fn of_stream(command: &clap::Command, option: &str, value: OsString) -> OsString {
    let stream = match option {
        "output" | "client" | "server" | "public" | "write" => OUTPUT,
        "symmetric-key" if command.get_name() == "encrypt" => OUTPUT,
        "input" | "input2" | "table" | "key" | "symmetric-key" | "from" | "to" => INPUT,
        _ => return value,
    };
    let name = value.to_str().and_then(|value| value.strip_suffix('-'));
    let is_name = |name: &&str| name.strip_suffix('=').is_some_and(bootes::Program::is_name);
    match name.filter(|name| name.is_empty() || is_name(name)) {
        Some(name) => format!("{name}{stream}").into(),
        None => value,
    }
}

/// The line with each file `-` as what it stands for, and each value that begins with one hyphen (`-x`, `-1,2`) tied to
/// its option, as `--expr=-x`: clap would take it for an option. What begins with two is one.
fn with_values(line: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut line = line.peekable();
    let (root, mut joined) = (Cli::command(), Vec::from_iter(line.next()));
    let mut command = &root;
    while let Some(mut word) = line.next() {
        let name = word.to_str().unwrap_or_default();
        if name == "--" {
            joined.push(word);
            break;
        }
        let is_named = |arg: &&clap::Arg| {
            let names = arg.get_long().into_iter().chain(arg.get_all_aliases().into_iter().flatten());
            arg.get_action().takes_values() && names.into_iter().any(|long| name.strip_prefix("--") == Some(long))
        };
        if command.get_arguments().any(|arg| is_named(&arg)) {
            let value = line.next_if(|value| !value.as_encoded_bytes().starts_with(b"--"));
            match value.map(|value| of_stream(command, &name[2..], value)) {
                Some(value) if value.as_encoded_bytes().starts_with(b"-") && value != "-h" => {
                    word.push("=");
                    word.push(value);
                    joined.push(word);
                }
                value => joined.extend(std::iter::once(word).chain(value)),
            }
        } else {
            command = command.find_subcommand(name).unwrap_or(command);
            joined.push(match name.strip_prefix("--").and_then(|option| option.split_once('=')) {
                Some((option, value)) => {
                    let mut word = OsString::from(format!("--{option}="));
                    word.push(of_stream(command, option, value.into()));
                    word
                }
                // The file of `inspect`.
                None if name == "-" => INPUT.into(),
                None => word,
            });
        }
    }
    joined.extend(line);
    joined
}

/// The command that a line begins with, such as "bootes bench report", and what it takes.
fn command_of(line: &[OsString]) -> (String, clap::Command) {
    let (mut command, mut words) = (Cli::command(), String::from("bootes"));
    for name in line.iter().skip(1).map_while(|word| word.to_str()) {
        let Some(next) = command.find_subcommand(name).cloned() else { break };
        words = words + " " + name;
        command = next;
    }
    (words, command)
}

/// The paragraphs of a message, tips after a semicolon. An option that there is not is no value: a tip that makes it
/// one (`-- --all`) is left out.
fn with_tips(parts: &[&str]) -> String {
    let mut message = String::new();
    for part in parts {
        match part.strip_prefix("tip: ") {
            Some(tip) if tip.starts_with("to pass '--") => {}
            Some(tip) => message = message + "; " + tip,
            None if message.is_empty() => message += part,
            None => message = message + " " + part,
        }
    }
    message
}

/// Clap's message without its paragraphs: what is wrong, its tip, and where to read more.
fn one_line(error: &clap::Error, line: &[OsString]) -> CliError {
    if error.kind() == ClapError::DisplayHelpOnMissingArgumentOrSubcommand {
        return CliError::new("no command: expected one, for example `bootes run`; see bootes --help");
    }
    let rendered = error.render().to_string();
    let parts: Vec<&str> = rendered
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more information"))
        .filter(|line| !line.is_empty())
        .collect();
    let message = with_tips(&parts);
    let message = message.strip_prefix("error: ").unwrap_or(&message);
    let (words, command) = command_of(line);
    let second = match command.get_arguments().any(|arg| arg.get_long() == Some("input2")) {
        true if message.contains("'--input <") && message.contains("multiple times") => {
            ": the second operands go with --input2"
        }
        _ => "",
    };
    if words == "bootes run" && message.starts_with("unexpected argument '--within'") {
        return CliError::new(format!(
            "--within is of encrypt: run finds the room itself; leave it out, see {words} --help"
        ));
    }
    let modulus = match (message.contains("not provided: --modulus <P>"), words.as_str()) {
        (true, "bootes keygen") => " (of --depth: P is the prime that values are modulo)",
        (true, _) => " (of --out-modulus: P is the number of entries of the table)",
        _ => "",
    };
    CliError::new(format!("{message}{second}{modulus}; see {words} --help"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Command;
    use std::path::PathBuf;

    fn message(line: &str) -> String {
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        one_line(&Cli::parse(words.iter().cloned()).unwrap_err(), &words).to_string()
    }

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn mistakes_are_one_line() {
        assert!(message("bootes").starts_with("no command"));
        let missing = message("bootes run");
        assert!(missing.contains("--table <T>") && missing.contains("--input <X>"), "{missing}");
        assert!(message("bootes rnu").contains("unrecognized subcommand 'rnu'"));
        let tip = "'--tabel' found; a similar argument exists: '--table'; see bootes run --help";
        assert!(message("bootes run --tabel x").contains(tip), "{}", message("bootes run --tabel x"));
        assert_eq!(message("bootes params --all"), "unexpected argument '--all' found; see bootes params --help");
        assert!(
            message("bootes inspect -x")
                .ends_with("found; to pass '-x' as a value, use '-- -x'; see bootes inspect --help")
        );
        let threads = message("bootes run --table T --input X --threads 0");
        assert!(threads.contains("'0'") && threads.contains("expected 1 to 1024"), "{threads}");
        assert!(message("bootes keygen --bits 21 --out D").contains("at most 2^20 entries"));
        assert!(message("bootes keygen --bits -1 --out D").contains("invalid value '-1' for '--bits <B>'"));
        assert!(message("bootes keygen --bits 4 --pfail -100 --out D").contains("expected -128 or -64"));
        for line in ["bootes run", "bootes rnu", "bootes run --tabel x", "bootes bench"] {
            let message = message(line);
            assert!(!message.contains('\n') && !message.contains("Usage"), "{message}");
        }
    }

    #[test]
    fn mistakes_name_the_help_of_their_command() {
        for (line, help) in [
            ("bootes rnu", "; see bootes --help"),
            ("bootes plan --bits x", "; see bootes plan --help"),
            ("bootes bench report --bits 3", "; see bootes bench report --help"),
            ("bootes add --input x --input y", ": the second operands go with --input2; see bootes add --help"),
        ] {
            assert!(message(line).ends_with(help), "{}", message(line));
        }
    }

    #[test]
    fn values_may_begin_with_a_hyphen() {
        for line in [
            "bootes keygen --bits 4 --pfail -64 --out D",
            "bootes keygen --pfail=-128 --bits 4 --out D",
            "bootes run --expr -x --modulus 257 --input X",
            "bootes eval --expr -x+3 --key K --input C --output -",
            "bootes linear --weights -1,2 --constant -3 --input -c --input d --output -r",
            "bootes encrypt --column -a --key K --input -x.csv --output R",
            "bootes bench report --out -d",
        ] {
            assert!(Cli::parse(line.split(' ')).is_ok(), "{line}");
        }
        let Ok(Cli { command: Command::Run(args) }) =
            Cli::parse("bootes run --expr -x --modulus 7 --input -i".split(' '))
        else {
            panic!("it is a run");
        };
        assert_eq!((args.expr.as_deref(), args.inputs[0].to_str()), (Some("-x"), Some("-i")));
        // A file that is a hyphen is a stream.
        let Ok(Cli { command: Command::Eval(args) }) =
            Cli::parse("bootes eval --expr x+y --key K --input x=- --input=y=c --output=- --output r-".split(' '))
        else {
            panic!("it is an eval");
        };
        assert_eq!(args.inputs, [PathBuf::from("x=/dev/stdin"), "y=c".into()]);
        assert_eq!(args.outputs, [PathBuf::from("/dev/stdout"), "r-".into()]);
        // Another option is no value.
        for line in ["run --expr --modulus 257 --input X", "linear --weights --input C", "linear --constant --input C"]
        {
            assert!(message(&format!("bootes {line}")).contains("a value is required"), "{line}");
        }
        assert!(message("bootes inspect -x").contains("unexpected argument '-x'"));
    }
}
