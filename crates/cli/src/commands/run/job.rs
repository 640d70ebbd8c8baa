//! What `bootes run` is asked for, read and planned as far as that goes without keys.

use std::path::PathBuf;

use bootes::planner::{self, Offer, Request};
use bootes::{
    Ciphertexts, Client, Engine, FailureTarget, Function, IntegerOp, Interval, Params, Program, ServerKeyBuilder, Space,
};

use crate::args::{RunArgs, Sign};
use crate::error::CliError;
use crate::files::Text;
use crate::integers::{self, Cures, Domain, Format, OR_COLUMN, Or, Width, no_cures};
use crate::need::{self, Need};
use crate::table::Table;
use crate::{columns, commands};

/// What is to be evaluated, on what, by which engine.
pub(super) struct Job {
    pub(super) work: Work,
    /// One list an operand.
    pub(super) operands: Vec<Vec<i64>>,
    pub(super) format: Format,
    pub(super) params: Params,
    /// The file to blame if its table cannot be planned.
    pub(super) table: Option<PathBuf>,
    /// What the library is asked for.
    pub(super) request: Request,
    /// The first line of the report.
    pub(super) title: String,
}

/// A table or a function of large integers.
pub(super) enum Work {
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
    let load = commands::load(count, &args.threads, &args.memory, &args.masks);
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
fn columns_of(args: &RunArgs, names: &[String], range: Interval, cures: Cures<'_>) -> Result<Vec<Vec<i64>>, CliError> {
    match names.is_empty() {
        true => Ok(Vec::new()),
        false => columns::read(Text::open(&args.input)?, names, range, cures),
    }
}

/// The columns in the order of the expression's names, if these are theirs, but for case and the white space around
/// them; of other names, as they are given.
fn in_order(columns: &[String], program: &Program) -> Result<Vec<String>, CliError> {
    let names = program.names();
    let column = |name: &String| {
        let is_called = |is: fn(&str, &str) -> bool| columns.iter().find(|column| is(column.trim(), name));
        is_called(|a, b| a == b).or_else(|| is_called(str::eq_ignore_ascii_case)).cloned()
    };
    let found: Vec<String> = names.iter().filter_map(column).collect();
    match found.len() {
        0 => Ok(columns.to_vec()),
        all if all == names.len() => Ok(found),
        _ => Err(CliError::new(format!(
            "--expr is of {}, and some of the columns have such names, {}: give the expression the names of all \
             columns, or names of its own",
            names.join(" and "),
            columns.join(" and ")
        ))),
    }
}

/// Whether an expression is one of single values: integers, or residues that are asked for so, or modulo what engine
/// bfv has no set for.
fn is_of_values(args: &RunArgs, program: &Program) -> Result<bool, CliError> {
    let engine = args.engine.map_or_else(|| args.choice.engine(), |engine| Ok(Some(engine)))?;
    let function = Function::from(program);
    Ok(args.choice.width.is_some()
        || args.choice.bits.is_some()
        || engine == Some(Engine::Fhew)
        || function.engines() == [Engine::Fhew]
        || (function.engines().contains(&Engine::Fhew)
            && engine.is_none()
            && args.form.modulus.is_some_and(|p| Params::for_vectors(p).is_err())))
}

/// Residues of the columns that are asked for, or else of files, of one length.
fn residues_of(
    args: &RunArgs,
    columns: &[String],
    paths: &[&PathBuf],
    domain: Domain,
) -> Result<(Vec<Vec<i64>>, Format), CliError> {
    let (mut operands, mut format) = (columns_of(args, columns, domain.range(), &no_cures)?, Format::Csv);
    operands = operands.into_iter().map(|values| domain.reduce(values)).collect();
    for path in paths.iter().filter(|_| columns.is_empty()) {
        let (values, found) = integers::input(Text::open(path)?, domain, false, OR)?;
        format = found;
        operands.push(values);
    }
    let count = operands[0].len();
    if let Some((path, other)) = paths.iter().zip(&operands).find(|(_, other)| other.len() != count) {
        let line = format!("it holds {} values, and {} holds {count}: give as many", other.len(), paths[0].display());
        return Err(CliError::at(path, line));
    }
    Ok((operands, format))
}

impl Job {
    pub(super) fn new(args: &RunArgs) -> Result<Self, CliError> {
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
                "--out-modulus, --out-bits and --algorithm go with --table: results of --expr are as its values",
            ));
        }
        let paths: Vec<&PathBuf> = std::iter::once(&args.input).chain(&args.input2).collect();
        let cure = match args.input2 {
            _ if !args.columns.is_empty() => ("column", "give one --column for each of these names"),
            Some(_) => ("file", "leave out --input2 for one; bootes eval takes more than two"),
            None => ("file", "give the second with --input2, or a --column of CSV for each; bootes eval takes more"),
        };
        let program = commands::program(text, paths.len().max(args.columns.len()), cure)?;
        if program.outputs().len() > 1 {
            return Err(CliError::new("--expr has several results: bootes run takes one, bootes eval several"));
        }
        if is_of_values(args, &program)? {
            return Self::values(args, program, &paths);
        }
        let modulus = match (args.form.modulus, &args.choice.params) {
            (Some(modulus), _) => modulus,
            (None, Some(name)) => {
                let params = Params::named_within(name, args.memory.bytes())?;
                params.modulus().ok_or_else(|| {
                    CliError::new(format!(
                        "{name} is a parameter set of engine {}, and such an --expr is for engine bfv: give one of \
                         its sets, such as --params slots_257, or --modulus with a prime alone",
                        params.engine()
                    ))
                })?
            }
            (None, None) => {
                let line = "--expr is of integers of --width W, or modulo a prime: give it with --modulus, or a set of \
                            engine bfv, such as --params slots_257";
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
            return Err(CliError::new(format!("such an --expr is for engine bfv, not {engine}: leave --engine out")));
        }
        let params = args.choice.choose(engine, Some(Need::Vectors(modulus)), None)?;
        // Before files of millions of values are read, and before there are ciphertexts of them.
        let load = commands::load(1, &args.threads, &args.memory, &args.masks);
        params.check_program_memory(&program, &load)?;
        let (operands, format) =
            residues_of(args, &in_order(&args.columns, &program)?, &paths, Domain::Modulo(modulus))?;
        let (count, capacity) = (operands[0].len(), params.capacity());
        let needed = params.key_memory()? + operands.len() as u64 * params.fresh_bytes(count);
        commands::check_memory(needed, args.memory.bytes())?;
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
        Ok(Self { work, operands, format, params, table: None, request, title })
    }

    /// A program of values of engine fhew.
    fn values(args: &RunArgs, program: Program, paths: &[&PathBuf]) -> Result<Self, CliError> {
        let (space, need) = commands::space(args.choice.width, args.sign, args.choice.bits, args.form.modulus)?;
        let request = Request {
            function: Function::from(&program),
            space,
            target: args.choice.pfail.unwrap_or(FailureTarget::Two128),
        };
        if !request.function.engines().contains(&Engine::Fhew) {
            return Err(CliError::new(
                "rot, swap, sum and dot are of vectors modulo a prime, with engine bfv: give --modulus P alone",
            ));
        }
        if let Some(engine) = args.engine.filter(|engine| *engine != Engine::Fhew) {
            return Err(CliError::new(format!("such an --expr is for engine fhew, not {engine}: leave --engine out")));
        }
        let columns = in_order(&args.columns, &program)?;
        let domain = Domain::Modulo(args.form.modulus.unwrap_or(1 << args.choice.bits.unwrap_or(1)));
        let (operands, format) = match args.choice.width {
            Some(bits) if columns.is_empty() => {
                let texts = paths.iter().map(|path| Text::open(path)).collect::<Result<_, _>>()?;
                integers::operands(texts, Width { bits, within: None, sign: args.sign }, "")?
            }
            Some(bits) => {
                let integers = Width { bits, within: None, sign: args.sign };
                (columns_of(args, &columns, integers.range(), &|value| integers.cures(value))?, Format::Csv)
            }
            None => residues_of(args, &columns, paths, domain)?,
        };
        let count = operands[0].len();
        let load = commands::load(count, &args.threads, &args.memory, &args.masks);
        let offer = match &args.choice.params {
            Some(_) => request.offer_of(args.choice.choose(Engine::Fhew, Some(need), None)?, &load),
            None => request.offer(Engine::Fhew, &load),
        };
        let Offer { params, space, .. } = offer?;
        let request = Request { space, ..request };
        let plain: Vec<&[i64]> = operands.iter().map(Vec::as_slice).collect();
        let expected = match space {
            Space::Modular(p) => program.values(&plain, [1, count], p as i64),
            _ => program.integers_of(&plain, &vec![space.range(); plain.len()]).map_err(bootes::Error::from)?,
        };
        let expected = expected.into_iter().next().unwrap_or_default();
        let title = format!("{program} of {space}; input {}: {count} values ({})", args.input.display(), format.name());
        let work = Work::Program { program: Box::new(program), expected };
        Ok(Self { work, operands, format, params, table: None, request, title })
    }

    fn table(args: &RunArgs, path: PathBuf) -> Result<Self, CliError> {
        let others = [
            (args.choice.width.is_some(), "--width", ", whose entries tell what its inputs are: leave it out"),
            (args.sign.unsigned, "--unsigned", ", whose inputs have no sign: leave it out"),
            (args.input2.is_some(), "--input2", ""),
        ];
        if let Some((_, name, cure)) = others.into_iter().find(|(given, ..)| *given) {
            return Err(CliError::new(format!(
                "{name} goes with --op, a function of large integers, not with --table{cure}"
            )));
        }
        let (table, algorithm) = (Table::read(Text::open(&path)?, &args.form)?, args.algorithm.as_deref());
        table.check_algorithm(&path, algorithm)?;
        let domain = if args.form.modulus.is_some() { Domain::Modulo } else { Domain::Below };
        let domain = domain(table.entries());
        let (values, format) = match &args.columns[..] {
            [] => integers::input(Text::open(&args.input)?, domain, args.bytes, OR)?,
            [_] => (domain.reduce(columns_of(args, &args.columns, domain.range(), &no_cures)?.remove(0)), Format::Csv),
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
        Ok(Self { work, operands: vec![values], format, params, table: Some(path), request, title })
    }

    fn integers(args: &RunArgs, op: IntegerOp) -> Result<Self, CliError> {
        match (op.operands(), args.columns.len()) {
            (2, 0) if args.input2.is_none() => {
                return Err(CliError::new(format!(
                    "{op} has two operands: give the second with --input2, or a --column for each of a file with names"
                )));
            }
            (_, 0) => commands::check_operands(op, args.input2.as_deref())?,
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
        commands::check_floor(op, width)?;
        let paths: Vec<&PathBuf> = std::iter::once(&args.input).chain(&args.input2).collect();
        let integers = Width { bits: width, within: None, sign: args.sign };
        let (operands, format) = match args.columns.is_empty() {
            true => {
                integers::operands(paths.iter().map(|path| Text::open(path)).collect::<Result<_, _>>()?, integers, "")?
            }
            false => (columns_of(args, &args.columns, integers.range(), &|value| integers.cures(value))?, Format::Csv),
        };
        let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        let (names, count) = (names.join(", "), operands[0].len());
        let request = Request {
            function: Function::Integers(op),
            space: args.sign.space(width),
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
            table: None,
            request,
            title: format!("{op} of {} {width}-bit integers; input {names}: {count} values", args.sign.name()),
            operands,
        })
    }

    pub(super) fn count(&self) -> usize {
        self.operands[0].len()
    }

    /// The server key, yet to be made.
    pub(super) fn key(&self, args: &RunArgs, client: &Client) -> ServerKeyBuilder {
        let mut key = client.server_key_builder().threads(args.threads.here()).to_be_expanded();
        if let Some(memory) = args.memory.bytes() {
            key = key.memory(memory);
        }
        match &self.work {
            Work::Table { table, algorithm: Some(name) } => key.algorithm_for(name, &table.lut),
            _ => key,
        }
    }

    pub(super) fn encrypt(&self, client: &Client) -> Result<Vec<Ciphertexts>, bootes::Error> {
        let encrypt = |values: &Vec<i64>| match &self.work {
            Work::Table { table, .. } => client.encrypt_modulo(&residues(values)?, table.entries()),
            Work::Integers { width, sign, .. } => sign.encrypt(client, values, *width, *width),
            Work::Program { .. } => match (self.request.space, client.params().engine()) {
                (Space::Modular(p), Engine::Fhew) => client.encrypt_modulo(&residues(values)?, p),
                (Space::Modular(_), _) => client.encrypt(&residues(values)?),
                (space, _) => client.encrypt_within(values, space.range(), space.bits() - 1),
            },
        };
        self.operands.iter().map(encrypt).collect()
    }

    /// The plain result for value number `index`: mathematics, of no width.
    pub(super) fn expected(&self, index: usize) -> i64 {
        match &self.work {
            Work::Table { table, .. } => table.image(self.operands[0][index] as usize),
            Work::Integers { op, .. } => {
                op.apply(&self.operands.iter().map(|values| values[index]).collect::<Vec<_>>())
            }
            Work::Program { expected, .. } => expected[index],
        }
    }

    /// "T[3]", "max(3, -4)".
    pub(super) fn term(&self, index: usize) -> String {
        let values: Vec<String> = self.operands.iter().map(|values| values[index].to_string()).collect();
        match &self.work {
            Work::Table { .. } => format!("T[{}]", values[0]),
            Work::Integers { op, .. } => format!("{op}({})", values.join(", ")),
            Work::Program { .. } => format!("result {index} of ({})", values.join(", ")),
        }
    }

    /// What the results are compared with.
    pub(super) fn reference(&self) -> &'static str {
        match &self.work {
            Work::Table { .. } => "the plain table",
            Work::Integers { .. } => "plain integers",
            Work::Program { .. } => "plain arithmetic",
        }
    }
}
