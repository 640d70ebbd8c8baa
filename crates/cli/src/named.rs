//! Files that an expression knows by names: `NAME=FILE`.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use bootes::{Kind, Lut, LutError, Program};

use crate::args::TableForm;
use crate::error::{CliError, excerpt};
use crate::files::Text;
use crate::report;
use crate::suggest;
use crate::table::Table;

/// A file, and what an expression calls it.
pub(crate) struct Named {
    pub(crate) name: Option<String>,
    pub(crate) path: PathBuf,
}

impl Named {
    /// An argument with `=` after a name has that name, whatever files there are: another is `./a=b`.
    fn new(argument: &Path) -> Self {
        let bytes = argument.as_os_str().as_bytes();
        let at = bytes.iter().position(|&byte| byte == b'=');
        let name = at.and_then(|at| std::str::from_utf8(&bytes[..at]).ok()).filter(|name| Program::is_name(name));
        let path =
            if name.is_some() { OsStr::from_bytes(&bytes[at.map_or(0, |at| at + 1)..]) } else { argument.as_os_str() };
        Self { name: name.map(String::from), path: path.into() }
    }
}

/// Files that an expression takes, with their names; of no expression as they are written.
pub(crate) fn files<'a>(arguments: impl IntoIterator<Item = &'a PathBuf>, of_expression: bool) -> Vec<Named> {
    let plain = |path: &PathBuf| Named { name: None, path: path.clone() };
    arguments.into_iter().map(|path| if of_expression { Named::new(path) } else { plain(path) }).collect()
}

/// Refuses two files of one name.
fn check_distinct(files: &[Named], option: &str) -> Result<(), CliError> {
    let mut known = HashSet::new();
    match files.iter().filter_map(|file| file.name.as_ref()).find(|name| !known.insert(*name)) {
        Some(name) => Err(CliError::new(format!("{option} {name}=… is given twice: expected one for each name"))),
        None => Ok(()),
    }
}

/// Files by their names.
fn by_name(files: &[Named]) -> HashMap<&String, &Named> {
    files.iter().filter_map(|file| Some((file.name.as_ref()?, file))).collect()
}

/// The inputs in the order of an expression's names, which all of them have, or none: then as they are given.
pub(crate) fn in_order(files: Vec<Named>, program: &Program) -> Result<Vec<PathBuf>, CliError> {
    check_distinct(&files, "--input")?;
    let names = program.names();
    let words = || report::list(names.iter().map(|name| excerpt(name.as_bytes())));
    if files.iter().all(|file| file.name.is_none()) {
        return Ok(files.into_iter().map(|file| file.path).collect());
    }
    if let Some(file) = files.iter().find(|file| file.name.is_none()) {
        let line = format!("it has no name, and another --input has: give --input NAME=FILE for each of {}", words());
        return Err(CliError::at(&file.path, line));
    }
    let (given, expected) = (by_name(&files), names.iter().collect::<HashSet<_>>());
    check_results(program, |name| Ok(given.contains_key(name)))?;
    if let Some(name) = files.iter().filter_map(|file| file.name.as_ref()).find(|name| !expected.contains(name)) {
        let tip = suggest::nearest(name, names.iter().map(String::as_str))
            .map_or(String::new(), |known| format!(" (did you mean {known}?)"));
        let line = format!("--expr has no {name}{tip}, which --input names: it is of {}", words());
        return Err(CliError::new(line));
    }
    let path = |name: &String| {
        let found = given.get(name);
        let missing = || CliError::new(format!("--expr is of {}: give --input {name}=FILE, too", words()));
        found.map(|file| file.path.clone()).ok_or_else(missing)
    };
    names.iter().map(path).collect()
}

/// Refuses a result that has the name of a value that is given and that the expression does not read: `a = b` is no
/// comparison.
pub(crate) fn check_results(
    program: &Program,
    mut is_given: impl FnMut(&String) -> Result<bool, CliError>,
) -> Result<(), CliError> {
    let read: HashSet<_> = program.names().iter().collect();
    for name in program.output_names().iter().flatten().filter(|name| !read.contains(name)) {
        if is_given(name)? {
            let name = excerpt(name.as_bytes());
            return Err(CliError::new(format!(
                "--expr: {name} = … names a result, and the input has a value of this name, which it does not read: \
                 {name} == … compares; give a result another name"
            )));
        }
    }
    Ok(())
}

