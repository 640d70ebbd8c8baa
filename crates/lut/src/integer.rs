//! Functions of integers: sign, comparison, ReLU, absolute value, maximum, minimum, floor division by powers of two
//! (FDFB paper, sections 1.1 and 6.2: what its digit decompositions are for).
//!
//! Integers too long for one ciphertext have several limbs ([`IntegerLimbs`]).
//!
//! Nothing here knows of signs: a function is right on all integers of a range whose sign, or the sign of whose
//! difference, is the top bit. [`IntegerOp::image`] says for which ranges that is so, and what range the results have.
use crate::{Interval, LutError};
use std::fmt;
use std::str::FromStr;

/// A function of one or two integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IntegerOp {
    /// 1 if x < 0, else 0.
    Sign,
    /// 1 if x < y, else 0.
    Less,
    /// 1 if x = y, else 0.
    Equal,
    /// max(x, 0).
    Relu,
    /// |x|.
    Abs,
    /// max(x, y).
    Max,
    /// min(x, y).
    Min,
    /// ⌊x/2^k⌋.
    Floor(u32),
    /// x + y, with carries from limb to limb; of integers of one limb it is a linear operation.
    Add,
    /// x − y, likewise.
    Sub,
}

/// Longest limb, in bits.
pub const MAX_LIMB: u32 = 32;

/// Longest integers, in bits.
pub const MAX_WIDTH: u32 = 64;

/// Longest integers on the way to results, in bits: their sums and multiples have room in 128 with a sign.
pub const MOST_BITS: u32 = 112;

/// The most limbs of an integer.
pub const MAX_LIMBS: u32 = 16;

impl IntegerOp {
    /// The functions without a parameter.
    pub const SIMPLE: [Self; 9] =
        [Self::Sign, Self::Less, Self::Equal, Self::Relu, Self::Abs, Self::Max, Self::Min, Self::Add, Self::Sub];

    /// Number of operands.
    pub fn operands(self) -> usize {
        match self {
            Self::Less | Self::Equal | Self::Max | Self::Min | Self::Add | Self::Sub => 2,
            Self::Sign | Self::Relu | Self::Abs | Self::Floor(_) => 1,
        }
    }

    /// How its results are kept, for operands in `limbs`: answers in Z_2; others as the operands, and floor:k in k bits
    /// less, but one bit at least.
    pub fn out_limbs(self, limbs: IntegerLimbs) -> IntegerLimbs {
        match (self, limbs.high) {
            (Self::Sign | Self::Less | Self::Equal, _) => IntegerLimbs::one(0),
            (Self::Floor(bits), None) => IntegerLimbs::one(limbs.low.saturating_sub(bits).max(1)),
            (Self::Floor(bits), Some(_)) if bits >= limbs.low => {
                IntegerLimbs::one(limbs.width().saturating_sub(bits).max(1))
            }
            (Self::Floor(bits), Some(_)) => IntegerLimbs { low: limbs.low - bits, ..limbs },
            (Self::Relu | Self::Abs | Self::Max | Self::Min | Self::Add | Self::Sub, _) => limbs,
        }
    }

