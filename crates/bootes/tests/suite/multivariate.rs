//! Tables of several values, operands of every kind.
use bootes::planner::{Offer, Request, choose};
use bootes::{
    Ciphertexts, Client, Engine, Error, ErrorKind, FailureTarget, Load, Lut, LutError, MultivariateLut, Params, Server,
    Space,
};

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn pair(set: &str) -> Result<(Client, Server), Error> {
    let client = Client::generate(&Params::named(set)?)?;
    let server = Server::new(client.server_key()?)?;
    Ok((client, server))
}

/// The table of residues of f, on values of these sizes.
fn residues(sizes: &[u64], modulus: u64, f: impl Fn(&[u64]) -> u64) -> Result<MultivariateLut, LutError> {
    let values = MultivariateLut::images(sizes, |x| f(x) % modulus);
    MultivariateLut::new(sizes, Lut::modular(values, modulus)?)
}

/// Every combination of values of these sizes, a vector an operand.
fn all(sizes: &[u64]) -> Vec<Vec<u64>> {
    let rows = MultivariateLut::images(sizes, <[u64]>::to_vec);
    (0..sizes.len()).map(|i| rows.iter().map(|row| row[i]).collect()).collect()
}

#[test]
fn residues_of_any_moduli() -> Outcome {
    let (client, server) = pair("toy_4")?;
    for sizes in [&[4, 4][..], &[2, 8], &[8, 2], &[3, 5], &[2, 3, 2], &[2, 2, 2, 2]] {
        let f = |x: &[u64]| x.iter().fold(1, |sum, &x| sum * 3 + x * x);
        let table = residues(sizes, 16, f)?;
        let columns = all(sizes);
        let operands = columns.iter().zip(sizes).map(|(column, &p)| client.encrypt_modulo(column.iter().copied(), p));
        let operands = operands.collect::<Result<Vec<_>, _>>()?;
        let results = server.evaluate(&table, &operands)?;
        let expected = MultivariateLut::images(sizes, |x| f(x) % 16);
        assert_eq!(client.decrypt_residues(&results)?, expected, "{sizes:?}");
        // All but the first operand are bootstrapped before.
        let plan = server.plan(&table, &operands)?;
        assert!(plan.rotations() >= Some(sizes.len()) && plan.log2_p_fail() <= -64.0, "{sizes:?}: {plan}");
    }
    Ok(())
}

#[test]
fn integers_with_room_are_packed_as_they_are() -> Outcome {
    let (client, server) = pair("toy_4")?;
    let columns = all(&[4, 4]);
    let encrypt = |column: &Vec<u64>| client.encrypt_within(column.iter().map(|&x| x as i64), 0..=3, 3);
    let operands = [encrypt(&columns[0])?, encrypt(&columns[1])?];
    let differences = MultivariateLut::images(&[4, 4], |x| x[0] as i64 - x[1] as i64);
    let table = MultivariateLut::new(&[4, 4], Lut::new(differences.clone(), 4)?)?;
    let plan = server.plan(&table, [&operands[0], &operands[1]])?;
    let results = &server.run(&plan, [&operands[0], &operands[1]])?[0];
    assert_eq!(client.decrypt(results)?, differences);
    assert_eq!(results.space().range(), (-3..=3).into());
    // No more rotations than a table of one value.
    let whole = server.plan(Lut::unstructured(4), &client.encrypt([0])?)?;
    assert!(plan.rotations() <= whole.rotations(), "{plan}{whole}");
    Ok(())
}

