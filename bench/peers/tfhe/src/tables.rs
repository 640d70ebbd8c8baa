//! Our evaluation of a random table, or of a function of integers, against the `tfhe` crate's default bootstrap, by turns.
use crate::clock::{Times, median, time};
use bootes::{Ciphertexts, Client, Engine, FailureTarget, Function, IntegerOp, Lut, Params, Plan, Server};
use serde_json::{Value, json};
use tfhe::shortint::gen_keys;
use tfhe::shortint::parameters::current_params::V1_8_PARAM_MESSAGE_2_CARRY_2_KS_PBS_GAUSSIAN_2M128 as PEER_PARAMS;
use tfhe::shortint::prelude::{Ciphertext, ClientKey, ServerKey};
use tfhe::shortint::server_key::LookupTableOwned;

/// Values of one of our evaluations.
const BATCH: usize = 16;
/// Name of the row of integers, and their width.
const RELU: &str = "relu-16-128";
const RELU_BITS: u32 = 16;
/// Name of the row of functions of two bytes, a table of 2^16 entries whose results are bytes.
const BYTES: &str = "two-bytes";
/// How many further tables of the same values are evaluated, in rows of those.
const FURTHER: usize = 4;
/// Those rows: bits of inputs and results, and the most that a further table should take.
const FURTHER_ROWS: [(&str, u32, u32, f64); 4] = [
    ("12-bit-further", 12, 12, 0.1),
    ("16-bit-further", 16, 16, 0.3),
    ("12-bit-further-4", 12, 4, 0.1),
    ("16-bit-further-4", 16, 4, 0.3),
];
/// Bootstraps of the peer before and as many after each of our evaluations.
const PEER_BOOTSTRAPS: usize = 4;

/// The peer: default parameters with 2 bits of message and 2 of carry, and a table on them.
pub struct Peer {
    client: ClientKey,
    server: ServerKey,
    table: LookupTableOwned,
}

impl Peer {
    /// Bootstraps of a run.
    pub const BOOTSTRAPS: usize = PEER_BOOTSTRAPS;

    pub fn new() -> Self {
        let (client, server) = gen_keys(PEER_PARAMS);
        let table = server.generate_lookup_table(peer_function);
        Self { client, server, table }
    }

    /// Times bootstraps of fresh encryptions; a wrong result is an error.
    pub fn run(&self, random: &mut SplitMix) -> Result<Times, String> {
        let values: Vec<u64> = (0..PEER_BOOTSTRAPS).map(|_| random.below(4)).collect();
        let inputs: Vec<Ciphertext> = values.iter().map(|&v| self.client.encrypt(v)).collect();
        let (outputs, times) =
            time(|| inputs.iter().map(|c| self.server.apply_lookup_table(c, &self.table)).collect::<Vec<_>>());
        for (&value, output) in values.iter().zip(&outputs) {
            let (found, expected) = (self.client.decrypt(output), peer_function(value));
            if found != expected {
                return Err(format!("the peer returned {found} for {value}, expected {expected}"));
            }
        }
        Ok(times)
    }
}

fn peer_function(x: u64) -> u64 {
    (3 * x + 1) % 4
}

/// What we evaluate on each value.
#[derive(Clone)]
enum Work {
    /// A random table.
    Table(Vec<u64>),
    /// One of a table of results of fewer bits: these bits.
    Narrow(Vec<u64>, u32),
    /// A further table of the same values: what several take longer than one, of results of so many bits.
    Further(Vec<Vec<u64>>, u32),
    /// The larger of 0 and an integer of [`RELU_BITS`] bits.
    Relu,
}

impl Work {
    /// What is evaluated, and what takes less, whose time does not count.
    fn plans(&self, bits: u32, server: &Server, inputs: &Ciphertexts) -> Result<(Plan, Option<Plan>), String> {
        let text = |e: bootes::Error| e.to_string();
        let lut = |table: &Vec<u64>, bits| Lut::new(table.clone(), bits).map_err(|e| e.to_string());
        let function: Function = match self {
            Self::Table(table) => lut(table, bits)?.into(),
            Self::Narrow(table, bits) => lut(table, *bits)?.into(),
            Self::Relu => IntegerOp::Relu.into(),
            Self::Further(tables, bits) => {
                let luts = tables.iter().map(|table| lut(table, *bits)).collect::<Result<Vec<_>, _>>()?;
                let plan = |luts: &[Lut]| server.plan(Function::Tables(luts.to_vec()), inputs).map_err(text);
                return Ok((plan(&luts)?, Some(plan(&luts[..1])?)));
            }
        };
        Ok((server.plan(function, inputs).map_err(text)?, None))
    }

    /// How many of what the row tells a value is given.
    fn count(&self) -> usize {
        if let Self::Further(..) = self { FURTHER } else { 1 }
    }

