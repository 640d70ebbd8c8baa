//! What conversions take, in the units of the cost model, and what becomes of the noise of values, before there are
//! keys.
use bootes_lattice::Gadget;
use bootes_lattice::ring_merge::RingMergeKey;
use bootes_lattice::ring_switch::SeededRingSwitchKey;
use bootes_lattice::wire::OVERHEAD_BYTES;
use bootes_schemes::ckks::noise::ErrorBound;
use bootes_schemes::cost::{Calibration, Residues, Serial, Torus};
use bootes_schemes::fhew::{FhewParams, cost};

use super::{target_bytes, to_batch, to_single};
use crate::engines::envelope::name_bytes;
use crate::{Error, Load, Lut, Prediction, Space, ckks, fhew};

/// Values that are there, of one ciphertext each or in batches: their set, space, and the bound on their noise.
pub(crate) enum Values {
    Single(fhew::Params, Space, f64),
    /// Modulo this power of two.
    Batch(ckks::Params, Space, u32, ErrorBound),
}

/// A conversion and what follows: seconds of converting, bytes of the key's file, and the prediction of a table on what
/// comes out.
pub(crate) struct Converted {
    pub(crate) seconds: f64,
    pub(crate) key_bytes: u64,
    pub(crate) prediction: Prediction,
}

/// A table on values that are converted to be single ones of `to`.
pub(crate) fn to_single(
    (from, space, log2_modulus, error): (&ckks::Params, Space, u32, ErrorBound),
    to: &fhew::Params,
    lut: &Lut,
    load: &Load,
) -> Result<Converted, Error> {
    to_single::check_space(to, space)?;
    SeededRingSwitchKey::check(from.capacity(), to.shape(), to.ring_switch_gadget())?;
    let variance = to_single::variance((from, error), to, space, log2_modulus)?.max(to.fresh_variance());
    let prediction = to.fitted_on(lut, variance)?.within(load)?;
    let bodies = 8 * SeededRingSwitchKey::body_words(from.capacity(), to.ring_switch_gadget()) as u64;
    let key_bytes = OVERHEAD_BYTES as u64 + name_bytes(from) + target_bytes(to) + 32 + bodies;
    let seconds = elapsed(switch_seconds(from, to, log2_modulus, load.values), load);
    Ok(Converted { seconds, key_bytes, prediction })
}

/// A table on values that are converted to be in batches of `to`.
pub(crate) fn to_batch(
    (from, space, variance): (&fhew::Params, Space, f64),
    to: &ckks::Params,
    lut: &Lut,
    load: &Load,
) -> Result<Converted, Error> {
    to_batch::check_space(to, space)?;
    RingMergeKey::check(to.ckks().ring(), from.shape())?;
    let log2_modulus = ckks::log2_modulus_of(to, space);
    let error = to_batch::error(from, to, variance, log2_modulus);
    to_batch::check_promise(from, to, error, space)?;
    let prediction = ckks::predict_on(to, lut, (log2_modulus, error), load)?;
    let merge = RingMergeKey::stored_bytes(to.ckks().ring(), from.shape(), from.ring_merge_gadget());
    let words = 8 * to_batch::packing_words(from) as u64;
    let key_bytes = OVERHEAD_BYTES as u64 + name_bytes(from) + target_bytes(to) + 32 + words + merge;
    let seconds = elapsed(merge_seconds(from, to, load.values), load);
    Ok(Converted { seconds, key_bytes, prediction })
}

fn elapsed(seconds: f64, load: &Load) -> f64 {
    seconds * Serial::part(Calibration::current().serial.ciphertext, load.threads)
}

/// CPU seconds of the rings of as few ciphertexts as so many values are in, and of their samples.
fn switch_seconds(from: &ckks::Params, to: &FhewParams, log2_modulus: u32, values: usize) -> f64 {
    let (n, shape, gadget): (usize, _, Gadget) = (from.capacity(), to.shape(), to.ring_switch_gadget());
    let levels = f64::from(log2_modulus.div_ceil(gadget.log2_base()).min(gadget.levels()));
    let (polynomials, size) = (shape.polynomials() as f64, n as f64);
    // Two primes.
    let rings = Residues {
        transform: 2.0 * (levels + polynomials) * size * size.log2(),
        product: 2.0 * levels * polynomials * size,
        pass: 2.0 * (2.0 * levels + polynomials) * size,
        ..Residues::default()
    };
    let classes = values.min(n / shape.degree) as f64;
    let parts = Residues { step: 4.0 * classes * shape.words() as f64, ..Residues::default() };
    let samples = Torus { word: 4.0 * shape.lwe_dimension() as f64 * values as f64, ..Torus::default() };
    let (calibration, ciphertexts) = (Calibration::current(), values.div_ceil(n) as f64);
    calibration.seconds((rings + parts) * ciphertexts) + calibration.seconds(samples)
}

/// CPU seconds of packing so many samples, and of merging the rings of as few ciphertexts as hold them.
fn merge_seconds(from: &FhewParams, to: &ckks::Params, values: usize) -> f64 {
    let (n, shape) = (to.capacity(), from.shape());
    let (classes, ciphertexts) = (n / shape.degree, values.div_ceil(n));
    let packed = |values: usize| -> Torus {
        let (each, more) = (values / classes, values % classes);
        cost::merge_packing(from, each) * (classes - more) as f64 + cost::merge_packing(from, each + 1) * more as f64
    };
    let full = values / n;
    let packing = packed(n) * full as f64 + packed(values - full * n);
    // Digits modulo two primes, the sums back, divided, there again and back, and the body.
    let digits = shape.rank as f64 * f64::from(from.ring_merge_gadget().levels());
    let (size, transforms) = (n as f64, 2.0 * digits + 4.0 + 2.0 + 2.0 + 1.0);
    let merging = Residues {
        transform: transforms * size * size.log2(),
        product: 4.0 * digits * size,
        pass: (2.0 * digits + 12.0) * size,
        ..Residues::default()
    };
    let calibration = Calibration::current();
    calibration.seconds(packing) + calibration.seconds(merging * ciphertexts as f64)
}
