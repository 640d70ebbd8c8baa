//! The quantity that plans are compared by.
use std::fmt;
use std::str::FromStr;

/// The quantity that the chosen plan has least of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Objective {
    /// CPU time a value.
    #[default]
    Throughput,
    /// Time of one value alone: the longest chain of rotations that need each other's results, as if those that do not
    /// were made at once. (A server gives a value to one thread.)
    Latency,
    /// Bytes of the server key in a file, additional keys included.
    KeySize,
    /// Noise of the results.
    Noise,
}

impl Objective {
    /// All.
    pub const ALL: [Self; 4] = [Self::Throughput, Self::Latency, Self::KeySize, Self::Noise];
}

impl fmt::Display for Objective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Throughput => "throughput",
            Self::Latency => "latency",
            Self::KeySize => "key-size",
            Self::Noise => "noise",
        })
    }
}

impl FromStr for Objective {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = Self::ALL.map(|objective| objective.to_string());
        Self::ALL
            .into_iter()
            .zip(&names)
            .find(|(_, name)| *name == text)
            .map(|(objective, _)| objective)
            .ok_or_else(|| format!("expected one of {}", names.join(", ")))
    }
}
