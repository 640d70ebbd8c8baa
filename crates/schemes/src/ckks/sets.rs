//! Named sets of CKKS with ordinary bootstrapping: data (`data/ckks.toml`).
use serde::Deserialize;

use super::{BootstrapOptions, CkksError, CkksLiteral};

/// Parameters, and how they bootstrap.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BootstrapSet {
    /// The scheme's parameters.
    pub params: CkksLiteral,
    /// Options of [`Bootstrap`](super::Bootstrap).
    pub bootstrap: BootstrapOptions,
}

/// The file of sets.
#[derive(Deserialize)]
struct Sets {
    set: Vec<BootstrapSet>,
}

impl BootstrapSet {
    /// All sets, in the order of the file.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let sets: Sets = toml::from_str(include_str!("../../data/ckks.toml")).expect("the shipped sets parse");
        sets.set
    }

    /// The set of that name.
    ///
    /// # Errors
    /// [`CkksError::UnknownSet`].
    pub fn named(name: &str) -> Result<Self, CkksError> {
        named_among(Self::all(), |set| &set.params, name)
    }
}

/// The set with parameters of that name.
///
/// # Errors
/// [`CkksError::UnknownSet`].
pub fn named_among<T>(sets: Vec<T>, params: impl Fn(&T) -> &CkksLiteral, name: &str) -> Result<T, CkksError> {
    let names: Vec<&str> = sets.iter().map(|set| params(set).name.as_str()).collect();
    let unknown = CkksError::UnknownSet { found: name.into(), available: names.join(", ") };
    sets.into_iter().find(|set| params(set).name == name).ok_or(unknown)
}

impl CkksLiteral {
    /// The parameters of that name.
    ///
    /// # Errors
    /// [`CkksError::UnknownSet`].
    pub fn named(name: &str) -> Result<Self, CkksError> {
        Ok(BootstrapSet::named(name)?.params)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ckks::Bootstrap;

    #[test]
    fn shipped_sets_are_secure_and_bootstrap() {
        for BootstrapSet { params, bootstrap } in BootstrapSet::all() {
            let name = params.name.clone();
            let params = params.try_build().unwrap();
            let bootstrap = Bootstrap::new(&params, bootstrap).unwrap();
            let most = f64::from(params.literal().sparse_weight + 1) / 2.0;
            assert_eq!(bootstrap.transforms().options().bound, most, "{name}");
            assert_eq!(params.max_level() - bootstrap.depth(), 8, "{name}");
            if !params.literal().class.is_secure() {
                continue;
            }
            for security in params.security().unwrap() {
                assert!(security.meets_rule(), "{name}: {security:?}");
            }
        }
        assert!(CkksLiteral::named("toy_bootstrap").is_ok());
        let error = CkksLiteral::named("bootstrap").unwrap_err().to_string();
        assert!(error.contains("toy_bootstrap"), "{error}");
    }
}
