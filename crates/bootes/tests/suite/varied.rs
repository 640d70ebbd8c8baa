//! A table a value, encrypted tables and tables of complex numbers with engine ckks, on toy rings.
use bootes::{
    CkksLutError, Client, ComplexTable, EncryptedTable, Error, Function, Load, Lut, LutError, MaskStorage, Params,
    Server, SlotTables,
};
use std::sync::{Arc, Mutex};

fn client(name: &str, seed: u8) -> Result<Client, Error> {
    Ok(Client::from_seed(&Params::named(name)?, &[seed; 32]))
}

/// Without structure, onto Z_q.
fn table(p: u64, q: u64) -> Result<Lut, Error> {
    Ok(Lut::modular((0..p).map(|x| (x * x * 41 + x * 7 + 3) % 1009 % q).collect(), q)?)
}

fn slot_tables(p: u64, q: u64, count: u64) -> Result<SlotTables, Error> {
    let entry = |i: u64, x: u64| ((i * i + 1) * (x + i) * (x + 7) % 60_013 % q) as u16;
    let entries = (0..count).flat_map(|i| (0..p).map(move |x| entry(i, x))).collect();
    Ok(SlotTables::new(entries, p as usize, q)?)
}

#[test]
fn each_value_has_its_table() -> Result<(), Error> {
    for (name, p, q, method) in [
        ("toy_batch_4bit", 16, 16, "functional"),
        ("toy_batch_6bit", 47, 100, "functional"),
        ("toy_batch_9bit", 512, 512, "digits"),
    ] {
        let client = client(name, 1)?;
        let server = Server::new(client.server_key()?)?;
        // More than a ciphertext holds.
        let values: Vec<u64> = (0..1500).map(|i| i * i % p).collect();
        let tables = slot_tables(p, q, 1500)?;
        let image = |(i, &x): (usize, &u64)| u64::from(tables.table(i).unwrap()[x as usize]);
        let expected: Vec<u64> = values.iter().enumerate().map(image).collect();
        let x = client.encrypt_modulo(&values, p)?;
        let plan = server.plan(tables.clone(), &x)?;
        assert!(plan.algorithms()[0].starts_with(method) && plan.algorithms()[0].ends_with("plaintext coefficients"));
        assert!(plan.log2_p_fail() <= -128.0 && plan.seconds(1500)? > 0.0);
        // The tables are in memory beside what one table takes.
        let one = server.plan(&table(p, q)?, &x)?.prediction(1500)?.memory.workspace;
        let all = plan.prediction(1500)?.memory.workspace;
        assert!(all > one + tables.bytes() / 2, "{all} {one} {}", tables.bytes());
        let y = server.run(&plan, &x)?.remove(0);
        assert_eq!(client.decrypt_residues(&y)?, expected, "{name}");
        // Results are inputs, and streams have all ciphertexts in their order.
        let mut file = Vec::new();
        x.write(&mut file)?;
        let out = server.run_to(&plan, vec![bootes::CiphertextReader::new(&file[..])?], vec![Vec::new()])?.remove(0);
        assert_eq!(client.decrypt_residues(&bootes::Ciphertexts::read(&out[..])?)?, expected, "{name}");
        if p == q {
            let again = server.evaluate(slot_tables(p, q, 1500)?, &y)?;
            let expected: Vec<u64> = expected.iter().enumerate().map(image).collect();
            assert_eq!(client.decrypt_residues(&again)?, expected, "{name}");
        }
    }
    Ok(())
}

#[test]
fn tables_of_other_values_are_refused() -> Result<(), Error> {
    let client = client("toy_batch_4bit", 2)?;
    let server = Server::new(client.server_key()?)?;
    let x = client.encrypt([1, 2, 3])?;
    let refused = server.plan(slot_tables(16, 16, 2)?, &x).unwrap_err();
    assert!(matches!(refused, Error::Lengths { left: 2, right: 3, .. }), "{refused}");
    let refused = server.plan(slot_tables(8, 16, 3)?, &x).unwrap_err();
    assert!(matches!(refused, Error::InputModulus { entries: 8, .. }), "{refused}");
    // Planned for three values, run on four; and a plan that is kept.
    let plan = server.plan(slot_tables(16, 16, 3)?, &x)?;
    let refused = server.run(&plan, &client.encrypt([1, 2, 3, 4])?).unwrap_err();
    assert!(matches!(refused, Error::Lengths { left: 3, right: 4, .. }), "{refused}");
    assert!(matches!(plan.request(), Err(Error::NotWith { .. })) && serde_json::to_string(&plan).is_err());
    // Results that are too noisy for the promise, whatever the tables; and that no file of the set holds.
    let refused = server.plan(slot_tables(16, 1 << 16, 3)?, &x).unwrap_err();
    assert!(matches!(refused, Error::Lut(LutError::Ckks(CkksLutError::Noise { .. }))), "{refused}");
    let large = self::client("toy_batch_9bit", 2)?;
    let refused = Server::new(large.server_key()?)?.plan(slot_tables(16, 1 << 16, 1)?, &large.encrypt_modulo([1], 16)?);
    assert!(matches!(refused, Err(Error::Lut(LutError::TooWide { what: "outputs", bits: 15, .. }))));
    Ok(())
}

