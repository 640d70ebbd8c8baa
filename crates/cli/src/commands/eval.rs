//! `bootes eval`: tables, or a function of large integers, on ciphertexts, with the server key alone.

use std::path::{Path, PathBuf};

use bootes::planner::Request;
use bootes::{
    Ciphertexts, FailureTarget, FhewLutError, Function, IntegerOp, Load, LutError, MultivariateLut, Params, Plan,
    Program, Server, Space,
};
use serde_json::{Value, json};

use super::params::{one_line, standard, strict};
use super::{Encrypted, Outcome};
use crate::args::EvalArgs;
use crate::error::{CliError, Refused, Sets, fhew_keys, of_sizes, one_width, with_modulus};
use crate::files::{self, Noun, Output, Sealed, Text, read_error};
use crate::integers::Domain;
use crate::named;
use crate::need::{FHEW_BITS, MAX_TABLE_BITS, Need};
use crate::progress::Progress;
use crate::report;
use crate::table::{Table, check_sizes, with_room};
use bootes::MAX_WIDTH;

/// The work of a call.
enum Work<'a> {
    Tables {
        tables: Vec<Table>,
        paths: &'a [PathBuf],
        algorithm: Option<&'a str>,
    },
    /// A table of several operands, which have so many values each: as the ciphertexts tell, and as an option does.
    Multivariate {
        table: Box<Table>,
        path: &'a Path,
        sizes: Vec<u64>,
        said: Option<&'a [u64]>,
    },
    Integers {
        op: IntegerOp,
    },
    /// An expression as it is written, with its tables.
    Program {
        program: Box<Program>,
        text: &'a str,
        tables: Vec<(String, Table)>,
    },
}

/// How many values an operand of a table has: those of the least table with an entry for each.
fn held(space: &Space) -> u64 {
    match space {
        space if let Some(p) = space.modulus() => p,
        space => {
            let most = u64::try_from(space.range().max.max(1)).unwrap_or(u64::MAX);
            most.saturating_add(1).checked_next_power_of_two().unwrap_or(u64::MAX)
        }
    }
}

impl<'a> Work<'a> {
    fn new(args: &'a EvalArgs) -> Result<Self, CliError> {
        if let Some(text) = &args.expr {
            let form = &args.form;
            if form.out_modulus.is_some()
                || form.out_bits.is_some()
                || (form.modulus.is_some() && args.tables.is_empty())
            {
                let line =
                    "--modulus, --out-modulus and --out-bits go with --table: results of --expr are as its values";
                return Err(CliError::new(line));
            }
            let tables = named::tables(&named::files(&args.tables, true), form)?;
            let program = Box::new(named::program(text, &tables)?);
            return Ok(Self::Program { program, text, tables });
        }
        if let Some(op) = args.op {
            super::check_operands(op, &args.paths().cloned().collect::<Vec<_>>())?;
            if op == IntegerOp::Floor(0) {
                return Err(CliError::new("floor:0 drops nothing: expected floor:K with K from 1"));
            }
            args.width.map_or(Ok(()), |width| super::check_floor(op, width))?;
            return Ok(Self::Integers { op });
        }
        let (algorithm, paths) = (args.algorithm.as_deref(), &args.tables[..]);
        let operands = args.paths().count();
        if operands > 1 {
            let [path] = paths else {
                return Err(CliError::new("several --table files are of one --input: give them one by one"));
            };
            if algorithm.is_some() {
                return Err(CliError::new("--algorithm is for tables of one --input: leave it out"));
            }
            let table = Box::new(Table::of_several(Text::open(path)?, &args.form, operands)?);
            let said = args.sizes.as_ref().map(|sizes| &sizes.0[..]);
            if let Some(sizes) = said {
                if sizes.len() != operands {
                    let found = sizes.len();
                    let line =
                        format!("--sizes has {found} numbers, and there are {operands} inputs: give one for each");
                    return Err(CliError::new(line));
                }
                check_sizes(table.entries(), sizes).map_err(|line| CliError::at(path, line))?;
            }
            return Ok(Self::Multivariate { table, path, sizes: vec![0; operands], said });
        }
        if args.sizes.is_some() {
            return Err(CliError::new(
                "--sizes is of a --table of several values: give an --input for each, or leave it out",
            ));
        }
        if algorithm.is_some() && paths.len() > 1 {
            return Err(CliError::new("--algorithm is for one --table: leave it out"));
        }
        let table = |path: &PathBuf| {
            let table = Table::read(Text::open(path)?, &args.form)?;
            table.check_algorithm(path, algorithm).map(|()| table)
        };
        Ok(Self::Tables { tables: paths.iter().map(table).collect::<Result<_, _>>()?, paths, algorithm })
    }

