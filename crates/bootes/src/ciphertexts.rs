//! A vector of encrypted integers.
use crate::params::{Params, hex};
use crate::samples::{Cursor, Samples, short, zeros};
use crate::{Error, FailureTarget, Space};
use bootes_lattice::lwe;
use bootes_lattice::noise::failure::log2_failure;
use bootes_lattice::wire::{Reader, WireError, Writer};
use bootes_lut::integer::Limbs;
use bootes_ring::sample::MaskSeed;
use bootes_schemes::fhew::FhewParams;

mod file;

pub use file::CiphertextReader;
pub(crate) use file::CiphertextWriter;

/// Encrypted integers of one [`Space`] under one key: LWE ciphertexts of dimension k·N' with a bound on their noise.
///
/// Fresh ones are stored as one word each, their masks a seed. The noise bound is public and travels along: linear
/// operations raise it, and are refused when decryption would fail more often than the parameters promise.
///
/// Variances add only where noises are independent. So ciphertexts know which encryptions and evaluations they come from: where
/// two operands share one, their standard deviations add, as they do in x + x, the worst case.
#[derive(Clone)]
pub struct Ciphertexts {
    params: FhewParams,
    key_id: [u8; 16],
    space: Space,
    variance: f64,
    samples: Samples,
    origin: Origin,
}

/// Where ciphertexts come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The encryptions and evaluations whose noise is in them: sorted, each once.
    pub(crate) lineage: Vec<u64>,
    /// Whether the noises of one vector may depend on each other.
    pub(crate) dependent: bool,
}

impl Origin {
    /// A new encryption or evaluation.
    pub(crate) fn new(id: u64) -> Self {
        Self { lineage: vec![id], dependent: false }
    }

    /// Of ciphertexts that were encrypted: their seed.
    fn of_samples(samples: &Samples) -> Self {
        match samples {
            Samples::Seeded(seed, _) => {
                let bytes = seed.to_bytes();
                Self::new(identify(bytes.as_chunks().0.iter().copied().map(u64::from_le_bytes)))
            }
            Samples::Full(_) | Samples::Short(_) => Self::new(0),
        }
    }

    /// Of what is made from both.
    pub(crate) fn and(&self, other: &Self) -> Self {
        let mut lineage = [&self.lineage[..], &other.lineage[..]].concat();
        lineage.sort_unstable();
        lineage.dedup();
        Self { lineage, dependent: self.dependent || other.dependent }
    }

    /// Whether both have noise of the same encryption or evaluation.
    pub(crate) fn meets(&self, other: &Self) -> bool {
        self.lineage.iter().any(|id| other.lineage.binary_search(id).is_ok())
    }
}

