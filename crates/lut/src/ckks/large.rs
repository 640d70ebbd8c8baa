//! Tables of several digits on all coefficients of an RLWE ciphertext at once, by real
//! [characters].
//!
//! Each digit is brought to the circle ([`FunctionalBootstrap::circle`]) and taken off the message, as in
//! functional digit decomposition (Algorithm 2 of "Larger tables with CKKS"). Its powers z^j are flattened
//! and joined to real characters. With r_b the products of the characters of the *high* digits, and a table's
//! coefficients M_ab as integers,
//!
//! f = Σ_(a_L) φ_(a_L) ⋯ Σ_(a_1) φ_(a_1) · Σ_b M_ab·r_b:
//!
//! a matrix product, and for each *low* digit a sum of products with one relinearisation, a level each.
//! Nothing of the size of the table is stored but its coefficients: the rows of a prefix (a_L, …, a_2) are
//! made, summed and forgotten.
//!
//! **Both halves in one.** Coefficients 0 … N/2 − 1 and the others go through the circle as two ciphertexts,
//! x and y. From the characters on everything is real, so r_b(x) + i·r_b(y) is one ciphertext, the matrix
//! product is done once, and what a character φ of a low digit multiplies, c = u + iv, becomes φ(x)·u +
//! iφ(y)·v = A·c + conj(B·c) with the real A, B = (φ(x) ± φ(y))/2: the conjugation is one of the sum.
mod noise;

use std::ops::Range;

use bootes_lattice::port::{RlweCiphertext, RlweEncoding};
use bootes_schemes::ckks::bootstrap::{BootstrapStep, Transforms, on_halves};
use bootes_schemes::ckks::{CkksCiphertext, CkksError};
use bootes_schemes::polyeval::ArithmeticCircuit;
use num_complex::Complex64;

use super::digits::{Rest, digit_of};
use super::functional::{centred, half};
use super::{BatchParams, FunctionalBootstrap, Interpolation, characters};
use crate::{Lut, LutError};

pub use noise::LargeNoise;

/// A table of several digits, as integer coefficients of characters.
#[derive(Debug, Clone)]
pub struct LargeTable {
    /// Bits of each, the lowest first.
    digits: Vec<u32>,
    out_modulus: u64,
    /// M_ab, a row for each a, in which a_1 changes first.
    matrix: Vec<f64>,
    columns: usize,
    /// That of the set, which the coefficients are made for.
    log2_slot_factor: u32,
    /// What rounding changes: the largest error, and the variance, as parts of half the distance of messages.
    rounding: [f64; 2],
}

impl LargeTable {
    /// Prepares a table of 2^a entries for digits of these bits, the lowest first, whose sum is a.
    ///
    /// # Errors
    /// [`LutError::DigitShape`] unless there are two digits or more, each of at most the set's bits, and
    /// their sum is a; [`LutError::SlotFactor`] if the set's factor of slots is too small for the
    /// coefficients.
    pub fn new(params: &BatchParams, table: &Lut, digits: &[u32]) -> Result<Self, LutError> {
        check_shape(params, table, digits)?;
        let factor = params.slot_factor() / table.out_modulus() as f64;
        let values: Vec<f64> = centred(table).iter().map(|v| v * factor).collect();
        let sizes: Vec<usize> = digits.iter().map(|bits| 1 << bits).collect();
        let exact = characters::coefficients(&values, &sizes);
        let rounded: Vec<f64> = exact.iter().map(|x| x.round_ties_even()).collect();
        let off: Vec<f64> = exact.iter().zip(&rounded).map(|(x, r)| r - x).collect();
        let off = characters::values(&off, &sizes);
        let unit = 2.0 / factor;
        let worst = off.iter().fold(0.0, |worst: f64, x| worst.max(x.abs())) * unit;
        let variance = off.iter().map(|x| x * x).sum::<f64>() / off.len() as f64 * unit * unit;
        if worst >= 1.0 {
            return Err(LutError::SlotFactor { entries: values.len(), params: params.name().into() });
        }
        let columns = 1 << digits[low_digits(digits.len())..].iter().sum::<u32>();
        Ok(Self {
            digits: digits.to_vec(),
            out_modulus: table.out_modulus(),
            matrix: transposed(&rounded, columns),
            columns,
            log2_slot_factor: params.literal().log2_slot_factor,
            rounding: [worst, variance],
        })
    }

