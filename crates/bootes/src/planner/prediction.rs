//! Predictions of an evaluation, before there are keys.
use crate::engines::of::{each, named};
use crate::engines::{self, EngineParams};
use crate::memory::{Room, available_memory};
use crate::{Engine, Error, FailureTarget, IntegerOp, Lut, MaskStorage, Objective, Params, Program};

/// The values that there are to evaluate, and the means: threads, memory, keys, bandwidth.
///
/// ```
/// # fn main() -> Result<(), bootes::Error> {
/// use bootes::{Load, Lut, Params};
/// let (params, lut) = (Params::for_bits(4)?, Lut::modular((0..16).rev().collect(), 16)?);
/// let load = Load { threads: 1, ..Load::of(1000) };
/// let prediction = params.predict(&lut, &load)?;
/// assert!(prediction.seconds > 0.0 && prediction.log2_p_fail <= -128.0);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// Values.
    pub values: usize,
    /// Threads.
    pub threads: usize,
    /// Bytes of memory at most: any number if there is none.
    pub memory: Option<u64>,
    /// Whether engine ckks keeps the masks of its keys: if there is memory, unless this says it.
    pub masks: Option<MaskStorage>,
    /// Whether keys are there, made, sent and expanded, when the job begins.
    pub has_keys: bool,
    /// Bytes a second between client and server, which what is not there yet takes, besides being written and read:
    /// infinite where nothing is sent.
    pub bytes_per_second: f64,
}

/// Nanoseconds of one thread that a byte of a key's file takes on both sides: residues are packed and unpacked, and a
/// checksum is made and compared, by a processor's instructions for SHA-256.
const BYTE_NS: f64 = 2.7;

impl Load {
    /// The most values that the command and the Python package predict for. Sizes of more than 2^64 bytes are told as
    /// 2^64 - 1.
    pub const MAX_VALUES: u64 = 1_000_000_000_000;

    /// The most threads: with more, as with so many.
    pub const MAX_THREADS: usize = 1024;

    /// So many values on as many threads as there are here, in any memory.
    pub fn of(values: usize) -> Self {
        let threads = crate::threads::useful(usize::MAX);
        Self { values, threads, memory: None, masks: None, has_keys: false, bytes_per_second: f64::INFINITY }
    }

    /// So many values on this machine: its threads, and the memory that it has now.
    pub fn here(values: usize) -> Self {
        Self { memory: available_memory(), ..Self::of(values) }
    }

    /// Seconds until so many bytes are written, sent and read.
    pub(crate) fn sending_seconds(&self, bytes: f64) -> f64 {
        match self.bytes_per_second.is_finite() {
            true => bytes * (1.0 / self.bytes_per_second + BYTE_NS * 1e-9),
            false => 0.0,
        }
    }

    /// The memory that it allows.
    pub(crate) fn room(&self) -> Room {
        Room { available: None, limit: self.memory }
    }
}

/// Time, memory, bytes and failure of a function on so many fresh values: [`Params::predict`](crate::Params::predict).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Prediction {
    /// Blind rotations a value, with engine fhew.
    pub rotations: Option<usize>,
    /// Standard deviation of the results' noise as a fraction of the torus, with engine fhew.
    pub output_std: Option<f64>,
    /// Values that take the time of one.
    pub capacity: usize,
    /// Seconds of one value alone, on as many threads as its parts keep busy.
    pub latency_seconds: f64,
    /// Seconds until all values are evaluated, keys being there.
    pub seconds: f64,
    /// The same of all threads together.
    pub cpu_seconds: f64,
    /// Seconds until the keys are made.
    pub key_seconds: f64,
    /// The same of all threads together.
    pub key_cpu_seconds: f64,
    /// Seconds until the server key is expanded.
    pub expand_seconds: f64,
    /// Seconds until all values are encrypted.
    pub encrypt_seconds: f64,
    /// Seconds until all results are decrypted.
    pub decrypt_seconds: f64,
    /// Seconds of the whole job: keys where there are none, encryption, evaluation and decryption, and what is sent.
    pub job_seconds: f64,
    /// Bytes of the server key in a file.
    pub key_bytes: u64,
    /// Bytes of all fresh ciphertexts in a file, of one operand.
    pub input_bytes: u64,
    /// Bytes of all results in a file.
    pub result_bytes: u64,
    /// Peak of what the server holds, with engine ckks: keys, ciphertexts and workspace; with fhew, keys and the plan,
    /// or the keys and what is stored of them while they are expanded.
    pub memory: Memory,
    /// Ciphertexts that are evaluated side by side.
    pub together: usize,
    /// Whether masks are kept.
    pub masks: MaskStorage,
    /// log2 of the probability that a value is wrong.
    pub log2_p_fail: f64,
}

