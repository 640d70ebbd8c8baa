//! What an evaluation of the batch engine takes: time, memory, keys.
//!
//! **Time** is work times calibration. The work of one ciphertext is four amounts: transforms of N points, multiply-adds of N residues in the
//! cache (conversions of bases) and from memory, and uniform polynomials of N residues (masks made from their seed: none of it where masks
//! are kept). With c primes of a level, s special primes that it uses and d = ⌈c/α⌉ digits, r = c + s:
//!
//! | operation | transforms | in the cache | from memory | masks |
//! |---|---|---|---|---|
//! | decomposition | d·r | c·r | | |
//! | product with a key | | | 2·d·r | d·r |
//! | division by P | 2·r | 2·s·c | | |
//! | rescaling | 2·c | | 2·c | |
//! | linear stage of D diagonals, b babies, g giants | D·r, with g decompositions and (g + 1)/2 divisions | | 2·D·r | b + g − 1 products |
//!
//! and the counts of the circuits ([`Circuit::counts`]), twice, for the two halves of the coefficients. The units were fitted to sets of N = 2^15 and
//! 2^16, which they predict to a quarter; toy sets, whose times are milliseconds, take up to twice as long.
//!
//! **Memory** is that of the keys, packed; of tables (8N·(3·r + D + D'), plans of the transforms and the diagonals of the largest stage each way);
//! and a workspace. With T threads and k ciphertexts side by side a linear stage at the top takes 8N·(k·((2g + d)·r + 4·c) + T·(3b + 2)), and a
//! circuit from c primes, whose values have v limbs at most when most are alive, 8N·(h·(2·v + 6·c + 2·(r − c)) + T·(4d + 2)) with
//! h = min(max(k, T), 2k): where there are threads for them, both halves of a ciphertext are alive. The
//! larger counts, and what the pool of buffers keeps in pieces that nothing fits. That is 0 to 10 % more than measured for sets of 4 to 12 bits on
//! one thread, on two, and with two ciphertexts side by side, a fifth for 1 bit. Making keys takes six polynomials of r limbs besides keys and
//! tables: 0 to 3 % more than measured. The process itself, some ten megabytes, is not counted.
use bootes_lattice::rns::{HybridGadget, MaskStorage};
use bootes_lut::ckks::{BatchNoise, BatchParams, PreparedTables};
use bootes_lut::{Lut, LutError};
use bootes_schemes::ckks::Encoder;
use bootes_schemes::ckks::circuit::TOGETHER;
use bootes_schemes::polyeval::Circuit;

use crate::Error;
use crate::memory::{Room, masks_that_fit};

/// Seconds of each amount at N = 2^16 on one thread: measured on one machine with AVX-512, a transform scaled by N·log2 N, the others by N.
const TRANSFORM_SECONDS: f64 = 0.095e-3;
const CONVERSION_SECONDS: f64 = 0.011e-3;
const MULTIPLY_ADD_SECONDS: f64 = 0.045e-3;
const MASK_SECONDS: f64 = 0.3e-3;
/// Seconds of a residue polynomial of a key that is made, its noise and transforms.
const KEY_SECONDS: f64 = 1.1e-3;

/// Bytes of free memory in pieces that nothing fits.
const SPARE: u64 = 96 << 20;

/// Work in polynomials of N residues.
#[derive(Clone, Copy, Debug, Default)]
struct Work {
    transforms: usize,
    conversions: usize,
    multiply_adds: usize,
    masks: usize,
}

impl Work {
    fn add(&mut self, times: usize, other: Self) {
        self.transforms += times * other.transforms;
        self.conversions += times * other.conversions;
        self.multiply_adds += times * other.multiply_adds;
        self.masks += times * other.masks;
    }
}

/// The numbers of a set that work and memory follow from.
#[derive(Clone, Copy, Debug)]
struct Shape<'a> {
    degree: usize,
    /// Primes of the top level.
    top: usize,
    special: usize,
    gadget: &'a HybridGadget,
}

impl<'a> Shape<'a> {
    fn of(params: &'a BatchParams) -> Self {
        let (literal, ckks) = (params.literal(), params.ckks());
        Self {
            degree: ckks.degree(),
            top: ckks.max_level() + 1,
            special: literal.special_primes,
            gadget: ckks.gadget(),
        }
    }

    /// d and r at c primes.
    fn raised(&self, c: usize) -> [usize; 2] {
        [self.gadget.digits(c), self.gadget.raised(c).count()]
    }

    fn decomposition(&self, c: usize) -> Work {
        let [d, r] = self.raised(c);
        Work { transforms: d * r, conversions: c * r, ..Work::default() }
    }

