//! Circuits read on phases, without noise and without keys: what they are meant to do.
use super::{Circuit, LookUp, Register, Rotation, Step, Table};

/// How far into the half window around a phase a table is read.
const INSIDE: f64 = 0.999;

impl Circuit {
    /// The phases of the outputs, of phases of the inputs. What ModUp leaves open is decided by a sequence of coins.
    ///
    /// # Errors
    /// The number of a rotation that would give another result for noise within its half window, or of a lookup whose
    /// selectors are no bits.
    pub fn phases(&self, inputs: &[u64], coins: &mut u64) -> Result<Vec<u64>, usize> {
        let mut registers = vec![0u64; self.registers];
        registers[..inputs.len()].copy_from_slice(inputs);
        for (number, step) in self.steps.iter().enumerate() {
            let of = |register: Register| registers[register.0];
            let terms = match step {
                Step::Constant { target, constant } => vec![(*target, *constant)],
                Step::Linear { target, source, coefficient } => {
                    vec![(*target, of(*source).wrapping_mul(*coefficient as u64))]
                }
                Step::ModUp { target, source } => {
                    *coins = coins.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
                    vec![(*target, of(*source) / 2 + (*coins >> 63 << 63))]
                }
                Step::Correlation { .. } | Step::Instead { .. } => Vec::new(),
                Step::Rotate(rotation) => turned(rotation, of).ok_or(number)?,
                Step::LookUp(look_up) => looked_up(look_up, of).ok_or(number)?,
                Step::Multiply(_) => return Err(number),
            };
            for (target, term) in terms {
                registers[target.0] = registers[target.0].wrapping_add(term);
            }
        }
        Ok(self.outputs.iter().map(|output| registers[output.register.0]).collect())
    }
}

/// The results of a rotation, if noise within the half window makes no other.
fn turned(rotation: &Rotation, of: impl Fn(Register) -> u64) -> Option<Vec<(Register, u64)>> {
    let torus = |x: f64| (x * 2f64.powi(64)) as i128 as u64;
    let phase = (of(rotation.source) << rotation.log2_factor).wrapping_add(torus(rotation.shift));
    let at = |phase: u64| {
        let (upper, x) = (phase >> 63 == 1, phase & (u64::MAX >> 1));
        let signed = |value: u64| if upper { value.wrapping_neg() } else { value };
        // x is 63 bits of the half circle.
        let window = |count: usize| ((u128::from(x) * count as u128) >> 63) as usize;
        match &rotation.table {
            Table::Plain { target, values } => vec![(*target, signed(values[window(values.len())]))],
            Table::Interleaved { functions } => {
                let of_function =
                    |(target, values): &(Register, Vec<u64>)| (*target, signed(values[window(values.len())]));
                functions.iter().map(of_function).collect()
            }
            Table::Multi { modulus, log2_scale, columns } => {
                let unit = (((1u128 << 64) / (2 * u128::from(*modulus))) as u64) >> log2_scale;
                let halves = |half: i64| signed((half as u64).wrapping_mul(unit));
                columns.iter().map(|column| (column.target, halves(column.halves[window(column.windows())]))).collect()
            }
            Table::Packed { target, blocks } => {
                let (block, sign) = blocks[window(blocks.len())];
                vec![(*target, signed(of(block).wrapping_mul(i64::from(sign) as u64)))]
            }
            Table::Selected { target, values, digits } => {
                let number = window(values.len());
                let term = |(source, factors): &(Register, Vec<i64>)| of(*source).wrapping_mul(factors[number] as u64);
                let sum = digits.iter().map(term).fold(values[number], u64::wrapping_add);
                vec![(*target, signed(sum))]
            }
            Table::Continuous { target, knots, .. } => {
                vec![(*target, signed(torus(interpolate(knots, x as f64 / 2f64.powi(64)))))]
            }
        }
    };
    let found = at(phase);
    if matches!(rotation.table, Table::Continuous { .. }) {
        return Some(found);
    }
    let half = torus(INSIDE * rotation.half_window);
    [phase.wrapping_add(half), phase.wrapping_sub(half)].into_iter().all(|phase| at(phase) == found).then_some(found)
}

/// The entries of the address that the selectors, u·g_l for each bit u, are of.
fn looked_up(look_up: &LookUp, of: impl Fn(Register) -> u64) -> Option<Vec<(Register, u64)>> {
    let base = look_up.gadget.log2_base();
    let mut address = 0;
    for (number, levels) in look_up.selectors.iter().enumerate() {
        let bit = of(levels[0]).wrapping_add(1 << (63 - base)) >> (64 - base) & 1;
        let level = |(level, &register): (u32, &Register)| {
            let error = of(register).wrapping_sub(bit << (64 - base * level)) as i64;
            error.unsigned_abs() < 1 << 32
        };
        if !(1..).zip(levels).all(level) {
            return None;
        }
        address |= (bit as usize) << number;
    }
    Some(look_up.tables.iter().map(|(target, entries)| (*target, entries[address])).collect())
}

fn interpolate(knots: &[[f64; 2]], x: f64) -> f64 {
    let pair = knots.windows(2).find(|pair| x <= pair[1][0]).unwrap_or(&knots[knots.len() - 2..]);
    let [[x0, y0], [x1, y1]] = [pair[0], pair[1]];
    y0 + (y1 - y0) * (x - x0) / (x1 - x0)
}
