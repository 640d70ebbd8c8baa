//! Packing, GLWE key switching and products against their definitions and their predicted noise.
use bootes_lattice::Gadget;
use bootes_lattice::extract::{sample_embed_into, sample_extract_into};
use bootes_lattice::glwe::{self, GlweShape, MaskMultiplier};
use bootes_lattice::glwe_product::{glwe_product_into, glwe_product_scratch_bytes};
use bootes_lattice::keyswitch::{SeededGlweKeySwitchKey, SeededPackingKey, SeededTraceKey};
use bootes_lattice::lwe;
use bootes_lattice::modswitch::round_glwe_masks;
use bootes_lattice::noise::formula::{self, FactorVariance, GlweKeySwitch};
use bootes_lattice::noise::measure::torus_difference;
use bootes_lattice::secret::{GlweSecretKey, LweSecretKey};
use bootes_ring::automorphism::automorphism_into;
use bootes_ring::fft::Fft;
use bootes_ring::isa::Isa;
use bootes_ring::mem::ScratchBuffer;
use bootes_ring::sample::{KeyDistribution, MaskSeed, MaskStream, NoiseStream, SecretSeed};
use bootes_testkit::stats::{Moments, mean_interval, variance_interval};

pub(crate) type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

const BINARY: KeyDistribution = KeyDistribution::Binary;
const TERNARY: KeyDistribution = KeyDistribution::Ternary;

pub(crate) fn mask(seed: u8) -> MaskSeed {
    MaskSeed::from_bytes([seed; 32])
}

pub(crate) fn secret(seed: u8) -> SecretSeed {
    SecretSeed::from_bytes(&[seed; 32])
}

/// The 99.9 % interval of the variance contains the prediction, or the standard deviation is within a tenth of it; the
/// mean is 0 or below a fiftieth of that. `independent` is the number of independent
/// values among the errors.
#[track_caller]
pub(crate) fn assert_noise(what: &str, errors: &[f64], independent: usize, predicted: f64) {
    let moments = Moments::of(errors);
    let variance = errors.iter().map(|e| e * e).sum::<f64>() / errors.len() as f64;
    let (low, high) = variance_interval(variance, independent, 0.999);
    let ratio = (variance / predicted).sqrt();
    eprintln!("{what}: std 2^{:.2}, {ratio:.3} of the predicted, {independent} values", 0.5 * variance.log2());
    assert!(
        (low..=high).contains(&predicted) || (0.9..=1.1).contains(&ratio),
        "{what}: standard deviation {ratio:.3} of the predicted, {independent} values"
    );
    let (low, high) = mean_interval(&Moments { count: independent, ..moments }, 0.9999);
    let slack = 0.02 * moments.std();
    assert!(
        low <= slack && -slack <= high,
        "{what}: mean {} at a standard deviation of {}",
        moments.mean,
        moments.std()
    );
}

/// `count` uniform ciphertexts of `words` words.
pub(crate) fn uniform(seed: u8, count: usize, words: usize) -> Vec<Vec<u64>> {
    let mut stream = MaskStream::new(&mask(seed), 0);
    let fill = |mut words: Vec<u64>| {
        stream.fill_u64(&mut words);
        words
    };
    std::iter::repeat_n(vec![0u64; words], count).map(fill).collect()
}

pub(crate) fn slices(samples: &[Vec<u64>]) -> Vec<&[u64]> {
    samples.iter().map(Vec::as_slice).collect()
}

pub(crate) fn phase(ciphertext: &[u64], multiplier: &mut MaskMultiplier<'_>, degree: usize) -> Vec<u64> {
    let mut phase = vec![0; degree];
    glwe::phase_into(&mut phase, ciphertext, multiplier);
    phase
}

#[test]
fn embedding_undoes_extraction() {
    let shape = GlweShape { rank: 3, degree: 64 };
    let sample = &uniform(1, 1, shape.lwe_dimension() + 1)[0];
    let (mut glwe, mut back) = (vec![7; shape.words()], vec![0; sample.len()]);
    sample_embed_into(&mut glwe, sample, shape);
    sample_extract_into(&mut back, &glwe, shape, 0);
    assert_eq!(&back, sample);
}

