//! The work of functional bootstrapping, as amounts of the units of [`bootes_schemes::cost`]: read off the maps,
//! circuits and levels of a set.
use bootes_lattice::rns::MaskStorage;
use bootes_schemes::ckks::Cost;
use bootes_schemes::ckks::bootstrap::{BootstrapStep, Transforms};
use bootes_schemes::cost::{Calibration, Residues};
use bootes_schemes::polyeval::ArithmeticCircuit;

use super::tables::digits::{DigitPlan, ROWS, Shape};
use super::{PreparedTables, TableParams, clean};
use crate::{CkksLutError, LutError};

/// The work of tables on one ciphertext
/// ([`FunctionalBootstrap::evaluate_rlwe`](super::FunctionalBootstrap::evaluate_rlwe)), full or not, step by step:
/// [`BootstrapStep::ALL`].
///
/// # Errors
/// As the circuits of tables that are no set's.
pub fn evaluation(
    params: &TableParams,
    transforms: &Transforms,
    tables: &PreparedTables,
    masks: MaskStorage,
) -> Result<[Residues; BootstrapStep::ALL.len()], LutError> {
    let cost = Cost::new(params.ckks(), masks);
    let ([raise, to_slots, exponential], circle) = circle(params, transforms, cost)?;
    let outputs = || tables.circuit().output_levels().into_iter().map(|below| circle - below);
    let factor =
        |level| if params.slot_factor() == 1.0 { Residues::default() } else { cost.matrix_product(1, 1, level) };
    let joins = outputs().map(|level| cost.join(level) + factor(level)).sum::<Residues>();
    let back = outputs().map(|level| cost.slots_to_coeffs(transforms, level) + cost.base_values());
    let tables = cost.circuit(tables.circuit(), circle)? * 2.0 + joins;
    Ok([cost.base_values() + raise, to_slots, exponential, tables, back.sum()])
}

/// The work of the steps up to EvalExp, which bring messages to the circle, and the level there.
pub(crate) type Circle = ([Residues; 3], usize);

/// The steps up to EvalExp.
pub(crate) fn circle(params: &TableParams, transforms: &Transforms, cost: Cost<'_>) -> Result<Circle, LutError> {
    let slots = transforms.slots_level(params.ckks());
    let exponential = params.exponential().circuit();
    let clean = match params.literal().clean_circle {
        true => clean::modulus_work(cost, slots - exponential.depth()),
        false => Residues::default(),
    };
    let steps = [
        cost.raise(),
        cost.coeffs_to_slots(transforms),
        // Both halves.
        (cost.circuit(&exponential, slots)? + clean) * 2.0,
    ];
    Ok((steps, slots - params.circle_depth()))
}

/// The work of tables of several digits on one ciphertext
/// ([`FunctionalBootstrap::evaluate_large`](super::FunctionalBootstrap::evaluate_large)).
#[derive(Debug, Clone)]
pub struct LargeWork {
    /// For each digit [`BootstrapStep::ALL`].
    pub digits: Vec<[Residues; BootstrapStep::ALL.len()]>,
    /// The columns of the matrix product.
    pub columns: Residues,
    /// For each table its product and sums.
    pub sums: Residues,
    /// For each table SlotsToCoeffs.
    pub back: Residues,
}

impl LargeWork {
    /// That of so many tables.
    #[must_use]
    pub fn total(&self, tables: usize) -> Residues {
        let digits = self.digits.iter().flatten().copied().sum::<Residues>();
        digits + self.columns + (self.sums + self.back) * tables as f64
    }
}

/// The work of tables of this shape.
///
/// # Errors
/// As the circuits of digits.
pub fn large_evaluation(
    params: &TableParams,
    transforms: &Transforms,
    shape: &Shape,
    masks: MaskStorage,
) -> Result<LargeWork, LutError> {
    let cost = Cost::new(params.ckks(), masks);
    after_circle(params, transforms, shape, cost, circle(params, transforms, cost)?)
}

