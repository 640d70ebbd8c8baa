//! Conversion from one basis to another. Bounds and proofs: `docs/basis-conversion.md`.

use super::basis::{Basis, product};
use crate::isa::Isa;
use crate::mem::{AlignedVec, Scratch, scratch_bytes};
use crate::modulus::lanes::{LaneFactor, Lanes, Origin, Sum};
use crate::modulus::{Factor, Modulus};
use crate::simd::{self, Kernel, LANES, Simd};

/// Conversion of integers modulo Q, from residues modulo q_i to residues modulo the p_j of another basis.
///
/// With y_i = x·(Q/q_i)^-1 modulo q_i, balanced, x = Σ_i y_i·Q/q_i − v·Q, v = round(Σ_i y_i/q_i). Sums of eight products are
/// reduced at once; v is computed in `f64`.
#[derive(Debug, Clone)]
pub struct Conversion {
    from: Vec<Modulus>,
    to: Vec<Modulus>,
    /// (Q/q_i)^-1 modulo q_i.
    inverses: Vec<Factor>,
    /// For each p_j all Q/q_i, then −Q, balanced.
    matrix: AlignedVec<f64>,
    /// All |y_i| and |v| are below 2^(bits − 1).
    bits: u32,
    isa: Isa,
}

impl Conversion {
    /// The conversion on the selected instruction set, [`Isa::selected`].
    #[must_use]
    pub fn new(from: &Basis, to: &Basis) -> Self {
        Self::on(Isa::selected(), from, to)
    }

    /// The conversion on `isa`, lowered to what the processor has.
    #[must_use]
    pub fn on(isa: Isa, from: &Basis, to: &Basis) -> Self {
        let all = from.moduli();
        // Q/q_i modulo p.
        let cofactor = |i: usize, p: Modulus| p.mul(product(&all[..i], p), product(&all[i + 1..], p));
        let inverse =
            |(i, &q): (usize, &Modulus)| q.factor(q.inverse(cofactor(i, q)).expect("the primes are distinct"));
        let row = |&p: &Modulus| {
            let cofactors = (0..all.len()).map(move |i| cofactor(i, p));
            cofactors.chain([p.neg(product(all, p))]).map(move |x| p.balance(x))
        };
        let matrix: Vec<_> = to.moduli().iter().flat_map(row).collect();
        Self {
            from: all.to_vec(),
            to: to.moduli().to_vec(),
            inverses: all.iter().enumerate().map(inverse).collect(),
            matrix: AlignedVec::from_slice(&matrix),
            // |v| ≤ 64.
            bits: all.iter().map(|q| q.bits()).fold(8, u32::max),
            isa,
        }
    }

    /// The bytes of scratch that [`Conversion::convert_into`] needs.
    #[must_use]
    pub fn scratch_bytes(&self) -> usize {
        scratch_bytes::<f64>((self.from.len() + 1) * COLUMN * LANES)
    }

    /// `out` = x modulo p_j for all j, for `input` = x modulo q_i for all i, both limb-major polynomials of any degree
    /// N that is a multiple of 16.
    ///
    /// x is the representative of least absolute value if |x| ≤ (1/2 − k²·2^-53)·Q, k the number of q_i; nearer to ±Q/2 it may be that plus or
    /// minus Q. Cost: about 4k·(k' + 2) instructions for eight coefficients and k' primes p_j.
    ///
    /// # Panics
    /// If the lengths do not fit each other, a basis has more than 128 primes, or the scratch is too small.
    pub fn convert_into(&self, out: &mut [f64], input: &[f64], scratch: Scratch<'_>) {
        let degree = input.len() / self.from.len();
        assert!(input.len() == degree * self.from.len(), "{} numbers for {} primes", input.len(), self.from.len());
        assert!(out.len() == degree * self.to.len(), "{} numbers for {} primes", out.len(), self.to.len());
        let mut outs: [&mut [f64]; MAX_PRIMES] = std::array::from_fn(|_| Default::default());
        let mut inputs = [&[] as &[f64]; MAX_PRIMES];
        outs.iter_mut().zip(out.chunks_exact_mut(degree)).for_each(|(limb, out)| *limb = out);
        inputs.iter_mut().zip(input.chunks_exact(degree)).for_each(|(limb, input)| *limb = input);
        self.convert_limbs_into(&mut outs[..self.to.len()], &inputs[..self.from.len()], scratch);
    }

