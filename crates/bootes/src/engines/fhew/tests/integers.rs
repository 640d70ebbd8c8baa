//! Large integers, plans for other ciphertexts, keys in files, and several tables at once.
use crate::engines::*;
use crate::fhew::{Ciphertexts, Client, Params, Server, ServerKey};
use crate::{
    Error, FailureTarget, FhewLutError, IntegerOp, Interval, KeyNeeds, Lut, LutError, Objective, PlanError, Program,
    Space, SpaceError,
};
use bootes_testkit::sampled;

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn pair(name: &str, seed: u8) -> Result<(Client, Server), Error> {
    let client = Client::from_seed(&Params::by_name(name)?, &[seed; 32]);
    // Through bytes: additional keys travel.
    let server = Server::new(ServerKey::from_bytes(&client.made_key()?.to_bytes())?)?;
    Ok((client, server))
}

const OPS: [&str; 12] =
    ["sign", "less", "equal", "relu", "abs", "max", "min", "add", "sub", "floor:1", "floor:5", "floor:8"];

fn check(
    client: &Client,
    server: &Server,
    op: IntegerOp,
    width: u32,
    unsigned: bool,
    operands: [&[i128]; 2],
) -> Result<Ciphertexts, Error> {
    let operands = &operands[..op.operands()];
    let encrypt = |values: &&[i128]| match unsigned {
        true => client.encrypt_unsigned(values, width),
        false => client.encrypt_integers(values, width),
    };
    let encrypted = operands.iter().map(encrypt).collect::<Result<Vec<_>, _>>()?;
    // Out to a file and back.
    let encrypted =
        encrypted.iter().map(|c| Ciphertexts::from_bytes(&c.to_bytes())).collect::<Result<Vec<_>, Error>>()?;
    assert!(encrypted.iter().all(|c| c.space().integers().is_some_and(|integers| integers.width() == width)));
    let result = server.evaluate_integers(op, &encrypted.iter().collect::<Vec<_>>(), 2)?;
    let found = client.decrypt_integers(&result)?;
    for (i, &found) in found.iter().enumerate() {
        let values: Vec<i128> = operands.iter().map(|v| v[i]).collect();
        assert_eq!(found, op.apply(&values), "{op} of {values:?}, {width} bits");
    }
    Ok(result)
}

#[test]
fn functions_of_integers_with_and_without_sign() -> Outcome {
    let (client, server) = pair("toy_int16", 1)?;
    for width in [8u32, 12, 16] {
        let half = 1i128 << (width - 1);
        let signed: Vec<i128> = vec![0, 1, -1, half - 1, -half, 1 - half, 77, -100, half / 2, -half / 2];
        let unsigned: Vec<i128> = vec![0, 1, 2 * half - 1, half - 1, half, half + 1, 77, 100, half / 2, 3 * half / 2];
        for op in OPS {
            let op: IntegerOp = op.parse()?;
            for (values, without_sign) in [(&signed, false), (&unsigned, true)] {
                let reversed: Vec<i128> = values.iter().rev().copied().collect();
                check(&client, &server, op, width, without_sign, [values, &reversed])?;
            }
        }
    }
    Ok(())
}

