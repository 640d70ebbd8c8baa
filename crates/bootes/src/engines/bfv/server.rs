//! The evaluation side of engine bfv: no secrets here.
use std::borrow::Cow;
use std::fmt;
use std::io::{Read, Write};
use std::sync::Arc;

use bootes_lattice::rns::MaskStorage;
use bootes_lut::Lut;
use bootes_lut::bfv::{ProgramPlan, SlimBootstrap};
use bootes_lut::program::Operation;
use bootes_lut::{PaddingUse, Program};
use bootes_schemes::bfv::{BfvCiphertext, BfvSchemeError, Evaluator, KeyRequest, State};
use bootes_schemes::cost::{Calibration, Residues, Serial};
use bootes_schemes::rlwe::RlweCost;

use super::ciphertexts::checked_state;
use super::{CiphertextReader, Ciphertexts, LOG2_P_FAIL, Params, ServerKey, check_key};
use crate::engines::blocks::{Files, VectorReader};
use crate::engines::watch::Watch;
use crate::engines::{Bfv, EngineCiphertexts, EngineInputs, EnginePlan, EngineServer, EngineServerKey, Stored};
use crate::memory::{Room, masks_that_fit};
use crate::threads::{on_all_threads, on_threads, useful};
use crate::{BfvError, Cancel, Engine, Error, Function, Load, Memory, PlanError, Prediction, Space};

/// Evaluates programs on vectors; immutable, shared freely between threads.
pub(crate) struct Server {
    params: Params,
    /// None where nothing is bootstrapped.
    bootstrap: Option<SlimBootstrap>,
    /// The highest level of vectors.
    highest: usize,
    evaluator: Evaluator,
    key_bytes: usize,
    storage: MaskStorage,
    memory: Option<u64>,
}

/// A program on inputs like those that it was planned for.
#[derive(Debug)]
pub(crate) struct Plan {
    params: Params,
    plan: ProgramPlan,
    /// Values of the inputs.
    len: usize,
    /// Whether a slot's result depends on others.
    moves: bool,
    /// Of each input whether slots beside its values are known to hold 0.
    padded: Vec<bool>,
    padding_uses: Vec<PaddingUse>,
}

/// Bytes that making the keys of a set takes, at most: the keys, the maps of bootstrapping that say which there are,
/// plans of transforms, and what a key that is being made takes besides. The process itself is not counted.
///
/// # Errors
/// [`Error::Lut`].
pub(crate) fn key_memory(params: &Params) -> Result<u64, Error> {
    let bootstrap = params.bootstrap()?;
    let keys = params.request(bootstrap).bytes(params, MaskStorage::Seeded);
    // What maps are made of is as large as they are, and its pieces do not go back to the system.
    Ok((keys + MAPS * map_bytes(bootstrap)) as u64 + key_workspace(params))
}

/// Bytes that are taken when maps are made, in bytes of the maps' coefficients: a plan keeps the entries that these are
/// made of as well, and has both in pieces before. It is no more than measured: keys and all take 3 to 7 % less than is
/// stated for slots_17, slots_127, slots_257 and slots_12289.
const MAPS: usize = 4;

/// Bytes of the maps of bootstrapping, where there is any.
fn map_bytes(bootstrap: Option<&SlimBootstrap>) -> usize {
    bootstrap.map_or(0, SlimBootstrap::bytes)
}

/// Bytes that making a key takes besides keys and maps: plans of transforms, three words a coefficient; two secret
/// keys; noise, mask, body and the image of a secret key.
fn key_workspace(params: &Params) -> u64 {
    let limbs = params.max_level() + 1 + params.literal().special_primes;
    (8 * params.degree() * limbs * (3 + 6)) as u64
}

/// Refuses keys that there is no room for: far too much before the maps are made.
///
/// # Errors
/// [`Error::Memory`]; [`Error::Lut`].
pub(crate) fn check_key_memory(params: &Params, room: Room) -> Result<(), Error> {
    check_least_memory(params, room)?;
    room.check(0, key_memory(params)?)
}

/// Refuses keys of which those that every set has do not fit, before the maps are made, which say which there are.
fn check_least_memory(params: &Params, room: Room) -> Result<(), Error> {
    let mut request = KeyRequest { raise: params.depth().is_none(), ..KeyRequest::default() };
    request.products(params.max_level());
    // Vectors are rotated where they are fresh, or higher.
    params.moves().into_iter().for_each(|action| request.action(action, params.fresh_level()));
    room.check(0, request.bytes(params, MaskStorage::Seeded) as u64 + key_workspace(params))
}

