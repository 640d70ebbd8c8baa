//! Residues or integers: what the values of a program are, known before there are any.
use super::words::alone;
use super::{Node, Operation, PairOp, Program};
use crate::integer::MOST_BITS;
use crate::{IntegerOp, Interval, LutError};
use std::collections::BTreeMap;
use std::fmt;

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A residue modulo p: sums and products wrap.
    Residues(u64),
    /// An integer of this range: nothing wraps. A constant is one of a single integer.
    Integers(Interval),
}

impl Kind {
    /// The constant that it is.
    #[must_use]
    pub fn constant(self) -> Option<i128> {
        match self {
            Self::Integers(Interval { min, max }) if min == max => Some(min),
            _ => None,
        }
    }

    /// The modulus of residues.
    #[must_use]
    pub fn modulus(self) -> Option<u64> {
        match self {
            Self::Residues(p) => Some(p),
            Self::Integers(_) => None,
        }
    }

    /// The range of integers.
    #[must_use]
    pub fn range(self) -> Option<Interval> {
        match self {
            Self::Integers(range) => Some(range),
            Self::Residues(_) => None,
        }
    }

    /// What both are, where one may be a constant: residues of one modulus, or integers, whose range `of` tells.
    fn with(self, other: Self, of: impl FnOnce(Interval, Interval) -> Option<Interval>) -> Option<Self> {
        match (self, other) {
            (Self::Integers(x), Self::Integers(y)) => of(x, y).map(Self::Integers),
            (Self::Residues(p), Self::Residues(q)) => (p == q).then_some(self),
            (residues @ Self::Residues(_), constant) | (constant, residues) => constant.constant().map(|_| residues),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, self.constant()) {
            (Self::Residues(p), _) => write!(f, "residues modulo {p}"),
            (_, Some(c)) => write!(f, "{c}"),
            (Self::Integers(range), None) => write!(f, "integers from {range}"),
        }
    }
}

/// The longest integers.
pub(super) const LONGEST: Interval = Interval { min: 1 - (1 << MOST_BITS), max: (1 << MOST_BITS) - 1 };

const ALIKE: &str = "residues of one modulus, or integers whose result has at most 112 bits, or is taken modulo a \
                     power of two up to 2^65, as x*y % 2^64 is";
const NUMBERS: &str = "a number of at most 112 bits: x % 2^k is of a k up to 65, and unsigned(x, w) of w up to 64";
/// What is refused, where nothing takes it.
pub(super) const NOTHING: Kind = Kind::Integers(Interval { min: 0, max: 0 });

pub(super) const COMBINATIONS: &str =
    "residues, and constants from 0 on that are such, each combination of which has an entry";
const SLOTS: &str = "residues in slots, of engine bfv; integers of a vector are added up by Ciphertexts::linear_map";
const NO_INTEGERS: &str = "integers; encrypt them as such (Client::encrypt_integers or encrypt_unsigned), since \
                           residues modulo a number that is no power of two become none";
const INTEGERS: &str = "integers; residues become integers by Ciphertexts::as_integers, and encryption makes integers";

/// Of each operation its kind, and the bits k modulo 2^k that it wraps at.
struct Told {
    kinds: Vec<Kind>,
    wraps: Vec<Option<u32>>,
    /// What is refused, and what is made of it, by the operation that has to be another.
    refused: BTreeMap<usize, usize>,
    /// What is expected of that.
    refusals: BTreeMap<usize, &'static str>,
}

impl Program {
    /// The kinds of all its values, for inputs of these. A sum, difference or product of integers that would be too
    /// long is an integer modulo 2^k, from 0 to 2^k − 1, where the program takes nothing else of it: x·y % 2^k. What no
    /// result takes, as where a condition never holds, is any integer where it would be refused.
    ///
    /// # Errors
    /// [`LutError::Kinds`] for an operation on others than it has, if a result takes it.
    ///
    /// # Panics
    /// Unless there is one for each input.
    pub fn kinds(&self, inputs: &[Kind]) -> Result<Vec<Kind>, LutError> {
        Ok(self.wrapping(inputs, u32::MAX)?.into_iter().map(|(kind, _)| kind).collect())
    }

