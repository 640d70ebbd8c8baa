//! Arithmetic circuits ([`crate::polyeval`]) on ciphertexts, and on their levels and scales.
use std::collections::BTreeMap;

use num_complex::Complex64;

use super::evaluator::{Sum, same_scale};
use super::{CkksCiphertext, CkksError, CkksParams, Evaluator};
use crate::polyeval::{ArithmeticCircuit, Gate, Id, Made, Minus, Reading};

impl CkksParams {
    /// The level and scale of every value of a circuit, as [`Evaluator::evaluate`] makes them of `inputs` of
    /// these levels and scales: the circuit read on levels and scales alone. The circuit's level 0 is that of
    /// the lowest input, to which the others are brought down.
    ///
    /// A product has the scale S_a·S_b/q_ℓ of its factors at level ℓ, which is S_(ℓ−1); a combination is made
    /// at S_(ℓ−1); an operand from above is brought to S_ℓ.
    ///
    /// # Errors
    /// [`CkksError::Keys`] for a level beyond the parameters; [`CkksError::Exhausted`] if the circuit is
    /// deeper than the lowest input, or an input is read at its own level and not at the canonical scale;
    /// [`CkksError::Scales`] if a sum's terms differ; [`CkksError::Inputs`]; [`CkksError::ExactDivision`].
    pub fn levels_and_scales(
        &self,
        circuit: &ArithmeticCircuit,
        inputs: &[(usize, f64)],
    ) -> Result<Vec<(usize, f64)>, CkksError> {
        if inputs.len() != circuit.inputs() {
            return Err(CkksError::Inputs { found: inputs.len(), expected: circuit.inputs() });
        }
        inputs.iter().try_for_each(|&(level, _)| self.check_level(level))?;
        let top = inputs.iter().map(|&(level, _)| level).min().unwrap_or(self.max_level());
        let depth = circuit.depth();
        if depth > top {
            return Err(CkksError::Exhausted { operation: "polynomial", needed: depth, found: top });
        }
        let levels = circuit.latest().into_iter().map(|below| top - below).collect();
        circuit.read(&mut Scales { params: self, inputs, levels })
    }
}

/// The reading on levels and scales.
struct Scales<'a> {
    params: &'a CkksParams,
    inputs: &'a [(usize, f64)],
    levels: Vec<usize>,
}

impl Reading<Complex64> for Scales<'_> {
    type Value = (usize, f64);
    type Error = CkksError;

    fn gate(&mut self, id: Id, gate: &Gate, made: &Made<(usize, f64)>) -> Result<(usize, f64), CkksError> {
        let (params, level) = (self.params, self.levels[id.index()]);
        let at = |id: Id, level| if made[id].0 == level { made[id].1 } else { params.scale(level) };
        let product = |&(a, b): &(Id, Id)| at(a, level + 1) * at(b, level + 1) / params.prime(level + 1);
        let terms: Vec<f64> = match gate {
            Gate::Input(i) => {
                let (own, scale) = self.inputs[*i];
                if level == own && !same_scale(scale, params.scale(own)) {
                    return Err(CkksError::Exhausted { operation: "change of the scale", needed: own + 1, found: own });
                }
                vec![params.scale(level)]
            }
            Gate::Product { a, b, minus: Minus::Value(c), .. } => vec![product(&(*a, *b)), at(*c, level)],
            Gate::Product { a, b, .. } => vec![product(&(*a, *b))],
            Gate::Combination { .. } => vec![params.scale(level)],
            Gate::SumOfProducts { products, addends } => {
                products.iter().map(product).chain(addends.iter().map(|&id| at(id, level))).collect()
            }
            Gate::ExactDivision { divisor, .. } => return Err(CkksError::ExactDivision { divisor: *divisor }),
        };
        match terms.iter().find(|&&other| !same_scale(other, terms[0])) {
            Some(&other) => Err(CkksError::Scales { found: [terms[0], other] }),
            None => Ok((level, terms[0])),
        }
    }
}

impl Evaluator {
    /// The outputs of a circuit of `inputs`, each at the level of the lowest input less its own.
    ///
    /// Values are made at the deepest level they may have, where limbs are fewest, and freed after their last
    /// use; combinations that one sum of products reads are made when they are read. `progress` hears after
    /// each gate how many of how many are done.
    ///
    /// # Errors
    /// As [`CkksParams::levels_and_scales`], before any work; as [`Evaluator::mul`].
    pub fn evaluate(
        &self,
        circuit: &ArithmeticCircuit,
        inputs: &[&CkksCiphertext],
        progress: impl FnMut(usize, usize),
    ) -> Result<Vec<CkksCiphertext>, CkksError> {
        self.evaluate_with(circuit, inputs, None, progress)
    }

    /// [`Self::evaluate`] of a circuit whose constants are names of what multiplies, if `combine` says what
    /// they stand for.
    ///
    /// # Errors
    /// As [`Self::evaluate`]; what `combine` refuses.
    pub fn evaluate_with(
        &self,
        circuit: &ArithmeticCircuit,
        inputs: &[&CkksCiphertext],
        combine: Option<&dyn Combine>,
        progress: impl FnMut(usize, usize),
    ) -> Result<Vec<CkksCiphertext>, CkksError> {
        inputs.iter().try_for_each(|x| self.check(x))?;
        let of_inputs: Vec<_> = inputs.iter().map(|x| (x.level(), x.scale)).collect();
        let levels = self.params.levels_and_scales(circuit, &of_inputs)?;
        let levels = levels.into_iter().map(|(level, _)| level).collect();
        circuit.run(&mut Ciphertexts { evaluator: self, circuit, inputs, combine, levels }, progress)
    }
}

