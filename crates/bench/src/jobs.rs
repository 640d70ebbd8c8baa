//! `jobs`: the planner's choice of an engine beside each engine by name, whole jobs on one thread.
//!
//! A job is a function of fresh values: keys, all that is sent as bytes, encryption, evaluation, decryption, every
//! result checked. The choice takes the time of [`choose_here`] besides (what that measures, once), an engine by name
//! the time of its set and prediction. The ratio is the CPU time of the choice over that of the fastest engine. Engines
//! that are predicted to take over [`FAR`] times as long as the fastest are not run, and named. A job whose ratio is
//! over [`TOLERANCE`] runs again, engines by turns, and the least times are taken: others may use the machine.
use std::time::Instant;

use bootes::planner::{Choice, Offer, Request, choose_here};
use bootes::{Ciphertexts, Client, Load, Server, ServerKey, Space};
use serde_json::{Map, json};

use crate::ckks::on;
use crate::clock::Laps;
use crate::random::SplitMix;
use crate::row::{Column, Row};
use crate::{Bench, BenchError, Engine, Options, Sink};

mod list;

use list::{Job, jobs};

pub(crate) const BENCH: Bench = Bench { name: NAME, engines: &Engine::ALL, summary: SUMMARY, columns: COLUMNS, run };

const NAME: &str = "jobs";
const SUMMARY: &str = "the planner's choice beside each engine by name: CPU time of whole jobs, keys and all";
const COLUMNS: &[Column] = &[
    Column::new("job", "row", 28),
    Column::new("choice", "choice", 6),
    Column::new("params", "params", 18),
    Column::new("predicted s", "predicted_s", 11),
    Column::new("CPU s", "cpu_s", 6),
    Column::new("wall s", "wall_s", 6),
    Column::new("best", "best", 6),
    Column::new("CPU s", "best_cpu_s", 6),
    Column::new("ratio", "ratio", 5),
    Column::new("runs", "runs", 4),
    Column::new("right", "correct", 5),
    Column::new("not run", "not_run", 7),
];

/// How many times as long as the fastest engine the choice may take.
const TOLERANCE: f64 = 1.3;

/// Engines that are predicted to take so many times as long as the fastest are not run.
const FAR: f64 = 4.0;

/// Bytes a second from memory to memory, which what is sent is.
const MEMORY: f64 = 1e10;

/// Runs of a job whose ratio is beyond.
const RUNS: usize = 3;

fn run(options: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    let note = "CPU seconds of a whole job on one thread, planning and all bytes in it; ratio: the choice's over the \
                fastest engine's; not run: how many times as long as the fastest an engine is predicted to take";
    sink(Row::new(NAME, "columns").with("note", note))?;
    let (mut count, mut beyond) = (0, Vec::new());
    for (seed, job) in jobs().enumerate() {
        let name = job.to_string();
        if !options.wants(&name, true, job.is_quick()) {
            continue;
        }
        options.progress(&format!("{NAME}: {name}"));
        let compared = on(1, || Comparison::of(&job, options, seed as u64))??;
        sink(compared.row(&name))?;
        count += 1;
        if compared.ratio() > TOLERANCE {
            beyond.push(name);
        }
    }
    let note = match beyond.len() {
        0 => "all".to_string(),
        some => format!("all but {some}: {}", beyond.join(", ")),
    };
    sink(Row::new(NAME, format!("{count} ratios up to {TOLERANCE}")).with("note", note).with("beyond", beyond.len()))
}

/// A set of an engine, and its runs.
struct Candidate {
    offer: Offer,
    /// CPU seconds of its set and prediction.
    offer_s: f64,
    runs: Vec<Run>,
}

/// The times of a run.
struct Run {
    /// CPU seconds of the parts.
    parts: Vec<(&'static str, f64)>,
    wall_s: f64,
    right: bool,
}

impl Run {
    fn cpu_s(&self) -> f64 {
        self.parts.iter().map(|(_, seconds)| seconds).sum()
    }
}

impl Candidate {
    fn engine(&self) -> Engine {
        self.offer.params.engine()
    }

    fn predicted_s(&self) -> f64 {
        self.offer.prediction.job_seconds
    }

