//! Options of engines.

use bootes::{Engine, MaskStorage};
use clap::{Args, ValueEnum};

use crate::error::CliError;
use crate::suggest;

/// Parses the name of an engine.
pub(super) fn engine(text: &str) -> Result<Engine, String> {
    Engine::ALL.into_iter().find(|engine| engine.to_string() == text).ok_or_else(|| {
        let names = Engine::ALL.map(|engine| engine.to_string());
        let tip = suggest::nearest(text, names.iter().map(String::as_str))
            .map_or(String::new(), |known| format!("did you mean {known}? "));
        format!("{tip}expected fhew, ckks or bfv")
    })
}

/// Whether engines ckks and bfv keep the masks of their keys in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Masks {
    /// Twice the memory for keys, less time
    Kept,
    /// Made from their seed at every use
    Seeded,
}

/// How engines ckks and bfv use memory.
#[derive(Debug, Default, Args)]
pub(crate) struct MaskChoice {
    /// Masks of the keys, with engine ckks or bfv [default: kept if there is memory]
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
    /// Refuses a choice where there is none.
    pub(crate) fn check(&self, engine: Engine) -> Result<(), CliError> {
        if self.masks.is_some() && !engine.has_masks() {
            return Err(CliError::new(format!(
                "--masks is for engines ckks and bfv: engine {engine}, which evaluates this, has no such choice; leave \
                 it out"
            )));
        }
        Ok(())
    }

    /// The library's choice.
    pub(crate) fn storage(&self) -> Option<MaskStorage> {
        self.masks.map(|masks| match masks {
            Masks::Kept => MaskStorage::Expanded,
            Masks::Seeded => MaskStorage::Seeded,
        })
    }
}
