//! `fdfb-table6`: Tables 6, 11 and 12 of the FDFB paper, ours beside each row, and our own sets.
//!
//! Inputs of the paper's rows are as noisy as the result of one rotation (the paper's assumption; its later key and modulus switch are
//! counted where they happen, at the next table). Rows that do not keep the set's failure probability are run at the least that they keep,
//! and again at a smaller base that keeps it. `--rows` or `BOOTES_BENCH_ROWS` limits the run to the rows whose name contains it.
use crate::clock::Samples;
use crate::fdfb::{self, Fitted, random_table};
use crate::paper::{FdfbPaper, FdfbRow};
use crate::row::{Column, Row};
use crate::search;
use crate::{BenchError, Options, Sink};
use bootes::Params;
use bootes_lut::Lut;
use bootes_lut::fhew::eval::BATCH;
use bootes_lut::fhew::{Algorithm, registry};
use bootes_schemes::fhew::FhewParams;
use serde_json::Value;

pub(crate) const NAME: &str = "fdfb-table6";
pub(crate) const SUMMARY: &str =
    "Tables 6, 11 and 12 of the FDFB paper beside ours at its parameters, then our own sets";
pub(crate) const COLUMNS: &[Column] = &[
    Column::new("row", "row", 34),
    Column::new("params", "params", 23),
    Column::new("paper ms", "paper_ms", 8),
    Column::new("one value", "cpu_ms", 9),
    Column::new("one of 16", "batch16_cpu_ms", 9),
    Column::new("paper/one", "paper_over_one", 9),
    Column::new("right", "correct", 5),
    Column::new("wrong", "wrong", 5),
    Column::new("log2 p_fail", "log2_p_fail", 11),
    Column::new("at output", "log2_p_output", 9),
    Column::new("of a value", "log2_p_value", 10),
    Column::new("promise", "promise", 13),
    Column::new("kept", "log2_p_kept", 4),
    Column::new("noise", "noise_measured_std", 9),
    Column::new("predicted", "noise_predicted_std", 9),
    Column::new("chains", "chains", 6),
    Column::scaled("key MiB", "key_bytes", 7, 1.0 / MIB),
    Column::scaled("more MiB", "extra_key_bytes", 8, 1.0 / MIB),
    Column::new("security", "security_bits", 8),
];

const MIB: f64 = (1 << 20) as f64;

/// Milliseconds of a table in tfhe-rs on the machine where the targets were set.
const TFHE_RS_MS: f64 = 19.6;

pub(crate) fn run(options: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    let paper = FdfbPaper::load();
    let runs = options.runs(5, 1);
    let only = options.only();
    let note = format!(
        "paper: {}; ours: CPU ms a value on this machine, alone and in batches of 16; log2 p_fail: of its rotations; at output: of \
         decryption; of a value: of both; promise: whether the noise account keeps the set's failure probability, and else which it \
         keeps; noise predicted: mean over messages; chains: whether the same table takes its results",
        paper.machine
    );
    sink(Row::new(NAME, &paper.title[..19]).with("note", note).with("paper", paper.paper.as_str()))?;
    for table in [12, 11] {
        let rows = || paper.row.iter().filter(|row| row.table == table && (!options.quick || row.table == 12));
        let mut sets: Vec<&str> = rows().map(|row| row.params.as_str()).collect();
        // From the largest base B_g on.
        sets.sort_unstable_by_key(|set| {
            std::cmp::Reverse(FhewParams::by_name(set).map(|p| p.bootstrap_gadget().log2_base()).ok())
        });
        sets.dedup();
        let mut measured = Vec::new();
        let mut refused = Vec::new();
        for set in sets {
            let here: Vec<_> = rows().filter(|row| row.params == set).collect();
            // What does not keep the promise with larger bases, again with this one.
            let rows: Vec<_> = here.iter().copied().chain(std::mem::take(&mut refused)).collect();
            let mut log = Log { measured: &mut measured, refused: &mut refused, sink };
            paper_rows(&rows, set, &only, runs, &mut log)?;
            // The paper's way to pack.
            let packing = format!("{set}_pks");
            if FhewParams::by_name(&packing).is_ok() {
                let rows: Vec<_> = here.into_iter().filter(|row| row.log2_q_pk.is_some()).collect();
                let mut log = Log { measured: &mut Vec::new(), refused: &mut Vec::new(), sink };
                paper_rows(&rows, &packing, &only, runs, &mut log)?;
            }
        }
        scenarios(&paper, table, &measured, sink)?;
    }
    let targets: &[i32] = if options.quick { &[-64] } else { &[-64, -128] };
    for &log2_p_fail in targets {
        for bits in [4, 5] {
            own_rows(bits, log2_p_fail, &only, if options.quick { 1 } else { 9 }, sink)?;
        }
    }
    Ok(())
}

