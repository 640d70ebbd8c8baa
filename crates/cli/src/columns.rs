//! Columns of CSV files (RFC 4180): the first line has their names, the others a row each.

use std::io::{self, Read};
use std::path::Path;

use csv::{ByteRecord, ErrorKind, Reader, Writer};

use crate::error::CliError;
use crate::files::Text;
use crate::integers::{self, MAX_VALUES};
use crate::npy;
use crate::suggest;

/// The integers of the columns of these names, each from `min` to `max`; what else the file has is left alone.
pub(crate) fn read(mut text: Text, names: &[String], [min, max]: [i64; 2]) -> Result<Vec<Vec<i64>>, CliError> {
    let path = &text.path().to_path_buf();
    distinct(names)?;
    if npy::is_array(&mut text)? {
        return Err(CliError::at(path, "it is an array of NumPy's, but --column takes CSV: leave --column out"));
    }
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(Strict::new(text));
    let places = places(path, &mut reader, names)?;
    let mut columns = vec![Vec::new(); names.len()];
    let mut record = ByteRecord::new();
    while reader.read_byte_record(&mut record).map_err(|error| refused(path, &error))? {
        let line = record.position().map_or(0, csv::Position::line);
        if columns[0].len() == MAX_VALUES {
            return Err(CliError::at(path, format!("it has more than {MAX_VALUES} rows: split it")));
        }
        for ((column, &place), name) in columns.iter_mut().zip(&places).zip(names) {
            let word = record.get(place).unwrap_or_default();
            let shown = integers::excerpt(word);
            let wrong = |what: String| CliError::at(path, format!("line {line}, column {name}: {what}"));
            match integers::integer(word) {
                None => {
                    let what = format!("\"{shown}\" is not an integer: expected decimal or 0x hexadecimal digits");
                    return Err(wrong(what));
                }
                Some(value) => match value.and_then(|value| i64::try_from(value).ok()) {
                    Some(value) if (min..=max).contains(&value) => column.push(value),
                    _ => return Err(wrong(format!("{shown} is outside {min} to {max}; correct the value"))),
                },
            }
        }
    }
    if columns[0].is_empty() {
        return Err(CliError::at(path, "it has no rows below its names: expected at least one"));
    }
    Ok(columns)
}

/// Where the columns of these names are.
fn places(path: &Path, reader: &mut Reader<Strict<Text>>, names: &[String]) -> Result<Vec<usize>, CliError> {
    let header = reader.byte_headers().map_err(|error| refused(path, &error))?;
    // Text of some editors begins with a mark.
    let known: Vec<String> = header.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect();
    let known: Vec<&str> = known.iter().map(|name| name.trim_start_matches('\u{feff}')).collect();
    let place = |wanted: &String| {
        let mut found = known.iter().enumerate().filter(|(_, name)| *name == wanted);
        match (found.next(), found.next()) {
            (Some((place, _)), None) => Ok(place),
            (Some(_), Some(_)) => Err(CliError::at(path, format!("several columns are called {wanted}: rename one"))),
            (None, _) => {
                let tip = suggest::nearest(wanted, known.iter().copied())
                    .map_or(String::new(), |name| format!(" (did you mean {name}?)"));
                let known = if known.is_empty() { "nothing".to_string() } else { known.join(", ") };
                Err(CliError::at(path, format!("no column is called {wanted}{tip}: its first line has {known}")))
            }
        }
    };
    names.iter().map(place).collect()
}

fn refused(path: &Path, error: &csv::Error) -> CliError {
    match error.kind() {
        ErrorKind::Io(error) if error.get_ref().is_some() => CliError::at(path, error),
        ErrorKind::Io(error) => CliError::io("read", path, error),
        ErrorKind::UnequalLengths { pos, expected_len, len } => {
            let line = pos.as_ref().map_or(0, csv::Position::line);
            let line = format!("line {line}: it has {len} fields, and the first line has {expected_len}: correct it");
            CliError::at(path, line)
        }
        _ => CliError::at(path, error),
    }
}

/// Refuses two columns of one name.
pub(crate) fn distinct(names: &[String]) -> Result<(), CliError> {
    match names.iter().enumerate().find(|(i, name)| names[..*i].contains(name)) {
        Some((_, name)) => Err(CliError::new(format!("two columns are called {name}: give each a name of its own"))),
        None => Ok(()),
    }
}

/// A CSV file that is refused where parsers would guess: quotes that do not end, or not with their field; lines without
/// anything between others.
struct Strict<R> {
    inner: R,
    line: usize,
    place: Place,
    /// The blank line that was the last.
    blank: Option<usize>,
}

/// Where in a file a byte is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Line,
    Field,
    Inside,
    Quoted { from: usize },
    Ended { from: usize },
}

