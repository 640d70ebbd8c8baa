//! Memory of engine ckks: that of the keys, packed; of tables (8N·(3·r + D + D'), plans of the transforms and the
//! diagonals of the largest stage each way); and a workspace. With T threads and k ciphertexts side by side a linear
//! stage at the top takes 8N·(k·((2g + d)·r + 4·c) + T·(3b + 2)), and a circuit from c primes, whose values have v
//! limbs at most when most are alive, 8N·(h·(2·v + 6·c + 2·(r − c)) + T·(4d + 2)) with h = min(max(k, T), 2k): where
//! there are threads for them, both halves of a ciphertext are alive. The larger counts, and what the pool of buffers
//! keeps in pieces that nothing fits. That is 0 to 10 % more than measured for sets of 4 to 12 bits on one thread, on
//! two, and with two ciphertexts side by side, a fifth for 1 bit. Making keys takes six polynomials of r limbs
//! besides keys and tables: 0 to 3 % more than measured. The process itself, some ten megabytes, is not counted.
use bootes_lattice::rns::{HybridGadget, MaskStorage};
use bootes_lut::LutError;
use bootes_lut::ckks::{Circuit, TableLiteral, TableParams as Params, Tables, cost};
use bootes_schemes::ckks::circuit::TOGETHER;
use bootes_schemes::polyeval::ArithmeticCircuit;

use crate::Error;
use crate::engines::ckks::maps;

/// Bytes of free memory in pieces that nothing fits.
const SPARE: u64 = 96 << 20;

/// The numbers of a set that memory follows from.
#[derive(Clone, Copy, Debug)]
struct Shape<'a> {
    degree: usize,
    /// Primes of the top level.
    top: usize,
    special: usize,
    gadget: &'a HybridGadget,
}

impl<'a> Shape<'a> {
    fn of(params: &'a Params) -> Self {
        let (literal, ckks) = (params.literal(), params.ckks());
        Self {
            degree: ckks.degree(),
            top: ckks.max_level() + 1,
            special: literal.special_primes,
            gadget: ckks.gadget(),
        }
    }

    /// Bytes of a circuit from c primes, with `together` ciphertexts side by side.
    fn circuit(&self, circuit: &ArithmeticCircuit, c: usize, threads: usize, together: usize) -> u64 {
        let [d, r] = self.raised(c);
        let halves = threads.clamp(together, 2 * together);
        // In each half the values, what is switched and its result; for each thread the digits of a group of limbs.
        let values = circuit.peak_size(2 * TOGETHER, |below| c - below);
        let half = 2 * values + 6 * c + 2 * (r - c);
        8 * (self.degree * (halves * half + threads * (4 * d + 2))) as u64
    }

    /// d and r at c primes.
    fn raised(&self, c: usize) -> [usize; 2] {
        [self.gadget.digits(c), self.gadget.raised(c).count()]
    }
}

/// Diagonals, babies and giants of a stage of `log2` levels of butterflies.
pub(super) fn stage(log2: usize) -> [usize; 3] {
    let diagonals: usize = (2 << log2) - 1;
    let babies = (2.0 * diagonals as f64).sqrt().log2().floor().exp2() as usize;
    [diagonals, babies, diagonals.div_ceil(babies)]
}

/// Levels of butterflies of the stages, most first.
pub(super) fn stages(literal: &TableLiteral, count: usize) -> Vec<usize> {
    let levels = literal.log2_degree as usize - 1;
    (0..count).map(|i| (levels + count - 1 - i) / count).collect()
}

/// Diagonals of the largest stage to slots, and of that back.
pub(crate) fn largest_stages(literal: &TableLiteral) -> [usize; 2] {
    [literal.to_slots, literal.to_coeffs].map(|count| stage(stages(literal, count)[0])[0])
}

/// Bytes of so many ciphertexts, two words a coefficient.
pub(crate) fn ciphertext_bytes(params: &Params, count: usize) -> u64 {
    (count as u64).saturating_mul(16 * params.capacity() as u64)
}

/// Bytes that fresh ciphertexts of so many values of `limbs` take: their masks are seeds.
pub(crate) fn fresh_bytes(params: &Params, values: usize, limbs: usize) -> u64 {
    ciphertext_bytes(params, values.div_ceil(params.capacity()).saturating_mul(limbs)) / 2
}

/// The peak of making the server key.
///
/// # Errors
/// As [`Params::transforms`].
pub(crate) fn key_memory(params: &Params) -> Result<u64, Error> {
    let (shape, request) = (Shape::of(params), params.request(&maps(params)?));
    let keys = request.bytes(params.ckks(), MaskStorage::Seeded) as u64;
    // Two secret keys; noise, mask, body and the image of a secret key for the key that is being made.
    let workspace = 8 * (6 * shape.degree * (shape.top + shape.special)) as u64;
    Ok(keys + tables_bytes(params) + workspace)
}

