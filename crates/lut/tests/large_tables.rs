//! Tables on digits: the tree, every input of 9 bits and samples of longer ones; the chain.
mod common;

use bootes_lut::Lut;
use bootes_lut::fhew::digits::{LargeLut, Ready, chain};
use bootes_schemes::fhew::FhewParams;
use bootes_schemes::fhew::encoding::decode;
use bootes_schemes::fhew::params::GadgetLiteral;
use bootes_testkit::TestRng;
use common::Keys;

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// A toy whose rotations are precise enough for 12-bit results.
fn params() -> Result<FhewParams, bootes_schemes::fhew::ParamsError> {
    let mut literal = FhewParams::by_name("toy_8")?.literal().clone();
    literal.name = "toy_large".into();
    literal.glwe.log2_std = -50.0;
    literal.bootstrap = GadgetLiteral { log2_base: 8, levels: 4 };
    literal.try_build()
}

#[test]
fn trees() -> Outcome {
    let params = params()?;
    let mut keys = Keys::new(&params)?;
    let mut random = TestRng::new("large tables", 0);
    for (in_bits, out_bits, count) in [(9u32, 9u32, 512), (12, 12, 60), (6, 3, 64)] {
        let values: Vec<u64> = (0..1 << in_bits).map(|_| random.below(1 << out_bits)).collect();
        let table = LargeLut::new(values.clone(), out_bits)?;
        let circuits = [
            table.fit(&params, params.fresh_variance(), -40.0)?.1,
            table.tree(Ready::HomFloor, in_bits / 2, 4).fit(&params, params.fresh_variance(), -40.0)?,
            table.tree(Ready::Difference, in_bits / 2, 4).fit(&params, params.fresh_variance(), -40.0)?,
        ];
        for circuit in circuits {
            keys.add(&circuit)?;
            let all = count == 1 << in_bits;
            let inputs: Vec<u64> = (0..count).map(|i| if all { i } else { random.below(1 << in_bits) }).collect();
            for inputs in inputs.chunks(64) {
                let phases = keys.phases(&circuit, &[inputs.to_vec()], in_bits + 1);
                for (&input, &phase) in inputs.iter().zip(&phases[0]) {
                    assert_eq!(decode(phase, out_bits + 1), values[input as usize], "{in_bits} bits: f({input})");
                }
            }
        }
    }
    assert!(LargeLut::new(vec![0; 1 << 17], 4).is_err() && LargeLut::new(vec![9, 0, 0, 0], 3).is_err());
    Ok(())
}

/// Divisibility by 5 of a number of four 3-bit digits: the state is the rest of what was read, from the top.
#[test]
fn chains() -> Outcome {
    let params = params()?;
    let (digit_bits, state_bits) = (3, 3);
    let tables = vec![Lut::with_out_bits((0..64u64).map(|m| (8 * (m >> 3) + (m & 7)) % 5).collect(), state_bits)?; 4];
    let circuit = chain(&tables, digit_bits, state_bits)?.fit(&params, params.fresh_variance(), -40.0)?;
    let keys = Keys::new(&params)?;
    let mut random = TestRng::new("chain", 0);
    let numbers: Vec<u64> = (0..50).map(|_| random.below(1 << 12)).collect();
    let digit = |place: u32| numbers.iter().map(|n| (n >> (3 * place)) & 7).collect::<Vec<_>>();
    let phases = keys.phases(&circuit, &[digit(3), digit(2), digit(1), digit(0)], digit_bits + state_bits);
    for (number, &phase) in numbers.iter().zip(&phases[0]) {
        assert_eq!(decode(phase, state_bits), number % 5, "{number}");
    }
    assert!(chain(&[Lut::new(vec![0, 1])?], 3, 3).is_err());
    Ok(())
}
