//! `bootes plan`: every algorithm with every parameter set, and the choice.

use std::time::Duration;

use bootes::fhew::{Candidate, Prediction};
use bootes::{FailureTarget, LargeLut, Lut, Objective};
use serde_json::{Value, json};

use super::Outcome;
use crate::args::{Engine, Need, PlanArgs};
use crate::batch;
use crate::error::CliError;
use crate::report;
use crate::table;

/// What became of a combination.
enum Verdict {
    Chosen,
    /// Worse than the choice, how.
    Worse(String),
    /// Over the limit of memory.
    TooLarge(String),
    Refused(String),
}

impl Verdict {
    fn name(&self) -> &'static str {
        match self {
            Self::Chosen => "chosen",
            Self::Worse(_) => "worse",
            Self::TooLarge(_) => "too large",
            Self::Refused(_) => "refused",
        }
    }

    fn reason(&self) -> &str {
        match self {
            Self::Chosen => "the choice",
            Self::Worse(reason) | Self::TooLarge(reason) | Self::Refused(reason) => reason,
        }
    }
}

pub(crate) fn run(args: &PlanArgs) -> Result<Outcome, CliError> {
    let target = args.pfail.unwrap_or(FailureTarget::Two128);
    let objective = args.objective.unwrap_or_default();
    let size = args.modulus.unwrap_or(1 << args.bits.unwrap_or(1));
    match (args.engine, &args.params) {
        (Some(Engine::Fhew), Some(_)) => {
            return Err(CliError::new("--params names a set of engine ckks: engine fhew compares all of its own"));
        }
        (Some(Engine::Ckks), _) | (None, Some(_)) => return batch_alone(args, size),
        _ => {}
    }
    let mut candidates = match table::need(size) {
        Need::Digits(bits) => {
            let lut = LargeLut::unstructured(bits).map_err(|error| CliError::new(error.to_string()))?;
            bootes::fhew::large_candidates(&lut, target)
        }
        _ => bootes::fhew::candidates(&Lut::unstructured_modulo(size), target),
    };
    if let Some(count) = args.count {
        for prediction in candidates.iter_mut().filter_map(|c| c.outcome.as_mut().ok()) {
            *prediction = prediction.for_count(count);
        }
    }
    candidates.sort_by(|a, b| {
        let score = |c: &Candidate| c.outcome.as_ref().map_or([f64::INFINITY; 2], |p| p.score(objective));
        score(a).partial_cmp(&score(b)).unwrap_or(std::cmp::Ordering::Equal)
    });
    let limit = args.memory.map(|gigabytes| gigabytes * 1e9);
    let fits = |p: &Prediction| limit.is_none_or(|limit| p.keys.memory as f64 <= limit);
    let Some((choice, best)) = candidates.iter().enumerate().find_map(|(i, c)| match &c.outcome {
        Ok(p) if fits(p) => Some((i, *p)),
        _ => None,
    }) else {
        return Err(no_choice(args, &candidates));
    };
    let verdict = |i: usize| match &candidates[i].outcome {
        _ if i == choice => Verdict::Chosen,
        Err(error) => Verdict::Refused(format!("refused: {error}")),
        Ok(p) if !fits(p) => Verdict::TooLarge(format!(
            "its expanded key takes {}, over {}",
            report::size(p.keys.memory as u64),
            report::size(limit.unwrap_or(0.0) as u64)
        )),
        Ok(p) => Verdict::Worse(worse(p, &best, objective)),
    };
    let count = args.count;
    // The other engine has sets of its own, and one method.
    let batch = match args.engine {
        None => Some(batch::compare::row(None, size, Some(best), count, args.threads.count())),
        Some(_) => None,
    };
    if args.json {
        let list: Vec<Value> =
            candidates.iter().enumerate().map(|(i, c)| to_json(c, &verdict(i), count, args.explain)).collect();
        let recommended = match (&batch, count) {
            (Some(Ok(row)), Some(count)) => Some(row.recommended(count, args.pfail, limit).0.name()),
            _ => None,
        };
        let batch = batch.map(|row| match row {
            Ok(row) => row.to_json(count),
            Err(error) => json!({ "engine": "ckks", "refused": error.to_string() }),
        });
        report::json(&json!({
            "bits": size.next_power_of_two().ilog2(),
            "modulus": args.modulus,
            "count": count,
            "log2_p_fail": target.log2(),
            "objective": objective.to_string(),
            "memory_limit_bytes": limit,
            "choice": to_json(&candidates[choice], &Verdict::Chosen, count, false),
            "candidates": list,
            "batch": batch,
            "recommended_engine": recommended,
        }))?;
        return Ok(Outcome::Right);
    }
    let mut head = vec!["algorithm", "parameters", "rotations", "noise", "p_fail", "a value", "latency"];
    let many = count.map(values_in_words);
    head.extend(many.as_deref());
    head.extend(["key", "memory", if args.explain { "why" } else { "" }]);
    let mut rows = vec![head.into_iter().map(String::from).collect::<Vec<_>>()];
    for (i, candidate) in candidates.iter().enumerate() {
        let verdict = verdict(i);
        let why = match (&verdict, args.explain) {
            (Verdict::Chosen, false) => "chosen",
            (Verdict::TooLarge(_), false) => "too large",
            (Verdict::Worse(_), false) => "",
            (Verdict::Refused(_), false) => continue,
            (_, true) => verdict.reason(),
        };
        rows.push(row(candidate, count, why));
    }
    let sides = if args.count.is_some() { "llrrrrrrrrl" } else { "llrrrrrrrl" };
    report::out(report::columns(sides, &rows).as_bytes())?;
    let refused = candidates.iter().filter(|c| c.outcome.is_err()).count();
    let (chosen, p) = (&candidates[choice], &best);
    report::line(&format!(
        "choice by {objective}: {} with {}, {} a value on one thread (latency {}){}, server key {} ({} expanded){}",
        chosen.algorithm,
        chosen.params.name(),
        seconds(p.seconds),
        seconds(p.latency_seconds),
        count.map_or(String::new(), |n| format!(", {} for {}", seconds(p.seconds * n as f64), values_in_words(n))),
        report::size(p.keys.stored as u64),
        report::size(p.keys.memory as u64),
        match (refused, args.explain) {
            (0, _) | (_, true) => String::new(),
            (refused, false) => format!("; {refused} combinations are refused, --explain says why"),
        },
    ))?;
    match batch {
        Some(Ok(row)) => {
            report::out(row.in_words(count).as_bytes())?;
            if let Some(count) = count {
                let (engine, reason) = row.recommended(count, args.pfail, limit);
                report::line(&format!("for {}: engine {} {reason}", values_in_words(count), engine.name()))?;
            }
        }
        Some(Err(error)) => report::line(&format!("engine ckks: refused: {error}"))?,
        None => {}
    }
    Ok(Outcome::Right)
}

