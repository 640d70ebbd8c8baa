//! `bfv-tables`: tables of Z_p in slots, of every kind that takes less than any: odd, even, sparse.
use std::sync::Arc;

use bootes_lattice::rns::MaskStorage;
use bootes_lut::bfv::{ProgramParams, table};
use bootes_ring::sample::SecretSeed;
use bootes_schemes::bfv::{BfvSecretKey, Evaluator, KeyRequest, Scheme};

use crate::ckks::large::unit;
use crate::ckks::on;
use crate::clock::Samples;
use crate::random::SplitMix;
use crate::row::{Column, Row};
use crate::{Bench, BenchError, Engine, Options, Sink};

pub(crate) const BENCH: Bench = Bench { name: NAME, engines: &[Engine::Bfv], summary: SUMMARY, columns: COLUMNS, run };

const NAME: &str = "bfv-tables";
const SUMMARY: &str = "tables modulo a prime on all slots of a ciphertext: any, odd, even and sparse ones";
const COLUMNS: &[Column] = &[
    Column::new("p, table", "row", 14),
    Column::new("slots", "slots", 5),
    Column::new("log2 N", "log2_degree", 6),
    Column::new("depth", "depth", 5),
    Column::new("relinearisations", "relinearisations", 16),
    Column::new("products", "products", 8),
    Column::new("multiply-adds", "multiply_adds", 13),
    Column::scaled("CPU s", "cpu_ms", 7, 1e-3),
    Column::new("in U", "in_units", 6),
    Column::new("right", "correct", 5),
];

/// f(a), of the entries of a random table.
type Entry = fn(&[u64], usize) -> u64;

/// Kinds of tables.
const KINDS: [(&str, Entry); 5] = [
    ("random", |random, a| random[a]),
    ("odd", |random, a| {
        let p = random.len();
        match a {
            0 => 0,
            _ if a <= p / 2 => random[a],
            _ => (p as u64 - random[p - a]) % p as u64,
        }
    }),
    ("even", |random, a| random[a.min(random.len() - a) % random.len()]),
    ("square", |random, a| (a * a % random.len()) as u64),
    ("zero", |_, a| u64::from(a == 0)),
];

fn run(options: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    sink(Row::new(NAME, "tables").with(
        "note",
        "one thread; every slot checked; after the table the ciphertext can be bootstrapped; zero: 1 at 0 and 0 elsewhere; \
         keys of products only, masks kept",
    ))?;
    for p in [17, 257, 65537] {
        let wanted: Vec<_> =
            KINDS.iter().filter(|(kind, _)| options.wants(&format!("{p} {kind}"), true, p == 257)).collect();
        if wanted.is_empty() {
            continue;
        }
        let toy = format!("toy_slots_{p}{}", if p > 512 { "_tables" } else { "" });
        let named = ProgramParams::named(&toy).filter(|_| options.quick);
        let params = named.unwrap_or_else(|| ProgramParams::for_tables(p))?;
        let bootstrap = params.bootstrap()?.expect("sets of tables bootstrap");
        let mut random = SplitMix(p);
        let secret = BfvSecretKey::derive(&params, &SecretSeed::from_bytes(&random.seed()));
        let mut request = KeyRequest::default();
        let refreshed = bootstrap.check(params.raised(1))?.result;
        let fresh = params.fresh_state();
        request.products(fresh.level);
        let key = on(1, || secret.evaluation_key(&request, MaskStorage::Expanded, |_, _| ()))??;
        let evaluator = Evaluator::new(Arc::new(key));
        let entries: Vec<u64> = (0..p).map(|_| random.bits(53) % p).collect();
        let values: Vec<i64> = (0..params.slots().count()).map(|_| (random.bits(53) % p) as i64).collect();
        let message = params.slots().encode(&values)?;
        let x = secret.encrypt(&message, Scheme::Bgv, 1, fresh.level)?;
        let x = evaluator.drop_to(&x, refreshed.level.min(fresh.level))?.into_owned();
        for (kind, entry) in wanted {
            let values_of: Vec<u64> = (0..p as usize).map(|a| entry(&entries, a)).collect();
            let circuit = table::circuit(&values_of);
            bootstrap.check(params.outputs(&circuit, &[refreshed])?[0])?;
            let counts = circuit.total_counts();
            let before = unit(options)?;
            let mut samples = Samples::default();
            let mut evaluate = || samples.time(1.0, || evaluator.evaluate(&circuit, &[&x], |_, _| ()));
            let mut found = on(1, &mut evaluate)??;
            for _ in 1..options.runs(if p > 512 { 1 } else { 3 }, 1) {
                found = on(1, &mut evaluate)??;
            }
            let stats = samples.stats();
            let unit = 0.5 * (before + unit(options)?);
            let found = params.slots().decode(&secret.decrypt(&found[0])?)?;
            let correct = found.iter().zip(&values).all(|(&found, &x)| found == values_of[x as usize]);
            let row = Row::new(NAME, format!("{p} {kind}"))
                .timed(&stats)
                .with("slots", params.slots().count())
                .with("log2_degree", params.degree().ilog2())
                .with("depth", circuit.depth())
                .with("relinearisations", counts.relinearisations)
                .with("products", counts.products)
                .with("multiply_adds", counts.multiply_adds)
                .with("in_units", stats.cpu_ms * 1e-3 / unit)
                .with("unit_s", unit)
                .with("isa", bootes::isa().to_string());
            sink(Row { correct: Some(correct), ..row })?;
        }
    }
    Ok(())
}
