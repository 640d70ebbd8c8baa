//! Message spaces, and how they lie on the torus.
use crate::{Engine, Error, SpaceError};
use bootes_lut::integer::{IntegerLimbs, IntegerOp, MAX_LIMB};
use bootes_lut::{Interval, Kind, LutError};
use bootes_schemes::fhew::{FhewParams, encoding};
use std::fmt;
use std::num::NonZeroU64;

mod stored;

/// Bits that integers in one ciphertext of an engine have room for, at most.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BitLimit {
    pub(crate) most: u32,
    pub(crate) engine: Engine,
}

impl BitLimit {
    /// The limit of a set of engine fhew.
    pub(crate) fn of(params: &FhewParams) -> Self {
        Self { most: params.space_bits(), engine: Engine::Fhew }
    }
}

/// The message space of each value of a vector of ciphertexts: residues, whose sums wrap, or integers of a known
/// range, which never wrap, unless they stand for residues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Space {
    /// Z_p on the whole circle, p ≥ 2: m ↦ m·2^64/p. Linear operations are modulo p.
    Modular(u64),
    /// Integers of a range. Linear operations are those of integers: what could leave the room that there is is
    /// refused. Residues modulo p that are too long for a set of engine fhew are kept so, as any integers congruent to
    /// them ([`Integers::modulus`]).
    Integers(Integers),
}

/// Integers of a range, modulo 2^(w + 1) where their limbs have w bits: a ciphertext in Z_{2^(b + 1)} for each limb of
/// b bits.
///
/// The range has at most 2^(w + 1) integers, so that residues tell them apart. Functions of integers read the sign in
/// the top bit, and take ranges within −2^w to 2^w − 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Integers {
    limbs: IntegerLimbs,
    range: Interval,
    approximate: bool,
    modulus: Option<NonZeroU64>,
}

impl Integers {
    /// Integers of a range in these limbs, unless residues do not tell them apart.
    pub(crate) fn new(limbs: IntegerLimbs, range: Interval) -> Option<Self> {
        let is_told = range.min <= range.max && range.is_in_residues(limbs.width() + 1);
        is_told.then_some(Self { limbs, range, approximate: false, modulus: None })
    }

    /// Integers of a range that has room in one ciphertext.
    fn one(width: u32, range: Interval) -> Self {
        Self { limbs: IntegerLimbs::one(width), range, approximate: false, modulus: None }
    }

    /// The limbs that each is kept in.
    pub fn limbs(self) -> IntegerLimbs {
        self.limbs
    }

    /// Bits w: they are kept modulo 2^(w + 1).
    pub fn width(self) -> u32 {
        self.limbs.width()
    }

    /// The least and the largest integer that they may be.
    pub fn range(self) -> Interval {
        self.range
    }

    /// The number p that each stands for a residue modulo of: values are decrypted, and taken by functions, as residues
    /// 0 to p − 1, whatever integers congruent to them they are kept as.
    pub fn modulus(self) -> Option<u64> {
        self.modulus.map(NonZeroU64::get)
    }

    /// The same, standing for residues modulo p.
    fn of_modulus(self, p: u64) -> Self {
        Self { modulus: NonZeroU64::new(p), ..self }
    }

    /// The same of another range, unless residues do not tell them apart. Where p divides how many those are, integers
    /// that stand for residues modulo p may wrap: they are any.
    fn with_range(self, range: Option<Interval>) -> Option<Self> {
        let all = Interval { min: 0, max: (1 << (self.width() + 1)) - 1 };
        let wraps = self.modulus().is_some_and(|p| p.is_power_of_two() && i128::from(p) - 1 <= all.max);
        let of = |range| Self::new(self.limbs, range).map(|found| Self { range: found.range, ..self });
        range.and_then(of).or_else(|| wraps.then_some(Self { range: all, ..self }))
    }

    /// Whether they are near integers only: results of a [`Continuous`](crate::Continuous) function, real numbers that
    /// decrypt to a neighbour, and sums of them. Tables take none.
    pub fn is_approximate(self) -> bool {
        self.approximate
    }

    /// The same near integers only.
    pub(crate) fn approximately(self) -> Self {
        Self { approximate: true, ..self }
    }

    /// The integer of the range with this residue modulo 2^(w + 1).
    fn of_residue(self, residue: i128) -> i128 {
        let mask = (1 << (self.width() + 1)) - 1;
        self.range.min + ((residue - self.range.min) & mask)
    }
}

