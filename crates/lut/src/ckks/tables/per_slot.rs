//! A table a value: value number i of a vector is evaluated by table number i.
//!
//! Coefficients of tables become plaintexts, one for each of the P functions of an input that tables are
//! combinations of (appendix C of "Larger tables with CKKS"). The slots of a plaintext are made of the tables
//! when it is needed, and forgotten.
use std::f64::consts::TAU;
use std::fmt;
use std::ops::Range;

use bootes_ring::sample::{MaskSeed, MaskStream};
use num_complex::Complex64;
use rayon::prelude::*;

use crate::{CkksLutError, LutError};

use super::basis::Whole;
use super::digits::Shape;
use crate::ckks::characters::Character;
use crate::ckks::functional::slot;

/// Bits of the largest tables.
pub const MAX_BITS: u32 = 12;

/// Tables on Z_p onto Z_p', one for each value of a vector, 2 bytes an entry.
///
/// Their coefficients are rounded by chance. Who chooses a table for each slot could otherwise make the coefficients of
/// a plaintext all miss by nearly ½ in one direction, N/π in a slot, where chance makes of it √N. Chance is SHA-256 of
/// the tables: results stay the same wherever they are computed.
#[derive(Clone, PartialEq, Eq)]
pub struct SlotTables {
    entries: usize,
    out_modulus: u64,
    values: Vec<u16>,
    dither: MaskSeed,
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
    /// [`CkksLutError::SlotEntries`] for p below 2 or above 2^[`MAX_BITS`], with the bytes that they take;
    /// [`CkksLutError::SlotLength`] unless there are whole tables, at least one; [`LutError::Modulus`] for p'
    /// below 2 or above 2^16; [`CkksLutError::SlotResidue`] for an entry that is not below p'.
    pub fn new(values: Vec<u16>, entries: usize, out_modulus: u64) -> Result<Self, LutError> {
        if !(2..=1 << MAX_BITS).contains(&entries) {
            return Err(CkksLutError::SlotEntries {
                found: entries,
                max: 1 << MAX_BITS,
                bytes: 2 * values.len() as u64,
            }
            .into());
        }
        if values.is_empty() || !values.len().is_multiple_of(entries) {
            return Err(CkksLutError::SlotLength { found: values.len(), entries }.into());
        }
        if !(2..=1 << 16).contains(&out_modulus) {
            return Err(LutError::Modulus { what: "output modulus", found: out_modulus, max: 1 << 16 });
        }
        match values.iter().position(|&v| u64::from(v) >= out_modulus) {
            Some(at) => Err(CkksLutError::SlotResidue {
                table: at / entries,
                entry: at % entries,
                value: values[at].into(),
                out_modulus,
            }
            .into()),
            None => {
                let dither = dither(entries, out_modulus, &values);
                Ok(Self { entries, out_modulus, values, dither })
            }
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

    /// The randomness that the coefficients of plaintext `number` are rounded with.
    pub(crate) fn dither(&self, number: u64) -> MaskStream {
        MaskStream::new(&self.dither, number)
    }

    /// Bytes of all.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        2 * self.values.len() as u64
    }

    /// For the values of one half of ciphertext number `ciphertext`, of degree N, in the order of slots,
    /// `width` numbers each: what `make` writes for the entries of their tables, centred and in this order;
    /// zeros where there is no table.
    pub(crate) fn by_slot<T: Clone + Default + Send>(
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

/// The seed of what tables' coefficients are rounded with.
fn dither(entries: usize, out_modulus: u64, values: &[u16]) -> MaskSeed {
    let mut bytes = [0; 4096];
    let mut hash = MaskSeed::hashing("tables of slots");
    hash.update(&[entries as u64, out_modulus].map(u64::to_le_bytes).concat());
    for values in values.chunks(bytes.len() / 2) {
        bytes.chunks_exact_mut(2).zip(values).for_each(|(out, v)| out.copy_from_slice(&v.to_le_bytes()));
        hash.update(&bytes[..2 * values.len()]);
    }
    hash.seed()
}

/// `factor`·M_ab for some a and all b, of the table of every slot of both halves of ciphertext number
/// `ciphertext`, of degree N.
pub(crate) fn row_coefficients(
    shape: &Shape,
    tables: &SlotTables,
    [degree, ciphertext]: [usize; 2],
    rows: Range<usize>,
    factor: f64,
) -> [Vec<f64>; 2] {
    let width = shape.columns();
    let size = |i: usize| shape.moduli()[i] as usize;
    // Digits of a number, or of an input, and the characters that are numbered by them.
    let place = |m: usize, digits: &[usize]| digits.iter().rev().fold(0, |at, &i| at * size(i) + shape.digit(i, m));
    let duals = |digits: &[usize], mut a: usize, inputs: &[usize]| -> Vec<f64> {
        let mut product = vec![1.0; inputs.len()];
        for &i in digits {
            let phi = Character::all(size(i)).nth(a % size(i)).expect("one of p characters");
            product.iter_mut().zip(inputs).for_each(|(x, &m)| *x *= phi.dual(size(i), shape.digit(i, m)));
            a /= size(i);
        }
        product
    };
    // Inputs by what is summed, and then by column.
    let mut order = vec![0; shape.entries() as usize];
    (0..order.len()).for_each(|m| order[place(m, shape.summed()) * width + place(m, shape.factors())] = m);
    let firsts: Vec<usize> = order.iter().step_by(width).copied().collect();
    let weights: Vec<Vec<f64>> =
        rows.map(|a| duals(shape.summed(), a, &firsts).into_iter().map(|w| factor * w).collect()).collect();
    let columns: Vec<Vec<f64>> = (0..width).map(|b| duals(shape.factors(), b, &order[..width])).collect();
    let make = |table: &[f64], out: &mut [f64]| {
        let mut sums = vec![0.0; width];
        for (out, weights) in out.chunks_exact_mut(width).zip(&weights) {
            sums.fill(0.0);
            for (line, w) in table.chunks_exact(width).zip(weights) {
                sums.iter_mut().zip(line).for_each(|(sum, f)| *sum += f * w);
            }
            for (out, column) in out.iter_mut().zip(&columns) {
                *out = column.iter().zip(&sums).map(|(d, s)| d * s).sum();
            }
        }
    };
    [0, 1].map(|half| tables.by_slot(degree, ciphertext, half, &order, weights.len() * width, make))
}

/// These coefficients of the table of every slot of half `half` of ciphertext number `ciphertext`, of degree
/// N, halved as those of [`PreparedTables`](crate::ckks::PreparedTables).
pub(crate) fn power_coefficients(
    whole: &Whole,
    tables: &SlotTables,
    [degree, ciphertext, half]: [usize; 3],
    names: &[usize],
) -> Vec<Complex64> {
    let (delta, p) = (&whole.delta, whole.delta.entries());
    let row = |&j: &usize| {
        let c = delta.coefficients()[j] / (2.0 * tables.out_modulus() as f64);
        (0..p).map(|k| c * Complex64::cis(-TAU * (j * k % p) as f64 / p as f64)).collect::<Vec<_>>()
    };
    let rows: Vec<Vec<Complex64>> = names.iter().map(row).collect();
    let order: Vec<usize> = (0..p).collect();
    tables.by_slot(degree, ciphertext, half, &order, names.len(), |table, out: &mut [Complex64]| {
        for (out, row) in out.iter_mut().zip(&rows) {
            *out = row.iter().zip(table).map(|(w, f)| w * f).sum();
        }
    })
}
