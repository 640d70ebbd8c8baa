//! `bootes keygen`, `encrypt` and `decrypt` with the batch engine.

use std::path::Path;

use bootes::ckks;
use bootes::wire::ObjectKind;
use serde_json::json;

use super::{io_error, read_error};
use crate::args::{DecryptArgs, EncryptArgs, KeygenArgs};
use crate::commands::Outcome;
use crate::commands::pair::Pair;
use crate::error::CliError;
use crate::files::{self, Output, Sealed, Text};
use crate::integers::{self, Format};
use crate::progress::{Progress, Watched};
use crate::report;
use crate::table::size_in_words;

/// Makes keys and writes them, the server's a limb at a time.
pub(crate) fn keygen(args: &KeygenArgs, pair: &Pair) -> Result<Outcome, CliError> {
    if args.algorithm.is_some() {
        return Err(CliError::new("--algorithm is for engine fhew: engine ckks has one; leave it out"));
    }
    let params = super::choose(&args.choice, args.choice.bits.unwrap_or(1))?;
    let (threads, memory) = (args.threads.here(), args.memory.bytes());
    let predicted = ckks::Memory::of_keys(&params)?.peak();
    let (keys, time) = report::timed(|| {
        let bar = Progress::bar_of("generating keys", "%", 100);
        let client = super::in_pool(Some(&args.threads), || Ok(ckks::Client::generate(&params)?))?;
        let server_key = client.server_key_within(memory, threads, |done, all| bar.set(100 * done / all))?;
        Ok::<_, CliError>((client, server_key))
    });
    let (client, server_key) = keys?;
    let client_bytes = client.export_secret_bytes();
    let (server_bytes, key_id) = (server_key.stored_bytes(), files::hex(&client.key_id()));
    let bar = Progress::bar_of("writing the server key", "MB", (server_bytes / 1_000_000) as usize);
    pair.write(&client_bytes, |out| server_key.write(Watched::new(out, &bar)).map(drop).map_err(io_error))?;
    drop(bar);
    let [client_path, server_path] = pair.paths();
    if args.json {
        report::json(&json!({
            "engine": "ckks",
            "params": params.name(),
            "bits": params.literal().bits,
            "capacity": params.capacity(),
            "log2_p_fail": params.log2_p_fail(),
            "security_bits": super::security(&params),
            "key_id": key_id,
            "client_key": client_path.display().to_string(),
            "server_key": server_path.display().to_string(),
            "client_key_bytes": client_bytes.len(),
            "server_key_bytes": server_bytes,
            "keygen_s": time.as_secs_f64(),
            "peak_rss_bytes": report::peak_memory(),
            "predicted_peak_bytes": predicted,
            "isa": bootes::isa().to_string(),
        }))?;
    } else if !pair.is_stream() {
        report::line(&super::one_line(&params))?;
        let row = |path: &Path, bytes: u64, what: &str| {
            vec![path.display().to_string(), report::size(bytes), what.to_string()]
        };
        let rows = [
            row(client_path, client_bytes.len() as u64, "secret: keep it"),
            row(server_path, server_bytes, "for the server"),
        ];
        report::out(report::columns("lrl", &rows).as_bytes())?;
        report::line(&format!(
            "key {}, made in {}{}",
            files::short_hex(&client.key_id()),
            report::duration(time),
            super::peak_in_words(predicted),
        ))?;
    }
    Ok(Outcome::Right)
}

/// Reads a client key.
pub(super) fn client(key: Sealed) -> Result<ckks::Client, CliError> {
    key.expect(ObjectKind::BatchClientKey)?;
    let path = key.path.clone();
    ckks::Client::from_bytes(&key.read_client_key()?).map_err(|error| CliError::at(&path, error))
}

/// Reads ciphertexts, if there is memory for them.
pub(super) fn ciphertexts(file: Sealed, memory: Option<u64>) -> Result<ckks::Ciphertexts, CliError> {
    file.expect(ObjectKind::BatchCiphertexts)?;
    file.check_memory()?;
    ckks::Ciphertexts::read_within(memory, file.input).map_err(|error| read_error(&file.path, error))
}

