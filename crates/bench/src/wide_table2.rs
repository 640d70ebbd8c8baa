//! `wide-table2`: Table 2 of the wide-modulus paper, ours beside each cell, and our own sets of wide words.
use crate::clock::{Samples, root_mean_square};
use crate::paper::WidePaper;
use crate::random::SplitMix;
use crate::row::{Column, Row};
use crate::{BenchError, Options, Sink};
use bootes_lattice::lwe;
use bootes_lattice::noise::measure::torus_difference;
use bootes_lut::Lut;
use bootes_lut::eval::{PreparedTable, Workspace, eval_into};
use bootes_lut::registry;
use bootes_ring::sample::{MaskSeed, SecretSeed};
use bootes_ring::torus::Torus;
use bootes_schemes::fhew::FhewParams;
use bootes_schemes::fhew::encoding::{decode, encode};
use bootes_schemes::fhew::keys::{PreparedEvaluationKey, SecretKeys};

pub(crate) const NAME: &str = "wide-table2";
pub(crate) const SUMMARY: &str = "Table 2 of the wide-modulus paper: EvalFunc with ciphertexts of 64 to 76 bits, ours beside it; then our sets to 120 bits";
pub(crate) const COLUMNS: &[Column] = &[
    Column::new("cell", "row", 22),
    Column::new("paper ms", "paper_ms", 8),
    Column::new("OpenFHE ms", "openfhe_ms", 10),
    Column::new("one of 16", "batch16_cpu_ms", 9),
    Column::new("limbs", "limbs", 5),
    Column::new("paper log2", "paper_log2_noise", 10),
    Column::new("OpenFHE log2", "openfhe_log2_noise", 12),
    Column::new("predicted", "predicted_log2_noise", 9),
    Column::new("measured", "measured_log2_noise", 9),
    Column::scaled("key GiB", "key_memory_bytes", 7, 1.0 / (1 << 30) as f64),
    Column::new("right", "correct", 5),
    Column::new("log2 p_fail", "log2_p_fail", 11),
    Column::new("security", "security_bits", 8),
];

/// Values evaluated together.
const BATCH: usize = 16;

pub(crate) fn run(options: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    let paper = WidePaper::load();
    let runs = options.runs(5, 1);
    sink(
        Row::new(NAME, "Table 2")
            .with(
                "note",
                format!(
                    "paper: {}; ours: CPU ms a value on one thread of this machine, in batches of {BATCH}; noise in \
                 units of 1/Q",
                    paper.machine
                ),
            )
            .with("paper", paper.paper.as_str())
            .with("title", paper.title.as_str()),
    )?;
    for cell in &paper.cell {
        if options.quick && cell.log2_modulus != 76 {
            continue;
        }
        let mut row = Row::new(NAME, format!("log Q = {}, d = {}", cell.log2_modulus, cell.digits));
        row.paper_ms = Some(cell.ms);
        row = row
            .with("paper_log2_noise", cell.log2_noise)
            .with("paper_log2_limb", cell.log2_limb)
            .with("openfhe_ms", cell.openfhe_ms)
            .with("openfhe_log2_noise", cell.openfhe_log2_noise);
        sink(measure(row, &FhewParams::by_name(&cell.params)?, runs)?)?;
    }
    for params in FhewParams::wide().iter().filter(|set| set.is_default()) {
        if !options.quick || params.log2_modulus() == 100 {
            sink(measure(Row::new(NAME, format!("ours, log Q = {}", params.log2_modulus())), params, runs)?)?;
        }
    }
    Ok(())
}

/// Fills a row: EvalFunc of a random table, in batches, every result decrypted.
pub(crate) fn measure(mut row: Row, params: &FhewParams, runs: usize) -> Result<Row, BenchError> {
    let bits = params.bits();
    let mut random = SplitMix(u64::from(params.log2_modulus()));
    let secret = SecretKeys::derive(params, SecretSeed::from_bytes(random.seed()));
    let key: PreparedEvaluationKey<u128> = secret.evaluation_key_of()?.prepare()?;
    let values = random.values(1 << bits, bits);
    let algorithm = registry::by_name("eval-func")?;
    let lut = Lut::with_out_bits(values.clone(), bits)?;
    let circuit = algorithm.fit(params, &lut, params.fresh_variance(), params.log2_p_fail())?;
    let noise = circuit.noise(params, params.fresh_variance());
    let table = PreparedTable::new(params, circuit, key.rotation.fft());
    let mut workspace = Workspace::new(&key, &table.circuit, BATCH);
    let long = params.ciphertext_dimension() + 1;
    let mut out = vec![0u128; BATCH * long];

    let (mut wrong, mut errors, mut samples) = (0, Vec::new(), Samples::default());
    // The first run warms the caches and does not count.
    for run in 0..=runs {
        let messages = random.values(BATCH, bits);
        let inputs = encrypt(&secret, &messages, bits, &mut random);
        let mut evaluate = || {
            eval_into(&mut [&mut out], &table, &[&inputs], &key, &mut workspace);
            Ok::<_, BenchError>(())
        };
        if run == 0 {
            evaluate()?;
        } else {
            samples.time(BATCH as f64, evaluate)?;
        }
        for (&message, result) in messages.iter().zip(out.chunks_exact(long)) {
            let (phase, expected) = (secret.phase(result), values[message as usize]);
            wrong += usize::from(decode(phase.top(), bits) != expected);
            errors.push(torus_difference(phase, u128::from_top(encode(expected, bits))));
        }
    }
    let stats = samples.stats();
    let log2 = |std: f64| std.log2() + f64::from(params.log2_modulus());
    let (predicted, measured) = (noise.output_variance.sqrt(), root_mean_square(&errors));
    row.algorithm = Some(algorithm.name());
    row.params = Some(params.name().to_string());
    row.bits = Some(bits);
    row.runs = Some(runs);
    row.correct = Some(wrong == 0);
    row.log2_p_fail = Some(noise.log2_p_fail);
    row.noise_predicted_std = Some(predicted);
    row.noise_measured_std = Some(measured);
    Ok(row
        .with("log2_modulus", params.log2_modulus())
        .with("batch16_ms", stats.median_ms)
        .with("batch16_cpu_ms", stats.cpu_ms)
        .with("limbs", key.rotation.limbs().count())
        .with("predicted_log2_noise", log2(predicted))
        .with("measured_log2_noise", log2(measured))
        .with("key_memory_bytes", key.bytes())
        .with("wrong", wrong)
        .with("checked", errors.len())
        .with("security_bits", params.security().ok().map(|s| s.standard_bits))
        .with("isa", key.rotation.fft().isa().to_string()))
}

/// Fresh ciphertexts, one after the other.
fn encrypt(secret: &SecretKeys, messages: &[u64], bits: u32, random: &mut SplitMix) -> Vec<u128> {
    let encoded: Vec<u128> = messages.iter().map(|&m| u128::from_top(encode(m, bits))).collect();
    let mask_seed = MaskSeed::from_bytes(random.seed());
    let bodies = secret.encrypt(&encoded, &mask_seed, &SecretSeed::from_bytes(random.seed()));
    let long = secret.params().ciphertext_dimension() + 1;
    let mut words = vec![0; messages.len() * long];
    for ((i, words), body) in words.chunks_exact_mut(long).enumerate().zip(bodies) {
        lwe::expand_mask(&mask_seed, i as u64, &mut words[..long - 1]);
        words[long - 1] = body;
    }
    words
}
