//! Small multiples of integers in limbs, of all widths.
use super::check_values;
use crate::door::space::Integers;
use crate::engines::EngineParams;
use crate::engines::fhew::plan::program::{Compiled, InCommon, circuit};
use crate::fhew::Params;
use crate::{Error, Program, Space};
use bootes_lut::Interval;
use bootes_lut::integer::IntegerLimbs;
use bootes_testkit::{TestRng, sampled};

fn space(params: &Params, width: u32, range: Interval) -> Space {
    let limbs = IntegerLimbs::of(width, params.0.space_bits() - 1);
    Space::Integers(Integers::new(limbs, range).expect("room"))
}

fn planned(params: &Params, text: &str, spaces: &[Space]) -> (Program, Result<Compiled, Error>) {
    let program = Program::parse(text, &[]).expect("a program");
    let fresh = params.0.fresh_variance().into();
    let found = circuit(params, &program, &spaces[..program.inputs()], (&fresh, InCommon::Nothing));
    (program, found)
}

/// Where a form of a multiple has no room another one has: of integers about as long as their limbs, too.
#[test]
fn small_multiples_of_any_width_are_planned() {
    let constants = ["2*x", "-3*x", "5*x", "-5*x", "6*x", "-7*x", "9*x", "10*x", "-15*x"];
    let sums = ["1 - 7*x", "x - 8*x", "x + x + x + x + x", "4*x + x", "5*x < y", "max(5*x, y)", "5*x/8", "5*x - 4*x"];
    let all: Vec<&str> = constants.into_iter().chain(sums).chain(["5*(x/2)", "5*x - 3*y", "7*x % 65536"]).collect();
    let mut refused = Vec::new();
    for (set, widths) in [("toy_int16", &[17, 31, 46][..]), ("fhew_int16_2m128", &[31])] {
        let (params, mut rng) = (Params::named(set).expect("a set"), TestRng::new(set, 0));
        for (width, text) in widths.iter().flat_map(|width| sampled(&all, 3).map(move |text| (*width, text))) {
            for range in [Interval::signed(width), Interval::unsigned(width)] {
                let spaces = [space(&params, width, range); 2];
                match planned(&params, text, &spaces) {
                    (program, Ok(found)) => check_values(&found, &program, &spaces[..program.inputs()], &mut rng),
                    (_, Err(error)) => refused.push(format!("{set}, {text} of {range}: {error}")),
                }
            }
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

/// The same of sums of a short and a long operand that are multiplied.
#[test]
fn multiples_of_sums_are_planned() {
    let mut refused = Vec::new();
    let range = Interval { min: 2_718_382_052_256_660_306, max: 4_426_129_220_726_118_867 };
    let of_x = Interval { min: -15_840, max: 12_090 };
    for (set, widths) in [("toy_int16", [16, 24, 63]), ("fhew_int16_2m128", [16, 24, 63])] {
        let (params, mut rng) = (Params::named(set).expect("a set"), TestRng::new(set, 0));
        for width in widths {
            for text in ["3*(4*x + y)", "12*x + 3*y", "0 - 12*x - 3*y", "3*(0 - 4*x - y)"] {
                let spaces = [space(&params, width, of_x), space(&params, 63, range)];
                match planned(&params, text, &spaces) {
                    (program, Ok(found)) => check_values(&found, &program, &spaces, &mut rng),
                    (_, Err(error)) => refused.push(format!("{set}, {text} of {width} bits: {error}")),
                }
            }
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

/// A result that residues of one limb tell takes no more room than that.
#[test]
fn results_as_long_as_a_limb_have_room() {
    let (params, mut rng) = (Params::named("toy_8").expect("a set"), TestRng::new("rests", 0));
    for text in ["12*(x + 262144) % 256", "x % 256"] {
        let spaces = [space(&params, 32, Interval::signed(32))];
        let (program, found) = planned(&params, text, &spaces);
        check_values(&found.expect(text), &program, &spaces, &mut rng);
    }
    // What is less than a divisor is its own rest.
    let params = Params::named("toy_bits").expect("a set");
    let spaces = [Space::Integers(Integers::new(IntegerLimbs::one(3), Interval::unsigned(4)).expect("room"))];
    let (program, found) = planned(&params, "x % 1000", &spaces);
    check_values(&found.expect("room"), &program, &spaces, &mut rng);
}
