//! Evaluations that somebody watches, ends, or limits.
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use bootes::planner::watched;
use bootes::{ErrorKind, MaskStorage};

use super::*;

/// From 0 to 1, never back.
#[test]
fn progress_goes_from_0_to_1() -> Outcome {
    for case in cases()? {
        let Some(plan) = case.plan() else { continue };
        let parts = Arc::new(Mutex::new(Vec::new()));
        let tell = Arc::clone(&parts);
        let server = case.session.server.watched(move |part| tell.lock().expect("no panic").push(part));
        for streamed in [false, true] {
            match streamed {
                true => drop(case.stream(&server, &plan)?),
                false => drop(server.run(&plan, case.inputs())?),
            }
            let parts = std::mem::take(&mut *parts.lock().expect("no panic"));
            let ends = [parts.first(), parts.last()];
            assert!(parts.is_sorted() && ends == [Some(&0.0), Some(&1.0)], "{streamed} {parts:?}");
        }
    }
    with_each(|s| {
        let (tell, parts) = std::sync::mpsc::channel();
        s.client.server_key_builder().progress(move |part| tell.send(part).expect("somebody hears")).build()?;
        let parts: Vec<f64> = parts.iter().collect();
        assert!(parts.is_sorted() && [parts.first(), parts.last()] == [Some(&0.0), Some(&1.0)], "{parts:?}");
        Ok(())
    })
}

#[test]
fn what_is_cancelled_does_not_begin() -> Outcome {
    let cancel = Cancel::new();
    cancel.cancel();
    for case in cases()? {
        let Some(plan) = case.plan() else { continue };
        let server = case.session.server.cancelled_by(&cancel);
        refused!(server.run(&plan, case.inputs()), Error::Cancelled);
        refused!(case.stream(&server, &plan), Error::Cancelled);
        // Nobody else's.
        assert!(case.session.server.run(&plan, case.inputs()).is_ok());
    }
    Ok(())
}

/// An evaluation of many seconds ends soon after it is cancelled, and the server goes on.
#[test]
fn evaluations_end_when_they_are_cancelled() -> Outcome {
    with_each(|s| {
        let (client, count) = (&s.client, if s.capacity() == 1 { 100_000 } else { 400 * s.capacity() });
        // Of no polynomial of low degree.
        let table = s.table(|x| (x * x * 41 + x * 7 + 3) % 1009)?;
        let encrypted = client.encrypt(vec![1; count])?;
        let plan = s.server.plan(&table, &encrypted)?;
        let sent = bytes(&encrypted)?;
        for streamed in [false, true] {
            let cancel = Cancel::new();
            let (watched, ender) = (s.server.cancelled_by(&cancel), cancel.clone());
            let (result, late) = thread::scope(|scope| {
                let ended = scope.spawn(move || {
                    thread::sleep(Duration::from_millis(300));
                    ender.cancel();
                    Instant::now()
                });
                let result = match streamed {
                    true => CiphertextReader::new(&sent[..])
                        .and_then(|reader| watched.run_to(&plan, vec![reader], vec![Vec::new()]))
                        .map(drop),
                    false => watched.run(&plan, &encrypted).map(drop),
                };
                (result, ended.join().map(|ended| ended.elapsed()))
            });
            refused!(result, Error::Cancelled);
            // A second, and what a busy machine needs.
            assert!(late.is_ok_and(|late| late < Duration::from_secs(5)));
        }
        assert_eq!(client.decrypt_residues(&s.server.evaluate(&table, &client.encrypt([1])?)?)?, [51 % s.fixture.p]);
        Ok(())
    })
}

