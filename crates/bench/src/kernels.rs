//! `kernels`: transforms, external product, blind rotation, key switch, against the machine's measured limits.
use crate::clock::Stats;
use crate::machine::{Limits, Machine};
use crate::random::SplitMix;
use crate::row::{Column, Row};
use crate::subject::{KeySwitchSubject, RotationSubject, transform_flops};
use crate::{BenchError, Options, Sink};
use bootes_ring::fft::{BlockShape, Fft};
use bootes_ring::gadget::Gadget;
use bootes_ring::isa::Isa;
use bootes_ring::mem::AlignedVec;
use bootes_schemes::fhew::FhewParams;

pub(crate) const NAME: &str = "kernels";
pub(crate) const SUMMARY: &str =
    "transforms, external product, blind rotation, key switch: operations, bytes, fraction of the machine's peak";
pub(crate) const COLUMNS: &[Column] = &[
    Column::new("kernel", "row", 42),
    Column::scaled("CPU us", "cpu_ms", 10, 1e3),
    Column::scaled("wall us", "median_ms", 10, 1e3),
    Column::scaled("kflop", "flops", 9, 1e-3),
    Column::scaled("kB", "bytes", 9, 1e-3),
    Column::new("GFlop/s", "gflops", 8),
    Column::scaled("bound us", "bound_ms", 8, 1e3),
    Column::scaled("% of peak", "fraction_of_peak", 9, 100.0),
    Column::new("GB/s", "gbytes", 7),
    Column::scaled("% of memory", "fraction_of_bandwidth", 11, 100.0),
    Column::new("noise", "noise_measured_std", 9),
    Column::new("predicted", "noise_predicted_std", 9),
];

/// The legend of the columns.
const LEGEND: &str = "its peak of multiply-adds and its memory's bandwidth, measured. Times are of one call, one rotation or one ciphertext of \
                      a group; bound: its operations at the peak; GB/s: bytes read and written, from memory only where a share of the \
                      bandwidth stands; bare: without cutting digits and rounding to words; nu: the extension factor; block: keys at once";

/// Bytes of accumulators that are rotated together, as the evaluator has it.
const GROUP_BYTES: usize = 640 << 10;
/// Ciphertexts of a key switch.
const BATCH: usize = 16;

pub(crate) fn run(options: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    let runs = options.runs(15, 3);
    let run_ms = if options.quick { 2.0 } else { 20.0 };
    let limits = Limits::measure(runs);
    let machine = Machine::here();
    sink(
        Row::new(NAME, "machine")
            .with("gflops", limits.gflops)
            .with("gbytes", limits.gbytes)
            .with("cpu", machine.cpu.as_str())
            .with("isa", machine.isa.as_str())
            .with("note", format!("{}, {} cores, {}; {LEGEND}", machine.cpu, machine.cores, machine.isa)),
    )?;
    transforms(&limits, runs, run_ms, sink)?;
    for shape in [(1024, 3, 3, 7), (2048, 2, 2, 8)] {
        products(shape, &limits, runs, run_ms, sink)?;
    }
    for params in sets(options.quick)? {
        rotations(&params, &limits, runs, run_ms, sink)?;
    }
    Ok(())
}

/// The sets whose kernels are measured: small and large defaults, that of integers, and the paper's.
fn sets(quick: bool) -> Result<Vec<FhewParams>, BenchError> {
    let defaults = [4, 8].iter().filter_map(|&bits| FhewParams::for_bits(bits, -128).ok());
    if quick {
        return Ok(defaults.take(1).chain([FhewParams::by_name("toy_4")?]).collect());
    }
    let others = [
        FhewParams::for_integers(16, -128),
        FhewParams::by_name("paper_recursive_5"),
        FhewParams::by_name("paper_recursive_8"),
    ];
    Ok(defaults.chain(others.into_iter().collect::<Result<Vec<_>, _>>()?).collect())
}

