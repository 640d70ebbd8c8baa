//! A bootstrap does not allocate, but for its workspace.
use crate::counting::allocations;
use bootes_ring::mem::ScratchBuffer;
use bootes_ring::sample::SecretSeed;
use bootes_schemes::cancel::Cancel;
use bootes_schemes::fhew::FhewParams;
use bootes_schemes::fhew::blind_rotate::BlindRotation;
use bootes_schemes::fhew::evaluator::{Job, JobTable};
use bootes_schemes::fhew::keys::SecretKeys;
use bootes_schemes::fhew::test_vector::{EncryptedTestVector, TestVector};
use bootes_testkit::{TestRng, seed_bytes};

/// Several groups of rotations, and of ciphertexts for the key switch.
const COUNT: usize = 150;

#[test]
fn bootstraps_do_not_allocate() -> Result<(), Box<dyn std::error::Error>> {
    for params in FhewParams::all().iter().filter(|set| set.name().starts_with("toy_")) {
        let shape = params.shape();
        let key = SecretKeys::derive(params, SecretSeed::from_bytes(&seed_bytes(params.name(), 0)))
            .evaluation_key_with_randomness_for_tests(&[7; 32])?
            .prepare()?;
        let mut random = TestRng::new(params.name(), 0);
        let (long, stride) = (shape.lwe_dimension() + 1, key.key_switch.stride());
        let mut ciphertexts: Vec<u64> = (0..COUNT * long).map(|_| random.next_u64()).collect();
        let mut samples = vec![0u32; COUNT * stride];
        for extension in 1..=5 {
            let plain = TestVector::new(extension, shape.degree, |x| x as u64);
            let encrypted = EncryptedTestVector::trivial(&plain, shape);
            let tables = [JobTable::Plain(&plain), JobTable::Encrypted(&encrypted)];
            let mut workspace = key.rotation.workspace(extension);
            let mut scratch = ScratchBuffer::new(key.rotation.rotate_scratch_bytes(extension));
            let found = allocations(|| key.switch_keys_into(&mut samples, &ciphertexts));
            assert_eq!(found, 0, "{}: key switch", params.name());

            let job = |i| Job {
                sample: &samples[i * stride..][..stride],
                log2_factor: 0,
                offset: 5,
                interleaved: 1,
                table: tables[i % 2],
            };
            let jobs: Vec<Job<'_>> = (0..COUNT).map(job).collect();
            let found = allocations(|| {
                key.rotation.rotate_all(&jobs, &mut workspace, scratch.scratch(), |i, accumulator| {
                    key.extract_extended_into(&mut ciphertexts[i * long..][..long], accumulator, i % shape.degree);
                });
            });
            assert_eq!(found, 0, "{}: rotate_all, extension {extension}", params.name());

            let modulus = (2 * extension * shape.degree) as u64;
            let mask: Vec<u32> = (0..params.lwe_dimension()).map(|_| random.below(modulus) as u32).collect();
            let (mut accumulator, cancel) = (vec![1; key.rotation.accumulator_words(extension)], Cancel::new());
            let found = allocations(|| {
                let rotation = BlindRotation { extension, mask: &mask, accumulator: &mut accumulator };
                key.rotation.rotate(&mut [rotation], &cancel, scratch.scratch());
            });
            assert_eq!(found, 0, "{}: rotate, extension {extension}", params.name());
        }
    }
    Ok(())
}
