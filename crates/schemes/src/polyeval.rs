//! Arithmetic circuits: straight-line programs of products, combinations with constants and exact divisions,
//! read on numbers, levels, counts and (by a scheme) ciphertexts alike. Polynomials are the circuits that are
//! made here.
//!
//! **Constants** are of a type, [`Scalar`]: complex numbers for CKKS, integers for BFV and BGV, where values
//! are integers modulo p^e ([`ResidueReading`]) and the lowest digit, once it is removed, is divided away exactly.
//!
//! **Levels.** A value sits at a *level*, the number of rescalings behind it; the inputs are at level 0. A
//! product takes one level, a combination with constants [`Scalar::CONSTANT_LEVELS`] (one where constants are
//! rounded at a scale, none for integers), an addition and an exact division none. An operand may be dropped
//! to a deeper level for nothing, and every level has one canonical scale, which
//! [`CkksParams::levels_and_scales`](crate::ckks::CkksParams::levels_and_scales) derives value by value.
//!
//! **Readings** give each value a meaning ([`Reading`]): [`ArithmeticCircuit::read`] keeps all of them,
//! [`ArithmeticCircuit::run`] frees each after its last use.
//!
//! [`ArithmeticCircuit::polynomials`] evaluates polynomials of degree d in ⌈log2(d+1)⌉ levels, the least
//! there can be (a level doubles the degree at most, and the first one with a constant is linear; where constants
//! take none, degree 2^k has k). With β =
//! 2^(k−1) ≤ d < 2^k it writes f = A + z^β·B, deg A, deg B < β: B has k − 1 levels and is evaluated likewise,
//! A = Σ_g z^(mg)·A_g(z) with deg A_g < m is flat (baby steps z^j, j < m, giant steps z^(mg)), and all
//! products are summed before one relinearisation and one rescaling. In the Chebyshev basis z^j is T_j, and
//! T_aT_b = (T_{a+b} + T_{|a−b|})/2 carries the rest of a division down. This is Paterson–Stockmeyer with
//! lazy relinearisation, the depth of Bossuat, Mouchet, Troncoso-Pastoriza and Hubaux (EUROCRYPT 2021).
//!
//! Costs of a polynomial with all coefficients (m by [`Weights::default`]; live: values at once, see
//! [`ArithmeticCircuit::peak_live`]):
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
mod readings;
#[cfg(test)]
mod tests;

use core::ops::AddAssign;

use num_complex::Complex64;

pub use self::readings::{ComplexReading, Made, Reading, Residue, ResidueError, ResidueReading};
use crate::scalar::Scalar;

/// One of a circuit's values: the number of the gate that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(usize);

impl Id {
    /// The number of its gate.
    pub fn index(self) -> usize {
        self.0
    }
}

/// The polynomials that coefficients multiply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolynomialBasis {
    /// x^j.
    Power,
    /// T_j(x) = cos(j·arccos x), for x in [−1, 1].
    Chebyshev,
}

/// The subtrahend of a product.
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
pub enum Gate<T = Complex64> {
    /// Input number i.
    Input(usize),
    /// a·b − minus, or 2a·b − minus: one level. Chebyshev: T_{a+b} = 2T_aT_b − T_{a−b}.
    Product {
        /// A factor.
        a: Id,
        /// The other; a square if it is the same.
        b: Id,
        /// Whether the product is taken twice.
        doubled: bool,
        /// The subtrahend.
        minus: Minus,
    },
    /// Σ c_j·x_j + c: [`Scalar::CONSTANT_LEVELS`], or none without terms.
    Combination {
        /// x_j and c_j.
        terms: Vec<(Id, T)>,
        /// c.
        constant: T,
    },
    /// Σ a_i·b_i + Σ x_j, with one relinearisation and one rescaling: one level below the factors.
    SumOfProducts {
        /// a_i and b_i; at least one.
        products: Vec<(Id, Id)>,
        /// x_j, at the level of the result or above it.
        addends: Vec<Id>,
    },
    /// x/d for a value x that is a multiple of d: no level. Values modulo p^e become values modulo p^(e−1)
    /// for d = p.
    ExactDivision {
        /// x.
        dividend: Id,
        /// d.
        divisor: u64,
    },
}

