//! Programs of integers that are too long for one ciphertext: in limbs.
use super::programs::{Outcome, check, integers, pair, unsigned};
use bootes::{
    Ciphertexts, Client, Engine, Error, ErrorKind, FailureTarget, IntegerOp, Interval, Lut, LutError, Params, Program,
    Server,
};
use bootes_testkit::sampled;

/// Every operation on two ciphertexts each.
#[test]
fn two_limbs() -> Outcome {
    let (client, server) = pair("toy_int16")?;
    let without_sign = [
        "x + y",
        "x - y; y - x + 1",
        "x < y; x <= y; x == y; x != y",
        "select(x > y, x, y) - min(x, y)",
        "select(x > y, x - y, y - x)",
        "and(x, y); or(x, 255)",
        "shr(x, 5); x % 4096; x/65536",
        "(x % 65536)*(y % 256)",
        "x/100000",
        "x*y % 4294967296",
    ];
    let with_sign =
        ["x < y", "abs(x); sign(y)", "max(x, y) + 1", "relu(x - y)", "x - 1 == y - 1", "min(max(x, -7), 7)"];
    let all = without_sign.map(|text| (text, unsigned(32))).into_iter();
    for (text, range) in sampled(all.chain(with_sign.map(|text| (text, Interval::signed(31)))), 3) {
        let inputs = Program::parse(text, &[])?.inputs();
        check(&client, &server, text, &[range; 2][..inputs], 6)?;
    }
    Ok(())
}

/// Integers of 33 to 64 bits, in three ciphertexts, four and more.
#[test]
fn many_limbs() -> Outcome {
    let (client, server) = pair("toy_int16")?;
    for (text, ranges) in sampled(
        [
            ("x - y; y - x + 1", [unsigned(48), unsigned(40)]),
            ("x + y; (x + y) % 1152921504606846976", [unsigned(60), unsigned(33)]),
            ("x < y; x <= y; x == y", [unsigned(64), unsigned(64)]),
            ("abs(x); sign(y); relu(x)", [Interval::signed(64), Interval::signed(50)]),
            ("max(x, y) + 1; min(x, y)", [Interval::signed(60), Interval::signed(34)]),
            ("select(x > y, x, 7*y)", [unsigned(50), unsigned(50)]),
            ("xor(x, y); shr(x, y % 64)", [unsigned(64), unsigned(44)]),
            ("x % 65536; x/1099511627776; x/7", [unsigned(56), unsigned(1)]),
            ("rotl(x, 13, 40); signed(x, 33)", [unsigned(40), unsigned(1)]),
            ("rotr(x, y, 32); mulhi(x, y, 20)", [unsigned(32), unsigned(6)]),
            ("x*y % 1099511627776", [unsigned(40), unsigned(40)]),
            ("x*y % 2^64; (x + y) % 2^64", [unsigned(64), unsigned(64)]),
            ("x - y; signed(x - y, 64)", [unsigned(64), unsigned(64)]),
            ("rotl(x, 37, 64); shl(x, y % 64) % 2^64", [unsigned(64), unsigned(6)]),
            ("mulhi(x, y, 32); x*y", [unsigned(32), unsigned(32)]),
            ("select(x < y, not(x == y), x % 2); max(x, y)", [unsigned(64), unsigned(64)]),
            ("mulhi(x, y, 56)", [unsigned(56), unsigned(56)]),
            ("mulhi(x, y, 64)", [unsigned(64), unsigned(64)]),
            ("x*y", [unsigned(33), unsigned(16)]),
            ("xor(2^70 - 1, x) % (x + 7)", [unsigned(3), unsigned(1)]),
            ("(x + y)/(-7); x % -7", [unsigned(64), unsigned(64)]),
            ("x*105/100", [unsigned(64), unsigned(1)]),
            ("x/3; x % -1000", [Interval::signed(64), unsigned(1)]),
            ("leading_zeros(x, 64); argmin(x, y, 7)", [unsigned(64), unsigned(64)]),
            ("leading_zeros(x, 9); smallest(2, x, y, 300)", [unsigned(9), unsigned(40)]),
        ],
        12,
    ) {
        let inputs = Program::parse(text, &[])?.inputs();
        check(&client, &server, text, &ranges[..inputs], 4)?;
    }
    Ok(())
}

