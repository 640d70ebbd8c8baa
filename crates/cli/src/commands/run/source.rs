//! Where the operands of a job are: columns of a file, or files.

use std::path::PathBuf;

use bootes::Program;

use crate::args::RunArgs;
use crate::error::CliError;
use crate::files::Text;
use crate::integers::{self, Domain, Format, OR_COLUMN, Or, Width, check_lengths, no_cures};
use crate::{columns, named};

/// Operands, of which nothing is read yet.
pub(super) enum Source {
    Columns {
        text: Text,
        names: Vec<String>,
        /// Whether the names of an expression say which.
        implied: bool,
    },
    Files(Vec<Text>),
}

/// With text that is no list.
const OR: Or<'static> = Or { text: OR_COLUMN, outside: &no_cures };

fn open(paths: &[PathBuf]) -> Result<Vec<Text>, CliError> {
    paths.iter().map(|path| Text::open(path)).collect()
}

/// Refuses columns of several files.
fn check_one(paths: &[PathBuf]) -> Result<(), CliError> {
    match paths {
        [_, path, ..] => Err(CliError::at(path, "--column is of one --input, and this is a second: leave it out")),
        _ => Ok(()),
    }
}

impl Source {
    /// The columns that are asked for, of the one file, or else the files.
    pub(super) fn new(paths: &[PathBuf], names: &[String]) -> Result<Self, CliError> {
        match (names, paths) {
            ([], paths) => Ok(Self::Files(open(paths)?)),
            (names, paths) => {
                check_one(paths)?;
                Ok(Self::Columns { text: Text::open(&paths[0])?, names: names.to_vec(), implied: false })
            }
        }
    }

    /// The operands of an expression, in the order of its names: where one file has names in its first line, the
    /// columns that are called so.
    pub(super) fn of_program(args: &RunArgs, program: &Program) -> Result<Self, CliError> {
        let files = named::files(args.paths(), true);
        let is_named = files.iter().any(|file| file.name.is_some());
        if is_named && !args.columns.is_empty() {
            return Err(CliError::new("--column and --input NAME=FILE both say what a name is: give one of them"));
        }
        let paths = named::in_order(files, program)?;
        if !args.columns.is_empty() {
            check_one(&paths)?;
        }
        named::check_results(program, |name| Ok(args.columns.contains(name)))?;
        if let ([path], true) = (&paths[..], args.columns.is_empty() && !is_named) {
            let mut text = Text::open(path)?;
            named::check_results(program, |name| columns::begin(&mut text, Some(std::slice::from_ref(name))))?;
            // At 8 bits other text may be bytes.
            let may_be_bytes =
                args.choice.width.is_none() && (args.choice.bits == Some(8) || args.form.modulus == Some(256));
            let wanted = may_be_bytes.then_some(program.names());
            if columns::begin(&mut text, wanted)? {
                return Ok(Self::Columns { text, names: program.names().to_vec(), implied: true });
            }
            let cure = "give an --input for each, or one of CSV whose first line has these names";
            named::check_inputs(program, 1, ("file", cure))?;
            return Ok(Self::Files(vec![text]));
        }
        let (found, cure) = match (args.columns.len(), &args.input2) {
            (0, Some(_)) if paths.len() == 2 => (2, ("file", "give an --input for each; leave out --input2 for one")),
            (0, _) => (paths.len(), ("file", "give an --input for each")),
            (columns, _) => (columns, ("column", "give one --column for each of these names")),
        };
        named::check_inputs(program, found, cure)?;
        Self::new(&paths, &in_order(&args.columns, program)?)
    }

    /// How many operands there are.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Columns { names, .. } => names.len(),
            Self::Files(files) => files.len(),
        }
    }

    /// Whether the names of an expression say which columns there are.
    pub(super) fn is_implied(&self) -> bool {
        matches!(self, Self::Columns { implied: true, .. })
    }

    /// Integers, as long as each other.
    pub(super) fn integers(self, width: Width) -> Result<(Vec<Vec<i128>>, Format), CliError> {
        match self {
            Self::Columns { text, names, .. } => {
                let ranges = vec![width.range(); names.len()];
                Ok((columns::read(text, &names, &ranges, &|value| width.cures(value))?, Format::Csv))
            }
            Self::Files(files) => integers::operands(files, width, ""),
        }
    }

    /// Residues, those of each operand of its domain, as long as each other.
    pub(super) fn residues(self, domains: &[Domain], bytes: bool) -> Result<(Vec<Vec<i128>>, Format), CliError> {
        match self {
            Self::Columns { text, names, .. } => {
                let ranges: Vec<_> = domains.iter().map(|domain| domain.range()).collect();
                let columns = columns::read(text, &names, &ranges, &no_cures)?;
                let reduced = columns.into_iter().zip(domains).map(|(values, domain)| domain.reduce(values));
                Ok((reduced.collect(), Format::Csv))
            }
            Self::Files(files) => {
                let paths: Vec<PathBuf> = files.iter().map(|text| text.path().to_path_buf()).collect();
                let read =
                    files.into_iter().zip(domains).map(|(text, &domain)| integers::input(text, domain, bytes, OR));
                let (operands, formats): (Vec<_>, Vec<_>) = read.collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
                check_lengths(&paths, operands.iter().map(Vec::len))?;
                Ok((operands, formats[0]))
            }
        }
    }
}

/// The columns in the order of the expression's names, if these are theirs, but for case and the white space around
/// them; of other names, as they are given.
fn in_order(columns: &[String], program: &Program) -> Result<Vec<String>, CliError> {
    let names = program.names();
    let column = |name: &String| {
        let is_called = |is: fn(&str, &str) -> bool| columns.iter().find(|column| is(column.trim(), name));
        is_called(|a, b| a == b).or_else(|| is_called(str::eq_ignore_ascii_case)).cloned()
    };
    let found: Vec<String> = names.iter().filter_map(column).collect();
    match found.len() {
        0 => Ok(columns.to_vec()),
        all if all == names.len() => Ok(found),
        _ => Err(CliError::new(format!(
            "--expr is of {}, and some of the columns have such names, {}: give the expression the names of all \
             columns, or names of its own",
            names.join(" and "),
            columns.join(" and ")
        ))),
    }
}
