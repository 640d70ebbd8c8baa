//! Round trips through serde, in JSON and in a format of bytes.
use bootes::{Ciphertexts, Client, Error, Function, IntegerOp, Lut, Params, Plan, PlanRequest, Server, ServerKey};
use serde::de::value::{BytesDeserializer, Error as ValueError};
use serde::{Deserialize, Serialize};
use serde_json::{Value, from_str, from_value, json, to_string, to_value};

type Outcome = Result<(), Box<dyn std::error::Error>>;

const SETS: [&str; 2] = ["toy_4", "toy_batch_4bit"];

fn pair(set: &str) -> Result<(Client, Server), Error> {
    let client = Client::from_seed(&Params::named(set)?, &[3; 32]);
    let server = Server::new(client.server_key()?)?;
    Ok((client, server))
}

fn again<T: Serialize + for<'de> Deserialize<'de>>(object: &T) -> serde_json::Result<T> {
    from_str(&to_string(object)?)
}

/// Of a format that has bytes.
fn of_bytes<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T, ValueError> {
    T::deserialize(BytesDeserializer::new(bytes))
}

#[test]
fn parameters_are_names_that_mean_the_same() -> Outcome {
    for set in SETS {
        let params = Params::named(set)?;
        assert!(again(&params)? == params);
        let mut forged = to_value(&params)?;
        assert_eq!(forged["name"], set);
        forged["fingerprint"] = json!("00".repeat(16));
        let error = from_value::<Params>(forged).unwrap_err().to_string();
        assert!(error.contains(&format!("another version of parameter set {set}")), "{error}");
        assert!(from_value::<Params>(json!({ "name": "toy_5", "fingerprint": "" })).is_err());
        assert!(from_value::<Params>(json!({ "name": "x".repeat(1 << 20), "fingerprint": "" })).is_err());
    }
    Ok(())
}

#[test]
fn keys_and_ciphertexts_are_the_bytes_of_their_files() -> Outcome {
    for set in SETS {
        let (client, _) = pair(set)?;
        let key = client.server_key()?;
        let server = Server::new(of_bytes::<ServerKey>(&key.write(Vec::new())?)?)?;
        let fresh = client.encrypt(&[1, 2, 3])?;
        let results = server.evaluate(Lut::modular((0..16).rev().collect(), 16)?, &again(&fresh)?)?;
        for (ciphertexts, expected) in [(&fresh, [1, 2, 3]), (&results, [14, 13, 12])] {
            let bytes = ciphertexts.write(Vec::new())?;
            let read: [Ciphertexts; 2] = [again(ciphertexts)?, of_bytes(&bytes)?];
            for read in read {
                assert_eq!((client.decrypt(&read)?, read.write(Vec::new())?), (expected.to_vec(), bytes.clone()));
            }
            // Damage, and what follows.
            let mut damaged = bytes.clone();
            *damaged.last_mut().ok_or("no bytes")? ^= 1;
            assert!(of_bytes::<Ciphertexts>(&damaged).is_err());
            assert!(of_bytes::<Ciphertexts>(&[&bytes[..], &[0]].concat()).is_err());
            assert!(of_bytes::<ServerKey>(&bytes).is_err());
            assert!(from_value::<Ciphertexts>(json!([1, 2, 300])).is_err());
        }
    }
    // A key in JSON, where it is small.
    let (client, _) = pair("toy_4")?;
    let server = Server::new(again(&client.server_key()?)?)?;
    assert_eq!(server.key_id(), client.key_id());
    Ok(())
}

fn kept(plan: &Plan) -> serde_json::Result<PlanRequest> {
    from_str(&to_string(plan)?)
}

#[test]
fn plans_are_made_again() -> Outcome {
    for set in SETS {
        let (client, server) = pair(set)?;
        let fresh = client.encrypt(&[1, 2, 3])?;
        let luts = [Lut::modular((0..16).rev().collect(), 16)?, Lut::modular((0..16).collect(), 16)?];
        for function in [Function::from(&luts[0]), Function::from(&luts[..])] {
            let plan = server.plan(&function, &fresh)?;
            let again = server.plan_again(&kept(&plan)?)?;
            assert_eq!((again.algorithms(), again.log2_p_fail()), (plan.algorithms(), plan.log2_p_fail()));
            assert_eq!(again.to_string(), plan.to_string());
            let results = [server.run(&plan, &fresh)?, server.run(&again, &fresh)?];
            let [one, other] = results.map(|results| results.iter().map(|x| client.decrypt(x)).collect::<Vec<_>>());
            assert_eq!(
                one.into_iter().collect::<Result<Vec<_>, _>>()?,
                other.into_iter().collect::<Result<Vec<_>, _>>()?
            );
            // For no noisier inputs than it was made for.
            let sum = (0..5).try_fold(fresh.clone(), |sum, _| sum.add(&fresh))?;
            assert!(server.run(&again, &sum).is_err());
        }
    }
    let (client, server) = pair("toy_batch_4bit")?;
    let digits = server.plan(Function::Digits(2), &client.encrypt_unsigned(&[9], 4)?)?;
    assert!(to_string(&digits).unwrap_err().to_string().contains("a plan of digits of 2 bits to keep"));
    Ok(())
}

