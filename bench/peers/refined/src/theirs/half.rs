//! AES-128 with the first round by tables that the client encrypts as GLev ciphertexts, the second by *half* circuit
//! bootstrapping of what they give, without a blind rotation, and circuit bootstrapping in the eight after it.
use super::{bits_of, check, plus, zeros};
use crate::Theirs;
use crate::clock::time;
use crate::ours::random_block;
use crate::tables::SplitMix;
use refined_tfhe_lhe::automorphism::gen_all_auto_keys;
use refined_tfhe_lhe::{
    Aes128Ref, AesHalfCBSParam, BLOCKSIZE_IN_BIT, FourierGlweKeyswitchKey, NUM_ROUNDS,
    allocate_and_generate_new_glwe_keyswitch_key, blind_rotate_keyed_sboxes, convert_lev_state_to_ggsw,
    convert_standard_glwe_keyswitch_key_to_fourier, generate_scheme_switching_key, generate_vec_keyed_lut_accumulator,
    generate_vec_keyed_lut_glev, he_add_round_key, he_mix_columns_precomp, he_shift_rows,
    he_sub_bytes_8_to_24_by_patched_wwlp_cbs, he_sub_bytes_by_patched_wwlp_cbs, keygen_pbs_with_glwe_ds,
    keyswitch_lwe_ciphertext_by_glwe_keyswitch, known_rotate_keyed_lut_for_half_cbs, lev_mix_columns_precomp,
    lev_shift_rows,
};
use tfhe_of_theirs::core_crypto::prelude::*;

