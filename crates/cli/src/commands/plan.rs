//! `bootes plan`: every algorithm with every parameter set, and the choice.

use std::cmp::Ordering;

use bootes::planner::{self, Choice, Reason, Request};
use bootes::{
    BfvLutError, Candidate, Engine, ErrorKind, FailureTarget, Load, Lut, LutError, MaskStorage, Objective, Params,
    Prediction,
};
use serde_json::{Value, json};

use super::Outcome;
use super::params::{list_of, standard};
use crate::args::{PlanArgs, check_promise};
use crate::commands;
use crate::error::{CliError, in_words, of_named};
use crate::need::{MAX_TABLE_BITS, Need};
use crate::report::{self, seconds};
use around::Around;

impl PlanArgs {
    /// The failure probability that is asked for.
    fn target(&self) -> FailureTarget {
        self.pfail.unwrap_or(FailureTarget::Two128)
    }

    /// What to do where what is named has no room.
    fn cure(&self) -> Option<&'static str> {
        match (&self.params, self.engine) {
            (Some(_), _) => Some("leave --params out"),
            (None, Some(_)) => Some("leave --engine out"),
            (None, None) => None,
        }
    }
}

/// Values, where nobody says how many: whole batches of all engines.
const MANY: u64 = 1 << 20;

/// The outcome of a combination.
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

mod around;
mod program;

pub(crate) fn run(args: &PlanArgs) -> Result<Outcome, CliError> {
    if let Some(text) = &args.expr {
        return program::run(args, text);
    }
    if let Some(sizes) = &args.sizes {
        return program::several(args, &sizes.0);
    }
    if !args.tables.is_empty() {
        return program::single(args);
    }
    if let Some(available) = bootes::available_memory().filter(|&available| available < ROOM) {
        return Err(bootes::Error::Memory { needed: ROOM, available }.into());
    }
    let size = args.modulus.unwrap_or(1 << args.bits.unwrap_or(1));
    if size > 1 << MAX_TABLE_BITS {
        let most = 1 << MAX_TABLE_BITS;
        return Err(CliError::new(format!(
            "--modulus {size}: tables have 2 to {most} entries; programs of vectors (--expr) take primes below \
             2^40, and powers of two up to it"
        )));
    }
    let lut = Lut::unstructured_modulo(size);
    let set = args.params.as_deref().map(Params::named).transpose()?;
    set.as_ref().map_or(Ok(()), |set| check_promise(set, args.pfail))?;
    let wanted = args.engine.or(set.as_ref().map(Params::engine));
    if let (Some(engine), Some(set)) = (wanted, set.as_ref().filter(|set| Some(set.engine()) != wanted)) {
        return Err(commands::other_engine(set, engine));
    }
    // Algorithms that have names are compared with each other, the others are one an engine.
    let engines = Engine::ALL.into_iter().filter(|&engine| wanted.is_none_or(|wanted| wanted == engine));
    let (by_name, whole): (Vec<Engine>, Vec<Engine>) = engines.partition(|engine| !engine.algorithms().is_empty());
    let few = by_name.first().map(|&engine| Few::new(args, &lut, engine, set.as_ref())).transpose()?.flatten();
    let others = whole.into_iter().map(|engine| (engine, Many::new(args, &lut, engine, few.as_ref())));
    let others: Vec<_> =
        others.filter(|(_, many)| wanted.is_some() || !many.as_ref().is_err_and(is_no_prime)).collect();
    if few.is_none() && others.iter().all(|(_, many)| many.is_err()) {
        let refused = |error: &bootes::Error| CliError::new(of_named(error, args.cure()));
        let refused = others.into_iter().filter_map(|(engine, many)| Some((engine, refused(&many.err()?))));
        let mut refused: Vec<_> = refused.collect();
        return Err(match refused.len() {
            1 => refused.remove(0).1,
            _ => {
                let refused: Vec<_> =
                    refused.iter().map(|(engine, error)| format!("engine {engine}: {error}")).collect();
                CliError::new(refused.join("; "))
            }
        });
    }
    let choice = match (wanted, args.count) {
        (None, Some(count)) => Some((choice_of_engine(args, &lut, count)?, count)),
        _ => None,
    };
    let around = match (&few, &others[..]) {
        (Some(few), []) => Around::found(args, &lut, &few.chosen().params, few.best)?,
        (None, [(_, Ok(many))]) => Around::found(args, &lut, &many.params, many.prediction)?,
        _ => None,
    };
    if args.json {
        let mut object = few.as_ref().map_or_else(|| json!({ "modulus": size, "count": args.count }), Few::to_json);
        for engine in Engine::ALL.into_iter().filter(|engine| engine.algorithms().is_empty()) {
            object[list_of(engine)] = Value::Null;
        }
        for (engine, many) in &others {
            object[list_of(*engine)] = match many {
                Ok(many) => many.to_json(args.count),
                Err(error) => json!({ "engine": engine.to_string(), "refused": in_words(error) }),
            };
        }
        object["detour"] = json!(around.as_ref().map(Around::to_json));
        object["recommended_engine"] = json!(choice.map(|(choice, _)| choice.offer.params.engine().to_string()));
        report::json(&object)?;
        return Ok(Outcome::Right);
    }
    if let Some(few) = &few {
        few.tell()?;
    }
    let many: Vec<&Many<'_>> = others.iter().filter_map(|(_, many)| many.as_ref().ok()).collect();
    if let [first, ..] = many[..] {
        let rows: Vec<_> =
            [first.head(args.count)].into_iter().chain(many.iter().map(|many| many.row(args.count))).collect();
        let sides = if args.count.is_some() { "llrrrrrrrrl" } else { "llrrrrrrrl" };
        report::out((report::columns(sides, &rows) + &explanation(&many)).as_bytes())?;
    }
    for (engine, many) in &others {
        if let Err(error) = many {
            report::line(&format!("engine {engine}: refused: {}", in_words(error)))?;
        }
    }
    if let Some((choice, count)) = choice {
        report::line(&in_words_of_choice(&choice, args, count))?;
    }
    if let Some(around) = around {
        report::line(&around.in_words())?;
    }
    Ok(Outcome::Right)
}

