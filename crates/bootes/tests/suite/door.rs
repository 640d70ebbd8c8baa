//! One program for both engines, over a socket: two tables on two columns, a weighted sum, a threshold table.
use bootes::{Ciphertexts, Client, Engine, Error, Function, IntegerOp, KeyNeeds, Lut, Params, Server, ServerKey};
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

#[test]
fn plans_are_used_again_and_refuse_what_they_were_not_made_for() -> Outcome {
    for set in ["toy_4", "toy_batch_4bit"] {
        let client = Client::from_seed(&Params::named(set)?, &[1; 32]);
        let server = Server::builder(client.server_key()?).threads(2).progress(|done| assert!(done <= 1.0)).build()?;
        let fresh = client.encrypt(&[1, 2, 3])?;
        let luts = [Lut::modular((0..16).rev().collect(), 16)?, Lut::modular((0..16).collect(), 16)?];
        let plan = server.plan(&luts[..], &fresh)?;
        assert!(plan.log2_p_fail() <= -63.9 && plan.seconds(100)? > 0.0 && !plan.to_string().is_empty());
        for values in [[4, 5, 6], [15, 0, 1]] {
            let results = server.run(&plan, &client.encrypt(&values)?)?;
            let results = results.iter().map(|result| client.decrypt(result)).collect::<Result<Vec<_>, _>>()?;
            assert_eq!(results, [values.map(|x| 15 - x), values]);
        }
        // More noise, another modulus, another engine.
        let sum = (0..5).try_fold(fresh.clone(), |sum, _| sum.add(&fresh))?;
        assert!(matches!(server.run(&plan, &sum), Err(Error::PlanNoise { .. } | Error::PlanBound { .. })), "{set}");
        assert!(matches!(server.run(&plan, &client.encrypt_modulo(&[1], 8)?), Err(Error::PlanSpace { .. })), "{set}");
        assert!(matches!(server.evaluate(Function::Tables(luts.to_vec()), &fresh), Err(Error::SeveralResults { .. })));
        assert!(matches!(server.evaluate(IntegerOp::Max, &fresh), Err(Error::OperandCount { .. })));
        assert!(server.evaluate(IntegerOp::Sign, &fresh).is_err());
        assert_eq!(client.decrypt(&server.evaluate(&luts[..1], &fresh)?)?, [14, 13, 12]);
        assert!(server.plan(Vec::<Lut>::new(), &fresh).is_err());
    }
    Ok(())
}

#[test]
fn engines_are_not_mixed() -> Outcome {
    let client = |set| Ok::<_, Error>(Client::from_seed(&Params::named(set)?, &[2; 32]));
    let (one, other) = (client("toy_4")?, client("toy_batch_4bit")?);
    let (x, y) = (one.encrypt(&[1])?, other.encrypt(&[1])?);
    assert!(matches!(x.add(&y), Err(Error::OtherEngine { .. })));
    assert!(matches!(one.decrypt(&y), Err(Error::OtherEngine { .. })));
    let server = Server::new(one.server_key()?)?;
    assert!(matches!(server.evaluate(&reversed()?, &y), Err(Error::OtherEngine { .. })));
    assert!(matches!(other.encrypt_integers(&[-1], 3), Err(Error::NotForIntegers { .. })));
    assert!(matches!(y.linear_map(&[[1]]), Err(Error::NotWith { .. })));
    Ok(())
}

#[test]
fn objects_are_saved_and_loaded_whole() -> Outcome {
    let directory = tempfile::tempdir()?;
    let path = |name: &str| directory.path().join(name);
    for set in ["toy_4", "toy_batch_4bit"] {
        let client = Client::generate(&Params::named(set)?)?;
        client.save(path("client.key"))?;
        client.server_key()?.save(path("server.key"))?;
        client.encrypt(&[7, 9])?.save(path("x"))?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(std::fs::metadata(path("client.key"))?.permissions().mode() & 0o777, 0o600);
        }
        let again = Client::load(path("client.key"))?;
        let server = Server::new(ServerKey::load(path("server.key"))?)?;
        let results = server.evaluate(&reversed()?, &Ciphertexts::load(path("x"))?)?;
        assert_eq!(again.decrypt(&results)?, [8, 6]);
        // What was there stays where nothing can be written, and nothing else is left.
        let missing = client.save(path("no").join("client.key")).unwrap_err().to_string();
        assert!(missing.contains("client.key"), "{missing}");
        let wrong = ServerKey::load(path("x")).map(drop).unwrap_err();
        assert!(matches!(&wrong, Error::InFile { .. }) && wrong.to_string().contains("x: "), "{wrong}");
        assert!(matches!(Client::load(path("x")), Err(Error::InFile { .. })));
        assert!(matches!(Ciphertexts::load(directory.path()), Err(Error::File { .. })));
        let whole = std::fs::read(path("x"))?;
        std::fs::write(path("x"), [&whole[..], b"!"].concat())?;
        assert!(Ciphertexts::load(path("x")).unwrap_err().to_string().contains("too long"));
        let key = std::fs::read(path("server.key"))?;
        let half = key.len() / 2 + 3;
        std::fs::write(path("server.key"), &key[..half])?;
        let truncated = ServerKey::load(path("server.key")).map(drop).unwrap_err().to_string();
        assert!(truncated.contains("server.key") && truncated.contains(&half.to_string()), "{truncated}");
        assert_eq!(std::fs::read_dir(directory.path())?.count(), 3);
    }
    Ok(())
}

/// An object ends where it ends: what follows on a stream is not touched.
#[test]
fn objects_follow_each_other_on_a_stream() -> Outcome {
    for set in ["toy_4", "toy_batch_4bit"] {
        let client = Client::generate(&Params::named(set)?)?;
        let key = client.server_key()?.write(Vec::new())?;
        let x = client.encrypt(&[3])?;
        let y = Server::new(ServerKey::read(&key[..])?)?.evaluate(&reversed()?, &x)?;
        let stream = [key, x.write(Vec::new())?, y.write(Vec::new())?, b"rest".to_vec()].concat();
        let mut input = &stream[..];
        let server = Server::new(ServerKey::read(&mut input)?)?;
        let [x, y] = [Ciphertexts::read(&mut input)?, Ciphertexts::read(&mut input)?];
        assert_eq!((input, server.key_id()), (&b"rest"[..], client.key_id()), "{set}");
        assert_eq!([client.decrypt(&x)?, client.decrypt(&y)?], [vec![3], vec![12]]);
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

    assert!(matches!(client.measure_noise(&fresh, &[0]), Err(Error::Lengths { left: 8, right: 1, .. })));
    let stranger = Client::from_seed(&Params::named("toy_int16")?, &[10; 32]);
    assert!(matches!(stranger.measure_noise(&fresh, &values), Err(Error::OtherKey { .. })));
    let batch = Client::from_seed(&Params::named("toy_batch_4bit")?, &[9; 32]);
    assert!(matches!(batch.measure_noise(&fresh, &values), Err(Error::OtherEngine { .. })));
    let values = batch.encrypt(&values)?;
    assert!(matches!(batch.measure_noise(&values, &[1; 8]), Err(Error::NotWith { .. })));
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
    let batch = Client::from_seed(&Params::named("toy_batch_4bit")?, &[11; 32]);
    let refused = batch.server_key_builder().additional(ring(1024)).build().map(drop);
    assert!(matches!(refused, Err(Error::NotWith { .. })), "{refused:?}");
    Ok(())
}
