//! `homdecomp-table10`: homomorphic digit decomposition, and what it is for.
//!
//! A modulus 2^k of the paper has messages of k − 12 + b bits for digits of b: the last digit is in the modulus 2N =
//! 2^12. Here that is the width w of the message, and the number of stages, ⌈w/b⌉ − 1, is the paper's. The last rows
//! are functions of integers and tables of 12 bits. Every result is decrypted and checked; the messages are random,
//! with the carry boundaries among them.
use crate::clock::{Samples, root_mean_square};
use crate::random::{SplitMix, encrypt};
use crate::row::{Column, Row};
use crate::{BenchError, Options, Sink};
use bootes_lattice::noise::measure::torus_difference;
use bootes_lut::IntegerOp;
use bootes_lut::fhew::circuit::Circuit;
use bootes_lut::fhew::digits::{LargeLut, Method, decompose};
use bootes_lut::fhew::eval::{PreparedTable, Workspace, eval_into};
use bootes_lut::integer::IntegerLimbs;
use bootes_ring::sample::SecretSeed;
use bootes_ring::torus::Torus;
use bootes_schemes::fhew::FhewParams;
use bootes_schemes::fhew::encoding::{decode, encode};
use bootes_schemes::fhew::keys::SecretKeys;
use bootes_schemes::fhew::prepared::PreparedEvaluationKey;
use serde::Deserialize;

pub(crate) const NAME: &str = "homdecomp-table10";
pub(crate) const SUMMARY: &str =
    "Table 10 of the FDFB paper, digit decomposition, beside ours; functions of 8- to 32-bit integers, 12-bit tables";
pub(crate) const COLUMNS: &[Column] = &[
    Column::new("row", "row", 34),
    Column::new("paper ms", "paper_ms", 8),
    Column::new("one value", "cpu_ms", 9),
    Column::new("one of 16", "batch16_cpu_ms", 9),
    Column::new("a digit", "digit_ms", 8),
    Column::new("bootstraps", "rotations", 10),
    Column::new("units", "units", 5),
    Column::new("right", "correct", 5),
    Column::new("log2 p_fail", "log2_p_fail", 11),
    Column::new("noise", "noise_measured_std", 9),
    Column::new("predicted", "noise_predicted_std", 9),
];

/// Values evaluated together in the second time.
const BATCH: usize = 16;

