//! Functions of large integers that need their sign or their digits: sign, comparison, ReLU, absolute value, maximum, minimum,
//! floor division by powers of two (FDFB paper, sections 1.1 and 6.2: what its digit decompositions are for).
//!
//! An integer of w bits, signed or not, lives in Z_{2^{w+1}}: one bit more than it has, so that the difference of two has the sign
//! of its top bit. The low digits are taken off ([`crate::fhew::digits`]) until the sign is in a digit short enough to rotate by.
//!
//! |x| is one more rotation: of the ciphertext of x itself, packed into every coefficient of a test vector, by the top digit, as in
//! FDFB-CancelSign. ReLU is the same with x/2: x/2 + (−1)^sign·x/2. Halving a ciphertext adds an unknown v/2 to its phase
//! (ModUp), which is in both summands and comes out as v or 0. These are exact to the noise of the packing, however long x is,
//! where LMP22 looks up digit by digit.
use crate::LutError;
use crate::circuit::{Circuit, Register, Rotation, Table};
use crate::fhew::digits::{Digit, Method};
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
}

/// Longest integer of one ciphertext, in bits.
pub const MAX_WIDTH: u32 = 32;

impl IntegerOp {
    /// Number of operands.
    pub fn operands(self) -> usize {
        match self {
            Self::Less | Self::Max | Self::Min => 2,
            Self::Sign | Self::Relu | Self::Abs | Self::Floor(_) => 1,
        }
    }

    /// Bits of the space of its results, Z_{2^bits}, for integers of `width` bits in Z_{2^{width+1}}.
    pub fn out_bits(self, width: u32) -> u32 {
        match self {
            Self::Sign | Self::Less => 1,
            Self::Floor(bits) => width + 1 - bits,
            Self::Relu | Self::Abs | Self::Max | Self::Min => width + 1,
        }
    }

    /// What it is on integers in [−2^width, 2^width): the specification.
    pub fn apply(self, operands: &[i64]) -> i64 {
        match (self, operands) {
            (Self::Sign, [x]) => i64::from(*x < 0),
            (Self::Relu, [x]) => *x.max(&0),
            (Self::Abs, [x]) => x.abs(),
            (Self::Floor(bits), [x]) => x >> bits,
            (Self::Less, [x, y]) => i64::from(x < y),
            (Self::Max, [x, y]) => *x.max(y),
            (Self::Min, [x, y]) => *x.min(y),
            _ => unreachable!("{} operands of {self}", operands.len()),
        }
    }

    /// The steps, with digits of at most `log2_base` bits taken off by `method`.
    ///
    /// # Errors
    /// [`LutError::Width`] unless 1 ≤ width ≤ 32 and, for floor:k, 1 ≤ k ≤ width.
    pub fn circuit(self, method: Method, width: u32, log2_base: u32) -> Result<Circuit, LutError> {
        let largest = if let Self::Floor(bits) = self { width.saturating_sub(bits) } else { 0 };
        if !(1..=MAX_WIDTH).contains(&width) || matches!(self, Self::Floor(bits) if bits == 0 || bits > width) {
            return Err(LutError::Width { op: self.to_string(), width, max: MAX_WIDTH });
        }
        let mut circuit = Circuit::new(self.operands());
        let left = circuit.input(0);
        let message = |register| Digit { register, bits: width + 1, deviation: 0.0 };
        match self {
            Self::Floor(_) => {
                // Keeps the top: the last digit is cleared, so that the result is as good as any.
                let mut rest = message(left);
                while rest.bits > largest + 1 {
                    let bits = log2_base.min(rest.bits - largest - 1);
                    let last = rest.bits - bits == largest + 1;
                    let method = if last && method == Method::Reduce { Method::HomFloor } else { method };
                    rest = method.split(&mut circuit, rest, bits).1;
                }
                circuit.put_out(rest.register, rest.half_window());
            }
            Self::Sign | Self::Abs | Self::Relu => {
                let top = top_digit(&mut circuit, method, message(left), log2_base);
                let output = circuit.output(1 << self.out_bits(width));
                match self {
                    Self::Sign => sign(&mut circuit, top, output),
                    Self::Abs => signed(&mut circuit, top, left, output),
                    _ => relu(&mut circuit, top, left, output),
                }
            }
            Self::Less | Self::Max | Self::Min => {
                let right = circuit.input(1);
                let difference = circuit.multiple(left, 1);
                circuit.add(difference, right, -1);
                let top = top_digit(&mut circuit, method, message(difference), log2_base);
                let output = circuit.output(1 << self.out_bits(width));
                if self == Self::Less {
                    sign(&mut circuit, top, output);
                } else {
                    // max(x, y) = y + ReLU(x − y), min(x, y) = x − ReLU(x − y).
                    let positive = circuit.register();
                    relu(&mut circuit, top, difference, positive);
                    let (base, coefficient) = if self == Self::Max { (right, 1) } else { (left, -1) };
                    circuit.add(output, base, 1);
                    circuit.add(output, positive, coefficient);
                    // The noise of y is in ReLU(x − y) again, with the other sign where x > y: no more than counted.
                }
            }
        }
        Ok(circuit)
    }

