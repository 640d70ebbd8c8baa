//! Results in few bytes: right, of the noise that is predicted, within the promise, and for decryption alone.
use crate::engines::of::Of;
use crate::fhew::compress::{added_variance, fewest};
use crate::fhew::plan::{Serving, best};
use crate::fhew::room::is_served;
use crate::fhew::samples::{Bits, Form};
use crate::{CiphertextReader, Ciphertexts, Client, Error, IntegerOp, Lut, Objective, Params, Server, Space};
use bootes_lattice::noise::failure::over_keys::log2_failure;
use bootes_schemes::fhew::{FhewParams, KeyNeeds};
use bootes_testkit::sampled;
use bootes_testkit::stats::{Moments, mean_interval, variance_interval};

type Outcome = Result<(), Error>;

fn pair(params: &str) -> Result<(Client, Server), Error> {
    let client = Client::from_seed(&Params::named(params)?, &[78; 32]);
    let server = Server::builder(client.server_key_builder().compression().build()?).threads(2).build()?;
    Ok((client, server))
}

fn bits(x: &Ciphertexts) -> Bits {
    match &x.0 {
        Of::Fhew(x) => match x.cursor().samples.form {
            Form::Packed(_, bits) => bits,
            _ => panic!("not compressed"),
        },
        _ => panic!("of another engine"),
    }
}

/// Values less than a power of two, one alone, more than a packed ciphertext holds; those of two limbs, and wide words.
#[test]
fn values_come_back() -> Outcome {
    let mut others = 0;
    for (set, counts) in [
        ("toy_4", &[1, 3, 256, 700][..]),
        ("toy_4_binary", &[5, 130]),
        ("toy_8", &[3]),
        ("toy_wide_4", &[257]),
        ("toy_wide_4_rank2", &[2]),
    ] {
        let (client, server) = pair(set)?;
        let p = 1 << client.params().bits();
        for &count in counts {
            let values: Vec<i64> = (0..count).map(|i| i * 7 % p).collect();
            let x = client.encrypt(&values)?.mul_small(-1)?;
            let expected: Vec<i64> = values.iter().map(|v| (p - v) % p).collect();
            let y = server.compress(&x)?;
            assert_eq!(client.decrypt(&y)?, expected, "{set}, {count} values");
            assert!(y.is_compressed() && (y.len(), y.space()) == (x.len(), x.space()));
            let bytes = y.to_bytes()?;
            assert_eq!(bytes.len() as u64, y.stored_bytes());
            let again = Ciphertexts::from_bytes(&bytes)?;
            assert!(again.to_bytes()? == bytes && again.noise_variance() == y.noise_variance());
            assert_eq!(client.decrypt(&again)?, expected);
            assert_eq!(client.decrypt_from(CiphertextReader::new(&bytes[..])?)?, expected);
            let streamed = server.compress_from(CiphertextReader::new(&x.to_bytes()?[..])?)?;
            assert_eq!((client.decrypt(&streamed)?, streamed.stored_bytes()), (expected.clone(), y.stored_bytes()));
            // Cut and put together they stay so.
            let middle = values.len() / 2;
            let halves = [again.slice(middle..)?, y.slice(..middle)?];
            let turned = Ciphertexts::from_bytes(&Ciphertexts::concat(&halves)?.to_bytes()?)?;
            assert!(turned.is_compressed());
            assert_eq!(client.decrypt(&turned)?, [&expected[middle..], &expected[..middle]].concat());
            assert!(matches!(Ciphertexts::concat([&y, &x]), Err(Error::Compressed { .. })));
            // Of other words.
            let mut noisy = client.encrypt([3])?;
            while noisy.noise_budget() > 3.0 {
                noisy = noisy.add(&noisy)?;
            }
            let noisy = server.compress(&noisy.mul_small(noisy.noise_budget().exp2() as i64)?)?;
            others += u32::from(bits(&noisy).masks > bits(&y).masks);
            let both = Ciphertexts::from_bytes(&Ciphertexts::concat([&noisy, &y])?.to_bytes()?)?;
            assert_eq!(client.decrypt(&both)?[1..], expected);
            assert_eq!(bits(&both).masks, bits(&noisy).masks);
        }
        assert_eq!(server.compress(&client.encrypt([0; 0])?)?.len(), 0);
    }
    assert!(others > 3, "{others} of other words");
    let (client, server) = pair("toy_int16")?;
    let values = [-2_147_483_648, -1, 0, 65_536, 2_147_483_647];
    let long = client.encrypt_integers(values, 32)?;
    let short = server.evaluate(IntegerOp::Max, [&long, &client.encrypt_integers([0; 5], 32)?])?;
    for (x, expected) in [(long, values), (short, [0, 0, 0, 65_536, 2_147_483_647])] {
        let y = Ciphertexts::from_bytes(&server.compress(&x)?.to_bytes()?)?;
        assert_eq!((client.decrypt(&y)?, y.space()), (expected.to_vec(), x.space()));
    }
    Ok(())
}

