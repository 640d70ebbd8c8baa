//! The work of a multiplexer tree, as amounts of the units of [`bootes_schemes::cost`].
use bootes_lattice::rns::MaskStorage;
use bootes_schemes::ckks::Cost;
use bootes_schemes::ckks::bootstrap::Transforms;
use bootes_schemes::ckks::circuit::TOGETHER;
use bootes_schemes::cost::Residues;
use bootes_schemes::polyeval::ArithmeticCircuit;

use super::digit_circuit;
use crate::LutError;
use crate::ckks::TableParams;
use crate::ckks::cost::circle;

/// The work of BMT-FBT and CMT-FBT
/// ([`FunctionalBootstrap::evaluate_tree`](crate::ckks::FunctionalBootstrap::evaluate_tree)), by digits modulo these
/// p_i and with this [`tree`](super::tree) of their deltas; and the limbs that are held at once
/// with this many of the two halves of the values in work, the deltas of both among them.
///
/// # Errors
/// As the circuits of digits and the tree.
pub fn tree_evaluation(
    params: &TableParams,
    transforms: &Transforms,
    digits: &[u64],
    tree: &ArithmeticCircuit,
    halves: usize,
    masks: MaskStorage,
) -> Result<(Residues, usize), LutError> {
    let cost = Cost::new(params.ckks(), masks);
    let (circle_steps, circle) = circle(params, transforms, cost)?;
    let factor = |level| match params.slot_factor() {
        1.0 => Residues::default(),
        _ => cost.matrix_product(1, 1, level),
    };
    let to_rlwe =
        |level| cost.join(level) + factor(level) + cost.slots_to_coeffs(transforms, level) + cost.base_values();
    let (mut rest, mut work, mut levels) = (digits.iter().product::<u64>(), Residues::default(), Vec::new());
    for (i, &p) in digits.iter().enumerate() {
        let circuit = digit_circuit(params, p, (i + 1 < digits.len()).then_some(rest))?;
        work += cost.base_values() + circle_steps.into_iter().sum() + cost.circuit(&circuit, circle)? * 2.0;
        let mut outputs = circuit.output_levels().into_iter().map(|below| circle - below);
        for level in outputs.by_ref().take(p as usize) {
            work += (cost.rotation(level) + cost.addition(level)) * 2.0;
            levels.push(level);
        }
        work += outputs.map(to_rlwe).sum();
        rest /= p;
    }
    let top = levels.iter().copied().min().unwrap_or(circle);
    // Deltas of smaller digits come from above.
    let changed = levels.iter().zip(tree.latest()).filter(|&(_, below)| below == 0);
    let changes = changed.map(|(&level, _)| cost.at_level(level, top)).sum::<Residues>();
    work += (cost.circuit(tree, top)? + changes) * 2.0 + to_rlwe(top - tree.depth());
    let size = |level: usize| 2 * (level + 1);
    let deltas = levels.iter().map(|&level| 2 * size(level)).sum::<usize>();
    Ok((work, deltas + halves * tree.peak_size(TOGETHER, |below| size(top - below))))
}

#[cfg(all(test, debug_assertions))]
mod tests {
    use std::sync::Arc;

    use bootes_ring::sample::SecretSeed;
    use bootes_schemes::ckks::{CkksSecretKey, Evaluator};
    use bootes_schemes::cost::Units;
    use bootes_testkit::seed_bytes;

    use super::*;
    use crate::Lut;
    use crate::ckks::FunctionalBootstrap;
    use crate::ckks::cost::tests::{counts, done, encrypted, on_one_thread};
    use crate::papers::multiplexer::{Cleaning, tree};

    /// Work that is predicted is work that is done, with digits of one size and of two.
    #[test]
    fn what_is_counted_of_trees_is_what_is_done() {
        let params = TableParams::named("toy_batch_9bit").unwrap();
        let transforms = params.transforms().unwrap();
        let seed = SecretSeed::from_bytes(&seed_bytes("tree work", 0));
        let secret = CkksSecretKey::derive(params.ckks(), &seed);
        let keys = secret.evaluation_key(&params.request(&transforms), MaskStorage::Expanded, |_, _| ()).unwrap();
        let bootstrap = FunctionalBootstrap::new(&params, Evaluator::new(Arc::new(keys)).unwrap()).unwrap();
        for digits in [&[8u64, 8][..], &[8, 2], &[4, 4, 2]] {
            let p = digits.iter().product::<u64>();
            let table = Lut::modular((0..p).map(|x| (x * x + 1) % p).collect(), p).unwrap();
            let input = encrypted(&params, &secret, &seed, p);
            let found = on_one_thread(|| {
                done();
                bootstrap.evaluate_tree(&table, digits, Cleaning::None, &input, |_, _| ()).unwrap();
                done()
            });
            let sizes: Vec<usize> = digits.iter().map(|&p| p as usize).collect();
            let tree = tree(&vec![0.5; p as usize], &sizes, Cleaning::None);
            let (work, limbs) = tree_evaluation(&params, &transforms, digits, &tree, 1, MaskStorage::Expanded).unwrap();
            assert_eq!(found, counts(work), "{digits:?} of {:?}", Residues::NAMES);
            assert!(limbs > 4 * sizes.iter().sum::<usize>());
        }
    }
}
