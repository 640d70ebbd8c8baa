//! Vectors with room for some products in a row and no bootstrapping, through the door.
use bootes::planner::{Offer, Request};
use bootes::{
    Ciphertexts, Client, Engine, Error, FailureTarget, Load, Lut, Params, Plan, PlanRequest, Program, Server,
    ServerKey, Space,
};
use bootes_testkit::sampled;

fn server(client: &Client) -> Result<Server, Error> {
    // As a file, as keys come.
    let mut file = Vec::new();
    client.server_key()?.write(&mut file)?;
    Server::builder(ServerKey::read(&file[..])?).threads(1).build()
}

/// A secure set, from file to file: products and sums of all slots, to the depth that it is for.
#[test]
fn a_product_takes_a_few_megabytes() -> Result<(), Error> {
    let p = 65537;
    let params = Params::for_vectors_to_depth(p, 1)?;
    assert_eq!((params.name(), params.depth(), params.modulus()), ("slots_65537_depth_1", Some(1), Some(p)));
    assert!(params.security().is_some_and(|security| security.standard >= 132.0) && params.is_default());
    let client = Client::generate(&params)?;
    let client = Client::from_bytes(&client.export_secret_bytes())?;
    let key = client.server_key()?;
    let (bytes, bootstrapped) = (key.stored_bytes(), Params::for_vectors(p)?.key_memory()?);
    assert!(bytes < 6_000_000 && 100 * bytes < bootstrapped, "{bytes} and {bootstrapped} bytes");
    assert!(params.key_memory()? >= bytes && params.key_memory()? < 40_000_000, "{}", params.key_memory()?);
    let server = server(&client)?;
    // The largest and the smallest values, as often as there are slots.
    let k = params.capacity();
    let x: Vec<u64> = (0..k as u64).map(|i| if i % 3 == 0 { p - 1 } else { p / 2 + i % 2 }).collect();
    let y: Vec<u64> = (0..k as u64).map(|i| [p / 2, p - 1, 0, 1][i as usize % 4]).collect();
    let public = client.public_key()?;
    let inputs = [client.encrypt(&x)?, public.encrypt(&y)?];
    let sent = inputs.iter().map(|x| x.to_bytes()).collect::<Result<Vec<_>, _>>()?;
    assert!(sent[0].len() < 16 * k && sent[0].len() < sent[1].len(), "{} bytes", sent[0].len());
    let inputs = sent.iter().map(|x| Ciphertexts::from_bytes(x)).collect::<Result<Vec<_>, _>>()?;
    let program = Program::parse("dot(swap(x), rot(y, -1)); x*y - 3*x; (x - y)*(x - y)", &[])?;
    let plan = server.plan(&program, &inputs)?;
    assert!(plan.log2_p_fail() <= -128.0 && !plan.to_string().contains("bootstrapping"), "{plan}");
    // As it was sent.
    let request: PlanRequest = serde_json::from_str(&serde_json::to_string(&plan.request()?).unwrap()).unwrap();
    let plan: Plan = server.plan_again(&request)?;
    let found = server.run(&plan, &inputs)?;
    let columns = k / 2;
    let rotated = |i: usize| y[i / columns * columns + (i % columns + columns - 1) % columns];
    let dot = (0..k).map(|i| x[(i + columns) % k] * rotated(i) % p).sum::<u64>() % p;
    let expected = [
        vec![dot; k],
        (0..k).map(|i| (x[i] * y[i] + (p - 3) * x[i]) % p).collect(),
        (0..k).map(|i| (x[i] + p - y[i]).pow(2) % p).collect(),
    ];
    for (found, expected) in found.iter().zip(&expected) {
        let small = server.compress(found)?;
        assert!(small.to_bytes()?.len() < found.to_bytes()?.len() || small.noise_budget() == found.noise_budget());
        for result in [found, &small] {
            let read = Ciphertexts::from_bytes(&result.to_bytes()?)?;
            assert_eq!(client.decrypt_residues(&read)?, *expected);
        }
    }
    Ok(())
}

