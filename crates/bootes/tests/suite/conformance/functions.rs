//! Every function of the door.
use super::*;

#[test]
fn functions_are_evaluated_or_refused() -> Outcome {
    for case in cases()? {
        let (Case { session: s, function, expected, .. }, Some(plan)) = (&case, case.plan()) else { continue };
        assert_eq!((plan.engine(), plan.function().operands()), (s.fixture.engine, case.inputs.len()));
        assert!(plan.log2_p_fail() <= s.client.params().log2_p_fail() && !plan.algorithms().is_empty(), "{plan}");
        assert!(!plan.to_string().is_empty() && plan.seconds(1000)? > 0.0, "{plan}");
        let decrypted =
            |found: &[Ciphertexts]| found.iter().map(|x| s.client.decrypt(x)).collect::<Result<Vec<_>, _>>();
        let found = s.server.run(&plan, case.inputs())?;
        assert_eq!(&decrypted(&found)?, expected, "{function:?}");
        let spaces: Vec<_> = found.iter().map(Ciphertexts::space).collect();
        assert_eq!(spaces, plan.out_spaces(), "{plan}");
        match expected.len() {
            1 => assert_eq!(&decrypted(&[s.server.evaluate(function, case.inputs())?])?, expected),
            _ => refused!(s.server.evaluate(function, case.inputs()), Error::SeveralResults { .. }),
        }
        // Results are operands.
        assert!(found.iter().all(|x| x.add_constant(0).is_ok() && x.noise_budget() >= 0.0));
    }
    Ok(())
}

/// What is written is what is evaluated in memory.
#[test]
fn functions_go_from_file_to_file() -> Outcome {
    for case in cases()? {
        let Some(plan) = case.plan() else { continue };
        let (s, inputs) = (case.session, case.inputs());
        let found = s.server.run(&plan, inputs.iter().copied())?;
        for (written, found) in case.stream(&s.server, &plan)?.iter().zip(&found) {
            let read = Ciphertexts::read(&written[..])?;
            assert_eq!((read.space(), read.len()), (found.space(), found.len()));
            let reader = CiphertextReader::new(&written[..])?;
            assert_eq!(s.client.decrypt_from(reader)?, s.client.decrypt(found)?);
        }
        let files = case.files()?;
        refused!(s.server.run_to(&plan, readers(&files)?, vec![Vec::new(); 3]), Error::ResultCount { expected: 3, .. });
        let more = [&files[..], &files].concat();
        let more = s.server.run_to(&plan, readers(&more)?, vec![Vec::new(); case.expected.len()]);
        refused!(more, Error::OperandCount { .. });
        refused!(s.server.run_to(&plan, vec![], vec![Vec::new()]), Error::NoValues);
    }
    Ok(())
}

/// Room for sums, where tables have other outputs than inputs.
#[test]
fn residues_are_widened() -> Outcome {
    with_each(|s| {
        let values: Vec<u64> = s.many().iter().map(|x| x % 8).collect();
        let x = s.client.encrypt_bits(&values, 3).or_else(|_| s.client.encrypt(&values))?;
        let Some(wide) = s.with(Has::Outputs, s.server.evaluate(Function::Widen(4), &x)) else { return Ok(()) };
        assert_eq!((wide.space().bits(), s.client.decrypt_residues(&wide)?), (4, values.clone()));
        assert_eq!(s.client.decrypt_residues(&wide.mul_small(2)?)?, values.iter().map(|x| 2 * x).collect::<Vec<_>>());
        refused!(s.server.plan(Function::Widen(2), &x), Error::Overflow { .. });
        refused!(s.server.plan(Function::Widen(0), &x), Error::Overflow { .. } | Error::Lut(_));
        refused!(s.server.plan(Function::Widen(60), &x), Error::Lut(_));
        refused!(s.server.plan(Function::Digits(0), &x), Error::Lut(LutError::Ckks(CkksLutError::Digits { .. })));
        refused!(s.server.plan(Function::Digits(60), &x), Error::Lut(LutError::Ckks(CkksLutError::Digits { .. })));
        Ok(())
    })
}

