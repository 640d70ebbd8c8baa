//! The lattice operations against their definitions and their predicted noise.
use bootes_lattice::Gadget;
use bootes_lattice::external::PreparedGgsw;
use bootes_lattice::extract::sample_extract_into;
use bootes_lattice::ggsw::SeededGgswList;
use bootes_lattice::glwe::{self, GlweShape, MaskMultiplier};
use bootes_lattice::keyswitch::{self, Evaluation, SeededLweKeySwitchKey};
use bootes_lattice::lwe;
use bootes_lattice::modswitch::mod_switch_into;
use bootes_lattice::noise::formula;
use bootes_lattice::noise::measure::torus_difference;
use bootes_lattice::secret::{GlweSecretKey, LweSecretKey};
use bootes_ring::fft::Fft;
use bootes_ring::isa::Isa;
use bootes_ring::mem::ScratchBuffer;
use bootes_ring::sample::{KeyDistribution, MaskSeed, MaskStream, SecretSeed};
use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

fn mask(seed: u8) -> MaskSeed {
    MaskSeed::from_bytes([seed; 32])
}

fn secret(seed: u8) -> SecretSeed {
    SecretSeed::from_bytes(&[seed; 32])
}

fn variance(errors: &[f64]) -> f64 {
    errors.iter().map(|e| e * e).sum::<f64>() / errors.len() as f64
}

/// Measured over predicted variance, with the 99.9 % interval of a χ² of `count` degrees of freedom (normal
/// approximation).
#[track_caller]
fn assert_variance(what: &str, errors: &[f64], predicted: f64) {
    let ratio = variance(errors) / predicted;
    let width = 3.3 * (2.0 / errors.len() as f64).sqrt();
    assert!(
        (ratio - 1.0).abs() < width + 0.05,
        "{what}: variance {ratio:.3} of the predicted, expected 1 ± {width:.3}"
    );
}

const KINDS: [KeyDistribution; 4] = [
    KeyDistribution::Binary,
    KeyDistribution::Ternary,
    KeyDistribution::BlockBinary { length: 3 },
    KeyDistribution::BlockBinary { length: 7 },
];

#[test]
fn mask_products_are_exact() -> Result<(), Box<dyn std::error::Error>> {
    let (degree, rank) = (64, 2);
    let fft = Fft::new(degree)?;
    for kind in [KeyDistribution::Binary, KeyDistribution::Ternary] {
        let key = GlweSecretKey::generate(&secret(1), rank, degree, kind);
        let mut masks = vec![0u64; rank * degree];
        MaskStream::new(&mask(2), 0).fill_u64(&mut masks);
        let mut product = vec![0u64; degree];
        MaskMultiplier::new(&fft, &key).add_product(&mut product, &masks, 1);
        let mut expected = vec![0u64; degree];
        for j in 0..rank {
            for (i, &a) in masks[j * degree..(j + 1) * degree].iter().enumerate() {
                for (u, &s) in key.expose_polynomial(j).iter().enumerate() {
                    let term = a.wrapping_mul(s as i64 as u64);
                    let sum = &mut expected[(i + u) % degree];
                    *sum = if i + u < degree { sum.wrapping_add(term) } else { sum.wrapping_sub(term) };
                }
            }
        }
        assert_eq!(product, expected);
    }
    Ok(())
}

#[test]
fn extraction_keeps_every_coefficient() -> Result<(), Box<dyn std::error::Error>> {
    let shape = GlweShape { rank: 2, degree: 32 };
    let fft = Fft::new(shape.degree)?;
    let key = GlweSecretKey::generate(&secret(3), shape.rank, shape.degree, KeyDistribution::Binary);
    let mut ciphertext = vec![0u64; shape.words()];
    MaskStream::new(&mask(4), 0).fill_u64(&mut ciphertext);
    let mut phase = vec![0u64; shape.degree];
    glwe::phase_into(&mut phase, &ciphertext, &mut MaskMultiplier::new(&fft, &key));
    let mut sample = vec![0u64; shape.lwe_dimension() + 1];
    for (index, &expected) in phase.iter().enumerate() {
        sample_extract_into(&mut sample, &ciphertext, shape, index);
        assert_eq!(lwe::phase(&sample, key.as_lwe()), expected, "coefficient {index}");
    }
    Ok(())
}

