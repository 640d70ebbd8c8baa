//! The negacyclic number-theoretic transform of Z_p\[X\]/(X^N + 1), p ≡ 1 modulo 2N a prime below 2^50.
//!
//! A polynomial P of degree below N is known from its values at the N roots of X^N + 1: ψ^e with ψ a primitive 2N-th
//! root of unity and e odd. Coefficients and values are balanced residues, |x| ≤ (p − 1)/2, in `f64`; zero may have
//! either sign. The order of the values depends on N only and is given by [`exponent`].
//!
//! Results are exact, hence the same on all instruction sets, and if no input is −0, down to the sign of zero.

mod automorphism;
#[expect(clippy::needless_range_loop, reason = "closures would not inherit the instruction set")]
mod butterfly;
#[expect(clippy::needless_range_loop, reason = "closures would not inherit the instruction set")]
mod matrix;
mod pointwise;
mod small;
mod tables;
#[expect(clippy::needless_range_loop, reason = "closures would not inherit the instruction set")]
mod transform;
mod words;

pub use automorphism::Automorphism;
pub use pointwise::PackedLimb;

use std::alloc::{Layout, handle_alloc_error};
use std::fmt;
use std::sync::OnceLock;

use matrix::{Cut, MatrixProduct, WordProduct};
use pointwise::{
    AddAssign, AddConstant, AddMulFactor, Balance, MulAssign, MulFactor, RsubMulFactor, Runs, SumOfProducts, Unpack,
    Values,
};
use tables::{LANE_NODES, LEAF, Tables, reverse};
use transform::{Backward, Forward};

use crate::error::RingError;
use crate::isa::Isa;
use crate::mem::AlignedVec;
use crate::modulus::{Factor, Modulus};
use crate::simd::{self, LANES};
use crate::tally::{self, Operation};

/// The transforms for one degree N and one prime: tables of roots of unity, which the first transform makes.
///
/// All slices have length N; other lengths panic.
pub struct Ntt {
    degree: usize,
    modulus: Modulus,
    isa: Isa,
    /// Whether they run on words of 52 bits.
    words: bool,
    tables: OnceLock<Engine>,
}

/// What the transforms run on: results are the same.
enum Engine {
    /// `f64`.
    Float(Tables<f64>),
    /// Words of 52 bits.
    Words(Tables<u64>),
}

impl Ntt {
    /// The smallest degree.
    pub const MIN_DEGREE: usize = 1 << 4;
    /// The largest degree.
    pub const MAX_DEGREE: usize = 1 << 17;
    /// How many vectors of 8 values in a row are equal for a polynomial of X^8, if N ≥ 64: the 8th powers of their
    /// roots are.
    pub const RUN: usize = 8;

    /// A plan for degree N = `degree` modulo p = `modulus` on the selected instruction set, [`Isa::selected`].
    ///
    /// # Errors
    /// [`RingError::Degree`] unless N is a power of two in 2^4..=2^17; [`RingError::RootOrder`] unless p ≡ 1 modulo 2N.
    pub fn new(degree: usize, modulus: Modulus) -> Result<Self, RingError> {
        Self::with_isa(degree, modulus, Isa::selected())
    }

    /// A plan for degree N = `degree` modulo p = `modulus` on the instruction set `isa`.
    ///
    /// # Errors
    /// As [`Ntt::new`], and [`RingError::Isa`] if the processor lacks `isa`.
    pub fn with_isa(degree: usize, modulus: Modulus, isa: Isa) -> Result<Self, RingError> {
        let (min, max) = (Self::MIN_DEGREE, Self::MAX_DEGREE);
        if !degree.is_power_of_two() || degree < min || degree > max {
            return Err(RingError::Degree { found: degree, min, max });
        }
        let isa = isa.available()?;
        Self::with_engine(degree, modulus, isa, isa == Isa::Avx512 && simd::has_words())
    }

    fn with_engine(degree: usize, modulus: Modulus, isa: Isa, words: bool) -> Result<Self, RingError> {
        modulus.primitive_root(2 * degree as u64)?;
        Ok(Self { degree, modulus, isa, words: words && words::fit(degree), tables: OnceLock::new() })
    }

