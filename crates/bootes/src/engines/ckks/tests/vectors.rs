//! Engine ckks through the facade, on toy sets.
use crate::engines::KeyRequest;
use crate::engines::*;
use crate::memory::{Room, masks_that_fit};
use crate::wire::{Header, ObjectKind, StreamError, WireError, open, seal_as};
use crate::{Cancel, CkksLutError, Error, Lut, LutError, MaskStorage, Memory, ckks};
use bootes_schemes::ckks::bootstrap::BootstrapStep;

const SET: &str = "toy_batch_4bit";

fn client(seed: u8) -> Result<ckks::Client, Error> {
    Ok(ckks::Client::from_seed(&ckks::Params::by_name(SET)?, &[seed; 32]))
}

fn server(client: &ckks::Client) -> Result<ckks::Server, Error> {
    ckks::Server::new(client.made_key(2, drop)?, None)
}

fn table(p: u64, q: u64, f: impl Fn(u64) -> u64) -> Result<Lut, Error> {
    Ok(Lut::modular((0..p).map(f).collect(), q)?)
}

#[test]
fn several_ciphertexts_and_tables_travel_and_come_back() -> Result<(), Error> {
    let client = client(1)?;
    let mut made = Vec::new();
    let key = client.made_key(2, |done| made.push(done))?;
    let parts = (1..=made.len()).map(|done| done as f64 / made.len() as f64);
    assert!(made.iter().copied().eq(parts));
    // The key by way of a stream; its length is known before.
    let bytes = key.write(Vec::new())?;
    assert_eq!(bytes.len() as u64, key.stored_bytes());
    let read = ckks::ServerKey::read(&bytes[..])?;
    assert!(read.write(Vec::new())? == bytes && (read.key_id(), read.bytes()) == (key.key_id(), key.bytes()));
    let server = ckks::Server::new(read, Some(MaskStorage::Expanded))?;
    assert_eq!(server.key_bytes(), 2 * key.bytes());

    // Three ciphertexts, the last not full, of messages modulo 13.
    let p = 13;
    let values: Vec<u64> = (0..2100).map(|i| i * i % p).collect();
    let encrypted = client.encrypt_modulo(&signed(&values), p)?;
    assert_eq!((encrypted.len(), encrypted.blocks(), encrypted.modulus()), (2100, 3, p));
    let encrypted = ckks::Ciphertexts::read(&encrypted.write(Vec::new())?[..])?;
    assert_eq!(client.decrypt(&encrypted)?, values);
    let luts = [table(p, p, |x| x * x % p)?, table(p, 5, |x| (3 * x + 1) % 5)?];
    let mut steps = Vec::new();
    let results = server.evaluate_many(&luts, &encrypted, 2, |progress| steps.push(progress))?;
    let parts: Vec<f64> = steps.iter().map(|progress| progress.done).collect();
    assert!(parts.len() == 15 && parts[0] == 0.0 && parts.is_sorted() && parts[14] < 1.0);
    for ciphertext in 0..3 {
        let its = steps.iter().filter(|progress| progress.ciphertext == ciphertext);
        assert!(its.map(|progress| progress.step).eq(BootstrapStep::ALL));
    }
    for (lut, results) in luts.iter().zip(&results) {
        let expected: Vec<u64> = values.iter().map(|&x| lut.values()[x as usize]).collect();
        assert_eq!(results.modulus(), lut.out_modulus());
        assert!(client.decrypt(&ckks::Ciphertexts::read(&results.write(Vec::new())?[..])?)? == expected);
    }
    // Results are inputs; masks made at every use, and other threads, give the same bytes.
    let seeded = ckks::Server::new(key, Some(MaskStorage::Seeded))?;
    assert!(seeded.key_bytes() < server.key_bytes());
    let again = seeded.evaluate(&luts[0], &results[0], 1, drop)?;
    assert!(again.write(Vec::new())? == server.evaluate(&luts[0], &results[0], 2, drop)?.write(Vec::new())?);
    let square = |x: u64| x * x % p;
    assert!(client.decrypt(&again)? == values.iter().map(|&x| square(square(x))).collect::<Vec<_>>());
    Ok(())
}

