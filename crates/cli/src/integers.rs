//! Text files of integers.
//!
//! Integers are decimal, or hexadecimal with `0x`, separated by white space or by one comma (and white space); `#` starts
//! a comment that ends with the line; a comma may end the list. Every error names its line.

use std::fmt;
use std::path::Path;

use crate::error::CliError;
use crate::table::size_in_words;

/// The widest messages of the parameter sets, and tables of one bootstrap, in bits.
pub(crate) const MAX_BITS: u32 = 8;

/// The widest tables on digits, in bits.
pub(crate) const MAX_TABLE_BITS: u32 = 16;

/// The longest large integers, in bits.
pub(crate) const MAX_WIDTH: u32 = 32;

/// One integer of a list and where it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// `None` if it is an integer outside `-2^64..2^64`; its text is then in the file only.
    pub(crate) value: Option<i128>,
    /// Counted from 1.
    pub(crate) line: usize,
    /// First byte of its text in the file.
    pub(crate) start: usize,
    /// One past its last byte.
    pub(crate) end: usize,
}

/// Why a file is no list of integers.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NotIntegers {
    /// This is no integer.
    Word { line: usize, text: String },
    /// Two commas, or one at the start, without an integer between.
    Gap { line: usize },
}

impl fmt::Display for NotIntegers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word { line, text } => {
                write!(f, "line {line}: \"{text}\" is not an integer: expected decimal or 0x hexadecimal digits")
            }
            Self::Gap { line } => write!(f, "line {line}: no integer before the comma: add it or remove the comma"),
        }
    }
}

/// Text of a file for an error message: short and printable.
pub(crate) fn excerpt(text: &[u8]) -> String {
    const LONGEST: usize = 24;
    let mut shown = String::from_utf8_lossy(&text[..text.len().min(LONGEST)]).into_owned();
    if text.len() > LONGEST {
        shown.push('…');
    }
    shown
}

/// Splits a file into integers; a sign is read, so that a negative number is called what it is.
pub(crate) fn scan(text: &[u8]) -> Result<Vec<Entry>, NotIntegers> {
    let mut entries = Vec::new();
    let mut line = 1;
    let mut separated = false; // whether a comma may come: an integer is pending it
    let mut at = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\n' => {
                line += 1;
                at += 1;
            }
            b'#' => {
                let comment = text[at..].iter().position(|b| *b == b'\n');
                at += comment.unwrap_or(text.len() - at);
            }
            b',' => {
                if !separated {
                    return Err(NotIntegers::Gap { line });
                }
                separated = false;
                at += 1;
            }
            _ if byte.is_ascii_whitespace() => at += 1,
            _ => {
                let length = text[at..]
                    .iter()
                    .position(|b| b.is_ascii_whitespace() || *b == b',' || *b == b'#')
                    .unwrap_or(text.len() - at);
                let word = &text[at..at + length];
                let value = integer(word).ok_or_else(|| NotIntegers::Word { line, text: excerpt(word) })?;
                entries.push(Entry { value, line, start: at, end: at + length });
                separated = true;
                at += length;
            }
        }
    }
    Ok(entries)
}

/// `None` if `word` is no integer, `Some(None)` if it is one outside `-2^64..2^64`.
fn integer(word: &[u8]) -> Option<Option<i128>> {
    let (negative, digits) = match word {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, word),
    };
    let (radix, digits) = match digits {
        [b'0', b'x' | b'X', rest @ ..] => (16, rest),
        _ => (10, digits),
    };
    if digits.is_empty() {
        return None;
    }
    let mut value = Some(0u64);
    for digit in digits {
        let digit = char::from(*digit).to_digit(radix)?;
        value = value.and_then(|v| v.checked_mul(u64::from(radix))?.checked_add(u64::from(digit)));
    }
    Some(value.map(|value| if negative { -i128::from(value) } else { value.into() }))
}

/// How the values of an input file were written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// A list of integers.
    Integers,
    /// One value a byte.
    Bytes,
}

impl Format {
    /// Its name in reports.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Integers => "integers",
            Self::Bytes => "bytes",
        }
    }
}

