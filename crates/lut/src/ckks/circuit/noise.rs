//! The noise of circuits: that of tables of registers ([`Tables::predict`](crate::ckks::Tables::predict)) and of
//! digits ([`TableNoise`]), and of the sums of products that these go into.
//!
//! The bound adds variances of what has no source in common, and else standard deviations: of related operands, of
//! tables of one register or digit, which share the circle's noise, and of what was made of them. Bootstraps of
//! different ciphertexts share nothing, and what is left of the errors of their inputs is a bias. The error of a sum of
//! products 4g·Σe of a sign and digits, |4g| ≤ 1, is at most that of Σe, times 1 + 4·|error of g|, and 4·|Σe| times
//! that of g.
use bootes_lattice::noise::failure::sum_log2;
use bootes_schemes::ckks::bootstrap::Transforms;
use bootes_schemes::ckks::noise::{ErrorBound, SlotNoise};

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::Hash;
use std::sync::Arc;

use super::{Circuit, Digit, Source, Step};
use crate::LutError;
use crate::ckks::noise::{LOG2_BEYOND, WayBack};
use crate::ckks::tables::digits::Readings;
use crate::ckks::tables::whole::centred;
use crate::ckks::{TableNoise, TableParams};
use crate::planning;

/// The predicted errors of the results of a circuit.
#[derive(Debug, Clone)]
pub struct CircuitBounds {
    /// Limb by limb: the bound, and the variance over uniform inputs.
    results: Vec<Vec<(ErrorBound, f64)>>,
    log2_failure: f64,
}

/// An error in turns, and of values in slots what they are multiplied by others for.
#[derive(Debug, Clone, Copy, Default)]
struct Error {
    bound: ErrorBound,
    /// Over uniform inputs.
    variance: f64,
    /// The mean square of the value, and its largest absolute value.
    square: f64,
    most: f64,
    /// In slots.
    level: usize,
    /// The source of the digit that it is a table of, in slots.
    source: Source,
}

impl Error {
    fn of(bound: ErrorBound) -> Self {
        Self { bound, variance: bound.noise.mean(), ..Self::default() }
    }

    fn times(self, factor: f64) -> Self {
        Self { bound: self.bound.times(factor), variance: self.variance * factor * factor, ..self }
    }

    /// The error of a sum, whose bound is given.
    fn plus(self, other: Self, bound: ErrorBound) -> Self {
        Self {
            bound,
            variance: self.variance + other.variance,
            square: self.square + other.square,
            most: self.most + other.most,
            level: self.level.min(other.level),
            source: self.source,
        }
    }

    /// With noise of its own.
    fn with(self, noise: SlotNoise) -> Self {
        let bound = self.bound.plus(ErrorBound::unbiased(noise));
        Self { bound, variance: self.variance + noise.mean(), ..self }
    }

    /// The error of 4·g·e but for the bound, |4g| ≤ 1.
    fn product(g: Self, e: Self) -> Self {
        Self {
            variance: 16.0 * (g.square * e.variance + e.square * g.variance),
            square: 16.0 * g.square * e.square,
            most: e.most,
            level: g.level.min(e.level),
            ..Self::default()
        }
    }
}

