//! `bootes run`: client and server in one process, and the result checked.

use std::path::PathBuf;
use std::time::Duration;

use bootes::fhew::{Ciphertexts, Client, KeySizes, Params, Plan, Server};
use bootes::{IntegerOp, KeyNeeds};
use serde_json::json;

use super::{KeyUse, Outcome};
use crate::args::{Engine, Need, RunArgs, Sign};
use crate::batch;
use crate::error::CliError;
use crate::files::{Output, Text};
use crate::integers::{self, Format};
use crate::progress::Progress;
use crate::report;
use crate::table::{self, Table};

/// What is to be evaluated, on what.
struct Job {
    function: Function,
    /// One list an operand.
    operands: Vec<Vec<i64>>,
    format: Format,
    params: Params,
    /// The file to blame if the function cannot be planned.
    path: PathBuf,
    /// The first line of the report.
    title: String,
}

/// Who does it.
enum Work {
    /// Engine fhew, one value at a time.
    Single(Job),
    /// Engine ckks, all values at once.
    Batch { table: Table, values: Vec<i64>, format: Format },
}

impl Work {
    fn new(args: &RunArgs) -> Result<Self, CliError> {
        match (&args.table, args.op) {
            (Some(table), None) => Job::table(args, table.clone()),
            (_, Some(_)) if args.engine == Some(Engine::Ckks) => {
                Err(CliError::new("--op is for engine fhew: engine ckks evaluates tables, give --table"))
            }
            (_, Some(op)) => Job::integers(args, op).map(Self::Single),
            (None, None) => unreachable!("clap asks for one of them"),
        }
    }
}

/// A table or a function of large integers.
enum Function {
    Table { table: Table, algorithm: Option<String> },
    Integers { op: IntegerOp, width: u32, sign: Sign },
}

impl Job {
    fn table(args: &RunArgs, path: PathBuf) -> Result<Work, CliError> {
        for (given, name) in [(args.choice.width.is_some(), "--width"), (args.input2.is_some(), "--input2")] {
            if given {
                return Err(CliError::new(format!(
                    "{name} goes with --op, a function of large integers, not with --table"
                )));
            }
        }
        let table = Table::read(Text::open(&path)?, &args.form)?;
        table.check_algorithm(&path, args.algorithm.as_deref())?;
        let (values, format) = integers::input(Text::open(&args.input)?, table.entries(), args.bytes)?;
        let needed = table.in_bits().max(table.out_bits());
        if let Some(given) = args.choice.bits
            && given < needed
        {
            return Err(CliError::at(
                &path,
                format!(
                    "the table has {}, but --bits is {given}: raise it to {needed} or leave it out",
                    table.in_words()
                ),
            ));
        }
        if batch::compare::choose(args, &table, values.len() as u64)? == Engine::Ckks {
            return Ok(Work::Batch { table, values, format });
        }
        let evaluates = args.algorithm.as_deref().zip(table.small());
        let params = args.choice.choose_with(table.need(), evaluates)?;
        table.check_params(&path, &params)?;
        let title = format!(
            "table {}: {}; input {}: {} values ({})",
            path.display(),
            table.in_words(),
            args.input.display(),
            values.len(),
            format.name(),
        );
        let function = Function::Table { table, algorithm: args.algorithm.clone() };
        Ok(Work::Single(Self { function, operands: vec![values], format, params, path, title }))
    }

    fn integers(args: &RunArgs, op: IntegerOp) -> Result<Self, CliError> {
        super::check_operands(op, args.input2.as_deref())?;
        let Some(width) = args.choice.width else {
            return Err(CliError::new(format!(
                "how long are the integers? {op} needs --width W, 1 to {}",
                integers::MAX_WIDTH
            )));
        };
        super::check_floor(op, width)?;
        let paths: Vec<&PathBuf> = std::iter::once(&args.input).chain(&args.input2).collect();
        let texts = paths.iter().map(|path| Text::open(path)).collect::<Result<Vec<_>, _>>()?;
        let operands = integers::operands(texts, width, args.sign)?;
        let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        let (names, count) = (names.join(", "), operands[0].len());
        Ok(Self {
            function: Function::Integers { op, width, sign: args.sign },
            format: Format::Integers,
            params: args.choice.choose(Need::Integers(width))?,
            path: args.input.clone(),
            title: format!("{op} of {} {width}-bit integers; input {names}: {count} values", args.sign.name()),
            operands,
        })
    }

    fn count(&self) -> usize {
        self.operands[0].len()
    }

    /// The additional keys that the chosen algorithm needs.
    fn keys(&self) -> Result<KeyNeeds, CliError> {
        match &self.function {
            Function::Table { table, algorithm: Some(name) } => table
                .small()
                .map_or(Ok(KeyNeeds::default()), |lut| self.params.table_keys(name, lut))
                .map_err(|error| CliError::at(&self.path, error)),
            _ => Ok(KeyNeeds::default()),
        }
    }

