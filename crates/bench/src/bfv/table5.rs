//! `bfv-table5`: Table 5 of the paper on lower digits removal, slim bootstrapping, at 132 bits of security and with the
//! paper's own sets.
use std::sync::Arc;

use bootes_lattice::rns::MaskStorage;
use bootes_lut::bfv::{DigitMethod, DigitRemoval, SlimBootstrap};
use bootes_ring::sample::SecretSeed;
use bootes_schemes::bfv::{BfvLiteral, BfvParams, BfvSecretKey, BfvSlots, Evaluator, KeyRequest, Scheme, State};
use bootes_schemes::class::SetClass;

use crate::ckks::large::unit;
use crate::ckks::on;
use crate::clock::Samples;
use crate::random::SplitMix;
use crate::row::{Column, Row};
use crate::{Bench, BenchError, Engine, Options, Sink, memory};

pub(crate) const BENCH: Bench = Bench { name: NAME, engines: &[Engine::Bfv], summary: SUMMARY, columns: COLUMNS, run };

const NAME: &str = "bfv-table5";
const SUMMARY: &str = "Table 5 of the paper on lower digits removal: slim bootstrapping of BFV, at 132 bits of security and at the paper's";
const COLUMNS: &[Column] = &[
    Column::new("plaintext", "row", 19),
    Column::new("slots", "slots", 5),
    Column::new("log2 N", "log2_degree", 6),
    Column::new("log2 Q", "log2_q", 6),
    Column::new("bits of security", "security_bits", 16),
    Column::new("budget left", "budget_bits", 11),
    Column::new("to spend", "spendable_bits", 8),
    Column::new("products", "products_left", 8),
    Column::scaled("CPU s", "cpu_ms", 6, 1e-3),
    Column::new("in U", "in_units", 6),
    Column::new("limit", "limit_units", 5),
    Column::scaled("paper s", "paper_ms", 7, 1e-3),
    Column::new("its security", "paper_security_bits", 12),
    Column::scaled("keys GB", "key_bytes", 7, 1e-9),
    Column::scaled("peak GB", "peak_rss_bytes", 7, 1e-9),
    Column::new("right", "correct", 5),
];

/// The subject of a row.
struct Case {
    /// p, r, log2 N.
    plaintext: (u64, u32, u32),
    /// Bits of q_0; bits and number of the primes above; of a digit; bits and number of the special ones.
    primes: (u32, (u32, usize), usize, (u32, usize)),
    /// Stages of each transform.
    stages: usize,
    /// U that it may take.
    limit: f64,
    /// The paper's seconds and bits of security, of those that it has.
    paper: Option<(f64, f64)>,
}

const CASES: [Case; 6] = [
    case((127, 1, 15), (50, (34, 11), 4, (46, 3)), 1, 0.12, Some((6.75, 92.9))),
    case((127, 2, 15), (50, (44, 11), 4, (50, 4)), 1, 0.45, Some((30.2, 126.2))),
    case((127, 3, 15), (50, (44, 14), 3, (45, 3)), 1, 0.5, Some((34.5, 126.2))),
    case((257, 1, 15), (50, (33, 15), 4, (45, 3)), 1, 0.3, Some((36.8, 126.2))),
    case((257, 2, 15), (50, (44, 11), 4, (50, 4)), 1, 0.45, Some((42.1, 126.2))),
    case((65537, 1, 15), (50, (50, 13), 2, (50, 2)), 2, 0.7, None),
];

/// The paper's seconds and bits of security with its own sets.
const PAPER: [(&str, f64, f64); 6] = [
    ("paper_slots_127", 6.75, 92.9),
    ("paper_slots_257", 10.8, 92.9),
    ("paper_slots_127_2", 30.2, 126.2),
    ("paper_slots_127_3", 34.5, 126.2),
    ("paper_slots_257_n15", 36.8, 126.2),
    ("paper_slots_257_2", 42.1, 126.2),
];

/// h of the sparse key.
pub(crate) const SPARSE_WEIGHT: u32 = 40;

const fn case(
    plaintext: (u64, u32, u32),
    primes: (u32, (u32, usize), usize, (u32, usize)),
    stages: usize,
    limit: f64,
    paper: Option<(f64, f64)>,
) -> Case {
    Case { plaintext, primes, stages, limit, paper }
}

/// The set of a row.
pub(crate) fn literal(
    name: &str,
    (base, r, log2_degree): (u64, u32, u32),
    (base_bits, primes, digit_primes, special): (u32, (u32, usize), usize, (u32, usize)),
    quick: bool,
) -> BfvLiteral {
    BfvLiteral {
        name: format!("{name}_{base}_{r}_{log2_degree}"),
        class: if quick { SetClass::Toy } else { SetClass::Secure },
        log2_degree: if quick { 9 } else { log2_degree },
        base,
        exponent: r + 1,
        base_bits,
        primes: vec![primes],
        digit_primes,
        special_primes: special.1,
        special_bits: special.0,
        weight: 256,
        sparse_weight: SPARSE_WEIGHT,
    }
}

