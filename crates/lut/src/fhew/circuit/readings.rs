//! Readings of a circuit: the extension factors that its noise needs, noise and failure, time, and which keys.
use std::collections::{BTreeSet, HashMap};
use std::vec;

use super::products::{Product, Products};
use super::{Circuit, LookUp, Output, Register, Rotation, Step, Table, masks, steepest};
use crate::fhew::eval::{BATCH, independent};
use crate::planning;
use crate::{FhewLutError, LutError};
use bootes_lattice::noise::failure::over_keys::{log2_failure, sigmas_for};
use bootes_lattice::noise::failure::{self, sum_log2};
use bootes_lattice::noise::formula::{rotation_block, rotation_keys};
use bootes_schemes::cost::{Calibration, Torus as Units};
use bootes_schemes::fhew::{FhewParams, KeyNeeds, cost};

/// Noise and failure of a circuit.
#[derive(Clone, Debug, PartialEq)]
pub struct Noise {
    /// Variance of the noise of the noisiest output (of the torus squared), for the message where it is largest.
    pub output_variance: f64,
    /// The same, but the mean over a table's messages, equally often met: less than `output_variance` where one message
    /// makes more noise than another. Noise over random messages has this variance.
    pub mean_output_variance: f64,
    /// For each output the variance of a normal variable that is as rarely as large where the set's failure probability
    /// is: more than that of its noise where the output has a product, whose tail is heavier.
    pub bound_variances: Vec<f64>,
    /// Half window of each rotation over the standard deviation of its phase.
    pub sigmas: Vec<f64>,
    /// log2 of the probability that any rotation picks a wrong entry, or the noisiest result decrypts wrongly.
    pub log2_p_fail: f64,
}

/// Variances of the noise of a circuit's inputs: one of each, the limbs of an operand side by side, or one of all.
#[derive(Clone, Debug, PartialEq)]
pub struct InputVariance(Vec<f64>);

impl From<f64> for InputVariance {
    fn from(variance: f64) -> Self {
        Self(vec![variance])
    }
}

impl From<&Self> for InputVariance {
    fn from(variance: &Self) -> Self {
        variance.clone()
    }
}

impl InputVariance {
    /// The variances of inputs, or of one that stands for all.
    ///
    /// # Panics
    /// If there are none.
    #[must_use]
    pub fn of_each(variances: Vec<f64>) -> Self {
        assert!(!variances.is_empty(), "no variances");
        Self(variances)
    }

    /// The variance of an input.
    ///
    /// # Panics
    /// If there are fewer inputs, but one that stands for all.
    #[must_use]
    pub fn of(&self, input: usize) -> f64 {
        if let [all] = self.0[..] { all } else { self.0[input] }
    }

    /// Those of each, or the one of all.
    #[must_use]
    pub fn all(&self) -> &[f64] {
        &self.0
    }

    /// The larger variance of each input.
    #[must_use]
    pub fn max(&self, other: &Self) -> Self {
        let inputs = self.0.len().max(other.0.len());
        Self((0..inputs).map(|input| self.of(input).max(other.of(input))).collect())
    }

    /// The variance of the noisiest input.
    #[must_use]
    pub fn largest(&self) -> f64 {
        self.0.iter().copied().fold(0.0, f64::max)
    }
}

/// log2 of the parts of a set's failure that noise is to be bounded for.
const LOG2_PARTS: f64 = 16.0;

/// The largest extension factor tried.
pub const MAX_EXTENSION: usize = 64;

/// Variances of the registers, step by step.
///
/// Summands are taken as independent. Where they are not, a [`Step::Correlation`] says how much more it is; where they
/// are added with a sign that depends on the message, for some messages.
#[derive(Clone)]
struct Walk<'a> {
    params: &'a FhewParams,
    over_messages: OverMessages,
    variances: Vec<f64>,
    /// The part of them that comes from inputs.
    passed: Vec<f64>,
    /// The part of them that is of sums of products of normal variables, as lookups have.
    products: Vec<Products>,
    /// What an interleaved rotation turned by, of each of its results, and which of them it is.
    turned_by: HashMap<Register, (Register, usize)>,
    /// How many of its kind meet, of each rotation to come ([`masks::equal`]).
    alike: vec::IntoIter<usize>,
}