/// Sums, differences and products by integers are modulo p; their errors grow by what operands share, and are refused
/// where the promise would break.
#[test]
fn linear_operations_keep_the_promise() -> Result<(), Error> {
    let client = client(11)?;
    let server = server(&client)?;
    let (a, b): (Vec<u64>, Vec<u64>) =
        ((0..1100).map(|i| i * 7 % 16).collect(), (0..1100).map(|i| i * i % 16).collect());
    let (x, y) = (client.encrypt_modulo(&signed(&a), 16)?, client.encrypt_modulo(&signed(&b), 16)?);
    let map = |f: &dyn Fn(u64, u64) -> u64| a.iter().zip(&b).map(|(&a, &b)| f(a, b) % 16).collect::<Vec<_>>();
    let u = client.params().ckks().max_slot_value();
    let std = |x: &ckks::Ciphertexts| x.error().std(u);
    assert!(client.decrypt(&x.add(&y)?)? == map(&|a, b| a + b));
    assert!(client.decrypt(&x.sub(&y)?)? == map(&|a, b| 16 + a - b));
    assert!(client.decrypt(&x.mul_small(-3)?)? == map(&|a, _| 13 * a));
    assert!((std(&x.add(&y)?) / std(&x) - 2f64.sqrt()).abs() < 1e-9);
    // x + x, also of a file; results of one input.
    let file = ckks::Ciphertexts::read(&x.write(Vec::new())?[..])?;
    assert!((std(&x.add(&file)?) / std(&x) - 2.0).abs() < 1e-9);
    let [f, g] = [table(16, 16, |x| x * x % 16)?, table(16, 16, |x| 15 - x)?];
    let (fx, gx, fy) =
        (server.evaluate(&f, &x, 1, drop)?, server.evaluate(&g, &x, 1, drop)?, server.evaluate(&f, &y, 1, drop)?);
    // Results of inputs that share a mask, in whatever form, have noise in common.
    for like_x in [x.mul_small(1)?, x.add(&y)?.sub(&y)?] {
        let error = server.evaluate(&g, &like_x, 1, drop)?;
        assert!(std(&fx.add(&error)?) > 1.9 * std(&fx).min(std(&error)));
    }
    // What can be written can be read.
    for factor in [0, 1, -1] {
        let product = x.mul_small(factor)?;
        assert!(ckks::Ciphertexts::read(&product.write(Vec::new())?[..])?.error() == product.error(), "{factor}");
    }
    assert!(std(&fx.add(&gx)?) > 1.9 * std(&fx).min(std(&gx)) && std(&fx.add(&fy)?) < 1.5 * std(&fx));
    // The bound is above what is there, in results of results too, and is stored with them.
    let sum = fx.add(&gx)?;
    let sum = ckks::Ciphertexts::read(&sum.write(Vec::new())?[..])?;
    let again = server.evaluate(&g, &sum, 1, drop)?;
    assert!(client.decrypt(&again)? == map(&|a, _| 15 - (a * a + 15 - a) % 16));
    assert!(again.error().bias > fx.error().bias);
    // Until the promise breaks.
    let mut most = x.clone();
    let refused = loop {
        match most.mul_small(7) {
            Ok(more) => most = more,
            Err(error) => break error,
        }
    };
    assert!(matches!(refused, Error::NoiseBudget { promised: -128.0, .. }), "{refused}");
    assert!(most.log2_failure() <= -128.0);
    let other = client.encrypt_modulo(&signed(&a), 15);
    assert!(other.is_err() || matches!(x.add(&other?), Err(Error::Operands { .. })));
    assert!(matches!(
        x.add(&client.encrypt_modulo(&signed(&a[1..]), 16)?),
        Err(Error::Lengths { left: 1100, right: 1099, .. })
    ));
    Ok(())
}

/// Errors in files are checked as far as they can be.
#[test]
fn forged_errors_are_refused() -> Result<(), Error> {
    let client = client(12)?;
    let fresh = client.encrypt_modulo(&[1, 2, 3], 16)?;
    for x in [fresh.clone(), fresh.add(&fresh)?] {
        let bytes = x.write(Vec::new())?;
        let (header, payload) = open(&bytes, ObjectKind::CkksCiphertexts)?;
        let start = 8 + client.params().name().len() + 4;
        let with = |at: usize, number: f64| {
            let mut payload = payload.to_vec();
            payload[start + 8 * at..][..8].copy_from_slice(&number.to_le_bytes());
            let Header { version, kind, fingerprint, key_id } = header;
            ckks::Ciphertexts::read(&seal_as(version, kind, fingerprint, key_id, &payload)[..])
        };
        assert!(with(0, x.error().bias).is_ok());
        for at in 0..3 {
            for forged in [f64::NAN, f64::INFINITY, -1e-30, 1.0] {
                assert!(with(at, forged).is_err(), "{at}: {forged}");
            }
            for forged in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0] {
                let error = with(at, forged).unwrap_err().to_string();
                assert!(error.contains("malformed: a bound on errors that is no number"), "{at}, {forged}: {error}");
            }
        }
        for forged in [0.0, 0.2 * x.error().noise.flat] {
            assert!(with(1, forged).is_err(), "{forged}");
        }
    }
    Ok(())
}

