//! The subjects of the kernel benchmarks: keys, inputs and buffers made once.
use crate::BenchError;
use crate::random::SplitMix;
use bootes_lattice::ggsw::SeededGgswList;
use bootes_lattice::glwe::{MaskMultiplier, phase_into};
use bootes_lattice::keyswitch::{LweKeySwitchKey, SeededLweKeySwitchKey};
use bootes_lattice::lwe;
use bootes_lattice::noise::formula::{rotation_block, rotation_keys};
use bootes_lattice::noise::measure::torus_difference;
use bootes_lattice::secret::{GlweSecretKey, LweSecretKey};
use bootes_ring::fft::{Fft, WordLimbs};
use bootes_ring::isa::Isa;
use bootes_ring::mem::{AlignedVec, ScratchBuffer};
use bootes_ring::sample::{KeyDistribution, SecretSeed};
use bootes_ring::torus::Torus;
use bootes_schemes::cancel::Cancel;
use bootes_schemes::fhew::FhewParams;
use bootes_schemes::fhew::blind_rotate::{BlindRotation, RotationKey, rotation_messages};
use bootes_schemes::fhew::test_vector::TestVector;

/// Blind rotations of a group of accumulators by some blocks of a key: one block is an external product step.
pub struct RotationSubject<W: Torus = u64> {
    params: FhewParams,
    glwe: GlweSecretKey,
    lwe: LweSecretKey,
    key: RotationKey<W>,
    stored_bytes: usize,
    extension: usize,
    test_vector: TestVector,
    mask: Vec<u32>,
    accumulators: AlignedVec<W>,
    scratch: ScratchBuffer,
}

impl RotationSubject {
    /// `group` rotations of extension ν by `blocks` blocks of a key of these parameters (all blocks if `None`).
    ///
    /// # Errors
    /// If the ring or the memory refuses.
    pub fn new(params: &FhewParams, blocks: Option<usize>, extension: usize, group: usize) -> Result<Self, BenchError> {
        Self::with_limbs(params, params.limbs::<u64>(params.shape()), blocks, extension, group)
    }
}

impl<W: Torus> RotationSubject<W> {
    /// As [`RotationSubject::new`], for words `W` cut into `limbs`.
    ///
    /// # Errors
    /// If the ring or the memory refuses.
    pub fn with_limbs(
        params: &FhewParams,
        limbs: WordLimbs,
        blocks: Option<usize>,
        extension: usize,
        group: usize,
    ) -> Result<Self, BenchError> {
        let mut random = SplitMix(params.lwe_dimension() as u64);
        let root = SecretSeed::from_bytes(&random.seed());
        let (shape, distribution) = (params.shape(), params.lwe_distribution());
        let coefficients = match distribution {
            KeyDistribution::BlockBinary { length } => length as usize,
            _ => 1,
        };
        let dimension = blocks.map_or(params.lwe_dimension(), |blocks| blocks * coefficients);
        let lwe = LweSecretKey::generate(&root.fork(1), dimension, distribution);
        let glwe = GlweSecretKey::generate(&root.fork(2), shape.rank, shape.degree, params.glwe_distribution());
        let fft = Fft::new(shape.degree)?;
        let seeded = SeededGgswList::encrypt(
            &glwe,
            &fft,
            params.bootstrap_gadget(),
            &rotation_messages(lwe.expose_coefficients(), distribution),
            params.glwe_std(),
            root.fork_mask(3),
            &root.fork(4),
        );
        let key = RotationKey::prepare(&seeded, limbs, fft, distribution, dimension)?;
        let modulus = 2 * extension as u64 * shape.degree as u64;
        let mask = (0..group * dimension).map(|_| ((random.bits(32) * modulus) >> 32) as u32).collect();
        let values = random.values(extension * shape.degree, 64);
        let mut subject = Self {
            params: params.clone(),
            stored_bytes: seeded.bodies.len() * size_of::<W>(),
            accumulators: AlignedVec::new(group * key.accumulator_words(extension)),
            scratch: ScratchBuffer::new(key.rotate_scratch_bytes(extension)),
            test_vector: TestVector::new(extension, shape.degree, |x| values[x]),
            glwe,
            lwe,
            key,
            extension,
            mask,
        };
        subject.reset();
        Ok(subject)
    }

