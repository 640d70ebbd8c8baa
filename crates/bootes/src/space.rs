//! What ciphertexts hold, and how it lies on the torus.
use bootes_lut::integer::Limbs;
use bootes_schemes::fhew::encoding;
use std::fmt;

/// What each value of a vector of ciphertexts is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Space {
    /// Z_p on the whole circle, p ≥ 2: m ↦ m·2^64/p.
    Modular(u64),
    /// Integers with or without a sign, one bit of room above: a ciphertext in Z_{2^(b + 1)} for each limb of b bits.
    Integers(Limbs),
}

impl Space {
    /// Z_{2^bits}.
    pub fn of_bits(bits: u32) -> Self {
        Self::Modular(1 << bits)
    }

    /// Integers of `width` bits in one ciphertext.
    pub fn of_width(width: u32) -> Self {
        Self::Integers(Limbs { low: width, high: None })
    }

    /// What a function of integers gives: limbs in Z_{2^bits}, or an answer in one bit.
    pub(crate) fn of_limb_spaces(bits: &[u32]) -> Self {
        match *bits {
            [1] => Self::Modular(2),
            [low] => Self::of_width(low - 1),
            [low, high] => Self::Integers(Limbs { low: low - 1, high: Some(high - 1) }),
            _ => unreachable!("{} limbs", bits.len()),
        }
    }

    /// Moduli, one a ciphertext of a value.
    pub fn moduli(self) -> Vec<u64> {
        match self {
            Self::Modular(p) => vec![p],
            Self::Integers(limbs) => limbs.bits().into_iter().map(|bits| 1 << (bits + 1)).collect(),
        }
    }

    /// Ciphertexts a value.
    pub fn limbs(self) -> usize {
        self.moduli().len()
    }

    /// Bits of the space: ⌈log2 p⌉, or one more than the integers have.
    pub fn bits(self) -> u32 {
        match self {
            Self::Modular(p) => p.next_power_of_two().ilog2(),
            Self::Integers(limbs) => limbs.width() + 1,
        }
    }

    /// Bits of the integers that fit, in their limbs: those of Z_{2^(w + 1)} have w bits.
    pub fn integers(self) -> Option<Limbs> {
        match self {
            Self::Modular(p) if p > 2 && p.is_power_of_two() => Some(Limbs { low: p.ilog2() - 1, high: None }),
            Self::Modular(_) => None,
            Self::Integers(limbs) => Some(limbs),
        }
    }

    /// Half the least distance of two messages, as a fraction of the torus.
    pub(crate) fn half_step(self) -> f64 {
        self.moduli().into_iter().map(|p| 0.5 / p as f64).fold(f64::INFINITY, f64::min)
    }

    /// Whether ciphertexts of one are ciphertexts of the other.
    pub(crate) fn fits(self, other: Self) -> bool {
        self.moduli() == other.moduli()
    }

    /// Limb number `limb` of a value on the torus.
    pub(crate) fn encode(self, value: i64, limb: usize) -> u64 {
        match self {
            Self::Modular(p) => encoding::encode_modulo(value as u64, p),
            Self::Integers(limbs) => encoding::encode(limbs.limb(value, limb), limbs.bits()[limb] + 1),
        }
    }

    /// The value of these limbs: 0 to p − 1, or an integer with a sign.
    pub(crate) fn decode(self, phases: impl IntoIterator<Item = u64>) -> i64 {
        let residues = phases.into_iter().zip(self.moduli()).map(|(phase, p)| (encoding::decode_modulo(phase, p), p));
        match self {
            Self::Modular(_) => residues.map(|(residue, _)| residue as i64).sum(),
            Self::Integers(limbs) => {
                let shifts = [0, limbs.low];
                let last = limbs.bits().len() - 1;
                let value = |(i, (residue, p)): (usize, (u64, u64))| {
                    if i == last { centred(residue, p) } else { residue as i64 }
                };
                residues.enumerate().zip(shifts).map(|(limb, shift)| value(limb) << shift).sum()
            }
        }
    }
}

/// The representative in [−p/2, p/2) of a residue; those of one bit stay 0 and 1.
pub(crate) fn centred(residue: u64, p: u64) -> i64 {
    if p > 2 && 2 * residue >= p { residue as i64 - p as i64 } else { residue as i64 }
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Modular(p) if p.is_power_of_two() => write!(f, "{}-bit messages", p.ilog2()),
            Self::Modular(p) => write!(f, "messages modulo {p}"),
            Self::Integers(limbs) => {
                write!(f, "{}-bit integers", limbs.width())?;
                limbs.high.map_or(Ok(()), |high| write!(f, " in limbs of {} and {high} bits", limbs.low))
            }
        }
    }
}
