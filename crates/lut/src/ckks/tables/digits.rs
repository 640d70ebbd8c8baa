//! Tables of several digits on all coefficients of an RLWE ciphertext at once, by real
//! [characters].
//!
//! Each digit is brought to the circle ([`FunctionalBootstrap::circle`]) and taken off the message, as in
//! functional digit decomposition (Algorithm 2 of "Larger tables with CKKS"). Its powers z^j are flattened
//! and taken apart to real characters. With r_b the products of the characters of the *high* digits, and a table's
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
mod shape;

use std::ops::Range;

use bootes_lattice::port::{RlweCiphertext, RlweEncoding};
use bootes_schemes::ckks::bootstrap::{BootstrapStep, Transforms, on_halves};
use bootes_schemes::ckks::{CkksCiphertext, CkksError, Evaluator};
use num_complex::Complex64;

use crate::ckks::decompose::Rest;
use crate::ckks::tables::whole::centred;
use crate::ckks::{FunctionalBootstrap, TableParams, characters};
use crate::{CkksLutError, Lut, LutError};

pub use noise::{LargeNoise, Readings};
pub(in crate::ckks) use shape::DigitPlan;
pub use shape::Shape;

/// A table of several digits, as integer coefficients of characters.
#[derive(Debug, Clone)]
pub struct LargeTable {
    shape: Shape,
    out_modulus: u64,
    /// M_ab, row after row.
    matrix: Vec<f64>,
    /// That of the set, which the coefficients are made for.
    log2_slot_factor: u32,
    /// The largest error of rounding, and its variance, as parts of half the distance of messages.
    rounding: [f64; 2],
}

impl LargeTable {
    /// Bytes that it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(&self.matrix[..])
    }

    /// Prepares a table for digits of this shape.
    ///
    /// # Errors
    /// [`CkksLutError::DigitShape`] unless it has as many entries as there are inputs, and the set the levels for
    /// it; [`CkksLutError::SlotFactor`] if the set's factor of slots is too small for the coefficients.
    pub fn new(params: &TableParams, table: &Lut, shape: &Shape) -> Result<Self, LutError> {
        let (entries, most) = (table.values().len(), params.literal().largest_digit());
        if shape.entries() != entries as u64
            || shape.row_levels() > 0
            || shape.moduli().iter().any(|&p| p > most)
            || shape.depth() > params.table_levels()
        {
            return Err(CkksLutError::DigitShape { entries, digits: shape.moduli().to_vec(), most }.into());
        }
        let factor = params.matrix_factor() / table.out_modulus() as f64;
        let values: Vec<f64> = centred(table).iter().map(|v| v * factor).collect();
        let sizes = sizes(shape);
        let mut coefficients = characters::coefficients(&values, &sizes);
        let matrix = shape.places().map(|i| coefficients[i].round_ties_even()).collect();
        coefficients.iter_mut().for_each(|x| *x = x.round_ties_even() - *x);
        let off = characters::values(&coefficients, &sizes);
        let unit = 2.0 / factor;
        let worst = off.iter().fold(0.0, |worst: f64, x| worst.max(x.abs())) * unit;
        let variance = off.iter().map(|x| x * x).sum::<f64>() / off.len() as f64 * unit * unit;
        if worst >= 1.0 {
            return Err(CkksLutError::SlotFactor { entries, params: params.name().into() }.into());
        }
        let log2_slot_factor = params.literal().log2_slot_factor;
        let out_modulus = table.out_modulus();
        Ok(Self { shape: shape.clone(), out_modulus, matrix, log2_slot_factor, rounding: [worst, variance] })
    }

    /// The digits.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// p'.
    #[must_use]
    pub fn out_modulus(&self) -> u64 {
        self.out_modulus
    }

    /// The largest error of any entry by rounding coefficients to integers, as a part of half the distance of
    /// messages.
    #[must_use]
    pub fn rounding(&self) -> f64 {
        self.rounding[0]
    }

    /// The most that it changes of any table modulo p' = `out_modulus`, each coefficient by ½.
    #[must_use]
    pub(crate) fn most_rounding(params: &TableParams, shape: &Shape, out_modulus: u64) -> f64 {
        let sizes = shape.moduli().iter().map(|&p| characters::sizes(p as usize)).product::<f64>();
        sizes * out_modulus as f64 / params.matrix_factor()
    }

    /// The variance of what it changes over all entries, in the same units.
    #[must_use]
    pub fn rounding_variance(&self) -> f64 {
        self.rounding[1]
    }

    /// The entries f/p', but for rounding.
    fn values(&self, params: &TableParams) -> Vec<f64> {
        let mut coefficients = vec![0.0; self.matrix.len()];
        self.shape.places().zip(&self.matrix).for_each(|(i, c)| coefficients[i] = c / params.matrix_factor());
        characters::values(&coefficients, &sizes(&self.shape))
    }

    /// Refuses a set that this was not prepared for, or without the levels for its digits.
    fn check(&self, params: &TableParams, transforms: &Transforms) -> Result<(), LutError> {
        if self.log2_slot_factor != params.literal().log2_slot_factor {
            return Err(CkksLutError::OtherSet { params: params.name().into() }.into());
        }
        check_levels(&self.shape, params, transforms)
    }

    fn row(&self, a: usize) -> &[f64] {
        let columns = self.shape.columns();
        &self.matrix[a * columns..][..columns]
    }
}

