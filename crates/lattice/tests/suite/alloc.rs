//! The work of a server on every ciphertext allocates nothing.
use crate::counting::allocations;
use bootes_lattice::Gadget;
use bootes_lattice::extract::sample_extract_into;
use bootes_lattice::glwe::GlweShape;
use bootes_lattice::keyswitch::SeededLweKeySwitchKey;
use bootes_lattice::modswitch::mod_switch_into;
use bootes_lattice::secret::LweSecretKey;
use bootes_ring::isa::Isa;
use bootes_ring::sample::{KeyDistribution, MaskSeed, SecretSeed};

#[test]
fn extraction_and_both_switches_do_not_allocate() -> Result<(), Box<dyn std::error::Error>> {
    let shape = GlweShape { rank: 2, degree: 64 };
    let (n, count) = (60, 70);
    let root = SecretSeed::from_bytes(&[1; 32]);
    let input = LweSecretKey::generate(&root.fork(1), shape.lwe_dimension(), KeyDistribution::Binary);
    for distribution in [KeyDistribution::Binary, KeyDistribution::Ternary, KeyDistribution::BlockBinary { length: 4 }]
    {
        let output = LweSecretKey::generate(&root.fork(2), n, distribution);
        let (gadget, mask_seed) = (Gadget::try_new(4, 3)?, MaskSeed::from_bytes([2; 32]));
        let key = SeededLweKeySwitchKey::generate(&input, &output, gadget, 1e-6, mask_seed, &root.fork(3))?
            .prepare(Isa::selected(), 0.5)?;
        let accumulators: Vec<u64> = (1..=(count * shape.words()) as u64).map(|i| i.wrapping_mul(i << 40)).collect();
        let long = shape.lwe_dimension() + 1;
        let (mut extracted, mut short) = (vec![0; count * long], vec![0; count * key.stride()]);
        let mut exponents = vec![0; n + 1];

        let found = allocations(|| {
            for (out, glwe) in extracted.chunks_exact_mut(long).zip(accumulators.chunks_exact(shape.words())) {
                sample_extract_into(out, glwe, shape, 5);
            }
            key.switch_into(&mut short, &extracted);
            for sample in short.chunks_exact(key.stride()) {
                mod_switch_into(&mut exponents, sample, distribution, 2 * 3 * 64, 1, 7);
            }
        });
        assert_eq!(found, 0, "{distribution:?}");
    }
    Ok(())
}
