//! Files of integers: text, or arrays of NumPy's ([`crate::npy`]).
//!
//! Integers of text are decimal, or hexadecimal with `0x`, separated by white space or by one comma (and white
//! space); `#` starts a comment that ends with the line; a comma may end the list. Every error names its line, or
//! the index in the array.

use std::fmt::{self, Write};
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use bootes::Interval;

use crate::args::Sign;
use crate::error::CliError;
use crate::files::Text;
use crate::need::MAX_WIDTH;
use crate::npy::{self, Array};
use crate::table::size_in_words;

/// The most values of an input: more do not fit what any command does with them.
pub(crate) const MAX_VALUES: usize = 1 << 24;

/// The longest text of an integer.
pub(crate) const MAX_WORD: usize = 4096;

/// Why a file is no list of integers.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NotIntegers {
    /// This is no integer.
    Word { line: usize, text: String },
    /// Two commas, or one at the start, without an integer between.
    Gap { line: usize },
}

impl NotIntegers {
    /// Whether somebody meant a number.
    fn is_number(&self) -> bool {
        match self {
            Self::Word { text, .. } => {
                let text = text.trim_start_matches(['-', '+']).to_ascii_lowercase();
                text.starts_with(|c: char| c.is_ascii_digit()) || ["nan", "inf", "infinity"].contains(&&*text)
            }
            Self::Gap { .. } => false,
        }
    }
}

impl fmt::Display for NotIntegers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word { line, text } => {
                write!(f, "line {line}: {}", not_an_integer(text))
            }
            Self::Gap { line } => write!(f, "line {line}: no integer before the comma: add it or remove the comma"),
        }
    }
}

