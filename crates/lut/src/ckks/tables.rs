//! Tables on the same inputs, whole or by digits, whichever the set is made for.
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use bootes_lattice::port::RlweCiphertext;
use bootes_lattice::rns::MaskStorage;
use bootes_schemes::ckks::bootstrap::{BootstrapStep, Transforms};
use bootes_schemes::ckks::noise::ErrorBound;
use bootes_schemes::cost::Residues;
use rayon::prelude::*;

use self::digits::Readings;
use self::digits::{ROWS, Shape};
use self::varied::varied_evaluation;
use super::{FunctionalBootstrap, LargeNoise, LargeTable, PreparedTables, TableNoise, TableParams, VariedTable, cost};
use crate::planning;
use crate::{CkksLutError, Lut, LutError};

pub mod basis;
pub mod digits;
pub mod encrypted;
pub mod per_slot;
pub mod varied;
pub mod whole;

/// Tables prepared for evaluation on the same inputs.
#[derive(Debug)]
pub enum Tables {
    /// Each as one polynomial.
    Whole(PreparedTables),
    /// By digits, all of one shape.
    Digits(Vec<LargeTable>),
    /// One whose coefficients differ from value to value, or are encrypted.
    Varied(Box<VariedTable>),
}

/// Noise and failure of the results of a table.
#[derive(Debug, Clone, Copy)]
pub struct Promise {
    /// The bound on their errors, in turns.
    pub result: ErrorBound,
    /// The standard deviation over uniform inputs, as a part of half the distance of messages.
    pub std: f64,
    /// log2 of the probability that a value of the worst entry is wrong, in the worst slot of the worst key.
    pub log2_failure: f64,
}

impl Tables {
    /// Prepares tables of equally many entries: those that are too large to be evaluated whole by the digits of
    /// least predicted time.
    ///
    /// # Errors
    /// As [`PreparedTables::new`], [`cost::shapes`], [`LargeTable::new`].
    pub fn new(params: &TableParams, transforms: &Transforms, luts: &[Lut]) -> Result<Self, LutError> {
        Self::prepare(params, luts, |entries| Ok(cost::shapes(params, transforms, entries)?.swap_remove(0)))
    }

    /// The same of several groups, the shape of so many entries found once for all.
    ///
    /// # Errors
    /// As [`Tables::new`].
    pub fn of_groups(
        params: &TableParams,
        transforms: &Transforms,
        groups: &[Vec<Lut>],
    ) -> Result<Vec<Self>, LutError> {
        let mut shapes: HashMap<u64, Shape> = HashMap::new();
        let mut shape = |entries| match shapes.get(&entries) {
            Some(shape) => Ok(shape.clone()),
            None => {
                let best = cost::shapes(params, transforms, entries)?.swap_remove(0);
                Ok(shapes.entry(entries).or_insert(best).clone())
            }
        };
        let prepare = |luts: &Vec<Lut>| planning::wanted().and_then(|()| Self::prepare(params, luts, &mut shape));
        groups.iter().map(prepare).collect()
    }

    fn prepare(
        params: &TableParams,
        luts: &[Lut],
        shape: impl FnOnce(u64) -> Result<Shape, LutError>,
    ) -> Result<Self, LutError> {
        let sizes: Vec<usize> = luts.iter().map(|lut| lut.values().len()).collect();
        let literal = params.literal();
        match sizes.first() {
            Some(&entries) if entries as u64 > literal.whole() => {
                let max = 1 << literal.bits;
                if entries > max || sizes.iter().any(|&size| size != entries) {
                    return Err(CkksLutError::Tables { found: sizes, max }.into());
                }
                Self::by(params, luts, &shape(entries as u64)?)
            }
            _ => Ok(Self::Whole(PreparedTables::new(params, luts)?)),
        }
    }

    /// Prepares tables for digits of this shape.
    ///
    /// # Errors
    /// As [`LargeTable::new`].
    pub fn by(params: &TableParams, luts: &[Lut], shape: &Shape) -> Result<Self, LutError> {
        let tables = luts.iter().map(|lut| LargeTable::new(params, lut, shape)).collect::<Result<_, _>>()?;
        Ok(Self::Digits(tables))
    }

