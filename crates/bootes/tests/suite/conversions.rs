//! Values that move between engines: every coefficient there and back, noise as statistics, chains, and refusals.
use std::sync::{Arc, Mutex};

use bootes::planner::{Detour, Request};
use bootes::{
    Cancel, CiphertextReader, Ciphertexts, Client, ConversionError, ConversionKey, Engine, Error, ErrorKind, Function,
    IntegerOp, Load, Lut, Params, Program, Server, SlotTables, Space,
};
use bootes_testkit::sampled;

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

fn client(set: &str) -> Result<Client, Error> {
    Client::generate(&Params::named(set)?)
}

#[track_caller]
fn refused<T>(found: Result<T, Error>) -> Error {
    match found {
        Ok(_) => panic!("it was not refused"),
        Err(error) => error,
    }
}

/// All coefficients of two ciphertexts, the second not full, with sets of one and two mask polynomials and of long
/// words.
#[test]
fn every_value_of_a_batch_becomes_a_single_one() -> Outcome {
    let batch = client("toy_batch_4bit")?;
    let values: Vec<i64> = (0..1024 + 700).map(|i| (i * 7 + i / 16) % 16).collect();
    let x = batch.encrypt(&values)?;
    for set in ["toy_4", "toy_4_binary", "toy_4_ternary", "toy_wide_4"] {
        let single = client(set)?;
        let key = ConversionKey::from_bytes(&batch.conversion_key(&single)?.to_bytes()?)?;
        assert_eq!((key.source_key_id(), key.target_key_id()), (batch.key_id(), single.key_id()));
        assert_eq!((key.source_params().name(), key.target_params().name()), ("toy_batch_4bit", set));
        let y = key.convert_all(&x)?;
        assert_eq!((y.space(), y.params().engine(), y.len()), (Space::Modular(16), Engine::Fhew, values.len()));
        assert_eq!(single.decrypt(&y)?, values, "{set}");
        // In any order, twice, from both ciphertexts in turn.
        let positions = [1723, 0, 1024, 1023, 5, 1723, 700, 1030];
        let picked = Ciphertexts::from_bytes(&key.convert(&x, positions)?.to_bytes()?)?;
        assert_eq!(single.decrypt(&picked)?, positions.map(|i| values[i]), "{set}");
        assert_eq!(key.convert(&x, [])?.len(), 0);
    }
    Ok(())
}

/// The way back, of as many as two ciphertexts hold, of one, and in any order.
#[test]
fn single_values_become_a_batch() -> Outcome {
    let batch = client("toy_batch_4bit")?;
    for (set, len) in [("toy_4", 1024 + 300), ("toy_4_binary", 130), ("toy_wide_4", 40)] {
        let single = client(set)?;
        let values: Vec<i64> = (0..len).map(|i| (i * 7 + i / 16) % 16).collect();
        let x = single.encrypt(&values)?;
        let key = ConversionKey::from_bytes(&single.conversion_key(&batch)?.to_bytes()?)?;
        assert_eq!((key.source_key_id(), key.target_key_id()), (single.key_id(), batch.key_id()));
        let y = key.convert_all(&x)?;
        assert_eq!((y.space(), y.params().engine(), y.len()), (Space::Modular(16), Engine::Ckks, values.len()));
        assert_eq!(batch.decrypt(&y)?, values, "{set}");
        let positions = [len as usize - 1, 0, 5, 5];
        let picked = Ciphertexts::from_bytes(&key.convert(&x, positions)?.to_bytes()?)?;
        assert_eq!(batch.decrypt(&picked)?, positions.map(|i| values[i]), "{set}");
        assert_eq!(batch.decrypt(&key.convert(&x, [7])?)?, [values[7]]);
        // And out again.
        let again = batch.conversion_key(&single)?.convert_all(&y)?;
        assert_eq!(single.decrypt(&again)?, values, "{set}");
    }
    Ok(())
}

