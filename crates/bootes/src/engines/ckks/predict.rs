//! Predictions of engine ckks: time, [memory] and keys.
//!
//! **Time** is work times calibration ([`Calibration`]): the work of a ciphertext's five steps
//! ([`bootes_lut::ckks::cost`]), of the keys and of their masks, in the units of the residue world, on one thread;
//! threads share it but for a part ([`Serial`]), a larger one within a ciphertext than among several side by side.
use bootes_lattice::rns::MaskStorage;
use bootes_lut::ckks::{Circuit, TableParams as Params, Tables, cost};
use bootes_lut::{Lut, LutError};
use bootes_schemes::ckks::bootstrap::Transforms;
use bootes_schemes::ckks::noise::ErrorBound;
use bootes_schemes::cost::{Calibration, Residues, Serial};
use std::slice;

use super::ciphertexts::most_bits;
use super::{Digits, check_plan, maps};
use crate::engines::EngineParams;
use crate::memory::Room;
use crate::threads::on_all_threads;
use crate::{Error, Load, Memory, Prediction};

mod memory;

pub(super) use memory::{ciphertext_bytes, circuit_workspace, largest_stages, tables_bytes, transform_workspace};
pub(crate) use memory::{fresh_bytes, key_memory, workspace};
use memory::{stage, stages};

/// The work of making the maps to slots and back, which whoever makes keys and whoever takes them does: each diagonal
/// is embedded. Measured for rings of 2^15 and 2^16 within a fifth.
fn maps_work(params: &Params) -> Residues {
    let literal = params.literal();
    let each = |count| stages(literal, count).into_iter().map(|log2| stage(log2)[0]).sum::<usize>();
    let diagonals = (each(literal.to_slots) + each(literal.to_coeffs)) as f64;
    let (n, levels) = (params.capacity() as f64, f64::from(literal.log2_degree));
    Residues { transform: 2.0 * levels, pass: 3.0, ..Residues::default() } * (n * diagonals)
}

/// The ciphertexts of a [`Load`], and its threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CiphertextLoad {
    /// Ciphertexts in all.
    pub(crate) ciphertexts: usize,
    /// Threads.
    pub(crate) threads: usize,
}

impl CiphertextLoad {
    /// So many values, in ciphertexts of a set.
    pub(super) fn of(params: &Params, load: &Load) -> Self {
        Self { ciphertexts: load.values.div_ceil(params.capacity()), threads: load.threads.min(Load::MAX_THREADS) }
    }

    /// The most ciphertexts side by side whose `bytes` fit besides those `held`: one for each thread, or fewer.
    pub(super) fn together(&self, room: Room, held: u64, bytes: impl Fn(usize) -> u64) -> Result<usize, Error> {
        let most = self.ciphertexts.min(self.threads).max(1);
        let fitting = (2..=most).rev().find(|&together| room.check(held, bytes(together)).is_ok());
        fitting.map_or_else(|| room.check(held, bytes(1)).map(|()| 1), Ok)
    }
}

/// Time and memory of an evaluation by the models of this module, time a ciphertext.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CiphertextPrediction {
    /// Values of a ciphertext, N.
    pub(crate) capacity: u64,
    /// CPU seconds of one ciphertext, full or not, on one thread.
    pub(crate) seconds: f64,
    /// CPU seconds of making the keys, on one thread.
    pub(crate) key_seconds: f64,
    /// CPU seconds of what a server does with the key before it evaluates, on one thread.
    pub(crate) prepare_seconds: f64,
    /// CPU seconds of encrypting a vector.
    pub(crate) encrypt_seconds: f64,
    /// CPU seconds of decrypting one.
    pub(crate) decrypt_seconds: f64,
    /// Bytes of a fresh vector in a file.
    pub(crate) input_bytes: u64,
    /// Threads.
    pub(crate) threads: usize,
    /// The part of the work that threads cannot share.
    pub(crate) serial: Serial,
    /// Bytes of the server key's file, within a few per cent.
    pub(crate) stored_bytes: u64,
    /// Whether masks are kept.
    pub(crate) storage: MaskStorage,
    /// Ciphertexts that are evaluated side by side.
    pub(crate) together: usize,
    /// Memory of an evaluation.
    pub(crate) memory: Memory,
    /// log2 of the probability that a value is wrong, in the worst slot of the worst key, inputs being results of any
    /// table that is evaluated whole, or fresh for tables of several digits.
    pub(crate) log2_failure: f64,
}

