//! Which instruction set the kernels run on: chosen once, at run time.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

/// An instruction set that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IsaError {
    /// The instruction set is not available on this processor.
    #[error(
        "instruction set {found} is not available here: use {}, or unset BOOTES_ISA",
        Isa::names(.available.included())
    )]
    Missing {
        /// The instruction set asked for.
        found: Isa,
        /// The best one this processor has.
        available: Isa,
    },
    /// The environment variable `BOOTES_ISA` names no instruction set.
    #[error("BOOTES_ISA={found:?} is unknown; use {}, which this processor has", Isa::names(Isa::available_here()))]
    Name {
        /// The value found.
        found: String,
    },
}

/// An instruction set that kernels are compiled for.
///
/// Results are bit-equal on all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Isa {
    /// Plain Rust: the reference.
    Scalar,
    /// AVX2 and FMA.
    Avx2,
    /// AVX-512 F, DQ, BW and VL.
    Avx512,
    /// NEON of 64-bit ARM.
    Neon,
}

impl Isa {
    /// All instruction sets, of whatever processors.
    pub const ALL: [Self; 4] = [Self::Scalar, Self::Avx2, Self::Avx512, Self::Neon];

    /// The instruction sets of this processor, from the slowest to the fastest.
    #[must_use]
    pub fn available_here() -> &'static [Self] {
        Self::detect().included()
    }

    /// The best instruction set of this processor.
    #[must_use]
    pub fn detect() -> Self {
        static DETECTED: OnceLock<Isa> = OnceLock::new();
        *DETECTED.get_or_init(Self::detect_now)
    }

    #[cfg(target_arch = "x86_64")]
    fn detect_now() -> Self {
        use std::arch::is_x86_feature_detected as has;
        if !(has!("avx2") && has!("fma")) {
            Self::Scalar
        } else if has!("avx512f") && has!("avx512dq") && has!("avx512bw") && has!("avx512vl") {
            Self::Avx512
        } else {
            Self::Avx2
        }
    }

    #[cfg(target_arch = "aarch64")]
    fn detect_now() -> Self {
        if std::arch::is_aarch64_feature_detected!("neon") { Self::Neon } else { Self::Scalar }
    }

    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    fn detect_now() -> Self {
        Self::Scalar
    }

    /// "scalar", "scalar or neon", "scalar, avx2 or avx512".
    pub(crate) fn names(all: &[Self]) -> String {
        let (last, others) = all.split_last().expect("every processor has one");
        match others.iter().map(Self::to_string).collect::<Vec<_>>().join(", ") {
            others if others.is_empty() => last.to_string(),
            others => format!("{others} or {last}"),
        }
    }

    /// What a processor has that has this one, from the slowest to the fastest.
    pub(crate) const fn included(self) -> &'static [Self] {
        match self {
            Self::Scalar => &[Self::Scalar],
            Self::Avx2 => &[Self::Scalar, Self::Avx2],
            Self::Avx512 => &[Self::Scalar, Self::Avx2, Self::Avx512],
            Self::Neon => &[Self::Scalar, Self::Neon],
        }
    }

    /// This instruction set if the processor has it, or else the fastest of what it includes that the processor has.
    #[inline]
    pub(crate) fn lowered(self) -> Self {
        // Kernels start here.
        if self == Self::detect() {
            return self;
        }
        self.included().iter().rfind(|isa| isa.is_available()).copied().unwrap_or(Self::Scalar)
    }

    /// The instruction set in use: [`Isa::detect`], or that named by the environment variable `BOOTES_ISA`.
    ///
    /// A name that is unknown or of what this processor lacks is ignored; [`Isa::from_env`] reports it. The variable is
    /// read once.
    #[must_use]
    pub fn selected() -> Self {
        static SELECTED: OnceLock<Isa> = OnceLock::new();
        *SELECTED.get_or_init(|| Self::from_env().unwrap_or_else(|_| Self::detect()))
    }

    /// Reads `BOOTES_ISA`; [`Isa::detect`] when it is not set, or empty.
    ///
    /// # Errors
    /// [`IsaError::Name`] for an unknown value, [`IsaError::Missing`] for one this processor lacks.
    pub fn from_env() -> Result<Self, IsaError> {
        match std::env::var_os("BOOTES_ISA").filter(|value| !value.is_empty()) {
            None => Ok(Self::detect()),
            Some(value) => value.to_string_lossy().parse::<Self>()?.available(),
        }
    }

    /// Whether the processor has this instruction set.
    #[must_use]
    pub fn is_available(self) -> bool {
        Self::available_here().contains(&self)
    }

    /// This instruction set, if the processor has it.
    ///
    /// # Errors
    /// [`IsaError::Missing`] if it has not.
    pub fn available(self) -> Result<Self, IsaError> {
        if self.is_available() { Ok(self) } else { Err(IsaError::Missing { found: self, available: Self::detect() }) }
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Scalar => "scalar",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Neon => "neon",
        })
    }
}

impl FromStr for Isa {
    type Err = IsaError;

    fn from_str(name: &str) -> Result<Self, IsaError> {
        Self::ALL
            .into_iter()
            .find(|isa| isa.to_string() == name)
            .ok_or_else(|| IsaError::Name { found: name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for isa in Isa::ALL {
            assert_eq!(isa.to_string().parse::<Isa>(), Ok(isa));
        }
        let all = [Isa::Scalar, Isa::Avx512, Isa::Neon].map(|best| Isa::names(best.included()));
        assert_eq!(all, ["scalar", "scalar, avx2 or avx512", "scalar or neon"]);
        assert_eq!("sse9".parse::<Isa>(), Err(IsaError::Name { found: "sse9".into() }));
    }

    #[test]
    fn what_the_processor_lacks_is_refused_or_lowered() {
        let (here, best) = (Isa::available_here(), Isa::detect());
        assert!(here.first() == Some(&Isa::Scalar) && here.last() == Some(&best) && Isa::selected().is_available());
        for isa in Isa::ALL {
            let refusal = IsaError::Missing { found: isa, available: best };
            let found = here.contains(&isa);
            assert_eq!(isa.available(), if found { Ok(isa) } else { Err(refusal) });
            let below = if isa.included().contains(&best) { best } else { Isa::Scalar };
            assert_eq!(isa.lowered(), if found { isa } else { below });
        }
    }
}
