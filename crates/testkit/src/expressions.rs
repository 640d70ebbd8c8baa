//! Random expressions of residues and integers with their values, by the words of the guide alone: in sums, products
//! and selections an integer beside a residue is taken modulo p, functions take the residue 0 to p − 1 and give
//! integers, bits have `and`, `or`, `xor` and `not`, and a table of residues gives residues.
use crate::TestRng;

/// Rows of inputs.
const ROWS: usize = 6;

/// The least and the largest integer of an input.
const INTEGERS: [i128; 2] = [-3, 4];

/// An expression, and what it is of each row.
#[derive(Clone, Debug)]
pub struct Expression {
    /// As programs have it.
    pub text: String,
    /// Its values: of residues 0 to p − 1.
    pub rows: Vec<i128>,
    /// The modulus of residues.
    pub modulus: Option<u64>,
    /// Whether it is made of numbers alone.
    pub is_constant: bool,
    /// Whether it is an integer that is 0 or 1 whatever the inputs are.
    is_answer: bool,
}

impl Expression {
    fn is_bit(&self) -> bool {
        self.modulus == Some(2) || ["0", "1"].contains(&&self.text[..])
    }

    /// A function of both, row by row.
    fn with(&self, other: &Self, text: String, modulus: Option<u64>, f: impl Fn(i128, i128) -> i128) -> Self {
        let of = |(&x, &y): (&i128, &i128)| modulus.map_or(f(x, y), |p| f(x, y).rem_euclid(p.into()));
        let rows = self.rows.iter().zip(&other.rows).map(of).collect();
        Self { text, rows, modulus, is_constant: self.is_constant && other.is_constant, is_answer: false }
    }
}

/// Makes expressions of residues x and y modulo p, of integers i and j from −3 to 4, of a table T of a residue, and of
/// one U of two.
#[derive(Debug)]
pub struct Expressions {
    random: TestRng,
    /// The modulus p.
    pub p: u64,
    /// The inputs x, y, i and j.
    pub inputs: Vec<Expression>,
    /// The entries of T, residues modulo p.
    pub entries: Vec<u64>,
    /// Those of U, row by row.
    pub pairs: Vec<u64>,
}

impl Expressions {
    /// Inputs, and tables, without pattern.
    #[must_use]
    pub fn new(seed: u64, p: u64) -> Self {
        let mut random = TestRng::new("expressions", seed);
        let mut input = |(text, modulus): (&str, Option<u64>)| {
            let [least, most] = modulus.map_or(INTEGERS, |p| [0, i128::from(p) - 1]);
            let mut row = || least + i128::from(random.below((most - least + 1) as u64));
            let rows = (0..ROWS).map(|_| row()).collect();
            Expression { text: text.into(), rows, modulus, is_constant: false, is_answer: false }
        };
        let inputs = [("x", Some(p)), ("y", Some(p)), ("i", None), ("j", None)].map(&mut input).into();
        let [entries, pairs] = [p, p * p].map(|count| (0..count).map(|_| random.below(p)).collect());
        Self { random, p, inputs, entries, pairs }
    }

