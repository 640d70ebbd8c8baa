//! `bfv-kernels`: operations of BFV and BGV over the chains of real sets, on one thread, every result checked.
//!
//! The bound is the multiplier's operations over the measured peak: of the transforms, which are most of it. A product
//! of BGV transforms what its relinearisation does; one of BFV also takes both operands to a second basis and the tensor
//! product through it.
use std::sync::Arc;

use bootes_lattice::rns::MaskStorage;
use bootes_ring::sample::SecretSeed;
use bootes_schemes::bfv::{BfvLiteral, BfvSecretKey, Evaluator, KeyRequest, Scheme};
use bootes_schemes::class::SetClass;
use bootes_schemes::rlwe::GaloisAction;
use rayon::ThreadPoolBuilder;

use crate::clock::Stats;
use crate::machine::Limits;
use crate::random::SplitMix;
use crate::row::{Column, Row};
use crate::{Bench, BenchError, Engine, Options, Sink};

pub(crate) const BENCH: Bench = Bench { name: NAME, engines: &[Engine::Bfv], summary: SUMMARY, columns: COLUMNS, run };

const NAME: &str = "bfv-kernels";
const SUMMARY: &str = "operations of BFV and BGV: products, rotations, modulus switching, against the machine's peak";
const COLUMNS: &[Column] = &[
    Column::new("operation", "row", 40),
    Column::scaled("CPU ms", "cpu_ms", 9, 1.0),
    Column::scaled("wall ms", "median_ms", 9, 1.0),
    Column::new("limb transforms", "transforms", 15),
    Column::scaled("bound ms", "bound_ms", 9, 1.0),
    Column::scaled("% of peak", "fraction_of_peak", 9, 100.0),
    Column::new("right", "correct", 5),
];

/// p of the messages: slots at every degree.
const BASE: u64 = 257;
/// Primes of the chain, of a digit, and special ones.
const CHAIN: usize = 13;
const DIGIT: usize = 3;
const SPECIAL: usize = 3;

fn literal(log2_degree: u32) -> BfvLiteral {
    BfvLiteral {
        name: format!("bfv_kernels_{log2_degree}"),
        // At N = 2^14 no set of this modulus is secure: times are what is asked for.
        class: if log2_degree < 15 { SetClass::Toy } else { SetClass::Secure },
        log2_degree,
        base: BASE,
        exponent: 1,
        base_bits: 50,
        primes: vec![(46, CHAIN - 1)],
        digit_primes: DIGIT,
        special_primes: SPECIAL,
        special_bits: 50,
        weight: 192,
        sparse_weight: if log2_degree < 15 { 44 } else { 40 },
    }
}

/// The operations that are measured.
#[derive(Clone, Copy)]
enum Operation {
    Product,
    Rotation,
    Division,
}

impl Operation {
    fn name(self) -> &'static str {
        match self {
            Self::Product => "product with relinearisation",
            Self::Rotation => "rotation",
            Self::Division => "division by a prime",
        }
    }
}

fn run(options: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    let limits = Limits::measure(options.runs(15, 3));
    let degrees = if options.quick { 12..=12 } else { 14..=16 };
    let pool = ThreadPoolBuilder::new().num_threads(1).build()?;
    for log2_degree in degrees {
        if !options.wants(&format!("N=2^{log2_degree}"), true, true) {
            continue;
        }
        let params = literal(log2_degree).try_build()?;
        sink(Row::new(NAME, format!("N=2^{log2_degree}")).with(
            "note",
            format!(
                "N = 2^{log2_degree}, log2 Q = {:.0} in {CHAIN} primes, log2 QP = {:.0}, t = {BASE}, h = {}",
                params.log2_level(params.max_level()),
                params.log2_modulus(),
                params.literal().weight
            ),
        ))?;
        let mut random = SplitMix(u64::from(log2_degree));
        let secret = BfvSecretKey::derive(&params, &SecretSeed::from_bytes(&random.seed()));
        let (top, rotation) = (params.max_level(), GaloisAction::rotation(1));
        let mut request = KeyRequest::default();
        request.products(top);
        request.action(rotation, top);
        let evaluator = Evaluator::new(Arc::new(secret.evaluation_key(&request, MaskStorage::Expanded, |_, _| ())?));
        // One coefficient, so that products are known; its neighbours are zero, its noise is not.
        let message = |m: i64| {
            let mut message = vec![0; params.degree()];
            message[0] = m;
            message
        };
        let digits = CHAIN.div_ceil(DIGIT);
        // Backward, raised, and divided by P.
        let switch = CHAIN + digits * (CHAIN + SPECIAL) - CHAIN + 2 * (SPECIAL + CHAIN);
        let second = params.ring().limbs().special;
        let bfv = 4 * (CHAIN + second) + 3 * (2 * CHAIN + second);
        for scheme in [Scheme::Bgv, Scheme::Bfv] {
            let encrypt = |m: i64| secret.encrypt(&message(m), scheme, 1, top);
            let (x, y) = (encrypt(12)?, encrypt(35)?);
            let product = if scheme == Scheme::Bfv { switch + bfv } else { switch };
            let works = [
                (Operation::Product, product, 12 * 35 % BASE),
                (Operation::Rotation, switch, 12),
                (Operation::Division, 2 * CHAIN, 12),
            ];
            for (operation, transforms, expected) in works {
                let work = || match operation {
                    Operation::Product => evaluator.mul(&x, &y),
                    Operation::Rotation => evaluator.apply(&x, rotation),
                    Operation::Division => Ok(evaluator.drop_to(&x, top - 1)?.into_owned()),
                };
                let correct = secret.decrypt(&work()?)?[0] == expected;
                let run_ms = if options.quick { 2.0 } else { 50.0 };
                let stats = pool.install(|| {
                    Stats::measure_for(options.runs(11, 3), run_ms, || drop(work().expect("it worked before")))
                });
                let operations = transforms as f64 * params.degree() as f64 * (1.5 * f64::from(log2_degree) + 3.0);
                let bound_ms = operations / (limits.gflops / 2.0) * 1e-6;
                let row = Row::new(NAME, format!("{scheme} {} N=2^{log2_degree}", operation.name()))
                    .timed(&stats)
                    .with("transforms", transforms)
                    .with("bound_ms", bound_ms)
                    .with("fraction_of_peak", bound_ms / stats.cpu_ms);
                sink(Row { correct: Some(correct), ..row })?;
            }
        }
    }
    Ok(())
}
