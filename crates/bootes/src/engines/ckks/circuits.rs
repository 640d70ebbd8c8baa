//! Functions of several values in batches: of integers, and programs.
use std::cell::OnceCell;
use std::io::{Read, Write};

use bootes_lattice::port::RlweCiphertext;
use bootes_lattice::rns::MaskStorage;
use bootes_lut::ckks::tables::side_by_side;
use bootes_lut::ckks::{Circuit, CircuitBounds, Draft, Messages, Operand, TableParams as Params};
use bootes_lut::integer::{IntegerLimbs, IntegerOp};
use bootes_lut::{CkksLutError, Kind, LutError, MultivariateLut, Program};
use bootes_schemes::cancel::Cancel;
use bootes_schemes::ckks::bootstrap::{BootstrapStep, Transforms};
use bootes_schemes::ckks::noise::ErrorBound;
use bootes_schemes::cost::Calibration;

use super::ciphertexts::are_related;
use super::predict::{ciphertext_bytes, circuit_workspace};
use super::server::{Progress, Server, Steps, at_once};
use super::{CiphertextLoad, CiphertextPrediction, CiphertextReader, Ciphertexts, Inputs, check_key, check_plan, maps};
use crate::door::space::Integers;
use crate::engines::blocks::{Files, VectorReader};
use crate::engines::{EngineCiphertexts, EngineServer};
use crate::memory::{Room, masks_that_fit};
use crate::threads::{on_threads, useful};
use crate::{Engine, Error, Load, PlanError, Prediction, Space};

/// A function of several values on inputs, ready to be evaluated: on these inputs, and on others that are as good.
#[derive(Debug)]
pub(crate) struct CircuitPlan {
    params: Params,
    /// In words.
    function: String,
    circuit: Circuit,
    in_spaces: Vec<Space>,
    out_spaces: Vec<Space>,
    /// The bound on the error of each operand.
    inputs: Vec<ErrorBound>,
    /// Whether operands come from one encryption or evaluation.
    related: bool,
    bounds: CircuitBounds,
    /// Predicted, of each step.
    seconds: Vec<f64>,
}

impl CircuitPlan {
    /// The parameters.
    pub(crate) fn params(&self) -> &Params {
        &self.params
    }

    /// Its operands.
    pub(crate) fn inputs(&self) -> Inputs {
        let operands = self.in_spaces.iter().copied().zip(self.inputs.iter().copied()).collect();
        Inputs { operands, log2_modulus: self.params.literal().log2_modulus, related: self.related }
    }

    /// The circuit, in words.
    pub(crate) fn method(&self) -> String {
        let has_tables = self.circuit.tables().next().is_some();
        let what = if has_tables { "sums, tables and digits" } else { "functional digit decomposition" };
        let count = self.circuit.bootstraps();
        if count == 0 {
            return "sums alone, no bootstrap".into();
        }
        format!("{what}, {count} bootstrap{}", if count == 1 { "" } else { "s" })
    }

    /// The message spaces of results.
    pub(crate) fn out_spaces(&self) -> &[Space] {
        &self.out_spaces
    }

    /// log2 of the probability that a result is wrong, in the worst slot of the worst key.
    pub(crate) fn log2_failure(&self) -> f64 {
        self.bounds.log2_failure()
    }

    /// The vectors of results, of which each part of the operands has the ciphertexts of one.
    fn vectors(&self, operands: &[&Ciphertexts], parts: Vec<Vec<RlweCiphertext>>) -> Vec<Ciphertexts> {
        let mut vectors: Vec<Vec<RlweCiphertext>> = vec![Vec::new(); self.out_spaces.len()];
        for part in parts {
            let mut limbs = part.into_iter();
            let of = vectors.iter_mut().zip(&self.out_spaces);
            of.for_each(|(vector, space)| vector.extend(limbs.by_ref().take(space.limbs())));
        }
        let spaces = self.out_spaces.iter().zip(self.bounds.results());
        let results = vectors.into_iter().zip(spaces);
        results.map(|(parts, (&space, error))| Ciphertexts::results_of(operands, space, parts, error)).collect()
    }

    /// The prediction for so many values on these threads.
    ///
    /// # Errors
    /// As [`CiphertextPrediction::of_circuit`].
    pub(crate) fn prediction(&self, load: CiphertextLoad, storage: MaskStorage) -> Result<CiphertextPrediction, Error> {
        let (log2_failure, room) = (self.log2_failure(), Room::default());
        let transforms = maps(&self.params)?;
        CiphertextPrediction::of_circuit(&self.params, &transforms, &self.circuit, log2_failure, load, storage, room)
    }
}

