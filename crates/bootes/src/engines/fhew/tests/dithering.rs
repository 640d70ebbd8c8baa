//! Values of one mask, or of none, have results of independent noise: each key switch is dithered by the value's
//! number.
use crate::engines::of::Of;
use crate::origin::{Origin, identify};
use crate::{Ciphertexts, Client, Error, Function, IntegerOp, Lut, Params, Program, Server, fhew};

type Outcome = Result<(), Error>;

/// Values whose noises are added up.
const VALUES: usize = 256;

fn pair(params: &str) -> Result<(Client, Server), Error> {
    let client = Client::from_seed(&Params::named(params)?, &[77; 32]);
    let server = Server::new(client.server_key()?)?;
    Ok((client, server))
}

/// The same value, so many times.
fn repeated(x: &Ciphertexts) -> Result<Ciphertexts, Error> {
    Ciphertexts::concat([x; VALUES])
}

/// Whether noises are those of independent values: hardly two alike, and their sum what a sum's may be.
fn check(client: &Client, results: &Ciphertexts, value: u64, what: &str) -> Outcome {
    let mut noises = client.measure_noise(results, vec![value; results.len()])?;
    let (sum, bound) = (noises.iter().sum::<f64>(), results.noise_variance() * results.len() as f64);
    // Beyond 7.5 deviations with 2^-43.
    assert!(sum.abs() < 7.5 * bound.sqrt(), "{what}: {sum:e} of {:e}", bound.sqrt());
    // Masks of toy sets have fewer ditherings, and two may be alike: with kN = 256, where 16 words are changed and 16
    // to 18 are near half a unit, two of 2^14.99 pairs are with 2^-11.3 each, 13 in the mean, and over 64 with 2^-60.
    noises.sort_by(f64::total_cmp);
    let alike = noises.windows(2).filter(|pair| pair[0].to_bits() == pair[1].to_bits()).count();
    assert!(alike <= results.len() / 4, "{what}: {alike} of {}", results.len());
    let counted = results.linear_map(&[vec![1; results.len()]])?.noise_variance();
    assert!((counted / bound - 1.0).abs() < 1e-9, "{what}: {counted:e} of {bound:e}");
    Ok(())
}

#[test]
fn results_of_one_ciphertext() -> Outcome {
    let (client, server) = pair("toy_4")?;
    let identity = Lut::modular((0..16).collect(), 16)?;
    let x = repeated(&client.encrypt([3])?)?;
    for (name, _, _) in crate::algorithms() {
        // Products of equal masks are alike, and called so.
        let Ok(plan) = server.plan(Function::TableBy(identity.clone(), name.clone()), &x) else { continue };
        check(&client, &server.run(&plan, &x)?[0], 3, &name)?;
    }
    Ok(())
}

/// x − x, and 2x less 2x from a file, which has lost its lower halves.
#[test]
fn what_has_no_mask_or_nearly_none() -> Outcome {
    let (client, server) = pair("toy_4")?;
    let flipped = Lut::modular((0..16).rev().collect(), 16)?;
    let x = client.encrypt([5; VALUES])?;
    let zero = x.sub(&x)?;
    let from_file = |x: &Ciphertexts| Ciphertexts::read(&x.write(Vec::new())?[..]);
    let nearly = from_file(&x.mul_small(2)?.sub(&from_file(&x.mul_small(2)?)?)?)?;
    for (what, input) in [("x - x", zero), ("2x - 2x", nearly)] {
        let once = server.evaluate(&flipped, &input)?;
        check(&client, &once, 15, what)?;
        check(&client, &server.evaluate(&flipped, &once)?, 0, what)?;
    }
    // Two vectors are alike in nothing.
    let column = || -> Result<Ciphertexts, Error> {
        let x = client.encrypt([5; VALUES])?;
        server.evaluate(&flipped, &x.sub(&x)?)
    };
    check(&client, &column()?.sub(&column()?)?, 0, "two vectors")
}

/// Words of files are multiples of 2^-32: after products with 2^k all are multiples of parts of the key switch's unit.
#[test]
fn multiples_of_what_was_in_files() -> Outcome {
    for (set, log2_factors) in [("toy_4", 13..17), ("toy_8", 9..13)] {
        let (client, server) = pair(set)?;
        let p = client.params().bits();
        // One rotation: f(x + p/2) = -f(x).
        let half = 1u64 << (p - 1);
        let negacyclic =
            Lut::modular((0..2 * half).map(|x| if x < half { 1 } else { 2 * half - 1 }).collect(), 2 * half)?;
        let zero = || client.encrypt([0]);
        let sum = Ciphertexts::read(&zero()?.add(&zero()?)?.write(Vec::new())?[..])?;
        for log2_factor in log2_factors {
            let weighted = (0..log2_factor).try_fold(sum.clone(), |sum, _| sum.mul_small(2))?.add_constant(1)?;
            for sign in [1, -1] {
                let results = server.evaluate(&negacyclic, &repeated(&weighted.mul_small(sign)?)?)?;
                check(&client, &results, if sign == 1 { 1 } else { 2 * half - 1 }, &format!("{set} 2^{log2_factor}"))?;
            }
        }
    }
    Ok(())
}

