//! `ckks-bootstrap`: ordinary bootstrapping of all slots by the named sets.
use super::{ByTurns, describe, keys, on};
use crate::random::SplitMix;
use crate::row::{Column, Row};
use crate::{Bench, BenchError, Engine, Options, Sink, memory};
use bootes_schemes::ckks::{Bootstrap, BootstrapSet, Encoder, Evaluator, KeyRequest, Precision};
use num_complex::Complex64;
use std::sync::Arc;

pub(crate) const BENCH: Bench = Bench { name: NAME, engines: &[Engine::Ckks], summary: SUMMARY, columns: COLUMNS, run };

const NAME: &str = "ckks-bootstrap";
const SUMMARY: &str = "ordinary bootstrapping with CKKS, all slots: time, memory, levels left, bits of precision";
const COLUMNS: &[Column] = &[
    Column::new("set", "row", 16),
    Column::new("log2 N", "log2_degree", 6),
    Column::new("log2 QP", "log2_qp", 7),
    Column::new("levels", "levels", 6),
    Column::new("left", "levels_left", 4),
    Column::scaled("keys GB", "key_bytes", 7, 1e-9),
    Column::scaled("peak GB", "peak_rss_bytes", 7, 1e-9),
    Column::scaled("CPU s", "cpu_ms", 6, 1e-3),
    Column::new("bits: least", "precision_min", 11),
    Column::new("mean", "precision_mean", 6),
    Column::new("std", "precision_std", 6),
    Column::new("rms", "precision_rms", 6),
    Column::new("kept", "kept", 4),
    Column::new("threads", "threads", 7),
    Column::new("speedup", "speedup", 7),
    Column::new("throughput", "throughput_ratio", 10),
];

/// Seconds of CPU time, bytes, bits of mean precision and levels left that we want to keep.
const TARGETS: (f64, u64, f64, usize) = (12.0, 6_000_000_000, 20.0, 8);

fn run(options: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    for set in BootstrapSet::all() {
        let name = set.params.name.clone();
        let toy = name.starts_with("toy_");
        if options.wants(&name, !toy, toy) {
            options.progress(&format!("{NAME}: {name}"));
            sink(measure(set, options)?)?;
        }
    }
    Ok(())
}

fn measure(set: BootstrapSet, options: &Options) -> Result<Row, BenchError> {
    memory::restart_peak();
    let mut row = Row::new(NAME, set.params.name.clone());
    row.params = Some(set.params.name.clone());
    let params = set.params.try_build()?;
    let (encoder, bootstrap, secret, evaluator, values, input, key_bytes) = on(1, || {
        let encoder = Encoder::new(params.degree())?;
        let bootstrap = Bootstrap::new(&params, set.bootstrap)?;
        let mut random = SplitMix(1);
        let mut request = KeyRequest::default();
        bootstrap.request(&params, &mut request);
        let (secret, keys) = keys(&params, &request, &mut random)?;
        let key_bytes = keys.bytes();
        let evaluator = Evaluator::new(Arc::new(keys))?;
        let mut part = || random.bits(53) as f64 / 2f64.powi(52) - 1.0;
        let values: Vec<Complex64> = (0..params.slots()).map(|_| Complex64::new(part(), part())).collect();
        let input = secret.encrypt(&encoder, &values, 1)?;
        Ok::<_, BenchError>((encoder, bootstrap, secret, evaluator, values, input, key_bytes))
    })??;
    let evaluate = || Ok(evaluator.bootstrap(&bootstrap, &input, |_| ())?);
    let (turns, output) = ByTurns::run(options, options.runs(3, 1), evaluate)?;
    let (one, level) = (turns.one.stats(), output.level());
    let precision = Precision::of(&secret.decrypt(&encoder, &output, values.len())?, &values);
    row = row.timed(&one);
    row.key_bytes = Some(key_bytes as u64);
    row.correct = Some(precision.min > 8.0);
    let peak = memory::peak_bytes();
    let (seconds, bytes, bits, levels) = TARGETS;
    let kept = one.cpu_ms * 1e-3 <= seconds && peak.is_some_and(|peak| peak <= bytes);
    row = describe(row, &params)
        .with("levels_left", level)
        .with("peak_rss_bytes", peak)
        .with("precision_min", precision.min)
        .with("precision_mean", precision.mean)
        .with("precision_std", precision.std)
        .with("precision_rms", precision.rms)
        .with("kept", kept && precision.mean >= bits && level >= levels);
    Ok(turns.describe(row, options))
}
