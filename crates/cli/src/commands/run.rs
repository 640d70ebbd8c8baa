//! `bootes run`: client and server in one process, and the result checked.

use std::path::PathBuf;
use std::time::Duration;

use bootes::planner::{self, Request};
use bootes::{
    Ciphertexts, Client, Engine, FailureTarget, Function, IntegerOp, Interval, MaskStorage, Params, Plan, Prediction,
    Program, Server, ServerKeyBuilder, Space,
};
use serde_json::json;

use super::Outcome;
use super::params::{one_line, standard, strict};
use crate::args::{RunArgs, Sign};
use crate::columns;
use crate::error::CliError;
use crate::files::{Output, Text};
use crate::integers::{self, Cures, Domain, Format, OR_COLUMN, Or, Width, no_cures};
use crate::need::{self, Need};
use crate::progress::Progress;
use crate::report;
use crate::table::Table;

/// What is to be evaluated, on what, by which engine.
struct Job {
    work: Work,
    /// One list an operand.
    operands: Vec<Vec<i64>>,
    format: Format,
    params: Params,
    /// The file to blame if the function cannot be planned.
    path: PathBuf,
    /// What the library is asked for.
    request: Request,
    /// The first line of the report.
    title: String,
}

/// A table or a function of large integers.
enum Work {
    Table {
        table: Table,
        algorithm: Option<String>,
    },
    Integers {
        op: IntegerOp,
        width: u32,
        sign: Sign,
    },
    /// With its plain results.
    Program {
        program: Box<Program>,
        expected: Vec<i64>,
    },
}

/// The engine with which the whole job takes least time, as predicted; the one that is named, or that of the named set,
/// or the one that has the function alone.
fn engine(args: &RunArgs, request: &Request, count: usize) -> Result<Engine, CliError> {
    if let Some(engine) = args.engine.map_or_else(|| args.choice.engine(), |engine| Ok(Some(engine)))? {
        return Ok(engine);
    }
    if let [engine] = request.function.engines() {
        return Ok(*engine);
    }
    let load = super::load(count, &args.threads, &args.memory, &args.masks);
    // Where none can, the refusal to tell is met where its set is asked for.
    let choice = planner::choose_here(request, &load);
    Ok(choice.map_or_else(|_| request.own_engine(), |choice| choice.offer.params.engine()))
}

/// The same values, where there is memory for them once more.
fn residues(values: &[i64]) -> Result<Vec<u64>, bootes::Error> {
    let (needed, mut residues) = (8 * values.len() as u64, Vec::new());
    let refused = |_| bootes::Error::Memory { needed, available: bootes::available_memory().unwrap_or(0) };
    residues.try_reserve_exact(values.len()).map_err(refused)?;
    residues.extend(values.iter().map(|&value| value as u64));
    Ok(residues)
}

/// With text that is no list.
const OR: Or<'static> = Or { text: OR_COLUMN, outside: &no_cures };

/// The columns that are asked for, none but integers of the range.
fn columns_of(args: &RunArgs, range: Interval, cures: Cures<'_>) -> Result<Vec<Vec<i64>>, CliError> {
    match args.columns.is_empty() {
        true => Ok(Vec::new()),
        false => columns::read(Text::open(&args.input)?, &args.columns, range, cures),
    }
}

impl Job {
    fn new(args: &RunArgs) -> Result<Self, CliError> {
        if let Some(name) = &args.choice.params {
            Params::named_within(name, args.memory.bytes())?;
        }
        match (&args.table, args.op, &args.expr) {
            (Some(table), ..) => Self::table(args, table.clone()),
            (_, Some(op), _) => Self::integers(args, op),
            (_, _, Some(text)) => Self::program(args, text),
            _ => unreachable!("clap asks for one of them"),
        }
    }

