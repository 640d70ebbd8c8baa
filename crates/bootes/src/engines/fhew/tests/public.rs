//! Compact lists of a public key: what their files may say.
use crate::engines::*;
use crate::fhew::{Ciphertexts, Client, Params, Server};
use crate::wire::{ObjectKind, Writer, open, seal_as};
use crate::{Error, Lut, Space};
use bootes_schemes::fhew::FhewParams;
use bootes_testkit::stats::{Moments, variance_interval};

/// A list of several values takes few bytes each, and one alone those of the masks.
#[test]
fn lists_are_compact() -> Result<(), Error> {
    let client = Client::from_seed(&Params::by_name("fhew_8bit_2m128")?, &[4; 32]);
    let public = client.public_key()?;
    assert!(public.stored_bytes() < 17_000, "{}", public.stored_bytes());
    let values: Vec<i128> = (0..2048).map(|i| i % 256).collect();
    let all = public.encrypt(&values)?;
    let one = all.slice(7..8)?;
    let [all_bytes, one_bytes] = [&all, &one].map(Stored::stored_bytes);
    assert!(all_bytes < 2048 * 25 / 2 && one_bytes < 13_000, "{all_bytes} {one_bytes}");
    assert_eq!(client.decrypt_integers(&all)?, values);
    assert_eq!(client.decrypt_integers(&Ciphertexts::from_bytes(&one.to_bytes())?)?, [7]);
    assert_eq!(client.decrypt_integers(&public.encrypt(&[])?)?, [0; 0]);
    Ok(())
}

/// Words of 128 bits, which a key of 64 bits encrypts: values, tables of them, and the noise that is said.
#[test]
fn wide_words_take_what_anybody_encrypts() -> Result<(), Error> {
    for name in ["toy_wide_4", "toy_wide_4_rank2"] {
        let client = Client::from_seed(&Params::by_name(name)?, &[6; 32]);
        let values: Vec<i128> = (0..client.params().shape().degree as i128 + 9).map(|i| i % 16).collect();
        let list = Ciphertexts::from_bytes(&client.public_key()?.encrypt(&values)?.to_bytes())?;
        assert_eq!(client.decrypt_integers(&list)?, values, "{name}");
        let few = list.slice(3..7)?;
        let square = Lut::modular((0..16).map(|x| x * x % 16).collect(), 16)?;
        let results = Server::new(client.made_key()?)?.evaluate(&square, &few, 1)?;
        assert_eq!(client.decrypt(&results)?, [9, 0, 9, 4], "{name}");
        let mut noise = Vec::new();
        for _ in 0..300 {
            noise.extend(client.measure_noise(&client.public_key()?.encrypt(&[3])?, &[3])?);
        }
        let (found, predicted) = (Moments::of(&noise).variance, list.noise_variance());
        let (low, high) = variance_interval(found, noise.len(), 0.999_999);
        assert!((low..=high).contains(&predicted), "{name}: {found:e} of {predicted:e}");
    }
    Ok(())
}

/// Multiples of what a public key encrypted have coarse words, of which many are in the middle of two half words: files
/// have the noise that is said, and none on one side.
#[test]
fn multiples_in_files_are_rounded_to_either_side() -> Result<(), Error> {
    const COUNT: usize = 200;
    let client = Client::from_seed(&Params::by_name("toy_int16")?, &[7; 32]);
    for k in [11, 13, 14, 15, 16] {
        let (mut noise, mut bound) = (Vec::new(), 0.0);
        for i in 0..COUNT as i128 {
            let list = client.public_key()?.encrypt_in(&[i % 2], Space::Modular(1 << 17))?;
            let multiple = Ciphertexts::from_bytes(&list.mul_small(1 << k)?.to_bytes())?;
            bound = multiple.noise_variance();
            noise.extend(client.measure_noise(&multiple, &[(i % 2) << k])?);
        }
        let Moments { mean, variance, .. } = Moments::of(&noise);
        let deviation = bound.sqrt() / (COUNT as f64).sqrt();
        assert!(mean.abs() < 4.5 * deviation, "2^{k}: {mean:e} of {deviation:e}");
        assert!(variance < bound * (1.0 + 4.5 * (2.0 / COUNT as f64).sqrt()), "2^{k}: {variance:e} of {bound:e}");
    }
    Ok(())
}

/// Values of one ciphertext share noise, but no more than is counted: sums of neighbours.
#[test]
fn sums_within_a_list_have_the_noise_of_one() -> Result<(), Error> {
    const SUMS: usize = 12;
    let client = Client::from_seed(&Params::by_name("toy_4")?, &[5; 32]);
    let mut rows = vec![vec![0i64; 16 * SUMS]; SUMS];
    rows.iter_mut().enumerate().for_each(|(i, row)| row[16 * i..][..16].fill(1));
    let (mut squares, mut bound, mut one) = (0.0, 0.0, 0.0);
    for _ in 0..40 {
        let list = client.public_key()?.encrypt(&[0; 16 * SUMS])?;
        let sums = list.linear_map(&rows)?;
        (bound, one) = (sums.noise_variance(), list.noise_variance());
        squares += client.measure_noise(&sums, &[0; SUMS])?.iter().map(|e| e * e).sum::<f64>() / (40 * SUMS) as f64;
    }
    assert!((bound / one / 256.0 - 1.0).abs() < 1e-9);
    // As independent ones they would have 16 times that of one.
    assert!(squares < bound && squares > 32.0 * one, "{} times that of one value", squares / one);
    Ok(())
}

