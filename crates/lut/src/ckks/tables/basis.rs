//! The functions that a table is a sum of: powers of the point z of a message, or characters of its digits.
use bootes_schemes::ckks::bootstrap::Transforms;
use bootes_schemes::polyeval::{ArithmeticCircuit, Gate, PolynomialBasis};
use num_complex::Complex64;

use super::digits::Shape;
use crate::ckks::{Interpolation, TableParams, cost};
use crate::{CkksLutError, LutError};

/// The functions that the coefficients of a table multiply.
#[derive(Debug, Clone)]
pub enum Basis {
    /// Powers of z.
    Whole(Whole),
    /// Characters of digits.
    Digits(Shape),
}

/// The interpolation of any table.
#[derive(Debug, Clone)]
pub struct Whole {
    /// The interpolation of the table (1, 0, …, 0): c_j of another is c_j·Σ_k f(k)·exp(−2πijk/p).
    pub(crate) delta: Interpolation,
    /// Its constants name coefficients.
    pub(crate) circuit: ArithmeticCircuit,
}

impl Whole {
    fn new(params: &TableParams, p: u64) -> Result<Self, LutError> {
        let mut delta = vec![0.0; p as usize];
        delta[0] = 1.0;
        let delta = params.interpolation(&delta)?;
        let name = |(j, c): (usize, &Complex64)| if *c == Complex64::ZERO { *c } else { name_of(j) };
        let names: Vec<Complex64> = delta.coefficients().iter().enumerate().map(name).collect();
        Ok(Self { circuit: ArithmeticCircuit::polynomials(PolynomialBasis::Power, &[names]), delta })
    }
}

/// The constant that is coefficient j: neither 0 nor 1, which circuits leave out.
fn name_of(j: usize) -> Complex64 {
    Complex64::from((j + 2) as f64)
}

/// The coefficient that a constant is, if it is one.
pub(crate) fn named(c: Complex64) -> Option<usize> {
    (c.re >= 2.0).then(|| c.re as usize - 2)
}

impl Basis {
    /// For tables of p entries: whole if the set evaluates such tables whole, by the digits of least
    /// predicted time if not. Products of coefficients with columns take `row_levels`.
    ///
    /// # Errors
    /// [`CkksLutError::NoShape`] for a number of entries that is no product of digits; what circuits refuse.
    pub fn new(params: &TableParams, transforms: &Transforms, p: u64, row_levels: usize) -> Result<Self, LutError> {
        if p <= params.literal().whole() {
            return Ok(Self::Whole(Whole::new(params, p)?));
        }
        Ok(Self::Digits(cost::shapes_with(params, transforms, p, row_levels)?.swap_remove(0)))
    }

    /// By digits modulo these p_i, the characters of so many of which make columns; whole if there are none.
    ///
    /// # Errors
    /// [`CkksLutError::DigitShape`] for digits that the set has not the levels for; as [`Self::new`].
    pub fn of_digits(
        params: &TableParams,
        p: u64,
        digits: &[u64],
        factors: usize,
        row_levels: usize,
    ) -> Result<Self, LutError> {
        let most = params.literal().largest_digit();
        let refused =
            || LutError::Ckks(CkksLutError::DigitShape { entries: p as usize, digits: digits.to_vec(), most });
        if digits.is_empty() {
            return if p <= params.literal().whole() {
                Ok(Self::Whole(Whole::new(params, p)?))
            } else {
                Err(refused())
            };
        }
        let shape = Shape::new(params.literal(), digits, factors).map(|shape| shape.with_row_levels(row_levels));
        let fits = |shape: &Shape| {
            shape.entries() == p && shape.depth() <= params.table_levels() && digits.iter().all(|&p| p <= most)
        };
        Ok(Self::Digits(shape.filter(fits).ok_or_else(refused)?))
    }

    /// p.
    #[must_use]
    pub fn entries(&self) -> u64 {
        match self {
            Self::Whole(whole) => whole.delta.entries() as u64,
            Self::Digits(shape) => shape.entries(),
        }
    }

    /// How many coefficients there are.
    #[must_use]
    pub fn coefficients(&self) -> usize {
        match self {
            Self::Whole(whole) => whole.delta.coefficients().len(),
            Self::Digits(shape) => shape.entries() as usize,
        }
    }

    /// The level of each coefficient where it is a ciphertext: that of what it multiplies, or is added to.
    #[must_use]
    pub fn levels(&self, params: &TableParams, transforms: &Transforms) -> Vec<usize> {
        match self {
            Self::Whole(whole) => {
                let top = transforms.slots_level(params.ckks()) - params.circle_depth();
                let mut levels = vec![0; self.coefficients()];
                for (gate, below) in whole.circuit.gates().iter().zip(whole.circuit.latest()) {
                    if let Gate::Combination { terms, constant } = gate {
                        let level = top - below;
                        terms.iter().filter_map(|(_, c)| named(*c)).for_each(|j| levels[j] = level + 1);
                        named(*constant).into_iter().for_each(|j| levels[j] = level);
                    }
                }
                levels
            }
            Self::Digits(shape) => {
                let row = params.sums_level() + shape.summed().len();
                let level = |i: usize| if i.is_multiple_of(shape.columns()) { row } else { row + shape.row_levels() };
                (0..self.coefficients()).map(level).collect()
            }
        }
    }
}
