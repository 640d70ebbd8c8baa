//! The algorithms to choose from, and the prediction of each.
use crate::engines::EngineParams;
use crate::fhew::Params;
use crate::fhew::plan::check_width;
use crate::fhew::server_key::KeySizes;
use crate::{Error, FailureTarget, KeyNeeds, Load, Lut, MaskStorage, Objective};
use bootes_lattice::noise::failure::over_keys::{log2_failure, sigmas_for};
use bootes_lut::fhew::circuit::{Circuit, InputVariance};
use bootes_lut::fhew::digits::LargeLut;
use bootes_lut::fhew::eval::{BATCH, PreparedTable};
use bootes_lut::fhew::{Algorithm, registry};
use bootes_lut::integer::IntegerOp;
use bootes_lut::table::MAX_BITS;
use bootes_lut::{FhewLutError, LutError};
use bootes_schemes::cost::{Calibration, Serial};
use bootes_schemes::fhew::{FhewParams, cost};

/// Cost and failure of a circuit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Prediction {
    /// Blind rotations a value.
    pub(crate) rotations: usize,
    /// Standard deviation of the results' noise, as a fraction of the torus.
    pub(crate) output_std: f64,
    /// log2 of the failure probability of a value.
    pub(crate) log2_p_fail: f64,
    /// CPU seconds a value, in full batches, on one thread of the machine of the calibration in use.
    pub(crate) seconds: f64,
    /// CPU seconds of a value alone, which reads the whole key.
    pub(crate) alone_seconds: f64,
    /// CPU seconds of reading the keys, once a batch.
    pub(crate) read_seconds: f64,
    /// Seconds of the longest chain of rotations that need each other's results, of a value alone.
    pub(crate) latency_seconds: f64,
    /// CPU seconds of making the server key, which one thread does.
    pub(crate) key_seconds: f64,
    /// CPU seconds of expanding it, which one thread does.
    pub(crate) expand_seconds: f64,
    /// CPU seconds of encrypting a value.
    pub(crate) encrypt_seconds: f64,
    /// CPU seconds of decrypting a result.
    pub(crate) decrypt_seconds: f64,
    /// Bytes of a result in a file.
    pub(crate) result_bytes: u64,
    /// Sizes of the server key.
    pub(crate) keys: KeySizes,
    /// Bytes in memory of the plan, with its tables.
    pub(crate) plan: usize,
}