/// The refusal of a word.
pub(crate) fn not_an_integer(word: &str) -> String {
    let cure = match word.trim_end_matches('…').parse::<f64>() {
        Ok(number) if number.is_finite() => "round it, or scale all of them by one factor first",
        _ => "expected decimal or 0x hexadecimal digits",
    };
    format!("\"{word}\" is not an integer: {cure}")
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

/// Splits text into integers, piece by piece; a sign is read, so that a negative number is called what it is.
struct Scanner {
    line: usize,
    /// Whether a comma may come: an integer is pending it.
    separated: bool,
    comment: bool,
    /// Whether nothing ended yet.
    first: bool,
    /// The word that has begun.
    word: Vec<u8>,
}

impl Scanner {
    fn new() -> Self {
        Self { line: 1, separated: false, comment: false, first: true, word: Vec::new() }
    }

    /// Gives `each` integer of the text that ends in this piece: its value (`None` if it is outside `-2^64..2^64`),
    /// line and text.
    fn push(&mut self, piece: &[u8], mut each: impl FnMut(Option<i128>, usize, &[u8])) -> Result<(), NotIntegers> {
        for &byte in piece {
            match byte {
                _ if self.comment => self.comment = byte != b'\n',
                b'#' | b',' => self.end_word(&mut each)?,
                _ if byte.is_ascii_whitespace() => self.end_word(&mut each)?,
                _ if self.word.len() < MAX_WORD => self.word.push(byte),
                _ => return Err(NotIntegers::Word { line: self.line, text: excerpt(&self.word) }),
            }
            match byte {
                b'\n' => self.line += 1,
                b'#' => self.comment = true,
                b',' if !self.comment && !std::mem::take(&mut self.separated) => {
                    return Err(NotIntegers::Gap { line: self.line });
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Ends the text.
    fn finish(mut self, mut each: impl FnMut(Option<i128>, usize, &[u8])) -> Result<(), NotIntegers> {
        self.end_word(&mut each)
    }

    fn end_word(&mut self, each: &mut impl FnMut(Option<i128>, usize, &[u8])) -> Result<(), NotIntegers> {
        let mut word = &self.word[..];
        if std::mem::take(&mut self.first) {
            // Text of some editors begins with a mark.
            word = word.strip_prefix(b"\xef\xbb\xbf").unwrap_or(word);
        }
        if word.is_empty() {
            self.word.clear();
            return Ok(());
        }
        let value = integer(word).ok_or_else(|| NotIntegers::Word { line: self.line, text: excerpt(word) })?;
        each(value, self.line, word);
        self.separated = true;
        self.word.clear();
        Ok(())
    }
}

/// The first integer of a list that is outside a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Outside {
    /// Counted from 0.
    pub(crate) index: usize,
    /// Counted from 1; an array has none.
    pub(crate) line: Option<usize>,
    /// The text of the field.
    pub(crate) text: String,
}

impl Outside {
    /// Where in its file it is.
    fn place(&self) -> String {
        self.line.map_or_else(|| format!("index {}", self.index), in_line)
    }
}

fn in_line(line: usize) -> String {
    format!("line {line}")
}

/// A list of integers.
pub(crate) struct List<const RANGES: usize> {
    /// Those outside all ranges are as near as an `i64` comes.
    pub(crate) values: Vec<i64>,
    /// For each range, the first integer outside it.
    pub(crate) outside: [Option<Outside>; RANGES],
    /// The format that it was read from.
    format: Format,
}

impl<const RANGES: usize> List<RANGES> {
    fn new(format: Format) -> Self {
        Self { values: Vec::new(), outside: [const { None }; RANGES], format }
    }

    /// Adds an integer of text.
    fn push(&mut self, ranges: &[RangeInclusive<i128>; RANGES], value: Option<i128>, line: usize, text: &[u8]) {
        self.push_as(ranges, value, Some(line), || excerpt(text));
    }

    /// Adds an integer that looks like `text`.
    fn push_as(
        &mut self,
        ranges: &[RangeInclusive<i128>; RANGES],
        value: Option<i128>,
        line: Option<usize>,
        text: impl Fn() -> String,
    ) {
        for (range, outside) in ranges.iter().zip(&mut self.outside) {
            if outside.is_none() && !value.is_some_and(|value| range.contains(&value)) {
                *outside = Some(Outside { index: self.values.len(), line, text: text() });
            }
        }
        self.values.push(value.map_or(i64::MAX, |value| value.clamp(i64::MIN.into(), i64::MAX.into()) as i64));
    }

    /// Reads a list as it comes, or an array; one with more than `most` integers is refused with `too_many`, a text
    /// that is no list with where it is none.
    pub(crate) fn read(
        mut text: Text,
        ranges: &[RangeInclusive<i128>; RANGES],
        most: usize,
        too_many: impl Fn() -> CliError,
    ) -> Result<Self, CliError> {
        if npy::is_array(&mut text)? {
            return Self::of_array(text, ranges, most, too_many);
        }
        text.refuse_utf16("")?;
        let path = text.path().to_path_buf();
        let (mut list, mut scanner) = (Self::new(Format::Integers), Scanner::new());
        let refused = |error| CliError::at(&path, error);
        text.for_each(|piece| {
            reserve(&mut list.values, piece.len() / 2 + 1, &path)?;
            scanner.push(piece, |value, line, text| list.push(ranges, value, line, text)).map_err(refused)?;
            if list.values.len() > most { Err(too_many()) } else { Ok(()) }
        })?;
        scanner.finish(|value, line, text| list.push(ranges, value, line, text)).map_err(refused)?;
        if list.values.len() > most { Err(too_many()) } else { Ok(list) }
    }

    /// The same of what is known to be an array.
    fn of_array(
        text: Text,
        ranges: &[RangeInclusive<i128>; RANGES],
        most: usize,
        too_many: impl Fn() -> CliError,
    ) -> Result<Self, CliError> {
        let path = text.path().to_path_buf();
        let (mut list, array) = (Self::new(Format::Npy), Array::new(text)?);
        if array.len() > most as u64 {
            return Err(too_many());
        }
        array.for_each(|values| {
            reserve(&mut list.values, values.len(), &path)?;
            for &value in values {
                list.push_as(ranges, Some(value), None, || value.to_string());
            }
            Ok(())
        })?;
        Ok(list)
    }
}

/// Room for `more`, or an error.
pub(crate) fn reserve<T>(values: &mut Vec<T>, more: usize, path: &Path) -> Result<(), CliError> {
    values.try_reserve(more).map_err(|_| CliError::io("read", path, &io::ErrorKind::OutOfMemory.into()))
}

fn too_many(path: &Path) -> CliError {
    CliError::at(path, format!("it has more than {MAX_VALUES} values, the most that one file may have: split it"))
}

/// `None` if `word` is no integer, `Some(None)` if it is one outside `-2^64..2^64`.
pub(crate) fn integer(word: &[u8]) -> Option<Option<i128>> {
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
    /// A column of a CSV file.
    Csv,
    /// An array of NumPy's.
    Npy,
}

impl Format {
    /// Its name in reports.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Integers => "integers",
            Self::Bytes => "bytes",
            Self::Csv => "CSV",
            Self::Npy => "npy",
        }
    }

    /// How values are written to a file: as an option asks for (its name and what it writes), or as the name of the
    /// file does, or as integers.
    pub(crate) fn of_output(path: Option<&Path>, option: Option<(&str, Self)>) -> Result<Self, CliError> {
        match (path.filter(|path| npy::is_named(path)), option) {
            (Some(path), Some((name, format))) => {
                let format = format.name();
                let line = format!("{name} writes {format}, but .npy is an array: leave {name} out or rename the file");
                Err(CliError::at(path, line))
            }
            (Some(_), None) => Ok(Self::Npy),
            (None, option) => Ok(option.map_or(Self::Integers, |(_, format)| format)),
        }
    }
}

/// The kinds of values to encrypt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Domain {
    /// 0 to so many less one.
    Below(u64),
    /// Residues modulo p, of which −1 is p − 1.
    Modulo(u64),
}

impl Domain {
    /// How many there are.
    pub(crate) fn size(self) -> u64 {
        match self {
            Self::Below(size) | Self::Modulo(size) => size,
        }
    }

    /// How they may be written.
    pub(crate) fn range(self) -> Interval {
        let max = self.size() as i64 - 1;
        Interval { min: if matches!(self, Self::Modulo(_)) { -max } else { 0 }, max }
    }

    /// The residues of integers of the range, not negative.
    pub(crate) fn reduce(self, mut values: Vec<i64>) -> Vec<i64> {
        let size = self.size() as i64;
        values.iter_mut().filter(|value| **value < 0).for_each(|value| *value += size);
        values
    }
}

/// The remedies to name instead.
#[derive(Clone, Copy, Default)]
pub(crate) struct Or<'a> {
    /// With text that is no list of integers.
    pub(crate) text: &'a str,
    /// With integers outside the domain.
    pub(crate) outside: &'a str,
}

