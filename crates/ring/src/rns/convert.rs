//! Conversion from one basis to another. Bounds and proofs: `docs/basis-conversion.md`.

use super::basis::{Basis, product};
use crate::isa::Isa;
use crate::mem::{AlignedVec, Scratch, scratch_bytes};
use crate::modulus::lanes::{LaneFactor, Lanes, Origin, Sum};
use crate::modulus::{Factor, Modulus};
use crate::simd::{self, Kernel, LANES, Simd};
use crate::tally::{self, Operation};

/// Conversion of integers modulo Q, from residues modulo q_i to residues modulo the p_j of another basis.
///
/// With y_i = x·(Q/q_i)^-1 modulo q_i, balanced, x = Σ_i y_i·Q/q_i − v·Q, v = round(Σ_i y_i/q_i). Sums of eight
/// products are reduced at once; v is computed in `f64`. The *approximate* conversion leaves v away and gives x + v·Q.
#[derive(Debug, Clone)]
pub struct Conversion {
    from: Vec<Modulus>,
    to: Vec<Modulus>,
    /// (Q/q_i)^-1 modulo q_i.
    inverses: Vec<Factor>,
    /// 1/q_i, rounded.
    reciprocals: Vec<f64>,
    /// For each p_j all Q/q_i, then −Q if `corrected`, balanced.
    matrix: AlignedVec<f64>,
    /// Whether v is subtracted. For one prime it is 0.
    corrected: bool,
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
        Self::with(isa, from, to, from.len() > 1)
    }

    /// The approximate conversion (Bajard, Eynard, Hasan, Zucca, SAC 2016): x + v·Q = Σ_i y_i·Q/q_i, for all x.
    ///
    /// |v| ≤ ⌊k/2⌋ and |x + v·Q| < k·Q/2, k the number of q_i: exact for k = 1. For uniform x the result has mean 0 and standard deviation √(k/12)·Q,
    /// √k times that of x.
    #[must_use]
    pub fn approximate(from: &Basis, to: &Basis) -> Self {
        Self::approximate_on(Isa::selected(), from, to)
    }

    /// The approximate conversion on `isa`, lowered to what the processor has.
    #[must_use]
    pub fn approximate_on(isa: Isa, from: &Basis, to: &Basis) -> Self {
        Self::with(isa, from, to, false)
    }

    fn with(isa: Isa, from: &Basis, to: &Basis, corrected: bool) -> Self {
        let all = from.moduli();
        // Q/q_i modulo p.
        let cofactor = |i: usize, p: Modulus| p.mul(product(&all[..i], p), product(&all[i + 1..], p));
        let inverse =
            |(i, &q): (usize, &Modulus)| q.factor(q.inverse(cofactor(i, q)).expect("the primes are distinct"));
        let row = |&p: &Modulus| {
            let cofactors = (0..all.len()).map(move |i| cofactor(i, p));
            cofactors.chain(corrected.then(|| p.neg(product(all, p)))).map(move |x| p.balance(x))
        };
        let matrix: Vec<_> = to.moduli().iter().flat_map(row).collect();
        Self {
            from: all.to_vec(),
            to: to.moduli().to_vec(),
            inverses: all.iter().enumerate().map(inverse).collect(),
            reciprocals: all.iter().map(|q| q.reciprocal()).collect(),
            matrix: AlignedVec::from_slice(&matrix),
            corrected,
            // |v| ≤ 64.
            bits: all.iter().map(|q| q.bits()).fold(8, u32::max),
            isa,
        }
    }

    /// The bytes of scratch that [`Conversion::convert_into`] needs.
    #[must_use]
    pub fn scratch_bytes(&self) -> usize {
        scratch_bytes::<f64>(self.terms() * COLUMN * LANES)
    }

    /// The products in a sum: of all y_i, and of v.
    fn terms(&self) -> usize {
        self.from.len() + usize::from(self.corrected)
    }

    /// `out` = x modulo p_j for all j, for `input` = x modulo q_i for all i, both limb-major polynomials of any degree
    /// N that is a multiple of 16.
    ///
    /// x is the representative of least absolute value if |x| ≤ (1/2 − k²·2^-53)·Q, k the number of q_i; nearer to ±Q/2
    /// it may be that plus or minus Q. The approximate conversion is of that plus v·Q. Cost: about 4k·(k' + 2)
    /// instructions for eight coefficients and k' primes p_j; 4k' + k fewer if approximate.
    ///
    /// # Panics
    /// If the lengths do not fit each other, a basis has more than 128 primes, or the scratch is too small.
    pub fn convert_into(&self, out: &mut [f64], input: &[f64], scratch: Scratch<'_>) {
        let degree = input.len() / self.from.len();
        assert!(input.len() == degree * self.from.len(), "{} numbers for {} primes", input.len(), self.from.len());
        assert!(out.len() == degree * self.to.len(), "{} numbers for {} primes", out.len(), self.to.len());
        assert!(degree.is_multiple_of(2 * LANES), "limbs of {degree} numbers: not a multiple of {}", 2 * LANES);
        let (columns, _) = scratch.take::<f64>(self.terms() * COLUMN * LANES);
        let columns = columns.as_chunks_mut().0.as_chunks_mut().0;
        let (out, input) = (out.as_chunks_mut().0, input.as_chunks().0);
        simd::run(self.isa, Convert { plan: self, blocks: degree / LANES, out, input, columns });
    }

    /// (Q/q_i)^-1 modulo q_i, which makes y_i of x modulo q_i.
    #[must_use]
    pub fn factor(&self, i: usize) -> Factor {
        self.inverses[i]
    }

    /// x modulo some of the p_j, from all y_i, balanced ([`Conversion::factor`]): pairs of j and a limb, or equal parts
    /// of limbs, of a length that is a multiple of 16. Several at a time read the y_i once. x as in
    /// [`Conversion::convert_into`].
    ///
    /// # Panics
    /// If the lengths do not fit each other, or a basis has more than 128 primes.
    pub fn combine_into(&self, out: &mut [(usize, &mut [f64])], prepared: &[&[f64]]) {
        let len = prepared.first().map_or(0, |limb| limb.len());
        assert!(len.is_multiple_of(2 * LANES), "limbs of {len} numbers: not a multiple of {}", 2 * LANES);
        assert!(
            prepared.len() == self.from.len() && prepared.iter().all(|limb| limb.len() == len),
            "one limb for each of {} primes, of equal length",
            self.from.len()
        );
        assert!(out.iter().all(|(j, out)| *j < self.to.len() && out.len() == len), "limbs of {len} numbers");
        tally::count(Operation::Product, out.len() * prepared.len() * len);
        let mut limbs: [&[Block]; MAX_PRIMES] = [&[]; MAX_PRIMES];
        limbs.iter_mut().zip(prepared).for_each(|(blocks, limb)| *blocks = limb.as_chunks().0);
        simd::run(self.isa, Combine { plan: self, blocks: len / LANES, out, prepared: &limbs[..prepared.len()] });
    }
}

