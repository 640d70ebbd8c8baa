//! The language of programs: arithmetic on vectors as data, sums, products, rotations and tables, from a builder or
//! from text.
use std::collections::{BTreeMap, HashMap};
use std::fmt;

use crate::{Lut, LutError};

mod padding;

pub use padding::PaddingUse;

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
    Constant(i64),
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
}

/// A straight-line program on vectors of Z_(p^r), as long as there are slots.
///
/// Shorter vectors are filled with 0. A constant c that is added, or a table T, makes c or T(0) of it, which sums of
/// all slots add and moves bring among the values: [`Self::padding_uses`] tells where.
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
    outputs: Vec<Node>,
    /// The text that it was read from.
    text: Option<String>,
}

/// Characters of a program in words.
const LONGEST: usize = 200;

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
    pub fn constant(&mut self, c: i64) -> Node {
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
        let found = self.tables.iter().position(|other| other == lut);
        let table = found.unwrap_or_else(|| {
            self.tables.push(lut.clone());
            self.tables.len() - 1
        });
        self.push(Operation::Table(x, table))
    }

    /// Adds a result.
    pub fn output(&mut self, node: Node) {
        self.outputs.push(node);
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

    /// Reads an expression of `+ - * ^`, whole numbers, names of vectors, `rot(x, n)` (rows rotated to the left by n),
    /// `swap(x)` (rows exchanged), `sum(x)`, `dot(x, y)`, and a function for each of `tables` by its name. Vectors are
    /// given in the order in which their names appear first. Several expressions are separated by `;`.
    ///
    /// # Errors
    /// [`LutError::Expression`] with the position.
    pub fn parse(text: &str, tables: &[(&str, &Lut)]) -> Result<Self, LutError> {
        let mut parser = Parser { text, at: 0, depth: 0, tables, program: Self::new() };
        loop {
            let node = parser.sum()?;
            parser.program.output(node);
            if !parser.takes(';') {
                break;
            }
        }
        parser.end()?;
        parser.program.text = Some(text.trim().to_string());
        match parser.program.names.is_empty() {
            true => Err(LutError::Expression { at: 1, expected: "the name of a vector somewhere" }),
            false => Ok(parser.program),
        }
    }

    /// The same on plain numbers, rows and columns as `shape` says, modulo `modulus`: the specification.
    ///
    /// # Panics
    /// Unless the vectors have as many numbers as there are slots.
    #[must_use]
    pub fn values(&self, inputs: &[&[i64]], [rows, columns]: [usize; 2], modulus: i64) -> Vec<Vec<i64>> {
        let slots = rows * columns;
        let mut made: Vec<Vec<i64>> = Vec::with_capacity(self.operations.len());
        for operation in &self.operations {
            let zip = |a: &Node, b: &Node, f: &dyn Fn(i128, i128) -> i128| {
                let of = |(&a, &b): (&i64, &i64)| f(a.into(), b.into()).rem_euclid(modulus.into()) as i64;
                made[a.0].iter().zip(&made[b.0]).map(of).collect::<Vec<_>>()
            };
            made.push(match operation {
                Operation::Input(i) => inputs[*i].iter().map(|x| x.rem_euclid(modulus)).collect(),
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
                    let sum: i128 = made[x.0].iter().map(|&x| i128::from(x)).sum();
                    vec![sum.rem_euclid(modulus.into()) as i64; slots]
                }
                Operation::Table(x, table) => {
                    made[x.0].iter().map(|&x| self.tables[*table].values()[x as usize] as i64).collect()
                }
            });
        }
        self.outputs.iter().map(|node| made[node.0].clone()).collect()
    }
}

/// As [`Program::parse`] read it, or reads it; what is long is cut.
impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(text) = &self.text {
            let shown: String = text.chars().take(LONGEST).collect();
            return write!(f, "{shown}{}", if shown.len() < text.len() { "…" } else { "" });
        }
        let mut texts: Vec<String> = Vec::with_capacity(self.operations.len());
        for operation in &self.operations {
            let of = |node: &Node| texts[node.0].clone();
            let text = match operation {
                Operation::Input(i) => self.names[*i].clone(),
                Operation::Constant(c) => c.to_string(),
                Operation::Sum(a, b) => format!("({} + {})", of(a), of(b)),
                Operation::Difference(a, b) => format!("({} - {})", of(a), of(b)),
                Operation::Product(a, b) => format!("{}*{}", of(a), of(b)),
                Operation::Rotation(x, by) => format!("rot({}, {by})", of(x)),
                Operation::Exchange(x) => format!("swap({})", of(x)),
                Operation::SumSlots(x) => format!("sum({})", of(x)),
                Operation::Table(x, table) => format!("table{table}({})", of(x)),
            };
            // What is used again and again would double each time.
            let long = text.len() > LONGEST;
            texts.push(if long { "…".into() } else { text });
        }
        let outputs: Vec<&str> = self.outputs.iter().map(|node| texts[node.0].as_str()).collect();
        f.write_str(&outputs.join("; "))
    }
}

/// By recursive descent.
struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    tables: &'a [(&'a str, &'a Lut)],
    program: Program,
}

/// How deep parentheses may be.
const DEPTH: usize = 200;