/// The prediction of a table on values modulo 2^k with such an error.
///
/// # Errors
/// As [`EngineParams::predict`]; [`Error::Lut`] for too much noise.
pub(crate) fn predict_on(
    params: &Params,
    lut: &Lut,
    (log2_modulus, error): (u32, ErrorBound),
    load: &Load,
) -> Result<Prediction, Error> {
    let prediction = params.predict(lut, load)?;
    on_all_threads(|| {
        let transforms = maps(params)?;
        let tables = Tables::new(params, &transforms, slice::from_ref(lut))?;
        let promises = tables.promised(params, &transforms, log2_modulus, error)?;
        let found = promises.iter().map(|promise| promise.log2_failure).fold(prediction.log2_p_fail, f64::max);
        Ok(Prediction { log2_p_fail: found, ..prediction })
    })
}

/// The subject of a prediction on N values.
struct Subject {
    work: Residues,
    log2_failure: f64,
    /// Ciphertexts.
    vectors: usize,
}

impl CiphertextPrediction {
    /// The prediction for so many values.
    pub(super) fn of_load(&self, load: &Load) -> Prediction {
        let values = load.values as u64;
        let vectors = values.div_ceil(self.capacity.max(1));
        let result = Prediction {
            rotations: None,
            output_std: None,
            capacity: self.capacity as usize,
            latency_seconds: self.elapsed(self.seconds),
            seconds: self.elapsed_for(values),
            cpu_seconds: self.seconds_for(values),
            key_seconds: self.elapsed(self.key_seconds),
            key_cpu_seconds: self.key_seconds,
            expand_seconds: self.elapsed(self.prepare_seconds),
            encrypt_seconds: self.elapsed(self.encrypt_seconds) * vectors as f64,
            decrypt_seconds: self.elapsed(self.decrypt_seconds) * vectors as f64,
            job_seconds: 0.0,
            key_bytes: self.stored_bytes,
            input_bytes: self.input_bytes.saturating_mul(vectors),
            // Their masks are no seeds.
            result_bytes: self.input_bytes.saturating_mul(2).saturating_mul(vectors),
            memory: self.memory,
            together: self.together,
            masks: self.storage,
            log2_p_fail: self.log2_failure,
        };
        result.with_job(load)
    }

    /// The prediction of several tables on the same inputs, on a machine of any memory.
    ///
    /// # Errors
    /// [`Error::Lut`].
    pub(crate) fn with_storage(
        params: &Params,
        luts: &[Lut],
        load: CiphertextLoad,
        storage: MaskStorage,
    ) -> Result<Self, Error> {
        Self::in_room(params, luts, load, storage, Room::default())
    }

    /// The prediction of several tables on the same inputs, as many ciphertexts side by side as there is room for.
    ///
    /// # Errors
    /// [`Error::Lut`] for no table, or one that the set is too small for; [`Error::Memory`] if the evaluation
    /// does not fit.
    pub(crate) fn in_room(
        params: &Params,
        luts: &[Lut],
        load: CiphertextLoad,
        storage: MaskStorage,
        room: Room,
    ) -> Result<Self, Error> {
        check_tables(params, luts)?;
        check_plan(params, room)?;
        let transforms = maps(params)?;
        let tables = Tables::new(params, &transforms, luts)?;
        Self::of_tables(params, &transforms, &tables, load, storage, room)
    }

