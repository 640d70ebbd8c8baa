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

use super::basis::Basis;
use super::digits::Shape;
use super::per_slot::{power_coefficients, row_coefficients};
use crate::ckks::tables::whole::{centred, half};
use crate::ckks::{SlotTables, TableParams, characters};
use crate::{CkksLutError, Lut, LutError};

/// Bits of the largest tables.
pub const MAX_BITS: u32 = 10;

/// A table's coefficients, encrypted.
#[derive(Clone)]
pub struct EncryptedTable {
    basis: Basis,
    out_modulus: u64,
    /// How many values have a table of their own, if each has.
    values: Option<usize>,
    /// If each has, those of ciphertext after ciphertext of values, and of each two parts.
    coefficients: Vec<SeededCiphertext>,
}

impl EncryptedTable {
    /// How a table of p entries is encrypted with a set: whole if the set evaluates such tables whole, by the
    /// digits of least predicted time if not.
    ///
    /// # Errors
    /// [`CkksLutError::EncryptedEntries`] for p above 2^[`MAX_BITS`], with the bytes that it would take;
    /// [`CkksLutError::EncryptedLevels`] if the set has not the levels for the digits of so many entries or more; as
    /// [`Basis::new`].
    pub fn basis(params: &TableParams, transforms: &Transforms, p: u64) -> Result<Basis, LutError> {
        let (max, level) = (1 << MAX_BITS, params.sums_level() + 2);
        if p > max {
            let bytes = p.saturating_mul(SeededCiphertext::bytes(params.ckks(), level));
            return Err(CkksLutError::EncryptedEntries { found: p, max, bytes }.into());
        }
        let fits = |p: u64| p <= params.literal().whole() || !Shape::all_with(params, p, 1).is_empty();
        if !(p..=max.min(1 << params.literal().bits)).any(fits) {
            let most = (2..p).rev().find(|&p| fits(p)).unwrap_or(2);
            return Err(CkksLutError::EncryptedLevels { found: p, most, params: params.name().into() }.into());
        }
        Basis::new(params, transforms, p, 1)
    }

    /// Encrypts a table.
    ///
    /// # Errors
    /// As [`Self::basis`]; what the scheme refuses.
    pub fn encrypt(
        params: &TableParams,
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
        Ok(Self { basis, out_modulus: table.out_modulus(), values: None, coefficients })
    }

    /// Encrypts a table for each value: twice the ciphertexts for each N values, those of both halves (of
    /// powers), or of the plaintexts A and B of [`varied`](super::varied).
    ///
    /// # Errors
    /// As [`Self::encrypt`].
    pub fn encrypt_slots(
        params: &TableParams,
        transforms: &Transforms,
        encoder: &Encoder,
        secret: &CkksSecretKey,
        tables: &SlotTables,
    ) -> Result<Self, LutError> {
        let basis = Self::basis(params, transforms, tables.in_modulus())?;
        let (levels, degree) = (basis.levels(params, transforms), params.capacity());
        let mut coefficients = Vec::new();
        let encrypt = |numbers: Vec<Complex64>, level| secret.encrypt_seeded(encoder, &numbers, level);
        for ciphertext in 0..tables.len().div_ceil(degree) {
            let mut parts = [Vec::new(), Vec::new()];
            match &basis {
                Basis::Whole(whole) => {
                    for (half, part) in parts.iter_mut().enumerate() {
                        for (j, &level) in levels.iter().enumerate() {
                            let numbers = power_coefficients(whole, tables, [degree, ciphertext, half], &[j]);
                            part.push(encrypt(numbers, level)?);
                        }
                    }
                }
                Basis::Digits(shape) => {
                    let width = shape.columns();
                    let factor = params.matrix_factor() / tables.out_modulus() as f64;
                    for a in 0..shape.rows() {
                        let [x, y] = row_coefficients(shape, tables, [degree, ciphertext], a..a + 1, factor);
                        for b in 0..width {
                            let of = |f: &dyn Fn(f64, f64) -> Complex64| {
                                let pairs = x.chunks_exact(width).zip(y.chunks_exact(width));
                                pairs.map(|(x, y)| f(x[b], y[b])).collect()
                            };
                            // What multiplies 1 is both halves; its second part is nothing.
                            let [direct, mirrored]: [Vec<Complex64>; 2] = match b {
                                0 => [of(&Complex64::new), vec![Complex64::ZERO; degree / 2]],
                                _ => [of(&|x, y| (0.5 * (x + y)).into()), of(&|x, y| (0.5 * (x - y)).into())],
                            };
                            let level = levels[a * width + b];
                            parts[0].push(encrypt(direct, level)?);
                            parts[1].push(encrypt(mirrored, level)?);
                        }
                    }
                }
            }
            coefficients.extend(parts.into_iter().flatten());
        }
        Ok(Self { basis, out_modulus: tables.out_modulus(), values: Some(tables.len()), coefficients })
    }

    /// How many values have a table of their own, if each has.
    #[must_use]
    pub fn values(&self) -> Option<usize> {
        self.values
    }

    /// Coefficient `i` for the values of a ciphertext: of one of their halves, or the direct and the mirrored
    /// part.
    pub(crate) fn part(&self, ciphertext: usize, part: usize, i: usize) -> &SeededCiphertext {
        match self.values {
            None => &self.coefficients[i],
            Some(_) => &self.coefficients[(2 * ciphertext + part) * self.basis.coefficients() + i],
        }
    }

    /// How many ciphertexts there are, for one table or for so many.
    fn count(params: &TableParams, basis: &Basis, values: Option<usize>) -> usize {
        basis.coefficients().saturating_mul(values.map_or(1, |values| 2 * values.div_ceil(params.capacity())))
    }

    /// One of its parts, each of the levels that [`Basis::levels`] says.
    ///
    /// # Errors
    /// [`CkksLutError::EncryptedCoefficients`] for another number of them.
    pub fn from_parts(
        params: &TableParams,
        basis: Basis,
        out_modulus: u64,
        values: Option<usize>,
        coefficients: Vec<SeededCiphertext>,
    ) -> Result<Self, LutError> {
        let (found, expected) = (coefficients.len(), Self::count(params, &basis, values));
        if found != expected {
            return Err(CkksLutError::EncryptedCoefficients { found, expected }.into());
        }
        Ok(Self { basis, out_modulus, values, coefficients })
    }

    /// The functions that its coefficients multiply.
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

    /// Bytes of one so encrypted table in memory, or of one for each of so many values.
    #[must_use]
    pub fn bytes(params: &TableParams, transforms: &Transforms, basis: &Basis, values: Option<usize>) -> u64 {
        let levels = basis.levels(params, transforms);
        let parts = (Self::count(params, basis, values) / levels.len()) as u64;
        parts.saturating_mul(levels.into_iter().map(|level| SeededCiphertext::bytes(params.ckks(), level)).sum())
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
fn by_digits(params: &TableParams, shape: &Shape, table: &Lut) -> Vec<Complex64> {
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
