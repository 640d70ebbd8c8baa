//! Their side: the functions of their library in the order of their benchmarks, which time the parts one by one.
mod aes;
mod half;
mod table;
mod transcipher;

pub use table::table;

use crate::Theirs;
use crate::clock::Times;
use refined_tfhe_lhe::aes_instances::{AES_HALF_CBS_SET_1, AES_HALF_CBS_SET_2, AES_SET_1, AES_SET_2};
use refined_tfhe_lhe::{Aes128Ref, BLOCKSIZE_IN_BIT, BYTESIZE, byte_array_to_mat, get_he_state_error};
use tfhe_of_theirs::core_crypto::prelude::*;

/// Rows of AES: a parameter set each.
pub const AES_SETS: [&str; 4] = ["aes-set-1", "aes-set-2", "aes-half-1", "aes-half-2"];
/// Rows of tables.
pub const TABLES: [&str; 2] = ["table-12", "table-16"];

/// The row of the `tfhe` crate's own AES.
pub const TFHE: &str = "aes-tfhe";

/// AES by the parameter set of a row, or by the `tfhe` crate.
pub fn aes(row: &str) -> Result<Theirs, String> {
    Ok(match row {
        TFHE => transcipher::program(),
        "aes-set-1" => aes::program(&AES_SET_1),
        "aes-set-2" => aes::program(&AES_SET_2),
        "aes-half-1" => half::program(&AES_HALF_CBS_SET_1),
        "aes-half-2" => half::program(&AES_HALF_CBS_SET_2),
        _ => return Err(format!("no parameter set of {row}")),
    })
}

/// Instructions of their transforms: those of the processor, AVX-512 if the authors' were compiled with it.
pub fn isa(row: &str) -> &'static str {
    let has_avx512 = std::arch::is_x86_feature_detected!("avx512f");
    if (row == TFHE || cfg!(feature = "avx512")) && has_avx512 { "avx512" } else { "avx2" }
}

type Bits = LweCiphertextListOwned<u64>;

fn zeros(lwe_size: LweSize) -> Bits {
    LweCiphertextList::new(0, lwe_size, LweCiphertextCount(BLOCKSIZE_IN_BIT), CiphertextModulus::new_native())
}

/// The bits of a key, highest bit of a word each.
fn bits_of(key: [u8; 16]) -> PlaintextListOwned<u64> {
    let bit = |i: usize| u64::from(key[i / BYTESIZE] >> (i % BYTESIZE) & 1) << 63;
    PlaintextList::from_container((0..BLOCKSIZE_IN_BIT).map(bit).collect())
}

/// Whether a state is the ciphertext of a message.
fn check(state: &Bits, aes: &Aes128Ref, message: [u8; 16], key: &LweSecretKeyOwned<u64>) -> Result<(), String> {
    // What is told of each bit is the size of its error; half of what a bit is makes it wrong.
    let (_, error) = get_he_state_error(state, byte_array_to_mat(aes.encrypt_block(message)), key);
    if error < 1 << 62 { Ok(()) } else { Err(format!("a bit of {message:?} is wrong")) }
}

fn plus(x: Times, y: Times) -> Times {
    Times { cpu: x.cpu + y.cpu, wall: x.wall + y.wall }
}