#[test]
fn packing_adds_its_predicted_noise() -> Result {
    // Shape, block, samples in a packing, gadget, noise; in the last two rows what is dropped is most of the error.
    let cases = [
        (1, 256, 1, 1, (6, 4), -34),
        (1, 256, 1, 256, (6, 4), -34),
        (1, 512, 256, 2, (5, 4), -34),
        (2, 256, 16, 16, (10, 3), -36),
        (2, 256, 256, 1, (9, 3), -36),
        (1, 256, 8, 32, (5, 2), -34),
        (1, 256, 128, 2, (4, 2), -34),
    ];
    for (rank, degree, block, each, (log2_base, levels), log2_std) in cases {
        for distribution in [BINARY, TERNARY] {
            let output = GlweSecretKey::generate(&secret(1), rank, degree, distribution);
            let other = LweSecretKey::generate(&secret(2), 700, distribution);
            for input in [output.as_lwe(), &other] {
                let (n, count) = (input.dimension(), 400usize.div_ceil(each).max(8));
                let gadget = Gadget::try_new(log2_base, levels)?;
                let std = 2f64.powi(log2_std);
                let seeded = SeededPackingKey::generate(input, &output, block, gadget, std, mask(3), &secret(4))?;
                let key = seeded.prepare(Isa::selected(), distribution.mean())?;
                assert_eq!((key.input_dimension(), key.capacity()), (n, degree / block));
                let inputs = uniform(5, count * each, n + 1);
                let mut outs = vec![0u64; count * key.shape().words()];
                key.pack_batch_into(&mut outs, &slices(&inputs));
                let fft = Fft::new(degree)?;
                let mut multiplier = MaskMultiplier::new(&fft, &output);
                let (mut messages, mut others) = (Vec::new(), Vec::new());
                for (out, inputs) in outs.chunks_exact(key.shape().words()).zip(inputs.chunks_exact(each)) {
                    let phase = phase(out, &mut multiplier, degree);
                    for (block, input) in phase.chunks_exact(block).zip(inputs) {
                        let expected = lwe::phase(input, input_key(input, &output, &other));
                        messages.extend(block.iter().map(|&x| torus_difference(x, expected)));
                    }
                    others.extend(phase[each * block..].iter().map(|&x| torus_difference(x, 0)));
                }
                let predicted = formula::packing_key_switch(n, distribution, gadget, std, each);
                let what = format!("packing k={rank} N={degree} d={block} M={each} {distribution} from n={n}");
                assert_noise(&what, &messages, count * each, predicted.message);
                if each * block < degree {
                    assert_noise(&format!("{what}, other coefficients"), &others, others.len(), predicted.other);
                }
            }
        }
    }
    Ok(())
}

/// The key of a sample, told from its length.
fn input_key<'a>(input: &[u64], output: &'a GlweSecretKey, other: &'a LweSecretKey) -> &'a LweSecretKey {
    if input.len() == other.dimension() + 1 { other } else { output.as_lwe() }
}

