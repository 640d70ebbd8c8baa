//! What is sent by AES, and made ciphertexts: known answers, noise, what has its noise in common, and refusals.
use bootes::{
    Cancel, CiphertextReader, Ciphertexts, Client, EncryptedSymmetricKey, Error, ErrorKind, Lut, Params, PlanError,
    Server, Space, SymmetricCiphertexts, SymmetricKey,
};
use bootes_testkit::{in_full, portion};
use std::sync::{Arc, Mutex};

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn pair(set: &str) -> Result<(Client, Server), Error> {
    let client = Client::generate(&Params::named(set)?)?;
    let server = Server::new(client.server_key()?)?;
    Ok((client, server))
}

/// SP 800-38A, F.5.1.
const KEY: u128 = 0x2b7e151628aed2a6abf7158809cf4f3c;
const COUNTER: u128 = 0xf0f1f2f3f4f5f6f7f8f9fafbfcfdfeff;
const DATA: [u128; 4] = [
    0x6bc1bee22e409f96e93d7e117393172a,
    0xae2d8a571e03ac9c9eb76fac45af8e51,
    0x30c81c46a35ce411e5fbc1191a0a52ef,
    0xf69f2445df4f9b17ad2b417be66c3710,
];
const SENT: [u128; 4] = [
    0x874d6191b620e3261bef6864990db6ce,
    0x9806f66b7970fdff8617187bb9fffdff,
    0x5ae4df3edbd5d35e5b4f09020db03eab,
    0x1e031dda2fbe03d1792170a0f3009cee,
];

fn bytes(blocks: &[u128]) -> Vec<u8> {
    blocks.iter().flat_map(|block| block.to_be_bytes()).collect()
}

/// Values of so many bits, the lowest of each byte first.
fn cut(bytes: &[u8], bits: u32) -> Vec<u64> {
    let values = |&byte: &u8| (0..8 / bits).map(move |i| u64::from(byte) >> (i * bits) & ((1 << bits) - 1));
    bytes.iter().flat_map(values).collect()
}

/// What the standard's key sent, a counter after it, whose last byte wraps.
#[test]
fn known_answers_come_out() -> Outcome {
    let (client, server) = pair("toy_bits")?;
    let key = client.encrypt_symmetric_key(&SymmetricKey::from_bytes(&KEY.to_be_bytes()))?;
    for bits in [4, 1] {
        let sent = SymmetricCiphertexts::of_aes(&key, COUNTER.to_be_bytes(), bytes(&SENT), bits)?;
        let found = server.transcipher(&sent, &key)?;
        assert_eq!(found.space(), Space::of_bits(bits));
        assert_eq!(client.decrypt_residues(&found)?, cut(&bytes(&DATA), bits));
    }
    Ok(())
}

/// Values of every length, in memory and as a file, are inputs of tables, with as much noise as is said.
#[test]
fn there_and_back() -> Outcome {
    let (client, server) = pair("toy_bits")?;
    let symmetric = client.symmetric_key();
    let key = EncryptedSymmetricKey::from_bytes(&client.encrypt_symmetric_key(&symmetric)?.to_bytes()?)?;
    let square = Lut::modular((0..16).map(|x| x * x % 16).collect(), 16)?;
    let (mut noise, mut bound) = (Vec::new(), 0.0f64);
    for count in [1, 33, portion(300, 8)] {
        let values: Vec<u64> = (0..count).map(|i| (i * i + 3 * i + count) % 16).collect();
        let sent = client.encrypt_symmetric(&symmetric, &values)?;
        let sent = SymmetricCiphertexts::from_bytes(&sent.to_bytes()?)?;
        let plan = server.plan_transciphering(&sent, &key)?;
        let file = server.transcipher_to(&plan, &sent, &key, Vec::new())?;
        let found = CiphertextReader::new(&file[..])?.read()?;
        assert_eq!(client.decrypt_residues(&found)?, values);
        let squares: Vec<u64> = values.iter().map(|x| x * x % 16).collect();
        assert_eq!(client.decrypt_residues(&server.evaluate(&square, &found)?)?, squares);
        noise.extend(client.measure_noise(&found, &values)?);
        bound = bound.max(found.noise_variance());
        let blocks = count.div_ceil(32) as usize;
        assert!(plan.rotations(values.len()) <= 320 + 1280 * blocks + 4 * values.len(), "{plan}");
        println!("{plan}: {} rotations, {:.3} s", plan.rotations(values.len()), plan.seconds(values.len()));
    }
    let measured = noise.iter().map(|e| e * e).sum::<f64>() / noise.len() as f64;
    println!("noise: {:.2} of the predicted", (measured / bound).sqrt());
    assert!((0.2..1.2).contains(&(measured / bound).sqrt()), "{measured:e} of {bound:e}");
    Ok(())
}

