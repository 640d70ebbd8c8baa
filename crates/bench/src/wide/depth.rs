//! `wide-depth`: how many products with plaintexts a result of EvalFunc takes (wide-modulus paper, section 5.1), by
//! making them.
//!
//! The two formulas bound the standard deviation by half a window for plaintexts as large as P. Here they are random,
//! from P/2 to P − 1 in size and of either sign, and products are made until a message decrypts wrong: at the formula's
//! depth all are right, and one or two products more break them.
use crate::clock::{Samples, root_mean_square};
use crate::row::{Column, Row};
use crate::wide::Subject;
use crate::{BenchError, Options, Sink};
use bootes_lattice::lwe;
use bootes_lattice::noise::formula::{matrix_products, plaintext_products};
use bootes_lut::Lut;
use bootes_lut::fhew::registry;
use bootes_schemes::fhew::FhewParams;

pub(crate) const NAME: &str = "wide-depth";
pub(crate) const SUMMARY: &str =
    "section 5.1 of the wide-modulus paper: products with plaintexts on results of EvalFunc, until a message breaks";
pub(crate) const COLUMNS: &[Column] = &[
    Column::new("products", "row", 36),
    Column::new("noise log2", "start_log2_noise", 10),
    Column::new("formula", "formula_depth", 7),
    Column::new("all right", "right_depth", 9),
    Column::new("wrong after", "wrong_after", 11),
    Column::new("of", "checked", 5),
    Column::new("half window", "log2_half_window", 11),
    Column::new("predicted", "predicted_log2_noise", 9),
    Column::new("measured", "measured_log2_noise", 9),
    Column::new("right", "correct", 5),
];

/// Ciphertexts of a vector, and of the paper's example, at log Q = 76.
const VECTOR: usize = 64;
const LONG_VECTOR: usize = 2048;
const LONG_SET: &str = "wide_4bit_q76";

pub(crate) fn run(options: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    sink(
        Row::new(NAME, "Section 5.1")
            .with(
                "note",
                "P = 16; noise in log2 of units of 1/Q: of a result of EvalFunc as predicted, and after as many products as the formula \
                 allows; all right: the last depth at which every message decrypts, with how many wrong after one product more",
            )
            .with("paper", "wide-modulus-fft-bootstrapping")
            .with("title", "Section 5.1: products with plaintexts on results of EvalFunc"),
    )?;
    let sets: &[&str] = match options.quick {
        true => &["wide_4bit_q72"],
        false => &["paper_wide_66_d3", "paper_wide_76_d3", "paper_wide_76_d4", LONG_SET, "wide_4bit_q100"],
    };
    for name in sets {
        let mut subject = Subject::new(&FhewParams::by_name(name)?)?;
        let dimensions: &[usize] = if *name == LONG_SET { &[1, VECTOR, LONG_VECTOR] } else { &[1, VECTOR] };
        for &dimension in dimensions {
            sink(products(&mut subject, dimension)?)?;
        }
    }
    Ok(())
}

/// Multiplies a vector of `dimension` results by random matrices, or 16 results each by random numbers if it is 1.
fn products(subject: &mut Subject, dimension: usize) -> Result<Row, BenchError> {
    let params = subject.params.clone();
    let (bits, long, count) = (params.bits(), subject.long(), dimension.max(16));
    let modulus = 1u64 << bits;
    let values = subject.random.values(1 << bits, bits);
    let circuit = registry::by_name("eval-func")?.fit(
        &params,
        &Lut::new(values.clone(), bits)?,
        params.fresh_variance(),
        params.log2_p_fail(),
    )?;
    let std = circuit.noise(&params, params.fresh_variance()).output_variance.sqrt();
    let depth = match dimension {
        1 => plaintext_products(modulus as f64, std),
        _ => matrix_products(modulus as f64, dimension, std),
    };
    let messages = subject.random.values(count, bits);
    let inputs = subject.encrypt(&messages, bits);
    let mut vector = subject.evaluate(&circuit, &inputs, &mut Samples::default());
    let mut plain: Vec<u64> = messages.iter().map(|&m| values[m as usize]).collect();

    let mut row = Row::new(
        NAME,
        match dimension {
            1 => format!("{}, ciphertext by plaintext", params.name()),
            _ => format!("{}, vector by {dimension}x{dimension}", params.name()),
        },
    );
    let (mut made, mut growth, mut wrong) = (0, 1.0, 0);
    let (mut predicted, mut measured) = (std, root_mean_square(&subject.errors(&vector, &plain, bits)));
    while wrong == 0 {
        let mut product = vec![0; vector.len()];
        let mut squares = 0.0;
        let mut next = vec![0; count];
        for (i, (out, next)) in product.chunks_exact_mut(long).zip(&mut next).enumerate() {
            let terms = if dimension == 1 { i..i + 1 } else { 0..count };
            for j in terms {
                // Odd numbers alone: even ones would soon leave nothing of a message.
                let size = (modulus / 2 + subject.random.bits(bits - 1)) | u64::from(dimension == 1);
                let factor = if subject.random.bits(1) == 1 { -(size as i64) } else { size as i64 };
                lwe::add_mul_assign(out, &vector[j * long..(j + 1) * long], factor);
                *next = (*next as i64 + factor * plain[j] as i64).rem_euclid(modulus as i64) as u64;
                squares += (factor * factor) as f64;
            }
        }
        (vector, plain) = (product, next);
        made += 1;
        growth *= squares / count as f64;
        wrong = subject.decrypt(&vector, bits).iter().zip(&plain).filter(|(found, m)| found != m).count();
        if made == depth {
            predicted = std * growth.sqrt();
            measured = root_mean_square(&subject.errors(&vector, &plain, bits));
        }
    }
    row.params = Some(params.name().to_string());
    row.bits = Some(bits);
    row.correct = Some(made > depth);
    row.noise_predicted_std = Some(predicted);
    row.noise_measured_std = Some(measured);
    Ok(row
        .with("start_log2_noise", subject.log2_of_unit(std))
        .with("formula_depth", depth)
        .with("right_depth", made - 1)
        .with("wrong_after", wrong)
        .with("checked", count)
        .with("log2_half_window", subject.log2_of_unit(0.5 / modulus as f64))
        .with("predicted_log2_noise", subject.log2_of_unit(predicted))
        .with("measured_log2_noise", subject.log2_of_unit(measured)))
}
