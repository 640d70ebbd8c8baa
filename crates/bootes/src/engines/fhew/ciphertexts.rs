//! A vector of encrypted integers.
use crate::door::space::BitLimit;
use crate::engines::{EngineCiphertexts, Fhew};
use crate::fhew::Params;
use crate::fhew::room::{Growth, Variances, refusal};
use crate::fhew::samples::{Bits, Cursor, Form, Layout, Masks, Polynomials, Run, Samples};
use crate::fhew::words::Word;
use crate::names::hex;
use crate::origin::{Origin, identify};
use crate::{Error, Space};
use bootes_lattice::noise::failure::over_keys::{log2_failure, sigmas_for};
use bootes_lut::Interval;
use bootes_lut::fhew::circuit::InputVariance;
use bootes_lut::planning;
use bootes_ring::sample::MaskSeed;
use bootes_schemes::fhew::FhewParams;
use bootes_schemes::fhew::public_key::PublicEncryption;
use std::sync::Arc;

mod file;
mod rows;
mod streams;

pub(crate) use file::{CiphertextReader, CiphertextWriter};

/// Encrypted integers of one [`Space`] under one key: LWE ciphertexts of dimension k·N' with a bound on their noise.
///
/// Fresh ones are stored as one word each, their masks a seed. The noise bound is public and travels along: linear
/// operations raise it, and are refused when decryption would fail more often than the parameters promise.
///
/// Residues ([`Space::Modular`]) add up modulo p. Integers ([`Space::Integers`]) add up as integers: their range is
/// public, travels along too, and operations whose results would have no room are refused ([`Error::Overflow`]).
/// [`Self::as_residues`] and [`Self::as_integers`] take the ones as the others; integers stay within their range.
///
/// Variances add only where noises are independent. So ciphertexts know which encryptions and evaluations they come
/// from: where two operands share one, their standard deviations add, as they do in x + x, the worst case.
#[derive(Clone)]
pub(crate) struct Ciphertexts {
    params: Params,
    key_id: [u8; 16],
    space: Space,
    variance: InputVariance,
    samples: Samples<'static>,
    origin: Origin,
}

/// The origin of ciphertexts of these masks: the seeds of their encryptions.
fn origin_of(runs: &[Run]) -> Origin {
    let words =
        |run: &Run| run.source.to_bytes().as_chunks().0.iter().copied().map(u64::from_le_bytes).collect::<Vec<_>>();
    let mut sorted: Vec<_> = runs.iter().map(|run| (run.source.to_bytes(), run.first, run.count)).collect();
    sorted.sort_unstable();
    // Only what is there twice has noise in common.
    let repeats = |pair: &[([u8; 32], u64, u64)]| pair[0].0 == pair[1].0 && pair[0].1 + pair[0].2 > pair[1].1;
    let dependent = sorted.windows(2).any(repeats);
    let seeds = Origin::of(runs.iter().map(|run| identify(words(run))).collect());
    Origin { dependent, moved: runs.len() > 1, ..seeds }
}

/// The origin of ciphertexts that a public key encrypted with these masks. Values of one ciphertext share the errors of
/// its masks, which the mean of the key puts into all.
fn public_origin(runs: &[Run<Arc<Polynomials>>]) -> Origin {
    let ids = runs.iter().map(|run| identify(run.source.masks.iter().copied())).collect();
    Origin { dependent: true, moved: runs.len() > 1, ..Origin::of(ids) }
}

/// Variance of the rounding of a ciphertext of full words to half words of h bits, 32 or 64: (1 + kN'/2)/12·2^-2h.
pub(super) fn least_rounding_variance(params: &FhewParams) -> f64 {
    let words = 1.0 + params.glwe_distribution().mean_weight(params.ciphertext_dimension());
    words / 12.0 * 2f64.powi(-(params.word_bits() as i32))
}

/// The same of any words: of multiples of 1/m of a half word's unit, as multiples of what a public key encrypted may
/// be, it is 1 + 2/m² times as much, 3/2 where half of them are in the middle of two.
pub(super) fn rounding_variance(params: &FhewParams) -> f64 {
    1.5 * least_rounding_variance(params)
}

