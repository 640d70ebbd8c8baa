//! A table on a value of digits of four bits: two bits a blind rotation become GGSW ciphertexts. A tree of CMUXes and a
//! rotation by them (vertical packing) gives each digit of the result.
use crate::Theirs;
use crate::clock::time;
use crate::tables::SplitMix;
use refined_tfhe_lhe::automorphism::gen_all_auto_keys;
use refined_tfhe_lhe::int_lhe_instance::INT_LHE_BASE_16;
use refined_tfhe_lhe::{
    blind_rotate_for_msb, convert_to_ggsw_after_blind_rotate, generate_scheme_switching_key, get_val_and_abs_err,
    glwe_ciphertext_clone_from, glwe_ciphertext_monic_monomial_div, keygen_pbs,
};
use tfhe_of_theirs::core_crypto::fft_impl::fft64::c64;
use tfhe_of_theirs::core_crypto::fft_impl::fft64::crypto::wop_pbs::{vertical_packing, vertical_packing_scratch};
use tfhe_of_theirs::core_crypto::prelude::*;

/// Bits of a digit, and of those that a rotation extracts.
const DIGIT: usize = 4;
const EXTRACTED: usize = 2;

/// The bits that a value's GGSW ciphertexts have: of two that are extracted at once, the lower one is masked by the
/// higher. It is its own inverse.
fn masked(value: usize) -> usize {
    value ^ (value >> 1 & 0x5555_5555)
}

