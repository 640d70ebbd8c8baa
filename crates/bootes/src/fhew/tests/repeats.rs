//! Results of several operands that turn by one mask, or by none, have one noise: sums of them say so.
use crate::{Ciphertexts, Client, Error, IntegerOp, Lut, Params, Server};

type Outcome = Result<(), Error>;

fn pair() -> Result<(Client, Server), Error> {
    let client = Client::generate(&Params::named("toy_4")?)?;
    let server = Server::new(client.server_key()?)?;
    Ok((client, server))
}

/// Bits.
fn encrypt(client: &Client, bits: &[i64]) -> Result<Ciphertexts, Error> {
    client.encrypt_within(bits, 0..=1, 3)
}

/// Of the variance, from one of these to their sum: their number, or its square.
fn growth(x: &Ciphertexts) -> Result<f64, Error> {
    Ok(x.linear_map(&[vec![1; x.len()]])?.noise_variance() / x.noise_variance())
}

fn noises(client: &Client, x: &Ciphertexts, value: u64) -> Result<Vec<f64>, Error> {
    client.measure_noise(x, &vec![value; x.len()])
}

#[test]
fn differences_that_are_one_ciphertext() -> Outcome {
    let (client, server) = pair()?;
    let u = encrypt(&client, &[0, 1, 0, 1])?;
    let left = u.linear_map(&[[1, 0, 1, 0], [1, 0, 0, 1]])?;
    let right = u.linear_map(&[[0, 1, 1, 0], [0, 1, 0, 1]])?;
    let less = server.evaluate(IntegerOp::Less, [&left, &right])?.as_residues()?;
    let table = server.evaluate(&Lut::modular(vec![0, 1], 16)?, &less)?;
    for x in [less, table] {
        let noises = noises(&client, &x, 1)?;
        assert!(noises[0].to_bits() == noises[1].to_bits() && growth(&x)? > 3.999, "{noises:?}");
    }
    // Others are as many ciphertexts.
    let right = u.linear_map(&[[0, 1, 1, 0], [0, 1, 1, 1]])?;
    let less = server.evaluate(IntegerOp::Less, [&left, &right])?.as_residues()?;
    assert!((growth(&less)? - 2.0).abs() < 1e-9);
    Ok(())
}

#[test]
fn a_difference_and_its_negative() -> Outcome {
    let (client, server) = pair()?;
    let [x, y] = [encrypt(&client, &[0])?, encrypt(&client, &[1])?];
    let (left, right) = (Ciphertexts::concat(&[&x, &y])?, Ciphertexts::concat(&[&y, &x])?);
    let equal = server.evaluate(IntegerOp::Equal, [&left, &right])?.as_residues()?;
    assert!(growth(&equal)? > 3.999);
    Ok(())
}

/// x − x has no mask: what it turns keeps the key's noise, in every vector.
#[test]
fn what_has_no_mask() -> Outcome {
    let (client, server) = pair()?;
    let of_itself = || -> Result<Ciphertexts, Error> {
        let x = encrypt(&client, &[1, 0])?;
        let y = Ciphertexts::concat(&[&encrypt(&client, &[0])?, &x.slice(1..2)?])?;
        let less = server.evaluate(IntegerOp::Less, [&x, &y])?.as_residues()?;
        server.evaluate(&Lut::modular(vec![1, 0], 16)?, &less)
    };
    let columns = [of_itself()?, of_itself()?];
    let [one, other] = [noises(&client, &columns[0], 1)?, noises(&client, &columns[1], 1)?];
    assert!(one[0].to_bits() != other[0].to_bits() && one[1].to_bits() == other[1].to_bits(), "{one:?} {other:?}");
    let sum = columns[0].add(&columns[1])?;
    assert!(sum.noise_variance() > 3.999 * columns[0].noise_variance());
    // From file to file, where nobody looks.
    let (x, mut out) = (encrypt(&client, &[1, 0])?.write(Vec::new())?, Vec::new());
    let plan = server.plan(IntegerOp::Less, [&Ciphertexts::read(&x[..])?; 2])?;
    let inputs = [&x[..]; 2].map(crate::CiphertextReader::new).into_iter().collect::<Result<Vec<_>, _>>()?;
    server.run_to(&plan, inputs, vec![&mut out])?;
    assert!(growth(&Ciphertexts::read(&out[..])?.as_residues()?)? > 3.999);
    Ok(())
}

/// Constants have equal noise after a table, and whatever follows.
#[test]
fn constants_among_others() -> Outcome {
    let (client, server) = pair()?;
    let u = encrypt(&client, &[0, 1])?.as_residues()?;
    let identity = Lut::modular((0..16).collect(), 16)?;
    let one = server.evaluate(&identity, &u.linear_map(&[[1, 0], [0, 1], [0, 0]])?)?;
    assert!((growth(&one)? - 3.0).abs() < 1e-9);
    let two = server.evaluate(&identity, &u.linear_map(&[[1, 0], [0, 0], [0, 0]])?)?;
    let again = server.evaluate(&identity, &two)?;
    for x in [two, again] {
        let noises = noises(&client, &x, 0)?;
        assert!(noises[1].to_bits() == noises[2].to_bits() && growth(&x)? > 8.999, "{noises:?}");
    }
    Ok(())
}
