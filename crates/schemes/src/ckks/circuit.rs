//! Polynomial circuits ([`crate::polyeval`]) on ciphertexts.
use super::evaluator::same_scale;
use super::{CkksCiphertext, CkksError, CkksParams, Evaluator};
use crate::polyeval::{Circuit, Id, Minus, Step};
use num_complex::Complex64;
use std::collections::BTreeMap;

impl CkksParams {
    /// The level and scale of every value of a circuit, as [`Evaluator::evaluate`] makes them of a variable of this level and scale: the circuit
    /// read on levels and scales alone.
    ///
    /// A product has the scale S_a·S_b/q_ℓ of its factors at level ℓ, which is S_(ℓ−1); a combination is made at S_(ℓ−1); an operand from above is
    /// brought to S_ℓ.
    ///
    /// # Errors
    /// [`CkksError::Keys`] for a level beyond the parameters; [`CkksError::Exhausted`] if the circuit is deeper than `level`, or the variable is read at its own level and not at the canonical scale;
    /// [`CkksError::Scales`] if a sum's terms differ.
    pub fn levels_and_scales(
        &self,
        circuit: &Circuit,
        level: usize,
        scale: f64,
    ) -> Result<Vec<(usize, f64)>, CkksError> {
        self.check_level(level)?;
        let (top, depth) = (level, circuit.depth());
        if depth > top {
            return Err(CkksError::Exhausted { operation: "polynomial", needed: depth, found: top });
        }
        let mut made: Vec<(usize, f64)> = Vec::with_capacity(circuit.steps().len());
        for (step, below) in circuit.steps().iter().zip(circuit.latest()) {
            let level = top - below;
            let at = |id: Id, level| if made[id.index()].0 == level { made[id.index()].1 } else { self.scale(level) };
            let product = |&(a, b): &(Id, Id)| at(a, level + 1) * at(b, level + 1) / self.prime(level + 1);
            let terms: Vec<f64> = match step {
                Step::Input if level == top && !same_scale(scale, self.scale(top)) => {
                    return Err(CkksError::Exhausted { operation: "change of the scale", needed: top + 1, found: top });
                }
                Step::Input => vec![self.scale(level)],
                Step::Product { a, b, minus: Minus::Value(c), .. } => vec![product(&(*a, *b)), at(*c, level)],
                Step::Product { a, b, .. } => vec![product(&(*a, *b))],
                Step::Combination { .. } => vec![self.scale(level)],
                Step::SumOfProducts { products, addends } => {
                    products.iter().map(product).chain(addends.iter().map(|&id| at(id, level))).collect()
                }
            };
            if let Some(&other) = terms.iter().find(|&&other| !same_scale(other, terms[0])) {
                return Err(CkksError::Scales { found: [terms[0], other] });
            }
            made.push((level, terms[0]));
        }
        Ok(made)
    }
}

impl Evaluator {
    /// The outputs of a circuit whose variable is `x`, each at the level of `x` less its own.
    ///
    /// Values are made at the deepest level they may have, where limbs are fewest, and freed after their last use; combinations that one sum of
    /// products reads are made when they are read. `progress` hears after each step how many of how many are done.
    ///
    /// # Errors
    /// As [`CkksParams::levels_and_scales`], before any work; as [`Evaluator::mul`].
    pub fn evaluate(
        &self,
        circuit: &Circuit,
        x: &CkksCiphertext,
        mut progress: impl FnMut(usize, usize),
    ) -> Result<Vec<CkksCiphertext>, CkksError> {
        self.check(x)?;
        let levels = self.params.levels_and_scales(circuit, x.level(), x.scale)?;
        let levels = levels.into_iter().map(|(level, _)| level).collect();
        let (inline, last_use) = (circuit.inline(), circuit.last_use());
        let count = circuit.steps().len();
        let mut values = Values { evaluator: self, circuit, levels, values: vec![None; count] };
        for (i, inline) in inline.iter().enumerate() {
            if !inline {
                values.values[i] = Some(values.make(i, x)?);
            }
            for (value, _) in values.values.iter_mut().zip(&last_use).filter(|(_, last)| **last == i) {
                *value = None;
            }
            progress(i + 1, count);
        }
        let outputs = circuit.outputs().iter();
        Ok(outputs.map(|id| values.values[id.index()].clone().expect("outputs are kept")).collect())
    }
}