    /// The run of least time.
    fn least(&self) -> Option<&Run> {
        self.runs.iter().min_by(|a, b| a.cpu_s().total_cmp(&b.cpu_s()))
    }

    /// CPU seconds of the job with this engine by name; infinite if it was not run.
    fn named_s(&self) -> f64 {
        self.least().map_or(f64::INFINITY, |run| self.offer_s + run.cpu_s())
    }
}

/// A job with each engine.
struct Comparison {
    /// The engines that are not too far, the choice first.
    candidates: Vec<Candidate>,
    /// CPU seconds of the choice.
    choice_s: f64,
    /// Engines that are not run, and how many times as long as the fastest they are predicted to take.
    far: Vec<(Engine, f64)>,
    bits: u32,
}

impl Comparison {
    fn of(job: &Job, options: &Options, seed: u64) -> Result<Self, BenchError> {
        let (request, load) = (job.request()?, Load { threads: 1, bytes_per_second: MEMORY, ..Load::here(job.values) });
        let (choice, choice_s) = timed(|| choose_here(&request, &load));
        let Choice { offer, others } = choice?;
        let chosen = offer.params.engine();
        let mut candidates = Vec::new();
        for engine in std::iter::once(chosen).chain(others.into_iter().map(|(engine, _)| engine)) {
            // Those that refuse are no engines for it.
            if let (Ok(offer), offer_s) = timed(|| request.offer(engine, &load)) {
                candidates.push(Candidate { offer, offer_s, runs: Vec::new() });
            }
        }
        let least = candidates.iter().map(Candidate::predicted_s).fold(f64::INFINITY, f64::min);
        let times = |candidate: &Candidate| candidate.predicted_s() / least;
        let far = candidates.iter().filter(|candidate| times(candidate) > FAR);
        let far = far.map(|candidate| (candidate.engine(), times(candidate))).collect();
        candidates.retain(|candidate| times(candidate) <= FAR);
        let mut comparison = Self { candidates, choice_s, far, bits: job.bits() };
        let (operands, expected) = job.values(&request, &mut SplitMix(seed));
        for turn in 0..options.runs(RUNS, 1) {
            if turn > 0 && options.runs.is_none() && comparison.ratio() <= TOLERANCE {
                break;
            }
            for candidate in &mut comparison.candidates {
                candidate.runs.push(whole(&request, &candidate.offer, &load, &operands, &expected)?);
            }
        }
        Ok(comparison)
    }

    fn best(&self) -> &Candidate {
        let least = self.candidates.iter().min_by(|a, b| a.named_s().total_cmp(&b.named_s()));
        least.expect("the choice is among them")
    }

    /// CPU seconds of the job with the choice.
    fn cpu_s(&self) -> f64 {
        self.choice_s + self.candidates[0].least().map_or(f64::INFINITY, Run::cpu_s)
    }

    /// The choice's time over that of the fastest engine.
    fn ratio(&self) -> f64 {
        self.cpu_s() / self.best().named_s()
    }

    fn row(&self, name: &str) -> Row {
        let (choice, best) = (&self.candidates[0], self.best());
        let engines = self.candidates.iter().map(|candidate| {
            let prediction = &candidate.offer.prediction;
            let parts = candidate.least().into_iter().flat_map(|run| &run.parts);
            let parts: Map<_, _> = parts.map(|&(part, seconds)| (part.to_string(), json!(seconds))).collect();
            let object = json!({
                "params": candidate.offer.params.name(),
                "cpu_s": candidate.named_s(),
                "offer_s": candidate.offer_s,
                "parts_s": parts,
                "predicted_s": candidate.predicted_s(),
                "predicted_parts_s": {
                    "keys": prediction.key_seconds,
                    "expand": prediction.expand_seconds,
                    "encrypt": prediction.encrypt_seconds,
                    "evaluate": prediction.seconds,
                    "decrypt": prediction.decrypt_seconds,
                },
                "key_bytes": prediction.key_bytes,
            });
            (candidate.engine().to_string(), object)
        });
        let far: Vec<String> = self.far.iter().map(|(engine, times)| format!("{engine} {times:.0}")).collect();
        let mut row = Row::new(NAME, name);
        row.params = Some(choice.offer.params.name().into());
        row.bits = Some(self.bits);
        row.cpu_ms = Some(self.cpu_s() * 1e3);
        row.runs = Some(choice.runs.len());
        row.correct = Some(self.candidates.iter().flat_map(|candidate| &candidate.runs).all(|run| run.right));
        row.with("choice", choice.engine().to_string())
            .with("predicted_s", choice.predicted_s())
            .with("cpu_s", self.cpu_s())
            .with("wall_s", choice.least().map(|run| run.wall_s))
            .with("choice_s", self.choice_s)
            .with("best", best.engine().to_string())
            .with("best_cpu_s", best.named_s())
            .with("ratio", self.ratio())
            .with("not_run", far.join(", "))
            .with("engines", engines.collect::<Map<_, _>>())
    }
}

/// What `work` gives, and the CPU seconds that it takes.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let mut laps = Laps::new();
    laps.mark("");
    let result = work();
    (result, laps.finish().iter().map(|(_, ms)| ms * 1e-3).sum())
}

