//! The evaluation key as evaluators use it, expanded, with packing, selection and products.
use super::blind_rotate::RotationKey;
use super::extra_keys::{ExtraKeys, PreparedExtraKeys};
use super::keys::EvaluationKey;
use super::params::FhewParams;
use super::test_vector::EncryptedTestVector;
use bootes_lattice::LatticeError;
use bootes_lattice::extract::sample_extract_into;
use bootes_lattice::glwe::GlweShape;
use bootes_lattice::glwe_product::{glwe_product_into, glwe_product_scratch_bytes};
use bootes_lattice::keyswitch::LweKeySwitchKey;
use bootes_ring::fft::Fft;
use bootes_ring::isa::Isa;
use bootes_ring::mem::{Scratch, scratch_bytes};
use bootes_ring::torus::Torus;

impl<W: Torus> EvaluationKey<W> {
    /// Expands the masks and transforms the rotation key: the form that evaluators use.
    pub fn prepare(&self) -> Result<PreparedEvaluationKey<W>, LatticeError> {
        let params = self.params.clone();
        let fft = Fft::new(params.shape().degree)?;
        let limbs = params.limbs::<W>(params.shape());
        let (distribution, dimension) = (params.lwe_distribution(), params.lwe_dimension());
        let rotation = RotationKey::prepare(&self.rotation, limbs, fft, distribution, dimension)?;
        let key_switch = self.key_switch.prepare(Isa::selected(), params.glwe_distribution().mean())?;
        Ok(PreparedEvaluationKey { params, rotation, key_switch, extra: PreparedExtraKeys::default() })
    }
}

/// The expanded evaluation key.
#[derive(Debug)]
pub struct PreparedEvaluationKey<W = u64> {
    /// The parameters.
    pub params: FhewParams,
    /// Blind rotation key in the Fourier domain.
    pub rotation: RotationKey<W>,
    /// Key-switching key with its masks.
    pub key_switch: LweKeySwitchKey,
    /// Additional keys: none unless they are added.
    pub extra: PreparedExtraKeys<W>,
}

impl<W: Torus> PreparedEvaluationKey<W> {
    /// Expands and adds additional keys; those that are there already stay.
    ///
    /// The caller has checked that they are of the same parameters and secret keys.
    pub fn add_extra(&mut self, keys: &ExtraKeys<W>) -> Result<(), LatticeError> {
        self.extra.add(keys)
    }

    /// Rank and degree of the accumulator.
    pub fn shape(&self) -> GlweShape {
        self.params.shape()
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> usize {
        self.rotation.bytes() + self.key_switch.bytes() + self.extra.bytes()
    }
}

/// Packing, selection and products, with the keys of [`PreparedExtraKeys`].
///
/// # Panics
/// If a key is missing: planners look at [`PreparedExtraKeys::missing`] first.
impl<W: Torus> PreparedEvaluationKey<W> {
    /// Packs M long ciphertexts, M a power of two, into one GLWE ciphertext: N'/M coefficients each.
    ///
    /// Noise: `FhewParams::packing_variance`.
    pub fn pack_into(&self, out: &mut [u64], inputs: &[&[u64]], scratch: Scratch<'_>) {
        let block = self.shape().degree / inputs.len();
        if let Some(trace) = &self.extra.trace {
            trace.pack_into(out, inputs, self.rotation.fft(), scratch).expect("sizes are those of the parameters");
            // Times 1 + X + … + X^(block − 1), in log2 steps.
            for polynomial in out.chunks_exact_mut(self.shape().degree) {
                multiply_by_block(polynomial, block);
            }
        } else {
            self.extra.packing(block).expect("the packing key is there").pack_into(out, inputs);
        }
    }

    /// Packs M ≤ N' long ciphertexts into coefficients 0, s, 2s, … of one GLWE ciphertext, s the
    /// [stride](FhewParams::packed_stride); the others hold nothing of use.
    ///
    /// Noise: `FhewParams::compression_variance`.
    pub fn pack_apart_into(&self, out: &mut [u64], inputs: &[&[u64]], scratch: Scratch<'_>) {
        match &self.extra.trace {
            Some(trace) => {
                let mut inputs = inputs.to_vec();
                inputs.resize(inputs.len().next_power_of_two(), &[]);
                let packed = trace.pack_into(out, &inputs, self.rotation.fft(), scratch);
                packed.expect("sizes are those of the parameters");
            }
            None => self.extra.packing(1).expect("the packing key is there").pack_into(out, inputs),
        }
    }

