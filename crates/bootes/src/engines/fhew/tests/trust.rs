//! Files are not believed: every number in them is checked, and they take no more memory than is allowed.
use crate::engines::watch::Watch;
use crate::engines::*;
use crate::fhew::{CiphertextReader, Ciphertexts, Client, KeySizes, Params, Server, ServerKey};
use crate::wire::{Header, ObjectKind, Writer, open, peek, seal_as};
use crate::{Cancel, Error, IntegerOp, Lut};
use bootes_lattice::LatticeError;

fn pair(name: &str, seed: u8) -> Result<(Client, Server), Error> {
    let client = Client::from_seed(&Params::by_name(name)?, &[seed; 32]);
    let server = Server::new(client.made_key()?)?;
    Ok((client, server))
}

/// The parts of a file of ciphertexts.
struct File {
    header: Header,
    head: Vec<u8>,
    samples: Vec<u8>,
}

/// Bytes of the head's end: the number of values, the form and what follows.
const SEEDED_TAIL: usize = 8 + 1 + 32;
const FULL_TAIL: usize = 8 + 1 + 8 + 1 + 8 + 8;

impl File {
    fn of(bytes: &[u8]) -> Result<Self, Error> {
        let (header, payload) = open(bytes, ObjectKind::Ciphertexts)?;
        let (length, rest) = payload.split_at(8);
        let length = u64::from_le_bytes(length.try_into().expect("eight bytes")) as usize;
        Ok(Self { header, head: rest[..length].to_vec(), samples: rest[length..].to_vec() })
    }

    /// Reads the file with other bytes in its head, `back` bytes before its end; its checksum is right.
    fn with(&self, back: usize, bytes: &[u8]) -> Result<Ciphertexts, Error> {
        let mut head = self.head.clone();
        let start = head.len() - back;
        head[start..start + bytes.len()].copy_from_slice(bytes);
        self.read(&head, &self.samples)
    }

    fn read(&self, head: &[u8], samples: &[u8]) -> Result<Ciphertexts, Error> {
        let mut w = Writer::new();
        w.bytes(head);
        w.raw(samples);
        let Header { version, kind, fingerprint, key_id } = self.header;
        Ciphertexts::from_bytes(&seal_as(version, kind, fingerprint, key_id, w.as_bytes()))
    }
}

#[test]
fn forged_noise_is_refused() -> Result<(), Error> {
    let (client, server) = pair("toy_4", 21)?;
    let fresh = client.encrypt(&[1, 2, 3])?;
    let results = server.evaluate(&Lut::modular((0..16).rev().collect(), 16)?, &fresh, 1)?;
    let constant = server.evaluate(&Lut::modular(vec![7; 16], 16)?, &fresh, 1)?;
    for (ciphertexts, origins) in [(fresh.add(&fresh)?, 1), (fresh.mul_small(0)?, 1), (results, 2), (constant, 2)] {
        let file = File::of(&ciphertexts.to_bytes())?;
        let right = Ciphertexts::from_bytes(&ciphertexts.to_bytes())?.noise_variance();
        let with = |variance: f64| file.with(FULL_TAIL - 9 + 8 * (origins - 1), &variance.to_le_bytes());
        assert_eq!(with(right)?.noise_variance(), right);
        let (window, least) = (1.0 / 32.0, 0.999 * fresh.noise_variance());
        for forged in
            [0.0, -0.0, -right, f64::MIN_POSITIVE, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, least, window * window]
        {
            let error = with(forged).unwrap_err();
            assert!(matches!(error, Error::NoiseBound { .. }), "{forged:e}: {error}");
            let is_size = forged > 0.0 && forged.is_finite();
            assert_eq!(error.to_string().contains("no number above 0"), !is_size, "{forged:e}: {error}");
        }
    }
    // The noise of fresh ciphertexts is known: their files have none to forge.
    let file = File::of(&fresh.to_bytes())?;
    assert_eq!(file.read(&file.head, &file.samples)?.noise_variance(), fresh.noise_variance());
    assert!(file.read(&[&file.head[..], &0f64.to_le_bytes()].concat(), &file.samples).is_err());
    Ok(())
}

