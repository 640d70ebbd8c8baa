use thiserror::Error;

use super::Scheme;
use crate::rlwe::KeyError;

/// Why something cannot be computed modulo p^r.
#[derive(Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum BfvSchemeError {
    /// Work that is no longer wanted.
    #[error("it was cancelled; what was evaluated is lost")]
    Cancelled,
    /// A base of plaintext moduli that does not serve.
    #[error("plaintext modulus {}: expected a prime, or a power of one, up to 2^40", power(*base, *exponent))]
    PlaintextModulus {
        /// p.
        base: u64,
        /// e.
        exponent: u32,
    },
    /// An exponent that the set does not have.
    #[error("plaintext modulus {base}^{found}: this set has exponents 1 to {max}")]
    Exponent {
        /// p.
        base: u64,
        /// The exponent asked for.
        found: u32,
        /// e of the set.
        max: u32,
    },
    /// Too few primes of the wanted size.
    #[error("too few primes for {what} at ring degree {degree}; take more bits")]
    Primes {
        /// The use of the primes.
        what: &'static str,
        /// N.
        degree: usize,
    },
    /// A set that does not keep the rule on security, and does not say so by its class.
    #[error(
        "parameter set {set} has {bits:.1} bits of security with log2(QP) = {log2_modulus:.1}: expected 132 by every estimate; take a smaller modulus, a larger ring or a denser key"
    )]
    Insecure {
        /// Its name.
        set: String,
        /// The least of all estimates, 0 where there are no data.
        bits: f64,
        /// log2(QP).
        log2_modulus: f64,
    },
    /// Not a coefficient for every power of X.
    #[error("{found} coefficients: expected {expected}, the ring degree")]
    Coefficients {
        /// How many there are.
        found: usize,
        /// N.
        expected: usize,
    },
    /// A plaintext modulus without slots.
    #[error("there are no slots modulo powers of {base}: expected an odd prime, or a power of two, which has one")]
    NoSlots {
        /// p.
        base: u64,
    },
    /// Not a number for every slot.
    #[error("{found} numbers: expected {expected}, one a slot; pad with zeros")]
    SlotCount {
        /// How many there are.
        found: usize,
        /// k.
        expected: usize,
    },
    /// Polynomials of a power of X that the slots do not have.
    #[error("polynomials of X^{found}: expected a power of two up to {max}, the degree of what a slot holds")]
    Spread {
        /// The power.
        found: usize,
        /// d.
        max: usize,
    },
    /// Something under another key or of another set.
    #[error("this {what} belongs to another key or parameter set; expected one of {expected}")]
    Foreign {
        /// The found one.
        what: &'static str,
        /// The set.
        expected: String,
    },
    /// Operands modulo different powers of p.
    #[error("operands modulo {base}^{} and {base}^{}: divide, or multiply, one of them first", .exponents[0], .exponents[1])]
    Moduli {
        /// p.
        base: u64,
        /// Both exponents.
        exponents: [u32; 2],
    },
    /// A factor f of w ≡ f·m that hides the message.
    #[error("a factor of {factor} modulo {modulus}: expected a unit")]
    Factor {
        /// f.
        factor: u64,
        /// p^r.
        modulus: u64,
    },
    /// A product of a scheme with operands of the other.
    #[error("a ciphertext of {found}: expected one of {expected}; convert it first")]
    OtherScheme {
        /// The found one.
        found: Scheme,
        /// The expected one.
        expected: Scheme,
    },
    /// No modulus left.
    #[error(
        "the {operation} needs {needed:.0} bits of modulus and the ciphertext has {found:.0}; bootstrap it first, or take a set with more primes"
    )]
    Exhausted {
        /// The operation.
        operation: &'static str,
        /// log2 of the size of the phase it would leave, doubled.
        needed: f64,
        /// log2 Q.
        found: f64,
    },
    /// A division that leaves no modulus.
    #[error("exact division of a value modulo {base}^{exponent} by {divisor}: expected a smaller power of {base}")]
    Divisor {
        /// p.
        base: u64,
        /// The exponent of the dividend.
        exponent: u32,
        /// The divisor.
        divisor: u64,
    },
    /// A circuit of another number of inputs.
    #[error("{found} inputs of a circuit of {expected}")]
    Inputs {
        /// How many there are.
        found: usize,
        /// How many it has.
        expected: usize,
    },
    /// Messages of the port modulo another number.
    #[error("messages modulo {found}: expected {expected}, the plaintext modulus")]
    PortModulus {
        /// Theirs.
        found: u64,
        /// p^r.
        expected: u64,
    },
    /// A refusal of the port between engines.
    #[error(transparent)]
    Port(#[from] bootes_lattice::port::RlweError),
    /// Keys that do not serve.
    #[error(transparent)]
    Keys(#[from] KeyError),
}

/// p^e, as it is written.
fn power(base: u64, exponent: u32) -> String {
    if exponent == 1 { base.to_string() } else { format!("{base}^{exponent}") }
}