/// The identifier of an evaluation: of the first ciphertext that results from it, as a file has it.
pub(crate) fn identify_results<W: Word>(first: &[W]) -> u64 {
    identify(first.iter().map(|word| word.half()))
}

impl Ciphertexts {
    pub(crate) fn seeded<W: Word>(
        params: &Params,
        key_id: [u8; 16],
        space: Space,
        seed: MaskSeed,
        bodies: &[W],
    ) -> Self {
        let mut bytes = Vec::with_capacity(size_of_val(bodies));
        W::put(bodies, &mut bytes);
        Self::of_bodies(params, key_id, space, seed, bodies.len(), bytes)
    }

    /// Fresh ones, of this seed and the bytes of so many bodies.
    pub(super) fn of_bodies(
        params: &Params,
        key_id: [u8; 16],
        space: Space,
        seed: MaskSeed,
        count: usize,
        bytes: Vec<u8>,
    ) -> Self {
        let run = Run { source: seed, first: 0, count: count as u64 };
        let samples = Samples::new(Form::seeded(run), Layout::of(params), bytes);
        let (params, variance, origin) = (params.clone(), params.fresh_variance().into(), origin_of(&[run]));
        Self { params, key_id, space, variance, samples, origin }
    }

    /// Encryptions by the public key, values of up to N' in each.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub(crate) fn public(
        params: &Params,
        key_id: [u8; 16],
        space: Space,
        all: Vec<PublicEncryption>,
    ) -> Result<Self, Error> {
        let [masks, bodies] = params.public_bits();
        let (bits, variance) = (Bits { masks, bodies }, params.public_variance().into());
        let (mut runs, mut bytes) = (Vec::new(), Vec::new());
        for PublicEncryption { masks, bodies } in all {
            planning::wanted()?;
            let count = bodies.len() as u64;
            runs.push(Run { source: Arc::new(Polynomials { masks, stride: 1 }), first: 0, count });
            bodies.iter().for_each(|&body| bits.put_body(body, &mut bytes));
        }
        let origin = public_origin(&runs);
        let form = Masks::of(runs, usize::MAX).map_or(Form::Full, |masks| Form::Public(masks, bits));
        let samples = Samples::new(form, Layout::of(params), bytes);
        Ok(Self { params: params.clone(), key_id, space, variance, samples, origin })
    }

    /// Whether half words would add noise worth speaking of, where there are words long enough to keep it.
    fn is_precise(&self) -> bool {
        let limbs = 0..self.space.limbs();
        let least = limbs.map(|limb| self.variance.of(limb)).fold(f64::INFINITY, f64::min);
        self.params.word_bits() > 64 && rounding_variance(&self.params) > least / 16.0
    }

    /// These, packed so: their noise has a bound that holds packing and rounding, and as masks are shared, part of it
    /// is not independent.
    pub(crate) fn packed(&self, form: Form, bodies: Vec<u8>, variance: InputVariance) -> Self {
        let samples = Samples::new(form, self.samples.layout, bodies);
        let origin = Origin { dependent: true, ..self.origin.clone() };
        Self { params: self.params.clone(), key_id: self.key_id, space: self.space, variance, samples, origin }
    }

    /// Refuses an operation that compressed ciphertexts are not for.
    ///
    /// # Errors
    /// [`Error::Compressed`].
    pub(crate) fn check_open(&self, operation: &str) -> Result<(), Error> {
        match self.is_compressed() {
            true => Err(Error::Compressed { operation: operation.into() }),
            false => Ok(()),
        }
    }

    /// No ciphertexts, but what is known of them.
    pub(crate) fn head(
        params: &Params,
        key_id: [u8; 16],
        space: Space,
        variance: InputVariance,
        origin: Origin,
    ) -> Self {
        let samples = Samples::new(Form::Full, Layout::of(params), Vec::new());
        Self { params: params.clone(), key_id, space, variance, samples, origin }
    }

    /// These, with their ciphertexts in full.
    pub(crate) fn with_words(self, bytes: Vec<u8>) -> Self {
        Self { samples: Samples::new(Form::Full, self.samples.layout, bytes), ..self }
    }

    pub(crate) fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The same ciphertexts, taken for values of another space.
    fn in_space(&self, space: Space) -> Result<Self, Error> {
        let (params, variance, origin) = (self.params.clone(), self.variance.clone(), self.origin.clone());
        Ok(Self { params, space, variance, samples: self.samples.owned()?, origin, ..*self })
    }

    /// The same, of another origin.
    pub(super) fn with_origin(self, origin: Origin) -> Self {
        Self { origin, ..self }
    }

    pub(crate) fn samples(&self) -> &Samples<'static> {
        &self.samples
    }

    fn sample_count(&self) -> usize {
        self.samples.count()
    }

    /// The same of each limb.
    pub(crate) fn limb_variances(&self) -> &InputVariance {
        &self.variance
    }

    /// The ciphertexts, to be read one after the other.
    pub(crate) fn cursor(&self) -> Cursor<'_> {
        Cursor { samples: &self.samples, at: 0 }
    }

    /// Bytes that they take in memory.
    pub(crate) fn bytes(&self) -> u64 {
        self.samples.bytes().len() as u64
    }

    pub(crate) fn check_key(&self, params: &FhewParams, key_id: [u8; 16]) -> Result<(), Error> {
        if *self.params != *params {
            return Err(Error::OtherParams { what: "ciphertext", params: params.name().into() });
        }
        if self.key_id != key_id {
            return Err(Error::OtherKey { what: "ciphertext", found: hex(&self.key_id), expected: hex(&key_id) });
        }
        Ok(())
    }

    fn combined(&self, terms: &[(i64, &Self)], name: &'static str) -> Result<Self, Error> {
        let (weights, columns): (Vec<i64>, Vec<&Self>) = terms.iter().copied().unzip();
        Ok(Self::combinations(&columns, &[&weights], name)?.remove(0))
    }

    fn plus(&self, constants: &[i64], range: Option<Interval>) -> Result<Self, Error> {
        self.check_open("a sum with constants")?;
        let space = self.space.linear("sum with constants", range, BitLimit::of(&self.params))?;
        let constants: Vec<u128> = constants.iter().map(|&constant| self.space.encode(constant.into(), 0)).collect();
        let growth = Growth::none(self.space, self.noise_variance());
        self.with_noise(space, &growth, self.samples.plus(&constants)?, self.origin.clone())
    }

    /// The bound on the noise of an operation's results, if they keep the promise.
    fn within_promise(&self, space: Space, growth: &Growth<'_>) -> Result<f64, Error> {
        // Not even zero times a ciphertext is said to have less noise than a fresh one: readers rely on it.
        let variance = growth.variance().max(self.params.fresh_variance());
        let found = log2_failure(space.half_step(), variance.sqrt());
        match found > self.params.log2_p_fail() {
            true => Err(refusal(&self.params, space, growth, found)),
            false => Ok(variance),
        }
    }

    fn with_noise(
        &self,
        space: Space,
        growth: &Growth<'_>,
        samples: Samples<'static>,
        origin: Origin,
    ) -> Result<Self, Error> {
        let variance = self.within_promise(space, growth)?;
        let (params, variance) = (self.params.clone(), variance.into());
        Ok(Self { params, key_id: self.key_id, space, variance, samples, origin })
    }
}

