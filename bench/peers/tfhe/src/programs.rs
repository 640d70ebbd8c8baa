//! A program of ours against the same work of the `tfhe` crate's own integers, with its default parameters, by turns.
//!
//! Ours are planned as `bootes run --expr` plans them: the set of engine fhew, and the room, with which they take least
//! time. Theirs are unsigned integers of 2 bits a block, which wrap.
use crate::clock::{Times, median, time};
use crate::tables::SplitMix;
use bootes::planner::{Offer, Request};
use bootes::{Client, Engine, FailureTarget, Function, Load, Lut, Program, Server, Space};
use serde_json::{Value, json};
use tfhe::integer::{IntegerCiphertext, RadixCiphertext, RadixClientKey, ServerKey, gen_keys_radix};
use tfhe::shortint::parameters::current_params::V1_8_PARAM_MESSAGE_2_CARRY_2_KS_PBS_GAUSSIAN_2M128 as PEER_PARAMS;

/// The peer's work on one row of inputs, clean ciphertexts; its results are clean.
pub type Work<'a> = dyn Fn(&ServerKey, &[RadixCiphertext]) -> Vec<RadixCiphertext> + 'a;

/// What is measured: a program, its inputs, and the peer's work with the same results modulo a power of two.
pub struct Case<'a> {
    pub row: &'a str,
    /// The expression, and its tables by name.
    pub text: String,
    pub tables: Vec<(&'static str, Lut)>,
    /// Bits of the inputs, and the largest of each, which is 2^k - 1.
    pub width: u32,
    pub largest: Vec<u64>,
    pub peer: Box<Work<'a>>,
    /// The inputs of a row as the peer's client encrypts them.
    pub peer_row: fn(&[u64]) -> Vec<u64>,
    /// Rows of one of our evaluations, and of one of theirs.
    pub batch: usize,
    pub operations: usize,
    /// The part of the peer's time that ours may take, and is to take.
    pub ratios: Option<[f64; 2]>,
}

/// Rows of inputs, and the results that integers have: one for each result and row.
struct Rows {
    inputs: Vec<Vec<u64>>,
    results: Vec<Vec<i128>>,
}

impl Case<'_> {
    /// Random rows.
    fn rows(&self, program: &Program, count: usize, random: &mut SplitMix) -> Result<Rows, String> {
        let inputs: Vec<Vec<u64>> =
            (0..count).map(|_| self.largest.iter().map(|&largest| random.up_to(largest)).collect()).collect();
        let columns: Vec<Vec<u64>> = (0..program.inputs()).map(|i| inputs.iter().map(|row| row[i]).collect()).collect();
        let plain: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
        let ranges = vec![Space::unsigned(self.width).range(); plain.len()];
        let results = program.integers_of(&plain, &ranges).map_err(|e| e.to_string())?;
        Ok(Rows { inputs, results })
    }

    /// Times the peer's work on each row; wrong results are an error.
    fn run_peer(&self, client: &RadixClientKey, server: &ServerKey, rows: &Rows) -> Result<Times, String> {
        let encrypt = |row: &Vec<u64>| (self.peer_row)(row).into_iter().map(|value| client.encrypt(value)).collect();
        let encrypted: Vec<Vec<RadixCiphertext>> = rows.inputs.iter().map(encrypt).collect();
        let (results, times) = time(|| encrypted.iter().map(|row| (self.peer)(server, row)).collect::<Vec<_>>());
        for (at, found) in results.iter().enumerate() {
            if found.len() != rows.results.len() {
                return Err(format!("{}: the peer gives {} results", self.row, found.len()));
            }
            for (found, expected) in found.iter().zip(&rows.results) {
                let modulus = 1i128 << (2 * found.blocks().len()).min(64);
                let (found, expected) = (client.decrypt::<u64>(found), expected[at].rem_euclid(modulus));
                if i128::from(found) != expected {
                    let row = &rows.inputs[at];
                    return Err(format!("{}: the peer's result of {row:?} is {found}, expected {expected}", self.row));
                }
            }
        }
        Ok(times)
    }

    /// Measures `runs` of ours, between as many of the peer's before and after.
    pub fn measure(&self, runs: usize) -> Result<Value, String> {
        let (row, width) = (self.row, self.width);
        let error = |e: bootes::Error| format!("{row}: {e}");
        let tables: Vec<(&str, &Lut)> = self.tables.iter().map(|(name, table)| (*name, table)).collect();
        let program = Program::parse(&self.text, &tables).map_err(|e| format!("{row}: {e}"))?;
        let space = Space::unsigned(width);
        let request = Request { function: Function::from(&program), space, target: FailureTarget::Two128 };
        let load = Load { threads: 1, ..Load::of(1 << 10) };
        let Offer { params, space, .. } = request.offer(Engine::Fhew, &load).map_err(error)?;
        let client = Client::generate(&params).map_err(error)?;
        let server = Server::builder(client.server_key().map_err(error)?).threads(1).build().map_err(error)?;
        let (own_client, own_server) = gen_keys_radix(PEER_PARAMS, width.div_ceil(2) as usize);
        let mut random = SplitMix(5);
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        let mut plan = None;
        for _ in 0..runs {
            let before = self.rows(&program, self.operations, &mut random)?;
            let before = self.run_peer(&own_client, &own_server, &before)?;
            let rows = self.rows(&program, self.batch, &mut random)?;
            let encrypt = |i: usize| {
                let column = rows.inputs.iter().map(|row| row[i]);
                client.encrypt_within(column, space.range(), space.bits() - 1)
            };
            let operands = (0..program.inputs()).map(encrypt).collect::<Result<Vec<_>, _>>().map_err(error)?;
            if plan.is_none() {
                plan = Some(server.plan(&program, &operands).map_err(error)?);
            }
            let planned = plan.as_ref().ok_or("no plan")?;
            let (results, times) = time(|| server.run(planned, &operands));
            for (result, expected) in results.map_err(error)?.iter().zip(&rows.results) {
                if client.decrypt_wide(result).map_err(error)? != *expected {
                    return Err(format!("{row}: our results are wrong"));
                }
            }
            let after = self.rows(&program, self.operations, &mut random)?;
            let after = self.run_peer(&own_client, &own_server, &after)?;
            ours.push(times.cpu / self.batch as f64);
            theirs.push((before.cpu + after.cpu) / (2 * self.operations) as f64);
        }
        let ratio = median(ours.iter().zip(&theirs).map(|(ours, theirs)| ours / theirs));
        Ok(json!({
            "row": row,
            "what": self.text,
            "ours_ms": median(ours) * 1e3,
            "peer_ms": median(theirs) * 1e3,
            "ratio": ratio,
            "target_ratio": self.ratios.map(|[limit, _]| limit),
            "aim_ratio": self.ratios.map(|[_, aim]| aim),
            "params": params.name(),
            "algorithm": format!("{} rotations", plan.and_then(|plan| plan.rotations()).unwrap_or(0)),
            "log2_p_fail": params.log2_p_fail(),
            "isa": bootes::isa().to_string(),
            "runs": runs,
            "clock": "CPU time",
        }))
    }
}
