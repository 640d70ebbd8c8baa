//! Vectors: encryption and decryption, linear operations, slices.
use std::collections::HashSet;

use super::*;

#[test]
fn values_are_encrypted_and_decrypted() -> Outcome {
    with_each(|s| {
        let (client, p) = (&s.client, s.fixture.p);
        assert_eq!((client.params().engine(), client.params().name()), (s.fixture.engine, s.fixture.set));
        for values in [&[p - 1][..], &s.many()[..s.capacity()], &s.many()] {
            let x = client.encrypt(values)?;
            assert_eq!((x.len(), x.ciphertexts()), (values.len(), values.len().div_ceil(s.capacity())));
            assert_eq!((x.key_id(), x.space(), x.params()), (client.key_id(), Space::Modular(p), client.params()));
            assert_eq!(client.decrypt_residues(&x)?, values);
            assert!(client.decrypt(&x)?.into_iter().eq(values.iter().map(|&x| x as i64)));
            assert!(x.noise_budget() > 0.0 && x.noise_variance() > 0.0);
            let noise = s.within(&x, values);
            // And it is that of these ciphertexts.
            let is_theirs = |e: &f64| e * e > 1e-4 * x.noise_variance();
            assert!(values.len() == 1 || noise.is_none_or(|noise| noise.iter().any(is_theirs)));
            assert!((x.mul_small(2)?.noise_variance() / x.noise_variance() - 4.0).abs() < 1e-6);
        }
        if let Some(none) = s.with(Has::Nothing, client.encrypt([0; 0])) {
            assert_eq!((none.len(), client.decrypt(&none)?), (0, vec![]));
            assert_eq!(s.server.evaluate(&s.table(|x| x)?, &none)?.len(), 0);
        }
        // As it is decrypted, and from whatever iterates.
        let x = client.encrypt(client.decrypt(&client.encrypt(s.many())?)?)?;
        assert_eq!(client.decrypt_residues(&x)?, s.many());
        assert_eq!(client.decrypt(&client.encrypt((0..5).filter(|x| x % 2 == 1))?)?, [1, 3]);
        let negative = client.encrypt([0, -1]).unwrap_err();
        assert!(negative.to_string().starts_with("value number 1 is -1, expected 0 to "), "{negative}");
        refused!(client.encrypt([1, p]), Error::Value { index: 1, .. } | Error::Residue { index: 1, .. });
        refused!(client.encrypt([u64::MAX]), Error::Value { index: 0, .. } | Error::Residue { index: 0, .. });
        refused!(client.measure_noise(&client.encrypt([1, 2])?, [1]), Error::Lengths { left: 2, right: 1, .. });
        for bits in [0, 30, 64, u32::MAX] {
            refused!(
                client.encrypt_bits([0], bits),
                Error::Bits { .. } | Error::Modulus { .. } | Error::Bfv(BfvError::Modulus { .. })
            );
        }
        for p in [0, 1, 1 << 40, u64::MAX] {
            refused!(client.encrypt_modulo([0], p), Error::Modulus { .. } | Error::Bfv(BfvError::Modulus { .. }));
        }
        if let Some(x) = s.with(Has::Moduli, client.encrypt_modulo([6, 3], 7)) {
            assert_eq!((x.space(), client.decrypt(&x.add(&x)?)?), (Space::Modular(7), vec![5, 6]));
            assert_eq!(client.decrypt(&client.encrypt_bits([1, 7], 3)?)?, [1, 7]);
            refused!(client.encrypt_modulo([6, 7], 7), Error::Residue { index: 1, value: 7, modulus: 7 });
            let other = client.encrypt([1, 2])?;
            refused!(x.add(&other), Error::Operands { .. });
            refused!(Ciphertexts::concat([&other.slice(..)?, &x]), Error::Operands { .. } | Error::Unfilled { .. });
        }
        Ok(())
    })
}

