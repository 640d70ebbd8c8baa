//! `rns-kernels`: what CKKS, BFV and BGV are made of, over a chain of primes, against the machine's measured limits.
//!
//! Operations are those of the multiplier, for one number, which are at least as many as the adder's: their number over
//! the measured peak is the bound. All on one thread; the key switch also on two.
use crate::clock::Stats;
use crate::machine::{Limits, Machine};
use crate::random::SplitMix;
use crate::row::{Column, Row};
use crate::{BenchError, Options, Sink};
use bootes_lattice::rns::galois::rotation_exponent;
use bootes_lattice::rns::{GaloisKey, HybridGadget, MaskStorage, RnsCiphertext, RnsDigits, RnsSecretKey};
use bootes_ring::automorphism::automorphism_balanced_into;
use bootes_ring::mem::AlignedVec;
use bootes_ring::ntt::{Automorphism, Ntt};
use bootes_ring::poly::{Eval, Limbs, Poly};
use bootes_ring::primes;
use bootes_ring::rns::{Basis, Conversion, Division, RnsRing};
use bootes_ring::sample::{KeyDistribution, SecretSeed};
use bootes_schemes::ckks::Encoder;
use num_complex::Complex64;
use rayon::{ThreadPool, ThreadPoolBuilder};

pub(crate) const NAME: &str = "rns-kernels";
pub(crate) const SUMMARY: &str = "transforms, conversion, key switch, rotation over a chain of primes: operations, bytes, fraction of the machine's peak";
pub(crate) const COLUMNS: &[Column] = &[
    Column::new("kernel", "row", 44),
    Column::scaled("CPU us", "cpu_ms", 9, 1e3),
    Column::scaled("wall us", "median_ms", 9, 1e3),
    Column::scaled("kFMA", "operations", 9, 1e-3),
    Column::scaled("bound us", "bound_ms", 9, 1e3),
    Column::scaled("% of peak", "fraction_of_peak", 9, 100.0),
    Column::scaled("kB", "bytes", 8, 1e-3),
    Column::new("GB/s", "gbytes", 6),
    Column::scaled("% of memory", "fraction_of_bandwidth", 11, 100.0),
    Column::new("speedup", "speedup", 7),
    Column::new("right", "correct", 5),
];

/// Primes of the chain, of a digit and special, and the bits of the first and the last kind.
const CHAIN: usize = 24;
const DIGIT: usize = 8;
const SPECIAL: usize = 8;
const BITS: [u32; 2] = [45, 50];
/// Terms of sums, and sums of the same terms.
const MATRIX: [usize; 2] = [16, 256];

/// Limbs of each of its columns.
const MATRIX_LIMBS: usize = 2;

const TERMS: usize = 8;
const SUMS: usize = 4;
const STD: f64 = 3.19;

pub(crate) fn run(options: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    let limits = Limits::measure(options.runs(15, 3));
    let machine = Machine::here();
    sink(
        Row::new(NAME, "machine")
            .with("gflops", limits.gflops)
            .with("gbytes", limits.gbytes)
            .with("cpu", machine.cpu.as_str())
            .with("isa", machine.isa.as_str())
            .with(
                "note",
                format!(
                    "{}, {} cores, {}; {CHAIN} primes of {} bits, {SPECIAL} special of {}, digits of {DIGIT}",
                    machine.cpu, machine.cores, machine.isa, BITS[0], BITS[1]
                ),
            ),
    )?;
    let degrees = if options.quick { 12..=12 } else { 14..=17 };
    for log2 in degrees {
        let subject = Subject::new(1 << log2)?;
        let mut bench = Bench {
            degree: 1 << log2,
            limits,
            runs: options.runs(11, 3),
            run_ms: if options.quick { 2.0 } else { 20.0 },
            pool: pool(1)?,
            sink,
        };
        subject.limbs(&mut bench)?;
        subject.polynomials(&mut bench)?;
        subject.keys(&mut bench)?;
    }
    Ok(())
}

fn pool(threads: usize) -> Result<ThreadPool, BenchError> {
    Ok(ThreadPoolBuilder::new().num_threads(threads).build()?)
}

/// How rows are measured and where they go.
struct Bench<'a, 'b> {
    degree: usize,
    limits: Limits,
    runs: usize,
    run_ms: f64,
    pool: ThreadPool,
    sink: &'a mut Sink<'b>,
}

/// The operations of a call, and the number of parts that its time is told in.
#[derive(Clone, Copy)]
struct Work {
    /// Operations of the multiplier, for each coefficient.
    operations: f64,
    /// Numbers from and to memory, for each coefficient.
    numbers: Option<f64>,
    parts: usize,
}

