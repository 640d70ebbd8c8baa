//! Tables of 9 to 16 bits on decomposed digits: the tree method (Guimarães, Borin, Aranha 2021; FDFB paper, section 1),
//! of two levels, and the chaining method.
//!
//! Tree. x = low + 2^l·high, of w bits in Z_{2^{w+1}}: the high digit, one bit longer than it need be, stays on the
//! half circle, so one multi-value rotation by it evaluates the 2^l tables f(low + 2^l·high) of high for all values of
//! low. Their results, packed, are the test vector that the low digit rotates, on the half circle as well ([`Ready`]):
//! compressed as in FDFB-Compress, a rotation more; or, where the high digit is clear of it, as the difference of the
//! message and the high digit.
//!
//! The multi-value rotation's noise grows with the values: results of more than a few bits come in chunks, a rotation a
//! chunk, each at its own scale of the torus (GBA21 split them into digits for the same reason), summed before they are
//! packed.
use super::{DigitRegister, Method, cmux_gadgets, fit_cmux_trees};
use crate::fhew::circuit::{Circuit, Column, InputVariance, Register, Rotation, Table};
use crate::fhew::compress::compress;
use crate::table::{check_domain, torus, unstructured};
use crate::{FhewLutError, Interval, Lut, LutError};
use bootes_lattice::Gadget;
use bootes_schemes::fhew::FhewParams;
use std::cmp::Reverse;
use std::iter;

/// A table of 2 to 16 bits: entry i is the image of i. Inputs and results of w bits live in Z_{2^{w+1}}, as all large
/// integers. Inputs of up to 20 bits are in several ciphertexts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LargeLut {
    /// Bits of each ciphertext of an input, low first.
    widths: Vec<u32>,
    out_bits: u32,
    /// Bits by which the noise of results may grow.
    budget: u32,
    /// The same of results that a tree of CMUXes does not refresh.
    unrefreshed_budget: u32,
    /// What is added to the entries: the least that results may be.
    least: i64,
    values: Vec<u64>,
}

/// The way the digits of a tree are made ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ready {
    /// HomDecomp-Reduce; the low digit is compressed.
    Reduce,
    /// HomFloor; the low digit is compressed.
    HomFloor,
    /// HomFloor; the low digit is the difference of the message and the high digit: a rotation less, and their noise.
    Difference,
}

impl Ready {
    /// All, with their marks in the names of trees.
    const ALL: [(Self, &str); 3] =
        [(Self::Reduce, ""), (Self::HomFloor, "-homfloor"), (Self::Difference, "-difference")];

    /// How the low digit is taken off the high one.
    fn method(self) -> Method {
        if self == Self::Reduce { Method::Reduce } else { Method::HomFloor }
    }
}

/// Largest input and output, in bits.
pub const MAX_LARGE_BITS: u32 = 16;

/// Largest input in several ciphertexts, in bits.
pub const MAX_TREE_BITS: u32 = 20;

/// Name of the tree of CMUXes.
pub const CMUX_TREE: &str = "cmux-tree";

const ENTRIES: &str = "a power of two from 4 to 65536 with engine fhew; engine ckks takes larger ones";

/// Longest low digit of a tree, in bits: it packs 2^this ciphertexts.
const MAX_LOW_BITS: u32 = 9;

