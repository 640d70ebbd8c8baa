//! Measures the noise of the default parameter sets against the prediction:
//! `cargo run --release -p bootes-bench --bin noise_suite [-- --samples COUNT] [NAME…]`.
//!
//! For each set, with one key: the error of a key switch, of the modulus switches, of a blind rotation and of a whole
//! table (random, in the algorithm of least predicted time that takes every table), the ratio of its standard deviation
//! to the predicted one with the 99.9 % interval of χ², its mean in standard errors, and the Jarque–Bera test of
//! normality. Without names it runs all default sets, some minutes each, and writes `crates/bench/results/noise.md`. A
//! standard deviation above the prediction makes the exit status 1; one below (a bound that is not reached) does not.
use bootes_lattice::LatticeError;
use bootes_lattice::lwe;
use bootes_lattice::modswitch::mod_switch_into;
use bootes_lattice::noise::measure::{lwe_error, torus_difference};
use bootes_lut::fhew::eval::PreparedTable;
use bootes_lut::fhew::{Algorithm, eval};
use bootes_lut::fhew::{Depth, Recursive};
use bootes_lut::{Lut, LutError};
use bootes_ring::mem::ScratchBuffer;
use bootes_ring::sample::SecretSeed;
use bootes_schemes::fhew::encoding::encode;
use bootes_schemes::fhew::evaluator::{Job, JobTable};
use bootes_schemes::fhew::keys::SecretKeys;
use bootes_schemes::fhew::prepared::PreparedEvaluationKey;
use bootes_schemes::fhew::test_vector::TestVector;
use bootes_schemes::fhew::{FhewParams, ParamsError};
use bootes_testkit::{Moments, TestRng, jarque_bera_p_value, seed_bytes, variance_interval};
use std::fmt::Write as _;
use std::process::ExitCode;

/// Confidence of the intervals.
const CONFIDENCE: f64 = 0.999;
/// Values evaluated together.
const BATCH: usize = 16;
const RESULTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/results/noise.md");
const USAGE: &str = "usage: noise_suite [--samples COUNT] [NAME…], COUNT at least 100 (2000 for the test of normality)";

