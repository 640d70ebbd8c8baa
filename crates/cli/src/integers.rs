//! Files of integers: text, or arrays of NumPy's ([`crate::npy`]).
//!
//! Integers of text are decimal, or hexadecimal with `0x`, separated by white space or by one comma (and white
//! space); `#` starts a comment that ends with the line; a comma may end the list. Every error names its line, or
//! the index in the array.

use std::fmt::Write;
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use bootes::Interval;

use crate::args::Sign;
use crate::error::{CliError, excerpt};
use crate::files::Text;
use crate::npy::{self, Array};
use bootes::MAX_WIDTH;

mod scanner;

pub(crate) use scanner::{MAX_WORD, TOO_LONG, integer, is_of_numbers, not_an_integer};
use scanner::{NotIntegers, Scanner};

/// The most values of an input: more do not fit what any command does with them.
pub(crate) const MAX_VALUES: usize = 1 << 24;

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

/// The farthest from 0 of the values that have the sign of `first`: what holds it holds them all.
pub(crate) fn farthest(first: i128, values: &[i128]) -> i128 {
    let alike = values.iter().copied().filter(|value| (*value < 0) == (first < 0));
    alike.fold(first, |farthest, value| if first < 0 { farthest.min(value) } else { farthest.max(value) })
}

fn in_line(line: usize) -> String {
    format!("line {line}")
}

/// A list of integers.
pub(crate) struct List<const RANGES: usize> {
    /// Those that are no numbers of 128 bits are the largest.
    pub(crate) values: Vec<i128>,
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
        self.values.push(clamped(value));
    }

    /// Reads a list as it comes, or an array; one with more than `most` integers is refused with `too_many`, a text
    /// that is no list with where it is none, and with the remedy `or`.
    pub(crate) fn read(
        mut text: Text,
        ranges: &[RangeInclusive<i128>; RANGES],
        most: usize,
        or: &str,
        too_many: impl Fn() -> CliError,
    ) -> Result<Self, CliError> {
        if npy::is_array(&mut text)? {
            return Self::of_array(text, ranges, most, too_many);
        }
        text.refuse_utf16("")?;
        let path = text.path().to_path_buf();
        let (mut list, mut scanner) = (Self::new(Format::Integers), Scanner::new());
        let refused = |error| no_list(&path, &error, or);
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

/// The integer; one that is far outside is too large, whatever its sign.
pub(crate) fn clamped(value: Option<i128>) -> i128 {
    value.unwrap_or(i128::MAX)
}

/// Room for `more`, or an error.
pub(crate) fn reserve<T>(values: &mut Vec<T>, more: usize, path: &Path) -> Result<(), CliError> {
    values.try_reserve(more).map_err(|_| CliError::io("read", path, &io::ErrorKind::OutOfMemory.into()))
}

fn too_many(path: &Path) -> CliError {
    CliError::at(path, format!("it has more than {MAX_VALUES} values, the most that one file may have: split it"))
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

/// "4-bit", or "modulo 10".
pub(crate) fn size_in_words(modulus: u64) -> String {
    match modulus.is_power_of_two() {
        true => format!("{}-bit", modulus.ilog2()),
        false => format!("modulo-{modulus}"),
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
        let max = i128::from(self.size()) - 1;
        Interval { min: if matches!(self, Self::Modulo(_)) { -max } else { 0 }, max }
    }

    /// The residues of integers of the range, not negative.
    pub(crate) fn reduce(self, mut values: Vec<i128>) -> Vec<i128> {
        let size = i128::from(self.size());
        values.iter_mut().filter(|value| **value < 0).for_each(|value| *value += size);
        values
    }
}

/// The remedies to name instead.
#[derive(Clone, Copy)]
pub(crate) struct Or<'a> {
    /// With text that is no list of integers.
    pub(crate) text: &'a str,
    /// With an integer outside the domain.
    pub(crate) outside: Cures<'a>,
}

impl Default for Or<'_> {
    fn default() -> Self {
        Self { text: "", outside: &no_cures }
    }
}

/// What there is to do with a value outside its range, but to correct it: ", or …".
pub(crate) type Cures<'a> = &'a dyn Fn(i128) -> String;

/// Nothing else.
pub(crate) fn no_cures(_: i128) -> String {
    String::new()
}

/// What is said with text that may be a CSV file.
pub(crate) const OR_COLUMN: &str = ", and --column NAME for a column of CSV";

/// Reads the values to encrypt, all of a domain.
///
/// `as_bytes` takes the bytes of the file, whatever it is; otherwise it is an array, a list of integers or, for
/// 8 bits, anything else that nobody can have meant as a list: then its bytes are taken.
pub(crate) fn input(
    mut text: Text,
    domain: Domain,
    as_bytes: bool,
    or: Or<'_>,
) -> Result<(Vec<i128>, Format), CliError> {
    let path = text.path().to_path_buf();
    let (size, range) = (domain.size(), domain.range());
    let ranges = [range.min..=range.max];
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
        let found = (format!("byte {} at offset {at}", bytes[at]), bytes[at].into());
        return Err(outside(&path, &in_line(line), found, domain, or));
    }
    Ok((bytes.into_iter().map(i128::from).collect(), Format::Bytes))
}

/// Why a file is no list, if its bytes may be the values all the same.
fn mistaken(
    path: &Path,
    before: &[i128],
    error: NotIntegers,
    may_be_bytes: bool,
    or: &str,
) -> Result<NotIntegers, CliError> {
    match may_be_bytes {
        false => Err(no_list(path, &error, or)),
        true if !before.is_empty() || error.is_number() => Err(no_bytes(path, &error, or)),
        true => Ok(error),
    }
}

