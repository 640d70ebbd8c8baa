//! Polynomial circuits ([`crate::polyeval`]) on ciphertexts.
use super::{CkksCiphertext, CkksError, Evaluator};
use crate::polyeval::{Circuit, Id, Minus, Step};
use num_complex::Complex64;

impl Evaluator {
    /// The outputs of a circuit whose variable is `x`, each at the level of `x` less its own.
    ///
    /// Values are made at the deepest level they may have, where limbs are fewest, and freed after their last use; combinations that one sum of
    /// products reads are made when they are read. `progress` hears after each step how many of how many are done.
    ///
    /// # Errors
    /// [`CkksError::Exhausted`] if the circuit is deeper than the level of `x`; as [`Evaluator::mul`].
    pub fn evaluate(
        &self,
        circuit: &Circuit,
        x: &CkksCiphertext,
        mut progress: impl FnMut(usize, usize),
    ) -> Result<Vec<CkksCiphertext>, CkksError> {
        let (top, depth) = (x.level(), circuit.depth());
        if depth > top {
            return Err(CkksError::Exhausted { operation: "polynomial", needed: depth, found: top });
        }
        let (levels, inline, last_use) = (circuit.latest(), circuit.inline(), circuit.last_use());
        let count = circuit.steps().len();
        let mut values = Values { evaluator: self, circuit, top, levels, values: vec![None; count] };
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

/// The values of a circuit that are alive.
struct Values<'a> {
    evaluator: &'a Evaluator,
    circuit: &'a Circuit,
    /// The level of the variable.
    top: usize,
    /// Levels below it.
    levels: Vec<usize>,
    values: Vec<Option<CkksCiphertext>>,
}

impl Values<'_> {
    fn get(&self, id: Id) -> &CkksCiphertext {
        self.values[id.index()].as_ref().expect("a value is alive until its last use")
    }

    /// Makes value `i`.
    fn make(&self, i: usize, x: &CkksCiphertext) -> Result<CkksCiphertext, CkksError> {
        let (evaluator, level) = (self.evaluator, self.top - self.levels[i]);
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
                    Minus::One => Ok(evaluator.add_constant(&product, -Complex64::ONE)),
                    Minus::Value(c) => evaluator.sub(&product, self.get(*c)),
                }
            }
            Step::Combination { terms, constant } if terms.is_empty() => {
                let zero = evaluator.drop_to(x, level).with_scale(evaluator.params.scale(level));
                Ok(evaluator.add_constant(&evaluator.mul_integer(&zero, 0, 0), *constant))
            }
            Step::Combination { terms, constant } => {
                let terms: Vec<_> = terms.iter().map(|(id, c)| (self.get(*id), *c)).collect();
                evaluator.combine_to(&terms, *constant, level, evaluator.params.scale(level))
            }
            Step::SumOfProducts { products, addends } => {
                let mut tensor = None;
                for (a, b) in products {
                    let made = |id: &Id| match &self.values[id.index()] {
                        Some(_) => Ok(None),
                        None => self.make(id.index(), x).map(Some),
                    };
                    let (a_made, b_made) = (made(a)?, made(b)?);
                    let a = a_made.as_ref().unwrap_or_else(|| self.get(*a));
                    let b = b_made.as_ref().unwrap_or_else(|| self.get(*b));
                    evaluator.add_product(&mut tensor, a, b, level + 1)?;
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