#[test]
fn packings_are_equal_alone_in_batches_and_on_every_instruction_set() -> Result {
    let (rank, degree, block, each, count) = (2, 512, 64, 3, 50);
    let output = GlweSecretKey::generate(&secret(1), rank, degree, BINARY);
    let input = LweSecretKey::generate(&secret(2), 37, BINARY);
    let gadget = Gadget::try_new(7, 3)?;
    let std = 2f64.powi(-40);
    let seeded = SeededPackingKey::generate(&input, &output, block, gadget, std, mask(3), &secret(4))?;
    let inputs = uniform(5, count * each, 38);
    let mut expected: Option<Vec<u64>> = None;
    for &isa in Isa::available_here() {
        let key = seeded.prepare(isa, 0.5)?;
        let words = key.shape().words();
        let mut outs = vec![0u64; count * words];
        key.pack_batch_into(&mut outs, &slices(&inputs));
        for (out, inputs) in outs.chunks_exact(words).zip(inputs.chunks_exact(each)) {
            let mut alone = vec![9u64; words];
            key.pack_into(&mut alone, &slices(inputs));
            assert_eq!(alone, out);
        }
        // Each input by itself in block 0, shifted and added, is the packing.
        let mut single = vec![0u64; each * words];
        key.pack_batch_into(&mut single, &slices(&inputs[..each]));
        let mut sum = vec![0u64; words];
        for (j, single) in single.chunks_exact(words).enumerate() {
            for (sum, polynomial) in sum.chunks_exact_mut(degree).zip(single.chunks_exact(degree)) {
                for (i, &x) in polynomial.iter().enumerate() {
                    let to = (i + j * block) % degree;
                    sum[to] = if i + j * block < degree { sum[to].wrapping_add(x) } else { sum[to].wrapping_sub(x) };
                }
            }
        }
        assert_eq!(sum, outs[..words]);
        assert_eq!(*expected.get_or_insert(outs.clone()), outs, "{isa}");
    }
    Ok(())
}

#[test]
fn impossible_packings_are_refused() -> Result {
    let key = GlweSecretKey::generate(&secret(1), 1, 64, BINARY);
    let gadget = Gadget::try_new(7, 3)?;
    for block in [0, 3, 128] {
        let seeded = SeededPackingKey::generate(key.as_lwe(), &key, block, gadget, 1e-9, mask(3), &secret(4));
        assert!(seeded.is_err(), "block {block}");
    }
    let trace = SeededTraceKey::generate(&key, gadget, 1e-9, mask(3), &secret(4))?;
    assert!(trace.prepare(&Fft::new(128)?).is_err());
    let fft = Fft::new(64)?;
    let trace = trace.prepare(&fft)?;
    let mut scratch = ScratchBuffer::new(trace.pack_scratch_bytes(64));
    let sample = vec![0u64; 65];
    let mut out = vec![0u64; 128];
    for count in [0, 3, 128] {
        let inputs = vec![&sample[..]; count];
        assert!(trace.pack_into(&mut out, &inputs, &fft, scratch.scratch()).is_err(), "{count} samples");
    }
    assert!(trace.pack_into(&mut out, &[&sample[..64]], &fft, scratch.scratch()).is_err());
    assert!(trace.pack_into(&mut out[..64], &[&sample], &fft, scratch.scratch()).is_err());
    assert!(SeededGlweKeySwitchKey::generate(&[1; 65], &key, &fft, gadget, 1e-9, mask(3), &secret(4)).is_err());
    let automorphisms = SeededGlweKeySwitchKey::generate_automorphisms;
    assert!(automorphisms(&key, &[3, 4], &fft, gadget, 1e-9, mask(3), &secret(4)).is_err());
    let rank_2 = GlweSecretKey::generate(&secret(1), 2, 64, BINARY);
    assert!(SeededGlweKeySwitchKey::generate_square(&rank_2, &fft, gadget, 1e-9, mask(3), &secret(4)).is_err());
    Ok(())
}

