//! The evaluation side of engine ckks: no secrets here.
use std::borrow::Cow;
use std::fmt;
use std::io::{Read, Write};
use std::sync::{Arc, Mutex, PoisonError};

use bootes_lattice::port::RlweCiphertext;
use bootes_lattice::rns::MaskStorage;
use bootes_lut::ckks::{FunctionalBootstrap, SlotTables, TableParams as Params, Tables, VariedTable};
use bootes_lut::table::MAX_TABLE_BITS;
use bootes_lut::{Interval, Lut, LutError};
use bootes_schemes::cancel::Cancel;
use bootes_schemes::ckks::Evaluator;
use bootes_schemes::ckks::bootstrap::BootstrapStep;
use bootes_schemes::ckks::noise::ErrorBound;
use bootes_schemes::cost::Calibration;

use super::ciphertexts::{CiphertextReader, are_related, most_bits};
use super::predict::{check_tables, ciphertext_bytes, tables_bytes, transform_workspace, workspace};
use super::{CiphertextLoad, Ciphertexts, EncryptedTable, Inputs, Plan, ServerKey, check_key, maps};
use crate::engines::blocks::{Files, VectorReader};
use crate::engines::watch::Watch;
use crate::engines::{Ckks, EngineCiphertexts, EngineServer, EngineServerKey};
use crate::memory::{Room, masks_that_fit};
use crate::threads::{on_all_threads, on_threads, useful};
use crate::{Engine, Error, Function, PlanError, Space, SpaceError};

mod digits;

pub(crate) use digits::Digits;

/// Where an evaluation is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Progress {
    /// The ciphertext, from 0, of which a step begins.
    pub(crate) ciphertext: usize,
    /// The step that begins.
    pub(crate) step: BootstrapStep,
    /// The part of all work that is done, by what is predicted.
    pub(crate) done: f64,
}

/// Evaluates tables on batches; immutable, shared freely between threads.
pub(crate) struct Server {
    bootstrap: FunctionalBootstrap,
    key_id: [u8; 16],
    key_bytes: usize,
    storage: MaskStorage,
    memory: Option<u64>,
}

impl Server {
    fn expand(key: ServerKey, storage: Option<MaskStorage>, memory: Option<u64>) -> Result<Self, Error> {
        let (params, held) = (key.params(), key.bytes() as u64);
        let request = params.request(&maps(params)?);
        let (params, key) = key.into_parts(&request)?;
        let key_id = key.id();
        // The key is here already; the tables that come share the workspace of the transforms at least.
        let room = Room::now(memory);
        let rest = tables_bytes(&params) + transform_workspace(&params, 1, 1);
        // All keys that there are, asked for or not: with its masks a key takes twice as much.
        let storage = masks_that_fit(storage, |storage| {
            let more = if storage == MaskStorage::Expanded { held } else { 0 };
            room.check(held, more + rest).map(|()| storage)
        })?;
        let key = key.with_masks(storage);
        let key_bytes = key.bytes();
        let bootstrap = FunctionalBootstrap::new(&params, Evaluator::new(Arc::new(key))?)?;
        Ok(Self { bootstrap, key_id, key_bytes, storage, memory })
    }

    pub(super) fn bootstrap(&self) -> &FunctionalBootstrap {
        &self.bootstrap
    }

    /// The limit on memory.
    pub(super) fn memory(&self) -> Option<u64> {
        self.memory
    }

    /// Plans several tables on inputs like these, and prepares them.
    ///
    /// # Errors
    /// [`Error::Lut`] for no table, or one that the set is too small for or too noisy for its results;
    /// [`Error::InputBits`], [`Error::InputModulus`] unless tables have an entry for each residue of the ciphertexts;
    /// [`Error::OtherParams`], [`Error::OtherKey`].
    pub(super) fn plan_tables(&self, luts: &[Lut], ciphertexts: &Ciphertexts) -> Result<TablePlan, Error> {
        let params = self.params();
        check_key("ciphertext", [ciphertexts.owner(), (params, self.key_id)])?;
        let luts = &self.on_residues(luts, ciphertexts.space())?[..];
        check_tables(params, luts)?;
        let space = Space::Modular(ciphertexts.modulus());
        luts.iter().try_for_each(|lut| space.check_entries(lut.in_modulus()))?;
        self.plan_of(Tables::new(params, self.bootstrap.transforms(), luts)?, ciphertexts)
    }