/// Reads the values to encrypt, all of a domain.
///
/// `as_bytes` takes the bytes of the file, whatever it is; otherwise it is an array, a list of integers or, for
/// 8 bits, anything else that nobody can have meant as a list: then its bytes are taken.
pub(crate) fn input(
    mut text: Text,
    domain: Domain,
    as_bytes: bool,
    or: Or<'_>,
) -> Result<(Vec<i64>, Format), CliError> {
    let path = text.path().to_path_buf();
    let (size, range) = (domain.size(), domain.range());
    let ranges = [range.min.into()..=range.max.into()];
    if !as_bytes && npy::is_array(&mut text)? {
        let list = List::of_array(text, &ranges, MAX_VALUES, || too_many(&path))?;
        return integers(&path, list, domain, or).map(|values| (values, Format::Npy));
    }
    if !as_bytes {
        text.refuse_utf16(", or give --bytes to take its bytes as the values")?;
        text.refuse_packed()?;
    }
    let mut list = (!as_bytes).then(|| (List::<1>::new(Format::Integers), Scanner::new()));
    // The bytes, while they may be the values, and why they are no list.
    let mut bytes = (as_bytes || size == 256).then(Vec::new);
    let mut mistake = None;
    text.for_each(|piece| {
        if let Some((values, scanner)) = &mut list {
            reserve(&mut values.values, piece.len() / 2 + 1, &path)?;
            match scanner.push(piece, |value, line, text| values.push(&ranges, value, line, text)) {
                Ok(()) if values.values.len() > MAX_VALUES => return Err(too_many(&path)),
                Ok(()) => {}
                Err(error) => {
                    mistake = Some(mistaken(&path, &values.values, error, bytes.is_some(), or.text)?);
                    list = None;
                }
            }
        }
        if let Some(bytes) = &mut bytes {
            match (bytes.len() <= MAX_VALUES, &list) {
                (false, None) => return Err(too_many(&path)),
                (false, Some(_)) => {}
                (true, _) => {
                    reserve(bytes, piece.len(), &path)?;
                    bytes.extend_from_slice(piece);
                }
            }
        }
        Ok(())
    })?;
    if let Some((mut list, scanner)) = list {
        match scanner.finish(|value, line, text| list.push(&ranges, value, line, text)) {
            Ok(()) => return integers(&path, list, domain, or).map(|values| (values, Format::Integers)),
            Err(error) => mistake = Some(mistaken(&path, &list.values, error, bytes.is_some(), or.text)?),
        }
    }
    let bytes = bytes.unwrap_or_default();
    if let Some(error) = mistake.filter(|_| is_text_with_digits(&bytes)) {
        return Err(no_bytes(&path, &error, or.text));
    }
    if bytes.len() > MAX_VALUES {
        return Err(too_many(&path));
    }
    if let Some(at) = bytes.iter().position(|byte| u64::from(*byte) >= size) {
        let line = 1 + bytes[..at].iter().filter(|byte| **byte == b'\n').count();
        return Err(outside(&path, &in_line(line), &format!("byte {} at offset {at}", bytes[at]), domain, or));
    }
    Ok((bytes.into_iter().map(i64::from).collect(), Format::Bytes))
}

