//! Single operations on integers.
use crate::programs::Case;
use serde_json::Value;
use tfhe::integer::prelude::ServerKeyDefaultCMux;
use tfhe::integer::{BooleanBlock, IntegerCiphertext, RadixCiphertext, ServerKey};

/// Values of one of our evaluations, and of long products and quotients.
const BATCH: [usize; 2] = [16, 2];

/// Terms of the sum.
const TERMS: usize = 100;

/// Operations, their expression, and the part of the peer's time that they may take and are to take; what is written
/// without one depends on the width ([`expression`]).
const OPERATIONS: [(&str, &str, [f64; 2]); 14] = [
    ("add", "x + y", [0.5, 0.25]),
    ("sub", "x - y", [0.5, 0.25]),
    ("less", "x < y", [0.5, 0.25]),
    ("equal", "x == y", [0.5, 0.25]),
    ("min", "min(x, y)", [0.5, 0.25]),
    ("max", "max(x, y)", [0.5, 0.25]),
    ("select", "select(x < 100, x, y)", [0.5, 0.25]),
    ("and", "and(x, y)", [0.5, 0.25]),
    ("mul", "x*y", [0.5, 0.25]),
    ("div", "x/y", [0.5, 0.25]),
    ("rem", "x % y", [0.5, 0.25]),
    ("shl", "", [0.5, 0.25]),
    ("shr", "", [0.5, 0.25]),
    ("sum", "", [0.35, 0.2]),
];

/// The expression of an operation on integers of so many bits: what is longer wraps, as theirs does.
fn expression(name: &str, text: &str, width: u32) -> String {
    let wrapped = |text: &str| format!("({text}) % {}", 1u128 << width);
    match (name, width) {
        ("add", 64) => wrapped("x + y"),
        ("mul", 16..) => wrapped("x*y"),
        ("shl", _) => wrapped(&format!("shl(x, y % {width})")),
        ("shr", _) => format!("shr(x, y % {width})"),
        ("sum", _) => wrapped(&(0..TERMS).map(|i| format!("x{i}")).collect::<Vec<_>>().join(" + ")),
        _ => text.into(),
    }
}

/// Widths of integers.
const WIDTHS: [u32; 4] = [8, 16, 32, 64];

/// Names of the rows, such as "u8-add".
pub fn names() -> Vec<String> {
    let all = WIDTHS.iter().flat_map(|&width| OPERATIONS.map(|(name, ..)| (width, name)));
    all.map(|(width, name)| format!("u{width}-{name}")).collect()
}

/// The peer's operation as its own operators do it.
fn operate(name: &str, server: &ServerKey, row: &[RadixCiphertext]) -> RadixCiphertext {
    let (x, y) = (&row[0], &row[1]);
    let answer = |bit: BooleanBlock| bit.into_radix(x.blocks().len(), server);
    match name {
        "add" => server.add_parallelized(x, y),
        "sub" => server.sub_parallelized(x, y),
        "min" => server.min_parallelized(x, y),
        "shl" => server.left_shift_parallelized(x, y),
        "shr" => server.right_shift_parallelized(x, y),
        "sum" => server.sum_ciphertexts_parallelized(row).unwrap_or_else(|| x.clone()),
        "less" => answer(server.lt_parallelized(x, y)),
        "equal" => answer(server.eq_parallelized(x, y)),
        "max" => server.max_parallelized(x, y),
        "select" => server.if_then_else_parallelized(&server.scalar_lt_parallelized(x, 100u64), x, y),
        "and" => server.bitand_parallelized(x, y),
        "mul" => server.mul_parallelized(x, y),
        "div" => server.div_parallelized(x, y),
        _ => server.rem_parallelized(x, y),
    }
}

/// Measures a row: `runs` of ours between as many of the peer's.
pub fn measure(row: &str, runs: usize) -> Result<Value, String> {
    let (width, name) = row.strip_prefix('u').and_then(|row| row.split_once('-')).ok_or("no row of integers")?;
    let width: u32 = width.parse().map_err(|_| "no width")?;
    let (_, text, ratios) =
        OPERATIONS.into_iter().find(|(other, ..)| *other == name).ok_or("no operation of integers")?;
    let mut largest = vec![u64::MAX >> (64 - width); if name == "sum" { TERMS } else { 2 }];
    if name.starts_with("sh") {
        // Theirs shift by as many bits as the integers have to 0, ours by y modulo their number.
        largest[1] = u64::from(width) - 1;
    }
    let is_heavy = matches!(name, "mul" | "div" | "rem" | "sum");
    let case = Case {
        row,
        text: expression(name, text, width),
        tables: Vec::new(),
        width,
        largest,
        peer: Box::new(|server, row| vec![operate(name, server, row)]),
        peer_row: <[u64]>::to_vec,
        batch: if is_heavy { BATCH[usize::from(width > 16)] } else { BATCH[0] },
        operations: if is_heavy { 1 } else { 2 },
        ratios: Some(ratios),
    };
    case.measure(runs)
}
