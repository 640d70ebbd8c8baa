//! An algorithm on ciphertexts as data: a straight-line program over LWE ciphertexts under the long key.
//! Read on noise, cost and ciphertexts alike.
mod bytes;
mod flow;
mod masks;
mod plain;
mod products;
mod readings;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use crate::table::torus;
use bootes_lattice::Gadget;
use bootes_schemes::fhew::cmux_tree::TreeShape;
pub use readings::{InputVariance, MAX_EXTENSION, Noise, Variances, first_block};

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

/// Key switch (shared by all rotations of one source), modulus switch to 2νN', blind rotation, extraction.
#[derive(Clone, Debug, PartialEq)]
pub struct Rotation {
    /// Its sample.
    pub source: Register,
    /// The short sample is multiplied by 2^this, which drops the top bits of the message.
    pub log2_factor: u32,
    /// Added to the phase (a fraction of the torus) so that the table starts at 0.
    pub shift: f64,
    /// The table is right while the phase is off by less than this fraction of the torus.
    pub half_window: f64,
    /// The table that is rotated.
    pub table: Table,
    /// Extension factor ν: the accumulator has degree ν·N'.
    pub extension: usize,
    /// Whether it rotates in its own ring of degree ν·N', a power of two, with that ring's key; else ν components of
    /// degree N' with the one key of all. The result of an own ring is key-switched to the base ring's key.
    pub own_ring: bool,
}

/// The negacyclic function of a rotation on the half circle [0, 1/2), in equal windows.
#[derive(Clone, Debug, PartialEq)]
pub enum Table {
    /// Torus elements.
    Plain {
        /// Where the result goes.
        target: Register,
        /// A value a window.
        values: Vec<u64>,
    },
    /// Several tables at once (multi-value bootstrapping, CIM19; FDFB paper, section 2.3.5).
    Multi {
        /// p': values are multiples of 2^64/2p', times 2^−`log2_scale`.
        modulus: u64,
        /// The results are scaled down by 2^this.
        log2_scale: u32,
        /// The tables.
        columns: Vec<Column>,
    },
    /// Several tables at once, whose values take turns in the test vector (PBSmanyLUT: Chillotti, Ligier, Orfila, Tap,
    /// *Improved Programmable Bootstrapping with Larger Precision and Efficient Arithmetic Circuits for TFHE*, 2021):
    /// of m, a power of two, the modulus switch goes to 2νN'/m. Results have a rotation's noise.
    Interleaved {
        /// Where each result goes, and a value a window.
        functions: Vec<(Register, Vec<u64>)>,
    },
    /// A continuous function, linear between knots (x, f(x)) from x = 0 to x = 1/2; two knots at one x are a step.
    ///
    /// The result follows the noise of the phase.
    Continuous {
        /// Where the result goes.
        target: Register,
        /// The knots, as fractions of the torus.
        knots: Vec<[f64; 2]>,
        /// Whether the result takes away from the target what the source saw of it: source = c·target and f(x) = −x/c.
        /// Then their noise cancels too.
        clears: bool,
    },
    /// Ciphertexts, packed into the test vector.
    Packed {
        /// Where the result goes.
        target: Register,
        /// One a window, with its sign.
        blocks: Vec<(Register, i8)>,
    },
    /// A plain table and another one, of integers, times an encrypted value: Σ_i digits_i(x)·source_i + values(x)
    /// (FDFB-KS).
    Selected {
        /// Where the result goes.
        target: Register,
        /// A value a window.
        values: Vec<u64>,
        /// A ciphertext and its factors, one a window.
        digits: Vec<(Register, Vec<i64>)>,
    },
}

/// One table of a multi-value bootstrap.
#[derive(Clone, Debug)]
pub struct Column {
    /// Where the result goes.
    pub target: Register,
    halves: Vec<i64>,
    /// The factor of its noise, for these modulus and scale: a long table's takes as long as all other readings.
    factor: OnceLock<(u64, u32, f64)>,
}

