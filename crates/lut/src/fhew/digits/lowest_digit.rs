//! One stage: the lowest digit, and the message without it.
use crate::fhew::circuit::{Circuit, Register, Rotation, Table};
use crate::fhew::continuous;

/// The padding β of [`Method::Fdfb`], as a fraction of the torus: the compressed phases stay as far from 0, ±1/4 and 1/2.
pub const BETA: f64 = 1.0 / 64.0;

/// How the low digit is taken away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// HomFloor of LMP22: reduce, then clear. Needs discrete messages of little noise.
    HomFloor,
    /// HomFloorAlt of LMP22: two more gaps first, for messages of any noise.
    HomFloorAlt,
    /// HomDecomp-Reduce (FDFB paper, Algorithm 7).
    Reduce,
    /// HomDecomp-FDFB (FDFB paper, Algorithm 8).
    Fdfb,
}

/// A message of `bits` bits: phase M/2^bits, up to `deviation` (of the torus) and noise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DigitRegister {
    /// Where it is.
    pub register: Register,
    /// Its size.
    pub bits: u32,
    /// The most that it is off beside noise.
    pub deviation: f64,
}

impl DigitRegister {
    /// The noise that it stands: half a step, less the deviation.
    pub fn half_window(&self) -> f64 {
        half_step(self.bits) - self.deviation
    }
}

/// Half the distance of two messages of `bits` bits.
fn half_step(bits: u32) -> f64 {
    (-f64::from(bits) - 1.0).exp2()
}

impl Method {
    /// All four.
    pub const ALL: [Self; 4] = [Self::HomFloor, Self::HomFloorAlt, Self::Reduce, Self::Fdfb];

    /// The paper's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::HomFloor => "HomFloor",
            Self::HomFloorAlt => "HomFloorAlt",
            Self::Reduce => "HomDecomp-Reduce",
            Self::Fdfb => "HomDecomp-FDFB",
        }
    }

    /// Splits the `bits` lowest bits off `message`: the digit, and the message without them.
    ///
    /// # Panics
    /// Unless the message has more bits.
    pub fn split(self, circuit: &mut Circuit, message: DigitRegister, bits: u32) -> (DigitRegister, DigitRegister) {
        assert!(bits < message.bits, "{bits} of {} bits", message.bits);
        // The digit on the circle, and what one turn of it is in the message.
        let turns = 1i64 << (message.bits - bits);
        let unit = 1.0 / turns as f64;
        let digit = DigitRegister {
            register: circuit.multiple(message.register, turns),
            bits,
            deviation: message.deviation * turns as f64,
        };
        let rest = circuit.multiple(message.register, 1);
        let mut stage = Stage { circuit, turns, unit, rest, half_step: half_step(bits) };
        let deviation = match self {
            Self::Reduce => {
                stage.reduce(digit.register, stage.half_step, digit.half_window());
                unit / 4.0
            }
            Self::HomFloor => {
                stage.reduce(digit.register, stage.half_step, digit.half_window());
                stage.clear(digit.half_window());
                0.0
            }
            Self::HomFloorAlt => {
                stage.open_gaps(digit.register, digit.half_window());
                let opened = stage.circle();
                stage.reduce(opened, 0.0, 0.125);
                stage.clear(0.125);
                0.0
            }
            Self::Fdfb => {
                stage.subtract(digit.register, digit.half_window());
                0.0
            }
        };
        let rest = DigitRegister { register: stage.rest, bits: message.bits - bits, deviation };
        (digit, rest)
    }
}

/// A stage under way: `rest` is the message, and what is taken away of it.
struct Stage<'a> {
    circuit: &'a mut Circuit,
    turns: i64,
    unit: f64,
    rest: Register,
    half_step: f64,
}

impl Stage<'_> {
    /// rest += fraction, of a turn of the low digit.
    fn add(&mut self, fraction: f64) {
        self.circuit.add_constant(self.rest, ((fraction * self.unit) * 2f64.powi(64)) as i128 as u64);
    }

    /// The low part of `rest` on the circle.
    fn circle(&mut self) -> Register {
        self.circuit.multiple(self.rest, self.turns)
    }

    fn rotate(&mut self, source: Register, shift: f64, half_window: f64, table: Table) {
        self.circuit.push_rotation(Rotation::new(source, shift, half_window, table));
    }

    fn plain(&self, values: &[f64]) -> Table {
        let value = |v: &f64| ((v * self.unit) * 2f64.powi(64)) as i128 as u64;
        Table::Plain { target: self.rest, values: values.iter().map(value).collect() }
    }

    /// (9): y in [0, 1) becomes y + 1/4 − 1/2 or y − 1/4 − 1/2, in [−1/4, 1/4). y is the source's phase and `shift`, which is
    /// added to `rest` too.
    fn reduce(&mut self, source: Register, shift: f64, half_window: f64) {
        let table = self.plain(&[0.25]);
        self.rotate(source, shift, half_window, table);
        self.add(shift - 0.5);
    }

    /// Takes the low part in [−1/4, 1/4] away: y, and 1/2 − y on [1/4, 1/2), are negacyclic together.
    fn clear(&mut self, half_window: f64) {
        let source = self.circle();
        let knots = [[0.0, 0.0], [0.25, -0.25], [0.5, 0.0]].map(|[x, y]| [x, y * self.unit]).to_vec();
        let cleared = self.circuit.multiple(self.rest, 1);
        let table = Table::Continuous { target: cleared, knots, clears: true };
        self.rotate(source, 0.0, half_window, table);
        self.rest = cleared;
    }

    /// y in [0, 1) becomes y + 1/4, y, y − 1/4 or y, less 1/8, by quarters: no nearer than 1/8 to 0 and 1/2.
    fn open_gaps(&mut self, source: Register, half_window: f64) {
        let table = self.plain(&[0.25, 0.0]);
        self.rotate(source, self.half_step, half_window, table);
        self.add(self.half_step - 0.125);
        self.rest = self.circuit.multiple(self.rest, 1);
    }

    /// Takes y in [0, 1) away by a continuous FDFB-Compress of the identity (Theorem 8, appendix A).
    fn subtract(&mut self, source: Register, half_window: f64) {
        self.add(self.half_step);
        let subtracted = self.circuit.multiple(self.rest, 1);
        let unit = self.unit;
        let identity = |half: f64| [half, half + 0.5].map(|y| -y * unit).to_vec();
        continuous::apply(self.circuit, source, self.half_step, half_window, subtracted, true, identity);
        self.rest = subtracted;
    }
}
