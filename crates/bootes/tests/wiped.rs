//! What secrets leave behind in the memory of the process: nothing that a search of it finds, in buffers that were
//! given back, on stacks, or in the pool of large buffers.
#![cfg(target_os = "linux")]

use bootes::{Client, KeyNeeds, MaskStorage, Params, SymmetricKey};
use bootes_lattice::glwe::MaskMultiplier;
use bootes_lut::bfv::ProgramParams;
use bootes_lut::ckks::TableParams;
use bootes_ring::fft::Fft;
use bootes_ring::mem::AlignedVec;
use bootes_ring::poly::{Eval, Poly};
use bootes_ring::sample::SecretSeed;
use bootes_ring::secret::Secret;
use bootes_schemes::ckks::{CkksSecretKey, KeyRequest};
use bootes_schemes::fhew::FhewParams;
use bootes_schemes::fhew::keys::SecretKeys;
use bootes_testkit::memory::{Pattern, search_memory};
use std::fs::File;
use std::io::Read;
use zeroize::{Zeroizing, zeroize_stack};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// All values of a polynomial.
fn values_of(name: &'static str, values: &Poly<Eval>) -> Pattern {
    let mut all = Secret::new(Vec::with_capacity(values.limbs().count() * values.degree()));
    values.iter().for_each(|limb| all.extend(limb));
    Pattern::any_four(name, &all)
}

/// Coefficients of a secret, where they are not all zeros.
fn coefficients_of(name: &'static str, values: &[i8]) -> Pattern {
    let window = values.windows(256.min(values.len())).find(|window| window.iter().filter(|&&x| x != 0).count() > 20);
    Pattern::new(name, window.expect("a secret is not zero").iter().map(|x| x.to_le_bytes()))
}

fn random_seed() -> Result<Box<[u8; 32]>, std::io::Error> {
    let mut seed = Box::new([0; 32]);
    File::open("/dev/urandom")?.read_exact(seed.as_mut_slice())?;
    Ok(seed)
}

/// None of them after `work`, and those of `names` while what `live` makes is alive.
fn check<T>(
    seed: &mut [u8; 32],
    patterns: impl Fn(&[u8; 32]) -> Vec<Pattern>,
    names: &[&str],
    live: impl Fn(&[u8; 32]) -> T,
    work: impl Fn(&[u8; 32]) -> Outcome,
) -> Outcome {
    let mut patterns = patterns(seed);
    patterns.push(Pattern::new("the seed", seed.iter().map(|x| [*x])));
    let alive = live(seed);
    for (name, count) in patterns.iter().map(Pattern::name).zip(search_memory(&patterns)?) {
        assert_eq!(count > 0, name == "the seed" || names.contains(&name), "{name} while it is in use: {count}");
    }
    drop(alive);
    work(seed)?;
    seed.fill(0);
    let found = patterns.iter().map(Pattern::name).zip(search_memory(&patterns)?);
    let left: Vec<_> = found.filter(|&(_, count)| count > 0).collect();
    assert!(left.is_empty(), "left in memory: {left:?}");
    Ok(())
}

/// Integers of seven bits that nobody else has.
fn messages(seed: &[u8; 32]) -> Zeroizing<Vec<u64>> {
    let mut messages = Zeroizing::new(Vec::with_capacity(32));
    messages.extend(seed.iter().map(|&byte| u64::from(byte >> 1)));
    messages
}

