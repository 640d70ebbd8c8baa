//! Functions of integers in batches.
use std::io::{Read, Write};

use bootes_lattice::port::RlweCiphertext;
use bootes_lattice::rns::MaskStorage;
use bootes_lut::LutError;
use bootes_lut::ckks::tables::side_by_side;
use bootes_lut::ckks::{IntegerCircuit, IntegerNoise, TableParams as Params};
use bootes_lut::integer::IntegerOp;
use bootes_schemes::cancel::Cancel;
use bootes_schemes::ckks::bootstrap::BootstrapStep;
use bootes_schemes::ckks::noise::ErrorBound;
use bootes_schemes::cost::Calibration;

use super::ciphertexts::{CiphertextWriter, are_related};
use super::predict::{ciphertext_bytes, integer_workspace};
use super::server::{Progress, Server, Steps, at_once};
use super::{CiphertextLoad, CiphertextReader, Ciphertexts, Inputs, check_key, maps};
use crate::engines::blocks::{VectorReader, VectorWriter};
use crate::engines::{EngineCiphertexts, EngineServer};
use crate::memory::Room;
use crate::threads::{on_threads, useful};
use crate::{Engine, Error, PlanError, Space};

/// A function of integers on inputs, ready to be evaluated: on these inputs, and on others that are as good.
#[derive(Debug)]
pub(crate) struct IntegerPlan {
    params: Params,
    circuit: IntegerCircuit,
    in_spaces: Vec<Space>,
    out_space: Space,
    /// The bound on the error of each operand.
    inputs: Vec<ErrorBound>,
    /// Whether operands come from one encryption or evaluation.
    related: bool,
    noise: IntegerNoise,
    /// Predicted, of each step.
    seconds: Vec<f64>,
}

impl IntegerPlan {
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
        let count = self.circuit.bootstraps();
        let plural = if count == 1 { "" } else { "s" };
        format!("functional digit decomposition, {count} bootstrap{plural}")
    }

    /// The message space of results.
    pub(crate) fn out_space(&self) -> Space {
        self.out_space
    }

    /// log2 of the probability that a result is wrong, in the worst slot of the worst key.
    pub(crate) fn log2_failure(&self) -> f64 {
        self.noise.log2_failure()
    }

    /// The prediction for so many values on these threads.
    ///
    /// # Errors
    /// As [`super::CiphertextPrediction::of_integers`].
    pub(crate) fn prediction(
        &self,
        load: CiphertextLoad,
        storage: MaskStorage,
    ) -> Result<super::CiphertextPrediction, Error> {
        super::CiphertextPrediction::of_integers(
            &self.params,
            &self.circuit,
            self.log2_failure(),
            load,
            storage,
            Room::default(),
        )
    }
}

/// The refusal of a set for tables.
pub(super) fn not_for_integers(params: &Params) -> Error {
    Error::NotForIntegers { params: params.name().into() }
}

impl super::CiphertextPrediction {
    /// The prediction of a function of fresh integers of `width` bits.
    ///
    /// # Errors
    /// [`Error::Lut`] for integers that the set does not hold; [`Error::Memory`].
    pub(crate) fn of_function(
        params: &Params,
        op: IntegerOp,
        width: u32,
        load: CiphertextLoad,
        storage: MaskStorage,
        room: Room,
    ) -> Result<Self, Error> {
        if params.max_integer_bits() == 0 {
            return Err(not_for_integers(params));
        }
        let circuit = IntegerCircuit::new(params, op, params.integer_limbs(width)?)?;
        let transforms = maps(params)?;
        let fresh = params.fresh_error(params.literal().log2_modulus);
        let noise = IntegerNoise::predict(params, &transforms, &circuit, &vec![fresh; op.operands()], false)?;
        Self::of_integers(params, &circuit, noise.log2_failure(), load, storage, room)
    }
}