/// What anybody encrypts, slices, sums, constants and what is put together are converted as what a client encrypts.
#[test]
fn vectors_of_every_form_are_converted() -> Outcome {
    let (batch, single) = (client("toy_batch_4bit")?, client("toy_4")?);
    let (out, back) = (batch.conversion_key(&single)?, single.conversion_key(&batch)?);
    let values: Vec<i64> = (0..300).map(|i| i * 3 % 16).collect();
    for (from, key, to) in [(&batch, &out, &single), (&single, &back, &batch)] {
        let fresh = from.encrypt(&values)?;
        let public = from.public_key()?.encrypt(&values)?;
        let doubled: Vec<i64> = values.iter().map(|x| 2 * x % 16).collect();
        for (x, expected) in [
            (public.clone(), &values),
            (fresh.add(&public)?, &doubled),
            (Ciphertexts::from_bytes(&fresh.mul_small(-14)?.to_bytes()?)?, &doubled),
            (fresh.constants(&values)?, &values),
        ] {
            assert_eq!(to.decrypt(&key.convert_all(&x)?)?, *expected);
            assert_eq!(to.decrypt(&key.convert(&x, [299, 7])?)?, [expected[299], expected[7]]);
        }
    }
    let parts = Ciphertexts::concat([&single.encrypt([1, 2, 3])?.slice(1..)?, &single.public_key()?.encrypt([4])?])?;
    assert_eq!(batch.decrypt(&back.convert_all(&parts)?)?, [2, 3, 4]);
    // Of what was put together and converted, sums with the operands count what they share.
    let (x, y) = (single.encrypt([1, 2])?, single.encrypt([3, 4])?);
    let [x, y] = [back.convert_all(&x.add(&y)?)?, back.convert_all(&x)?];
    let [apart, sum] = [x.noise_variance() + y.noise_variance(), x.add(&y)?.noise_variance()];
    assert!(sum > 1.5 * apart, "{sum:e} of {apart:e}");
    Ok(())
}

/// A batch is uploaded; single values go through a table, are a batch again, and go through another.
#[test]
fn values_go_through_tables_of_both_engines() -> Outcome {
    let (batch, single) = (client("toy_batch_4bit")?, client("toy_4")?);
    let (out, back) = (batch.conversion_key(&single)?, single.conversion_key(&batch)?);
    let (large, small) = (Server::new(batch.server_key()?)?, Server::new(single.server_key()?)?);
    let square = Lut::modular((0..16).map(|x| x * x % 16).collect(), 16)?;
    let cube = Lut::modular((0..16).map(|x| (x * x * x + 1) % 16).collect(), 16)?;
    let values: Vec<u64> = (0..1000).map(|i| i * 11 % 16).collect();
    let positions: Vec<usize> = (0..40).map(|i| i * 23 + 7).collect();
    let sent = Ciphertexts::from_bytes(&batch.encrypt(&values)?.to_bytes()?)?;
    let squares = small.evaluate(&square, &out.convert(&sent, positions.iter().copied())?)?;
    let packed = back.convert_all(&squares)?;
    let cubes = large.evaluate(&cube, &packed)?;
    let expected: Vec<u64> = positions.iter().map(|&i| ((values[i] * values[i] % 16).pow(3) + 1) % 16).collect();
    assert_eq!(batch.decrypt_residues(&cubes)?, expected);
    // Once more around, and sums of what comes of both ways.
    let again = back.convert_all(&small.evaluate(&square, &out.convert_all(&cubes)?)?)?;
    let sum = again.add(&cubes)?;
    let expected: Vec<u64> = expected.iter().map(|x| (x * x + x) % 16).collect();
    assert_eq!(batch.decrypt_residues(&sum)?, expected);
    Ok(())
}

/// The bound on noise is kept, as statistics, after a table and a file.
#[test]
fn results_that_become_a_batch_have_the_noise_that_is_said() -> Outcome {
    let (batch, single) = (client("toy_batch_6bit")?, client("toy_8")?);
    let small = Server::new(single.server_key()?)?;
    let identity = Lut::modular((0..16).collect(), 16)?;
    let values: Vec<i64> = (0..256).map(|i| i * 7 % 16).collect();
    let x = small.evaluate(&identity, &single.encrypt_modulo(&values, 16)?)?;
    let y = single.conversion_key(&batch)?.convert_all(&Ciphertexts::from_bytes(&x.to_bytes()?)?)?;
    let noise = batch.measure_noise(&y, &values)?;
    let measured = noise.iter().map(|e| e * e).sum::<f64>() / noise.len() as f64;
    // The deviation of a variance of 256 values is 9 %, and they have a key in common.
    assert!((0.3..1.6).contains(&(measured / y.noise_variance())), "{measured:e} of {:e}", y.noise_variance());
    Ok(())
}