/// Bytes of memory, by what they are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Keys, expanded.
    pub keys: u64,
    /// Tables of transforms; with engine fhew the plan, with its tables.
    pub tables: u64,
    /// Ciphertexts and workspace; with engine fhew what is stored of the keys while they are expanded, where that is
    /// more than the plan takes later.
    pub workspace: u64,
}

impl Memory {
    /// All of it.
    pub fn peak(&self) -> u64 {
        self.keys.saturating_add(self.tables).saturating_add(self.workspace)
    }

    /// That of two plans by the same keys: of the workspace what their tables leave.
    fn and(self, other: Self) -> Self {
        let workspace = self.workspace.saturating_sub(other.tables);
        Self { tables: self.tables + other.tables, workspace, ..self }
    }
}

impl Prediction {
    /// One after the other, with the same keys and inputs.
    pub(crate) fn and(self, other: Self) -> Self {
        let more = other.seconds + other.decrypt_seconds;
        Self {
            seconds: self.seconds + other.seconds,
            cpu_seconds: self.cpu_seconds + other.cpu_seconds,
            decrypt_seconds: self.decrypt_seconds + other.decrypt_seconds,
            job_seconds: self.job_seconds + more,
            result_bytes: self.result_bytes.saturating_add(other.result_bytes),
            log2_p_fail: self.log2_p_fail.max(other.log2_p_fail),
            memory: self.memory.and(other.memory),
            ..self
        }
    }

    /// The same where all takes `pace` times as long.
    pub(crate) fn at_pace(self, pace: f64, load: &Load) -> Self {
        let result = Self {
            latency_seconds: self.latency_seconds * pace,
            seconds: self.seconds * pace,
            cpu_seconds: self.cpu_seconds * pace,
            key_seconds: self.key_seconds * pace,
            key_cpu_seconds: self.key_cpu_seconds * pace,
            expand_seconds: self.expand_seconds * pace,
            encrypt_seconds: self.encrypt_seconds * pace,
            decrypt_seconds: self.decrypt_seconds * pace,
            ..self
        };
        if pace == 1.0 { self } else { result.with_job(load) }
    }

    /// The prediction for this machine: if the job takes a second or more, corrected by the measurement of
    /// [`planner::choose_here`](crate::planner::choose_here).
    #[must_use]
    pub fn here(self, engine: Engine, load: &Load) -> Self {
        if self.job_seconds < super::WORTH { self } else { self.at_pace(engine.world().pace(), load) }
    }

    /// The same with the time of the whole job.
    pub(crate) fn with_job(self, load: &Load) -> Self {
        let (keys, sent) = match load.has_keys {
            true => (0.0, 0),
            false => (self.key_seconds + self.expand_seconds, self.key_bytes),
        };
        let sent = load.sending_seconds(sent as f64 + self.input_bytes as f64 + self.result_bytes as f64);
        Self { job_seconds: keys + self.encrypt_seconds + self.seconds + self.decrypt_seconds + sent, ..self }
    }
}

impl Params {
    /// The prediction of `lut` on fresh values with these parameters, by the algorithm of least predicted time.
    ///
    /// # Errors
    /// [`Error::Lut`]: the refusal of the table; [`Error::Noise`] with engine fhew, with the noise that there is and
    /// that there may be;
    /// [`Error::Memory`] if it would take more than there is, or than `load` allows.
    pub fn predict(&self, lut: &Lut, load: &Load) -> Result<Prediction, Error> {
        each!(&self.0, params => params.predict(lut, load))
    }

