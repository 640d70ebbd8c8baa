//! Vectors cut and put together, and matrices across columns, with both engines.
use bootes::{CiphertextReader, Ciphertexts, Client, Engine, Error, Function, IntegerOp, Lut, Params, Program, Server};

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn client(set: &str, seed: u8) -> Result<Client, Error> {
    Ok(Client::from_seed(&Params::named(set)?, &[seed; 32]))
}

fn reread(ciphertexts: &Ciphertexts) -> Result<Ciphertexts, Error> {
    Ciphertexts::read(&ciphertexts.write(Vec::new())?[..])
}

fn values(count: usize) -> Vec<u64> {
    (0..count as u64).map(|i| (i * 7 + i / 16) % 16).collect()
}

#[test]
fn slices_are_put_together_again() -> Outcome {
    for set in ["toy_4", "toy_batch_4bit"] {
        let client = client(set, 1)?;
        let n = client.params().capacity();
        let all = values(4 * n + 3);
        let fresh = client.encrypt(&all)?;
        let (left, right) = (fresh.slice(..2 * n)?, fresh.slice(2 * n..)?);
        for (slice, expected) in [(&left, &all[..2 * n]), (&right, &all[2 * n..])] {
            assert_eq!((slice.len(), client.decrypt(slice)?), (expected.len(), expected.to_vec()), "{set}");
            // As small as fresh ones are, in files too, and read again.
            assert!(slice.stored_bytes() * 3 < 2 * fresh.stored_bytes() + 1000, "{set}");
            let again = reread(slice)?;
            assert_eq!(client.decrypt(&again)?, expected);
            assert_eq!(client.decrypt(&again.add(slice)?)?, expected.iter().map(|x| 2 * x % 16).collect::<Vec<_>>());
        }
        let middle = reread(&right)?.slice(n..=2 * n - 1)?;
        assert_eq!(client.decrypt(&reread(&middle)?)?, all[3 * n..4 * n]);
        let again = Ciphertexts::concat(&[&left, &reread(&right)?])?;
        assert_eq!(again.write(Vec::new())?, fresh.write(Vec::new())?, "{set}");
        // In another order, and beside results.
        let sum = right.slice(..n)?.add_constant(1)?;
        let mixed = reread(&Ciphertexts::concat(&[&right.slice(..2 * n)?, &left, &sum])?)?;
        let plus_one = all[2 * n..3 * n].iter().map(|x| (x + 1) % 16).collect();
        assert_eq!(client.decrypt(&mixed)?, [all[2 * n..4 * n].to_vec(), all[..2 * n].to_vec(), plus_one].concat());
    }
    Ok(())
}

/// Vectors of several encryptions are as small as these, in files too; what was added to all values is no larger.
#[test]
fn fresh_vectors_stay_small() -> Outcome {
    let client = client("toy_4", 11)?;
    let (x, y) = (client.encrypt(&values(300))?, client.encrypt(&values(200))?);
    let parts = [x.slice(200..)?, y.slice(..150)?, x.slice(..200)?, y.slice(150..)?];
    let all = reread(&Ciphertexts::concat(&parts.iter().collect::<Vec<_>>())?)?;
    assert!(all.stored_bytes() < x.stored_bytes() + y.stored_bytes() + 200);
    assert_eq!(all.noise_variance(), x.noise_variance());
    let expected = [&values(300)[200..], &values(150), &values(200), &values(200)[150..]].concat();
    assert_eq!(client.decrypt(&all)?, expected);
    let middle = reread(&all.slice(90..260)?)?;
    assert_eq!(client.decrypt(&middle)?, expected[90..260]);
    // In their order again they are the vectors that they were.
    let again = Ciphertexts::concat(&[&all.slice(250..450)?, &all.slice(..100)?])?;
    assert_eq!(again.write(Vec::new())?, x.write(Vec::new())?);
    // Twice the same value is dependent, values of one encryption are not.
    let growth = |x: &Ciphertexts| Ok::<_, Error>(x.linear_map(&[[1, 1]])?.noise_variance() / x.noise_variance());
    let pair = |i: usize, j: usize| reread(&Ciphertexts::concat(&[&all.slice(i..i + 1)?, &all.slice(j..j + 1)?])?);
    assert!((growth(&pair(7, 7)?)? - 4.0).abs() < 1e-9 && (growth(&pair(7, 3)?)? - 2.0).abs() < 1e-9);
    let moved = reread(&all.add_constant(3)?)?;
    assert_eq!((moved.stored_bytes(), moved.noise_variance()), (all.stored_bytes(), all.noise_variance()));
    assert_eq!(client.decrypt(&moved)?, expected.iter().map(|x| (x + 3) % 16).collect::<Vec<_>>());
    let sum = Ciphertexts::weighted_sum(&[(0, &middle), (1, &all.slice(..170)?)])?;
    assert!(sum.stored_bytes() < 8 * 170 + 400);
    Ok(())
}

