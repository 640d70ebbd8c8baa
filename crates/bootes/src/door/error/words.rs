//! Parts of messages that depend on what was found.
use crate::{Engine, Params, Space};
use bootes_lut::integer::MAX_WIDTH;
use bootes_lut::{IntegerOp, Interval, LutError, Program};

pub(super) fn in_words(range: Interval, width: u32) -> String {
    let kind = match range {
        _ if range == Interval::signed(width) => "signed ",
        _ if range == Interval::unsigned(width) => "unsigned ",
        _ => "",
    };
    format!("{kind}{width}-bit integers")
}

/// The other kind of integers of this width, or a larger one, that holds the value.
pub(super) fn cure(value: i128, range: Interval, width: u32) -> String {
    let (signed, unsigned) = (Interval::signed(width), Interval::unsigned(width));
    let other = match () {
        () if range == signed && unsigned.has(value) => "if none is negative, take encrypt_unsigned; else ",
        () if range == unsigned && signed.has(value) => "for integers with a sign take encrypt_integers; else ",
        () => "",
    };
    let needed = Interval { min: value, max: value }.width() + u32::from(range.min < 0);
    match range {
        _ if range != signed && range != unsigned => "take a larger range or correct it".into(),
        _ if range.min == 0 && value < 0 => format!("{other}correct it"),
        _ if needed <= MAX_WIDTH => format!("{other}take a width of {needed} or more, or correct it"),
        _ => format!("{other}correct it, as there is no width above {MAX_WIDTH}"),
    }
}

/// Bits that there may be, from 1 on.
pub(super) fn of_bits(max: u32) -> String {
    if max == 1 { "1 bit".into() } else { format!("1 to {max} bits") }
}

/// What holds residues modulo p that a set does not.
pub(super) fn modulo(p: u64) -> String {
    let bits = p.checked_next_power_of_two().map_or(MAX_WIDTH, u64::ilog2);
    let shown = if p.is_power_of_two() { format!("2^{bits}") } else { p.to_string() };
    let wraps = format!(
        "integers of {bits} bits without a sign (Client::encrypt_unsigned, with keys of Params::for_integers({bits})) \
         and programs that wrap as they say, as \"(x + y) % {shown}\" (Program::parse)"
    );
    match p {
        ..=1 => "take one of these".into(),
        2..=65536 => "take a set for them (Params::on)".into(),
        // Which has no sums of the values of a vector.
        65537..=1_048_576 => format!("take a set of engine ckks for them (Params::on with Engine::Ckks), or {wraps}"),
        _ => format!("take {wraps}"),
    }
}

/// The integers that a set holds, and what to do for others.
pub(super) fn widths(max: u32) -> String {
    match max {
        0 => "none: take a set for integers (Params::for_integers)".into(),
        MAX_WIDTH.. => format!("those of {}, the longest that there are", of_bits(max)),
        _ => format!("those of {}: take a width within that, or a set for longer integers", of_bits(max)),
    }
}

/// What gives integers of a range room.
pub(super) fn of_width(range: Interval) -> String {
    match range.width() {
        width @ ..=MAX_WIDTH => format!("take a width of {width} bits or more"),
        _ => format!("take a smaller range, as there is no width above {MAX_WIDTH}"),
    }
}

/// The most bits that integers in one ciphertext have room for, with the set that has most.
const MOST_BITS: u32 = 17;

