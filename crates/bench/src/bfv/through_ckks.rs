//! `bfv-through-ckks`: all 2^16 coefficients of a ciphertext of BFV refreshed through CKKS, for several plaintext moduli:
//! in passes that each gain what CKKS is precise to, and in one, by their noise as an exact message.
use std::sync::Arc;

use bootes_lattice::rns::MaskStorage;
use bootes_lut::papers::{CoefficientBootstrap, DiscreteBootstrap, DiscreteNoise, DiscreteSet};
use bootes_ring::sample::SecretSeed;
use bootes_schemes::bfv::{BfvCiphertext, BfvParams, BfvSecretKey, Evaluator, KeyRequest, Scheme};
use bootes_schemes::ckks::{
    Bootstrap, BootstrapOptions, BootstrapSet, CkksParams, CkksSecretKey, Evaluator as CkksEvaluator,
};

use crate::ckks::large::unit;
use crate::ckks::on;
use crate::clock::Samples;
use crate::random::SplitMix;
use crate::row::{Column, Row};
use crate::{Bench, BenchError, Engine, Options, Sink, memory};

pub(crate) const BENCH: Bench = Bench { name: NAME, engines: &[Engine::Bfv], summary: SUMMARY, columns: COLUMNS, run };

const NAME: &str = "bfv-through-ckks";
const SUMMARY: &str =
    "all coefficients of BFV refreshed through CKKS, any plaintext modulus: bits gained by passes, or by exact noise";
const COLUMNS: &[Column] = &[
    Column::new("plaintext modulus", "row", 18),
    Column::new("by", "method", 12),
    Column::scaled("CPU s", "cpu_ms", 6, 1e-3),
    Column::new("U s", "unit_s", 5),
    Column::new("in U", "in_units", 5),
    Column::new("limit", "limit_units", 5),
    Column::new("bits gained", "gained_bits", 11),
    Column::new("left, promised", "budget_bits", 14),
    Column::new("measured", "measured_budget_bits", 8),
    Column::new("noise: measured/predicted", "noise_ratio", 25),
    Column::scaled("keys GB", "key_bytes", 7, 1e-9),
    Column::scaled("peak GB", "peak_rss_bytes", 7, 1e-9),
    Column::new("right", "correct", 5),
];

/// Passes, the level of their results, and U that all of them may take; and U for the other way.
const PASSES: usize = 4;
const LEVEL: usize = 6;
const LIMIT: f64 = 5.0;
const EXACT_LIMIT: f64 = 3.0;
/// Bits of budget to begin with.
const EXHAUSTED: f64 = 4.0;

/// Messages modulo base^exponent.
type Plaintext = (u64, u32);

fn run(options: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    let plaintexts = [(2, 1), (257, 1), (65537, 1), (1000, 1), (65537, 2)];
    let name =
        |(base, exponent): Plaintext| if exponent == 1 { base.to_string() } else { format!("{base}^{exponent}") };
    let wanted: Vec<(Plaintext, String)> = plaintexts.map(|plaintext| (plaintext, name(plaintext))).into();
    let wanted = wanted.into_iter().filter(|((base, _), name)| options.wants(name, true, *base == 257));
    let wanted: Vec<_> = wanted.collect();
    if wanted.is_empty() {
        return Ok(());
    }
    // One after the other, since each holds gigabytes of keys.
    for exact in [true, false] {
        // Before there are keys, so that the peak of the first row is its own.
        let mut before = unit(options)?;
        let way = if exact { Way::exact(options) } else { Way::passes(options) }?;
        for (plaintext, name) in &wanted {
            let rows = on(1, || way.measure(NAME, name, *plaintext))??;
            let after = unit(options)?;
            for (row, seconds) in rows {
                let (unit, limit) = (0.5 * (before + after), if exact { EXACT_LIMIT } else { LIMIT });
                sink(row.with("unit_s", unit).with("in_units", seconds / unit).with("limit_units", limit))?;
            }
            before = after;
        }
    }
    Ok(())
}

/// CKKS and its keys, and what is done with them.
pub(crate) struct Way {
    evaluator: CkksEvaluator,
    seed: SecretSeed,
    key_bytes: usize,
    how: How,
}

enum How {
    Passes(BootstrapOptions),
    Exact(DiscreteSet),
}

impl Way {
    fn new(
        ckks: &CkksParams,
        how: How,
        request: impl FnOnce(&mut KeyRequest) -> Result<(), BenchError> + Send,
    ) -> Result<Self, BenchError> {
        memory::restart_peak();
        let seed = SecretSeed::from_bytes(&SplitMix(7).seed());
        let key = on(1, || {
            let mut keys = KeyRequest::default();
            request(&mut keys)?;
            let secret = CkksSecretKey::derive(ckks, &seed);
            Ok::<_, BenchError>(secret.evaluation_key(&keys, MaskStorage::Expanded, |_, _| ())?)
        })??;
        let key_bytes = key.bytes();
        Ok(Self { evaluator: CkksEvaluator::new(Arc::new(key))?, seed, key_bytes, how })
    }