/// Refuses a program on fresh vectors of which keys, vectors and evaluation do not fit, with the largest of these
/// needs.
///
/// # Errors
/// [`Error::Memory`]; [`Error::Lut`] and [`BfvError::Failure`] for a program that cannot be planned.
pub(crate) fn check_program_memory(params: &Params, program: &Program, load: &Load, room: Room) -> Result<(), Error> {
    check_least_memory(params, room)?;
    let vectors = (program.inputs() as u64).saturating_mul(fresh_bytes(params, load.values));
    let making = key_memory(params)?.saturating_add(vectors);
    let plan = planned(params, params.bootstrap()?, program, &vec![params.fresh_state(); program.inputs()])?;
    let evaluating = predicted(params, &plan, load, load.masks.unwrap_or(MaskStorage::Seeded))?;
    room.check(0, making.max(evaluating.memory.peak()))
}

/// Bytes of a ciphertext of a level.
pub(crate) fn part_bytes(params: &Params, level: usize) -> usize {
    16 * params.degree() * (level + 1)
}

/// Bytes of so many values in vectors of a level.
pub(super) fn vector_bytes(params: &Params, values: usize, level: usize) -> u64 {
    (part_bytes(params, level) as u64).saturating_mul(values.div_ceil(params.slots().count()) as u64)
}

/// Bytes that fresh ciphertexts of so many values take.
pub(crate) fn fresh_bytes(params: &Params, values: usize) -> u64 {
    vector_bytes(params, values, params.fresh_level())
}

/// Bits of a residue in a file, some.
const STORED_BITS: u64 = 47;

/// Polynomials modulo all primes that are held beside values: digits of a hoisted rotation; what a bootstrapping or a
/// table's polynomial holds besides; and combinations of a large table that are made together.
const WORKSPACE: u64 = 40;
const POLYNOMIAL_WORKSPACE: u64 = 44;
const COMBINATIONS_WORKSPACE: u64 = 64;

fn workspace(plan: &ProgramPlan) -> u64 {
    let polynomial = plan.bootstraps() > 0 || plan.products() > 8;
    WORKSPACE
        + if polynomial { POLYNOMIAL_WORKSPACE } else { 0 }
        + if plan.products() > 128 { COMBINATIONS_WORKSPACE } else { 0 }
}

/// A program on inputs of these states, if it keeps the promise of the set.
///
/// # Errors
/// As [`ProgramPlan::new`]; [`BfvError::Failure`].
fn planned(
    params: &Params,
    bootstrap: Option<&SlimBootstrap>,
    program: &Program,
    states: &[State],
) -> Result<ProgramPlan, Error> {
    let plan = ProgramPlan::new(params, bootstrap, program, states)?;
    let (found, promised) = (plan.log2_failure(), LOG2_P_FAIL);
    if found > promised {
        return Err(BfvError::Failure { found, promised, params: params.name().into() }.into());
    }
    Ok(plan)
}