/// Residues of any modulus and integers are such on both sides; those that are longer than the other set has are kept
/// as integers there. The least and the largest are among them.
#[test]
fn spaces_are_kept() -> Outcome {
    let (batch, digits, residues) =
        (client("toy_batch_integers")?, client("toy_batch_9bit")?, client("toy_batch_6bit")?);
    let single = client("toy_int16")?;
    let short = client("toy_8")?;
    // The last and the first above a multiple of a table's length are among them.
    let long: Vec<i64> = sampled(0..512, 5).chain([305, 511]).collect();
    let last = long.len() - 1;
    let vectors = [
        (&residues, residues.encrypt_modulo(0..37, 37)?, (0..37).collect::<Vec<i64>>()),
        (&digits, digits.encrypt_bits(long.clone(), 9)?, long.clone()),
        (&batch, batch.encrypt_integers([-512, -1, 0, 511], 10)?, vec![-512, -1, 0, 511]),
        (&batch, batch.encrypt_unsigned([0, 1, 1023], 10)?, vec![0, 1, 1023]),
        (&batch, batch.encrypt_within([-3, 4], -3..=4, 9)?, vec![-3, 4]),
    ];
    for (from, x, values) in &vectors {
        // Residues modulo a p that is no power of two go where there are tables of them.
        let to = if x.space() == Space::Modular(37) { &short } else { &single };
        let y = from.conversion_key(to)?.convert_all(x)?;
        assert_eq!((y.space().kind(), to.decrypt(&y)?), (x.space().kind(), values.clone()));
        let back = to.conversion_key(from)?.convert_all(&y)?;
        assert_eq!((back.space(), from.decrypt(&back)?), (x.space(), values.clone()));
    }
    // Functions of integers take them.
    let server = Server::new(single.server_key()?)?;
    let x = &vectors[2].1;
    let y = batch.conversion_key(&single)?.convert_all(x)?;
    assert_eq!(single.decrypt(&server.evaluate(IntegerOp::Relu, &y)?)?, [0, 0, 0, 511]);
    // Long residues are kept as integers: functions of these take them, and their sums wrap.
    let y = digits.conversion_key(&single)?.convert_all(&vectors[1].1)?;
    let squares = Lut::modular((0..512).map(|x| x * x % 512).collect(), 512)?;
    assert_eq!(single.decrypt(&server.evaluate(&squares, &y)?)?, long.iter().map(|x| x * x % 512).collect::<Vec<_>>());
    let plan = server.plan(&squares, [&y])?;
    assert_eq!(single.decrypt(&server.run(&plan, [&y])?[0])?[last], 1);
    let rests = server.evaluate(&Program::parse("select(x > 500, x % 7, x/2)", &[])?, &y)?;
    let expected = long.iter().map(|&x| if x > 500 { x % 7 } else { x / 2 });
    assert_eq!(single.decrypt(&rests)?, expected.collect::<Vec<_>>());
    assert_eq!(single.decrypt(&y.add(&y)?)?[last - 1], 98);
    let sums = server.evaluate_all(&Program::parse("x + x; x/2", &[])?, [&y])?;
    assert_eq!((single.decrypt(&sums[0])?[last - 1], single.decrypt(&sums[1])?[last - 1]), (98, 152));
    // Where the batch does not have them as residues, they are integers once that is said.
    let kept = single.encrypt_modulo([0, 5, 32], 33)?;
    let to = single.conversion_key(&digits)?;
    let refused = to.convert_all(&kept).unwrap_err().to_string();
    assert!(refused.contains("take Ciphertexts::as_integers of them, from 0 to 32"), "{refused}");
    assert_eq!(digits.decrypt(&to.convert_all(&kept.as_integers(0..=32)?)?)?, [0, 5, 32]);
    let sum = single.conversion_key(&digits)?.convert_all(&y.add(&y)?)?;
    assert_eq!((sum.space(), digits.decrypt(&sum)?[last - 1]), (Space::of_bits(9), 98));
    let tables = server.evaluate_all(vec![squares.clone(), squares], [&y])?;
    assert_eq!(single.decrypt(&tables[1])?[last], 1);
    assert_eq!(single.decrypt(&y.as_residues()?.add(&y.as_residues()?)?)?[last], 510);
    Ok(())
}