impl EngineCiphertexts<Fhew> for Ciphertexts {
    fn params(&self) -> &Params {
        &self.params
    }

    fn key_id(&self) -> [u8; 16] {
        self.key_id
    }

    fn len(&self) -> usize {
        self.sample_count() / self.space.limbs()
    }

    fn ciphertexts(&self) -> usize {
        self.len() * self.space.limbs()
    }

    fn space(&self) -> Space {
        self.space
    }

    fn is_compressed(&self) -> bool {
        matches!(self.samples.form, Form::Packed(..))
    }

    fn noise_budget(&self) -> f64 {
        let sigmas = sigmas_for(self.params.log2_p_fail());
        let limbs = self.space.moduli().into_iter().enumerate();
        let factors = limbs.map(|(limb, p)| 0.5 / p as f64 / (sigmas * self.variance.of(limb).sqrt()));
        factors.fold(f64::INFINITY, f64::min).log2().max(0.0)
    }

    fn noise_variance(&self) -> f64 {
        self.variance.largest()
    }

    fn add(&self, other: &Self) -> Result<Self, Error> {
        self.combined(&[(1, self), (1, other)], "sum")
    }

    fn sub(&self, other: &Self) -> Result<Self, Error> {
        self.combined(&[(1, self), (-1, other)], "difference")
    }

