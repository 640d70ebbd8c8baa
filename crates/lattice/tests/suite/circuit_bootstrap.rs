//! Spreading and GGSW ciphertexts of samples against their definitions and their predicted noise.
use crate::packing::{Result, assert_noise, mask, phase, secret, slices, uniform};
use bootes_lattice::Gadget;
use bootes_lattice::circuit_bootstrap::{SeededSchemeSwitchKey, ggsws_of_samples, ggsws_scratch_bytes};
use bootes_lattice::external::PreparedGgsw;
use bootes_lattice::glwe::{GlweShape, MaskMultiplier};
use bootes_lattice::keyswitch::SeededTraceKey;
use bootes_lattice::lwe;
use bootes_lattice::noise::formula::{self, GlweKeySwitch};
use bootes_lattice::noise::measure::torus_difference;
use bootes_lattice::secret::GlweSecretKey;
use bootes_ring::fft::Fft;
use bootes_ring::mem::ScratchBuffer;
use bootes_ring::sample::KeyDistribution;

const BINARY: KeyDistribution = KeyDistribution::Binary;

#[test]
fn samples_are_spread_with_their_predicted_noise() -> Result {
    let (gadget, std) = (Gadget::try_new(7, 4)?, 2f64.powi(-38));
    for (rank, degree, count) in [(1, 256, 1), (1, 256, 8), (2, 64, 8), (1, 1024, 4)] {
        let (fft, shape) = (Fft::new(degree)?, GlweShape { rank, degree });
        let (mut messages, mut others) = (Vec::new(), Vec::new());
        for key_seed in 10..14 {
            let key = GlweSecretKey::generate(&secret(key_seed), rank, degree, BINARY);
            let trace = SeededTraceKey::generate(&key, gadget, std, mask(2), &secret(3))?.prepare(&fft)?;
            let mut scratch = ScratchBuffer::new(trace.spread_scratch_bytes(count));
            let mut multiplier = MaskMultiplier::new(&fft, &key);
            let mut out = vec![0u64; count * shape.words()];
            for inputs in uniform(key_seed, 192usize.next_multiple_of(count), rank * degree + 1).chunks_exact(count) {
                trace.spread_into(&mut out, &slices(inputs), &fft, scratch.scratch())?;
                for (glwe, input) in out.chunks_exact(shape.words()).zip(inputs) {
                    let found = phase(glwe, &mut multiplier, degree);
                    messages.push(torus_difference(found[0], lwe::phase(input, key.as_lwe())));
                    others.extend(found[1..].iter().map(|&x| torus_difference(x, 0)));
                }
            }
        }
        let parameters = GlweKeySwitch { shape, distribution: BINARY, gadget, key_std: std };
        let predicted = formula::spread(&parameters, count);
        assert_noise(&format!("spread k={rank} N={degree} M={count}"), &messages, messages.len(), predicted.message);
        assert_noise(
            &format!("spread k={rank} N={degree} M={count}, others"),
            &others,
            others.len() / 4,
            predicted.other,
        );
    }
    Ok(())
}

/// Bits without a pattern.
fn mask_bit(number: u64) -> bool {
    number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 63 == 1
}

