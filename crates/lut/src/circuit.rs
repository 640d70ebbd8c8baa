//! What an algorithm does to one ciphertext, as data: a list of rotations. Read on noise, cost and ciphertexts alike.
use crate::LutError;
use bootes_lattice::noise::failure::{log2_failure, sigmas_for, sum_log2};
use bootes_schemes::fhew::FhewParams;
use bootes_schemes::fhew::cost;

/// Where a rotation takes its sample from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The input ciphertext.
    Input,
    /// The result of an earlier rotation of the circuit.
    Rotation(usize),
}

/// One bootstrap: key switch (shared by all of one source), modulus switch to 2νN', blind rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RotationNode {
    /// Its sample.
    pub source: Source,
    /// The sample is multiplied by 2^this, which drops the top bits of the message.
    pub log2_factor: u32,
    /// The table is right while the phase is off by less than this fraction of the torus.
    pub half_window: f64,
    /// Extension factor ν: the accumulator has degree ν·N'.
    pub extension: usize,
    /// Whether it rotates in its own ring of degree ν·N', a power of two, with that ring's key; else ν components of
    /// degree N' with the one key of all. The result of an own ring is key-switched to the base ring's key.
    pub own_ring: bool,
    /// Whether the result is a summand of the output (else only a source).
    pub to_output: bool,
}

/// A circuit of rotations.
#[derive(Clone, Debug, PartialEq)]
pub struct Circuit {
    /// In an order in which sources come first.
    pub rotations: Vec<RotationNode>,
}

/// What a circuit promises.
#[derive(Clone, Debug, PartialEq)]
pub struct Noise {
    /// Variance of the output's noise (of the torus squared).
    pub output_variance: f64,
    /// Variance of the phase at each rotation, before the table, relative to its half window squared.
    pub sigmas: Vec<f64>,
    /// log2 of the probability that any rotation picks a wrong entry.
    pub log2_p_fail: f64,
}

/// The largest extension factor tried.
pub const MAX_EXTENSION: usize = 64;

impl RotationNode {
    /// Degree of the own ring, if it has one.
    pub fn ring(&self, params: &FhewParams) -> Option<usize> {
        self.own_ring.then(|| self.extension * params.shape().degree)
    }
}

impl Circuit {
    /// Variance of the phase at rotation `node`: 4^factor·(input + key switch) + modulus switch.
    fn phase_variance(params: &FhewParams, node: &RotationNode, input_variance: f64) -> f64 {
        let source = match node.source {
            Source::Input => input_variance,
            Source::Rotation(_) => params.blind_rotation_variance(),
        };
        f64::from(2 * node.log2_factor).exp2() * (source + params.key_switch_variance())
            + params.mod_switch_variance(node.extension)
    }

    /// Gives every rotation the least extension factor that keeps the circuit's failure probability at 2^`log2_p_fail`
    /// (shared equally), for inputs of noise variance `input_variance`.
    pub fn fit(
        mut self,
        params: &FhewParams,
        bits: u32,
        input_variance: f64,
        log2_p_fail: f64,
    ) -> Result<Self, LutError> {
        let share = log2_p_fail - (self.rotations.len().max(1) as f64).log2();
        let sigmas = sigmas_for(share);
        for node in &mut self.rotations {
            let mut std = f64::INFINITY;
            let fits = (1..=MAX_EXTENSION).find(|&extension| {
                // A window needs at least one position.
                if node.half_window * ((4 * extension * params.shape().degree) as f64) < 1.0 {
                    return false;
                }
                node.extension = extension;
                std = Self::phase_variance(params, node, input_variance).sqrt();
                node.half_window >= sigmas * std
            });
            if fits.is_none() {
                let params = params.name().to_string();
                let found = log2_failure(node.half_window, std);
                return Err(LutError::Noise { params, bits, found, promised: log2_p_fail });
            }
        }
        Ok(self)
    }

    /// Predicts noise and failure for inputs of noise variance `input_variance`.
    pub fn noise(&self, params: &FhewParams, input_variance: f64) -> Noise {
        let outputs = self.rotations.iter().filter(|node| node.to_output);
        let rotations: f64 = outputs
            .map(|node| match node.ring(params) {
                None => params.blind_rotation_variance(),
                Some(degree) => params.ring_rotation_variance(degree),
            })
            .sum();
        let switches: f64 = self.rings(params).into_iter().map(|degree| params.ring_key_switch_variance(degree)).sum();
        let sigmas: Vec<f64> = self
            .rotations
            .iter()
            .map(|node| node.half_window / Self::phase_variance(params, node, input_variance).sqrt())
            .collect();
        let failures: Vec<f64> = sigmas.iter().map(|&sigmas| log2_failure(sigmas, 1.0)).collect();
        Noise {
            output_variance: rotations + switches,
            sigmas,
            log2_p_fail: if failures.is_empty() { f64::NEG_INFINITY } else { sum_log2(&failures) },
        }
    }

    /// Predicted nanoseconds a value on one thread of the machine of `cost`'s constants.
    pub fn cost_ns(&self, params: &FhewParams) -> f64 {
        let mut switches: Vec<Source> = self.rotations.iter().map(|node| node.source).collect();
        switches.dedup();
        let rotations: f64 = self
            .rotations
            .iter()
            .map(|node| match node.ring(params) {
                None => cost::blind_rotation_ns(params, params.shape(), node.extension),
                Some(degree) => cost::blind_rotation_ns(params, params.ring_shape(degree), 1),
            })
            .sum();
        let ring_switches: f64 =
            self.rings(params).into_iter().map(|degree| cost::ring_key_switch_ns(params, degree)).sum();
        rotations + switches.len() as f64 * cost::key_switch_ns(params) + ring_switches
    }

    /// Degrees of the own rings, each once: results in one ring are summed before they leave it.
    pub fn rings(&self, params: &FhewParams) -> Vec<usize> {
        let mut degrees: Vec<usize> = self.rotations.iter().filter_map(|node| node.ring(params)).collect();
        degrees.sort_unstable();
        degrees.dedup();
        degrees
    }

    /// Sum of the extension factors: the work in rotations of degree N'.
    pub fn units(&self) -> usize {
        self.rotations.iter().map(|node| node.extension).sum()
    }

    /// The largest extension factor in the base ring.
    pub fn max_extension(&self) -> usize {
        self.rotations.iter().filter(|node| !node.own_ring).map(|node| node.extension).max().unwrap_or(1)
    }
}
