//! `bfv-through-ckks`: all 2^16 coefficients of a ciphertext of BFV refreshed through CKKS, for several plaintext moduli.
use std::sync::Arc;

use bootes_lattice::rns::MaskStorage;
use bootes_lut::bfv::CoefficientBootstrap;
use bootes_ring::sample::SecretSeed;
use bootes_schemes::ckks::{Bootstrap, BootstrapSet, CkksSecretKey, Encoder, Evaluator as CkksEvaluator};
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
    "all coefficients of BFV refreshed through CKKS, any plaintext modulus: bits gained by three passes";
const COLUMNS: &[Column] = &[
    Column::new("plaintext modulus", "row", 18),
    Column::scaled("CPU s", "cpu_ms", 6, 1e-3),
    Column::new("passes", "passes", 6),
    Column::new("U s", "unit_s", 5),
    Column::new("in U", "in_units", 5),
    Column::new("limit", "limit_units", 5),
    Column::new("bits before", "bits_before", 11),
    Column::new("after", "bits_after", 6),
    Column::new("predicted", "predicted_bits_after", 9),
    Column::new("noise: measured/predicted", "noise_ratio", 25),
    Column::scaled("peak GB", "peak_rss_bytes", 7, 1e-9),
    Column::new("right", "correct", 5),
];

/// Passes, the level of the results, and U that they may take.
const PASSES: usize = 3;
const LEVEL: usize = 6;
const LIMIT: f64 = 5.0;

fn run(options: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
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
    for (base, exponent) in [(2, 1), (257, 1), (65537, 1), (1000, 1), (65537, 2)] {
        let row = if exponent == 1 { base.to_string() } else { format!("{base}^{exponent}") };
        if !options.wants(&row, true, base == 257) {
            continue;
        }
        let before = unit(options)?;
        let (row, seconds) = on(1, || measure(Row::new(NAME, row), &evaluator, &bootstrap, &seed, (base, exponent)))??;
        let unit = 0.5 * (before + unit(options)?);
        sink(row.with("unit_s", unit).with("in_units", seconds / unit).with("limit_units", LIMIT))?;
    }
    Ok(())
}

/// A row, and the CPU seconds of all passes.
fn measure(
    row: Row,
    ckks: &CkksEvaluator,
    bootstrap: &bootes_schemes::ckks::BootstrapOptions,
    seed: &SecretSeed,
    (base, exponent): (u64, u32),
) -> Result<(Row, f64), BenchError> {
    let params = ExactParams::on_ckks(ckks.params(), base, exponent, LEVEL)?;
    let secret = ExactSecretKey::derive(&params, seed);
    let key = secret.evaluation_key(&KeyRequest::default(), MaskStorage::Expanded, |_, _| ())?;
    let bootstrap = Bootstrap::new(ckks.params(), ckks.encoder(), bootstrap.clone())?;
    let refresh = CoefficientBootstrap::new(Evaluator::new(Arc::new(key)), ckks.clone(), bootstrap)?;
    let t = params.power(exponent);
    let mut random = SplitMix(base);
    let message: Vec<i64> = (0..params.degree()).map(|_| (random.bits(53) % t) as i64).collect();
    // A fresh one of one prime has hardly any noise: as much as a pass takes is added, and no more.
    let mut x = secret.encrypt(&message, Scheme::Bfv, exponent, 0)?;
    let bits = |measured: [f64; 2], level| params.log2_level(level) - 1.0 - measured[1];
    let before = bits(secret.measure(&x)?, x.level);
    let mut samples = Samples::default();
    samples.time(1.0, || {
        for _ in 0..PASSES {
            x = refresh.pass(&x, LEVEL)?;
        }
        Ok::<_, BenchError>(())
    })?;
    let stats = samples.stats();
    let measured = secret.measure(&x)?;
    let correct = secret.decrypt(&x)?.iter().zip(&message).all(|(&found, &right)| found == right as u64);
    let row = row
        .timed(&stats)
        .with("passes", PASSES)
        .with("bits_before", before)
        .with("bits_after", bits(measured, x.level))
        .with("predicted_bits_after", x.budget(&params).worst)
        .with("noise_ratio", (measured[0] - x.size.average).exp2())
        .with("log2_degree", params.degree().ilog2())
        .with("isa", bootes::isa().to_string())
        .with("peak_rss_bytes", memory::peak_bytes());
    Ok((Row { correct: Some(correct), ..row }, stats.cpu_ms * 1e-3))
}
