//! Circuits of random programs, read on phases: each result is that of the specification, and noise within half a
//! window changes none.
use super::{Compiled, InCommon, circuit};
use crate::door::space::Integers;
use crate::engines::EngineParams;
use crate::fhew::Params;
use crate::planner::unless;
use crate::{Cancel, Error, IntegerOp, Lut, LutError, Program, Space};
use bootes_lattice::noise::failure::log2_failure;
use bootes_lut::Interval;
use bootes_lut::fhew::circuit::Step;
use bootes_lut::integer::IntegerLimbs;
use bootes_testkit::{TestRng, portion, sampled};

mod multiples;

/// An expression of x and y.
fn expression(rng: &mut TestRng, depth: u32) -> String {
    if depth == 0 {
        return match rng.below(6) {
            0 => format!("{}", 1 << rng.below(14)),
            1 => format!("{}", rng.below(1000)),
            number => ["x", "y"][number as usize % 2].into(),
        };
    }
    let [a, b, c] = [(); 3].map(|()| expression(rng, depth - 1));
    match rng.below(20) {
        0 | 1 => format!("({a} + {b})"),
        2 => format!("({a} + {b} + {c} - {a})"),
        3 => format!("({a} - {b})"),
        4 | 5 => format!("{a}*{b}"),
        6 => format!("({a})*({a})"),
        7 | 8 => format!("({a} % {})", 1u64 << (1 + rng.below(33))),
        9 => format!("({a})/{}", 1 << rng.below(13)),
        10 => format!("({a} < {b})"),
        11 => format!("max({a}, {b})"),
        12 => format!("select({a} > {b}, {c}, {a})"),
        13 => format!("({a} == {b})*{c}"),
        14 => format!("xor({a}, {b})"),
        15 => format!("shl({a}, {b} % 4)"),
        16 => format!("({a})/({b})"),
        17 => format!("({a}) % ({b})"),
        18 => format!("or({}, {a})*({b})", rng.below(300)),
        _ => format!("abs({a})/(1 + abs({b}))"),
    }
}

/// A program: what is random, small results beside long ones, or a product modulo 2^k.
fn program(rng: &mut TestRng, depth: u32) -> String {
    let bits = 1 + rng.below(16);
    let constant = 1 + rng.below(1 << bits);
    match rng.below(4) {
        0 => format!("x {} {constant}; x*y", ["+", "-"][rng.below(2) as usize]),
        1 => {
            let product = [format!("x*{constant}"), "x*x".into(), "x*y".into()][rng.below(3) as usize].clone();
            let kept = 10 + rng.below(28);
            format!("({product} % {})/{}", 1u64 << kept, 1u64 << kept.saturating_sub(12 + rng.below(20)))
        }
        _ => format!("{}; small = {}", expression(rng, depth), expression(rng, 1)),
    }
}

/// Integers in one ciphertext or two, with a sign or without, and a bit of room or two.
fn space(rng: &mut TestRng, most: u32) -> Option<Space> {
    let bits = 2 + rng.below(18) as u32;
    let range = if rng.below(2) == 0 { Interval::unsigned(bits) } else { Interval::signed(bits) };
    let width = range.width() + u32::from(range.min < 0);
    if width > most || rng.below(3) == 0 {
        let low = width.div_ceil(2);
        return Integers::new(IntegerLimbs::two(low, width - low), range).map(Space::Integers);
    }
    Space::within(range, (width + rng.below(3) as u32).min(most)).ok()
}