#[test]
fn integers_have_a_range() -> Outcome {
    for s in INTEGERS.iter() {
        let client = &s.client;
        let Some(x) = s.with(Has::Integers, client.encrypt_integers([-5, 7], 8)) else {
            s.with(Has::Integers, client.encrypt_within([1], 0..=3, 2));
            s.with(Has::Integers, client.encrypt_unsigned([1], 2));
            s.with(Has::Integers, client.encrypt([1])?.as_integers(0..=3));
            continue;
        };
        assert_eq!((client.decrypt(&x)?, x.space().range()), (vec![-5, 7], (-128..=127).into()));
        refused!(client.decrypt_residues(&x), Error::Space(SpaceError::Negative { .. }));
        assert_eq!(client.decrypt(&x.add_constant(-3)?)?, [-8, 4]);
        let moved = x.add_constants(&[-120, 120])?;
        assert_eq!((client.decrypt(&moved)?, moved.space().range()), (vec![-125, 127], (-248..=247).into()));
        refused!(x.add_constants(&[-400, 0]), Error::Overflow { .. });
        let sum = x.add(&client.encrypt_integers([100, -100], 8)?)?;
        assert_eq!((client.decrypt(&sum)?, sum.space().range()), (vec![95, -93], (-256..=254).into()));
        refused!(sum.add(&sum), Error::Overflow { .. });
        assert_eq!(client.decrypt(&x.as_residues()?)?, [507, 7]);
        let unsigned = client.encrypt_unsigned([255, 3], 8)?;
        assert_eq!((client.decrypt(&unsigned)?, unsigned.space().range()), (vec![255, 3], (0..=255).into()));
        let within = client.encrypt_within([-1, 3], -2..=3, 4)?;
        assert_eq!(client.decrypt(&reread(&within)?)?, [-1, 3]);
        refused!(within.add(&unsigned), Error::Operands { .. });
        refused!(client.encrypt_integers([0, 128], 8), Error::Integer { index: 1, value: 128, .. });
        refused!(client.encrypt_unsigned([256], 8), Error::Integer { index: 0, value: 256, .. });
        refused!(client.encrypt_within([4], -2..=3, 4), Error::Integer { .. });
        refused!(client.encrypt_within([4], -20..=3, 4), Error::Room { .. });
        let most = client.params().max_integer_bits().ok_or("integers")?;
        for width in [0, most + 1, 65] {
            refused!(client.encrypt_integers([0], width), Error::Width { .. });
        }
        // In several ciphertexts each, without carries.
        let long = client.encrypt_integers([1, -2], most)?;
        assert_eq!(
            (long.ciphertexts(), client.decrypt(&reread(&long)?)?),
            (long.space().limbs() * if s.capacity() == 1 { 2 } else { 1 }, vec![1, -2])
        );
        assert_eq!(s.within(&long, &[1, -2]).map(|noise| noise.len()), Some(2 * long.space().limbs()));
        refused!(long.add(&long), Error::Space(SpaceError::Limbs { .. }));
        refused!(long.as_residues(), Error::Space(SpaceError::TwoLimbs { what: "a space of residues", .. }));
        refused!(x.mul_small(300), Error::Overflow { .. });
        let residues = client.encrypt_bits([15], 4)?;
        assert_eq!(client.decrypt(&residues.as_integers(-8..=7)?)?, [-1]);
        refused!(residues.as_integers(0..=16), Error::Space(SpaceError::AsIntegers { .. }));
        let server = &s.server;
        match s.fixture.engine {
            Engine::Fhew => assert_eq!(client.decrypt(&server.evaluate(IntegerOp::Abs, &residues)?)?, [15]),
            _ => refused!(server.evaluate(IntegerOp::Abs, &residues), Error::Space(SpaceError::Residues { .. })),
        }
        refused!(
            server.evaluate(IntegerOp::Max, [&x, &client.encrypt_integers([1, 2], 7)?]),
            Error::Space(SpaceError::Widths { .. })
        );
        refused!(server.evaluate(IntegerOp::Max, [&x, &client.encrypt_integers([1], 8)?]), Error::Lengths { .. });
        refused!(server.evaluate(IntegerOp::Max, [&x, &unsigned]), Error::Range { .. });
        refused!(server.evaluate(IntegerOp::Floor(9), &x), Error::Lut(LutError::Width { .. }));
        // A plan is for a range, and for less.
        let plan = server.plan(IntegerOp::Abs, &x)?;
        refused!(server.run(&plan, &long), Error::Plan(PlanError::Space { .. }));
        refused!(server.run(&plan, &x.add(&x)?), Error::Plan(PlanError::Space { .. }));
        let narrow = client.encrypt_within([-3], -5..=1, 8)?;
        assert_eq!(client.decrypt(&server.run(&plan, &narrow)?[0])?, [3]);
        refused!(server.run(&server.plan(IntegerOp::Abs, &narrow)?, &x), Error::Plan(PlanError::Space { .. }));
    }
    Ok(())
}

