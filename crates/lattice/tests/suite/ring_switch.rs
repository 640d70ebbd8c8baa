//! Ring switching and merging against their definitions and their predicted noise.
use crate::packing::{Result, assert_noise, mask, phase, secret, uniform};
use bootes_lattice::Gadget;
use bootes_lattice::extract::sample_extract_into;
use bootes_lattice::glwe::{GlweShape, MaskMultiplier};
use bootes_lattice::lwe;
use bootes_lattice::noise::formula;
use bootes_lattice::noise::measure::torus_difference;
use bootes_lattice::port::RlweCiphertext;
use bootes_lattice::ring_merge::RingMergeKey;
use bootes_lattice::ring_switch::{RingSwitchKey, SeededRingSwitchKey};
use bootes_lattice::rns::RnsSecretKey;
use bootes_lattice::secret::GlweSecretKey;
use bootes_lattice::wire::{Reader, Writer};
use bootes_ring::fft::Fft;
use bootes_ring::pack::pack_words;
use bootes_ring::poly::Limbs;
use bootes_ring::primes;
use bootes_ring::rns::{Division, RnsRing};
use bootes_ring::sample::KeyDistribution;

const BINARY: KeyDistribution = KeyDistribution::Binary;

/// A ciphertext modulo 2^k of these words.
fn ciphertext(k: u32, a: &[u64], b: &[u64]) -> Result<RlweCiphertext> {
    let mut w = Writer::new();
    w.u8(a.len().ilog2() as u8);
    w.u8(k as u8);
    w.u8(1);
    w.u64(2);
    w.u32(a.len() as u32);
    let mut packed = Vec::new();
    let low = |words: &[u64]| words.iter().map(|x| x & ((1 << k) - 1)).collect::<Vec<_>>();
    pack_words(&mut packed, &low(a), k);
    pack_words(&mut packed, &low(b), k);
    w.raw(&packed);
    Ok(RlweCiphertext::read(a.len(), &mut Reader::new(w.as_bytes()))?)
}

struct Setting {
    ring: RnsRing,
    input: RnsSecretKey,
    output: GlweSecretKey,
    fft: Fft,
}

fn setting(degree: usize, weight: u32, shape: GlweShape) -> Result<Setting> {
    let primes: Vec<_> = primes::below(1 << 50, degree).take(2).collect();
    let ring = RnsRing::new(degree, &primes, &[])?;
    let input = RnsSecretKey::generate(&ring, ring.limbs(), &secret(1), KeyDistribution::SparseTernary { weight });
    let output = GlweSecretKey::generate(&secret(2), shape.rank, shape.degree, BINARY);
    Ok(Setting { ring, input, output, fft: Fft::new(shape.degree)? })
}

impl Setting {
    fn key(&self, gadget: Gadget, std: f64) -> Result<RingSwitchKey> {
        let input = self.input.expose_coefficients();
        let key = SeededRingSwitchKey::generate(input, &self.output, &self.fft, gadget, std, mask(3), &secret(4))?;
        let (shape, bodies) =
            (GlweShape { rank: self.output.rank(), degree: self.fft.degree() }, key.bodies().to_vec());
        assert_eq!(SeededRingSwitchKey::from_parts(input.len(), shape, gadget, key.mask_seed(), bodies)?, key);
        Ok(key.prepare()?)
    }

    /// The phase, in words of 2^-64.
    fn expected(&self, x: &RlweCiphertext) -> Result<Vec<u64>> {
        let (encoding, zeros) = (x.encoding(), vec![0; x.degree()]);
        let unit = (-f64::from(encoding.log2_modulus())).exp2();
        // The difference to zeros is the phase, below 2^50.
        let phase = x.errors(&self.ring, &self.input, &zeros)?;
        Ok(phase.iter().map(|e| ((e * unit * 2f64.powi(64)) as i128) as u64).collect())
    }

    /// Errors of all coefficients.
    fn errors(&self, key: &RingSwitchKey, x: &RlweCiphertext) -> Result<Vec<f64>> {
        let (switched, expected, shape) = (key.switch(x)?, self.expected(x)?, key.shape());
        let mut multiplier = MaskMultiplier::new(&self.fft, &self.output);
        let (mut part, mut errors) = (vec![0; shape.words()], vec![0.0; x.degree()]);
        let mut sample = vec![0; shape.lwe_dimension() + 1];
        for class in 0..key.classes() {
            switched.part_into(&mut part, class);
            let phase = phase(&part, &mut multiplier, shape.degree);
            for (u, &phase) in phase.iter().enumerate() {
                let position = class + key.classes() * u;
                errors[position] = torus_difference(phase, expected[position]);
            }
            sample_extract_into(&mut sample, &part, shape, shape.degree - 1);
            assert_eq!(lwe::phase(&sample, self.output.as_lwe()), phase[shape.degree - 1]);
        }
        Ok(errors)
    }
}

