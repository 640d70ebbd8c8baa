//! Tables whose coefficients are no numbers that a server has: they differ from value to value
//! ([`SlotTables`]), or are encrypted ([`EncryptedTable`]).
//!
//! Everything up to what coefficients multiply is that of other tables. Whole ones are the circuit of their
//! interpolation, whose constants are the numbers of coefficients; tables of several digits make their rows
//! otherwise ([`large`](super::digits)). For tables that differ, with the plaintexts A, B = (M(x) ± M(y))/2 of
//! the coefficients of both halves, what multiplies a column c = r(x) + i·r(y) is A·c + conj(B·c).
use std::ops::Range;
use std::sync::Arc;

use bootes_lattice::port::{RlweCiphertext, RlweEncoding};
use bootes_schemes::ckks::bootstrap::{BootstrapStep, Transforms};
use bootes_schemes::ckks::circuit::Combine;
use bootes_schemes::ckks::evaluator::PLAINTEXTS;
use bootes_schemes::ckks::noise::ErrorBound;
use bootes_schemes::ckks::params::NOISE_STD;
use bootes_schemes::ckks::{CkksCiphertext, CkksError, SeededCiphertext};
use bootes_schemes::polyeval::{ArithmeticCircuit, Gate};
use num_complex::Complex64;

use super::basis::{Basis, Whole, named};
use super::digits::{Rows, Shape, check_levels};
use super::per_slot::{power_coefficients, row_coefficients};
use crate::ckks::{
    EncryptedTable, FunctionalBootstrap, LargeNoise, PreparedTables, Promise, SlotTables, TableNoise, TableParams,
};
use crate::{CkksLutError, Lut, LutError};

mod work;

pub use work::varied_evaluation;

/// Entries of the largest tables with other coefficients for each value that are evaluated whole:
/// coefficients take a time quadratic in it.
const MAX_WHOLE: u64 = 1 << 10;

/// Rows whose coefficients are made together.
const ROWS: usize = 8;

/// Entries of tables without structure that noise is averaged over, but those of one at least.
const SAMPLED: u64 = 128;

/// t with 2·exp(−t²/2) = 2^-140.
const DITHERED: f64 = 13.99;

/// The coefficients of a table.
#[derive(Debug, Clone)]
enum Coefficients {
    /// Others for each value.
    Slots(Arc<SlotTables>),
    /// Ciphertexts.
    Encrypted(Arc<EncryptedTable>),
}

/// A table, or one for each value, whose coefficients are no numbers.
#[derive(Debug, Clone)]
pub struct VariedTable {
    basis: Basis,
    coefficients: Coefficients,
    /// That of the set which coefficients are made for.
    log2_slot_factor: u32,
}

impl VariedTable {
    /// A table a value.
    ///
    /// # Errors
    /// [`CkksLutError::Tables`] for tables that the set is too small for, [`CkksLutError::SlotWhole`] for tables
    /// that it would evaluate whole, of more than 2^10 entries; as [`Basis::new`].
    pub fn slots(params: &TableParams, transforms: &Transforms, tables: Arc<SlotTables>) -> Result<Self, LutError> {
        let (p, max) = (tables.in_modulus(), 1u64 << params.literal().bits);
        if p > max {
            return Err(CkksLutError::Tables { found: vec![p as usize], max: max as usize }.into());
        }
        if p > MAX_WHOLE && p <= params.literal().whole() {
            return Err(CkksLutError::SlotWhole { found: p, max: MAX_WHOLE, params: params.name().into() }.into());
        }
        let basis = Basis::new(params, transforms, p, 0)?;
        let log2_slot_factor = params.literal().log2_slot_factor;
        Ok(Self { basis, coefficients: Coefficients::Slots(tables), log2_slot_factor })
    }

