//! Evaluating a circuit on a batch of ciphertexts, of words of 64 or 128 bits.
//!
//! Tables, constants and what is packed or multiplied have 64 bits in either case: see
//! [`bootes_schemes::fhew::extra_keys`].
mod prepared;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::fhew::circuit::{Circuit, LookUp, Product, Register, Rotation, Step, Table, interpolate};
use bootes_lattice::Gadget;
use bootes_lattice::keyswitch::{self, Evaluation};
use bootes_lattice::lwe;
use bootes_ring::mem::{AlignedVec, ScratchBuffer};
use bootes_ring::torus::Torus;
use bootes_schemes::cancel::Cancel;
use bootes_schemes::fhew::FhewParams;
use bootes_schemes::fhew::cmux_tree::{LookupWorkspace, TreeShape, TreeTable};
use bootes_schemes::fhew::evaluator::{self, Job, JobTable};
use bootes_schemes::fhew::extra_keys::RingKey;
use bootes_schemes::fhew::prepared::PreparedEvaluationKey;
use bootes_schemes::fhew::test_vector::{EncryptedTestVector, TestVector};

/// Values that a thread evaluates together: keys are read once for them.
pub const BATCH: usize = 16;

/// A circuit ready for evaluation: with the test vectors of its rotations.
#[derive(Clone, Debug)]
pub struct PreparedTable {
    /// The steps, fitted to parameters.
    pub circuit: Circuit,
    /// One a rotation.
    vectors: Vec<Vectors>,
    /// One a lookup.
    trees: Vec<Arc<TreeTable>>,
}

/// The prepared vectors of a rotation.
#[derive(Clone, Debug)]
struct Vectors {
    /// Added to b (fraction of 2^32).
    offset: u32,
    /// The plaintext test vector: the table, TV_0 of a multi-value bootstrap, nothing where all is encrypted.
    plain: Option<Arc<TestVector>>,
    /// Each column's TV_1 of a multi-value bootstrap, as positions and factors, and the constant of its result.
    columns: Vec<(Vec<(usize, i64)>, u64)>,
    /// The factors of each ciphertext of a selected table, transformed, `[component][N']`.
    factors: Vec<AlignedVec<f64>>,
}

/// Test vectors of tables with an entry each, for an extension factor, in own rings or not: equal ones are one.
type Shared = HashMap<(usize, bool, Vec<u64>), Arc<TestVector>>;

impl Vectors {
    fn new(params: &FhewParams, rotation: &Rotation, fft: &bootes_ring::fft::Fft, shared: &mut Shared) -> Self {
        let degree = params.shape().degree;
        let length = rotation.extension * degree;
        let vector = |windows: Vec<u64>| {
            let vector = shared.entry((rotation.extension, rotation.own_ring, windows)).or_insert_with_key(|key| {
                let value = |x: usize| key.2[x * key.2.len() / length];
                Arc::new(match rotation.own_ring {
                    false => TestVector::new(rotation.extension, degree, value),
                    true => TestVector::new(1, length, value),
                })
            });
            Arc::clone(vector)
        };
        let offset = body_offset(length / rotation.table.interleaved(), rotation.shift);
        let plain = windows(rotation, degree).map(vector);
        let mut vectors = Self { offset, plain, columns: Vec::new(), factors: Vec::new() };
        match &rotation.table {
            Table::Multi { modulus, log2_scale, columns } => {
                vectors.columns = columns
                    .iter()
                    .map(|column| sparse_factor(column.steps(*modulus, *log2_scale), column.windows(), length))
                    .collect();
            }
            Table::Selected { digits, .. } => {
                let component = |factors: &[i64], c: usize| -> Vec<i64> {
                    let window = |t: usize| (t * rotation.extension + c) * factors.len() / length;
                    (0..degree).map(|t| factors[window(t)]).collect()
                };
                vectors.factors = digits
                    .iter()
                    .map(|(_, factors)| {
                        let mut transformed = AlignedVec::new(length);
                        for (c, transformed) in transformed.chunks_exact_mut(degree).enumerate() {
                            fft.forward_integer(transformed, &component(factors, c));
                        }
                        transformed
                    })
                    .collect();
            }
            Table::Plain { .. } | Table::Interleaved { .. } | Table::Continuous { .. } | Table::Packed { .. } => {}
        }
        vectors
    }
}

