//! Engine bfv through the door: vectors modulo p^r.
use bootes::{Ciphertexts, Client, Error, Load, Lut, Params, PlanRequest, Program, Server};

fn pair(name: &str) -> (Client, Server) {
    let client = Client::from_seed(&Params::named(name).unwrap(), &[7; 32]);
    let server = Server::builder(client.server_key().unwrap()).threads(1).build().unwrap();
    (client, server)
}

#[test]
fn the_server_bootstraps_by_itself() {
    let (client, server) = pair("toy_slots_127_2");
    let modulus = client.params().modulus().unwrap();
    let values: Vec<u64> = (0..client.params().capacity() as u64).map(|i| i * 977 % modulus).collect();
    let (mut x, mut plain) = (client.encrypt(&values).unwrap(), values.clone());
    let mut bootstraps = 0;
    for _ in 0..40 {
        let program = Program::parse("x*x + 3", &[]).unwrap();
        let plan = server.plan(&program, &x).unwrap();
        bootstraps += usize::from(plan.to_string().contains("bootstrapping"));
        x = server.run(&plan, &x).unwrap().remove(0);
        plain.iter_mut().for_each(|x| *x = (*x * *x + 3) % modulus);
    }
    assert_eq!(client.decrypt_residues(&x).unwrap(), plain);
    assert!(bootstraps > 2, "{bootstraps}");
    let dot = client.decrypt_residues(&server.inner_product(&x, &x).unwrap()).unwrap();
    let expected = plain.iter().map(|x| u128::from(x * x)).sum::<u128>() % u128::from(modulus);
    assert!(dot.iter().all(|&x| u128::from(x) == expected));
}

/// Slots beside the values are known to hold 0 of what a client encrypted, and of no result, whatever its noise, also
/// after files and of plans that are read again; what is said of them is right.
#[test]
fn slots_beside_results_are_not_taken_for_fresh_ones() -> Result<(), Error> {
    for set in ["toy_slots_17", "toy_slots_257"] {
        let (client, server) = pair(set);
        let stored = |x: &Ciphertexts| Ciphertexts::from_bytes(&x.to_bytes()?);
        let sum = Program::parse("sum(x)", &[])?;
        let moves = [sum.clone(), Program::parse("rot(x, -1)", &[])?, Program::parse("swap(x)", &[])?];
        let warns = |x: &Ciphertexts| {
            let all = moves.iter().map(|program| Ok(!server.plan(program, x)?.padding_uses().is_empty()));
            let all = all.collect::<Result<Vec<_>, Error>>()?;
            assert!(all.iter().all(|one| *one == all[0]), "{set}: {all:?}");
            Ok::<_, Error>(all[0])
        };
        let x = client.encrypt([1, 2, 3])?;
        let known = x.constants([1, 1, 1])?;
        for y in [&x, &stored(&x)?, &known, &x.mul_small(-1)?, &x.add(&x)?.sub(&known)?, &x.mul_constants(&[5, 6, 7])?]
        {
            assert!(!warns(y)?, "{set}");
        }
        let total = client.decrypt_residues(&server.evaluate(sum.clone(), &x.add(&x)?.sub(&known)?)?)?;
        assert_eq!(total, [9, 9, 9]);
        let p = client.params().modulus().unwrap_or_default();
        for text in ["0*x + 1", &format!("{p}*x + 1"), "x + 1", "x*x + 1", "1 - x"] {
            let y = server.evaluate(Program::parse(text, &[])?, &x)?;
            for y in [&y, &stored(&y)?, &y.add(&x)?, &y.mul_small(-1)?] {
                assert!(warns(y)?, "{set}: {text}");
                let request = serde_json::to_string(&server.plan(&sum, y)?.request()?).unwrap();
                let again = server.plan_again(&serde_json::from_str::<PlanRequest>(&request).unwrap())?;
                assert!(!again.padding_uses().is_empty(), "{set}: {text}");
            }
            let masked = Program::parse("sum(m*(x + 1))", &[])?;
            assert_eq!(server.plan(&masked, [&y, &x])?.padding_uses().len(), 1, "{set}: {text}");
            // What the warning says.
            let masked = Program::parse("sum(m*x)", &[])?;
            let plan = server.plan(&masked, [&client.encrypt([1, 1, 1])?, &y])?;
            assert!(plan.padding_uses().is_empty());
        }
        let filled = server.evaluate(Program::parse("0*x + 1", &[])?, &x)?;
        let plan = server.plan(&Program::parse("sum(m*x)", &[])?, [&client.encrypt([1, 1, 1])?, &filled])?;
        let found = server.run(&plan, [&client.encrypt([1, 1, 1])?, &filled])?;
        assert_eq!(client.decrypt_residues(&found[0])?, [3, 3, 3]);
        let again = serde_json::to_string(&server.plan(&sum, &x)?.request()?).unwrap();
        let again = server.plan_again(&serde_json::from_str::<PlanRequest>(&again).unwrap())?;
        assert!(again.padding_uses().is_empty());
    }
    Ok(())
}

