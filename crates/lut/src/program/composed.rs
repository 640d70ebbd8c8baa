//! Several functions of one value, one of another or side by side, as one table of it.
use std::collections::BTreeMap;
use std::convert::Infallible;

use super::{Kind, Node, Operation, Program};
use crate::table::MAX_TABLE_BITS;
use crate::{IntegerOp, Interval, Lut};

/// Values times operations that are looked at, at most: some tens of milliseconds.
const MOST_WORK: i128 = 1 << 21;

/// Bits of a message that a rotation takes, about.
const BITS_OF_ROTATION: u32 = 4;

/// What a value is made of.
#[derive(Clone, Copy, PartialEq)]
enum Source {
    /// Numbers alone.
    Numbers,
    /// An input, and up to two of the functions on the way.
    Input(usize, [Option<usize>; 2]),
    /// Several inputs.
    Several,
}

/// A table of an input in place of an operation.
#[derive(Clone)]
struct Part {
    /// Which input.
    input: usize,
    /// The input's least value, of which entry 0 is.
    least: i128,
    lut: Lut,
}

impl Source {
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (one, Self::Numbers) | (Self::Numbers, one) => one,
            (Self::Input(i, one), Self::Input(j, other)) if i == j => {
                other.into_iter().flatten().fold(Self::Input(i, one), Self::with)
            }
            _ => Self::Several,
        }
    }

    /// With one function more.
    fn with(self, function: usize) -> Self {
        match self {
            Self::Input(i, [None, _]) => Self::Input(i, [Some(function), None]),
            Self::Input(i, [Some(first), None]) if first != function => Self::Input(i, [Some(first), Some(function)]),
            own => own,
        }
    }

    /// The input, of what at least two functions make.
    fn composed(self) -> Option<usize> {
        match self {
            Self::Input(i, [_, Some(_)]) => Some(i),
            _ => None,
        }
    }
}

impl Program {
    /// The same, where what two functions or more make of an integer of at most `most` values, and of nothing else, is
    /// one table of it: `x^3 % 251` of 8 bits has 256 entries. With it about how many rotations of engine fhew its
    /// functions would take. None where there is no such part.
    ///
    /// The ranges of results are those of the entries, within what [`Self::kinds`] tells of this program.
    ///
    /// # Panics
    /// Unless there is a kind for each input.
    #[must_use]
    pub fn composed(&self, inputs: &[Kind], most: u64) -> Option<(Self, u64)> {
        // A table alone may be asked for results with more room than its entries take.
        if self.operations.iter().any(Operation::moves) || self.as_table().is_some() {
            return None;
        }
        let (kinds, wraps): (Vec<Kind>, Vec<Option<u32>>) = self.wrapping(inputs, u32::MAX).ok()?.into_iter().unzip();
        let taken = self.taken_of(&kinds);
        let sources = self.sources(&kinds);
        let range_of = |i: usize| inputs[i].range().filter(|range| range.max - range.min < i128::from(most));
        let mut parts: BTreeMap<usize, (Interval, Vec<usize>)> = BTreeMap::new();
        for number in 0..self.operations.len() {
            // What wraps is told by what takes it.
            let is_whole = taken[number] && wraps[number].is_none() && kinds[number].constant().is_none();
            let input = sources[number].composed().filter(|_| is_whole);
            if let Some((i, range)) = input.and_then(|i| Some((i, range_of(i)?))) {
                parts.entry(i).or_insert_with(|| (range, Vec::new())).1.push(number);
            }
        }
        let values: i128 = parts.values().map(|(range, _)| range.max - range.min + 1).sum();
        if parts.is_empty() || values * self.operations.len() as i128 > MOST_WORK {
            return None;
        }
        let mut made: Vec<Option<Part>> = vec![None; self.operations.len()];
        for (&input, (range, numbers)) in &parts {
            let mut entries: Vec<Vec<i128>> = vec![Vec::new(); numbers.len()];
            self.each_value(input, *range, (inputs, &kinds, &taken), |row| {
                numbers.iter().zip(&mut entries).for_each(|(&number, entries)| entries.push(row[number]));
            });
            for (&number, entries) in numbers.iter().zip(entries) {
                made[number] = table(entries).map(|lut| Part { input, least: range.min, lut });
            }
        }
        let needed = self.needed(&self.outputs, |number| made[number].is_some());
        let is_replaced = |&number: &usize| !needed[number] || made[number].is_some();
        let is_made = |&number: &usize| taken[number] && kinds[number].constant().is_none();
        let replaced = (0..self.operations.len()).filter(is_replaced).filter(is_made);
        let rotations = replaced.map(|number| self.rotations_of(number, &kinds)).sum();
        let Ok(rebuilt) = self.rebuilt(&needed, |program, number, _| {
            let table = made[number].as_ref().map(|Part { input, least, lut }| {
                let x = program.push(Operation::Input(*input));
                let index = program.less(x, *least);
                program.table_as(&format!("part{number}"), index, lut)
            });
            Ok::<_, Infallible>(table)
        });
        Some((rebuilt, rotations))
    }

    /// What each value is made of.
    fn sources(&self, kinds: &[Kind]) -> Vec<Source> {
        let mut sources: Vec<Source> = Vec::with_capacity(self.operations.len());
        for (number, operation) in self.operations.iter().enumerate() {
            let of_operands =
                || operation.taken(kinds).iter().map(|node| sources[node.index()]).fold(Source::Numbers, Source::and);
            sources.push(match operation {
                _ if kinds[number].constant().is_some() => Source::Numbers,
                Operation::Input(i) => Source::Input(*i, [None; 2]),
                _ if self.is_function(number, kinds) => of_operands().with(number),
                _ => of_operands(),
            });
        }
        sources
    }

