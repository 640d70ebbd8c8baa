//! Tables Z_p → C, whose results stay in slots (appendix C of "Larger tables with CKKS").
//!
//! With T and U the interpolations of real and imaginary parts, a_j and b_j their coefficients, f(m) = T(z) +
//! iU(z) = g(z) + conj(h(z)) for g = Σ (a_j + ib_j)/2·z^j and h = Σ (a_j − ib_j)/2·z^j: two polynomials that
//! share their powers, and a conjugation. No level more than real tables take, whose coefficients are complex
//! too.
use bootes_lattice::port::RlweCiphertext;
use bootes_schemes::ckks::CkksCiphertext;
use bootes_schemes::ckks::bootstrap::{BootstrapStep, Transforms, on_halves};
use bootes_schemes::ckks::noise::{CircuitNoise, ErrorBound, SlotNoise};
use bootes_schemes::polyeval::{ArithmeticCircuit, PolynomialBasis};
use num_complex::Complex64;
use std::f64::consts::TAU;

use super::noise::{CircleNoise, moment};
use super::{FunctionalBootstrap, Interpolation, TableParams};
use crate::{CkksLutError, LutError};

/// A table of complex numbers, prepared for a set.
#[derive(Debug, Clone)]
pub struct ComplexTable {
    /// The interpolations of real and imaginary parts.
    parts: [Interpolation; 2],
    /// g and h.
    circuit: ArithmeticCircuit,
}

impl ComplexTable {
    /// The table m ↦ `values`\[m\] on Z_p, |values| ≤ 1 or so: slots of a set hold numbers of that size.
    ///
    /// # Errors
    /// [`CkksLutError::Tables`] for more entries than the set evaluates whole; as [`Interpolation::new`].
    pub fn new(params: &TableParams, values: &[Complex64]) -> Result<Self, LutError> {
        let max = params.literal().whole() as usize;
        if values.len() > max {
            return Err(CkksLutError::Tables { found: vec![values.len()], max }.into());
        }
        let part = |part: fn(&Complex64) -> f64| params.interpolation(&values.iter().map(part).collect::<Vec<_>>());
        let parts = [part(|z| z.re)?, part(|z| z.im)?];
        let polynomial = |sign: f64| {
            let [a, b] = parts.each_ref().map(Interpolation::coefficients);
            a.iter().zip(b).map(|(a, b)| 0.5 * (a + sign * Complex64::I * b)).collect()
        };
        let polynomials: [Vec<Complex64>; 2] = [polynomial(1.0), polynomial(-1.0)];
        Ok(Self { circuit: ArithmeticCircuit::polynomials(PolynomialBasis::Power, &polynomials), parts })
    }

    /// p.
    #[must_use]
    pub fn in_modulus(&self) -> u64 {
        self.parts[0].entries() as u64
    }

    /// The mean variance of the complex error of a result over uniform inputs, slots and phases, for inputs
    /// with errors of `input` turns.
    ///
    /// A radial error of the circle, half of its noise, is multiplied by z·g' + conj(z·h'); an angle is
    /// flattened.
    #[must_use]
    pub fn variance(&self, params: &TableParams, transforms: &Transforms, input: ErrorBound) -> f64 {
        let ckks = params.ckks();
        let circle = CircleNoise::new(params, transforms);
        let top = transforms.slots_level(ckks) - params.circle_depth();
        let reading = CircuitNoise::new(ckks, &self.circuit, top);
        let p = self.parts[0].entries();
        let radial = circle.series + circle.input.mean() + circle.added.mean();
        let at = |m: usize| {
            let z = Complex64::cis(TAU * m as f64 / p as f64);
            let outputs = reading.at(z);
            let slope = z * outputs[0].slope + (z * outputs[1].slope).conj();
            0.5 * slope.norm_sqr() * radial + outputs[0].added.mean() + outputs[1].added.mean()
        };
        let level = top - self.circuit.depth();
        let shifted: SlotNoise = ckks.rotation_noise(level, ckks.scale(level));
        let n = params.literal().order + 1;
        let angle = moment(n, circle.mean_angle() + input.noise) * (p as f64).powi(2 * n as i32);
        let curvatures = self.parts.iter().flat_map(Interpolation::curvatures).map(|c| c * c).sum::<f64>();
        ((0..p).map(at).sum::<f64>() + angle * curvatures) / p as f64 + shifted.mean()
    }
}

impl FunctionalBootstrap {
    /// The table's values in slots: those of coefficients 0 … N/2 − 1 in the first, of the others in the
    /// second, in bit-reversed order ([`slot`](super::functional::slot)).
    ///
    /// # Errors
    /// [`CkksLutError::Input`] unless messages are as many as entries; what the evaluator refuses.
    pub fn complex_slots(
        &self,
        table: &ComplexTable,
        input: &RlweCiphertext,
        mut watch: impl FnMut(BootstrapStep),
    ) -> Result<[CkksCiphertext; 2], LutError> {
        self.check_input(table.in_modulus(), input)?;
        let circle = self.circle(&input.to_base(self.params().ckks().ring())?, &mut watch)?;
        watch(BootstrapStep::EvalLut);
        let evaluator = self.evaluator();
        Ok(on_halves(circle, |z| {
            let parts = evaluator.evaluate(&table.circuit, &[&z], |_, _| ())?;
            evaluator.add(&parts[0], &evaluator.conjugate(&parts[1])?)
        })?)
    }
}
