//! Lookup tables Z_{2^in_bits} → Z_{2^out_bits}.
use crate::LutError;

/// Largest input of a table, in bits.
pub const MAX_BITS: u32 = 8;

/// A table: entry i is the image of i.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lut {
    in_bits: u32,
    out_bits: u32,
    values: Vec<u64>,
}

impl Lut {
    /// A table of 2^in_bits entries, 1 ≤ in_bits ≤ 8; as many output bits as the largest entry needs.
    pub fn new(values: Vec<u64>) -> Result<Self, LutError> {
        let out_bits = values.iter().map(|v| u64::BITS - v.leading_zeros()).max().unwrap_or(0).max(1);
        Self::with_out_bits(values, out_bits)
    }

    /// A table with `out_bits` output bits, 1 ≤ out_bits ≤ 12.
    pub fn with_out_bits(values: Vec<u64>, out_bits: u32) -> Result<Self, LutError> {
        let found = values.len();
        if !found.is_power_of_two() || !(2..=1 << MAX_BITS).contains(&found) {
            return Err(LutError::Length { found });
        }
        if !(1..=12).contains(&out_bits) {
            return Err(LutError::OutBits { found: out_bits, max: 12 });
        }
        let max = (1u64 << out_bits) - 1;
        match values.iter().position(|&v| v > max) {
            Some(index) => Err(LutError::Entry { index, value: values[index], max, out_bits }),
            None => Ok(Self { in_bits: found.ilog2(), out_bits, values }),
        }
    }

    /// Input bits.
    pub fn in_bits(&self) -> u32 {
        self.in_bits
    }

    /// Output bits.
    pub fn out_bits(&self) -> u32 {
        self.out_bits
    }

    /// The entries.
    pub fn values(&self) -> &[u64] {
        &self.values
    }

    /// The entries as torus elements v·2^(64−out_bits).
    pub fn encoded(&self) -> Vec<u64> {
        self.values.iter().map(|v| v << (64 - self.out_bits)).collect()
    }

    /// Whether f(i + p/2) = −f(i) modulo 2^out_bits: such a table needs one rotation.
    pub fn is_negacyclic(&self) -> bool {
        let (low, high) = self.values.split_at(self.values.len() / 2);
        let modulus = 1u64 << self.out_bits;
        low.iter().zip(high).all(|(a, b)| (a + b) % modulus == 0)
    }
}
