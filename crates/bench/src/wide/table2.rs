//! `wide-table2`: Table 2 of the wide-modulus paper, ours beside each cell, and our own sets of wide words.
use crate::clock::{Samples, root_mean_square};
use crate::paper::WidePaper;
use crate::row::{Column, Row};
use crate::wide::{BATCH, Subject, log2_of_unit};
use crate::{BenchError, Options, Sink};
use bootes_lut::Lut;
use bootes_lut::fhew::registry;
use bootes_schemes::class::SetClass;
use bootes_schemes::fhew::FhewParams;

pub(crate) const NAME: &str = "wide-table2";
pub(crate) const SUMMARY: &str = "Table 2 of the wide-modulus paper: EvalFunc with ciphertexts of 62 to 76 bits, ours beside it; then our sets to 120 bits";
pub(crate) const COLUMNS: &[Column] = &[
    Column::new("cell", "row", 22),
    Column::new("paper ms", "paper_ms", 8),
    Column::new("OpenFHE ms", "openfhe_ms", 10),
    Column::new("one of 16", "batch16_cpu_ms", 9),
    Column::new("limbs", "limbs", 5),
    Column::new("paper log2", "paper_log2_noise", 10),
    Column::new("OpenFHE log2", "openfhe_log2_noise", 12),
    Column::new("gadget", "gadget_log2_noise", 6),
    Column::new("transforms", "transforms_log2_noise", 10),
    Column::new("predicted", "predicted_log2_noise", 9),
    Column::new("measured", "measured_log2_noise", 9),
    Column::scaled("key GiB", "key_memory_bytes", 7, 1.0 / (1 << 30) as f64),
    Column::new("right", "correct", 5),
    Column::new("log2 p_fail", "log2_p_fail", 11),
    Column::new("security", "security_bits", 8),
];

pub(crate) fn run(options: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    let paper = WidePaper::load();
    let runs = options.runs(5, 1);
    sink(
        Row::new(NAME, "Table 2")
            .with(
                "note",
                format!(
                    "paper: {}; ours: CPU ms a value on one thread of this machine, in batches of {BATCH}; noise in units of 1/Q: \
                     what the gadget adds (sigma_GINX), what the transforms (Delta_fft), and all (beta_ACC), which a result of \
                     EvalFunc has; beside ours the paper's cell of four digits",
                    paper.machine
                ),
            )
            .with("paper", paper.paper.as_str())
            .with("title", paper.title.as_str()),
    )?;
    for params in FhewParams::wide().iter().filter(|set| set.bits() == 4 && set.literal().class != SetClass::Toy) {
        let log2_modulus = params.log2_modulus();
        // The paper's sets have one digit less than it says: the lowest is dropped.
        let (name, digits) = match params.is_default() {
            true => (format!("ours, log Q = {log2_modulus}"), 4),
            false => {
                let digits = params.bootstrap_gadget().levels() + 1;
                (format!("log Q = {log2_modulus}, d = {digits}"), digits)
            }
        };
        let cell = paper.cell.iter().find(|cell| (cell.log2_modulus, cell.digits) == (log2_modulus, digits));
        if options.quick && !["paper_wide_76_d4", "wide_4bit_q100"].contains(&params.name()) {
            continue;
        }
        let mut row = Row::new(NAME, name);
        if let Some(cell) = cell {
            row.paper_ms = Some(cell.ms);
            row = row
                .with("paper_log2_noise", cell.log2_noise)
                .with("paper_log2_limb", cell.log2_limb)
                .with("openfhe_ms", cell.openfhe_ms)
                .with("openfhe_log2_noise", cell.openfhe_log2_noise);
        }
        sink(measure(row, params, runs)?)?;
    }
    Ok(())
}

/// Fills a row: EvalFunc of a random table, in batches, every result decrypted.
pub(crate) fn measure(mut row: Row, params: &FhewParams, runs: usize) -> Result<Row, BenchError> {
    let bits = params.bits();
    let mut subject = Subject::new(params)?;
    let values = subject.random.values(1 << bits, bits);
    let algorithm = registry::by_name("eval-func")?;
    let lut = Lut::modular(values.clone(), 1 << bits)?;
    let circuit = algorithm.fit(params, &lut, params.fresh_variance(), params.log2_p_fail())?;
    let noise = circuit.noise(params, params.fresh_variance());

    let (mut wrong, mut errors, mut samples) = (0, Vec::new(), Samples::default());
    // The first run warms the caches and does not count.
    for run in 0..=runs {
        let messages = subject.random.values(BATCH, bits);
        let expected: Vec<u64> = messages.iter().map(|&m| values[m as usize]).collect();
        let inputs = subject.encrypt(&messages, bits);
        if run == 1 {
            samples = Samples::default();
        }
        let results = subject.evaluate(&circuit, &inputs, &mut samples);
        wrong += subject.decrypt(&results, bits).iter().zip(&expected).filter(|(found, m)| found != m).count();
        errors.extend(subject.errors(&results, &expected, bits));
    }
    let stats = samples.stats();
    let log2 = |std: f64| log2_of_unit(params, std);
    let (predicted, measured) = (noise.output_variance.sqrt(), root_mean_square(&errors));
    let limbs = subject.key.rotation.limbs();
    let rotation = params.blind_rotation(params.shape());
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
        .with("limbs", limbs.count())
        .with("gadget_log2_noise", log2(rotation.gadget_variance().sqrt()))
        .with("transforms_log2_noise", log2(rotation.float_variance(limbs, None).sqrt()))
        .with("predicted_log2_noise", log2(predicted))
        .with("measured_log2_noise", log2(measured))
        .with("key_memory_bytes", subject.key.bytes())
        .with("wrong", wrong)
        .with("checked", errors.len())
        .with("security_bits", params.security().ok().map(|s| s.standard_bits))
        .with("isa", subject.key.rotation.fft().isa().to_string()))
}