/// Where the rows of a set go.
struct Log<'a, 'p, 's> {
    /// Algorithm, p and milliseconds of what keeps the promise.
    measured: &'a mut Vec<(String, u64, f64)>,
    /// The rows that do not keep the promised failure probability.
    refused: &'a mut Vec<&'p FdfbRow>,
    sink: &'a mut Sink<'s>,
}

/// Rows of one set.
fn paper_rows<'p>(
    rows: &[&'p FdfbRow],
    set: &str,
    only: &str,
    runs: usize,
    log: &mut Log<'_, 'p, '_>,
) -> Result<(), BenchError> {
    let name = |row: &FdfbRow| format!("T{} {} p={}", row.table, row.name, row.p);
    let rows: Vec<_> = rows.iter().filter(|row| name(row).contains(only) || set.contains(only)).collect();
    if rows.is_empty() {
        return Ok(());
    }
    let params = FhewParams::by_name(set)?;
    let mut subject = fdfb::Subject::new(&params, 0)?;
    for &&paper in &rows {
        let mut row = Row::new(NAME, name(paper));
        row.algorithm = Some(paper.algorithm.clone());
        row.params = Some(set.to_string());
        row.bits = Some(paper.p.ilog2());
        row.paper_ms = Some(paper.ms);
        let row = row.with("paper_log2_base", paper.log2_b_g).with("paper_log2_second_base", paper.log2_second_base);
        let lut = random_table(paper.p.ilog2())?;
        let algorithm = registry::by_name(&paper.algorithm)?;
        let fitted = match Fitted::new(&*algorithm, &params, &lut, params.blind_rotation_variance()) {
            Ok(fitted) => fitted,
            Err(error) => {
                log.refused.push(paper);
                (log.sink)(row.with("note", format!("ours: — ({error})")))?;
                continue;
            }
        };
        if fitted.broken.is_some() {
            log.refused.push(paper);
            // Only the paper's own base shows what it is like without the promise.
            if set.trim_end_matches("_pks") != paper.params {
                continue;
            }
        }
        let row = measure(&mut subject, row, (&*algorithm, &lut, &fitted), runs)?;
        if fitted.broken.is_none() {
            log.measured.extend(row.cpu_ms.map(|ms| (paper.algorithm.clone(), paper.p, ms)));
        }
        (log.sink)(row)?;
    }
    Ok(())
}

/// Table 6 of the rows of Table 11 or 12: the least time of each algorithm.
fn scenarios(
    paper: &FdfbPaper,
    table: u32,
    measured: &[(String, u64, f64)],
    sink: &mut Sink<'_>,
) -> Result<(), BenchError> {
    for cell in &paper.cell {
        for (scenario, _, p, ms) in cell.scenarios().into_iter().filter(|&(_, of, ..)| of == table) {
            let ours = measured.iter().filter(|(name, of, _)| (name.as_str(), *of) == (&*cell.algorithm, p));
            let Some(ours) = ours.map(|&(.., ms)| ms).min_by(f64::total_cmp) else { continue };
            let mut row = Row::new(NAME, format!("T6 {scenario} {}", cell.name));
            row.algorithm = Some(cell.algorithm.clone());
            row.bits = Some(p.ilog2());
            (row.paper_ms, row.cpu_ms) = (ms, Some(ours));
            sink(row.with("paper_over_one", ms.map(|ms| ms / ours)))?;
        }
    }
    Ok(())
}

