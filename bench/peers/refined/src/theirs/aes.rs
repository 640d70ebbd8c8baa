//! AES-128 with the first round by tables that the client encrypts, and circuit bootstrapping in the nine after it.
use super::{bits_of, check, plus, zeros};
use crate::Theirs;
use crate::clock::time;
use crate::ours::random_block;
use crate::tables::SplitMix;
use refined_tfhe_lhe::automorphism::gen_all_auto_keys;
use refined_tfhe_lhe::{
    Aes128Ref, AesParam, NUM_ROUNDS, generate_scheme_switching_key, generate_vec_keyed_lut_accumulator,
    he_add_round_key, he_mix_columns_precomp, he_shift_rows, he_sub_bytes_8_to_24_by_patched_wwlp_cbs,
    he_sub_bytes_by_patched_wwlp_cbs, keygen_pbs_with_glwe_ds, keyswitch_lwe_ciphertext_by_glwe_keyswitch,
    known_rotate_keyed_lut,
};
use tfhe_of_theirs::core_crypto::prelude::*;

/// Keys of a set, and what evaluates a block.
pub fn program(set: &AesParam<u64>) -> Theirs {
    let set = *set;
    let (noise, modulus) = (set.glwe_modular_std_dev(), set.ciphertext_modulus());
    let mut seeder = new_seeder();
    let seeder = seeder.as_mut();
    let mut secret = SecretRandomGenerator::<ActivatedRandomGenerator>::new(seeder.seed());
    let mut generator = EncryptionRandomGenerator::<ActivatedRandomGenerator>::new(seeder.seed(), seeder);

    let (lwe_key, glwe_key, small_key, bootstrap_key, switch_key) = keygen_pbs_with_glwe_ds(
        set.lwe_dimension(),
        set.glwe_dimension(),
        set.polynomial_size(),
        set.lwe_modular_std_dev(),
        noise,
        set.pbs_base_log(),
        set.pbs_level(),
        set.glwe_ds_base_log(),
        set.glwe_ds_level(),
        set.common_polynomial_size(),
        set.fft_type_ds(),
        modulus,
        &mut secret,
        &mut generator,
    );
    let scheme_key =
        generate_scheme_switching_key(&glwe_key, set.ss_base_log(), set.ss_level(), noise, modulus, &mut generator);
    let trace_keys =
        gen_all_auto_keys(set.auto_base_log(), set.auto_level(), set.fft_type_auto(), &glwe_key, noise, &mut generator);

    let aes = Aes128Ref::new(&random_block(&mut SplitMix(128)));
    let lwe_size = lwe_key.lwe_dimension().to_lwe_size();
    let encrypt = |key: [u8; 16]| {
        let mut bits = zeros(lwe_size);
        encrypt_lwe_ciphertext_list(&lwe_key, &mut bits, &bits_of(key), noise, &mut generator);
        bits
    };
    let keys: Vec<_> = aes.get_round_keys().into_iter().map(encrypt).collect();
    let tables = [aes.get_keyed_sbox(0), aes.get_keyed_sbox_mult_by_2(0), aes.get_keyed_sbox_mult_by_3(0)]
        .map(|table| generate_vec_keyed_lut_accumulator(table, 63, &glwe_key, noise, modulus, &mut generator));

    Box::new(move |random: &mut SplitMix| {
        let message = random_block(random);
        let [mut state, mut twice, mut thrice] = [(); 3].map(|()| zeros(lwe_size));
        let mut switched = zeros(small_key.lwe_dimension().to_lwe_size());
        let (parts, all) = time(|| {
            let ((), first) = time(|| {
                for (table, bits) in tables.iter().zip([&mut state, &mut twice, &mut thrice]) {
                    known_rotate_keyed_lut(message, table, bits);
                }
            });
            let (mut switches, mut substitutions) = Default::default();
            for round in 1..=NUM_ROUNDS {
                if round > 1 {
                    let ((), times) = time(|| {
                        for (bit, mut out) in state.iter().zip(switched.iter_mut()) {
                            keyswitch_lwe_ciphertext_by_glwe_keyswitch(&bit, &mut out, &switch_key);
                        }
                    });
                    switches = plus(switches, times);
                    let (bootstrap_key, scheme_key) = (bootstrap_key.as_view(), scheme_key.as_view());
                    let ((), times) = time(|| {
                        if round < NUM_ROUNDS {
                            he_sub_bytes_8_to_24_by_patched_wwlp_cbs(
                                &switched,
                                &mut state,
                                &mut twice,
                                &mut thrice,
                                bootstrap_key,
                                &trace_keys,
                                scheme_key,
                                set.cbs_base_log(),
                                set.cbs_level(),
                                set.log_lut_count(),
                            );
                        } else {
                            he_sub_bytes_by_patched_wwlp_cbs(
                                &switched,
                                &mut state,
                                bootstrap_key,
                                &trace_keys,
                                scheme_key,
                                set.cbs_base_log(),
                                set.cbs_level(),
                                set.log_lut_count(),
                            );
                        }
                    });
                    substitutions = plus(substitutions, times);
                }
                he_shift_rows(&mut state);
                if round < NUM_ROUNDS {
                    he_shift_rows(&mut twice);
                    he_shift_rows(&mut thrice);
                    he_mix_columns_precomp(&mut state, &twice, &thrice);
                }
                he_add_round_key(&mut state, &keys[round]);
            }
            vec![("first_round", first), ("key_switches", switches), ("sub_bytes", substitutions)]
        });
        check(&state, &aes, message, &lwe_key)?;
        Ok((all, parts))
    })
}