    /// The input of this name.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn input(&self, name: &str) -> &Expression {
        self.inputs.iter().find(|input| input.text == name).expect("an input")
    }

    /// Some expressions, none of numbers alone, at most so deep; and all of them as the text of one program.
    pub fn program(&mut self, depth: u64) -> (Vec<Expression>, String) {
        let count = 1 + self.random.below(3);
        let mut results = Vec::new();
        while results.len() < count as usize {
            let deep = 1 + self.random.below(depth);
            let result = self.expression(deep);
            if !result.is_constant {
                results.push(result);
            }
        }
        let named = results.iter().enumerate().map(|(k, value)| format!("r{k} = {}", value.text));
        let text = named.collect::<Vec<_>>().join("; ");
        (results, text)
    }

    fn number(&mut self, least: u64, most: u64) -> Expression {
        let c = least + self.random.below(most - least + 1);
        let rows = vec![c.into(); ROWS];
        Expression { text: c.to_string(), rows, modulus: None, is_constant: true, is_answer: c < 2 }
    }

    /// An expression of this depth.
    fn expression(&mut self, depth: u64) -> Expression {
        if depth == 0 {
            return match self.random.below(9) as usize {
                0 => self.number(1, 3),
                at => self.inputs[[0, 0, 0, 1, 1, 2, 2, 3][at - 1]].clone(),
            };
        }
        let [a, b] = [(); 2].map(|()| self.expression(depth - 1));
        let of_both = a.modulus.or(b.modulus);
        let text = |name: &str| format!("{name}({}, {})", a.text, b.text);
        let binary = |sign: &str| format!("({} {sign} {})", a.text, b.text);
        let answer = |sign: &str, f: fn(&i128, &i128) -> bool| {
            let made = a.with(&b, binary(sign), None, |x, y| f(&x, &y).into());
            Expression { is_answer: true, ..made }
        };
        let bits = (a.is_bit() && b.is_bit() && of_both.is_some()).then_some(2);
        match self.random.below(20) {
            0 | 1 => a.with(&b, binary("+"), of_both, |x, y| x + y),
            2 => a.with(&b, binary("-"), of_both, |x, y| x - y),
            3 => a.with(&b, binary("*"), of_both, |x, y| x * y),
            4 => answer("<", i128::lt),
            5 => answer("==", i128::eq),
            6 => a.with(&b, text("max"), None, i128::max),
            7 => a.with(&b, text("min"), None, i128::min),
            8 => a.with(&b, text("and"), bits, |x, y| x & y),
            9 => a.with(&b, text("or"), bits, |x, y| x | y),
            10 => a.with(&b, text("xor"), bits, |x, y| x ^ y),
            11 | 12 => self.selection(&a, &b, depth),
            13 if a.modulus == Some(self.p) => {
                a.with(&a, format!("T({})", a.text), Some(self.p), |x, _| self.entries[x as usize].into())
            }
            14 if [a.modulus, b.modulus] == [Some(self.p); 2] => {
                let entry = |x, y| self.pairs[(x * i128::from(self.p) + y) as usize].into();
                a.with(&b, text("U"), Some(self.p), entry)
            }
            15 if a.is_answer || a.modulus == Some(2) => {
                let made = a.with(&a, format!("not({})", a.text), a.modulus, |x, _| 1 - x);
                Expression { is_answer: a.is_answer, ..made }
            }
            16 => {
                let c = self.number(0, 2);
                a.with(&c, format!("shl({}, {})", a.text, c.text), None, |x, c| x << c)
            }
            17 => {
                let c = self.number(2, 3);
                a.with(&c, format!("({}/{})", a.text, c.text), None, i128::div_euclid)
            }
            _ => {
                let c = self.number(3, 5);
                a.with(&c, format!("({} % {})", a.text, c.text), None, i128::rem_euclid)
            }
        }
    }

    /// One of two values, by a bit, an answer, or a number; what is never taken may be refused alone.
    fn selection(&mut self, a: &Expression, b: &Expression, depth: u64) -> Expression {
        let of_both = |condition: &Expression, b: &Expression| {
            let modulus = a.modulus.or(b.modulus);
            let mut made = a.with(b, format!("select({}, {}, {})", condition.text, a.text, b.text), modulus, |_, _| 0);
            for (row, found) in made.rows.iter_mut().enumerate() {
                let chosen = if condition.rows[row] == 1 { a.rows[row] } else { b.rows[row] };
                *found = modulus.map_or(chosen, |p| chosen.rem_euclid(p.into()));
            }
            made
        };
        match self.random.below(4) {
            0 => {
                let yes = self.number(1, 1);
                let always = Expression { text: "(2 < 3)".into(), ..yes };
                // A shift by −1, which nothing has: its rows are not looked at.
                let refused = Expression { text: format!("shl({}, 0 - 1)", b.text), modulus: None, ..b.clone() };
                of_both(&always, &refused)
            }
            _ => {
                let condition = self.expression(depth - 1);
                if condition.modulus == Some(2) || condition.is_answer {
                    return of_both(&condition, b);
                }
                let c = self.number(2, 3);
                let text = format!("({} < {})", condition.text, c.text);
                of_both(&condition.with(&c, text, None, |x, y| i128::from(x < y)), b)
            }
        }
    }
}