#[test]
fn integers_are_decomposed_into_digits() -> Result<(), Error> {
    let client = client(7)?;
    let server = server(&client)?;
    for (bits, digit_bits) in [(26u32, 4u32), (12, 4), (10, 4), (7, 3), (4, 2)] {
        // Carries and their neighbours, in two ciphertexts.
        let mut values: Vec<u64> = (0..1100).map(|i| i * i * 7919 % (1 << bits)).collect();
        values[1000..1003].copy_from_slice(&[0, 1, (1 << bits) - 1]);
        for at in (digit_bits..bits).step_by(digit_bits as usize) {
            values.splice(at as usize..at as usize + 3, [(1 << at) - 1, 1 << at, (1 << at) + 1]);
        }
        let encrypted = client.encrypt_unsigned(&signed(&values), bits)?;
        let encrypted = ckks::Ciphertexts::read(&encrypted.write(Vec::new())?[..])?;
        assert_eq!(client.decrypt(&encrypted)?, values);
        let digits = server.decompose(&encrypted, digit_bits, 2)?;
        assert_eq!(digits.len(), bits.div_ceil(digit_bits) as usize);
        let p = 1 << digit_bits;
        for (i, digit) in digits.iter().enumerate() {
            let expected = values.iter().map(|value| value >> (i as u32 * digit_bits) & (p - 1));
            assert!(digit.modulus() == p && client.decrypt(digit)?.into_iter().eq(expected), "digit {i} of {bits}");
        }
        // Digits are inputs of tables.
        let top = server.evaluate(&table(p, p, |x| p - 1 - x)?, &digits[digits.len() - 1], 1, drop)?;
        let shift = (digits.len() as u32 - 1) * digit_bits;
        assert!(client.decrypt(&top)?.into_iter().eq(values.iter().map(|value| p - 1 - (value >> shift))));
    }
    for (found, expected) in [
        (
            line(client.encrypt_unsigned(&[0], 27)),
            "messages of 27 bits, and parameter set toy_batch_4bit holds 1 to 26 bits: take integers of 27 bits \
             without a sign (Client::encrypt_unsigned, with keys of Params::for_integers(27)) and programs that wrap \
             as they say, as \"(x + y) % 2^27\" (Program::parse)",
        ),
        (line(client.encrypt_unsigned(&[1, 256], 8)), "value number 1 is 256, expected 0 to 255 (messages modulo 256)"),
        (
            line(server.decompose(&client.encrypt_modulo(&[1], 13)?, 4, 1)),
            "digits of 4 bits of messages modulo 13: expected a power of two, and digits of 1 to 4 bits in this parameter set",
        ),
        (
            line(server.decompose(&client.encrypt_unsigned(&[1], 8)?, 5, 1)),
            "digits of 5 bits of messages modulo 256: expected a power of two, and digits of 1 to 4 bits in this parameter set",
        ),
    ] {
        assert_eq!(found, expected);
    }
    Ok(())
}

/// Results that are refused; the printed line.
fn line<T>(result: Result<T, Error>) -> String {
    result.err().map_or("no error".into(), |error| error.to_string())
}