/// The sets, and the paper's moduli 2^k, for messages too long for words of 64 bits.
const WIDE: [(&str, &[u32]); 2] = [("wide_4bit_q72", &[40]), ("wide_4bit_q100", &[48, 56])];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table10 {
    paper: String,
    title: String,
    machine: String,
    log2_base: Bases,
    log2_last: u32,
    log2_q: Vec<u32>,
    hom_floor: Vec<f64>,
    hom_floor_alt: Vec<f64>,
    reduce: Vec<f64>,
    fdfb: Vec<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Bases {
    hom_floor: u32,
    hom_floor_alt: u32,
    reduce: u32,
    fdfb: u32,
}

impl Table10 {
    fn load() -> Self {
        toml::from_str(include_str!("../../papers/homdecomp.toml")).expect("the shipped file parses")
    }

    fn column(&self, method: Method) -> (u32, &[f64]) {
        match method {
            Method::HomFloor => (self.log2_base.hom_floor, &self.hom_floor),
            Method::HomFloorAlt => (self.log2_base.hom_floor_alt, &self.hom_floor_alt),
            Method::Reduce => (self.log2_base.reduce, &self.reduce),
            Method::Fdfb => (self.log2_base.fdfb, &self.fdfb),
        }
    }
}

pub(crate) fn run(options: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    let paper = Table10::load();
    let runs = options.runs(5, 1);
    let params = FhewParams::for_integers(16, -64)?;
    let mut subject = Subject::<u64>::new(&params)?;
    sink(Row::new(NAME, &paper.title[..8]).with("note", format!(
        "paper: {}; ours: set {}, CPU ms a value on this machine, alone and in batches of {BATCH}; a digit: of those in batches, over \
         the digits taken off",
        paper.machine,
        params.name()
    )).with("paper", paper.paper.as_str()).with("title", paper.title.as_str()))?;
    // All of the paper's, then on beyond its moduli while our noise allows.
    let beyond = if options.quick { 0 } else { 11 };
    for method in Method::ALL {
        let (base, times) = paper.column(method);
        let columns: Vec<(u32, Option<f64>)> =
            paper.log2_q.iter().copied().zip(times.iter().copied().map(Some)).collect();
        let last = columns[columns.len() - 1].0;
        let beyond = (last + 1..=last + beyond).map(|log2_q| (log2_q, None));
        for (log2_q, ms) in columns.into_iter().chain(beyond) {
            if options.quick && !log2_q.is_multiple_of(8) {
                continue;
            }
            sink(subject.decomposition(method, log2_q, base, paper.log2_last, ms, runs)?)?;
        }
    }
    for (set, moduli) in WIDE.iter().take(if options.quick { 1 } else { WIDE.len() }) {
        let mut wide = Subject::<u128>::new(&FhewParams::by_name(set)?)?;
        for &log2_q in *moduli {
            for method in Method::ALL {
                let (base, _) = paper.column(method);
                sink(wide.decomposition(method, log2_q, base, paper.log2_last, None, runs)?)?;
            }
        }
    }
    for width in if options.quick { vec![16] } else { vec![8, 12, 16, 24, 32] } {
        let limbs = IntegerLimbs::of(width, 16);
        let ops = [
            IntegerOp::Sign,
            IntegerOp::Less,
            IntegerOp::Relu,
            IntegerOp::Abs,
            IntegerOp::Max,
            IntegerOp::Floor(width / 2),
        ];
        for op in ops {
            let row = Row::new(NAME, format!("{width}-bit {op}"));
            let circuit = op.fit(&params, limbs, params.fresh_variance(), params.log2_p_fail());
            let spaces: Vec<u32> = op.out_limbs(limbs).bits().iter().map(|bits| bits + 1).collect();
            let expected = |values: &[i128]| {
                let result = op.apply(&values[..op.operands()]);
                let low = if spaces.len() == 2 { spaces[0] - 1 } else { 0 };
                let parts =
                    if spaces.len() == 2 { vec![result & ((1 << low) - 1), result >> low] } else { vec![result] };
                parts.iter().zip(&spaces).map(|(&part, &bits)| (part as u64 & ((1 << bits) - 1), bits)).collect()
            };
            let inputs = (0..op.operands()).flat_map(|_| limbs.bits()).map(|bits| bits + 1).collect();
            let split = |value: i128| limbs.split(value);
            let work = Work { circuit, inputs, messages: op.operands(), split: &split, expected: &expected };
            sink(subject.measure(row, &work, runs, None)?)?;
        }
    }
    for bits in if options.quick { vec![12] } else { vec![9, 10, 12, 14] } {
        let mut random = SplitMix(u64::from(bits));
        let table = LargeLut::new(random.values(1 << bits, bits), bits)?;
        let row = Row::new(NAME, format!("{bits}-bit table"));
        let fitted = table.fit(&params, params.fresh_variance(), params.log2_p_fail());
        let circuit = fitted.map(|(_, circuit)| circuit);
        let expected = |values: &[i128]| {
            let index = values[0] as usize & (table.values().len() - 1);
            vec![(table.values()[index], table.out_bits() + 1)]
        };
        let split = |value: i128| vec![value as u64 & ((1 << bits) - 1)];
        let work = Work { circuit, inputs: vec![bits + 1], messages: 1, split: &split, expected: &expected };
        sink(subject.measure(row, &work, runs, None)?)?;
    }
    Ok(())
}

/// The digits of a message, with their bits.
fn digits_of(message: u64, width: u32, base: u32) -> Vec<(u64, u32)> {
    (0..width)
        .step_by(base as usize)
        .map(|low| {
            let bits = base.min(width - low);
            ((message >> low) & ((1 << bits) - 1), bits)
        })
        .collect()
}

/// Outputs and their bits, of the integers that go in.
type Expected<'a> = &'a dyn Fn(&[i128]) -> Vec<(u64, u32)>;

/// A circuit and what it should do.
struct Work<'a> {
    circuit: Result<Circuit, bootes_lut::LutError>,
    /// Bits of the space of each input of the circuit.
    inputs: Vec<u32>,
    /// Integers it takes.
    messages: usize,
    /// The inputs of an integer.
    split: &'a dyn Fn(i128) -> Vec<u64>,
    /// The outputs and their bits.
    expected: Expected<'a>,
}

