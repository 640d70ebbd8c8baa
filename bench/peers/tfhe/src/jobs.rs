//! Whole programs: the jobs of `docs/guide/jobs.md` that the `tfhe` crate's integers have too.
use crate::programs::{Case, Work};
use bootes::Lut;
use serde_json::Value;
use tfhe::integer::prelude::ServerKeyDefaultCMux;
use tfhe::integer::server_key::MatchValues;
use tfhe::integer::{IntegerCiphertext, RadixCiphertext, ServerKey};
use tfhe::shortint::Ciphertext;

/// Letters of a word, values whose smallest is looked for, rows of a store, bits of a word.
const LETTERS: usize = 7;
const VALUES: usize = 16;
const ROWS: usize = 10;
const PAIRS: usize = 120;

const NAMES: [&str; 10] =
    ["gates", "overflow", "u32", "argmin", "edit", "hamming", "store", "upper", "sigmoid", "life"];

/// Names of the rows, such as "job-gates".
pub fn names() -> Vec<String> {
    NAMES.iter().map(|name| format!("job-{name}")).collect()
}

/// A text for each of these, with signs between them.
fn joined(count: usize, sign: &str, text: impl Fn(usize) -> String) -> String {
    (0..count).map(text).collect::<Vec<_>>().join(sign)
}

/// One block of the table `f` of a block below 16.
fn table(server: &ServerKey, block: &Ciphertext, f: impl Fn(u64) -> u64) -> RadixCiphertext {
    let key: &tfhe::shortint::ServerKey = server.as_ref();
    RadixCiphertext::from(vec![key.apply_lookup_table(block, &key.generate_lookup_table(f))])
}

/// The sum of so many times each block, which has no carry above 16.
fn weighted(server: &ServerKey, row: &[RadixCiphertext], weights: &[u8]) -> Ciphertext {
    let key: &tfhe::shortint::ServerKey = server.as_ref();
    let term = |(x, &weight): (&RadixCiphertext, &u8)| key.unchecked_scalar_mul(&x.blocks()[0], weight);
    let sum = row.iter().zip(weights).map(term).reduce(|sum, x| key.unchecked_add(&sum, &x));
    sum.expect("some blocks")
}

/// The usual table of distances: `text` of ours, a name for each cell.
fn edit_text() -> String {
    let cell = |i: usize, j: usize| match (i, j) {
        (0, j) => j.to_string(),
        (i, 0) => i.to_string(),
        _ => format!("d{i}x{j}"),
    };
    let mut lines = Vec::new();
    for i in 1..=LETTERS {
        for j in 1..=LETTERS {
            let (up, left, before) = (cell(i - 1, j), cell(i, j - 1), cell(i - 1, j - 1));
            lines.push(format!("{} = min({up} + 1, {left} + 1, {before} + (a{i} != b{j}))", cell(i, j)));
        }
    }
    lines.join("; ")
}

/// The peer's distances, a cell of two blocks. The first letter of the one word comes before the other, as in the text.
fn edit_peer(server: &ServerKey, row: &[RadixCiphertext]) -> Vec<RadixCiphertext> {
    let mut results = Vec::new();
    let trivial = |value: usize| server.create_trivial_radix::<u64, RadixCiphertext>(value as u64, 2);
    let letter = |i: usize| if i == 1 { &row[0] } else { &row[LETTERS + i - 1] };
    let mut before: Vec<RadixCiphertext> = (0..=LETTERS).map(trivial).collect();
    for i in 1..=LETTERS {
        let mut line = vec![trivial(i)];
        for j in 1..=LETTERS {
            let differs = server.ne_parallelized(letter(i), &row[j]).into_radix(2, server);
            let diagonal = server.add_parallelized(&before[j - 1], &differs);
            let other = server.min_parallelized(&before[j], &line[j - 1]);
            let cell = server.min_parallelized(&server.scalar_add_parallelized(&other, 1u64), &diagonal);
            line.push(cell.clone());
            results.push(cell);
        }
        before = line;
    }
    results
}

