//! Engine bfv: exact arithmetic modulo t = p^r: BFV (Brakerski; Fan, Vercauteren 2012) and BGV (Brakerski, Gentry,
//! Vaikuntanathan 2012), over one chain of primes, one secret key and one evaluation key.
//!
//! **One invariant for both.** A ciphertext modulo Q has a phase φ = b + a·s, and
//!
//! - in BGV w = φ,
//! - in BFV w = t·φ modulo Q, so φ = (w + Q·u)/t with an unknown integer polynomial u, |u| ≤ t/2·(1 + ‖s‖₁);
//!
//! in both w ≡ f·m modulo t for the message m, with a known unit f, the *factor*, and decryption is right while
//! |w| < Q/2. In BFV φ = (Q/t)·(F·m) + w/t with F = −f/Q modulo t: the textbook's with noise w/t. So one kind of
//! ciphertext turns into the other by a product with t or 1/t modulo Q, and what an operation does to f and to the size
//! of w is the same for both, but for the product:
//!
//! | operation | w | f |
//! |---|---|---|
//! | sum | w₁ + w₂ | equal ones; made equal by small constants |
//! | product, BGV ([`product::bgv`]) | w₁·w₂ | f₁·f₂ |
//! | product, BFV ([`product::bfv`]) | w₁·w₂/Q + u₁·w₂ + u₂·w₁, rounded | −f₁·f₂/Q |
//! | division by a prime q of the chain | w/q, rounded | f/q |
//! | exact division by p^k: t becomes t/p^k | w/p^k | f |
//!
//! [`params`] the set and a gadget for each power of p; [`keys`]; [`ciphertext`] with encryption and decryption;
//! [`size`] the size of w, predicted; [`state`] what operations make of it; [`evaluator`] operations; [`circuit`]
//! circuits of [`crate::polyeval`].
pub mod ciphertext;
pub mod circuit;
mod error;
pub mod evaluator;
pub mod keys;
pub mod linear;
pub mod params;
pub mod port;
pub mod product;
pub mod raise;
pub mod residue;
mod sets;
pub mod size;
pub mod slots;
pub mod state;
mod transforms;

pub use ciphertext::{BfvCiphertext, Scheme};
pub use error::BfvSchemeError;
pub use evaluator::Evaluator;
pub use keys::{BfvEvaluationKey, BfvPublicKey, BfvSecretKey};
pub use linear::{LinearMap, SlotMap};
pub use params::{BfvLiteral, BfvParams};
pub use raise::Raised;
pub use size::PhaseSize;
pub use slots::{BfvSlots, Gaussian, split_primes};
pub use state::State;

pub use crate::rlwe::KeyRequest;