/// Integers of a range stay such where they are kept modulo as many as they are: their sums have no room, and never
/// wrap. Tables and programs take them, in memory and from a file, and out of the batch again.
#[test]
fn integers_without_room_stay_integers() -> Outcome {
    let single = client("toy_int16")?;
    let server = Server::new(single.server_key()?)?;
    let x = single.encrypt_unsigned([1, 1, 5], 8)?;
    let answers = server.evaluate(Program::parse("x == 1", &[])?, &x)?;
    let few = single.encrypt_bits([3, 0, 2], 2)?.as_integers(0..=3)?;
    let not = Lut::modular(vec![5, 3, 2, 0], 16)?;
    for set in ["toy_batch_4bit", "toy_batch_9bit", "toy_batch_integers"] {
        let batch = client(set)?;
        let many = Server::new(batch.server_key()?)?;
        let (to, from) = (single.conversion_key(&batch)?, batch.conversion_key(&single)?);
        for (x, values) in [(&answers, [1i64, 1, 0]), (&few, [3, 0, 2])] {
            let z = Ciphertexts::from_bytes(&to.convert_all(x)?.to_bytes()?)?;
            let file = x.to_bytes()?;
            let written = to.convert_all_to(CiphertextReader::new(&file[..])?, Vec::new())?;
            let back = from.convert_all(&z)?;
            for (y, client) in [(&z, &batch), (&Ciphertexts::from_bytes(&written)?, &batch), (&back, &single)] {
                assert_eq!((y.space(), client.decrypt(y)?), (x.space(), values.to_vec()), "{set}");
                for (sum, operation) in [(y.add(y), "x + y"), (y.sub(y), "x - y")] {
                    let error = refused(sum).to_string();
                    let advised =
                        error.contains(&format!("the program \"{operation}\"")) || y.params() == single.params();
                    assert!(error.contains("there is room for 2^") && advised, "{error}");
                }
                // As many others have room.
                assert_eq!(client.decrypt(&y.mul_small(-1)?)?, values.map(|x| -x), "{set}");
                let wrapped = y.as_residues()?.add(&y.as_residues()?)?;
                let p = x.space().range().max as i64 + 1;
                assert_eq!(client.decrypt(&wrapped)?, values.map(|x| 2 * x % p));
                // What the refusal says: a program, whose results have room.
                let server = if client.key_id() == batch.key_id() { &many } else { &server };
                let twice = server.evaluate(Program::parse("x + y", &[])?, [y, y])?;
                assert_eq!(client.decrypt(&twice)?, values.map(|x| 2 * x));
                let table = server.evaluate(&not, y)?;
                assert_eq!(client.decrypt(&table)?, values.map(|x| not.values()[x as usize] as i64));
            }
            // Tables of one value each, which have an entry for each integer.
            let p = 1u16 << x.space().bits();
            let shifts = (0..3).flat_map(|i| (0..p).map(move |x| (x + i) % p)).collect();
            let found = batch.decrypt(&many.evaluate(SlotTables::new(shifts, p.into(), p.into())?, &z)?)?;
            assert_eq!(found, [0, 1, 2].map(|i| (values[i] + i as i64) % i64::from(p)), "{set}");
            let wide = many.evaluate(Function::Widen(4), &z)?;
            assert_eq!(batch.decrypt(&wide.add(&wide)?)?, values.map(|x| 2 * x), "{set}");
        }
    }
    Ok(())
}

/// Sums with residues are kept as integers that are congruent: what a refusal says is done, and the results are
/// converted.
#[test]
fn sums_that_are_not_reduced_follow_the_advice() -> Outcome {
    let (single, batch) = (client("toy_int16")?, client("toy_batch_integers")?);
    let server = Server::new(single.server_key()?)?;
    let key = single.conversion_key(&batch)?;
    let i = single.encrypt_integers([-3, 5, 0], 6)?;
    for p in [2i64, 7, 16] {
        let values = [1, p - 1, 0];
        let x = single.encrypt_modulo(values, p as u64)?;
        // Fresh ones are residues there.
        assert_eq!(batch.decrypt(&key.convert_all(&x)?)?, values, "{p}");
        let of = |f: fn(i64, i64) -> i64| -> Vec<i64> {
            [0, 1, 2].map(|j: usize| f(values[j], [-3, 5, 0][j]).rem_euclid(p)).to_vec()
        };
        for (text, operands, expected) in [
            ("x + i", [&x, &i], of(|x, i| x + i)),
            ("x + max(x, i)", [&x, &i], of(|x, i| x + x.max(i))),
            ("select(i < 0, x, i)", [&i, &x], of(|x, i| if i < 0 { x } else { i })),
        ] {
            let sum = server.evaluate(Program::parse(text, &[])?, operands)?;
            assert_eq!(single.decrypt(&sum)?, expected, "{text}");
            let mut converted = key.convert_all(&sum);
            if let Err(error) = &converted {
                let error = error.to_string();
                let advice = error.split("take the program \"").nth(1).and_then(|rest| rest.split('"').next());
                let integers = match advice {
                    Some(program) => server.evaluate(Program::parse(program, &[])?, &sum)?,
                    None => {
                        let to = format!("take Ciphertexts::as_integers of them, from 0 to {}", p - 1);
                        assert!(error.contains(&to), "{text} modulo {p}: {error}");
                        sum.as_integers(0..=i128::from(p) - 1)?
                    }
                };
                converted = key.convert_all(&integers);
            }
            assert_eq!(batch.decrypt(&converted?)?, expected, "{text} modulo {p}");
        }
    }
    Ok(())
}

