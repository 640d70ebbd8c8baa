//! Tables by the bits of a message: circuit bootstrapping and a tree of CMUXes (2024/1318, and the *vertical packing* of
//! Chillotti, Gama, Georgieva, Izabachène 2017), two bits a rotation.
//!
//! **Two bits a rotation, without a bit of padding** (ours). A rotation's function is negacyclic. With the lowest two bits
//! b_1 b_0 at the top of the circle, those of two values are (−1)^{b_1} and (−1)^{b_1 ⊕ b_0}: half of 1 less either, times
//! g_l, are u·g_l and v·g_l of u = b_1 and v = b_1 ⊕ b_0, from which GGSW ciphertexts are made. They tell both bits: the
//! table is permuted. What the next rotation is to see must not have b_1, and u·g_d, the last level, times a power of two
//! takes it away. b_0 is no negacyclic function and stays: b_0, a quarter of it a pair further, and so on, are at most 1/12
//! of the circle, a shift of ±1/24 of messages that are 1/4 apart.
//!
//! The tree's results, digits of four bits, are refreshed each by a rotation at its place in the result.
use super::tables::{LargeLut, terms_taken};
use crate::LutError;
use crate::fhew::circuit::{Circuit, LookUp, Register, Rotation, Table};
use crate::table::torus;
use bootes_lattice::Gadget;
use bootes_schemes::fhew::{FhewParams, PackingMethod};
use std::cmp::Reverse;

/// Bits of a message that a rotation takes.
const PAIR: u32 = 2;

/// The gadgets that are tried: base and levels, the fewest functions a rotation first.
const GADGETS: [(u32, u32); 4] = [(9, 2), (8, 2), (6, 3), (5, 4)];

/// The lengths of the tree's digits that are tried, in bits.
const DIGITS: [u32; 3] = [5, 4, 3];

impl LargeLut {
    /// The tree of CMUXes with GGSW ciphertexts of `gadget`, whose results come in digits of `digit_bits` bits; none where
    /// the gadget's last digit is larger than the lowest bit of a message.
    pub fn cmux_tree(&self, gadget: Gadget, digit_bits: u32) -> Option<Circuit> {
        let (width, levels) = (self.in_bits(), gadget.levels());
        let mut circuit = Circuit::new(1);
        let rest = circuit.multiple(circuit.input(0), 1);
        let mut selectors = Vec::new();
        for (pair, low) in (0..width).step_by(PAIR as usize).enumerate() {
            let source = circuit.multiple(rest, 1 << (width - 1 - low));
            // Σ_{j ≤ pair} 4^−j/4: what is left of the pairs below.
            let left = (1.0 - 0.25f64.powi(pair as i32)) / 12.0;
            let half_window = 0.125 - left / 2.0;
            let mut functions = Vec::new();
            let mut bit = |circuit: &mut Circuit, signs: [i64; 2]| -> Vec<Register> {
                let of_level = |level: u32| {
                    let (register, log2) = (circuit.register(), gadget.log2_base() * level + 1);
                    functions.push((register, signs.map(|sign| torus(-i128::from(sign), 1 << log2)).to_vec()));
                    circuit.add_constant(register, torus(1, 1 << log2));
                    register
                };
                (1..=levels).map(of_level).collect()
            };
            let lower = bit(&mut circuit, [1, -1]);
            // The highest bit of a message on the half circle is 0, and need not be told.
            let upper = (low + 1 < width).then(|| bit(&mut circuit, [1, 1]));
            circuit.push_rotation(Rotation::new(source, half_window, half_window, Table::Interleaved { functions }));
            selectors.push(lower);
            if let Some(upper) = upper {
                if low + PAIR < width {
                    let log2 = (levels * gadget.log2_base() + low).checked_sub(width)?;
                    circuit.add(rest, upper[levels as usize - 1], -(1 << log2));
                }
                selectors.push(upper);
            }
        }
        let output = circuit.output(1 << (self.out_bits() + 1 + self.budget()));
        let mut tables = Vec::new();
        for start in (0..self.out_bits()).step_by(digit_bits as usize) {
            let bits = digit_bits.min(self.out_bits() - start);
            let register = circuit.register();
            let digit = |address: usize| (self.values()[message(address)] >> start) & ((1 << bits) - 1);
            let values = (0..1 << width).map(|address| torus(digit(address).into(), 2 << bits)).collect();
            tables.push((register, values, bits, start));
        }
        let refreshed: Vec<_> = tables.iter().map(|&(register, _, bits, start)| (register, bits, start)).collect();
        let tables = tables.into_iter().map(|(register, values, ..)| (register, values)).collect();
        circuit.look_up(LookUp { gadget, selectors, tables });
        for (register, bits, start) in refreshed {
            let scale = self.out_bits() + 1 - start;
            let values = (0..1i128 << bits).map(|digit| torus(digit, 1 << scale)).collect();
            circuit.rotate_plain(register, output, values);
        }
        circuit.add_constant(output, (self.least() as u64) << (63 - self.out_bits()));
        Some(circuit)
    }
}

impl LargeLut {
    /// The tree of CMUXes of least predicted time, of those that take the most of its own results, up to two, as its input;
    /// none where the parameters have no ciphertexts for it.
    pub(super) fn fit_cmux_tree(
        &self,
        params: &FhewParams,
        input_variance: f64,
        log2_p_fail: f64,
    ) -> Option<Result<Circuit, LutError>> {
        if params.shape().rank != 1 || params.packing_method() != PackingMethod::Trace {
            return None;
        }
        let mut best: Option<((Reverse<u32>, f64), Circuit)> = None;
        let mut refusal = None;
        for (log2_base, levels) in GADGETS {
            let gadget = Gadget::try_new(log2_base, levels).expect("a gadget of a few bits");
            for digit_bits in DIGITS {
                let circuit = self.cmux_tree(gadget, digit_bits)?;
                match circuit.fit(params, input_variance, log2_p_fail) {
                    Ok(circuit) => {
                        let terms = terms_taken(&circuit, params, input_variance, log2_p_fail);
                        let cost = (Reverse(terms), circuit.cost_ns(params));
                        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                            best = Some((cost, circuit));
                        }
                    }
                    Err(error) => refusal = Some(error),
                }
            }
        }
        best.map(|(_, circuit)| Ok(circuit)).or(refusal.map(Err))
    }
}

/// The message of an address: of each pair, u = b_1 and v = b_1 ⊕ b_0 are b_1 and b_0.
fn message(address: usize) -> usize {
    address ^ ((address >> 1) & 0x5555_5555)
}
