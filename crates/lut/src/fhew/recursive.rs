//! Recursive decomposition of a full-domain table (recursive-decomposition paper, Algorithms 3 and 6, with one key and
//! extended bootstrapping).
//!
//! A table on Z_p, p even, is the sum of a negacyclic one, (f(i) − f(i + p/2))/2, and a full-domain one on Z_{p/2},
//! (f(i) + f(i + p/2))/2 (Lemma 1). After µ steps the rest goes to FDFB-Compress; where p = 2^m, it is a constant after m
//! steps, and no full-domain bootstrap is left. An odd modulus r needs none either: in Z_{2r} the messages 2i of f fill
//! every other place, and negacyclicity fills the places between (Bon, Pointcheval, Rivain 2024).
//!
//! Deviations: the decomposition is of the p messages, not of the 2^m positions, so it is exact (for p' = 2^k, µ ≤ 8
//! halvings of multiples of 2^(64−k) leave integers) where the paper has a rounding error |e| ≤ µ; the factor ν of each
//! rotation is the least integer that its noise allows, not 2^k; the sample is switched to each modulus on its own; and
//! the compression table distinguishes the base table's messages only (see the page on the paper).
use super::compress::compress;
use crate::fhew::algorithm::Algorithm;
use crate::fhew::circuit::Circuit;
use crate::{FhewLutError, Lut, LutError};
use bootes_schemes::fhew::FhewParams;

/// How many negacyclic tables are split off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// The depth of least predicted cost.
    Best,
    /// All: the base is a constant (or has an odd modulus), every rotation is independent.
    Full,
    /// µ, at least 1; at most as often as 2 divides p.
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

    fn circuit(&self, lut: &Lut) -> Result<Circuit, LutError> {
        let largest = lut.in_modulus().trailing_zeros();
        let depth = match self.depth {
            Depth::Full => largest,
            Depth::Best => 1.min(largest),
            Depth::Fixed(depth) if (1..=largest).contains(&depth) => depth,
            Depth::Fixed(depth) => {
                return Err(FhewLutError::Unsupported {
                    algorithm: self.name(),
                    reason: format!(
                        "it has {} entries, and a depth of {depth} takes a number of them divisible by 2^{depth}; take \
                         recursive, which is as deep as the table allows",
                        lut.in_modulus()
                    ),
                }
                .into());
            }
        };
        Ok(circuit_of_depth(lut, depth))
    }

    fn fit(&self, params: &FhewParams, lut: &Lut, input_variance: f64, log2_p_fail: f64) -> Result<Circuit, LutError> {
        if self.depth != Depth::Best {
            return self.circuit(lut)?.simplified().fit(params, input_variance, log2_p_fail);
        }
        cheapest(params, lut, |depth| {
            circuit_of_depth(lut, depth).simplified().fit(params, input_variance, log2_p_fail)
        })
    }
}

/// The cheapest of the circuits `at_depth`, over all depths.
pub(super) fn cheapest(
    params: &FhewParams,
    lut: &Lut,
    at_depth: impl Fn(u32) -> Result<Circuit, LutError>,
) -> Result<Circuit, LutError> {
    let largest = lut.in_modulus().trailing_zeros();
    let mut candidates: Vec<_> = (1.min(largest)..=largest).map(at_depth).collect();
    let cost = |c: &Result<Circuit, LutError>| c.as_ref().map_or(f64::INFINITY, |c| c.cost_ns(params));
    candidates.sort_by(|a, b| cost(a).total_cmp(&cost(b)));
    candidates.swap_remove(0)
}

/// Level t is a negacyclic table over messages modulo p/2^t, of the input times 2^t.
fn circuit_of_depth(lut: &Lut, depth: u32) -> Circuit {
    let mut circuit = Circuit::new(1);
    let (input, output) = (circuit.input(0), circuit.output(lut.out_modulus()));
    // Entries as integers: v·2^64/p'.
    let mut current: Vec<i128> = lut.encoded().into_iter().map(i128::from).collect();
    for level in 0..depth {
        let (low, high) = current.split_at(current.len() / 2);
        let negacyclic = low.iter().zip(high).map(|(a, b)| ((a - b) / 2) as u64).collect();
        circuit.rotate_plain(input, output, negacyclic).log2_factor = level;
        current = low.iter().zip(high).map(|(a, b)| (a + b) / 2).collect();
    }
    let rest: Vec<u64> = current.iter().map(|&v| v as u64).collect();
    if rest.iter().all(|&v| v == rest[0]) {
        circuit.add_constant(output, rest[0]);
    } else if rest.len() % 2 == 1 {
        // Message i sits at 2i of 2r half steps.
        let r = rest.len();
        let value = |j: usize| if j.is_multiple_of(2) { rest[j / 2] } else { rest[(j + r) / 2].wrapping_neg() };
        circuit.rotate_plain(input, output, (0..r).map(value).collect()).log2_factor = depth;
    } else {
        let (low, high) = rest.split_at(rest.len() / 2);
        compress(&mut circuit, input, output, depth, low, high);
    }
    circuit
}