/// Reads the values to encrypt, all below `size`.
///
/// `as_bytes` takes the bytes of the file; otherwise it is a list of integers or, for 8 bits, whatever it is: then a file
/// that is no such list is taken as its bytes.
pub(crate) fn input(path: &Path, text: &[u8], size: u64, as_bytes: bool) -> Result<(Vec<i64>, Format), CliError> {
    if text.is_empty() {
        return Err(CliError::at(path, "it is empty (0 bytes): expected integers, or bytes with --bytes"));
    }
    let entries = match scan(text) {
        Ok(entries) if !as_bytes => entries,
        Err(error) if !as_bytes && size != 256 => return Err(CliError::at(path, error)),
        _ => return bytes(path, text, size).map(|values| (values, Format::Bytes)),
    };
    if entries.is_empty() {
        return Err(CliError::at(path, "it holds no integers: expected at least one, or --bytes to take its bytes"));
    }
    let mut values = Vec::with_capacity(entries.len());
    for entry in &entries {
        match entry.value {
            Some(value) if (0..size.into()).contains(&value) => values.push(value as i64),
            _ => {
                let word = excerpt(&text[entry.start..entry.end]);
                return Err(outside(path, entry.line, &word, size));
            }
        }
    }
    Ok((values, Format::Integers))
}

/// Reads operands of large integers, one list a file, as long as each other: all with a sign, `-2^(width-1)` to `2^(width-1) - 1`,
/// or all without, 0 to `2^width - 1`.
pub(crate) fn operands(files: &[(&Path, &[u8])], width: u32) -> Result<Vec<Vec<i64>>, CliError> {
    let mut lists = Vec::with_capacity(files.len());
    for &(path, text) in files {
        let entries = scan(text).map_err(|error| CliError::at(path, error))?;
        if entries.is_empty() {
            return Err(CliError::at(path, "it holds no integers: expected at least one"));
        }
        lists.push(entries);
    }
    let signed = lists.iter().flatten().any(|entry| entry.value.is_some_and(|value| value < 0));
    let half = 1i128 << (width - 1);
    let (range, why) = match signed {
        true => (-half..=half - 1, "with a sign, for there are negative ones"),
        false => (0..=2 * half - 1, "without a sign"),
    };
    let mut operands = Vec::with_capacity(files.len());
    for (entries, &(path, text)) in lists.iter().zip(files) {
        let values = entries.iter().map(|entry| match entry.value {
            Some(value) if range.contains(&value) => Ok(value as i64),
            _ => {
                let word = excerpt(&text[entry.start..entry.end]);
                Err(CliError::at(
                    path,
                    format!(
                        "line {}: {word} is outside the range {} to {} of {width}-bit integers {why}; correct the value or take \
                         a larger --width",
                        entry.line,
                        range.start(),
                        range.end()
                    ),
                ))
            }
        });
        operands.push(values.collect::<Result<Vec<i64>, _>>()?);
    }
    if let [left, right] = &operands[..]
        && left.len() != right.len()
    {
        let (first, count) = (files[0].0.display(), left.len());
        return Err(CliError::at(
            files[1].0,
            format!("it has {} integers, and {first} has {count}: give one for each", right.len()),
        ));
    }
    Ok(operands)
}

fn bytes(path: &Path, text: &[u8], size: u64) -> Result<Vec<i64>, CliError> {
    if let Some(at) = text.iter().position(|byte| u64::from(*byte) >= size) {
        let line = 1 + text[..at].iter().filter(|byte| **byte == b'\n').count();
        return Err(outside(path, line, &format!("byte {} at offset {at}", text[at]), size));
    }
    Ok(text.iter().map(|byte| i64::from(*byte)).collect())
}

fn outside(path: &Path, line: usize, found: &str, size: u64) -> CliError {
    CliError::at(
        path,
        format!(
            "line {line}: {found} is outside the domain 0 to {} of {} inputs; correct the value",
            size - 1,
            size_in_words(size)
        ),
    )
}

