//! `fdfb-table8`: the output noise of every algorithm at the FDFB paper's parameters: the paper's formula (Table 8 and Appendix B), our
//! prediction and the measurement; then the ratios of Table 3 from all three.
//!
//! A row for each algorithm; `--rows` or `BOOTES_BENCH_ROWS` asks for the rows of Tables 11 and 12 whose name or set contains it instead ("T": all).
//! `--runs` is the number of samples.
use crate::clock::Samples;
use crate::fdfb::{self, Fitted, Subject, random_table};
use crate::paper::{FdfbPaper, FdfbRow};
use crate::row::{Column, Row};
use crate::{BenchError, Options, Sink};
use bootes_lut::fhew::circuit::Table;
use bootes_lut::fhew::eval::BATCH;
use bootes_lut::fhew::registry;
use bootes_schemes::fhew::FhewParams;
use bootes_testkit::{Moments, variance_interval};
use serde_json::Value;
use std::collections::BTreeSet;

pub(crate) const NAME: &str = "fdfb-table8";
pub(crate) const SUMMARY: &str =
    "noise of every algorithm at the FDFB paper's parameters: its formula, our prediction, the measurement";
pub(crate) const COLUMNS: &[Column] = &[
    Column::new("row", "row", 28),
    Column::new("params", "params", 20),
    Column::new("paper, of q", "paper_core_of_q", 11),
    Column::new("paper", "paper_core_std", 9),
    Column::new("predicted", "noise_predicted_std", 9),
    Column::new("measured", "noise_measured_std", 9),
    Column::new("of predicted", "measured_over_predicted", 12),
    Column::new("from", "measured_over_predicted_low", 7),
    Column::new("to", "measured_over_predicted_high", 7),
    Column::new("of paper's", "measured_over_paper", 10),
    Column::new("samples", "checked", 7),
    Column::new("right", "correct", 5),
    Column::new("wrong", "wrong", 5),
    Column::new("promise", "promise", 13),
    Column::new("kept", "log2_p_kept", 4),
];

/// Confidence of the interval.
const CONFIDENCE: f64 = 0.999;
/// Where measured over predicted should lie.
const EXPECTED: std::ops::RangeInclusive<f64> = 0.8..=1.25;
/// Keys, a thread each.
const KEYS: u64 = 2;

pub(crate) fn run(options: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    let paper = FdfbPaper::load();
    let samples = options.runs(1024, 128);
    let only = options.only();
    let note = format!(
        "standard deviations of the torus (the first of q too): the paper's core variance, our prediction as the mean over messages, \
         {samples} samples under {KEYS} keys with the {} % interval of measured over predicted",
        100.0 * CONFIDENCE
    );
    sink(Row::new(NAME, "Table 8").with("note", note).with("paper", paper.paper.as_str()))?;
    let mut rows = chosen(&paper, &only);
    if rows.is_empty() {
        return Err(BenchError::nothing(options, NAME, &[]));
    }
    let mut measured = Vec::new();
    while let Some(first) = rows.first() {
        let set = first.params.clone();
        let params = FhewParams::by_name(&set)?;
        let mut subjects = (0..KEYS).map(|index| Subject::new(&params, index)).collect::<Result<Vec<_>, _>>()?;
        let (here, rest): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| row.params == set);
        rows = rest;
        for paper_row in here {
            let formula = PaperNoise::of(&paper, &paper_row);
            let (row, variance) = measure(&mut subjects, &paper_row, &formula, samples)?;
            if let (Some(variance), false) = (variance, set.ends_with("_pks")) {
                measured.push((paper_row, variance / params.blind_rotation_variance()));
            }
            sink(row)?;
        }
    }
    ratios(&paper, &measured, sink)
}

