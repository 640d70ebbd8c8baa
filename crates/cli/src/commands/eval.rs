//! `bootes eval`: a table on ciphertexts, with the server key alone.

use bootes::wire::ObjectKind;
use bootes::{Server, ServerKey};
use serde_json::json;

use super::Outcome;
use crate::args::EvalArgs;
use crate::error::CliError;
use crate::files;
use crate::integers;
use crate::progress::Progress;
use crate::report;

pub(crate) fn run(args: &EvalArgs) -> Result<Outcome, CliError> {
    super::check_algorithm(args.algorithm.as_deref())?;
    files::check_writable(&args.output)?;
    let threads = args.threads.count();
    let quiet = args.json || files::is_stream(&args.output);
    // The small files first, and each check as soon as it can be made: the key takes seconds to load.
    let lut = integers::table(&args.table, &files::read_text(&args.table)?, args.out_bits)?;
    let object = files::read_object(&args.input, ObjectKind::Ciphertexts)?;
    let ciphertexts = super::parse_ciphertexts(&args.input, &object)?;
    if lut.in_bits() != ciphertexts.bits() {
        return Err(CliError::at(
            &args.table,
            format!(
                "the table has 2^{} entries, but {} holds {}-bit ciphertexts: expected 2^{} entries, or values encrypted with \
                 --bits {}",
                lut.in_bits(),
                args.input.display(),
                ciphertexts.bits(),
                ciphertexts.bits(),
                lut.in_bits(),
            ),
        ));
    }
    let key_object = files::read_object(&args.key, ObjectKind::ServerKey)?;
    files::check_match(&args.key, &key_object, &args.input, &object)?;
    let ciphertext_bytes = object.bytes.len();
    drop(object);
    let server_key_bytes = key_object.bytes.len();
    let (server, load_time) = report::timed(|| {
        let _spinner = Progress::spinner("loading the server key");
        let key = ServerKey::from_bytes(&key_object.bytes)?;
        drop(key_object);
        let params = key.params();
        Ok::<_, bootes::Error>((Server::new(key)?, params))
    });
    let (server, params) = server.map_err(|error| CliError::at(&args.key, error))?;
    let plan =
        server.plan(&lut, &ciphertexts, args.algorithm.as_deref()).map_err(|error| CliError::at(&args.table, error))?;
    if !quiet {
        report::line(&super::params::one_line(&params))?;
        report::line(plan.to_string().trim_end())?;
    }
    let (results, eval_time) = report::timed(|| {
        let bar = Progress::bar("evaluating", ciphertexts.len());
        server.evaluate_plan(&plan, &ciphertexts, threads, &|done| bar.set(done))
    });
    let results = results.map_err(|error| CliError::at(&args.input, error))?;
    let bytes = results.to_bytes();
    files::write(&args.output, &bytes)?;

    let count = ciphertexts.len();
    let per_value_ms = eval_time.as_secs_f64() * 1e3 / count.max(1) as f64;
    if args.json {
        let security = super::params::Security::of(&params);
        report::json(&json!({
            "count": count,
            "bits": lut.in_bits(),
            "out_bits": lut.out_bits(),
            "algorithm": plan.algorithm(),
            "plan": plan.to_string().trim_end(),
            "rotations": plan.rotations(),
            "params": params.name(),
            "log2_p_fail": plan.log2_p_fail(),
            "security_bits": security.standard,
            "security_bits_strict": security.strict,
            "load_s": load_time.as_secs_f64(),
            "eval_s": eval_time.as_secs_f64(),
            "per_value_ms": per_value_ms,
            "server_key_bytes": server_key_bytes,
            "ciphertext_bytes": ciphertext_bytes,
            "result_bytes": bytes.len(),
            "peak_rss_bytes": report::peak_memory(),
            "threads": threads,
            "isa": bootes::isa().to_string(),
        }))?;
    } else if !quiet {
        report::line(&format!(
            "{}: {count} {}-bit results in {}; key loaded in {}, evaluated in {} with {} ({} a value){}",
            args.output.display(),
            lut.out_bits(),
            report::size(bytes.len() as u64),
            report::duration(load_time),
            report::duration(eval_time),
            super::run::threads_in_words(threads),
            report::duration(eval_time.div_f64(count.max(1) as f64)),
            report::peak_memory().map_or(String::new(), |peak| format!(", peak memory {}", report::size(peak))),
        ))?;
    }
    Ok(Outcome::Right)
}