    /// The circuit of least predicted time that keeps 2^`log2_p_fail` for inputs of noise variance `input_variance`: digits of
    /// every length, taken off by HomDecomp-Reduce.
    pub fn fit(
        self,
        params: &FhewParams,
        width: u32,
        input_variance: f64,
        log2_p_fail: f64,
    ) -> Result<Circuit, LutError> {
        let fit = |log2_base| self.circuit(Method::Reduce, width, log2_base)?.fit(params, input_variance, log2_p_fail);
        let cost = |c: &Result<Circuit, LutError>| c.as_ref().map_or(f64::INFINITY, |c| c.cost_ns(params));
        let mut candidates: Vec<_> = (1..=8).map(fit).collect();
        candidates.sort_by(|a, b| cost(a).total_cmp(&cost(b)));
        candidates.swap_remove(0)
    }
}

/// The top of `message`, at most `log2_base` + 1 bits: rotating by it costs as much as by a digit that is to be taken off.
fn top_digit(circuit: &mut Circuit, method: Method, message: Digit, log2_base: u32) -> Digit {
    let mut rest = message;
    while rest.bits > log2_base + 1 {
        let bits = log2_base.min(rest.bits - 1);
        rest = method.split(circuit, rest, bits).1;
    }
    rest
}

/// A rotation by the top digit, right while the sign is.
fn rotate_by_sign(circuit: &mut Circuit, top: Digit, table: Table) {
    let shift = top.half_window() + top.deviation;
    circuit.push_rotation(Rotation {
        source: top.register,
        log2_factor: 0,
        shift,
        half_window: top.half_window(),
        table,
        extension: 1,
        own_ring: false,
    });
}

/// target += 1/2 if the top bit is set.
fn sign(circuit: &mut Circuit, top: Digit, target: Register) {
    rotate_by_sign(circuit, top, Table::Plain { target, values: vec![3 << 62] });
    circuit.add_fraction(target, 1, 4);
}

/// target += (−1)^top bit · source.
fn signed(circuit: &mut Circuit, top: Digit, source: Register, target: Register) {
    rotate_by_sign(circuit, top, Table::Packed { target, blocks: vec![(source, 1)] });
}

/// target += max(source, 0).
fn relu(circuit: &mut Circuit, top: Digit, source: Register, target: Register) {
    let half = circuit.mod_up(source);
    circuit.add(target, half, 1);
    signed(circuit, top, half, target);
    // Where the sign is +, the noise of the half is there twice: 4 and not 2 of its variances.
    circuit.add_correlation(target, half, 2.0);
}

impl fmt::Display for IntegerOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sign => f.write_str("sign"),
            Self::Less => f.write_str("less"),
            Self::Relu => f.write_str("relu"),
            Self::Abs => f.write_str("abs"),
            Self::Max => f.write_str("max"),
            Self::Min => f.write_str("min"),
            Self::Floor(bits) => write!(f, "floor:{bits}"),
        }
    }
}

impl FromStr for IntegerOp {
    type Err = LutError;

    fn from_str(text: &str) -> Result<Self, LutError> {
        let simple = [Self::Sign, Self::Less, Self::Relu, Self::Abs, Self::Max, Self::Min];
        if let Some(op) = simple.into_iter().find(|op| op.to_string() == text) {
            return Ok(op);
        }
        match text.strip_prefix("floor:").and_then(|bits| bits.parse().ok()) {
            Some(bits) => Ok(Self::Floor(bits)),
            None => Err(LutError::UnknownOp { name: text.to_string() }),
        }
    }
}
