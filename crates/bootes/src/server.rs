//! The evaluation side: no secrets here.
use crate::params::hex;
use crate::{Ciphertexts, Error, Lut, Params, Plan};
use bootes_lattice::wire::{ObjectKind, Reader, Writer, open, seal};
use bootes_lut::eval::Workspace;
use bootes_ring::sample::MaskSeed;
use bootes_schemes::fhew::FhewParams;
use bootes_schemes::fhew::extra;
use bootes_schemes::fhew::keys::{EvaluationKey, PreparedEvaluationKey};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The public evaluation key, seed-compressed: what a client sends to a server.
#[derive(Clone, Debug)]
pub struct ServerKey(pub(crate) EvaluationKey);

impl ServerKey {
    /// The parameters.
    pub fn params(&self) -> Params {
        Params(self.0.params.clone())
    }

    /// Identifier of the key pair.
    pub fn key_id(&self) -> [u8; 16] {
        self.0.key_id
    }

    /// To bytes: about n·(k+1)·d·N'·8.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut w = Writer::new();
        w.str(self.0.params.name());
        w.raw(&self.0.rotation.mask_seed.to_bytes());
        w.raw(&self.0.key_switch.mask_seed.to_bytes());
        w.u64s(&self.0.rotation.bodies);
        w.u32s(&self.0.key_switch.bodies);
        seal(ObjectKind::ServerKey, self.0.params.fingerprint(), self.0.key_id, &w.into_bytes())
    }

    /// From bytes; every size is checked.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let (header, payload) = open(bytes, ObjectKind::ServerKey)?;
        let mut r = Reader::new(payload);
        let params = FhewParams::by_name(r.str()?)?;
        if params.fingerprint() != header.fingerprint {
            return Err(Error::ChangedParams { what: "server key", params: params.name().into() });
        }
        let masks = [MaskSeed::from_bytes(r.array()?), MaskSeed::from_bytes(r.array()?)];
        let (rotation, key_switch) = (r.u64s()?, r.u32s()?);
        r.finish()?;
        Ok(Self(EvaluationKey::from_parts(params, header.key_id, masks, rotation, key_switch)?))
    }
}

/// Public keys that only some algorithms need: an addition to the [`ServerKey`] of the same client, in memory only.
#[derive(Clone, Debug)]
pub struct ExtraKeys(pub(crate) extra::ExtraKeys);

impl ExtraKeys {
    /// Bytes that they would take in a file: the bodies; masks are seeds.
    pub fn stored_bytes(&self) -> usize {
        self.0.stored_bytes()
    }
}

/// Evaluates tables on ciphertexts; immutable, shared freely between threads.
#[derive(Debug)]
pub struct Server {
    key: PreparedEvaluationKey,
    key_id: [u8; 16],
}

/// Values a thread takes at a time: the key is read once for them.
const BATCH: usize = 16;

impl Server {
    /// Expands the key into its evaluation form.
    #[expect(clippy::needless_pass_by_value, reason = "the compressed key is dropped once expanded")]
    pub fn new(key: ServerKey) -> Result<Self, Error> {
        Ok(Self { key_id: key.key_id(), key: key.0.prepare()? })
    }

    /// Takes additional keys too.
    pub fn with_extra_keys(mut self, keys: &ExtraKeys) -> Result<Self, Error> {
        let keys = &keys.0;
        if keys.params != self.key.params {
            return Err(Error::OtherParams { what: "additional key", params: self.key.params.name().into() });
        }
        if keys.key_id != self.key_id {
            let (found, expected) = (hex(&keys.key_id), hex(&self.key_id));
            return Err(Error::OtherKey { what: "additional key", found, expected });
        }
        self.key.add_extra(keys)?;
        Ok(self)
    }

    /// The parameters.
    pub fn params(&self) -> Params {
        Params(self.key.params.clone())
    }

    /// Identifier of the key pair.
    pub fn key_id(&self) -> [u8; 16] {
        self.key_id
    }

    /// Bytes of the expanded key in memory.
    pub fn key_bytes(&self) -> usize {
        self.key.bytes()
    }

    /// The expanded key, for benchmarks and research.
    pub fn evaluation_key(&self) -> &PreparedEvaluationKey {
        &self.key
    }

    /// Plans `lut` for inputs like `ciphertexts`: with the named algorithm, or the one of least predicted time.
    pub fn plan(&self, lut: &Lut, ciphertexts: &Ciphertexts, algorithm: Option<&str>) -> Result<Plan, Error> {
        ciphertexts.check_key(&self.key.params, self.key_id)?;
        if ciphertexts.bits() != lut.in_bits() {
            return Err(Error::InputBits { table: lut.in_bits(), ciphertexts: ciphertexts.bits() });
        }
        Plan::new(&self.key, lut, algorithm, ciphertexts.noise_variance())
    }

    /// Applies `lut` to every ciphertext, with the algorithm of least predicted time.
    pub fn evaluate(&self, lut: &Lut, ciphertexts: &Ciphertexts, threads: usize) -> Result<Ciphertexts, Error> {
        let plan = self.plan(lut, ciphertexts, None)?;
        self.evaluate_plan(&plan, ciphertexts, threads, &|_| {})
    }

    /// Applies a planned table; `progress` hears how many values are done.
    pub fn evaluate_plan(
        &self,
        plan: &Plan,
        ciphertexts: &Ciphertexts,
        threads: usize,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Ciphertexts, Error> {
        ciphertexts.check_key(&self.key.params, self.key_id)?;
        if *plan.params() != self.key.params {
            return Err(Error::OtherParams { what: "plan", params: self.key.params.name().into() });
        }
        plan.check_keys(&self.key)?;
        if threads == 0 {
            return Err(Error::Threads);
        }
        let stride = self.key.params.ciphertext_dimension() + 1;
        let inputs = ciphertexts.expanded();
        let mut out = vec![0u64; inputs.len()];
        // Small jobs are split evenly; large ones in batches, taken by whichever thread is free.
        let batch = ciphertexts.len().div_ceil(threads).clamp(1, BATCH);
        let done = AtomicUsize::new(0);
        let work = Mutex::new(inputs.chunks(batch * stride).zip(out.chunks_mut(batch * stride)));
        let run = || {
            let mut workspace = Workspace::new(&self.key, &plan.table.circuit, batch);
            loop {
                let next = work.lock().map(|mut work| work.next());
                let Ok(Some((inputs, out))) = next else { break };
                plan.algorithm.eval_into(out, &plan.table, inputs, &self.key, &mut workspace);
                let count = inputs.len() / stride;
                progress(done.fetch_add(count, Ordering::Relaxed) + count);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads.min(ciphertexts.len().div_ceil(batch).max(1)) {
                scope.spawn(run);
            }
            run();
        });
        let variance = plan.noise().output_variance.max(self.key.params.fresh_variance());
        Ok(Ciphertexts::full(&self.key.params, self.key_id, plan.out_bits, variance, out))
    }
}

impl std::fmt::Display for ServerKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "server key {} of parameter set {}", hex(&self.0.key_id), self.0.params.name())
    }
}