    fn program(args: &RunArgs, text: &str) -> Result<Self, CliError> {
        if args.form.out_modulus.is_some() || args.form.out_bits.is_some() || args.algorithm.is_some() {
            return Err(CliError::new(
                "--out-modulus, --out-bits and --algorithm go with --table: results of --expr are modulo its prime",
            ));
        }
        let paths: Vec<&PathBuf> = std::iter::once(&args.input).chain(&args.input2).collect();
        let cure = match args.input2 {
            _ if !args.columns.is_empty() => "give a --column for each",
            Some(_) => "leave out --input2 for one; bootes eval takes more than two",
            None => "give the second with --input2; bootes eval takes more",
        };
        let program = super::program(text, paths.len().max(args.columns.len()), cure)?;
        if program.outputs().len() > 1 {
            return Err(CliError::new("--expr has several results: bootes run takes one, bootes eval several"));
        }
        let modulus = match (args.form.modulus, &args.choice.params) {
            (Some(modulus), _) => modulus,
            (None, Some(name)) => {
                let params = Params::named_within(name, args.memory.bytes())?;
                params.modulus().ok_or_else(|| {
                    CliError::new(format!(
                        "{name} is a parameter set of engine {}, and --expr is for engine bfv: give one of its sets, \
                         such as --params slots_257, or --modulus with a prime alone",
                        params.engine()
                    ))
                })?
            }
            (None, None) => {
                let line = "--expr computes modulo a prime: give it with --modulus, or a set of engine bfv, such as \
                            --params slots_257";
                return Err(CliError::new(line));
            }
        };
        let request = Request {
            function: Function::from(&program),
            space: Space::Modular(modulus),
            target: args.choice.pfail.unwrap_or(FailureTarget::Two128),
        };
        let engine = args.engine.unwrap_or(request.own_engine());
        if !request.function.engines().contains(&engine) {
            return Err(CliError::new(format!("--expr is for engine bfv, not {engine}: leave --engine out")));
        }
        let params = args.choice.choose(engine, Some(Need::Vectors(modulus)), None)?;
        // Before files of millions of values are read, and before there are ciphertexts of them.
        let load = super::load(1, &args.threads, &args.memory, &args.masks);
        params.check_program_memory(&program, &load).map_err(|error| match error {
            bootes::Error::Memory { .. } => error.into(),
            error => CliError::of(&args.input, error),
        })?;
        let domain = Domain::Modulo(modulus);
        let (mut operands, mut format) = (columns_of(args, domain.range(), &no_cures)?, Format::Csv);
        operands = operands.into_iter().map(|values| domain.reduce(values)).collect();
        for path in paths.iter().filter(|_| args.columns.is_empty()) {
            let (values, found) = integers::input(Text::open(path)?, domain, false, OR)?;
            format = found;
            operands.push(values);
        }
        let (count, capacity) = (operands[0].len(), params.capacity());
        if let Some((path, other)) = paths.iter().zip(&operands).find(|(_, other)| other.len() != count) {
            let line =
                format!("it holds {} values, and {} holds {count}: give as many", other.len(), paths[0].display());
            return Err(CliError::at(path, line));
        }
        let needed = params.key_memory()? + operands.len() as u64 * params.fresh_bytes(count);
        super::check_memory(needed, args.memory.bytes())?;
        let expected = (0..count).step_by(capacity).flat_map(|start| {
            let block = |values: &Vec<i64>| {
                let rest = values[start..].iter().copied().chain(std::iter::repeat(0));
                rest.take(capacity).collect::<Vec<_>>()
            };
            let blocks: Vec<Vec<i64>> = operands.iter().map(block).collect();
            let shape = params.slot_shape().expect("engine bfv has slots");
            let blocks: Vec<&[i64]> = blocks.iter().map(Vec::as_slice).collect();
            program.values(&blocks, shape, modulus as i64).swap_remove(0)
        });
        let expected = expected.take(count).collect();
        let title =
            format!("{program} modulo {modulus}; input {}: {count} values ({})", args.input.display(), format.name());
        let work = Work::Program { program: Box::new(program), expected };
        Ok(Self { work, operands, format, params, path: args.input.clone(), request, title })
    }

    fn table(args: &RunArgs, path: PathBuf) -> Result<Self, CliError> {
        for (given, name) in [(args.choice.width.is_some(), "--width"), (args.input2.is_some(), "--input2")] {
            if given {
                return Err(CliError::new(format!(
                    "{name} goes with --op, a function of large integers, not with --table"
                )));
            }
        }
        let (table, algorithm) = (Table::read(Text::open(&path)?, &args.form)?, args.algorithm.as_deref());
        table.check_algorithm(&path, algorithm)?;
        let domain = if args.form.modulus.is_some() { Domain::Modulo } else { Domain::Below };
        let domain = domain(table.entries());
        let (values, format) = match &args.columns[..] {
            [] => integers::input(Text::open(&args.input)?, domain, args.bytes, OR)?,
            [_] => (domain.reduce(columns_of(args, domain.range(), &no_cures)?.remove(0)), Format::Csv),
            _ => return Err(CliError::new("--table is of one value: give one --column")),
        };
        let needed = table.lut.in_bits().max(table.lut.out_bits());
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
        let target = args.choice.pfail.unwrap_or(FailureTarget::Two128);
        let request = Request { function: table.function(algorithm), target, ..Request::table(table.lut.clone()) };
        let engine = engine(args, &request, values.len())?;
        if args.choice.params.is_none() {
            Params::check_table_memory(engine, table.entries(), target, args.memory.bytes())?;
        }
        let table = if engine.has_modulus() { table.on_vectors() } else { table };
        let request = Request { function: table.function(algorithm), ..request };
        if !request.function.engines().contains(&engine) {
            return Err(CliError::new(format!(
                "--algorithm is for engine fhew: engine {engine} has one; leave it out"
            )));
        }
        // Whether results are too near for a named set is what its noise tells.
        let need = match args.choice.params {
            Some(_) if !engine.has_modulus() => Need::Messages(table.lut.in_bits()),
            _ => Need::of_table(engine, &table.lut),
        };
        let params = args.choice.choose(engine, Some(need), Some((algorithm, &table.lut)))?;
        if algorithm.is_none() {
            table.check_params(&path, &params)?;
        }
        let title = format!(
            "table {}: {}; input {}: {} values ({})",
            path.display(),
            table.in_words(),
            args.input.display(),
            values.len(),
            format.name(),
        );
        let work = Work::Table { table, algorithm: args.algorithm.clone() };
        Ok(Self { work, operands: vec![values], format, params, path, request, title })
    }