impl<T: Scalar> Gate<T> {
    /// The values that are read, and how many levels above the result.
    fn reads(&self) -> Vec<(Id, usize)> {
        match self {
            Self::Input(_) => Vec::new(),
            Self::Product { a, b, minus, .. } => {
                let minus = if let Minus::Value(c) = minus { Some((*c, 0)) } else { None };
                [(*a, 1), (*b, 1)].into_iter().chain(minus).collect()
            }
            Self::Combination { terms, .. } => terms.iter().map(|&(x, _)| (x, T::CONSTANT_LEVELS)).collect(),
            Self::SumOfProducts { products, addends } => {
                let factors = products.iter().flat_map(|&(a, b)| [(a, 1), (b, 1)]);
                factors.chain(addends.iter().map(|&x| (x, 0))).collect()
            }
            Self::ExactDivision { dividend, .. } => vec![(*dividend, 0)],
        }
    }
}

impl<T: Scalar> Gate<T> {
    /// The same of other values.
    fn renamed(&self, name: impl Fn(Id) -> Id) -> Self {
        match self {
            Self::Input(i) => Self::Input(*i),
            Self::Product { a, b, doubled, minus } => {
                let minus = if let Minus::Value(c) = minus { Minus::Value(name(*c)) } else { *minus };
                Self::Product { a: name(*a), b: name(*b), doubled: *doubled, minus }
            }
            Self::Combination { terms, constant } => {
                Self::Combination { terms: terms.iter().map(|&(x, c)| (name(x), c)).collect(), constant: *constant }
            }
            Self::SumOfProducts { products, addends } => Self::SumOfProducts {
                products: products.iter().map(|&(a, b)| (name(a), name(b))).collect(),
                addends: addends.iter().map(|&x| name(x)).collect(),
            },
            Self::ExactDivision { dividend, divisor } => {
                Self::ExactDivision { dividend: name(*dividend), divisor: *divisor }
            }
        }
    }
}

/// Operations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GateCounts {
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

impl AddAssign for GateCounts {
    fn add_assign(&mut self, other: Self) {
        self.products += other.products;
        self.squares += other.squares;
        self.relinearisations += other.relinearisations;
        self.rescalings += other.rescalings;
        self.multiply_adds += other.multiply_adds;
    }
}

/// The cost of operations a limb of the modulus, in relinearisations.
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

/// Some values computed from others.
#[derive(Clone, Debug, PartialEq)]
pub struct ArithmeticCircuit<T = Complex64> {
    inputs: usize,
    gates: Vec<Gate<T>>,
    outputs: Vec<Id>,
}

impl<T: Scalar> ArithmeticCircuit<T> {
    /// So many inputs, and no outputs yet.
    pub fn new(inputs: usize) -> Self {
        Self { inputs, gates: (0..inputs).map(Gate::Input).collect(), outputs: Vec::new() }
    }

