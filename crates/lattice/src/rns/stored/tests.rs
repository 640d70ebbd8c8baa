//! Round trips, truncation at every section, flipped bits, fields that do not fit.
use bootes_ring::primes;
use bootes_ring::sample::{KeyDistribution, SecretSeed};
use bootes_testkit::{TestRng, seed_bytes};

use super::*;
use crate::rns::RnsSecretKey;
use crate::wire::{HEADER_BYTES, Header, OVERHEAD_BYTES, ObjectKind};

const KIND: ObjectKind = ObjectKind::CkksServerKey;

fn setting(degree: usize, chain: usize, alpha: usize) -> (RnsRing, HybridGadget) {
    let q: Vec<_> = primes::around(1 << 45, degree).take(chain).collect();
    let p: Vec<_> = primes::below(1 << 50, degree).take(alpha).collect();
    let ring = RnsRing::new(degree, &q, &p).unwrap();
    let gadget = HybridGadget::new(&ring, chain, alpha, alpha).unwrap();
    (ring, gadget)
}

/// Keys for X → X^g of several levels.
fn keys(ring: &RnsRing, gadget: &HybridGadget, exponents: &[(usize, usize)]) -> GaloisKeys {
    let secret = |index| SecretSeed::from_bytes(&seed_bytes("stored keys", index));
    let key = RnsSecretKey::generate(ring, ring.limbs(), &secret(0), KeyDistribution::Ternary);
    let mut keys = GaloisKeys::default();
    for &(exponent, chain) in exponents {
        let seed = secret(exponent as u64);
        keys.insert(GaloisKey::generate(
            ring,
            gadget,
            chain,
            exponent,
            &key,
            3.19.into(),
            seed.fork_mask(1),
            &seed.fork(2),
        ));
    }
    keys
}

fn written(ring: &RnsRing, keys: &GaloisKeys) -> Vec<u8> {
    let header = Header { kind: KIND, version: 3, fingerprint: [1; 16], key_id: [2; 16] };
    let mut out = StreamWriter::new(Vec::new(), header, keys.stored_bytes(ring)).unwrap();
    keys.write(ring, &mut out).unwrap();
    out.finish().unwrap()
}

fn read(ring: &RnsRing, gadget: &HybridGadget, bytes: &[u8]) -> Result<GaloisKeys, StreamError> {
    let mut input = StreamReader::new(bytes, KIND)?;
    let keys = GaloisKeys::read(ring, gadget, &mut input)?;
    input.finish()?;
    Ok(keys)
}

#[test]
fn keys_come_back_as_they_were() {
    let (ring, gadget) = setting(128, 5, 2);
    let keys = keys(&ring, &gadget, &[(5, 5), (255, 2), (25, 3)]);
    let bytes = written(&ring, &keys);
    assert_eq!(bytes.len() as u64, keys.stored_bytes(&ring) + OVERHEAD_BYTES as u64);
    let again = read(&ring, &gadget, &bytes).unwrap();
    assert_eq!(again.iter().map(GaloisKey::exponent).collect::<Vec<_>>(), [5, 25, 255]);
    for (a, b) in keys.iter().zip(again.iter()) {
        let (a, b) = (a.switch_key(), b.switch_key());
        assert_eq!((a.limbs(), a.parts().1), (b.limbs(), b.parts().1));
        let limbs = |key: &SwitchKey| {
            let mut limbs = vec![vec![0.0; ring.degree()]; key.parts().0.len() * key.limbs().count()];
            for (k, limb) in limbs.iter_mut().enumerate() {
                ring.unpack_limb(limb, &key.parts().0[k / key.limbs().count()], k % key.limbs().count());
            }
            limbs
        };
        assert_eq!(limbs(a), limbs(b));
    }
    assert_eq!(written(&ring, &again), bytes);
    assert!(read(&ring, &gadget, &written(&ring, &GaloisKeys::default())).unwrap().iter().next().is_none());
}

#[test]
fn every_truncation_is_named() {
    let (ring, gadget) = setting(128, 3, 1);
    let bytes = written(&ring, &keys(&ring, &gadget, &[(5, 1), (25, 2)]));
    for cut in 0..bytes.len() {
        match read(&ring, &gadget, &bytes[..cut]) {
            Err(StreamError::Wire(WireError::Empty)) => assert_eq!(cut, 0),
            Err(StreamError::Wire(WireError::Truncated { found, expected })) => {
                let whole = if cut < HEADER_BYTES { OVERHEAD_BYTES } else { bytes.len() };
                assert_eq!((found, expected), (cut as u64, whole as u64));
            }
            other => panic!("cut to {cut}: {other:?}"),
        }
    }
}

#[test]
fn every_flipped_bit_is_found() {
    let (ring, gadget) = setting(128, 3, 1);
    let bytes = written(&ring, &keys(&ring, &gadget, &[(5, 1)]));
    let mut rng = TestRng::new("flipped bits", 0);
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 1 << rng.below(8);
        // Fingerprint and identity are the caller's to check, and the checksum's.
        let error = read(&ring, &gadget, &changed).unwrap_err();
        assert!(!error.to_string().contains('\n'), "byte {at}: {error}");
    }
}

#[test]
fn what_does_not_fit_is_named() {
    let (ring, gadget) = setting(128, 4, 2);
    let bytes = written(&ring, &keys(&ring, &gadget, &[(5, 4)]));
    let field = |gadget: &HybridGadget, ring: &RnsRing, change: &dyn Fn(&mut [u8])| {
        let mut bytes = bytes.clone();
        change(&mut bytes[HEADER_BYTES..]);
        read(ring, gadget, &bytes).unwrap_err()
    };
    let expect = |error: StreamError, expected: &str| assert!(error.to_string().contains(expected), "{error}");
    let same = |_: &mut [u8]| {};
    let (larger, gadget_larger) = setting(256, 4, 2);
    expect(field(&gadget_larger, &larger, &same), "log2 of the ring degree is 7 where 8 is expected");
    let (shorter, gadget_shorter) = setting(128, 3, 2);
    expect(field(&gadget_shorter, &shorter, &same), "number of primes of the chain is 4 where 1 to 3 are expected");
    let fewer = HybridGadget::new(&ring, 4, 2, 1).unwrap();
    expect(field(&fewer, &ring, &same), "number of special primes is 2 where 1 is expected");
    let finer = HybridGadget::new(&ring, 4, 1, 2).unwrap();
    expect(field(&finer, &ring, &same), "number of rows is 2 where 4 is expected");
    expect(field(&gadget, &ring, &|x| x[..4].fill(255)), "number of Galois keys is 4294967295");
    expect(field(&gadget, &ring, &|x| x[4] = 4), "even");
    expect(field(&gadget, &ring, &|x| x[5] = 1), "exponent of an automorphism is 261 where 1 to 255 are expected");
    expect(field(&gadget, &ring, &|x| x[8 + HEAD_BYTES as usize..][..8].fill(255)), "row 0, prime 0: packed word 0 is");
    expect(field(&gadget, &ring, &|x| x[0] = 2), "4 bytes wanted where 0 are left");
    let mut twice = GaloisKeys::default();
    twice.insert(keys(&ring, &gadget, &[(5, 4)]).0.remove(&5).unwrap());
    twice.0.insert(7, keys(&ring, &gadget, &[(5, 4)]).0.remove(&5).unwrap());
    expect(read(&ring, &gadget, &written(&ring, &twice)).unwrap_err(), "do not increase");
}