impl LargeLut {
    /// Where the circuit of this name ([`Self::fits`]) is from.
    pub fn reference(name: &str) -> &'static str {
        match name {
            CMUX_TREE => "circuit bootstrapping and CMUX tree of 2024/1318, two bits a rotation",
            _ => "tree method of GBA21 on digits by fdfb-and-digit-decomposition, Algorithms 2 and 7",
        }
    }

    /// A table of 2^in_bits entries of at most `out_bits` bits, both 2 to 16.
    ///
    /// # Errors
    /// [`FhewLutError::LargeTable`], [`LutError::Entry`].
    pub fn new(values: Vec<u64>, out_bits: u32) -> Result<Self, LutError> {
        let found = values.len();
        if !found.is_power_of_two() || !(4..=1 << MAX_LARGE_BITS).contains(&found) {
            return Err(FhewLutError::LargeTable { what: "entries", found, expected: ENTRIES }.into());
        }
        Self::checked(values, vec![found.ilog2()], out_bits)
    }

    /// A table of the integers Σ_i x_i·2^(w_0 + … + w_(i − 1)) of 2 to 20 bits, x_i of w_i = `widths[i]` bits in a
    /// ciphertext of its own: one that a tree of CMUXes takes ([`super::cmux_trees`]), and no other.
    ///
    /// # Errors
    /// [`FhewLutError::LargeTable`] unless there is an entry for each; [`LutError::Entry`].
    pub fn of_several(values: Vec<u64>, widths: &[u32], out_bits: u32) -> Result<Self, LutError> {
        let (found, bits) = (values.len(), widths.iter().sum());
        if !(2..=MAX_TREE_BITS).contains(&bits) || widths.contains(&0) || found != 1 << bits {
            let expected = "an entry for each integer of 2 to 20 bits";
            return Err(FhewLutError::LargeTable { what: "entries", found, expected }.into());
        }
        Self::checked(values, widths.to_vec(), out_bits)
    }

    fn checked(values: Vec<u64>, widths: Vec<u32>, out_bits: u32) -> Result<Self, LutError> {
        if !(2..=MAX_LARGE_BITS).contains(&out_bits) {
            return Err(FhewLutError::LargeTable {
                what: "output bits",
                found: out_bits as usize,
                expected: "2 to 16",
            }
            .into());
        }
        let max = (1u64 << out_bits) - 1;
        match values.iter().position(|&v| v > max) {
            Some(index) => {
                let (value, max) = (values[index].into(), max.into());
                Err(LutError::Entry { index, value, min: 0, max, out_bits })
            }
            None => Ok(Self { widths, out_bits, budget: 0, unrefreshed_budget: 0, least: 0, values }),
        }
    }

    /// A fixed table without structure on `bits`-bit integers, 2 to 16.
    ///
    /// # Errors
    /// [`FhewLutError::LargeTable`] for other bits.
    pub fn unstructured(bits: u32) -> Result<Self, LutError> {
        if bits > MAX_LARGE_BITS {
            let found = 1usize.checked_shl(bits).unwrap_or(usize::MAX);
            return Err(FhewLutError::LargeTable { what: "entries", found, expected: ENTRIES }.into());
        }
        Self::new(unstructured(1 << bits).collect(), bits)
    }

    /// A table on integers 0 to p − 1, p ≥ 2: those up to the next power of two have the image 0.
    ///
    /// # Errors
    /// [`FhewLutError::LargeTable`] for results of more than 16 bits.
    pub fn of(lut: &Lut) -> Result<Self, LutError> {
        let mut values: Vec<u64> = lut.shifted().collect();
        values.resize(values.len().next_power_of_two().max(4), 0);
        Ok(Self { least: lut.least(), ..Self::new(values, lut.out_bits().max(2))? })
    }

    /// The same, evaluated with so little noise that it may grow by a factor of 2^`budget` in sums.
    #[must_use]
    pub fn with_budget(self, budget: u32) -> Self {
        Self { budget, unrefreshed_budget: budget, ..self }
    }

    /// The same with results that are refreshed unless their noise may grow by a factor of 2^`budget`, more than
    /// [`Self::with_budget`] asks of others: refreshed ones have room beyond that.
    #[must_use]
    pub fn refreshed_below(self, budget: u32) -> Self {
        Self { unrefreshed_budget: budget.max(self.budget), ..self }
    }

    /// Input bits.
    pub fn in_bits(&self) -> u32 {
        self.widths.iter().sum()
    }

    /// Bits of each ciphertext of an input, low first.
    pub fn widths(&self) -> &[u32] {
        &self.widths
    }

    /// Output bits.
    pub fn out_bits(&self) -> u32 {
        self.out_bits
    }

    /// Output bits and those by which the noise may grow of results that a tree does not refresh.
    pub(super) fn unrefreshed_bits(&self) -> u32 {
        self.out_bits + self.unrefreshed_budget
    }

    /// The entries, less the least that results may be.
    pub fn values(&self) -> &[u64] {
        &self.values
    }

    /// The least that results may be.
    pub(super) fn least(&self) -> i64 {
        self.least
    }

    /// Bits by which the noise of results may grow.
    pub(super) fn budget(&self) -> u32 {
        self.budget
    }

    /// A table of the same inputs and results, of which only the first entries are there, in the middle of the range:
    /// what does not depend on the entries is read off its circuits, which are made in no time.
    pub(super) fn outline(&self, entries: usize) -> Self {
        let Self { ref widths, out_bits, budget, unrefreshed_budget, least, .. } = *self;
        let values = vec![1 << (out_bits - 1); entries];
        Self { widths: widths.clone(), out_bits, budget, unrefreshed_budget, least, values }
    }

    /// The same on integers of a range that have `width` bits of room, 2 to 16.
    ///
    /// # Errors
    /// [`LutError::Domain`] unless there is an entry for each integer; [`FhewLutError::LargeTable`] for another width.
    pub fn on_integers(&self, integers: Interval, width: u32) -> Result<Self, LutError> {
        // On the half circle.
        check_domain(1 << self.in_bits().min(width), integers)?;
        let mut values = self.values.clone();
        values.resize(1usize << width.min(MAX_LARGE_BITS + 1), 0);
        let Self { budget, unrefreshed_budget, least, .. } = *self;
        Ok(Self { budget, unrefreshed_budget, least, ..Self::new(values, self.out_bits)? })
    }

    /// The tree of two levels, with a low digit of `low_bits` bits, results in chunks of `chunk_bits`.
    ///
    /// # Panics
    /// Unless 1 ≤ `low_bits` < in_bits and `chunk_bits` ≥ 1.
    pub fn tree(&self, ready: Ready, low_bits: u32, chunk_bits: u32) -> Circuit {
        let mut circuit = Circuit::new(1);
        let message = DigitRegister { register: circuit.input(0), bits: self.in_bits() + 1, deviation: 0.0 };
        let (low, high) = ready.method().split(&mut circuit, message, low_bits);
        let count = 1usize << low_bits;
        let results: Vec<Register> = (0..count).map(|_| circuit.register()).collect();
        for start in (0..self.out_bits).step_by(chunk_bits as usize) {
            let bits = chunk_bits.min(self.out_bits - start);
            let half = 1i64 << (bits - 1);
            // Centred, so that the constant term of TV_1 is small too.
            let chunk = |v: u64| ((v >> start) & ((1 << bits) - 1)) as i64 - half;
            let column = |j: usize| {
                let values = self.values.iter().skip(j).step_by(count).map(|&v| chunk(v));
                Column::new(results[j], values)
            };
            circuit.push_rotation(Rotation::new(
                high.register,
                high.half_window() + high.deviation,
                high.half_window(),
                Table::Multi {
                    modulus: 1 << bits,
                    log2_scale: self.out_bits + 1 - start - bits,
                    columns: (0..count).map(column).collect(),
                },
            ));
        }
        let p = count as u64;
        let window = 0.25 / p as f64;
        let (selector, shift, blocks) = if ready == Ready::Difference {
            // What is taken away from the message is the low digit, on the half circle by half the turns.
            let half_turns = 1i64 << (self.in_bits() - low_bits);
            let selector = circuit.multiple(message.register, half_turns);
            circuit.add(selector, high.register, -half_turns);
            (selector, window, results.iter().map(|&r| (r, 1)).collect())
        } else {
            let compressed = circuit.register();
            let values = (0..p / 2).map(|j| torus((2 * j + 1).into(), 4 * p)).collect();
            circuit.rotate_plain(low.register, compressed, values);
            // As in FDFB-Compress: message p/2 + j sits at −(j + ½)/(2p).
            let (first, second) = results.split_at(count / 2);
            (compressed, 0.0, first.iter().map(|&r| (r, 1)).chain(second.iter().rev().map(|&r| (r, -1))).collect())
        };
        let output = circuit.output(1 << (self.out_bits + 1 + self.budget));
        circuit.push_rotation(Rotation::new(selector, shift, window, Table::Packed { target: output, blocks }));
        // What centring took away, and the least.
        let offset: i64 = (0..self.out_bits)
            .step_by(chunk_bits as usize)
            .map(|start| 1i64 << (start + chunk_bits.min(self.out_bits - start) - 1))
            .sum();
        circuit.add_constant(output, ((offset + self.least) as u64) << (63 - self.out_bits));
        circuit
    }

    /// The circuit of least predicted time that keeps 2^`log2_p_fail` for inputs of noise variance `input_variance`,
    /// with its name: one that takes sums of two of its results, or else its results, if there is one.
    ///
    /// # Errors
    /// The refusal of the tree with the least noise, if none fits.
    pub fn fit(
        &self,
        params: &FhewParams,
        input_variance: impl Into<InputVariance>,
        log2_p_fail: f64,
    ) -> Result<(String, Circuit), LutError> {
        let input_variance = &input_variance.into();
        // No tree is faster than its outline, of one chunk and no step: those first that may be the fastest, and no
        // others once they cannot be.
        let outline =
            |(ready, low_bits): (Ready, u32)| self.outline(1 << low_bits).tree(ready, low_bits, self.out_bits);
        let least = |tree| outline(tree).cost_ns(params);
        let mut trees: Vec<_> = self.trees().enumerate().map(|(i, tree)| (least(tree), i + 1, Some(tree))).collect();
        trees.sort_by(|(one, ..), (other, ..)| one.total_cmp(other));
        let mut best: Option<((Reverse<u32>, f64), String, Circuit)> = None;
        let mut refusals = Vec::new();
        for (least, number, tree) in iter::once((0.0, 0, None)).chain(trees) {
            let is_beaten = |least: f64| best.as_ref().is_some_and(|(cost, ..)| *cost <= (Reverse(MAX_TERMS), least));
            if is_beaten(least) {
                break;
            }
            // Nor quieter: what the outline needs of extensions, it needs.
            let needed = |tree| outline(tree).fit(params, input_variance, log2_p_fail).map(|fit| fit.cost_ns(params));
            if best.is_some() && tree.is_some_and(|tree| is_beaten(needed(tree).unwrap_or(f64::INFINITY))) {
                continue;
            }
            let fit = match tree {
                None => self.fit_cmux_tree(&cmux_gadgets(), params, input_variance, log2_p_fail),
                Some(tree) => Some(self.fit_tree(tree, params, input_variance, log2_p_fail)),
            };
            match fit {
                Some((name, Ok(circuit))) => {
                    let terms = terms_taken(&circuit, params, input_variance, log2_p_fail);
                    let cost = (Reverse(terms), circuit.cost_ns(params));
                    if best.as_ref().is_none_or(|(least, ..)| cost < *least) {
                        best = Some((cost, name, circuit));
                    }
                }
                Some((_, Err(error))) => refusals.push((number, error)),
                None => {}
            }
        }
        if let Some((_, name, circuit)) = best {
            return Ok((name, circuit));
        }
        refusals.sort_by_key(|&(number, _)| number);
        let of_output =
            |(_, error): &(usize, LutError)| matches!(error, LutError::Fhew(FhewLutError::OutputNoise { .. }));
        let told = refusals.iter().rposition(of_output).unwrap_or(0);
        Err(refusals.swap_remove(told).1)
    }

    /// The tree of CMUXes ([`super::cmux_trees`]), named [`CMUX_TREE`]; the tree of each length of the low digit and
    /// each way to make the digits ready, named tree-LENGTH, with homfloor or difference where that is the way; or why
    /// there is none. One after the other: a tree of a long table takes megabytes.
    pub fn fits(
        &self,
        params: &FhewParams,
        input_variance: f64,
        log2_p_fail: f64,
    ) -> impl Iterator<Item = (String, Result<Circuit, LutError>)> {
        let input_variance = InputVariance::from(input_variance);
        let of_cmuxes = self.fit_cmux_tree(&cmux_gadgets(), params, &input_variance, log2_p_fail);
        let trees = self.trees().map(move |tree| self.fit_tree(tree, params, &input_variance, log2_p_fail));
        of_cmuxes.into_iter().chain(trees)
    }

    /// The ways to make the digits ready, each with all lengths of the low digit.
    fn trees(&self) -> impl Iterator<Item = (Ready, u32)> {
        let most = if self.widths.len() == 1 { self.in_bits().min(MAX_LOW_BITS + 1) } else { 0 };
        let lengths = 1..most;
        Ready::ALL.into_iter().flat_map(move |(ready, _)| lengths.clone().map(move |low_bits| (ready, low_bits)))
    }

    /// The tree of CMUXes with one of these gadgets, or why there is none; none where the parameters have no
    /// ciphertexts for it.
    pub fn fit_cmux_tree(
        &self,
        gadgets: &[Gadget],
        params: &FhewParams,
        input_variance: &InputVariance,
        log2_p_fail: f64,
    ) -> Option<(String, Result<Circuit, LutError>)> {
        let fit = fit_cmux_trees(std::slice::from_ref(self), gadgets, params, input_variance, log2_p_fail)?;
        Some((CMUX_TREE.to_string(), fit))
    }

    fn fit_tree(
        &self,
        (ready, low_bits): (Ready, u32),
        params: &FhewParams,
        input_variance: &InputVariance,
        log2_p_fail: f64,
    ) -> (String, Result<Circuit, LutError>) {
        let fit = |chunk_bits: u32| self.tree(ready, low_bits, chunk_bits).fit(params, input_variance, log2_p_fail);
        let terms = |circuit: &Circuit| terms_taken(circuit, params, input_variance, log2_p_fail);
        // Few chunks are fast: of equal use of their results, the largest that fit are the best.
        let mut outcome = fit(self.out_bits);
        for chunk_bits in self.chunks().skip(1) {
            match &outcome {
                Err(LutError::Fhew(FhewLutError::OutputNoise { .. })) => outcome = fit(chunk_bits),
                Ok(circuit) if terms(circuit) < MAX_TERMS => {
                    let least = terms(circuit);
                    outcome = fit(chunk_bits).ok().filter(|other| terms(other) > least).map_or(outcome, Ok);
                }
                _ => break,
            }
        }
        let mark = Ready::ALL.into_iter().find(|(way, _)| *way == ready).map_or("", |(_, mark)| mark);
        (format!("tree-{low_bits}{mark}"), outcome)
    }

    /// Lengths of chunks of equal bits but for the last, the longest first.
    fn chunks(&self) -> impl Iterator<Item = u32> {
        let mut lengths: Vec<u32> = (1..=self.out_bits).map(|chunks| self.out_bits.div_ceil(chunks)).collect();
        lengths.dedup();
        lengths.into_iter()
    }
}

