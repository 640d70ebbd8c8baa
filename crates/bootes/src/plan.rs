//! Which algorithm, and what it promises.
use crate::Error;
use bootes_lut::circuit::{Noise, Table};
use bootes_lut::eval::PreparedTable;
use bootes_lut::{Algorithm, Lut, LutError, registry};
use bootes_schemes::fhew::FhewParams;
use bootes_schemes::fhew::keys::PreparedEvaluationKey;
use std::fmt;

/// A table prepared for evaluation with the chosen algorithm, and the prediction.
pub struct Plan {
    pub(crate) algorithm: Box<dyn Algorithm>,
    pub(crate) table: PreparedTable,
    pub(crate) in_bits: u32,
    pub(crate) out_bits: u32,
    params: FhewParams,
    input_variance: f64,
    noise: Noise,
    cost_ns: f64,
}

impl Plan {
    /// Plans `lut` on inputs of noise variance `input_variance`: the named algorithm, or the one of least predicted time
    /// among those that `key` serves.
    pub(crate) fn new(
        key: &PreparedEvaluationKey,
        lut: &Lut,
        algorithm: Option<&str>,
        input_variance: f64,
    ) -> Result<Self, Error> {
        let params = &key.params;
        for (what, found) in [("inputs", lut.in_bits()), ("outputs", lut.out_bits())] {
            if found > params.bits() {
                let params_name = params.name().into();
                return Err(LutError::TooWide { what, found, bits: params.bits(), params: params_name }.into());
            }
        }
        let candidates = match algorithm {
            Some(name) => vec![registry::by_name(name)?],
            None => registry::algorithms(),
        };
        let mut best: Option<Self> = None;
        let mut refusal = None;
        for algorithm in candidates {
            match Self::with(key, lut, algorithm, input_variance) {
                Ok(plan) if best.as_ref().is_none_or(|b| plan.cost_ns < b.cost_ns) => best = Some(plan),
                Ok(_) => {}
                // The noise is the reason to report: other refusals concern one algorithm.
                Err(error) => {
                    if refusal.is_none() || matches!(error, LutError::Noise { .. }) {
                        refusal = Some(error);
                    }
                }
            }
        }
        match (best, refusal) {
            (Some(plan), _) => Ok(plan),
            (None, Some(error)) => Err(error.into()),
            (None, None) => unreachable!("the registry is not empty"),
        }
    }

    fn with(
        key: &PreparedEvaluationKey,
        lut: &Lut,
        algorithm: Box<dyn Algorithm>,
        input_variance: f64,
    ) -> Result<Self, LutError> {
        let params = &key.params;
        let circuit = algorithm.fit(params, lut, input_variance, params.log2_p_fail())?;
        let noise = algorithm.noise(params, &circuit, input_variance);
        let cost_ns = algorithm.cost(params, &circuit);
        let missing = key.extra.missing(&circuit.keys(params));
        if !missing.is_empty() {
            return Err(LutError::Keys { algorithm: algorithm.name(), missing });
        }
        let table = PreparedTable::new(params, circuit, key.rotation.fft());
        let (in_bits, out_bits, params) = (lut.in_bits(), lut.out_bits(), params.clone());
        Ok(Self { algorithm, table, in_bits, out_bits, params, input_variance, noise, cost_ns })
    }

    /// Refuses a key that lacks additional keys of the plan.
    pub(crate) fn check_keys(&self, key: &PreparedEvaluationKey) -> Result<(), LutError> {
        let missing = key.extra.missing(&self.table.circuit.keys(&self.params));
        if missing.is_empty() { Ok(()) } else { Err(LutError::Keys { algorithm: self.algorithm(), missing }) }
    }

    /// The parameters.
    pub(crate) fn params(&self) -> &FhewParams {
        &self.params
    }

    /// Name of the algorithm.
    pub fn algorithm(&self) -> String {
        self.algorithm.name()
    }

    /// log2 of the predicted failure probability of a value.
    pub fn log2_p_fail(&self) -> f64 {
        self.noise.log2_p_fail
    }

    /// Predicted noise.
    pub fn noise(&self) -> &Noise {
        &self.noise
    }

    /// Noise variance of the inputs it was made for.
    pub fn input_variance(&self) -> f64 {
        self.input_variance
    }

    /// Number of blind rotations a value.
    pub fn rotations(&self) -> usize {
        self.table.circuit.rotations().count()
    }

    /// Predicted seconds a value on one thread of the reference machine.
    pub fn predicted_seconds(&self) -> f64 {
        self.cost_ns * 1e-9
    }
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan").field("algorithm", &self.algorithm()).finish_non_exhaustive()
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let degree = self.params.shape().degree;
        writeln!(
            f,
            "{} ({}), parameter set {}: {}-bit inputs, {}-bit outputs",
            self.algorithm.name(),
            self.algorithm.reference(),
            self.params.name(),
            self.in_bits,
            self.out_bits
        )?;
        if self.rotations() == 0 {
            return writeln!(f, "  the table is constant: no rotation");
        }
        for (i, (rotation, sigmas)) in self.table.circuit.rotations().zip(&self.noise.sigmas).enumerate() {
            let what = match &rotation.table {
                Table::Plain { .. } => "a table".to_string(),
                Table::Continuous { .. } => "a continuous function".to_string(),
                Table::Multi { columns, .. } => format!("{} tables at once", columns.len()),
                Table::Packed { blocks, .. } => format!("{} packed ciphertexts", blocks.len()),
                Table::Selected { .. } => "a selected table".to_string(),
            };
            let of = match (rotation.source == self.table.circuit.input(0), rotation.log2_factor) {
                (true, 0) => "the input".to_string(),
                (true, factor) => format!("the input times {}", 1u64 << factor),
                (false, _) => "an intermediate result".to_string(),
            };
            let length = rotation.extension * degree;
            let ring = match rotation.own_ring {
                true => "in its own ring".to_string(),
                false => format!("= {} x {degree}", rotation.extension),
            };
            writeln!(
                f,
                "  rotation {}: {what} by {of}, accumulator of degree {length} {ring}, margin {sigmas:.1} sigma",
                i + 1
            )?;
        }
        write!(
            f,
            "  predicted: failure 2^{:.1} a value, output noise 2^{:.1} of the torus, {:.1} ms a value on one thread",
            self.noise.log2_p_fail,
            self.noise.output_variance.log2() / 2.0,
            self.cost_ns * 1e-6
        )
    }
}
