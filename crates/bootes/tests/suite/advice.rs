//! What refusals say to do works.
use bootes::{
    Ciphertexts, Client, Engine, Error, FailureTarget, FhewLutError, Function, IntegerOp, Lut, LutError, NoiseCure,
    Params, Program,
};
use bootes::{Server, algorithms};
use bootes_testkit::sampled;

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn pair(params: &Params) -> Result<(Client, Server), Error> {
    let client = Client::generate(params)?;
    let server = Server::new(client.server_key()?)?;
    Ok((client, server))
}

/// Multiplies by `factor` until that is refused: what was reached, and what the refusal says to do.
fn until_refused(mut x: Ciphertexts, factor: i64) -> Result<(Ciphertexts, NoiseCure), Error> {
    loop {
        match x.mul_small(factor) {
            Ok(product) => x = product,
            Err(Error::NoiseBudget { cure, .. }) => return Ok((x, cure)),
            Err(error) => return Err(error),
        }
    }
}

#[test]
fn noise_is_made_less_by_what_does_it() -> Outcome {
    for (set, p) in [("toy_8", 256u64), ("toy_batch_4bit", 16)] {
        let (client, server) = pair(&Params::named(set)?)?;
        let identity = Lut::modular((0..p).collect(), p)?;
        let fresh = client.encrypt_modulo([1, 2, 3], p)?;
        // A product of products bears it after a table, if a table bears the product.
        for factor in [3, 7] {
            let (product, cure) = until_refused(fresh.clone(), factor)?;
            assert!(cure.smaller_weights && cure.other.is_none(), "{set}: {cure:?}");
            let expected = client.decrypt_residues(&product)?.iter().map(|x| x * factor as u64 % p).collect::<Vec<_>>();
            match (cure.refresh, server.evaluate(&identity, &product)) {
                (true, refreshed) => {
                    assert_eq!(client.decrypt_residues(&refreshed?.mul_small(factor)?)?, expected, "{set}");
                }
                (false, refreshed) => assert!(refreshed.is_err(), "{set}"),
            }
        }
    }
    // Results of a table gain nothing from another.
    let (client, server) = pair(&Params::named("toy_8")?)?;
    let results = server.evaluate(Lut::unstructured(8), &client.encrypt([1])?)?;
    let error = Ciphertexts::weighted_sum([(127, &results); 2]).unwrap_err();
    assert!(matches!(&error, Error::NoiseBudget { cure, .. } if !cure.refresh && cure.smaller_weights), "{error}");
    assert!(
        error
            .to_string()
            .ends_with("; take smaller weights, as by tables whose entries have them, or messages of fewer bits"),
        "{error}"
    );
    let common = ": operands have an encryption in common, so that their noise adds up in full; ";
    let error = Ciphertexts::weighted_sum([(1, &results); 200]).unwrap_err().to_string();
    assert!(error.ends_with(&format!("{common}take fewer terms, or messages of fewer bits")), "{error}");
    // Of others variances add up.
    let other = server.evaluate(Lut::unstructured(8), &client.encrypt([1])?)?;
    let error = Ciphertexts::weighted_sum([(127, &results), (127, &other)]).unwrap_err().to_string();
    assert!(!error.contains("in common"), "{error}");
    Ok(())
}

#[test]
fn tables_apart_have_less_noise_than_at_once() -> Outcome {
    let (client, server) = pair(&Params::named("toy_4")?)?;
    let [identity, reverse] = [(0..16).collect(), (0..16).rev().collect()].map(|values| Lut::modular(values, 16));
    let (luts, fresh) = ([identity?, reverse?], client.encrypt_bits([3], 4)?);
    let together = server.evaluate_all(&luts[..], &fresh)?.remove(1);
    let alone = server.evaluate(&luts[1], &fresh)?;
    // 7 times, as often as is refused.
    let (mut product, mut same, mut expected) = (together, alone.clone(), 12);
    let cure = loop {
        same = same.mul_small(7)?;
        expected = expected * 7 % 16;
        match product.mul_small(7) {
            Ok(larger) => product = larger,
            Err(Error::NoiseBudget { cure, .. }) => break cure,
            Err(error) => return Err(error.into()),
        }
    };
    assert!(cure.apart, "{cure:?}");
    assert_eq!(client.decrypt(&same)?, [expected]);
    // Of which there is nothing to part.
    let error = Ciphertexts::weighted_sum([(7, &alone); 1000]).unwrap_err();
    assert!(matches!(&error, Error::NoiseBudget { cure: NoiseCure { apart: false, .. }, .. }), "{error}");
    Ok(())
}

