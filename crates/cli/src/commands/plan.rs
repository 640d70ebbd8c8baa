//! `bootes plan`: every algorithm with every parameter set, and the choice.

use bootes::planner::{self, Choice, Reason, Request};
use bootes::{Candidate, Engine, FailureTarget, Load, Lut, MaskStorage, Objective, Params, Prediction};
use serde_json::{Value, json};

use super::Outcome;
use super::params::standard;
use crate::args::{Need, PlanArgs, check_promise};
use crate::error::{CliError, in_words};
use crate::report::{self, seconds};

/// Values, where nobody says how many: whole batches of both engines.
const MANY: u64 = 1 << 20;

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

/// Memory below which predictions may find none: sets of engine ckks and bounds of noise, not asked for step by step.
const ROOM: u64 = 120_000_000;

pub(crate) fn run(args: &PlanArgs) -> Result<Outcome, CliError> {
    if let Some(available) = bootes::available_memory().filter(|&available| available < ROOM) {
        return Err(bootes::Error::Memory { needed: ROOM, available }.into());
    }
    let target = args.pfail.unwrap_or(FailureTarget::Two128);
    let objective = args.objective.unwrap_or_default();
    let size = args.modulus.unwrap_or(1 << args.bits.unwrap_or(1));
    let lut = Lut::unstructured_modulo(size);
    let load = Load { threads: args.threads.count(), ..Load::of(args.count.unwrap_or(MANY) as usize) };
    let set = args.params.as_deref().map(Params::named).transpose()?;
    set.as_ref().map_or(Ok(()), |set| check_promise(set, args.pfail))?;
    match (args.engine, set.as_ref().map(Params::engine)) {
        (Some(engine), Some(found)) if engine != found => {
            let name = args.params.as_deref().unwrap_or_default();
            return Err(CliError::new(format!(
                "{name} is a parameter set of engine {found}, not {engine}: leave --engine out, or name another set \
                 (see bootes params)"
            )));
        }
        (Some(Engine::Ckks), _) | (None, Some(Engine::Ckks)) => return many_alone(args, &lut),
        (Some(Engine::Bfv), _) | (None, Some(Engine::Bfv)) => {
            let slots = Slots::new(args, &lut)?;
            return if args.json { report::json(&slots.to_json()) } else { report::line(&slots.in_words()) }
                .map(|()| Outcome::Right);
        }
        // Larger than any table of the other engine.
        (None, None) if Need::of_modulus(size).engine() == Engine::Ckks => return large(args, &lut),
        (Some(engine), None) => Need::of_modulus(size).check_engine(engine)?,
        _ => {}
    }
    let mut candidates = match &set {
        Some(set) => {
            let need = Need::of_modulus(size);
            need.check(set).map_err(|refusal| CliError::new(format!("the {refusal}: name another set")))?;
            set.candidates(&lut, &load)
        }
        None => bootes::candidates(Engine::Fhew, &lut, target, &load),
    };
    candidates.sort_by(|a, b| {
        let score = |c: &Candidate| c.outcome.as_ref().map_or([f64::INFINITY; 2], |p| p.score(objective));
        score(a).partial_cmp(&score(b)).unwrap_or(std::cmp::Ordering::Equal)
    });
    let limit = args.memory.map(|gigabytes| gigabytes * 1e9);
    let fits = |p: &Prediction| limit.is_none_or(|limit| p.memory.peak() as f64 <= limit);
    let Some((choice, best)) = candidates.iter().enumerate().find_map(|(i, c)| match &c.outcome {
        Ok(p) if fits(p) => Some((i, *p)),
        _ => None,
    }) else {
        return Err(no_choice(args, &candidates));
    };
    let verdict = |i: usize| match &candidates[i].outcome {
        _ if i == choice => Verdict::Chosen,
        Err(error) => Verdict::Refused(format!("refused: {}", in_words(error))),
        Ok(p) if !fits(p) => Verdict::TooLarge(format!(
            "its expanded key takes {}, over {}",
            report::needed(p.memory.peak()),
            report::room(limit.unwrap_or(0.0) as u64)
        )),
        Ok(p) => Verdict::Worse(worse(p, &best, objective)),
    };
    let (count, chosen) = (args.count, &candidates[choice]);
    // The other engine has sets of its own, and one method.
    let many = match args.engine.or(set.as_ref().map(Params::engine)) {
        None => Some(Many::new(args, &lut, Some((&chosen.params, best)))),
        Some(_) => None,
    };
    let slots = if many.is_some() { Slots::beside(args, &lut) } else { None };
    if args.json {
        let list: Vec<Value> =
            candidates.iter().enumerate().map(|(i, c)| to_json(c, &verdict(i), args, args.explain)).collect();
        let recommended = match (&many, count) {
            (Some(_), Some(count)) => Some(choice_of_engine(args, &lut, count)?.offer.params.engine().to_string()),
            _ => None,
        };
        let many = many.map(|many| match many {
            Ok(many) => many.to_json(count),
            Err(error) => json!({ "engine": "ckks", "refused": error.to_string() }),
        });
        report::json(&json!({
            "bits": size.next_power_of_two().ilog2(),
            "modulus": args.modulus,
            "count": count,
            "log2_p_fail": set.as_ref().map_or(f64::from(target.log2()), Params::log2_p_fail),
            "objective": objective.to_string(),
            "memory_limit_bytes": limit,
            "choice": to_json(chosen, &Verdict::Chosen, args, false),
            "candidates": list,
            "batch": many,
            "recommended_engine": recommended,
            "slots": slots.map(|slots| match slots {
                Ok(slots) => slots.to_json(),
                Err(error) => json!({ "engine": "bfv", "refused": error.to_string() }),
            }),
        }))?;
        return Ok(Outcome::Right);
    }
    let mut head = vec!["algorithm", "parameters", "rotations", "noise", "p_fail", "a value", "latency"];
    let values = count.map(values_in_words);
    head.extend(values.as_deref());
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
        rows.push(row(candidate, args, why));
    }
    let sides = if args.count.is_some() { "llrrrrrrrrl" } else { "llrrrrrrrl" };
    report::out(report::columns(sides, &rows).as_bytes())?;
    if rows.iter().any(|row| row[0].ends_with('*')) {
        report::line("an algorithm with * takes several tables from one rotation (multi-value bootstrapping)")?;
    }
    let refused = candidates.iter().filter(|c| c.outcome.is_err()).count();
    report::line(&format!(
        "choice by {objective}: {} with {}, {} a value on one thread (latency {}){}, server key {} ({} expanded){}",
        chosen.algorithm,
        chosen.params.name(),
        seconds(a_value(&best, args)),
        seconds(best.latency_seconds),
        count.map_or(String::new(), |n| format!(", {} for {}", seconds(best.cpu_seconds), values_in_words(n))),
        report::size(best.key_bytes),
        report::needed(best.memory.peak()),
        match (refused, args.explain) {
            (0, _) | (_, true) => String::new(),
            (refused, false) => format!("; {refused} combinations are refused, --explain says why"),
        },
    ))?;
    match many {
        Some(Ok(many)) => report::out(many.in_words(count).as_bytes())?,
        Some(Err(error)) => report::line(&format!("engine ckks: refused: {error}"))?,
        None => return Ok(Outcome::Right),
    }
    match slots {
        Some(Ok(slots)) => report::line(&slots.in_words())?,
        Some(Err(error)) => report::line(&format!("engine bfv: refused: {error}"))?,
        None => {}
    }
    if let Some(count) = count {
        report::line(&in_words_of_choice(&choice_of_engine(args, &lut, count)?, args, count))?;
    }
    Ok(Outcome::Right)
}