    fn product(&self, c: usize) -> Work {
        let [d, r] = self.raised(c);
        Work { multiply_adds: 2 * d * r, masks: d * r, ..Work::default() }
    }

    fn division(&self, c: usize) -> Work {
        let [_, r] = self.raised(c);
        Work { transforms: 2 * r, conversions: 2 * (r - c) * c, ..Work::default() }
    }

    fn switch(&self, c: usize) -> Work {
        let mut work = self.decomposition(c);
        work.add(1, self.product(c));
        work.add(1, self.division(c));
        work
    }

    /// A stage of CoeffsToSlots or SlotsToCoeffs, of `log2` levels of butterflies.
    fn stage(&self, c: usize, log2: usize) -> Work {
        let [diagonals, babies, giants] = stage(log2);
        let [_, r] = self.raised(c);
        let mut work = Work { transforms: diagonals * r, multiply_adds: 2 * diagonals * r, ..Work::default() };
        work.add(giants, self.decomposition(c));
        work.add(babies + giants - 1, self.product(c));
        // Of masks alone, but for the last.
        work.add(1, self.division(c));
        work.transforms += (giants - 1) * r;
        work.conversions += (giants - 1) * (r - c) * c;
        work
    }

    /// A circuit whose variable has c primes.
    fn circuit(&self, circuit: &Circuit, c: usize) -> Work {
        let mut work = Work::default();
        for (below, counts) in circuit.counts().iter().enumerate() {
            let c = c - below;
            work.add(counts.relinearisations, self.switch(c));
            let combinations = counts.rescalings - counts.relinearisations;
            work.add(combinations, Work { transforms: 2 * c, multiply_adds: 2 * c, ..Work::default() });
            work.multiply_adds += (4 * counts.products + 2 * counts.multiply_adds) * c;
        }
        work
    }
}

/// Diagonals, babies and giants of a stage of `log2` levels of butterflies.
fn stage(log2: usize) -> [usize; 3] {
    let diagonals: usize = (2 << log2) - 1;
    let babies = (2.0 * diagonals as f64).sqrt().log2().floor().exp2() as usize;
    [diagonals, babies, diagonals.div_ceil(babies)]
}

/// Levels of butterflies of the stages, most first.
fn stages(params: &BatchParams, count: usize) -> Vec<usize> {
    let levels = params.literal().log2_degree as usize - 1;
    (0..count).map(|i| (levels + count - 1 - i) / count).collect()
}

/// What is evaluated at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchLoad {
    /// Ciphertexts in all.
    pub ciphertexts: usize,
    /// Threads.
    pub threads: usize,
}

impl BatchLoad {
    /// So many values, in ciphertexts of a set.
    pub fn new(params: &BatchParams, values: usize, threads: usize) -> Self {
        Self { ciphertexts: values.div_ceil(params.capacity()), threads }
    }

    /// The most ciphertexts side by side whose `bytes` fit besides those `held`: one for each thread, or fewer.
    pub(super) fn together(&self, room: Room, held: u64, bytes: impl Fn(usize) -> u64) -> Result<usize, Error> {
        let most = self.ciphertexts.min(self.threads).max(1);
        let fitting = (2..=most).rev().find(|&together| room.check(held, bytes(together)).is_ok());
        fitting.map_or_else(|| room.check(held, bytes(1)).map(|()| 1), Ok)
    }
}

/// Bytes that an evaluation, or making keys, holds at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchMemory {
    /// The server key, with its masks where they are kept.
    pub keys: u64,
    /// Tables of transforms and linear maps.
    pub tables: u64,
    /// Intermediate results, at most.
    pub workspace: u64,
}

impl BatchMemory {
    /// Of making the server key.
    ///
    /// # Errors
    /// As [`BatchParams::transforms`].
    pub fn of_keys(params: &BatchParams) -> Result<Self, Error> {
        let shape = Shape::of(params);
        let request = params.request(&params.transforms(&Encoder::new(params.capacity())?)?);
        let keys = request.bytes(params.ckks(), MaskStorage::Seeded) as u64;
        // Two secret keys; noise, mask, body and the image of a secret key for the key that is being made.
        let workspace = 8 * (6 * shape.degree * (shape.top + shape.special)) as u64;
        Ok(Self { keys, tables: tables_bytes(params), workspace })
    }

    /// The peak.
    pub fn peak(&self) -> u64 {
        self.keys + self.tables + self.workspace
    }
}