/// Keys of a set.
pub(crate) struct Subject<W: Torus = u64> {
    keys: SecretKeys,
    key: PreparedEvaluationKey<W>,
}

impl<W: Torus> Subject<W> {
    pub(crate) fn new(params: &FhewParams) -> Result<Self, BenchError> {
        let keys = SecretKeys::derive(params, SecretSeed::from_bytes(&SplitMix(10).seed()));
        let key = keys.evaluation_key_of()?.prepare()?;
        Ok(Self { keys, key })
    }

    /// The evaluation key.
    pub(crate) fn key(&self) -> &PreparedEvaluationKey<W> {
        &self.key
    }

    /// Adds the keys that `circuit` needs.
    pub(crate) fn add_keys(&mut self, circuit: &Circuit) -> Result<(), BenchError> {
        let missing = self.key.extra.missing(&circuit.keys(&self.key.params));
        Ok(self.key.add_extra(&self.keys.extra_keys_of(&missing)?)?)
    }

    /// The phase of a ciphertext.
    pub(crate) fn phase(&self, ciphertext: &[W]) -> W {
        self.keys.phase(ciphertext)
    }

    /// Fresh ciphertexts, one after the other.
    pub(crate) fn encrypt(&self, messages: &[u64], bits: u32, random: &mut SplitMix) -> Vec<W> {
        encrypt(&self.keys, messages, bits, random)
    }

    /// The row of a message of the paper's modulus 2^`log2_q`.
    fn decomposition(
        &mut self,
        method: Method,
        log2_q: u32,
        base: u32,
        log2_last: u32,
        paper_ms: Option<f64>,
        runs: usize,
    ) -> Result<Row, BenchError> {
        let params = &self.key.params;
        let width = log2_q - log2_last + base;
        let mut row = Row::new(NAME, format!("q=2^{log2_q} {} B=2^{base}", method.name()));
        row.paper_ms = paper_ms;
        row.bits = Some(width);
        let row = row.with("log2_q", log2_q).with("log2_base", base);
        let circuit = decompose(method, width, base).fit(params, params.fresh_variance(), params.log2_p_fail());
        let digits = |values: &[i128]| digits_of(values[0] as u64, width, base);
        let work = Work { circuit, inputs: vec![width], messages: 1, split: &|v| vec![v as u64], expected: &digits };
        self.measure(row, &work, runs, Some(f64::from(width.div_ceil(base) - 1)))
    }

