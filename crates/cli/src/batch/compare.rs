//! Which engine: both predicted for one table and one number of values.

use bootes::fhew::{Candidate, Prediction};
use bootes::{FailureTarget, Lut, MaskStorage, ckks};
use serde_json::{Value, json};

use crate::args::{Engine, RunArgs};
use crate::error::CliError;
use crate::report;
use crate::table::Table;

/// Fewer values are faster one by one, whatever the table: no prediction is needed.
const FEW: u64 = 100;

/// The engine that takes less time for `count` values on the threads of `run`, making keys included.
///
/// The named one, or the one of the named set; fhew where an option asks for what only it has, where the set that it
/// would take does not fit into the memory, and where its failure would be more likely than `--pfail` allows.
pub(crate) fn choose(args: &RunArgs, table: &Table, count: u64) -> Result<Engine, CliError> {
    let choice = &args.choice;
    let named = choice.params.as_deref().map(Engine::of_set);
    if let Some(engine) = args.engine.or(named) {
        return Ok(engine);
    }
    let bits = choice.bits.unwrap_or(1).max(table.in_bits()).max(table.out_bits());
    if args.algorithm.is_some() || count < FEW {
        return Ok(Engine::Fhew);
    }
    let (Ok(params), Ok(lut)) = (super::choose(choice, bits), table.batch()) else { return Ok(Engine::Fhew) };
    let load = ckks::Load::new(&params, count as usize, args.threads.here());
    let batch = ckks::Prediction::within(&params, &[lut], load, args.masks.storage(), args.memory.bytes());
    let Ok(batch) = batch else { return Ok(Engine::Fhew) };
    let target = choice.pfail.unwrap_or(FailureTarget::Two128);
    let single = least(&table.candidates(target), count, args.threads.here());
    let wins = single.is_none_or(|single| batch.elapsed_for_keys() + batch.elapsed_for(count) < single);
    Ok(if wins { Engine::Ckks } else { Engine::Fhew })
}

/// Seconds of the fastest candidate, keys included.
fn least(candidates: &[Candidate], count: u64, threads: usize) -> Option<f64> {
    let predictions = candidates.iter().filter_map(|c| c.outcome.as_ref().ok());
    predictions.map(|p| p.elapsed_for_keys() + p.elapsed_for(count, threads)).reduce(f64::min)
}

/// What the batch engine would do with a table of some size.
pub(crate) struct Row {
    params: ckks::Params,
    prediction: ckks::Prediction,
    /// From so many values on it is the faster engine, keys being there; `None` if never, or if nothing else can do it.
    crossover: Option<u64>,
    /// What there is to compare with.
    single: Option<Prediction>,
}

/// The batch engine for an unstructured table on `size` residues beside values one by one, for so many values on so
/// many threads.
pub(crate) fn row(
    name: Option<&str>,
    size: u64,
    single: Option<Prediction>,
    count: Option<u64>,
    threads: usize,
) -> Result<Row, CliError> {
    let params = super::set_for(name, size.next_power_of_two().ilog2())?;
    let lut = match size <= 256 {
        true => Lut::unstructured_modulo(size),
        false => Lut::wide((0..size).map(|x| (x * x % size + 7 * x) % size).collect())
            .map_err(|error| CliError::new(error.to_string()))?,
    };
    let load = ckks::Load::new(&params, count.unwrap_or(1) as usize, threads);
    let prediction = ckks::Prediction::with_storage(&params, &[lut], load, MaskStorage::Expanded)?;
    let crossover =
        single.and_then(|single| ckks::crossover(&prediction, |count| single.elapsed_for(count, threads), 0.0));
    Ok(Row { params, prediction, crossover, single })
}

impl Row {
    /// The engine for so many values, and why. `pfail` and the `limit` of memory in bytes are what was asked for.
    pub(crate) fn recommended(&self, count: u64, pfail: Option<FailureTarget>, limit: Option<f64>) -> (Engine, String) {
        if limit.is_some_and(|limit| self.memory() as f64 > limit) {
            return (Engine::Fhew, format!("fits: engine ckks takes {} of memory", report::size(self.memory())));
        }
        let failure = self.failure();
        if pfail.is_some_and(|target| failure > f64::from(target.log2())) {
            let found = report::probability(failure);
            return (Engine::Fhew, format!("keeps --pfail: engine ckks fails with probability {found} a ciphertext"));
        }
        let threads = self.prediction.threads;
        let batch = self.prediction.elapsed_for(count);
        let Some(single) = self.single.map(|single| single.elapsed_for(count, threads)) else {
            return (Engine::Ckks, "can do it alone".to_string());
        };
        let engine = if batch < single { Engine::Ckks } else { Engine::Fhew };
        let [less, more] = [batch.min(single), batch.max(single)].map(super::seconds);
        let on = crate::commands::run::threads_in_words(threads);
        (engine, format!("takes less time, keys being there: {less} instead of {more} on {on}"))
    }

    /// log2 of the probability that a value is wrong.
    fn failure(&self) -> f64 {
        self.prediction.log2_failure
    }

    /// The peak of memory, in bytes.
    pub(crate) fn memory(&self) -> u64 {
        self.prediction.memory.peak()
    }

    /// A table of one line and its head.
    pub(crate) fn in_words(&self, count: Option<u64>) -> String {
        let p = &self.prediction;
        let mut head = ["engine", "parameters", "values", "a ciphertext", "a value"].map(String::from).to_vec();
        let mut row = vec![
            "ckks".to_string(),
            self.params.name().to_string(),
            p.capacity.to_string(),
            super::seconds(p.seconds),
            super::seconds(p.seconds / p.capacity as f64),
        ];
        if let Some(count) = count {
            head.push(format!("{count} values"));
            row.push(super::seconds(p.seconds_for(count)));
        }
        head.extend(["key", "memory", "keys made in", "failure", "faster"].map(String::from));
        row.extend([
            report::size(p.stored_bytes),
            report::size(self.memory()),
            super::seconds(p.key_seconds),
            report::probability(self.failure()),
            match (self.crossover, self.single.is_some()) {
                (Some(count), _) => format!("from {count} values on"),
                (None, true) => "never".to_string(),
                (None, false) => "-".to_string(),
            },
        ]);
        let sides = if count.is_some() { "llrrrrrrrrl" } else { "llrrrrrrrl" };
        report::columns(sides, &[head, row])
    }

    /// The same in JSON.
    pub(crate) fn to_json(&self, count: Option<u64>) -> Value {
        let p = &self.prediction;
        json!({
            "engine": "ckks",
            "params": self.params.name(),
            "capacity": p.capacity,
            "ciphertext_s": p.seconds,
            "per_value_ms": p.seconds * 1e3 / p.capacity as f64,
            "total_s": count.map(|count| p.seconds_for(count)),
            "elapsed_s": count.map(|count| p.elapsed_for(count)),
            "threads": p.threads,
            "keygen_s": p.key_seconds,
            "expand_s": p.prepare_seconds,
            "server_key_bytes": p.stored_bytes,
            "memory_bytes": self.memory(),
            "key_memory_bytes": p.memory.keys,
            "workspace_bytes": p.memory.workspace,
            "log2_failure": p.log2_failure,
            "security_bits": super::security(&self.params),
            "crossover_count": self.crossover,
        })
    }
}
