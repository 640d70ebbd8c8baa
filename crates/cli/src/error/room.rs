//! What gives operands, results and answers room, or brings them to one space.

use bootes::{Engine, IntegerOp, Interval, LutError, Space};

use crate::need::{FHEW_BITS as LONGEST, MAX_BITS, MAX_WIDTH};

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

/// The advice that brings operands to one space.
pub(super) fn one_space(left: Space, right: Space, engine: Engine) -> String {
    match (left, right) {
        (Space::Modular(left), Space::Modular(right)) => one_modulus(left.min(right), left.max(right)),
        (Space::Modular(_), _) => as_integers(left, right, engine),
        (_, Space::Modular(_)) => as_integers(right, left, engine),
        _ => one_width(left, right, None, engine),
    }
}

/// Bits of integers that hold what a function takes of operands of these ranges, `own` at least.
fn width_for(op: IntegerOp, operands: [Interval; 2], own: u32) -> u32 {
    match op.image(&operands, own) {
        Err(LutError::Range { needed, .. }) if needed <= MAX_WIDTH => needed.max(own),
        _ => own,
    }
}

/// The same for residues modulo `p` and modulo the larger `q`.
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

/// The option that gives results of a table modulo 2^`bits`, on whatever integers.
fn modulo(bits: u32) -> String {
    format!("--out-bits {bits} (on digits {}: see bootes eval --help)", bits - 1)
}

/// The same where integers of `width` bits are results of tables that give integers, with room for their sign.
fn of_tables(width: u32, engine: Engine) -> String {
    match width {
        ..=LONGEST if engine.tables_give_integers() => {
            format!(", or give tables that they are results of {}", modulo(width + 1))
        }
        _ => String::new(),
    }
}

/// The refusal of integers of `range` as such of `width` bits.
pub(super) fn of_range(range: Interval, width: u32, engine: Engine) -> String {
    let (needed, sign) = (range.width(), if range.min < 0 { "" } else { " --unsigned" });
    let before_floor = before_floor(needed, engine);
    format!(
        "integers from {range} have no room in {width} bits: encrypt them, or what they are sums of, with --width \
         {needed}{sign} ({before_floor}), and --within for the bits that they have{}",
        of_tables(needed, engine)
    )
}

/// The refusal of operands of these ranges as integers of `width` bits: `needed` would do.
pub(super) fn of_operands(op: &str, operands: &[Interval], (width, needed): (u32, u32), engine: Engine) -> String {
    let ranges: Vec<String> = operands.iter().map(Interval::to_string).collect();
    let what = match (ranges.len(), op) {
        (1, _) => "they have",
        (_, "add") => "their sums have",
        _ => "their differences have",
    };
    let have_sign = operands.iter().any(|operand| operand.min < 0);
    let wider = match needed {
        ..=MAX_WIDTH if !have_sign => format!(
            "encrypt them, or what they are sums of, with --width {needed} --unsigned, and --within for the bits that \
             they have{}",
            of_tables(needed, engine)
        ),
        ..=MAX_WIDTH => {
            // Without a sign all differences of integers of so many bits have room, of sums of them not.
            let unsigned = match operands.iter().all(|operand| operand.width() <= width) && op != "add" {
                true => "encrypt all with --unsigned, if none is negative, or all",
                false => "encrypt all",
            };
            format!(
                "{unsigned} with --width {needed} ({}), and --within for the bits that they have{}",
                before_floor(needed, engine),
                of_tables(needed, engine)
            )
        }
        _ => {
            let least = Interval::signed(MAX_WIDTH);
            format!(
                "the longest have {MAX_WIDTH}, from {least} where some are negative: encrypt all with --unsigned or \
                 none, and --within for the bits that they have, or take sums of fewer"
            )
        }
    };
    let all = operands.iter().copied().reduce(Interval::union);
    let multiples = all.and_then(|all| of_multiples(all, width + 1, needed.saturating_add(1)));
    let wider = match multiples.filter(|_| needed <= LONGEST && engine.tables_give_integers()) {
        Some(table) => format!("{table}, or {wider}"),
        None => wider,
    };
    format!("{op} of integers from {}: {what} no room in {width}-bit integers; {wider}", ranges.join(" and from "))
}

/// The refusal of answers as operands: they are 0 and 1, and have no bit for a sign.
pub(super) fn of_answers(op: &str) -> String {
    // floor:K takes integers of K bits.
    let dropped = op.strip_prefix("floor:").and_then(|bits| bits.parse::<u32>().ok());
    match dropped.map_or(3, |dropped| 3.max(dropped.saturating_add(1))) {
        // No table gives integers as many, and there would be nothing to see.
        bits if bits > LONGEST + 1 => format!(
            "{op} of 0 and 1, which results of sign, less and equal are, is 0 for both: take the zeros of bootes \
             linear --weights 0, or floor:K with K up to {LONGEST}"
        ),
        bits => format!(
            "{op} of integers that have room for 0 and 1 alone, as results of sign and less have: first evaluate the \
             --table of 0 and 1 with --out-bits {bits} on them (with keys of engine fhew, whose tables give integers)"
        ),
    }
}

