//! The common part of the benchmarks of the FDFB paper: the keys of a set, inputs of a given noise, circuits on
//! batches of them.
pub(crate) mod table10;
pub(crate) mod table6;
pub(crate) mod table8;

use crate::BenchError;
use crate::clock::Samples;
use crate::random::SplitMix;
use crate::row::Row;
use bootes_lattice::lwe;
use bootes_lattice::noise::failure::{log2_failure, sum_log2};
use bootes_lattice::noise::measure::torus_difference;
use bootes_lut::fhew::Algorithm;
use bootes_lut::fhew::circuit::{Circuit, Noise, Step};
use bootes_lut::fhew::eval::{PreparedTable, Workspace, eval_into};
use bootes_lut::{FhewLutError, Lut, LutError};
use bootes_ring::sample::SecretSeed;
use bootes_schemes::fhew::encoding::{decode, encode};
use bootes_schemes::fhew::keys::{EvaluationKey, SecretKeys};
use bootes_schemes::fhew::prepared::PreparedEvaluationKey;
use bootes_schemes::fhew::{FhewParams, KeyNeeds};

/// A random table of `bits`-bit integers.
pub(crate) fn random_table(bits: u32) -> Result<Lut, BenchError> {
    Ok(Lut::new(SplitMix(u64::from(bits)).values(1 << bits, bits), bits)?)
}

/// A circuit, and what became of the set's promise.
pub(crate) struct Fitted {
    pub(crate) circuit: Circuit,
    pub(crate) broken: Option<Broken>,
}

/// A promised failure probability that a circuit does not keep.
pub(crate) struct Broken {
    /// log2 of the least failure probability that it does keep, in whole numbers.
    pub(crate) log2_p_kept: f64,
    /// Which condition forbids the promised one.
    pub(crate) refusal: LutError,
}

impl Fitted {
    /// The circuit of `algorithm` for a table at the failure probability that `params` promises or, where its noise is
    /// too large for that, at the least larger power of two: a user gets the refusal, the paper's row is measured.
    ///
    /// # Errors
    /// The refusal, if no failure probability is large enough or noise is not the reason.
    pub(crate) fn new(
        algorithm: &dyn Algorithm,
        params: &FhewParams,
        lut: &Lut,
        input_variance: f64,
    ) -> Result<Self, LutError> {
        let fit = |log2_p_fail| algorithm.fit(params, lut, input_variance, log2_p_fail);
        let refusal = match fit(params.log2_p_fail()) {
            Ok(circuit) => return Ok(Self { circuit, broken: None }),
            Err(refusal @ LutError::Fhew(FhewLutError::Noise { .. } | FhewLutError::OutputNoise { .. })) => refusal,
            Err(other) => return Err(other),
        };
        let larger = (params.log2_p_fail().floor() as i32 + 1..0).map(f64::from);
        match larger.into_iter().find_map(|log2_p| Some((log2_p, fit(log2_p).ok()?))) {
            Some((log2_p_kept, circuit)) => Ok(Self { circuit, broken: Some(Broken { log2_p_kept, refusal }) }),
            None => Err(refusal),
        }
    }

    /// Adds to a row whether the promise is kept, and a note if it is not.
    pub(crate) fn describe(&self, row: Row, params: &FhewParams) -> Row {
        let promised = params.log2_p_fail();
        match &self.broken {
            None => row.with("promise", "kept"),
            Some(Broken { log2_p_kept, refusal }) => row
                .with("promise", format!("2^{promised} not met"))
                .with("log2_p_kept", *log2_p_kept)
                .with("note", format!("run at the failure probability 2^{log2_p_kept}: {refusal}")),
        }
    }
}

/// The keys of a set.
pub(crate) struct Subject {
    pub(crate) params: FhewParams,
    keys: SecretKeys,
    key: PreparedEvaluationKey,
    random: SplitMix,
}

/// Results of a circuit.
#[derive(Default)]
pub(crate) struct Outcome {
    pub(crate) wrong: usize,
    /// The errors, in turns of the torus.
    pub(crate) errors: Vec<f64>,
}

impl Subject {
    /// Key number `index` of `params`, the same every time.
    pub(crate) fn new(params: &FhewParams, index: u64) -> Result<Self, BenchError> {
        Ok(Self::timed(params, index)?.0)
    }

