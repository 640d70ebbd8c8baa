use super::*;
use crate::fhew::extra_keys::{ExtraKeys, KeyNeeds};
use crate::fhew::params::GadgetLiteral;
use crate::fhew::params::{FhewParamsLiteral, PackingLiteral, PackingMethod};
use bootes_lattice::glwe::MaskMultiplier;
use bootes_ring::sample::MaskStream;
use bootes_testkit::seed_bytes;
use std::collections::HashSet;

fn set(name: &str, key_switch: GadgetLiteral) -> FhewParams {
    let mut literal = FhewParams::by_name("toy_4").unwrap().literal().clone();
    (literal.name, literal.key_switch) = (name.into(), key_switch);
    literal.try_build().unwrap()
}

/// Sets that differ in their key switch only have keys of their own of one seed: rows of their key-switching keys do
/// not tell the secret, even of randomness that repeats.
#[test]
fn two_sets_of_one_seed_do_not_tell_the_secret() {
    let gadgets = [4, 5].map(|log2_base| GadgetLiteral { log2_base, levels: 4 });
    let [first, second] = gadgets.map(|gadget| {
        let params = set(&format!("toy_{}", gadget.log2_base), gadget);
        SecretKeys::derive(&params, SecretSeed::from_bytes(&seed_bytes("one seed", 0)))
    });
    let keys =
        [&first, &second].map(|secret| secret.evaluation_key_with_randomness_for_tests::<u64>(&[7; 32]).unwrap());
    let rows = keys.each_ref().map(|key| key.key_switch.bodies.iter().step_by(4));
    let [a, b] = rows;
    let guess = |difference: u32| match difference {
        0 => Some(0),
        x if x == (1 << 28) - (1 << 27) => Some(1),
        _ => None,
    };
    let found = a.zip(b).map(|(a, b)| guess(a.wrapping_sub(*b)));
    let told = found.zip(first.glwe.as_lwe().expose_coefficients()).filter(|&(found, &t)| found == Some(t)).count();
    assert!(told < 3, "{told} of {} coefficients of the secret", first.glwe.as_lwe().dimension());
    assert_ne!(first.key_id(), second.key_id());
    let shared = keys[0].rotation.bodies.iter().zip(&keys[1].rotation.bodies).filter(|(x, y)| x == y).count();
    assert!(shared < 3, "{shared} words of the rotation key");
}

/// Masks and noises that were seen. Noise is what a phase is modulo the last digit of the gadget, of which messages are
/// multiples.
#[derive(Default)]
struct Seen {
    masks: HashSet<[u64; 4]>,
    noises: HashSet<Vec<u64>>,
}

impl Seen {
    fn mask(&mut self, seed: &MaskSeed, row: usize) {
        let mut words = [0; 4];
        MaskStream::new(seed, row as u64).fill_u64(&mut words);
        assert!(self.masks.insert(words), "the mask of row {row} repeats");
    }

    /// GLWE rows.
    fn rows(&mut self, key: &GlweSecretKey, seed: &MaskSeed, bodies: &[u64], gadget: bootes_lattice::Gadget) {
        let fft = Fft::new(key.degree()).unwrap();
        let mut multiplier = MaskMultiplier::new(&fft, key);
        let mut masks = vec![0; key.rank() * key.degree()];
        for (row, body) in bodies.chunks_exact(key.degree()).enumerate() {
            self.mask(seed, row);
            MaskStream::new(seed, row as u64).fill_u64(&mut masks);
            let mut phase = body.to_vec();
            multiplier.add_product(&mut phase, &masks, 1);
            phase.iter_mut().for_each(|x| *x <<= gadget.levels() * gadget.log2_base());
            assert!(self.noises.insert(phase), "the noise of row {row} repeats");
        }
    }

    /// LWE rows of 32 bits, sixteen of them together.
    fn samples(&mut self, key: &LweSecretKey, switch: &SeededLweKeySwitchKey) {
        let mut mask = vec![0u32; key.dimension()];
        let kept = switch.gadget.levels() * switch.gadget.log2_base();
        let noises: Vec<u64> = (0..switch.bodies.len())
            .map(|row| {
                self.mask(&switch.mask_seed, row);
                MaskStream::new(&switch.mask_seed, row as u64).fill_u32(&mut mask);
                let terms = mask.iter().zip(key.expose_coefficients());
                let phase = terms
                    .fold(switch.bodies[row], |sum, (&a, &s)| sum.wrapping_add(a.wrapping_mul(i32::from(s) as u32)));
                u64::from(phase << kept)
            })
            .collect();
        for noises in noises.chunks_exact(16) {
            assert!(self.noises.insert(noises.to_vec()), "noises of a key switch repeat");
        }
    }

    fn evaluation_key(&mut self, secret: &SecretKeys, key: &EvaluationKey) {
        self.rows(&secret.glwe, &key.rotation.mask_seed, &key.rotation.bodies, key.rotation.gadget);
        self.samples(&secret.lwe, &key.key_switch);
    }

    fn extra(&mut self, secret: &SecretKeys, keys: &ExtraKeys) {
        let (glwe, gadget) = (&secret.glwe, secret.params.packing_gadget());
        for ring in &keys.rings {
            let own = secret.ring_secret(ring.rotation.shape.degree);
            self.rows(&own, &ring.rotation.mask_seed, &ring.rotation.bodies, ring.rotation.gadget);
            self.samples(glwe.as_lwe(), &ring.key_switch);
        }
        let wrapped = keys.trace.iter().map(|key| &key.0).chain(keys.scheme_switch.iter().map(|key| &key.0));
        for key in wrapped.chain(&keys.relinearisation) {
            self.rows(glwe, &key.mask_seed, &key.bodies, gadget);
        }
        for key in &keys.packing {
            self.rows(glwe, &key.mask_seed, &key.bodies, gadget);
        }
    }
}