#[test]
fn glwe_key_switches_add_their_predicted_noise() -> Result {
    let degree = 512;
    let fft = Fft::new(degree)?;
    for (rank, (log2_base, levels), log2_std) in [(1, (7, 4), -36), (2, (6, 5), -36), (1, (8, 2), -36)] {
        for distribution in [BINARY, TERNARY] {
            let key = GlweSecretKey::generate(&secret(1), rank, degree, distribution);
            let gadget = Gadget::try_new(log2_base, levels)?;
            let std = 2f64.powi(log2_std);
            let g = 2 * degree / 8 + 1;
            let seeded =
                SeededGlweKeySwitchKey::generate_automorphisms(&key, &[3, g], &fft, gadget, std, mask(2), &secret(3))?;
            let switch = seeded.prepare(&fft)?;
            assert_eq!(switch.input_rank(), 2 * rank);
            let mut scratch = ScratchBuffer::new(switch.scratch_bytes());
            let mut multiplier = MaskMultiplier::new(&fft, &key);
            let mut errors = Vec::new();
            for input in uniform(4, 60, switch.shape().words()) {
                let phase_in = phase(&input, &mut multiplier, degree);
                let mut expected = vec![0u64; degree];
                automorphism_into(&mut expected, &phase_in, g);
                let mut image = vec![0u64; input.len()];
                for (image, polynomial) in image.chunks_exact_mut(degree).zip(input.chunks_exact(degree)) {
                    automorphism_into(image, polynomial, g);
                }
                let (masks, body) = image.split_at(rank * degree);
                let mut out = vec![0u64; input.len()];
                out[rank * degree..].copy_from_slice(body);
                switch.switch_add_from(&mut out, rank, masks, &fft, scratch.scratch());
                let found = phase(&out, &mut multiplier, degree);
                errors.extend(found.iter().zip(&expected).map(|(&x, &y)| torus_difference(x, y)));
            }
            let norm = distribution.mean_weight(rank * degree);
            let parameters = GlweKeySwitch { shape: switch.shape(), distribution, gadget, key_std: std };
            let predicted = formula::glwe_key_switch(&parameters, rank, norm);
            let what = format!("automorphism k={rank} B=2^{log2_base} d={levels} {distribution}");
            assert_noise(&what, &errors, errors.len(), predicted);
        }
    }
    Ok(())
}

#[test]
fn squares_are_switched_with_their_predicted_noise() -> Result {
    let degree = 256;
    let fft = Fft::new(degree)?;
    // The second gadget drops so much that the norm of s² must be right, the structure of binary keys included.
    for (log2_base, levels) in [(7, 6), (7, 3)] {
        for distribution in [BINARY, TERNARY] {
            let gadget = Gadget::try_new(log2_base, levels)?;
            let std = 2f64.powi(-44);
            let parameters = GlweKeySwitch { shape: GlweShape { rank: 1, degree }, distribution, gadget, key_std: std };
            let predicted = formula::glwe_key_switch(&parameters, 1, formula::square_norm(degree, distribution));
            let mut errors = Vec::new();
            for key_seed in 0..20 {
                let key = GlweSecretKey::generate(&secret(10 + key_seed), 1, degree, distribution);
                let seeded = SeededGlweKeySwitchKey::generate_square(&key, &fft, gadget, std, mask(2), &secret(3))?;
                let switch = seeded.prepare(&fft)?;
                let mut scratch = ScratchBuffer::new(switch.scratch_bytes());
                let mut multiplier = MaskMultiplier::new(&fft, &key);
                for input in uniform(4, 10, degree) {
                    let (mut once, mut twice) = (vec![0u64; degree], vec![0u64; degree]);
                    multiplier.add_product(&mut once, &input, 1);
                    multiplier.add_product(&mut twice, &once, 1);
                    let mut out = vec![0u64; 2 * degree];
                    switch.switch_add(&mut out, &input, &fft, scratch.scratch());
                    let found = phase(&out, &mut multiplier, degree);
                    errors.extend(found.iter().zip(&twice).map(|(&x, &y)| torus_difference(x, y)));
                }
            }
            let what = format!("relinearisation B=2^{log2_base} d={levels} {distribution}");
            // With a binary key the lowest frequencies have most of the error: about one independent value a
            // ciphertext.
            assert_noise(&what, &errors, errors.len() / degree, predicted);
        }
    }
    Ok(())
}

