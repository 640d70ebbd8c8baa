//! The terms of a block's sum, by the shift of their monomials.

use crate::simd::BlockShape;

/// A key matrix and its monomial X^e = X^`shift`·Y^`power`.
#[derive(Clone, Copy, Default)]
pub(super) struct Term {
    /// Where the matrix starts in a chunk of the key.
    pub(super) start: usize,
    pub(super) shift: usize,
    pub(super) power: usize,
}

impl Term {
    /// The terms with e_i ≠ 0, by shift.
    pub(super) fn sorted(
        shape: BlockShape,
        degree: usize,
        exponents: &[u32],
    ) -> ([Self; BlockShape::MAX_BLOCK], usize) {
        let BlockShape { extension, rows, cols, .. } = shape;
        let mut terms = [Self::default(); BlockShape::MAX_BLOCK];
        let mut count = 0;
        for (index, &exponent) in exponents.iter().enumerate() {
            let exponent = exponent as usize;
            assert!(exponent < 2 * extension * degree, "exponent {exponent} is not below 2νN");
            if exponent != 0 {
                let (shift, power) = (exponent % extension, exponent / extension);
                terms[count] = Self { start: index * rows * cols, shift, power };
                count += 1;
            }
        }
        terms[..count].sort_unstable_by_key(|term| term.shift);
        (terms, count)
    }
}

/// The terms of one shift, `start`, …, `end` − 1.
#[derive(Clone, Copy, Default)]
pub(super) struct Group {
    pub(super) shift: usize,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Group {
    /// All groups: that of shift 0 first, even if it has no terms.
    pub(super) fn all(terms: &[Term]) -> ([Self; BlockShape::MAX_BLOCK + 1], usize) {
        let mut groups = [Self::default(); BlockShape::MAX_BLOCK + 1];
        let mut last = 0;
        for (i, term) in terms.iter().enumerate() {
            if term.shift != groups[last].shift {
                last += 1;
                groups[last] = Self { shift: term.shift, start: i, end: i };
            }
            groups[last].end = i + 1;
        }
        (groups, last + 1)
    }
}