#[test]
fn clients_leave_no_secrets() -> Outcome {
    let (params, set) = (Params::named("toy_8")?, FhewParams::by_name("toy_8")?);
    let patterns = |seed: &[u8; 32]| {
        let bound = SecretSeed::from_bytes(seed).bind(&set.fingerprint());
        let keys = SecretKeys::derive(&set, SecretSeed::from_bytes(seed));
        let (short, long) =
            (keys.expose_lwe().expose_coefficients(), keys.expose_glwe().as_lwe().expose_coefficients());
        let fft = Fft::new(set.shape().degree).expect("a degree");
        let mut input = Secret::new(vec![0i64; fft.degree()]);
        input.iter_mut().zip(long).for_each(|(x, &s)| *x = s.into());
        let mut transform = Secret::new(AlignedVec::<f64>::new(fft.degree()));
        fft.forward_integer(&mut transform, &input);
        zeroize_stack::<{ 32 << 10 }>();
        vec![
            Pattern::new("the seed of the set", bound.expose_bytes().iter().map(|x| [*x])),
            Pattern::new("its first child", bound.fork(1).expose_bytes().iter().map(|x| [*x])),
            Pattern::new("the short key", short[..48].iter().map(|x| x.to_le_bytes())),
            Pattern::new("the long key", long[..128].iter().map(|x| x.to_le_bytes())),
            Pattern::new("the long key in words", long[..64].iter().map(|&x| i64::from(x).to_le_bytes())),
            Pattern::new("the long key as numbers", long[..64].iter().map(|&x| f64::from(x).to_le_bytes())),
            Pattern::any_four("its transform", &transform),
            Pattern::new("messages", messages(seed).iter().map(|x| x.to_le_bytes())),
            Pattern::new("messages on the torus", messages(seed).iter().map(|x| (x << 56).to_le_bytes())),
        ]
    };
    let work = |seed: &[u8; 32]| {
        let client = Client::from_seed(&params, seed);
        // They grow in several pieces.
        client.encrypt_unsigned(messages(seed).iter().filter(|_| true), 7)?;
        let client = Client::from_bytes(&client.export_secret_bytes())?;
        let needs = KeyNeeds { rings: vec![1024], packing: vec![1], relinearisation: true, scheme_switch: true };
        drop(client.server_key_builder().additional(needs).build()?);
        client.public_key()?.encrypt_unsigned(messages(seed).iter().filter(|_| true), 7)?;
        let encrypted = client.encrypt([1, 2, 3])?;
        assert_eq!(client.decrypt(&encrypted)?, [1, 2, 3]);
        let batch = Client::generate(&Params::named("toy_batch_4bit")?)?;
        drop((client.conversion_key(&batch)?, batch.conversion_key(&client)?));
        Ok(())
    };
    let live = |seed: &[u8; 32]| Client::from_seed(&params, seed);
    check(&mut *random_seed()?, patterns, &["the seed of the set", "the short key", "the long key"], live, work)
}

#[test]
fn batch_clients_leave_no_secrets() -> Outcome {
    let (params, set) = (Params::named("toy_batch_4bit")?, TableParams::named("toy_batch_4bit")?);
    let ring = set.ckks().ring();
    let patterns = |seed: &[u8; 32]| {
        let bound = SecretSeed::from_bytes(seed).bind(&set.fingerprint());
        let inner = bound.bind(&set.ckks().fingerprint());
        let keys = CkksSecretKey::derive(set.ckks(), &bound);
        let s = keys.key().expose_values();
        let mut square = Secret::new(s.clone());
        ring.mul_assign(&mut square, s);
        vec![
            Pattern::new("the seed of the set", inner.expose_bytes().iter().map(|x| [*x])),
            coefficients_of("the key", keys.key().expose_coefficients()),
            Pattern::new(
                "the key as numbers",
                keys.key().expose_coefficients()[..128].iter().map(|&x| f64::from(x).to_le_bytes()),
            ),
            // Of every fourth coefficient, as rings of degree 256 have them.
            Pattern::new(
                "parts of the key",
                keys.key().expose_coefficients()[..512].iter().step_by(4).map(|&x| i64::from(x).to_le_bytes()),
            ),
            values_of("its values", s),
            values_of("its square", &square),
        ]
    };
    let single = Client::generate(&Params::named("toy_4")?)?;
    let work = |seed: &[u8; 32]| {
        let client = Client::from_seed(&params, seed);
        let client = Client::from_bytes(&client.export_secret_bytes())?;
        drop((client.conversion_key(&single)?, single.conversion_key(&client)?));
        drop(client.server_key_builder().threads(2).build()?);
        client.public_key()?.encrypt([1, 2, 3])?;
        let encrypted = client.encrypt([1, 2, 3])?;
        assert_eq!(client.decrypt(&encrypted)?, [1, 2, 3]);
        Ok(())
    };
    let live = |seed: &[u8; 32]| Client::from_seed(&params, seed);
    check(&mut *random_seed()?, patterns, &["the seed of the set", "the key", "its values"], live, work)
}

