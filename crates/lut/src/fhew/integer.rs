//! Circuits of functions of integers ([`IntegerOp`]) that need their sign or their digits.
//!
//! An integer of w bits, signed or not, lives in Z_{2^{w+1}}: one bit more than it has, so that the difference of two
//! has the sign of its top bit. The low digits are taken off ([`super::digits`]) until the sign is in a digit
//! short enough to rotate by.
//!
//! |x| is one more rotation: of the ciphertext of x itself, packed into every coefficient of a test vector, by the top
//! digit, as in FDFB-CancelSign. ReLU is the same with x/2: x/2 + (−1)^sign·x/2. Halving a ciphertext adds an unknown
//! v/2 to its phase (ModUp), which is in both summands and comes out as v or 0. These are exact to the noise of the
//! packing, however long x is, where LMP22 looks up digit by digit.
//!
//! Integers too long for one ciphertext have two limbs ([`IntegerLimbs`]): differences borrow, selections go
//! limb by limb.
use super::circuit::{Circuit, InputVariance, Register, Rotation, Table};
use super::digits::{DigitRegister, Method};
use crate::integer::{IntegerLimbs, MAX_LIMB, MAX_WIDTH};
use crate::table::torus;
use crate::{IntegerOp, LutError};
use bootes_schemes::fhew::FhewParams;

impl IntegerOp {
    /// The steps, with digits of at most `log2_base` bits taken off by `method`: one input a limb of each operand, low
    /// limbs first, one output a limb.
    ///
    /// # Errors
    /// [`LutError::Width`] unless the limbs are one or two of 1 to 32 bits and, for floor:k, 1 ≤ k ≤ width.
    pub fn circuit(self, method: Method, limbs: IntegerLimbs, log2_base: u32) -> Result<Circuit, LutError> {
        let width = limbs.width();
        let in_range = |bits: &u32| (1..=MAX_LIMB).contains(bits);
        if limbs.between > 0
            || !limbs.bits().iter().all(in_range)
            || matches!(self, Self::Floor(bits) if bits == 0 || bits > width)
        {
            return Err(LutError::Width { op: self.to_string(), width, max: MAX_WIDTH });
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
                    let (base, other, coefficient) =
                        if self == Self::Max { (&right, &left, 1) } else { (&left, &right, -1) };
                    maker.copy(base, &outputs);
                    maker.keep_if_positive(top, &difference, &outputs, coefficient);
                    // Of independent summands: V_base + (V_x + V_y) for the noisiest messages, V_base + (V_x + V_y)/2
                    // on average. It is that of the one that is kept, the base or the other.
                    for (limb, (&output, &difference)) in outputs.iter().zip(&difference).enumerate() {
                        maker.circuit.add_correlation(output, difference, -0.5);
                        maker.circuit.add_correlation_for_some(output, difference, -0.5);
                        maker.circuit.add_instead(output, base[limb], other[limb]);
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
        let fit = |log2_base| self.circuit(Method::Reduce, limbs, log2_base)?.fit(params, &input_variance, log2_p_fail);
        let cost = |c: &Result<Circuit, LutError>| c.as_ref().map_or(f64::INFINITY, |c| c.cost_ns(params));
        let mut candidates: Vec<_> = (1..=8).map(fit).collect();
        candidates.sort_by(|a, b| cost(a).total_cmp(&cost(b)));
        candidates.swap_remove(0)
    }
}

/// The top digit of integers in one ciphertext, whose top bit is their sign.
#[derive(Clone, Copy, Debug)]
pub struct Top(DigitRegister);

impl Top {
    /// The bits of digits with which a sign of messages modulo 2^`bits` takes the least time.
    ///
    /// # Errors
    /// As [`Circuit::fit`], for noise of `variance`.
    pub fn digits(params: &FhewParams, bits: u32, variance: f64, log2_p_fail: f64) -> Result<u32, LutError> {
        let fit = |log2_base| {
            let limbs = IntegerLimbs::one(bits - 1);
            IntegerOp::Sign.circuit(Method::Reduce, limbs, log2_base)?.fit(params, variance, log2_p_fail)
        };
        let mut fitted: Vec<(u32, Circuit)> = Vec::new();
        let mut refusal = None;
        for log2_base in 1..=8 {
            match fit(log2_base) {
                Ok(circuit) => fitted.push((log2_base, circuit)),
                Err(error) => refusal = refusal.or(Some(error)),
            }
        }
        let cost = |(_, circuit): &(u32, Circuit)| circuit.cost_ns(params);
        match (fitted.into_iter().min_by(|a, b| cost(a).total_cmp(&cost(b))), refusal) {
            (Some((log2_base, _)), _) => Ok(log2_base),
            (None, Some(error)) => Err(error),
            (None, None) => unreachable!("digits were tried"),
        }
    }

    /// The top digit of `source`, of messages modulo 2^`bits`, by digits of `log2_base` bits: the steps are added to
    /// `circuit`.
    pub fn of(circuit: &mut Circuit, source: Register, bits: u32, log2_base: u32) -> Self {
        let mut rest = DigitRegister { register: source, bits, deviation: 0.0 };
        while rest.bits > log2_base + 1 {
            rest = Method::Reduce.split(circuit, rest, log2_base.min(rest.bits - 1)).1;
        }
        Self(rest)
    }

    /// The answer, messages modulo 2, as a digit.
    #[must_use]
    pub fn of_answer(source: Register) -> Self {
        Self(DigitRegister { register: source, bits: 1, deviation: 0.0 })
    }

    fn rotate(self, circuit: &mut Circuit, table: Table) {
        let Self(top) = self;
        let (shift, window) = (top.half_window() + top.deviation, top.half_window());
        circuit.push_rotation(Rotation::new(top.register, shift, window, table));
    }

    /// A register of weight/modulus where the sign is set, else 0.
    pub fn sign(self, circuit: &mut Circuit, weight: i64, modulus: u64) -> Register {
        let target = circuit.register();
        let half = torus(weight.into(), 2 * modulus);
        self.rotate(circuit, Table::Plain { target, values: vec![half.wrapping_neg()] });
        circuit.add_constant(target, half);
        target
    }

    /// A register of `then` where the sign is set, else `otherwise`: the noise is that of the one that is kept, and of
    /// a rotation.
    pub fn select(self, circuit: &mut Circuit, then: Register, otherwise: Register) -> Register {
        let change = circuit.multiple(otherwise, 1);
        circuit.add(change, then, -1);
        let half = circuit.mod_up(change);
        let target = circuit.multiple(then, 1);
        circuit.add(target, half, 1);
        self.rotate(circuit, Table::Packed { target, blocks: vec![(half, 1)] });
        // Of independent summands: then + half + half. It is what is kept of the two, the one or the other.
        circuit.add_correlation(target, half, -2.0);
        circuit.add_instead(target, then, otherwise);
        target
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