    /// Bits of each digit, the lowest first.
    #[must_use]
    pub fn digits(&self) -> &[u32] {
        &self.digits
    }

    /// p'.
    #[must_use]
    pub fn out_modulus(&self) -> u64 {
        self.out_modulus
    }

    /// What the rounding of coefficients to integers changes in any entry, as a part of half the distance of
    /// messages.
    #[must_use]
    pub fn rounding(&self) -> f64 {
        self.rounding[0]
    }

    /// The variance of what it changes over all entries, in the same units.
    #[must_use]
    pub fn rounding_variance(&self) -> f64 {
        self.rounding[1]
    }

    /// The entries f/p', but for rounding.
    fn values(&self, params: &BatchParams) -> Vec<f64> {
        let (rows, factor) = (self.matrix.len() / self.columns, params.slot_factor());
        let coefficients: Vec<f64> =
            (0..self.matrix.len()).map(|i| self.matrix[i % rows * self.columns + i / rows] / factor).collect();
        let sizes: Vec<usize> = self.digits.iter().map(|bits| 1 << bits).collect();
        characters::values(&coefficients, &sizes)
    }

    /// Refuses a set that this was not prepared for, or without the levels for its digits.
    fn check(&self, params: &BatchParams, transforms: &Transforms) -> Result<(), LutError> {
        if self.log2_slot_factor != params.literal().log2_slot_factor {
            return Err(LutError::OtherSet { params: params.name().into() });
        }
        let found = transforms.slots_level(params.ckks()) - params.circle_depth();
        for plan in DigitPlan::all(params, &self.digits, transforms.coeffs_level()) {
            let needed = plan.level + plan.circuit(None)?.depth();
            if needed > found {
                return Err(CkksError::Exhausted { operation: "table of several digits", needed, found }.into());
            }
        }
        Ok(())
    }

    fn row(&self, a: usize) -> &[f64] {
        &self.matrix[a * self.columns..][..self.columns]
    }
}

/// How many of n digits are low.
fn low_digits(n: usize) -> usize {
    n - 2.min(n - 1)
}

/// Levels that a table of n digits takes beyond the powers of a digit: the characters' combination, the
/// product of two high digits, a sum for each low one.
#[must_use]
pub fn depth(n: usize) -> usize {
    1 + usize::from(n > 2) + low_digits(n)
}

/// Entry (a, b) at a + b·rows becomes a row for each a.
fn transposed(values: &[f64], columns: usize) -> Vec<f64> {
    let rows = values.len() / columns;
    (0..rows).flat_map(|a| (0..columns).map(move |b| values[a + b * rows])).collect()
}

/// Refuses digits that do not make up the inputs of a table.
pub(super) fn check_shape(params: &BatchParams, table: &Lut, digits: &[u32]) -> Result<(), LutError> {
    let (entries, most) = (table.values().len(), params.literal().bits);
    let fits = digits.len() > 1
        && digits.iter().all(|bits| (1..=most).contains(bits))
        && entries.is_power_of_two()
        && digits.iter().map(|&bits| u64::from(bits)).sum::<u64>() == entries.ilog2().into();
    if fits { Ok(()) } else { Err(LutError::DigitShape { entries, digits: digits.to_vec(), most }) }
}

/// How a digit becomes characters.
struct DigitPlan {
    bits: u32,
    /// Of the interpolation.
    order: u32,
    /// Of the characters.
    level: usize,
    /// The real part of a character's ciphertext is `factor`/2·φ before halves are joined.
    factor: f64,
}

impl DigitPlan {
    /// For each digit of a table. The low ones are interpolated with the set's order, since errors of inputs
    /// are nearest to the steps of the lowest and, p times smaller, to those of the next, and the high ones
    /// with order 1; order 3 takes the level that the product of the high ones does.
    fn all(params: &BatchParams, digits: &[u32], coeffs_level: usize) -> Vec<Self> {
        let low = low_digits(digits.len());
        let plan = |(i, &bits): (usize, &u32)| match i < low {
            true => Self { bits, order: params.literal().order, level: coeffs_level + low - i, factor: 0.5 },
            false => Self { bits, order: 1, level: coeffs_level + depth(digits.len()) - 1, factor: 1.0 },
        };
        digits.iter().enumerate().map(plan).collect()
    }

    /// p.
    fn modulus(&self) -> usize {
        1 << self.bits
    }