#[test]
fn ring_switching_adds_its_predicted_noise() -> Result {
    let cases = [
        // Degree, rank, smaller degree, modulus, gadget, noise: key noise alone, dropped digits alone, both; a digit
        // less than there are; one ring.
        (1024, 1, 256, 24, (8, 3), -34),
        (1024, 2, 128, 32, (11, 3), -40),
        (512, 1, 512, 28, (11, 3), -40),
        (1024, 1, 256, 46, (6, 3), -60),
        (1024, 1, 128, 34, (11, 3), -55),
        (1024, 2, 128, 50, (11, 3), -45),
        (256, 1, 128, 12, (11, 3), -40),
    ];
    for (degree, rank, smaller, k, (log2_base, levels), log2_std) in cases {
        let shape = GlweShape { rank, degree: smaller };
        let (weight, gadget, std) = (64, Gadget::try_new(log2_base, levels)?, 2f64.powi(log2_std));
        let setting = setting(degree, weight, shape)?;
        let key = setting.key(gadget, std)?;
        let mut errors = Vec::new();
        for words in uniform(5, 16, 2 * degree).iter().map(|words| words.split_at(degree)) {
            errors.extend(setting.errors(&key, &ciphertext(k, words.0, words.1)?)?);
        }
        let predicted = formula::ring_switch(degree, weight as usize, gadget, std, k);
        // One key's noise, and rounding errors that neighbours share.
        let independent = (levels as usize * degree).min(errors.len() / 2);
        assert_noise(&format!("{degree} to {rank}·{smaller}, 2^{k}"), &errors, independent, predicted);
    }
    Ok(())
}

/// Digits and bodies at the ends of their ranges, and no mask: nothing overflows, and what has no mask has no noise.
#[test]
fn extreme_words_switch_exactly() -> Result {
    let (degree, k, shape) = (1024, 33, GlweShape { rank: 1, degree: 256 });
    let gadget = Gadget::try_new(11, 3)?;
    let setting = setting(degree, 192, shape)?;
    let key = setting.key(gadget, 2f64.powi(-48))?;
    let most = degree as f64 * 3.0 * 2f64.powi(10) * 2f64.powi(-48) * 8.0;
    let half = 1u64 << (k - 1);
    let digits = (0..3).map(|l| 1u64 << (11 * l + 10)).sum::<u64>();
    for word in [half, half - 1, half + 1, digits, digits - 1, (1 << k) - 1, 1] {
        let alternating: Vec<u64> =
            (0..degree as u64).map(|i| if i % 2 == 0 { word } else { word.wrapping_neg() }).collect();
        for (a, b) in [(&vec![word; degree], &vec![half; degree]), (&alternating, &vec![half - 1; degree])] {
            let errors = setting.errors(&key, &ciphertext(k, a, b)?)?;
            assert!(errors.iter().all(|e| e.abs() < most), "{word:x}");
        }
    }
    let none = setting.errors(&key, &ciphertext(k, &vec![0; degree], &vec![half - 1; degree])?)?;
    assert!(none.iter().all(|&e| e == 0.0));
    Ok(())
}

#[test]
fn other_rings_and_digits_are_refused() -> Result {
    let shape = GlweShape { rank: 1, degree: 256 };
    let gadget = Gadget::try_new(11, 3)?;
    let from = |degree, gadget, words| SeededRingSwitchKey::from_parts(degree, shape, gadget, mask(1), vec![0; words]);
    assert!(from(512, gadget, 3 * 512).is_ok() && from(512, gadget, 512).is_err());
    assert!(from(128, gadget, 3 * 128).is_err() && from(384, gadget, 3 * 384).is_err());
    assert!(from(512, Gadget::try_new(32, 1)?, 512).is_err());
    let key = from(512, gadget, 3 * 512)?.prepare()?;
    assert!(key.switch(&ciphertext(20, &[0; 256], &[0; 256])?).is_err());
    Ok(())
}