#[test]
fn fresh_encryptions_have_the_noise_asked_for() {
    let key = LweSecretKey::generate(&secret(5), 300, KeyDistribution::Binary);
    let (std, count) = (2f64.powi(-30), 4000);
    let encoded: Vec<u64> = (0..count).map(|i| i << 40).collect();
    let bodies = lwe::encrypt_seeded(&key, &encoded, std, &mask(6), &secret(7));
    let mut ciphertext = vec![0u64; 301];
    let errors: Vec<f64> = (0..count as usize)
        .map(|i| {
            lwe::expand_mask(&mask(6), i as u64, &mut ciphertext[..300]);
            ciphertext[300] = bodies[i];
            torus_difference(lwe::phase(&ciphertext, &key), encoded[i])
        })
        .collect();
    assert_variance("fresh LWE", &errors, std * std);
}

#[test]
fn key_switching_adds_its_predicted_noise() -> Result<(), Box<dyn std::error::Error>> {
    let (input_dimension, n, count) = (512, 90, 1500usize);
    // The second gadget is so coarse that what it drops is most of the noise: the mean compensation must show.
    // Digits of one bit, −1 or 0, have the largest mean: half of the variance is the key's, but nothing of it is in all
    // of its results.
    for (log2_base, levels, std) in [(4, 5, 2f64.powi(-20)), (3, 3, 2f64.powi(-26)), (1, 18, 2f64.powi(-22))] {
        for kind in KINDS.into_iter().filter(|kind| kind.accepts(n)) {
            let input = LweSecretKey::generate(&secret(8), input_dimension, KeyDistribution::Binary);
            let output = LweSecretKey::generate(&secret(9), n, kind);
            let gadget = Gadget::try_new(log2_base, levels)?;
            let seeded = SeededLweKeySwitchKey::generate(&input, &output, gadget, std, mask(10), &secret(11))?;
            let key = seeded.prepare(Isa::selected(), 0.5)?;
            let mut stream = MaskStream::new(&mask(12), 0);
            let inputs: Vec<Vec<u64>> = (0..count)
                .map(|_| {
                    let mut words = vec![0u64; input_dimension + 1];
                    stream.fill_u64(&mut words);
                    words
                })
                .collect();
            let mut outputs = vec![0u32; count * key.stride()];
            key.switch_into(&mut outputs, &inputs.concat());
            let errors: Vec<f64> = inputs
                .iter()
                .zip(outputs.chunks_exact(key.stride()))
                .map(|(input_sample, sample)| {
                    let phase = sample[..n]
                        .iter()
                        .zip(output.expose_coefficients())
                        .fold(sample[n], |sum, (&a, &s)| sum.wrapping_add(a.wrapping_mul(i32::from(s) as u32)));
                    torus_difference(u64::from(phase) << 32, lwe::phase(input_sample, &input))
                })
                .collect();
            let weight = input.expose_coefficients().iter().filter(|&&t| t != 0).count();
            assert!(weight > 200 && weight < 312);
            let what = format!("key switch B = 2^{log2_base}, d = {levels}, {kind:?}");
            let predicted = formula::key_switch(input_dimension, KeyDistribution::Binary, gadget, std);
            if log2_base > 1 {
                assert_variance(&what, &errors, predicted);
            }
            let mean = errors.iter().sum::<f64>() / count as f64;
            assert!(mean.abs() < 4.5 * (predicted / count as f64).sqrt(), "{what}: {mean:e} in all results");
        }
    }
    Ok(())
}