impl Work {
    fn new(operations: f64) -> Self {
        Self { operations, numbers: None, parts: 1 }
    }
}

impl Bench<'_, '_> {
    fn measure(
        &mut self,
        name: &str,
        work: Work,
        correct: Option<bool>,
        call: impl FnMut() + Send,
    ) -> Result<Stats, BenchError> {
        let stats = self.pool.install(|| Stats::measure_for(self.runs, self.run_ms, call)).divided(work.parts);
        let scale = self.degree as f64 / work.parts as f64;
        let (operations, bytes) = (work.operations * scale, work.numbers.map(|numbers| 8.0 * numbers * scale));
        let bound_ms = operations / (self.limits.gflops / 2.0) * 1e-6;
        let gbytes = bytes.map(|bytes| bytes / (stats.cpu_ms * 1e6));
        let mut row = Row::new(NAME, format!("{name} N={}", self.degree))
            .timed(&stats)
            .with("degree", self.degree)
            .with("operations", operations)
            .with("bound_ms", bound_ms)
            .with("fraction_of_peak", bound_ms / stats.cpu_ms)
            .with("bytes", bytes)
            .with("gbytes", gbytes)
            .with("fraction_of_bandwidth", gbytes.map(|gbytes| gbytes / self.limits.gbytes));
        row.correct = correct;
        (self.sink)(row)?;
        Ok(stats)
    }
}

/// Operations of the multiplier for a coefficient.
mod operations {
    use bootes_ring::ntt::Ntt;

    /// Butterflies and balancing, on words also reductions and twiddles.
    pub(super) fn forward(ntt: &Ntt) -> f64 {
        let levels = f64::from(ntt.degree().ilog2());
        if ntt.on_words() { 1.5 * levels + 5.0 } else { 2.0 * (levels + 2.0) }
    }

    /// There are more sums to balance; on words a last pass of two products, and twiddles.
    pub(super) fn backward(ntt: &Ntt) -> f64 {
        let levels = f64::from(ntt.degree().ilog2());
        if ntt.on_words() { 1.5 * levels + 4.0 } else { 2.0 * (levels + 5.0) }
    }

    /// One reduction for eight terms.
    pub(super) fn sum(terms: usize) -> f64 {
        (2 * terms + 4 * terms.div_ceil(8)) as f64
    }

    /// From prepared limbs, with the quotient; from one prime there is none.
    pub(super) fn conversion(from: usize, to: usize) -> f64 {
        approximate_conversion(from, to) + if from > 1 { (from + 2 * to) as f64 } else { 0.0 }
    }

    /// Without the quotient.
    pub(super) fn approximate_conversion(from: usize, to: usize) -> f64 {
        to as f64 * sum(from)
    }

    /// The preparation of a limb.
    pub(super) const PREPARE: f64 = 6.0;

    /// By `dropped` primes like that of the one transform, of `kept` primes like that of the other.
    pub(super) fn division([from, to]: [&Ntt; 2], dropped: usize, kept: usize) -> f64 {
        dropped as f64 * (backward(from) + PREPARE) + conversion(dropped, kept) + kept as f64 * (forward(to) + 6.0)
    }
}

struct Subject {
    ring: RnsRing,
    gadget: HybridGadget,
    rescale: Division,
    key: GaloisKey,
    ciphertext: RnsCiphertext,
    /// Whether the rotation of the ciphertext decrypts right.
    correct: bool,
}

impl Subject {
    fn new(degree: usize) -> Result<Self, BenchError> {
        let chain: Vec<_> = primes::around(1 << BITS[0], degree).take(CHAIN).collect();
        let special: Vec<_> = primes::below(1 << BITS[1], degree).take(SPECIAL).collect();
        let ring = RnsRing::new(degree, &chain, &special)?;
        let gadget = HybridGadget::new(&ring, CHAIN, DIGIT, SPECIAL)?;
        let mut random = SplitMix(degree as u64);
        let seed = SecretSeed::from_bytes(&random.seed());
        let secret = RnsSecretKey::generate(&ring, ring.limbs(), &seed.fork(0), KeyDistribution::Ternary);
        let exponent = rotation_exponent(degree, 1);
        let key =
            GaloisKey::generate(&ring, &gadget, CHAIN, exponent, &secret, STD.into(), seed.fork_mask(1), &seed.fork(2))
                .with_masks(&ring, MaskStorage::Expanded);
        let message: Vec<f64> = (0..degree).map(|_| random.bits(40) as f64).collect();
        let plain = ring.from_integers(Limbs::chain(CHAIN), &message);
        let ciphertext = RnsCiphertext::encrypt(&ring, plain, &secret, STD.into(), &seed.fork_mask(3), &seed.fork(4));

        let rotated = secret.phase(&ring, &key.apply(&ring, &gadget, &ciphertext));
        let mut expected = vec![0.0; degree];
        automorphism_balanced_into(&mut expected, &message, exponent);
        let correct = expected.iter().zip(rotated.limb(0)).all(|(x, y)| (x - y).abs() < 1e6);
        Ok(Self {
            rescale: Division::new(&ring, Limbs::chain(CHAIN), CHAIN - 1),
            ring,
            gadget,
            key,
            ciphertext,
            correct,
        })
    }

