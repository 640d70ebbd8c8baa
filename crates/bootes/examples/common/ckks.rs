//! What the examples of engine ckks share: their command line, and the keys.
use bootes::{Client, Params, Server};
use std::error::Error;
use std::time::Instant;

/// Both sides.
pub(crate) struct Sides {
    pub(crate) client: Client,
    pub(crate) server: Server,
}

impl Sides {
    /// Reads `--params` and `--threads`, and makes the keys.
    pub(crate) fn parse(default: &str, in_earnest: &str) -> Result<Self, Box<dyn Error>> {
        let (mut name, mut threads) = (default.to_string(), std::thread::available_parallelism()?.get());
        let mut arguments = std::env::args().skip(1);
        while let Some(option) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("{option} takes a value, see --help"));
            match option.as_str() {
                "--params" => name = value()?,
                "--threads" => threads = value()?.parse().map_err(|_| "--threads takes a number")?,
                "--help" | "-h" => {
                    println!("--params SET  parameter set of engine ckks, {in_earnest} in earnest [{default}]");
                    println!("--threads N   threads of the server [{threads}]");
                    std::process::exit(0);
                }
                _ => return Err(format!("unknown option {option}, see --help").into()),
            }
        }
        let (params, start) = (Params::named(&name)?, Instant::now());
        let client = Client::generate(&params)?;
        let server = Server::builder(client.server_key()?).threads(threads).build()?;
        println!("parameter set {name}: {} bits, keys in {:.1} s", params.bits(), start.elapsed().as_secs_f64());
        Ok(Self { client, server })
    }
}

/// Says how many results are right, and refuses those that are not.
pub(crate) fn compare<T: PartialEq>(
    what: &str,
    found: &[T],
    expected: &[T],
    start: Instant,
) -> Result<(), Box<dyn Error>> {
    let right = found.iter().zip(expected).filter(|(a, b)| a == b).count();
    println!("{what}: {right} of {} values right, {:.2} s", expected.len(), start.elapsed().as_secs_f64());
    if right == expected.len() && found.len() == right { Ok(()) } else { Err("wrong results".into()) }
}