/// What would not get smaller stays as it is: a few fresh values, whose masks are seeds.
#[test]
fn what_is_small_stays_as_it_is() -> Outcome {
    let (client, server) = pair("toy_4")?;
    let (few, more) = (client.encrypt([3, 5])?, client.encrypt(vec![7; 30])?);
    let joined = Ciphertexts::concat([&more.slice(10..)?, &few])?;
    for x in [few, more, joined] {
        let file = x.to_bytes()?;
        for y in [server.compress(&x)?, server.compress_from(CiphertextReader::new(&file[..])?)?] {
            assert!(!y.is_compressed() && y.to_bytes()? == file, "{} bytes", file.len());
            assert_eq!(client.decrypt(&y)?, client.decrypt(&x)?);
        }
    }
    // Of many each has less than a word of its own.
    let many = client.encrypt(vec![7; 600])?;
    assert!(server.compress(&many)?.stored_bytes() < many.stored_bytes());
    Ok(())
}

/// What compression adds, value by value, has the variance that is said, and no mean.
fn check_noise(client: &Client, [x, y]: [&Ciphertexts; 2], values: &[i64]) -> Outcome {
    let [before, after] = [client.measure_noise(x, values)?, client.measure_noise(y, values)?];
    let added: Vec<f64> = before.iter().zip(after).map(|(x, y)| y - x).collect();
    let (predicted, moments) = (y.noise_variance() - x.noise_variance(), Moments::of(&added));
    let set = client.params();
    eprintln!("{}: {:.3} of the predicted deviation", set.name(), (moments.variance / predicted).sqrt());
    let (low, high) = variance_interval(moments.variance, added.len(), 0.999_999);
    assert!((low..=high).contains(&predicted), "{}: {:e} of {predicted:e}", set.name(), moments.variance);
    let (low, high) = mean_interval(&moments, 0.999_999);
    assert!(low <= 0.0 && 0.0 <= high, "{}: mean {:e}", set.name(), moments.mean);
    Ok(())
}

#[test]
fn noise_is_the_predicted() -> Outcome {
    for (set, count) in [("toy_4", 1024), ("toy_4_binary", 1000), ("toy_8", 1024), ("toy_wide_4", 512)] {
        let (client, server) = pair(set)?;
        let values: Vec<i64> = (0..count).map(|i| i % 16).collect();
        // Masks of their own, and no two alike.
        let x = client.encrypt(&values)?.add(&client.encrypt(vec![0; values.len()])?)?;
        check_noise(&client, [&x, &server.compress(&x)?], &values)?;
    }
    Ok(())
}

