//! A score card on encrypted rows, client and server in two processes:
//! `cargo run --release -p bootes --example scoring -- serve 127.0.0.1:7777`, and in another terminal
//! `cargo run --release -p bootes --example scoring -- ask 127.0.0.1:7777 200` (or 40000).
mod model;

use bootes::{Client, Params};
use std::net::{TcpListener, TcpStream};
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        ["serve", address] => serve(address),
        ["ask", address, rows] => ask(address, rows, None),
        ["ask", address, rows, set] => ask(address, rows, Some(set)),
        _ => Err("expected: serve ADDRESS, or ask ADDRESS ROWS [SET]".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// One client after the other.
fn serve(address: &str) -> Result<(), Box<dyn std::error::Error>> {
    let listener = TcpListener::bind(address)?;
    println!("serving at {}", listener.local_addr()?);
    for stream in listener.incoming() {
        let start = Instant::now();
        match model::serve(&stream?) {
            Ok(()) => println!("a client was served in {:.1} s", start.elapsed().as_secs_f64()),
            Err(error) => eprintln!("a client was refused: {error}"),
        }
    }
    Ok(())
}

fn ask(address: &str, rows: &str, set: Option<&str>) -> Result<(), Box<dyn std::error::Error>> {
    let count: u64 = rows.parse().map_err(|_| format!("{rows} rows: expected a number"))?;
    let params = match set {
        Some(name) => Params::named(name)?,
        None => Params::for_bits(4)?.many(count as usize)?,
    };
    println!("{count} rows, parameter set {} of engine {}", params.name(), params.engine());
    let columns = model::rows(count);
    let columns = [&columns[0][..], &columns[1][..]];
    let client = Client::generate(&params)?;
    let start = Instant::now();
    let results = model::ask(&client, &TcpStream::connect(address)?, columns)?;
    let seconds = start.elapsed().as_secs_f64();
    let differing = results.iter().zip(model::plain(columns)).filter(|(found, expected)| **found != *expected).count();
    let reached = results.iter().sum::<u64>();
    println!("{reached} of {count} rows reach the threshold; {seconds:.1} s with keys and sending");
    if differing > 0 {
        return Err(format!("{differing} rows differ from those in plain").into());
    }
    println!("every row is as in plain");
    Ok(())
}
