//! Sets of papers: data (`data/bfv.toml`).
use std::sync::LazyLock;

use serde::Deserialize;

use super::BfvLiteral;

/// The file of sets.
#[derive(Deserialize)]
struct Sets {
    set: Vec<BfvLiteral>,
}

impl BfvLiteral {
    /// The sets of papers, in the order of the file.
    #[must_use]
    pub fn of_papers() -> &'static [Self] {
        static SETS: LazyLock<Sets> =
            LazyLock::new(|| toml::from_str(include_str!("../../data/bfv.toml")).expect("the shipped sets parse"));
        &SETS.set
    }
}
