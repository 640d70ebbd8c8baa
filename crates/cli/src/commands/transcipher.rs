//! `bootes encrypt --symmetric` and `bootes transcipher`: values by AES, and ciphertexts of them.

use bootes::{EncryptedSymmetricKey, SymmetricCiphertexts};
use serde_json::json;

use super::Outcome;
use super::params::one_line;
use crate::args::{EncryptArgs, TranscipherArgs};
use crate::error::CliError;
use crate::files::{self, Noun, Output, Sealed, Staged, Text, io_error, read_error};
use crate::integers::{self, Domain, Or};
use crate::progress::Progress;
use crate::report;

/// Loads an encrypted key of AES.
pub(crate) fn symmetric_key(file: Sealed) -> Result<EncryptedSymmetricKey, CliError> {
    file.expect(Noun::SymmetricKey)?;
    let path = file.path.clone();
    file.object(|input| EncryptedSymmetricKey::read(input)).map_err(|error| read_error(&path, error))
}

/// Loads what AES encrypted.
pub(crate) fn symmetric_ciphertexts(file: Sealed) -> Result<SymmetricCiphertexts, CliError> {
    file.expect(Noun::SymmetricCiphertexts)?;
    file.check_memory(None)?;
    let path = file.path.clone();
    file.object(|input| SymmetricCiphertexts::read(input)).map_err(|error| read_error(&path, error))
}

/// `bootes encrypt --symmetric`.
pub(crate) fn encrypt(args: &EncryptArgs) -> Result<Outcome, CliError> {
    let inputs = [&args.key, &args.input];
    let mut paths = args.outputs.clone();
    let outputs = super::outputs(&paths, 1, "input", inputs, args.json)?;
    paths.extend(args.symmetric_key.clone());
    let outputs = match &args.symmetric_key {
        Some(_) => super::outputs(&paths, 2, "file", inputs, args.json)?,
        None => outputs,
    };
    let key = Sealed::open(&args.key)?;
    super::check_engine(&key, args.engine)?;
    if Noun::of(key.header.kind) == Some(Noun::PublicKey) {
        let line = "a public key has no key of AES: give the client key, or leave --symmetric out";
        return Err(CliError::at(&args.key, line));
    }
    let client = super::client(key)?;
    let params = client.params();
    let at = |error| CliError::of(&args.key, error);
    let bits = match args.bits {
        Some(bits) => bits,
        None => params.symmetric_bits().map_err(at)?,
    };
    let symmetric = client.symmetric_key();
    // Before the values, which are cut to so many bits.
    client.encrypt_symmetric_bits(&symmetric, [0], bits).map_err(at)?;
    let text = Text::open(&args.input)?;
    let (values, format) = integers::input(text, Domain::Below(1 << bits), args.bytes, Or::default())?;
    let (sent, time) = report::timed(|| client.encrypt_symmetric_bits(&symmetric, values, bits));
    let sent = sent.map_err(|error| CliError::of(&args.input, error))?;
    let mut staged = vec![outputs[0].stage_with(|out| sent.write(out).map(drop).map_err(io_error))?];
    if let Some(output) = outputs.get(1) {
        let key = client.encrypt_symmetric_key(&symmetric).map_err(at)?;
        staged.push(output.stage_with(|out| key.write(out).map(drop).map_err(io_error))?);
    }
    Staged::commit(staged)?;
    if args.json {
        report::json(&json!({
            "engine": params.engine().to_string(),
            "count": sent.len(),
            "bits": bits,
            "space": sent.space().to_string(),
            "input_format": format.name(),
            "params": params.name(),
            "key_id": files::hex(&sent.key_id()),
            "symmetric_key_id": files::hex(&sent.symmetric_key_id()),
            "symmetric_bytes": sent.stored_bytes(),
            "symmetric_key": args.symmetric_key,
            "encrypt_s": time.as_secs_f64(),
        }))?;
    } else if !outputs.iter().any(Output::is_stream) {
        report::line(&format!(
            "{}: {} {} ({} of {}) by AES-128 in {}, {}",
            super::names(&paths),
            sent.len(),
            sent.space(),
            format.name(),
            args.input.display(),
            report::size(sent.stored_bytes()),
            report::duration(time),
        ))?;
    }
    Ok(Outcome::Right)
}

/// `bootes transcipher`.
pub(crate) fn run(args: &TranscipherArgs) -> Result<Outcome, CliError> {
    let inputs = [&args.key, &args.symmetric_key, &args.input];
    let output = super::output(args.output.as_deref(), args.json, inputs)?;
    let key = Sealed::open(&args.key)?;
    key.expect(Noun::ServerKey)?;
    let (symmetric, input) = (Sealed::open(&args.symmetric_key)?, Sealed::open(&args.input)?);
    symmetric.expect(Noun::SymmetricKey)?;
    input.expect(Noun::SymmetricCiphertexts)?;
    files::check_match(&key, &symmetric)?;
    files::check_match(&key, &input)?;
    let (threads, memory, bytes) = (args.threads.here(), args.memory.bytes(), input.bytes);
    let (symmetric, sent) = (symmetric_key(symmetric)?, symmetric_ciphertexts(input)?);
    let at_input = |error| CliError::of(&args.input, error);
    // Before the server key is loaded.
    sent.check_key(&symmetric).map_err(at_input)?;
    let (count, quiet) = (sent.len(), args.json || output.as_ref().is_some_and(Output::is_stream));
    let (server, load_time) = report::timed(|| {
        let key = super::server_key(key, memory)?;
        super::server(key, threads, memory, None).map_err(|error| CliError::of(&args.key, error))
    });
    let server = server?;
    let params = server.params();
    let plan = super::planned(|| server.plan_transciphering(&sent, &symmetric)).map_err(at_input)?;
    let (rotations, seconds) = (plan.rotations(count), plan.seconds(count));
    if !quiet {
        report::line(&one_line(&params))?;
        report::line(&format!(
            "{plan}: {rotations} rotations for {} of {}, about {} with {}",
            report::values(count),
            report::size(bytes),
            report::seconds(seconds),
            report::threads(threads),
        ))?;
    }
    let mut object = json!({
        "engine": params.engine().to_string(),
        "params": params.name(),
        "count": count,
        "bits": sent.space().bits(),
        "out_space": plan.space().to_string(),
        "plan": plan.to_string(),
        "rotations": rotations,
        "log2_p_fail": plan.log2_p_fail(),
        "load_s": load_time.as_secs_f64(),
        "predicted_s": seconds,
        "symmetric_bytes": bytes,
        "threads": threads,
        "isa": bootes::isa().to_string(),
    });
    if let Some(output) = &output {
        let (result_bytes, time) = report::timed(|| {
            let bar = Progress::bar("transciphering", count);
            let server = server.watched(bar.teller(count));
            super::write_results(output, &args.input, |out| {
                server.transcipher_to(&plan, &sent, &symmetric, out).map(drop)
            })
        });
        let result_bytes = result_bytes?;
        object["result_bytes"] = json!(result_bytes);
        object["transcipher_s"] = json!(time.as_secs_f64());
        object["peak_rss_bytes"] = json!(report::peak_memory());
        if !quiet {
            report::line(&format!(
                "{}: {count} {} in {}; key loaded in {}, transciphered in {} with {} ({} a value){}",
                output.path().display(),
                plan.space(),
                report::size(result_bytes),
                report::duration(load_time),
                report::duration(time),
                report::threads(threads),
                report::duration(time.div_f64(count as f64)),
                report::peak_in_words(None),
            ))?;
        }
    }
    if args.json {
        report::json(&object)?;
    }
    Ok(Outcome::Right)
}