/// Refuses a set without the levels for digits.
pub(crate) fn check_levels(shape: &Shape, params: &TableParams, transforms: &Transforms) -> Result<(), LutError> {
    let found = transforms.slots_level(params.ckks()) - params.circle_depth();
    let needed = params.sums_level() + shape.depth();
    if needed > found {
        return Err(CkksError::Exhausted { operation: "table of several digits", needed, found }.into());
    }
    Ok(())
}

/// The maker of the rows of a table from the columns: the matrix product, or what is in its place.
pub(crate) struct Rows<'a> {
    pub(crate) out_modulus: u64,
    /// Rows that are made at a time.
    pub(crate) together: usize,
    /// Σ_b M_ab·r_b of all columns r_b, for these a.
    pub(crate) make: Box<MakeRows<'a>>,
}

pub(crate) type MakeRows<'a> = dyn Fn(&[CkksCiphertext], Range<usize>) -> Result<Vec<CkksCiphertext>, LutError> + 'a;

impl LargeTable {
    fn rows<'a>(&'a self, evaluator: &'a Evaluator) -> Rows<'a> {
        let make = |columns: &[CkksCiphertext], rows: Range<usize>| {
            let others: Vec<&[f64]> = rows.clone().map(|a| &self.row(a)[1..]).collect();
            let sums = evaluator.matrix_product(&others, columns)?;
            let with_first = |(sum, a): (&_, usize)| {
                let first = self.row(a)[0];
                Ok(evaluator.add_constant(sum, Complex64::new(first, first))?)
            };
            sums.iter().zip(rows).map(with_first).collect()
        };
        Rows { out_modulus: self.out_modulus, together: ROWS, make: Box::new(make) }
    }
}

fn sizes(shape: &Shape) -> Vec<usize> {
    shape.moduli().iter().map(|&p| p as usize).collect()
}

/// Rows that are made at a time, so that columns are read once for all of them.
pub(crate) const ROWS: usize = 64;

/// The factors of a low digit: A and B for each character but 1.
type Low = Vec<[CkksCiphertext; 2]>;

impl FunctionalBootstrap {
    /// Tables on messages modulo P, each of whose digits goes through the circle once for all of them; for
    /// each table results modulo p' in ciphertexts modulo 2^log2_modulus of the set.
    ///
    /// `watch` hears the number of the digit, or of the table behind them, and what is being done.
    ///
    /// # Errors
    /// [`CkksLutError::LargeTables`] unless there are tables, of one shape; [`CkksLutError::Input`] unless
    /// messages are as many as entries; [`CkksLutError::OtherSet`] for a table that was prepared with another
    /// set; what the evaluator refuses.
    pub fn evaluate_large(
        &self,
        tables: &[LargeTable],
        input: &RlweCiphertext,
        watch: impl FnMut(u32, BootstrapStep),
    ) -> Result<Vec<RlweCiphertext>, LutError> {
        let alike = |shape: &Shape| tables.iter().all(|table| table.shape == *shape);
        let Some(shape) = tables.first().map(LargeTable::shape).filter(|shape| alike(shape)) else {
            return Err(CkksLutError::LargeTables { found: tables.len() }.into());
        };
        tables.iter().try_for_each(|table| table.check(self.params(), self.transforms()))?;
        let tables: Vec<Rows<'_>> = tables.iter().map(|table| table.rows(self.evaluator())).collect();
        self.evaluate_rows(shape, &tables, input, watch)
    }