#[test]
fn what_cannot_be_is_refused_in_one_line() {
    let line = |error: Error| {
        let text = error.to_string();
        assert!(!text.contains('\n') && text.len() < 320, "{text}");
        text
    };
    for (p, r, part) in [
        (2, 1, "there are no slots modulo 2"),
        (15, 1, "there are no slots modulo 15"),
        (1 << 21, 1, "there are no slots"),
        (257, 9, "modulo 257^9 bootstrapping computes modulo 257^10, more than the 2^34 that"),
        (257, 0, "plaintext modulus 257^0"),
        (0, 1, ""),
        (1, 1, ""),
        (u64::MAX, u32::MAX, ""),
    ] {
        let text = line(Params::for_vectors_of(p, r).unwrap_err());
        assert!(text.contains(part), "{p}^{r}: {text}");
    }
    for name in ["slots_", "slots_257_1", "slots_0257", "slots_257_2_3", "slots_x", "toy_slots", "slots_+17"] {
        line(Params::named(name).unwrap_err());
    }
    let (client, server) = pair("toy_slots_17");
    let x = client.encrypt([1, 2, 3]).unwrap();
    let refused = [
        server.evaluate(Lut::modular(vec![17; 17], 18).unwrap(), &x).unwrap_err(),
        server.multiply(&x, &client.encrypt([1]).unwrap()).unwrap_err(),
        Program::parse("x +* y", &[]).map_err(Error::from).unwrap_err(),
        server
            .run(&server.plan(Program::parse("x^2", &[]).unwrap(), &x).unwrap(), &x.mul_small(2).unwrap())
            .unwrap_err(),
        server.evaluate(Program::parse("x^3", &[]).unwrap(), [&x, &x]).unwrap_err(),
    ];
    refused.into_iter().for_each(|error| drop(line(error)));
    let few = Load { memory: Some(1 << 20), ..Load::of(10) };
    let params = Params::for_vectors(17).unwrap();
    line(params.predict(&Lut::modular(vec![0; 17], 17).unwrap(), &few).unwrap_err());
}

/// Transforms in two stages: all slots of the ring.
#[test]
fn many_slots_take_stages() {
    let (client, server) = pair("toy_slots_65537");
    let x: Vec<u64> = (0..256).map(|i| i * 257 % 65537).collect();
    let y: Vec<u64> = (0..256).map(|i| 65536 - i).collect();
    let inputs = [client.encrypt(&x).unwrap(), client.encrypt(&y).unwrap()];
    let program = Program::parse("(x*y)^1025 + rot(x, 5) + swap(y)", &[]).unwrap();
    let plan = server.plan(&program, inputs.each_ref()).unwrap();
    assert!(plan.to_string().contains("bootstrapping"), "{plan}");
    let found = client.decrypt_residues(&server.run(&plan, inputs.each_ref()).unwrap()[0]).unwrap();
    let power = |a: u64| (0..1025).fold(1, |power, _| power * a % 65537);
    let expected = |i: usize| {
        let (row, column) = (i / 128, i % 128);
        (power(x[i] * y[i] % 65537) + x[row * 128 + (column + 5) % 128] + y[(i + 128) % 256]) % 65537
    };
    assert!((0..256).all(|i| found[i] == expected(i)));
}
