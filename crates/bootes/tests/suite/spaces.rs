//! Messages beyond Z_{2^bits}: tables on digits, integers of two limbs, any modulus.
use bootes::wire::WireError;
use bootes::{
    Ciphertexts, CkksLutError, Client, Error, FhewLutError, Function, IntegerLimbs, IntegerOp, Integers, Lut, LutError,
    Params, PlanError, Server, Space, SpaceError,
};

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn pair(name: &str, seed: u8) -> Result<(Client, Server), Error> {
    let client = Client::from_seed(&Params::named(name)?, &[seed; 32]);
    let server = Server::new(client.server_key()?)?;
    Ok((client, server))
}

/// Out to a file and back.
fn travelled(ciphertexts: &Ciphertexts) -> Result<Ciphertexts, Error> {
    let back = Ciphertexts::read(&ciphertexts.write(Vec::new())?[..])?;
    assert_eq!((back.space(), back.len()), (ciphertexts.space(), ciphertexts.len()));
    Ok(back)
}

/// The format version of a file.
fn version(ciphertexts: &Ciphertexts) -> Result<u8, Error> {
    Ok(ciphertexts.write(Vec::new())?[8])
}

#[test]
fn tables_on_digits() -> Outcome {
    let (client, server) = pair("toy_int16", 1)?;
    for (in_bits, out_bits) in [(9u32, 9u32), (12, 12), (12, 4)] {
        let image = |x: u64| ((x * x * 2_654_435_761) >> 7) % (1 << out_bits);
        let lut = Lut::new((0..1 << in_bits).map(image).collect(), out_bits)?;
        let inputs: Vec<i64> = (0..40).map(|i| i * 1_111 % (1 << in_bits)).chain([0, (1 << in_bits) - 1]).collect();
        let encrypted = travelled(&client.encrypt_within(&inputs, 0..=(1 << in_bits) - 1, in_bits)?)?;
        let plan = server.plan(&lut, &encrypted)?;
        assert!(plan.log2_p_fail() <= -64.0 && plan.algorithms()[0].contains("tree"), "{plan}");
        let results = travelled(&server.evaluate(&lut, &encrypted)?)?;
        assert_eq!((results.space().bits(), version(&results)?), (out_bits + 1, 1));
        assert_eq!(results.space().range(), lut.image(None));
        let expected: Vec<u64> = inputs.iter().map(|&x| image(x as u64)).collect();
        assert_eq!(client.decrypt_residues(&results)?, expected, "{in_bits} to {out_bits} bits");
        // Results are inputs, of functions too.
        if in_bits == out_bits {
            let again = server.evaluate(&lut, &results)?;
            assert_eq!(client.decrypt_residues(&again)?, expected.iter().map(|&x| image(x)).collect::<Vec<_>>());
            let larger = server.evaluate(IntegerOp::Max, [&results, &encrypted])?;
            let max = inputs.iter().zip(&expected).map(|(&x, &y)| x.max(y as i64)).collect::<Vec<_>>();
            assert_eq!(client.decrypt(&larger)?, max);
        }
    }
    Ok(())
}

/// Results of few bits take no rotation of their own. They are inputs of tables and functions, and have room for a sum
/// of two; with more bits than entries need they have the room that was asked for.
#[test]
fn short_results_on_digits() -> Outcome {
    let (client, server) = pair("toy_int16", 3)?;
    let image = |x: i64| ((x * x) >> 5) % 16;
    let lut = |bits: u32| Lut::new((0..4096).map(image).collect(), bits);
    let inputs: Vec<i64> = (0..4096).step_by(57).chain([4095]).collect();
    let expected: Vec<i64> = inputs.iter().map(|&x| image(x)).collect();
    let encrypted = client.encrypt_unsigned(inputs.iter().copied(), 12)?;
    for (bits, rotations, weight) in [(4, 6, 1), (12, 7, 100)] {
        let plan = server.plan(&lut(bits)?, &encrypted)?;
        assert_eq!(plan.rotations(), Some(rotations), "{plan}");
        let results = travelled(&server.run(&plan, &encrypted)?[0])?;
        assert_eq!(
            client.decrypt(&results.mul_small(weight)?)?,
            expected.iter().map(|x| x * weight).collect::<Vec<_>>()
        );
        let squares = Lut::new((0..16).map(|x: i64| x * x % 31).collect(), 5)?;
        let again = server.evaluate(&squares, &results)?;
        assert_eq!(client.decrypt(&again)?, expected.iter().map(|x| x * x % 31).collect::<Vec<_>>());
        let reversed = server.evaluate(&lut(bits)?, &client.encrypt_unsigned(inputs.iter().rev().copied(), 12)?)?;
        let max = server.evaluate(IntegerOp::Max, [&results, &reversed])?;
        let pairs = expected.iter().zip(expected.iter().rev());
        assert_eq!(client.decrypt(&max)?, pairs.map(|(x, y)| *x.max(y)).collect::<Vec<_>>());
    }
    Ok(())
}