/// Adds the figures that follow from the CPU time: `flops` and `bytes` of one call.
fn rated(row: Row, stats: &Stats, limits: &Limits, flops: f64, bytes: f64, from_memory: bool) -> Row {
    let nanoseconds = stats.cpu_ms * 1e6;
    let (gflops, gbytes) = (flops / nanoseconds, bytes / nanoseconds);
    row.timed(stats)
        .with("flops", flops)
        .with("bytes", bytes)
        .with("gflops", gflops)
        .with("bound_ms", flops / limits.gflops * 1e-6)
        .with("fraction_of_peak", gflops / limits.gflops)
        .with("gbytes", gbytes)
        .with("fraction_of_bandwidth", from_memory.then_some(gbytes / limits.gbytes))
}

fn transforms(limits: &Limits, runs: usize, run_ms: f64, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    let gadget = Gadget::try_new(22, 1)?;
    for degree in (9..=14).map(|log2| 1usize << log2) {
        let fft = Fft::new(degree)?;
        let words = SplitMix(degree as u64).values(degree, 64);
        let mut freq = AlignedVec::<f64>::new(degree);
        let mut accumulator = AlignedVec::<u64>::new(degree);
        // There and back adds the digits to zero: exact, since their transform errs by far less than one half.
        fft.forward_digit(&mut freq, &words, gadget, 1);
        freq.iter_mut().for_each(|x| *x *= 2f64.powi(-40));
        fft.backward_add_torus(&mut accumulator, &mut freq);
        let digit = |&x: &u64| (gadget.digit(x, 1) << 24) as u64;
        let error = |(&found, x): (&u64, &u64)| (found.wrapping_sub(digit(x)) as i64).unsigned_abs();
        let correct = accumulator.iter().zip(&words).map(error).all(|error| error < 1 << 16);

        let row = |name: &str| {
            let mut row = Row::new(NAME, format!("FFT {name} N={degree}")).with("isa", fft.isa().to_string());
            row.correct = Some(correct);
            row
        };
        let flops = transform_flops(degree);
        let forward = Stats::measure_for(runs, run_ms, || fft.forward_digit(&mut freq, &words, gadget, 1));
        // Reads words, writes points.
        sink(rated(row("forward"), &forward, limits, flops, (16 * degree) as f64, false))?;
        let backward = Stats::measure_for(runs, run_ms, || fft.backward_add_torus(&mut accumulator, &mut freq));
        // Reads points, reads and writes words.
        sink(rated(row("backward"), &backward, limits, flops, (24 * degree) as f64, false))?;
        // The same without cutting digits and without rounding to words: what these take is the difference.
        freq.fill(0.0);
        let forward = Stats::measure_for(runs, run_ms, || fft.forward_in_place(&mut freq));
        sink(rated(row("forward, bare"), &forward, limits, flops, (16 * degree) as f64, false))?;
        let backward = Stats::measure_for(runs, run_ms, || fft.backward_in_place(&mut freq));
        sink(rated(row("backward, bare"), &backward, limits, flops, (16 * degree) as f64, false))?;
    }
    Ok(())
}