#[test]
fn trace_packing_adds_its_predicted_noise() -> Result {
    let cases = [
        (1, 256, 1, 60),
        (1, 256, 8, 15),
        (1, 256, 256, 3),
        (2, 256, 1, 40),
        (2, 512, 64, 4),
        (1, 1024, 4, 10),
        (3, 32, 32, 10),
    ];
    for (rank, degree, count, repetitions) in cases {
        for distribution in [BINARY, TERNARY] {
            let fft = Fft::new(degree)?;
            let (gadget, std) = (Gadget::try_new(7, 4)?, 2f64.powi(-38));
            let shape = GlweShape { rank, degree };
            let (mut messages, mut others) = (Vec::new(), Vec::new());
            for key_seed in 10..14 {
                let key = GlweSecretKey::generate(&secret(key_seed), rank, degree, distribution);
                let seeded = SeededTraceKey::generate(&key, gadget, std, mask(2), &secret(3))?;
                let trace = seeded.prepare(&fft)?;
                let mut scratch = ScratchBuffer::new(trace.pack_scratch_bytes(count));
                let mut multiplier = MaskMultiplier::new(&fft, &key);
                let mut out = vec![0u64; shape.words()];
                for inputs in uniform(key_seed, repetitions * count, rank * degree + 1).chunks_exact(count) {
                    trace.pack_into(&mut out, &slices(inputs), &fft, scratch.scratch())?;
                    for (i, &x) in phase(&out, &mut multiplier, degree).iter().enumerate() {
                        if i % (degree / count) == 0 {
                            let expected = lwe::phase(&inputs[i / (degree / count)], key.as_lwe());
                            messages.push(torus_difference(x, expected));
                        } else {
                            others.push(torus_difference(x, 0));
                        }
                    }
                }
            }
            let parameters = GlweKeySwitch { shape, distribution, gadget, key_std: std };
            let predicted = formula::trace_packing(&parameters, count);
            let what = format!("trace k={rank} N={degree} M={count} {distribution}");
            assert_noise(&what, &messages, messages.len(), predicted.message);
            if count < degree {
                assert_noise(&format!("{what}, other coefficients"), &others, others.len(), predicted.other);
            }
        }
    }
    Ok(())
}

#[test]
fn rounding_of_masks_adds_its_predicted_noise() -> Result {
    for (rank, degree, bits, repetitions) in [(1, 512, 16, 6), (2, 256, 9, 6), (1, 512, 6, 6), (3, 64, 58, 20)] {
        let (shape, fft) = (GlweShape { rank, degree }, Fft::new(degree)?);
        let mut errors = Vec::new();
        for seed in 10..14 {
            let key = GlweSecretKey::generate(&secret(seed), rank, degree, BINARY);
            let mut multiplier = MaskMultiplier::new(&fft, &key);
            for mut glwe in uniform(seed, repetitions, shape.words()) {
                let before = phase(&glwe, &mut multiplier, degree);
                round_glwe_masks(&mut glwe, shape, bits, BINARY.mean());
                let low = u64::MAX >> bits;
                assert!(glwe[..shape.lwe_dimension()].iter().all(|x| x & low == 0));
                let after = phase(&glwe, &mut multiplier, degree);
                errors.extend(after.iter().zip(before).map(|(&x, y)| torus_difference(x, y)));
                let kept = glwe.clone();
                round_glwe_masks(&mut glwe, shape, bits, BINARY.mean());
                assert!(glwe == kept, "what is rounded stays");
            }
        }
        let what = format!("masks of {bits} bits, k={rank} N={degree}");
        assert_noise(&what, &errors, errors.len(), formula::glwe_rounding(shape, BINARY, bits, 64));
    }
    Ok(())
}