impl Prediction {
    /// The prediction for so many values, whose keys and plan have room.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub(crate) fn within(&self, load: &Load) -> Result<crate::Prediction, Error> {
        let prediction = self.of_load(load);
        load.room().check(0, prediction.memory.peak())?;
        Ok(prediction)
    }

    /// The prediction for so many values.
    pub(super) fn of_load(&self, load: &Load) -> crate::Prediction {
        let (values, keys) = (load.values as u64, self.keys);
        // While keys are expanded, before there are plans, what is stored is held too.
        let workspace = keys.stored.saturating_sub(self.plan) as u64;
        let result = crate::Prediction {
            rotations: Some(self.rotations),
            output_std: Some(self.output_std),
            capacity: 1,
            latency_seconds: self.latency_seconds,
            seconds: self.elapsed_for(values, load.threads),
            cpu_seconds: self.for_count(values).seconds * values as f64,
            key_seconds: self.key_seconds,
            key_cpu_seconds: self.key_seconds,
            expand_seconds: self.expand_seconds,
            encrypt_seconds: self.encrypt_seconds * values as f64,
            decrypt_seconds: self.decrypt_seconds * values as f64,
            job_seconds: 0.0,
            key_bytes: keys.stored as u64,
            input_bytes: values.saturating_mul(8),
            result_bytes: self.result_bytes.saturating_mul(values),
            memory: crate::Memory { keys: keys.memory as u64, tables: self.plan as u64, workspace },
            together: load.threads,
            masks: MaskStorage::Expanded,
            log2_p_fail: self.log2_p_fail,
        };
        result.with_job(load)
    }

    pub(crate) fn new(params: &FhewParams, circuit: &Circuit, input_variance: impl Into<InputVariance>) -> Self {
        let noise = circuit.noise(params, input_variance);
        let (calibration, needs) = (Calibration::current(), circuit.keys(params));
        let [seconds, alone_seconds] = [BATCH, 1].map(|batch| calibration.seconds(circuit.work(params, batch)));
        Self {
            rotations: circuit.rotations().count(),
            output_std: noise.output_variance.sqrt(),
            log2_p_fail: noise.log2_p_fail,
            seconds,
            alone_seconds,
            read_seconds: (alone_seconds - seconds) / (1.0 - 1.0 / BATCH as f64),
            latency_seconds: circuit.critical_path_ns(params) * 1e-9,
            key_seconds: calibration.seconds(cost::key_generation(params, &needs)),
            expand_seconds: calibration.seconds(cost::key_preparation(params, &needs)),
            encrypt_seconds: calibration.seconds(cost::encryption(params)),
            decrypt_seconds: calibration.seconds(cost::decryption(params)),
            // The upper half of each word.
            result_bytes: (params.ciphertext_dimension() as u64 + 1) * u64::from(params.word_bits() / 16),
            keys: KeySizes::of(&Params(params.clone()), &needs),
            plan: PreparedTable::bytes(params, circuit),
        }
    }

    /// The same for `count` values: `seconds` is then the mean of full batches and a smaller last one, each of which
    /// reads the keys.
    #[must_use]
    pub(crate) fn for_count(self, count: u64) -> Self {
        let (batch, count) = (BATCH as f64, count.max(1) as f64);
        let reads = (count / batch).ceil() / count;
        // The time of a batch: its keys', and each value's.
        Self { seconds: self.alone_seconds + self.read_seconds * (reads - 1.0), ..self }
    }

    /// Seconds of `count` values on so many threads, each of which takes a batch after the other: few values are
    /// divided evenly.
    #[must_use]
    pub(crate) fn elapsed_for(&self, count: u64, threads: usize) -> f64 {
        let (count, threads) = (count.max(1), threads.max(1) as u64);
        let batch = count.div_ceil(threads).min(BATCH as u64);
        let batches = count.div_ceil(batch);
        let workers = batches.min(threads);
        let of_batch = self.read_seconds + (self.alone_seconds - self.read_seconds) * count as f64 / batches as f64;
        let part = Serial::part(Calibration::current().serial.values, workers as usize);
        of_batch * (batches.div_ceil(workers) as f64 * workers as f64) * part
    }

    /// Less is better: the objective, then time.
    pub(crate) fn score(&self, objective: Objective) -> [f64; 2] {
        let first = match objective {
            Objective::Throughput => self.seconds,
            Objective::Latency => self.latency_seconds,
            Objective::KeySize => self.keys.stored as f64,
            Objective::Noise => self.output_std,
        };
        [first, self.seconds]
    }

    /// Whether it is chosen before `other`.
    pub(crate) fn is_better(&self, other: &Self, objective: Objective) -> bool {
        self.score(objective) < other.score(objective)
    }
}

/// An algorithm for a table on fresh ciphertexts, or the reason why it does not serve.
fn outcome(params: &Params, algorithm: &dyn Algorithm, lut: &Lut) -> Result<Prediction, LutError> {
    outcome_on(params, algorithm, lut, params.fresh_variance())
}

/// The same on ciphertexts of this noise.
fn outcome_on(
    params: &Params,
    algorithm: &dyn Algorithm,
    lut: &Lut,
    input_variance: f64,
) -> Result<Prediction, LutError> {
    check_width(params, lut)?;
    let circuit = fit(algorithm, params, lut, input_variance, params.log2_p_fail())?;
    Ok(Prediction::new(params, &circuit, input_variance))
}

/// That of least time, or the last refusal.
fn least(all: impl Iterator<Item = Result<Prediction, LutError>>) -> Result<Prediction, LutError> {
    let least = all.reduce(|best, outcome| match (best, outcome) {
        (Ok(best), Ok(found)) if best.seconds <= found.seconds => Ok(best),
        (Ok(best), Err(_)) => Ok(best),
        (_, outcome) => outcome,
    });
    least.unwrap_or_else(|| unreachable!("the registry is not empty"))
}

/// The default sets of this failure probability that hold a table, as a whole or on digits.
pub(super) fn sets_holding(lut: &Lut, target: FailureTarget) -> Vec<Params> {
    let bits = lut.in_bits().max(lut.out_bits());
    match bits > MAX_BITS {
        true => large_sets(bits, target).collect(),
        false => sets_for(lut, target).collect(),
    }
}

