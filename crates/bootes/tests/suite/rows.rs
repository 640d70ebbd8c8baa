//! Bounds of vectors that are cut, put together and combined, with engine fhew.
use bootes::{CiphertextReader, Ciphertexts, Client, Error, Lut, Params, Server};

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn client(set: &str, seed: u8) -> Result<Client, Error> {
    Ok(Client::from_seed(&Params::named(set)?, &[seed; 32]))
}

fn reread(ciphertexts: &Ciphertexts) -> Result<Ciphertexts, Error> {
    Ciphertexts::read(&ciphertexts.write(Vec::new())?[..])
}

fn values(count: usize) -> Vec<u64> {
    (0..count as u64).map(|i| (i * 7 + i / 16) % 16).collect()
}

/// Vectors of several encryptions are as small as these, in files too; what was added to all values is no larger.
#[test]
fn fresh_vectors_stay_small() -> Outcome {
    let client = client("toy_4", 11)?;
    let (x, y) = (client.encrypt(values(300))?, client.encrypt(values(200))?);
    let parts = [x.slice(200..)?, y.slice(..150)?, x.slice(..200)?, y.slice(150..)?];
    let all = reread(&Ciphertexts::concat(&parts)?)?;
    assert!(all.stored_bytes() < x.stored_bytes() + y.stored_bytes() + 200);
    assert_eq!(all.noise_variance(), x.noise_variance());
    let expected = [&values(300)[200..], &values(150), &values(200), &values(200)[150..]].concat();
    assert_eq!(client.decrypt_residues(&all)?, expected);
    let middle = reread(&all.slice(90..260)?)?;
    assert_eq!(client.decrypt_residues(&middle)?, expected[90..260]);
    // In their order again they are the vectors that they were.
    let again = Ciphertexts::concat([&all.slice(250..450)?, &all.slice(..100)?])?;
    assert_eq!(again.write(Vec::new())?, x.write(Vec::new())?);
    // Twice the same value is dependent, values of one encryption are not.
    let growth = |x: &Ciphertexts| Ok::<_, Error>(x.linear_map(&[[1, 1]])?.noise_variance() / x.noise_variance());
    let pair = |i: usize, j: usize| reread(&Ciphertexts::concat([&all.slice(i..i + 1)?, &all.slice(j..j + 1)?])?);
    assert!((growth(&pair(7, 7)?)? - 4.0).abs() < 1e-9 && (growth(&pair(7, 3)?)? - 2.0).abs() < 1e-9);
    let moved = reread(&all.add_constant(3)?)?;
    assert_eq!((moved.stored_bytes(), moved.noise_variance()), (all.stored_bytes(), all.noise_variance()));
    assert_eq!(client.decrypt_residues(&moved)?, expected.iter().map(|x| (x + 3) % 16).collect::<Vec<_>>());
    let sum = Ciphertexts::weighted_sum([(0, &middle), (1, &all.slice(..170)?)])?;
    assert!(sum.stored_bytes() < 8 * 170 + 400);
    Ok(())
}

#[test]
fn integers_have_the_range_of_all() -> Outcome {
    let client = client("toy_4", 4)?;
    let (x, y) = (client.encrypt_within([-3, 1], -3..=1, 3)?, client.encrypt_within([0, 4], 0..=4, 3)?);
    let both = reread(&Ciphertexts::concat([&x, &y])?)?;
    assert_eq!(client.decrypt(&both)?, [-3, 1, 0, 4]);
    assert_eq!(both.space().range(), (-3..=4).into());
    assert_eq!(both.slice(..1)?.space(), both.space());
    let (low, high) = (x.as_integers(-14..=1)?, y.as_integers(0..=15)?);
    assert!(matches!(Ciphertexts::concat([&low, &high]), Err(Error::Overflow { .. })));
    assert!(matches!(Ciphertexts::concat([&x, &y.as_residues()?]), Err(Error::Operands { .. })));
    Ok(())
}

