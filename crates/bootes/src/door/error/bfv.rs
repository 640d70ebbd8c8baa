use super::words::or_another_set;
use crate::Space;
use thiserror::Error;

/// Refusals of engine bfv.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BfvError {
    /// A name of no set of engine bfv.
    #[error(
        "no parameter set is called {name}: those of engine bfv are slots_P and slots_P_R for an odd prime P and a \
         power R, as slots_257 or slots_127_2, slots_P_tables from P = 521 on, slots_P_depth_D for D products in a row \
         without bootstrapping, also modulo 2^k, and a paper's (see bootes params)"
    )]
    Set {
        /// The name.
        name: String,
    },
    /// Values modulo something else than the slots.
    #[error(
        "values modulo {found}: parameter set {params} has slots modulo {expected}; take values modulo {expected}{}",
        or_another_set(*found)
    )]
    Modulus {
        /// The modulus asked for.
        found: u64,
        /// p^r.
        expected: u64,
        /// The set.
        params: String,
    },
    /// Integers of a range, where slots have residues.
    #[error(
        "{space}: parameter set {params} has slots modulo {expected}, and no integers of a range; take values modulo \
         {expected}, or another set (Params::for_integers)"
    )]
    Integers {
        /// The message space asked for.
        space: Space,
        /// p^r.
        expected: u64,
        /// The set.
        params: String,
    },
    /// Vectors that could be decrypted and not bootstrapped.
    #[error(
        "the result could be decrypted but not bootstrapped, and so be no operand any more: compute it on the server, \
         as a program (such as {operation} with Server::run, eval --expr), which bootstraps operands first"
    )]
    Budget {
        /// As a program.
        operation: &'static str,
    },
    /// A vector at a level that none has.
    #[error(
        "the ciphertexts are said to be at level {found}, and what is encrypted or evaluated is at {max} at most: take \
         those that a client or a server wrote"
    )]
    Level {
        /// The level of the ciphertexts.
        found: usize,
        /// The highest of fresh vectors and results.
        max: usize,
    },
    /// A program of so many steps that it is wrong more often than the set promises.
    #[error(
        "all operations together fail with probability 2^{found:.1} a ciphertext, more than the 2^{promised} that the \
         parameters {params} promise: take fewer operations (x^n instead of products, n*x instead of sums), or parts \
         that are evaluations of their own, each of which fails by itself"
    )]
    Failure {
        /// log2 of the probability that some slot of a ciphertext is wrong.
        found: f64,
        /// That is promised.
        promised: f64,
        /// Name of the set.
        params: String,
    },
    /// Vectors of different histories in one.
    #[error(
        "vectors whose ciphertexts have different levels or factors cannot be put together: put them together when \
         they are fresh, or results of one evaluation"
    )]
    States,
    /// Rotations and sums of vectors in several ciphertexts.
    #[error(
        "rotations, swaps and sums are those of one ciphertext of {slots} values, and the vector has {len}: cut it in \
         pieces of {slots}"
    )]
    Vector {
        /// Values of the vector.
        len: usize,
        /// Values of a ciphertext.
        slots: usize,
    },
}