/// Results are inputs, of tables and of files.
#[test]
fn tables_follow_one_another() -> Outcome {
    with_each(|s| {
        let (table, mut values) = (s.table(|x| 3 * x * x + 5 * x + 1)?, s.many());
        let mut x = s.client.encrypt(&values)?;
        for _ in 0..3 {
            x = s.server.evaluate(&table, &x)?.add(&reread(&x)?)?.sub(&s.client.encrypt(&values)?)?;
            values = s.each(&values, |x| 3 * x * x + 5 * x + 1);
            assert_eq!(s.client.decrypt_residues(&x)?, values);
        }
        Ok(())
    })
}

#[test]
fn products_and_rotations_are_programs() -> Outcome {
    with_each(|s| {
        let (client, server, p) = (&s.client, &s.server, s.fixture.p);
        let [x, y] = [client.encrypt([1, 2, 200 % p])?, client.encrypt([3, 4, 5])?];
        let results = [
            server.multiply(&x, &y),
            server.rotate(&x, 1),
            server.sum_slots(&x),
            server.inner_product(&x, &y),
            server.evaluate(Program::parse("x*y - 2*rot(x, 1)", &[])?, [&x, &y]),
        ];
        let expected = [3, 2, 203, 1011, 3 - 4].map(|y: i64| y.rem_euclid(p as i64) as u64);
        for (result, expected) in results.into_iter().zip(expected) {
            let found = s.with(Has::Programs, result).map(|result| client.decrypt_residues(&result)).transpose()?;
            assert!(found.is_none_or(|found| found[0] == expected));
        }
        // Of several ciphertexts those that move nothing.
        let many = client.encrypt(s.many())?;
        if let Some(square) = s.with(Has::Programs, server.multiply(&many, &many)) {
            assert_eq!(client.decrypt_residues(&square)?, s.each(&s.many(), |x| x * x));
            refused!(server.rotate(&many, 1), Error::Bfv(BfvError::Vector { .. }));
        }
        // A number that no input has a part in.
        let mut program = Program::new();
        let constant = program.constant(3);
        program.output(constant);
        refused!(server.evaluate(program, []), Error::NotWith { .. } | Error::OperandCount { .. });
        Ok(())
    })
}

#[test]
fn tables_of_other_entries_are_refused() -> Outcome {
    with_each(|s| {
        let (server, p) = (&s.server, s.fixture.p);
        let x = s.client.encrypt([1, 2])?;
        for entries in [2, p - 1, p + 1, 2 * p] {
            let lut = Lut::modular(vec![0; entries as usize], p)?;
            for plan in [server.plan(&lut, &x), server.plan(&[lut.clone(), lut][..], &x)] {
                match s.fixture.engine {
                    // What no ciphertext of the set takes.
                    Engine::Ckks if entries > p => refused!(plan, Error::Lut(LutError::TooWide { .. })),
                    _ => refused!(plan, Error::InputModulus { .. } | Error::InputBits { .. }),
                }
            }
        }
        refused!(server.plan(Vec::<Lut>::new(), &x), Error::ResultCount { found: 0, expected: 1 });
        refused!(server.evaluate(Vec::<Lut>::new(), &x), Error::ResultCount { found: 0, expected: 1 });
        let lut = s.table(|x| x)?;
        refused!(server.evaluate(&lut, [&x, &x]), Error::OperandCount { found: 2, expected: 1, .. });
        refused!(server.evaluate(&lut, []), Error::OperandCount { found: 0, expected: 1, .. });
        refused!(server.evaluate(IntegerOp::Max, &x), Error::OperandCount { found: 1, expected: 2, .. });
        Ok(())
    })
}
