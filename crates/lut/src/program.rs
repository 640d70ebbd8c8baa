//! The language of programs: arithmetic on vectors as data, sums, products, rotations, tables and functions of
//! integers, from a builder or from text.
use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::{IntegerOp, Lut, LutError};

mod composed;
mod congruent;
pub(crate) mod kinds;

mod modulo;
mod ordered;
mod padding;
mod pair;
mod parser;
pub(crate) mod plain;
mod tables;
mod words;

pub use congruent::Congruent;
pub use kinds::Kind;
pub use padding::PaddingUse;
pub use pair::PairOp;
pub(crate) use words::RESIDUE;

/// A value of a [`Program`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node(usize);

impl Node {
    /// Its position among the operations.
    #[must_use]
    pub fn index(self) -> usize {
        self.0
    }
}

/// An operation that makes a value of values before it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Operation {
    /// The vector of this number.
    Input(usize),
    /// The same number in every slot.
    Constant(i128),
    /// a + b.
    Sum(Node, Node),
    /// a − b.
    Difference(Node, Node),
    /// a·b, slot by slot.
    Product(Node, Node),
    /// Every row rotated to the left: slot i holds what slot i + by of its row did.
    Rotation(Node, i64),
    /// The two rows exchanged; nothing where there is one.
    Exchange(Node),
    /// The sum of all slots, in every slot.
    SumSlots(Node),
    /// The image under the table of this number.
    Table(Node, usize),
    /// The image of several residues under the table of this number, which has an entry for each combination of them,
    /// the last varying fastest.
    TableOf(Vec<Node>, usize),
    /// The image of one or two integers under a function of them.
    Integers(IntegerOp, Vec<Node>),
    /// The image of two integers.
    Pair(PairOp, Node, Node),
    /// The first value where the condition is 1, and the second where it is 0.
    Select {
        /// 0 or 1.
        condition: Node,
        /// The first value.
        then: Node,
        /// The second value.
        otherwise: Node,
    },
}

/// A straight-line program on vectors: of residues, whose sums and products wrap, or of integers of known ranges, which
/// never wrap ([`Kind`]).
///
/// With engine bfv vectors of Z_(p^r) are as long as there are slots: shorter ones are filled with 0. A constant c that
/// is added, or a table T, makes c or T(0) of it, which sums of all slots add and moves bring among the values:
/// [`Self::padding_uses`] tells where. Functions of integers ([`Operation::Integers`], [`Operation::Pair`],
/// [`Operation::Select`]) are for engine fhew, rotations and sums of slots for engine bfv.
///
/// ```
/// use bootes_lut::Program;
/// let program = Program::parse("x*y + 3*rot(x, 1) - sum(x^2)", &[]).unwrap();
/// assert_eq!((program.inputs(), program.names()), (2, &["x".to_string(), "y".to_string()][..]));
/// assert_eq!(program.values(&[&[1, 2, 3, 4], &[5, 6, 7, 8]], [2, 2], 17), [[15, 2, 3, 11]]);
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Program {
    operations: Vec<Operation>,
    /// Where each of them is.
    nodes: HashMap<Operation, Node>,
    names: Vec<String>,
    tables: Vec<Lut>,
    /// What the tables are called.
    table_names: Vec<String>,
    /// The differences 1 − c of conditions c.
    negations: BTreeSet<Node>,
    outputs: Vec<Node>,
    /// What they are called, those that have names.
    output_names: Vec<Option<String>>,
    /// The text that it was read from.
    text: Option<String>,
    /// Whether a constant among residues is an integer, as what functions make of these is.
    of_integers: bool,
}