impl Space {
    /// Z_{2^bits}.
    pub fn of_bits(bits: u32) -> Self {
        Self::Modular(1 << bits)
    }

    /// Integers with a sign, −2^(width − 1) to 2^(width − 1) − 1, in one ciphertext.
    pub fn signed(width: u32) -> Self {
        Self::Integers(Integers::one(width, Interval::signed(width)))
    }

    /// Integers without a sign, 0 to 2^width − 1, in one ciphertext.
    pub fn unsigned(width: u32) -> Self {
        Self::Integers(Integers::one(width, Interval::unsigned(width)))
    }

    /// Integers of a range in one ciphertext, with room for `width` bits.
    ///
    /// # Errors
    /// [`Error::Room`] for a range that is wider.
    pub fn within(range: Interval, width: u32) -> Result<Self, Error> {
        let refused = Error::Room { range, width, engine: Engine::Fhew };
        let integers = Integers::new(IntegerLimbs::one(width.min(MAX_LIMB)), range);
        integers.filter(|_| range.width() <= width).map(Self::Integers).ok_or(refused)
    }

    /// Results of a table in Z_{2^bits} that are integers of a range.
    pub(crate) fn of_entries(bits: u32, range: Interval) -> Self {
        Self::Integers(Integers::one(bits - 1, range))
    }

    /// Refuses integers for a program with a set whose high limb has more values than its space tells apart.
    ///
    /// # Errors
    /// [`LutError::Room`].
    pub(crate) fn check_limbs(self, params: &str) -> Result<(), LutError> {
        match self {
            Self::Integers(Integers { limbs, range, .. }) if !limbs.hold(range) => {
                let (bits, params) = (limbs.width() + 1, params.into());
                Err(LutError::Room { range, found: bits + 1, bits, params, other: None, residues: None })
            }
            _ => Ok(()),
        }
    }

    /// What its values are to a program, whatever their limbs.
    #[must_use]
    pub fn kind(self) -> Kind {
        match self {
            Self::Modular(p) => Kind::Residues(p),
            Self::Integers(integers) => integers.modulus().map_or(Kind::Integers(integers.range), Kind::Residues),
        }
    }

    /// The number p of residues modulo p.
    pub fn modulus(self) -> Option<u64> {
        self.kind().modulus()
    }

    /// The same integers, standing for residues modulo p.
    pub(crate) fn of_modulus(self, p: u64) -> Self {
        match self {
            Self::Modular(_) => self,
            Self::Integers(integers) => Self::Integers(integers.of_modulus(p)),
        }
    }

    /// What values are kept as: the same integers, that stand for nothing.
    pub(crate) fn kept(self) -> Self {
        match self {
            Self::Modular(_) => self,
            Self::Integers(integers) => Self::Integers(Integers { modulus: None, ..integers }),
        }
    }

    /// The range of what values are kept as.
    pub(crate) fn kept_range(self) -> Interval {
        self.kept().range()
    }

    /// Whether values are kept as what they are, and not as integers congruent to them.
    pub(crate) fn is_reduced(self) -> bool {
        self.range().holds(self.kept_range())
    }

    /// Refuses what is kept as integers congruent to values.
    pub(crate) fn check_reduced(self) -> Result<(), Error> {
        match self.modulus().filter(|_| !self.is_reduced()) {
            Some(modulus) => Err(SpaceError::Unreduced { space: self, modulus }.into()),
            None => Ok(()),
        }
    }

    /// Refuses a table that has not an entry for each value.
    ///
    /// # Errors
    /// [`Error::InputBits`], [`Error::InputModulus`], [`LutError::Domain`].
    pub(crate) fn check_entries(self, entries: u64) -> Result<(), Error> {
        match self {
            Self::Modular(p) if p == entries => Ok(()),
            Self::Modular(p) if p.is_power_of_two() && entries.is_power_of_two() => {
                Err(Error::InputBits { table: entries.ilog2(), ciphertexts: p.ilog2() })
            }
            Self::Modular(_) => Err(Error::InputModulus { entries, ciphertexts: self }),
            Self::Integers(_) => match self.range() {
                range if range.min >= 0 && range.max < entries.into() => Ok(()),
                integers => Err(LutError::Domain { entries, integers }.into()),
            },
        }
    }