    /// The prediction of tables that are prepared, on a machine of any memory.
    ///
    /// # Errors
    /// As [`Self::in_room`].
    pub(crate) fn of_plan(
        params: &Params,
        tables: &Tables,
        load: CiphertextLoad,
        storage: MaskStorage,
    ) -> Result<Self, Error> {
        let transforms = maps(params)?;
        Self::of_tables(params, &transforms, tables, load, storage, Room::default())
    }

    /// The prediction of tables that are prepared.
    fn of_tables(
        params: &Params,
        transforms: &Transforms,
        tables: &Tables,
        load: CiphertextLoad,
        storage: MaskStorage,
        room: Room,
    ) -> Result<Self, Error> {
        // Refused if not even fresh inputs keep the promise; predicted for results of any table.
        let log2_modulus = params.literal().log2_modulus;
        let fresh = tables.promised(params, transforms, log2_modulus, params.fresh_error(log2_modulus))?;
        let promises = match tables {
            Tables::Whole(_) => {
                let (_, result) = Tables::chain(params, transforms, 1)?;
                tables.predict(params, transforms, log2_modulus, result)?
            }
            Tables::Digits(_) | Tables::Varied(_) => fresh,
        };
        let log2_failure = promises.iter().map(|promise| promise.log2_failure).fold(f64::NEG_INFINITY, f64::max);
        let work = tables.work(params, transforms, storage)?.into_iter().map(|(_, work)| work).sum();
        let workspace = workspace(params, tables, load.threads)?;
        Self::of(params, transforms, Subject { work, log2_failure, vectors: 1 }, workspace, load, storage, room)
    }

    /// The prediction of digits, one after the other: a ciphertext at a time, by two tables of each.
    ///
    /// # Errors
    /// [`Error::Lut`].
    pub(crate) fn of_digits(
        params: &Params,
        digits: Digits,
        load: CiphertextLoad,
        storage: MaskStorage,
    ) -> Result<Self, Error> {
        let (transforms, tables, count) = (maps(params)?, digits.tables(params)?, digits.count());
        let work: Residues = tables.work(params, &transforms, storage)?.into_iter().map(|(_, work)| work).sum();
        let workspace = workspace(params, &tables, load.threads)?(1);
        // Integers, and as many digits.
        let subject =
            Subject { work: work * count as f64, log2_failure: params.log2_p_fail(), vectors: 1 + count as usize };
        let all = Self::of(params, &transforms, subject, |_| workspace, load, storage, Room::default())?;
        Ok(Self { together: 1, ..all })
    }

    /// The prediction of a circuit.
    ///
    /// # Errors
    /// As circuits; [`Error::Memory`].
    pub(crate) fn of_circuit(
        params: &Params,
        transforms: &Transforms,
        circuit: &Circuit,
        log2_failure: f64,
        load: CiphertextLoad,
        storage: MaskStorage,
        room: Room,
    ) -> Result<Self, Error> {
        let work = circuit.work(params, transforms, storage)?.into_iter().map(|(_, work)| work).sum();
        let workspace = circuit_workspace(params, circuit, load.threads)?;
        let vectors = circuit.inputs() + circuit.outputs().sum::<usize>();
        let subject = Subject { work, log2_failure, vectors };
        Self::of(params, transforms, subject, workspace, load, storage, room)
    }

    /// The prediction of an evaluation with this workspace.
    fn of(
        params: &Params,
        transforms: &Transforms,
        Subject { work, log2_failure, vectors }: Subject,
        workspace: impl Fn(usize) -> u64,
        load: CiphertextLoad,
        storage: MaskStorage,
        room: Room,
    ) -> Result<Self, Error> {
        let ckks = params.ckks();
        let request = params.request(transforms);
        let seeded = request.bytes(ckks, MaskStorage::Seeded);
        let calibration = Calibration::current();
        let memory = |together| Memory {
            keys: request.bytes(ckks, storage) as u64,
            tables: tables_bytes(params),
            workspace: ciphertext_bytes(params, load.ciphertexts.saturating_mul(vectors))
                .saturating_add(workspace(together)),
        };
        let together = load.together(room, 0, |together| memory(together).peak())?;
        Ok(Self {
            capacity: params.capacity() as u64,
            seconds: calibration.seconds(work),
            key_seconds: calibration.seconds(maps_work(params) + cost::key_generation(params, transforms)),
            prepare_seconds: calibration
                .seconds(maps_work(params) + cost::key_preparation(params, transforms, storage)),
            encrypt_seconds: calibration.seconds(cost::encryption(params)),
            decrypt_seconds: calibration.seconds(cost::decryption(params)),
            input_bytes: params.capacity() as u64 * u64::from(params.literal().log2_modulus).div_ceil(8),
            threads: load.threads,
            serial: calibration.serial,
            stored_bytes: seeded as u64,
            storage,
            together,
            memory: memory(together),
            log2_failure,
        })
    }

