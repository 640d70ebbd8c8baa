//! The work of engine fhew: what the steps of a circuit take on one thread, and what keys take to make and to expand,
//! as amounts of the units of [`crate::cost`].
//!
//! The machine's caches are in the amounts: what is read from memory once a batch is divided by it, and what no
//! second-level cache holds counts again.
use super::blind_rotate::{NEAR_BYTES, components_together};
use super::evaluator::{GROUP, GROUP_BYTES};
use super::extra_keys::KeyNeeds;
use super::params::{FhewParams, PackingMethod};
use crate::cost::Torus as Units;
use bootes_lattice::Gadget;
use bootes_lattice::circuit_bootstrap::key_switches;
use bootes_lattice::glwe::GlweShape;
use bootes_lattice::noise::formula::{rotation_block, rotation_keys};
use bootes_ring::fft::BlockShape;

/// How much more the products of a component take where those of one point are not gathered.
const SCATTERED: f64 = 4.5;

/// The blind rotations of one value in a batch of `batch`, by extension factors, in the base ring or a larger one
/// (`shape`), all made together.
pub fn blind_rotations(params: &FhewParams, shape: GlweShape, extensions: &[usize], batch: usize) -> Units {
    let points = (shape.degree / 2) as f64;
    let limbs = if params.word_bits() == 64 { 1 } else { params.limbs::<u128>(shape).count() };
    let columns = (shape.polynomials() * limbs) as f64;
    let rows = shape.polynomials() as f64 * f64::from(params.bootstrap_gadget().levels());
    let block = rotation_block(params.lwe_distribution()) as f64;
    let blocks = rotation_keys(params.lwe_distribution(), params.lwe_dimension()) as f64 / block;
    let block_bytes = 16.0 * points * block * rows * columns;
    let component_bytes = shape.words() * params.word_bits() as usize / 8;

    let components: usize = extensions.iter().sum();
    let (jobs, all_components) = (batch * extensions.len(), batch * components);
    let passes = all_components.div_ceil((GROUP_BYTES / component_bytes).max(1)).max(jobs.div_ceil(GROUP));
    // Accumulators that no second-level cache holds beside the key come and go; so does a large block of the key.
    let group_bytes = (all_components / passes.max(1) * component_bytes) as f64;
    let streams = f64::from(u8::from(group_bytes + block_bytes > NEAR_BYTES as f64 * 1.5));
    let together = components_together(8 * shape.degree * (rows + columns) as usize);
    let passes_of = |extension: usize| 1.0 / ((together / extension).clamp(1, BlockShape::MAX_ROTATIONS) as f64);
    let again = if block_bytes > NEAR_BYTES as f64 {
        block_bytes * extensions.iter().copied().map(passes_of).sum::<f64>()
    } else {
        0.0
    };
    let work: Units = extensions
        .iter()
        .map(|&extension| {
            let nu = extension as f64;
            // The block's bundles Σ X^e·K_i, one for each remainder of the exponents modulo ν, and −ΣK_i: how many
            // there are, on average. A single bundle stays in registers.
            let bundles = rows * columns * (1.0 + (nu - 1.0) * (1.0 - (1.0 - 1.0 / nu).powf(block)));
            let apart = if nu * rows.max(columns) > BlockShape::GATHERED as f64 { SCATTERED } else { 1.0 };
            Units {
                transform: nu * (rows + columns) * points * points.log2(),
                key: points * (block * (rows * columns + 1.0) + bundles),
                bundle: if extension == 1 { 0.0 } else { points * nu * bundles * apart },
                cache: streams * nu * 2.0 * component_bytes as f64,
                ..Units::default()
            }
        })
        .sum();
    let keys = Units { memory: block_bytes * passes as f64 / batch as f64, cache: again, ..Units::default() };
    let ends = Units {
        word: (components * shape.words() + extensions.len() * shape.lwe_dimension()) as f64,
        ..Units::default()
    };
    (work + keys) * blocks + ends
}

/// One LWE key switch in a batch of `batch`.
pub fn key_switch(params: &FhewParams, batch: usize) -> Units {
    lwe_key_switch(params.ciphertext_dimension(), params.key_switch_gadget().levels(), params.lwe_dimension(), batch)
}

/// One key switch from the ring of degree `degree` to the base ring's key.
pub fn ring_key_switch(params: &FhewParams, degree: usize) -> Units {
    lwe_key_switch(degree, params.ring_key_switch_gadget().levels(), params.ciphertext_dimension(), 1)
}

fn lwe_key_switch(from: usize, levels: u32, to: usize, batch: usize) -> Units {
    let products = from as f64 * f64::from(levels) * to as f64;
    Units { key_switch: products, memory: 4.0 * products / batch as f64, word: from as f64, ..Units::default() }
}

