//! Sums and products with what is not encrypted.
use super::Encrypted;
use crate::error;
use crate::values::{Integers, integers};
use crate::work::interrupted;
use bootes::Ciphertexts;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// What stands beside it in a sum.
enum Operand<'a> {
    Encrypted(&'a Encrypted),
    Constant(i64),
    Constants(Vec<i64>),
}

impl Encrypted {
    fn operand<'a>(&self, other: &'a Bound<'_, PyAny>, what: &str) -> PyResult<Operand<'a>> {
        let py = other.py();
        if let Ok(other) = other.cast::<Self>() {
            let other = other.get();
            if other.shape != self.shape {
                let what = format!(
                    "shapes {:?} and {:?}: expected the same; encrypted arrays do not broadcast",
                    self.shape, other.shape
                );
                return Err(error::argument(py, what));
            }
            return Ok(Operand::Encrypted(other));
        }
        let of_shape = |shape: &[usize]| {
            error::argument(
                py,
                format!("{what} of shape {shape:?} beside shape {:?}: expected one for each value", self.shape),
            )
        };
        // Before they are read.
        if let Ok(shape) = other.getattr("shape").and_then(|shape| shape.extract::<Vec<usize>>()) {
            let is_alike = |(own, other): (&usize, &usize)| other == own || *other == 1;
            if shape.len() > self.shape.len() || !self.shape.iter().rev().zip(shape.iter().rev()).all(is_alike) {
                return Err(of_shape(&shape));
            }
        }
        let Integers { values, shape } = integers(other, &format!("{what} are"))?;
        if shape.is_empty() {
            return Ok(Operand::Constant(values[0]));
        }
        let whole = PyTuple::new(py, &self.shape)?;
        let numpy = py.import("numpy")?;
        let refused = |error: PyErr| match error.is_instance_of::<PyValueError>(py) {
            true => of_shape(&shape),
            // Ctrl-C, for one.
            false => error,
        };
        let all =
            numpy.call_method1("broadcast_to", (numpy.call_method1("asarray", (other,))?, whole)).map_err(refused)?;
        Ok(Operand::Constants(integers(&all, &format!("{what} are"))?.values.to_vec()))
    }

    /// self + other, or self − other.
    pub(super) fn plus(&self, other: &Bound<'_, PyAny>, minus: bool) -> PyResult<Self> {
        let operand = self.operand(other, "constants")?;
        let negated = |constant: i64| if minus { constant.checked_neg() } else { Some(constant) };
        let far = || error::argument(other.py(), "a constant of -2^63: expected integers of 64 bits with an opposite");
        let vector = interrupted(other.py(), || {
            Ok(match operand {
                Operand::Encrypted(other) if minus => Some(self.vector.sub(&other.vector)?),
                Operand::Encrypted(other) => Some(self.vector.add(&other.vector)?),
                Operand::Constant(constant) => negated(constant).map(|c| self.vector.add_constant(c)).transpose()?,
                Operand::Constants(constants) => {
                    let constants: Option<Vec<i64>> = constants.into_iter().map(negated).collect();
                    constants.map(|constants| self.vector.add_constants(&constants)).transpose()?
                }
            })
        })?;
        vector.map(|vector| self.like(vector)).ok_or_else(far)
    }

    pub(super) fn times(&self, factor: i64, py: Python<'_>) -> PyResult<Self> {
        Ok(self.like(interrupted(py, || self.vector.mul_small(factor))?))
    }

    /// Times an array of factors, one for each value.
    pub(super) fn times_each(&self, factors: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = factors.py();
        let all = match self.operand(factors, "factors")? {
            Operand::Constants(all) => all,
            Operand::Constant(factor) => return self.times(factor, py),
            Operand::Encrypted(_) => unreachable!("factors are numbers"),
        };
        Ok(self.like(interrupted(py, || self.vector.mul_constants(&all))?))
    }

    /// The sums over the first of two axes, or the last; of one axis the sum of all.
    pub(super) fn summed(&self, py: Python<'_>, first: bool) -> PyResult<Self> {
        let length = if first { self.shape[0] } else { self.shape[self.shape.len() - 1] };
        self.product(&crate::values::array(py, vec![1; length], &[length])?, first)
    }

    /// The product with a matrix from the left, or from the right, over the axis beside it.
    pub(super) fn product(&self, matrix: &Bound<'_, PyAny>, left: bool) -> PyResult<Self> {
        let py = matrix.py();
        let array = py.import("bootes._integers")?.call_method1("even", (matrix,))?;
        let array = if left { array } else { array.getattr("T")? };
        let shape: Vec<usize> = array.getattr("shape")?.extract()?;
        // A vector is a matrix of one row, whose axis is gone afterwards.
        let (rows, columns) = match shape[..] {
            [columns] => (None, columns),
            [rows, columns] => (Some(rows), columns),
            _ => return Err(error::argument(py, format!("a matrix of shape {shape:?}: expected one or two axes"))),
        };
        let (outer, inner) = match self.shape[..] {
            [inner] => (None, inner),
            [inner, outer] if left => (Some(outer), inner),
            [outer, inner] => (Some(outer), inner),
            _ => {
                return Err(error::argument(
                    py,
                    format!("an array of shape {:?}: expected one or two axes", self.shape),
                ));
            }
        };
        if columns != inner {
            return Err(error::argument(py, format!("a matrix for {columns} values beside {inner}: expected as many")));
        }
        let Integers { values, .. } = integers(&array, "a matrix is")?;
        let weights: Vec<&[i64]> = match columns {
            0 => vec![&[]; rows.unwrap_or(1)],
            _ => values.chunks(columns).collect(),
        };
        let vector = interrupted(py, || match outer {
            None => self.vector.linear_map(&weights),
            // A vector for each row of the array: a matrix across them.
            Some(outer) if left => {
                let parts = (0..inner).map(|i| self.vector.slice(i * outer..(i + 1) * outer));
                Ciphertexts::concat(&Ciphertexts::linear_columns(&parts.collect::<Result<Vec<_>, _>>()?, &weights)?)
            }
            Some(outer) => {
                let row = |i: usize| self.vector.slice(i * inner..(i + 1) * inner)?.linear_map(&weights);
                Ciphertexts::concat(&(0..outer).map(row).collect::<Result<Vec<_>, _>>()?)
            }
        })?;
        let shape = if left { [rows, outer] } else { [outer, rows] };
        Ok(Self::new(vector, shape.into_iter().flatten().collect()))
    }
}
