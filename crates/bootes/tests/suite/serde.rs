//! What is read through serde, and believed nothing.
use bootes::{Client, Error, Lut, Params, PlanRequest, Program, Server};
use serde_json::{Value, from_value, json, to_value};

type Outcome = Result<(), Box<dyn std::error::Error>>;

const SETS: [&str; 2] = ["toy_4", "toy_batch_4bit"];

fn pair(set: &str) -> Result<(Client, Server), Error> {
    let client = Client::from_seed(&Params::named(set)?, &[3; 32]);
    let server = Server::new(client.server_key()?)?;
    Ok((client, server))
}

/// What is changed is planned as it is, or refused; it is believed nothing.
#[test]
fn forged_requests_promise_nothing() -> Outcome {
    let lut = Lut::modular((0..16).rev().collect(), 16)?;
    for set in SETS {
        let (client, server) = pair(set)?;
        let fresh = client.encrypt([1])?;
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
            _ => ["/inputs/ckks/operands/0/flat", "/inputs/ckks/operands/0/space"],
        };
        for bad in [json!(-1.0), json!(1e300), json!(null), json!("0")] {
            assert!(with(noise, bad.clone()).is_err(), "{set}: {bad}");
        }
        // Less noise than there is: a plan that takes no ciphertexts.
        if let Ok(plan) = with(noise, json!(1e-40)) {
            assert!(server.run(&plan, &fresh).is_err(), "{set}");
        }
        for p in [0, 1, 8, 1 << 20, 1 << 63, u64::MAX] {
            assert!(with(space, json!({ "modular": p })).is_err(), "{set}: modulo {p}");
        }
        assert!(with("/function", json!({ "integers": "max" })).is_err());
        assert!(with("/function", json!({ "integers": "no such" })).is_err());
        assert!(with("/function/table/values/0", json!(16)).is_err());
        assert!(with("/function/table/out_modulus", json!(0)).is_err());
        assert!(with("/function/table/integers", json!(true)).is_ok());
        assert!(with("/params", to_value(Params::named("toy_8")?)?).is_err());
        assert!(with("/inputs", json!({ "bfv": { "states": [], "len": 1 } })).is_err());
    }
    let (_, server) = pair("toy_4")?;
    let (client, _) = pair("toy_4")?;
    let whole = to_value(server.plan(&lut, &client.encrypt([1])?)?)?;
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

/// The same of engine bfv, and programs from a builder come back as they are.
#[test]
fn forged_states_promise_nothing() -> Outcome {
    let (client, server) = pair("toy_slots_257")?;
    let x = client.encrypt([3, 5, 7])?;
    let mut program = Program::new();
    let [y, x_] = ["y", "x"].map(|name| program.input(name));
    let difference = program.sub(x_, y);
    let sum = program.sum_slots(difference);
    let image = program.table(sum, &Lut::modular((0..257).map(|x| x * x % 257).collect(), 257)?);
    let moved = program.rotate(image, 1);
    let [product, seven] = [program.mul(moved, x_), program.constant(7)];
    let exchanged = program.exchange(product);
    let result = program.add(exchanged, seven);
    program.output_as("moved", result);
    let zeros = client.encrypt([0; 3])?;
    let whole = to_value(server.plan(&program, [&zeros, &x])?)?;
    let again = |request: Value| {
        let request: PlanRequest = from_value(request).map_err(|error| error.to_string())?;
        server.plan_again(&request).map_err(|error| error.to_string())
    };
    let planned = again(whole.clone())?;
    assert_eq!(to_value(&planned)?["function"], whole["function"]);
    let found = server.run(&planned, [&zeros, &x])?.remove(0);
    let expected = server.evaluate(&program, [&zeros, &x])?;
    assert_eq!(client.decrypt(&found)?, client.decrypt(&expected)?);
    let with = |path: &str, value: Value| {
        let mut request = whole.clone();
        *request.pointer_mut(path).unwrap_or_else(|| panic!("{path} of {whole}")) = value;
        again(request)
    };
    let wrong = [
        ("states/0/level", json!(99)),
        ("states/0/level", json!(u64::MAX)),
        ("states/0/factor", json!(0)),
        ("states/0/average", json!(null)),
        ("states/0/worst", json!(-1.0)),
        ("states/0/worst", json!(1e300)),
        ("states", json!([])),
        ("len", json!(0)),
        ("len", json!(1000)),
    ];
    for (path, value) in wrong {
        assert!(with(&format!("/inputs/bfv/{path}"), value.clone()).is_err(), "{path} {value}");
    }
    for (path, value) in [("outputs", json!([99])), ("operations/0", json!({ "sum": [0, 1] })), ("tables", json!([]))] {
        assert!(with(&format!("/function/program/{path}"), value).is_err(), "{path}");
    }
    Ok(())
}
