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
    /// Exactly `weight`/2 coefficients +1, `weight`/2 coefficients −1, the others 0, uniformly among these keys.
    SparseTernary {
        /// The number of nonzero coefficients: even, at least 2, at most the dimension of the key.
        weight: u32,
    },
}

impl KeyDistribution {
    /// The mean of one coefficient.
    pub fn mean(self) -> f64 {
        match self {
            Self::Binary => 0.5,
            Self::Ternary | Self::SparseTernary { .. } => 0.0,
            Self::BlockBinary { length } => 1.0 / (f64::from(length) + 1.0),
        }
    }

    /// The mean of the square of one coefficient of a key of `n`, which matters for [`Self::SparseTernary`] only: weight/n.
    pub fn second_moment(self, n: usize) -> f64 {
        match self {
            Self::Binary => 0.5,
            Self::Ternary => 2.0 / 3.0,
            Self::BlockBinary { length } => 1.0 / (f64::from(length) + 1.0),
            Self::SparseTernary { weight } => f64::from(weight) / n as f64,
        }
    }

    /// The variance of one coefficient of a key of `n`. Two coefficients of one block are correlated: their covariance is
    /// −mean². Two of a sparse key have covariance −weight/(n(n − 1)), as its sum is 0.
    pub fn variance(self, n: usize) -> f64 {
        self.second_moment(n) - self.mean() * self.mean()
    }

    /// The Shannon entropy, in bits, of a key of `n` coefficients.
    ///
    /// An incomplete last block is not counted, and a key that cannot be has none; [`KeyDistribution::accepts`] tells.
    /// Sparse: log2( C(n, w/2)·C(n − w/2, w/2) ) = Σ_{i < w} log2(n − i) − 2·Σ_{i ≤ w/2} log2(i) for the weight w.
    pub fn entropy_bits(self, n: usize) -> f64 {
        match self {
            Self::Binary => n as f64,
            Self::Ternary => n as f64 * 3f64.log2(),
            Self::BlockBinary { length } => {
                let blocks = n.checked_div(length as usize).unwrap_or(0);
                blocks as f64 * (f64::from(length) + 1.0).log2()
            }
            Self::SparseTernary { weight } if self.accepts(n) => {
                let places: f64 = (0..weight as usize).map(|i| ((n - i) as f64).log2()).sum();
                let orders: f64 = (1..=weight / 2).map(|i| f64::from(i).log2()).sum();
                places - 2.0 * orders
            }
            Self::SparseTernary { .. } => 0.0,
        }
    }

    /// The number of coefficients of a block, 1 where there are none.
    pub fn block_length(self) -> usize {
        match self {
            Self::Binary | Self::Ternary | Self::SparseTernary { .. } => 1,
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
        self.second_moment(n) * n as f64
    }

    /// Whether a coefficient can be −1.
    pub fn is_signed(self) -> bool {
        matches!(self, Self::Ternary | Self::SparseTernary { .. })
    }

    /// Whether a key of `n` coefficients can have this distribution: whole blocks, of at least one coefficient; an even
    /// weight from 2 to n.
    pub fn accepts(self, n: usize) -> bool {
        match self {
            Self::Binary | Self::Ternary => true,
            Self::BlockBinary { length } => length != 0 && n.is_multiple_of(length as usize),
            Self::SparseTernary { weight } => weight >= 2 && weight.is_multiple_of(2) && weight as usize <= n,
        }
    }
}

impl fmt::Display for KeyDistribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Binary => f.write_str("binary"),
            Self::Ternary => f.write_str("ternary"),
            Self::BlockBinary { length } => write!(f, "block-binary (length {length})"),
            Self::SparseTernary { weight } => write!(f, "sparse-ternary (weight {weight})"),
        }
    }
}
