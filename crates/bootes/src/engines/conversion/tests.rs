//! Noise as statistics, and bounds that hold what they say.
use bootes_lattice::noise::failure::log2_failure as normal_failure;
use bootes_lattice::noise::failure::over_keys::{counted, log2_failure, sigmas_for};
use bootes_schemes::ckks::noise::{ErrorBound, SlotNoise};
use bootes_testkit::stats::{Moments, mean_interval, variance_interval};

use super::batch::Batch;
use super::*;
use crate::engines::{ClientKey, Encryptor, EngineCiphertexts, EngineClient, EngineRows};
use crate::fhew::tests::corpus::{read, write};
use crate::{Interval, Space};

fn here() -> How {
    How::default()
}

fn batch(set: &str) -> Result<ckks::Client, Error> {
    ckks::Client::generate(&ckks::Params::by_name(set)?)
}

/// What is added to fresh ones, with masks of as many bits as digits have, and of more, which are rounded; and to those
/// of few bits. Noise is that of keys, of which there are several.
#[test]
fn conversions_add_the_noise_that_is_said() -> Result<(), Error> {
    const KEYS: usize = 6;
    for (from, to, compressed) in [
        ("toy_batch_4bit", "toy_4", false),
        ("toy_batch_4bit", "toy_4_binary", true),
        ("toy_batch_6bit", "toy_8", false),
        ("toy_batch_integers", "toy_int16", false),
        ("toy_batch_integers", "toy_wide_4", false),
    ] {
        let (batch, single) = (batch(from)?, fhew::Client::generate(&fhew::Params::by_name(to)?)?);
        let n = batch.params().capacity();
        let values: Vec<i128> = (0..n as i128).map(|i| (i * 5 + 3) % 8).collect();
        let x = match from {
            "toy_batch_integers" => batch.encrypt_within(&values, Interval { min: 0, max: 7 }, 3)?,
            _ => batch.encrypt_modulo(&values, 8)?,
        };
        let x = if compressed { x.compressed_alone()? } else { x };
        let before = batch.measure_noise(&x, &values)?;
        let mut added = Vec::new();
        for _ in 0..KEYS {
            let y = ToSingle::generate(&batch, &single)?.convert(&x, &Positions::All, &here())?;
            let after = single.measure_noise(&y, &values)?;
            let measured = after.iter().map(|e| e * e).sum::<f64>() / n as f64;
            assert!(measured < 1.3 * y.noise_variance(), "{from} to {to}: {measured:e} of {:e}", y.noise_variance());
            added.extend(after.iter().zip(&before).map(|(after, before)| after - before));
        }
        let weight = batch.params().literal().weight as usize;
        let predicted = single.params().ring_switch_variance(n, weight, x.log2_modulus());
        let moments = Moments::of(&added);
        // Rounding errors of masks are the same for all keys, and of neighbours times one secret; those of a key are
        // multiplied with all masks.
        let independent = n / 2;
        let (low, high) = variance_interval(moments.variance, independent, 0.999_99);
        eprintln!(
            "{from} to {to}: 2^{:.2}, {:.3} of the prediction",
            moments.variance.log2() / 2.0,
            moments.variance / predicted
        );
        assert!((low..=high).contains(&predicted), "{from} to {to}: {:e} of {predicted:e}", moments.variance);
        let (low, high) = mean_interval(&Moments { count: independent, ..moments }, 0.999_99);
        assert!(low <= 0.0 && 0.0 <= high, "{from} to {to}: mean {:e}", moments.mean);
    }
    Ok(())
}

/// What packing, merging and rounding add to single values, all of a batch and few of them.
#[test]
fn conversions_to_a_batch_add_the_noise_that_is_said() -> Result<(), Error> {
    for (from, to, count) in [
        ("toy_4", "toy_batch_4bit", 1024),
        ("toy_4_binary", "toy_batch_6bit", 1024),
        ("toy_8", "toy_batch_9bit", 1024),
        ("toy_int16", "toy_batch_integers", 700),
        ("toy_wide_4", "toy_batch_4bit", 1024),
    ] {
        let (single, batch) = (fhew::Client::generate(&fhew::Params::by_name(from)?)?, batch(to)?);
        let key = ToBatch::generate(&single, &batch)?;
        let (mut added, mut said) = (Vec::new(), 0.0);
        let modulus = [8, 16][usize::from(from == "toy_8")];
        let values: Vec<i128> = (0..count).map(|i| (i * 5 + 3) % modulus).collect();
        for _ in 0..4 {
            let x = single.encrypt_modulo(&values, modulus as u64)?;
            let y = key.convert(&x, &Positions::All, &here())?;
            assert_eq!(batch.decrypt_integers(&y)?, values, "{from} to {to}");
            let [before, after] = [single.measure_noise(&x, &values)?, batch.measure_noise(&y, &values)?];
            added.extend(after.iter().zip(&before).map(|(after, before)| after - before));
            said = y.noise_variance() - counted(x.noise_variance());
        }
        let moments = Moments::of(&added);
        // Rounding errors of masks are in several values each.
        let (low, high) = variance_interval(moments.variance, added.len() / 2, 0.999_99);
        eprintln!(
            "{from} to {to}: 2^{:.2}, {:.3} of what is said",
            moments.variance.log2() / 2.0,
            moments.variance / said
        );
        assert!((low..=1.03 * high).contains(&said), "{from} to {to}: {:e} of {said:e}", moments.variance);
        let (low, high) = mean_interval(&Moments { count: added.len() / 2, ..moments }, 0.999_99);
        assert!(low <= 0.0 && 0.0 <= high, "{from} to {to}: mean {:e}", moments.mean);
    }
    Ok(())
}

