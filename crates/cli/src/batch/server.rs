//! `bootes eval` and `inspect` with the batch engine.

use bootes::ckks;
use bootes::wire::ObjectKind;
use serde_json::json;

use super::read_error;
use crate::args::EvalArgs;
use crate::commands::Outcome;
use crate::error::CliError;
use crate::files::{self, Output, Sealed, Text};
use crate::progress::{Progress, Watched};
use crate::report;
use crate::table::{Table, size_in_words};

/// Reads a server key, with a bar.
fn read_key(file: Sealed, memory: Option<u64>) -> Result<ckks::ServerKey, CliError> {
    file.check_memory()?;
    let bar = Progress::bar_of("loading the server key", "MB", (file.bytes / 1_000_000) as usize);
    ckks::ServerKey::read_within(memory, Watched::new(file.input, &bar)).map_err(|error| read_error(&file.path, error))
}

/// Applies a table to ciphertexts.
pub(crate) fn eval(args: &EvalArgs, key: Sealed, output: &Output) -> Result<Outcome, CliError> {
    let (Some(path), None, None) = (&args.table, &args.algorithm, &args.input2) else {
        return Err(CliError::new(
            "--op, --algorithm and --input2 are for engine fhew: with the server key of engine ckks give --table",
        ));
    };
    key.expect(ObjectKind::BatchServerKey)?;
    let quiet = args.json || output.is_stream();
    // The small files first, and each check as soon as it can be made: the key takes seconds to load.
    let table = Table::read(Text::open(path)?, &args.form)?;
    let input = Sealed::open_as(&args.input, ObjectKind::BatchCiphertexts)?;
    files::check_headers(&key, &input)?;
    let ciphertext_bytes = input.bytes;
    let (threads, memory) = (args.threads.here(), args.memory.bytes());
    let encrypted = super::client::ciphertexts(input, memory)?;
    let (params, count) = (encrypted.params().clone(), encrypted.len() as u64);
    if table.entries() != encrypted.modulus() {
        return Err(CliError::at(
            path,
            format!(
                "the table has {} entries, but {} holds {} messages: expected a table of as many entries, or values encrypted \
                 with --modulus {}",
                table.entries(),
                args.input.display(),
                size_in_words(encrypted.modulus()),
                table.entries(),
            ),
        ));
    }
    let lut = table.batch().map_err(|error| CliError::at(path, error))?;
    let load = ckks::Load { ciphertexts: encrypted.ciphertexts(), threads };
    let luts = std::slice::from_ref(&lut);
    let prediction = ckks::Prediction::within(&params, luts, load, args.masks.storage(), memory)
        .map_err(|error| CliError::at(path, error))?;
    let (server, load_time) = report::timed(|| {
        let key = read_key(key, memory)?;
        ckks::Server::within(key, Some(prediction.storage), memory).map_err(|error| CliError::at(&args.key, error))
    });
    let server = server?;
    if !quiet {
        report::line(&super::one_line(&params))?;
        report::line(&super::in_words(&prediction, count))?;
    }
    let (bytes, eval_time) = report::timed(|| {
        let bar = Progress::bar_of("evaluating", "steps", 5 * encrypted.ciphertexts());
        crate::commands::write_results(output, &args.input, |out| {
            let watch = |progress| super::tell(&bar, progress);
            server.evaluate_to(&lut, &encrypted, out, threads, watch).map(drop)
        })
    });
    let bytes = bytes?;
    if args.json {
        let mut object = json!({
            "engine": "ckks",
            "count": count,
            "ciphertexts": encrypted.ciphertexts(),
            "params": params.name(),
            "log2_p_fail": params.log2_p_fail(),
            "log2_failure": prediction.log2_failure,
            "security_bits": super::security(&params),
            "masks_kept": server.storage() == bootes::MaskStorage::Expanded,
            "load_s": load_time.as_secs_f64(),
            "eval_s": eval_time.as_secs_f64(),
            "per_value_ms": eval_time.as_secs_f64() * 1e3 / count as f64,
            "predicted_cpu_s": prediction.seconds_for(count),
            "ciphertext_bytes": ciphertext_bytes,
            "result_bytes": bytes,
            "peak_rss_bytes": report::peak_memory(),
            "predicted_peak_bytes": prediction.memory.peak(),
            "threads": threads,
            "side_by_side": prediction.together,
            "isa": bootes::isa().to_string(),
        });
        table.describe(&mut object);
        report::json(&object)?;
    } else if !quiet {
        report::line(&format!(
            "{}: {count} results ({} messages) in {}; key loaded in {}, evaluated in {} with {} ({} a value){}",
            args.output.display(),
            size_in_words(lut.out_modulus()),
            report::size(bytes),
            report::duration(load_time),
            report::duration(eval_time),
            crate::commands::run::threads_in_words(threads),
            report::duration(eval_time.div_f64(count as f64)),
            super::peak_in_words(prediction.memory.peak()),
        ))?;
    }
    Ok(Outcome::Right)
}

/// Says what a file of the batch engine is, and checks it.
pub(crate) fn inspect(file: Sealed, json: bool) -> Result<Outcome, CliError> {
    let (header, size) = (file.header, file.bytes);
    let mut object = json!({
        "kind": header.kind.to_string(),
        "version": header.version,
        "fingerprint": files::hex(&header.fingerprint),
        "key_id": files::hex(&header.key_id),
        "bytes": size,
        "checksum_ok": true,
    });
    let (params, rows) = match header.kind {
        ObjectKind::BatchCiphertexts => {
            let encrypted = super::client::ciphertexts(file, None)?;
            object["count"] = json!(encrypted.len());
            object["modulus"] = json!(encrypted.modulus());
            object["ciphertexts"] = json!(encrypted.ciphertexts());
            let (count, messages) = (encrypted.len(), size_in_words(encrypted.modulus()));
            let held = format!("{count} {messages} messages in {} ciphertexts", encrypted.ciphertexts());
            (encrypted.params().clone(), vec![("ciphertexts", held)])
        }
        ObjectKind::BatchServerKey => {
            let key = read_key(file, None)?;
            object["memory_bytes"] = json!([key.bytes(), 2 * key.bytes()]);
            let memory = [key.bytes(), 2 * key.bytes()].map(|bytes| report::size(bytes as u64));
            let rows = vec![
                ("memory", format!("{}, or {} with its masks", memory[0], memory[1])),
                ("secret", "no: give this file to the server".to_string()),
            ];
            (key.params().clone(), rows)
        }
        _ => {
            let client = super::client::client(file)?;
            (client.params().clone(), vec![("secret", "yes: keep this file to yourself".to_string())])
        }
    };
    object["params"] = json!(params.name());
    if json {
        report::json(&object)?;
        return Ok(Outcome::Right);
    }
    let mut all = vec![
        ("kind", header.kind.to_string()),
        ("format version", header.version.to_string()),
        ("parameters", params.name().to_string()),
        ("fingerprint", files::hex(&header.fingerprint)),
        ("key", files::hex(&header.key_id)),
    ];
    all.push(("size", report::size(size)));
    all.extend(rows);
    all.push(("checksum", "right".to_string()));
    let text: String = all.into_iter().map(|(name, value)| format!("{name:<16}{value}\n")).collect();
    report::out(text.as_bytes())?;
    Ok(Outcome::Right)
}
