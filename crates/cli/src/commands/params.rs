//! `bootes params`: the parameter sets.

use bootes::ckks;
use bootes::fhew::Params;
use serde_json::{Value, json};

use super::Outcome;
use crate::args::{Engine, ParamsArgs};
use crate::batch;
use crate::error::CliError;
use crate::files;
use crate::report;

pub(crate) fn run(args: &ParamsArgs) -> Result<Outcome, CliError> {
    match &args.name {
        Some(name) if Engine::of_set(name) == Engine::Ckks => {
            let params = ckks::by_name(name)?;
            match args.json {
                true => report::json(&batch_json(&params))?,
                false => report::out(batch_description(&params).as_bytes())?,
            }
        }
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
            let literals = ckks::literals();
            let batch = literals.iter().map(|set| ckks::by_name(&set.name)).collect::<Result<Vec<_>, _>>()?;
            if args.json {
                report::json(&json!({
                    "params": all.iter().map(to_json).collect::<Vec<_>>(),
                    "batch": batch.iter().map(batch_json).collect::<Vec<_>>(),
                }))?;
            } else {
                list(&all)?;
                list_batch(&batch)?;
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

fn list_batch(all: &[ckks::Params]) -> Result<(), CliError> {
    let head = ["name", "bits", "values", "levels", "log QP", "security", "p_fail"];
    let mut rows = vec![head.map(String::from).to_vec()];
    for params in all {
        rows.push(vec![
            params.name().to_string(),
            params.literal().bits.to_string(),
            format!("2^{}", params.literal().log2_degree),
            params.ckks().max_level().to_string(),
            format!("{:.0}", params.ckks().log2_modulus()),
            bits(batch::security(params)),
            report::probability(params.log2_p_fail()),
        ]);
    }
    report::out(format!("\n{}", report::columns("lrrrrrr", &rows)).as_bytes())?;
    report::line(
        "engine ckks: bits of the largest table; values N of a ciphertext; security: bits by the least of all estimates, - where insecure; \
         p_fail: failure of a value, with every key",
    )
}

fn batch_json(params: &ckks::Params) -> Value {
    let ckks = params.ckks();
    json!({
        "name": params.name(),
        "engine": "ckks",
        "bits": params.literal().bits,
        "capacity": params.capacity(),
        "levels": ckks.max_level(),
        "log2_qp": ckks.log2_modulus(),
        "log2_ciphertext_modulus": params.literal().log2_modulus,
        "security_bits": batch::security(params),
        "log2_p_fail": params.log2_p_fail(),
        "fingerprint": files::hex(&params.fingerprint()),
    })
}

/// A set of the batch engine in words, several lines.
fn batch_description(params: &ckks::Params) -> String {
    let (literal, ckks) = (params.literal(), params.ckks());
    let security = match batch::security(params) {
        Some(bits) => format!("{bits:.1} bits by the least of all estimates"),
        None => "INSECURE, for tests only".to_string(),
    };
    let exponential = params.exponential();
    let rows = [
        ("engine", "ckks".to_string()),
        ("tables", format!("of up to {} bits, full domain, any modulus", literal.bits)),
        ("ciphertext", format!("N = {} values, modulus 2^{}", params.capacity(), literal.log2_modulus)),
        ("security", security),
        (
            "moduli",
            format!("log QP = {:.1}: {} levels of {} bits", ckks.log2_modulus(), ckks.max_level(), literal.scale_bits),
        ),
        ("keys", format!("ternary of weight {}, raised under one of weight {}", literal.weight, literal.sparse_weight)),
        ("gadget", format!("digits of {} primes, {} special primes", literal.digit_primes, literal.special_primes)),
        ("maps", format!("{} stages to slots, {} back", literal.to_slots, literal.to_coeffs)),
        (
            "circle",
            format!(
                "degree {}, {} squarings, phases up to {}",
                exponential.degree(),
                exponential.doublings(),
                exponential.bound()
            ),
        ),
        ("failure", format!("at most {} a value, with every key", report::probability(params.log2_p_fail()))),
        ("chains", chains(params)),
        ("fingerprint", files::hex(&params.fingerprint())),
    ];
    let rows = rows.into_iter().map(|(name, value)| format!("  {name:<16}{value}\n"));
    format!("parameter set {}\n{}", params.name(), rows.collect::<String>())
}

/// How many tables in a row keep the promise, whatever they are.
fn chains(params: &ckks::Params) -> String {
    const MOST: u32 = 32;
    match ckks::chain(params, MOST) {
        Ok(MOST) => "any tables on results, and so on without end".to_string(),
        Ok(1) => "tables on fresh ciphertexts; on results where their noise allows it".to_string(),
        Ok(count) => format!("any {count} tables in a row, more where their noise allows it"),
        Err(error) => error.to_string(),
    }
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
