//! The Galois group of a ring as it acts on slots.
//!
//! The automorphisms X ↦ X^g of Z\[X\]/(X^N + 1), g odd modulo 2N, permute the slots, and act within them: by complex
//! conjugation on the complex numbers, by powers of the Frobenius automorphism on a Galois ring. The group is generated
//! by 5, of order N/2, and by −1.
use std::fmt;

use bootes_lattice::rns::galois::power;

/// What an automorphism does to slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GaloisAction {
    /// Slots are rotated to the left along an axis of [`GaloisGroup::axes`].
    Rotation {
        /// The number of the axis.
        axis: usize,
        /// By how many slots, modulo the length of the axis.
        by: i64,
    },
    /// Complex numbers are conjugated: X ↦ X^-1.
    Conjugation,
    /// x ↦ x^(p^`power`) within the Galois ring of each slot: X ↦ X^(p^`power`).
    Frobenius {
        /// The power.
        power: u32,
    },
}

impl GaloisAction {
    /// The rotation by `by` along the first axis.
    #[must_use]
    pub fn rotation(by: i64) -> Self {
        Self::Rotation { axis: 0, by }
    }
}

impl fmt::Display for GaloisAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rotation { axis: 0, by } => write!(f, "rotation by {by}"),
            Self::Rotation { axis, by } => write!(f, "rotation by {by} along axis {axis}"),
            Self::Conjugation => write!(f, "complex conjugation"),
            Self::Frobenius { power } => write!(f, "Frobenius automorphism to the power {power}"),
        }
    }
}

/// An axis of the slots: X ↦ X^generator rotates them by 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Axis {
    /// The generator, odd and below 2N.
    pub generator: usize,
    /// How many slots there are along it.
    pub length: usize,
}

/// The group modulo 2N: the axes of the slots, and what acts within them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GaloisGroup {
    degree: usize,
    axes: Vec<Axis>,
    /// p modulo 2N; 1 for complex slots.
    frobenius: usize,
}

impl GaloisGroup {
    /// Complex slots, N/2 along one axis, of the degree N ≥ 4.
    #[must_use]
    pub fn complex(degree: usize) -> Self {
        Self { degree, axes: vec![Axis { generator: 5, length: degree / 2 }], frobenius: 1 }
    }

    /// Slots over Z_p for an odd prime p and a degree N ≥ 4, a power of two: N/d Galois rings of degree d, the order of
    /// p modulo 2N.
    ///
    /// For p ≡ 1 modulo 4 the slots are two rows of N/(2d), rotated by 5 and exchanged by −1. For p ≡ 3 modulo 4, −1 is
    /// a power of 5 times one of p, and the slots are one row of N/d. An axis wraps around with a power of the Frobenius
    /// automorphism, which numbers of Z_p in slots do not see.
    ///
    /// # Panics
    /// If p is even.
    #[must_use]
    pub fn finite(degree: usize, p: u64) -> Self {
        assert!(p % 2 == 1, "an even plaintext modulus has no slots");
        let frobenius = (p % (2 * degree as u64)) as usize;
        let order = (0..).map(|i| 1 << i).find(|&d| power(frobenius, d, 2 * degree) == 1).expect("a group of order N");
        let all = degree / order;
        let axes = match p % 4 {
            1 => vec![Axis { generator: 5, length: all / 2 }, Axis { generator: 2 * degree - 1, length: 2 }],
            _ => vec![Axis { generator: 5, length: all }],
        };
        Self { degree, axes, frobenius }
    }

    /// N.
    #[must_use]
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// The axes: a slot is a number along each.
    #[must_use]
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// The number of slots.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.axes.iter().map(|axis| axis.length).product()
    }

    /// The exponent g of an action: X ↦ X^g.
    ///
    /// # Panics
    /// If there is no such axis.
    #[must_use]
    pub fn exponent(&self, action: GaloisAction) -> usize {
        let modulus = 2 * self.degree;
        match action {
            GaloisAction::Rotation { axis, by } => {
                let Axis { generator, length } = self.axes[axis];
                power(generator, by.rem_euclid(length as i64) as usize, modulus)
            }
            GaloisAction::Conjugation => modulus - 1,
            GaloisAction::Frobenius { power: n } => power(self.frobenius, n as usize, modulus),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Rotations along the axes and powers of p make up the whole group, each element once.
    #[test]
    fn axes_and_frobenius_are_the_group() {
        for degree in [4, 8, 64, 1024] {
            let group = GaloisGroup::complex(degree);
            assert_eq!((group.slots(), group.exponent(GaloisAction::rotation(-1)) * 5 % (2 * degree)), (degree / 2, 1));
            for p in [3, 5, 7, 17, 31, 97, 127, 257, 65537] {
                let group = GaloisGroup::finite(degree, p);
                let mut found = HashSet::new();
                for slot in 0..group.slots() {
                    let mut rest = slot;
                    let exponent = group.axes().iter().enumerate().fold(1, |exponent, (axis, a)| {
                        let by = (rest % a.length) as i64;
                        rest /= a.length;
                        exponent * group.exponent(GaloisAction::Rotation { axis, by }) % (2 * degree)
                    });
                    for power in 0..(degree / group.slots()) as u32 {
                        found.insert(exponent * group.exponent(GaloisAction::Frobenius { power }) % (2 * degree));
                    }
                }
                assert_eq!(found.len(), degree, "degree {degree}, p = {p}: {group:?}");
            }
        }
    }

    #[test]
    fn actions_have_names() {
        let named = [
            (GaloisAction::rotation(-3), "rotation by -3"),
            (GaloisAction::Rotation { axis: 1, by: 1 }, "rotation by 1 along axis 1"),
            (GaloisAction::Conjugation, "complex conjugation"),
        ];
        assert!(named.iter().all(|(action, name)| action.to_string() == *name));
    }
}
