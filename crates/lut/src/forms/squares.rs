//! Products by squares, where tables of one sum cost as one: x·y = ((x + y)² − x² − y²)/2, and what makes x makes x².
use super::{Atom, Form, Lowering, Unary, plus};
use crate::Interval;
use crate::program::{Kind, PairOp};

impl Lowering<'_> {
    /// x·y, of this range, if both are what tables make and there is room for twice as much.
    pub(super) fn half_of_squares(&mut self, x: &Form, y: &Form, range: Interval) -> Option<Form> {
        let doubles = range.times(2)?;
        if self.limbs.as_ref().is_some_and(|limbs| !doubles.is_in_residues(limbs.most + 1)) {
            return None;
        }
        let doubles = Kind::Integers(doubles);
        let (of_x, of_y) = (self.square_beside(x)?, self.square_beside(y)?);
        let both = x.combined(1, y, 1, plus(x, y));
        let square = square_of(both.range())?;
        let double = self.image_of(Unary::Square, both, square).combined(1, &of_x, -1, doubles);
        let double = double.combined(1, &of_y, -1, doubles);
        Some(self.atom(Atom::Quotient(double, 1, range), Kind::Integers(range)))
    }

    /// x², by a table of what x is a table of.
    fn square_beside(&mut self, x: &Form) -> Option<Form> {
        let mut terms = x.terms();
        let (Some((atom, 1)), None, 0) = (terms.next(), terms.next(), x.constant) else { return None };
        let (function, of) = match &self.atoms[atom] {
            Atom::Image(Unary::Identity, of) => (Unary::Square, of.clone()),
            Atom::Image(Unary::Left(PairOp::And, mask, _), of) if *mask > 0 && mask & (mask + 1) == 0 => {
                (Unary::SquareOfLow(mask.trailing_ones()), of.clone())
            }
            _ => return None,
        };
        Some(self.image_of(function, of, square_of(x.range())?))
    }
}

/// What squares of integers of a range are between.
fn square_of(range: Interval) -> Option<Interval> {
    let most = range.min.checked_abs()?.max(range.max);
    Some(Interval { min: 0, max: most.checked_mul(most)? })
}
