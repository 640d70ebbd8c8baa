//! Values that move between vectors modulo p and single ciphertexts: there and back, chains, and refusals.
use bootes::{
    CiphertextReader, Ciphertexts, Client, ConversionKey, Engine, Error, ErrorKind, Lut, Params, Program, Server, Space,
};

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

fn client(set: &str) -> Result<Client, Error> {
    Client::generate(&Params::named(set)?)
}

#[track_caller]
fn refused<T>(found: Result<T, Error>) -> Error {
    match found {
        Ok(_) => panic!("it was not refused"),
        Err(error) => error,
    }
}

/// All slots of three ciphertexts, the last not full, modulo primes and powers, of one digit and of two; in any order
/// and twice; in memory and in files.
#[test]
fn every_value_of_a_vector_goes_there_and_back() -> Outcome {
    for (set, p, singles) in [
        ("toy_slots_7", 7, &["toy_4", "toy_4_binary"][..]),
        ("toy_slots_13", 13, &["toy_4_ternary"]),
        ("toy_slots_3_2", 9, &["toy_4"]),
    ] {
        let vectors = client(set)?;
        let many = Server::builder(vectors.server_key()?).threads(1).build()?;
        let k = vectors.params().capacity();
        let values: Vec<i64> = (0..3 * k as i64 - 1).map(|i| (5 * i + i / 3) % p).collect();
        let last = values.len() - 1;
        let positions = [last, 0, k, k - 1, last, 1];
        let picked = positions.map(|i| values[i]);
        for name in singles {
            let single = client(name)?;
            let [out, back] = [vectors.conversion_key(&single)?, single.conversion_key(&vectors)?];
            let again = |key: &ConversionKey| -> Outcome<ConversionKey> {
                let bytes = key.to_bytes()?;
                assert_eq!(bytes.len() as u64, key.stored_bytes());
                Ok(ConversionKey::from_bytes(&bytes)?.with_server(&many)?.with_threads(1))
            };
            let [out, back] = [again(&out)?, again(&back)?];
            assert_eq!((out.source_key_id(), out.target_key_id()), (vectors.key_id(), single.key_id()));
            assert_eq!((back.source_params().name(), back.target_params().name()), (*name, set));
            // Fresh, by the public key, and results.
            let fresh = vectors.encrypt(&values)?;
            let zeros = vectors.public_key()?.encrypt(vec![0; values.len()])?;
            for x in [&fresh, &fresh.add(&zeros)?] {
                let y = out.convert_all(x)?;
                assert_eq!(
                    (y.space(), y.params().engine(), y.len()),
                    (Space::Modular(p as u64), Engine::Fhew, last + 1)
                );
                assert_eq!(single.decrypt(&y)?, values, "{set} to {name}");
                assert_eq!(single.decrypt(&out.convert(x, positions)?)?, picked);
                let (z, w) = (back.convert_all(&y)?, back.convert(&y, positions)?);
                assert_eq!((z.space(), z.len()), (x.space(), x.len()));
                assert_eq!(vectors.decrypt(&z)?, values, "{name} to {set}");
                assert_eq!(vectors.decrypt(&w)?, picked);
                // What is known before.
                let heads = [out.head(x)?, back.head(&y)?];
                assert_eq!(heads.each_ref().map(Ciphertexts::noise_budget), [&y, &z].map(|x| x.noise_budget()));
            }
            let y = out.convert_all(&fresh)?;
            for (key, x, to) in [(&out, &fresh, &single), (&back, &y, &vectors)] {
                let file = x.to_bytes()?;
                let all = key.convert_all(&Ciphertexts::from_bytes(&file)?)?;
                let reader = || CiphertextReader::new(&file[..]);
                assert!(key.convert_all_to(reader()?, Vec::new())? == all.to_bytes()?);
                let some = key.convert_to(reader()?, positions, Vec::new())?;
                assert_eq!(to.decrypt(&Ciphertexts::from_bytes(&some)?)?, picked);
            }
        }
    }
    Ok(())
}

