//! Lookup tables Z_p → Z_p', any moduli p and p' (not only powers of two).
use crate::{Interval, LutError, Plain};
use bootes_schemes::fhew::encoding::encode_modulo;

/// Largest input of a table that FHEW evaluates without decomposing its messages, in bits.
pub const MAX_BITS: u32 = 8;

/// Largest input of any table, and largest room of results that are integers, in bits: what evaluates it may hold less.
pub const MAX_TABLE_BITS: u32 = 20;

/// Largest output modulus of any table, in bits.
pub const MAX_RESIDUE_BITS: u32 = 32;

/// A table: entry i is the image of i. Its results are integers ([`Lut::new`]), whose range is that of the entries and
/// whose sums do not wrap, or residues ([`Lut::modular`]), whose sums wrap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lut {
    out_modulus: u64,
    /// The least integer that results may be, if they are integers in Z_{2^out_bits}, and not residues.
    least: Option<i64>,
    /// Residues.
    values: Vec<u64>,
}

impl Lut {
    /// A table on Z_p, p the number of entries, 2 ≤ p ≤ 2^20, whose results are integers with room for `out_bits` bits,
    /// 1 ≤ out_bits ≤ 20.
    ///
    /// Entries are 0 to 2^out_bits − 1; or, where some are negative, at most 2^out_bits integers from the least to the
    /// largest, or to 0 where none is above ([`Lut::bits_of`]). Where results are to be added, take so many bits that
    /// the sum fits: two tables of 6-bit entries have a sum of 7 bits. For sums modulo 2^out_bits there is
    /// [`Lut::modular`].
    ///
    /// ```
    /// # fn main() -> Result<(), bootes_lut::LutError> {
    /// # use bootes_lut::Lut;
    /// let halves = Lut::new((0..16).map(|x| x / 2 - 4).collect(), 3)?;
    /// assert_eq!(halves.image(None), (-4..=3).into());
    /// let modulo_7 = Lut::new((0..7).map(|x| 3 * x).collect(), 5)?;
    /// assert_eq!(modulo_7.image(None), (0..=18).into());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`LutError::Length`], [`LutError::OutBits`], [`LutError::Entry`]; `?` makes a `bootes::Error` of them where a
    /// function returns that.
    pub fn new<T: Plain>(values: Vec<T>, out_bits: u32) -> Result<Self, LutError> {
        let found = values.len();
        if !(2..=1 << MAX_TABLE_BITS).contains(&found) {
            return Err(LutError::Length { found });
        }
        if !(1..=MAX_TABLE_BITS).contains(&out_bits) {
            return Err(LutError::OutBits { found: out_bits, max: MAX_TABLE_BITS });
        }
        let size = 1i128 << out_bits;
        let least = values.iter().map(|v| v.to_i128()).fold(0, i128::min);
        let min = least.max(1 - size);
        let max = min + size - 1;
        let values: Vec<i128> = values.into_iter().map(Plain::to_i128).collect();
        match values.iter().position(|v| !(min..=max).contains(v)) {
            Some(index) => Err(LutError::Entry { index, value: values[index], min, max, out_bits }),
            None => {
                let values = values.into_iter().map(|v| v.rem_euclid(size) as u64).collect();
                Ok(Self { out_modulus: size as u64, least: Some(least as i64), values })
            }
        }
    }

    /// The fewest bits that entries of this range take in [`Lut::new`]: 0 is among the integers that there is room for.
    #[must_use]
    pub fn bits_of(entries: Interval) -> u32 {
        Interval { min: 0, max: entries.max.max(0) - entries.min.min(0) }.width().max(1)
    }

    /// A table on Z_p, p the number of entries, 2 ≤ p ≤ 2^20, into Z_p', 2 ≤ p' = `out_modulus` ≤ 2^32: sums of
    /// results wrap modulo p'. Entries are 0 to p' − 1, or −p' to −1 for the same residues.
    ///
    /// # Errors
    /// [`LutError::Modulus`], [`LutError::Residue`].
    pub fn modular<T: Plain>(values: Vec<T>, out_modulus: u64) -> Result<Self, LutError> {
        let p = values.len() as u64;
        let limits =
            [("entries (input modulus p)", p, MAX_TABLE_BITS), ("output modulus", out_modulus, MAX_RESIDUE_BITS)];
        for (what, found, max_bits) in limits {
            let max = 1 << max_bits;
            if !(2..=max).contains(&found) {
                return Err(LutError::Modulus { what, found, max });
            }
        }
        let size = i128::from(out_modulus);
        let residue = |(index, v): (usize, T)| match v.to_i128() {
            v if (-size..size).contains(&v) => Ok(v.rem_euclid(size) as u64),
            value => Err(LutError::Residue { index, value, out_modulus }),
        };
        let values = values.into_iter().enumerate().map(residue).collect::<Result<_, _>>()?;
        Ok(Self { out_modulus, least: None, values })
    }

    /// A fixed table without structure on `bits`-bit integers: what plans and parameter searches take for "any table".
    pub fn unstructured(bits: u32) -> Self {
        Self::unstructured_modulo(1 << bits)
    }

