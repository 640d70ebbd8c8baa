//! Continuous functions at the door: results within the stated bound of the function.
use bootes::{
    Ciphertexts, Client, Continuous, Error, Function, IntegerOp, Lut, Params, PlanRequest, Server, Space, SpaceError,
};

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn pair(set: &str) -> Result<(Client, Server), Error> {
    let client = Client::from_seed(&Params::named(set)?, &[5; 32]);
    let server = Server::new(client.server_key()?)?;
    Ok((client, server))
}

/// 0 to 60, steepest in the middle of 0 to 255.
fn sigmoid(x: f64) -> f64 {
    60.0 / (1.0 + (-(x - 127.5) / 32.0).exp())
}

/// Every residue modulo 256, by two rotations; every integer of half as many, by one.
#[test]
fn a_sigmoid_is_within_its_bound() -> Outcome {
    let (client, server) = pair("toy_8")?;
    let all: Vec<u64> = (0..256).collect();
    let half: Vec<u64> = (0..128).collect();
    let residues = client.encrypt(&all)?;
    let integers = client.encrypt_unsigned(&half, 7)?;
    for count in [256, 9] {
        let function = Continuous::sampled(0..=255, count, 7, sigmoid)?;
        assert_eq!(function.interpolation_error() > 0.0, count == 9);
        assert!(function.interpolation_error() < 2.0);
        for (inputs, rotations) in [(&residues, 2), (&integers, 1)] {
            let plan = server.plan(&function, inputs)?;
            assert_eq!(plan.to_string().matches("a continuous function by").count(), rotations, "{plan}");
            let bound = plan.error_bound().ok_or("no bound")?;
            assert!(plan.log2_p_fail() <= -32.0 && bound < 1.0 + function.interpolation_error());
            let results = server.run(&plan, inputs)?.remove(0);
            let results = Ciphertexts::read(&results.write(Vec::new())?[..])?;
            let decrypted = client.decrypt(&results)?;
            assert_eq!(decrypted.len(), inputs.len());
            for (x, result) in decrypted.into_iter().enumerate() {
                let error = (result as f64 - sigmoid(x as f64)).abs();
                assert!(error <= bound, "{x}: {result}, off by {error} of {bound}; {plan}");
            }
        }
    }
    Ok(())
}

/// The noise of results is the predicted, so that the bound is one: measured from the function itself.
#[test]
fn the_noise_is_the_predicted() -> Outcome {
    let client = Client::from_seed(&Params::named("toy_8")?, &[6; 32]);
    let server = Server::new(client.server_key()?)?;
    // Integers in integers: what is measured is noise alone.
    let function = Continuous::of_knots(&[(0, 0.0), (255, 102.0)], 8)?;
    let values: Vec<u64> = (0..260).map(|i| 5 * (i % 52)).collect();
    let fresh = client.encrypt(&values)?;
    let plan = server.plan(&function, &fresh)?;
    let results = server.run(&plan, &fresh)?.remove(0);
    let expected: Vec<u64> = values.iter().map(|x| 2 * x / 5).collect();
    assert_eq!(client.decrypt_residues(&results)?, expected);
    let noise = client.measure_noise(&results, &expected)?;
    let measured = noise.iter().map(|e| e * e).sum::<f64>() / noise.len() as f64;
    let predicted = plan.prediction(1)?.output_std.ok_or("no prediction")?;
    let ratio = measured / predicted.powi(2);
    assert!((0.5..1.4).contains(&ratio), "{ratio} of the predicted");
    // No more noise than decryption bears: none is left for x + x, of one origin.
    assert!(matches!(results.add(&results), Err(Error::NoiseBudget { .. })));
    Ok(())
}