/// Fills a row of the paper.
fn measure(
    subject: &mut fdfb::Subject,
    mut row: Row,
    (algorithm, lut, fitted): (&dyn Algorithm, &Lut, &Fitted),
    runs: usize,
) -> Result<Row, BenchError> {
    let params = subject.params.clone();
    let circuit = &fitted.circuit;
    let input_variance = params.blind_rotation_variance();
    let noise = circuit.noise(&params, input_variance);
    let needs = circuit.keys(&params);
    subject.add_keys(&needs)?;
    let [mut one, mut many] = [Samples::default(), Samples::default()];
    let mut outcome = subject.evaluate(circuit, lut, input_variance.sqrt(), [runs + 1, 1], &mut one);
    let more = subject.evaluate(circuit, lut, input_variance.sqrt(), [runs.div_ceil(2) + 1, BATCH], &mut many);
    outcome.wrong += more.wrong;
    outcome.errors.extend(more.errors);
    let [key_bytes, extra_bytes] = subject.stored_bytes(&needs)?;
    let (one, many) = (one.stats(), many.stats());
    row = row.timed(&one);
    row.key_bytes = Some(key_bytes as u64);
    row.correct = Some(outcome.wrong == 0);
    row.log2_p_fail = Some(noise.log2_p_fail);
    row.noise_predicted_std = Some(noise.mean_output_variance.sqrt());
    row.noise_measured_std = Some(crate::clock::root_mean_square(&outcome.errors));
    let paper_ms = row.paper_ms.unwrap_or(f64::NAN);
    let security = params.security().ok();
    let half_step = 0.5 / lut.out_modulus() as f64;
    let log2_p_output = fdfb::log2_output_failure(circuit, half_step, noise.output_variance.sqrt());
    let row = fitted
        .describe(row, &params)
        .with("batch16_cpu_ms", many.cpu_ms)
        .with("batch16_ms", many.median_ms)
        .with("paper_over_one", paper_ms / one.cpu_ms)
        .with("over_a_fifth", one.cpu_ms / (paper_ms / 5.0))
        .with("wrong", outcome.wrong)
        .with("checked", outcome.errors.len())
        .with("log2_p_output", log2_p_output)
        .with("log2_p_value", fdfb::log2_value_failure(&noise, log2_p_output))
        .with("worst_message_std", noise.output_variance.sqrt())
        .with("chains", chains(algorithm, &params, lut, noise.output_variance))
        .with("rotations", circuit.rotations().map(|r| r.extension).collect::<Vec<_>>())
        .with("extra_key_bytes", extra_bytes)
        .with("security_bits", security.map(|s| s.standard_bits))
        .with("security_bits_strict", security.map(|s| s.strict_bits))
        .with("security_is_bound", security.map(|s| s.is_bound))
        .with("isa", bootes::isa().to_string());
    Ok(row)
}

/// Whether the algorithm can evaluate the table on results of noise variance `variance` that it made itself.
fn chains(algorithm: &dyn Algorithm, params: &FhewParams, lut: &Lut, variance: f64) -> bool {
    algorithm.fit(params, lut, variance, params.log2_p_fail()).is_ok()
}

/// Our sets: the planner's choice with every key that it may want, then each algorithm with the set that suits it best.
fn own_rows(bits: u32, log2_p_fail: i32, only: &str, runs: usize, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    let lut = Lut::unstructured(bits);
    let algorithms = search::algorithms();
    let names: Vec<String> = algorithms.iter().map(|algorithm| algorithm.name()).collect();
    let row = |what: &str| Row::new(NAME, format!("ours p={} 2^{log2_p_fail} {what}", 1 << bits));
    let fhew = FhewParams::for_bits(bits, log2_p_fail)?;
    let mut jobs: Vec<(Option<String>, FhewParams)> = vec![(None, fhew)];
    if log2_p_fail == -64 {
        let sets = || {
            let sets = FhewParams::all().iter().filter(|set| set.is_default() && set.integer_bits().is_none());
            sets.filter(|set| set.bits() >= bits && set.log2_p_fail() as i32 == log2_p_fail)
        };
        jobs.extend(algorithms.iter().zip(&names).filter_map(|(algorithm, name)| {
            let candidates = sets().filter_map(|set| search::settle(set, &**algorithm, &lut));
            let best = candidates.min_by(|a, b| a.cost_ns.total_cmp(&b.cost_ns))?;
            Some((Some(name.clone()), best.params))
        }));
    }
    jobs.retain(|(algorithm, _)| row(algorithm.as_deref().unwrap_or("planner")).row.contains(only));
    while let Some((_, set)) = jobs.first() {
        let params = Params::named(set.name())?;
        let subject = crate::recursive::table3::Subject::new(&params)?.with_keys(names.iter().map(String::as_str))?;
        let (here, rest): (Vec<_>, Vec<_>) = jobs.into_iter().partition(|(_, set)| set.name() == params.name());
        jobs = rest;
        for (algorithm, _) in here {
            let row = row(algorithm.as_deref().unwrap_or("planner"));
            let row = subject.measure_bits(row, algorithm.as_deref(), bits, runs)?;
            let many = row.extra.get("batch16_cpu_ms").and_then(Value::as_f64);
            let (one, many) = (row.cpu_ms.map(|ms| ms / TFHE_RS_MS), many.map(|ms| ms / TFHE_RS_MS));
            let chosen = row.algorithm.clone().unwrap_or_default();
            sink(
                row.with("of_tfhe_rs_one", one)
                    .with("of_tfhe_rs_16", many)
                    .with("of_tfhe_rs_target", if bits == 4 { 0.5 } else { 0.6 })
                    .with(
                        "note",
                        format!("{chosen}: {} and {} of tfhe-rs's {TFHE_RS_MS} ms", percent(one), percent(many)),
                    ),
            )?;
        }
    }
    Ok(())
}

fn percent(part: Option<f64>) -> String {
    part.map_or("—".into(), |part| format!("{:.0} %", 100.0 * part))
}
