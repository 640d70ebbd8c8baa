//! Functional bootstrapping with CKKS (section 2.4; Alexandru, Kim, Polyakov 2024) and multi-value bootstrapping (Algorithm 1): tables on all
//! coefficients of an RLWE ciphertext at once.
//!
//! ModRaise → CoeffsToSlots → exp(2πix) → the tables' interpolations, which share the powers of z → real parts → SlotsToCoeffs. Coefficients
//! 0 … N/2 − 1 and N/2 … N − 1 go through the circle as two ciphertexts of N/2 slots, in parallel, and come back as real and imaginary
//! parts of one.
use std::sync::Arc;

use bootes_lattice::port::{RlweCiphertext, RlweEncoding};
use bootes_lattice::rns::RnsCiphertext;
use bootes_schemes::cancel::Cancel;
use bootes_schemes::ckks::bootstrap::{BootstrapStep, Transforms, on_halves};
use bootes_schemes::ckks::{CkksCiphertext, CkksError, Evaluator};
use bootes_schemes::polyeval::ArithmeticCircuit;

use super::{PreparedTables, TableParams, clean};
use crate::{CkksLutError, LutError};

/// Evaluates tables on ciphertexts.
#[derive(Debug)]
pub struct FunctionalBootstrap {
    params: TableParams,
    evaluator: Evaluator,
    transforms: Arc<Transforms>,
    exponential: ArithmeticCircuit,
}

impl FunctionalBootstrap {
    /// With the evaluation key of `evaluator`, made for [`TableParams::request`].
    ///
    /// # Errors
    /// As [`Transforms::new`], [`Transforms::prepare`].
    pub fn new(params: &TableParams, evaluator: Evaluator) -> Result<Self, LutError> {
        let transforms = Arc::new(params.transforms()?);
        transforms.prepare(evaluator.encoder())?;
        Ok(Self { params: params.clone(), evaluator, transforms, exponential: params.exponential().circuit() })
    }

    /// The parameters.
    #[must_use]
    pub fn params(&self) -> &TableParams {
        &self.params
    }

    /// The same, whose evaluations end with an error from when `cancel` says so.
    #[must_use]
    pub fn cancelled_by(&self, cancel: &Cancel) -> Self {
        let (transforms, exponential) = (Arc::clone(&self.transforms), self.exponential.clone());
        Self { params: self.params.clone(), evaluator: self.evaluator.cancelled_by(cancel), transforms, exponential }
    }

    /// The maps.
    #[must_use]
    pub fn transforms(&self) -> &Transforms {
        &self.transforms
    }

    /// The map to the circle.
    #[must_use]
    pub fn exponential(&self) -> &ArithmeticCircuit {
        &self.exponential
    }

    /// The evaluator.
    #[must_use]
    pub fn evaluator(&self) -> &Evaluator {
        &self.evaluator
    }

    /// The points exp(2πix) of the coefficients q_0·x of a ciphertext of level 0, in bit-reversed order: those of
    /// coefficients 0 … N/2 − 1 in the slots of the first, of the others in those of the second.
    ///
    /// # Errors
    /// As the evaluator.
    pub fn circle(
        &self,
        input: &RnsCiphertext,
        mut watch: impl FnMut(BootstrapStep),
    ) -> Result<[CkksCiphertext; 2], LutError> {
        let evaluator = &self.evaluator;
        watch(BootstrapStep::ModRaise);
        let raised = evaluator.raise(input)?;
        watch(BootstrapStep::CoeffsToSlots);
        let halves = evaluator.coeffs_to_slots(&self.transforms, raised)?;
        watch(BootstrapStep::EvalExp);
        let circle = |x: CkksCiphertext| {
            let z = evaluator.evaluate(&self.exponential, &[&x], |_, _| ())?.remove(0);
            if self.params.literal().clean_circle { clean::modulus_of(evaluator, &z) } else { Ok(z) }
        };
        Ok(on_halves(halves, circle)?)
    }

    /// The tables' values f(m)/p', times [`TableParams::slot_factor`], of the points of [`Self::circle`]: the real
    /// parts of slots are those of coefficients 0 … N/2 − 1, the imaginary parts of the others.
    ///
    /// # Errors
    /// As the evaluator.
    pub fn tables_of(
        &self,
        tables: &PreparedTables,
        circle: &[CkksCiphertext; 2],
    ) -> Result<Vec<CkksCiphertext>, LutError> {
        let evaluator = &self.evaluator;
        let [low, high] = on_halves(circle.each_ref(), |z| evaluator.evaluate(tables.circuit(), &[z], |_, _| ()))?;
        low.iter().zip(&high).map(|(low, high)| self.joined(low, high)).collect()
    }