fn run(options: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    sink(Row::new(NAME, "Table 5").with(
        "note",
        "one thread; every slot checked; products: squarings in a row that leave enough for the next bootstrapping; \
         paper: SEAL on an i7-4770 at 3.4 GHz, GF(127) at N = 2^14, the others at 2^15",
    ))?;
    let mut row = |name: &str, literal: &BfvLiteral, (r, stages), limit: Option<f64>, paper: Option<(f64, f64)>| {
        let before = unit(options)?;
        let (mut row, seconds) = on(1, || measure(name, literal, (r, stages), options))??;
        let unit = 0.5 * (before + unit(options)?);
        row.paper_ms = paper.map(|(seconds, _)| seconds * 1e3);
        let row = row.with("in_units", seconds / unit).with("unit_s", unit).with("limit_units", limit);
        sink(row.with("paper_security_bits", paper.map(|(_, bits)| bits)))
    };
    for case in &CASES {
        let (p, r, _) = case.plaintext;
        let name = if r == 1 { p.to_string() } else { format!("{p}^{r}") };
        if !options.wants(&name, true, p == 257) {
            continue;
        }
        let literal = literal("slim", case.plaintext, case.primes, options.quick);
        row(&name, &literal, (r, case.stages), Some(case.limit), case.paper)?;
    }
    // The paper's own sets.
    for literal in BfvLiteral::of_papers() {
        if options.wants(&literal.name, true, false) {
            let paper = PAPER.iter().find(|(name, ..)| *name == literal.name);
            row(&literal.name, literal, (literal.exponent - 1, 1), None, paper.map(|&(_, s, bits)| (s, bits)))?;
        }
    }
    Ok(())
}

/// The bits by which w may grow before it is bootstrapped again.
fn spendable(slim: &SlimBootstrap, state: State) -> f64 {
    let fits = |bits: &f64| slim.check(State { size: state.size.scaled(*bits), ..state }).is_ok();
    (1..).map(|tenth| f64::from(tenth) / 10.0).take_while(fits).last().unwrap_or(0.0)
}

/// Squarings in a row after which a ciphertext can still be bootstrapped.
pub(crate) fn products_left(params: &BfvParams, mut state: State, fits: impl Fn(State) -> bool) -> usize {
    let mut products = 0;
    while let Ok(next) = params.products(&[(state, state)])
        && fits(next.result)
    {
        (state, products) = (next.result, products + 1);
    }
    products
}

/// A row, and its CPU seconds.
fn measure(
    name: &str,
    literal: &BfvLiteral,
    (r, stages): (u32, usize),
    options: &Options,
) -> Result<(Row, f64), BenchError> {
    memory::restart_peak();
    let params = literal.clone().try_build()?;
    let (p, bound) = (params.base(), u64::from(literal.sparse_weight) / 2 + u64::from(stages > 1));
    let method = DigitMethod::BoundedRange { bound };
    let removal = DigitRemoval { p, e: r + 1, v: 1, method }.circuit();
    let slim = SlimBootstrap::new(1, &params, [r, r + 1], stages, removal, bound as f64)?;
    let slots = BfvSlots::new(&params, r)?;
    let mut random = SplitMix(p);
    let secret = BfvSecretKey::derive(&params, &SecretSeed::from_bytes(&random.seed()));
    let mut request = KeyRequest::default();
    slim.request(&mut request);
    let key = secret.evaluation_key(&request, MaskStorage::Expanded, |_, _| ())?;
    let key_bytes = key.bytes();
    let evaluator = Evaluator::new(Arc::new(key));
    let values: Vec<i64> = (0..slots.count()).map(|_| (random.bits(53) % params.power(r)) as i64).collect();
    let input = secret.encrypt(&slots.encode(&values)?, Scheme::Bfv, r, stages)?;
    let prediction = slim.predict(input.state())?;
    let mut output = slim.bootstrap(&evaluator, &input)?;
    let mut samples = Samples::default();
    for _ in 0..options.runs(5, 1) {
        output = samples.time(1.0, || slim.bootstrap(&evaluator, &input))?;
    }
    let stats = samples.stats();
    let found = slots.decode(&secret.decrypt(&output)?)?;
    let correct = found.iter().zip(&values).all(|(&found, &right)| found == right as u64);
    let products = products_left(&params, output.state(), |state| slim.check(state).is_ok());
    let mut row = Row::new(NAME, name)
        .timed(&stats)
        .with("slots", slots.count())
        .with("log2_degree", params.degree().ilog2())
        .with("log2_q", params.log2_level(params.max_level()))
        .with("security_bits", params.security_bits())
        .with("budget_bits", output.budget(&params).worst)
        .with("spendable_bits", spendable(&slim, output.state()))
        .with("products_left", products)
        .with("isa", bootes::isa().to_string())
        .with("peak_rss_bytes", memory::peak_bytes());
    row.key_bytes = Some(key_bytes as u64);
    row.log2_p_fail = Some(prediction.log2_failure);
    row.correct = Some(correct);
    Ok((row, stats.cpu_ms * 1e-3))
}