/// The prediction of a function of fresh integers of `width` bits.
///
/// # Errors
/// [`Error::Lut`] for integers that the set does not hold; as [`of_fresh`].
pub(super) fn function_prediction(
    params: &Params,
    op: IntegerOp,
    width: u32,
    load: &Load,
) -> Result<Prediction, Error> {
    if params.max_integer_bits() == 0 {
        return Err(not_for_integers(params));
    }
    let circuit = Circuit::of_integers(params, op, params.integer_limbs(width)?)?;
    of_fresh(params, &maps(params)?, &circuit, load)
}

/// Predictions of programs and tables of several values with a set, whose maps are made once for all.
pub(super) struct Predictor<'a> {
    params: &'a Params,
    load: &'a Load,
    maps: OnceCell<Transforms>,
}

impl<'a> Predictor<'a> {
    pub(super) fn new(params: &'a Params, load: &'a Load) -> Self {
        Self { params, load, maps: OnceCell::new() }
    }

    /// Of a program of fresh values of these spaces.
    ///
    /// # Errors
    /// [`Error::Lut`] for what the set is too small for; as [`of_fresh`].
    pub(super) fn program(&self, program: &Program, spaces: &[Space]) -> Result<Prediction, Error> {
        planned(self.params, program, spaces, |draft| self.of_draft(draft))
    }

    /// Of a table of several fresh values of these spaces.
    ///
    /// # Errors
    /// As [`Self::program`].
    pub(super) fn multivariate(&self, table: &MultivariateLut, spaces: &[Space]) -> Result<Prediction, Error> {
        self.of_draft(multivariate(self.params, table, spaces)?)
    }

    fn of_draft(&self, draft: Draft<'_>) -> Result<Prediction, Error> {
        check_plan(self.params, self.load.room())?;
        let maps = match self.maps.get() {
            Some(maps) => maps,
            None => {
                let made = maps(self.params)?;
                self.maps.get_or_init(|| made)
            }
        };
        of_fresh(self.params, maps, &draft.circuit(maps)?, self.load)
    }
}

/// The prediction of a circuit on fresh operands.
///
/// # Errors
/// [`CkksLutError::Noise`] where results would not keep the promise; [`Error::Memory`].
fn of_fresh(params: &Params, transforms: &Transforms, circuit: &Circuit, load: &Load) -> Result<Prediction, Error> {
    let fresh = params.fresh_error(params.literal().log2_modulus);
    let bounds = CircuitBounds::predict(params, transforms, circuit, &vec![fresh; circuit.operands()], false)?;
    check_promise(params, &bounds)?;
    let (of, log2_failure) = (CiphertextLoad::of(params, load), bounds.log2_failure());
    let fit =
        |masks| CiphertextPrediction::of_circuit(params, transforms, circuit, log2_failure, of, masks, load.room());
    Ok(masks_that_fit(load.masks, fit)?.of_load(load))
}

/// Whether a program's operands of a space have too little room, and are made anew.
///
/// # Errors
/// As [`Predictor::program`].
pub(super) fn widens(params: &Params, program: &Program, space: Space) -> Result<bool, Error> {
    planned(params, program, &vec![space; program.inputs()], |draft| Ok(draft.widens()))
}

/// Digits of an input that is made anew, at most.
const DIGITS: usize = 4;

/// Bootstraps that a program of operands of a space takes at least, where they may be in one with more room.
///
/// # Errors
/// As [`Predictor::program`].
pub(super) fn bootstraps(params: &Params, program: &Program, space: Space) -> Result<usize, Error> {
    planned(params, program, &vec![space; program.inputs()], |draft| {
        let anew = if draft.widens() { DIGITS * program.inputs() } else { 0 };
        Ok(draft.bootstraps().saturating_sub(anew).max(draft.bootstraps().min(1)))
    })
}

/// The refusal of a set for tables.
pub(super) fn not_for_integers(params: &Params) -> Error {
    Error::NotForIntegers { params: params.name().into() }
}

/// Values of an integer of which what several functions make is tried as one table.
const MOST_COMPOSED: u64 = 1 << 12;