    fn integers(args: &RunArgs, op: IntegerOp) -> Result<Self, CliError> {
        match (op.operands(), args.columns.len()) {
            (_, 0) => super::check_operands(op, args.input2.as_deref())?,
            (takes, given) if takes == given => {}
            (1, _) => return Err(CliError::new(format!("{op} has one operand: give one --column"))),
            _ => return Err(CliError::new(format!("{op} has two operands: give a --column for each"))),
        }
        let Some(width) = args.choice.width else {
            return Err(CliError::new(format!(
                "how long are the integers? {op} needs --width W, 1 to {}",
                need::MAX_WIDTH
            )));
        };
        super::check_floor(op, width)?;
        let paths: Vec<&PathBuf> = std::iter::once(&args.input).chain(&args.input2).collect();
        let integers = Width { bits: width, within: None, sign: args.sign };
        let (operands, format) = match args.columns.is_empty() {
            true => integers::operands(paths.iter().map(|path| Text::open(path)).collect::<Result<_, _>>()?, integers)?,
            false => (columns_of(args, integers.range(), &|value| integers.cures(value))?, Format::Csv),
        };
        let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        let (names, count) = (names.join(", "), operands[0].len());
        let request = Request {
            function: Function::Integers(op),
            space: if args.sign.unsigned { Space::unsigned(width) } else { Space::signed(width) },
            target: args.choice.pfail.unwrap_or(FailureTarget::Two128),
        };
        let engine = engine(args, &request, count)?;
        if args.choice.params.is_none() {
            Params::check_integer_memory(engine, args.memory.bytes())?;
        }
        Ok(Self {
            work: Work::Integers { op, width, sign: args.sign },
            format,
            params: args.choice.choose(engine, Some(Need::Integers(width)), None)?,
            path: args.input.clone(),
            request,
            title: format!("{op} of {} {width}-bit integers; input {names}: {count} values", args.sign.name()),
            operands,
        })
    }

    fn count(&self) -> usize {
        self.operands[0].len()
    }

    /// The server key, yet to be made.
    fn key(&self, args: &RunArgs, client: &Client) -> ServerKeyBuilder {
        let mut key = client.server_key_builder().threads(args.threads.here()).to_be_expanded();
        if let Some(memory) = args.memory.bytes() {
            key = key.memory(memory);
        }
        match &self.work {
            Work::Table { table, algorithm: Some(name) } => key.algorithm_for(name, &table.lut),
            _ => key,
        }
    }

    fn encrypt(&self, client: &Client) -> Result<Vec<Ciphertexts>, bootes::Error> {
        let encrypt = |values: &Vec<i64>| match &self.work {
            Work::Table { table, .. } => client.encrypt_modulo(&residues(values)?, table.entries()),
            Work::Integers { width, sign, .. } => sign.encrypt(client, values, *width, *width),
            Work::Program { .. } => client.encrypt(&residues(values)?),
        };
        self.operands.iter().map(encrypt).collect()
    }

    /// The plain result for value number `index`: mathematics, of no width.
    fn expected(&self, index: usize) -> i64 {
        match &self.work {
            Work::Table { table, .. } => table.image(self.operands[0][index] as usize),
            Work::Integers { op, .. } => {
                op.apply(&self.operands.iter().map(|values| values[index]).collect::<Vec<_>>())
            }
            Work::Program { expected, .. } => expected[index],
        }
    }

    /// "T[3]", "max(3, -4)".
    fn term(&self, index: usize) -> String {
        let values: Vec<String> = self.operands.iter().map(|values| values[index].to_string()).collect();
        match &self.work {
            Work::Table { .. } => format!("T[{}]", values[0]),
            Work::Integers { op, .. } => format!("{op}({})", values.join(", ")),
            Work::Program { .. } => format!("result {index} of ({})", values.join(", ")),
        }
    }