/// One stream twice is one noise; two are two; and bits have the keys of rounds in common.
#[test]
fn one_stream_is_one_origin() -> Outcome {
    let (client, server) = pair("toy_bits")?;
    let symmetric = client.symmetric_key();
    let key = client.encrypt_symmetric_key(&symmetric)?;
    let of = |sent: &SymmetricCiphertexts| server.transcipher(sent, &key);
    let growth = |x: &Ciphertexts, y: &Ciphertexts| Ok::<_, Error>(x.add(y)?.noise_variance() / x.noise_variance());
    let sent = [client.encrypt_symmetric(&symmetric, [3, 5])?, client.encrypt_symmetric(&symmetric, [3, 5])?];
    assert!(sent[0].counter() != sent[1].counter() && sent[0].aes() != sent[1].aes());
    // The same counter, and other data; and the counter behind it.
    let other = SymmetricCiphertexts::of_aes(&key, sent[0].counter(), vec![7], 4)?;
    let mut next = sent[0].counter();
    next[15] += 1;
    let next = SymmetricCiphertexts::of_aes(&key, next, vec![7], 4)?;
    let [x, y, other, next] = [&sent[0], &sent[1], &other, &next].map(of);
    let x = x?;
    for (with, expected) in [(&x, 4.0), (&other?, 4.0), (&next?, 4.0), (&y?, 2.0)] {
        let found = growth(&x, with)?;
        assert!((found - expected).abs() < 1e-6, "{found} {expected}");
    }
    if in_full() {
        let bits = |values: [u64; 2]| of(&client.encrypt_symmetric_bits(&symmetric, values, 1)?);
        assert!((growth(&bits([1, 0])?, &bits([0, 0])?)? - 4.0).abs() < 1e-6);
    }
    // The same of what is read again, but for its rounding.
    let again = Ciphertexts::from_bytes(&x.to_bytes()?)?;
    assert!((growth(&x, &again)? - 4.0).abs() < 1e-5);
    Ok(())
}

#[test]
fn what_does_not_belong_together_is_refused() -> Outcome {
    let (client, server) = pair("toy_bits")?;
    let (symmetric, other) = (client.symmetric_key(), SymmetricKey::generate()?);
    let (key, sent) = (client.encrypt_symmetric_key(&symmetric)?, client.encrypt_symmetric(&symmetric, [1, 2, 3])?);
    let kind = |sent: &SymmetricCiphertexts, key: &EncryptedSymmetricKey| server.transcipher(sent, key).unwrap_err();
    let error = kind(&sent, &client.encrypt_symmetric_key(&other)?);
    assert!(error.kind() == ErrorKind::Mismatch && error.to_string().contains("another symmetric key"), "{error}");
    let stranger = Client::generate(&client.params())?;
    let theirs = stranger.encrypt_symmetric_key(&symmetric)?;
    assert!(matches!(kind(&sent, &theirs), Error::OtherKey { .. }));
    assert!(matches!(kind(&stranger.encrypt_symmetric(&symmetric, [1])?, &theirs), Error::OtherKey { .. }));
    // A plan for values of other bits.
    let plan = server.plan_transciphering(&sent, &key)?;
    let bits = client.encrypt_symmetric_bits(&symmetric, [1], 1)?;
    let error = server.transcipher_to(&plan, &bits, &key, Vec::new()).unwrap_err();
    assert!(matches!(error, Error::Plan(PlanError::Space { .. })), "{error}");
    // Values and widths.
    assert!(matches!(client.encrypt_symmetric(&symmetric, [16]), Err(Error::Residue { .. })));
    assert!(matches!(client.encrypt_symmetric(&symmetric, [0u8; 0]), Err(Error::NoValues)));
    assert!(matches!(SymmetricCiphertexts::of_aes(&key, [0; 16], vec![], 4), Err(Error::NoValues)));
    let error = client.encrypt_symmetric_bits(&symmetric, [1], 3).unwrap_err();
    assert!(error.to_string().contains("takes 1, 2, 4:"), "{error}");
    let error = client.encrypt_symmetric_bits(&symmetric, [1], 8).unwrap_err();
    assert!(error.to_string().contains("Params::named(\"fhew_bits_2m128\")"), "{error}");
    // Sets that have none, of every engine.
    for set in ["toy_4", "toy_batch_4bit", "toy_slots_257"] {
        let client = Client::generate(&Params::named(set)?)?;
        for error in [
            client.encrypt_symmetric(&symmetric, [1]).unwrap_err(),
            client.encrypt_symmetric_key(&symmetric).unwrap_err(),
        ] {
            assert!(error.kind() == ErrorKind::Unsupported && error.to_string().contains("fhew_bits_2m128"), "{error}");
        }
    }
    let (_, others) = pair("toy_4")?;
    assert!(matches!(others.transcipher(&sent, &key), Err(Error::OtherParams { .. } | Error::Transcipher(_))));
    assert!(Client::generate(&Params::named("fhew_bits_2m128")?)?.encrypt_symmetric(&other, [255]).is_ok());
    Ok(())
}

