//! Tables on digits: the tree, every input of 9 bits and samples of longer ones; the chain; the shipped sets for 16
//! bits.
use crate::common::Keys;
use bootes_lattice::noise::failure::log2_failure;
use bootes_lattice::noise::measure::torus_difference;
use bootes_lut::Lut;
use bootes_lut::fhew::digits::{LargeLut, Ready, chain, cmux_gadgets, cmux_trees};
use bootes_schemes::class::SetClass;
use bootes_schemes::fhew::FhewParams;
use bootes_schemes::fhew::encoding::{decode, encode};
use bootes_schemes::fhew::params::GadgetLiteral;
use bootes_testkit::{TestRng, clopper_pearson, portion, sampled};

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

/// Every second address of up to 9 bits, or every one; of an odd number of bits and of one; every gadget; refreshed
/// results and others; their noise.
#[test]
fn trees_of_cmuxes() -> Outcome {
    let params = params()?;
    let mut keys = Keys::new(&params)?;
    let mut random = TestRng::new("CMUX trees", 0);
    let [two, coarse, three, four] = cmux_gadgets();
    for (in_bits, out_bits, gadget, most) in [
        (9u32, 9u32, coarse, 0),
        (8, 8, three, 0),
        (6, 3, four, 0),
        (2, 5, two, 0),
        (12, 12, three, 0),
        (8, 3, two, 3),
        (9, 5, three, 5),
        (7, 8, four, 8),
    ] {
        let values: Vec<u64> = (0..1 << in_bits).map(|_| random.below(1 << out_bits)).collect();
        let table = LargeLut::new(values.clone(), out_bits)?;
        let circuit = cmux_trees(&[table], gadget, 3, most).ok_or("a gadget of a few bits")?;
        let circuit = circuit.fit(&params, params.fresh_variance(), -40.0)?;
        assert_eq!(circuit.rotations().count() == in_bits.div_ceil(2) as usize, most > 0, "{in_bits} bits");
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
        // The first CMUXes, of what has next to no noise, count as all others.
        assert!(most == 0 || inputs.len() < 100 || ratio > 0.5, "{in_bits} bits: {ratio:.2} of the predicted");
    }
    Ok(())
}

/// Integers in ciphertexts of several bits each, odd ones too: every address of 8 bits, and some of 17.
#[test]
fn trees_of_several_ciphertexts() -> Outcome {
    let params = params()?;
    let mut keys = Keys::new(&params)?;
    let mut random = TestRng::new("trees of several", 0);
    for (widths, out_bits) in [(&[3, 4, 1][..], 6), (&[5, 3], 3), (&[9, 8], 7)] {
        let bits: u32 = widths.iter().sum();
        let values: Vec<u64> = (0..1 << bits).map(|_| random.below(1 << out_bits)).collect();
        let table = LargeLut::of_several(values.clone(), widths, out_bits)?;
        let (name, circuit) = table.fit(&params, params.fresh_variance(), -40.0)?;
        assert_eq!(name, "cmux-tree");
        keys.add(&circuit)?;
        let addresses: Vec<u64> =
            if bits == 8 { (0..256).collect() } else { (0..64).map(|_| random.below(1 << bits)).collect() };
        let starts = widths.iter().scan(0, |next, width| Some(std::mem::replace(next, *next + width)));
        let part = |(start, &width): (u32, &u32)| {
            (addresses.iter().map(|address| (address >> start) & ((1 << width) - 1)).collect(), width + 1)
        };
        let inputs: Vec<(Vec<u64>, u32)> = starts.zip(widths).map(part).collect();
        for (&address, &phase) in addresses.iter().zip(&keys.phases_of(&circuit, &inputs)[0]) {
            assert_eq!(decode(phase, out_bits + 1), values[address as usize], "{widths:?}: f({address})");
        }
    }
    assert!(LargeLut::of_several(vec![0; 1 << 21], &[11, 10], 4).is_err());
    assert!(
        LargeLut::of_several(vec![0; 8], &[3, 0], 4).is_err() && LargeLut::of_several(vec![0; 8], &[4], 4).is_err()
    );
    Ok(())
}