/// The key of compression serves faster algorithms, too: results have a quarter of a bit less of their budget at most,
/// and no more noise than is said.
#[test]
fn the_key_of_compression_takes_no_budget() -> Outcome {
    for set in sampled(["toy_4", "toy_4_binary", "toy_8"], 2) {
        let (client, server) = pair(set)?;
        let plain = Server::new(client.server_key()?)?;
        let bits = client.params().bits();
        let p = 1i64 << bits;
        let values: Vec<i64> = (0..400).map(|i| i * 7 % p).collect();
        let x = client.encrypt(&values)?;
        let tables: [fn(i64) -> i64; 3] = [|x| x, |x| x * x, |x| x * 5 / 3 + 1];
        for (number, table) in tables.into_iter().enumerate() {
            let image = |x: i64| table(x) % p;
            let lut = Lut::modular((0..p).map(|x| image(x) as u64).collect(), p as u64)?;
            let expected: Vec<i64> = values.iter().map(|&x| image(x)).collect();
            let (alone, beside) = (plain.evaluate(&lut, &x)?, server.evaluate(&lut, &x)?);
            let lost = alone.noise_budget() - beside.noise_budget();
            assert!(lost <= 0.26, "{set}, table {number}: {lost} bits of {}", alone.noise_budget());
            let noise = Moments::of(&client.measure_noise(&beside, &expected)?);
            let (low, _) = variance_interval(noise.variance, values.len(), 0.999_999);
            let said = beside.noise_variance();
            eprintln!(
                "{set}, table {number}: {lost:.3} bits lost, {:.3} of the deviation",
                (noise.variance / said).sqrt()
            );
            assert!(low <= said, "{set}, table {number}: {:e} of {said:e}", noise.variance);
        }
    }
    Ok(())
}

/// Keys of a set, and these.
struct With<'a>(&'a FhewParams, KeyNeeds);

impl Serving for With<'_> {
    fn params(&self) -> &FhewParams {
        self.0
    }

    fn missing(&self, needs: &KeyNeeds) -> KeyNeeds {
        if is_served(self.0, needs, &self.1) { KeyNeeds::default() } else { needs.clone() }
    }
}

/// The same of all default sets, as it is planned.
#[test]
fn tables_are_as_quiet_beside_the_key_of_compression() -> Outcome {
    for params in FhewParams::all().iter().filter(|set| set.name().starts_with("fhew_")) {
        let (fresh, promised) = (params.fresh_variance(), params.log2_p_fail());
        let own = crate::fhew::Params(params.clone()).integer_keys();
        let keys = [With(params, own.clone()), With(params, own.and(params.compression_keys()))];
        let p = 1 << params.bits().min(8);
        let tables = [Lut::unstructured_modulo(p), Lut::modular((0..p).collect(), p)?];
        for (number, lut) in tables.iter().enumerate() {
            let [alone, beside] =
                keys.each_ref().map(|keys| best(keys, lut, None, fresh, promised, Objective::default()));
            let ((_, alone), (_, beside)) = (alone?, beside?);
            let [alone, beside] = [alone, beside].map(|circuit| circuit.noise(params, fresh).output_variance.sqrt());
            assert!((beside / alone).log2() <= 0.26, "{}, table {number}: {beside:e} of {alone:e}", params.name());
        }
    }
    Ok(())
}

/// As few bits as keep the promise: one less would break it, whatever noise there is, up to where none would do.
#[test]
fn the_promise_is_kept() -> Outcome {
    let sets = FhewParams::all().iter().chain(FhewParams::wide());
    for params in sets.filter(|set| !set.name().starts_with("paper_")) {
        let (space, half_step) = (Space::of_bits(params.bits()), 0.5 * (-f64::from(params.bits())).exp2());
        let promised = params.log2_p_fail();
        let failure = |variance: f64| log2_failure(half_step, variance.sqrt());
        // The noise that just keeps the promise, and part of it.
        let std = half_step / bootes_lattice::noise::failure::over_keys::sigmas_for(promised);
        for (part, samples) in [(1e-9, 2048), (0.3, 1), (0.9, 5000), (0.999, 2048)] {
            let variance = (part * std).powi(2).max(params.fresh_variance());
            let bits = fewest(params, space, &variance.into(), samples)?;
            assert!(failure(variance + added_variance(params, bits)) <= promised, "{}: {bits:?}", params.name());
            let fewer = Bits { masks: bits.masks - 1, ..bits };
            assert!(failure(variance + added_variance(params, fewer)) > promised, "{}: {bits:?}", params.name());
        }
        // What to do instead takes a while to find.
        if params.name().starts_with("toy_") {
            let refused = fewest(params, space, &(1.000_001 * std.powi(2)).into(), 1).unwrap_err();
            assert!(matches!(refused, Error::NoiseBudget { .. }), "{}: {refused}", params.name());
        }
    }
    // Results of tables take so many bytes each, of thousands.
    for (set, most) in [("fhew_8bit_2m128", 4.01), ("fhew_8bit_2m64", 4.01), ("fhew_4bit_2m128", 3.01)] {
        let params = FhewParams::by_name(set)?;
        let variance = params.blind_rotation_variance();
        let bits = fewest(&params, Space::of_bits(params.bits()), &variance.into(), 2048)?;
        let bytes = f64::from(bits.masks * params.shape().rank as u32 + bits.bodies) / 8.0;
        assert!(bytes <= most, "{set}: {bytes} bytes a value");
    }
    Ok(())
}