impl Server {
    /// Plans a function of integers for operands like these.
    ///
    /// # Errors
    /// [`Error::Residues`], [`Error::Widths`], [`Error::Lut`] for operands that it does not take; [`Error::NotWith`]
    /// for a set that is made for tables; [`LutError::CkksNoise`] where results would not keep the promise;
    /// [`Error::OtherParams`], [`Error::OtherKey`].
    pub(crate) fn plan_integers(&self, op: IntegerOp, operands: &[&Ciphertexts]) -> Result<IntegerPlan, Error> {
        let params = self.params();
        operands.iter().try_for_each(|x| check_key("ciphertext", [x.owner(), (params, self.key_id())]))?;
        let in_spaces: Vec<Space> = operands.iter().map(|x| x.space()).collect();
        let (limbs, out_space) = Space::of_function(op, &in_spaces, Engine::Ckks)?;
        if params.max_integer_bits() == 0 {
            return Err(not_for_integers(params));
        }
        operands.iter().try_for_each(|x| check_modulus(params, x))?;
        let inputs: Vec<ErrorBound> = operands.iter().map(|x| x.error()).collect();
        let transforms = self.bootstrap().transforms();
        let circuit = IntegerCircuit::new(params, op, limbs)?;
        let related = are_related(operands);
        let noise = IntegerNoise::predict(params, transforms, &circuit, &inputs, related)?;
        let (found, promised) = (noise.log2_failure(), params.log2_p_fail());
        if found > promised {
            return Err(LutError::CkksNoise { table: 0, found, promised, params: params.name().into() }.into());
        }
        let seconds = circuit.work(params, transforms, self.storage())?;
        let seconds = seconds.into_iter().map(|(_, work)| Calibration::current().seconds(work)).collect();
        Ok(IntegerPlan { params: params.clone(), circuit, in_spaces, out_space, inputs, related, noise, seconds })
    }

    /// Evaluates what was planned, on operands as good as those of the plan, as many ciphertexts side by side as there
    /// are threads and memory for. It ends where it is cancelled.
    ///
    /// # Errors
    /// [`Error::Plan`] for operands that it was not made for; [`Error::Lengths`];
    /// [`Error::OtherParams`], [`Error::OtherKey`]; [`Error::Memory`] before anything is done.
    pub(crate) fn evaluate_integers_unless(
        &self,
        cancel: &Cancel,
        plan: &IntegerPlan,
        operands: &[&Ciphertexts],
        threads: usize,
        progress: impl FnMut(Progress) + Send,
    ) -> Result<Ciphertexts, Error> {
        let held = |_| operands[0].blocks();
        let (blocks, together) = (operands[0].blocks(), self.blocks_together(plan, operands, threads, held)?);
        let watch = Steps::new(&plan.seconds, blocks, progress);
        let tell = |i, step| watch.tell(i, step);
        let parts = self.integer_blocks(cancel, plan, operands, threads, together, tell)?;
        Ok(Ciphertexts::results_of(operands, plan.out_space, parts, plan.noise.result()))
    }

    /// The same of operands that are read as they are needed, whose results are written as they come to `out`, which is
    /// given back.
    ///
    /// # Errors
    /// As [`Self::evaluate_integers_unless`]; [`Error::Stream`], where what was written is worth nothing.
    pub(crate) fn evaluate_integers_to<R: Read, W: Write>(
        &self,
        cancel: &Cancel,
        plan: &IntegerPlan,
        mut operands: Vec<CiphertextReader<R>>,
        out: W,
        threads: usize,
        progress: impl FnMut(Progress) + Send,
    ) -> Result<W, Error> {
        let heads: Vec<Ciphertexts> = operands.iter().map(|x| x.head().clone()).collect();
        let heads: Vec<&Ciphertexts> = heads.iter().collect();
        let together = self.blocks_together(plan, &heads, threads, at_once)?;
        let blocks = heads[0].blocks();
        let watch = Steps::new(&plan.seconds, blocks, progress);
        let (mut waiting, mut file) = (Some(out), None);
        for start in (0..blocks).step_by(at_once(together)) {
            let count = at_once(together).min(blocks - start);
            let pieces = operands.iter_mut().map(|x| x.piece(count)).collect::<Result<Vec<_>, _>>()?;
            let pieces: Vec<&Ciphertexts> = pieces.iter().collect();
            let tell = |i, step| watch.tell(start + i, step);
            let parts = self.integer_blocks(cancel, plan, &pieces, threads, together, tell)?;
            let results = Ciphertexts::results_of(&heads, plan.out_space, parts, plan.noise.result());
            if let Some(out) = waiting.take() {
                file = Some(CiphertextWriter::new(out, &results)?);
            }
            file.iter_mut().try_for_each(|file| file.put(&results))?;
        }
        operands.into_iter().try_for_each(CiphertextReader::finish)?;
        file.ok_or(Error::NoValues)?.finish()
    }