/// Products of vectors go through a table a value at a time, and are vectors again for products: in turns without end.
/// From a batch they come by single ciphertexts.
#[test]
fn values_go_through_tables_and_products() -> Outcome {
    let (vectors, single, batch) = (client("toy_slots_7")?, client("toy_4")?, client("toy_batch_4bit")?);
    let (many, few) = (Server::new(vectors.server_key()?)?, Server::new(single.server_key()?)?);
    let out = vectors.conversion_key(&single)?.with_server(&many)?;
    let back = single.conversion_key(&vectors)?.with_server(&many)?;
    let values = [1, 6, 3, 0, 5, 2];
    let table = [3, 0, 6, 1, 1, 5, 2];
    let lut = Lut::modular(table.to_vec(), 7)?;
    let (mut x, mut expected) = (vectors.encrypt(values)?, values.map(|x| x as u64));
    for _ in 0..3 {
        let square = many.evaluate(Program::parse("x*x + 1", &[])?, &x)?;
        x = back.convert_all(&few.evaluate(&lut, &out.convert_all(&square)?)?)?;
        expected = expected.map(|x| table[((x * x + 1) % 7) as usize]);
        assert_eq!(vectors.decrypt_residues(&x)?, expected);
    }
    // Sums and tables of what came back; of one key all count as one noise.
    let sum = many.evaluate(Program::parse("x*y", &[])?, [&x, &x.add_constant(2)?])?;
    assert_eq!(vectors.decrypt_residues(&sum)?, expected.map(|x| x * (x + 2) % 7));
    let [a, b] = [out.convert(&x, [0])?, out.convert(&sum, [1])?];
    let growth = a.add(&b)?.noise_variance() / a.noise_variance();
    assert!(growth > 3.9, "{growth}");
    // What the refusal of a direct key says.
    let error = refused(batch.conversion_key(&vectors)).to_string();
    assert!(error.contains("convert to a client of engine fhew, and from it"), "{error}");
    let sent = batch.encrypt_modulo(values, 7)?;
    let there = back.convert_all(&batch.conversion_key(&single)?.convert_all(&sent)?)?;
    assert_eq!(vectors.decrypt(&there)?, values);
    let again = single.conversion_key(&batch)?.convert_all(&out.convert_all(&there)?)?;
    assert_eq!(batch.decrypt(&again)?, values);
    Ok(())
}

/// What is too noisy for the other set is bootstrapped on the way: no table of vectors does that for certain.
#[test]
fn noisy_vectors_are_renewed() -> Outcome {
    let (vectors, single) = (client("toy_slots_7")?, client("toy_4")?);
    let many = Server::new(vectors.server_key()?)?;
    let out = vectors.conversion_key(&single)?.with_server(&many)?;
    let lut = Lut::modular(vec![1, 3, 0, 6, 2, 5, 4], 7)?;
    let mut x = vectors.encrypt([0, 1, 2, 3, 4, 5, 6])?;
    for _ in 0..4 {
        x = many.evaluate(&lut, &x)?;
    }
    let expected = vectors.decrypt(&x)?;
    for weight in [1i64, 2, -3, 5] {
        let sum = Ciphertexts::weighted_sum([(weight, &x)])?;
        let expected: Vec<i64> = expected.iter().map(|v| (weight * v).rem_euclid(7)).collect();
        let single_values = out.convert_all(&sum)?;
        assert_eq!(single.decrypt(&single_values)?, expected, "{weight}");
        assert!(single_values.noise_budget() > 0.0, "{weight}");
        let file = sum.to_bytes()?;
        let written = out.convert_all_to(CiphertextReader::new(&file[..])?, Vec::new())?;
        assert_eq!(single.decrypt(&Ciphertexts::from_bytes(&written)?)?, expected, "{weight}");
    }
    Ok(())
}

