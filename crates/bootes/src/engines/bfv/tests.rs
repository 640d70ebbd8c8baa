//! Refusals of files.
mod corpus;

use bootes_schemes::cost::Calibration;
use bootes_schemes::rlwe::cost::RlweCost;
use bootes_testkit::stats::variance_interval;

use super::*;
use crate::engines::*;
use crate::memory::Room;
use crate::{Load, Lut, Program};

/// A file of ciphertexts or of keys with no more than a header, the name of a set and a number.
fn stub<T: Stored>(params: &Params) -> Vec<u8> {
    let mut out = begin::<T, _>(Vec::new(), VERSION, (params, [0; 16]), 8).unwrap();
    out.u64(1).unwrap();
    out.finish().unwrap()
}

/// Files that are refused leave no set behind.
#[test]
fn names_in_files_keep_no_sets() {
    for p in [5, 7, 11, 13, 19, 23, 29, 37] {
        let params = <Params as EngineParams>::named(&format!("toy_slots_{p}")).unwrap();
        Ciphertexts::read_within(None, &stub::<Ciphertexts>(&params)[..]).unwrap_err();
        ServerKey::read_within(None, &stub::<ServerKey>(&params)[..]).unwrap_err();
        assert!(!params::KEPT.names().iter().any(|name| name == params.name()), "{}", params.name());
    }
}

/// The size of what a public key encrypts is what a division leaves.
#[test]
fn noise_of_public_encryption_is_the_predicted() {
    for name in ["toy_slots_17", "toy_slots_257", "toy_slots_127_2"] {
        let params = <Params as EngineParams>::named(name).unwrap();
        let (mut ratio, mut count) = (0.0, 0);
        for seed in 0..12 {
            let client = Client::from_seed(&params, &[seed; 32]);
            let x = client.public_key().unwrap().encrypt(&vec![1; 4 * params.slots().count()]).unwrap();
            for part in x.parts() {
                let [std, largest] = client.keys.measure(part).unwrap();
                assert!(largest <= part.size.worst, "{name}: 2^{largest}");
                ratio += (2.0 * (std - part.size.average)).exp2() / 48.0;
                count += params.degree();
            }
        }
        let (low, high) = variance_interval(ratio, count, 0.999_999);
        assert!(low <= 1.0 && 1.0 <= high, "{name}: {ratio} of the predicted variance");
    }
}

/// Integers are composed of their residues one step after the other: with ten primes a decryption took six times as
/// long as an encryption, 32 and 5.2 ms.
#[test]
fn decryption_is_predicted_to_take_longer_than_encryption() {
    let params = <Params as EngineParams>::named("slots_257").unwrap();
    let (cost, calibration) = (RlweCost::new(&params, MaskStorage::Seeded), Calibration::current());
    let (level, slots) = (params.fresh_level(), params.slots().count());
    let [decryption, encryption] =
        [cost.decryption(level, slots), cost.encryption(level, slots)].map(|work| calibration.seconds(work));
    assert!((3.0..12.0).contains(&(decryption / encryption)), "{decryption} and {encryption} seconds");
}

/// A plan with more tables takes more of the memory that is allowed.
#[test]
fn plans_count_in_memory() {
    let params = <Params as EngineParams>::named("toy_slots_257").unwrap();
    // Of all degrees.
    let values = |c: u64| (0..257).map(|x| (7919 * x + c * x * x) % 251).collect();
    let luts: Vec<Lut> = (1..9).map(|c| Lut::modular(values(c), 257).unwrap()).collect();
    let tables = |count: usize| {
        let mut program = Program::new();
        let x = program.input("x");
        for lut in &luts[..count] {
            let image = program.table(x, lut);
            program.output(image);
        }
        server::predict(&params, &program, &Load::of(1), Room::default()).unwrap().memory.tables
    };
    let most = 7 * 257 * size_of::<u64>() as u64;
    assert!(tables(8) >= tables(1) + most / 2, "{} and {}", tables(8), tables(1));
}