/// The prediction of a program.
fn predicted(params: &Params, plan: &ProgramPlan, load: &Load, masks: MaskStorage) -> Result<Prediction, Error> {
    let bootstrap = params.bootstrap()?;
    let request = params.request(bootstrap);
    let (cost, calibration) = (RlweCost::new(params, masks), Calibration::current());
    let k = params.slots().count();
    // The masks of fresh vectors are seeds, until they are evaluated.
    let fresh = plan.inputs().iter().filter(|&state| *state == params.fresh_state()).count();
    let seconds = calibration.seconds(plan.work() + cost.masks_of(params.fresh_level()) * fresh as f64);
    let cpu_seconds = seconds * load.values.div_ceil(k) as f64;
    let shared = Serial::part(calibration.serial.ciphertext, load.threads);
    // Their masks are kept by the server alone.
    let making = RlweCost::new(params, MaskStorage::Seeded);
    let key_seconds = calibration.seconds(making.secret_keys() + making.keys(&request));
    let keys = request.bytes(params, masks) as u64;
    let polynomial = 8 * (params.degree() * (params.max_level() + 1)) as u64;
    let results = plan.results();
    let states = plan.inputs().iter().chain(&results);
    let vectors = states.map(|state| vector_bytes(params, load.values, state.level)).fold(0, u64::saturating_add);
    let count = load.values.div_ceil(k) as f64;
    let encryption = cost.encryption(params.fresh_level(), k);
    let decryption = results.iter().map(|state| cost.decryption(state.level, k)).sum::<Residues>();
    // Residues of fewer bits than words; masks of fresh vectors are seeds.
    let stored = |level| vector_bytes(params, load.values, level) / 64 * STORED_BITS;
    let prediction = Prediction {
        rotations: None,
        output_std: None,
        capacity: k,
        latency_seconds: seconds * shared,
        seconds: cpu_seconds * shared,
        cpu_seconds,
        key_seconds: key_seconds * shared,
        key_cpu_seconds: key_seconds,
        expand_seconds: match masks {
            MaskStorage::Expanded => calibration.seconds(cost.masks(&request)) * shared,
            MaskStorage::Seeded => 0.0,
        },
        encrypt_seconds: calibration.seconds(encryption) * plan.inputs().len() as f64 * count * shared,
        decrypt_seconds: calibration.seconds(decryption) * count * shared,
        job_seconds: 0.0,
        key_bytes: request.bytes(params, MaskStorage::Seeded) as u64,
        input_bytes: stored(params.fresh_level()) / 2,
        result_bytes: results.iter().map(|state| stored(state.level)).fold(0, u64::saturating_add),
        memory: Memory {
            keys,
            // The maps, and the entries that they are made of, which stay; and the plan.
            tables: (2 * map_bytes(bootstrap) + plan.bytes()) as u64,
            workspace: (16 * params.degree() as u64 * plan.peak_limbs() as u64 + polynomial * workspace(plan))
                .saturating_add(vectors),
        },
        together: 1,
        masks,
        log2_p_fail: plan.log2_failure(),
    };
    Ok(prediction.with_job(load))
}

/// The prediction of a program on fresh values with a set.
///
/// # Errors
/// As [`Server::plan`]; [`Error::Memory`].
pub(crate) fn predict(params: &Params, program: &Program, load: &Load, room: Room) -> Result<Prediction, Error> {
    let bootstrap = params.bootstrap()?;
    let fresh = params.fresh_state();
    let plan = planned(params, bootstrap, program, &vec![fresh; program.inputs()])?;
    masks_that_fit(load.masks, |masks| {
        let prediction = predicted(params, &plan, load, masks)?;
        room.check(0, prediction.memory.peak()).map(|()| prediction)
    })
}

impl Server {
    /// A program on inputs like these: where it is bootstrapped, if it is.
    ///
    /// # Errors
    /// [`Error::InputModulus`] for tables of other entries, [`Error::Lut`] for others that are none of Z_p, and for
    /// operations that no ciphertext has the modulus for; [`BfvError::Failure`] for a program that is wrong more often
    /// than the set promises; [`Error::OperandCount`] for one without inputs; [`Error::Lengths`],
    /// [`BfvError::Vector`], [`BfvError::Level`], [`Error::OtherParams`], [`Error::OtherKey`].
    pub(super) fn plan_program(&self, program: &Program, inputs: &[&Ciphertexts]) -> Result<Plan, Error> {
        if program.inputs() == 0 {
            return Err(Error::OperandCount { what: "a program".into(), found: 0, expected: 1 });
        }
        let moves = program.operations().iter().any(|operation| {
            matches!(operation, Operation::Rotation(..) | Operation::Exchange(_) | Operation::SumSlots(_))
        });
        self.check(inputs, moves)?;
        let modulus = self.params.modulus();
        let tables = program.tables().iter().zip(program.tables_of_inputs()).filter(|(_, made)| *made);
        let other = tables.map(|(lut, _)| lut.in_modulus()).find(|&entries| entries != modulus);
        if let Some(entries) = other.filter(|_| self.params.exponent() == 1) {
            return Err(Error::InputModulus { entries, ciphertexts: Space::Modular(modulus) });
        }
        let states: Vec<State> = inputs.iter().map(|x| x.state()).collect();
        let plan = planned(&self.params, self.bootstrap.as_ref(), program, &states)?;
        let full = inputs[0].len().is_multiple_of(self.params.slots().count());
        let padded: Vec<bool> = inputs.iter().map(|x| x.is_padded()).collect();
        let padding: Vec<_> = padded.iter().map(|padded| padded.then_some(0)).collect();
        let padding_uses = if full { Vec::new() } else { program.padding_uses(&padding, modulus) };
        Ok(Plan { params: self.params.clone(), plan, len: inputs[0].len(), moves, padded, padding_uses })
    }

