//! No silent wrong answers: what integers mean, where they have room, and what is refused.
use bootes::{Ciphertexts, Client, Error, Function, IntegerOp, Interval, Lut, Params, Server, Space};

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn pair(name: &str, seed: u8) -> Result<(Client, Server), Error> {
    let client = Client::from_seed(&Params::named(name)?, &[seed; 32]);
    let server = Server::new(client.server_key()?)?;
    Ok((client, server))
}

/// A refusal in words, which name no option of the command.
fn refusal<T: std::fmt::Debug>(result: Result<T, Error>, words: &[&str]) {
    let error = result.unwrap_err().to_string();
    assert!(words.iter().all(|word| error.contains(word)) && !error.contains("--"), "{error}");
    assert!(!error.contains("toy_") && !error.contains('\n'), "{error}");
}

#[test]
fn the_caller_says_whether_there_is_a_sign() -> Outcome {
    let (client, server) = pair("toy_int16", 1)?;
    let (x, y) = (client.encrypt_unsigned([40_000, 7], 16)?, client.encrypt_integers([-30_000, 7], 16)?);
    // max was −30000 and less 1: the difference, up to 98303, has no room in Z_(2^17).
    for op in [IntegerOp::Max, IntegerOp::Less, IntegerOp::Min] {
        refusal(
            server.evaluate(op, [&x, &y]),
            &[&op.to_string(), "0 to 65535 and from -32768 to 32767", "17 bits", "encrypt_within"],
        );
    }
    // The cure.
    let x = client.encrypt_within([40_000, 7], 0..=65_535, 17)?;
    let y = client.encrypt_within([-30_000, 7], -32_768..=32_767, 17)?;
    let larger = server.evaluate(IntegerOp::Max, [&x, &y])?;
    assert_eq!(client.decrypt(&larger)?, [40_000, 7]);
    assert_eq!(client.decrypt(&server.evaluate(IntegerOp::Less, [&x, &y])?)?, [0, 0]);
    // The data do not say.
    refusal(client.encrypt_integers([40_000], 16), &["40000", "-32768 to 32767", "encrypt_unsigned"]);
    refusal(client.encrypt_within([0], -5..=256, 8), &["-5 to 256", "-2^8 to 2^8 - 1", "9 bits"]);
    refusal(client.decrypt_residues(&y), &["-32768", "take decrypt"]);
    assert_eq!(client.encrypt_integers([1], 16)?.space(), Space::signed(16));
    Ok(())
}

/// Functions of residues are of 0 to p − 1, which have no sign, unless the caller says which integers they are.
#[test]
fn residues_have_a_sign_if_the_caller_says_so() -> Outcome {
    let (client, server) = pair("toy_int16", 2)?;
    let x = client.encrypt([9, 3])?;
    assert_eq!(client.decrypt(&server.evaluate(IntegerOp::Relu, [&x])?)?, [9, 3]);
    let signed = x.as_integers(-8..=7)?;
    assert_eq!(client.decrypt(&signed)?, [-7, 3]);
    let relu = server.evaluate(IntegerOp::Relu, [&signed])?;
    assert_eq!((client.decrypt(&relu)?, relu.space().range()), (vec![0, 3], Interval { min: 0, max: 7 }));
    refusal(x.as_integers(0..=16), &["0 to 16"]);
    // Residues and integers do not mix by themselves.
    refusal(x.add(&relu), &["sum of 4-bit messages and unsigned 3-bit integers", "as_residues"]);
    assert_eq!(client.decrypt(&x.add(&relu.as_residues()?)?)?, [9, 6]);
    refusal(client.encrypt_integers([1], 20)?.as_residues(), &["limbs"]);
    Ok(())
}

#[test]
fn sums_of_results_have_room_or_are_refused() -> Outcome {
    let (client, server) = pair("toy_8", 3)?;
    let tables: [fn(u64) -> u64; 2] = [|x| x * x % 64, |x| (5 * x + 11) % 64];
    let inputs: Vec<u64> = (0..20).map(|i| i * 3 + 2).collect();
    let expected: Vec<u64> = inputs.iter().map(|&x| tables.iter().map(|f| f(x)).sum()).collect();
    assert!(expected.iter().any(|&sum| sum >= 64), "some sums need seven bits");
    let encrypted = client.encrypt_bits(&inputs, 6)?;
    let sum_of = |bits: u32| -> Result<Ciphertexts, Error> {
        let evaluate = |f| server.evaluate(&Lut::new((0..64).map(f).collect(), bits)?, &encrypted);
        evaluate(tables[0])?.add(&evaluate(tables[1])?)
    };
    refusal(
        sum_of(6),
        &["the sum gives integers from", "room for 2^6", "room for 2^7", "Lut::new, as of the identity"],
    );
    let sums = sum_of(7)?;
    assert_eq!(client.decrypt_residues(&sums)?, expected);
    // The sum is an operand of a table of as many entries.
    let half = Lut::new((0..128).map(|x| x / 2).collect(), 6)?;
    assert_eq!(
        client.decrypt_residues(&server.evaluate(&half, &sums)?)?,
        expected.iter().map(|x| x / 2).collect::<Vec<_>>()
    );
    refusal(
        server.evaluate(&Lut::new((0..64).collect(), 6)?, &sums),
        &["64 entries", "from 0 to 120", "table for all"],
    );
    // Modulo 64 where that is meant.
    let square = Lut::modular((0..64).map(tables[0]).collect(), 64)?;
    let squares = server.evaluate(&square, &encrypted)?;
    let twice = squares.add(&squares)?;
    assert_eq!(client.decrypt_residues(&twice)?, inputs.iter().map(|&x| 2 * tables[0](x) % 64).collect::<Vec<_>>());
    Ok(())
}