/// Sums of key matrices times monomials, times digits, on transforms: `rows`×`cols` polynomials, `block` keys at once.
fn products(
    (degree, rows, cols, block): (usize, usize, usize, usize),
    limits: &Limits,
    runs: usize,
    run_ms: f64,
    sink: &mut Sink<'_>,
) -> Result<(), BenchError> {
    let fft = Fft::new(degree)?;
    let shape = BlockShape { extension: 1, rows, cols, block };
    let mut random = SplitMix(degree as u64);
    let mut numbers = |len: usize| {
        let words = random.values(len, 20);
        AlignedVec::from_slice(&words.iter().map(|&x| x as f64 - f64::from(1 << 19)).collect::<Vec<_>>())
    };
    let (key, digits) = (numbers(shape.key_len(degree)), numbers(shape.digits_len(degree)));
    let mut out = AlignedVec::<f64>::new(shape.out_len(degree));
    let exponents: Vec<u32> = (0..block).map(|i| ((777 * i + 5) % (2 * degree)) as u32).collect();
    let mut expected = out.clone();
    Fft::with_isa(degree, Isa::Scalar)?.rotate_multiply_block(shape, &mut expected, &digits, &key, &exponents);
    let run = || fft.rotate_multiply_block(shape, &mut out, &digits, &key, &exponents);
    let stats = Stats::measure_for(runs, run_ms, run);
    let points = (degree / 2) as f64;
    let name = format!("monomials and products {rows}x{cols} block {block} N={degree}");
    let mut row = Row::new(NAME, name).with("isa", fft.isa().to_string());
    row.correct = Some(*out == *expected);
    // A product of two complex numbers and its sum are eight operations; a monomial is a product of six, less one.
    let flops = points * (8 * block * rows * cols + 8 * rows * cols + 7 * block) as f64;
    let bytes = 8.0 * (shape.key_len(degree) + shape.digits_len(degree) + shape.out_len(degree)) as f64;
    sink(rated(row, &stats, limits, flops, bytes, false))
}

fn rotations(
    params: &FhewParams,
    limits: &Limits,
    runs: usize,
    run_ms: f64,
    sink: &mut Sink<'_>,
) -> Result<(), BenchError> {
    let shape = params.shape();
    // Accumulators that are rotated together: what the evaluator would take.
    let group_components = (GROUP_BYTES / (shape.words() * 8)).max(1);
    let subject_row = |name: String, noise: [f64; 2], key_bytes: [usize; 2]| {
        let mut row =
            Row::new(NAME, name).with("key_memory_bytes", key_bytes[0]).with("isa", Isa::selected().to_string());
        row.params = Some(params.name().to_string());
        row.bits = Some(params.bits());
        row.key_bytes = Some(key_bytes[1] as u64);
        row.noise_predicted_std = Some(noise[0]);
        row.noise_measured_std = Some(noise[1]);
        // A wrong product is off by a good part of the torus.
        row.correct = Some(noise[1] < 2.0 * noise[0]);
        row
    };
    for extension in [1, 3] {
        let mut step = RotationSubject::new(params, Some(1), extension, 1)?;
        let noise = [step.predicted_std(), step.measured_std()];
        let stats = Stats::measure_for(runs, run_ms, || step.run());
        let row = subject_row(format!("external product nu={extension} {}", params.name()), noise, step.key_bytes());
        sink(rated(row, &stats, limits, step.flops(), step.bytes(), false))?;
    }
    for extension in [1, 3] {
        let group = (group_components / extension).max(1);
        let mut rotation = RotationSubject::new(params, None, extension, group)?;
        let noise = [rotation.predicted_std(), rotation.measured_std()];
        let stats = Stats::measure_for(runs.min(7), run_ms, || rotation.run()).divided(group);
        let name = format!("blind rotation nu={extension} group {group} {}", params.name());
        let row = subject_row(name, noise, rotation.key_bytes()).with("group", group);
        sink(rated(row, &stats, limits, rotation.flops(), rotation.bytes(), true))?;
    }
    // One error a ciphertext: more of them than the timed batch has.
    let mut samples = KeySwitchSubject::new(params, 64 * BATCH)?;
    let noise = [samples.predicted_std(), samples.measured_std()];
    drop(samples);
    let mut switch = KeySwitchSubject::new(params, BATCH)?;
    let stats = Stats::measure_for(runs, run_ms, || switch.run()).divided(BATCH);
    let row = subject_row(format!("key switch batch {BATCH} {}", params.name()), noise, switch.key_bytes());
    let mut row = rated(row, &stats, limits, switch.operations(), switch.bytes(), true).with("group", BATCH);
    // 32-bit integer operations have another peak.
    row.extra.insert("fraction_of_peak".into(), serde_json::Value::Null);
    sink(row)
}