/// A row for each algorithm of Table 8, of Table 12 where it is there and with p = 16 where that is there; or all rows named `only`.
fn chosen(paper: &FdfbPaper, only: &str) -> Vec<FdfbRow> {
    let mut rows = paper.row.clone();
    rows.sort_by_key(|row| (std::cmp::Reverse(row.table), row.p));
    if only.is_empty() {
        let mut known = BTreeSet::new();
        rows.retain(|row| known.insert(row.algorithm.clone()));
        return rows;
    }
    // The paper's way to pack, beside ours.
    let packing = rows.iter().filter(|row| row.log2_q_pk.is_some());
    let packing: Vec<_> = packing.map(|row| FdfbRow { params: format!("{}_pks", row.params), ..row.clone() }).collect();
    rows.extend(packing.into_iter().filter(|row| FhewParams::by_name(&row.params).is_ok()));
    rows.retain(|row| title(row).contains(only) || row.params.contains(only));
    rows
}

fn title(row: &FdfbRow) -> String {
    format!("T{} {} p={}", row.table, row.name, row.p)
}

/// A row, and the measured variance.
fn measure(
    subjects: &mut [Subject],
    paper: &FdfbRow,
    formula: &PaperNoise,
    samples: usize,
) -> Result<(Row, Option<f64>), BenchError> {
    let params = subjects[0].params.clone();
    let core = formula.core(&paper.algorithm);
    let mut row = Row::new(NAME, title(paper));
    row.algorithm = Some(paper.algorithm.clone());
    row.params = Some(paper.params.clone());
    row.bits = Some(paper.p.ilog2());
    let mut row = row
        .with("paper_core_of_q", core.sqrt() * f64::from(paper.log2_q).exp2())
        .with("paper_core_std", core.sqrt())
        .with("paper_com_std", formula.com().sqrt())
        .with("product", paper.product)
        .with("paper_acc_std", formula.acc().sqrt())
        .with("predicted_acc_std", params.blind_rotation_variance().sqrt());
    let lut = random_table(paper.p.ilog2())?;
    let algorithm = registry::by_name(&paper.algorithm)?;
    let input_variance = params.blind_rotation_variance();
    let fitted = match Fitted::new(&*algorithm, &params, &lut, input_variance) {
        Ok(fitted) => fitted,
        Err(error) => return Ok((row.with("note", format!("ours: — ({error})")), None)),
    };
    let circuit = &fitted.circuit;
    let needs = circuit.keys(&params);
    let batches = samples.div_ceil(BATCH * subjects.len());
    let outcomes = std::thread::scope(|scope| {
        let threads: Vec<_> = subjects
            .iter_mut()
            .map(|subject| {
                let (needs, lut) = (&needs, &lut);
                scope.spawn(move || {
                    subject.add_keys(needs)?;
                    let mut times = Samples::default();
                    Ok(subject.evaluate(circuit, lut, input_variance.sqrt(), [batches, BATCH], &mut times))
                })
            })
            .collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, Result<_, BenchError>>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().map(join).collect::<Result<Vec<_>, _>>()
    })?;
    let wrong: usize = outcomes.iter().map(|outcome| outcome.wrong).sum();
    let errors: Vec<f64> = outcomes.into_iter().flat_map(|outcome| outcome.errors).collect();
    let noise = circuit.noise(&params, input_variance);
    let moments = Moments::of(&errors);
    let (low, high) = variance_interval(moments.variance, moments.count, CONFIDENCE);
    let over = |variance: f64| (variance / noise.mean_output_variance).sqrt();
    row.correct = Some(wrong == 0);
    row.log2_p_fail = Some(noise.log2_p_fail);
    row.noise_predicted_std = Some(noise.mean_output_variance.sqrt());
    row.noise_measured_std = Some(moments.std());
    let norms: Vec<f64> = circuit
        .rotations()
        .filter_map(|rotation| match &rotation.table {
            Table::Multi { modulus, log2_scale, columns } => {
                Some(columns.iter().map(|column| column.noise_factor(*modulus, *log2_scale)))
            }
            _ => None,
        })
        .flatten()
        .collect();
    let ratio = over(moments.variance);
    let of_paper = (moments.variance / core).sqrt();
    row = fitted.describe(row, &params);
    let mut remarks: Vec<String> =
        row.extra.get("note").and_then(Value::as_str).map(String::from).into_iter().collect();
    if !EXPECTED.contains(&ratio) {
        remarks.push("measured over predicted is outside [0.8, 1.25]".to_string());
    }
    if !EXPECTED.contains(&of_paper) {
        remarks.push(format!("the paper's formula: {}", reason(&paper.algorithm, formula, &norms, &params)));
    }
    let at_output = fdfb::log2_output_failure(circuit, 0.5 / lut.out_modulus() as f64, moments.std());
    if wrong > 0 {
        remarks.push(format!(
            "{wrong} of {} wrong: a result of the measured noise leaves its half step with probability 2^{at_output:.1}",
            moments.count
        ));
    }
    if !remarks.is_empty() {
        row = row.with("note", remarks.join("; "));
    }
    let row = row
        .with("measured_over_predicted", ratio)
        .with("measured_over_predicted_low", over(low))
        .with("measured_over_predicted_high", over(high))
        .with("measured_over_paper", of_paper)
        .with("predicted_over_paper", (noise.mean_output_variance / core).sqrt())
        .with("worst_message_std", noise.output_variance.sqrt())
        .with("mean_in_errors", moments.mean / (moments.variance / moments.count as f64).sqrt())
        .with("log2_p_output", at_output)
        .with("excess_kurtosis", moments.excess_kurtosis)
        .with("multi_value_factors", norms)
        .with("checked", moments.count)
        .with("wrong", wrong);
    Ok((row, Some(moments.variance)))
}