#[test]
fn answers_are_widened_before_they_are_counted() -> Outcome {
    let (client, server) = pair("toy_int16", 4)?;
    let (x, y) = (client.encrypt_integers([-3, 5, 9], 8)?, client.encrypt_integers([2, 5, 10], 8)?);
    let less = server.evaluate(IntegerOp::Less, [&x, &y])?;
    // 1 + 1 was 0.
    refusal(less.add(&less), &["0 to 2", "room for 2^1", "Function::Widen"]);
    refusal(less.linear_map(&[[1, 1, 1]]), &["0 to 3", "room for 2^2", "linear map"]);
    refusal(server.evaluate(IntegerOp::Relu, [&less]), &["relu", "0 to 1"]);
    let plan = server.plan(Function::Widen(3), &less)?;
    assert!(plan.rotations() == Some(1) && plan.to_string().contains("predicted"), "{plan}");
    let room = server.evaluate(Function::Widen(3), &less)?;
    assert_eq!(client.decrypt(&room.linear_map(&[[1, 1, 1]])?)?, [2]);
    refusal(server.evaluate(Function::Widen(3), &client.encrypt([1])?), &["widening", "0 to 15", "2^4"]);
    refusal(server.evaluate(Function::Widen(12), &x), &["Z_(2^9)"]);
    // As they are, for a table.
    assert_eq!(client.decrypt(&server.evaluate(&Lut::new(vec![7, 2], 3)?, &less)?)?, [2, 7, 2]);
    Ok(())
}

#[test]
fn linear_operations_know_the_range() -> Outcome {
    let (client, _) = pair("toy_int16", 5)?;
    let range = |ciphertexts: &Ciphertexts| ciphertexts.space().range();
    let (x, y) = (client.encrypt_unsigned([200, 3], 8)?, client.encrypt_unsigned([255, 1], 8)?);
    // Negative results of integers without a sign.
    let difference = x.sub(&y)?;
    assert_eq!((client.decrypt(&difference)?, range(&difference)), (vec![-55, 2], Interval { min: -255, max: 255 }));
    assert_eq!(client.decrypt(&x.add(&y)?)?, [455, 4]);
    refusal(x.add(&y)?.add(&x), &["0 to 765", "room for 2^9", "room for 2^10"]);
    refusal(difference.sub(&y), &["-510 to 255", "room for 2^9"]);
    let scaled = x.mul_small(-2)?;
    assert_eq!((client.decrypt(&scaled)?, range(&scaled)), (vec![-400, -6], Interval { min: -510, max: 0 }));
    refusal(x.mul_small(3), &["the multiple", "0 to 765"]);
    refusal(x.mul_small(i64::MAX), &["the multiple", "0 to 2351959869397967830785"]);
    let moved = x.add_constants(&[-200, 56])?;
    assert_eq!((client.decrypt(&moved)?, range(&moved)), (vec![0, 59], Interval { min: -200, max: 311 }));
    refusal(x.add_constant(-300)?.add_constant(-300), &["-600 to -345"]);
    let both = x.linear_map(&[[1, -1], [0, 1]])?;
    assert_eq!((client.decrypt(&both)?, range(&both)), (vec![197, 3], Interval { min: -255, max: 255 }));
    Ok(())
}