    /// Makes the tables, if they are not there yet: some ten bytes a coefficient.
    ///
    /// # Errors
    /// [`RingError::Allocation`]: a transform that makes them has no other way out than to abort.
    pub fn prepare(&self) -> Result<(), RingError> {
        if self.tables.get().is_none() {
            let Self { degree, modulus, isa, .. } = *self;
            let tables = match self.words {
                true => Engine::Words(Tables::new(degree, modulus, isa)?),
                false => Engine::Float(Tables::new(degree, modulus, isa)?),
            };
            // Another thread may have been faster.
            let _ = self.tables.set(tables);
        }
        Ok(())
    }

    fn tables(&self) -> &Engine {
        self.tables.get().unwrap_or_else(|| match self.prepare() {
            Ok(()) => self.tables.get().unwrap_or_else(|| unreachable!("they were made")),
            Err(_) => handle_alloc_error(Layout::new::<[f64; LEAF]>()),
        })
    }

    /// The degree N.
    #[must_use]
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// The prime p.
    #[must_use]
    pub fn modulus(&self) -> Modulus {
        self.modulus
    }

    /// i = ψ^(N/2), balanced, with i² = −1 modulo p: for N ≥ 128 the first N/2 values of X^(N/2) are i, the others −i.
    #[must_use]
    pub fn imaginary_unit(&self) -> f64 {
        match self.tables() {
            Engine::Float(tables) => tables.root,
            Engine::Words(tables) => tables.root,
        }
    }

    /// Whether the cost model counts transforms as on words of 52 bits: three multiplications a butterfly instead of
    /// four, and no reduction between passes. Near 2^50 they run on words, too, but reduce more, and count as of `f64`.
    #[must_use]
    pub fn on_words(&self) -> bool {
        self.words && self.modulus().bits() <= 47
    }

    /// The instruction set in use.
    #[must_use]
    pub fn isa(&self) -> Isa {
        self.isa
    }

    /// `data` ← the values of the polynomial with coefficients `data`, integers |x| ≤ 2p; the values are balanced.
    pub fn forward(&self, data: &mut [f64]) {
        self.count_transform();
        self.check(&[data.len()]);
        let data = data.as_chunks_mut().0;
        match self.tables() {
            Engine::Float(tables) => simd::run(self.isa, Forward { tables, data }),
            Engine::Words(tables) => simd::run_words(self.isa, words::Forward { tables, data }),
        }
    }

    /// `data` ← the coefficients of the polynomial with values `data`, integers |x| ≤ p; the coefficients are balanced.
    pub fn backward(&self, data: &mut [f64]) {
        self.count_transform();
        self.check(&[data.len()]);
        let data = data.as_chunks_mut().0;
        match self.tables() {
            Engine::Float(tables) => simd::run(self.isa, Backward { tables, data }),
            Engine::Words(tables) => simd::run_words(self.isa, words::Backward { tables, data }),
        }
    }

    /// `a` ← `a` + `b` for balanced residues.
    pub fn add_assign(&self, a: &mut [f64], b: &[f64]) {
        tally::count(Operation::Pass, a.len());
        self.check(&[a.len(), b.len()]);
        simd::run(self.isa, AddAssign::<false> { p: self.modulus(), a: a.as_chunks_mut().0, b: b.as_chunks().0 });
    }

    /// `a` ← `a` − `b` for balanced residues.
    pub fn sub_assign(&self, a: &mut [f64], b: &[f64]) {
        tally::count(Operation::Pass, a.len());
        self.check(&[a.len(), b.len()]);
        simd::run(self.isa, AddAssign::<true> { p: self.modulus(), a: a.as_chunks_mut().0, b: b.as_chunks().0 });
    }

    /// `a` ← `a`·`b`, value by value, for balanced residues.
    pub fn mul_assign(&self, a: &mut [f64], b: &[f64]) {
        tally::count(Operation::Pass, a.len());
        self.check(&[a.len(), b.len()]);
        simd::run(self.isa, MulAssign { p: self.modulus(), a: a.as_chunks_mut().0, b: b.as_chunks().0 });
    }

