//! Programs made of programs: with tables made for what they are of, and of one result.
use super::kinds::{NOTHING, of_one_modulus};
use super::{Kind, Node, Operation, Program};
use crate::table::MAX_TABLE_BITS;
use crate::{Interval, Lut, LutError};
use std::convert::Infallible;

impl Program {
    /// The same with other tables: `table` makes one for each place, of its name and what it is of there, one value or
    /// several, and says which integer its first entry is for.
    ///
    /// # Errors
    /// Those of `table`; [`LutError::Kinds`] as [`Self::kinds`].
    ///
    /// # Panics
    /// Unless there is a kind for each input.
    pub fn with_tables<E: From<LutError>>(
        &self,
        inputs: &[Kind],
        table: impl FnMut(&str, &[Kind]) -> Result<(Lut, i128), E>,
    ) -> Result<Self, E> {
        self.remade(inputs, false, table)
    }

    /// The same, where a table of several integers is of the number of their combination: it has an entry for each in
    /// their ranges, the last varying fastest.
    ///
    /// # Errors
    /// As [`Self::with_tables`].
    ///
    /// # Panics
    /// As [`Self::with_tables`].
    pub fn with_tables_of_ranges<E: From<LutError>>(
        &self,
        inputs: &[Kind],
        table: impl FnMut(&str, &[Kind]) -> Result<(Lut, i128), E>,
    ) -> Result<Self, E> {
        self.remade(inputs, true, table)
    }

    fn remade<E: From<LutError>>(
        &self,
        inputs: &[Kind],
        of_ranges: bool,
        mut table: impl FnMut(&str, &[Kind]) -> Result<(Lut, i128), E>,
    ) -> Result<Self, E> {
        // What functions make of residues, which have it where they are kept as integers, are integers.
        let kinds = |program: &Self, of: &[Node]| -> Result<Vec<Kind>, LutError> {
            let own = program.kinds(inputs)?;
            let kinds = || of.iter().map(|node| own[node.index()]);
            if inputs.iter().all(|kind| kind.modulus().is_none()) || program.is_whole(inputs) {
                return Ok(kinds().collect());
            }
            let kept = program.kept_kinds(inputs);
            let kind = |(node, own): (&Node, Kind)| match (kept[node.index()], own) {
                (Some(kept), _) => Ok(kept),
                (None, NOTHING) => Err(program.refusal_of(*node, inputs)),
                (None, own) => Ok(own),
            };
            of.iter().zip(kinds()).map(kind).collect()
        };
        let all = vec![true; self.operations.len()];
        self.rebuilt(&all, |program, number, made| {
            let node = match &self.operations[number] {
                Operation::Table(x, i) => {
                    let x = made(*x);
                    let kind = kinds(program, &[x])?[0];
                    let name = &self.table_names[*i];
                    let (lut, first) = table(name, &[kind])?;
                    let index = program.less(x, first);
                    program.table_as(name, index, &lut)
                }
                Operation::TableOf(operands, i) => {
                    let operands: Vec<Node> = operands.iter().map(|node| made(*node)).collect();
                    let kinds = of_one_modulus(kinds(program, &operands)?.into_iter());
                    let (lut, _) = table(&self.table_names[*i], &kinds)?;
                    match ranges(&kinds).filter(|_| of_ranges && inputs.iter().all(|kind| kind.modulus().is_none())) {
                        Some(ranges) => {
                            let number = program.joined(&operands, &ranges);
                            program.table_as(&self.table_names[*i], number, &lut)
                        }
                        None => program.table_of(&self.table_names[*i], &operands, &lut),
                    }
                }
                _ => return Ok(None),
            };
            Ok(Some(node))
        })
    }
}

/// The ranges of several integers; None of residues, of numbers alone, and of combinations that no table has room for.
fn ranges(kinds: &[Kind]) -> Option<Vec<Interval>> {
    if kinds.iter().all(|kind| kind.constant().is_some()) {
        return None;
    }
    let ranges: Vec<Interval> = kinds.iter().map(|kind| kind.range()).collect::<Option<_>>()?;
    let count = |range: &Interval| range.max.checked_sub(range.min)?.checked_add(1);
    let all = ranges.iter().try_fold(1i128, |all, range| all.checked_mul(count(range)?))?;
    (all <= 1 << MAX_TABLE_BITS).then_some(ranges)
}