/// Whether an engine refuses a size of tables because it has primes alone, and none of this size: others are no help.
fn is_no_prime(error: &bootes::Error) -> bool {
    let bootes::Error::Lut(error) = error else { return false };
    matches!(
        error,
        LutError::Bfv(BfvLutError::Prime { .. } | BfvLutError::Power { .. } | BfvLutError::Transform { .. })
    )
}

/// Every algorithm of an engine with every set, and the choice.
struct Few<'a> {
    args: &'a PlanArgs,
    size: u64,
    log2_p_fail: f64,
    candidates: Vec<Candidate>,
    /// Which one, and what it takes.
    choice: usize,
    best: Prediction,
}

impl<'a> Few<'a> {
    /// Nothing, unless somebody asks for this engine, where it has no set for such tables.
    fn new(args: &'a PlanArgs, lut: &Lut, engine: Engine, set: Option<&Params>) -> Result<Option<Self>, CliError> {
        let (target, size) = (args.target(), lut.in_modulus());
        let load = Load { threads: args.threads.count(), ..Load::of(args.count.unwrap_or(MANY) as usize) };
        let mut candidates = match set {
            Some(set) => {
                let need = Need::of_modulus(size);
                need.check(set).map_err(|refusal| CliError::new(format!("the {refusal}: name another set")))?;
                set.candidates(lut, &load)
            }
            None => match Params::on(engine, size, target) {
                Err(error) if args.engine.is_none() && error.kind() == ErrorKind::Unsupported => return Ok(None),
                found => found.map(|_| bootes::candidates(engine, lut, target, &load))?,
            },
        };
        let objective = args.objective.unwrap_or_default();
        candidates.sort_by(|a, b| {
            let score = |c: &Candidate| c.outcome.as_ref().map_or([f64::INFINITY; 2], |p| p.score(objective));
            score(a).partial_cmp(&score(b)).unwrap_or(Ordering::Equal)
        });
        let found = candidates.iter().enumerate().find_map(|(i, c)| match &c.outcome {
            Ok(p) if fits(args, p) => Some((i, *p)),
            _ => None,
        });
        let Some((choice, best)) = found else { return Err(no_choice(args, &candidates)) };
        let log2_p_fail = set.map_or(f64::from(target.log2()), Params::log2_p_fail);
        Ok(Some(Self { args, size, log2_p_fail, candidates, choice, best }))
    }

    fn chosen(&self) -> &Candidate {
        &self.candidates[self.choice]
    }

    fn verdict(&self, i: usize) -> Verdict {
        match &self.candidates[i].outcome {
            _ if i == self.choice => Verdict::Chosen,
            Err(error) => Verdict::Refused(format!("refused: {}", in_words(error))),
            Ok(p) if !fits(self.args, p) => Verdict::TooLarge(format!(
                "its expanded key takes {}, over {}",
                report::needed(p.memory.peak()),
                report::room(memory_limit(self.args).unwrap_or(0))
            )),
            Ok(p) => Verdict::Worse(worse(p, &self.best, self.args.objective.unwrap_or_default())),
        }
    }