    /// Tables with an entry for each residue: those on integers from 0 on have one for each integer.
    ///
    /// # Errors
    /// [`LutError::Domain`] for integers without an entry; [`SpaceError::NotResidues`] where they are kept modulo
    /// more than tables have entries, or in two limbs.
    fn on_residues<'a>(&self, luts: &'a [Lut], space: Space) -> Result<Cow<'a, [Lut]>, Error> {
        let Some(integers) = space.integers() else { return Ok(luts.into()) };
        if space.limbs() > 1 || space.bits() > self.params().literal().bits {
            return Err(SpaceError::NotResidues { what: "tables".into() }.into());
        }
        let (range, p) = (integers.range(), 1 << space.bits());
        let on = |lut: &Lut| {
            let entries = lut.in_modulus();
            if !(Interval { min: 0, max: entries as i128 - 1 }).holds(range) {
                return Err(LutError::Domain { entries, integers: range });
            }
            let mut values = vec![0; p];
            (range.min as usize..=range.max as usize).for_each(|i| values[i % p] = lut.values()[i]);
            Lut::modular(values, lut.out_modulus())
        };
        Ok(luts.iter().map(on).collect::<Result<Vec<_>, _>>()?.into())
    }

    /// Plans the same residues modulo 2^`bits`: a table.
    ///
    /// # Errors
    /// [`Error::Overflow`] if they do not fit; as [`Self::plan_tables`].
    pub(crate) fn plan_widen(&self, ciphertexts: &Ciphertexts, bits: u32) -> Result<TablePlan, Error> {
        check_key("ciphertext", [ciphertexts.owner(), (self.params(), self.key_id)])?;
        let (operand, most, engine) = (ciphertexts.space().range(), MAX_TABLE_BITS, Engine::Ckks);
        check_residues(ciphertexts, "widening")?;
        if !(1..=most).contains(&bits) {
            return Err(LutError::OutBits { found: bits, max: most }.into());
        }
        if operand.max >= 1 << bits {
            let (operation, range) = ("widening", Some(operand));
            return Err(Error::Overflow { operation, range, bits, operand, modulus: None, most, engine });
        }
        let p = operand.max as u64 + 1;
        self.plan_tables(&[Lut::modular((0..p).collect(), 1 << bits)?], ciphertexts)
    }

    /// The same of a table for each value.
    ///
    /// # Errors
    /// As [`Self::plan_tables`]; [`Error::Lengths`] unless there are as many tables as values.
    pub(crate) fn plan_slots(&self, tables: &Arc<SlotTables>, ciphertexts: &Ciphertexts) -> Result<TablePlan, Error> {
        let table = VariedTable::slots(self.params(), self.bootstrap.transforms(), Arc::clone(tables))?;
        self.plan_varied(table, ciphertexts)
    }

    /// The same of an encrypted table.
    ///
    /// # Errors
    /// As [`Self::plan_tables`]; [`Error::OtherParams`], [`Error::OtherKey`] for a table of another set or key.
    pub(crate) fn plan_encrypted(&self, table: &EncryptedTable, ciphertexts: &Ciphertexts) -> Result<TablePlan, Error> {
        check_key("encrypted table", [table.owner(), (self.params(), self.key_id)])?;
        let transforms = self.bootstrap.transforms();
        self.plan_varied(VariedTable::encrypted(self.params(), transforms, Arc::clone(table.table()))?, ciphertexts)
    }

    fn plan_varied(&self, table: VariedTable, ciphertexts: &Ciphertexts) -> Result<TablePlan, Error> {
        check_key("ciphertext", [ciphertexts.owner(), (self.params(), self.key_id)])?;
        check_residues(ciphertexts, "tables")?;
        let (entries, p) = (table.in_modulus(), ciphertexts.modulus());
        if entries != p {
            return Err(Error::InputModulus { entries, ciphertexts: Space::Modular(p) });
        }
        check_lengths(table.values(), ciphertexts)?;
        let (found, bits) = (table.out_modulus().next_power_of_two().ilog2(), most_bits(self.params()));
        if found > bits {
            let params = self.params().name().into();
            return Err(LutError::TooWide { what: "outputs", found, bits, params }.into());
        }
        self.plan_of(Tables::Varied(Box::new(table)), ciphertexts)
    }

    fn plan_of(&self, tables: Tables, ciphertexts: &Ciphertexts) -> Result<TablePlan, Error> {
        let (params, transforms) = (self.params(), self.bootstrap.transforms());
        let log2_modulus = ciphertexts.parts()[0].encoding().log2_modulus();
        let promises = tables.promised(params, transforms, log2_modulus, ciphertexts.error())?;
        let errors = promises.iter().map(|promise| promise.result).collect();
        let log2_failure = promises.iter().map(|promise| promise.log2_failure).fold(f64::NEG_INFINITY, f64::max);
        let work = tables.work(params, transforms, self.storage)?;
        let seconds: Vec<f64> = work.into_iter().map(|(_, work)| Calibration::current().seconds(work)).collect();
        Ok(TablePlan {
            params: params.clone(),
            tables,
            in_space: ciphertexts.space(),
            log2_modulus,
            input: ciphertexts.error(),
            seconds,
            errors,
            log2_failure,
        })
    }

    /// Evaluates what was planned on every value, on inputs as good as those of the plan: one vector of
    /// results a table, which are inputs again. `progress` hears of every step of every ciphertext as it
    /// begins. As many ciphertexts as there are threads and memory for are evaluated side by side, by
    /// multi-value bootstrapping: all but the interpolations and the last step is done once for all tables.
    /// It ends where it is cancelled.
    ///
    /// # Errors
    /// [`Error::Plan`] for inputs that it was not made for;
    /// [`Error::OtherParams`], [`Error::OtherKey`]; [`Error::Memory`] before anything is done;
    /// [`Error::Threads`], [`Error::ThreadPool`].
    pub(crate) fn evaluate_unless(
        &self,
        cancel: &Cancel,
        plan: &TablePlan,
        ciphertexts: &Ciphertexts,
        threads: usize,
        progress: impl FnMut(Progress) + Send,
    ) -> Result<Vec<Ciphertexts>, Error> {
        let bootstrap = self.bootstrap.cancelled_by(cancel);
        let together = self.together(plan, ciphertexts, threads, |_| ciphertexts.parts().len())?;
        self.check_results(ciphertexts, plan.errors.len())?;
        let watch = Steps::new(&plan.seconds, ciphertexts.blocks(), progress);
        let evaluate =
            || bootstrap.evaluate_all(&plan.tables, ciphertexts.parts(), 0, together, |i, step| watch.tell(i, step));
        Ok(vectors(ciphertexts, on_threads(threads, evaluate)??, plan.errors.iter().copied()))
    }

    /// [`Self::evaluate_unless`] of what is read as it is needed, whose results are written as they come, a vector to
    /// each of `outputs`, which are given back: a few ciphertexts at a time are in memory.
    ///
    /// # Errors
    /// As [`Self::evaluate_unless`]; [`Error::ResultCount`] unless there is an output for each table;
    /// [`Error::Stream`], where what was written is worth nothing.
    pub(crate) fn evaluate_to_unless<R: Read, W: Write>(
        &self,
        cancel: &Cancel,
        plan: &TablePlan,
        mut input: CiphertextReader<R>,
        outputs: Vec<W>,
        threads: usize,
        progress: impl FnMut(Progress) + Send,
    ) -> Result<Vec<W>, Error> {
        let bootstrap = self.bootstrap.cancelled_by(cancel);
        if outputs.len() != plan.errors.len() {
            return Err(Error::ResultCount { found: plan.errors.len(), expected: outputs.len() });
        }
        let (head, count) = (input.head().clone(), input.left());
        let together = self.together(plan, &head, threads, at_once)?;
        let watch = Steps::new(&plan.seconds, count, progress);
        let mut files = Files::Begin(outputs);
        while input.left() > 0 {
            let start = count - input.left();
            let inputs = input.next_parts(at_once(together).min(input.left()))?;
            let evaluate = || {
                let watch = |i: usize, step| watch.tell(start + i, step);
                bootstrap.evaluate_all(&plan.tables, &inputs, start, together, watch)
            };
            files.put(&vectors(&head, on_threads(threads, evaluate)??, plan.errors.iter().copied()))?;
        }
        input.finish()?;
        files.finish()
    }

    /// Refuses so many vectors of results that do not fit beside what is held.
    pub(super) fn check_results(&self, ciphertexts: &Ciphertexts, count: usize) -> Result<(), Error> {
        let results = ciphertext_bytes(self.params(), count.saturating_mul(ciphertexts.blocks()));
        Room::now(self.memory).check(self.held(ciphertexts.parts().len()), results).map_err(|error| match error {
            Error::Memory { needed, available } => Error::CiphertextMemory { needed, available },
            error => error,
        })
    }

    /// Bytes that are held while so many ciphertexts are evaluated, but for the workspace.
    pub(super) fn held(&self, ciphertexts: usize) -> u64 {
        let params = self.params();
        self.key_bytes as u64 + tables_bytes(params) + ciphertext_bytes(params, ciphertexts)
    }

    /// How many ciphertexts are evaluated side by side, if they are what the plan was made for, with so many in memory
    /// then.
    fn together(
        &self,
        plan: &TablePlan,
        ciphertexts: &Ciphertexts,
        threads: usize,
        held: impl Fn(usize) -> usize,
    ) -> Result<usize, Error> {
        let params = self.params();
        check_key("ciphertext", [ciphertexts.owner(), (params, self.key_id)])?;
        if plan.params.fingerprint() != params.fingerprint() {
            return Err(Error::OtherParams { what: "plan", params: params.name().into() });
        }
        let (found, expected) = (ciphertexts.space(), plan.in_space);
        if !expected.holds(found) {
            return Err(PlanError::Space { found, expected }.into());
        }
        let log2_modulus = ciphertexts.parts()[0].encoding().log2_modulus();
        if log2_modulus != plan.log2_modulus || !ciphertexts.error().is_within(plan.input) {
            return Err(PlanError::Bound { params: params.name().into() }.into());
        }
        if let Tables::Varied(table) = &plan.tables {
            check_lengths(table.values(), ciphertexts)?;
        }
        let threads = useful(threads);
        let load = CiphertextLoad { ciphertexts: ciphertexts.blocks(), threads };
        let workspace = workspace(params, &plan.tables, threads)?;
        let bytes = |together| workspace(together) + ciphertext_bytes(params, held(together).min(load.ciphertexts));
        load.together(Room::now(self.memory), self.held(0), bytes)
    }
}