/// What is kept of two may be shorter than both: its limbs have no more noise for it.
#[test]
fn short_results_of_long_operands_have_room() -> Outcome {
    let (client, server) = pair("toy_int16")?;
    let programs = ["min(x, y)", "relu(x - y)", "max(x, y)", "select(x < y, x, y)", "min(y, 2^16)"];
    for [of_x, of_y] in [[16, 64], [16, 48], [17, 32], [17, 64], [13, 38], [15, 33], [1, 40], [31, 32], [33, 49]] {
        let x = client.encrypt_unsigned([u64::MAX >> (64 - of_x), 0], of_x)?;
        let y = client.encrypt_unsigned([u64::MAX >> (64 - of_y), 5], of_y)?;
        for text in programs {
            let program = Program::parse(text, &[])?;
            let operands: Vec<&Ciphertexts> = if program.inputs() == 1 { vec![&y] } else { vec![&x, &y] };
            server.plan(&program, operands).map_err(|error| format!("{text}, {of_x} and {of_y} bits: {error}"))?;
        }
    }
    check(&client, &server, "min(x, y); relu(x - y)", &[unsigned(16), unsigned(48)], 6)?;
    check(&client, &server, "min(x, 2^16)", &[unsigned(32)], 6)
}

/// Functions of integers of more than two limbs are programs; files, sums and JSON keep all limbs.
#[test]
fn functions_and_files_of_many_limbs() -> Outcome {
    let (client, server) = pair("toy_int16")?;
    let most = i128::from(i64::MAX);
    let values = [[most, -most - 1, 0, -1, 1 << 40], [-most - 1, -most - 1, 0, 1 << 50, 1 << 40]];
    let [x, y] = values.map(|values| client.encrypt_integers(values, 64));
    let (x, y) = (x?, y?);
    assert_eq!(x.space().limbs(), 4);
    for op in [IntegerOp::Sign, IntegerOp::Abs, IntegerOp::Relu, IntegerOp::Floor(33)] {
        let expected: Vec<i128> = values[0].iter().map(|&x| op.apply(&[x])).collect();
        assert_eq!(client.decrypt_wide(&server.evaluate(op, &x)?)?, expected, "{op}");
    }
    for op in [IntegerOp::Less, IntegerOp::Equal, IntegerOp::Max, IntegerOp::Min] {
        let expected: Vec<i128> = std::iter::zip(values[0], values[1]).map(|(x, y)| op.apply(&[x, y])).collect();
        assert_eq!(client.decrypt_wide(&server.evaluate(op, [&x, &y])?)?, expected, "{op}");
    }
    let read = Ciphertexts::from_bytes(&x.to_bytes()?)?;
    assert_eq!((read.space(), client.decrypt_wide(&read)?), (x.space(), values[0].to_vec()));
    let both = Ciphertexts::concat([&x, &y])?;
    assert_eq!(client.decrypt_wide(&both)?, values.concat());
    // Those without a sign are beyond an i64, and their ranges are longer.
    let unsigned = [u64::MAX, 0, 1 << 63, 12_345];
    let z = client.encrypt_unsigned(unsigned, 64)?;
    let read = Ciphertexts::from_bytes(&z.to_bytes()?)?;
    assert_eq!((read.space(), client.decrypt_residues(&read)?), (z.space(), unsigned.to_vec()));
    let refused = client.decrypt(&z).unwrap_err();
    assert!(refused.to_string().contains("take decrypt_wide"), "{refused}");
    let below = server.evaluate(&Program::parse("0 - z", &[])?, [&z])?;
    let read = Ciphertexts::from_bytes(&below.to_bytes()?)?;
    assert_eq!((read.space(), client.decrypt_wide(&read)?), (below.space(), unsigned.map(|z| -i128::from(z)).to_vec()));
    let refused = client.encrypt_integers([0], 65).unwrap_err();
    assert!(refused.to_string().contains("64"), "{refused}");
    Ok(())
}

