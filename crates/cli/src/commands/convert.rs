//! `bootes conversion-key` and `bootes convert`: ciphertexts of one client become those of another, of another engine.

use bootes::{ConversionKey, Params};
use serde_json::json;

use super::Outcome;
use crate::args::{ConversionKeyArgs, ConvertArgs};
use crate::error::CliError;
use crate::files::{self, Noun, Output, Sealed, io_error, read_error};
use crate::progress::Progress;
use crate::report;

/// Loads a conversion key.
pub(crate) fn conversion_key(file: Sealed) -> Result<ConversionKey, CliError> {
    file.expect(Noun::ConversionKey)?;
    file.check_memory(None)?;
    let path = file.path.clone();
    file.object(|input| ConversionKey::read(input)).map_err(|error| read_error(&path, error))
}

/// `bootes conversion-key`.
pub(crate) fn make(args: &ConversionKeyArgs) -> Result<Outcome, CliError> {
    let output = super::outputs(std::slice::from_ref(&args.output), 1, "file", [&args.from, &args.to], args.json)?;
    let [from, to] = [&args.from, &args.to].map(|path| Sealed::open(path).and_then(super::client));
    let (from, to) = (from?, to?);
    let (key, time) = report::timed(|| from.conversion_key(&to));
    let key = key.map_err(CliError::from)?;
    output[0].write_with(|out| key.write(out).map(drop).map_err(io_error))?;
    let [from, to] = [key.source_params(), key.target_params()];
    if args.json {
        report::json(&json!({
            "from": of_client(&from, &key.source_key_id()),
            "to": of_client(&to, &key.target_key_id()),
            "conversion_key": args.output.display().to_string(),
            "conversion_key_bytes": key.stored_bytes(),
            "keygen_s": time.as_secs_f64(),
        }))?;
    } else if !output[0].is_stream() {
        report::line(&format!(
            "{}: for the server, from {} (key {}) to {} (key {}), {}, made in {}",
            args.output.display(),
            from.name(),
            files::short_hex(&key.source_key_id()),
            to.name(),
            files::short_hex(&key.target_key_id()),
            report::size(key.stored_bytes()),
            report::duration(time),
        ))?;
    }
    Ok(Outcome::Right)
}

fn of_client(params: &Params, key_id: &[u8; 16]) -> serde_json::Value {
    json!({ "engine": params.engine().to_string(), "params": params.name(), "key_id": files::hex(key_id) })
}

/// The conversion key, with its server where one is given.
fn loaded(key: Sealed, server: Option<Sealed>, args: &ConvertArgs) -> Result<ConversionKey, CliError> {
    let key = conversion_key(key)?;
    let Some(file) = server else { return Ok(key) };
    let (path, memory) = (file.path.clone(), args.memory.bytes());
    let server = super::server_key(file, memory)?;
    let server =
        super::server(server, args.threads.here(), memory, None).map_err(|error| CliError::of(&path, error))?;
    key.with_server(&server).map_err(|error| CliError::of(&path, error))
}

/// `bootes convert`.
pub(crate) fn run(args: &ConvertArgs) -> Result<Outcome, CliError> {
    let inputs = [&args.key, &args.input].into_iter().chain(&args.server);
    let output = super::outputs(std::slice::from_ref(&args.output), 1, "file", inputs, args.json)?;
    let (key, input) = (Sealed::open(&args.key)?, Sealed::open(&args.input)?);
    key.expect(Noun::ConversionKey)?;
    input.expect(Noun::Ciphertexts)?;
    let server = args.server.as_deref().map(Sealed::open).transpose()?;
    server.as_ref().map_or(Ok(()), |server| server.expect(Noun::ServerKey))?;
    let (before, (key, load_time)) = (input.bytes, report::timed(|| loaded(key, server, args)));
    let (key, input) = (key?, super::ciphertexts(input, args.memory.bytes())?);
    let len = input.len();
    let rows = args.rows.as_ref().map(|rows| rows.of(len)).transpose().map_err(|row| {
        CliError::at(
            &args.input,
            format!("--rows has row {row}, and there are {len}: expected 0 to {}", len.saturating_sub(1)),
        )
    })?;
    let count = rows.as_ref().map_or(len, Vec::len);
    super::check_memory(key.stream_bytes(count), args.memory.bytes())?;
    let (head, threads) =
        (key.head(input.head()).map_err(|error| CliError::of(&args.input, error))?, args.threads.here());
    let key = key.with_threads(threads);
    let (after, time) = report::timed(|| {
        let bar = Progress::bar("converting", count);
        let key = key.watched(bar.teller(count));
        super::write_results(&output[0], &args.input, |out| {
            match rows {
                Some(rows) => key.convert_to(input, rows, out),
                None => key.convert_all_to(input, out),
            }
            .map(drop)
        })
    });
    let after = after?;
    let params = head.params();
    if args.json {
        report::json(&json!({
            "engine": params.engine().to_string(),
            "params": params.name(),
            "key_id": files::hex(&head.key_id()),
            "count": count,
            "space": head.space().to_string(),
            "noise_budget_bits": head.noise_budget(),
            "ciphertext_bytes": before,
            "result_bytes": after,
            "load_s": load_time.as_secs_f64(),
            "convert_s": time.as_secs_f64(),
            "threads": threads,
            "peak_rss_bytes": report::peak_memory(),
        }))?;
    } else if !output.iter().any(Output::is_stream) {
        report::line(&format!(
            "{}: {} of {} in {}, for keys of {}, noise budget {:.1} bits; key loaded in {}, converted in {} with {}",
            args.output.display(),
            report::values(count),
            args.input.display(),
            report::size(after),
            params.name(),
            head.noise_budget(),
            report::duration(load_time),
            report::duration(time),
            report::threads(threads),
        ))?;
    }
    Ok(Outcome::Right)
}
