//! Message spaces as files have them.
use super::{Integers, Space};
use crate::Error;
use bootes_lattice::wire::{Reader, WireError, Writer};
use bootes_lut::Interval;
use bootes_lut::integer::{IntegerLimbs, MAX_LIMB, MAX_LIMBS, MAX_WIDTH};
use bootes_lut::table::MAX_RESIDUE_BITS;
use bootes_schemes::fhew::FhewParams;

/// Marks ranges beyond 64 bits with their sign, in the number of limbs between the lowest and the highest.
const WIDE_RANGE: u32 = 1 << 31;

impl Space {
    /// Writes it; the version of the format that it needs. Version 1 has the bits of a space Z_{2^bits} and a mark of
    /// integers; 2 has any other modulus, or 0 and the bits of the low and of the high limb of two, or 1, the bits of
    /// the low one, how many are between, and the bits of the high one. Integers have their range behind, in two words
    /// a number with [`WIDE_RANGE`]. Version 3 has integers that stand for residues: their modulus, and the version
    /// and the form of the integers.
    pub(crate) fn write(self, w: &mut Writer) -> u16 {
        if let Self::Integers(Integers { modulus: Some(p), .. }) = self {
            let (p, mut kept) = (p.get(), Writer::new());
            let version = self.kept().write(&mut kept);
            w.u64(p);
            w.u16(version);
            w.raw(kept.as_bytes());
            return 3;
        }
        let is_wide = |range: Interval| [range.min, range.max].iter().any(|&end| i64::try_from(end).is_err());
        let is_wide = self.integers().is_some_and(|integers| integers.limbs.high.is_some() && is_wide(integers.range));
        let version = match self {
            Self::Modular(p) if !p.is_power_of_two() => {
                w.u64(p);
                2
            }
            Self::Integers(Integers { limbs: IntegerLimbs { low, between, high: Some(high) }, .. }) => {
                w.u64(u64::from(is_wide || between > 0));
                w.u32(low);
                if is_wide || between > 0 {
                    w.u32(between | if is_wide { WIDE_RANGE } else { 0 });
                }
                w.u32(high);
                2
            }
            one => {
                w.u32(one.bits());
                // What is approximate has mark 2.
                w.u8(one.integers().map_or(0, |integers| 1 + u8::from(integers.approximate)));
                1
            }
        };
        if let Self::Integers(Integers { range, .. }) = self {
            for end in [range.min, range.max] {
                w.u64(end as u64);
                if is_wide {
                    w.u64((end >> 64) as u64);
                }
            }
        }
        version
    }

    /// Reads it, and refuses what parameters of this name, with `most` bits in a ciphertext, do not hold.
    pub(crate) fn read(r: &mut Reader<'_>, version: u16, most: u32, params: &str) -> Result<Self, Error> {
        let malformed = WireError::Malformed { what: "a message space out of range" };
        if version == 3 {
            let (p, version) = (r.u64()?, r.u16()?);
            // Of integers that stand for nothing, which ends it here.
            if !(1..=2).contains(&version) {
                return Err(malformed.into());
            }
            return match Self::read(r, version, most, params)? {
                Self::Integers(integers) if (2..=1 << MAX_RESIDUE_BITS).contains(&p) && !integers.approximate => {
                    Ok(Self::Integers(integers.of_modulus(p)))
                }
                _ => Err(malformed.into()),
            };
        }
        let (mut approximate, mut is_wide) = (false, false);
        let limbs = if version == 1 {
            let found = r.u32()?;
            if !(1..=most).contains(&found) {
                return Err(Error::Bits { found, max: most, params: params.into() });
            }
            match r.u8()? {
                0 => return Ok(Self::of_bits(found)),
                mark @ (1 | 2) => {
                    approximate = mark == 2;
                    IntegerLimbs::one(found - 1)
                }
                _ => return Err(malformed.into()),
            }
        } else {
            match r.u64()? {
                0 => IntegerLimbs::two(r.u32()?, r.u32()?),
                1 => match [r.u32()?, r.u32()?, r.u32()?] {
                    [low, between, high] if (1..=MAX_LIMBS - 2).contains(&between) => {
                        IntegerLimbs { low, between, high: Some(high) }
                    }
                    [low, between, high] if between ^ WIDE_RANGE <= MAX_LIMBS - 2 => {
                        is_wide = true;
                        IntegerLimbs { low, between: between ^ WIDE_RANGE, high: Some(high) }
                    }
                    _ => return Err(malformed.into()),
                },
                p if (2..=1 << most).contains(&p) => return Ok(Self::Modular(p)),
                _ => return Err(malformed.into()),
            }
        };
        let mut end = || -> Result<i128, WireError> {
            let low = r.u64()?;
            Ok(if is_wide { i128::from(r.u64()? as i64) << 64 | i128::from(low) } else { i128::from(low as i64) })
        };
        let range = Interval { min: end()?, max: end()? };
        let held = limbs.high.is_none_or(|high| [limbs.low, high].iter().all(|bits| (1..most).contains(bits)));
        // Sums of limbs that are long do not wrap.
        let held = held && limbs.low <= MAX_LIMB && limbs.width() <= MAX_WIDTH;
        let integers = held.then(|| Integers::new(limbs, range)).flatten().ok_or(malformed)?;
        Ok(Self::Integers(Integers { approximate, ..integers }))
    }

    /// The same, if the parameters hold it.
    pub(crate) fn checked(self, params: &FhewParams) -> Result<Self, Error> {
        let mut w = Writer::new();
        let version = self.write(&mut w);
        Self::read(&mut Reader::new(w.as_bytes()), version, params.space_bits(), params.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Integers stand for residues, and nothing stands for these: a head of many such ends where it begins.
    #[test]
    fn residues_are_of_integers() {
        let mut w = Writer::new();
        for _ in 0..1_000_000 {
            w.u64(1000);
            w.u16(3);
        }
        let read = Space::read(&mut Reader::new(w.as_bytes()), 3, 17, "toy_int16");
        assert!(matches!(read, Err(Error::Wire(WireError::Malformed { .. }))), "{read:?}");
    }
}
