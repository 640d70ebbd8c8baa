//! `recursive-wrong-compress`: why the recursive-table-decomposition paper's own program returns wrong values.
//!
//! After µ steps the remaining table, on p/2^µ base messages, goes through FDFB-Compress: the first rotation maps
//! message m to (m + ½)/(2·base) on the half circle and the second looks the table up there, with windows of
//! 1/(2·base). If the first table is made for all p messages instead, base message m, which is message 2^µ·m of p, is
//! mapped to (2^µ·m + ½)/(2p) = m/(2·base) + 1/(4p): right, but only 1/(4p) above the edge of its window instead of
//! 1/(4·base) from both. At p = 2^7 that is 8 of 4096 positions, against a modulus-switch deviation of 5 (ours) or 7
//! (the paper's, which does not compensate the mean). When it falls over the edge, the base table answers for m − 1 and
//! the negacyclic parts for m. The table here is the identity, whose base table grows by 1 a message: every slip is
//! seen.
use crate::clock::{Samples, root_mean_square};
use crate::random::{SplitMix, encrypt};
use crate::row::{Column, Row};
use crate::{BenchError, Options, Sink};
use bootes_lattice::noise::failure::log2_failure;
use bootes_lattice::noise::measure::torus_difference;
use bootes_lut::Lut;
use bootes_lut::fhew::algorithm::Algorithm;
use bootes_lut::fhew::circuit::{Circuit, Rotation, Table};
use bootes_lut::fhew::eval::{PreparedTable, Workspace, eval_into};
use bootes_lut::fhew::{Depth, Recursive};
use bootes_ring::sample::SecretSeed;
use bootes_schemes::fhew::FhewParams;
use bootes_schemes::fhew::encoding::{decode, encode};
use bootes_schemes::fhew::keys::SecretKeys;

pub(crate) const NAME: &str = "recursive-wrong-compress";
pub(crate) const SUMMARY: &str =
    "why the recursive-decomposition paper's program is wrong at 7 and 8 bits: its compression table, made both ways";
pub(crate) const COLUMNS: &[Column] = &[
    Column::new("compression table for", "row", 34),
    Column::new("params", "params", 18),
    Column::new("wrong", "wrong", 6),
    Column::new("of", "checked", 6),
    Column::new("rate", "wrong_rate", 7),
    Column::new("predicted", "predicted_rate", 9),
    Column::new("with the paper's rounding", "predicted_rate_paper", 25),
    Column::new("one below", "wrong_one_below", 9),
    Column::new("CPU ms", "cpu_ms", 7),
];

/// Values of one evaluation.
const BATCH: usize = 16;

pub(crate) fn run(options: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    let batches = options.runs(16, 13);
    let cases: &[(u32, u32)] = if options.quick { &[(7, 3)] } else { &[(7, 3), (8, 4)] };
    for &(bits, depth) in cases {
        let params = FhewParams::by_name(&format!("paper_recursive_{bits}"))?;
        Experiment::new(&params, bits, depth)?.run(batches, sink)?;
    }
    Ok(())
}

struct Experiment {
    params: FhewParams,
    keys: SecretKeys,
    bits: u32,
    depth: u32,
    lut: Lut,
    /// The registry's construction.
    right: Circuit,
    log2_p_fail: f64,
}

impl Experiment {
    fn new(params: &FhewParams, bits: u32, depth: u32) -> Result<Self, BenchError> {
        let root = SecretSeed::from_bytes(&SplitMix(u64::from(bits)).seed());
        let lut = Lut::new((0..1 << bits).collect(), bits)?;
        let algorithm = Recursive { depth: Depth::Fixed(depth) };
        let right = algorithm.fit(params, &lut, params.fresh_variance(), params.log2_p_fail())?;
        let log2_p_fail = algorithm.noise(params, &right, params.fresh_variance()).log2_p_fail;
        let keys = SecretKeys::derive(params, root);
        Ok(Self { params: params.clone(), keys, bits, depth, lut, right, log2_p_fail })
    }

    /// The same with the compression table, the last but one, for all p messages.
    fn wrong(&self) -> Circuit {
        let mut circuit = self.right.clone();
        let first = circuit.rotations().count() - 2;
        let p = 1usize << self.bits;
        let unit = 1u64 << (63 - self.bits);
        if let Some(Rotation { table: Table::Plain { values, .. }, shift, .. }) = circuit.rotations_mut().nth(first) {
            *values = (0..p / 2).map(|j| unit * j as u64 + unit / 2).collect();
            *shift = 0.5 / p as f64;
        }
        circuit
    }

