//! Functions of two integers that are made of tables.
use crate::Interval;
use crate::integer::MOST_BITS;
use std::fmt;
use std::str::FromStr;

/// A function of two integers x and y. Bits are those of two's complement, of as many as it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PairOp {
    /// ⌊x/y⌋; for y = 0 the ones of as many bits as the largest x has.
    Div,
    /// x − y·⌊x/y⌋, of the sign of y; x for y = 0.
    Rem,
    /// The bits that both have.
    And,
    /// The bits that either has.
    Or,
    /// The bits in which they differ.
    Xor,
    /// x·2^y for y ≥ 0.
    Shl,
    /// ⌊x/2^y⌋ for y ≥ 0.
    Shr,
}

/// Pairs of values that are counted out to know the range of the images.
const COUNTED: i128 = 1 << 16;

impl PairOp {
    /// All.
    const ALL: [Self; 7] = [Self::Div, Self::Rem, Self::And, Self::Or, Self::Xor, Self::Shl, Self::Shr];

    /// Those that are written as functions.
    pub(super) const FUNCTIONS: &[Self] = Self::ALL.split_at(2).1;

    /// Whether it is one of `and`, `or` and `xor`, bit by bit.
    pub(super) fn is_bitwise(self) -> bool {
        matches!(self, Self::And | Self::Or | Self::Xor)
    }

    /// The specification, for x of a range.
    ///
    /// # Panics
    /// For a shift by y < 0.
    #[must_use]
    pub fn apply(self, x: i128, y: i128, range: Interval) -> i128 {
        match self {
            Self::Div if y == 0 => Interval::unsigned(Interval { min: 0, max: range.max.max(0) }.width()).max,
            Self::Rem if y == 0 => x,
            // Those of Euclid are ⌊·⌋ where y > 0.
            Self::Div => (x * y.signum()).div_euclid(y.abs()),
            Self::Rem => y.signum() * (x * y.signum()).rem_euclid(y.abs()),
            Self::And => x & y,
            Self::Or => x | y,
            Self::Xor => x ^ y,
            Self::Shl => x << y,
            Self::Shr => x >> y.min(127),
        }
    }

    /// The range of its images; none where there is no image, or one beyond 128 bits.
    #[must_use]
    pub fn range(self, x: Interval, y: Interval) -> Option<Interval> {
        let is_shift = matches!(self, Self::Shl | Self::Shr);
        if (y.min < 0 && is_shift) || (self == Self::Shl && y.max > MOST_BITS.into()) {
            return None;
        }
        if self == Self::Shl {
            return Some(x.times(1 << y.min)?.union(x.times(1 << y.max)?));
        }
        let counts = [x, y].map(|range| range.max.checked_sub(range.min).and_then(|span| span.checked_add(1)));
        if let [Some(a), Some(b)] = counts
            && a.checked_mul(b).is_some_and(|pairs| pairs <= COUNTED)
        {
            let pairs = (x.min..=x.max).flat_map(|a| (y.min..=y.max).map(move |b| (a, b)));
            return Interval::of(pairs.map(|(a, b)| self.apply(a, b, x)));
        }
        let bits = x.width().max(y.width());
        let of_bits = match x.min.min(y.min) {
            0.. => Interval::unsigned(bits),
            _ => Interval::signed(bits + 1),
        };
        Some(match self {
            Self::And if x.min >= 0 && y.min >= 0 => Interval { min: 0, max: x.max.min(y.max) },
            Self::And | Self::Or | Self::Xor => of_bits,
            Self::Rem if y.min > 0 => {
                Interval { min: 0, max: (y.max - 1).min(if x.min < 0 { i128::MAX } else { x.max }) }
            }
            // x is left by 0.
            Self::Rem => {
                let rests = Interval { min: (y.min + 1).min(0), max: (y.max - 1).max(0) };
                if y.has(0) { rests.union(x) } else { rests }
            }
            // Quotients are largest where the divisor is least, in size.
            Self::Div if y.min > 0 => Interval {
                min: x.min.div_euclid(if x.min < 0 { y.min } else { y.max }),
                max: x.max.div_euclid(if x.max < 0 { y.max } else { y.min }),
            },
            // ⌊x/y⌋ = ⌊−x/−y⌋.
            Self::Div if y.max < 0 => return self.range(x.times(-1)?, y.times(-1)?),
            Self::Div => {
                let by_positive = x.union(Interval { min: 0, max: if y.has(0) { self.apply(0, 0, x) } else { 0 } });
                if y.min < 0 { by_positive.union(x.times(-1)?) } else { by_positive }
            }
            Self::Shr => {
                let shifted = |x: i128, [less, more]: [i128; 2]| x >> if x < 0 { less } else { more }.min(127);
                let [least, most] = [y.min, y.max];
                Interval { min: shifted(x.min, [least, most]), max: shifted(x.max, [most, least]) }
            }
            Self::Shl => return None,
        })
    }
}

impl fmt::Display for PairOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Div => "div",
            Self::Rem => "rem",
            Self::And => "and",
            Self::Or => "or",
            Self::Xor => "xor",
            Self::Shl => "shl",
            Self::Shr => "shr",
        })
    }
}

impl FromStr for PairOp {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|op| op.to_string() == text).ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_hold_all_images() {
        let ranges = [(0, 700), (-5, 9), (-700, -3), (0, 0), (3, 5), (17, 1000), (-300, 300)];
        for (op, x, y) in
            PairOp::ALL.iter().flat_map(|op| ranges.map(|x| (op, x))).flat_map(|(op, x)| ranges.map(|y| (op, x, y)))
        {
            let [x, y] = [x, y].map(|(min, max)| Interval { min, max });
            let Some(range) = op.range(x, y) else { continue };
            for a in (x.min..=x.max).step_by(7).chain([x.max]) {
                for b in (y.min..=y.max).step_by(5).chain([y.max]) {
                    assert!(range.has(op.apply(a, b, x)), "{op} of {a} and {b}, of {x} and {y}: {range}");
                }
            }
        }
        assert_eq!(PairOp::Div.apply(200, 0, Interval { min: 0, max: 200 }), 255);
    }
}