    /// The function that the library is asked for.
    fn function(&self) -> Result<Function, CliError> {
        Ok(match self {
            Self::Tables { tables, algorithm, .. } => match &tables[..] {
                [table] => table.function(*algorithm),
                tables => Function::Tables(tables.iter().map(|table| table.lut.clone()).collect()),
            },
            Self::Multivariate { table, path, sizes, .. } => {
                let table = MultivariateLut::new(sizes, table.lut.clone());
                return table.map(Function::from).map_err(|error| CliError::of(path, error.into()));
            }
            Self::Integers { op } => Function::Integers(*op),
            Self::Program { program, .. } => Function::from(&**program),
        })
    }

    /// The refusal to plan it, of the file to blame: the first table that cannot be planned alone, or the noisier
    /// operand. What a program refuses is of its own values, unless it is the kind of an input.
    fn refused(&self, operands: &[PathBuf], server: &Server, heads: &[&Ciphertexts], error: bootes::Error) -> CliError {
        // The program that is named instead may take other keys.
        let error = match (self, error) {
            (Self::Integers { op }, error @ bootes::Error::Range { .. }) => {
                let program = Function::from(Program::of_function(*op));
                match server.plan(program, heads.iter().copied()) {
                    Err(other @ bootes::Error::Lut(LutError::Fhew(FhewLutError::Keys { .. }))) => other,
                    _ => error,
                }
            }
            (_, error) => error,
        };
        let blamed = match self {
            Self::Tables { tables, paths, .. } => {
                let mut all = tables.iter().zip(*paths);
                let refused = all.find(|(table, _)| server.plan(&table.lut, heads.iter().copied()).is_err());
                refused.map_or(&*paths[0], |(_, path)| path)
            }
            Self::Multivariate { path, sizes, .. } => return CliError::at(path, of_sizes(sizes, &error, None)),
            // The noisier operand.
            Self::Integers { .. } => match (heads, operands) {
                ([one, other], [_, path]) if other.noise_budget() < one.noise_budget() => path,
                _ => &operands[0],
            },
            Self::Program { program, .. } => {
                let space = match &error {
                    bootes::Error::Space(bootes::SpaceError::Approximate { space, .. }) => *space,
                    _ => return self.too_long(program, heads, &error),
                };
                let at = heads.iter().position(|head| head.space() == space);
                &operands[at.unwrap_or(0)]
            }
        };
        CliError::of(blamed, error)
    }

    /// The refusal of a program on what is too long for it.
    fn too_long(&self, program: &Program, heads: &[&Ciphertexts], error: &bootes::Error) -> CliError {
        let (params, longest) = (heads[0].params(), heads.iter().map(|head| head.space()).max_by_key(|all| all.bits()));
        let request = Request {
            function: Function::from(program),
            space: longest.unwrap_or(Space::of_bits(1)),
            target: FailureTarget::Two128,
        };
        let cure = "take the keys that bootes plan --expr finds";
        let refused =
            Refused { program, request: &request, load: &Load::here(1), named: Some((Sets::One(params.name()), cure)) };
        refused.refusal(error)
    }

    /// The files of the operands, in order.
    fn operands(&self, args: &EvalArgs) -> Result<Vec<PathBuf>, CliError> {
        let Self::Program { program, .. } = self else { return Ok(args.paths().cloned().collect()) };
        let paths = named::in_order(named::files(args.paths(), true), program)?;
        named::check_inputs(program, paths.len(), ("file", "give an --input for each"))?;
        Ok(paths)
    }