    fn mul_small(&self, factor: i64) -> Result<Self, Error> {
        self.combined(&[(factor, self)], "multiple")
    }

    fn mul_constants(&self, constants: &[i64]) -> Result<Self, Error> {
        let name = "product with constants";
        self.check_open("a product with constants")?;
        if constants.len() != self.len() {
            return Err(Error::Lengths { what: name.into(), left: self.len(), right: constants.len() });
        }
        let factors: Vec<i64> = constants.iter().map(|&constant| self.space.reduced(constant)).collect();
        let range = self.space.kept_range();
        let ends = Interval::of(factors.iter().copied()).unwrap_or(Interval { min: 0, max: 0 });
        let products = range.times(ends.min).zip(range.times(ends.max)).map(|(least, most)| least.union(most));
        let space = self.space.linear(name, products, BitLimit::of(&self.params))?;
        let largest = factors.iter().map(|factor| factor.unsigned_abs()).max().unwrap_or(0) as f64;
        let growth = |of: Variances<'_>| largest.powi(2) * of(self.space, self.noise_variance());
        let growth = Growth::of(growth, &factors, (self.space, self.noise_variance()));
        // Before the work.
        self.within_promise(space, &growth)?;
        let dependent = self.origin.dependent || factors.contains(&0);
        self.with_noise(space, &growth, self.samples.times(&factors)?, Origin { dependent, ..self.origin.clone() })
    }

    fn linear_map(&self, weights: &[impl AsRef<[i64]>]) -> Result<Self, Error> {
        let name = "linear map";
        self.check_open("a linear map")?;
        if let Some(row) = weights.iter().map(AsRef::as_ref).find(|row| row.len() != self.len()) {
            return Err(Error::Lengths { what: name.into(), left: self.len(), right: row.len() });
        }
        let range = self.space.kept_range();
        let zero = Interval { min: 0, max: 0 };
        let of_row = |row: &[i64]| {
            row.iter().try_fold(zero, |sum, &weight| sum.plus(range.times(self.space.reduced(weight).into())?))
        };
        let mut ranges = weights.iter().map(|row| of_row(row.as_ref()));
        let all = ranges.next().map_or(Some(zero), |first| ranges.try_fold(first?, |all, row| Some(all.union(row?))));
        let space = self.space.linear(name, all, BitLimit::of(&self.params))?;
        let rows: Vec<Vec<i64>> =
            weights.iter().map(|row| row.as_ref().iter().map(|&weight| self.space.reduced(weight)).collect()).collect();
        let mut factor = 0.0f64;
        for row in &rows {
            factor = factor.max(match self.origin.dependent {
                true => row.iter().map(|&weight| (weight as f64).abs()).sum::<f64>().powi(2),
                false => row.iter().map(|&weight| (weight as f64).powi(2)).sum(),
            });
        }
        let several = weights.len() > 1;
        let origin = Origin { dependent: several, moved: several, ..self.origin.clone() };
        let weights: Vec<i64> = rows.concat();
        let operand = (self.space, self.noise_variance());
        let growth =
            Growth::of(|of| factor * of(operand.0, operand.1), &weights, operand).sharing(self.origin.dependent);
        // Before the work.
        let variance = self.within_promise(space, &growth)?.into();
        let samples = self.samples.linear_map(&rows.iter().map(Vec::as_slice).collect::<Vec<_>>())?;
        Ok(Self { params: self.params.clone(), key_id: self.key_id, space, variance, samples, origin })
    }

