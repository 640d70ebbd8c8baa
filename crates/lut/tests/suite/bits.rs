//! Tables on bits: every address, several tables at once, sums of results; their noise.
use crate::common::Keys;
use bootes_lattice::Gadget;
use bootes_lattice::noise::measure::torus_difference;
use bootes_lut::fhew::Top;
use bootes_lut::fhew::bits;
use bootes_lut::fhew::circuit::{Circuit, Register};
use bootes_lut::{FhewLutError, Lut, LutError, MultivariateLut};
use bootes_schemes::fhew::FhewParams;
use bootes_schemes::fhew::encoding::{decode, encode};
use bootes_testkit::TestRng;

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// The inputs of all addresses of so many bits, the last varying fastest.
fn addresses(bits: u32) -> Vec<Vec<u64>> {
    (0..bits).map(|i| (0..1u64 << bits).map(|address| address >> (bits - 1 - i) & 1).collect()).collect()
}

fn random(random: &mut TestRng, bits: u32, modulus: u64) -> Result<Lut, LutError> {
    Lut::modular((0..1 << bits).map(|_| random.below(modulus)).collect(), modulus)
}

/// Of one bit to nine, results modulo 2 and others, of which a tree has several.
#[test]
fn every_address() -> Outcome {
    let params = FhewParams::by_name("toy_bits")?;
    let (mut keys, mut rng) = (Keys::new(&params)?, TestRng::new("bits", 0));
    for (bits, moduli) in [(1, &[2][..]), (2, &[2, 4]), (4, &[2, 2, 2]), (8, &[2; 24]), (9, &[2, 3])] {
        let luts = moduli.iter().map(|&p| random(&mut rng, bits, p)).collect::<Result<Vec<_>, _>>()?;
        let circuit = bits::fit(&luts, &params, params.fresh_variance(), -40.0).ok_or("trees")??;
        assert_eq!((circuit.rotations().count(), circuit.look_ups().count()), (bits as usize, 1));
        keys.add(&circuit)?;
        let found = keys.phases(&circuit, &addresses(bits), 1);
        let predicted = circuit.noise(&params, params.fresh_variance());
        let mut squares = 0.0;
        for ((lut, phases), variance) in luts.iter().zip(&found).zip(&predicted.bound_variances) {
            let step = 1.0 / lut.out_modulus() as f64;
            for (&entry, (&phase, &encoded)) in lut.values().iter().zip(phases.iter().zip(&lut.encoded())) {
                let error = torus_difference(phase, encoded);
                assert!(
                    error.abs() < step / 2.0 && error.abs() < 8.0 * variance.sqrt(),
                    "{bits} bits: {entry} {error}"
                );
                squares += error * error;
            }
        }
        let count = luts.len() << bits;
        let ratio = (squares / count as f64 / predicted.output_variance).sqrt();
        println!("{bits} bits: standard deviation {ratio:.2} of the predicted");
        // The first CMUX, of plaintexts, has next to no noise, and counts as all others.
        assert!(count < 200 || (0.7..1.1).contains(&ratio), "{bits} bits: {ratio:.2} of the predicted");
    }
    Ok(())
}

/// What is selected has the tail of a tree's result, whichever of the two it is, and what it has in common with others.
#[test]
fn selections_keep_the_tail() -> Outcome {
    let params = FhewParams::by_name("fhew_bits_2m128")?;
    let mut rng = TestRng::new("selections of bits", 0);
    let luts = (0..8).map(|_| random(&mut rng, 4, 2)).collect::<Result<Vec<_>, _>>()?;
    let bound = |terms: usize, first: bool| {
        let mut circuit = Circuit::new(4 + 2 * terms);
        let bits: Vec<Register> = (0..4).map(|i| circuit.input(i)).collect();
        let tables: Vec<(Register, Vec<u64>)> =
            luts.iter().map(|lut| (circuit.register(), lut.encoded())).take(terms).collect();
        circuit.look_up_bits(&bits, Gadget::try_new(7, 2).expect("a gadget"), tables.clone());
        let sum = circuit.register();
        for (i, &(result, _)) in tables.iter().enumerate() {
            let (condition, x) = (Top::of_answer(circuit.input(4 + 2 * i)), circuit.input(5 + 2 * i));
            let chosen = if first { [result, x] } else { [x, result] };
            let chosen = condition.select(&mut circuit, chosen[0], chosen[1]);
            circuit.add(sum, chosen, 1);
        }
        circuit.put_out(sum, 0.25);
        circuit.noise(&params, params.fresh_variance()).bound_variances[0]
    };
    for terms in [1, 8] {
        let [first, second] = [true, false].map(|first| bound(terms, first));
        assert!(second > 0.99 * first, "{terms}: {second:e} where the first has {first:e}");
    }
    assert!(bound(8, false) > 30.0 * bound(1, false), "results of one tree are taken as one and the same");
    Ok(())
}