pub(super) fn overflow(
    operation: &str,
    range: Option<Interval>,
    bits: u32,
    modulus: Option<u64>,
    most: u32,
    engine: Engine,
) -> String {
    let Some(range) = range else {
        return format!(
            "the {operation} gives integers beyond 128 bits: take smaller factors and constants, or fewer terms"
        );
    };
    if let Some(p) = modulus {
        let cure = match operation {
            "concatenation" => {
                format!("evaluate the identity, a table with results modulo {p} (Lut::modular), on them first")
            }
            _ => format!("take {}, which reduces them", program_of(operation)),
        };
        return format!(
            "the {operation} of residues modulo {p} gives integers from {range}, and there is room for 2^{bits} of \
             them: {cure}"
        );
    }
    let needed = (bits + 1..126).find(|&bits| range.is_in_residues(bits)).unwrap_or(126);
    let widen = match bits {
        _ if !engine.tables_give_integers() => "Client::encrypt_within".to_string(),
        // Of answers.
        1 => format!(
            "Function::Widen({needed}) of answers, out_bits of Lut::new of tables' results, or Client::encrypt_within \
             of values"
        ),
        _ => format!(
            "out_bits of Lut::new, as of the identity on results, or Client::encrypt_within of {} bits",
            needed - 1
        ),
    };
    let cure = match needed {
        // Its tables give residues, its programs integers of any range.
        _ if needed <= most && !engine.tables_give_integers() && operation != "concatenation" => {
            format!(
                "take {}, which has room, or give the operands room for 2^{needed} ({widen})",
                program_of(operation)
            )
        }
        ..=MOST_BITS if !engine.tables_give_integers() && bits == 1 => {
            "take engine fhew, whose tables give answers more (Params::for_integers)".into()
        }
        _ if needed <= most => format!("give the operands room for 2^{needed} ({widen})"),
        ..=MOST_BITS => format!("take Params::for_integers({}), which have room for 2^{needed}", needed - 1),
        _ if engine.tables_give_integers() && range.width() <= MAX_WIDTH => {
            format!("take smaller factors or fewer terms, or {}, which has room", program_of(operation))
        }
        _ => "take smaller factors or fewer terms".to_string(),
    };
    format!(
        "the {operation} gives integers from {range}, and there is room for 2^{bits} of them: {cure}, or take \
         Ciphertexts::as_residues if it is to wrap modulo 2^{bits}"
    )
}

/// The program in place of a linear operation, or one like it.
fn program_of(operation: &str) -> &'static str {
    match operation {
        "sum" => "the program \"x + y\" (Program::parse)",
        "difference" => "the program \"x - y\" (Program::parse)",
        "multiple" => "a program like \"3*x\" (Program::parse)",
        "product with constants" => "the program \"x*y\" (Program::parse) of them encrypted",
        "linear map" => "a program like \"sum(a, b)\" or \"3*a - 4*b\" (Program::parse) of parts of the vector",
        _ => "a program like \"3*x - 4*y + 5\" (Program::parse)",
    }
}

/// The advice on tables, where they give integers as many bits as the operands of a function need, or else the program,
/// which takes results of any range.
pub(super) fn by_tables(refused: &LutError, engine: Engine) -> String {
    match refused {
        LutError::Range { needed, .. } if *needed < MOST_BITS && engine.tables_give_integers() => {
            format!(", or give tables that they are results of {} output bits (Lut::new)", needed + 1)
        }
        LutError::Range { op, .. } if engine.tables_give_integers() => match op.parse::<IntegerOp>() {
            Ok(op) => format!(", or take the program \"{}\" (Program::parse)", Program::of_function(op)),
            Err(_) => String::new(),
        },
        _ => String::new(),
    }
}

/// The advice that has values modulo p, if there is one.
pub(super) fn or_another_set(p: u64) -> String {
    match p {
        _ if Params::for_vectors(p).is_ok() => format!(", or Params::for_vectors({p})"),
        // Of so many entries there are tables.
        2..=1_048_576 => format!(", or a set for values modulo {p} (Params::on)"),
        _ if Params::for_vectors_to_depth(p, 1).is_ok() => format!(", or Params::named(\"slots_{p}_depth_1\")"),
        _ => String::new(),
    }
}

/// The advice that gives integers of this range.
pub(super) fn congruent(range: Interval) -> String {
    let encrypt = "take integers of that range (Client::encrypt_within)";
    let count = (range.min <= range.max).then(|| range.max.checked_sub(range.min)?.checked_add(1)).flatten();
    match count {
        // What sums modulo a power of two would be, by a remainder that every engine has.
        Some(count) if count.count_ones() == 1 && range.min <= 0 && count <= 1 << 62 => {
            let program = match -range.min {
                0 => format!("x % {count}"),
                below => format!("(x + {below}) % {count} - {below}"),
            };
            format!("{encrypt}, or the program \"{program}\" (Program::parse), which is congruent modulo {count}")
        }
        _ => encrypt.into(),
    }
}

