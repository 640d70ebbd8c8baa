//! The cost model: what the steps of a circuit take on one thread, as amounts of a few units of work, and nanoseconds of each
//! unit on a kind of machine, its *calibration*.
//!
//! Times are linear in the amounts: a calibration is fitted to measured circuits (`bootes bench calibrate`), and the parameter
//! search and the planner multiply. The machine's caches are in the amounts: what is read from memory once a batch is divided by
//! it, and what no second-level cache holds counts again.
use super::blind_rotate::UNTILED_BYTES;
use super::evaluator::{GROUP, GROUP_BYTES};
use super::params::{FhewParams, PackingMethod};
use bootes_lattice::glwe::GlweShape;
use bootes_lattice::noise::formula::{rotation_block, rotation_keys};
use bootes_ring::fft::BlockShape;
use bootes_ring::isa::Isa;
use serde::{Deserialize, Serialize};
use std::iter::Sum;
use std::ops::{Add, Mul};
use std::sync::OnceLock;
use thiserror::Error;

/// One number for each unit of work: how much of it, or how many nanoseconds it takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Units {
    /// A point and level of a transform of one polynomial of N/2 points, log2(N/2) levels.
    pub transform: f64,
    /// A complex multiply-add with a word of the rotation key.
    pub key: f64,
    /// A complex multiply-add of a component of an extended accumulator with a bundle of keys, loads and stores included.
    pub bundle: f64,
    /// A byte of a key from main memory.
    pub memory: f64,
    /// A byte from the third-level cache.
    pub cache: f64,
    /// A multiply-add of 32-bit words in a key switch.
    pub key_switch: f64,
    /// A complex multiply-add with a row of a GLWE key switch.
    pub row: f64,
    /// A 64-bit word that is copied, added, or extracted.
    pub word: f64,
    /// A multiply-add of 64-bit words in PackingKS.
    pub packing: f64,
}

impl Units {
    /// Names of the units, in the order of [`Self::to_array`].
    pub const NAMES: [&str; 9] =
        ["transform", "key", "bundle", "memory", "cache", "key_switch", "row", "word", "packing"];

    /// The numbers.
    pub fn to_array(self) -> [f64; 9] {
        let Self { transform, key, bundle, memory, cache, key_switch, row, word, packing } = self;
        [transform, key, bundle, memory, cache, key_switch, row, word, packing]
    }

    /// From the numbers.
    pub fn from_array(numbers: [f64; 9]) -> Self {
        let [transform, key, bundle, memory, cache, key_switch, row, word, packing] = numbers;
        Self { transform, key, bundle, memory, cache, key_switch, row, word, packing }
    }
}

impl Add for Units {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let (a, b) = (self.to_array(), other.to_array());
        Self::from_array(std::array::from_fn(|i| a[i] + b[i]))
    }
}

impl Mul<f64> for Units {
    type Output = Self;

    fn mul(self, factor: f64) -> Self {
        Self::from_array(self.to_array().map(|x| x * factor))
    }
}

impl Sum for Units {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), Add::add)
    }
}

/// Nanoseconds of each unit on one thread of a machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    /// The instruction set that it holds for.
    pub isa: Isa,
    /// Nanoseconds.
    pub nanoseconds: Units,
}

/// Why a calibration was refused.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum CalibrationError {
    /// Not what `bootes bench calibrate --write` wrote.
    #[error("not a calibration: {reason}; write one with `bootes bench calibrate --write FILE`")]
    Malformed {
        /// What is wrong.
        reason: String,
    },
    /// Of other instructions than those in use.
    #[error(
        "a calibration for {found}, but {expected} is in use; write one with `bootes bench calibrate --write FILE`"
    )]
    Isa {
        /// Its instruction set.
        found: Isa,
        /// The one in use.
        expected: Isa,
    },
    /// Costs were predicted already.
    #[error("the calibration is in use already; install another one before anything is planned")]
    InUse,
}

static CURRENT: OnceLock<Calibration> = OnceLock::new();

/// A calibration as a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    isa: String,
    nanoseconds: Units,
}

