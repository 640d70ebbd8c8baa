//! Options of engines.

use bootes::MaskStorage;
use clap::{Args, ValueEnum};

/// What evaluates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// One value at a time: least latency
    Fhew,
    /// Thousands of values at once: least time for many
    Ckks,
}

impl Engine {
    /// The engine of a parameter set of this name.
    pub(crate) fn of_set(name: &str) -> Self {
        if name.starts_with("batch_") || name.starts_with("toy_batch_") { Self::Ckks } else { Self::Fhew }
    }

    /// As on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Fhew => "fhew",
            Self::Ckks => "ckks",
        }
    }
}

/// Whether the batch engine keeps the masks of its keys in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Masks {
    /// Twice the memory for keys, less time
    Kept,
    /// Made from their seed at every use
    Seeded,
}

/// How the batch engine uses memory.
#[derive(Debug, Default, Args)]
pub(crate) struct MaskChoice {
    /// Masks of the keys of the ckks engine [default: kept if there is memory]
    #[arg(long, value_enum, value_name = "MASKS")]
    masks: Option<Masks>,
}

/// A limit on memory.
#[derive(Debug, Default, Args)]
pub(crate) struct MemoryLimit {
    /// Memory to take at most, in GB, for all that is held: keys, ciphertexts and workspace (the program itself, some
    /// 20 MB, is not counted); what is available is a limit too
    #[arg(long, value_name = "G", value_parser = super::gigabytes)]
    memory: Option<f64>,
}

impl MemoryLimit {
    /// In bytes.
    pub(crate) fn bytes(&self) -> Option<u64> {
        self.memory.map(|gigabytes| (gigabytes * 1e9) as u64)
    }
}

impl MaskChoice {
    /// The library's choice.
    pub(crate) fn storage(&self) -> Option<MaskStorage> {
        self.masks.map(|masks| match masks {
            Masks::Kept => MaskStorage::Expanded,
            Masks::Seeded => MaskStorage::Seeded,
        })
    }
}
