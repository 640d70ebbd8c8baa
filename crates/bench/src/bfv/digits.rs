//! `digits-table1`, `digits-table2`, `digits-table3`: Tables 1 to 3 of the paper on lower digits removal, counted and timed.
use std::sync::Arc;

use bootes_lattice::rns::MaskStorage;
use bootes_lut::bfv::{DigitMethod, DigitRemoval};
use bootes_ring::sample::SecretSeed;
use bootes_schemes::bfv::{BfvLiteral, BfvSchemeError, BfvSecretKey, BfvSlots, Evaluator, KeyRequest, Scheme};
use bootes_schemes::class::SetClass;

use crate::ckks::large::unit;
use crate::ckks::on;
use crate::clock::Samples;
use crate::random::SplitMix;
use crate::row::{Column, Row};
use crate::{Bench, BenchError, Engine, Options, Sink, memory};

pub(crate) const TABLE1: Bench = Bench {
    name: "digits-table1",
    engines: &[Engine::Bfv],
    summary: "Table 1 of the paper on lower digits removal: depth and products of digit removal, counted",
    columns: COUNTED,
    run: table1,
};

pub(crate) const TABLE2: Bench = Bench {
    name: "digits-table2",
    engines: &[Engine::Bfv],
    summary: "Table 2 of the paper on lower digits removal: digits of bootstrapping by scheme, counted",
    columns: COUNTED,
    run: table2,
};

pub(crate) const TABLE3: Bench = Bench {
    name: "digits-table3",
    engines: &[Engine::Bfv],
    summary: "Table 3 of the paper on lower digits removal: three methods of digit removal in BGV, timed",
    columns: &[
        Column::new("p, e, v", "row", 10),
        Column::new("method", "method", 14),
        Column::new("log2 N", "log2_degree", 6),
        Column::new("log2 Q", "log2_q", 6),
        Column::new("bits of security", "security_bits", 16),
        Column::new("bits spent", "spent_bits", 10),
        Column::new("products", "products", 8),
        Column::scaled("CPU s", "cpu_ms", 6, 1e-3),
        Column::new("in U", "in_units", 6),
        Column::new("limit", "limit_units", 5),
        Column::scaled("paper s", "paper_ms", 7, 1e-3),
        Column::scaled("peak GB", "peak_rss_bytes", 7, 1e-9),
        Column::new("right", "correct", 5),
    ],
    run: table3,
};

const COUNTED: &[Column] = &[
    Column::new("plaintext", "plaintext", 9),
    Column::new("p, e, v", "row", 10),
    Column::new("method", "method", 14),
    Column::new("depth", "depth", 5),
    Column::new("products", "products", 8),
    Column::new("relinearisations", "relinearisations", 16),
    Column::new("paper: depth", "paper_depth", 12),
    Column::new("products (asymptotic)", "paper_products", 21),
];

/// The methods for any digits, and what they are called.
const GENERAL: [(DigitMethod, &str); 3] = [
    (DigitMethod::HalevShoup, "Halevi–Shoup"),
    (DigitMethod::ChenHan, "Algorithm 1"),
    (DigitMethod::MultiPrecision, "several at once"),
];

fn shape(removal: DigitRemoval) -> String {
    format!("{}, {}, {}", removal.p, removal.e, removal.v)
}

/// The counts of a circuit of the method, beside the paper's asymptotic depth and products.
fn counted(bench: &'static str, method: &str, removal: DigitRemoval, paper: Option<[f64; 2]>) -> Row {
    let circuit = removal.circuit();
    let counts = circuit.total_counts();
    Row::new(bench, shape(removal))
        .with("method", method)
        .with("depth", circuit.depth())
        .with("products", counts.products)
        .with("relinearisations", counts.relinearisations)
        .with("paper_depth", paper.map(|[depth, _]| depth))
        .with("paper_products", paper.map(|[_, products]| products))
}

fn table1(_: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    for Case { shape: (p, e, v), .. } in CASES {
        let [log2_p, of_p, digits] = [(p as f64).log2(), 2.0 * p as f64, f64::from(e)];
        for (method, name) in GENERAL {
            let paper = match method {
                DigitMethod::HalevShoup => Some([digits * log2_p, 0.5 * digits * digits * of_p.sqrt()]),
                DigitMethod::ChenHan => {
                    // Products add over v rows of √(2pe), which Theorem 5 prints with v under the root.
                    Some([f64::from(v) * log2_p + digits.log2(), f64::from(v) * (of_p * digits).sqrt()])
                }
                _ => None,
            };
            sink(counted(TABLE1.name, name, DigitRemoval { p, e, v, method }, paper))?;
        }
    }
    Ok(())
}

