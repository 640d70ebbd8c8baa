//! Refusals of programs and of tables of several values for the length of their values, with what does instead.

use bootes::planner::{self, Request};
use bootes::{Engine, Error, Load, LutError, Params, Program, Space, list};

use super::{CliError, in_words};
use crate::need::FHEW_BITS as LONGEST;

/// A program that is refused.
pub(crate) struct Refused<'a> {
    pub(crate) program: &'a Program,
    pub(crate) request: &'a Request,
    pub(crate) load: &'a Load,
    /// The engine of what was named, and what else to do where another has room.
    pub(crate) named: Option<(Engine, &'a str)>,
}

/// Whether a refusal is for the length of values.
fn is_of_length(error: &Error) -> bool {
    match error {
        Error::Modulus { .. } | Error::Bits { .. } | Error::Width { .. } | Error::TwoLimbs { .. } => true,
        Error::Lut(error) => matches!(
            error,
            LutError::Room { .. }
                | LutError::Packing { .. }
                | LutError::NoShape { .. }
                | LutError::SlotFactor { .. }
                | LutError::BfvPrime { .. }
                | LutError::BfvPower { .. }
                | LutError::BfvTransform { .. }
        ),
        _ => false,
    }
}

impl Refused<'_> {
    /// The refusal, of too long values with what has room for them.
    pub(crate) fn refusal(&self, error: Error) -> CliError {
        let space = self.request.space;
        match space.integers() {
            // Slots are of vectors modulo a prime alone.
            _ if !is_of_length(&error) || !self.request.function.engines().contains(&Engine::Fhew) => error.into(),
            None => self.of_residues(space),
            Some(integers) => match self.named {
                Some((engine, cure))
                    if integers.width() > LONGEST && planner::choose(self.request, self.load).is_ok() =>
                {
                    CliError::new(format!(
                        "{} of {space}: no set of engine {engine} has room for it; {cure}",
                        self.program
                    ))
                }
                _ => error.into(),
            },
        }
    }

    /// Residues: another engine has room for them, or integers have, or a prime.
    fn of_residues(&self, space: Space) -> CliError {
        let (program, bits) = (self.program, space.bits());
        let fits = |request: &Request| planner::choose(request, self.load).is_ok();
        let (sets, mut cures) = match self.named {
            Some((engine, cure)) if fits(self.request) => {
                (format!("no set of engine {engine}"), vec![cure.to_string()])
            }
            _ => ("no set".into(), Vec::new()),
        };
        if cures.is_empty() {
            if fits(&Request { space: Space::unsigned(bits), ..self.request.clone() }) {
                cures.push(format!("integers, which do not wrap (--width {bits} --unsigned)"));
            }
            // Tables would be others.
            if let (true, Some(prime)) = (program.tables().is_empty(), nearest_prime(space.range().max as u64 + 1)) {
                cures.push(format!("a prime modulus (--modulus {prime} alone)"));
            }
            let all = if cures.is_empty() { "shorter values".into() } else { cures.join(", or ") };
            cures = vec![format!("take {all}")];
        }
        CliError::new(format!("{program} of {space}: {sets} has room for it; {}", cures.join(", ")))
    }
}

/// The refusal of a table of several values, of which there are so many each.
pub(crate) fn of_sizes(sizes: &[u64], error: &Error) -> CliError {
    CliError::new(match error {
        Error::Lut(LutError::NoShape { entries, most, .. }) => format!(
            "a table of {} values has {entries} entries, which are no product of numbers from 2 to {most}: give more \
             values to one of them, up to a power of two, and the table entries for them",
            list(sizes)
        ),
        error => in_words(error),
    })
}

/// The nearest modulus of vectors, of another one.
fn nearest_prime(p: u64) -> Option<u64> {
    let Err(Error::Lut(error)) = Params::for_vectors(p) else { return None };
    match error {
        LutError::BfvPrime { nearest, .. }
        | LutError::BfvPower { nearest, .. }
        | LutError::BfvTransform { nearest, .. } => Some(nearest),
        _ => None,
    }
}
