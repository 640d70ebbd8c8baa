//! The choice of a parameter set.

use bootes::{Engine, ErrorKind, FailureTarget, Lut, Params};
use clap::Args;

use super::values::{bits, failure_target, width};
use crate::error::CliError;
use crate::need::{MAX_BITS, Need};
use crate::report;

#[derive(Debug, Args)]
pub(crate) struct ParamChoice {
    /// Width of the messages in bits (1 to 20; from 9 on for tables on digits, from 17 on with engine ckks)
    #[arg(long, value_name = "B", value_parser = bits, conflicts_with = "width")]
    pub(crate) bits: Option<u32>,
    /// Width of large integers in bits (1 to 64; of engine ckks 32), for functions of them (--op)
    #[arg(long, value_name = "W", value_parser = width)]
    pub(crate) width: Option<u32>,
    /// Limit on the failure probability of a value, as a power of two: -128 (the default) or -64
    #[arg(long, value_name = "L", value_parser = failure_target)]
    pub(crate) pfail: Option<FailureTarget>,
    /// Parameter set by name (see `bootes params`), instead of the default one for --bits or --width, and --pfail
    #[arg(long, visible_alias = "set", value_name = "NAME")]
    pub(crate) params: Option<String>,
}

impl ParamChoice {
    /// The need that `--width` or `--bits` state.
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
        need: Option<Need>,
        evaluates: Option<(Option<&str>, &Lut)>,
    ) -> Result<Params, CliError> {
        let target = self.pfail.unwrap_or(FailureTarget::Two128);
        let asked = self.need().or(need);
        let params = match (&self.params, asked.unwrap_or(Need::LEAST)) {
            (Some(name), _) => Params::named(name)?,
            (None, Need::Integers(bits)) => Params::integers_on(engine, bits, target)?,
            (None, Need::Vectors(p)) => {
                let params = Params::for_vectors(p)?;
                params.promises(target).map(|()| params)?
            }
            (None, Need::Leveled(p, depth)) => {
                let params = Params::for_vectors_to_depth(p, depth)?;
                params.promises(target).map(|()| params)?
            }
            (None, Need::VectorTables(p)) => Params::on(engine, p, target)?,
            (None, Need::Messages(bits)) => match evaluates {
                Some((Some(algorithm), lut)) if bits <= MAX_BITS => {
                    let params = Params::for_algorithm(algorithm, lut, target)?;
                    if params.bits() >= bits { params } else { Params::for_bits_with(bits, target)? }
                }
                Some((None, lut)) if self.bits.is_none() => Params::for_table(engine, lut, target)?,
                // A width that is given is kept, where it is not too noisy.
                Some((None, lut)) if bits < MAX_BITS => {
                    let own = Params::on(engine, 1 << bits, target)?;
                    let wider = (bits + 1..=MAX_BITS).filter_map(|bits| Params::on(engine, 1 << bits, target).ok());
                    let fits =
                        |set: &Params| set.check(lut).map_or_else(|no| no.kind() == ErrorKind::Memory, |()| true);
                    let fit = std::iter::once(own.clone()).chain(wider).find(fits);
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
        for need in asked.into_iter().chain(need) {
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
