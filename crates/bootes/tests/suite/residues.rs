//! Residues of engine fhew, those that are longer than a set has and kept as integers too: sums and products wrap, and
//! functions are of 0 to p − 1.
use bootes::planner::Request;
use bootes::{
    Ciphertexts, Client, Continuous, Engine, Error, ErrorKind, FailureTarget, Function, IntegerOp, Load, Lut, LutError,
    MultivariateLut, Params, PlanRequest, Program, Server, Space, SpaceError,
};

use bootes_testkit::{Expressions, portion, sampled};

type Outcome = Result<(), Box<dyn std::error::Error>>;

const MODULI: [u64; 2] = [1000, 1024];

fn pair(seed: u8) -> Result<(Client, Server), Error> {
    let client = Client::from_seed(&Params::named("toy_int16")?, &[seed; 32]);
    let server = Server::new(client.server_key()?)?;
    Ok((client, server))
}

fn travelled(x: &Ciphertexts) -> Result<Ciphertexts, Error> {
    let back = Ciphertexts::from_bytes(&x.to_bytes()?)?;
    assert_eq!((back.space(), back.len()), (x.space(), x.len()));
    Ok(back)
}

/// Values of both ends, and of between.
fn values(p: u64) -> [Vec<i64>; 2] {
    let p = p as i64;
    [vec![0, 1, p / 2, p - 1, p - 1, 77], vec![0, p - 1, p / 2, p - 1, 1, 700]]
}

fn of(p: u64, values: &[Vec<i64>; 2], f: impl Fn(i64, i64) -> i64) -> Vec<i64> {
    values[0].iter().zip(&values[1]).map(|(&x, &y)| f(x, y).rem_euclid(p as i64)).collect()
}

#[test]
fn sums_wrap() -> Outcome {
    let (client, server) = pair(1)?;
    for p in MODULI {
        let all = values(p);
        let [x, y] = [&all[0], &all[1]].map(|values| client.encrypt_modulo(values, p));
        let (x, y) = (travelled(&x?)?, travelled(&y?)?);
        assert_eq!((x.space().modulus(), x.space().integers()), (Some(p), None));
        assert_eq!(x.space().range(), (0..=i128::from(p) - 1).into());
        for (sum, f) in [
            (x.add(&y)?, (|x, y| x + y) as fn(i64, i64) -> i64),
            (x.sub(&y)?, |x, y| x - y),
            (x.add_constant(-3)?, |x, _| x - 3),
            (x.mul_small(-1)?, |x, _| -x),
            (x.mul_small(p as i64 - 1)?.add(&y)?, |x, y| y - x),
        ] {
            let sum = travelled(&sum)?;
            assert_eq!(client.decrypt(&sum)?, of(p, &all, f), "modulo {p}: {}", sum.space());
            assert_eq!(client.decrypt_residues(&sum)?.len(), all[0].len());
            assert_eq!((sum.space().modulus(), sum.space().range()), (Some(p), x.space().range()));
        }
        let both = Ciphertexts::concat([&x, &x.sub(&y)?])?;
        assert_eq!(client.decrypt(&both)?[..6], all[0]);
        assert_eq!(client.decrypt(&both.slice(6..)?)?, of(p, &all, |x, y| x - y));
    }
    let x = client.encrypt_modulo([999, 5], 1000)?;
    assert_eq!(client.decrypt(&x.add_constant(2001)?)?, [0, 6]);
    assert_eq!(client.decrypt(&x.add_constants(&[-5000, 999])?)?, [999, 4]);
    // What is concatenated may have to be reduced first, and stays residues.
    let twice = x.mul_small(-2)?;
    let refused = Ciphertexts::concat([&twice, &x]).unwrap_err().to_string();
    assert!(refused.contains("the identity, a table with results modulo 1000 (Lut::modular), on them first"));
    let identity = Lut::modular((0..1000).collect(), 1000)?;
    let both = Ciphertexts::concat([&server.evaluate(&identity, &twice)?, &x])?;
    assert_eq!((client.decrypt(&both)?, both.space().modulus()), (vec![2, 990, 999, 5], Some(1000)));
    // 2^k residues wrap where integers would have no room; others are reduced first, as is said.
    let all = values(1024);
    let x = client.encrypt_bits(&all[0], 10)?;
    assert_eq!(client.decrypt(&x.mul_small(5)?)?, of(1024, &all, |x, _| 5 * x));
    assert_eq!(client.decrypt(&x.linear_map(&[[1, 1, 1, 1, 1, 1]])?)?, [all[0].iter().sum::<i64>() % 1024]);
    let x = client.encrypt_modulo([999, 5], 1000)?;
    let refused = x.mul_small(5).unwrap_err().to_string();
    assert!(refused.contains("take a program like \"3*x\" (Program::parse), which reduces them"), "{refused}");
    Ok(())
}