/// Why the paper's formula is off.
fn reason(algorithm: &str, formula: &PaperNoise, norms: &[f64], params: &FhewParams) -> String {
    let acc = (params.blind_rotation_variance() / formula.acc()).sqrt();
    let mut reasons = Vec::new();
    if !EXPECTED.contains(&acc) {
        reasons.push(format!(
            "without the floating-point error of a rotation with B_g = 2^{} (σ_acc times {acc:.2})",
            formula.log2_b_g
        ));
    }
    let wop = algorithm.starts_with("wop-pbs") && !algorithm.starts_with("wop-pbs1-refine");
    if wop {
        reasons.push(
            "N times the variance: errors of constant coefficients counted as those of whole polynomials".to_string(),
        );
    }
    if wop || algorithm.contains("pbs") || algorithm.starts_with("bfv") {
        reasons.push("variance of u_i N/18 for a ternary key, N/24 for ours".to_string());
    }
    if algorithm.starts_with("fdfb-ks") {
        reasons.push("digits of Q, where ours are those of p'".to_string());
    }
    if algorithm.starts_with("select-alt*") {
        reasons.push("the errors of sum and difference, of one accumulator, counted as independent".to_string());
    }
    if algorithm.ends_with('*') && !algorithm.starts_with("comp") {
        let largest = norms.iter().copied().fold(0.0, f64::max);
        let p = formula.p;
        reasons.push(format!(
            "‖TV_1‖² bounded by p(p−1)² = {:.0} or 4 times that, for steps modulo 2p; this table's largest factor is {largest:.0}",
            p * (p - 1.0).powi(2)
        ));
    }
    reasons.join("; ")
}

