//! Objects in files, on streams, and in the formats of `serde`.
use serde::de::value::{BytesDeserializer, Error as ValueError};
use serde::{Deserialize, Serialize};
use serde_json::{from_str, from_value, json, to_string, to_value};

use super::*;

#[test]
fn objects_are_saved_and_loaded_whole() -> Outcome {
    let directory = tempfile::tempdir()?;
    let path = |name: &str| directory.path().join(name);
    with_each(|s| {
        let (client, p) = (&s.client, s.fixture.p);
        client.save(path("client.key"))?;
        client.server_key()?.save(path("server.key"))?;
        client.encrypt([7, 9])?.save(path("x"))?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(std::fs::metadata(path("client.key"))?.permissions().mode() & 0o777, 0o600);
        }
        let again = Client::load(path("client.key"))?;
        assert_eq!((again.key_id(), again.params()), (client.key_id(), client.params()));
        let server = Server::new(ServerKey::load(path("server.key"))?)?;
        assert_eq!((server.key_id(), server.params()), (client.key_id(), client.params()));
        let results = server.evaluate(&s.table(|x| -x)?, &Ciphertexts::load(path("x"))?)?;
        assert_eq!(again.decrypt_residues(&results)?, [p - 7, p - 9]);
        // A file tells its engine and its set before it is read.
        let (engine, set) = (client.params().engine(), Some(client.params().name().to_string()));
        for (name, kind) in ["client.key", "server.key", "x"].into_iter().zip(engine.kinds()) {
            let (file, head) = (std::fs::read(path(name))?, bootes::wire::HEADER_BYTES);
            assert_eq!((bootes::wire::peek(&file)?.0.kind, Engine::of_kind(kind)), (kind, engine));
            assert_eq!(Params::name_in(kind, &file[head..]), set, "{name}");
        }
        // What was there stays where nothing can be written, and nothing else is left.
        refused!(client.save(path("no").join("client.key")), Error::File { .. });
        refused!(results.save(path("no").join("y")), Error::File { .. });
        refused!(Client::load(path("none")), Error::File { .. });
        refused!(Ciphertexts::load(directory.path()), Error::File { .. });
        // One object in the place of another.
        for wrong in [
            ServerKey::load(path("x")).map(drop),
            ServerKey::load(path("client.key")).map(drop),
            Client::load(path("x")).map(drop),
            Client::load(path("server.key")).map(drop),
            Ciphertexts::load(path("client.key")).map(drop),
            Ciphertexts::load(path("server.key")).map(drop),
            EncryptedTable::load(path("x")).map(drop),
        ] {
            let wrong = wrong.unwrap_err();
            assert!(matches!(wrong, Error::InFile { .. }) && wrong.to_string().contains("expected"), "{wrong}");
        }
        // More than the object, and less.
        for name in ["client.key", "server.key", "x"] {
            let load = || match name {
                "client.key" => Client::load(path(name)).map(drop),
                "server.key" => ServerKey::load(path(name)).map(drop),
                _ => Ciphertexts::load(path(name)).map(drop),
            };
            let whole = std::fs::read(path(name))?;
            std::fs::write(path(name), [&whole[..], b"!"].concat())?;
            let long = load().unwrap_err().to_string();
            assert!(long.contains(name) && long.contains("too long"), "{long}");
            let half = whole.len() / 2 + 3;
            std::fs::write(path(name), &whole[..half])?;
            let short = load().unwrap_err().to_string();
            assert!(short.contains(name) && short.contains(&half.to_string()), "{short}");
        }
        assert_eq!(std::fs::read_dir(directory.path())?.count(), 3);
        Ok(())
    })
}

type Read = fn(&[u8]) -> Result<(), Error>;

