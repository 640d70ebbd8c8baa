//! Twiddles as words.

use crate::modulus::{Factor, Modulus};
use crate::ntt::tables::{Pair, Twiddle};

/// From balanced residues to words.
pub(in crate::ntt) struct Setup {
    pub(super) modulus: Modulus,
    /// 2^52 modulo p.
    unit: Factor,
    /// −1/p modulo 2^52.
    inverse: u64,
    /// ⌊2^52·(2^b/p − 1)⌋ with b the bits of p.
    pub(super) excess: u64,
    /// The factor 1.
    pub(super) one: Pair<u64>,
}

impl Twiddle for u64 {
    type Setup = Setup;

    fn setup(modulus: Modulus) -> Setup {
        Setup::new(modulus)
    }

    fn pair(setup: &Setup, w: f64) -> Pair<u64> {
        setup.pair(w)
    }
}

impl Setup {
    pub(super) fn new(modulus: Modulus) -> Self {
        let p = modulus.value();
        let excess = u128::from((1 << modulus.bits()) - p) * (1 << 52) / u128::from(p);
        let unit = modulus.factor(modulus.reduce(1 << 52));
        let mut setup = Self { modulus, unit, inverse: negative_inverse(p), excess: excess as u64, one: [0; 2] };
        setup.one = setup.pair(1.0);
        setup
    }

    /// The high and the low 52 bits of ⌈w·2^104/p⌉, for a residue w, which is not 0.
    pub(super) fn pair(&self, w: f64) -> Pair<u64> {
        let (high, rest) = self.quotient(w);
        let (low, _) = self.quotient(rest);
        [high, low + 1]
    }

    /// ⌊w·2^52/p⌋ and the balanced rest, for a residue w, which is not 0.
    fn quotient(&self, w: f64) -> (u64, f64) {
        let rest = self.modulus.mul_factor(w, self.unit);
        (self.modulus.unbalance(rest).wrapping_mul(self.inverse) & LOW, rest)
    }
}

/// The low 52 bits.
pub(super) const LOW: u64 = (1 << 52) - 1;

/// −1/p modulo 2^52.
fn negative_inverse(p: u64) -> u64 {
    // p·p = 1 modulo 8, and each step doubles the number of right bits.
    let inverse = (0..5).fold(p, |x, _| x.wrapping_mul(2u64.wrapping_sub(p.wrapping_mul(x))));
    inverse.wrapping_neg() & LOW
}
