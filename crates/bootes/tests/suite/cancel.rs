//! Evaluations that nobody wants any longer.
use bootes::{Cancel, CiphertextReader, Client, Error, Lut, Params, Server};
use std::thread;
use std::time::{Duration, Instant};

/// An evaluation of many seconds ends soon after it is cancelled, in both engines, and the server goes on.
#[test]
fn evaluations_end_when_they_are_cancelled() -> Result<(), Error> {
    for (set, count) in [("toy_8", 20_000), ("toy_batch_4bit", 400_000)] {
        let params = Params::named(set)?;
        let (client, p) = (Client::generate(&params)?, 1 << params.bits());
        let server = Server::new(client.server_key()?)?;
        let lut = Lut::modular((0..p).rev().collect(), p)?;
        let encrypted = client.encrypt(&vec![1; count])?;
        let plan = server.plan(&lut, &encrypted)?;
        let sent = encrypted.write(Vec::new())?;
        for streamed in [false, true] {
            let cancel = Cancel::new();
            let (watched, ender) = (server.cancelled_by(&cancel), cancel.clone());
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
            assert!(matches!(result, Err(Error::Cancelled)), "{set}: {result:?}");
            // A second, and what a busy machine needs.
            assert!(late.is_ok_and(|late| late < Duration::from_secs(5)), "{set}");
        }
        let few = client.encrypt(&[1, 2])?;
        assert_eq!(client.decrypt(&server.evaluate(&lut, &few)?)?, [p - 2, p - 3]);
    }
    Ok(())
}