    /// [`Self::new`], and the CPU nanoseconds that its public key took to make and to expand.
    pub(crate) fn timed(params: &FhewParams, index: u64) -> Result<(Self, [f64; 2]), BenchError> {
        let mut random = SplitMix(params.lwe_dimension() as u64 + (index << 32));
        let keys = SecretKeys::derive(params, SecretSeed::from_bytes(&random.seed()));
        let [mut made, mut expanded] = [Samples::default(), Samples::default()];
        let key = made.time(1.0, || keys.evaluation_key())?;
        let key = expanded.time(1.0, || key.prepare())?;
        let ns = [made, expanded].map(|samples| samples.stats().cpu_ms * 1e6);
        Ok((Self { params: params.clone(), keys, key, random }, ns))
    }

    /// Makes the keys of `needs` that are not there yet.
    pub(crate) fn add_keys(&mut self, needs: &KeyNeeds) -> Result<(), BenchError> {
        let missing = self.key.extra.missing(needs);
        Ok(self.key.add_extra(&self.keys.extra_keys(&missing)?)?)
    }

    /// Bytes of the bodies of the server key, and of the additional keys of `needs`.
    pub(crate) fn stored_bytes(&self, needs: &KeyNeeds) -> Result<[usize; 2], BenchError> {
        let [rotation, key_switch] = EvaluationKey::body_words(&self.params);
        Ok([rotation * 8 + key_switch * 4, self.keys.extra_keys(needs)?.stored_bytes()])
    }

    /// Encryptions of `values` with noise of standard deviation `std`, no less than fresh.
    fn encrypt(&mut self, values: &[u64], bits: u32, std: f64) -> Vec<u64> {
        let seed = SecretSeed::from_bytes(&self.random.seed());
        let encoded: Vec<u64> = values.iter().map(|&v| encode(v, bits)).collect();
        let (mask_seed, bodies) = self.keys.encrypt_with_randomness_for_tests(&encoded, &seed);
        let added = (std.powi(2) - self.params.fresh_variance()).max(0.0).sqrt();
        let long = self.params.ciphertext_dimension() + 1;
        let mut words = vec![0; values.len() * long];
        for ((i, words), body) in words.chunks_exact_mut(long).enumerate().zip(bodies) {
            lwe::expand_mask(&mask_seed, i as u64, &mut words[..long - 1]);
            let noise = added * self.random.normal() * 2f64.powi(64);
            words[long - 1] = body.wrapping_add(noise as i64 as u64);
        }
        words
    }

    /// Puts `batches` batches of `batch` random values through a circuit, times them into `samples`, and decrypts.
    ///
    /// The first batch warms the caches: it is checked, but does not count in time.
    pub(crate) fn evaluate(
        &mut self,
        circuit: &Circuit,
        lut: &Lut,
        input_std: f64,
        batches: [usize; 2],
        samples: &mut Samples,
    ) -> Outcome {
        let function = Function {
            circuit,
            bits: [lut.in_bits(), lut.out_bits()],
            value: &|random| random & (lut.in_modulus() - 1),
            image: &|value| lut.values()[value as usize],
        };
        self.evaluate_function(&function, input_std, batches, samples)
    }

    /// [`Self::evaluate`] for any function of one value.
    pub(crate) fn evaluate_function(
        &mut self,
        function: &Function<'_>,
        input_std: f64,
        [batches, batch]: [usize; 2],
        samples: &mut Samples,
    ) -> Outcome {
        let Function { circuit, bits: [in_bits, out_bits], value, image } = *function;
        let table = PreparedTable::new(&self.params, circuit.clone(), self.key.rotation.fft());
        let mut workspace = Workspace::new(&self.key, circuit, batch);
        let long = self.params.ciphertext_dimension() + 1;
        let mut outcome = Outcome::default();
        for i in 0..batches {
            let values: Vec<u64> = self.random.values(batch, 64).into_iter().map(value).collect();
            let inputs = self.encrypt(&values, in_bits, input_std);
            let mut outputs = vec![0; batch * long];
            let mut run = || eval_into(&mut [&mut outputs], &table, &[&inputs], &self.key, &mut workspace);
            match i {
                0 => run(),
                _ => samples.time(batch as f64, run),
            }
            for (&value, output) in values.iter().zip(outputs.chunks_exact(long)) {
                let (phase, expected) = (self.keys.phase(output), image(value));
                outcome.wrong += usize::from(decode(phase, out_bits) != expected);
                outcome.errors.push(torus_difference(phase, encode(expected, out_bits)));
            }
        }
        outcome
    }
}

