//! Programs of residues that are kept as integers congruent to them.
//!
//! Sums, differences and products are of any integers congruent to the operands: they are reduced where one has to be,
//! for products, functions and results that have no room. Functions take the residue, 0 to p − 1, and give what they
//! give of integers. An integer beside a residue is taken modulo p.
use super::kinds::{COMBINATIONS, LONGEST, of_one_modulus};
use super::words::RESIDUE;
use super::{Kind, Node, Operation, PairOp, Program};
use crate::{IntegerOp, Interval, Lut, LutError};

/// What is too long, or refused.
const ANY: Kind = Kind::Integers(LONGEST);

/// Bits that an integer may have more than its residue before it is reduced: what carries and multiples cost by then is
/// more than a reduction.
const SLACK: u32 = 16;

/// An input of a program: its kind, and p where its integers stand for residues modulo p.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Congruent {
    /// What it is kept as: of residues modulo p the range of the integers.
    pub kind: Kind,
    /// The modulus p.
    pub modulus: Option<u64>,
}

impl Congruent {
    /// A value as an integer: residues modulo p are 0 to p − 1.
    #[must_use]
    pub fn of(value: Kind) -> Self {
        match value {
            Kind::Residues(p) => {
                Self { kind: Kind::Integers(Interval { min: 0, max: i128::from(p) - 1 }), modulus: Some(p) }
            }
            Kind::Integers(_) => Self { kind: value, modulus: None },
        }
    }
}

/// A value of the program that is made.
#[derive(Clone, Copy)]
struct Value {
    node: Node,
    /// The number p that it stands for a residue modulo of.
    modulus: Option<u64>,
}

/// Makes the program.
struct Reduction<'a> {
    program: &'a Program,
    inputs: Vec<Kind>,
    /// Bits of the longest residues that are no integers.
    short: u32,
    /// Whether operands of sums, products and selections are reduced first.
    first: bool,
    made: Program,
    /// Of each operation that is made.
    kinds: Vec<Kind>,
    /// Which of these there are not, or are of such.
    refused: Vec<bool>,
    /// Of each operation of the program.
    values: Vec<Value>,
}

impl Program {
    /// The same of integers, where inputs of a modulus p are integers congruent to residues modulo p; and of each
    /// result the modulus, if it is such. Results are in a range that `holds`, or reduced, 0 to p − 1; tables on more
    /// than `short` bits, or with longer results, give integers that stand for residues, and so do inputs that are no
    /// integers, and longer. Operands may be reduced `first`, which makes them less noisy, and takes longer.
    ///
    /// ```
    /// use bootes_lut::{Congruent, Interval, Kind, Program};
    /// let program = Program::parse("x + y; x*y; max(x - y, 3)", &[]).unwrap();
    /// let kind = Kind::Integers((0..=999).into());
    /// let inputs = [Congruent { kind, modulus: Some(1000) }; 2];
    /// let (made, moduli) = program.congruent(&inputs, 6, false, &|range| range.width() <= 11).unwrap();
    /// assert_eq!(made.to_string(), "(x + y); (x*y % 1000); max(((x - y) % 1000), 3)");
    /// assert_eq!(moduli, [Some(1000), Some(1000), None]);
    /// ```
    ///
    /// # Errors
    /// [`LutError::Kinds`] for sums, products and selections of residues modulo several numbers.
    pub fn congruent(
        &self,
        inputs: &[Congruent],
        short: u32,
        first: bool,
        holds: &dyn Fn(Interval) -> bool,
    ) -> Result<(Self, Vec<Option<u64>>), LutError> {
        let mut reduction = Reduction { first, ..Reduction::new(self, inputs, short) };
        for (number, operation) in self.operations.iter().enumerate() {
            let value = reduction.value(number, operation, inputs);
            let value = value.ok_or_else(|| {
                let expected = if matches!(operation, Operation::TableOf(..)) { COMBINATIONS } else { ALIKE };
                self.refused(number, &reduction.of_operands(), expected)
            })?;
            reduction.values.push(value);
        }
        let mut moduli = Vec::with_capacity(self.outputs.len());
        let known = |input: &Congruent| input.modulus.map_or(input.kind, Kind::Residues);
        let modulus_of = self.modulus_of_numbers(&inputs.iter().map(known).collect::<Vec<_>>());
        for (output, name) in self.outputs.iter().zip(&self.output_names) {
            let own = reduction.values[output.0];
            let value = Value { modulus: own.modulus.or_else(|| modulus_of(*output)), ..own };
            let is_held = reduction.range(value.node).is_some_and(holds);
            let node = if is_held { value.node } else { reduction.integer(value) };
            moduli.push(value.modulus);
            reduction.made.outputs.push(node);
            reduction.made.output_names.push(name.clone());
        }
        Ok((reduction.made, moduli))
    }
}