    /// The ways to evaluate a table with a set, on a machine of any memory: whole, or by the digits of least
    /// predicted time.
    ///
    /// # Errors
    /// As [`Self::in_room`].
    pub(crate) fn methods(
        params: &Params,
        lut: &Lut,
        load: CiphertextLoad,
        storage: MaskStorage,
    ) -> Result<Vec<Method>, Error> {
        let luts = slice::from_ref(lut);
        check_tables(params, luts)?;
        let transforms = maps(params)?;
        let all = match lut.in_modulus() <= params.literal().whole() {
            true => vec![Tables::new(params, &transforms, luts)?],
            false => {
                // The same digits may have other places, for more time.
                let mut shapes = cost::shapes(params, &transforms, lut.in_modulus())?;
                let mut digits: Vec<Vec<u64>> = Vec::new();
                shapes.retain(|shape| {
                    let is_new = !digits.iter().any(|moduli| moduli == shape.moduli());
                    digits.push(shape.moduli().to_vec());
                    is_new
                });
                let tables = shapes.iter().take(METHODS).map(|shape| Tables::by(params, luts, shape));
                tables.collect::<Result<_, _>>()?
            }
        };
        let of = |tables: &Tables| Self::of_tables(params, &transforms, tables, load, storage, Room::default());
        Ok(all.iter().map(|tables| (tables.method(), of(tables))).collect())
    }

    /// Ciphertexts of so many values.
    pub(crate) fn ciphertexts(&self, count: u64) -> u64 {
        count.div_ceil(self.capacity)
    }

    /// CPU seconds of so many values on one thread: those of whole ciphertexts.
    pub(crate) fn seconds_for(&self, count: u64) -> f64 {
        self.seconds * self.ciphertexts(count) as f64
    }

    /// Seconds of so many values on all the threads: as many ciphertexts side by side as memory allows, and what is
    /// left over.
    pub(crate) fn elapsed_for(&self, count: u64) -> f64 {
        let (count, together) = (self.ciphertexts(count), self.together.max(1) as u64);
        let round = |ciphertexts: u64| {
            let serial = if ciphertexts == 1 { self.serial.ciphertext } else { self.serial.ciphertexts };
            self.seconds * ciphertexts as f64 * Serial::part(serial, self.threads)
        };
        let rest = count % together;
        (count / together) as f64 * round(together) + if rest > 0 { round(rest) } else { 0.0 }
    }

    /// Seconds on all the threads of what takes so many on one: of one ciphertext, or of keys.
    pub(crate) fn elapsed(&self, seconds: f64) -> f64 {
        seconds * Serial::part(self.serial.ciphertext, self.threads)
    }
}

/// A way to evaluate a table, and what it takes.
pub(crate) type Method = (String, Result<CiphertextPrediction, Error>);

/// Shapes of digits that are compared.
const METHODS: usize = 4;