/// What `plan` makes of a program: with tables for what several functions make of one value, where that takes
/// fewer bootstraps and can be, or as it is.
fn planned<'a, T>(
    params: &'a Params,
    program: &Program,
    spaces: &[Space],
    plan: impl Fn(Draft<'a>) -> Result<T, Error>,
) -> Result<T, Error> {
    for space in spaces {
        space.check_exact(&program.to_string())?;
        space.check_limbs(params.name())?;
    }
    let kinds: Vec<Kind> = spaces.iter().map(|space| space.kind()).collect();
    let draft = |program: &Program| Draft::new(params, program, &operands(spaces));
    if let Some((composed, rotations)) = program.composed(&kinds, MOST_COMPOSED)
        && let Ok(made) = draft(&composed)
    {
        // Tables of one sum are one bootstrap here.
        let surely_fewer = 4 * made.bootstraps() as u64 <= rotations;
        let fewer = || draft(program).map_or(true, |own| made.bootstraps() < own.bootstraps());
        if (surely_fewer || fewer())
            && let Ok(found) = plan(made)
        {
            return Ok(found);
        }
    }
    plan(draft(program)?)
}

fn operands(spaces: &[Space]) -> Vec<Operand> {
    let limb = |limb: Space| (limb.moduli()[0], limb.kind());
    let operand =
        |space: &Space| Operand { limbs: space.of_limbs().into_iter().map(limb).collect(), kind: space.kind() };
    spaces.iter().map(operand).collect()
}

pub(super) fn multivariate<'a>(
    params: &'a Params,
    table: &MultivariateLut,
    spaces: &[Space],
) -> Result<Draft<'a>, Error> {
    table.sizes().iter().zip(spaces).try_for_each(|(&size, space)| space.check_values(size))?;
    Ok(Draft::multivariate(params, table, &operands(spaces))?)
}

/// The space of messages modulo these, one a limb.
fn space((moduli, kind): &Messages) -> Space {
    match *kind {
        Kind::Residues(p) => Space::Modular(p),
        Kind::Integers(range) => {
            let mut bits = moduli.iter().map(|modulus| modulus.ilog2() - 1);
            let limbs = IntegerLimbs { low: bits.next().unwrap_or(0), between: 0, high: bits.next() };
            Space::Integers(Integers::new(limbs, range).unwrap_or_else(|| unreachable!("it has room for {range}")))
        }
    }
}

impl Server {
    /// Plans a function of integers for operands like these.
    ///
    /// # Errors
    /// [`Error::Space`], [`Error::Lut`] for operands that it does not take; [`Error::NotWith`]
    /// for a set that is made for tables; as [`Self::plan_program`].
    pub(crate) fn plan_integers(&self, op: IntegerOp, operands: &[&Ciphertexts]) -> Result<CircuitPlan, Error> {
        let params = self.params();
        self.check_owners(operands)?;
        let in_spaces: Vec<Space> = operands.iter().map(|x| x.space()).collect();
        let (limbs, out_space) = Space::of_function(op, &in_spaces, Engine::Ckks)?;
        if params.max_integer_bits() == 0 {
            return Err(not_for_integers(params));
        }
        let circuit = Circuit::of_integers(params, op, limbs)?;
        self.plan_circuit(op.to_string(), circuit, operands, vec![out_space])
    }

    /// Plans a program for operands like these.
    ///
    /// # Errors
    /// [`Error::Lut`] for what the set is too small for; [`CkksLutError::Noise`] where results would not keep the
    /// promise; [`Error::Space`]; [`Error::OtherParams`], [`Error::OtherKey`].
    pub(crate) fn plan_program(&self, program: &Program, operands: &[&Ciphertexts]) -> Result<CircuitPlan, Error> {
        self.check_owners(operands)?;
        let spaces: Vec<Space> = operands.iter().map(|x| x.space()).collect();
        planned(self.params(), program, &spaces, |draft| self.plan_draft(program.to_string(), draft, operands))
    }

    /// Plans a table of several values for operands like these.
    ///
    /// # Errors
    /// As [`Self::plan_program`]; [`Error::InputModulus`], [`LutError::Domain`] for operands that have other values.
    pub(crate) fn plan_multivariate(
        &self,
        table: &MultivariateLut,
        operands: &[&Ciphertexts],
    ) -> Result<CircuitPlan, Error> {
        self.check_owners(operands)?;
        let spaces: Vec<Space> = operands.iter().map(|x| x.space()).collect();
        let draft = multivariate(self.params(), table, &spaces)?;
        self.plan_draft(format!("a table of {} values", operands.len()), draft, operands)
    }