/// What tables with a set take, by the models of this module.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BatchPrediction {
    /// Values of a ciphertext, N.
    pub capacity: u64,
    /// CPU seconds of one ciphertext, full or not, on one thread.
    pub seconds: f64,
    /// CPU seconds of making the keys.
    pub key_seconds: f64,
    /// Bytes of the server key's file, within a few per cent.
    pub stored_bytes: u64,
    /// Whether masks are kept.
    pub storage: MaskStorage,
    /// Ciphertexts that are evaluated side by side.
    pub together: usize,
    /// Memory of an evaluation.
    pub memory: BatchMemory,
    /// log2 of the probability that any of the N phases of a ciphertext leaves the range of the approximation, and its value is wrong.
    pub log2_overflow: f64,
    /// log2 of the probability that any of the N values of a ciphertext is wrong by noise, inputs being fresh or results.
    pub log2_failure: f64,
}

impl BatchPrediction {
    /// Of several tables on the same inputs. `storage` `None` is what fits into the memory of this machine; so are the ciphertexts side by side.
    ///
    /// # Errors
    /// [`Error::Lut`] for no table, or one that the set is too small for; [`Error::Memory`] if the evaluation does not fit into the memory
    /// that is available.
    pub fn new(
        params: &BatchParams,
        luts: &[Lut],
        load: BatchLoad,
        storage: Option<MaskStorage>,
    ) -> Result<Self, Error> {
        Self::within(params, luts, load, storage, None)
    }

    /// [`Self::new`] that takes `memory` bytes at most, keys, tables and workspace together.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn within(
        params: &BatchParams,
        luts: &[Lut],
        load: BatchLoad,
        storage: Option<MaskStorage>,
        memory: Option<u64>,
    ) -> Result<Self, Error> {
        let room = Room::now(memory);
        masks_that_fit(storage, |storage| Self::in_room(params, luts, load, storage, room))
    }

    /// [`Self::new`] on a machine of any memory.
    ///
    /// # Errors
    /// [`Error::Lut`].
    pub fn with_storage(
        params: &BatchParams,
        luts: &[Lut],
        load: BatchLoad,
        storage: MaskStorage,
    ) -> Result<Self, Error> {
        Self::in_room(params, luts, load, storage, Room::default())
    }

    fn in_room(
        params: &BatchParams,
        luts: &[Lut],
        load: BatchLoad,
        storage: MaskStorage,
        room: Room,
    ) -> Result<Self, Error> {
        check_tables(params, luts)?;
        let tables = PreparedTables::new(params, luts)?;
        let (ckks, shape) = (params.ckks(), Shape::of(params));
        let encoder = Encoder::new(params.capacity())?;
        let transforms = params.transforms(&encoder)?;
        let noise = BatchNoise::promised(params, &transforms, &tables)?;
        let request = params.request(&transforms);
        let seeded = request.bytes(ckks, MaskStorage::Seeded);
        let bits: f64 = ckks.log2_modulus() / (shape.top + shape.special) as f64;
        let unit = 8.0 * shape.degree as f64;
        let memory = |together| BatchMemory {
            keys: request.bytes(ckks, storage) as u64,
            tables: tables_bytes(params),
            workspace: workspace(params, &tables, load.threads, together),
        };
        let together = load.together(room, 0, |together| memory(together).peak())?;
        Ok(Self {
            capacity: params.capacity() as u64,
            seconds: seconds(work(params, &tables, luts.len()), shape.degree, storage),
            key_seconds: 64.0 / bits * seeded as f64 / unit * KEY_SECONDS * scale(shape.degree),
            stored_bytes: seeded as u64,
            storage,
            together,
            memory: memory(together),
            log2_overflow: params.log2_overflow(),
            log2_failure: noise
                .iter()
                .map(|noise| noise.log2_ciphertext_failure()[0])
                .fold(f64::NEG_INFINITY, f64::max),
        })
    }

    /// Ciphertexts of so many values.
    pub fn ciphertexts(&self, count: u64) -> u64 {
        count.div_ceil(self.capacity)
    }

    /// CPU seconds of so many values: those of whole ciphertexts.
    pub fn seconds_for(&self, count: u64) -> f64 {
        self.seconds * self.ciphertexts(count) as f64
    }
}

/// The least number of values from which on the batch engine takes less time than values one by one, `each` seconds each, with `setup`
/// seconds more at first; `None` if it never does.
pub fn crossover(batch: &BatchPrediction, each: f64, setup: f64) -> Option<u64> {
    // With k ciphertexts full or not: the first number of values in them that takes longer one by one.
    let least = |k: u64| ((setup + batch.seconds * k as f64) / each).floor() as u64 + 1;
    let full = batch.seconds / each;
    if full >= batch.capacity as f64 {
        return None;
    }
    let first = (setup / (each * batch.capacity as f64 - batch.seconds)).floor() as u64 + 1;
    // What is below the first value of ciphertext number k is not slower.
    Some(least(first).max((first - 1) * batch.capacity + 1))
}

