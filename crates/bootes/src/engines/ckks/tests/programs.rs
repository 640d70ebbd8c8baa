//! The noise of programs.
use crate::engines::watch::Watch;
use crate::engines::*;
use crate::{Cancel, Error, Function, Interval, Program, ckks};
use bootes_testkit::sampled;

/// The noise that is said of results is a bound, also where they have noise in common.
#[test]
fn noise_of_programs_is_what_is_said() -> Result<(), Error> {
    for (set, bits) in [("toy_batch_9bit", 3), ("toy_batch_integers", 8)] {
        let params = ckks::Params::by_name(set)?;
        let client = ckks::Client::from_seed(&params, &[9; 32]);
        let server = ckks::Server::new(client.made_key(2, drop)?, None)?;
        let (count, range) = (params.capacity(), Interval::unsigned(bits));
        let column = |step: i128| (0..count as i128).map(|i| (i * step + i / 7) % (range.max + 1)).collect::<Vec<_>>();
        let columns = [column(5), column(3), column(1)];
        let encrypt = |values: &Vec<i128>| client.encrypt_within(values, range, 8);
        let operands = columns.iter().map(encrypt).collect::<Result<Vec<_>, _>>()?;
        // The same ciphertexts, made in other ways: their noise is the same.
        let again = |of: &dyn Fn(i128) -> String| (1..=12).map(of).collect::<Vec<_>>().join(" + ");
        let in_circles = again(&|k| format!("(x + y + {k}*z - {k}*z) % 8"));
        let of_tables = again(&|k| format!("(x % 4 + y % 4 + {k}*(z % 2) - {k}*(z % 2)) % 4"));
        let modulo = again(&|k| format!("and(x + y + {}*z, 7)", 8 * k));
        let signs = again(&|k| format!("(x + {k}*(z % 2) < {k}*(z % 2) + 9)"));
        let texts = [
            "x + y",
            "select(x > y, x, y)",
            "max(x, y) + min(x, y) + x",
            "(x > y) + (y > x)",
            "(x > y) - (x < y + 1)",
            "(x % 4) + (x % 8) + (x % 2)",
            "(x % 4) - and(3 - x, 3)",
            "100*(x > y) + x",
            "x*y % 256",
            "x*y/256",
            "(x*y - z) % 256 + x*x % 64",
            &in_circles,
            &of_tables,
            &modulo,
            &signs,
        ];
        for text in sampled(texts, 5) {
            let program = Program::parse(text, &[])?;
            let inputs: Vec<&ckks::Ciphertexts> = operands[..program.inputs()].iter().collect();
            let plan = server.plan(&Function::from(&program), &inputs)?;
            let result =
                server.evaluated(&plan, &inputs, 2, &Watch { progress: &drop, cancel: &Cancel::default() })?.remove(0);
            let plain: Vec<&[i128]> = columns[..inputs.len()].iter().map(Vec::as_slice).collect();
            let values = program.integers_of(&plain, &vec![range; inputs.len()])?.remove(0);
            assert_eq!(client.decrypt_integers(&result)?, values, "{set} {text}");
            let noise = client.measure_noise(&result, &values)?;
            let (bound, u) = (result.error(), params.ckks().max_slot_value());
            let worst = noise.iter().fold(0.0, |worst: f64, e| worst.max(e.abs()));
            let std = (noise.iter().map(|e| e * e).sum::<f64>() / count as f64).sqrt();
            // What is said is of the worst slot of the worst key.
            println!(
                "{set} {text:.60}: {:.3} of the bound, {:.3} of its deviation",
                worst / bound.most(u),
                std / bound.std(u)
            );
            // Of sets for integers next to nothing is a bias.
            let biased = if set == "toy_batch_integers" { 0.0 } else { bound.bias };
            // What is measured of so many is within 4.5 deviations of its own.
            let most = bound.std(u) * (1.0 + 4.5 / (2.0 * count as f64).sqrt());
            assert!(worst < bound.most(u) && std < biased + most, "{set} {text}");
        }
    }
    Ok(())
}
