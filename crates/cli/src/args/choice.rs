//! The choice of a parameter set.

use bootes::{Engine, FailureTarget, Lut, Params};
use clap::Args;

use super::values::{bits, failure_target, width};
use crate::error::CliError;
use crate::integers::{FHEW_BITS, MAX_BITS, MAX_TABLE_BITS};
use crate::report;

#[derive(Debug, Args)]
pub(crate) struct ParamChoice {
    /// Width of the messages in bits (1 to 20; from 9 on for tables on digits, from 17 on with engine ckks)
    #[arg(long, value_name = "B", value_parser = bits, conflicts_with = "width")]
    pub(crate) bits: Option<u32>,
    /// Width of large integers in bits (1 to 32), for functions of them (--op)
    #[arg(long, value_name = "W", value_parser = width)]
    pub(crate) width: Option<u32>,
    /// Limit on the failure probability of a value, as a power of two: -128 (the default) or -64
    #[arg(long, value_name = "L", value_parser = failure_target)]
    pub(crate) pfail: Option<FailureTarget>,
    /// Parameter set by name (see `bootes params`), instead of the default one for --bits or --width, and --pfail
    #[arg(long, visible_alias = "set", value_name = "NAME")]
    pub(crate) params: Option<String>,
}

/// What a parameter set is to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// Messages of so many bits, for tables.
    Messages(u32),
    /// Integers of so many bits, for functions of them.
    Integers(u32),
    /// Residues modulo a prime, for engine bfv.
    Slots(u64),
    /// The same, and tables of them.
    SlotTables(u64),
}

impl Need {
    /// Of messages 0 to p − 1.
    pub(crate) fn of_modulus(p: u64) -> Self {
        Self::Messages(p.next_power_of_two().ilog2())
    }

    /// The options of `keygen` for it, with parameters of this engine.
    pub(crate) fn option(self, engine: Engine) -> String {
        match (self, engine) {
            (Self::Slots(p) | Self::SlotTables(p), _) if Params::for_slots(p).is_err() => {
                let messages = Self::of_modulus(p);
                messages.option(messages.engine())
            }
            (Self::Slots(p), _) => format!("--engine bfv --modulus {p}"),
            (Self::SlotTables(p), _) => match Params::for_slot_tables(p) {
                Ok(params) => format!("--params {}", params.name()),
                Err(_) => format!("--engine bfv --modulus {p}"),
            },
            (Self::Messages(bits), Engine::Fhew | Engine::Bfv) => format!("--bits {bits}"),
            (Self::Messages(bits), Engine::Ckks) => format!("--engine ckks --bits {bits}"),
            (Self::Integers(bits), Engine::Fhew | Engine::Bfv) => format!("--width {bits}"),
            (Self::Integers(bits), Engine::Ckks) => format!("--engine ckks --width {bits}"),
        }
    }

    /// The engine for it, if nothing else is known: fhew where it has sets for it.
    pub(crate) fn engine(self) -> Engine {
        match self {
            Self::Messages(bits) if bits > FHEW_BITS => Engine::Ckks,
            Self::Slots(_) | Self::SlotTables(_) => Engine::Bfv,
            _ => Engine::Fhew,
        }
    }

    /// Refuses an engine that has no set for it.
    pub(crate) fn check_engine(self, engine: Engine) -> Result<(), CliError> {
        match (self, engine) {
            (Self::Messages(bits), Engine::Fhew) if bits > FHEW_BITS => Err(CliError::new(format!(
                "engine fhew has tables of 1 to {FHEW_BITS} bits, and {bits} are asked for: leave --engine out, or \
                 give --engine ckks, which has 1 to {MAX_TABLE_BITS}"
            ))),
            _ => Ok(()),
        }
    }