    /// Kernels on limbs.
    fn limbs(&self, bench: &mut Bench<'_, '_>) -> Result<(), BenchError> {
        let (ring, degree) = (&self.ring, self.ring.degree());
        let (limbs, x) = (Limbs::chain(CHAIN), &self.ciphertext.a);
        let [ntt, special] = self.transforms();
        let mut limb = AlignedVec::from_slice(x.limb(0));
        bench.measure("forward, a limb", Work::new(operations::forward(ntt)), None, || ntt.forward(&mut limb))?;
        bench.measure("backward, a limb", Work::new(operations::backward(ntt)), None, || ntt.backward(&mut limb))?;
        let work = Work::new(operations::forward(special));
        bench.measure("forward, a special limb", work, None, || special.forward(&mut limb))?;

        let limb_of = |i: usize| x.limb(i);
        let sum = Work { operations: operations::sum(TERMS), numbers: Some((2 * TERMS + 1) as f64), parts: TERMS };
        let products: Vec<_> = (0..TERMS).map(|i| (limb_of(i), self.ciphertext.b.limb(i))).collect();
        bench
            .measure("sum of products, limb and term", sum, None, || ntt.sum_of_products_into(&mut limb, &products))?;

        let constants: Vec<_> = (0..TERMS).map(|i| ring.constant(limbs, (i + 3) as f64, 7.0)).collect();
        let shifted: Vec<Poly<Eval>> = (0..TERMS).map(|_| x.clone()).collect();
        let terms: Vec<_> = constants.iter().zip(&shifted).collect();
        let sums = vec![(limbs, terms); SUMS];
        let sum = Work {
            operations: sum.operations * (SUMS * CHAIN) as f64,
            numbers: Some(((TERMS + SUMS) * CHAIN) as f64),
            parts: SUMS * TERMS * CHAIN,
        };
        bench.measure("linear combinations, limb and term", sum, None, || {
            drop(ring.linear_combinations(&sums));
        })?;

        let few = Limbs::chain(MATRIX_LIMBS);
        let columns: Vec<Poly<Eval>> = (0..MATRIX[1]).map(|_| x.restricted(few)).collect();
        let matrix: Vec<Vec<f64>> =
            (0..MATRIX[0]).map(|a| (0..MATRIX[1]).map(|b| ((a + b) << 14) as f64).collect()).collect();
        let rows: Vec<&[f64]> = matrix.iter().map(Vec::as_slice).collect();
        let columns: Vec<&Poly<Eval>> = columns.iter().collect();
        let entries = MATRIX[0] * MATRIX[1] * MATRIX_LIMBS;
        let work = Work {
            operations: 2.0 * entries as f64,
            numbers: Some(((MATRIX[0] + MATRIX[1]) * MATRIX_LIMBS) as f64),
            parts: entries,
        };
        bench.measure("matrix product, limb and entry", work, None, || {
            drop(ring.matrix_product(few, &rows, &columns));
        })?;

        let all = Limbs { chain: CHAIN, special: SPECIAL };
        let moduli = ring.moduli(all);
        let (from, to) = (Basis::new(moduli[..DIGIT].to_vec())?, Basis::new(moduli[DIGIT..].to_vec())?);
        let mut out: Poly<Eval> = ring.zero(Limbs::chain(CHAIN));
        let input: Vec<_> = (0..DIGIT).map(limb_of).collect();
        let (exact, approximate) =
            (operations::conversion(DIGIT, to.len()), operations::approximate_conversion(DIGIT, to.len()));
        for (name, conversion, operations) in [
            ("conversion, pair of limbs", Conversion::new(&from, &to), exact),
            ("conversion, approximate, pair of limbs", Conversion::approximate(&from, &to), approximate),
        ] {
            let work = Work { parts: DIGIT * to.len(), ..Work::new(operations) };
            bench.measure(name, work, None, || {
                ring.convert(&conversion, out.iter_mut().enumerate().collect(), &input);
            })?;
        }

        let automorphism = Automorphism::new(degree, rotation_exponent(degree, 1));
        let work = Work { operations: 0.0, numbers: Some((2 * CHAIN) as f64), parts: CHAIN };
        bench.measure("automorphism, a limb", work, None, || drop(ring.automorphism(x, &automorphism)))?;
        Ok(())
    }