/// The statistic of variances that are larger for some messages, as in the windows of an encrypted test vector.
#[derive(Clone, Copy)]
enum OverMessages {
    Largest,
    Mean,
}

impl OverMessages {
    fn of(self, variances: impl ExactSizeIterator<Item = f64>) -> f64 {
        let count = variances.len() as f64;
        match self {
            Self::Largest => variances.fold(0.0, f64::max),
            Self::Mean => variances.sum::<f64>() / count,
        }
    }
}

impl<'a> Walk<'a> {
    fn new(params: &'a FhewParams, circuit: &Circuit, input_variance: &InputVariance) -> Self {
        Self::with(params, circuit, input_variance, masks::equal(circuit))
    }

    /// The same where it is known how many of its kind meet, of each rotation ([`masks::equal`]).
    fn with(params: &'a FhewParams, circuit: &Circuit, input_variance: &InputVariance, alike: Vec<usize>) -> Self {
        let mut variances = vec![0.0; circuit.registers];
        variances[..circuit.inputs].iter_mut().enumerate().for_each(|(i, v)| *v = input_variance.of(i));
        let (alike, passed) = (alike.into_iter(), variances.clone());
        let products = vec![Products::default(); circuit.registers];
        let over_messages = OverMessages::Largest;
        Self { params, over_messages, variances, passed, products, turned_by: HashMap::new(), alike }
    }

    /// Room for so many registers.
    fn grow(&mut self, registers: usize) {
        self.variances.resize(registers, 0.0);
        self.passed.resize(registers, 0.0);
        self.products.resize(registers, Products::default());
    }

    fn of(&self, register: Register) -> f64 {
        self.variances[register.0]
    }

    /// Variance of the phase that meets the table: 4^factor·(source + key switch) + modulus switch.
    ///
    /// Where the source is a lookup's result, that of a normal variable which leaves the window as rarely.
    fn phase(&self, rotation: &Rotation) -> f64 {
        let (source, params) = (rotation.source, self.params);
        let switched = params.key_switch_variance() + params.coarse_variance(self.passed[source.0]);
        let square = f64::from(2 * rotation.log2_factor).exp2();
        let variance = self.phase_variance(rotation, square * (self.of(source) + switched));
        self.products[source.0].normal_at(rotation.half_window, variance, square)
    }

    /// The variance of a normal variable that is beyond the half window of an output as rarely as its noise.
    fn bound(&self, output: &Output) -> f64 {
        self.products[output.register.0].normal_at(output.half_window, self.of(output.register), 1.0)
    }

    /// The same where it is rarer than the set's failure, of which each of many rotations has a part.
    fn normal(&self, register: Register) -> f64 {
        self.products[register.0].normal_where(self.params.log2_p_fail() - LOG2_PARTS, self.of(register))
    }