/// [`large_evaluation`], the circle's work known: it is the same for all shapes.
fn after_circle(
    params: &TableParams,
    transforms: &Transforms,
    shape: &Shape,
    cost: Cost<'_>,
    ([raise, to_slots, exponential], circle): Circle,
) -> Result<LargeWork, LutError> {
    let factor = |level| match params.slot_factor() {
        1.0 => Residues::default(),
        _ => cost.matrix_product(1, 1, level),
    };
    let mut modulus = shape.entries();
    let mut digits = Vec::new();
    let plans = shape.plans(params.sums_level());
    for (i, plan) in plans.iter().enumerate() {
        let (level, last) = (plan.level, i + 1 == plans.len());
        let message = if last { None } else { Some(plan.as_message(modulus)?) };
        let circuit = plan.circuit(message.as_deref())?;
        let top = level + circuit.depth();
        let powers = cost.at_level(circle, top) + cost.circuit(&circuit, top)?;
        let joined = |j: usize| {
            let sine =
                if plan.has_sine(j) { cost.addition(level) + cost.integer_product(level) } else { Residues::default() };
            let parts = cost.addition(level) + sine;
            let conjugated = cost.rotation(level) + parts;
            match (shape.factors().contains(&i), shape.factors().len()) {
                (true, 1) => cost.integer_product(level) + cost.addition(level) * 2.0 + conjugated,
                (true, _) => conjugated * 2.0 + cost.integer_product(level) * f64::from(1 + u8::from(plan.has_sine(j))),
                (false, _) => (cost.addition(level) + conjugated) * 2.0,
            }
        };
        let joined = (1..=plan.modulus / 2).map(joined).sum::<Residues>();
        let (digit, back) = match last {
            true => (Residues::default(), Residues::default()),
            false => {
                // With the coefficients of what is left, which the next digit is of.
                let back = cost.slots_to_coeffs(transforms, level) + cost.base_values() * 2.0;
                (cost.join(level) + factor(level), back)
            }
        };
        let raise = if i == 0 { cost.base_values() + raise } else { raise };
        digits.push([raise, to_slots, exponential, powers * 2.0 + joined + digit, back]);
        modulus /= plan.modulus as u64;
    }
    let sums = shape.summed().len();
    let level = params.sums_level() + sums;
    let high = |i: usize| shape.moduli()[shape.factors()[i]] as usize - 1;
    let columns = match shape.factors().len() {
        1 => Residues::default(),
        _ => {
            let column = level + shape.row_levels();
            let above = column + 1;
            let joined = cost.addition(above) + cost.at_level(above, column);
            let product = cost.tensor(above) * 2.0 + cost.relinearisation(above);
            let each = joined + cost.integer_product(above);
            joined * high(0) as f64 + each * high(1) as f64 + product * (high(0) * high(1)) as f64
        }
    };
    let rows = cost.matrix_product(shape.rows(), shape.columns() - 1, level) + cost.passes(shape.rows() * (level + 1));
    let (mut nested, mut outer) = (Residues::default(), shape.rows());
    for (place, &digit) in shape.summed().iter().enumerate() {
        let (p, level) = (shape.moduli()[digit] as usize, level - place);
        outer /= p;
        let products = (cost.tensor(level) * (p - 1) as f64 + cost.relinearisation(level)) * 2.0;
        let first = cost.at_level(level, level - 1);
        nested += (products + first + cost.rotation(level - 1) + cost.addition(level - 1) * 2.0) * outer as f64;
    }
    let end = params.sums_level();
    let factor_level = match params.literal().factor_level {
        true => cost.integer_product(end) + cost.rescaling(end),
        false => Residues::default(),
    };
    let back = factor_level + cost.slots_to_coeffs(transforms, transforms.coeffs_level()) + cost.base_values();
    Ok(LargeWork { digits, columns, sums: rows + nested, back })
}

/// The memory of an evaluation of tables of several digits, in limbs: polynomials modulo one prime.
#[derive(Debug, Clone)]
pub struct LargeLimbs {
    /// The memory of each digit.
    pub digits: Vec<DigitLimbs>,
    /// The columns of the matrix product.
    pub columns: usize,
    /// The characters of summed digits, columns, and rows, while these are summed.
    pub sums: usize,
}

/// The memory of a digit.
#[derive(Debug, Clone)]
pub struct DigitLimbs {
    /// The circuit of its characters.
    pub circuit: ArithmeticCircuit,
    /// Primes of the circuit's input.
    pub primes: usize,
    /// Characters of both halves as they are made.
    pub made: usize,
    /// Characters as they are kept until the sums.
    pub kept: usize,
}

/// The memory of an evaluation of tables of this shape.
///
/// # Errors
/// As the circuits of digits.
pub fn large_limbs(params: &TableParams, shape: &Shape) -> Result<LargeLimbs, LutError> {
    let end = params.sums_level();
    let digit = |plan: &DigitPlan| {
        let circuit = plan.circuit(None)?;
        let made = plan.modulus / 2 * 2 * 2 * (plan.level + 1);
        // A single factor's halves are joined; the characters of others are twice as many.
        let single = plan.factor == 1.0 && shape.factors().len() == 1;
        let kept = if single { made } else { 2 * made };
        Ok(DigitLimbs { primes: plan.level + circuit.depth() + 1, circuit, made, kept })
    };
    let plans = shape.plans(end);
    let digits = plans.iter().map(digit).collect::<Result<Vec<_>, LutError>>()?;
    let ciphertext = 2 * (end + shape.summed().len() + 1);
    let columns = shape.columns() * (ciphertext + 2 * shape.row_levels());
    let summed = shape.summed().iter().map(|&i| digits[i].kept + plans[i].modulus * ciphertext).sum::<usize>();
    Ok(LargeLimbs { columns, sums: columns + summed + 2 * ROWS * ciphertext, digits })
}

