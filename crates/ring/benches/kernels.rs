//! The transforms and the block rotation, on each instruction set.

use std::hint::black_box;

use bootes_ring::fft::{BlockShape, Fft};
use bootes_ring::gadget::Gadget;
use bootes_ring::isa::Isa;
use bootes_ring::mem::{AlignedVec, ScratchBuffer};
use bootes_ring::ntt::Ntt;
use bootes_ring::primes;
use bootes_ring::rns::{Basis, Conversion};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};

fn isas() -> impl Iterator<Item = Isa> {
    Isa::available_here().iter().copied().filter(|&isa| isa != Isa::Scalar)
}

fn words(len: usize) -> AlignedVec<u64> {
    let words: Vec<_> = (1..=len as u64).map(|j| j.wrapping_mul(0x9E37_79B9_7F4A_7C15)).collect();
    AlignedVec::from_slice(&words)
}

fn transforms(criterion: &mut Criterion) {
    let gadget = Gadget::try_new(22, 1).expect("a valid gadget");
    for isa in isas() {
        let mut forward = criterion.benchmark_group(format!("forward_digit/{isa}"));
        for degree in (9..=14).map(|log2| 1 << log2) {
            let fft = Fft::with_isa(degree, isa).expect("a valid degree");
            let (words, mut freq) = (words(degree), AlignedVec::new(degree));
            forward.bench_function(BenchmarkId::from_parameter(degree), |bench| {
                bench.iter(|| fft.forward_digit(black_box(&mut freq), black_box(&words), gadget, 1));
            });
        }
        forward.finish();
        let mut backward = criterion.benchmark_group(format!("backward_add_torus/{isa}"));
        for degree in (9..=14).map(|log2| 1 << log2) {
            let fft = Fft::with_isa(degree, isa).expect("a valid degree");
            // Zeros stay zeros however often they are transformed in place.
            let (mut words, mut freq) = (words(degree), AlignedVec::new(degree));
            backward.bench_function(BenchmarkId::from_parameter(degree), |bench| {
                bench.iter(|| fft.backward_add_torus(black_box(&mut words), black_box(&mut freq)));
            });
        }
        backward.finish();
    }
}

fn rotations(criterion: &mut Criterion) {
    for isa in isas() {
        let mut group = criterion.benchmark_group(format!("rotate_multiply_block/{isa}"));
        for (extension, rows, cols, block, degree) in [(1, 2, 2, 4, 2048), (4, 2, 2, 7, 2048), (1, 3, 3, 4, 1024)] {
            let shape = BlockShape { extension, rows, cols, block };
            let fft = Fft::with_isa(degree, isa).expect("a valid degree");
            let mut key = AlignedVec::new(shape.key_len(degree));
            key.fill(0.3);
            let mut digits = AlignedVec::new(shape.digits_len(degree));
            digits.fill(0.5);
            let mut out = AlignedVec::new(shape.out_len(degree));
            let range = 2 * extension * degree;
            let exponents: Vec<_> = (1..=block).map(|i| (i * 2_654_435_761 % range) as u32).collect();
            let name = format!("nu={extension} {rows}x{cols} l={block} N={degree}");
            group.bench_function(name, |bench| {
                bench.iter(|| {
                    let (digits, key) = (black_box(&digits), black_box(&key));
                    fft.rotate_multiply_block(shape, black_box(&mut out), digits, key, &exponents);
                });
            });
        }
        group.finish();
    }
}

fn number_theoretic_transforms(criterion: &mut Criterion) {
    for isa in isas() {
        let mut group = criterion.benchmark_group(format!("ntt/{isa}"));
        for degree in (11..=17).map(|log2| 1 << log2) {
            let p = primes::below(1 << 50, degree).next().expect("a prime below 2^50");
            let ntt = Ntt::with_isa(degree, p, isa).expect("a valid degree");
            let mut data = AlignedVec::<f64>::new(degree);
            data.fill(1.0);
            group.bench_function(BenchmarkId::new("forward", degree), |bench| {
                bench.iter(|| ntt.forward(black_box(&mut data)));
            });
            group.bench_function(BenchmarkId::new("backward", degree), |bench| {
                bench.iter(|| ntt.backward(black_box(&mut data)));
            });
            let terms: Vec<_> = (0..16).map(|_| data.clone()).collect();
            let terms: Vec<_> = terms.chunks_exact(2).map(|pair| (&*pair[0], &*pair[1])).collect();
            group.bench_function(BenchmarkId::new("sum of 8 products", degree), |bench| {
                bench.iter(|| ntt.sum_of_products_into(black_box(&mut data), black_box(&terms)));
            });
        }
        group.finish();
    }
}

fn conversions(criterion: &mut Criterion) {
    let degree = 1 << 16;
    for isa in isas() {
        let mut group = criterion.benchmark_group(format!("convert/{isa}"));
        for (from, to) in [(1, 10), (10, 30), (15, 30)] {
            let mut primes = primes::below(1 << 50, degree);
            let mut basis = |count| Basis::new(primes.by_ref().take(count).collect()).expect("distinct primes");
            let conversion = Conversion::on(isa, &basis(from), &basis(to));
            let mut buffer = ScratchBuffer::new(conversion.scratch_bytes());
            let (mut out, input) = (AlignedVec::new(to * degree), AlignedVec::new(from * degree));
            group.bench_function(format!("{from} to {to} N={degree}"), |bench| {
                bench.iter(|| conversion.convert_into(black_box(&mut out), black_box(&input), buffer.scratch()));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, transforms, rotations, conversions, number_theoretic_transforms);
criterion_main!(benches);