/// The function of a circuit of one input.
#[derive(Clone, Copy)]
pub(crate) struct Function<'a> {
    pub(crate) circuit: &'a Circuit,
    /// Bits of the spaces of inputs and outputs.
    pub(crate) bits: [u32; 2],
    /// A value of 64 random bits.
    pub(crate) value: &'a dyn Fn(u64) -> u64,
    /// Its image.
    pub(crate) image: &'a dyn Fn(u64) -> u64,
}

/// log2 of the probability that a result of standard deviation `std` leaves its half step, and so decrypts wrongly.
///
/// Noise is normal, but for that of BFV products: it is p·(u_0·e_1 + u_1·e_0), where one e outweighs the other and both
/// factors are normal (the constant coefficient of u is a sum of N rounded words times key bits). A product of two
/// normal variables leaves t standard deviations with a probability of about e^-t, not e^(-t²/2): 2^-11 where bnd =
/// 6.338 promises 2^-32.
pub(crate) fn log2_output_failure(circuit: &Circuit, half_step: f64, std: f64) -> f64 {
    if circuit.steps().iter().any(|step| matches!(step, Step::Multiply(_))) {
        log2_product_failure(half_step / std)
    } else {
        log2_failure(half_step, std)
    }
}

/// log2 of the probability that a value is wrong: that a rotation picks a wrong entry, or that decryption rounds
/// wrongly.
pub(crate) fn log2_value_failure(noise: &Noise, log2_p_output: f64) -> f64 {
    sum_log2(&[noise.log2_p_fail, log2_p_output]).min(0.0)
}

/// log2 of the probability that the product of two normal variables of variance 1 exceeds `t` in size: ∫ 2φ(x)·P(|Y| >
/// t/x) dx.
fn log2_product_failure(t: f64) -> f64 {
    const WIDTH: f64 = 0.01;
    let terms: Vec<f64> = (0..4000)
        .map(|i| {
            let x = (f64::from(i) + 0.5) * WIDTH;
            let density = (2.0 / std::f64::consts::PI).sqrt() * WIDTH;
            density.log2() - x * x / 2.0 * std::f64::consts::LOG2_E + log2_failure(t, x)
        })
        .collect();
    sum_log2(&terms)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_of_normals_have_heavy_tails() {
        // 2/π·∫_t^∞ K_0, by another program.
        for (t, log2) in [(6.338, -10.922), (7.0, -11.939), (20.0, -31.383)] {
            assert!((log2_product_failure(t) - log2).abs() < 0.01, "{t}: {}", log2_product_failure(t));
        }
    }

    #[test]
    fn rows_that_break_the_promise_are_fitted_to_a_larger_probability() {
        let params = FhewParams::by_name("paper_fdfb_fast_18").unwrap();
        let fitted = |name: &str| {
            let algorithm = bootes_lut::fhew::registry::by_name(name).unwrap();
            Fitted::new(&*algorithm, &params, &random_table(4).unwrap(), params.blind_rotation_variance()).unwrap()
        };
        assert!(fitted("select-alt*").broken.is_none());
        let broken = fitted("bfv-mult*").broken.unwrap();
        assert!((params.log2_p_fail() + 1.0..0.0).contains(&broken.log2_p_kept), "2^{}", broken.log2_p_kept);
        assert!(broken.refusal.to_string().contains("standard deviations"), "{}", broken.refusal);
    }

    #[test]
    fn the_papers_sets_have_an_estimate_below_ours() {
        for params in FhewParams::all().iter().filter(|set| set.name().starts_with("paper_fdfb_")) {
            let estimate = params.security().unwrap();
            // The binary accumulator key decides: 125.6 bits.
            assert!(!estimate.is_bound, "{}", params.name());
            assert!((125.0..129.0).contains(&estimate.standard_bits), "{}: {estimate:?}", params.name());
        }
    }
}
