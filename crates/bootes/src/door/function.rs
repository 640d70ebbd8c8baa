//! Functions that can be evaluated.
use crate::{
    ComplexTable, Continuous, EncryptedTable, Engine, Error, IntegerOp, Lut, LutError, MultivariateLut, Operation,
    Program, SlotTables,
};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// A function of encrypted integers, for [`Server::plan`](crate::Server::plan): most are made by `into()`.
///
/// ```
/// # fn main() -> Result<(), bootes::Error> {
/// use bootes::{Function, IntegerOp, Lut};
/// let table = Lut::modular(vec![1, 0], 2)?;
/// for (function, operands) in [((&table).into(), 1), (IntegerOp::Max.into(), 2), (Function::Widen(3), 1)] {
///     assert_eq!(Function::operands(&function), operands);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Function {
    /// A table. Engine fhew evaluates one of more than 256 entries on the digits of integers, and gives integers.
    Table(Lut),
    /// A table by the algorithm of this name ([`algorithms`](crate::algorithms)), with engine fhew.
    TableBy(Lut, String),
    /// A table of several values, an operand each.
    Multivariate(Arc<MultivariateLut>),
    /// Several tables of the same values, a vector of results each.
    Tables(Vec<Lut>),
    /// A table a value: that of number i for value i of the vector, with engine ckks.
    PerSlot(Arc<SlotTables>),
    /// A table that the server does not know, with engine ckks.
    Encrypted(EncryptedTable),
    /// A table of complex numbers: real and imaginary parts, a vector each.
    Complex(ComplexTable),
    /// A function of integers.
    Integers(IntegerOp),
    /// A continuous function, whose results are approximate, with engine fhew.
    Continuous(Continuous),
    /// The same values with room for so many bits: integers, with engine ckks residues.
    Widen(u32),
    /// Digits of so many bits of values that are not negative, the lowest first: a vector each.
    Digits(u32),
    /// Sums, products, tables and functions of several values: of residues and integers with engines fhew and ckks, of
    /// vectors modulo p, with their rotations, with engine bfv.
    Program(Arc<Program>),
}

impl Function {
    /// The number of operands.
    pub fn operands(&self) -> usize {
        match self {
            Self::Multivariate(table) => table.sizes().len(),
            Self::Integers(op) => op.operands(),
            Self::Program(program) => program.inputs(),
            _ => 1,
        }
    }

    /// The engines that have it.
    pub fn engines(&self) -> &'static [Engine] {
        match self {
            Self::Table(_) | Self::Tables(_) => &[Engine::Fhew, Engine::Ckks, Engine::Bfv],
            Self::Complex(_) | Self::Multivariate(_) | Self::Integers(_) | Self::Widen(_) | Self::Digits(_) => {
                &[Engine::Fhew, Engine::Ckks]
            }
            Self::TableBy(..) | Self::Continuous(_) => &[Engine::Fhew],
            Self::PerSlot(_) | Self::Encrypted(_) => &[Engine::Ckks],
            Self::Program(program) => {
                let operations = program.operations();
                match operations.iter().any(Operation::is_of_integers) {
                    _ if operations.iter().any(Operation::moves) => &[Engine::Bfv],
                    true => &[Engine::Fhew, Engine::Ckks],
                    false => &[Engine::Bfv, Engine::Fhew, Engine::Ckks],
                }
            }
        }
    }

    pub(crate) fn name(&self) -> String {
        self.to_string()
    }

    /// Entries of all its tables; `None` for what is planned in no time, or is larger than its plan.
    pub(crate) fn entries(&self) -> Option<usize> {
        match self {
            Self::Table(lut) | Self::TableBy(lut, _) => Some(lut.values().len()),
            Self::Tables(luts) => Some(luts.iter().map(|lut| lut.values().len()).sum()),
            Self::Multivariate(table) => Some(table.lut().values().len()),
            Self::Integers(_) => Some(0),
            _ => None,
        }
    }

    /// The number of results, if that is known before.
    pub(crate) fn results(&self) -> Option<usize> {
        match self {
            Self::Tables(luts) => Some(luts.len()),
            Self::Complex(_) => Some(2),
            Self::Program(program) => Some(program.outputs().len()),
            Self::Digits(_) => None,
            _ => Some(1),
        }
    }
}

