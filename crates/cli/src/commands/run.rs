//! `bootes run`: client and server in one process, and the result checked.

use std::time::Duration;

use bootes::{Ciphertexts, Client, MaskStorage, Plan, Prediction};
use serde_json::json;

use super::Outcome;
use super::params::{one_line, standard, strict};
use crate::args::RunArgs;
use crate::error::CliError;
use crate::files::Output;
use crate::integers::{self, Format};
use crate::progress::Progress;
use crate::{columns, named, report};

mod job;
mod source;

use job::{Job, Work};

pub(crate) fn run(args: &RunArgs) -> Result<Outcome, CliError> {
    super::check_algorithm(args.algorithm.as_deref())?;
    let threads = args.threads.here();
    if let (Some(_), Some(path)) = (&args.expr, &args.output) {
        named::check_unnamed(path)?;
    }
    let read = named::files(args.tables.iter().chain(args.paths()), args.expr.is_some());
    let output = super::output(args.output.as_deref(), args.json, read.iter().map(|file| &file.path))?;
    let quiet = args.json || output.as_ref().is_some_and(Output::is_stream);
    let bytes = args.bytes.then_some(("--bytes", Format::Bytes));
    let format = Format::of_output(args.output.as_deref(), bytes)?;
    let (job, choice_time) = {
        let _spinner = Progress::spinner("choosing parameters");
        report::timed(|| Job::new(args))
    };
    let job = job?;
    if let (Format::Npy, Some(path), 2..) = (format, &args.output, job.results()) {
        return Err(CliError::at(path, "several results are columns of CSV, and .npy is an array: rename the file"));
    }
    let (params, count, engine) = (&job.params, job.count(), job.params.engine());
    args.masks.check(engine)?;
    // There is memory for both forms of keys, or for one.
    let load = super::load(count, &args.threads, &args.memory, &args.masks);
    // What is refused first names what all takes.
    let in_full = |error| job.request.refusal_with(error, params, &load);
    let masks = params.masks_for(&job.request.function, job.request.space, &load).map_err(in_full)?;
    let (client, client_time) = report::timed(|| Client::generate(params));
    let client = client?;
    let server_key = job.key(args, &client);
    server_key.check().map_err(in_full)?;
    if !quiet {
        report::line(&job.title)?;
        report::line(&one_line(params))?;
    }
    let (server_key, key_time) = report::timed(|| {
        let bar = Progress::bar_of("generating keys", "%", 100);
        server_key.progress(bar.teller(100)).build()
    });
    let (server_key, keygen_time) = (server_key?, client_time + key_time);
    let server_key_bytes = server_key.stored_bytes();
    let (server, expand_time) = report::timed(|| super::server(server_key, threads, args.memory.bytes(), masks));
    let server = server.map_err(in_full)?;
    let (operands, encrypt_time) = report::timed(|| job.encrypt(&client));
    let operands = operands?;
    let plan = server.plan(&job.request.function, &operands).map_err(|error| match &job.table {
        Some(path) => CliError::of(path, error),
        None => error.into(),
    })?;
    super::note_padding(&plan, count, params.capacity());
    let prediction = plan.prediction(count)?.here(engine, &load);
    let predicted_peak = engine.predicts_all_memory().then(|| prediction.memory.peak() + report::PROGRAM_BYTES);
    let pieces = operands.iter().map(Ciphertexts::ciphertexts).sum();
    if !quiet {
        report::line(&plan_in_words(&plan, &prediction, pieces))?;
    }
    let ciphertext_bytes: u64 = operands.iter().map(Ciphertexts::stored_bytes).sum();
    let (results, eval_time) = report::timed(|| {
        let bar = Progress::bar("evaluating", count);
        server.watched(bar.teller(count)).run(&plan, &operands)
    });
    let results = results?;
    let result_bytes = results.iter().map(Ciphertexts::stored_bytes).sum();
    let (found, decrypt_time) = report::timed(|| results.iter().map(|result| client.decrypt_wide(result)).collect());
    let found: Result<Vec<Vec<i128>>, bootes::Error> = found;
    let found = found?;
    let check = Check::new(&job, &found);
    if let Some(output) = &output {
        output.write(&match job.columns().filter(|_| format != Format::Npy) {
            Some(names) => columns::output(names, &found)?,
            None => integers::output(&found[0], format)?,
        })?;
    }

    let eval_s = eval_time.as_secs_f64();
    let values_per_s = count as f64 / eval_s.max(1e-9);
    if args.json {
        let mut object = json!({
            "engine": engine.to_string(),
            "correct": check.wrong == 0,
            "wrong": check.wrong,
            "count": count,
            "ciphertexts": pieces,
            "bits": operands[0].space().bits(),
            "out_bits": results[0].space().bits(),
            "out_space": results[0].space().to_string(),
            "input_format": job.format.name(),
            "algorithm": plan.algorithms().join(", "),
            "plan": plan.to_string().trim_end(),
            "rotations": plan.rotations(),
            "params": params.name(),
            "log2_p_fail": plan.log2_p_fail(),
            "security_bits": standard(params),
            "security_bits_strict": strict(params),
            "masks_kept": server.masks() == MaskStorage::Expanded,
            "choice_s": choice_time.as_secs_f64(),
            "keygen_s": keygen_time.as_secs_f64(),
            "expand_s": expand_time.as_secs_f64(),
            "encrypt_s": encrypt_time.as_secs_f64(),
            "eval_s": eval_s,
            "per_value_ms": eval_s * 1e3 / count as f64,
            "predicted_cpu_s": prediction.cpu_seconds,
            "predicted_s": prediction.seconds,
            "predicted_keygen_cpu_s": prediction.key_cpu_seconds,
            "predicted_keygen_s": prediction.key_seconds,
            "predicted_expand_s": prediction.expand_seconds,
            "predicted_encrypt_s": prediction.encrypt_seconds,
            "predicted_decrypt_s": prediction.decrypt_seconds,
            "predicted_job_s": prediction.job_seconds,
            "values_per_s": values_per_s,
            "decrypt_s": decrypt_time.as_secs_f64(),
            "server_key_bytes": server_key_bytes,
            "ciphertext_bytes": ciphertext_bytes,
            "result_bytes": result_bytes,
            "peak_rss_bytes": report::peak_memory(),
            "predicted_peak_bytes": predicted_peak,
            "threads": threads,
            "side_by_side": prediction.together,
            "isa": bootes::isa().to_string(),
        });
        match &job.work {
            Work::Table { table, .. } => table.describe(&mut object),
            Work::Integers { op, width, sign } => {
                object["op"] = json!(op.to_string());
                object["width"] = json!(width);
                object["unsigned"] = json!(sign.unsigned);
            }
            Work::Several { table, sizes } => {
                table.describe(&mut object);
                object["sizes"] = json!(sizes);
            }
            Work::Program(work) => {
                object["expression"] = json!(work.program.to_string());
                object["results"] = json!(work.columns);
                object["out_spaces"] = results.iter().map(|result| result.space().to_string()).collect();
            }
        }
        report::json(&object)?;
    } else if !quiet {
        let row = |stage: &str, time: Duration, size: Option<(u64, &str)>| {
            let (bytes, what) = size.map_or((String::new(), ""), |(bytes, what)| (report::size(bytes), what));
            vec![stage.to_string(), report::duration(time), bytes, what.to_string()]
        };
        // Of programs it may take as long as the rest.
        let choice = (choice_time.as_secs_f64() > 0.5).then(|| row("choose parameters", choice_time, None));
        let head = [["stage", "time", "size", "of"].map(String::from).to_vec()];
        let rows = [
            row("generate keys", keygen_time, Some((server_key_bytes, "server key"))),
            row("expand server key", expand_time, Some((server.key_bytes(), "in memory"))),
            row("encrypt", encrypt_time, Some((ciphertext_bytes, "ciphertexts"))),
            row("evaluate", eval_time, Some((result_bytes, "results"))),
            row("decrypt", decrypt_time, None),
        ];
        let rows: Vec<Vec<String>> = head.into_iter().chain(choice).chain(rows).collect();
        report::out(report::columns("lrrl", &rows).as_bytes())?;
        report::line(&format!(
            "{} values a second, {} a value, {} ({}){}",
            report::three_digits(values_per_s),
            report::duration(eval_time.div_f64(count as f64)),
            report::threads(threads),
            bootes::isa(),
            report::peak_in_words(predicted_peak),
        ))?;
        report::line(&check.in_words(&job, &found))?;
    }
    Ok(if check.wrong == 0 { Outcome::Right } else { Outcome::Wrong })
}