    /// Refuses parameters that lack bits for it.
    pub(crate) fn check(self, params: &Params) -> Result<(), String> {
        match (self, params.modulus()) {
            (Self::Slots(p) | Self::SlotTables(p), Some(found)) if p == found => return Ok(()),
            (Self::Slots(p) | Self::SlotTables(p), Some(found)) => {
                return Err(format!("parameters {} hold values modulo {found}, but {p} is asked for", params.name()));
            }
            (Self::Slots(p) | Self::SlotTables(p), None) => {
                return Err(format!("parameters {} are none of engine bfv, for values modulo {p}", params.name()));
            }
            (_, Some(found)) => {
                return Err(format!("parameters {} hold values modulo {found} and nothing else", params.name()));
            }
            _ => {}
        }
        let (most, needed, what) = match (self, params.engine()) {
            (Self::Messages(bits), Engine::Fhew) if bits > MAX_BITS.max(params.bits()) => {
                (params.integer_bits().unwrap_or(0), bits, "integers for tables on digits")
            }
            (Self::Messages(bits), _) => (params.bits(), bits, "messages"),
            (Self::Integers(bits), _) => (params.max_integer_bits().unwrap_or(0), bits, "large integers"),
            (Self::Slots(_) | Self::SlotTables(_), _) => return Ok(()),
        };
        let held = match (most, params.integer_bits()) {
            (0, _) => format!("no {what}"),
            (_, Some(longest)) if longest > MAX_BITS && matches!(self, Self::Messages(..=MAX_BITS)) => {
                let shortest = MAX_BITS + 1;
                format!("messages of at most {most} bits, and for tables on digits those of {shortest} to {longest}")
            }
            _ => format!("at most {most}-bit {what}"),
        };
        if most < needed {
            return Err(format!("parameters {} hold {held}, but {needed} bits are asked for", params.name()));
        }
        Ok(())
    }
}

impl ParamChoice {
    /// What `--width` or `--bits` ask for.
    pub(crate) fn need(&self) -> Option<Need> {
        self.width.map(Need::Integers).or(self.bits.map(Need::Messages))
    }

    /// The engine of the set that is named, if one is.
    pub(crate) fn engine(&self) -> Result<Option<Engine>, CliError> {
        Ok(self.params.as_deref().map(Params::named).transpose()?.map(|params| params.engine()))
    }

    /// The set that was asked for, able to do what is needed: by default the engine's own that evaluates the table, or
    /// the one on which the algorithm does so best.
    pub(crate) fn choose(
        &self,
        engine: Engine,
        need: Need,
        evaluates: Option<(Option<&str>, &Lut)>,
    ) -> Result<Params, CliError> {
        let target = self.pfail.unwrap_or(FailureTarget::Two128);
        let asked = self.need().unwrap_or(need);
        if self.params.is_none() {
            asked.check_engine(engine)?;
        }
        let params = match (&self.params, asked) {
            (Some(name), _) => Params::named(name)?,
            (None, Need::Integers(bits)) => Params::integers_on(engine, bits, target)?,
            (None, Need::Slots(p)) => {
                let params = Params::for_slots(p)?;
                params.promises(target).map(|()| params)?
            }
            (None, Need::SlotTables(p)) => Params::on(engine, p, target)?,
            (None, Need::Messages(bits)) => match evaluates {
                Some((Some(algorithm), lut)) if bits <= MAX_BITS => {
                    let params = Params::for_algorithm(algorithm, lut, target)?;
                    if params.bits() >= bits { params } else { Params::for_bits_with(bits, target)? }
                }
                Some((None, lut)) if engine == Engine::Fhew && self.bits.is_none() => {
                    Params::for_table(engine, lut, target)?
                }
                // A width that is given is kept, where it is not too noisy.
                Some((None, lut)) if engine == Engine::Fhew && bits < MAX_BITS => {
                    let own = Params::for_bits_with(bits, target)?;
                    let wider = (bits + 1..=MAX_BITS).filter_map(|bits| Params::for_bits_with(bits, target).ok());
                    let fit = std::iter::once(own.clone()).chain(wider).find(|set| set.check(lut).is_ok());
                    fit.unwrap_or(own)
                }
                _ => Params::on(engine, 1 << bits, target)?,
            },
        };
        let name = params.name();
        if params.engine() != engine {
            let found = params.engine();
            return Err(CliError::new(format!(
                "{name} is a parameter set of engine {found}, not {engine} (see bootes params)"
            )));
        }
        for need in [asked, need] {
            need.check(&params)
                .map_err(|refusal| CliError::new(format!("the {refusal}: choose others (see bootes params)")))?;
        }
        check_promise(&params, self.pfail)?;
        Ok(params)
    }
}

/// Refuses parameters that fail more often than `--pfail` allows, and names the default ones for the same that do not.
pub(crate) fn check_promise(params: &Params, pfail: Option<FailureTarget>) -> Result<(), CliError> {
    let Some(target) = pfail.filter(|&target| params.promises(target).is_err()) else { return Ok(()) };
    let other = match params.integer_bits() {
        Some(bits) => Params::integers_on(params.engine(), bits, target)?,
        None => Params::on(params.engine(), 1 << params.bits(), target)?,
    };
    Err(CliError::new(format!(
        "the parameters {} fail with probability {}, more than the 2^{} of --pfail: take --params {}, or leave --pfail \
         out",
        params.name(),
        report::probability(params.log2_p_fail()),
        target.log2(),
        other.name(),
    )))
}