/// Integers of 17 to 20 bits, in limbs, have tables by the bits of all limbs, of results of any length.
#[test]
fn tables_of_integers_in_limbs() -> Outcome {
    let (client, server) = pair("toy_int16", 4)?;
    for (bits, out_bits) in [(17, 4), (20, 16), (18, 20)] {
        let most = (1i64 << bits) - 1;
        let image = |x: i64| (x * 7 + (x >> 5)) % (1 << out_bits);
        let lut = Lut::new((0..=most).map(image).collect(), out_bits)?;
        let inputs: Vec<i64> = (0..=most).step_by(38_117).chain([1, most]).collect();
        let encrypted = travelled(&client.encrypt_unsigned(inputs.iter().copied(), bits)?)?;
        assert!(encrypted.space().integers().is_some_and(|integers| integers.limbs().count() == 2));
        let plan = server.plan(&lut, &encrypted)?;
        let results = travelled(&server.run(&plan, &encrypted)?[0])?;
        assert_eq!(
            client.decrypt(&results)?,
            inputs.iter().map(|&x| image(x)).collect::<Vec<_>>(),
            "{bits} bits: {plan}"
        );
    }
    Ok(())
}

/// Several tables on the bits of the same integers share all rotations but those of their results.
#[test]
fn several_tables_on_digits() -> Outcome {
    let (client, server) = pair("toy_int16", 2)?;
    let images: [&dyn Fn(u64) -> u64; 3] = [&|x| x * x % 512, &|x| 511 - x, &|x| x % 7];
    let lut = |(image, bits): (&&dyn Fn(u64) -> u64, u32)| Lut::new((0..512).map(*image).collect(), bits);
    let luts = images.iter().zip([9, 12, 3]).map(lut).collect::<Result<Vec<_>, _>>()?;
    let inputs: Vec<i64> = (0..512).step_by(7).collect();
    let encrypted = client.encrypt_unsigned(inputs.iter().copied(), 9)?;
    let function = Function::Tables(luts.clone());
    let plan = server.plan(function, &encrypted)?;
    assert_eq!(plan.algorithms(), ["cmux-tree"], "{plan}");
    let alone = luts.iter().map(|lut| Ok(server.plan(lut, &encrypted)?.rotations().unwrap_or(0)));
    let alone = alone.sum::<Result<usize, Error>>()?;
    let together = plan.rotations().unwrap_or(0);
    assert!((1..alone).contains(&together), "{together} and {alone} rotations");
    for ((lut, image), results) in luts.iter().zip(images).zip(server.run(&plan, &encrypted)?) {
        assert_eq!(results.space().bits(), lut.out_bits() + 1);
        let expected: Vec<i64> = inputs.iter().map(|&x| image(x as u64) as i64).collect();
        assert_eq!(client.decrypt(&travelled(&results)?)?, expected);
    }
    // As many as no tree has are evaluated one after the other.
    let many = vec![luts[0].clone(); 40];
    let some = encrypted.slice(..2)?;
    let results = server.evaluate_all(Function::Tables(many), &some)?;
    assert!(results.len() == 40 && client.decrypt(&results[39])? == [0, 49]);
    Ok(())
}

