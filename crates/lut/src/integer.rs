//! Functions of large integers that need their sign or their digits: sign, comparison, ReLU, absolute value, maximum,
//! minimum, floor division by powers of two (FDFB paper, sections 1.1 and 6.2: what its digit decompositions are for).
//!
//! An integer of w bits, signed or not, lives in Z_{2^{w+1}}: one bit more than it has, so that the difference of two
//! has the sign of its top bit. The low digits are taken off ([`crate::fhew::digits`]) until the sign is in a digit
//! short enough to rotate by.
//!
//! |x| is one more rotation: of the ciphertext of x itself, packed into every coefficient of a test vector, by the top digit, as in
//! FDFB-CancelSign. ReLU is the same with x/2: x/2 + (−1)^sign·x/2. Halving a ciphertext adds an unknown v/2 to its
//! phase (ModUp), which is in both summands and comes out as v or 0. These are exact to the noise of the packing,
//! however long x is, where LMP22 looks up digit by digit.
//!
//! Integers too long for one ciphertext have two limbs ([`IntegerLimbs`]): differences borrow, selections go
//! limb by limb.
//!
//! Nothing here knows of signs: a function is right on all integers of a range whose sign, or the sign of whose
//! difference, is the top bit. [`IntegerOp::image`] says for which ranges that is so, and what range the results have.
use crate::circuit::{Circuit, InputVariance, Register, Rotation, Table};
use crate::fhew::digits::{DigitRegister, Method};
use crate::{Interval, LutError};
use bootes_schemes::fhew::FhewParams;
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
pub const MAX_WIDTH: u32 = 32;

impl IntegerOp {
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
            (Self::Sign | Self::Less | Self::Equal, _) => IntegerLimbs { low: 0, high: None },
            (Self::Floor(bits), None) => IntegerLimbs { low: limbs.low.saturating_sub(bits).max(1), high: None },
            (Self::Floor(bits), Some(high)) if bits >= limbs.low => {
                IntegerLimbs { low: (limbs.low + high).saturating_sub(bits).max(1), high: None }
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
        Ok(match self {
            Self::Sign | Self::Less | Self::Equal => Interval::unsigned(1),
            Self::Relu => Interval { min: x.min.max(0), max: x.max.max(0) },
            Self::Abs => {
                let ends = [x.min.abs(), x.max.abs()];
                let least = if x.has(0) { 0 } else { ends[0].min(ends[1]) };
                Interval { min: least, max: ends[0].max(ends[1]) }
            }
            Self::Max => Interval { min: x.min.max(y.min), max: x.max.max(y.max) },
            Self::Min => Interval { min: x.min.min(y.min), max: x.max.min(y.max) },
            Self::Floor(bits) => Interval { min: x.min >> bits.min(63), max: x.max >> bits.min(63) },
            Self::Add | Self::Sub => unreachable!("sums are above"),
        })
    }

    /// What it is: the specification, on integers and of no width.
    pub fn apply(self, operands: &[i64]) -> i64 {
        match (self, operands) {
            (Self::Sign, [x]) => i64::from(*x < 0),
            (Self::Relu, [x]) => *x.max(&0),
            (Self::Abs, [x]) => x.abs(),
            (Self::Floor(bits), [x]) => x >> bits,
            (Self::Less, [x, y]) => i64::from(x < y),
            (Self::Equal, [x, y]) => i64::from(x == y),
            (Self::Max, [x, y]) => *x.max(y),
            (Self::Min, [x, y]) => *x.min(y),
            (Self::Add, [x, y]) => x + y,
            (Self::Sub, [x, y]) => x - y,
            _ => unreachable!("{} operands of {self}", operands.len()),
        }
    }

