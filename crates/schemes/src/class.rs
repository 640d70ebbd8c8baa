//! Classes of parameter sets.
use serde::{Deserialize, Serialize};

/// How far a set is to be trusted. Names of shipped sets begin with it too (`toy_…`, `paper_…`), for readers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SetClass {
    /// Ours: it keeps the security rule, or is refused.
    #[default]
    Secure,
    /// A paper's own numbers: its estimate is stated, and may be less.
    Paper,
    /// Insecure on purpose, for tests.
    Toy,
}

impl SetClass {
    /// Whether it keeps the security rule.
    pub fn is_secure(&self) -> bool {
        *self == Self::Secure
    }
}