/// No two rows share a mask or a noise: of all keys of two generations, of one request and of others.
#[test]
fn published_keys_share_nothing() {
    for method in ["trace", "key-switch"] {
        let mut literal = FhewParams::by_name("toy_4").unwrap().literal().clone();
        (literal.glwe.degree, literal.lwe.dimension) = (64, 16);
        literal.packing = Some(PackingLiteral { method: method.into(), log2_base: 5, levels: 3 });
        let params = literal.try_build().unwrap();
        assert_eq!(params.packing_method() == PackingMethod::Trace, method == "trace");
        let secret = SecretKeys::derive(&params, SecretSeed::from_bytes(&seed_bytes("share", 0)));
        let needs = |rings: &[usize], packing: &[usize]| KeyNeeds {
            rings: rings.to_vec(),
            packing: packing.to_vec(),
            relinearisation: true,
            scheme_switch: true,
        };
        let requests = [needs(&[128], &[1]), needs(&[128], &[1]), needs(&[128, 256], &[1, 2]), needs(&[], &[1, 64])];
        let mut seen = Seen::default();
        for needs in &requests {
            seen.evaluation_key(&secret, &secret.evaluation_key().unwrap());
            seen.extra(&secret, &secret.extra_keys(needs).unwrap());
        }
        seen.evaluation_key(&secret, &secret.evaluation_key_with_randomness_for_tests(&[1; 32]).unwrap());
        seen.extra(&secret, &secret.extra_keys_with_randomness_for_tests(&requests[2], &[1; 32]).unwrap());
        assert!(seen.masks.len() > 1000 && seen.noises.len() > 500, "{} {}", seen.masks.len(), seen.noises.len());
    }
}

/// The randomness that was given makes the same keys again, and fresh ones make others.
#[test]
fn keys_are_fresh_unless_told_otherwise() {
    let secret = SecretKeys::derive(FhewParams::by_name("toy_4").as_ref().unwrap(), SecretSeed::from_bytes(&[1; 32]));
    let fixed = |byte| secret.evaluation_key_with_randomness_for_tests::<u64>(&[byte; 32]).unwrap().rotation;
    assert_eq!(fixed(1), fixed(1));
    assert_ne!(fixed(1).mask_seed, fixed(2).mask_seed);
    let fresh = || secret.evaluation_key().unwrap().rotation;
    assert_ne!(fresh().mask_seed, fresh().mask_seed);
    let encrypt = || secret.encrypt(&[0u64; 4]).unwrap();
    assert_ne!(encrypt().0, encrypt().0);
}

/// Other sets have other secrets and another identity of the same seed, whatever they differ in.
#[test]
fn every_field_of_a_set_makes_other_secrets() {
    let literal = FhewParams::by_name("toy_4").unwrap().literal().clone();
    let changed = |change: &dyn Fn(&mut FhewParamsLiteral)| {
        let mut literal = literal.clone();
        change(&mut literal);
        literal
    };
    let packing = |method: &str, log2_base| Some(PackingLiteral { method: method.into(), log2_base, levels: 4 });
    let mut sets: Vec<FhewParams> = [
        literal.clone(),
        changed(&|set| set.name += "_other"),
        changed(&|set| set.bits -= 1),
        changed(&|set| set.integer_bits = Some(4)),
        changed(&|set| set.log2_p_fail = -63.0),
        changed(&|set| set.log2_modulus = Some(64)),
        changed(&|set| (set.log2_modulus, set.limbs) = (Some(64), Some(2))),
        changed(&|set| set.lwe.dimension += 4),
        changed(&|set| set.lwe.distribution = "block-binary 2".into()),
        changed(&|set| set.lwe.log2_std -= 0.1),
        changed(&|set| set.glwe.rank += 1),
        changed(&|set| set.glwe.degree *= 2),
        changed(&|set| set.glwe.log2_std -= 0.1),
        changed(&|set| set.bootstrap.levels += 1),
        changed(&|set| set.bootstrap.log2_base += 1),
        changed(&|set| set.key_switch.levels += 1),
        changed(&|set| set.key_switch.log2_base += 1),
        changed(&|set| set.packing = packing("trace", 6)),
        changed(&|set| set.packing = packing("trace", 7)),
        changed(&|set| set.packing = packing("key-switch", 7)),
    ]
    .map(|set| set.try_build().unwrap())
    .into();
    sets.extend(FhewParams::all().iter().filter(|set| set.is_default()).cloned());
    let (mut ids, mut secrets) = (HashSet::new(), HashSet::new());
    for params in sets {
        let keys = SecretKeys::derive(&params, SecretSeed::from_bytes(&[5; 32]));
        assert!(ids.insert(keys.key_id()) && ids.insert(params.fingerprint()), "{}", params.name());
        for key in [&keys.lwe, keys.glwe.as_lwe(), keys.ring_secret(1 << 13).as_lwe()] {
            // The first coefficients: lengths may differ.
            assert!(secrets.insert(key.expose_coefficients()[..48].to_vec()), "{}", params.name());
        }
    }
    // The packing that is meant where the set does not say.
    let said = changed(&|set| set.packing = Some(PackingLiteral { method: "trace".into(), log2_base: 5, levels: 9 }));
    let meant = changed(&|set| set.packing = None);
    assert_eq!(said.try_build().unwrap().fingerprint(), meant.try_build().unwrap().fingerprint());
}