    /// The kinds, and of each sum, difference and product that wraps the bits k of its residues. Products of more than
    /// `most` bits wrap as well where that makes them shorter.
    ///
    /// # Errors
    /// [`LutError::Kinds`], as [`Self::kinds`].
    pub fn wrapping(&self, inputs: &[Kind], most: u32) -> Result<Vec<(Kind, Option<u32>)>, LutError> {
        let Told { kinds, wraps, refused, refusals } = self.told(inputs, most);
        match self.outputs.iter().filter_map(|node| refused.get(&node.index())).min() {
            Some(root) => Err(self.refused(*root, &kinds, refusals[root])),
            None => Ok(kinds.into_iter().zip(wraps).collect()),
        }
    }

    /// Whether there is all of it, what no result takes, too. Where there is not, operations on residues are those of
    /// integers congruent to them.
    ///
    /// # Panics
    /// Unless there is a kind for each input.
    #[must_use]
    pub fn is_whole(&self, inputs: &[Kind]) -> bool {
        self.told(inputs, u32::MAX).refused.is_empty()
    }

    /// What is told of all operations.
    fn told(&self, inputs: &[Kind], most: u32) -> Told {
        assert_eq!(inputs.len(), self.inputs(), "inputs and their kinds");
        let mut kinds: Vec<Kind> = Vec::with_capacity(self.operations.len());
        let (taken, mut wraps) = (self.taken(), Vec::new());
        let mut refused: BTreeMap<usize, usize> = BTreeMap::new();
        let mut refusals: BTreeMap<usize, &'static str> = BTreeMap::new();
        for (number, operation) in self.operations.iter().enumerate() {
            let root = operation.operands().iter().find_map(|node| refused.get(&node.index())).copied();
            if let Some(root) = root {
                let is_refused = |node: Node| refused.contains_key(&node.index());
                let condition = operation.operands().first().is_some_and(|condition| is_refused(*condition));
                match operation.chosen(&kinds).filter(|&node| !condition && !is_refused(node)) {
                    Some(node) => kinds.push(kinds[node.index()]),
                    None => {
                        refused.insert(number, root);
                        kinds.push(NOTHING);
                    }
                }
                wraps.push(None);
                continue;
            }
            let fits = |kind: &Kind| kind.range().is_none_or(|range| LONGEST.holds(range));
            let fit = match operation {
                Operation::Pair(..) | Operation::Integers(..) | Operation::Select { .. } => {
                    operation.operands().iter().all(|node| fits(&kinds[node.index()]))
                }
                _ => true,
            };
            // Constants may be any, among residues they are such; what is made of them not.
            let is_any = matches!(operation, Operation::Constant(_));
            let condition = match operation {
                Operation::Difference(_, c) if self.is_negation(number) => is_condition(kinds[c.index()]),
                _ => Ok(()),
            };
            let kind = if fit { self.kind(operation, inputs, &kinds) } else { Err(ALIKE) };
            let is_product = matches!(operation, Operation::Product(..) | Operation::Pair(PairOp::Shl, ..));
            let is_exact = |kind: Kind, bits: u32| {
                let is_short = |range: Interval| range.width() <= most.max(bits) || kind.constant().is_some();
                fits(&kind) && (!is_product || kind.range().is_none_or(is_short))
            };
            // Integers alone, and shifts by those that are not negative.
            let may_wrap = || {
                let of_integers = operation.operands().iter().all(|x| kinds[x.index()].range().is_some());
                let by = if let Operation::Pair(_, _, y) = operation { kinds[y.index()].range() } else { None };
                of_integers && by.is_none_or(|by| by.min >= 0)
            };
            let wrapped = taken[number].filter(|&bits| !kind.is_ok_and(|kind| is_exact(kind, bits)) && may_wrap());
            wraps.push(wrapped);
            let kind = condition.and(wrapped.map_or(kind, |bits| Ok(Kind::Integers(Interval::unsigned(bits)))));
            let kind = kind.and_then(|kind| if is_any || fits(&kind) { Ok(kind) } else { Err(ALIKE) });
            kinds.push(kind.unwrap_or_else(|expected| {
                refused.insert(number, number);
                refusals.insert(number, expected);
                NOTHING
            }));
        }
        Told { kinds, wraps, refused, refusals }
    }