    /// Evaluates until `cancel` says so: for conversions, which have their own ciphertexts.
    pub(crate) fn evaluator_until(&self, cancel: &Cancel) -> Evaluator {
        self.evaluator.cancelled_by(cancel)
    }

    /// Refuses a conversion that does not fit: half a bootstrapping at a time.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub(crate) fn check_conversion(&self) -> Result<(), Error> {
        let polynomial = 8 * (self.params.degree() * (self.params.max_level() + 1)) as u64;
        Room::now(self.memory).check(self.key_bytes as u64, polynomial * (WORKSPACE + POLYNOMIAL_WORKSPACE))
    }

    /// Refuses inputs of others, or of different lengths.
    fn check(&self, inputs: &[&Ciphertexts], moves: bool) -> Result<(), Error> {
        let slots = self.params.slots().count();
        for x in inputs {
            check_key("ciphertext", [x.owner(), (&self.params, self.key_id())])?;
            // Nothing that was encrypted or evaluated is above, and keys do not serve it.
            let level = x.state().level;
            if level > self.highest {
                return Err(BfvError::Level { found: level, max: self.highest }.into());
            }
            let (left, right) = (inputs[0].len(), x.len());
            if left != right {
                return Err(Error::Lengths { what: "program".into(), left, right });
            }
            // Where there is one slot, nothing is planned that moves.
            if moves && x.ciphertexts() > 1 && !self.params.holds_one_value() {
                return Err(BfvError::Vector { len: x.len(), slots }.into());
            }
        }
        Ok(())
    }

    /// Runs it on a ciphertext of each input, which is taken for no smaller than what was planned for.
    fn run_part<'a>(
        &self,
        plan: &Plan,
        evaluator: &Evaluator,
        inputs: impl Iterator<Item = &'a BfvCiphertext>,
        tell: impl FnMut(usize, usize),
    ) -> Result<Vec<BfvCiphertext>, BfvSchemeError> {
        let planned = inputs.zip(plan.plan.inputs()).map(|(x, planned)| match x.state() == *planned {
            true => Cow::Borrowed(x),
            false => Cow::Owned(x.clone().of_at_least(planned.size)),
        });
        let planned: Vec<_> = planned.collect();
        plan.plan.run(self.bootstrap.as_ref(), evaluator, &planned.iter().map(AsRef::as_ref).collect::<Vec<_>>(), tell)
    }

    /// Refuses inputs that the plan was not made for, and what does not fit with so many values of each in memory.
    fn check_run(&self, plan: &Plan, inputs: &[&Ciphertexts], values: usize, threads: usize) -> Result<(), Error> {
        let (found, expected) = (inputs.len(), plan.plan.inputs().len());
        if found != expected {
            return Err(Error::OperandCount { what: "a program".into(), found, expected });
        }
        let params = || self.params.name().to_string();
        if plan.params.fingerprint() != self.params.fingerprint() {
            return Err(Error::OtherParams { what: "plan", params: params() });
        }
        self.check(inputs, plan.moves)?;
        for (found, &expected) in inputs.iter().map(|x| x.state()).zip(plan.plan.inputs()) {
            if (State { size: expected.size, ..found }) != expected {
                return Err(PlanError::Level { found: found.level, expected: expected.level }.into());
            }
            if found.size.at_least(expected.size) != expected.size {
                return Err(PlanError::Bound { params: params() }.into());
            }
        }
        let load = Load { threads, ..Load::of(values) };
        let needed = plan.prediction(&load, self.storage)?.memory;
        let held: u64 = inputs.iter().map(|x| vector_bytes(&self.params, values, x.state().level)).sum();
        let kept = (self.key_bytes + plan.plan.bytes()) as u64;
        Room::now(self.memory).check(kept + held, needed.workspace.saturating_sub(held))
    }
}

