//! What anybody encrypts with a public key is what the client encrypts, but for its noise.
use bootes::PublicKey;
use bootes::wire::{HEADER_BYTES, seal_as};
use bootes_testkit::stats::{Moments, mean_interval, variance_interval};

use super::*;

/// As it goes to somebody else.
fn sent(client: &Client) -> Result<PublicKey, Error> {
    let key = client.public_key()?;
    let bytes = key.to_bytes()?;
    assert_eq!(bytes.len() as u64, key.stored_bytes());
    let again = PublicKey::from_bytes(&bytes)?;
    assert!(again.to_bytes()? == bytes && again.key_id() == client.key_id());
    assert_eq!(again.params().name(), client.params().name());
    Ok(again)
}

#[test]
fn values_of_anybody_are_evaluated() -> Outcome {
    with_each(|s| {
        let (public, p) = (sent(&s.client)?, s.fixture.p);
        let count = s.many().len().max(600);
        let values: Vec<u64> = (0..count as u64).map(|i| (i * 7 + i / 16) % p).collect();
        let x = public.encrypt(&values)?;
        assert_eq!((s.client.decrypt_residues(&x)?, x.key_id()), (values.clone(), s.client.key_id()));
        assert!(!x.is_compressed() && x.space() == s.client.encrypt([1])?.space());
        let again = Ciphertexts::from_bytes(&bytes(&x)?)?;
        assert_eq!((bytes(&again)?, again.noise_variance()), (bytes(&x)?, x.noise_variance()));
        assert_eq!(bytes(&x)?.len() as u64, x.stored_bytes());
        assert_eq!(s.client.decrypt_residues(&again)?, values);
        let read = s.client.decrypt_from(CiphertextReader::new(&bytes(&x)?[..])?)?;
        assert!(read.iter().map(|&x| x as u64).eq(values.iter().copied()));
        // Sums with what the client encrypted, multiples, constants.
        let ones = s.client.encrypt(vec![1; count])?;
        let sum = Ciphertexts::weighted_sum([(3, &again), (-1, &ones)])?.add_constant(5)?;
        assert_eq!(s.client.decrypt_residues(&sum)?, s.each(&values, |x| 3 * x + 4));
        // x + x is of one noise.
        assert!(x.add(&x)?.noise_budget() < x.noise_budget() - 0.99);
        // What everybody knows.
        let known = x.constants(values.iter().map(|&x| x as i64))?;
        assert_eq!(s.client.decrypt_residues(&reread(&known.add(&ones)?)?)?, s.each(&values, |x| x + 1));
        assert_eq!(s.client.decrypt_residues(&reread(&known)?)?, values);
        refused!(x.constants([1]), Error::Lengths { .. });
        // Tables.
        let table = s.table(|x| x * x + 1)?;
        let few = if s.capacity() == 1 { x.slice(250..300)? } else { again.clone() };
        let expected = &values[if s.capacity() == 1 { 250..300 } else { 0..count }];
        let plan = s.server.plan(&table, &few)?;
        assert!(plan.log2_p_fail() <= s.client.params().log2_p_fail());
        let results = s.server.run(&plan, &few)?.remove(0);
        assert_eq!(s.client.decrypt_residues(&results)?, s.each(expected, |x| x * x + 1));
        // Cut and put together, beside what the client encrypted, too.
        let at = if s.capacity() == 1 { 300 } else { s.capacity() };
        let (head, tail) = (again.slice(..at)?, x.slice(at..)?);
        let both = Ciphertexts::concat([&head, &tail])?;
        assert_eq!(s.client.decrypt_residues(&Ciphertexts::from_bytes(&bytes(&both)?)?)?, values);
        let files = [bytes(&head)?, bytes(&tail)?];
        let mut out = Vec::new();
        CiphertextReader::concat_to(readers(&files)?, &mut out)?;
        assert!(out == bytes(&both)?);
        let mixed = Ciphertexts::concat([&head, &s.client.encrypt([1, 0])?]);
        if let Some(mixed) = s.with(Has::Histories, mixed) {
            let mixed = Ciphertexts::from_bytes(&bytes(&mixed)?)?;
            assert_eq!(s.client.decrypt_residues(&mixed)?, [&values[..at], &[1, 0]].concat());
        }
        Ok(())
    })
}