/// Residues beside integers, in any order, on sets that take all of them in one message and on those that do not.
#[test]
fn residues_beside_integers_are_not_reduced_with_them() -> Outcome {
    let mut evaluated = 0;
    for set in ["toy_4", "toy_8", "toy_bits", "toy_int16"] {
        let (client, server) = pair(set)?;
        // The size of each, and whether they are residues.
        let kinds: [&[(u64, bool)]; 8] = [
            &[(8, false), (4, true)],
            &[(4, true), (8, false)],
            &[(4, false), (7, true)],
            &[(7, true), (4, false)],
            &[(4, false), (4, false), (4, true)],
            &[(4, false), (8, true), (4, false)],
            &[(32, false), (16, true)],
            &[(16, true), (32, false)],
        ];
        for kinds in kinds {
            let sizes: Vec<u64> = kinds.iter().map(|(size, _)| *size).collect();
            let f = |x: &[u64]| x.iter().fold(0, |sum, &x| 3 * sum + x) % 4;
            let table = MultivariateLut::new(&sizes, Lut::new(MultivariateLut::images(&sizes, f), 2)?)?;
            let rows: Vec<Vec<u64>> = MultivariateLut::images(&sizes, <[u64]>::to_vec).into_iter().step_by(5).collect();
            let encrypt = |(i, &(size, is_residue)): (usize, &(u64, bool))| {
                let column = rows.iter().map(|row| row[i]);
                match is_residue {
                    true => client.encrypt_modulo(column, size),
                    false => client.encrypt_within(column, 0..=i128::from(size) - 1, size.ilog2()),
                }
            };
            let Ok(operands) = kinds.iter().enumerate().map(encrypt).collect::<Result<Vec<_>, _>>() else { continue };
            let Ok(results) = server.evaluate(&table, &operands) else { continue };
            let expected: Vec<i64> = rows.iter().map(|row| f(row) as i64).collect();
            assert_eq!(client.decrypt(&results)?, expected, "{set} {kinds:?}");
            evaluated += 1;
        }
    }
    assert!(evaluated >= 16, "{evaluated}");
    Ok(())
}

#[test]
fn long_tables_are_on_digits() -> Outcome {
    let (client, server) = pair("toy_int16")?;
    let f = |x: &[u64]| (x[0] * x[1] + 7) % 997;
    for widths in [[6, 6], [4, 6]] {
        let sizes = widths.map(|width| 1 << width);
        let table = MultivariateLut::new(&sizes, Lut::new(MultivariateLut::images(&sizes, f), 10)?)?;
        let columns = [vec![0, 1, sizes[0] - 1, 9], vec![0, sizes[1] - 1, sizes[1] - 1, 5]];
        let expected: Vec<i64> = (0..4).map(|i| f(&[columns[0][i], columns[1][i]]) as i64).collect();
        let encrypt = |column: &Vec<u64>, size: u64| {
            client.encrypt_within(column.iter().map(|&x| x as i64), 0..=i128::from(size) - 1, 12)
        };
        let operands = [encrypt(&columns[0], sizes[0])?, encrypt(&columns[1], sizes[1])?];
        assert_eq!(client.decrypt(&server.evaluate(&table, [&operands[0], &operands[1]])?)?, expected, "{widths:?}");
    }
    Ok(())
}

/// Every pair of values of 9 bits together, by a tree.
#[test]
fn every_pair_of_a_tree() -> Outcome {
    let (client, server) = pair("toy_int16")?;
    let (sizes, f) = ([32, 16], |x: &[u64]| (x[0] * x[0] * 37 + x[1] * 101 + 5) % 509);
    let expected: Vec<i64> = MultivariateLut::images(&sizes, f).into_iter().map(|v| v as i64).collect();
    let table = MultivariateLut::new(&sizes, Lut::new(expected.clone(), 9)?)?;
    let encrypt = |i: usize| {
        let column = MultivariateLut::images(&sizes, |x| x[i] as i64);
        client.encrypt_within(column, 0..=i128::from(sizes[i]) - 1, 12)
    };
    let operands = [encrypt(0)?, encrypt(1)?];
    let plan = server.plan(&table, [&operands[0], &operands[1]])?;
    assert!(plan.algorithms()[0].contains("tree"), "{plan}");
    assert_eq!(client.decrypt(&server.run(&plan, [&operands[0], &operands[1]])?[0])?, expected);
    Ok(())
}