    /// The prediction of a function of fresh integers of `width` bits with these parameters.
    ///
    /// # Errors
    /// [`Error::Width`], [`Error::Lut`], [`Error::NotWith`] for integers that the set does not hold;
    /// [`Error::Memory`] if it would take more than there is, or than `load` allows.
    pub fn predict_integers(&self, op: IntegerOp, width: u32, load: &Load) -> Result<Prediction, Error> {
        each!(&self.0, params => params.predict_integers(op, width, load))
    }

    /// Whether a server with keys of this set evaluates `lut` on fresh ciphertexts, whatever its memory.
    ///
    /// # Errors
    /// [`Error::Lut`]: the refusal, with the noise there is and the noise there may be.
    pub fn check(&self, lut: &Lut) -> Result<(), Error> {
        self.predict(lut, &Load::of(1)).map(drop)
    }

    /// Every algorithm of the engine with this set, and what each would take, as [`candidates`].
    pub fn candidates(&self, lut: &Lut, load: &Load) -> Vec<Candidate> {
        let load = Load { memory: None, ..*load };
        let all = each!(&self.0, params => EngineParams::candidates(params, lut, &load)).into_iter();
        all.map(|(algorithm, outcome)| Candidate { params: self.clone(), algorithm, outcome }).collect()
    }

    /// Bytes of memory that making a server key takes, additional ones aside.
    ///
    /// # Errors
    /// [`Error::Lut`], [`Error::Ckks`].
    pub fn key_memory(&self) -> Result<u64, Error> {
        each!(&self.0, params => params.key_memory())
    }

    /// Whether a server key, additional ones aside, can be made in `memory` bytes and in what the system has: what is
    /// far too much is refused before it is known how much it is, which takes memory, too.
    ///
    /// # Errors
    /// [`Error::Memory`]; [`Error::Lut`], [`Error::Ckks`].
    pub fn check_key_memory(&self, memory: Option<u64>) -> Result<(), Error> {
        each!(&self.0, params => params.check_key_memory(Room::now(memory)))
    }

    /// Whether a program on fresh vectors fits, in the memory of `load` and in what the system has: its keys, the
    /// vectors, and what evaluation is predicted to take. What is missing is told as the largest of these, unless it is
    /// far too little to know them.
    ///
    /// # Errors
    /// [`Error::Memory`]; those of [`Server::plan`](crate::Server::plan); [`Error::NotWith`] for other engines than
    /// bfv.
    pub fn check_program_memory(&self, program: &Program, load: &Load) -> Result<(), Error> {
        each!(&self.0, params => params.check_program_memory(program, load, Room::now(load.memory)))
    }

    /// Bytes of memory that fresh ciphertexts of so many residues take.
    pub fn fresh_bytes(&self, values: usize) -> u64 {
        each!(&self.0, params => params.fresh_bytes(values))
    }
}

/// An algorithm with a parameter set, for a table on fresh inputs: see [`candidates`].
#[derive(Debug)]
pub struct Candidate {
    /// The set.
    pub params: Params,
    /// Name of the algorithm.
    pub algorithm: String,
    /// The prediction, or the reason why there is none.
    pub outcome: Result<Prediction, Error>,
}

/// Every algorithm of an engine with every default set of this failure probability that holds the table, and what each
/// would take: with engine ckks a table as a whole, or the digits of least predicted time. Memory is not looked at.
///
/// ```
/// use bootes::{Engine, FailureTarget, Load, Lut};
/// let lut = Lut::modular((0..16).rev().collect(), 16).unwrap();
/// let all = bootes::candidates(Engine::Fhew, &lut, FailureTarget::Two128, &Load::of(1000));
/// assert!(all.iter().any(|candidate| candidate.outcome.is_ok()));
/// ```
pub fn candidates(engine: Engine, lut: &Lut, target: FailureTarget, load: &Load) -> Vec<Candidate> {
    let sets = named!(engine, E => <E as engines::Engine>::Params::candidates_for(lut, target));
    let sets = sets.each(Params).into_iter();
    sets.flat_map(|set| set.candidates(lut, load)).collect()
}