    /// A fixed table without structure on Z_p.
    pub fn unstructured_modulo(p: u64) -> Self {
        Self { out_modulus: p, least: None, values: unstructured(p).collect() }
    }

    /// Input modulus p.
    pub fn in_modulus(&self) -> u64 {
        self.values.len() as u64
    }

    /// Output modulus p'.
    pub fn out_modulus(&self) -> u64 {
        self.out_modulus
    }

    /// Input bits, ⌈log2 p⌉.
    pub fn in_bits(&self) -> u32 {
        self.values.len().next_power_of_two().ilog2()
    }

    /// Output bits, ⌈log2 p'⌉.
    pub fn out_bits(&self) -> u32 {
        self.out_modulus.next_power_of_two().ilog2()
    }

    /// The entries, as residues modulo p'.
    pub fn values(&self) -> &[u64] {
        &self.values
    }

    /// The entries.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = i64> {
        self.shifted().map(|v| v as i64 + self.least())
    }

    /// Entry number `index`.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn entry(&self, index: usize) -> i64 {
        let (value, least) = (self.values[index] as i64, self.least());
        least + (value - least).rem_euclid(self.out_modulus as i64)
    }

    /// The entries less the least that results may be, 0 to p' − 1.
    pub(crate) fn shifted(&self) -> impl ExactSizeIterator<Item = u64> {
        let least = self.least().rem_euclid(self.out_modulus as i64) as u64;
        self.values.iter().map(move |&v| if v < least { v + self.out_modulus - least } else { v - least })
    }

    /// The least that results may be.
    pub(crate) fn least(&self) -> i64 {
        self.least.unwrap_or(0)
    }

    /// Whether results are integers, whose sums do not wrap, and not residues.
    pub fn gives_integers(&self) -> bool {
        self.least.is_some()
    }

    /// The same with results that are integers, 0 to p' − 1 where they were residues.
    #[must_use]
    pub fn of_integers(&self) -> Self {
        match self.least {
            Some(_) => self.clone(),
            None => Self { out_modulus: self.out_modulus.next_power_of_two(), least: Some(0), ..self.clone() },
        }
    }

    /// The same on integers of a range in Z_{2^bits}: a table with an entry for each residue, negacyclic (one rotation)
    /// where the integers leave the upper half free.
    ///
    /// # Errors
    /// [`LutError::Domain`] unless there is an entry for each integer; [`LutError::LongIntegers`] for more than 8 bits.
    pub fn on_integers(&self, integers: Interval, bits: u32) -> Result<Self, LutError> {
        check_domain(self.in_modulus(), integers)?;
        if bits > MAX_BITS {
            return Err(LutError::LongIntegers { bits });
        }
        let mut values = self.values.clone();
        values.resize(1 << bits, 0);
        let (low, high) = values.split_at_mut(1 << (bits - 1));
        if integers.max < low.len() as i128 {
            low.iter().zip(high).for_each(|(low, high)| *high = (self.out_modulus - low) % self.out_modulus);
        }
        Ok(Self { values, ..self.clone() })
    }

    /// The range of the entries for these inputs, or of all.
    pub fn image(&self, inputs: Option<Interval>) -> Interval {
        image(self.entries(), inputs)
    }

    /// The entries as torus elements v·2^64/p'.
    pub fn encoded(&self) -> Vec<u64> {
        self.values.iter().map(|&v| torus(v.into(), self.out_modulus)).collect()
    }

    /// Whether f(i + p/2) = −f(i) modulo p': such a table needs one rotation.
    pub fn is_negacyclic(&self) -> bool {
        let (low, high) = self.values.split_at(self.values.len() / 2);
        low.len() == high.len() && low.iter().zip(high).all(|(a, b)| (a + b) % self.out_modulus == 0)
    }
}

/// Refuses integers without an entry.
pub(crate) fn check_domain(entries: u64, integers: Interval) -> Result<(), LutError> {
    let domain = Interval { min: 0, max: i128::from(entries) - 1 };
    if domain.holds(integers) { Ok(()) } else { Err(LutError::Domain { entries, integers }) }
}

/// The range of the entries for inputs that have one, or of all.
fn image(entries: impl ExactSizeIterator<Item = i64>, inputs: Option<Interval>) -> Interval {
    let count = entries.len();
    let inputs = inputs.map_or(0..count, |inputs| inputs.min as usize..inputs.max as usize + 1);
    let reached = if inputs.end <= count { inputs } else { 0..count };
    Interval::of(entries.skip(reached.start).take(reached.len())).unwrap_or(Interval { min: 0, max: 0 })
}

/// p residues modulo p, fixed and without structure.
pub(crate) fn unstructured(p: u64) -> impl Iterator<Item = u64> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    (0..p).map(move |_| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        ((u128::from(state) * u128::from(p)) >> 64) as u64
    })
}

/// ⌊v·2^64/modulus⌉ modulo 2^64.
pub(crate) fn torus(value: i128, modulus: u64) -> u64 {
    encode_modulo(value.rem_euclid(modulus.into()) as u64, modulus)
}
