//! Which rotations of a circuit turn by the same mask, and meet: those of one register, which is key-switched once.
use std::collections::BTreeMap;

use super::{Circuit, Step, Table};

/// A register but for constants: a sum of multiples of inputs and of what steps make.
type Form = BTreeMap<usize, i64>;

/// The masks of a circuit, as sums.
struct Masks {
    /// The forms of all registers, at the end.
    forms: Vec<Form>,
    /// For each base that a rotation of a table made, the register that it turned by.
    made: BTreeMap<usize, usize>,
    /// For each rotation its bases in `made`.
    turned: Vec<Vec<usize>>,
}

impl Masks {
    fn of(circuit: &Circuit) -> Self {
        let mut forms = vec![Form::new(); circuit.registers];
        forms[..circuit.inputs].iter_mut().enumerate().for_each(|(i, form)| _ = form.insert(i, 1));
        let mut bases = circuit.registers;
        let (mut made, mut turned) = (BTreeMap::new(), Vec::new());
        for step in &circuit.steps {
            match step {
                Step::Constant { .. } | Step::Correlation { .. } | Step::Instead { .. } => {}
                Step::Linear { target, source, coefficient } => {
                    for (base, factor) in forms[source.0].clone() {
                        add(&mut forms[target.0], base, factor.wrapping_mul(*coefficient));
                    }
                }
                Step::ModUp { target, .. } => add(&mut forms[target.0], next(&mut bases), 1),
                Step::Multiply(product) => add(&mut forms[product.target.0], next(&mut bases), 1),
                Step::LookUp(look_up) => {
                    look_up.tables.iter().for_each(|(target, _)| add(&mut forms[target.0], next(&mut bases), 1));
                }
                Step::Rotate(rotation) => {
                    let is_plain = matches!(
                        rotation.table,
                        Table::Plain { .. } | Table::Continuous { .. } | Table::Interleaved { .. }
                    );
                    let mut own = Vec::new();
                    for target in rotation.table.targets() {
                        let base = next(&mut bases);
                        add(&mut forms[target.0], base, 1);
                        if is_plain {
                            made.insert(base, rotation.source.0);
                            own.push(base);
                        }
                    }
                    // All of what is selected is added up; of what is packed, one is taken.
                    if let Table::Selected { target, digits, .. } = &rotation.table {
                        for (source, _) in digits {
                            let form = forms[source.0].clone();
                            form.into_keys().for_each(|base| add(&mut forms[target.0], base, 1));
                        }
                    }
                    turned.push(own);
                }
            }
        }
        Self { forms, made, turned }
    }
}

/// For each rotation of a table as its test vector how many of those by its mask are summands of one register, itself
/// included: the most that there are. 0 where the test vector is encrypted, or no table's (multi-value).
pub(super) fn equal(circuit: &Circuit) -> Vec<usize> {
    let Masks { forms, made, turned, .. } = Masks::of(circuit);
    let mut most: BTreeMap<usize, usize> = BTreeMap::new();
    for form in &forms {
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        form.keys().filter_map(|base| made.get(base)).for_each(|mask| *counts.entry(*mask).or_default() += 1);
        for (base, mask) in form.keys().filter_map(|base| Some((base, made.get(base)?))) {
            let most = most.entry(*base).or_default();
            *most = (*most).max(counts[mask]);
        }
    }
    turned.iter().map(|own| own.iter().map(|base| most.get(base).copied().unwrap_or(1)).max().unwrap_or(0)).collect()
}

impl Circuit {
    /// Whether it has products of ciphertexts: of equal masks they have equal noise.
    #[must_use]
    pub fn multiplies(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Multiply(_)))
    }
}

fn next(bases: &mut usize) -> usize {
    *bases += 1;
    *bases
}

/// Adds factor·base.
fn add(form: &mut Form, base: usize, factor: i64) {
    let sum = form.entry(base).or_insert(0);
    *sum = sum.wrapping_add(factor);
    if *sum == 0 {
        form.remove(&base);
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
