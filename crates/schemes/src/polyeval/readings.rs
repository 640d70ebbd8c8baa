//! The values that circuits are read on.
use core::convert::Infallible;
use core::ops::Index;

use num_complex::Complex64;
use thiserror::Error;

use super::{ArithmeticCircuit, Gate, Id, Minus};
use crate::scalar::Scalar;

/// An interpreter of circuits: the values, and how a gate makes one of others.
pub trait Reading<T> {
    /// A value.
    type Value;
    /// Why a gate cannot be read.
    type Error;

    /// Whether the reading makes the values of inline gates ([`ArithmeticCircuit::inline`]) itself, where it
    /// reads them.
    const MAKES_INLINE: bool = false;

    /// The value of gate `id`, of those that it reads.
    ///
    /// # Errors
    /// The reading's refusals.
    fn gate(&mut self, id: Id, gate: &Gate<T>, made: &Made<Self::Value>) -> Result<Self::Value, Self::Error>;
}

/// The values of a circuit that are made and not freed.
#[derive(Debug)]
pub struct Made<V>(Vec<Option<V>>);

impl<V> Made<V> {
    /// A value, if it is there.
    #[must_use]
    pub fn get(&self, id: Id) -> Option<&V> {
        self.0[id.index()].as_ref()
    }
}

impl<V> Index<Id> for Made<V> {
    type Output = V;

    /// # Panics
    /// If the value is not there.
    fn index(&self, id: Id) -> &V {
        self.get(id).expect("a value is alive until its last use")
    }
}

impl<T: Scalar> ArithmeticCircuit<T> {
    /// All values, one a gate.
    ///
    /// # Errors
    /// The first that the reading returns.
    pub fn read<R: Reading<T>>(&self, reading: &mut R) -> Result<Vec<R::Value>, R::Error> {
        let mut made = Made(Vec::with_capacity(self.gates().len()));
        for (i, gate) in self.gates().iter().enumerate() {
            let value = reading.gate(Id(i), gate, &made)?;
            made.0.push(Some(value));
        }
        Ok(made.0.into_iter().flatten().collect())
    }

    /// The outputs. Values are freed after their last use; those of inline gates are not made here if the
    /// reading makes them itself ([`Reading::MAKES_INLINE`]). `progress` hears after each gate how many of how
    /// many are done.
    ///
    /// # Errors
    /// The first that the reading returns.
    pub fn run<R: Reading<T>>(
        &self,
        reading: &mut R,
        mut progress: impl FnMut(usize, usize),
    ) -> Result<Vec<R::Value>, R::Error>
    where
        R::Value: Clone,
    {
        let (inline, last_use, count) = (self.inline(), self.last_use(), self.gates().len());
        let mut made = Made((0..count).map(|_| None).collect());
        for (i, gate) in self.gates().iter().enumerate() {
            if !(R::MAKES_INLINE && inline[i]) {
                made.0[i] = Some(reading.gate(Id(i), gate, &made)?);
            }
            for (value, _) in made.0.iter_mut().zip(&last_use).filter(|(_, last)| **last == i) {
                *value = None;
            }
            progress(i + 1, count);
        }
        Ok(self.outputs().iter().map(|&id| made[id].clone()).collect())
    }
}

/// Complex numbers: the specification of circuits of CKKS.
#[derive(Debug, Clone, Copy)]
pub struct ComplexReading<'a>(
    /// The inputs.
    pub &'a [Complex64],
);

impl Reading<Complex64> for ComplexReading<'_> {
    type Value = Complex64;
    type Error = Infallible;

    fn gate(&mut self, _: Id, gate: &Gate, made: &Made<Complex64>) -> Result<Complex64, Infallible> {
        let at = |id: &Id| made[*id];
        Ok(match gate {
            Gate::Input(i) => self.0[*i],
            Gate::Product { a, b, doubled, minus } => {
                let product = at(a) * at(b) * if *doubled { 2.0 } else { 1.0 };
                match minus {
                    Minus::Nothing => product,
                    Minus::One => product - 1.0,
                    Minus::Value(c) => product - at(c),
                }
            }
            Gate::Combination { terms, constant } => terms.iter().map(|(x, c)| c * at(x)).sum::<Complex64>() + constant,
            Gate::SumOfProducts { products, addends } => {
                products.iter().map(|(a, b)| at(a) * at(b)).chain(addends.iter().map(at)).sum()
            }
            Gate::ExactDivision { dividend, divisor } => at(dividend) / *divisor as f64,
        })
    }
}