    fn plan_draft(&self, function: String, draft: Draft<'_>, operands: &[&Ciphertexts]) -> Result<CircuitPlan, Error> {
        let out_spaces = draft.results().iter().map(space).collect();
        let circuit = draft.circuit(self.bootstrap().transforms())?;
        self.plan_circuit(function, circuit, operands, out_spaces)
    }

    fn check_owners(&self, operands: &[&Ciphertexts]) -> Result<(), Error> {
        operands.iter().try_for_each(|x| check_key("ciphertext", [x.owner(), (self.params(), self.key_id())]))
    }

    fn plan_circuit(
        &self,
        function: String,
        circuit: Circuit,
        operands: &[&Ciphertexts],
        out_spaces: Vec<Space>,
    ) -> Result<CircuitPlan, Error> {
        let (params, transforms) = (self.params(), self.bootstrap().transforms());
        operands.iter().try_for_each(|x| check_modulus(params, x, &function))?;
        let in_spaces = operands.iter().map(|x| x.space()).collect();
        let inputs: Vec<ErrorBound> = operands.iter().map(|x| x.error()).collect();
        let related = are_related(operands);
        let bounds = CircuitBounds::predict(params, transforms, &circuit, &inputs, related)?;
        check_promise(params, &bounds)?;
        let seconds = circuit.work(params, transforms, self.storage())?;
        let seconds = seconds.into_iter().map(|(_, work)| Calibration::current().seconds(work)).collect();
        let params = params.clone();
        Ok(CircuitPlan { params, function, circuit, in_spaces, out_spaces, inputs, related, bounds, seconds })
    }

    /// Evaluates what was planned, on operands as good as those of the plan, as many ciphertexts side by side as there
    /// are threads and memory for. It ends where it is cancelled.
    ///
    /// # Errors
    /// [`Error::Plan`] for operands that it was not made for; [`Error::Lengths`];
    /// [`Error::OtherParams`], [`Error::OtherKey`]; [`Error::Memory`] before anything is done.
    pub(crate) fn evaluate_circuit_unless(
        &self,
        cancel: &Cancel,
        plan: &CircuitPlan,
        operands: &[&Ciphertexts],
        threads: usize,
        progress: impl FnMut(Progress) + Send,
    ) -> Result<Vec<Ciphertexts>, Error> {
        let held = |_| operands[0].blocks();
        let (blocks, together) = (operands[0].blocks(), self.blocks_together(plan, operands, threads, held)?);
        let watch = Steps::new(&plan.seconds, blocks, progress);
        let tell = |i, step| watch.tell(i, step);
        let results = self.circuit_blocks(cancel, plan, operands, threads, together, tell)?;
        Ok(plan.vectors(operands, results))
    }

    /// The same of operands that are read as they are needed, whose results are written as they come, a vector to each
    /// of `outputs`, which are given back.
    ///
    /// # Errors
    /// As [`Self::evaluate_circuit_unless`]; [`Error::ResultCount`] unless there is an output for each result;
    /// [`Error::Stream`], where what was written is worth nothing.
    pub(crate) fn evaluate_circuit_to<R: Read, W: Write>(
        &self,
        cancel: &Cancel,
        plan: &CircuitPlan,
        mut operands: Vec<CiphertextReader<R>>,
        outputs: Vec<W>,
        threads: usize,
        progress: impl FnMut(Progress) + Send,
    ) -> Result<Vec<W>, Error> {
        let (found, expected) = (plan.out_spaces.len(), outputs.len());
        if found != expected {
            return Err(Error::ResultCount { found, expected });
        }
        let heads: Vec<Ciphertexts> = operands.iter().map(|x| x.head().clone()).collect();
        let heads: Vec<&Ciphertexts> = heads.iter().collect();
        let together = self.blocks_together(plan, &heads, threads, at_once)?;
        let blocks = heads[0].blocks();
        let watch = Steps::new(&plan.seconds, blocks, progress);
        let mut files = Files::Begin(outputs);
        for start in (0..blocks).step_by(at_once(together)) {
            let count = at_once(together).min(blocks - start);
            let pieces = operands.iter_mut().map(|x| x.piece(count)).collect::<Result<Vec<_>, _>>()?;
            let pieces: Vec<&Ciphertexts> = pieces.iter().collect();
            let tell = |i, step| watch.tell(start + i, step);
            let results = self.circuit_blocks(cancel, plan, &pieces, threads, together, tell)?;
            files.put(&plan.vectors(&heads, results))?;
        }
        operands.into_iter().try_for_each(CiphertextReader::finish)?;
        files.finish()
    }

