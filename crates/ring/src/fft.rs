//! The negacyclic Fourier transform of Z\[X\]/(X^N + 1) over `f64`.
//!
//! A real polynomial P of degree below N is known from its values at N/2 roots of X^N + 1, one of each conjugate pair:
//! ζ^e with ζ = exp(iπ/N) and e ≡ 1 modulo 4. A frequency representation holds these values in N `f64`: blocks of 16,
//! eight real parts and then eight imaginary ones. Their order is fixed by N and given by [`Fft::exponent`].
//!
//! Results are bit-equal on all instruction sets. Rounding errors follow [`error_std`].

mod butterfly;
mod convert;
mod limbs;
mod pointwise;
#[expect(clippy::needless_range_loop, reason = "closures would not inherit the instruction set")]
mod rotate;
mod small;
mod tables;
#[expect(clippy::needless_range_loop, reason = "closures would not inherit the instruction set")]
mod transform;

pub use crate::simd::blocks::BlockShape;
pub use limbs::{Limb, WordLimbs};
pub use rotate::BlockRotation;
pub use tables::root;

use std::fmt;

use convert::{AddTorus, Decode, Encode, Float, Integer, OfLimb};
use pointwise::Product;
use tables::Tables;
use transform::{Backward, Forward, Read, Write};

use crate::error::RingError;
use crate::gadget::{Digits, Gadget};
use crate::isa::Isa;
use crate::simd::{self, Block, LANES};
use crate::torus::{Torus, Words, WordsMut};

/// A slice of numbers as whole blocks.
#[inline(always)]
fn blocks(freq: &[f64]) -> &[Block] {
    freq.as_chunks().0.as_chunks().0
}

/// A slice of numbers as whole blocks.
#[inline(always)]
fn blocks_mut(freq: &mut [f64]) -> &mut [Block] {
    freq.as_chunks_mut().0.as_chunks_mut().0
}

/// The plan of the transforms for one degree N: tables of roots of unity, immutable.
///
/// All slices of coefficients and of frequencies have length N; other lengths panic.
pub struct Fft {
    tables: Tables,
    isa: Isa,
}

impl Fft {
    /// The smallest degree.
    pub const MIN_DEGREE: usize = 1 << 5;
    /// The largest degree.
    pub const MAX_DEGREE: usize = 1 << 17;

    /// A plan for degree N = `degree` on the selected instruction set, [`Isa::selected`].
    ///
    /// # Errors
    /// [`RingError::Degree`] unless N is a power of two in 2^5..=2^17; [`RingError::Allocation`].
    pub fn new(degree: usize) -> Result<Self, RingError> {
        Self::with_isa(degree, Isa::selected())
    }

    /// A plan for degree N = `degree` on the instruction set `isa`.
    ///
    /// # Errors
    /// As [`Fft::new`], and [`RingError::Isa`] if the processor lacks `isa`.
    pub fn with_isa(degree: usize, isa: Isa) -> Result<Self, RingError> {
        let (min, max) = (Self::MIN_DEGREE, Self::MAX_DEGREE);
        if !degree.is_power_of_two() || degree < min || degree > max {
            return Err(RingError::Degree { found: degree, min, max });
        }
        Ok(Self { isa: isa.available()?, tables: Tables::new(degree / 2)? })
    }

    /// The degree N.
    #[must_use]
    pub fn degree(&self) -> usize {
        2 * self.tables.points
    }

    /// The instruction set in use.
    #[must_use]
    pub fn isa(&self) -> Isa {
        self.isa
    }

    /// The exponent e ≡ 1 modulo 4 such that complex point `position` < N/2 holds P(ζ^e), ζ = exp(iπ/N).
    #[must_use]
    pub fn exponent(&self, position: usize) -> usize {
        let (chunk, lane) = (position / LANES, position % LANES);
        1 + 4 * (self.tables.chunk_index[chunk] + self.tables.lane_index[lane]) as usize
    }

    /// `out` = the transform of `coeffs`, integers of absolute value below 2^51.
    pub fn forward_integer(&self, out: &mut [f64], coeffs: &[i64]) {
        self.forward(out, coeffs, Integer);
    }

    /// `out` = the transform of `coeffs`, torus words that stand for fractions in [−½, ½).
    pub fn forward_torus(&self, out: &mut [f64], coeffs: &[u64]) {
        self.forward(out, coeffs, convert::Torus);
    }

