//! The work of functional bootstrapping, as amounts of the units of [`bootes_schemes::cost`]: read off the maps,
//! circuits and levels of a set.

use bootes_lattice::rns::MaskStorage;
use bootes_schemes::ckks::Cost;
use bootes_schemes::ckks::bootstrap::{BootstrapStep, Transforms};
use bootes_schemes::cost::Residues;

use super::{BatchParams, PreparedTables, clean};
use crate::LutError;

/// What tables on one ciphertext take
/// ([`FunctionalBootstrap::evaluate_rlwe`](super::FunctionalBootstrap::evaluate_rlwe)), full or not, step by step:
/// [`BootstrapStep::ALL`].
///
/// # Errors
/// What the circuits of tables that are no set's refuse.
pub fn evaluation(
    params: &BatchParams,
    transforms: &Transforms,
    tables: &PreparedTables,
    masks: MaskStorage,
) -> Result<[Residues; BootstrapStep::ALL.len()], LutError> {
    let cost = Cost::new(params.ckks(), masks);
    let slots = transforms.slots_level(params.ckks());
    let exponential = params.exponential().circuit();
    let circle = slots - params.circle_depth();
    let clean = match params.literal().clean_circle {
        true => clean::modulus_work(cost, slots - exponential.depth()),
        false => Residues::default(),
    };
    let outputs = || tables.circuit().output_levels().into_iter().map(|below| circle - below);
    let joins = outputs().map(|level| cost.join(level)).sum::<Residues>();
    let back = outputs().map(|level| cost.slots_to_coeffs(transforms, level) + cost.base_values());
    // Both halves.
    Ok([
        cost.base_values() + cost.raise(),
        cost.coeffs_to_slots(transforms),
        (cost.circuit(&exponential, slots)? + clean) * 2.0,
        cost.circuit(tables.circuit(), circle)? * 2.0 + joins,
        back.sum(),
    ])
}

/// What the server key of a set takes to make, the secret keys among it.
#[must_use]
pub fn key_generation(params: &BatchParams, transforms: &Transforms) -> Residues {
    let cost = Cost::new(params.ckks(), MaskStorage::Seeded);
    cost.secret_keys() + cost.keys(&params.request(transforms))
}

/// What a server does with the key that it reads: its masks are made, if they are kept.
#[must_use]
pub fn key_preparation(params: &BatchParams, transforms: &Transforms, masks: MaskStorage) -> Residues {
    Cost::new(params.ckks(), masks).masks(&params.request(transforms))
}

#[cfg(all(test, debug_assertions))]
mod tests {
    use std::sync::{Arc, Mutex};

    use bootes_lattice::port::{RlweCiphertext, RlweEncoding};
    use bootes_ring::sample::SecretSeed;
    use bootes_ring::tally;
    use bootes_schemes::ckks::params::NOISE_STD;
    use bootes_schemes::ckks::{CkksSecretKey, Encoder, Evaluator};
    use bootes_schemes::cost::Units;
    use bootes_testkit::seed_bytes;

    use super::*;
    use crate::Lut;
    use crate::ckks::{BatchLiteral, FunctionalBootstrap, params};

    /// What this thread has done since the last call, in the order of units.
    fn done() -> Vec<u64> {
        tally::take().to_vec()
    }

    fn counts(work: Residues) -> Vec<u64> {
        work.numbers().into_iter().map(|amount| amount as u64).collect()
    }

    fn on_one_thread<T: Send>(work: impl FnOnce() -> T + Send) -> T {
        rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(work)
    }

    /// Work that is predicted is work that is done, to the last residue: keys, masks, every step of a bootstrap, with
    /// masks kept and made.
    #[test]
    fn what_is_counted_is_what_is_done() {
        for (name, tables, clean) in
            [("toy_batch_4bit", 1, false), ("toy_batch_4bit", 3, true), ("toy_batch_6bit", 1, false)]
        {
            let literal = params::literals().into_iter().find(|set| set.name == name).unwrap();
            let params = BatchLiteral { clean_circle: clean, ..literal }.try_build().unwrap();
            let bits = params.literal().bits;
            let transforms = params.transforms(&Encoder::new(params.capacity()).unwrap()).unwrap();
            let request = params.request(&transforms);
            let table = |i: u64| Lut::modular((0..1 << bits).map(|x| (x * x + i) % (1 << bits)).collect(), 1 << bits);
            let luts = (0..tables).map(|i| table(i).unwrap()).collect::<Vec<_>>();
            let prepared = PreparedTables::new(&params, &luts).unwrap();
            let randomness = seed_bytes(name, 0);
            let seed = || SecretSeed::from_bytes(&randomness);
            let (secret, made) = on_one_thread(|| {
                done();
                let secret = CkksSecretKey::derive(params.ckks(), &seed());
                let made = secret.evaluation_key(&request, MaskStorage::Seeded, |_, _| ()).unwrap();
                assert_eq!(done(), counts(key_generation(&params, &transforms)), "{name}: keys");
                (secret, made)
            });
            let encoding = RlweEncoding::new(1 << bits, params.literal().log2_modulus).unwrap();
            let (ring, key) = (params.ckks().ring(), secret.key());
            let (mask, noise) = (seed().fork_mask(9), seed().fork(9));
            let input = RlweCiphertext::encrypt(ring, encoding, &[1, 2, 3], key, NOISE_STD, mask, &noise).unwrap();
            let keys = on_one_thread(|| {
                done();
                let kept = made.with_masks(MaskStorage::Expanded);
                let predicted = key_preparation(&params, &transforms, MaskStorage::Expanded);
                assert_eq!(done(), counts(predicted), "{name}: masks");
                let made = secret.evaluation_key(&request, MaskStorage::Seeded, |_, _| ()).unwrap();
                [(kept, MaskStorage::Expanded), (made, MaskStorage::Seeded)]
            });
            for (keys, masks) in keys {
                let bootstrap = FunctionalBootstrap::new(&params, Evaluator::new(Arc::new(keys)).unwrap()).unwrap();
                let steps = Mutex::new(Vec::new());
                on_one_thread(|| {
                    done();
                    // What comes before the first step belongs to it.
                    let watch = |step| {
                        if step != BootstrapStep::ModRaise {
                            steps.lock().unwrap().push(done());
                        }
                    };
                    bootstrap.evaluate_rlwe(&prepared, &input, watch).unwrap();
                    steps.lock().unwrap().push(done());
                });
                let predicted = evaluation(&params, &transforms, &prepared, masks).unwrap();
                let steps = steps.into_inner().unwrap();
                assert_eq!(steps.len(), predicted.len());
                for ((step, found), predicted) in BootstrapStep::ALL.iter().zip(steps).zip(predicted) {
                    let predicted = counts(predicted);
                    assert_eq!(
                        found,
                        predicted,
                        "{name}, {tables} tables, {masks:?}: {} of {:?}",
                        step.name(),
                        Residues::NAMES
                    );
                }
            }
        }
    }
}