/// The least number of values from which on `many` takes less time than `few`, for the algorithm of least time of each
/// and on the threads of `load`, keys being there; `None` if it never does, or not for the first 4096 ciphertexts.
///
/// # Errors
/// As [`Params::predict`].
pub fn crossover(few: &Params, many: &Params, lut: &Lut, load: &Load) -> Result<Option<u64>, Error> {
    let [few, faster] = [few, many].map(|params| each!(&params.0, params => params.elapsed(lut, load)));
    Ok(crossing(many.capacity() as u64, faster?, few?))
}

/// The least count from which on `many`, a step each `capacity`, is less than `few`, which grows with the count.
fn crossing(capacity: u64, many: impl Fn(u64) -> f64, few: impl Fn(u64) -> f64) -> Option<u64> {
    let faster = |count: u64| many(count) < few(count);
    // All values of a ciphertext take the same time, full or not: if any number in it is not faster, its first is not.
    let first = |ciphertext: u64| ciphertext * capacity + 1;
    if !faster(first(MOST_CIPHERTEXTS)) {
        return None;
    }
    let Some(slower) = (0..MOST_CIPHERTEXTS).rev().find(|&ciphertext| !faster(first(ciphertext))) else {
        return Some(1);
    };
    let (mut low, mut high) = (first(slower), first(slower + 1));
    while high - low > 1 {
        let middle = low.midpoint(high);
        if faster(middle) { high = middle } else { low = middle }
    }
    Some(high)
}

/// The most ciphertexts that crossovers are looked for at.
const MOST_CIPHERTEXTS: u64 = 4096;

impl Prediction {
    /// Less is better: the objective, then time.
    pub fn score(&self, objective: Objective) -> [f64; 2] {
        let first = match objective {
            Objective::Throughput => self.cpu_seconds,
            Objective::Latency => self.latency_seconds,
            Objective::KeySize => self.key_bytes as f64,
            Objective::Noise => self.output_std.unwrap_or(0.0),
        };
        [first, self.cpu_seconds]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A byte takes time to write and read, and more over a slower line; where nothing is sent, none.
    #[test]
    fn what_is_sent_is_in_the_job() -> Result<(), Error> {
        let (params, lut) = (Params::for_bits(2)?, Lut::unstructured(2));
        let job = |bytes_per_second| {
            let load = Load { threads: 1, bytes_per_second, ..Load::of(10) };
            params.predict(&lut, &load).map(|prediction| prediction.job_seconds)
        };
        let [none, memory, line] = [job(f64::INFINITY)?, job(1e10)?, job(1e7)?];
        assert!(memory > none + 0.02 && line > memory + 1.0, "{none} {memory} {line}");
        Ok(())
    }

    /// Masks that only a server keeps are made by the server.
    #[test]
    fn keys_take_as_long_to_make_whatever_is_kept() -> Result<(), Error> {
        let (params, lut) = (Params::on(Engine::Bfv, 17, FailureTarget::Two128)?, Lut::unstructured_modulo(17));
        let of = |masks| params.predict(&lut, &Load { threads: 1, masks: Some(masks), ..Load::of(10) });
        let [kept, seeds] = [of(MaskStorage::Expanded)?, of(MaskStorage::Seeded)?];
        assert_eq!(kept.key_seconds, seeds.key_seconds);
        assert!(kept.expand_seconds > seeds.expand_seconds && kept.key_bytes == seeds.key_bytes);
        Ok(())
    }

    #[test]
    fn crossovers_are_where_the_lines_cross() {
        let capacity = 1000;
        let many = |seconds: f64, setup: f64| move |count: u64| setup + seconds * count.div_ceil(capacity) as f64;
        for (each, setup) in [(0.5, 0.0), (0.01, 0.0), (0.01, 5.0), (0.002, 20.0)] {
            let few = |count: u64| count as f64 * each;
            let slower = (1..200_000u64).rev().find(|&n| many(1.0, setup)(n) >= few(n));
            assert_eq!(crossing(capacity, many(1.0, setup), few), Some(slower.unwrap_or(0) + 1), "{each} {setup}");
        }
        assert_eq!(crossing(capacity, many(1.0, 0.0), |count| count as f64 * 1e-9), None);
        // A machine whose residues are slower gains later.
        let few = |count: u64| count as f64 * 0.01;
        assert!(crossing(capacity, many(3.0, 0.0), few) > crossing(capacity, many(1.0, 0.0), few));
    }
}