/// From file to file, what is written in memory is written, but for the dependence of what is not looked at.
#[test]
fn streams_are_combined_as_vectors_are() -> Outcome {
    for set in ["toy_4", "toy_wide_4", "toy_batch_4bit", "toy_slots_257"] {
        let client = client(set, 12)?;
        let capacity = client.params().capacity();
        let n = if capacity > 1 { 2 * capacity } else { 150 };
        let (x, y) = (client.encrypt(&values(n))?, client.encrypt(&values(n))?);
        let (sum, twice) = (x.add(&y)?, x.add(&x)?);
        let file = |x: &Ciphertexts| x.write(Vec::new());
        let [fx, fy, fsum, ftwice] = [file(&x)?, file(&y)?, file(&sum)?, file(&twice)?];
        let reader = |bytes| CiphertextReader::new(bytes);
        let [rsum, rtwice] = [reread(&sum)?, reread(&twice)?];
        let mut out = Vec::new();
        for (files, vectors) in
            [([&fx, &fy], [&x, &y]), ([&fx, &fsum], [&x, &rsum]), ([&fsum, &ftwice], [&rsum, &rtwice])]
        {
            let readers = || files.iter().map(|bytes| reader(&bytes[..])).collect::<Result<Vec<_>, _>>();
            out.clear();
            match Ciphertexts::concat(&vectors) {
                Ok(all) => {
                    assert_eq!(CiphertextReader::concat_to(readers()?, &mut out)?, all.space());
                    assert_eq!(out, file(&all)?, "{set}");
                }
                // Of other sizes.
                Err(_) => assert!(set == "toy_slots_257" && CiphertextReader::concat_to(readers()?, &mut out).is_err()),
            }
            for (weights, constant) in [([1, 1], 0), ([2, -1], 3), ([0, 1], 0), ([1, 0], 2), ([0, 0], 1)] {
                let expected = Ciphertexts::weighted_sum(&[(weights[0], vectors[0]), (weights[1], vectors[1])])?;
                let expected = if constant == 0 { expected } else { expected.add_constant(constant)? };
                out.clear();
                let columns = weights.into_iter().zip(readers()?).collect();
                assert_eq!(CiphertextReader::weighted_sum_to(columns, constant, &mut out)?, expected.space());
                assert_eq!(out, file(&expected)?, "{set} {weights:?} {constant}");
            }
        }
        for (bytes, vector) in [(&fx, &x), (&fsum, &sum)] {
            for range in [0..n, 0..n / 2, n / 2..n] {
                out.clear();
                assert_eq!(reader(bytes)?.slice_to(range.clone(), &mut out)?, sum.space());
                assert_eq!(out, file(&vector.slice(range)?)?, "{set}");
            }
        }
        assert!(matches!(reader(&fsum)?.slice_to(1..n + 2, &mut out), Err(Error::Slice { .. })));
        // What is fresh stays small.
        out.clear();
        CiphertextReader::weighted_sum_to(vec![(1, reader(&fx)?)], 0, &mut out)?;
        assert_eq!(out, fx, "{set}");
        assert_eq!(client.decrypt_from(reader(&fsum)?)?, client.decrypt_integers(&sum)?, "{set}");
        let mut other = Vec::new();
        let two = vec![reader(&fx)?, reader(&fx[..fx.len() - 1])?];
        assert!(matches!(CiphertextReader::concat_to(two, &mut other), Err(Error::Stream(_))), "{set}");
    }
    let client = client("toy_4", 13)?;
    let file = client.encrypt(&values(200))?.write(Vec::new())?;
    let mut out = Vec::new();
    CiphertextReader::new(&file[..])?.slice_to(70..=150, &mut out)?;
    assert_eq!(out, Ciphertexts::read(&file[..])?.slice(70..151)?.write(Vec::new())?);
    let short = client.encrypt(&[1])?.write(Vec::new())?;
    let columns = vec![(1, CiphertextReader::new(&file[..])?), (1, CiphertextReader::new(&short[..])?)];
    let refused = CiphertextReader::weighted_sum_to(columns, 0, &mut out);
    assert!(matches!(refused, Err(Error::Lengths { left: 200, right: 1, .. })));
    let mut damaged = file.clone();
    damaged[300] ^= 1;
    let damaged = vec![CiphertextReader::new(&damaged[..])?];
    assert!(matches!(CiphertextReader::concat_to(damaged, &mut out), Err(Error::Stream(_))));
    assert!(matches!(CiphertextReader::<&[u8]>::concat_to(vec![], &mut out), Err(Error::NoValues)));
    Ok(())
}

