//! Functions of one value.
use crate::Interval;
use crate::program::{PairOp, Program};

/// A function of one value, as a table knows it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    /// x.
    Identity,
    /// 1 if x < 0, else 0.
    Sign,
    /// 1 if x = 0, else 0.
    IsZero,
    /// max(x, 0).
    Relu,
    /// |x|.
    Abs,
    /// x².
    Square,
    /// The square of x modulo 2^k.
    SquareOfLow(u32),
    /// x² modulo p.
    SquareModulo(i128),
    /// ⌊x²/4⌋.
    QuarterSquare,
    /// The bit of this number.
    Bit(u32),
    /// ⌊c·x/2^k⌋, or of that what is below 2^w.
    Multiple {
        /// The factor c.
        factor: i128,
        /// The number k of the lowest bit.
        from: u32,
        /// The bits w.
        bits: Option<u32>,
    },
    /// A table of the program.
    Table(usize),
    /// ⌊T(x)/2^k⌋ of the table of this number, modulo 2^w where that is said.
    Limb(usize, u32, Option<u32>),
    /// op(x, y) of a constant y, for x of a range.
    Left(PairOp, i128, Interval),
    /// op(x, y) of a constant x, known to be of a range.
    Right(PairOp, i128, Interval),
    /// op(x, y) of the integer stride·(x − least\[0\]) + y − least\[1\], for x of a range.
    Packed {
        /// The function.
        op: PairOp,
        /// How many values y may have.
        stride: i128,
        /// The least x and y.
        least: [i128; 2],
        /// All x.
        range: Interval,
    },
    /// x·y modulo p of the integer p·x + y.
    Product(i128),
    /// x·y of the integer stride·(x − least\[0\]) + y − least\[1\].
    PackedProduct {
        /// How many values y may have.
        stride: i128,
        /// The least x and y.
        least: [i128; 2],
    },
}

impl Unary {
    /// The number of entries of a table of the program that it is, or is a part of.
    pub fn entries(&self, program: &Program) -> Option<u64> {
        match self {
            Self::Table(i) | Self::Limb(i, ..) => Some(program.tables()[*i].in_modulus()),
            _ => None,
        }
    }

    /// The image; squares and products modulo 2^128, of which tables take residues.
    pub fn apply(&self, program: &Program, x: i128) -> i128 {
        match self {
            Self::Identity => x,
            Self::Sign => i128::from(x < 0),
            Self::IsZero => i128::from(x == 0),
            Self::Relu => x.max(0),
            Self::Abs => x.abs(),
            Self::Square => x.wrapping_mul(x),
            Self::SquareOfLow(bits) => {
                let low = x & ((1 << bits) - 1);
                low.wrapping_mul(low)
            }
            Self::SquareModulo(p) => x * x % p,
            // ⌊x/2⌋·⌈x/2⌉.
            Self::QuarterSquare => (x >> 1).wrapping_mul((x >> 1) + (x & 1)),
            Self::Bit(number) => x >> number & 1,
            Self::Multiple { factor, from, bits } => {
                let multiple = x.wrapping_mul(*factor) >> from;
                bits.map_or(multiple, |bits| multiple & ((1 << bits) - 1))
            }
            Self::Table(i) => program.tables()[*i].entry(x as usize).into(),
            Self::Limb(i, shift, bits) => {
                let above = i128::from(program.tables()[*i].entry(x as usize)) >> shift;
                bits.map_or(above, |bits| above & ((1 << bits) - 1))
            }
            Self::Left(op, y, range) => op.apply(x, *y, *range),
            Self::Right(op, c, range) => op.apply(*c, x, *range),
            Self::Packed { op, stride, least, range } => {
                op.apply(x.div_euclid(*stride) + least[0], x.rem_euclid(*stride) + least[1], *range)
            }
            Self::Product(p) => (x / p) * (x % p) % p,
            Self::PackedProduct { stride, least } => {
                (x.div_euclid(*stride) + least[0]).wrapping_mul(x.rem_euclid(*stride) + least[1])
            }
        }
    }
}
