//! Polynomials as circuits: straight-line programs over one variable, read on numbers, levels, counts and (by a scheme)
//! ciphertexts alike.
//!
//! A value sits at a *level*, the number of rescalings behind it; the variable is at level 0. A product and a combination
//! with constants take one level, an addition none. An operand may be dropped to a deeper level for nothing, and every
//! level has one canonical scale, which [`CkksParams::levels_and_scales`](crate::ckks::CkksParams::levels_and_scales) derives value by value.
//!
//! [`Circuit::polynomials`] evaluates polynomials of degree d in ⌈log2(d+1)⌉ levels, the least there can be (a level doubles the
//! degree at most, and the first one with a constant is linear). With β = 2^(k−1) ≤ d < 2^k it writes f = A + z^β·B,
//! deg A, deg B < β: B has k − 1 levels and is evaluated likewise, A = Σ_g z^(mg)·A_g(z) with deg A_g < m is flat (baby steps
//! z^j, j < m, giant steps z^(mg)), and all products are summed before one relinearisation and one rescaling. In the Chebyshev
//! basis z^j is T_j, and T_aT_b = (T_{a+b} + T_{|a−b|})/2 carries the rest of a division down. This is Paterson–Stockmeyer
//! with lazy relinearisation, the depth of Bossuat, Mouchet, Troncoso-Pastoriza and Hubaux (EUROCRYPT 2021).
//!
//! What a polynomial with all coefficients costs (m by [`Weights::default`]; live: values at once, see
//! [`Circuit::peak_live`]):
//!
//! | degree | levels | relinearisations | products | multiply-adds | rescalings | live |
//! |---|---|---|---|---|---|---|
//! | 31 | 5 | 10 | 14 | 23 | 19 | 10 |
//! | 63 | 6 | 15 | 19 | 54 | 25 | 14 |
//! | 255 | 8 | 29 | 40 | 237 | 48 | 26 |
//! | 1023 | 10 | 55 | 81 | 988 | 91 | 50 |
//! | 4095 | 12 | 105 | 162 | 4027 | 174 | 98 |
//!
//! Both bases take the same.
mod build;
#[cfg(test)]
mod tests;

use core::ops::AddAssign;
use num_complex::Complex64;

/// One of a circuit's values: the number of the step that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(usize);

impl Id {
    /// The number of its step.
    pub fn index(self) -> usize {
        self.0
    }
}

/// The polynomials that coefficients multiply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// x^j.
    Power,
    /// T_j(x) = cos(j·arccos x), for x in [−1, 1].
    Chebyshev,
}

/// What a product is made less by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Minus {
    /// 0.
    Nothing,
    /// 1 = T_0.
    One,
    /// A value at the level of the result, or one above it.
    Value(Id),
}

/// How a value is made.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// x.
    Input,
    /// a·b − minus, or 2a·b − minus: one level. Chebyshev: T_{a+b} = 2T_aT_b − T_{a−b}.
    Product {
        /// A factor.
        a: Id,
        /// The other; a square if it is the same.
        b: Id,
        /// Whether the product is taken twice.
        doubled: bool,
        /// What is taken away.
        minus: Minus,
    },
    /// Σ c_j·x_j + c: one level, or none without terms.
    Combination {
        /// x_j and c_j.
        terms: Vec<(Id, Complex64)>,
        /// c.
        constant: Complex64,
    },
    /// Σ a_i·b_i + Σ x_j, with one relinearisation and one rescaling: one level below the factors.
    SumOfProducts {
        /// a_i and b_i; at least one.
        products: Vec<(Id, Id)>,
        /// x_j, at the level of the result or above it.
        addends: Vec<Id>,
    },
}

impl Step {
    /// The values that are read one level above the result.
    fn factors(&self) -> Vec<Id> {
        match self {
            Self::Input => Vec::new(),
            Self::Product { a, b, .. } => vec![*a, *b],
            Self::Combination { terms, .. } => terms.iter().map(|&(x, _)| x).collect(),
            Self::SumOfProducts { products, .. } => products.iter().flat_map(|&(a, b)| [a, b]).collect(),
        }
    }

    /// The values that are read at the level of the result.
    fn addends(&self) -> &[Id] {
        match self {
            Self::Product { minus: Minus::Value(x), .. } => core::slice::from_ref(x),
            Self::SumOfProducts { addends, .. } => addends,
            _ => &[],
        }
    }

    /// All the values that are read.
    fn operands(&self) -> Vec<Id> {
        let mut ids = self.factors();
        ids.extend_from_slice(self.addends());
        ids
    }
}

/// Operations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Tensor products, squares among them.
    pub products: usize,
    /// Squares.
    pub squares: usize,
    /// Relinearisations.
    pub relinearisations: usize,
    /// Rescalings.
    pub rescalings: usize,
    /// target += constant · value.
    pub multiply_adds: usize,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.products += other.products;
        self.squares += other.squares;
        self.relinearisations += other.relinearisations;
        self.rescalings += other.rescalings;
        self.multiply_adds += other.multiply_adds;
    }
}