impl EngineServer<Ckks> for Server {
    fn within(key: ServerKey, storage: Option<MaskStorage>, memory: Option<u64>) -> Result<Self, Error> {
        on_all_threads(|| Self::expand(key, storage, memory))
    }

    fn params(&self) -> &Params {
        self.bootstrap.params()
    }

    fn key_id(&self) -> [u8; 16] {
        self.key_id
    }

    fn key_bytes(&self) -> usize {
        self.key_bytes
    }

    fn storage(&self) -> MaskStorage {
        self.storage
    }

    fn plan(&self, function: &Function, inputs: &[&Ciphertexts]) -> Result<Plan, Error> {
        // Bounds of noise are found by several threads, of which the system may start few.
        on_all_threads(|| self.planned(function, inputs))
    }

    fn likeness(&self, inputs: &[&Ciphertexts]) -> String {
        let of = |x: &&Ciphertexts| (x.space(), x.error(), x.parts()[0].encoding());
        format!("{:?} {}", inputs.iter().map(of).collect::<Vec<_>>(), are_related(inputs))
    }

    fn run(
        &self,
        plan: &Plan,
        inputs: &[&Ciphertexts],
        threads: usize,
        watch: &Watch<'_>,
    ) -> Result<Vec<Ciphertexts>, Error> {
        self.evaluated(plan, inputs, threads, watch)
    }

