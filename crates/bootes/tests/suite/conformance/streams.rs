//! Files of ciphertexts that are combined as they are read.
use super::*;

/// From file to file, what is written in memory is written, but for the dependence of what is not looked at.
#[test]
fn streams_are_combined_as_vectors_are() -> Outcome {
    let wide = Session::of(&FIXTURES[0], "toy_wide_4", 1)?;
    SESSIONS.iter().chain([&wide]).try_for_each(|s| {
        println!("with {}", s.client.params().name());
        let (client, k) = (&s.client, s.capacity());
        let n = if k > 1 { 2 * k } else { 150 };
        let values: Vec<u64> = (0..n as u64).map(|i| (i * 7 + i / 16) % 16).collect();
        let (x, y) = (client.encrypt(&values)?, client.encrypt(&values)?);
        let (sum, twice) = (x.add(&y)?, x.add(&x)?);
        let [fx, fy, fsum, ftwice] = [bytes(&x)?, bytes(&y)?, bytes(&sum)?, bytes(&twice)?];
        let reader = |bytes| CiphertextReader::new(bytes);
        let [rsum, rtwice] = [reread(&sum)?, reread(&twice)?];
        let mut out = Vec::new();
        for (files, vectors) in
            [([&fx, &fy], [&x, &y]), ([&fx, &fsum], [&x, &rsum]), ([&fsum, &ftwice], [&rsum, &rtwice])]
        {
            let readers = || files.iter().map(|bytes| reader(&bytes[..])).collect::<Result<Vec<_>, _>>();
            out.clear();
            let (all, streamed) = (Ciphertexts::concat(vectors), CiphertextReader::concat_to(readers()?, &mut out));
            match all {
                Ok(all) => assert_eq!((streamed?, &out), (all.space(), &bytes(&all)?)),
                Err(_) => refused!(streamed, Error::Bfv(BfvError::States)),
            }
            for (weights, constant) in [([1, 1], 0), ([2, -1], 3), ([0, 1], 0), ([1, 0], 2), ([0, 0], 1)] {
                let expected = Ciphertexts::weighted_sum([(weights[0], vectors[0]), (weights[1], vectors[1])])?;
                let expected = if constant == 0 { expected } else { expected.add_constant(constant)? };
                out.clear();
                let columns = weights.into_iter().zip(readers()?).collect();
                assert_eq!(CiphertextReader::weighted_sum_to(columns, constant, &mut out)?, expected.space());
                assert_eq!(out, bytes(&expected)?, "{weights:?} {constant}");
            }
        }
        for (file, vector) in [(&fx, &x), (&fsum, &sum)] {
            for range in [0..n, 0..n / 2, n / 2..n, if k == 1 { 70..91 } else { 0..k }] {
                out.clear();
                assert_eq!(reader(file)?.slice_to(range.clone(), &mut out)?, sum.space());
                assert_eq!(out, bytes(&vector.slice(range)?)?);
            }
        }
        refused!(reader(&fsum)?.slice_to(1..n + 2, &mut out), Error::Slice { .. });
        // What is fresh stays small.
        out.clear();
        CiphertextReader::weighted_sum_to(vec![(1, reader(&fx)?)], 0, &mut out)?;
        assert_eq!(out, fx);
        assert_eq!(client.decrypt_from(reader(&fsum)?)?, client.decrypt(&sum)?);
        let whole = reader(&fx)?;
        assert_eq!((whole.len(), whole.ciphertexts(), whole.space()), (x.len(), x.ciphertexts(), x.space()));
        assert_eq!((whole.params(), bytes(&whole.read()?)?), (x.params(), fx.clone()));
        // Cut, damaged, of other lengths, none.
        let two = vec![reader(&fx)?, reader(&fx[..fx.len() - 1])?];
        refused!(CiphertextReader::concat_to(two, &mut out), Error::Stream(_));
        let mut damaged = fsum.clone();
        let at = damaged.len() - 300;
        damaged[at] ^= 1;
        refused!(CiphertextReader::concat_to(vec![reader(&damaged)?], &mut out), Error::Stream(_));
        refused!(client.decrypt_from(reader(&damaged)?), Error::Stream(_));
        refused!(reader(&damaged)?.finish(), Error::Stream(_));
        let short = bytes(&client.encrypt([1])?)?;
        let columns = vec![(1, reader(&fx)?), (1, reader(&short)?)];
        refused!(CiphertextReader::weighted_sum_to(columns, 0, &mut out), Error::Lengths { right: 1, .. });
        refused!(CiphertextReader::concat_to(vec![], &mut out), Error::NoValues);
        refused!(CiphertextReader::weighted_sum_to(vec![], 0, &mut out), Error::NoValues);
        Ok(())
    })
}

/// The same values, in fewer bytes, from memory and from files.
#[test]
fn compressed_results_are_decrypted_alike() -> Outcome {
    with_each(|s| {
        let values = s.many();
        let x = s.client.encrypt(&values)?;
        let y = s.server.evaluate(&s.table(|x| 3 * x + 1)?, &x)?;
        let compressed = s.server.compress(&y)?;
        let expected = s.each(&values, |x| 3 * x + 1);
        let file = bytes(&y)?;
        let streamed = s.server.compress_from(CiphertextReader::new(&file[..])?)?;
        for found in [&compressed, &streamed] {
            let [before, after] = [&y, found].map(Ciphertexts::stored_bytes);
            println!("{before} bytes become {after}");
            // Results of engine bfv may have no more primes than are needed.
            assert!(if s.fixture.engine == Engine::Bfv { after <= before } else { 5 * after < 4 * before });
            s.within(found, &expected);
            assert_eq!((found.len(), found.space()), (y.len(), y.space()));
            assert_eq!(s.client.decrypt_residues(&reread(found)?)?, expected);
            // No larger afterwards, and right or refused by the noise that it has.
            assert!(s.server.compress(found).map_or(true, |again| again.stored_bytes() <= after));
            if let Ok(again) = s.server.evaluate(&s.table(|x| -x)?, &reread(found)?) {
                assert_eq!(s.client.decrypt_residues(&again)?, s.each(&values, |x| -3 * x - 1));
            }
        }
        // Fresh ones, whose masks are seeds, are no larger.
        assert!(s.server.compress(&x)?.stored_bytes() <= x.stored_bytes());
        assert_eq!(s.client.decrypt_residues(&s.server.compress(&x)?)?, values);
        let mut damaged = file;
        *damaged.last_mut().ok_or("no bytes")? ^= 1;
        assert!(s.server.compress_from(CiphertextReader::new(&damaged[..])?).is_err());
        let cancel = Cancel::new();
        cancel.cancel();
        refused!(s.server.cancelled_by(&cancel).compress(&y), Error::Cancelled);
        let stranger = Client::from_seed(&s.client.params(), &[9; 32]);
        refused!(s.server.compress(&stranger.encrypt([1])?), Error::OtherKey { .. });
        let other = Client::from_seed(&Params::named(s.fixture.other)?, &[9; 32]);
        refused!(s.server.compress(&other.encrypt([1])?), Error::OtherParams { .. });
        Ok(())
    })
}