impl CircuitBounds {
    /// The prediction for operands with errors of `inputs` turns, those of each of their limbs. Operands that are
    /// `related` come from one encryption or evaluation, or their limbs do: what this one adds may be in one of them
    /// already, and digits of two may be those of one.
    ///
    /// # Errors
    /// As the set.
    ///
    /// # Panics
    /// Unless there is an input for each operand.
    pub fn predict(
        params: &TableParams,
        transforms: &Transforms,
        circuit: &Circuit,
        inputs: &[ErrorBound],
        related: bool,
    ) -> Result<Self, LutError> {
        let (ckks, log2_modulus) = (params.ckks(), params.literal().log2_modulus);
        let u = ckks.max_slot_value();
        assert_eq!(inputs.len(), circuit.operands());
        let mut registers = vec![Error::default(); circuit.registers];
        let mut sources: Vec<BTreeSet<Source>> = vec![BTreeSet::new(); circuit.registers];
        let operands = circuit.operands.iter().zip(inputs).enumerate();
        let limbs = operands.flat_map(|(source, (limbs, &bound))| limbs.iter().map(move |_| (source, bound)));
        for (i, (source, bound)) in limbs.enumerate() {
            registers[i] = Error::of(bound);
            sources[i].insert(if related { 0 } else { source });
        }
        // What this one adds may be in one of related operands already.
        let with_related = |source| BTreeSet::from([source, if related { 0 } else { source }]);
        let mut values = vec![Error::default(); circuit.values];
        // In chains the same tables have inputs with the same errors.
        let (mut of_batches, mut of_digits) = (Known::default(), Known::default());
        // What is beyond the bounds of digits and tables.
        let (mut failures, mut readings) = (Vec::new(), Readings::default());
        for step in &circuit.steps {
            planning::wanted()?;
            match step {
                Step::Sum { to, terms, constant, .. } => {
                    let mut sum = Error::default();
                    let mut of = BTreeSet::new();
                    for (n, &(i, factor)) in terms.iter().enumerate() {
                        let term = registers[i].times(factor as f64);
                        let bound = match sources[i].is_disjoint(&of) {
                            _ if n == 0 => term.bound,
                            true => sum.bound.plus(term.bound),
                            false => sum.bound.plus_dependent(term.bound, u),
                        };
                        sum = if n == 0 { term } else { sum.plus(term, bound) };
                        of.extend(&sources[i]);
                    }
                    if *constant != 0 {
                        sum.bound.bias += 0.5 * f64::exp2(-f64::from(log2_modulus));
                    }
                    (registers[*to], sources[*to]) = (sum, of);
                }
                Step::Tables { register, batch, to, source } => {
                    let (_, tables) = &circuit.tables[*batch];
                    let input = (log2_modulus, registers[*register].bound);
                    let read = || tables.reading(params, transforms, input, &mut readings);
                    let promises = of_batches.of(*batch, input.1, read)?;
                    for ((&to, promise), p) in to.iter().zip(promises).zip(tables.out_moduli()) {
                        let variance = (promise.std * 0.5 / p as f64).powi(2);
                        registers[to] = Error { bound: promise.result, variance, ..Error::default() };
                        sources[to] = with_related(*source);
                        failures.push(promise.log2_failure);
                    }
                }
                Step::Digit(digit) => {
                    let register = registers[digit.register];
                    let low = register.bound.times(f64::from(digit.message_bits - digit.bits).exp2());
                    let read = || Ok(digit_errors(params, transforms, digit, low));
                    let (slots, itself) = of_digits.of(Arc::as_ptr(&digit.tables), low, read)?;
                    let slots = slots.into_iter().map(|error| Error { source: digit.source, ..error });
                    values[digit.first..].iter_mut().zip(slots).for_each(|(value, error)| *value = error);
                    failures.push(LOG2_BEYOND);
                    if !digit.is_last() {
                        registers[digit.register] = register.plus(itself, register.bound.plus(itself.bound));
                        sources[digit.register].extend(with_related(digit.source));
                    }
                }
                Step::Collect { to, values: terms, products, .. } => {
                    let mut result = Error { level: usize::MAX, ..Error::default() };
                    let mut bounds = BTreeMap::<Source, ErrorBound>::new();
                    let mut factors = BTreeMap::<usize, f64>::new();
                    let mut add = |i: usize, bound: ErrorBound| {
                        // Digits of related operands may be of one ciphertext.
                        let of_digit = bounds.entry(if related { 0 } else { values[i].source }).or_default();
                        *of_digit = of_digit.plus_dependent(bound, u);
                    };
                    for &[g, e] in products {
                        result = result.plus(Error::product(values[g], values[e]), result.bound);
                        add(e, values[e].bound.times(1.0 + 4.0 * values[g].bound.most(u)));
                        *factors.entry(g).or_default() += values[e].most;
                    }
                    for (g, most) in factors.into_iter().filter(|&(_, most)| most > 0.0) {
                        add(g, values[g].bound.times(4.0 * most));
                    }
                    if !products.is_empty() {
                        // A and B times the terms, and the conjugation of one sum; pairs of values have the error.
                        result.level -= 1;
                        let noise = ckks.product_noise(result.level) * 2.0
                            + ckks.rotation_noise(result.level, ckks.scale(result.level));
                        result = result.with(noise * 0.5);
                    }
                    for &i in terms {
                        result = result.plus(values[i], result.bound);
                        add(i, values[i].bound);
                    }
                    result.bound = bounds.values().copied().fold(result.bound, ErrorBound::plus);
                    let squares = [result.square, result.most * result.most];
                    let back = WayBack::new(params, transforms, result.level, log2_modulus, squares);
                    result = result.with(back.noise);
                    result.bound.bias += back.fixed;
                    (registers[*to], sources[*to]) = (result, bounds.into_keys().flat_map(with_related).collect());
                }
            }
        }
        let of = |&(i, _): &(usize, u64)| (params.at_least(registers[i].bound, log2_modulus), registers[i].variance);
        let results: Vec<Vec<(ErrorBound, f64)>> =
            circuit.results.iter().map(|limbs| limbs.iter().map(of).collect()).collect();
        let moduli = circuit.results.iter().flatten().map(|&(_, p)| p);
        let of = |((bound, _), p): (&(ErrorBound, f64), u64)| bound.log2_failure(0.5 / p as f64, u);
        failures.extend(results.iter().flatten().zip(moduli).map(of));
        Ok(Self { results, log2_failure: sum_log2(&failures).min(0.0) })
    }

