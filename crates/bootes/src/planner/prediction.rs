//! What an evaluation takes, before there are keys.
use crate::engines::Of;
use crate::memory::{Room, available_memory, masks_that_fit};
use crate::threads::on_all_threads;
use crate::{
    Engine, Error, FailureTarget, Function, IntegerOp, Lut, MaskStorage, Objective, Params, Program, Space, bfv, ckks,
    fhew,
};

/// How much there is to evaluate, and with what.
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
    /// Bytes a second between client and server, which what is not there yet takes: infinite where nothing is sent.
    pub bytes_per_second: f64,
}

impl Load {
    /// So many values on as many threads as there are here, in any memory.
    pub fn of(values: usize) -> Self {
        let threads = crate::threads::useful(usize::MAX);
        Self { values, threads, memory: None, masks: None, has_keys: false, bytes_per_second: f64::INFINITY }
    }

    /// So many values on this machine: its threads, and the memory that it has now.
    pub fn here(values: usize) -> Self {
        Self { memory: available_memory(), ..Self::of(values) }
    }

    pub(crate) fn of_ckks(&self, params: &ckks::Params) -> ckks::Load {
        ckks::Load::new(params, self.values, self.threads)
    }
}

/// What a table on so many fresh values takes and promises: see [`Params::predict`](crate::Params::predict).
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
    /// Peak of what the server holds, with engine ckks: keys, ciphertexts and workspace; with fhew, the keys alone.
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
    /// Tables of transforms.
    pub tables: u64,
    /// Ciphertexts and workspace.
    pub workspace: u64,
}

impl Memory {
    /// All of it.
    pub fn peak(&self) -> u64 {
        self.keys + self.tables + self.workspace
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
            result_bytes: self.result_bytes + other.result_bytes,
            log2_p_fail: self.log2_p_fail.max(other.log2_p_fail),
            ..self
        }
    }

    /// The same with the time of the whole job.
    pub(crate) fn with_job(self, load: &Load) -> Self {
        let (keys, sent) = match load.has_keys {
            true => (0.0, 0),
            false => (self.key_seconds + self.expand_seconds, self.key_bytes),
        };
        let sent = (sent + self.input_bytes + self.result_bytes) as f64 / load.bytes_per_second;
        Self { job_seconds: keys + self.encrypt_seconds + self.seconds + self.decrypt_seconds + sent, ..self }
    }

    pub(crate) fn of_fhew(prediction: &fhew::Prediction, load: &Load) -> Self {
        let (values, keys) = (load.values as u64, prediction.keys);
        let result = Self {
            rotations: Some(prediction.rotations),
            output_std: Some(prediction.output_std),
            capacity: 1,
            latency_seconds: prediction.latency_seconds,
            seconds: prediction.elapsed_for(values, load.threads),
            cpu_seconds: prediction.for_count(values).seconds * values as f64,
            key_seconds: prediction.key_seconds,
            key_cpu_seconds: prediction.key_seconds,
            expand_seconds: prediction.expand_seconds,
            encrypt_seconds: prediction.encrypt_seconds * values as f64,
            decrypt_seconds: prediction.decrypt_seconds * values as f64,
            job_seconds: 0.0,
            key_bytes: keys.stored as u64,
            input_bytes: 8 * values,
            result_bytes: prediction.result_bytes * values,
            memory: Memory { keys: keys.memory as u64, tables: 0, workspace: 0 },
            together: load.threads,
            masks: MaskStorage::Expanded,
            log2_p_fail: prediction.log2_p_fail,
        };
        result.with_job(load)
    }

    pub(crate) fn of_ckks(prediction: &ckks::Prediction, load: &Load) -> Self {
        let (values, memory) = (load.values as u64, prediction.memory);
        let vectors = values.div_ceil(prediction.capacity.max(1));
        let result = Self {
            rotations: None,
            output_std: None,
            capacity: prediction.capacity as usize,
            latency_seconds: prediction.elapsed(prediction.seconds),
            seconds: prediction.elapsed_for(values),
            cpu_seconds: prediction.seconds_for(values),
            key_seconds: prediction.elapsed(prediction.key_seconds),
            key_cpu_seconds: prediction.key_seconds,
            expand_seconds: prediction.elapsed(prediction.prepare_seconds),
            encrypt_seconds: prediction.elapsed(prediction.encrypt_seconds) * vectors as f64,
            decrypt_seconds: prediction.elapsed(prediction.decrypt_seconds) * vectors as f64,
            job_seconds: 0.0,
            key_bytes: prediction.stored_bytes,
            input_bytes: prediction.input_bytes * vectors,
            // Their masks are no seeds.
            result_bytes: 2 * prediction.input_bytes * vectors,
            memory: Memory {
                keys: memory.keys,
                tables: memory.tables,
                workspace: memory.peak() - memory.keys - memory.tables,
            },
            together: prediction.together,
            masks: prediction.storage,
            log2_p_fail: prediction.log2_failure,
        };
        result.with_job(load)
    }
}