    /// The range of its results, for operands of these ranges in Z_{2^(width + 1)}.
    ///
    /// # Errors
    /// [`LutError::Range`] unless −2^width ≤ x < 2^width, of two operands −2^width ≤ x − y < 2^width, so that the sign
    /// is the top bit; of sums, unless 2^(width + 1) residues tell them apart.
    ///
    /// # Panics
    /// Unless there are as many ranges as operands.
    pub fn image(self, operands: &[Interval], width: u32) -> Result<Interval, LutError> {
        let window = Interval { min: -(1 << width), max: (1 << width) - 1 };
        let (&[x] | &[x, _]) = operands else { unreachable!("{} operands of {self}", operands.len()) };
        let y = operands.last().copied().unwrap_or(x);
        if let Self::Add | Self::Sub = self {
            let sum = if self == Self::Add { x.plus(y) } else { x.minus(y) };
            let needed = sum.map_or(u32::MAX, Interval::width);
            let refused = LutError::Range { op: self.to_string(), operands: operands.to_vec(), width, needed };
            return sum.filter(|sum| sum.is_in_residues(width + 1)).ok_or(refused);
        }
        let signed = match (self, operands.len()) {
            // Whose sign is looked at both ways.
            (Self::Equal, _) => x.minus(y).zip(y.minus(x)).map(|(one, other)| one.union(other)),
            (_, 2) => x.minus(y),
            _ => Some(x),
        };
        if !signed.is_some_and(|signed| window.holds(signed)) {
            let needed = signed.map_or(u32::MAX, Interval::width);
            return Err(LutError::Range { op: self.to_string(), operands: operands.to_vec(), width, needed });
        }
        self.range(operands).ok_or(LutError::Range {
            op: self.to_string(),
            operands: operands.to_vec(),
            width,
            needed: u32::MAX,
        })
    }

    /// The range of its results for operands of these ranges, with as much room as it takes; none beyond 128 bits.
    ///
    /// # Panics
    /// Unless there are as many ranges as operands.
    #[must_use]
    pub fn range(self, operands: &[Interval]) -> Option<Interval> {
        let (&[x] | &[x, _]) = operands else { unreachable!("{} operands of {self}", operands.len()) };
        let y = operands.last().copied().unwrap_or(x);
        Some(match self {
            Self::Sign | Self::Less | Self::Equal => Interval::unsigned(1),
            Self::Relu => Interval { min: x.min.max(0), max: x.max.max(0) },
            Self::Abs => {
                let ends = [x.min.checked_abs()?, x.max.checked_abs()?];
                let least = if x.has(0) { 0 } else { ends[0].min(ends[1]) };
                Interval { min: least, max: ends[0].max(ends[1]) }
            }
            Self::Max => Interval { min: x.min.max(y.min), max: x.max.max(y.max) },
            Self::Min => Interval { min: x.min.min(y.min), max: x.max.min(y.max) },
            Self::Floor(bits) => Interval { min: x.min >> bits.min(127), max: x.max >> bits.min(127) },
            Self::Add => x.plus(y)?,
            Self::Sub => x.minus(y)?,
        })
    }

    /// The answer of a comparison of operands of these ranges, if it is always the same.
    pub(crate) fn answer(self, operands: &[Interval]) -> Option<bool> {
        match (self, operands) {
            (Self::Sign, [x]) => (x.max < 0 || x.min >= 0).then_some(x.max < 0),
            (Self::Less, [x, y]) => (x.max < y.min || x.min >= y.max).then_some(x.max < y.min),
            (Self::Equal, [x, y]) if x.max < y.min || y.max < x.min => Some(false),
            (Self::Equal, [x, y]) => (x.min == y.max && y.min == x.max).then_some(true),
            _ => None,
        }
    }

    /// The specification: the function on integers, of no width.
    pub fn apply(self, operands: &[i128]) -> i128 {
        match (self, operands) {
            (Self::Sign, [x]) => i128::from(*x < 0),
            (Self::Relu, [x]) => *x.max(&0),
            (Self::Abs, [x]) => x.abs(),
            (Self::Floor(bits), [x]) => x >> bits.min(127),
            (Self::Less, [x, y]) => i128::from(x < y),
            (Self::Equal, [x, y]) => i128::from(x == y),
            (Self::Max, [x, y]) => *x.max(y),
            (Self::Min, [x, y]) => *x.min(y),
            (Self::Add, [x, y]) => x + y,
            (Self::Sub, [x, y]) => x - y,
            _ => unreachable!("{} operands of {self}", operands.len()),
        }
    }
}

/// How an integer of w bits is kept: in one ciphertext, in Z_{2^{w+1}}, or as Σ_i 2^(l·i)·limb_i in several: those
/// below the highest of l bits without sign in Z_{2^{l+1}}, the highest, with the sign if there is one, of h bits in
/// Z_{2^{h+1}}. Answers have no bits: they are in Z_2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IntegerLimbs {
    /// Bits of the only limb, or of each below the highest.
    pub low: u32,
    /// Limbs between the lowest and the highest.
    pub between: u32,
    /// Bits of the highest limb, if there are several.
    pub high: Option<u32>,
}