/// The most primes of either basis.
const MAX_PRIMES: usize = 128;

/// Vectors of a column: what is read or written of one limb before the next.
const COLUMN: usize = 16;

/// Eight numbers.
type Block = [f64; LANES];

struct Convert<'a> {
    plan: &'a Conversion,
    /// Vectors of a limb.
    blocks: usize,
    out: &'a mut [Block],
    input: &'a [Block],
    /// Columns of y_0, y_1, …, and v if it is subtracted.
    columns: &'a mut [[Block; COLUMN]],
}

// Plain loops: calls of iterators may be compiled apart, without the instruction set.
#[expect(clippy::needless_range_loop, reason = "iterators would not always inherit the instruction set")]
impl Kernel for Convert<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let count = self.plan.from.len();
        let (columns, quotients) = self.columns.split_at_mut(count);
        let quotients = quotients.as_flattened_mut();
        for block in (0..self.blocks).step_by(COLUMN) {
            let width = COLUMN.min(self.blocks - block);
            for i in 0..count {
                let (q, w) = (self.plan.from[i], LaneFactor::splat(s, self.plan.inverses[i]));
                let p = Lanes::new(s, q);
                let input = &self.input[i * self.blocks + block..][..width];
                let column = &mut columns[i][..width];
                for n in 0..width {
                    for part in 0..S::PARTS {
                        let y = p.mul_factor_lazy(s, s.load(&input[n], part), w);
                        s.store(&mut column[n], part, p.balance(s, y));
                    }
                }
            }
            let mut y: [&[Block]; MAX_PRIMES] = [&[]; MAX_PRIMES];
            for i in 0..count {
                y[i] = &columns[i][..width];
            }
            if self.plan.corrected {
                self.plan.quotients(s, &mut quotients[..width], &y[..count], 0);
            }
            for j in 0..self.plan.to.len() {
                let out = &mut self.out[j * self.blocks + block..][..width];
                self.plan.sums(s, j, out, &y[..count], 0, quotients);
            }
        }
    }
}