/// Of vectors: what half a bootstrapping, switching and rounding leave; and what is packed and merged under a key whose
/// errors are multiples of p^e, as it stands in the port before the other half.
#[test]
fn conversions_of_vectors_add_the_noise_that_is_said() -> Result<(), Error> {
    for (set, to) in [("toy_slots_7", "toy_4"), ("toy_slots_13", "toy_4_binary")] {
        let params = bfv::Params::by_name(set)?;
        let (p, n) = (params.modulus(), params.degree());
        let vectors = bfv::Client::generate(&params)?;
        let single = fhew::Client::generate(&fhew::Params::by_name(to)?)?;
        let key = vectors.server_key(&crate::engines::KeyRequest::default(), &mut |_| ())?;
        let server = bfv::Server::within(key, None, None)?;
        let how = How { server: Some(Arc::new(Of::Bfv(server))), threads: Some(1), ..here() };
        let values: Vec<i128> = (0..240).map(|i| (i * 5 + i / 7) % i128::from(p)).collect();
        let x = vectors.encrypt_modulo(&values, p)?;
        let (mut out, mut back, mut said) = (Vec::new(), Vec::new(), 0.0);
        for _ in 0..6 {
            let y = ToSingle::generate(&vectors, &single)?.convert(&x, &Positions::All, &how)?;
            out.extend(single.measure_noise(&y, &values)?);
            assert!(y.noise_variance() >= single.params().ring_switch_variance(n, 64, 50), "{set}");
            // As many as there are coefficients, of which a vector has few: noise is that of all.
            let key = ToBatch::generate(&single, &vectors)?;
            let fresh = single.encrypt_modulo(&values, p)?;
            let (variance, encoding, _) = params.bound(&key.from.0, &fresh)?;
            said = variance - counted(fresh.noise_variance());
            let before = single.measure_noise(&fresh, &values)?;
            let k = params.slots().count();
            let samples: Vec<_> = (0..values.len()).map(|i| fresh.slice(i..i + 1)).collect::<Result<_, _>>()?;
            for start in (0..values.len()).step_by(k) {
                let of = |i: usize| samples[start + i].samples();
                let block = key.block((key.expanded()?, encoding), k, of, (&how, &|_| ()))?;
                let mut expected = vec![0; n];
                let place = |i: usize| params.coefficient(i);
                (0..k).try_for_each(|i| place(i).map(|at| expected[at] = values[start + i] as u64))?;
                let errors = block.errors(params.ring(), vectors.keys.key(), &expected)?;
                for i in 0..k {
                    back.push(errors[place(i)?] / f64::from(encoding.log2_modulus()).exp2() - before[start + i]);
                }
            }
        }
        let switched = single.params().ring_switch_variance(n, 64, 50);
        let size = params.bootstrap()?.expect("it has maps").port_size(x.state())?;
        let predicted = switched + (size.average.exp2() / params.prime(0)).powi(2);
        for (what, errors, predicted) in [("out", out, predicted), ("back", back, said)] {
            let moments = Moments::of(&errors);
            let (low, high) = variance_interval(moments.variance, errors.len() / 4, 0.999_99);
            let ratio = moments.variance / predicted;
            eprintln!("{set}, {what}: 2^{:.2}, {ratio:.3} of what is said", moments.variance.log2() / 2.0);
            assert!((low..=1.03 * high).contains(&predicted), "{set}, {what}: {ratio}");
            let (low, high) = mean_interval(&Moments { count: errors.len() / 4, ..moments }, 0.999_99);
            assert!(low <= 0.0 && 0.0 <= high, "{set}, {what}: mean {:e}", moments.mean);
        }
    }
    Ok(())
}