/// Tables, functions of integers and programs of several ciphertexts, of which one fits beside the keys.
#[test]
fn streams_of_ciphertexts_need_room_for_one() -> Outcome {
    for (set, op) in [("toy_batch_4bit", None), ("toy_batch_integers", Some(IntegerOp::Abs)), ("toy_slots_257", None)] {
        let client = client(set, 14)?;
        let n = client.params().capacity();
        let values: Vec<u64> = (0..2 * n as u64 + 3).map(|i| i * i % 7).collect();
        let (function, x): (Function, _) = match (op, client.params().engine()) {
            (Some(op), _) => {
                let values: Vec<i64> = values.iter().map(|&x| 3 - x as i64).collect();
                (op.into(), client.encrypt_integers(&values, 4)?)
            }
            (None, Engine::Bfv) => (Program::parse("x*x + 1", &[])?.into(), client.encrypt(&values)?),
            (None, _) => (Lut::modular((0..16).map(|x| x * x % 16).collect(), 16)?.into(), client.encrypt(&values)?),
        };
        let file = x.write(Vec::new())?;
        let reader = || CiphertextReader::new(&file[..]);
        let masks = bootes::MaskStorage::Seeded;
        let server = Server::builder(client.server_key()?).threads(1).masks(masks).build()?;
        let needed = server.plan(function.clone(), &x)?.prediction(1)?.memory;
        // Maps of bootstrapping belong to the set.
        let memory = match server.params().engine() {
            Engine::Bfv => server.key_bytes() + needed.workspace,
            _ => needed.peak(),
        };
        let server = Server::builder(client.server_key()?).threads(1).masks(masks).memory(memory).build()?;
        let plan = server.plan(function, reader()?.head())?;
        if op.is_none() {
            let refused = server.run(&plan, &x).map(drop).unwrap_err();
            assert!(matches!(refused, Error::Memory { .. } | Error::CiphertextMemory { .. }), "{set}: {refused}");
        }
        let results = server.run_to(&plan, vec![reader()?], vec![Vec::new()])?.remove(0);
        let expected: Vec<i64> = values
            .iter()
            .map(|&x| match (op, server.params().engine()) {
                (Some(_), _) => (3 - x as i64).abs(),
                (None, Engine::Bfv) => (x * x + 1) as i64 % 257,
                (None, _) => (x * x % 16) as i64,
            })
            .collect();
        assert_eq!(client.decrypt_from(CiphertextReader::new(&results[..])?)?, expected, "{set}");
        // And what reads them.
        let file_of_one = client.encrypt(&values[..1])?.write(Vec::new())?.len() as u64;
        let within = |memory| CiphertextReader::within(Some(memory), &file[..]);
        assert!(matches!(within(file_of_one / 4), Err(Error::CiphertextMemory { .. })), "{set}");
        assert!(matches!(within(5 * file_of_one / 2)?.read(), Err(Error::CiphertextMemory { .. })), "{set}");
        assert_eq!(client.decrypt_from(within(5 * file_of_one / 2)?)?.len(), values.len(), "{set}");
        within(5 * file_of_one / 2)?.finish()?;
    }
    Ok(())
}