    /// Packs one long ciphertext into the constant coefficient.
    fn pack_constant_into(&self, out: &mut [u64], input: &[u64], scratch: Scratch<'_>) {
        match &self.extra.trace {
            Some(trace) => {
                trace
                    .pack_into(out, &[input], self.rotation.fft(), scratch)
                    .expect("sizes are those of the parameters");
            }
            None => self.extra.packing(1).expect("the packing key is there").pack_into(out, &[input]),
        }
    }

    /// `vector` += factors · source, packed into the constant coefficient; `factors` transformed, `[component][N']`.
    pub fn add_selected(
        &self,
        vector: &mut EncryptedTestVector,
        source: &[u64],
        factors: &[f64],
        scratch: Scratch<'_>,
    ) {
        let (shape, fft) = (self.shape(), self.rotation.fft());
        let (packed, rest) = scratch.take::<u64>(shape.words());
        let (transformed, rest) = rest.take::<f64>(shape.words());
        let (products, rest) = rest.take::<f64>(shape.degree);
        self.pack_constant_into(packed, source, rest);
        for (transformed, polynomial) in
            transformed.chunks_exact_mut(shape.degree).zip(packed.chunks_exact(shape.degree))
        {
            fft.forward_torus(transformed, polynomial);
        }
        let components = vector.components_mut().chunks_exact_mut(shape.words());
        for (component, factor) in components.zip(factors.chunks_exact(shape.degree)) {
            for (out, transformed) in
                component.chunks_exact_mut(shape.degree).zip(transformed.chunks_exact(shape.degree))
            {
                fft.mul(products, transformed, factor);
                fft.backward_add_torus(out, products);
            }
        }
    }

    /// The product modulo `modulus` of two long ciphertexts, as a long ciphertext.
    ///
    /// Noise: `FhewParams::product_variance`.
    pub fn multiply_into(&self, out: &mut [u64], left: &[u64], right: &[u64], modulus: u64, scratch: Scratch<'_>) {
        let (shape, fft) = (self.shape(), self.rotation.fft());
        let (packed_left, rest) = scratch.take::<u64>(shape.words());
        let (packed_right, rest) = rest.take::<u64>(shape.words());
        let (result, mut rest) = rest.take::<u64>(shape.words());
        self.pack_constant_into(packed_left, left, rest.reborrow());
        self.pack_constant_into(packed_right, right, rest.reborrow());
        let key = self.extra.relinearisation.as_ref().expect("the relinearisation key is there");
        glwe_product_into(result, packed_left, packed_right, modulus, key, fft, rest)
            .expect("sizes are those of the parameters");
        sample_extract_into(out, result, shape, 0);
    }

    /// Scratch that packing, selection and products need.
    pub fn extra_scratch_bytes(&self) -> usize {
        let (words, degree) = (self.shape().words(), self.shape().degree);
        let packing = self.extra.trace.as_ref().map_or(0, |key| key.pack_scratch_bytes(self.shape().degree));
        let product = self.extra.relinearisation.as_ref().map_or(0, |_| glwe_product_scratch_bytes(self.shape()));
        scratch_bytes::<u64>(words) * 4 + scratch_bytes::<f64>(degree) + packing.max(product)
    }
}

/// Multiplies a polynomial modulo X^N + 1 by 1 + X + … + X^(block − 1), `block` a power of two: by 1 + X, 1 + X², …
fn multiply_by_block(polynomial: &mut [u64], block: usize) {
    let n = polynomial.len();
    let mut copy = vec![0; n];
    let mut step = 1;
    while step < block {
        copy.copy_from_slice(polynomial);
        let (head, tail) = polynomial.split_at_mut(step);
        head.iter_mut().zip(&copy[n - step..]).for_each(|(x, &y)| *x = x.wrapping_sub(y));
        tail.iter_mut().zip(&copy).for_each(|(x, &y)| *x = x.wrapping_add(y));
        step *= 2;
    }
}
