//! Tables of bits, residues modulo 2: alone, in programs, and AES on a toy set.
use bootes::planner::Request;
use bootes::{
    Ciphertexts, Client, Engine, Error, FailureTarget, Load, Lut, LutError, MultivariateLut, Params, Program, Server,
    Space,
};

#[path = "../../examples/aes/cipher.rs"]
mod cipher;
#[path = "../../examples/aes/encrypted.rs"]
mod encrypted;

use cipher::{F51_COUNTER, F51_DATA, F51_KEY, F51_SENT, block, bytes, counters, encrypt, round_keys};
use encrypted::{Cipher, decrypt, encrypt_key, message_of, xor_public};

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn pair(set: &str) -> Result<(Client, Server), Error> {
    let client = Client::generate(&Params::named(set)?)?;
    let server = Server::new(client.server_key()?)?;
    Ok((client, server))
}

/// All combinations of so many bits, a vector each, the last varying fastest.
fn all(client: &Client, bits: u32) -> Result<Vec<Ciphertexts>, Error> {
    let bit = |i: u32| (0..1u64 << bits).map(move |entry| entry >> (bits - 1 - i) & 1).collect::<Vec<_>>();
    (0..bits).map(|i| client.encrypt_modulo(bit(i), 2)).collect()
}

/// Of more bits than a bootstrap of the set takes, whose results are added up, and looked up again.
#[test]
fn tables_of_bits_are_trees() -> Outcome {
    let (client, server) = pair("toy_bits")?;
    let f = |x: u64| (x * x + x / 3) % 7 % 2;
    let table = MultivariateLut::new(&[2; 6], Lut::modular((0..64).map(f).collect(), 2)?)?;
    let inputs = all(&client, 6)?;
    let plan = server.plan(&table, &inputs)?;
    assert_eq!((plan.algorithms(), plan.rotations()), (vec!["bit-tree".to_string()], Some(6)), "{plan}");
    let results = server.run(&plan, &inputs)?.remove(0);
    let expected: Vec<u64> = (0..64).map(f).collect();
    assert_eq!(client.decrypt_residues(&results)?, expected);
    let again = [&results, &inputs[0], &inputs[1], &results, &inputs[4], &inputs[5]];
    let found = client.decrypt_residues(&server.evaluate(&table, again)?)?;
    let of = |x: u64| f(f(x) << 5 | (x >> 5 & 1) << 4 | (x >> 4 & 1) << 3 | f(x) << 2 | x & 3);
    assert_eq!(found, (0..64).map(of).collect::<Vec<_>>());
    // Few bits may be packed.
    let and = MultivariateLut::new(&[2, 2], Lut::modular(vec![0, 0, 0, 1], 2)?)?;
    assert_eq!(client.decrypt_residues(&server.evaluate(&and, &all(&client, 2)?)?)?, [0, 0, 0, 1]);
    Ok(())
}

/// Bits have the operations of bits, XOR for nothing; other residues have none.
#[test]
fn bits_have_their_operations() -> Outcome {
    for set in ["toy_bits", "toy_4"] {
        let (client, server) = pair(set)?;
        let [a, b] = [[0u64, 0, 1, 1], [0, 1, 0, 1]].map(|bits| client.encrypt_modulo(bits, 2));
        let inputs = [a?, b?];
        let text = "xor(a, b); and(a, b); or(a, b); not(a) + b; xor(a, xor(b, 1)); or(a, 0); and(or(a, b), not(b))";
        let expected =
            [[0, 1, 1, 0], [0, 0, 0, 1], [0, 1, 1, 1], [1, 0, 0, 1], [1, 0, 0, 1], [0, 0, 1, 1], [0, 0, 1, 0]];
        let results = server.evaluate_all(Program::parse(text, &[])?, &inputs)?;
        for (result, expected) in results.iter().zip(expected) {
            assert_eq!(client.decrypt_residues(result)?, expected, "{set}");
        }
        let plan = server.plan(Program::parse("xor(a, xor(b, 1))", &[])?, &inputs)?;
        assert_eq!(plan.rotations(), Some(0), "{set}");
        let three = client.encrypt_modulo([0, 1, 2], 3)?;
        let integers = server.evaluate(Program::parse("xor(a, b)", &[])?, [&three, &three.add_constant(1)?])?;
        assert_eq!((integers.space().modulus(), client.decrypt(&integers)?), (None, vec![1, 3, 2]), "{set}");
    }
    Ok(())
}

