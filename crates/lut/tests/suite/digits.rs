//! Digit decomposition: every method, on random messages and at every carry boundary, with the predicted noise.
use crate::common::Keys;
use bootes_lattice::noise::measure::torus_difference;
use bootes_lut::fhew::continuous;
use bootes_lut::fhew::digits::{Method, decompose};
use bootes_ring::torus::Torus;
use bootes_schemes::class::SetClass;
use bootes_schemes::fhew::FhewParams;
use bootes_schemes::fhew::encoding::{decode, encode};
use bootes_schemes::fhew::params::GadgetLiteral;
use bootes_testkit::{TestRng, sampled};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// A toy whose rotations are precise enough for long messages.
fn params() -> Result<FhewParams, bootes_schemes::fhew::ParamsError> {
    let mut literal = FhewParams::by_name("toy_8")?.literal().clone();
    literal.name = "toy_digits".into();
    literal.class = SetClass::Toy;
    literal.glwe.log2_std = -50.0;
    literal.bootstrap = GadgetLiteral { log2_base: 8, levels: 4 };
    literal.try_build()
}

/// Messages at which a carry runs through any number of digits, and their neighbours; and random ones.
fn messages(width: u32, log2_base: u32) -> Vec<u64> {
    let mask = (1u64 << width) - 1;
    let mut messages: Vec<u64> = (0..width)
        .step_by(log2_base as usize)
        .flat_map(|low| [0u64, 1, 1 << (log2_base - 1)].map(|high| high << low))
        .chain([mask >> 1, 1 << (width - 1), mask])
        .flat_map(|m| [m.wrapping_sub(1) & mask, m & mask, (m + 1) & mask])
        .collect();
    let mut random = TestRng::new("digits", u64::from(width));
    messages.extend((0..40).map(|_| random.below(1 << width)));
    messages.sort_unstable();
    messages.dedup();
    messages
}

/// Decomposes every `every`-th message by every method; every digit decrypted.
fn check_digits<W: Torus>(keys: &Keys<W>, params: &FhewParams, cases: &[(u32, u32)], every: usize) -> Outcome {
    for method in Method::ALL {
        for &(width, log2_base) in cases {
            let circuit = decompose(method, width, log2_base).fit(params, params.fresh_variance(), -40.0)?;
            let messages: Vec<u64> = sampled(messages(width, log2_base), every).collect();
            let phases = keys.phases(&circuit, std::slice::from_ref(&messages), width);
            assert_eq!(phases.len() as u32, width.div_ceil(log2_base));
            for (i, phases) in phases.iter().enumerate() {
                let low = i as u32 * log2_base;
                let bits = log2_base.min(width - low);
                for (&message, &phase) in messages.iter().zip(phases) {
                    let digit = (message >> low) & ((1 << bits) - 1);
                    let name = method.name();
                    assert_eq!(
                        decode(phase.top(), bits),
                        digit,
                        "{name} {width} bits by {log2_base}: digit {i} of {message:#x}"
                    );
                }
            }
        }
    }
    Ok(())
}

#[test]
fn digits_are_right_at_every_boundary() -> Outcome {
    let params = params()?;
    let keys = Keys::<u64>::new(&params)?;
    check_digits(&keys, &params, &[(13, 4), (17, 4), (16, 5), (9, 8), (7, 3), (4, 4)], 1)
}

/// Messages that are longer than the noise of 64-bit words allows.
#[test]
fn long_messages_decompose_on_wide_words() -> Outcome {
    let params = FhewParams::by_name("toy_wide_4_ternary")?;
    check_digits(&Keys::<u128>::new(&params)?, &params, &[(33, 4)], 4)
}

#[test]
#[ignore = "minutes"]
fn longer_messages_decompose_on_wide_words() -> Outcome {
    let params = FhewParams::by_name("toy_wide_4_ternary")?;
    check_digits(&Keys::<u128>::new(&params)?, &params, &[(40, 4), (48, 3)], 1)
}

#[test]
fn cleared_digits_have_the_predicted_noise() -> Outcome {
    let params = params()?;
    let keys = Keys::<u64>::new(&params)?;
    let mut random = TestRng::new("clear", 0);
    let messages: Vec<u64> = (0..600).map(|_| random.below(1 << 12)).collect();
    for method in [Method::HomFloor, Method::HomFloorAlt, Method::Fdfb] {
        let circuit = decompose(method, 12, 8).fit(&params, params.fresh_variance(), -40.0)?;
        let phases = keys.phases(&circuit, std::slice::from_ref(&messages), 12);
        let squares =
            messages.iter().zip(&phases[1]).map(|(m, &phase)| torus_difference(phase, encode(m >> 8, 4)).powi(2));
        let measured = (squares.sum::<f64>() / messages.len() as f64).sqrt();
        // The first output is the input's own noise, times 2^4: far less.
        let predicted = circuit.noise(&params, params.fresh_variance()).output_variance.sqrt();
        let ratio = measured / predicted;
        assert!(
            (0.85..1.15).contains(&ratio),
            "{}: {ratio:.3} of the predicted 2^{:.1}",
            method.name(),
            predicted.log2()
        );
    }
    Ok(())
}

/// Theorem 8, for functions of Lipschitz constants 1 and 1/2.
#[test]
fn continuous_functions_have_the_predicted_noise() -> Outcome {
    let params = params()?;
    let keys = Keys::<u64>::new(&params)?;
    let triangle = |y: f64| if y < 0.5 { y } else { 1.0 - y };
    let tent = |y: f64| if y < 0.5 { 0.1 + y / 2.0 } else { 0.6 - y / 2.0 };
    for (name, f) in [("triangle", triangle as fn(f64) -> f64), ("tent", tent)] {
        let circuit = continuous(f, 8, 0.5).fit(&params, params.fresh_variance(), -40.0)?;
        // Away from the bends, where noise is folded.
        let places = (0..600).map(|i| [0.05, 0.55][i % 2] + 0.4 * i as f64 / 600.0);
        let messages: Vec<u64> = places.map(|y| (y * 2f64.powi(40)) as u64).collect();
        let phases = keys.phases(&circuit, std::slice::from_ref(&messages), 40);
        let squares = messages.iter().zip(&phases[0]).map(|(&x, &phase)| {
            let error = phase as f64 * 2f64.powi(-64) - f(x as f64 * 2f64.powi(-40));
            (error - error.round()).powi(2)
        });
        let measured = (squares.sum::<f64>() / messages.len() as f64).sqrt();
        let ratio = measured / circuit.noise(&params, params.fresh_variance()).output_variance.sqrt();
        assert!((0.88..1.12).contains(&ratio), "{name}: {ratio:.3} of the predicted");
    }
    Ok(())
}
