//! Functions of large integers against plain integers: random and extreme values.
use crate::common::Keys;
use bootes_lut::IntegerOp;
use bootes_lut::fhew::circuit::InputVariance;
use bootes_lut::integer::IntegerLimbs;
use bootes_schemes::class::SetClass;
use bootes_schemes::fhew::FhewParams;
use bootes_schemes::fhew::encoding::decode;
use bootes_schemes::fhew::params::GadgetLiteral;
use bootes_testkit::{TestRng, portion, sampled};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// A toy whose rotations are precise enough for 16-bit integers.
fn params() -> Result<FhewParams, bootes_schemes::fhew::ParamsError> {
    let mut literal = FhewParams::by_name("toy_8")?.literal().clone();
    literal.name = "toy_integers".into();
    literal.class = SetClass::Toy;
    literal.glwe.log2_std = -50.0;
    literal.bootstrap = GadgetLiteral { log2_base: 8, levels: 4 };
    literal.try_build()
}

/// Extremes, powers of two and their neighbours, and random integers of `width` signed bits.
fn integers(width: u32, seed: u64) -> Vec<i128> {
    let max = (1i128 << (width - 1)) - 1;
    let mut integers = vec![0, 1, -1, max, -max, -max - 1, max - 1];
    let powers = (0..width - 1).flat_map(|i| [1i128 << i, -(1 << i), (1 << i) - 1, 1 - (1 << i)]);
    integers.extend(sampled(powers, 5));
    let mut random = TestRng::new("integers", seed);
    integers.extend((0..portion(30, 3)).map(|_| random.below(1 << width) as i128 - max - 1));
    integers
}

/// What a function may give as it was has the noise that it had: of each operand, each limb.
#[test]
fn noise_of_each_operand_is_in_the_result() -> Outcome {
    let params = params()?;
    let (little, much) = (params.fresh_variance(), 2f64.powi(10) * params.fresh_variance());
    let passing = ["max", "min", "add", "sub", "relu", "abs"].map(str::parse::<IntegerOp>);
    for op in passing {
        let op = op?;
        for width in [8, 16, 24, 32] {
            let limbs = IntegerLimbs::of(width, 16);
            let inputs = op.operands() * limbs.bits().len();
            for noisy in 0..inputs {
                let of_each = (0..inputs).map(|input| if input == noisy { much } else { little }).collect();
                let variance = InputVariance::of_each(of_each);
                let noise = op.fit(&params, limbs, &variance, -40.0)?.noise(&params, &variance);
                assert!(noise.output_variance >= much, "{op}, {width} bits, input {noisy}");
            }
        }
    }
    Ok(())
}

#[test]
fn integers_of_every_width() -> Outcome {
    let params = params()?;
    let ops: Vec<IntegerOp> = IntegerOp::SIMPLE.into_iter().chain([1, 3, 7, 8, 16, 20].map(IntegerOp::Floor)).collect();
    let mut keys = Keys::new(&params)?;
    for width in sampled([8, 12, 16, 24, 32], 2) {
        let limbs = IntegerLimbs::of(width, 16);
        let left = integers(width, 0);
        let mut right: Vec<i128> = integers(width, 1).into_iter().rev().collect();
        right[0] = left[0];
        for &op in &ops {
            if matches!(op, IntegerOp::Floor(bits) if bits > width) {
                assert!(op.fit(&params, limbs, 0.0, -40.0).is_err());
                continue;
            }
            let circuit = op.fit(&params, limbs, params.fresh_variance(), -40.0)?;
            keys.add(&circuit)?;
            let operands = [&left, &right];
            // Limbs may have spaces of different sizes.
            let inputs: Vec<(Vec<u64>, u32)> = operands[..op.operands()]
                .iter()
                .flat_map(|values| {
                    let limb = |i: usize| values.iter().map(|&v| limbs.split(v)[i]).collect::<Vec<_>>();
                    limbs.bits().into_iter().enumerate().map(|(i, bits)| (limb(i), bits + 1)).collect::<Vec<_>>()
                })
                .collect();
            let phases = keys.phases_of(&circuit, &inputs);
            for i in 0..left.len() {
                let operands = [left[i], right[i]];
                let result = op.apply(&operands[..op.operands()]);
                let spaces: Vec<u32> = op.out_limbs(limbs).bits().iter().map(|bits| bits + 1).collect();
                assert_eq!(phases.len(), spaces.len(), "{op}");
                let low_bits = if spaces.len() == 2 { spaces[0] - 1 } else { 0 };
                for (limb, (&space, phases)) in spaces.iter().zip(&phases).enumerate() {
                    let part = match (limb, spaces.len()) {
                        (0, 2) => result & ((1 << low_bits) - 1),
                        _ => result >> low_bits,
                    };
                    let expected = part as u64 & ((1 << space) - 1);
                    assert_eq!(decode(phases[i], space), expected, "{op} of {operands:?}, {width} bits, limb {limb}");
                }
            }
        }
    }
    Ok(())
}