    fn run_to<R: Read + Send, W: Write>(
        &self,
        plan: &Plan,
        inputs: Vec<CiphertextReader<R>>,
        outputs: Vec<W>,
        threads: usize,
        watch: &Watch<'_>,
    ) -> Result<Vec<W>, Error> {
        self.evaluated_to(plan, inputs, outputs, threads, watch)
    }

    fn compress(&self, x: &Ciphertexts, _threads: usize, _watch: &Watch<'_>) -> Result<Ciphertexts, Error> {
        check_key("ciphertext", [x.owner(), (self.params(), self.key_id)])?;
        x.compressed()
    }
}

/// Refuses integers that residues from 0 to p − 1 are not: those of these are what it has.
fn check_residues(ciphertexts: &Ciphertexts, what: &str) -> Result<(), Error> {
    let space = ciphertexts.space();
    match space.integers() {
        Some(integers) if integers.range().min < 0 || space.limbs() > 1 => {
            Err(SpaceError::NotResidues { what: what.into() }.into())
        }
        _ => Ok(()),
    }
}

/// Ciphertexts a thread whose results are written together, if there are several threads: none waits long.
const SEVERAL: usize = 4;

/// Ciphertexts that are read together, to be evaluated so many side by side.
pub(super) fn at_once(together: usize) -> usize {
    if together == 1 { 1 } else { SEVERAL * together }
}