    fn run(&self, batches: usize, sink: &mut Sink<'_>) -> Result<(), BenchError> {
        let key = self.keys.evaluation_key()?.prepare()?;
        let long = self.params.ciphertext_dimension() + 1;
        let base = 1u32 << (self.bits - self.depth);
        let constructions = [
            (format!("the {base} base messages (ours)"), &self.right, None),
            (format!("all {} messages (the program)", 1 << self.bits), &self.wrong(), Some(self.predicted_rates())),
        ];
        for (name, circuit, predicted) in constructions {
            let table = PreparedTable::new(&self.params, circuit.clone(), key.rotation.fft());
            let mut workspace = Workspace::new(&key, circuit, BATCH);
            let mut random = SplitMix(u64::from(self.bits) + 1);
            let (mut samples, mut errors) = (Samples::default(), Vec::new());
            let (mut wrong, mut one_below) = (0, 0);
            for _ in 0..batches {
                let values = random.values(BATCH, self.bits);
                let inputs = encrypt(&self.keys, &values, self.bits, &mut random);
                let mut outputs = vec![0; BATCH * long];
                samples.time(BATCH as f64, || {
                    eval_into(&mut [&mut outputs], &table, &[&inputs], &key, &mut workspace);
                });
                for (&value, output) in values.iter().zip(outputs.chunks_exact(long)) {
                    let (phase, expected) = (self.keys.phase(output), self.lut.values()[value as usize]);
                    let found = decode(phase, self.bits);
                    wrong += u32::from(found != expected);
                    one_below += u32::from(found == expected.wrapping_sub(1) % (1 << self.bits) && found != expected);
                    if found == expected {
                        errors.push(torus_difference(phase, encode(expected, self.bits)));
                    }
                }
            }
            let checked = batches * BATCH;
            let mut row = Row::new(NAME, name).timed(&samples.stats());
            row.algorithm = Some(format!("recursive-{}", self.depth));
            row.params = Some(self.params.name().to_string());
            row.bits = Some(self.bits);
            row.correct = Some(wrong == 0);
            row.noise_measured_std = Some(root_mean_square(&errors));
            row.noise_predicted_std =
                Some(circuit.noise(&self.params, self.params.fresh_variance()).output_variance.sqrt());
            row.log2_p_fail = Some(predicted.map_or(self.log2_p_fail, |[ours, _]| ours.log2()));
            let [ours, paper] = predicted.unwrap_or([self.log2_p_fail.exp2(), f64::NAN]);
            sink(
                row.with("wrong", wrong)
                    .with("wrong_one_below", one_below)
                    .with("checked", checked)
                    .with("wrong_rate", f64::from(wrong) / checked as f64)
                    .with("predicted_rate", ours)
                    .with("predicted_rate_paper", paper)
                    .with("isa", bootes::isa().to_string()),
            )?;
        }
        Ok(())
    }

    /// Predicted rate of wrong values of the wrong construction: with our modulus switch, and with the paper's, whose
    /// variance for a binary key is n/24 + 1/12 positions squared.
    fn predicted_rates(&self) -> [f64; 2] {
        let rotations: Vec<&Rotation> = self.right.rotations().collect();
        let rate = |mod_switch: &dyn Fn(usize) -> f64| {
            let p = f64::from(1u32 << self.bits);
            let switch = self.params.key_switch_variance();
            let [first, second] = [rotations[rotations.len() - 2], rotations[rotations.len() - 1]];
            // The first rotation, over the input times 2^µ, is off by j of the p messages: off by more than half of
            // 1/p.
            let amplified = f64::from(2 * first.log2_factor).exp2() * (self.params.fresh_variance() + switch);
            let before = (amplified + mod_switch(first.extension)).sqrt();
            // The second is off by j·1/(2p) + noise, and wrong below −1/(4p) or above 1/(2·base) − 1/(4p).
            let after = (self.params.blind_rotation_variance() + switch + mod_switch(second.extension)).sqrt();
            let width = 0.5 / f64::from(1u32 << (self.bits - self.depth));
            (-20..=20i32)
                .map(|j| {
                    let shift = f64::from(j);
                    let slip = normal_between((shift - 0.5) / p, (shift + 0.5) / p, before);
                    let (low, high) = (-0.25 / p - shift * 0.5 / p, width - 0.25 / p - shift * 0.5 / p);
                    slip * (1.0 - normal_between(low, high, after))
                })
                .sum()
        };
        let degree = self.params.shape().degree as f64;
        let n = self.params.lwe_dimension() as f64;
        [
            rate(&|extension| self.params.mod_switch_variance(extension, 1)),
            rate(&|extension| (n / 24.0 + 1.0 / 12.0) / (2.0 * extension as f64 * degree).powi(2)),
        ]
    }
}

/// The probability that a normal variable of mean 0 lies in [low, high).
fn normal_between(low: f64, high: f64, std: f64) -> f64 {
    // log2_failure is log2 of the probability of |X| > window.
    let above = |x: f64| {
        let tail = 0.5 * log2_failure(x.abs(), std).exp2();
        if x >= 0.0 { tail } else { 1.0 - tail }
    };
    above(low) - above(high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_probabilities() {
        for (low, high, probability) in
            [(-1.0, 1.0, 0.682_689), (0.0, 10.0, 0.5), (1.0, 2.0, 0.135_905), (-2.0, -1.0, 0.135_905)]
        {
            assert!((normal_between(low, high, 1.0) - probability).abs() < 1e-5, "{low} {high}");
        }
    }
}