    /// The characters, and a polynomial.
    fn circuit(&self, polynomial: Option<&[Complex64]>) -> Result<ArithmeticCircuit, LutError> {
        characters::circuit(self.modulus(), self.order, self.factor, polynomial)
    }

    /// The interpolation of the digit as a message modulo 2^`log2_p`, and its polynomial as those of tables.
    fn as_message(&self, log2_p: u32) -> Result<(Interpolation, Vec<Complex64>), LutError> {
        let table = digit_of(log2_p, self.bits)?;
        let interpolation = Interpolation::new(&centred(&table), self.order)?;
        let polynomial = half(&interpolation, &table);
        Ok((interpolation, polynomial))
    }
}

/// Rows that are made at a time, so that columns are read once for all of them.
const ROWS: usize = 64;

/// What of a low digit multiplies: A and B for each character but 1.
type Low = Vec<[CkksCiphertext; 2]>;

impl FunctionalBootstrap {
    /// A table on messages modulo 2^a, a ciphertext for each digit of the way; results modulo p' in
    /// ciphertexts modulo 2^log2_modulus of the set.
    ///
    /// `watch` hears the number of the digit, or how many there are for the table itself, and what is being
    /// done.
    ///
    /// # Errors
    /// [`LutError::BatchInput`] unless messages are as many as entries; [`LutError::OtherSet`] for a table
    /// that was prepared with another set; what the evaluator refuses.
    pub fn evaluate_large(
        &self,
        table: &LargeTable,
        input: &RlweCiphertext,
        mut watch: impl FnMut(u32, BootstrapStep),
    ) -> Result<RlweCiphertext, LutError> {
        self.check_input(1 << table.digits.iter().sum::<u32>(), input)?;
        table.check(self.params(), self.transforms())?;
        let (coeffs, low) = (self.transforms().coeffs_level(), low_digits(table.digits.len()));
        let plans = DigitPlan::all(self.params(), &table.digits, coeffs);
        let (mut rest, mut lows, mut highs) = (Rest::new(input), Vec::new(), Vec::new());
        for (number, plan) in (0..).zip(&plans) {
            let base = rest.lowest(plan.bits)?.to_base(self.params().ckks().ring())?;
            let circle = self.circle(&base, |step| watch(number, step))?;
            watch(number, BootstrapStep::EvalLut);
            let message_bits = (number as usize + 1 < plans.len()).then(|| rest.bits());
            let (halves, digit) = self.complex_characters(&circle, plan, message_bits)?;
            drop(circle);
            if lows.len() < low {
                lows.push(self.low_characters(&halves)?);
            } else {
                highs.push(self.high_characters(&halves)?);
            }
            if let Some(digit) = digit {
                watch(number, BootstrapStep::SlotsToCoeffs);
                rest.subtract(self, &digit, plan.bits)?;
            }
        }
        watch(table.digits.len() as u32, BootstrapStep::EvalLut);
        let columns = self.columns(&highs, coeffs + low)?;
        drop(highs);
        let sum = self.sum_of_rows(table, &lows, &columns)?;
        watch(table.digits.len() as u32, BootstrapStep::SlotsToCoeffs);
        let encoding = RlweEncoding::new(table.out_modulus, self.params().literal().log2_modulus)?;
        self.to_rlwe(&sum, encoding, input.count())
    }

    /// For each character but 1 of both halves a ciphertext, as planned; and the digit as a message of so
    /// many bits, if asked for.
    fn complex_characters(
        &self,
        circle: &[CkksCiphertext; 2],
        plan: &DigitPlan,
        message_bits: Option<u32>,
    ) -> Result<([Vec<CkksCiphertext>; 2], Option<CkksCiphertext>), LutError> {
        let (evaluator, level) = (self.evaluator(), plan.level);
        let digit = message_bits.map(|log2_p| Ok::<_, LutError>(plan.as_message(log2_p)?.1)).transpose()?;
        let circuit = plan.circuit(digit.as_deref())?;
        let mut halves = on_halves(circle.each_ref(), |z| {
            let z = evaluator.at_level(z, level + circuit.depth())?;
            let all = evaluator.evaluate(&circuit, &[&z], |_, _| ())?;
            all.iter().map(|x| Ok(evaluator.at_level(x, level)?.into_owned())).collect::<Result<Vec<_>, CkksError>>()
        })?;
        let [low, high] = &mut halves;
        let digit = match digit.and_then(|_| low.pop().zip(high.pop())) {
            Some((low, high)) => Some(self.joined(&low, &high)?),
            None => None,
        };
        Ok((halves, digit))
    }