impl PartialEq for Column {
    fn eq(&self, other: &Self) -> bool {
        (self.target, &self.halves) == (other.target, &other.halves)
    }
}

impl Column {
    /// Multiples of 2^64/p'.
    pub fn new(target: Register, values: impl IntoIterator<Item = i64>) -> Self {
        Self::of_halves(target, values.into_iter().map(|v| 2 * v))
    }

    /// Multiples of 2^64/2p', one a window: all even or all odd.
    pub fn of_halves(target: Register, halves: impl IntoIterator<Item = i64>) -> Self {
        Self { target, halves: halves.into_iter().collect(), factor: OnceLock::new() }
    }

    /// How many windows there are.
    pub fn windows(&self) -> usize {
        self.halves.len()
    }

    /// TV_1 = (1 − X)·TV', sparse: the windows that begin with a step, and the step; and what is to be added to the
    /// result.
    ///
    /// The rotated polynomial is TV_0 = 2^64/2p'·Σ X^i, so p' times a monomial is one half everywhere: steps are
    /// centred modulo p', and 2^63 is to be added if an odd number of multiples of p' was left out. (The paper's TV_1
    /// is modulo 2p', of at most four times the noise.) Where results are scaled down, p' times a monomial is no
    /// constant, and the steps stay.
    pub fn steps(&self, modulus: u64, log2_scale: u32) -> (Vec<(usize, i64)>, u64) {
        let mut multiples = 0;
        let counted = self.centred_steps(modulus, log2_scale).inspect(|&(.., multiple)| multiples += multiple);
        let steps = counted.map(|(window, step, _)| (window, step)).filter(|&(_, step)| step != 0).collect();
        (steps, (multiples as u64) << 63)
    }

    /// Of each window the step that it begins with, centred, and the multiple of p' that this left out.
    fn centred_steps(&self, modulus: u64, log2_scale: u32) -> impl Iterator<Item = (usize, i64, i64)> {
        let p = modulus as i64;
        let last = self.halves[self.halves.len() - 1];
        self.halves.iter().enumerate().scan(-last, move |before, (window, &value)| {
            let step = (value - std::mem::replace(before, value)) / 2;
            let multiple = if log2_scale == 0 { (step + p / 2).div_euclid(p) } else { 0 };
            Some((window, step - multiple * p, multiple))
        })
    }

    /// The factor on the variance of the rotation: ‖TV_1‖², and what its errors have in common.
    ///
    /// ‖TV_1‖² takes the coefficients of a rotation's noise as independent. They are not: the digits' rounding errors
    /// are multiplied with the binary key, whose coefficients have a mean, so that two coefficients d of N apart have
    /// up to (1 − 2d/N)/2 of their variance in common. Where that makes the steps noisier, it is counted; where
    /// quieter, it is not.
    pub fn noise_factor(&self, modulus: u64, log2_scale: u32) -> f64 {
        let factor = || self.factor_of(self.centred_steps(modulus, log2_scale).map(|(window, step, _)| (window, step)));
        match self.factor.get_or_init(|| (modulus, log2_scale, factor())) {
            &(of_modulus, scale, found) if (of_modulus, scale) == (modulus, log2_scale) => found,
            _ => factor(),
        }
    }

    /// Those of self + other and of self − other, results of one rotation.
    pub fn joint_noise_factors(&self, other: &Self, modulus: u64, log2_scale: u32) -> [f64; 2] {
        [1, -1].map(|sign: i64| {
            let mut steps = BTreeMap::new();
            for (column, sign) in [(self, 1), (other, sign)] {
                for (window, step) in column.steps(modulus, log2_scale).0 {
                    *steps.entry(window).or_default() += sign * step;
                }
            }
            self.factor_of(steps)
        })
    }