#[test]
fn compressed_ciphertexts_are_for_decryption_alone() -> Outcome {
    let (client, server) = pair("toy_4")?;
    let x = client.encrypt([3, 5])?.add(&client.encrypt([0, 0])?)?;
    let y = server.compress(&x)?;
    let identity = Lut::modular((0..16).collect(), 16)?;
    let plan = server.plan(&identity, &x)?;
    for (what, refused) in [
        ("sum", x.add(&y)),
        ("difference", y.sub(&y)),
        ("multiple", y.mul_small(3)),
        ("constant", y.add_constant(1)),
        ("constants", y.add_constants(&[1, 2])),
        ("map", y.linear_map(&[[1, 1]])),
        ("table", server.evaluate(&identity, &y)),
        ("plan", server.run(&plan, &y).map(|mut all| all.remove(0))),
        ("again", server.compress(&y)),
    ] {
        let refused = refused.unwrap_err();
        assert!(matches!(refused, Error::Compressed { .. }), "{what}: {refused}");
    }
    // Before and after, of another key, and without the key.
    let (other, _) = pair("toy_4_binary")?;
    let refused = server.compress(&other.encrypt([1])?).unwrap_err();
    assert!(matches!(refused, Error::OtherParams { .. }), "{refused}");
    let stranger = Client::from_seed(&client.params(), &[79; 32]);
    assert!(matches!(server.compress(&stranger.encrypt([1])?), Err(Error::OtherKey { .. })));
    assert!(matches!(stranger.decrypt(&y), Err(Error::OtherKey { .. })));
    let plain = Server::new(client.server_key()?)?;
    assert!(matches!(plain.compress(&x), Err(Error::CompressionKey { .. })));
    // Little room is fewer threads, and too little is said.
    let key = client.server_key_builder().compression().build()?;
    let room = server.key_bytes() + (3 << 20);
    let small = Server::builder(key).memory(room).build()?;
    assert_eq!(client.decrypt(&small.compress(&x)?)?, [3, 5]);
    let refused = small.compress(&client.encrypt(vec![1; 20_000])?.mul_small(3)?).unwrap_err();
    assert!(matches!(refused, Error::Memory { .. } | Error::CiphertextMemory { .. }), "{refused}");
    Ok(())
}

/// A set in earnest: results of a table, at most 16 bytes each.
#[test]
fn results_of_a_real_set_are_small() -> Outcome {
    let (client, server) = pair("fhew_4bit_2m128")?;
    let square = Lut::modular((0..16).map(|x| x * x % 16).collect(), 16)?;
    let results = server.evaluate(&square, &client.encrypt(0..4)?)?;
    // Concatenations of results are results: 300 of them.
    let results = Ciphertexts::concat(vec![&results; 75])?;
    let sent = server.compress(&results)?.to_bytes()?;
    assert!(sent.len() < 16 * 300, "{} bytes", sent.len());
    let (received, values) = (Ciphertexts::from_bytes(&sent)?, [0, 1, 4, 9].repeat(75));
    assert_eq!(client.decrypt(&received)?, values);
    check_noise(&client, [&results, &received], &values)?;
    assert!(bits(&received).masks < 16);
    Ok(())
}