/// A ring of two primes, of 45 and 40 bits, and keys.
fn merge_setting(degree: usize, shape: GlweShape) -> Result<(RnsRing, GlweSecretKey, RnsSecretKey)> {
    let first = primes::below(1 << 45, degree).take(1);
    let primes: Vec<_> = first.chain(primes::below(1 << 40, degree).take(1)).collect();
    let ring = RnsRing::new(degree, &primes, &[])?;
    let input = GlweSecretKey::generate(&secret(2), shape.rank, shape.degree, BINARY);
    let distribution = KeyDistribution::SparseTernary { weight: 64 };
    let output = RnsSecretKey::generate(&ring, ring.limbs(), &secret(1), distribution);
    Ok((ring, input, output))
}

/// The error of each coefficient, in turns.
fn merge_errors(
    ring: &RnsRing,
    (input, output): (&GlweSecretKey, &RnsSecretKey),
    key: &RingMergeKey,
    parts: &[Option<Vec<u64>>],
) -> Result<Vec<f64>> {
    let merged = key.merge(ring, &Division::new(ring, Limbs::chain(2), 1), parts);
    let q = ring.modulus(Limbs::chain(1), 0).value() as f64;
    let found = output.phase(ring, &merged);
    let fft = Fft::new(input.degree())?;
    let mut multiplier = MaskMultiplier::new(&fft, input);
    let mut errors = vec![0.0; ring.degree()];
    for (j, part) in parts.iter().enumerate() {
        let expected = match part {
            Some(part) => phase(part, &mut multiplier, input.degree()),
            None => vec![0; input.degree()],
        };
        for (u, &expected) in expected.iter().enumerate() {
            let i = j + parts.len() * u;
            let error = found.limb(0)[i] / q - expected as f64 * 2f64.powi(-64);
            errors[i] = error - error.round();
        }
    }
    Ok(errors)
}

#[test]
fn ring_merging_adds_its_predicted_noise() -> Result {
    // Degree, rank, smaller degree, gadget, noise: rounding alone; the key's noise; dropped digits; one ring.
    let cases = [
        (1024, 1, 256, (15, 3), 3.19),
        (1024, 2, 128, (15, 3), 1e12),
        (512, 1, 256, (8, 4), 3.19),
        (256, 1, 256, (15, 3), 1e13),
    ];
    for (degree, rank, smaller, (log2_base, levels), std) in cases {
        let shape = GlweShape { rank, degree: smaller };
        let gadget = Gadget::try_new(log2_base, levels)?;
        let (ring, input, output) = merge_setting(degree, shape)?;
        let key = RingMergeKey::generate(&ring, &input, &output, gadget, std.into(), &secret(7))?;
        let mut errors = Vec::new();
        for words in uniform(9, 8, (rank + 1) * degree) {
            let parts: Vec<_> = words.chunks_exact(shape.words()).map(|part| Some(part.to_vec())).collect();
            errors.extend(merge_errors(&ring, (&input, &output), &key, &parts)?);
        }
        let [log2_q, log2_first] = [2, 1].map(|count| ring.log2(Limbs::chain(count)));
        let predicted = formula::ring_merge(shape, BINARY, gadget, degree, std, [log2_q, log2_first], 64);
        let independent = (rank * levels as usize * degree).min(errors.len() / 2);
        assert_noise(&format!("{rank}·{smaller} to {degree}"), &errors, independent, predicted);
    }
    Ok(())
}

/// Nothing, some parts, and words at the ends of their ranges.
#[test]
fn parts_that_are_zero_stay_so() -> Result {
    let (degree, shape) = (1024, GlweShape { rank: 1, degree: 256 });
    let (gadget, (ring, input, output)) = (Gadget::try_new(15, 3)?, merge_setting(degree, shape)?);
    let key = RingMergeKey::generate(&ring, &input, &output, gadget, 3.19.into(), &secret(7))?;
    let none = merge_errors(&ring, (&input, &output), &key, &[None, None, None, None])?;
    assert!(none.iter().all(|&e| e == 0.0));
    for word in [1 << 63, (1 << 63) - 1, u64::MAX, 0x4000_2000_1000_0000] {
        let part = Some(vec![word; shape.words()]);
        let errors = merge_errors(&ring, (&input, &output), &key, &[None, part.clone(), None, part])?;
        assert!(errors.iter().all(|e| e.abs() < 2f64.powi(-34)), "{word:x}");
    }
    Ok(())
}