    /// The same for ciphertexts of these parameters that hold such values.
    fn on(self, params: &Params, spaces: &[Space]) -> Result<Self, CliError> {
        let on: fn(Table) -> Table = match spaces[0].integers() {
            _ if params.modulus().is_some() => Table::on_vectors,
            Some(_) => Table::on_integers,
            None => |table| table,
        };
        Ok(match self {
            Self::Tables { tables, paths, algorithm } => {
                Self::Tables { tables: tables.into_iter().map(on).collect(), paths, algorithm }
            }
            Self::Multivariate { table, path, said, .. } => {
                let sizes: Vec<u64> = spaces.iter().map(held).collect();
                let is_told = |(said, space): (&u64, &Space)| match space.integers() {
                    Some(_) => said.next_power_of_two() == held(space),
                    None => *said == held(space),
                };
                // What else is said is refused.
                let said_here = said.filter(|said| **said != sizes[..] && said.iter().zip(spaces).all(is_told));
                let table = match said_here {
                    Some(said) => {
                        let entries = sizes.iter().try_fold(1u64, |all, &size| all.checked_mul(size));
                        let are_integers = spaces[0].integers().is_some() && entries.is_some_and(u64::is_power_of_two);
                        let wide = with_room(said, &sizes, &table.lut, are_integers);
                        let wide = wide.map_err(|error| CliError::of(path, error.into()))?;
                        table.with(wide.lut().clone())
                    }
                    None => match spaces[0].modulus() {
                        Some(p) => on(*table).modulo(p),
                        None => on(*table),
                    },
                };
                Self::Multivariate { table: Box::new(table), path, sizes, said }
            }
            Self::Program { program, text, tables } => {
                let kinds: Vec<_> = spaces.iter().map(|space| space.kind()).collect();
                Self::Program { program: Box::new(named::on(*program, &kinds, &tables)?), text, tables }
            }
            other => other,
        })
    }

    /// The files of the results, in order.
    fn outputs(&self, args: &EvalArgs) -> Result<Vec<PathBuf>, CliError> {
        match self {
            Self::Program { program, .. } => named::outputs(named::files(&args.outputs, true), program),
            _ => Ok(args.outputs.clone()),
        }
    }