    /// `out` = the transform of a limb of `coeffs`, as fractions: x_i·2^low of 2^k.
    pub fn forward_limb<W: Torus>(&self, out: &mut [f64], coeffs: &[W], limb: &Limb) {
        self.forward_limb_of_words(out, W::words(coeffs), limb);
    }

    /// Words are told apart here, so that transforms are compiled once, and not wherever something generic calls them.
    fn forward_limb_of_words(&self, out: &mut [f64], coeffs: Words<'_>, limb: &Limb) {
        match coeffs {
            Words::Single(coeffs) => self.forward(out, coeffs, OfLimb::new(limb)),
            Words::Double(coeffs) => self.forward(out, coeffs, OfLimb::new(limb)),
        }
    }

    /// `out` = the transform of the gadget digits of `coeffs` of weight 2^k/B^`level`; see [`Gadget::digit`].
    pub fn forward_digit<W: Torus>(&self, out: &mut [f64], coeffs: &[W], gadget: Gadget, level: u32) {
        self.forward_digits(out, W::words(coeffs), gadget, (Digits::Plain, level));
    }

    /// The same of the odd digits; see [`Gadget::odd_digit`]. Needs `levels`·log2 B below k.
    pub fn forward_odd_digit<W: Torus>(&self, out: &mut [f64], coeffs: &[W], gadget: Gadget, level: u32) {
        self.forward_digits(out, W::words(coeffs), gadget, (Digits::Odd, level));
    }

    /// The same of the odd digits of 2·`coeffs`. Needs `levels`·log2 B below k − 1.
    pub fn forward_odd_digit_of_half<W: Torus>(&self, out: &mut [f64], coeffs: &[W], gadget: Gadget, level: u32) {
        self.forward_digits(out, W::words(coeffs), gadget, (Digits::OddOfHalf, level));
    }

    fn forward_digits(&self, out: &mut [f64], coeffs: Words<'_>, gadget: Gadget, (digits, level): (Digits, u32)) {
        match coeffs {
            Words::Single(coeffs) => self.forward(out, coeffs, &gadget.cut::<u64>(digits, level)),
            Words::Double(coeffs) => self.forward(out, coeffs, &gadget.cut::<u128>(digits, level)),
        }
    }

    fn forward<E: Encode>(&self, out: &mut [f64], coeffs: &[E::Word], encode: E) {
        self.check(&[out.len(), coeffs.len()]);
        let (out, coeffs) = (blocks_mut(out), coeffs.as_chunks().0);
        simd::run(self.isa, Read { tables: &self.tables, out, coeffs, encode });
        self.forward_points(out, self.fused());
    }

    /// The passes from number `done` on.
    fn forward_points(&self, freq: &mut [Block], done: usize) {
        simd::run(self.isa, Forward { tables: &self.tables, freq, done });
    }

    /// `acc` += the inverse transform of `freq`, torus fractions, rounded to 64 bits; exact modulo 1.
    ///
    /// Fractions must be below 2^51 in absolute value. Destroys `freq`.
    pub fn backward_add_torus(&self, acc: &mut [u64], freq: &mut [f64]) {
        self.backward_add(WordsMut::Single(acc), freq, 0);
    }

    /// `acc` += the inverse transform of `freq`, sums of products with `limb`, rounded to its unit; exact modulo 1.
    ///
    /// Fractions must be below 2^51 in absolute value and below 2^62 units of the limb, or its unit at least 2^64.
    /// Destroys `freq`.
    pub fn backward_add_limb<W: Torus>(&self, acc: &mut [W], freq: &mut [f64], limb: &Limb) {
        self.backward_add(W::words_mut(acc), freq, limb.unit);
    }

    fn backward_add(&self, acc: WordsMut<'_>, freq: &mut [f64], unit: u32) {
        match acc {
            WordsMut::Single(acc) => self.backward(acc, freq, AddTorus::new(self.scale(), unit)),
            WordsMut::Double(acc) => self.backward(acc, freq, AddTorus::new(self.scale(), unit)),
        }
    }

    fn backward<D: Decode>(&self, out: &mut [D::Word], freq: &mut [f64], decode: D) {
        self.check(&[out.len(), freq.len()]);
        let (out, freq) = (out.as_chunks_mut().0, blocks_mut(freq));
        self.backward_points(freq, self.fused());
        simd::run(self.isa, Write { tables: &self.tables, out, freq, decode });
    }