    /// `a` ← w·`a` for integers |a| < 2^52; the result is balanced. A slice of any length that is a multiple of 8.
    pub fn mul_factor_assign(&self, a: &mut [f64], w: Factor) {
        tally::count(Operation::Pass, a.len());
        assert!(a.len().is_multiple_of(LANES), "whole vectors");
        simd::run(self.isa, MulFactor { p: self.modulus(), a: a.as_chunks_mut().0, w });
    }

    /// `a` ← `a` + w·`b` for balanced residues.
    pub fn add_mul_factor_assign(&self, a: &mut [f64], b: &[f64], w: Factor) {
        tally::count(Operation::Pass, a.len());
        self.check(&[a.len(), b.len()]);
        simd::run(self.isa, AddMulFactor { p: self.modulus(), a: a.as_chunks_mut().0, b: b.as_chunks().0, w });
    }

    /// `a` ← w·(`b` − `a`) for integers |b − a| < 2^52; the result is balanced. The end of a division by a part of the
    /// modulus.
    pub fn rsub_mul_factor_assign(&self, a: &mut [f64], b: &[f64], w: Factor) {
        tally::count(Operation::Pass, a.len());
        self.check(&[a.len(), b.len()]);
        simd::run(self.isa, RsubMulFactor { p: self.modulus(), a: a.as_chunks_mut().0, b: b.as_chunks().0, w });
    }

    /// `out` = Σ_i a_i·b_i, value by value, for balanced residues: slices of one length, a multiple of 8, whole
    /// polynomials or parts of them.
    pub fn sum_of_products_into(&self, out: &mut [f64], terms: &[(&[f64], &[f64])]) {
        tally::count(Operation::Product, out.len() * terms.len());
        self.sum_of::<_, _, false>(out, terms);
    }

    /// `out` ← `out` + Σ_i a_i·b_i, value by value, for balanced residues. Slices as of [`Ntt::sum_of_products_into`].
    pub fn add_products_assign(&self, out: &mut [f64], terms: &[(&[f64], &[f64])]) {
        tally::count(Operation::Product, out.len() * terms.len());
        self.sum_of::<_, _, true>(out, terms);
    }