/// Limbs of other lengths, beside integers in one ciphertext.
#[test]
fn mixed_lengths() -> Outcome {
    let (client, server) = pair("toy_int16")?;
    for (text, bits) in sampled(
        [
            ("x + y", [20, 32]),
            ("x < y", [24, 9]),
            ("select(y % 2 == 1, x, x/2)", [30, 16]),
            ("x*y", [16, 16]),
            ("x*y", [20, 4]),
            ("x + 65536*y", [16, 16]),
            ("x/y; x % y", [18, 10]),
            ("shr(x, y)", [32, 5]),
            ("(x + y)*(x - y)", [9, 9]),
            ("x*x*x", [10, 1]),
            ("x - (y + x) - (x + y) % 1000", [17, 17]),
            ("y - (y + x) - 300*(x < y)", [17, 21]),
            ("x; x - x; x + 5", [17, 1]),
            // Of one ciphertext each, in which the whole would be too noisy.
            ("x/y; x % y", [16, 16]),
            ("100*x/y", [12, 9]),
            // What is longer in between than a table's results.
            ("(500*x + 1000*y) % 65536; (x + y)*(x + y)/4", [8, 8]),
            ("(x*x - 4000000*x) % 8192", [8, 1]),
            // A limb that fills its space is made anew.
            ("(x + y)/1024", [18, 18]),
            ("x*x/512; x*x/4096", [20, 1]),
        ],
        5,
    ) {
        let inputs = Program::parse(text, &[])?.inputs();
        check(&client, &server, text, &bits.map(unsigned)[..inputs], 5)?;
    }
    Ok(())
}

/// A bit more than one ciphertext has room for, and dividends with a sign.
#[test]
fn signed_integers_in_short_limbs() -> Outcome {
    let (client, server) = pair("toy_int16")?;
    for (text, bits) in sampled(
        [
            ("relu(x)", 17),
            ("min(x, y)", 17),
            ("select(x > y, x, y)", 17),
            ("x/64", 17),
            ("x/100; x % 100; x/0; x % 0", 18),
            ("abs(x)/7 + x % 7", 18),
            // What fills its space has no bit to spare for a table of it.
            ("(x + 1)*(y + 1)", 17),
            ("or(1, x)*y", 17),
            ("xor(x, y)*x", 17),
            ("x*100 + x", 17),
        ],
        3,
    ) {
        let inputs = Program::parse(text, &[])?.inputs();
        check(&client, &server, text, &[Interval::signed(bits); 2][..inputs], 6)?;
    }
    Ok(())
}

/// What is longer than results may be, in between.
#[test]
fn long_dividends_and_shifts() -> Outcome {
    let (client, server) = pair("toy_int16")?;
    let programs = [
        ("x % 7; x/40", Interval::signed(32)),
        ("(x + y)/3; (x + y) % z", unsigned(32)),
        ("x*y/1000 < 5", unsigned(20)),
        ("shl(x, 31) % 4294967296", Interval::signed(32)),
        ("shl(x, y % 32) % 4294967296", unsigned(32)),
        ("shl(x, y) % 65536", unsigned(16)),
        // Selections of selections, which are planned once each.
        ("x % (x % y + 1)", Interval::signed(8)),
    ];
    for (text, range) in sampled(programs, 3) {
        let inputs = Program::parse(text, &[])?.inputs();
        check(&client, &server, text, &[range; 3][..inputs], 4)?;
    }
    Ok(())
}

/// Quotients and rests are rounded down and have the sign of the divisor, as x/y of real numbers says.
#[test]
fn divisions_of_integers_with_a_sign() -> Outcome {
    let (client, server) = pair("toy_int16")?;
    for (text, bits) in sampled(
        [
            ("x/y; x % y", [3, 3]),
            ("x/y; x % y", [9, 6]),
            ("x/(y - 3); x % (y - 3)", [12, 5]),
            ("x/abs(y); x % abs(y)", [12, 4]),
            ("x/(0 - 1 - abs(y))", [8, 8]),
            ("x/y", [16, 16]),
            ("x % y", [17, 17]),
            ("x/(0 - 100); x % (0 - 100)", [18, 1]),
        ],
        3,
    ) {
        let ranges = bits.map(Interval::signed);
        let inputs = Program::parse(text, &[])?.inputs();
        check(&client, &server, text, &ranges[..inputs], 6)?;
    }
    Ok(())
}