/// Tables, functions and programs take the residues of sums, whatever these are kept as.
#[test]
fn functions_are_of_the_residues() -> Outcome {
    let (client, server) = pair(2)?;
    for p in MODULI {
        let all = values(p);
        let [x, y] = [&all[0], &all[1]].map(|values| client.encrypt_modulo(values, p));
        let (x, y) = (x?, y?);
        let sum = travelled(&x.sub(&y)?)?;
        let square = Lut::modular((0..p).map(|x| x * x % p).collect(), p)?;
        let of_sum = travelled(&server.evaluate(&square, &sum)?)?;
        let at = |x: i64| x.rem_euclid(p as i64);
        assert_eq!(client.decrypt(&of_sum)?, of(p, &all, |x, y| at(x - y) * at(x - y)), "modulo {p}");
        assert_eq!(of_sum.space().modulus(), Some(p));
        // Results are summands.
        let of_x = server.evaluate(&square, &x)?;
        assert_eq!(client.decrypt(&of_x.add(&x)?)?, of(p, &all, |x, _| x * x + x));
        let few = Lut::new((0..1024).map(|x| x % 5).collect(), 12)?;
        assert_eq!([&x, &sum].map(|x| server.evaluate(&few, x).map(|y| y.space().bits()).ok()), [Some(13); 2]);
        let halves = Lut::new((0..1024).map(|x| x / 2).collect(), 10)?;
        let half = server.evaluate(&halves, &x)?;
        assert_eq!((half.space().modulus(), client.decrypt(&half)?), (None, of(p, &all, |x, _| x / 2)));
        assert_eq!(
            client.decrypt(&server.evaluate(IntegerOp::Max, [&sum, &x])?)?,
            of(p, &all, |x, y| at(x - y).max(x))
        );
        assert_eq!(client.decrypt(&server.evaluate(IntegerOp::Add, [&sum, &y])?)?, all[0]);
        let tables =
            server.evaluate_all(vec![square.clone(), Lut::modular((0..p).map(|x| x % 10).collect(), 10)?], [&sum])?;
        assert_eq!(client.decrypt(&tables[1])?, of(p, &all, |x, y| at(x - y) % 10));
        for (text, f) in sampled(
            [
                ("x + y", (|x, y, _| x + y) as fn(i64, i64, i64) -> i64),
                ("x*y - 7*x", |x, y, _| x * y - 7 * x),
                ("(x + y)/2", |x, y, p| (x + y).rem_euclid(p) / 2),
                ("x + y < x", |x, y, p| i64::from((x + y).rem_euclid(p) < x)),
                ("select(x < y, x - y, 5*y)", |x, y, _| if x < y { x - y } else { 5 * y }),
                ("f(x - y) + x", |x, y, _| (x - y) * (x - y) + x),
            ],
            2,
        ) {
            let program = Program::parse(text, &[("f", &square)])?;
            let operands = [&x, &y];
            let plan = server.plan(&program, operands).map_err(|error| format!("{text} modulo {p}: {error}"))?;
            let again = server.plan_again(&serde_json::from_str::<PlanRequest>(&serde_json::to_string(&plan)?)?)?;
            for plan in [plan, again] {
                let result = travelled(&server.run(&plan, operands)?[0])?;
                assert_eq!(client.decrypt(&result)?, of(p, &all, |x, y| f(x, y, p as i64)), "{text} modulo {p}");
            }
        }
        // Of a sum, too.
        let program = Program::parse("x*3 + y", &[])?;
        let found = client.decrypt(&server.evaluate(&program, [&sum, &y])?)?;
        assert_eq!(found, of(p, &all, |x, y| 3 * (x - y) + y));
    }
    Ok(())
}