/// The outputs in the order of an expression's results: those that have a name by it, if one of the files has one, and
/// the others as they are given.
pub(crate) fn outputs(files: Vec<Named>, program: &Program) -> Result<Vec<PathBuf>, CliError> {
    check_distinct(&files, "--output")?;
    let results = program.output_names();
    let names: Vec<&String> = results.iter().flatten().collect();
    let known: HashSet<&String> = names.iter().copied().collect();
    if files.iter().all(|file| file.name.is_none()) {
        return Ok(files.into_iter().map(|file| file.path).collect());
    }
    if let Some(name) = files.iter().filter_map(|file| file.name.as_ref()).find(|name| !known.contains(name)) {
        let known = match suggest::nearest(name, names.iter().map(|name| name.as_str())) {
            Some(known) => format!(" (did you mean {known}?);"),
            None if names.is_empty() => format!(": name it in --expr, as in {name} = x + y, or"),
            None => format!(": its results with names are {};", report::list(&names)),
        };
        let line = format!("--expr has no result {name}{known} a file that is called so is --output ./{name}=…");
        return Err(CliError::new(line));
    }
    let (given, mut others) = (by_name(&files), files.iter().filter(|file| file.name.is_none()));
    let mut path = |result: &Option<String>| match result {
        Some(name) => {
            let found = given.get(name).copied();
            found.ok_or_else(|| CliError::new(format!("another --output has a name: give --output {name}=FILE, too")))
        }
        None => others.next().ok_or_else(|| {
            CliError::new("a result of --expr has no name: give an --output FILE for it, too, or name it in --expr")
        }),
    };
    let paths: Vec<PathBuf> =
        results.iter().map(|result| path(result).map(|file| file.path.clone())).collect::<Result<_, _>>()?;
    match others.next() {
        Some(file) => Err(CliError::at(&file.path, "no result of --expr is left for it: leave this --output out")),
        None => Ok(paths),
    }
}

/// Refuses a name of a file that has the values of all results.
pub(crate) fn check_unnamed(output: &Path) -> Result<(), CliError> {
    match Named::new(output) {
        Named { name: Some(name), .. } => Err(CliError::new(format!(
            "--output {name}=… names a result, and all are written to one file, with the names that --expr gives them: \
             give --output FILE, or --output ./{name}=… for a file that is called so"
        ))),
        _ => Ok(()),
    }
}

/// The tables that an expression calls by these names.
pub(crate) fn tables(files: &[Named], form: &TableForm) -> Result<Vec<(String, Table)>, CliError> {
    check_distinct(files, "--table")?;
    let read = |Named { name, path }: &Named| match name {
        Some(name) => Ok((name.clone(), Table::of_expression(Text::open(path)?, form)?)),
        None => Err(CliError::at(path, "a table of --expr has a name: give --table f=FILE for f(x)")),
    };
    files.iter().map(read).collect()
}

/// An expression that takes all of these tables.
pub(crate) fn program(text: &str, tables: &[(String, Table)]) -> Result<Program, CliError> {
    let given: Vec<(&str, &Lut)> = tables.iter().map(|(name, table)| (name.as_str(), &table.lut)).collect();
    let program = Program::parse(text, &given).map_err(|error| {
        let cure = match &error {
            LutError::Function { name, .. } => format!(": give it with --table {name}=FILE"),
            _ => String::new(),
        };
        CliError::new(format!("--expr: {error}{cure}"))
    })?;
    match given.iter().find(|(name, _)| !program.table_names().iter().any(|used| used == name)) {
        Some((name, _)) => {
            Err(CliError::new(format!("--expr has no {name}(…): leave --table {name}=… out, or use it")))
        }
        None => Ok(program),
    }
}

