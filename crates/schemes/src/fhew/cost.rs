//! The cost model: predicted nanoseconds of the operations on one thread of the reference machine.
//!
//! Counts of vector operations (8 doubles) times a constant measured by `bootes bench kernels`. Only ratios matter to the
//! parameter search and the planner.
use super::params::{FhewParams, PackingMethod};
use bootes_lattice::glwe::GlweShape;
use bootes_lattice::noise::formula::{rotation_block, rotation_keys};

/// Nanoseconds a point and level of a transform of one polynomial.
const TRANSFORM_NS: f64 = 0.135;
/// Nanoseconds a complex multiply-add of a key that streams from the outer caches.
const KEY_NS: f64 = 0.28;
/// Nanoseconds a complex multiply-add of a component with a bundle of keys, loads and stores included.
const BUNDLE_NS: f64 = 0.46;
/// Nanoseconds a multiply-add of 32-bit words in key switching.
const KEY_SWITCH_NS: f64 = 0.05;
/// Nanoseconds a multiply-add of 64-bit words in PackingKS.
const PACKING_NS: f64 = 0.1;
/// Nanoseconds a word of an extracted coefficient.
const EXTRACTION_NS: f64 = 0.8;

/// One blind rotation of ν accumulators of `shape`: the base ring's, or a larger ring's own.
pub fn blind_rotation_ns(params: &FhewParams, shape: GlweShape, extension: usize) -> f64 {
    let points = (shape.degree / 2) as f64;
    let limbs = if params.word_bits() == 64 { 1 } else { params.limbs::<u128>(shape).count() };
    let columns = (shape.polynomials() * limbs) as f64;
    let rows = shape.polynomials() as f64 * f64::from(params.bootstrap_gadget().levels());
    let block = rotation_block(params.lwe_distribution()) as f64;
    let transforms = (rows + columns) * points * points.log2() * TRANSFORM_NS;
    // A component's share of the block's bundles Σ X^e·K_i, one for each remainder of the exponents modulo ν (the
    // monomials once, then ℓ keys), and its products with all of them. A single bundle stays in registers.
    let keys = block * (rows * columns + 1.0) / extension as f64;
    let bundles = (block + 1.0).min(extension as f64) * rows * columns;
    let products = keys * KEY_NS + bundles * if extension == 1 { KEY_NS } else { BUNDLE_NS };
    let blocks = rotation_keys(params.lwe_distribution(), params.lwe_dimension()) as f64 / block;
    blocks * extension as f64 * (transforms + products * points)
}

/// One LWE key switch.
pub fn key_switch_ns(params: &FhewParams) -> f64 {
    let rows = params.ciphertext_dimension() as f64 * f64::from(params.key_switch_gadget().levels());
    rows * params.lwe_dimension() as f64 * KEY_SWITCH_NS
}

/// Packing of one LWE ciphertext into a GLWE ciphertext: log2 N' automorphisms, each a key switch of d digits; or a
/// PackingKS over 64-bit words.
pub fn packing_ns(params: &FhewParams) -> f64 {
    let (shape, levels) = (params.shape(), f64::from(params.packing_gadget().levels()));
    match params.packing_method() {
        PackingMethod::Trace => shape.degree.ilog2() as f64 * switch_ns(shape, levels, shape.rank as f64),
        PackingMethod::KeySwitch => shape.lwe_dimension() as f64 * levels * shape.words() as f64 * PACKING_NS,
    }
}

/// One BFV product: the tensor's seven transforms and a relinearisation.
pub fn product_ns(params: &FhewParams) -> f64 {
    let (shape, levels) = (params.shape(), f64::from(params.packing_gadget().levels()));
    switch_ns(shape, levels, 1.0) + 7.0 * transform_ns(shape)
}

/// Extraction of one coefficient, multiplied and added.
pub fn extraction_ns(params: &FhewParams) -> f64 {
    params.ciphertext_dimension() as f64 * EXTRACTION_NS
}

/// A GLWE key switch from `polynomials` masks of d digits each.
fn switch_ns(shape: GlweShape, levels: f64, polynomials: f64) -> f64 {
    let (columns, rows) = (shape.polynomials() as f64, polynomials * levels);
    (rows + columns) * transform_ns(shape) + rows * columns * (shape.degree / 2) as f64 * KEY_NS
}

fn transform_ns(shape: GlweShape) -> f64 {
    let points = (shape.degree / 2) as f64;
    points * points.log2() * TRANSFORM_NS
}

/// One key switch from the ring of degree `degree` to the base ring's key.
pub fn ring_key_switch_ns(params: &FhewParams, degree: usize) -> f64 {
    let rows = degree as f64 * f64::from(params.ring_key_switch_gadget().levels());
    rows * params.ciphertext_dimension() as f64 * KEY_SWITCH_NS
}
