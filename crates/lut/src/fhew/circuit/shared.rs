//! Circuits of one register, whose first steps are made once: all trees of CMUXes of a message take the same bits.
use std::rc::Rc;

use super::{Circuit, LookUp, Product, Register, Step, Table};

/// Results of a look-up, at most: of more the polynomials take tens of megabytes.
pub const MOST_RESULTS: usize = 32;

/// Circuits whose steps were appended to another.
#[derive(Debug, Default)]
pub struct Appended(Vec<Part>);

#[derive(Debug)]
struct Part {
    circuit: Rc<Circuit>,
    sources: Vec<Register>,
    /// Where its own registers begin.
    first: usize,
    /// Where its steps begin.
    start: usize,
}

impl Part {
    fn here(&self, Register(own): Register) -> Register {
        self.sources.get(own).copied().unwrap_or(Register(self.first + own))
    }
}

impl Step {
    /// What it adds to.
    fn targets(&self) -> Vec<Register> {
        match self {
            Self::Constant { target, .. }
            | Self::Linear { target, .. }
            | Self::ModUp { target, .. }
            | Self::Correlation { target, .. }
            | Self::Instead { target, .. }
            | Self::Multiply(Product { target, .. }) => vec![*target],
            Self::LookUp(LookUp { tables, .. }) => tables.iter().map(|(target, _)| *target).collect(),
            Self::Rotate(rotation) => match &rotation.table {
                Table::Plain { target, .. }
                | Table::Continuous { target, .. }
                | Table::Packed { target, .. }
                | Table::Selected { target, .. } => vec![*target],
                Table::Multi { columns, .. } => columns.iter().map(|column| column.target).collect(),
                Table::Interleaved { functions } => functions.iter().map(|(target, _)| *target).collect(),
            },
        }
    }
}

impl Circuit {
    /// The most steps from the first on that both have, and whose results no other step of either adds to.
    fn in_common(&self, other: &Self) -> usize {
        let equal = self.steps.iter().zip(&other.steps).take_while(|(own, others)| own == others).count();
        let mut common = equal;
        loop {
            let rest = self.steps[common..].iter().chain(&other.steps[common..]);
            let changed: Vec<Register> = rest.flat_map(Step::targets).collect();
            let is_changed = |step: &Step| step.targets().iter().any(|register| changed.contains(register));
            match self.steps[..common].iter().position(is_changed) {
                Some(step) => common = step,
                None => return common,
            }
        }
    }

    /// As [`Self::append`], but steps with which a circuit began that was appended to the same sources are not made
    /// again, and both look up their results at once. With the results it says whether an earlier step has changed.
    ///
    /// # Panics
    /// As [`Self::append`].
    pub fn append_beside(
        &mut self,
        circuit: &Rc<Self>,
        sources: &[Register],
        appended: &mut Appended,
    ) -> (Vec<Register>, bool) {
        let beside = appended.0.iter().filter(|part| part.sources == sources);
        let found = beside.map(|part| (circuit.in_common(&part.circuit), part)).max_by_key(|(common, _)| *common);
        let Some((common, part)) = found.filter(|(common, _)| *common > 0) else {
            let (first, start) = (self.registers - circuit.inputs, self.steps.len());
            let (circuit, sources) = (Rc::clone(circuit), sources.to_vec());
            let outputs = self.append(&circuit, &sources);
            appended.0.push(Part { circuit, sources, first, start });
            return (outputs, false);
        };
        let mut here: Vec<Option<Register>> = vec![None; circuit.registers];
        here.iter_mut().zip(sources).for_each(|(here, &source)| *here = Some(source));
        for register in circuit.steps[..common].iter().flat_map(Step::targets) {
            here[register.0] = Some(part.here(register));
        }
        for here in here.iter_mut().filter(|here| here.is_none()) {
            *here = Some(self.register());
        }
        let here = |register: Register| here[register.0].unwrap_or(register);
        // A look-up by the same bits, of which nothing before it is changed, serves both.
        let lookup_of = |circuit: &Self| circuit.steps.iter().position(|step| matches!(step, Step::LookUp(_)));
        let lookup = lookup_of(&part.circuit).map(|number| part.start + number);
        let (rest, mut is_earlier) = (self.steps.len(), false);
        for mut step in circuit.steps[common..].iter().cloned() {
            step.registers_mut().into_iter().for_each(|register| *register = here(*register));
            match (lookup, &step) {
                (Some(number), Step::LookUp(own)) if self.takes(number, own, rest) => {
                    if let Step::LookUp(made) = &mut self.steps[number] {
                        made.tables.extend(own.tables.iter().cloned());
                        is_earlier = true;
                    }
                }
                _ => self.steps.push(step),
            }
        }
        (circuit.outputs.iter().map(|output| here(output.register)).collect(), is_earlier)
    }

