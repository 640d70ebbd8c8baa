//! Twiddles as words.

use crate::modulus::{Factor, Modulus};
use crate::ntt::tables::{Pair, Twiddle};

/// From balanced residues to words.
pub(in crate::ntt) struct Setup {
    modulus: Modulus,
    /// 2^52 modulo p.
    unit: Factor,
    /// −1/p modulo 2^52.
    inverse: u64,
}

/// w̃ = w·2^52 modulo p, the odd one of the two below 2p, and −w̃/p modulo 2^52.
impl Twiddle for u64 {
    type Setup = Setup;

    fn setup(modulus: Modulus) -> Setup {
        let unit = modulus.factor(modulus.reduce(1 << 52));
        Setup { modulus, unit, inverse: negative_inverse(modulus) }
    }

    fn pair(setup: &Setup, w: f64) -> Pair<u64> {
        let p = setup.modulus.value() as i64;
        let word = setup.modulus.mul_factor(w, setup.unit) as i64;
        let word = if word < 0 { word + p } else { word };
        let word = (if word % 2 == 0 { word + p } else { word }) as u64;
        [word, word.wrapping_mul(setup.inverse) & LOW]
    }
}

/// The low 52 bits.
pub(super) const LOW: u64 = (1 << 52) - 1;

/// −1/p modulo 2^52.
pub(super) fn negative_inverse(modulus: Modulus) -> u64 {
    let p = modulus.value();
    // p·p = 1 modulo 8, and each step doubles the number of right bits.
    let inverse = (0..5).fold(p, |x, _| x.wrapping_mul(2u64.wrapping_sub(p.wrapping_mul(x))));
    inverse.wrapping_neg() & LOW
}
