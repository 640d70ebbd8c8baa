use super::words::{congruent, in_one, one_width};
use crate::Space;
use bootes_lut::Interval;
use thiserror::Error;

/// Ciphertexts of another message space than an operation takes.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SpaceError {
    /// Integers that may be negative, decrypted as if they were not.
    #[error("the ciphertexts hold {space}, which may be negative: take decrypt, for integers with a sign")]
    Negative {
        /// The message space of the ciphertexts.
        space: Space,
    },
    /// Residues, where integers are needed.
    #[error(
        "{what} takes integers, and the ciphertexts hold {space}, which are residues: encrypt them with \
         Client::encrypt_integers or encrypt_unsigned, or say which integers they are with Ciphertexts::as_integers"
    )]
    Residues {
        /// The function of integers.
        what: String,
        /// The message space of the ciphertexts.
        space: Space,
    },
    /// Residues that are no integers modulo a power of two, or integers that residues do not tell apart.
    #[error(
        "{space} as integers from {range}: expected residues modulo a power of two, and at most so many integers, \
         less than it from 0"
    )]
    AsIntegers {
        /// The message space of the ciphertexts.
        space: Space,
        /// The range that they were to have.
        range: Interval,
    },
    /// Integers of a known range as those of another that does not hold it.
    #[error(
        "{space} as integers from {range}: expected a range that holds those from {}, which do not wrap; {}",
        space.range(), congruent(*range)
    )]
    Outside {
        /// The message space of the ciphertexts.
        space: Space,
        /// The range that they were to have.
        range: Interval,
    },
    /// Sums of residues, as the integers that they are.
    #[error(
        "{space} as integers: sums of residues are known modulo {modulus}; take the program \"x % {modulus}\" \
         (Program::parse), which gives integers from 0 to {}",
        modulus - 1
    )]
    Unreduced {
        /// The message space of the ciphertexts.
        space: Space,
        /// The number of residues.
        modulus: u64,
    },
    /// Residues that are kept as integers, where a batch has residues as such alone.
    #[error(
        "a conversion of {space}: a batch keeps residues as such alone; take Ciphertexts::as_integers of them, from 0 \
         to {}, which are integers there",
        modulus - 1
    )]
    Kept {
        /// The message space of the ciphertexts.
        space: Space,
        /// The number of residues.
        modulus: u64,
    },
    /// Operands of a function that are not kept alike.
    #[error("{what} of {left} and {right}: expected integers of one width; {}", one_width(what, *left, *right))]
    Widths {
        /// The function.
        what: String,
        /// The message space of the first operand.
        left: Space,
        /// The message space of the second operand.
        right: Space,
    },
    /// Integers in more than one ciphertext, where a table takes one.
    #[error(
        "{what} takes integers in one ciphertext each, and here are {space}, a ciphertext for each limb: {}",
        in_one(what, *space)
    )]
    TwoLimbs {
        /// The operation.
        what: &'static str,
        /// The message space of the ciphertexts.
        space: Space,
    },
    /// Integers of two limbs in an operation that would need carries between them.
    #[error(
        "a linear operation on {space}: they are too long for one ciphertext, and sums would need carries from one to \
         the next; encrypt them with a width that fits in one, or take IntegerOp::Add and Sub"
    )]
    Limbs {
        /// The message space of the ciphertexts.
        space: Space,
    },
    /// Integers of a range, and what takes residues.
    #[error(
        "these are integers of a range, and messages modulo p are what engine ckks has {what} of: take their residues, \
         Ciphertexts::as_residues"
    )]
    NotResidues {
        /// The operation that was asked for.
        what: String,
    },
    /// Results of continuous functions, where it takes integers that are exact.
    #[error(
        "{what} takes exact integers, and the ciphertexts hold {space}, results of a continuous function: take the \
         function after the table, or decrypt them"
    )]
    Approximate {
        /// The function of exact integers.
        what: String,
        /// The message space of the ciphertexts.
        space: Space,
    },
}
