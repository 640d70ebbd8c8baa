//! The common part of the benchmarks of CKKS: the keys of a set, random tables on full ciphertexts, threads.
use std::sync::Arc;

use bootes_lattice::port::{RlweCiphertext, RlweEncoding, switch_variance};
use bootes_lattice::rns::MaskStorage;
use bootes_lut::Lut;
use bootes_lut::ckks::{FunctionalBootstrap, TableParams, Tables};
use bootes_ring::sample::SecretSeed;
use bootes_schemes::ckks::bootstrap::BootstrapStep;
use bootes_schemes::ckks::noise::{ErrorBound, SlotNoise};
use bootes_schemes::ckks::params::NOISE_STD;
use bootes_schemes::ckks::{CkksEvaluationKey, CkksParams, CkksSecretKey, Evaluator, KeyRequest};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use crate::clock::{Laps, Samples, root_mean_square};
use crate::random::SplitMix;
use crate::row::Row;
use crate::{BenchError, Options};

pub(crate) mod bootstrap;
pub(crate) mod figures;
pub(crate) mod integers;
pub(crate) mod large;
pub(crate) mod multi_value;
pub(crate) mod programs;
pub(crate) mod table2;
pub(crate) mod table_a1;
pub(crate) mod tables345;
pub(crate) mod tree;

/// Runs `work` on so many threads.
pub(crate) fn on<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> Result<T, BenchError> {
    Ok(ThreadPoolBuilder::new().num_threads(threads).build()?.install(work))
}

/// A secret key of fixed seed and the evaluation key asked for.
fn keys(
    params: &CkksParams,
    request: &KeyRequest,
    random: &mut SplitMix,
) -> Result<(CkksSecretKey, CkksEvaluationKey), BenchError> {
    let secret = CkksSecretKey::derive(params, &SecretSeed::from_bytes(&random.seed()));
    let keys = secret.evaluation_key(request, MaskStorage::Expanded, |_, _| ())?;
    Ok((secret, keys))
}

/// The keys of a set.
pub(crate) struct Subject {
    params: TableParams,
    secret: CkksSecretKey,
    bootstrap: FunctionalBootstrap,
    key_bytes: usize,
    random: SplitMix,
}

/// Random tables, random inputs encrypted.
pub(crate) struct Work {
    tables: Vec<Lut>,
    prepared: Tables,
    messages: Vec<u64>,
    input: RlweCiphertext,
}

/// The outcome of an evaluation. Noise is a standard deviation, as a part of half the distance of messages.
pub(crate) struct Outcome {
    wrong: usize,
    noise: f64,
    predicted: f64,
    /// Predicted, of a value.
    log2_failure: f64,
}

impl Outcome {
    /// Whether all values are right.
    pub(crate) fn is_right(&self) -> bool {
        self.wrong == 0
    }
}

impl Work {
    /// The tables.
    pub(crate) fn prepared(&self) -> &Tables {
        &self.prepared
    }
}

impl Subject {
    pub(crate) fn new(params: &TableParams) -> Result<Self, BenchError> {
        Ok(Self::timed(params)?.0)
    }

    /// [`Self::new`], and the CPU nanoseconds that the keys took to make, and their masks.
    pub(crate) fn timed(params: &TableParams) -> Result<(Self, [f64; 2]), BenchError> {
        let mut random = SplitMix(u64::from(params.literal().bits));
        let request = params.request(&params.transforms()?);
        let [mut made, mut kept] = [Samples::default(), Samples::default()];
        let seed = SecretSeed::from_bytes(&random.seed());
        let (secret, keys) = made.time(1.0, || {
            let secret = CkksSecretKey::derive(params.ckks(), &seed);
            let keys = secret.evaluation_key(&request, MaskStorage::Seeded, |_, _| ());
            keys.map(|keys| (secret, keys))
        })?;
        let keys = kept.time(1.0, || keys.with_masks(MaskStorage::Expanded));
        let ns = [made, kept].map(|samples| samples.stats().cpu_ms * 1e6);
        let key_bytes = keys.bytes();
        let bootstrap = FunctionalBootstrap::new(params, Evaluator::new(Arc::new(keys))?)?;
        Ok((Self { params: params.clone(), secret, bootstrap, key_bytes, random }, ns))
    }

