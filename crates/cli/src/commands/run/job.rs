//! What `bootes run` is asked for, read and planned as far as that goes without keys.

use std::path::PathBuf;

use bootes::planner::{self, Request};
use bootes::{
    Ciphertexts, Client, Engine, FailureTarget, Function, IntegerOp, MultivariateLut, Params, ServerKeyBuilder, Space,
};

use super::source::Source;
use crate::args::{RunArgs, Sign, check_promise};
use crate::error::CliError;
use crate::files::Text;
use crate::integers::{Domain, Format, Width};
use crate::need::{FHEW_BITS, Need};
use crate::report;
use crate::table::{Table, check_sets};
use crate::{commands, named};

mod program;
mod several;

/// What is to be evaluated, on what, by which engine.
pub(super) struct Job {
    pub(super) work: Work,
    /// One list an operand.
    pub(super) operands: Vec<Vec<i128>>,
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
    /// A table of several values.
    Several {
        table: Table,
        sizes: Vec<u64>,
    },
    /// An expression.
    Program(program::Work),
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

/// A table of residues as one of integers, and the set for it, where that is faster and nothing says that values are
/// residues of so many bits.
fn on_integers(args: &RunArgs, request: &Request, count: usize) -> Result<Option<(Request, Params)>, CliError> {
    let Function::Table(lut) = &request.function else { return Ok(None) };
    let set = args.choice.params.as_deref().map(Params::named).transpose()?;
    let engine = args.engine.or(set.as_ref().map(Params::engine));
    if lut.in_bits().max(lut.out_bits()) <= FHEW_BITS || args.choice.bits.is_some() || !request.has_integers(engine) {
        return Ok(None);
    }
    let load = commands::load(count, &args.threads, &args.memory, &args.masks);
    let own = match (&set, args.engine) {
        (Some(set), _) => {
            check_promise(set, args.choice.pfail)?;
            request.offer_of(set.clone(), &load).ok()
        }
        (None, Some(engine)) => request.offer(engine, &load).ok(),
        (None, None) => planner::choose_here(request, &load).ok().map(|choice| choice.offer),
    };
    let faster = request.faster_on_integers(own.as_ref(), set.as_ref(), &load);
    Ok(faster.map(|(request, offer)| (request, offer.params)))
}

/// The same values, where there is memory for them once more.
fn residues(values: &[i128]) -> Result<Vec<u64>, bootes::Error> {
    let (needed, mut residues) = (8 * values.len() as u64, Vec::new());
    let refused = |_| bootes::Error::Memory { needed, available: bootes::available_memory().unwrap_or(0) };
    residues.try_reserve_exact(values.len()).map_err(refused)?;
    residues.extend(values.iter().map(|&value| value as u64));
    Ok(residues)
}

/// Refuses inputs that are not in this domain, or that no set has tables on.
fn check_domain(args: &RunArgs, named: Option<&Params>, domain: Domain) -> Result<(), CliError> {
    let (size, target) = (domain.size(), args.choice.pfail.unwrap_or(FailureTarget::Two128));
    check_sets(size, named, args.engine, target)?;
    if let Some(bits) = args.choice.bits.filter(|&bits| size > 1 << bits) {
        let needed = size.next_power_of_two().ilog2();
        let cure = if size.is_power_of_two() {
            format!("raise it to {needed} or leave it out")
        } else {
            format!("give --modulus {size} in place of it, or fill the table up to {} entries", 1u64 << needed)
        };
        let line = format!("the table has {size} entries, but --bits is {bits}: {cure}");
        return Err(CliError::at(&args.tables[0], line));
    }
    // What is no file is read but once.
    if args.inputs.iter().all(|path| path.is_file()) {
        Source::new(&args.inputs, &args.columns)?.residues(&[domain], args.bytes)?;
    }
    Ok(())
}

impl Job {
    pub(super) fn new(args: &RunArgs) -> Result<Self, CliError> {
        // A limit is met where it is known how much all takes.
        if let Some(name) = &args.choice.params {
            Params::named_within(name, None)?;
        }
        match (&args.tables[..], args.op, &args.expr) {
            (_, _, Some(text)) => Self::program(args, text),
            (_, Some(op), _) => Self::integers(args, op),
            ([path], ..) if args.paths().count().max(args.columns.len()) > 1 => Self::several(args, path.clone()),
            ([path], ..) => Self::table(args, path.clone()),
            _ => Err(CliError::new("bootes run takes one --table; bootes eval takes several of one input")),
        }
    }