    /// Which operations results take, where they have these kinds: constants take nothing, and selections by a constant
    /// one of two.
    pub(crate) fn taken_of(&self, kinds: &[Kind]) -> Vec<bool> {
        let mut taken = vec![false; self.operations.len()];
        self.outputs.iter().for_each(|node| taken[node.index()] = true);
        for (number, operation) in self.operations.iter().enumerate().rev() {
            if !taken[number] || kinds[number].constant().is_some() {
                continue;
            }
            operation.taken(kinds).into_iter().for_each(|node| taken[node.index()] = true);
        }
        taken
    }

    /// Of each sum, difference, product and x·2^y the bits k from 1 on, if all that is taken of it are residues
    /// modulo 2^k.
    fn taken(&self) -> Vec<Option<u32>> {
        const ALL: u32 = u32::MAX;
        let mut taken = vec![0; self.operations.len()];
        self.outputs.iter().for_each(|node| taken[node.index()] = ALL);
        for (number, operation) in self.operations.iter().enumerate().rev() {
            let of_operands = match operation {
                Operation::Sum(..) | Operation::Difference(..) | Operation::Product(..) => taken[number],
                Operation::Pair(PairOp::Shl, ..) => taken[number],
                // x itself.
                Operation::Pair(PairOp::Shr, _, y) if self.operations[y.index()] == Operation::Constant(0) => {
                    taken[number]
                }
                Operation::Pair(PairOp::Rem, _, y) => match self.operations[y.index()] {
                    Operation::Constant(c) if c > 1 && c & (c - 1) == 0 => c.trailing_zeros(),
                    _ => ALL,
                },
                _ => ALL,
            };
            for node in operation.operands() {
                taken[node.index()] = taken[node.index()].max(of_operands);
            }
            if let Operation::Pair(PairOp::Shl, _, y) = operation {
                taken[y.index()] = ALL;
            }
        }
        let wraps = |operation: &Operation| {
            use Operation::{Difference, Pair, Product, Sum};
            matches!(operation, Sum(..) | Difference(..) | Product(..) | Pair(PairOp::Shl, ..))
        };
        let bits = |(operation, bits): (&Operation, u32)| {
            Some(bits).filter(|k| (1..=MOST_BITS).contains(k) && wraps(operation))
        };
        self.operations.iter().zip(taken).map(bits).collect()
    }

    /// The refusal of operation number `number`.
    pub(crate) fn refused(&self, number: usize, kinds: &[Kind], expected: &'static str) -> LutError {
        let texts = self.as_written();
        let power = self.power_of(number);
        let of_numbers = |node: &Node| kinds.get(node.index()).is_some_and(|kind| kind.constant().is_some());
        let (part, found) = match power {
            Some((base, exponent)) => (power_in_words(&texts[base.index()], exponent), vec![base]),
            // The 1 of 1 − c is not written.
            None => {
                let written = usize::from(self.is_negation(number));
                (alone(&texts[number]).to_string(), self.operations[number].operands().split_off(written))
            }
        };
        let is_number = expected == ALIKE && !found.is_empty() && found.iter().all(of_numbers);
        let expected = match &self.operations[number] {
            Operation::TableOf(operands, table) => {
                let of_integers = self.of_one_number(operands, &self.table_names[*table], kinds, &texts);
                of_integers.map_or(expected.into(), |cure| format!("{expected}; {cure}").into())
            }
            _ => if is_number { NUMBERS } else { expected }.into(),
        };
        let mut found: Vec<String> =
            found.iter().filter_map(|node| kinds.get(node.index())).map(Kind::to_string).collect();
        found.dedup();
        LutError::Kinds { part, found, expected }
    }

    /// An operation in words: of a product that is a step of a power, that.
    pub(crate) fn part(&self, number: usize) -> String {
        let texts = self.as_written();
        match self.power_of(number) {
            Some((base, exponent)) => power_in_words(&texts[base.index()], exponent),
            None => alone(&texts[number]).to_string(),
        }
    }