/// A client uploads a batch; the server picks single values, and evaluates a table on them.
#[test]
fn picked_values_are_inputs_of_tables() -> Outcome {
    let (batch, single) = (client("toy_batch_4bit")?, client("toy_4")?);
    let key = batch.conversion_key(&single)?;
    let (large, small) = (Server::new(batch.server_key()?)?, Server::new(single.server_key()?)?);
    let square = Lut::modular((0..16).map(|x| x * x % 16).collect(), 16)?;
    let cube = Lut::modular((0..16).map(|x| x * x * x % 16).collect(), 16)?;
    let values: Vec<u64> = (0..1024).map(|i| i * 11 % 16).collect();
    let positions = [3, 1000, 17, 512];
    // What was sent, and results of a table on all.
    let sent = Ciphertexts::from_bytes(&batch.encrypt(&values)?.to_bytes()?)?;
    let squares = large.evaluate(&square, &sent)?;
    for (x, of) in [(&sent, (|x| x) as fn(u64) -> u64), (&squares, |x| x * x % 16)] {
        let picked = key.convert(x, positions)?;
        assert!(picked.noise_variance() > x.noise_variance());
        let cubes = small.evaluate(&cube, &picked)?;
        let expected = positions.map(|i| of(values[i]).pow(3) % 16);
        assert_eq!(single.decrypt_residues(&cubes)?, expected);
        // Files hold half words, of more noise.
        let again = Ciphertexts::from_bytes(&picked.to_bytes()?)?;
        assert_eq!(single.decrypt_residues(&small.evaluate(&cube, &again)?)?, expected);
    }
    Ok(())
}

/// Two conversions of one batch have its noise in common, in whatever order; those of two batches have not.
#[test]
fn conversions_of_one_batch_are_related() -> Outcome {
    let (batch, single) = (client("toy_batch_6bit")?, client("toy_8")?);
    let key = batch.conversion_key(&single)?;
    let (x, other) = (batch.encrypt_modulo(0..16, 16)?, batch.encrypt_modulo(0..16, 16)?);
    let [a, b, c] = [key.convert(&x, 0..8)?, key.convert(&x, (8..16).rev())?, key.convert(&other, 0..8)?];
    let growth = |sum: &Ciphertexts| sum.noise_variance() / a.noise_variance();
    assert!((growth(&a.add(&b)?) - 4.0).abs() < 1e-6, "{}", growth(&a.add(&b)?));
    assert!((growth(&a.add(&c)?) - 2.0).abs() < 1e-6);
    let again = Ciphertexts::from_bytes(&a.to_bytes()?)?;
    assert!(growth(&again.add(&b)?) > 3.99);
    // As values of one vector have.
    assert!((growth(&a.linear_map(&[[1; 8]])?) - 64.0).abs() < 1e-6);
    Ok(())
}