    /// Trivial encryptions of the test vector.
    fn reset(&mut self) {
        let words = self.key.accumulator_words(self.extension);
        for accumulator in self.accumulators.chunks_exact_mut(words) {
            self.test_vector.rotate_into(accumulator, 0);
        }
    }

    /// Rotates the whole group once.
    pub fn run(&mut self) {
        let words = self.key.accumulator_words(self.extension);
        let mut rotations: Vec<BlindRotation<'_, W>> = self
            .mask
            .chunks_exact(self.lwe.dimension())
            .zip(self.accumulators.chunks_exact_mut(words))
            .map(|(mask, accumulator)| BlindRotation { extension: self.extension, mask, accumulator })
            .collect();
        self.key.rotate(&mut rotations, &Cancel::new(), self.scratch.scratch());
    }

    /// Rotates from the start and measures the standard deviation of the result's noise, over all coefficients of all
    /// accumulators.
    pub fn measured_std(&mut self) -> f64 {
        self.reset();
        self.run();
        let shape = self.params.shape();
        let words = self.key.accumulator_words(self.extension);
        let modulus = 2 * (self.extension * shape.degree) as i64;
        let mut multiplier = MaskMultiplier::new(self.key.fft(), &self.glwe);
        let (mut expected, mut phase) = (vec![W::default(); words], vec![W::default(); shape.degree]);
        let (mut squares, mut count) = (0.0, 0);
        let masks = self.mask.chunks_exact(self.lwe.dimension());
        for (mask, accumulator) in masks.zip(self.accumulators.chunks_exact(words)) {
            let secret = self.lwe.expose_coefficients();
            let product: i64 = mask.iter().zip(secret).map(|(&a, &s)| i64::from(a) * i64::from(s)).sum();
            self.test_vector.rotate_into(&mut expected, product.rem_euclid(modulus) as u32);
            for (found, expected) in accumulator.chunks_exact(shape.words()).zip(expected.chunks_exact(shape.words())) {
                phase_into(&mut phase, found, &mut multiplier);
                for (&x, &y) in phase.iter().zip(&expected[shape.lwe_dimension()..]) {
                    squares += torus_difference(x, y).powi(2);
                    count += 1;
                }
            }
        }
        drop(multiplier);
        self.reset();
        (squares / f64::from(count)).sqrt()
    }

    /// The predicted one: each block adds as much.
    pub fn predicted_std(&self) -> f64 {
        let rotation =
            self.params.blind_rotation(self.params.shape()).variance_with(self.key.limbs(), Some(self.extension));
        (rotation * self.lwe.dimension() as f64 / self.params.lwe_dimension() as f64).sqrt()
    }

    /// Rotations of a run.
    pub fn group(&self) -> usize {
        self.mask.len() / self.lwe.dimension()
    }

    /// Bytes of the key as a run reads it, and as it is stored (seed-compressed).
    pub fn key_bytes(&self) -> [usize; 2] {
        [self.key.bytes(), self.stored_bytes]
    }

    /// Floating-point operations of one rotation of the group.
    ///
    /// A transform of n points counts 5·n·log2(n), a complex multiply-add 8. With ℓ keys a block, R rows and C columns,
    /// a block takes ν·(R + C) transforms and n·(ℓ·R·C + min(ν, ℓ + 1)·ν·R·C) multiply-adds: the keys of a block are
    /// combined with their monomials first, then multiplied by the digits.
    pub fn flops(&self) -> f64 {
        let shape = self.params.shape();
        let (points, nu) = ((shape.degree / 2) as f64, self.extension as f64);
        let columns = (shape.polynomials() * self.key.limbs().count()) as f64;
        let rows = shape.polynomials() as f64 * f64::from(self.params.bootstrap_gadget().levels());
        let block = rotation_block(self.params.lwe_distribution()) as f64;
        let blocks = rotation_keys(self.params.lwe_distribution(), self.lwe.dimension()) as f64 / block;
        let transforms = nu * (rows + columns) * transform_flops(shape.degree);
        let products = (block + nu.min(block + 1.0) * nu) * rows * columns * points * 8.0;
        blocks * (transforms + products)
    }

