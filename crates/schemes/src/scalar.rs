//! What multiplies values in circuits and linear maps.
use core::fmt::Debug;
use core::ops::{Add, Mul, Sub};

use num_complex::Complex64;

/// A constant of a circuit or a linear map: an element of a commutative ring.
///
/// Complex numbers are those of CKKS. Integers are those of BFV and BGV, whose values are integers modulo p^r: they are
/// exact, so whoever multiplies many of them reduces them before they overflow.
pub trait Scalar:
    Copy + Debug + PartialEq + Send + Sync + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self>
{
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
}

impl Scalar for Complex64 {
    const ZERO: Self = Self::ZERO;
    const ONE: Self = Self::ONE;
}

impl Scalar for i64 {
    const ZERO: Self = 0;
    const ONE: Self = 1;
}
