//! The one kind of error of the command: a line for the user.

use std::fmt;
use std::io;
use std::path::Path;

use bootes::{BfvError, Engine, Error, Interval, LutError, NoiseWords, Params, Space};

use crate::need::{FHEW_BITS as LONGEST, MAX_BITS, MAX_TABLE_BITS, MAX_WIDTH, Need};
use crate::report;

/// An error in one line: what was found, what was expected, what to do.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CliError(String);

impl CliError {
    /// An error with this message; line breaks and other control characters are escaped, so that it stays one line.
    pub(crate) fn new(message: impl AsRef<str>) -> Self {
        Self(report::escaped(message.as_ref(), |_| false))
    }

    /// An error about a file.
    pub(crate) fn at(path: &Path, message: impl fmt::Display) -> Self {
        Self::new(format!("{}: {message}", path.display()))
    }

    /// The same with something else to do.
    pub(crate) fn or(self, cure: &str) -> Self {
        Self(format!("{}, or {cure}", self.0))
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
    words(&NoiseWords { set: &set, out_bits: &|bits| format!("--out-bits {bits}") })
}

/// The words of the library, but for cures that are functions of its own: what to do here instead.
pub(crate) fn in_words(error: &Error) -> String {
    match error {
        Error::InFile { path, source } => format!("{path}: {}", in_words(source)),
        Error::Lut(error) => of_lut(error),
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
                LutError::Noise { params, .. } | LutError::OutputNoise { params, .. } => params,
                _ => "",
            };
            format!("{refused}: {}", cured(own, |words| cure.of_function(words)))
        }
        Error::Overflow { operation, range: None, .. } => {
            format!("the {operation} gives integers beyond 64 bits: take smaller weights and constants, or fewer terms")
        }
        Error::Overflow { operation, range: Some(range), bits, operand, most, engine } => {
            let cure = match bits {
                1 => room_of_answers(operation, *range, *most, *engine),
                _ => room(*range, (*operand, *bits), *most, *engine),
            };
            format!("the {operation} gives integers from {range}, and there is room for 2^{bits} of them: {cure}")
        }
        Error::Operands { operation, left, right, engine } => {
            let cure = match (left.integers(), right.integers()) {
                (Some(_), Some(_)) => one_width(*left, *right, *engine),
                (Some(_), None) => as_integers(*right, *left, *engine),
                (None, Some(_)) => as_integers(*left, *right, *engine),
                _ => ALIKE.to_string(),
            };
            format!(
                "{operation} of {} and {}: expected both in one space; {cure}",
                with_modulus(*left),
                with_modulus(*right)
            )
        }
        Error::Limbs { space } => format!(
            "a linear operation on {space}: sums of integers in two ciphertexts each need carries: take eval --op add \
             and --op sub, for multiples several times (x + x), for constants with ciphertexts of them, or encrypt \
             integers of up to {LONGEST} bits with keys of bootes keygen --engine fhew --width {LONGEST}, which have \
             them in one"
        ),
        Error::Room { range, width } => {
            let (needed, sign) = (range.width(), if range.min < 0 { "" } else { " --unsigned" });
            format!(
                "integers from {range} have no room in {width} bits: encrypt them, or what they are sums of, with \
                 --width {needed}{sign} ({BEFORE_FLOOR}), and --within for the bits that they have{}",
                of_tables(needed)
            )
        }
        Error::Negative { space } => {
            format!("the ciphertexts hold {space}, which may be negative: bootes decrypt tells them")
        }
        Error::Residues { what, space } => format!(
            "{what} takes integers, and the ciphertexts hold {space}, which are residues: encrypt integers with \
             --width, and --unsigned if none is negative"
        ),
        Error::Widths { what, left, right } => format!(
            "{what} of {left} and {right}: expected integers of one width; encrypt both with the larger --width, \
             and --within for the bits that they have"
        ),
        Error::TwoLimbs { what, space } => format!(
            "{what} takes integers in one ciphertext each, and here are {space}, a ciphertext for each limb: \
             encrypt them with a smaller --width, or with other keys (bootes keygen --width)"
        ),
        Error::Gap { found, max, longest, params } => format!(
            "messages of {found} bits: parameter set {params} holds residues of 1 to {max} bits, and longer \
             messages of up to {longest} bits as integers: encrypt them with --width {found} --unsigned, or make \
             other keys with bootes keygen --bits {found}"
        ),
        Error::NotForIntegers { params } => format!(
            "parameter set {params} is for tables, and has nothing for integers of a range: make other keys with \
             bootes keygen --engine ckks --width W"
        ),
        Error::NotResidues { what } => format!(
            "{what} of engine ckks take messages modulo p, and these are integers of a range: encrypt messages \
             with --bits or --modulus, or take keys of bootes keygen --width, whose tables take integers"
        ),
        Error::SeveralResults { function } => format!("{function} has several results: give an --output for each"),
        Error::Request { what } => format!("the request is of {what}: take it as it was written"),
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

/// The space in words, with the modulus that integers are kept in.
pub(crate) fn with_modulus(space: Space) -> String {
    let words = space.to_string();
    match space.integers() {
        Some(integers) if space.limbs() == 1 && !words.contains("modulo") => {
            format!("{words} (modulo 2^{})", integers.width() + 1)
        }
        _ => words,
    }
}

/// The advice that makes operands alike that hold no integers.
const ALIKE: &str = "encrypt both with the same --bits, --modulus or --width, and give tables the same --out-bits or \
                     --out-modulus";

/// The option that gives results of a table modulo 2^`bits`, on whatever integers.
fn modulo(bits: u32) -> String {
    format!("--out-bits {bits} (on digits {}: see bootes eval --help)", bits - 1)
}

/// The same where integers of `width` bits are results of tables, with room for their sign.
fn of_tables(width: u32) -> String {
    match width {
        ..=LONGEST => format!(", or give tables that they are results of {}", modulo(width + 1)),
        _ => String::new(),
    }
}

/// The --width of operands of floor:k, whose results have k bits less.
const BEFORE_FLOOR: &str = "k more before floor:k";

/// Bits of the longest residues of engine fhew.
const RESIDUE_BITS: u32 = 8;

/// The advice that gives integers modulo 2^`bits` more room, `room` bits, where they are all multiples of answers plus
/// a constant, as far as their range tells: 2^k·x is known modulo 2^(k + 1).
fn of_multiples(Interval { min, max }: Interval, bits: u32, room: u32) -> Option<String> {
    if bits < 2 || max - min != 1 << (bits - 1) {
        return None;
    }
    let (least, constant) = match min {
        ..0 => (0, format!(", and add {min} to the results (bootes linear --constant)")),
        _ => (min, String::new()),
    };
    let most = least + max - min;
    Some(format!(
        "where they come from answers, evaluate the --table of {least} and {most} with --out-bits {room} on those \
         instead{constant}"
    ))
}

/// The advice that brings residues and integers to one space.
fn as_integers(residues: Space, integers: Space, engine: Engine) -> String {
    let (narrow, wide) = (residues.bits(), integers.bits());
    match engine.tables_give_integers() {
        false if wide == 1 && residues.moduli() == [1 << narrow] => format!(
            "evaluate the --table of 0 and 1 with --out-bits {narrow} on the answers, whose results are residues, too"
        ),
        false => format!("engine {engine} has no table of which results are integers: {}", fhew_keys(wide - 1)),
        _ if narrow < wide && integers.limbs() == 1 => format!(
            "encrypt integers for both, those of fewer bits with --width {narrow} --unsigned, and evaluate a --table \
             with {} on them, the identity or the one that they are results of",
            modulo(wide)
        ),
        _ => ALIKE.into(),
    }
}

/// Keys whose tables give integers of so many bits, or as many as those from which answers came.
pub(crate) fn fhew_keys(width: u32) -> String {
    match width {
        0 => "take keys of bootes keygen --engine fhew, with the same --width, whose tables do that".into(),
        1..=LONGEST => format!("take keys of bootes keygen --engine fhew --width {width}, whose tables do that"),
        _ => {
            format!("take integers of up to {LONGEST} bits, and keys of bootes keygen --engine fhew --width {LONGEST}")
        }
    }
}

/// The advice that brings integers of two spaces to one.
pub(crate) fn one_width(left: Space, right: Space, engine: Engine) -> String {
    let (narrow, wide) = if left.bits() < right.bits() { (left, right) } else { (right, left) };
    let alike =
        format!("encrypt both with the same --width ({BEFORE_FLOOR}), and --within for the bits that they have");
    let width = wide.bits() - 1;
    let has_tables = engine.tables_give_integers();
    if narrow.bits() == 1 && !has_tables {
        return format!("engine {engine} has no table that gives answers more room: {}", fhew_keys(width));
    }
    let have_limbs = left.limbs() > 1 || right.limbs() > 1;
    if narrow.bits() == 1 {
        let room = if have_limbs { LONGEST + 1 } else { wide.bits() };
        let table = format!("evaluate a --table with --out-bits {room} on those of fewer bits first, the identity");
        return match have_limbs {
            true => format!(
                "nothing gives answers in two ciphertexts each: take integers of up to {LONGEST} bits (encrypt --width \
                 {LONGEST}, keys of bootes keygen --engine fhew --width {LONGEST}), and {table}"
            ),
            false => format!("{table} or the one that they are results of"),
        };
    }
    if have_limbs {
        // Those of engine fhew have all in one that have room there.
        let keys = match has_tables {
            false if width <= LONGEST => format!(
                "make keys with bootes keygen --engine fhew --width {width}, with which integers are in one \
                 ciphertext, and multiples of 2^k of what floor:k gives have room, or "
            ),
            _ => String::new(),
        };
        return format!(
            "{keys}encrypt both with the same --width, and --within for the bits that they have; beside results of \
             floor:k what was encrypted times 2^k, and take floor:k of both; sums of them are eval --op add and sub"
        );
    }
    if !has_tables || narrow.bits() == wide.bits() {
        return alike;
    }
    let (range, option) = (narrow.range(), modulo(wide.bits()));
    // Digits are of integers that have room for a sign; a bootstrap takes short ones as they are.
    let takes = |range: Interval| narrow.bits() <= 4 || range.width() < narrow.bits();
    let Interval { min, max } = range;
    let shifted = Interval { min: 0, max: max - min };
    let table = match min < 0 {
        true if takes(shifted) => format!(
            "add {} to those of fewer bits (bootes linear --constant), evaluate the --table of 0 to {} with {option} \
             on the sums, and add {min} to the results",
            -min,
            (shifted.max as u64 + 1).next_power_of_two().max(2) - 1
        ),
        true => String::new(),
        false if takes(range) => format!(
            "evaluate a --table with {option} on those of fewer bits first, the identity or the one that they are \
             results of"
        ),
        false => format!("give tables that those of fewer bits are results of {option}"),
    };
    let multiples = of_multiples(range, narrow.bits(), wide.bits()).unwrap_or_default();
    let all = [multiples, table, alike].into_iter().filter(|words| !words.is_empty());
    all.collect::<Vec<_>>().join(", or ")
}

/// The advice where no set has room.
const LESS: &str = "take smaller weights and constants, or fewer terms";

/// The advice that gives answers of sign, less and equal room for results of `range`, of `most` bits at most.
fn room_of_answers(operation: &str, range: Interval, most: u32, engine: Engine) -> String {
    let alone = "they have room for 0 and 1 alone; ";
    // A bit for the sign of what comes of them, where there is one.
    let bits = match range.width() {
        width @ ..=LONGEST => width + 1,
        _ if range.is_in_residues(LONGEST + 1) => LONGEST + 1,
        _ => return format!("{alone}{LESS}"),
    };
    let residues = match engine.tables_give_integers() {
        false if range.min < 0 || bits > most => {
            return format!("{alone}engine {engine} has no table that gives them more: {}", fhew_keys(0));
        }
        false => ", which are residues",
        true if bits > most => return format!("{alone}{}", fhew_keys(bits - 1)),
        _ => "",
    };
    match operation {
        "difference" | "sum" | "sum with a constant" | "sum with constants" => format!(
            "{alone}evaluate the --table of 0 and 1 with --out-bits {bits} on each first, and take the {operation} of \
             the results{residues}"
        ),
        _ if range.min < 0 => format!(
            "{alone}instead of a multiple evaluate the --table of 0 and the weight without its sign, with --out-bits \
             {bits}, and add the results up, or subtract them where weights are negative"
        ),
        _ => format!(
            "{alone}instead of a multiple evaluate the --table of 0 and the weight, with --out-bits {bits}, and add \
             the results up{residues}"
        ),
    }
}

/// The advice that gives integers of `operand`, modulo 2^bits, room for results of `range`, where integers have at most
/// `most` bits.
fn room(range: Interval, (operand, bits): (Interval, u32), most: u32, engine: Engine) -> String {
    let width = match range.width() {
        width @ ..=LONGEST => width,
        _ if range.is_in_residues(LONGEST + 1) => LONGEST,
        _ => {
            return format!(
                "encrypt values of fewer bits with --within, take fewer terms, smaller weights or {}",
                residues(bits)
            );
        }
    };
    let needed = (bits + 1..=width).find(|&bits| range.is_in_residues(bits)).unwrap_or(width + 1);
    let keys = match width < most {
        true => "",
        false => &format!("make keys with bootes keygen --engine fhew --width {width}, and "),
    };
    let own = operand.width();
    let encrypt = match operand {
        _ if own > 0 && operand == Interval::unsigned(own) => {
            format!(
                "encrypt them with --width {width} --within {own} --unsigned, or what they come from with --width \
                 {width} ({BEFORE_FLOOR}) and --within for the bits that it has"
            )
        }
        _ if operand == Interval::signed(own + 1) => {
            format!("encrypt them with --width {} --within {} (both {BEFORE_FLOOR})", width.max(own + 1), own + 1)
        }
        _ => format!(
            "encrypt what they come from with --width {width} ({BEFORE_FLOOR}), --unsigned if none of it is negative, \
             and --within for the bits that it has"
        ),
    };
    let (answers, tables) = match engine.tables_give_integers() {
        false => (None, String::new()),
        true => {
            (of_multiples(operand, bits, needed), format!(" give tables that they are results of {},", modulo(needed)))
        }
    };
    let answers = answers.map_or(String::new(), |table| table + ", or ");
    format!("{keys}{answers}{encrypt},{tables} or take {}", residues(bits))
}

/// Residues modulo 2^`bits`, or of as many bits, with the keys that have them.
fn residues(bits: u32) -> String {
    let engine = if bits <= RESIDUE_BITS { "" } else { " --engine ckks" };
    format!("residues, whose sums wrap (encrypt --bits or --modulus, with keys of bootes keygen{engine} --bits)")
}

/// The same of what tables and functions of integers refuse.
fn of_lut(error: &LutError) -> String {
    match error {
        LutError::Keys { algorithm, missing } => {
            let keys = match bootes::algorithms().iter().any(|(name, ..)| name == algorithm) {
                true => format!("make keys with bootes keygen --algorithm {algorithm}, or leave --algorithm out"),
                false => "make keys for integers with bootes keygen --width W".into(),
            };
            format!("{algorithm} needs {missing}, which this server key lacks: {keys}")
        }
        LutError::FhewEntries { found, max } => {
            let found = if found.is_power_of_two() { format!("2^{}", found.ilog2()) } else { found.to_string() };
            format!(
                "engine fhew has tables of 1 to {} bits, and {found} entries are asked for: leave --engine out, or \
                 give --engine ckks, which has 1 to {MAX_TABLE_BITS} bits",
                max.ilog2()
            )
        }
        LutError::Range { op, width: 0, .. } | LutError::Width { op, width: 0, .. } => {
            // floor:K takes integers of K bits.
            let bits =
                op.strip_prefix("floor:").and_then(|bits| bits.parse().ok()).map_or(3, |bits: u32| 3.max(bits + 1));
            format!(
                "{op} of integers that have room for 0 and 1 alone, as results of sign and less have: first evaluate \
                 the --table of 0 and 1 with --out-bits {bits} on them (with keys of engine fhew, whose tables give \
                 integers)"
            )
        }
        LutError::Range { op, operands, width, needed } => {
            let ranges: Vec<String> = operands.iter().map(Interval::to_string).collect();
            let what = match (ranges.len(), op.as_str()) {
                (1, _) => "they have",
                (_, "add") => "their sums have",
                _ => "their differences have",
            };
            let have_sign = operands.iter().any(|operand| operand.min < 0);
            let wider = match needed {
                ..=MAX_WIDTH if !have_sign => format!(
                    "encrypt them, or what they are sums of, with --width {needed} --unsigned, and --within for the \
                     bits that they have{}",
                    of_tables(*needed)
                ),
                ..=MAX_WIDTH => format!(
                    "encrypt those that are never negative with --unsigned, or all with --width {needed} \
                     ({BEFORE_FLOOR}), and --within for the bits that they have{}",
                    of_tables(*needed)
                ),
                _ => {
                    let least = Interval::signed(MAX_WIDTH);
                    format!(
                        "the longest have {MAX_WIDTH}, from {least} where some are negative: encrypt all with \
                         --unsigned or none, and --within for the bits that they have, or take sums of fewer"
                    )
                }
            };
            let all = operands.iter().copied().reduce(Interval::union);
            let multiples = all.and_then(|all| of_multiples(all, width + 1, needed.saturating_add(1)));
            let wider = match multiples.filter(|_| *needed <= LONGEST) {
                Some(table) => format!("{table}, or {wider}"),
                None => wider,
            };
            format!(
                "{op} of integers from {}: {what} no room in {width}-bit integers; {wider}",
                ranges.join(" and from ")
            )
        }
        LutError::TooWide { what, found, bits, params } => {
            let need = Need::Messages(*found);
            let engine = Params::named(params).map_or(need.engine(), |params| params.engine());
            format!(
                "the table has {what} of {found} bits, and parameter set {params} holds {bits}: make other keys with \
                 bootes keygen {}",
                need.option(engine)
            )
        }
        LutError::BfvPrime { found, nearest } => {
            let bits = (*found).clamp(2, 1 << 40).next_power_of_two().ilog2();
            let engine = if bits > MAX_BITS { "--engine ckks " } else { "" };
            let tables = match bits {
                ..=MAX_TABLE_BITS => format!("; tables modulo {found} have keygen {engine}--bits {bits}"),
                _ => String::new(),
            };
            format!(
                "there are no slots modulo powers of {found}: expected an odd prime, such as {nearest}, or 65537, \
                 which has the most slots{tables}"
            )
        }
        LutError::NoShape { entries, nearest, .. } => match Params::for_vector_tables(*entries) {
            Ok(slots) => format!(
                "{error}; or take engine bfv, which has tables modulo {entries} (bootes keygen --params {})",
                slots.name()
            ),
            Err(_) => format!("{error} (--modulus {nearest})"),
        },
        LutError::LongIntegers { bits } => format!(
            "a table on integers of {} bits, more than the {} that one bootstrap takes: leave --algorithm out, and \
             it is evaluated on their digits",
            bits - 1,
            MAX_BITS - 1
        ),
        LutError::Length { found } => format!(
            "a table has {found} entries, expected a power of two from 2 to 2^20: for another size give --modulus"
        ),
        LutError::BfvTableResults { found, modulus } => format!(
            "a table of results modulo {found}: vectors modulo {modulus} stay modulo {modulus}; give --modulus \
             {modulus} without --out-modulus or --out-bits"
        ),
        LutError::Domain { entries, integers } => {
            let negative = if integers.min < 0 { ", which may be negative" } else { "" };
            format!(
                "a table of {entries} entries on integers from {integers}{negative}: entry i is the image of i, so \
                 that the integers must be 0 to {}; give a table for all of them, or bring them there (encrypt \
                 --unsigned, linear --constant, eval --op relu or abs) first",
                entries - 1
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
        BfvError::Budget { operation } => format!(
            "the result could be decrypted but not bootstrapped, and so be no operand any more: compute it on the \
             server as a program (such as bootes eval --expr \"{operation}\"), which bootstraps operands first"
        ),
        error => error.to_string(),
    }
}

#[cfg(test)]
mod tests;