impl Program {
    /// The number of a combination of integers of these ranges, the last varying fastest, from 0 on.
    fn joined(&mut self, operands: &[Node], ranges: &[Interval]) -> Node {
        let (mut number, mut first) = (operands[0], ranges[0].min);
        for (&operand, range) in operands[1..].iter().zip(&ranges[1..]) {
            let count = range.max - range.min + 1;
            let size = self.constant(count);
            let above = self.mul(size, number);
            number = self.add(above, operand);
            first = first * count + range.min;
        }
        if first != 0 {
            let first = self.constant(first);
            number = self.sub(number, first);
        }
        number
    }
}

impl Program {
    /// Which of the tables are of one value that an input has part in, and not of numbers alone or of several.
    #[must_use]
    pub fn tables_of_inputs(&self) -> Vec<bool> {
        let mut is_made: Vec<bool> = Vec::with_capacity(self.operations.len());
        let mut tables = vec![false; self.tables.len()];
        for operation in &self.operations {
            let made = matches!(operation, Operation::Input(_))
                || operation.operands().iter().any(|operand| is_made[operand.0]);
            if let Operation::Table(_, table) = operation {
                tables[*table] |= made;
            }
            is_made.push(made);
        }
        tables
    }

    /// Why there is no value, of inputs of these kinds.
    fn refusal_of(&self, node: Node, inputs: &[Kind]) -> LutError {
        let alone = Self { outputs: vec![node], output_names: vec![None], ..self.clone() };
        let refused = || self.refused(node.index(), &[], "integers, or residues of one modulus");
        alone.kinds(inputs).err().unwrap_or_else(refused)
    }

    /// The result of this number alone, of the same inputs.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn only(&self, output: usize) -> Self {
        let outputs = [self.outputs[output]];
        let needed = self.needed(&outputs, |_| false);
        let Ok(program) = self.rebuilt(&needed, |_, _, _| Ok::<_, Infallible>(None));
        let made = self.outputs[..output].iter().filter(|node| needed[node.index()]).count();
        let outputs = vec![program.outputs[made]];
        Self { outputs, output_names: vec![self.output_names[output].clone()], text: None, ..program }
    }

    /// Which operations these results need, where some operations need none.
    pub(super) fn needed(&self, outputs: &[Node], needs_none: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut needed = vec![false; self.operations.len()];
        outputs.iter().for_each(|node| needed[node.index()] = true);
        for number in (0..self.operations.len()).rev() {
            if needed[number] && !needs_none(number) {
                self.operations[number].operands().iter().for_each(|node| needed[node.index()] = true);
            }
        }
        needed
    }

    /// The same program of the operations that are needed, each as it is or what `instead` makes in the new program in
    /// place of it, of its number and of where operands are there. Results are those that are needed.
    ///
    /// # Errors
    /// Those of `instead`.
    pub(super) fn rebuilt<E>(
        &self,
        needed: &[bool],
        mut instead: impl FnMut(&mut Self, usize, &dyn Fn(Node) -> Node) -> Result<Option<Node>, E>,
    ) -> Result<Self, E> {
        let (names, text, of_integers) = (self.names.clone(), self.text.clone(), self.of_integers);
        let mut program = Self { names, text, of_integers, ..Self::new() };
        let mut nodes: Vec<Option<Node>> = vec![None; self.operations.len()];
        for number in (0..self.operations.len()).filter(|&number| needed[number]) {
            let made = |node: Node| nodes[node.index()].unwrap_or_else(|| unreachable!("operands come first"));
            let node = match instead(&mut program, number, &made)? {
                Some(node) => node,
                None => {
                    let node = match self.operations[number].clone().mapped(made) {
                        Operation::Table(x, i) => program.table_as(&self.table_names[i], x, &self.tables[i]),
                        Operation::TableOf(operands, i) => {
                            program.table_of(&self.table_names[i], &operands, &self.tables[i])
                        }
                        operation => program.push(operation),
                    };
                    if self.is_negation(number) {
                        program.negations.insert(node);
                    }
                    node
                }
            };
            nodes[number] = Some(node);
        }
        program.outputs = self.outputs.iter().filter_map(|node| nodes[node.index()]).collect();
        program.output_names.clone_from(&self.output_names);
        Ok(program)
    }

    /// x less a number.
    pub(super) fn less(&mut self, x: Node, number: i128) -> Node {
        if number == 0 {
            return x;
        }
        let number = self.constant(number);
        self.sub(x, number)
    }
}

