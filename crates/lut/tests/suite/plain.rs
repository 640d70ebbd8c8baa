//! Circuits read on phases, without noise and without keys.
use bootes_lut::fhew::Circuit;
use bootes_lut::fhew::circuit::{Register, Rotation, Step, Table};

/// The phases of the outputs. What ModUp leaves open is decided by a sequence of coins.
pub(crate) fn phases(circuit: &Circuit, inputs: &[u64], coins: &mut u64) -> Vec<u64> {
    let mut registers = vec![0u64; circuit.registers()];
    registers[..inputs.len()].copy_from_slice(inputs);
    let index = index_of(circuit);
    for step in circuit.steps() {
        match step {
            Step::Constant { target, constant } => add(&mut registers, index(*target), *constant),
            Step::Linear { target, source, coefficient } => {
                let term = registers[index(*source)].wrapping_mul(*coefficient as u64);
                add(&mut registers, index(*target), term);
            }
            Step::ModUp { target, source } => {
                *coins = coins.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
                let half = registers[index(*source)] / 2 + (*coins >> 63 << 63);
                add(&mut registers, index(*target), half);
            }
            Step::Correlation { .. } | Step::Instead { .. } => {}
            Step::Rotate(rotation) => {
                let (target, result) = rotate(rotation, |register| registers[index(register)]);
                add(&mut registers, index(target), result);
            }
            Step::Multiply(_) | Step::LookUp(_) => unreachable!("functions of integers have neither"),
        }
    }
    circuit.outputs().iter().map(|output| registers[index(output.register)]).collect()
}

fn add(registers: &mut [u64], target: usize, term: u64) {
    registers[target] = registers[target].wrapping_add(term);
}

/// Numbers of registers, which the circuit hands out in order.
fn index_of(circuit: &Circuit) -> impl Fn(Register) -> usize + use<> {
    let mut copy = Circuit::new(circuit.registers());
    let all: Vec<Register> = (0..circuit.registers()).map(|i| copy.input(i)).collect();
    copy.put_out(all[0], 0.5);
    move |register| all.iter().position(|&r| r == register).expect("a register of the circuit")
}

/// Where the result of a rotation goes, and the result.
fn rotate(rotation: &Rotation, phase: impl Fn(Register) -> u64) -> (Register, u64) {
    let shift = (rotation.shift * 2f64.powi(64)) as i128 as u64;
    let turned = (phase(rotation.source) << rotation.log2_factor).wrapping_add(shift);
    let (upper, x) = (turned >> 63 == 1, turned & (u64::MAX >> 1));
    // x is 63 bits of the half circle.
    let window = |count: usize| ((u128::from(x) * count as u128) >> 63) as usize;
    let (target, value) = match &rotation.table {
        Table::Plain { target, values } => (*target, values[window(values.len())]),
        Table::Packed { target, blocks } => {
            let (block, sign) = blocks[window(blocks.len())];
            (*target, phase(block).wrapping_mul(i64::from(sign) as u64))
        }
        Table::Continuous { target, knots, .. } => {
            let y = interpolate(knots, x as f64 / 2f64.powi(64));
            (*target, (y * 2f64.powi(64)) as i128 as u64)
        }
        Table::Multi { .. } | Table::Selected { .. } | Table::Interleaved { .. } => {
            unreachable!("functions of integers have no such tables")
        }
    };
    (target, if upper { value.wrapping_neg() } else { value })
}

fn interpolate(knots: &[[f64; 2]], x: f64) -> f64 {
    let pair = knots.windows(2).find(|pair| x <= pair[1][0]).expect("knots to 1/2");
    let [[x0, y0], [x1, y1]] = [pair[0], pair[1]];
    y0 + (y1 - y0) * (x - x0) / (x1 - x0)
}