#[test]
fn conversions_that_there_are_not_are_refused_in_one_line() -> Outcome {
    let (batch, single) = (client("toy_batch_4bit")?, client("toy_4")?);
    let (key, x) = (batch.conversion_key(&single)?, batch.encrypt([1, 2, 3])?);
    let check = |error: Error, kind: ErrorKind, words: &str| {
        let line = error.to_string();
        assert!(error.kind() == kind && line.contains(words) && !line.contains('\n'), "{:?}: {line}", error.kind());
    };
    // Another pair, the other direction, engine bfv.
    check(refused(key.convert(&client("toy_batch_4bit")?.encrypt([1])?, [0])), ErrorKind::Mismatch, "another key");
    check(refused(key.convert(&client("toy_batch_6bit")?.encrypt([1])?, [0])), ErrorKind::Mismatch, "other parameters");
    check(refused(key.convert(&single.encrypt([1])?, [0])), ErrorKind::Mismatch, "engine fhew");
    let vectors = client("toy_slots_257")?;
    for (from, to) in [(&batch, &batch), (&single, &single), (&vectors, &batch), (&batch, &vectors)] {
        let error = refused(from.conversion_key(to));
        assert!(matches!(error, Error::Conversion(ConversionError::Engines { .. })));
        check(error, ErrorKind::Unsupported, "from engine ckks to engine fhew");
    }
    // Keys of another client decrypt nothing that is right, and are told apart.
    let other = client("toy_4")?;
    let y = batch.conversion_key(&other)?.convert_all(&x)?;
    check(refused(single.decrypt(&y)), ErrorKind::Mismatch, "another key");
    // Positions.
    check(refused(key.convert(&x, [0, 3])), ErrorKind::Argument, "position number 1 is 3, expected 0 to 2");
    check(refused(key.convert(&x, [usize::MAX])), ErrorKind::Argument, "expected 0 to 2");
    // Spaces that the other set has not, with one that has, if there is.
    let long = client("toy_batch_9bit")?;
    let error = refused(long.conversion_key(&single)?.convert_all(&long.encrypt([300])?));
    check(error, ErrorKind::Unsupported, "take a client of parameters fhew_");
    // Residues of which it would have sums alone.
    let few = client("toy_batch_6bit")?;
    let error = refused(few.conversion_key(&client("toy_int16")?)?.convert_all(&few.encrypt_modulo([25], 26)?));
    check(error, ErrorKind::Unsupported, "has them of 4 bits at most, in one ciphertext: take a client of parameters");
    let integers = client("toy_batch_integers")?;
    let limbs = integers.encrypt_integers([-5], 14)?;
    let error = refused(integers.conversion_key(&client("toy_int16")?)?.convert_all(&limbs));
    check(error, ErrorKind::Unsupported, "in one ciphertext");
    // The way back has a key of its own, which takes no batch; and its own limits.
    let back = single.conversion_key(&batch)?;
    check(refused(back.convert_all(&x)), ErrorKind::Mismatch, "engine ckks, expected one of engine fhew");
    let y = single.encrypt([1, 2])?;
    check(refused(back.convert(&other.encrypt([1])?, [0])), ErrorKind::Mismatch, "another key");
    check(refused(back.convert(&y, [2])), ErrorKind::Argument, "expected 0 to 1");
    check(refused(back.convert(&y, [])), ErrorKind::Argument, "no values");
    check(refused(back.convert_all(&single.encrypt([0; 0])?)), ErrorKind::Argument, "no values");
    check(refused(back.convert(&single.encrypt([0; 0])?, [0])), ErrorKind::Argument, "position number 0 is 0");
    let wide = client("toy_8")?;
    let error = refused(wide.conversion_key(&batch)?.convert_all(&wide.encrypt_modulo([150], 200)?));
    check(
        error,
        ErrorKind::Unsupported,
        "toy_batch_4bit that it leads to has them of 4 bits at most, in one ciphertext: \
        take a client of parameters batch_8bit",
    );
    let long = client("toy_int16")?;
    let error = refused(long.conversion_key(&few)?.convert_all(&long.encrypt_modulo([99], 100)?));
    check(error, ErrorKind::Unsupported, "take a client of parameters batch_8bit");
    let to_integers = long.conversion_key(&integers)?;
    let error = refused(to_integers.convert_all(&long.encrypt_integers([-5], 16)?));
    check(error, ErrorKind::Unsupported, "take a client of parameters batch_integers");
    let error = refused(to_integers.convert_all(&long.encrypt_integers([-5], 20)?));
    check(error, ErrorKind::Unsupported, "no set has");
    let compressing = Server::new(single.server_key_builder().compression().build()?)?;
    let compressed = compressing.compress(&single.encrypt([1; 100])?.mul_small(3)?)?;
    check(refused(back.convert_all(&compressed)), ErrorKind::Argument, "compressed");
    // Within a third of a bit of a promise that is smaller.
    let mut noisy = y.clone();
    while noisy.noise_budget() >= 3.0 {
        noisy = noisy.mul_small(2)?;
    }
    let noisy = noisy.mul_small(noisy.noise_budget().exp2() as i64)?;
    let error = refused(back.convert_all(&noisy));
    check(error, ErrorKind::Noise, "toy_batch_4bit that it leads to promises 2^-128: evaluate a table");
    // As noisy as a batch may be: the other set promises less.
    let mut noisy = x.clone();
    while noisy.noise_budget() > 1.0 {
        noisy = noisy.mul_small((noisy.noise_budget().exp2() as i64).min(7))?;
    }
    let y = key.convert_all(&noisy)?;
    assert!(y.noise_budget() < 2.0, "{}", y.noise_budget());
    Ok(())
}