/// A plan, and what it takes on so many ciphertexts where it does not say itself.
pub(crate) fn plan_in_words(plan: &Plan, prediction: &Prediction, ciphertexts: usize) -> String {
    let words = plan.to_string().trim_end().to_string();
    if !plan.engine().predicts_all_memory() {
        return words;
    }
    let ciphertexts = match ciphertexts {
        1 => "1 ciphertext".to_string(),
        n => format!("{n} ciphertexts"),
    };
    let memory = prediction.memory;
    format!(
        "{words}\npredicted: {} for {ciphertexts} on one thread, {} of memory{} (keys {}{}, tables {}, workspace {}); \
         wrong with {} a value",
        report::seconds(prediction.cpu_seconds),
        report::needed(memory.peak()),
        match prediction.together {
            1 => String::new(),
            together => format!(" with {together} side by side"),
        },
        report::size(memory.keys),
        if prediction.masks == MaskStorage::Seeded { " with masks as seeds" } else { "" },
        report::size(memory.tables),
        report::size(memory.workspace),
        report::probability(prediction.log2_p_fail),
    )
}

/// The comparison of the decrypted results with the plain ones.
struct Check {
    wrong: usize,
    /// The first wrong value: its index, and whose it is.
    first: Option<(usize, usize)>,
}