impl Params {
    /// What `lut` on fresh values takes with these parameters, by the algorithm of least predicted time, and promises.
    ///
    /// # Errors
    /// [`Error::Lut`]: the refusal of the table; [`Error::Noise`] with engine fhew, with the noise that there is and
    /// that there may be;
    /// [`Error::Memory`] if it would take more than there is, or than `load` allows.
    pub fn predict(&self, lut: &Lut, load: &Load) -> Result<Prediction, Error> {
        match &self.0 {
            Of::Fhew(params) => {
                let space = match lut.in_bits() > params.bits() {
                    true => Space::unsigned(lut.in_bits()),
                    false => Space::Modular(lut.in_modulus()),
                };
                let fresh = params.0.fresh_variance();
                let with_cure = |error| params.with_cure(error, &Function::from(lut), &[space], fresh);
                let prediction = params.predict(lut, None).map_err(with_cure)?;
                room(load).check(0, prediction.keys.memory as u64)?;
                Ok(Prediction::of_fhew(&prediction, load))
            }
            Of::Ckks(params) => Ok(Prediction::of_ckks(&batch(params, lut, load)?, load)),
            Of::Bfv(params) => bfv::predict(params, &bfv::Plan::tables(std::slice::from_ref(lut)), load, room(load)),
        }
    }

    /// What a function of fresh integers of `width` bits takes with these parameters, and promises.
    ///
    /// # Errors
    /// [`Error::Width`], [`Error::Lut`], [`Error::NotWith`] for integers that the set does not hold;
    /// [`Error::Memory`] if it would take more than there is, or than `load` allows.
    pub fn predict_integers(&self, op: IntegerOp, width: u32, load: &Load) -> Result<Prediction, Error> {
        match &self.0 {
            Of::Fhew(params) => {
                let prediction = params.predict_integers(op, width)?;
                room(load).check(0, prediction.keys.memory as u64)?;
                Ok(Prediction::of_fhew(&prediction, load))
            }
            Of::Ckks(params) => {
                let of =
                    |masks| ckks::Prediction::of_function(params, op, width, load.of_ckks(params), masks, room(load));
                Ok(Prediction::of_ckks(&on_all_threads(|| masks_that_fit(load.masks, of))?, load))
            }
            Of::Bfv(_) => Err(Error::not_with(&op.to_string(), Engine::Bfv)),
        }
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
        match &self.0 {
            Of::Fhew(params) => of_fhew(params.candidates(lut), &load),
            Of::Ckks(params) => {
                let candidate = |(algorithm, outcome): (String, Result<ckks::Prediction, Error>)| Candidate {
                    params: self.clone(),
                    algorithm,
                    outcome: outcome.map(|prediction| Prediction::of_ckks(&prediction, &load)),
                };
                let masks = load.masks.unwrap_or(MaskStorage::Expanded);
                match on_all_threads(|| ckks::Prediction::methods(params, lut, load.of_ckks(params), masks)) {
                    Ok(all) => all.into_iter().map(candidate).collect(),
                    Err(refusal) => vec![candidate(("functional bootstrapping".into(), Err(refusal)))],
                }
            }
            Of::Bfv(_) => vec![Candidate {
                params: self.clone(),
                algorithm: "polynomial modulo p".into(),
                outcome: self.predict(lut, &load),
            }],
        }
    }

    /// Bytes of memory that making a server key takes, additional ones aside.
    ///
    /// # Errors
    /// [`Error::Lut`], [`Error::Ckks`].
    pub fn key_memory(&self) -> Result<u64, Error> {
        match &self.0 {
            Of::Fhew(params) => Ok(fhew::KeySizes::of(params, &params.integer_keys()).stored as u64),
            Of::Ckks(params) => Ok(ckks::Memory::of_keys(params)?.peak()),
            Of::Bfv(params) => bfv::key_memory(params),
        }
    }