/// The windows of a rotation's plaintext test vector, all of one length: values of the table, TV_0 of a multi-value
/// bootstrap; nothing where all is encrypted.
fn windows(rotation: &Rotation, degree: usize) -> Option<Vec<u64>> {
    let (length, interleaved) = (rotation.extension * degree, rotation.table.interleaved());
    Some(match &rotation.table {
        Table::Plain { values, .. } | Table::Selected { values, .. } => values.clone(),
        Table::Interleaved { functions } => {
            let value = |x: usize| {
                let window = |values: &[u64]| x / interleaved * values.len() / (length / interleaved);
                functions.get(x % interleaved).map_or(0, |(_, values)| values[window(values)])
            };
            (0..length).map(value).collect()
        }
        Table::Continuous { knots, .. } => {
            let value = |x| interpolate(knots, (x as f64 + 0.5) / (2 * length) as f64);
            (0..length).map(|x| torus_of(value(x))).collect()
        }
        Table::Multi { modulus, log2_scale, .. } => vec![crate::table::torus(1, 2 * modulus) >> log2_scale],
        Table::Packed { .. } => return None,
    })
}

/// A fraction of the torus, modulo 1.
fn torus_of(fraction: f64) -> u64 {
    ((fraction - fraction.round()) * 2f64.powi(64)) as i128 as u64
}

/// TV_1 of a column in a ring of degree `length`: coefficient 0 of TV_1·ACC as Σ factor·(coefficient `position` of
/// ACC).
fn sparse_factor(
    (steps, constant): (Vec<(usize, i64)>, u64),
    windows: usize,
    length: usize,
) -> (Vec<(usize, i64)>, u64) {
    let terms = steps.into_iter().map(|(window, step)| match (window * length).div_ceil(windows) {
        0 => (0, step),
        // X^x·X^(L − x) = −1.
        x => (length - x, -step),
    });
    (terms.collect(), constant)
}

/// The shift of b (fraction of 2^32) that moves the middle of a window to the middle of its positions: `shift` of the
/// torus, less half a position, 1/(4L).
pub fn body_offset(length: usize, shift: f64) -> u32 {
    ((shift - 0.25 / length as f64) * 2f64.powi(32)).round() as i64 as u32
}

/// Buffers of [`eval_into`], reused from batch to batch.
#[derive(Debug)]
pub struct Workspace<W: Torus = u64> {
    batch: usize,
    /// The base ring first; then own rings, with their degrees.
    rings: Vec<(Option<usize>, evaluator::RotationWorkspace<W>)>,
    scratch: ScratchBuffer,
    /// `[register][value][k·N' + 1]`.
    registers: Vec<W>,
    /// What is key-switched, `[source][value][k·N' + 1]`.
    dithered: Vec<W>,
    /// Short samples, `[source][value][stride]`.
    samples: Vec<u32>,
    /// One result.
    sample: Vec<W>,
    /// Encrypted test vectors, a value's after the other's, of one group of rotations.
    encrypted: Vec<EncryptedTestVector>,
    /// One a gadget of lookups.
    lookups: Vec<(Gadget, LookupWorkspace)>,
    /// The identity of this evaluation among all, and the number of its next value.
    evaluation: Evaluation,
    next: u64,
    /// The same for each value of the batch.
    values: Vec<Evaluation>,
    cancel: Cancel,
}

impl<W: Torus> Workspace<W> {
    /// For batches of at most `batch` values through `circuit`.
    ///
    /// # Panics
    /// If `key` lacks a key of the circuit ([`Circuit::keys`]), or memory is missing.
    pub fn new(key: &PreparedEvaluationKey<W>, circuit: &Circuit, batch: usize) -> Self {
        let base = (None, &key.rotation, circuit.max_extension());
        let needs = circuit.keys(&key.params);
        let own = needs.rings.iter().map(|&degree| (Some(degree), &own_ring(key, degree).rotation, 1));
        let (mut rings, mut scratch_bytes) = (Vec::new(), key.extra_scratch_bytes());
        for (degree, rotation, extension) in std::iter::once(base).chain(own) {
            scratch_bytes = scratch_bytes.max(rotation.rotate_scratch_bytes(extension));
            rings.push((degree, rotation.workspace(extension)));
        }
        let mut lookups = Vec::new();
        for (gadget, bits, shape) in gadgets(key, circuit) {
            scratch_bytes = scratch_bytes.max(key.look_up_scratch_bytes(shape));
            // As other buffers: who runs out of memory is told so.
            let workspace = key.lookup_workspace(gadget, bits).unwrap_or_else(|error| panic!("{error}"));
            lookups.push((gadget, workspace));
        }
        let long = key.shape().lwe_dimension() + 1;
        Self {
            batch,
            rings,
            scratch: ScratchBuffer::new(scratch_bytes),
            registers: vec![W::default(); circuit.registers() * batch * long],
            dithered: Vec::new(),
            samples: Vec::new(),
            sample: vec![W::default(); long],
            encrypted: Vec::new(),
            lookups,
            evaluation: Evaluation::of([]),
            next: 0,
            values: Vec::new(),
            cancel: Cancel::new(),
        }
    }

