//! Evaluating a circuit on a batch of ciphertexts.
use crate::circuit::{Circuit, Source};
use bootes_lattice::lwe;
use bootes_ring::mem::ScratchBuffer;
use bootes_schemes::fhew::FhewParams;
use bootes_schemes::fhew::evaluator::{self, Job};
use bootes_schemes::fhew::keys::{PreparedEvaluationKey, RingKey};
use bootes_schemes::fhew::test_vector::TestVector;

/// A table ready for evaluation: a circuit and a test vector a rotation.
#[derive(Clone, Debug)]
pub struct PreparedTable {
    /// The rotations.
    pub circuit: Circuit,
    /// Their tables, and what is added to b first (fraction of 2^32).
    pub test_vectors: Vec<(TestVector, u32)>,
    /// Added to every output.
    pub constant: u64,
    /// Output bits.
    pub out_bits: u32,
}

/// The test vector of a table of steps: `value(j)` on the j-th of `steps` equal parts of the half circle.
///
/// Phases in [j, j+1)/(2·steps) fall on its positions when the body is shifted by `half_position` less.
pub fn step_vector(params: &FhewParams, extension: usize, steps: usize, value: impl Fn(usize) -> u64) -> TestVector {
    let degree = params.shape().degree;
    let length = extension * degree;
    TestVector::new(extension, degree, |x| value(x * steps / length))
}

/// The shift of b (fraction of 2^32) that moves the middle of a window to the middle of its positions: `window_shift` of
/// the torus to start the window at its first position, less half a position 1/(4νN').
pub fn body_offset(params: &FhewParams, extension: usize, window_shift: f64) -> u32 {
    let half_position = 0.25 / (extension * params.shape().degree) as f64;
    ((window_shift - half_position) * 2f64.powi(32)).round() as i64 as u32
}

/// Buffers of [`eval_into`], reused from batch to batch.
#[derive(Debug)]
pub struct Workspace {
    /// The base ring first.
    rings: Vec<RingWorkspace>,
    scratch: ScratchBuffer,
    intermediate: Vec<u64>,
}

/// What a ring's rotations need: their buffers, and the sum of their results for each value.
#[derive(Debug)]
struct RingWorkspace {
    /// Degree of an own ring, `None` for the base ring.
    degree: Option<usize>,
    rotation: evaluator::Workspace,
    sums: Vec<u64>,
}

impl Workspace {
    /// For batches of at most `batch` ciphertexts through `circuit`.
    ///
    /// # Panics
    /// If `key` lacks a ring of the circuit ([`Circuit::rings`]).
    pub fn new(key: &PreparedEvaluationKey, circuit: &Circuit, batch: usize) -> Self {
        let base = (None, &key.rotation, circuit.max_extension());
        let own =
            circuit.rings(&key.params).into_iter().map(|degree| (Some(degree), &own_ring(key, degree).rotation, 1));
        let (mut rings, mut scratch_bytes) = (Vec::new(), 0);
        for (degree, rotation, extension) in std::iter::once(base).chain(own) {
            scratch_bytes = scratch_bytes.max(rotation.rotate_scratch_bytes(extension));
            let sums = vec![0; batch * rotation.shape().words()];
            rings.push(RingWorkspace { degree, rotation: rotation.workspace(extension), sums });
        }
        Self {
            rings,
            scratch: ScratchBuffer::new(scratch_bytes),
            intermediate: vec![0; batch * (key.shape().lwe_dimension() + 1)],
        }
    }
}

fn own_ring(key: &PreparedEvaluationKey, degree: usize) -> &RingKey {
    key.ring(degree).expect("the planner checked that the ring keys are there")
}

/// Evaluates `table` on `inputs`; `out` gets one ciphertext of k·N' + 1 words an input.
///
/// All rotations of one source in one ring are made together, so that each block of the key is read for many of them; the
/// results in a ring are summed as GLWE ciphertexts and extracted once (recursive-decomposition paper, Algorithm 6).
pub fn eval_into(
    out: &mut [u64],
    table: &PreparedTable,
    inputs: &[&[u64]],
    key: &PreparedEvaluationKey,
    workspace: &mut Workspace,
) {
    let long = key.shape().lwe_dimension() + 1;
    assert_eq!(out.len(), inputs.len() * long, "one output ciphertext an input");
    let Workspace { rings, scratch, intermediate } = workspace;
    rings.iter_mut().for_each(|ring| ring.sums.fill(0));
    let nodes = &table.circuit.rotations;
    // Group the rotations by source, in order.
    let mut sources: Vec<Source> = Vec::new();
    for node in nodes {
        if !sources.contains(&node.source) {
            sources.push(node.source);
        }
    }
    for source in sources {
        let samples = match source {
            Source::Input => key.switch_keys(inputs),
            Source::Rotation(_) => {
                key.switch_keys(&intermediate.chunks_exact(long).take(inputs.len()).collect::<Vec<_>>())
            }
        };
        for RingWorkspace { degree, rotation, sums } in &mut *rings {
            let here = |i: &usize| nodes[*i].source == source && nodes[*i].ring(&key.params) == *degree;
            let group: Vec<usize> = (0..nodes.len()).filter(here).collect();
            let jobs: Vec<Job<'_>> = samples
                .chunks_exact(key.key_switch.stride())
                .flat_map(|sample| {
                    group.iter().map(move |&i| {
                        let (test_vector, offset) = &table.test_vectors[i];
                        Job { sample, log2_factor: nodes[i].log2_factor, offset: *offset, test_vector }
                    })
                })
                .collect();
            let rotation_key = degree.map_or(&key.rotation, |degree| &own_ring(key, degree).rotation);
            let words = rotation_key.shape().words();
            rotation_key.rotate_all(&jobs, rotation, scratch.scratch(), |job, glwe| {
                let (value, node) = (job / group.len(), group[job % group.len()]);
                if nodes[node].to_output {
                    lwe::add_assign(&mut sums[value * words..(value + 1) * words], glwe);
                } else {
                    key.extract_into(&mut intermediate[value * long..(value + 1) * long], glwe);
                }
            });
        }
    }
    for RingWorkspace { degree, sums, .. } in rings {
        if let Some(degree) = *degree {
            own_ring(key, degree).add_extracted(out, sums);
            continue;
        }
        for (out, sum) in out.chunks_exact_mut(long).zip(sums.chunks_exact(key.shape().words())) {
            key.extract_into(out, sum);
            out[long - 1] = out[long - 1].wrapping_add(table.constant);
        }
    }
}