    /// The power x^n, n > 2, that this product is a step of: the largest that takes it.
    fn power_of(&self, number: usize) -> Option<(Node, u64)> {
        let Operation::Product(..) = self.operations[number] else { return None };
        let mut powers: Vec<(Node, u64)> = Vec::with_capacity(self.operations.len());
        // Which are made of this one.
        let mut takes = vec![false; self.operations.len()];
        let mut largest = None;
        for (at, operation) in self.operations.iter().enumerate() {
            let own = (Node(at), 1);
            powers.push(match operation {
                Operation::Product(a, b) => match (powers[a.index()], powers[b.index()]) {
                    ((x, m), (y, n)) if x == y => {
                        takes[at] = at == number || takes[a.index()] || takes[b.index()];
                        (x, m.saturating_add(n))
                    }
                    _ => own,
                },
                _ => own,
            });
            if takes[at] && powers[at].1 > 2 && largest.is_none_or(|(_, n)| n < powers[at].1) {
                largest = Some(powers[at]);
            }
        }
        largest
    }

    pub(super) fn kind(&self, operation: &Operation, inputs: &[Kind], kinds: &[Kind]) -> Result<Kind, &'static str> {
        let of = |node: &Node| kinds[node.index()];
        let range = |node: &Node| match of(node) {
            Kind::Integers(range) => Ok(range),
            Kind::Residues(p) => Err(if p.is_power_of_two() { INTEGERS } else { NO_INTEGERS }),
        };
        let kind = match operation {
            Operation::Input(i) => Some(inputs[*i]),
            Operation::Constant(c) => Some(Kind::Integers(Interval { min: *c, max: *c })),
            Operation::Sum(a, b) => of(a).with(of(b), Interval::plus),
            Operation::Difference(a, b) => of(a).with(of(b), Interval::minus),
            Operation::Product(a, b) if a == b => match of(a) {
                Kind::Integers(x) => {
                    let ends = x.times(x.min).zip(x.times(x.max)).map(|(low, high)| low.union(high));
                    ends.map(|ends| {
                        Kind::Integers(Interval { min: if x.has(0) { 0 } else { ends.min.max(0) }, ..ends })
                    })
                }
                residues => Some(residues),
            },
            Operation::Product(a, b) => of(a).with(of(b), |x, y| Some(x.times(y.min)?.union(x.times(y.max)?))),
            Operation::Rotation(x, _) | Operation::Exchange(x) => Some(of(x)),
            Operation::SumSlots(x) => match of(x) {
                residues @ Kind::Residues(_) => Some(residues),
                Kind::Integers(_) => return Err(SLOTS),
            },
            Operation::Table(x, table) => {
                let lut = &self.tables[*table];
                let inputs = match of(x) {
                    Kind::Residues(p) if p == lut.in_modulus() => None,
                    Kind::Integers(range) if range.min >= 0 && range.max < lut.in_modulus().into() => Some(range),
                    _ => return Err("values that each have an entry, from 0 on, as x % 8 has in a table of 8"),
                };
                Some(match lut.gives_integers() {
                    true => Kind::Integers(lut.image(inputs)),
                    false => Kind::Residues(lut.out_modulus()),
                })
            }
            Operation::TableOf(operands, table) => {
                let lut = &self.tables[*table];
                let kinds = of_one_modulus(operands.iter().map(of));
                let entries = kinds.iter().try_fold(1u64, |entries, kind| entries.checked_mul(kind.modulus()?));
                if entries != Some(lut.in_modulus()) {
                    return Err(COMBINATIONS);
                }
                Some(match lut.gives_integers() {
                    true => Kind::Integers(lut.image(None)),
                    false => Kind::Residues(lut.out_modulus()),
                })
            }
            Operation::Integers(op, operands) => {
                let ranges = operands.iter().map(range).collect::<Result<Vec<_>, _>>()?;
                // Two are compared by their difference, one way or the other.
                if let [x, y] = ranges[..] {
                    let differences = [x.minus(y), y.minus(x)];
                    if !differences.iter().all(|range| range.is_some_and(|range| LONGEST.holds(range))) {
                        return Err(ALIKE);
                    }
                }
                let same = operands.first() == operands.last();
                let answer = match op {
                    IntegerOp::Less | IntegerOp::Equal if same => Some(*op == IntegerOp::Equal),
                    _ => op.answer(&ranges),
                };
                let answer = answer.map(|answer| if answer { 1 } else { 0 });
                let range = answer.map(|answer| Interval { min: answer, max: answer }).or_else(|| op.range(&ranges));
                return range.map(Kind::Integers).ok_or(ALIKE);
            }
            Operation::Pair(op, x, y) if op.is_bitwise() && self.are_bits([*x, *y], |node| of(&node)) => {
                Some(Kind::Residues(2))
            }
            Operation::Pair(op, x, y) => {
                let expected = match op {
                    PairOp::Shl | PairOp::Shr if range(y)?.min < 0 => {
                        "a shift by 0 bits or more, as by y % 8 for any y"
                    }
                    PairOp::Shl if range(y)?.max > MOST_BITS.into() => {
                        "a shift by 0 to 112 bits, as by y % 8 for any y"
                    }
                    _ => ALIKE,
                };
                return op.range(range(x)?, range(y)?).map(Kind::Integers).ok_or(expected);
            }
            Operation::Select { condition, then, otherwise } => {
                is_condition(of(condition))?;
                let chosen = of(condition).constant();
                of(then).with(of(otherwise), |x, y| {
                    Some(chosen.map_or_else(|| x.union(y), |chosen| if chosen == 1 { x } else { y }))
                })
            }
        };
        kind.ok_or(ALIKE)
    }

    /// Whether these are bits, residues modulo 2, one of which may be a number that is written so.
    pub(super) fn are_bits(&self, nodes: [Node; 2], kind: impl Fn(Node) -> Kind) -> bool {
        let is_residue = |node: &Node| kind(*node) == Kind::Residues(2);
        let is_number = |node: &Node| matches!(self.operations[node.index()], Operation::Constant(0 | 1));
        nodes.iter().any(is_residue) && nodes.iter().all(|node| is_residue(node) || is_number(node))
    }
}