#[test]
fn results_are_operands_again() -> Outcome {
    let (client, server) = pair("toy_int16", 2)?;
    let (x, y) = ([-30_000i128, 12_345, 0, -1], [29_999i128, -32_768, 5, -2]);
    let (a, b) = (client.encrypt_integers(&x, 16)?, client.encrypt_integers(&y, 16)?);
    let larger = server.evaluate_integers(IntegerOp::Max, &[&a, &b], 1)?;
    let clipped = server.evaluate_integers(IntegerOp::Relu, &[&larger], 1)?;
    assert_eq!(client.decrypt_integers(&clipped)?, [29_999, 12_345, 5, 0]);
    // max(x, y) has the noise of x: of one origin.
    let difference = larger.sub(&a)?;
    assert!(difference.noise_variance() > larger.noise_variance() + a.noise_variance());
    assert_eq!(client.decrypt_integers(&difference)?, [59_999, 0, 5, 0]);
    let smaller = server.evaluate_integers(IntegerOp::Min, &[&larger, &a], 2)?;
    assert_eq!(client.decrypt_integers(&smaller)?, x);
    // The sign is one bit, for tables.
    let sign = server.evaluate_integers(IntegerOp::Less, &[&a, &b], 2)?;
    let not = server.evaluate(&Lut::new(vec![1, 0], 1)?, &sign, 1)?;
    assert_eq!(client.decrypt(&not)?, [0, 1, 0, 1]);
    // Small tables work with the same keys.
    let cube = Lut::new((0..16).map(|m| m * m * m % 16).collect(), 4)?;
    let small = client.encrypt_bits(&[3, 15], 4)?;
    assert_eq!(client.decrypt(&server.evaluate(&cube, &small, 1)?)?, [11, 15]);
    Ok(())
}

/// Floors leave the low of two limbs noisier than the high one, and shorter: each limb has a bound of its own.
#[test]
fn floors_of_two_limbs_are_operands_again() -> Outcome {
    let (client, server) = pair("toy_int16", 7)?;
    for width in [18u32, 20, 25, 32] {
        let half = 1i128 << (width - 1);
        let x = [0, -1, 1, half - 1, -half, half / 3, -half / 5];
        let encrypted = client.encrypt_integers(&x, width)?;
        for bits in [1, 2, width / 2 - 1, width / 2, width / 2 + 1, width - 2] {
            let floor = server.evaluate_integers(IntegerOp::Floor(bits), &[&encrypted], 2)?;
            let floor = Ciphertexts::from_bytes(&floor.to_bytes())?;
            for op in [IntegerOp::Sign, IntegerOp::Relu, IntegerOp::Abs, IntegerOp::Floor(1)] {
                let expected: Vec<i128> = x.iter().map(|&x| op.apply(&[x >> bits])).collect();
                let found = server.evaluate_integers(op, &[&floor], 2)?;
                assert_eq!(client.decrypt_integers(&found)?, expected, "{op} of floor:{bits} of {width} bits");
                assert_eq!(client.decrypt_integers(&Ciphertexts::from_bytes(&found.to_bytes())?)?, expected);
            }
        }
    }
    Ok(())
}