#[test]
fn another_set_has_room_for_the_noise() -> Outcome {
    let own = Params::for_bits_with(4, FailureTarget::Two64)?;
    let weighted = |params: &Params| -> Result<(Client, Result<Ciphertexts, Error>), Error> {
        let (client, server) = pair(params)?;
        let results = server.evaluate(&Lut::modular((0..16).collect(), 16)?, &client.encrypt_bits([3], 4)?)?;
        // 2^7.4, of one origin.
        Ok((client, Ciphertexts::weighted_sum([(1, &results); 171])))
    };
    let (_, refused) = weighted(&own)?;
    let Err(Error::NoiseBudget {
        cure: NoiseCure { refresh: false, smaller_weights: false, other: Some(other), .. },
        ..
    }) = refused
    else {
        panic!("{refused:?}");
    };
    let other = Params::named(&other)?;
    assert!(other.result_budget() > own.result_budget() && other.log2_p_fail() == own.log2_p_fail());
    let (client, sum) = weighted(&other)?;
    assert_eq!(client.decrypt(&sum?)?, [3 * 171 % 16]);
    Ok(())
}

#[test]
fn room_for_integers_is_where_it_is_said_to_be() -> Outcome {
    let (client, server) = pair(&Params::named("toy_int16")?)?;
    let less =
        server.evaluate(IntegerOp::Less, [&client.encrypt_integers([3], 8)?, &client.encrypt_integers([4], 8)?])?;
    let error = less.mul_small(100).unwrap_err().to_string();
    assert!(error.contains("Function::Widen(7)") && error.contains("2^7"), "{error}");
    let wide = server.evaluate(Function::Widen(7), &less)?;
    assert_eq!(client.decrypt(&wide.mul_small(100)?)?, [100]);
    // Longer than one bootstrap takes, with room that the set has.
    let error = client.encrypt_unsigned([511], 9)?.mul_small(3).unwrap_err().to_string();
    assert!(error.contains("2^11") && error.contains("encrypt_within") && !error.contains("Widen"), "{error}");
    let room = client.encrypt_within([511], 0..=511, 10)?.mul_small(3)?;
    assert_eq!(client.decrypt(&room)?, [1533]);
    // Room that it has not, and that no set has.
    let (client, _) = pair(&Params::named("toy_4")?)?;
    let error = client.encrypt_unsigned([7], 3)?.mul_small(9).unwrap_err().to_string();
    assert!(error.contains("Params::for_integers(5)") && !error.contains("Widen"), "{error}");
    let (client, _) = pair(&Params::for_integers_with(5, FailureTarget::Two64)?)?;
    assert_eq!(client.decrypt(&client.encrypt_within([7], 0..=7, 5)?.mul_small(9)?)?, [63]);
    let error = client.encrypt_unsigned([7], 3)?.mul_small(1 << 40).unwrap_err().to_string();
    assert!(error.contains("take smaller factors or fewer terms") && !error.contains("for_integers"), "{error}");
    // Programs give results the room that they take.
    let (client, server) = pair(&Params::named("toy_int16")?)?;
    let x = client.encrypt_integers([1, -32768, 3], 16)?;
    for (refused, words, program) in [
        (x.mul_small(4), "or a program like \"3*x\" (Program::parse)", "4*x"),
        (x.add(&x)?.add(&x), "or the program \"x + y\" (Program::parse)", "x + x + x"),
        (x.linear_map(&[&[1, 1, 1]]), "\"3*a - 4*b\" (Program::parse) of parts of the vector", "sum(x, x, x)"),
    ] {
        let error = refused.unwrap_err().to_string();
        assert!(error.contains("take smaller factors or fewer terms") && error.contains(words), "{error}");
        let many = if program == "4*x" { 4 } else { 3 };
        let result = server.evaluate(&Program::parse(program, &[])?, &x)?;
        assert_eq!(client.decrypt_wide(&result)?, [1, -32768, 3].map(|x| many * x));
    }
    let parts = [0..1, 1..2, 2..3].map(|range| x.slice(range));
    let [a, b, c] = parts;
    let total = server.evaluate(&Program::parse("sum(a, b, c)", &[])?, [&a?, &b?, &c?])?;
    assert_eq!(client.decrypt_wide(&total)?, [-32764]);
    Ok(())
}