/// What there is no room for is refused, with the depth that it takes: what is advised is right.
#[test]
fn the_refusal_of_a_deep_program_is_followed() -> Result<(), Error> {
    let client = Client::from_seed(&Params::named("toy_slots_257_depth_1")?, &[3; 32]);
    let server = server(&client)?;
    let x = client.encrypt([1, 2, 256])?;
    let program = Program::parse("dot(x, x)^16 + x", &[])?;
    let error = server.plan(&program, &x).map(drop).unwrap_err().to_string();
    let said = "no room with parameter set toy_slots_257_depth_1, which is for 1 product in a row and bootstraps \
                nothing: \
                it takes a depth of 5; make keys of the set toy_slots_257_depth_5";
    assert!(error.ends_with(said) && !error.contains('\n'), "{error}");
    let set = error.split(' ').next_back().unwrap();
    let client = Client::from_seed(&Params::named(set)?, &[3; 32]);
    let deeper = self::server(&client)?;
    let found = deeper.evaluate(&program, &client.encrypt([1, 2, 256])?)?;
    let power = (0..16).fold(1, |power, _| power * 6 % 257);
    assert_eq!(client.decrypt_residues(&found)?, [power + 1, power + 2, (power + 256) % 257]);
    // Results have the room that they have, and say so.
    let mut y = x.clone();
    let refused = loop {
        match server.multiply(&y, &y) {
            Ok(square) => y = square,
            Err(error) => break error.to_string(),
        }
    };
    assert!(refused.contains("make keys of the set toy_slots_257_depth_2"), "{refused}");
    // Sums need no server, and are refused where nothing could be decrypted.
    let mut sum = y;
    let refused = loop {
        match sum.add(&sum) {
            Ok(twice) => sum = twice,
            Err(error) => break error.to_string(),
        }
    };
    let said = "x + y has no room with parameter set toy_slots_257_depth_1";
    assert!(refused.starts_with(said) && refused.ends_with("keys of the set toy_slots_257_depth_2"), "{refused}");
    Ok(())
}

#[test]
fn tables_count_their_products() -> Result<(), Error> {
    let lut = Lut::modular((0..17).map(|x| x * x * x % 17).collect(), 17)?;
    let other = Lut::modular((0..17).map(|x| (x * 5 + 3) % 17 / 2).collect(), 17)?;
    let client = Client::from_seed(&Params::named("toy_slots_17_depth_4")?, &[4; 32]);
    let server = server(&client)?;
    let values: Vec<u64> = (0..client.params().capacity() as u64).map(|i| i % 17).collect();
    let x = client.encrypt(&values)?;
    for lut in [&lut, &other] {
        let expected: Vec<u64> = values.iter().map(|&x| lut.values()[x as usize]).collect();
        assert_eq!(client.decrypt_residues(&server.evaluate(lut, &x)?)?, expected);
    }
    // What a table leaves is there for the next.
    let (twice, client) = (
        Program::parse("f(f(x))", &[("f", &lut)])?,
        Client::from_seed(&Params::named("toy_slots_17_depth_8")?, &[4; 32]),
    );
    let deeper = self::server(&client)?;
    let x = client.encrypt(&values)?;
    let expected: Vec<u64> = values.iter().map(|&x| (0..9).fold(1, |power, _| power * x % 17)).collect();
    for found in [deeper.evaluate(&twice, &x)?, deeper.evaluate(&lut, &deeper.evaluate(&lut, &x)?)?] {
        assert_eq!(client.decrypt_residues(&found)?, expected);
    }
    let few = Params::named("toy_slots_17_depth_1")?;
    let error = few.predict(&other, &Load::of(1)).unwrap_err().to_string();
    let set = error.split("make keys of the set ").nth(1).unwrap_or_else(|| panic!("{error}"));
    Params::named(set)?.predict(&other, &Load::of(1))?;
    Ok(())
}