    fn to_json(&self) -> Value {
        let Self { args, candidates, .. } = self;
        let list: Vec<Value> =
            candidates.iter().enumerate().map(|(i, c)| to_json(c, &self.verdict(i), args, args.explain)).collect();
        json!({
            "bits": self.size.next_power_of_two().ilog2(),
            "modulus": args.modulus,
            "count": args.count,
            "log2_p_fail": self.log2_p_fail,
            "objective": args.objective.unwrap_or_default().to_string(),
            "memory_limit_bytes": args.memory.map(|gigabytes| gigabytes * 1e9),
            "choice": to_json(self.chosen(), &Verdict::Chosen, args, false),
            "candidates": list,
        })
    }

    /// The table, and the choice in a line.
    fn tell(&self) -> Result<(), CliError> {
        let Self { args, candidates, best, .. } = self;
        let (count, chosen) = (args.count, self.chosen());
        let mut head = vec!["algorithm", "parameters", "rotations", "noise", "p_fail", "a value", "latency"];
        let values = count.map(|count| report::values(count as usize));
        head.extend(values.as_deref());
        head.extend(["key", "memory", if args.explain { "why" } else { "" }]);
        let mut rows = vec![head.into_iter().map(String::from).collect::<Vec<_>>()];
        for (i, candidate) in candidates.iter().enumerate() {
            let verdict = self.verdict(i);
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
            "choice by {}: {} with {}, {} a value on one thread (latency {}){}, server key {} ({} expanded){}",
            args.objective.unwrap_or_default(),
            chosen.algorithm,
            chosen.params.name(),
            seconds(a_value(best, args)),
            seconds(best.latency_seconds),
            count.map_or(String::new(), |n| format!(
                ", {} for {}",
                seconds(best.cpu_seconds),
                report::values(n as usize)
            )),
            report::size(best.key_bytes),
            report::needed(best.memory.peak()),
            match (refused, args.explain) {
                (0, _) | (_, true) => String::new(),
                (refused, false) => format!("; {refused} combinations are refused, --explain says why"),
            },
        ))
    }
}

/// The engine of least time for the whole job.
fn choice_of_engine(args: &PlanArgs, lut: &Lut, count: u64) -> Result<Choice, CliError> {
    let load = Load { threads: args.threads.count(), memory: memory_limit(args), ..Load::of(count as usize) };
    let request = Request { target: args.target(), ..Request::table(lut.clone()) };
    Ok(commands::planned(|| planner::choose(&request, &load))?)
}

/// The choice in a line, and what the others would take.
fn in_words_of_choice(choice: &Choice, args: &PlanArgs, count: u64) -> String {
    let other = |(engine, reason): &(Engine, Reason)| match reason {
        Reason::Slower(offer) => Some(format!("engine {engine} {}", seconds(offer.prediction.job_seconds))),
        Reason::NotTried(least) => Some(format!("engine {engine} over {}", seconds(*least))),
        Reason::Refused(error) if is_no_prime(error) => None,
        Reason::Refused(error) => Some(format!("engine {engine} is refused: {}", in_words(error))),
    };
    let others: Vec<String> = choice.others.iter().filter_map(other).collect();
    let others = if others.is_empty() { String::new() } else { format!(" ({})", others.join("; ")) };
    let params = &choice.offer.params;
    let set = if params.depth().is_some() { format!(" with {}", params.name()) } else { String::new() };
    format!(
        "for {}: engine {}{set} takes the least time for the whole job, keys and all: {} on {}{others}",
        report::values(count as usize),
        params.engine(),
        seconds(choice.offer.prediction.job_seconds),
        report::threads(args.threads.count()),
    )
}

/// The limit of memory in bytes.
fn memory_limit(args: &PlanArgs) -> Option<u64> {
    args.memory.map(|gigabytes| (gigabytes * 1e9) as u64)
}

/// Whether keys are within the limit.
fn fits(args: &PlanArgs, prediction: &Prediction) -> bool {
    args.memory.is_none_or(|gigabytes| prediction.memory.peak() as f64 <= gigabytes * 1e9)
}

/// CPU seconds a value.
fn a_value(prediction: &Prediction, args: &PlanArgs) -> f64 {
    prediction.cpu_seconds / args.count.unwrap_or(MANY) as f64
}

/// The prediction of an engine that evaluates a table on many values at once.
struct Many<'a> {
    params: Params,
    prediction: Prediction,
    /// Seconds of one ciphertext, full or not, on one thread.
    ciphertext_seconds: f64,
    threads: usize,
    /// From so many values on it is the faster engine, keys being there; `None` if never, or if nothing else can do it.
    crossover: Option<u64>,
    /// The engine of few values, to compare with.
    few: Option<&'a Few<'a>>,
    /// The ways to evaluate a ciphertext, if they are to be explained: least time first.
    methods: Vec<Candidate>,
}