/// Entries that are negative are integers with a sign, by whichever algorithm.
#[test]
fn tables_with_negative_entries() -> Outcome {
    for (set, in_bits, out_bits) in [("toy_4", 3, 4), ("toy_int16", 9, 5)] {
        let (client, server) = pair(set, 7)?;
        let image = |x: i64| x * x * 7 % 15 - 5;
        let lut = Lut::new((0..1 << in_bits).map(image).collect(), out_bits)?;
        let inputs: Vec<i64> = (0..1 << in_bits).step_by(1 << (in_bits - 3)).collect();
        let results = travelled(&server.evaluate(&lut, &client.encrypt_unsigned(&inputs, in_bits)?)?)?;
        assert_eq!(results.space().range(), lut.image(None));
        assert_eq!(client.decrypt(&results)?, inputs.iter().map(|&x| image(x)).collect::<Vec<_>>());
        let less = server.plan(&lut, &client.encrypt_within([1, 0, 1], 0..=1, in_bits)?)?;
        assert_eq!(less.out_spaces()[0].range(), (-5..=2).into());
        assert_eq!(
            client.decrypt(&results.add_constant(5)?)?,
            inputs.iter().map(|&x| image(x) + 5).collect::<Vec<_>>()
        );
    }
    // As residues they are modulo p'.
    let (client, server) = pair("toy_4", 8)?;
    let opposite = Lut::modular((0..16).map(|x: i32| -x).collect(), 16)?;
    assert_eq!(client.decrypt(&server.evaluate(&opposite, &client.encrypt([0, 3, 15])?)?)?, [0, 13, 1]);
    Ok(())
}

#[test]
fn tables_on_digits_that_do_not_fit_are_refused() -> Outcome {
    let (client, server) = pair("toy_int16", 2)?;
    let lut = Lut::unstructured(9);
    for (other, words) in [
        (client.encrypt_unsigned([1], 10)?, "a table of 512 entries on integers from 0 to 1023"),
        // A negative integer has no entry.
        (
            client.encrypt_integers([1], 9)?,
            "integers from -256 to 255, which may be negative: entry i is the image of i",
        ),
        (client.encrypt([1])?, "9-bit"),
        (client.encrypt_unsigned([1], 18)?, "one ciphertext each"),
    ] {
        let error = server.evaluate(&lut, &other).unwrap_err().to_string();
        assert!(error.contains(words) && !error.contains("--"), "{error}");
    }
    // Every integer has an entry, where they are no power of two either.
    let few = client.encrypt_modulo([599], 600)?;
    let lut600 = Lut::unstructured_modulo(600);
    assert_eq!(client.decrypt_residues(&server.evaluate(&lut600, &few)?)?, [lut600.values()[599]]);
    let error = server.evaluate(&lut600, &client.encrypt_within([600], 300..=899, 10)?).unwrap_err().to_string();
    assert!(error.contains("a table of 600 entries on integers from 300 to 899"), "{error}");
    // More entries than integers, and more room.
    let few = client.encrypt_within([0, 77, 200], 0..=200, 8)?;
    let expected = [0, 77, 200].map(|x: usize| lut.values()[x]);
    assert_eq!(client.decrypt_residues(&server.evaluate(&lut, &few)?)?, expected);
    assert!(matches!(Lut::modular(vec![0; (1 << 20) + 1], 2), Err(LutError::Modulus { .. })));
    // A set without the keys, and too noisy.
    let (client, server) = pair("toy_8", 2)?;
    let error = server.evaluate(&Lut::modular(vec![1; 512], 64)?, &client.encrypt_unsigned([1], 6)?).unwrap_err();
    assert!(
        matches!(error, Error::Lut(LutError::Fhew(FhewLutError::Keys { .. } | FhewLutError::OutputNoise { .. }))),
        "{error}"
    );
    Ok(())
}