    /// The table of the first result.
    fn first(&self) -> Option<&[u64]> {
        match self {
            Self::Table(table) | Self::Narrow(table, _) => Some(table),
            Self::Further(tables, _) => Some(&tables[0]),
            Self::Relu => None,
        }
    }

    fn input(&self, random: &mut SplitMix) -> i64 {
        match self.first() {
            Some(table) => random.below(table.len() as u64) as i64,
            None => random.below(1 << RELU_BITS) as i64 - (1 << (RELU_BITS - 1)),
        }
    }

    /// The results of a value.
    fn expected(&self, value: i64) -> Vec<i64> {
        match self {
            Self::Table(table) | Self::Narrow(table, _) => vec![table[value as usize] as i64],
            Self::Further(tables, _) => tables.iter().map(|table| table[value as usize] as i64).collect(),
            Self::Relu => vec![value.max(0)],
        }
    }

    fn encrypt(&self, client: &Client, values: &[i64]) -> Result<Ciphertexts, bootes::Error> {
        match self.first() {
            Some(table) => {
                client.encrypt_modulo(&values.iter().map(|&v| v as u64).collect::<Vec<_>>(), table.len() as u64)
            }
            None => client.encrypt_integers(values, RELU_BITS),
        }
    }
}

/// What is to be measured: a default set of ours, or a named one.
pub struct Row {
    pub name: String,
    params: Params,
    work: Work,
    /// Ratios that must and should be reached.
    targets: [Option<f64>; 2],
}

impl Row {
    /// The names of all rows.
    pub fn names() -> Vec<String> {
        let row = |suffix: &'static str| (1..=8).chain([12, 16]).map(move |bits| format!("{bits}-bit{suffix}"));
        let further = FURTHER_ROWS.iter().map(|(name, ..)| name.to_string());
        row("").chain(row("-128")).chain(further).chain([BYTES.to_string(), RELU.to_string()]).collect()
    }

    /// The row "B-bit" (failure 2^-64), "B-bit-128" (2^-128), "relu-16-128", or of the parameter set called `name`.
    pub fn by_name(name: &str) -> Result<Self, String> {
        if name == RELU {
            let params = Params::for_integers(RELU_BITS).map_err(|e| format!("row {name}: {e}"))?;
            return Ok(Self { name: name.to_string(), params, work: Work::Relu, targets: [Some(1.9), None] });
        }
        if name == BYTES {
            let params =
                Params::on(Engine::Fhew, 1 << 16, FailureTarget::Two64).map_err(|e| format!("row {name}: {e}"))?;
            let work = Work::Narrow(random_table(16, 8), 8);
            return Ok(Self { name: name.to_string(), params, work, targets: [Some(5.0), Some(4.0)] });
        }
        if let Some(&(_, bits, out_bits, target)) = FURTHER_ROWS.iter().find(|(own, ..)| *own == name) {
            let params = Params::on(Engine::Fhew, 1 << bits, FailureTarget::Two64);
            let params = params.map_err(|e| format!("row {name}: {e}"))?;
            let tables = (0..=FURTHER as u64).map(|number| numbered_table(bits, out_bits, number)).collect();
            let (work, targets) = (Work::Further(tables, out_bits), [Some(target), Some(target / 2.0)]);
            return Ok(Self { name: name.to_string(), params, work, targets });
        }
        let (text, target) = match name.strip_suffix("-128") {
            Some(text) => (text, FailureTarget::Two128),
            None => (name, FailureTarget::Two64),
        };
        let bits: Option<u32> = text.strip_suffix("-bit").and_then(|bits| bits.parse().ok());
        let (params, targets) = match bits {
            Some(bits @ ..=8) => (Params::for_bits_with(bits, target), targets(bits, target)),
            Some(bits) => (Params::on(Engine::Fhew, 1 << bits, target), targets(bits, target)),
            None => (Params::named(name), [None; 2]),
        };
        let params = params.map_err(|e| format!("row {name}: {e}"))?;
        let bits = bits.unwrap_or(params.bits());
        let work = Work::Table(random_table(bits, bits));
        Ok(Self { name: name.to_string(), params, work, targets })
    }