    /// The bounds on the errors of results, of all limbs of each, in turns.
    pub fn results(&self) -> impl Iterator<Item = ErrorBound> + '_ {
        let larger =
            |a: ErrorBound, b: ErrorBound| ErrorBound { bias: a.bias.max(b.bias), noise: a.noise.max(b.noise) };
        let of = move |limbs: &Vec<(ErrorBound, f64)>| {
            limbs.iter().map(|&(bound, _)| bound).fold(ErrorBound::default(), larger)
        };
        self.results.iter().map(of)
    }

    /// The standard deviation of each limb over uniform inputs, in turns.
    pub fn stds(&self) -> impl Iterator<Item = f64> + '_ {
        self.results.iter().flatten().map(|(_, variance)| variance.sqrt())
    }

    /// log2 of the probability that a result is wrong, at most, in the worst slot of the worst key.
    #[must_use]
    pub fn log2_failure(&self) -> f64 {
        self.log2_failure
    }
}

/// What is known of tables, by the errors of their inputs.
struct Known<K, V>(HashMap<K, Vec<(ErrorBound, V)>>);

impl<K, V> Default for Known<K, V> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<K: Eq + Hash, V: Clone> Known<K, V> {
    /// That of these tables, which is read if there was no such input before.
    fn of(&mut self, tables: K, input: ErrorBound, read: impl FnOnce() -> Result<V, LutError>) -> Result<V, LutError> {
        let known = self.0.entry(tables).or_default();
        if let Some((_, found)) = known.iter().find(|(other, _)| *other == input) {
            return Ok(found.clone());
        }
        let found = read()?;
        known.push((input, found.clone()));
        Ok(found)
    }
}

/// The errors of a digit's tables in slots, and of the digit where it is taken off, of a lowest digit with this error.
fn digit_errors(params: &TableParams, transforms: &Transforms, digit: &Digit, low: ErrorBound) -> (Vec<Error>, Error) {
    let log2_modulus = params.literal().log2_modulus;
    let all = TableNoise::modulo(params, transforms, &digit.tables, low, |_| log2_modulus);
    let top = transforms.slots_level(params.ckks()) - params.circle_depth();
    let error = |noise: &TableNoise, modulus: u64| Error {
        bound: noise.result(),
        variance: (noise.std() * 0.5 / modulus as f64).powi(2),
        ..Error::default()
    };
    let itself = error(&all[0], digit.luts[0].out_modulus());
    let slots = all.into_iter().zip(&digit.luts).zip(digit.tables.circuit().output_levels());
    let slots = slots.map(|((noise, lut), below)| {
        let modulus = lut.out_modulus();
        let entries: Vec<f64> = centred(lut).iter().map(|x| x / modulus as f64).collect();
        Error {
            square: entries.iter().map(|x| x * x).sum::<f64>() / entries.len() as f64,
            most: entries.iter().fold(0.0, |most, x| x.abs().max(most)),
            level: top - below,
            ..error(&noise.in_slots(), modulus)
        }
    });
    (slots.collect(), itself)
}