    /// `out` = Σ_i a_i·b_i, value by value, for balanced residues, the b_i packed. Slices as of
    /// [`Ntt::sum_of_products_into`].
    pub fn sum_of_packed_products_into(&self, out: &mut [f64], terms: &[(&[f64], PackedLimb<'_>)]) {
        tally::count(Operation::Key, out.len() * terms.len());
        self.sum_of::<_, _, false>(out, terms);
    }

    /// `out` = Σ_i a_i·b_i where the a_i are polynomials of X^8 and hold the first vector of each run only
    /// ([`run_position`]), so that they are an eighth as long as `out` and the b_i; these are of one length, a multiple
    /// of 64.
    pub fn sum_of_run_products_into(&self, out: &mut [f64], terms: &[(&[f64], &[f64])]) {
        tally::count(Operation::Product, out.len() * terms.len());
        assert!(out.len().is_multiple_of(LANES * Self::RUN), "whole runs");
        let terms: Vec<_> = terms.iter().map(|&(a, b)| (Runs(a), b)).collect();
        self.sum_of::<_, _, false>(out, &terms);
    }

    /// `out` = Σ_i c_i·x_i for balanced residues. Slices as of [`Ntt::sum_of_products_into`].
    pub fn linear_combination_into(&self, out: &mut [f64], terms: &[(f64, &[f64])]) {
        let operation = if terms.len() > 1 { Operation::Product } else { Operation::Pass };
        tally::count(operation, out.len() * terms.len());
        self.sum_of::<_, _, false>(out, terms);
    }

    /// The most that the absolute values of 64 entries in a row of [`Ntt::matrix_product_into`] may come to.
    pub const MAX_ROW_SUM: f64 = (1u64 << 43) as f64;

    /// Whether the entries of a matrix are within [`Ntt::MAX_ROW_SUM`].
    #[must_use]
    pub fn multiplies(rows: &[&[f64]]) -> bool {
        let sum = |entries: &[f64]| entries.iter().map(|c| c.abs()).sum::<f64>();
        rows.iter().flat_map(|row| row.chunks(64)).all(|entries| sum(entries) <= Self::MAX_ROW_SUM)
    }

    /// `out`\[a\] = Σ_b `rows`\[a\]\[b\]·`columns`\[b\] for a matrix of integers and balanced residues.
    ///
    /// Slices of one length, a multiple of 8; as many rows as results, each with an entry for each column. Two
    /// fused operations a residue and row, where 64 entries come to at most 2^(53−w), w half the bits of p; three
    /// to five otherwise.
    ///
    /// # Panics
    /// Other numbers and lengths, entries that are no integers, or beyond [`Ntt::MAX_ROW_SUM`].
    pub fn matrix_product_into(&self, out: &mut [&mut [f64]], rows: &[&[f64]], columns: &[&[f64]]) {
        let len = columns.first().map_or(0, |column| column.len());
        let equal = columns.iter().all(|x| x.len() == len) && out.iter().all(|x| x.len() == len);
        assert!(len > 0 && len.is_multiple_of(LANES) && equal, "slices of one length");
        assert!(out.len() == rows.len() && rows.iter().all(|row| row.len() == columns.len()), "rows of a matrix");
        tally::count(Operation::Matrix, out.len() * columns.len() * len);
        assert!(rows.iter().copied().flatten().all(|c| c.fract() == 0.0), "a matrix of integers");
        if rows.is_empty() {
            return;
        }
        let columns: Vec<_> = columns.iter().map(|x| x.as_chunks().0).collect();
        let mut out: Vec<_> = out.iter_mut().map(|x| x.as_chunks_mut().0).collect();
        let (p, out, columns) = (self.modulus(), out.as_mut_slice(), columns.as_slice());
        let cut = Cut::new(p.bits(), rows).expect("entries of a row are within `MAX_ROW_SUM`");
        if self.isa == Isa::Avx512 && simd::has_words() {
            return simd::run_words(self.isa, WordProduct::new(p, out, rows, columns));
        }
        let mut panel = AlignedVec::<f64>::new(matrix::panel(cut.digits));
        let vectors = panel.as_chunks_mut().0;
        match cut.digits {
            2 => {
                let panel = vectors.as_chunks_mut().0;
                simd::run(self.isa, MatrixProduct::<2> { p, cut, out, rows, columns, panel });
            }
            3 => {
                let panel = vectors.as_chunks_mut().0;
                simd::run(self.isa, MatrixProduct::<3> { p, cut, out, rows, columns, panel });
            }
            4 => {
                let panel = vectors.as_chunks_mut().0;
                simd::run(self.isa, MatrixProduct::<4> { p, cut, out, rows, columns, panel });
            }
            _ => {
                let panel = vectors.as_chunks_mut().0;
                simd::run(self.isa, MatrixProduct::<5> { p, cut, out, rows, columns, panel });
            }
        }
    }

    /// Two fused operations and two additions a term, and one reduction for eight terms.
    fn sum_of<A: Values, B: Values, const ADD: bool>(&self, out: &mut [f64], terms: &[(A, B)]) {
        let len = out.len();
        let equal = terms.iter().all(|(a, b)| a.are(len) && b.are(len));
        assert!(len.is_multiple_of(LANES) && equal, "slices of one length");
        simd::run(self.isa, SumOfProducts::<_, _, ADD> { p: self.modulus(), out: out.as_chunks_mut().0, terms });
    }

    /// `out` = the residues packed in `x`; a slice of the same length, a multiple of 8.
    pub fn unpack_into(&self, out: &mut [f64], x: PackedLimb<'_>) {
        assert!(out.len().is_multiple_of(LANES) && x.are(out.len()), "slices of one length");
        simd::run(self.isa, Unpack { bits: self.modulus().bits(), out: out.as_chunks_mut().0, x });
    }

    /// `a` ← `a` + c for balanced residues; a slice of any length that is a multiple of 8.
    pub fn add_constant_assign(&self, a: &mut [f64], c: f64) {
        tally::count(Operation::Pass, a.len());
        assert!(a.len().is_multiple_of(LANES), "whole vectors");
        simd::run(self.isa, AddConstant { p: self.modulus(), a: a.as_chunks_mut().0, c });
    }

    /// `out` = `x` modulo p, balanced, for integers |x| < 2^52; slices of any length that is a multiple of 8.
    pub fn balance_into(&self, out: &mut [f64], x: &[f64]) {
        tally::count(Operation::Pass, out.len());
        assert!(out.len().is_multiple_of(LANES) && x.len() == out.len(), "slices of one length");
        simd::run(self.isa, Balance { p: self.modulus(), out: out.as_chunks_mut().0, x: x.as_chunks().0 });
    }

    fn count_transform(&self) {
        let operation = if self.on_words() { Operation::Words } else { Operation::Transform };
        tally::count(operation, self.degree * self.degree.ilog2() as usize);
    }

    #[inline]
    fn check(&self, lengths: &[usize]) {
        let degree = self.degree();
        assert!(lengths.iter().all(|&len| len == degree), "lengths {lengths:?} are not all N = {degree}");
    }
}

impl fmt::Debug for Ntt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ntt(degree {}, modulus {}, {})", self.degree(), self.modulus(), self.isa)
    }
}