impl Params {
    /// The default sets of this failure probability.
    pub(crate) fn all_promising(target: FailureTarget) -> impl Iterator<Item = Self> {
        let promises = move |set: &Self| set.is_chosen_by_default() && set.log2_p_fail() == f64::from(target.log2());
        Self::all().into_iter().filter(promises)
    }
}

/// The default parameter sets of this failure probability that hold the table.
fn sets_for(lut: &Lut, target: FailureTarget) -> impl Iterator<Item = Params> {
    let bits = lut.in_bits().max(lut.out_bits());
    Params::all_promising(target).filter(move |set| set.bits() >= bits)
}

/// The table on digits that this is, if it has too many entries for the set's messages.
fn on_digits(params: &Params, lut: &Lut) -> Option<Result<LargeLut, LutError>> {
    let digits = params.bits() + 1..=params.integer_bits().unwrap_or(0);
    digits.contains(&lut.in_bits()).then(|| LargeLut::of(lut))
}

/// The default sets of this failure probability for integers of `bits` bits in one ciphertext.
fn large_sets(bits: u32, target: FailureTarget) -> impl Iterator<Item = Params> {
    Params::all_promising(target).filter(move |set| set.integer_bits() >= Some(bits))
}

/// The circuit of `algorithm` for `lut`, checked against `promised`: moving a rotation to a ring of its own changes its
/// noise after it was fitted.
pub(crate) fn fit(
    algorithm: &dyn Algorithm,
    params: &FhewParams,
    lut: &Lut,
    input_variance: f64,
    promised: f64,
) -> Result<Circuit, LutError> {
    let circuit = algorithm.fit(params, lut, input_variance, promised)?;
    let noise = circuit.noise(params, input_variance);
    let name = || params.name().to_string();
    if noise.log2_p_fail > promised + SLACK {
        let rotations = circuit.rotations().zip(&noise.sigmas).enumerate();
        let worst = rotations.min_by(|(_, (_, a)), (_, (_, b))| a.total_cmp(b));
        if let Some((i, (rotation, &sigmas))) = worst {
            return Err(FhewLutError::Noise {
                params: name(),
                rotation: i + 1,
                rotations: circuit.rotations().count(),
                log2_half_window: rotation.half_window.log2(),
                log2_std: (rotation.half_window / sigmas).log2(),
                needed: sigmas_for(promised),
                found: log2_failure(sigmas, 1.0),
                promised,
            }
            .into());
        }
    }
    for (output, variance) in circuit.outputs().iter().zip(&noise.bound_variances) {
        let std = variance.sqrt();
        let found = log2_failure(output.half_window, std);
        if found > promised + SLACK {
            return Err(FhewLutError::OutputNoise {
                params: name(),
                log2_half_window: output.half_window.log2(),
                log2_std: std.log2(),
                needed: sigmas_for(promised),
                found,
                promised,
            }
            .into());
        }
    }
    Ok(circuit)
}

/// Rounding of a logarithm.
const SLACK: f64 = 1e-3;

impl Params {
    /// The default set on which `algorithm` evaluates `lut` in the least predicted time. At least 128 bits of security.
    ///
    /// # Errors
    /// [`Error::Lut`] if there is no such algorithm, or it evaluates the table with none: the refusal of the last set.
    pub(crate) fn for_algorithm(algorithm: &str, lut: &Lut, target: FailureTarget) -> Result<Self, Error> {
        let algorithm = registry::by_name(algorithm)?;
        let mut best: Option<(f64, Self)> = None;
        let mut refusal = None;
        for params in sets_for(lut, target) {
            match outcome(&params, &*algorithm, lut) {
                Ok(prediction) if best.as_ref().is_none_or(|(least, _)| prediction.seconds < *least) => {
                    best = Some((prediction.seconds, params));
                }
                Ok(_) => {}
                Err(error) => refusal = Some(error),
            }
        }
        match (best, refusal) {
            (Some((_, params)), _) => Ok(params),
            (None, Some(error)) => Err(error.into()),
            // No set holds the table.
            (None, None) => Self::for_bits_with(lut.in_bits().max(lut.out_bits()), target),
        }
    }