/// An identifier of content; whoever wants two to collide harms only their own bound.
pub(crate) fn identify(words: impl IntoIterator<Item = u64>) -> u64 {
    let hash = words.into_iter().fold(0x243f_6a88_85a3_08d3_u64, |hash, word| {
        (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    });
    hash ^ (hash >> 31)
}

/// Variance of the rounding of a ciphertext to words of 32 bits: (1 + kN'/2)/12·2^-64.
fn rounding_variance(params: &FhewParams) -> f64 {
    (1.0 + params.glwe_distribution().mean_weight(params.ciphertext_dimension())) / 12.0 * 2f64.powi(-64)
}

/// The identifier of an evaluation: of the first ciphertext that results from it.
pub(crate) fn identify_results(first: &[u64]) -> u64 {
    identify(first.iter().map(|&x| short(x).into()))
}

impl Ciphertexts {
    pub(crate) fn seeded(
        params: &FhewParams,
        key_id: [u8; 16],
        space: Space,
        seed: MaskSeed,
        bodies: Vec<u64>,
    ) -> Self {
        let samples = Samples::Seeded(seed, bodies);
        let origin = Origin::of_samples(&samples);
        Self { params: params.clone(), key_id, space, variance: params.fresh_variance(), samples, origin }
    }

    pub(crate) fn full(
        params: &FhewParams,
        key_id: [u8; 16],
        space: Space,
        variance: f64,
        words: Vec<u64>,
        origin: Origin,
    ) -> Self {
        Self { params: params.clone(), key_id, space, variance, samples: Samples::Full(words), origin }
    }

    /// These, with their ciphertexts in full.
    pub(crate) fn with_words(self, words: Vec<u64>) -> Self {
        Self { samples: Samples::Full(words), ..self }
    }

    pub(crate) fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Number of encrypted integers.
    pub fn len(&self) -> usize {
        self.sample_count() / self.space.limbs()
    }

    fn sample_count(&self) -> usize {
        self.samples.count(self.stride())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What they hold.
    pub fn space(&self) -> Space {
        self.space
    }

    /// Message size, [`Space::bits`]: plaintexts are integers modulo 2^bits, or modulo a p of so many bits.
    pub fn bits(&self) -> u32 {
        self.space.bits()
    }

    /// Whether they were encrypted as integers for functions of large integers, or come from those: with a sign.
    pub fn are_integers(&self) -> bool {
        matches!(self.space, Space::Integers(_))
    }

    /// Bound on the variance of the noise, in units of the torus squared.
    pub fn noise_variance(&self) -> f64 {
        self.variance
    }

    /// Parameters they were made with.
    pub fn params(&self) -> Params {
        Params(self.params.clone())
    }

    /// Identifier of their key.
    pub fn key_id(&self) -> [u8; 16] {
        self.key_id
    }

    fn stride(&self) -> usize {
        self.params.ciphertext_dimension() + 1
    }

    /// The ciphertexts, to be read one after the other.
    pub(crate) fn cursor(&self) -> Cursor<'_> {
        Cursor { samples: &self.samples, stride: self.stride(), at: 0 }
    }

    /// Bytes that they take in memory.
    pub(crate) fn bytes(&self) -> u64 {
        self.samples.bytes()
    }

    pub(crate) fn check_key(&self, params: &FhewParams, key_id: [u8; 16]) -> Result<(), Error> {
        if self.params != *params {
            return Err(Error::OtherParams { what: "ciphertext", params: params.name().into() });
        }
        if self.key_id != key_id {
            return Err(Error::OtherKey { what: "ciphertext", found: hex(&self.key_id), expected: hex(&key_id) });
        }
        Ok(())
    }

    /// self + other, modulo 2^bits or p; the noise variances add, or the standard deviations if both have noise of one origin.
    ///
    /// # Errors
    /// As all linear operations: [`Error::NoiseBudget`], and [`Error::Limbs`] for integers of two limbs, which would need carries.
    pub fn add(&self, other: &Self) -> Result<Self, Error> {
        self.combine(other, lwe::add_assign)
    }

    /// self − other, modulo 2^bits or p; the noise grows as that of a sum.
    pub fn sub(&self, other: &Self) -> Result<Self, Error> {
        self.combine(other, lwe::sub_assign)
    }

    fn combine(&self, other: &Self, operation: impl Fn(&mut [u64], &[u64])) -> Result<Self, Error> {
        other.check_key(&self.params, self.key_id)?;
        if self.len() != other.len() || !self.space.fits(other.space) {
            return Err(Error::Operands {
                found: other.len(),
                found_space: other.space,
                expected: self.len(),
                expected_space: self.space,
            });
        }
        let stride = self.stride();
        let mut words = self.samples.expanded(stride)?;
        let mut right = vec![0; stride];
        for (i, left) in words.chunks_exact_mut(stride).enumerate() {
            other.samples.piece(i..i + 1, stride).expand_into(&mut right, stride);
            operation(left, &right);
        }
        let variance = match self.origin.meets(&other.origin) {
            true => (self.variance.sqrt() + other.variance.sqrt()).powi(2),
            false => self.variance + other.variance,
        };
        let space = if other.are_integers() { other.space } else { self.space };
        Ok(Self { space, ..self.with_noise(variance, words, self.origin.and(&other.origin))? })
    }

    /// factor · self, modulo 2^bits or p; the noise variance grows by factor².
    pub fn mul_small(&self, factor: i64) -> Result<Self, Error> {
        let mut words = self.samples.expanded(self.stride())?;
        lwe::mul_assign(&mut words, factor);
        self.with_noise(self.variance * (factor as f64).powi(2), words, self.origin.clone())
    }

    /// Matrix times vector, modulo 2^bits or p: integer i of the result is Σ_j `weights[i][j]` · self\[j\].
    ///
    /// The noise variance grows by the largest Σ_j `weights[i][j]`²: the noises within a vector of fresh or of evaluated
    /// ciphertexts are independent. Those within the results of a linear map of several rows are not, and linear operations
    /// leave them so: then it grows by the largest (Σ_j |`weights[i][j]`|)². Multiply the matrices instead, or apply a table in
    /// between.
    pub fn linear_map(&self, weights: &[impl AsRef<[i64]>]) -> Result<Self, Error> {
        if let Some(row) = weights.iter().map(AsRef::as_ref).find(|row| row.len() != self.len()) {
            return Err(self.operands(row.len()));
        }
        let stride = self.stride();
        let (mut words, mut input) = (zeros(weights.len(), stride)?, vec![0; stride]);
        for j in 0..self.len() {
            self.samples.piece(j..j + 1, stride).expand_into(&mut input, stride);
            for (sum, row) in words.chunks_exact_mut(stride).zip(weights) {
                match row.as_ref()[j] {
                    0 => {}
                    weight => lwe::add_mul_assign(sum, &input, weight),
                }
            }
        }
        let mut growth = 0.0f64;
        for row in weights {
            let row = row.as_ref();
            growth = growth.max(match self.origin.dependent {
                true => row.iter().map(|&weight| (weight as f64).abs()).sum::<f64>().powi(2),
                false => row.iter().map(|&weight| (weight as f64).powi(2)).sum(),
            });
        }
        self.with_noise(self.variance * growth, words, Origin { dependent: weights.len() > 1, ..self.origin.clone() })
    }

    /// self + constant, modulo 2^bits or p, on every integer; no noise.
    pub fn add_constant(&self, constant: u64) -> Result<Self, Error> {
        self.add_constants(&vec![constant; self.len()])
    }

    /// self + constants, one for each integer, modulo 2^bits or p; no noise.
    pub fn add_constants(&self, constants: &[u64]) -> Result<Self, Error> {
        if constants.len() != self.len() {
            return Err(self.operands(constants.len()));
        }
        let stride = self.stride();
        let mut words = self.samples.expanded(self.stride())?;
        for (c, &constant) in words.chunks_exact_mut(stride).zip(constants) {
            c[stride - 1] = c[stride - 1].wrapping_add(self.space.encode(constant as i64, 0));
        }
        self.with_noise(self.variance, words, self.origin.clone())
    }

    /// The refusal of a second operand of another length.
    fn operands(&self, found: usize) -> Error {
        Error::Operands { found, found_space: self.space, expected: self.len(), expected_space: self.space }
    }

    fn with_noise(&self, variance: f64, words: Vec<u64>, origin: Origin) -> Result<Self, Error> {
        if self.space.limbs() > 1 {
            return Err(Error::Limbs { space: self.space });
        }
        // Not even zero times a ciphertext is said to have less noise than a fresh one: readers rely on it.
        let variance = variance.max(self.params.fresh_variance());
        let found = log2_failure(self.space.half_step(), variance.sqrt());
        let promised = self.params.log2_p_fail();
        if found > promised {
            return Err(Error::NoiseBudget { params: self.params.name().into(), found, promised });
        }
        Ok(Self::full(&self.params, self.key_id, self.space, variance, words, origin))
    }

    /// Writes the space; the version of the format that it needs. Version 1 has bits and a mark of integers; 2 has a modulus, or 0 and the bits of the low
    /// and of the high limb (0 without).
    fn write_space(&self, w: &mut Writer) -> u16 {
        match self.space {
            Space::Modular(p) if !p.is_power_of_two() => {
                w.u64(p);
                2
            }
            Space::Integers(Limbs { low, high: Some(high) }) => {
                w.u64(0);
                w.u32(low);
                w.u32(high);
                2
            }
            one => {
                w.u32(one.bits());
                w.u8(self.are_integers().into());
                1
            }
        }
    }

    fn read_space(r: &mut Reader<'_>, version: u16, params: &FhewParams) -> Result<Space, Error> {
        let space = match version {
            1 => {
                let found = r.u32()?;
                if !(1..=params.space_bits()).contains(&found) {
                    return Err(Error::Bits { found, max: params.space_bits(), params: params.name().into() });
                }
                match (r.u8()?, Space::of_bits(found).integers()) {
                    (0, _) => Space::of_bits(found),
                    (1, Some(limbs)) => Space::Integers(limbs),
                    _ => return Err(WireError::Malformed { what: "integers without room for any" }.into()),
                }
            }
            _ => match r.u64()? {
                0 => Space::Integers(Limbs { low: r.u32()?, high: Some(r.u32()?) }),
                p => Space::Modular(p),
            },
        };
        let most = params.space_bits();
        let held = match space {
            Space::Modular(p) => (2..=1 << most).contains(&p),
            Space::Integers(limbs) => limbs.bits().iter().all(|bits| (1..most).contains(bits)),
        };
        if held { Ok(space) } else { Err(WireError::Malformed { what: "a message space out of range" }.into()) }
    }
}

impl std::fmt::Debug for Ciphertexts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (params, key_id) = (self.params.name(), hex(&self.key_id));
        let debug = &mut f.debug_struct("Ciphertexts");
        debug.field("params", &params).field("key_id", &key_id).field("space", &self.space);
        debug.field("len", &self.len()).field("log2_noise_std", &(self.variance.log2() / 2.0)).finish_non_exhaustive()
    }
}

