//! Tests of what only this engine has, and of what its files say.
mod compression;
pub(crate) mod corpus;
mod dithering;
mod exhaustive;
mod integers;
mod public;
mod trust;

use crate::engines::watch::Watch;
use crate::engines::*;
use crate::fhew::server_key::Keys;
use crate::fhew::words::{OfWords, Word};
use crate::fhew::{CiphertextReader, Ciphertexts, Client, Plan, Server, ServerKey};
use crate::{Cancel, Error, IntegerOp, KeyNeeds, Lut};
use bootes_schemes::fhew::keys::SecretKeys;

// What the door says in its own words, in those of the engine.
impl Client {
    pub(crate) fn made_key(&self) -> Result<ServerKey, Error> {
        self.server_key_with(&KeyNeeds::default())
    }

    /// [`Self::server_key_with`] of these bytes instead of fresh ones: equal bytes give equal keys.
    pub(crate) fn server_key_with_randomness(
        &self,
        needs: &KeyNeeds,
        randomness: &[u8; 32],
    ) -> Result<ServerKey, Error> {
        fn keys<W: Word>(keys: &SecretKeys, needs: &KeyNeeds, randomness: &[u8; 32]) -> Result<Keys<W>, Error> {
            let common = keys.evaluation_key_with_randomness_for_tests(randomness)?;
            let extra = match needs.is_empty() {
                true => None,
                false => Some(keys.extra_keys_with_randomness_for_tests(needs, randomness)?),
            };
            Ok(Keys { common, extra })
        }
        let needs = self.params().integer_keys().and(needs.clone());
        let keys = match self.params().word_bits() {
            64 => OfWords::Narrow(keys(&self.keys, &needs, randomness)?),
            _ => OfWords::Wide(keys(&self.keys, &needs, randomness)?),
        };
        Ok(ServerKey { params: self.params().clone(), keys })
    }
}

impl Server {
    pub(crate) fn new(key: ServerKey) -> Result<Self, Error> {
        Self::within(key, None, None)
    }

    pub(crate) fn evaluate(&self, lut: &Lut, ciphertexts: &Ciphertexts, threads: usize) -> Result<Ciphertexts, Error> {
        self.evaluate_plan(&self.plan_table(lut, ciphertexts, None)?, ciphertexts, threads)
    }

    pub(crate) fn evaluate_many(
        &self,
        luts: &[Lut],
        ciphertexts: &Ciphertexts,
        threads: usize,
    ) -> Result<Vec<Ciphertexts>, Error> {
        let mut results = Vec::new();
        for plan in self.plan_all(luts, ciphertexts)? {
            results.extend(self.evaluate_all(&plan, &[ciphertexts], threads)?);
        }
        Ok(results)
    }

    pub(crate) fn evaluate_integers(
        &self,
        op: IntegerOp,
        operands: &[&Ciphertexts],
        threads: usize,
    ) -> Result<Ciphertexts, Error> {
        self.evaluate_integers_plan(&self.plan_integers(op, operands)?, operands, threads)
    }

    pub(crate) fn evaluate_plan(
        &self,
        plan: &Plan,
        ciphertexts: &Ciphertexts,
        threads: usize,
    ) -> Result<Ciphertexts, Error> {
        self.evaluate_integers_plan(plan, &[ciphertexts], threads)
    }

    /// The first result.
    pub(crate) fn evaluate_integers_plan(
        &self,
        plan: &Plan,
        operands: &[&Ciphertexts],
        threads: usize,
    ) -> Result<Ciphertexts, Error> {
        Ok(self.evaluate_all(plan, operands, threads)?.remove(0))
    }

    fn evaluate_all(&self, plan: &Plan, operands: &[&Ciphertexts], threads: usize) -> Result<Vec<Ciphertexts>, Error> {
        self.evaluate_operands(plan, operands, threads, &Watch { progress: &|_| {}, cancel: &Cancel::new() })
    }
}

impl<R: Read> CiphertextReader<R> {
    pub(crate) fn new(input: R) -> Result<Self, Error> {
        Self::within(None, input)
    }
}

impl Ciphertexts {
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        self.write(Vec::new()).expect("a vector takes all")
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        CiphertextReader::new(bytes)?.read()
    }
}

impl ServerKey {
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        self.write(Vec::new()).expect("a vector takes all")
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Self::read_within(None, bytes)
    }
}