/// What would be cut or filled, and what does not belong together.
#[test]
fn what_is_not_aligned_is_refused() -> Outcome {
    let (one, batch) = (client("toy_4", 2)?, client("toy_batch_4bit", 2)?);
    let n = batch.params().capacity();
    let x = batch.encrypt(&values(n + 5))?;
    for range in [0..n - 1, 1..n, n..n + 4, 0..0, n..n, 0..n + 6, n + 5..n + 5] {
        let error = x.slice(range.clone()).unwrap_err();
        assert!(matches!(error, Error::Slice { aligned, .. } if aligned == n), "{range:?}: {error}");
        assert!(error.to_string().contains(&format!("starts at a multiple of {n}")), "{error}");
    }
    let error = Ciphertexts::concat(&[&x.slice(..n)?, &x, &x]).unwrap_err();
    let line = format!("vector number 1 has {} values and another follows: expected a multiple of {n}", n + 5);
    assert!(error.to_string().starts_with(&line), "{error}");
    let y = one.encrypt(&values(5))?;
    assert_eq!(y.slice(2..2)?.len(), 0);
    assert!(matches!(y.slice(5..6), Err(Error::Slice { start: 5, end: 6, len: 5, aligned: 1 })));
    let reversed = std::ops::Range { start: 3, end: 2 };
    assert!(matches!(y.slice(reversed), Err(Error::Slice { .. })));
    assert!(matches!(Ciphertexts::concat(&[&x, &y]), Err(Error::OtherEngine { .. })));
    assert!(matches!(Ciphertexts::concat(&[]), Err(Error::NoValues)));
    assert!(matches!(Ciphertexts::concat(&[&y, &one.encrypt_bits(&[1], 3)?]), Err(Error::Operands { .. })));
    assert!(matches!(Ciphertexts::concat(&[&y, &client("toy_4", 3)?.encrypt(&[1])?]), Err(Error::OtherKey { .. })));
    Ok(())
}

#[test]
fn integers_have_the_range_of_all() -> Outcome {
    let client = client("toy_4", 4)?;
    let (x, y) = (client.encrypt_within(&[-3, 1], -3..=1, 3)?, client.encrypt_within(&[0, 4], 0..=4, 3)?);
    let both = reread(&Ciphertexts::concat(&[&x, &y])?)?;
    assert_eq!(client.decrypt_integers(&both)?, [-3, 1, 0, 4]);
    assert_eq!(both.space().range(), (-3..=4).into());
    assert_eq!(both.slice(..1)?.space(), both.space());
    let (low, high) = (x.as_integers(-15..=0)?, y.as_integers(0..=15)?);
    assert!(matches!(Ciphertexts::concat(&[&low, &high]), Err(Error::Overflow { .. })));
    assert!(matches!(Ciphertexts::concat(&[&x, &y.as_residues()?]), Err(Error::Operands { .. })));
    Ok(())
}

#[test]
fn a_matrix_across_columns_is_a_weighted_sum_a_row() -> Outcome {
    for set in ["toy_4", "toy_batch_4bit"] {
        let client = client(set, 5)?;
        let columns = [[1, 2, 3], [4, 5, 6], [7, 8, 9]].map(|column| client.encrypt(&column));
        let [x, y, z] = columns;
        let (x, y, z) = (x?, y?, z?);
        let weights = [[1, 1, 0], [0, -1, 2], [0, 0, 0], [3, 0, 0]];
        let rows = Ciphertexts::linear_columns(&[&x, &y, &z], &weights)?;
        let expected = [[5, 7, 9], [10, 11, 12], [0, 0, 0], [3, 6, 9]];
        for (row, expected) in rows.iter().zip(expected) {
            assert_eq!(client.decrypt(&reread(row)?)?, expected, "{set}");
        }
        assert_eq!(client.decrypt(&rows[0].add(&rows[1])?)?, [15, 2, 5]);
        assert!(Ciphertexts::linear_columns(&[&x], &[[0; 1]; 0])?.is_empty());
        assert!(matches!(
            Ciphertexts::linear_columns(&[&x, &y], &[[1]]),
            Err(Error::Lengths { left: 2, right: 1, .. })
        ));
        assert!(matches!(Ciphertexts::linear_columns(&[], &[[0; 0]]), Err(Error::NoValues)));
        let other = client.encrypt(&[1, 2])?;
        assert!(matches!(Ciphertexts::linear_columns(&[&x, &other], &[[1, 1]]), Err(Error::Lengths { .. })));
        let much = (0..40)
            .try_fold(x.clone(), |x, _| Ok(Ciphertexts::linear_columns(&[&x, &y], &[[1, 0], [7, 1]])?.remove(1)));
        assert!(matches!(much, Err(Error::NoiseBudget { .. })));
    }
    Ok(())
}