#[test]
fn integers_outside_their_range_and_operands_that_do_not_fit_are_refused() -> Outcome {
    let (client, server) = pair("toy_int16", 3)?;
    for (values, bad) in [
        (vec![0, 65_536], "65536, expected -32768 to 32767 (signed 16-bit integers): take a width of 18 or more"),
        (
            vec![-1, 32_767, 32_768],
            "32768, expected -32768 to 32767 (signed 16-bit integers): if none is negative, take encrypt_unsigned",
        ),
        (vec![-32_769], "-32769, expected -32768"),
    ] {
        let error = client.encrypt_integers(&values, 16).unwrap_err();
        assert!(matches!(error, Error::Integer { .. }) && error.to_string().contains(bad), "{error}");
    }
    for bad in [65_536, i128::MAX] {
        let error = client.encrypt_unsigned(&[1, bad], 16).unwrap_err();
        assert!(error.to_string().contains("expected 0 to 65535 (unsigned 16-bit integers)"), "{error}");
    }
    assert_eq!(client.decrypt_integers(&client.encrypt_unsigned(&[65_535, 32_768], 16)?)?, [65_535, 32_768]);
    for width in [0, 65, 70] {
        assert!(matches!(client.encrypt_integers(&[0], width), Err(Error::Width { max: 64, .. })), "{width}");
    }
    let x = client.encrypt_integers(&[1, 2], 16)?;
    let (short, narrow) = (client.encrypt_integers(&[1], 16)?, client.encrypt_integers(&[1, 2], 12)?);
    let max = IntegerOp::Max;
    let error = server.evaluate_integers(max, &[&x], 1).unwrap_err();
    assert_eq!(error.to_string(), "max takes 2 operands, and 1 are given");
    assert!(matches!(server.evaluate_integers(max, &[], 1), Err(Error::OperandCount { .. })));
    assert!(matches!(server.evaluate_integers(max, &[&x, &short], 1), Err(Error::Lengths { .. })));
    assert!(matches!(server.evaluate_integers(max, &[&x, &narrow], 1), Err(Error::Space(SpaceError::Widths { .. }))));
    assert!(matches!(server.evaluate_integers(max, &[&x, &x], 0), Err(Error::Threads)));
    let floor = server.evaluate_integers(IntegerOp::Floor(17), &[&x], 1);
    assert!(matches!(floor, Err(Error::Lut(LutError::Width { .. }))));
    let (stranger, _) = pair("toy_int16", 4)?;
    let theirs = stranger.encrypt_integers(&[1, 2], 16)?;
    assert!(matches!(server.evaluate_integers(max, &[&x, &theirs], 1), Err(Error::OtherKey { .. })));
    // A set without the keys.
    let (client, server) = pair("toy_8", 3)?;
    let x = client.encrypt_integers(&[1, -2], 7)?;
    let error = server.evaluate_integers(IntegerOp::Relu, &[&x], 1);
    assert!(matches!(error, Err(Error::Lut(LutError::Fhew(FhewLutError::Keys { .. })))));
    // max(x, x): the difference of equal noises is planned as a sum.
    let (client, server) = pair("toy_int16", 5)?;
    let x = client.encrypt_integers(&[1, -2], 16)?;
    let plan = server.plan_integers(max, &[&x, &x])?;
    assert_eq!(plan.input_variance().largest(), 2.0 * x.noise_variance());
    let result = server.evaluate_integers_plan(&plan, &[&x, &x], 1)?;
    assert_eq!(client.decrypt_integers(&result)?, [1, -2]);
    Ok(())
}

/// A noisy operand leaves the others as they are, and where two have something in common deviations add up.
#[test]
fn noise_of_each_operand() -> Outcome {
    let (client, server) = pair("toy_int16", 6)?;
    let range = Interval::signed(7);
    let (x, y) = (client.encrypt_within(&[3, -4], range, 16)?, client.encrypt_within(&[5, 60], range, 16)?);
    let loud = x.mul_small(16)?;
    let (fresh, more) = (x.noise_variance(), loud.noise_variance());
    assert_eq!(more, 256.0 * fresh);
    let sum = Program::parse("a + 200*b", &[])?;
    let plan = server.plan_program(&sum, &[&loud, &y])?;
    assert_eq!(plan.input_variance().all(), [more, fresh]);
    assert_eq!((plan.rotations(), plan.noise().output_variance), (0, more + 40_000.0 * fresh));
    let sums = server.evaluate_integers_plan(&plan, &[&loud, &y], 1)?;
    assert_eq!(client.decrypt_integers(&sums)?, [48 + 1000, -64 + 12_000]);
    // The other way round they are noisier than those of the plan.
    let swapped = server.evaluate_integers_plan(&plan, &[&y, &loud], 1);
    assert!(matches!(swapped, Err(Error::Plan(PlanError::Noise { .. } | PlanError::Space { .. }))), "{swapped:?}");
    let twice = x.mul_small(2)?;
    let found = super::super::server::input_variance(&[&x, &y, &twice]);
    // (σ, 2σ): 3 times that of the first, and 3/2 times that of the other.
    let expected = [3.0 * fresh, fresh, 6.0 * fresh];
    assert!(found.all().iter().zip(expected).all(|(found, expected)| (found / expected - 1.0).abs() < 1e-9));
    Ok(())
}