/// Refuses tables whose inputs are wider than the set is made for.
pub(super) fn check_tables(params: &BatchParams, luts: &[Lut]) -> Result<(), LutError> {
    let bits = params.literal().bits;
    match luts.iter().map(Lut::in_bits).find(|&found| found > bits) {
        Some(found) => Err(LutError::TooWide { what: "inputs", found, bits, params: params.name().into() }),
        None => Ok(()),
    }
}

/// The work of one ciphertext with these tables, `outputs` many.
fn work(params: &BatchParams, tables: &PreparedTables, outputs: usize) -> Work {
    let (literal, shape) = (params.literal(), Shape::of(params));
    let exponential = params.exponential().circuit();
    let mut work = shape.switch(shape.top);
    work.transforms += 2 * shape.top;
    for (i, log2) in stages(params, literal.to_slots).into_iter().enumerate() {
        work.add(1, shape.stage(shape.top - i, log2));
    }
    let slots = shape.top - literal.to_slots;
    work.add(1, shape.switch(slots));
    work.add(2, shape.circuit(&exponential, slots));
    if literal.clean_circle {
        // A conjugation and two products, once for each half.
        let c = slots - exponential.depth();
        work.add(2, shape.switch(c));
        work.add(4, shape.switch(c - 1));
    }
    let circle = slots - params.circle_depth();
    work.add(2, shape.circuit(tables.circuit(), circle));
    work.add(outputs, shape.switch(circle - tables.circuit().depth()));
    for (i, log2) in stages(params, literal.to_coeffs).into_iter().enumerate() {
        work.add(outputs, shape.stage(literal.to_coeffs + 1 - i, log2));
    }
    work
}

fn scale(degree: usize) -> f64 {
    degree as f64 / 65536.0
}

/// CPU seconds of the work.
fn seconds(work: Work, degree: usize, storage: MaskStorage) -> f64 {
    let masks = if storage == MaskStorage::Seeded { work.masks as f64 } else { 0.0 };
    let transform = TRANSFORM_SECONDS * f64::from(degree.ilog2()) / 16.0;
    let multiply_adds = work.conversions as f64 * CONVERSION_SECONDS + work.multiply_adds as f64 * MULTIPLY_ADD_SECONDS;
    (work.transforms as f64 * transform + multiply_adds + masks * MASK_SECONDS) * scale(degree)
}

/// Bytes of the plans of transforms, and the diagonals of the largest stage each way.
pub(super) fn tables_bytes(params: &BatchParams) -> u64 {
    let (literal, shape) = (params.literal(), Shape::of(params));
    let diagonals = [literal.to_slots, literal.to_coeffs].map(|count| stage(stages(params, count)[0])[0]);
    8 * (shape.degree * (3 * (shape.top + shape.special) + diagonals[0] + diagonals[1])) as u64
}

/// Bytes of intermediate results of the linear stages, `together` at once: the inner sums, the raised digits, and for each thread the babies and
/// diagonals of a limb.
pub(super) fn transform_workspace(params: &BatchParams, threads: usize, together: usize) -> u64 {
    let (shape, c) = (Shape::of(params), Shape::of(params).top);
    let [d, r] = shape.raised(c);
    let [_, babies, giants] = stage(stages(params, params.literal().to_slots)[0]);
    let limbs = together * ((2 * giants + d) * r + 4 * c) + threads * (3 * babies + 2);
    8 * (shape.degree * limbs) as u64
}

