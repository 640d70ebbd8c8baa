//! Plans of all results of a function.
use super::{Ciphertexts, Params, Plan};
use crate::engines::{EngineInputs, EnginePlan, Fhew};
use crate::origin::Origin;
use crate::{Error, Function, Load, MaskStorage, Prediction, Space};
use bootes_lut::fhew::circuit::InputVariance;

/// One plan for all results, or one for each.
#[derive(Debug)]
pub(crate) struct Plans(pub(super) Vec<Plan>);

impl EnginePlan<Fhew> for Plans {
    fn algorithms(&self) -> Vec<String> {
        self.0.iter().map(Plan::algorithm).collect()
    }

    fn log2_p_fail(&self) -> f64 {
        self.0.iter().map(Plan::log2_p_fail).fold(f64::NEG_INFINITY, f64::max)
    }

    fn out_spaces(&self) -> Vec<Space> {
        self.0.iter().flat_map(Plan::out_spaces).copied().collect()
    }

    fn prediction(&self, load: &Load, _masks: MaskStorage) -> Result<Prediction, Error> {
        let all = self.0.iter().map(|plan| plan.prediction().of_load(load));
        all.reduce(Prediction::and).ok_or(Error::NoValues)
    }

    fn inputs(&self, _function: &Function) -> Option<(Params, Inputs)> {
        // All are of the same inputs.
        let plan = self.0.first()?;
        let variance = plan.input_variance().clone();
        Some((plan.params().clone(), Inputs { spaces: plan.in_spaces.clone(), variance }))
    }

    fn rotations(&self) -> Option<usize> {
        Some(self.0.iter().map(Plan::rotations).sum())
    }

    fn error_bound(&self) -> Option<f64> {
        self.0.first()?.error_bound()
    }

    fn words(&self) -> Option<String> {
        Some(self.0.iter().map(Plan::to_string).collect::<Vec<_>>().join("\n"))
    }
}

/// Inputs of a plan: a space an operand, and the bounds on the noise of each ciphertext of theirs, or one of all.
#[derive(Clone, Debug)]
pub(crate) struct Inputs {
    pub(crate) spaces: Vec<Space>,
    pub(crate) variance: InputVariance,
}

impl EngineInputs<Fhew> for Inputs {
    fn count(&self) -> usize {
        self.spaces.len()
    }

    /// Heads of no values, and of different origins.
    fn heads(&self, params: &Params, key_id: [u8; 16]) -> Result<Vec<Ciphertexts>, Error> {
        let fresh = params.fresh_variance();
        // Some formats round the last digit.
        let plausible = |noise: f64| noise.is_finite() && noise >= fresh * (1.0 - 1e-9);
        if let Some(noise) = self.variance.all().iter().find(|&&noise| !plausible(noise)) {
            let what = format!("noise of variance {noise:e}, where that of fresh ciphertexts is {fresh:e}");
            return Err(Error::Request { what });
        }
        let ciphertexts: usize = self.spaces.iter().map(|space| space.limbs()).sum();
        let found = self.variance.all().len();
        if found != 1 && found != ciphertexts {
            let what = format!("noise of {found} ciphertexts, where inputs have {ciphertexts}");
            return Err(Error::Request { what });
        }
        let mut each = (0..ciphertexts).map(|i| self.variance.of(i).max(fresh));
        let head = |(&space, id): (&Space, u64)| {
            let space = space.checked(params)?;
            let variance = InputVariance::of_each(each.by_ref().take(space.limbs()).collect());
            Ok(Ciphertexts::head(params, key_id, space, variance, Origin::new(id)))
        };
        self.spaces.iter().zip(1..).map(head).collect()
    }
}
