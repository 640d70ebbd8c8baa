//! The automorphisms X ↦ X^g on values.
//!
//! P(X^g) has at ψ^e the value of P at ψ^(eg). With M = N/64, the 64 values of a leaf are those at the exponents e =
//! 2(r + M·j) + 1, j < 64, for an r of the leaf, and with (2r + 1)·g = 2(r' + M·c) + 1 modulo 2N, eg = 2(r' + M·(c +
//! g·j)) + 1: leaves come from leaves, and in them j from c + g·j modulo 64. Lanes are the lower digits of j in base 8
//! and rows the higher ones; so, for the lower digit of c, the lanes are permuted alike in all rows, and a lane's rows,
//! taken in steps of g, are turned by a number that depends on the lane alone. Without AVX-512 a table for each c says
//! where each value of a leaf comes from.

use super::position;
use super::tables::{LANE_NODES, LEAF};
use crate::isa::Isa;
use crate::simd::{self, Kernel, LANES, Shuffle, Simd};
use crate::tally::{self, Operation};

/// X ↦ X^g of Z\[X\]/(X^N + 1), g odd, as a permutation of values, the same for all primes.
#[derive(Debug, Clone)]
pub struct Automorphism {
    degree: usize,
    exponent: usize,
    /// Where each leaf comes from, 64 times its number, plus c; below degree 64, where each value comes from.
    sources: Vec<u32>,
    /// For each lower digit of c.
    shuffles: [Shuffle; LANES],
    /// For each c, where in a leaf each value comes from: for processors without such shuffles.
    places: Vec<[u8; LEAF]>,
    isa: Isa,
}

impl Automorphism {
    /// X ↦ X^g for degree N = `degree`, g = `exponent` modulo 2N, on the selected instruction set, [`Isa::selected`].
    ///
    /// # Panics
    /// If N is not a power of two up to 2^31, or g is even.
    #[must_use]
    pub fn new(degree: usize, exponent: usize) -> Self {
        Self::on(Isa::selected(), degree, exponent)
    }

    /// [`Automorphism::new`] on `isa`, lowered to what the processor has.
    ///
    /// # Panics
    /// As [`Automorphism::new`].
    #[must_use]
    pub fn on(isa: Isa, degree: usize, exponent: usize) -> Self {
        assert!(degree.is_power_of_two() && degree <= 1 << 31, "degree {degree} is not a power of two up to 2^31");
        assert!(exponent % 2 == 1, "X -> X^{exponent} is no automorphism: the exponent must be odd");
        let g = exponent % (2 * degree);
        let source = |to: usize| position(degree, super::exponent(degree, to).wrapping_mul(g));
        let leaf = |first: usize| source(first) / LEAF * LEAF + index(source(first) % LEAF);
        let sources = match degree < LEAF {
            true => (0..degree).map(|to| source(to) as u32).collect(),
            false => (0..degree).step_by(LEAF).map(|first| leaf(first) as u32).collect(),
        };
        let place = |c: usize, to: usize| position(LEAF, 2 * (c + g * index(to)) + 1) as u8;
        let places = (0..LEAF).map(|c| std::array::from_fn(|to| place(c, to))).collect();
        Self { degree, exponent: g, sources, shuffles: std::array::from_fn(|c| shuffle(g, c)), places, isa }
    }

    /// The degree N.
    #[must_use]
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// g, 0 < g < 2N.
    #[must_use]
    pub fn exponent(&self) -> usize {
        self.exponent
    }

    /// `out` = the values of P(X^g), for `input` the values of P.
    ///
    /// # Panics
    /// If a length is not N.
    pub fn apply_into(&self, out: &mut [f64], input: &[f64]) {
        let degree = self.degree;
        tally::count(Operation::Pass, degree);
        assert!(out.len() == degree && input.len() == degree, "slices of N = {degree} values");
        if degree < LEAF {
            out.iter_mut().zip(&self.sources).for_each(|(out, &source)| *out = input[source as usize]);
        } else {
            let (out, input) = (out.as_chunks_mut().0.as_chunks_mut().0, input.as_chunks().0.as_chunks().0);
            simd::run(self.isa, Apply { automorphism: self, out, input });
        }
    }
}

/// The row of a digit, and the digit of a row: three bits reversed.
const ROWS: [usize; LANES] = [0, 4, 2, 6, 1, 5, 3, 7];

/// The digit of a lane.
fn digit(lane: usize) -> usize {
    ROWS[LANE_NODES[lane]]
}

/// j of the value at `position` of a leaf.
fn index(position: usize) -> usize {
    digit(position % LANES) + LANES * ROWS[position / LANES]
}

/// Where the lanes of a leaf come from, for the lower digit `c`: output row h has in lane l row h + u of the input's
/// rows in steps of g.
fn shuffle(g: usize, c: usize) -> Shuffle {
    let source = |lane| c + g % LANES * digit(lane);
    let lane_of = |d: usize| (0..LANES).find(|&lane| digit(lane) == d % LANES).expect("each digit has a lane");
    // g is its own inverse modulo 8.
    let turn = |lane: usize| (c + g % LEAF * digit(lane)) / LANES * g;
    let mask = |bit: usize| (0..LANES).map(|lane| (turn(lane) >> bit & 1) << lane).sum::<usize>() as u8;
    Shuffle { lanes: std::array::from_fn(|lane| lane_of(source(lane)) as u64), turns: std::array::from_fn(mask) }
}

struct Apply<'a> {
    automorphism: &'a Automorphism,
    out: &'a mut [[[f64; LANES]; LANES]],
    input: &'a [[[f64; LANES]; LANES]],
}

// Plain loops: calls of iterators may be compiled apart, without the instruction set.
impl Kernel for Apply<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { automorphism: Automorphism { exponent: g, sources, shuffles, places, .. }, out, input } = self;
        for i in 0..out.len() {
            let (leaf, c) = (sources[i] as usize / LEAF, sources[i] as usize % LEAF);
            // The input's rows in steps of g, and where each goes.
            let mut rows = [0; LANES];
            for h in 0..LANES {
                rows[h] = ROWS[(c / LANES + g * h) % LANES];
            }
            if !s.shuffle(&mut out[i], &input[leaf], &shuffles[c % LANES], &rows, &ROWS) {
                let (out, input) = (out[i].as_flattened_mut(), input[leaf].as_flattened());
                for (out, &place) in out.iter_mut().zip(&places[c]) {
                    *out = input[usize::from(place) % LEAF];
                }
            }
        }
    }
}