#[test]
fn memory_is_refused_before_it_is_taken() -> Outcome {
    with_each(|s| {
        let (client, masks) = (&s.client, MaskStorage::Seeded);
        let limited = Server::builder(client.server_key()?).masks(masks).memory(1000).build();
        refused!(limited, Error::Memory { available: 1000, .. });
        refused!(client.server_key_builder().memory(1000).build(), Error::Memory { available: 1000, .. });
        let (key, file) = (client.server_key()?, client.server_key()?.write(Vec::new())?);
        assert_eq!(key.stored_bytes(), file.len() as u64);
        assert!(ServerKey::read_within(Some(key.stored_bytes()), &file[..]).is_ok());
        refused!(ServerKey::read_within(Some(1000), &file[..]), Error::Memory { available: 1000, .. });
        Ok(())
    })?;
    // What one ciphertext at a time takes, and not all of them.
    for s in SESSIONS.iter().chain([&INTEGERS[1]]) {
        println!("with {}", s.client.params().name());
        let (client, n) = (&s.client, s.capacity());
        let values = vec![3; if n == 1 { 2000 } else { 3 * n }];
        let is_table = client.params().name() == s.fixture.set;
        let (function, x): (Function, _) = match is_table {
            true => (s.table(|x| x * x)?.into(), client.encrypt(&values)?),
            false => (IntegerOp::Floor(1).into(), client.encrypt_integers(vec![18; 3 * n], 6)?),
        };
        let limited = |memory| {
            Ok::<_, Error>(Server::builder(client.server_key()?).threads(1).masks(MaskStorage::Seeded).memory(memory))
        };
        let server = limited(u64::MAX)?.build()?;
        let needed = server.plan(&function, &x)?.prediction(1)?.memory;
        let server = limited(match s.fixture.engine {
            Engine::Fhew => server.key_bytes() + (4 << 20),
            Engine::Ckks => needed.peak(),
            // Maps of bootstrapping belong to the set; the plan has some constants.
            Engine::Bfv => server.key_bytes() + needed.workspace + (32 << 10),
        })?;
        let (server, file) = (server.build()?, bytes(&x)?);
        let reader = || CiphertextReader::new(&file[..]);
        let plan = server.plan(function, reader()?.head())?;
        if is_table {
            refused!(server.run(&plan, &x), Error::Memory { .. } | Error::CiphertextMemory { .. });
        }
        let results = server.run_to(&plan, vec![reader()?], vec![Vec::new()])?.remove(0);
        let found = client.decrypt_from(CiphertextReader::new(&results[..])?)?;
        assert!(found.len() == x.len() && found.iter().all(|&y| y == 9));
        // And what reads them.
        let one = bytes(&x.slice(..n)?)?.len() as u64;
        // Engine bfv keeps no seeds in memory.
        let one = if s.fixture.engine == Engine::Bfv { 2 * one } else { one };
        let within = |memory| CiphertextReader::within(Some(memory), &file[..]);
        if n > 1 {
            refused!(within(one / 4), Error::CiphertextMemory { .. });
        }
        refused!(within(5 * one / 2)?.read(), Error::CiphertextMemory { .. });
        assert_eq!(client.decrypt_from(within(5 * one / 2)?)?.len(), x.len());
        within(5 * one / 2)?.finish()?;
    }
    Ok(())
}

/// As much as is said, whatever the engine keeps.
#[test]
fn keys_take_what_they_say() -> Outcome {
    with_each(|s| {
        for masks in [MaskStorage::Seeded, MaskStorage::Expanded] {
            let key = s.client.server_key()?;
            let expanded = key.expanded_bytes(masks);
            let server = Server::builder(key).threads(1).masks(masks).build()?;
            assert!(server.masks() == masks || s.fixture.engine == Engine::Fhew);
            assert_eq!(server.key_bytes(), expanded);
        }
        Ok(())
    })
}

#[test]
fn results_do_not_depend_on_threads() -> Outcome {
    with_each(|s| {
        let key = s.client.server_key()?.write(Vec::new())?;
        let server = |threads| Server::builder(ServerKey::read(&key[..])?).threads(threads).build();
        refused!(server(0), Error::Threads);
        refused!(s.client.server_key_builder().threads(0).build(), Error::Threads);
        let (x, table) =
            (s.client.encrypt(vec![3; if s.capacity() == 1 { 50 } else { 2 * s.capacity() }])?, s.table(|x| x * x)?);
        let one = bytes(&server(1)?.evaluate(&table, &x)?)?;
        for threads in [2, 64] {
            assert!(bytes(&server(threads)?.evaluate(&table, &x)?)? == one, "{threads} threads");
        }
        Ok(())
    })
}

type Job<'a> = dyn Fn() -> Result<(), Error> + Sync + 'a;

