//! Functional bootstrapping with CKKS (section 2.4; Alexandru, Kim, Polyakov 2024) and multi-value bootstrapping (Algorithm 1): tables on all
//! coefficients of an RLWE ciphertext at once.
//!
//! ModRaise → CoeffsToSlots → exp(2πix) → the tables' interpolations, which share the powers of z → real parts → SlotsToCoeffs. Coefficients
//! 0 … N/2 − 1 and N/2 … N − 1 go through the circle as two ciphertexts of N/2 slots, in parallel, and come back as real and imaginary
//! parts of one.
//!
//! Tables are centred: with values in [−p'/2, p'/2) the noise that is proportional to them is least.
use num_complex::Complex64;

use bootes_lattice::rns::RnsCiphertext;
use bootes_schemes::ckks::bootstrap::Transforms;
use bootes_schemes::ckks::{CkksCiphertext, Evaluator};
use bootes_schemes::polyeval::{Basis, Circuit};

use super::{BatchParams, Interpolation};
use crate::{Lut, LutError};

/// Tables prepared for evaluation on the same inputs.
#[derive(Debug)]
pub struct PreparedTables {
    in_modulus: u64,
    out_moduli: Vec<u64>,
    circuit: Circuit,
    interpolations: Vec<Interpolation>,
}

impl PreparedTables {
    /// Interpolates tables on Z_p, one or more, of equally many entries.
    ///
    /// # Errors
    /// [`LutError::BatchTables`] if there is none, or their sizes differ or exceed the set's.
    pub fn new(params: &BatchParams, tables: &[Lut]) -> Result<Self, LutError> {
        let sizes: Vec<usize> = tables.iter().map(|table| table.values().len()).collect();
        let max = 1 << params.literal().bits;
        let Some(&entries) = sizes.first().filter(|&&p| p <= max && sizes.iter().all(|&size| size == p)) else {
            return Err(LutError::BatchTables { found: sizes, max });
        };
        let interpolate = |table: &Lut| {
            let modulus = table.out_modulus() as f64;
            let centre =
                |&value: &u64| if 2 * value >= table.out_modulus() { value as f64 - modulus } else { value as f64 };
            let values: Vec<f64> = table.values().iter().map(centre).collect();
            params.interpolation(&values)
        };
        let interpolations = tables.iter().map(interpolate).collect::<Result<Vec<_>, LutError>>()?;
        let out_moduli: Vec<u64> = tables.iter().map(Lut::out_modulus).collect();
        // Half, since the conjugate is added; slots hold f/p'.
        let halves = |(f, &modulus): (&Interpolation, &u64)| {
            f.coefficients().iter().map(|c| c / (2.0 * modulus as f64)).collect::<Vec<Complex64>>()
        };
        let polynomials: Vec<_> = interpolations.iter().zip(&out_moduli).map(halves).collect();
        let circuit = Circuit::polynomials(Basis::Power, &polynomials);
        Ok(Self { in_modulus: entries as u64, out_moduli, circuit, interpolations })
    }

    /// p.
    #[must_use]
    pub fn in_modulus(&self) -> u64 {
        self.in_modulus
    }

    /// p' of each table.
    #[must_use]
    pub fn out_moduli(&self) -> &[u64] {
        &self.out_moduli
    }

    /// The interpolations of the centred tables.
    #[must_use]
    pub fn interpolations(&self) -> &[Interpolation] {
        &self.interpolations
    }

    /// The polynomials of z.
    #[must_use]
    pub fn circuit(&self) -> &Circuit {
        &self.circuit
    }
}

/// What is being done, for whoever watches or measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    /// The modulus is raised.
    ModRaise,
    /// Coefficients become slots.
    CoeffsToSlots,
    /// exp(2πix).
    Exponential,
    /// Powers and interpolations.
    Tables,
    /// Slots become coefficients.
    SlotsToCoeffs,
}

impl Step {
    /// All steps in order.
    pub const ALL: [Self; 5] =
        [Self::ModRaise, Self::CoeffsToSlots, Self::Exponential, Self::Tables, Self::SlotsToCoeffs];

    /// The step in words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ModRaise => "ModRaise",
            Self::CoeffsToSlots => "CoeffsToSlots",
            Self::Exponential => "EvalExp",
            Self::Tables => "EvalLUT",
            Self::SlotsToCoeffs => "SlotsToCoeffs",
        }
    }
}

/// Evaluates tables on ciphertexts.
#[derive(Debug)]
pub struct FunctionalBootstrap {
    params: BatchParams,
    evaluator: Evaluator,
    transforms: Transforms,
    exponential: Circuit,
}

impl FunctionalBootstrap {
    /// With the evaluation key of `evaluator`, made for [`BatchParams::request`].
    ///
    /// # Errors
    /// As [`Transforms::new`].
    pub fn new(params: &BatchParams, evaluator: Evaluator) -> Result<Self, LutError> {
        let transforms = params.transforms(evaluator.encoder())?;
        Ok(Self { params: params.clone(), evaluator, transforms, exponential: params.exponential().circuit() })
    }

    /// The parameters.
    #[must_use]
    pub fn params(&self) -> &BatchParams {
        &self.params
    }

    /// The maps.
    #[must_use]
    pub fn transforms(&self) -> &Transforms {
        &self.transforms
    }

    /// The map to the circle.
    #[must_use]
    pub fn exponential(&self) -> &Circuit {
        &self.exponential
    }

    /// The evaluator.
    #[must_use]
    pub fn evaluator(&self) -> &Evaluator {
        &self.evaluator
    }

    /// The tables' values f(m)/p' of a ciphertext of level 0 whose coefficients are q_0·(m/p + e): for each table the real parts of slots are
    /// coefficients 0 … N/2 − 1, the imaginary parts the others, in bit-reversed order.
    ///
    /// # Errors
    /// What the evaluator refuses.
    pub fn evaluate_to_slots(
        &self,
        tables: &PreparedTables,
        input: &RnsCiphertext,
        mut watch: impl FnMut(Step),
    ) -> Result<Vec<CkksCiphertext>, LutError> {
        let evaluator = &self.evaluator;
        watch(Step::ModRaise);
        let raised = evaluator.raise(input)?;
        watch(Step::CoeffsToSlots);
        let halves = evaluator.coeffs_to_slots(&self.transforms, raised)?;
        watch(Step::Exponential);
        let halves = halves.map(|x| evaluator.evaluate(&self.exponential, &x, |_, _| ()));
        watch(Step::Tables);
        let [low, high] = halves.map(|z| evaluator.evaluate(&tables.circuit, &z?[0], |_, _| ()));
        let joined = low?.into_iter().zip(high?).map(|(a, b)| Ok(evaluator.join_real_parts(&a, &b)?));
        joined.collect()
    }

    /// For each table a ciphertext of level 0 whose coefficients are q_0·f(m)/p' + noise.
    ///
    /// # Errors
    /// What the evaluator refuses.
    pub fn evaluate(
        &self,
        tables: &PreparedTables,
        input: &RnsCiphertext,
        mut watch: impl FnMut(Step),
    ) -> Result<Vec<RnsCiphertext>, LutError> {
        let slots = self.evaluate_to_slots(tables, input, &mut watch)?;
        watch(Step::SlotsToCoeffs);
        let back = |x: CkksCiphertext| Ok(self.evaluator.slots_to_coeffs(&self.transforms, &x)?.inner().clone());
        slots.into_iter().map(back).collect()
    }
}