    /// Bytes that one rotation of the group reads and writes at least: its share of the key, once, and its accumulator
    /// twice each way.
    pub fn bytes(&self) -> f64 {
        let accumulator = self.key.accumulator_words(self.extension) * size_of::<W>() * 2;
        self.key.bytes() as f64 / self.group() as f64 + accumulator as f64
    }
}

/// 5·n·log2(n) of the n = N/2 complex points.
pub(crate) fn transform_flops(degree: usize) -> f64 {
    let points = (degree / 2) as f64;
    5.0 * points * points.log2()
}

/// Key switches of a batch of ciphertexts.
pub struct KeySwitchSubject {
    params: FhewParams,
    lwe: LweSecretKey,
    key: LweKeySwitchKey,
    stored_bytes: usize,
    inputs: Vec<u64>,
    outputs: Vec<u32>,
    batch: usize,
}

impl KeySwitchSubject {
    /// `batch` encryptions of zero without noise, and the key to switch them.
    ///
    /// # Errors
    /// If the key's gadget or the memory refuses.
    pub fn new(params: &FhewParams, batch: usize) -> Result<Self, BenchError> {
        let mut random = SplitMix(params.lwe_dimension() as u64);
        let root = SecretSeed::from_bytes(&random.seed());
        let lwe = LweSecretKey::generate(&root.fork(1), params.lwe_dimension(), params.lwe_distribution());
        let long = LweSecretKey::generate(&root.fork(2), params.ciphertext_dimension(), params.glwe_distribution());
        let seeded = SeededLweKeySwitchKey::generate(
            &long,
            &lwe,
            params.key_switch_gadget(),
            params.lwe_std(),
            root.fork_mask(3),
            &root.fork(4),
        )?;
        let key = seeded.prepare(Isa::selected(), params.glwe_distribution().mean())?;
        let mut inputs = random.values(batch * (long.dimension() + 1), 64);
        for input in inputs.chunks_exact_mut(long.dimension() + 1) {
            let (mask, body) = input.split_at_mut(long.dimension());
            body[0] = lwe::mask_product(mask, &long).wrapping_neg();
        }
        Ok(Self {
            params: params.clone(),
            stored_bytes: seeded.bodies.len() * 4,
            outputs: vec![0; batch * key.stride()],
            lwe,
            key,
            inputs,
            batch,
        })
    }

    /// Switches the whole batch once.
    pub fn run(&mut self) {
        self.key.switch_into(&mut self.outputs, &self.inputs);
    }

    /// Switches once and measures the standard deviation of the results' noise.
    pub fn measured_std(&mut self) -> f64 {
        self.run();
        let n = self.lwe.dimension();
        let errors: Vec<f64> = self
            .outputs
            .chunks_exact(self.key.stride())
            .map(|output| {
                let product = output[..n].iter().zip(self.lwe.expose_coefficients());
                let phase =
                    product.fold(output[n], |sum, (&a, &s)| sum.wrapping_add(a.wrapping_mul(i32::from(s) as u32)));
                f64::from(phase as i32) / 2f64.powi(32)
            })
            .collect();
        crate::clock::root_mean_square(&errors)
    }

    /// The predicted one.
    pub fn predicted_std(&self) -> f64 {
        self.params.key_switch_variance().sqrt()
    }

    /// Bytes of the key as a run reads it, and as it is stored (seed-compressed).
    pub fn key_bytes(&self) -> [usize; 2] {
        [self.key.bytes(), self.stored_bytes]
    }

    /// Integer multiply-adds of one ciphertext, counted as two operations each: 2·kN'·d·(n + 1).
    pub fn operations(&self) -> f64 {
        let rows = self.params.ciphertext_dimension() * self.params.key_switch_gadget().levels() as usize;
        2.0 * rows as f64 * (self.lwe.dimension() + 1) as f64
    }

    /// Bytes that one ciphertext reads at least: its share of the key, once, and itself.
    pub fn bytes(&self) -> f64 {
        self.key.bytes() as f64 / self.batch as f64 + (self.params.ciphertext_dimension() * 8) as f64
    }
}