/// The paper's weight of secret keys, and what ours leaves of a digit.
const WEIGHT: f64 = 128.0;
const BOUND: u64 = 20;

fn table2(_: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    for (p, r) in [(127u64, 1u32), (257, 1), (127, 2), (257, 2)] {
        let log2_p = (p as f64).log2();
        // Lemma 1 for BFV; of BGV, whose own switch leaves r digits more.
        let digits = ((4.0 * (1.0 + WEIGHT)).log2() / log2_p).ceil() as u32;
        let (t, h, root) = (f64::from(r) * log2_p, WEIGHT.log2(), (2.0 * p as f64).sqrt());
        let general = [
            ("BGV, Halevi–Shoup", DigitMethod::HalevShoup, r + digits),
            ("BGV, Algorithm 1", DigitMethod::ChenHan, r + digits),
            ("BFV, Algorithm 1", DigitMethod::ChenHan, digits),
            ("BFV, ours", DigitMethod::BoundedRange { bound: BOUND }, 1),
        ];
        let scale = root / log2_p.powf(1.5);
        let paper = [
            Some([2.0 * t + h, root / (2.0 * log2_p * log2_p) * (2.0 * t + h).powi(2)]),
            Some([t + h, scale * (2.0 * t + h).sqrt() * (t + h)]),
            Some([t.log2() + h, scale * (t + h).sqrt() * h]),
            None,
        ];
        for ((name, method, v), paper) in general.into_iter().zip(paper) {
            let removal = DigitRemoval { p, e: r + v, v, method };
            // Larger plaintext moduli there are not.
            if f64::from(removal.e) * log2_p >= 40.0 {
                continue;
            }
            let plaintext = if r == 1 { format!("Z_{p}") } else { format!("Z_{p}^{r}") };
            sink(counted(TABLE2.name, name, removal, paper).with("plaintext", plaintext))?;
        }
    }
    Ok(())
}

/// A row of Table 3.
struct Case {
    /// p, e, v.
    shape: (u64, u32, u32),
    /// log2 N; bits of q_0; bits and number of the primes above; of a digit; bits and number of the special ones.
    set: (u32, u32, (u32, usize), usize, (u32, usize)),
    /// U that it may take.
    limit: Option<f64>,
    /// Seconds of Halevi and Shoup's method and of Algorithm 1 in HElib.
    paper: [f64; 2],
}

const CASES: [Case; 6] = [
    Case { shape: (2, 11, 5), set: (14, 38, (28, 10), 2, (30, 2)), limit: None, paper: [15.0, 16.0] },
    Case { shape: (2, 21, 13), set: (16, 50, (40, 21), 4, (45, 4)), limit: None, paper: [264.0, 239.0] },
    Case { shape: (5, 6, 3), set: (15, 50, (34, 16), 4, (46, 3)), limit: None, paper: [49.5, 30.0] },
    Case { shape: (17, 4, 2), set: (15, 50, (36, 16), 4, (46, 3)), limit: Some(0.3), paper: [61.2, 35.5] },
    Case { shape: (31, 3, 1), set: (15, 50, (34, 12), 4, (46, 3)), limit: Some(0.3), paper: [26.3, 12.13] },
    Case { shape: (127, 3, 1), set: (15, 50, (40, 14), 4, (42, 4)), limit: Some(0.3), paper: [73.2, 38.0] },
];

fn table3(options: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    sink(Row::new(TABLE3.name, "Table 3").with(
        "note",
        "one thread; BGV; every slot checked, for p = 2 constants; paper: HElib on a laptop at 2.6 GHz",
    ))?;
    for case in &CASES {
        let (p, e, v) = case.shape;
        if !options.wants(&format!("{p}"), true, p == 17) {
            continue;
        }
        let before = unit(options)?;
        let rows = on(1, || measure(case, options))??;
        let unit = 0.5 * (before + unit(options)?);
        for ((row, seconds), paper) in rows.into_iter().zip([Some(case.paper[0]), Some(case.paper[1]), None]) {
            let row = Row { paper_ms: paper.map(|seconds| seconds * 1e3), ..row };
            let row = row.with("shape", vec![p, e.into(), v.into()]);
            sink(
                row.with("in_units", seconds.map(|seconds| seconds / unit))
                    .with("unit_s", unit)
                    .with("limit_units", case.limit),
            )?;
        }
    }
    Ok(())
}