    /// The steps, with digits of at most `log2_base` bits taken off by `method`: one input a limb of each operand, low
    /// limbs first, one output a limb.
    ///
    /// # Errors
    /// [`LutError::Width`] unless the limbs have 1 to 32 bits and, for floor:k, 1 ≤ k ≤ width.
    pub fn circuit(self, method: Method, limbs: IntegerLimbs, log2_base: u32) -> Result<Circuit, LutError> {
        let width = limbs.width();
        let in_range = |bits: &u32| (1..=MAX_WIDTH).contains(bits);
        if !limbs.bits().iter().all(in_range) || matches!(self, Self::Floor(bits) if bits == 0 || bits > width) {
            return Err(LutError::Width { op: self.to_string(), width, max: 2 * MAX_WIDTH });
        }
        let count = limbs.bits().len();
        let mut circuit = Circuit::new(self.operands() * count);
        let operand = |circuit: &Circuit, i: usize| -> Vec<Register> {
            (0..count).map(|limb| circuit.input(i * count + limb)).collect()
        };
        let left = operand(&circuit, 0);
        let mut maker = Maker { circuit: &mut circuit, method, limbs, log2_base };
        match self {
            Self::Floor(bits) if bits == width => {
                // −1 in Z_4 where x is negative: −(1/2)·2^−1.
                let top = maker.top(&left);
                let output = maker.circuit.output(4);
                let negative = maker.circuit.register();
                maker.sign(top, negative, 1);
                maker.circuit.add(output, negative, -1);
            }
            Self::Floor(bits) => maker.floor(&left, bits),
            Self::Sign => {
                let top = maker.top(&left);
                let output = maker.circuit.output(2);
                maker.sign(top, output, 0);
            }
            Self::Relu => {
                let top = maker.top(&left);
                let outputs = maker.outputs();
                maker.keep_if_positive(top, &left, &outputs, 1);
            }
            Self::Abs if count == 1 => {
                let top = maker.top(&left);
                let outputs = maker.outputs();
                maker.signed(top, left[0], outputs[0]);
            }
            Self::Abs => {
                // −x where x is negative: −x + (x + x where it is not).
                let top = maker.top(&left);
                let zero = [0; 2].map(|_| maker.circuit.register());
                let negative = maker.difference(&zero, &left, true);
                let change = maker.difference(&left, &negative, false);
                let outputs = maker.outputs();
                maker.copy(&negative, &outputs);
                maker.keep_if_positive(top, &change, &outputs, 1);
            }
            Self::Equal => {
                // 1 + (x < y) + (y < x) in Z_2.
                let right = operand(maker.circuit, 1);
                let output = maker.circuit.output(2);
                maker.circuit.add_constant(output, 1 << 63);
                for [x, y] in [[&left, &right], [&right, &left]] {
                    let borrowed = maker.difference(x, y, true);
                    let top = maker.top(&borrowed);
                    maker.sign(top, output, 0);
                }
            }
            Self::Add | Self::Sub => {
                let right = operand(maker.circuit, 1);
                let sum = maker.sum(&left, &right, if self == Self::Add { 1 } else { -1 }, true);
                let outputs = maker.outputs();
                maker.copy(&sum, &outputs);
            }
            Self::Less | Self::Max | Self::Min => {
                let right = operand(maker.circuit, 1);
                let borrowed = maker.difference(&left, &right, true);
                let top = maker.top(&borrowed);
                if self == Self::Less {
                    let output = maker.circuit.output(2);
                    maker.sign(top, output, 0);
                } else {
                    // max(x, y) = y + (x − y where positive), min(x, y) = x − (x − y where positive), limb by limb.
                    let difference = maker.difference(&left, &right, false);
                    let outputs = maker.outputs();
                    let (base, coefficient) = if self == Self::Max { (&right, 1) } else { (&left, -1) };
                    maker.copy(base, &outputs);
                    maker.keep_if_positive(top, &difference, &outputs, coefficient);
                    // The one's noise goes with the other's: what is left is that of the one that is kept. Summed up
                    // as independent they are V + (V_x + V_y) for the noisiest messages, V + (V_x + V_y)/2 on average.
                    for (&output, &difference) in outputs.iter().zip(&difference) {
                        maker.circuit.add_correlation(output, difference, -0.5);
                        maker.circuit.add_correlation_for_some(output, difference, -0.5);
                    }
                }
            }
        }
        Ok(circuit)
    }

