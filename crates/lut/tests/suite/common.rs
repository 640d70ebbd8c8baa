//! Keys of a toy set, and circuits evaluated under them.
use bootes_lattice::{LatticeError, lwe};
use bootes_lut::fhew::circuit::Circuit;
use bootes_lut::fhew::eval::{PreparedTable, Workspace, eval_into};
use bootes_ring::sample::SecretSeed;
use bootes_ring::torus::Torus;
use bootes_schemes::fhew::FhewParams;
use bootes_schemes::fhew::encoding::encode;
use bootes_schemes::fhew::keys::SecretKeys;
use bootes_schemes::fhew::prepared::PreparedEvaluationKey;
use bootes_testkit::seed_bytes;

/// Secret and evaluation keys.
pub(crate) struct Keys<W: Torus = u64> {
    secret: SecretKeys,
    key: PreparedEvaluationKey<W>,
}

impl<W: Torus> Keys<W> {
    /// Fixed keys of a set.
    pub(crate) fn new(params: &FhewParams) -> Result<Self, LatticeError> {
        Self::numbered(params, 0)
    }

    /// Other ones.
    pub(crate) fn numbered(params: &FhewParams, number: u64) -> Result<Self, LatticeError> {
        let secret = SecretKeys::derive(params, SecretSeed::from_bytes(&seed_bytes(params.name(), 1000 * number)));
        let key = secret.evaluation_key_with_randomness_for_tests(&[7; 32])?.prepare()?;
        Ok(Self { secret, key })
    }

    /// Adds the keys that `circuit` needs.
    pub(crate) fn add(&mut self, circuit: &Circuit) -> Result<(), LatticeError> {
        let needs = self.key.extra.missing(&circuit.keys(&self.key.params));
        self.key.add_extra(&self.secret.extra_keys_with_randomness_for_tests(&needs, &[7; 32])?)
    }

    /// The phases of the outputs of `circuit` on messages of `bits` bits: `[output][message]`.
    pub(crate) fn phases(&self, circuit: &Circuit, inputs: &[Vec<u64>], bits: u32) -> Vec<Vec<W>> {
        self.phases_of(circuit, &inputs.iter().map(|messages| (messages.clone(), bits)).collect::<Vec<_>>())
    }

    /// The same for inputs of different sizes, each with its bits.
    pub(crate) fn phases_of(&self, circuit: &Circuit, inputs: &[(Vec<u64>, u32)]) -> Vec<Vec<W>> {
        let encoded =
            |(messages, bits): &(Vec<u64>, u32)| messages.iter().map(|&m| W::from_top(encode(m, *bits))).collect();
        self.phases_encoded(circuit, &inputs.iter().map(encoded).collect::<Vec<_>>())
    }

    /// The same for encoded messages.
    pub(crate) fn phases_encoded(&self, circuit: &Circuit, inputs: &[Vec<W>]) -> Vec<Vec<W>> {
        let params = &self.key.params;
        let long = params.ciphertext_dimension() + 1;
        let count = inputs[0].len();
        let encrypted: Vec<Vec<W>> = inputs.iter().zip(0..).map(|(encoded, i)| self.encrypt(encoded, i)).collect();
        let encrypted: Vec<&[W]> = encrypted.iter().map(Vec::as_slice).collect();
        let table = PreparedTable::new(params, circuit.clone(), self.key.rotation.fft());
        let mut workspace = Workspace::new(&self.key, circuit, count);
        let mut outputs = vec![vec![W::default(); count * long]; circuit.outputs().len()];
        let mut slices: Vec<&mut [W]> = outputs.iter_mut().map(Vec::as_mut_slice).collect();
        eval_into(&mut slices, &table, &encrypted, &self.key, &mut workspace);
        outputs.iter().map(|output| output.chunks_exact(long).map(|c| self.secret.phase(c)).collect()).collect()
    }

    fn encrypt(&self, encoded: &[W], index: u64) -> Vec<W> {
        let params = &self.key.params;
        let seed = SecretSeed::from_bytes(&seed_bytes(params.name(), 10 + index));
        let (mask_seed, bodies) = self.secret.encrypt_with_randomness_for_tests(encoded, &seed);
        let long = params.ciphertext_dimension() + 1;
        let mut words = vec![W::default(); encoded.len() * long];
        for ((i, words), body) in words.chunks_exact_mut(long).enumerate().zip(bodies) {
            lwe::expand_mask(&mask_seed, i as u64, &mut words[..long - 1]);
            words[long - 1] = body;
        }
        words
    }
}