    /// Refuses an operand of a table of several values that has not the `size` values 0 to `size` − 1.
    ///
    /// # Errors
    /// [`Error::InputModulus`], [`SpaceError::TwoLimbs`], [`LutError::Domain`]; as [`Self::check_exact`].
    pub(crate) fn check_values(self, size: u64) -> Result<(), Error> {
        let what = "a table of several values";
        self.check_exact(what)?;
        self.check_reduced()?;
        match self {
            Self::Modular(p) if p != size => Err(Error::InputModulus { entries: size, ciphertexts: self }),
            Self::Integers(_) if self.limbs() > 1 => Err(SpaceError::TwoLimbs { what, space: self }.into()),
            _ => self.check_entries(size),
        }
    }

    /// The spaces of each ciphertext of a value: itself, or those of its limbs.
    pub(crate) fn of_limbs(self) -> Vec<Self> {
        let Some(Integers { limbs, range, .. }) = self.kept_integers().filter(|_| self.limbs() > 1) else {
            return vec![self];
        };
        let limb = |(bits, range)| Self::Integers(Integers::one(bits, range));
        limbs.bits().into_iter().zip(limbs.ranges(range)).map(limb).collect()
    }

    /// Moduli, one a ciphertext of a value.
    pub fn moduli(self) -> Vec<u64> {
        match self {
            Self::Modular(p) => vec![p],
            Self::Integers(integers) => integers.limbs.bits().into_iter().map(|bits| 1 << (bits + 1)).collect(),
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
            Self::Integers(integers) => integers.width() + 1,
        }
    }

    /// The integers, if values are such: those that stand for residues are not.
    pub fn integers(self) -> Option<Integers> {
        self.kept_integers().filter(|integers| integers.modulus.is_none())
    }

    /// The integers that values are kept as, if they are.
    pub(crate) fn kept_integers(self) -> Option<Integers> {
        match self {
            Self::Modular(_) => None,
            Self::Integers(integers) => Some(integers),
        }
    }

    /// The values that there may be.
    pub fn range(self) -> Interval {
        match self {
            Self::Integers(integers) if integers.modulus.is_none() => integers.range,
            _ => Interval { min: 0, max: i128::from(self.modulus().unwrap_or(1)) - 1 },
        }
    }

    /// Half the least distance of two messages, as a fraction of the torus.
    pub(crate) fn half_step(self) -> f64 {
        self.moduli().into_iter().map(|p| 0.5 / p as f64).fold(f64::INFINITY, f64::min)
    }

    /// Whether all of `other` is here too: what is right for this is right for it.
    pub(crate) fn holds(self, other: Self) -> bool {
        match (self, other) {
            (Self::Modular(p), Self::Modular(q)) => p == q,
            (Self::Integers(these), Self::Integers(those)) => {
                (these.limbs, these.modulus) == (those.limbs, those.modulus)
                    && these.range.holds(those.range)
                    && !those.approximate
            }
            _ => false,
        }
    }

    /// The same with integers of another range, the result of a linear operation.
    pub(crate) fn with_range(
        self,
        operation: &'static str,
        range: Option<Interval>,
        room: BitLimit,
    ) -> Result<Self, Error> {
        let Self::Integers(integers) = self else { return Ok(self) };
        let (BitLimit { most, engine }, modulus) = (room, integers.modulus());
        let refused =
            Error::Overflow { operation, range, bits: self.bits(), operand: self.kept_range(), modulus, most, engine };
        integers.with_range(range).map(Self::Integers).ok_or(refused)
    }

    /// Whether what it holds is near integers only.
    pub(crate) fn is_approximate(self) -> bool {
        self.integers().is_some_and(Integers::is_approximate)
    }

    /// The same, near integers only if `other` is.
    pub(crate) fn beside(self, other: Self) -> Self {
        match self {
            Self::Integers(integers) if other.is_approximate() => Self::Integers(integers.approximately()),
            space => space,
        }
    }

    /// Refuses what is near integers only.
    pub(crate) fn check_exact(self, what: &str) -> Result<(), Error> {
        match self.is_approximate() {
            true => Err(SpaceError::Approximate { what: what.into(), space: self }.into()),
            false => Ok(()),
        }
    }

    /// Limb number `limb` of a value on the torus, a fraction of 2^128.
    pub(crate) fn encode(self, value: i128, limb: usize) -> u128 {
        match self {
            Self::Modular(p) => encoding::encode_modulo_wide(self.residue(value, limb), p),
            Self::Integers(Integers { limbs, .. }) => {
                u128::from(encoding::encode(self.residue(value, limb), limbs.bits()[limb] + 1)) << 64
            }
        }
    }

