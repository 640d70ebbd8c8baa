//! Room for the noise of linear operations: what a set leaves to results of tables, and what to do where none is left.
use super::Params;
use super::prediction::fit;
use crate::error::NoiseCure;
use crate::{Error, Lut, Space};
use bootes_lattice::noise::failure::over_keys::{log2_failure, sigmas_for};
use bootes_lut::registry;
use bootes_schemes::fhew::FhewParams;

impl Params {
    /// The variance of the noise of a table's results of so many bits, or of the widest that there are.
    fn result_variance(&self, bits: u32) -> Option<f64> {
        let widths = [bits, self.bits()];
        let std = widths.into_iter().find_map(|bits| self.predict(&Lut::unstructured(bits), None).ok());
        std.map(|prediction| prediction.output_std.powi(2))
    }

    /// Whether a table of so many bits takes inputs of this variance.
    fn bears(&self, bits: u32, variance: f64) -> bool {
        let lut = Lut::unstructured(bits.min(self.bits()));
        registry::algorithms().iter().any(|algorithm| fit(&**algorithm, &self.0, &lut, variance).is_ok())
    }

    /// log2 of the factor by which the noise of a table's results, of the set's widest messages, may grow within the
    /// promise.
    pub(crate) fn result_budget(&self) -> Option<f64> {
        let half_step = 0.5 * (-f64::from(self.bits())).exp2();
        let std = self.result_variance(self.bits())?.sqrt();
        Some((half_step / (sigmas_for(self.log2_p_fail()) * std)).log2().max(0.0))
    }
}

/// A linear operation, as its noise sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Growth {
    /// The variance of its result where operands have 1.
    pub(super) factor: f64,
    /// Whether weights are others than 0, 1 and −1.
    pub(super) has_weights: bool,
    /// The largest variance of an operand.
    pub(super) operand: f64,
}

impl Growth {
    /// What changes no noise.
    pub(super) fn none(operand: f64) -> Self {
        Self { factor: 1.0, has_weights: false, operand }
    }

    pub(super) fn of(factor: f64, weights: &[i64], operand: f64) -> Self {
        Self { factor, has_weights: weights.iter().any(|weight| weight.unsigned_abs() > 1), operand }
    }
}

/// The refusal of an operation whose results would be wrong with probability 2^`found`: what to do is what would do.
pub(super) fn refusal(params: &FhewParams, space: Space, growth: Growth, found: f64) -> Error {
    let promised = params.log2_p_fail();
    let set = Params(params.clone());
    let keeps = |variance: f64| log2_failure(space.half_step(), (variance * growth.factor).sqrt()) <= promised;
    let results = set.result_variance(space.bits());
    let refresh = results
        .is_some_and(|results| results < growth.operand && keeps(results) && set.bears(space.bits(), growth.operand));
    let holds = |set: &Params| match space {
        Space::Modular(_) => set.bits() >= space.bits(),
        Space::Integers(_) => set.0.space_bits() >= space.bits(),
    };
    let others =
        Params::all().into_iter().filter(|set| set.is_default() && set.log2_p_fail() == promised && holds(set));
    let other = others
        .filter(|other| *other != set)
        .find(|other| other.result_variance(space.bits()).is_some_and(keeps))
        .filter(|_| !refresh);
    let cure =
        NoiseCure { refresh, smaller_weights: growth.has_weights, other: other.map(|other| other.name().to_string()) };
    Error::NoiseBudget { params: params.name().into(), found, promised, cure }
}