const ALIKE: &str = "residues of one modulus, or integers beside them";

impl Program {
    /// The kinds of all its values that there are, where functions of residues give integers.
    pub(super) fn kept_kinds(&self, inputs: &[Kind]) -> Vec<Option<Kind>> {
        let inputs: Vec<Congruent> = inputs.iter().copied().map(Congruent::of).collect();
        let mut reduction = Reduction::new(self, &inputs, u32::MAX);
        let mut kinds: Vec<Option<Kind>> = Vec::with_capacity(self.operations.len());
        // What is not there is any integer, and chooses nothing.
        let mut known: Vec<Kind> = Vec::with_capacity(self.operations.len());
        for (number, operation) in self.operations.iter().enumerate() {
            let value = reduction.value(number, operation, &inputs);
            let are_there = operation.taken(&known).iter().all(|node| kinds[node.0].is_some());
            let is_there = |value: &Value| are_there && !reduction.refused[value.node.0];
            let kind = value.filter(is_there).map(|value| reduction.kind_of(value));
            kinds.push(kind);
            known.push(kind.unwrap_or(ANY));
            let value = value.unwrap_or_else(|| Value { node: reduction.constant(0), modulus: None });
            reduction.values.push(value);
        }
        kinds
    }
}

/// Whether it is no longer than values of programs, or a constant.
fn is_held(range: Interval) -> bool {
    range.min == range.max || LONGEST.holds(range)
}

impl<'a> Reduction<'a> {
    fn new(program: &'a Program, inputs: &[Congruent], short: u32) -> Self {
        let (kinds, values) = (Vec::new(), Vec::with_capacity(program.operations.len()));
        let made = Program { names: program.names.clone(), of_integers: true, ..Program::new() };
        let inputs = inputs.iter().map(|input| input.kind).collect();
        Self { program, inputs, short, first: false, made, kinds, refused: Vec::new(), values }
    }

    /// An operation that is made, with its kind; what has none is refused once the program is whole.
    fn push(&mut self, operation: Operation) -> Node {
        let node = self.made.push(operation);
        for operation in &self.made.operations[self.kinds.len()..] {
            let kind = self.made.kind(operation, &self.inputs, &self.kinds);
            let taken = operation.taken(&self.kinds);
            self.refused.push(kind.is_err() || taken.iter().any(|node| self.refused[node.0]));
            // What is refused, or longer than anything, is any integer here, and no constant that would stand for it.
            self.kinds.push(kind.ok().filter(|kind| kind.range().is_none_or(is_held)).unwrap_or(ANY));
        }
        node
    }

    /// The same of an operation that is no residue.
    fn plain(&mut self, operation: Operation) -> Option<Value> {
        Some(Value { node: self.push(operation), modulus: None })
    }

    fn constant(&mut self, c: i128) -> Node {
        self.push(Operation::Constant(c))
    }

    fn range(&self, node: Node) -> Option<Interval> {
        self.kinds[node.0].range()
    }

    /// What a value is, whatever it is kept as.
    fn kind_of(&self, value: Value) -> Kind {
        value.modulus.map_or(self.kinds[value.node.0], Kind::Residues)
    }

    /// The kinds of what the program has so far.
    fn of_operands(&self) -> Vec<Kind> {
        self.values.iter().map(|&value| self.kind_of(value)).collect()
    }

    /// The integer 0 to p − 1 that a node is modulo p.
    fn modulo(&mut self, node: Node, p: u64) -> Node {
        let residues = Interval { min: 0, max: i128::from(p) - 1 };
        match self.range(node) {
            Some(range) if residues.holds(range) => node,
            _ => {
                let p = self.constant(p.into());
                self.push(Operation::Pair(PairOp::Rem, node, p))
            }
        }
    }