impl Program {
    /// A program of nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The operations, each after its operands.
    #[must_use]
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// The number of operands.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.names.len()
    }

    /// Their names, in the order in which they are given.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The tables.
    #[must_use]
    pub fn tables(&self) -> &[Lut] {
        &self.tables
    }

    /// What they are called.
    #[must_use]
    pub fn table_names(&self) -> &[String] {
        &self.table_names
    }

    /// Whether operation number `number` is 1 − c of a condition c.
    #[must_use]
    pub fn is_negation(&self, number: usize) -> bool {
        self.negations.contains(&Node(number))
    }

    /// The results.
    #[must_use]
    pub fn outputs(&self) -> &[Node] {
        &self.outputs
    }

    /// Adds an operation, or finds the one that is there.
    fn push(&mut self, operation: Operation) -> Node {
        let node = *self.nodes.entry(operation.clone()).or_insert(Node(self.operations.len()));
        if node.0 == self.operations.len() {
            self.operations.push(operation);
        }
        node
    }

    /// The vector of this name.
    pub fn input(&mut self, name: &str) -> Node {
        let found = self.names.iter().position(|other| other == name);
        let i = found.unwrap_or_else(|| {
            self.names.push(name.into());
            self.names.len() - 1
        });
        self.push(Operation::Input(i))
    }

    /// The same number in every slot.
    pub fn constant(&mut self, c: i128) -> Node {
        self.push(Operation::Constant(c))
    }

    /// a + b.
    pub fn add(&mut self, a: Node, b: Node) -> Node {
        self.push(Operation::Sum(a, b))
    }

    /// a − b.
    pub fn sub(&mut self, a: Node, b: Node) -> Node {
        self.push(Operation::Difference(a, b))
    }

    /// a·b, slot by slot.
    pub fn mul(&mut self, a: Node, b: Node) -> Node {
        self.push(Operation::Product(a.min(b), a.max(b)))
    }

    /// x^n for n ≥ 1, with ⌈log2 n⌉ products in a row.
    pub fn power(&mut self, x: Node, n: u32) -> Node {
        self.power_once(x, n, &mut BTreeMap::new())
    }

    /// The same, each power that is `made` but once.
    fn power_once(&mut self, x: Node, n: u32, made: &mut BTreeMap<u32, Node>) -> Node {
        if n <= 1 {
            return x;
        }
        if let Some(&power) = made.get(&n) {
            return power;
        }
        let [low, high] = [n / 2, n - n / 2].map(|half| self.power_once(x, half, made));
        let power = self.mul(low, high);
        made.insert(n, power);
        power
    }

    /// The rows rotated to the left.
    pub fn rotate(&mut self, x: Node, by: i64) -> Node {
        self.push(Operation::Rotation(x, by))
    }

    /// The rows exchanged.
    pub fn exchange(&mut self, x: Node) -> Node {
        self.push(Operation::Exchange(x))
    }

    /// The sum of all slots, in every slot: also of those that no value is in ([`Self::padding_uses`]).
    pub fn sum_slots(&mut self, x: Node) -> Node {
        self.push(Operation::SumSlots(x))
    }

    /// The sum of all a_i·b_i, in every slot.
    pub fn inner_product(&mut self, a: Node, b: Node) -> Node {
        let product = self.mul(a, b);
        self.sum_slots(product)
    }

    /// The image under a table of Z_p.
    pub fn table(&mut self, x: Node, lut: &Lut) -> Node {
        let name = format!("table{}", self.tables.len());
        self.table_as(&name, x, lut)
    }

    /// The image under a table of this name, that of the first of equal ones.
    pub fn table_as(&mut self, name: &str, x: Node, lut: &Lut) -> Node {
        let table = self.table_number(name, lut);
        self.push(Operation::Table(x, table))
    }

    /// The image of several residues under a table with an entry for each combination of them, the last varying
    /// fastest ([`crate::MultivariateLut`]). Tables of the same bits, residues modulo 2, have what is dear in common.
    ///
    /// ```
    /// use bootes_lut::{Lut, Program};
    /// let mut adder = Program::new();
    /// let bits = ["x", "y", "z"].map(|name| adder.input(name));
    /// let carry = Lut::modular(vec![0, 0, 0, 1, 0, 1, 1, 1], 2).unwrap();
    /// let carry = adder.table_of("carry", &bits, &carry);
    /// adder.output(carry);
    /// assert_eq!(adder.to_string(), "carry(x, y, z)");
    /// ```
    pub fn table_of(&mut self, name: &str, operands: &[Node], lut: &Lut) -> Node {
        if let [x] = *operands {
            return self.table_as(name, x, lut);
        }
        let table = self.table_number(name, lut);
        self.push(Operation::TableOf(operands.to_vec(), table))
    }

    /// The number of a table.
    fn table_number(&mut self, name: &str, lut: &Lut) -> usize {
        let found =
            self.tables.iter().zip(&self.table_names).position(|(other, called)| called == name && other == lut);
        found.unwrap_or_else(|| {
            self.tables.push(lut.clone());
            self.table_names.push(name.into());
            self.tables.len() - 1
        })
    }

    /// The image of integers under a function of them.
    ///
    /// # Panics
    /// Unless there are as many operands as it has.
    pub fn integers(&mut self, op: IntegerOp, operands: &[Node]) -> Node {
        assert_eq!(operands.len(), op.operands(), "operands of {op}");
        self.push(Operation::Integers(op, operands.to_vec()))
    }

    /// The image of two integers.
    pub fn pair(&mut self, op: PairOp, x: Node, y: Node) -> Node {
        self.push(Operation::Pair(op, x, y))
    }

    /// `then` where `condition` is 1, and `otherwise` where it is 0.
    pub fn select(&mut self, condition: Node, then: Node, otherwise: Node) -> Node {
        self.push(Operation::Select { condition, then, otherwise })
    }

    /// 1 − condition, of a condition of 0 and 1 alone.
    pub fn not(&mut self, condition: Node) -> Node {
        let one = self.constant(1);
        let not = self.sub(one, condition);
        self.negations.insert(not);
        not
    }

    /// Adds a result.
    pub fn output(&mut self, node: Node) {
        self.outputs.push(node);
        self.output_names.push(None);
    }

    /// Adds a result of this name.
    pub fn output_as(&mut self, name: &str, node: Node) {
        self.outputs.push(node);
        self.output_names.push(Some(name.into()));
    }

    /// The names of the results, where they have one.
    #[must_use]
    pub fn output_names(&self) -> &[Option<String>] {
        &self.output_names
    }

    /// The result of this name.
    fn named(&self, name: &str) -> Option<Node> {
        let found = self.output_names.iter().position(|other| other.as_deref() == Some(name))?;
        Some(self.outputs[found])
    }

    /// The function of integers that it is: of its inputs, in their order, and nothing else.
    #[must_use]
    pub fn function(&self) -> Option<IntegerOp> {
        let [output] = self.outputs[..] else { return None };
        let operation = &self.operations[output.0];
        let op = match operation {
            Operation::Integers(op, _) => *op,
            Operation::Sum(..) => IntegerOp::Add,
            Operation::Difference(..) => IntegerOp::Sub,
            _ => return None,
        };
        let operands = operation.operands().into_iter().map(|node| &self.operations[node.0]);
        operands.eq((0..self.inputs()).map(Operation::Input).collect::<Vec<_>>().iter()).then_some(op)
    }

    /// The program of a function of integers, of inputs x and y.
    #[must_use]
    pub fn of_function(op: IntegerOp) -> Self {
        let mut program = Self::new();
        let operands: Vec<Node> = ["x", "y"][..op.operands()].iter().map(|name| program.input(name)).collect();
        let result = program.integers(op, &operands);
        program.output(result);
        program
    }

    /// Whether a text is a name as expressions have them: letters, 0 to 9 and `_`, a digit not first.
    #[must_use]
    pub fn is_name(text: &str) -> bool {
        parser::is_name(text)
    }

    /// The program of a table on one vector.
    #[must_use]
    pub fn of_table(lut: &Lut) -> Self {
        let mut program = Self::new();
        let x = program.input("x");
        let image = program.table(x, lut);
        program.output(image);
        program
    }

    /// The table that it is of one vector, as [`Self::of_table`] makes it, or of one less, or modulo, a constant.
    #[must_use]
    pub fn as_table(&self) -> Option<&Lut> {
        use Operation::{Constant, Difference, Input, Pair, Table};
        let ([image], Some((Table(_, table), before))) = (&self.outputs[..], self.operations.split_last()) else {
            return None;
        };
        let is_alone = matches!(before, [Input(_)] | [Input(_), Constant(_), Difference(..) | Pair(PairOp::Rem, ..)]);
        (is_alone && image.index() == before.len()).then(|| &self.tables[*table])
    }

    /// Reads an expression: whole numbers, names of vectors, and
    ///
    /// - `+ - *`, and `^` with a whole number;
    /// - `sum(x, y, …)` of two values or more;
    /// - `rot(x, n)` (rows rotated to the left by n), `swap(x)` (rows exchanged), `sum(x)` and `dot(x, y)` over slots;
    /// - of integers `/` (rounded down), `%`, the comparisons `< <= > >= == !=` and `sign(x)`, 1 where they hold and
    ///   else 0, `not(c)` of those, `select(c, x, y)`, `min(x, y, …)`, `max(x, y, …)`, `abs(x)`, `relu(x)`, and by bits
    ///   `and(x, y, …)`, `or(x, y, …)`, `xor(x, y, …)`, `shl(x, k)` and `shr(x, k)` ([`PairOp`]); those of any number
    ///   of values are of one as it is;
    /// - of words of w bits, 1 to 64: `unsigned(x, w)` and `signed(x, w)`, the integers of w bits that are x modulo
    ///   2^w; `rotl(x, k, w)` and `rotr(x, k, w)`, bits rotated by k modulo w; `mulhi(x, y, w)`, ⌊x·y/2^w⌋;
    ///   `leading_zeros(x, w)` of x modulo 2^w;
    /// - of several integers `argmin(x, y, …)` and `argmax(x, y, …)`, the number of the first, counted from 0, and
    ///   `smallest(k, x, y, …)` and `largest(k, x, y, …)`, the k-th of them, counted from 1;
    /// - a function for each of `tables` by its name, of one value, or of several residues: `f(x, y)`.
    ///
    /// Vectors are given in the order in which their names appear first. Several expressions are separated by `;`. One
    /// may have a name, `d = x - y; d*d`: that of its result, which is a value of the expressions after it.
    ///
    /// ```
    /// use bootes_lut::{Interval, Program};
    /// let program = Program::parse("select(x > y, x - y, 10*(x % 4))", &[]).unwrap();
    /// let range = [Interval::unsigned(3); 2];
    /// assert_eq!(program.integers_of(&[&[7, 2], &[2, 7]], &range).unwrap(), [[5, 20]]);
    /// ```
    ///
    /// # Errors
    /// [`LutError::Expression`] and [`LutError::Function`] with the position.
    pub fn parse(text: &str, tables: &[(&str, &Lut)]) -> Result<Self, LutError> {
        parser::parse(text, tables)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Interval;

    /// Comparisons bind less than sums, products as divisions from the left.
    #[test]
    fn expressions_of_integers_are_read() {
        let range = [Interval { min: -8, max: 7 }, Interval { min: 0, max: 7 }];
        for (text, expected) in [
            ("x < y + 1", 1),
            ("not(x < y)", 0),
            ("not(x != y) + 1 - sign(x)", 0),
            ("(x >= y) + 2*(x <= y) + 4*(x != y) + 8*(x == y) + 16*(x > y)", 6),
            ("select(x < y, x, y) - x", 0),
            ("7*y/2%5", 1),
            ("x/2", -3),
            ("x%4", 3),
            ("max(x, y) - min(x, y)", 11),
            ("max(x, y, 7) - min(0, x, y)", 12),
            ("abs(x) + relu(x) + sign(x)", 6),
            ("and(y, 3) + or(y, 3) + xor(y, 3)", 2 + 7 + 5),
            ("and(y, 7, 12) + or(y, 8, 1) + xor(y, 1, 2, 4)", 4 + 15 + 1),
            ("sum(x, y) + sum(x, y, 1, 2, y)", 1 + 10),
            ("max(x) - min(y) + and(x) + or(y) + xor(y)", -11 - 5 + 12),
            ("shl(y, 2) + shr(y, 1)", 27),
            ("y/(y - 6)", 7),
            ("y % (6 - y)", 6),
            ("y/x", -2),
            ("y % x", -4),
            ("x/(0 - y)", 0),
            ("(x - 2)/(0 - y)", 1),
            ("(x - 2) % (0 - y)", -1),
        ] {
            let program = Program::parse(text, &[]).unwrap();
            let values: [&[i128]; 2] = [&[-5], &[6]];
            let of = |name: &String| usize::from(name == "y");
            let given: Vec<&[i128]> = program.names().iter().map(|name| values[of(name)]).collect();
            let ranges: Vec<Interval> = program.names().iter().map(|name| range[of(name)]).collect();
            let found = program.integers_of(&given, &ranges).unwrap();
            assert_eq!(found, [[expected]], "{text}: {program}");
            let again = Program { text: None, ..program.clone() }.to_string();
            let read = Program { text: None, ..Program::parse(&again, &[]).unwrap() };
            assert_eq!(read.to_string(), again, "{text}");
        }
        for (text, words) in [("x <> y", "x != y"), ("x => y", "x >= y"), ("x =< y", "x <= y"), ("x == !y", "not(x)")] {
            let error = Program::parse(text, &[]).unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
        for (text, at) in [("x < y < z", 7), ("select(x, y)", 12), ("x + y = z", 7), ("min()", 5), ("shr(x, 1, 2)", 9)]
        {
            match Program::parse(text, &[]) {
                Err(LutError::Expression { at: found, .. }) => assert_eq!(found, at, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
    }

    /// Residues wrap modulo what each of them is of.
    #[test]
    fn residues_of_several_moduli() {
        let half = Lut::modular((0..16).map(|x| x / 2).collect(), 8).unwrap();
        let program = Program::parse("f(x) + f(y); x - 9223372036854775807*y", &[("f", &half)]).unwrap();
        let kinds = [Kind::Residues(16); 2];
        assert_eq!(program.plain(&[&[15, 3], &[15, 4]], &kinds).unwrap(), [[6, 3], [14, 7]]);
        assert!(Program::parse("f(x) + y", &[("f", &half)]).unwrap().plain(&[&[1], &[1]], &kinds).is_err());
    }

    /// A result that has a name is a value of what comes after it, and of nothing before.
    #[test]
    fn results_have_names() {
        let program = Program::parse("d = x - y; s=d*d; s == d", &[]).unwrap();
        assert_eq!(program.names(), ["x", "y"]);
        assert_eq!(program.output_names(), [Some("d".to_string()), Some("s".to_string()), None]);
        let range = [Interval::unsigned(3); 2];
        assert_eq!(program.integers_of(&[&[7, 2], &[6, 7]], &range).unwrap(), [[1, -5], [1, 25], [1, 0]]);
        let again = Program { text: None, ..program }.to_string();
        assert_eq!(again, "d = (x - y); s = (x - y)*(x - y); ((x - y)*(x - y) == (x - y))");
        assert_eq!(Program::parse(&again, &[]).unwrap().output_names()[1].as_deref(), Some("s"));
        for (text, at) in [("x = x + 1", 1), ("y + 1; y = 2*x", 8), ("s = x; s = y", 8), ("2x = y", 2), ("= x", 1)] {
            match Program::parse(text, &[]) {
                Err(LutError::Expression { at: found, .. }) => assert_eq!(found, at, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
        assert_eq!(["x", "_1", "é", "1x", "", "a b"].map(Program::is_name), [true, true, true, false, false, false]);
        let (square, text) = (Lut::unstructured(2), "x + g(x)");
        let error = Program::parse(text, &[("f", &square)]).unwrap_err();
        assert!(matches!(error, LutError::Function { at: 5, .. }));
        assert!(error.to_string().ends_with("a table that is given by this name; tables are f"), "{error}");
        for (text, words) in [("median(x, y, z)", "smallest(2, x, y, z)"), ("sort(x, y)", "smallest(1, x, y, z); ")] {
            let error = Program::parse(text, &[]).unwrap_err().to_string();
            assert!(error.contains(words) && Program::parse("smallest(2, x, y, z)", &[]).is_ok(), "{error}");
        }
    }

    /// 1 − x is any difference, and not(x) of a condition alone, whichever comes first.
    #[test]
    fn what_is_negated_is_a_condition() {
        for text in ["not(x)", "1 - x; not(x)", "not(x) + (1 - x)"] {
            let program = Program::parse(text, &[]).unwrap();
            let of = |kind| program.kinds(&[kind]);
            assert!(of(Kind::Residues(2)).is_ok() && of(Kind::Integers(Interval::unsigned(1))).is_ok());
            for kind in [Kind::Residues(4), Kind::Integers(Interval::unsigned(2)), Kind::Integers(Interval::signed(1))]
            {
                let error = of(kind).unwrap_err().to_string();
                assert!(error.starts_with("not(x) is of ") && error.contains("a condition of 0 and 1"), "{error}");
            }
        }
        assert!(Program::parse("1 - x", &[]).unwrap().kinds(&[Kind::Residues(4)]).is_ok());
    }

    #[test]
    fn programs_may_be_functions() {
        for (text, expected) in [
            ("max(x, y)", Some(IntegerOp::Max)),
            ("x < y", Some(IntegerOp::Less)),
            ("x + y", Some(IntegerOp::Add)),
            ("d = x - y", Some(IntegerOp::Sub)),
            ("abs(x)", Some(IntegerOp::Abs)),
            ("y > x", None),
            ("x + x", None),
            ("1 - x", None),
            ("max(x, y, z)", None),
            ("x*y", None),
            ("abs(x); relu(x)", None),
        ] {
            assert_eq!(Program::parse(text, &[]).unwrap().function(), expected, "{text}");
        }
    }

    #[test]
    fn expressions_are_read() {
        let (x, y): (&[i128], &[i128]) = (&[1, 2, 3, 4], &[5, 6, 7, 8]);
        let square = Lut::modular((0..17).map(|x| x * x % 17).collect(), 17).unwrap();
        for (text, expected) in [
            ("x+y*2", [11, 14, 0, 3]),
            ("-x + (y - 1)", [3, 3, 3, 3]),
            ("x^3*y", [5, 14, 2, 2]),
            ("rot(x, -1)", [2, 1, 4, 3]),
            ("rot(x,-9223372036854775808)", [1, 2, 3, 4]),
            ("rot(x, 9223372036854775807)", [2, 1, 4, 3]),
            ("swap(rot(x,1)) + 0*y", [4, 3, 2, 1]),
            ("sum(x) - dot(x, y)", [8, 8, 8, 8]),
            ("f(x) - x*x", [0; 4]),
            ("2*3 + 0*x - -1", [7; 4]),
        ] {
            let program = Program::parse(text, &[("f", &square)]).unwrap();
            let inputs = if program.inputs() == 1 { vec![x] } else { vec![x, y] };
            assert_eq!(program.values(&inputs, [2, 2], 17)[0], expected, "{text}: {program}");
        }
        let two = Program::parse("x; x*x", &[]).unwrap();
        assert_eq!(two.outputs().len(), 2);
        for (text, at) in [
            ("x + 5192296858534827628530496329220096", 5),
            ("rot(x, y)", 8),
            ("x +", 4),
            ("3*(x", 5),
            ("x y", 3),
            ("rot(x)", 6),
            ("5", 1),
            ("x^0", 3),
            ("x^99999999999999999999", 3),
            ("x^ y", 4),
        ] {
            match Program::parse(text, &[]) {
                Err(LutError::Expression { at: found, .. }) => assert_eq!(found, at, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
        assert!(Program::parse(&"(".repeat(100_000), &[]).is_err());
    }

    /// Nothing takes longer than its text is long: not powers of powers, nor many operations that differ.
    #[test]
    fn long_expressions_are_read_at_once() {
        let start = std::time::Instant::now();
        let powers = Program::parse(&["x"; 100].map(|x| format!("({x})^999999")).join("+"), &[]).unwrap();
        assert!(powers.operations().len() < 300, "{}", powers.operations().len());
        let sums = (0..40_000).map(|i| format!("+{i}")).collect::<String>();
        assert_eq!(Program::parse(&format!("x{sums}"), &[]).unwrap().operations().len(), 80_001);
        assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
    }
}