/// The selectors of one ciphertext have one error: the tail of a tree of it, sixteen times, is that of one bit's.
#[test]
fn repeated_bits_have_the_tail_of_one() -> Outcome {
    let params = FhewParams::by_name("fhew_bits_2m128")?;
    let mut rng = TestRng::new("repeated bits", 0);
    let lut = random(&mut rng, 16, 69)?;
    let bound = |of: fn(usize) -> usize| {
        let mut circuit = Circuit::new(16);
        let output = circuit.output(69);
        let bits: Vec<Register> = (0..16).map(|i| circuit.input(of(i))).collect();
        circuit.look_up_bits(&bits, Gadget::try_new(7, 2).expect("a gadget"), vec![(output, lut.encoded())]);
        let noise = circuit.noise(&params, params.fresh_variance());
        (noise.bound_variances[0] / noise.output_variance).sqrt()
    };
    let [one, two, all] = [bound(|_| 0), bound(|i| i % 2), bound(|i| i)];
    assert!(one > 1.3 * two && two > 1.2 * all, "{one:.2} {two:.2} {all:.2}");
    Ok(())
}

/// The noise of results, of sums of results of two trees, and of sums of results of one, is as predicted or less.
#[test]
fn noise_of_sums() -> Outcome {
    let params = FhewParams::by_name("toy_bits")?;
    let mut rng = TestRng::new("noise of bits", 0);
    let (bits, gadget) = (4u32, Gadget::try_new(6, 2)?);
    let mut circuit = Circuit::new(2 * bits as usize);
    let outputs: Vec<Register> = (0..3).map(|_| circuit.output(2)).collect();
    let mut results = Vec::new();
    for tree in 0..2 {
        let inputs: Vec<Register> = (0..bits as usize).map(|i| circuit.input(tree * bits as usize + i)).collect();
        let tables = (0..2).map(|_| Ok((circuit.register(), random(&mut rng, bits, 2)?.encoded())));
        let tables = tables.collect::<Result<Vec<(Register, Vec<u64>)>, LutError>>()?;
        results.push((tables.clone(), inputs.clone()));
        circuit.look_up_bits(&inputs, gadget, tables);
    }
    let summands = [vec![(0, 0)], vec![(0, 0), (1, 0)], vec![(0, 0), (0, 1)]];
    for (&output, summands) in outputs.iter().zip(&summands) {
        summands.iter().for_each(|&(tree, table)| circuit.add(output, results[tree].0[table].0, 1));
    }
    let circuit = circuit.fit(&params, params.fresh_variance(), -40.0)?;
    let variances = circuit.noise(&params, params.fresh_variance()).bound_variances;
    let count = 256;
    let inputs: Vec<Vec<u64>> = (0..8).map(|_| (0..count).map(|_| rng.below(2)).collect()).collect();
    let (mut squares, keyed) = (vec![0.0; 3], 4);
    for number in 0..keyed {
        let mut keys = Keys::numbered(&params, number)?;
        keys.add(&circuit)?;
        let phases = keys.phases(&circuit, &inputs, 1);
        for ((phases, summands), squares) in phases.iter().zip(&summands).zip(&mut squares) {
            for (value, &phase) in phases.iter().enumerate() {
                let entry = |&(tree, table): &(usize, usize)| {
                    let address = (0..4).map(|i| (inputs[4 * tree + i][value] as usize) << i).sum::<usize>();
                    results[tree].0[table].1[address] >> 63
                };
                let expected = summands.iter().map(entry).sum::<u64>() % 2;
                assert_eq!(decode(phase, 1), expected);
                *squares += torus_difference(phase, encode(expected, 1)).powi(2);
            }
        }
    }
    let ratios: Vec<f64> = squares
        .iter()
        .zip(&variances)
        .map(|(squares, variance)| (squares / (count * keyed as usize) as f64 / variance).sqrt())
        .collect();
    println!("standard deviations {ratios:.2?} of the bounds");
    // The bound is that of a normal variable as rarely large as products are; results of one tree count as alike.
    assert!(ratios.iter().all(|&ratio| (0.3..1.0).contains(&ratio)), "{ratios:.2?}");
    Ok(())
}

/// AES: 24 results of 8 bits, sums of four of them and a key's bit, again and again, at the shipped set.
#[test]
fn the_shipped_set_bears_sums_of_many_results() -> Outcome {
    let params = FhewParams::by_name("fhew_bits_2m128")?;
    let luts = vec![Lut::modular((0..256).map(|x| x % 2).collect(), 2)?; 24];
    let (input, promised) = (params.fresh_variance(), params.log2_p_fail());
    let circuit = bits::fit(&luts, &params, input, promised).ok_or("trees")??;
    let variance = circuit.noise(&params, input).bound_variances[0];
    // As many as a door's user adds, whose noise is in common.
    let again = bits::fit(&luts, &params, 25.0 * variance, promised).ok_or("trees")?;
    assert!(again.is_ok(), "{again:?}");
    Ok(())
}

#[test]
fn what_is_no_table_of_bits_is_refused() -> Outcome {
    let gadget = Gadget::try_new(8, 2)?;
    let table = |entries: u64| Lut::modular(vec![0; entries as usize], 2);
    for luts in [vec![], vec![table(6)?], vec![table(4)?, table(8)?]] {
        let error = bits::circuit(&luts, gadget).unwrap_err();
        assert!(matches!(error, LutError::Fhew(FhewLutError::Unsupported { .. })), "{error}");
    }
    let rank_two = FhewParams::by_name("toy_4_binary")?;
    assert!(bits::fit(&[table(4)?], &rank_two, rank_two.fresh_variance(), -40.0).is_none());
    let _ = MultivariateLut::new(&[2, 2], table(4)?)?;
    Ok(())
}
