//! Words of 128 bits through the door.
use bootes::{Ciphertexts, Client, Error, Lut, Params, Server, ServerKey};

/// Keys on a stream, a server, and results that were on a stream too.
fn results(params: &Params, lut: &Lut, values: &[u64]) -> Result<(Client, Server, Ciphertexts), Error> {
    let client = Client::generate(params)?;
    let server = Server::new(ServerKey::read(&client.server_key()?.write(Vec::new())?[..])?)?;
    let sent = client.encrypt_modulo(values, lut.values().len() as u64)?.write(Vec::new())?;
    let results = server.evaluate(lut, &Ciphertexts::read(&sent[..])?)?.write(Vec::new())?;
    Ok((client, server, Ciphertexts::read(&results[..])?))
}

/// As many products with plaintexts of 8 to 15 as the bound on noise allows, and their results modulo 16.
fn products(client: &Client, results: &Ciphertexts, expected: &[u64]) -> Result<u32, Error> {
    let (mut product, mut expected, mut count) = (results.clone(), expected.to_vec(), 0);
    for factor in (8..16).map(|x| x | 1).cycle() {
        product = match product.mul_small(factor) {
            Ok(product) => product,
            Err(Error::NoiseBudget { .. }) => break,
            Err(error) => return Err(error),
        };
        count += 1;
        expected.iter_mut().for_each(|x| *x = *x * factor as u64 % 16);
        assert_eq!(client.decrypt_residues(&product)?, expected, "product {count}");
    }
    Ok(count)
}

#[test]
fn wide_words_go_the_whole_way_and_bear_products() -> Result<(), Error> {
    let lut = Lut::modular((0..16).map(|x| x * x % 16).collect(), 16)?;
    let values: Vec<u64> = (0..40).map(|x| x % 16).collect();
    let expected: Vec<u64> = values.iter().map(|x| x * x % 16).collect();
    for name in ["toy_wide_4", "toy_wide_4_ternary", "toy_wide_4_rank2"] {
        let (client, server, results) = results(&Params::named(name)?, &lut, &values)?;
        assert_eq!(client.decrypt_residues(&results)?, expected, "{name}");
        assert!(products(&client, &results, &expected)? > 3, "{name}");
        // Results are inputs, and columns.
        let again = server.evaluate(&lut, &results)?;
        let fourth: Vec<u64> = expected.iter().map(|x| x * x % 16).collect();
        assert_eq!(client.decrypt_residues(&again)?, fourth, "{name}");
        let sum = Ciphertexts::weighted_sum([(3, &results), (-1, &again)])?.add_constant(5)?;
        let sums: Vec<u64> = expected.iter().zip(&fourth).map(|(x, y)| (3 * x + 16 - y + 5) % 16).collect();
        assert_eq!(client.decrypt_residues(&sum)?, sums, "{name}");
        let parts = [results.slice(..7)?, results.slice(7..)?];
        assert_eq!(
            client.decrypt_residues(&Ciphertexts::concat([&parts[1], &parts[0]])?)?[33..],
            expected[..7],
            "{name}"
        );
        let map = results.linear_map(&[vec![1; 40]])?;
        assert_eq!(client.decrypt_residues(&map)?, [expected.iter().sum::<u64>() % 16], "{name}");
    }
    Ok(())
}

#[test]
fn wide_words_keep_the_predicted_noise() -> Result<(), Error> {
    let client = Client::from_seed(&Params::named("toy_wide_4")?, &[3; 32]);
    let server = Server::new(client.server_key()?)?;
    let values: Vec<u64> = (0..512).map(|x| x * 7 % 16).collect();
    let fresh = client.encrypt(&values)?;
    let lut = Lut::modular((0..16).map(|x| x * 5 % 16).collect(), 16)?;
    let evaluated = server.evaluate(&lut, &fresh)?;
    let reread = Ciphertexts::read(&evaluated.write(Vec::new())?[..])?;
    let images: Vec<u64> = values.iter().map(|x| x * 5 % 16).collect();
    for (ciphertexts, values) in [(&fresh, &values), (&evaluated, &images), (&reread, &images)] {
        let noise = client.measure_noise(ciphertexts, values)?;
        let measured = noise.iter().map(|e| e * e).sum::<f64>() / noise.len() as f64;
        let bound = ciphertexts.noise_variance();
        // The deviation of a variance from 512 samples is 6 %; results of one key have some noise in common.
        assert!((0.5 * bound..1.4 * bound).contains(&measured), "{measured:e}, bound {bound:e}");
    }
    // In a file there is as much noise, but for the rounding to 64 bits.
    assert!(fresh.noise_variance() < 2f64.powi(-139) && evaluated.noise_variance() < 2f64.powi(-70));
    assert!(reread.noise_variance() < 1.01 * evaluated.noise_variance());
    Ok(())
}