#[test]
fn integers_of_two_limbs() -> Outcome {
    let (client, server) = pair("toy_int16", 3)?;
    for width in [17u32, 24, 32] {
        let half = 1i128 << (width - 1);
        let low = 1i128 << width.div_ceil(2);
        let signed = [0, 1, -1, half - 1, -half, low, -low, low - 1, 5 * low - 77];
        let unsigned = [0, 1, 2 * half - 1, half, half - 1, low, low - 1, low + 1, 3 * low];
        for (op, values, range) in
            ["sign", "less", "relu", "abs", "max", "min", "floor:1", "floor:11", "floor:16", "floor:17"]
                .iter()
                .flat_map(|op| [(op, &signed, -half..=half - 1), (op, &unsigned, 0..=2 * half - 1)])
        {
            let op: IntegerOp = op.parse()?;
            let rotated: Vec<i128> = values.iter().skip(4).chain(values).take(values.len()).copied().collect();
            let operands = [values.to_vec(), rotated];
            let encrypted = operands[..op.operands()]
                .iter()
                .map(|values| travelled(&client.encrypt_within(values, range.clone(), width)?))
                .collect::<Result<Vec<_>, Error>>()?;
            for c in &encrypted {
                assert_eq!((c.len(), c.space().bits(), version(c)?), (values.len(), width + 1, 2));
            }
            let results = travelled(&server.evaluate(op, &encrypted)?)?;
            let expected: Vec<i128> = (0..values.len())
                .map(|i| op.apply(&operands[..op.operands()].iter().map(|values| values[i]).collect::<Vec<_>>()))
                .collect();
            assert_eq!(client.decrypt_wide(&results)?, expected, "{op} of {width} bits");
        }
    }
    Ok(())
}

#[test]
fn limbs_are_operands_again_but_not_of_linear_operations() -> Outcome {
    let (client, server) = pair("toy_int16", 4)?;
    let (x, y) = ([-2_000_000_000i64, 1_234_567_890], [1_999_999_999i64, -7]);
    let (a, b) = (client.encrypt_integers(x, 32)?, client.encrypt_integers(y, 32)?);
    let larger = server.evaluate(IntegerOp::Max, [&a, &b])?;
    let smaller = server.evaluate(IntegerOp::Min, [&larger, &a])?;
    assert_eq!(client.decrypt(&smaller)?, x);
    let thousandth = server.evaluate(IntegerOp::Floor(10), [&larger])?;
    assert_eq!(client.decrypt(&thousandth)?, [1_953_124, 1_205_632]);
    let limbs = IntegerLimbs::two(6, 16);
    assert_eq!(thousandth.space().integers().map(Integers::limbs), Some(limbs));
    for refused in [a.add(&b), a.mul_small(2), a.add_constant(1), a.linear_map(&[[1i64, 1]])] {
        assert!(matches!(refused, Err(Error::Space(SpaceError::Limbs { .. }))), "{refused:?}");
    }
    // Widths, and limbs of one width, that do not fit.
    let narrow = client.encrypt_integers([1, 2], 24)?;
    let other = client.encrypt_integers([1, 2], 22)?;
    for (left, right) in [(&a, &narrow), (&narrow, &a), (&thousandth, &other)] {
        let error = server.evaluate(IntegerOp::Max, [left, right]).unwrap_err();
        assert!(matches!(error, Error::Space(SpaceError::Widths { .. })), "{error}");
    }
    let error = client.encrypt_integers([1_i64 << 32], 32).unwrap_err();
    assert!(matches!(error, Error::Integer { width: 32, .. }), "{error}");
    Ok(())
}

#[test]
fn answers_become_any_numbers() -> Outcome {
    let (client, server) = pair("toy_int16", 8)?;
    let (x, y) = (client.encrypt_integers([3, 4, -9], 8)?, client.encrypt_integers([4, 3, 100], 8)?);
    let less = server.evaluate(IntegerOp::Less, [&x, &y])?;
    let hundred = server.evaluate(&Lut::new(vec![0, 100], 7)?, &less)?;
    assert_eq!(client.decrypt(&hundred)?, [100, 0, 100]);
    let wide = travelled(&server.evaluate(Function::Widen(12), &less)?)?;
    assert_eq!((wide.space().bits(), client.decrypt(&wide.mul_small(100)?)?), (12, vec![100, 0, 100]));
    // Of as much room as the parameters have.
    let (x, y) = ([-16_384i64, 16_383, 5000, -7], [16_383i64, -16_384, 9999, 10_001]);
    let [a, b] = [&x, &y].map(|values| client.encrypt_within(values, -16_384..=16_383, 16));
    let (a, b) = (a?, b?);
    let larger = server.evaluate(IntegerOp::Less, [&b.sub(&a)?, &a])?;
    let step = server.evaluate(&Lut::new(vec![0, 1690], 17)?, &larger)?;
    let result = Ciphertexts::weighted_sum([(-1, &step), (1, &a)])?.add_constant(-7267)?;
    let expected: Vec<i64> = x.iter().zip(y).map(|(&x, y)| -1690 * i64::from(x > y - x) + x - 7267).collect();
    assert_eq!(client.decrypt(&result)?, expected);
    let error = server.evaluate(Function::Widen(18), &less).unwrap_err();
    assert!(matches!(error, Error::Lut(LutError::OutBits { found: 18, max: 17 })), "{error}");
    // One bit has images of any size.
    let bit = client.encrypt_bits([0, 1], 1)?;
    assert_eq!(client.decrypt(&server.evaluate(&Lut::modular(vec![0, 511], 512)?, &bit)?)?, [0, 511]);
    Ok(())
}