    /// `count` random tables of 2^`bits` entries, N random inputs.
    pub(crate) fn work(&mut self, bits: u32, count: usize) -> Result<Work, BenchError> {
        let tables = (0..count).map(|_| Lut::modular(self.random.values(1 << bits, bits), 1 << bits));
        let tables = tables.collect::<Result<Vec<_>, _>>()?;
        let prepared = Tables::new(&self.params, self.bootstrap.transforms(), &tables)?;
        let (messages, input) = self.input(bits)?;
        Ok(Work { tables, prepared, messages, input })
    }

    /// N random inputs.
    fn input(&mut self, bits: u32) -> Result<(Vec<u64>, RlweCiphertext), BenchError> {
        let messages = self.random.values(self.params.capacity(), bits);
        let input = self.encrypt(&messages, bits)?;
        Ok((messages, input))
    }

    /// Messages modulo 2^`bits`.
    fn encrypt(&mut self, messages: &[u64], bits: u32) -> Result<RlweCiphertext, BenchError> {
        let encoding = RlweEncoding::new(1 << bits, self.params.literal().log2_modulus)?;
        let seed = SecretSeed::from_bytes(&self.random.seed());
        let (ring, key) = (self.params.ckks().ring(), self.secret.key());
        let (mask, noise) = (seed.fork_mask(1), seed.fork(2));
        Ok(RlweCiphertext::encrypt(ring, encoding, messages, key, NOISE_STD, mask, &noise)?)
    }

    /// The tables on the inputs, from RLWE to RLWE.
    pub(crate) fn evaluate(&self, work: &Work) -> Result<Vec<RlweCiphertext>, BenchError> {
        Ok(self.bootstrap.evaluate_tables(&work.prepared, &work.input, 0, |_| ())?)
    }

    /// The same, and the CPU nanoseconds of each step.
    pub(crate) fn steps(
        &self,
        work: &Work,
    ) -> Result<(Vec<RlweCiphertext>, [f64; BootstrapStep::ALL.len()]), BenchError> {
        let mut laps = Laps::new();
        let outputs = self.bootstrap.evaluate_tables(&work.prepared, &work.input, 0, |step| laps.mark(step))?;
        let laps = laps.finish();
        let ns = |step| laps.iter().filter(|lap| lap.0 == step).map(|lap| lap.1 * 1e6).sum();
        Ok((outputs, BootstrapStep::ALL.map(ns)))
    }

    /// The tables on `count` copies of the inputs, all side by side.
    pub(crate) fn evaluate_several(&self, work: &Work, count: usize) -> Result<Vec<Vec<RlweCiphertext>>, BenchError> {
        let inputs = vec![work.input.clone(); count];
        Ok(self.bootstrap.evaluate_all(&work.prepared, &inputs, 0, count, |_, _| ())?)
    }

    /// Every value of every output.
    pub(crate) fn check(&self, work: &Work, outputs: &[RlweCiphertext]) -> Result<Outcome, BenchError> {
        let (wrong, noise) = self.found(&work.tables, &work.messages, outputs)?;
        let (literal, encoding) = (self.params.literal(), work.input.encoding());
        let log2_ratio = self.params.ckks().prime(0).log2() - f64::from(encoding.log2_modulus());
        let input = switch_variance(encoding.fresh_variance(NOISE_STD), log2_ratio, literal.weight as usize);
        let input = SlotNoise::flat(input / self.params.ckks().prime(0).powi(2));
        let input = ErrorBound::unbiased(input);
        let predicted =
            work.prepared.predict(&self.params, self.bootstrap.transforms(), encoding.log2_modulus(), input)?;
        let square = predicted.iter().map(|promise| promise.std.powi(2)).sum::<f64>() / predicted.len() as f64;
        Ok(Outcome {
            wrong,
            noise,
            predicted: square.sqrt(),
            log2_failure: predicted.iter().map(|promise| promise.log2_failure).fold(f64::NEG_INFINITY, f64::max),
        })
    }