#[test]
fn functions_of_results_that_fill_their_space() -> Outcome {
    let (client, server) = pair(&Params::named("toy_int16")?)?;
    let max = |out_bits: u32| -> Result<Ciphertexts, Error> {
        let table = Lut::new(vec![2, 11, 3, 4, 5, 6, 7, 8], out_bits)?;
        let results = server.evaluate(table, &client.encrypt_unsigned([1, 7], 3)?)?;
        server.evaluate(IntegerOp::Max, [&results, &results])
    };
    let error = max(4).unwrap_err().to_string();
    assert!(error.ends_with("give tables that they are results of 5 output bits (Lut::new)"), "{error}");
    assert_eq!(client.decrypt(&max(5)?)?, [11, 8]);
    // Tables of engine ckks give residues.
    let (client, server) = pair(&Params::named("toy_batch_integers")?)?;
    let max = |width: u32| -> Result<Ciphertexts, Error> {
        let twice = client.encrypt_within([3, -128], -128..=127, width)?.mul_small(2)?;
        server.evaluate(IntegerOp::Max, [&twice, &client.encrypt_within([7, 127], -128..=127, width)?])
    };
    let error = max(8).unwrap_err().to_string();
    assert!(error.ends_with("with a width of 9 bits or more (Client::encrypt_within)"), "{error}");
    assert_eq!(client.decrypt(&max(9)?)?, [7, 127]);
    Ok(())
}

#[test]
fn messages_of_two_moduli_are_brought_to_one() -> Outcome {
    for set in ["toy_4", "toy_batch_4bit"] {
        let (client, server) = pair(&Params::named(set)?)?;
        let (x, y) = (client.encrypt_modulo([1, 3], 4)?, client.encrypt_modulo([5, 7], 10)?);
        let error = x.add(&y).unwrap_err().to_string();
        assert!(
            error.contains(
                "encrypt both modulo 10 (Client::encrypt_modulo), or evaluate a table with results modulo 10"
            )
        );
        let table = Lut::modular((0..4).collect(), 10)?;
        for same in [client.encrypt_modulo([1, 3], 10)?, server.evaluate(table, &x)?] {
            assert_eq!(client.decrypt(&same.add(&y)?)?, [6, 0], "{set}");
        }
    }
    Ok(())
}

#[test]
fn the_smallest_of_many_is_found_in_a_loop() -> Outcome {
    const VALUES: u64 = 128;
    let (client, server) = pair(&Params::named("toy_int16")?)?;
    let column = |i: u64| (0..VALUES).map(|j| (j * 40_503 + i * 30_011) % 30_000).collect::<Vec<u64>>();
    let encrypt =
        |values: &[u64]| client.encrypt_within(values.iter().map(|&x| x as i64).collect::<Vec<_>>(), 0..=29_999, 16);
    let mut expected = column(0);
    let (mut smallest, mut first) = (encrypt(&expected)?, None);
    for i in 1..=6 {
        let next = column(i);
        smallest = server.evaluate(IntegerOp::Min, [&smallest, &encrypt(&next)?])?;
        expected.iter_mut().zip(&next).for_each(|(least, &x)| *least = x.min(*least));
        assert_eq!(client.decrypt_residues(&smallest)?, expected);
        // The noise of the one that is kept stays, what the bootstraps add is added.
        let bound = smallest.noise_variance();
        assert!(bound < 1.2 * i as f64 * *first.get_or_insert(bound), "{i}: {bound:e}, first {first:?}");
        let noise = client.measure_noise(&smallest, &expected)?;
        let measured = noise.iter().map(|e| e * e).sum::<f64>() / VALUES as f64;
        // A mean of 128 squares is 2.3 times what it is in the mean with 2^-43, and a key may be a quarter noisier.
        assert!((0.05..3.0).contains(&(measured / bound)), "{i}: {measured:e}, bound {bound:e}");
    }
    Ok(())
}