/// Files that lie: damaged, cut, with other names, fingerprints and lengths.
#[test]
fn keys_that_lie_are_refused() -> Outcome {
    let (batch, single) = (client("toy_batch_4bit")?, client("toy_4")?);
    let file = batch.conversion_key(&single)?.to_bytes()?;
    assert_eq!(ConversionKey::from_bytes(&file)?.stored_bytes(), file.len() as u64);
    let back = single.conversion_key(&batch)?.to_bytes()?;
    assert_eq!(ConversionKey::from_bytes(&back)?.stored_bytes(), back.len() as u64);
    for i in (0..140).chain((140..back.len()).step_by(9973)).chain([back.len() - 1]) {
        let mut damaged = back.clone();
        damaged[i] ^= 4;
        assert!(ConversionKey::from_bytes(&damaged).is_err(), "{i}");
        assert!(ConversionKey::from_bytes(&back[..i]).is_err(), "{i}");
    }
    for i in (0..140).chain((140..file.len()).step_by(997)).chain([file.len() - 1]) {
        let mut damaged = file.clone();
        damaged[i] ^= 4;
        assert!(ConversionKey::from_bytes(&damaged).is_err(), "{i}");
        assert!(ConversionKey::from_bytes(&file[..i]).is_err(), "{i}");
    }
    use bootes::wire::{ObjectKind, open, seal_as};
    let (header, payload) = open(&file, ObjectKind::ConversionKey)?;
    let sealed = |payload: &[u8]| seal_as(header.version, header.kind, header.fingerprint, header.key_id, payload);
    assert!(ConversionKey::from_bytes(&sealed(payload)).is_ok());
    let names = 8 + "toy_batch_4bit".len();
    let lies: [(&str, Vec<u8>); 6] = [
        ("longer", [payload, &[0; 8]].concat()),
        ("shorter", payload[..payload.len() - 8].to_vec()),
        ("no set", [&payload[..names], &5u64.to_le_bytes(), b"toy_5", &payload[names + 13..]].concat()),
        ("another set", [&payload[..names], &6u64.to_le_bytes(), b"toy_8\0", &payload[names + 13..]].concat()),
        ("a set of the same engine", [&payload[..names], &payload[..names], &payload[names + 13..]].concat()),
        ("another fingerprint", {
            let mut payload = payload.to_vec();
            payload[names + 13] ^= 1;
            payload
        }),
    ];
    for (what, payload) in lies {
        assert!(ConversionKey::from_bytes(&sealed(&payload)).is_err(), "{what}");
    }
    Ok(())
}

/// What is read as it is wanted and written as it comes is what is converted in memory: all, and in any order.
#[test]
fn files_are_converted_as_vectors_are() -> Outcome {
    let (batch, single) = (client("toy_batch_4bit")?, client("toy_4")?);
    let values: Vec<i64> = (0..2 * 1024 + 700).map(|i| (i * 7 + i / 16) % 16).collect();
    let backwards: Vec<usize> = (0..values.len()).rev().step_by(3).chain([5, 5]).collect();
    for (from, to) in [(&batch, &single), (&single, &batch)] {
        let (key, x) = (from.conversion_key(to)?, from.encrypt(&values)?);
        for x in [x.to_bytes()?, x.mul_small(1)?.add_constant(1)?.add_constant(-1)?.to_bytes()?] {
            let reader = || CiphertextReader::new(&x[..]);
            let all = key.convert_all_to(reader()?, Vec::new())?;
            let some = key.convert_to(reader()?, backwards.iter().copied(), Vec::new())?;
            let vector = Ciphertexts::from_bytes(&x)?;
            assert!(all == key.convert_all(&vector)?.to_bytes()?);
            assert!(some == key.convert(&vector, backwards.iter().copied())?.to_bytes()?);
            assert_eq!(to.decrypt(&Ciphertexts::from_bytes(&all)?)?, values);
            let expected: Vec<i64> = backwards.iter().map(|&i| values[i]).collect();
            assert_eq!(to.decrypt_from(CiphertextReader::new(&some[..])?)?, expected);
            // What comes out is known before.
            let (head, y) = (key.head(reader()?.head())?, Ciphertexts::from_bytes(&all)?);
            let known = |x: &Ciphertexts| (x.params().name().to_string(), x.key_id(), x.space());
            assert_eq!(known(&head), known(&y));
            assert!((head.noise_budget() - y.noise_budget()).abs() < 0.1);
            // Refused before anything is written; damaged, and cut.
            let error = refused(key.convert_to(reader()?, [values.len()], Vec::new()));
            assert!(matches!(error, Error::Conversion(ConversionError::Position { .. })));
            let mut damaged = x.clone();
            let last = damaged.len() - 40;
            damaged[last] ^= 1;
            assert!(key.convert_to(CiphertextReader::new(&damaged[..])?, [0], Vec::new()).is_err());
            assert!(key.convert_all_to(CiphertextReader::new(&damaged[..])?, Vec::new()).is_err());
        }
        assert!(refused(key.head(&to.encrypt([1])?)).kind() == ErrorKind::Mismatch);
    }
    Ok(())
}

