//! `bootes run`: client and server in one process, and the result checked.

use std::time::Duration;

use bootes::{Client, Lut, Server};
use serde_json::json;

use super::Outcome;
use crate::args::RunArgs;
use crate::error::CliError;
use crate::files;
use crate::integers::{self, Format};
use crate::progress::Progress;
use crate::report;

pub(crate) fn run(args: &RunArgs) -> Result<Outcome, CliError> {
    super::check_algorithm(args.algorithm.as_deref())?;
    let threads = args.threads.count();
    let lut = integers::table(&args.table, &files::read_text(&args.table)?, args.out_bits)?;
    let bits = lut.in_bits();
    let (values, format) = integers::input(&args.input, &files::read_text(&args.input)?, bits, args.bytes)?;
    let needed = bits.max(lut.out_bits());
    if let Some(given) = args.choice.bits
        && given < needed
    {
        return Err(CliError::at(
            &args.table,
            format!(
                "the table has {bits}-bit inputs and {}-bit results, but --bits is {given}: raise it to {needed} or leave it out",
                lut.out_bits()
            ),
        ));
    }
    let params = args.choice.choose(needed)?;
    if let Some(output) = &args.output {
        files::check_writable(output)?;
    }
    if !args.json {
        report::line(&format!(
            "table {}: {bits}-bit inputs, {}-bit results; input {}: {} values ({})",
            args.table.display(),
            lut.out_bits(),
            args.input.display(),
            values.len(),
            format.name(),
        ))?;
        report::line(&super::params::one_line(&params))?;
    }

    let (keys, keygen_time) = report::timed(|| {
        let _spinner = Progress::spinner("generating keys");
        let client = Client::generate(&params)?;
        let server_key = client.server_key()?;
        Ok::<_, bootes::Error>((client, server_key))
    });
    let (client, server_key) = keys?;
    let server_key_bytes = server_key.to_bytes().len() as u64;
    let (server, expand_time) = report::timed(|| {
        let _spinner = Progress::spinner("expanding the server key");
        Server::new(server_key)
    });
    let server = server?;
    let (ciphertexts, encrypt_time) = report::timed(|| client.encrypt_bits(&values, bits));
    let ciphertexts = ciphertexts?;
    let plan =
        server.plan(&lut, &ciphertexts, args.algorithm.as_deref()).map_err(|error| CliError::at(&args.table, error))?;
    if !args.json {
        report::line(plan.to_string().trim_end())?;
    }
    let ciphertext_bytes = ciphertexts.to_bytes().len() as u64;
    let (results, eval_time) = report::timed(|| {
        let bar = Progress::bar("evaluating", values.len());
        server.evaluate_plan(&plan, &ciphertexts, threads, &|done| bar.set(done))
    });
    let results = results?;
    let result_bytes = results.to_bytes().len() as u64;
    let (found, decrypt_time) = report::timed(|| client.decrypt(&results));
    let found = found?;
    let check = Check::new(&lut, &values, &found);
    if let Some(output) = &args.output {
        let format = if args.bytes { Format::Bytes } else { Format::Integers };
        files::write(output, &integers::output(&found, format)?)?;
    }

    let count = values.len();
    let eval_s = eval_time.as_secs_f64();
    let values_per_s = count as f64 / eval_s.max(1e-9);
    if args.json {
        let security = super::params::Security::of(&params);
        report::json(&json!({
            "correct": check.wrong == 0,
            "wrong": check.wrong,
            "count": count,
            "bits": bits,
            "out_bits": lut.out_bits(),
            "input_format": format.name(),
            "algorithm": plan.algorithm(),
            "plan": plan.to_string().trim_end(),
            "rotations": plan.rotations(),
            "params": params.name(),
            "log2_p_fail": plan.log2_p_fail(),
            "security_bits": security.standard,
            "security_bits_strict": security.strict,
            "keygen_s": keygen_time.as_secs_f64(),
            "expand_s": expand_time.as_secs_f64(),
            "encrypt_s": encrypt_time.as_secs_f64(),
            "eval_s": eval_s,
            "per_value_ms": eval_s * 1e3 / count as f64,
            "values_per_s": values_per_s,
            "decrypt_s": decrypt_time.as_secs_f64(),
            "server_key_bytes": server_key_bytes,
            "ciphertext_bytes": ciphertext_bytes,
            "result_bytes": result_bytes,
            "peak_rss_bytes": report::peak_memory(),
            "threads": threads,
            "isa": bootes::isa().to_string(),
        }))?;
    } else {
        let row = |stage: &str, time: Duration, size: Option<(u64, &str)>| {
            let (bytes, what) = size.map_or((String::new(), ""), |(bytes, what)| (report::size(bytes), what));
            vec![stage.to_string(), report::duration(time), bytes, what.to_string()]
        };
        let rows = [
            ["stage", "time", "size", "of"].map(String::from).to_vec(),
            row("generate keys", keygen_time, Some((server_key_bytes, "server key"))),
            row("expand server key", expand_time, None),
            row("encrypt", encrypt_time, Some((ciphertext_bytes, "ciphertexts"))),
            row("evaluate", eval_time, Some((result_bytes, "results"))),
            row("decrypt", decrypt_time, None),
        ];
        report::out(report::columns("lrrl", &rows).as_bytes())?;
        report::line(&format!(
            "{} values a second, {} a value, {} ({}){}",
            report::three_digits(values_per_s),
            report::duration(eval_time.div_f64(count as f64)),
            threads_in_words(threads),
            bootes::isa(),
            report::peak_memory().map_or(String::new(), |peak| format!("; peak memory {}", report::size(peak))),
        ))?;
        report::line(&check.in_words(&values, &found, &lut))?;
    }
    Ok(if check.wrong == 0 { Outcome::Right } else { Outcome::Wrong })
}