    /// The circuit of least predicted time that keeps 2^`log2_p_fail` for inputs of noise variance `input_variance`:
    /// digits of every length, taken off by HomDecomp-Reduce.
    pub fn fit(
        self,
        params: &FhewParams,
        limbs: IntegerLimbs,
        input_variance: impl Into<InputVariance>,
        log2_p_fail: f64,
    ) -> Result<Circuit, LutError> {
        let input_variance = input_variance.into();
        let fit = |log2_base| self.circuit(Method::Reduce, limbs, log2_base)?.fit(params, input_variance, log2_p_fail);
        let cost = |c: &Result<Circuit, LutError>| c.as_ref().map_or(f64::INFINITY, |c| c.cost_ns(params));
        let mut candidates: Vec<_> = (1..=8).map(fit).collect();
        candidates.sort_by(|a, b| cost(a).total_cmp(&cost(b)));
        candidates.swap_remove(0)
    }
}

/// How an integer of w bits is kept: in one ciphertext, in Z_{2^{w+1}}, or as low + 2^l·high in two, low of l bits
/// without sign in Z_{2^{l+1}}, high, with the sign if there is one, in Z_{2^{w−l+1}}. Answers have no bits: they are
/// in Z_2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntegerLimbs {
    /// Bits of the low, or only, limb.
    pub low: u32,
    /// Bits of the high limb, if there is one.
    pub high: Option<u32>,
}

impl IntegerLimbs {
    /// Integers of `width` bits with a parameter set for `most` bits a ciphertext: one limb, or two that are alike.
    pub fn of(width: u32, most: u32) -> Self {
        match width <= most {
            true => Self { low: width, high: None },
            false => Self { low: width.div_ceil(2), high: Some(width / 2) },
        }
    }

    /// Bits of the limbs, low first.
    pub fn bits(self) -> Vec<u32> {
        std::iter::once(self.low).chain(self.high).collect()
    }

    /// Bits of the integers.
    pub fn width(self) -> u32 {
        self.low + self.high.unwrap_or(0)
    }

    /// The limbs of `value`, each modulo its space 2^{bits+1}.
    pub fn split(self, value: i64) -> Vec<u64> {
        (0..self.bits().len()).map(|limb| self.limb(value, limb)).collect()
    }

    /// Limb number `limb` of `value`, modulo its space 2^{bits+1}.
    pub fn limb(self, value: i64, limb: usize) -> u64 {
        let mask = |bits: u32| (1u64 << bits) - 1;
        match (self.high, limb) {
            (None, _) => value as u64 & mask(self.low + 1),
            (Some(_), 0) => value as u64 & mask(self.low),
            (Some(high), _) => (value >> self.low) as u64 & mask(high + 1),
        }
    }
}

/// A circuit on limbs in the making.
struct Maker<'a> {
    circuit: &'a mut Circuit,
    method: Method,
    limbs: IntegerLimbs,
    log2_base: u32,
}