    /// The value of these limbs: the residue 0 to p − 1, or the integer of the range.
    pub(crate) fn decode(self, phases: impl IntoIterator<Item = u64>) -> i128 {
        let residues = phases.into_iter().zip(self.moduli());
        self.of_residues(residues.map(|(phase, p)| encoding::decode_modulo(phase, p)))
    }

    /// The value of which limbs have these residues.
    pub(crate) fn of_residues(self, residues: impl IntoIterator<Item = u64>) -> i128 {
        let residues = residues.into_iter().map(i128::from);
        match self {
            Self::Modular(_) => residues.sum(),
            Self::Integers(integers) => {
                let shifts = (0..integers.limbs.count() as u32).map(|limb| integers.limbs.low * limb);
                let all = residues.zip(shifts).map(|(residue, shift)| residue << shift);
                let integer = integers.of_residue(all.sum());
                integers.modulus().map_or(integer, |p| integer.rem_euclid(p.into()))
            }
        }
    }

    /// The residue that limb number `limb` of a value is.
    pub(crate) fn residue(self, value: i128, limb: usize) -> u64 {
        match self {
            Self::Modular(p) => value.rem_euclid(p.into()) as u64,
            Self::Integers(Integers { limbs, .. }) => limbs.limb(value, limb),
        }
    }

    /// The same as residues, if one ciphertext holds a value.
    pub(crate) fn as_residues(self) -> Result<Self, Error> {
        self.check_exact("a space of residues")?;
        if self.modulus().is_some() {
            return Ok(self);
        }
        match self.moduli()[..] {
            [p] => Ok(Self::Modular(p)),
            _ => Err(SpaceError::TwoLimbs { what: "a space of residues", space: self }.into()),
        }
    }

    /// The same as integers of `range`: of residues those that are congruent, and integers as they are.
    pub(crate) fn as_integers(self, range: Interval) -> Result<Self, Error> {
        self.check_exact("another range")?;
        // What is kept modulo 2^b as residues modulo 2^b is what these are.
        let kept = self.modulus().filter(|p| self.moduli() == [*p]).map_or(self, Self::Modular);
        if kept != self {
            return kept.as_integers(range);
        }
        self.check_reduced()?;
        let limbs = match self {
            Self::Modular(p) => p.is_power_of_two().then(|| IntegerLimbs::one(p.ilog2() - 1)),
            Self::Integers(_) if !range.holds(self.kept_range()) => {
                return Err(SpaceError::Outside { space: self.kept(), range }.into());
            }
            Self::Integers(integers) => Some(integers.limbs()),
        };
        let integers = limbs.and_then(|limbs| Integers::new(limbs, range));
        integers.map(Self::Integers).ok_or(Error::Space(SpaceError::AsIntegers { space: self, range }))
    }

    /// The space of a linear operation's results, if there is one: integers of this range, or residues as before.
    pub(crate) fn linear(
        self,
        operation: &'static str,
        range: Option<Interval>,
        room: BitLimit,
    ) -> Result<Self, Error> {
        match self.limbs() {
            1 => self.with_range(operation, range, room),
            _ => Err(SpaceError::Limbs { space: self }.into()),
        }
    }

    /// A factor of residues, as near to 0 as they have it; of integers as it is.
    pub(crate) fn reduced(self, factor: i64) -> i64 {
        let Some(p) = self.modulus() else { return factor };
        let (p, residue) = (i128::from(p), i128::from(factor).rem_euclid(p.into()));
        (if residue > p / 2 { residue - p } else { residue }) as i64
    }

