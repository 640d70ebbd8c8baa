//! `wide-messages`: message spaces from 2^4 to 2^16 in one EvalFunc, what is exact and what is not.
//!
//! The second rotation has N windows on the half circle, each as wide as 1/2N of the torus; the modulus switch errs by several of them.
//! At N = 4096, that leaves 2^4 messages with a failure probability to rely on. The paper's trees and networks use 2^11 and 2^16 all the
//! same: results are those of a message near by. Extended rotations, of ν rings, have ν times as many windows, and are exact.
use crate::clock::Samples;
use crate::row::{Column, Row};
use crate::wide::Subject;
use crate::{BenchError, Options, Sink};
use bootes_lut::Lut;
use bootes_lut::fhew::registry;
use bootes_schemes::fhew::FhewParams;

pub(crate) const NAME: &str = "wide-messages";
pub(crate) const SUMMARY: &str = "message spaces of the wide-modulus paper, 2^4 to 2^16, by one EvalFunc: exact or near, and at which failure probability";
pub(crate) const COLUMNS: &[Column] = &[
    Column::new("messages", "row", 30),
    Column::new("extension", "extension", 9),
    Column::new("CPU ms", "cpu_ms", 8),
    Column::new("exact", "exact", 5),
    Column::new("of", "checked", 4),
    Column::new("rms off", "rms_off", 8),
    Column::new("predicted", "predicted_off", 9),
    Column::new("log2 p_fail", "log2_p_fail", 11),
    Column::new("right", "correct", 5),
];

/// The paper's parameters for its applications, and ours for messages of 11 bits.
const PAPER: &str = "paper_wide_66_d3";
const OURS: &str = "wide_11bit_q66";

pub(crate) fn run(options: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    sink(
        Row::new(NAME, "Message spaces")
            .with(
                "note",
                "the table is ReLU on signed messages, those next to its jump at the end of the space left out; off: standard deviation \
                 of the result from the exact one, in messages, over positive inputs, and the one predicted for the phase that meets the table",
            )
            .with("paper", "wide-modulus-fft-bootstrapping")
            .with("title", "Message spaces by one EvalFunc on words of 128 bits"),
    )?;
    let values = if options.quick { 16 } else { 64 };
    let mut subject = Subject::new(&FhewParams::by_name(PAPER)?)?;
    for bits in [4, 5, 6, 8, 11, 16] {
        sink(relu(&mut subject, bits, values, false)?)?;
    }
    subject = Subject::new(&FhewParams::by_name(OURS)?)?;
    for bits in if options.quick { vec![8] } else { vec![8, 10, 11] } {
        sink(relu(&mut subject, bits, if options.quick { 4 } else { 32 }, true)?)?;
    }
    Ok(())
}

/// ReLU modulo 2^`bits` on `count` random messages: of extension 1, or of one that makes it exact.
fn relu(subject: &mut Subject, bits: u32, count: usize, exact: bool) -> Result<Row, BenchError> {
    let params = subject.params.clone();
    let p = 1u64 << bits;
    let relu = |x: u64| if x < p / 2 { x } else { 0 };
    let lut = Lut::modular((0..p).map(relu).collect(), p)?;
    let algorithm = registry::by_name("eval-func")?;
    let circuit = match exact {
        true => algorithm.fit(&params, &lut, params.fresh_variance(), params.log2_p_fail())?,
        false => algorithm.circuit(&lut)?,
    };
    let noise = circuit.noise(&params, params.fresh_variance());
    // Half a window over the standard deviation of the phase, in the last rotation; a message is two half windows.
    let predicted_off = noise.sigmas.last().map_or(0.0, |sigmas| 0.5 / sigmas);
    // An eighth of the space stays away from the jump.
    let messages: Vec<u64> = (0..count).map(|_| (subject.random.bits(bits) * 3 / 4 + p * 5 / 8) % p).collect();
    let inputs = subject.encrypt(&messages, bits);
    let mut samples = Samples::default();
    let results = subject.evaluate(&circuit, &inputs, &mut samples);
    let found = subject.decrypt(&results, bits);
    let expected = || messages.iter().map(|&m| relu(m));
    let right = found.iter().zip(expected()).filter(|(found, expected)| **found == *expected).count();
    // A negative input is off by nothing; near zero, by half of the usual.
    let off: Vec<f64> = found
        .iter()
        .zip(&messages)
        .filter(|(_, m)| (1..p / 2).contains(*m))
        .map(|(&found, &m)| {
            let off = (found + p - m) % p;
            if off < p / 2 { off as f64 } else { off as f64 - p as f64 }
        })
        .collect();
    let mut row = Row::new(NAME, format!("p = 2^{bits}, {}", params.name())).timed(&samples.stats());
    row.params = Some(params.name().to_string());
    row.algorithm = Some(algorithm.name());
    row.bits = Some(bits);
    row.correct = exact.then_some(right == count);
    row.log2_p_fail = Some(noise.log2_p_fail);
    Ok(row
        .with("extension", circuit.max_extension())
        .with("exact", right)
        .with("checked", count)
        .with("rms_off", crate::clock::root_mean_square(&off))
        .with("predicted_off", predicted_off))
}