/// Writes ciphertexts; their bytes.
pub(super) fn write(output: &Output, ciphertexts: &ckks::Ciphertexts) -> Result<u64, CliError> {
    output.write_with(|out| ciphertexts.write(out).map(drop).map_err(io_error))?;
    Ok(ciphertexts.stored_bytes())
}

/// Encrypts a file of values.
pub(crate) fn encrypt(args: &EncryptArgs, key: Sealed, output: &Output) -> Result<Outcome, CliError> {
    if args.width.is_some() {
        return Err(CliError::new("--width is for functions of integers, which engine fhew evaluates: give --bits"));
    }
    let client = client(key)?;
    let params = client.params();
    let text = Text::open(&args.input)?;
    let size = args.modulus.unwrap_or(1 << args.bits.unwrap_or(params.literal().bits));
    if size > 1 << params.literal().bits {
        return Err(CliError::at(
            &args.key,
            format!(
                "its parameters {} hold messages of at most {} bits: make other keys with bootes keygen --engine ckks --bits",
                params.name(),
                params.literal().bits
            ),
        ));
    }
    let (values, format) = integers::input(text, size, args.bytes)?;
    let values: Vec<u64> = values.into_iter().map(|value| value as u64).collect();
    let (encrypted, time) = report::timed(|| client.encrypt(&values, size));
    let encrypted = encrypted?;
    let bytes = write(output, &encrypted)?;
    if args.json {
        report::json(&json!({
            "engine": "ckks",
            "count": encrypted.len(),
            "ciphertexts": encrypted.ciphertexts(),
            "modulus": size,
            "input_format": format.name(),
            "params": params.name(),
            "key_id": files::hex(&client.key_id()),
            "ciphertext_bytes": bytes,
            "encrypt_s": time.as_secs_f64(),
        }))?;
    } else if !output.is_stream() {
        report::line(&format!(
            "{}: {} {} messages in {} ciphertexts ({} of {}), {}, {}",
            args.output.display(),
            encrypted.len(),
            size_in_words(size),
            encrypted.ciphertexts(),
            format.name(),
            args.input.display(),
            report::size(bytes),
            report::duration(time),
        ))?;
    }
    Ok(Outcome::Right)
}

/// Decrypts a file of ciphertexts.
pub(crate) fn decrypt(args: &DecryptArgs, key: Sealed, output: Option<&Output>) -> Result<Outcome, CliError> {
    key.expect(ObjectKind::BatchClientKey)?;
    let input = Sealed::open_as(&args.input, ObjectKind::BatchCiphertexts)?;
    files::check_headers(&key, &input)?;
    let client = client(key)?;
    let encrypted = ciphertexts(input, None)?;
    let (values, time) = report::timed(|| client.decrypt(&encrypted));
    let values = values.map_err(|error| CliError::at(&args.input, error))?;
    let values: Vec<i64> = values.into_iter().map(|value| value as i64).collect();
    let format = if args.bytes { Format::Bytes } else { Format::Integers };
    if let Some(output) = output {
        output.write(&integers::output(&values, format)?)?;
    }
    if args.json {
        let mut object = json!({
            "engine": "ckks",
            "count": values.len(),
            "modulus": encrypted.modulus(),
            "params": client.params().name(),
            "key_id": files::hex(&client.key_id()),
            "decrypt_s": time.as_secs_f64(),
        });
        if args.output.is_none() {
            object["values"] = json!(values);
        }
        report::json(&object)?;
    } else if let Some(output) = output {
        if !output.is_stream() {
            report::line(&format!(
                "{}: {} {} messages as {}, {}",
                output.path().display(),
                values.len(),
                size_in_words(encrypted.modulus()),
                format.name(),
                report::duration(time),
            ))?;
        }
    } else {
        report::out(&integers::output(&values, format)?)?;
    }
    Ok(Outcome::Right)
}