#[test]
fn multiples_of_powers_of_two_have_more_room() -> Outcome {
    let (client, server) = pair("toy_int16", 9)?;
    let values = [3i64, -128, 127, -1, 77];
    let x = client.encrypt_integers(values, 8)?;
    let floor = travelled(&server.evaluate(IntegerOp::Floor(4), &x)?)?;
    let rest = values.map(|x| x.rem_euclid(16));
    for sum in [[(1, &x), (-16, &floor)], [(-16, &floor), (1, &x)]] {
        let sum = travelled(&Ciphertexts::weighted_sum(sum)?)?;
        assert_eq!((sum.space().bits(), client.decrypt(&sum)?), (9, rest.to_vec()));
    }
    // The same ciphertext, with noise of its own.
    let multiple = travelled(&floor.mul_small(16)?)?;
    assert!((multiple.noise_variance() / floor.noise_variance() - 1.0).abs() < 1e-6);
    assert_eq!(multiple.space().bits(), 9);
    assert_eq!(client.decrypt(&multiple)?, values.map(|x| x & -16));
    let twice = floor.mul_small(32)?;
    assert_eq!((twice.noise_variance(), twice.space().bits()), (floor.noise_variance(), 10));
    assert_eq!(client.decrypt(&twice)?, values.map(|x| 2 * (x & -16)));
    // What is not known is refused.
    for weight in [8i64, 24, -17] {
        let refused = Ciphertexts::weighted_sum([(1, &x), (weight, &floor)]);
        assert!(matches!(refused, Err(Error::Operands { .. })), "{weight}: {refused:?}");
    }
    for factor in [9i64, 36, i64::MIN] {
        assert!(matches!(floor.mul_small(factor), Err(Error::Overflow { .. })), "{factor}");
    }
    // Beyond what the parameters hold.
    assert!(matches!(x.mul_small(1 << 10), Err(Error::Overflow { .. })));
    // And by a bootstrap.
    let wide = server.evaluate(Function::Widen(9), &server.evaluate(IntegerOp::Floor(5), &x)?)?;
    let rest = values.map(|x| x.rem_euclid(32));
    assert_eq!(client.decrypt(&Ciphertexts::weighted_sum([(1, &x), (-32, &wide)])?)?, rest);
    Ok(())
}

#[test]
fn room_that_is_asked_for_can_be_used() -> Outcome {
    let (client, server) = pair("toy_int16", 10)?;
    let image = |x: u64| ((x * x * 2_654_435_761) >> 7) % 512;
    let inputs = [0u64, 1, 300, 511];
    let x = client.encrypt_unsigned(inputs, 9)?;
    let expected = inputs.map(image);
    for room in [0, 1, 2, 3] {
        let lut = Lut::new((0..512).map(image).collect(), 9 + room)?;
        let results = server.evaluate(&lut, &x)?;
        assert!(results.noise_budget() >= f64::from(room), "{room}: {}", results.noise_budget());
        let sum = results.mul_small(1 << room)?;
        assert_eq!(client.decrypt_residues(&sum)?, expected.map(|y| y << room));
        let again = client.encrypt_within(inputs.map(|x| x as i64), 0..=511, 9 + room)?;
        let larger = server.evaluate(IntegerOp::Max, [&results, &again])?;
        assert_eq!(client.decrypt_residues(&larger)?, [0, 1, 2, 3].map(|i| expected[i].max(inputs[i])));
    }
    // A sum that leaves no room for digits is given it.
    let table = Lut::unstructured(10);
    let expected = inputs.map(|x| table.values()[2 * x as usize]);
    assert_eq!(client.decrypt_residues(&server.evaluate(&table, &x.add(&x)?)?)?, expected);
    Ok(())
}