/// Table 3: variances of the paper's algorithms over those of the previous ones.
fn ratios(paper: &FdfbPaper, measured: &[(FdfbRow, f64)], sink: &mut Sink<'_>) -> Result<(), BenchError> {
    const P: u64 = 16;
    // The same parameters for both algorithms; small noise, so that no term but those of σ_acc is lost and both fit.
    let common = "paper_fdfb_fast_11";
    let params = FhewParams::by_name(common)?;
    let at = paper.row.iter().find(|row| row.params == common && row.p == P).map(|row| PaperNoise::of(paper, row));
    let lut = random_table(P.ilog2())?;
    let input = params.blind_rotation_variance();
    for ratio in &paper.ratio {
        let intermediate = ratio.ours == "compress";
        let predicted = |name: &str| -> Result<f64, BenchError> {
            let algorithm = registry::by_name(name)?;
            let circuit = Fitted::new(&*algorithm, &params, &lut, input)?.circuit;
            let noise = circuit.noise(&params, input);
            // Of the phase of the last rotation, for both of them in windows of 1/(2p).
            let last = circuit.rotations().last().zip(noise.sigmas.last());
            Ok(match last {
                Some((rotation, sigmas)) if intermediate => (rotation.half_window / sigmas).powi(2),
                _ => noise.mean_output_variance,
            })
        };
        let formula =
            |name: &str| at.as_ref().map(|at| if intermediate { at.intermediate(name) } else { at.core(name) });
        let found = |name: &str| measured.iter().find(|(row, _)| row.algorithm == name && row.p == P).map(|(_, v)| v);
        let quotient = |a: Option<f64>, b: Option<f64>| Some(a? / b?);
        let mut row = Row::new(NAME, format!("T3 {} / {}", ratio.ours, ratio.previous));
        row.algorithm = Some(ratio.ours.clone());
        row.params = Some(common.to_string());
        let from_formula = quotient(formula(&ratio.ours), formula(&ratio.previous));
        let from_prediction = predicted(&ratio.ours)? / predicted(&ratio.previous)?;
        let from_measurement = match intermediate {
            true => None,
            false => quotient(found(&ratio.ours).copied(), found(&ratio.previous).copied()),
        };
        let text = |x: Option<f64>| x.map_or("—".to_string(), |x| format!("2^{:.2}", x.log2()));
        let printed = printed_ratio(&ratio.variance, 2048.0, P as f64);
        let why = match (&*ratio.ours, &*ratio.previous) {
            ("compress", _) => {
                "; key and modulus switch are counted once before a rotation here, twice in EvalFunc's 2σ_boot²"
            }
            ("wop-pbs1-refine" | "wop-pbs1-refine*", _) => "; one computation: the N is the analysis",
            _ => "",
        };
        let note = format!(
            "variance ratio at p = {P}: printed {} = {}, the paper's formulas {}, predicted {}, measured (each over its σ_acc²) {}{why}",
            ratio.variance,
            text(printed),
            text(from_formula),
            text(Some(from_prediction)),
            text(from_measurement)
        );
        sink(
            row.with("ratio_printed", printed)
                .with("ratio_paper", from_formula)
                .with("ratio_predicted", from_prediction)
                .with("ratio_measured", from_measurement)
                .with("bootstraps", ratio.bootstraps.to_vec())
                .with("note", note),
        )?;
    }
    Ok(())
}

/// The value of a formula like "27/2N^2p^2".
fn printed_ratio(text: &str, n: f64, p: f64) -> Option<f64> {
    let (numerator, denominator) = text.split_once('/')?;
    let (factor, symbols) = denominator.split_at(denominator.find('N').unwrap_or(denominator.len()));
    let value = match symbols {
        "" => 1.0,
        "N" => n,
        "N^2p^2" => n * n * p * p,
        _ => return None,
    };
    let factor = if factor.is_empty() { 1.0 } else { factor.parse().ok()? };
    Some(numerator.parse::<f64>().ok()? / (factor * value))
}

/// The paper's formulas, as variances of the torus squared.
#[derive(Clone, Copy, Debug)]
struct PaperNoise {
    /// Dimension of the short key.
    n: f64,
    /// Plaintext modulus.
    p: f64,
    log2_q: u32,
    log2_q_ks: u32,
    log2_b_g: u32,
    /// B_g0 of FDFB-KS.
    log2_b_g0: u32,
    log2_q_pk: u32,
}