/// A bias that counts as a variance: no probability is said to be less than it is, whatever noise is added.
#[test]
fn a_bias_counts_for_all_that_it_costs() -> Result<(), Error> {
    let (batch, single) = (batch("toy_batch_4bit")?, fhew::Client::generate(&fhew::Params::by_name("toy_4")?)?);
    let key = ToSingle::generate(&batch, &single)?;
    let (space, switch) = (Space::Modular(16), single.params().ring_switch_variance(1024, 192, 28));
    let window = space.half_step();
    for bias in [0.0, 1e-6, 1e-4, 1e-3, 4e-3] {
        for std in [0.0, 1e-5, 1e-4, 1e-3] {
            let error = ErrorBound { bias, noise: SlotNoise::flat(std * std) };
            let Ok(bound) = key.variance(error, space, 28) else { continue };
            for more in [0.0, 1e-8, 1e-7, 1e-6, 1e-5] {
                let said = log2_failure(window, (bound + more).sqrt());
                if said <= single.params().log2_p_fail() {
                    // With the factor that failures over keys count with.
                    let all = (1.03 * (std * std + switch + more)).sqrt();
                    assert!(normal_failure(window - bias, all) - 1.0 <= said + 1e-6, "{bias} {std} {more}: {said}");
                }
            }
        }
    }
    Ok(())
}

/// Where the promise would be broken, and a set that has it.
#[test]
fn values_that_are_too_noisy_are_refused() -> Result<(), Error> {
    let (batch, single) = (batch("toy_batch_4bit")?, fhew::Client::generate(&fhew::Params::by_name("toy_4")?)?);
    let key = ToSingle::generate(&batch, &single)?;
    let flat = |std: f64| ErrorBound { bias: 0.0, noise: SlotNoise::flat(std * std) };
    let edge = 1.0 / 32.0 / sigmas_for(-64.0);
    assert!(key.variance(flat(0.999 * edge), Space::Modular(16), 28).is_ok());
    for std in [1.001, 3.0] {
        let error = key.variance(flat(std * edge), Space::Modular(16), 28).unwrap_err();
        let line = error.to_string();
        assert!(error.kind() == crate::ErrorKind::Noise && !line.contains('\n'), "{line}");
        let cure = "identity, or take messages of fewer bits";
        assert!(line.contains("toy_4 that it leads to promises 2^-64") && line.contains(cure), "{line}");
    }
    Ok(())
}

/// Keys of all default sets, as secure as the set: rows are GLWE samples of its own noise.
#[test]
fn keys_of_default_sets_are_as_secure_as_the_sets() {
    for set in FhewParams::all().iter().filter(|set| set.is_default()) {
        let security = set.public_security().expect("there are estimates for default sets");
        assert!(security.standard_bits >= 128.0 && security.strict_bits >= 128.0, "{}", set.name());
        // From the batch's degree, whose masks have 24 to 50 bits.
        for k in [24, 32, 50] {
            assert!(set.ring_switch_variance(1 << 16, 192, k).log2() < -60.0, "{}", set.name());
        }
    }
}

/// The expanded key has the size that memory is asked for.
#[test]
fn expanded_keys_have_the_size_that_is_said() -> Result<(), Error> {
    let (batch, single) = (batch("toy_batch_4bit")?, fhew::Client::generate(&fhew::Params::by_name("toy_4")?)?);
    let key = ToSingle::generate(&batch, &single)?;
    assert_eq!(key.expanded(&here())?.bytes(), key.key.prepared_bytes());
    Ok(())
}

/// Version 13: keys of conversions.
#[test]
fn files_of_version_13_are_still_read() -> Result<(), Error> {
    let key = ConversionKey::read_within(None, &*read("v13/conversion.key"))?;
    let (batch, single) =
        (ckks::Client::from_bytes(&read("v3/client.key"))?, fhew::Client::from_bytes(&read("v1/client.key"))?);
    let fresh = ckks::Ciphertexts::read_within(None, &*read("v3/fresh.ct"))?;
    let Of::Fhew(converted) = key.convert(&Of::Ckks(fresh.clone()), &Positions::All, &here())? else {
        panic!("single values")
    };
    assert_eq!(single.decrypt_integers(&converted)?, batch.decrypt_integers(&fresh)?);
    assert!(key.write(Vec::new())? == read("v13/conversion.key"));
    let key = ConversionKey::read_within(None, &*read("v13/back.key"))?;
    let fresh = fhew::Ciphertexts::read_within(None, &*read("v1/fresh.ct"))?;
    let Of::Ckks(converted) = key.convert(&Of::Fhew(fresh.clone()), &Positions::All, &here())? else {
        panic!("a batch")
    };
    assert_eq!(batch.decrypt_integers(&converted)?, single.decrypt_integers(&fresh)?);
    assert!(key.write(Vec::new())? == read("v13/back.key"));
    Ok(())
}