/// A whole job: all that client and server send each other is bytes in memory.
fn whole(
    request: &Request,
    Offer { params, prediction, .. }: &Offer,
    load: &Load,
    operands: &[Vec<i128>],
    expected: &[i128],
) -> Result<Run, BenchError> {
    let (start, mut laps) = (Instant::now(), Laps::new());
    laps.mark("keys");
    let client = Client::generate(params)?;
    let key = client.server_key_builder().threads(load.threads).build()?;
    laps.mark("send key");
    let bytes = key.to_bytes()?;
    drop(key);
    let key = ServerKey::from_bytes(&bytes)?;
    drop(bytes);
    laps.mark("expand");
    let server = Server::builder(key).threads(load.threads);
    let server = if params.engine().has_masks() { server.masks(prediction.masks) } else { server };
    let server = server.build()?;
    laps.mark("encrypt");
    let encrypt = |values: &Vec<i128>| match request.space {
        Space::Modular(p) => client.encrypt_modulo(values, p),
        space => client.encrypt_integers(values, space.integers().map_or(0, |integers| integers.width())),
    };
    let inputs = operands.iter().map(encrypt).collect::<Result<Vec<_>, _>>()?;
    laps.mark("send inputs");
    let sent = inputs.iter().map(Ciphertexts::to_bytes).collect::<Result<Vec<_>, _>>()?;
    let inputs = sent.iter().map(|bytes| Ciphertexts::from_bytes(bytes)).collect::<Result<Vec<_>, _>>()?;
    laps.mark("plan");
    let plan = server.plan(&request.function, &inputs)?;
    laps.mark("evaluate");
    let results = server.run(&plan, &inputs)?.remove(0);
    laps.mark("send results");
    let results = Ciphertexts::from_bytes(&results.to_bytes()?)?;
    laps.mark("decrypt");
    let found = client.decrypt_wide(&results)?;
    let parts = laps.finish().into_iter().map(|(part, ms)| (part, ms * 1e-3)).collect();
    Ok(Run { parts, wall_s: start.elapsed().as_secs_f64(), right: found == expected })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_compared_with_the_engines_that_are_near() -> Result<(), BenchError> {
        let job = jobs().find(Job::is_quick).expect("there are some");
        let mut compared = on(1, || Comparison::of(&job, &Options { quick: true, ..Options::default() }, 0))??;
        let row = compared.row("a");
        assert_eq!((row.correct, row.runs), (Some(true), Some(1)));
        assert_eq!((&row.extra["choice"], &row.extra["best"]), (&json!("fhew"), &json!("fhew")));
        // Both others refuse it or are far, and the choice took a moment more.
        assert!(compared.candidates.len() == 1 && compared.far.iter().all(|&(_, times)| times > FAR));
        assert!(compared.ratio() > 0.0 && compared.ratio().is_finite());
        // The least of several runs counts.
        let candidate = &mut compared.candidates[0];
        let least = candidate.named_s();
        let slower = Run { parts: vec![("keys", 1e3), ("evaluate", 1e3)], wall_s: 1.0, right: true };
        candidate.runs.push(slower);
        assert_eq!(candidate.named_s(), least);
        Ok(())
    }
}