#[test]
fn forged_origins_and_forms_are_refused() -> Result<(), Error> {
    let (client, _) = pair("toy_4", 13)?;
    let x = client.encrypt(&[1, 2])?;
    let sum = x.add(&client.encrypt(&[3, 4])?)?;
    let file = File::of(&sum.to_bytes())?;
    // Marks other than 0 and 1; origins out of order, twice the same, none at all.
    assert!(file.with(8 + 16 + 1, &[1]).is_ok());
    assert!(file.with(8 + 16 + 1, &[2]).is_err());
    assert!(file.with(16, &[0xff; 8]).is_err());
    assert!(file.with(16, &[0xff; 16]).is_err());
    let [tail, without] = [file.head.len() - 16, file.head.len() - 24];
    assert!(file.read(&[&file.head[..without], &0u64.to_le_bytes()].concat(), &file.samples).is_err());
    for count in [1u64, 3, 1 << 40, 1 << 61, u64::MAX] {
        assert!(file.with(24, &count.to_le_bytes()).is_err(), "{count} origins");
    }
    for form in [0, 2, 255] {
        assert!(file.with(FULL_TAIL + 8 - 8, &[form]).is_err(), "form {form}");
    }
    for end in [0, 7, 8, tail, file.head.len() - 1] {
        assert!(file.read(&file.head[..end], &file.samples).is_err(), "a head of {end} bytes");
    }
    assert!(file.read(&[&file.head[..], &[0]].concat(), &file.samples).is_err());
    // A slice that begins where a seed has no more ciphertexts.
    let slice = File::of(&x.slice(1..)?.to_bytes())?;
    assert!(slice.with(8, &u64::MAX.wrapping_sub(1).to_le_bytes()).is_ok());
    assert!(slice.with(8, &u64::MAX.to_le_bytes()).is_err());
    Ok(())
}

/// Bits that words have not, places that a packed ciphertext has not, and less noise than compression adds.
#[test]
fn forged_compressions_are_refused() -> Result<(), Error> {
    let client = Client::from_seed(&Params::by_name("toy_4")?, &[16; 32]);
    let server = Server::new(client.server_key_with(&client.params().compression_keys())?)?;
    let watch = Watch { progress: &|_| {}, cancel: &Cancel::new() };
    let x = client.encrypt(&[15, 14, 13, 12])?.mul_small(-1)?;
    let y = server.compress(&x, 1, &watch)?;
    let file = File::of(&y.to_bytes())?;
    assert_eq!(client.decrypt(&file.with(0, &[])?)?, [1, 2, 3, 4]);
    // Words of no bits, of more than there are, of no whole bytes, and of others than follow.
    for (back, values) in [(22, &[0, 1, 8, 63, 64, 65, 255][..]), (21, &[0, 7, 15, 24, 64, 72, 255])] {
        for &value in values.iter().filter(|&&value| value != file.head[file.head.len() - back]) {
            assert!(file.with(back, &[value]).is_err(), "{value}, {back} bytes before the end");
        }
    }
    for count in [0u64, 2, 1 << 40, u64::MAX] {
        assert!(file.with(20, &count.to_le_bytes()).is_err(), "{count} packed ciphertexts");
    }
    // Strides, first values and how many there are: of 256 coefficients.
    for (back, values) in
        [(12, &[0u32, 3, 65, 128, 512, u32::MAX][..]), (8, &[1, 253, 256, u32::MAX]), (4, &[0, 3, 5, 257, u32::MAX])]
    {
        for value in values {
            assert!(file.with(back, &value.to_le_bytes()).is_err(), "{value}, {back} bytes before the end");
        }
    }
    // Values from others of the coefficients: other values, but nothing else.
    assert_eq!(file.with(12, &32u32.to_le_bytes())?.len(), 4);
    let at = 22 + 8 + 8 + 1 + 8;
    let with = |variance: f64| file.with(at, &variance.to_le_bytes());
    assert_eq!(with(y.noise_variance())?.noise_variance(), y.noise_variance());
    let added = y.noise_variance() - x.noise_variance();
    for forged in [0.0, -1.0, f64::NAN, f64::INFINITY, x.noise_variance(), 0.999 * added, 2f64.powi(-10)] {
        let error = with(forged).unwrap_err();
        assert!(matches!(error, Error::NoiseBound { .. }), "{forged:e}: {error}");
    }
    for end in (0..file.head.len()).step_by(3) {
        assert!(file.read(&file.head[..end], &file.samples).is_err(), "a head of {end} bytes");
    }
    for end in [0, 1, file.samples.len() - 1] {
        assert!(file.read(&file.head, &file.samples[..end]).is_err(), "{end} bytes");
    }
    assert!(file.read(&file.head, &[&file.samples[..], &[0]].concat()).is_err());
    // An older version has none.
    let Header { kind, fingerprint, key_id, .. } = file.header;
    let (_, payload) = open(&y.to_bytes(), kind).map(|(header, payload)| (header, payload.to_vec()))?;
    assert!(Ciphertexts::from_bytes(&seal_as(8, kind, fingerprint, key_id, &payload)).is_err());
    Ok(())
}