/// Checks a circuit on phases: results are those of the specification, on extreme and random values.
fn check_values(compiled: &Compiled, program: &Program, spaces: &[Space], rng: &mut TestRng) {
    let text = program.to_string();
    let ranges: Vec<Interval> = spaces.iter().map(|space| space.range()).collect();
    for _ in 0..6 {
        let value = |range: &Interval| match rng.below(4) {
            0 => range.min,
            1 => range.max,
            _ => range.min + rng.below((range.max - range.min + 1) as u64) as i128,
        };
        let values: Vec<i128> = ranges.iter().map(value).collect();
        let columns: Vec<&[i128]> = values.iter().map(std::slice::from_ref).collect();
        let expected = program.integers_of(&columns, &ranges).expect("what has a circuit has a specification");
        let limbs = |(space, &value): (&Space, &i128)| {
            let space = *space;
            (0..space.limbs()).map(move |limb| (space.encode(value, limb) >> 64) as u64)
        };
        let inputs: Vec<u64> = spaces.iter().zip(&values).flat_map(limbs).collect();
        let phases = compiled.circuit.phases(&inputs, &mut 1);
        let phases = phases.unwrap_or_else(|step| panic!("{text} of {values:?} in {spaces:?}: step {step}"));
        let mut rest = &phases[..];
        for (space, expected) in compiled.out_spaces.iter().zip(&expected) {
            let (own, others) = rest.split_at(space.limbs());
            rest = others;
            let found = space.decode(own.iter().copied());
            assert_eq!(found, expected[0], "{text} of {values:?} in {spaces:?}, {space}");
        }
    }
}

/// How many programs had a circuit.
fn check(set: &str, programs: usize, depth: u32) -> usize {
    let (params, mut rng, mut done) = (Params::named(set).expect("a set"), TestRng::new(set, 0), 0);
    for _ in 0..programs {
        let text = program(&mut rng, depth);
        let Ok(program) = Program::parse(&text, &[]) else { continue };
        let spaces: Option<Vec<Space>> =
            (0..program.inputs()).map(|_| space(&mut rng, params.0.space_bits() - 1)).collect();
        let Some(spaces) = spaces else { continue };
        let Ok(compiled) = circuit(&params, &program, &spaces, (&params.0.fresh_variance().into(), InCommon::Nothing))
        else {
            continue;
        };
        done += 1;
        // What is said of the whole counts each result.
        let noise = compiled.circuit.noise(&params.0, params.0.fresh_variance());
        for (output, variance) in compiled.circuit.outputs().iter().zip(&noise.bound_variances) {
            let own = log2_failure(output.half_window, variance.sqrt());
            assert!(own <= noise.log2_p_fail, "{text} in {spaces:?}: 2^{own} of 2^{}", noise.log2_p_fail);
        }
        check_values(&compiled, &program, &spaces, &mut rng);
    }
    done
}

#[test]
fn circuits_are_the_programs() {
    for (set, programs) in [("toy_int16", 70), ("fhew_int16_2m128", 20)] {
        let programs = portion(programs, 14) as usize;
        let done = check(set, programs, 2);
        assert!(done > programs / 3, "{set}: {done} of {programs} have a circuit");
    }
}

/// Limbs of sets for short tables: what takes a circuit is right, whether in 3 limbs or in 16.
#[test]
fn integers_of_62_bits() {
    for set in ["toy_int16", "fhew_int16_2m128", "fhew_5bit_2m128", "fhew_8bit_2m128"] {
        let (params, mut rng, mut done) = (Params::named(set).expect("a set"), TestRng::new(set, 3), 0);
        for text in [
            "x - y",
            "x + y - x",
            "x < y",
            "x == y",
            "max(x, y)",
            "abs(x)",
            "select(x > y, x, y)",
            "and(x, y)",
            "x % 65536",
            "x/1048576",
            "shr(x, y % 64)",
            "x*y % 65536",
            "(x + y) % 1099511627776",
        ] {
            let bits = 33 + rng.below(29) as u32;
            let range = if text.contains("sh") { Interval::unsigned(bits) } else { Interval::signed(bits) };
            let Ok(limbs) = params.integer_limbs(bits) else { continue };
            let space = Integers::new(limbs, range).map(Space::Integers).expect("room");
            let program = Program::parse(text, &[]).expect("a program");
            let spaces = vec![space; program.inputs()];
            let fresh = params.0.fresh_variance().into();
            match circuit(&params, &program, &spaces, (&fresh, InCommon::Nothing)) {
                Ok(found) => check_values(&found, &program, &spaces, &mut rng),
                Err(error) => {
                    println!("{set}, {text} of {range}: {error}");
                    continue;
                }
            }
            done += 1;
        }
        // Without packing keys there are no selections.
        assert!(done >= 10 || params.0.integer_bits().is_none() && done >= 8, "{set}: {done}");
    }
}

