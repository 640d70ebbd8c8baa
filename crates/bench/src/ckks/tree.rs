//! Tables of 8 to 20 bits by each method of the paper on larger tables with CKKS and by ours, for its Tables 3 to 5
//! and Figure 3.
//!
//! AKP-FBT is the interpolation of the whole table; BMT-FBT and CMT-FBT are the paper's multiplexer trees on digits
//! of one bit and of more (Algorithms 5 and 7); "characters" are this library's own tables of several digits.
use bootes_lattice::rns::MaskStorage;
use bootes_lut::Lut;
use bootes_lut::ckks::params::literals;
use bootes_lut::ckks::{TableLiteral, TableParams, Tables};
use bootes_lut::papers::multiplexer::tree_evaluation;
use bootes_lut::papers::multiplexer::{Cleaning, tree};
use bootes_schemes::cost::{Calibration, Residues};
use bootes_schemes::polyeval::GateCounts;

use super::{Subject, checked, on};
use crate::clock::Samples;
use crate::row::Row;
use crate::{BenchError, Options, memory};

/// Tables of more bits are not evaluated whole.
const WHOLE: u32 = 12;
/// Trees that hold more bytes than this are not evaluated, only predicted.
const MOST_BYTES: f64 = 12e9;
/// Primes of a key-switching digit, and special primes, at most: more would switch no faster.
const MOST_DIGIT_PRIMES: usize = 10;
/// Bits of tables of a quick run, on toy rings.
pub(super) const QUICK_BITS: u32 = 6;

/// How a table is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    /// AKP-FBT.
    Whole,
    /// BMT-FBT or CMT-FBT on digits of so many bits.
    Tree(u32),
    /// The fastest way of the shipped sets of digits.
    Characters,
}

impl Method {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Whole => "AKP-FBT",
            Self::Tree(1) => "BMT-FBT",
            Self::Tree(_) => "CMT-FBT",
            Self::Characters => "characters",
        }
    }

    /// The set of a method that has one, and nothing for tables that are too large for it.
    fn named(self, bits: u32, quick: bool) -> Result<Option<TableParams>, BenchError> {
        let name = match (self, quick) {
            (Self::Tree(_), _) => return Ok(None),
            (Self::Whole, true) => "toy_batch_6bit",
            (Self::Whole, false) if bits <= WHOLE => return Ok(Some(TableParams::for_bits(bits)?)),
            (Self::Whole, false) => return Ok(None),
            (Self::Characters, true) => "toy_batch_9bit",
            (Self::Characters, false) => match bits {
                ..=12 => "batch_12bit_digits",
                13 | 14 => "batch_14bit",
                15 | 16 => "batch_16bit",
                17 | 18 => "batch_18bit",
                _ => "batch_20bit",
            },
        };
        Ok(Some(TableParams::named(name)?))
    }
}

/// Moduli of digits of so many bits, the lowest first; the last is what is left.
pub(super) fn digits(bits: u32, digit_bits: u32) -> Vec<u64> {
    let sizes = (0..bits).step_by(digit_bits as usize).map(|from| digit_bits.min(bits - from));
    sizes.map(|size| 1 << size).collect()
}

/// A multiplexer tree with parameters of its own, and what is known of it before it is evaluated.
struct Plan {
    params: TableParams,
    digits: Vec<u64>,
    cleaning: Cleaning,
    depth: usize,
    counts: GateCounts,
    seconds: f64,
    /// With the key.
    bytes: f64,
}