    fn phase_variance(&self, rotation: &Rotation, switched: f64) -> f64 {
        let params = self.params;
        switched + params.mod_switch_variance(rotation.extension, rotation.table.interleaved())
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Constant { .. } => {}
            Step::Linear { target, source, coefficient } => {
                let square = (*coefficient as f64).powi(2);
                self.variances[target.0] += square * self.of(*source);
                self.passed[target.0] += square * self.passed[source.0];
                for product in self.products[source.0].times(square) {
                    self.add_product(*target, product);
                }
            }
            Step::Correlation { target, source, factor, some } => match self.over_messages {
                OverMessages::Mean if *some => {}
                OverMessages::Largest | OverMessages::Mean => self.variances[target.0] += factor * self.of(*source),
            },
            // What is no normal variable stays beside the one: its tail, and what it has in common with others.
            Step::Instead { target, other, .. } if !self.products[other.0].is_empty() => {
                self.variances[target.0] += self.of(*other);
                for product in self.products[other.0].times(1.0) {
                    self.add_product(*target, product);
                }
            }
            Step::Instead { target, one, other } => {
                let more = self.of(*other) - self.of(*one);
                self.variances[target.0] += match self.over_messages {
                    OverMessages::Largest => more.max(0.0),
                    OverMessages::Mean => more / 2.0,
                };
            }
            Step::ModUp { target, source } => {
                self.variances[target.0] += self.normal(*source) / 4.0;
                self.passed[target.0] += self.passed[source.0] / 4.0;
            }
            Step::Rotate(rotation) => self.rotation(rotation),
            Step::LookUp(look_up) => {
                let samples = look_up.selectors.iter().flatten().map(|&register| self.of(register)).fold(0.0, f64::max);
                let depth = look_up.shape(self.params.shape().degree).depth();
                let of_one = self.params.made_ggsw_variance(look_up.gadget, samples);
                let turned_by = |register: &Register| self.turned_by.get(register).copied().unwrap_or((*register, 0));
                let selectors = look_up.selectors.iter().flatten().map(|register| turned_by(register).0).collect();
                // Where n bits are one ciphertext, n of the products have one error: their tails are those of one.
                let bits: Vec<_> = look_up.selectors.iter().map(|levels| turned_by(&levels[0])).collect();
                let most = bits.iter().map(|bit| bits.iter().filter(|other| *other == bit).count()).max();
                let distinct = (depth - 1) / most.unwrap_or(1) as u32;
                // The first CMUX is of plaintexts, which have no mask.
                let count = f64::from((distinct * look_up.gadget.levels()).max(1));
                for (target, _) in &look_up.tables {
                    self.variances[target.0] += f64::from(depth) * of_one.sum();
                    let variance = f64::from(depth) * of_one.products;
                    self.add_product(*target, Product { selectors: BTreeSet::clone(&selectors), variance, count });
                }
            }
            Step::Multiply(product) => {
                let factors = [self.normal(product.left), self.normal(product.right)];
                self.variances[product.target.0] += self.params.product_variance(product.modulus, factors);
            }
        }
    }

    /// Takes note of a part of what is in the target; what is not independent of it makes it noisier.
    fn add_product(&mut self, target: Register, product: Product) {
        self.variances[target.0] += self.products[target.0].add(product);
    }

    fn rotation(&mut self, rotation: &Rotation) {
        let params = self.params;
        let added = match rotation.ring(params) {
            None => params.extended_rotation_variance(rotation.extension),
            Some(degree) => params.ring_rotation_variance(degree) + params.ring_key_switch_variance(degree),
        } * match (self.over_messages, self.alike.next()) {
            (OverMessages::Largest, Some(alike)) => first_block(params, alike),
            _ => 1.0,
        };
        match &rotation.table {
            Table::Plain { target, .. } => self.variances[target.0] += added,
            Table::Interleaved { functions } => {
                for (number, (target, _)) in functions.iter().enumerate() {
                    self.variances[target.0] += added;
                    self.turned_by.insert(*target, (rotation.source, number));
                }
            }
            Table::Continuous { target, knots, clears } => {
                // The function's own resolution is in the modulus switch: a value a position.
                let follows = steepest(knots).powi(2) * self.phase(rotation);
                let target = &mut self.variances[target.0];
                *target = if *clears { (follows - *target).max(0.0) } else { *target + follows } + added;
            }
            Table::Multi { modulus, log2_scale, columns } => {
                for column in columns {
                    self.variances[column.target.0] += column.noise_factor(*modulus, *log2_scale) * added;
                }
            }
            Table::Packed { target, blocks } => {
                let packed = self.over_messages.of(blocks.iter().map(|&(register, _)| self.normal(register)));
                self.variances[target.0] += packed + params.packing_variance(blocks.len()) + added;
            }
            Table::Selected { target, digits, .. } => {
                let [packing, rest] = params.packed_constant_variance();
                let degree = params.shape().degree as f64;
                let selected: f64 = digits
                    .iter()
                    .map(|(register, factors)| {
                        let squares = || factors.iter().map(|&d| (d as f64).powi(2));
                        let here = self.over_messages.of(squares());
                        here * (self.normal(*register) + packing) + OverMessages::Mean.of(squares()) * degree * rest
                    })
                    .sum();
                self.variances[target.0] += selected + added;
            }
        }
    }
}

/// The factor of the variance that a rotation adds in sums with `alike` of one mask, itself included.
///
/// The first block decomposes the test vector as it is. Whoever chose a table chose the digits, with up to three times
/// the mean square, in the rows of the body alone. Rotations by equal masks have that noise in common: of k of them
/// that meet in a sum, with the coefficients c_i, it is at most (Σ|c_i|)² ≤ k·Σc_i² times its variance.
#[must_use]
pub fn first_block(params: &FhewParams, alike: usize) -> f64 {
    let distribution = params.lwe_distribution();
    let blocks = rotation_keys(distribution, params.lwe_dimension()) / rotation_block(distribution);
    1.0 + (3.0 * alike as f64 / params.shape().polynomials() as f64 - 1.0).max(0.0) / blocks as f64
}

