//! `bootes keygen`: a key pair in a directory.

use std::io::Write;
use std::path::{Path, PathBuf};

use bootes::{Client, Lut, Params};
use serde_json::json;

use super::Outcome;
use super::pair::Pair;
use super::params::{one_line, standard, strict};
use crate::args::KeygenArgs;
use crate::error::CliError;
use crate::files::{self, Sealed, io_error};
use crate::need::Need;
use crate::progress::{Progress, Watched};
use crate::report;

/// Bytes of a set, or of its maps, that are made whatever the limit.
const SMALL: u64 = 1 << 23;

/// A refusal of memory of what takes next to nothing beyond the limit: it is made, and its keys tell what all takes.
fn in_full(error: bootes::Error, limit: Option<u64>, set: impl FnOnce() -> Result<Params, bootes::Error>) -> CliError {
    match error {
        bootes::Error::Memory { needed, .. } if needed < SMALL && limit.is_some_and(|limit| limit < needed) => {
            let all = set().and_then(|set| super::check_memory(set.key_memory()?, limit));
            all.err().unwrap_or(error).into()
        }
        error => error.into(),
    }
}

pub(crate) fn run(args: &KeygenArgs) -> Result<Outcome, CliError> {
    let (choice, limit) = (&args.choice, args.memory.bytes());
    if let Some(name) = &choice.params {
        Params::named_within(name, limit).map_err(|error| in_full(error, limit, || Params::named(name)))?;
    }
    let vectors = args.modulus.map(|p| args.depth.map_or(Need::Vectors(p), |depth| Need::Leveled(p, depth)));
    let need = vectors.or(choice.need());
    if need.is_none() && choice.params.is_none() {
        return Err(CliError::new(
            "which parameters? give --bits B (1 to 20), --width W (1 to 64), --engine bfv --modulus P (with --depth D \
             for D products in a row and small keys) or --params NAME (see bootes params)",
        ));
    }
    if args.modulus.is_some() && args.engine.is_some_and(|engine| !engine.has_modulus()) {
        return Err(CliError::new(
            "--modulus is for engine bfv: give --bits B to the other engines, whatever the modulus",
        ));
    }
    super::check_algorithm(args.algorithm.as_deref())?;
    let engine = args.engine.or(choice.engine()?).unwrap_or_else(|| need.unwrap_or(Need::LEAST).engine());
    let table = match need {
        Some(Need::Messages(bits)) => Some(Lut::unstructured(bits)),
        _ => None,
    };
    if args.algorithm.is_some() && engine.algorithms().is_empty() {
        return Err(CliError::new(format!("--algorithm is for engine fhew: engine {engine} has one; leave it out")));
    }
    let least = match need {
        _ if choice.params.is_some() => 0,
        Some(Need::Messages(bits)) => Params::least_key_bytes(engine, 1 << bits),
        Some(Need::Integers(_)) => Params::least_integer_key_bytes(engine),
        _ => 0,
    };
    super::check_memory(least, args.memory.bytes())?;
    let evaluates = table.as_ref().map(|lut| (args.algorithm.as_deref(), lut));
    let params = choice.choose(engine, need, evaluates)?;
    if let (Some(lut), None) = (&table, &args.algorithm) {
        let bits = lut.in_bits();
        params
            .check(lut)
            .map_err(|error| CliError::new(format!("tables of {bits} bits: {}", CliError::from(error))))?;
    }
    let pair = Pair::new(args)?;
    params.check_key_memory(limit).map_err(|error| in_full(error, limit, || Ok(params.clone())))?;
    let predicted_peak = engine.predicts_all_memory().then(|| params.key_memory()).transpose()?;
    let predicted_peak = predicted_peak.map(|bytes| bytes + report::PROGRAM_BYTES);
    let (keys, time) = report::timed(|| {
        let bar = Progress::bar_of("generating keys", "%", 100);
        let client = Client::generate(&params)?;
        let mut key = client.server_key_builder().threads(args.threads.here()).progress(bar.teller(100));
        if let Some(memory) = args.memory.bytes() {
            key = key.memory(memory);
        }
        if let Some(algorithm) = &args.algorithm {
            key = key.algorithm(algorithm);
        }
        if args.compression {
            key = key.compression();
        }
        let key = key.build()?;
        let public = pair.public_path().map(|_| client.public_key()?.to_bytes()).transpose()?;
        Ok::<_, bootes::Error>((client, key, public))
    });
    let (client, server_key, public) = keys?;
    let [client_path, server_path] = pair.paths();
    let replaced = key_of(client_path);
    let client_bytes = client.export_secret_bytes();
    let (server_bytes, additional) = (server_key.stored_bytes(), server_key.additional());
    let bar = Progress::bar_of("writing the server key", "MB", (server_bytes / 1_000_000) as usize);
    let write = |out: &mut dyn Write| server_key.write(Watched::new(out, &bar)).map(drop).map_err(io_error);
    pair.write(&client_bytes, write, public.as_deref())?;
    drop(bar);
    if let Some(key) = replaced {
        note_left(client_path, key);
    }
    if args.json {
        report::json(&json!({
            "engine": engine.to_string(),
            "params": params.name(),
            "bits": params.bits(),
            "integer_bits": params.integer_bits(),
            "capacity": params.capacity(),
            "depth": params.depth(),
            "additional_keys": additional.to_string(),
            "log2_p_fail": params.log2_p_fail(),
            "security_bits": standard(&params),
            "security_bits_strict": strict(&params),
            "key_id": files::hex(&client.key_id()),
            "client_key": client_path.display().to_string(),
            "server_key": server_path.display().to_string(),
            "public_key": pair.public_path().map(|path| path.display().to_string()),
            "client_key_bytes": client_bytes.len(),
            "public_key_bytes": public.as_ref().map(Vec::len),
            "server_key_bytes": server_bytes,
            "keygen_s": time.as_secs_f64(),
            "peak_rss_bytes": report::peak_memory(),
            "predicted_peak_bytes": predicted_peak,
            "isa": bootes::isa().to_string(),
        }))?;
    } else if !pair.is_stream() {
        report::line(&one_line(&params))?;
        let row = |path: &Path, bytes: u64, what: String| vec![path.display().to_string(), report::size(bytes), what];
        let what = match additional.is_empty() {
            true => "for the server".to_string(),
            false => format!("for the server, with {additional}"),
        };
        let mut rows = vec![
            row(client_path, client_bytes.len() as u64, "secret: keep it".to_string()),
            row(server_path, server_bytes, what),
        ];
        if let (Some(path), Some(public)) = (pair.public_path(), &public) {
            rows.push(row(path, public.len() as u64, "for anybody who encrypts".to_string()));
        }
        report::out(report::columns("lrl", &rows).as_bytes())?;
        report::line(&format!(
            "key {}, made in {}{}",
            files::short_hex(&client.key_id()),
            report::duration(time),
            predicted_peak.map_or(String::new(), |_| report::peak_in_words(predicted_peak)),
        ))?;
    }
    Ok(Outcome::Right)
}

/// The id of the key of a file, if it is one.
fn key_of(path: &Path) -> Option<[u8; 16]> {
    let file = path.is_file().then(|| Sealed::open(path).ok()).flatten()?;
    Some(file.header.key_id)
}

/// Says which keys beside a client key that was replaced are still of the old one.
fn note_left(client: &Path, key: [u8; 16]) {
    let beside = ["server.key", "public.key"].map(|name| client.with_file_name(name));
    let left: Vec<PathBuf> = beside.into_iter().filter(|path| key_of(path) == Some(key)).collect();
    if !left.is_empty() {
        report::note(&format!(
            "{}: of the client key that was replaced ({}), and of no other; remove what is of no use",
            super::names(&left),
            files::short_hex(&key)
        ));
    }
}
