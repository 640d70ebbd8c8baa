//! Refusals of programs and of tables of several values for the length of their values, with what does instead.

use std::fmt;

use bootes::planner::{self, Request};
use bootes::{
    BfvError, BfvLutError, CkksLutError, Engine, Error, FhewLutError, Load, LutError, Params, Program, Space,
    SpaceError, list,
};

use super::{CliError, in_words};
use crate::need::FHEW_BITS as LONGEST;

/// The sets that were named.
pub(crate) enum Sets<'a> {
    Of(Engine),
    One(&'a str),
}

impl fmt::Display for Sets<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Of(engine) => write!(f, "no set of engine {engine} has room"),
            Self::One(name) => write!(f, "parameter set {name} has no room"),
        }
    }
}

/// A program that is refused.
pub(crate) struct Refused<'a> {
    pub(crate) program: &'a Program,
    pub(crate) request: &'a Request,
    pub(crate) load: &'a Load,
    /// What was named, an engine's sets or one, and what else to do where another has room.
    pub(crate) named: Option<(Sets<'a>, &'a str)>,
}

/// Whether a refusal is for the length of values.
fn is_of_length(error: &Error) -> bool {
    match error {
        Error::Modulus { .. }
        | Error::Bits { .. }
        | Error::Width { .. }
        | Error::Space(SpaceError::TwoLimbs { .. }) => true,
        Error::Lut(error) => matches!(
            error,
            LutError::Room { .. }
                | LutError::Packing { .. }
                | LutError::Ckks(CkksLutError::NoShape { .. } | CkksLutError::SlotFactor { .. })
                | LutError::Bfv(BfvLutError::Prime { .. } | BfvLutError::Power { .. } | BfvLutError::Transform { .. })
        ),
        _ => false,
    }
}

impl Refused<'_> {
    /// The refusal, of too long values with what has room for them.
    pub(crate) fn refusal(&self, error: &Error) -> CliError {
        let space = self.request.space;
        if let (Error::Lut(LutError::Fhew(FhewLutError::Keys { algorithm, missing })), Some((_, cure))) =
            (error, &self.named)
        {
            return CliError::new(format!("{algorithm} needs {missing}, which keys of this set lack: {cure}"));
        }
        if let (Error::Noise { refused, .. }, Some((_, cure))) = (error, &self.named)
            && planner::choose(self.request, self.load).is_ok()
        {
            return CliError::new(format!("{refused}: {cure}"));
        }
        match space.integers() {
            // Slots are of vectors modulo a prime alone.
            _ if !is_of_length(error) || !self.request.function.engines().contains(&Engine::Fhew) => self.named(error),
            None => self.of_residues(space),
            Some(integers) => match &self.named {
                Some((named, cure))
                    if integers.width() > LONGEST && planner::choose(self.request, self.load).is_ok() =>
                {
                    CliError::new(format!("{} of {space}: {named} for it; {cure}", self.program))
                }
                _ => self.named(error),
            },
        }
    }

    /// The refusal of what was named, where another has room.
    fn named(&self, error: &Error) -> CliError {
        let [own, cured] = [None, self.named.as_ref().map(|(_, cure)| *cure)].map(|cure| of_named(error, cure));
        // Long programs are planned for nothing else.
        let is_cured = own != cured && planner::choose(self.request, self.load).is_ok();
        CliError::new(if is_cured { cured } else { own })
    }

    /// Residues: another engine has room for them, or integers have, or a prime.
    fn of_residues(&self, space: Space) -> CliError {
        let (program, bits) = (self.program, space.bits());
        let fits = |request: &Request| planner::choose(request, self.load).is_ok();
        let (sets, mut cures) = match &self.named {
            Some((named, cure)) if fits(self.request) => (named.to_string(), vec![cure.to_string()]),
            _ => ("no set has room".into(), Vec::new()),
        };
        if cures.is_empty() {
            if fits(&Request { space: Space::unsigned(bits), ..self.request.clone() }) {
                cures.push(format!("integers, which do not wrap (--width {bits} --unsigned)"));
            }
            // Tables would be others.
            let prime = nearest_prime(space.range().max as u64 + 1).filter(|_| program.tables().is_empty());
            let modulo = |prime: &u64| Request { space: Space::Modular(*prime), ..self.request.clone() };
            if let Some(prime) = prime.filter(|prime| fits(&modulo(prime))) {
                cures.push(format!("a prime modulus (--modulus {prime} alone)"));
            }
            let all = if cures.is_empty() { "shorter values".into() } else { cures.join(", or ") };
            cures = vec![format!("take {all}")];
        }
        CliError::new(format!("{program} of {space}: {sets} for it; {}", cures.join(", ")))
    }
}