/// The variances of a circuit's registers while it is made: steps that are added are read once.
///
/// As [`Circuit::noise`] has those of outputs, but for what rotations by equal masks have in common ([`first_block`]):
/// which those are is known in the end.
pub struct Variances<'a> {
    walk: Walk<'a>,
    steps: usize,
}

impl<'a> Variances<'a> {
    /// Of a circuit with inputs of these variances, that has no steps yet.
    #[must_use]
    pub fn new(params: &'a FhewParams, inputs: usize, input_variance: &InputVariance) -> Self {
        Self { walk: Walk::new(params, &Circuit::new(inputs), input_variance), steps: 0 }
    }

    /// That of a register of the circuit, which has only got more steps since the last time.
    pub fn of(&mut self, circuit: &Circuit, register: Register) -> f64 {
        self.walk.grow(circuit.registers);
        circuit.steps[self.steps..].iter().for_each(|step| self.walk.step(step));
        self.steps = circuit.steps.len();
        self.walk.of(register)
    }
}

fn noise_error(
    params: &FhewParams,
    rotation: &Rotation,
    [number, rotations]: [usize; 2],
    std: f64,
    needed: f64,
    promised: f64,
) -> LutError {
    LutError::Fhew(FhewLutError::Noise {
        params: params.name().to_string(),
        rotation: number,
        rotations,
        log2_half_window: rotation.half_window.log2(),
        log2_std: std.log2(),
        needed,
        found: log2_failure(rotation.half_window, std),
        promised,
    })
}

/// The work of a value for rotations that are made together.
fn rotations_work(params: &FhewParams, group: &[&Rotation], batch: usize) -> Units {
    let mut sources: Vec<Register> = group.iter().map(|rotation| rotation.source).collect();
    sources.sort_unstable();
    sources.dedup();
    let mut work = cost::key_switch(params, batch * sources.len()) * sources.len() as f64;
    let mut rings: Vec<Option<usize>> = group.iter().map(|rotation| rotation.ring(params)).collect();
    rings.sort_unstable();
    rings.dedup();
    for ring in rings {
        let here = || group.iter().filter(|rotation| rotation.ring(params) == ring);
        work += match ring {
            None => {
                let extensions: Vec<usize> = here().map(|rotation| rotation.extension).collect();
                cost::blind_rotations(params, params.shape(), &extensions, batch)
            }
            Some(degree) => {
                let count = here().count();
                cost::blind_rotations(params, params.ring_shape(degree), &vec![1; count], batch)
                    + cost::ring_key_switch(params, degree) * count as f64
            }
        };
    }
    let tables = group.iter().map(|rotation| match &rotation.table {
        Table::Packed { blocks, .. } => cost::packing(params, blocks.len()),
        Table::Selected { digits, .. } => cost::selection(params, rotation.extension) * digits.len() as f64,
        Table::Multi { modulus, log2_scale, columns } => {
            let steps: usize = columns.iter().map(|column| column.steps(*modulus, *log2_scale).0.len()).sum();
            cost::extraction(params) * steps as f64
        }
        Table::Interleaved { functions } => cost::extraction(params) * functions.len() as f64,
        Table::Plain { .. } | Table::Continuous { .. } => Units::default(),
    });
    work + tables.sum()
}

/// The work of a lookup: GGSW ciphertexts of its bits, and the tree.
fn look_up_work(params: &FhewParams, look_up: &LookUp) -> Units {
    let [plain, encrypted] = look_up.shape(params.shape().degree).products().map(|count| count as f64);
    cost::made_ggsws(params, look_up.gadget, look_up.selectors.len())
        + cost::cmux(params, look_up.gadget, true) * plain
        + cost::cmux(params, look_up.gadget, false) * encrypted
        + cost::extraction(params) * look_up.tables.len() as f64
}

impl Rotation {
    /// Degree of the own ring, if it has one.
    pub fn ring(&self, params: &FhewParams) -> Option<usize> {
        self.own_ring.then(|| self.extension * params.shape().degree)
    }
}