/// The bounds: variances of columns add up, rows that share a column meet, and what is measured is within.
#[test]
fn bounds_of_rows_follow_what_they_share() -> Outcome {
    const COUNT: usize = 512;
    let client = Client::from_seed(&Params::named("toy_8")?, &[6; 32]);
    let values: Vec<u64> = (0..COUNT as u64).map(|i| i * 11 % 256).collect();
    let noise = |ciphertexts: &Ciphertexts, expected: &[u64]| {
        let noise = client.measure_noise(ciphertexts, expected)?;
        Ok::<_, Error>(noise.iter().map(|e| e * e).sum::<f64>() / expected.len() as f64)
    };
    let of = |sums: &dyn Fn(u64) -> u64| values.iter().map(|&x| sums(x) % 256).collect::<Vec<_>>();
    let [x, y, z] = [(); 3].map(|()| client.encrypt(&values));
    let (x, y, z) = (x?, y?, z?);
    let fresh = x.noise_variance();
    let near = |found: f64, expected: f64| assert!((found / expected - 1.0).abs() < 1e-9, "{found} {expected}");
    let rows = Ciphertexts::linear_columns([&x, &y, &z], &[[3, 4, 0], [0, 1, 2], [0, 0, 1]])?;
    for (row, (growth, factor)) in rows.iter().zip([(25.0, 7), (5.0, 3), (1.0, 1)]) {
        near(row.noise_variance(), growth * fresh);
        // The deviation of a variance from 512 samples is 6 %.
        let measured = noise(row, &of(&|x| factor * x))?;
        assert!((0.7..1.3).contains(&(measured / row.noise_variance())), "{measured:e}");
    }
    // Rows that share y, 5 + √5, and those that share nothing, 25 + 1; from a file the same, and the rounding in it.
    near(rows[0].add(&rows[1])?.noise_variance(), (5.0 + 5f64.sqrt()).powi(2) * fresh);
    near(rows[0].add(&rows[2])?.noise_variance(), 26.0 * fresh);
    let reread = Ciphertexts::read(&rows[0].write(Vec::new())?[..])?;
    let stated = reread.noise_variance();
    near(reread.add(&rows[1])?.noise_variance(), (stated.sqrt() + rows[1].noise_variance().sqrt()).powi(2));
    near(reread.add(&rows[2])?.noise_variance(), stated + fresh);
    assert!(noise(&reread.add(&rows[1])?, &of(&|x| 10 * x))? < 1.3 * reread.add(&rows[1])?.noise_variance());
    // Columns of one origin: standard deviations, as in x + x.
    let twice = Ciphertexts::linear_columns([&x, &x], &[[1, 1]])?;
    near(twice[0].noise_variance(), 4.0 * fresh);
    // Slices keep bound and origin; their neighbours' sums too, whose sum is bounded by its parts.
    let (left, right) = (x.slice(..COUNT / 2)?, x.slice(COUNT / 2..)?);
    near(left.noise_variance(), fresh);
    near(left.add(&right)?.noise_variance(), 4.0 * fresh);
    near(left.add(&y.slice(..COUNT / 2)?)?.noise_variance(), 2.0 * fresh);
    let ones = [vec![1; COUNT - 1]];
    let neighbours = x.slice(1..)?.add(&x.slice(..COUNT - 1)?)?;
    let all = neighbours.linear_map(&ones)?;
    near(all.noise_variance(), 4.0 * (COUNT - 1) as f64 * fresh);
    // The same value twice in a vector, and values of two vectors.
    let pair = [[1, 1]];
    let (one, other) = (x.slice(..1)?, y.slice(..1)?);
    near(Ciphertexts::concat([&one, &one])?.linear_map(&pair)?.noise_variance(), 4.0 * fresh);
    near(Ciphertexts::concat([&one, &other])?.linear_map(&pair)?.noise_variance(), 2.0 * fresh);
    let again = Ciphertexts::concat([&one, &x.slice(1..2)?])?;
    near(again.linear_map(&pair)?.noise_variance(), 2.0 * fresh);
    // The noisiest counts.
    let mixed = Ciphertexts::concat([&one, &rows[0], &other])?;
    near(mixed.noise_variance(), 25.0 * fresh);
    Ok(())
}

/// Results of slices are the slices of results: they know that they meet.
#[test]
fn results_of_slices_meet_those_of_the_whole() -> Outcome {
    let client = Client::from_seed(&Params::named("toy_4")?, &[7; 32]);
    let server = Server::new(client.server_key()?)?;
    let identity = Lut::modular((0..16).collect(), 16)?;
    let x = client.encrypt([1, 2, 3, 4])?;
    let (whole, half) = (server.evaluate(&identity, &x)?, server.evaluate(&identity, &x.slice(2..)?)?);
    assert_eq!(client.decrypt(&half)?, [3, 4]);
    let sum = half.add(&whole.slice(2..)?)?;
    assert!((sum.noise_variance() / half.noise_variance() - 4.0).abs() < 1e-9);
    // Twice the same ciphertext gives two results of independent noise.
    let twice = Ciphertexts::concat([&x.slice(..1)?, &x.slice(..1)?])?;
    let results = server.evaluate(&identity, &twice)?;
    let ratio = results.linear_map(&[[1, 1]])?.noise_variance() / results.noise_variance();
    assert!((ratio - 2.0).abs() < 1e-9, "{ratio}");
    Ok(())
}

/// (a, b) + (b, a) holds one ciphertext twice: its noise adds up in full, that of tables of it does not.
#[test]
fn sums_in_another_order_are_not_independent() -> Outcome {
    let client = Client::from_seed(&Params::named("toy_4")?, &[7; 32]);
    let server = Server::new(client.server_key()?)?;
    let [a, b] = [client.encrypt([1])?, client.encrypt([2])?];
    let [ab, ba] = [Ciphertexts::concat([&a, &b])?, Ciphertexts::concat([&b, &a])?];
    let sum = ab.add(&ba)?;
    let ratio = sum.linear_map(&[[1, 1]])?.noise_variance() / sum.noise_variance();
    assert!((ratio - 4.0).abs() < 1e-9, "{ratio}");
    let lut = Lut::new((0..16).map(|x| x / 2).collect(), 4)?;
    let of_file = |x: &Ciphertexts| Ciphertexts::read(&x.write(Vec::new())?[..]);
    let file = sum.write(Vec::new())?;
    let reader = CiphertextReader::new(&file[..])?;
    let plan = server.plan(&lut, reader.head())?;
    let streamed = server.run_to(&plan, vec![reader], vec![Vec::new()])?;
    let independent = server.evaluate(&lut, &client.encrypt([3, 3])?)?.linear_map(&[[1, 1]])?;
    for results in [
        server.evaluate(&lut, &sum)?,
        server.evaluate(&lut, &of_file(&ab)?.add(&of_file(&ba)?)?)?,
        Ciphertexts::read(&streamed[0][..])?,
    ] {
        assert_eq!(client.decrypt(&results)?, [1, 1]);
        let ratio = results.linear_map(&[[1, 1]])?.noise_variance() / independent.noise_variance();
        assert!((0.9..1.1).contains(&ratio), "{ratio}");
    }
    Ok(())
}