/// The bounds: variances of columns add up, rows that share a column meet, and what is measured is within.
#[test]
fn bounds_of_rows_follow_what_they_share() -> Outcome {
    const COUNT: usize = 512;
    let client = Client::from_seed(&Params::named("toy_8")?, &[6; 32]);
    let values: Vec<u64> = (0..COUNT as u64).map(|i| i * 11 % 256).collect();
    let noise = |ciphertexts: &Ciphertexts, expected: &[u64]| {
        let noise = client.measure_noise(ciphertexts, expected)?;
        Ok::<_, Error>(noise.iter().map(|e| e * e).sum::<f64>() / expected.len() as f64)
    };
    let of = |sums: &dyn Fn(u64) -> u64| values.iter().map(|&x| sums(x) % 256).collect::<Vec<_>>();
    let [x, y, z] = [(); 3].map(|()| client.encrypt(&values));
    let (x, y, z) = (x?, y?, z?);
    let fresh = x.noise_variance();
    let near = |found: f64, expected: f64| assert!((found / expected - 1.0).abs() < 1e-9, "{found} {expected}");
    let rows = Ciphertexts::linear_columns(&[&x, &y, &z], &[[3, 4, 0], [0, 1, 2], [0, 0, 1]])?;
    for (row, (growth, factor)) in rows.iter().zip([(25.0, 7), (5.0, 3), (1.0, 1)]) {
        near(row.noise_variance(), growth * fresh);
        // The deviation of a variance from 512 samples is 6 %.
        let measured = noise(row, &of(&|x| factor * x))?;
        assert!((0.7..1.3).contains(&(measured / row.noise_variance())), "{measured:e}");
    }
    // Rows that share y, 5 + √5, and those that share nothing, 25 + 1; from a file the same, and the rounding in it.
    near(rows[0].add(&rows[1])?.noise_variance(), (5.0 + 5f64.sqrt()).powi(2) * fresh);
    near(rows[0].add(&rows[2])?.noise_variance(), 26.0 * fresh);
    let reread = Ciphertexts::read(&rows[0].write(Vec::new())?[..])?;
    let stated = reread.noise_variance();
    near(reread.add(&rows[1])?.noise_variance(), (stated.sqrt() + rows[1].noise_variance().sqrt()).powi(2));
    near(reread.add(&rows[2])?.noise_variance(), stated + fresh);
    assert!(noise(&reread.add(&rows[1])?, &of(&|x| 10 * x))? < 1.3 * reread.add(&rows[1])?.noise_variance());
    // Columns of one origin: standard deviations, as in x + x.
    let twice = Ciphertexts::linear_columns(&[&x, &x], &[[1, 1]])?;
    near(twice[0].noise_variance(), 4.0 * fresh);
    // Slices keep bound and origin; their neighbours' sums too, whose sum is bounded by its parts.
    let (left, right) = (x.slice(..COUNT / 2)?, x.slice(COUNT / 2..)?);
    near(left.noise_variance(), fresh);
    near(left.add(&right)?.noise_variance(), 4.0 * fresh);
    near(left.add(&y.slice(..COUNT / 2)?)?.noise_variance(), 2.0 * fresh);
    let ones = [vec![1; COUNT - 1]];
    let neighbours = x.slice(1..)?.add(&x.slice(..COUNT - 1)?)?;
    let all = neighbours.linear_map(&ones)?;
    near(all.noise_variance(), 4.0 * (COUNT - 1) as f64 * fresh);
    // The same value twice in a vector, and values of two vectors.
    let pair = [[1, 1]];
    let (one, other) = (x.slice(..1)?, y.slice(..1)?);
    near(Ciphertexts::concat(&[&one, &one])?.linear_map(&pair)?.noise_variance(), 4.0 * fresh);
    near(Ciphertexts::concat(&[&one, &other])?.linear_map(&pair)?.noise_variance(), 2.0 * fresh);
    let again = Ciphertexts::concat(&[&one, &x.slice(1..2)?])?;
    near(again.linear_map(&pair)?.noise_variance(), 2.0 * fresh);
    // The noisiest counts.
    let mixed = Ciphertexts::concat(&[&one, &rows[0], &other])?;
    near(mixed.noise_variance(), 25.0 * fresh);
    Ok(())
}

