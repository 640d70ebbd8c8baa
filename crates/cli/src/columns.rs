//! Columns of CSV files (RFC 4180): the first line has their names, the others a row each.
//!
//! Fields are separated by commas, or else by tabs, or else by semicolons: the first of these that the first line has
//! outside quotes. A line `sep=;` before it, as Excel writes, says which. What is held is that line and a field,
//! whatever the file has.

use std::path::Path;

use bootes::Interval;

use crate::error::{CliError, excerpt};
use crate::files::Text;
use crate::integers::{self, Cures, MAX_VALUES, MAX_WORD, reserve};
use crate::npy;
use crate::report;
use crate::suggest;

/// The longest first line that is read, in bytes.
const MAX_HEADER: usize = 1 << 24;

/// The separators, in the order in which they are looked for.
const SEPARATORS: [u8; 3] = [b',', b'\t', b';'];

/// The integers of the columns of these names, each of its range; what else the file has is left alone.
///
/// A name is looked for as it is, and then without the white space around it.
pub(crate) fn read(
    mut text: Text,
    names: &[String],
    ranges: &[Interval],
    cures: Cures<'_>,
) -> Result<Vec<Vec<i128>>, CliError> {
    let path = &text.path().to_path_buf();
    distinct(names)?;
    if npy::is_array(&mut text)? {
        return Err(CliError::at(path, "it is an array of NumPy's, but --column takes CSV: leave --column out"));
    }
    text.refuse_utf16("")?;
    text.skip_mark()?;
    let mut reader = Reader::new(Rows::new(path, names, (ranges, cures)));
    text.for_each(|piece| reader.push(piece))?;
    let columns = reader.finish()?;
    if columns[0].is_empty() {
        return Err(CliError::at(path, "it has no rows below its names: expected at least one"));
    }
    Ok(columns)
}

/// Whether a file begins with names: a line that is no list of integers, and has one of the `wanted` if those are said.
pub(crate) fn begin(text: &mut Text, wanted: Option<&[String]>) -> Result<bool, CliError> {
    if npy::is_array(text)? {
        return Ok(false);
    }
    let line = text.first_line()?;
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line);
    let mut fields = line.split(|byte| SEPARATORS.contains(byte) || matches!(byte, b'"' | b'\r' | b'\n'));
    let is_wanted =
        wanted.is_none_or(|wanted| fields.any(|field| wanted.iter().any(|name| name.as_bytes() == field.trim_ascii())));
    Ok(is_wanted && !integers::is_of_numbers(line))
}

/// Refuses two columns of one name.
pub(crate) fn distinct(names: &[String]) -> Result<(), CliError> {
    match names.iter().enumerate().find(|(i, name)| names[..*i].contains(name)) {
        Some((_, name)) => {
            let line = format!("two columns are called {}: give each a name of its own", shown(name));
            Err(CliError::new(line))
        }
        None => Ok(()),
    }
}

/// What becomes of the fields of a file.
struct Rows<'a> {
    path: &'a Path,
    wanted: &'a [String],
    ranges: &'a [Interval],
    cures: Cures<'a>,
    header: Names,
    /// Fields of the first line, and in their order those that are wanted: their places, and whose they are.
    places: Option<(usize, Vec<(usize, usize)>)>,
    /// The next one of those.
    next: usize,
    columns: Vec<Vec<i128>>,
    /// The first value outside the range, and what there is to say.
    outside: Option<(i128, String)>,
}

impl<'a> Rows<'a> {
    fn new(path: &'a Path, wanted: &'a [String], (ranges, cures): (&'a [Interval], Cures<'a>)) -> Self {
        let columns = vec![Vec::new(); wanted.len()];
        Self { path, wanted, ranges, cures, header: Names::default(), places: None, next: 0, columns, outside: None }
    }

    fn refused(&self, line: usize, what: &str) -> CliError {
        CliError::at(self.path, format!("line {line}: {what}"))
    }