impl Operation {
    /// The same of other values.
    pub(super) fn mapped(mut self, mut node: impl FnMut(Node) -> Node) -> Self {
        match &mut self {
            Self::Input(_) | Self::Constant(_) => {}
            Self::TableOf(operands, _) => operands.iter_mut().for_each(|x| *x = node(*x)),
            Self::Sum(a, b) | Self::Difference(a, b) | Self::Product(a, b) | Self::Pair(_, a, b) => {
                [*a, *b] = [node(*a), node(*b)];
            }
            Self::Rotation(x, _) | Self::Exchange(x) | Self::SumSlots(x) | Self::Table(x, _) => *x = node(*x),
            Self::Integers(_, operands) => operands.iter_mut().for_each(|x| *x = node(*x)),
            Self::Select { condition, then, otherwise } => {
                [*condition, *then, *otherwise] = [node(*condition), node(*then), node(*otherwise)];
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Interval;

    #[test]
    fn one_result_has_what_it_takes() {
        let half = Lut::modular(vec![0, 0, 1, 1], 4).unwrap();
        let program = Program::parse("d = x - y; half(z) + d; n = not(x < y); d*d", &[("half", &half)]).unwrap();
        let shown: Vec<String> = (0..4).map(|output| program.only(output).to_string()).collect();
        assert_eq!(shown, ["d = (x - y)", "(half(z) + (x - y))", "n = not((x < y))", "(x - y)*(x - y)"]);
        assert!((0..4).all(|output| program.only(output).names() == program.names()));
        assert_eq!(program.only(0).operations().len(), 3);
    }

    /// A table of what may be negative, and the same of its own image, which has another range.
    #[test]
    fn tables_are_made_for_their_operands() {
        let stand_in = Lut::modular(vec![0, 0], 2).unwrap();
        let program = Program::parse("T(x - y) + 2*not(x < T(T(y)))", &[("T", &stand_in)]).unwrap();
        let ranges = [Interval { min: -3, max: 4 }, Interval { min: 1, max: 6 }];
        let mut seen = Vec::new();
        let of = |x: i128| x * x % 5 + 1;
        let made = program.with_tables(&ranges.map(Kind::Integers), |name, kind| {
            assert_eq!(name, "T");
            let range = kind[0].range().unwrap();
            seen.push(range);
            let mut entries: Vec<i128> = (range.min..=range.max).map(of).collect();
            entries.resize(entries.len().next_power_of_two(), 0);
            Ok::<_, LutError>((Lut::new(entries, 3)?, range.min))
        });
        let made = made.unwrap();
        assert_eq!(seen, [(-9, 3), (1, 6), (1, 5)].map(|(min, max)| Interval { min, max }));
        assert_eq!(made.to_string(), program.to_string());
        for x in -3..=4 {
            for y in 1..=6 {
                let expected = of(x - y) + 2 * i128::from(x >= of(of(y)));
                assert_eq!(made.integers_of(&[&[x], &[y]], &ranges).unwrap(), [[expected]], "{x} {y}");
            }
        }
        let several = Program::parse("T(x, y) + x; T(1, y); T(x, 0)", &[("T", &stand_in)]).unwrap();
        let made = several.with_tables(&[Kind::Residues(2); 2], |_, kind| {
            assert_eq!(kind, [Kind::Residues(2); 2]);
            Ok::<_, LutError>((Lut::modular(vec![0, 1, 1, 0], 2)?, 0))
        });
        let bits: [&[i128]; 2] = [&[0, 0, 1, 1], &[0, 1, 0, 1]];
        let expected = [[0, 1, 0, 1], [1, 0, 1, 0], [0, 0, 1, 1]];
        assert_eq!(made.unwrap().plain(&bits, &[Kind::Residues(2); 2]).unwrap(), expected);
        let refused = program
            .with_tables(&ranges.map(Kind::Integers), |_, _| Lut::new(Vec::<i128>::new(), 3).map(|lut| (lut, 0)));
        assert!(refused.is_err());
    }

    /// A table of several integers is of all of them together, a number among them too.
    #[test]
    fn tables_of_several_integers_are_of_one_number() {
        let stand_in = Lut::modular(vec![0, 0], 2).unwrap();
        let program = Program::parse("T(x, y) + T(y, 3)", &[("T", &stand_in)]).unwrap();
        let ranges = [Interval { min: -2, max: 4 }, Interval { min: 1, max: 6 }];
        let mut seen = Vec::new();
        let made = program.with_tables_of_ranges(&ranges.map(Kind::Integers), |_, kinds| {
            let ranges: Vec<Interval> = kinds.iter().map(|kind| kind.range().unwrap()).collect();
            seen.push(ranges.iter().map(|range| (range.min, range.max)).collect::<Vec<_>>());
            let [of_x, of_y] = ranges[..] else { unreachable!("two") };
            let entries: Vec<i128> =
                (of_x.min..=of_x.max).flat_map(|x| (of_y.min..=of_y.max).map(move |y| 10 * x + y)).collect();
            let entries = entries.into_iter().map(|entry| entry as i64).collect::<Vec<_>>();
            Ok::<_, LutError>((Lut::new(entries, 8)?, 0))
        });
        let made = made.unwrap();
        assert_eq!(seen, [[(-2, 4), (1, 6)], [(1, 6), (3, 3)]]);
        for x in -2..=4 {
            for y in 1..=6 {
                let expected = 10 * x + y + 10 * y + 3;
                assert_eq!(made.integers_of(&[&[x], &[y]], &ranges).unwrap(), [[expected]], "{x} {y}");
            }
        }
    }

    /// A table is of what a function makes of residues, those of another table among them, or there is none.
    #[test]
    fn tables_of_functions_of_residues_have_their_values() {
        let stand_in = Lut::modular(vec![0, 0], 2).unwrap();
        let tables = [("f", &stand_in), ("g", &stand_in)];
        for (text, expected) in [
            ("f(g(x) > 5)", 0..=1),
            ("f(max(g(x), 3))", 3..=999),
            ("f(g(x) % 4)", 0..=3),
            ("f(not(g(x) > 5))", 0..=1),
            ("f(g(x)*3 > y)", 0..=1),
        ] {
            let program = Program::parse(text, &tables).unwrap();
            let mut seen = None;
            let made = program.with_tables(&vec![Kind::Residues(1000); program.inputs()], |name, kinds| {
                if name == "g" {
                    assert_eq!(kinds, [Kind::Residues(1000)]);
                    return Ok::<_, LutError>((Lut::modular((0..1000).rev().collect(), 1000)?, 0));
                }
                seen = Some(kinds.to_vec());
                Ok((stand_in.clone(), 0))
            });
            assert_eq!((made.is_ok(), seen), (true, Some(vec![Kind::Integers(expected.into())])), "{text}");
        }
        // What is never taken of them may be refused.
        for text in ["f(select(x > 999, shl(x, 0 - 1), x))", "f(select(x > x, shl(x, 0 - 1), x))"] {
            let program = Program::parse(text, &tables[..1]).unwrap();
            let made = program.with_tables(&[Kind::Residues(1000)], |_, kinds| {
                assert_eq!(kinds, [Kind::Residues(1000)], "{text}");
                Ok::<_, LutError>((stand_in.clone(), 0))
            });
            assert!(made.is_ok(), "{text}: {made:?}");
        }
        let program = Program::parse("f(x + y > 3)", &tables[..1]).unwrap();
        let kinds = [Kind::Residues(1000), Kind::Residues(100)];
        let refused = program.with_tables(&kinds, |_, _| -> Result<(Lut, i128), LutError> { unreachable!() });
        assert!(refused.unwrap_err().to_string().contains("residues modulo 1000, residues modulo 100"));
    }
}