/// What operations cost a limb of the modulus, as parts of a relinearisation.
///
/// The defaults are counts of transforms and passes over memory (a relinearisation: some 8 transforms a limb, a rescaling 2,
/// a transform some ten passes); a scheme may measure better ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// A relinearisation.
    pub relinearisation: f64,
    /// A tensor product.
    pub product: f64,
    /// A rescaling.
    pub rescaling: f64,
    /// A multiplication by a constant, and an addition.
    pub multiply_add: f64,
    /// Limbs of the modulus that the deepest output has left.
    pub limbs_left: usize,
}

impl Default for Weights {
    fn default() -> Self {
        Self { relinearisation: 1.0, product: 0.1, rescaling: 0.2, multiply_add: 0.005, limbs_left: 8 }
    }
}

/// Some values computed from one.
#[derive(Clone, Debug, PartialEq)]
pub struct Circuit {
    steps: Vec<Step>,
    outputs: Vec<Id>,
}

impl Default for Circuit {
    fn default() -> Self {
        Self { steps: vec![Step::Input], outputs: Vec::new() }
    }
}

impl Circuit {
    /// The variable, and no outputs yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The variable.
    pub fn input(&self) -> Id {
        Id(0)
    }

    /// Adds a step.
    ///
    /// # Panics
    /// If it reads a value that is not there yet, is a second [`Step::Input`] or a sum of no products.
    pub fn push(&mut self, step: Step) -> Id {
        assert!(step.operands().iter().all(|id| id.0 < self.steps.len()), "a step reads what was not made yet");
        match &step {
            Step::Input => panic!("a circuit has one variable"),
            Step::SumOfProducts { products, .. } => assert!(!products.is_empty(), "a sum of no products"),
            Step::Product { .. } | Step::Combination { .. } => {}
        }
        self.steps.push(step);
        Id(self.steps.len() - 1)
    }

    /// Adds x².
    pub fn square(&mut self, x: Id) -> Id {
        self.push(Step::Product { a: x, b: x, doubled: false, minus: Minus::Nothing })
    }

    /// Makes a value an output, the next one.
    ///
    /// # Panics
    /// If it is not there.
    pub fn output(&mut self, id: Id) {
        assert!(id.0 < self.steps.len(), "no value {} of {}", id.0, self.steps.len());
        self.outputs.push(id);
    }

    /// The same values, followed by `times` squarings of each output: x^(2^times).
    pub fn squared(mut self, times: u32) -> Self {
        for i in 0..self.outputs.len() {
            for _ in 0..times {
                self.outputs[i] = self.square(self.outputs[i]);
            }
        }
        self
    }

    /// The steps, each after those it reads; the first one is the variable.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The outputs.
    pub fn outputs(&self) -> &[Id] {
        &self.outputs
    }

    /// The outputs at x: the specification.
    pub fn eval(&self, x: Complex64) -> Vec<Complex64> {
        let values = self.values(x);
        self.outputs.iter().map(|id| values[id.0]).collect()
    }

