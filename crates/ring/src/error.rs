//! The errors of this crate.

use crate::isa::IsaError;

/// What can go wrong when a plan, a buffer or a gadget is made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RingError {
    /// The ring degree is not a power of two in the supported range.
    #[error("ring degree {found} is not a power of two in {min}..={max}; choose one that is")]
    Degree {
        /// The degree asked for.
        found: usize,
        /// The smallest supported degree.
        min: usize,
        /// The largest supported degree.
        max: usize,
    },
    /// The gadget does not fit a word.
    #[error(
        "gadget with base 2^{log2_base} and {levels} levels does not fit: need 1 <= log2_base <= {max_log2_base}, \
         levels >= 1 and log2_base * levels <= {bits}"
    )]
    Gadget {
        /// log2 of the base asked for.
        log2_base: u32,
        /// The number of levels asked for.
        levels: u32,
        /// The largest supported log2 of the base.
        max_log2_base: u32,
        /// The bits of a word.
        bits: u32,
    },
    /// The modulus is not an odd prime below 2^50.
    #[error("modulus {found} is not an odd prime below 2^{max_bits}; take one from `primes`")]
    Modulus {
        /// The modulus asked for.
        found: u64,
        /// log2 of the bound.
        max_bits: u32,
    },
    /// A residue number system without primes, or with a prime twice.
    #[error("a basis needs distinct primes; found {}", .repeated.map_or("none".into(), |p| format!("{p} twice")))]
    Basis {
        /// A prime that occurs twice; `None` if there are no primes.
        repeated: Option<u64>,
    },
    /// The prime has no primitive root of unity of this order.
    #[error(
        "no primitive root of unity of order {order} modulo {modulus}: need a power of two that divides {modulus} - 1"
    )]
    RootOrder {
        /// The prime.
        modulus: u64,
        /// The order asked for.
        order: u64,
    },
    /// Packed words of another number of bytes.
    #[error("packed words take {expected} bytes here; found {found}")]
    PackedLength {
        /// The bytes that the words take.
        expected: usize,
        /// The bytes given.
        found: usize,
    },
    /// A packed word that is no residue.
    #[error("packed word {position} is {found}, not below the modulus {modulus}; the data are corrupt")]
    PackedWord {
        /// Its index.
        position: usize,
        /// The word.
        found: u64,
        /// The modulus.
        modulus: u64,
    },
    /// The bits after the last packed word are not all 0.
    #[error("the bits after the last packed word are {found:#b} instead of 0; the data are corrupt")]
    PackedPadding {
        /// These bits.
        found: u8,
    },
    /// The allocator refused a buffer.
    #[error("could not allocate {bytes} bytes; free memory or choose smaller parameters")]
    Allocation {
        /// The size asked for.
        bytes: usize,
    },
    /// The instruction set cannot be used.
    #[error(transparent)]
    Isa(#[from] IsaError),
}