/// Results that are too long for one ciphertext are limbs, as those of a table of one value.
#[test]
fn long_results_are_in_limbs() -> Outcome {
    let (client, server) = pair("toy_int16")?;
    let columns = [vec![0, 15, 15, 7], vec![3, 15, 0, 9]];
    let encrypt = |column: &Vec<i64>| client.encrypt_within(column.iter().copied(), 0..=15, 8);
    let operands = [encrypt(&columns[0])?, encrypt(&columns[1])?];
    for (factor, bits) in [(300, 17), (-4000, 20)] {
        let f = |x: i64, y: i64| factor * x * y;
        let images = MultivariateLut::images(&[16, 16], |x| f(x[0] as i64, x[1] as i64));
        let table = MultivariateLut::new(&[16, 16], Lut::new(images, bits)?)?;
        let expected: Vec<i64> = columns[0].iter().zip(&columns[1]).map(|(&x, &y)| f(x, y)).collect();
        assert_eq!(client.decrypt(&server.evaluate(&table, [&operands[0], &operands[1]])?)?, expected, "{bits} bits");
        let request = Request { function: table.into(), space: Space::unsigned(8), target: FailureTarget::Two64 };
        request.offer_of(Params::named("toy_int16")?, &Load::of(1))?;
    }
    // So are those of residues, of one value.
    let long = Lut::new((0..16).map(|x| 60_000 * x).collect(), 20)?;
    let found = server.evaluate(&long, &client.encrypt_bits([0, 1, 15], 4)?)?;
    assert_eq!(client.decrypt(&found)?, [0, 60_000, 900_000]);
    let modular = Lut::modular((0..16).map(|x| 60_000 * x).collect(), 1 << 20)?;
    let refused = server.evaluate(&modular, &client.encrypt_bits([0, 1, 15], 4)?).expect_err("no room");
    let words = "outputs of 20 bits, and parameter set toy_int16 holds 17: take a table whose results are integers";
    assert!(refused.to_string().contains(words), "{refused}");
    Ok(())
}

/// Residues of any number of values are on digits as well: a table has entries up to a power of two.
#[test]
fn long_tables_of_residues_are_on_digits() -> Outcome {
    let (client, server) = pair("toy_int16")?;
    for sizes in [&[10, 10, 10][..], &[5, 13]] {
        let table = residues(sizes, sizes[0], |x| x.iter().fold(1, |sum, &x| sum * 3 + x * x))?;
        let columns = [[1, 4], [3, 0], [2, 4]].map(|column| column.to_vec());
        let operands = columns.iter().zip(sizes).map(|(column, &p)| client.encrypt_modulo(column.iter().copied(), p));
        let found = server.evaluate(&table, &operands.collect::<Result<Vec<_>, _>>()?)?;
        let entry = |i: usize| columns.iter().zip(sizes).fold(0, |at, (column, &size)| at * size + column[i]) as usize;
        let expected: Vec<u64> = (0..2).map(|i| table.lut().values()[entry(i)]).collect();
        assert_eq!(client.decrypt_residues(&found)?, expected, "{sizes:?}");
    }
    Ok(())
}

#[test]
fn operands_may_be_dependent_and_results() -> Outcome {
    let (client, server) = pair("toy_4")?;
    let table = residues(&[4, 4], 4, |x| x[0] * x[1])?;
    let x = client.encrypt_bits(0..4, 2)?;
    let squares = server.evaluate(&table, [&x, &x])?;
    assert_eq!(client.decrypt_residues(&squares)?, [0, 1, 0, 1]);
    let cubes = server.evaluate(&table, [&squares, &x])?;
    assert_eq!(client.decrypt_residues(&cubes)?, [0, 1, 0, 3]);
    let room = client.encrypt_within([0, 1, 2, 3], 0..=3, 3)?;
    assert_eq!(client.decrypt_residues(&server.evaluate(&table, [&room, &room])?)?, [0, 1, 0, 1]);
    // A residue and an integer.
    assert_eq!(client.decrypt_residues(&server.evaluate(&table, [&x, &room])?)?, [0, 1, 0, 1]);
    Ok(())
}

