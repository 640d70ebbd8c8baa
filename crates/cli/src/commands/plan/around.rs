//! `bootes plan` of values that are there: the way around by a conversion and another engine, where that takes less
//! time.
use bootes::planner::{Detour, Offer, Request};
use bootes::{Load, Lut, Params, Prediction};
use serde_json::{Value, json};

use super::memory_limit;
use crate::args::PlanArgs;
use crate::commands;
use crate::error::CliError;
use crate::report::{self, seconds};

/// The straight way with the engine that is asked for, and one that takes less time.
pub(super) struct Around {
    straight: Offer,
    detour: Detour,
    count: usize,
    threads: usize,
}

impl Around {
    /// Of so many values as the options say; nothing where they say none.
    pub(super) fn found(
        args: &PlanArgs,
        lut: &Lut,
        params: &Params,
        prediction: Prediction,
    ) -> Result<Option<Self>, CliError> {
        let Some(count) = args.count.map(|count| count as usize) else { return Ok(None) };
        let load = Load { threads: args.threads.count(), memory: memory_limit(args), ..Load::of(count) };
        let request = Request { target: args.target(), ..Request::table(lut.clone()) };
        let straight = Offer { params: params.clone(), space: request.space, prediction };
        let found = commands::planned(|| Ok(request.detour(&straight, &load)))?;
        Ok(found.map(|detour| Self { straight, detour, count, threads: load.threads }))
    }

    /// Time, promise, what it takes, and how, in a line.
    pub(super) fn in_words(&self) -> String {
        let (Detour { offer, convert_seconds, seconds: around, .. }, straight) = (&self.detour, &self.straight);
        format!(
            "for {} that are there with engine {}, and keys: {} on {}; or by engine {} {}, of which a conversion takes \
             {}, wrong with {} a value: it takes keys of {} (for the server {}), which results stay with, and a \
             conversion key of {}: {}",
            report::values(self.count),
            straight.params.engine(),
            seconds(straight.prediction.seconds),
            report::threads(self.threads),
            offer.params.engine(),
            seconds(*around),
            seconds(*convert_seconds),
            report::probability(offer.prediction.log2_p_fail),
            offer.params.name(),
            report::size(offer.prediction.key_bytes),
            report::size(self.detour.conversion_key_bytes),
            self.commands().join(" && "),
        )
    }

    /// The commands: K is the directory of keys of the values that are there, X.ct their file.
    fn commands(&self) -> Vec<String> {
        let params = &self.detour.offer.params;
        // Of a batch some are meant.
        let rows = if params.capacity() == 1 { " --rows R" } else { "" };
        vec![
            format!("bootes keygen --params {} --out L", params.name()),
            "bootes conversion-key --from K/client.key --to L/client.key --output V".into(),
            format!("bootes convert --key V --input X.ct{rows} --output Y.ct"),
            "bootes eval --key L/server.key --table T --input Y.ct --output Z.ct".into(),
            "bootes decrypt --key L/client.key --input Z.ct".into(),
        ]
    }

    pub(super) fn to_json(&self) -> Value {
        let Detour { offer, convert_seconds, seconds, conversion_key_bytes, .. } = &self.detour;
        json!({
            "engine": offer.params.engine().to_string(),
            "params": offer.params.name(),
            "seconds": seconds,
            "convert_s": convert_seconds,
            "straight_s": self.straight.prediction.seconds,
            "server_key_bytes": offer.prediction.key_bytes,
            "conversion_key_bytes": conversion_key_bytes,
            "log2_failure": offer.prediction.log2_p_fail,
            "commands": self.commands(),
        })
    }
}
