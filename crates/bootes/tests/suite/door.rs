//! One program for both engines, over a socket: two tables on two columns, a weighted sum, a threshold table.
use bootes::{Ciphertexts, Client, Engine, Error, KeyNeeds, Lut, Params, Server};
use std::net::{TcpListener, TcpStream};

type Outcome = Result<(), Box<dyn std::error::Error>>;

#[path = "../../examples/scoring/model.rs"]
mod scoring;

fn reversed() -> Result<Lut, Error> {
    Ok(Lut::modular((0..16).rev().collect(), 16)?)
}

#[test]
fn one_program_for_both_engines() -> Outcome {
    for (set, engine) in [("toy_4", Engine::Fhew), ("toy_batch_4bit", Engine::Ckks)] {
        let params = Params::named(set)?;
        assert_eq!(params.engine(), engine);
        let client = Client::generate(&params)?;
        let columns = scoring::rows(200);
        let columns = [&columns[0][..], &columns[1][..]];
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let stream = TcpStream::connect(listener.local_addr()?)?;
        let results = std::thread::scope(|scope| {
            let server = scope.spawn(|| {
                let (stream, _) = listener.accept().expect("a client");
                scoring::serve(&stream).map_err(|error| error.to_string())
            });
            let results = scoring::ask(&client, &stream, columns);
            server.join().expect("no panic")?;
            results
        })?;
        assert_eq!(results, scoring::plain(columns), "{set}");
        assert!((1..200).contains(&results.iter().sum::<u64>()));
    }
    Ok(())
}

/// Of fresh ciphertexts, results and sums, each limb of integers; and what is refused.
#[test]
fn noise_is_measured_within_its_bound() -> Outcome {
    let client = Client::from_seed(&Params::named("toy_int16")?, &[9; 32]);
    let server = Server::new(client.server_key()?)?;
    let within = |ciphertexts: &Ciphertexts, values: &[u64]| -> Outcome {
        let noise = client.measure_noise(ciphertexts, values)?;
        assert_eq!(noise.len(), ciphertexts.ciphertexts());
        let bound = ciphertexts.noise_variance();
        // Ten standard deviations: that never happens.
        assert!(noise.iter().all(|e| e.powi(2) < 100.0 * bound), "{noise:?}, bound {bound:e}");
        // And the noise is that of these ciphertexts.
        assert!(noise.iter().any(|e| e.powi(2) > 1e-4 * bound), "{noise:?}, bound {bound:e}");
        Ok(())
    };
    let values = [0, 3, 9, 15, 15, 1, 2, 8];
    let fresh = client.encrypt(&values)?;
    within(&fresh, &values)?;
    within(&fresh.add(&fresh)?, &values.map(|x| 2 * x % 16))?;
    within(&server.evaluate(reversed()?, &fresh)?, &values.map(|x| 15 - x))?;
    let integers = [-5i64, 1 << 30, -1 << 31, 7];
    within(&client.encrypt_integers(&integers, 32)?, &integers.map(|x| x as u64))?;

    let values = Client::from_seed(&Params::named("toy_batch_4bit")?, &[9; 32]).encrypt(&values)?;
    let growth = values.mul_small(2)?.noise_variance() / values.noise_variance();
    assert!((growth - 4.0).abs() < 1e-9, "{growth}");
    Ok(())
}

#[test]
fn additional_keys_are_those_asked_for() -> Outcome {
    let client = Client::from_seed(&Params::named("toy_8")?, &[11; 32]);
    let ring = |degree| KeyNeeds { rings: vec![degree], ..KeyNeeds::default() };
    let key = client.server_key_builder().additional(ring(2048)).additional(ring(1024)).build()?;
    assert_eq!(key.additional().rings, [1024, 2048]);
    for degree in [0, 512, 1000, 1536, 1 << 18, usize::MAX, 1 << 63] {
        let refused = client.server_key_builder().additional(ring(degree)).build().map(drop);
        assert!(matches!(refused, Err(Error::Lattice(_))), "{degree}: {refused:?}");
    }
    Ok(())
}
