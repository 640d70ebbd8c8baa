//! Tables by the bits of a message: circuit bootstrapping and a tree of CMUXes (2024/1318, and the *vertical packing*
//! of Chillotti, Gama, Georgieva, Izabachène 2017), two bits a rotation.
//!
//! **Two bits a rotation, without a bit of padding** (ours). A rotation's function is negacyclic. With the lowest two
//! bits b_1 b_0 at the top of the circle, those of two values are (−1)^{b_1} and (−1)^{b_1 ⊕ b_0}: half of 1 less
//! either, times g_l, are u·g_l and v·g_l of u = b_1 and v = b_1 ⊕ b_0, from which GGSW ciphertexts are made. They tell
//! both bits: the table is permuted. What the next rotation is to see must not have b_1, and u·g_d, the last level,
//! times a power of two takes it away. b_0 is no negacyclic function and stays: b_0, a quarter of it a pair further,
//! and so on, are at most 1/12 of the circle, a shift of ±1/24 of messages that are 1/4 apart.
//!
//! The tree's results, digits of a few bits, are refreshed each by a rotation at its place in the result. Those of
//! short tables need not be: the tree has them at once, with noise that leaves them room for a sum of two.
use super::tables::{LargeLut, terms_taken};
use crate::LutError;
use crate::fhew::circuit::{Circuit, InputVariance, LookUp, MOST_RESULTS, Register, Rotation, Table};
use crate::table::torus;
use bootes_lattice::Gadget;
use bootes_schemes::fhew::{FhewParams, PackingMethod};
use std::cmp::Reverse;

/// Bits of a message that a rotation takes.
const PAIR: u32 = 2;

/// The gadgets of trees of CMUXes, the fewest functions a rotation first.
#[must_use]
pub fn cmux_gadgets() -> [Gadget; 4] {
    let gadget = |(log2_base, levels)| Gadget::try_new(log2_base, levels).expect("a gadget of a few bits");
    [(8, 2), (9, 2), (6, 3), (5, 4)].map(gadget)
}

/// Whether the parameters have the ciphertexts that trees of CMUXes take.
#[must_use]
pub fn has_cmux_trees(params: &FhewParams) -> bool {
    params.shape().rank == 1 && params.packing_method() == PackingMethod::Trace
}

/// The lengths of the tree's digits that are tried, in bits.
const DIGITS: [u32; 3] = [5, 4, 3];

/// The trees of CMUXes of tables on the same integers, an output each, with GGSW ciphertexts of `gadget`, whose results
/// come in digits of `digit_bits` bits, or at once and not refreshed where they have at most `most` bits with their
/// room: all but the results is made once. None where the gadget's last digit is larger than the lowest bit of a message.
///
/// # Panics
/// Unless there is a table, and all are of such integers.
pub fn cmux_trees(tables: &[LargeLut], gadget: Gadget, digit_bits: u32, most: u32) -> Option<Circuit> {
    let widths = tables[0].widths();
    assert!(tables.iter().all(|table| table.widths() == widths), "tables of different sizes");
    let mut circuit = Circuit::new(widths.len());
    let selectors = selectors(&mut circuit, widths, gadget)?;
    // Of each pair the higher bit, in the place of the lower.
    let starts = widths.iter().scan(0, |next, width| Some(std::mem::replace(next, *next + width)));
    let pairs = starts.zip(widths).flat_map(|(start, width)| (0..width / PAIR).map(move |pair| start + PAIR * pair));
    let lower = pairs.fold(0usize, |mask, low| mask | 1 << low);
    // Of each pair, u = b_1 and v = b_1 ⊕ b_0 are b_1 and b_0.
    let message = |address: usize| address ^ ((address >> 1) & lower);
    let (mut results, mut refreshed, mut constants) = (Vec::new(), Vec::new(), Vec::new());
    for table in tables {
        let entry = |address: usize| table.values()[message(address)];
        let entries = |digit: &dyn Fn(u64) -> i128, scale: u64| {
            (0..table.values().len()).map(|address| torus(digit(entry(address)), scale)).collect()
        };
        let least = (table.least() as u64) << (63 - table.out_bits());
        if table.unrefreshed_bits() <= most {
            // Two of them may be added.
            let output = circuit.output(1 << (table.unrefreshed_bits() + 2));
            results.push((output, entries(&i128::from, 2 << table.out_bits())));
            constants.push((output, least));
            continue;
        }
        let output = circuit.output(1 << (table.out_bits() + 1 + table.budget()));
        constants.push((output, least));
        // A digit that all entries have in common is known, but of what is the same everywhere, as an outline is.
        let varies = table.values().iter().any(|value| *value != table.values()[0]);
        for start in (0..table.out_bits()).step_by(digit_bits as usize) {
            let bits = digit_bits.min(table.out_bits() - start);
            let digit = |value: u64| i128::from((value >> start) & ((1 << bits) - 1));
            let scale = 1 << (table.out_bits() + 1 - start);
            if varies && table.values().iter().all(|&value| digit(value) == digit(table.values()[0])) {
                constants.push((output, torus(digit(table.values()[0]), scale)));
                continue;
            }
            let register = circuit.register();
            results.push((register, entries(&digit, 2 << bits)));
            refreshed.push((register, output, (0..1i128 << bits).map(|digit| torus(digit, scale)).collect()));
        }
    }
    circuit.look_up(LookUp { gadget, selectors, tables: results });
    for (digit, output, values) in refreshed {
        circuit.rotate_plain(digit, output, values);
    }
    constants.into_iter().for_each(|(output, constant)| circuit.add_constant(output, constant));
    Some(circuit)
}