    /// An encrypted table.
    ///
    /// # Errors
    /// [`CkksLutError::OtherSet`] for a table of another set's levels.
    pub fn encrypted(
        params: &TableParams,
        transforms: &Transforms,
        table: Arc<EncryptedTable>,
    ) -> Result<Self, LutError> {
        let basis = table.shape().clone();
        let levels = basis.levels(params, transforms);
        let parts = table.coefficients().chunks(levels.len());
        if !parts.into_iter().all(|part| part.iter().map(SeededCiphertext::level).eq(levels.iter().copied())) {
            return Err(CkksLutError::OtherSet { params: params.name().into() }.into());
        }
        let log2_slot_factor = params.literal().log2_slot_factor;
        Ok(Self { basis, coefficients: Coefficients::Encrypted(table), log2_slot_factor })
    }

    /// p.
    #[must_use]
    pub fn in_modulus(&self) -> u64 {
        self.basis.entries()
    }

    /// p'.
    #[must_use]
    pub fn out_modulus(&self) -> u64 {
        match &self.coefficients {
            Coefficients::Slots(tables) => tables.out_modulus(),
            Coefficients::Encrypted(table) => table.out_modulus(),
        }
    }

    /// How many values it is for, if that is given.
    #[must_use]
    pub fn values(&self) -> Option<usize> {
        match &self.coefficients {
            Coefficients::Slots(tables) => Some(tables.len()),
            Coefficients::Encrypted(table) => table.values(),
        }
    }

    /// The method of evaluation: "digits 16 x 16, plaintext coefficients".
    #[must_use]
    pub fn method(&self) -> String {
        let what = match &self.coefficients {
            Coefficients::Slots(_) => "plaintext coefficients",
            Coefficients::Encrypted(_) => "encrypted coefficients",
        };
        match &self.basis {
            Basis::Whole(_) => format!("functional bootstrapping, {what}"),
            Basis::Digits(shape) => format!("digits {shape}, {what}"),
        }
    }

    /// The digits, if it is evaluated by digits.
    #[must_use]
    pub fn digits(&self) -> Option<&Shape> {
        match &self.basis {
            Basis::Whole(_) => None,
            Basis::Digits(shape) => Some(shape),
        }
    }

    /// The circuit, if it is evaluated whole.
    #[must_use]
    pub fn circuit(&self) -> Option<&ArithmeticCircuit> {
        match &self.basis {
            Basis::Whole(whole) => Some(&whole.circuit),
            Basis::Digits(_) => None,
        }
    }

    /// Whether coefficients are ciphertexts.
    #[must_use]
    pub fn is_encrypted(&self) -> bool {
        matches!(self.coefficients, Coefficients::Encrypted(_))
    }

    /// Bytes of tables or of their ciphertexts.
    #[must_use]
    pub fn bytes(&self, params: &TableParams) -> u64 {
        let of = |c: &SeededCiphertext| SeededCiphertext::bytes(params.ckks(), c.level());
        match &self.coefficients {
            Coefficients::Slots(tables) => tables.bytes(),
            Coefficients::Encrypted(table) => table.coefficients().iter().map(of).sum(),
        }
    }

    /// Bytes that the coefficients of a row, or of a combination, take while they are used, of one
    /// ciphertext.
    #[must_use]
    pub fn workspace(&self, params: &TableParams) -> u64 {
        let (degree, top) = (params.capacity() as u64, params.ckks().max_level() as u64 + 1);
        let numbers = match &self.basis {
            Basis::Digits(shape) => (ROWS * shape.columns()) as u64 + PLAINTEXTS as u64 * top,
            // In both halves, complex numbers.
            Basis::Whole(whole) => {
                let terms = |gate: &Gate| match gate {
                    Gate::Combination { terms, .. } => terms.len() as u64 + 1,
                    _ => 0,
                };
                2 * whole.circuit.gates().iter().map(terms).max().unwrap_or(0) + 2 * PLAINTEXTS as u64 * top
            }
        };
        8 * degree * if self.is_encrypted() { 4 * top } else { numbers }
    }