/// The engine of least time for the whole job.
fn choice_of_engine(args: &PlanArgs, lut: &Lut, count: u64) -> Result<Choice, CliError> {
    let target = args.pfail.unwrap_or(FailureTarget::Two128);
    let load = Load { threads: args.threads.count(), memory: memory_limit(args), ..Load::of(count as usize) };
    Ok(planner::choose(&Request { target, ..Request::table(lut.clone()) }, &load)?)
}

/// The choice in a line, and what the others would take.
fn in_words_of_choice(choice: &Choice, args: &PlanArgs, count: u64) -> String {
    let other = |(engine, reason): &(Engine, Reason)| match reason {
        Reason::Slower(offer) => Some(format!("engine {engine} {}", seconds(offer.prediction.job_seconds))),
        Reason::NotTried(least) => Some(format!("engine {engine} over {}", seconds(*least))),
        // Which moduli it has is told elsewhere.
        Reason::Refused(_) if *engine == Engine::Bfv => None,
        Reason::Refused(error) => Some(format!("engine {engine} is refused: {}", in_words(error))),
    };
    let others: Vec<String> = choice.others.iter().filter_map(other).collect();
    let others = if others.is_empty() { String::new() } else { format!(" ({})", others.join("; ")) };
    format!(
        "for {}: engine {} takes the least time for the whole job, keys and all: {} on {}{others}",
        values_in_words(count),
        choice.offer.params.engine(),
        seconds(choice.offer.prediction.job_seconds),
        report::threads(args.threads.count()),
    )
}