/// The prime that a refusal names.
fn named(refusal: &str) -> u64 {
    let digits = refusal.split("such as ").nth(1).and_then(|rest| rest.split(|c: char| !c.is_ascii_digit()).next());
    digits.and_then(|digits| digits.parse().ok()).unwrap_or_else(|| panic!("{refusal}"))
}

/// Moduli that no set with bootstrapping has: distances of points with coordinates of 13 bits.
#[test]
fn large_primes_hold_exact_integers() -> Result<(), Error> {
    let most = 8119u64;
    // No prime, and the refusal names one that is near.
    let refused = Params::for_vectors_to_depth(2 * most * most + 1000, 1).unwrap_err().to_string();
    let p: u64 = named(&refused);
    assert!(p > 2 * most * most && p < 2 * most * most + (1 << 20), "{refused}");
    let client = Client::from_seed(&Params::for_vectors_to_depth(p, 1)?, &[5; 32]);
    assert_eq!(client.params().capacity(), 8192);
    let (server, k) = (server(&client)?, 2048);
    let point = |i: u64| [(i * 7919) % (most + 1), (i * 104_729) % (most + 1)];
    let columns = [0, 1].map(|axis| (0..k).map(|i| point(i)[axis]).collect::<Vec<_>>());
    let inputs = [client.encrypt(&columns[0])?, client.encrypt(&columns[1])?, client.encrypt(vec![most; k as usize])?];
    let program = Program::parse("(x - a)^2 + (y - a)^2", &[])?;
    let order = [&inputs[0], &inputs[2], &inputs[1]];
    let found = client.decrypt_residues(&server.evaluate(&program, order)?)?;
    let expected = (0..k).map(|i| point(i).iter().map(|x| (most - x).pow(2)).sum::<u64>()).collect::<Vec<_>>();
    assert_eq!(found, expected);
    Ok(())
}

/// Programs take keys of their depth, or those that bootstrap where rows are to be as long as with these, or where
/// nothing else has the room.
#[test]
fn programs_take_the_keys_of_least_time() -> Result<(), Error> {
    let offer = |text: &str, p: u64, values: usize| -> Result<Offer, Error> {
        let (function, space) = (Program::parse(text, &[])?.into(), Space::Modular(p));
        let load = Load { threads: 1, ..Load::of(values) };
        Request { function, space, target: FailureTarget::Two128 }.offer(Engine::Bfv, &load)
    };
    for (text, p, values, set) in [
        ("x*y", 65537, 100, "slots_65537_depth_1"),
        ("x*y", 65537, 100_000, "slots_65537_depth_1"),
        ("dot(x, y)", 65537, 8192, "slots_65537_depth_1"),
        ("dot(x, y)", 65537, 8193, "slots_65537_depth_1_ring_14"),
        ("dot(x, y)", 65537, 32769, "slots_65537"),
        ("rot(x, 1)*y", 65537, 10, "slots_65537_depth_1_ring_15"),
        ("rot(x, 1)*y", 257, 10, "slots_257_depth_1"),
        ("x^3 - 5*x", 65_929_217, 10, "slots_65929217_depth_2"),
        ("rot(x, 1)*swap(y)", 65_929_217, 10, "slots_65929217_depth_1"),
        ("((x^1000000)^1000000)^1000000", 257, 10, "slots_257"),
    ] {
        let found = offer(text, p, values)?;
        assert_eq!(found.params.name(), set, "{text} modulo {p} on {values}");
    }
    let deep = offer("((x^1000000)^1000000)^1000000", 65_929_217, 1).map(drop).unwrap_err().to_string();
    assert!(deep.contains("for 1 product in a row") && deep.ends_with("take fewer products in a row"), "{deep}");
    // What is no modulus of vectors is refused with what is.
    let other = offer("x*y", 65_929_218, 1).map(drop).unwrap_err().to_string();
    let near: u64 = named(&other);
    offer("x*y", near, 1)?;
    Ok(())
}