/// The chaining method: states r_i = g_i(x_i + 2^b·r_{i−1}), r_{−1} = 0, of `state_bits` bits, for digits x_0, x_1, …
/// of b bits, each a ciphertext in Z_{2^{b + state_bits}}: comparisons, carries, and whatever an automaton does that
/// reads the digits. The output is the last state, in Z_{2^state_bits}.
///
/// # Errors
/// [`FhewLutError::Chain`] unless every table has the inputs and outputs that this needs.
pub fn chain(tables: &[Lut], digit_bits: u32, state_bits: u32) -> Result<Circuit, LutError> {
    let mut circuit = Circuit::new(tables.len());
    let mut state: Option<Register> = None;
    for (index, table) in tables.iter().enumerate() {
        let expected = [1 << (digit_bits + state_bits), 1 << state_bits];
        let found = [table.in_modulus(), table.out_modulus()];
        if expected != found {
            return Err(FhewLutError::Chain { index, expected, found }.into());
        }
        let input = circuit.input(index);
        let source = match state {
            None => input,
            Some(state) => {
                // The state's phase r/2^state_bits is 2^b·r of the messages.
                let sum = circuit.multiple(input, 1);
                circuit.add(sum, state, 1);
                sum
            }
        };
        let target = circuit.register();
        let mut low = table.encoded();
        let high = low.split_off(low.len() / 2);
        compress(&mut circuit, source, target, 0, &low, &high);
        state = Some(target);
    }
    match state {
        Some(state) => circuit.put_out(state, (-f64::from(state_bits) - 1.0).exp2()),
        None => return Err(FhewLutError::Chain { index: 0, expected: [1, 1], found: [0, 0] }.into()),
    }
    Ok(circuit)
}

/// Results whose sum a tree should take as its input, if it can: `max` and `less` take a difference of two.
const MAX_TERMS: u32 = 2;

/// The results of the circuit, up to [`MAX_TERMS`], of which it takes the sum as its own input; 0 if not even one.
/// Those of a tree that are not refreshed are for shorter ones, of which they have room for that by themselves.
pub(super) fn terms_taken(
    circuit: &Circuit,
    params: &FhewParams,
    input_variance: &InputVariance,
    log2_p_fail: f64,
) -> u32 {
    let bounds = circuit.noise(params, input_variance).bound_variances;
    let looked_up = |register| circuit.look_ups().any(|look_up| look_up.tables.iter().any(|table| table.0 == register));
    let refreshed = circuit.outputs().iter().zip(bounds).filter(|(output, _)| !looked_up(output.register));
    let Some(result) = refreshed.map(|(_, variance)| variance).reduce(f64::max) else { return MAX_TERMS };
    let is_taken = |terms: &u32| circuit.clone().fit(params, f64::from(*terms) * result, log2_p_fail).is_ok();
    (1..=MAX_TERMS).rev().find(is_taken).unwrap_or(0)
}