    /// Whether the ciphertexts of these files are what it takes.
    fn check(&self, args: &EvalArgs, paths: &[PathBuf], inputs: &[Encrypted]) -> Result<(), CliError> {
        let (first, space, params) = (paths[0].display(), inputs[0].space(), inputs[0].params());
        if let Some((path, _)) = paths.iter().zip(inputs).find(|(_, input)| input.head().is_compressed()) {
            return Err(CliError::of(path, bootes::Error::Compressed { operation: "an evaluation".into() }));
        }
        let other_keys = |need: Need| format!("other keys (bootes keygen {}) and ", need.option(params.engine()));
        match self {
            Self::Program { .. } => {
                if !self.function()?.engines().contains(&params.engine()) {
                    let kinds = match self.function()?.engines() {
                        [engine] if engine.has_modulus() => {
                            "with slots is for engine bfv: take keys of bootes keygen --engine bfv --modulus P"
                        }
                        _ => "of integers is for engines fhew and ckks: take keys of bootes keygen --width W",
                    };
                    return Err(CliError::at(&paths[0], format!("it holds {space}, but such an --expr {kinds}")));
                }
            }
            Self::Tables { .. }
                if space.integers().is_some()
                    && (space.limbs() > 1 || space.range().width() > params.bits())
                    && !params.engine().tables_give_integers() =>
            {
                let line = format!(
                    "it holds {space}, but tables of engine {} take messages: encrypt them with --bits, with keys of \
                     bootes keygen --engine {0} --bits, or take keys of bootes keygen --engine fhew --width {}, whose \
                     tables take integers",
                    params.engine(),
                    space.bits() - 1,
                );
                return Err(CliError::at(&paths[0], line));
            }
            Self::Tables { tables, paths, .. } => {
                if let Some((table, path)) = tables.iter().zip(*paths).find(|(table, _)| !table.takes(space)) {
                    let entries = table.entries();
                    let bits = entries.ilog2();
                    let (power, option) = match entries.is_power_of_two() {
                        true => (format!("2^{bits}"), format!("--bits {bits}")),
                        false => (entries.to_string(), format!("--modulus {entries}")),
                    };
                    // Its number of entries says what it is of, or an option here does.
                    let modulus = |entries: u64| match (entries.is_power_of_two(), args.form.modulus) {
                        (false, found) if found != Some(entries) => format!(" and --modulus {entries} here"),
                        (true, Some(found)) if found != entries => " without --modulus".into(),
                        _ => String::new(),
                    };
                    // Integers without a sign; no table has an entry for each of those in two ciphertexts.
                    let is_unsigned = space.integers().is_some() && space.range().min >= 0 && space.limbs() == 1;
                    let reach = u64::try_from(space.range().max).unwrap_or(u64::MAX);
                    let all = held(&space);
                    // A table with an entry for each is on digits, which sums beyond the width have not.
                    let has_room = space.integers().is_none_or(|all| all.range().width() <= all.width());
                    let (kind, other) = match (space.limbs(), space.range().min < 0) {
                        _ if is_unsigned && has_room => {
                            (format!(", up to {reach}"), format!("a table of {all} entries{}, or ", modulus(all)))
                        }
                        _ if is_unsigned => (format!(", up to {reach}"), String::new()),
                        (1, false) if all <= 1 << MAX_TABLE_BITS => {
                            (String::new(), format!("a table of {all} entries{}, or ", modulus(all)))
                        }
                        (1, true) => (
                            ", which may be negative where entry i is the image of i".into(),
                            format!(
                                "integers of --unsigned, those with a constant added (bootes linear --weights 1 \
                                 --constant {}), or ",
                                -space.range().min
                            ),
                        ),
                        _ => Default::default(),
                    };
                    let need = Need::of_table(params.engine(), &table.lut);
                    let inputs = params.modulus().map_or(Need::of_modulus(entries), |_| need);
                    let is_held = [need, inputs].iter().all(|need| need.check(&params).is_ok());
                    let are_integers = params.engine().tables_give_integers() && entries.is_power_of_two();
                    let longest = table.lut.in_bits().max(table.lut.out_bits());
                    let values = match params.integer_bits() {
                        // A sum of what was encrypted.
                        _ if is_unsigned && reach + 1 < all => {
                            format!(
                                "summands that leave room (encrypt --width {bits} --within R --unsigned, R bits each)"
                            )
                        }
                        // Integers stay integers.
                        Some(most) if are_integers && longest <= most && (space.integers().is_some() || !is_held) => {
                            format!("values encrypted with --width {bits} --unsigned")
                        }
                        _ if is_held => format!("values encrypted with {option}"),
                        _ => format!("{}values encrypted with {option}", other_keys(need)),
                    };
                    // A sum of results that were not given room wraps.
                    let results = match space.integers() {
                        None if params.modulus().is_none() => format!(
                            ", or, where they come of tables' results, those tables with {}",
                            option.replace("--", "--out-")
                        ),
                        _ => String::new(),
                    };
                    let line = format!(
                        "the table has {power} entries, but {first} holds {space}{kind}: expected \
                         {other}{values}{}{results}",
                        modulus(entries)
                    );
                    return Err(CliError::at(path, line));
                }
                // Of integers any number of entries that has one for each.
                let fits = |domain: Domain| {
                    let is_held = match space.modulus() {
                        Some(modulus) => modulus == domain.size(),
                        None => space.range().max < domain.size().into(),
                    };
                    is_held.then_some(()).ok_or_else(|| CliError::at(&args.inputs[0], format!("it holds {space}")))
                };
                tables.iter().try_for_each(|table| table.check_whole(&args.form, "", fits))?;
            }
            Self::Multivariate { table, path, sizes, said } => {
                for (i, &size) in said.unwrap_or_default().iter().enumerate() {
                    let space = inputs[i].space();
                    if space.integers().map_or(size, |_| size.next_power_of_two()) != held(&space) {
                        let room = match space.integers() {
                            Some(_) => format!("--within {} --unsigned", size.next_power_of_two().ilog2()),
                            None => format!("--modulus {size}"),
                        };
                        let line = format!(
                            "it holds {space}, and --sizes says that input {} has {size} values: give the inputs in \
                             the order of --sizes, or encrypt this one with {room}",
                            i + 1
                        );
                        return Err(CliError::at(&paths[i], line));
                    }
                }
                check_sizes(table.entries(), sizes).map_err(|line| {
                    let all = sizes.iter().try_fold(1, |all: u64, &size| all.checked_mul(size));
                    let cure = all.filter(|&all| table.entries() < all && all <= 1 << FHEW_BITS).map(|all| {
                        let bits = all.next_power_of_two().ilog2();
                        let other = match space.integers() {
                            Some(_) if params.bits().max(params.integer_bits().unwrap_or(0)) < bits => format!(
                                "residues, which have any number of values (encrypt --modulus, with keys of bootes \
                                 keygen --engine fhew --bits {bits})"
                            ),
                            Some(_) => "residues, which have any number of values (encrypt --modulus)".into(),
                            None => "values that have fewer each".into(),
                        };
                        let are_integers = inputs.iter().any(|input| input.space().integers().is_some());
                        let sizes = if are_integers { "say with --sizes how many values each has, " } else { "" };
                        format!("; {sizes}give it {all} entries, or encrypt {other}")
                    });
                    CliError::at(path, line + &cure.unwrap_or_default())
                })?;
            }
            Self::Integers { op } => {
                for (path, operand) in paths.iter().zip(inputs) {
                    let space = operand.space();
                    let Space::Integers(integers) = space else {
                        let bits = match op {
                            IntegerOp::Floor(dropped) => space.bits().max(*dropped),
                            _ => space.bits(),
                        };
                        let keys = match params.integer_bits() {
                            Some(_) => String::new(),
                            None => format!("take {}", other_keys(Need::Integers(bits))),
                        };
                        let engine = params.engine();
                        let cure = match engine.tables_give_integers() || params.modulus().is_some() {
                            // As sums do, which are refused for the same.
                            false => format!(
                                "encrypt them with --width; results of tables are residues with engine {engine}: \
                                 take {}, whose tables give integers",
                                fhew_keys(bits)
                            ),
                            true => format!(
                                "encrypt them, or what they come from, with --width {bits} --unsigned; tables with an \
                                 entry for each such integer, without --modulus, give integers"
                            ),
                        };
                        let line = format!("it holds {space}, but {op} takes large integers: {keys}{cure}");
                        return Err(CliError::at(path, line));
                    };
                    if let Some(expected) = args.width.filter(|&expected| integers.width() != expected) {
                        let line = format!("it holds {space}, but --width is {expected}: give their width, or none");
                        return Err(CliError::at(path, line));
                    }
                }
                if inputs.iter().all(|input| input.space().bits() == 1) {
                    let answers = LutError::Width { op: op.to_string(), width: 0, max: MAX_WIDTH };
                    return Err(CliError::of(&paths[0], answers.into()));
                }
                super::check_floor(*op, space.bits() - 1)?;
                if let Some(other) =
                    inputs.get(1).map(Encrypted::space).filter(|other| other.moduli() != space.moduli())
                {
                    let (found, of_first) = (with_modulus(other), with_modulus(space));
                    let cure = one_width(&op.to_string(), space, other, params.engine());
                    let line =
                        format!("it holds {found}, and {first} holds {of_first}: expected both of one width; {cure}");
                    return Err(CliError::at(&paths[1], line));
                }
            }
        }
        if let Some(at) = inputs.iter().position(|input| input.len() != inputs[0].len()) {
            let (found, of_first) = (report::values(inputs[at].len()), inputs[0].len());
            let line = format!("it holds {found}, and {first} holds {of_first}: give one for each");
            return Err(CliError::at(&paths[at], line));
        }
        Ok(())
    }
}

