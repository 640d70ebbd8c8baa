//! Programs on plain numbers: the specification.
use super::kinds::of_one_modulus;
use super::{Congruent, Kind, Node, Operation, PairOp, Program};
use crate::{Interval, LutError, Plain};

impl Program {
    /// The same on plain numbers, rows and columns as `shape` says, modulo `modulus`: the specification.
    ///
    /// # Panics
    /// Unless the vectors have as many numbers as there are slots.
    #[must_use]
    pub fn values<T: Plain>(&self, inputs: &[&[T]], [rows, columns]: [usize; 2], modulus: u64) -> Vec<Vec<i128>> {
        let modulus = i128::from(modulus);
        let slots = rows * columns;
        let mut made: Vec<Vec<i128>> = Vec::with_capacity(self.operations.len());
        for operation in &self.operations {
            let zip = |a: &Node, b: &Node, f: &dyn Fn(i128, i128) -> i128| {
                let of = |(&a, &b): (&i128, &i128)| f(a, b).rem_euclid(modulus);
                made[a.0].iter().zip(&made[b.0]).map(of).collect::<Vec<_>>()
            };
            made.push(match operation {
                Operation::Input(i) => inputs[*i].iter().map(|x| x.to_i128().rem_euclid(modulus)).collect(),
                Operation::Constant(c) => vec![c.rem_euclid(modulus); slots],
                Operation::Sum(a, b) => zip(a, b, &|a, b| a + b),
                Operation::Difference(a, b) => zip(a, b, &|a, b| a - b),
                Operation::Product(a, b) => zip(a, b, &|a, b| a * b),
                Operation::Rotation(x, by) => {
                    let by = by.rem_euclid(columns as i64) as usize;
                    (0..slots).map(|i| made[x.0][i / columns * columns + (i % columns + by) % columns]).collect()
                }
                Operation::Exchange(x) => {
                    (0..slots).map(|i| made[x.0][(i + if rows == 2 { columns } else { 0 }) % slots]).collect()
                }
                Operation::SumSlots(x) => {
                    let sum: i128 = made[x.0].iter().sum();
                    vec![sum.rem_euclid(modulus); slots]
                }
                Operation::Table(x, table) => {
                    made[x.0].iter().map(|&x| self.tables[*table].values()[x as usize].into()).collect()
                }
                // Of residues of this modulus.
                Operation::TableOf(operands, table) => {
                    let entry = |slot: usize| operands.iter().fold(0, |i, node| i * modulus + made[node.0][slot]);
                    (0..slots).map(|slot| self.tables[*table].values()[entry(slot) as usize].into()).collect()
                }
                // Of residues as integers from 0 on.
                Operation::Integers(..) | Operation::Pair(..) | Operation::Select { .. } => {
                    let range = Interval { min: 0, max: modulus - 1 };
                    let of = |slot: usize| self.image(operation, |node| made[node.0][slot], |_| range);
                    (0..slots).map(|slot| of(slot).rem_euclid(modulus)).collect()
                }
            });
        }
        self.outputs.iter().map(|node| made[node.0].clone()).collect()
    }

    /// The results of vectors of integers of these ranges, none of which wraps: the specification of programs on
    /// integers.
    ///
    /// # Errors
    /// As [`Self::kinds`]; [`LutError::Kinds`] for operations on slots.
    ///
    /// # Panics
    /// Unless there are a vector of one length and a range for each input.
    pub fn integers_of<T: Plain>(&self, inputs: &[&[T]], ranges: &[Interval]) -> Result<Vec<Vec<i128>>, LutError> {
        self.plain(inputs, &ranges.iter().map(|&range| Kind::Integers(range)).collect::<Vec<_>>())
    }

    /// The results of values of these kinds, residues from 0 on among them, which alone wrap: the specification of
    /// programs on single values.
    ///
    /// # Errors
    /// As [`Self::kinds`]; [`LutError::Kinds`] for operations on slots.
    ///
    /// # Panics
    /// Unless there are a vector of one length and a kind for each input.
    pub fn plain<T: Plain>(&self, inputs: &[&[T]], kinds: &[Kind]) -> Result<Vec<Vec<i128>>, LutError> {
        assert_eq!(inputs.len(), kinds.len(), "vectors and their kinds");
        let modulus_of = self.modulus_of_numbers(kinds);
        // Functions of residues are those of integers.
        let of_residues = kinds.iter().any(|kind| kind.modulus().is_some());
        let as_integers = (of_residues && !self.is_whole(kinds)).then(|| self.plain_of_integers(inputs, kinds));
        let kinds = match (self.kinds(kinds), as_integers) {
            (_, Some(Ok(found))) => return Ok(found),
            (found, _) => found?,
        };
        if let Some(number) = self.operations.iter().position(Operation::moves) {
            return Err(self.refused(number, &kinds, "a program without slots"));
        }
        let taken = self.taken_of(&kinds);
        let mut outputs = vec![Vec::new(); self.outputs.len()];
        let mut made: Vec<i128> = Vec::with_capacity(self.operations.len());
        let rows =
            (0..inputs.first().map_or(0, |input| input.len())).map(|row| inputs.iter().map(move |input| input[row]));
        for row in rows {
            let values: Vec<i128> = row.map(Plain::to_i128).collect();
            self.row(&values, &kinds, &taken, &mut made);
            let result = |node: &Node| modulus_of(*node).map_or(made[node.0], |p| made[node.0].rem_euclid(p.into()));
            outputs.iter_mut().zip(&self.outputs).for_each(|(output, node)| output.push(result(node)));
        }
        Ok(outputs)
    }