/// In words: those that [`Function::from_str`] reads of a function of integers or a program.
impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Table(_) => f.write_str("a table"),
            Self::TableBy(_, algorithm) => f.write_str(algorithm),
            Self::Tables(luts) => write!(f, "{} tables", luts.len()),
            Self::Multivariate(table) => write!(f, "a table of {} values", table.sizes().len()),
            Self::PerSlot(tables) => write!(f, "tables of one value each, {} in all", tables.len()),
            Self::Encrypted(_) => f.write_str("an encrypted table"),
            Self::Complex(_) => f.write_str("a table of complex numbers"),
            Self::Integers(op) => write!(f, "{op}"),
            Self::Continuous(_) => f.write_str("a continuous function"),
            Self::Widen(bits) => write!(f, "widening to {bits} bits"),
            Self::Digits(bits) => write!(f, "digits of {bits} bits"),
            Self::Program(program) => write!(f, "{program}"),
        }
    }
}

fn unknown(name: &str) -> Error {
    LutError::UnknownOp { name: name.into(), others: ", widen:K, digits:K" }.into()
}

/// From text: a function of integers by its name ([`IntegerOp`]), `widen:B` and `digits:B` of B bits, or else
/// expressions on vectors ([`Program::parse`]), of more than a name. Blanks around it are left out.
///
/// ```
/// # fn main() -> Result<(), bootes::Error> {
/// use bootes::{Function, IntegerOp};
/// assert!(matches!("floor:3".parse()?, Function::Integers(IntegerOp::Floor(3))));
/// assert!(matches!("digits:2".parse()?, Function::Digits(2)));
/// assert_eq!("x*y + 3*rot(x, 1)".parse::<Function>()?.operands(), 2);
/// let error = "maximum".parse::<Function>().unwrap_err().to_string();
/// assert!(error.contains("expected sign, less") && error.ends_with("add, sub, widen:K, digits:K or floor:K"));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`Error::Lut`].
impl FromStr for Function {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let text = text.trim();
        let is_name = |c: char| c.is_alphabetic() || c.is_ascii_digit() || matches!(c, '_' | ':');
        let has_number = ["floor:", "widen:", "digits:"].iter().any(|name| text.starts_with(name));
        if !has_number && !text.chars().all(is_name) {
            return Ok(Program::parse(text, &[])?.into());
        }
        let bits = |name: &str| text.strip_prefix(name)?.strip_prefix(':')?.parse().ok();
        Ok(match (bits("widen"), bits("digits")) {
            (Some(bits), _) => Self::Widen(bits),
            (_, Some(bits)) => Self::Digits(bits),
            _ => Self::Integers(text.parse().map_err(|_| unknown(text))?),
        })
    }
}

impl From<Lut> for Function {
    fn from(lut: Lut) -> Self {
        Self::Table(lut)
    }
}

impl From<&Lut> for Function {
    fn from(lut: &Lut) -> Self {
        Self::Table(lut.clone())
    }
}

impl From<&[Lut]> for Function {
    fn from(luts: &[Lut]) -> Self {
        Self::Tables(luts.to_vec())
    }
}

impl From<Vec<Lut>> for Function {
    fn from(luts: Vec<Lut>) -> Self {
        Self::Tables(luts)
    }
}

impl From<MultivariateLut> for Function {
    fn from(table: MultivariateLut) -> Self {
        Self::Multivariate(Arc::new(table))
    }
}

impl From<&MultivariateLut> for Function {
    fn from(table: &MultivariateLut) -> Self {
        Self::Multivariate(Arc::new(table.clone()))
    }
}

impl From<SlotTables> for Function {
    fn from(tables: SlotTables) -> Self {
        Self::PerSlot(Arc::new(tables))
    }
}

impl From<EncryptedTable> for Function {
    fn from(table: EncryptedTable) -> Self {
        Self::Encrypted(table)
    }
}

/// Tables that are evaluated several times, without a copy.
impl From<Arc<SlotTables>> for Function {
    fn from(tables: Arc<SlotTables>) -> Self {
        Self::PerSlot(tables)
    }
}

/// Without a copy of the coefficients.
impl From<&EncryptedTable> for Function {
    fn from(table: &EncryptedTable) -> Self {
        Self::Encrypted(table.clone())
    }
}

impl From<&ComplexTable> for Function {
    fn from(table: &ComplexTable) -> Self {
        Self::Complex(table.clone())
    }
}

impl From<Program> for Function {
    fn from(program: Program) -> Self {
        Self::Program(Arc::new(program))
    }
}

impl From<&Program> for Function {
    fn from(program: &Program) -> Self {
        Self::Program(Arc::new(program.clone()))
    }
}

impl From<IntegerOp> for Function {
    fn from(op: IntegerOp) -> Self {
        Self::Integers(op)
    }
}

impl From<Continuous> for Function {
    fn from(function: Continuous) -> Self {
        Self::Continuous(function)
    }
}

impl From<&Continuous> for Function {
    fn from(function: &Continuous) -> Self {
        Self::Continuous(function.clone())
    }
}

impl From<&Self> for Function {
    fn from(function: &Self) -> Self {
        function.clone()
    }
}
