//! AES-128 in counter mode by the `tfhe` crate 1.8.2, its `transciphering`: S-boxes as circuits of gates.
use crate::Theirs;
use crate::clock::time;
use crate::ours::random_block;
use crate::tables::SplitMix;
use refined_tfhe_lhe::Aes128Ref;
use tfhe::shortint::gen_keys;
use tfhe::shortint::parameters::current_params::V1_8_PARAM_MESSAGE_2_CARRY_2_KS_PBS_GAUSSIAN_2M128;
use tfhe::transciphering::{AesFheRoundKeys, AesFheState, AesPlainKey, Transcipherer};

/// Keys, those of all rounds from that of the cipher, and what evaluates a block.
pub fn program() -> Theirs {
    let (client, server) = gen_keys(V1_8_PARAM_MESSAGE_2_CARRY_2_KS_PBS_GAUSSIAN_2M128);
    let key = random_block(&mut SplitMix(128));
    let aes = Aes128Ref::new(&key);
    let encrypted = AesPlainKey::from(key).encrypt(&client);
    // The blocks of a stream are of one counter and those after it.
    let mut counter = random_block(&mut SplitMix(256));
    let mut stream = AesFheState::new(AesFheRoundKeys::new(&server, &encrypted), counter);
    Box::new(move |_: &mut SplitMix| {
        let (bits, all) = time(|| stream.next_keystream_bits(&server, 128));
        let mut found = [0u8; 16];
        for (i, bit) in bits.map_err(|e| e.to_string())?.iter().enumerate() {
            found[i / 8] |= (client.decrypt(bit) as u8) << (i % 8);
        }
        let expected = aes.encrypt_block(counter);
        if found != expected {
            return Err(format!("found {found:?} for {counter:?}, expected {expected:?}"));
        }
        counter = u128::from_be_bytes(counter).wrapping_add(1).to_be_bytes();
        Ok((all, Vec::new()))
    })
}