    /// Takes field number `index` of the record that begins in this line; `None` is one longer than any integer.
    fn field(&mut self, index: usize, line: usize, word: &[u8], whole: bool) -> Result<(), CliError> {
        let Some((_, places)) = &self.places else { return self.header.push(word, self.path) };
        while let Some(&(place, column)) = places.get(self.next)
            && place == index
        {
            let word = word.trim_ascii();
            let (text, name) = (excerpt(word), shown(&self.wanted[column]));
            let wrong = |what: String| CliError::at(self.path, format!("line {line}, column {name}: {what}"));
            let value = match integers::integer(word) {
                None if word.is_empty() => return Err(wrong("the cell is empty: give it a value".into())),
                Some(value) if whole => integers::clamped(value),
                Some(_) => return Err(wrong(format!("{text} {}", integers::TOO_LONG))),
                None => return Err(wrong(integers::not_an_integer(&text))),
            };
            let range = self.ranges[column];
            if self.outside.is_none() && !range.has(value) {
                self.outside = Some((value, format!("line {line}, column {name}: {text} is outside {range}")));
            }
            let values = &mut self.columns[column];
            if values.len() == MAX_VALUES {
                return Err(CliError::at(self.path, format!("it has more than {MAX_VALUES} rows: split it")));
            }
            reserve(values, 1, self.path)?;
            values.push(value);
            self.next += 1;
        }
        Ok(())
    }

    /// Ends a record of so many fields.
    fn end(&mut self, fields: usize, line: usize) -> Result<(), CliError> {
        self.next = 0;
        match &self.places {
            None => {
                self.places = Some((fields, self.places()?));
                self.header = Names::default();
            }
            Some((expected, _)) if *expected != fields => {
                let has = if fields == 1 { "1 field".into() } else { format!("{fields} fields") };
                let what = format!("it has {has}, and the first line has {expected}: correct it");
                return Err(self.refused(line, &what));
            }
            Some(_) => {}
        }
        Ok(())
    }

    /// Where the wanted columns are.
    fn places(&self) -> Result<Vec<(usize, usize)>, CliError> {
        let place = |(column, wanted): (usize, &String)| {
            let known = || self.header.iter().enumerate();
            let (name, trimmed) = (wanted.as_bytes(), wanted.as_bytes().trim_ascii());
            let mut exact = known().filter(|(_, known)| *known == name).map(|(place, _)| place);
            let mut nearly = known().filter(|(_, known)| known.trim_ascii() == trimmed).map(|(place, _)| place);
            let several =
                || CliError::at(self.path, format!("several columns are called {}: rename one", shown(wanted)));
            match (exact.next(), exact.next(), nearly.next(), nearly.next()) {
                (Some(place), None, ..) | (None, _, Some(place), None) => Ok((place, column)),
                (None, _, None, _) => Err(self.missing(wanted)),
                _ => Err(several()),
            }
        };
        let mut places = self.wanted.iter().enumerate().map(place).collect::<Result<Vec<_>, _>>()?;
        places.sort_unstable();
        Ok(places)
    }

    fn missing(&self, wanted: &str) -> CliError {
        let texts = || self.header.iter().filter_map(|name| Some(std::str::from_utf8(name).ok()?.trim()));
        let tip = match texts().filter(|_| !wanted.trim().is_empty()).find(|name| suggest::looks_like(wanted, name)) {
            Some(name) => format!(" (did you mean {name}, whose accents are {}? copy it)", suggest::accents(name)),
            None if wanted.trim().is_empty() => String::new(),
            None => suggest::nearest(wanted, texts()).map_or(String::new(), |name| format!(" (did you mean {name}?)")),
        };
        let known = match self.header.iter().next() {
            None => "nothing".to_string(),
            Some(_) => report::list(self.header.iter().map(|name| excerpt(name.trim_ascii()))),
        };
        CliError::at(self.path, format!("no column is called {}{tip}: its first line has {known}", shown(wanted)))
    }
}

/// A name in a message: in quotes where one would not see it.
fn shown(name: &str) -> String {
    if name.trim().is_empty() { format!("\"{name}\"") } else { name.to_string() }
}

/// The separator that a line like `sep=;` says.
fn said_separator(line: &[u8]) -> Option<u8> {
    match line.trim_ascii_end() {
        [s, e, p, b'=', separator] if [*s, *e, *p].eq_ignore_ascii_case(b"sep") => {
            SEPARATORS.contains(separator).then_some(*separator)
        }
        // A tab is white space, too.
        [s, e, p, b'='] if [*s, *e, *p].eq_ignore_ascii_case(b"sep") && line.get(4) == Some(&b'\t') => Some(b'\t'),
        _ => None,
    }
}

/// The names of the first line, one after the other.
#[derive(Default)]
struct Names {
    text: Vec<u8>,
    ends: Vec<usize>,
}

impl Names {
    fn push(&mut self, name: &[u8], path: &Path) -> Result<(), CliError> {
        reserve(&mut self.text, name.len(), path)?;
        reserve(&mut self.ends, 1, path)?;
        self.text.extend_from_slice(name);
        self.ends.push(self.text.len());
        Ok(())
    }

    fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(&0).chain(&self.ends);
        starts.zip(&self.ends).map(|(&start, &end)| &self.text[start..end])
    }
}