/// What vectors modulo a prime are made of on the way to plaintexts, which no key hides.
#[test]
fn plaintexts_leave_no_messages() -> Outcome {
    let set = ProgramParams::toy(257, 1)?;
    let slots = set.slots();
    // Least in absolute value, as the numbers of a plaintext are.
    let residues = |seed: &[u8; 32]| {
        let mut residues = Zeroizing::new(Vec::with_capacity(slots.count()));
        residues.extend((0..slots.count()).map(|i| i64::from(seed[i % 32] ^ (i as u8).wrapping_mul(37)) - 128));
        residues
    };
    let patterns = |seed: &[u8; 32]| {
        let (values, message) = (residues(seed), Zeroizing::new(slots.encode(&residues(seed)).expect("a vector")));
        let gaussian = |&x: &i64| u128::from(x as u64).to_le_bytes();
        // Not the first ones: where memory was given back the allocator writes.
        let coefficients = message[message.len() / 4..].iter().step_by(message.len() / slots.count()).take(12);
        vec![
            Pattern::new("Gaussian integers", values[32..][..12].iter().map(gaussian)),
            Pattern::new("coefficients", coefficients.map(|x| x.to_le_bytes())),
        ]
    };
    let work = |seed: &[u8; 32]| {
        let encode = || slots.encode(&residues(seed)).map(Zeroizing::new).is_ok();
        // On a thread of its own, whose memory the search does not use again.
        assert!(std::thread::scope(|scope| scope.spawn(encode).join()).is_ok_and(|encoded| encoded));
        Ok(())
    };
    check(&mut *random_seed()?, patterns, &[], |_| (), work)
}

/// Noise, products of masks with the secret, and messages of a switching key, a public key and ciphertexts.
#[test]
fn key_generation_and_encryption_leave_no_products() -> Outcome {
    let params = TableParams::named("toy_batch_4bit")?;
    let (params, ring) = (params.ckks(), params.ckks().ring());
    let mut request = KeyRequest::default();
    request.rotation(3, params.max_level());
    let (seed, randomness) = (&mut *random_seed()?, [7; 32]);
    let make = |seed: &[u8; 32]| CkksSecretKey::derive(params, &SecretSeed::from_bytes(seed));
    let public = |keys: &CkksSecretKey| keys.public_key_with_randomness_for_tests(&randomness);
    let encoder = bootes_schemes::ckks::Encoder::new(params.degree())?;
    let values: Vec<_> = (0..4).map(|i| num_complex::Complex64::new(f64::from(i), 0.0)).collect();
    let patterns = |seed: &[u8; 32]| {
        let keys = make(seed);
        let zero = public(&keys);
        let zero = zero.ciphertext();
        let mut product = Secret::new(zero.a.clone());
        ring.mul_assign(&mut product, keys.key().expose_values());
        let noise = keys.key().phase(ring, zero);
        vec![values_of("a mask times the secret", &product), Pattern::floats("noise", &noise.limb(0)[..32])]
    };
    let work = |seed: &[u8; 32]| {
        let keys = make(seed);
        drop(keys.evaluation_key(&request, MaskStorage::Seeded, |_, _| ())?);
        let encrypted = public(&keys).encrypt(&encoder, &values, 1)?;
        let found = keys.decrypt(&encoder, &encrypted, 4)?;
        assert!(found.iter().zip(&values).all(|(x, y)| (x - y).norm() < 0.1));
        Ok(())
    };
    let live = |seed: &[u8; 32]| {
        let keys = make(seed);
        let zero = public(&keys);
        let mut product = Secret::new(zero.ciphertext().a.clone());
        ring.mul_assign(&mut product, keys.key().expose_values());
        (keys.key().phase(ring, zero.ciphertext()), product)
    };
    check(seed, patterns, &["a mask times the secret", "noise"], live, work)
}

