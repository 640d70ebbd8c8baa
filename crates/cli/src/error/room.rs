//! What gives operands, results and answers room, or brings them to one space.

use bootes::{Engine, Interval, Space};

use crate::need::{FHEW_BITS as LONGEST, MAX_BATCH_WIDTH};
use bootes::MAX_WIDTH;

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

/// Bits of rows whose sums may be of results of a table that somebody writes down.
const SHORT: u32 = 8;

/// The advice where nothing has room for results of a sum.
const LESS: &str = "take fewer terms, smaller weights and constants, or residues, whose sums wrap (encrypt --bits or \
                    --modulus, with keys of bootes keygen --bits, of more than 8 bits with --engine ckks)";

/// The program in place of a linear operation.
fn program(operation: &str) -> String {
    format!("{}, which takes integers of any width and gives results their room", in_place_of_sum(operation))
}

/// The same of residues modulo p, some of which are kept as integers.
pub(super) fn of_residues(operation: &str, p: u64) -> String {
    if operation == "concatenation" {
        return format!("take eval --expr 'x % {p}' of each first, which gives integers");
    }
    format!("{}, whose results are residues modulo {p}", in_place_of_sum(operation))
}

fn in_place_of_sum(operation: &str) -> String {
    let expression = match operation {
        "sum" => "x + y",
        "difference" => "x - y",
        _ => "3*x - 4*y + 5",
    };
    format!("take bootes eval --expr in its place (with the server key), as --expr '{expression}'")
}

/// The program in place of a function of integers.
fn in_place_of(op: &str) -> String {
    let expression = match op {
        "less" => "x < y".into(),
        "equal" => "x == y".into(),
        "add" => "x + y".into(),
        "sub" => "x - y".into(),
        "max" | "min" => format!("{op}(x, y)"),
        _ => op.strip_prefix("floor:").map_or(format!("{op}(x)"), |bits| format!("shr(x, {bits})")),
    };
    format!("take --expr '{expression}' in place of --op {op}, which takes integers of any width")
}

/// The advice that encrypts values with the width that sums or differences of theirs have, of these options.
fn wider(needed: u32, sign: &str, engine: Engine) -> String {
    let longest = if engine.tables_give_integers() { MAX_WIDTH } else { MAX_BATCH_WIDTH };
    match needed <= longest {
        true => format!("encrypt them with --width {needed}{sign}, and --within for the bits that they have"),
        false => format!("the longest have {longest} bits: encrypt shorter ones, or take sums of fewer"),
    }
}

/// The advice that brings operands of a linear operation to one space.
pub(super) fn one_space(operation: &str, left: Space, right: Space, engine: Engine) -> String {
    // An expression is of each value by itself.
    let of_rows = operation == "concatenation";
    match (left.modulus(), right.modulus()) {
        (Some(left), Some(right)) if left != right => one_modulus(left.min(right), left.max(right)),
        (Some(p), Some(_)) if of_rows && p.is_power_of_two() => one_room(p, left, right),
        (Some(p), Some(_)) => of_residues(operation, p),
        (None, None) if of_rows => SAME_WIDTH.into(),
        (None, None) => of_any_width(program(operation), left, right, engine),
        (Some(p), _) | (_, Some(p))
            if !of_rows && [left, right].iter().all(|space| matches!(space, Space::Integers(_))) =>
        {
            of_residues(operation, p)
        }
        _ => "encrypt both with the same --bits or --modulus, or both with --width".into(),
    }
}

/// The same of residues modulo 2^b that are kept as integers of other widths: results of a table have one.
fn one_room(p: u64, left: Space, right: Space) -> String {
    let bits = p.ilog2();
    match bits <= LONGEST && [left, right].iter().all(|space| space.limbs() == 1) {
        true => format!("evaluate a --table with --out-bits {bits} on both first, such as the identity"),
        false => "keep them apart, since they have other room".into(),
    }
}

const SAME_WIDTH: &str = "encrypt both with the same --width, and --within for the bits that they have";

/// The same of operands of a function of integers.
pub(crate) fn one_width(op: &str, left: Space, right: Space, engine: Engine) -> String {
    of_any_width(in_place_of(op), left, right, engine)
}