/// A table larger than any of engine fhew.
fn large(args: &PlanArgs, lut: &Lut) -> Result<Outcome, CliError> {
    let (many, slots) = (many_alone(args, lut), Slots::beside(args, lut));
    match (many, slots) {
        (many, Some(slots)) if !args.json => {
            let line = match (&many, slots) {
                (_, Ok(slots)) => slots.in_words(),
                (Ok(_), Err(error)) => format!("engine bfv: refused: {error}"),
                (Err(many), Err(slots)) => return Err(CliError::new(format!("{many}; engine bfv: {slots}"))),
            };
            if let Err(error) = many {
                report::line(&format!("engine ckks: refused: {error}"))?;
            }
            report::line(&line).map(|()| Outcome::Right)
        }
        (Err(_), Some(Ok(slots))) => report::json(&slots.to_json()).map(|()| Outcome::Right),
        (many, _) => many,
    }
}

/// What engine bfv would do with a table modulo a prime.
struct Slots {
    params: Params,
    prediction: Prediction,
    count: u64,
    threads: usize,
}

impl Slots {
    /// Beside other engines: nothing for a modulus that has no slots.
    fn beside(args: &PlanArgs, lut: &Lut) -> Option<Result<Self, CliError>> {
        args.modulus.filter(|&p| args.params.is_none() && Params::for_slots(p).is_ok())?;
        Some(Self::new(args, lut))
    }

    fn new(args: &PlanArgs, lut: &Lut) -> Result<Self, CliError> {
        let count = args.count.unwrap_or(MANY);
        let load = Load { threads: args.threads.count(), memory: memory_limit(args), ..Load::of(count as usize) };
        let params = match args.params.as_deref() {
            Some(name) => Params::named(name)?,
            None => Params::on(Engine::Bfv, lut.in_modulus(), args.pfail.unwrap_or(FailureTarget::Two128))?,
        };
        let prediction = params.predict(lut, &load)?;
        Ok(Self { params, prediction, count, threads: load.threads })
    }

    fn in_words(&self) -> String {
        let Self { params, prediction, count, threads } = self;
        format!(
            "engine bfv: {} takes {} on {} for {}, {} a ciphertext, with {} of memory; fails with {}",
            params.name(),
            seconds(prediction.seconds),
            report::threads(*threads),
            values_in_words(*count),
            values_in_words(prediction.capacity as u64),
            report::needed(prediction.memory.peak()),
            report::probability(prediction.log2_p_fail),
        )
    }

    fn to_json(&self) -> Value {
        let Self { params, prediction, count, threads } = self;
        json!({
            "engine": "bfv",
            "params": params.name(),
            "count": count,
            "capacity": prediction.capacity,
            "threads": threads,
            "total_s": prediction.cpu_seconds,
            "elapsed_s": prediction.seconds,
            "latency_ms": prediction.latency_seconds * 1e3,
            "keygen_s": prediction.key_seconds,
            "server_key_bytes": prediction.key_bytes,
            "memory_bytes": prediction.memory.peak(),
            "log2_p_fail": Some(prediction.log2_p_fail).filter(|log2| log2.is_finite()),
        })
    }
}

/// The limit of memory in bytes.
fn memory_limit(args: &PlanArgs) -> Option<u64> {
    args.memory.map(|gigabytes| (gigabytes * 1e9) as u64)
}

/// CPU seconds a value.
fn a_value(prediction: &Prediction, args: &PlanArgs) -> f64 {
    prediction.cpu_seconds / args.count.unwrap_or(MANY) as f64
}

/// What engine ckks would do with a table, on many values.
struct Many<'a> {
    params: Params,
    prediction: Prediction,
    /// Of one ciphertext, full or not, on one thread.
    ciphertext_seconds: f64,
    threads: usize,
    /// From so many values on it is the faster engine, keys being there; `None` if never, or if nothing else can do it.
    crossover: Option<u64>,
    /// What there is to compare with.
    few: Option<(&'a Params, Prediction)>,
    /// The ways to evaluate a ciphertext, if they are to be explained: least time first.
    methods: Vec<Candidate>,
}

