//! Values that come from ciphertexts of another engine.
use bootes_lattice::port::RlweEncoding;
use bootes_lut::ckks::TableLiteral;
use bootes_lut::ckks::params::literals;

use super::Params;
use super::ciphertexts::most_bits;
use super::params::space_bits;
use crate::Space;

pub(crate) use super::ciphertexts::log2_failure;
pub(crate) use super::params::fresh_log2_modulus as log2_modulus_of;

/// Whether ciphertexts of a set hold values of a space, in one ciphertext each, that its tables or programs take.
pub(crate) fn holds(params: &Params, space: Space) -> bool {
    fits(params.literal(), space) && space.moduli()[0] <= 1 << most_bits(params)
}

/// The same of a set that is not made.
fn fits(literal: &TableLiteral, space: Space) -> bool {
    match space {
        _ if space.limbs() > 1 => false,
        Space::Modular(p) => {
            // Longer residues are for digits.
            let longest = literal.bits + RlweEncoding::MAX_LOG2_MODULUS - literal.log2_modulus;
            p <= 1 << literal.bits || literal.integer_bits == 0 && p.is_power_of_two() && p <= 1 << longest
        }
        Space::Integers(integers) => integers.width() < literal.bits.max(literal.integer_bits + 1),
    }
}

/// Bits of the largest messages of a space's kind.
pub(crate) fn most_bits_of(params: &Params, space: Space) -> u32 {
    if space.integers().is_some() { space_bits(params) } else { params.literal().bits }
}

/// The smallest default set that holds values of a space.
pub(crate) fn set_for(space: Space) -> Option<String> {
    let is_long = space.integers().is_some();
    let takes = |literal: &&TableLiteral| match space {
        Space::Modular(p) => p <= 1 << literal.bits,
        Space::Integers(_) => fits(literal, space),
    };
    let sets = literals().iter().filter(|set| set.class.is_secure() && (is_long || set.integer_bits == 0));
    sets.filter(takes).min_by_key(|set| set.bits.max(set.integer_bits)).map(|set| set.name.clone())
}