/// A program, where integers of these spaces have one: those of engine ckks are of integers in one ciphertext each.
fn of_any_width(program: String, left: Space, right: Space, engine: Engine) -> String {
    match left.limbs() == 1 && right.limbs() == 1 {
        _ if engine.tables_give_integers() => program,
        true => format!("{program}, or {SAME_WIDTH}"),
        false => {
            format!(
                "{SAME_WIDTH}, or take {}, whose eval --expr takes any",
                fhew_keys(left.bits().max(right.bits()) - 1)
            )
        }
    }
}

/// Keys of engine fhew for integers of so many bits.
pub(crate) fn fhew_keys(width: u32) -> String {
    format!("keys of bootes keygen --engine fhew --width {}", width.clamp(1, MAX_WIDTH))
}

/// The advice that brings residues modulo `p` and modulo the larger `q` to one modulus.
fn one_modulus(p: u64, q: u64) -> String {
    let power = |modulus: u64| modulus.is_power_of_two().then(|| modulus.ilog2());
    let encrypt = power(q).map_or(format!("--modulus {q}"), |bits| format!("--bits {bits}"));
    let results = match (power(p), power(q)) {
        (Some(_), Some(bits)) => format!("--out-bits {bits}"),
        (None, Some(bits)) => format!("--modulus {p} --out-bits {bits}"),
        _ => format!("--modulus {p} --out-modulus {q}"),
    };
    format!(
        "encrypt both with {encrypt}, or evaluate a --table with {results} on those modulo {p} first, the identity or \
         the one that they are results of"
    )
}

/// The refusal of integers of `range` as such of `width` bits.
pub(super) fn of_range(range: Interval, width: u32, engine: Engine) -> String {
    let sign = if range.min < 0 { "" } else { " --unsigned" };
    format!("integers from {range} have no room in {width} bits: {}", wider(range.width(), sign, engine))
}

/// The refusal of operands of these ranges as integers of `width` bits: `needed` would do.
pub(super) fn of_operands(op: &str, operands: &[Interval], (width, needed): (u32, u32), engine: Engine) -> String {
    let ranges: Vec<String> = operands.iter().map(Interval::to_string).collect();
    let what = match (ranges.len(), op) {
        (1, _) => "they have",
        (_, "add") => "their sums have",
        _ => "their differences have",
    };
    let sign = if operands.iter().any(|operand| operand.min < 0) { "" } else { " --unsigned" };
    let cure = if engine.tables_give_integers() { in_place_of(op) } else { wider(needed, sign, engine) };
    format!("{op} of integers from {}: {what} no room in {width}-bit integers; {cure}", ranges.join(" and from "))
}

/// The refusal of answers as operands: they are 0 and 1, and have no bit for a sign.
pub(super) fn of_answers(op: &str) -> String {
    let program = in_place_of(op);
    format!("{op} of integers that have room for 0 and 1 alone, as results of sign and less have: {program}")
}

/// The advice that gives results of a linear operation, of this range, room: integers in one ciphertext have it for
/// `most` bits.
pub(super) fn for_results(operation: &str, range: Interval, most: u32, engine: Engine) -> String {
    let is_fhew = engine.tables_give_integers();
    match range.width() <= MAX_WIDTH {
        true if is_fhew || range.is_in_residues(most) => program(operation),
        true => format!("take {}, whose eval --expr has it, or {LESS}", fhew_keys(LONGEST)),
        false => LESS.into(),
    }
}

/// How rows of any space are added up.
pub(crate) const HALVES: &str = "halve the rows (bootes slice) and add the halves up with eval --expr 'x + y', until \
                                 one row is left";

/// The advice for sums of rows, of which there are no programs: of the rows' space and of the range of the sum.
pub(crate) fn for_rows(space: Space, range: Interval) -> String {
    let rows = space.range();
    match range.width() {
        // Integers would not wrap, and an identity has more entries than their modulus.
        _ if space.modulus().is_some() => HALVES.into(),
        // No table has negative entries.
        width @ ..=LONGEST if rows.min < 0 => {
            format!("{}; of results {HALVES}", wider(width, "", Engine::default()))
        }
        width @ ..=LONGEST if rows.width() <= SHORT => format!(
            "{}; of results evaluate a --table with --out-bits {} first, such as the identity",
            wider(width, "", Engine::default()),
            width + 1
        ),
        width @ ..=LONGEST => wider(width, "", Engine::default()),
        _ => "take fewer rows at a time (bootes slice), and add their sums up with eval --expr 'x + y'".into(),
    }
}