impl<'a> Many<'a> {
    fn new(args: &PlanArgs, lut: &Lut, few: Option<(&'a Params, Prediction)>) -> Result<Self, CliError> {
        let load = &Load { threads: args.threads.count(), ..Load::of(args.count.unwrap_or(1) as usize) };
        // The limit is one on planning, too.
        if args.params.is_none() {
            super::check_memory(Params::plan_bytes(Engine::Ckks, lut.in_modulus()), memory_limit(args))?;
        }
        let params = match args.params.as_deref() {
            Some(name) => Params::named(name)?,
            None => Params::on(Engine::Ckks, lut.in_modulus(), FailureTarget::Two64)?,
        };
        if params.engine() != Engine::Ckks {
            let name = params.name();
            let line = format!("{name} is a parameter set of engine fhew, not ckks (see bootes params)");
            return Err(CliError::new(line));
        }
        // Masks are kept where there is room for them, as an evaluation does.
        let masks = match params.predict(lut, &Load { memory: memory_limit(args), ..*load }) {
            Err(bootes::Error::Memory { .. }) => MaskStorage::Seeded,
            found => found?.masks,
        };
        let load = &Load { masks: Some(masks), ..*load };
        let prediction = params.predict(lut, load)?;
        let one = params.predict(lut, &Load { values: 1, ..*load })?;
        let crossover = few.map(|(few, _)| bootes::crossover(few, &params, lut, load)).transpose()?.flatten();
        let (ciphertext_seconds, threads) = (one.cpu_seconds, load.threads);
        let mut methods = match (args.explain, &args.params) {
            (false, _) => Vec::new(),
            (true, Some(_)) => params.candidates(lut, &Load { values: 1, ..*load }),
            (true, None) => bootes::candidates(Engine::Ckks, lut, FailureTarget::Two64, &Load { values: 1, ..*load }),
        };
        let time = |c: &Candidate| c.outcome.as_ref().map_or(f64::INFINITY, |p| p.cpu_seconds);
        methods.sort_by(|a, b| time(a).total_cmp(&time(b)));
        Ok(Self { params, prediction, ciphertext_seconds, threads, crossover, few, methods })
    }

    /// A table of one line and its head.
    fn in_words(&self, count: Option<u64>) -> String {
        let p = &self.prediction;
        let mut head = ["engine", "parameters", "values", "a ciphertext", "a value"].map(String::from).to_vec();
        let mut row = vec![
            "ckks".to_string(),
            self.params.name().to_string(),
            p.capacity.to_string(),
            seconds(self.ciphertext_seconds),
            seconds(self.ciphertext_seconds / p.capacity as f64),
        ];
        if let Some(count) = count {
            head.push(format!("{count} values"));
            row.push(seconds(p.cpu_seconds));
        }
        head.extend(["key", "memory", "keys made in", "failure", "faster"].map(String::from));
        row.extend([
            report::size(p.key_bytes),
            report::needed(p.memory.peak()),
            seconds(p.key_cpu_seconds),
            report::probability(p.log2_p_fail),
            match (self.crossover, self.few.is_some()) {
                (Some(count), _) => format!("from {count} values on"),
                (None, true) => "never".to_string(),
                (None, false) => "-".to_string(),
            },
        ]);
        let sides = if count.is_some() { "llrrrrrrrrl" } else { "llrrrrrrrl" };
        report::columns(sides, &[head, row]) + &self.explanation()
    }

    /// Why method number `i` is the choice, which is the first.
    fn why(&self, i: usize) -> String {
        match &self.methods[i].outcome {
            Err(error) => format!("refused: {}", in_words(error)),
            Ok(_) if i == 0 => "the choice".into(),
            Ok(p) => format!("slower by {:.2}", p.cpu_seconds / self.ciphertext_seconds),
        }
    }

    /// A line for each method, and a head, if there are any.
    fn explanation(&self) -> String {
        if self.methods.is_empty() {
            return String::new();
        }
        let mut rows =
            vec![["method", "parameters", "a ciphertext", "memory", "failure", "why"].map(String::from).to_vec()];
        for (i, candidate) in self.methods.iter().enumerate() {
            let [time, memory, failure] = match &candidate.outcome {
                Ok(p) => [seconds(p.cpu_seconds), report::needed(p.memory.peak()), report::probability(p.log2_p_fail)],
                Err(_) => ["-"; 3].map(String::from),
            };
            let name = candidate.params.name().to_string();
            rows.push(vec![candidate.algorithm.clone(), name, time, memory, failure, self.why(i)]);
        }
        report::columns("llrrrl", &rows)
    }

    /// The same in JSON.
    fn to_json(&self, count: Option<u64>) -> Value {
        let p = &self.prediction;
        json!({
            "engine": "ckks",
            "params": self.params.name(),
            "capacity": p.capacity,
            "ciphertext_s": self.ciphertext_seconds,
            "per_value_ms": self.ciphertext_seconds * 1e3 / p.capacity as f64,
            "total_s": count.map(|_| p.cpu_seconds),
            "elapsed_s": count.map(|_| p.seconds),
            "threads": self.threads,
            "keygen_s": p.key_cpu_seconds,
            "expand_s": p.expand_seconds,
            "server_key_bytes": p.key_bytes,
            "memory_bytes": p.memory.peak(),
            "key_memory_bytes": p.memory.keys,
            "workspace_bytes": p.memory.workspace,
            "log2_failure": p.log2_p_fail,
            "security_bits": standard(&self.params),
            "crossover_count": self.crossover,
            "methods": self.methods.iter().enumerate().map(|(i, candidate)| json!({
                "method": candidate.algorithm,
                "params": candidate.params.name(),
                "ciphertext_s": candidate.outcome.as_ref().ok().map(|p| p.cpu_seconds),
                "memory_bytes": candidate.outcome.as_ref().ok().map(|p| p.memory.peak()),
                "why": self.why(i),
            })).collect::<Vec<_>>(),
        })
    }
}

/// Engine ckks by itself.
fn many_alone(args: &PlanArgs, lut: &Lut) -> Result<Outcome, CliError> {
    let many = Many::new(args, lut, None)?;
    let (limit, memory) = (args.memory.map(|gigabytes| gigabytes * 1e9), many.prediction.memory.peak());
    if let Some(limit) = limit.filter(|&limit| memory as f64 > limit) {
        return Err(CliError::new(format!(
            "engine ckks takes {} of memory, over {}: --memory {} is enough",
            report::needed(memory),
            report::room(limit as u64),
            enough(memory)
        )));
    }
    if args.json {
        let size = lut.in_modulus();
        report::json(&json!({ "modulus": size, "count": args.count, "batch": many.to_json(args.count) }))?;
    } else {
        report::out(many.in_words(args.count).as_bytes())?;
    }
    Ok(Outcome::Right)
}

/// Every combination is refused or over the limit.
fn no_choice(args: &PlanArgs, candidates: &[Candidate]) -> CliError {
    let least = candidates.iter().filter_map(|c| c.outcome.as_ref().ok()).map(|p| p.memory.peak()).min();
    CliError::new(match (least, args.memory) {
        (Some(least), Some(limit)) => format!(
            "no combination has a key of at most {limit} GB in memory: the smallest takes {}; --memory {} is enough",
            report::needed(least),
            enough(least)
        ),
        _ => format!(
            "no algorithm keeps the promise for tables of this size with any parameter set: {}",
            match (args.engine, args.pfail) {
                (Some(_), _) => "plan a smaller one, or leave --engine out",
                (None, Some(FailureTarget::Two64)) => "plan a smaller one",
                (None, _) => "plan a smaller one, or try --pfail -64",
            }
        ),
    })
}

/// The least limit of three decimals, in GB.
fn enough(bytes: u64) -> f64 {
    bytes.div_ceil(1_000_000) as f64 / 1e3
}

fn worse(p: &Prediction, best: &Prediction, objective: Objective) -> String {
    let ratio = p.score(objective)[0] / best.score(objective)[0];
    // Equal by the objective: then time decides.
    if ratio < 1.005 {
        let slower = p.cpu_seconds / best.cpu_seconds;
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

fn row(candidate: &Candidate, args: &PlanArgs, why: &str) -> Vec<String> {
    let mut row = vec![candidate.algorithm.clone(), candidate.params.name().to_string()];
    match &candidate.outcome {
        Ok(p) => {
            row.extend([
                p.rotations.unwrap_or(0).to_string(),
                format!("2^{:.1}", p.output_std.unwrap_or(0.0).log2()),
                report::probability(p.log2_p_fail),
                seconds(a_value(p, args)),
                seconds(p.latency_seconds),
            ]);
            row.extend(args.count.map(|_| seconds(p.cpu_seconds)));
            row.extend([p.key_bytes, p.memory.peak()].map(report::size));
        }
        Err(_) => row.extend(vec!["-".to_string(); if args.count.is_some() { 8 } else { 7 }]),
    }
    row.push(why.to_string());
    row
}

fn to_json(candidate: &Candidate, verdict: &Verdict, args: &PlanArgs, explain: bool) -> Value {
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
        object["log2_noise_std"] = json!(p.output_std.map(f64::log2));
        object["log2_p_fail"] = json!(p.log2_p_fail);
        object["per_value_ms"] = json!(a_value(p, args) * 1e3);
        object["latency_ms"] = json!(p.latency_seconds * 1e3);
        object["total_s"] = json!(args.count.map(|_| p.cpu_seconds));
        object["keygen_s"] = json!(p.key_seconds);
        object["expand_s"] = json!(p.expand_seconds);
        object["server_key_bytes"] = json!(p.key_bytes);
        object["memory_bytes"] = json!(p.memory.peak());
    }
    object
}
