//! Programs of several values with engine ckks, beside the same on plain numbers.
use crate::programs::{Outcome, check, check_short, pair, random_programs, unsigned};
use bootes::{Ciphertexts, Error, ErrorKind, Lut, LutError, MultivariateLut, PlanRequest, Program};
use bootes_testkit::{portion, sampled};

/// Every operation, by tables of several digits.
#[test]
fn operations_by_tables() -> Outcome {
    check_short("toy_batch_9bit")
}

/// Signs of long integers are tables of their top digits, and selections products with digits.
#[test]
fn operations_by_digits() -> Outcome {
    let (client, server) = pair("toy_batch_integers")?;
    let programs = [
        "x < y",
        "x == y",
        "select(x > y, x - y, y - x)",
        "max(x, y)",
        "min(x, y) + x",
        "abs(x - y)",
        "relu(x - y)",
        "100*(x > y)",
        "select(x > 100, 1000, x)",
        "select(x > y, 3*x, y)",
        "x % 8",
        "x/4",
    ];
    for text in sampled(programs, 2) {
        let inputs = Program::parse(text, &[])?.inputs();
        check(&client, &server, text, &[unsigned(8); 2][..inputs], 24)?;
    }
    // What two ciphertexts of the set do not hold is no result.
    let long = client.encrypt_within([3, 1023], 0..=1023, 10)?;
    let error = server.plan(&Program::parse("200*x", &[])?, [&long]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
    check(&client, &server, "x % 4 + and(y, 3); x*x - y", &[unsigned(2); 2], 16)
}

#[test]
fn random_programs_are_right_or_refused() -> Outcome {
    for set in ["toy_batch_9bit", "toy_batch_integers"] {
        let (client, server) = pair(set)?;
        let evaluated = random_programs(&client, &server, 7, portion(15, 3) as usize)?;
        assert!(evaluated >= portion(5, 5) as usize, "{set}: {evaluated}");
    }
    Ok(())
}

/// With engine ckks residues have sums, products, tables and selections alone.
#[test]
fn random_programs_of_residues() -> Outcome {
    let may_be = |error: &Error| {
        let is_refused = matches!(error.kind(), ErrorKind::Noise | ErrorKind::Unsupported);
        is_refused || matches!(error, Error::Lut(LutError::Kinds { .. }))
    };
    for (set, count, least) in [("toy_batch_6bit", portion(120, 2), 10), ("toy_batch_integers", portion(40, 2), 2)] {
        let evaluated = crate::residues::random_programs(&pair(set)?, (count, 1), may_be)?;
        assert!(evaluated >= least, "{set}: {evaluated}");
    }
    Ok(())
}

/// Bits are conditions, sums and products of them as well.
#[test]
fn selections_by_bits() -> Outcome {
    for set in ["toy_batch_6bit", "toy_batch_integers"] {
        let (client, server) = pair(set)?;
        let rows: Vec<[i128; 4]> = (0..16).map(|i| [i % 2, i / 2 % 2, i / 4, 3 - i / 4]).collect();
        let column = |i: usize| rows.iter().map(move |row| row[i]);
        let [b, c, y] = [(0, 2), (1, 2), (2, 4)].map(|(i, p)| client.encrypt_modulo(column(i).map(|x| x as u64), p));
        let (b, c, y, i) = (b?, c?, y?, client.encrypt_within(column(3), 0..=3, 4)?);
        type Expected = fn([i128; 4]) -> i128;
        let programs: [(&str, Expected); 8] = [
            ("select(b, y, 1)", |[b, _, y, _]| if b == 1 { y } else { 1 }),
            ("select(b, 1, y)", |[b, _, y, _]| if b == 1 { 1 } else { y }),
            ("select(not(b), y, 1)", |[b, _, y, _]| if b == 0 { y } else { 1 }),
            ("select(b + c, y, 1)", |[b, c, y, _]| if b != c { y } else { 1 }),
            ("select(b*c, y, y + 1)", |[b, c, y, _]| if b * c == 1 { y } else { (y + 1) % 4 }),
            ("select(and(b, c), y + 1, 3)", |[b, c, y, _]| if b * c == 1 { (y + 1) % 4 } else { 3 }),
            ("select(b, i, -i)", |[b, _, _, i]| if b == 1 { i } else { -i }),
            ("select(b, 2, 1)", |[b, ..]| 1 + b),
        ];
        for (text, expected) in programs {
            let program = Program::parse(text, &[])?;
            let of = |name: &String| match &name[..] {
                "b" => &b,
                "c" => &c,
                "y" => &y,
                _ => &i,
            };
            let found = server.evaluate(&program, program.names().iter().map(of))?;
            let expected: Vec<i128> = rows.iter().map(|&row| expected(row)).collect();
            assert_eq!(client.decrypt_wide(&found)?, expected, "{set}: {text}");
        }
    }
    Ok(())
}

#[test]
fn residues() -> Outcome {
    let (client, server) = pair("toy_batch_6bit")?;
    for p in [3u64, 4, 7] {
        let all: Vec<[u64; 2]> = (0..p).flat_map(|x| (0..p).map(move |y| [x, y])).collect();
        let [x, y] = [0, 1].map(|i| all.iter().map(|pair| pair[i]).collect::<Vec<u64>>());
        let operands = [client.encrypt_modulo(&x, p)?, client.encrypt_modulo(&y, p)?];
        let plain = [x, y].map(|column| column.into_iter().map(|x| x as i128).collect::<Vec<_>>());
        let cube = Lut::modular((0..p).map(|x| x * x * x % p).collect(), p)?;
        for text in ["x*y", "2*x*y + 4*x", "(x + y)*y - 1", "f(x + y + 1) - f(x)", "x + 0*y; 20; 0-1"] {
            let program = Program::parse(text, &[("f", &cube)])?;
            let results = server.evaluate_all(&program, &operands)?;
            let expected = program.values(&[&plain[0], &plain[1]], [1, all.len()], p);
            for (result, expected) in results.iter().zip(expected) {
                assert_eq!(client.decrypt_wide(result)?, expected, "{text} modulo {p}");
            }
        }
    }
    Ok(())
}

/// Tables of several values, residues and integers, with room and without.
#[test]
fn tables_of_several_values() -> Outcome {
    let (client, server) = pair("toy_batch_9bit")?;
    let sizes = [8, 4, 6];
    let all: Vec<[u64; 3]> = (0..192).map(|i| [i / 24, i / 6 % 4, i % 6]).collect();
    let images = MultivariateLut::images(&sizes, |x| (x[0] * x[1] + 5 * x[2]) % 31);
    let table = MultivariateLut::new(&sizes, Lut::modular(images.clone(), 31)?)?;
    let column = |i: usize| all.iter().map(|x| x[i]).collect::<Vec<u64>>();
    let signed = |i: usize| column(i).into_iter().map(|x| x as i128).collect::<Vec<_>>();
    let operands = [
        client.encrypt_modulo(column(0), 8)?,
        client.encrypt_within(signed(1), 0..=3, 8)?,
        client.encrypt_modulo(column(2), 6)?,
    ];
    assert_eq!(client.decrypt_residues(&server.evaluate(&table, &operands)?)?, images);
    Ok(())
}

#[test]
fn plans_travel_and_files_are_evaluated() -> Outcome {
    let (client, server) = pair("toy_batch_9bit")?;
    let program = Program::parse("select(x > y, x, 10*y); x + y; 7 + 0*x", &[])?;
    let operands = [client.encrypt_unsigned([1, 7, 5], 3)?, client.encrypt_unsigned([2, 3, 5], 3)?];
    let plan = server.plan(&program, &operands)?;
    let text = serde_json::to_string(&plan.request()?)?;
    let again = server.plan_again(&serde_json::from_str::<PlanRequest>(&text)?)?;
    let files = operands.iter().map(Ciphertexts::to_bytes).collect::<Result<Vec<_>, _>>()?;
    let operands = files.iter().map(|file| Ciphertexts::from_bytes(file)).collect::<Result<Vec<_>, _>>()?;
    let results = server.run(&again, &operands)?;
    assert_eq!(client.decrypt_wide(&results[0])?, [20, 7, 50]);
    assert_eq!(client.decrypt_wide(&results[1])?, [3, 10, 10]);
    // What cancels is read, compressed too.
    let nothing = server.compress(&operands[0].sub(&operands[0])?)?;
    assert_eq!(client.decrypt_wide(&Ciphertexts::from_bytes(&nothing.to_bytes()?)?)?, [0; 3]);
    // Results are operands again, of constants too.
    let files = results.iter().map(Ciphertexts::to_bytes).collect::<Result<Vec<_>, _>>()?;
    let results = files.iter().map(|file| Ciphertexts::from_bytes(file)).collect::<Result<Vec<_>, _>>()?;
    let again = server.evaluate(&Program::parse("x - y + z", &[])?, &results)?;
    assert_eq!(client.decrypt_wide(&again)?, [24, 4, 47]);
    Ok(())
}