/// Bytes of the plans of transforms, and the diagonals of the largest stage each way.
pub(crate) fn tables_bytes(params: &Params) -> u64 {
    let (literal, shape) = (params.literal(), Shape::of(params));
    let diagonals = largest_stages(literal);
    8 * (shape.degree * (3 * (shape.top + shape.special) + diagonals[0] + diagonals[1])) as u64
}

/// Bytes of intermediate results of the linear stages, `together` at once: the inner sums, the raised digits, and for
/// each thread the babies and diagonals of a limb.
pub(crate) fn transform_workspace(params: &Params, threads: usize, together: usize) -> u64 {
    let (shape, c) = (Shape::of(params), Shape::of(params).top);
    let [d, r] = shape.raised(c);
    let [_, babies, giants] = stage(stages(params.literal(), params.literal().to_slots)[0]);
    let limbs = together * ((2 * giants + d) * r + 4 * c) + threads * (3 * babies + 2);
    8 * (shape.degree * limbs) as u64
}

/// Bytes of tables and of intermediate results, at most, with `together` ciphertexts side by side.
///
/// # Errors
/// As the circuits of digits.
pub(crate) fn workspace<'a>(
    params: &'a Params,
    tables: &'a Tables,
    threads: usize,
) -> Result<impl Fn(usize) -> u64 + 'a, LutError> {
    let intermediate = intermediate(params, tables, threads)?;
    Ok(move |together: usize| tables.bytes() as u64 + intermediate(together))
}

/// Those of intermediate results.
fn intermediate<'a>(
    params: &'a Params,
    tables: &'a Tables,
    threads: usize,
) -> Result<impl Fn(usize) -> u64 + 'a, LutError> {
    let (shape, exponential) = (Shape::of(params), params.exponential().circuit());
    let digits = match tables {
        Tables::Whole(_) => None,
        Tables::Digits(tables) => Some(cost::large_limbs(params, tables[0].shape())?),
        Tables::Varied(table) => table.digits().map(|shape| cost::large_limbs(params, shape)).transpose()?,
    };
    let slots = shape.top - params.literal().to_slots;
    Ok(move |together: usize| {
        let circuit = |circuit: &ArithmeticCircuit, c: usize| shape.circuit(circuit, c, threads, together);
        let circle = circuit(&exponential, slots).max(transform_workspace(params, threads, together));
        let matrices = match tables {
            Tables::Whole(_) => 0,
            Tables::Digits(tables) => 8 * tables[0].shape().entries() * tables.len() as u64,
            Tables::Varied(table) => table.bytes(params) + together as u64 * table.workspace(params),
        };
        let whole = |table: &ArithmeticCircuit| circle.max(circuit(table, slots - params.circle_depth()));
        let evaluation = match (tables, &digits) {
            (_, Some(held)) => {
                let bytes = |limbs: usize| 8 * (shape.degree * together * limbs) as u64;
                let (mut kept, mut peak) = (0, 0);
                for digit in &held.digits {
                    let work = circle.max(circuit(&digit.circuit, digit.primes)).max(bytes(digit.made + digit.kept));
                    peak = peak.max(bytes(kept) + work);
                    kept += digit.kept;
                }
                peak.max(bytes(kept + held.columns)).max(bytes(held.sums))
            }
            (Tables::Whole(tables), None) => whole(tables.circuit()),
            (Tables::Varied(table), None) => table.circuit().map_or(circle, whole),
            (Tables::Digits(_), None) => circle,
        };
        matrices + evaluation + SPARE
    })
}

/// The same of a circuit: that of its tables, and what digits leave in slots.
///
/// # Errors
/// As [`workspace`].
pub(crate) fn circuit_workspace<'a>(
    params: &'a Params,
    circuit: &'a Circuit,
    threads: usize,
) -> Result<impl Fn(usize) -> u64 + 'a, LutError> {
    let (shape, exponential) = (Shape::of(params), params.exponential().circuit());
    let slots = shape.top - params.literal().to_slots;
    let ciphertext = 2 * (params.sums_level() + params.literal().spare_levels + 1);
    let tables = circuit.tables().map(|tables| intermediate(params, tables, threads)).collect::<Result<Vec<_>, _>>()?;
    Ok(move |together: usize| {
        let of = |circuit: &ArithmeticCircuit, c: usize| shape.circuit(circuit, c, threads, together);
        let circle = of(&exponential, slots).max(transform_workspace(params, threads, together));
        let digits =
            circuit.circuits().map(|circuit| of(circuit, slots - params.circle_depth())).fold(circle, u64::max) + SPARE;
        let tables = tables.iter().map(|workspace| workspace(together)).fold(digits, u64::max);
        let registers = ciphertext_bytes(params, together * circuit.registers());
        circuit.bytes() as u64
            + tables
            + registers
            + 8 * (shape.degree * together * 2 * circuit.values() * ciphertext) as u64
    })
}