pub(crate) fn run(args: &EvalArgs) -> Result<Outcome, CliError> {
    let read = named::files(args.paths().chain(&args.tables), args.expr.is_some());
    let inputs = std::iter::once(&args.key).chain(read.iter().map(|file| &file.path));
    let results = args.expr.as_ref().map_or(args.tables.len(), |text| text.split(';').count());
    let of = if args.expr.is_some() { "expr" } else { "table" };
    let given = named::files(&args.outputs, args.expr.is_some()).into_iter().map(|file| file.path);
    let mut outputs = super::outputs(&given.collect::<Vec<_>>(), results, of, inputs, args.json)?;
    let key = Sealed::open(&args.key)?;
    super::check_engine(&key, args.engine)?;
    args.masks.check(key.engine())?;
    super::check_algorithm(args.algorithm.as_deref())?;
    key.expect(Noun::ServerKey)?;
    super::check_least(key.engine())?;
    let (threads, memory) = (args.threads.here(), args.memory.bytes());
    let quiet = args.json || outputs.iter().any(Output::is_stream);
    // The small files first, and each check as soon as it can be made: the key takes seconds to load.
    let work = Work::new(args)?;
    let output_paths = work.outputs(args)?;
    outputs.sort_by_key(|output| output_paths.iter().position(|path| path == output.path()));
    let paths = work.operands(args)?;
    let mut inputs = Vec::new();
    for path in &paths {
        let input = Sealed::open(path)?;
        input.expect(Noun::Ciphertexts)?;
        inputs.push(input);
    }
    let matching = inputs.iter().try_for_each(|input| files::check_match(&key, input));
    let ciphertext_bytes: u64 = inputs.iter().map(|input| input.bytes).sum();
    let inputs = inputs.into_iter().map(|input| super::ciphertexts(input, memory)).collect::<Result<Vec<_>, _>>()?;
    let work = work.on(&inputs[0].params(), &inputs.iter().map(Encrypted::space).collect::<Vec<_>>())?;
    work.check(args, &paths, &inputs)?;
    matching?;
    let (count, in_space, server_key_bytes) = (inputs[0].len(), inputs[0].space(), key.bytes);
    // There is memory for both forms of keys, or for one; a ciphertext at a time is there at least.
    let params = inputs[0].params();
    let load = super::load(count.min(params.capacity()), &args.threads, &args.memory, &args.masks);
    let request = Request { function: work.function()?, space: in_space, target: FailureTarget::Two128 };
    // What is refused first names what all takes.
    let in_full = |error| request.refusal_with(error, &params, &load);
    let masks = params.masks_for(&request.function, in_space, &load);
    let masks = masks.map_err(in_full).map_err(|error| match (args.tables.first(), args.op) {
        (Some(table), _) if args.expr.is_none() => CliError::of(table, error),
        (None, Some(_)) => CliError::of(&paths[0], error),
        _ => error.into(),
    })?;
    let (server, load_time) = report::timed(|| {
        super::check_memory(key.bytes, memory).map_err(in_full).map_err(|error| CliError::of(&args.key, error))?;
        let key = super::server_key(key, memory)?;
        super::server(key, threads, memory, masks).map_err(in_full).map_err(|error| CliError::of(&args.key, error))
    });
    let server = server?;
    let params = server.params();
    let heads: Vec<_> = inputs.iter().map(|input| input.head()).collect();
    let ciphertexts: usize = inputs.iter().map(Encrypted::ciphertexts).sum();
    let function = work.function()?;
    let plan = super::planned(|| server.plan(function, heads.iter().copied()));
    let plan = plan.map_err(|error| work.refused(&paths, &server, &heads, error))?;
    super::note_padding(&plan, count, params.capacity());
    let mut prediction = plan.prediction(count)?;
    if let [_] = outputs[..] {
        // A few ciphertexts a thread are in memory.
        let few = params.capacity().saturating_mul(4 * threads);
        prediction.memory = plan.prediction(count.min(few))?.memory;
    }
    let predicted_peak = plan.engine().predicts_all_memory().then(|| prediction.memory.peak() + report::PROGRAM_BYTES);
    if !quiet {
        report::line(&one_line(&params))?;
        report::line(&super::run::plan_in_words(&plan, &prediction, ciphertexts))?;
    }
    let (result_bytes, eval_time) = report::timed(|| {
        let bar = Progress::bar("evaluating", count);
        evaluate(&server.watched(bar.teller(count)), &plan, inputs, &outputs, &paths[0])
    });
    let (result_bytes, out_spaces) = (result_bytes?, plan.out_spaces());
    if args.json {
        let mut object = json!({
            "engine": params.engine().to_string(),
            "count": count,
            "ciphertexts": ciphertexts,
            "bits": in_space.bits(),
            "out_bits": out_spaces[0].bits(),
            "out_space": out_spaces[0].to_string(),
            "out_spaces": out_spaces.iter().map(Space::to_string).collect::<Vec<_>>(),
            "algorithm": plan.algorithms().join(", "),
            "plan": plan.to_string().trim_end(),
            "rotations": plan.rotations(),
            "params": params.name(),
            "log2_p_fail": plan.log2_p_fail(),
            "security_bits": standard(&params),
            "security_bits_strict": strict(&params),
            "masks_kept": server.masks() == bootes::MaskStorage::Expanded,
            "load_s": load_time.as_secs_f64(),
            "eval_s": eval_time.as_secs_f64(),
            "per_value_ms": eval_time.as_secs_f64() * 1e3 / count.max(1) as f64,
            "predicted_cpu_s": prediction.cpu_seconds,
            "predicted_s": prediction.seconds,
            "server_key_bytes": server_key_bytes,
            "ciphertext_bytes": ciphertext_bytes,
            "result_bytes": result_bytes,
            "peak_rss_bytes": report::peak_memory(),
            "predicted_peak_bytes": predicted_peak,
            "threads": threads,
            "side_by_side": prediction.together,
            "isa": bootes::isa().to_string(),
        });
        describe(&work, in_space, &mut object);
        report::json(&object)?;
    } else if !quiet {
        let mut spaces: Vec<String> = out_spaces.iter().map(Space::to_string).collect();
        spaces.dedup();
        report::line(&format!(
            "{}: {count} results ({}) in {}; key loaded in {}, evaluated in {} with {} ({} a value){}",
            super::names(&output_paths),
            report::list(spaces),
            report::size(result_bytes),
            report::duration(load_time),
            report::duration(eval_time),
            report::threads(threads),
            report::duration(eval_time.div_f64(count.max(1) as f64)),
            report::peak_in_words(predicted_peak),
        ))?;
    }
    Ok(Outcome::Right)
}