    /// Every registered algorithm with this set, or every tree where the table is too long for its messages.
    pub(super) fn outcomes(&self, lut: &Lut) -> Vec<(String, Result<Prediction, LutError>)> {
        if let Some(large) = on_digits(self, lut) {
            let fresh = self.fresh_variance();
            let predicted = |circuit| Prediction::new(self, &circuit, fresh);
            let Ok(large) = large else { return Vec::new() };
            let all = large.fits(self, fresh, self.log2_p_fail());
            return all.map(|(name, circuit)| (name, circuit.map(predicted))).collect();
        }
        let all = registry::algorithms();
        all.iter().map(|algorithm| (algorithm.name(), outcome(self, &**algorithm, lut))).collect()
    }

    /// The prediction of least time for `lut` on fresh ciphertexts with this set: of the algorithm of this name, or of
    /// all.
    ///
    /// # Errors
    /// [`Error::Lut`]: the refusal, with the noise there is and the noise there may be.
    pub(crate) fn fitted(&self, lut: &Lut, algorithm: Option<&str>) -> Result<Prediction, Error> {
        let set = self;
        if let Some(large) = on_digits(set, lut) {
            let (_, circuit) = large?.fit(set, set.fresh_variance(), set.log2_p_fail())?;
            return Ok(Prediction::new(set, &circuit, set.fresh_variance()));
        }
        let algorithms = match algorithm {
            Some(name) => vec![registry::by_name(name)?],
            None => registry::algorithms(),
        };
        Ok(least(algorithms.iter().map(|algorithm| outcome(self, &**algorithm, lut)))?)
    }

    /// The same of messages of this noise, of all algorithms.
    ///
    /// # Errors
    /// As [`Self::fitted`].
    pub(crate) fn fitted_on(&self, lut: &Lut, input_variance: f64) -> Result<Prediction, Error> {
        let algorithms = registry::algorithms();
        Ok(least(algorithms.iter().map(|algorithm| outcome_on(self, &**algorithm, lut, input_variance)))?)
    }

    /// The prediction of a function of fresh integers of `width` bits.
    ///
    /// # Errors
    /// [`Error::Width`], [`Error::Lut`] for integers that the set does not hold, or is too noisy for.
    pub(super) fn fitted_integers(&self, op: IntegerOp, width: u32) -> Result<Prediction, Error> {
        let (set, limbs) = (self, self.integer_limbs(width)?);
        let circuit = op.fit(set, limbs, set.fresh_variance(), set.log2_p_fail())?;
        Ok(Prediction::new(set, &circuit, set.fresh_variance()))
    }

    /// The additional keys that `algorithm` needs for `lut` on fresh ciphertexts.
    pub(crate) fn table_keys(&self, algorithm: &str, lut: &Lut) -> Result<KeyNeeds, Error> {
        let set = self;
        let circuit = registry::by_name(algorithm)?.fit(set, lut, set.fresh_variance(), set.log2_p_fail())?;
        Ok(circuit.keys(set))
    }

