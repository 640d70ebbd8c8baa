//! The one kind of error of the command: a line for the user.

use std::fmt;
use std::io;
use std::path::Path;

use bootes::{
    BfvError, BfvLutError, CkksLutError, ConversionError, Engine, Error, FhewLutError, LutError, NoiseWords, Params,
    SpaceError, TranscipherError, list, shortened,
};

use bootes::wire::{StreamError, WireError};

use crate::need::{FHEW_BITS, MAX_BITS, MAX_TABLE_BITS, MAX_WIDTH, Need};
use crate::report;

mod program;
mod room;

pub(crate) use program::{Refused, Sets, of_named, of_sizes};
pub(crate) use room::{HALVES, fhew_keys, for_rows, one_width, with_modulus};

/// An error in one line: what was found, what was expected, what to do.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CliError(String);

impl CliError {
    /// An error with this message; line breaks and other control characters are escaped, so that it stays one line, and
    /// what is long then is left out.
    pub(crate) fn new(message: impl AsRef<str>) -> Self {
        Self(shortened(&escaped(&shortened(message.as_ref()), |_| false)).into_owned())
    }

    /// An error about a file.
    pub(crate) fn at(path: &Path, message: impl fmt::Display) -> Self {
        Self::new(format!("{}: {message}", path.display()))
    }

    /// A refusal of the library about a file.
    pub(crate) fn of(path: &Path, error: Error) -> Self {
        Self::at(path, Self::from(error))
    }

