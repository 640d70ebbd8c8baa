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
        let lists = Engine::ALL.map(|engine| Ok((list_of(engine).to_string(), list(engine)?.into())));
        report::json(&Value::Object(lists.into_iter().collect::<Result<_, CliError>>()?))?;
        return Ok(Outcome::Right);
    }
    // Whole or not at all.
    let lists = Engine::ALL.into_iter().filter(|&engine| wanted(engine)).map(|engine| each(engine, cells));
    for (i, sets) in lists.collect::<Result<Vec<_>, _>>()?.into_iter().enumerate() {
        if i > 0 {
            report::line("")?;
        }
        list(&sets)?;
    }
    Ok(Outcome::Right)
}

/// The name of the part of an engine in an object of JSON.
pub(super) fn list_of(engine: Engine) -> &'static str {
    ["params", "batch", "slots"][engine as usize]
}

/// The values of `of` for each set, one after the other: all at once they take much memory.
fn each<T>(engine: Engine, of: impl Fn(&Params) -> T) -> Result<Vec<T>, CliError> {
    let named = |name: &String| Ok(of(&Params::named(name)?));
    Params::names(engine).iter().map(named).collect()
}

/// A column of a list of sets, which is there if one of them has something in it.
struct Column {
    name: &'static str,
    side: char,
    /// The meaning, in words.
    meaning: &'static str,
    cell: fn(&Params) -> Option<String>,
}

const COLUMNS: [Column; 10] = [
    Column { name: "name", side: 'l', meaning: "", cell: |params| Some(params.name().into()) },
    Column {
        name: "bits",
        side: 'r',
        meaning: "of the widest message, and of the largest table of such",
        cell: |params| params.modulus().is_none().then(|| params.bits().to_string()),
    },
    Column {
        name: "modulus",
        side: 'r',
        meaning: "of values; these are some of the sets, slots_P and slots_P_R for nearly every odd prime P below 2^17 \
                  and small power R (with more than 2048 values P is 1 modulo 4 and below 2^16.5)",
        cell: |params| Some(params.modulus()?.to_string()),
    },
    Column {
        name: "integers",
        side: 'r',
        meaning: "bits of the longest in one ciphertext, for --op, which takes two, and with engine fhew for tables of \
                  as many bits",
        cell: |params| Some(params.integer_bits()?.to_string()),
    },
    Column {
        name: "values",
        side: 'r',
        meaning: "of a ciphertext; modulo a prime P many where P + 1 or P - 1 is a multiple of a large power of two",
        cell: |params| Some(params.capacity()).filter(|&values| values > 1).map(|values| values.to_string()),
    },
    Column {
        name: "p_fail",
        side: 'r',
        meaning: "failure of a value, with engine bfv of a bootstrapping; for every key with engines ckks and bfv",
        cell: |params| Some(report::probability(params.log2_p_fail())),
    },
    Column {
        name: "budget",
        side: 'r',
        meaning: "bits by which the noise of a table's results of the widest messages may grow in sums and products \
                  with constants; of a table without structure with engine fhew, where some leave up to 0.8 bits less",
        cell: |params| result_budget_at_once(params).map(|budget| format!("{budget:.1}")),
    },
    Column {
        name: "security",
        side: 'r',
        meaning: "bits in the standard cost model, with engines ckks and bfv by the least of all estimates, - where \
                  insecure",
        cell: |params| standard(params).map(in_tenths),
    },
    Column {
        name: "strict",
        side: 'r',
        meaning: "bits in the strict cost model",
        cell: |params| strict(params).map(in_tenths),
    },
    Column { name: "", side: 'l', meaning: "", cell: |params| params.is_default().then(|| "default".into()) },
];

/// The cells of a set in the list.
fn cells(params: &Params) -> [Option<String>; COLUMNS.len()] {
    COLUMNS.map(|column| (column.cell)(params))
}

fn list(sets: &[[Option<String>; COLUMNS.len()]]) -> Result<(), CliError> {
    let shown: Vec<usize> = (0..COLUMNS.len()).filter(|&i| sets.iter().any(|set| set[i].is_some())).collect();
    let mut rows = vec![shown.iter().map(|&i| COLUMNS[i].name.to_string()).collect::<Vec<_>>()];
    for set in sets {
        let absent = |i: usize| if COLUMNS[i].name.is_empty() { "" } else { "-" };
        rows.push(shown.iter().map(|&i| set[i].clone().unwrap_or_else(|| absent(i).into())).collect());
    }
    let sides: String = shown.iter().map(|&i| COLUMNS[i].side).collect();
    report::out(report::columns(&sides, &rows).as_bytes())?;
    let columns = shown.iter().map(|&i| &COLUMNS[i]).filter(|column| !column.meaning.is_empty());
    let meanings: Vec<String> = columns.map(|column| format!("{}: {}", column.name, column.meaning)).collect();
    report::line(&format!("{}; `bootes params NAME` describes a set", meanings.join("; ")))
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
        "result_budget_bits": result_budget_at_once(params),
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

/// The noise budget of results, where it is a formula; of many values at once it takes a second.
fn result_budget_at_once(params: &Params) -> Option<f64> {
    if params.capacity() == 1 { params.result_budget() } else { None }
}

/// Bits of security, rounded down.
fn in_tenths(bits: f64) -> String {
    format!("{:.1}", (bits * 10.0).floor() / 10.0)
}

/// A set in one line of a report.
pub(crate) fn one_line(params: &Params) -> String {
    let security = match (standard(params), strict(params)) {
        (None, _) => "INSECURE, for tests only".to_string(),
        (Some(bits), None) => format!("{} bits of security", in_tenths(bits)),
        (Some(bits), Some(strict)) => {
            format!("{} bits of security ({} in the strict model)", in_tenths(bits), in_tenths(strict))
        }
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