struct Combine<'a, 'b> {
    plan: &'a Conversion,
    /// Vectors of a limb.
    blocks: usize,
    out: &'a mut [(usize, &'b mut [f64])],
    prepared: &'a [&'a [Block]],
}

impl Kernel for Combine<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let mut quotients = [[0.0; LANES]; COLUMN];
        for block in (0..self.blocks).step_by(COLUMN) {
            let width = COLUMN.min(self.blocks - block);
            if self.plan.corrected {
                self.plan.quotients(s, &mut quotients[..width], self.prepared, block);
            }
            for k in 0..self.out.len() {
                let (j, out) = &mut self.out[k];
                let out = &mut out.as_chunks_mut().0[block..][..width];
                self.plan.sums(s, *j, out, self.prepared, block, &quotients);
            }
        }
    }
}

impl Conversion {
    /// v of the vectors from number `block` of the limbs `y` on, an even number: as many at a time as hide the latency
    /// of sums.
    #[inline(always)]
    fn quotients<S: Simd>(&self, s: S, out: &mut [Block], y: &[&[Block]], block: usize) {
        if out.len().is_multiple_of(4) {
            self.quotients_of::<S, 4>(s, out, y, block);
        } else {
            self.quotients_of::<S, 2>(s, out, y, block);
        }
    }

    /// A part of W blocks at a time.
    #[inline(always)]
    fn quotients_of<S: Simd, const W: usize>(&self, s: S, out: &mut [Block], y: &[&[Block]], block: usize) {
        let p = Lanes::new(s, self.from[0]);
        for n in 0..out.len() / W {
            for part in 0..S::PARTS {
                let mut sums = [s.splat(0.0); W];
                for i in 0..y.len() {
                    let (reciprocal, y) = (s.splat(self.reciprocals[i]), &y[i][block + n * W..][..W]);
                    for k in 0..W {
                        sums[k] = s.mul_add(s.load(&y[k], part), reciprocal, sums[k]);
                    }
                }
                for k in 0..W {
                    s.store(&mut out[n * W + k], part, p.round(s, sums[k]));
                }
            }
        }
    }

    /// x modulo p_j, of the vectors from number `block` of the limbs `y` on, v if it is subtracted: as many sums at a
    /// time as registers hold.
    #[inline(always)]
    fn sums<S: Simd>(&self, s: S, j: usize, out: &mut [Block], y: &[&[Block]], block: usize, v: &[Block]) {
        if S::BROADCASTS && out.len().is_multiple_of(8) {
            self.sums_of::<S, 8>(s, j, out, y, block, v);
        } else if out.len().is_multiple_of(4) {
            self.sums_of::<S, 4>(s, j, out, y, block, v);
        } else {
            self.sums_of::<S, 2>(s, j, out, y, block, v);
        }
    }

    /// A part of W blocks at a time.
    #[inline(always)]
    fn sums_of<S: Simd, const W: usize>(
        &self,
        s: S,
        j: usize,
        out: &mut [Block],
        y: &[&[Block]],
        block: usize,
        v: &[Block],
    ) {
        let (terms, most) = (self.terms(), Sum::<S::V>::TERMS);
        // v, the last factor, is at most 4 for eight primes.
        let at_once = most + usize::from(self.corrected && y.len() == most);
        let modulus = self.to[j];
        let p = Lanes::new(s, modulus);
        let origin = Origin::new(s, self.bits, modulus);
        let row = &self.matrix[j * terms..][..terms];
        for n in 0..out.len() / W {
            for part in 0..S::PARTS {
                let mut totals = [s.splat(0.0); W];
                let mut from = 0;
                while from < terms {
                    let to = terms.min(from + at_once);
                    let mut sums = [Sum::new(origin, totals[0]); W];
                    for k in 1..W {
                        sums[k] = Sum::new(origin, totals[k]);
                    }
                    for i in from..to {
                        let factor = s.splat(row[i]);
                        let column = if i < y.len() { &y[i][block + n * W..][..W] } else { &v[n * W..][..W] };
                        for k in 0..W {
                            sums[k].add_product(s, s.load(&column[k], part), factor);
                        }
                    }
                    for k in 0..W {
                        totals[k] = sums[k].balance(s, &p);
                    }
                    from = to;
                }
                for k in 0..W {
                    s.store(&mut out[n * W + k], part, totals[k]);
                }
            }
        }
    }
}