    /// What a function takes: of a residue the integer 0 to p − 1.
    fn integer(&mut self, value: Value) -> Node {
        value.modulus.map_or(value.node, |p| self.modulo(value.node, p))
    }

    /// An integer congruent to a node, not much longer than residues modulo p.
    fn limited(&mut self, node: Node, p: u64) -> Node {
        let most = p.next_power_of_two().ilog2() + SLACK;
        match self.range(node) {
            Some(range) if range.width() <= most => node,
            _ => self.modulo(node, p),
        }
    }

    /// The modulus of a sum, product or selection: an integer beside a residue is one, too. None is refused.
    #[expect(clippy::option_option, reason = "refused, or of no modulus")]
    fn modulus_of(&self, values: [Value; 2]) -> Option<Option<u64>> {
        let is_integer = |value: Value| self.kinds[value.node.0].range().is_some();
        match values.map(|value| value.modulus) {
            [Some(p), Some(q)] => (p == q).then_some(Some(p)),
            [Some(p), None] => is_integer(values[1]).then_some(Some(p)),
            [None, Some(p)] => is_integer(values[0]).then_some(Some(p)),
            [None, None] => Some(None),
        }
    }

    /// Two operands, where one may be a residue that is not kept as an integer, and the other is: of that modulus, or
    /// any integer. It is made one.
    fn alike(&mut self, values: [Value; 2]) -> [Value; 2] {
        let kinds = values.map(|value| self.kinds[value.node.0]);
        let is_any = |kind: &Kind| kind.range().is_some() && kind.constant().is_none();
        let short = || kinds.iter().any(is_any).then(|| kinds.iter().find_map(|kind| kind.modulus()))?;
        let modulus = values.iter().find_map(|value| value.modulus).or_else(short);
        values.map(|value| match (modulus, self.kinds[value.node.0]) {
            (Some(p), Kind::Residues(q)) if p == q => self.as_kept(value, p),
            _ => value,
        })
    }

    /// What a function of integers takes, of a residue that is not kept as one, too.
    fn argument(&mut self, value: Value) -> Node {
        let value = match self.kinds[value.node.0] {
            Kind::Residues(p) => self.as_kept(value, p),
            Kind::Integers(_) => value,
        };
        self.integer(value)
    }

    /// A residue modulo p as the integer 0 to p − 1 that stands for it.
    fn as_kept(&mut self, value: Value, p: u64) -> Value {
        let Ok(identity) = Lut::modular((0..p).collect(), p) else { return value };
        let table = self.made.table_number(RESIDUE, &identity.of_integers());
        Value { node: self.push(Operation::Table(value.node, table)), modulus: Some(p) }
    }

    /// An operand of a sum modulo p: constants as near to 0 as may be.
    fn term(&mut self, value: Value, p: u64) -> Node {
        match self.kinds[value.node.0].constant() {
            Some(c) => {
                let (c, p) = (c.rem_euclid(p.into()), i128::from(p));
                self.constant(if 2 * c > p { c - p } else { c })
            }
            None if self.first => self.modulo(value.node, p),
            None => self.limited(value.node, p),
        }
    }

    fn sum(&mut self, values: [Value; 2], of: fn(Node, Node) -> Operation) -> Option<Value> {
        let values = self.alike(values);
        let Some(p) = self.modulus_of(values)? else { return self.plain(of(values[0].node, values[1].node)) };
        let [a, b] = values.map(|value| self.term(value, p));
        let sum = self.push(of(a, b));
        Some(Value { node: self.limited(sum, p), modulus: Some(p) })
    }

    fn product(&mut self, values: [Value; 2]) -> Option<Value> {
        let values = self.alike(values);
        let product = |[a, b]: [Node; 2]| Operation::Product(a.min(b), a.max(b));
        let Some(p) = self.modulus_of(values)? else { return self.plain(product(values.map(|value| value.node))) };
        let terms = values.map(|value| self.term(value, p));
        let is_multiple = terms.iter().any(|term| self.kinds[term.0].constant().is_some());
        // What is taken modulo a power of two is made so: its operands need not be.
        let terms = if is_multiple || p.is_power_of_two() { terms } else { terms.map(|term| self.modulo(term, p)) };
        let made = self.push(product(terms));
        let node = if is_multiple { self.limited(made, p) } else { self.modulo(made, p) };
        Some(Value { node, modulus: Some(p) })
    }