/// Every byte of a file is under its checksum, and its fields are checked behind that.
#[test]
fn files_are_checked() -> Outcome {
    let (client, _) = pair("toy_bits")?;
    let symmetric = client.symmetric_key();
    let sent = client.encrypt_symmetric(&symmetric, [1, 2, 3])?.to_bytes()?;
    let key = client.encrypt_symmetric_key(&symmetric)?.to_bytes()?;
    for i in 0..sent.len() {
        let mut damaged = sent.clone();
        damaged[i] ^= 1;
        assert!(SymmetricCiphertexts::from_bytes(&damaged).is_err(), "{i}");
        assert!(SymmetricCiphertexts::from_bytes(&sent[..i]).is_err(), "{i}");
    }
    for i in (0..key.len()).step_by(7) {
        let mut damaged = key.clone();
        damaged[i] ^= 1;
        assert!(EncryptedSymmetricKey::from_bytes(&damaged).is_err(), "{i}");
        assert!(EncryptedSymmetricKey::from_bytes(&key[..i]).is_err(), "{i}");
    }
    assert!(SymmetricCiphertexts::from_bytes(&key).is_err() && Ciphertexts::from_bytes(&key).is_err());
    // What changes on the way with its checksum changes values: nothing authenticates them.
    let again = SymmetricCiphertexts::from_bytes(&sent)?;
    assert_eq!((again.len(), again.space(), again.aes().len()), (3, Space::of_bits(4), 2));
    Ok(())
}

#[test]
fn progress_is_told_and_cancellation_heard() -> Outcome {
    let (client, server) = pair("toy_bits")?;
    let symmetric = client.symmetric_key();
    let (key, sent) = (client.encrypt_symmetric_key(&symmetric)?, client.encrypt_symmetric(&symmetric, [1; 40])?);
    let told = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&told);
    server.watched(move |done| heard.lock().expect("a list").push(done)).transcipher(&sent, &key)?;
    let told = told.lock().expect("a list").clone();
    assert!(told.len() > 20 && told.windows(2).all(|pair| pair[0] <= pair[1]), "{told:?}");
    assert_eq!((told.first(), told.last()), (Some(&0.0), Some(&1.0)));
    let cancel = Cancel::new();
    let ended = cancel.clone();
    let watched = server.cancelled_by(&cancel).watched(move |done| {
        if done > 0.3 {
            ended.cancel();
        }
    });
    assert!(matches!(watched.transcipher(&sent, &key), Err(Error::Cancelled)));
    Ok(())
}

/// What does not fit is refused before anything is done.
#[test]
fn memory_is_limited() -> Outcome {
    let client = Client::generate(&Params::named("toy_bits")?)?;
    let symmetric = client.symmetric_key();
    let (key, sent) = (client.encrypt_symmetric_key(&symmetric)?, client.encrypt_symmetric(&symmetric, [1; 3200])?);
    let least = Server::new(client.server_key()?)?.key_bytes();
    let server = Server::builder(client.server_key()?).memory(2 * least).build()?;
    let error = server.transcipher(&sent, &key).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Memory, "{error}");
    Ok(())
}

/// Bytes with the shipped set, and its noise.
#[test]
#[ignore = "minutes"]
fn bytes_with_the_shipped_set() -> Outcome {
    let (client, server) = pair("fhew_bits_2m128")?;
    let key = client.encrypt_symmetric_key(&SymmetricKey::from_bytes(&KEY.to_be_bytes()))?;
    let sent = SymmetricCiphertexts::of_aes(&key, COUNTER.to_be_bytes(), bytes(&SENT), 8)?;
    let plan = server.plan_transciphering(&sent, &key)?;
    assert!(plan.log2_p_fail() <= -128.0, "{plan}");
    let start = std::time::Instant::now();
    let found = server.transcipher(&sent, &key)?;
    let (values, taken) = (cut(&bytes(&DATA), 8), start.elapsed().as_secs_f64());
    assert_eq!(client.decrypt_residues(&found)?, values);
    let noise = client.measure_noise(&found, &values)?;
    let measured = noise.iter().map(|e| e * e).sum::<f64>() / noise.len() as f64;
    let ratio = (measured / found.noise_variance()).sqrt();
    println!("{plan}: {} rotations, {:.1} s, {taken:.1} s taken", plan.rotations(64), plan.seconds(64));
    println!("noise: {ratio:.2} of the predicted");
    assert!((0.2..1.3).contains(&ratio));
    let square = Lut::modular((0..256).map(|x| x * x % 256).collect(), 256)?;
    let squares: Vec<u64> = values.iter().map(|x| x * x % 256).collect();
    assert_eq!(client.decrypt_residues(&server.evaluate(&square, &found)?)?, squares);
    Ok(())
}