    /// Whether a server key, additional ones aside, can be made in `memory` bytes and in what the system has: what is
    /// far too much is refused before it is known how much it is, which takes memory, too.
    ///
    /// # Errors
    /// [`Error::Memory`]; [`Error::Lut`], [`Error::Ckks`].
    pub fn check_key_memory(&self, memory: Option<u64>) -> Result<(), Error> {
        let room = Room::now(memory);
        match &self.0 {
            Of::Bfv(params) => bfv::check_key_memory(params, room),
            _ => room.check(0, self.key_memory()?),
        }
    }

    /// Whether a program on fresh vectors fits, in the memory of `load` and in what the system has: its keys, the
    /// vectors, and what evaluation is predicted to take. What is missing is told as the largest of these, unless it is
    /// far too little to know them.
    ///
    /// # Errors
    /// [`Error::Memory`]; those of [`Server::plan`](crate::Server::plan); [`Error::NotWith`] for other engines than
    /// bfv.
    pub fn check_program_memory(&self, program: &Program, load: &Load) -> Result<(), Error> {
        match &self.0 {
            Of::Bfv(params) => bfv::check_program_memory(params, program, load, Room::now(load.memory)),
            _ => Err(Error::not_with("a program of vectors", self.engine())),
        }
    }

    /// Bytes of memory that fresh ciphertexts of so many residues take.
    pub fn fresh_bytes(&self, values: usize) -> u64 {
        match &self.0 {
            Of::Fhew(_) => 8 * values as u64,
            Of::Ckks(params) => ckks::fresh_bytes(params, values, 1),
            Of::Bfv(params) => bfv::fresh_bytes(params, values),
        }
    }
}

fn room(load: &Load) -> Room {
    Room { available: None, limit: load.memory }
}

fn batch(params: &ckks::Params, lut: &Lut, load: &Load) -> Result<ckks::Prediction, Error> {
    let (of, luts) = (load.of_ckks(params), std::slice::from_ref(lut));
    // Bounds of tables are found by all threads, of which the system may start few.
    on_all_threads(|| {
        masks_that_fit(load.masks, |masks| ckks::Prediction::in_room(params, luts, of, masks, room(load)))
    })
}

/// An algorithm with a parameter set, for a table on fresh inputs: see [`candidates`].
#[derive(Debug)]
pub struct Candidate {
    /// The set.
    pub params: Params,
    /// Name of the algorithm.
    pub algorithm: String,
    /// What it would do, or why it cannot.
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
    match engine {
        Engine::Ckks => {
            let sets = ckks::sets_for(lut.in_modulus()).unwrap_or_default();
            let sets = sets.into_iter().map(|set| Params(Of::Ckks(set))).filter(|set| set.promises(target).is_ok());
            sets.flat_map(|set| set.candidates(lut, load)).collect()
        }
        Engine::Fhew => of_fhew(fhew::candidates(lut, target), load),
        Engine::Bfv => {
            let set = Params::on(Engine::Bfv, lut.in_modulus(), target);
            set.into_iter().flat_map(|set| set.candidates(lut, load)).collect()
        }
    }
}

fn of_fhew(candidates: Vec<fhew::Candidate>, load: &Load) -> Vec<Candidate> {
    let of = |found: fhew::Candidate| Candidate {
        params: Params(Of::Fhew(found.params)),
        algorithm: found.algorithm,
        outcome: found.outcome.map(|prediction| Prediction::of_fhew(&prediction, load)).map_err(Error::from),
    };
    candidates.into_iter().map(of).collect()
}

/// The least number of values from which on `many` (engine ckks) takes less time than `few` (engine fhew), for the
/// algorithm of least time and on the threads of `load`, keys being there; `None` if it never does.
///
/// # Errors
/// As [`Params::predict`]; [`Error::OtherEngine`] for sets of other engines.
pub fn crossover(few: &Params, many: &Params, lut: &Lut, load: &Load) -> Result<Option<u64>, Error> {
    match (&few.0, &many.0) {
        (Of::Fhew(few), Of::Ckks(many)) => {
            let few = few.predict(lut, None)?;
            let many = batch(many, lut, &Load { memory: None, ..*load })?;
            Ok(ckks::crossover(&many, |count| few.elapsed_for(count, load.threads), 0.0))
        }
        (Of::Fhew(_), many) => Err(Error::other_engine("parameter set", many.engine(), Engine::Ckks)),
        (few, _) => Err(Error::other_engine("parameter set", few.engine(), Engine::Fhew)),
    }
}

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