    fn table(args: &RunArgs, path: PathBuf) -> Result<Self, CliError> {
        let others = [
            (args.choice.width.is_some(), "--width", ", whose entries tell what its inputs are: leave it out"),
            (args.sign.unsigned, "--unsigned", ", whose inputs have no sign: leave it out"),
        ];
        if args.sizes.is_some() {
            return Err(CliError::new("--sizes is of a table of several values: give an --input for each"));
        }
        if let Some((_, name, cure)) = others.into_iter().find(|(given, ..)| *given) {
            return Err(CliError::new(format!(
                "{name} goes with --op, a function of large integers, not with --table{cure}"
            )));
        }
        let (table, algorithm) = (Table::read(Text::open(&path)?, &args.form)?, args.algorithm.as_deref());
        let named = args.choice.params.as_deref().map(Params::named).transpose()?;
        table.check_whole(&args.form, "", |domain| check_domain(args, named.as_ref(), domain))?;
        table.check_algorithm(&path, algorithm)?;
        let domain = if args.form.modulus.is_some() { Domain::Modulo } else { Domain::Below };
        let source = Source::new(&args.inputs, &args.columns)?;
        let (mut operands, format) = source.residues(&[domain(table.entries())], args.bytes)?;
        let values = operands.remove(0);
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
        let title = |table: &Table| {
            format!(
                "table {}: {}; input {}: {} ({})",
                path.display(),
                table.in_words(),
                args.inputs[0].display(),
                report::values(values.len()),
                format.name(),
            )
        };
        if let Some((request, params)) = on_integers(args, &request, values.len())? {
            let (title, work) = (title(&table), Work::Table { table, algorithm: None });
            return Ok(Self { work, operands: vec![values], format, params, table: Some(path), request, title });
        }
        let engine = engine(args, &request, values.len())?;
        if args.choice.params.is_none() {
            let load = commands::load(values.len(), &args.threads, &args.memory, &args.masks);
            let checked = Params::check_table_memory(engine, table.entries(), target, args.memory.bytes());
            checked.map_err(|error| request.offer(engine, &load).err().unwrap_or(error))?;
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
        let params = match (engine.has_modulus(), &args.choice.params, args.choice.bits) {
            // The set of vectors that takes this table in the least time.
            (true, None, None) => {
                let load = commands::load(values.len(), &args.threads, &args.memory, &args.masks);
                request.offer(engine, &load)?.params
            }
            _ => args.choice.choose(engine, Some(need), Some((algorithm, &table.lut)))?,
        };
        if algorithm.is_none() {
            table.check_params(&path, &params)?;
        }
        let title = title(&table);
        let work = Work::Table { table, algorithm: args.algorithm.clone() };
        Ok(Self { work, operands: vec![values], format, params, table: Some(path), request, title })
    }

    fn integers(args: &RunArgs, op: IntegerOp) -> Result<Self, CliError> {
        let paths: Vec<PathBuf> = args.paths().cloned().collect();
        match (op.operands(), args.columns.len()) {
            (2, 0) if paths.len() == 1 => {
                return Err(CliError::new(format!(
                    "{op} has two operands: give the second with --input2, or a --column for each of a file with names"
                )));
            }
            (_, 0) => commands::check_operands(op, &paths)?,
            (takes, given) if takes == given => {}
            (1, _) => return Err(CliError::new(format!("{op} has one operand: give one --column"))),
            _ => return Err(CliError::new(format!("{op} has two operands: give a --column for each"))),
        }
        let Some(width) = args.choice.width else {
            return Err(CliError::new(format!(
                "how long are the integers? {op} needs --width W, 1 to {}",
                bootes::MAX_WIDTH
            )));
        };
        commands::check_floor(op, width)?;
        let integers = Width { bits: width, within: None, sign: args.sign };
        let (operands, format) = Source::new(&paths, &args.columns)?.integers(integers)?;
        let (names, count) = (commands::names(&paths), operands[0].len());
        let request = Request {
            function: Function::Integers(op),
            space: args.sign.space(width),
            target: args.choice.pfail.unwrap_or(FailureTarget::Two128),
        };
        let engine = engine(args, &request, count)?;
        if args.choice.params.is_none() {
            let load = commands::load(count, &args.threads, &args.memory, &args.masks);
            let checked = Params::check_integer_memory(engine, args.memory.bytes());
            checked.map_err(|error| request.offer(engine, &load).err().unwrap_or(error))?;
        }
        Ok(Self {
            work: Work::Integers { op, width, sign: args.sign },
            format,
            params: args.choice.choose(engine, Some(Need::Integers(width)), None)?,
            table: None,
            request,
            title: format!(
                "{op} of {} {width}-bit integers; input {names}: {}",
                args.sign.name(),
                report::values(count)
            ),
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
        let encrypt = |values: &Vec<i128>| match &self.work {
            Work::Table { table, .. } if self.request.space.integers().is_none() => {
                client.encrypt_modulo(&residues(values)?, table.entries())
            }
            Work::Integers { width, sign, .. } => sign.encrypt(client, values, *width, *width),
            Work::Several { .. } => unreachable!("each operand has a size of its own"),
            Work::Table { .. } | Work::Program(_) => match (self.request.space, client.params().modulus()) {
                (Space::Modular(p), None) => client.encrypt_modulo(&residues(values)?, p),
                (Space::Modular(_), Some(_)) => client.encrypt(&residues(values)?),
                (space, _) => client.encrypt_within(values, space.range(), space.bits() - 1),
            },
        };
        match &self.work {
            Work::Several { sizes, .. } => self.encrypt_packed(client, sizes),
            _ => self.operands.iter().map(encrypt).collect(),
        }
    }

    /// What the results are called, where they have names, or there are several.
    pub(super) fn columns(&self) -> Option<&[String]> {
        match &self.work {
            Work::Program(work) => work.columns.as_deref(),
            _ => None,
        }
    }

    /// How many results there are.
    pub(super) fn results(&self) -> usize {
        match &self.work {
            Work::Program(work) => work.expected.len(),
            _ => 1,
        }
    }

    /// The plain value number `index` of a result: mathematics, of no width.
    pub(super) fn expected(&self, result: usize, index: usize) -> i128 {
        match &self.work {
            Work::Several { table, sizes } => {
                let values = self.operands.iter().zip(sizes);
                table.image(values.fold(0, |at, (values, &size)| at * size as usize + values[index] as usize))
            }
            Work::Table { table, .. } => table.image(self.operands[0][index] as usize),
            Work::Integers { op, .. } => {
                op.apply(&self.operands.iter().map(|values| values[index]).collect::<Vec<_>>())
            }
            Work::Program(work) => work.expected[result][index],
        }
    }

    /// `T[3]`, `max(3, -4)`.
    pub(super) fn term(&self, result: usize, index: usize) -> String {
        let values: Vec<String> = self.operands.iter().map(|values| values[index].to_string()).collect();
        match &self.work {
            Work::Table { .. } | Work::Several { .. } => format!("T[{}]", values.join(", ")),
            Work::Integers { op, .. } => format!("{op}({})", values.join(", ")),
            Work::Program(work) => match &work.columns {
                Some(names) => format!("{} of ({})", names[result], values.join(", ")),
                None => format!("result {index} of ({})", values.join(", ")),
            },
        }
    }

    /// What the results are compared with.
    pub(super) fn reference(&self) -> &'static str {
        match &self.work {
            Work::Table { .. } | Work::Several { .. } => "the plain table",
            Work::Integers { .. } => "plain integers",
            Work::Program(_) => "plain arithmetic",
        }
    }
}