    fn encrypt(&self, client: &Client) -> Result<Vec<Ciphertexts>, bootes::Error> {
        let encrypt = |values: &Vec<i64>| match &self.function {
            Function::Table { table, .. } => table::encrypt(client, values, table.entries()),
            Function::Integers { width, sign, .. } => sign.encrypt(client, values, *width),
        };
        self.operands.iter().map(encrypt).collect()
    }

    fn plan(&self, server: &Server, operands: &[&Ciphertexts]) -> Result<Plan, bootes::Error> {
        match &self.function {
            Function::Table { table, algorithm } => table.plan(server, operands[0], algorithm.as_deref()),
            Function::Integers { op, .. } => server.plan_integers(*op, operands),
        }
    }

    /// The plain result for value number `index`: mathematics, of no width.
    fn expected(&self, index: usize) -> i64 {
        match &self.function {
            Function::Table { table, .. } => table.image(self.operands[0][index] as usize),
            Function::Integers { op, .. } => {
                op.apply(&self.operands.iter().map(|values| values[index]).collect::<Vec<_>>())
            }
        }
    }

    /// "T[3]", "max(3, -4)".
    fn term(&self, index: usize) -> String {
        let values: Vec<String> = self.operands.iter().map(|values| values[index].to_string()).collect();
        match &self.function {
            Function::Table { .. } => format!("T[{}]", values[0]),
            Function::Integers { op, .. } => format!("{op}({})", values.join(", ")),
        }
    }

    /// What the results are compared with.
    fn reference(&self) -> &'static str {
        match &self.function {
            Function::Table { .. } => "the plain table",
            Function::Integers { .. } => "plain integers",
        }
    }
}

pub(crate) fn run(args: &RunArgs) -> Result<Outcome, CliError> {
    super::check_algorithm(args.algorithm.as_deref())?;
    let threads = args.threads.here();
    let inputs = args.table.iter().chain([&args.input]).chain(&args.input2);
    let output = super::output(args.output.as_deref(), args.json, inputs)?;
    let quiet = args.json || output.as_ref().is_some_and(Output::is_stream);
    let job = match Work::new(args)? {
        Work::Batch { table, values, format } => {
            return batch::in_pool(Some(&args.threads), || {
                batch::run::run(args, &table, &values, format, output.as_ref())
            });
        }
        Work::Single(job) => job,
    };
    let params = &job.params;
    let needs = job.keys()?;
    super::check_memory(params, &needs, &args.memory, KeyUse::MadeAndExpanded)?;
    if !quiet {
        report::line(&job.title)?;
        report::line(&super::params::one_line(params))?;
    }

    let (keys, keygen_time) = report::timed(|| {
        let _spinner = Progress::spinner("generating keys");
        let client = Client::generate(params)?;
        let server_key = client.server_key_with(&needs)?;
        Ok::<_, bootes::Error>((client, server_key))
    });
    let (client, server_key) = keys?;
    let server_key_bytes = KeySizes::of(params, &server_key.additional()).stored as u64;
    let (server, expand_time) = report::timed(|| {
        let _spinner = Progress::spinner("expanding the server key");
        Server::within(server_key, args.memory.bytes())
    });
    let server = server?;
    let (ciphertexts, encrypt_time) = report::timed(|| job.encrypt(&client));
    let ciphertexts = ciphertexts?;
    let operands: Vec<&Ciphertexts> = ciphertexts.iter().collect();
    let plan = job.plan(&server, &operands).map_err(|error| CliError::at(&job.path, error))?;
    if !quiet {
        report::line(plan.to_string().trim_end())?;
    }
    let ciphertext_bytes: u64 = ciphertexts.iter().map(Ciphertexts::stored_bytes).sum();
    let (results, eval_time) = report::timed(|| {
        let bar = Progress::bar("evaluating", job.count());
        server.evaluate_integers_plan(&plan, &operands, threads, &|done| bar.set(done))
    });
    let results = results?;
    let result_bytes = results.stored_bytes();
    let (found, decrypt_time) = report::timed(|| client.decrypt_integers(&results));
    let found = found?;
    let check = Check::new(&job, &found);
    if let Some(output) = &output {
        let format = if args.bytes { Format::Bytes } else { Format::Integers };
        output.write(&integers::output(&found, format)?)?;
    }

    let count = job.count();
    let eval_s = eval_time.as_secs_f64();
    let values_per_s = count as f64 / eval_s.max(1e-9);
    if args.json {
        let security = super::params::Security::of(params);
        let mut object = json!({
            "engine": Engine::Fhew.name(),
            "correct": check.wrong == 0,
            "wrong": check.wrong,
            "count": count,
            "bits": operands[0].bits(),
            "out_bits": results.bits(),
            "out_space": results.space().to_string(),
            "input_format": job.format.name(),
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
            "predicted_cpu_ms": plan.prediction().for_count(count as u64).seconds * 1e3,
            "predicted_s": plan.prediction().elapsed_for(count as u64, threads),
            "predicted_keygen_s": plan.prediction().key_seconds,
            "predicted_expand_s": plan.prediction().expand_seconds,
            "values_per_s": values_per_s,
            "decrypt_s": decrypt_time.as_secs_f64(),
            "server_key_bytes": server_key_bytes,
            "ciphertext_bytes": ciphertext_bytes,
            "result_bytes": result_bytes,
            "peak_rss_bytes": report::peak_memory(),
            "threads": threads,
            "isa": bootes::isa().to_string(),
        });
        match &job.function {
            Function::Table { table, .. } => table.describe(&mut object),
            Function::Integers { op, width, sign } => {
                object["op"] = json!(op.to_string());
                object["width"] = json!(width);
                object["unsigned"] = json!(sign.unsigned);
            }
        }
        report::json(&object)?;
    } else if !quiet {
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
        report::line(&check.in_words(&job, &found))?;
    }
    Ok(if check.wrong == 0 { Outcome::Right } else { Outcome::Wrong })
}

