//! Room on engine ckks, for thousands of values at once: widening, weights of residues.
use bootes::{Client, Function, Params, Server};

type Outcome = Result<(), Box<dyn std::error::Error>>;

#[test]
fn residues_are_widened() -> Outcome {
    let client = Client::generate(&Params::named("toy_batch_6bit")?)?;
    let server = Server::new(client.server_key()?)?;
    let values: Vec<u64> = (0..1100).map(|i| i * 7 % 16).collect();
    let x = client.encrypt_bits(&values, 4)?;
    let wide = server.evaluate(Function::Widen(6), &x)?;
    assert_eq!((wide.space().bits(), client.decrypt(&wide)?), (6, values.clone()));
    assert_eq!(client.decrypt(&wide.mul_small(4)?)?, values.iter().map(|x| 4 * x).collect::<Vec<_>>());
    assert!(server.evaluate(Function::Widen(3), &x).is_err());
    Ok(())
}

#[test]
fn weights_of_residues_are_reduced() -> Outcome {
    let client = Client::generate(&Params::named("toy_batch_4bit")?)?;
    let values: Vec<u64> = (0..1100).map(|i| i * 3 % 13).collect();
    let x = client.encrypt_modulo(&values, 13)?;
    for (large, small) in [(14i64, 1i64), (-12, 1), (12, -1), (13 << 40, 0), (6, 6), (i64::MIN, 5)] {
        let [product, expected] = [x.mul_small(large)?, x.mul_small(small)?];
        assert_eq!(product.noise_budget(), expected.noise_budget(), "{large}");
        let residues = values.iter().map(|&x| (i128::from(x) * i128::from(large)).rem_euclid(13) as u64);
        assert_eq!(client.decrypt(&product)?, residues.collect::<Vec<_>>(), "{large}");
    }
    Ok(())
}