#[test]
fn what_cannot_be_is_refused() -> Outcome {
    let (client, server) = pair("toy_4")?;
    let table = residues(&[4, 4], 4, |x| x[0] + x[1])?;
    let [two, three]: [Ciphertexts; 2] = [client.encrypt_bits([1], 2)?, client.encrypt_bits([1], 3)?];
    let refused = |operands: &[&Ciphertexts]| server.evaluate(&table, operands.iter().copied()).unwrap_err();
    assert!(matches!(refused(&[&two]), Error::OperandCount { found: 1, expected: 2, .. }));
    assert!(matches!(refused(&[&two, &three]), Error::InputModulus { entries: 4, .. }));
    let negative = client.encrypt_integers([-1], 2)?;
    let error = refused(&[&two, &negative]);
    assert!(matches!(error, Error::Lut(LutError::Domain { entries: 4, .. })), "{error}");
    assert!(matches!(MultivariateLut::new(&[3, 5], Lut::unstructured(4)), Err(LutError::Sizes { entries: 16, .. })));
    assert!(MultivariateLut::new(&[16, 1], Lut::unstructured(4)).is_err());
    // What entries are expected there are.
    let error = Lut::new(vec![0, 1, -14, -13], 1).expect_err("entries of more than a bit");
    assert!(error.to_string().contains("entry 1 is 1, expected -1 to 0"), "{error}");
    assert!(MultivariateLut::new(&[1 << 63, 4], Lut::unstructured(1)).is_err());
    // More combinations than the set has messages.
    let wide = residues(&[8, 8], 4, |x| x[0])?;
    assert_eq!(server.evaluate(&wide, [&three, &three]).unwrap_err().kind(), ErrorKind::Unsupported);
    let (_, other) = pair("toy_4")?;
    assert_eq!(other.evaluate(&table, [&two, &two]).unwrap_err().kind(), ErrorKind::Mismatch);
    let (vectors, engine) = pair("toy_slots_257")?;
    let x = vectors.encrypt([1])?;
    assert_eq!(engine.evaluate(&table, [&x, &x]).unwrap_err().kind(), ErrorKind::Unsupported);
    assert!(matches!(two.space(), Space::Modular(4)));
    Ok(())
}

/// What is offered is what is planned of fresh values, in the space that it says.
#[test]
fn jobs_are_offered_before_there_are_keys() -> Outcome {
    let params = Params::named("toy_4")?;
    let (client, server) = pair("toy_4")?;
    let load = Load::of(16);
    for (sizes, space) in [
        (&[4, 4][..], Space::unsigned(4)),
        (&[2, 8], Space::unsigned(4)),
        (&[4, 4], Space::Modular(16)),
        (&[3, 5], Space::Modular(15)),
    ] {
        let table = residues(sizes, 16, |x| x[0] * 7 + x[1] * x[1])?;
        let request = Request { function: (&table).into(), space, target: FailureTarget::Two64 };
        let Offer { space, prediction, .. } = request.offer_of(params.clone(), &load)?;
        let encrypt = |(column, &size): (&Vec<u64>, &u64)| match space.integers() {
            None => client.encrypt_modulo(column.iter().copied(), size),
            Some(all) => {
                let column = column.iter().map(|&x| x as i64);
                client.encrypt_within(column, 0..=i128::from(size) - 1, all.width())
            }
        };
        let operands = all(sizes).iter().zip(sizes).map(encrypt).collect::<Result<Vec<_>, _>>()?;
        let plan = server.plan(&table, &operands)?;
        assert_eq!((plan.rotations(), plan.log2_p_fail()), (prediction.rotations, prediction.log2_p_fail), "{sizes:?}");
        // What has room is packed for nothing.
        let one = server.plan(table.lut(), &client.encrypt_modulo([0], table.lut().in_modulus())?)?;
        assert_eq!(space.integers().is_some(), plan.rotations() <= one.rotations(), "{sizes:?}: {plan}{one}");
    }
    // The set is chosen among all, and the engine is the one that has it.
    let table = residues(&[16, 16], 16, |x| x[0].min(x[1]))?;
    let request = Request { function: table.into(), space: Space::unsigned(8), target: FailureTarget::Two128 };
    let offer = choose(&request, &Load { threads: 1, ..load })?.offer;
    assert_eq!((offer.params.engine(), offer.space.range().max >= 15), (Engine::Fhew, true));
    Ok(())
}
