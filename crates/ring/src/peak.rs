//! The peak of the multiply-add unit: a loop without memory, as a yardstick for benchmarks.

use std::hint::black_box;

use crate::isa::Isa;
use crate::simd::{self, Kernel, LANES, Simd};

/// Runs `rounds` rounds of independent multiply-adds in registers and returns how many floating-point operations they
/// were, a multiply-add counting two.
///
/// There are enough chains to hide the latency, and few enough to stay in registers, on each instruction set.
#[must_use]
pub fn multiply_adds(isa: Isa, rounds: usize) -> usize {
    fn run<const CHAINS: usize>(isa: Isa, rounds: usize) -> usize {
        let (sum, width) = simd::run(isa, Chains::<CHAINS> { rounds: black_box(rounds), factor: black_box(0.5) });
        black_box(sum);
        2 * width * CHAINS * rounds
    }
    match isa.lowered() {
        Isa::Scalar => run::<1>(isa, rounds),
        Isa::Avx2 | Isa::Avx512 => run::<12>(isa, rounds),
        // Cores have up to four units.
        Isa::Neon => run::<16>(isa, rounds),
    }
}

struct Chains<const CHAINS: usize> {
    rounds: usize,
    factor: f64,
}

impl<const CHAINS: usize> Kernel for Chains<CHAINS> {
    /// What must not be optimised away, and the lanes of a register.
    type Output = (f64, usize);

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Self::Output {
        let (factor, one) = (s.splat(self.factor), s.splat(1.0));
        let mut chains = [one; CHAINS];
        for _ in 0..self.rounds {
            for chain in &mut chains {
                // NEON's instruction overwrites the addend.
                *chain = s.mul_add(factor, factor, *chain);
            }
        }
        let mut sum = chains[0];
        for chain in &chains[1..] {
            sum = s.add(sum, *chain);
        }
        let mut lanes = [0.0; LANES];
        s.store(&mut lanes, 0, sum);
        (lanes.iter().sum(), LANES / S::PARTS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_counted() {
        for &isa in Isa::available_here() {
            assert_eq!(multiply_adds(isa, 10), 10 * multiply_adds(isa, 1));
        }
    }
}
