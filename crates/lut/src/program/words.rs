//! Programs in words.
use std::fmt;

use super::{Kind, Node, Operation, PairOp, Program};
use crate::table::MAX_TABLE_BITS;
use crate::{IntegerOp, Interval};

/// The table that makes a residue an integer, which nobody writes.
pub(crate) const RESIDUE: &str = "residue";

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
        self.in_words(false)
    }

    /// Every value as somebody would write it.
    pub(super) fn as_written(&self) -> Vec<String> {
        self.in_words(true)
    }

    /// Whether a table is the one of [`RESIDUE`], and not somebody's of that name.
    fn is_residue(&self, table: usize) -> bool {
        let values = self.tables[table].values();
        self.table_names[table] == RESIDUE && values.iter().enumerate().all(|(i, &value)| value == i as u64)
    }

    fn in_words(&self, as_written: bool) -> Vec<String> {
        let is_constant = |node: &Node| matches!(self.operations[node.0], Operation::Constant(_));
        let is_zero = |node: &Node| self.operations[node.0] == Operation::Constant(0);
        let mut texts: Vec<String> = Vec::with_capacity(self.operations.len());
        for (number, operation) in self.operations.iter().enumerate() {
            let of = |node: &Node| texts[node.0].clone();
            // Of a function.
            let given = |node: &Node| if as_written { alone(&texts[node.0]).to_string() } else { of(node) };
            let text = match operation {
                Operation::Input(i) => self.names[*i].clone(),
                Operation::Constant(c) => c.to_string(),
                Operation::Table(x, table) if self.is_residue(*table) => of(x),
                Operation::Difference(zero, c) if as_written && is_zero(zero) && is_constant(c) => {
                    format!("-{}", of(c))
                }
                Operation::Difference(zero, x) if as_written && is_zero(zero) => format!("(-{})", of(x)),
                Operation::Sum(a, b) => format!("({} + {})", of(a), of(b)),
                Operation::Difference(_, c) if self.is_negation(number) => format!("not({})", given(c)),
                Operation::Difference(a, b) => format!("({} - {})", of(a), of(b)),
                Operation::Product(a, b) => format!("{}*{}", of(a), of(b)),
                Operation::Rotation(x, by) => format!("rot({}, {by})", given(x)),
                Operation::Exchange(x) => format!("swap({})", given(x)),
                Operation::SumSlots(x) => format!("sum({})", given(x)),
                Operation::Table(x, table) => format!("{}({})", self.table_names[*table], given(x)),
                Operation::TableOf(operands, table) => {
                    let operands: Vec<String> = operands.iter().map(given).collect();
                    format!("{}({})", self.table_names[*table], operands.join(", "))
                }
                Operation::Integers(IntegerOp::Less, xy) => format!("({} < {})", of(&xy[0]), of(&xy[1])),
                Operation::Integers(IntegerOp::Equal, xy) => format!("({} == {})", of(&xy[0]), of(&xy[1])),
                Operation::Integers(op, operands) => {
                    format!("{op}({})", operands.iter().map(given).collect::<Vec<_>>().join(", "))
                }
                Operation::Pair(PairOp::Div, x, y) => format!("({}/{})", of(x), of(y)),
                Operation::Pair(PairOp::Rem, x, y) => format!("({} % {})", of(x), of(y)),
                Operation::Pair(PairOp::Shr, x, y) if self.operations[y.0] == Operation::Constant(0) => of(x),
                Operation::Pair(op, x, y) => format!("{op}({}, {})", given(x), given(y)),
                Operation::Select { condition, then, otherwise } => {
                    format!("select({}, {}, {})", given(condition), given(then), given(otherwise))
                }
            };
            // What is used again and again would double each time.
            let long = text.len() > LONGEST;
            texts.push(if long { "…".into() } else { text });
        }
        texts
    }
}

impl Program {
    /// What there is instead of a table of several integers: one of the number that they are together, if there are as
    /// many entries.
    pub(super) fn of_one_number(
        &self,
        operands: &[Node],
        table: &str,
        kinds: &[Kind],
        texts: &[String],
    ) -> Option<String> {
        let range = |node: &Node| kinds.get(node.index())?.range();
        let ranges = operands.iter().map(range).collect::<Option<Vec<Interval>>>()?;
        let bits: Vec<u32> =
            ranges.iter().map(|range| (range.max - range.min).checked_ilog2().map_or(0, |b| b + 1)).collect();
        let all: u32 = bits.iter().sum();
        if all > MAX_TABLE_BITS {
            let each = MAX_TABLE_BITS / operands.len() as u32;
            return Some(format!(
                "of these integers there are combinations of {all} bits, and a table has 2^{MAX_TABLE_BITS} entries \
                 at most: take shorter ones{}",
                if each == 0 {
                    String::new()
                } else {
                    format!(", as {} % {} is", texts[operands[0].index()], 1u64 << each)
                }
            ));
        }
        let (mut terms, mut parts, mut below, mut first) = (Vec::new(), Vec::new(), all, 0i128);
        // Sums of integers that functions make of residues would be read as residues again: such have letters.
        let letters: Vec<String> = ('a'..='z').map(String::from).take(operands.len()).collect();
        let (called, named) = match self.of_integers {
            true => (letters.iter().collect(), format!(" {}", letters.join(", "))),
            false => (operands.iter().map(|node| &texts[node.index()]).collect::<Vec<_>>(), String::new()),
        };
        for ((text, range), bits) in called.into_iter().zip(ranges).zip(bits) {
            below -= bits;
            first = range.min.checked_mul(1 << below).and_then(|min| min.checked_add(first))?;
            terms.push(if below == 0 { text.clone() } else { format!("{}*{text}", 1u64 << below) });
            let quotient = if below == 0 { "v".to_string() } else { format!("v/{}", 1u64 << below) };
            parts.push(match bits {
                0 => range.min.to_string(),
                _ if parts.is_empty() => plus(quotient, range.min),
                _ => plus(format!("{quotient} % {}", 1u64 << bits), range.min),
            });
        }
        if all == 0 {
            return Some("these are constants: write the entry itself".into());
        }
        let (sum, parts, entries) = (plus(terms.join(" + "), -first), parts.join(", "), 1u64 << all.max(1));
        Some(format!(
            "of these integers{named} take {table}({sum}), a table of {entries} entries, of which number v is the \
             entry of {parts}"
        ))
    }
}

/// The same without parentheses around all of it.
pub(super) fn alone(text: &str) -> &str {
    let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    inner.filter(|inner| is_balanced(inner)).unwrap_or(text)
}

/// Whether each parenthesis is closed after it was opened.
fn is_balanced(text: &str) -> bool {
    let depth = |depth: usize, c| match c {
        '(' => Some(depth + 1),
        ')' => depth.checked_sub(1),
        _ => Some(depth),
    };
    text.chars().try_fold(0, depth) == Some(0)
}

/// A number more or less.
fn plus(text: String, more: i128) -> String {
    match more {
        0 => text,
        1.. => format!("{text} + {more}"),
        _ => format!("{text} - {}", -more),
    }
}
