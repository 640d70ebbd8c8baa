//! Integers of text, read piece by piece.

use std::fmt;

use crate::error::excerpt;

/// The longest text of an integer.
pub(crate) const MAX_WORD: usize = 4096;

/// Why a file is no list of integers.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NotIntegers {
    /// This is no integer.
    Word { line: usize, text: String },
    /// This is one, of more digits than are read.
    Long { line: usize, text: String },
    /// Two commas, or one at the start, without an integer between.
    Gap { line: usize },
}

impl NotIntegers {
    /// Whether somebody meant a number.
    pub(super) fn is_number(&self) -> bool {
        match self {
            Self::Word { text, .. } => {
                let text = text.trim_start_matches(['-', '+']).to_ascii_lowercase();
                text.starts_with(|c: char| c.is_ascii_digit()) || ["nan", "inf", "infinity"].contains(&&*text)
            }
            Self::Long { .. } => true,
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
            Self::Long { line, text } => write!(f, "line {line}: {text} {TOO_LONG}"),
            Self::Gap { line } => write!(f, "line {line}: no integer before the comma: add it or remove the comma"),
        }
    }
}

/// The refusal of an integer that is longer than any is read.
pub(crate) const TOO_LONG: &str = "is too long: integers have 64 bits at most, some 20 digits; correct it";

/// The refusal of a word.
pub(crate) fn not_an_integer(word: &str) -> String {
    let cure = match word.trim_end_matches('…').parse::<f64>() {
        Ok(number) if number.is_finite() => "round it, or scale all of them by one factor first",
        _ => "expected decimal or 0x hexadecimal digits",
    };
    format!("\"{word}\" is not an integer: {cure}")
}

/// Splits text into integers, piece by piece; a sign is read, so that a negative number is called what it is.
pub(super) struct Scanner {
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
    pub(super) fn new() -> Self {
        Self { line: 1, separated: false, comment: false, first: true, word: Vec::new() }
    }

    /// Gives `each` integer of the text that ends in this piece: its value (`None` if it is outside `-2^64..2^64`),
    /// line and text.
    pub(super) fn push(
        &mut self,
        piece: &[u8],
        mut each: impl FnMut(Option<i128>, usize, &[u8]),
    ) -> Result<(), NotIntegers> {
        for &byte in piece {
            match byte {
                _ if self.comment => self.comment = byte != b'\n',
                b'#' | b',' => self.end_word(&mut each)?,
                _ if byte.is_ascii_whitespace() => self.end_word(&mut each)?,
                _ if self.word.len() < MAX_WORD => self.word.push(byte),
                _ => {
                    let (line, text) = (self.line, excerpt(&self.word));
                    return Err(match integer(&self.word) {
                        Some(_) => NotIntegers::Long { line, text },
                        None => NotIntegers::Word { line, text },
                    });
                }
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
    pub(super) fn finish(mut self, mut each: impl FnMut(Option<i128>, usize, &[u8])) -> Result<(), NotIntegers> {
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

/// Whether a line is one of integers, or of what somebody meant as such.
pub(crate) fn is_of_numbers(line: &[u8]) -> bool {
    let mut scanner = Scanner::new();
    let scanned = scanner.push(line, |_, _, _| {}).and_then(|()| scanner.finish(|_, _, _| {}));
    scanned.map_or_else(|error| error.is_number(), |()| true)
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
