//! The work of circuits.
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use bootes_lattice::rns::MaskStorage;
use bootes_schemes::ckks::Cost;
use bootes_schemes::ckks::bootstrap::{BootstrapStep, Transforms};
use bootes_schemes::cost::Residues;
use bootes_schemes::polyeval::ArithmeticCircuit;

use super::{Circuit, Step};
use crate::ckks::{TableParams, Tables, cost};
use crate::{Lut, LutError};

impl Circuit {
    /// The work of all that `watch` of
    /// [`FunctionalBootstrap::evaluate_circuit`](super::FunctionalBootstrap::evaluate_circuit) hears of, in the same
    /// order.
    ///
    /// # Errors
    /// As circuits.
    pub fn work(
        &self,
        params: &TableParams,
        transforms: &Transforms,
        masks: MaskStorage,
    ) -> Result<Vec<(BootstrapStep, Residues)>, LutError> {
        let cost = Cost::new(params.ckks(), masks);
        let ([raise, to_slots, exponential], top) = cost::circle(params, transforms, cost)?;
        let back = |level| cost.slots_to_coeffs(transforms, level) + cost.base_values();
        let twice_real = |level| cost.rotation(level) + cost.addition(level);
        let (mut levels, mut all) = (vec![top; self.values], Vec::new());
        // Chains have many steps alike.
        let mut of_batches: HashMap<usize, Vec<(BootstrapStep, Residues)>> = HashMap::new();
        let mut of_digits: HashMap<_, Residues> = HashMap::new();
        for step in &self.steps {
            match step {
                Step::Sum { .. } => {}
                Step::Tables { batch, .. } => match of_batches.get(batch) {
                    Some(work) => all.extend(work),
                    None => {
                        let work = self.tables[*batch].1.work(params, transforms, masks)?;
                        all.extend(&work);
                        of_batches.insert(*batch, work);
                    }
                },
                Step::Digit(digit) => {
                    let circuit = digit.tables.circuit();
                    let key = Arc::as_ptr(&digit.tables);
                    let mut tables = match of_digits.get(&key) {
                        Some(&work) => work,
                        None => cost.circuit(circuit, top)? * 2.0,
                    };
                    of_digits.insert(key, tables);
                    for ((i, below), &is_factor) in circuit.output_levels().into_iter().enumerate().zip(&digit.factors)
                    {
                        let level = top - below;
                        levels[digit.first + i] = level;
                        tables += match is_factor {
                            true => (cost.addition(level) * 2.0 + twice_real(level)) * 2.0,
                            false => cost.join(level),
                        };
                    }
                    all.extend([
                        (BootstrapStep::ModRaise, cost.base_values() + raise),
                        (BootstrapStep::CoeffsToSlots, to_slots),
                        (BootstrapStep::EvalExp, exponential),
                        (BootstrapStep::EvalLut, tables),
                    ]);
                    if !digit.is_last() {
                        all.push((BootstrapStep::SlotsToCoeffs, back(levels[digit.first])));
                    }
                }
                Step::Collect { values, products, .. } => {
                    let mut work = Residues::default();
                    let mut level = usize::MAX;
                    if !products.is_empty() {
                        let factors = || products.iter().flatten().map(|&i| levels[i]);
                        let above = factors().min().unwrap_or(top);
                        level = above - 1;
                        let changes = factors().map(|from| cost.at_level(from, above)).sum::<Residues>();
                        let products = cost.tensor(above) * products.len() as f64 + cost.relinearisation(above);
                        work += (changes + products) * 2.0 + cost.rotation(level) + cost.addition(level);
                    }
                    for &value in values {
                        if level == usize::MAX {
                            level = levels[value];
                            continue;
                        }
                        let below = level.min(levels[value]);
                        work +=
                            cost.at_level(level, below) + cost.at_level(levels[value], below) + cost.addition(below);
                        level = below;
                    }
                    all.push((BootstrapStep::SlotsToCoeffs, work + back(level)));
                }
            }
        }
        Ok(all)
    }

    /// The circuits of digits on the circle, which take most memory.
    pub fn circuits(&self) -> impl Iterator<Item = &ArithmeticCircuit> {
        let mut known = HashSet::new();
        let digits = self.digits().filter(move |digit| known.insert(Arc::as_ptr(&digit.tables)));
        digits.map(|digit| digit.tables.circuit())
    }

    /// Tables of registers.
    pub fn tables(&self) -> impl Iterator<Item = &Tables> {
        self.tables.iter().map(|(_, tables)| tables)
    }

    /// Bytes that its tables take, those of digits among them, and its steps.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let entries = |luts: &[Lut]| luts.iter().map(|lut| size_of_val(lut.values())).sum::<usize>();
        let tables = self.tables.iter().map(|(luts, tables)| entries(luts) + tables.bytes()).sum::<usize>();
        let mut known = HashSet::new();
        let digits = self.digits().map(|digit| {
            let shared = if known.insert(Arc::as_ptr(&digit.tables)) { digit.tables.bytes() } else { 0 };
            entries(&digit.luts) + shared
        });
        tables + digits.sum::<usize>() + size_of_val(&self.steps[..])
    }

    /// Ciphertexts of limbs, inputs and results among them.
    #[must_use]
    pub fn registers(&self) -> usize {
        self.registers
    }

    /// Values in slots of both halves, at most, as they are kept.
    #[must_use]
    pub fn values(&self) -> usize {
        self.values
    }
}
