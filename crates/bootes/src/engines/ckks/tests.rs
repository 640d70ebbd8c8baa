//! Tests of what only this engine has, and of what its files say.
mod corpus;
mod programs;
mod vectors;

use crate::ckks::{Ciphertexts, Client, Digits, Progress, Server, ServerKey, TablePlan};
use crate::engines::KeyRequest;
use crate::engines::*;
use crate::{Cancel, Error, Lut, MaskStorage};

// What the door says in its own words, in those of the engine.
impl Client {
    pub(crate) fn made_key(&self, threads: usize, mut progress: impl FnMut(f64) + Send) -> Result<ServerKey, Error> {
        self.server_key(&KeyRequest { threads, ..KeyRequest::default() }, &mut progress)
    }

    /// [`Self::server_key`] of these bytes instead of fresh ones: equal bytes give equal keys.
    pub(crate) fn server_key_with_randomness(&self, randomness: &[u8; 32]) -> Result<ServerKey, Error> {
        let (params, storage) = (self.params(), MaskStorage::Seeded);
        let request = params.request(&super::maps(params)?);
        let key = self.keys.evaluation_key_with_randomness_for_tests(&request, storage, randomness);
        Ok(ServerKey::new(params, key))
    }
}

impl Ciphertexts {
    pub(crate) fn read(input: &[u8]) -> Result<Self, Error> {
        Self::read_within(None, input)
    }
}

impl ServerKey {
    pub(crate) fn read(input: &[u8]) -> Result<Self, Error> {
        Self::read_within(None, input)
    }
}

impl Server {
    pub(crate) fn new(key: ServerKey, storage: Option<MaskStorage>) -> Result<Self, Error> {
        Self::within(key, storage, None)
    }

    pub(crate) fn evaluate(
        &self,
        lut: &Lut,
        ciphertexts: &Ciphertexts,
        threads: usize,
        progress: impl FnMut(Progress) + Send,
    ) -> Result<Ciphertexts, Error> {
        Ok(self.evaluate_many(std::slice::from_ref(lut), ciphertexts, threads, progress)?.remove(0))
    }

    pub(crate) fn evaluate_many(
        &self,
        luts: &[Lut],
        ciphertexts: &Ciphertexts,
        threads: usize,
        progress: impl FnMut(Progress) + Send,
    ) -> Result<Vec<Ciphertexts>, Error> {
        self.evaluate_plan(&self.plan_tables(luts, ciphertexts)?, ciphertexts, threads, progress)
    }

    pub(crate) fn evaluate_plan(
        &self,
        plan: &TablePlan,
        ciphertexts: &Ciphertexts,
        threads: usize,
        progress: impl FnMut(Progress) + Send,
    ) -> Result<Vec<Ciphertexts>, Error> {
        self.evaluate_unless(&Cancel::new(), plan, ciphertexts, threads, progress)
    }

    pub(crate) fn decompose(
        &self,
        ciphertexts: &Ciphertexts,
        digit_bits: u32,
        threads: usize,
    ) -> Result<Vec<Ciphertexts>, Error> {
        let digits = Digits { bits: digit_bits, p: ciphertexts.modulus() };
        self.decompose_unless(&Cancel::new(), ciphertexts, digits, threads, drop)
    }
}