/// Evaluates what was planned; the bytes of all results. One vector is written as it comes; several are, once all are
/// there, all or none.
fn evaluate(
    server: &Server,
    plan: &Plan,
    inputs: Vec<Encrypted>,
    outputs: &[Output],
    input: &Path,
) -> Result<u64, CliError> {
    if let [output] = outputs {
        return super::write_results(output, input, |out| server.run_to(plan, inputs, vec![out]).map(drop));
    }
    let inputs = inputs.into_iter().map(Encrypted::read).collect::<Result<Vec<_>, _>>();
    let inputs = inputs.map_err(|error| read_error(input, error))?;
    let results = server.run(plan, &inputs).map_err(|error| CliError::of(input, error))?;
    super::write_all(outputs, &results)?;
    Ok(results.iter().map(|result| result.stored_bytes()).sum())
}

fn describe(work: &Work<'_>, space: Space, object: &mut Value) {
    match work {
        Work::Tables { tables, .. } => tables[0].describe(object),
        Work::Multivariate { table, sizes, .. } => {
            table.describe(object);
            object["sizes"] = json!(sizes);
        }
        Work::Integers { op } => {
            object["op"] = json!(op.to_string());
            object["width"] = json!(space.bits() - 1);
        }
        Work::Program { program, .. } => object["expression"] = json!(program.to_string()),
    }
}