    fn value(&mut self, number: usize, operation: &Operation, inputs: &[Congruent]) -> Option<Value> {
        use Operation::{Constant, Difference, Input, Integers, Pair, Product, Select, Sum, Table, TableOf};
        let of = |node: &Node| self.values[node.0];
        match operation {
            Input(i) => {
                let Congruent { kind, modulus } = inputs[*i];
                let value = Value { node: self.push(Input(*i)), modulus };
                let is_long = |p: u64| p.next_power_of_two().ilog2() > self.short;
                Some(match kind {
                    Kind::Residues(p) if is_long(p) => self.as_kept(value, p),
                    _ => value,
                })
            }
            Constant(c) => self.plain(Constant(*c)),
            Difference(_, condition) if self.program.is_negation(number) => {
                let modulus = of(condition).modulus;
                let condition = self.integer(of(condition));
                let node = self.made.not(condition);
                Some(Value { node: self.push(self.made.operations[node.0].clone()), modulus })
            }
            Sum(a, b) => self.sum([of(a), of(b)], Sum),
            Difference(a, b) => self.sum([of(a), of(b)], Difference),
            Product(a, b) => self.product([of(a), of(b)]),
            Integers(op @ (IntegerOp::Add | IntegerOp::Sub), operands)
                if operands.iter().any(|node| of(node).modulus.is_some()) =>
            {
                let sum = if *op == IntegerOp::Add { Sum } else { Difference };
                self.sum([of(&operands[0]), of(&operands[1])], sum)
            }
            Select { condition, then, otherwise } => {
                let (condition, values) = (of(condition), [of(then), of(otherwise)]);
                let values = self.alike(values);
                let (modulus, condition) = (self.modulus_of(values)?, self.integer(condition));
                let [then, otherwise] = values.map(|value| match modulus {
                    Some(p) => self.term(value, p),
                    None => value.node,
                });
                Some(Value { node: self.push(Select { condition, then, otherwise }), modulus })
            }
            // x % q is of any integer that is x modulo a multiple of q.
            Pair(PairOp::Rem, x, y) => {
                let (x, y) = (of(x), of(y));
                let divisor = self.kinds[y.node.0].constant().filter(|_| y.modulus.is_none());
                let divides = |p: u64| divisor.is_some_and(|q| q > 0 && i128::from(p) % q == 0);
                let x = if x.modulus.is_some_and(divides) { x.node } else { self.argument(x) };
                let y = self.argument(y);
                let is_there = divisor.zip(self.range(x)).is_some_and(|(q, range)| range.min >= 0 && range.max < q);
                if is_there { Some(Value { node: x, modulus: None }) } else { self.plain(Pair(PairOp::Rem, x, y)) }
            }
            Table(x, table) => {
                let x = self.integer(of(x));
                self.table(x, *table)
            }
            TableOf(operands, table) if operands.iter().any(|node| of(node).modulus.is_some()) => {
                let operands: Vec<Value> = operands.iter().map(of).collect();
                let kinds = of_one_modulus(operands.iter().map(|&operand| self.kind_of(operand)));
                let mut packed: Option<Node> = None;
                for (operand, kind) in operands.into_iter().zip(kinds) {
                    let (x, size) = (self.argument(operand), kind.modulus()?);
                    packed = Some(match packed {
                        None => x,
                        Some(above) => {
                            let size = self.constant(size.into());
                            let above = self.push(Product(above.min(size), above.max(size)));
                            self.push(Sum(above, x))
                        }
                    });
                }
                self.table(packed?, *table)
            }
            TableOf(operands, table) => {
                let operands = operands.iter().map(|node| self.values[node.0].node).collect();
                let (lut, name) = (&self.program.tables[*table], &self.program.table_names[*table]);
                let table = self.made.table_number(name, lut);
                self.plain(TableOf(operands, table))
            }
            // Of bits a bit, whatever they are kept as.
            Pair(op, x, y) if op.is_bitwise() && self.program.are_bits([*x, *y], |node| self.kind_of(of(&node))) => {
                let is_short = self.program.are_bits([*x, *y], |node| self.kinds[of(&node).node.0]);
                let made = operation.clone().mapped(|node| match self.values[node.0] {
                    value if is_short => value.node,
                    value => self.argument(value),
                });
                Some(Value { node: self.push(made), modulus: (!is_short).then_some(2) })
            }
            Integers(..) | Pair(..) => {
                let made = operation.clone().mapped(|node| self.argument(self.values[node.0]));
                self.plain(made)
            }
            other => {
                let made = other.clone().mapped(|node| self.integer(self.values[node.0]));
                self.plain(made)
            }
        }
    }