/// Neither the tables nor their inputs are known.
#[test]
fn each_value_has_its_encrypted_table() -> Result<(), Error> {
    for (name, p, q) in [("toy_batch_4bit", 16, 16), ("toy_batch_9bit", 64, 512)] {
        let client = client(name, 5)?;
        let server = Server::new(client.server_key()?)?;
        let values: Vec<u64> = (0..1500).map(|i| i * i % p).collect();
        let tables = slot_tables(p, q, 1500)?;
        let predicted = EncryptedTable::predicted_bytes(&Params::named(name)?, p, Some(1500))?;
        let file = client.encrypt_tables(&tables)?.write(Vec::new())?;
        assert!((0.9..1.1).contains(&(predicted as f64 / file.len() as f64)), "{predicted} {}", file.len());
        let x = client.encrypt_modulo(&values, p)?;
        let plan = server.plan(EncryptedTable::read(&file[..])?, &x)?;
        assert!(plan.algorithms()[0].ends_with("encrypted coefficients") && plan.log2_p_fail() <= -128.0);
        let image = |(i, &x): (usize, &u64)| u64::from(tables.table(i).unwrap()[x as usize]);
        let expected: Vec<u64> = values.iter().enumerate().map(image).collect();
        assert_eq!(client.decrypt_residues(&server.run(&plan, &x)?[0])?, expected, "{name}");
        let refused = server.run(&plan, &client.encrypt_modulo([1], p)?).unwrap_err();
        assert!(matches!(refused, Error::Lengths { left: 1500, right: 1, .. }), "{refused}");
    }
    Ok(())
}

/// In less memory than tables take.
#[test]
fn memory_is_checked_before() -> Result<(), Error> {
    let client = client("toy_batch_9bit", 4)?;
    let load = Load { threads: 1, ..Load::of(1024) };
    let peak = Params::named("toy_batch_9bit")?.predict(&table(512, 512)?, &load)?.memory.peak();
    let count = (peak / 1024) as usize;
    let server = Server::builder(client.server_key()?).memory(peak + (1 << 20)).masks(MaskStorage::Expanded).build()?;
    let x = client.encrypt_modulo(vec![1; count], 512)?;
    let plan = server.plan(SlotTables::new(vec![1; 512 * count], 512, 512)?, &x)?;
    assert!(matches!(server.run(&plan, &x), Err(Error::Memory { .. } | Error::CiphertextMemory { .. })));
    Ok(())
}

#[test]
fn encrypted_tables_are_tables_that_nobody_knows() -> Result<(), Error> {
    for (name, p, q) in
        [("toy_batch_4bit", 16, 16), ("toy_batch_6bit", 47, 100), ("toy_batch_9bit", 8, 8), ("toy_batch_9bit", 64, 512)]
    {
        let client = client(name, 5)?;
        let server = Server::new(client.server_key()?)?;
        let lut = table(p, q)?;
        let predicted = EncryptedTable::predicted_bytes(&Params::named(name)?, p, None)?;
        let table = client.encrypt_table(&lut)?;
        let file = table.write(Vec::new())?;
        assert_eq!(file.len() as u64, table.stored_bytes());
        assert!((0.9..1.1).contains(&(predicted as f64 / file.len() as f64)), "{predicted} {}", file.len());
        // Fresh randomness.
        let again = client.encrypt_table(&lut)?.write(Vec::new())?;
        assert_eq!(again.len(), file.len());
        assert!(again.iter().zip(&file).filter(|(a, b)| a != b).count() > file.len() / 2);
        let table = EncryptedTable::read(&file[..])?;
        assert_eq!((table.key_id(), table.params().name()), (client.key_id(), name));
        let values: Vec<u64> = (0..1500).map(|i| i * i % p).collect();
        let x = client.encrypt_modulo(&values, p)?;
        let plan = server.plan(table, &x)?;
        assert!(plan.algorithms()[0].ends_with("encrypted coefficients") && plan.log2_p_fail() <= -128.0);
        assert!(plan.prediction(1500)?.memory.workspace > predicted && plan.seconds(1500)? > 0.0);
        let y = server.run(&plan, &x)?.remove(0);
        let expected: Vec<u64> = values.iter().map(|&x| lut.values()[x as usize]).collect();
        assert_eq!(client.decrypt_residues(&y)?, expected, "{name}");
    }
    Ok(())
}