/// Runs of seeds that are not those of the ciphertexts, go beyond what a seed has, or are too many.
#[test]
fn forged_seeds_are_refused() -> Result<(), Error> {
    let (client, _) = pair("toy_4", 15)?;
    let fresh = client.encrypt(&[1, 2, 3])?;
    let both = Ciphertexts::concat(&[&fresh.slice(1..)?, &client.encrypt(&[4])?])?;
    let file = File::of(&both.to_bytes())?;
    assert_eq!(client.decrypt(&file.with(8, &1u64.to_le_bytes())?)?, [2, 3, 4]);
    // The last count, the first number, and how many runs there are.
    for (back, values) in [
        (8, &[0, 2, 1 << 40, u64::MAX][..]),
        (16, &[u64::MAX]),
        (48 + 8, &[0, 1, 3, 1 << 63, u64::MAX - 1]),
        (48 + 16, &[u64::MAX, u64::MAX - 1]),
    ] {
        for value in values {
            assert!(file.with(back, &value.to_le_bytes()).is_err(), "{value} at {back}");
        }
    }
    for runs in [0u32, 1, 3, 4097, u32::MAX] {
        assert!(file.with(2 * 48 + 4, &runs.to_le_bytes()).is_err(), "{runs}");
    }
    let many = |count: u32| {
        let mut head = file.head[..file.head.len() - 2 * 48 - 4 - 1 - 8].to_vec();
        head.extend(u64::from(count).to_le_bytes());
        head.push(4);
        head.extend(count.to_le_bytes());
        for i in 0..count {
            head.extend([[i as u8; 8], [(i >> 8) as u8; 8], [7; 8], [0; 8]].concat());
            head.extend([[0; 8], 1u64.to_le_bytes()].concat());
        }
        file.read(&head, &vec![0; 8 * count as usize])
    };
    assert_eq!(many(4096)?.len(), 4096);
    assert!(many(4097).is_err());
    Ok(())
}

#[test]
fn forged_lengths_take_no_memory() -> Result<(), Error> {
    let (client, _) = pair("toy_4", 14)?;
    let fresh = client.encrypt(&[1, 2])?;
    for (ciphertexts, tail) in [(&fresh, SEEDED_TAIL), (&fresh.mul_small(3)?, FULL_TAIL)] {
        let file = File::of(&ciphertexts.to_bytes())?;
        assert_eq!(file.with(tail, &2u64.to_le_bytes())?.len(), 2);
        for count in [0u64, 1, 3, 1 << 32, 1 << 61, 1 << 63, u64::MAX] {
            assert!(file.with(tail, &count.to_le_bytes()).is_err(), "{count} values");
        }
        let samples = &file.samples;
        assert!(file.read(&file.head, &samples[..samples.len() - 1]).is_err());
        assert!(file.read(&file.head, &[&samples[..], &[0; 8]].concat()).is_err());
        // A head longer than there is, said where it may be a pipe: nothing is taken for what does not come.
        let mut bytes = ciphertexts.to_bytes();
        for length in [1u64 << 20, 1 << 40, u64::MAX] {
            bytes[51..59].copy_from_slice(&length.to_le_bytes());
            bytes[43..51].copy_from_slice(&(u64::MAX - 67).to_le_bytes());
            assert!(CiphertextReader::new(&bytes[..]).is_err(), "{length}");
        }
    }
    Ok(())
}

/// Keys and ciphertexts that say that they are of a set of other words.
#[test]
fn words_of_another_width_are_refused() -> Result<(), Error> {
    for (name, other) in [("toy_4", "toy_wide_4"), ("toy_wide_4", "toy_4")] {
        let (client, _) = pair(name, 15)?;
        let other = Params::by_name(other)?;
        let renamed = |head: &[u8]| {
            let rest = &head[8 + name.len()..];
            [&(other.name().len() as u64).to_le_bytes()[..], other.name().as_bytes(), rest].concat()
        };
        let mut file = File::of(&client.encrypt(&[1])?.to_bytes())?;
        file.header.fingerprint = other.fingerprint();
        assert!(file.read(&renamed(&file.head), &file.samples).is_err());
        let bytes = client.made_key()?.to_bytes();
        let (Header { kind, key_id, .. }, _) = peek(&bytes)?;
        let payload = renamed(open(&bytes, kind)?.1);
        let refused = ServerKey::from_bytes(&seal_as(1, kind, other.fingerprint(), key_id, &payload)).map(drop);
        assert!(matches!(refused, Err(Error::Lattice(LatticeError::Size { .. }))), "{refused:?}");
    }
    Ok(())
}