/// A row for each method, and its CPU seconds where it fits.
fn measure(case: &Case, options: &Options) -> Result<Vec<(Row, Option<f64>)>, BenchError> {
    let ((p, e, v), (log2_degree, base_bits, primes, digit_primes, special)) = (case.shape, case.set);
    memory::restart_peak();
    let literal = BfvLiteral {
        name: format!("digits_{p}_{e}_{v}"),
        class: if options.quick { SetClass::Toy } else { SetClass::Secure },
        log2_degree: if options.quick { 9 } else { log2_degree },
        base: p,
        exponent: e,
        base_bits,
        primes: vec![primes],
        digit_primes,
        special_primes: special.1,
        special_bits: special.0,
        weight: 256,
        sparse_weight: if log2_degree < 15 { 64 } else { 40 },
    };
    let params = literal.try_build()?;
    let mut random = SplitMix(p);
    let secret = BfvSecretKey::derive(&params, &SecretSeed::from_bytes(&random.seed()));
    let mut request = KeyRequest::default();
    request.products(params.max_level());
    let evaluator = Evaluator::new(Arc::new(secret.evaluation_key(&request, MaskStorage::Expanded, |_, _| ())?));
    let slots = if p == 2 { None } else { Some([BfvSlots::new(&params, e)?, BfvSlots::new(&params, e - v)?]) };
    let values: Vec<i64> = (0..params.slots()).map(|_| (random.bits(53) % params.power(e)) as i64).collect();
    let message = match &slots {
        Some([slots, _]) => slots.encode(&values)?,
        // 2 ramifies: there are no slots.
        None => std::iter::once(values[0]).chain(std::iter::repeat(0)).take(params.degree()).collect(),
    };
    let input = secret.encrypt(&message, Scheme::Bgv, e, params.max_level())?;
    let right = |value: &i64| {
        let step = |rest: i64, _| (rest - balanced_digit(rest, p as i64)) / p as i64;
        (0..v).fold(*value, step).rem_euclid(params.power(e - v) as i64) as u64
    };
    let mut rows = Vec::new();
    for (method, name) in GENERAL {
        let circuit = DigitRemoval { p, e, v, method }.circuit();
        let mut samples = Samples::default();
        let mut output = match evaluator.evaluate(&circuit, &[&input], |_, _| ()) {
            Ok(mut outputs) => outputs.swap_remove(0),
            // Deeper than the others.
            Err(BfvSchemeError::Exhausted { .. }) => {
                let row = Row::new(TABLE3.name, format!("{p}, {e}, {v}")).with("method", name);
                rows.push((row.with("note", format!("{name}: does not fit this ring at 132 bits")), None));
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        for _ in 0..options.runs(3, 1) {
            output = samples.time(1.0, || evaluator.evaluate(&circuit, &[&input], |_, _| ()))?.swap_remove(0);
        }
        let found = secret.decrypt(&output)?;
        let correct = match &slots {
            Some([_, slots]) => slots.decode(&found)?.iter().zip(&values).all(|(found, value)| *found == right(value)),
            None => found[0] == right(&values[0]) && found[1..].iter().all(|&c| c == 0),
        };
        let stats = samples.stats();
        let row = Row::new(TABLE3.name, format!("{p}, {e}, {v}"))
            .timed(&stats)
            .with("method", name)
            .with("log2_degree", params.degree().ilog2())
            .with("log2_q", params.log2_level(params.max_level()))
            .with("security_bits", params.security_bits())
            .with("spent_bits", input.budget(&params).worst - output.budget(&params).worst)
            .with("products", circuit.total_counts().products)
            .with("isa", bootes::isa().to_string())
            .with("peak_rss_bytes", memory::peak_bytes());
        rows.push((Row { correct: Some(correct), ..row }, Some(stats.cpu_ms * 1e-3)));
    }
    Ok(rows)
}

/// The lowest digit: |d| ≤ (p − 1)/2, or 0 and 1 for p = 2.
fn balanced_digit(x: i64, p: i64) -> i64 {
    let digit = x.rem_euclid(p);
    if p > 2 && 2 * digit > p { digit - p } else { digit }
}
