//! Division by a part of the modulus, with rounding: rescaling and modulus switching.

use super::{Basis, Conversion};
use crate::error::RingError;
use crate::isa::Isa;
use crate::mem::{Scratch, scratch_bytes};
use crate::modulus::lanes::{LaneFactor, Lanes};
use crate::modulus::{Factor, Modulus};
use crate::simd::{self, Kernel, LANES, Simd};

/// x modulo Q·P ↦ round(x/P) modulo Q, for a basis of Q that is kept and one of P that is dropped.
///
/// With r ≡ x modulo P, |r| ≤ (P − 1)/2, the nearest integer is (x − r)/P. Residues of r modulo the kept primes come from
/// [`Conversion`], which is right but for r within k²·2^-53·P of ±P/2, where the rounding may go the other way.
#[derive(Debug, Clone)]
pub struct Division {
    conversion: Conversion,
    kept: Vec<Modulus>,
    /// 1/P modulo each kept prime.
    inverses: Vec<Factor>,
    isa: Isa,
}

impl Division {
    /// The division on the selected instruction set, [`Isa::selected`].
    ///
    /// # Errors
    /// [`RingError::Basis`] if a prime is in both.
    pub fn new(kept: &Basis, dropped: &Basis) -> Result<Self, RingError> {
        Self::on(Isa::selected(), kept, dropped)
    }

    /// The division on `isa`, lowered to what the processor has.
    ///
    /// # Errors
    /// [`RingError::Basis`] if a prime is in both.
    pub fn on(isa: Isa, kept: &Basis, dropped: &Basis) -> Result<Self, RingError> {
        let inverse = |&q: &Modulus| {
            let inverse = q.inverse(dropped.product_modulo(q));
            inverse.map(|x| q.factor(x)).ok_or(RingError::Basis { repeated: Some(q.value()) })
        };
        let inverses = kept.moduli().iter().map(inverse).collect::<Result<_, _>>()?;
        Ok(Self { conversion: Conversion::on(isa, dropped, kept), kept: kept.moduli().to_vec(), inverses, isa })
    }

    /// From the dropped primes to the kept ones: what division does first. On values, transform back before and forth after it.
    #[must_use]
    pub fn conversion(&self) -> &Conversion {
        &self.conversion
    }

    /// 1/P modulo each kept prime: what `Ntt::sub_mul_factor_assign` ends a division on values with.
    #[must_use]
    pub fn inverses(&self) -> &[Factor] {
        &self.inverses
    }

    /// The bytes of scratch that [`Division::divide_assign`] needs for degree N.
    #[must_use]
    pub fn scratch_bytes(&self, degree: usize) -> usize {
        self.conversion.scratch_bytes() + scratch_bytes::<f64>(degree * self.kept.len())
    }

    /// `kept` ← round(x/P), coefficient by coefficient, for x of residues `kept` and `dropped`, limb-major.
    ///
    /// # Panics
    /// If the lengths do not fit each other, or the scratch is too small.
    pub fn divide_assign(&self, kept: &mut [f64], dropped: &[f64], scratch: Scratch<'_>) {
        let degree = kept.len() / self.kept.len();
        let (remainder, scratch) = scratch.take::<f64>(kept.len());
        self.conversion.convert_into(remainder, dropped, scratch);
        simd::run(self.isa, Divide { plan: self, blocks: degree / LANES, kept, remainder });
    }
}

struct Divide<'a> {
    plan: &'a Division,
    /// Vectors of a limb.
    blocks: usize,
    kept: &'a mut [f64],
    remainder: &'a [f64],
}

impl Kernel for Divide<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let len = self.blocks * LANES;
        let limbs = self.kept.chunks_exact_mut(len).zip(self.remainder.chunks_exact(len));
        for ((kept, remainder), (&q, &inverse)) in limbs.zip(self.plan.kept.iter().zip(&self.plan.inverses)) {
            let (p, w) = (Lanes::new(s, q), LaneFactor::splat(s, inverse));
            for (x, r) in kept.as_chunks_mut().0.iter_mut().zip(remainder.as_chunks().0) {
                let quotient = p.mul_factor_lazy(s, s.sub(s.load(x), s.load(r)), w);
                s.store(x, p.balance(s, quotient));
            }
        }
    }
}