    fn add_constant(&self, constant: i64) -> Result<Self, Error> {
        let constant = self.space.reduced(constant);
        let range = self.space.kept_range().plus(Interval { min: constant.into(), max: constant.into() });
        self.plus(&vec![constant; self.len()], range)
    }

    fn add_constants(&self, constants: &[i64]) -> Result<Self, Error> {
        if constants.len() != self.len() {
            return Err(Error::Lengths { what: "sum with constants".into(), left: self.len(), right: constants.len() });
        }
        let range = self.space.kept_range();
        let constants = &*constants.iter().map(|&constant| self.space.reduced(constant)).collect::<Vec<_>>();
        self.plus(constants, Interval::of(constants.iter().copied()).map_or(Some(range), |c| range.plus(c)))
    }

    fn as_residues(&self) -> Result<Self, Error> {
        self.in_space(self.space.as_residues()?)
    }

    fn as_integers(&self, range: Interval) -> Result<Self, Error> {
        self.in_space(self.space.as_integers(range)?)
    }
}

impl std::fmt::Debug for Ciphertexts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (params, key_id) = (self.params.name(), hex(&self.key_id));
        let debug = &mut f.debug_struct("Ciphertexts");
        debug.field("params", &params).field("key_id", &key_id).field("space", &self.space);
        debug
            .field("len", &self.len())
            .field("log2_noise_std", &(self.noise_variance().log2() / 2.0))
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lut;
    use crate::engines::*;
    use crate::fhew::{Client, Server};

    #[test]
    fn linear_maps_are_modular_and_their_noise_is_the_predicted() -> Result<(), Error> {
        // 256 sums of four each, so that their noises are independent.
        const SUMS: usize = 256;
        const WEIGHTS: [i64; 4] = [3, -1, 2, -5];
        let client = Client::from_seed(&Params::by_name("toy_8")?, &[9; 32]);
        let server = Server::new(client.made_key()?)?;
        let identity = Lut::modular((0..256).collect(), 256)?;
        let values: Vec<u64> = (0..4 * SUMS as u64).map(|i| i * 37 % 256).collect();
        let fresh = client.encrypt(&signed(&values))?;
        let evaluated = server.evaluate(&identity, &fresh, 2)?;
        let mut rows = vec![vec![0i64; 4 * SUMS]; SUMS];
        rows.iter_mut().enumerate().for_each(|(i, row)| row[4 * i..4 * i + 4].copy_from_slice(&WEIGHTS));
        let constants: Vec<i64> = (0..SUMS as i64).map(|i| i * 3 % 256).collect();
        let sum = |(four, &constant): (&[u64], &i64)| {
            let sum: i64 = four.iter().zip(WEIGHTS).map(|(&v, w)| w * v as i64).sum();
            (sum + constant).rem_euclid(256) as u64
        };
        let expected: Vec<u64> = values.chunks_exact(4).zip(&constants).map(sum).collect();
        for input in [&fresh, &evaluated] {
            let sums = input.linear_map(&rows)?.add_constants(&constants)?;
            assert_eq!(client.decrypt(&sums)?, expected);
            assert_eq!(sums.noise_variance(), input.noise_variance() * 39.0);
            // The deviation of a variance from 256 samples is 9 %: far outside is far from chance.
            let noise = client.measure_noise(&sums, &signed(&expected))?;
            let measured = noise.iter().map(|e| e * e).sum::<f64>() / SUMS as f64;
            assert!(measured < 1.6 * sums.noise_variance(), "{measured:e}, bound {:e}", sums.noise_variance());
            assert!(measured > 0.2 * sums.noise_variance(), "{measured:e}, bound {:e}", sums.noise_variance());
        }
        // No rows, no inputs, only zeros.
        let few = client.encrypt(&[1, 2])?;
        assert_eq!(few.linear_map(&[[0; 2]; 0])?.len(), 0);
        assert_eq!(client.decrypt(&client.encrypt(&[])?.linear_map(&[[]])?)?, [0]);
        let zero = few.linear_map(&[[0; 2]])?.add_constant(200)?;
        assert_eq!(client.decrypt(&server.evaluate(&identity, &zero, 1)?)?, [200]);
        Ok(())
    }

    /// Variance of the noise, and the bound.
    fn noise(client: &Client, ciphertexts: &Ciphertexts, values: &[u64]) -> Result<[f64; 2], Error> {
        let noise = client.measure_noise(ciphertexts, &signed(values))?;
        Ok([noise.iter().map(|e| e * e).sum::<f64>() / values.len() as f64, ciphertexts.noise_variance()])
    }

    #[test]
    fn noise_of_one_origin_adds_up() -> Result<(), Error> {
        let client = Client::from_seed(&Params::by_name("toy_8")?, &[11; 32]);
        let server = Server::new(client.made_key()?)?;
        let identity = Lut::modular((0..256).collect(), 256)?;
        let values: Vec<u64> = (0..512).map(|i| i * 11 % 256).collect();
        let mut sums = values.clone();
        sums.iter_mut().for_each(|v| *v = *v * 2 % 256);
        let (fresh, other) = (client.encrypt(&signed(&values))?, client.encrypt(&signed(&values))?);
        let evaluated = server.evaluate(&identity, &fresh, 2)?;
        for (x, y) in [(&fresh, &other), (&evaluated, &server.evaluate(&identity, &other, 2)?)] {
            let reread = Ciphertexts::from_bytes(&x.to_bytes())?;
            // The deviation of a variance from 512 samples is 6 %; and results under one key have some of their noise
            // in common.
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
        // Vectors that share some ciphertexts have results in common, which the origin of their inputs tells: the bound
        // of the sum is kept in each value.
        let mut constants = vec![0; 512];
        constants[0] = 1;
        let shifted = server.evaluate(&identity, &fresh.add_constants(&constants)?, 1)?;
        sums[0] += 1;
        let [measured, bound] = noise(&client, &evaluated.add(&shifted)?, &sums)?;
        assert!((0.6 * bound..1.5 * bound).contains(&measured), "{measured:e}, bound {bound:e}");
        assert!(evaluated.origin.meets(&fresh.origin) && !evaluated.origin.meets(&other.origin));
        assert!(evaluated.origin.meets(&server.evaluate(&identity, &fresh, 1)?.origin));
        Ok(())
    }

    #[test]
    fn results_of_a_linear_map_are_not_independent() -> Result<(), Error> {
        let client = Client::from_seed(&Params::by_name("toy_8")?, &[12; 32]);
        let server = Server::new(client.made_key()?)?;
        let fresh = client.encrypt(&[1, 2])?;
        let twice = fresh.linear_map(&[[1, 0], [1, 0]])?;
        for twice in
            [Ciphertexts::from_bytes(&twice.to_bytes())?, twice.add_constant(1)?.sub(&client.encrypt(&[0; 2])?)?]
        {
            let ratio = twice.linear_map(&[[1, 1]])?.noise_variance() / twice.noise_variance();
            assert!((ratio - 4.0).abs() < 1e-9, "{ratio}");
        }
        assert_eq!(fresh.linear_map(&[[1, 1]])?.noise_variance(), 2.0 * fresh.noise_variance());
        // A table makes them independent (`tests::dithering` measures it).
        let identity = Lut::modular((0..256).collect(), 256)?;
        for rows in [[[1, 0], [1, 0]], [[1, 1], [1, 0]]] {
            let results = server.evaluate(&identity, &fresh.linear_map(&rows)?, 1)?;
            let sum = results.linear_map(&[[1, 1]])?;
            assert!((sum.noise_variance() / results.noise_variance() - 2.0).abs() < 1e-9, "{rows:?}");
        }
        Ok(())
    }
}