/// What lacks room is told, and not that residues have no limbs.
#[test]
fn residues_lack_room() {
    let params = Params::named("toy_4").expect("a set");
    let table = Lut::modular((0..25).map(|i| i % 5).collect(), 5).expect("a table");
    let program = Program::parse("g(x, y); 8*x", &[("g", &table)]).expect("a program");
    let fresh = params.0.fresh_variance().into();
    let error = circuit(&params, &program, &[Space::Modular(5); 2], (&fresh, InCommon::Nothing)).err();
    let error = error.expect("it has no room");
    assert!(!matches!(error, Error::Lut(LutError::Kinds { .. })), "{error}");
}

/// Limbs that are shorter than half of what a table takes are not split for ever.
#[test]
fn short_limbs_are_not_split() {
    let params = Params::named("fhew_7bit_2m128").expect("a set");
    for text in ["or(x, 5)/y", "xor(x, 5) % y"] {
        let program = Program::parse(text, &[]).expect("a program");
        let space = Space::within(Interval::signed(5), 5).expect("room");
        let _ = circuit(&params, &program, &[space; 2], (&params.0.fresh_variance().into(), InCommon::Nothing));
    }
}

/// [`circuits_are_the_programs`], for longer.
#[test]
#[ignore = "takes minutes: circuits_are_the_programs is a sample of it"]
fn circuits_of_many_programs_are_the_programs() {
    for (set, programs) in [("toy_int16", 4000), ("fhew_int16_2m128", 1500), ("fhew_int16_2m64", 1500)] {
        assert!(check(set, programs, 2) > programs / 3, "{set}");
    }
}

/// Rests that become too noisy bit by bit are made anew: quotients of fresh integers of any length have a circuit.
#[test]
fn quotients_of_any_length() {
    let params = Params::named("fhew_int16_2m128").expect("a set");
    let program = Program::parse("x/y", &[]).expect("a program");
    let ranges = [9, 12, 13].map(Interval::unsigned).into_iter().chain([9, 14].map(Interval::signed));
    for range in ranges {
        let space = Space::within(range, range.width()).expect("room");
        let found = circuit(&params, &program, &[space; 2], (&params.0.fresh_variance().into(), InCommon::Nothing));
        assert!(found.is_ok(), "{range}: {:?}", found.err());
    }
}

/// Ranges at the edge of what a space tells apart, and limbs with more values than theirs has.
#[test]
fn ranges_at_the_edge_of_spaces() {
    for set in ["toy_int16", "fhew_int16_2m128"] {
        let (params, mut rng) = (Params::named(set).expect("a set"), TestRng::new(set, 1));
        for (text, range) in [
            ("x - 131071", Interval::unsigned(3)),
            ("x - 131000", Interval::signed(4)),
            ("x - 33554431", Interval::unsigned(3)),
            ("x - 131071 + y", Interval::unsigned(2)),
            ("x/2 - 131071", Interval::unsigned(2)),
            ("select(x < 3, 0 - 131071, 0 - 131070)", Interval::unsigned(2)),
            ("x*y - 131071", Interval::unsigned(4)),
            ("x*0 - 33554431", Interval::unsigned(3)),
        ] {
            let program = Program::parse(text, &[]).expect("a program");
            let spaces = vec![Space::within(range, range.width()).expect("room"); program.inputs()];
            let found = circuit(&params, &program, &spaces, (&params.0.fresh_variance().into(), InCommon::Nothing));
            check_values(&found.expect("it has room"), &program, &spaces, &mut rng);
        }
        // Results of 2^15 + 1 values of the high limb, which are told by no 16 bits.
        let program = Program::parse("0 - x - y", &[]).expect("a program");
        let space = Space::Integers(Integers::new(IntegerLimbs::two(15, 15), Interval::unsigned(30)).expect("room"));
        let found = circuit(&params, &program, &[space; 2], (&params.0.fresh_variance().into(), InCommon::Nothing))
            .expect("room");
        check_values(&found, &program, &[space; 2], &mut rng);
        // Those that are told as a whole alone are results, and no operands.
        let range = Interval { min: -(1 << 32) + 2, max: 1 << 32 };
        let space = Integers::new(IntegerLimbs::two(16, 16), range).map(Space::Integers).expect("room");
        let again = Program::parse("abs(x)", &[]).expect("a program");
        let refused = circuit(&params, &again, &[space], (&params.0.fresh_variance().into(), InCommon::Nothing));
        assert!(matches!(refused.err(), Some(Error::Lut(LutError::Room { .. }))));
        for text in ["abs(x)", "x/2", "relu(x)", "x == 0 - 2"] {
            let program = Program::parse(text, &[]).expect("a program");
            let compiled =
                circuit(&params, &program, &found.out_spaces, (&params.0.fresh_variance().into(), InCommon::Nothing));
            check_values(&compiled.expect("it has room"), &program, &found.out_spaces, &mut rng);
        }
    }
}