#[test]
fn conversions_of_vectors_are_refused_in_one_line() -> Outcome {
    let (vectors, single) = (client("toy_slots_7")?, client("toy_4")?);
    let (out, back) = (vectors.conversion_key(&single)?, single.conversion_key(&vectors)?);
    let many = Server::new(vectors.server_key()?)?;
    let check = |error: Error, kind: ErrorKind, words: &str| {
        let line = error.to_string();
        assert!(error.kind() == kind && line.contains(words) && !line.contains('\n'), "{:?}: {line}", error.kind());
    };
    let (x, y) = (vectors.encrypt([1, 2, 3])?, single.encrypt_modulo([1, 2, 3], 7)?);
    // Without a server, or with another one.
    for key in [&out, &back] {
        let input = if key.source_params() == vectors.params() { &x } else { &y };
        let words = "give the server of parameters toy_slots_7 to the key, with ConversionKey::with_server";
        check(refused(key.convert_all(input)), ErrorKind::Argument, words);
        let file = input.to_bytes()?;
        check(refused(key.convert_all_to(CiphertextReader::new(&file[..])?, Vec::new())), ErrorKind::Argument, words);
        let other = Server::new(client("toy_slots_7")?.server_key()?)?;
        check(refused(key.with_server(&other)), ErrorKind::Mismatch, "another key");
        let other = Server::new(client("toy_slots_13")?.server_key()?)?;
        check(refused(key.with_server(&other)), ErrorKind::Mismatch, "other parameters");
        let other = Server::new(single.server_key()?)?;
        check(refused(key.with_server(&other)), ErrorKind::Mismatch, "engine fhew, expected one of engine bfv");
    }
    // Toy sets of smaller rings, of which no other set of engine fhew is one; the set that is named has a larger one.
    let toy = client("toy_slots_17")?;
    for other in ["toy_8", "toy_4"] {
        let words = "expected vectors of as large a ring; take a client of parameters slots_17";
        for error in [refused(toy.conversion_key(&client(other)?)), refused(client(other)?.conversion_key(&toy))] {
            check(error, ErrorKind::Unsupported, words);
        }
    }
    let batch = client("toy_batch_4bit")?;
    let words = "between engines ckks and fhew, which takes none";
    check(refused(batch.conversion_key(&single)?.with_server(&many)), ErrorKind::Argument, words);
    let (out, back) = (out.with_server(&many)?, back.with_server(&many)?);
    // Others' ciphertexts, positions, and spaces.
    check(refused(out.convert_all(&client("toy_slots_7")?.encrypt([1])?)), ErrorKind::Mismatch, "another key");
    check(refused(out.convert_all(&y)), ErrorKind::Mismatch, "engine fhew, expected one of engine bfv");
    check(refused(back.convert_all(&x)), ErrorKind::Mismatch, "engine bfv, expected one of engine fhew");
    check(refused(out.convert(&x, [0, 3])), ErrorKind::Argument, "position number 1 is 3, expected 0 to 2");
    check(refused(back.convert(&y, [])), ErrorKind::Argument, "no values");
    check(refused(back.convert_all(&single.encrypt([1])?)), ErrorKind::Argument, "take values modulo 7");
    // Sets that have no common values, or no maps; the advice is followed.
    let error = refused(client("toy_slots_257")?.conversion_key(&single));
    check(error, ErrorKind::Unsupported, "engine fhew has them modulo 256 at most; take a client of a smaller modulus");
    let error = refused(client("slots_17")?.conversion_key(&single));
    check(error, ErrorKind::Unsupported, "take a client of parameters fhew_5bit_2m128");
    for (from, to) in [(&client("toy_slots_7_depth_2")?, &single), (&single, &client("toy_slots_7_depth_2")?)] {
        let error = refused(from.conversion_key(to));
        check(error, ErrorKind::Unsupported, "has none: take a client of parameters toy_slots_7");
    }
    let integers = client("toy_int16")?;
    let error = refused(integers.conversion_key(&vectors));
    check(error, ErrorKind::Unsupported, "as large a ring; take a client of parameters slots_7");
    // Half a digit has room for noise, and no more; a table leaves less, as is said.
    let vectors = client("toy_slots_13")?;
    let many = Server::new(vectors.server_key()?)?;
    let back = single.conversion_key(&vectors)?.with_server(&many)?;
    let mut noisy = single.encrypt_modulo([1, 2, 0], 13)?;
    while noisy.noise_budget() > 1.0 {
        noisy = noisy.mul_small((noisy.noise_budget().exp2() as i64).min(5))?;
    }
    let words = "toy_slots_13 that it leads to promises 2^-128: evaluate a table on the ciphertexts first";
    check(refused(back.head(&noisy)), ErrorKind::Noise, words);
    check(refused(back.convert_all(&noisy)), ErrorKind::Noise, words);
    let identity = Lut::modular((0..13).collect(), 13)?;
    let less = Server::new(single.server_key()?)?.evaluate(&identity, &noisy)?;
    assert_eq!(vectors.decrypt(&back.convert_all(&less)?)?, single.decrypt(&noisy)?);
    Ok(())
}