/// Values as a file: one integer a line, or one byte each.
pub(crate) fn output(values: &[i64], format: Format) -> Result<Vec<u8>, CliError> {
    match format {
        Format::Integers => {
            let mut text = String::with_capacity(4 * values.len());
            for value in values {
                text.push_str(&value.to_string());
                text.push('\n');
            }
            Ok(text.into_bytes())
        }
        Format::Bytes => values
            .iter()
            .map(|value| u8::try_from(*value))
            .collect::<Result<_, _>>()
            .map_err(|_| CliError::new("a result is outside 0 to 255 and no byte: leave out --bytes")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<i128> {
        scan(text.as_bytes()).unwrap().iter().map(|entry| entry.value.unwrap()).collect()
    }

    fn input_of(text: &str, bits: u32, as_bytes: bool) -> Result<(Vec<i64>, Format), String> {
        input(Path::new("X"), text.as_bytes(), 1 << bits, as_bytes).map_err(|error| error.to_string())
    }

    #[test]
    fn lists_in_every_dress() {
        assert_eq!(values("1 2,3 , 4\n5,\n6\t0x1F#7\n# 8\r\n+9,"), [1, 2, 3, 4, 5, 6, 31, 9]);
        assert_eq!(values("\u{feff}7"), [7]);
        assert_eq!(values("18446744073709551615 00012 -0"), [u64::MAX.into(), 12, 0]);
        assert_eq!(values("-32768 -0x10"), [-32_768, -16]);
        assert_eq!(values(" # nothing\n"), [0; 0]);
    }

    #[test]
    fn what_is_no_integer() {
        for word in ["x", "1.5", "0x", "-", "+", "--1", "1e3", "0xg", "1_000", "\0", "१"] {
            let text = format!("1\n2 {word}\n3");
            assert_eq!(scan(text.as_bytes()), Err(NotIntegers::Word { line: 2, text: word.to_string() }), "{word}");
        }
        for text in [",1", "1,,2", "1,\n,2"] {
            assert!(matches!(scan(text.as_bytes()), Err(NotIntegers::Gap { .. })), "{text}");
        }
        assert!(scan(&[b'1', b' ', 0xff]).is_err());
    }

    #[test]
    fn integers_out_of_reach_are_integers() {
        for word in
            ["-18446744073709551616", "18446744073709551616", "0x10000000000000000", "99999999999999999999999999"]
        {
            assert_eq!(scan(word.as_bytes()).unwrap()[0].value, None, "{word}");
        }
    }

    #[test]
    fn inputs() {
        assert_eq!(input_of("1 2 3", 4, false).unwrap(), (vec![1, 2, 3], Format::Integers));
        assert_eq!(input_of("12", 8, true).unwrap(), (vec![49, 50], Format::Bytes));
        assert_eq!(input_of("hi", 8, false).unwrap(), (vec![104, 105], Format::Bytes));
        assert_eq!(input_of("\u{1}\u{2}", 4, true).unwrap(), (vec![1, 2], Format::Bytes));
        assert_eq!(
            input_of("1\n2\n16", 4, false).unwrap_err(),
            "X: line 3: 16 is outside the domain 0 to 15 of 4-bit inputs; correct the value"
        );
        assert!(input_of("300", 8, false).unwrap_err().contains("line 1: 300 is outside"));
        assert!(input_of("1 -1", 8, false).unwrap_err().contains("-1 is outside"));
        assert!(input_of("hi", 4, false).unwrap_err().contains("\"hi\" is not an integer"));
        assert!(input_of("\u{1}\nA", 4, true).unwrap_err().contains("line 2: byte 65 at offset 2"));
        assert!(input_of("", 8, true).unwrap_err().contains("empty"));
        assert!(input_of("# only\n", 8, false).unwrap_err().contains("no integers"));
    }

    #[test]
    fn operands_with_and_without_sign() {
        let read = |left: &str, right: Option<&str>| {
            let mut files = vec![(Path::new("X"), left.as_bytes())];
            files.extend(right.map(|right| (Path::new("Y"), right.as_bytes())));
            operands(&files, 8).map_err(|error| error.to_string())
        };
        assert_eq!(read("255 0", None).unwrap(), [[255, 0]]);
        assert_eq!(read("127 -128", Some("1 2")).unwrap(), [[127, -128], [1, 2]]);
        assert!(read("1\n256", None).unwrap_err().contains("X: line 2: 256 is outside the range 0 to 255"));
        assert!(read("1 -1", Some("1\n128")).unwrap_err().contains("Y: line 2: 128 is outside the range -128 to 127"));
        assert!(read("1 2", Some("1")).unwrap_err().contains("Y: it has 1 integers, and X has 2"));
        assert!(read("1", Some("#")).unwrap_err().contains("Y: it holds no integers"));
        assert!(read("1\nx", None).unwrap_err().contains("line 2: \"x\" is not an integer"));
        assert!(
            read("99999999999999999999999", None).unwrap_err().contains("line 1: 99999999999999999999999 is outside")
        );
    }

    #[test]
    fn outputs() {
        assert_eq!(output(&[1, 23, -4], Format::Integers).unwrap(), b"1\n23\n-4\n");
        assert_eq!(output(&[65, 255], Format::Bytes).unwrap(), [65, 255]);
        assert!(output(&[256], Format::Bytes).is_err());
    }
}