impl FailureTarget {
    /// Both targets.
    pub const ALL: [Self; 2] = [Self::Two128, Self::Two64];
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Client, Lut, Server};

    #[test]
    fn linear_maps_are_modular_and_their_noise_is_the_predicted() -> Result<(), Error> {
        // 256 sums of four each, so that their noises are independent.
        const SUMS: usize = 256;
        const WEIGHTS: [i64; 4] = [3, -1, 2, -5];
        let client = Client::from_seed(&Params::by_name("toy_8")?, &[9; 32]);
        let server = Server::new(client.server_key()?)?;
        let identity = Lut::with_out_bits((0..256).collect(), 8)?;
        let values: Vec<u64> = (0..4 * SUMS as u64).map(|i| i * 37 % 256).collect();
        let fresh = client.encrypt(&values)?;
        let evaluated = server.evaluate(&identity, &fresh, 2)?;
        let mut rows = vec![vec![0i64; 4 * SUMS]; SUMS];
        rows.iter_mut().enumerate().for_each(|(i, row)| row[4 * i..4 * i + 4].copy_from_slice(&WEIGHTS));
        let constants: Vec<u64> = (0..SUMS as u64).map(|i| i * 3 % 256).collect();
        let sum = |(four, &constant): (&[u64], &u64)| {
            let sum: i64 = four.iter().zip(WEIGHTS).map(|(&v, w)| w * v as i64).sum();
            (sum + constant as i64).rem_euclid(256) as u64
        };
        let expected: Vec<u64> = values.chunks_exact(4).zip(&constants).map(sum).collect();
        for input in [&fresh, &evaluated] {
            let sums = input.linear_map(&rows)?.add_constants(&constants)?;
            assert_eq!(client.decrypt(&sums)?, expected);
            assert_eq!(sums.noise_variance(), input.noise_variance() * 39.0);
            // The deviation of a variance from 256 samples is 9 %: far outside is far from chance.
            let noise = client.measure_noise(&sums, &expected)?;
            let measured = noise.iter().map(|e| e * e).sum::<f64>() / SUMS as f64;
            assert!(measured < 1.6 * sums.noise_variance(), "{measured:e}, bound {:e}", sums.noise_variance());
            assert!(measured > 0.2 * sums.noise_variance(), "{measured:e}, bound {:e}", sums.noise_variance());
        }
        // No rows, no inputs, only zeros.
        let few = client.encrypt(&[1, 2])?;
        assert!(few.linear_map(&[[0; 2]; 0])?.is_empty());
        assert_eq!(client.decrypt(&client.encrypt(&[])?.linear_map(&[[]])?)?, [0]);
        let zero = few.linear_map(&[[0; 2]])?.add_constant(200)?;
        assert_eq!(client.decrypt(&server.evaluate(&identity, &zero, 1)?)?, [200]);
        Ok(())
    }

    /// Variance of the noise, and the bound.
    fn noise(client: &Client, ciphertexts: &Ciphertexts, values: &[u64]) -> Result<[f64; 2], Error> {
        let noise = client.measure_noise(ciphertexts, values)?;
        Ok([noise.iter().map(|e| e * e).sum::<f64>() / values.len() as f64, ciphertexts.noise_variance()])
    }

    #[test]
    fn noise_of_one_origin_adds_up() -> Result<(), Error> {
        let client = Client::from_seed(&Params::by_name("toy_8")?, &[11; 32]);
        let server = Server::new(client.server_key()?)?;
        let identity = Lut::with_out_bits((0..256).collect(), 8)?;
        let values: Vec<u64> = (0..512).map(|i| i * 11 % 256).collect();
        let mut sums = values.clone();
        sums.iter_mut().for_each(|v| *v = *v * 2 % 256);
        let (fresh, other) = (client.encrypt(&values)?, client.encrypt(&values)?);
        let evaluated = server.evaluate(&identity, &fresh, 2)?;
        for (x, y) in [(&fresh, &other), (&evaluated, &server.evaluate(&identity, &other, 2)?)] {
            let reread = Ciphertexts::from_bytes(&x.to_bytes())?;
            // The deviation of a variance from 512 samples is 6 %; and results under one key have some of their noise in common.
            for (left, right, growth) in [(x, x, 4.0), (x, &reread, 4.0), (x, y, 2.0)] {
                let [measured, bound] = noise(&client, &left.add(right)?, &sums)?;
                assert!((bound / x.noise_variance() - growth).abs() < 0.01, "{growth}: bound {bound:e}");
                assert!((0.6 * bound..1.5 * bound).contains(&measured), "{growth}: {measured:e}, bound {bound:e}");
            }
            // 4σ² and not 6, for the sum is of one origin with x; read from a file, too.
            let difference = x.add(y)?.sub(x)?;
            assert!(difference.noise_variance() > 5.5 * x.noise_variance());
            let reread = Ciphertexts::from_bytes(&x.add(y)?.to_bytes())?;
            assert!(reread.sub(x)?.noise_variance() > 5.5 * x.noise_variance());
            assert_eq!(Ciphertexts::from_bytes(&reread.to_bytes())?.origin, reread.origin);
        }
        // A table makes a new origin, and the same one every time.
        assert!(!evaluated.origin.meets(&fresh.origin));
        assert!(evaluated.origin.meets(&server.evaluate(&identity, &fresh, 1)?.origin));
        Ok(())
    }

    #[test]
    fn results_of_a_linear_map_are_not_independent() -> Result<(), Error> {
        let client = Client::from_seed(&Params::by_name("toy_8")?, &[12; 32]);
        let server = Server::new(client.server_key()?)?;
        let fresh = client.encrypt(&[1, 2])?;
        let twice = fresh.linear_map(&[[1, 0], [1, 0]])?;
        for twice in
            [Ciphertexts::from_bytes(&twice.to_bytes())?, twice.add_constant(1)?.sub(&client.encrypt(&[0; 2])?)?]
        {
            let ratio = twice.linear_map(&[[1, 1]])?.noise_variance() / twice.noise_variance();
            assert!((ratio - 4.0).abs() < 1e-9, "{ratio}");
        }
        assert_eq!(fresh.linear_map(&[[1, 1]])?.noise_variance(), 2.0 * fresh.noise_variance());
        // A table makes them independent, unless they are the same ciphertext.
        let identity = Lut::with_out_bits((0..256).collect(), 8)?;
        for (rows, growth) in [([[1, 0], [1, 0]], 4.0), ([[1, 1], [1, 0]], 2.0)] {
            let results = server.evaluate(&identity, &fresh.linear_map(&rows)?, 1)?;
            let sum = results.linear_map(&[[1, 1]])?;
            assert!((sum.noise_variance() / results.noise_variance() - growth).abs() < 1e-9, "{growth}");
        }
        Ok(())
    }

    #[test]
    fn linear_maps_of_another_width_or_too_much_noise_are_refused() -> Result<(), Error> {
        let client = Client::from_seed(&Params::by_name("toy_4")?, &[10; 32]);
        let fresh = client.encrypt(&[1, 2, 3])?;
        assert!(matches!(fresh.linear_map(&[[1, 2]]), Err(Error::Operands { found: 2, expected: 3, .. })));
        assert!(matches!(fresh.add_constants(&[1; 4]), Err(Error::Operands { found: 4, expected: 3, .. })));
        assert!(matches!(fresh.linear_map(&[[1, 1 << 60, 0]]), Err(Error::NoiseBudget { .. })));
        Ok(())
    }
}
