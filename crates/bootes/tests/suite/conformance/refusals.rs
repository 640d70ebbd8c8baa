//! What does not belong together is refused, by its kind.
use super::*;

/// All that takes two ciphertexts, or a key and one: `x` is of the session.
fn meet(s: &Session, x: &Ciphertexts, y: &Ciphertexts, kind: impl Fn(&Error) -> bool) -> Outcome {
    let table = s.table(|x| x)?;
    let plan = s.server.plan(&table, x)?;
    let files = [bytes(x)?, bytes(y)?];
    let (both, only) = (|| readers(&files), || readers(&files[1..]));
    let refused = [
        x.add(y).map(drop),
        x.sub(y).map(drop),
        Ciphertexts::weighted_sum([(1, x), (1, y)]).map(drop),
        Ciphertexts::concat([x, y]).map(drop),
        CiphertextReader::concat_to(both()?, Vec::new()).map(drop),
        CiphertextReader::weighted_sum_to((1..).zip(both()?).collect(), 0, Vec::new()).map(drop),
        s.client.decrypt(y).map(drop),
        s.client.decrypt(y).map(drop),
        s.client.decrypt_from(only()?.remove(0)).map(drop),
        s.server.plan(&table, y).map(drop),
        s.server.evaluate(&table, y).map(drop),
        s.server.evaluate_all(&[table.clone(), table][..], y).map(drop),
        s.server.run(&plan, y).map(drop),
        s.server.run_to(&plan, only()?, vec![Vec::new()]).map(drop),
    ];
    for (i, refused) in refused.into_iter().enumerate() {
        let error = refused.unwrap_err();
        is_a_line(&error);
        assert!(kind(&error), "{i}: {error}");
    }
    // Where one is not there at all, that comes first.
    let kind = |error: Error| assert!(kind(&error) || matches!(error, Error::NotWith { .. }), "{error}");
    kind(s.client.measure_noise(y, [1]).unwrap_err());
    kind(s.server.multiply(x, y).unwrap_err());
    kind(s.server.evaluate_all(Function::Digits(2), y).unwrap_err());
    kind(s.server.evaluate(Function::Widen(5), y).unwrap_err());
    Ok(())
}

#[test]
fn what_belongs_to_others_is_refused() -> Outcome {
    with_each(|s| {
        let x = s.client.encrypt([1])?;
        let stranger = Client::from_seed(&s.client.params(), &[9; 32]);
        meet(s, &x, &stranger.encrypt([1])?, |error| matches!(error, Error::OtherKey { .. }))?;
        let other = Client::from_seed(&Params::named(s.fixture.other)?, &[1; 32]);
        meet(s, &x, &other.encrypt([1])?, |error| matches!(error, Error::OtherParams { .. }))?;
        for other in SESSIONS.iter().filter(|other| other.fixture.engine != s.fixture.engine) {
            meet(s, &x, &other.client.encrypt([1])?, |error| matches!(error, Error::OtherEngine { .. }))?;
        }
        Ok(())
    })
}

#[test]
fn what_an_engine_has_not_is_not_asked_of_it() -> Outcome {
    with_each(|s| {
        let key = s.client.server_key_builder().algorithm("recursive-1").build();
        s.with(Has::Algorithms, key);
        let needs = bootes::KeyNeeds { relinearisation: true, ..Default::default() };
        s.with(Has::Algorithms, s.client.server_key_builder().additional(needs).build());
        s.with(Has::Encrypted, EncryptedTable::predicted_bytes(&s.client.params(), s.fixture.p, None));
        let table = s.with(Has::Encrypted, s.client.encrypt_table(&s.table(|x| x)?));
        let Some(table) = table else { return Ok(()) };
        let stranger = Session::of(s.fixture, s.fixture.set, 9)?;
        refused!(stranger.server.plan(&table, &stranger.client.encrypt([1])?), Error::OtherKey { .. });
        let other = Session::of(s.fixture, s.fixture.other, 1)?;
        refused!(other.server.plan(&table, &other.client.encrypt([1])?), Error::OtherParams { .. });
        Ok(())
    })
}
