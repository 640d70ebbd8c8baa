//! The `bootes` command: see the library of this crate.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    bootes_cli::main()
}
