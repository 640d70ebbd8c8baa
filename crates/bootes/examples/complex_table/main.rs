//! A table of complex numbers: `cargo run --release -p bootes --example complex_table`.
//!
//! Encrypted phases become points of the unit circle, in fixed point with a bound on their error.
#[path = "../common/ckks.rs"]
mod ckks;

use bootes::ComplexTable;
use std::error::Error;
use std::f64::consts::TAU;
use std::time::Instant;

/// Bits of each part, the sign among them.
const BITS: u32 = 12;

fn main() -> Result<(), Box<dyn Error>> {
    let ckks::Sides { client, server } = ckks::Sides::parse("toy_batch_6bit", "batch_8bit")?;
    let p = 1u64 << server.params().bits().min(8);
    let point = |x: u64| {
        let (sin, cos) = (TAU * x as f64 / p as f64).sin_cos();
        [cos, sin]
    };
    let table = ComplexTable::new(&(0..p).map(point).collect::<Vec<_>>(), BITS)?;
    let phases: Vec<u64> = (0..1000).map(|i| i * i % p).collect();

    let encrypted = client.encrypt_modulo(&phases, p)?;
    let start = Instant::now();
    let points = server.evaluate_all(&table, &encrypted)?;
    let points = client.decrypt_complex(&points, table.step())?;

    let error =
        |(found, &x): (&[f64; 2], &u64)| (0..2).map(|part| (found[part] - point(x)[part]).abs()).fold(0.0, f64::max);
    let worst = points.iter().zip(&phases).map(error).fold(0.0, f64::max);
    println!("largest error of a part: {worst:.2e} of a bound of {:.2e}", table.error_bound());
    let within: Vec<bool> = points.iter().zip(&phases).map(|pair| error(pair) <= table.error_bound()).collect();
    ckks::compare("points within the bound", &within, &vec![true; phases.len()], start)
}