impl Circuit {
    /// Gives every rotation the least extension factor that keeps the circuit's failure probability at 2^`log2_p_fail`
    /// (shared equally), for inputs of noise variance `input_variance`.
    ///
    /// # Errors
    /// [`FhewLutError::Noise`] names the first rotation for which no factor is enough, and its condition;
    /// [`FhewLutError::OutputNoise`] if the results could not be decrypted.
    pub fn fit(
        mut self,
        params: &FhewParams,
        input_variance: impl Into<InputVariance>,
        log2_p_fail: f64,
    ) -> Result<Self, LutError> {
        let input_variance = input_variance.into();
        let rank = params.shape().rank;
        let of_rank_one = |step: &Step| matches!(step, Step::Multiply(_) | Step::LookUp(_));
        if rank != 1 && self.steps.iter().any(of_rank_one) {
            return Err(FhewLutError::Rank { params: params.name().to_string(), rank }.into());
        }
        let rotations = self.rotations().count().max(1);
        let needed = sigmas_for(log2_p_fail - (rotations as f64).log2());
        let alike = masks::equal(&self);
        let mut walk = Walk::with(params, &self, &input_variance, alike.clone());
        let mut number = 0;
        for step in &mut self.steps {
            if let Step::Rotate(rotation) = step {
                planning::wanted()?;
                number += 1;
                let mut std = f64::INFINITY;
                let fits = (1..=MAX_EXTENSION).any(|extension| {
                    // A window needs at least one position.
                    let positions = (4 * extension * params.shape().degree / rotation.table.interleaved()) as f64;
                    if rotation.half_window * positions < 1.0 {
                        return false;
                    }
                    rotation.extension = extension;
                    std = walk.phase(rotation).sqrt();
                    rotation.half_window >= needed * std
                });
                if !fits {
                    return Err(noise_error(params, rotation, [number, rotations], std, needed, log2_p_fail));
                }
            }
            walk.step(step);
        }
        match self.broken(Walk::with(params, &self, &input_variance, alike), log2_p_fail) {
            Some((_, error)) => Err(error),
            None => Ok(self),
        }
    }

    /// The first rotation, or else output, that does not keep its share of 2^`log2_p_fail`: its number, if it is a
    /// rotation, and the refusal.
    pub fn broken_promise(
        &self,
        params: &FhewParams,
        input_variance: impl Into<InputVariance>,
        log2_p_fail: f64,
    ) -> Option<(Option<usize>, LutError)> {
        self.broken(Walk::new(params, self, &input_variance.into()), log2_p_fail)
    }

    fn broken(&self, mut walk: Walk<'_>, log2_p_fail: f64) -> Option<(Option<usize>, LutError)> {
        let (params, rotations) = (walk.params, self.rotations().count().max(1));
        let needed = sigmas_for(log2_p_fail - (rotations as f64).log2());
        let mut number = 0;
        for step in &self.steps {
            if let Step::Rotate(rotation) = step {
                let std = walk.phase(rotation).sqrt();
                if rotation.half_window < needed * std * (1.0 - 1e-9) {
                    return Some((
                        Some(number),
                        noise_error(params, rotation, [number + 1, rotations], std, needed, log2_p_fail),
                    ));
                }
                number += 1;
            }
            walk.step(step);
        }
        let needed = sigmas_for(log2_p_fail) * self.tail(log2_p_fail);
        let output = self.outputs.iter().find(|out| out.half_window < needed * walk.bound(out).sqrt())?;
        let std = walk.bound(output).sqrt();
        let error = LutError::Fhew(FhewLutError::OutputNoise {
            params: params.name().to_string(),
            log2_half_window: output.half_window.log2(),
            log2_std: std.log2(),
            needed,
            found: log2_failure(output.half_window, std * self.tail(log2_p_fail)),
            promised: log2_p_fail,
        });
        Some((None, error))
    }

    /// How much farther than a normal variable of the same variance an output reaches with probability 2^`log2_p`.
    ///
    /// The error of a BFV product is p·(u_0·e_1 + u_1·e_0), of normal u_i and e_i: |u·e| exceeds t standard deviations
    /// with probability below e^−t (and the sum of two alike, a Laplace variable, more rarely).
    fn tail(&self, log2_p: f64) -> f64 {
        match self.steps.iter().any(|step| matches!(step, Step::Multiply(_))) {
            true => (-log2_p * std::f64::consts::LN_2 / failure::sigmas_for(log2_p)).max(1.0),
            false => 1.0,
        }
    }