/// Kinds of the operands of a table: constants among residues of one modulus are such.
pub(crate) fn of_one_modulus(kinds: impl Iterator<Item = Kind>) -> Vec<Kind> {
    let kinds: Vec<Kind> = kinds.collect();
    let mut moduli = kinds.iter().filter_map(|kind| kind.modulus());
    let Some(p) = moduli.next().filter(|p| moduli.all(|other| other == *p)) else { return kinds };
    let residue = |kind: Kind| match kind.constant() {
        Some(c) if (0..i128::from(p)).contains(&c) => Kind::Residues(p),
        _ => kind,
    };
    kinds.into_iter().map(residue).collect()
}

/// Refuses a condition that may be other than 0 and 1.
fn is_condition(kind: Kind) -> Result<(), &'static str> {
    match kind {
        Kind::Residues(2) => Ok(()),
        Kind::Integers(range) if Interval::unsigned(1).holds(range) => Ok(()),
        _ => Err("a condition of 0 and 1, as comparisons give it, such as x == 1"),
    }
}

impl Operation {
    /// The values that it takes, in order.
    #[must_use]
    pub fn operands(&self) -> Vec<Node> {
        match self {
            Self::Input(_) | Self::Constant(_) => Vec::new(),
            Self::Sum(a, b) | Self::Difference(a, b) | Self::Product(a, b) | Self::Pair(_, a, b) => vec![*a, *b],
            Self::Rotation(x, _) | Self::Exchange(x) | Self::SumSlots(x) | Self::Table(x, _) => vec![*x],
            Self::Integers(_, operands) | Self::TableOf(operands, _) => operands.clone(),
            Self::Select { condition, then, otherwise } => vec![*condition, *then, *otherwise],
        }
    }

    /// What a selection by a constant takes.
    fn chosen(&self, kinds: &[Kind]) -> Option<Node> {
        let Self::Select { condition, then, otherwise } = self else { return None };
        kinds[condition.index()].constant().map(|chosen| if chosen == 1 { *then } else { *otherwise })
    }

    /// The operands that its value takes: of a selection by a constant the chosen one.
    pub(super) fn taken(&self, kinds: &[Kind]) -> Vec<Node> {
        self.chosen(kinds).map_or_else(|| self.operands(), |node| vec![node])
    }