impl Check {
    fn new(job: &Job, found: &[Vec<i128>]) -> Self {
        let wrong_of = |result: usize| {
            let is_right = move |index: &usize| found[result].get(*index) == Some(&job.expected(result, *index));
            (0..job.count()).filter(move |index| !is_right(index)).map(move |index| (index, result))
        };
        let all = || (0..job.results()).flat_map(wrong_of);
        let beyond: usize = found.iter().map(|values| values.len().saturating_sub(job.count())).sum();
        Self { wrong: all().count() + beyond, first: all().min() }
    }

    fn in_words(&self, job: &Job, found: &[Vec<i128>]) -> String {
        let (count, reference) = (job.count() * job.results(), job.reference());
        if self.wrong == 0 {
            let each = (0..job.count()).flat_map(|index| (0..job.results()).map(move |result| (result, index)));
            let shown = each.take(4).map(|(result, i)| format!("{} = {}", job.term(result, i), found[result][i]));
            let shown: Vec<String> = shown.collect();
            let more = if count > shown.len() { ", …" } else { "" };
            let agree = match count {
                1 => "the value agrees".to_string(),
                _ => format!("all {count} values agree"),
            };
            return format!("right: {agree} with {reference} ({}{more})", shown.join(", "));
        }
        let first = self.first.map_or(String::new(), |(index, result)| {
            format!(
                "; the first is number {index}: {} = {}, decrypted {}",
                job.term(result, index),
                job.expected(result, index),
                found[result].get(index).map_or("nothing".to_string(), i128::to_string),
            )
        });
        format!("WRONG: {} of {} differ from {reference}{first}", self.wrong, report::values(count))
    }
}

#[cfg(test)]
mod tests {
    use bootes::planner::Request;
    use bootes::{IntegerOp, Params};

    use super::*;
    use crate::args::{Sign, TableForm};
    use crate::files::Text;
    use crate::table::Table;

    fn job(work: Work, operands: &[&[i128]]) -> Job {
        Job {
            work,
            operands: operands.iter().map(|values| values.to_vec()).collect(),
            format: Format::Integers,
            params: Params::named("toy_4").unwrap(),
            table: None,
            request: Request::table(bootes::Lut::unstructured(1)),
            title: String::new(),
        }
    }

    fn reversed(values: &[i128]) -> Job {
        let table = Table::read(Text::of("T", b"3 2 1 0"), &TableForm::default()).unwrap();
        job(Work::Table { table, algorithm: None }, &[values])
    }

    #[test]
    fn wrong_values_are_counted_and_named() {
        let right = reversed(&[0, 1, 2, 3]);
        let check = Check::new(&right, &[vec![3, 2, 1, 0]]);
        assert_eq!(check.wrong, 0);
        assert!(check.in_words(&right, &[vec![3, 2, 1, 0]]).starts_with("right: all 4"));
        let three = reversed(&[0, 1, 2]);
        let check = Check::new(&three, &[vec![3, 0, 0]]);
        assert_eq!((check.wrong, check.first), (2, Some((1, 0))));
        assert_eq!(
            check.in_words(&three, &[vec![3, 0, 0]]),
            "WRONG: 2 of 3 values differ from the plain table; the first is number 1: T[1] = 2, decrypted 0"
        );
        assert_eq!(Check::new(&reversed(&[0, 1]), &[vec![3]]).wrong, 1);
        assert_eq!(Check::new(&reversed(&[0]), &[vec![3, 3]]).wrong, 1);
        let max = job(Work::Integers { op: IntegerOp::Max, width: 8, sign: Sign::default() }, &[&[3, -5], &[-4, 7]]);
        assert_eq!(
            Check::new(&max, &[vec![3, -5]]).in_words(&max, &[vec![3, -5]]),
            "WRONG: 1 of 2 values differ from plain integers; the first is number 1: max(-5, 7) = 7, decrypted -5"
        );
    }
}