impl IntegerLimbs {
    /// Integers of `width` bits in one limb.
    #[must_use]
    pub fn one(width: u32) -> Self {
        Self { low: width, between: 0, high: None }
    }

    /// Two limbs of so many bits.
    #[must_use]
    pub fn two(low: u32, high: u32) -> Self {
        Self { low, between: 0, high: Some(high) }
    }

    /// Integers of `width` bits with a parameter set for `most` bits a ciphertext: as few limbs as can be, that are
    /// alike but the highest, which may be shorter.
    #[must_use]
    pub fn of(width: u32, most: u32) -> Self {
        match width.div_ceil(most) {
            0 | 1 => Self::one(width),
            count => {
                let low = width.div_ceil(count);
                Self { low, between: count - 2, high: Some(width - low * (count - 1)) }
            }
        }
    }

    /// How many.
    #[must_use]
    pub fn count(self) -> usize {
        self.high.map_or(1, |_| self.between as usize + 2)
    }

    /// Bits of the limbs, low first.
    pub fn bits(self) -> Vec<u32> {
        let high = self.high.unwrap_or(self.low);
        std::iter::repeat_n(self.low, self.count() - 1).chain([high]).collect()
    }

    /// Bits below the highest limb.
    #[must_use]
    pub fn below(self) -> u32 {
        self.low * (self.count() as u32 - 1)
    }

    /// Bits of the integers.
    pub fn width(self) -> u32 {
        self.below() + self.high.unwrap_or(self.low)
    }

    /// Whether residues of each limb tell apart what it is of integers of this range.
    pub fn hold(self, range: Interval) -> bool {
        range.above(self.below()).is_in_residues(self.high.unwrap_or(self.low) + 1)
    }

    /// What each limb may be of integers of this range, low first.
    #[must_use]
    pub fn ranges(self, range: Interval) -> Vec<Interval> {
        let above = range.above(self.below());
        std::iter::repeat_n(Interval::unsigned(self.low), self.count() - 1).chain([above]).collect()
    }

    /// The limbs of `value`, each modulo its space 2^{bits+1}.
    pub fn split(self, value: i128) -> Vec<u64> {
        (0..self.count()).map(|limb| self.limb(value, limb)).collect()
    }

    /// Limb number `limb` of `value`, modulo its space 2^{bits+1}.
    pub fn limb(self, value: i128, limb: usize) -> u64 {
        let bits = if limb + 1 < self.count() { self.low } else { self.high.unwrap_or(self.low) + 1 };
        (value >> (self.low * limb as u32)) as u64 & ((1 << bits) - 1)
    }
}

impl fmt::Display for IntegerOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sign => f.write_str("sign"),
            Self::Less => f.write_str("less"),
            Self::Equal => f.write_str("equal"),
            Self::Relu => f.write_str("relu"),
            Self::Abs => f.write_str("abs"),
            Self::Max => f.write_str("max"),
            Self::Min => f.write_str("min"),
            Self::Add => f.write_str("add"),
            Self::Sub => f.write_str("sub"),
            Self::Floor(bits) => write!(f, "floor:{bits}"),
        }
    }
}

impl FromStr for IntegerOp {
    type Err = LutError;

    fn from_str(text: &str) -> Result<Self, LutError> {
        if let Some(op) = Self::SIMPLE.into_iter().find(|op| op.to_string() == text) {
            return Ok(op);
        }
        let digits = |bits: &&str| bits.bytes().all(|digit| digit.is_ascii_digit());
        match text.strip_prefix("floor:").filter(digits).and_then(|bits| bits.parse().ok()) {
            Some(bits) => Ok(Self::Floor(bits)),
            None => Err(LutError::UnknownOp { name: text.to_string(), others: "" }),
        }
    }
}