/// The coefficients that constants of a circuit stand for: they differ from slot to slot, or are encrypted.
pub trait Combine: Sync {
    /// Σ c_j·x_j + c at `level` and its canonical scale, of x_j above it, for the coefficients that these
    /// constants name.
    ///
    /// # Errors
    /// The evaluator's refusals.
    fn combine(
        &self,
        terms: &[(&CkksCiphertext, Complex64)],
        constant: Complex64,
        level: usize,
    ) -> Result<CkksCiphertext, CkksError>;
}

/// Products whose combinations are made together.
pub const TOGETHER: usize = 16;

/// The reading on ciphertexts.
struct Ciphertexts<'a> {
    evaluator: &'a Evaluator,
    circuit: &'a ArithmeticCircuit,
    inputs: &'a [&'a CkksCiphertext],
    combine: Option<&'a dyn Combine>,
    levels: Vec<usize>,
}

impl Reading<Complex64> for Ciphertexts<'_> {
    type Value = CkksCiphertext;
    type Error = CkksError;

    const MAKES_INLINE: bool = true;

    fn gate(&mut self, id: Id, gate: &Gate, made: &Made<CkksCiphertext>) -> Result<CkksCiphertext, CkksError> {
        self.make(id, gate, made)
    }
}

impl Ciphertexts<'_> {
    /// Those of the values `ids` that are made when they are read: combinations, which share the reading of their
    /// terms.
    fn make_inline(
        &self,
        ids: impl Iterator<Item = Id>,
        made: &Made<CkksCiphertext>,
    ) -> Result<BTreeMap<Id, CkksCiphertext>, CkksError> {
        let mut inline = BTreeMap::new();
        let (mut of_sums, mut sums) = (Vec::new(), Vec::new());
        for id in ids.filter(|&id| made.get(id).is_none()) {
            match &self.circuit.gates()[id.index()] {
                Gate::Combination { terms, constant } if !terms.is_empty() && self.combine.is_none() => {
                    let (terms, level) =
                        (terms.iter().map(|(id, c)| (&made[*id], *c)).collect(), self.levels[id.index()]);
                    of_sums.push(id);
                    sums.push(Sum { terms, constant: *constant, level, scale: self.evaluator.params.scale(level) });
                }
                gate => {
                    inline.insert(id, self.make(id, gate, made)?);
                }
            }
        }
        inline.extend(of_sums.into_iter().zip(self.evaluator.combine_all(&sums)?));
        Ok(inline)
    }

    fn make(&self, id: Id, gate: &Gate, made: &Made<CkksCiphertext>) -> Result<CkksCiphertext, CkksError> {
        let (evaluator, level) = (self.evaluator, self.levels[id.index()]);
        match gate {
            Gate::Input(i) => Ok(evaluator.at_level(self.inputs[*i], level)?.into_owned()),
            Gate::Product { a, b, doubled, minus } => {
                let mut tensor = None;
                evaluator.add_product(&mut tensor, &made[*a], &made[*b], level + 1)?;
                let mut tensor = tensor.expect("a product");
                if *doubled {
                    // Before the rounding, whose noise would be doubled too.
                    evaluator.double(&mut tensor);
                }
                let product = evaluator.relinearise(tensor)?;
                match minus {
                    Minus::Nothing => Ok(product),
                    Minus::One => evaluator.add_constant(&product, -Complex64::ONE),
                    Minus::Value(c) => evaluator.sub(&product, &made[*c]),
                }
            }
            Gate::Combination { terms, constant } if terms.is_empty() => {
                let x = self.inputs.first().ok_or(CkksError::Inputs { found: 0, expected: 1 })?;
                let zero = evaluator.drop_to(x, level)?.with_scale(evaluator.params.scale(level));
                evaluator.add_constant(&evaluator.mul_integer(&zero, 0, 0)?, *constant)
            }
            Gate::Combination { terms, constant } => {
                let terms: Vec<_> = terms.iter().map(|(id, c)| (&made[*id], *c)).collect();
                if let Some(combine) = self.combine {
                    return combine.combine(&terms, *constant, level);
                }
                evaluator.combine_to(&terms, *constant, level, evaluator.params.scale(level))
            }
            Gate::SumOfProducts { products, addends } => {
                let (mut tensor, mut sum) = (None, None);
                for (i, products) in products.chunks(TOGETHER).enumerate() {
                    let factors = products.iter().flat_map(|(a, b)| [*a, *b]);
                    let addends = if i == 0 { addends.as_slice() } else { &[] };
                    let inline = self.make_inline(factors.chain(addends.iter().copied()), made)?;
                    let get = |id: &Id| inline.get(id).unwrap_or_else(|| &made[*id]);
                    for (a, b) in products {
                        evaluator.add_product(&mut tensor, get(a), get(b), level + 1)?;
                    }
                    for x in addends.iter().map(get) {
                        sum = Some(match sum {
                            None => x.clone(),
                            Some(sum) => evaluator.add(&sum, x)?,
                        });
                    }
                }
                let products = evaluator.relinearise(tensor.expect("a sum of products has one"))?;
                match sum {
                    None => Ok(products),
                    Some(sum) => evaluator.add(&products, &sum),
                }
            }
            Gate::ExactDivision { divisor, .. } => Err(CkksError::ExactDivision { divisor: *divisor }),
        }
    }
}