/// The same expression on values of these kinds, each table made for what it is of there. What else it refuses of them,
/// its plan does.
pub(crate) fn on(program: Program, kinds: &[Kind], tables: &[(String, Table)]) -> Result<Program, CliError> {
    if tables.is_empty() || program.inputs() != kinds.len() {
        return Ok(program);
    }
    let mut refused = None;
    let made = program.with_tables(kinds, |name, kinds| {
        let table = &tables.iter().find(|(own, _)| own == name).expect("a table for each name").1;
        let made = table.clone().on(kinds).map_err(|error| refused = Some(error));
        Ok::<_, LutError>((made.map_or_else(|()| table.lut.clone(), |table| table.lut), 0))
    });
    refused.map_or(Ok(made.unwrap_or(program)), Err)
}

/// Refuses an expression of another number of values; `what` they are, and the remedy.
pub(crate) fn check_inputs(program: &Program, found: usize, (what, cure): (&str, &str)) -> Result<(), CliError> {
    if program.inputs() == found {
        return Ok(());
    }
    let names = report::list(program.names().iter().map(|name| excerpt(name.as_bytes())));
    let there = if found == 1 { format!("there is 1 {what}") } else { format!("there are {found} {what}s") };
    Err(CliError::new(format!("--expr is of {names}, and {there}: {cure}")))
}

/// What the results of an expression are called: by their names, or as they are written.
pub(crate) fn results(program: &Program, text: &str) -> Vec<String> {
    let written = text.split(';').map(|part| part.trim().to_string());
    written.zip(program.output_names()).map(|(written, name)| name.clone().unwrap_or(written)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_before_the_first_sign() {
        for (argument, name, path) in [
            ("age=a.txt", Some("age"), "a.txt"),
            ("f=a=b.txt", Some("f"), "a=b.txt"),
            ("./a=b.txt", None, "./a=b.txt"),
            ("1=b", None, "1=b"),
            ("=b", None, "=b"),
            ("x=", Some("x"), ""),
            ("b.txt", None, "b.txt"),
        ] {
            let file = Named::new(Path::new(argument));
            assert_eq!((file.name.as_deref(), file.path.to_str()), (name, Some(path)), "{argument}");
        }
    }

    #[test]
    fn outputs_are_in_the_order_of_the_results() {
        let program = Program::parse("d = x - y; d*d; s = x + y; x", &[]).unwrap();
        let order = |arguments: &[&str]| {
            let paths: Vec<PathBuf> = arguments.iter().map(PathBuf::from).collect();
            outputs(files(&paths, true), &program).map_err(|error| error.to_string())
        };
        assert_eq!(order(&["s=1", "2", "d=3", "4"]).unwrap(), ["3", "2", "1", "4"].map(PathBuf::from));
        assert_eq!(order(&["1", "2", "3", "4"]).unwrap(), ["1", "2", "3", "4"].map(PathBuf::from));
        for (arguments, words) in [
            (&["d=1", "d=2", "3", "4"][..], "--output d=… is given twice"),
            (&["d=1", "2", "3", "4"], "another --output has a name: give --output s=FILE, too"),
            (&["d=1", "s=2", "3"], "a result of --expr has no name: give an --output FILE for it"),
            (&["d=1", "s=2", "3", "4", "5"], "5: no result of --expr is left for it"),
            (&["d=1", "t=2", "3", "4"], "--expr has no result t"),
        ] {
            assert!(order(arguments).unwrap_err().starts_with(words), "{:?}", order(arguments));
        }
    }

    #[test]
    fn inputs_are_in_the_order_of_the_names() {
        let program = Program::parse("3*b + a", &[]).unwrap();
        let order = |arguments: &[&str]| {
            let paths: Vec<PathBuf> = arguments.iter().map(PathBuf::from).collect();
            in_order(files(&paths, true), &program).map_err(|error| error.to_string())
        };
        assert_eq!(order(&["a=1", "b=2"]).unwrap(), [Path::new("2"), Path::new("1")]);
        assert_eq!(order(&["1", "2"]).unwrap(), [Path::new("1"), Path::new("2")]);
        for (arguments, words) in [
            (&["a=1", "a=2"][..], "--input a=… is given twice"),
            (&["a=1", "2"], "2: it has no name, and another --input has: give --input NAME=FILE for each of b, a"),
            (&["a=1", "c=2"], "--expr has no c"),
            (&["a=1"], "--expr is of b, a: give --input b=FILE, too"),
        ] {
            assert!(order(arguments).unwrap_err().starts_with(words), "{arguments:?}");
        }
    }
}