/// Packing of M LWE ciphertexts into the blocks of a GLWE ciphertext: M − 1 + log2(N'/M) automorphisms, each a key
/// switch of d digits a mask; or a PackingKS over 64-bit words.
pub fn packing(params: &FhewParams, samples: usize) -> Units {
    let (shape, levels) = (params.shape(), f64::from(params.packing_gadget().levels()));
    match params.packing_method() {
        PackingMethod::Trace => automorphisms(shape, levels, samples - 1 + (shape.degree / samples).ilog2() as usize),
        PackingMethod::KeySwitch => {
            let row_words = (shape.lwe_dimension() * shape.words()) as f64 * levels;
            Units { packing: row_words * samples as f64, memory: 8.0 * row_words, ..Units::default() }
        }
    }
}

/// Packing of so many samples to the first coefficients, before rings are merged: Σ_l min(M, 2^l) automorphisms,
/// l < log2 N'.
pub fn merge_packing(params: &FhewParams, samples: usize) -> Units {
    let (shape, levels) = (params.shape(), f64::from(params.merge_packing_gadget().levels()));
    let samples_embedded = Units { word: 3.0 * (samples * shape.words()) as f64, ..Units::default() };
    let switches = (0..shape.degree.ilog2()).map(|level| samples.min(1 << level)).sum();
    automorphisms(shape, levels, switches) + samples_embedded
}

/// So many automorphisms of a packing, halves among them.
fn automorphisms(shape: GlweShape, levels: f64, count: usize) -> Units {
    let halves = Units { word: (2 * shape.words()) as f64, ..Units::default() };
    (glwe_switch(shape, levels, shape.rank as f64) + halves) * count as f64
}

/// A ciphertext packed into a constant coefficient, times ν plain polynomials.
pub fn selection(params: &FhewParams, extension: usize) -> Units {
    let (shape, points) = (params.shape(), (params.shape().degree / 2) as f64);
    let polynomials = (extension * shape.polynomials()) as f64;
    let products = Units { row: polynomials * points, word: (extension * shape.words()) as f64, ..Units::default() };
    packing(params, 1) + transforms(shape, shape.polynomials() as f64 + polynomials) + products
}

/// One BFV product of two LWE ciphertexts: their packing, the tensor of two limbs each (8 transforms there, 4 back, 16
/// products a point) and a relinearisation.
pub fn product(params: &FhewParams) -> Units {
    let (shape, levels) = (params.shape(), f64::from(params.packing_gadget().levels()));
    let products =
        Units { row: 16.0 * (shape.degree / 2) as f64, word: (10 * shape.degree) as f64, ..Units::default() };
    packing(params, 1) * 2.0 + transforms(shape, 12.0) + products + glwe_switch(shape, levels, 1.0)
}

/// GGSW ciphertexts of a gadget of `gadget` for `bits` bits, made of samples: see
/// [`bootes_lattice::circuit_bootstrap`].
pub fn made_ggsws(params: &FhewParams, gadget: Gadget, bits: usize) -> Units {
    let (shape, levels) = (params.shape(), f64::from(params.packing_gadget().levels()));
    let rows = bits * gadget.levels() as usize;
    let [automorphisms, schemes] = key_switches(rows, shape.degree).map(|count| count as f64);
    let words = Units { word: (4 * shape.words()) as f64, ..Units::default() };
    (glwe_switch(shape, levels, 1.0) + words) * automorphisms
        + glwe_switch(shape, levels, 2.0) * schemes
        + transforms(shape, (2 * shape.polynomials() * rows) as f64)
}

/// A CMUX of a GLWE ciphertext by one of them; `plain` where both its inputs are plaintexts.
pub fn cmux(params: &FhewParams, gadget: Gadget, plain: bool) -> Units {
    let (shape, columns) = (params.shape(), params.shape().polynomials() as f64);
    let polynomials = if plain { 1.0 } else { columns };
    let digits = f64::from(gadget.levels()) * polynomials;
    let products = digits * columns * (shape.degree / 2) as f64;
    let rest = Units { row: products, word: 3.0 * shape.words() as f64, ..Units::default() };
    transforms(shape, digits + polynomials + columns) + rest
}

/// Extraction of one coefficient, multiplied and added.
pub fn extraction(params: &FhewParams) -> Units {
    Units { word: 2.0 * params.ciphertext_dimension() as f64, ..Units::default() }
}

/// A GLWE key switch from `polynomials` masks of d digits each, their automorphism included.
fn glwe_switch(shape: GlweShape, levels: f64, polynomials: f64) -> Units {
    let (columns, rows) = (shape.polynomials() as f64, polynomials * levels);
    // Two halves of each row.
    let products = 2.0 * rows * columns * (shape.degree / 2) as f64;
    let rest = Units { row: products, word: 4.0 * shape.words() as f64, ..Units::default() };
    transforms(shape, rows + 2.0 * columns) + rest
}

