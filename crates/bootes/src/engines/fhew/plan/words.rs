//! Plans in words.
use super::Plan;
use crate::Space;
use bootes_lut::fhew::circuit::Table;
use std::collections::BTreeMap;
use std::fmt;

/// So many rotations of a plan are told one by one.
const SHOWN: usize = 12;

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan").field("algorithm", &self.name).finish_non_exhaustive()
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let degree = self.params.shape().degree;
        let words = |spaces: &[Space]| {
            let mut words: Vec<String> = spaces.iter().map(Space::to_string).collect();
            words.dedup();
            words.join(", ")
        };
        writeln!(
            f,
            "{} ({}), parameter set {}: {} to {}",
            self.name,
            self.reference,
            self.params.name(),
            words(&self.in_spaces),
            words(&self.out_spaces)
        )?;
        if self.rotations() == 0 {
            let what = if self.passes_noise { "sums alone" } else { "results are constant" };
            return writeln!(f, "  {what}: no rotation");
        }
        let circuit = &self.table.circuit;
        for (i, (rotation, sigmas)) in circuit.rotations().zip(&self.noise.sigmas).enumerate().take(SHOWN) {
            let what = match &rotation.table {
                Table::Plain { .. } => "a table".to_string(),
                Table::Continuous { .. } => "a continuous function".to_string(),
                Table::Multi { columns, .. } => format!("{} tables at once", columns.len()),
                Table::Packed { blocks, .. } => format!("{} packed ciphertexts", blocks.len()),
                Table::Selected { .. } => "a selected table".to_string(),
                Table::Interleaved { functions } => format!("{} interleaved tables", functions.len()),
            };
            let of = match ((0..circuit.inputs()).any(|i| rotation.source == circuit.input(i)), rotation.log2_factor) {
                (true, 0) => "the input".to_string(),
                (true, factor) => format!("the input times {}", 1u64 << factor),
                (false, _) => "an intermediate result".to_string(),
            };
            let length = rotation.extension * degree;
            let ring = match rotation.own_ring {
                true => "in its own ring".to_string(),
                false => format!("= {} x {degree}", rotation.extension),
            };
            writeln!(
                f,
                "  rotation {}: {what} by {of}, accumulator of degree {length} {ring}, margin {sigmas:.1} sigma",
                i + 1
            )?;
        }
        if let [first, rest @ ..] = self.noise.sigmas.get(SHOWN..).unwrap_or_default() {
            let (count, least) = (rest.len() + 1, rest.iter().copied().fold(*first, f64::min));
            writeln!(f, "  … and {count} more rotations, margins of {least:.1} sigma and more")?;
        }
        let mut trees = BTreeMap::new();
        for look_up in circuit.look_ups() {
            *trees.entry((look_up.selectors.len(), look_up.tables.len())).or_insert(0) += 1;
        }
        for ((bits, results), count) in trees {
            let trees = if count == 1 { "tree".to_string() } else { format!("{count} trees") };
            writeln!(f, "  {trees} of CMUXes on {bits} bits, {results} digits of results")?;
        }
        write!(
            f,
            "  predicted: failure 2^{:.1} a value, output noise 2^{:.1} of the torus, {:.1} ms a value on one thread \
             in full batches",
            crate::door::failure::towards_worse(self.noise.log2_p_fail),
            self.noise.output_variance.log2() / 2.0,
            self.prediction.seconds * 1e3
        )?;
        match (self.interpolation_error, self.error_bound()) {
            (Some(error), Some(bound)) => {
                write!(
                    f,
                    "\n  results within {bound:.3} of the function: {error:.3} to interpolate, 0.5 to round, noise"
                )
            }
            _ => Ok(()),
        }
    }
}
