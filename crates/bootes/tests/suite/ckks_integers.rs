//! Functions of integers with engine ckks, on a toy ring: the same calls as with engine fhew.
use bootes::{
    Ciphertexts, Client, Engine, Error, FailureTarget, IntegerOp, Load, Lut, LutError, Params, PlanError, Program,
    Server, SpaceError,
};
use bootes_testkit::sampled;

fn client() -> Result<Client, Error> {
    Ok(Client::from_seed(&Params::named("toy_batch_integers")?, &[9; 32]))
}

const TWO: [IntegerOp; 6] =
    [IntegerOp::Less, IntegerOp::Equal, IntegerOp::Max, IntegerOp::Min, IntegerOp::Add, IntegerOp::Sub];
const ONE: [IntegerOp; 5] =
    [IntegerOp::Sign, IntegerOp::Relu, IntegerOp::Abs, IntegerOp::Floor(3), IntegerOp::Floor(7)];

/// Pairs of a width: extremes, near ones and others, more than a ciphertext holds.
fn pairs(width: u32) -> (Vec<i128>, Vec<i128>) {
    let (min, max) = (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1);
    let at = |i: i128| match i % 7 {
        0 => min,
        1 => max,
        2 => 0,
        3 => -1,
        _ => (i * i * 37 + i * 11).rem_euclid(max - min + 1) + min,
    };
    let x: Vec<i128> = (0..1100).map(at).collect();
    let y = (0..1100).map(|i| if i % 3 == 0 { (at(i) + 1).min(max) } else { at(i / 5) }).collect();
    (x, y)
}

#[test]
fn functions_of_integers_are_right() -> Result<(), Error> {
    let client = client()?;
    let server = Server::new(client.server_key()?)?;
    for width in sampled([14, 8], 2) {
        let (x, y) = pairs(width);
        let (a, b) = (client.encrypt_integers(&x, width)?, client.encrypt_integers(&y, width)?);
        for op in TWO {
            let plan = server.plan(op, [&a, &b])?;
            assert!(plan.log2_p_fail() <= -128.0 && plan.prediction(1100)?.seconds >= 0.0);
            let found = client.decrypt_wide(&stored(&server.run(&plan, [&a, &b])?[0])?)?;
            let expected: Vec<i128> = x.iter().zip(&y).map(|(&x, &y)| op.apply(&[x, y])).collect();
            assert_eq!(found, expected, "{op} of {width} bits");
        }
        for op in ONE {
            let found = stored(&server.evaluate(op, &a)?)?;
            let expected: Vec<i128> = x.iter().map(|&x| op.apply(&[x])).collect();
            assert_eq!(client.decrypt_wide(&found)?, expected, "{op} of {width} bits");
        }
    }
    // Results that are operands in part: the high limb as it was encrypted, and alone.
    let (x, _) = pairs(14);
    let a = client.encrypt_integers(&x, 14)?;
    for by in sampled(1..=13, 3) {
        let found = stored(&server.evaluate(IntegerOp::Floor(by), &a)?)?;
        assert_eq!(client.decrypt_wide(&found)?, x.iter().map(|x| x >> by).collect::<Vec<_>>(), "floor:{by}");
    }
    Ok(())
}

/// What comes back from a file.
fn stored(x: &Ciphertexts) -> Result<Ciphertexts, Error> {
    let file = x.write(Vec::new())?;
    assert_eq!(file.len() as u64, x.stored_bytes());
    Ciphertexts::read(&file[..])
}