/// The advice that makes operands of a linear operation alike.
pub(super) fn alike(operation: &str, left: Space, right: Space, engine: Engine) -> String {
    // A program is of each value by itself.
    let of_rows = operation == "concatenation";
    let wraps = |p: u64| format!("take {}, whose results are residues modulo {p}", program_of(operation));
    match (left.modulus(), right.modulus()) {
        (None, None) if of_rows => "encrypt both with the larger width (Client::encrypt_within)".into(),
        (None, None) => in_place(operation, left, right, engine),
        (Some(p), Some(q)) if p != q => format!(
            "encrypt both modulo {0} (Client::encrypt_modulo), or evaluate a table with results modulo {0} \
             (Lut::modular) on the others first, the identity or the one that they are results of",
            p.max(q)
        ),
        // What is reduced already stays in the room that it has.
        (Some(p), Some(_)) if of_rows && p.is_power_of_two() => "keep them apart, since they have other room".into(),
        (Some(p), Some(_)) if of_rows => {
            format!("evaluate the program \"x % {p}\" (Program::parse) on both first, whose results are integers")
        }
        (Some(p), Some(_)) => wraps(p),
        (Some(p), None) | (None, Some(p))
            if !of_rows && [left, right].iter().all(|space| matches!(space, Space::Integers(_))) =>
        {
            format!("{}, or Ciphertexts::as_integers of those that are not to wrap", wraps(p))
        }
        _ => "take Ciphertexts::as_residues of integers that are to wrap, as_integers of residues that are not, or \
              encrypt them alike"
            .into(),
    }
}

/// The program in place of an operation, which takes integers of any width; where there is a ciphertext for each limb,
/// with engine fhew, and nothing else does it.
fn in_place(operation: &str, left: Space, right: Space, engine: Engine) -> String {
    let one = left.limbs() == 1 && right.limbs() == 1;
    let program = format!("take {}, which has integers of any width", program_of(operation));
    match one {
        true => format!("encrypt both with the larger width (Client::encrypt_within), or {program}"),
        false if engine.tables_give_integers() => program,
        false => "encrypt both with the larger width (Client::encrypt_within)".into(),
    }
}

/// The advice that brings integers to one width, with room for what a function takes of them.
pub(super) fn one_width(function: &str, left: Space, right: Space) -> String {
    let op = function.parse::<IntegerOp>();
    let image = |op: IntegerOp| op.image(&[left.range(), right.range()], left.bits().max(right.bits()) - 1);
    let width = match op.as_ref().map(|op| image(*op)) {
        Ok(Err(LutError::Range { needed, .. })) => format!("encrypt both in {needed} bits (Client::encrypt_within)"),
        _ => "encrypt both with the larger one (Client::encrypt_within)".into(),
    };
    let program = op.map(|op| match op {
        IntegerOp::Add => "x + y".into(),
        IntegerOp::Sub => "x - y".into(),
        op => Program::of_function(op).to_string(),
    });
    program.map_or(width.clone(), |program| format!("{width}, or take the program \"{program}\" (Program::parse)"))
}

/// What to do where a table takes integers in one ciphertext each.
pub(super) fn in_one(what: &str, space: Space) -> &'static str {
    match space.bits() {
        ..=MOST_BITS => {
            "encrypt them with a smaller width, take parameters for a bit more than they have (Params::for_bits, \
             for_modulus), or residues (Client::encrypt_bits)"
        }
        _ if what == "a table" => {
            "encrypt them with a width of 16 or less, or within so few bits; tables of more, up to 20 bits, are of \
             residues, with engine ckks (Params::on with Engine::Ckks, Client::encrypt_bits)"
        }
        // There is no program of it either.
        _ if what == "a table of several values" => {
            "encrypt them with room for all, a width of 16 or less, or for tables of up to 20 bits with engine ckks \
             (Params::on with Engine::Ckks); there are none of more"
        }
        _ => {
            "encrypt them with a width of 16 or less, or take a program of them (Program::parse), which has integers \
             of any width"
        }
    }
}

