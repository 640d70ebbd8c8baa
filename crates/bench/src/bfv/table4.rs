//! `bfv-table4`: Table 4 of the paper on lower digits removal, full bootstrapping, at 132 bits of security.
use std::sync::Arc;

use bootes_lattice::rns::MaskStorage;
use bootes_lut::bfv::{DigitMethod, DigitRemoval};
use bootes_lut::papers::FullBootstrap;
use bootes_ring::sample::SecretSeed;
use bootes_schemes::bfv::{BfvLiteral, BfvSecretKey, Evaluator, KeyRequest, Scheme};

use super::table5::{SPARSE_WEIGHT, literal, products_left};
use super::through_ckks::Way;
use crate::ckks::large::unit;
use crate::ckks::on;
use crate::clock::Samples;
use crate::random::SplitMix;
use crate::row::{Column, Row};
use crate::{Bench, BenchError, Engine, Options, Sink, memory};

pub(crate) const BENCH: Bench = Bench { name: NAME, engines: &[Engine::Bfv], summary: SUMMARY, columns: COLUMNS, run };

const NAME: &str = "bfv-table4";
const SUMMARY: &str =
    "Table 4 of the paper on lower digits removal: full bootstrapping of BFV, by digits and through CKKS";
const COLUMNS: &[Column] = &[
    Column::new("plaintext", "row", 14),
    Column::new("by", "method", 6),
    Column::new("coefficients", "coefficients", 12),
    Column::new("log2 N", "log2_degree", 6),
    Column::new("log2 Q", "log2_q", 6),
    Column::new("bits of security", "security_bits", 16),
    Column::new("budget left", "budget_bits", 11),
    Column::new("products", "products_left", 8),
    Column::scaled("CPU s", "cpu_ms", 6, 1e-3),
    Column::new("in U", "in_units", 6),
    Column::new("limit", "limit_units", 5),
    Column::scaled("paper s", "paper_ms", 7, 1e-3),
    Column::new("its after-level", "paper_after_level", 15),
    Column::scaled("keys GB", "key_bytes", 7, 1e-9),
    Column::scaled("peak GB", "peak_rss_bytes", 7, 1e-9),
    Column::scaled("paper GB", "paper_peak_bytes", 8, 1e-9),
    Column::new("right", "correct", 5),
];

/// The subject of a row.
struct Case {
    name: &'static str,
    /// p, r, log2 N.
    plaintext: (u64, u32, u32),
    /// The degree of the ring in a slot.
    extension: usize,
    /// As in Table 5.
    primes: (u32, (u32, usize), usize, (u32, usize)),
    /// Stages of each transform.
    stages: usize,
    /// U that digits and any other way may take.
    limits: Option<[f64; 2]>,
    /// The paper's seconds, after-level and gigabytes.
    paper: (f64, u32, f64),
}

const CASES: [Case; 4] = [
    Case {
        name: "GF(127^256)",
        plaintext: (127, 1, 15),
        extension: 256,
        primes: (50, (36, 10), 4, (50, 3)),
        stages: 1,
        limits: Some([15.0, 6.0]),
        paper: (2027.0, 7, 8.9),
    },
    Case {
        name: "GF(257^128)",
        plaintext: (257, 1, 15),
        extension: 128,
        primes: (50, (34, 13), 5, (45, 4)),
        stages: 2,
        limits: Some([15.0, 6.0]),
        paper: (1381.0, 4, 7.5),
    },
    Case {
        name: "R(127^2) 256",
        plaintext: (127, 2, 15),
        extension: 256,
        primes: (50, (44, 11), 4, (50, 4)),
        stages: 1,
        limits: None,
        paper: (21295.0, 12, 27.6),
    },
    Case {
        name: "R(257^2) 128",
        plaintext: (257, 2, 15),
        extension: 128,
        primes: (50, (44, 11), 4, (50, 4)),
        stages: 1,
        limits: None,
        paper: (11753.0, 6, 26.6),
    },
];