#[test]
fn linear_operations_are_modular() -> Outcome {
    with_each(|s| {
        let (client, p) = (&s.client, s.fixture.p);
        let (x, y) = (s.many(), s.each(&s.many(), |x| x * x + 3));
        let (a, b) = (client.encrypt(&x)?, client.encrypt(&y)?);
        let both = |f: &dyn Fn(i64, i64) -> i64| -> Vec<u64> {
            x.iter().zip(&y).map(|(&x, &y)| f(x as i64, y as i64).rem_euclid(p as i64) as u64).collect()
        };
        let is = |found: Result<Ciphertexts, Error>, expected: &dyn Fn(i64, i64) -> i64| -> Outcome {
            let (found, expected) = (found?, both(expected));
            assert_eq!(found.stored_bytes(), bytes(&found)?.len() as u64);
            s.within(&found, &expected);
            assert_eq!(
                (client.decrypt_residues(&reread(&found)?)?, client.decrypt_residues(&found)?),
                (expected.clone(), expected)
            );
            Ok(())
        };
        is(a.add(&b), &|x, y| x + y)?;
        is(a.sub(&b), &|x, y| x - y)?;
        is(a.sub(&a), &|_, _| 0)?;
        for factor in [0, 1, -1, 3, 5] {
            is(a.mul_small(factor), &|x, _| factor * x)?;
        }
        // Weights are reduced.
        let m = p as i64;
        for (large, small) in [(m + 1, 1), (1 - m, 1), (m - 1, -1), (m << 40, 0), (6, 6), (-m - 3, -3)] {
            let product = a.mul_small(large)?;
            assert_eq!(product.noise_budget(), a.mul_small(small)?.noise_budget(), "{large}");
            is(Ok(product), &|x, _| small * x)?;
        }
        for constant in [0, 9, -40, i64::MAX] {
            is(a.add_constant(constant), &|x, _| x + constant % p as i64)?;
        }
        is(Ciphertexts::weighted_sum([(2, &a), (-1, &b), (1, &a)]), &|x, y| 3 * x - y)?;
        let rows = Ciphertexts::linear_columns([&a, &b], &[[1, 1], [0, -2], [0, 0]])?;
        let [sum, multiple, zero] = &rows[..] else { return Err("three rows".into()) };
        is(Ok(sum.clone()), &|x, y| x + y)?;
        is(Ok(multiple.clone()), &|_, y| -2 * y)?;
        is(Ok(zero.clone()), &|_, _| 0)?;
        is(sum.add(multiple), &|x, y| x - y)?;
        is(a.as_residues(), &|x, _| x)?;
        assert!(Ciphertexts::linear_columns([&a], &[[0; 1]; 0])?.is_empty());
        let constants: Vec<i64> = (0..x.len() as i64).map(|i| 3 - i).collect();
        let sums = x.iter().zip(&constants).map(|(&x, c)| (x as i64 + c).rem_euclid(m) as u64);
        assert!(client.decrypt_residues(&reread(&a.add_constants(&constants)?)?)?.into_iter().eq(sums));
        refused!(a.add_constants(&[1]), Error::Lengths { right: 1, .. });
        if let Some(products) = s.with(Has::Factors, a.mul_constants(&constants)) {
            let expected = x.iter().zip(&constants).map(|(&x, c)| (x as i64 * c).rem_euclid(m) as u64);
            assert!(client.decrypt_residues(&reread(&products)?)?.into_iter().eq(expected));
            refused!(a.mul_constants(&[1]), Error::Lengths { right: 1, .. });
        }
        let few = client.encrypt([1, 2, 3])?;
        if let Some(map) = s.with(Has::LinearMaps, few.linear_map(&[[1, 1, 1], [0, 2, -1]])) {
            assert_eq!(client.decrypt(&map)?, [6, 1]);
            refused!(few.linear_map(&[[1, 2]]), Error::Lengths { left: 3, right: 2, .. });
        }
        refused!(few.add(&a), Error::Lengths { left: 3, .. });
        refused!(few.sub(&a), Error::Lengths { left: 3, .. });
        refused!(Ciphertexts::linear_columns([&a, &few], &[[1, 1]]), Error::Lengths { right: 3, .. });
        refused!(Ciphertexts::linear_columns([&a, &b], &[[1]]), Error::Lengths { left: 2, right: 1, .. });
        refused!(Ciphertexts::linear_columns([], &[[0; 0]]), Error::NoValues);
        refused!(Ciphertexts::weighted_sum([]), Error::NoValues);
        Ok(())
    })
}