impl<'a> Many<'a> {
    fn new(args: &PlanArgs, lut: &Lut, engine: Engine, few: Option<&'a Few<'a>>) -> Result<Self, bootes::Error> {
        let load = Load { threads: args.threads.count(), ..Load::of(args.count.unwrap_or(1) as usize) };
        let params = match args.params.as_deref() {
            Some(name) => Params::named(name)?,
            None => {
                // The limit is one on planning, too.
                super::check_memory(Params::plan_bytes(engine, lut.in_modulus()), memory_limit(args))?;
                match args.count.filter(|_| engine.has_modulus()) {
                    // Of vectors the set that takes so many in the least time, keys and all.
                    Some(_) => {
                        let request = Request { target: args.target(), ..Request::table(lut.clone()) };
                        request.offer(engine, &Load { memory: memory_limit(args), ..load })?.params
                    }
                    None => Params::on(engine, lut.in_modulus(), args.target())?,
                }
            }
        };
        // Masks are kept where there is room for them, as an evaluation does.
        let within = |masks| params.predict(lut, &Load { memory: memory_limit(args), masks, ..load });
        let prediction = match within(None) {
            Err(bootes::Error::Memory { .. }) => within(Some(MaskStorage::Seeded))?,
            found => found?,
        };
        let load = Load { masks: Some(prediction.masks), ..load };
        let single = Load { values: 1, ..load };
        let ciphertext_seconds = params.predict(lut, &single)?.cpu_seconds;
        let crossover =
            few.map(|few| bootes::crossover(&few.chosen().params, &params, lut, &load)).transpose()?.flatten();
        let mut methods = match (args.explain, &args.params) {
            (false, _) => Vec::new(),
            (true, Some(_)) => params.candidates(lut, &single),
            (true, None) => bootes::candidates(engine, lut, args.target(), &single),
        };
        let time = |c: &Candidate| c.outcome.as_ref().map_or(f64::INFINITY, |p| p.cpu_seconds);
        methods.sort_by(|a, b| time(a).total_cmp(&time(b)));
        Ok(Self { params, prediction, ciphertext_seconds, threads: load.threads, crossover, few, methods })
    }

    fn head(&self, count: Option<u64>) -> Vec<String> {
        let mut head = ["engine", "parameters", "values", "a ciphertext", "a value"].map(String::from).to_vec();
        head.extend(count.map(|count| report::values(count as usize)));
        head.extend(["key", "memory", "keys made in", "failure", "faster"].map(String::from));
        head
    }

    fn row(&self, count: Option<u64>) -> Vec<String> {
        let p = &self.prediction;
        let mut row = vec![
            self.params.engine().to_string(),
            self.params.name().to_string(),
            p.capacity.to_string(),
            seconds(self.ciphertext_seconds),
            seconds(self.ciphertext_seconds / p.capacity as f64),
        ];
        row.extend(count.map(|_| seconds(p.cpu_seconds)));
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
        row
    }

    /// Why method number `i` is the choice, which is the first.
    fn why(&self, i: usize) -> String {
        match &self.methods[i].outcome {
            Err(error) => format!("refused: {}", in_words(error)),
            Ok(_) if i == 0 => "the choice".into(),
            Ok(p) => format!("slower by {:.2}", p.cpu_seconds / self.ciphertext_seconds),
        }
    }

    /// The same in JSON.
    fn to_json(&self, count: Option<u64>) -> Value {
        let p = &self.prediction;
        json!({
            "engine": self.params.engine().to_string(),
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

/// A line for each method of these engines, and a head, if there are any.
fn explanation(engines: &[&Many<'_>]) -> String {
    if engines.iter().all(|many| many.methods.is_empty()) {
        return String::new();
    }
    let mut rows =
        vec![["method", "parameters", "a ciphertext", "memory", "failure", "why"].map(String::from).to_vec()];
    for many in engines {
        for (i, candidate) in many.methods.iter().enumerate() {
            let [time, memory, failure] = match &candidate.outcome {
                Ok(p) => [seconds(p.cpu_seconds), report::needed(p.memory.peak()), report::probability(p.log2_p_fail)],
                Err(_) => ["-"; 3].map(String::from),
            };
            let name = candidate.params.name().to_string();
            rows.push(vec![candidate.algorithm.clone(), name, time, memory, failure, many.why(i)]);
        }
    }
    report::columns("llrrrl", &rows)
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