/// Why a file is no list, if its bytes may be the values all the same.
fn mistaken(
    path: &Path,
    before: &[i64],
    error: NotIntegers,
    may_be_bytes: bool,
    or: &str,
) -> Result<NotIntegers, CliError> {
    match may_be_bytes {
        false => Err(CliError::at(path, error)),
        true if !before.is_empty() || error.is_number() => Err(no_bytes(path, &error, or)),
        true => Ok(error),
    }
}

/// Whether somebody may have meant numbers: printable text of UTF-8, of a byte a letter, or of UTF-16 of either order,
/// in which there are digits.
fn is_text_with_digits(bytes: &[u8]) -> bool {
    let is_printable = |c: char| !c.is_control() || c.is_whitespace();
    let is_text = |c: Option<char>| c.is_some_and(is_printable);
    let of_pairs = |letter: fn([u8; 2]) -> u16| {
        let letters = || bytes.as_chunks().0.iter().map(|&pair| char::from_u32(letter(pair).into()));
        bytes.len().is_multiple_of(2)
            && letters().all(is_text)
            && letters().flatten().any(|letter| letter.is_ascii_digit())
    };
    let of_bytes = || match std::str::from_utf8(bytes) {
        Ok(text) => text.chars().all(is_printable),
        Err(_) => bytes.iter().all(|&byte| is_printable(byte.into())),
    };
    bytes.iter().any(u8::is_ascii_digit) && (of_bytes() || of_pairs(u16::from_be_bytes) || of_pairs(u16::from_le_bytes))
}

/// A list with a mistake in it is not taken as its bytes.
fn no_bytes(path: &Path, error: &NotIntegers, or: &str) -> CliError {
    CliError::at(path, format!("{error}; to take the bytes of the file as the values, give --bytes{or}"))
}

fn integers(path: &Path, list: List<1>, domain: Domain, or: Or<'_>) -> Result<Vec<i64>, CliError> {
    let List { values, outside: [first], .. } = list;
    match first {
        _ if values.is_empty() => {
            Err(CliError::at(path, "it holds no integers: expected at least one, or --bytes to take its bytes"))
        }
        Some(first) => Err(outside(path, &first.place(), &first.text, domain, or)),
        None => Ok(domain.reduce(values)),
    }
}

