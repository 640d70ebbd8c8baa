use thiserror::Error;

/// Why a benchmark could not be run.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BenchError {
    /// No benchmark has this name.
    #[error("no benchmark is called \"{name}\": expected one of {known}")]
    Unknown {
        /// The name asked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// An option that the benchmark does not know.
    #[error("--{option} is not for {name}: leave it out, or run one of {takers}")]
    Option {
        /// The option.
        option: &'static str,
        /// The benchmark.
        name: String,
        /// Those that take it.
        takers: String,
    },
    /// No row has a name that was asked for.
    #[error("--rows {wanted} is part of no row of {name}: {cure}")]
    Nothing {
        /// The name asked for.
        wanted: String,
        /// The benchmark.
        name: String,
        /// The names there are, or how to see them.
        cure: String,
    },
    /// An RLWE ciphertext was refused.
    #[error(transparent)]
    Rlwe(#[from] bootes_lattice::port::RlweError),
    /// The library refused.
    #[error(transparent)]
    Bootes(#[from] bootes::Error),
    /// A parameter set was refused or not found.
    #[error(transparent)]
    Params(#[from] bootes_schemes::fhew::ParamsError),
    /// A table was refused.
    #[error(transparent)]
    Lut(#[from] bootes_lut::LutError),
    /// A key was refused.
    #[error(transparent)]
    Lattice(#[from] bootes_lattice::LatticeError),
    /// A transform was refused.
    #[error(transparent)]
    Ring(#[from] bootes_ring::error::RingError),
    /// An encoding was refused.
    #[error(transparent)]
    Ckks(#[from] bootes_schemes::ckks::CkksError),
    /// An operation of BFV or BGV was refused.
    #[error(transparent)]
    Bfv(#[from] bootes_schemes::bfv::BfvSchemeError),
    /// There are no threads to run on.
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// The caller could not write the result.
    #[error("{0}")]
    NotWritten(String),
    /// The result could not be written.
    #[error("cannot write {path}: {source}")]
    Write {
        /// Where to.
        path: String,
        /// Why.
        source: std::io::Error,
    },
}

/// Names in a message.
const SHOWN: usize = 16;

impl BenchError {
    /// No row of a benchmark has a name that was asked for; these are there, if they are known before it runs.
    pub(crate) fn nothing(options: &crate::Options, bench: &str, known: &[&str]) -> Self {
        let cure = match known {
            [] => "leave it out to see their names".to_string(),
            [first @ .., _, _] if first.len() >= SHOWN => {
                format!("expected one of {} and {} more", first[..SHOWN].join(", "), known.len() - SHOWN)
            }
            known => format!("expected one of {}", known.join(", ")),
        };
        Self::Nothing { wanted: options.only(), name: bench.to_string(), cure }
    }
}