/// The --width of operands of floor:k, whose results have k bits less, where those are to have `width`: what is longer
/// than a table's integers is in two ciphertexts, and has neither sums nor tables.
fn before_floor(width: u32, engine: Engine) -> String {
    let table = if engine.tables_give_integers() { ", or a --table in its place" } else { "" };
    match width {
        LONGEST if engine.tables_give_integers() => "a --table in place of floor:k".into(),
        LONGEST => "floor:k leaves k less".into(),
        ..LONGEST => format!("k more before floor:k, up to {LONGEST}{table}"),
        _ => format!("k more before floor:k, up to {MAX_WIDTH}"),
    }
}

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
        _ => "encrypt both with the same --bits, --modulus or --width, and give tables the same --out-bits or \
              --out-modulus"
            .into(),
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

/// The advice that brings integers of two spaces to one, with room for what a function takes of them.
pub(crate) fn one_width(left: Space, right: Space, op: Option<IntegerOp>, engine: Engine) -> String {
    let (narrow, wide) = if left.bits() < right.bits() { (left, right) } else { (right, left) };
    let own = wide.bits() - 1;
    let width = op.map_or(own, |op| width_for(op, [left, right].map(Space::range), own));
    let before = before_floor(width, engine);
    let signs = match [left, right].map(|space| space.range().min < 0) {
        [true, false] | [false, true] if width > own => ", and --unsigned, as before,",
        _ => "",
    };
    let alike =
        format!("encrypt both with --width {width} ({before}), and --within{signs} for the bits that they have");
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
        let same = if width > own { format!("--width {width}") } else { "the same --width".into() };
        return format!(
            "{keys}encrypt both with {same}, and --within for the bits that they have; beside results of \
             floor:k what was encrypted times 2^k, and take floor:k of both; sums of them are eval --op add and sub"
        );
    }
    if !has_tables || narrow.bits() == wide.bits() {
        return alike;
    }
    // A bootstrap takes no more bits, whatever the set: a table is on digits.
    let (known, other) = (format!("--out-bits {width}"), modulo(wide.bits()));
    let is_on_digits = narrow.bits() > MAX_BITS;
    let range = narrow.range();
    // Digits are of integers that have room for a sign; a bootstrap takes short ones as they are.
    let takes = |range: Interval| narrow.bits() <= 4 || range.width() < narrow.bits();
    let Interval { min, max } = range;
    let shifted = Interval { min: 0, max: max - min };
    let table = match min < 0 {
        true if takes(shifted) => format!(
            "add {} to those of fewer bits (bootes linear --constant), evaluate the --table of 0 to {} with {} on \
             the sums, and add {min} to the results",
            -min,
            (shifted.max as u64 + 1).next_power_of_two().max(2) - 1,
            if is_on_digits { known } else { other }
        ),
        true => String::new(),
        false if takes(range) && is_on_digits => format!(
            "evaluate the identity, a --table with {known}, on those of fewer bits first, or give the one that they \
             are results of {other}"
        ),
        false if takes(range) => format!(
            "evaluate a --table with {other} on those of fewer bits first, the identity or the one that they are \
             results of"
        ),
        false => format!("give tables that those of fewer bits are results of {other}"),
    };
    let multiples = of_multiples(range, narrow.bits(), wide.bits()).unwrap_or_default();
    // If what comes of both has room there, too.
    let (length, sign) = (wide.range().width(), if wide.range().min < 0 { "" } else { " --unsigned" });
    let within = length + u32::from(sign.is_empty());
    let reach = |range: Interval| range.max.saturating_abs().max(range.min.saturating_abs());
    let most = reach(range).saturating_add(reach(wide.range()));
    let both = Interval { min: most.saturating_neg(), max: most };
    let narrower = match both.width() < narrow.bits() {
        true => format!("encrypt those of more bits with --width {}{sign} --within {within}", narrow.bits() - 1),
        false => String::new(),
    };
    // In the space of the wider one they have no room.
    let [multiples, table] = [multiples, table].map(|words| if width > own { String::new() } else { words });
    let all = [alike, multiples, table, narrower].into_iter().filter(|words| !words.is_empty());
    all.collect::<Vec<_>>().join(", or ")
}

/// The advice where no set has room.
const LESS: &str = "take smaller weights and constants, or fewer terms";

/// The advice that gives answers of sign, less and equal room for results of `range`, of `most` bits at most.
pub(super) fn for_answers(operation: &str, range: Interval, most: u32, engine: Engine) -> String {
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
pub(super) fn for_results(range: Interval, (operand, bits): (Interval, u32), most: u32, engine: Engine) -> String {
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
    // As integers of --width have.
    let needed = width + 1;
    let keys = match width < most {
        true => "",
        false => &format!("make keys with bootes keygen --engine fhew --width {width}, and "),
    };
    let (own, before) = (operand.width(), before_floor(width, engine));
    let encrypt = match operand {
        _ if own > 0 && operand == Interval::unsigned(own) => {
            format!(
                "encrypt them with --width {width} --within {own} --unsigned, or what they come from with --width \
                 {width} ({before}) and --within for the bits that it has"
            )
        }
        _ if operand == Interval::signed(own + 1) => {
            let width = width.max(own + 1);
            let before = before_floor(width, engine);
            format!("encrypt them with --width {width} --within {} (both {before})", own + 1)
        }
        _ => format!(
            "encrypt what they come from with --width {width} ({before}), --unsigned if none of it is negative, \
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