impl Calibration {
    /// Measured on the machine of the repository's recorded results, which has AVX-512; for the other instructions on the same one.
    pub fn shipped(isa: Isa) -> Self {
        let numbers = match isa {
            Isa::Avx512 => [0.188, 0.204, 0.209, 0.043, 0.0023, 0.0316, 0.256, 0.369, 0.092],
            Isa::Avx2 => [0.25, 0.43, 0.55, 0.05, 0.003, 0.053, 0.5, 0.4, 0.2],
            Isa::Scalar => [7.8, 7.1, 8.0, 0.05, 0.003, 0.33, 9.0, 0.5, 0.6],
        };
        Self { isa, nanoseconds: Units::from_array(numbers) }
    }

    /// The calibration in use: [`Self::install`]ed, or shipped for the instruction set in use.
    pub fn current() -> &'static Self {
        CURRENT.get_or_init(|| Self::shipped(Isa::selected()))
    }

    /// Makes this the calibration of all predictions of the process.
    ///
    /// # Errors
    /// [`CalibrationError::Isa`] if it is for other instructions than those in use, [`CalibrationError::InUse`] after the first
    /// prediction.
    pub fn install(self) -> Result<(), CalibrationError> {
        let expected = Isa::selected();
        if self.isa != expected {
            return Err(CalibrationError::Isa { found: self.isa, expected });
        }
        CURRENT.set(self).map_err(|_| CalibrationError::InUse)
    }

    /// Reads what [`Self::to_toml`] wrote.
    ///
    /// # Errors
    /// [`CalibrationError::Malformed`] unless it is an instruction set and a positive number for each unit.
    pub fn from_toml(text: &str) -> Result<Self, CalibrationError> {
        let malformed = |reason: String| CalibrationError::Malformed { reason };
        let file: File = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| text[..span.start].lines().count().max(1));
            malformed(format!("line {line}: {}", error.message().replace('\n', " ")))
        })?;
        let isa = file.isa.parse().map_err(|error: bootes_ring::error::RingError| malformed(error.to_string()))?;
        for (name, ns) in Units::NAMES.iter().zip(file.nanoseconds.to_array()) {
            if !(ns.is_finite() && ns > 0.0) {
                return Err(malformed(format!("{name} takes {ns} nanoseconds, expected a positive number")));
            }
        }
        Ok(Self { isa, nanoseconds: file.nanoseconds })
    }

    /// As a file.
    pub fn to_toml(&self) -> String {
        let numbers = Units::NAMES.iter().zip(self.nanoseconds.to_array());
        let lines: String = numbers.map(|(name, ns)| format!("{name} = {ns:?}\n")).collect();
        format!("isa = \"{}\"\n\n[nanoseconds]\n{lines}", self.isa)
    }

    /// Nanoseconds of `work`.
    pub fn ns(&self, work: Units) -> f64 {
        work.to_array().iter().zip(self.nanoseconds.to_array()).map(|(amount, ns)| amount * ns).sum()
    }
}

/// How much more the products of a component take where those of one point are not gathered.
const SCATTERED: f64 = 4.5;

