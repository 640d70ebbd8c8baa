//! Programs of integers against the `tfhe` crate's own integers, with its default parameters, by turns.
//!
//! Ours are planned as `bootes run --expr` plans them: the set of engine fhew, and the room, with which they take least
//! time. Theirs are unsigned integers of 2 bits a block, which wrap.
use crate::clock::{Times, median, time};
use crate::tables::SplitMix;
use bootes::planner::{Offer, Request};
use bootes::{Client, Engine, FailureTarget, Function, Load, Program, Server, Space};
use serde_json::{Value, json};
use tfhe::integer::prelude::ServerKeyDefaultCMux;
use tfhe::integer::{RadixCiphertext, RadixClientKey, ServerKey, gen_keys_radix};
use tfhe::shortint::parameters::current_params::V1_8_PARAM_MESSAGE_2_CARRY_2_KS_PBS_GAUSSIAN_2M128 as PEER_PARAMS;

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

/// The peer's keys for integers of one width.
struct Peer {
    client: RadixClientKey,
    server: ServerKey,
}

impl Peer {
    /// Times an operation on each row of operands, and checks that its results are those of integers that wrap.
    fn run(&self, name: &str, width: u32, rows: &[Vec<u64>]) -> Result<Times, String> {
        let encrypt = |row: &Vec<u64>| row.iter().map(|&value| self.client.encrypt(value)).collect();
        let encrypted: Vec<Vec<RadixCiphertext>> = rows.iter().map(encrypt).collect();
        let server = &self.server;
        // As the peer's own operators: inputs are clean, and results are.
        let of = |row: &Vec<RadixCiphertext>| {
            let (x, y) = (&row[0], &row[1]);
            let answer = |bit: tfhe::integer::BooleanBlock| bit.into_radix(width as usize / 2, server);
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
                "select" => {
                    let condition = server.scalar_lt_parallelized(x, 100u64);
                    server.if_then_else_parallelized(&condition, x, y)
                }
                "and" => server.bitand_parallelized(x, y),
                "mul" => server.mul_parallelized(x, y),
                "div" => server.div_parallelized(x, y),
                _ => server.rem_parallelized(x, y),
            }
        };
        let (results, times) = time(|| encrypted.iter().map(of).collect::<Vec<_>>());
        for (row, result) in rows.iter().zip(&results) {
            let (x, y) = (row[0], row[1]);
            let found: u64 = self.client.decrypt(result);
            let mask = u64::MAX >> (64 - width);
            let expected = match name {
                "add" => x.wrapping_add(y) & mask,
                "sub" => x.wrapping_sub(y) & mask,
                "min" => x.min(y),
                "shl" => x << (y % u64::from(width)) & mask,
                "shr" => x >> (y % u64::from(width)),
                "sum" => row.iter().fold(0, |sum: u64, value| sum.wrapping_add(*value)) & mask,
                "less" => u64::from(x < y),
                "equal" => u64::from(x == y),
                "max" => x.max(y),
                "select" => {
                    if x < 100 {
                        x
                    } else {
                        y
                    }
                }
                "and" => x & y,
                "mul" => x.wrapping_mul(y) & mask,
                "div" => x.checked_div(y).unwrap_or(mask),
                _ => x.checked_rem(y).unwrap_or(x),
            };
            if found != expected {
                return Err(format!("the peer's {name} of {row:?} is {found}, expected {expected}"));
            }
        }
        Ok(times)
    }
}

/// Measures a row: `runs` of ours between as many of the peer's.
pub fn measure(row: &str, runs: usize) -> Result<Value, String> {
    let (width, name) = row.strip_prefix('u').and_then(|row| row.split_once('-')).ok_or("no row of integers")?;
    let width: u32 = width.parse().map_err(|_| "no width")?;
    let (_, text, [limit, aim]) =
        OPERATIONS.into_iter().find(|(other, ..)| *other == name).ok_or("no operation of integers")?;
    let text = expression(name, text, width);
    let error = |e: bootes::Error| format!("{row}: {e}");
    let program = Program::parse(&text, &[]).map_err(|e| e.to_string())?;
    let request =
        Request { function: Function::from(&program), space: Space::unsigned(width), target: FailureTarget::Two128 };
    let load = Load { threads: 1, ..Load::of(1 << 10) };
    let Offer { params, space, .. } = request.offer(Engine::Fhew, &load).map_err(error)?;
    let client = Client::generate(&params).map_err(error)?;
    let server = Server::builder(client.server_key().map_err(error)?).threads(1).build().map_err(error)?;
    let (own_client, own_server) = gen_keys_radix(PEER_PARAMS, width as usize / 2);
    let peer = Peer { client: own_client, server: own_server };
    let mut random = SplitMix(5);
    let columns = program.inputs().max(2);
    // Theirs shift by as many bits as the integers have to 0, ours by y modulo their number.
    let below = |i: usize| if i == 1 && name.starts_with("sh") { u64::from(width) } else { u64::MAX >> (64 - width) };
    let mut rows = |count: usize| -> Vec<Vec<u64>> {
        (0..count).map(|_| (0..columns).map(|i| random.below(below(i))).collect()).collect()
    };
    let is_heavy = matches!(name, "mul" | "div" | "rem" | "sum");
    let (operations, batch) = if is_heavy { (1, BATCH[usize::from(width > 16)]) } else { (2, BATCH[0]) };
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let head = |values: &[Vec<u64>], i: usize| {
        let column = values.iter().map(|row| row[i]);
        client.encrypt_within(column, space.range(), space.bits() - 1)
    };
    let mut plan = None;
    for _ in 0..runs {
        let before = peer.run(name, width, &rows(operations))?;
        let values = rows(batch);
        let operands = (0..program.inputs()).map(|i| head(&values, i)).collect::<Result<Vec<_>, _>>().map_err(error)?;
        if plan.is_none() {
            plan = Some(server.plan(&program, &operands).map_err(error)?);
        }
        let planned = plan.as_ref().ok_or("no plan")?;
        let (results, times) = time(|| server.run(planned, &operands));
        let found = client.decrypt_wide(&results.map_err(error)?[0]).map_err(error)?;
        let column = |i: usize| values.iter().map(|row| row[i]).collect();
        let columns: Vec<Vec<u64>> = (0..program.inputs()).map(column).collect();
        let plain: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
        let expected = program.integers_of(&plain, &vec![Space::unsigned(width).range(); plain.len()]);
        if expected.map_err(|e| e.to_string())?[0] != found {
            return Err(format!("{row}: our results are wrong"));
        }
        let after = peer.run(name, width, &rows(operations))?;
        ours.push(times.cpu / batch as f64);
        theirs.push((before.cpu + after.cpu) / (2 * operations) as f64);
    }
    let ratio = median(ours.iter().zip(&theirs).map(|(ours, theirs)| ours / theirs));
    Ok(json!({
        "row": row,
        "what": text,
        "ours_ms": median(ours) * 1e3,
        "peer_ms": median(theirs) * 1e3,
        "ratio": ratio,
        "target_ratio": limit,
        "aim_ratio": aim,
        "params": params.name(),
        "algorithm": format!("{} rotations", plan.and_then(|plan| plan.rotations()).unwrap_or(0)),
        "log2_p_fail": params.log2_p_fail(),
        "isa": bootes::isa().to_string(),
        "runs": runs,
        "clock": "CPU time",
    }))
}