    /// Bytes that it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let of = |gate: &Gate<T>| match gate {
            Gate::Combination { terms, .. } => size_of_val(&terms[..]),
            Gate::SumOfProducts { products, addends } => size_of_val(&products[..]) + size_of_val(&addends[..]),
            _ => 0,
        };
        size_of_val(&self.gates[..]) + self.gates.iter().map(of).sum::<usize>()
    }

    /// The number of inputs.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Input number `i`.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn input(&self, i: usize) -> Id {
        assert!(i < self.inputs, "no input {i} of {}", self.inputs);
        Id(i)
    }

    /// Adds a gate.
    ///
    /// # Panics
    /// If it reads a value that is not there yet, is another [`Gate::Input`], a sum of no products or a
    /// division by 0.
    pub fn push(&mut self, gate: Gate<T>) -> Id {
        assert!(gate.reads().iter().all(|(id, _)| id.0 < self.gates.len()), "a gate reads what was not made yet");
        match &gate {
            Gate::Input(_) => panic!("a circuit is made with its inputs"),
            Gate::SumOfProducts { products, .. } => assert!(!products.is_empty(), "a sum of no products"),
            Gate::ExactDivision { divisor, .. } => assert!(*divisor > 0, "a division by 0"),
            Gate::Product { .. } | Gate::Combination { .. } => {}
        }
        self.gates.push(gate);
        Id(self.gates.len() - 1)
    }

    /// Adds a·b.
    pub fn product(&mut self, a: Id, b: Id) -> Id {
        self.push(Gate::Product { a, b, doubled: false, minus: Minus::Nothing })
    }

    /// Adds x².
    pub fn square(&mut self, x: Id) -> Id {
        self.product(x, x)
    }

    /// Adds the gates of another circuit, whose inputs are these values: its outputs, which are none of this one yet.
    ///
    /// # Panics
    /// Unless there is a value for each of its inputs.
    pub fn append(&mut self, other: &Self, inputs: &[Id]) -> Vec<Id> {
        assert_eq!(inputs.len(), other.inputs, "a value for each input");
        let mut ids: Vec<Id> = Vec::with_capacity(other.gates.len());
        for gate in &other.gates {
            let id = match gate {
                Gate::Input(i) => inputs[*i],
                gate => self.push(gate.renamed(|id| ids[id.0])),
            };
            ids.push(id);
        }
        other.outputs.iter().map(|id| ids[id.0]).collect()
    }

    /// Makes a value an output, the next one.
    ///
    /// # Panics
    /// If it is not there.
    pub fn output(&mut self, id: Id) {
        assert!(id.0 < self.gates.len(), "no value {} of {}", id.0, self.gates.len());
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

    /// The gates, each after those it reads; the first ones are the inputs.
    pub fn gates(&self) -> &[Gate<T>] {
        &self.gates
    }

    /// The outputs.
    pub fn outputs(&self) -> &[Id] {
        &self.outputs
    }

    /// The least level that each value can have.
    pub fn earliest(&self) -> Vec<usize> {
        let mut levels: Vec<usize> = Vec::with_capacity(self.gates.len());
        for gate in &self.gates {
            levels.push(gate.reads().iter().map(|&(id, above)| levels[id.0] + above).max().unwrap_or(0));
        }
        levels
    }

    /// The deepest level that each value can have, where it is cheapest: outputs stay at their earliest.
    ///
    /// A product of this level is computed one level above it (from values dropped to there), and a sum at
    /// it. An input may be dropped to the level given. This is what [`ArithmeticCircuit::counts`] counts.
    pub fn latest(&self) -> Vec<usize> {
        let earliest = self.earliest();
        let mut levels = vec![usize::MAX; self.gates.len()];
        for id in &self.outputs {
            levels[id.0] = earliest[id.0];
        }
        for (i, gate) in self.gates.iter().enumerate().rev() {
            if levels[i] == usize::MAX {
                levels[i] = earliest[i];
            }
            for (id, above) in gate.reads() {
                levels[id.0] = levels[id.0].min(levels[i] - above);
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

    /// The operations at each level from 0 on, on operands of that level ([`ArithmeticCircuit::latest`]); one
    /// entry a level taken, and one for the last level where constants take none.
    pub fn counts(&self) -> Vec<GateCounts> {
        let mut counts = vec![GateCounts::default(); self.depth() + 1 - T::CONSTANT_LEVELS];
        for (gate, level) in self.gates.iter().zip(self.latest()) {
            let square = |&(a, b): &(Id, Id)| usize::from(a == b);
            let (one, above) = match gate {
                Gate::Product { a, b, .. } => {
                    let squares = square(&(*a, *b));
                    (GateCounts { products: 1, squares, relinearisations: 1, rescalings: 1, multiply_adds: 0 }, 1)
                }
                Gate::Combination { terms, .. } if !terms.is_empty() => {
                    let (rescalings, multiply_adds) = (T::CONSTANT_LEVELS, terms.len());
                    (GateCounts { rescalings, multiply_adds, ..GateCounts::default() }, T::CONSTANT_LEVELS)
                }
                Gate::SumOfProducts { products, .. } => {
                    let squares = products.iter().map(square).sum();
                    let products = products.len();
                    (GateCounts { products, squares, relinearisations: 1, rescalings: 1, multiply_adds: 0 }, 1)
                }
                Gate::Input(_) | Gate::Combination { .. } | Gate::ExactDivision { .. } => continue,
            };
            counts[level - above] += one;
        }
        counts
    }

    /// All operations.
    pub fn total_counts(&self) -> GateCounts {
        let mut total = GateCounts::default();
        self.counts().into_iter().for_each(|counts| total += counts);
        total
    }

    /// Σ weight · limbs over the operations, in relinearisations of one limb.
    pub fn cost(&self, weights: &Weights) -> f64 {
        let cost = |(below, counts): (usize, &GateCounts)| {
            (weights.limbs_left + 1 + below) as f64
                * (weights.relinearisation * counts.relinearisations as f64
                    + weights.product * counts.products as f64
                    + weights.rescaling * counts.rescalings as f64
                    + weights.multiply_add * counts.multiply_adds as f64)
        };
        self.counts().iter().rev().enumerate().map(cost).sum()
    }

    /// Which combinations are best made only when they are read: by one gate, a sum of products, once. They
    /// need no place of their own for longer than one product.
    pub fn inline(&self) -> Vec<bool> {
        let mut reads = vec![0; self.gates.len()];
        let mut inline = vec![false; self.gates.len()];
        self.outputs.iter().for_each(|id| reads[id.0] += 1);
        for gate in &self.gates {
            for (id, _) in gate.reads() {
                reads[id.0] += 1;
                inline[id.0] = matches!(gate, Gate::SumOfProducts { .. })
                    && matches!(self.gates[id.0], Gate::Combination { .. })
                    && reads[id.0] == 1;
            }
        }
        inline.iter().zip(reads).map(|(&inline, reads)| inline && reads == 1).collect()
    }

    /// The gate after which each value may be freed: the last that reads it, where an inline combination
    /// ([`ArithmeticCircuit::inline`]) reads when it is read. The number of gates for an output.
    pub fn last_use(&self) -> Vec<usize> {
        let inline = self.inline();
        let mut last: Vec<usize> = (0..self.gates.len()).collect();
        self.outputs.iter().for_each(|id| last[id.0] = self.gates.len());
        for (i, gate) in self.gates.iter().enumerate().rev() {
            let reader = if inline[i] { last[i] } else { i };
            for (id, _) in gate.reads() {
                last[id.0] = last[id.0].max(reader);
            }
        }
        last
    }

    /// The most values that are alive at once if each is freed after its last use, and inline combinations
    /// are made one at a time; the inputs, the result and a sum's accumulator are among them.
    pub fn peak_live(&self) -> usize {
        self.peak_size(1, |_| 1)
    }

    /// [`ArithmeticCircuit::peak_live`] in units of `size` of a value's latest level
    /// ([`ArithmeticCircuit::latest`]), with at most `together` inline combinations at a time.
    pub fn peak_size(&self, together: usize, size: impl Fn(usize) -> usize) -> usize {
        let (inline, last, latest) = (self.inline(), self.last_use(), self.latest());
        let mut freed = vec![0; self.gates.len() + 1];
        (0..last.len()).filter(|&i| !inline[i]).for_each(|i| freed[last[i]] += size(latest[i]));
        let (mut live, mut peak) = (0, 0);
        for (i, gate) in self.gates.iter().enumerate().filter(|&(i, _)| !inline[i]) {
            live += size(latest[i]);
            let made = gate.reads().into_iter().map(|(id, _)| id).filter(|id| inline[id.0]).take(together);
            peak = peak.max(live + made.map(|id| size(latest[id.0])).sum::<usize>());
            live -= freed[i];
        }
        peak
    }
}