    /// Whether their results, of one rotation, are one ciphertext but for a constant.
    ///
    /// Then the error of their product, p·(u·e' + u'·e), has twice the variance of that of independent ones. It takes
    /// both errors and overflows u to be alike: packing makes the overflows of all others independent, those of
    /// negatives too.
    pub fn is_twin(&self, other: &Self, modulus: u64) -> bool {
        self.steps(modulus, 0).0 == other.steps(modulus, 0).0
    }

    /// The factor of a sparse TV_1, its steps in order.
    fn factor_of(&self, steps: impl IntoIterator<Item = (usize, i64)>) -> f64 {
        let windows = self.halves.len() as f64;
        // Σ f and Σ f·x of the steps so far.
        let (mut squares, mut shared, mut sum, mut moment) = (0.0, 0.0, 0.0, 0.0);
        for (x, f) in steps.into_iter().map(|(x, f)| (x as f64, f as f64)) {
            squares += f * f;
            shared += f * (sum - 2.0 / windows * (x * sum - moment));
            sum += f;
            moment += f * x;
        }
        // Over keys what is shared spreads more than the variance of a coefficient: by up to 5 %, which in the mean of
        // failures counts as much as 6 % more of it (see `failure::over_keys`).
        squares + 1.06 * f64::max(shared, 0.0)
    }
}

impl Table {
    /// The table's targets.
    pub fn targets(&self) -> Vec<Register> {
        match self {
            Self::Plain { target, .. }
            | Self::Continuous { target, .. }
            | Self::Packed { target, .. }
            | Self::Selected { target, .. } => vec![*target],
            Self::Multi { columns, .. } => columns.iter().map(|column| column.target).collect(),
            Self::Interleaved { functions } => functions.iter().map(|&(target, _)| target).collect(),
        }
    }

    /// The ciphertexts in it.
    pub fn sources(&self) -> Vec<Register> {
        match self {
            Self::Packed { blocks, .. } => blocks.iter().map(|&(block, _)| block).collect(),
            Self::Selected { digits, .. } => digits.iter().map(|&(digit, _)| digit).collect(),
            Self::Plain { .. } | Self::Continuous { .. } | Self::Multi { .. } | Self::Interleaved { .. } => Vec::new(),
        }
    }

    /// How many tables take turns in the test vector, m: 1 but for [`Self::Interleaved`].
    pub fn interleaved(&self) -> usize {
        match self {
            Self::Interleaved { functions } => functions.len().next_power_of_two(),
            _ => 1,
        }
    }

    fn is_zero(&self) -> bool {
        match self {
            Self::Plain { values, .. } => values.iter().all(|&v| v == 0),
            _ => false,
        }
    }
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

impl Rotation {
    /// The rotation by the source as it is, with windows from 0 on when `shift` is added to the phase; to be fitted.
    pub fn new(source: Register, shift: f64, half_window: f64, table: Table) -> Self {
        Self { source, log2_factor: 0, shift, half_window, table, extension: 1, own_ring: false }
    }
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

/// The value of a piecewise linear function at `x`, between its knots.
pub(crate) fn interpolate(knots: &[[f64; 2]], x: f64) -> f64 {
    let after = knots.partition_point(|knot| knot[0] <= x).clamp(1, knots.len() - 1);
    let [[x0, y0], [x1, y1]] = [knots[after - 1], knots[after]];
    if x1 > x0 { y0 + (y1 - y0) * ((x - x0) / (x1 - x0)).clamp(0.0, 1.0) } else { y1 }
}

/// The steepest slope of a piecewise linear function, its steps aside.
pub(crate) fn steepest(knots: &[[f64; 2]]) -> f64 {
    knots
        .windows(2)
        .filter(|pair| pair[1][0] > pair[0][0])
        .map(|pair| ((pair[1][1] - pair[0][1]) / (pair[1][0] - pair[0][0])).abs())
        .fold(0.0, f64::max)
}