    /// The image of an integer under a table of the program: integers where it, or a result, is longer than residues.
    fn table(&mut self, x: Node, table: usize) -> Option<Value> {
        let (lut, name) = (&self.program.tables[table], &self.program.table_names[table]);
        let long = || {
            let mut entries: Vec<i64> = lut.entries().collect();
            entries.resize(entries.len().next_power_of_two(), 0);
            Lut::new(entries, lut.out_bits()).ok()
        };
        let is_long = self.range(x).is_some_and(|range| range.width().max(lut.out_bits()) > self.short);
        let long = if is_long && !lut.gives_integers() { long() } else { None };
        let modulus = long.is_some().then_some(lut.out_modulus());
        let table = self.made.table_number(name, long.as_ref().unwrap_or(lut));
        Some(Value { node: self.push(Operation::Table(x, table)), modulus })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn congruent(kind: Interval, p: u64) -> Congruent {
        Congruent { kind: Kind::Integers(kind), modulus: Some(p) }
    }

    /// Results modulo p are those of residues, whatever integers the inputs are.
    #[test]
    fn results_are_those_of_residues() {
        let lut = |p: u64, out: u64| Lut::modular((0..p).map(|x| (3 * x * x + 1) % out).collect(), out).unwrap();
        for p in [10u64, 16] {
            let (own, other) = (lut(p, p), lut(p, 100));
            let both = Lut::modular((0..p * p).map(|x| x % 7).collect(), 7).unwrap();
            let tables = [("f", &own), ("g", &other), ("h", &both)];
            let at = |x: i128| x.rem_euclid(p.into());
            type Expected = fn(i128, i128, &dyn Fn(i128) -> i128) -> i128;
            let programs: [(&str, Expected); 23] = [
                ("shl(x + y, 2) % 32", |x, y, of| of(x + y) * 4 % 32),
                ("unsigned(shl(3*x, 0), 3) + 0*max(y, 1)", |x, _, of| of(3 * x) % 8),
                ("x + y", |x, y, of| of(x + y)),
                ("x - y", |x, y, of| of(x - y)),
                ("7*x - 12*y + 99", |x, y, of| of(7 * x - 12 * y + 99)),
                ("x*y*(x - y)", |x, y, of| of(x * y * (x - y))),
                ("x^5 - y", |x, y, of| of(of(of(x * x) * of(x * x)) * x - y)),
                ("max(x - y, 3)", |x, y, of| of(x - y).max(3)),
                ("x + max(x, y)", |x, y, of| of(x + of(x).max(of(y)))),
                ("(x + y) / 2", |x, y, of| of(x + y) / 2),
                ("x < y", |x, y, of| i128::from(of(x) < of(y))),
                ("select(x < y, x + y, x*y)", |x, y, of| of(if of(x) < of(y) { x + y } else { x * y })),
                ("select(x == y, 0 - 1, x)", |x, y, of| of(if of(x) == of(y) { -1 } else { x })),
                ("(x + y) % 2 + 0*x", |x, y, of| of(of(x + y) % 2)),
                ("(x - y) % 3", |x, y, of| of(x - y) % 3),
                ("f(x + y) - x", |x, y, of| of(3 * of(x + y) * of(x + y) + 1 - x)),
                ("h(x, x + y)", |x, y, of| (of(x) * (if of(1 << 10) == 4 { 10 } else { 16 }) + of(x + y)) % 7),
                ("xor(x, 2) + and(x, y)", |x, y, of| (of(x) ^ 2) + (of(x) & of(y))),
                ("signed(x, 3)", |x, _, of| (of(x) + 4) % 8 - 4),
                ("signed(x, 5) + 0*max(x, y)", |x, _, of| (of(x) + 16) % 32 - 16),
                ("mulhi(x, y, 3)", |x, y, of| of(x) * of(y) / 8),
                ("x % (3*(0*y + 5))", |x, _, of| of(x) % of(15).max(1)),
                ("select(not(x < y), 1 - x, 2)", |x, y, of| of(if of(x) < of(y) { 2 } else { 1 - x })),
            ];
            for ((text, expected), first) in programs.into_iter().flat_map(|row| [(row, false), (row, true)]) {
                let program = Program::parse(text, &tables).unwrap();
                let range = Interval { min: -20, max: 39 };
                let (made, moduli) =
                    program.congruent(&vec![congruent(range, p); program.inputs()], 3, first, &|_| false).unwrap();
                let values: Vec<(i128, i128)> = (-20..40).flat_map(|x| [-3, 0, 8, 27].map(|y| (x, y))).collect();
                let [x, y] = [0, 1].map(|i| values.iter().map(|&(x, y)| [x, y][i]).collect::<Vec<i128>>());
                let inputs = &[&x[..], &y[..]][..program.inputs()];
                let found = made.integers_of(inputs, &vec![range; program.inputs()]).unwrap();
                for (&(x, y), found) in values.iter().zip(&found[0]) {
                    let expected = expected(x, y, &at);
                    assert_eq!(*found, expected, "{text} of {x}, {y} modulo {p}: {made}, {moduli:?}");
                }
            }
            // Operands are reduced first if that is asked for.
            let wide = [congruent((-99..=99).into(), p); 2];
            let (made, _) = Program::parse("x + y", &[]).unwrap().congruent(&wide, 3, true, &|_| true).unwrap();
            assert_eq!(made.to_string(), format!("((x % {p}) + (y % {p}))"));
            // Constants among residues are such.
            let program = Program::parse("h(x, 7)", &tables).unwrap();
            let (made, _) = program.congruent(&wide[..1], 3, false, &|_| true).unwrap();
            let found = made.plain(&[&[13i128, -1]], &[wide[0].kind]).unwrap();
            let expected = [13, -1].map(|x| both.entry((at(x) as u64 * p + 7) as usize).into());
            assert_eq!(found[0], expected, "{made}");
            // Tables of short residues beside them are as they were.
            let inputs = [congruent((0..=9).into(), p), Congruent { kind: Kind::Residues(p), modulus: None }];
            let program = Program::parse("x + y; h(y, y); g(x); f(y)", &tables).unwrap();
            let (made, _) = program.congruent(&inputs, 3, false, &|_| true).unwrap();
            let kinds = [Kind::Integers((0..=9).into()), Kind::Residues(p)];
            let found = made.plain(&[&[7i128, 0], &[3, 9]], &kinds).unwrap();
            let expected = [3, 9].map(|y| both.values()[(y * p + y) as usize].into());
            assert_eq!(found[1], expected, "{made}");
            // Results that are longer than residues are integers that stand for them.
            let (made, moduli) = Program::parse("g(x)", &tables)
                .unwrap()
                .congruent(&[congruent((0..=9).into(), p)], 3, false, &|_| true)
                .unwrap();
            assert_eq!((moduli, made.tables()[0].gives_integers()), (vec![Some(100)], true));
        }
    }

    #[test]
    fn residues_of_two_moduli_are_refused() {
        for text in ["x + y", "x*y", "select(z, x, y)"] {
            let program = Program::parse(text, &[]).unwrap();
            let mut inputs = vec![congruent((0..=999).into(), 1000), congruent((0..=1023).into(), 1024)];
            if program.inputs() > 2 {
                inputs.insert(0, Congruent { kind: Kind::Integers((0..=1).into()), modulus: None });
            }
            let refused = program.congruent(&inputs, 6, false, &|_| true).unwrap_err().to_string();
            assert!(refused.contains("residues modulo 1000"), "{text}: {refused}");
            inputs[0] = Congruent { kind: Kind::Residues(16), modulus: None };
            assert!(text == "select(z, x, y)" || program.congruent(&inputs, 6, false, &|_| true).is_err(), "{text}");
        }
    }
}