#[test]
fn negative_values_odd_moduli_and_parts_of_the_domain() -> Outcome {
    let (client, server) = pair("toy_8")?;
    let wave = |x: f64| 9.0 * (x / 5.0).sin();
    let signed = client.encrypt_integers((-32..32).collect::<Vec<_>>(), 6)?;
    let odd = client.encrypt_modulo((0..27).collect::<Vec<_>>(), 27)?;
    for (inputs, from, function) in
        [(&signed, -32, Continuous::new(-40..=40, 6, wave)?), (&odd, 0, Continuous::new(0..=26, 6, wave)?)]
    {
        let plan = server.plan(&function, inputs)?;
        let bound = plan.error_bound().ok_or("no bound")?;
        let results = server.run(&plan, inputs)?.remove(0);
        for (x, result) in (from..).zip(client.decrypt(&results)?) {
            assert!((result as f64 - wave(f64::from(x))).abs() <= bound, "{x}: {result}; {plan}");
        }
        let request: PlanRequest = serde_json::from_str(&serde_json::to_string(&plan)?)?;
        let again = server.plan_again(&request)?;
        assert!((again.error_bound().ok_or("no bound")? - bound).abs() < 1e-9);
    }
    Ok(())
}

/// Approximate integers are added, and know what they are; tables do not take them.
#[test]
fn results_are_approximate() -> Outcome {
    let (client, server) = pair("toy_8")?;
    let x = client.encrypt_unsigned([10, 60, 100], 7)?;
    let third = Continuous::new(0..=127, 8, |x| x / 3.0)?;
    let results = server.evaluate(&third, &x)?;
    let mixed = client.encrypt_within([1, 2, 3], 0..=3, 7)?;
    let row = Ciphertexts::linear_columns([&mixed, &results], &[[1, 1]])?.remove(0);
    let reread = Ciphertexts::read(&results.write(Vec::new())?[..])?;
    let all = Ciphertexts::concat([&mixed, &results])?;
    for sum in [&results, &results.add(&mixed)?, &mixed.sub(&results)?, &row, &reread, &all, &results.slice(1..)?] {
        let Space::Integers(integers) = sum.space() else { return Err("residues".into()) };
        assert!(integers.is_approximate() && sum.space().to_string().starts_with("approximate integers"));
        for refused in [
            server.plan(Function::Widen(8), sum).map(drop),
            server.plan(IntegerOp::Sign, sum).map(drop),
            server.plan(Lut::new(vec![0; 256], 1)?, sum).map(drop),
            server.plan(&third, sum).map(drop),
            sum.as_residues().map(drop),
            sum.as_integers(0..=15).map(drop),
        ] {
            assert!(matches!(refused, Err(Error::Space(SpaceError::Approximate { .. }))), "{refused:?}");
        }
    }
    for (sum, expected) in [(&row, [4.33, 22.0, 36.33]), (&reread, [3.33, 20.0, 33.33])] {
        let decrypted = client.decrypt(sum)?;
        assert!(decrypted.iter().zip(expected).all(|(&x, y)| (x as f64 - y).abs() < 1.0), "{decrypted:?}");
    }
    // A plan for exact integers does not take them either.
    let like = client.encrypt_within([0], 0..=43, 7)?;
    let plan = server.plan(&Continuous::new(0..=43, 7, |x| x)?, &like)?;
    assert!(matches!(server.run(&plan, &reread), Err(Error::Plan(_))));
    Ok(())
}

#[test]
fn what_is_no_continuous_function_is_refused() -> Outcome {
    let refused = |made: Result<Continuous, Error>| matches!(made, Err(Error::Continuous { .. }));
    assert!(refused(Continuous::new(0..=0, 4, |x| x)));
    assert!(refused(Continuous::new(0..=65536, 20, |x| x)));
    assert!(refused(Continuous::new(i128::MIN..=i128::MAX, 4, |x| x)));
    assert!(refused(Continuous::new(0..=3, 4, |_| f64::NAN)));
    assert!(refused(Continuous::new(0..=3, 40, |x| x)));
    assert!(refused(Continuous::of_knots(&[], 4)));
    assert!(refused(Continuous::of_knots(&[(3, 1.0), (1, 2.0)], 4)));
    assert!(matches!(Continuous::new(0..=3, 4, |x| 10.0 * x), Err(Error::Room { .. })));
    let (client, server) = pair("toy_4")?;
    let x = client.encrypt([1])?;
    assert!(matches!(server.plan(Continuous::new(0..=7, 4, |x| x)?, &x), Err(Error::Domain { .. })));
    // Too steep for the noise.
    let steep = Continuous::of_knots(&[(0, 0.0), (7, 0.0), (8, 900.0), (15, 900.0)], 10)?;
    assert!(server.plan(steep, &x).is_err());
    Ok(())
}