/// Sets weakened until a tree of CMUXes fails: where a rotation takes the bits, and in results that are not refreshed.
///
/// As other circuits do: the prediction is a union bound, and rotations of one message share the noise of its key
/// switches, and their windows are those of messages whose lower bits of the pairs are alike, near one end. That of a
/// result is a bound for noise with heavier tails than a normal variable has, and of the first CMUXes, which have less.
#[test]
fn weak_trees_fail_as_often_as_predicted() -> Outcome {
    let (in_bits, out_bits) = (6, 6);
    let mut random = TestRng::new("weak trees", 0);
    let table = LargeLut::new((0..1 << in_bits).map(|_| random.below(1 << out_bits)).collect(), out_bits)?;
    for most in [0, out_bits] {
        let circuit =
            cmux_trees(std::slice::from_ref(&table), cmux_gadgets()[2], 3, most).ok_or("a gadget of a few bits")?;
        let weakened = |tenths: u32| -> Result<_, Box<dyn std::error::Error>> {
            let mut literal = params()?.literal().clone();
            let worse = f64::from(tenths) / 10.0;
            if most == 0 {
                literal.lwe.log2_std += worse;
            } else {
                literal.glwe.log2_std += worse;
            }
            let params = literal.try_build()?;
            let circuit = circuit.clone().fit(&params, params.fresh_variance(), -0.1)?;
            let noise = circuit.noise(&params, params.fresh_variance());
            Ok((params, circuit, noise))
        };
        let mut found = None;
        for tenths in 0..400 {
            let (params, circuit, noise) = weakened(tenths)?;
            if noise.log2_p_fail > if most == 0 { -6.6 } else { -1.5 } {
                found = Some((params, circuit, noise));
                break;
            }
        }
        let (params, circuit, noise) = found.ok_or("no set is weak enough")?;
        let of_rotations = noise.sigmas.iter().map(|&sigmas| log2_failure(sigmas, 0.9).exp2());
        let of_normal = log2_failure(circuit.outputs()[0].half_window, 0.5 * noise.output_variance.sqrt()).exp2();
        let least = if most == 0 { of_rotations.fold(0.0, f64::max) / 2.0 } else { of_normal };
        let (mut failures, keyed, count) = (0, portion(10, 4), 500);
        for number in 0..keyed {
            let mut keys = Keys::numbered(&params, number)?;
            keys.add(&circuit)?;
            let ends = |_| 0b01_0101 * random.below(2) + (0b10_1010 & random.below(1 << in_bits));
            let inputs: Vec<u64> = (0..count).map(ends).collect();
            let phases = keys.phases(&circuit, std::slice::from_ref(&inputs), in_bits + 1);
            // Two results of a tree that are not refreshed may be added: half of the window is theirs.
            let window = circuit.outputs()[0].half_window;
            let is_wrong = |(&input, &phase): (&u64, &u64)| {
                torus_difference(phase, encode(table.values()[input as usize], out_bits + 1)).abs() > window
            };
            failures += inputs.iter().zip(&phases[0]).filter(|&pair| is_wrong(pair)).count() as u64;
        }
        let trials = keyed * count;
        let (low, high) = clopper_pearson(failures, trials, 0.999);
        let most = noise.log2_p_fail.exp2();
        println!("{failures} of {trials}, predicted {least:.5} to {most:.5}");
        assert!(least <= high && low <= most, "{failures} of {trials}, predicted {least:.5} to {most:.5}");
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

/// Decrypted, and the noise of the results against the prediction: a bound, as columns share their steps' noise, and
/// the first CMUXes of a tree have less.
#[test]
#[ignore = "minutes, and gigabytes of memory"]
fn long_tables_at_the_shipped_sets() -> Outcome {
    let mut random = TestRng::new("16 bits", 0);
    let narrow = |random: &mut TestRng, in_bits: u32, out_bits: u32| {
        LargeLut::new((0..1 << in_bits).map(|_| random.below(1 << out_bits)).collect(), out_bits)
    };
    let tables = tables_of_16_bits()?.into_iter().take(2);
    let tables = tables.chain([("random of 12 bits", narrow(&mut random, 12, 12)?)]);
    let tables =
        tables.chain([("16 bits to 4", narrow(&mut random, 16, 4)?), ("12 bits to 6", narrow(&mut random, 12, 6)?)]);
    let tables: Vec<(&str, LargeLut)> = tables.collect();
    for set in ["fhew_table16_2m64", "fhew_table16_2m128", "fhew_int16_2m64", "fhew_int16_2m128"] {
        let params = FhewParams::by_name(set)?;
        let mut keys = Keys::new(&params)?;
        for (name, table) in &tables {
            let (way, circuit) = table.fit(&params, params.fresh_variance(), params.log2_p_fail())?;
            keys.add(&circuit)?;
            let top = (1 << table.in_bits()) - 1;
            let mut inputs = vec![0, 511, 512, top / 2, top / 2 + 1, top];
            inputs.extend((0..26).map(|_| random.below(top + 1)));
            let phases = keys.phases(&circuit, std::slice::from_ref(&inputs), table.in_bits() + 1);
            let mut squares = 0.0;
            for (&input, &phase) in inputs.iter().zip(&phases[0]) {
                let expected = table.values()[input as usize];
                assert_eq!(decode(phase, table.out_bits() + 1), expected, "{name}: f({input})");
                squares += torus_difference(phase, encode(expected, table.out_bits() + 1)).powi(2);
            }
            let predicted = circuit.noise(&params, params.fresh_variance()).output_variance;
            let ratio = (squares / inputs.len() as f64 / predicted).sqrt();
            println!("{set}, {name}, {way}: standard deviation {ratio:.2} of the predicted");
            // Of 32 values, a χ² of probability below 10^-6.
            assert!(ratio < 1.6, "{set}, {name}: standard deviation {ratio:.2} of the predicted");
        }
    }
    Ok(())
}