/// The trees of CMUXes of tables on the same integers of least predicted time, with one of these gadgets, of those that
/// take the most of their own results, up to two, as their input; none where the parameters have no ciphertexts for it,
/// or there are too many tables.
///
/// # Errors
/// The refusal of the last gadget, if none fits.
pub fn fit_cmux_trees(
    tables: &[LargeLut],
    gadgets: &[Gadget],
    params: &FhewParams,
    input_variance: &InputVariance,
    log2_p_fail: f64,
) -> Option<Result<Circuit, LutError>> {
    if !has_cmux_trees(params) {
        return None;
    }
    let count = |digit_bits: u32, most: u32| {
        let refreshed = tables.iter().filter(|table| table.unrefreshed_bits() > most);
        let digits: u32 = refreshed.clone().map(|table| table.out_bits().div_ceil(digit_bits)).sum();
        digits as usize + tables.len() - refreshed.count()
    };
    let mut all: Vec<u32> = tables.iter().map(LargeLut::unrefreshed_bits).chain([0]).collect();
    all.sort_unstable();
    all.dedup();
    let ways = DIGITS.into_iter().flat_map(|digit_bits| all.iter().map(move |&most| (digit_bits, most)));
    let ways: Vec<(u32, u32)> = ways.filter(|&(digit_bits, most)| count(digit_bits, most) <= MOST_RESULTS).collect();
    // Neither noise nor time depends on the entries.
    let outlines: Vec<LargeLut> = tables.iter().map(|table| table.outline(1)).collect();
    let mut best: Option<(Gadget, u32, u32)> = None;
    let mut least = (Reverse(0), f64::INFINITY);
    let mut refusal = None;
    for &gadget in gadgets {
        for &(digit_bits, most) in &ways {
            let Some(outline) = cmux_trees(&outlines, gadget, digit_bits, most) else { continue };
            match outline.fit(params, input_variance, log2_p_fail) {
                Ok(circuit) => {
                    let terms = terms_taken(&circuit, params, input_variance, log2_p_fail);
                    let cost = (Reverse(terms), circuit.cost_ns(params));
                    if best.is_none() || cost < least {
                        (best, least) = (Some((gadget, digit_bits, most)), cost);
                    }
                }
                // That of noise of what is refreshed.
                Err(error) if most == 0 => refusal = Some(error),
                Err(_) => {}
            }
        }
    }
    let made = best.and_then(|(gadget, digit_bits, most)| cmux_trees(tables, gadget, digit_bits, most));
    made.map(|circuit| circuit.fit(params, input_variance, log2_p_fail)).or(refusal.map(Err))
}

/// The samples of u·g_l of all levels l, for each u of the address: v = b_1 ⊕ b_0 and u = b_1 of the pairs of bits of
/// each input, low first. None where the gadget's last digit is larger than the lowest bit of a message.
fn selectors(circuit: &mut Circuit, widths: &[u32], gadget: Gadget) -> Option<Vec<Vec<Register>>> {
    let levels = gadget.levels();
    let mut inputs: Vec<(u32, Register, Vec<Vec<Register>>)> = Vec::new();
    for (i, &width) in widths.iter().enumerate() {
        inputs.push((width, circuit.multiple(circuit.input(i), 1), Vec::new()));
    }
    let most = widths.iter().copied().max().unwrap_or(0);
    for (pair, low) in (0..most).step_by(PAIR as usize).enumerate() {
        // Σ 4^−j/4 over the pairs below, of their lower bits.
        let left = (1.0 - 0.25f64.powi(pair as i32)) / 12.0;
        let half_window = 0.125 - left / 2.0;
        let (mut rotations, mut taken_away) = (Vec::new(), Vec::new());
        for (width, rest, selectors) in inputs.iter_mut().filter(|(width, ..)| low < *width) {
            let source = circuit.multiple(*rest, 1 << (*width - 1 - low));
            let mut functions = Vec::new();
            let mut bit = |signs: [i128; 2]| -> Vec<Register> {
                let of_level = |level: u32| {
                    let (register, unit) = (circuit.register(), 2 << (gadget.log2_base() * level));
                    functions.push((register, signs.map(|sign| torus(-sign, unit)).to_vec()));
                    circuit.add_constant(register, torus(1, unit));
                    register
                };
                (1..=levels).map(of_level).collect()
            };
            selectors.push(bit([1, -1]));
            // The highest bit of a message on the half circle is 0, and need not be told.
            if low + 1 < *width {
                let upper = bit([1, 1]);
                if low + PAIR < *width {
                    let log2 = (levels * gadget.log2_base() + low).checked_sub(*width)?;
                    taken_away.push((*rest, upper[levels as usize - 1], -(1 << log2)));
                }
                selectors.push(upper);
            }
            rotations.push(Rotation::new(source, half_window, half_window, Table::Interleaved { functions }));
        }
        // Side by side, so that those of all inputs are made together.
        rotations.into_iter().for_each(|rotation| {
            circuit.push_rotation(rotation);
        });
        taken_away.into_iter().for_each(|(rest, upper, coefficient)| circuit.add(rest, upper, coefficient));
    }
    Some(inputs.into_iter().flat_map(|(_, _, selectors)| selectors).collect())
}
