//! Programs from text.
use super::{Node, Operation, PairOp, Program};
use crate::integer::{MAX_WIDTH, MOST_BITS};
use crate::{IntegerOp, Lut, LutError};
use std::str::FromStr;

/// [`Program::parse`].
pub(super) fn parse(text: &str, tables: &[(&str, &Lut)]) -> Result<Program, LutError> {
    let mut parser = Parser { text, at: 0, depth: 0, tables, program: Program::new(), called: Vec::new() };
    loop {
        parser.result()?;
        if !parser.takes(';') {
            break;
        }
    }
    parser.end()?;
    parser.program.text = Some(text.trim().to_string());
    match parser.program.names.is_empty() {
        true => Err(LutError::Expression {
            at: 1,
            expected: "the name of a vector somewhere: results of constants are the same without encryption",
        }),
        false => Ok(parser.program),
    }
}

/// Whether a text is a name: letters of any language, 0 to 9 and `_`, a digit not first.
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(begins_name) && text.chars().all(is_of_name)
}

fn begins_name(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

/// Raised and lowered digits are none: x² is no name.
fn is_of_name(c: char) -> bool {
    begins_name(c) || c.is_ascii_digit()
}

/// By recursive descent.
struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    tables: &'a [(&'a str, &'a Lut)],
    program: Program,
    /// What results are called, those without a name as they are written.
    called: Vec<String>,
}

/// Characters of a name in a refusal.
const LONGEST_NAME: usize = 40;

/// How deep parentheses may be.
const DEPTH: usize = 200;

