//! `ckks-integers`: functions of 8- to 32-bit integers on 2^16 values, in units of our own table of 8 bits.
use bootes_lut::Interval;
use bootes_lut::ckks::{Circuit, CircuitBounds, TableParams};
use bootes_lut::integer::{IntegerLimbs, IntegerOp};

use super::large::unit;
use super::{ByTurns, Subject, on};
use crate::clock::root_mean_square;
use crate::row::{Column, Row};
use crate::{Bench, BenchError, Engine, Options, Sink, memory};

pub(crate) const BENCH: Bench = Bench { name: NAME, engines: &[Engine::Ckks], summary: SUMMARY, columns: COLUMNS, run };

const NAME: &str = "ckks-integers";
const SUMMARY: &str = "Functions of integers of 8 to 32 bits on 65536 values, beside a table of 8 bits";
const COLUMNS: &[Column] = &[
    Column::new("function", "row", 14),
    Column::new("params", "params", 18),
    Column::new("bootstraps", "bootstraps", 10),
    Column::scaled("keys GB", "key_bytes", 7, 1e-9),
    Column::scaled("peak GB", "peak_rss_bytes", 7, 1e-9),
    Column::new("CPU s", "cpu_s", 6),
    Column::new("U s", "unit_s", 5),
    Column::new("in U", "in_units", 5),
    Column::new("limit", "limit_units", 5),
    Column::new("wrong", "wrong", 5),
    Column::new("noise/predicted", "noise_of_predicted", 15),
    Column::new("log2 p_fail", "log2_p_fail", 11),
    Column::new("threads", "threads", 7),
    Column::new("speedup", "speedup", 7),
];

/// The functions that are evaluated.
const OPS: [IntegerOp; 6] =
    [IntegerOp::Less, IntegerOp::Equal, IntegerOp::Relu, IntegerOp::Abs, IntegerOp::Max, IntegerOp::Floor(7)];

/// Widths, and the limit that we set ourselves in U.
const WIDTHS: [(u32, Option<f64>); 6] =
    [(8, None), (12, None), (16, Some(3.0)), (20, None), (24, None), (32, Some(6.0))];

fn run(options: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    let note = "CPU seconds on one thread of this machine, every value checked, extremes among them; U: a table of 8 bits, \
                measured before and after all; noise: that of the noisier limb, predicted for uniform operands";
    sink(Row::new(NAME, "functions of integers").with("note", note))?;
    let names: Vec<_> = WIDTHS.iter().flat_map(|&(width, limit)| OPS.map(|op| (op, width, limit))).collect();
    let wanted = |op: IntegerOp, width: u32| {
        let usual = matches!(op, IntegerOp::Less | IntegerOp::Relu) || matches!(width, 16 | 32);
        options.wants(&row(op, width), usual, (op, width) == (IntegerOp::Less, 16))
    };
    let wanted: Vec<_> = names.into_iter().filter(|&(op, width, _)| wanted(op, width)).collect();
    if wanted.is_empty() {
        return Ok(());
    }
    let before = unit(options)?;
    let mut subject = on(1, || Subject::new(&TableParams::named("batch_integers")?))??;
    let mut rows = Vec::new();
    for (op, width, limit) in wanted {
        options.progress(&format!("{NAME}: {}", row(op, width)));
        rows.push((measure(&mut subject, op, width, options)?, limit));
    }
    drop(subject);
    let unit = 0.5 * (before + unit(options)?);
    for ((row, seconds), limit) in rows {
        let row = row.with("unit_s", unit).with("in_units", seconds / unit);
        sink(if let Some(limit) = limit { row.with("limit_units", limit) } else { row })?;
    }
    Ok(())
}

fn row(op: IntegerOp, width: u32) -> String {
    format!("{op} {width} bits")
}

/// A row, and its CPU seconds.
fn measure(subject: &mut Subject, op: IntegerOp, width: u32, options: &Options) -> Result<(Row, f64), BenchError> {
    memory::restart_peak();
    let params = subject.params.clone();
    let limbs = params.integer_limbs(width)?;
    let circuit = Circuit::of_integers(&params, op, limbs)?;
    let fresh = params.fresh_error(params.literal().log2_modulus);
    let noise =
        CircuitBounds::predict(&params, subject.bootstrap.transforms(), &circuit, &vec![fresh; op.operands()], false)?;
    let operands = operands(subject, op, width);
    let inputs = operands.iter().flat_map(|values| of_limbs(values, limbs)).collect::<Vec<_>>();
    let bits = limbs.bits();
    let inputs = inputs.iter().enumerate().map(|(i, limb)| subject.encrypt(limb, bits[i % bits.len()] + 1));
    let inputs = inputs.collect::<Result<Vec<_>, _>>()?;
    let evaluate = || Ok(subject.bootstrap.evaluate_circuit(&circuit, &inputs, |_| ())?);
    evaluate()?;
    let (turns, outputs) = ByTurns::run(options, options.runs(2, 1), evaluate)?;
    let results: Vec<i128> = (0..operands[0].len())
        .map(|i| op.apply(&operands.iter().map(|values| values[i]).collect::<Vec<_>>()))
        .collect();
    let (ring, key) = (params.ckks().ring(), subject.secret.key());
    let (mut wrong, mut ratio) = (0, 0.0f64);
    for ((output, expected), predicted) in outputs.iter().zip(of_limbs(&results, op.out_limbs(limbs))).zip(noise.stds())
    {
        wrong += output.decrypt(ring, key)?.iter().zip(&expected).filter(|(found, right)| found != right).count();
        let modulus = f64::from(output.encoding().log2_modulus()).exp2();
        ratio = ratio.max(root_mean_square(&output.errors(ring, key, &expected)?) / modulus / predicted);
    }
    let stats = turns.one.stats();
    let seconds = stats.cpu_ms * 1e-3;
    let mut row = subject.describe(Row::new(NAME, row(op, width)).timed(&stats), width);
    row.correct = Some(wrong == 0);
    row.log2_p_fail = Some(noise.log2_failure());
    let row = row
        .with("bootstraps", circuit.bootstraps())
        .with("wrong", wrong)
        .with("checked", results.len())
        .with("cpu_s", seconds)
        .with("wall_s", stats.median_ms * 1e-3)
        .with("noise_of_predicted", ratio)
        .with("peak_rss_bytes", memory::peak_bytes());
    Ok((turns.describe(row, options), seconds))
}

/// Signed integers, extremes and equal ones among them.
fn operands(subject: &mut Subject, op: IntegerOp, width: u32) -> Vec<Vec<i128>> {
    let Interval { min, max } = Interval::signed(width);
    let extremes = [min, min + 1, -1, 0, 1, max];
    let count = subject.params.capacity();
    let mut columns: Vec<Vec<i128>> = (0..op.operands())
        .map(|_| subject.random.values(count, width).into_iter().map(|x| x as i128 + min).collect())
        .collect();
    for (i, column) in columns.iter_mut().enumerate() {
        let place = |j: usize| if i == 0 { j % 6 } else { j / 6 % 6 };
        (0..36).for_each(|j| column[j] = extremes[place(j)]);
    }
    if let [x, y] = &mut columns[..] {
        (36..count).step_by(97).for_each(|j| y[j] = x[j]);
    }
    columns
}

/// The residues of each limb.
fn of_limbs(values: &[i128], limbs: IntegerLimbs) -> Vec<Vec<u64>> {
    (0..limbs.bits().len()).map(|limb| values.iter().map(|&value| limbs.limb(value, limb)).collect()).collect()
}