    /// A, B = (φ(x) ± φ(y))/2, of a quarter of each φ as real parts.
    fn low_characters(&self, [x, y]: &[Vec<CkksCiphertext>; 2]) -> Result<Low, LutError> {
        let evaluator = self.evaluator();
        let both = |(x, y)| Ok([self.twice_real(&evaluator.add(x, y)?)?, self.twice_real(&evaluator.sub(x, y)?)?]);
        x.iter().zip(y).map(both).collect()
    }

    /// φ(x) and i·φ(y), of half of each φ as real parts.
    fn high_characters(&self, [x, y]: &[Vec<CkksCiphertext>; 2]) -> Result<Low, LutError> {
        let both = |(x, y)| Ok([self.twice_real(x)?, self.evaluator().mul_integer(&self.twice_real(y)?, 0, 1)?]);
        x.iter().zip(y).map(both).collect()
    }

    /// r_b(x) + i·r_b(y) at `level` for all b but 0, where it is 1 + i.
    fn columns(&self, highs: &[Low], level: usize) -> Result<Vec<CkksCiphertext>, LutError> {
        let evaluator = self.evaluator();
        let joined = |[x, y]: &[CkksCiphertext; 2]| Ok(evaluator.at_level(&evaluator.add(x, y)?, level)?.into_owned());
        let mut columns = highs[0].iter().map(joined).collect::<Result<Vec<_>, CkksError>>()?;
        for second in highs.get(1).into_iter().flatten() {
            columns.push(joined(second)?);
            // (i·φ(y))·φ'(y): i·φ'(y) is made real again.
            let real = evaluator.mul_integer(&second[1], 0, -1)?;
            for first in &highs[0] {
                columns.push(evaluator.sum_of_products(&[(&first[0], &second[0]), (&first[1], &real)])?);
            }
        }
        Ok(columns)
    }

    /// Σ_a φ_a·Σ_b M_ab·r_b: rows are made some at a time, and summed over a digit as soon as they are as
    /// many as its characters.
    fn sum_of_rows(
        &self,
        table: &LargeTable,
        lows: &[Low],
        columns: &[CkksCiphertext],
    ) -> Result<CkksCiphertext, LutError> {
        let all = table.matrix.len() / table.columns;
        let mut waiting: Vec<Vec<CkksCiphertext>> = lows.iter().map(|_| Vec::new()).collect();
        for start in (0..all).step_by(ROWS) {
            for row in self.rows(table, columns, start..all.min(start + ROWS))? {
                waiting[0].push(row);
                for digit in 0..lows.len() {
                    if waiting[digit].len() <= lows[digit].len() {
                        break;
                    }
                    let sum = self.sum_over_digit(&lows[digit], &std::mem::take(&mut waiting[digit]))?;
                    match waiting.get_mut(digit + 1) {
                        Some(above) => above.push(sum),
                        None => return Ok(sum),
                    }
                }
            }
        }
        unreachable!("the rows are those of all low digits")
    }

    /// Σ_j φ_j·c_j: one relinearisation for the A·c, and one for the B·c.
    fn sum_over_digit(&self, characters: &Low, values: &[CkksCiphertext]) -> Result<CkksCiphertext, LutError> {
        let evaluator = self.evaluator();
        let terms = |part: usize| characters.iter().map(|both| &both[part]).zip(&values[1..]).collect::<Vec<_>>();
        let (direct, mirrored) = (evaluator.sum_of_products(&terms(0))?, evaluator.sum_of_products(&terms(1))?);
        let sum = evaluator.add(&direct, &evaluator.conjugate(&mirrored)?)?;
        Ok(evaluator.add(&sum, &values[0])?)
    }

    /// Σ_b M_ab·r_b for some a.
    fn rows(
        &self,
        table: &LargeTable,
        columns: &[CkksCiphertext],
        rows: Range<usize>,
    ) -> Result<Vec<CkksCiphertext>, LutError> {
        let others: Vec<&[f64]> = rows.clone().map(|a| &table.row(a)[1..]).collect();
        let sums = self.evaluator().matrix_product(&others, columns)?;
        let with_first = |(sum, a): (&_, usize)| {
            let first = table.row(a)[0];
            Ok(self.evaluator().add_constant(sum, Complex64::new(first, first))?)
        };
        sums.iter().zip(rows).map(with_first).collect()
    }
}