/// Any number of threads gives the same; who watches hears all, and may end it.
#[test]
fn conversions_are_watched_and_ended() -> Outcome {
    let (batch, single) = (client("toy_batch_4bit")?, client("toy_4")?);
    for (from, to) in [(&batch, &single), (&single, &batch)] {
        let (key, x) = (from.conversion_key(to)?, from.encrypt((0..3000).map(|i| i % 16))?);
        let told = Arc::new(Mutex::new(Vec::new()));
        let hears = Arc::clone(&told);
        let one = key.with_threads(1).watched(move |part| hears.lock().unwrap().push(part));
        assert!(one.convert_all(&x)?.to_bytes()? == key.with_threads(3).convert_all(&x)?.to_bytes()?);
        let heard = told.lock().unwrap().clone();
        assert!(heard.is_sorted() && heard.len() > 3 && (heard[0], heard[heard.len() - 1]) == (0.0, 1.0), "{heard:?}");
        assert!(matches!(refused(key.with_threads(0).convert_all(&x)), Error::Threads));
        // In the middle, from the thread that does it.
        let cancel = Cancel::new();
        let ends = cancel.clone();
        let ended = key.with_threads(1).cancelled_by(&cancel).watched(move |part| {
            if part > 0.0 {
                ends.cancel();
            }
        });
        assert!(matches!(refused(ended.convert_all(&x)), Error::Cancelled));
        let file = x.to_bytes()?;
        let ended = refused(ended.convert_all_to(CiphertextReader::new(&file[..])?, Vec::new()));
        assert!(matches!(ended, Error::Cancelled));
        assert_eq!(key.convert(&x, [7])?.len(), 1);
    }
    Ok(())
}

/// Few values of a batch take less time as single ones: the advice is followed, with the set that it names. Other
/// engines, many values and other functions have none.
#[test]
fn few_values_of_a_batch_go_around() -> Outcome {
    let batch = client("toy_batch_6bit")?;
    let server = Server::builder(batch.server_key()?).threads(1).build()?;
    let next = Lut::modular((0..4).map(|x| (x + 1) % 4).collect(), 4)?;
    let x = batch.encrypt_modulo(0..4, 4)?;
    let plan = server.plan(&next, &x)?;
    let Detour { offer, convert_seconds, seconds, conversion_key_bytes, .. } =
        plan.detour(1)?.ok_or("a value takes less time than a batch")?;
    assert!(convert_seconds < seconds && seconds < 0.7 * plan.seconds(1)?);
    assert!(offer.params.engine() == Engine::Fhew && offer.prediction.log2_p_fail <= -128.0);
    let single = Client::generate(&offer.params)?;
    let key = batch.conversion_key(&single)?;
    assert_eq!(key.stored_bytes(), conversion_key_bytes);
    let fhew = Server::new(single.server_key()?)?;
    let some = fhew.evaluate(&next, &key.convert(&x, [3])?)?;
    assert_eq!(single.decrypt_residues(&some)?, [0]);
    // The whole batch, the other engine's own few, several tables.
    assert!(plan.detour(1024)?.is_none());
    assert!(fhew.plan(&next, &single.encrypt_modulo([1], 4)?)?.detour(1)?.is_none());
    assert!(server.plan(Function::Tables(vec![next.clone(), next]), &x)?.detour(1)?.is_none());
    // Rings that do not fit.
    let long = Lut::modular((0..16).rev().collect(), 16)?;
    assert!(server.plan(&long, &batch.encrypt_modulo(0..16, 16)?)?.detour(1)?.is_none());
    Ok(())
}

/// Many single values take less time as a batch, where their noise keeps its promise.
#[test]
fn many_single_values_go_around() -> Outcome {
    let request = Request::table(Lut::modular((0..4).map(|x| x * x % 4).collect(), 4)?);
    let set = Params::for_bits(2)?;
    for (count, is_found) in [(40_000, true), (20, false)] {
        let load = Load { threads: 2, ..Load::of(count) };
        let straight = request.offer_of(set.clone(), &load)?;
        let found = request.detour(&straight, &load);
        assert_eq!(found.is_some(), is_found, "{count}");
        if let Some(detour) = found {
            assert!(detour.offer.params.engine() == Engine::Ckks && detour.seconds < 0.7 * straight.prediction.seconds);
            assert!(detour.offer.prediction.log2_p_fail <= -128.0);
        }
    }
    Ok(())
}

/// Every key has masks and noise of its own.
#[test]
fn keys_of_one_pair_are_different() -> Outcome {
    let (batch, single) = (client("toy_batch_4bit")?, client("toy_4")?);
    let [a, b] = [batch.conversion_key(&single)?.to_bytes()?, batch.conversion_key(&single)?.to_bytes()?];
    assert!(a.len() == b.len() && a[200..232] != b[200..232] && a != b);
    Ok(())
}