    /// A failed operation on a file: `doing` is "read" or "write".
    pub(crate) fn io(doing: &str, path: &Path, error: &io::Error) -> Self {
        let cause = match error.kind() {
            io::ErrorKind::NotFound if doing == "read" => "there is no such file; check the path".to_string(),
            io::ErrorKind::NotFound => "its directory does not exist; create it first".to_string(),
            io::ErrorKind::PermissionDenied => "permission denied; check who owns it and its permissions".to_string(),
            io::ErrorKind::StorageFull => "no space left on the device; free some or write elsewhere".to_string(),
            io::ErrorKind::NotADirectory => "a part of its path is a file, not a directory; check the path".to_string(),
            io::ErrorKind::IsADirectory => "it is a directory where a file is expected; check the path".to_string(),
            io::ErrorKind::OutOfMemory => "there is not enough memory for it".to_string(),
            io::ErrorKind::BrokenPipe => "whoever read it went away; the output is not whole".to_string(),
            io::ErrorKind::FileTooLarge => "it would be larger than files may be here (ulimit -f)".to_string(),
            io::ErrorKind::ReadOnlyFilesystem => "it is on a read-only file system; write elsewhere".to_string(),
            _ => error.to_string(),
        };
        Self::new(format!("cannot {doing} {}: {cause}", path.display()))
    }
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The text with its control characters escaped, as those in names of files, but for those that it `keeps`.
pub(crate) fn escaped(text: &str, keeps: impl Fn(char) -> bool) -> String {
    let mut line = String::with_capacity(text.len());
    for character in text.chars() {
        match is_shown(character) || keeps(character) {
            true => line.push(character),
            false => line.extend(character.escape_default()),
        }
    }
    line
}

/// Whether it is none that controls a terminal, ends a line or turns its direction.
pub(crate) fn is_shown(character: char) -> bool {
    let ends = matches!(character, '\u{2028}' | '\u{2029}');
    let turns = matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    !(character.is_control() || ends || turns)
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

/// The remedies for noise with parameter set `own`.
fn cured(own: &str, words: impl FnOnce(&NoiseWords<'_>) -> String) -> String {
    let bits = |name: &str| Params::named(name).map_or(0, |params| params.bits());
    // Sets for integers have few bits of messages.
    let set = |name: &str| match bits(name) {
        few if few < bits(own) => format!(
            "keys of bootes keygen --params {name}, and what has more than {few} bits is encrypted with --width and \
             --unsigned"
        ),
        _ => format!("keys of bootes keygen --params {name}"),
    };
    let width = |bits: u32| format!("--width {bits}, and --within for the bits that they have");
    words(&NoiseWords { set: &set, out_bits: &|bits| format!("--out-bits {bits}"), width: &width })
}

/// The words of the library, but for cures that are functions of its own: what to do here instead.
pub(crate) fn in_words(error: &Error) -> String {
    match error {
        Error::InFile { path, source } => format!("{path}: {}", in_words(source)),
        Error::Wire(WireError::TooLong { .. }) | Error::Stream(StreamError::Wire(WireError::TooLong { .. })) => {
            format!("{error}; files of ciphertexts are put together by bootes concat")
        }
        Error::Lut(error) => of_lut(error),
        Error::Range { refused: LutError::Range { op, operands, width: width @ 1.., needed }, engine } => {
            room::of_operands(op, operands, (*width, *needed), *engine)
        }
        Error::Range { refused, .. } => of_lut(refused),
        Error::Bfv(error) => of_bfv(error),
        Error::NoiseBudget { params, found, promised, cure } => {
            format!(
                "this operation would make decryption fail with probability 2^{found:.1}, parameter set {params} \
                 promises 2^{promised}: {}",
                cured(params, |words| cure.of_sum(words))
            )
        }
        Error::Noise { refused, cure } => {
            let own = match refused {
                LutError::Fhew(FhewLutError::Noise { params, .. } | FhewLutError::OutputNoise { params, .. }) => params,
                _ => "",
            };
            format!("{refused}: {}", cured(own, |words| cure.of_function(words)))
        }
        Error::Overflow { operation, range: None, .. } => {
            format!(
                "the {operation} gives integers beyond 128 bits: take smaller weights and constants, or fewer terms"
            )
        }
        Error::Overflow { operation, range: Some(range), bits, modulus, most, engine, .. } => format!(
            "the {operation} gives integers from {range}, and there is room for 2^{bits} of them: {}",
            match modulus {
                Some(p) => room::of_residues(operation, *p),
                None => room::for_results(operation, *range, *most, *engine),
            }
        ),
        Error::Operands { operation, left, right, engine } => {
            format!(
                "{operation} of {} and {}: expected both in one space; {}",
                with_modulus(*left),
                with_modulus(*right),
                room::one_space(operation, *left, *right, *engine)
            )
        }
        Error::Space(SpaceError::Limbs { space }) => format!(
            "a linear operation on {space}: sums of integers in several ciphertexts each need carries: take bootes \
             eval --op add and --op sub, or, with engine fhew, --expr, as --expr '3*x - 4*y + 5'"
        ),
        Error::Room { range, width, engine } => room::of_range(*range, *width, *engine),
        Error::Space(SpaceError::Unreduced { space, modulus } | SpaceError::Kept { space, modulus }) => format!(
            "{space}: expected integers, or residues that are kept as such no longer: take bootes eval --expr 'x % \
             {modulus}' of them first, which gives integers from 0 to {}",
            modulus - 1
        ),
        Error::Space(SpaceError::Negative { space }) => {
            format!("the ciphertexts hold {space}, which may be negative: bootes decrypt tells them")
        }
        Error::Wide { index, value } => {
            format!("value {index} is {value}, which is longer than 64 bits with a sign: bootes decrypt tells it")
        }
        Error::Space(SpaceError::Residues { what, space }) => format!(
            "{what} takes integers, and the ciphertexts hold {space}, which are residues: encrypt integers with \
             --width, and --unsigned if none is negative"
        ),
        Error::Space(SpaceError::Widths { what, left, right }) => format!(
            "{what} of {left} and {right}: expected integers of one width; encrypt both with the larger --width, \
             and --within for the bits that they have"
        ),
        Error::Width { found, max, params } => {
            let other = match (*found, *max) {
                (1..=MAX_WIDTH, _) => format!(": make other keys with bootes keygen --width {found}"),
                (_, MAX_WIDTH..) => ", the longest that there are".into(),
                _ => format!(": the longest that there are have {MAX_WIDTH}"),
            };
            let held = if *max == 0 { "none".into() } else { format!("those of 1 to {max} bits") };
            format!("integers of {found} bits, and parameter set {params} holds {held}{other}")
        }
        Error::Space(SpaceError::TwoLimbs { what, space }) => format!(
            "{what} takes integers in one ciphertext each, and here are {space}, a ciphertext for each limb: \
             encrypt them with a smaller --width, or with other keys (bootes keygen --width){}",
            match *what {
                "a table" =>
                    "; tables of up to 20 bits are of residues, with keys of bootes keygen --engine ckks --bits B",
                "a table of several values" => ", as bootes plan --sizes says, of at most 20 bits together",
                _ => "",
            }
        ),
        Error::NotWith { what, engine, have } if !what.starts_with("a plan of") => {
            let keys = |other: Engine| {
                let modulus = if other.has_modulus() { " --modulus P" } else { "" };
                format!("keys of bootes keygen --engine {other}{modulus}")
            };
            let others: Vec<String> = have.iter().filter(|&other| other != engine).map(|&other| keys(other)).collect();
            match others.is_empty() {
                true => error.to_string(),
                false => format!("{what} is not for engine {engine}: take {}", others.join(" or ")),
            }
        }
        Error::NotForIntegers { params } => format!(
            "parameter set {params} is for tables, and has nothing for integers of a range: make other keys with \
             bootes keygen --engine ckks --width W"
        ),
        Error::Space(SpaceError::NotResidues { what }) => format!(
            "{what} of engine ckks take messages modulo p, and these are integers of a range: encrypt messages \
             with --bits or --modulus, or take keys of bootes keygen --engine fhew --width, whose tables take integers"
        ),
        Error::Modulus { found, max, params } => format!(
            "messages modulo {found}, and parameter set {params} holds moduli of 2 to {max}: {}",
            modulo(*found)
        ),
        Error::Bits { found, max, params } => format!(
            "messages of {found} bits, and parameter set {params} holds 1 to {max}: {}",
            modulo(1u64.checked_shl(*found).unwrap_or(u64::MAX))
        ),
        Error::CompressionKey { params } => {
            format!("it has no part for compression: make keys with bootes keygen --params {params} --compression")
        }
        Error::CiphertextMemory { needed, available } => format!(
            "the ciphertexts take {} of memory, and {} are available: allow or free more, or take fewer values at a \
             time (of files: bootes slice)",
            report::needed(*needed),
            report::room(*available)
        ),
        Error::SeveralResults { function } => format!("{function} has several results: give an --output for each"),
        Error::Request { what } => format!("the request is of {what}: take it as it was written"),
        Error::Transcipher(error) => of_transcipher(error),
        Error::Conversion(error) => of_conversion(error),
        error => error.to_string(),
    }
}

/// What holds residues modulo p that a set does not.
fn modulo(p: u64) -> String {
    let bits = p.checked_next_power_of_two().map_or(MAX_WIDTH, u64::ilog2);
    match p {
        ..=1 => "take one of these".into(),
        2..=1_048_576 => {
            format!("make other keys with bootes keygen {}", Need::of_modulus(p).option(Engine::default()))
        }
        _ => {
            format!("take --width {bits} --unsigned, and eval --expr 'x % {p}', which wraps")
        }
    }
}

/// The same of what is refused of conversions.
fn of_conversion(error: &ConversionError) -> String {
    let keys = |set: &str| format!("bootes keygen --params {set}, and bootes conversion-key to them");
    match error {
        ConversionError::Engines { from, to } => format!(
            "a conversion from engine {from} to engine {to}: there are those from engine ckks or bfv (--from) to engine \
             fhew (--to), and back{}",
            if from == to { "" } else { "; take two, to keys of engine fhew and from these" }
        ),
        ConversionError::Modulus { modulus, params, most } => format!(
            "a conversion of residues modulo {modulus}, those of parameter set {params}: engine fhew has them modulo \
             {most} at most; take keys of a smaller modulus, as of bootes keygen --params slots_127, or decrypt them, \
             and encrypt what is wanted"
        ),
        ConversionError::Unbootstrapped { params, set } => format!(
            "a conversion of vectors takes the maps of their bootstrapping, and parameter set {params} has none: take \
             keys of {}",
            keys(set.as_deref().unwrap_or("slots_127"))
        ),
        ConversionError::Rings { params, single, set } => format!(
            "a conversion between parameter sets {params} and {single}: expected vectors of as large a ring; take keys \
             of {}",
            keys(set)
        ),
        ConversionError::Digit { params, found, promised, single, set } => format!(
            "a vector of values that are converted would be wrong with probability 2^{found:.1}, parameter set {params} \
             that it leads to promises 2^{promised}: {}",
            match set {
                Some(set) if set == single => "evaluate a table on the ciphertexts first (bootes eval --table)".into(),
                Some(set) => format!("take keys of {}: its results of tables have less noise", keys(set)),
                None => "no set's results of tables have so little noise; take vectors of a smaller modulus".into(),
            }
        ),
        ConversionError::NoServer { params } => format!(
            "a conversion of vectors takes the maps of their bootstrapping: add --server SERVER_KEY, the server key of \
             parameters {params}"
        ),
        ConversionError::NeedlessServer => {
            "a conversion between engines ckks and fhew takes no server key: leave out --server".into()
        }
        ConversionError::Space { space, params, most, set } => {
            let cure = match set {
                Some(set) => format!("take keys of {}", keys(set)),
                // No table takes them.
                None if space.limbs() > 1 => {
                    let (width, short) = (space.bits() - 1, (*most).clamp(2, MAX_BITS + 1) - 1);
                    format!(
                        "take what has fewer bits of them first, in one ciphertext, as bootes eval --expr 'shr(x, {})'",
                        width.saturating_sub(short)
                    )
                }
                None => "no set has; evaluate a table to fewer bits first (bootes eval --table)".into(),
            };
            format!(
                "a conversion of {}, and parameter set {params} that it leads to has them of {most} bits at most, in \
                 one ciphertext: {cure}",
                with_modulus(*space)
            )
        }
        ConversionError::Noise { params, found, promised, set } => format!(
            "a value that is converted would decrypt wrongly with probability 2^{found:.1}, parameter set {params} \
             that it leads to promises 2^{promised}: evaluate a table on the ciphertexts first (bootes eval --table), \
             or take {}messages of fewer bits",
            set.as_ref().map_or(String::new(), |set| format!("keys of {}, or ", keys(set)))
        ),
        error => error.to_string(),
    }
}

/// The same of what is refused about AES.
fn of_transcipher(error: &TranscipherError) -> String {
    match error {
        TranscipherError::Set { params, set } => format!(
            "parameter set {params} makes no ciphertexts of such values sent by AES (encrypt --symmetric): make keys \
             with bootes keygen --params {set}"
        ),
        TranscipherError::Bits { found, widths, params } => format!(
            "values of {found} bits by AES, and parameter set {params} takes --bits {}: take the next longer, or send \
             them in pieces",
            list(widths)
        ),
        TranscipherError::Key { .. } => {
            format!("{error}, the K of bootes encrypt --symmetric --symmetric-key K with the same client key")
        }
        error => error.to_string(),
    }
}

impl From<Error> for CliError {
    fn from(error: Error) -> Self {
        Self::new(in_words(&error))
    }
}

impl From<LutError> for CliError {
    fn from(error: LutError) -> Self {
        Self::new(of_lut(&error))
    }
}

/// Primes with slots: the nearest, and that with the most.
fn such_as(nearest: u64) -> String {
    let depth =
        if Params::for_vectors(nearest).is_ok() { "" } else { " (of keygen with --depth D, D products in a row)" };
    match nearest {
        65537 => "65537, which has the most slots".into(),
        _ => format!("{nearest}{depth}, or 65537, which has the most slots"),
    }
}

/// The same of what tables and functions of integers refuse.
fn of_lut(error: &LutError) -> String {
    match error {
        LutError::Fhew(FhewLutError::Keys { algorithm, missing }) => {
            let keys = match bootes::algorithms().iter().any(|(name, ..)| name == algorithm) {
                true => format!("make keys with bootes keygen --algorithm {algorithm}, or leave --algorithm out"),
                false => "make keys for integers with bootes keygen --width W".into(),
            };
            format!("{algorithm} needs {missing} in the server key: {keys}")
        }
        LutError::Fhew(FhewLutError::Entries { found, max }) => {
            let found = if found.is_power_of_two() { format!("2^{}", found.ilog2()) } else { found.to_string() };
            format!(
                "engine fhew has tables of 1 to {} bits, and {found} entries are asked for: leave --engine out, or \
                 give --engine ckks, which has 1 to {MAX_TABLE_BITS} bits",
                max.ilog2()
            )
        }
        LutError::Range { op, width: 0, .. } | LutError::Width { op, width: 0, .. } => room::of_answers(op),
        LutError::OutBits { found, max: max @ ..17 } => {
            format!("output of {found} bits, expected 1 to {max}; take keys for more (keygen --width {found})")
        }
        LutError::TooWide { what, found, bits, params } => {
            let need = Need::Messages(*found);
            let engine = Params::named(params).map_or(need.engine(), |params| params.engine());
            let narrower = match *what {
                "outputs" => format!("give --out-bits {bits}, if its entries have no more, or "),
                _ => String::new(),
            };
            // Engine ckks has tables of residues.
            let cure = match need.engine() {
                other if other != engine && engine.tables_give_integers() => format!(
                    "take keys of bootes keygen --engine {other} --bits {found}, and inputs encrypted with --bits, or \
                     of bootes keygen --width W, and inputs encrypted with --width W --unsigned, W bits as they have"
                ),
                _ => format!("make other keys with bootes keygen {}", need.option(engine)),
            };
            format!("the table has {what} of {found} bits, and parameter set {params} holds {bits}: {narrower}{cure}")
        }
        LutError::Kinds { part, found, expected } if expected.starts_with("integers;") => {
            let integers = LutError::Kinds { part: part.clone(), found: found.clone(), expected: "integers".into() };
            format!("{integers}: encrypt them with --width W, and --unsigned where none is negative")
        }
        LutError::Kinds { part, found, expected } if expected.starts_with("residues in slots") => {
            let slots = LutError::Kinds { part: part.clone(), found: found.clone(), expected: "slots".into() };
            format!(
                "{slots}, of --modulus with engine bfv; integers of a file are added up by bootes linear --sum-rows"
            )
        }
        LutError::Intermediate { range, .. } => format!(
            "the expression takes integers from {range} further than they have room for: encrypt its inputs with more \
             room, --width W --within R, R bits of W; bootes plan --expr finds how much"
        ),
        LutError::Packing { widths, bits, params } => {
            let all: u32 = widths.iter().sum();
            let cure = match all {
                _ if all <= FHEW_BITS => format!(
                    "encrypt them with --width {all} --within R --unsigned, R bits each, with keys of bootes keygen \
                     --width {all}"
                ),
                _ if all <= MAX_TABLE_BITS => {
                    format!("take them with keys of bootes keygen --engine ckks --bits {all}")
                }
                _ => format!("tables have {MAX_TABLE_BITS} bits at most: give fewer values to one of them"),
            };
            let widths = list(widths);
            format!("values of {widths} bits, and a bootstrap with parameter set {params} takes {bits}: {cure}")
        }
        LutError::Bfv(BfvLutError::Prime { found, nearest, power }) => {
            let bits = (*found).clamp(2, 1 << 40).next_power_of_two().ilog2();
            // Tables on digits are modulo anything, those of a batch modulo products of small numbers.
            let tables = match bits {
                ..=FHEW_BITS => format!("; tables modulo {found} have keygen --bits {bits}"),
                ..=MAX_TABLE_BITS if found.is_power_of_two() => {
                    format!("; tables modulo {found} have keygen --engine ckks --bits {bits}")
                }
                _ => String::new(),
            };
            let one = if found.is_power_of_two() { ", of one value a ciphertext" } else { "" };
            let power = power.as_ref().map_or(String::new(), |set| format!(", or --params {set}{one}"));
            format!(
                "there are no slots modulo {found}: expected an odd prime, such as {}{power}{tables}",
                such_as(*nearest)
            )
        }
        LutError::Ckks(CkksLutError::NoShape { entries, nearest, .. }) => match Params::for_vector_tables(*entries) {
            Ok(slots) => format!(
                "{error}; or take engine bfv, which has tables modulo {entries} (bootes keygen --params {})",
                slots.name()
            ),
            Err(_) => format!("{error} (--modulus {nearest})"),
        },
        LutError::Bfv(BfvLutError::Table { entries, modulus }) if entries == modulus => {
            let keys = match modulus.next_power_of_two().ilog2() {
                bits @ ..=MAX_TABLE_BITS => format!(
                    "take --bits or --modulus with keys of bootes keygen --bits {bits}, which have tables modulo \
                     {modulus}"
                ),
                _ => "take sums and products of --expr".into(),
            };
            format!("a table modulo {modulus}, and engine bfv has tables modulo primes alone: {keys}")
        }
        LutError::LongIntegers { bits } => format!(
            "a table on integers of {} bits, more than the {} that one bootstrap takes: leave --algorithm out, and \
             it is evaluated on their digits",
            bits - 1,
            MAX_BITS - 1
        ),
        LutError::Bfv(BfvLutError::TableResults { found, modulus }) => format!(
            "a table of results modulo {found}: vectors modulo {modulus} stay modulo {modulus}; give --modulus \
             {modulus} without --out-modulus or --out-bits"
        ),
        LutError::Domain { entries, integers } => {
            let most = entries - 1;
            let (negative, least) = match integers.min < 0 {
                true => (", which may be negative", "max(x, 0)"),
                false => ("", "x"),
            };
            format!(
                "a table of {entries} entries on integers from {integers}{negative}: entry i is the image of i, so \
                 that the integers must be 0 to {most}; give a table for all of them, or bring them there first, as x \
                 % {entries} and min({least}, {most}) of --expr do{}",
                if negative.is_empty() { "" } else { ", linear --constant and encrypt --unsigned" }
            )
        }
        error => error.to_string(),
    }
}

/// The same of what engine bfv refuses.
fn of_bfv(error: &BfvError) -> String {
    match error {
        BfvError::Modulus { found, expected, params } => {
            let need = Need::Vectors(*found);
            format!(
                "values modulo {found}: parameter set {params} has slots modulo {expected}; take values modulo \
                 {expected}, or make other keys with bootes keygen {}",
                need.option(need.engine())
            )
        }
        BfvError::Integers { space, expected, params } => format!(
            "{space}: parameter set {params} has slots modulo {expected}, and no integers of a range; take --modulus \
             {expected}, or sets of engine fhew or ckks"
        ),
        BfvError::Budget { operation } => format!(
            "the result could be decrypted but not bootstrapped, and so be no operand any more: compute it on the \
             server as a program (such as bootes eval --expr \"{operation}\"), which bootstraps operands first"
        ),
        error => error.to_string(),
    }
}

#[cfg(test)]
mod tests;