/// Refuses tables whose inputs are wider than the set is made for, or results than its ciphertexts hold.
pub(super) fn check_tables(params: &Params, luts: &[Lut]) -> Result<(), LutError> {
    for lut in luts {
        let sides = [("inputs", lut.in_bits(), params.literal().bits), ("outputs", lut.out_bits(), most_bits(params))];
        if let Some((what, found, bits)) = sides.into_iter().find(|(_, found, bits)| found > bits) {
            return Err(LutError::TooWide { what, found, bits, params: params.name().into() });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::EngineParams;

    const ONE: CiphertextLoad = CiphertextLoad { ciphertexts: 1, threads: 1 };

    #[test]
    fn threads_gain_more_among_ciphertexts_than_within_one() -> Result<(), Error> {
        let params = Params::by_name("toy_batch_4bit")?;
        let of = |ciphertexts, threads| {
            let load = CiphertextLoad { ciphertexts, threads };
            let serial = Serial { values: 0.0, ciphertext: 0.2, ciphertexts: 0.05 };
            let found =
                CiphertextPrediction::with_storage(&params, &[Lut::unstructured(4)], load, MaskStorage::Expanded)?;
            Ok::<_, Error>(CiphertextPrediction { serial, ..found })
        };
        let values = |ciphertexts: u64| ciphertexts * params.capacity() as u64;
        let one = of(1, 1)?;
        assert!((one.elapsed_for(values(3)) / (3.0 * one.seconds) - 1.0).abs() < 1e-9);
        let (within, beside) = (of(1, 4)?, of(4, 4)?);
        assert!(within.elapsed_for(1) < one.seconds && within.elapsed_for(1) > one.seconds / 4.0);
        assert!(beside.elapsed_for(values(4)) < 4.0 * within.elapsed_for(1));
        assert_eq!(beside.elapsed_for(values(4)), beside.elapsed_for(values(3) + 1));
        // What is left over has the threads to itself.
        let fifth = beside.elapsed_for(values(5)) - beside.elapsed_for(values(4));
        assert!((fifth / within.elapsed_for(1) - 1.0).abs() < 1e-9);
        assert!(within.elapsed(within.key_seconds) < one.elapsed(one.key_seconds));
        Ok(())
    }

    #[test]
    fn ciphertexts_stand_side_by_side_where_threads_and_memory_allow_it() -> Result<(), Error> {
        let bytes = |together| 100 + 50 * together as u64;
        let together = |ciphertexts, threads, available| {
            CiphertextLoad { ciphertexts, threads }.together(Room { available, limit: None }, 0, bytes)
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
        let params = Params::by_name("toy_batch_4bit")?;
        assert_eq!(
            CiphertextLoad::of(&params, &Load { threads: 2, ..Load::of(2 * params.capacity() + 1) }),
            CiphertextLoad { ciphertexts: 3, threads: 2 }
        );
        let of = |ciphertexts, threads| {
            let load = CiphertextLoad { ciphertexts, threads };
            CiphertextPrediction::with_storage(&params, &[Lut::unstructured(4)], load, MaskStorage::Expanded)
        };
        let [one, halves, two, three] = [of(1, 1)?, of(1, 2)?, of(2, 2)?, of(3, 2)?];
        assert!(one.memory.workspace < halves.memory.workspace && halves.memory.workspace <= two.memory.workspace);
        assert_eq!([one.together, halves.together, two.together, three.together], [1, 1, 2, 2]);
        assert_eq!(two.memory.workspace + ciphertext_bytes(&params, 1), three.memory.workspace);
        Ok(())
    }

    #[test]
    fn masks_are_half_of_the_keys_and_take_time() -> Result<(), Error> {
        let params = Params::by_name("toy_batch_4bit")?;
        let of = |storage| CiphertextPrediction::with_storage(&params, &[Lut::unstructured(4)], ONE, storage);
        let (kept, made) = (of(MaskStorage::Expanded)?, of(MaskStorage::Seeded)?);
        assert_eq!(kept.memory.keys, 2 * made.memory.keys);
        assert!(kept.seconds < made.seconds && made.stored_bytes <= made.memory.keys);
        let twice = vec![Lut::unstructured(4); 2];
        let twice = CiphertextPrediction::with_storage(&params, &twice, ONE, MaskStorage::Expanded)?;
        assert!(twice.seconds > kept.seconds && twice.seconds < 1.9 * kept.seconds);
        Ok(())
    }
}
