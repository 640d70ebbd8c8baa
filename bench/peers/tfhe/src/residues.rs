//! Our number-theoretic transform against that of the `tfhe-ntt` crate, by turns, at the largest primes below 2^50 and
//! 2^47: for such primes both have a path on AVX-512's integer multiply-add. The peer's path for primes of 62 bits is
//! listed with it.
//!
//! A measurement is a forward and a backward transform; the figures are for one of the two, their mean. Ours includes the factor
//! 1/N, which the peer leaves to another function.
use crate::tables::SplitMix;
use crate::transforms::{Contestant, compare};
use bootes::Isa;
use bootes_ring::mem::AlignedVec;
use bootes_ring::modulus::Modulus;
use bootes_ring::ntt::Ntt;
use bootes_ring::primes;
use serde_json::Value;
use tfhe_ntt::prime64::Plan;

/// Names of the rows.
pub const NAMES: [&str; 4] = ["ntt-2048", "ntt-65536", "ntt-2048-47", "ntt-65536-47"];

/// Measures a row: `runs` rounds of every contestant.
pub fn measure(row: &str, runs: usize, quick: bool) -> Result<Value, String> {
    let (degree, target): (usize, f64) = if row.starts_with("ntt-2048") { (2048, 0.5) } else { (65536, 0.6) };
    let bits = if row.ends_with("-47") { 47 } else { Modulus::MAX_BITS };
    let p = primes::below(1 << bits, degree).next().ok_or("no prime of these bits")?;
    let mut all = vec![ours("ours", degree, p, Isa::selected())?];
    for (name, isa) in [("ours avx512", Isa::Avx512), ("ours avx2", Isa::Avx2)] {
        if isa.is_available() {
            all.push(ours(name, degree, p, isa)?);
        }
    }
    all.push(peer("tfhe-ntt, the same prime", degree, p.value())?);
    // The largest prime below 2^62 that is 1 modulo 2^18.
    let wide =
        (1..).map(|k| (1u64 << 62) - (k << 18) + 1).find(|&p| primes::is_prime(p)).ok_or("no prime below 2^62")?;
    all.push(peer("tfhe-ntt 62-bit prime", degree, wide)?);
    let pairs = if quick { 1 << 20 } else { 1 << 22 } / degree;
    compare(
        row,
        all,
        runs,
        pairs,
        target,
        "balanced residues to values and back in place, at one prime; ours with the factor 1/N",
    )
}

fn ours(name: &'static str, degree: usize, p: Modulus, isa: Isa) -> Result<Contestant<'static>, String> {
    let ntt = Ntt::with_isa(degree, p, isa).map_err(|e| e.to_string())?;
    let mut random = SplitMix(1);
    let mut data = AlignedVec::<f64>::new(degree);
    data.iter_mut().for_each(|x| *x = p.balance(random.below(p.value())));
    let source = data.clone();
    ntt.forward(&mut data);
    ntt.backward(&mut data);
    if *data != *source {
        return Err(format!("the transform {name} is not its own inverse"));
    }
    Ok(Contestant {
        name,
        ours: true,
        run: Box::new(move |pairs| {
            for _ in 0..pairs {
                ntt.forward(&mut data);
                ntt.backward(&mut data);
            }
            std::hint::black_box(&mut data);
        }),
    })
}

fn peer(name: &'static str, degree: usize, p: u64) -> Result<Contestant<'static>, String> {
    let plan = Plan::try_new(degree, p).ok_or_else(|| format!("no plan of {name} for degree {degree} modulo {p}"))?;
    let mut random = SplitMix(1);
    let source: Vec<u64> = (0..degree).map(|_| random.below(p.min(1 << 49))).collect();
    let mut data: aligned_vec::AVec<u64> = aligned_vec::AVec::from_slice(64, &source);
    plan.fwd(&mut data);
    plan.inv(&mut data);
    plan.normalize(&mut data);
    if *data != *source {
        return Err(format!("the transform {name} is not its own inverse"));
    }
    Ok(Contestant {
        name,
        ours: false,
        run: Box::new(move |pairs| {
            for _ in 0..pairs {
                plan.fwd(&mut data);
                plan.inv(&mut data);
            }
            std::hint::black_box(&mut data);
        }),
    })
}