/// The peer's place of the smallest value, the first of equals, by a tournament.
fn argmin_peer(server: &ServerKey, row: &[RadixCiphertext]) -> Vec<RadixCiphertext> {
    let index = |at: usize| server.create_trivial_radix::<u64, RadixCiphertext>(at as u64, 2);
    let mut left: Vec<_> = row.iter().cloned().enumerate().map(|(at, value)| (value, index(at))).collect();
    while left.len() > 1 {
        let winner = |pair: &[(RadixCiphertext, RadixCiphertext)]| {
            let [first, second] = pair else { return pair[0].clone() };
            let is_second = server.lt_parallelized(&second.0, &first.0);
            let choose = |x, y| server.if_then_else_parallelized(&is_second, x, y);
            (choose(&second.0, &first.0), choose(&second.1, &first.1))
        };
        left = left.chunks(2).map(winner).collect();
    }
    left.into_iter().map(|(_, index)| index).collect()
}

/// The peer's value of the row of a store whose key is asked for: the question, and each key with its value.
fn store_peer(server: &ServerKey, row: &[RadixCiphertext]) -> Vec<RadixCiphertext> {
    let zero: RadixCiphertext = server.create_trivial_zero_radix(row[0].blocks().len());
    let kept = |pair: &[RadixCiphertext]| {
        let is_it = server.eq_parallelized(&row[0], &pair[0]);
        server.if_then_else_parallelized(&is_it, &pair[1], &zero)
    };
    let kept: Vec<RadixCiphertext> = row[1..].chunks(2).map(kept).collect();
    server.sum_ciphertexts_parallelized(&kept).into_iter().collect()
}

/// Entries of a function of a byte.
fn bytes(f: impl Fn(u64) -> u64) -> Vec<u64> {
    (0..256).map(f).collect()
}

fn upper(x: u64) -> u64 {
    if (97..=122).contains(&x) { x - 32 } else { x }
}

fn sigmoid(x: u64) -> u64 {
    (255.0 / (1.0 + (-(x as f64 - 128.0) / 16.0).exp()) + 0.5) as u64
}

/// Whether a cell lives, from nine times the cell and its neighbours.
fn life(x: u64) -> u64 {
    u64::from(x == 3 || x == 9 + 2 || x == 9 + 3)
}