/// What half words would round off is kept in files: the results of the largest moduli.
#[test]
fn the_least_noise_survives_files() -> Result<(), Error> {
    let lut = Lut::modular((0..16).rev().collect(), 16)?;
    let client = Client::generate(&Params::named("toy_wide_4_rank2")?)?;
    let server = Server::new(client.server_key()?)?;
    let fresh = client.encrypt([0, 1, 15])?;
    for precise in [server.evaluate(&lut, &fresh)?, fresh.add(&fresh)?] {
        let reread = Ciphertexts::read(&precise.write(Vec::new())?[..])?;
        assert_eq!(reread.noise_variance(), precise.noise_variance());
        assert_eq!(reread.write(Vec::new())?, precise.write(Vec::new())?);
        assert_eq!(precise.stored_bytes(), precise.write(Vec::new())?.len() as u64);
        assert_eq!(client.decrypt(&reread)?, client.decrypt(&precise)?);
    }
    Ok(())
}

/// Rounded to half words, a ciphertext is nearly the same; results of both are independent, as a key switch is
/// dithered.
#[test]
fn results_of_a_ciphertext_and_its_file_are_independent() -> Result<(), Error> {
    for name in ["toy_8", "toy_wide_4", "toy_wide_4_rank2"] {
        let params = Params::named(name)?;
        let client = Client::generate(&params)?;
        let server = Server::new(client.server_key()?)?;
        let p = 1 << params.bits();
        let lut = Lut::modular((0..p).rev().collect(), p)?;
        let one = server.evaluate(&lut, &client.encrypt([3])?)?;
        let again = Ciphertexts::read(&one.write(Vec::new())?[..])?;
        let other = server.evaluate(&lut, &client.encrypt([3])?)?;
        for pair in [[&one, &again], [&one, &other]] {
            let results = server.evaluate(&lut, &Ciphertexts::concat(pair)?)?;
            let ratio = results.linear_map(&[[1, 1]])?.noise_variance() / results.noise_variance();
            assert!((ratio - 2.0).abs() < 1e-9, "{name}: {ratio}");
            let noise = client.measure_noise(&results, [3, 3])?;
            assert!(noise[0] != noise[1], "{name}: {noise:?}");
        }
    }
    Ok(())
}

/// Fractions of denominators that no power of two is a multiple of are not exact in tables of 64 bits.
#[test]
fn residues_of_other_moduli_have_a_common_error() -> Result<(), Error> {
    let lut = Lut::modular((0..11).map(|x| x * 3 % 11).collect(), 11)?;
    let values: Vec<u64> = (0..22).map(|x| x % 11).collect();
    let (client, _, results) = results(&Params::named("toy_wide_4_rank2")?, &lut, &values)?;
    assert_eq!(client.decrypt_residues(&results)?, values.iter().map(|x| x * 3 % 11).collect::<Vec<_>>());
    let bound = |weights: Vec<i64>| -> Result<f64, Error> {
        let sum = results.linear_map(&[weights])?;
        assert_eq!(client.decrypt(&sum)?.len(), 1);
        Ok(sum.noise_budget())
    };
    let (one, all) = (bound([vec![1], vec![0; 21]].concat())?, bound(vec![1; 22])?);
    assert!((one - all - 22f64.log2()).abs() < 1e-6, "standard deviations add: {one} {all}");
    Ok(())
}

/// The sets in earnest: as `bootes run --params` promises it.
#[test]
#[ignore = "keys of 435 MB, and tables of 2048 entries: two minutes"]
fn wide_sets_bear_ten_products_and_eleven_bits() -> Result<(), Error> {
    let lut = Lut::modular((0..16).map(|x| (x * 7 + 3) % 16).collect(), 16)?;
    let values: Vec<u64> = (0..16).collect();
    let (client, _, image) = results(&Params::named("wide_4bit_q76")?, &lut, &values)?;
    let expected: Vec<u64> = values.iter().map(|x| (x * 7 + 3) % 16).collect();
    let count = products(&client, &image, &expected)?;
    assert!(count >= 9, "{count} products");
    let lut = Lut::modular((0..2048).map(|x| (x * x + 77) % 2048).collect(), 2048)?;
    let values: Vec<u64> = (0..32).map(|i| (i * 67) % 2048).chain([0, 2047]).collect();
    let (client, _, image) = results(&Params::named("wide_11bit_q66")?, &lut, &values)?;
    assert_eq!(client.decrypt_residues(&image)?, values.iter().map(|x| (x * x + 77) % 2048).collect::<Vec<_>>());
    Ok(())
}
