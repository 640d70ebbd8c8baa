//! A score card: points for each of two columns, a weighted sum, a threshold. The same program for one value and for a
//! million: nothing here names an engine.
use bootes::{Ciphertexts, Client, Error, Lut, Server, ServerKey};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::net::TcpStream;

/// Values of both columns, and of scores: 0 to 15.
pub(crate) const MODULUS: u64 = 16;
/// How often the points of each column count, and what is taken off.
const WEIGHTS: [i64; 2] = [2, 1];
const OFFSET: i64 = 4;
const THRESHOLD: u64 = 5;

/// Points of the first and of the second column.
const POINTS: [fn(u64) -> u64; 2] = [|x| x / 4, |y| 3 - y / 4];

fn table(f: impl Fn(u64) -> u64) -> Result<Lut, Error> {
    Ok(Lut::modular((0..MODULUS).map(f).collect(), MODULUS)?)
}

/// Serves one client: its key, two columns, and back whether each row reaches the threshold.
pub(crate) fn serve(stream: &TcpStream) -> Result<(), Box<dyn std::error::Error>> {
    let mut input = BufReader::new(stream);
    let server = Server::new(ServerKey::read(&mut input)?)?;
    let points = POINTS.iter().map(|&points| {
        let column = Ciphertexts::read(&mut input)?;
        server.evaluate(&table(points)?, &column)
    });
    let points = points.collect::<Result<Vec<_>, Error>>()?;
    let columns: Vec<(i64, &Ciphertexts)> = WEIGHTS.into_iter().zip(&points).collect();
    let score = Ciphertexts::weighted_sum(columns)?.add_constant(-OFFSET)?;
    let results = server.evaluate(&table(|score| u64::from(score >= THRESHOLD))?, &score)?;
    results.write(BufWriter::new(stream))?.flush()?;
    Ok(())
}

/// What a client sends and gets: whether each row reaches the threshold.
pub(crate) fn ask(
    client: &Client,
    stream: &TcpStream,
    columns: [&[u64]; 2],
) -> Result<Vec<u64>, Box<dyn std::error::Error>> {
    let mut out = client.server_key()?.write(BufWriter::new(stream))?;
    for column in columns {
        out = client.encrypt_modulo(column, MODULUS)?.write(out)?;
    }
    out.flush()?;
    Ok(client.decrypt_residues(&Ciphertexts::read(Watched(stream))?)?)
}

/// A server that goes away is an error of its own.
struct Watched<'a>(&'a TcpStream);

impl Read for Watched<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self.0.read(out)? {
            0 if !out.is_empty() => Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the server went away")),
            count => Ok(count),
        }
    }
}

/// The same in plain.
pub(crate) fn plain(columns: [&[u64]; 2]) -> Vec<u64> {
    let score = |(x, y): (&u64, &u64)| {
        let sum = WEIGHTS[0] * POINTS[0](*x) as i64 + WEIGHTS[1] * POINTS[1](*y) as i64 - OFFSET;
        u64::from(sum.rem_euclid(MODULUS as i64) as u64 >= THRESHOLD)
    };
    columns[0].iter().zip(columns[1]).map(score).collect()
}

/// Two columns of so many rows.
pub(crate) fn rows(count: u64) -> [Vec<u64>; 2] {
    [7, 11].map(|factor| (0..count).map(|i| i * factor % 13 + i % 4).collect())
}