    /// The values that follow are those from number `first` on of an evaluation. Two of other numbers, or of other
    /// evaluations, have noise of their own, whatever their masks ([`keyswitch::dither`]).
    pub fn number(&mut self, evaluation: Evaluation, first: u64) {
        (self.evaluation, self.next) = (evaluation, first);
    }

    /// Work in it ends where `cancel` says so.
    #[must_use]
    pub fn cancelled_by(mut self, cancel: &Cancel) -> Self {
        self.rings.iter_mut().for_each(|(_, ring)| ring.cancelled_by(cancel));
        self.cancel = cancel.clone();
        self
    }

    /// Bytes of such a workspace at most, while it is used.
    ///
    /// # Panics
    /// As [`Self::new`].
    pub fn bytes(key: &PreparedEvaluationKey<W>, circuit: &Circuit, batch: usize) -> usize {
        let (shape, long) = (key.shape(), key.shape().lwe_dimension() + 1);
        let base = (&key.rotation, circuit.max_extension());
        let own = circuit.keys(&key.params).rings;
        let own = own.iter().map(|&degree| (&own_ring(key, degree).rotation, 1));
        let (mut rings, mut scratch_bytes) = (0, key.extra_scratch_bytes());
        for (rotation, extension) in std::iter::once(base).chain(own) {
            rings += rotation.workspace_bytes(extension);
            scratch_bytes = scratch_bytes.max(rotation.rotate_scratch_bytes(extension));
        }
        let mut lookups = 0;
        for (gadget, bits, shape) in gadgets(key, circuit) {
            scratch_bytes = scratch_bytes.max(key.look_up_scratch_bytes(shape));
            lookups += key.lookup_workspace_bytes(gadget, bits);
        }
        // Of the largest group of rotations: a long and a short sample each, and what is packed for it.
        let (mut samples, mut encrypted) = (0, 0);
        let mut steps = circuit.steps();
        while !steps.is_empty() {
            let group = independent(steps);
            let packed = group.iter().map(|rotation| match rotation.table {
                Table::Packed { .. } => shape.words(),
                Table::Selected { .. } => rotation.extension * shape.words(),
                Table::Plain { .. } | Table::Continuous { .. } | Table::Multi { .. } | Table::Interleaved { .. } => 0,
            });
            encrypted = encrypted.max(batch * packed.sum::<usize>() * size_of::<u64>());
            let sample = key.key_switch.stride() * size_of::<u32>() + long * size_of::<W>();
            samples = samples.max(group.len() * batch * sample);
            steps = &steps[group.len().max(1)..];
        }
        let registers = (circuit.registers() * batch + 1) * long * size_of::<W>();
        registers + rings + scratch_bytes + samples + encrypted + lookups
    }
}

/// The gadgets of a circuit's lookups, each with the most bits and the largest tree that it has.
fn gadgets<W: Torus>(key: &PreparedEvaluationKey<W>, circuit: &Circuit) -> Vec<(Gadget, u32, TreeShape)> {
    let mut found: Vec<(Gadget, u32, TreeShape)> = Vec::new();
    for look_up in circuit.look_ups() {
        let (bits, shape) = (look_up.selectors.len() as u32, look_up.shape(key.shape().degree));
        match found.iter_mut().find(|(gadget, ..)| *gadget == look_up.gadget) {
            Some((_, most, largest)) => {
                *most = bits.max(*most);
                if shape.levels() > largest.levels() {
                    *largest = shape;
                }
            }
            None => found.push((look_up.gadget, bits, shape)),
        }
    }
    found
}

fn own_ring<W: Torus>(key: &PreparedEvaluationKey<W>, degree: usize) -> &RingKey<W> {
    key.extra.ring(degree).expect("the planner checked that the ring keys are there")
}