/// A ciphertext of the polynomial m·2^64/p in the constant coefficient, with the errors of a packed sample.
/// The multiple of a packed sample by 1 + X + … adds up what its coefficients have in common: nothing, then, that a
/// mean of keys or digits would leave in all of them, or in all results of one key.
#[test]
fn blocks_of_packed_samples_have_the_predicted_noise() -> Result {
    let (degree, count, keys) = (2048, 48, 4);
    let shape = GlweShape { rank: 1, degree };
    let (gadget, std) = (Gadget::try_new(5, 8)?, 2f64.powf(-48.72));
    let fft = Fft::new(degree)?;
    // Halved words, as those of half a phase are, have no top bit; equal samples have equal ones.
    for (samples, halved, equal) in [(1, false, false), (8, false, false), (1, true, false), (8, true, true)] {
        let (mut errors, mut common) = (Vec::new(), Vec::new());
        for seed in 0..keys {
            let key = GlweSecretKey::generate(&secret(10 + seed), 1, degree, BINARY);
            let seeded = SeededTraceKey::generate(&key, gadget, std, mask(20 + seed), &secret(30 + seed))?;
            let trace = seeded.prepare(&fft)?;
            let mut scratch = ScratchBuffer::new(trace.pack_scratch_bytes(samples));
            let mut multiplier = MaskMultiplier::new(&fft, &key);
            let mut inputs = uniform(40 + seed, count * samples, degree + 1);
            if halved {
                inputs.iter_mut().flatten().for_each(|x| *x >>= 1);
            }
            if equal {
                inputs.chunks_exact_mut(samples).for_each(|inputs| inputs.fill(inputs[0].clone()));
            }
            let mut sums = vec![0.0; degree];
            for inputs in inputs.chunks_exact(samples) {
                let mut out = vec![0; shape.words()];
                trace.pack_into(&mut out, &slices(inputs), &fft, scratch.scratch())?;
                let block = degree / samples;
                for polynomial in out.chunks_exact_mut(degree) {
                    // Sums of the last `block` coefficients, of which those before the first are negated.
                    let old = polynomial.to_vec();
                    let at = |i: usize| if i >= degree { old[i - degree] } else { old[i].wrapping_neg() };
                    let mut sum = (1..block).fold(0u64, |sum, i| sum.wrapping_add(at(degree - i)));
                    for (i, x) in polynomial.iter_mut().enumerate() {
                        sum = sum.wrapping_add(old[i]);
                        *x = sum;
                        sum = sum.wrapping_sub(at(degree + i + 1 - block));
                    }
                }
                let phase = phase(&out, &mut multiplier, degree);
                let expected =
                    inputs.iter().flat_map(|input| std::iter::repeat_n(lwe::phase(input, key.as_lwe()), block));
                for ((sum, x), expected) in sums.iter_mut().zip(phase).zip(expected) {
                    let error = torus_difference(x, expected);
                    *sum += error;
                    errors.push(error);
                }
            }
            common.extend(sums.iter().map(|sum| sum / (count as f64).sqrt()));
        }
        let predicted =
            formula::trace_block(&GlweKeySwitch { shape, distribution: BINARY, gadget, key_std: std }, samples);
        let variance = |values: &[f64]| values.iter().map(|e| e * e).sum::<f64>() / values.len() as f64;
        let [all, of_key] = [&errors, &common].map(|values| (variance(values) / predicted).sqrt());
        eprintln!("{samples} samples: std {all:.3} of the predicted, {of_key:.3} in sums over a key");
        // Dropped digits are multiplied with σ(s), whose signs leave next to nothing in such a multiple.
        assert!((0.5..1.0).contains(&all), "{samples} samples: std {all:.3} of the predicted");
        assert!(of_key < 1.0, "{samples} samples: std of sums {of_key:.3} of the predicted");
    }
    Ok(())
}

fn encrypt(
    message: f64,
    p: f64,
    stds: [f64; 2],
    stream: u64,
    seed: u8,
    multiplier: &mut MaskMultiplier<'_>,
    degree: usize,
) -> Vec<u64> {
    let mut words = vec![0u64; 2 * degree];
    let (masks, body) = words.split_at_mut(degree);
    MaskStream::new(&mask(seed), stream).fill_u64(masks);
    // Another key than that of the masks.
    let mut noise = NoiseStream::new(&SecretSeed::from_bytes(&std::array::from_fn(|i| seed + i as u8)), stream);
    noise.add_gaussian_u64(&mut body[..1], stds[0]);
    noise.add_gaussian_u64(body, stds[1]);
    body[0] = body[0].wrapping_add((message / p * 2f64.powi(64)).round() as i128 as u64);
    multiplier.add_product(body, masks, -1);
    words
}

