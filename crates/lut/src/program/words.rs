//! Programs in words.
use std::fmt;

use super::{Node, Operation, PairOp, Program};
use crate::IntegerOp;

/// Characters of a program in words.
const LONGEST: usize = 200;

/// As [`Program::parse`] read it, or reads it; what is long is cut.
impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(text) = &self.text {
            let shown: String = text.chars().take(LONGEST).collect();
            return write!(f, "{shown}{}", if shown.len() < text.len() { "…" } else { "" });
        }
        let texts = self.texts();
        let outputs = self.outputs.iter().zip(&self.output_names).map(|(node, name)| match name {
            Some(name) => format!("{name} = {}", texts[node.0]),
            None => texts[node.0].clone(),
        });
        let outputs: Vec<String> = outputs.collect();
        f.write_str(&outputs.join("; "))
    }
}

impl Program {
    /// Every value in words.
    pub(crate) fn texts(&self) -> Vec<String> {
        let mut texts: Vec<String> = Vec::with_capacity(self.operations.len());
        for (number, operation) in self.operations.iter().enumerate() {
            let of = |node: &Node| texts[node.0].clone();
            let text = match operation {
                Operation::Input(i) => self.names[*i].clone(),
                Operation::Constant(c) => c.to_string(),
                Operation::Sum(a, b) => format!("({} + {})", of(a), of(b)),
                Operation::Difference(_, c) if self.is_negation(number) => format!("not({})", of(c)),
                Operation::Difference(a, b) => format!("({} - {})", of(a), of(b)),
                Operation::Product(a, b) => format!("{}*{}", of(a), of(b)),
                Operation::Rotation(x, by) => format!("rot({}, {by})", of(x)),
                Operation::Exchange(x) => format!("swap({})", of(x)),
                Operation::SumSlots(x) => format!("sum({})", of(x)),
                Operation::Table(x, table) => format!("{}({})", self.table_names[*table], of(x)),
                Operation::TableOf(operands, table) => {
                    let operands: Vec<String> = operands.iter().map(of).collect();
                    format!("{}({})", self.table_names[*table], operands.join(", "))
                }
                Operation::Integers(IntegerOp::Less, xy) => format!("({} < {})", of(&xy[0]), of(&xy[1])),
                Operation::Integers(IntegerOp::Equal, xy) => format!("({} == {})", of(&xy[0]), of(&xy[1])),
                Operation::Integers(op, operands) => {
                    format!("{op}({})", operands.iter().map(of).collect::<Vec<_>>().join(", "))
                }
                Operation::Pair(PairOp::Div, x, y) => format!("({}/{})", of(x), of(y)),
                Operation::Pair(PairOp::Rem, x, y) => format!("({} % {})", of(x), of(y)),
                Operation::Pair(PairOp::Shr, x, y) if self.operations[y.0] == Operation::Constant(0) => of(x),
                Operation::Pair(op, x, y) => format!("{op}({}, {})", of(x), of(y)),
                Operation::Select { condition, then, otherwise } => {
                    format!("select({}, {}, {})", of(condition), of(then), of(otherwise))
                }
            };
            // What is used again and again would double each time.
            let long = text.len() > LONGEST;
            texts.push(if long { "…".into() } else { text });
        }
        texts
    }
}