/// Evaluates `table` on a batch: each input and each output has one ciphertext of k·N' + 1 words a value.
///
/// Rotations that do not need each other's results are made together, so that each block of the key is read for many of
/// them, and each source is key-switched once. Outputs are worth nothing if the workspace's work was cancelled before
/// this returns ([`Workspace::cancelled_by`]).
pub fn eval_into<W: Torus>(
    outputs: &mut [&mut [W]],
    table: &PreparedTable,
    inputs: &[&[W]],
    key: &PreparedEvaluationKey<W>,
    workspace: &mut Workspace<W>,
) {
    let circuit = &table.circuit;
    let long = key.shape().lwe_dimension() + 1;
    let count = inputs[0].len() / long;
    assert!(inputs.len() == circuit.inputs() && inputs.iter().all(|input| input.len() == count * long));
    assert!(outputs.len() == circuit.outputs().len() && outputs.iter().all(|output| output.len() == count * long));
    assert!(count <= workspace.batch, "{count} values in a workspace for {}", workspace.batch);
    workspace.registers.fill(W::default());
    let first = workspace.next;
    workspace.next += count as u64;
    let of_value = |value: usize| {
        let samples = inputs.iter().map(|input| &input[value * long..][..long]);
        workspace.evaluation.of_value(samples)
    };
    workspace.values = (0..count).map(of_value).collect();
    let mut batch = Batch { key, long, count, first, switches: 0, workspace };
    for (i, input) in inputs.iter().enumerate() {
        batch.register_mut(circuit.input(i)).copy_from_slice(input);
    }
    let (mut vectors, mut trees) = (table.vectors.iter(), table.trees.iter());
    let mut steps = circuit.steps();
    while let Some(step) = steps.first() {
        if batch.workspace.cancel.is_cancelled() {
            return;
        }
        let mut taken = 1;
        match step {
            Step::Constant { target, constant } => {
                for sample in batch.register_mut(*target).chunks_exact_mut(long) {
                    sample[long - 1] = sample[long - 1].wrapping_add(W::from_top(*constant));
                }
            }
            Step::Correlation { .. } | Step::Instead { .. } => {}
            Step::Linear { target, source, coefficient } => {
                let (target, source) = batch.pair(*target, *source);
                lwe::add_mul_assign(target, source, *coefficient);
            }
            Step::ModUp { target, source } => {
                let (target, source) = batch.pair(*target, *source);
                target.iter_mut().zip(source).for_each(|(x, &y)| *x = x.wrapping_add(y.shr(1)));
            }
            Step::Multiply(product) => batch.multiply(product),
            Step::LookUp(look_up) => {
                let tree = trees.next().expect("each lookup has its tree");
                batch.look_up(look_up, tree);
            }
            Step::Rotate(_) => {
                let group = independent(steps);
                taken = group.len();
                let group: Vec<_> = group.into_iter().zip(vectors.by_ref()).collect();
                batch.rotate(&group);
            }
        }
        steps = &steps[taken..];
    }
    for (output, from) in outputs.iter_mut().zip(circuit.outputs()) {
        output.copy_from_slice(batch.register_mut(from.register));
    }
}

/// The top 64 bits of each word.
fn tops<W: Torus>(words: &[W]) -> Vec<u64> {
    words.iter().map(|word| word.top()).collect()
}

/// The rotations at the head of `steps` that read no result of each other.
pub(crate) fn independent(steps: &[Step]) -> Vec<&Rotation> {
    let mut written = HashSet::new();
    let mut group = Vec::new();
    for step in steps {
        let Step::Rotate(rotation) = step else { break };
        let mut read = rotation.table.sources();
        read.push(rotation.source);
        if read.iter().any(|register| written.contains(register)) {
            break;
        }
        written.extend(rotation.table.targets());
        group.push(rotation);
    }
    group
}

/// A batch under way.
struct Batch<'a, W: Torus> {
    key: &'a PreparedEvaluationKey<W>,
    long: usize,
    count: usize,
    /// The number of the first value, and of the next key switch.
    first: u64,
    switches: u64,
    workspace: &'a mut Workspace<W>,
}