/// Multiples of results of tables on digits have noise that functions bear, as far as decryption does.
#[test]
fn functions_of_noisy_results() -> Outcome {
    let (client, server) = pair(&Params::named("fhew_int16_2m64")?)?;
    for (bits, out_bits, weight) in sampled([(11, 13, 4), (9, 15, 16)], 2) {
        let lut = Lut::new(Lut::unstructured(bits).values().to_vec(), out_bits)?;
        let [x, y] = [3u64, 500].map(|value| {
            let result = server.evaluate(&lut, &client.encrypt_unsigned([value], bits)?)?;
            Ciphertexts::weighted_sum([(weight, &result)])
        });
        let largest = server.evaluate(IntegerOp::Max, [&x?, &y?])?;
        let expected = weight * lut.values()[3].max(lut.values()[500]) as i64;
        assert_eq!(client.decrypt(&largest)?, [expected], "{bits} to {out_bits} bits");
    }
    Ok(())
}

/// What two operands have in common is no more than one of them has, where the other is fresh.
#[test]
fn fresh_operands_add_nothing_to_results_that_they_are_in() -> Outcome {
    let (client, server) = pair(&Params::named("fhew_int16_2m128")?)?;
    let lut = Lut::unstructured(12);
    let x = server.evaluate(&lut, &client.encrypt_unsigned([3], 12)?)?;
    let z = client.encrypt_unsigned([5], 12)?;
    let x = server.evaluate(IntegerOp::Max, [&x, &z])?;
    let [apart, together] = [client.encrypt_unsigned([5], 12)?, z].map(|z| server.plan(IntegerOp::Less, [&z, &x]));
    let [apart, together] = [apart?.log2_p_fail(), together?.log2_p_fail()];
    assert!(together <= -128.0 && (together - apart).abs() < 1.0, "{together}, {apart}");
    Ok(())
}

/// The sets for integers hold all tables of up to 16 bits.
#[test]
fn tables_that_sets_hold() -> Outcome {
    for set in ["fhew_int16_2m64", "fhew_int16_2m128", "fhew_table16_2m64", "fhew_table16_2m128"] {
        for bits in 9..=16 {
            Params::named(set)?.check(&Lut::unstructured(bits))?;
        }
    }
    Ok(())
}

#[test]
fn keys_that_a_server_lacks_are_made_as_is_said() -> Outcome {
    let (client, server) = pair(&Params::named("toy_4")?)?;
    let error = server.evaluate(IntegerOp::Relu, &client.encrypt_integers([3, -3], 3)?).unwrap_err();
    assert!(matches!(error, Error::Lut(LutError::Fhew(FhewLutError::Keys { .. }))), "{error}");
    assert!(error.to_string().ends_with("take parameters for integers, whose keys have them (Params::for_integers)"));
    let (integers, functions) = pair(&Params::named("toy_int16")?)?;
    let relu = functions.evaluate(IntegerOp::Relu, &integers.encrypt_integers([3, -3], 3)?)?;
    assert_eq!(integers.decrypt(&relu)?, [3, 0]);
    // Those of algorithms of tables.
    let (lut, x) = (Lut::modular((0..16).rev().collect(), 16)?, client.encrypt([3])?);
    let mut followed = 0;
    for (name, ..) in algorithms() {
        let by = || Function::TableBy(lut.clone(), name.clone());
        let Err(error @ Error::Lut(LutError::Fhew(FhewLutError::Keys { .. }))) = server.evaluate(by(), &x) else {
            continue;
        };
        assert!(error.to_string().contains(&format!("Client::server_key_builder().algorithm({name:?})")), "{error}");
        let server = Server::new(client.server_key_builder().algorithm(name.clone()).build()?)?;
        assert_eq!(client.decrypt(&server.evaluate(by(), &x)?)?, [12], "{name}");
        followed += 1;
    }
    assert!(followed > 0);
    Ok(())
}