/// A random table of so many bits, with results of as many.
pub fn table(bits: u32) -> Theirs {
    let set = *INT_LHE_BASE_16;
    assert_eq!(set.message_size(), DIGIT);
    let bits = bits as usize;
    let (noise, modulus) = (set.glwe_modular_std_dev(), set.ciphertext_modulus());
    let (glwe_size, size) = (set.glwe_dimension().to_glwe_size(), set.polynomial_size());
    let (base_log, level) = (set.cbs_base_log(), set.cbs_level());
    let mut seeder = new_seeder();
    let seeder = seeder.as_mut();
    let mut secret = SecretRandomGenerator::<ActivatedRandomGenerator>::new(seeder.seed());
    let mut generator = EncryptionRandomGenerator::<ActivatedRandomGenerator>::new(seeder.seed(), seeder);

    let (lwe_key, glwe_key, _, bootstrap_key, switch_key) = keygen_pbs(
        set.lwe_dimension(),
        set.glwe_dimension(),
        size,
        set.lwe_modular_std_dev(),
        noise,
        set.pbs_base_log(),
        set.pbs_level(),
        set.ks_base_log(),
        set.ks_level(),
        &mut secret,
        &mut generator,
    );
    let trace_keys =
        gen_all_auto_keys(set.auto_base_log(), set.auto_level(), set.fft_type_auto(), &glwe_key, noise, &mut generator);
    let scheme_key =
        generate_scheme_switching_key(&glwe_key, set.ss_base_log(), set.ss_level(), noise, modulus, &mut generator);

    let mut entries = SplitMix(bits as u64);
    let table: Vec<usize> = (0..1usize << bits).map(|_| entries.below(1 << bits) as usize).collect();
    // A list of polynomials for each digit of the results, with the entry of what an address' masked bits are.
    let polynomials: Vec<PolynomialListOwned<u64>> = (0..bits / DIGIT)
        .map(|digit| {
            let entry = |address: usize| ((table[masked(address)] >> (DIGIT * digit) & 15) as u64) << (64 - DIGIT);
            PolynomialList::from_container((0..1 << bits).map(entry).collect(), size)
        })
        .collect();
    let lwe_size = lwe_key.lwe_dimension().to_lwe_size();

    Box::new(move |random: &mut SplitMix| {
        let value = random.below(1 << bits) as usize;
        let digit = |i: usize| (value >> (DIGIT * i) & 15) as u64;
        let encrypt = |i: usize| {
            let plaintext = Plaintext(digit(i) << (64 - DIGIT));
            allocate_and_encrypt_new_lwe_ciphertext(&lwe_key, plaintext, noise, modulus, &mut generator)
        };
        let inputs: Vec<_> = (0..bits / DIGIT).map(encrypt).collect();
        let mut outputs = vec![LweCiphertext::new(0u64, lwe_size, modulus); bits / DIGIT];
        let (parts, all) = time(|| {
            let coefficients = size.to_fourier_polynomial_size().0 * glwe_size.0 * glwe_size.0 * level.0;
            let mut selectors = FourierGgswCiphertextList::new(
                vec![c64::default(); bits * coefficients],
                bits,
                glwe_size,
                size,
                base_log,
                level,
            );
            let ((), extraction) = time(|| {
                // The highest bit's comes first.
                let mut selectors: Vec<_> = selectors.as_mut_view().into_ggsw_iter().collect();
                selectors.reverse();
                for (digit, selectors) in inputs.iter().zip(selectors.chunks_mut(DIGIT)) {
                    let mut rest = digit.clone();
                    for (index, selectors) in selectors.chunks_mut(EXTRACTED).enumerate() {
                        let mut top = LweCiphertext::new(0u64, lwe_size, modulus);
                        let factor = Cleartext(1u64 << (DIGIT - EXTRACTED * (index + 1)));
                        lwe_ciphertext_cleartext_mul(&mut top, &rest, factor);
                        let mut switched = LweCiphertext::new(0u64, switch_key.output_lwe_size(), modulus);
                        keyswitch_lwe_ciphertext(&switch_key, &top, &mut switched);
                        let count = GlweCiphertextCount(level.0);
                        let mut rotated = GlweCiphertextList::new(0u64, glwe_size, size, count, modulus);
                        blind_rotate_for_msb(
                            &switched,
                            &mut rotated,
                            bootstrap_key.as_view(),
                            set.log_lut_count(),
                            base_log,
                            level,
                            EXTRACTED,
                            modulus,
                        );
                        // What these bits are, by a table of four entries, is taken away.
                        let log_scale = 64 - DIGIT + index * EXTRACTED;
                        let mut known = vec![0u64; size.0];
                        (0..1 << EXTRACTED).for_each(|address| known[address] = (masked(address) as u64) << log_scale);
                        let known = PlaintextList::from_container(known);
                        let known = allocate_and_trivially_encrypt_new_glwe_ciphertext(glwe_size, &known, modulus);
                        let mut chosen = GlweCiphertext::new(0u64, glwe_size, size, modulus);
                        let mut other = GlweCiphertext::new(0u64, glwe_size, size, modulus);
                        glwe_ciphertext_clone_from(&mut chosen, &known);
                        for (i, selector) in selectors.iter_mut().enumerate() {
                            let mut ggsw = GgswCiphertext::new(0u64, glwe_size, size, base_log, level, modulus);
                            convert_to_ggsw_after_blind_rotate(
                                &rotated,
                                &mut ggsw,
                                EXTRACTED - i - 1,
                                &trace_keys,
                                scheme_key.as_view(),
                                modulus,
                            );
                            convert_standard_ggsw_ciphertext_to_fourier(&ggsw, selector);
                            glwe_ciphertext_monic_monomial_div(&mut other, &chosen, MonomialDegree(1 << i));
                            cmux_assign(&mut chosen, &mut other, selector);
                        }
                        let mut told = LweCiphertext::new(0u64, lwe_size, modulus);
                        extract_lwe_sample_from_glwe_ciphertext(&chosen, &mut told, MonomialDegree(0));
                        lwe_ciphertext_sub_assign(&mut rest, &told);
                    }
                }
            });
            let ((), look_up) = time(|| {
                let fft = Fft::new(size);
                let fft = fft.as_view();
                let mut buffers = ComputationBuffers::new();
                for (list, output) in polynomials.iter().zip(&mut outputs) {
                    let scratch = vertical_packing_scratch::<u64>(glwe_size, size, list.polynomial_count(), bits, fft);
                    buffers.resize(scratch.expect("no such memory").unaligned_bytes_required());
                    let list = list.as_view();
                    vertical_packing(list, output.as_mut_view(), selectors.as_view(), fft, buffers.stack());
                }
            });
            vec![("extraction", extraction), ("look_up", look_up)]
        });
        for (i, output) in outputs.iter().enumerate() {
            let expected = (table[value] >> (DIGIT * i) & 15) as u64;
            let (found, _) = get_val_and_abs_err(&lwe_key, output, expected, 1 << (64 - DIGIT));
            if found % 16 != expected {
                return Err(format!("digit {i} of {value} is {found}, expected {expected}"));
            }
        }
        Ok((all, parts))
    })
}
