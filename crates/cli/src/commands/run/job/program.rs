//! An expression of vectors, or of single values.

use bootes::planner::Offer;
use bootes::{Kind, Program};

use super::*;
use crate::columns;
use crate::error::{Refused, Sets};

/// An expression, and what it gives of plain values.
pub(in super::super) struct Work {
    pub(in super::super) program: Box<Program>,
    /// A vector for each result.
    pub(in super::super) expected: Vec<Vec<i128>>,
    /// What results are called, where they are columns.
    pub(in super::super) columns: Option<Vec<String>>,
}

/// An expression that is asked for.
struct Asked {
    program: Program,
    /// Of the results, where they are columns.
    columns: Option<Vec<String>>,
}

impl Asked {
    /// With its values, yet to be read.
    fn new(args: &RunArgs, text: &str) -> Result<(Self, Source), CliError> {
        if args.form.out_modulus.is_some() || args.form.out_bits.is_some() || args.algorithm.is_some() {
            return Err(CliError::new(
                "--out-modulus, --out-bits and --algorithm go with --table alone: results of --expr are as its values",
            ));
        }
        let others = [("--width", args.choice.width.is_some()), ("--bits", args.choice.bits.is_some())];
        if let Some((option, _)) = others.iter().find(|(_, given)| *given && args.form.modulus.is_some()) {
            return Err(CliError::new(format!(
                "--expr is of values modulo what --modulus says, or of those of {option}: give one of both"
            )));
        }
        let tables = named::tables(&named::files(&args.tables, true), &args.form)?;
        let program = named::program(text, &tables)?;
        let program = match kind(args)? {
            Some(kind) => {
                let kinds = vec![kind; program.inputs()];
                named::on(program, &kinds, &tables)?
            }
            None => program,
        };
        let source = Source::of_program(args, &program)?;
        let are_columns = source.is_implied() || program.outputs().len() > 1 || program.output_names()[0].is_some();
        let columns = are_columns.then(|| named::results(&program, text));
        columns.iter().try_for_each(|names| columns::distinct(names))?;
        Ok((Self { program, columns }, source))
    }

    /// The work whose plain results are these.
    fn work(self, expected: Vec<Vec<i128>>) -> super::Work {
        super::Work::Program(Work { program: Box::new(self.program), expected, columns: self.columns })
    }
}

/// What the values of an expression are, as far as options say.
fn kind(args: &RunArgs) -> Result<Option<Kind>, CliError> {
    let modulus = match (&args.choice.params, args.form.modulus) {
        (Some(name), None) => Params::named_within(name, None)?.modulus(),
        (_, modulus) => modulus,
    };
    let space = commands::space(args.choice.width, args.sign, args.choice.bits, modulus);
    Ok(space.ok().map(Space::kind))
}

/// Whether an expression is one of single values: integers, or residues that are asked for so, or modulo what engine
/// bfv has no set for.
fn is_of_values(args: &RunArgs, program: &Program) -> Result<bool, CliError> {
    let engine = args.engine.map_or_else(|| args.choice.engine(), |engine| Ok(Some(engine)))?;
    let function = Function::from(program);
    let engines = function.engines();
    Ok(args.choice.width.is_some()
        || args.choice.bits.is_some()
        || engine.is_some_and(|engine| !engine.has_modulus())
        || !engines.iter().any(|engine| engine.has_modulus())
        || (takes_values(&function) && engine.is_none() && args.form.modulus.is_some_and(|p| !planner::has_slots(p))))
}

/// Whether an expression may be of values of their own.
fn takes_values(function: &Function) -> bool {
    function.engines().iter().any(|engine| !engine.has_modulus())
}