/// Samples of one mask, or of none, become others; their errors are a key switch's.
#[test]
fn dithered_samples_of_one_mask_are_others() -> Result<(), Box<dyn std::error::Error>> {
    let (dimension, n, count) = (1024, 90, 1500usize);
    let input = LweSecretKey::generate(&secret(21), dimension, KeyDistribution::Binary);
    let output = LweSecretKey::generate(&secret(22), n, KeyDistribution::Binary);
    let mut random = vec![0u64; dimension + 1];
    MaskStream::new(&mask(23), 0).fill_u64(&mut random);
    // What is dropped is most of the noise, and a part of it.
    for (log2_base, levels, std) in [(5, 2, 2f64.powi(-26)), (6, 3, 2f64.powi(-22))] {
        let gadget = Gadget::try_new(log2_base, levels)?;
        let seeded = SeededLweKeySwitchKey::generate(&input, &output, gadget, std, mask(24), &secret(25))?;
        let key = seeded.prepare(Isa::selected(), 0.5)?;
        // Multiples of 1/m of a unit, with both signs of a key switch; none, and all.
        let unit = 64 - log2_base * levels;
        let on_grid = |log2_m: u32| random.iter().map(move |word| word >> (unit - log2_m) << (unit - log2_m));
        let negated = |sample: Vec<u64>| [sample.iter().map(|word| word.wrapping_neg()).collect(), sample];
        let grids = (0..5).flat_map(|log2_m| negated(on_grid(log2_m).collect())).map(|sample| ("a grid", sample));
        let others = [("a mask", random.clone()), ("no mask", vec![0u64; dimension + 1])];
        for (what, sample) in grids.chain(others) {
            let sample = &sample;
            let (mut seen, mut errors, evaluation) = (HashSet::new(), Vec::new(), Evaluation::of([]));
            for number in 0..count as u64 {
                let mut dithered = sample.clone();
                keyswitch::dither(&mut dithered, gadget, evaluation.number(number, 0, sample));
                let mut switched = vec![0u32; key.stride()];
                key.switch_into(&mut switched, &dithered);
                let phase = switched[..n]
                    .iter()
                    .zip(output.expose_coefficients())
                    .fold(switched[n], |sum, (&a, &s)| sum.wrapping_add(a.wrapping_mul(i32::from(s) as u32)));
                errors.push(torus_difference(u64::from(phase) << 32, lwe::phase(sample, &input)));
                // The body has what was dropped.
                assert!(seen.insert(switched[..n].to_vec()), "{what}: {number}");
            }
            // Of one mask, whose own error all have.
            let predicted = formula::key_switch(dimension, KeyDistribution::Binary, gadget, std);
            let (all, added) = (variance(&errors), formula::dithered(dimension, gadget));
            assert!(all < 30.0 * predicted && (what != "no mask" || all < 0.5 * predicted), "{what}: {all:e}");
            assert!(added < 0.03 * predicted, "{added:e} of {predicted:e}");
        }
    }
    // The key switches of one value, whose numbers follow each other.
    let gadget = Gadget::try_new(6, 3)?;
    let numbers = (0..200).map(|switch| Evaluation::of([7]).number(0, switch, &random));
    let dithered = |number| {
        let mut made = random.clone();
        keyswitch::dither(&mut made, gadget, number);
        made
    };
    let mut all: Vec<_> = numbers.map(dithered).collect();
    all.sort_unstable();
    assert!(all.windows(2).all(|pair| pair[0] != pair[1]));
    Ok(())
}

/// Whatever the mask, no two of many numbers dither alike: one that has few words near half a unit was chosen for it.
#[test]
fn no_two_ditherings_are_alike() -> Result<(), Box<dyn std::error::Error>> {
    const WORDS: usize = 2048;
    let (gadget, evaluation) = (Gadget::try_new(5, 2)?, Evaluation::of([7]));
    let mut random = vec![0u64; WORDS + 1];
    MaskStream::new(&mask(29), 0).fill_u64(&mut random);
    let (unit, hasher) = (64 - 10, RandomState::new());
    for near in [0, 8, 20, 32, 40, 64, 256] {
        // Words a thirtieth of a unit below half, and others a quarter.
        let below = |i: usize, word: u64| {
            let rest = if i.is_multiple_of(WORDS / near.max(1)) && near > 0 { 0.47 } else { 0.25 };
            (word >> unit << unit) + (rest * 2f64.powi(unit)) as u64
        };
        let sample: Vec<u64> = random.iter().enumerate().map(|(i, &word)| below(i, word)).collect();
        let mut all: Vec<u64> = (0..1 << 14)
            .map(|number| {
                let mut dithered = sample.clone();
                keyswitch::dither(&mut dithered, gadget, evaluation.number(number, 0, &sample));
                hasher.hash_one(&dithered)
            })
            .collect();
        all.sort_unstable();
        let alike = all.windows(2).filter(|pair| pair[0] == pair[1]).count();
        assert_eq!(alike, 0, "{near} words near half");
    }
    Ok(())
}

