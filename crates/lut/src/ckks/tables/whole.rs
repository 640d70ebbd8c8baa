//! Tables evaluated whole: the interpolations of one or more tables, as one circuit on the point z of a message.
//!
//! Tables are centred: with values in [−p'/2, p'/2) the noise that is proportional to them is least.
use bootes_schemes::polyeval::{ArithmeticCircuit, PolynomialBasis};
use num_complex::Complex64;

use crate::ckks::{Interpolation, TableParams};
use crate::{CkksLutError, Lut, LutError};

/// Tables prepared for evaluation on the same inputs.
#[derive(Debug)]
pub struct PreparedTables {
    in_modulus: u64,
    out_moduli: Vec<u64>,
    circuit: ArithmeticCircuit,
    interpolations: Vec<Interpolation>,
}

impl PreparedTables {
    /// Interpolates tables on Z_p, one or more, of equally many entries.
    ///
    /// # Errors
    /// [`CkksLutError::Tables`] if there is none, or their sizes differ or exceed the set's.
    pub fn new(params: &TableParams, tables: &[Lut]) -> Result<Self, LutError> {
        Self::with_order(params, tables, params.literal().order)
    }

    /// The same by interpolations of another order than the set's, which may need more levels.
    pub(crate) fn with_order(params: &TableParams, tables: &[Lut], order: u32) -> Result<Self, LutError> {
        let sizes: Vec<usize> = tables.iter().map(|table| table.values().len()).collect();
        let max = params.literal().whole() as usize;
        let Some(&entries) = sizes.first().filter(|&&p| p <= max && sizes.iter().all(|&size| size == p)) else {
            return Err(CkksLutError::Tables { found: sizes, max }.into());
        };
        let interpolate = |table| Interpolation::new(&centred(table), order);
        let interpolations = tables.iter().map(interpolate).collect::<Result<Vec<_>, LutError>>()?;
        let out_moduli: Vec<u64> = tables.iter().map(Lut::out_modulus).collect();
        let polynomials: Vec<_> = interpolations.iter().zip(tables).map(|(f, table)| half(f, table)).collect();
        let circuit = ArithmeticCircuit::polynomials(PolynomialBasis::Power, &polynomials);
        Ok(Self { in_modulus: entries as u64, out_moduli, circuit, interpolations })
    }

    /// Bytes that they take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let of = |interpolation: &Interpolation| size_of_val(interpolation.coefficients());
        self.circuit.bytes() + self.interpolations.iter().map(of).sum::<usize>()
    }

    /// p.
    #[must_use]
    pub fn in_modulus(&self) -> u64 {
        self.in_modulus
    }

    /// p' of each table.
    #[must_use]
    pub fn out_moduli(&self) -> &[u64] {
        &self.out_moduli
    }

    /// The interpolations of the centred tables.
    #[must_use]
    pub fn interpolations(&self) -> &[Interpolation] {
        &self.interpolations
    }

    /// The polynomials of z.
    #[must_use]
    pub fn circuit(&self) -> &ArithmeticCircuit {
        &self.circuit
    }
}

/// The entries in [−p'/2, p'/2).
pub(crate) fn centred(table: &Lut) -> Vec<f64> {
    table.values().iter().map(|&v| least(v, table.out_modulus()) as f64).collect()
}

/// The residue of `value` that is least in absolute value.
pub(crate) fn least(value: u64, modulus: u64) -> i64 {
    value as i64 - if 2 * value >= modulus { modulus as i64 } else { 0 }
}

/// The polynomial of z with the real part f/(2p'): half, since the conjugate is added.
pub(crate) fn half(interpolation: &Interpolation, table: &Lut) -> Vec<Complex64> {
    interpolation.coefficients().iter().map(|c| c / (2.0 * table.out_modulus() as f64)).collect()
}
