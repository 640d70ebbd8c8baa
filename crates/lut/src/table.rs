//! Lookup tables Z_p → Z_p', any moduli p and p' (not only powers of two).
use crate::LutError;
use bootes_schemes::fhew::encoding::encode_modulo;

/// Largest input of a table that one bootstrap evaluates, in bits.
pub const MAX_BITS: u32 = 8;

/// Largest output modulus.
pub const MAX_OUT_BITS: u32 = 12;

/// Largest messages of the sets of wide words, in bits.
pub const MAX_WIDE_BITS: u32 = 16;

/// Largest input of a table that is evaluated on many values at once, in bits.
pub const MAX_BATCH_BITS: u32 = 14;

/// A table: entry i is the image of i.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lut {
    out_modulus: u64,
    values: Vec<u64>,
}

impl Lut {
    /// A table of 2^in_bits entries, 1 ≤ in_bits ≤ 8; as many output bits as the largest entry needs.
    pub fn new(values: Vec<u64>) -> Result<Self, LutError> {
        let out_bits = values.iter().map(|v| u64::BITS - v.leading_zeros()).max().unwrap_or(0).max(1);
        Self::with_out_bits(values, out_bits)
    }

    /// A table of 2^in_bits entries with `out_bits` output bits, 1 ≤ out_bits ≤ 12.
    pub fn with_out_bits(values: Vec<u64>, out_bits: u32) -> Result<Self, LutError> {
        let found = values.len();
        if !found.is_power_of_two() || !(2..=1 << MAX_BITS).contains(&found) {
            return Err(LutError::Length { found });
        }
        if !(1..=MAX_OUT_BITS).contains(&out_bits) {
            return Err(LutError::OutBits { found: out_bits, max: MAX_OUT_BITS });
        }
        let max = (1u64 << out_bits) - 1;
        match values.iter().position(|&v| v > max) {
            Some(index) => Err(LutError::Entry { index, value: values[index], max, out_bits }),
            None => Ok(Self { out_modulus: 1 << out_bits, values }),
        }
    }

    /// A table on Z_p, p the number of entries, 2 ≤ p ≤ 256, into Z_p', 2 ≤ p' = `out_modulus` ≤ 4096.
    ///
    /// # Errors
    /// [`LutError::Modulus`], [`LutError::Residue`].
    pub fn modular(values: Vec<u64>, out_modulus: u64) -> Result<Self, LutError> {
        Self::residues(values, out_modulus, [1 << MAX_BITS, 1 << MAX_OUT_BITS])
    }

    /// A table on Z_p with values in Z_p, p the number of entries, 2 ≤ p ≤ 2^16: messages of the sets of wide words.
    ///
    /// # Errors
    /// [`LutError::Modulus`], [`LutError::Residue`].
    pub fn wide(values: Vec<u64>) -> Result<Self, LutError> {
        let p = values.len() as u64;
        Self::residues(values, p, [1 << MAX_WIDE_BITS; 2])
    }

    /// A table on Z_p, p the number of entries, 2 ≤ p ≤ 2^14, into Z_p', 2 ≤ p' = `out_modulus` ≤ 2^32: for evaluation on many values at once.
    ///
    /// # Errors
    /// [`LutError::Modulus`], [`LutError::Residue`].
    pub fn batch(values: Vec<u64>, out_modulus: u64) -> Result<Self, LutError> {
        Self::residues(values, out_modulus, [1 << MAX_BATCH_BITS, 1 << 32])
    }

    fn residues(values: Vec<u64>, out_modulus: u64, [max_in, max_out]: [u64; 2]) -> Result<Self, LutError> {
        let p = values.len() as u64;
        for (what, found, max) in [("entries (input modulus p)", p, max_in), ("output modulus", out_modulus, max_out)] {
            if !(2..=max).contains(&found) {
                return Err(LutError::Modulus { what, found, max });
            }
        }
        match values.iter().position(|&v| v >= out_modulus) {
            Some(index) => Err(LutError::Residue { index, value: values[index], out_modulus }),
            None => Ok(Self { out_modulus, values }),
        }
    }

    /// A fixed table without structure on `bits`-bit integers: what plans and parameter searches take for "any table".
    pub fn unstructured(bits: u32) -> Self {
        Self::unstructured_modulo(1 << bits)
    }

    /// A fixed table without structure on Z_p.
    pub fn unstructured_modulo(p: u64) -> Self {
        Self { out_modulus: p, values: unstructured(p).collect() }
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

    /// The entries.
    pub fn values(&self) -> &[u64] {
        &self.values
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
