//! Criterion benchmarks of the kernels: transforms, one step of a blind rotation, key switch.
use bootes_bench::subject::{KeySwitchSubject, RotationSubject};
use bootes_ring::fft::Fft;
use bootes_ring::gadget::Gadget;
use bootes_ring::mem::AlignedVec;
use bootes_schemes::fhew::FhewParams;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

fn transforms(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("fft");
    let gadget = Gadget::try_new(22, 1).expect("a valid gadget");
    for degree in (9..=14).map(|log2| 1usize << log2) {
        let fft = Fft::new(degree).expect("a valid degree");
        let words: Vec<u64> = (0..degree as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        let (mut freq, mut accumulator) = (AlignedVec::<f64>::new(degree), AlignedVec::<u64>::new(degree));
        group.throughput(Throughput::Elements(degree as u64));
        group.bench_function(BenchmarkId::new("forward_digit", degree), |b| {
            b.iter(|| fft.forward_digit(&mut freq, &words, gadget, 1));
        });
        group.bench_function(BenchmarkId::new("backward_add_torus", degree), |b| {
            b.iter(|| fft.backward_add_torus(&mut accumulator, &mut freq));
        });
    }
}

/// The paper's set (binary keys) and, where there are, ours.
fn sets() -> impl Iterator<Item = FhewParams> {
    let ours = [4, 8].iter().filter_map(|&bits| FhewParams::for_bits(bits, -128).ok());
    ours.chain([FhewParams::by_name("paper_recursive_5").expect("a shipped set")])
}

fn external_products(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("external product");
    for params in sets() {
        for extension in [1, 2, 3, 8] {
            let mut step = RotationSubject::new(&params, Some(1), extension, 1).expect("a valid set");
            group.bench_function(BenchmarkId::new(params.name(), extension), |b| b.iter(|| step.run()));
        }
    }
}

fn key_switches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("key switch");
    for params in sets() {
        for batch in [1, 16] {
            let mut switch = KeySwitchSubject::new(&params, batch).expect("a valid set");
            group.throughput(Throughput::Elements(batch as u64));
            group.bench_function(BenchmarkId::new(params.name(), batch), |b| b.iter(|| switch.run()));
        }
    }
}

criterion_group!(benches, transforms, external_products, key_switches);
criterion_main!(benches);