    /// [`Self::evaluate_large`] of whatever makes rows, prepared for this set.
    pub(crate) fn evaluate_rows(
        &self,
        shape: &Shape,
        tables: &[Rows<'_>],
        input: &RlweCiphertext,
        mut watch: impl FnMut(u32, BootstrapStep),
    ) -> Result<Vec<RlweCiphertext>, LutError> {
        self.check_input(shape.entries(), input)?;
        let end = self.params().sums_level();
        let mut rest = Rest::new(input);
        let mut lows: Vec<Low> = shape.summed().iter().map(|_| Low::new()).collect();
        let mut highs: Vec<Low> = shape.factors().iter().map(|_| Low::new()).collect();
        let mut columns = Vec::new();
        let digits = shape.moduli().len();
        for (number, plan) in shape.plans(end).iter().enumerate() {
            let p = plan.modulus as u64;
            let base = rest.lowest(p)?.to_base(self.params().ckks().ring())?;
            let circle = self.circle(&base, |step| watch(number as u32, step))?;
            watch(number as u32, BootstrapStep::EvalLut);
            let message = (number + 1 < digits).then(|| rest.modulus());
            let (halves, digit) = self.complex_characters(&circle, plan, message)?;
            drop(circle);
            let place = |places: &[usize]| places.iter().position(|&i| i == number);
            if let Some(place) = place(shape.summed()) {
                lows[place] = self.low_characters(&halves, plan)?;
            } else if shape.factors().len() == 1 {
                columns = self.joined_characters(&halves, plan)?;
            } else if let Some(place) = place(shape.factors()) {
                highs[place] = self.high_characters(&halves, plan)?;
            }
            drop(halves);
            if let Some(digit) = digit {
                watch(number as u32, BootstrapStep::SlotsToCoeffs);
                rest.subtract(self, &digit, p)?;
            }
        }
        watch(digits as u32, BootstrapStep::EvalLut);
        if columns.is_empty() {
            columns = self.columns(&std::mem::take(&mut highs), end + lows.len() + shape.row_levels())?;
        }
        let mut results = Vec::with_capacity(tables.len());
        for (number, table) in (digits as u32..).zip(tables) {
            let sum = self.sum_of_rows(shape, table, &lows, &columns, || watch(number, BootstrapStep::EvalLut))?;
            watch(number, BootstrapStep::SlotsToCoeffs);
            let encoding = RlweEncoding::new(table.out_modulus, self.params().literal().log2_modulus)?;
            results.push(self.to_rlwe(&self.without_factor(sum)?, encoding, input.count())?);
        }
        Ok(results)
    }

    /// As SlotsToCoeffs takes it.
    fn without_factor(&self, sum: CkksCiphertext) -> Result<CkksCiphertext, LutError> {
        if !self.params().literal().factor_level {
            return Ok(sum);
        }
        let scale = self.params().ckks().scale(self.params().sums_level() - 1);
        let multiplied = self.evaluator().mul_integer(&sum, self.params().factor_integer(), 0)?;
        Ok(self.evaluator().rescale(&multiplied)?.with_scale(scale))
    }

    /// For each j ≤ p/2 of both halves z^j flattened, whose parts are characters, as planned; and the digit as a
    /// message modulo P, if asked for.
    fn complex_characters(
        &self,
        circle: &[CkksCiphertext; 2],
        plan: &DigitPlan,
        message: Option<u64>,
    ) -> Result<([Vec<CkksCiphertext>; 2], Option<CkksCiphertext>), LutError> {
        let (evaluator, level) = (self.evaluator(), plan.level);
        let digit = message.map(|modulus| plan.as_message(modulus)).transpose()?;
        let circuit = plan.circuit(digit.as_deref())?;
        let mut halves = on_halves(circle.each_ref(), |z| {
            evaluator.evaluate(&circuit, &[&*evaluator.at_level(z, level + circuit.depth())?], |_, _| ())
        })?;
        let [low, high] = &mut halves;
        let digit = match digit.and_then(|_| low.pop().zip(high.pop())) {
            Some((low, high)) => Some(self.joined(&low, &high)?),
            None => None,
        };
        Ok((halves, digit))
    }

    /// 2·Re(u) and, if there are sines of this j, 2·Im(u), of u and its conjugate.
    fn parts(
        &self,
        [u, conjugate]: [&CkksCiphertext; 2],
        sine: bool,
    ) -> Result<(CkksCiphertext, Option<CkksCiphertext>), CkksError> {
        let evaluator = self.evaluator();
        let twice = || evaluator.mul_integer(&evaluator.sub(u, conjugate)?, 0, -1);
        Ok((evaluator.add(u, conjugate)?, if sine { Some(twice()?) } else { None }))
    }

    /// A, B = (φ(x) ± φ(y))/2 for each φ, of a quarter of each as parts.
    fn low_characters(&self, [x, y]: &[Vec<CkksCiphertext>; 2], plan: &DigitPlan) -> Result<Low, LutError> {
        let (evaluator, mut cosines, mut sines) = (self.evaluator(), Low::new(), Low::new());
        for (j, (x, y)) in (1..).zip(x.iter().zip(y)) {
            let of = |u: CkksCiphertext| self.parts([&u, &evaluator.conjugate(&u)?], plan.has_sine(j));
            let (a, b) = (of(evaluator.add(x, y)?)?, of(evaluator.sub(x, y)?)?);
            cosines.push([a.0, b.0]);
            sines.extend(a.1.zip(b.1).map(<[_; 2]>::from));
        }
        cosines.append(&mut sines);
        Ok(cosines)
    }

    /// A, B = (φ(x) ± φ(y))/2, of a quarter of φ as real parts.
    pub(crate) fn low_character(
        &self,
        x: &CkksCiphertext,
        y: &CkksCiphertext,
    ) -> Result<[CkksCiphertext; 2], LutError> {
        let evaluator = self.evaluator();
        Ok([self.twice_real(&evaluator.add(x, y)?)?, self.twice_real(&evaluator.sub(x, y)?)?])
    }

    /// φ(x) + i·φ(y), of half of each φ as parts: with one factor the columns. One conjugation serves two of them.
    fn joined_characters(
        &self,
        [x, y]: &[Vec<CkksCiphertext>; 2],
        plan: &DigitPlan,
    ) -> Result<Vec<CkksCiphertext>, LutError> {
        let (evaluator, mut cosines, mut sines) = (self.evaluator(), Vec::new(), Vec::new());
        for (j, (x, y)) in (1..).zip(x.iter().zip(y)) {
            let y = evaluator.mul_integer(y, 0, 1)?;
            // conj(x) + i·conj(y).
            let conjugate = evaluator.conjugate(&evaluator.sub(x, &y)?)?;
            let (cosine, sine) = self.parts([&evaluator.add(x, &y)?, &conjugate], plan.has_sine(j))?;
            cosines.push(cosine);
            sines.extend(sine);
        }
        cosines.append(&mut sines);
        Ok(cosines)
    }

    /// φ(x) and i·φ(y), of half of each φ as parts.
    fn high_characters(&self, [x, y]: &[Vec<CkksCiphertext>; 2], plan: &DigitPlan) -> Result<Low, LutError> {
        let (evaluator, mut cosines, mut sines) = (self.evaluator(), Low::new(), Low::new());
        for (j, (x, y)) in (1..).zip(x.iter().zip(y)) {
            let of = |u: &CkksCiphertext| self.parts([u, &evaluator.conjugate(u)?], plan.has_sine(j));
            let (x, y) = (of(x)?, of(y)?);
            let times_i = |y: CkksCiphertext| evaluator.mul_integer(&y, 0, 1);
            cosines.push([x.0, times_i(y.0)?]);
            if let Some((x, y)) = x.1.zip(y.1) {
                sines.push([x, times_i(y)?]);
            }
        }
        cosines.append(&mut sines);
        Ok(cosines)
    }

    /// r_b(x) + i·r_b(y) at `level` for all b but 0, where it is 1 + i, of two factors.
    fn columns(&self, highs: &[Low], level: usize) -> Result<Vec<CkksCiphertext>, LutError> {
        let evaluator = self.evaluator();
        let joined = |[x, y]: &[CkksCiphertext; 2]| Ok(evaluator.at_level(&evaluator.add(x, y)?, level)?.into_owned());
        let mut columns = highs[0].iter().map(joined).collect::<Result<Vec<_>, CkksError>>()?;
        for second in &highs[1] {
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
        shape: &Shape,
        table: &Rows<'_>,
        lows: &[Low],
        columns: &[CkksCiphertext],
        mut watch: impl FnMut(),
    ) -> Result<CkksCiphertext, LutError> {
        let (all, together) = (shape.rows(), table.together);
        let mut waiting: Vec<Vec<CkksCiphertext>> = lows.iter().map(|_| Vec::new()).collect();
        for start in (0..all).step_by(together) {
            watch();
            for row in (table.make)(columns, start..all.min(start + together))? {
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
        let (characters, others): (Vec<_>, Vec<_>) = characters.iter().zip(&values[1..]).unzip();
        Ok(self.evaluator().add(&self.sum_of_both(&characters, &others)?, &values[0])?)
    }

    /// Σ_j A_j·c_j + conj(Σ_j B_j·c_j).
    pub(crate) fn sum_of_both(
        &self,
        factors: &[&[CkksCiphertext; 2]],
        values: &[&CkksCiphertext],
    ) -> Result<CkksCiphertext, LutError> {
        let evaluator = self.evaluator();
        let terms =
            |part: usize| factors.iter().map(|both| &both[part]).zip(values.iter().copied()).collect::<Vec<_>>();
        let (direct, mirrored) = (evaluator.sum_of_products(&terms(0))?, evaluator.sum_of_products(&terms(1))?);
        Ok(evaluator.add(&direct, &evaluator.conjugate(&mirrored)?)?)
    }
}