impl EngineServer<Bfv> for Server {
    fn within(key: ServerKey, storage: Option<MaskStorage>, memory: Option<u64>) -> Result<Self, Error> {
        on_all_threads(|| {
            let (params, held) = (key.params(), key.bytes() as u64);
            let request = params.request(params.bootstrap()?);
            let (params, key) = key.into_parts(&request)?;
            let bootstrap = params.bootstrap()?;
            let room = Room::now(memory);
            let storage = masks_that_fit(storage, |storage| {
                // Kept where what is computed with them fits as well.
                let polynomials = (WORKSPACE + POLYNOMIAL_WORKSPACE) * (params.max_level() as u64 + 1);
                let workspace = 8 * params.degree() as u64 * polynomials;
                let more = if storage == MaskStorage::Expanded { held + workspace } else { 0 };
                room.check(held, more).map(|()| storage)
            })?;
            let key = key.with_masks(storage);
            let key_bytes = key.bytes();
            Ok(Self {
                bootstrap: bootstrap.cloned(),
                highest: params.highest(bootstrap),
                evaluator: Evaluator::new(Arc::new(key)),
                key_bytes,
                storage,
                memory,
                params,
            })
        })
    }

    fn params(&self) -> &Params {
        &self.params
    }

    fn key_id(&self) -> [u8; 16] {
        self.evaluator.key_id()
    }

    fn key_bytes(&self) -> usize {
        self.key_bytes
    }

    fn storage(&self) -> MaskStorage {
        self.storage
    }

    fn likeness(&self, inputs: &[&Ciphertexts]) -> String {
        format!("{:?}", inputs.iter().map(|x| (x.state(), x.len(), x.is_padded())).collect::<Vec<_>>())
    }

    fn run(
        &self,
        plan: &Plan,
        inputs: &[&Ciphertexts],
        threads: usize,
        watch: &Watch<'_>,
    ) -> Result<Vec<Ciphertexts>, Error> {
        let values = inputs.first().map_or(0, |x| x.len());
        self.check_run(plan, inputs, values, threads)?;
        let evaluator = self.evaluator.cancelled_by(watch.cancel);
        let count = inputs[0].ciphertexts();
        let results = on_threads(useful(threads), || {
            let one = |i: usize| {
                let tell =
                    |done: usize, of: usize| (watch.progress)((i as f64 + done as f64 / of as f64) / count as f64);
                self.run_part(plan, &evaluator, inputs.iter().map(|x| &x.parts()[i]), tell)
            };
            (0..count).map(one).collect::<Result<Vec<_>, _>>()
        })??;
        let mut columns: Vec<Vec<_>> = plan.plan.results().iter().map(|_| Vec::with_capacity(count)).collect();
        for part in results {
            columns.iter_mut().zip(part).for_each(|(column, part)| column.push(part));
        }
        Ok(columns.into_iter().map(|parts| Ciphertexts::new(&self.params, values, parts)).collect())
    }

    fn run_to<R: Read + Send, W: Write>(
        &self,
        plan: &Plan,
        mut inputs: Vec<CiphertextReader<R>>,
        outputs: Vec<W>,
        threads: usize,
        watch: &Watch<'_>,
    ) -> Result<Vec<W>, Error> {
        let (found, expected) = (plan.plan.results().len(), outputs.len());
        if found != expected {
            return Err(Error::ResultCount { found, expected });
        }
        let heads: Vec<&Ciphertexts> = inputs.iter().map(CiphertextReader::head).collect();
        self.check_run(plan, &heads, 1, threads)?;
        let (values, count) = (heads[0].len(), heads[0].ciphertexts());
        let evaluator = self.evaluator.cancelled_by(watch.cancel);
        let mut files = Files::Begin(outputs);
        for i in 0..count {
            let pieces = inputs.iter_mut().map(CiphertextReader::next).collect::<Result<Vec<_>, _>>()?;
            let results = on_threads(useful(threads), || {
                let tell =
                    |done: usize, of: usize| (watch.progress)((i as f64 + done as f64 / of as f64) / count as f64);
                self.run_part(plan, &evaluator, pieces.iter().map(|x| &x.parts()[0]), tell)
            })??;
            let results: Vec<_> =
                results.into_iter().map(|part| Ciphertexts::new(&self.params, values, vec![part])).collect();
            files.put(&results)?;
        }
        inputs.into_iter().try_for_each(CiphertextReader::finish)?;
        files.finish()
    }

