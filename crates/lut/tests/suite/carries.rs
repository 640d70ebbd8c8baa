//! Carries of many terms at once: each is one of the two nearest integers, and sums of readings have the predicted
//! noise, at the ends of the half circle too, where it is folded.
use crate::common::Keys;
use bootes_lattice::noise::measure::torus_difference;
use bootes_lut::Interval;
use bootes_lut::fhew::carries;
use bootes_lut::fhew::circuit::{Circuit, Register};
use bootes_lut::forms::CARRY_ERROR;
use bootes_schemes::fhew::FhewParams;
use bootes_testkit::TestRng;

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Bits of the terms.
const BITS: u32 = 16;

/// A circuit whose input is each of as many terms, and what their readings add up to.
fn summed(count: usize, values: u64, log2_p: f64) -> (Circuit, Register) {
    let mut circuit = Circuit::new(count);
    let inputs: Vec<Register> = (0..count).map(|i| circuit.input(i)).collect();
    let terms: Vec<carries::Term> =
        inputs.into_iter().map(|term| (term, carries::read(&mut circuit, term, values), 1)).collect();
    let sum = carries::sum(&mut circuit, &terms, 0, values, log2_p);
    (circuit, sum)
}

/// Terms that are 0, the largest, about half of it, or random.
fn columns(count: usize, number: usize, random: &mut TestRng) -> Vec<Vec<u64>> {
    let value = |row: usize, random: &mut TestRng| match row % 4 {
        0 => 0,
        1 => (1 << BITS) - 1,
        2 => (1 << (BITS - 1)) - u64::from(random.below(2) == 0),
        _ => random.below(1 << BITS),
    };
    (0..count).map(|_| (0..number).map(|row| value(row, random)).collect()).collect()
}

#[test]
fn sums_of_readings_have_the_predicted_noise() -> Outcome {
    let params = FhewParams::by_name("toy_int16")?;
    let (count, values, mut random) = (12, 13, TestRng::new("readings", 0));
    let (mut circuit, sum) = summed(count, values, -64.0);
    circuit.put_out(sum, 0.25 / values as f64);
    let variance = circuit.noise(&params, params.fresh_variance()).output_variance;
    let (mut squares, mut means, keys, rows) = ([0.0; 4], [0.0; 4], 6, 120);
    for key in 0..keys {
        let keys = Keys::<u64>::numbered(&params, key)?;
        let columns = columns(count, rows, &mut random);
        let inputs: Vec<(Vec<u64>, u32)> = columns.iter().map(|column| (column.clone(), BITS + 1)).collect();
        for (row, phase) in keys.phases_of(&circuit, &inputs)[0].iter().enumerate() {
            let exact: u64 = columns.iter().map(|column| column[row]).sum();
            let exact = exact as f64 / (1u64 << BITS) as f64 / (2 * values) as f64;
            let error = torus_difference(*phase, (exact * 2f64.powi(64)) as u64);
            squares[row % 4] += error.powi(2);
            means[row % 4] += error;
        }
    }
    let each = keys as f64 * rows as f64 / 4.0;
    let ratios = squares.map(|sum| (sum / each / variance).sqrt());
    // Away from the ends the noise is that of independent readings, of which the prediction has 12/64 more.
    let free = (1.0 + count as f64 / 64.0).sqrt().recip();
    assert!(ratios[2..].iter().all(|ratio| (0.85 * free..1.12 * free).contains(ratio)), "{ratios:?}, {free}");
    // At the ends all errors have one sign, of a mean of 0.8 standard deviations each.
    let [low, high] = [means[0], means[1]].map(|sum| sum / each / variance.sqrt());
    let folded = 0.8 * (count as f64).sqrt() * free;
    assert!(
        (0.7 * folded..1.3 * folded).contains(&low) && (0.7 * folded..1.3 * folded).contains(&-high),
        "{low} {high}"
    );
    Ok(())
}

#[test]
fn carries_are_the_nearest_integers() -> Outcome {
    let params = FhewParams::by_name("toy_int16")?;
    let (count, mut random) = (9, TestRng::new("carries", 0));
    let range = Interval { min: 0, max: count as i128 };
    let (mut circuit, sum) = summed(count, 10, -64.0);
    let carry = carries::nearest(&mut circuit, sum, range, 32);
    circuit.put_out(carry, 1.0 / 64.0);
    let circuit = circuit.fit(&params, params.fresh_variance(), -40.0)?;
    let keys = Keys::<u64>::new(&params)?;
    let columns = columns(count, 200, &mut random);
    let inputs: Vec<(Vec<u64>, u32)> = columns.iter().map(|column| (column.clone(), BITS + 1)).collect();
    for (row, phase) in keys.phases_of(&circuit, &inputs)[0].iter().enumerate() {
        let sum: u64 = columns.iter().map(|column| column[row]).sum();
        let found = (*phase as i64 as f64 / 2f64.powi(59)).round();
        let off = found - sum as f64 / (1u64 << BITS) as f64;
        assert!(off.abs() < 0.5 + CARRY_ERROR, "{found} for {sum}");
    }
    Ok(())
}