    /// Whether step number `number` may look up these tables too, to which the steps from number `rest` on add nothing.
    fn takes(&self, number: usize, own: &LookUp, rest: usize) -> bool {
        let Step::LookUp(made) = &self.steps[number] else { return false };
        let is_free =
            |(target, _): &(Register, _)| !self.steps[rest..].iter().any(|step| step.targets().contains(target));
        (own.gadget, &own.selectors) == (made.gadget, &made.selectors)
            && own.tables.len() + made.tables.len() <= MOST_RESULTS
            && own.tables.iter().all(is_free)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fhew::digits::{LargeLut, cmux_trees};
    use bootes_lattice::Gadget;

    fn tree(log2_base: u32, table: impl Fn(u64) -> u64) -> Rc<Circuit> {
        let table = LargeLut::new((0..64).map(table).collect(), 6).unwrap();
        Rc::new(cmux_trees(&[table], Gadget::try_new(log2_base, 2).unwrap(), 3, 0).unwrap())
    }

    /// Trees on one register take its bits once, and look up at once; results are those of each alone.
    #[test]
    fn trees_take_the_same_bits() {
        let (mut circuit, mut appended) = (Circuit::new(2), Appended::default());
        let sources = [0, 1].map(|i| circuit.input(i));
        let mut add = |tree: &Rc<Circuit>, source: Register| {
            let (results, is_earlier) = circuit.append_beside(tree, &[source], &mut appended);
            circuit.put_out(results[0], 0.1);
            (circuit.rotations().count(), circuit.look_ups().count(), is_earlier)
        };
        let square = |x: u64| x * x % 64;
        // Three rotations tell the bits, and two refresh the digits.
        assert_eq!(add(&tree(8, |x| x), sources[0]), (5, 1, false));
        assert_eq!(add(&tree(8, square), sources[0]), (7, 1, true));
        // Digits that all entries have in common take none.
        assert_eq!(add(&tree(8, |x| x % 2 + 40), sources[0]), (8, 1, true));
        // Of another register, and of another gadget.
        assert_eq!(add(&tree(8, square), sources[1]), (13, 2, false));
        assert_eq!(add(&tree(9, square), sources[0]), (18, 3, false));
        assert_eq!(add(&tree(9, |x| 63 - x), sources[0]), (20, 3, true));
        for x in [0u64, 5, 31, 63] {
            let message = |x: u64| x << 57;
            let found = circuit.phases(&[message(x), message(63 - x)], &mut 0).unwrap();
            let expected = [x, square(x), x % 2 + 40, square(63 - x), square(x), 63 - x].map(message);
            assert_eq!(found, expected, "{x}");
        }
    }

    /// What a later step adds to is not shared.
    #[test]
    fn what_changes_is_made_again() {
        let part = |more: u64| {
            let mut circuit = Circuit::new(1);
            let (x, double) = (circuit.input(0), circuit.multiple(circuit.input(0), 2));
            circuit.add(double, x, 1);
            circuit.add_constant(double, more);
            circuit.put_out(double, 0.1);
            Rc::new(circuit)
        };
        let (mut circuit, mut appended) = (Circuit::new(1), Appended::default());
        for more in [5, 7] {
            let source = circuit.input(0);
            let (results, _) = circuit.append_beside(&part(more), &[source], &mut appended);
            circuit.put_out(results[0], 0.1);
        }
        assert_eq!(circuit.phases(&[100], &mut 0).unwrap(), [305, 307]);
    }
}
