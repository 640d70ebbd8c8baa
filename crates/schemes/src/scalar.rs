//! Constants that multiply values in circuits and linear maps.
use core::fmt::Debug;
use core::ops::{Add, Mul, Sub};

use num_complex::{Complex, Complex64};

/// A constant of a circuit or a linear map: an element of a commutative ring.
///
/// Complex numbers are those of CKKS. Integers are those of BFV and BGV, whose values are integers modulo
/// p^r: they are exact, so whoever multiplies many of them reduces them before they overflow.
pub trait Scalar:
    Copy + Debug + PartialEq + Send + Sync + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self>
{
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// The levels that a combination with constants takes: 1 where they are rounded at a scale, 0 where they
    /// are exact.
    const CONSTANT_LEVELS: usize;
}

impl Scalar for Complex64 {
    const ZERO: Self = Self::ZERO;
    const ONE: Self = Self::ONE;
    const CONSTANT_LEVELS: usize = 1;
}

impl Scalar for i64 {
    const ZERO: Self = 0;
    const ONE: Self = 1;
    const CONSTANT_LEVELS: usize = 0;
}

/// Gaussian integers: the slots of BFV and BGV.
impl Scalar for Complex<i64> {
    const ZERO: Self = Self::new(0, 0);
    const ONE: Self = Self::new(1, 0);
    const CONSTANT_LEVELS: usize = 0;
}
