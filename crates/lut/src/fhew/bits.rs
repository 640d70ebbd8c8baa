//! Tables on encrypted bits, of phase b/2: their sums are exclusive ors, and cost nothing.
//!
//! A rotation a bit (ours: of several bits in one message two a rotation, [`super::digits::cmux_trees`]) gives half of
//! (1 − (−1)^b)·g_l = b·g_l for all levels l of a gadget at once, from which a GGSW ciphertext is made (*circuit
//! bootstrapping*: 2024/1318). One tree of CMUXes has the results of all tables. They are not refreshed: half of the
//! circle is far more than their noise, and leaves room for sums of several.
use super::circuit::{Circuit, InputVariance, LookUp, Register, Rotation, Table};
use super::digits::has_cmux_trees;
use crate::table::torus;
use crate::{FhewLutError, Lut, LutError};
use bootes_lattice::Gadget;
use bootes_schemes::fhew::FhewParams;
use std::cmp::Ordering::Less;

/// The name in plans.
pub const NAME: &str = "bit-tree";

/// Where it is from.
pub const REFERENCE: &str = "2024/1318; vertical packing, 2017; a rotation a bit";

/// The most bits of an address.
pub const MAX_ADDRESS_BITS: u32 = 16;

/// The gadgets that are tried: base and levels, the fewest functions a rotation first.
const GADGETS: [(u32, u32); 10] = [(9, 2), (8, 2), (7, 2), (6, 2), (6, 3), (5, 3), (4, 4), (3, 4), (3, 5), (2, 6)];

impl Circuit {
    /// Adds to each target its table's entry, a torus element, at the address whose bit i is that of `bits[i]`, of
    /// phase b/2.
    ///
    /// # Panics
    /// Unless there is a bit, and each table has an entry for each address.
    pub fn look_up_bits(&mut self, bits: &[Register], gadget: Gadget, tables: Vec<(Register, Vec<u64>)>) {
        assert!(!bits.is_empty() && tables.iter().all(|(_, entries)| entries.len() == 1 << bits.len()), "no addresses");
        let selectors = bits.iter().map(|&bit| {
            let of_level = |level: u32| {
                let (register, unit) = (self.register(), 2 << (gadget.log2_base() * level));
                self.add_constant(register, torus(1, unit));
                (register, vec![torus(-1, unit)])
            };
            let functions: Vec<(Register, Vec<u64>)> = (1..=gadget.levels()).map(of_level).collect();
            let levels = functions.iter().map(|&(register, _)| register).collect();
            (bit, levels, functions)
        });
        let selectors: Vec<(Register, Vec<Register>, _)> = selectors.collect();
        let (mut all, mut rotations) = (Vec::new(), Vec::new());
        for (bit, levels, functions) in selectors {
            all.push(levels);
            rotations.push(Rotation::new(bit, 0.25, 0.25, Table::Interleaved { functions }));
        }
        // Side by side, so that all are made together.
        rotations.into_iter().for_each(|rotation| {
            self.push_rotation(rotation);
        });
        let tables = tables.into_iter().map(|(register, entries)| (register, entries.into())).collect();
        self.look_up(LookUp { gadget, selectors: all, tables });
    }
}

/// Tables on the same bits, an output each: entry Σ x_i·2^(k − 1 − i) is the image of x_0, …, x_{k − 1}, as in a
/// [`crate::MultivariateLut`].
///
/// # Errors
/// [`FhewLutError::Unsupported`] unless there are tables, all of 2 to 2^16 entries, a power of two.
pub fn circuit(luts: &[Lut], gadget: Gadget) -> Result<Circuit, LutError> {
    let refused = |reason: String| LutError::Fhew(FhewLutError::Unsupported { algorithm: NAME.into(), reason });
    let entries = luts.first().map_or(0, Lut::in_modulus);
    let bits = entries.checked_ilog2().filter(|&bits| entries == 1 << bits && (1..=MAX_ADDRESS_BITS).contains(&bits));
    let Some(bits) = bits.filter(|_| luts.iter().all(|lut| lut.in_modulus() == entries)) else {
        let sizes: Vec<String> = luts.iter().map(|lut| lut.in_modulus().to_string()).collect();
        let most = 1 << MAX_ADDRESS_BITS;
        let sizes = sizes.join(", ");
        return Err(refused(format!("tables have {sizes} entries: expected one power of two from 2 to {most}")));
    };
    let mut circuit = Circuit::new(bits as usize);
    let inputs: Vec<Register> = (0..bits as usize).rev().map(|i| circuit.input(i)).collect();
    let tables = luts.iter().map(|lut| (circuit.output(lut.out_modulus()), lut.encoded())).collect();
    circuit.look_up_bits(&inputs, gadget, tables);
    Ok(circuit)
}

/// The gadget of least predicted time whose results have noise of a standard deviation of at most `std`, or else the
/// one of least noise, for `results` tables of `bits` bits; none where the parameters make no GGSW ciphertexts.
pub fn gadget(params: &FhewParams, bits: u32, results: usize, std: f64) -> Option<Gadget> {
    let lut = (1..=MAX_ADDRESS_BITS).contains(&bits).then(|| Lut::modular(vec![0; 1 << bits], 2).ok())??;
    let of = |gadget: Gadget| {
        let circuit = circuit(&vec![lut.clone(); results], gadget).ok()?;
        let [own] = circuit.noise(params, 0.0).bound_variances[..1] else { return None };
        let (cost, own) = (circuit.cost_ns(params), own.sqrt());
        Some((gadget, if own <= std { [0.0, cost, own] } else { [1.0, own, cost] }))
    };
    let found = gadgets(params).filter_map(of).min_by(|(_, one), (_, other)| one.partial_cmp(other).unwrap_or(Less));
    found.map(|(gadget, _)| gadget)
}

/// The gadgets with which parameters have trees of CMUXes: none where they make no GGSW ciphertexts.
fn gadgets(params: &FhewParams) -> impl Iterator<Item = Gadget> {
    let makes = has_cmux_trees(params);
    let gadget = |&(log2_base, levels): &(u32, u32)| Gadget::try_new(log2_base, levels).ok();
    GADGETS.iter().filter_map(gadget).filter(move |_| makes)
}

/// [`circuit`] of least predicted time, and of those of least noise, fitted; none where the parameters make no GGSW
/// ciphertexts.
///
/// # Errors
/// As [`circuit`]; the refusal of the last gadget, if none fits.
pub fn fit(
    luts: &[Lut],
    params: &FhewParams,
    input_variance: impl Into<InputVariance>,
    log2_p_fail: f64,
) -> Option<Result<Circuit, LutError>> {
    let inputs = &input_variance.into();
    let fitted = gadgets(params).map(|gadget| circuit(luts, gadget)?.fit(params, inputs, log2_p_fail));
    let order = |circuit: &Circuit| (circuit.cost_ns(params), circuit.noise(params, inputs).output_variance);
    fitted.reduce(|one, other| match (one, other) {
        (Ok(one), Ok(other)) if order(&other) < order(&one) => Ok(other),
        (Err(_), other) => other,
        (one, _) => one,
    })
}