    /// The error of coefficients, which is the same in all results of the same messages: the largest
    /// error, but for 2^-140, and its variance, as parts of half the distance of messages.
    ///
    /// With weights w the errors of a plaintext's coefficients, which are rounded by chance, come to at most t·√(Σw²)/2
    /// ([`DITHERED`]), and are of variance Σw²/6 where the coefficients have no structure. Who encrypts a table chooses
    /// what is rounded: it comes to at most Σ|w|/2, and its noise to t·σ·√(Σw²).
    fn rounding(&self, params: &TableParams, transforms: &Transforms) -> [f64; 2] {
        let (ckks, unit) = (params.ckks(), 2.0 * self.out_modulus() as f64);
        let degree = ckks.degree() as f64;
        // Σw² of all coefficients of plaintexts, and Σ|w|.
        let [squares, sizes] = match &self.basis {
            // 2·Re of a sum of coefficients times |z^j| = 1.
            Basis::Whole(_) => {
                let of = |level: usize| match self.is_encrypted() {
                    true => ckks.scale(level).recip(),
                    false => (ckks.scale(level - 1) * ckks.prime(level) / ckks.scale(level)).recip(),
                };
                let levels = self.basis.levels(params, transforms).into_iter().filter(|&level| level > 0).map(of);
                let add =
                    |[squares, sizes]: [f64; 2], x: f64| [squares + 2.0 * degree * x * x, sizes + 2.0 * degree * x];
                levels.fold([0.0; 2], add)
            }
            // Σφ² of the characters of a digit is ⌊p/2⌋ + 1; A and B, and both halves.
            Basis::Digits(shape) => {
                let squares =
                    |digits: &[usize]| digits.iter().map(|&i| (shape.moduli()[i] / 2 + 1) as f64).product::<f64>();
                // What multiplies 1 is exact, unless it is encrypted.
                let first = if self.is_encrypted() { 0.0 } else { 1.0 };
                let squares = squares(shape.summed()) * (squares(shape.factors()) - first);
                let scale = match self.is_encrypted() {
                    true => ckks.scale(params.sums_level() + shape.summed().len()),
                    false => 1.0,
                };
                let parts = if self.values().is_some() { 2.0 } else { 1.0 };
                let factor = scale * params.matrix_factor();
                // What a character of both halves multiplies is at most √2, and Σ|φ| is at most √(p·Σφ²).
                let sizes = parts * degree * (2.0 * squares * shape.entries() as f64).sqrt() / factor;
                [parts * degree * squares / factor.powi(2), sizes]
            }
        };
        let (most, variance) = match self.is_encrypted() {
            true => (0.5 * sizes + ErrorBound::TAIL * NOISE_STD * squares.sqrt(), NOISE_STD * NOISE_STD + 1.0 / 12.0),
            false => (0.5 * DITHERED * squares.sqrt(), 1.0 / 6.0),
        };
        [unit * most, unit * unit * variance * squares]
    }

    /// Noise and failure of results, of any entries, for inputs in ciphertexts modulo 2^`log2_modulus` with
    /// errors of `input` turns: errors are those of the worst table, the standard deviation is that of tables
    /// without structure.
    ///
    /// # Errors
    /// As [`LargeNoise::predict_any`].
    pub fn predict(
        &self,
        params: &TableParams,
        transforms: &Transforms,
        log2_modulus: u32,
        input: ErrorBound,
    ) -> Result<Promise, LutError> {
        let rounding = self.rounding(params, transforms);
        let (p, q) = (self.in_modulus(), self.out_modulus());
        match &self.basis {
            Basis::Whole(_) => {
                let promise = |lut: Lut| {
                    let tables = PreparedTables::new(params, &[lut])?;
                    Ok::<_, LutError>(TableNoise::predict(params, transforms, &tables, input).remove(0))
                };
                let worst = TableNoise::any(params, transforms, [p, q], input)?.with_bias(rounding[0]);
                // Tables without structure modulo p', more of small ones.
                let count = (SAMPLED / p).max(1);
                let entries = Lut::unstructured_modulo(count * p);
                let entries: Vec<u64> = entries.values().iter().map(|v| v * q / (count * p)).collect();
                let mut variance = rounding[1];
                for values in entries.chunks(p as usize) {
                    let noise = promise(Lut::modular(values.to_vec(), q)?)?;
                    variance += noise.std().powi(2) / count as f64;
                }
                Ok(Promise { result: worst.result(), std: variance.sqrt(), log2_failure: worst.log2_failure() })
            }
            Basis::Digits(shape) => {
                let noise = LargeNoise::predict_any(params, transforms, shape, q, rounding, log2_modulus, input)?;
                Ok(Promise { result: noise.result(), std: noise.std(), log2_failure: noise.log2_failure() })
            }
        }
    }
}