    /// Those of a prime of the chain and of a special one.
    fn transforms(&self) -> [&Ntt; 2] {
        let all = self.ring.limbs();
        [self.ring.ntt(all, 0), self.ring.ntt(all, all.chain)]
    }

    /// Kernels on polynomials.
    fn polynomials(&self, bench: &mut Bench<'_, '_>) -> Result<(), BenchError> {
        let (ring, degree) = (&self.ring, self.ring.degree());
        let [ntt, _] = self.transforms();
        let work = Work::new(2.0 * operations::division([ntt, ntt], 1, CHAIN - 1));
        bench.measure("rescaling of a ciphertext", work, None, || {
            drop(self.ciphertext.divided(ring, &self.rescale));
        })?;

        let encoder = Encoder::new(degree)?;
        let mut random = SplitMix(1);
        let slots: Vec<_> = (0..degree / 2).map(|_| Complex64::new(random.normal(), random.normal())).collect();
        let mut coefficients = vec![0.0; degree];
        let work = Work::new(CHAIN as f64 * (operations::forward(ntt) + 2.0) + 5.0 * f64::from(degree.ilog2()) / 4.0);
        bench.measure("encoding of a plaintext", work, None, || {
            encoder.coefficients_into(&mut coefficients, &slots).expect("finite slots");
            coefficients.iter_mut().for_each(|x| *x = (*x * 2f64.powi(40)).round_ties_even());
            drop(ring.forward(ring.from_integers(Limbs::chain(CHAIN), &coefficients)));
        })?;
        Ok(())
    }

    /// Key switching and what it is made of.
    fn keys(&self, bench: &mut Bench<'_, '_>) -> Result<(), BenchError> {
        let (ring, gadget, degree) = (&self.ring, &self.gadget, self.ring.degree());
        let (digits, all) = (CHAIN.div_ceil(DIGIT), CHAIN + SPECIAL);
        let (key, correct) = (self.key.switch_key(), Some(self.correct));
        let RnsCiphertext { b, a } = &self.ciphertext;

        let [ntt, special] = self.transforms();
        let raise = operations::conversion(DIGIT, all - DIGIT)
            + (CHAIN - DIGIT) as f64 * operations::forward(ntt)
            + SPECIAL as f64 * operations::forward(special);
        let decompose = CHAIN as f64 * (operations::backward(ntt) + operations::PREPARE) + digits as f64 * raise;
        bench.measure("decomposition", Work::new(decompose), None, || drop(gadget.decompose(ring, a).raise(ring)))?;

        let hoisted: RnsDigits<'_> = gadget.decompose(ring, a).raise(ring);
        let product = 2.0 * all as f64 * operations::sum(digits);
        // Rows are packed.
        let bits = |rows: usize| (rows * (CHAIN * BITS[0] as usize + SPECIAL * BITS[1] as usize)) as f64 / 64.0;
        let bytes =
            |rows: usize| Work { numbers: Some((all * (digits + 2)) as f64 + bits(rows)), ..Work::new(product) };
        bench.measure("key product", bytes(2 * digits), None, || drop(key.product(ring, &hoisted)))?;
        let (bodies, seed) = key.parts();
        let seeded = bootes_lattice::rns::SwitchKey::from_parts(key.limbs(), bodies.to_vec(), *seed);
        bench.measure("key product, masks from the seed", bytes(digits), None, || {
            drop(seeded.product(ring, &hoisted));
        })?;
        drop(seeded);

        let down = 2.0 * operations::division([special, ntt], SPECIAL, CHAIN);
        let switch = Work::new(decompose + product + down);
        let one = bench.measure("key switch", switch, correct, || drop(key.switch(ring, gadget, a)))?;
        bench.measure("rotation", switch, correct, || drop(self.key.apply(ring, gadget, &self.ciphertext)))?;
        bench.measure("rotation, hoisted", Work::new(product + down), correct, || {
            drop(self.key.apply_hoisted(ring, gadget, b, &hoisted));
        })?;
        drop(hoisted);

        let pool = pool(2)?;
        let two = pool.install(|| Stats::measure_for(bench.runs, bench.run_ms, || drop(key.switch(ring, gadget, a))));
        let row = Row::new(NAME, format!("key switch, 2 threads N={degree}")).timed(&two).with("degree", degree);
        (bench.sink)(row.with("threads", 2).with("speedup", one.median_ms / two.median_ms))
    }
}