#[test]
fn functions_of_integers_are_planned_again() -> Outcome {
    let (client, server) = pair("toy_int16")?;
    let [x, y] = [client.encrypt_integers(&[-3, 100], 8)?, client.encrypt_integers(&[5, -100], 8)?];
    let plan = server.plan(IntegerOp::Max, [&x, &y])?;
    let again = server.plan_again(&kept(&plan)?)?;
    assert_eq!(again.to_string(), plan.to_string());
    assert_eq!(client.decrypt_integers(&server.run(&again, [&x, &y])?[0])?, [5, 100]);
    Ok(())
}

/// What is changed is planned as it is, or refused; it is believed nothing.
#[test]
fn forged_requests_promise_nothing() -> Outcome {
    let lut = Lut::modular((0..16).rev().collect(), 16)?;
    for set in SETS {
        let (client, server) = pair(set)?;
        let fresh = client.encrypt(&[1])?;
        let whole = to_value(server.plan(&lut, &fresh)?)?;
        let engine = server.params().engine().to_string();
        let with = |path: &str, value: Value| {
            let mut request = whole.clone();
            *request.pointer_mut(path).unwrap_or_else(|| panic!("{path} of {whole}")) = value;
            let request: PlanRequest = from_value(request).map_err(|error| error.to_string())?;
            server.plan_again(&request).map_err(|error| error.to_string())
        };
        let [noise, space] = match &engine[..] {
            "fhew" => ["/inputs/fhew/variances/0", "/inputs/fhew/spaces/0"],
            _ => ["/inputs/ckks/flat", "/inputs/ckks/p"],
        };
        for bad in [json!(-1.0), json!(1e300), json!(null), json!("0")] {
            assert!(with(noise, bad.clone()).is_err(), "{set}: {bad}");
        }
        // Less noise than there is: a plan that takes no ciphertexts.
        if let Ok(plan) = with(noise, json!(1e-40)) {
            assert!(server.run(&plan, &fresh).is_err(), "{set}");
        }
        let modulus = |p: u64| if engine == "fhew" { json!({ "modular": p }) } else { json!(p) };
        for p in [0, 1, 8, 1 << 20, 1 << 63, u64::MAX] {
            assert!(with(space, modulus(p)).is_err(), "{set}: modulo {p}");
        }
        assert!(with("/function", json!({ "integers": "max" })).is_err());
        assert!(with("/function", json!({ "integers": "no such" })).is_err());
        assert!(with("/function/table/values/0", json!(16)).is_err());
        assert!(with("/function/table/out_modulus", json!(0)).is_err());
        assert!(with("/function/table/integers", json!(true)).is_ok());
        assert!(with("/params", to_value(Params::named("toy_8")?)?).is_err());
        assert!(with("/inputs", json!({ "ckks": { "p": 16, "bias": 0.0, "flat": 1.0, "keyed": 0.0 } })).is_err());
    }
    let (_, server) = pair("toy_4")?;
    let (client, _) = pair("toy_4")?;
    let whole = to_value(server.plan(&lut, &client.encrypt(&[1])?)?)?;
    for integers in [
        json!({ "low": 3, "high": null, "min": 5, "max": 4 }),
        json!({ "low": 3, "high": null, "min": 0, "max": 100 }),
        json!({ "low": 40, "high": 40, "min": 0, "max": 100 }),
        json!({ "low": 0, "high": u32::MAX, "min": i64::MIN, "max": i64::MAX }),
        json!({ "low": 30, "high": null, "min": 0, "max": 15 }),
    ] {
        let mut request = whole.clone();
        request["inputs"]["fhew"]["spaces"] = json!([{ "integers": integers }]);
        let planned = from_value::<PlanRequest>(request).is_ok_and(|request| server.plan_again(&request).is_ok());
        assert!(!planned, "{integers}");
    }
    Ok(())
}