    /// Measures the row: `runs` rounds of peer, ours, peer.
    pub fn measure(&self, peer: &Peer, runs: usize) -> Result<Value, String> {
        let message = |e: bootes::Error| format!("row {}: {e}", self.name);
        let bits = self.work.first().map_or(self.params.bits(), |table| table.len().ilog2());
        let mut random = SplitMix(u64::from(bits));

        let client = Client::generate(&self.params).map_err(message)?;
        let key = client.server_key().map_err(message)?;
        let stored_bytes = key.stored_bytes();
        let server = Server::builder(key).threads(1).build().map_err(message)?;
        let fresh = self.work.encrypt(&client, &[0]).map_err(message)?;
        let (plan, less) = self.work.plans(bits, &server, &fresh)?;

        let mut rounds = Vec::with_capacity(runs);
        // The first round warms caches and plans, and does not count.
        for round in 0..=runs {
            let values: Vec<i64> = (0..BATCH).map(|_| self.work.input(&mut random)).collect();
            let inputs = self.work.encrypt(&client, &values).map_err(message)?;
            let before = peer.run(&mut random)?;
            let (outputs, mut ours) = time(|| server.run(&plan, &inputs));
            if let Some(less) = &less {
                let (outputs, others) = time(|| server.run(less, &inputs));
                outputs.map_err(message)?;
                ours = Times { cpu: ours.cpu - others.cpu, wall: ours.wall - others.wall };
            }
            let after = peer.run(&mut random)?;
            let expected: Vec<Vec<i64>> = values.iter().map(|&v| self.work.expected(v)).collect();
            for (result, output) in outputs.map_err(message)?.iter().enumerate() {
                let found = client.decrypt(output).map_err(message)?;
                if found.iter().zip(&expected).any(|(found, expected)| *found != expected[result]) {
                    return Err(format!("row {}: we returned {found:?} for {values:?}: {expected:?}", self.name));
                }
            }
            if round > 0 {
                let value = 1e3 / (BATCH * self.work.count()) as f64;
                let bootstrap = 1e3 / (2 * PEER_BOOTSTRAPS) as f64;
                rounds.push([
                    ours.cpu * value,
                    ours.wall * value,
                    (before.cpu + after.cpu) * bootstrap,
                    (before.wall + after.wall) * bootstrap,
                ]);
            }
        }
        let column = |i: usize| median(rounds.iter().map(|r| r[i]));
        let ratios: Vec<f64> = rounds.iter().map(|r| r[0] / r[2]).collect();
        let ratio = median(ratios.iter().copied());
        Ok(json!({
            "row": self.name,
            "ours_ms": column(0),
            "peer_ms": column(2),
            "ratio": ratio,
            "ratio_min": ratios.iter().copied().fold(f64::INFINITY, f64::min),
            "ratio_max": ratios.iter().copied().fold(0.0, f64::max),
            "ratio_wall": median(rounds.iter().map(|r| r[1] / r[3])),
            "ours_cpu_ms": column(0),
            "ours_wall_ms": column(1),
            "peer_cpu_ms": column(2),
            "peer_wall_ms": column(3),
            "runs": runs,
            "batch": BATCH,
            "params": self.params.name(),
            "algorithm": plan.algorithms().concat(),
            "rotations": plan.rotations(),
            "log2_p_fail": plan.log2_p_fail(),
            "server_key_bytes": stored_bytes,
            "target_ratio": self.targets[0],
            "aim_ratio": self.targets[1],
            "meets_target": self.targets[0].map(|target| ratio <= target),
            "correct": true,
            "peer": "tfhe 1.8.2, 2_2 KS_PBS_GAUSSIAN_2M128",
            "isa": bootes::isa().to_string(),
        }))
    }
}

/// A random table, the same in every run.
fn random_table(in_bits: u32, out_bits: u32) -> Vec<u64> {
    numbered_table(in_bits, out_bits, 0)
}

/// That of this number.
fn numbered_table(in_bits: u32, out_bits: u32, number: u64) -> Vec<u64> {
    let mut random = SplitMix(0x9e37_79b9 ^ u64::from(in_bits) ^ number << 32);
    (0..1 << in_bits).map(|_| random.below(1 << out_bits)).collect()
}

/// What the project asks of itself: at most, and aim.
fn targets(bits: u32, target: FailureTarget) -> [Option<f64>; 2] {
    match (target, bits) {
        (FailureTarget::Two64, 4) => [Some(0.40), Some(0.25)],
        (FailureTarget::Two64, 5) => [Some(0.55), Some(0.40)],
        (FailureTarget::Two64, 6) => [Some(1.0), Some(0.7)],
        (FailureTarget::Two64, 7) => [Some(2.3), Some(1.5)],
        (FailureTarget::Two64, 8) => [Some(4.5), Some(3.0)],
        (FailureTarget::Two64, 12) => [Some(4.5), Some(3.5)],
        (FailureTarget::Two64, 16) => [Some(9.0), Some(7.0)],
        (FailureTarget::Two128, 4) => [Some(0.6), None],
        (FailureTarget::Two128, 5) => [Some(0.8), None],
        (FailureTarget::Two128, 6) => [Some(1.5), None],
        (FailureTarget::Two128, 7) => [Some(3.5), None],
        (FailureTarget::Two128, 8) => [Some(7.0), None],
        (FailureTarget::Two128, 16) => [Some(13.5), None],
        _ => [None; 2],
    }
}

/// A small generator of test inputs: the tables are the same in every run.
pub struct SplitMix(pub u64);

impl SplitMix {
    /// A number below `bound`, a power of two.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.up_to(bound - 1)
    }

    /// A value up to `largest`, which is 2^k - 1.
    pub fn up_to(&mut self, largest: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) & largest
    }
}