#[test]
fn refusals_are_one_line_each() -> Result<(), Error> {
    let (client, stranger) = (client(2)?, client(3)?);
    let other = ckks::Client::from_seed(&ckks::Params::by_name("toy_batch_6bit")?, &[2; 32]);
    let server = server(&client)?;
    let mine = client.encrypt_modulo(&[1, 2, 3], 16)?;
    let evaluate = |lut: &Lut, encrypted: &ckks::Ciphertexts| server.evaluate(lut, encrypted, 1, drop);
    let same = table(16, 16, |x| x)?;
    let hex = |id: [u8; 16]| id.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let other_key = format!(
        "the ciphertext belongs to another key (id {}, expected {}): use the keys and ciphertexts of one client",
        hex(stranger.key_id()),
        hex(client.key_id())
    );
    let other_set = "the ciphertext was made with other parameters than what it is used with (set toy_batch_4bit): \
                     use the keys and ciphertexts of one client";
    for (found, expected) in [
        (line(client.encrypt_modulo(&[0, 12, 13], 13)), "value number 2 is 13, expected 0 to 12 (messages modulo 13)"),
        (line(client.encrypt_modulo(&[], 16)), "no values to encrypt: give at least one"),
        (
            line(client.encrypt_modulo(&[0], 17)),
            "messages modulo 17, and parameter set toy_batch_4bit holds moduli of 2 to 16: take a set for them \
             (Params::on)",
        ),
        (
            line(evaluate(&table(8, 8, |x| x)?, &mine)),
            "the table has 2^3 entries and the ciphertexts hold 4-bit messages: encrypt 3-bit messages or take a table of 2^4 entries",
        ),
        (
            line(evaluate(&table(15, 15, |x| x)?, &mine)),
            "the table has 15 entries and the ciphertexts hold 4-bit messages: encrypt messages modulo 15 or take a table with an entry for each",
        ),
        (
            line(evaluate(&table(32, 16, |x| x % 16)?, &mine)),
            "the table has inputs of 5 bits, and parameter set toy_batch_4bit holds 4: take a set for 5 bits \
             (Params::for_bits(5))",
        ),
        (
            line(server.evaluate_many(&[], &mine, 1, drop)),
            "tables of [] entries: expected one or more of equal size, at most 16 entries in this parameter set",
        ),
        (line(server.evaluate(&same, &mine, 0, drop)), "0 threads, expected at least 1"),
        (line(evaluate(&same, &stranger.encrypt_modulo(&[1], 16)?)), &other_key),
        (line(client.decrypt(&stranger.encrypt_modulo(&[1], 16)?)), &other_key),
        (line(evaluate(&same, &other.encrypt_modulo(&[1], 16)?)), other_set),
        (line(client.decrypt(&other.encrypt_modulo(&[1], 16)?)), other_set),
    ] {
        assert_eq!(found, expected);
    }
    // Results of more bits than inputs, as long as their noise allows it.
    assert!(evaluate(&table(16, 17, |x| x)?, &mine).is_ok());
    let error = evaluate(&table(16, 1 << 24, |x| x)?, &mine).unwrap_err();
    assert!(matches!(error, Error::Lut(LutError::Ckks(CkksLutError::Noise { table: 0, .. }))), "{error}");
    assert!(matches!(
        ckks::Params::by_name("batch_5bit"),
        Err(Error::Lut(LutError::Ckks(CkksLutError::UnknownSet { .. })))
    ));
    Ok(())
}

/// The noisiest inputs that a table takes leave results that whoever decrypts them takes too.
#[test]
fn what_is_evaluated_is_decrypted() -> Result<(), Error> {
    let client = ckks::Client::from_seed(&ckks::Params::by_name("toy_batch_6bit")?, &[7; 32]);
    let (server, p) = (server(&client)?, 64);
    let lut = table(p, p, |x| if x == 0 { 16 } else { 0 })?;
    let values: Vec<u64> = (0..p).collect();
    let fresh = client.encrypt_modulo(&signed(&values), p)?;
    // By 3^i·5^j·7^k, factor by factor, as factors are reduced modulo p.
    let mut factors: Vec<(f64, [u32; 3])> = Vec::new();
    for i in 0..20 {
        for j in 0..14 {
            factors
                .extend((0..12).map(|k| (3f64.powi(i) * 5f64.powi(j) * 7f64.powi(k), [i as u32, j as u32, k as u32])));
        }
    }
    factors.sort_by(|a, b| a.0.total_cmp(&b.0));
    let noisy = |times: [u32; 3]| {
        let factors = [3, 5, 7].into_iter().zip(times).flat_map(|(f, n)| std::iter::repeat_n(f, n as usize));
        factors.into_iter().try_fold(fresh.clone(), |x, factor| x.mul_small(factor))
    };
    let results = |times| {
        let x = noisy(times).ok()?;
        Some((server.evaluate(&lut, &x, 1, drop).ok()?, x))
    };
    // The last one that the table takes, of those that could be decrypted.
    let readable = factors.partition_point(|(_, times)| noisy(*times).is_ok());
    let taken = factors.partition_point(|(_, times)| results(*times).is_some());
    assert!(0 < taken && taken < readable, "{taken} of {readable}");
    let (result, x) = results(factors[taken - 1].1).expect("a result");
    let expected: Vec<u64> = client.decrypt(&x)?.iter().map(|&m| lut.values()[m as usize]).collect();
    assert_eq!(client.decrypt(&ckks::Ciphertexts::read(&result.write(Vec::new())?[..])?)?, expected);
    Ok(())
}

