//! An algorithm on ciphertexts as data: a straight-line program over LWE ciphertexts under the long key.
//! Read on noise, cost and ciphertexts alike.
mod bytes;
mod flow;
mod masks;
mod plain;
mod products;
mod readings;
mod rotation;
mod shared;

use std::sync::Arc;

use crate::table::torus;
use bootes_lattice::Gadget;
use bootes_schemes::fhew::cmux_tree::TreeShape;
pub use readings::{InputVariance, MAX_EXTENSION, Noise, Variances, first_block};
pub use rotation::{Column, Rotation, Table};
pub(crate) use rotation::{interpolate, steepest};
pub use shared::{Appended, MOST_RESULTS};

/// One of the circuit's ciphertexts; all but the inputs start as zero, and steps add to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Register(pub(crate) usize);

/// One step: it adds to its target.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// target += constant.
    Constant {
        /// Where to.
        target: Register,
        /// A torus element.
        constant: u64,
    },
    /// target += coefficient · source.
    Linear {
        /// Where to.
        target: Register,
        /// What.
        source: Register,
        /// How often.
        coefficient: i64,
    },
    /// target += source/2: every word is halved, so the phase ϕ becomes ϕ/2 + v/2 with an unknown bit v (ModUp of the
    /// FDFB paper, section 2.3.1, seen on the torus).
    ModUp {
        /// Where to.
        target: Register,
        /// What.
        source: Register,
    },
    /// No change, but for the account of noise: the target has factor·Var(source) more than the sum of its summands'
    /// variances.
    Correlation {
        /// Where.
        target: Register,
        /// Whose noise.
        source: Register,
        /// How much more than the sum of squares; less if negative.
        factor: f64,
        /// Whether that holds for some messages only, and the sum of variances in the mean over all.
        some: bool,
    },
    /// No change, but for the account of noise: the target has the noise of `one`, or for some messages that of `other`
    /// instead: Var(other) − Var(one) more, if that is more.
    Instead {
        /// Where.
        target: Register,
        /// Whose noise it has.
        one: Register,
        /// Whose noise it has for some messages.
        other: Register,
    },
    /// A functional bootstrap.
    Rotate(Rotation),
    /// target += the product of two messages modulo p, as a BFV product of the ciphertexts packed into constant
    /// coefficients (FDFB paper, section 2.3.6).
    Multiply(Product),
    /// Results of a table at an address whose bits are encrypted, by circuit bootstrapping and a tree of CMUXes.
    LookUp(LookUp),
}

/// Each target += its table's entry at the address Σ_i u_i·2^i.
#[derive(Clone, Debug, PartialEq)]
pub struct LookUp {
    /// Gadget of the GGSW ciphertexts of the bits.
    pub gadget: Gadget,
    /// For each bit u_i its ciphertexts of u_i·g_l, l = 1, …, d.
    pub selectors: Vec<Vec<Register>>,
    /// The tables: where the results go, and a torus element for each address, shared by copies of the circuit.
    pub tables: Vec<(Register, Arc<[u64]>)>,
}

impl LookUp {
    /// How the tables are laid out in polynomials of this degree.
    pub fn shape(&self, degree: usize) -> TreeShape {
        TreeShape::new(degree, self.selectors.len() as u32, self.tables.len())
    }
}