/// What is accepted decrypts; what would not is refused.
#[test]
fn noise_is_refused_before_it_is_too_large() -> Outcome {
    with_each(|s| {
        let (client, table) = (&s.client, s.table(|x| x + 1)?);
        for start in [client.encrypt([1, 2, 3])?, s.server.evaluate(&table, &client.encrypt([0, 1, 2])?)?] {
            let (mut x, mut values, mut budgets) = (start.clone(), vec![1, 2, 3], vec![start.noise_budget()]);
            let refusal = loop {
                match x.mul_small(3) {
                    Ok(more) => (x, values) = (more, s.each(&values, |x| 3 * x)),
                    Err(error) => break error,
                }
                budgets.push(x.noise_budget());
                s.within(&x, &values);
                assert_eq!(client.decrypt_residues(&x)?, values);
            };
            assert!(budgets.len() > 1 && budgets.is_sorted_by(|more, less| less < more), "{budgets:?}");
            let no_room = matches!(refusal, Error::Lut(LutError::Bfv(BfvLutError::Room { .. })));
            let no_budget = matches!(refusal, Error::NoiseBudget { .. } | Error::Bfv(BfvError::Budget { .. }));
            assert!(if s.client.params().depth().is_some() { no_room } else { no_budget }, "{refusal}");
        }
        Ok(())
    })
}

