//! Programs of residues as programs of integers.
use super::{Operation, Program};

impl Program {
    /// The text that it was read from.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// The same of integers, each result modulo p: of residues modulo p from 0 on it gives the same. Of sums,
    /// differences and products that were read from text; there is none of others.
    ///
    /// ```
    /// use bootes_lut::Program;
    /// let program = Program::parse("x*y; d = x - 3*y", &[]).unwrap();
    /// assert_eq!(program.modulo(256).unwrap().to_string(), "x*y % 256; d = (x - 3*y) % 256");
    /// ```
    #[must_use]
    pub fn modulo(&self, p: u64) -> Option<Self> {
        use Operation::{Constant, Difference, Input, Product, Sum};
        let is_arithmetic = |operation: &Operation| {
            matches!(operation, Input(_) | Constant(_) | Sum(..) | Difference(..) | Product(..))
        };
        if !self.operations.iter().all(is_arithmetic) {
            return None;
        }
        let result = |text: &str| {
            let (name, body) = text.split_once('=').map_or(("", text), |(name, body)| (name.trim(), body));
            let (body, is) = (body.trim(), if name.is_empty() { "" } else { " = " });
            let body = if body.contains(['+', '-']) { format!("({body})") } else { body.into() };
            format!("{name}{is}{body} % {p}")
        };
        let results: Vec<String> = self.text()?.split(';').map(result).collect();
        let program = Self::parse(&results.join("; "), &[]).ok()?;
        (program.names == self.names && program.output_names == self.output_names).then_some(program)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;

    #[test]
    fn residues_are_integers_modulo_their_number() {
        for text in ["x*y", "x - y", "-x; x^5*y + 3", "d = x - 2*y; d*d - x", "x*(y - x)^3 - 7*x; x"] {
            let program = Program::parse(text, &[]).unwrap();
            let inputs: [Vec<i128>; 2] = [vec![0, 3, 6, 5], vec![6, 0, 5, 1]];
            let inputs = &[&inputs[0][..], &inputs[1][..]][..program.inputs()];
            for p in [7, 8, 10] {
                let made = program.modulo(p).unwrap();
                let residues = vec![Kind::Residues(p); program.inputs()];
                let integers = vec![Kind::Integers((0..=i128::from(p) - 1).into()); program.inputs()];
                let expected = program.plain(inputs, &residues).unwrap();
                assert_eq!(made.plain(inputs, &integers).unwrap(), expected, "{text} modulo {p}");
            }
        }
        for text in ["x/y", "max(x, y)", "rot(x, 1)", "x < y"] {
            assert!(Program::parse(text, &[]).unwrap().modulo(8).is_none(), "{text}");
        }
    }
}