#[test]
fn tables_of_more_bits_have_sets_elsewhere() -> Outcome {
    let error = Params::for_bits(12).unwrap_err().to_string();
    assert!(error.contains("Params::for_modulus(4096)"), "{error}");
    Params::for_modulus(4096)?;
    for error in [Params::for_bits(17).unwrap_err(), Params::for_modulus(100_000).unwrap_err()].map(|e| e.to_string()) {
        assert!(error.contains("Engine::Ckks") && !error.contains("power of two"), "{error}");
    }
    assert!(Params::least_key_bytes(Engine::Ckks, 100_000) > 0);
    let error = Params::for_modulus(100_000).unwrap_err().to_string();
    assert!(error.contains("tables of 100000 entries") && error.contains("up to 65536"), "{error}");
    Ok(())
}

/// What an engine has not, the one that is named has.
#[test]
fn what_an_engine_has_not_is_where_it_is_said_to_be() -> Outcome {
    for set in ["toy_4", "toy_batch_4bit"] {
        let (client, server) = pair(&Params::named(set)?)?;
        let x = client.encrypt([3])?;
        let error = server.rotate(&x, 1).unwrap_err().to_string();
        assert!(error.ends_with("of engine bfv"), "{error}");
    }
    let (client, server) = pair(&Params::named("toy_slots_257")?)?;
    let x = client.encrypt([3])?;
    assert_eq!(client.decrypt(&server.multiply(&x, &x)?)?, [9]);
    let error = server.evaluate(IntegerOp::Relu, &x).unwrap_err().to_string();
    assert!(error.ends_with("take parameters of engine fhew or engine ckks"), "{error}");
    Ok(())
}

/// Programs take integers of any width, where operations refuse them.
#[test]
fn integers_of_several_widths_are_taken_by_the_program_that_is_named() -> Outcome {
    let (client, server) = pair(&Params::named("toy_int16")?)?;
    let short = client.encrypt_integers([5, -3], 6)?;
    let (wider, long) = (client.encrypt_integers([7, 30], 12)?, client.encrypt_integers([1 << 30, -9], 40)?);
    let refused = |error: Error| {
        let line = error.to_string();
        assert!(!line.contains("widen") && !line.contains('\n'), "{line}");
        line.split_once("the program \"").and_then(|(_, rest)| Some(rest.split_once('"')?.0.to_string())).ok_or(line)
    };
    for (other, values) in [(&wider, [7, 30]), (&long, [1 << 30, -9])] {
        let sum: Function = refused(short.add(other).unwrap_err())?.parse()?;
        let difference: Function = refused(short.sub(other).unwrap_err())?.parse()?;
        let expected = [[5 + values[0], values[1] - 3], [5 - values[0], -3 - values[1]]];
        for (function, expected) in [sum, difference].into_iter().zip(expected) {
            assert_eq!(client.decrypt(&server.evaluate(function, [&short, other])?)?, expected);
        }
    }
    for (op, expected) in [(IntegerOp::Add, [12, 27]), (IntegerOp::Sub, [-2, -33])] {
        let program: Function = refused(server.evaluate(op, [&short, &wider]).unwrap_err())?.parse()?;
        assert_eq!(client.decrypt(&server.evaluate(program, [&short, &wider])?)?, expected);
    }
    let max: Function = refused(server.evaluate(IntegerOp::Max, [&short, &wider]).unwrap_err())?.parse()?;
    assert_eq!(client.decrypt(&server.evaluate(max, [&short, &wider])?)?, [7, 30]);
    Ok(())
}