/// Rows of a table on the values of one ciphertext.
struct VariedRows<'a> {
    table: &'a VariedTable,
    shape: &'a Shape,
    /// The number of the ciphertext.
    ciphertext: usize,
}

impl VariedRows<'_> {
    fn make(
        &self,
        bootstrap: &FunctionalBootstrap,
        columns: &[CkksCiphertext],
        rows: Range<usize>,
    ) -> Result<Vec<CkksCiphertext>, LutError> {
        match &self.table.coefficients {
            Coefficients::Slots(tables) => self.slots(tables, bootstrap, columns, rows),
            Coefficients::Encrypted(table) => rows.map(|a| self.encrypted(table, bootstrap, columns, a)).collect(),
        }
    }

    fn encrypted(
        &self,
        table: &EncryptedTable,
        bootstrap: &FunctionalBootstrap,
        columns: &[CkksCiphertext],
        a: usize,
    ) -> Result<CkksCiphertext, LutError> {
        let (evaluator, params) = (bootstrap.evaluator(), bootstrap.params().ckks());
        let (first, x) = (a * self.shape.columns(), columns);
        let expand = |part, i| table.part(self.ciphertext, part, i).expand(params, x[0].key_id());
        let sum = |part| {
            let terms = (1..=x.len()).map(|b| expand(part, first + b)).zip(x);
            evaluator.sum_of_made_products(x[0].level(), terms)
        };
        let mut all = evaluator.add(&sum(0)?, &expand(0, first))?;
        if table.values().is_some() {
            all = evaluator.add(&all, &evaluator.conjugate(&sum(1)?)?)?;
        }
        Ok(all)
    }

    fn slots(
        &self,
        tables: &SlotTables,
        bootstrap: &FunctionalBootstrap,
        columns: &[CkksCiphertext],
        rows: Range<usize>,
    ) -> Result<Vec<CkksCiphertext>, LutError> {
        let (evaluator, params, width) = (bootstrap.evaluator(), bootstrap.params(), self.shape.columns());
        let factor = params.matrix_factor() / tables.out_modulus() as f64;
        let (x, count): (Vec<&CkksCiphertext>, _) = (columns.iter().collect(), rows.len());
        let first_row = rows.start;
        let (level, scale) = (x[0].level(), x[0].scale());
        let at = [params.capacity(), self.ciphertext];
        let [low, high] = row_coefficients(self.shape, tables, at, rows, factor);
        let row = |a: usize| {
            // Those of b, in all slots.
            let of = |b: usize| {
                let at = move |all: &[f64]| all[a * width + b];
                low.chunks_exact(count * width).map(at).zip(high.chunks_exact(count * width).map(at))
            };
            let direct = |i: usize| of(i + 1).map(|(x, y)| (0.5 * (x + y)).into()).collect();
            let mirrored = |i: usize| of(i + 1).map(|(x, y)| (0.5 * (x - y)).into()).collect();
            // One for each plaintext of a vector.
            let number = (self.ciphertext * self.shape.rows() + first_row + a) * 2;
            let dither = |part: usize| move |i: usize| tables.dither(((number + part) * width + i) as u64);
            let direct = evaluator.sum_of_plain_products(&x, level, scale, direct, dither(0))?;
            let mirrored = evaluator.sum_of_plain_products(&x, level, scale, mirrored, dither(1))?;
            let mirrored = evaluator.conjugate(&mirrored)?;
            let first: Vec<Complex64> = of(0).map(|(x, y)| Complex64::new(x, y)).collect();
            Ok(evaluator.add_plain(&evaluator.add(&direct, &mirrored)?, &first)?)
        };
        (0..count).map(row).collect()
    }
}

/// The coefficients of one half of the values of a ciphertext.
struct HalfOf<'a> {
    bootstrap: &'a FunctionalBootstrap,
    whole: &'a Whole,
    coefficients: &'a Coefficients,
    ciphertext: usize,
    half: usize,
}