#[test]
fn functions_of_two_operands_that_are_one() -> Outcome {
    let (client, server) = pair("toy_int16")?;
    let x = client.encrypt_within([1; VALUES], 0..=1, 8)?;
    let y = x.add_constant(-10)?;
    for (op, value) in [(IntegerOp::Less, 0), (IntegerOp::Equal, 0)] {
        check(&client, &server.evaluate(op, [&x, &y])?.as_residues()?, value, &op.to_string())?;
    }
    // The greater one's own noise, and that of what is selected.
    let greater = server.evaluate(IntegerOp::Max, [&x, &y])?;
    let noises = |z: &Ciphertexts| client.measure_noise(z, [1; VALUES]);
    let sum: f64 = noises(&greater)?.iter().zip(noises(&x)?).map(|(all, own)| all - own).sum();
    assert!(sum.abs() < 5.0 * (greater.noise_variance() * VALUES as f64).sqrt(), "{sum:e}");
    Ok(())
}

/// The same bytes are written from file to file as in memory, whatever the batches.
#[test]
fn numbers_are_those_of_values() -> Outcome {
    let (client, server) = pair("toy_4")?;
    let flipped = Lut::modular((0..16).rev().collect(), 16)?;
    let bytes = repeated(&client.encrypt([3])?)?.write(Vec::new())?;
    let input = Ciphertexts::read(&bytes[..])?;
    let (plan, mut streamed) = (server.plan(&flipped, &input)?, Vec::new());
    server.run_to(&plan, vec![crate::CiphertextReader::new(&bytes[..])?], vec![&mut streamed])?;
    assert_eq!(streamed, server.run(&plan, &input)?[0].write(Vec::new())?);
    Ok(())
}

/// Operands of other origins whose identifiers were made to meet: a word of 64 bits is soon found.
#[test]
fn origins_that_somebody_chose() -> Outcome {
    let (client, server) = pair("toy_4")?;
    let Of::Fhew(params) = client.params().0 else { unreachable!("a set of engine fhew") };
    let hashed = |words: &[u64]| identify(words.iter().copied().chain([0]));
    // identify folds h -> (rotl(h, 23) ^ word)·odd, from h_0: the word after b that leads to where a does.
    let (h, odd) = (0x243f_6a88_85a3_08d3_u64, 0x9e37_79b9_7f4a_7c15_u64);
    let after = |b: u64| (h.rotate_left(23) ^ b).wrapping_mul(odd).rotate_left(23);
    let (a, b) = (1, 2);
    let lineages = [vec![a], vec![b, h.rotate_left(23) ^ a ^ after(b)]];
    assert_eq!(hashed(&lineages[0]), hashed(&lineages[1]));
    let flipped = Lut::modular((0..16).rev().collect(), 16)?;
    let zeros = |lineage: &Vec<u64>| {
        let (space, variance) = (crate::Space::Modular(16), params.fresh_variance().into());
        let head = fhew::Ciphertexts::head(&params, client.key_id(), space, variance, Origin::of(lineage.clone()));
        let words = VALUES * (params.ciphertext_dimension() + 1);
        server.evaluate(&flipped, &Ciphertexts(Of::Fhew(head.with_words(vec![0; 8 * words]))))
    };
    let [left, right] = [zeros(&lineages[0])?, zeros(&lineages[1])?];
    let noises = |x: &Ciphertexts| client.measure_noise(x, [15; VALUES]);
    let pairs = noises(&left)?.into_iter().zip(noises(&right)?);
    let alike = pairs.filter(|(left, right)| left.to_bits() == right.to_bits()).count();
    assert!(alike <= VALUES / 50, "{alike} of {VALUES}");
    check(&client, &left.sub(&right)?, 0, "chosen origins")
}

/// Where operands come from more encryptions than are named, evaluations are told apart by the operands themselves.
#[test]
fn evaluations_of_too_many_origins() -> Outcome {
    let (client, server) = pair("toy_4")?;
    let many = (0..4100).map(|i| client.encrypt_modulo([i % 16], 16)).collect::<Result<Vec<_>, _>>()?;
    let x = Ciphertexts::concat(&many)?.slice(0..VALUES)?;
    let f = Lut::modular((0..16).map(|x| x * x % 16).collect(), 16)?;
    let image = |i: usize| (i * i % 16) as u64;
    let program = |text| Program::parse(text, &[("f", &f)]);
    let y = server.evaluate(program("f(x) + 0*w")?, [&x, &x])?;
    let sum = server.evaluate(program("f(x) + y")?, [&x, &y])?;
    let noise = client.measure_noise(&y, (0..VALUES).map(image).collect::<Vec<_>>())?;
    let both = client.measure_noise(&sum, (0..VALUES).map(|i| 2 * image(i) % 16).collect::<Vec<_>>())?;
    let variance = noise.iter().map(|e| e * e).sum::<f64>();
    let related = noise.iter().zip(&both).map(|(e, both)| e * (both - e)).sum::<f64>() / variance;
    assert!(related.abs() < 5.0 / (VALUES as f64).sqrt(), "the noise of f(x) and of an earlier one: {related:.2}");
    Ok(())
}