    /// Bytes that they take; of a table for each slot its own are in its workspace.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match self {
            Self::Whole(tables) => tables.bytes(),
            Self::Digits(tables) => tables.iter().map(LargeTable::bytes).sum(),
            Self::Varied(_) => 0,
        }
    }

    /// The method of evaluation: "functional bootstrapping", "digits 16 x 16 x 32".
    #[must_use]
    pub fn method(&self) -> String {
        match self {
            Self::Whole(_) => "functional bootstrapping".into(),
            Self::Digits(tables) => format!("digits {}", tables[0].shape()),
            Self::Varied(table) => table.method(),
        }
    }

    /// Times that something goes through the circle.
    #[must_use]
    pub fn bootstraps(&self) -> usize {
        match self {
            Self::Whole(_) => 1,
            Self::Digits(tables) => tables[0].shape().moduli().len(),
            Self::Varied(table) => table.digits().map_or(1, |shape| shape.moduli().len()),
        }
    }

    /// p.
    #[must_use]
    pub fn in_modulus(&self) -> u64 {
        match self {
            Self::Whole(tables) => tables.in_modulus(),
            Self::Digits(tables) => tables[0].shape().entries(),
            Self::Varied(table) => table.in_modulus(),
        }
    }

    /// p' of each.
    #[must_use]
    pub fn out_moduli(&self) -> Vec<u64> {
        match self {
            Self::Whole(tables) => tables.out_moduli().to_vec(),
            Self::Digits(tables) => tables.iter().map(LargeTable::out_modulus).collect(),
            Self::Varied(table) => vec![table.out_modulus()],
        }
    }

    /// Noise and failure of the results of each table, for inputs in ciphertexts modulo 2^`log2_modulus` with errors of
    /// `input` turns.
    ///
    /// # Errors
    /// As [`LargeNoise::predict`].
    pub fn predict(
        &self,
        params: &TableParams,
        transforms: &Transforms,
        log2_modulus: u32,
        input: ErrorBound,
    ) -> Result<Vec<Promise>, LutError> {
        self.reading(params, transforms, (log2_modulus, input), &mut Readings::default())
    }

    /// [`Self::predict`], with what was read for other tables of the same set.
    pub(super) fn reading(
        &self,
        params: &TableParams,
        transforms: &Transforms,
        (log2_modulus, input): (u32, ErrorBound),
        readings: &mut Readings,
    ) -> Result<Vec<Promise>, LutError> {
        match self {
            Self::Whole(tables) => {
                let of = |noise: &TableNoise| Promise {
                    result: noise.result(),
                    std: noise.std(),
                    log2_failure: noise.log2_failure(),
                };
                Ok(TableNoise::predict(params, transforms, tables, input).iter().map(of).collect())
            }
            Self::Digits(tables) => {
                let of = |table| {
                    let noise = LargeNoise::reading(params, transforms, table, (log2_modulus, input), readings)?;
                    Ok(Promise { result: noise.result(), std: noise.std(), log2_failure: noise.log2_failure() })
                };
                tables.iter().map(of).collect()
            }
            Self::Varied(table) => Ok(vec![table.predict(params, transforms, log2_modulus, input)?]),
        }
    }

    /// [`Self::predict`], if results keep the promise of the set.
    ///
    /// # Errors
    /// [`CkksLutError::Noise`] if a value of some table is wrong more often than [`TableParams::log2_p_fail`].
    pub fn promised(
        &self,
        params: &TableParams,
        transforms: &Transforms,
        log2_modulus: u32,
        input: ErrorBound,
    ) -> Result<Vec<Promise>, LutError> {
        let (all, promised) = (self.predict(params, transforms, log2_modulus, input)?, params.log2_p_fail());
        match all.iter().position(|promise| promise.log2_failure > promised) {
            Some(table) => {
                let found = all[table].log2_failure;
                Err(CkksLutError::Noise { table, found, promised, params: params.name().into() }.into())
            }
            None => Ok(all),
        }
    }

    /// How many tables in a row keep the promise of a set, each on results of the one before, up to `most`, and what
    /// is known of the first one's results, whatever the tables are.
    ///
    /// # Errors
    /// As the set.
    pub fn chain(params: &TableParams, transforms: &Transforms, most: u32) -> Result<(u32, ErrorBound), LutError> {
        let literal = params.literal();
        if literal.digits.is_empty() {
            return TableNoise::chain(params, transforms, most);
        }
        let entries = 1 << literal.bits;
        let shape = &cost::shapes(params, transforms, entries)?[0];
        let table = LargeTable::new(params, &Lut::unstructured(literal.bits), shape)?;
        let rounding = [LargeTable::most_rounding(params, shape, entries), table.rounding_variance()];
        let predict = |input| {
            let noise =
                LargeNoise::predict_any(params, transforms, shape, entries, rounding, literal.log2_modulus, input)?;
            Ok::<_, LutError>(Promise { result: noise.result(), std: noise.std(), log2_failure: noise.log2_failure() })
        };
        let first = predict(params.fresh_error(literal.log2_modulus))?;
        let (mut count, mut last) = (0, first);
        while count < most && last.log2_failure <= params.log2_p_fail() {
            let next = predict(last.result)?;
            // Converged: so it goes on.
            let change = (next.result.bias - last.result.bias).abs();
            let goes_on = next.log2_failure <= params.log2_p_fail() && change <= 1e-9 * next.result.bias;
            (count, last) = (if goes_on { most } else { count + 1 }, next);
        }
        Ok((count, first.result))
    }

    /// The work of all that `watch` of [`FunctionalBootstrap::evaluate_tables`] hears of, in the same order.
    ///
    /// # Errors
    /// As circuits.
    pub fn work(
        &self,
        params: &TableParams,
        transforms: &Transforms,
        masks: MaskStorage,
    ) -> Result<Vec<(BootstrapStep, Residues)>, LutError> {
        let steps = |work: [Residues; BootstrapStep::ALL.len()]| BootstrapStep::ALL.into_iter().zip(work);
        let tables = match self {
            Self::Whole(tables) => return Ok(steps(cost::evaluation(params, transforms, tables, masks)?).collect()),
            Self::Digits(tables) => tables,
            Self::Varied(table) => return varied_evaluation(params, transforms, table, masks),
        };
        let shape = tables[0].shape();
        let work = cost::large_evaluation(params, transforms, shape, masks)?;
        let mut all: Vec<_> = work.digits.into_iter().flat_map(steps).collect();
        // The last digit has no way back.
        all.pop();
        all.push((BootstrapStep::EvalLut, work.columns));
        let pieces = shape.rows().div_ceil(ROWS);
        for _ in tables {
            let piece = (BootstrapStep::EvalLut, work.sums * (1.0 / pieces as f64));
            all.extend(std::iter::repeat_n(piece, pieces));
            all.push((BootstrapStep::SlotsToCoeffs, work.back));
        }
        Ok(all)
    }
}

