//! A table a value: value number i of a vector is evaluated by table number i.
//!
//! Coefficients of tables become plaintexts, one for each of the P functions of an input that tables are
//! combinations of (appendix C of "Larger tables with CKKS"). The slots of a plaintext are made of the tables
//! when it is needed, and forgotten.
use std::fmt;

use rayon::prelude::*;

use crate::LutError;

use super::functional::slot;

/// Bits of the largest tables.
pub const MAX_BITS: u32 = 12;

/// Tables on Z_p onto Z_p', one for each value of a vector, 2 bytes an entry.
#[derive(Clone, PartialEq, Eq)]
pub struct SlotTables {
    entries: usize,
    out_modulus: u64,
    values: Vec<u16>,
}

impl fmt::Debug for SlotTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (entries, count) = (self.entries, self.len());
        f.debug_struct("SlotTables").field("entries", &entries).field("tables", &count).finish_non_exhaustive()
    }
}

impl SlotTables {
    /// Tables of p = `entries` entries modulo p' = `out_modulus` ≤ 2^16, table after table.
    ///
    /// # Errors
    /// [`LutError::SlotEntries`] for p below 2 or above 2^[`MAX_BITS`], with the bytes that they take;
    /// [`LutError::SlotLength`] unless there are whole tables, at least one; [`LutError::Modulus`] for p'
    /// below 2 or above 2^16; [`LutError::SlotResidue`] for an entry that is not below p'.
    pub fn new(values: Vec<u16>, entries: usize, out_modulus: u64) -> Result<Self, LutError> {
        if !(2..=1 << MAX_BITS).contains(&entries) {
            return Err(LutError::SlotEntries { found: entries, max: 1 << MAX_BITS, bytes: 2 * values.len() as u64 });
        }
        if values.is_empty() || !values.len().is_multiple_of(entries) {
            return Err(LutError::SlotLength { found: values.len(), entries });
        }
        if !(2..=1 << 16).contains(&out_modulus) {
            return Err(LutError::Modulus { what: "output modulus", found: out_modulus, max: 1 << 16 });
        }
        match values.iter().position(|&v| u64::from(v) >= out_modulus) {
            Some(at) => Err(LutError::SlotResidue {
                table: at / entries,
                entry: at % entries,
                value: values[at].into(),
                out_modulus,
            }),
            None => Ok(Self { entries, out_modulus, values }),
        }
    }

    /// p.
    #[must_use]
    pub fn in_modulus(&self) -> u64 {
        self.entries as u64
    }

    /// p'.
    #[must_use]
    pub fn out_modulus(&self) -> u64 {
        self.out_modulus
    }

    /// How many tables there are, at least one.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "there is a table at least")]
    pub fn len(&self) -> usize {
        self.values.len() / self.entries
    }

    /// The entries of a table, if it is there.
    #[must_use]
    pub fn table(&self, number: usize) -> Option<&[u16]> {
        self.values.chunks_exact(self.entries).nth(number)
    }

    /// Bytes of all.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        2 * self.values.len() as u64
    }

    /// For the values of one half of ciphertext number `ciphertext`, of degree N, in the order of slots,
    /// `width` numbers each: what `make` writes for the entries of their tables, centred and in this order;
    /// zeros where there is no table.
    pub(super) fn by_slot<T: Clone + Default + Send>(
        &self,
        degree: usize,
        ciphertext: usize,
        half: usize,
        order: &[usize],
        width: usize,
        make: impl Fn(&[f64], &mut [T]) + Sync,
    ) -> Vec<T> {
        let mut all = vec![T::default(); degree / 2 * width];
        let half_modulus = self.out_modulus.div_ceil(2);
        let modulus = self.out_modulus as f64;
        let centred = |v: u16| f64::from(v) - if u64::from(v) >= half_modulus { modulus } else { 0.0 };
        all.par_chunks_mut(width).enumerate().for_each_init(Vec::new, |values, (i, out)| {
            let number = ciphertext * degree + half * degree / 2 + slot(degree, i).0;
            if let Some(table) = self.table(number) {
                values.clear();
                values.extend(order.iter().map(|&m| centred(table[m])));
                make(values, out);
            }
        });
        all
    }
}