    /// What the results are compared with.
    fn reference(&self) -> &'static str {
        match &self.work {
            Work::Table { .. } => "the plain table",
            Work::Integers { .. } => "plain integers",
            Work::Program { .. } => "plain arithmetic",
        }
    }
}

pub(crate) fn run(args: &RunArgs) -> Result<Outcome, CliError> {
    super::check_algorithm(args.algorithm.as_deref())?;
    let threads = args.threads.here();
    let inputs = args.table.iter().chain([&args.input]).chain(&args.input2);
    let output = super::output(args.output.as_deref(), args.json, inputs)?;
    let quiet = args.json || output.as_ref().is_some_and(Output::is_stream);
    let bytes = args.bytes.then_some(("--bytes", Format::Bytes));
    let format = Format::of_output(args.output.as_deref(), bytes)?;
    let job = Job::new(args)?;
    let (params, count, engine) = (&job.params, job.count(), job.params.engine());
    args.masks.check(engine)?;
    // There is memory for both forms of keys, or for one.
    let load = super::load(count, &args.threads, &args.memory, &args.masks);
    let masks = params.masks_for(&job.request.function, job.request.space, &load)?;
    let (client, client_time) = report::timed(|| Client::generate(params));
    let client = client?;
    let server_key = job.key(args, &client);
    server_key.check()?;
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
    let (server, expand_time) = report::timed(|| {
        let _spinner = Progress::spinner("expanding the server key");
        let mut server = Server::builder(server_key).threads(threads);
        if let Some(memory) = args.memory.bytes() {
            server = server.memory(memory);
        }
        if let Some(masks) = masks {
            server = server.masks(masks);
        }
        server.build()
    });
    let server = server?;
    let (operands, encrypt_time) = report::timed(|| job.encrypt(&client));
    let operands = operands?;
    let plan = server.plan(&job.request.function, &operands).map_err(|error| CliError::of(&job.path, error))?;
    super::note_padding(&plan, count, params.capacity());
    let prediction = plan.prediction(count)?.here(engine, &load);
    let predicted_peak = engine.predicts_all_memory().then_some(prediction.memory.peak());
    let pieces = operands.iter().map(Ciphertexts::ciphertexts).sum();
    if !quiet {
        report::line(&plan_in_words(&plan, &prediction, pieces))?;
    }
    let ciphertext_bytes: u64 = operands.iter().map(Ciphertexts::stored_bytes).sum();
    let (results, eval_time) = report::timed(|| {
        let bar = Progress::bar("evaluating", count);
        server.watched(bar.teller(count)).run(&plan, &operands)
    });
    let results = results?.remove(0);
    let result_bytes = results.stored_bytes();
    let (found, decrypt_time) = report::timed(|| client.decrypt(&results));
    let found = found?;
    let check = Check::new(&job, &found);
    if let Some(output) = &output {
        output.write(&integers::output(&found, format)?)?;
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
            "out_bits": results.space().bits(),
            "out_space": results.space().to_string(),
            "input_format": job.format.name(),
            "algorithm": plan.algorithms().join(", "),
            "plan": plan.to_string().trim_end(),
            "rotations": plan.rotations(),
            "params": params.name(),
            "log2_p_fail": plan.log2_p_fail(),
            "security_bits": standard(params),
            "security_bits_strict": strict(params),
            "masks_kept": server.masks() == MaskStorage::Expanded,
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
            Work::Program { program, .. } => object["expression"] = json!(program.to_string()),
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
            row("expand server key", expand_time, Some((server.key_bytes(), "in memory"))),
            row("encrypt", encrypt_time, Some((ciphertext_bytes, "ciphertexts"))),
            row("evaluate", eval_time, Some((result_bytes, "results"))),
            row("decrypt", decrypt_time, None),
        ];
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

    fn job(work: Work, operands: &[&[i64]]) -> Job {
        Job {
            work,
            operands: operands.iter().map(|values| values.to_vec()).collect(),
            format: Format::Integers,
            params: Params::named("toy_4").unwrap(),
            path: PathBuf::new(),
            request: Request::table(bootes::Lut::unstructured(1)),
            title: String::new(),
        }
    }

    fn reversed(values: &[i64]) -> Job {
        let table = Table::read(Text::of("T", b"3 2 1 0"), &TableForm::default()).unwrap();
        job(Work::Table { table, algorithm: None }, &[values])
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
        let max = job(Work::Integers { op: IntegerOp::Max, width: 8, sign: Sign::default() }, &[&[3, -5], &[-4, 7]]);
        assert_eq!(
            Check::new(&max, &[3, -5]).in_words(&max, &[3, -5]),
            "WRONG: 1 of 2 values differ from plain integers; the first is number 1: max(-5, 7) = 7, decrypted -5"
        );
    }
}