/// A file of results as written from memory, and from file to file.
fn streamed(
    server: &Server,
    plan: &fhew::Plan,
    operands: &[&Ciphertexts],
    threads: usize,
) -> Result<[Vec<u8>; 2], Error> {
    let whole = server.evaluate_integers_plan(plan, operands, threads)?.to_bytes();
    let files: Vec<Vec<u8>> = operands.iter().map(|operand| operand.to_bytes()).collect();
    let inputs = files.iter().map(|file| CiphertextReader::new(&file[..])).collect::<Result<Vec<_>, _>>()?;
    let mut outputs = server.evaluate_to(
        std::slice::from_ref(plan),
        inputs,
        vec![Vec::new()],
        threads,
        &Watch { progress: &|_| {}, cancel: &Cancel::new() },
    )?;
    Ok([whole, outputs.remove(0)])
}

#[test]
fn results_are_the_same_from_file_to_file() -> Result<(), Error> {
    let (client, server) = pair("toy_4", 16)?;
    let values: Vec<u64> = (0..70).map(|i| i * 5 % 16).collect();
    let lut = Lut::modular((0..16).map(|x| (x * x + 3) % 16).collect(), 16)?;
    let expected: Vec<u64> = values.iter().map(|&x| (x * x + 3) % 16).collect();
    let fresh = client.encrypt(&signed(&values))?;
    let again = Ciphertexts::from_bytes(&server.evaluate(&lut, &fresh, 2)?.to_bytes())?;
    for (input, threads) in [(&fresh, 1), (&fresh, 2), (&fresh, 7), (&again, 3), (&client.encrypt(&[])?, 2)] {
        let plan = server.plan_table(&lut, input, None)?;
        let [whole, file] = streamed(&server, &plan, &[input], threads)?;
        assert_eq!(input.stored_bytes(), input.to_bytes().len() as u64);
        assert!(whole == file, "{threads} threads");
        let reader = CiphertextReader::new(&file[..])?;
        assert_eq!(reader.len(), input.len());
        let found = client.decrypt_from(reader)?;
        let found = found.into_iter().map(|value| value as u64);
        match input.len() {
            70 if threads != 3 => assert_eq!(found.collect::<Vec<_>>(), expected),
            _ => assert_eq!(found.collect::<Vec<_>>(), client.decrypt(&Ciphertexts::from_bytes(&whole)?)?),
        }
    }
    // Two operands of two limbs each.
    let (client, server) = pair("toy_int16", 17)?;
    let left: Vec<i128> = (0..20).map(|i| (i - 10) * 90_000).collect();
    let right: Vec<i128> = (0..20).map(|i| (7 - i) * 123_456).collect();
    let operands = [client.encrypt_integers(&left, 32)?, client.encrypt_integers(&right, 32)?];
    let operands = [&operands[0], &operands[1]];
    let plan = server.plan_integers(IntegerOp::Max, &operands)?;
    let [whole, file] = streamed(&server, &plan, &operands, 2)?;
    assert!(whole == file);
    let max: Vec<i128> = left.iter().zip(&right).map(|(&x, &y)| x.max(y)).collect();
    assert_eq!(client.decrypt_from(CiphertextReader::new(&file[..])?)?, max);
    Ok(())
}