/// Splits a file into fields, piece by piece; it is refused where parsers would guess: quotes that do not end, or not
/// with their field; lines without anything between others.
struct Reader<'a> {
    rows: Rows<'a>,
    /// The first line, until its end was found, and whether that is within quotes; again after one of a separator.
    head: Option<Vec<u8>>,
    quoted: bool,
    separator: Option<u8>,
    line: usize,
    place: Place,
    /// Whether the last byte was a carriage return that ended a line.
    returned: bool,
    /// The blank line that was the last.
    blank: Option<usize>,
    /// Where the record began, its fields so far, and the field that has begun: its first bytes, and whether they are
    /// all.
    start: usize,
    fields: usize,
    field: Vec<u8>,
    whole: bool,
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

impl<'a> Reader<'a> {
    fn new(rows: Rows<'a>) -> Self {
        Self {
            rows,
            head: Some(Vec::new()),
            quoted: false,
            separator: None,
            line: 1,
            place: Place::Line,
            returned: false,
            blank: None,
            start: 1,
            fields: 0,
            field: Vec::new(),
            whole: true,
        }
    }

    fn push(&mut self, mut piece: &[u8]) -> Result<(), CliError> {
        while let Some(head) = &mut self.head {
            // What follows a carriage return is the same end.
            if std::mem::take(&mut self.returned) && piece.first() == Some(&b'\n') {
                piece = &piece[1..];
            }
            let end = piece.iter().position(|&byte| {
                self.quoted ^= byte == b'"';
                !self.quoted && matches!(byte, b'\n' | b'\r')
            });
            let (first, rest) = piece.split_at(end.map_or(piece.len(), |end| end + 1));
            reserve(head, first.len(), self.rows.path)?;
            head.extend_from_slice(first);
            let is_long = head.len() > MAX_HEADER;
            if end.is_none() && !is_long {
                return Ok(());
            }
            self.begin()?;
            if is_long {
                let what =
                    format!("it has more than {}: expected the names of columns", report::size(MAX_HEADER as u64));
                return Err(self.rows.refused(1, &what));
            }
            piece = rest;
        }
        piece.iter().try_for_each(|&byte| self.take(byte))
    }

    /// Takes the first line, which tells what separates fields, or another line tells it before.
    fn begin(&mut self) -> Result<(), CliError> {
        let Some(head) = self.head.take() else { return Ok(()) };
        if self.separator.is_none()
            && let Some(said) = said_separator(&head)
        {
            (self.separator, self.head) = (Some(said), Some(Vec::new()));
            (self.line, self.returned) = (2, head.ends_with(b"\r"));
            return Ok(());
        }
        let mut quoted = false;
        let mut found = [false; SEPARATORS.len()];
        for &byte in &head {
            quoted ^= byte == b'"';
            found.iter_mut().zip(SEPARATORS).for_each(|(found, separator)| *found |= !quoted && byte == separator);
        }
        let first = found.iter().position(|found| *found).map_or(SEPARATORS[0], |at| SEPARATORS[at]);
        self.separator.get_or_insert(first);
        head.iter().try_for_each(|&byte| self.take(byte))
    }

    fn take(&mut self, byte: u8) -> Result<(), CliError> {
        let returned = std::mem::take(&mut self.returned);
        if self.place == Place::Line && !matches!(byte, b'\n' | b'\r') {
            if let Some(line) = self.blank {
                return Err(self.rows.refused(line, "it is blank; remove it, or give its values"));
            }
            self.start = self.line;
        }
        self.place = match (self.place, byte) {
            (Place::Quoted { from }, b'"') => Place::Ended { from },
            (Place::Ended { from }, b'"') => {
                self.keep(byte)?;
                Place::Quoted { from }
            }
            (quoted @ Place::Quoted { .. }, _) => {
                self.line += usize::from(byte == b'\n');
                self.keep(byte)?;
                quoted
            }
            (place, b'\n' | b'\r') => {
                self.returned = byte == b'\r';
                match place {
                    // What follows a carriage return is the same end.
                    Place::Line if returned => return Ok(()),
                    Place::Line => self.blank = Some(self.line),
                    _ => self.end_record()?,
                }
                self.line += 1;
                Place::Line
            }
            (_, byte) if Some(byte) == self.separator => {
                self.end_field()?;
                Place::Field
            }
            (Place::Ended { from }, _) => {
                return Err(self.rows.refused(from, "a quoted field goes on after its quote; double quotes within it"));
            }
            (Place::Line | Place::Field, b'"') => Place::Quoted { from: self.line },
            (Place::Inside, b'"') => {
                return Err(self.rows.refused(self.line, "a quote within a field; put the whole field in quotes"));
            }
            _ => {
                self.keep(byte)?;
                Place::Inside
            }
        };
        Ok(())
    }

