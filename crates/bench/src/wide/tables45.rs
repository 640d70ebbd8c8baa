//! `wide-tables45`: encrypted inference of the wide-modulus paper's networks, on synthetic weights and images.
//!
//! 784–30–10 (MNIST) and 784–128–10 (Fashion-MNIST) with ReLU, message space 2^16 as in the paper. Here an activation is a signed
//! 16-bit integer in one ciphertext and ReLU is exact ([`bootes_lut::IntegerOp::Relu`]); the paper's EvalFunc at p = 2^16 has fewer windows
//! than messages, and is right up to small errors of the value. The client encrypts pixels; the server has the weights, small integers,
//! and returns ten scores, compared with the plain network's.
use crate::clock::Stats;
use crate::fdfb::table10::Subject;
use crate::random::SplitMix;
use crate::row::{Column, Row};
use crate::{BenchError, Options, Sink};
use bootes_lattice::lwe;
use bootes_lut::IntegerOp;
use bootes_lut::fhew::eval::{PreparedTable, Workspace, eval_into};
use bootes_lut::integer::IntegerLimbs;
use bootes_schemes::fhew::FhewParams;
use bootes_schemes::fhew::encoding::decode;
use std::time::Instant;

pub(crate) const NAME: &str = "wide-tables45";
pub(crate) const SUMMARY: &str = "Tables 4 and 5 of the wide-modulus paper: networks 784-30-10 and 784-128-10 on synthetic weights, exact 16-bit ReLU";
pub(crate) const COLUMNS: &[Column] = &[
    Column::new("network", "row", 12),
    Column::new("paper ms, 32 threads", "paper_ms", 20),
    Column::new("OpenFHE ms, 32 threads", "paper_openfhe_ms", 22),
    Column::new("CPU ms", "cpu_ms", 8),
    Column::new("linear layers", "linear_ms", 13),
    Column::new("a ReLU", "relu_ms", 7),
    Column::new("right", "correct", 5),
    Column::new("log2 p_fail", "log2_p_fail", 11),
];

/// Bits of an activation.
const WIDTH: u32 = 16;
/// Values of a batch of ReLUs.
const BATCH: usize = 16;

pub(crate) fn run(options: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    let params = FhewParams::for_integers(WIDTH, -64)?;
    let mut subject = Subject::new(&params)?;
    // Tables 4 and 5: milliseconds an instance, ours on AVX and OpenFHE, on 32 threads.
    let mut networks = vec![([784usize, 30, 10], 2350.0, 11390.0)];
    if !options.quick {
        networks.push(([784, 128, 10], 9470.0, 48300.0));
    }
    for (layers, paper_ms, openfhe_ms) in networks {
        let [inputs, hidden, outputs] = layers;
        let mut row = Row::new(NAME, format!("{inputs}-{hidden}-{outputs}"));
        row.paper_ms = Some(paper_ms);
        let row = row.with("paper_openfhe_ms", openfhe_ms);
        sink(network(row, &mut subject, layers, options.runs(3, 1))?)?;
    }
    Ok(())
}

fn network(
    row: Row,
    subject: &mut Subject,
    [inputs, hidden, outputs]: [usize; 3],
    runs: usize,
) -> Result<Row, BenchError> {
    let params = subject.key().params.clone();
    let limbs = IntegerLimbs::of(WIDTH, WIDTH);
    let mut random = SplitMix(hidden as u64);
    // Pixels of 4 bits; ternary weights in the first layer, one weight in 8 of the second is not 0: sums stay far below 2^15.
    let pixels: Vec<u64> = random.values(inputs, 4);
    let first: Vec<i64> = random.values(inputs * hidden, 2).into_iter().map(|w| (w as i64 - 1) % 2).collect();
    let second: Vec<i64> =
        random.values(hidden * outputs, 4).into_iter().map(|w| [1, -1].get(w as usize).copied().unwrap_or(0)).collect();
    let plain_hidden: Vec<i64> = first
        .chunks_exact(inputs)
        .map(|w| w.iter().zip(&pixels).map(|(w, &x)| w * x as i64).sum::<i64>().max(0))
        .collect();
    let expected: Vec<i64> =
        second.chunks_exact(hidden).map(|w| w.iter().zip(&plain_hidden).map(|(w, x)| w * x).sum()).collect();

    let norm2 = |w: &[i64]| w.iter().map(|w| (w * w) as f64).sum::<f64>();
    let input_variance = first.chunks_exact(inputs).map(norm2).fold(0.0, f64::max) * params.fresh_variance();
    let circuit = IntegerOp::Relu.fit(&params, limbs, input_variance, params.log2_p_fail())?;
    let noise = circuit.noise(&params, input_variance);
    subject.add_keys(&circuit)?;
    let (subject, key) = (&*subject, subject.key());
    let table = PreparedTable::new(&params, circuit.clone(), key.rotation.fft());
    let mut workspace = Workspace::new(key, &circuit, BATCH);
    let long = params.ciphertext_dimension() + 1;
    let encrypted = subject.encrypt(&pixels, WIDTH + 1, &mut random);

    let (mut linear_s, mut relu_s) = (0.0, 0.0);
    let mut scores = Vec::new();
    let stats = Stats::measure(runs, 1, || {
        let start = Instant::now();
        let sums = matrix(&first, &encrypted, inputs, long);
        linear_s = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let mut activations = vec![0; sums.len()];
        for (out, sums) in activations.chunks_mut(BATCH * long).zip(sums.chunks(BATCH * long)) {
            eval_into(&mut [out], &table, &[sums], key, &mut workspace);
        }
        relu_s = start.elapsed().as_secs_f64();
        let start = Instant::now();
        scores = matrix(&second, &activations, hidden, long);
        linear_s += start.elapsed().as_secs_f64();
    });
    let found: Vec<i64> = scores
        .chunks_exact(long)
        .map(|score| {
            let value = decode(subject.phase(score), WIDTH + 1) as i64;
            if value < 1 << WIDTH { value } else { value - (2 << WIDTH) }
        })
        .collect();
    let mut row = row.timed(&stats);
    row.params = Some(params.name().to_string());
    row.correct = Some(found == expected);
    row.log2_p_fail = Some(noise.log2_p_fail);
    Ok(row
        .with("linear_ms", linear_s * 1e3)
        .with("relu_ms", relu_s * 1e3 / hidden as f64)
        .with("threads", 1)
        .with("isa", bootes::isa().to_string()))
}

/// Σ_j w_ij·c_j for each row of `weights`.
fn matrix(weights: &[i64], ciphertexts: &[u64], columns: usize, long: usize) -> Vec<u64> {
    let mut out = vec![0; weights.len() / columns * long];
    for (out, weights) in out.chunks_exact_mut(long).zip(weights.chunks_exact(columns)) {
        for (&weight, ciphertext) in
            weights.iter().zip(ciphertexts.chunks_exact(long)).filter(|(weight, _)| **weight != 0)
        {
            lwe::add_mul_assign(out, ciphertext, weight);
        }
    }
    out
}