impl ArithmeticCircuit {
    /// All values at complex inputs, one a gate.
    ///
    /// # Panics
    /// If there are fewer inputs than the circuit has.
    #[must_use]
    pub fn values(&self, inputs: &[Complex64]) -> Vec<Complex64> {
        let Ok(values) = self.read(&mut ComplexReading(inputs));
        values
    }

    /// The outputs at complex inputs.
    ///
    /// # Panics
    /// If there are fewer inputs than the circuit has.
    #[must_use]
    pub fn eval(&self, inputs: &[Complex64]) -> Vec<Complex64> {
        let values = self.values(inputs);
        self.outputs().iter().map(|id| values[id.index()]).collect()
    }
}

/// An integer modulo p^`exponent`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Residue {
    /// The least such integer that is not negative.
    pub value: u64,
    /// e ≥ 1.
    pub exponent: u32,
}

/// Integers modulo powers of a prime p: the specification of circuits of BFV and BGV.
///
/// Inputs are modulo p^e; an exact division by p^k gives a value modulo p^(e−k). Values of one gate have one
/// modulus.
#[derive(Debug, Clone, Copy)]
pub struct ResidueReading<'a> {
    /// The inputs, of any residues.
    pub inputs: &'a [u64],
    /// p.
    pub prime: u64,
    /// e, with p^e < 2^62.
    pub exponent: u32,
}

/// Why a circuit has no value on integers modulo p^e.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ResidueError {
    /// A value that should be divided is no multiple.
    #[error("value {value} of gate {gate} is no multiple of {divisor}; remove its lowest digit first")]
    NotDivisible {
        /// The gate that divides.
        gate: usize,
        /// The dividend.
        value: u64,
        /// The divisor.
        divisor: u64,
    },
    /// A divisor that is no power of p, or leaves no modulus.
    #[error("gate {gate} divides a value modulo {prime}^{exponent} by {divisor}; expected a smaller power of {prime}")]
    Divisor {
        /// The gate.
        gate: usize,
        /// The divisor.
        divisor: u64,
        /// p.
        prime: u64,
        /// e of the dividend.
        exponent: u32,
    },
    /// Values modulo different powers meet.
    #[error("gate {gate} reads values modulo {prime}^{} and {prime}^{}; divide both alike first", .exponents[0], .exponents[1])]
    Moduli {
        /// The gate.
        gate: usize,
        /// p.
        prime: u64,
        /// Both exponents.
        exponents: [u32; 2],
    },
}

impl Reading<i64> for ResidueReading<'_> {
    type Value = Residue;
    type Error = ResidueError;

    fn gate(&mut self, id: Id, gate: &Gate<i64>, made: &Made<Residue>) -> Result<Residue, ResidueError> {
        let (prime, number) = (self.prime, id.index());
        let exponent = match gate.reads().as_slice() {
            [] => self.exponent,
            [(first, _), others @ ..] => {
                let exponent = made[*first].exponent;
                if let Some(other) = others.iter().map(|(id, _)| made[*id].exponent).find(|&other| other != exponent) {
                    return Err(ResidueError::Moduli { gate: number, prime, exponents: [exponent, other] });
                }
                exponent
            }
        };
        let modulus = i128::from(prime.pow(exponent));
        let at = |id: &Id| i128::from(made[*id].value);
        let product = |(a, b): &(Id, Id)| at(a) * at(b) % modulus;
        let value = match gate {
            Gate::Input(i) => i128::from(self.inputs[*i]),
            Gate::Product { a, b, doubled, minus } => {
                let product = product(&(*a, *b)) * if *doubled { 2 } else { 1 };
                match minus {
                    Minus::Nothing => product,
                    Minus::One => product - 1,
                    Minus::Value(c) => product - at(c),
                }
            }
            Gate::Combination { terms, constant } => {
                let term = |(x, c): &(Id, i64)| i128::from(*c) * at(x) % modulus;
                terms.iter().map(term).sum::<i128>() + i128::from(*constant)
            }
            Gate::SumOfProducts { products, addends } => {
                products.iter().map(product).chain(addends.iter().map(at)).sum()
            }
            Gate::ExactDivision { dividend, divisor } => {
                let (value, divisor) = (made[*dividend].value, *divisor);
                let power = (0..exponent).find(|&k| prime.pow(k) == divisor);
                let power = power.ok_or(ResidueError::Divisor { gate: number, divisor, prime, exponent })?;
                if value % divisor != 0 {
                    return Err(ResidueError::NotDivisible { gate: number, value, divisor });
                }
                return Ok(Residue { value: value / divisor, exponent: exponent - power });
            }
        };
        Ok(Residue { value: value.rem_euclid(modulus) as u64, exponent })
    }
}