#[test]
fn made_ggsw_ciphertexts_multiply_by_their_bits_with_the_predicted_noise() -> Result {
    let (degree, bits) = (512, [1u64, 0, 1]);
    let (fft, shape) = (Fft::new(degree)?, GlweShape { rank: 1, degree });
    let (keys, key_std) = (Gadget::try_new(5, 9)?, 2f64.powi(-48));
    for (log2_base, levels, log2_std) in [(8, 2, -26), (5, 4, -26), (6, 4, -50)] {
        let (gadget, std) = (Gadget::try_new(log2_base, levels)?, 2f64.powi(log2_std));
        let (mut errors, mut steered, mut number) = (Vec::new(), Vec::new(), 0);
        for key_seed in 20..36 {
            let key = GlweSecretKey::generate(&secret(key_seed), 1, degree, BINARY);
            let trace = SeededTraceKey::generate(&key, keys, key_std, mask(2), &secret(3))?.prepare(&fft)?;
            let switch = SeededSchemeSwitchKey::generate(&key, &fft, keys, key_std, mask(4), &secret(5))?;
            let switch = switch.prepare(&fft)?;
            let count = bits.len() * levels as usize;
            let mut samples = uniform(key_seed, count, degree + 1);
            for (i, sample) in samples.iter_mut().enumerate() {
                let message = bits[i / levels as usize] << gadget.shift::<u64>(i as u32 % levels + 1);
                // Of one size, so that few samples tell.
                number += 1;
                let noise = if mask_bit(number) { std } else { -std } * 2f64.powi(64);
                let difference =
                    message.wrapping_add(noise as i64 as u64).wrapping_sub(lwe::phase(sample, key.as_lwe()));
                sample[degree] = sample[degree].wrapping_add(difference);
            }
            let mut ggsws = Vec::new();
            for _ in bits {
                ggsws.push(PreparedGgsw::empty(shape, gadget, &fft)?);
            }
            let bytes = ggsws_scratch_bytes(&trace).max(ggsws[0].scratch_bytes());
            let mut scratch = ScratchBuffer::new(bytes);
            ggsws_of_samples(&mut ggsws, &slices(&samples), &trace, &switch, &fft, scratch.scratch())?;
            let mut multiplier = MaskMultiplier::new(&fft, &key);
            for input in uniform(key_seed, 12, shape.words()) {
                for (ggsw, bit) in ggsws.iter().zip(bits) {
                    let mut product = vec![0u64; shape.words()];
                    ggsw.cmux_add(&mut product, &mut input.clone(), &fft, scratch.scratch());
                    if bit == 1 {
                        let expected = phase(&input, &mut multiplier, degree);
                        let found = phase(&product, &mut multiplier, degree);
                        errors.extend(found.iter().zip(expected).map(|(&x, y)| torus_difference(x, y)));
                    }
                }
            }
            // Masks of which what is dropped adds up under a key of mean ½.
            let kept = log2_base * levels;
            for mut input in uniform(key_seed, 12, shape.words()).into_iter().filter(|_| kept < 60) {
                for (j, word) in input[..degree].iter_mut().enumerate() {
                    let most = (1 << (62 - kept)) + (1 << (61 - kept));
                    *word = (*word >> (64 - kept) << (64 - kept)).wrapping_add(if j == 0 {
                        most
                    } else {
                        most.wrapping_neg()
                    });
                }
                let expected = phase(&input, &mut multiplier, degree)[0];
                let mut product = vec![0u64; shape.words()];
                ggsws[0].cmux_add(&mut product, &mut input, &fft, scratch.scratch());
                let error = torus_difference(phase(&product, &mut multiplier, degree)[0], expected);
                steered.push(if bits[0] == 1 { error } else { 0.0 });
            }
        }
        let parameters = GlweKeySwitch { shape, distribution: BINARY, gadget: keys, key_std };
        let predicted = formula::made_ggsw(&parameters, gadget, std * std).sum();
        let mean = steered.iter().sum::<f64>() / steered.len().max(1) as f64;
        let most = 0.75 * 0.25 * degree as f64 * 2f64.powi(-((log2_base * levels) as i32));
        println!("steered: {mean:.2e}, {most:.2e} with the key's mean; deviation {:.2e}", predicted.sqrt());
        assert!(mean.abs() < 0.1 * most + predicted.sqrt(), "steered by {mean}");
        // The errors of a product have much in common.
        let what = format!("product by a made GGSW, B = 2^{log2_base}, d = {levels}, samples of 2^{log2_std}");
        assert_noise(&what, &errors, errors.len() / 64, predicted);
    }
    Ok(())
}

#[test]
fn impossible_ggsw_ciphertexts_are_refused() -> Result {
    let fft = Fft::new(64)?;
    let gadget = Gadget::try_new(7, 4)?;
    let wide = GlweSecretKey::generate(&secret(1), 2, 64, BINARY);
    assert!(SeededSchemeSwitchKey::generate(&wide, &fft, gadget, 1e-9, mask(1), &secret(2)).is_err());
    let key = GlweSecretKey::generate(&secret(1), 1, 64, BINARY);
    let trace = SeededTraceKey::generate(&key, gadget, 1e-9, mask(1), &secret(2))?.prepare(&fft)?;
    let switch = SeededSchemeSwitchKey::generate(&key, &fft, gadget, 1e-9, mask(3), &secret(4))?.prepare(&fft)?;
    let mut ggsws = [PreparedGgsw::empty(trace.shape(), Gadget::try_new(4, 4)?, &fft)?];
    let mut scratch = ScratchBuffer::new(ggsws_scratch_bytes(&trace));
    let samples = uniform(1, 3, 65);
    let made = ggsws_of_samples(&mut ggsws, &slices(&samples), &trace, &switch, &fft, scratch.scratch());
    assert_eq!(
        made.unwrap_err().to_string(),
        "number of samples for GGSW ciphertexts is 3, expected one for each level of each"
    );
    Ok(())
}