impl PaperNoise {
    const LOG2_BIG_Q: u32 = 53;
    const DEGREE: f64 = 2048.0;
    /// log2 of B_ks and B_pk, and of B_rl.
    const LOG2_B_KS: u32 = 5;
    const LOG2_B_RL: u32 = 27;
    /// σ².
    const VARIANCE: f64 = 3.19 * 3.19;

    fn of(paper: &FdfbPaper, row: &FdfbRow) -> Self {
        Self {
            n: paper.lwe_dimension(row) as f64,
            p: row.p as f64,
            log2_q: row.log2_q,
            log2_q_ks: row.log2_q_ks,
            log2_b_g: row.log2_b_g,
            log2_b_g0: row.log2_second_base.unwrap_or(row.log2_b_g),
            // Without packing of its own, the largest of the tables.
            log2_q_pk: row.log2_q_pk.unwrap_or(35),
        }
    }

    /// 2^x.
    fn exp2(x: u32) -> f64 {
        f64::from(x).exp2()
    }

    /// σ_ms²(dimension), in units of the new modulus (Lemma 1).
    fn mod_switch(dimension: f64) -> f64 {
        dimension / 18.0 + 1.0 / 12.0
    }

    /// σ_ks² in units of the key's modulus (Lemma 1): `log2_modulus` bits in digits of 5.
    fn key_switch(log2_modulus: u32) -> f64 {
        let digits = f64::from(log2_modulus.div_ceil(Self::LOG2_B_KS));
        digits * (1.0 - 1.0 / Self::exp2(Self::LOG2_B_KS)) * Self::DEGREE * (Self::VARIANCE + 0.25)
    }

    /// σ_acc²/Q² (Lemma 1).
    fn acc(&self) -> f64 {
        let digits = f64::from(Self::LOG2_BIG_Q.div_ceil(self.log2_b_g));
        2.0 * digits * Self::exp2(2 * self.log2_b_g) * self.n * Self::DEGREE * Self::VARIANCE
            / 3.0
            / Self::exp2(2 * Self::LOG2_BIG_Q)
    }

    /// σ_pk²/Q².
    fn packing(&self) -> f64 {
        Self::key_switch(self.log2_q_pk) / Self::exp2(2 * Self::LOG2_BIG_Q)
    }

    /// σ_ms²/q_pk²: what the switch to q_pk before packing adds.
    fn packing_switch(&self) -> f64 {
        Self::mod_switch(Self::DEGREE) / Self::exp2(2 * self.log2_q_pk)
    }

    /// σ_com²/q²: modulus switch to q_ks, key switch, modulus switch to q.
    fn com(&self) -> f64 {
        let switches = Self::mod_switch(Self::DEGREE) + Self::key_switch(self.log2_q_ks);
        switches / Self::exp2(2 * self.log2_q_ks) + Self::mod_switch(self.n) / Self::exp2(2 * self.log2_q)
    }

    /// Theorem 10, over Q². σ_0² and σ_1² (over Q²) are those of the samples; packing adds to them and gives σ'_0² = σ'_1².
    ///
    /// Where the theorem prints σ_0²·σ'_1² in the bracket with N, a product of polynomials, σ'_0²·σ'_1² is meant (its proof).
    fn product(&self, samples: [f64; 2]) -> f64 {
        let big_q2 = Self::exp2(2 * Self::LOG2_BIG_Q);
        let (p2, ms, n) = (self.p * self.p, Self::mod_switch(Self::DEGREE), Self::DEGREE);
        let other = self.packing();
        let [s0, s1] = samples.map(|sample| sample + self.packing_switch());
        // P ≈ Q, and Q²/P² = 1 in units of Q.
        let switched = ms / big_q2;
        let scalars = s1 + p2 / 4.0 * s0 + p2 * s0 * s1;
        let mixed =
            other + switched + p2 / 4.0 * other + p2 * (s0 * other + s0 * switched + s1 * other) + p2 * ms * (s0 + s1);
        let polynomials = n * p2 * (other * other + other * switched + ms * 2.0 * other + ms * switched);
        let digits = f64::from(Self::LOG2_BIG_Q.div_ceil(Self::LOG2_B_RL));
        let relinearisation = digits * Self::exp2(2 * Self::LOG2_B_RL) / 4.0 * n * Self::VARIANCE;
        scalars + mixed + polynomials + (ms + n * n / 27.0 + relinearisation) / big_q2
    }