impl Job {
    /// The job of an expression.
    pub(super) fn program(args: &RunArgs, text: &str) -> Result<Self, CliError> {
        let (asked, source) = Asked::new(args, text)?;
        if is_of_values(args, &asked.program)? {
            return Self::values(args, asked, source);
        }
        let program = &asked.program;
        let modulus = match (args.form.modulus, &args.choice.params) {
            (Some(modulus), _) => modulus,
            (None, Some(name)) => {
                let params = Params::named_within(name, None)?;
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
            function: Function::from(program),
            space: Space::Modular(modulus),
            target: args.choice.pfail.unwrap_or(FailureTarget::Two128),
        };
        let engine = args.engine.unwrap_or(request.own_engine());
        if !request.function.engines().contains(&engine) {
            return Err(CliError::new(format!("such an --expr is for engine bfv, not {engine}: leave --engine out")));
        }
        let need = if program.tables().is_empty() { Need::Vectors } else { Need::VectorTables };
        let set = |count: usize| {
            let load = commands::load(count, &args.threads, &args.memory, &args.masks);
            match args.choice.params {
                Some(_) => args.choice.choose(engine, Some(need(modulus)), None),
                None => Ok(request.offer(engine, &load)?.params),
            }
        };
        // Before files of millions of values are read, and before there are ciphertexts of them.
        let mut params = set(1)?;
        let load = commands::load(1, &args.threads, &args.memory, &args.masks);
        params.check_program_memory(program, &load).map_err(|error| request.refusal_with(error, &params, &load))?;
        let (operands, format) = source.residues(&vec![Domain::Modulo(modulus); program.inputs()], false)?;
        let count = operands[0].len();
        if count > params.capacity() {
            params = set(count)?;
            params.check_program_memory(program, &load).map_err(|error| request.refusal_with(error, &params, &load))?;
        }
        let capacity = params.capacity();
        let needed = params.key_memory()? + operands.len() as u64 * params.fresh_bytes(count);
        let checked = commands::check_memory(needed, args.memory.bytes());
        checked.map_err(|error| request.refusal_with(error, &params, &load))?;
        let mut expected = vec![Vec::new(); program.outputs().len()];
        for start in (0..count).step_by(capacity) {
            let block = |values: &Vec<i128>| {
                let rest = values[start..].iter().copied().chain(std::iter::repeat(0));
                rest.take(capacity).collect::<Vec<_>>()
            };
            let blocks: Vec<Vec<i128>> = operands.iter().map(block).collect();
            let shape = params.slot_shape().expect("engine bfv has slots");
            let blocks: Vec<&[i128]> = blocks.iter().map(Vec::as_slice).collect();
            let values = program.values(&blocks, shape, modulus);
            expected.iter_mut().zip(values).for_each(|(all, values)| all.extend(values.iter().take(count - start)));
        }
        let counted = report::values(count);
        let title =
            format!("{program} modulo {modulus}; input {}: {counted} ({})", names(args, program), format.name());
        Ok(Self { work: asked.work(expected), operands, format, params, table: None, request, title })
    }

    /// A program of single values.
    fn values(args: &RunArgs, mut asked: Asked, source: Source) -> Result<Self, CliError> {
        let program = &asked.program;
        let function = Function::from(program);
        if !takes_values(&function) {
            return Err(CliError::new(
                "rot, swap, sum and dot are of vectors modulo a prime, with engine bfv: give --modulus P alone",
            ));
        }
        let named = args.engine.map_or_else(|| args.choice.engine(), |engine| Ok(Some(engine)))?;
        if let Some(engine) = named.filter(|engine| engine.has_modulus()) {
            let what = args.choice.params.as_ref().map_or(format!("not {engine}: leave --engine out"), |name| {
                format!("and {name} is a parameter set of engine {engine}: take another")
            });
            return Err(CliError::new(format!("such an --expr is for engines fhew and ckks, {what}")));
        }
        // Whatever their length.
        let space = commands::space(args.choice.width, args.sign, args.choice.bits, args.form.modulus)?;
        let request = Request { function, space, target: args.choice.pfail.unwrap_or(FailureTarget::Two128) };
        let domain = Domain::Modulo(args.form.modulus.unwrap_or(1 << args.choice.bits.unwrap_or(1)));
        let (operands, format) = match args.choice.width {
            Some(bits) => source.integers(Width { bits, within: None, sign: args.sign })?,
            None => source.residues(&vec![domain; program.inputs()], false)?,
        };
        let count = operands[0].len();
        let load = commands::load(count, &args.threads, &args.memory, &args.masks);
        let set = args.choice.params.as_ref().map(|name| Params::named_within(name, None)).transpose()?;
        if let Some(set) = &set {
            check_promise(set, args.choice.pfail)?;
            if let Some(engine) = args.engine.filter(|engine| *engine != set.engine()) {
                return Err(commands::other_engine(set, engine));
            }
        }
        let (request, offer) = request.offer_of_values(named, set.as_ref(), &load);
        let named = match &args.choice.params {
            Some(name) => Some((Sets::One(name), "leave --params out")),
            None => named.map(|engine| (Sets::Of(engine), "leave --engine out")),
        };
        let refused = Refused { program, request: &request, load: &load, named };
        let Offer { params, space, .. } = offer.map_err(|error| refused.refusal(&error))?;
        let request = Request { space, ..request };
        if let Function::Program(evaluated) = &request.function {
            asked.program = Program::clone(evaluated);
        }
        let program = &asked.program;
        let plain: Vec<&[i128]> = operands.iter().map(Vec::as_slice).collect();
        let expected = program.plain(&plain, &vec![space.kind(); plain.len()]).map_err(bootes::Error::from)?;
        let counted = report::values(count);
        let title = format!("{program} of {space}; input {}: {counted} ({})", names(args, program), format.name());
        Ok(Self { work: asked.work(expected), operands, format, params, table: None, request, title })
    }
}

/// The files of operands in words, of several with their names.
fn names(args: &RunArgs, program: &Program) -> String {
    let files = named::files(args.paths(), true);
    let are_in_order =
        files.len() > 1 && files.len() == program.inputs() && files.iter().all(|file| file.name.is_none());
    match are_in_order {
        true => report::list(
            program.names().iter().zip(files).map(|(name, file)| format!("{name}={}", file.path.display())),
        ),
        false => commands::names(&args.paths().cloned().collect::<Vec<_>>()),
    }
}
