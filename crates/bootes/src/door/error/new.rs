//! Errors that are made in several places.
use super::Error;
use crate::names::hex;
use std::fmt;

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Error {
    pub(crate) fn not_with(what: &str, engine: crate::Engine, have: &'static [crate::Engine]) -> Self {
        Self::NotWith { what: what.into(), engine, have }
    }

    pub(crate) fn changed_params(what: &'static str, params: &str, [found, expected]: [&[u8; 16]; 2]) -> Self {
        let [found, expected] = [found, expected].map(|fingerprint| hex(fingerprint));
        Self::ChangedParams { what, params: params.into(), found, expected }
    }

    pub(crate) fn other_engine(what: &'static str, found: crate::Engine, expected: crate::Engine) -> Self {
        Self::OtherEngine { what, found, expected }
    }
}
