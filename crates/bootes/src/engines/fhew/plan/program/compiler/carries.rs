//! Carries of many terms at once.
use super::{Compiler, Made};
use crate::Error;
use crate::fhew::plan::Serving;
use bootes_lut::Interval;
use bootes_lut::fhew::carries::{self, Term};
use bootes_lut::fhew::circuit::Register;
use bootes_lut::forms::Form;
use std::collections::BTreeMap;

impl<K: Serving> Compiler<'_, K> {
    /// The integer nearest to Σ x_i/2^w, or its neighbour, modulo `modulus`.
    pub(super) fn carry(
        &mut self,
        forms: &[Form],
        limb_bits: u32,
        range: Interval,
        modulus: u64,
    ) -> Result<Made, Error> {
        let mut factors: BTreeMap<Register, i64> = BTreeMap::new();
        for form in forms {
            let (form, sign) = if form.range().max > 0 { (form.clone(), 1) } else { (form.negative(), -1) };
            *factors.entry(self.sum(&form, 2 << limb_bits)?.register).or_default() += sign;
        }
        factors.retain(|_, factor| *factor != 0);
        let values = range.max.abs_diff(range.min) as u64 + 1;
        let (circuit, readings) = (&mut self.circuit, &mut self.readings);
        let mut read = |term| *readings.entry((term, values)).or_insert_with(|| carries::read(circuit, term, values));
        let terms: Vec<Term> = factors.into_iter().map(|(term, factor)| (term, read(term), factor)).collect();
        let sum = carries::sum(&mut self.circuit, &terms, range.min, values, self.job.promised);
        let register = carries::nearest(&mut self.circuit, sum, range, modulus);
        Ok(Made { register, origins: self.origin_of(sum), asked: 0.0 })
    }
}