/// The shapes that a set has the levels for, least predicted time first.
///
/// # Errors
/// [`CkksLutError::NoShape`] for a number of entries that is no product of digits; what the circuits of digits refuse.
pub fn shapes(params: &TableParams, transforms: &Transforms, entries: u64) -> Result<Vec<Shape>, LutError> {
    shapes_with(params, transforms, entries, 0)
}

/// The same for coefficients whose product with columns takes so many levels.
///
/// # Errors
/// As [`shapes`].
pub fn shapes_with(
    params: &TableParams,
    transforms: &Transforms,
    entries: u64,
    row_levels: usize,
) -> Result<Vec<Shape>, LutError> {
    let of = |p| Shape::all_with(params, p, row_levels);
    let calibration = Calibration::current();
    let cost = Cost::new(params.ckks(), MaskStorage::Expanded);
    let circle = circle(params, transforms, cost)?;
    let timed = |shape: Shape| {
        let work = after_circle(params, transforms, &shape, cost, circle)?;
        Ok((calibration.seconds(work.total(1)), shape))
    };
    let mut all = of(entries).into_iter().map(timed).collect::<Result<Vec<_>, LutError>>()?;
    if all.is_empty() {
        let (largest, most) = (1 << params.literal().bits, params.literal().largest_digit());
        let nearest = (entries..=largest).find(|&p| !of(p).is_empty()).unwrap_or(largest);
        return Err(CkksLutError::NoShape { entries, most, nearest, params: params.name().into() }.into());
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    Ok(all.into_iter().map(|(_, shape)| shape).collect())
}

/// The work of making the server key of a set, and the secret keys.
#[must_use]
pub fn key_generation(params: &TableParams, transforms: &Transforms) -> Residues {
    let cost = Cost::new(params.ckks(), MaskStorage::Seeded);
    cost.secret_keys() + cost.keys(&params.request(transforms))
}

/// The encryption of a vector modulo 2^k: its product with the key is exact modulo two primes.
#[must_use]
pub fn encryption(params: &TableParams) -> Residues {
    let cost = Cost::new(params.ckks(), MaskStorage::Seeded);
    let n = params.capacity() as f64;
    Residues { mask: n, noise: n, ..decryption(params) } + cost.passes(2)
}

/// The decryption of a vector modulo 2^k.
#[must_use]
pub fn decryption(params: &TableParams) -> Residues {
    let cost = Cost::new(params.ckks(), MaskStorage::Seeded);
    cost.encoding(1) * 2.0 + cost.passes(4)
}

/// The work of a server on the key that it reads: its masks are made, if they are kept.
#[must_use]
pub fn key_preparation(params: &TableParams, transforms: &Transforms, masks: MaskStorage) -> Residues {
    Cost::new(params.ckks(), masks).masks(&params.request(transforms))
}

#[cfg(all(test, debug_assertions))]
pub(crate) mod tests {
    use std::sync::{Arc, Mutex};

    use bootes_lattice::port::{RlweCiphertext, RlweEncoding};
    use bootes_ring::sample::SecretSeed;
    use bootes_ring::tally;
    use bootes_schemes::ckks::params::NOISE_STD;
    use bootes_schemes::ckks::{CkksSecretKey, Evaluator};
    use bootes_schemes::cost::Units;
    use bootes_testkit::seed_bytes;

    use super::*;
    use crate::Lut;
    use crate::ckks::{Circuit, FunctionalBootstrap, LargeTable, TableLiteral, params};
    use crate::integer::IntegerOp;

    /// The work of this thread since the last call, in the order of units; decryption's steps are no kernel's.
    pub(crate) fn done() -> Vec<u64> {
        tally::take().into_iter().chain([0]).collect()
    }

    pub(crate) fn counts(work: Residues) -> Vec<u64> {
        work.numbers().into_iter().map(|amount| amount as u64).collect()
    }

    pub(crate) fn encrypted(params: &TableParams, secret: &CkksSecretKey, seed: &SecretSeed, p: u64) -> RlweCiphertext {
        let encoding = RlweEncoding::new(p, params.literal().log2_modulus).unwrap();
        let (ring, key, mask, noise) = (params.ckks().ring(), secret.key(), seed.fork_mask(9), seed.fork(9));
        RlweCiphertext::encrypt(ring, encoding, &[1, 2, 3], key, NOISE_STD, mask, &noise).unwrap()
    }

    /// The same of tables of several digits: two and three, one factor of columns and two, one table and two.
    #[test]
    fn what_is_counted_of_large_tables_is_what_is_done() {
        let params = TableParams::named("toy_batch_9bit").unwrap();
        let transforms = params.transforms().unwrap();
        let seed = SecretSeed::from_bytes(&seed_bytes("large work", 0));
        let secret = CkksSecretKey::derive(params.ckks(), &seed);
        let keys = secret.evaluation_key(&params.request(&transforms), MaskStorage::Expanded, |_, _| ()).unwrap();
        let bootstrap = FunctionalBootstrap::new(&params, Evaluator::new(Arc::new(keys)).unwrap()).unwrap();
        for (digits, factors, tables) in [(&[8, 8, 8][..], 1, 1), (&[8, 8, 8], 2, 2), (&[4, 7], 1, 1)] {
            let shape = Shape::new(params.literal(), digits, factors).unwrap();
            let p = shape.entries();
            let table = |i| Lut::modular((0..p).map(|x| (x * x + i) % p).collect(), p).unwrap();
            let prepare = |i| LargeTable::new(&params, &table(i), &shape).unwrap();
            let prepared: Vec<_> = (0..tables).map(prepare).collect();
            let input = encrypted(&params, &secret, &seed, p);
            let steps = Mutex::new(vec![(0, BootstrapStep::ModRaise)]);
            let amounts = Mutex::new(Vec::new());
            on_one_thread(|| {
                done();
                let watch = |number, step| {
                    let mut steps = steps.lock().unwrap();
                    if steps.last() != Some(&(number, step)) {
                        amounts.lock().unwrap().push(done());
                        steps.push((number, step));
                    }
                };
                bootstrap.evaluate_large(&prepared, &input, watch).unwrap();
                amounts.lock().unwrap().push(done());
            });
            let work = large_evaluation(&params, &transforms, &shape, MaskStorage::Expanded).unwrap();
            let mut predicted = work.digits;
            let none = Residues::default();
            predicted.resize(digits.len() + tables as usize, [none, none, none, work.sums, work.back]);
            predicted[digits.len()][3] += work.columns;
            let mut sums = vec![[Residues::default(); BootstrapStep::ALL.len()]; predicted.len()];
            for ((number, step), amounts) in steps.into_inner().unwrap().into_iter().zip(amounts.into_inner().unwrap())
            {
                let place = BootstrapStep::ALL.iter().position(|&other| other == step).unwrap();
                let amounts: Vec<f64> = amounts.into_iter().map(|amount| amount as f64).collect();
                sums[number as usize][place] += Residues::from_numbers(&amounts);
            }
            for (number, (found, predicted)) in sums.into_iter().zip(predicted).enumerate() {
                for (step, (found, predicted)) in BootstrapStep::ALL.iter().zip(found.into_iter().zip(predicted)) {
                    let name = step.name();
                    assert_eq!(counts(found), counts(predicted), "{shape:?} {number} {name} of {:?}", Residues::NAMES);
                }
            }
        }
    }

    /// The same of functions of integers, in one limb and two.
    #[test]
    fn what_is_counted_of_integers_is_what_is_done() {
        let params = TableParams::named("toy_batch_integers").unwrap();
        let transforms = params.transforms().unwrap();
        let seed = SecretSeed::from_bytes(&seed_bytes("integer work", 0));
        let secret = CkksSecretKey::derive(params.ckks(), &seed);
        let keys = secret.evaluation_key(&params.request(&transforms), MaskStorage::Expanded, |_, _| ()).unwrap();
        let bootstrap = FunctionalBootstrap::new(&params, Evaluator::new(Arc::new(keys)).unwrap()).unwrap();
        for (op, width) in [(IntegerOp::Less, 4), (IntegerOp::Relu, 8), (IntegerOp::Equal, 12), (IntegerOp::Abs, 14)] {
            let limbs = params.integer_limbs(width).unwrap();
            let circuit = Circuit::of_integers(&params, op, limbs).unwrap();
            let inputs = (0..op.operands()).flat_map(|_| limbs.bits());
            let inputs: Vec<_> = inputs.map(|bits| encrypted(&params, &secret, &seed, 2 << bits)).collect();
            let (steps, amounts) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
            on_one_thread(|| {
                done();
                let watch = |step| {
                    let mut steps = steps.lock().unwrap();
                    // What comes before a digit belongs to it.
                    if !steps.is_empty() && step != BootstrapStep::ModRaise {
                        amounts.lock().unwrap().push(done());
                    }
                    steps.push(step);
                };
                bootstrap.evaluate_circuit(&circuit, &inputs, watch).unwrap();
                amounts.lock().unwrap().push(done());
            });
            let predicted = circuit.work(&params, &transforms, MaskStorage::Expanded).unwrap();
            assert_eq!(steps.into_inner().unwrap(), predicted.iter().map(|step| step.0).collect::<Vec<_>>());
            // What is told at a digit's beginning counts with the end of the step before.
            let mut sums: Vec<Residues> = Vec::new();
            for (i, (step, work)) in predicted.iter().enumerate() {
                match sums.last_mut() {
                    Some(last) if *step == BootstrapStep::ModRaise && i > 0 => *last += *work,
                    _ => sums.push(*work),
                }
            }
            let found = amounts.into_inner().unwrap();
            assert_eq!(found.len(), sums.len(), "{op}");
            for (i, (found, predicted)) in found.into_iter().zip(sums).enumerate() {
                assert_eq!(found, counts(predicted), "{op} {i} of {:?}", Residues::NAMES);
            }
        }
    }

    pub(crate) fn on_one_thread<T: Send>(work: impl FnOnce() -> T + Send) -> T {
        rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(work)
    }

    /// Work that is predicted is work that is done, to the last residue: keys, masks, every step of a bootstrap, with
    /// masks kept and made.
    #[test]
    fn what_is_counted_is_what_is_done() {
        for (name, tables, clean) in
            [("toy_batch_4bit", 1, false), ("toy_batch_4bit", 3, true), ("toy_batch_6bit", 1, false)]
        {
            let literal = params::literals().iter().find(|set| set.name == name).unwrap().clone();
            let params = TableLiteral { clean_circle: clean, ..literal }.try_build().unwrap();
            let bits = params.literal().bits;
            let transforms = params.transforms().unwrap();
            let request = params.request(&transforms);
            let table = |i: u64| Lut::modular((0..1 << bits).map(|x| (x * x + i) % (1 << bits)).collect(), 1 << bits);
            let luts = (0..tables).map(|i| table(i).unwrap()).collect::<Vec<_>>();
            let prepared = PreparedTables::new(&params, &luts).unwrap();
            let randomness = seed_bytes(name, 0);
            let seed = || SecretSeed::from_bytes(&randomness);
            let (secret, made) = on_one_thread(|| {
                done();
                let secret = CkksSecretKey::derive(params.ckks(), &seed());
                let made = secret.evaluation_key(&request, MaskStorage::Seeded, |_, _| ()).unwrap();
                assert_eq!(done(), counts(key_generation(&params, &transforms)), "{name}: keys");
                (secret, made)
            });
            let input = encrypted(&params, &secret, &seed(), 1 << bits);
            let keys = on_one_thread(|| {
                done();
                let kept = made.with_masks(MaskStorage::Expanded);
                let predicted = key_preparation(&params, &transforms, MaskStorage::Expanded);
                assert_eq!(done(), counts(predicted), "{name}: masks");
                let made = secret.evaluation_key(&request, MaskStorage::Seeded, |_, _| ()).unwrap();
                [(kept, MaskStorage::Expanded), (made, MaskStorage::Seeded)]
            });
            for (keys, masks) in keys {
                let bootstrap = FunctionalBootstrap::new(&params, Evaluator::new(Arc::new(keys)).unwrap()).unwrap();
                let steps = Mutex::new(Vec::new());
                on_one_thread(|| {
                    done();
                    // What comes before the first step belongs to it.
                    let watch = |step| {
                        if step != BootstrapStep::ModRaise {
                            steps.lock().unwrap().push(done());
                        }
                    };
                    bootstrap.evaluate_rlwe(&prepared, &input, watch).unwrap();
                    steps.lock().unwrap().push(done());
                });
                let predicted = evaluation(&params, &transforms, &prepared, masks).unwrap();
                let steps = steps.into_inner().unwrap();
                assert_eq!(steps.len(), predicted.len());
                for ((step, found), predicted) in BootstrapStep::ALL.iter().zip(steps).zip(predicted) {
                    let predicted = counts(predicted);
                    assert_eq!(
                        found,
                        predicted,
                        "{name}, {tables} tables, {masks:?}: {} of {:?}",
                        step.name(),
                        Residues::NAMES
                    );
                }
            }
        }
    }
}