/// The odd exponent e < 2N such that value `position` of degree N is P(ψ^e).
///
/// # Panics
/// Unless `degree` is a power of two and `position` < `degree`.
#[must_use]
pub fn exponent(degree: usize, position: usize) -> usize {
    assert!(degree.is_power_of_two() && position < degree, "position {position} of degree {degree}");
    let node = if degree < LEAF {
        position
    } else {
        position / LEAF * LEAF + LANE_NODES[position % LANES] * LANES + position % LEAF / LANES
    };
    2 * reverse(node, degree.ilog2()) + 1
}

/// The position of the value P(ψ^e), e = `exponent` modulo 2N: the inverse of [`exponent`].
///
/// # Panics
/// Unless `degree` is a power of two and `exponent` is odd.
#[must_use]
pub fn position(degree: usize, exponent: usize) -> usize {
    assert!(degree.is_power_of_two() && exponent % 2 == 1, "exponent {exponent} of degree {degree}");
    let node = reverse(exponent % (2 * degree) / 2, degree.ilog2());
    if degree < LEAF {
        return node;
    }
    let lane = |node: usize| if node < LANES / 2 { 2 * node } else { 2 * (LANES - 1 - node) + 1 };
    node / LEAF * LEAF + node % LANES * LANES + lane(node % LEAF / LANES)
}

/// Where the value of number `k` among the first vectors of all runs ([`Ntt::RUN`]) is among all values.
#[must_use]
pub fn run_position(k: usize) -> usize {
    k / LANES * LANES * Ntt::RUN + k % LANES
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::primes;

    /// Words and `f64`, on the reference and on AVX-512.
    #[test]
    fn words_give_the_same_bits() {
        for degree in (6..=17).map(|log2| 1usize << log2) {
            let bits = [50, 49, 47];
            let moduli = bits.map(|bits| primes::below(1 << bits, degree).next());
            let moduli = moduli.into_iter().chain(primes::above(0, degree).next().map(Some));
            for p in moduli.flatten() {
                let top = (p.value() - 1) as f64;
                let mut x = p.value();
                let mut random = move || {
                    x = x.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
                    x >> 20
                };
                let mut inputs = vec![vec![top; degree], vec![-top; degree], vec![0.0; degree]];
                inputs.push((0..degree).map(|_| random() as f64 % top).collect());
                inputs.push((0..degree).map(|_| if random() % 2 == 0 { top } else { -top }).collect());
                for input in inputs {
                    let run = |isa: Isa, words| {
                        let ntt = Ntt::with_engine(degree, p, isa.lowered(), words).unwrap();
                        assert_eq!(ntt.words, words && degree > 64);
                        let (mut values, mut coeffs) = (input.clone(), input.clone());
                        values.iter_mut().for_each(|x| *x *= 2.0);
                        ntt.forward(&mut values);
                        ntt.backward(&mut coeffs);
                        [values, coeffs].map(|x| x.into_iter().map(f64::to_bits).collect::<Vec<_>>())
                    };
                    let expected = run(Isa::Scalar, false);
                    for (isa, words) in [(Isa::Scalar, true), (Isa::Avx512, false), (Isa::Avx512, true)] {
                        assert!(run(isa, words) == expected, "degree {degree} modulo {p}: {isa}, words {words}");
                    }
                }
            }
        }
    }
}