/// What encryptions add to results is next to nothing, with every set: a hundredth of what a key switch does.
#[test]
fn noise_is_little_beside_that_of_bootstrapping() {
    for params in FhewParams::all().iter().chain(FhewParams::wide()).filter(|set| set.is_default()) {
        let ratio = params.public_variance() / params.key_switch_variance();
        assert!(ratio < 1e-4, "{}: {ratio:e}", params.name());
    }
}

#[test]
fn malformed_lists_are_refused() -> Result<(), Error> {
    let client = Client::from_seed(&Params::by_name("toy_4")?, &[4; 32]);
    let list = client.public_key()?.encrypt_modulo(&[1, 2, 3, 4, 5], 10)?;
    let list = Ciphertexts::concat(&[&list.slice(1..3)?, &list.slice(4..)?])?;
    assert_eq!((client.decrypt(&list)?, list.space()), (vec![2, 3, 5], Space::Modular(10)));
    let file = list.to_bytes();
    let (header, payload) = open(&file, ObjectKind::Ciphertexts)?;
    assert_eq!(header.version, 10);
    let (length, rest) = payload.split_at(8);
    let (head, samples) = rest.split_at(u64::from_le_bytes(length.try_into().expect("eight bytes")) as usize);
    // The form, bits of masks and bodies, the number of runs, and both.
    let form = head.len() - 2 * 12 - 8 - 3;
    let read = |version, head: &[u8], samples: &[u8]| {
        let mut w = Writer::new();
        w.bytes(head);
        w.raw(samples);
        let sealed = seal_as(version, header.kind, header.fingerprint, header.key_id, w.as_bytes());
        Ciphertexts::from_bytes(&sealed).map(drop)
    };
    read(10, head, samples)?;
    let [masks, bodies] = client.params().public_bits().map(|bits| bits as u8);
    assert_eq!(head[form..form + 3], [6, masks, bodies]);
    for (what, at, bytes) in [
        ("another form", 0, &[7][..]),
        ("results, whose noise is missing", 0, &[5]),
        ("no masks", 1, &[0]),
        ("masks beyond words", 1, &[65]),
        ("other masks than there are", 1, &[masks - 1]),
        ("parts of bytes", 2, &[bodies - 4]),
        ("too few bits", 2, &[0]),
        ("one run", 3, &[1]),
        ("many runs", 3, &[255, 255, 255, 255, 255, 255, 255, 255]),
        ("no stride", 11, &[0]),
        ("a stride that is no power of two", 11, &[3]),
        ("values beyond the ring", 15, &[255, 1]),
        ("more values than are said", 19, &[3]),
        ("values without end", 19, &[255, 255, 255, 255]),
        ("another number of values", usize::MAX, &[4]),
    ] {
        let mut head = head.to_vec();
        let at = if at == usize::MAX { form - 8 } else { form + at };
        head[at..at + bytes.len()].copy_from_slice(bytes);
        let refused = read(10, &head, samples).expect_err(what).to_string();
        assert!(!refused.contains('\n') && refused.len() < 200, "{what}: {refused}");
    }
    // Masks of so few bits that values would be decrypted wrong: the noise is what they say.
    let mut coarse = head.to_vec();
    coarse[form + 1] = 6;
    let masks_bytes = |bits: usize| client.params().ciphertext_dimension() * bits / 8;
    let kept = [vec![0; 2 * masks_bytes(6)], samples[2 * masks_bytes(masks.into())..].to_vec()].concat();
    assert!(matches!(read(10, &coarse, &kept), Err(Error::NoiseBound { .. })));
    // In a version that has none; more and fewer bytes.
    read(9, head, samples).unwrap_err();
    read(10, head, &samples[1..]).unwrap_err();
    read(10, head, &[samples, &[0]].concat()).unwrap_err();
    read(10, &head[..head.len() - 1], samples).unwrap_err();
    Ok(())
}

/// Lists whose masks have been rounded to fewer bits, as a file may say, keep the noise of that beside others.
#[test]
fn coarse_lists_keep_their_noise_beside_others() -> Result<(), Error> {
    let params = Params::by_name("fhew_4bit_2m128")?;
    let client = Client::from_seed(&params, &[4; 32]);
    let list = client.public_key()?.encrypt_modulo(&[1, 2, 3], 16)?;
    let file = list.to_bytes();
    let (header, payload) = open(&file, ObjectKind::Ciphertexts)?;
    let (length, rest) = payload.split_at(8);
    let (head, samples) = rest.split_at(u64::from_le_bytes(length.try_into().expect("eight bytes")) as usize);
    let form = head.len() - 12 - 8 - 3;
    // Masks of 0, of as few bits as are read.
    let masks = usize::from(head[form + 1]);
    let coarse = (8..masks).find_map(|bits| {
        let mut head = head.to_vec();
        head[form + 1] = bits as u8;
        let bytes = |bits| params.ciphertext_dimension() * bits / 8;
        let mut w = Writer::new();
        w.bytes(&head);
        w.raw(&[vec![0; bytes(bits)], samples[bytes(masks)..].to_vec()].concat());
        let sealed = seal_as(header.version, header.kind, header.fingerprint, header.key_id, w.as_bytes());
        Ciphertexts::from_bytes(&sealed).ok()
    });
    let coarse = coarse.expect("a list of fewer bits");
    let all = Ciphertexts::concat(&[&coarse, &list])?;
    let read = Ciphertexts::from_bytes(&all.to_bytes())?;
    let budgets = [&coarse, &all, &read].map(EngineCiphertexts::noise_budget);
    assert!(budgets[0] + 1.0 < list.noise_budget(), "{budgets:?}");
    assert!(budgets.iter().all(|budget| (budget - budgets[0]).abs() < 1e-6), "{budgets:?}");
    Ok(())
}