fn transforms(shape: GlweShape, count: f64) -> Units {
    let points = (shape.degree / 2) as f64;
    Units { transform: count * points * points.log2(), ..Units::default() }
}

/// The encryption of a value: its mask from the seed, one noise, and the product with the key.
pub fn encryption(params: &FhewParams) -> Units {
    let (words, bytes) = (params.ciphertext_dimension() as f64, f64::from(params.word_bits() / 8));
    Units { mask: words * bytes, noise: 1.0, word: words, ..Units::default() }
}

/// The decryption of a result: the product of its mask with the key.
pub fn decryption(params: &FhewParams) -> Units {
    Units { word: params.ciphertext_dimension() as f64, ..Units::default() }
}

/// Making the evaluation key, and the keys of `needs`.
pub fn key_generation(params: &FhewParams, needs: &KeyNeeds) -> Units {
    let rows = |rows: &Rows| {
        let (k, points) = (rows.shape.rank as f64, (rows.shape.degree / 2) as f64);
        // A product with a key takes a word 32 bits at a time.
        let halves = f64::from(params.word_bits()) / 32.0;
        let products = Units { row: halves * k * points, ..Units::default() };
        let samples = Units {
            mask: k * rows.shape.degree as f64 * f64::from(params.word_bits()) / 8.0,
            noise: rows.shape.degree as f64,
            word: 2.0 * halves * rows.shape.words() as f64,
            stored: rows.shape.degree as f64 * f64::from(params.word_bits()) / 8.0,
            ..Units::default()
        };
        (samples + products + transforms(rows.shape, halves * (k + 1.0))) * rows.count
    };
    let switches = |switch: &Switch| Units { noise: switch.rows, stored: 4.0 * switch.rows, ..switch.masks() };
    let keys = Keys::of(params, needs);
    keys.rows.iter().map(rows).sum::<Units>() + keys.switches.iter().map(switches).sum()
}

/// Expanding those keys into their evaluation form.
pub fn key_preparation(params: &FhewParams, needs: &KeyNeeds) -> Units {
    let rows = |rows: &Rows| {
        let limbs = if params.word_bits() == 64 { 1 } else { params.limbs::<u128>(rows.shape).count() };
        let mask = (rows.shape.lwe_dimension() * params.word_bits() as usize / 8) as f64;
        let stored = (8 * limbs * rows.shape.words()) as f64;
        let words = Units { mask, word: 2.0 * rows.shape.words() as f64, ..Units::default() };
        let expanded = Units { stored, ..transforms(rows.shape, (rows.shape.polynomials() * limbs) as f64) };
        (words + expanded * rows.halves) * rows.count
    };
    let keys = Keys::of(params, needs);
    let switches = |switch: &Switch| Units { stored: 4.0 * switch.rows * switch.dimension, ..switch.masks() };
    keys.rows.iter().map(rows).sum::<Units>() + keys.switches.iter().map(switches).sum()
}

/// GLWE encryptions.
struct Rows {
    shape: GlweShape,
    count: f64,
    /// Parts that each is cut into when it is expanded.
    halves: f64,
}

/// LWE encryptions of 32-bit words.
struct Switch {
    rows: f64,
    dimension: f64,
}

impl Switch {
    fn masks(&self) -> Units {
        let words = self.rows * self.dimension;
        Units { mask: 4.0 * words, word: words / 2.0, ..Units::default() }
    }
}

/// The parts of keys.
struct Keys {
    rows: Vec<Rows>,
    switches: Vec<Switch>,
}