impl<R> Strict<R> {
    fn new(inner: R) -> Self {
        Self { inner, line: 1, place: Place::Line, blank: None }
    }

    fn take(&mut self, byte: u8) -> Result<(), String> {
        if let (Some(line), false) = (self.blank, matches!(byte, b'\n' | b'\r')) {
            return Err(format!("line {line}: it is blank; remove it, or give its values"));
        }
        self.place = match (self.place, byte) {
            (Place::Quoted { from }, b'"') => Place::Ended { from },
            (Place::Ended { from }, b'"') => Place::Quoted { from },
            (quoted @ Place::Quoted { .. }, _) => quoted,
            (_, b',') => Place::Field,
            (Place::Line, b'\n') => {
                self.blank = Some(self.line);
                Place::Line
            }
            (_, b'\n') => Place::Line,
            (place, b'\r') => place,
            (Place::Ended { from }, _) => {
                return Err(format!("line {from}: a quoted field goes on after its quote; double quotes within it"));
            }
            (Place::Line | Place::Field, b'"') => Place::Quoted { from: self.line },
            (Place::Inside, b'"') => {
                return Err(format!("line {}: a quote within a field; put the whole field in quotes", self.line));
            }
            _ => Place::Inside,
        };
        self.line += usize::from(byte == b'\n');
        Ok(())
    }
}

impl<R: Read> Read for Strict<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(out)?;
        let taken = match (count, self.place) {
            (0, Place::Quoted { from }) => Err(format!("line {from}: its quote has no end; close it")),
            _ => out[..count].iter().try_for_each(|&byte| self.take(byte)),
        };
        taken.map(|()| count).map_err(io::Error::other)
    }
}

/// Columns of one length as a file.
pub(crate) fn output(names: &[String], columns: &[Vec<i64>]) -> Result<Vec<u8>, CliError> {
    let failed = |error: csv::Error| CliError::new(format!("cannot write CSV: {error}"));
    let mut writer = Writer::from_writer(Vec::new());
    writer.write_record(names).map_err(failed)?;
    for row in 0..columns.first().map_or(0, Vec::len) {
        writer.write_record(columns.iter().map(|column| column[row].to_string())).map_err(failed)?;
    }
    writer.into_inner().map_err(|error| CliError::new(format!("cannot write CSV: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns_of(text: &str, names: &[&str]) -> Result<Vec<Vec<i64>>, String> {
        let names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
        read(Text::of("X.csv", text.as_bytes()), &names, [-5, 15]).map_err(|error| error.to_string())
    }

    #[test]
    fn columns_are_found_by_their_names() {
        let text = "\u{feff}age ,\"in, come\",x\r\n1,2,a\n0xf, -5,\"b\nc\"\n";
        assert_eq!(columns_of(text, &["in, come", "age"]), Ok(vec![vec![2, -5], vec![1, 15]]));
        assert_eq!(columns_of("x\r\n1\r\n2\r\n\r\n", &["x"]), Ok(vec![vec![1, 2]]));
        assert!(columns_of("x\n1\n", &["x", "x"]).unwrap_err().contains("two columns are called x"));
        let written = output(&["a".to_string(), "b, c".to_string()], &[vec![1, -2], vec![3, 4]]).unwrap();
        assert_eq!(written, b"a,\"b, c\"\n1,3\n-2,4\n");
    }

    #[test]
    fn what_is_wrong_has_its_line() {
        let cases = [
            ("age,x\n1,2\n", "ago", "no column is called ago (did you mean age?): its first line has age, x"),
            ("age,x\n1,2\n1,z\n", "x", "line 3, column x: \"z\" is not an integer"),
            ("age,x\n1,16\n", "x", "line 2, column x: 16 is outside -5 to 15"),
            ("age,x\n1,\n", "x", "line 2, column x: \"\" is not an integer"),
            ("age,x\n1,99999999999999999999999\n", "x", "outside -5 to 15"),
            ("age,x\n1\n", "x", "line 2: it has 1 fields, and the first line has 2"),
            ("x,x\n1,2\n", "x", "several columns are called x"),
            ("x\n", "x", "no rows"),
            ("a,x\n1,\"2\n2,3\n", "a", "line 2: its quote has no end"),
            ("a,x\n\"1\"2,3\n", "a", "line 2: a quoted field goes on"),
            ("a,x\n1\"2,3\n", "a", "line 2: a quote within a field"),
            ("x\n1\n\n2\n", "x", "line 3: it is blank"),
            ("", "x", "first line has nothing"),
        ];
        for (text, name, words) in cases {
            let error = columns_of(text, &[name]).unwrap_err();
            assert!(error.starts_with("X.csv: ") && error.contains(words), "{error}");
        }
    }
}