    /// The space of Σ_j weights\[j\]·x_j of vectors of these spaces, and by how much each
    /// ciphertext is to be multiplied.
    ///
    /// Residues wrap, so that their weights do too. 2^k·x is known modulo 2^(b + k) where x is modulo 2^b, and on the
    /// torus the same ciphertext: a multiple has more room than its integer, and no noise for it. That is taken where
    /// other operands have more room, or the sum needs it.
    pub(crate) fn combined(
        spaces: &[Self],
        weights: &[i64],
        BitLimit { most, engine }: BitLimit,
        operation: &'static str,
    ) -> Result<(Self, Vec<i64>), Error> {
        let first = spaces[0];
        if let Some(&right) = spaces.iter().find(|space| space.modulus() != first.modulus()) {
            return Err(Error::Operands { operation, left: first, right, engine });
        }
        let weights: Vec<i64> = weights.iter().map(|&weight| first.reduced(weight)).collect();
        let terms = || spaces.iter().zip(&weights);
        let zero = Interval { min: 0, max: 0 };
        let range = terms().try_fold(zero, |sum, (space, &weight)| sum.plus(space.kept_range().times(weight.into())?));
        let is_short = |space: &Self| space.limbs() == 1 && space.kept_integers().is_some();
        let other = spaces.iter().find(|space| space.moduli() != first.moduli() || is_short(space) != is_short(&first));
        let same = first.linear(operation, range, BitLimit { most, engine });
        match (other, &same) {
            (None, Ok(_)) => return same.map(|space| (space, weights.clone())),
            (Some(&right), _) if !spaces.iter().all(is_short) => {
                return Err(Error::Operands { operation, left: first, right, engine });
            }
            (None, Err(_)) if !is_short(&first) => return same.map(|space| (space, Vec::new())),
            _ => {}
        }
        let room = spaces.iter().map(|space| space.bits()).max().unwrap_or_default();
        let known =
            terms().filter(|(_, weight)| **weight != 0).map(|(space, weight)| space.bits() + weight.trailing_zeros());
        let known = known.min().unwrap_or(room).min(most);
        let of_bits = |bits: u32| {
            let integers = Self::Integers(Integers::new(IntegerLimbs::one(bits - 1), range?)?);
            let factors = terms().map(|(space, &weight)| weight >> (bits - space.bits()));
            Some((first.modulus().map_or(integers, |p| integers.of_modulus(p)), factors.collect()))
        };
        match other {
            Some(&right) if known < room => Err(Error::Operands { operation, left: first, right, engine }),
            None if range.is_none() => same.map(|space| (space, Vec::new())),
            _ => [room, known].into_iter().find_map(of_bits).ok_or_else(|| {
                let operand = spaces.iter().map(|space| space.kept_range()).reduce(Interval::union).unwrap_or(zero);
                Error::Overflow { operation, range, bits: room, operand, modulus: first.modulus(), most, engine }
            }),
        }
    }

    /// The space of the results of a function of integers on operands of these spaces, and the limbs of those.
    pub(crate) fn of_function(op: IntegerOp, operands: &[Self], engine: Engine) -> Result<(IntegerLimbs, Self), Error> {
        let what = || op.to_string();
        operands.iter().try_for_each(|space| space.check_exact(&what()))?;
        let integers =
            |&space: &Self| space.integers().ok_or_else(|| Error::Space(SpaceError::Residues { what: what(), space }));
        let all = operands.iter().map(integers).collect::<Result<Vec<_>, _>>()?;
        let limbs = all[0].limbs();
        if let Some(other) = all.iter().position(|operand| operand.limbs() != limbs) {
            return Err(SpaceError::Widths { what: what(), left: operands[0], right: operands[other] }.into());
        }
        let ranges: Vec<Interval> = all.iter().map(|operand| operand.range()).collect();
        let range = op.image(&ranges, limbs.width()).map_err(|refused| Error::Range { refused, engine })?;
        let result = Integers::new(op.out_limbs(limbs), range);
        Ok((limbs, Self::Integers(result.ok_or(Error::Room { range, width: limbs.width(), engine })?)))
    }
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Modular(p) if p.is_power_of_two() => write!(f, "{}-bit messages", p.ilog2()),
            Self::Modular(p) => write!(f, "messages modulo {p}"),
            Self::Integers(Integers { modulus: Some(p), .. }) => {
                write!(f, "{}, kept as {}", Self::Modular(p.get()), self.kept())
            }
            Self::Integers(integers) => write!(f, "{integers}"),
        }
    }
}

impl fmt::Display for Integers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (width, range) = (self.width(), self.range);
        if self.approximate {
            f.write_str("approximate ")?;
        }
        match width {
            1.. if range == Interval::signed(width) => write!(f, "signed {width}-bit integers")?,
            1.. if range == Interval::unsigned(width) => write!(f, "unsigned {width}-bit integers")?,
            _ => write!(f, "integers from {range} modulo 2^{}", width + 1)?,
        }
        let IntegerLimbs { low, between, high } = self.limbs;
        match (high, between) {
            (None, _) => Ok(()),
            (Some(high), 0) => write!(f, " in limbs of {low} and {high} bits"),
            (Some(high), _) => write!(f, " in {} limbs of {low} bits and one of {high}", between + 1),
        }
    }
}