    /// The values of both halves, half of which are the real parts, as [`Self::tables_of`] leaves them.
    pub(crate) fn joined(&self, low: &CkksCiphertext, high: &CkksCiphertext) -> Result<CkksCiphertext, LutError> {
        let joined = self.evaluator.join_real_parts(low, high)?;
        match self.params.slot_factor() {
            1.0 => Ok(joined),
            factor => Ok(self.evaluator.matrix_product(&[&[factor]], &[joined])?.remove(0)),
        }
    }

    /// The tables' values of a ciphertext of level 0 whose coefficients are q_0·(m/p + e), as
    /// [`Self::tables_of`] leaves them.
    ///
    /// # Errors
    /// As the evaluator.
    pub fn evaluate_to_slots(
        &self,
        tables: &PreparedTables,
        input: &RnsCiphertext,
        mut watch: impl FnMut(BootstrapStep),
    ) -> Result<Vec<CkksCiphertext>, LutError> {
        let circle = self.circle(input, &mut watch)?;
        watch(BootstrapStep::EvalLut);
        self.tables_of(tables, &circle)
    }

    /// For each table a ciphertext of level 0 whose coefficients are q_0·f(m)/p' + noise.
    ///
    /// # Errors
    /// As the evaluator.
    pub fn evaluate(
        &self,
        tables: &PreparedTables,
        input: &RnsCiphertext,
        mut watch: impl FnMut(BootstrapStep),
    ) -> Result<Vec<RnsCiphertext>, LutError> {
        let slots = self.evaluate_to_slots(tables, input, &mut watch)?;
        watch(BootstrapStep::SlotsToCoeffs);
        let back = |x: CkksCiphertext| Ok(self.evaluator.slots_to_coeffs(&self.transforms, &x)?.inner().clone());
        slots.into_iter().map(back).collect()
    }

    /// [`FunctionalBootstrap::evaluate_to_slots`] of an RLWE ciphertext.
    ///
    /// # Errors
    /// [`CkksLutError::Input`] unless the input holds messages modulo p; what the evaluator refuses.
    pub fn slots_of(
        &self,
        tables: &PreparedTables,
        input: &RlweCiphertext,
        watch: impl FnMut(BootstrapStep),
    ) -> Result<Vec<CkksCiphertext>, LutError> {
        self.check_input(tables.in_modulus(), input)?;
        self.evaluate_to_slots(tables, &input.to_base(self.params.ckks().ring())?, watch)
    }

    /// Refuses a ciphertext of other messages than those modulo `p`, or of another degree.
    pub(crate) fn check_input(&self, p: u64, input: &RlweCiphertext) -> Result<(), LutError> {
        let found = [input.encoding().plaintext_modulus(), input.degree() as u64];
        let expected = [p, self.params.capacity() as u64];
        if found == expected { Ok(()) } else { Err(CkksLutError::Input { found, expected }.into()) }
    }

    /// 2·Re(x).
    pub(crate) fn twice_real(&self, x: &CkksCiphertext) -> Result<CkksCiphertext, CkksError> {
        self.evaluator.add(x, &self.evaluator.conjugate(x)?)
    }

    /// The RLWE ciphertext of `count` messages modulo p' from slots that hold them divided by p', times
    /// [`TableParams::slot_factor`].
    ///
    /// # Errors
    /// As the evaluator.
    pub fn to_rlwe(
        &self,
        slots: &CkksCiphertext,
        encoding: RlweEncoding,
        count: usize,
    ) -> Result<RlweCiphertext, LutError> {
        let coefficients = self.evaluator.slots_to_coeffs(&self.transforms, slots)?;
        Ok(RlweCiphertext::from_base(self.params.ckks().ring(), coefficients.inner(), encoding, count)?)
    }

    /// For each table the ciphertext of f(m) modulo p', in a ciphertext modulus 2^log2_modulus of the set.
    ///
    /// # Errors
    /// [`CkksLutError::Input`] unless the input holds messages modulo p; what the evaluator refuses.
    pub fn evaluate_rlwe(
        &self,
        tables: &PreparedTables,
        input: &RlweCiphertext,
        mut watch: impl FnMut(BootstrapStep),
    ) -> Result<Vec<RlweCiphertext>, LutError> {
        let slots = self.slots_of(tables, input, &mut watch)?;
        watch(BootstrapStep::SlotsToCoeffs);
        let back = |(x, &modulus): (&CkksCiphertext, &u64)| {
            self.to_rlwe(x, RlweEncoding::new(modulus, self.params.literal().log2_modulus)?, input.count())
        };
        slots.iter().zip(tables.out_moduli()).map(back).collect()
    }
}

/// Where coefficient `i` of N = `degree` is in slots: the number of the slot, and whether in its imaginary part.
#[must_use]
pub fn slot(degree: usize, i: usize) -> (usize, bool) {
    let slots = degree / 2;
    ((i % slots).reverse_bits() >> (usize::BITS - slots.ilog2()), i >= slots)
}