#[test]
fn work_that_does_not_fit_is_refused_before_it_starts() -> Result<(), Error> {
    let (client, lut) = (client(6)?, table(16, 16, |x| 15 - x)?);
    let (params, luts) = (client.params(), std::slice::from_ref(&lut));
    let refusal = |needed: u64, available: u64| {
        // What is needed is rounded up, what is there down.
        let [needed, available] = [needed.div_ceil(10_000), available / 10_000].map(|hundredths| hundredths as f64);
        let [needed, available] = [needed, available].map(|hundredths| format!("{:.2} MB", hundredths / 100.0));
        format!(
            "it needs {needed} of memory, and {available} are available: allow or free more, or take a smaller parameter set"
        )
    };
    // Keys.
    let (needed, mut made) = (ckks::key_memory(params)?, 0);
    let request = |memory| KeyRequest { threads: 2, memory: Some(memory), ..KeyRequest::default() };
    let refused = client.server_key(&request(needed / 2), &mut |_| made += 1);
    assert_eq!((line(refused), made), (refusal(needed, needed / 2), 0));
    let key = || client.server_key(&request(needed), &mut |_| ());
    // The server, with masks or without; the prediction likewise.
    let load = ckks::CiphertextLoad { ciphertexts: 2, threads: 2 };
    let of = |storage| ckks::CiphertextPrediction::with_storage(params, luts, load, storage);
    let [kept, seeded] = [of(MaskStorage::Expanded)?.memory, of(MaskStorage::Seeded)?.memory];
    assert!(
        line(ckks::Server::within(key()?, None, Some(1_000_000)))
            .ends_with("and 1.00 MB are available: allow or free more, or take a smaller parameter set")
    );
    let least = kept.keys + kept.tables;
    assert!(matches!(
        ckks::Server::within(key()?, Some(MaskStorage::Expanded), Some(least)),
        Err(Error::Memory { needed, available }) if needed > least && available == least
    ));
    assert_eq!(ckks::Server::within(key()?, None, Some(least))?.storage(), MaskStorage::Seeded);
    let predict = |memory| {
        let room = Room::now(Some(memory));
        masks_that_fit(None, |storage| ckks::CiphertextPrediction::in_room(params, luts, load, storage, room))
    };
    assert_eq!(predict(kept.peak())?.memory, kept);
    let alone = ckks::CiphertextPrediction::with_storage(
        params,
        luts,
        ckks::CiphertextLoad { ciphertexts: 1, ..load },
        MaskStorage::Seeded,
    )?;
    let alone = Memory { workspace: alone.memory.workspace + 16 * params.capacity() as u64, ..alone.memory };
    let little = alone.peak();
    assert!(little < seeded.peak());
    let fitting = predict(little)?;
    assert_eq!((fitting.memory, fitting.together, fitting.storage), (alone, 1, MaskStorage::Seeded));
    assert_eq!(line(predict(little - 20_000)), refusal(little, little - 20_000));
    // An evaluation: as predicted, to the byte.
    let encrypted = client.encrypt_modulo(&vec![3; params.capacity() + 1], 16)?;
    let mut steps = 0;
    let server = ckks::Server::within(key()?, Some(MaskStorage::Seeded), Some(little - 20_000))?;
    let refused = server.evaluate_many(luts, &encrypted, 2, |_| steps += 1);
    assert_eq!((line(refused), steps), (refusal(little, little - 20_000), 0));
    let server = ckks::Server::within(key()?, Some(MaskStorage::Seeded), Some(little))?;
    assert_eq!(client.decrypt(&server.evaluate(&lut, &encrypted, 2, drop)?)?, vec![12; params.capacity() + 1]);
    Ok(())
}

/// The refusal of a key or of ciphertexts that are read.
fn read(kind: ObjectKind, bytes: &[u8]) -> Result<(), Error> {
    match kind {
        ObjectKind::CkksClientKey => ckks::Client::from_bytes(bytes).map(drop),
        ObjectKind::CkksServerKey => ckks::ServerKey::read(bytes).map(drop),
        _ => ckks::Ciphertexts::read(bytes).map(drop),
    }
}