/// Tables of the same bits have one tree; of other moduli they are tables of what is packed.
#[test]
fn programs_have_tables_of_several_values() -> Outcome {
    let (client, server) = pair("toy_bits")?;
    let table = |f: fn(u64) -> u64, modulus: u64| Lut::modular((0..32).map(|x| f(x) % modulus).collect(), modulus);
    let tables = [table(|x| x.count_ones().into(), 2)?, table(|x| u64::from(x % 5 == 2), 2)?, table(|x| x / 7, 2)?];
    let tables = [("ones", &tables[0]), ("rest", &tables[1]), ("high", &tables[2])];
    let text = "ones(a, b, c, d, e) + rest(a, b, c, d, e) + a; high(a, b, c, d, e) + 1; rest(a, b, c, d, e)";
    let program = Program::parse(text, &tables)?;
    let inputs = all(&client, 5)?;
    let plan = server.plan(&program, &inputs)?;
    assert_eq!(plan.rotations(), Some(5), "{plan}");
    assert!(plan.log2_p_fail() <= -64.0, "{plan}");
    let results = server.run(&plan, &inputs)?;
    let expected: [fn(u64) -> u64; 3] =
        [|x| u64::from(x.count_ones()) + u64::from(x % 5 == 2) + (x >> 4), |x| x / 7 + 1, |x| u64::from(x % 5 == 2)];
    for (result, f) in results.iter().zip(expected) {
        assert_eq!(client.decrypt_residues(result)?, (0..32).map(|x| f(x) % 2).collect::<Vec<_>>());
    }
    // A plan that was kept is made again.
    let kept = serde_json::to_string(&plan)?;
    let again = server.plan_again(&serde_json::from_str(&kept)?)?;
    assert_eq!(again.rotations(), plan.rotations());

    let (client, server) = pair("toy_4")?;
    let sum = Lut::modular((0..15).map(|x| (x / 5 * (x % 5) + 1) % 4).collect(), 4)?;
    let program = Program::parse("f(x, y) + 3*f(x, y + 1)", &[("f", &sum)])?;
    let (x, y) = ((0..15).map(|i| i / 5).collect::<Vec<u64>>(), (0..15).map(|i| i % 5).collect::<Vec<u64>>());
    let inputs = [client.encrypt_modulo(x.clone(), 3)?, client.encrypt_modulo(y.clone(), 5)?];
    let found = client.decrypt_residues(&server.evaluate(&program, &inputs)?)?;
    let of = |(x, y): (&u64, &u64)| (x * y + 1 + 3 * (x * ((y + 1) % 5) + 1)) % 4;
    assert_eq!(found, x.iter().zip(&y).map(of).collect::<Vec<_>>());
    Ok(())
}

#[test]
fn what_cannot_be_is_refused() -> Outcome {
    let (client, server) = pair("toy_bits")?;
    let table = Lut::modular(vec![0; 8], 2)?;
    let program = Program::parse("f(x, y)", &[("f", &table)])?;
    let bits = all(&client, 2)?;
    let error = server.evaluate(&program, &bits).unwrap_err();
    assert!(matches!(error, Error::Lut(LutError::Kinds { .. })), "{error}");
    assert!(error.to_string().contains("each combination of which has an entry"), "{error}");
    // No tree, and no room for all of them in one message.
    let (client, server) = pair("toy_4_binary")?;
    let table = MultivariateLut::new(&[2; 6], Lut::modular(vec![1; 64], 2)?)?;
    let error = server.plan(&table, &all(&client, 6)?).unwrap_err();
    assert!(matches!(error, Error::Lut(LutError::Packing { .. })), "{error}");
    Ok(())
}

/// The vectors of FIPS 197 and SP 800-38A, of a client's own key.
#[test]
fn aes_is_right() -> Outcome {
    let client = Client::generate(&Params::named("toy_bits")?)?;
    let mut cipher = Cipher { server: Server::new(client.server_key()?)?, plans: Vec::new() };
    let keys = round_keys(block("000102030405060708090a0b0c0d0e0f"));
    let (plain, expected) = (block("00112233445566778899aabbccddeeff"), block("69c4e0d86a7b0430d8cdb78070b4c55a"));
    assert_eq!(encrypt(&keys, plain), expected);
    let encrypted = keys.iter().map(|&key| encrypt_key(&client, key, 1)).collect::<Result<Vec<_>, _>>()?;
    assert_eq!(decrypt(&client, &cipher.stream(&[plain], &encrypted)?)?, [expected]);
    assert!(cipher.log2_p_fail() <= -58.0 && cipher.plans.iter().all(|plan| plan.rotations() == Some(32)));

    let keys = round_keys(block(F51_KEY));
    let encrypted = keys.iter().map(|&key| encrypt_key(&client, key, 4)).collect::<Result<Vec<_>, _>>()?;
    let stream = cipher.stream(&counters(block(F51_COUNTER), 4), &encrypted)?;
    let sent: Vec<[u8; 16]> = bytes(F51_SENT).chunks(16).map(|sent| std::array::from_fn(|i| sent[i])).collect();
    let received = xor_public(&stream, &sent)?;
    assert_eq!(decrypt(&client, &received)?.concat(), bytes(F51_DATA));
    // The low halves of a row's bytes, as messages of the set.
    let halves = client.decrypt_residues(&message_of(&cipher.server, &received[1][..4])?)?;
    let row = |column: usize| bytes(F51_DATA).into_iter().skip(4 * column + 1).step_by(16);
    assert_eq!(halves, (0..4).flat_map(row).map(|x| u64::from(x & 15)).collect::<Vec<_>>());
    Ok(())
}

/// Sets that hold a bit alone have no functions of two, and say so; others are planned.
#[test]
fn functions_of_two_bits_are_planned_or_refused() -> Outcome {
    for text in ["and(x, y)", "x < y", "x*y", "max(x, y)"] {
        let (function, target) = (Program::parse(text, &[])?.into(), FailureTarget::Two128);
        let request = Request { function, space: Space::Modular(2), target };
        assert!(request.offer_of(Params::named("fhew_1bit_2m128")?, &Load::of(1)).is_err(), "{text}");
        assert!(request.offer(Engine::Fhew, &Load::of(1)).is_ok(), "{text}");
    }
    Ok(())
}