impl Step {
    /// All that it names.
    fn registers_mut(&mut self) -> Vec<&mut Register> {
        match self {
            Self::Constant { target, .. } => vec![target],
            Self::Linear { target, source, .. }
            | Self::ModUp { target, source }
            | Self::Correlation { target, source, .. } => vec![target, source],
            Self::Instead { target, one, other } => vec![target, one, other],
            Self::Multiply(Product { target, left, right, .. }) => vec![target, left, right],
            Self::LookUp(LookUp { selectors, tables, .. }) => {
                let targets = tables.iter_mut().map(|(target, _)| target);
                selectors.iter_mut().flatten().chain(targets).collect()
            }
            Self::Rotate(Rotation { source, table, .. }) => {
                let mut all = vec![source];
                match table {
                    Table::Plain { target, .. } | Table::Continuous { target, .. } => all.push(target),
                    Table::Multi { columns, .. } => all.extend(columns.iter_mut().map(|column| &mut column.target)),
                    Table::Interleaved { functions } => all.extend(functions.iter_mut().map(|(target, _)| target)),
                    Table::Packed { target, blocks } => {
                        all.push(target);
                        all.extend(blocks.iter_mut().map(|(block, _)| block));
                    }
                    Table::Selected { target, digits, .. } => {
                        all.push(target);
                        all.extend(digits.iter_mut().map(|(digit, _)| digit));
                    }
                }
                all
            }
        }
    }
}

/// target += left · right, of phases m·2^64/p.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Product {
    /// Where to.
    pub target: Register,
    /// A factor.
    pub left: Register,
    /// The other.
    pub right: Register,
    /// Plaintext modulus p.
    pub modulus: u64,
}

/// A program over LWE ciphertexts.
#[derive(Clone, Debug, PartialEq)]
pub struct Circuit {
    inputs: usize,
    registers: usize,
    steps: Vec<Step>,
    outputs: Vec<Output>,
}

/// A result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Output {
    /// Where it is.
    pub register: Register,
    /// Half the distance of its messages, less what it deviates from them beside noise: noise must stay below.
    pub half_window: f64,
}

impl Circuit {
    /// No steps yet, on `inputs` ciphertexts a value.
    pub fn new(inputs: usize) -> Self {
        Self { inputs, registers: inputs, steps: Vec::new(), outputs: Vec::new() }
    }

