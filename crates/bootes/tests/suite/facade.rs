//! The library as its users see it: composition, linear operations, files, mixed keys.
use bootes::{Ciphertexts, Client, Engine, Error, Lut, Params, Server, ServerKey};

fn pair(name: &str, seed: u8) -> Result<(Client, Server), Error> {
    let client = Client::from_seed(&Params::named(name)?, &[seed; 32]);
    let server = Server::new(client.server_key()?)?;
    Ok((client, server))
}

fn table(bits: u32, f: impl Fn(u64) -> u64) -> Result<Lut, Error> {
    Ok(Lut::modular((0..1 << bits).map(f).collect(), 1 << bits)?)
}

#[test]
fn results_are_inputs_and_sizes_may_change() -> Result<(), Error> {
    let (client, server) = pair("toy_8", 1)?;
    let inputs: Vec<u64> = (0..256).step_by(5).collect();
    let mut encrypted = client.encrypt(&inputs)?;
    let mut expected = inputs;
    // 8 → 3 → 8 → 1 → 4 bits: fewer and more output bits than input bits.
    for (in_bits, out_bits) in [(8u32, 3u32), (3, 8), (8, 1), (1, 4)] {
        let f = |x: u64| (x * x * 3 + 5 * x + 1 + (x >> 3)) % (1 << out_bits);
        let lut = Lut::new((0..1 << in_bits).map(f).collect(), out_bits)?;
        encrypted = server.evaluate(&lut, &encrypted)?;
        expected.iter_mut().for_each(|x| *x = f(*x));
        assert_eq!(client.decrypt_residues(&encrypted)?, expected, "{in_bits} to {out_bits} bits");
    }
    Ok(())
}

#[test]
fn a_combination_that_would_break_the_promise_is_refused() -> Result<(), Error> {
    let (client, server) = pair("toy_4", 3)?;
    let fresh = client.encrypt([1, 2, 3])?;
    let result = server.evaluate(&table(4, |x| x)?, &fresh)?;
    // As much noise as is accepted: factors, then terms.
    let (mut noisy, mut factor) = (result.clone(), 1u64);
    while let Ok(more) = noisy.mul_small(3) {
        (noisy, factor) = (more, factor * 3);
    }
    let refused = loop {
        match noisy.add(&result) {
            Ok(more) => (noisy, factor) = (more, factor + 1),
            Err(error) => break error,
        }
    };
    assert!(matches!(refused, Error::NoiseBudget { .. }), "{refused}");
    // What is accepted still decrypts, but a table on it has no room left: an error, not a wrong result.
    assert_eq!(client.decrypt_residues(&noisy)?, [1, 2, 3].map(|x| (x * factor) % 16));
    // What to do about it is `advice`'s.
    let refused = server.evaluate(&table(4, |x| x)?, &noisy);
    assert!(matches!(refused, Err(Error::Noise { .. })), "{refused:?}");
    Ok(())
}

#[test]
fn more_noise_takes_a_larger_circuit_before_it_is_refused() -> Result<(), Error> {
    let (client, server) = pair("toy_8", 4)?;
    let identity = table(8, |x| x)?;
    let result = server.evaluate(&identity, &client.encrypt([7, 250])?)?;
    let noisy = result.mul_small(5)?;
    let (small, large) = (server.plan(&identity, &result)?, server.plan(&identity, &noisy)?);
    assert!(large.seconds(1000)? >= small.seconds(1000)?);
    assert!(large.log2_p_fail() <= -64.0 && small.log2_p_fail() <= -64.0);
    assert_eq!(client.decrypt(&server.evaluate(&identity, &noisy)?)?, [35, 1250 % 256]);
    Ok(())
}

#[test]
fn everything_goes_to_bytes_and_back() -> Result<(), Error> {
    let (client, _) = pair("toy_4_ternary", 5)?;
    let values: Vec<u64> = (0..16).collect();
    let server = Server::new(ServerKey::read(&client.server_key()?.write(Vec::new())?[..])?)?;
    let fresh = Ciphertexts::read(&client.encrypt(&values)?.write(Vec::new())?[..])?;
    let results = server.evaluate(&table(4, |x| 15 - x)?, &fresh)?;
    let results = Ciphertexts::read(&results.write(Vec::new())?[..])?;
    let client = Client::from_bytes(&client.export_secret_bytes())?;
    assert_eq!(client.decrypt(&results)?, (0..16).rev().collect::<Vec<_>>());
    // Results from a file are inputs again.
    let again = server.evaluate(&table(4, |x| 15 - x)?, &results)?;
    assert_eq!(client.decrypt_residues(&again)?, values);
    Ok(())
}

#[test]
fn every_default_set_keeps_the_security_rule() {
    let mut defaults = 0;
    for params in Params::all(Engine::Fhew) {
        if !params.is_default() {
            continue;
        }
        defaults += 1;
        let security = params.security().unwrap_or_else(|| panic!("{}: no estimate", params.name()));
        let strict = security.strict.unwrap_or_default();
        assert!(security.standard >= 132.0 && strict >= 128.0, "{}: {security:?}", params.name());
    }
    assert_eq!(defaults, 21, "1 to 8 bits, 16-bit integers and tables, at two failure probabilities, and bits");
}

#[test]
fn every_default_set_plans_its_tables_within_its_promise() -> Result<(), Error> {
    use bootes_lut::fhew::algorithm::Algorithm;
    use bootes_lut::fhew::{Depth, Recursive};
    use bootes_schemes::fhew::FhewParams;
    for params in Params::all(Engine::Fhew).filter(Params::is_default) {
        let set = &FhewParams::by_name(params.name())?;
        for in_bits in 1..=params.bits() {
            let recursive = Recursive { depth: Depth::Best };
            // Outputs are inputs again: the noise of a result of the same circuit.
            let first = recursive.fit(set, &Lut::unstructured(in_bits), set.fresh_variance(), set.log2_p_fail())?;
            let variance = recursive.noise(set, &first, set.fresh_variance()).output_variance;
            let again = recursive.fit(set, &Lut::unstructured(in_bits), variance, set.log2_p_fail())?;
            let noise = recursive.noise(set, &again, variance);
            assert!(noise.log2_p_fail <= set.log2_p_fail(), "{} at {in_bits} bits: {noise:?}", params.name());
        }
    }
    Ok(())
}