#[derive(Debug, thiserror::Error)]
enum Error {
    #[error(transparent)]
    Params(#[from] ParamsError),
    #[error(transparent)]
    Lattice(#[from] LatticeError),
    #[error(transparent)]
    Lut(#[from] LutError),
    #[error("{RESULTS} cannot be written: {0}")]
    Write(#[from] std::io::Error),
    #[error("{USAGE}")]
    Usage,
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Whether every measured standard deviation agrees with its prediction or is below it.
fn run() -> Result<bool, Error> {
    let (mut samples, mut names) = (2000, Vec::new());
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        if word == "--samples" {
            samples =
                words.next().and_then(|count| count.parse().ok()).filter(|&count| count >= 100).ok_or(Error::Usage)?;
        } else if word.starts_with('-') {
            return Err(Error::Usage);
        } else {
            names.push(FhewParams::by_name(&word)?);
        }
    }
    let all = names.is_empty();
    if all {
        names = FhewParams::all().iter().filter(|set| set.is_default()).cloned().collect();
    }
    let mut report = format!(
        "# Noise, measured over predicted\n\nBy `cargo run --release -p bootes-bench --bin noise_suite`: {samples} samples of each \
         step, one key a set. Ratio of standard deviations with its 99.9 % interval (χ²); `low` is a bound that is not \
         reached; the mean in standard errors; p of the Jarque–Bera test.\n\n{}",
        "| set | step | predicted std | ratio | interval | | mean | p |\n|---|---|---|---|---|---|---|---|\n"
    );
    print!("{report}");
    let mut agrees = true;
    for params in names {
        for step in measure(&params, samples)? {
            let (line, ok) = step.line(params.name());
            print!("{line}");
            report += &line;
            agrees &= ok;
        }
    }
    if all {
        std::fs::create_dir_all(concat!(env!("CARGO_MANIFEST_DIR"), "/results"))?;
        std::fs::write(RESULTS, report)?;
        println!("\nwritten: {RESULTS}");
    }
    Ok(agrees)
}

/// A step's errors and their predicted variance, of the torus.
struct Step {
    name: String,
    errors: Vec<f64>,
    predicted: f64,
}

impl Step {
    fn line(&self, set: &str) -> (String, bool) {
        let moments = Moments::of(&self.errors);
        let (low, high) = variance_interval(moments.variance, moments.count, CONFIDENCE);
        let verdict = match self.predicted {
            predicted if predicted < low => "HIGH",
            predicted if predicted > high => "low",
            _ => "agrees",
        };
        let ratio = |variance: f64| (variance / self.predicted).sqrt();
        let mut line = format!(
            "| {set} | {} | 2^{:.2} | {:.3} | {:.3}–{:.3} | {verdict} | {:+.1} |",
            self.name,
            self.predicted.log2() / 2.0,
            ratio(moments.variance),
            ratio(low),
            ratio(high),
            moments.mean / (moments.std() / (moments.count as f64).sqrt()),
        );
        let _ = match moments.count {
            2000.. => writeln!(line, " {:.2} |", jarque_bera_p_value(&self.errors)),
            _ => writeln!(line, " |"),
        };
        (line, verdict != "HIGH")
    }
}

/// All steps of one set.
fn measure(params: &FhewParams, samples: usize) -> Result<Vec<Step>, Error> {
    let secret = |index| SecretSeed::from_bytes(&seed_bytes(params.name(), index));
    let keys = SecretKeys::derive(params, secret(0));
    let key = keys.evaluation_key()?.prepare()?;
    let mut random = TestRng::new(params.name(), 1);
    let size = 1u64 << params.bits();

    let messages: Vec<u64> = (0..samples).map(|_| random.below(size)).collect();
    let encoded: Vec<u64> = messages.iter().map(|&m| encode(m, params.bits())).collect();
    let (mask_seed, bodies) = keys.encrypt_with_randomness_for_tests(&encoded, &secret(2));
    let (dimension, long) = (params.ciphertext_dimension(), params.ciphertext_dimension() + 1);
    let mut inputs = vec![0; samples * long];
    for ((i, input), body) in inputs.chunks_exact_mut(long).enumerate().zip(bodies) {
        lwe::expand_mask(&mask_seed, i as u64, &mut input[..dimension]);
        input[dimension] = body;
    }
    let inputs: Vec<&[u64]> = inputs.chunks_exact(long).collect();

    // Random, but never constant: that takes no rotation.
    let mut values: Vec<u64> = (0..size).map(|_| random.below(size)).collect();
    values[0] = values[size as usize - 1] ^ 1;
    let table = Lut::new(values, params.bits())?;
    let algorithm = Recursive { depth: Depth::Best };
    let circuit = algorithm.fit(params, &table, params.fresh_variance(), params.log2_p_fail())?;
    let prepared = PreparedTable::new(params, circuit, key.rotation.fft());
    let noise = algorithm.noise(params, &prepared.circuit, params.fresh_variance());

    let short = in_parallel(&inputs, |inputs| {
        let mut samples = vec![0; inputs.len() * key.key_switch.stride()];
        key.key_switch.switch_into(&mut samples, &inputs.concat());
        samples
    });
    let short: Vec<&[u32]> = short.chunks_exact(key.key_switch.stride()).collect();
    let errors = short
        .iter()
        .zip(&inputs)
        .map(|(short, input)| torus_difference(u64::from(short_phase(&keys, short)) << 32, keys.phase(input)));
    let mut steps =
        vec![Step { name: "key switch".into(), errors: errors.collect(), predicted: params.key_switch_variance() }];

    let mut extensions: Vec<usize> =
        prepared.circuit.rotations().map(|rotation| rotation.extension).chain([1]).collect();
    extensions.sort_unstable();
    extensions.dedup();
    for extension in extensions {
        let modulus = 2 * extension * params.shape().degree;
        let errors = short.iter().map(|short| {
            let switched = position(params, &keys, short, modulus) as f64 / modulus as f64;
            let error = switched - f64::from(short_phase(&keys, short)) / 2f64.powi(32);
            error - error.round()
        });
        let predicted = params.mod_switch_variance(extension, 1);
        steps.push(Step { name: format!("modulus switch to {modulus}"), errors: errors.collect(), predicted });
    }

    let errors = in_parallel(&short, |short| rotation_errors(&keys, &key, short));
    steps.push(Step { name: "blind rotation".into(), errors, predicted: params.blind_rotation_variance() });

    let values: Vec<(&[u64], u64)> =
        inputs.iter().zip(&messages).map(|(&input, &m)| (input, table.encoded()[m as usize])).collect();
    let errors = in_parallel(&values, |values| {
        let mut workspace = eval::Workspace::new(&key, &prepared.circuit, BATCH);
        let mut errors = Vec::with_capacity(values.len());
        for values in values.chunks(BATCH) {
            let inputs: Vec<u64> = values.iter().flat_map(|(input, _)| input.iter().copied()).collect();
            let mut out = vec![0; inputs.len()];
            algorithm.eval_into(&mut out, &prepared, &inputs, &key, &mut workspace);
            let results = out.chunks_exact(long).zip(values);
            errors.extend(
                results.map(|(result, (_, expected))| lwe_error(result, *expected, keys.expose_glwe().as_lwe())),
            );
        }
        errors
    });
    let name = format!("table, {} rotations", prepared.circuit.rotations().count());
    steps.push(Step { name, errors, predicted: noise.output_variance });
    Ok(steps)
}

/// Phase of a short sample, modulo 2^32.
fn short_phase(keys: &SecretKeys, sample: &[u32]) -> u32 {
    let mask = sample.iter().zip(keys.expose_lwe().expose_coefficients());
    let product = mask.fold(0u32, |sum, (&a, &s)| sum.wrapping_add(a.wrapping_mul(i32::from(s) as u32)));
    product.wrapping_add(sample[keys.params().lwe_dimension()])
}

/// Phase of a short sample switched to `modulus`.
fn position(params: &FhewParams, keys: &SecretKeys, sample: &[u32], modulus: usize) -> usize {
    let n = params.lwe_dimension();
    let mut switched = vec![0; n + 1];
    mod_switch_into(&mut switched, sample, params.lwe_distribution(), modulus as u32, 0, 0);
    let mask = switched.iter().zip(keys.expose_lwe().expose_coefficients());
    let phase = mask.fold(i64::from(switched[n]), |sum, (&a, &s)| sum + i64::from(a) * i64::from(s));
    phase.rem_euclid(modulus as i64) as usize
}

/// Errors of rotations of a random test vector, each at a position that the key tells.
fn rotation_errors(keys: &SecretKeys, key: &PreparedEvaluationKey, samples: &[&[u32]]) -> Vec<f64> {
    let (params, degree) = (&key.params, key.shape().degree);
    let mut random = TestRng::new("test vector", 0);
    let values: Vec<u64> = (0..degree).map(|_| random.next_u64()).collect();
    let test_vector = TestVector::new(1, degree, |x| values[x]);
    let jobs: Vec<Job<'_>> = samples
        .iter()
        .map(|&sample| Job { sample, log2_factor: 0, offset: 0, interleaved: 1, table: JobTable::Plain(&test_vector) })
        .collect();
    let mut scratch = ScratchBuffer::new(key.rotation.rotate_scratch_bytes(1));
    let mut result = vec![0; params.ciphertext_dimension() + 1];
    let mut errors = Vec::with_capacity(samples.len());
    key.rotation.rotate_all(&jobs, &mut key.rotation.workspace(1), scratch.scratch(), |job, glwe| {
        key.extract_extended_into(&mut result, glwe, 0);
        let position = position(params, keys, samples[job], 2 * degree);
        let value = values[position % degree];
        let expected = if position < degree { value } else { value.wrapping_neg() };
        errors.push(torus_difference(keys.phase(&result), expected));
    });
    errors
}

/// `work` on equal parts of `items`, a thread a part; its results in order.
fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&[T]) -> Vec<R> + Sync) -> Vec<R> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let parts: Vec<_> =
            items.chunks(items.len().div_ceil(threads).max(1)).map(|part| scope.spawn(|| work(part))).collect();
        parts
            .into_iter()
            .flat_map(|part| part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}