    /// The passes down to number `rest`.
    fn backward_points(&self, freq: &mut [Block], rest: usize) {
        simd::run(self.isa, Backward { tables: &self.tables, freq, rest });
    }

    /// How many passes convert coefficients, too.
    fn fused(&self) -> usize {
        usize::from(self.tables.fused().is_some())
    }

    /// `out` = the inverse transform of `freq`. Destroys `freq`.
    pub fn backward_f64(&self, out: &mut [f64], freq: &mut [f64]) {
        self.backward(out, freq, Float { scale: self.scale() });
    }

    /// Transforms a polynomial in place. Its coefficients j and j + N/2 are the parts of one complex number and stand
    /// where those of point j will.
    pub fn forward_in_place(&self, freq: &mut [f64]) {
        self.check(&[freq.len()]);
        self.forward_points(blocks_mut(freq), 0);
    }

    /// The inverse of [`Fft::forward_in_place`], but for a factor N/2.
    pub fn backward_in_place(&self, freq: &mut [f64]) {
        self.check(&[freq.len()]);
        self.backward_points(blocks_mut(freq), 0);
    }

    /// `out` = `a`·`b`, point by point.
    pub fn mul(&self, out: &mut [f64], a: &[f64], b: &[f64]) {
        self.check(&[out.len(), a.len(), b.len()]);
        simd::run(self.isa, Product::<false> { out: blocks_mut(out), a: blocks(a), b: blocks(b) });
    }

    /// `acc` += `a`·`b`, point by point.
    pub fn mul_add(&self, acc: &mut [f64], a: &[f64], b: &[f64]) {
        self.check(&[acc.len(), a.len(), b.len()]);
        simd::run(self.isa, Product::<true> { out: blocks_mut(acc), a: blocks(a), b: blocks(b) });
    }

    /// What undoes the inverse transform's factor N/2.
    fn scale(&self) -> f64 {
        1.0 / self.tables.points as f64
    }

    fn check(&self, lengths: &[usize]) {
        for &found in lengths {
            assert_eq!(found, self.degree(), "a slice has not the length of the ring degree");
        }
    }
}

impl fmt::Debug for Fft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fft(degree {}, {})", self.degree(), self.isa)
    }
}

/// The standard deviation, in torus units, of the rounding error of a coefficient of Σ_{j<t} a_j·b_j, t = `terms`: a_j
/// has coefficients uniform in ±B/2, B = 2^`log2_base`, and b_j torus fractions uniform in ±½.
///
/// The words' transforms are rounded once and kept, so one evaluation is meant, not one set-up. A product of
/// fractions that are uniform in ±D/2 errs by D times as much. See `docs/fft-error.md`.
#[must_use]
pub fn error_std(log2_base: u32, degree: usize, terms: usize) -> f64 {
    let base = f64::from(log2_base).exp2();
    RELATIVE_ERROR * passes(degree).sqrt() * f64::EPSILON / 2.0 * base / 12.0 * (degree as f64 * terms as f64).sqrt()
}

/// The standard deviation, in torus units, of the rounding error of a coefficient of [`Fft::rotate_multiply_block`] and
/// the inverse transform: an upper bound, for l = `block` uniform exponents and an extension ν, or for all of them.
///
/// [`error_std`] of 2·`rows`·l terms, and as a part of their square what sums add: 2.6u² once, 0.22u² for each row, and
/// 0.26u² for each row and each matrix of a shift beyond the first, of which there are (ν − 1)·(1 − (1 − 1/ν)^l) in the
/// mean, l at most. Above N = 2^14 transforms err by 0.13u² a level more.
#[must_use]
pub fn block_error_std(log2_base: u32, degree: usize, rows: usize, block: usize, extension: Option<usize>) -> f64 {
    let shifts = extension.map_or(block as f64, |extension| {
        let others = extension as f64 - 1.0;
        others * (1.0 - (others / extension as f64).powi(block as i32))
    });
    let long = if degree > 1 << 14 { 0.13 * passes(degree) } else { 0.0 };
    let sums = 2.6 + rows as f64 * (0.22 + 0.26 * shifts) + long;
    error_std(log2_base, degree, 2 * rows * block) * (1.0 + sums / (RELATIVE_ERROR.powi(2) * passes(degree))).sqrt()
}

/// The relative error of a product, in units of 2^-53 and of the square root of [`passes`].
const RELATIVE_ERROR: f64 = 1.17;

/// Levels of a transform.
fn passes(degree: usize) -> f64 {
    (degree as f64 / 2.0).log2()
}
