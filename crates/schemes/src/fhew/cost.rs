//! The cost model: predicted nanoseconds of the operations on one thread of the reference machine.
//!
//! Counts of vector operations (8 doubles) times a constant measured by `bootes bench kernels`. Only ratios matter to the
//! parameter search and the planner.
use super::params::FhewParams;
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

/// One blind rotation of ν accumulators of `shape`: the base ring's, or a larger ring's own.
pub fn blind_rotation_ns(params: &FhewParams, shape: GlweShape, extension: usize) -> f64 {
    let points = (shape.degree / 2) as f64;
    let columns = shape.polynomials() as f64;
    let rows = columns * f64::from(params.bootstrap_gadget().levels());
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

/// One key switch from the ring of degree `degree` to the base ring's key.
pub fn ring_key_switch_ns(params: &FhewParams, degree: usize) -> f64 {
    let rows = degree as f64 * f64::from(params.ring_key_switch_gadget().levels());
    rows * params.ciphertext_dimension() as f64 * KEY_SWITCH_NS
}
