//! Which rotations of a circuit turn by the same mask, and meet: those of one register, which is key-switched once.
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use super::{Circuit, Step, Table};

/// What of a register is made by rotations that share their mask: a sum of multiples.
type Form = BTreeMap<usize, i64>;

/// The masks of a circuit, as sums of what is made by rotations: results are numbered in their order.
struct Masks {
    /// The forms of all registers, at the end.
    forms: Vec<Form>,
    /// For each rotation the results that it makes; none where the test vector is encrypted, or no table's.
    turned: Vec<Range<usize>>,
    /// The register that each result was turned by.
    masks: Vec<usize>,
}

impl Masks {
    fn of(circuit: &Circuit) -> Self {
        let (mut masks, mut turned, mut counts) = (Vec::new(), Vec::new(), HashMap::<usize, usize>::new());
        for step in &circuit.steps {
            if let Step::Rotate(rotation) = step {
                let (first, mask) = (masks.len(), rotation.source.0);
                if is_plain(&rotation.table) {
                    masks.extend(rotation.table.targets().iter().map(|_| mask));
                    *counts.entry(mask).or_default() += masks.len() - first;
                }
                turned.push(first..masks.len());
            }
        }
        // A result that is the only one of its mask meets none.
        let meets = |result: usize| counts[&masks[result]] > 1;
        let mut forms = vec![Form::new(); circuit.registers];
        let mut rotations = turned.iter();
        for step in &circuit.steps {
            match step {
                Step::Linear { target, source, coefficient } => {
                    for (result, factor) in forms[source.0].clone() {
                        add(&mut forms[target.0], result, factor.wrapping_mul(*coefficient));
                    }
                }
                Step::Rotate(rotation) => {
                    let results = rotations.next().unwrap_or_else(|| unreachable!("all are turned"));
                    for (result, target) in results.clone().zip(rotation.table.targets()) {
                        if meets(result) {
                            add(&mut forms[target.0], result, 1);
                        }
                    }
                    // All of what is selected is added up; of what is packed, one is taken.
                    if let Table::Selected { target, digits, .. } = &rotation.table {
                        for (source, _) in digits {
                            let form = forms[source.0].clone();
                            form.into_keys().for_each(|result| add(&mut forms[target.0], result, 1));
                        }
                    }
                }
                _ => {}
            }
        }
        Self { forms, turned, masks }
    }
}

/// Whether a rotation has a table as its test vector.
fn is_plain(table: &Table) -> bool {
    matches!(table, Table::Plain { .. } | Table::Continuous { .. } | Table::Interleaved { .. })
}

/// For each rotation of a table as its test vector how many of those by its mask are summands of one register, itself
/// included: the most that there are. 0 where the test vector is encrypted, or no table's (multi-value).
pub(super) fn equal(circuit: &Circuit) -> Vec<usize> {
    let Masks { forms, turned, masks } = Masks::of(circuit);
    let mut most: HashMap<usize, usize> = HashMap::new();
    for form in &forms {
        let mut counts: HashMap<usize, usize> = HashMap::new();
        form.keys().for_each(|result| *counts.entry(masks[*result]).or_default() += 1);
        for result in form.keys() {
            let most = most.entry(*result).or_default();
            *most = (*most).max(counts[&masks[*result]]);
        }
    }
    let of = |results: Range<usize>| results.map(|result| most.get(&result).copied().unwrap_or(1)).max().unwrap_or(0);
    turned.into_iter().map(of).collect()
}

impl Circuit {
    /// Whether it has products of ciphertexts: of equal masks they have equal noise.
    #[must_use]
    pub fn multiplies(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Multiply(_)))
    }
}

/// Adds factor·result.
fn add(form: &mut Form, result: usize, factor: i64) {
    let sum = form.entry(result).or_insert(0);
    *sum = sum.wrapping_add(factor);
    if *sum == 0 {
        form.remove(&result);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fhew::circuit::Rotation;

    /// Two rotations of x meet in their sum; none of x + 1/8 or 2x, which are key-switched apart, and none that is
    /// alone.
    #[test]
    fn rotations_of_one_mask_meet_in_sums() {
        let mut circuit = Circuit::new(1);
        let x = circuit.input(0);
        let [moved, doubled, sum, other] = [(); 4].map(|()| circuit.register());
        for (target, coefficient, constant) in [(moved, 1, 1 << 61), (doubled, 2, 0)] {
            circuit.steps.push(Step::Linear { target, source: x, coefficient });
            circuit.add_constant(target, constant);
        }
        for (source, result) in [(x, sum), (x, sum), (moved, sum), (doubled, sum), (x, other), (sum, other)] {
            let target = circuit.register();
            circuit.push_rotation(Rotation::new(source, 0.0, 0.125, Table::Plain { target, values: vec![0, 1] }));
            circuit.steps.push(Step::Linear { target: result, source: target, coefficient: -3 });
        }
        assert_eq!(equal(&circuit), [2, 2, 1, 1, 1, 1]);
    }
}