/// Of a chain of a thousand bits and more, where fresh noise is less than any number beside the modulus.
#[test]
fn fresh_noise_of_a_deep_set_is_told() -> Result<(), Error> {
    let x = Client::from_seed(&Params::named("toy_slots_257_depth_40")?, &[6; 32]).encrypt([1])?;
    assert!(x.noise_budget() > 1000.0 && x.noise_variance() > 0.0, "{}", x.noise_budget());
    Ok(())
}

/// Values modulo 2^k, one a ciphertext: all that needs no slots, from file to file.
/// Ciphertexts of one vector may be multiplied by constants of any size: what files tell of the first holds for all.
#[test]
fn products_with_public_vectors_have_one_bound() -> Result<(), Error> {
    for (t, len, large) in [(1u64 << 16, 3, 32_767), (1 << 39, 3, (1 << 38) - 1), (257, 300, 127)] {
        let client = Client::generate(&Params::for_vectors_to_depth(t, 1)?)?;
        let server = server(&client)?;
        let x: Vec<u64> = (0..len as u64).map(|i| (5 + 2 * i) % t).collect();
        let mut w = vec![1; len];
        w[len - 2] = large;
        let (mut found, mut expected) = (client.encrypt(&x)?, x);
        let square = Program::parse("x*x", &[])?;
        for _ in 0..6 {
            let Ok(product) = found.mul_constants(&w) else { break };
            let times = |(x, w): (&u64, &i64)| (u128::from(*x) * *w as u128 % u128::from(t)) as u64;
            (found, expected) = (product, expected.iter().zip(&w).map(times).collect());
            let read = Ciphertexts::from_bytes(&found.to_bytes()?)?;
            assert!((read.noise_budget() - found.noise_budget()).abs() < 1e-9);
            assert_eq!(client.decrypt_residues(&read)?, expected);
            for x in [&found, &read] {
                if let Ok(squares) = server.evaluate(&square, x) {
                    let squared: Vec<u64> =
                        expected.iter().map(|&x| (u128::from(x) * u128::from(x) % u128::from(t)) as u64).collect();
                    assert_eq!(client.decrypt_residues(&squares)?, squared, "modulo {t}");
                }
            }
        }
    }
    Ok(())
}

