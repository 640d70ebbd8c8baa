//! Integers modulo p on the torus: m ↦ ⌊m·2^64/p⌉, the whole circle, no padding bit; p = 2^bits by shifts.
use bootes_ring::secret::zero_at;

/// Encodes m ∈ Z_{2^bits}, 0 ≤ bits ≤ 63.
pub fn encode(message: u64, bits: u32) -> u64 {
    if bits == 0 { 0 } else { message << (64 - bits) }
}

/// Decodes the nearest message of Z_{2^bits}; right while the noise is below half a step, 2^−bits/2 of the torus.
pub fn decode(phase: u64, bits: u32) -> u64 {
    if bits == 0 { 0 } else { phase.wrapping_add(1 << (63 - bits)) >> (64 - bits) }
}

/// Encodes m modulo p ≥ 1: ⌊m·2^64/p⌉ modulo 2^64, within 2^-65 of the torus.
pub fn encode_modulo(message: u64, modulus: u64) -> u64 {
    let modulus = u128::from(modulus);
    (((u128::from(message) << 64) + modulus / 2) / modulus) as u64
}

/// The same for words of 128 bits: ⌊m·2^128/p⌉ of m < p, within 2^-129 of the torus.
pub fn encode_modulo_wide(message: u64, modulus: u64) -> u128 {
    let (scaled, modulus) = (u128::from(message) << 64, u128::from(modulus));
    let (upper, rest) = (scaled / modulus, scaled % modulus);
    (upper << 64) + ((rest << 64) + modulus / 2) / modulus
}

/// Decodes the nearest message of Z_p, p ≥ 1; right while the noise is below half a step, 1/(2p) of the torus.
///
/// In constant time: phases are secret, and a division would take as long as they are large.
pub fn decode_modulo(phase: u64, modulus: u64) -> u64 {
    let scaled = u128::from(phase) * u128::from(modulus) + (1 << 63);
    // At most p.
    zero_at(modulus, (scaled >> 64) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_two_are_moduli() {
        for bits in [1, 4, 17, 33] {
            for message in [0, 1, (1u64 << bits) - 1, (1u64 << bits) / 3] {
                let phase = encode(message, bits);
                assert_eq!(encode_modulo(message, 1 << bits), phase);
                for phase in [phase, phase.wrapping_add(1 << (62 - bits)), phase.wrapping_sub(1 << (62 - bits))] {
                    assert_eq!([decode(phase, bits), decode_modulo(phase, 1 << bits)], [message; 2]);
                }
            }
        }
    }

    #[test]
    fn residues_return_from_within_half_a_step() {
        for p in [2u64, 3, 7, 10, 100, 251, 65_535] {
            let slack = ((1u128 << 63) / u128::from(p)) as u64 - 2;
            for m in 0..p {
                let phase = encode_modulo(m, p);
                assert_eq!(
                    [phase, phase.wrapping_add(slack), phase.wrapping_sub(slack)].map(|x| decode_modulo(x, p)),
                    [m; 3]
                );
            }
            assert_eq!(encode_modulo(p, p), 0);
            // Wide words say the same more precisely.
            for m in [0, 1, p / 3, p - 1] {
                let wide = encode_modulo_wide(m, p);
                assert_eq!((wide.wrapping_add(1 << 63) >> 64) as u64, encode_modulo(m, p), "{m} modulo {p}");
                let error = wide.wrapping_mul(p.into()).wrapping_add((p / 2).into());
                assert!(error <= p.into(), "{m} modulo {p}: p times it is an integer but for {error} - p/2");
            }
        }
    }
}