    /// All values at x, one a step.
    pub fn values(&self, x: Complex64) -> Vec<Complex64> {
        let mut values: Vec<Complex64> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let at = |id: &Id| values[id.0];
            values.push(match step {
                Step::Input => x,
                Step::Product { a, b, doubled, minus } => {
                    let product = at(a) * at(b) * if *doubled { 2.0 } else { 1.0 };
                    match minus {
                        Minus::Nothing => product,
                        Minus::One => product - 1.0,
                        Minus::Value(c) => product - at(c),
                    }
                }
                Step::Combination { terms, constant } => {
                    terms.iter().map(|(x, c)| c * at(x)).sum::<Complex64>() + constant
                }
                Step::SumOfProducts { products, addends } => {
                    products.iter().map(|(a, b)| at(a) * at(b)).chain(addends.iter().map(at)).sum()
                }
            });
        }
        values
    }

    /// The least level that each value can have.
    pub fn earliest(&self) -> Vec<usize> {
        let mut levels: Vec<usize> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let factors = step.factors().iter().map(|id| levels[id.0] + 1).max();
            let addends = step.addends().iter().map(|id| levels[id.0]).max();
            levels.push(factors.max(addends).unwrap_or(0));
        }
        levels
    }

    /// The deepest level that each value can have, where it is cheapest: outputs stay at their earliest.
    ///
    /// A value of this level is computed one level above it (from values dropped to there), and a value of addends at it. The
    /// variable may be dropped to the level given. This is what [`Circuit::counts`] counts.
    pub fn latest(&self) -> Vec<usize> {
        let earliest = self.earliest();
        let mut levels = vec![usize::MAX; self.steps.len()];
        for id in &self.outputs {
            levels[id.0] = earliest[id.0];
        }
        for (i, step) in self.steps.iter().enumerate().rev() {
            if levels[i] == usize::MAX {
                levels[i] = earliest[i];
            }
            for id in step.factors() {
                levels[id.0] = levels[id.0].min(levels[i] - 1);
            }
            for id in step.addends() {
                levels[id.0] = levels[id.0].min(levels[i]);
            }
        }
        levels
    }

    /// The level of each output.
    pub fn output_levels(&self) -> Vec<usize> {
        let earliest = self.earliest();
        self.outputs.iter().map(|id| earliest[id.0]).collect()
    }

    /// The level of the deepest output: how many levels the circuit takes. 0 without outputs.
    pub fn depth(&self) -> usize {
        self.output_levels().into_iter().max().unwrap_or(0)
    }

    /// The operations at each level from 0 on, on operands of that level ([`Circuit::latest`]); one entry a level taken.
    pub fn counts(&self) -> Vec<Counts> {
        let mut counts = vec![Counts::default(); self.depth()];
        for (step, level) in self.steps.iter().zip(self.latest()) {
            let square = |&(a, b): &(Id, Id)| usize::from(a == b);
            let one = match step {
                Step::Product { a, b, .. } => Counts {
                    products: 1,
                    squares: square(&(*a, *b)),
                    relinearisations: 1,
                    rescalings: 1,
                    multiply_adds: 0,
                },
                Step::Combination { terms, .. } if !terms.is_empty() => {
                    Counts { rescalings: 1, multiply_adds: terms.len(), ..Counts::default() }
                }
                Step::SumOfProducts { products, .. } => Counts {
                    products: products.len(),
                    squares: products.iter().map(square).sum(),
                    relinearisations: 1,
                    rescalings: 1,
                    multiply_adds: 0,
                },
                Step::Input | Step::Combination { .. } => continue,
            };
            counts[level - 1] += one;
        }
        counts
    }

    /// All operations.
    pub fn total_counts(&self) -> Counts {
        let mut total = Counts::default();
        self.counts().into_iter().for_each(|counts| total += counts);
        total
    }

    /// Σ weight · limbs over the operations, in relinearisations of one limb.
    pub fn cost(&self, weights: &Weights) -> f64 {
        let cost = |(below, counts): (usize, &Counts)| {
            (weights.limbs_left + 1 + below) as f64
                * (weights.relinearisation * counts.relinearisations as f64
                    + weights.product * counts.products as f64
                    + weights.rescaling * counts.rescalings as f64
                    + weights.multiply_add * counts.multiply_adds as f64)
        };
        self.counts().iter().rev().enumerate().map(cost).sum()
    }

    /// Which combinations are best made only when they are read: by one step, a sum of products, once. They need no place of
    /// their own for longer than one product.
    pub fn inline(&self) -> Vec<bool> {
        let mut reads = vec![0; self.steps.len()];
        let mut inline = vec![false; self.steps.len()];
        self.outputs.iter().for_each(|id| reads[id.0] += 1);
        for step in &self.steps {
            for id in step.operands() {
                reads[id.0] += 1;
                inline[id.0] = matches!(step, Step::SumOfProducts { .. })
                    && matches!(self.steps[id.0], Step::Combination { .. })
                    && reads[id.0] == 1;
            }
        }
        inline.iter().zip(reads).map(|(&inline, reads)| inline && reads == 1).collect()
    }

    /// The step after which each value may be freed: the last that reads it, where an inline combination
    /// ([`Circuit::inline`]) reads when it is read. The number of steps for an output.
    pub fn last_use(&self) -> Vec<usize> {
        let inline = self.inline();
        let mut last: Vec<usize> = (0..self.steps.len()).collect();
        self.outputs.iter().for_each(|id| last[id.0] = self.steps.len());
        for (i, step) in self.steps.iter().enumerate().rev() {
            let reader = if inline[i] { last[i] } else { i };
            for id in step.operands() {
                last[id.0] = last[id.0].max(reader);
            }
        }
        last
    }

    /// The most values that are alive at once if each is freed after its last use, and inline combinations are made one at a
    /// time; the variable, the result and a sum's accumulator are among them.
    pub fn peak_live(&self) -> usize {
        self.peak_size(1, |_| 1)
    }

    /// [`Circuit::peak_live`] in units of `size` of a value's latest level ([`Circuit::latest`]), with at most `together` inline combinations at a
    /// time.
    pub fn peak_size(&self, together: usize, size: impl Fn(usize) -> usize) -> usize {
        let (inline, last, latest) = (self.inline(), self.last_use(), self.latest());
        let mut freed = vec![0; self.steps.len() + 1];
        (0..last.len()).filter(|&i| !inline[i]).for_each(|i| freed[last[i]] += size(latest[i]));
        let (mut live, mut peak) = (0, 0);
        for (i, step) in self.steps.iter().enumerate().filter(|&(i, _)| !inline[i]) {
            live += size(latest[i]);
            let made = step.operands().into_iter().filter(|id| inline[id.0]).take(together);
            peak = peak.max(live + made.map(|id| size(latest[id.0])).sum::<usize>());
            live -= freed[i];
        }
        peak
    }
}