    fn measure(&mut self, row: Row, work: &Work<'_>, runs: usize, digits: Option<f64>) -> Result<Row, BenchError> {
        let params = self.key.params.clone();
        let circuit = match &work.circuit {
            Ok(circuit) => circuit,
            Err(error) => return Ok(row.with("note", format!("ours: — ({error})"))),
        };
        self.add_keys(circuit)?;
        let table = PreparedTable::new(&params, circuit.clone(), self.key.rotation.fft());
        let long = params.ciphertext_dimension() + 1;
        let width = work.inputs[0].min(62);
        let mut random = SplitMix(u64::from(width));
        let (mut wrong, mut checked, mut errors) = (0, 0, Vec::new());
        let mut time = |batch: usize| {
            let mut workspace = Workspace::new(&self.key, circuit, batch);
            let mut samples = Samples::default();
            // The first run warms the caches and does not count.
            for run in 0..=runs {
                let values: Vec<Vec<i128>> =
                    (0..batch).map(|i| (0..work.messages).map(|_| boundary(&mut random, i, width)).collect()).collect();
                let parts: Vec<Vec<u64>> =
                    values.iter().map(|v| v.iter().flat_map(|&v| (work.split)(v)).collect()).collect();
                let inputs: Vec<Vec<W>> = work
                    .inputs
                    .iter()
                    .enumerate()
                    .map(|(i, &bits)| self.encrypt(&parts.iter().map(|p| p[i]).collect::<Vec<_>>(), bits, &mut random))
                    .collect();
                let inputs: Vec<&[W]> = inputs.iter().map(Vec::as_slice).collect();
                let mut outputs = vec![vec![W::default(); batch * long]; circuit.outputs().len()];
                let mut slices: Vec<&mut [W]> = outputs.iter_mut().map(Vec::as_mut_slice).collect();
                let mut evaluate = || eval_into(&mut slices, &table, &inputs, &self.key, &mut workspace);
                if run == 0 {
                    evaluate();
                } else {
                    samples.time(batch as f64, evaluate);
                }
                for (i, values) in values.iter().enumerate() {
                    let results = outputs.iter().zip(circuit.outputs()).zip((work.expected)(values));
                    for ((output, place), (expected, bits)) in results {
                        let phase = self.keys.phase(&output[i * long..(i + 1) * long]);
                        wrong += usize::from(decode(phase.top(), bits) != expected);
                        checked += 1;
                        // Of digits that reduction leaves off their places on purpose, the noise is not to be seen.
                        if place.half_window * f64::from(bits + 1).exp2() > 0.999 {
                            errors.push(torus_difference(phase, W::from_top(encode(expected, bits))));
                        }
                    }
                }
            }
            samples.stats()
        };
        let (one, many) = (time(1), time(BATCH));
        let noise = circuit.noise(&params, params.fresh_variance());
        let mut row = row.timed(&one);
        row.params = Some(params.name().to_string());
        row.correct = Some(wrong == 0);
        row.log2_p_fail = Some(noise.log2_p_fail);
        row.noise_predicted_std = Some(noise.output_variance.sqrt());
        let outputs = circuit.outputs().len();
        row.noise_measured_std = (errors.len() == checked && outputs == 1).then(|| root_mean_square(&errors));
        Ok(row
            .with("batch16_ms", many.median_ms)
            .with("batch16_cpu_ms", many.cpu_ms)
            .with("digit_ms", digits.map(|digits| many.cpu_ms / digits))
            .with("rotations", circuit.rotations().count())
            .with("units", circuit.units())
            .with("wrong", wrong)
            .with("checked", checked))
    }
}

/// A message of a space of `bits` bits, without its top bit: random, or, every other time, next to where a carry runs
/// far.
fn boundary(random: &mut SplitMix, index: usize, bits: u32) -> i128 {
    let range = 1i128 << (bits - 1);
    let value = random.values(1, bits - 1)[0] as i128;
    match index % 4 {
        1 => (1i128 << (value as u32 % (bits - 1))) - 1,
        3 => (range - (1i128 << (value as u32 % (bits - 1)))) % range,
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_is_there_and_the_paper_counts_stages_as_we_do() {
        let paper = Table10::load();
        for method in Method::ALL {
            let (base, times) = paper.column(method);
            assert_eq!(times.len(), paper.log2_q.len());
            let per_stage = match method {
                Method::Reduce => 533.0,
                Method::HomFloor | Method::Fdfb => 1065.0,
                Method::HomFloorAlt => 1600.0,
            };
            for (&log2_q, &ms) in paper.log2_q.iter().zip(times) {
                let stages = (log2_q - paper.log2_last).div_ceil(base);
                assert!((ms / f64::from(stages) / per_stage - 1.0f64).abs() < 0.05, "{} 2^{log2_q}", method.name());
            }
        }
    }
}