#[test]
fn encrypted_tables_that_do_not_fit_are_refused() -> Result<(), Error> {
    let client = client("toy_batch_4bit", 6)?;
    let server = Server::new(client.server_key()?)?;
    let x = client.encrypt([1, 2, 3])?;
    let refused = server.plan(client.encrypt_table(&table(8, 16)?)?, &x).unwrap_err();
    assert!(matches!(refused, Error::InputModulus { entries: 8, .. }), "{refused}");
    let line =
        EncryptedTable::predicted_bytes(&Params::named("batch_12bit_digits")?, 4096, None).unwrap_err().to_string();
    assert!(line.contains("4096 entries") && line.contains("1024"), "{line}");
    // A gigabyte or so at full size.
    let bytes = EncryptedTable::predicted_bytes(&Params::named("batch_8bit")?, 256, None)?;
    assert!((1 << 29..1 << 31).contains(&bytes), "{bytes}");
    Ok(())
}

#[test]
fn complex_numbers_are_two_vectors() -> Result<(), Error> {
    let client = client("toy_batch_6bit", 8)?;
    let server = Server::new(client.server_key()?)?;
    let points: Vec<[f64; 2]> = (0..64).map(|x| f64::from(x) * 0.37).map(|a| [3.0 * a.cos(), a.sin() - 0.5]).collect();
    let table = ComplexTable::new(&points, 10)?;
    let values: Vec<u64> = (0..1024).map(|i| i % 64).collect();
    let results = server.evaluate_all(&table, &client.encrypt(&values)?)?;
    let found = client.decrypt_complex(&results, table.step())?;
    let errors: Vec<f64> = (found.iter().zip(&values))
        .flat_map(|(z, &x)| [0, 1].map(|part| (z[part] - points[x as usize][part]).abs()))
        .collect();
    let worst = errors.iter().fold(0.0, |worst: f64, e| worst.max(*e));
    let std = (errors.iter().map(|e| e * e).sum::<f64>() / errors.len() as f64).sqrt();
    assert!(worst <= table.error_bound(), "{worst} of {}", table.error_bound());
    // Rounding to a step leaves step/√12.
    assert!((0.85..1.15).contains(&(std / table.step() * 12f64.sqrt())), "{std} {}", table.step());
    // With the other engine too.
    let single = Client::from_seed(&Params::named("toy_4")?, &[3; 32]);
    let other = Server::new(single.server_key()?)?;
    let table = ComplexTable::new(&points[..16], 3)?;
    let results = other.evaluate_all(&table, &single.encrypt([5])?)?;
    let [re, im] = single.decrypt_complex(&results, table.step())?[0];
    assert!((re - points[5][0]).abs() <= table.error_bound() && (im - points[5][1]).abs() <= table.error_bound());
    let refused = |points: &[[f64; 2]], bits| ComplexTable::new(points, bits).unwrap_err().to_string();
    assert!(refused(&points, 1).contains("1 bits") && refused(&points, 27).contains("2 to 26"));
    assert!(refused(&[[0.0, 1.0], [f64::NAN, 0.0]], 8).contains("entry 1"));
    assert!(matches!(Function::from(&table), Function::Complex(_)));
    Ok(())
}

#[test]
fn progress_goes_by_digits() -> Result<(), Error> {
    let client = client("toy_batch_9bit", 9)?;
    let server = Server::new(client.server_key()?)?;
    let x = client.encrypt_modulo([1, 2, 3], 64)?;
    let functions = [
        Function::from(slot_tables(64, 64, 3)?),
        client.encrypt_table(&table(64, 64)?)?.into(),
        (&ComplexTable::new(&[[0.5, 0.25]; 64], 6)?).into(),
    ];
    for function in functions {
        let parts = Arc::new(Mutex::new(Vec::new()));
        let tell = Arc::clone(&parts);
        server.watched(move |part| tell.lock().unwrap().push(part)).evaluate_all(&function, &x)?;
        let parts = parts.lock().unwrap();
        assert!(parts.len() > 10 && parts.is_sorted() && parts[0] == 0.0 && parts.last() == Some(&1.0), "{parts:?}");
    }
    Ok(())
}