/// A table of two, and of two sums.
#[test]
fn tables_of_several() -> Outcome {
    let (client, server) = pair(3)?;
    let p = 64;
    let both = Lut::modular((0..p * p).map(|x| x / p * (x % p) % p).collect(), p)?;
    let table = MultivariateLut::new(&[p, p], both)?;
    let all = [vec![0, 1, 63, 40], vec![63, 63, 63, 2]];
    let [x, y] = [&all[0], &all[1]].map(|values| client.encrypt_modulo(values, p));
    let (x, y) = (x?, y?);
    let product = server.evaluate(&table, [&x, &y])?;
    assert_eq!((product.space().modulus(), client.decrypt(&product)?), (Some(p), of(p, &all, |x, y| x * y)));
    let product = server.evaluate(&table, [&x.add(&y)?, &y])?;
    assert_eq!(client.decrypt(&product)?, of(p, &all, |x, y| (x + y) * y));
    // Of short residues and long ones, in any order.
    let short = client.encrypt_modulo([15, 0, 7, 1], 16)?;
    for (sizes, operands) in [([16, p], [&short, &x]), ([p, 16], [&x, &short])] {
        let images = MultivariateLut::images(&sizes, |values| values[0] * values[1] % 50);
        let table = MultivariateLut::new(&sizes, Lut::modular(images, 50)?)?;
        let found = server.evaluate(&table, operands)?;
        let expected: Vec<i64> = [15, 0, 7, 1].iter().zip(&all[0]).map(|(a, b)| a * b % 50).collect();
        assert_eq!(client.decrypt(&found)?, expected, "{sizes:?}");
    }
    Ok(())
}

