//! Values of options: what they may be, and what is said where they are not.

use bootes::{FailureTarget, IntegerOp, Load, Objective};
use clap::Args;

use crate::need::{MAX_TABLE_BITS, MAX_VECTOR_BITS};
use crate::suggest;
use bootes::MAX_WIDTH;

#[derive(Debug, Args)]
pub(crate) struct Threads {
    /// Threads; work takes no more than the machine has [default: as many]
    #[arg(id = "threads", long = "threads", value_name = "K", value_parser = threads)]
    count: Option<usize>,
}

impl Threads {
    /// How many to predict for.
    pub(crate) fn count(&self) -> usize {
        self.count.unwrap_or_else(|| Load::of(0).threads).min(Load::MAX_THREADS)
    }

    /// How many to use: those of this machine at most.
    pub(crate) fn here(&self) -> usize {
        self.count().min(processors())
    }
}

pub(super) fn bits(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(bits @ 1..=MAX_TABLE_BITS) => Ok(bits),
        Ok(bits) if bits > MAX_TABLE_BITS => Err(format!(
            "expected 1 to {MAX_TABLE_BITS}: tables have at most 2^{MAX_TABLE_BITS} entries; functions of longer \
             integers take --width of keygen, encrypt and run"
        )),
        _ => Err(format!("expected 1 to {MAX_TABLE_BITS}")),
    }
}

pub(super) fn modulus(text: &str) -> Result<u64, String> {
    let most = 1u64 << MAX_TABLE_BITS;
    match text.parse() {
        Ok(modulus) if (2..=most).contains(&modulus) => Ok(modulus),
        _ => Err(format!("expected 2 to {most}")),
    }
}

/// Of tables, or of vectors, which may be larger.
pub(super) fn any_modulus(text: &str) -> Result<u64, String> {
    let [tables, vectors] = [MAX_TABLE_BITS, MAX_VECTOR_BITS].map(|bits| 1u64 << bits);
    match text.parse() {
        Ok(modulus) if (2..=vectors).contains(&modulus) => Ok(modulus),
        _ => Err(format!("expected 2 to {tables}, or up to 2^{MAX_VECTOR_BITS} for vectors modulo a prime or 2^K")),
    }
}

pub(super) fn depth(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(depth @ 1..) => Ok(depth),
        _ => Err("expected a whole number from 1 on".into()),
    }
}

pub(super) fn width(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(width @ 1..=MAX_WIDTH) => Ok(width),
        _ => Err(format!("expected 1 to {MAX_WIDTH}")),
    }
}

/// The names of `--op`; floor has a number.
const OPS: [&str; 10] = ["sign", "less", "equal", "relu", "abs", "max", "min", "add", "sub", "floor:K"];

/// How many values each operand of a table has.
#[derive(Clone, Debug)]
pub(crate) struct Sizes(pub(crate) Vec<u64>);

pub(super) fn sizes(text: &str) -> Result<Sizes, String> {
    let all: Vec<u64> = text.split(',').map(|size| size.trim().parse().unwrap_or(0)).collect();
    let entries = all.iter().try_fold(1u64, |entries, &size| entries.checked_mul(size));
    match entries {
        Some(entries) if all.len() > 1 && all.iter().all(|&size| size > 1) && entries <= 1 << MAX_TABLE_BITS => {
            Ok(Sizes(all))
        }
        _ => Err(format!(
            "expected two numbers or more from 2 on, separated by commas, whose product is at most 2^{MAX_TABLE_BITS}, \
             the most entries of a table"
        )),
    }
}

pub(super) fn op(text: &str) -> Result<IntegerOp, String> {
    text.parse().map_err(|_| {
        let tip = match (elsewhere(text), suggest::nearest(text, OPS)) {
            (Some(tip), _) => format!("{tip}; "),
            (None, Some(known)) => format!("did you mean {known}? "),
            (None, None) => String::new(),
        };
        format!("{tip}expected one of {}, K a number of bits", OPS.join(", "))
    })
}

/// How to have what is no function of large integers.
fn elsewhere(op: &str) -> Option<&'static str> {
    match op.to_lowercase().split(':').next().unwrap_or_default() {
        "mul" | "mult" | "multiply" | "times" | "product" => {
            Some("products are an expression, --expr \"x * y\"; multiples by a number are linear --weights")
        }
        "div" | "divide" | "quotient" | "shift" | "shr" => {
            Some("floor:K divides by 2^K, an expression by anything: --expr \"x / y\"")
        }
        "mod" | "rem" => Some("--expr \"x % y\" gives remainders"),
        "widen" | "cast" | "resize" => {
            Some("expressions take integers of any widths and give results their room, --expr \"x + y\"")
        }
        "neg" | "negate" => Some("linear --weights -1 negates"),
        "and" | "or" | "xor" | "not" => Some("it is an expression: --expr \"xor(x, y)\""),
        "select" | "if" | "ite" | "mux" | "cmux" => Some("it is an expression: --expr \"select(x < y, x, y)\""),
        "eq" | "==" => Some("equal compares for it"),
        "lt" | "<" | "gt" | ">" | "greater" | "leq" | "le" | "geq" | "ge" => {
            Some("less compares, x < y; exchange the operands for x > y")
        }
        _ => None,
    }
}

pub(super) fn objective(text: &str) -> Result<Objective, String> {
    text.parse().map_err(|expected| {
        let names = Objective::ALL.map(|objective| objective.to_string());
        match suggest::nearest(text, names.iter().map(String::as_str)) {
            Some(known) => format!("did you mean {known}? {expected}"),
            None => expected,
        }
    })
}

pub(super) fn count(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(count @ 1..=Load::MAX_VALUES) => Ok(count),
        _ => Err(format!("expected 1 to {}", Load::MAX_VALUES)),
    }
}

pub(super) fn gigabytes(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(size) if size.is_finite() && size > 0.0 => Ok(size),
        _ => Err("expected gigabytes, a number above 0 without a unit, such as 1.5".to_string()),
    }
}

pub(super) fn constant(text: &str) -> Result<i64, String> {
    text.parse().map_err(|_| "expected an integer of 64 bits, -2^63 to 2^63 - 1".to_string())
}

/// Threads that this machine runs at once.
fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

pub(super) fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count @ 1..=Load::MAX_THREADS) => Ok(count),
        // A typing mistake should not start a million.
        _ => Err(format!("expected 1 to {}", Load::MAX_THREADS)),
    }
}

pub(super) fn runs(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count @ 1..=1_000_000) => Ok(count),
        _ => Err("expected 1 to 1000000".to_string()),
    }
}

pub(super) fn failure_target(text: &str) -> Result<FailureTarget, String> {
    match text {
        "-128" => Ok(FailureTarget::Two128),
        "-64" => Ok(FailureTarget::Two64),
        _ => Err("expected -128 or -64".to_string()),
    }
}