/// The words of a refusal where there are no keys yet: what was named is left out, or another is named, where there may
/// be a `cure`.
pub(crate) fn of_named(error: &Error, cure: Option<&str>) -> String {
    match (error, cure) {
        (Error::Width { found, max, params }, Some(cure)) => {
            let held = if *max == 0 { "none".into() } else { format!("those of 1 to {max} bits") };
            format!("integers of {found} bits, and parameter set {params} holds {held}: {cure}")
        }
        (Error::Modulus { found, max, params }, Some(cure)) => {
            format!("messages modulo {found}, and parameter set {params} holds moduli of 2 to {max}: {cure}")
        }
        (Error::Bits { found, max, params }, Some(cure)) => {
            format!("messages of {found} bits, and parameter set {params} holds 1 to {max}: {cure}")
        }
        (Error::NotForIntegers { params }, Some(cure)) => {
            format!("parameter set {params} is for tables, and has nothing for integers of a range: {cure}")
        }
        (Error::Bfv(BfvError::Modulus { found, expected, params }), Some(cure)) => {
            format!("values modulo {found}: parameter set {params} has slots modulo {expected}: {cure}")
        }
        (Error::Bfv(BfvError::Integers { space, expected, params }), Some(cure)) => {
            format!("{space}: parameter set {params} has slots modulo {expected}, and no integers of a range: {cure}")
        }
        (Error::Lut(LutError::TooWide { what, found, bits, params }), Some(cure)) => {
            format!("the table has {what} of {found} bits, and parameter set {params} holds {bits}: {cure}")
        }
        (Error::Lut(LutError::Bfv(BfvLutError::Table { entries, modulus })), Some(cure)) => {
            format!("a table of {entries} entries, and this set has values modulo {modulus}: {cure}")
        }
        (Error::Lut(LutError::Bfv(BfvLutError::Prime { found, .. })), Some(cure)) => {
            let words = in_words(error);
            let slots = words.split_once("; tables").map_or(&words[..], |(slots, _)| slots);
            format!("{slots}; for tables modulo {found} {cure}")
        }
        (Error::NotWith { what, engine, have }, cure) if !what.starts_with("a plan of") => match cure {
            Some(cure) => format!("{what} is not for engine {engine}: {cure}"),
            None if have.iter().all(|engine| engine.has_modulus()) => {
                format!("{what} is of vectors modulo a prime: give --modulus P, a prime, alone")
            }
            None => in_words(error),
        },
        _ => in_words(error),
    }
}

/// The refusal of a table of several values, of which there are so many each; of a set that was named there may be
/// another cure than other keys.
pub(crate) fn of_sizes(sizes: &[u64], error: &Error, cure: Option<&str>) -> CliError {
    CliError::new(match error {
        Error::Lut(LutError::TooWide { what, found, bits, params }) if let Some(cure) = cure => {
            format!("the table has {what} of {found} bits, and parameter set {params} holds {bits}: {cure}")
        }
        Error::Lut(LutError::Packing { widths, bits, params }) if let Some(cure) = cure => {
            format!("values of {} bits, and a bootstrap with parameter set {params} takes {bits}: {cure}", list(widths))
        }
        Error::Space(SpaceError::TwoLimbs { .. }) if let Some(cure) = cure => format!(
            "the table has {} entries, and a ciphertext of this set has room for fewer: {cure}",
            sizes.iter().product::<u64>()
        ),
        Error::Lut(LutError::Packing { widths, .. }) if widths.iter().sum::<u32>() > LONGEST => in_words(error),
        Error::Lut(LutError::Packing { widths, .. }) if sizes.iter().any(|size| !size.is_power_of_two()) => {
            let (all, bits) = (sizes.iter().map(|size| size.next_power_of_two()), widths.iter().sum::<u32>());
            format!(
                "{}, and the table {} entries, one for each such integer; or take these with keys of bootes keygen \
                 --engine fhew --bits {bits}",
                in_words(error),
                all.product::<u64>()
            )
        }
        Error::Lut(LutError::Ckks(CkksLutError::NoShape { entries, most, .. })) => format!(
            "a table of {} values has {entries} entries, which are no product of numbers from 2 to {most}: give more \
             values to one of them, up to a power of two, and the table entries for them",
            list(sizes)
        ),
        error => of_named(error, cure),
    })
}

/// The nearest modulus of vectors, of another one.
fn nearest_prime(p: u64) -> Option<u64> {
    let Err(Error::Lut(error)) = Params::for_vectors(p) else { return None };
    match error {
        LutError::Bfv(
            BfvLutError::Prime { nearest, .. }
            | BfvLutError::Power { nearest, .. }
            | BfvLutError::Transform { nearest, .. },
        ) => Some(nearest),
        _ => None,
    }
}