/// Results are operands, sums keep their range, files keep both.
#[test]
fn results_are_operands_again() -> Result<(), Error> {
    let client = client()?;
    let server = Server::new(client.server_key()?)?;
    let (x, y) = pairs(6);
    let (a, b) = (client.encrypt_within(&x, -32..=31, 9)?, client.encrypt_within(&y, -32..=31, 9)?);
    // |max(x, y) − y| + 1 in a chain of four, by way of a file.
    let largest = server.evaluate(IntegerOp::Max, [&a, &b])?;
    assert_eq!(largest.space().range(), (-32..=31).into());
    let largest = Ciphertexts::read(&largest.write(Vec::new())?[..])?;
    let difference = largest.sub(&b)?.add_constant(-40)?;
    let absolute = server.evaluate(IntegerOp::Abs, &difference)?;
    let half = server.evaluate(IntegerOp::Floor(1), &absolute)?;
    let positive = server.evaluate(IntegerOp::Relu, &half.mul_small(-1)?.add_constant(18)?)?;
    let expected = x.iter().zip(&y).map(|(&x, &y)| (18 - ((x.max(y) - y - 40).abs() >> 1)).max(0));
    assert_eq!(client.decrypt_wide(&positive)?, expected.collect::<Vec<_>>());
    // Residues are what integers are modulo 2^10, for tables of as many bits as the set evaluates.
    let answers = server.evaluate(IntegerOp::Less, [&a, &b])?;
    assert_eq!(answers.space().range(), (0..=1).into());
    // Its tables of them give residues, whose differences have no sign.
    let refused = answers.sub(&answers).unwrap_err().to_string();
    assert!(refused.contains("-1 to 1") && refused.contains("take the program \"x - y\""), "{refused}");
    assert!(!refused.contains("Widen"), "{refused}");
    let difference = server.evaluate(Program::parse("x - y", &[])?, [&answers, &answers])?;
    assert!(client.decrypt_wide(&difference)?.iter().all(|&zero| zero == 0));
    let sum = answers.as_residues()?.add(&answers.as_residues()?)?;
    assert!(client.decrypt_wide(&sum)?.iter().all(|&bit| bit == 0));
    let table = Lut::modular(vec![3, 5], 16)?;
    let marks = server.evaluate(&table, &answers.as_residues()?)?;
    let expected: Vec<u64> = x.iter().zip(&y).map(|(x, y)| if x < y { 5 } else { 3 }).collect();
    assert_eq!(client.decrypt_residues(&marks)?, expected);
    // A table on integers from 0 on takes their residues by itself, and stays theirs.
    let plan = server.plan(&table, &answers)?;
    assert_eq!(client.decrypt_residues(&server.run(&plan, &answers)?[0])?, expected);
    let again = server.plan_again(&plan.request()?)?;
    assert_eq!(client.decrypt_residues(&server.run(&again, &answers)?[0])?, expected);
    let small = client.encrypt_within([0, 1, 2], 0..=2, 3)?;
    let (triple, larger) = (Lut::modular(vec![0, 3, 6, 9], 16)?, client.encrypt_within([5], 0..=5, 3)?);
    let plan = server.plan(&triple, &small)?;
    assert_eq!(client.decrypt_wide(&server.run(&plan, &small)?[0])?, [0, 3, 6]);
    assert!(matches!(server.run(&plan, &larger), Err(Error::Plan(PlanError::Space { .. }))));
    let refused = server.evaluate(&triple, &larger).unwrap_err().to_string();
    assert!(refused.contains("a table of 4 entries on integers from 0 to 5"), "{refused}");
    Ok(())
}

/// max(v + d, v) with v = max(d, 0) evaluates d again: the same error twice.
#[test]
fn errors_that_operands_have_already_are_dependent() -> Result<(), Error> {
    let client = client()?;
    let server = Server::new(client.server_key()?)?;
    let (x, y) = pairs(6);
    let d = client.encrypt_within(&x, -32..=31, 9)?;
    let positive = server.evaluate(IntegerOp::Relu, &d)?;
    let sum = positive.add(&d)?;
    let twice = server.evaluate(IntegerOp::Max, [&sum, &positive])?;
    assert_eq!(client.decrypt_wide(&twice)?, x.iter().map(|&x| 2 * x.max(0)).collect::<Vec<_>>());
    let std = |x: &Ciphertexts| x.noise_variance().sqrt();
    assert!(std(&twice) > 1.99 * std(&positive), "{:e} {:e}", std(&twice), std(&positive));
    // Of others the variances add; a plan for such is not for these.
    let other = client.encrypt_within(&y, -32..=31, 9)?;
    let other = server.evaluate(IntegerOp::Relu, &other)?;
    let plan = server.plan(IntegerOp::Max, [&positive, &other])?;
    let larger = server.run(&plan, [&positive, &other])?.remove(0);
    assert!(std(&larger) < 1.5 * std(&positive), "{:e} {:e}", std(&larger), std(&positive));
    assert!(matches!(server.run(&plan, [&positive, &positive]), Err(Error::Plan(PlanError::Related))));
    Ok(())
}