/// Whatever may take seconds looks whether somebody still wants it: work that cancels itself goes no further.
#[test]
fn what_is_not_wanted_any_longer_ends() -> Outcome {
    with_each(|s| {
        let (client, n) = (&s.client, 2 * s.capacity());
        let values = vec![1; n];
        let fresh = client.encrypt(&values)?;
        let (x, public) = (fresh.add(&fresh)?, client.public_key()?);
        let sent = [x.to_bytes()?, client.server_key()?.to_bytes()?];
        let jobs: [(&str, Option<Has>, &Job<'_>); 17] = [
            ("sum", None, &|| x.add(&x).map(drop)),
            ("difference", None, &|| x.sub(&x).map(drop)),
            ("multiple", None, &|| x.mul_small(2).map(drop)),
            ("nothing", None, &|| x.mul_small(0).map(drop)),
            ("sum with a constant", None, &|| x.add_constant(1).map(drop)),
            ("sum with constants", None, &|| x.add_constants(&vec![1; n]).map(drop)),
            ("of fresh ones", None, &|| fresh.add_constant(1).map(drop)),
            ("weighted sum", None, &|| Ciphertexts::weighted_sum([(2, &x), (1, &fresh)]).map(drop)),
            ("linear map", Some(Has::LinearMaps), &|| x.linear_map(&[vec![1; n]]).map(drop)),
            ("concatenation", None, &|| Ciphertexts::concat([&x, &x]).map(drop)),
            ("slice", None, &|| x.slice(..s.capacity()).map(drop)),
            ("encryption", None, &|| client.encrypt(&values).map(drop)),
            ("encryption with a public key", None, &|| public.encrypt(&values).map(drop)),
            ("decryption", None, &|| client.decrypt(&x).map(drop)),
            ("writing", None, &|| x.to_bytes().map(drop)),
            ("reading", None, &|| Ciphertexts::from_bytes(&sent[0]).map(drop)),
            ("a server", None, &|| Server::new(ServerKey::from_bytes(&sent[1])?).map(drop)),
        ];
        let has = |what: Option<Has>| what.is_none_or(|what| s.fixture.has.contains(&what));
        for (name, _, job) in jobs.into_iter().filter(|&(_, what, _)| has(what)) {
            let (cancel, found) = (Cancel::new(), Mutex::new(None));
            let itself = || {
                cancel.cancel();
                *found.lock().expect("no panic") = Some(job().map_err(|error| error.kind()));
                Ok(())
            };
            refused!(watched(&cancel, |_| (), itself), Error::Cancelled);
            let found = found.into_inner().expect("no panic");
            assert_eq!(found, Some(Err(ErrorKind::Cancelled)), "{name}");
        }
        Ok(())
    })
}

/// What a client does for seconds ends soon after it is cancelled, and the client goes on.
#[test]
fn clients_end_when_they_are_cancelled() -> Outcome {
    with_each(|s| {
        let (client, count) = (&s.client, if s.capacity() == 1 { 200_000 } else { 2000 * s.capacity() });
        let (values, few) = (vec![1; count], client.encrypt([1, 2])?);
        let many = client.encrypt(&values)?;
        let jobs: [&Job<'_>; 3] = [&|| client.encrypt(&values).map(drop), &|| client.decrypt(&many).map(drop), &|| {
            (0..10_000).try_for_each(|_| client.server_key().map(drop))
        }];
        for (number, job) in jobs.into_iter().enumerate() {
            let (cancel, begun) = (Cancel::new(), Instant::now());
            let ender = cancel.clone();
            let (result, late) = thread::scope(|scope| {
                let ended = scope.spawn(move || {
                    thread::sleep(Duration::from_millis(20));
                    ender.cancel();
                    Instant::now()
                });
                let result = watched(&cancel, |_| (), job);
                (result, ended.join().expect("no panic").elapsed())
            });
            assert!(matches!(result, Err(Error::Cancelled)), "job {number} took {:?}: {result:?}", begun.elapsed());
            assert!(late < Duration::from_secs(1), "job {number} ended {late:?} late");
        }
        assert_eq!(client.decrypt(&few)?, [1, 2]);
        Ok(())
    })
}