#[test]
fn slices_are_put_together_again() -> Outcome {
    with_each(|s| {
        let (client, n, p) = (&s.client, s.capacity(), s.fixture.p);
        let all: Vec<u64> = (0..4 * n as u64 + 3).map(|i| (i * 7 + i / 16) % p).collect();
        let fresh = client.encrypt(&all)?;
        let (left, right) = (fresh.slice(..2 * n)?, fresh.slice(2 * n..)?);
        for (slice, expected) in [(&left, &all[..2 * n]), (&right, &all[2 * n..])] {
            assert_eq!((slice.len(), client.decrypt_residues(slice)?), (expected.len(), expected.to_vec()));
            // As small as fresh ones are, in files too, and read again.
            assert!(slice.stored_bytes() * 3 < 2 * fresh.stored_bytes() + 1000);
            let again = reread(slice)?;
            assert_eq!(client.decrypt_residues(&again.add(slice)?)?, s.each(expected, |x| 2 * x));
        }
        let middle = reread(&right)?.slice(n..=2 * n - 1)?;
        assert_eq!(client.decrypt_residues(&reread(&middle)?)?, all[3 * n..4 * n]);
        let again = Ciphertexts::concat([&left, &reread(&right)?])?;
        assert_eq!(bytes(&again)?, bytes(&fresh)?);
        // In another order.
        let mixed = reread(&Ciphertexts::concat([&right.slice(..2 * n)?, &left])?)?;
        assert_eq!(client.decrypt_residues(&mixed)?, [&all[2 * n..4 * n], &all[..2 * n]].concat());
        // Slices are evaluated alone, and beside others.
        let table = s.table(|x| x * x)?;
        let image = s.server.evaluate(&table, &right)?;
        assert_eq!(client.decrypt_residues(&image)?, s.each(&all[2 * n..], |x| x * x));
        let sum = right.slice(..n)?.add_constant(1)?.add(&left.slice(..n)?)?;
        let mixed = Ciphertexts::concat([&sum, &left, &right])?;
        assert_eq!(client.decrypt_residues(&reread(&mixed)?.slice(n..)?)?, all);
        let images = Ciphertexts::concat([&image.slice(..n)?, &right]);
        if let Some(images) = s.with(Has::Histories, images) {
            let squares = s.each(&s.each(&all[2 * n..3 * n], |x| x * x), |x| x * x);
            let squares = [squares, s.each(&all[2 * n..], |x| x * x)].concat();
            assert_eq!(client.decrypt_residues(&s.server.evaluate(&table, &reread(&images)?)?)?, squares);
        }
        // What is not there, and what would be cut or filled.
        let range = |start, end| std::ops::Range { start, end };
        for wrong in [range(0, all.len() + n), range(3 * n, 2 * n), range(8 * n, 9 * n)] {
            refused!(fresh.slice(wrong), Error::Slice { .. });
        }
        if let Some(none) = s.with(Has::Nothing, fresh.slice(n..n)) {
            assert_eq!(none.len(), 0);
        }
        if n > 1 {
            for cut in [1..n, 0..n - 1, n..n + 4, n..all.len() + 1] {
                refused!(fresh.slice(cut), Error::Slice { .. });
            }
            refused!(Ciphertexts::concat([&left, &right, &left]), Error::Unfilled { index: 1, .. });
        }
        refused!(Ciphertexts::concat([]), Error::NoValues);
        Ok(())
    })
}

/// Behind their heads, which agree, two files of the same things share nothing: no masks, no bodies.
#[test]
fn what_is_made_twice_shares_nothing() -> Outcome {
    // Shorter than a seed, and longer by eight bytes, which never agree by chance, than what stands before each
    // ciphertext of a batch.
    const SHARED: usize = 31;
    for s in SESSIONS.iter().chain(INTEGERS.iter()) {
        let client = &s.client;
        let values = vec![1; client.params().capacity() + 40];
        let make = || -> Result<Vec<Vec<u8>>, Error> {
            let mut all = vec![bytes(&client.encrypt(&values)?)?];
            all.extend(client.encrypt_modulo(&values, 10).ok().map(|x| bytes(&x)).transpose()?);
            all.extend(client.encrypt_integers([1; 40], 14).ok().map(|x| bytes(&x)).transpose()?);
            if s.capacity() == 1 {
                all.push(client.server_key()?.write(Vec::new())?);
            }
            Ok(all)
        };
        for (i, (x, y)) in make()?.iter().zip(&make()?).enumerate() {
            let head = x.iter().zip(y).take_while(|(x, y)| x == y).count();
            assert!(x.len() == y.len() && head < 200, "{}, file {i}: {head} bytes agree", s.fixture.set);
            let seen: HashSet<&[u8]> = x[head..].windows(SHARED).collect();
            assert_eq!(seen.len(), x.len() - head - SHARED + 1, "file {i} repeats something");
            assert!(!y[head..].windows(SHARED).any(|window| seen.contains(window)), "file {i} shares something");
        }
    }
    Ok(())
}
