//! The native half of the Python package `bootes`: the door of the crate `bootes` as Python classes. Python's own half,
//! with the classes of errors and the types, is in `py_src`.
#![allow(clippy::needless_pass_by_value, reason = "arguments are what Python gives")]
mod client;
mod conversion;
mod encrypted;
mod entries;
mod error;
mod expression;
mod function;
mod index;
mod number;
mod open;
mod params;
mod place;
mod plan;
mod public_key;
mod server;
mod server_key;
mod steps;
mod symmetric;
mod ufunc;
mod values;
mod work;

/// The native half of `bootes`.
#[pyo3::pymodule(gil_used = false)]
mod _bootes {
    #[pymodule_export]
    use crate::client::Client;
    #[pymodule_export]
    use crate::conversion::ConversionKey;
    #[pymodule_export]
    use crate::encrypted::{Encrypted, concatenate};
    #[pymodule_export]
    use crate::expression::sent;
    #[pymodule_export]
    use crate::function::table_from;
    #[pymodule_export]
    use crate::params::Params;
    #[pymodule_export]
    use crate::plan::{Plan, PyChoice, plan};
    #[pymodule_export]
    use crate::public_key::PublicKey;
    #[pymodule_export]
    use crate::server::Server;
    #[pymodule_export]
    use crate::server_key::ServerKey;
    #[pymodule_export]
    use crate::symmetric::{Symmetric, SymmetricKey};
    /// The most bits that integers have.
    #[pymodule_export]
    const MAX_WIDTH: u32 = bootes::MAX_WIDTH;
    /// The version of the package.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name that Python has for it")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