/// "1 thread", "2 threads".
pub(crate) fn threads_in_words(threads: usize) -> String {
    if threads == 1 { "1 thread".to_string() } else { format!("{threads} threads") }
}

/// The comparison of the decrypted results with the plain table.
struct Check {
    wrong: usize,
    /// Index of the first wrong value.
    first: Option<usize>,
}

impl Check {
    fn new(lut: &Lut, values: &[u64], found: &[u64]) -> Self {
        let is_right = |index: usize| {
            let expected = usize::try_from(values[index]).ok().and_then(|value| lut.values().get(value));
            expected.is_some() && expected == found.get(index)
        };
        let mut wrong = (0..values.len()).filter(|index| !is_right(*index));
        let first = wrong.next();
        let wrong = usize::from(first.is_some()) + wrong.count() + found.len().saturating_sub(values.len());
        Self { wrong, first }
    }

    fn in_words(&self, values: &[u64], found: &[u64], lut: &Lut) -> String {
        let count = values.len();
        if self.wrong == 0 {
            let shown: Vec<String> =
                values.iter().zip(found).take(4).map(|(value, result)| format!("T[{value}] = {result}")).collect();
            let more = if count > shown.len() { ", …" } else { "" };
            return format!("right: all {count} values agree with the plain table ({}{more})", shown.join(", "));
        }
        let first = self.first.map_or(String::new(), |index| {
            let expected = usize::try_from(values[index]).ok().and_then(|value| lut.values().get(value));
            format!(
                "; the first is number {index}: T[{}] = {}, decrypted {}",
                values[index],
                expected.map_or("?".to_string(), u64::to_string),
                found.get(index).map_or("nothing".to_string(), u64::to_string),
            )
        });
        format!("WRONG: {} of {count} values differ from the plain table{first}", self.wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_values_are_counted_and_named() {
        let lut = Lut::new(vec![3, 2, 1, 0]).unwrap();
        let check = Check::new(&lut, &[0, 1, 2, 3], &[3, 2, 1, 0]);
        assert_eq!(check.wrong, 0);
        assert!(check.in_words(&[0, 1, 2, 3], &[3, 2, 1, 0], &lut).starts_with("right: all 4"));
        let check = Check::new(&lut, &[0, 1, 2], &[3, 0, 0]);
        assert_eq!((check.wrong, check.first), (2, Some(1)));
        assert_eq!(
            check.in_words(&[0, 1, 2], &[3, 0, 0], &lut),
            "WRONG: 2 of 3 values differ from the plain table; the first is number 1: T[1] = 2, decrypted 0"
        );
        assert_eq!(Check::new(&lut, &[0, 1], &[3]).wrong, 1);
        assert_eq!(Check::new(&lut, &[0], &[3, 3]).wrong, 1);
    }
}