#[test]
fn integers_of_anybody_are_evaluated() -> Outcome {
    for s in INTEGERS.iter() {
        let public = sent(&s.client)?;
        let Some(x) = s.with(Has::Integers, public.encrypt_integers([-7, 0, 5], 4)) else { continue };
        assert_eq!(s.client.decrypt(&x)?, [-7, 0, 5]);
        let y = public.encrypt_within([1, 2, 3], 0..=3, 4)?;
        assert_eq!(s.client.decrypt(&s.server.evaluate(IntegerOp::Max, [&x, &y])?)?, [1, 2, 5]);
        assert_eq!(s.client.decrypt(&public.encrypt_unsigned([15], 4)?)?, [15]);
        // Two limbs.
        let width = s.client.params().max_integer_bits().unwrap_or(0);
        let long = (1i128 << (width - 1)) - 1;
        assert_eq!(s.client.decrypt_wide(&public.encrypt_integers([long, -long], width)?)?, [long, -long]);
        refused!(public.encrypt_within([4], 0..=3, 4), Error::Integer { .. });
        refused!(public.encrypt_integers([8], 4), Error::Integer { .. });
    }
    Ok(())
}

/// The noise has the variance that is said, and no mean.
#[test]
fn noise_of_public_encryption_is_the_predicted() -> Outcome {
    with_each(|s| {
        let keys = (0..20).map(|_| sent(&s.client)).collect::<Result<Vec<_>, _>>()?;
        // Values of one ciphertext of engine fhew are not independent.
        let x = match s.capacity() {
            1 => Ciphertexts::concat(&(0..600).map(|i| keys[i % 20].encrypt([3])).collect::<Result<Vec<_>, _>>()?)?,
            capacity => keys[0].encrypt(vec![3; capacity])?,
        };
        let values = vec![3; x.len()];
        let Some(noise) = s.within(&x, &values) else { return Ok(()) };
        let (predicted, moments) = (x.noise_variance(), Moments::of(&noise));
        let (low, high) = variance_interval(moments.variance, noise.len(), 0.999_999);
        let ratio = (moments.variance / predicted).sqrt();
        assert!((low..=high).contains(&predicted), "{}: {ratio} of the predicted deviation", s.fixture.set);
        let (low, high) = mean_interval(&moments, 0.999_999);
        assert!(low <= 0.0 && 0.0 <= high, "{}: mean {:e}", s.fixture.set, moments.mean);
        Ok(())
    })
}

#[test]
fn what_is_no_public_key_or_of_another_client_is_refused() -> Outcome {
    with_each(|s| {
        let stranger = Client::from_seed(&s.client.params(), &[9; 32]).public_key()?;
        let (x, theirs) = (s.client.public_key()?.encrypt([1])?, stranger.encrypt([1])?);
        refused!(x.add(&theirs), Error::OtherKey { .. });
        refused!(s.server.plan(&s.table(|x| x)?, &theirs), Error::OtherKey { .. });
        refused!(s.client.decrypt(&theirs), Error::OtherKey { .. });
        // Values that are none, as with the client.
        refused!(stranger.encrypt([-1]), Error::Value { .. } | Error::Residue { .. });
        refused!(stranger.encrypt_modulo([1], 1 << 40), Error::Modulus { .. } | Error::Bfv(BfvError::Modulus { .. }));
        // Bytes.
        let key = stranger.to_bytes()?;
        for wrong in [&bytes(&x)?[..], &s.client.export_secret_bytes(), &key[..key.len() - 1], &[]] {
            refused!(PublicKey::from_bytes(wrong), Error::Stream(_) | Error::Wire(_));
        }
        refused!(Ciphertexts::from_bytes(&key), Error::Stream(_) | Error::Wire(_));
        refused!(Client::from_bytes(&key), Error::Wire(_));
        refused!(PublicKey::from_bytes(&[&key[..], &[0]].concat()), Error::Wire(_));
        let (header, payload) = bootes::wire::open(&key, bootes::wire::peek(&key)?.0.kind)?;
        let sealed = |payload: &[u8]| seal_as(10, header.kind, header.fingerprint, header.key_id, payload);
        assert!(payload.len() + HEADER_BYTES < key.len() && PublicKey::from_bytes(&sealed(payload)).is_ok());
        refused!(PublicKey::from_bytes(&sealed(&payload[..payload.len() - 8])), Error::Stream(_) | Error::Wire(_));
        refused!(PublicKey::from_bytes(&sealed(&[payload, &[0; 8]].concat())), Error::Stream(_) | Error::Wire(_));
        let changed = seal_as(10, header.kind, [0; 16], header.key_id, payload);
        refused!(PublicKey::from_bytes(&changed), Error::ChangedParams { .. });
        Ok(())
    })
}