#[test]
fn products_have_their_predicted_noise() -> Result {
    // Degree, p, standard deviations of the constant and of the polynomial errors of both factors.
    let cases = [
        (256, 5u64, [[-30, -50], [-30, -50]]),
        (256, 16, [[-30, -50], [-32, -50]]),
        (256, 1000, [[-40, -36], [-40, -37]]),
        (512, 2, [[-50, -60], [-50, -60]]),
        (512, 7, [[-12, -50], [-12, -50]]),
        (32, 6, [[-30, -60], [-30, -60]]),
    ];
    for (degree, p, log2_stds) in cases {
        for distribution in [BINARY, TERNARY] {
            let fft = Fft::new(degree)?;
            let (gadget, key_std) = (Gadget::try_new(7, 6)?, 2f64.powi(-54));
            let shape = GlweShape { rank: 1, degree };
            let stds = log2_stds.map(|stds| stds.map(|log2: i32| 2f64.powi(log2)));
            let parameters = GlweKeySwitch { shape, distribution, gadget, key_std };
            let factors = stds.map(|[c, e]| FactorVariance { constant: c * c, polynomial: e * e });
            let predicted = formula::glwe_product(&parameters, p as f64, factors);
            let mut errors = [Vec::new(), Vec::new()];
            let (keys, products) = (10u8, 400u64);
            for key_seed in 0..keys {
                let key = GlweSecretKey::generate(&secret(10 + key_seed), 1, degree, distribution);
                let relinearisation =
                    SeededGlweKeySwitchKey::generate_square(&key, &fft, gadget, key_std, mask(2), &secret(3))?
                        .prepare(&fft)?;
                let mut scratch = ScratchBuffer::new(glwe_product_scratch_bytes(shape));
                let mut multiplier = MaskMultiplier::new(&fft, &key);
                let mut out = vec![0u64; shape.words()];
                for i in 0..products {
                    // From −p/2 to p/2.
                    let [m0, m1] = [i % p, i / p % p].map(|m| m as f64 - (p / 2) as f64);
                    let left = encrypt(m0, p as f64, stds[0], i, 40 + key_seed, &mut multiplier, degree);
                    let right = encrypt(m1, p as f64, stds[1], i, 60 + key_seed, &mut multiplier, degree);
                    glwe_product_into(&mut out, &left, &right, p, &relinearisation, &fft, scratch.scratch())?;
                    let found = phase(&out, &mut multiplier, degree);
                    let expected = ((m0 * m1).rem_euclid(p as f64) / p as f64 * 2f64.powi(64)) as u64;
                    errors[0].push(torus_difference(found[0], expected));
                    errors[1].extend(found[1..].iter().map(|&x| torus_difference(x, 0)));
                }
            }
            let products = usize::from(keys) * products as usize;
            let what = format!("product N={degree} p={p} {distribution}");
            assert_noise(&what, &errors[0], products, predicted);
            assert_noise(&format!("{what}, other coefficients"), &errors[1], products, predicted);
        }
    }
    Ok(())
}

#[test]
fn messages_do_not_multiply_errors_of_products() -> Result {
    // m_i/p = −1/2 throughout. Independent of u_i, the messages would add 1/4 to V = (1 + ‖s‖²)/12.
    let (degree, p, std) = (32, 2u64, 2f64.powi(-30));
    let fft = Fft::new(degree)?;
    let gadget = Gadget::try_new(7, 7)?;
    let (mut ratio, mut count) = (0.0, 0);
    for key_seed in 0..40 {
        let key = GlweSecretKey::generate(&secret(10 + key_seed), 1, degree, BINARY);
        let seeded = SeededGlweKeySwitchKey::generate_square(&key, &fft, gadget, 2f64.powi(-60), mask(2), &secret(3))?;
        let relinearisation = seeded.prepare(&fft)?;
        let mut scratch = ScratchBuffer::new(glwe_product_scratch_bytes(relinearisation.shape()));
        let mut multiplier = MaskMultiplier::new(&fft, &key);
        let weight = key.as_lwe().expose_coefficients().iter().filter(|&&t| t != 0).count();
        let predicted = (p * p) as f64 * (1.0 + weight as f64) / 12.0 * 2.0 * std * std;
        let mut out = vec![0u64; 2 * degree];
        for i in 0..500 {
            let left = encrypt(-1.0, p as f64, [std, 0.0], i, 60 + key_seed, &mut multiplier, degree);
            let right = encrypt(-1.0, p as f64, [std, 0.0], i, 160 + key_seed, &mut multiplier, degree);
            glwe_product_into(&mut out, &left, &right, p, &relinearisation, &fft, scratch.scratch())?;
            let error = torus_difference(phase(&out, &mut multiplier, degree)[0], 1 << 63);
            ratio += error * error / predicted;
            count += 1;
        }
    }
    ratio /= f64::from(count);
    eprintln!("messages of -1/2: variance {ratio:.3} of the predicted");
    // At N = 32 they would add about 18 %.
    assert!((0.91..1.09).contains(&ratio), "variance {ratio} of the predicted");
    Ok(())
}