    /// What is made of one value of each input, in the order of operations: 0 where no result takes it.
    pub(super) fn row(&self, values: &[i128], kinds: &[Kind], taken: &[bool], made: &mut Vec<i128>) {
        made.clear();
        for ((operation, kind), &is_taken) in self.operations.iter().zip(kinds).zip(taken) {
            if let Some(known) = kind.constant().or((!is_taken).then_some(0)) {
                made.push(known);
                continue;
            }
            let two = |a: &Node, b: &Node, f: fn(i128, i128) -> i128| {
                let exact = f(made[a.0], made[b.0]);
                match kind {
                    Kind::Residues(p) => exact.rem_euclid((*p).into()),
                    // What is too long is known modulo a power of two.
                    Kind::Integers(range) if range.min == 0 && (exact < 0 || exact > range.max) => {
                        exact.rem_euclid(range.max + 1)
                    }
                    Kind::Integers(_) => exact,
                }
            };
            let value = match operation {
                Operation::Input(i) => values[*i],
                Operation::Constant(c) => *c,
                Operation::Sum(a, b) => two(a, b, |a, b| a.wrapping_add(b)),
                Operation::Difference(a, b) => two(a, b, |a, b| a.wrapping_sub(b)),
                Operation::Product(a, b) => two(a, b, |a, b| a.wrapping_mul(b)),
                Operation::Pair(PairOp::Shl, x, y) => two(x, y, |x, y| if y < 128 { x << y } else { 0 }),
                Operation::Table(x, table) => self.tables[*table].entry(made[x.0] as usize).into(),
                Operation::TableOf(operands, table) => {
                    let own = of_one_modulus(operands.iter().map(|node| kinds[node.0]));
                    let entry = operands.iter().zip(own).fold(0, |entry, (node, kind)| match kind {
                        Kind::Residues(p) => entry * p as usize + made[node.0] as usize,
                        Kind::Integers(_) => unreachable!("kinds are checked"),
                    });
                    self.tables[*table].entry(entry).into()
                }
                _ => {
                    let range = |node: &Node| kinds[node.0].range().unwrap_or(Interval::unsigned(1));
                    let image = self.image(operation, |node| made[node.0], range);
                    kind.modulus().map_or(image, |p| image.rem_euclid(p.into()))
                }
            };
            made.push(value);
        }
    }

    /// The modulus that results which are numbers have, sums and products of such alone: that of all inputs. What a
    /// function or a table gives is an integer, where it is one number, too.
    pub(crate) fn modulus_of_numbers(&self, inputs: &[Kind]) -> impl Fn(Node) -> Option<u64> + use<> {
        let mut are_numbers: Vec<bool> = Vec::with_capacity(self.operations.len());
        for operation in &self.operations {
            use Operation::{Constant, Difference, Product, Sum};
            let is_number = matches!(operation, Constant(_) | Sum(..) | Difference(..) | Product(..));
            are_numbers.push(is_number && operation.operands().iter().all(|node| are_numbers[node.0]));
        }
        let modulus = residues(inputs).filter(|_| !self.of_integers);
        move |node| modulus.filter(|_| are_numbers[node.0])
    }

    /// [`Self::plain`] of residues as the integers 0 to p − 1.
    fn plain_of_integers<T: Plain>(&self, inputs: &[&[T]], kinds: &[Kind]) -> Result<Vec<Vec<i128>>, LutError> {
        let kept: Vec<Congruent> = kinds.iter().copied().map(Congruent::of).collect();
        let (made, moduli) = self.congruent(&kept, u32::MAX, false, &|_| true)?;
        let mut found = made.plain(inputs, &kept.iter().map(|input| input.kind).collect::<Vec<_>>())?;
        for (results, modulus) in found.iter_mut().zip(moduli) {
            let Some(p) = modulus else { continue };
            results.iter_mut().for_each(|result| *result = result.rem_euclid(p.into()));
        }
        Ok(found)
    }

    /// The image of integers under a function of them.
    fn image(&self, operation: &Operation, of: impl Fn(&Node) -> i128, range: impl Fn(&Node) -> Interval) -> i128 {
        match operation {
            Operation::Integers(op, operands) => op.apply(&operands.iter().map(of).collect::<Vec<_>>()),
            Operation::Pair(op, x, y) => op.apply(of(x), of(y), range(x)),
            Operation::Select { condition, then, otherwise } => of(if of(condition) == 1 { then } else { otherwise }),
            other => unreachable!("{other:?} is no function of integers"),
        }
    }
}

/// The modulus, if all inputs are residues of one: constants among them are such.
pub(crate) fn residues(inputs: &[Kind]) -> Option<u64> {
    match inputs {
        [first @ Kind::Residues(p), ..] if inputs.iter().all(|other| other == first) => Some(*p),
        _ => None,
    }
}