/// Reads operands of large integers, one list a file, as long as each other: with a sign, `-2^(width-1)` to
/// `2^(width-1) - 1`, or without, 0 to `2^width - 1`, as `option` says. The format is that of the first.
pub(crate) fn operands(
    files: Vec<Text>,
    width: u32,
    option: &str,
    sign: Sign,
) -> Result<(Vec<Vec<i64>>, Format), CliError> {
    let range = sign.range(width);
    let ranges = [range.min.into()..=range.max.into()];
    let paths: Vec<PathBuf> = files.iter().map(|text| text.path().to_path_buf()).collect();
    let mut lists = Vec::with_capacity(files.len());
    for (text, path) in files.into_iter().zip(&paths) {
        let list = List::read(text, &ranges, MAX_VALUES, || too_many(path))?;
        if list.values.is_empty() {
            return Err(CliError::at(path, "it holds no integers: expected at least one"));
        }
        lists.push(list);
    }
    for (list, path) in lists.iter().zip(&paths) {
        if let Some(outside) = &list.outside[0] {
            let (place, text, kind) = (outside.place(), &outside.text, sign.name());
            let cures = cures(list.values[outside.index], width, option, sign);
            let line = format!("{place}: {text} is outside the range {range} of {kind} {width}-bit integers: {cures}");
            return Err(CliError::at(path, line));
        }
    }
    if let [left, right] = &lists[..]
        && left.values.len() != right.values.len()
    {
        let (first, count) = (paths[0].display(), left.values.len());
        return Err(CliError::at(
            &paths[1],
            format!("it has {} integers, and {first} has {count}: give one for each", right.values.len()),
        ));
    }
    let format = lists.first().map_or(Format::Integers, |list| list.format);
    Ok((lists.into_iter().map(|list| list.values).collect(), format))
}

/// The remedies for an integer that has not so many bits: those of `option`.
fn cures(value: i64, width: u32, option: &str, sign: Sign) -> String {
    let least = |sign: Sign| (width..=MAX_WIDTH).find(|&width| sign.range(width).has(value));
    let change = if sign.unsigned { "leave out --unsigned" } else { "give --unsigned, if none is negative" };
    let mut cures = vec!["correct the value".to_string()];
    match (least(sign), least(Sign { unsigned: !sign.unsigned })) {
        (same, Some(other)) if other == width => {
            cures.extend(same.map(|same| format!("take {option} {same}")));
            cures.push(change.into());
        }
        (Some(same), _) => cures.push(format!("take {option} {same}")),
        (None, Some(other)) => cures.push(format!("take {option} {other} and {change}")),
        (None, None) => cures.push(format!("split it: no {option} above {MAX_WIDTH} is there")),
    }
    cures.join(", or ")
}

fn outside(path: &Path, place: &str, found: &str, domain: Domain, or: Or<'_>) -> CliError {
    let size = domain.size();
    let residue = match found.parse::<i64>() {
        Ok(value) if matches!(domain, Domain::Below(_)) && value < 0 && value.unsigned_abs() < size => {
            format!(", or give --modulus {size}, which takes it modulo {size}")
        }
        _ => String::new(),
    };
    CliError::at(
        path,
        format!(
            "{place}: {found} is outside the domain {} of {} inputs; correct the value{residue}{}",
            domain.range(),
            size_in_words(domain.size()),
            or.outside
        ),
    )
}

/// Values as a file: one integer a line, one byte each, or an array.
pub(crate) fn output(values: &[i64], format: Format) -> Result<Vec<u8>, CliError> {
    match format {
        Format::Integers | Format::Csv => {
            let bytes = text_bytes(values);
            let mut text = String::new();
            text.try_reserve_exact(bytes).map_err(|_| no_room(bytes))?;
            for value in values {
                let _ = writeln!(text, "{value}");
            }
            Ok(text.into_bytes())
        }
        Format::Npy => Ok(npy::output(values)),
        Format::Bytes => {
            let mut bytes = Vec::new();
            bytes.try_reserve_exact(values.len()).map_err(|_| no_room(values.len()))?;
            for &value in values {
                let byte = u8::try_from(value);
                bytes.push(
                    byte.map_err(|_| CliError::new("a result is outside 0 to 255 and no byte: leave out --bytes"))?,
                );
            }
            Ok(bytes)
        }
    }
}

/// Bytes of these values as text, a sign between two and after the last.
pub(crate) fn text_bytes(values: &[i64]) -> usize {
    let digits = |value: i64| value.unsigned_abs().checked_ilog10().unwrap_or(0) as usize + 1 + usize::from(value < 0);
    values.iter().map(|&value| digits(value) + 1).sum()
}

/// Refuses what takes so many bytes at once where the system gives fewer.
pub(crate) fn check_room(bytes: usize) -> Result<(), CliError> {
    Vec::<u8>::new().try_reserve_exact(bytes).map_err(|_| no_room(bytes))
}

fn no_room(bytes: usize) -> CliError {
    let (needed, available) = (bytes as u64, bootes::available_memory().unwrap_or(0).min(bytes as u64));
    bootes::Error::Memory { needed, available }.into()
}

#[cfg(test)]
mod tests;
