//! Recursive decomposition of a full-domain table (recursive-decomposition paper, Algorithms 3 and 6, with one key and
//! extended bootstrapping).
//!
//! A table on Z_{2^m} is the sum of a negacyclic one, (f(i) − f(i + 2^{m−1}))/2, and a full-domain one on Z_{2^{m−1}},
//! (f(i) + f(i + 2^{m−1}))/2 (Lemma 1). After µ steps the rest goes to FDFB-Compress; after m steps it is a constant and
//! no full-domain bootstrap is left.
//!
//! Deviations: the decomposition is of the p messages, not of the 2^m positions, so it is exact (entries are multiples of
//! 2^(64−out_bits), µ ≤ 8 halvings leave integers) where the paper has a rounding error |e| ≤ µ; the factor ν of each
//! rotation is the least integer that its noise allows, not 2^k; the sample is switched to each modulus on its own; and
//! the compression table distinguishes the base table's messages only (see the page on the paper).
use super::boot::{half_step, top_rotation};
use super::compress;
use crate::algorithm::Algorithm;
use crate::circuit::{Circuit, RotationNode, Source};
use crate::eval::{PreparedTable, body_offset, step_vector};
use crate::{Lut, LutError};
use bootes_schemes::fhew::FhewParams;
use bootes_schemes::fhew::test_vector::TestVector;

/// How many negacyclic tables are split off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// The depth of least predicted cost.
    Best,
    /// All: the base is a constant, every rotation is independent.
    Full,
    /// µ, at least 1; at most the input bits.
    Fixed(u32),
}

/// Recursive table decomposition.
#[derive(Clone, Copy, Debug)]
pub struct Recursive {
    /// Decomposition depth µ.
    pub depth: Depth,
}

impl Algorithm for Recursive {
    fn name(&self) -> String {
        match self.depth {
            Depth::Best => "recursive".into(),
            Depth::Full => "recursive-full".into(),
            Depth::Fixed(depth) => format!("recursive-{depth}"),
        }
    }

    fn reference(&self) -> &'static str {
        "recursive-table-decomposition, Algorithms 3 and 6"
    }

    fn summary(&self) -> &'static str {
        match self.depth {
            Depth::Best => {
                "negacyclic rotations of halving size and a small compress; the depth of least cost; any table"
            }
            Depth::Full => "negacyclic rotations only, down to a constant: all independent; any table",
            Depth::Fixed(_) => {
                "negacyclic rotations of halving size and a small compress; the depth in the name; any table"
            }
        }
    }

    fn circuit(
        &self,
        params: &FhewParams,
        in_bits: u32,
        input_variance: f64,
        log2_p_fail: f64,
    ) -> Result<Circuit, LutError> {
        let at_depth = |depth| circuit_of_depth(in_bits, depth).fit(params, in_bits, input_variance, log2_p_fail);
        match self.depth {
            Depth::Full => at_depth(in_bits),
            Depth::Fixed(depth) if (1..=in_bits).contains(&depth) => at_depth(depth),
            Depth::Fixed(_) => Err(LutError::Unsupported {
                algorithm: self.name(),
                reason: format!("a table with {in_bits}-bit inputs can be split 1 to {in_bits} times"),
            }),
            Depth::Best => {
                let mut candidates: Vec<_> = (1..=in_bits).map(at_depth).collect();
                let cost = |c: &Result<Circuit, LutError>| c.as_ref().map_or(f64::INFINITY, |c| c.cost_ns(params));
                candidates.sort_by(|a, b| cost(a).total_cmp(&cost(b)));
                candidates.swap_remove(0)
            }
        }
    }

    fn prepare(&self, params: &FhewParams, lut: &Lut, circuit: &Circuit) -> PreparedTable {
        let mut table = PreparedTable {
            circuit: Circuit { rotations: Vec::new() },
            test_vectors: Vec::new(),
            constant: 0,
            out_bits: lut.out_bits(),
        };
        let mut push = |node: RotationNode, vector| {
            table.circuit.rotations.push(node);
            table.test_vectors.push(vector);
        };
        // Entries as integers: v·2^(64−out_bits), halved at most in_bits times.
        let mut current: Vec<i128> = lut.encoded().into_iter().map(i128::from).collect();
        for node in &circuit.rotations {
            let half = current.len() / 2;
            if node.source != Source::Input || !node.to_output {
                break;
            }
            let (low, high) = current.split_at(half);
            let negacyclic: Vec<u64> = low.iter().zip(high).map(|(a, b)| ((a - b) / 2) as u64).collect();
            if negacyclic.iter().any(|&v| v != 0) {
                let value = |j: usize| negacyclic[j];
                let vector = match node.ring(params) {
                    None => step_vector(params, node.extension, half, value),
                    Some(degree) => TestVector::new(1, degree, |x| value(x * half / degree)),
                };
                push(*node, (vector, body_offset(params, node.extension, half_step(current.len().ilog2()))));
            }
            current = low.iter().zip(high).map(|(a, b)| (a + b) / 2).collect();
        }
        let rest: Vec<u64> = current.iter().map(|&v| v as u64).collect();
        if rest.iter().all(|&v| v == rest[0]) {
            table.constant = rest[0];
        } else if let [.., first, second] = circuit.rotations[..] {
            let [compress, evaluate] = compress::test_vectors(params, &rest, &first, &second);
            let index = table.circuit.rotations.len();
            table.circuit.rotations.push(first);
            table.test_vectors.push(compress);
            table.circuit.rotations.push(RotationNode { source: Source::Rotation(index), ..second });
            table.test_vectors.push(evaluate);
        }
        table
    }
}

/// Level t is a negacyclic table over messages modulo 2^(in_bits − t), of the input times 2^t.
fn circuit_of_depth(in_bits: u32, depth: u32) -> Circuit {
    let mut rotations: Vec<RotationNode> =
        (0..depth).map(|t| RotationNode { log2_factor: t, ..top_rotation(in_bits - t) }).collect();
    if depth < in_bits {
        rotations.extend(compress::rotations(rotations.len(), depth, in_bits - depth));
    }
    Circuit { rotations }
}
