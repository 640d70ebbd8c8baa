//! `bootes params`: the parameter sets.

use bootes::Params;
use serde_json::{Value, json};

use super::Outcome;
use crate::args::ParamsArgs;
use crate::error::CliError;
use crate::files;
use crate::report;

pub(crate) fn run(args: &ParamsArgs) -> Result<Outcome, CliError> {
    match &args.name {
        Some(name) => {
            let params = Params::by_name(name)?;
            if args.json {
                report::json(&to_json(&params))?;
            } else {
                report::line(params.description().trim_end())?;
            }
        }
        None => {
            let all = Params::all();
            if args.json {
                report::json(&json!({ "params": all.iter().map(to_json).collect::<Vec<_>>() }))?;
            } else {
                list(&all)?;
            }
        }
    }
    Ok(Outcome::Right)
}

fn list(all: &[Params]) -> Result<(), CliError> {
    let mut rows = vec![["name", "bits", "integers", "p_fail", "security", "strict", ""].map(String::from).to_vec()];
    for params in all {
        let security = Security::of(params);
        rows.push(vec![
            params.name().to_string(),
            params.bits().to_string(),
            params.integer_bits().map_or("-".to_string(), |bits| bits.to_string()),
            report::probability(params.log2_p_fail()),
            bits(security.standard),
            bits(security.strict),
            if params.is_default() { "default".to_string() } else { String::new() },
        ]);
    }
    report::out(report::columns("lrrrrrl", &rows).as_bytes())?;
    report::line(
        "bits: of the widest message; integers: bits of the longest in one ciphertext, for tables of as many bits and for --op, which takes two; p_fail: failure of a value; security, strict: bits in the standard and the strict cost \
         model, - where insecure; `bootes params NAME` describes a set",
    )
}

fn to_json(params: &Params) -> Value {
    let security = Security::of(params);
    json!({
        "name": params.name(),
        "bits": params.bits(),
        "integer_bits": params.integer_bits(),
        "log2_p_fail": params.log2_p_fail(),
        "security_bits": security.standard,
        "security_bits_strict": security.strict,
        "default": params.is_default(),
        "fingerprint": files::hex(&params.fingerprint()),
        "description": params.description(),
    })
}

/// The estimates of a set in bits; `None` for a toy set, which has none.
pub(crate) struct Security {
    pub(crate) standard: Option<f64>,
    pub(crate) strict: Option<f64>,
}

impl Security {
    pub(crate) fn of(params: &Params) -> Self {
        let estimate = params.security().ok();
        Self {
            standard: estimate.as_ref().map(|estimate| estimate.standard_bits),
            strict: estimate.as_ref().map(|estimate| estimate.strict_bits),
        }
    }
}

/// Bits of security, rounded down; the table has a dash for a set that is insecure.
fn bits(estimate: Option<f64>) -> String {
    estimate.map_or("-".to_string(), |bits| format!("{:.1}", (bits * 10.0).floor() / 10.0))
}

/// A set in one line of a report.
pub(crate) fn one_line(params: &Params) -> String {
    let security = Security::of(params);
    let security = match security.standard {
        Some(_) => {
            format!("{} bits of security ({} in the strict model)", bits(security.standard), bits(security.strict))
        }
        None => "INSECURE, for tests only".to_string(),
    };
    let integers = params.integer_bits().map_or(String::new(), |bits| format!(", integers of up to {bits}"));
    format!(
        "parameters {}: messages of up to {} bits{integers}, failure at most {} a value, {security}",
        params.name(),
        params.bits(),
        report::probability(params.log2_p_fail()),
    )
}