impl Parser<'_> {
    fn refuse<T>(&self, expected: &'static str) -> Result<T, LutError> {
        Err(LutError::Expression { at: self.text[..self.at].chars().count() + 1, expected })
    }

    fn next(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    fn takes(&mut self, sign: char) -> bool {
        let found = self.next() == Some(sign);
        self.at += if found { sign.len_utf8() } else { 0 };
        found
    }

    fn expect(&mut self, sign: char, expected: &'static str) -> Result<(), LutError> {
        if self.takes(sign) { Ok(()) } else { self.refuse(expected) }
    }

    fn end(&mut self) -> Result<(), LutError> {
        if self.next().is_none() { Ok(()) } else { self.refuse("an operator (+ - * ^) or the end") }
    }

    /// The longest run of characters like this.
    fn run(&mut self, of: impl Fn(char) -> bool) -> String {
        let run: String = self.text[self.at..].chars().take_while(|&c| of(c)).collect();
        self.at += run.len();
        run
    }

    fn sum(&mut self) -> Result<Node, LutError> {
        if self.depth == DEPTH {
            return self.refuse("fewer parentheses inside each other");
        }
        self.depth += 1;
        let mut sum = self.product()?;
        loop {
            if self.takes('+') {
                let term = self.product()?;
                sum = self.program.add(sum, term);
            } else if self.takes('-') {
                let term = self.product()?;
                sum = self.program.sub(sum, term);
            } else {
                self.depth -= 1;
                return Ok(sum);
            }
        }
    }

    fn product(&mut self) -> Result<Node, LutError> {
        let mut product = self.signed()?;
        while self.takes('*') {
            let factor = self.signed()?;
            product = self.program.mul(product, factor);
        }
        Ok(product)
    }

    fn signed(&mut self) -> Result<Node, LutError> {
        if !self.takes('-') {
            return self.power();
        }
        let zero = self.program.constant(0);
        let x = self.power()?;
        Ok(self.program.sub(zero, x))
    }

    fn power(&mut self) -> Result<Node, LutError> {
        let base = self.atom()?;
        if !self.takes('^') {
            return Ok(base);
        }
        self.next();
        let start = self.at;
        match self.run(|c| c.is_ascii_digit()).parse() {
            Ok(n @ 1..=1_000_000) => Ok(self.program.power(base, n)),
            _ => {
                self.at = start;
                self.refuse("an exponent from 1 to 1000000")
            }
        }
    }

    /// A whole number; of one beyond 64 bits `beyond` says what was expected.
    fn integer(&mut self, beyond: &'static str) -> Result<i64, LutError> {
        let sign = if self.takes('-') { "-" } else { "" };
        self.next();
        let (start, digits) = (self.at, self.run(|c| c.is_ascii_digit()));
        format!("{sign}{digits}").parse().or_else(|_| {
            self.at = start;
            self.refuse(if digits.is_empty() { "a whole number" } else { beyond })
        })
    }

    fn atom(&mut self) -> Result<Node, LutError> {
        let expected = "a number, the name of a vector, a function or a parenthesis";
        match self.next() {
            Some('(') => self.inside(),
            Some(c) if c.is_ascii_digit() => {
                let beyond = "a whole number from -2^63 to 2^63 - 1; reduce it modulo the modulus of the vectors";
                let c = self.integer(beyond)?;
                Ok(self.program.constant(c))
            }
            Some(c) if c.is_alphabetic() || c == '_' => {
                let start = self.at;
                let name = self.run(|c| c.is_alphanumeric() || c == '_');
                if self.next() == Some('(') {
                    return self.function(&name, start);
                }
                Ok(self.program.input(&name))
            }
            _ => self.refuse(expected),
        }
    }

    fn inside(&mut self) -> Result<Node, LutError> {
        self.expect('(', "'('")?;
        let node = self.sum()?;
        self.expect(')', "')'")?;
        Ok(node)
    }

    fn function(&mut self, name: &str, start: usize) -> Result<Node, LutError> {
        if let Some((_, lut)) = self.tables.iter().find(|(table, _)| *table == name) {
            let x = self.inside()?;
            return Ok(self.program.table(x, lut));
        }
        match name {
            "swap" | "sum" => {
                let x = self.inside()?;
                Ok(if name == "swap" { self.program.exchange(x) } else { self.program.sum_slots(x) })
            }
            "rot" | "dot" => {
                self.expect('(', "'('")?;
                let x = self.sum()?;
                self.expect(',', "',' and a second argument")?;
                let node = if name == "rot" {
                    let beyond = "a whole number from -2^63 to 2^63 - 1; reduce it modulo the slots of a row";
                    let by = self.integer(beyond)?;
                    self.program.rotate(x, by)
                } else {
                    let y = self.sum()?;
                    self.program.inner_product(x, y)
                };
                self.expect(')', "')'")?;
                Ok(node)
            }
            _ => {
                self.at = start;
                // The names of tables are the caller's: where there are none, they are no choice.
                self.refuse(match self.tables {
                    [] => "a function: rot, swap, sum or dot",
                    _ => "a function: rot, swap, sum, dot, or the name of a table",
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_read() {
        let (x, y): (&[i64], &[i64]) = (&[1, 2, 3, 4], &[5, 6, 7, 8]);
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
            ("x + 9223372036854775808", 5),
            ("rot(x, y)", 8),
            ("x +", 4),
            ("3*(x", 5),
            ("foo(x)", 1),
            ("x y", 3),
            ("rot(x)", 6),
            ("5", 1),
            ("x^0", 3),
            ("x^99999999999999999999", 3),
            ("x^ y", 4),
            ("é(", 1),
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