    /// How many values are wrong, and the noise.
    fn found(&self, tables: &[Lut], messages: &[u64], outputs: &[RlweCiphertext]) -> Result<(usize, f64), BenchError> {
        let (ring, key) = (self.params.ckks().ring(), self.secret.key());
        let (mut wrong, mut errors) = (0, Vec::new());
        for (table, output) in tables.iter().zip(outputs) {
            let expected: Vec<u64> = messages.iter().map(|&m| table.values()[m as usize]).collect();
            wrong += output.decrypt(ring, key)?.iter().zip(&expected).filter(|(found, right)| found != right).count();
            let tolerance = output.encoding().tolerance();
            errors.extend(output.errors(ring, key, &expected)?.iter().map(|error| error / tolerance));
        }
        Ok((wrong, root_mean_square(&errors)))
    }

    /// A row with the set's figures.
    fn describe(&self, mut row: Row, bits: u32) -> Row {
        row.params = Some(self.params.name().into());
        row.bits = Some(bits);
        row.key_bytes = Some(self.key_bytes as u64);
        describe(row, self.params.ckks())
    }
}

/// A row with the scheme's figures.
fn describe(row: Row, params: &CkksParams) -> Row {
    row.with("log2_degree", params.degree().ilog2())
        .with("log2_qp", params.log2_modulus())
        .with("levels", params.max_level())
        .with("isa", bootes::isa().to_string())
}

/// A row with what came out.
fn checked(mut row: Row, outcome: &Outcome, work: &Work) -> Row {
    row.correct = Some(outcome.wrong == 0);
    // A half step of the torus.
    let half = 0.5 / work.prepared.in_modulus() as f64;
    row.noise_measured_std = Some(outcome.noise * half);
    row.noise_predicted_std = Some(outcome.predicted * half);
    row.log2_p_fail = Some(outcome.log2_failure);
    row.with("wrong", outcome.wrong)
        .with("checked", work.messages.len() * work.tables.len())
        .with("noise_of_half_step", outcome.noise)
        .with("predicted_of_half_step", outcome.predicted)
}

/// "1 bit", "2 bits".
fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// The same evaluation by turns: one on one thread, one on all the threads that are asked for, and as many as those
/// side by side.
#[derive(Default)]
struct ByTurns {
    one: Samples,
    within: Samples,
    beside: Samples,
}

impl ByTurns {
    /// `runs` turns, and the last result.
    fn run<T: Send>(
        options: &Options,
        runs: usize,
        evaluate: impl Fn() -> Result<T, BenchError> + Sync,
    ) -> Result<(Self, T), BenchError> {
        let (mut samples, threads) = (Self::default(), options.threads());
        loop {
            let result = on(1, || samples.one.time(1.0, &evaluate))??;
            if threads > 1 {
                on(threads, || samples.within.time(1.0, &evaluate))??;
                let all = || (0..threads).into_par_iter().map(|_| evaluate()).collect::<Result<Vec<_>, _>>();
                on(threads, || samples.beside.time(threads as f64, all))??;
            }
            if samples.one.stats().runs >= runs {
                return Ok((samples, result));
            }
        }
    }

    /// A row with what threads gain, if they were asked for.
    fn describe(&self, row: Row, options: &Options) -> Row {
        if options.threads() == 1 {
            return row;
        }
        row.with("threads", options.threads())
            .with("threads_wall_s", self.within.stats().median_ms * 1e-3)
            .with("speedup", self.within.speedup(&self.one))
            .with("throughput_ratio", self.beside.speedup(&self.one))
    }
}
