//! Which rotations of a circuit turn by the same mask, and meet: those of one register, which is key-switched once.
use std::collections::BTreeMap;
use std::mem::take;
use std::ops::Range;

use super::flow::flow;
use super::{Circuit, Register, Step, Table};

/// What of a register is made by rotations that share their mask: a sum of multiples of results, each with its mask.
type Form = BTreeMap<(usize, usize), i64>;

/// Results that a sum is told of: all that meet in longer ones count as meeting all others of their mask.
const LONGEST: usize = 256;

/// The masks of a circuit, as sums of what is made by rotations: results are numbered in their order.
///
/// A sum is forgotten when no step names its register any more, and a mask when all of its results have met: however
/// long a chain of sums is, each is short.
struct Masks {
    /// The forms of registers.
    forms: Vec<Form>,
    /// For each rotation the results that it makes; none where the test vector is encrypted, or no table's.
    turned: Vec<Range<usize>>,
    /// The register that each result was turned by.
    masks: Vec<usize>,
    /// For each register the results of its mask, if there are several that have not all met.
    open: Vec<Vec<usize>>,
    /// How many results of its mask meet each result.
    most: Vec<usize>,
}

impl Masks {
    fn of(circuit: &Circuit) -> Self {
        let (mut masks, mut turned, mut open) = (Vec::new(), Vec::new(), vec![Vec::new(); circuit.registers]);
        let mut last = vec![0; circuit.registers];
        for (number, step) in circuit.steps.iter().enumerate() {
            let (reads, writes) = flow(step);
            reads.iter().chain(&writes).for_each(|register| last[register.0] = number);
            if let Step::Rotate(rotation) = step {
                let (first, mask) = (masks.len(), rotation.source.0);
                if is_plain(&rotation.table) {
                    masks.extend(writes.iter().map(|_| mask));
                    open[mask].extend(first..masks.len());
                }
                turned.push(first..masks.len());
            }
        }
        // A result that is the only one of its mask meets none.
        open.iter_mut().filter(|results| results.len() == 1).for_each(Vec::clear);
        let (forms, most) = (vec![Form::new(); circuit.registers], vec![1; masks.len()]);
        let mut own = Self { forms, turned, masks, open, most };
        let mut ends: Vec<usize> = (0..circuit.registers).collect();
        ends.sort_unstable_by_key(|&register| last[register]);
        let (mut rotations, mut ends) = (0, ends.into_iter().peekable());
        for (number, step) in circuit.steps.iter().enumerate() {
            match step {
                Step::Linear { target, source, coefficient } => {
                    own.add_all(*target, *source, |factor| factor.wrapping_mul(*coefficient));
                }
                Step::Rotate(rotation) => {
                    let results = own.turned[rotations].clone();
                    rotations += 1;
                    for (result, target) in results.zip(rotation.table.targets()) {
                        own.add(target, result, 1);
                        own.settle(target);
                    }
                    // All of what is selected is added up; of what is packed, one is taken.
                    if let Table::Selected { target, digits, .. } = &rotation.table {
                        digits.iter().for_each(|(source, _)| own.add_all(*target, *source, |_| 1));
                    }
                }
                _ => {}
            }
            while let Some(register) = ends.next_if(|&register| last[register] == number) {
                own.finish(Register(register));
            }
        }
        own
    }

    /// Adds factor·result to a register.
    fn add(&mut self, target: Register, result: usize, factor: i64) {
        let key = (self.masks[result], result);
        if self.open[key.0].is_empty() {
            return;
        }
        let form = &mut self.forms[target.0];
        let sum = form.entry(key).or_insert(0);
        *sum = sum.wrapping_add(factor);
        if *sum == 0 {
            form.remove(&key);
        }
    }

    /// Adds what is in a register to another one, each of some multiple.
    fn add_all(&mut self, target: Register, source: Register, multiple: impl Fn(i64) -> i64) {
        let form = take(&mut self.forms[source.0]);
        if source == target {
            self.forms[target.0] = form.clone();
        }
        form.iter().for_each(|((_, result), factor)| self.add(target, *result, multiple(*factor)));
        if source != target {
            self.forms[source.0] = form;
        }
        self.settle(target);
    }

    /// Forgets the masks all of whose results are in a register; and all that are in a sum too long to go on with.
    fn settle(&mut self, target: Register) {
        let (form, open) = (&mut self.forms[target.0], &mut self.open);
        form.retain(|(mask, _), _| !open[*mask].is_empty());
        let is_long = form.len() > LONGEST;
        for (mask, met) in met(form) {
            if is_long || met == open[mask].len() {
                let all = take(&mut open[mask]);
                all.iter().for_each(|&result| self.most[result] = all.len());
            }
        }
    }

    /// Takes note of what meets in a register that no step names any more.
    fn finish(&mut self, register: Register) {
        let form = take(&mut self.forms[register.0]);
        for (mask, met) in met(&form).filter(|(mask, _)| !self.open[*mask].is_empty()) {
            for (_, result) in form.range((mask, 0)..=(mask, usize::MAX)).map(|(key, _)| *key) {
                self.most[result] = self.most[result].max(met);
            }
        }
    }
}

/// Of each mask how many results are in a form.
fn met(form: &Form) -> impl Iterator<Item = (usize, usize)> {
    // A form is in the order of masks.
    let mut counts: Vec<(usize, usize)> = Vec::new();
    for &(mask, _) in form.keys() {
        match counts.last_mut() {
            Some((last, count)) if *last == mask => *count += 1,
            _ => counts.push((mask, 1)),
        }
    }
    counts.into_iter()
}

/// Whether a rotation has a table as its test vector.
fn is_plain(table: &Table) -> bool {
    matches!(table, Table::Plain { .. } | Table::Continuous { .. } | Table::Interleaved { .. })
}

/// For each rotation of a table as its test vector how many of those by its mask are summands of one register, itself
/// included: the most that there are, or more where sums are long. 0 where the test vector is encrypted, or no table's
/// (multi-value).
pub(super) fn equal(circuit: &Circuit) -> Vec<usize> {
    let Masks { turned, most, .. } = Masks::of(circuit);
    turned.into_iter().map(|results| most[results].iter().copied().max().unwrap_or(0)).collect()
}

impl Circuit {
    /// Whether it has products of ciphertexts: of equal masks they have equal noise.
    #[must_use]
    pub fn multiplies(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Multiply(_)))
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

    /// A sum of all results so far, over and over: what each meets does not depend on how many there are, and longer
    /// sums count more, never less.
    #[test]
    fn masks_are_forgotten_when_all_of_their_results_have_met() {
        let chain = |length: usize, apart: bool| {
            let mut circuit = Circuit::new(1);
            let mut sum = circuit.input(0);
            for _ in 0..length {
                let next = circuit.multiple(sum, 1);
                for met in [true, !apart] {
                    let target = circuit.register();
                    circuit.push_rotation(Rotation::new(sum, 0.0, 0.125, Table::Plain { target, values: vec![0, 1] }));
                    if met {
                        circuit.add(next, target, 1);
                    }
                }
                sum = next;
            }
            circuit
        };
        assert_eq!(equal(&chain(2000, false)), [2; 4000]);
        assert_eq!(equal(&chain(100, true)), [1; 200]);
        let long = equal(&chain(300, true));
        assert!(long[..500].iter().all(|&met| met == 2) && long[520..].iter().all(|&met| met == 1), "{long:?}");
    }
}