    /// How many values' ciphertexts are evaluated side by side, if they are what the plan was made for, with those of
    /// so many in memory then.
    fn blocks_together(
        &self,
        plan: &IntegerPlan,
        operands: &[&Ciphertexts],
        threads: usize,
        held: impl Fn(usize) -> usize,
    ) -> Result<usize, Error> {
        self.check_operands(plan, operands)?;
        let (params, blocks) = (self.params(), operands[0].blocks());
        let each = operands.iter().map(|x| x.space().limbs()).sum::<usize>() + plan.out_space.limbs();
        let load = CiphertextLoad { ciphertexts: blocks, threads: useful(threads) };
        let workspace = integer_workspace(params, &plan.circuit, useful(threads));
        let bytes = |together| workspace(together) + ciphertext_bytes(params, each * held(together).min(blocks));
        load.together(Room::now(self.memory()), self.held(0), bytes)
    }

    /// Evaluates those of the operands' ciphertexts that there are.
    fn integer_blocks(
        &self,
        cancel: &Cancel,
        plan: &IntegerPlan,
        operands: &[&Ciphertexts],
        threads: usize,
        together: usize,
        tell: impl Fn(usize, BootstrapStep) + Sync,
    ) -> Result<Vec<RlweCiphertext>, Error> {
        let (bootstrap, limbs) = (self.bootstrap().cancelled_by(cancel), operands[0].space().limbs());
        let block = |i: usize| {
            let inputs = operands.iter().flat_map(|x| x.parts()[i * limbs..][..limbs].iter().cloned());
            bootstrap.evaluate_integers(&plan.circuit, &inputs.collect::<Vec<_>>(), |step| tell(i, step))
        };
        let blocks = operands[0].parts().len() / limbs;
        let results: Vec<Vec<RlweCiphertext>> = on_threads(useful(threads), || side_by_side(blocks, together, block))??;
        Ok(results.into_iter().flatten().collect())
    }

    fn check_operands(&self, plan: &IntegerPlan, operands: &[&Ciphertexts]) -> Result<(), Error> {
        let params = self.params();
        let (found, expected) = (operands.len(), plan.in_spaces.len());
        let what = plan.circuit.op().to_string();
        if found != expected {
            return Err(Error::OperandCount { what, found, expected });
        }
        if plan.params.fingerprint() != params.fingerprint() {
            return Err(Error::OtherParams { what: "plan", params: params.name().into() });
        }
        if !plan.related && are_related(operands) {
            return Err(PlanError::Bound { params: params.name().into() }.into());
        }
        for ((x, &expected), &bound) in operands.iter().zip(&plan.in_spaces).zip(&plan.inputs) {
            check_key("ciphertext", [x.owner(), (params, self.key_id())])?;
            let found = x.space();
            if !expected.holds(found) {
                return Err(PlanError::Space { found, expected }.into());
            }
            check_modulus(params, x)?;
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

/// Refuses ciphertexts in another modulus than the set's, which compression alone makes.
fn check_modulus(params: &Params, x: &Ciphertexts) -> Result<(), Error> {
    match x.parts()[0].encoding().log2_modulus() == params.literal().log2_modulus {
        true => Ok(()),
        false => Err(Error::Compressed { operation: "a function of integers".into() }),
    }
}
