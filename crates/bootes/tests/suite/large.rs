//! Tables of several digits with engine ckks, on a toy ring.
use std::sync::{Arc, Mutex};

use bootes::{CkksLutError, Client, Engine, Error, Load, Lut, LutError, Params, Server};
use bootes_testkit::{in_full, sampled};

fn client() -> Result<Client, Error> {
    Ok(Client::from_seed(&Params::named("toy_batch_9bit")?, &[7; 32]))
}

/// Without structure, onto Z_q.
fn table(p: u64, q: u64) -> Result<Lut, Error> {
    Ok(Lut::modular((0..p).map(|x| (x * x * 41 + x * 7 + 3) % 1009 % q).collect(), q)?)
}

fn images(lut: &Lut, values: &[u64]) -> Vec<u64> {
    values.iter().map(|&x| lut.values()[x as usize]).collect()
}

#[test]
fn tables_of_digits_are_tables() -> Result<(), Error> {
    let client = client()?;
    let server = Server::new(client.server_key()?)?;
    // Digits 8 x 8 x 8, others, and a table that is evaluated whole.
    for (p, method) in [(512, "digits 8 x 8 x 8"), (343, "digits 7 x 7 x 7"), (60, "digits"), (8, "functional")] {
        let values: Vec<u64> = (0..1100).map(|i| i * i % p).collect();
        let lut = table(p, p)?;
        let x = client.encrypt_modulo(&values, p)?;
        let plan = server.plan(&lut, &x)?;
        assert!(plan.algorithms()[0].starts_with(method), "{:?}", plan.algorithms());
        assert!(plan.log2_p_fail() <= -128.0 && plan.seconds(1100)? > 0.0);
        let y = server.run(&plan, &x)?.remove(0);
        assert_eq!(client.decrypt_residues(&y)?, images(&lut, &values), "{p}");
        // Results are inputs.
        let z = server.evaluate(&lut, &y)?;
        assert_eq!(client.decrypt_residues(&z)?, images(&lut, &images(&lut, &values)), "{p}");
    }
    Ok(())
}

/// Several tables, sums, files: what vectors of the engine do.
#[test]
fn vectors_of_large_messages_are_vectors() -> Result<(), Error> {
    let client = client()?;
    let server = Server::new(client.server_key()?)?;
    let values: Vec<u64> = (0..1024).map(|i| i % 512).collect();
    let x = client.encrypt_modulo(&values, 512)?;
    let luts = [table(512, 512)?, table(512, 10)?, table(512, 1 << 15)?];
    let results = server.evaluate_all(&luts[..], &x)?;
    for (lut, result) in luts.iter().zip(&results) {
        assert_eq!(client.decrypt_residues(result)?, images(lut, &values));
    }
    let sum = results[0].add(&x)?;
    let sums: Vec<u64> = images(&luts[0], &values).iter().zip(&values).map(|(y, x)| (x + y) % 512).collect();
    let sum = bootes::Ciphertexts::read(&sum.write(Vec::new())?[..])?;
    assert_eq!(client.decrypt_residues(&sum)?, sums);
    assert_eq!(client.decrypt_residues(&server.evaluate(&luts[1], &sum)?)?, images(&luts[1], &sums));
    Ok(())
}

#[test]
fn progress_goes_by_what_is_predicted() -> Result<(), Error> {
    let client = client()?;
    let server = Server::new(client.server_key()?)?;
    let x = client.encrypt_modulo([1, 2, 3], 512)?;
    let parts = Arc::new(Mutex::new(Vec::new()));
    let tell = Arc::clone(&parts);
    server.watched(move |part| tell.lock().unwrap().push(part)).evaluate(&table(512, 512)?, &x)?;
    let parts = parts.lock().unwrap();
    assert!(parts.len() > 15 && parts.is_sorted() && parts[0] == 0.0 && parts.last() == Some(&1.0), "{parts:?}");
    // No step is more than half of the work.
    assert!(parts.windows(2).all(|pair| pair[1] - pair[0] < 0.5), "{parts:?}");
    Ok(())
}

#[test]
fn tables_that_digits_do_not_make_are_refused() -> Result<(), Error> {
    let client = client()?;
    let server = Server::new(client.server_key()?)?;
    // 509 is a prime, and the products of numbers up to 16 that follow it begin with 512.
    let x = client.encrypt_modulo([508], 509)?;
    let refused = server.plan(&table(509, 509)?, &x).unwrap_err();
    assert!(
        matches!(
            refused,
            Error::Lut(LutError::Ckks(CkksLutError::NoShape { entries: 509, most: 16, nearest: 512, .. }))
        ),
        "{refused}"
    );
    let line = refused.to_string();
    assert!(line.contains("pad it to 512 entries") && line.contains("toy_batch_9bit"), "{line}");
    let refused = client.encrypt_modulo([1], 513).unwrap_err().to_string();
    assert!(refused.contains("513") && refused.contains("512"), "{refused}");
    // Results that no file of this set holds.
    let fine = Lut::modular((0..512).collect(), (1 << 15) + 1)?;
    let x = client.encrypt_modulo([1], 512)?;
    let refused = server.plan(&fine, &x).unwrap_err();
    assert!(matches!(refused, Error::Lut(LutError::TooWide { what: "outputs", bits: 15, .. })), "{refused}");
    Ok(())
}

/// By predicted time, among sets of the least size.
#[test]
fn sets_of_large_tables() -> Result<(), Error> {
    let on = |p| Params::on(Engine::Ckks, p, bootes::FailureTarget::Two128);
    let sets = [(1 << 13, "batch_14bit"), (1 << 16, "batch_16bit"), (200_000, "batch_18bit"), (1 << 20, "batch_20bit")];
    for (p, name) in sampled(sets, 4) {
        assert_eq!(on(p)?.name(), name);
    }
    // Of 4096 entries, whole or in digits, whichever takes less on this instruction set. A prime number has no digits.
    assert!(["batch_12bit_digits", "batch_12bit"].contains(&on(4096)?.name()));
    assert!(!in_full() || on(4093)?.name() == "batch_12bit");
    let refused = on((1 << 20) + 1).unwrap_err().to_string();
    assert!(refused.contains("2^20"), "{refused}");
    let params = on(1 << 16)?;
    let candidates = params.candidates(&Lut::unstructured(16), &Load { threads: 1, ..Load::of(65536) });
    let seconds: Vec<f64> = candidates.iter().map(|candidate| candidate.outcome.as_ref().unwrap().seconds).collect();
    assert!(candidates.len() > 1 && seconds.is_sorted(), "{seconds:?}");
    // In less memory than the keys take.
    let load = Load { threads: 1, memory: Some(1 << 30), ..Load::of(65536) };
    let refused = params.predict(&Lut::unstructured(16), &load).unwrap_err();
    assert!(matches!(refused, Error::Memory { available, .. } if available == 1 << 30), "{refused}");
    Ok(())
}