/// "1 thread", "2 threads".
pub(crate) fn threads_in_words(threads: usize) -> String {
    if threads == 1 { "1 thread".to_string() } else { format!("{threads} threads") }
}

/// The comparison of the decrypted results with the plain ones.
struct Check {
    wrong: usize,
    /// Index of the first wrong value.
    first: Option<usize>,
}

impl Check {
    fn new(job: &Job, found: &[i64]) -> Self {
        let is_right = |index: usize| found.get(index) == Some(&job.expected(index));
        let mut wrong = (0..job.count()).filter(|index| !is_right(*index));
        let first = wrong.next();
        let wrong = usize::from(first.is_some()) + wrong.count() + found.len().saturating_sub(job.count());
        Self { wrong, first }
    }

    fn in_words(&self, job: &Job, found: &[i64]) -> String {
        let (count, reference) = (job.count(), job.reference());
        if self.wrong == 0 {
            let shown: Vec<String> =
                found.iter().enumerate().take(4).map(|(i, result)| format!("{} = {result}", job.term(i))).collect();
            let more = if count > shown.len() { ", …" } else { "" };
            return format!("right: all {count} values agree with {reference} ({}{more})", shown.join(", "));
        }
        let first = self.first.map_or(String::new(), |index| {
            format!(
                "; the first is number {index}: {} = {}, decrypted {}",
                job.term(index),
                job.expected(index),
                found.get(index).map_or("nothing".to_string(), i64::to_string),
            )
        });
        format!("WRONG: {} of {count} values differ from {reference}{first}", self.wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::TableForm;

    fn job(function: Function, operands: &[&[i64]]) -> Job {
        Job {
            function,
            operands: operands.iter().map(|values| values.to_vec()).collect(),
            format: Format::Integers,
            params: Params::by_name("toy_4").unwrap(),
            path: PathBuf::new(),
            title: String::new(),
        }
    }

    fn reversed(values: &[i64]) -> Job {
        let table = Table::read(Text::of("T", b"3 2 1 0"), &TableForm::default()).unwrap();
        job(Function::Table { table, algorithm: None }, &[values])
    }

    #[test]
    fn wrong_values_are_counted_and_named() {
        let right = reversed(&[0, 1, 2, 3]);
        let check = Check::new(&right, &[3, 2, 1, 0]);
        assert_eq!(check.wrong, 0);
        assert!(check.in_words(&right, &[3, 2, 1, 0]).starts_with("right: all 4"));
        let three = reversed(&[0, 1, 2]);
        let check = Check::new(&three, &[3, 0, 0]);
        assert_eq!((check.wrong, check.first), (2, Some(1)));
        assert_eq!(
            check.in_words(&three, &[3, 0, 0]),
            "WRONG: 2 of 3 values differ from the plain table; the first is number 1: T[1] = 2, decrypted 0"
        );
        assert_eq!(Check::new(&reversed(&[0, 1]), &[3]).wrong, 1);
        assert_eq!(Check::new(&reversed(&[0]), &[3, 3]).wrong, 1);
        let max =
            job(Function::Integers { op: IntegerOp::Max, width: 8, sign: Sign::default() }, &[&[3, -5], &[-4, 7]]);
        assert_eq!(
            Check::new(&max, &[3, -5]).in_words(&max, &[3, -5]),
            "WRONG: 1 of 2 values differ from plain integers; the first is number 1: max(-5, 7) = 7, decrypted -5"
        );
    }
}