/// Masks that were made for the numbers, each less what dithering will add to it, do not become one.
#[test]
fn dithering_is_not_undone() -> Result<(), Box<dyn std::error::Error>> {
    let (gadget, evaluation) = (Gadget::try_new(5, 2)?, Evaluation::of([7]));
    let mut sample = vec![0u64; 2049];
    MaskStream::new(&mask(31), 0).fill_u64(&mut sample);
    // Far from half a unit, so that all changes are by units, which leave a word as far from it.
    sample.iter_mut().for_each(|word| *word = *word >> 54 << 54 | 1 << 52);
    let mut seen = HashSet::new();
    for value in 0..1000 {
        let mut made = sample.clone();
        keyswitch::dither(&mut made, gadget, evaluation.number(value, 0, &sample));
        made.iter_mut().zip(&sample).for_each(|(made, &word)| *made = word.wrapping_sub(made.wrapping_sub(word)));
        let number = evaluation.number(value, 0, &made);
        keyswitch::dither(&mut made, gadget, number);
        assert!(made != sample && seen.insert(made), "{value}");
    }
    Ok(())
}

#[test]
fn modulus_switching_adds_its_predicted_noise_without_bias() {
    let (n, count) = (420, 4000usize);
    for kind in [1u32, 2, 3, 4, 5, 6, 7].map(|length| match length {
        1 => KeyDistribution::Binary,
        _ => KeyDistribution::BlockBinary { length },
    }) {
        // A modulus that is no power of two; a factor of 4 drops the two top bits.
        for (modulus, log2_factor) in [(2048u32, 0), (3 * 2048, 0), (5 * 1024, 2)] {
            let key = LweSecretKey::generate(&secret(13), n, kind);
            let mut stream = MaskStream::new(&mask(14), 0);
            let mut sample = vec![0u32; n + 1];
            let mut out = vec![0u32; n + 1];
            let errors: Vec<f64> = (0..count)
                .map(|_| {
                    stream.fill_u32(&mut sample);
                    mod_switch_into(&mut out, &sample, kind, modulus, log2_factor, 0);
                    assert!(out.iter().all(|&x| x < modulus));
                    let phase = |words: &[u32]| {
                        words[..n]
                            .iter()
                            .zip(key.expose_coefficients())
                            .fold(words[n], |sum, (&a, &s)| sum.wrapping_add(a.wrapping_mul(i32::from(s) as u32)))
                    };
                    let exact = u64::from(phase(&sample) << log2_factor) as f64 / 2f64.powi(32) * f64::from(modulus);
                    let switched = f64::from(phase(&out) % modulus);
                    let error = (switched - exact).rem_euclid(f64::from(modulus));
                    if error > f64::from(modulus) / 2.0 { error - f64::from(modulus) } else { error }
                })
                .collect();
            let predicted = formula::mod_switch(n, kind, 1.0);
            assert_variance(&format!("modulus switch to {modulus}, {kind:?}"), &errors, predicted);
            let mean = errors.iter().sum::<f64>() / count as f64;
            assert!(mean.abs() < 4.0 * (predicted / count as f64).sqrt(), "bias {mean}");
        }
    }
}