/// What is kept of two has its own noise, the noisier one's too, however often the largest of all before goes on.
#[test]
fn noise_of_what_is_kept() -> Outcome {
    let (client, server) = pair("toy_int16", 8)?;
    let count = 200;
    let encrypt = |x: i128| client.encrypt_within(&vec![x; count], Interval::signed(7), 16);
    let (fresh, loud) = (encrypt(0)?, encrypt(3)?.mul_small(16)?);
    for op in sampled([IntegerOp::Max, IntegerOp::Min], 2) {
        // The noisier one is kept, whichever comes first.
        let sign = if op == IntegerOp::Max { 1 } else { -1 };
        let loud = loud.mul_small(sign)?;
        for operands in [[&loud, &fresh], [&fresh, &loud]] {
            let kept = server.evaluate_integers(op, &operands, 2)?;
            assert!(kept.noise_variance() > loud.noise_variance(), "{op}");
            let noise = client.measure_noise(&kept, &vec![i128::from(48 * sign); count])?;
            let measured = noise.iter().map(|e| e * e).sum::<f64>() / count as f64;
            // One key may be half as noisy again.
            let most = 1.5 + 4.5 * (2.0 / count as f64).sqrt();
            assert!(measured < kept.noise_variance() * most, "{op}: {measured:e} of {:e}", kept.noise_variance());
        }
    }
    let first = server.evaluate_integers(IntegerOp::Max, &[&fresh, &fresh], 2)?;
    let next = |largest: Ciphertexts, _| server.evaluate_integers(IntegerOp::Max, &[&largest, &encrypt(0)?], 2);
    let largest = (1..10).try_fold(first.clone(), next)?;
    let of_one = first.noise_variance() - fresh.noise_variance();
    assert!(largest.noise_variance() > 9.0 * of_one);
    Ok(())
}

#[test]
fn sets_for_integers() -> Outcome {
    for target in FailureTarget::ALL {
        let params = Params::for_integers_with(16, target)?;
        assert!(params.integer_bits() >= Some(16) && params.0.space_bits() >= 17);
        assert!(!params.integer_keys().is_empty());
        assert_eq!(Params::for_integers_with(5, target)?, params);
        assert_eq!(Params::for_integers_with(64, target)?, params);
        assert!(Params::for_integers_with(65, target).is_err());
        assert!(Params::for_bits_with(8, target)?.integer_keys().is_empty());
    }
    let [door, with] = [crate::Params::for_integers(16)?, crate::Params::for_integers_with(16, FailureTarget::Two128)?];
    assert_eq!(door, with);
    Ok(())
}

/// The bound on results is that of the plan, or of fresh ciphertexts.
#[test]
fn widened_answers_have_the_noise_of_their_plan() -> Outcome {
    let (client, server) = pair("toy_int16", 4)?;
    let (x, y) = (client.encrypt_integers(&[-3, 5, 9], 8)?, client.encrypt_integers(&[2, 5, 10], 8)?);
    let less = server.evaluate_integers(IntegerOp::Less, &[&x, &y], 1)?;
    let plan = server.plan_widen(&less, 3)?;
    let room = server.evaluate_plan(&plan, &less, 2)?;
    assert_eq!(room.noise_variance(), plan.noise().bound_variances[0].max(client.encrypt(&[0])?.noise_variance()));
    Ok(())
}

/// Files of one engine that name a set of the other.
#[test]
fn sets_of_the_other_engine_are_refused_by_name() {
    let refused = Params::by_name("batch_8bit").map(drop).unwrap_err().to_string();
    assert!(
        refused.starts_with("batch_8bit is a parameter set of engine ckks") && !refused.contains('\n'),
        "{refused}"
    );
    let refused = ckks::Params::by_name("fhew_4bit_2m64").map(drop).unwrap_err().to_string();
    assert!(refused.starts_with("fhew_4bit_2m64 is a parameter set of engine fhew"), "{refused}");
}