/// What a transform had no registers for.
#[test]
fn products_with_masks_leave_no_transform() -> Outcome {
    let set = FhewParams::by_name("toy_8")?;
    let fft = Fft::new(set.shape().degree)?;
    let keys = |seed: &[u8; 32]| SecretKeys::derive(&set, SecretSeed::from_bytes(seed));
    let patterns = |seed: &[u8; 32]| {
        let mut transform = Secret::new(AlignedVec::<f64>::new(fft.degree()));
        let mut input = Secret::new(vec![0i64; fft.degree()]);
        let keys = keys(seed);
        input.iter_mut().zip(keys.expose_glwe().expose_polynomial(0)).for_each(|(x, &s)| *x = s.into());
        fft.forward_integer(&mut transform, &input);
        zeroize_stack::<{ 32 << 10 }>();
        vec![Pattern::any_four("the transform of the key", &transform)]
    };
    let work = |seed: &[u8; 32]| {
        let keys = keys(seed);
        let mut multiplier = MaskMultiplier::new(&fft, keys.expose_glwe());
        multiplier.add_product(&mut vec![0u64; fft.degree()], &vec![3u64; fft.degree()], 1);
        Ok(())
    };
    let live = |seed: &[u8; 32]| MaskMultiplier::new(&fft, keys(seed).expose_glwe());
    check(&mut *random_seed()?, patterns, &["the transform of the key"], live, work)
}

/// The key of AES, and values side by side in bytes.
#[test]
fn symmetric_keys_leave_nothing() -> Outcome {
    let params = Params::named("toy_bits")?;
    let packed = |seed: &[u8; 32]| {
        let mut bytes = Zeroizing::new(vec![0; 32]);
        bytes.iter_mut().zip(seed).for_each(|(byte, x)| *byte = x.wrapping_mul(29) ^ 0x35);
        bytes
    };
    let given = |seed: &[u8; 32]| {
        let mut bytes = Zeroizing::new(vec![0; 16]);
        bytes.iter_mut().zip(seed).for_each(|(byte, x)| *byte = x.wrapping_mul(77) ^ 0xc3);
        bytes
    };
    let patterns = |seed: &[u8; 32]| {
        let bound = SecretSeed::from_bytes(seed).bind(b"transcipher: AES");
        vec![
            Pattern::new("the key", bound.expose_bytes()[..16].iter().map(|x| [*x])),
            Pattern::new("the values", packed(seed).iter().map(|x| [*x])),
            Pattern::new("a key of a device", given(seed).iter().map(|x| [*x])),
        ]
    };
    let work = |seed: &[u8; 32]| {
        let client = Client::from_seed(&params, seed);
        let (key, bytes) = (client.symmetric_key(), packed(seed));
        drop(client.encrypt_symmetric_key(&key)?);
        let sent = client.encrypt_symmetric(&key, bytes.iter().flat_map(|byte| [byte & 15, byte >> 4]))?;
        assert!(sent.aes() != &**bytes);
        // As nothing else on the stack does it, that which makes it wipes what it leaves there.
        let given = given(seed);
        let own = SymmetricKey::from_bytes((&**given).try_into()?);
        drop(own);
        Ok(())
    };
    let live = |seed: &[u8; 32]| (Client::from_seed(&params, seed).symmetric_key(), packed(seed));
    check(&mut *random_seed()?, patterns, &["the key", "the values"], live, work)
}
