//! Tables on digits: the tree, every input of 9 bits and samples of longer ones; the chain; the shipped sets for 16
//! bits.
use crate::common::Keys;
use bootes_lattice::Gadget;
use bootes_lattice::noise::measure::torus_difference;
use bootes_lut::Lut;
use bootes_lut::fhew::digits::{LargeLut, Ready, chain, cmux_trees};
use bootes_schemes::class::SetClass;
use bootes_schemes::fhew::FhewParams;
use bootes_schemes::fhew::encoding::{decode, encode};
use bootes_schemes::fhew::params::GadgetLiteral;
use bootes_testkit::{TestRng, sampled};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// A toy whose rotations are precise enough for 12-bit results.
fn params() -> Result<FhewParams, bootes_schemes::fhew::ParamsError> {
    let mut literal = FhewParams::by_name("toy_8")?.literal().clone();
    literal.name = "toy_large".into();
    literal.class = SetClass::Toy;
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
            let inputs: Vec<u64> = sampled(inputs, 5).collect();
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

/// Every second address of up to 9 bits, or every one; of an odd number of bits and of one; every gadget; the noise of
/// the results.
#[test]
fn trees_of_cmuxes() -> Outcome {
    let params = params()?;
    let mut keys = Keys::new(&params)?;
    let mut random = TestRng::new("CMUX trees", 0);
    let gadgets = [(9, 2), (8, 2), (6, 3), (5, 4)];
    for (in_bits, out_bits, (log2_base, levels)) in
        [(9u32, 9u32, gadgets[0]), (8, 8, gadgets[2]), (6, 3, gadgets[3]), (2, 5, gadgets[1]), (12, 12, gadgets[2])]
    {
        let values: Vec<u64> = (0..1 << in_bits).map(|_| random.below(1 << out_bits)).collect();
        let table = LargeLut::new(values.clone(), out_bits)?;
        let gadget = Gadget::try_new(log2_base, levels)?;
        let circuit = cmux_trees(&[table], gadget, 3).ok_or("a gadget of a few bits")?;
        let circuit = circuit.fit(&params, params.fresh_variance(), -40.0)?;
        keys.add(&circuit)?;
        let inputs: Vec<u64> = match in_bits {
            0..12 => (0..1 << in_bits).collect(),
            _ => (0..64).map(|_| random.below(1 << in_bits)).collect(),
        };
        let inputs: Vec<u64> = sampled(inputs, 2).collect();
        let mut squares = 0.0;
        for some in inputs.chunks(64) {
            let phases = keys.phases(&circuit, &[some.to_vec()], in_bits + 1);
            for (&input, &phase) in some.iter().zip(&phases[0]) {
                let expected = values[input as usize];
                assert_eq!(decode(phase, out_bits + 1), expected, "{in_bits} bits: f({input})");
                squares += torus_difference(phase, encode(expected, out_bits + 1)).powi(2);
            }
        }
        let predicted = circuit.noise(&params, params.fresh_variance()).output_variance;
        let ratio = (squares / inputs.len() as f64 / predicted).sqrt();
        println!("{in_bits} bits: standard deviation {ratio:.2} of the predicted");
        assert!(ratio < if inputs.len() > 100 { 1.15 } else { 2.0 }, "{in_bits} bits: {ratio:.2} of the predicted");
    }
    Ok(())
}

/// Divisibility by 5 of a number of four 3-bit digits: the state is the rest of what was read, from the top.
#[test]
fn chains() -> Outcome {
    let params = params()?;
    let (digit_bits, state_bits) = (3, 3);
    let tables = vec![Lut::new((0..64u64).map(|m| (8 * (m >> 3) + (m & 7)) % 5).collect(), state_bits)?; 4];
    let circuit = chain(&tables, digit_bits, state_bits)?.fit(&params, params.fresh_variance(), -40.0)?;
    let keys = Keys::new(&params)?;
    let mut random = TestRng::new("chain", 0);
    let numbers: Vec<u64> = (0..50).map(|_| random.below(1 << 12)).collect();
    let digit = |place: u32| numbers.iter().map(|n| (n >> (3 * place)) & 7).collect::<Vec<_>>();
    let phases = keys.phases(&circuit, &[digit(3), digit(2), digit(1), digit(0)], digit_bits + state_bits);
    for (number, &phase) in numbers.iter().zip(&phases[0]) {
        assert_eq!(decode(phase, state_bits), number % 5, "{number}");
    }
    assert!(chain(&[Lut::new(vec![0, 1], 1)?], 3, 3).is_err());
    Ok(())
}

/// 16-bit tables that are noisy in different ways, by name.
fn tables_of_16_bits() -> Result<Vec<(&'static str, LargeLut)>, bootes_lut::LutError> {
    let table = |f: &dyn Fn(u64) -> u64| LargeLut::new((0..1 << 16).map(f).collect(), 16);
    Ok(vec![
        ("random", LargeLut::unstructured(16)?),
        ("identity", table(&|x| x)?),
        // Every step of the high digit is as large as any, for digits of any length.
        ("parity", table(&|x| u64::from(x.count_ones() & 1) * 0xffff)?),
        ("alternating by 512", table(&|x| ((x >> 9) & 1) * 0xffff)?),
    ])
}

/// On fresh inputs, and on results.
#[test]
fn the_shipped_sets_hold_any_table_of_16_bits() -> Outcome {
    for target in [-64, -128] {
        let params = FhewParams::by_name(&format!("fhew_table16_2m{}", -target))?;
        for (name, table) in tables_of_16_bits()? {
            let (_, circuit) = table.fit(&params, params.fresh_variance(), f64::from(target))?;
            let noise = circuit.noise(&params, params.fresh_variance());
            assert!(noise.log2_p_fail <= f64::from(target), "{name}: {noise:?}");
            let again = table.fit(&params, noise.output_variance, f64::from(target));
            assert!(again.is_ok(), "{name}: {again:?}");
        }
    }
    Ok(())
}

/// Decrypted, and the noise of the results against the prediction: a bound, as columns share their steps' noise.
#[test]
#[ignore = "minutes, and gigabytes of memory"]
fn tables_of_16_bits_at_the_shipped_sets() -> Outcome {
    let mut random = TestRng::new("16 bits", 0);
    for target in [-64, -128] {
        let params = FhewParams::by_name(&format!("fhew_table16_2m{}", -target))?;
        let mut keys = Keys::new(&params)?;
        for (name, table) in tables_of_16_bits()?.into_iter().take(2) {
            let (_, circuit) = table.fit(&params, params.fresh_variance(), f64::from(target))?;
            keys.add(&circuit)?;
            let mut inputs = vec![0, 511, 512, 0x7fff, 0x8000, 0xffff];
            inputs.extend((0..10).map(|_| random.below(1 << 16)));
            let phases = keys.phases(&circuit, std::slice::from_ref(&inputs), 17);
            let mut squares = 0.0;
            for (&input, &phase) in inputs.iter().zip(&phases[0]) {
                let expected = table.values()[input as usize];
                assert_eq!(decode(phase, 17), expected, "{name}: f({input})");
                squares += torus_difference(phase, encode(expected, 17)).powi(2);
            }
            let ratio =
                (squares / inputs.len() as f64 / circuit.noise(&params, params.fresh_variance()).output_variance)
                    .sqrt();
            println!("{}, {name}: standard deviation {ratio:.2} of the predicted", params.name());
            // Of 16 values, a χ² of probability 10^-6.
            assert!(ratio < 1.8, "{name}: standard deviation {ratio:.2} of the predicted");
        }
    }
    Ok(())
}