    /// Input number `index`.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn input(&self, index: usize) -> Register {
        assert!(index < self.inputs, "input {index} of {}", self.inputs);
        Register(index)
    }

    /// A new ciphertext, zero.
    pub fn register(&mut self) -> Register {
        self.registers += 1;
        Register(self.registers - 1)
    }

    /// A new ciphertext that is also the next output, of messages modulo `modulus`.
    pub fn output(&mut self, modulus: u64) -> Register {
        let register = self.register();
        self.put_out(register, 0.5 / modulus as f64);
        register
    }

    /// Makes `register` the next output.
    pub fn put_out(&mut self, register: Register, half_window: f64) {
        self.outputs.push(Output { register, half_window });
    }

    /// target += constant.
    pub fn add_constant(&mut self, target: Register, constant: u64) {
        if constant != 0 {
            self.steps.push(Step::Constant { target, constant });
        }
    }

    /// target += numerator/denominator of the torus.
    pub fn add_fraction(&mut self, target: Register, numerator: i128, denominator: u64) {
        self.add_constant(target, torus(numerator, denominator));
    }

    /// target += coefficient · source.
    pub fn add(&mut self, target: Register, source: Register, coefficient: i64) {
        self.steps.push(Step::Linear { target, source, coefficient });
    }

    /// `target` is noisier for some messages than the steps tell, or less noisy: see [`Step::Correlation`].
    pub fn add_correlation_for_some(&mut self, target: Register, source: Register, factor: f64) {
        self.steps.push(Step::Correlation { target, source, factor, some: true });
    }

    /// `target` is noisier than the steps tell, or less noisy: see [`Step::Correlation`].
    pub fn add_correlation(&mut self, target: Register, source: Register, factor: f64) {
        if factor != 0.0 {
            self.steps.push(Step::Correlation { target, source, factor, some: false });
        }
    }

    /// `target` has the noise of `one`, or for some messages that of `other`: see [`Step::Instead`].
    pub fn add_instead(&mut self, target: Register, one: Register, other: Register) {
        self.steps.push(Step::Instead { target, one, other });
    }

    /// A copy of `source` times `coefficient`.
    pub fn multiple(&mut self, source: Register, coefficient: i64) -> Register {
        let target = self.register();
        self.add(target, source, coefficient);
        target
    }

    /// A copy of `source` with half its phase: see [`Step::ModUp`].
    pub fn mod_up(&mut self, source: Register) -> Register {
        let target = self.register();
        self.steps.push(Step::ModUp { target, source });
        target
    }

    /// Rotates `table` by `source`; left out if the table is zero.
    ///
    /// The windows of a discrete table are centred on the messages: `shift` and `half_window` are half a window.
    pub fn rotate(&mut self, source: Register, half_window: f64, table: Table) -> &mut Rotation {
        self.push_rotation(Rotation::new(source, half_window, half_window, table))
    }

    /// As [`Self::rotate`], all fields given.
    pub fn push_rotation(&mut self, rotation: Rotation) -> &mut Rotation {
        self.steps.push(Step::Rotate(rotation));
        match self.steps.last_mut() {
            Some(Step::Rotate(rotation)) => rotation,
            _ => unreachable!("it was just pushed"),
        }
    }

    /// A plain table on messages in windows of the half circle: target += values\[window\].
    pub fn rotate_plain(&mut self, source: Register, target: Register, values: Vec<u64>) -> &mut Rotation {
        let half_window = 0.25 / values.len() as f64;
        self.rotate(source, half_window, Table::Plain { target, values })
    }

    /// target += left · right.
    pub fn multiply(&mut self, product: Product) {
        self.steps.push(Step::Multiply(product));
    }

    /// Each target += its table's entry at the address of encrypted bits.
    pub fn look_up(&mut self, look_up: LookUp) {
        self.steps.push(Step::LookUp(look_up));
    }

    /// The steps of another circuit on registers of this one, whose outputs are registers of this one too.
    ///
    /// # Panics
    /// Unless there is a source for each of its inputs.
    pub fn append(&mut self, other: &Self, sources: &[Register]) -> Vec<Register> {
        assert_eq!(sources.len(), other.inputs, "sources for the inputs");
        let first = self.registers - other.inputs;
        self.registers = first + other.registers;
        let here = |Register(old): Register| sources.get(old).copied().unwrap_or(Register(first + old));
        self.steps.extend(other.steps.iter().cloned().map(|mut step| {
            step.registers_mut().into_iter().for_each(|register| *register = here(*register));
            step
        }));
        other.outputs.iter().map(|output| here(output.register)).collect()
    }

    /// Leaves out rotations of tables that are zero.
    pub fn simplified(mut self) -> Self {
        self.steps.retain(|step| !matches!(step, Step::Rotate(rotation) if rotation.table.is_zero()));
        self
    }

    /// Number of inputs.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Number of ciphertexts, inputs included.
    pub fn registers(&self) -> usize {
        self.registers
    }

    /// The outputs.
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// The steps, in order.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The rotations, in order.
    pub fn rotations(&self) -> impl Iterator<Item = &Rotation> {
        self.steps.iter().filter_map(|step| match step {
            Step::Rotate(rotation) => Some(rotation),
            _ => None,
        })
    }

    /// The lookups, in order.
    pub fn look_ups(&self) -> impl Iterator<Item = &LookUp> {
        self.steps.iter().filter_map(|step| match step {
            Step::LookUp(look_up) => Some(look_up),
            _ => None,
        })
    }

    /// The rotations, in order.
    pub fn rotations_mut(&mut self) -> impl Iterator<Item = &mut Rotation> {
        self.steps.iter_mut().filter_map(|step| match step {
            Step::Rotate(rotation) => Some(rotation),
            _ => None,
        })
    }

    /// Sum of the extension factors: the work in rotations of degree N'.
    pub fn units(&self) -> usize {
        self.rotations().map(|rotation| rotation.extension).sum()
    }

    /// The largest extension factor in the base ring.
    pub fn max_extension(&self) -> usize {
        self.rotations().filter(|rotation| !rotation.own_ring).map(|rotation| rotation.extension).max().unwrap_or(1)
    }
}
