//! One program for both engines, over a socket: two tables on two columns, a weighted sum, a threshold table.
use bootes::{Client, Engine, Error, KeyNeeds, Params};
use std::net::{TcpListener, TcpStream};

type Outcome = Result<(), Box<dyn std::error::Error>>;

#[path = "../../examples/scoring/model.rs"]
mod scoring;

#[test]
fn one_program_for_both_engines() -> Outcome {
    for (set, engine) in [("toy_4", Engine::Fhew), ("toy_batch_4bit", Engine::Ckks)] {
        let params = Params::named(set)?;
        assert_eq!(params.engine(), engine);
        let client = Client::generate(&params)?;
        let columns = scoring::rows(200);
        let columns = [&columns[0][..], &columns[1][..]];
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let stream = TcpStream::connect(listener.local_addr()?)?;
        let results = std::thread::scope(|scope| {
            let server = scope.spawn(|| {
                let (stream, _) = listener.accept().expect("a client");
                scoring::serve(&stream).map_err(|error| error.to_string())
            });
            let results = scoring::ask(&client, &stream, columns);
            server.join().expect("no panic")?;
            results
        })?;
        assert_eq!(results, scoring::plain(columns), "{set}");
        assert!((1..200).contains(&results.iter().sum::<u64>()));
    }
    Ok(())
}

#[test]
fn additional_keys_are_those_asked_for() -> Outcome {
    let client = Client::from_seed(&Params::named("toy_8")?, &[11; 32]);
    let ring = |degree| KeyNeeds { rings: vec![degree], ..KeyNeeds::default() };
    let key = client.server_key_builder().additional(ring(2048)).additional(ring(1024)).build()?;
    assert_eq!(key.additional().rings, [1024, 2048]);
    for degree in [0, 512, 1000, 1536, 1 << 18, usize::MAX, 1 << 63] {
        let refused = client.server_key_builder().additional(ring(degree)).build().map(drop);
        assert!(matches!(refused, Err(Error::Lattice(_))), "{degree}: {refused:?}");
    }
    Ok(())
}