#[test]
fn impossible_products_are_refused() -> Result {
    let fft = Fft::new(64)?;
    let gadget = Gadget::try_new(7, 6)?;
    let generate = |rank| {
        let key = GlweSecretKey::generate(&secret(1), rank, 64, BINARY);
        let input = vec![1i64; 64];
        let seeded = SeededGlweKeySwitchKey::generate(&input, &key, &fft, gadget, 1e-12, mask(2), &secret(3))?;
        seeded.prepare(&fft)
    };
    let (key, rank_2) = (generate(1)?, generate(2)?);
    let mut scratch = ScratchBuffer::new(glwe_product_scratch_bytes(rank_2.shape()));
    let (a, b, mut out) = (vec![0u64; 128], vec![0u64; 128], vec![0u64; 128]);
    let other = Fft::new(128)?;
    assert!(glwe_product_into(&mut out, &a, &b, 4, &key, &fft, scratch.scratch()).is_ok());
    for p in [0, 1, (1 << 32) + 1] {
        assert!(glwe_product_into(&mut out, &a, &b, p, &key, &fft, scratch.scratch()).is_err());
    }
    assert!(glwe_product_into(&mut out, &a, &b, 4, &rank_2, &fft, scratch.scratch()).is_err());
    assert!(glwe_product_into(&mut out, &a, &b, 4, &key, &other, scratch.scratch()).is_err());
    assert!(glwe_product_into(&mut out, &a[1..], &b, 4, &key, &fft, scratch.scratch()).is_err());
    Ok(())
}

/// Zeros among samples take no key switch: no noise at all where there are only such.
#[test]
fn zeros_are_packed_for_nothing() -> Result {
    let (degree, count, gadget) = (256, 64, Gadget::try_new(5, 8)?);
    let key = GlweSecretKey::generate(&secret(1), 1, degree, BINARY);
    let fft = Fft::new(degree)?;
    let packing = SeededTraceKey::generate(&key, gadget, 2f64.powi(-40), mask(2), &secret(3))?.prepare(&fft)?;
    let mut scratch = ScratchBuffer::new(packing.pack_scratch_bytes(count));
    let samples = uniform(4, 3, degree + 1);
    let mut inputs = vec![&[][..]; count];
    let mut out = vec![7; 2 * degree];
    packing.pack_into(&mut out, &inputs, &fft, scratch.scratch())?;
    assert!(out.iter().all(|&word| word == 0));
    for (sample, place) in samples.iter().zip([0, 5, 63]) {
        inputs[place] = sample;
    }
    packing.pack_into(&mut out, &inputs, &fft, scratch.scratch())?;
    let phase = phase(&out, &mut MaskMultiplier::new(&fft, &key), degree);
    for (i, phase) in phase.chunks_exact(degree / count).map(|block| block[0]).enumerate() {
        let expected = if inputs[i].is_empty() { 0 } else { lwe::phase(inputs[i], key.as_lwe()) };
        assert!(torus_difference(phase, expected).abs() < 2f64.powi(-26), "{i}");
    }
    // As samples of zeros are, which the key switches: the same but for the last places of noise.
    let zero = vec![0; degree + 1];
    let mut other = vec![7; 2 * degree];
    let filled: Vec<&[u64]> = inputs.iter().map(|input| if input.is_empty() { &zero[..] } else { input }).collect();
    packing.pack_into(&mut other, &filled, &fft, scratch.scratch())?;
    assert!(other == out);
    Ok(())
}