/// Every byte counts, and what is cut is refused.
#[test]
fn damaged_objects_are_refused() -> Outcome {
    with_each(|s| {
        let x = s.client.encrypt([1, 2, 3])?;
        let y = s.server.evaluate(&s.table(|x| x + 1)?, &x)?;
        let table = s.client.encrypt_table(&s.table(|x| x)?).ok().map(|table| table.to_bytes()).transpose()?;
        let objects: [(Vec<u8>, Read); 5] = [
            (s.client.export_secret_bytes().to_vec(), |bytes| Client::from_bytes(bytes).map(drop)),
            (s.client.server_key()?.to_bytes()?, |bytes| ServerKey::from_bytes(bytes).map(drop)),
            (bytes(&x)?, |bytes| Ciphertexts::from_bytes(bytes).map(drop)),
            (bytes(&y)?, |bytes| CiphertextReader::new(bytes)?.finish()),
            (table.unwrap_or_default(), |bytes| EncryptedTable::from_bytes(bytes).map(drop)),
        ];
        for (i, (whole, read)) in objects.into_iter().enumerate().filter(|(_, (bytes, _))| !bytes.is_empty()) {
            read(&whole)?;
            // A reader stops at the end.
            assert_eq!(read(&[&whole[..], b"x"].concat()).is_ok(), i == 3);
            for at in (0..whole.len()).step_by(whole.len() / 60) {
                assert!(matches!(read(&whole[..at]), Err(Error::Wire(_) | Error::Stream(_))), "{at} bytes");
                let mut damaged = whole.clone();
                damaged[at] ^= 0x40;
                assert!(read(&damaged).is_err(), "byte {at}");
            }
        }
        Ok(())
    })
}

/// An object ends where it ends: what follows on a stream is not touched.
#[test]
fn objects_follow_each_other_on_a_stream() -> Outcome {
    with_each(|s| {
        let x = s.client.encrypt([3])?;
        let y = s.server.evaluate(&s.table(|x| x + 1)?, &x)?;
        let stream = [s.client.server_key()?.write(Vec::new())?, bytes(&x)?, bytes(&y)?, b"rest".to_vec()].concat();
        let mut input = &stream[..];
        let server = Server::new(ServerKey::read(&mut input)?)?;
        let [x, y] = [Ciphertexts::read(&mut input)?, Ciphertexts::read(&mut input)?];
        assert_eq!((input, server.key_id()), (&b"rest"[..], s.client.key_id()));
        assert_eq!([s.client.decrypt(&x)?, s.client.decrypt(&y)?], [[3], [4]]);
        Ok(())
    })
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
    for wrong in ["toy_5", &"x".repeat(1 << 20)] {
        assert!(from_value::<Params>(json!({ "name": wrong, "fingerprint": "" })).is_err());
    }
    assert!(from_value::<Ciphertexts>(json!([1, 2, 300])).is_err());
    with_each(|s| {
        let params = s.client.params();
        assert!(again(&params)? == params);
        let mut forged = to_value(&params)?;
        assert_eq!(forged["name"], s.fixture.set);
        forged["fingerprint"] = json!("00".repeat(16));
        let error = from_value::<Params>(forged).unwrap_err().to_string();
        assert!(error.contains(&format!("another version of parameter set {}", s.fixture.set)), "{error}");
        Ok(())
    })
}

#[test]
fn serde_has_the_bytes_of_files() -> Outcome {
    with_each(|s| {
        let (client, fresh) = (&s.client, s.client.encrypt([1, 2, 3])?);
        let key = client.server_key()?.write(Vec::new())?;
        assert_eq!(of_bytes::<ServerKey>(&key)?.write(Vec::new())?, key);
        let public = client.public_key()?;
        assert_eq!(again(&public)?.to_bytes()?, public.to_bytes()?);
        assert!(of_bytes::<bootes::PublicKey>(&key).is_err());
        // A key in JSON, where it is small.
        if s.capacity() == 1 {
            assert_eq!(again(&client.server_key()?)?.key_id(), client.key_id());
        }
        let results = s.server.evaluate(&s.table(|x| x + 1)?, &again(&fresh)?)?;
        for (ciphertexts, expected) in [(&fresh, [1, 2, 3]), (&results, [2, 3, 4])] {
            let bytes = bytes(ciphertexts)?;
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
        }
        Ok(())
    })
}