/// Results of slices are the slices of results: they know that they meet.
#[test]
fn results_of_slices_meet_those_of_the_whole() -> Outcome {
    let client = Client::from_seed(&Params::named("toy_4")?, &[7; 32]);
    let server = Server::new(client.server_key()?)?;
    let identity = Lut::modular((0..16).collect(), 16)?;
    let x = client.encrypt(&[1, 2, 3, 4])?;
    let (whole, half) = (server.evaluate(&identity, &x)?, server.evaluate(&identity, &x.slice(2..)?)?);
    assert_eq!(client.decrypt(&half)?, [3, 4]);
    let sum = half.add(&whole.slice(2..)?)?;
    assert!((sum.noise_variance() / half.noise_variance() - 4.0).abs() < 1e-9);
    // Twice the same ciphertext gives the same result.
    let twice = Ciphertexts::concat(&[&x.slice(..1)?, &x.slice(..1)?])?;
    let results = server.evaluate(&identity, &twice)?;
    let ratio = results.linear_map(&[[1, 1]])?.noise_variance() / results.noise_variance();
    assert!((ratio - 4.0).abs() < 1e-9, "{ratio}");
    Ok(())
}

#[test]
fn batches_of_slices_are_evaluated_alone() -> Outcome {
    let client = client("toy_batch_4bit", 8)?;
    let server = Server::new(client.server_key()?)?;
    let n = client.params().capacity();
    let all = values(2 * n);
    let square = Lut::modular((0..16).map(|x| x * x % 16).collect(), 16)?;
    let second = server.evaluate(&square, &client.encrypt(&all)?.slice(n..)?)?;
    let expected: Vec<u64> = all[n..].iter().map(|x| x * x % 16).collect();
    assert_eq!(client.decrypt(&second)?, expected);
    let mixed = reread(&Ciphertexts::concat(&[&second, &client.encrypt(&all[..5])?])?)?;
    assert_eq!(client.decrypt(&mixed)?, [&expected[..], &all[..5]].concat());
    let again = server.evaluate(&square, &mixed)?;
    assert_eq!(client.decrypt(&again.slice(n..)?)?, all[..5].iter().map(|x| x * x % 16).collect::<Vec<_>>());
    Ok(())
}

/// (a, b) + (b, a) holds one ciphertext twice, and so do tables of it: their noise adds up in full.
#[test]
fn sums_in_another_order_are_not_independent() -> Outcome {
    let client = Client::from_seed(&Params::named("toy_4")?, &[7; 32]);
    let server = Server::new(client.server_key()?)?;
    let [a, b] = [client.encrypt(&[1])?, client.encrypt(&[2])?];
    let [ab, ba] = [Ciphertexts::concat(&[&a, &b])?, Ciphertexts::concat(&[&b, &a])?];
    let sum = ab.add(&ba)?;
    let lut = Lut::new((0..16).map(|x| x / 2).collect(), 4)?;
    let of_file = |x: &Ciphertexts| Ciphertexts::read(&x.write(Vec::new())?[..]);
    let file = sum.write(Vec::new())?;
    let reader = CiphertextReader::new(&file[..])?;
    let plan = server.plan(&lut, reader.head())?;
    let streamed = server.run_to(&plan, vec![reader], vec![Vec::new()])?;
    let independent = server.evaluate(&lut, &client.encrypt(&[3, 3])?)?.linear_map(&[[1, 1]])?;
    for results in [
        server.evaluate(&lut, &sum)?,
        server.evaluate(&lut, &of_file(&ab)?.add(&of_file(&ba)?)?)?,
        Ciphertexts::read(&streamed[0][..])?,
    ] {
        assert_eq!(client.decrypt(&results)?, [1, 1]);
        let ratio = results.linear_map(&[[1, 1]])?.noise_variance() / independent.noise_variance();
        assert!((1.9..2.1).contains(&ratio), "{ratio}");
    }
    Ok(())
}
