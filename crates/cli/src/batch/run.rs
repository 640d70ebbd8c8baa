//! `bootes run` with the batch engine: client and server in one process, and the result checked.

use std::time::Duration;

use bootes::ckks;
use serde_json::json;

use crate::args::RunArgs;
use crate::commands::Outcome;
use crate::error::CliError;
use crate::files::Output;
use crate::integers::{self, Format};
use crate::progress::Progress;
use crate::report;
use crate::table::Table;

/// Evaluates `table` on `values`, read from the files of `args`.
pub(crate) fn run(
    args: &RunArgs,
    table: &Table,
    values: &[i64],
    format: Format,
    output: Option<&Output>,
) -> Result<Outcome, CliError> {
    let quiet = args.json || output.is_some_and(Output::is_stream);
    let path = args.table.as_deref().unwrap_or(&args.input);
    if args.algorithm.is_some() {
        return Err(CliError::new("--algorithm is for engine fhew: engine ckks has one; leave it out"));
    }
    let params = super::choose(&args.choice, args.choice.bits.unwrap_or(1).max(table.in_bits()).max(table.out_bits()))?;
    let lut = table.batch().map_err(|error| CliError::at(path, error))?;
    let luts = std::slice::from_ref(&lut);
    let (count, threads, memory) = (values.len(), args.threads.here(), args.memory.bytes());
    let load = ckks::Load::new(&params, count, threads);
    let prediction = ckks::Prediction::within(&params, luts, load, args.masks.storage(), memory)?;
    if !quiet {
        report::line(&format!(
            "table {}: {}; input {}: {count} values ({})",
            path.display(),
            table.in_words(),
            args.input.display(),
            format.name()
        ))?;
        report::line(&super::one_line(&params))?;
        report::line(&super::in_words(&prediction, count as u64))?;
    }
    let (keys, keygen_time) = report::timed(|| {
        let bar = Progress::bar_of("generating keys", "%", 100);
        let client = ckks::Client::generate(&params)?;
        let key = client.server_key_within(memory, threads, |done, all| bar.set(100 * done / all))?;
        Ok::<_, bootes::Error>((client, key))
    });
    let (client, key) = keys?;
    let server_key_bytes = key.stored_bytes();
    let (server, expand_time) = report::timed(|| {
        let _spinner = Progress::spinner("preparing the server key");
        ckks::Server::within(key, Some(prediction.storage), memory)
    });
    let server = server?;
    let plain: Vec<u64> = values.iter().map(|&value| value as u64).collect();
    let (encrypted, encrypt_time) = report::timed(|| client.encrypt(&plain, table.entries()));
    let encrypted = encrypted?;
    let (results, eval_time) = report::timed(|| {
        let bar = Progress::bar_of("evaluating", "steps", 5 * encrypted.ciphertexts());
        server.evaluate(&lut, &encrypted, threads, |progress| super::tell(&bar, progress))
    });
    let results = results?;
    let (ciphertext_bytes, result_bytes) = (encrypted.stored_bytes(), results.stored_bytes());
    let (found, decrypt_time) = report::timed(|| client.decrypt(&results));
    let found: Vec<i64> = found?.into_iter().map(|value| value as i64).collect();
    let expected = |index: usize| table.image(values[index] as usize);
    let differs = |&index: &usize| found.get(index) != Some(&expected(index));
    let wrong: Vec<usize> = (0..count).filter(differs).collect();
    if let Some(output) = output {
        let format = if args.bytes { Format::Bytes } else { Format::Integers };
        output.write(&integers::output(&found, format)?)?;
    }
    let eval_s = eval_time.as_secs_f64();
    if args.json {
        let mut object = json!({
            "engine": "ckks",
            "correct": wrong.is_empty(),
            "wrong": wrong.len(),
            "count": count,
            "ciphertexts": encrypted.ciphertexts(),
            "input_format": format.name(),
            "params": params.name(),
            "log2_p_fail": params.log2_p_fail(),
            "log2_failure": prediction.log2_failure,
            "security_bits": super::security(&params),
            "masks_kept": server.storage() == bootes::MaskStorage::Expanded,
            "keygen_s": keygen_time.as_secs_f64(),
            "expand_s": expand_time.as_secs_f64(),
            "encrypt_s": encrypt_time.as_secs_f64(),
            "eval_s": eval_s,
            "per_value_ms": eval_s * 1e3 / count as f64,
            "predicted_cpu_s": prediction.seconds_for(count as u64),
            "predicted_s": prediction.elapsed_for(count as u64),
            "predicted_keygen_cpu_s": prediction.key_seconds,
            "predicted_keygen_s": prediction.elapsed(prediction.key_seconds),
            "predicted_expand_s": prediction.elapsed(prediction.prepare_seconds),
            "values_per_s": count as f64 / eval_s.max(1e-9),
            "decrypt_s": decrypt_time.as_secs_f64(),
            "server_key_bytes": server_key_bytes,
            "ciphertext_bytes": ciphertext_bytes,
            "result_bytes": result_bytes,
            "peak_rss_bytes": report::peak_memory(),
            "predicted_peak_bytes": prediction.memory.peak(),
            "threads": threads,
            "side_by_side": prediction.together,
            "isa": bootes::isa().to_string(),
        });
        table.describe(&mut object);
        report::json(&object)?;
    } else if !quiet {
        let row = |stage: &str, time: Duration, size: Option<(u64, &str)>| {
            let (bytes, what) = size.map_or((String::new(), ""), |(bytes, what)| (report::size(bytes), what));
            vec![stage.to_string(), report::duration(time), bytes, what.to_string()]
        };
        let rows = [
            ["stage", "time", "size", "of"].map(String::from).to_vec(),
            row("generate keys", keygen_time, Some((server_key_bytes, "server key"))),
            row("prepare server key", expand_time, Some((server.key_bytes() as u64, "in memory"))),
            row("encrypt", encrypt_time, Some((ciphertext_bytes, "ciphertexts"))),
            row("evaluate", eval_time, Some((result_bytes, "results"))),
            row("decrypt", decrypt_time, None),
        ];
        report::out(report::columns("lrrl", &rows).as_bytes())?;
        report::line(&format!(
            "{} values a second, {} a value, {} ({}){}",
            report::three_digits(count as f64 / eval_s.max(1e-9)),
            report::duration(eval_time.div_f64(count as f64)),
            crate::commands::run::threads_in_words(threads),
            bootes::isa(),
            super::peak_in_words(prediction.memory.peak()),
        ))?;
        report::line(&verdict(values, &found, &wrong, &expected))?;
    }
    Ok(if wrong.is_empty() { Outcome::Right } else { Outcome::Wrong })
}

/// The comparison with the plain table, in words.
fn verdict(values: &[i64], found: &[i64], wrong: &[usize], expected: &impl Fn(usize) -> i64) -> String {
    let count = values.len();
    match wrong.first() {
        None => {
            let shown = values.iter().zip(found).take(4).map(|(value, result)| format!("T[{value}] = {result}"));
            let more = if count > 4 { ", …" } else { "" };
            let shown: Vec<String> = shown.collect();
            format!("right: all {count} values agree with the plain table ({}{more})", shown.join(", "))
        }
        Some(&index) => format!(
            "WRONG: {} of {count} values differ from the plain table; the first is number {index}: T[{}] = {}, decrypted {}",
            wrong.len(),
            values[index],
            expected(index),
            found[index]
        ),
    }
}