    /// Whether it moves values from slot to slot, as engine bfv does.
    #[must_use]
    pub fn moves(&self) -> bool {
        matches!(self, Self::Rotation(..) | Self::Exchange(_) | Self::SumSlots(_))
    }

    /// Whether it is a function of integers, or of several residues, as engine fhew has them.
    #[must_use]
    pub fn is_of_integers(&self) -> bool {
        matches!(self, Self::TableOf(..) | Self::Integers(..) | Self::Pair(..) | Self::Select { .. })
    }
}

/// A power, of what is no name in parentheses, unless it has them.
fn power_in_words(base: &str, exponent: u64) -> String {
    let is_name = base.chars().all(|c| c.is_alphanumeric() || c == '_');
    let mut depth = 0;
    let mut first_end = None;
    for (at, c) in base.char_indices() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth == 0 && first_end.is_none() {
            first_end = Some(at);
        }
    }
    match is_name || base.starts_with('(') && first_end == Some(base.len() - 1) {
        true => format!("{base}^{exponent}"),
        false => format!("({base})^{exponent}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lut;

    /// What is wrong is said: the amount of a shift, or its result, and of which power of two.
    #[test]
    fn what_is_too_long_is_told_apart() {
        let of = |text: &str, range: Interval| {
            let program = Program::parse(text, &[]).unwrap();
            program.kinds(&vec![Kind::Integers(range); program.inputs()]).unwrap_err().to_string()
        };
        let (bits, signed) = (Interval::unsigned(32), Interval::signed(32));
        let (long, amount) = ("integers whose result has at most", "a shift by 0");
        for (text, range, part, other) in [
            ("shl(x, 90)", bits, long, amount),
            ("shl(x, y)", bits, "a shift by 0 to", long),
            ("shl(x, y)", signed, "a shift by 0 bits or more", long),
            ("shr(x, y)", signed, "a shift by 0 bits or more", long),
            ("shl(x, 0 - 1)", bits, "a shift by 0 bits or more", long),
            ("x*x*x*x*x*x*x*x", bits, "x^8 is of integers from 0 to 4294967295", amount),
            ("x*y + x^8", bits, "x^8 is of integers", amount),
            ("x*x*x*x*y", bits, "x^4 is of integers", "modulo a power of two of no more"),
            ("x*y % 2^112", bits, "2^112 is of 2: expected a number of at most 112 bits: x % 2^k", "power of two"),
            ("x*y % 2^200", bits, "2^200 is of 2", "power of two up"),
            ("x*x*x*y", bits, "modulo a power of two up to 2^65", amount),
        ] {
            let error = of(text, range);
            assert!(error.contains(part) && !error.contains(other), "{text}: {error}");
        }
        let program = Program::parse("shr(x, y)", &[]).unwrap();
        assert!(program.kinds(&[Kind::Integers(bits); 2]).is_ok());
        // 2^111 is the largest power that has room.
        let most = Program::parse("x*y % 2^111", &[]).unwrap();
        assert!(most.kinds(&[Kind::Integers(Interval::unsigned(64)); 2]).is_ok());
        let constant = Program::parse("3", &[]).unwrap_err().to_string();
        assert!(constant.contains("the name of a vector somewhere: "), "{constant}");
    }

    /// What wraps is an integer: of residues there is no shift, whatever is taken of it.
    #[test]
    fn shifts_of_residues_do_not_wrap() {
        let (p, bits) = (Kind::Residues(11), Kind::Integers(Interval::unsigned(3)));
        for text in
            ["shl(x + 1, 2)", "shl(x + 1, 2) % 32", "signed(shl(x, 2), 5)", "(shl(x, 3) + 1) % 4", "shl(3, x) % 4"]
        {
            let program = Program::parse(text, &[]).unwrap();
            let error = program.kinds(&[p]).unwrap_err().to_string();
            assert!(error.contains("expected integers"), "{text}: {error}");
            assert!(program.kinds(&[bits]).is_ok(), "{text}");
        }
    }

    /// A table of several integers is one of the number that they are together, and of too many nothing.
    #[test]
    fn a_table_of_several_integers_is_one_of_their_sum() {
        let stand_in = Lut::modular(vec![0, 0], 2).unwrap();
        let refused = |text: &str, ranges: &[Interval]| {
            let kinds: Vec<Kind> = ranges.iter().copied().map(Kind::Integers).collect();
            Program::parse(text, &[("f", &stand_in)]).unwrap().kinds(&kinds).unwrap_err().to_string()
        };
        let (thirteen, signed) = (Interval::unsigned(13), Interval { min: -3, max: 4 });
        let error = refused("f(x, y)", &[thirteen; 2]);
        assert!(error.contains("26 bits, and a table has 2^20 entries at most: take shorter ones, as x % 1024 is"));
        for (text, ranges) in [
            ("f(x, y)", &[Interval::unsigned(10); 2][..]),
            ("f(x % 1024, y % 1024)", &[thirteen; 2]),
            ("f(x, y - 1, 5)", &[signed, Interval { min: 6, max: 9 }]),
        ] {
            let error = refused(text, ranges);
            let (_, advice) = error.split_once("; of these integers take ").unwrap();
            let (sum, entries) = advice.split_once(", a table of ").unwrap();
            let (entries, parts) = entries.split_once(" entries, of which number v is the entry of ").unwrap();
            let entries: usize = entries.parse().unwrap();
            let operands = text.strip_prefix("f(").and_then(|text| text.strip_suffix(')')).unwrap();
            let parts: Vec<(&str, &str)> = operands.split(", ").zip(parts.split(", ")).collect();
            let of = |text: &str, values: &[(&str, i128)]| {
                let program = Program::parse(text, &[]).ok()?;
                let given = |name: &String| values.iter().find(|(own, _)| own == name).unwrap().1;
                let given: Vec<[i128; 1]> = program.names().iter().map(|name| [given(name)]).collect();
                let given: Vec<&[i128]> = given.iter().map(|value| &value[..]).collect();
                Some(program.integers_of(&given, &vec![Interval::unsigned(20); given.len()]).unwrap()[0][0])
            };
            let lut = Lut::new((0..entries as i128).map(|i| i % 1021).collect(), 10).unwrap();
            let program = Program::parse(sum, &[("f", &lut)]).unwrap();
            let mut seen = std::collections::BTreeSet::new();
            let sums = Program::parse(sum.trim_start_matches('f'), &[]).unwrap();
            for x in ranges[0].min..=ranges[0].max.min(9) {
                for y in ranges[1].min..=ranges[1].max.min(9) {
                    let index = sums.integers_of(&[&[x], &[y]], ranges).unwrap()[0][0];
                    assert!((0..entries as i128).contains(&index) && seen.insert(index), "{sum}: {x}, {y}");
                    assert_eq!(program.integers_of(&[&[x], &[y]], ranges).unwrap(), [[index % 1021]]);
                    for (operand, part) in &parts {
                        // A number is what it is.
                        let found = of(part, &[("v", index)]).map_or(part.to_string(), |value| value.to_string());
                        let expected =
                            of(operand, &[("x", x), ("y", y)]).map_or(operand.to_string(), |v| v.to_string());
                        assert_eq!(found, expected, "{part} of {index}");
                    }
                }
            }
        }
    }

    /// What no result takes may be as long as it likes, and what one takes may not.
    #[test]
    fn branches_that_are_never_taken_are_not_refused() {
        let ranges = [Interval::unsigned(8); 2];
        for (text, expected) in [
            ("select(x > 300, x^20, y)", 7),
            ("select(x < 300, y + 1, shl(x, 0 - 1)*x)", 8),
            ("select(not(x < 300), select(x^30 > y, 1, 2), x + y)", 12),
        ] {
            let program = Program::parse(text, &[]).unwrap();
            let [x, y] = if program.names()[0] == "x" { [5, 7] } else { [7, 5] };
            assert_eq!(program.integers_of(&[&[x], &[y]], &ranges).unwrap(), [[expected]], "{text}");
        }
        for text in ["select(x > 200, x^20, y)", "select(x > 300, y, x^20)", "select(x^20 > 3, x, y)"] {
            let error = Program::parse(text, &[]).unwrap().kinds(&ranges.map(Kind::Integers)).unwrap_err().to_string();
            assert!(error.starts_with("x^20 is of integers from 0 to 255: expected"), "{text}: {error}");
        }
    }
}