/// Results of more integers than have room with a sign, which fill their circle, are operands of any program.
#[test]
fn results_that_fill_their_circle_are_operands() {
    for set in ["toy_int16", "fhew_int16_2m128"] {
        let (params, mut rng) = (Params::named(set).expect("a set"), TestRng::new(set, 2));
        for (min, max) in [(-3, 100_000), (0, 100_000), (0, 131_071), (-40_000, 90_000), (-131_070, 1), (-100_000, -7)]
        {
            let space = Integers::new(IntegerLimbs::one(16), Interval { min, max }).map(Space::Integers).expect("room");
            for text in ["x % 7", "x/4", "relu(x)", "abs(x)", "x > 3", "x % 256", "x*3 + 1", "xor(x, 5)", "x == 9"] {
                let program = Program::parse(text, &[]).expect("a program");
                let fresh = params.0.fresh_variance().into();
                let found = circuit(&params, &program, &[space], (&fresh, InCommon::Nothing));
                let found = found.unwrap_or_else(|error| panic!("{set}, {text} of {space}: {error}"));
                check_values(&found, &program, &[space], &mut rng);
            }
        }
    }
}

/// What is shifted out of 64 bits on the way is refused, or planned.
#[test]
fn shifts_beyond_words() {
    let params = Params::named("toy_int16").expect("a set");
    for text in [
        "shl(x*35184372088832, x % 10) % 64",
        "shl(x*35184372088832, y % 10)/72057594037927936",
        "shl(shl(shl(x, ((x < x) * 38)), (x % 8)), (x % 10)) % 64",
        "x*1152921504606846976/1152921504606846976",
    ] {
        let program = Program::parse(text, &[]).expect("a program");
        let spaces = vec![Space::signed(4); program.inputs()];
        match circuit(&params, &program, &spaces, (&params.0.fresh_variance().into(), InCommon::Nothing)) {
            Ok(found) => check_values(&found, &program, &spaces, &mut TestRng::new(text, 0)),
            Err(error) => println!("{text}: {error}"),
        }
    }
}