impl Keys {
    fn of(params: &FhewParams, needs: &KeyNeeds) -> Self {
        let (base, levels) = (params.shape(), f64::from(params.packing_gadget().levels()));
        let ggsws = rotation_keys(params.lwe_distribution(), params.lwe_dimension()) as f64;
        let rotation = |shape: GlweShape| {
            let rows = shape.polynomials() as f64 * f64::from(params.bootstrap_gadget().levels());
            Rows { shape, count: ggsws * rows, halves: 1.0 }
        };
        let switch = |from: usize, levels: u32, to: usize| Switch {
            rows: from as f64 * f64::from(levels),
            dimension: to as f64,
        };
        let mut keys = Self {
            rows: vec![rotation(base)],
            switches: vec![switch(
                params.ciphertext_dimension(),
                params.key_switch_gadget().levels(),
                params.lwe_dimension(),
            )],
        };
        for &degree in &needs.rings {
            keys.rows.push(rotation(params.ring_shape(degree)));
            let levels = params.ring_key_switch_gadget().levels();
            keys.switches.push(switch(degree, levels, params.ciphertext_dimension()));
        }
        let mut glwe = |count: f64, halves: f64| keys.rows.push(Rows { shape: base, count, halves });
        match params.packing_method() {
            // An automorphism for each level.
            PackingMethod::Trace if !needs.packing.is_empty() => {
                glwe(f64::from(base.degree.ilog2()) * base.rank as f64 * levels, 2.0);
            }
            PackingMethod::Trace => {}
            PackingMethod::KeySwitch => {
                needs.packing.iter().for_each(|_| glwe(base.lwe_dimension() as f64 * levels, 1.0));
            }
        }
        let polynomials = f64::from(u8::from(needs.relinearisation) + 2 * u8::from(needs.scheme_switch));
        if polynomials > 0.0 {
            glwe(polynomials * levels, 2.0);
        }
        keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fhew::keys::EvaluationKey;

    fn set(name: &str) -> FhewParams {
        FhewParams::by_name(name).unwrap()
    }

    #[test]
    fn batches_share_the_reading_of_keys_and_nothing_else() {
        let params = set("fhew_5bit_2m128");
        let [one, many] = [1, 16].map(|batch| blind_rotations(&params, params.shape(), &[2], batch));
        assert_eq!(one.memory, 16.0 * many.memory);
        assert_eq!((one.transform, one.key, one.bundle), (many.transform, many.key, many.bundle));
        // The key: n GGSW ciphertexts of (k + 1)²·d polynomials of N'/2 complex numbers.
        assert_eq!(one.memory, (params.lwe_dimension() * 4 * 1024 * 16) as f64);
        // 160 components do not fit one group of accumulators.
        let large = blind_rotations(&params, params.shape(), &[10], 16);
        assert_eq!(large.memory, 2.0 * many.memory);
    }

    #[test]
    fn a_rotation_that_is_twice_as_long_takes_twice_the_transforms_and_reads_the_key_once() {
        let params = set("fhew_8bit_2m64");
        let [two, four] = [2, 4].map(|extension| blind_rotations(&params, params.shape(), &[extension], 1));
        assert_eq!(four.transform, 2.0 * two.transform);
        assert!(two.key < four.key && four.key < 1.2 * two.key);
        // Of 8 exponents modulo 2 all but one in 2^8 pairs differ somewhere; modulo 4 more remainders occur.
        assert!(four.bundle > 3.0 * two.bundle && four.bundle < 4.0 * two.bundle);
        let apart = blind_rotations(&params, params.shape(), &[2, 4], 1);
        assert!((apart.transform - two.transform - four.transform).abs() < 1.0 && apart.memory == two.memory);
    }

    /// A Gaussian number for each word of a body, a mask for each row.
    #[test]
    fn keys_take_what_their_rows_are_made_of() {
        for params in FhewParams::all().iter().filter(|params| params.word_bits() == 64) {
            let [rotation, key_switch] = EvaluationKey::body_words(params);
            let none = KeyNeeds::default();
            let (made, expanded) = (key_generation(params, &none), key_preparation(params, &none));
            assert_eq!(made.noise, (rotation + key_switch) as f64, "{}", params.name());
            let masks = 8 * params.shape().rank * rotation + 4 * params.lwe_dimension() * key_switch;
            assert_eq!((made.mask, expanded.mask, expanded.noise), (masks as f64, masks as f64, 0.0));
            assert_eq!(made.stored, (8 * rotation + 4 * key_switch) as f64);
            // Rows are multiplied with the secret key exactly, in two halves; what is expanded is transformed once.
            assert_eq!(made.transform, 2.0 * expanded.transform);
        }
        let params = set("fhew_5bit_2m64");
        let larger = 2 * params.shape().degree;
        let noise = |needs: KeyNeeds| key_generation(&params, &needs).noise;
        let base = noise(KeyNeeds::default());
        let [ring, trace, products] = [
            KeyNeeds { rings: vec![larger], ..KeyNeeds::default() },
            KeyNeeds { packing: vec![1, 2], ..KeyNeeds::default() },
            KeyNeeds { relinearisation: true, ..KeyNeeds::default() },
        ]
        .map(|needs| noise(needs) - base);
        assert!(ring > base && trace > products && products > 0.0);
    }

    #[test]
    fn packing_more_takes_more_switches() {
        let params = set("fhew_5bit_2m64");
        let switches = |samples| packing(&params, samples).row / packing(&params, 1).row * 11.0;
        // M − 1 + log2(N'/M), N' = 2^11.
        for (samples, expected) in [(1, 11.0), (2, 11.0), (16, 22.0), (32, 37.0)] {
            assert!((switches(samples) - expected).abs() < 1e-9, "{samples}");
        }
        assert!(selection(&params, 3).transform > packing(&params, 1).transform);
        assert!(product(&params).transform > 2.0 * packing(&params, 1).transform);
        let papers = set("paper_fdfb_fast_18_pks");
        assert!(packing(&papers, 1).packing > 0.0 && packing(&papers, 1).memory > 1e8);
    }
}
