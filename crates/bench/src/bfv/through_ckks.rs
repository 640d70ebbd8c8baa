//! `bfv-through-ckks`: all 2^16 coefficients of a ciphertext of BFV refreshed through CKKS, for several plaintext moduli.
use std::sync::Arc;

use bootes_lattice::rns::MaskStorage;
use bootes_lut::bfv::CoefficientBootstrap;
use bootes_ring::sample::SecretSeed;
use bootes_schemes::ckks::{
    Bootstrap, BootstrapOptions, BootstrapSet, CkksSecretKey, Encoder, Evaluator as CkksEvaluator,
};
use bootes_schemes::exact::{Evaluator, ExactParams, ExactSecretKey, KeyRequest, Scheme};

use crate::ckks::large::unit;
use crate::ckks::on;
use crate::clock::Samples;
use crate::random::SplitMix;
use crate::row::{Column, Row};
use crate::{Bench, BenchError, Engine, Options, Sink, memory};

pub(crate) const BENCH: Bench = Bench { name: NAME, engine: Engine::Bfv, summary: SUMMARY, columns: COLUMNS, run };

const NAME: &str = "bfv-through-ckks";
const SUMMARY: &str =
    "all coefficients of BFV refreshed through CKKS, any plaintext modulus: bits gained by one to four passes";
const COLUMNS: &[Column] = &[
    Column::new("plaintext modulus", "row", 18),
    Column::new("passes", "passes", 6),
    Column::scaled("CPU s, the last", "cpu_ms", 15, 1e-3),
    Column::new("U s", "unit_s", 5),
    Column::new("in U", "in_units", 5),
    Column::new("limit", "limit_units", 5),
    Column::new("bits gained", "gained_bits", 11),
    Column::new("left, promised", "budget_bits", 14),
    Column::new("measured", "measured_budget_bits", 8),
    Column::new("noise: measured/predicted", "noise_ratio", 25),
    Column::scaled("peak GB", "peak_rss_bytes", 7, 1e-9),
    Column::new("right", "correct", 5),
];

/// Passes, the level of the results, and U that all passes may take.
const PASSES: usize = 4;
const LEVEL: usize = 6;
const LIMIT: f64 = 5.0;
/// Bits of budget to begin with.
const EXHAUSTED: f64 = 4.0;

fn run(options: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    let ckks = Ckks::new(options)?;
    for (base, exponent) in [(2, 1), (257, 1), (65537, 1), (1000, 1), (65537, 2)] {
        let modulus = if exponent == 1 { base.to_string() } else { format!("{base}^{exponent}") };
        if !options.wants(&modulus, true, base == 257) {
            continue;
        }
        let before = unit(options)?;
        let rows = on(1, || ckks.measure(NAME, &modulus, (base, exponent)))??;
        let unit = 0.5 * (before + unit(options)?);
        for (row, seconds) in rows {
            sink(row.with("unit_s", unit).with("in_units", seconds / unit).with("limit_units", LIMIT))?;
        }
    }
    Ok(())
}

/// CKKS and its keys.
pub(crate) struct Ckks {
    evaluator: CkksEvaluator,
    bootstrap: BootstrapOptions,
    seed: SecretSeed,
}

impl Ckks {
    pub(crate) fn new(options: &Options) -> Result<Self, BenchError> {
        let name = if options.quick { "toy_bootstrap" } else { "bootstrap_8" };
        let BootstrapSet { params, bootstrap } = BootstrapSet::named(name)?;
        let ckks = params.try_build()?;
        memory::restart_peak();
        let seed = SecretSeed::from_bytes(&SplitMix(7).seed());
        let evaluator = on(1, || {
            let mut request = KeyRequest::default();
            Bootstrap::new(&ckks, &Encoder::new(ckks.degree())?, bootstrap.clone())?.request(&ckks, &mut request);
            let secret = CkksSecretKey::derive(&ckks, &seed);
            let key = secret.evaluation_key(&request, MaskStorage::Expanded, |_, _| ())?;
            Ok::<_, BenchError>(CkksEvaluator::new(Arc::new(key))?)
        })??;
        Ok(Self { evaluator, bootstrap, seed })
    }

    /// A row for each number of passes, and its CPU seconds.
    pub(crate) fn measure(
        &self,
        bench: &'static str,
        row: &str,
        (base, exponent): (u64, u32),
    ) -> Result<Vec<(Row, f64)>, BenchError> {
        let Self { evaluator: ckks, bootstrap, seed } = self;
        let params = ExactParams::on_ckks(ckks.params(), base, exponent, LEVEL)?;
        let secret = ExactSecretKey::derive(&params, seed);
        let key = secret.evaluation_key(&KeyRequest::default(), MaskStorage::Expanded, |_, _| ())?;
        let evaluator = Evaluator::new(Arc::new(key));
        let bootstrap = Bootstrap::new(ckks.params(), ckks.encoder(), bootstrap.clone())?;
        let refresh = CoefficientBootstrap::new(evaluator.clone(), ckks.clone(), bootstrap)?;
        let t = params.power(exponent);
        let mut random = SplitMix(base);
        let mut message: Vec<i64> = (0..params.degree()).map(|_| (random.bits(53) % t) as i64).collect();
        let mut x = secret.encrypt(&message, Scheme::Bfv, exponent, 1)?;
        // Nearly as much noise as a pass takes.
        while x.budget(&params).worst > EXHAUSTED {
            x = evaluator.add(&x, &x)?;
            message.iter_mut().for_each(|m| *m = 2 * *m % t as i64);
        }
        let before = x.budget(&params).worst;
        let mut rows = Vec::new();
        let noisy = x;
        for pass in 1..=PASSES {
            let mut samples = Samples::default();
            let x = samples.time(1.0, || refresh.passes(&noisy, LEVEL, pass))?;
            let stats = samples.stats();
            let seconds = stats.cpu_ms * 1e-3;
            let [std, largest] = secret.measure(&x)?;
            let correct = secret.decrypt(&x)?.iter().zip(&message).all(|(&found, &right)| found == right as u64);
            let after = x.budget(&params).worst;
            let row = Row::new(bench, row)
                .timed(&stats)
                .with("passes", pass)
                .with("gained_bits", after - before)
                .with("budget_bits", after)
                .with("measured_budget_bits", params.log2_level(x.level) - 1.0 - largest)
                .with("noise_ratio", (std - x.size.average).exp2())
                .with("log2_degree", params.degree().ilog2())
                .with("isa", bootes::isa().to_string())
                .with("peak_rss_bytes", memory::peak_bytes());
            rows.push((Row { correct: Some(correct), ..row }, seconds));
        }
        Ok(rows)
    }
}
