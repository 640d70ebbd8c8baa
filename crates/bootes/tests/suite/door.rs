//! One program for both engines, over a socket: two tables on two columns, a weighted sum, a threshold table.
use bootes::{
    BfvError, CalibrationError, CiphertextReader, Client, Engine, Error, Function, IntegerOp, KeyNeeds, LutError,
    Params, Server, errors,
};
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

/// What is made here is used elsewhere, when this is gone: a builder, a key, a reader, a function.
#[test]
fn nothing_is_borrowed() -> Outcome {
    let client = Client::generate(&Params::named("toy_int16")?)?;
    let (builder, file) = (client.server_key_builder().threads(1), client.encrypt_integers([-3, 2], 3)?.to_bytes()?);
    let reader = CiphertextReader::new(std::io::Cursor::new(file))?;
    let relu: Function = "relu".parse()?;
    let elsewhere = std::thread::spawn(move || {
        let server = Server::new(builder.build()?)?;
        let x = reader.read()?;
        let plan = server.plan(relu, &x)?;
        Ok::<_, Error>(std::thread::spawn(move || server.run(&plan, &x)))
    });
    let results = elsewhere.join().expect("no panic")?.join().expect("no panic")?;
    assert_eq!(client.decrypt(&results[0])?, [0, 2]);
    Ok(())
}

#[test]
fn functions_have_text() -> Outcome {
    use IntegerOp::{Abs, Add, Equal, Floor, Less, Max, Min, Relu, Sign, Sub};
    for op in [Sign, Less, Equal, Relu, Abs, Max, Min, Floor(7), Add, Sub] {
        let read = Function::from(op).to_string().parse()?;
        assert!(matches!(read, Function::Integers(found) if found == op), "{read}");
    }
    for text in ["x*y + 3*rot(x, 1)", "sum(x^2); -x"] {
        assert_eq!(text.parse::<Function>()?.to_string(), text);
    }
    assert!(matches!("widen:5".parse()?, Function::Widen(5)));
    assert!(matches!(" relu\n".parse()?, Function::Integers(Relu)));
    for wrong in ["", "maximum", "Relu", "x", "floor:", "floor:-1", "digits", "digits:x", "widen:4294967296", "x +"] {
        let refused = wrong.parse::<Function>().unwrap_err();
        assert!(matches!(refused, Error::Lut(_)), "{wrong}: {refused}");
        assert!(!wrong.contains(':') || refused.to_string().ends_with("or floor:K"), "{wrong}: {refused}");
    }
    Ok(())
}

/// Whatever an error is made of has a name here.
const _: () = {
    const fn cause<E: Into<Error>>() {}
    cause::<LutError>();
    cause::<BfvError>();
    cause::<CalibrationError>();
    cause::<errors::ParamsError>();
    cause::<errors::RingError>();
    cause::<errors::LatticeError>();
    cause::<errors::SampleError>();
    cause::<errors::WireError>();
    cause::<errors::StreamError>();
    cause::<errors::BfvSchemeError>();
    cause::<errors::CkksError>();
    cause::<errors::RlweError>();
};