/// Products whose combinations are made together.
pub const TOGETHER: usize = 4;

/// The values of a circuit that are alive.
struct Values<'a> {
    evaluator: &'a Evaluator,
    circuit: &'a Circuit,
    /// Their levels.
    levels: Vec<usize>,
    values: Vec<Option<CkksCiphertext>>,
}

impl Values<'_> {
    fn get(&self, id: Id) -> &CkksCiphertext {
        self.values[id.index()].as_ref().expect("a value is alive until its last use")
    }

    /// Those of the values `ids` that are made when they are read: combinations, of which those of one level share the reading of their terms.
    fn make_inline(
        &self,
        ids: impl Iterator<Item = Id>,
        x: &CkksCiphertext,
    ) -> Result<BTreeMap<Id, CkksCiphertext>, CkksError> {
        let mut made = BTreeMap::new();
        let mut by_level: BTreeMap<usize, (Vec<Id>, Vec<_>)> = BTreeMap::new();
        for id in ids.filter(|id| self.values[id.index()].is_none()) {
            match &self.circuit.steps()[id.index()] {
                Step::Combination { terms, constant } if !terms.is_empty() => {
                    let terms: Vec<_> = terms.iter().map(|(id, c)| (self.get(*id), *c)).collect();
                    let (ids, sums) = by_level.entry(self.levels[id.index()]).or_default();
                    ids.push(id);
                    sums.push((terms, *constant));
                }
                _ => {
                    made.insert(id, self.make(id.index(), x)?);
                }
            }
        }
        for (level, (ids, sums)) in by_level {
            made.extend(ids.into_iter().zip(self.evaluator.combine_all(
                &sums,
                level,
                self.evaluator.params.scale(level),
            )?));
        }
        Ok(made)
    }

    /// Makes value `i`.
    fn make(&self, i: usize, x: &CkksCiphertext) -> Result<CkksCiphertext, CkksError> {
        let (evaluator, level) = (self.evaluator, self.levels[i]);
        match &self.circuit.steps()[i] {
            Step::Input => Ok(evaluator.at_level(x, level)?.into_owned()),
            Step::Product { a, b, doubled, minus } => {
                let mut tensor = None;
                evaluator.add_product(&mut tensor, self.get(*a), self.get(*b), level + 1)?;
                let mut tensor = tensor.expect("a product");
                if *doubled {
                    // Before the rounding, whose noise would be doubled too.
                    evaluator.double(&mut tensor);
                }
                let product = evaluator.relinearise(tensor)?;
                match minus {
                    Minus::Nothing => Ok(product),
                    Minus::One => evaluator.add_constant(&product, -Complex64::ONE),
                    Minus::Value(c) => evaluator.sub(&product, self.get(*c)),
                }
            }
            Step::Combination { terms, constant } if terms.is_empty() => {
                let zero = evaluator.drop_to(x, level)?.with_scale(evaluator.params.scale(level));
                evaluator.add_constant(&evaluator.mul_integer(&zero, 0, 0)?, *constant)
            }
            Step::Combination { terms, constant } => {
                let terms: Vec<_> = terms.iter().map(|(id, c)| (self.get(*id), *c)).collect();
                evaluator.combine_to(&terms, *constant, level, evaluator.params.scale(level))
            }
            Step::SumOfProducts { products, addends } => {
                let mut tensor = None;
                for products in products.chunks(TOGETHER) {
                    let made = self.make_inline(products.iter().flat_map(|(a, b)| [*a, *b]), x)?;
                    let get = |id: &Id| made.get(id).unwrap_or_else(|| self.get(*id));
                    for (a, b) in products {
                        evaluator.add_product(&mut tensor, get(a), get(b), level + 1)?;
                    }
                }
                let mut sum = evaluator.relinearise(tensor.expect("a sum of products has one"))?;
                for id in addends {
                    match &self.values[id.index()] {
                        Some(x) => sum = evaluator.add(&sum, x)?,
                        None => sum = evaluator.add(&sum, &self.make(id.index(), x)?)?,
                    }
                }
                Ok(sum)
            }
        }
    }
}