impl Plan {
    /// The paper cleans deltas from 13 bits on. Primes have 46 bits, whose transforms are faster than those of
    /// the paper's 48, and key-switching digits are as large as security allows.
    fn new(bits: u32, digit_bits: u32, threads: usize, quick: bool) -> Result<Self, BenchError> {
        let (digits, cleaning) =
            (digits(bits, digit_bits), if bits > 12 { Cleaning::Identity } else { Cleaning::None });
        let sizes: Vec<usize> = digits.iter().map(|&p| p as usize).collect();
        let tree = tree(&vec![0.5; 1 << bits], &sizes, cleaning);
        let base = if quick { "toy_batch_4bit" } else { "batch_4bit" };
        let base = literals().iter().find(|set| set.name == base).expect("a shipped set");
        let build = |primes: usize| {
            let literal = TableLiteral {
                name: format!("tree_{bits}bit_p{}", 1u32 << digit_bits),
                bits: digit_bits,
                scale_bits: 46,
                digit_primes: primes,
                special_primes: primes,
                spare_levels: tree.depth(),
                log2_modulus: 48,
                ..base.clone()
            };
            literal.try_build()
        };
        let params = (2..=MOST_DIGIT_PRIMES).rev().find_map(|primes| build(primes).ok());
        let params = params.map_or_else(|| build(1), Ok)?;
        let transforms = params.transforms()?;
        let (work, limbs) =
            tree_evaluation(&params, &transforms, &digits, &tree, threads.min(2), MaskStorage::Expanded)?;
        let key = params.request(&transforms).bytes(params.ckks(), MaskStorage::Expanded);
        Ok(Self {
            seconds: Calibration::current().seconds(work),
            bytes: (key + 8 * params.capacity() * limbs) as f64,
            depth: tree.depth(),
            counts: tree.total_counts(),
            params,
            digits,
            cleaning,
        })
    }

    /// A row with the tree's readings.
    fn describe(&self, row: Row) -> Row {
        let digits: Vec<String> = self.digits.iter().map(u64::to_string).collect();
        row.with("digits", digits.join("·"))
            .with("cleaning", (self.cleaning == Cleaning::Identity).then_some("G_id"))
            .with("depth", self.depth)
            .with("products", self.counts.products)
            .with("multiply_adds", self.counts.multiply_adds)
            .with("predicted_s", self.seconds)
            .with("predicted_bytes", self.bytes)
    }
}

/// A table of so many bits by a method: predicted, and evaluated if that is asked for and possible, on one thread and
/// by turns on `threads`, if those are more.
pub(super) fn measure(
    mut row: Row,
    (bits, method): (u32, Method),
    (evaluated, threads): (bool, usize),
    options: &Options,
) -> Result<Row, BenchError> {
    row.algorithm = Some(method.name().into());
    row.bits = Some(bits);
    if let Method::Tree(digit_bits) = method {
        let plan = Plan::new(bits, digit_bits, threads, options.quick)?;
        row = super::describe(plan.describe(row), plan.params.ckks());
        row.params = Some(plan.params.name().into());
        if !evaluated {
            return Ok(row);
        }
        if plan.bytes > MOST_BYTES {
            let (seconds, gigabytes) = (plan.seconds, plan.bytes * 1e-9);
            let note =
                format!("not run: predicted are {seconds:.0} s on one thread and {gigabytes:.0} GB with the key");
            return Ok(row.with("note", note));
        }
        memory::restart_peak();
        let (subject, lut, messages, input) = on(1, || {
            let mut subject = Subject::new(&plan.params)?;
            let lut = Lut::modular(subject.random.values(1 << bits, bits), 1 << bits)?;
            let (messages, input) = subject.input(bits)?;
            Ok::<_, BenchError>((subject, lut, messages, input))
        })??;
        let evaluate = || {
            let result = subject.bootstrap.evaluate_tree(&lut, &plan.digits, plan.cleaning, &input, |_, _| ())?;
            Ok(vec![result])
        };
        let (row, outputs) = timed(subject.describe(row, bits), threads, options, evaluate)?;
        let (wrong, noise) = subject.found(&[lut], &messages, &outputs)?;
        let mut row = row.with("wrong", wrong).with("checked", messages.len()).with("noise_of_half_step", noise);
        row.correct = Some(wrong == 0);
        row.noise_measured_std = Some(noise * 0.5 / f64::from(bits).exp2());
        return Ok(row);
    }
    let Some(params) = method.named(bits, options.quick)? else {
        return Ok(row.with("note", format!("not run: tables of more than {WHOLE} bits are not evaluated whole")));
    };
    row = super::describe(row.with("predicted_s", predicted(&params, bits)?), params.ckks());
    if !evaluated {
        return Ok(row);
    }
    memory::restart_peak();
    let (subject, work) = on(1, || {
        let mut subject = Subject::new(&params)?;
        let work = subject.work(bits, 1)?;
        Ok::<_, BenchError>((subject, work))
    })??;
    let digits = match work.prepared() {
        Tables::Whole(_) => "whole".to_string(),
        Tables::Digits(tables) => tables[0].shape().to_string(),
        Tables::Varied(table) => table.method(),
    };
    let row = subject.describe(row.with("digits", digits), bits);
    let (row, outputs) = timed(row, threads, options, || subject.evaluate(&work))?;
    let outcome = subject.check(&work, &outputs)?;
    Ok(checked(row, &outcome, &work))
}