/// Files that lie: damaged, cut, with other names, fingerprints and lengths.
#[test]
fn keys_of_vectors_that_lie_are_refused() -> Outcome {
    use bootes::wire::{ObjectKind, open, seal_as};
    let (vectors, single) = (client("toy_slots_7")?, client("toy_4")?);
    for (from, to) in [(&vectors, &single), (&single, &vectors)] {
        let file = from.conversion_key(to)?.to_bytes()?;
        for i in (0..140).chain((140..file.len()).step_by(997)).chain([file.len() - 1]) {
            let mut damaged = file.clone();
            damaged[i] ^= 4;
            assert!(ConversionKey::from_bytes(&damaged).is_err() && ConversionKey::from_bytes(&file[..i]).is_err());
        }
        let (header, payload) = open(&file, ObjectKind::ConversionKey)?;
        let sealed = |payload: &[u8]| seal_as(header.version, header.kind, header.fingerprint, header.key_id, payload);
        assert!(ConversionKey::from_bytes(&sealed(payload)).is_ok());
        let names = 8 + from.params().name().len();
        let (rest, target) = (names + 8 + to.params().name().len(), &payload[names..]);
        let named = |name: &str| [&(name.len() as u64).to_le_bytes(), name.as_bytes()].concat();
        let mut lies = vec![
            [payload, &[0; 8]].concat(),
            payload[..payload.len() - 8].to_vec(),
            [&payload[..names], &payload[..names], &payload[rest..]].concat(),
            // Another source is not that of the header.
            [named("toy_slots_13"), target.to_vec()].concat(),
            [named("toy_batch_4bit"), target.to_vec()].concat(),
        ];
        for name in ["toy_slots_257", "toy_slots_7_depth_2", "toy_batch_4bit", "toy_8", "slots_65537", "nothing"] {
            let params = Params::named(name).ok();
            let fingerprint = params.map_or([0; 16], |params| params.fingerprint());
            lies.push([&payload[..names], &named(name), &fingerprint, &payload[rest + 16..]].concat());
        }
        for (i, payload) in lies.iter().enumerate() {
            assert!(ConversionKey::from_bytes(&sealed(payload)).is_err(), "{i}");
        }
    }
    Ok(())
}

/// Sets as they are shipped, a ciphertext, and all of it through a table; times are printed.
#[test]
#[ignore = "a minute, and three gigabytes"]
fn shipped_sets_go_there_and_back() -> Outcome {
    for (set, to, p) in [
        ("slots_17", "fhew_5bit_2m128", 17u64),
        ("slots_127", "fhew_7bit_2m128", 127),
        ("slots_127", "fhew_bits_2m128", 127),
    ] {
        let seconds = |start: std::time::Instant| start.elapsed().as_secs_f64();
        let (vectors, single) = (client(set)?, client(to)?);
        let start = std::time::Instant::now();
        let many = Server::new(vectors.server_key()?)?;
        let made = seconds(start);
        let few = Server::new(single.server_key()?)?;
        let k = vectors.params().capacity() as u64;
        let values: Vec<u64> = (0..k).map(|i| (i * i + 3) % p).collect();
        let x = vectors.encrypt(&values)?;
        let out = vectors.conversion_key(&single)?.with_server(&many)?;
        let back = single.conversion_key(&vectors)?.with_server(&many)?;
        let mut times = Vec::new();
        let mut timed = |key: &ConversionKey, x: &Ciphertexts| -> Result<Ciphertexts, Error> {
            // The first expands the key.
            key.convert(x, [0])?;
            let start = std::time::Instant::now();
            let y = key.convert_all(x)?;
            times.push(seconds(start));
            Ok(y)
        };
        let y = timed(&out, &x)?;
        let z = timed(&back, &y)?;
        assert_eq!(vectors.decrypt_residues(&z)?, values, "{set}");
        let noise = single.measure_noise(&y, values.iter().map(|&x| x as i64))?;
        let measured = noise.iter().map(|e| e * e).sum::<f64>() / noise.len() as f64;
        let product = many.evaluate(Program::parse("x*y + 1", &[])?, [&z, &x])?;
        let y = out.convert_all(&product)?;
        let expected: Vec<u64> = values.iter().map(|x| (x * x + 1) % p).collect();
        assert_eq!(single.decrypt_residues(&y)?, expected);
        let table: Vec<u64> = (0..p).map(|x| (x * x * x + 5) % p).collect();
        let results = few.evaluate(&Lut::modular(table.clone(), p)?, &y)?;
        let last = back.convert_all(&results);
        let state = match &last {
            Ok(z) => format!("budget {:.1} bits", z.noise_budget()),
            Err(error) => {
                assert!(error.to_string().contains("take a client of parameters fhew_bits_2m128"), "{error}");
                error.to_string()
            }
        };
        eprintln!(
            "{set}, {to}: server of vectors made in {made:.1} s, {} B; keys {} and {} B; {k} values out {:.3} s, back {:.3} \
             s; noise out 2^{:.2}, said 2^{:.2}, of results 2^{:.2}; back: {state}",
            many.key_bytes(),
            out.stored_bytes(),
            back.stored_bytes(),
            times[0],
            times[1],
            measured.log2() / 2.0,
            y.noise_variance().log2() / 2.0,
            results.noise_variance().log2() / 2.0,
        );
        if let Ok(z) = last {
            let expected: Vec<u64> = expected.iter().map(|&x| table[x as usize]).collect();
            assert_eq!(vectors.decrypt_residues(&z)?, expected, "{set}");
        }
    }
    Ok(())
}