#[test]
fn plans_by_objective() -> Outcome {
    let params = Params::by_name("toy_8")?;
    let client = Client::from_seed(&params, &[7; 32]);
    let every = |bits| crate::algorithms().into_iter().map(move |(name, ..)| (name, bits));
    let needs = every(8).map(|(name, bits)| params.extra_keys(&name, bits)).collect::<Result<Vec<_>, _>>()?;
    let needs = needs.into_iter().fold(KeyNeeds::default(), KeyNeeds::and);
    let server = Server::new(client.server_key_with(&needs)?)?;
    let lut = Lut::new((0..256u64).map(|m| m * m % 251).collect(), 8)?;
    let values = [3, 254];
    let input = client.encrypt(&values)?;
    let plans = Objective::ALL.map(|objective| server.plan_for(&lut, &input, None, objective));
    let plans = plans.into_iter().collect::<Result<Vec<_>, _>>()?;
    for (objective, best) in Objective::ALL.into_iter().zip(&plans) {
        let score = |plan: &fhew::Plan| plan.prediction().score(objective)[0];
        assert!(plans.iter().all(|plan| score(best) <= score(plan)), "{objective}: {best}");
        let results = server.evaluate_plan(best, &input, 1)?;
        assert_eq!(client.decrypt(&results)?, values.map(|v| lut.values()[v as usize]), "{objective}");
    }
    // Additional keys are bytes too: the smallest key has none.
    let bytes = client.made_key()?.to_bytes().len();
    assert!((bytes - plans[2].prediction().keys.stored) < 1000);
    Ok(())
}

#[test]
fn many_tables_at_once_or_one_by_one() -> Outcome {
    let (client, server) = pair("toy_8", 8)?;
    let inputs: Vec<u64> = (0..16).collect();
    let table = |f: &dyn Fn(u64) -> u64, bits: u32| Lut::modular((0..16).map(f).collect(), 1 << bits);
    let luts = [table(&|x| x * x % 16, 4)?, table(&|x| 15 - x, 4)?, table(&|x| x >> 3, 1)?];
    let encrypted = client.encrypt_bits(&signed(&inputs), 4)?;
    let plan = server.plan_many(&luts, &encrypted)?;
    let spaces = [16, 16, 2].map(Space::Modular);
    assert_eq!((plan.rotations(), plan.out_spaces()), (2, &spaces[..]));
    assert!(plan.to_string().contains("3 tables at once"), "{plan}");
    let results = server.evaluate_many(&luts, &encrypted, 2)?;
    for (lut, results) in luts.iter().zip(&results) {
        assert_eq!(client.decrypt(results)?, lut.values());
        // Results are inputs.
        if results.space().bits() == 4 {
            let again = server.evaluate(&luts[0], results, 1)?;
            assert_eq!(client.decrypt(&again)?, lut.values().iter().map(|&v| v * v % 16).collect::<Vec<_>>());
        }
    }
    // They share a rotation, and its noise.
    let sum = results[0].add(&results[1])?;
    let deviations: f64 = results[..2].iter().map(|result| result.noise_variance().sqrt()).sum();
    assert!((sum.noise_variance().sqrt() / deviations - 1.0).abs() < 1e-9);

    // Too much noise for one rotation: one table after the other.
    let wide: Vec<Lut> = (1..4u64)
        .map(|i| Lut::new((0..256).map(|x| (x * x + i * x) * 40_503 / 7 % 256).collect(), 8))
        .collect::<Result<_, _>>()?;
    let (client, server) = pair("fhew_8bit_2m64", 9)?;
    let encrypted = client.encrypt(&[3, 200])?;
    let refused = server.plan_many(&wide, &encrypted).unwrap_err();
    assert!(
        matches!(refused, Error::Lut(LutError::Fhew(FhewLutError::Noise { .. } | FhewLutError::OutputNoise { .. }))),
        "{refused}"
    );
    for (lut, results) in wide.iter().zip(server.evaluate_many(&wide, &encrypted, 2)?) {
        assert_eq!(client.decrypt(&results)?, [3, 200].map(|x: usize| lut.values()[x]));
    }
    assert!(server.evaluate_many(&[], &encrypted, 1).is_err());
    let error = server.evaluate_many(&luts, &encrypted, 1).unwrap_err();
    assert!(matches!(error, Error::InputBits { .. }), "{error}");
    Ok(())
}