/// Sums of many whose carries are read all at once: the integers of the specification, on values that carries are
/// between, and in a tenth of the rotations of signs.
#[test]
fn sums_of_many() {
    for (set, widths) in [("toy_int16", [12, 16, 20, 32]), ("fhew_int16_2m128", [16, 24, 30, 32])] {
        let (params, mut rng) = (Params::named(set).expect("a set"), TestRng::new(set, 7));
        for (width, count) in
            widths.into_iter().flat_map(|width| sampled([9, 40, 4, 100], 2).map(move |count| (width, count)))
        {
            let most = params.0.space_bits() - 1;
            let range = [Interval::unsigned(width), Interval::signed(width)][rng.below(2) as usize];
            let limbs = match width > most {
                true => IntegerLimbs::two(width.div_ceil(2), width / 2),
                false => IntegerLimbs::one(width),
            };
            let space = Integers::new(limbs, range).map(Space::Integers).expect("room");
            let sum: String = (0..count).map(|i| format!(" {} x{i}", ["+", "+", "-"][rng.below(3) as usize])).collect();
            for text in [format!("7{sum}"), format!("(7{sum}) % {}", 1u64 << width)] {
                let program = Program::parse(&text, &[]).expect("a program");
                let spaces = vec![space; count];
                let fresh = params.0.fresh_variance().into();
                let Ok(found) = circuit(&params, &program, &spaces, (&fresh, InCommon::Nothing)) else { continue };
                check_values(&found, &program, &spaces, &mut rng);
            }
        }
    }
    let params = Params::named("fhew_int16_2m128").expect("a set");
    let space = Integers::new(IntegerLimbs::two(16, 16), Interval::unsigned(32)).map(Space::Integers);
    let sum: Vec<String> = (0..100).map(|i| format!("x{i}")).collect();
    let program = Program::parse(&format!("({}) % 4294967296", sum.join(" + ")), &[]).expect("a program");
    let fresh = params.0.fresh_variance().into();
    let found = circuit(&params, &program, &[space.expect("room"); 100], (&fresh, InCommon::Nothing)).expect("room");
    assert!(found.circuit.rotations().count() < 160, "{} rotations", found.circuit.rotations().count());
    // What adds up in one ciphertext needs no carries.
    let space = Space::within(Interval::unsigned(15), 15).expect("room");
    let program = Program::parse("(a + b + c + d + e + f + g + h + i) % 32768", &[]).expect("a program");
    let found = circuit(&params, &program, &[space; 9], (&fresh, InCommon::Nothing)).expect("room");
    assert!(found.circuit.rotations().count() <= 5, "{} rotations", found.circuit.rotations().count());
}

/// What is planned of a sum, a minimum or results side by side grows as their number, but for a logarithm.
#[test]
fn long_programs_have_circuits_of_their_length() {
    let params = Params::named("toy_int16").expect("a set");
    let space = Integers::new(IntegerLimbs::two(16, 16), Interval::signed(32)).map(Space::Integers).expect("room");
    let joined = |count: usize, between: &str| (0..count).map(|i| format!("x{i}")).collect::<Vec<_>>().join(between);
    let aside = |count: usize| (0..count).map(|i| format!("x{i} + x0")).collect::<Vec<_>>().join("; ");
    let programs: [&dyn Fn(usize) -> String; 4] = [
        &|count| joined(count, " + "),
        &|count| format!("select(x0 < x1, {}, x0)", joined(count, " - ")),
        &|count| format!("min({})", joined(count, ", ")),
        &aside,
    ];
    for text in programs {
        let [few, many] = [64, 256].map(|count| {
            let program = Program::parse(&text(count), &[]).expect("a program");
            let spaces = vec![space; count];
            // Of that much noise nothing is refused.
            let fresh = (params.0.fresh_variance() / 256.0).into();
            let found = circuit(&params, &program, &spaces, (&fresh, InCommon::Nothing)).expect("room");
            found.circuit.steps().len()
        });
        assert!(many < 6 * few, "{few} steps, of four times as many values {many}: {}", &text(3));
    }
}

/// x less 1, or 0, so often.
fn decremented(times: usize) -> Program {
    let mut program = Program::new();
    let (mut x, one) = (program.input("x"), program.constant(1));
    for _ in 0..times {
        let less = program.sub(x, one);
        x = program.integers(IntegerOp::Relu, &[less]);
    }
    program.output(x);
    program
}

/// Functions of each other in a row are planned on any thread, and refused in a line where they are too many.
#[test]
fn functions_in_a_row_are_planned_or_refused() {
    let params = Params::named("toy_int16").expect("a set");
    let program = |times: usize| {
        let table = Lut::modular((0..16).map(|x| (x + 3) % 16).collect(), 16).expect("a table");
        let mut program = Program::new();
        let mut x = program.input("x");
        (0..times).for_each(|_| x = program.table(x, &table));
        program.output(x);
        program
    };
    let of = |times: usize| {
        let fresh = params.0.fresh_variance().into();
        circuit(&params, &program(times), &[Space::Modular(16)], (&fresh, InCommon::Nothing))
    };
    assert!(of(4000).expect("a circuit").circuit.rotations().count() >= 4000);
    match of(9000) {
        Err(Error::Lut(error @ LutError::Program { .. })) => assert_eq!(
            error.to_string(),
            "the program takes more than 8192 functions of each other in a row: evaluate parts of it one after the \
             other, each a program of results of those before"
        ),
        other => panic!("{:?}", other.err()),
    }
}

