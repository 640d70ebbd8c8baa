//! Integers that are not encrypted, of whichever type.

/// An integer of a primitive type, or a reference to one: an entry of a table, a value to encrypt.
pub trait Plain: Copy {
    /// The integer, or the end of the range that it is beyond, which is outside all tables and messages.
    fn to_i128(self) -> i128;
}

macro_rules! plain {
    ($($integer:ty),*) => {
        $(impl Plain for $integer {
            fn to_i128(self) -> i128 {
                #[allow(irrefutable_let_patterns, clippy::useless_conversion, reason = "of some types")]
                i128::try_from(self).unwrap_or(i128::MAX)
            }
        })*
    };
}

plain!(u8, u16, u32, u64, usize, i8, i16, i32, i64, i128, u128, isize);

impl<T: Plain> Plain for &T {
    fn to_i128(self) -> i128 {
        (*self).to_i128()
    }
}
