//! The slots beside the values of a vector that is not full: their content, and the operations that read them.
use super::{Node, Operation, Program};

/// An operation on slots that no value is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PaddingUse {
    /// `sum`, `rot` or `swap`; a `dot` is a `sum`.
    pub operation: &'static str,
    /// The value of each of these slots by then, never 0; `None` where it is not known.
    pub holds: Option<u64>,
}

impl Program {
    /// The operations that add slots beside the values of vectors that are not full, or move them among these, where
    /// such slots hold something other than 0, modulo `modulus`. `inputs` says what they hold of each input: `Some(0)`
    /// where it is fresh, `None` where nothing is known.
    ///
    /// A slot of 0 is c after x + c, T(0) after a table T, and 0 after a product with one of 0; a sum in every
    /// slot is not known. A slot that a value was moved to counts as one with a value: `sum(rot(x, 1))` adds the same
    /// as `sum(x)`.
    ///
    /// ```
    /// use bootes_lut::Program;
    /// let uses = |text| Program::parse(text, &[]).unwrap().padding_uses(&[Some(0)], 257);
    /// assert_eq!(uses("sum(x + 1)")[0].holds, Some(1));
    /// assert!(uses("sum(x*(x + 1)) + 1").is_empty());
    /// ```
    ///
    /// # Panics
    /// Unless there is one for each input.
    #[must_use]
    pub fn padding_uses(&self, inputs: &[Option<u64>], modulus: u64) -> Vec<PaddingUse> {
        assert_eq!(inputs.len(), self.inputs(), "inputs and what they hold");
        let reduced = |x: i128| x.rem_euclid(i128::from(modulus)) as u64;
        let mut held: Vec<Option<u64>> = Vec::with_capacity(self.operations().len());
        let mut uses: Vec<PaddingUse> = Vec::new();
        for operation in self.operations() {
            let of = |node: &Node| held[node.index()];
            let both = |a, b, f: fn(i128, i128) -> i128| Some(reduced(f(of(a)?.into(), of(b)?.into())));
            let (read, holds) = match operation {
                Operation::Input(i) => (None, inputs[*i]),
                Operation::Constant(c) => (None, Some(reduced(*c))),
                Operation::Sum(a, b) => (None, both(a, b, |a, b| a + b)),
                Operation::Difference(a, b) => (None, both(a, b, |a, b| a - b)),
                Operation::Product(a, b) if of(a) == Some(0) || of(b) == Some(0) => (None, Some(0)),
                Operation::Product(a, b) => (None, both(a, b, |a, b| a * b)),
                Operation::Rotation(x, _) => (Some(("rot", of(x))), of(x)),
                Operation::Exchange(x) => (Some(("swap", of(x))), of(x)),
                Operation::SumSlots(x) => (Some(("sum", of(x))), None),
                // Tables of other entries are refused where they are planned.
                // Refused with engine bfv, the only one with slots beside the values.
                Operation::TableOf(..) | Operation::Integers(..) | Operation::Pair(..) | Operation::Select { .. } => {
                    (None, None)
                }
                Operation::Table(x, i) => {
                    (None, of(x).and_then(|x| self.tables()[*i].values().get(x as usize).copied()))
                }
            };
            if let Some((operation, holds)) = read.filter(|(_, holds)| *holds != Some(0)) {
                let read = PaddingUse { operation, holds };
                if !uses.contains(&read) {
                    uses.push(read);
                }
            }
            held.push(holds);
        }
        uses
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lut;

    #[test]
    fn what_sums_add_beside_the_values_is_known() {
        let less = Lut::modular((0..17).map(|x| u64::from(x < 3)).collect(), 17).unwrap();
        let square = Lut::modular((0..17).map(|x| x * x % 17).collect(), 17).unwrap();
        let of = |text: &str, inputs: &[Option<u64>]| {
            let program = Program::parse(text, &[("less", &less), ("square", &square)]).unwrap();
            program.padding_uses(inputs, 17).iter().map(|read| (read.operation, read.holds)).collect::<Vec<_>>()
        };
        let fresh = [Some(0); 2];
        for text in ["sum(x)", "sum(3*x - x^3)", "sum(rot(x, 1))", "sum(x*less(x))", "sum(square(x))", "less(x) + 1"] {
            assert_eq!(of(text, &fresh[..1]), [], "{text}");
        }
        assert_eq!(of("dot(x + 1, y)", &fresh), []);
        // A product with ones takes what is beside them away.
        assert_eq!(of("sum(x*ones)", &[None, Some(0)]), []);
        assert_eq!(of("sum(x)", &[None]), [("sum", None)]);
        assert_eq!(of("sum(x + 1)", &fresh[..1]), [("sum", Some(1))]);
        assert_eq!(of("sum(2 - x*3)", &fresh[..1]), [("sum", Some(2))]);
        assert_eq!(of("dot(x - 1, y + 2)", &fresh), [("sum", Some(15))]);
        assert_eq!(of("sum(less(x)); sum(less(x) + 0*x)", &fresh[..1]), [("sum", Some(1))]);
        assert_eq!(of("rot(less(x), 1) + swap(x)", &fresh[..1]), [("rot", Some(1))]);
        assert_eq!(of("swap(x + 4)", &fresh[..1]), [("swap", Some(4))]);
        // A mean is in every slot.
        assert_eq!(of("sum(x - sum(x))", &fresh[..1]), [("sum", None)]);
    }
}