impl Combine for HalfOf<'_> {
    fn combine(
        &self,
        terms: &[(&CkksCiphertext, Complex64)],
        constant: Complex64,
        level: usize,
    ) -> Result<CkksCiphertext, CkksError> {
        let (evaluator, params) = (self.bootstrap.evaluator(), self.bootstrap.params().ckks());
        let names: Vec<usize> = terms.iter().filter_map(|(_, c)| named(*c)).collect();
        let x: Vec<&CkksCiphertext> = terms.iter().map(|(x, _)| *x).collect();
        match self.coefficients {
            Coefficients::Encrypted(table) => {
                let part = |j| table.part(self.ciphertext, self.half, j);
                let expand = |j: usize| part(j).expand(params, x[0].key_id());
                let terms = names.iter().map(|&j| expand(j)).zip(x.iter().copied());
                let sum = evaluator.sum_of_made_products(level + 1, terms)?;
                named(constant).map_or(Ok(sum.clone()), |j| evaluator.add(&sum, &expand(j)))
            }
            Coefficients::Slots(tables) => {
                let all: Vec<usize> = names.iter().copied().chain(named(constant)).collect();
                let at = [self.bootstrap.params().capacity(), self.ciphertext, self.half];
                let (values, width) = (power_coefficients(self.whole, tables, at, &all), all.len());
                let column = |i: usize| values.chunks_exact(width).map(|row| row[i]).collect::<Vec<_>>();
                let scale = params.scale(level) * params.prime(level + 1);
                let number = (2 * self.ciphertext + self.half) * self.whole.delta.coefficients().len();
                let dither = |i: usize| tables.dither((number + names[i]) as u64);
                let mut sum = evaluator.sum_of_plain_products(&x, level + 1, scale, column, dither)?;
                if width > names.len() {
                    sum = evaluator.add_plain(&sum, &column(width - 1))?;
                }
                evaluator.rescale(&sum)
            }
        }
    }
}

impl FunctionalBootstrap {
    /// The values of ciphertext number `ciphertext` of a vector, each by its table or all by an encrypted
    /// one; results modulo p' in ciphertexts modulo 2^log2_modulus of the set.
    ///
    /// # Errors
    /// [`CkksLutError::Input`] unless messages are as many as entries; [`CkksLutError::OtherSet`] for a table
    /// that was prepared with another set; what the evaluator refuses.
    pub fn evaluate_varied(
        &self,
        table: &VariedTable,
        input: &RlweCiphertext,
        ciphertext: usize,
        mut watch: impl FnMut(BootstrapStep),
    ) -> Result<RlweCiphertext, LutError> {
        let params = self.params();
        if table.log2_slot_factor != params.literal().log2_slot_factor {
            return Err(CkksLutError::OtherSet { params: params.name().into() }.into());
        }
        let whole = match &table.basis {
            Basis::Whole(whole) => whole,
            Basis::Digits(shape) => {
                check_levels(shape, params, self.transforms())?;
                let rows = VariedRows { table, shape, ciphertext };
                let make = Box::new(|columns: &[CkksCiphertext], some| rows.make(self, columns, some));
                let rows = Rows { out_modulus: table.out_modulus(), together: ROWS, make };
                let mut results = self.evaluate_rows(shape, &[rows], input, |_, step| watch(step))?;
                return Ok(results.swap_remove(0));
            }
        };
        self.check_input(table.in_modulus(), input)?;
        let [low, high] = self.circle(&input.to_base(params.ckks().ring())?, &mut watch)?;
        watch(BootstrapStep::EvalLut);
        let of = |z: CkksCiphertext, half| {
            let coefficients = &table.coefficients;
            let combine = HalfOf { bootstrap: self, whole, coefficients, ciphertext, half };
            Ok::<_, CkksError>(
                self.evaluator().evaluate_with(&whole.circuit, &[&z], Some(&combine), |_, _| ())?.remove(0),
            )
        };
        let joined = self.joined(&of(low, 0)?, &of(high, 1)?)?;
        watch(BootstrapStep::SlotsToCoeffs);
        self.to_rlwe(&joined, RlweEncoding::new(table.out_modulus(), params.literal().log2_modulus)?, input.count())
    }
}