    /// Predicts noise and failure for inputs of noise variance `input_variance`.
    pub fn noise(&self, params: &FhewParams, input_variance: impl Into<InputVariance>) -> Noise {
        let input_variance = input_variance.into();
        let mut walk = Walk::new(params, self, &input_variance);
        let mut mean = Walk { over_messages: OverMessages::Mean, ..walk.clone() };
        let mut sigmas = Vec::new();
        for step in &self.steps {
            if let Step::Rotate(rotation) = step {
                sigmas.push(rotation.half_window / walk.phase(rotation).sqrt());
            }
            walk.step(step);
        }
        let mut failures: Vec<f64> = sigmas.iter().map(|&sigmas| log2_failure(sigmas, 1.0)).collect();
        let tail = self.tail(params.log2_p_fail());
        // Results of continuous functions decrypt to a neighbour; any other may fail, each limb of an integer too.
        let of_continuous = |step: &Step| match step {
            Step::Rotate(Rotation { table: Table::Continuous { target, clears: false, .. }, .. }) => Some(*target),
            _ => None,
        };
        let near: Vec<Register> = self.steps.iter().filter_map(of_continuous).collect();
        let exact = self.outputs.iter().filter(|output| !near.contains(&output.register));
        failures.extend(exact.map(|output| log2_failure(output.half_window, walk.bound(output).sqrt() * tail)));
        let noisiest = |walk: &Walk<'_>| self.outputs.iter().map(|output| walk.of(output.register)).fold(0.0, f64::max);
        let output_variance = noisiest(&walk);
        let tail = tail.powi(2);
        self.steps.iter().for_each(|step| mean.step(step));
        Noise {
            output_variance,
            mean_output_variance: noisiest(&mean),
            bound_variances: self.outputs.iter().map(|output| walk.normal(output.register) * tail).collect(),
            sigmas,
            log2_p_fail: sum_log2(&failures),
        }
    }

    /// Predicted nanoseconds a value of a batch of [`BATCH`] on one thread of the machine of the calibration in use.
    pub fn cost_ns(&self, params: &FhewParams) -> f64 {
        Calibration::current().ns(self.work(params, BATCH))
    }

    /// The work of a value of a batch of `batch`.
    pub fn work(&self, params: &FhewParams, batch: usize) -> Units {
        let mut work = Units::default();
        let mut steps = self.steps();
        while let Some(step) = steps.first() {
            let mut taken = 1;
            match step {
                Step::Rotate(_) => {
                    let group = independent(steps);
                    taken = group.len();
                    work += rotations_work(params, &group, batch);
                }
                Step::Multiply(_) => work += cost::product(params),
                Step::LookUp(look_up) => work += look_up_work(params, look_up),
                Step::Linear { .. } | Step::ModUp { .. } => work += cost::extraction(params),
                Step::Constant { .. } | Step::Correlation { .. } | Step::Instead { .. } => {}
            }
            steps = &steps[taken..];
        }
        work
    }

    /// The keys beside those of every parameter set that it uses.
    pub fn keys(&self, params: &FhewParams) -> KeyNeeds {
        let mut needs = KeyNeeds::default();
        for step in &self.steps {
            match step {
                Step::Rotate(rotation) => {
                    needs.rings.extend(rotation.ring(params));
                    match &rotation.table {
                        Table::Packed { blocks, .. } => needs.packing.push(params.shape().degree / blocks.len()),
                        Table::Selected { .. } => needs.packing.push(1),
                        Table::Plain { .. }
                        | Table::Continuous { .. }
                        | Table::Multi { .. }
                        | Table::Interleaved { .. } => {}
                    }
                }
                Step::LookUp(_) => {
                    needs.packing.push(1);
                    needs.scheme_switch = true;
                }
                Step::Multiply(_) => {
                    needs.packing.push(1);
                    needs.relinearisation = true;
                }
                Step::Linear { .. }
                | Step::Constant { .. }
                | Step::ModUp { .. }
                | Step::Correlation { .. }
                | Step::Instead { .. } => {}
            }
        }
        needs.normalised()
    }
}
