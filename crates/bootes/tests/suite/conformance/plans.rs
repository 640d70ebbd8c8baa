//! Plans are made once, kept, used again, and refuse what they were not made for.
use super::*;

#[test]
fn plans_are_used_again() -> Outcome {
    with_each(|s| {
        let (client, server) = (&s.client, &s.server);
        let luts = [s.table(|x| 15 - x)?, s.table(|x| x)?];
        let fresh = client.encrypt([1, 2, 3])?;
        let plan = server.plan(&luts[..], &fresh)?;
        assert!(plan.seconds(100)? > 0.0 && plan.prediction(100)?.memory.peak() > 0);
        assert!(plan.seconds(usize::MAX)? > plan.seconds(100)?);
        // Of other values, and of more of them; by another server of the same keys, or of others.
        let other = Session::of(s.fixture, s.fixture.set, 3)?;
        for (client, server) in [(client, server), (client, &server.clone()), (&other.client, &other.server)] {
            for values in [&[4, 5, 6][..], &[15], &s.many()] {
                let results = server.run(&plan, &client.encrypt(values)?)?;
                assert_eq!(client.decrypt_residues(&results[0])?, s.each(values, |x| 15 - x));
                assert_eq!(client.decrypt_residues(&results[1])?, values);
            }
        }
        assert_eq!(client.decrypt_residues(&server.evaluate(&luts[..1], &fresh)?)?, s.each(&[1, 2, 3], |x| 15 - x));
        // Less noise than it was made for, and more.
        let noisy = fresh.add(&client.encrypt([1, 0, 1])?)?;
        let plan = server.plan(&luts[0], &noisy)?;
        assert_eq!(client.decrypt(&server.run(&plan, &noisy)?[0])?, [13, 13, 11]);
        assert_eq!(client.decrypt(&server.run(&plan, &fresh)?[0])?, [14, 13, 12]);
        let noisier = noisy.mul_small(2)?;
        refused!(server.run(&plan, &noisier), Error::Plan(PlanError::Noise { .. } | PlanError::Bound { .. }));
        // Other numbers of operands.
        refused!(server.run(&plan, [&fresh, &fresh]), Error::OperandCount { found: 2, expected: 1, .. });
        refused!(server.run(&plan, []), Error::OperandCount { found: 0, expected: 1, .. });
        if let Some(other) = s.with(Has::Moduli, client.encrypt_modulo([1], 8)) {
            refused!(server.run(&plan, &other), Error::Plan(PlanError::Space { .. }));
        }
        Ok(())
    })
}

/// What is known before there is a key.
#[test]
fn tables_are_predicted() -> Outcome {
    with_each(|s| {
        let (params, table, load) = (s.client.params(), s.table(|x| x * x)?, Load { threads: 1, ..Load::of(1000) });
        let found = params.predict(&table, &load)?;
        assert!(found.log2_p_fail <= params.log2_p_fail() && found.seconds > 0.0 && found.capacity == s.capacity());
        // Polynomials of toy rings are padded in memory, which is counted.
        let stored = s.client.server_key()?.stored_bytes();
        assert!(found.key_bytes.abs_diff(stored) < stored / 10, "{} {stored}", found.key_bytes);
        let candidates = params.candidates(&table, &load);
        assert!(candidates.iter().any(|one| one.outcome.as_ref().is_ok_and(|one| one.seconds <= found.seconds)));
        let little = Load { memory: Some(1000), ..load };
        refused!(params.predict(&table, &little), Error::Memory { available: 1000, .. });
        let masks = params.masks_for(&Function::from(&table), Space::Modular(table.in_modulus()), &load)?;
        assert_eq!(masks.is_some(), params.engine().has_masks());
        refused!(params.check_key_memory(Some(1000)), Error::Memory { available: 1000, .. });
        // Of any number of values and threads; sizes end at the last of 64 bits.
        for (values, threads) in [(usize::MAX, usize::MAX), (usize::MAX, 1), (1 << 60, 1), (70_000, usize::MAX)] {
            let many = params.predict(&table, &Load { threads, ..Load::of(values) })?;
            assert!(many.seconds.is_finite() && many.memory.peak() >= found.memory.keys, "{values} {threads}");
            assert!(many.input_bytes > found.input_bytes && many.result_bytes > found.result_bytes);
        }
        Ok(params.check(&table)?)
    })
}

#[test]
fn plans_of_other_parameters_are_refused() -> Outcome {
    with_each(|s| {
        let other = Session::of(s.fixture, s.fixture.other, 1)?;
        let x = s.client.encrypt([1])?;
        let y = other.client.encrypt([1])?;
        let p = other.client.params().modulus().unwrap_or(1 << other.client.params().bits());
        let plan = other.server.plan(Lut::modular((0..p).collect(), p)?, &y)?;
        refused!(s.server.run(&plan, &x), Error::OtherParams { .. });
        refused!(s.server.run(&plan, &y), Error::OtherParams { .. });
        let plan = s.server.plan(&s.table(|x| x)?, &x)?;
        refused!(s.server.run(&plan, &y), Error::OtherParams { .. });
        for other in SESSIONS.iter().filter(|other| other.fixture.engine != s.fixture.engine) {
            refused!(other.server.run(&plan, &x), Error::OtherEngine { .. });
            let y = other.client.encrypt([1])?;
            refused!(other.server.run(&plan, &y), Error::OtherEngine { .. });
            refused!(s.server.run(&plan, &y), Error::OtherEngine { .. });
            let (x, out) = (bytes(&x)?, Vec::new());
            refused!(
                other.server.run_to(&plan, vec![CiphertextReader::new(&x[..])?], vec![out]),
                Error::OtherEngine { .. }
            );
        }
        Ok(())
    })
}

fn kept(plan: &Plan) -> serde_json::Result<PlanRequest> {
    serde_json::from_str(&serde_json::to_string(plan)?)
}

/// What is kept gives the same plan again.
#[test]
fn plans_are_kept() -> Outcome {
    for case in cases()? {
        let Some(plan) = case.plan() else { continue };
        let (s, inputs) = (case.session, case.inputs());
        // What is larger than its plan.
        if matches!(case.function, Function::PerSlot(_) | Function::Encrypted(_)) {
            refused!(plan.request(), Error::NotWith { .. });
            assert!(kept(&plan).is_err());
            continue;
        }
        let request = kept(&plan)?;
        assert!(*request.params() == s.client.params());
        let again = s.server.plan_again(&request)?;
        // Numbers are called tables, which they are.
        if !matches!(case.function, Function::Complex(_)) {
            assert_eq!(again.to_string(), plan.to_string());
        }
        assert_eq!((again.algorithms(), again.log2_p_fail()), (plan.algorithms(), plan.log2_p_fail()));
        let found = s.server.run(&again, inputs.iter().copied())?;
        let found = found.iter().map(|x| s.client.decrypt(x)).collect::<Result<Vec<_>, _>>()?;
        assert_eq!(found, case.expected);
        let Ok(noisy) = inputs[0].mul_small(2) else { continue };
        // Digits of engine ckks find what they promise when they are evaluated.
        if !matches!((&case.function, s.fixture.engine), (Function::Digits(_), Engine::Ckks)) {
            assert!(s.server.run(&again, vec![&noisy; inputs.len()]).is_err());
        }
        let other = SESSIONS.iter().find(|other| other.fixture.set != s.fixture.set).ok_or("another")?;
        refused!(other.server.plan_again(&request), Error::OtherParams { .. });
    }
    Ok(())
}