#[test]
fn ternary_rounding_is_to_the_nearest() {
    let sample = [0u32, 1 << 31, u32::MAX, (1 << 31) / 2048 - 1, (1 << 31) / 2048 + 1];
    let mut out = [0u32; 5];
    mod_switch_into(&mut out, &sample, KeyDistribution::Ternary, 2048, 0, 0);
    assert_eq!(out, [0, 1024, 0, 0, 1]);
}

#[test]
fn ggsw_rows_encrypt_the_message_times_the_gadget() -> Result<(), Box<dyn std::error::Error>> {
    let (rank, degree) = (2, 64);
    let fft = Fft::new(degree)?;
    let key = GlweSecretKey::generate(&secret(15), rank, degree, KeyDistribution::Binary);
    let gadget = Gadget::try_new(7, 3)?;
    let (std, messages) = (2f64.powi(-40), [1i8, 0, 1, -1]);
    let list = SeededGgswList::encrypt(&key, &fft, gadget, &messages, std, mask(16), &secret(17));
    assert_eq!((list.len(), list.rows()), (4, 9));
    let mut multiplier = MaskMultiplier::new(&fft, &key);
    let mut row_words = vec![0u64; list.shape.words()];
    let mut phase = vec![0u64; degree];
    let mut errors = Vec::new();
    for (i, &message) in messages.iter().enumerate() {
        for row in 0..list.rows() {
            let (j, level) = (row / 3, row % 3 + 1);
            list.expand_row_into(&mut row_words, i, row);
            glwe::phase_into(&mut phase, &row_words, &mut multiplier);
            let factor = (i64::from(message) << (64 - 7 * level)) as u64;
            for (u, &x) in phase.iter().enumerate() {
                let s = if j < rank { i64::from(key.expose_polynomial(j)[u]) } else { i64::from(u == 0) };
                errors.push(torus_difference(x, factor.wrapping_mul(s as u64)));
            }
        }
    }
    assert_variance("GGSW", &errors, std * std);
    Ok(())
}

#[test]
fn external_products_multiply_the_phase() -> Result<(), Box<dyn std::error::Error>> {
    let (rank, degree) = (2, 128);
    let fft = Fft::new(degree)?;
    let key = GlweSecretKey::generate(&secret(18), rank, degree, KeyDistribution::Binary);
    let gadget = Gadget::try_new(9, 2)?;
    let (std, messages) = (2f64.powi(-38), [0i8, 1, -1]);
    let list = SeededGgswList::encrypt(&key, &fft, gadget, &messages, std, mask(19), &secret(20));
    let mut multiplier = MaskMultiplier::new(&fft, &key);
    let mut stream = MaskStream::new(&mask(21), 0);
    let (mut input, mut phase, mut product_phase) = (vec![0u64; list.shape.words()], vec![0; degree], vec![0; degree]);
    let weight = key.as_lwe().expose_coefficients().iter().filter(|&&t| t != 0).count() as f64;
    let dropped = (1.0 + weight) * 2f64.powi(-36) / 12.0;
    let key_noise = 6.0 * degree as f64 * (2f64.powi(18) + 2.0) / 12.0 * std * std;
    for (i, &message) in messages.iter().enumerate() {
        let ggsw = PreparedGgsw::prepare(&list, i, &fft)?;
        let mut scratch = ScratchBuffer::new(ggsw.scratch_bytes());
        let mut errors = Vec::new();
        for _ in 0..16 {
            stream.fill_u64(&mut input);
            glwe::phase_into(&mut phase, &input, &mut multiplier);
            let mut product = vec![0u64; list.shape.words()];
            ggsw.external_product_add(&mut product, &input, &fft, scratch.scratch());
            glwe::phase_into(&mut product_phase, &product, &mut multiplier);
            let expected = phase.iter().map(|&x| x.wrapping_mul(i64::from(message) as u64));
            errors.extend(product_phase.iter().zip(expected).map(|(&x, y)| torus_difference(x, y)));
        }
        let predicted = key_noise + f64::from(message * message) * dropped;
        assert_variance(&format!("external product by {message}"), &errors, predicted);
    }
    Ok(())
}
