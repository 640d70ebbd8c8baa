//! Encrypted tables: the server knows neither the table nor its inputs, but the number of entries, the moduli
//! and the digits.
//!
//! A table is P coefficients, of the characters of digits or of the powers of z ([`Basis`]); each is
//! encrypted for itself under the secret key, with a mask and noise of its own, at the level where it is
//! used. What multiplies ciphertexts of the input are then ciphertexts: a tensor product each, summed before
//! one relinearisation (appendix C of "Larger tables with CKKS"). In the basis of characters that takes a
//! level more than numbers do, for powers none more, since numbers take one there.
//!
//! **Security** is that of the ciphertexts, IND-CPA: an encrypted table is P fresh encryptions under the key
//! of all other ciphertexts, whatever its entries.
use std::fmt;

use bootes_schemes::ckks::bootstrap::Transforms;
use bootes_schemes::ckks::{CkksSecretKey, Encoder, SeededCiphertext};
use num_complex::Complex64;

use super::functional::{centred, half};
use super::large::Shape;
use super::varied::Basis;
use super::{BatchParams, characters};
use crate::{Lut, LutError};

/// Bits of the largest tables.
pub const MAX_BITS: u32 = 10;

/// A table's coefficients, encrypted.
#[derive(Clone)]
pub struct EncryptedTable {
    basis: Basis,
    out_modulus: u64,
    coefficients: Vec<SeededCiphertext>,
}

impl EncryptedTable {
    /// How a table of p entries is encrypted with a set: whole if the set evaluates such tables whole, by the
    /// digits of least predicted time if not.
    ///
    /// # Errors
    /// [`LutError::EncryptedEntries`] for p above 2^[`MAX_BITS`], with the bytes that it would take;
    /// [`LutError::EncryptedLevels`] if the set has not the levels for the digits of so many entries or more; as
    /// [`Basis::new`].
    pub fn basis(params: &BatchParams, transforms: &Transforms, p: u64) -> Result<Basis, LutError> {
        let (max, level) = (1 << MAX_BITS, params.sums_level() + 2);
        if p > max {
            let bytes = p.saturating_mul(SeededCiphertext::bytes(params.ckks(), level));
            return Err(LutError::EncryptedEntries { found: p, max, bytes });
        }
        let fits = |p: u64| p <= params.literal().whole() || !Shape::all_with(params, p, 1).is_empty();
        if !(p..=max.min(1 << params.literal().bits)).any(fits) {
            let most = (2..p).rev().find(|&p| fits(p)).unwrap_or(2);
            return Err(LutError::EncryptedLevels { found: p, most, params: params.name().into() });
        }
        Basis::new(params, transforms, p, 1)
    }

    /// Encrypts a table.
    ///
    /// # Errors
    /// As [`Self::basis`]; what the scheme refuses.
    pub fn encrypt(
        params: &BatchParams,
        transforms: &Transforms,
        encoder: &Encoder,
        secret: &CkksSecretKey,
        table: &Lut,
    ) -> Result<Self, LutError> {
        let basis = Self::basis(params, transforms, table.in_modulus())?;
        let numbers = match &basis {
            Basis::Whole(_) => {
                let mut numbers = half(&params.interpolation(&centred(table))?, table);
                // Zeros at the end are left out of interpolations.
                numbers.resize(basis.coefficients(), Complex64::ZERO);
                numbers
            }
            Basis::Digits(shape) => by_digits(params, shape, table),
        };
        let levels = basis.levels(params, transforms);
        let encrypt = |(number, level): (Complex64, usize)| secret.encrypt_seeded(encoder, &[number], level);
        let coefficients = numbers.into_iter().zip(levels).map(encrypt).collect::<Result<_, _>>()?;
        Ok(Self { basis, out_modulus: table.out_modulus(), coefficients })
    }

    /// One of its parts, of the levels that [`Basis::levels`] says.
    ///
    /// # Errors
    /// [`LutError::EncryptedCoefficients`] for another number of them.
    pub fn from_parts(basis: Basis, out_modulus: u64, coefficients: Vec<SeededCiphertext>) -> Result<Self, LutError> {
        let (found, expected) = (coefficients.len(), basis.coefficients());
        if found != expected {
            return Err(LutError::EncryptedCoefficients { found, expected });
        }
        Ok(Self { basis, out_modulus, coefficients })
    }

    /// What its coefficients multiply.
    #[must_use]
    pub fn shape(&self) -> &Basis {
        &self.basis
    }

    /// p'.
    #[must_use]
    pub fn out_modulus(&self) -> u64 {
        self.out_modulus
    }

    /// The coefficients.
    #[must_use]
    pub fn coefficients(&self) -> &[SeededCiphertext] {
        &self.coefficients
    }

    /// Bytes of so encrypted tables in memory.
    #[must_use]
    pub fn bytes(params: &BatchParams, transforms: &Transforms, basis: &Basis) -> u64 {
        let levels = basis.levels(params, transforms);
        levels.into_iter().map(|level| SeededCiphertext::bytes(params.ckks(), level)).sum()
    }
}

impl fmt::Debug for EncryptedTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (entries, out_modulus) = (self.basis.entries(), self.out_modulus);
        f.debug_struct("EncryptedTable")
            .field("entries", &entries)
            .field("out_modulus", &out_modulus)
            .finish_non_exhaustive()
    }
}

/// M_ab row after row, times the factor of slots; what multiplies 1 is for both halves, 1 + i.
fn by_digits(params: &BatchParams, shape: &Shape, table: &Lut) -> Vec<Complex64> {
    let factor = params.matrix_factor() / table.out_modulus() as f64;
    let values: Vec<f64> = centred(table).iter().map(|v| v * factor).collect();
    let sizes: Vec<usize> = shape.moduli().iter().map(|&p| p as usize).collect();
    let all = characters::coefficients(&values, &sizes);
    let columns = shape.columns();
    let number = |(i, place): (usize, usize)| {
        let first = i.is_multiple_of(columns);
        Complex64::new(all[place], if first { all[place] } else { 0.0 })
    };
    shape.places().enumerate().map(number).collect()
}