/// The expression of a job, its width, its inputs, rows at once, and the peer's work.
type Job = (String, u32, usize, usize, Box<Work<'static>>);

/// The job of this name.
fn job(name: &str) -> Option<Job> {
    let byte = |text: &str, inputs, batch, peer: Box<Work<'static>>| Some((text.to_string(), 8, inputs, batch, peer));
    match name {
        "gates" => {
            let text = "and3 = a + b + c == 3; majority = a + b + c > 1; choice = select(c, a, b)".to_string();
            let peer = |server: &ServerKey, row: &[RadixCiphertext]| {
                let sum = weighted(server, row, &[1, 1, 1]);
                let choice = weighted(server, row, &[2, 1, 4]);
                let chosen = |x: u64| if x & 4 > 0 { x >> 1 & 1 } else { x & 1 };
                let of_sum = |f: fn(u64) -> u64| table(server, &sum, f);
                vec![of_sum(|x| u64::from(x == 3)), of_sum(|x| u64::from(x > 1)), table(server, &choice, chosen)]
            };
            Some((text, 1, 3, 16, Box::new(peer)))
        }
        "overflow" => {
            let peer = |server: &ServerKey, row: &[RadixCiphertext]| {
                let (sum, overflows) = server.unsigned_overflowing_add_parallelized(&row[0], &row[1]);
                let borrows = server.lt_parallelized(&row[0], &row[1]);
                vec![sum, overflows.into_radix(1, server), borrows.into_radix(1, server)]
            };
            byte("sum = (x + y) % 256; overflows = x + y > 255; borrows = x < y", 2, 16, Box::new(peer))
        }
        "u32" => {
            let text = "p = x*y % 2^32; s = (x + y) % 2^32; l = shl(x, y % 32) % 2^32; r = shr(x, 3); m = min(x, y); \
                        a = and(x, y)";
            let peer = |server: &ServerKey, row: &[RadixCiphertext]| {
                let (x, y) = (&row[0], &row[1]);
                vec![
                    server.mul_parallelized(x, y),
                    server.add_parallelized(x, y),
                    server.left_shift_parallelized(x, &server.scalar_bitand_parallelized(y, 31u64)),
                    server.scalar_right_shift_parallelized(x, 3u64),
                    server.min_parallelized(x, y),
                    server.bitand_parallelized(x, y),
                ]
            };
            Some((text.to_string(), 32, 2, 2, Box::new(peer)))
        }
        "argmin" => {
            let text = format!("argmin({})", joined(VALUES, ", ", |i| format!("x{i}")));
            byte(&text, VALUES, 2, Box::new(argmin_peer))
        }
        "edit" => Some((edit_text(), 5, 2 * LETTERS, 2, Box::new(edit_peer))),
        "hamming" => {
            let text = joined(PAIRS, " + ", |i| format!("(x{i} != y{i})"));
            let peer = |server: &ServerKey, row: &[RadixCiphertext]| {
                let word = |which: usize| {
                    let blocks = row.iter().skip(which).step_by(2).flat_map(|x| x.blocks().to_vec());
                    RadixCiphertext::from(blocks.collect::<Vec<_>>())
                };
                vec![server.count_ones_parallelized(&server.bitxor_parallelized(&word(0), &word(1)))]
            };
            Some((text, 1, 2 * PAIRS, 2, Box::new(peer)))
        }
        "store" => {
            let text = joined(ROWS, " + ", |i| format!("select(q == k{i}, v{i}, 0)"));
            Some((text, 32, 1 + 2 * ROWS, 2, Box::new(store_peer)))
        }
        "upper" => {
            let peer = |server: &ServerKey, row: &[RadixCiphertext]| {
                let is_small = server.boolean_bitand(
                    &server.scalar_ge_parallelized(&row[0], 97u64),
                    &server.scalar_le_parallelized(&row[0], 122u64),
                );
                let capital = server.scalar_sub_parallelized(&row[0], 32u64);
                vec![server.if_then_else_parallelized(&is_small, &capital, &row[0])]
            };
            byte("upper(x)", 1, 16, Box::new(peer))
        }
        "sigmoid" => {
            let peer = |server: &ServerKey, row: &[RadixCiphertext]| {
                let pairs = (0..256).map(|x: u64| (x, sigmoid(x))).collect();
                let entries = MatchValues::new(pairs).expect("no value twice");
                vec![server.match_value_parallelized(&row[0], &entries).0]
            };
            byte("sigmoid(x)", 1, 16, Box::new(peer))
        }
        "life" => {
            let peer = |server: &ServerKey, row: &[RadixCiphertext]| {
                // Three neighbours give life, and two keep it.
                let around = weighted(server, &row[1..], &[1; 8]);
                let level = table(server, &around, |n| match n {
                    3 => 2,
                    2 => 1,
                    _ => 0,
                });
                let both = [row[0].clone(), level];
                vec![table(server, &weighted(server, &both, &[1, 1]), |x| u64::from(x >= 2))]
            };
            Some(("life(9*x + a + b + c + d + e + f + g + h)".to_string(), 1, 9, 16, Box::new(peer)))
        }
        _ => None,
    }
}

/// Tables by the names that the expressions have for them.
fn tables(name: &str) -> Result<Vec<(&'static str, Lut)>, String> {
    let (named, entries): (_, Vec<u64>) = match name {
        "upper" => ("upper", bytes(upper)),
        "sigmoid" => ("sigmoid", bytes(sigmoid)),
        "life" => ("life", (0..32).map(life).collect()),
        _ => return Ok(Vec::new()),
    };
    let bits = entries.iter().max().map_or(1, |most| u64::BITS - most.leading_zeros());
    Ok(vec![(named, Lut::new(entries, bits).map_err(|e| e.to_string())?)])
}

/// Two bits of each of two words in a block, as theirs are.
fn paired(row: &[u64]) -> Vec<u64> {
    row.chunks(4).flat_map(|bits| [bits[0] + 2 * bits[2], bits[1] + 2 * bits[3]]).collect()
}

/// Measures a job: `runs` of ours between as many of the peer's.
pub fn measure(row: &str, runs: usize) -> Result<Value, String> {
    let name = row.strip_prefix("job-").ok_or("no row of jobs")?;
    let (text, width, inputs, batch, peer) = job(name).ok_or("no job of this name")?;
    let case = Case {
        row,
        text,
        tables: tables(name)?,
        width,
        largest: vec![(1 << width) - 1; inputs],
        peer,
        peer_row: if name == "hamming" { paired } else { <[u64]>::to_vec },
        batch,
        operations: 1,
        ratios: None,
    };
    case.measure(runs)
}