fn run(options: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    sink(Row::new(NAME, "Table 4").with(
        "note",
        "one thread; every coefficient checked; products: squarings in a row that leave enough for the next \
         bootstrapping; through CKKS any packing of 2^16 coefficients, by exact noise; paper: SEAL on an i7-4770 at 3.4 GHz",
    ))?;
    let mut ckks = None;
    for case in &CASES {
        let (p, r, _) = case.plaintext;
        if !options.wants(case.name, true, p == 257 && r == 1) {
            continue;
        }
        let before = unit(options)?;
        let literal = literal("full", case.plaintext, case.primes, options.quick);
        let digits = on(1, || by_digits(case, &literal))??;
        let ckks = match &ckks {
            Some(ckks) => ckks,
            None => ckks.insert(Way::exact(options)?),
        };
        let last = on(1, || ckks.measure(NAME, case.name, (p, r)))??.pop().expect("there is a row");
        let unit = 0.5 * (before + unit(options)?);
        for (i, (row, seconds)) in [digits, last].into_iter().enumerate() {
            let (paper, level, gigabytes) = case.paper;
            let row = Row { paper_ms: Some(paper * 1e3), ..row }
                .with("method", ["digits", "CKKS"][i])
                .with("in_units", seconds / unit)
                .with("unit_s", unit)
                .with("limit_units", case.limits.map(|limits| limits[i]))
                .with("paper_after_level", level)
                .with("paper_peak_bytes", gigabytes * 1e9);
            sink(row)?;
        }
    }
    Ok(())
}

/// A row, and its CPU seconds.
fn by_digits(case: &Case, literal: &BfvLiteral) -> Result<(Row, f64), BenchError> {
    memory::restart_peak();
    let params = literal.clone().try_build()?;
    let (p, r, _) = case.plaintext;
    let bound = u64::from(SPARSE_WEIGHT) / 2;
    let removal = DigitRemoval { p, e: r + 1, v: 1, method: DigitMethod::BoundedRange { bound } }.circuit();
    // Toy rings have fewer coefficients.
    let spread = (params.degree() / params.slots() / case.extension).max(1);
    let full = FullBootstrap::new(&params, [r, r + 1], spread, case.stages, removal, bound as f64)?;
    let mut random = SplitMix(p);
    let secret = BfvSecretKey::derive(&params, &SecretSeed::from_bytes(&random.seed()));
    let mut request = KeyRequest::default();
    full.request(&mut request);
    let key = secret.evaluation_key(&request, MaskStorage::Expanded, |_, _| ())?;
    let key_bytes = key.bytes();
    let evaluator = Evaluator::new(Arc::new(key));
    let mut coefficient = |i| if i % spread == 0 { (random.bits(53) % params.power(r)) as i64 } else { 0 };
    let message: Vec<i64> = (0..params.degree()).map(&mut coefficient).collect();
    let input = secret.encrypt(&message, Scheme::Bfv, r, 1)?;
    let prediction = full.predict(input.state())?;
    let mut samples = Samples::default();
    let output = samples.time(1.0, || full.bootstrap(&evaluator, &input, |_, _| ()))?;
    let stats = samples.stats();
    let correct = secret.decrypt(&output)?.iter().zip(&message).all(|(&found, &right)| found == right as u64);
    let row = Row::new(NAME, case.name)
        .timed(&stats)
        .with("coefficients", params.degree() / spread)
        .with("log2_degree", params.degree().ilog2())
        .with("log2_q", params.log2_level(params.max_level()))
        .with("security_bits", params.security_bits())
        .with("budget_bits", output.budget(&params).worst)
        .with("products_left", products_left(&params, output.state(), |state| full.check(state).is_ok()))
        .with("isa", bootes::isa().to_string())
        .with("peak_rss_bytes", memory::peak_bytes());
    let row = Row {
        key_bytes: Some(key_bytes as u64),
        log2_p_fail: Some(prediction.log2_failure),
        correct: Some(correct),
        ..row
    };
    Ok((row, stats.cpu_ms * 1e-3))
}