    /// How many values' ciphertexts are evaluated side by side, if they are what the plan was made for, with those of
    /// so many in memory then.
    fn blocks_together(
        &self,
        plan: &CircuitPlan,
        operands: &[&Ciphertexts],
        threads: usize,
        held: impl Fn(usize) -> usize,
    ) -> Result<usize, Error> {
        self.check_operands(plan, operands)?;
        let (params, blocks) = (self.params(), operands[0].blocks());
        let each = operands.iter().map(|x| x.space()).chain(plan.out_spaces.iter().copied());
        let each: usize = each.map(Space::limbs).sum();
        let load = CiphertextLoad { ciphertexts: blocks, threads: useful(threads) };
        let workspace = circuit_workspace(params, &plan.circuit, useful(threads))?;
        let bytes = |together| workspace(together) + ciphertext_bytes(params, each * held(together).min(blocks));
        load.together(Room::now(self.memory()), self.held(0), bytes)
    }

    /// Evaluates those of the operands' ciphertexts that there are: of each the ciphertexts of all results.
    fn circuit_blocks(
        &self,
        cancel: &Cancel,
        plan: &CircuitPlan,
        operands: &[&Ciphertexts],
        threads: usize,
        together: usize,
        tell: impl Fn(usize, BootstrapStep) + Sync,
    ) -> Result<Vec<Vec<RlweCiphertext>>, Error> {
        let bootstrap = self.bootstrap().cancelled_by(cancel);
        let block = |i: usize| {
            let of = |x: &&Ciphertexts| {
                let limbs = x.space().limbs();
                x.parts()[i * limbs..][..limbs].to_vec()
            };
            let inputs: Vec<RlweCiphertext> = operands.iter().flat_map(of).collect();
            bootstrap.evaluate_circuit(&plan.circuit, &inputs, |step| tell(i, step))
        };
        let blocks = operands[0].parts().len() / operands[0].space().limbs();
        on_threads(useful(threads), || side_by_side(blocks, together, block))?.map_err(Into::into)
    }

    fn check_operands(&self, plan: &CircuitPlan, operands: &[&Ciphertexts]) -> Result<(), Error> {
        let params = self.params();
        let (found, expected) = (operands.len(), plan.in_spaces.len());
        let what = plan.function.clone();
        if found != expected {
            return Err(Error::OperandCount { what, found, expected });
        }
        if plan.params.fingerprint() != params.fingerprint() {
            return Err(Error::OtherParams { what: "plan", params: params.name().into() });
        }
        if !plan.related && are_related(operands) {
            return Err(PlanError::Related.into());
        }
        for ((x, &expected), &bound) in operands.iter().zip(&plan.in_spaces).zip(&plan.inputs) {
            check_key("ciphertext", [x.owner(), (params, self.key_id())])?;
            let found = x.space();
            if !expected.holds(found) {
                return Err(PlanError::Space { found, expected }.into());
            }
            check_modulus(params, x, &what)?;
            if !x.error().is_within(bound) {
                return Err(PlanError::Bound { params: params.name().into() }.into());
            }
            if x.len() != operands[0].len() {
                return Err(Error::Lengths { what, left: operands[0].len(), right: x.len() });
            }
        }
        Ok(())
    }
}

/// Refuses bounds that do not keep the promise of the set.
pub(super) fn check_promise(params: &Params, bounds: &CircuitBounds) -> Result<(), Error> {
    let (found, promised) = (bounds.log2_failure(), params.log2_p_fail());
    match found <= promised {
        true => Ok(()),
        false => {
            Err(LutError::from(CkksLutError::Noise { table: 0, found, promised, params: params.name().into() }).into())
        }
    }
}

/// Refuses ciphertexts in another modulus than the set's, which compression alone makes.
fn check_modulus(params: &Params, x: &Ciphertexts, function: &str) -> Result<(), Error> {
    match x.parts()[0].encoding().log2_modulus() == params.literal().log2_modulus {
        true => Ok(()),
        false => Err(Error::Compressed { operation: function.into() }),
    }
}
