//! Readings of how values flow through a circuit: the longest chain of steps, whose noise results hold.
use super::{Circuit, Register, Step, Table};
use bootes_schemes::cost::Calibration;
use bootes_schemes::fhew::FhewParams;

/// The registers that a step reads (its target aside), and those that it adds to.
pub(super) fn flow(step: &Step) -> (Vec<Register>, Vec<Register>) {
    match step {
        Step::Constant { target, .. } => (Vec::new(), vec![*target]),
        Step::Linear { target, source, .. }
        | Step::ModUp { target, source }
        | Step::Correlation { target, source, .. } => (vec![*source], vec![*target]),
        Step::Instead { target, one, other } => (vec![*one, *other], vec![*target]),
        Step::Rotate(rotation) => {
            let mut reads = rotation.table.sources();
            reads.push(rotation.source);
            (reads, rotation.table.targets())
        }
        Step::Multiply(product) => (vec![product.left, product.right], vec![product.target]),
        Step::LookUp(look_up) => {
            let targets = look_up.tables.iter().map(|&(target, _)| target).collect();
            (look_up.selectors.iter().flatten().copied().collect(), targets)
        }
    }
}

impl Circuit {
    /// Nanoseconds of the longest chain of steps to an output.
    #[must_use]
    pub fn critical_path_ns(&self, params: &FhewParams) -> f64 {
        let mut ready = vec![0.0; self.registers()];
        for step in self.steps() {
            let (reads, writes) = flow(step);
            let start = reads.iter().map(|register| ready[register.0]).fold(0.0, f64::max);
            // The step alone, as a circuit.
            let mut alone = Self::new(self.registers());
            match step {
                Step::Rotate(rotation) => {
                    alone.push_rotation(rotation.clone());
                }
                Step::Multiply(product) => alone.multiply(*product),
                Step::LookUp(look_up) => alone.look_up(look_up.clone()),
                _ => {}
            }
            let end = start + Calibration::current().ns(alone.work(params, 1));
            for register in writes {
                ready[register.0] = f64::max(ready[register.0], end);
            }
        }
        self.outputs().iter().map(|output| ready[output.register.0]).fold(0.0, f64::max)
    }

    /// Whether an output holds noise of an input, and is not as good as new.
    #[must_use]
    pub fn passes_noise(&self) -> bool {
        let mut noisy: Vec<bool> = (0..self.registers()).map(|register| register < self.inputs()).collect();
        for step in self.steps() {
            let (mut reads, writes) = flow(step);
            if let Step::Rotate(rotation) = step {
                // What turns is noisy in its place only, unless the function follows it.
                let follows = matches!(rotation.table, Table::Continuous { .. });
                if !follows {
                    reads = rotation.table.sources();
                }
            }
            if reads.iter().any(|register| noisy[register.0]) {
                writes.iter().for_each(|register| noisy[register.0] = true);
            }
        }
        self.outputs().iter().any(|output| noisy[output.register.0])
    }
}

#[cfg(test)]
mod tests {
    use crate::fhew::digits::Method;
    use crate::fhew::registry;
    use crate::integer::IntegerLimbs;
    use crate::{IntegerOp, Lut, LutError};

    #[test]
    fn tables_refresh_and_integer_functions_pass_noise_on() -> Result<(), LutError> {
        let limbs = IntegerLimbs::one(12);
        for (op, passes) in [(IntegerOp::Sign, false), (IntegerOp::Relu, true), (IntegerOp::Max, true)] {
            assert_eq!(op.circuit(Method::Reduce, limbs, 4)?.passes_noise(), passes, "{op}");
        }
        for algorithm in registry::algorithms() {
            if let Ok(circuit) = algorithm.circuit(&Lut::unstructured(4)) {
                assert!(!circuit.passes_noise(), "{}", algorithm.name());
            }
        }
        Ok(())
    }
}
