//! Integers modulo p = 2^bits on the torus: m ↦ m·2^64/p, the whole circle, no padding bit.

/// Encodes m ∈ Z_{2^bits}, 0 ≤ bits ≤ 63.
pub fn encode(message: u64, bits: u32) -> u64 {
    if bits == 0 { 0 } else { message << (64 - bits) }
}

/// Decodes the nearest message of Z_{2^bits}; right while the noise is below half a step, 2^−bits/2 of the torus.
pub fn decode(phase: u64, bits: u32) -> u64 {
    if bits == 0 { 0 } else { phase.wrapping_add(1 << (63 - bits)) >> (64 - bits) }
}