/// Keys of a set, and what evaluates a block.
pub fn program(set: &AesHalfCBSParam<u64>) -> Theirs {
    let set = *set;
    let (noise, half_noise) = (set.glwe_modular_std_dev(), set.half_cbs_glwe_modular_std_dev());
    let (modulus, common_size) = (set.ciphertext_modulus(), set.common_polynomial_size());
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
        common_size,
        set.fft_type_ds(),
        modulus,
        &mut secret,
        &mut generator,
    );
    let scheme_key =
        generate_scheme_switching_key(&glwe_key, set.ss_base_log(), set.ss_level(), noise, modulus, &mut generator);
    let trace_keys =
        gen_all_auto_keys(set.auto_base_log(), set.auto_level(), set.fft_type_auto(), &glwe_key, noise, &mut generator);

    let half_key: GlweSecretKeyOwned<u64> = allocate_and_generate_new_binary_glwe_secret_key(
        set.half_cbs_glwe_dimension(),
        set.half_cbs_polynomial_size(),
        &mut secret,
    );
    let half_lwe_key = half_key.clone().into_lwe_secret_key();
    let half_lwe_size = half_lwe_key.lwe_dimension().to_lwe_size();
    let from = GlweSecretKey::from_container(half_key.as_ref(), common_size);
    let to = GlweSecretKey::from_container(small_key.as_ref(), common_size);
    let standard = allocate_and_generate_new_glwe_keyswitch_key(
        &from,
        &to,
        set.half_cbs_glwe_ds_base_log(),
        set.half_cbs_glwe_ds_level(),
        // As their benchmark has it: the noise of the larger key, not that of the key switched to.
        half_noise,
        modulus,
        &mut generator,
    );
    let mut half_switch_key = FourierGlweKeyswitchKey::new(
        from.glwe_dimension().to_glwe_size(),
        to.glwe_dimension().to_glwe_size(),
        common_size,
        set.half_cbs_glwe_ds_base_log(),
        set.half_cbs_glwe_ds_level(),
        set.half_cbs_fft_type_ds(),
    );
    convert_standard_glwe_keyswitch_key_to_fourier(&standard, &mut half_switch_key);
    let half_scheme_key = generate_scheme_switching_key(
        &half_key,
        set.half_cbs_ss_base_log(),
        set.half_cbs_ss_level(),
        half_noise,
        modulus,
        &mut generator,
    );
    let half_trace_keys = gen_all_auto_keys(
        set.half_cbs_auto_base_log(),
        set.half_cbs_auto_level(),
        set.half_cbs_fft_type_auto(),
        &half_key,
        half_noise,
        &mut generator,
    );

    let aes = Aes128Ref::new(&random_block(&mut SplitMix(128)));
    let lwe_size = lwe_key.lwe_dimension().to_lwe_size();
    let mut keys = Vec::new();
    for (round, key) in aes.get_round_keys().into_iter().enumerate() {
        let (key_of_round, noise) = if round <= 2 { (&half_lwe_key, half_noise) } else { (&lwe_key, noise) };
        let mut bits = zeros(key_of_round.lwe_dimension().to_lwe_size());
        encrypt_lwe_ciphertext_list(key_of_round, &mut bits, &bits_of(key), noise, &mut generator);
        keys.push(bits);
    }
    // Levels add up as integers, whose last bits are the XOR. The first round's key is in the second's tables.
    let first =
        [aes.get_keyed_sbox(0), aes.get_keyed_sbox_mult_by_2(0), aes.get_keyed_sbox_mult_by_3(0)].map(|table| {
            let (base_log, level) = (set.half_cbs_base_log(), set.half_cbs_level());
            generate_vec_keyed_lut_glev(table, base_log, level, &half_key, half_noise, modulus, &mut generator)
        });
    let second = [aes.get_keyed_sbox(1), aes.get_keyed_sbox_mult_by_2(1), aes.get_keyed_sbox_mult_by_3(1)]
        .map(|table| generate_vec_keyed_lut_accumulator(table, 63, &half_key, half_noise, modulus, &mut generator));

    Box::new(move |random: &mut SplitMix| {
        let message = random_block(random);
        let levels = || {
            let count = LweCiphertextCount(set.half_cbs_level().0);
            vec![LweCiphertextList::new(0u64, half_lwe_size, count, modulus); BLOCKSIZE_IN_BIT]
        };
        let mut levs = [(); 3].map(|()| levels());
        let [mut half, mut half_twice, mut half_thrice] = [(); 3].map(|()| zeros(half_lwe_size));
        let [mut state, mut twice, mut thrice] = [(); 3].map(|()| zeros(lwe_size));
        let mut switched = zeros(small_key.lwe_dimension().to_lwe_size());
        let (parts, all) = time(|| {
            let ((), of_first) = time(|| {
                for (table, lev) in first.iter().zip(&mut levs) {
                    known_rotate_keyed_lut_for_half_cbs(message, table, lev);
                    lev_shift_rows(lev);
                }
                let [lev, lev_twice, lev_thrice] = &mut levs;
                lev_mix_columns_precomp(lev, lev_twice, lev_thrice);
            });
            let ((), of_second) = time(|| {
                let mut selectors = GgswCiphertextList::new(
                    0u64,
                    set.half_cbs_glwe_dimension().to_glwe_size(),
                    set.half_cbs_polynomial_size(),
                    set.half_cbs_base_log(),
                    set.half_cbs_level(),
                    GgswCiphertextCount(BLOCKSIZE_IN_BIT),
                    modulus,
                );
                convert_lev_state_to_ggsw(&levs[0], &mut selectors, &half_trace_keys, half_scheme_key.as_view());
                let [table, table_twice, table_thrice] = &second;
                blind_rotate_keyed_sboxes(
                    &selectors,
                    table,
                    table_twice,
                    table_thrice,
                    &mut half,
                    &mut half_twice,
                    &mut half_thrice,
                );
                he_shift_rows(&mut half);
                he_shift_rows(&mut half_twice);
                he_shift_rows(&mut half_thrice);
                he_mix_columns_precomp(&mut half, &half_twice, &half_thrice);
                he_add_round_key(&mut half, &keys[2]);
            });
            let (mut switches, mut substitutions) = Default::default();
            for round in 3..=NUM_ROUNDS {
                let ((), times) = time(|| {
                    let (from, key) = if round == 3 { (&half, &half_switch_key) } else { (&state, &switch_key) };
                    for (bit, mut out) in from.iter().zip(switched.iter_mut()) {
                        keyswitch_lwe_ciphertext_by_glwe_keyswitch(&bit, &mut out, key);
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
                he_shift_rows(&mut state);
                if round < NUM_ROUNDS {
                    he_shift_rows(&mut twice);
                    he_shift_rows(&mut thrice);
                    he_mix_columns_precomp(&mut state, &twice, &thrice);
                }
                he_add_round_key(&mut state, &keys[round]);
            }
            vec![
                ("first_round", of_first),
                ("second_round", of_second),
                ("key_switches", switches),
                ("sub_bytes", substitutions),
            ]
        });
        check(&state, &aes, message, &lwe_key)?;
        Ok((all, parts))
    })
}