impl Maker<'_> {
    /// One output a limb.
    fn outputs(&mut self) -> Vec<Register> {
        self.limbs.bits().iter().map(|bits| self.circuit.output(1 << (bits + 1))).collect()
    }

    fn copy(&mut self, from: &[Register], to: &[Register]) {
        from.iter().zip(to).for_each(|(&from, &to)| self.circuit.add(to, from, 1));
    }

    /// left − right, limb by limb; with `borrow`, the low limb's sign is taken from the high one, and its value made
    /// positive.
    fn difference(&mut self, left: &[Register], right: &[Register], borrow: bool) -> Vec<Register> {
        self.sum(left, right, -1, borrow)
    }

    /// left ± right, limb by limb; with `carry`, what the low limb has beyond its bits goes to the high one.
    fn sum(&mut self, left: &[Register], right: &[Register], sign: i64, carry: bool) -> Vec<Register> {
        let difference: Vec<Register> = left.iter().map(|&limb| self.circuit.multiple(limb, 1)).collect();
        difference.iter().zip(right).for_each(|(&to, &right)| self.circuit.add(to, right, sign));
        let (Some(high), true) = (self.limbs.high, carry) else { return difference };
        let top = self.top_of(DigitRegister { register: difference[0], bits: self.limbs.low + 1, deviation: 0.0 });
        let results: Vec<Register> = difference.iter().map(|&limb| self.circuit.multiple(limb, 1)).collect();
        self.sign(top, results[0], 0);
        // 1 in Z_{2^{high+1}} is (1/2)·2^−high.
        let taken = self.circuit.register();
        self.sign(top, taken, high);
        self.circuit.add(results[1], taken, sign);
        results
    }

    /// The top digit of an integer: its sign.
    fn top(&mut self, integer: &[Register]) -> DigitRegister {
        let register = integer[integer.len() - 1];
        self.top_of(DigitRegister { register, bits: self.limbs.high.unwrap_or(self.limbs.low) + 1, deviation: 0.0 })
    }

    /// The top of `message`, at most `log2_base` + 1 bits: rotating by it costs as much as by a digit that is to be
    /// taken off.
    fn top_of(&mut self, message: DigitRegister) -> DigitRegister {
        let mut rest = message;
        while rest.bits > self.log2_base + 1 {
            let bits = self.log2_base.min(rest.bits - 1);
            rest = self.method.split(self.circuit, rest, bits).1;
        }
        rest
    }

    /// A rotation by the top digit, right while the sign is.
    fn rotate(&mut self, top: DigitRegister, table: Table) {
        self.circuit.push_rotation(Rotation::new(
            top.register,
            top.half_window() + top.deviation,
            top.half_window(),
            table,
        ));
    }

    /// target += 1/2·2^−`log2_scale` if the top bit is set.
    fn sign(&mut self, top: DigitRegister, target: Register, log2_scale: u32) {
        let quarter = 1u64 << (62 - log2_scale);
        self.rotate(top, Table::Plain { target, values: vec![quarter.wrapping_neg()] });
        self.circuit.add_constant(target, quarter);
    }

    /// target += (−1)^top bit · source.
    fn signed(&mut self, top: DigitRegister, source: Register, target: Register) {
        self.rotate(top, Table::Packed { target, blocks: vec![(source, 1)] });
    }

    /// targets += coefficient · sources where the top bit is not set.
    fn keep_if_positive(&mut self, top: DigitRegister, sources: &[Register], targets: &[Register], coefficient: i64) {
        for (&source, &target) in sources.iter().zip(targets) {
            let half = self.circuit.mod_up(source);
            let kept = self.circuit.multiple(half, 1);
            self.signed(top, half, kept);
            // Where the sign is +, the noise of the half is there twice: 4 and not 2 of its variances.
            self.circuit.add_correlation_for_some(kept, half, 2.0);
            self.circuit.add(target, kept, coefficient);
        }
    }

    /// ⌊x/2^bits⌋: the low digits are taken off, the last of them cleared, so that the result is as good as any.
    fn floor(&mut self, integer: &[Register], bits: u32) {
        let bits_of = self.limbs.bits();
        let (limb, bits) = match self.limbs.high {
            Some(_) if bits >= self.limbs.low => (1, bits - self.limbs.low),
            _ => (0, bits),
        };
        let mut rest = DigitRegister { register: integer[limb], bits: bits_of[limb] + 1, deviation: 0.0 };
        let kept = rest.bits - bits;
        while rest.bits > kept {
            let digit = self.log2_base.min(rest.bits - kept);
            let last = rest.bits - digit == kept;
            let method = if last && self.method == Method::Reduce { Method::HomFloor } else { self.method };
            rest = method.split(self.circuit, rest, digit).1;
        }
        self.circuit.put_out(rest.register, rest.half_window());
        for (&register, bits) in integer.iter().zip(bits_of).skip(limb + 1) {
            self.circuit.put_out(register, (-f64::from(bits) - 2.0).exp2());
        }
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
        let simple =
            [Self::Sign, Self::Less, Self::Equal, Self::Relu, Self::Abs, Self::Max, Self::Min, Self::Add, Self::Sub];
        if let Some(op) = simple.into_iter().find(|op| op.to_string() == text) {
            return Ok(op);
        }
        let digits = |bits: &&str| bits.bytes().all(|digit| digit.is_ascii_digit());
        match text.strip_prefix("floor:").filter(digits).and_then(|bits| bits.parse().ok()) {
            Some(bits) => Ok(Self::Floor(bits)),
            None => Err(LutError::UnknownOp { name: text.to_string() }),
        }
    }
}