impl<W: Torus> Batch<'_, W> {
    fn range(&self, register: Register) -> std::ops::Range<usize> {
        let start = register.0 * self.workspace.batch * self.long;
        start..start + self.count * self.long
    }

    fn register_mut(&mut self, register: Register) -> &mut [W] {
        let range = self.range(register);
        &mut self.workspace.registers[range]
    }

    /// A target and a source, which are not the same.
    fn pair(&mut self, target: Register, source: Register) -> (&mut [W], &[W]) {
        let [target, source] = [self.range(target), self.range(source)];
        match self.workspace.registers.get_disjoint_mut([target, source]) {
            Ok([target, source]) => (target, source),
            Err(_) => unreachable!("a step reads and writes different registers"),
        }
    }

    fn multiply(&mut self, product: &Product) {
        let ranges = [product.target, product.left, product.right].map(|register| self.range(register));
        let Workspace { registers, scratch, .. } = &mut *self.workspace;
        let mut result = vec![0; self.long];
        for value in 0..self.count {
            let [target, left, right] =
                ranges.clone().map(|range| range.start + value * self.long..range.start + (value + 1) * self.long);
            let [left, right] = [left, right].map(|range| tops(&registers[range]));
            self.key.multiply_into(&mut result, &left, &right, product.modulus, scratch.scratch());
            let target = registers[target].iter_mut();
            target.zip(&result).for_each(|(x, &y)| *x = x.wrapping_add(W::from_top(y)));
        }
    }

    fn look_up(&mut self, look_up: &LookUp, tree: &TreeTable) {
        let (batch, long) = (self.workspace.batch, self.long);
        let range = |register: Register, value: usize| {
            let start = (register.0 * batch + value) * long;
            start..start + long
        };
        for value in 0..self.count {
            if self.workspace.cancel.is_cancelled() {
                return;
            }
            let sources = look_up.selectors.iter().flatten().map(|&register| range(register, value));
            let targets: Vec<_> = look_up.tables.iter().map(|&(target, _)| range(target, value)).collect();
            let Workspace { registers, scratch, lookups, .. } = &mut *self.workspace;
            let samples: Vec<Vec<u64>> = sources.map(|range| tops(&registers[range])).collect();
            let samples: Vec<&[u64]> = samples.iter().map(Vec::as_slice).collect();
            let (_, workspace) = lookups
                .iter_mut()
                .find(|(gadget, _)| *gadget == look_up.gadget)
                .expect("the workspace is that of the circuit");
            self.key.look_up(tree, &samples, workspace, scratch.scratch(), |number, result| {
                let target = registers[targets[number].clone()].iter_mut();
                target.zip(result).for_each(|(x, &y)| *x = x.wrapping_add(W::from_top(y)));
            });
        }
    }

    fn rotate(&mut self, group: &[(&Rotation, &Vectors)]) {
        let (key, long, count) = (self.key, self.long, self.count);
        let mut sources: Vec<Register> = Vec::new();
        for (rotation, _) in group {
            if !sources.contains(&rotation.source) {
                sources.push(rotation.source);
            }
        }
        let (stride, gadget) = (key.key_switch.stride(), key.params.key_switch_gadget());
        self.workspace.samples.resize(sources.len() * count * stride, 0);
        self.workspace.dithered.clear();
        for &source in &sources {
            let range = self.range(source);
            let Workspace { registers, values, dithered, .. } = &mut *self.workspace;
            let start = dithered.len();
            dithered.extend_from_slice(&registers[range]);
            let samples = dithered[start..].chunks_exact_mut(long);
            for ((sample, evaluation), value) in samples.zip(&*values).zip(self.first..) {
                keyswitch::dither(sample, gadget, evaluation.number(value, self.switches, sample));
            }
            self.switches += 1;
        }
        // All at once: the key is read for many of them.
        let Workspace { samples, dithered, .. } = &mut *self.workspace;
        key.switch_keys_into(samples, dithered);
        self.encrypt_tables(group);
        // The number of each rotation's source.
        let of: Vec<usize> =
            group.iter().map(|(rotation, _)| sources.iter().position(|&s| s == rotation.source).unwrap_or(0)).collect();
        let ranges: Vec<Vec<usize>> = group
            .iter()
            .map(|(rotation, _)| rotation.table.targets().into_iter().map(|target| self.range(target).start).collect())
            .collect();
        let Workspace { rings, scratch, registers, samples, sample, encrypted, .. } = &mut *self.workspace;
        let tables: Vec<usize> =
            (0..group.len()).map(|i| group[..i].iter().filter(|g| is_encrypted(g)).count()).collect();
        let encrypted_tables = group.iter().filter(|g| is_encrypted(g)).count();
        for (degree, rotation_workspace) in rings {
            let here: Vec<usize> = (0..group.len()).filter(|&i| group[i].0.ring(&key.params) == *degree).collect();
            if here.is_empty() {
                continue;
            }
            let mut jobs: Vec<Job<'_>> = Vec::with_capacity(count * here.len());
            for value in 0..count {
                for &i in &here {
                    let (rotation, vectors) = group[i];
                    let sample = of[i] * count + value;
                    jobs.push(Job {
                        sample: &samples[sample * stride..(sample + 1) * stride],
                        log2_factor: rotation.log2_factor,
                        offset: vectors.offset,
                        interleaved: rotation.table.interleaved() as u32,
                        table: match &vectors.plain {
                            Some(plain) if !is_encrypted(&group[i]) => JobTable::Plain(plain),
                            _ => JobTable::Encrypted(&encrypted[value * encrypted_tables + tables[i]]),
                        },
                    });
                }
            }
            let own = degree.map(|degree| own_ring(key, degree));
            let rotation_key = own.map_or(&key.rotation, |ring| &ring.rotation);
            rotation_key.rotate_all(&jobs, rotation_workspace, scratch.scratch(), |job, accumulator| {
                let (value, i) = (job / here.len(), here[job % here.len()]);
                let target = |t: usize| {
                    let start = ranges[i][t] + value * long;
                    start..start + long
                };
                if let Some(ring) = own {
                    ring.add_extracted(&mut registers[target(0)], accumulator);
                } else if let Table::Multi { .. } = group[i].0.table {
                    for (t, (terms, constant)) in group[i].1.columns.iter().enumerate() {
                        let target = &mut registers[target(t)];
                        for &(position, factor) in terms {
                            key.extract_extended_into(sample, accumulator, position);
                            lwe::add_mul_assign(target, sample, factor);
                        }
                        target[long - 1] = target[long - 1].wrapping_add(W::from_top(*constant));
                    }
                } else {
                    // Of interleaved tables each has its coefficient.
                    for t in 0..ranges[i].len() {
                        key.extract_extended_into(sample, accumulator, t);
                        lwe::add_assign(&mut registers[target(t)], sample);
                    }
                }
            });
        }
    }

    /// Packs the encrypted test vectors of a group.
    fn encrypt_tables(&mut self, group: &[(&Rotation, &Vectors)]) {
        let (key, long) = (self.key, self.long);
        self.workspace.encrypted.clear();
        for value in 0..self.count {
            for (rotation, vectors) in group {
                let batch = self.workspace.batch;
                let sample = |register: Register| {
                    let start = (register.0 * batch + value) * long;
                    start..start + long
                };
                let Workspace { registers, scratch, encrypted, .. } = &mut *self.workspace;
                match &rotation.table {
                    Table::Packed { blocks, .. } => {
                        let mut packed = AlignedVec::new(key.shape().words());
                        let blocks: Vec<Vec<u64>> = blocks
                            .iter()
                            .map(|&(register, sign)| {
                                let mut block = tops(&registers[sample(register)]);
                                if sign < 0 {
                                    lwe::mul_assign(&mut block, -1);
                                }
                                block
                            })
                            .collect();
                        let blocks: Vec<&[u64]> = blocks.iter().map(Vec::as_slice).collect();
                        key.pack_into(&mut packed, &blocks, scratch.scratch());
                        encrypted.push(EncryptedTestVector::shared(rotation.extension, key.shape(), packed));
                    }
                    Table::Selected { digits, .. } => {
                        let plain = vectors.plain.as_ref().expect("a selected table has a plain part");
                        let mut vector = EncryptedTestVector::trivial(plain, key.shape());
                        for ((register, _), factors) in digits.iter().zip(&vectors.factors) {
                            let source = tops(&registers[sample(*register)]);
                            key.add_selected(&mut vector, &source, factors, scratch.scratch());
                        }
                        encrypted.push(vector);
                    }
                    Table::Plain { .. }
                    | Table::Continuous { .. }
                    | Table::Multi { .. }
                    | Table::Interleaved { .. } => {}
                }
            }
        }
    }
}

fn is_encrypted(rotation: &(&Rotation, &Vectors)) -> bool {
    matches!(rotation.0.table, Table::Packed { .. } | Table::Selected { .. })
}