    /// [`Conversion::convert_into`] for limbs, or equal parts of limbs, that lie apart.
    ///
    /// # Panics
    /// As [`Conversion::convert_into`].
    pub fn convert_limbs_into<'a>(&self, out: &mut [&'a mut [f64]], input: &[&'a [f64]], scratch: Scratch<'_>) {
        let degree = input.first().map_or(0, |limb| limb.len());
        assert!(degree.is_multiple_of(2 * LANES), "limbs of {degree} numbers: not a multiple of {}", 2 * LANES);
        assert!(
            input.len() == self.from.len() && input.iter().all(|limb| limb.len() == degree),
            "one limb of input for each of {} primes, of equal length",
            self.from.len()
        );
        assert!(
            out.len() == self.to.len() && out.iter().all(|limb| limb.len() == degree),
            "one limb of output for each of {} primes, of equal length",
            self.to.len()
        );
        let (columns, _) = scratch.take::<f64>((self.from.len() + 1) * COLUMN * LANES);
        let columns = columns.as_chunks_mut().0.as_chunks_mut().0;
        simd::run(self.isa, Convert { plan: self, blocks: degree / LANES, out, input, columns });
    }
}

/// The most primes of either basis.
const MAX_PRIMES: usize = 128;

/// Vectors of a column: what is read or written of one limb before the next.
const COLUMN: usize = 16;

struct Convert<'a, 'b> {
    plan: &'a Conversion,
    /// Vectors of a limb.
    blocks: usize,
    out: &'a mut [&'b mut [f64]],
    input: &'a [&'b [f64]],
    /// Columns of y_0, y_1, …, v.
    columns: &'a mut [[[f64; LANES]; COLUMN]],
}

impl Kernel for Convert<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        for block in (0..self.blocks).step_by(COLUMN) {
            let width = COLUMN.min(self.blocks - block);
            self.read(s, block, width);
            // As many sums at a time as registers hold.
            if S::EVEX && width.is_multiple_of(4) {
                self.write::<S, 4>(s, block, width);
            } else {
                self.write::<S, 2>(s, block, width);
            }
        }
    }
}

// Plain loops: calls of iterators may be compiled apart, without the instruction set.
#[expect(clippy::needless_range_loop, reason = "iterators would not always inherit the instruction set")]
impl Convert<'_, '_> {
    /// y_0, y_1, …, v of `width` vectors from number `block` on.
    #[inline(always)]
    fn read<S: Simd>(&mut self, s: S, block: usize, width: usize) {
        let Some((quotients, columns)) = self.columns.split_last_mut() else { return };
        let quotients = &mut quotients[..width];
        for i in 0..columns.len() {
            let (q, inverse) = (self.plan.from[i], self.plan.inverses[i]);
            let (p, w, reciprocal) = (Lanes::new(s, q), LaneFactor::splat(s, inverse), s.splat(q.reciprocal()));
            let input = &self.input[i].as_chunks().0[block..][..width];
            let column = &mut columns[i][..width];
            for n in 0..width {
                let product = p.balance(s, p.mul_factor_lazy(s, s.load(&input[n]), w));
                let quotient = if i == 0 { s.splat(0.0) } else { s.load(&quotients[n]) };
                s.store(&mut quotients[n], s.mul_add(product, reciprocal, quotient));
                s.store(&mut column[n], product);
            }
        }
        let p = Lanes::new(s, self.plan.from[0]);
        for n in 0..width {
            let quotient = p.round(s, s.load(&quotients[n]));
            s.store(&mut quotients[n], quotient);
        }
    }

    /// The sums modulo all p_j, W vectors at a time.
    #[inline(always)]
    fn write<S: Simd, const W: usize>(&mut self, s: S, block: usize, width: usize) {
        let terms = self.columns.len();
        // v, the last factor, is at most 4 for eight primes.
        let at_once = Sum::<S::V>::TERMS + usize::from(terms == Sum::<S::V>::TERMS + 1);
        for j in 0..self.plan.to.len() {
            let modulus = self.plan.to[j];
            let p = Lanes::new(s, modulus);
            let origin = Origin::new(s, self.plan.bits, modulus);
            let row = &self.plan.matrix[j * terms..][..terms];
            let out = &mut self.out[j].as_chunks_mut().0[block..][..width];
            for n in 0..width / W {
                let mut totals = [s.splat(0.0); W];
                let mut from = 0;
                while from < terms {
                    let to = terms.min(from + at_once);
                    let mut sums = [Sum::new(origin, totals[0]); W];
                    for k in 1..W {
                        sums[k] = Sum::new(origin, totals[k]);
                    }
                    for i in from..to {
                        let (factor, column) = (s.splat(row[i]), &self.columns[i].as_chunks::<W>().0[n]);
                        for k in 0..W {
                            sums[k].add_product(s, s.load(&column[k]), factor);
                        }
                    }
                    for k in 0..W {
                        totals[k] = sums[k].balance(s, &p);
                    }
                    from = to;
                }
                for k in 0..W {
                    s.store(&mut out[n * W + k], totals[k]);
                }
            }
        }
    }
}