#[test]
fn powers_of_two_have_a_value_a_ciphertext() -> Result<(), Error> {
    let t = 1u64 << 32;
    let params = Params::for_vectors_to_depth(t, 1)?;
    assert_eq!((params.name(), params.capacity(), params.slot_shape()), ("slots_4294967296_depth_1", 1, Some([1, 1])));
    assert!(params.security().is_some_and(|security| security.standard >= 132.0) && params.is_default());
    let client = Client::from_bytes(&Client::generate(&params)?.export_secret_bytes())?;
    assert!(client.server_key()?.stored_bytes() < 1_000_000 && params.key_memory()? < 20_000_000);
    let server = server(&client)?;
    let (x, y) = ([t - 1, t / 2, 0, 123_456_789, 1], [t - 1, 3, t / 2, 987_654_321, t / 2]);
    let sent = [client.encrypt(x)?.to_bytes()?, client.public_key()?.encrypt(y)?.to_bytes()?];
    let inputs = [Ciphertexts::from_bytes(&sent[0])?, Ciphertexts::from_bytes(&sent[1])?];
    let [a, b] = &inputs;
    assert_eq!((a.ciphertexts(), a.space()), (5, Space::Modular(t)));
    let each = |f: &dyn Fn(i128, i128) -> i128| -> Vec<u64> {
        x.iter().zip(y).map(|(&x, y)| f(x.into(), y.into()).rem_euclid(t.into()) as u64).collect()
    };
    // Without keys.
    for (found, expected) in [
        (a.add(b)?, each(&|x, y| x + y)),
        (b.sub(a)?, each(&|x, y| y - x)),
        (a.mul_small(-77)?, each(&|x, _| -77 * x)),
        (a.add_constant(1 << 31)?, each(&|x, _| x + (1 << 31))),
        (a.add_constants(&y.map(|y| y as i64))?, each(&|x, y| x + y)),
        (a.mul_constants(&y.map(|y| y as i64))?, each(&|x, y| x * y)),
        (Ciphertexts::weighted_sum([(3, a), (-5, b)])?, each(&|x, y| 3 * x - 5 * y)),
        (Ciphertexts::concat([&a.slice(..2)?, &a.slice(2..)?])?, each(&|x, _| x)),
        (
            Ciphertexts::concat([&a.slice(..2)?.mul_small(3)?, &b.slice(2..)?])?,
            [&each(&|x, _| 3 * x)[..2], &y[2..]].concat(),
        ),
        (a.linear_map(&[[1, 1, 1, 1, 1], [0, -3, 0, 5, 1]])?, {
            let x = x.map(i128::from);
            [x.iter().sum(), 5 * x[3] - 3 * x[1] + x[4]].map(|x: i128| x.rem_euclid(t.into()) as u64).to_vec()
        }),
    ] {
        assert_eq!(client.decrypt_residues(&Ciphertexts::from_bytes(&found.to_bytes()?)?)?, expected);
    }
    let program = Program::parse("x*y + 3*x; x^2 - y; (x - y)*(x + 7) - x*y", &[])?;
    let expected = [each(&|x, y| x * y + 3 * x), each(&|x, y| x * x - y), each(&|x, y| (x - y) * (x + 7) - x * y)];
    let plan = server.plan(&program, &inputs)?;
    assert!(plan.log2_p_fail() <= -128.0 && plan.padding_uses().is_empty(), "{plan}");
    let request: PlanRequest = serde_json::from_str(&serde_json::to_string(&plan.request()?).unwrap()).unwrap();
    let readers = [bootes::CiphertextReader::new(&sent[0][..])?, bootes::CiphertextReader::new(&sent[1][..])?];
    let written = server.run_to(&server.plan_again(&request)?, Vec::from(readers), vec![Vec::new(); 3])?;
    for ((found, written), expected) in server.run(&plan, &inputs)?.iter().zip(&written).zip(&expected) {
        let small = server.compress(found)?;
        assert!(small.stored_bytes() <= found.stored_bytes());
        for result in [found, &small, &Ciphertexts::read(&written[..])?] {
            assert_eq!(client.decrypt_residues(result)?, *expected);
        }
    }
    // Deeper ones have their set, and what is of slots is refused with what works.
    let error = server.evaluate(Program::parse("x^5", &[])?, a).unwrap_err().to_string();
    let set = error.split("make keys of the set ").nth(1).unwrap_or_else(|| panic!("{error}"));
    assert_eq!(set, "slots_4294967296_depth_3");
    Params::named(set)?.predict_function(&Program::parse("x^5", &[])?.into(), Space::Modular(t), &Load::of(1))?;
    let refused = [server.rotate(a, 1), server.sum_slots(a), server.inner_product(a, b)];
    for error in refused.map(|refused| refused.unwrap_err().to_string()) {
        assert!(error.contains("modulo 4294967296 it holds one value: add ciphertexts up, as x + y"), "{error}");
        assert!(!error.contains('\n') && Params::for_vectors_to_depth(named(&error), 1).is_ok(), "{error}");
    }
    client.encrypt([t]).map(drop).unwrap_err();
    let table = Lut::modular((0..16).collect(), 16)?;
    let few = Client::from_seed(&Params::named("toy_slots_16_depth_1")?, &[7; 32]);
    let error = self::server(&few)?.evaluate(&table, &few.encrypt([3])?).unwrap_err().to_string();
    assert!(error.contains("a prime modulus"), "{error}");
    Ok(())
}