    /// Keeps a byte of a field: all of a name, and as many as an integer may have.
    fn keep(&mut self, byte: u8) -> Result<(), CliError> {
        if self.rows.places.is_some() && self.field.len() == MAX_WORD {
            self.whole = false;
            return Ok(());
        }
        reserve(&mut self.field, 1, self.rows.path)?;
        self.field.push(byte);
        Ok(())
    }

    fn end_field(&mut self) -> Result<(), CliError> {
        self.rows.field(self.fields, self.start, &self.field, self.whole)?;
        self.fields += 1;
        self.field.clear();
        self.whole = true;
        Ok(())
    }

    fn end_record(&mut self) -> Result<(), CliError> {
        self.end_field()?;
        self.rows.end(std::mem::take(&mut self.fields), self.start)
    }

    /// Ends the file.
    fn finish(mut self) -> Result<Vec<Vec<i128>>, CliError> {
        while self.head.is_some() {
            self.begin()?;
        }
        match self.place {
            Place::Quoted { from } => return Err(self.rows.refused(from, "its quote has no end; close it")),
            Place::Line => {}
            _ => self.end_record()?,
        }
        let rows = self.rows;
        if rows.places.is_none() {
            return Err(rows.missing(&rows.wanted[0]));
        }
        match rows.outside {
            Some((first, line)) => {
                let farthest = rows.columns.iter().fold(first, |value, column| integers::farthest(value, column));
                Err(CliError::at(rows.path, format!("{line}; correct the value{}", (rows.cures)(farthest))))
            }
            None => Ok(rows.columns),
        }
    }
}

/// Columns of one length as a file.
pub(crate) fn output(names: &[String], columns: &[Vec<i128>]) -> Result<Vec<u8>, CliError> {
    let names: Vec<String> = names.iter().map(|name| quoted(name)).collect();
    let mut text = names.join(",") + "\n";
    for row in 0..columns.first().map_or(0, Vec::len) {
        for (i, column) in columns.iter().enumerate() {
            let separator = if i == 0 { "" } else { "," };
            text += &format!("{separator}{}", column[row]);
        }
        text.push('\n');
    }
    Ok(text.into_bytes())
}

