//! A table a value: `cargo run --release -p bootes --example own_tables`.
//!
//! A thousand customers have a tariff each, which the server knows, and encrypted readings of their meters,
//! which it does not: one evaluation gives all prices, as one table for all of them would.
#[path = "../common/ckks.rs"]
mod ckks;

use bootes::SlotTables;
use std::error::Error;
use std::time::Instant;

/// Prices are modulo this.
const PRICES: u64 = 256;

fn main() -> Result<(), Box<dyn Error>> {
    let ckks::Sides { client, server } = ckks::Sides::parse("toy_batch_4bit", "batch_4bit")?;
    let classes = 1u64 << server.params().bits().min(4);
    let readings: Vec<u64> = (0..1000).map(|i| i * i % classes).collect();
    // A basic price, a rate, and a discount from half of the classes on, other ones for everybody.
    let price = |customer: u64, class: u64| {
        let (basic, rate) = (10 + customer % 20, 3 + customer % 7);
        (basic + rate * class - if class >= classes / 2 { customer % 11 } else { 0 }) as u16
    };
    let tariffs = (0..1000).flat_map(|customer| (0..classes).map(move |class| price(customer, class))).collect();
    let tariffs = SlotTables::new(tariffs, classes as usize, PRICES)?;

    let encrypted = client.encrypt_modulo(&readings, classes)?;
    let plan = server.plan(tariffs, &encrypted)?;
    let prediction = plan.prediction(readings.len())?;
    println!("{plan}\npredicted: {:.1} s, {} MB of memory", prediction.seconds, prediction.memory.peak() >> 20);
    let start = Instant::now();
    let prices = client.decrypt_residues(&server.run(&plan, &encrypted)?[0])?;

    let expected: Vec<u64> = (0..).zip(&readings).map(|(customer, &class)| price(customer, class).into()).collect();
    ckks::compare("prices", &prices, &expected, start)
}