/// A text is not taken as what it is not; names of columns are no numbers.
fn no_list(path: &Path, error: &NotIntegers, or: &str) -> CliError {
    CliError::at(path, format!("{error}{}", if error.is_number() { "" } else { or }))
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

fn integers(path: &Path, list: List<1>, domain: Domain, or: Or<'_>) -> Result<Vec<i128>, CliError> {
    let List { values, outside: [first], .. } = list;
    match first {
        _ if values.is_empty() => {
            Err(CliError::at(path, "it holds no integers: expected at least one, or --bytes to take its bytes"))
        }
        Some(first) => {
            let (place, value) = (first.place(), farthest(values[first.index], &values));
            Err(outside(path, &place, (first.text, value), domain, or))
        }
        None => Ok(domain.reduce(values)),
    }
}

/// The large integers that options say.
#[derive(Clone, Copy)]
pub(crate) struct Width {
    /// `--width`.
    pub(crate) bits: u32,
    /// `--within`.
    pub(crate) within: Option<u32>,
    pub(crate) sign: Sign,
}

impl Width {
    /// Bits of the values.
    pub(crate) fn own(self) -> u32 {
        self.within.unwrap_or(self.bits)
    }

    /// With a sign −2^(w − 1) to 2^(w − 1) − 1, or without 0 to 2^w − 1, w bits of the values.
    pub(crate) fn range(self) -> Interval {
        self.sign.range(self.own())
    }

    /// What there is to do with a value outside.
    pub(crate) fn cures(self, value: i128) -> String {
        let (own, sign) = (self.own(), self.sign);
        let least = |sign: Sign| (own..=MAX_WIDTH).find(|&width| sign.range(width).has(value));
        let take = |bits: u32, sign: Sign| match (self.within, sign.range(bits).width()) {
            (None, _) => format!("take --width {bits}"),
            (Some(_), needed) if needed > self.bits => format!("take --width {needed} --within {bits}"),
            _ => format!("take --within {bits}"),
        };
        let (option, other) = (if self.within.is_some() { "--within" } else { "--width" }, sign.other());
        let change = if sign.unsigned { "leave out --unsigned" } else { "give --unsigned, if none is negative" };
        match (least(sign), least(other)) {
            (same, Some(bits)) if bits == own => {
                let same = same.map_or(String::new(), |bits| format!(", or {}", take(bits, sign)));
                // The same bits without a sign have more of --width.
                match other.range(own).width() > self.bits {
                    true => format!("{same}, or {} and {change}", take(own, other)),
                    false => format!("{same}, or {change}"),
                }
            }
            (Some(bits), _) => format!(", or {}", take(bits, sign)),
            (None, Some(bits)) => format!(", or {} and {change}", take(bits, other)),
            (None, None) => format!(", or split it: no {option} above {MAX_WIDTH} is there"),
        }
    }
}

/// Reads operands of large integers, one list a file, as long as each other. The format is that of the first. `or` is
/// said with what is no list.
pub(crate) fn operands(files: Vec<Text>, width: Width, or: &str) -> Result<(Vec<Vec<i128>>, Format), CliError> {
    let range = width.range();
    let ranges = [range.min..=range.max];
    let paths: Vec<PathBuf> = files.iter().map(|text| text.path().to_path_buf()).collect();
    let mut lists = Vec::with_capacity(files.len());
    for (text, path) in files.into_iter().zip(&paths) {
        let list = List::read(text, &ranges, MAX_VALUES, &format!("{OR_COLUMN}{or}"), || too_many(path))?;
        if list.values.is_empty() {
            return Err(CliError::at(path, format!("it holds no integers: expected at least one{or}")));
        }
        lists.push(list);
    }
    for (list, path) in lists.iter().zip(&paths) {
        if let Some(outside) = &list.outside[0] {
            let (place, text, kind) = (outside.place(), &outside.text, width.sign.name());
            let (bits, cures) = (width.own(), width.cures(farthest(list.values[outside.index], &list.values)));
            let line = format!(
                "{place}: {text} is outside the range {range} of {kind} {bits}-bit integers: correct the value{cures}"
            );
            return Err(CliError::at(path, line));
        }
    }
    check_lengths(&paths, lists.iter().map(|list| list.values.len()))?;
    let format = lists.first().map_or(Format::Integers, |list| list.format);
    Ok((lists.into_iter().map(|list| list.values).collect(), format))
}

/// Refuses operands of several lengths.
pub(crate) fn check_lengths(paths: &[PathBuf], lengths: impl IntoIterator<Item = usize>) -> Result<(), CliError> {
    let lengths: Vec<usize> = lengths.into_iter().collect();
    match paths.iter().zip(&lengths).find(|(_, length)| **length != lengths[0]) {
        Some((path, found)) => {
            let (first, count) = (paths[0].display(), lengths[0]);
            Err(CliError::at(path, format!("it has {found} integers, and {first} has {count}: give one for each")))
        }
        None => Ok(()),
    }
}

fn outside(path: &Path, place: &str, (found, value): (String, i128), domain: Domain, or: Or<'_>) -> CliError {
    let size = domain.size();
    let residue = match domain {
        Domain::Below(_) if value < 0 && value.unsigned_abs() < size.into() => {
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
            (or.outside)(value)
        ),
    )
}

/// Values as a file: one integer a line, one byte each, or an array.
pub(crate) fn output(values: &[i128], format: Format) -> Result<Vec<u8>, CliError> {
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
        Format::Npy => npy::output(values),
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
pub(crate) fn text_bytes(values: &[i128]) -> usize {
    let digits = |value: i128| value.unsigned_abs().checked_ilog10().unwrap_or(0) as usize + 1 + usize::from(value < 0);
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