    /// Without the primes that neither decryption nor a bootstrapping, where there is one, needs.
    fn compress(&self, x: &Ciphertexts, threads: usize, watch: &Watch<'_>) -> Result<Ciphertexts, Error> {
        check_key("ciphertext", [x.owner(), (&self.params, self.key_id())])?;
        let state = x.state();
        let serves = |level: &usize| {
            let state = self.params.at_level(state, *level);
            let refreshes = self.bootstrap.as_ref().is_none_or(|bootstrap| bootstrap.check(state).is_ok());
            refreshes && self.params.promised("decryption", state).is_ok()
        };
        let Some(level) = (0..state.level).find(serves) else { return Ok(x.clone()) };
        let evaluator = self.evaluator.cancelled_by(watch.cancel);
        let parts = on_threads(useful(threads), || {
            let drop = |part| evaluator.drop_to(part, level).map(Cow::into_owned);
            x.parts().iter().map(drop).collect::<Result<Vec<_>, _>>()
        })??;
        let smaller = Ciphertexts::new(&self.params, x.len(), parts);
        Ok(if smaller.stored_bytes() < x.stored_bytes() { smaller } else { x.clone() })
    }

    fn plan(&self, function: &Function, inputs: &[&Ciphertexts]) -> Result<Plan, Error> {
        match function {
            Function::Table(lut) => self.plan_program(&Plan::tables(std::slice::from_ref(lut)), inputs),
            Function::Tables(luts) => self.plan_program(&Plan::tables(luts), inputs),
            Function::Program(program) => self.plan_program(program, inputs),
            other => Err(Error::not_with(&other.name(), Engine::Bfv, other.engines())),
        }
    }
}

impl Plan {
    /// The program of tables, a result each.
    pub(crate) fn tables(luts: &[Lut]) -> Program {
        let mut program = Program::new();
        let x = program.input("x");
        for lut in luts {
            let image = program.table(x, lut);
            program.output(image);
        }
        program
    }

    /// The operations of the plan, in words.
    fn method(&self) -> String {
        let of = |count: usize, what: &str| match count {
            0 => None,
            1 => Some(format!("1 {what}")),
            _ => Some(format!("{count} {what}s")),
        };
        let plan = &self.plan;
        let parts =
            [of(plan.products(), "product"), of(plan.moves(), "rotation"), of(plan.bootstraps(), "bootstrapping")];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        let parts = if parts.is_empty() { "sums".to_string() } else { parts.join(", ") };
        format!("{} with {parts}", plan.scheme())
    }
}

impl EnginePlan<Bfv> for Plan {
    fn algorithms(&self) -> Vec<String> {
        vec![self.method()]
    }

    fn log2_p_fail(&self) -> f64 {
        self.plan.log2_failure()
    }

    fn out_spaces(&self) -> Vec<Space> {
        self.plan.results().iter().map(|_| Space::Modular(self.params.modulus())).collect()
    }

    fn prediction(&self, load: &Load, masks: MaskStorage) -> Result<Prediction, Error> {
        predicted(&self.params, &self.plan, load, masks)
    }

    fn padding_uses(&self) -> &[PaddingUse] {
        &self.padding_uses
    }

    fn inputs(&self, _function: &Function) -> Option<(Params, Inputs)> {
        let states = self.plan.inputs().iter().copied().zip(self.padded.iter().copied()).collect();
        Some((self.params.clone(), Inputs { states, len: self.len }))
    }
}

/// The inputs of a plan: the state of each and whether slots beside its values hold 0, and how many values they have.
#[derive(Clone, Debug)]
pub(crate) struct Inputs {
    pub(crate) states: Vec<(State, bool)>,
    pub(crate) len: usize,
}

impl EngineInputs<Bfv> for Inputs {
    fn count(&self) -> usize {
        self.states.len()
    }

    fn heads(&self, params: &Params, key_id: [u8; 16]) -> Result<Vec<Ciphertexts>, Error> {
        if self.len == 0 {
            return Err(Error::NoValues);
        }
        let head = |&(state, padded): &(State, bool)| {
            let state = checked_state(params, State { exponent: params.exponent(), ..state })?;
            Ok(Ciphertexts::head(params, key_id, self.len, (state, padded)))
        };
        self.states.iter().map(head).collect()
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("params", &self.params.name()).finish_non_exhaustive()
    }
}