    /// Ordinary bootstrapping of the noise, again and again.
    fn passes(options: &Options) -> Result<Self, BenchError> {
        let BootstrapSet { params, bootstrap } =
            BootstrapSet::named(if options.quick { "toy_bootstrap" } else { "bootstrap_8" })?;
        let ckks = params.try_build()?;
        Self::new(&ckks, How::Passes(bootstrap.clone()), |request| {
            Bootstrap::new(&ckks, bootstrap)?.request(&ckks, request);
            Ok(())
        })
    }

    /// The noise as an exact message.
    pub(crate) fn exact(options: &Options) -> Result<Self, BenchError> {
        let set = DiscreteSet::named(if options.quick { "toy_discrete" } else { "discrete" })?;
        let ckks = set.params.clone().try_build()?;
        Self::new(&ckks, How::Exact(set.clone()), |request| {
            DiscreteNoise::new(&ckks, &set.discrete, 2)?.request(&ckks, request);
            Ok(())
        })
    }

    /// A row for each number of passes, and its CPU seconds.
    pub(crate) fn measure(
        &self,
        bench: &'static str,
        row: &str,
        (base, exponent): Plaintext,
    ) -> Result<Vec<(Row, f64)>, BenchError> {
        let Self { evaluator: ckks, seed, how, .. } = self;
        let modulus = base.pow(exponent);
        let noise = match how {
            How::Exact(set) => Some(DiscreteNoise::new(ckks.params(), &set.discrete, modulus)?),
            How::Passes(_) => None,
        };
        let level = noise.as_ref().map_or(LEVEL, DiscreteNoise::output_level);
        let params = BfvParams::on_ckks(ckks.params(), base, exponent, level)?;
        let secret = BfvSecretKey::derive(&params, seed);
        let key = secret.evaluation_key(&KeyRequest::default(), MaskStorage::Expanded, |_, _| ())?;
        let evaluator = Evaluator::new(Arc::new(key));
        let mut random = SplitMix(base);
        let mut message: Vec<i64> = (0..params.degree()).map(|_| (random.bits(53) % modulus) as i64).collect();
        let mut noisy = secret.encrypt(&message, Scheme::Bfv, exponent, 1)?;
        // Nearly as much noise as a pass takes.
        while noisy.budget(&params).worst > EXHAUSTED {
            noisy = evaluator.add(&noisy, &noisy)?;
            message.iter_mut().for_each(|m| *m = 2 * *m % modulus as i64);
        }
        let measured = |method: &str, refresh: &dyn Fn() -> Result<BfvCiphertext, BenchError>| {
            let mut samples = Samples::default();
            let x = samples.time(1.0, refresh)?;
            let stats = samples.stats();
            let [std, largest] = secret.measure(&x)?;
            let correct = secret.decrypt(&x)?.iter().zip(&message).all(|(&found, &right)| found == right as u64);
            let after = x.budget(&params).worst;
            let row = Row::new(bench, row)
                .timed(&stats)
                .with("method", method)
                .with("gained_bits", after - noisy.budget(&params).worst)
                .with("budget_bits", after)
                .with("measured_budget_bits", params.log2_level(x.level) - 1.0 - largest)
                .with("noise_ratio", (std - x.size.average).exp2())
                .with("log2_degree", params.degree().ilog2())
                .with("isa", bootes::isa().to_string())
                .with("peak_rss_bytes", memory::peak_bytes());
            let row = Row { correct: Some(correct), key_bytes: Some(self.key_bytes as u64), ..row };
            Ok::<_, BenchError>((row, stats.cpu_ms * 1e-3))
        };
        match (how, noise) {
            (How::Passes(bootstrap), _) => {
                let bootstrap = Bootstrap::new(ckks.params(), bootstrap.clone())?;
                let refresh = CoefficientBootstrap::new(evaluator.clone(), ckks.clone(), bootstrap)?;
                let pass = |pass| {
                    let method = if pass == 1 { "1 pass".into() } else { format!("{pass} passes") };
                    measured(&method, &|| Ok(refresh.passes(&noisy, LEVEL, pass)?))
                };
                (1..=PASSES).map(pass).collect()
            }
            (How::Exact(_), noise) => {
                let noise = noise.expect("it was made above");
                let refresh = DiscreteBootstrap::new(evaluator.clone(), ckks.clone(), noise)?;
                Ok(vec![measured("exact noise", &|| Ok(refresh.bootstrap(&noisy)?))?])
            }
        }
    }
}