#[test]
fn tables_on_integers_have_an_entry_for_each() -> Outcome {
    let (client, server) = pair("toy_8", 6)?;
    let square = Lut::new((0..64).map(|x| x * x % 61).collect(), 6)?;
    let image = |x: u64| x * x % 61;
    // Fewer integers than entries, and as many in twice the space: one rotation.
    for (values, width) in [([0u64, 5, 31], 5u32), ([0, 62, 63], 6)] {
        let encrypted = client.encrypt_unsigned(values, width)?;
        assert_eq!(server.plan(&square, &encrypted)?.rotations(), Some(1));
        assert_eq!(client.decrypt_residues(&server.evaluate(&square, &encrypted)?)?, values.map(image));
    }
    // −1 was entry 127.
    let wide = Lut::new((0..128).map(|x| x % 64).collect(), 6)?;
    let signed = client.encrypt_integers([-1, 3], 6)?;
    refusal(server.evaluate(&wide, &signed), &["-32 to 31", "entry i is the image of i", "add_constant"]);
    assert_eq!(client.decrypt(&server.evaluate(&wide, &signed.add_constant(32)?)?)?, [31, 35]);
    assert_eq!(client.decrypt(&server.evaluate(&wide, &signed.as_residues()?)?)?, [63, 3]);
    refusal(server.evaluate(&square, &client.encrypt_unsigned([1], 7)?), &["0 to 127", "64 entries"]);
    let (client, server) = pair("toy_int16", 6)?;
    // Too long for one bootstrap: on digits.
    let long = server.evaluate(&Lut::new(vec![1; 256], 1)?, &client.encrypt_within([1], 0..=100, 8)?)?;
    assert_eq!(client.decrypt(&long)?, [1]);
    refusal(server.evaluate(&square, &client.encrypt_unsigned([1], 17)?), &["one ciphertext each"]);
    Ok(())
}

#[test]
fn chains_of_functions_tables_and_sums() -> Outcome {
    let (client, server) = pair("toy_int16", 7)?;
    let x = [-128i64, 127, -1, 0, 1, -77];
    let encrypted = client.encrypt_integers(x, 8)?;
    let apply = |op, operands: &[&Ciphertexts]| server.evaluate(op, operands.iter().copied());
    // |−128| = 128, and less of it is no guess.
    let abs = apply(IntegerOp::Abs, &[&encrypted])?;
    assert_eq!(client.decrypt_residues(&abs)?, x.map(i64::unsigned_abs));
    refusal(apply(IntegerOp::Less, &[&abs, &encrypted]), &["less", "0 to 128 and from -128 to 127", "9 bits"]);
    let bound = client.encrypt_unsigned([200, 200, 0, 1, 1, 77], 8)?;
    let less = apply(IntegerOp::Less, &[&abs, &bound])?;
    assert_eq!(client.decrypt(&less)?, [1, 1, 0, 1, 0, 0]);
    assert_eq!(client.decrypt(&server.evaluate(&Lut::new(vec![9, 4], 4)?, &less)?)?, [4, 4, 9, 4, 9, 9]);
    // ⌊−1/2^8⌋ = −1, of which functions make what they make of −1.
    let floor = apply(IntegerOp::Floor(8), &[&encrypted])?;
    assert_eq!(client.decrypt(&floor)?, x.map(|x| x >> 8));
    assert_eq!(client.decrypt(&apply(IntegerOp::Abs, &[&floor])?)?, [1, 0, 1, 0, 0, 1]);
    assert_eq!(client.decrypt(&apply(IntegerOp::Sign, &[&floor])?)?, [1, 0, 1, 0, 0, 1]);
    // A difference has a sign, but no room for another difference.
    let difference = bound.sub(&abs)?;
    assert_eq!(client.decrypt(&apply(IntegerOp::Relu, &[&difference])?)?, [72, 73, 0, 1, 0, 0]);
    refusal(apply(IntegerOp::Max, &[&difference, &bound]), &["max", "-128 to 255", "9 bits"]);
    // A table on digits takes what has no sign.
    let lut = Lut::new((0..512).map(|i| i * 7 % 512).collect(), 9)?;
    let images = server.evaluate(&lut, &abs)?;
    assert_eq!(client.decrypt_residues(&images)?, x.map(|x| x.unsigned_abs() * 7 % 512));
    refusal(server.evaluate(&lut, &encrypted), &["-128 to 127"]);
    // Everything through files.
    for ciphertexts in [&abs, &less, &floor, &difference, &images] {
        let back = Ciphertexts::read(&ciphertexts.write(Vec::new())?[..])?;
        assert_eq!((back.space(), client.decrypt(&back)?), (ciphertexts.space(), client.decrypt(ciphertexts)?));
    }
    Ok(())
}

#[test]
fn refusals_speak_of_the_library_and_never_of_toys() -> Outcome {
    let (client, server) = pair("toy_4", 9)?;
    let mine = client.encrypt([1, 2])?;
    refusal(server.evaluate(&Lut::new(vec![0; 8], 1)?, &mine), &["2^3 entries", "4-bit messages", "encrypt 3-bit"]);
    refusal(mine.add(&client.encrypt_bits([1, 1], 3)?), &["sum of 4-bit messages and 3-bit messages"]);
    refusal(mine.sub(&client.encrypt([1])?), &["difference of 2 and 1 values"]);
    for name in ["fhew_8bit", "8", "int16"] {
        refusal(Params::named(name), &["did you mean", "fhew_", "2m128"]);
    }
    refusal(Params::named("nosuch"), &["`bootes params` lists those of engines fhew and ckks; engine bfv has slots_P"]);
    let toy = Params::named("toy_44").unwrap_err().to_string();
    assert!(toy.contains("did you mean \"toy_4\""), "{toy}");
    refusal(Params::named("batch_9bits"), &["there are", "batch_8bit"]);
    Ok(())
}
