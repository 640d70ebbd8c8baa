//! `bootes compress`: results in fewer bytes, to be sent and decrypted.

use serde_json::json;

use super::Outcome;
use crate::args::CompressArgs;
use crate::error::CliError;
use crate::files::{self, Noun, Output, Sealed, read_error};
use crate::progress::Progress;
use crate::report;

pub(crate) fn run(args: &CompressArgs) -> Result<Outcome, CliError> {
    let output = std::slice::from_ref(&args.output);
    let outputs = super::outputs(output, 1, "input", [&args.key, &args.input], args.json)?;
    let key = Sealed::open(&args.key)?;
    key.expect(Noun::ServerKey)?;
    let input = Sealed::open(&args.input)?;
    input.expect(Noun::Ciphertexts)?;
    files::check_match(&key, &input)?;
    let (threads, memory, before) = (args.threads.here(), args.memory.bytes(), input.bytes);
    let input = super::ciphertexts(input, memory)?;
    let (count, params) = (input.len(), input.params());
    // What takes no key does not load it: that it is theirs is checked.
    let (server, load_time) = report::timed(|| match params.engine().compresses_alone() {
        true => Ok(None),
        false => {
            let key = super::server_key(key, memory)?;
            super::server(key, threads, memory, None).map(Some).map_err(|error| CliError::of(&args.key, error))
        }
    });
    let server = server?;
    let (compressed, time) = report::timed(|| match server {
        None => input.read()?.compressed_alone(),
        Some(server) => {
            let bar = Progress::bar("compressing", count);
            server.watched(bar.teller(count)).compress_from(input)
        }
    });
    let compressed = compressed.map_err(|error| match error {
        error @ bootes::Error::CompressionKey { .. } => CliError::of(&args.key, error),
        error => read_error(&args.input, error),
    })?;
    super::write_all(&outputs, std::slice::from_ref(&compressed))?;
    let after = compressed.stored_bytes();
    let each = after as f64 / count.max(1) as f64;
    if args.json {
        report::json(&json!({
            "engine": params.engine().to_string(),
            "params": params.name(),
            "count": count,
            "space": compressed.space().to_string(),
            "ciphertext_bytes": before,
            "result_bytes": after,
            "bytes_per_value": each,
            "load_s": load_time.as_secs_f64(),
            "compress_s": time.as_secs_f64(),
            "peak_rss_bytes": report::peak_memory(),
            "threads": threads,
            "isa": bootes::isa().to_string(),
        }))?;
    } else if after >= before && !outputs.iter().any(Output::is_stream) {
        report::line(&format!(
            "{}: {} of {} as they were, in {}: compressed they would take no less",
            args.output.display(),
            report::values(count),
            args.input.display(),
            report::size(after),
        ))?;
    } else if !outputs.iter().any(Output::is_stream) {
        report::line(&format!(
            "{}: {} in {} instead of {} ({each:.1} B a value); key loaded in {}, compressed in {}",
            args.output.display(),
            report::values(count),
            report::size(after),
            report::size(before),
            report::duration(load_time),
            report::duration(time),
        ))?;
    }
    Ok(Outcome::Right)
}
