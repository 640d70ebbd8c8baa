//! Functions of twice as many bits as tables take: `cargo run --release -p bootes --example halves`, and with
//! integers of 32 bits `… -- --params batch_16bit` (2^16 of them, some minutes and 8 GB).
//!
//! An integer is encrypted as two halves. A function with structure is tables of each half, all at once,
//! whose results are added, and a small table of the sum where that is not all: the number of bits that are
//! set is a sum of two tables; the position of the highest one looks at the low half only where the high one
//! is 0, which a sum of (w + 1)·a and b tells, for w bits a half.
#[path = "../common/ckks.rs"]
mod ckks;

use bootes::Lut;
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let ckks::Sides { client, server } = ckks::Sides::parse("toy_batch_9bit", "batch_16bit")?;
    let width = server.params().bits();
    let p = 1u64 << width;
    let values: Vec<u64> = (1..=1000u64).map(|i| (i * i * i * 2_654_435_761) >> (i % 30) & (p * p - 1)).collect();
    let half = |shift: u32| values.iter().map(|x| x >> shift & (p - 1)).collect::<Vec<_>>();
    let [low, high] = [client.encrypt_modulo(half(0), p)?, client.encrypt_modulo(half(width), p)?];
    println!("{} integers of {} bits in two halves", values.len(), 2 * width);

    // Bits of a half that are set; its highest one, from 1 on, or 0.
    let highest = |x: u64| u64::from(u64::BITS - x.leading_zeros());
    let places = u64::from(width + 1);
    let sums = (places * places).next_power_of_two();
    let table = |f: &dyn Fn(u64) -> u64, modulus| Lut::modular((0..p).map(f).collect(), modulus);
    let ones = table(&|x| x.count_ones().into(), 64)?;
    let of_low = [ones.clone(), table(&highest, sums)?];
    let of_high = [ones, table(&|x| places * highest(x), sums)?];
    // What the sum (w + 1)·a + b says of the whole: 0, or one more than the position.
    let position = |s: u64| if s < places { s } else { (s / places + u64::from(width)) % 64 };
    let position = Lut::modular((0..sums).map(position).collect(), 64)?;

    let start = Instant::now();
    let low = server.evaluate_all(&of_low[..], &low)?;
    let high = server.evaluate_all(&of_high[..], &high)?;
    let ones = low[0].add(&high[0])?;
    let expected: Vec<u64> = values.iter().map(|x| x.count_ones().into()).collect();
    ckks::compare("bits that are set", &client.decrypt_residues(&ones)?, &expected, start)?;
    let positions = server.evaluate(&position, &low[1].add(&high[1])?)?;
    let expected: Vec<u64> = values.iter().map(|&x| highest(x)).collect();
    ckks::compare("highest bit", &client.decrypt_residues(&positions)?, &expected, start)
}