/// Bytes of intermediate results, at most, with `together` ciphertexts side by side.
pub(super) fn workspace(params: &BatchParams, tables: &PreparedTables, threads: usize, together: usize) -> u64 {
    let (shape, exponential) = (Shape::of(params), params.exponential().circuit());
    let slots = shape.top - params.literal().to_slots;
    let halves = threads.clamp(together, 2 * together);
    let circuit = |circuit: &Circuit, c: usize| {
        let [d, r] = shape.raised(c);
        // In each half the values, what is switched and its result; for each thread the digits of a group of limbs.
        let values = circuit.peak_size(2 * TOGETHER, |below| c - below);
        let half = 2 * values + 6 * c + 2 * (r - c);
        8 * (shape.degree * (halves * half + threads * (4 * d + 2))) as u64
    };
    let circuits = circuit(&exponential, slots).max(circuit(tables.circuit(), slots - params.circle_depth()));
    circuits.max(transform_workspace(params, threads, together)) + SPARE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch_set;

    const ONE: BatchLoad = BatchLoad { ciphertexts: 1, threads: 1 };

    #[test]
    fn crossovers_are_where_the_lines_cross() -> Result<(), Error> {
        let params = batch_set("toy_batch_4bit")?;
        let lut = Lut::unstructured(4);
        let batch = BatchPrediction::with_storage(&params, &[lut], ONE, MaskStorage::Expanded)?;
        for (each, setup) in [(0.5, 0.0), (0.01, 0.0), (0.01, 5.0), (0.002, 20.0)] {
            let single = |count: u64| count as f64 * each;
            let found = crossover(&batch, each, setup);
            let brute = (1..200_000u64).find(|&n| setup + batch.seconds_for(n) < single(n));
            assert_eq!(found, brute, "{each} {setup}, {} s a ciphertext", batch.seconds);
        }
        assert_eq!(crossover(&batch, 1e-9, 0.0), None);
        Ok(())
    }

    /// Seconds a ciphertext on one thread, masks kept, as measured when the units were fitted.
    #[test]
    fn predictions_are_near_what_was_measured() -> Result<(), Error> {
        for (name, measured) in [("batch_1bit", 0.77), ("batch_4bit", 2.5), ("batch_8bit", 4.6), ("batch_12bit", 16.1)]
        {
            let params = batch_set(name)?;
            let size = 1u64 << params.literal().bits;
            let table = Lut::wide((0..size).map(|x| (x * x % size + 7 * x) % size).collect())?;
            let prepared = PreparedTables::new(&params, &[table])?;
            let work = work(&params, &prepared, 1);
            let predicted = seconds(work, params.capacity(), MaskStorage::Expanded);
            println!("{name}: {work:?}, predicted {predicted:.2} s, measured {measured} s");
            assert!((0.8..1.25).contains(&(predicted / measured)), "{name}: {predicted}");
        }
        Ok(())
    }

    #[test]
    fn ciphertexts_stand_side_by_side_where_threads_and_memory_allow_it() -> Result<(), Error> {
        let bytes = |together| 100 + 50 * together as u64;
        let together = |ciphertexts, threads, available| {
            BatchLoad { ciphertexts, threads }.together(Room { available, limit: None }, 0, bytes)
        };
        for (ciphertexts, threads, available, expected) in [
            (1, 8, None, 1),
            (3, 8, None, 3),
            (8, 3, None, 3),
            (8, 8, Some(250), 3),
            (8, 8, Some(199), 1),
            (8, 8, Some(150), 1),
        ] {
            assert_eq!(together(ciphertexts, threads, available)?, expected);
        }
        assert!(matches!(together(8, 8, Some(149)), Err(Error::Memory { needed: 150, available: 149 })));
        let params = batch_set("toy_batch_4bit")?;
        assert_eq!(BatchLoad::new(&params, 2 * params.capacity() + 1, 2), BatchLoad { ciphertexts: 3, threads: 2 });
        let of = |ciphertexts, threads| {
            let load = BatchLoad { ciphertexts, threads };
            BatchPrediction::with_storage(&params, &[Lut::unstructured(4)], load, MaskStorage::Expanded)
        };
        let [one, halves, two, three] = [of(1, 1)?, of(1, 2)?, of(2, 2)?, of(3, 2)?];
        assert!(one.memory.workspace < halves.memory.workspace && halves.memory.workspace <= two.memory.workspace);
        assert_eq!([one.together, halves.together, two.together, three.together], [1, 1, 2, 2]);
        assert_eq!(two.memory, three.memory);
        Ok(())
    }

    #[test]
    fn masks_are_half_of_the_keys_and_take_time() -> Result<(), Error> {
        let params = batch_set("toy_batch_4bit")?;
        let of = |storage| BatchPrediction::with_storage(&params, &[Lut::unstructured(4)], ONE, storage);
        let (kept, made) = (of(MaskStorage::Expanded)?, of(MaskStorage::Seeded)?);
        assert_eq!(kept.memory.keys, 2 * made.memory.keys);
        assert!(kept.seconds < made.seconds && made.stored_bytes <= made.memory.keys);
        let twice = vec![Lut::unstructured(4); 2];
        let twice = BatchPrediction::with_storage(&params, &twice, ONE, MaskStorage::Expanded)?;
        assert!(twice.seconds > kept.seconds && twice.seconds < 1.9 * kept.seconds);
        Ok(())
    }
}