impl FunctionalBootstrap {
    /// For each table the ciphertext of f(m) modulo p', of ciphertext number `number` of a vector. `watch`
    /// hears of every step as it begins.
    ///
    /// # Errors
    /// As [`Self::evaluate_rlwe`], [`Self::evaluate_large`], [`Self::evaluate_varied`].
    pub fn evaluate_tables(
        &self,
        tables: &Tables,
        input: &RlweCiphertext,
        number: usize,
        mut watch: impl FnMut(BootstrapStep),
    ) -> Result<Vec<RlweCiphertext>, LutError> {
        match tables {
            Tables::Whole(tables) => self.evaluate_rlwe(tables, input, watch),
            Tables::Digits(tables) => self.evaluate_large(tables, input, |_, step| watch(step)),
            Tables::Varied(table) => Ok(vec![self.evaluate_varied(table, input, number, watch)?]),
        }
    }

    /// [`Self::evaluate_tables`] of each input, from number `first` of a vector on, at most `together` at
    /// once: what one of them cannot share among threads, they do side by side. `watch` hears of every step
    /// of every input as it begins, from any thread.
    ///
    /// # Errors
    /// As [`Self::evaluate_tables`].
    pub fn evaluate_all(
        &self,
        tables: &Tables,
        inputs: &[RlweCiphertext],
        first: usize,
        together: usize,
        watch: impl Fn(usize, BootstrapStep) + Sync,
    ) -> Result<Vec<Vec<RlweCiphertext>>, LutError> {
        side_by_side(inputs.len(), together, |i| {
            self.evaluate_tables(tables, &inputs[i], first + i, |step| watch(i, step))
        })
    }
}

/// The results of `work` on 0, …, `count` − 1, at most `together` at once.
///
/// # Errors
/// One that `work` returns, after which no other begins.
pub fn side_by_side<T: Send>(
    count: usize,
    together: usize,
    work: impl Fn(usize) -> Result<T, LutError> + Sync,
) -> Result<Vec<T>, LutError> {
    let next = AtomicUsize::new(0);
    let work_next = || {
        let i = next.fetch_add(1, Ordering::Relaxed);
        if i >= count {
            return None;
        }
        let output = work(i);
        if output.is_err() {
            next.store(count, Ordering::Relaxed);
        }
        Some(output.map(|output| (i, output)))
    };
    let worker = |_| std::iter::from_fn(work_next).collect::<Result<Vec<_>, _>>();
    let outputs: Result<Vec<_>, _> = (0..together.clamp(1, count.max(1))).into_par_iter().map(worker).collect();
    let mut outputs: Vec<_> = outputs?.into_iter().flatten().collect();
    outputs.sort_by_key(|&(i, _)| i);
    Ok(outputs.into_iter().map(|(_, output)| output).collect())
}
