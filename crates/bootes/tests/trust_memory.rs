//! Peak memory, measured: one test, for the peak is the process's.
use bootes::{CiphertextReader, Ciphertexts, Client, Error, Lut, Params, Server};

/// Seeded values: 0.8 MB in a file, 206 MB in full.
const VALUES: usize = 100_000;

/// The most memory that the process had, in bytes, where the system tells.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().split(' ').next()?.parse::<u64>().ok()? << 10)
}

#[test]
fn nothing_is_expanded_as_a_whole() -> Result<(), Error> {
    const LIMIT: u64 = 64 << 20;
    let client = Client::from_seed(&Params::named("toy_4")?, &[22; 32]);
    let server = Server::builder(client.server_key()?).threads(2).memory(LIMIT).build()?;
    let file = client.encrypt(vec![6; VALUES])?.write(Vec::new())?;
    assert!(file.len() < 8 * VALUES + 1000);
    let fresh = Ciphertexts::read(&file[..])?;
    // A constant is the cheapest table: no rotation.
    let lut = Lut::modular(vec![3; 16], 16)?;
    let plan = server.plan(&lut, &fresh)?;
    let before = peak();
    let input = CiphertextReader::new(&file[..])?;
    server.run_to(&plan, vec![input], vec![std::io::sink()])?;
    assert!(client.decrypt_from(CiphertextReader::new(&file[..])?)?.iter().all(|&value| value == 6));
    assert!(client.decrypt(&fresh)?.iter().all(|&value| value == 6));
    assert_eq!(client.measure_noise(&fresh, vec![6; VALUES])?.len(), VALUES);
    let refused = server.evaluate(&lut, &fresh);
    assert!(matches!(refused, Err(Error::CiphertextMemory { needed, .. }) if needed > 2 * LIMIT), "{refused:?}");
    if let (Some(before), Some(after)) = (before, peak()) {
        assert!(after - before < 32 << 20, "{} MB more than before", (after - before) >> 20);
    }
    Ok(())
}
