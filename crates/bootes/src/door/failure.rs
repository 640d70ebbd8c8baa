//! The promise on failures.

/// The failure probability that an evaluation keeps, per value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureTarget {
    /// 2^-128: the default.
    Two128,
    /// 2^-64: faster.
    Two64,
}

impl FailureTarget {
    /// Both targets.
    pub const ALL: [Self; 2] = [Self::Two128, Self::Two64];

    /// Its base-2 logarithm.
    pub fn log2(self) -> i32 {
        match self {
            Self::Two128 => -128,
            Self::Two64 => -64,
        }
    }
}

/// The exponent of a probability in tenths, rounded up.
pub(crate) fn towards_worse(log2: f64) -> f64 {
    (log2 * 10.0).ceil() / 10.0
}
