//! The distribution of the coefficients of a secret key.

use core::fmt;

/// How the coefficients of a secret key are distributed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyDistribution {
    /// Uniform on {0, 1}.
    Binary,
    /// Uniform on {−1, 0, 1}.
    Ternary,
    /// Blocks of `length` coefficients; a block is zero or a unit vector, uniformly among these `length + 1` choices.
    BlockBinary {
        /// Coefficients in a block, at least 1. The dimension of the key is a multiple of it.
        length: u32,
    },
}

impl KeyDistribution {
    /// The mean of one coefficient.
    pub fn mean(self) -> f64 {
        match self {
            Self::Binary => 0.5,
            Self::Ternary => 0.0,
            Self::BlockBinary { length } => 1.0 / (f64::from(length) + 1.0),
        }
    }

    /// The mean of the square of one coefficient.
    pub fn second_moment(self) -> f64 {
        match self {
            Self::Binary => 0.5,
            Self::Ternary => 2.0 / 3.0,
            Self::BlockBinary { length } => 1.0 / (f64::from(length) + 1.0),
        }
    }

    /// The variance of one coefficient. Two coefficients of one block are correlated: their covariance is −mean².
    pub fn variance(self) -> f64 {
        self.second_moment() - self.mean() * self.mean()
    }

    /// The Shannon entropy, in bits, of a key of `n` coefficients.
    ///
    /// An incomplete last block is not counted; [`KeyDistribution::accepts`] says whether there is one.
    pub fn entropy_bits(self, n: usize) -> f64 {
        match self {
            Self::Binary => n as f64,
            Self::Ternary => n as f64 * 3f64.log2(),
            Self::BlockBinary { length } => {
                let blocks = n.checked_div(length as usize).unwrap_or(0);
                blocks as f64 * (f64::from(length) + 1.0).log2()
            }
        }
    }

    /// The number of coefficients drawn together: the block length, or 1 where the coefficients are independent.
    pub fn block_length(self) -> usize {
        match self {
            Self::Binary | Self::Ternary => 1,
            Self::BlockBinary { length } => length as usize,
        }
    }

    /// The largest possible number of nonzero coefficients in a block of [`KeyDistribution::block_length`].
    ///
    /// It is 1 for every distribution here; in a key of n coefficients at most n / block_length() are nonzero.
    pub fn max_nonzero_per_block(self) -> usize {
        1
    }

    /// The mean number of nonzero coefficients in a key of `n` coefficients.
    pub fn mean_weight(self, n: usize) -> f64 {
        self.second_moment() * n as f64
    }

    /// Whether a key of `n` coefficients can have this distribution: whole blocks, of at least one coefficient.
    pub fn accepts(self, n: usize) -> bool {
        let length = self.block_length();
        length != 0 && n.is_multiple_of(length)
    }
}

impl fmt::Display for KeyDistribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Binary => f.write_str("binary"),
            Self::Ternary => f.write_str("ternary"),
            Self::BlockBinary { length } => write!(f, "block-binary (length {length})"),
        }
    }
}
