//! An evaluation by the Rust door for each line that comes: `door KEY CIPHERTEXTS MODULUS` evaluates x² + 1 on one
//! thread, and prints the seconds of processors that it took. `crates/py/benches/door.py` has the Python package beside
//! it.
use bootes::{Ciphertexts, Lut, Server, ServerKey};
use bootes_bench::cpu_seconds;
use std::error::Error;
use std::io::{Write, stdin, stdout};
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [key, input, modulus] = &arguments[..] else { return Err("door KEY CIPHERTEXTS MODULUS".into()) };
    let server = Server::builder(ServerKey::load(key)?).threads(1).build()?;
    let (x, p) = (Ciphertexts::load(input)?, modulus.parse::<i64>()?);
    let plan = server.plan(Lut::modular((0..p).map(|x| (x * x + 1) % p).collect(), p as u64)?, &x)?;
    let start = Instant::now();
    for line in stdin().lines() {
        line?;
        let before = cpu_seconds(start);
        let results = server.run(&plan, &x)?;
        let taken = cpu_seconds(start) - before;
        drop(results);
        writeln!(stdout(), "{taken}")?;
        stdout().flush()?;
    }
    Ok(())
}