    /// Whether an operation is no sum, and no product with a number.
    fn is_function(&self, number: usize, kinds: &[Kind]) -> bool {
        let is_number = |node: &Node| kinds[node.index()].constant().is_some();
        match &self.operations[number] {
            Operation::Input(_) | Operation::Constant(_) | Operation::Sum(..) | Operation::Difference(..) => false,
            Operation::Integers(op, _) => !matches!(op, IntegerOp::Add | IntegerOp::Sub),
            Operation::Product(a, b) => !is_number(a) && !is_number(b),
            _ => true,
        }
    }

    /// About how many rotations a function takes: by the bits of its operands, of each with each in products and
    /// divisions.
    fn rotations_of(&self, number: usize, kinds: &[Kind]) -> u64 {
        if !self.is_function(number, kinds) {
            return 0;
        }
        let bits = |node: Node| kinds[node.index()].range().map_or(1, Interval::width);
        let parts = |node: Node| u64::from(bits(node).div_ceil(BITS_OF_ROTATION).max(1));
        match &self.operations[number] {
            Operation::Product(a, b) | Operation::Pair(_, a, b) => parts(*a) * parts(*b),
            operation => operation.operands().into_iter().map(parts).max().unwrap_or(1),
        }
    }

    /// Hands on what is made of each value that input number `i` may have, in order, whatever the others are.
    fn each_value(
        &self,
        i: usize,
        range: Interval,
        (inputs, kinds, taken): (&[Kind], &[Kind], &[bool]),
        mut of: impl FnMut(&[i128]),
    ) {
        let mut values: Vec<i128> = inputs.iter().map(|kind| kind.range().map_or(0, |range| range.min)).collect();
        let mut made = Vec::with_capacity(self.operations.len());
        for value in range.min..=range.max {
            values[i] = value;
            self.row(&values, kinds, taken, &mut made);
            of(&made);
        }
    }
}

/// The table of these entries, if there is one of so many bits.
fn table(entries: Vec<i128>) -> Option<Lut> {
    let (least, most) = (entries.iter().min()?, entries.iter().max()?);
    let image = Interval { min: *least, max: *most };
    if image.min == image.max || image.max.max(-image.min) >> MAX_TABLE_BITS != 0 {
        return None;
    }
    Lut::new(entries, Lut::bits_of(image)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Interval;

    fn composed(text: &str, ranges: &[Interval]) -> Option<String> {
        let program = Program::parse(text, &[]).unwrap();
        let kinds: Vec<Kind> = ranges.iter().map(|&range| Kind::Integers(range)).collect();
        let (made, rotations) = program.composed(&kinds, 256)?;
        assert!(rotations > 0, "{text}");
        // All values, and all results within the ranges of the program.
        let columns: Vec<Vec<i128>> = (0..ranges.len())
            .map(|i| {
                let count = |range: &Interval| range.max - range.min + 1;
                let all: i128 = ranges.iter().map(count).product();
                let below: i128 = ranges[..i].iter().map(count).product();
                (0..all).map(|v| ranges[i].min + v / below % count(&ranges[i])).collect()
            })
            .collect();
        let columns: Vec<&[i128]> = columns.iter().map(Vec::as_slice).collect();
        assert_eq!(made.plain(&columns, &kinds).unwrap(), program.plain(&columns, &kinds).unwrap(), "{text}");
        let of = |program: &Program| -> Vec<Interval> {
            let kinds = program.kinds(&kinds).unwrap();
            program.outputs().iter().filter_map(|node| kinds[node.index()].range()).collect()
        };
        assert!(of(&program).iter().zip(of(&made)).all(|(whole, own)| whole.holds(own)), "{text}");
        Some(Program { text: None, ..made }.to_string())
    }

    /// Two functions of one value are a table of it; of one, of several values or of many none is made.
    #[test]
    fn functions_of_one_value_are_tables() {
        let (bits, signed) = (Interval::unsigned(5), Interval::signed(4));
        for (text, range, expected) in [
            ("x^3 % 251", bits, Some("part4(x)")),
            ("x^11 % 251", bits, Some("part7(x)")),
            ("x*x % 7", signed, Some("part3((x - -8))")),
            ("relu(x) + abs(x)", signed, Some("part3((x - -8))")),
            ("3*relu(x) + x", signed, None),
            // Entries from −9 to −5, beside which there is room for 0.
            ("relu(x) % 4 - abs(x) % 2 - 8", signed, Some("part9((x - -8))")),
            ("x % 8", bits, None),
            ("x + x - 3", bits, None),
            // Too large for a table as a whole, and not as a part.
            ("x^8", bits, Some("part2(x)*part2(x)")),
            ("(x*x*x*x*x*x) % 2^4 + x", bits, Some("part9(x)")),
        ] {
            assert_eq!(composed(text, &[range]).as_deref(), expected, "{text}");
        }
        for (text, expected) in [
            ("x*x % 7 + y", Some("(part3(x) + y)")),
            ("(x*x % 7)*(y*y % 5)", Some("part3(x)*part7(y)")),
            ("(x*x % 7 > y) + x*x % 7", Some("((y < part3(x)) + part3(x))")),
            ("select(x > 3, x*x, 7) + max(x, y)", Some("(part5(x) + max(x, y))")),
            ("x*y % 7", None),
            ("not(x*x % 7 == 2); y", Some("part7(x); y")),
            // What no result takes stays.
            ("x*x % 7 + select(1 < 0, x*y*x, y)", Some("(part3(x) + select((1 < 0), x*x*y, y))")),
        ] {
            assert_eq!(composed(text, &[bits, Interval::unsigned(3)]).as_deref(), expected, "{text}");
        }
        assert_eq!(composed("x*x % 7", &[Interval::unsigned(9)]), None);
    }
}