/// The batch engine by itself.
fn batch_alone(args: &PlanArgs, size: u64) -> Result<Outcome, CliError> {
    let row = batch::compare::row(args.params.as_deref(), size, None, args.count, args.threads.count())?;
    let limit = args.memory.map(|gigabytes| gigabytes * 1e9);
    if let Some(limit) = limit.filter(|&limit| row.memory() as f64 > limit) {
        return Err(CliError::new(format!(
            "engine ckks takes {} of memory, over {}; raise --memory",
            report::size(row.memory()),
            report::size(limit as u64)
        )));
    }
    if args.json {
        report::json(&json!({ "modulus": size, "count": args.count, "batch": row.to_json(args.count) }))?;
    } else {
        report::out(row.in_words(args.count).as_bytes())?;
    }
    Ok(Outcome::Right)
}

/// Every combination is refused or over the limit.
fn no_choice(args: &PlanArgs, candidates: &[Candidate]) -> CliError {
    let least = candidates.iter().filter_map(|c| c.outcome.as_ref().ok()).map(|p| p.keys.memory).min();
    CliError::new(match (least, args.memory) {
        (Some(least), Some(limit)) => format!(
            "no combination has a key of at most {limit} GB in memory: the smallest takes {}; raise --memory",
            report::size(least as u64)
        ),
        _ => format!(
            "no algorithm keeps the promise for tables of this size with any parameter set: {}",
            match args.pfail {
                Some(FailureTarget::Two64) => "plan a smaller one",
                _ => "plan a smaller one, or try --pfail -64",
            }
        ),
    })
}

fn worse(p: &Prediction, best: &Prediction, objective: Objective) -> String {
    let ratio = p.score(objective)[0] / best.score(objective)[0];
    // Equal by the objective: then time decides.
    if ratio < 1.005 {
        let slower = p.seconds / best.seconds;
        return if slower < 1.005 { "as good".to_string() } else { format!("as good, but slower by {slower:.2}") };
    }
    match objective {
        Objective::Throughput => format!("slower by {ratio:.2}"),
        Objective::Latency => format!("longer latency by {ratio:.2}"),
        Objective::KeySize => format!("larger key by {ratio:.2}"),
        Objective::Noise => format!("more noise by {ratio:.2}"),
    }
}

/// "1 value", "2 values".
fn values_in_words(count: u64) -> String {
    if count == 1 { "1 value".to_string() } else { format!("{count} values") }
}

fn row(candidate: &Candidate, count: Option<u64>, why: &str) -> Vec<String> {
    let mut row = vec![candidate.algorithm.clone(), candidate.params.name().to_string()];
    match &candidate.outcome {
        Ok(p) => {
            row.extend([
                p.rotations.to_string(),
                format!("2^{:.1}", p.output_std.log2()),
                report::probability(p.log2_p_fail),
                seconds(p.seconds),
                seconds(p.latency_seconds),
            ]);
            row.extend(count.map(|count| seconds(p.seconds * count as f64)));
            row.extend([p.keys.stored, p.keys.memory].map(|bytes| report::size(bytes as u64)));
        }
        Err(_) => row.extend(vec!["-".to_string(); if count.is_some() { 8 } else { 7 }]),
    }
    row.push(why.to_string());
    row
}

fn to_json(candidate: &Candidate, verdict: &Verdict, count: Option<u64>, explain: bool) -> Value {
    let mut object = json!({
        "algorithm": candidate.algorithm,
        "params": candidate.params.name(),
        "verdict": verdict.name(),
    });
    if explain {
        object["reason"] = json!(verdict.reason());
    }
    if let Ok(p) = &candidate.outcome {
        object["rotations"] = json!(p.rotations);
        object["log2_noise_std"] = json!(p.output_std.log2());
        object["log2_p_fail"] = json!(p.log2_p_fail);
        object["per_value_ms"] = json!(p.seconds * 1e3);
        object["latency_ms"] = json!(p.latency_seconds * 1e3);
        object["total_s"] = json!(count.map(|count| p.seconds * count as f64));
        object["keygen_s"] = json!(p.key_seconds);
        object["expand_s"] = json!(p.expand_seconds);
        object["server_key_bytes"] = json!(p.keys.stored);
        object["memory_bytes"] = json!(p.keys.memory);
    }
    object
}

fn seconds(seconds: f64) -> String {
    report::duration(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
}