#[test]
fn digits_of_one_value() -> Outcome {
    let (client, server) = pair("toy_int16", 11)?;
    let residues = client.encrypt_bits([13, 6], 4)?;
    for (inputs, bits, expected) in [
        (&residues, 2, vec![[1, 2], [3, 1]]),
        (&residues, 3, vec![[5, 6], [1, 0]]),
        (&client.encrypt_unsigned([300, 511], 9)?, 5, vec![[12, 31], [9, 15]]),
        (&client.encrypt_within([5, 2], 0..=5, 8)?, 2, vec![[1, 2], [1, 0]]),
    ] {
        let digits = server.evaluate_all(Function::Digits(bits), inputs)?;
        let digits = digits.iter().map(|digit| client.decrypt(digit)).collect::<Result<Vec<_>, _>>()?;
        assert_eq!(digits, expected, "{bits}");
    }
    for bits in [0, 9, u32::MAX] {
        let error = server.plan(Function::Digits(bits), &residues).unwrap_err();
        assert!(matches!(error, Error::Lut(LutError::Ckks(CkksLutError::Digits { .. }))), "{error}");
    }
    let error = server.plan(Function::Digits(2), &client.encrypt_integers([-1], 3)?).unwrap_err().to_string();
    assert!(error.contains("negative"), "{error}");
    Ok(())
}

#[test]
fn any_modulus() -> Outcome {
    let (client, server) = pair("toy_8", 5)?;
    for (p, q) in [(10u64, 10u64), (100, 7), (6, 200), (7, 7), (2, 3), (250, 2)] {
        let image = |x: u64| (x * x * 31 + 5 * x + 1) % q;
        let lut = Lut::modular((0..p).map(image).collect(), q)?;
        let inputs: Vec<u64> = (0..p).collect();
        let encrypted = travelled(&client.encrypt_modulo(&inputs, p)?)?;
        assert_eq!(
            (client.decrypt_residues(&encrypted)?, version(&encrypted)?),
            (inputs.clone(), if p == 2 { 1 } else { 2 })
        );
        let results = travelled(&server.evaluate(&lut, &encrypted)?)?;
        assert_eq!(
            client.decrypt_residues(&results)?,
            inputs.iter().map(|&x| image(x)).collect::<Vec<_>>(),
            "Z_{p} to Z_{q}"
        );
        // Linear operations are modulo p, and their results inputs.
        let linear =
            encrypted.add(&encrypted)?.add_constant(3)?.sub(&client.encrypt_modulo(vec![1; p as usize], p)?)?;
        let expected: Vec<u64> = inputs.iter().map(|x| (2 * x + 2) % p).collect();
        assert_eq!(client.decrypt_residues(&linear)?, expected);
        let again = server.evaluate(&lut, &linear)?;
        assert_eq!(client.decrypt_residues(&again)?, expected.iter().map(|&x| image(x)).collect::<Vec<_>>());
    }
    // Residues have no sign, and those modulo 10 are no integers modulo a power of two.
    let x = client.encrypt_modulo([0, 4, 5, 9], 10)?;
    assert_eq!(client.decrypt(&x)?, [0, 4, 5, 9]);
    assert!(matches!(x.as_integers(-5..=4), Err(Error::Space(SpaceError::AsIntegers { .. }))));
    Ok(())
}