/// Plans end where nobody waits for them any longer.
#[test]
fn plans_are_cancelled() {
    let params = Params::named("toy_int16").expect("a set");
    let space = Space::within(Interval::unsigned(4), 4).expect("room");
    let (fresh, cancel) = (params.0.fresh_variance().into(), Cancel::new());
    let plan = || circuit(&params, &decremented(3), &[space], (&fresh, InCommon::Nothing));
    let planned = || unless(&cancel, plan).map(drop);
    assert!(planned().is_ok());
    let late = unless(&cancel, || {
        cancel.cancel();
        assert!(matches!(plan(), Err(Error::Lut(LutError::Cancelled))));
        Ok(())
    });
    assert!(matches!(late, Err(Error::Cancelled)) && matches!(planned(), Err(Error::Cancelled)));
    assert!(plan().is_ok());
}

/// Multiples of integers in limbs take no more than the sums that they are.
#[test]
fn multiples_are_sums() {
    let mut rng = TestRng::new("multiples", 0);
    let limbs = |low: u32, count: u32| IntegerLimbs { low, between: count - 2, high: Some(low) };
    let cases = [
        ("fhew_5bit_2m128", limbs(4, 4), 16, [("2*x", 7), ("shl(x, 1)", 7), ("-3*x", 14), ("10*x", 14), ("100*x", 24)]),
        ("fhew_7bit_2m128", limbs(6, 4), 24, [("2*x", 7), ("shl(x, 1)", 7), ("-3*x", 14), ("10*x", 14), ("100*x", 20)]),
        (
            "fhew_int16_2m128",
            limbs(15, 3),
            44,
            [("2*x", 10), ("shl(x, 1)", 10), ("3*x", 31), ("5*x", 61), ("-3*x", 44)],
        ),
        // Of one limb more than the operand has.
        (
            "fhew_int16_2m128",
            limbs(15, 4),
            60,
            [("2*x", 15), ("x + x + x", 50), ("3*x", 50), ("5*x", 54), ("10*x", 74)],
        ),
    ];
    for (set, limbs, width, programs) in cases {
        let params = Params::named(set).expect("a set");
        let space = Integers::new(limbs, Interval::signed(width)).map(Space::Integers);
        let (spaces, fresh) = ([space.expect("room")], params.0.fresh_variance().into());
        for (text, most) in programs {
            let program = Program::parse(text, &[]).expect("a program");
            let found = circuit(&params, &program, &spaces, (&fresh, InCommon::Nothing)).expect("room");
            let rotations = found.circuit.rotations().count();
            assert!(rotations <= most, "{text} with {set}: {rotations} rotations, expected {most} at most");
            check_values(&found, &program, &spaces, &mut rng);
        }
    }
}

/// Results are rotations side by side, for which the key is read once.
#[test]
fn rotations_of_results_are_together() -> Result<(), Error> {
    let params = Params::by_name("toy_8")?;
    let tables = [1, 3, 5].map(|factor| Lut::new((0..16).map(|x| x * factor % 16).collect(), 4));
    let [f, g, h] = tables.map(|table| table.expect("a table"));
    let program = Program::parse("f(x); g(x); h(y)", &[("f", &f), ("g", &g), ("h", &h)])?;
    let space = Space::within(Interval::unsigned(4), 5)?;
    let fresh = params.0.fresh_variance().into();
    let found = circuit(&params, &program, &[space; 2], (&fresh, InCommon::Nothing))?.circuit;
    let is_rotation: Vec<bool> = found.steps().iter().map(|step| matches!(step, Step::Rotate(_))).collect();
    assert_eq!(is_rotation, [true, true, true, false, false, false]);
    Ok(())
}