/// Where there is what an engine has not.
pub(super) fn elsewhere(what: &str, engine: Engine, have: &[Engine]) -> String {
    let others: Vec<String> =
        have.iter().filter(|&&other| other != engine).map(|other| format!("engine {other}")).collect();
    match others.is_empty() {
        _ if what.starts_with("a linear map of the values") && engine == Engine::Bfv => {
            "take the program \"sum(x)\" (Program::parse) for their sum, or parameters of engine fhew".into()
        }
        _ if what.starts_with("a plan of") => "plan it again, which takes next to no time".into(),
        true => "no engine has it".into(),
        false => format!("take parameters of {}", others.join(" or ")),
    }
}

pub(super) fn slice(start: usize, end: usize, len: usize, aligned: usize) -> String {
    let range = format!("values {start}..{end} of {len}: expected a range within them");
    match aligned {
        1 => format!("{range}; take one that ends at {len} or before"),
        _ => format!(
            "{range}, of at least one value, that starts at a multiple of {aligned} and ends at one or at {len}: \
             ciphertexts hold {aligned} values each and are taken whole"
        ),
    }
}

pub(super) fn noise(log2_std: f64) -> String {
    match log2_std.is_finite() {
        true => format!("a noise of 2^{log2_std:.2} of the torus"),
        false => "a noise that is no number above 0".into(),
    }
}

/// "1.51 GB", "113.21 MB": rounded up, so that as much is enough.
pub(super) fn needed(bytes: u64) -> String {
    let unit = hundredth(bytes);
    in_hundredths(bytes.div_ceil(unit), unit)
}

/// The same of what there is: rounded down.
pub(super) fn available(bytes: u64) -> String {
    let unit = hundredth(bytes);
    in_hundredths(bytes / unit, unit)
}

/// Bytes of a hundredth of the unit in which so many are told.
fn hundredth(bytes: u64) -> u64 {
    if bytes < 1_000_000_000 { 10_000 } else { 10_000_000 }
}

fn in_hundredths(count: u64, unit: u64) -> String {
    let name = if unit == 10_000 { "MB" } else { "GB" };
    format!("{}.{:02} {name}", count / 100, count % 100)
}

#[cfg(test)]
mod tests {
    use crate::{Client, Error, FhewLutError, MAX_WIDTH, Params};

    /// No set is said to hold 1 to 0 bits.
    #[test]
    fn what_a_set_holds_is_something_or_nothing() -> Result<(), Error> {
        for (set, width, words) in [
            ("fhew_1bit_2m128", 4, "holds none: take a set for integers (Params::for_integers)"),
            ("batch_1bit", 4, "holds none: take a set for integers (Params::for_integers)"),
            ("toy_4", MAX_WIDTH + 1, "take a width within that, or a set for longer integers"),
            ("toy_8", MAX_WIDTH + 1, "the longest that there are"),
        ] {
            let client = Client::generate(&Params::named(set)?)?;
            let error = client.encrypt_within([1], 0..=1, width).unwrap_err().to_string();
            assert!(error.ends_with(words) && !error.contains("1 to 0"), "{set}: {error}");
        }
        for width in [0, MAX_WIDTH + 1] {
            let error = Params::for_integers(width).unwrap_err().to_string();
            assert_eq!(error, format!("integers of {width} bits: expected 1 to {MAX_WIDTH}"));
        }
        let error = Error::Bits { found: 3, max: 1, params: "fhew_1bit_2m128".into() }.to_string();
        assert!(error.ends_with("holds 1 bit: take a set for them (Params::on)"), "{error}");
        Ok(())
    }

    /// A plan that has no server key is not told what its key lacks.
    #[test]
    fn keys_are_needed_of_no_key_in_particular() {
        let error = FhewLutError::Keys { algorithm: "bfv-mult".into(), missing: Default::default() }.to_string();
        assert!(error.contains("in the server key: make one with") && !error.contains("lacks"), "{error}");
    }
}
