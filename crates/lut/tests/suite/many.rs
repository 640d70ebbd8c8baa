//! Several tables at once: every input, and the predicted noise.
use crate::common::Keys;
use bootes_lattice::noise::measure::torus_difference;
use bootes_lut::fhew::{Algorithm, Boot, many};
use bootes_lut::{Lut, LutError};
use bootes_schemes::fhew::FhewParams;
use bootes_schemes::fhew::encoding::{decode, encode};
use bootes_testkit::TestRng;

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn tables(in_bits: u32, out_bits: &[u32], seed: u64) -> Result<Vec<Lut>, LutError> {
    let mut random = TestRng::new("many", seed);
    let mut table = |out: u32| Lut::new((0..1 << in_bits).map(|_| random.below(1 << out)).collect(), out);
    out_bits.iter().map(|&out| table(out)).collect()
}

#[test]
fn every_input_of_two_to_four_tables() -> Outcome {
    for (set, in_bits, out_bits) in [
        ("toy_8", 4, &[4, 4][..]),
        ("toy_8", 4, &[1, 4, 2, 3]),
        ("toy_8", 6, &[6, 3, 6]),
        ("toy_4", 4, &[4, 1]),
        ("toy_4_ternary", 3, &[2, 2, 3]),
        ("toy_8", 1, &[3, 1]),
    ] {
        let params = FhewParams::by_name(set)?;
        let keys = Keys::new(&params)?;
        let luts = tables(in_bits, out_bits, 0)?;
        let circuit = many::circuit(&luts)?.fit(&params, params.fresh_variance(), -40.0)?;
        assert_eq!((circuit.rotations().count(), circuit.outputs().len()), (2, luts.len()));
        let inputs: Vec<u64> = (0..1 << in_bits).collect();
        let phases = keys.phases(&circuit, &[inputs], in_bits);
        for (i, (lut, phases)) in luts.iter().zip(&phases).enumerate() {
            for (input, (&phase, &expected)) in phases.iter().zip(lut.values()).enumerate() {
                assert_eq!(decode(phase, lut.out_bits()), expected, "{set}, table {i} of {input}");
            }
        }
    }
    Ok(())
}

/// Of integers that leave half of the circle free: all comparisons with constants are one rotation, with its noise.
#[test]
fn negacyclic_tables_are_one_rotation() -> Outcome {
    for (set, bits) in [("toy_8", 6), ("toy_4", 3), ("toy_4_ternary", 3)] {
        let params = FhewParams::by_name(set)?;
        let keys = Keys::new(&params)?;
        let half = 1 << (bits - 1);
        let negacyclic = |f: &dyn Fn(u64) -> u64, modulus: u64| {
            let low: Vec<u64> = (0..half).map(f).collect();
            let high = low.iter().map(|v| (modulus - v) % modulus);
            Lut::modular(low.iter().copied().chain(high).collect(), modulus)
        };
        let mut luts =
            (0..half - 1).map(|cut| negacyclic(&|x| u64::from(x > cut), 8)).collect::<Result<Vec<_>, _>>()?;
        let of = |luts: &[Lut]| many::circuit(luts)?.fit(&params, params.fresh_variance(), -40.0);
        let noise = |circuit: &bootes_lut::fhew::circuit::Circuit| circuit.noise(&params, params.fresh_variance());
        let one = Boot.fit(&params, &luts[0], params.fresh_variance(), -40.0)?;
        assert!(noise(&of(&luts)?).output_variance <= noise(&one).output_variance, "{set}");
        // Others have more steps, and other moduli.
        luts.extend([negacyclic(&|x| x % 3, 4)?, negacyclic(&|x| 5 - x % 2, 8)?, negacyclic(&|_| 1, 4)?]);
        let circuit = of(&luts)?;
        assert_eq!((circuit.rotations().count(), circuit.outputs().len()), (1, luts.len()));
        for (i, (lut, phases)) in luts.iter().zip(keys.phases(&circuit, &[(0..half).collect()], bits)).enumerate() {
            for (input, (phase, &expected)) in phases.into_iter().zip(lut.values()).enumerate() {
                assert_eq!(decode(phase, lut.out_bits()), expected, "{set}, table {i} of {input}");
            }
        }
    }
    Ok(())
}

/// Every table has the noise of its own steps: predicted alone, and measured together with others, over a few keys.
#[test]
fn noise_is_the_predicted() -> Outcome {
    // On the whole circle, and on half of it: comparisons and others, of values below 8 of 4 bits.
    let halved = [[0, 0, 0, 1, 1, 1, 1, 1], [0, 1, 2, 3, 4, 5, 6, 7], [5, 0, 7, 1, 6, 2, 3, 4]];
    let halved = halved.map(|low: [u64; 8]| {
        let high = low.map(|v| (16 - v) % 16);
        Lut::modular([low, high].concat(), 16)
    });
    check_noise(&tables(4, &[4, 4, 4], 1)?, 16)?;
    check_noise(&halved.into_iter().collect::<Result<Vec<_>, _>>()?, 8)
}

/// The noise of tables together on messages of 4 bits below `end`.
fn check_noise(luts: &[Lut], end: u64) -> Outcome {
    let params = FhewParams::by_name("toy_8")?;
    let variance = |luts: &[Lut]| {
        let circuit = many::circuit(luts)?.fit(&params, params.fresh_variance(), -40.0)?;
        Ok::<_, LutError>(circuit.noise(&params, params.fresh_variance()).output_variance)
    };
    let predicted = luts.iter().map(|lut| variance(std::slice::from_ref(lut))).collect::<Result<Vec<f64>, _>>()?;
    assert_eq!(variance(luts)?, predicted.iter().copied().fold(0.0, f64::max));
    let circuit = many::circuit(luts)?.fit(&params, params.fresh_variance(), -40.0)?;
    let mut random = TestRng::new("many noise", 0);
    let mut squares = vec![0.0; luts.len()];
    let (keys, count) = (10, 150);
    for key in 0..keys {
        let keys = Keys::numbered(&params, key)?;
        let inputs: Vec<u64> = (0..count).map(|_| random.below(end)).collect();
        let phases = keys.phases(&circuit, std::slice::from_ref(&inputs), 4);
        for ((lut, sum), phases) in luts.iter().zip(&mut squares).zip(&phases) {
            let square = |(&input, &phase): (&u64, &u64)| {
                torus_difference(phase, encode(lut.values()[input as usize], lut.out_bits())).powi(2)
            };
            *sum += inputs.iter().zip(phases).map(square).sum::<f64>();
        }
    }
    for (sum, predicted) in squares.into_iter().zip(predicted) {
        let ratio = (sum / (keys * count) as f64 / predicted).sqrt();
        // What is counted for tables that somebody chose, up to half of the variance, is not there.
        assert!((0.65..1.1).contains(&ratio), "{ratio:.3} of the predicted 2^{:.1}", predicted.log2() / 2.0);
    }
    Ok(())
}

#[test]
fn what_cannot_be_one_circuit_is_refused() -> Outcome {
    let lut = |size: usize, modulus| Lut::modular(vec![1; size], modulus);
    assert!(many::circuit(&[]).is_err());
    assert!(many::circuit(&[lut(16, 4)?, lut(8, 4)?]).is_err());
    assert!(many::circuit(&[lut(7, 4)?]).is_err());
    assert!(many::circuit(&[lut(6, 4093)?, lut(6, 4091)?]).is_err());
    assert!(many::circuit(&[lut(6, 6)?, lut(6, 4)?]).is_ok());
    Ok(())
}