#[test]
#[ignore = "writes files"]
fn write_the_corpus_of_version_13() -> Result<(), Error> {
    let (batch, single) =
        (ckks::Client::from_bytes(&read("v3/client.key"))?, fhew::Client::from_bytes(&read("v1/client.key"))?);
    let key = ConversionKey::ToSingle(ToSingle::generate(&batch, &single)?);
    write("v13/conversion.key", &key.write(Vec::new())?);
    let key = ConversionKey::ToBatch(ToBatch::generate(&single, &batch)?);
    write("v13/back.key", &key.write(Vec::new())?);
    Ok(())
}

/// Sets as they are shipped, all values of a ciphertext; how long it takes is printed.
#[test]
#[ignore = "some seconds, and a gigabyte"]
fn conversions_of_shipped_sets_add_the_noise_that_is_said() -> Result<(), Error> {
    for (from, to) in [
        ("batch_1bit", "fhew_1bit_2m128"),
        ("batch_8bit", "fhew_8bit_2m128"),
        ("batch_16bit", "fhew_table16_2m128"),
        ("batch_integers", "fhew_int16_2m128"),
    ] {
        let (batch, single) = (batch(from)?, fhew::Client::generate(&fhew::Params::by_name(to)?)?);
        let n = batch.params().capacity();
        let (values, most) = ((0..n as i128), 1 << batch.params().literal().bits);
        let x = match from {
            "batch_16bit" => batch.encrypt_unsigned(&values.collect::<Vec<_>>(), 16)?,
            "batch_integers" => batch.encrypt_integers(&values.map(|x| x - (1 << 15)).collect::<Vec<_>>(), 16)?,
            _ => batch.encrypt(&values.map(|x| x % most).collect::<Vec<_>>())?,
        };
        let values = batch.decrypt_integers(&x)?;
        let key = ToSingle::generate(&batch, &single)?;
        let seconds = |start: std::time::Instant| start.elapsed().as_secs_f64();
        let start = std::time::Instant::now();
        key.expanded(&here())?;
        let expanded = seconds(start);
        let start = std::time::Instant::now();
        let picked: Vec<usize> = (0..30).map(|i| (i * 40_503 + 7) % n).collect();
        let y = key.convert(&x, &Positions::These(&picked), &here())?;
        let thirty = seconds(start);
        let expected: Vec<i128> = picked.iter().map(|&i| values[i]).collect();
        assert_eq!(single.decrypt_integers(&y)?, expected, "{from} to {to}");
        let few: Vec<usize> = (0..n).step_by(16).collect();
        let start = std::time::Instant::now();
        let y = key.convert(&x, &Positions::These(&few), &here())?;
        let many = seconds(start);
        let values: Vec<i128> = few.iter().map(|&i| values[i]).collect();
        assert_eq!(single.decrypt_integers(&y)?, values, "{from} to {to}");
        let errors = single.measure_noise(&y, &values)?;
        let moments = Moments::of(&errors);
        eprintln!(
            "{from} to {to}: key {} B, expanded in {expanded:.3} s; 30 values {thirty:.4} s, {} values {many:.4} s; \
             noise 2^{:.2}, said 2^{:.2} of a batch's 2^{:.2}; budget {:.1} bits",
            key.key_bytes(),
            few.len(),
            moments.variance.log2() / 2.0,
            y.noise_variance().log2() / 2.0,
            x.noise_variance().log2() / 2.0,
            y.noise_budget(),
        );
        assert!(moments.variance < 1.3 * y.noise_variance(), "{from} to {to}");
        // The way back, of a thousand of them, and of thirty.
        let key = ToBatch::generate(&single, &batch)?;
        let start = std::time::Instant::now();
        key.expanded()?;
        let expanded = seconds(start);
        let [thirty, thousand] = [30, 1000].map(|count| {
            let start = std::time::Instant::now();
            let picked: Vec<usize> = (0..count).collect();
            key.convert(&y, &Positions::These(&picked), &here()).map(|z| (z, seconds(start)))
        });
        let ((_, thirty), (z, thousand)) = (thirty?, thousand?);
        let values = &values[..1000];
        assert_eq!(batch.decrypt_integers(&z)?, values, "{to} to {from}");
        let moments = Moments::of(&batch.measure_noise(&z, values)?);
        eprintln!(
            "{to} to {from}: key {} B, expanded in {expanded:.3} s; 30 values {thirty:.3} s, 1000 values \
             {thousand:.3} s; noise 2^{:.2}, said 2^{:.2} of 2^{:.2}; budget {:.1} bits",
            key.key_bytes(),
            moments.variance.log2() / 2.0,
            z.noise_variance().log2() / 2.0,
            y.noise_variance().log2() / 2.0,
            z.noise_budget(),
        );
        assert!(moments.variance < 1.3 * z.noise_variance(), "{to} to {from}");
    }
    Ok(())
}