/// Results in limbs are inputs again, of all bits that they have.
#[test]
fn results_in_limbs_are_inputs() -> Outcome {
    let (client, server) = pair("toy_int16")?;
    let [x, y] = [1, 2].map(|seed| integers(unsigned(32), 6, seed));
    let encrypt = |x: &[i128]| client.encrypt_within(x.iter().copied(), 0..=u32::MAX.into(), 32);
    let operands = [encrypt(&x)?, encrypt(&y)?];
    let sum = server.evaluate(&Program::parse("x + y", &[])?, &operands)?;
    let expected: Vec<i128> = x.iter().zip(&y).map(|(x, y)| x + y).collect();
    assert_eq!(client.decrypt_wide(&sum)?, expected);
    let wrapped = server.evaluate(&Program::parse("s % 4294967296", &[])?, [&sum])?;
    let expected: Vec<i128> = expected.iter().map(|sum| sum & 0xffff_ffff).collect();
    assert_eq!(client.decrypt_wide(&wrapped)?, expected);
    let less = server.evaluate(&Program::parse("s < x", &[])?, [&wrapped, &operands[0]])?;
    let expected: Vec<i128> = expected.iter().zip(&x).map(|(s, x)| i128::from(s < x)).collect();
    assert_eq!(client.decrypt_wide(&less)?, expected);
    // What is longer than two limbs has three, and what has more than 64 bits is refused.
    let more = server.evaluate(&Program::parse("x + y*65536 + z", &[])?, [&sum, &sum, &operands[0]])?;
    let most = i128::from(u32::MAX);
    assert_eq!((more.space().limbs(), more.space().range()), (4, (0..=2 * most * 65537 + most).into()));
    let expected: Vec<i128> = x.iter().zip(&y).map(|(x, y)| (x + y) * 65537 + x).collect();
    assert_eq!(client.decrypt_wide(&more)?, expected);
    let error = server.plan(&Program::parse("x*y", &[])?, [&more, &more]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
    Ok(())
}

/// Results of one limb, which the lowest bit above it tells, are known by no more bits than that.
#[test]
fn results_of_one_limb() -> Outcome {
    let (client, server) = pair("toy_int16")?;
    for (text, range, room) in [
        ("2 + x; x*y", Interval::signed(9), 9..12),
        ("x - 1; 100*x/(y + 1)", unsigned(8), 9..10),
        ("x - 200; 100*x/(y + 1)", unsigned(9), 9..10),
    ] {
        for width in room {
            let columns = [vec![range.min, range.max, 0, 7, range.min], vec![range.min, range.max, 15, 0, range.max]];
            let encrypt = |column: &Vec<i128>| client.encrypt_within(column.clone(), range.min..=range.max, width);
            let operands = columns.iter().map(encrypt).collect::<Result<Vec<_>, _>>()?;
            let program = Program::parse(text, &[])?;
            let results = server.run(&server.plan(&program, &operands)?, &operands)?;
            let plain = program.integers_of(&columns.each_ref().map(|column| &column[..]), &[range; 2])?;
            for (result, expected) in results.iter().zip(plain) {
                assert_eq!(client.decrypt_wide(result)?, expected, "{text}, room of {width} bits");
            }
        }
    }
    Ok(())
}

/// Both limbs of 65536·x + x have the noise of x: it adds up where they do.
#[test]
fn limbs_of_a_result_may_have_their_noise_in_common() -> Outcome {
    let (client, server) = pair("toy_int16")?;
    let x = integers(unsigned(14), 600, 1);
    let operand = client.encrypt_within(x.iter().copied(), 0..=(1 << 14) - 1, 16)?;
    let both = server.evaluate(&Program::parse("shl(x, 16) + x", &[])?, &operand)?;
    let expected: Vec<i128> = x.iter().map(|x| 65_537 * x).collect();
    assert_eq!(client.decrypt_wide(&both)?, expected);
    let halves = server.evaluate(&Program::parse("z % 65536 + z/65536", &[])?, [&both])?;
    let expected: Vec<i128> = x.iter().map(|x| 2 * x).collect();
    assert_eq!(client.decrypt_wide(&halves)?, expected);
    let noise = client.measure_noise(&halves, &expected)?;
    let measured = noise.iter().map(|e| e * e).sum::<f64>() / noise.len() as f64;
    let ratio = measured / halves.noise_variance();
    assert!((0.7..1.3).contains(&ratio), "{ratio:.3} of {:e}", halves.noise_variance());
    Ok(())
}

/// Carries of many terms are read all at once, of related ones too, and what they leave is operands again.
#[test]
fn sums_of_many() -> Outcome {
    let (client, server) = pair("toy_int16")?;
    let sum = |count: usize| (0..count).map(|i| format!("x{i}")).collect::<Vec<_>>().join(" + ");
    for (count, bits) in sampled([(5, 32), (24, 20), (60, 16)], 2) {
        let (wrapped, all) = (format!("({}) % {}", sum(count), 1u64 << bits), sum(count));
        check(&client, &server, &wrapped, &vec![unsigned(bits); count], 6)?;
        check(&client, &server, &format!("{all} - x0; {all} > 300*x1"), &vec![unsigned(bits.min(24)); count], 4)?;
    }
    let x = client.encrypt_unsigned([0u32, 65_535, 65_536, 0xffff_ffff, 0x8000_0000, 0x7fff_8000], 32)?;
    let y = client.encrypt_unsigned([1u32, 65_536, 1, 0, 0x8000_8000, 0x8000_7fff], 32)?;
    let program = Program::parse(&format!("s = ({}) % 4294967296; s/65536 + s % 65536 + x0", sum(12)), &[])?;
    let operands: Vec<&Ciphertexts> = (0..12).map(|i| if i % 3 == 0 { &y } else { &x }).collect();
    let [x, y] = [&x, &y].map(|vector| client.decrypt_wide(vector)).map(|values| values.unwrap_or_default());
    let columns: Vec<&[i128]> = (0..12).map(|i| if i % 3 == 0 { &y[..] } else { &x[..] }).collect();
    let expected = program.integers_of(&columns, &[unsigned(32); 12])?;
    for (result, expected) in server.evaluate_all(&program, operands)?.iter().zip(expected) {
        assert_eq!(client.decrypt_wide(result)?, expected);
    }
    Ok(())
}

/// Engine ckks keeps integers of more than 10 bits in limbs of 8 with this set.
#[test]
fn limbs_in_batches() -> Outcome {
    let (client, server) = pair("toy_batch_integers")?;
    for (text, bits) in sampled(
        [
            ("x + y; x < y; x == y", [16, 16]),
            ("select(x > y, x - y, 7)", [16, 16]),
            ("min(x, y); (x + y) % 65536", [16, 12]),
            ("x*y", [11, 5]),
            ("x*y % 65536", [16, 16]),
            ("x/16; and(x, y)", [15, 15]),
            ("shr(x, y)", [13, 3]),
            ("leading_zeros(x, 16); argmax(x, y, x + y)", [15, 14]),
            ("smallest(1, x, y, 9); smallest(2, x, y, 9); largest(1, x, y, 9)", [11, 9]),
        ],
        5,
    ) {
        check(&client, &server, text, &bits.map(unsigned), 24)?;
    }
    for text in sampled(["relu(x - y)", "abs(x) + sign(y)", "x % 7", "max(x, -5*y)"], 4) {
        let inputs = Program::parse(text, &[])?.inputs();
        check(&client, &server, text, &[Interval::signed(13), Interval::signed(11)][..inputs], 24)?;
    }
    // Of one ciphertext each; a result's limbs have the length that files have.
    let short = client.encrypt_within([255, 3, 0], 0..=255, 8)?;
    let square = server.evaluate(&Program::parse("x*x", &[])?, [&short])?;
    assert_eq!(client.decrypt_wide(&Ciphertexts::read(&square.write(Vec::new())?[..])?)?, [65_025, 9, 0]);
    // What is the same ciphertext has the noise of one, under any name and in any limb.
    let program = |text: &str| Program::parse(text, &[]);
    let budget = |text: &str, x: &[&Ciphertexts]| -> Result<f64, Error> {
        Ok(server.evaluate(&program(text)?, x.iter().copied())?.noise_budget())
    };
    let copy = short.clone();
    let one = budget("select(x < 100, x, 0)", &[&short])?;
    assert!(budget("select(x < 100, y, 0)", &[&short, &copy])? <= one);
    let twice = server.evaluate(&program("x + shl(x, 8)")?, [&short])?;
    assert!(budget("select(r % 256 < 100, r/256, 0)", &[&twice])? <= one);
    // Results are operands again; what is longer than two limbs is refused.
    let (x, y) = ([65_535, 12, 40_000], [65_535, 50_000, 3]);
    let operands = [client.encrypt_within(x, 0..=65_535, 16)?, client.encrypt_within(y, 0..=65_535, 16)?];
    let sum = server.evaluate(&Program::parse("x + y", &[])?, &operands)?;
    assert_eq!(client.decrypt_wide(&sum)?, [131_070, 50_012, 40_003]);
    let less = server.evaluate(&Program::parse("s % 65536 < x", &[])?, [&sum, &operands[0]])?;
    assert_eq!(client.decrypt_wide(&less)?, [1, 0, 0]);
    let error = server.plan(&Program::parse("2*x + y", &[])?, &operands).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
    Ok(())
}

/// Results of one program that no way suits together, whose operands have an encryption in common, each have their own.
#[test]
fn results_that_no_way_suits_together() -> Outcome {
    let (client, server) = pair("toy_int16")?;
    let (x, z) = ([-4096i128, -77, 1, 1234, 4095], [65535u64, 0, 4096, 9, 300]);
    let encrypted = client.encrypt_integers(x, 13)?;
    let negative = server.evaluate(Program::parse("0 - x", &[])?, [&encrypted])?;
    let square = server.evaluate(Program::parse("x*x", &[])?, [&encrypted])?;
    let unsigned = client.encrypt_unsigned(z, 16)?;
    let program = Program::parse("0 - x/6; relu(x) + z % x; n/s", &[])?;
    let operands = [&encrypted, &unsigned, &negative, &square];
    let expected = program.integers_of(
        &[&x, &z.map(|z| z as i128), &x.map(|x| -x), &x.map(|x| x * x)],
        &operands.map(|operand| operand.space().range()),
    )?;
    let results = server.evaluate_all(&program, operands)?;
    for (result, expected) in results.iter().zip(&expected) {
        assert_eq!(client.decrypt_wide(result)?, *expected);
    }
    Ok(())
}

/// Tables that are alike on the torus, twice as large in twice the room, have results of their own.
#[test]
fn tables_twice_as_large_are_others() -> Outcome {
    let (client, server) = pair("toy_int16")?;
    let entries: Vec<i64> = (0..1024).map(|x| (7 * x + 3) % 1024).collect();
    let (f, g) = (Lut::new(entries.clone(), 10)?, Lut::new(entries.iter().map(|y| 2 * y).collect(), 11)?);
    let values = [1, 2, 500, 838, 1000];
    let x = client.encrypt_unsigned(values, 10)?;
    for text in ["f(x) % 1024; g(x) % 1024", "g(x) % 512 + f(x) % 512; g(x) % 256"] {
        let program = Program::parse(text, &[("f", &f), ("g", &g)])?;
        let expected = program.integers_of(&[&values], &[unsigned(10)])?;
        let results = server.evaluate_all(&program, [&x])?;
        for (result, expected) in results.iter().zip(&expected) {
            assert_eq!(client.decrypt_wide(result)?, *expected, "{text}");
        }
    }
    Ok(())
}

/// What is made on the way may have 112 bits: it is planned or refused, and no arithmetic overflows.
#[test]
fn values_on_the_way_are_long() -> Outcome {
    for set in ["toy_int16", "fhew_5bit_2m128"] {
        let params = Params::named(set)?;
        let client = Client::generate(&params)?;
        let server = Server::new(client.server_key()?)?;
        for (text, width) in sampled(
            [
                ("(x + 2^110)*y % 16", 2),
                ("shl(x, 109)/2^109", 2),
                ("x*2^111/2^111", 1),
                ("abs(x - 2^110) % 8", 10),
                ("x*y*2^108/2^108", 2),
                ("xor(x + 2^111, y + 2^111)", 8),
                ("shr(x, y*2^100)", 8),
                ("relu(x*2^110 - 2^111)/2^110", 2),
                ("x + y; 2*x; x + 1; rotl(x, y % 64, 64)", 64),
            ],
            3,
        ) {
            let program = Program::parse(text, &[])?;
            let most = u64::MAX >> (64 - width);
            let columns = [[most, 0, most / 2, 1], [most, most, 1, 0]];
            let operands = columns.map(|column| client.encrypt_unsigned(column, width));
            let operands = operands.into_iter().collect::<Result<Vec<_>, _>>()?;
            let operands = &operands[..program.inputs()];
            let plan = match server.plan(&program, operands) {
                Ok(plan) => plan,
                Err(error) => {
                    assert!(width < 64 || set != "toy_int16", "{set}: {text}: {error}");
                    continue;
                }
            };
            if set != "toy_int16" {
                continue;
            }
            let inputs: Vec<&[u64]> = columns[..program.inputs()].iter().map(|column| &column[..]).collect();
            let expected = program.integers_of(&inputs, &vec![unsigned(width); program.inputs()])?;
            for (result, expected) in server.run(&plan, operands)?.iter().zip(&expected) {
                assert_eq!(client.decrypt_wide(result)?, *expected, "{text}");
            }
        }
    }
    Ok(())
}

/// Tables whose results are too long for one ciphertext are a table for each limb, in programs and alone; those of few
/// integers take them from any room.
#[test]
fn tables_of_long_results() -> Outcome {
    let (client, server) = pair("toy_int16")?;
    let values: Vec<i128> = vec![0, 1, 100, 255];
    for image in [|v: i64| (1 << 16) + v, |v: i64| 4000 * v, |v: i64| 3 - 2057 * v] {
        let (entries, few) = ((0..256).map(image).collect::<Vec<_>>(), Interval::unsigned(8));
        let lut = Lut::new(entries, 20)?;
        let expected: Vec<i128> = values.iter().map(|&v| image(v as i64).into()).collect();
        for room in [8, 40] {
            let x = client.encrypt_within(values.iter().copied(), few.min..=few.max, room)?;
            assert_eq!(client.decrypt_wide(&server.evaluate(&lut, [&x])?)?, expected, "room {room}");
            let program = Program::parse("f(x) + x; max(f(x), 70000)", &[("f", &lut)])?;
            let results = server.evaluate_all(&program, [&x])?;
            for (result, expected) in results.iter().zip(program.integers_of(&[&values], &[few])?) {
                assert_eq!(client.decrypt_wide(result)?, expected, "{program}, room {room}");
            }
        }
    }
    // What no table takes, and what does.
    let long = client.encrypt_unsigned([5], 17)?;
    let of = |p: u64| Lut::modular((0..1 << 17).map(|v| v % p).collect(), p);
    let refused = server.evaluate(&of(5)?, [&long]).unwrap_err().to_string();
    assert!(refused.contains("of residues, with engine ckks (Params::on with Engine::Ckks, "), "{refused}");
    let lut = of(5)?;
    let program = Program::parse("f(x)", &[("f", &lut)])?;
    let refused = server.plan(&program, [&long]).unwrap_err().to_string();
    assert!(refused.contains("up to 16 bits, or residues, which have tables of up to 20 bits"), "{refused}");
    assert_eq!(client.decrypt(&server.evaluate(of(5)?.of_integers(), [&long])?)?, [0]);
    for bits in [17, 20] {
        let params = Params::on(Engine::Ckks, 1 << bits, FailureTarget::Two128)?;
        params.check(&Lut::unstructured(bits))?;
    }
    Ok(())
}

/// Results of a table have the room that is asked for, whatever the room of what it is of.
#[test]
fn tables_of_long_integers_give_room() -> Outcome {
    let (client, server) = pair("toy_int16")?;
    let x = [0i64, 7, 4095];
    for room in [12, 16, 31, 40] {
        let values = client.encrypt_within(x, 0..=4095, room)?;
        let table = |out_bits| Lut::new((0..4096).map(|x| x % 16).collect(), out_bits);
        for (out_bits, bits) in [(4, 5), (5, 6), (8, 9), (16, 17), (17, 17)] {
            let result = server.evaluate(&table(out_bits)?, &values)?;
            assert_eq!(result.space().bits(), bits, "{out_bits} bits out, of {room}");
            assert_eq!(client.decrypt(&result)?, x.map(|x| x % 16));
            if out_bits == 16 {
                assert_eq!(client.decrypt(&result.mul_small(2)?)?, x.map(|x| x % 16 * 2));
            }
        }
        let refused = server.evaluate(&table(18)?, &values).unwrap_err();
        assert!(matches!(refused, Error::Lut(LutError::OutBits { found: 18, max: 17 })), "{room}: {refused}");
    }
    Ok(())
}

/// Words of other lengths than what they are beside.
#[test]
fn words_beside_long_integers() -> Outcome {
    let (client, server) = pair("toy_int16")?;
    for text in ["rotr(y, 0, 5) - x", "rotr(y, 5, 5) - x", "rotl(y, 2, 5) - x", "rotr(y, 3, 16) + x"] {
        for room in [33, 40, 50, 63] {
            check(&client, &server, text, &[Interval::signed(room), Interval::signed(63)], 2)?;
        }
    }
    Ok(())
}

/// Small integers in any room: what has room in one ciphertext is told by its lowest limb, wherever that ends.
#[test]
fn few_integers_in_much_room() -> Outcome {
    let (client, server) = pair("toy_int16")?;
    let few = Interval::signed(6);
    let values = [-32i128, -14, -1, 0, 3, 31];
    for room in sampled([17, 33, 40, 48, 56, 60, 61, 64], 3) {
        let x = client.encrypt_within(values, few.min..=few.max, room)?;
        let constants = [14, 15, 16, 31, 32].map(|bits| [(1i128 << bits) - 1, 1 << bits, (1 << bits) + 1]);
        let sums = constants.into_iter().flatten().flat_map(|c| [format!("x + {c}"), format!("x - {c}")]);
        let others = ["2*x + 32768; x + 65536 - 20", "select(x > 0, x + 40000, x)", "1000*x; 1000*x + 32768"];
        for text in sums.chain(others.map(String::from)) {
            let program = Program::parse(&text, &[])?;
            let plan = server.plan(&program, [&x]).map_err(|error| format!("{text}, room {room}: {error}"))?;
            if room < 61 && !text.contains("16385") {
                continue;
            }
            for (result, expected) in server.run(&plan, [&x])?.iter().zip(program.integers_of(&[&values], &[few])?) {
                assert_eq!(client.decrypt_wide(result)?, expected, "{text}, room {room}");
            }
        }
    }
    Ok(())
}

/// A plan takes the memory that is predicted: a server of less refuses it, and with as much it is made.
#[test]
fn memory_of_plans_is_told_and_checked() -> Outcome {
    let client = Client::generate(&Params::named("toy_int16")?)?;
    let program = Program::parse("x % y", &[])?;
    let operands = [client.encrypt_unsigned([7, 1], 40)?, client.encrypt_unsigned([3, 1], 40)?];
    let peak = {
        let server = Server::new(client.server_key()?)?;
        server.plan(&program, &operands)?.prediction(2)?.memory.peak()
    };
    for (memory, fits) in [(peak, true), (peak - 1, false)] {
        let server = Server::builder(client.server_key()?).memory(memory).build();
        match server.and_then(|server| server.plan(&program, &operands).map(drop)) {
            Ok(()) => assert!(fits),
            Err(error) => assert!(!fits && error.kind() == ErrorKind::Memory, "{error}"),
        }
    }
    Ok(())
}