#[test]
fn damage_is_found_from_file_to_file() -> Result<(), Error> {
    let (client, server) = pair("toy_4", 18)?;
    let lut = Lut::modular((0..16).collect(), 16)?;
    let fresh = client.encrypt(&[1, 2, 3])?;
    let plan = server.plan_table(&lut, &fresh, None)?;
    let bytes = fresh.to_bytes();
    let evaluate = |bytes: &[u8]| {
        server.evaluate_to(
            std::slice::from_ref(&plan),
            vec![CiphertextReader::new(bytes)?],
            vec![Vec::new()],
            2,
            &Watch { progress: &|_| {}, cancel: &Cancel::new() },
        )
    };
    assert!(evaluate(&bytes).is_ok());
    let mut damaged = bytes.clone();
    let body = bytes.len() - 20;
    damaged[body] ^= 1;
    assert!(evaluate(&damaged).unwrap_err().to_string().contains("checksum"));
    assert!(evaluate(&bytes[..bytes.len() - 1]).is_err());
    assert!(evaluate(&[&bytes[..], &[0]].concat()).is_err());
    // A sink that takes no more is an error, not a wait.
    struct Full(usize);
    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let many = client.encrypt(&[3; 200])?.to_bytes();
    let full = server.evaluate_to(
        std::slice::from_ref(&plan),
        vec![CiphertextReader::new(&many[..])?],
        vec![Full(100_000)],
        3,
        &Watch { progress: &|_| {}, cancel: &Cancel::new() },
    );
    assert!(matches!(full, Err(Error::Stream(_))));
    let none = server.evaluate_to(
        std::slice::from_ref(&plan),
        vec![CiphertextReader::new(&many[..])?],
        Vec::<Vec<u8>>::new(),
        1,
        &Watch { progress: &|_| {}, cancel: &Cancel::new() },
    );
    assert!(matches!(none, Err(Error::ResultCount { .. })));
    Ok(())
}

#[test]
fn evaluations_keep_to_their_limit() -> Result<(), Error> {
    let client = Client::from_seed(&Params::by_name("toy_4")?, &[19; 32]);
    // One key: each that is published has randomness of its own, and so have the results.
    let made = client.made_key()?;
    let key = || Ok::<_, Error>(made.clone());
    let free = Server::new(key()?)?;
    let bytes = free.key_bytes() as u64;
    // Both forms of the key are there while it is expanded.
    let both = bytes + KeySizes::of(client.params(), &made.additional()).stored as u64;
    assert!(
        matches!(Server::within(key()?, None, Some(both - 1)), Err(Error::Memory { needed, .. }) if needed == both)
    );
    assert!(Server::within(key()?, None, Some(both)).is_ok());
    let within = |limit| {
        let mut server = Server::new(key()?)?;
        server.memory = Some(limit);
        Ok::<_, Error>(server)
    };
    let lut = Lut::modular((0..16).rev().collect(), 16)?;
    let fresh = client.encrypt(&[5; 100])?;
    let expected = free.evaluate(&lut, &fresh, 1)?.to_bytes();
    // Nothing fits beside the key; then a value at a time on one thread; then all that was asked for.
    let tight = within(bytes)?;
    assert!(matches!(tight.evaluate(&lut, &fresh, 8), Err(Error::CiphertextMemory { .. })));
    let plan = tight.plan_table(&lut, &fresh, None)?;
    let file = fresh.to_bytes();
    let to = |server: &Server| {
        server.evaluate_to(
            std::slice::from_ref(&plan),
            vec![CiphertextReader::new(&file[..])?],
            vec![Vec::new()],
            8,
            &Watch { progress: &|_| {}, cancel: &Cancel::new() },
        )
    };
    let Err(Error::Memory { needed, available }) = to(&tight) else { panic!("no room for a workspace") };
    assert_eq!(available, bytes);
    assert!(to(&within(needed - 1)?).is_err());
    for limit in [needed, needed + 100_000, 3 * needed] {
        assert!(to(&within(limit)?)?[0] == expected, "{limit}");
    }
    Ok(())
}

/// Nobody looks for the set that a name of megabytes resembles.
#[test]
fn names_of_sets_have_a_limit() {
    let name = "paper_".repeat(1 << 18);
    let payload = [&(name.len() as u64).to_le_bytes()[..], name.as_bytes(), &[0; 64]].concat();
    let sealed = |kind| crate::wire::seal(kind, [0; 16], [0; 16], &payload);
    let refusals = [
        Client::from_bytes(&sealed(ObjectKind::ClientKey)).unwrap_err(),
        ServerKey::from_bytes(&sealed(ObjectKind::ServerKey)).unwrap_err(),
        ckks::Client::from_bytes(&sealed(ObjectKind::CkksClientKey)).unwrap_err(),
        ckks::ServerKey::read(&sealed(ObjectKind::CkksServerKey)[..]).unwrap_err(),
    ];
    for refusal in refusals {
        assert!(refusal.to_string().contains("too long") && refusal.to_string().len() < 200, "{refusal}");
    }
}