    /// The core output variance (Table 8, Theorems 2 to 6 and 10). For WoP-PBS only Table 8's term is there.
    fn core(&self, algorithm: &str) -> f64 {
        let (acc, p, n) = (self.acc(), self.p, Self::DEGREE);
        // The bound on ‖TV_1‖².
        let multi = p * (p - 1.0).powi(2);
        match algorithm {
            "eval-func" | "compress" => acc,
            "comp" | "comp*" => 2.0 * acc,
            "fdfb-ks" => {
                let digits = f64::from(Self::LOG2_BIG_Q.div_ceil(self.log2_b_g0));
                let selected = acc + self.packing_switch() + self.packing();
                acc + digits * Self::exp2(2 * self.log2_b_g0) / 4.0 * n * selected
            }
            "wop-pbs1" => n * n / 9.0 * p * p * acc,
            "wop-pbs1*" => n * n / 18.0 * p * p * multi * acc,
            "wop-pbs2" => 2.0 * n * n / 9.0 * p * p * acc,
            "wop-pbs2*" => 2.0 * n * n / 9.0 * p * p * multi * acc,
            "wop-pbs1-refine" => self.product([acc, acc]),
            "wop-pbs1-refine*" => self.product([4.0 * acc, multi * acc]),
            "bfv-mult" => self.product([acc, acc]) + acc,
            "bfv-mult*" => self.product([4.0 * acc, 4.0 * multi * acc]) + 4.0 * multi * acc,
            "cancel-sign" => 2.0 * acc + self.packing() + self.packing_switch(),
            "select" => 2.0 * acc + 2.0 * self.packing() + self.packing_switch(),
            "select*" => (multi + 1.0) * acc + 2.0 * self.packing() + self.packing_switch(),
            "select-alt" => 3.0 * acc + self.packing() + self.packing_switch(),
            "select-alt*" => (6.0 * multi + 1.0) * acc + self.packing() + self.packing_switch(),
            _ => f64::NAN,
        }
    }

    /// The variance of the compressed message (Table 8).
    fn intermediate(&self, algorithm: &str) -> f64 {
        let boot = self.acc() + self.com();
        if algorithm == "eval-func" { 2.0 * boot } else { boot }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_algorithm_of_table_8_has_a_row() {
        let rows = chosen(&FdfbPaper::load(), "");
        let known: BTreeSet<&str> = rows.iter().map(|row| &*row.algorithm).collect();
        assert_eq!((rows.len(), known.len()), (18, 18), "{known:?}");
        assert_eq!(chosen(&FdfbPaper::load(), "T12 FDFB-KS").len(), 3);
    }

    #[test]
    fn the_papers_conditions_hold_at_its_parameters() {
        let paper = FdfbPaper::load();
        // bnd of the paper: 2^-32.
        let bound = 6.338;
        // Of multi-value rows Table 8 has a bound for the worst table only, and not all of them keep it.
        for row in paper.row.iter().filter(|row| !row.algorithm.ends_with('*')) {
            let noise = PaperNoise::of(&paper, row);
            let total = (noise.core(&row.algorithm) + noise.com()).sqrt();
            // |e'| < q/2p, of the torus; with an extra bit |e'| < q/4p of the larger q is the same.
            assert!(bound * total < 0.5 / row.p as f64, "{} of Table {}, p = {}", row.name, row.table, row.p);
        }
    }
}