/// Products of residues modulo 2^k are planned with a value a ciphertext, where that is faster, and not with slots.
#[test]
fn products_modulo_powers_of_two_are_planned() -> Result<(), Error> {
    let request = |text: &str, t: u64| -> Result<Request, Error> {
        Ok(Request {
            function: Program::parse(text, &[])?.into(),
            space: Space::Modular(t),
            target: FailureTarget::Two128,
        })
    };
    let load = |values| Load { threads: 1, ..Load::of(values) };
    for (text, t, values, set) in sampled(
        [
            ("x*y", 1 << 32, 1, "slots_4294967296_depth_1"),
            ("x*y", 1 << 32, 1000, "slots_4294967296_depth_1"),
            ("x*y + 3*x", 256, 10, "slots_256_depth_1"),
            ("x^4 - y", 1 << 40, 2, "slots_1099511627776_depth_2"),
        ],
        2,
    ) {
        let request = request(text, t)?;
        let choice = bootes::planner::choose(&request, &load(values))?;
        assert_eq!(choice.offer.params.name(), set, "{text} modulo {t} of {values}");
        assert!(request.faster_on_integers(Some(&choice.offer), None, &load(values)).is_none());
    }
    // Many at once, in batches.
    let many = bootes::planner::choose(&request("x*y", 256)?, &load(1_000_000))?;
    assert_eq!(many.offer.params.engine(), Engine::Ckks);
    for text in ["dot(x, y)", "rot(x, 1)", "x + swap(y)"] {
        let error = request(text, 65536)?.offer(Engine::Bfv, &load(1)).map(drop).unwrap_err().to_string();
        assert!(error.contains("modulo 65536 it holds one value") && named(&error) == 65537, "{error}");
    }
    Ok(())
}

/// One table of vectors takes keys that bootstrap nothing, where the whole job is faster, and others where these are.
#[test]
fn a_table_takes_the_keys_of_least_time() -> Result<(), Error> {
    let random = |p: u64| Lut::modular((0..p).map(|x| (x * x * x * 41 + x * 7 + x / 3) % p).collect(), p);
    let load = |values| Load { threads: 1, ..Load::of(values) };
    for (p, values, set) in sampled(
        [
            (257, 200, "slots_257_depth_8"),
            (257, 200_000, "slots_257_depth_8"),
            (127, 1000, "slots_127_depth_7"),
            (12289, 2048, "slots_12289_depth_14"),
        ],
        2,
    ) {
        let request = Request::table(random(p)?);
        let offer = request.offer(Engine::Bfv, &load(values))?;
        assert_eq!(offer.params.name(), set, "modulo {p} of {values}");
        let other = request.offer_of(Params::for_vector_tables(p)?, &load(values))?;
        assert!(offer.prediction.job_seconds <= other.prediction.job_seconds);
    }
    let request = Request::table(random(257)?);
    let choice = bootes::planner::choose(&request, &load(200))?;
    assert_eq!(choice.offer.params.name(), "slots_257_depth_8");
    // It is done, with keys of a tenth.
    let client = Client::generate(&choice.offer.params)?;
    let server = server(&client)?;
    assert!(9 * client.server_key()?.stored_bytes() < Params::for_vectors(257)?.key_memory()?);
    let values: Vec<u64> = (0..257).collect();
    let found = server.evaluate(&random(257)?, &client.encrypt(&values)?)?;
    assert_eq!(client.decrypt_residues(&found)?, random(257)?.values());
    // Of few coefficients a product, and what is no prime is refused as before.
    let square = Request::table(Lut::modular((0..257).map(|x| x * x % 257).collect(), 257)?);
    assert_eq!(square.offer(Engine::Bfv, &load(10))?.params.name(), "slots_257_depth_1");
    for p in [15, 16] {
        let error = Request::table(random(p)?).offer(Engine::Bfv, &load(1)).map(drop).unwrap_err().to_string();
        assert!(error.starts_with(&format!("there are no slots modulo {p}: expected an odd prime")), "{error}");
    }
    Ok(())
}
