//! The evaluation side of the batch engine: no secrets here.
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use bootes_lattice::rns::MaskStorage;
use bootes_lut::Lut;
use bootes_lut::ckks::{BatchNoise, BatchParams, FunctionalBootstrap, PreparedTables};
use bootes_schemes::ckks::bootstrap::Step;
use bootes_schemes::ckks::rlwe::RlweCiphertext;
use bootes_schemes::ckks::{Encoder, Evaluator};

use super::predict::{check_memory, check_tables, transform_workspace, workspace};
use super::{BatchCiphertexts, BatchLoad, BatchServerKey, available_memory, check_key, on_threads};
use crate::{Error, Space};

/// Where an evaluation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchProgress {
    /// The ciphertext, from 0, of which a step begins.
    pub ciphertext: usize,
    /// What begins.
    pub step: Step,
    /// Steps of all ciphertexts that have begun before.
    pub done: usize,
    /// Steps in all.
    pub total: usize,
}

/// Evaluates tables on batches; immutable, shared freely between threads.
pub struct BatchServer {
    bootstrap: FunctionalBootstrap,
    key_id: [u8; 16],
    key_bytes: usize,
    storage: MaskStorage,
}

impl BatchServer {
    /// Takes the key, and keeps its masks ([`MaskStorage::Expanded`]) or makes them at every use: less time, or half the memory. `None` keeps
    /// them where the memory of this machine allows it.
    ///
    /// # Errors
    /// [`Error::MissingKeys`] for a key that lacks some; [`Error::Memory`] where not even the smaller form fits.
    pub fn new(key: BatchServerKey, storage: Option<MaskStorage>) -> Result<Self, Error> {
        let (key_id, held) = (key.key_id(), key.bytes() as u64);
        let (params, key) = key.into_parts();
        let encoder = Encoder::new(params.capacity())?;
        let request = params.request(&params.transforms(&encoder)?);
        let name = || params.name().to_string();
        key.expect(&request).map_err(|source| Error::MissingKeys { params: name(), source })?;
        // The key is here already; the tables that come share the workspace of the transforms at least.
        let more = |storage| (request.bytes(params.ckks(), storage) as u64).saturating_sub(held);
        let fits = |storage| check_memory(more(storage) + transform_workspace(&params, 1, 1), available_memory());
        let storage = match storage {
            Some(storage) => fits(storage).map(|()| storage),
            None if fits(MaskStorage::Expanded).is_ok() => Ok(MaskStorage::Expanded),
            None => fits(MaskStorage::Seeded).map(|()| MaskStorage::Seeded),
        }?;
        let key = key.with_masks(storage);
        let key_bytes = key.bytes();
        let bootstrap = FunctionalBootstrap::new(&params, Evaluator::new(Arc::new(key))?)?;
        Ok(Self { bootstrap, key_id, key_bytes, storage })
    }

    /// The parameters.
    pub fn params(&self) -> &BatchParams {
        self.bootstrap.params()
    }

    /// Identifier of the key pair.
    pub fn key_id(&self) -> [u8; 16] {
        self.key_id
    }

    /// Bytes of the key in memory.
    pub fn key_bytes(&self) -> usize {
        self.key_bytes
    }

    /// Whether masks are kept.
    pub fn storage(&self) -> MaskStorage {
        self.storage
    }

    /// Evaluates `lut` on every value: results modulo its output modulus, which are inputs again. `progress` hears of every step of every
    /// ciphertext as it begins. As many ciphertexts as there are threads and memory for are evaluated side by side.
    ///
    /// # Errors
    /// As [`Self::evaluate_many`].
    pub fn evaluate(
        &self,
        lut: &Lut,
        ciphertexts: &BatchCiphertexts,
        threads: usize,
        progress: impl FnMut(BatchProgress) + Send,
    ) -> Result<BatchCiphertexts, Error> {
        let mut results = self.evaluate_many(std::slice::from_ref(lut), ciphertexts, threads, progress)?;
        Ok(results.remove(0))
    }

    /// Evaluates several tables on every value, one vector of results each, by multi-value bootstrapping: all but the interpolations and the
    /// last step is done once for all tables.
    ///
    /// # Errors
    /// [`Error::Lut`] for no table, or one that the set is too small for or too noisy for its results; [`Error::InputBits`], [`Error::InputModulus`] unless tables have an
    /// entry for each residue of the ciphertexts; [`Error::OtherParams`], [`Error::OtherKey`]; [`Error::Memory`] before anything is done;
    /// [`Error::Threads`], [`Error::ThreadPool`].
    pub fn evaluate_many(
        &self,
        luts: &[Lut],
        ciphertexts: &BatchCiphertexts,
        threads: usize,
        progress: impl FnMut(BatchProgress) + Send,
    ) -> Result<Vec<BatchCiphertexts>, Error> {
        let params = self.params();
        check_key("ciphertext", [ciphertexts.owner(), (params, self.key_id)])?;
        check_tables(params, luts)?;
        let p = ciphertexts.modulus();
        if let Some(lut) = luts.iter().find(|lut| lut.in_modulus() != p) {
            return Err(match (lut.in_modulus().is_power_of_two(), p.is_power_of_two()) {
                (true, true) => Error::InputBits { table: lut.in_bits(), ciphertexts: p.ilog2() },
                _ => Error::InputModulus { entries: lut.in_modulus(), ciphertexts: Space::Modular(p) },
            });
        }
        let prepared = PreparedTables::new(params, luts)?;
        BatchNoise::promised(params, self.bootstrap.transforms(), &prepared)?;
        let load = BatchLoad { ciphertexts: ciphertexts.ciphertexts(), threads };
        let together = load.together(available_memory(), |together| workspace(params, &prepared, threads, together))?;
        let total = load.ciphertexts * Step::ALL.len();
        let progress = Mutex::new((0, progress));
        let watch = |ciphertext, step| {
            let (done, progress) = &mut *progress.lock().unwrap_or_else(PoisonError::into_inner);
            progress(BatchProgress { ciphertext, step, done: *done, total });
            *done += 1;
        };
        let evaluate = || self.bootstrap.evaluate_all(&prepared, ciphertexts.parts(), together, watch);
        let parts = on_threads(threads, evaluate)??;
        let mut vectors: Vec<Vec<RlweCiphertext>> = luts.iter().map(|_| Vec::with_capacity(parts.len())).collect();
        for part in parts {
            vectors.iter_mut().zip(part).for_each(|(vector, part)| vector.push(part));
        }
        Ok(vectors.into_iter().map(|parts| BatchCiphertexts::new(params, self.key_id, parts)).collect())
    }
}

impl fmt::Debug for BatchServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BatchServer").field("params", &self.params().name()).finish_non_exhaustive()
    }
}