/// A name as every reader finds it: in quotes if it has what could be taken for something else.
fn quoted(name: &str) -> String {
    let plain = |c: char| !c.is_control() && !matches!(c, ',' | ';' | '"' | '\u{feff}');
    match !name.is_empty() && name.trim() == name && name.chars().all(plain) {
        true => name.to_string(),
        false => format!("\"{}\"", name.replace('"', "\"\"")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integers::no_cures;

    fn columns_of(text: &str, names: &[&str]) -> Result<Vec<Vec<i128>>, String> {
        let names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
        let ranges = vec![Interval { min: -5, max: 15 }; names.len()];
        read(Text::of("X.csv", text.as_bytes()), &names, &ranges, &no_cures).map_err(|error| error.to_string())
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
    fn other_separators_marks_and_line_ends() {
        let read = |text: &str, names: &[&str]| columns_of(text, names).unwrap();
        assert_eq!(read("\u{feff}\"age\",x\n1,2\n", &["age", "x"]), [[1], [2]]);
        assert_eq!(read("\u{feff}age;\"in;come, net\"\r\n1;2\r\n", &["in;come, net", "age"]), [[2], [1]]);
        assert_eq!(read("age\tin;come\n1\t2\n", &["in;come"]), [[2]]);
        assert_eq!(read("\tage\r0\t7\r", &["age"]), [[7]]);
        assert_eq!(read("a;b,c\t\n1,2", &["a;b"]), [[1]]);
        // The last column has no name.
        assert_eq!(read("age\t\r\n3\t4\r\n", &["age"]), [[3]]);
        assert_eq!(read("age \n1\r\r\n2\n\n", &["age"]), [[1, 2]]);
        assert_eq!(read("\"a\n\"\"b\"\"\"\n\"1\"", &["a\n\"b\""]), [[1]]);
        // What Excel writes before the names.
        for end in ["\n", "\r", "\r\n"] {
            let text = ["\u{feff}sep=;", "a,b;c\td", "1;2", "3;4"].join(end);
            assert_eq!(read(&text, &["a,b"]), [[1, 3]], "{end:?}");
            assert_eq!(read(&["SEP=\t", "a;b\tc", "5\t6", ""].join(end), &["c"]), [[6]], "{end:?}");
            assert!(columns_of(&["sep=,", "a,b", "1,z"].join(end), &["b"]).unwrap_err().contains("line 3, column b"));
        }
        assert_eq!(read("sep=x,b\n1,2\n", &["sep=x"]), [[1]]);
        assert_eq!(read("sep=;\n\"\"\n1\n", &[""]), [[1]]);
    }

    #[test]
    fn names_are_found_with_their_white_space_or_without() {
        let read = |text: &str, names: &[&str]| columns_of(text, names);
        assert_eq!(read(" sp ,x\n1,2\n", &["sp"]), Ok(vec![vec![1]]));
        assert_eq!(read("sp,x\n1,2\n", &[" sp "]), Ok(vec![vec![1]]));
        assert_eq!(read(" sp,sp\n1,2\n", &["sp", " sp"]), Ok(vec![vec![2], vec![1]]));
        assert_eq!(read("sp,x\n1,2\n", &["x", "sp", " sp"]), Ok(vec![vec![2], vec![1], vec![1]]));
        assert!(read(" sp,sp \n1,2\n", &["sp"]).unwrap_err().contains("several columns are called sp"));
        for name in [" sp ", "", "a;b", "a\tb", "say \"a\"", "a\nb", "a\r\nb", "\u{feff}a", "ä", "#", "a b"] {
            let written = output(&[name.to_string(), "y".to_string()], &[vec![1, 2], vec![3, 4]]).unwrap();
            assert_eq!(read(std::str::from_utf8(&written).unwrap(), &["y", name]).unwrap(), [[3, 4], [1, 2]], "{name}");
            let written = output(&[name.to_string()], &[vec![1, 2]]).unwrap();
            assert_eq!(read(std::str::from_utf8(&written).unwrap(), &[name]).unwrap(), [[1, 2]], "{name}");
        }
    }

    #[test]
    fn what_is_long_is_not_held() {
        let text = format!("x,{}\n1,{}\n", "y".repeat(5000), "z".repeat(1 << 20));
        assert!(columns_of(&text, &["x", &"y".repeat(5000)]).unwrap_err().contains("is not an integer"));
        assert_eq!(columns_of(&text, &["x"]), Ok(vec![vec![1]]));
        let long = format!("x\n{}1\n", "0".repeat(MAX_WORD));
        assert!(columns_of(&long, &["x"]).unwrap_err().contains("000… is too long: integers have 64 bits"));
        let error = columns_of(&"name,".repeat(10_000), &["nome"]).unwrap_err();
        assert!(error.contains("(did you mean name?)") && error.ends_with(" … and 9991 more"), "{error}");
        let error = columns_of(&"n".repeat(MAX_HEADER + 1), &["n"]).unwrap_err();
        assert!(error.contains("line 1: it has more than 16.8 MB: expected the names of columns"), "{error}");
    }

    #[test]
    fn what_is_wrong_has_its_line() {
        let cases = [
            ("age,x\n1,2\n", "ago", "no column is called ago (did you mean age?): its first line has age, x"),
            ("age,x\n1,2\n1,z\n", "x", "line 3, column x: \"z\" is not an integer"),
            ("age,x\n1,16\n", "x", "line 2, column x: 16 is outside -5 to 15"),
            ("age,x\n1,\n", "x", "line 2, column x: the cell is empty"),
            ("age,x\n1,99999999999999999999999\n", "x", "outside -5 to 15"),
            ("age,x\n1\n", "x", "line 2: it has 1 field, and the first line has 2"),
            ("x,x\n1,2\n", "x", "several columns are called x"),
            ("x\n", "x", "no rows"),
            ("a,x\n1,\"2\n2,3\n", "a", "line 2: its quote has no end"),
            ("a,x\n\"1\"2,3\n", "a", "line 2: a quoted field goes on"),
            ("a,x\n1\"2,3\n", "a", "line 2: a quote within a field"),
            ("x\n1\n\n2\n", "x", "line 3: it is blank"),
            ("", "x", "it is empty"),
            ("sep=;", "x", "no column is called x: its first line has nothing"),
            ("age,x\n1,2\n", "", "no column is called \"\": its first line has age, x"),
            ("age,x\n1,2\n", " ", "no column is called \" \": its first line has age, x"),
            ("\"\",x\nz,2\n", "", "line 2, column \"\": \"z\" is not an integer"),
        ];
        for (text, name, words) in cases {
            let error = columns_of(text, &[name]).unwrap_err();
            assert!(error.starts_with("X.csv: ") && error.contains(words), "{error}");
        }
    }
}