#[test]
fn bad_moduli() -> Outcome {
    let (client, server) = pair("toy_4", 6)?;
    for p in [0, 1, 17, 1 << 40] {
        assert!(matches!(client.encrypt_modulo([0], p), Err(Error::Modulus { max: 16, .. })), "{p}");
    }
    // Sets for integers keep what is too long for residues as integers.
    let (longer, evaluator) = pair("toy_int16", 6)?;
    for (bits, p) in [(5, 31), (7, 100), (8, 251), (9, 511)] {
        let lut = Lut::new((0..1 << bits).map(|x| 3 * x).collect(), 11)?;
        for x in [longer.encrypt_bits([7, p - 1], bits)?, longer.encrypt_modulo([7, p - 1], p)?] {
            assert!(matches!(x.space(), Space::Integers(integers) if integers.width() == bits));
            assert_eq!(longer.decrypt(&evaluator.evaluate(&lut, &x)?)?, [21, 3 * (p as i64 - 1)], "{bits} bits");
        }
    }
    assert_eq!(longer.encrypt_bits([0], 4)?.space(), Space::of_bits(4));
    assert!(matches!(longer.encrypt_bits([0], 17), Err(Error::Bits { max: 16, .. })));
    assert!(matches!(longer.encrypt_modulo([0], 1), Err(Error::Modulus { max: 65536, .. })));
    let error = client.encrypt_modulo([9, 10], 10).unwrap_err();
    assert_eq!(error.to_string(), "value number 1 is 10, expected 0 to 9 (messages modulo 10)");
    let [ten, twelve] = [10, 12].map(|p| client.encrypt_modulo([1, 2], p));
    let (ten, twelve) = (ten?, twelve?);
    assert!(matches!(ten.add(&twelve), Err(Error::Operands { .. })));
    let lut = Lut::modular((0..12).collect(), 12)?;
    let error = server.evaluate(&lut, &ten).unwrap_err();
    assert!(matches!(error, Error::InputModulus { entries: 12, .. }), "{error}");
    assert!(
        error.to_string().contains("modulo 10") && error.to_string().contains("encrypt messages modulo 12"),
        "{error}"
    );
    let plan = server.plan(&lut, &twelve)?;
    let error = server.run(&plan, &ten).unwrap_err();
    assert!(matches!(error, Error::Plan(PlanError::Space { .. })), "{error}");
    let wide = Lut::modular((0..12).collect(), 17)?;
    for refused in [server.evaluate(&wide, &twelve).map(drop), client.params().check(&wide)] {
        assert!(matches!(refused, Err(Error::Lut(LutError::TooWide { found: 5, .. }))), "{refused:?}");
    }
    Ok(())
}

#[test]
fn forged_spaces_are_refused() -> Outcome {
    use bootes::wire::{HEADER_BYTES, ObjectKind, open, seal_as};
    let (client, _) = pair("toy_int16", 7)?;
    let forge = |ciphertexts: &Ciphertexts, version: u16, at: usize, bytes: &[u8]| {
        let sealed = ciphertexts.write(Vec::new())?;
        let (header, payload) = open(&sealed, ObjectKind::Ciphertexts)?;
        assert!(payload.len() < sealed.len() - HEADER_BYTES);
        let mut payload = payload.to_vec();
        // After the length of the head and the name of the set.
        let start = 8 + 8 + "toy_int16".len() + at;
        payload[start..start + bytes.len()].copy_from_slice(bytes);
        Ciphertexts::read(&seal_as(version, ObjectKind::Ciphertexts, header.fingerprint, header.key_id, &payload)[..])
    };
    let (ten, long) = (client.encrypt_modulo([1, 2], 10)?, client.encrypt_integers([1, 2], 32)?);
    assert_eq!(forge(&ten, 2, 0, &11u64.to_le_bytes())?.space(), Space::Modular(11));
    for p in [1u64, (1 << 17) + 1, u64::MAX] {
        let error = forge(&ten, 2, 0, &p.to_le_bytes()).unwrap_err();
        assert!(matches!(error, Error::Wire(WireError::Malformed { .. })), "{error}");
    }
    // Limbs out of range, and limbs that do not hold the range.
    for (at, bits) in [(8, 0u32), (8, 17), (8, 14), (12, 0), (12, 14), (12, 17), (12, u32::MAX)] {
        let error = forge(&long, 2, at, &bits.to_le_bytes()).unwrap_err();
        assert!(matches!(error, Error::Wire(WireError::Malformed { .. })), "{error}");
    }
    assert!(forge(&long, 1, 0, &[]).is_err() && forge(&ten, 1, 0, &[]).is_err());
    // A range that is none, or larger than the space.
    for (at, end) in [(16, i64::MAX), (16, i64::MIN), (16, -(1 << 33)), (24, 1 << 33), (24, -(1 << 32))] {
        let error = forge(&long, 2, at, &end.to_le_bytes()).unwrap_err();
        assert!(matches!(error, Error::Wire(WireError::Malformed { .. })), "{error}");
    }
    // Three ciphertexts are no integers of two limbs.
    assert!(forge(&long, 2, 32, &3u64.to_le_bytes()).is_err());
    Ok(())
}