/// The blind rotations of one value in a batch of `batch`, by extension factors, in the base ring or a larger one (`shape`), all
/// made together.
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
    let streams = f64::from(u8::from(group_bytes + block_bytes > UNTILED_BYTES as f64 * 1.5));
    let again = if block_bytes > UNTILED_BYTES as f64 { block_bytes * extensions.len() as f64 } else { 0.0 };
    let work: Units = extensions
        .iter()
        .map(|&extension| {
            let nu = extension as f64;
            // The block's bundles Σ X^e·K_i, one for each remainder of the exponents modulo ν, and −ΣK_i: how many there are,
            // on average. A single bundle stays in registers.
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

/// Packing of M LWE ciphertexts into the blocks of a GLWE ciphertext: M − 1 + log2(N'/M) automorphisms, each a key switch of d
/// digits a mask; or a PackingKS over 64-bit words.
pub fn packing(params: &FhewParams, samples: usize) -> Units {
    let (shape, levels) = (params.shape(), f64::from(params.packing_gadget().levels()));
    match params.packing_method() {
        PackingMethod::Trace => {
            let switches = (samples - 1) as f64 + (shape.degree / samples).ilog2() as f64;
            let block = Units { word: (2 * shape.words()) as f64, ..Units::default() } * switches;
            glwe_switch(shape, levels, shape.rank as f64) * switches + block
        }
        PackingMethod::KeySwitch => {
            let row_words = (shape.lwe_dimension() * shape.words()) as f64 * levels;
            Units { packing: row_words * samples as f64, memory: 8.0 * row_words, ..Units::default() }
        }
    }
}

/// A ciphertext packed into a constant coefficient, times ν plain polynomials.
pub fn selection(params: &FhewParams, extension: usize) -> Units {
    let (shape, points) = (params.shape(), (params.shape().degree / 2) as f64);
    let polynomials = (extension * shape.polynomials()) as f64;
    let products = Units { row: polynomials * points, word: (extension * shape.words()) as f64, ..Units::default() };
    packing(params, 1) + transforms(shape, shape.polynomials() as f64 + polynomials) + products
}

/// One BFV product of two LWE ciphertexts: their packing, the tensor of two limbs each (8 transforms there, 4 back, 16 products
/// a point) and a relinearisation.
pub fn product(params: &FhewParams) -> Units {
    let (shape, levels) = (params.shape(), f64::from(params.packing_gadget().levels()));
    let products =
        Units { row: 16.0 * (shape.degree / 2) as f64, word: (10 * shape.degree) as f64, ..Units::default() };
    packing(params, 1) * 2.0 + transforms(shape, 12.0) + products + glwe_switch(shape, levels, 1.0)
}

/// Extraction of one coefficient, multiplied and added.
pub fn extraction(params: &FhewParams) -> Units {
    Units { word: 2.0 * params.ciphertext_dimension() as f64, ..Units::default() }
}

/// A GLWE key switch from `polynomials` masks of d digits each, their automorphism included.
fn glwe_switch(shape: GlweShape, levels: f64, polynomials: f64) -> Units {
    let (columns, rows) = (shape.polynomials() as f64, polynomials * levels);
    let products = rows * columns * (shape.degree / 2) as f64;
    let rest = Units { row: products, word: 2.0 * shape.words() as f64, ..Units::default() };
    transforms(shape, rows + columns) + rest
}

fn transforms(shape: GlweShape, count: f64) -> Units {
    let points = (shape.degree / 2) as f64;
    Units { transform: count * points * points.log2(), ..Units::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn a_calibration_comes_back_from_its_file() {
        for isa in Isa::ALL {
            let shipped = Calibration::shipped(isa);
            assert_eq!(Calibration::from_toml(&shipped.to_toml()), Ok(shipped));
        }
        assert_eq!(Units::from_array(Units::default().to_array()), Units::default());
        let one = Units { memory: 2.0, ..Units::default() };
        assert_eq!(Calibration::shipped(Isa::Avx2).ns(one), 2.0 * Calibration::shipped(Isa::Avx2).nanoseconds.memory);
    }

    #[test]
    fn files_that_are_no_calibration_are_refused_in_a_line() {
        let good = Calibration::shipped(Isa::Avx512).to_toml();
        for (bad, reason) in [
            (String::new(), "isa"),
            (good.replace("avx512", "avx1024"), "avx1024"),
            (good.replace("word =", "words ="), "words"),
            (good.replacen("transform = ", "transform = -", 1), "transform takes -"),
            (good.replacen("transform = ", "transform = inf # ", 1), "transform takes inf"),
            (format!("{good}\nmore = 1\n"), "more"),
            ("not toml".into(), "line 1"),
        ] {
            let error = Calibration::from_toml(&bad).unwrap_err().to_string();
            assert!(error.contains(reason) && error.contains("bootes bench calibrate"), "{error}");
            assert!(!error.contains('\n'), "{error}");
        }
    }

    #[test]
    fn only_one_of_the_instructions_in_use_is_installed() {
        let other = Isa::ALL.into_iter().find(|&isa| isa != Isa::selected()).unwrap();
        let error = Calibration::shipped(other).install().unwrap_err();
        assert_eq!(error, CalibrationError::Isa { found: other, expected: Isa::selected() });
        Calibration::current();
        assert_eq!(Calibration::shipped(Isa::selected()).install(), Err(CalibrationError::InUse));
    }
}