#[test]
fn damaged_and_foreign_files_are_refused() -> Result<(), Error> {
    let client = client(4)?;
    let encrypted = client.encrypt_modulo(&(0..1030).map(|i| i % 16).collect::<Vec<_>>(), 16)?;
    let files = [
        (ObjectKind::CkksClientKey, client.export_secret_bytes().to_vec()),
        (ObjectKind::CkksServerKey, client.made_key(2, drop)?.write(Vec::new())?),
        (ObjectKind::CkksCiphertexts, encrypted.write(Vec::new())?),
    ];
    let other = client.params().fingerprint().map(|byte| !byte);
    for (i, (kind, bytes)) in files.iter().enumerate() {
        read(*kind, bytes)?;
        let wrong = read(*kind, &files[(i + 1) % 3].1).unwrap_err();
        assert!(wrong.to_string().contains("was expected"), "{wrong}");
        assert!(read(*kind, &[bytes, &b"x"[..]].concat()).unwrap_err().to_string().contains("too long"));
        // Right checksums: another set of this name, payloads that are cut or go on, marks that do not exist.
        let (header, payload) = open(bytes, *kind)?;
        let sealed = |fingerprint, payload: &[u8]| seal_as(3, *kind, fingerprint, header.key_id, payload);
        assert!(matches!(read(*kind, &sealed(other, payload)), Err(Error::ChangedParams { .. })));
        for payload in [&payload[..payload.len() - 1], &payload[..30], &[payload, &[0]].concat()] {
            assert!(read(*kind, &sealed(header.fingerprint, payload)).is_err(), "{kind}");
        }
        let mut changed = payload.to_vec();
        changed[8 + SET.len()] ^= 0x80;
        let found = read(*kind, &sealed(header.fingerprint, &changed));
        match (kind, found) {
            // Another seed is another key.
            (ObjectKind::CkksClientKey, Err(Error::OtherKey { .. })) => {}
            (ObjectKind::CkksServerKey, Err(Error::Stream(StreamError::Wire(WireError::Malformed { .. })))) => {}
            (ObjectKind::CkksCiphertexts, Err(_)) => {}
            (kind, found) => panic!("{kind}: {found:?}"),
        }
    }
    Ok(())
}

#[test]
fn results_are_written_as_they_come() -> Result<(), Error> {
    let client = client(7)?;
    let server = ckks::Server::new(client.made_key(2, drop)?, None)?;
    let lut = Lut::modular((0..16).rev().collect(), 16)?;
    // More than are evaluated at once.
    let values: Vec<u64> = (0..9 * client.params().capacity() as u64 - 5).map(|i| i % 16).collect();
    let encrypted = client.encrypt_modulo(&signed(&values), 16)?;
    let plan = server.plan_tables(&[lut.clone(), lut], &encrypted)?;
    let whole = server.evaluate_plan(&plan, &encrypted, 1, drop)?;
    let whole = whole.iter().map(|results| results.write(Vec::new())).collect::<Result<Vec<_>, _>>()?;
    let file = encrypted.write(Vec::new())?;
    for threads in [1, 2] {
        let mut steps = Vec::new();
        let input = ckks::CiphertextReader::within(None, &file[..])?;
        let files = vec![Vec::new(), Vec::new()];
        let files = server.evaluate_to_unless(&Cancel::new(), &plan, input, files, threads, |progress| {
            steps.push((progress.done, progress.ciphertext));
        })?;
        assert!(files == whole, "{threads} threads");
        let all = 5 * encrypted.blocks();
        assert!(steps.len() == all && steps.is_sorted_by_key(|&(done, _)| done) && steps[all - 1].0 < 1.0);
        assert_eq!(steps.iter().map(|&(_, ciphertext)| ciphertext).max(), Some(8));
    }
    Ok(())
}

#[test]
fn a_key_that_lacks_keys_is_refused_by_name() -> Result<(), Error> {
    let client = client(5)?;
    let bytes = client.made_key(2, drop)?.write(Vec::new())?;
    let (header, payload) = open(&bytes, ObjectKind::CkksServerKey)?;
    // Without marks: the first key is then read as the number of Galois keys, which is too many or the wrong ones.
    let start = 8 + SET.len();
    let none = [&payload[..start], &[0], &0u32.to_le_bytes()].concat();
    let empty = seal_as(3, ObjectKind::CkksServerKey, header.fingerprint, header.key_id, &none);
    let error = ckks::Server::new(ckks::ServerKey::read(&empty[..])?, None).unwrap_err();
    assert!(matches!(&error, Error::MissingKeys { .. }), "{error}");
    assert!(error.to_string().contains(SET) && error.to_string().contains("relinearisation"), "{error}");
    Ok(())
}