/// Tables on inputs, ready to be evaluated: on these inputs, and on others that are as good.
#[derive(Debug)]
pub(crate) struct TablePlan {
    params: Params,
    tables: Tables,
    /// The message space of the inputs.
    in_space: Space,
    /// log2 of that of their ciphertexts.
    log2_modulus: u32,
    /// The bound on the error of the inputs.
    input: ErrorBound,
    /// Predicted, of each step.
    seconds: Vec<f64>,
    /// The bound on the error of the results of each table.
    errors: Vec<ErrorBound>,
    log2_failure: f64,
}

impl TablePlan {
    /// The parameters.
    pub(crate) fn params(&self) -> &Params {
        &self.params
    }

    /// Its inputs.
    pub(crate) fn inputs(&self) -> Inputs {
        Inputs { operands: vec![(self.in_space, self.input)], log2_modulus: self.log2_modulus, related: false }
    }

    /// The method of evaluation, in words.
    pub(crate) fn method(&self) -> String {
        self.tables.method()
    }

    /// p' of each table.
    pub(crate) fn out_moduli(&self) -> Vec<u64> {
        self.tables.out_moduli()
    }

    /// log2 of the probability that a value is wrong, in the worst slot of the worst key.
    pub(crate) fn log2_failure(&self) -> f64 {
        self.log2_failure
    }

    /// The prediction for so many values on these threads.
    ///
    /// # Errors
    /// As [`CiphertextPrediction::with_storage`](super::CiphertextPrediction::with_storage).
    pub(crate) fn prediction(
        &self,
        load: CiphertextLoad,
        storage: MaskStorage,
    ) -> Result<super::CiphertextPrediction, Error> {
        super::CiphertextPrediction::of_plan(&self.params, &self.tables, load, storage)
    }
}

/// Refuses another number of tables of one value each than there are values.
fn check_lengths(tables: Option<usize>, ciphertexts: &Ciphertexts) -> Result<(), Error> {
    match (tables, ciphertexts.len()) {
        (Some(left), right) if left != right => {
            Err(Error::Lengths { what: "tables of one value each, and values: vectors".into(), left, right })
        }
        _ => Ok(()),
    }
}

/// Who hears of steps.
pub(super) struct Steps<'a, F> {
    /// Predicted, of each step of a ciphertext.
    seconds: &'a [f64],
    /// Seconds of all ciphertexts.
    total: f64,
    told: Mutex<Told<F>>,
}

struct Told<F> {
    /// Steps of each ciphertext that have begun.
    begun: Vec<usize>,
    /// Seconds of steps that have ended.
    done: f64,
    progress: F,
}

impl<'a, F: FnMut(Progress)> Steps<'a, F> {
    /// Watches `count` ciphertexts, of steps that take so many seconds.
    pub(super) fn new(seconds: &'a [f64], count: usize, progress: F) -> Self {
        let total = seconds.iter().sum::<f64>() * count as f64;
        Self { seconds, total, told: Mutex::new(Told { begun: vec![0; count], done: 0.0, progress }) }
    }

    pub(super) fn tell(&self, ciphertext: usize, step: BootstrapStep) {
        let told = &mut *self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let begun = &mut told.begun[ciphertext];
        if let Some(ended) = begun.checked_sub(1).and_then(|last| self.seconds.get(last)) {
            told.done += ended;
        }
        *begun += 1;
        (told.progress)(Progress { ciphertext, step, done: told.done / self.total });
    }
}

/// The vectors of results with these errors, of which each part of the inputs has one part.
fn vectors(
    inputs: &Ciphertexts,
    parts: Vec<Vec<RlweCiphertext>>,
    errors: impl IntoIterator<Item = ErrorBound>,
) -> Vec<Ciphertexts> {
    let mut vectors: Vec<Vec<RlweCiphertext>> = parts[0].iter().map(|_| Vec::with_capacity(parts.len())).collect();
    for part in parts {
        vectors.iter_mut().zip(part).for_each(|(vector, part)| vector.push(part));
    }
    vectors.into_iter().zip(errors).map(|(parts, error)| inputs.results(parts, error)).collect()
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("params", &self.params().name()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