/// Residues modulo two numbers, and residues beside integers, are told apart, and what is said to do works.
#[test]
fn other_values_are_refused() -> Outcome {
    let (client, server) = pair(4)?;
    let (x, other) = (client.encrypt_modulo([5], 1000)?, client.encrypt_modulo([5], 1024)?);
    let integers = client.encrypt_within([999], 0..=999, 10)?;
    for (left, right) in [(&x, &other), (&x, &integers), (&integers, &x)] {
        assert!(matches!(left.add(right), Err(Error::Operands { .. })));
        assert!(matches!(Ciphertexts::concat([left, right]), Err(Error::Operands { .. })));
    }
    assert!(server.plan(&Program::parse("x + y", &[])?, [&x, &other]).is_err());
    let refused = x.add(&integers).unwrap_err().to_string();
    assert!(refused.contains("\"x + y\" (Program::parse)") && refused.contains("modulo 1000"), "{refused}");
    assert_eq!(client.decrypt(&server.evaluate(&Program::parse("x + y", &[])?, [&x, &integers])?)?, [4]);
    assert_eq!(client.decrypt(&x.as_integers(0..=999)?.add(&integers)?)?, [1004]);
    // Of one modulus, but other room.
    let digits = Lut::modular((0..1000).map(|x| x % 10).collect(), 10)?;
    let (digit, short) = (server.evaluate(&digits, &x)?, client.encrypt_modulo([7], 10)?);
    let refused = digit.add(&short).unwrap_err().to_string();
    assert!(refused.contains("\"x + y\" (Program::parse), whose results are residues modulo 10"), "{refused}");
    for (text, expected) in [("x + y", 2), ("y - x", 2), ("x*y", 5), ("select(x < 3, x, y)", 7)] {
        let program = Program::parse(text, &[])?;
        let operands = if text.starts_with('y') { [&short, &digit] } else { [&digit, &short] };
        assert_eq!(client.decrypt(&server.evaluate(&program, operands)?)?, [expected], "{text}");
    }
    let refused = Ciphertexts::concat([&digit, &short]).unwrap_err().to_string();
    assert!(refused.contains("\"x % 10\" (Program::parse) on both first"), "{refused}");
    let rest = Program::parse("x % 10", &[])?;
    let [left, right] = [&digit, &short].map(|x| server.evaluate(&rest, x));
    assert_eq!(client.decrypt(&Ciphertexts::concat([&left?, &right?])?)?, [5, 7]);
    let sum = x.mul_small(-1)?;
    let refused = sum.as_integers(0..=999).unwrap_err();
    assert!(matches!(refused, Error::Space(SpaceError::Unreduced { modulus: 1000, .. })), "{refused}");
    let reduced = server.evaluate(&Program::parse("x % 1000", &[])?, &sum)?;
    assert_eq!((reduced.space().modulus(), client.decrypt(&reduced)?), (None, vec![995]));
    assert_eq!(x.as_residues()?.space(), x.space());
    // What no integer has is refused beside residues, too.
    for text in ["x + shl(y, 0 - 1)", "x*shr(y, 0 - 1)", "x + y^40", "x + max(y^40, 1)", "x*max(0*x + 1, y^40)"] {
        let refused = server.evaluate(&Program::parse(text, &[])?, [&x, &integers]);
        assert!(matches!(refused, Err(Error::Lut(LutError::Kinds { .. }))), "{text}");
    }
    // A value of a selection that is never taken makes residues of the other, too.
    let small = client.encrypt_modulo([7], 10)?;
    for (text, expected) in [
        ("select(y >= 0, y, x*y)", 9),
        ("select(y >= 0, y, x - y) + y", 8),
        ("max(select(y >= 0, y, x*shl(y, 0 - 1)), 5)", 9),
        ("select(x < 3, select(3 < 2, x, 2), 1) + 0*y", 1),
        ("select(x < 8, select(x < 10, 2, x), 9) + 0*y", 2),
    ] {
        let program = Program::parse(text, &[])?;
        let inputs = if program.names()[0] == "y" { [&integers, &small] } else { [&small, &integers] };
        let found = server.evaluate(&program, inputs)?;
        assert_eq!(client.decrypt(&found)?, [expected], "{text}");
    }
    let wrapped = server.evaluate(&Program::parse("x + (y^40 % 256)", &[])?, [&x, &integers])?;
    let power = (0..40).fold(1, |power, _| power * 999 % 256);
    assert_eq!(client.decrypt(&wrapped)?, [(5 + power) % 1000]);
    // A plan for one is none for the other.
    let plan = server.plan(Function::from(&Program::parse("x/2", &[])?), &x)?;
    assert!(server.run(&plan, &integers).is_err());
    assert_eq!(Space::of_bits(4).modulus(), Some(16));
    Ok(())
}