    /// The default set for tables on digits of `bits` bits, 9 to 16, at the given failure probability: the
    /// one of least predicted time for a table without structure on fresh ciphertexts. At least 128 bits of
    /// security.
    ///
    /// # Errors
    /// [`Error::Lut`]: the refusal of the last set that holds such integers.
    pub(crate) fn for_large_tables_with(bits: u32, target: FailureTarget) -> Result<Self, Error> {
        let lut = LargeLut::unstructured(bits)?;
        let mut best: Option<(f64, Self)> = None;
        let mut refusal = None;
        for params in large_sets(bits, target) {
            let set = &params;
            match lut.fit(set, set.fresh_variance(), set.log2_p_fail()) {
                Ok((_, circuit)) => {
                    let cost = circuit.cost_ns(set);
                    if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                        best = Some((cost, params));
                    }
                }
                Err(error) => refusal = Some(error),
            }
        }
        match (best, refusal) {
            (Some((_, params)), _) => Ok(params),
            (None, Some(error)) => Err(error.into()),
            (None, None) => Self::for_integers_with(bits, target),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::EngineParams;

    struct Candidate {
        params: Params,
        algorithm: String,
        outcome: Result<Prediction, LutError>,
    }

    fn candidates(lut: &Lut, target: FailureTarget) -> Vec<Candidate> {
        let of = |params: Params| {
            let all = params.outcomes(lut).into_iter();
            all.map(move |(algorithm, outcome)| Candidate { params: params.clone(), algorithm, outcome })
        };
        sets_holding(lut, target).into_iter().flat_map(of).collect()
    }

    #[test]
    fn objectives_have_names() {
        for objective in Objective::ALL {
            assert_eq!(objective.to_string().parse(), Ok(objective));
        }
        assert!("speed".parse::<Objective>().unwrap_err().contains("key-size"));
    }

    #[test]
    fn few_values_share_the_keys_among_few() -> Result<(), Error> {
        let all = candidates(&Lut::unstructured(5), FailureTarget::Two64);
        for p in all.iter().filter_map(|c| c.outcome.as_ref().ok()) {
            let mean = |count| p.for_count(count).seconds;
            assert!((mean(1) / p.alone_seconds - 1.0).abs() < 1e-9 && (mean(16) / p.seconds - 1.0).abs() < 1e-9);
            assert!((mean(32) / mean(16) - 1.0).abs() < 1e-9);
            assert!(mean(1) > mean(2) && mean(2) > mean(16) && mean(17) > mean(16) && mean(1000) > mean(16));
        }
        Ok(())
    }

    #[test]
    fn threads_divide_values_and_not_keys() -> Result<(), Error> {
        let all = candidates(&Lut::unstructured(5), FailureTarget::Two64);
        for p in all.iter().filter_map(|c| c.outcome.as_ref().ok()) {
            for count in [1, 16, 17, 1000] {
                let one = p.for_count(count).seconds * count as f64;
                assert!((p.elapsed_for(count, 1) / one - 1.0).abs() < 1e-9, "{count}");
            }
            // One value is one thread's; sixteen are eight each, of which each reads the keys.
            assert!((p.elapsed_for(1, 8) / p.alone_seconds - 1.0).abs() < 1e-9);
            let [one, two, four] = [1, 2, 4].map(|threads| p.elapsed_for(16, threads));
            assert!(four < two && two < one && two >= one / 2.0 + p.read_seconds / 2.0 - 1e-12);
            assert!(p.elapsed_for(1600, 4) >= 400.0 * p.seconds - 1e-9);
            assert!(p.expand_seconds > 0.0 && p.key_seconds > 0.0);
        }
        // Rings have keys of their own.
        let keys = |name: &str, set: &Params| {
            let found = all.iter().find(|c| c.algorithm == name && c.params.name() == set.name())?;
            Some(found.outcome.as_ref().ok()?.key_seconds)
        };
        let sets = all.iter().map(|c| &c.params);
        let both = sets.filter_map(|set| Some((keys("compress-rings", set)?, keys("compress", set)?)));
        assert!(both.clone().count() > 0 && both.into_iter().all(|(rings, base)| rings >= base));
        Ok(())
    }

    #[test]
    fn each_objective_has_its_own_best() -> Result<(), Error> {
        let all = candidates(&Lut::unstructured(8), FailureTarget::Two64);
        let best = |objective| {
            let good = all.iter().filter_map(|c| c.outcome.as_ref().ok().map(|p| (c, p)));
            good.reduce(|a, b| if b.1.is_better(a.1, objective) { b } else { a }).expect("a candidate")
        };
        let chosen = Objective::ALL.map(best);
        assert!(chosen.iter().all(|(_, prediction)| prediction.log2_p_fail <= -64.0));
        for (i, objective) in Objective::ALL.into_iter().enumerate() {
            for (other, prediction) in &chosen {
                let [mine, theirs] = [chosen[i].1.score(objective)[0], prediction.score(objective)[0]];
                assert!(mine <= theirs, "{objective}: {}", other.algorithm);
            }
        }
        // Rotations that are independent make a chain of one.
        let full = all.iter().find(|c| c.algorithm == "recursive-full").expect("it is registered");
        let full = full.outcome.as_ref().expect("it fits");
        assert!(full.rotations == 8 && full.latency_seconds < full.seconds / 1.5);
        assert!(chosen[1].1.latency_seconds <= full.latency_seconds);
        Ok(())
    }

    #[test]
    fn whatever_is_not_refused_keeps_its_promise() {
        // compress-rings would break it at 8 bits: its large rings are noisier than what was fitted.
        for candidate in candidates(&Lut::unstructured(8), FailureTarget::Two128) {
            if let Ok(prediction) = candidate.outcome {
                let decryption = log2_failure(2f64.powi(-9), prediction.output_std);
                assert!(prediction.log2_p_fail.max(decryption) < -127.99, "{}", candidate.algorithm);
            }
        }
    }
}
