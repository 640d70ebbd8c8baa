//! The gain of threads: values of engine fhew, one ciphertext of engine ckks, several side by side.
use std::time::Instant;

use super::{NAME, ckks, fhew};
use crate::ckks::{Subject, on};
use crate::row::Row;
use crate::{BenchError, Options, Sink};
use bootes::{Client, Engine, Load, MaskStorage, Params, Server, ServerKey};
use bootes_lut::Lut;
use bootes_lut::fhew::eval::BATCH;
use bootes_schemes::cost::{Calibration, Serial};

/// Measures, if there are threads, and the set is among those asked for.
pub(super) fn run(options: &Options, start: &Calibration, sink: &mut Sink<'_>) -> Result<Calibration, BenchError> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    if threads == 1 || fhew::is_slow() {
        return Ok(*start);
    }
    let mut serial = start.serial;
    let runs = options.runs(3, 2);
    let only = options.only();
    if options.is_of(Engine::Fhew) && fhew::smallest().contains(&only) {
        serial.values = values(threads, runs)?;
        sink(described("values", serial.values, threads))?;
    }
    let sets = if options.is_of(Engine::Ckks) { ckks::sets(&only) } else { Vec::new() };
    if let Some(set) = sets.into_iter().next() {
        options.progress(&format!("{NAME}: {threads} threads"));
        let params = set.try_build()?;
        [serial.ciphertext, serial.ciphertexts] =
            ciphertexts(&params, threads, runs)?.map_or([serial.ciphertext, serial.ciphertexts], |found| found);
        sink(described("a ciphertext", serial.ciphertext, threads))?;
        sink(described("ciphertexts", serial.ciphertexts, threads))?;
    }
    Ok(Calibration { serial, ..*start })
}

fn described(what: &str, part: f64, threads: usize) -> Row {
    let gain = 1.0 / Serial::part(part, threads);
    let note = format!("{part:.3} of the time is not shared: {threads} threads are {gain:.2} times as fast as one");
    Row::new(NAME, format!("threads: {what}")).with("serial", part).with("threads", threads).with("note", note)
}

/// The part that is not shared if `threads` threads take so much of one thread's time for the same.
fn unshared(part: f64, threads: usize) -> f64 {
    ((part * threads as f64 - 1.0) / (threads as f64 - 1.0)).clamp(0.0, 1.0)
}

/// The least seconds of each, by turns.
fn by_turns(runs: usize, work: &[&dyn Fn() -> Result<(), BenchError>]) -> Result<Vec<f64>, BenchError> {
    let mut least = vec![f64::INFINITY; work.len()];
    for _ in 0..runs {
        for (least, work) in least.iter_mut().zip(work) {
            let start = Instant::now();
            work()?;
            *least = least.min(start.elapsed().as_secs_f64());
        }
    }
    Ok(least)
}

fn values(threads: usize, runs: usize) -> Result<f64, BenchError> {
    let params = Params::named(fhew::smallest())?;
    let client = Client::from_seed(&params, &[1; 32]);
    let key = client.server_key()?.write(Vec::new())?;
    let server = |threads| Server::builder(ServerKey::read(&key[..])?).threads(threads).build();
    let servers = (server(1)?, server(threads)?);
    let table = Lut::unstructured(params.bits());
    let encrypt = |count: usize| client.encrypt_bits(vec![1; count], params.bits());
    let (some, all) = (encrypt(2 * BATCH)?, encrypt(2 * BATCH * threads)?);
    let one = || Ok(servers.0.evaluate(&table, &some).map(drop)?);
    let many = || Ok(servers.1.evaluate(&table, &all).map(drop)?);
    let seconds = by_turns(runs, &[&one, &many])?;
    Ok(unshared(seconds[1] / (seconds[0] * threads as f64), threads))
}

/// The gain of one ciphertext, and of several; nothing where memory does not allow any of it.
fn ciphertexts(
    params: &bootes_lut::ckks::TableParams,
    threads: usize,
    runs: usize,
) -> Result<Option<[f64; 2]>, BenchError> {
    let values = threads * params.capacity();
    let load = Load { threads, masks: Some(MaskStorage::Expanded), ..Load::here(values) };
    let table = Lut::unstructured(params.literal().bits);
    let Ok(prediction) = Params::named(params.name())?.predict(&table, &load) else { return Ok(None) };
    let together = prediction.together;
    let mut subject = on(threads, || Subject::new(params))??;
    let work = subject.work(params.literal().bits, 1)?;
    let alone = |threads: usize| on(threads, || subject.evaluate(&work).map(drop))?;
    let (one, within) = (|| alone(1), || alone(threads));
    let beside = || on(threads, || subject.evaluate_several(&work, together).map(drop))?;
    let seconds = by_turns(runs, &[&one, &within, &beside])?;
    let parts = [seconds[1] / seconds[0], seconds[2] / (seconds[0] * together as f64)];
    Ok(Some(parts.map(|part| unshared(part, threads))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_shared_follows_from_the_gain() {
        for serial in [0.0, 0.1, 0.5, 1.0] {
            for threads in [2, 3, 16] {
                assert!((unshared(Serial::part(serial, threads), threads) - serial).abs() < 1e-9);
            }
        }
        // Noise.
        assert_eq!([0.2, 1.3].map(|part| unshared(part, 4)), [0.0, 1.0]);
    }
}