/// The range of integers is known: another one that does not hold it would be none of theirs.
#[test]
fn integers_of_another_range_take_the_program_that_is_named() -> Outcome {
    let (client, server) = pair(&Params::named("toy_int16")?)?;
    let (many, many_server) = pair(&Params::named("toy_batch_integers")?)?;
    let short = client.encrypt_integers([100, 3], 8)?;
    for (client, server, x, range, expected) in [
        // More bits than residues have there are integers.
        (&client, &server, client.encrypt_modulo([255, 5], 256)?, -128..=127, [-1, 5]),
        (&client, &server, client.encrypt_modulo([4095, 5], 4096)?, -2048..=2047, [-1, 5]),
        (&client, &server, short.clone(), 0..=3, [0, 3]),
        (&client, &server, client.encrypt_integers([-5, 1 << 30], 40)?, 0..=255, [251, 0]),
        (&many, &many_server, many.encrypt_unsigned([200, 5], 8)?, -128..=127, [-56, 5]),
        (&many, &many_server, many.encrypt_integers([100, 3], 8)?, 0..=3, [0, 3]),
    ] {
        let line = x.as_integers(range.clone()).unwrap_err().to_string();
        let program =
            line.split_once("the program \"").and_then(|(_, rest)| Some(rest.split_once('"')?.0)).ok_or("none")?;
        let result = server.evaluate(program.parse::<Function>()?, &x)?;
        assert_eq!(client.decrypt(&result)?, expected, "{line}");
        assert_eq!((result.space().range(), result.as_integers(range.clone()).is_ok()), (range.into(), true));
    }
    let line = short.as_integers(1..=3).unwrap_err().to_string();
    assert!(line.ends_with("take integers of that range (Client::encrypt_within)"), "{line}");
    // A range that holds theirs is theirs.
    let wider = short.as_integers(-200..=200)?;
    assert_eq!((client.decrypt(&wider)?, wider.space().range()), (vec![100, 3], (-200..=200).into()));
    Ok(())
}

/// Vectors as they are, in parentheses or with other names, are results; a name alone is that of a function.
#[test]
fn expressions_that_compute_nothing_give_their_vectors() -> Outcome {
    for set in ["toy_int16", "toy_batch_4bit", "toy_slots_257"] {
        let (client, server) = pair(&Params::named(set)?)?;
        let (x, y) = (client.encrypt([5, 3])?, client.encrypt([7, 1])?);
        for text in ["a = x; b = y", "x; y"] {
            let results = server.evaluate_all(text.parse::<Function>()?, [&x, &y])?;
            let values = results.iter().map(|result| client.decrypt(result)).collect::<Result<Vec<_>, _>>()?;
            assert!(values[0].starts_with(&[5, 3]) && values[1].starts_with(&[7, 1]), "{set}: {values:?}");
        }
        assert!(client.decrypt(&server.evaluate("(x)".parse::<Function>()?, &x)?)?.starts_with(&[5, 3]), "{set}");
    }
    assert!("x".parse::<Function>().is_err());
    Ok(())
}

#[test]
fn values_modulo_something_else_have_the_set_that_is_named() -> Outcome {
    let client = Client::generate(&Params::named("toy_slots_257")?)?;
    let line = |p| client.encrypt_modulo([1], p).unwrap_err().to_string();
    for (p, words) in [
        (127, ", or Params::for_vectors(127)"),
        (32, ", or a set for values modulo 32 (Params::on)"),
        (1_000_000_007, ", or Params::named(\"slots_1000000007_depth_1\")"),
        (1_000_000_008, "take values modulo 257"),
        (1, "take values modulo 257"),
    ] {
        assert!(line(p).ends_with(words), "{}", line(p));
    }
    Params::on(Engine::for_entries(32), 32, FailureTarget::Two128)?;
    assert_eq!(Params::named("slots_1000000007_depth_1")?.modulus(), Some(1_000_000_007));
    assert_eq!(Params::for_vectors(127)?.modulus(), Some(127));
    Ok(())
}