/// Two limbs in files and slices.
#[test]
fn vectors_of_two_limbs_are_vectors() -> Result<(), Error> {
    let client = client()?;
    let (x, _) = pairs(16);
    let a = client.encrypt_integers(&x, 16)?;
    assert_eq!((a.len(), a.ciphertexts(), a.space().limbs()), (1100, 4, 2));
    let bytes = a.write(Vec::new())?;
    assert_eq!(bytes.len() as u64, a.stored_bytes());
    let read = Ciphertexts::read(&bytes[..])?;
    assert_eq!((client.decrypt_wide(&read)?, read.space()), (x.clone(), a.space()));
    let [first, second] = [read.slice(..1024)?, read.slice(1024..)?];
    assert_eq!(client.decrypt_wide(&second)?, x[1024..]);
    assert_eq!(client.decrypt_wide(&Ciphertexts::concat([&first, &second])?)?, x);
    Ok(())
}

/// Integers with room for more than tables have entries: theirs are of the range alone, and several share work.
#[test]
fn tables_take_integers_with_room() -> Result<(), Error> {
    let client = client()?;
    let server = Server::new(client.server_key()?)?;
    let x: Vec<i128> = (0..40).map(|i| i * 7 % 16).collect();
    let encrypted = client.encrypt_within(&x, 0..=15, 8)?;
    let [square, low] = [Lut::new((0..16).map(|x| x * x).collect(), 8)?, Lut::modular((0..16).collect(), 16)?];
    let plan = server.plan(vec![square.clone(), low], [&encrypted])?;
    let results = server.run(&plan, [&encrypted])?;
    assert_eq!(client.decrypt_wide(&results[0])?, x.iter().map(|x| x * x).collect::<Vec<_>>());
    assert_eq!(client.decrypt_wide(&results[1])?, x);
    assert!(results[0].space().integers().is_some() && results[1].space().integers().is_none());
    let sum = server.evaluate(&square, [&encrypted])?.add(&results[0])?;
    assert_eq!(client.decrypt_wide(&sum)?, x.iter().map(|x| 2 * x * x).collect::<Vec<_>>());
    let refused = server.evaluate(&square, [&client.encrypt_within(&x, -1..=15, 8)?]);
    assert!(matches!(&refused, Err(Error::Lut(LutError::Domain { entries: 16, .. }))), "{refused:?}");
    Ok(())
}

#[test]
fn what_there_is_not_is_refused() -> Result<(), Error> {
    let client = client()?;
    let server = Server::new(client.server_key()?)?;
    let refused = server.evaluate(&Lut::modular(vec![0; 512], 512)?, &client.encrypt_integers([1, -2], 8)?);
    assert!(matches!(&refused, Err(Error::Space(SpaceError::NotResidues { .. }))), "{refused:?}");
    // Sets for tables have integers for programs, and no such functions.
    let tables = Client::from_seed(&Params::named("toy_batch_4bit")?, &[1; 32]);
    let refused = Server::new(tables.server_key()?)?.evaluate(IntegerOp::Sign, &tables.encrypt_integers([1], 3)?);
    assert!(matches!(&refused, Err(Error::NotForIntegers { .. })), "{refused:?}");
    assert!(matches!(tables.encrypt_integers([1], 4), Err(Error::Width { found: 4, max: 3, .. })));
    assert!(tables.params().predict_integers(IntegerOp::Sign, 3, &Load::of(1)).is_err());
    Ok(())
}

#[test]
fn the_default_set_is_predicted() -> Result<(), Error> {
    let params = Params::integers_on(Engine::Ckks, 32, FailureTarget::Two128)?;
    assert_eq!(
        (params.name(), params.integer_bits(), params.max_integer_bits()),
        ("batch_integers", Some(16), Some(32))
    );
    assert!(params.security().is_some_and(|security| security.standard >= 128.0));
    let many = |width| params.predict_integers(IntegerOp::Less, width, &Load::of(65536));
    let [short, long] = [many(8)?, many(32)?];
    assert!(short.seconds < long.seconds && long.log2_p_fail <= -128.0);
    let refused = params.predict_integers(IntegerOp::Less, 33, &Load::of(1));
    assert!(matches!(refused, Err(Error::Lut(LutError::Width { .. }))));
    assert!(Params::integers_on(Engine::Ckks, 33, FailureTarget::Two128).is_err());
    let single = Params::for_integers(16)?.predict_integers(IntegerOp::Less, 16, &Load::of(10))?;
    assert!(single.rotations.is_some());
    Ok(())
}
