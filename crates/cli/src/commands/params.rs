//! `bootes params`: the parameter sets.

use bootes::{Engine, Params};
use serde_json::{Value, json};

use super::Outcome;
use crate::args::ParamsArgs;
use crate::error::CliError;
use crate::files;
use crate::report;

pub(crate) fn run(args: &ParamsArgs) -> Result<Outcome, CliError> {
    if let Some(name) = &args.name {
        let params = Params::named(name)?;
        match args.json {
            true => {
                let mut object = to_json(&params);
                object["description"] = params.description().into();
                object["result_budget_bits"] = json!(params.result_budget());
                report::json(&object)?;
            }
            false => report::line(params.description().trim_end())?,
        }
        return Ok(Outcome::Right);
    }
    let wanted = |engine| args.engine.is_none_or(|wanted| wanted == engine);
    if args.json {
        let list = |engine| if wanted(engine) { each(engine, to_json) } else { Ok(Vec::new()) };
        let [fhew, ckks, bfv] = [list(Engine::Fhew)?, list(Engine::Ckks)?, list(Engine::Bfv)?];
        report::json(&json!({ "params": fhew, "batch": ckks, "slots": bfv }))?;
        return Ok(Outcome::Right);
    }
    // Whole or not at all.
    let lists: [(Engine, Row); 3] = [(Engine::Fhew, fhew_row), (Engine::Ckks, ckks_row), (Engine::Bfv, bfv_row)];
    let lists = lists.into_iter().filter(|(engine, _)| wanted(*engine));
    let lists = lists.map(|(engine, row)| Ok((engine, each(engine, row)?))).collect::<Result<Vec<_>, CliError>>()?;
    for (i, (engine, rows)) in lists.into_iter().enumerate() {
        if i > 0 {
            report::line("")?;
        }
        match engine {
            Engine::Fhew => list_fhew(rows)?,
            Engine::Ckks => list_ckks(rows)?,
            Engine::Bfv => list_bfv(rows)?,
        }
    }
    Ok(Outcome::Right)
}

/// What the table has of a set.
type Row = fn(&Params) -> Vec<String>;

/// What there is to say of each set, one after the other: all at once they take much memory.
fn each<T>(engine: Engine, of: impl Fn(&Params) -> T) -> Result<Vec<T>, CliError> {
    let named = |name: &String| Ok(of(&Params::named(name)?));
    Params::names(engine).iter().map(named).collect()
}

fn fhew_row(params: &Params) -> Vec<String> {
    vec![
        params.name().to_string(),
        params.bits().to_string(),
        params.integer_bits().map_or("-".to_string(), |bits| bits.to_string()),
        report::probability(params.log2_p_fail()),
        params.result_budget().map_or("-".to_string(), |budget| format!("{budget:.1}")),
        bits(standard(params)),
        bits(strict(params)),
        if params.is_default() { "default".to_string() } else { String::new() },
    ]
}

fn list_fhew(list: Vec<Vec<String>>) -> Result<(), CliError> {
    let mut rows =
        vec![["name", "bits", "integers", "p_fail", "budget", "security", "strict", ""].map(String::from).to_vec()];
    rows.extend(list);
    report::out(report::columns("lrrrrrrl", &rows).as_bytes())?;
    report::line(
        "bits: of the widest message; integers: bits of the longest in one ciphertext, for tables of as many bits and \
         for --op, which takes two; p_fail: failure of a value; budget: bits by which the noise of a table's results \
         of the widest messages may grow in sums and products with constants; security, strict: bits in the standard \
         and the strict cost model, - where insecure; `bootes params NAME` describes a set",
    )
}

fn ckks_row(params: &Params) -> Vec<String> {
    vec![
        params.name().to_string(),
        params.bits().to_string(),
        params.integer_bits().map_or("-".to_string(), |bits| bits.to_string()),
        params.capacity().to_string(),
        bits(standard(params)),
        report::probability(params.log2_p_fail()),
    ]
}

fn list_ckks(list: Vec<Vec<String>>) -> Result<(), CliError> {
    let mut rows = vec![["name", "bits", "integers", "values", "security", "p_fail"].map(String::from).to_vec()];
    rows.extend(list);
    report::out(report::columns("lrrrrr", &rows).as_bytes())?;
    report::line(
        "engine ckks: bits of the largest table; integers: bits of the longest in one ciphertext, for --op, which \
         takes two; values N of a ciphertext; security: bits by the least of all estimates, - where insecure; p_fail: \
         failure of a value, with every key; `bootes params NAME` has the noise budget of results",
    )
}

fn bfv_row(params: &Params) -> Vec<String> {
    vec![
        params.name().to_string(),
        params.modulus().unwrap_or(0).to_string(),
        params.capacity().to_string(),
        bits(standard(params)),
        report::probability(params.log2_p_fail()),
    ]
}

fn list_bfv(list: Vec<Vec<String>>) -> Result<(), CliError> {
    let mut rows = vec![["name", "modulus", "values", "security", "p_fail"].map(String::from).to_vec()];
    rows.extend(list);
    report::out(report::columns("lrrrr", &rows).as_bytes())?;
    report::line(
        "engine bfv: some of the sets, slots_P and slots_P_R for nearly every odd prime P below 2^17 and small power \
         R (with more than 2048 values P is 1 modulo 4 and below 2^16.5); values of a ciphertext, many where P + 1 or \
         P - 1 is a multiple of a large power of two; p_fail: failure of a bootstrapping, with every key",
    )
}

/// Without what may take a second: its description, which tells what chains of tables a set bears, and the budget of
/// results of engine ckks.
fn to_json(params: &Params) -> Value {
    json!({
        "modulus": params.modulus(),
        "name": params.name(),
        "engine": params.engine().to_string(),
        "bits": params.bits(),
        "integer_bits": params.integer_bits(),
        "capacity": params.capacity(),
        "log2_p_fail": params.log2_p_fail(),
        "result_budget_bits": (params.engine() == Engine::Fhew).then(|| params.result_budget()),
        "security_bits": standard(params),
        "security_bits_strict": strict(params),
        "default": params.is_default(),
        "fingerprint": files::hex(&params.fingerprint()),
    })
}

/// Bits of security; `None` for a toy set, which has none.
pub(crate) fn standard(params: &Params) -> Option<f64> {
    params.security().map(|security| security.standard)
}

/// The same in the strict cost model, where there is such an estimate.
pub(crate) fn strict(params: &Params) -> Option<f64> {
    params.security()?.strict
}

/// Bits of security, rounded down; the table has a dash for a set that is insecure.
fn bits(estimate: Option<f64>) -> String {
    estimate.map_or("-".to_string(), |bits| format!("{:.1}", (bits * 10.0).floor() / 10.0))
}

/// A set in one line of a report.
pub(crate) fn one_line(params: &Params) -> String {
    let security = match (standard(params), strict(params)) {
        (None, _) => "INSECURE, for tests only".to_string(),
        (security, None) => format!("{} bits of security", bits(security)),
        (security, strict) => format!("{} bits of security ({} in the strict model)", bits(security), bits(strict)),
    };
    let integers = params.integer_bits().map_or(String::new(), |bits| format!(", integers of up to {bits}"));
    let values = match params.capacity() {
        1 => String::new(),
        values => format!(", {values} values a ciphertext"),
    };
    let messages = match params.modulus() {
        Some(modulus) => format!("values modulo {modulus}"),
        None => format!("messages of up to {} bits", params.bits()),
    };
    format!(
        "parameters {}: {messages}{integers}{values}, failure at most {} a value, {security}",
        params.name(),
        report::probability(params.log2_p_fail()),
    )
}