/// Short residues have the functions that longer ones have, alone and beside these and integers.
#[test]
fn functions_are_of_short_residues() -> Outcome {
    let (client, server) = pair(5)?;
    for p in [10u64, 16] {
        let all = values(p);
        let [a, b] = &all.clone().map(|all| all.into_iter().map(|x| x.rem_euclid(p as i64)).collect::<Vec<_>>());
        let (x, y) = (client.encrypt_modulo(a, p)?, client.encrypt_modulo(b, p)?);
        assert_eq!(x.space(), Space::Modular(p));
        let run = |text: &str| -> Result<Ciphertexts, Box<dyn std::error::Error>> {
            let program = Program::parse(text, &[])?;
            let x = if program.names().first().is_some_and(|first| first == "y") { [&y, &x] } else { [&x, &y] };
            Ok(travelled(&server.evaluate(program.clone(), x[..program.inputs()].iter().copied())?)?)
        };
        let at = |x: i64| x.rem_euclid(p as i64);
        type Expected<'a> = &'a dyn Fn(i64, i64) -> i64;
        let programs: [(&str, Expected<'_>); 16] = [
            // Two of them have no room in one message.
            ("x*y", &|x, y| at(x * y)),
            ("x*x*y + x - y", &|x, y| at(x * x * y + x - y)),
            ("max(x, 5)", &|x, _| x.max(5)),
            ("shl(x + y, 1) % 8", &|x, y| at(x + y) * 2 % 8),
            ("signed(shl(x - y, 2), 5)", &|x, y| (at(x - y) * 4 + 16) % 32 - 16),
            ("leading_zeros(shl(x + 1, 1), 4) + 0*y", &|x, _| at((at(x + 1) * 2 % 16).leading_zeros() as i64 - 60)),
            ("x < y", &|x, y| i64::from(x < y)),
            ("x + max(x, y)", &|x, y| at(x + x.max(y))),
            ("max(x + y, y - x)", &|x, y| at(x + y).max(at(y - x))),
            ("select(x < y, x, y + 1)", &|x, y| if x < y { x } else { at(y + 1) }),
            ("select(x == y, 3, x)", &|x, y| if x == y { 3 } else { x }),
            ("xor(x, y)", &|x, y| x ^ y),
            ("x / 3", &|x, _| x / 3),
            ("(x - y) % 4", &|x, y| at(x - y) % 4),
            ("x*min(x, 2)", &|x, _| at(x * x.min(2))),
            ("signed(x, 3)", &|x, _| (x + 4) % 8 - 4),
        ];
        for (text, expected) in programs {
            let expected: Vec<i64> = a.iter().zip(b).map(|(&x, &y)| expected(x, y)).collect();
            assert_eq!(client.decrypt(&run(text)?)?, expected, "{text} modulo {p}");
        }
        // What functions give is an integer, where it is known, too; a constant that is selected is a residue.
        let constants: [(&str, Expected<'_>); 10] = [
            ("shl(x, 3) % 4 - 5", &|_, _| -5),
            ("max(unsigned(shl(x, 1), 1) - 5, -9)", &|_, _| -5),
            ("argmin(x) - 3", &|_, _| -3),
            ("max(argmax(x), 300)", &|_, _| 300),
            ("max(x, 300)", &|_, _| 300),
            ("100*(x < 99)", &|_, _| 100),
            ("(x < 0) - 1", &|_, _| -1),
            ("x/300 + 200", &|_, _| 200),
            ("max(x, 300) + x", &|x, _| at(300 + x)),
            ("max(select(x >= 0, 20, x), 3)", &|_, _| at(20).max(3)),
        ];
        for (text, expected) in constants {
            let expected: Vec<i64> = a.iter().map(|&x| expected(x, 0)).collect();
            assert_eq!(client.decrypt(&run(text)?)?, expected, "{text} modulo {p}");
            let a: Vec<i128> = a.iter().map(|&x| x.into()).collect();
            let plain = Program::parse(text, &[])?.plain(&[&a], &[x.space().kind()])?;
            assert_eq!(plain[0], expected.iter().map(|&x| x.into()).collect::<Vec<i128>>(), "{text} modulo {p}");
        }
        // So is what tables give, where they give integers.
        for constant in [12, -1, 300] {
            let lut = Lut::new(vec![constant; x.space().modulus().unwrap_or(0) as usize], 10)?;
            for found in
                server.evaluate_all(vec![lut.clone(), lut.clone()], [&x])?.iter().chain([&server.evaluate(&lut, &x)?])
            {
                assert_eq!((found.space().modulus(), client.decrypt(found)?), (None, vec![constant; a.len()]));
                assert_eq!(client.decrypt(&found.add(found)?)?, vec![2 * constant; a.len()]);
            }
            let program = Program::parse("f(x) + f(x); f(x) + x", &[("f", &lut)])?;
            let found = server.evaluate_all(&program, [&x])?;
            assert_eq!(client.decrypt(&found[0])?, vec![2 * constant; a.len()]);
            assert_eq!(client.decrypt(&found[1])?, a.iter().map(|x| at(x + constant)).collect::<Vec<_>>());
        }
        let larger: Vec<i64> = a.iter().zip(b).map(|(&x, &y)| x.max(y)).collect();
        assert_eq!(client.decrypt(&server.evaluate(IntegerOp::Max, [&x, &y])?)?, larger);
        // Beside longer ones.
        let z = client.encrypt_modulo([999, 0, 5, 8, 3, 1], 1000)?;
        let both = |text: &str| server.evaluate(Program::parse(text, &[])?, [&x, &z]);
        let expected: Vec<i64> = a.iter().zip([999, 0, 5, 8, 3, 1]).map(|(&x, z)| x.max(z)).collect();
        assert_eq!(client.decrypt(&both("max(x, z)")?)?, expected);
        assert!(both("x + z").is_err());
        // What is planned is what is evaluated.
        let target = FailureTarget::Two64;
        for function in [Program::parse("max(x, 5)", &[])?.into(), Function::Integers(IntegerOp::Max)] {
            let request = Request { function, space: Space::Modular(p), target };
            assert!(request.offer_of(Params::named("toy_int16")?, &Load::of(6)).is_ok());
            assert!(request.offer(Engine::Fhew, &Load::of(6)).is_ok());
            assert!(request.offer(Engine::Ckks, &Load::of(6)).is_err());
        }
    }
    Ok(())
}

/// What a table of several integers that functions make of residues is told to be, it is.
#[test]
fn advice_of_tables_of_several_integers() -> Outcome {
    let (client, server) = pair(8)?;
    let (y, z) = (client.encrypt_modulo([0, 1, 25, 48, 49], 50)?, client.encrypt_within([3, 0, 2, 1, 3], 0..=3, 2)?);
    let lut = Lut::new((0..32).collect(), 5)?;
    let of = |text: &str| Program::parse(text, &[("T", &lut)]);
    let refused = server.evaluate(&of("T(signed(y, 3), z)")?, [&y, &z]).unwrap_err().to_string();
    assert!(refused.contains("of these integers a, b take T(4*a + b + 16), a table of 32 entries"), "{refused}");
    let found = server.evaluate(&of("T(4*signed(y, 3) + z + 16)")?, [&y, &z])?;
    assert_eq!(client.decrypt(&found)?, [19, 20, 22, 17, 23]);
    Ok(())
}

/// A number that is a result is a residue among residues, and what functions give of numbers an integer, whatever
/// stands beside it.
#[test]
fn numbers_are_results() -> Outcome {
    let (client, server) = pair(9)?;
    for p in [2u64, 5, 50, 300] {
        let y = client.encrypt_modulo([1, 0], p)?;
        let at = |c: i64| (c.rem_euclid(p as i64), Some(p));
        for other in ["y", "max(y, 0)", "y < 1", "y + 1", "y + not(0)"] {
            for (text, (expected, modulus)) in [
                ("max(3, 100)", (100, None)),
                ("shl(0 - 2, 5)", (-64, None)),
                ("not(0) - 2", at(-1)),
                ("(1 - 0) - 2", at(-1)),
                ("select(y < 900, 100, 7)", (100, None)),
                ("100", at(100)),
                ("3 - 10", at(-7)),
            ] {
                for text in [format!("{text}; {other}"), format!("{other}; {text}")] {
                    let found = server.evaluate_all(&Program::parse(&text, &[])?, [&y])?;
                    let result = &found[usize::from(text.starts_with('y') || text.starts_with("max(y"))];
                    let space = result.space();
                    assert_eq!((client.decrypt(result)?, space.modulus()), (vec![expected; 2], modulus), "{text}, {p}");
                }
            }
        }
    }
    Ok(())
}

/// A number among residues is one, however long it is, also where integers have limbs.
#[test]
fn numbers_are_residues_among_them() -> Outcome {
    let client = Client::from_seed(&Params::named("toy_8")?, &[7; 32]);
    let server = Server::new(client.server_key()?)?;
    let z = client.encrypt_modulo([1, 2, 12], 13)?;
    let y = client.encrypt_within([-5, 7, 100], -128..=127, 8)?;
    for (text, expected) in [("(z + 128) < y", [0, 1, 1]), ("(z - 500) < y", [0, 0, 1])] {
        let found = server.evaluate(&Program::parse(text, &[])?, [&z, &y])?;
        assert_eq!(client.decrypt(&found)?, expected, "{text}");
    }
    Ok(())
}

/// Random programs of residues beside integers, with results in any order: they are right, or refused, where `may_be`
/// says that they may. How many were evaluated.
pub(crate) fn random_programs(
    (client, server): &(Client, Server),
    (count, depth): (u64, u64),
    may_be: fn(&Error) -> bool,
) -> Result<usize, Box<dyn std::error::Error>> {
    let mut evaluated = 0;
    for seed in 0..count {
        let mut made = Expressions::new(seed, [2, 2, 7, 16][seed as usize % 4]);
        let (wanted, text) = made.program(depth);
        let (table, pairs) = (Lut::modular(made.entries.clone(), made.p)?, Lut::modular(made.pairs.clone(), made.p)?);
        let program = Program::parse(&text, &[("T", &table), ("U", &pairs)])?;
        let encrypt = |name: &String| {
            let input = made.input(name);
            let rows = input.rows.iter().copied();
            match input.modulus {
                Some(p) => client.encrypt_modulo(rows.map(|x| x as u64), p),
                None => client.encrypt_within(rows, -3..=4, 5),
            }
        };
        let inputs = program.names().iter().map(encrypt).collect::<Result<Vec<_>, _>>()?;
        let found = match server.evaluate_all(&program, &inputs) {
            Err(error) if may_be(&error) => continue,
            found => found.map_err(|error| format!("{text}: {error}"))?,
        };
        for (value, found) in wanted.iter().zip(&found) {
            let decrypted = client.decrypt_wide(&travelled(found)?)?;
            assert_eq!(
                (decrypted, found.space().modulus()),
                (value.rows.clone(), value.modulus),
                "{} of {text}",
                value.text
            );
        }
        evaluated += 1;
    }
    Ok(evaluated)
}

#[test]
fn random_programs_are_right() -> Outcome {
    let count = portion(240, 4);
    assert_eq!(random_programs(&pair(6)?, (count, 2), |_| false)?, count as usize);
    Ok(())
}

/// Some 10^5 operations.
#[test]
#[ignore = "minutes: .ci/full runs it"]
fn many_random_programs_are_right() -> Outcome {
    let may_be = |error: &Error| matches!(error.kind(), ErrorKind::Noise);
    let evaluated = random_programs(&pair(7)?, (6000, 3), may_be)?;
    assert!(evaluated > 5900, "{evaluated}");
    Ok(())
}

/// Differences that fill their circle are tables' inputs, as what has room is.
#[test]
fn tables_are_of_differences() -> Outcome {
    let (client, server) = pair(6)?;
    for p in [32_769u64, 40_000, 65_535] {
        let all = values(p);
        let [x, y] = [&all[0], &all[1]].map(|values| client.encrypt_modulo(values, p));
        let (x, y) = (x?, y?);
        let difference = x.sub(&y)?;
        let lut = Lut::modular((0..p).map(|x| x % 10).collect(), 10)?;
        let expected = of(p, &all, |x, y| x - y);
        let digits: Vec<i64> = expected.iter().map(|x| x % 10).collect();
        assert_eq!(client.decrypt(&server.evaluate(&lut, &difference)?)?, digits, "modulo {p}");
        assert_eq!(client.decrypt(&server.evaluate(Program::parse("x % 10", &[])?, &difference)?)?, digits);
        let program = Program::parse("f(x - y)", &[("f", &lut)])?;
        assert_eq!(client.decrypt(&server.evaluate(program, [&x, &y])?)?, digits, "modulo {p}");
    }
    Ok(())
}

/// A continuous function is of residues, not of what is congruent to them.
#[test]
fn continuous_functions_are_of_what_is_reduced() -> Outcome {
    let (client, server) = pair(7)?;
    let x = client.encrypt_modulo([999, 5], 1000)?;
    let function = |range: std::ops::RangeInclusive<i128>| Continuous::new(range, 8, |x| x / 10.0);
    for kept in [x.add(&x)?, x.add_constant(-1)?] {
        let refused = server.evaluate(function(-1..=1998)?, &kept).unwrap_err();
        assert!(matches!(refused, Error::Space(SpaceError::Unreduced { modulus: 1000, .. })), "{refused}");
    }
    Ok(())
}