impl Parser<'_> {
    fn refuse<T>(&self, expected: &'static str) -> Result<T, LutError> {
        let expected = self.instead().unwrap_or(expected);
        Err(LutError::Expression { at: self.text[..self.at].chars().count() + 1, expected })
    }

    /// What other languages write otherwise, of which the rest, or its first sign, is where the parser is.
    fn instead(&self) -> Option<&'static str> {
        let (before, rest) = self.text.split_at(self.at);
        let word = rest.split(|c| !is_of_name(c)).next().unwrap_or_default();
        // Two names in a row.
        let last = before.trim_end().rsplit(|c| !is_of_name(c)).next().filter(|_| !word.is_empty());
        match last {
            Some("not") => return Some("not(x) in place of not x"),
            Some("if" | "then" | "else") => return Some("select(c, x, y) in place of if c then x else y"),
            _ => {}
        }
        // A number, of which this goes on.
        let number = before.rsplit(|c| !is_of_name(c)).next().unwrap_or_default();
        let is_number = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
        let goes_on = |signs: &[char]| {
            let rest = is_number.then(|| word.strip_prefix(signs))?;
            Some(rest?.chars().next()?.is_ascii_hexdigit())
        };
        if goes_on(&['_']) == Some(true)
            || number == "0" && goes_on(&['x', 'b', 'o', 'X', 'B', 'O']) == Some(true)
            || goes_on(&['e', 'E']) == Some(true) && word[1..].chars().all(|c| c.is_ascii_digit())
        {
            return Some("a number in decimal digits alone, as 16 in place of 0x10, and 1000 of 1e3 or 1_000");
        }
        Some(match (before.chars().next_back(), rest.chars().next()?, word) {
            (Some('<'), '<', _) => "shl(x, k) in place of x << k",
            (Some('>'), '>', _) => "shr(x, k) in place of x >> k",
            (Some('/'), '/', _) => "x/y in place of x//y, which is ⌊x/y⌋",
            (Some('*'), '*', _) => "x^k in place of x**k",
            (Some('<'), '>', _) => "x != y in place of x <> y",
            (Some('='), '>', _) => "x >= y in place of x => y",
            (Some('='), '<', _) => "x <= y in place of x =< y",
            (_, '<' | '>' | '=' | '!', _) => "one comparison: and(x < y, y < z) in place of x < y < z, not(x) of !x",
            (_, '&', _) | (.., "and") => "and(x, y) in place of x & y",
            (_, '|', _) | (.., "or") => "or(x, y) in place of x | y",
            (_, '?', _) | (.., "if") => "select(c, x, y) in place of c ? x : y",
            (_, '~', _) => "-1 - x in place of ~x, not(x) of a condition",
            (_, '²' | '³' | '¹' | '⁰' | '⁴'..='⁹', _) => "x^2 in place of x²",
            (_, c, _) if c.is_numeric() && !c.is_ascii_digit() => "a name of letters, digits 0 to 9 and _",
            (_, '\'' | '"', _) => "a number in place of a text: categories are integers",
            _ => return None,
        })
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
        match self.next() {
            None => Ok(()),
            Some(c) if begins_name(c) => self.refuse("an operator: a name has no spaces, and a product has its *"),
            Some(_) => self.refuse("an operator (+ - * / % ^ < <= > >= == !=) or the end"),
        }
    }

    /// The longest run of characters like this.
    fn run(&mut self, of: impl Fn(char) -> bool) -> String {
        let run: String = self.text[self.at..].chars().take_while(|&c| of(c)).collect();
        self.at += run.len();
        run
    }

    /// An expression, or a name, `=` and an expression, which later ones have by the name.
    fn result(&mut self) -> Result<(), LutError> {
        self.next();
        let start = self.at;
        let name = Some(self.run(is_of_name)).filter(|name| is_name(name));
        // One sign is no comparison.
        let name = name.filter(|_| !self.takes_sign("==") && self.takes('='));
        if name.is_none() {
            self.at = start;
        }
        let node = self.expression()?;
        // Also of a value in its own expression.
        if name.as_ref().is_some_and(|name| self.program.names.contains(name) || self.program.named(name).is_some()) {
            self.at = start;
            return self.refuse("another name: a value or a result has this one");
        }
        let written = self.text[start..self.at].trim().to_string();
        let called = name.clone().unwrap_or(written);
        if self.called.contains(&called) {
            let at = self.text[..start].chars().count() + 1;
            let expected = "another result: one before is called or written so; leave it out, or name it";
            return Err(LutError::Expression { at, expected });
        }
        self.called.push(called);
        match name {
            Some(name) => self.program.output_as(&name, node),
            None => self.program.output(node),
        }
        Ok(())
    }

    /// A sum, or a comparison of two.
    fn expression(&mut self) -> Result<Node, LutError> {
        if self.depth == DEPTH {
            return self.refuse("fewer parentheses inside each other");
        }
        self.depth += 1;
        let left = self.sum()?;
        let sign = ["<=", ">=", "==", "!=", "<", ">"].into_iter().find(|sign| self.takes_sign(sign));
        let node = match sign {
            None => left,
            Some(sign) => {
                let right = self.sum()?;
                let program = &mut self.program;
                match sign {
                    "<" => program.integers(IntegerOp::Less, &[left, right]),
                    ">" => program.integers(IntegerOp::Less, &[right, left]),
                    "==" => program.integers(IntegerOp::Equal, &[left, right]),
                    _ => {
                        let opposite = match sign {
                            "<=" => program.integers(IntegerOp::Less, &[right, left]),
                            ">=" => program.integers(IntegerOp::Less, &[left, right]),
                            _ => program.integers(IntegerOp::Equal, &[left, right]),
                        };
                        program.not(opposite)
                    }
                }
            }
        };
        self.depth -= 1;
        Ok(node)
    }

    fn takes_sign(&mut self, sign: &str) -> bool {
        self.next();
        let found = self.text[self.at..].starts_with(sign);
        self.at += if found { sign.len() } else { 0 };
        found
    }

    fn sum(&mut self) -> Result<Node, LutError> {
        let mut sum = self.product()?;
        loop {
            if self.takes('+') {
                let term = self.product()?;
                sum = self.program.add(sum, term);
            } else if self.takes('-') {
                let term = self.product()?;
                sum = self.program.sub(sum, term);
            } else {
                return Ok(sum);
            }
        }
    }

    fn product(&mut self) -> Result<Node, LutError> {
        let mut product = self.signed()?;
        loop {
            if self.takes('*') {
                let factor = self.signed()?;
                product = self.program.mul(product, factor);
            } else if self.takes('/') {
                let divisor = self.signed()?;
                product = self.program.pair(PairOp::Div, product, divisor);
            } else if self.takes('%') {
                let divisor = self.signed()?;
                product = self.program.pair(PairOp::Rem, product, divisor);
            } else {
                return Ok(product);
            }
        }
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
            Ok(n @ 1..=1_000_000) => {
                // A power of a number is one.
                let known = match &self.program.operations()[base.index()] {
                    Operation::Constant(c) => c.checked_pow(n).filter(|power| power >> MOST_BITS == 0),
                    _ => None,
                };
                Ok(known.map(|known| self.program.constant(known)).unwrap_or_else(|| self.program.power(base, n)))
            }
            _ => {
                self.at = start;
                self.refuse("an exponent from 1 to 1000000, or xor(x, y) for bits")
            }
        }
    }

    /// A whole number; of one beyond its type `beyond` says what was expected.
    fn integer<T: FromStr>(&mut self, beyond: &'static str) -> Result<T, LutError> {
        let sign = if self.takes('-') { "-" } else { "" };
        self.next();
        let (start, digits) = (self.at, self.run(|c| c.is_ascii_digit()));
        if self.text[self.at..].starts_with('.') {
            return self.refuse("a whole number, without decimals: take units in which all numbers are whole");
        }
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
                let beyond = "a whole number of at most 112 bits; of residues reduce it by their modulus";
                let at = self.at;
                let c: i128 = self.integer(beyond)?;
                if c >> MOST_BITS != 0 {
                    self.at = at;
                    return self.refuse(beyond);
                }
                Ok(self.program.constant(c))
            }
            Some(c) if begins_name(c) => {
                let start = self.at;
                let name = self.run(is_of_name);
                if self.next() == Some('(') {
                    return self.function(&name, start);
                }
                Ok(self.program.named(&name).unwrap_or_else(|| self.program.input(&name)))
            }
            _ => self.refuse(expected),
        }
    }

    fn inside(&mut self) -> Result<Node, LutError> {
        self.expect('(', "'('")?;
        let node = self.expression()?;
        self.expect(')', "')'")?;
        Ok(node)
    }

    fn function(&mut self, name: &str, start: usize) -> Result<Node, LutError> {
        if let Some((_, lut)) = self.tables.iter().find(|(table, _)| *table == name) {
            let operands = self.several()?;
            return Ok(self.program.table_of(name, &operands, lut));
        }
        match name {
            "swap" => {
                let x = self.inside()?;
                Ok(self.program.exchange(x))
            }
            // Of one vector the sum is that of its slots, of several their own.
            "sum" => match self.several()?[..] {
                [x] => Ok(self.program.sum_slots(x)),
                ref all => Ok(self.in_pairs(all.to_vec(), Program::add)),
            },
            "rot" => {
                self.expect('(', "'('")?;
                let x = self.expression()?;
                self.expect(',', "',' and a second argument")?;
                let beyond = "a whole number from -2^63 to 2^63 - 1; reduce it modulo the slots of a row";
                let by = self.integer(beyond)?;
                self.expect(')', "')'")?;
                Ok(self.program.rotate(x, by))
            }
            "dot" => {
                let [x, y] = self.arguments()?;
                Ok(self.program.inner_product(x, y))
            }
            "not" => {
                let [x] = self.arguments()?;
                Ok(self.program.not(x))
            }
            "select" => {
                let [condition, then, otherwise] = self.arguments()?;
                Ok(self.program.select(condition, then, otherwise))
            }
            "signed" | "unsigned" | "mulhi" | "rotl" | "rotr" | "leading_zeros" => self.of_width(name),
            "argmin" | "argmax" | "smallest" | "largest" => self.of_several(name),
            "sign" => self.of_integer(IntegerOp::Sign),
            "abs" => self.of_integer(IntegerOp::Abs),
            "relu" => self.of_integer(IntegerOp::Relu),
            "min" => self.of_integers(IntegerOp::Min),
            "max" => self.of_integers(IntegerOp::Max),
            _ => match PairOp::FUNCTIONS.iter().copied().find(|op| op.to_string() == name) {
                Some(op @ (PairOp::And | PairOp::Or | PairOp::Xor)) => {
                    let all = self.several()?;
                    Ok(self.in_pairs(all, |program, x, y| program.pair(op, x, y)))
                }
                Some(op) => {
                    let [x, y] = self.arguments()?;
                    Ok(self.program.pair(op, x, y))
                }
                None => {
                    let at = self.text[..start].chars().count() + 1;
                    let tables = self.tables.iter().map(|(table, _)| (*table).into()).collect();
                    Err(LutError::Function { at, name: name.chars().take(LONGEST_NAME).collect(), tables })
                }
            },
        }
    }

    /// Functions of words, whose bits are the last argument, written in others.
    fn of_width(&mut self, name: &str) -> Result<Node, LutError> {
        self.expect('(', "'('")?;
        let x = self.expression()?;
        self.expect(',', "',' and a second argument")?;
        let y = match name {
            "signed" | "unsigned" | "leading_zeros" => None,
            _ => {
                let y = self.expression()?;
                self.expect(',', "',' and the bits of a word, as in rotl(x, k, 32)")?;
                Some(y)
            }
        };
        const BITS: &str = "the bits of a word, 1 to 64";
        let start = self.at;
        let Some(bits @ 1..=MAX_WIDTH) = self.integer(BITS).ok() else {
            self.at = start;
            return self.refuse(BITS);
        };
        self.expect(')', "')'")?;
        let program = &mut self.program;
        if name == "leading_zeros" {
            return Ok(program.leading_zeros(x, bits));
        }
        let modulus = program.constant(1 << bits);
        let low = |program: &mut Program, x| program.pair(PairOp::Rem, x, modulus);
        // Residues are the integers 0 to p − 1 here, whose sums and products are none.
        let as_integer = |program: &mut Program, x| {
            let none = program.constant(0);
            program.pair(PairOp::Shr, x, none)
        };
        let Some(y) = y else {
            if name == "unsigned" {
                return Ok(low(program, x));
            }
            let (x, half) = (as_integer(program, x), program.constant(1 << (bits - 1)));
            let moved = program.add(x, half);
            let moved = low(program, moved);
            return Ok(program.sub(moved, half));
        };
        let x = if name == "mulhi" { as_integer(program, x) } else { x };
        if name == "mulhi" && 2 * bits <= MOST_BITS {
            let y = as_integer(program, y);
            let product = program.mul(x, y);
            return Ok(program.pair(PairOp::Div, product, modulus));
        }
        if name == "mulhi" {
            // ⌊x·y/2^w⌋ = ⌊(x·⌊y/2^h⌋ + ⌊x·(y mod 2^h)/2^h⌋)/2^(w − h)⌋, of shorter products.
            let [half, rest] = [bits / 2, bits - bits / 2].map(|bits| program.constant(1 << bits));
            let (high, low) = (program.pair(PairOp::Div, y, half), program.pair(PairOp::Rem, y, half));
            let (high, low) = (program.mul(x, high), program.mul(x, low));
            let carried = program.pair(PairOp::Div, low, half);
            let sum = program.add(high, carried);
            return Ok(program.pair(PairOp::Div, sum, rest));
        }
        let x = low(program, x);
        // By nothing, or by whole turns.
        if matches!(&program.operations()[y.index()], Operation::Constant(by) if by % i128::from(bits) == 0) {
            return Ok(x);
        }
        let bits = program.constant(bits.into());
        let by = program.pair(PairOp::Rem, y, bits);
        let back = program.sub(bits, by);
        let (left, right) = if name == "rotl" { (by, back) } else { (back, by) };
        let left = program.pair(PairOp::Shl, x, left);
        let (left, right) = (low(program, left), program.pair(PairOp::Shr, x, right));
        Ok(program.add(left, right))
    }

    fn of_integer(&mut self, op: IntegerOp) -> Result<Node, LutError> {
        let operand = self.arguments::<1>()?;
        Ok(self.program.integers(op, &operand))
    }

    fn of_integers(&mut self, op: IntegerOp) -> Result<Node, LutError> {
        let all = self.several()?;
        Ok(self.in_pairs(all, |program, x, y| program.integers(op, &[x, y])))
    }

    /// Of one it is that one; of more it is of pairs, and of pairs of those: none waits for all before it.
    fn in_pairs(&mut self, mut all: Vec<Node>, of: impl Fn(&mut Program, Node, Node) -> Node) -> Node {
        while all.len() > 1 {
            let pairs = all.chunks(2).map(|pair| match pair {
                [x, y] => of(&mut self.program, *x, *y),
                _ => pair[0],
            });
            all = pairs.collect();
        }
        all[0]
    }

    /// One argument or more.
    fn several(&mut self) -> Result<Vec<Node>, LutError> {
        self.expect('(', "'('")?;
        let mut all = vec![self.expression()?];
        while self.takes(',') {
            all.push(self.expression()?);
        }
        self.expect(')', "',' and an argument, or ')'")?;
        Ok(all)
    }

    /// Functions of any number of integers, before which may be which one is wanted.
    fn of_several(&mut self, name: &str) -> Result<Node, LutError> {
        const RANK: &str = "which one is wanted: 1, or another number up to how many there are";
        self.expect('(', "'('")?;
        let (start, mut rank) = (self.at, None);
        if matches!(name, "smallest" | "largest") {
            rank = Some(self.integer::<usize>(RANK)?);
            self.expect(',', "',' and the integers")?;
        }
        let mut all = vec![self.expression()?];
        while self.takes(',') {
            all.push(self.expression()?);
        }
        self.expect(')', "',' and an argument, or ')'")?;
        let program = &mut self.program;
        let Some(rank) = rank else {
            return Ok(if name == "argmin" { program.argmin(&all) } else { program.argmax(&all) });
        };
        if !(1..=all.len()).contains(&rank) {
            self.at = start;
            self.next();
            return self.refuse(RANK);
        }
        let sorted = program.sort(&all);
        Ok(sorted[if name == "smallest" { rank - 1 } else { all.len() - rank }])
    }

    /// So many arguments.
    fn arguments<const N: usize>(&mut self) -> Result<[Node; N], LutError> {
        self.expect('(', "'('")?;
        let mut all = Vec::with_capacity(N);
        for i in 0..N {
            if i > 0 {
                self.expect(',', if i == 1 { "',' and a second argument" } else { "',' and a third argument" })?;
            }
            all.push(self.expression()?);
        }
        self.expect(')', "')'")?;
        all.try_into().or_else(|_| self.refuse("an argument"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Interval;

    /// Results have names of their own, those that are given and those that are written.
    #[test]
    fn results_of_one_name() {
        for (text, at) in [("s = 3*x; s", 10), ("x + 1; x + 1 ", 8), ("and(x, y); z = x; and(x, y)", 19)] {
            let refused = parse(text, &[]).expect_err(text).to_string();
            assert!(refused.contains(&format!("character {at}: expected another result")), "{refused}");
        }
        assert!(parse("s = 3*x; s + 0; x+1; x + 1", &[]).is_ok());
    }

    /// Functions of words are those of Rust's.
    #[test]
    fn functions_of_words() {
        type Exact = fn(i128, i128) -> i128;
        let functions: [(&str, Exact); 10] = [
            ("rotl(x, y, 32)", |x, y| (x as u32).rotate_left(y as u32 % 32).into()),
            ("rotr(x, y, 32)", |x, y| (x as u32).rotate_right(y as u32 % 32).into()),
            ("rotl(x, 64, 32) + 0*y", |x, _| (x as u32).into()),
            ("rotr(x, 0, 32) + 0*y", |x, _| (x as u32).into()),
            ("rotl(x, 5, 32) + 0*y", |x, _| (x as u32).rotate_left(5).into()),
            ("signed(x*y*y*y, 64)", |x, y| i128::from(x.wrapping_mul(y).wrapping_mul(y).wrapping_mul(y) as i64)),
            ("mulhi(x % 65536, y, 16)", |x, y| ((x % 65536) * y) >> 16),
            ("signed(x, 16) + 0*y", |x, _| (x as i16).into()),
            ("unsigned(x - y, 32)", |x, y| ((x - y) as u32).into()),
            ("signed(x*y, 8)", |x, y| x.wrapping_mul(y) as i8 as i128),
        ];
        for (text, exact) in functions {
            let program = parse(text, &[]).expect(text);
            for (x, y) in [(0, 0), (0x8000_0001, 31), (0xffff_ffff, 32), (0x1234_5678, 63), (77, 7), (40_000, 200)] {
                let ranges = [32, 8].map(Interval::unsigned);
                let found = program.integers_of(&[&[x], &[y]], &ranges).expect(text);
                assert_eq!(found[0], [exact(x, y)], "{text} of {x} and {y}");
            }
        }
        for text in ["rotl(x, 3)", "rotl(x, 3, 0)", "signed(x, 65)", "unsigned(x, y)", "mulhi(x, y, 16, 2)"] {
            assert!(parse(text, &[]).is_err(), "{text}");
        }
    }

    /// What other languages write is told what is written here, which is taken.
    #[test]
    fn names_have_letters_of_any_language() {
        for name in ["x", "_x1", "größe", "лет", "年齢", "xⅡ", "x_2"] {
            assert!(is_name(name) && parse(&format!("{name} + 1"), &[]).is_ok(), "{name}");
        }
        for text in ["", "1x", "x²", "x₁", "x½", "①", "x y", "x-y"] {
            assert!(!is_name(text), "{text}");
        }
    }

    #[test]
    fn what_others_write_otherwise() {
        for (text, instead) in [
            ("0x10 + x", "as 16 in place of 0x10, and 1000 of 1e3 or 1_000"),
            ("x + 0b1", "16 in place of 0x10, and 1000 of 1e3 or 1_000"),
            ("2*1e3*x", "1000 of 1e3 or 1_000"),
            ("1_000 + x", "1000 of 1e3 or 1_000"),
            ("2x", "an operator: a name has no spaces, and a product has its *"),
            ("0xy", "an operator: a name has no spaces, and a product has its *"),
            ("x << k", "shl(x, k)"),
            ("x >> k", "shr(x, k)"),
            ("x // y", "x/y"),
            ("x ** 2", "x^k"),
            ("x ^ k", "xor(x, y)"),
            ("x < y < z", "and(x < y, y < z)"),
            ("x & y", "and(x, y)"),
            ("(x > 3 and y > 2)", "and(x, y)"),
            ("x | y", "or(x, y)"),
            ("c ? x : y", "select(c, x, y)"),
            ("~x", "-1 - x"),
            ("!x", "not(x)"),
            ("not member", "not(x)"),
            ("member*(not x == 3)", "not(x)"),
            ("if c then x else y", "select(c, x, y)"),
            ("2*(if c > 3 then x else y)", "select(c, x, y)"),
            ("x if c else y", "select(c, x, y)"),
            ("yearly income*2", "an operator: a name has no spaces"),
            ("x³+1", "x^2 in place of x²"),
            ("2*(x⁴ - y)", "x^2 in place of x²"),
            ("x² = y", "x^2 in place of x²"),
            ("²", "x^2 in place of x²"),
            ("x₁ + x₂", "letters, digits 0 to 9 and _"),
            ("y = x½", "letters, digits 0 to 9 and _"),
            ("abs(x①)", "letters, digits 0 to 9 and _"),
        ] {
            let refused = parse(text, &[]).expect_err(text).to_string();
            assert!(refused.contains(instead), "{text}: {refused}");
            let is_form = instead.chars().all(|c| c.is_ascii_alphanumeric() || " (),<>/^-".contains(c));
            let form = instead.replace("x^k", "x^2");
            assert!(!is_form || parse(&form, &[]).is_ok(), "{form}");
        }
    }
}