/// Seconds of a table of so many bits by a set, on one thread.
fn predicted(params: &TableParams, bits: u32) -> Result<f64, BenchError> {
    let transforms = params.transforms()?;
    let lut = Lut::modular((0..1 << bits).rev().collect(), 1 << bits)?;
    let work = Tables::new(params, &transforms, &[lut])?.work(params, &transforms, MaskStorage::Expanded)?;
    Ok(Calibration::current().seconds(work.into_iter().map(|(_, work)| work).sum::<Residues>()))
}

/// A row with the times of an evaluation, on one thread and by turns on `threads` if those are more, and its result.
fn timed<T: Send>(
    row: Row,
    threads: usize,
    options: &Options,
    evaluate: impl Fn() -> Result<T, BenchError> + Sync,
) -> Result<(Row, T), BenchError> {
    let [mut one, mut all] = [Samples::default(), Samples::default()];
    let runs = options.runs(1, 1);
    let result = loop {
        let result = on(1, || one.time(1.0, &evaluate))??;
        if threads > 1 {
            on(threads, || all.time(1.0, &evaluate))??;
        }
        if one.stats().runs >= runs {
            break result;
        }
    };
    let stats = one.stats();
    let mut row = row
        .timed(&stats)
        .with("cpu_s", stats.cpu_ms * 1e-3)
        .with("wall_s", stats.median_ms * 1e-3)
        .with("peak_rss_bytes", memory::peak_bytes());
    if threads > 1 {
        let stats = all.stats();
        row = row
            .with("threads", threads)
            .with("threads_wall_s", stats.median_ms * 1e-3)
            .with("threads_cpu_s", stats.cpu_ms * 1e-3)
            .with("speedup", all.speedup(&one));
    }
    Ok((row, result))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_make_up_the_bits() {
        assert_eq!(digits(12, 3), [8; 4]);
        assert_eq!(digits(10, 3), [8, 8, 8, 2]);
        assert_eq!(digits(4, 1), [2; 4]);
    }

    /// Trees of the paper's tables have parameters of 128 bits of security.
    #[test]
    fn trees_have_parameters() {
        for (bits, digit_bits) in [(8, 3), (10, 5), (16, 1), (16, 4), (18, 5)] {
            let plan = Plan::new(bits, digit_bits, 1, false).unwrap();
            assert!(plan.params.ckks().security_bits().is_some_and(|bits| bits >= 128.0), "{bits} bits");
            assert!(plan.seconds > 1.0 && plan.bytes > 1e9);
            println!(
                "{bits} bits, digits of {digit_bits}: {} levels, {} primes a digit, log QP {:.0}, {:.0} s, {:.1} GB",
                plan.params.ckks().max_level(),
                plan.params.literal().digit_primes,
                plan.params.ckks().log2_modulus(),
                plan.seconds,
                plan.bytes * 1e-9
            );
        }
    }
}
