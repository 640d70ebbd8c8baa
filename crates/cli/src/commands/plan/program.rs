//! `bootes plan --expr` and `--sizes`: the engine, set and room of a program or a table of several values, and the
//! commands that take them.
use std::path::Path;

use bootes::planner::{self, Offer, Request};
use bootes::{Function, Interval, Load, Lut, MultivariateLut, Params, Program, Space};
use serde_json::json;

use super::{memory_limit, standard};
use crate::args::{PlanArgs, TableForm, check_promise};
use crate::commands::{self, Outcome};
use crate::error::{CliError, Refused, Sets, of_sizes};
use crate::files::Text;
use crate::integers::Domain;
use crate::named::{self, Named};
use crate::report::{self, seconds};
use crate::table::{Table, check_sets, check_sizes, faster};

pub(super) fn run(args: &PlanArgs, text: &str) -> Result<Outcome, CliError> {
    let files = named::files(&args.tables, true);
    let form = TableForm { modulus: args.modulus, ..TableForm::default() };
    let tables = named::tables(&files, &form)?;
    let program = named::program(text, &tables)?;
    let space = commands::space(args.width, args.sign, args.bits, args.modulus)?;
    // As an evaluation takes them.
    let kinds = vec![space.kind(); program.inputs()];
    let program = named::on(program, &kinds, &tables)?;
    let text = text.trim();
    let function = Function::from(&program);
    let mut eval = format!("--expr '{text}'");
    for Named { name, path } in &files {
        eval += &format!(" --table {}={}", name.as_deref().unwrap_or_default(), word(path));
    }
    if let Some(modulus) = args.modulus.filter(|_| !files.is_empty()) {
        eval += &format!(" --modulus {modulus}");
    }
    let (inputs, outputs) = (program.names().to_vec(), outputs(&program));
    let asked = Asked { title: program.to_string(), eval, inputs, outputs, sizes: None, within: args.width };
    tell(args, Request { function, space, target: args.target() }, asked)
}

/// Names of files of the results: their own, and for those that have none the first of r1, r1_, … that neither a value
/// nor another result has.
fn outputs(program: &Program) -> Vec<String> {
    let is_taken =
        |name: &String| program.names().contains(name) || program.output_names().contains(&Some(name.clone()));
    let free = |i: usize| {
        let mut name = format!("r{}", i + 1);
        while is_taken(&name) {
            name.push('_');
        }
        name
    };
    program.output_names().iter().enumerate().map(|(i, name)| name.clone().unwrap_or_else(|| free(i))).collect()
}

/// The same of a table of several values: the one that is given, or one without structure.
pub(super) fn several(args: &PlanArgs, sizes: &[u64]) -> Result<Outcome, CliError> {
    let entries = sizes.iter().product::<u64>();
    let given = match &args.tables[..] {
        [] => None,
        [path] => {
            let table = Table::of_several(Text::open(path)?, &TableForm::default(), sizes.len())?;
            check_sizes(table.entries(), sizes).map_err(|line| CliError::at(path, line))?;
            Some((path, if entries.is_power_of_two() { table.on_integers() } else { table }))
        }
        _ => return Err(CliError::new("--sizes is of one --table: plan others one by one")),
    };
    // As `run` encrypts them.
    let (lut, space) = match entries.is_power_of_two() {
        true => (Lut::unstructured(entries.ilog2()), Space::unsigned(entries.ilog2())),
        false => (Lut::unstructured_modulo(entries), Space::Modular(entries)),
    };
    let (file, lut) = given.map_or(("T".into(), lut), |(path, table)| (word(path), table.lut));
    let table = MultivariateLut::new(sizes, lut)?;
    let which = if args.tables.is_empty() { "a table".into() } else { format!("table {file}") };
    let asked = Asked {
        title: format!("{which} of {} values, {} of each", sizes.len(), report::list(sizes)),
        eval: format!("--table {file} --sizes {}", sizes.iter().map(u64::to_string).collect::<Vec<_>>().join(",")),
        inputs: (1..=sizes.len()).map(|i| format!("x{i}")).collect(),
        outputs: vec!["r".into()],
        sizes: Some(sizes.to_vec()),
        within: None,
    };
    let request = Request { function: table.clone().into(), space, target: args.target() };
    let set = args.params.as_ref().map(|name| Params::named(name)).transpose()?;
    let named = (set.as_ref(), args.engine);
    let request = commands::planned(|| Ok(faster(request, named, &load(args), sizes, table.lut())))?;
    tell(args, request, asked)
}

/// The same of a table of one value, whose entries tell how many it may be.
pub(super) fn single(args: &PlanArgs) -> Result<Outcome, CliError> {
    let [path] = &args.tables[..] else {
        return Err(CliError::new(
            "--table is one file, or NAME=FILE for each that --expr has: plan others one by one",
        ));
    };
    if let [Named { name: Some(name), .. }] = &named::files(&args.tables, true)[..]
        && !path.exists()
    {
        return Err(CliError::at(path, format!("there is no such file; table {name} of an expression is with --expr")));
    }
    let form = TableForm { modulus: args.modulus, ..TableForm::default() };
    let table = Table::read(Text::open(path)?, &form)?;
    let bits = args.width.or(args.bits);
    let set = args.params.as_deref().map(Params::named).transpose()?;
    let is_planned = |domain: Domain| match (bits, domain) {
        (Some(bits), Domain::Below(size)) if size != 1 << bits => Err(CliError::new("it is of other values")),
        (_, Domain::Modulo(_)) if args.width.is_some() => Err(CliError::new("it is of integers")),
        (_, domain) => check_sets(domain.size(), set.as_ref(), args.engine, args.target()),
    };
    let instead = args.bits.map_or(String::new(), |bits| format!(" in place of --bits {bits}"));
    table.check_whole(&form, &instead, is_planned)?;
    let entries = table.entries();
    if let Some(bits) = bits.filter(|&bits| 1u64.checked_shl(bits) != Some(entries)) {
        let option = if args.width.is_some() { "--width" } else { "--bits" };
        return Err(CliError::at(
            path,
            format!("the table has {entries} entries, and values of {option} {bits} take 2^{bits}: leave {option} out"),
        ));
    }
    let title = format!("table {}: {},", word(path), table.in_words());
    let request = match args.width {
        Some(width) => {
            let table = table.on_integers();
            Request { space: Space::unsigned(width), ..Request::table(table.lut) }
        }
        None => Request::table(table.lut),
    };
    let modulus = args.modulus.map_or(String::new(), |modulus| format!(" --modulus {modulus}"));
    let asked = Asked {
        title,
        eval: format!("--table {}{modulus}", word(path)),
        inputs: vec!["x".into()],
        outputs: vec!["r".into()],
        sizes: None,
        within: Some((entries - 1).ilog2() + 1),
    };
    tell(args, Request { target: args.target(), ..request }, asked)
}

fn load(args: &PlanArgs) -> Load {
    let count = args.count.unwrap_or(1);
    Load { threads: args.threads.count(), memory: memory_limit(args), ..Load::of(count as usize) }
}

/// A path as a word of a shell's line.
fn word(path: &Path) -> String {
    let path = path.display().to_string();
    match path.chars().all(|c| c.is_alphanumeric() || "._-+/:@%,=".contains(c)) {
        true => path,
        false => format!("'{}'", path.replace('\'', "'\\''")),
    }
}

/// What is asked for, in words and options.
struct Asked {
    title: String,
    /// Options of `eval`.
    eval: String,
    /// Names of files.
    inputs: Vec<String>,
    outputs: Vec<String>,
    /// How many values each operand of a table has.
    sizes: Option<Vec<u64>>,
    /// Bits that integers of an expression have.
    within: Option<u32>,
}

impl Asked {
    /// The same of another expression, of integers of so many bits.
    fn of(self, program: &Program, bits: u32) -> Self {
        let text = program.text().unwrap_or_default();
        Self { title: program.to_string(), eval: format!("--expr '{text}'"), within: Some(bits), ..self }
    }
}

/// The offer for a request, and the commands that take it.
fn tell(args: &PlanArgs, mut request: Request, mut asked: Asked) -> Result<Outcome, CliError> {
    let (count, load) = (args.count.unwrap_or(1), load(args));
    let set = args.params.as_deref().map(Params::named).transpose()?;
    let (offer, named) = match (&set, args.engine) {
        (Some(set), engine) => {
            check_promise(set, args.pfail)?;
            if let Some(engine) = engine.filter(|engine| *engine != set.engine()) {
                return Err(commands::other_engine(set, engine));
            }
            let offer = commands::planned(|| request.offer_of(set.clone(), &load));
            (offer, Some((Sets::One(set.name()), "leave --params out")))
        }
        (None, Some(engine)) => {
            (commands::planned(|| request.offer(engine, &load)), Some((Sets::Of(engine), "leave --engine out")))
        }
        (None, None) => (commands::planned(|| planner::choose(&request, &load)).map(|choice| choice.offer), None),
    };
    // Files of tables have entries for whole bits of integers.
    let is_whole =
        |function: &Function| !matches!(function, Function::Table(lut) if !lut.in_modulus().is_power_of_two());
    let is_free = request.has_integers(args.engine) && is_whole(&request.function);
    let own = offer.as_ref().ok();
    let on_integers = || Ok(if is_free { request.faster_on_integers(own, set.as_ref(), &load) } else { None });
    let offer = match commands::planned(on_integers)? {
        Some((other, found)) => {
            if let Function::Program(program) = &other.function {
                asked = asked.of(program, other.space.range().width());
            }
            request = other;
            Ok(found)
        }
        None if is_free => offer.map_err(|error| request.refusal_on_integers(error, set.as_ref(), &load)),
        None => offer,
    };
    let (request, asked) = (&request, &asked);
    let offer = offer.map_err(|error| match &request.function {
        Function::Program(program) => Refused { program, request, load: &load, named }.refusal(&error),
        _ => {
            let cure = named.map(|(_, cure)| cure).filter(|_| planner::choose(request, &load).is_ok());
            let one = [request.space.range().max as u64 + 1];
            of_sizes(asked.sizes.as_deref().unwrap_or(&one), &error, cure)
        }
    })?;
    let Offer { params, space, prediction } = &offer;
    let engine = params.engine();
    if args.json {
        let mut object = json!({
            "inputs": asked.inputs,
            "space": space.to_string(),
            "engine": engine.to_string(),
            "params": params.name(),
            "width": space.integers().map(|integers| integers.width()),
            "count": args.count,
            "rotations": prediction.rotations,
            "capacity": prediction.capacity,
            "seconds": prediction.seconds,
            "cpu_seconds": prediction.cpu_seconds,
            "job_seconds": prediction.job_seconds,
            "server_key_bytes": prediction.key_bytes,
            "memory_bytes": prediction.memory.peak(),
            "log2_failure": prediction.log2_p_fail,
            "security_bits": standard(params),
            "commands": steps(asked, &offer),
        });
        match &asked.sizes {
            Some(sizes) => object["sizes"] = json!(sizes),
            None => object["within"] = json!(asked.within),
        }
        match &request.function {
            Function::Program(program) => object["expression"] = json!(program.text()),
            Function::Table(lut) => object["entries"] = json!(lut.in_modulus()),
            _ => {}
        }
        report::json(&object)?;
        return Ok(Outcome::Right);
    }
    report::line(&match asked.sizes {
        Some(_) => asked.title.clone(),
        None => format!("{} of {space}", asked.title),
    })?;
    let rotations = match prediction.rotations {
        Some(rotations) => format!(", {rotations} rotations a value"),
        None => String::new(),
    };
    report::line(&format!(
        "choice: engine {engine}, {}{rotations}; {} for {count} on {}, {} with keys; wrong with {} a value; server \
         key {}, {} of memory",
        params.name(),
        seconds(prediction.seconds),
        report::threads(load.threads),
        seconds(prediction.job_seconds),
        report::probability(prediction.log2_p_fail),
        report::size(prediction.key_bytes),
        report::needed(prediction.memory.peak()),
    ))?;
    let steps = steps(asked, &offer);
    let (keygen, rest) = steps.split_at(1);
    let (encryptions, rest) = rest.split_at(asked.inputs.len());
    // Of many encryptions the first ones tell how.
    let (shown, others) = encryptions.split_at(SHOWN.min(encryptions.len()));
    let others = (!others.is_empty()).then(|| format!("… and so for {} more", others.len()));
    for step in keygen.iter().chain(shown).chain(&others).chain(rest) {
        report::line(&format!("  {step}"))?;
    }
    Ok(Outcome::Right)
}

/// So many encryptions are shown at most.
const SHOWN: usize = 8;

/// The commands that take the choice.
fn steps(asked: &Asked, Offer { params, space, .. }: &Offer) -> Vec<String> {
    let form = |i: usize| match (*space, &asked.sizes) {
        (Space::Modular(_), Some(sizes)) => format!(" --modulus {}", sizes[i]),
        (Space::Modular(p), None) if !params.engine().has_modulus() => format!(" --modulus {p}"),
        (Space::Modular(_), None) => String::new(),
        (space, Some(sizes)) => {
            format!(" --width {} --within {} --unsigned", space.bits() - 1, sizes[i].next_power_of_two().ilog2())
        }
        (space, None) => {
            let (width, within) = (space.bits() - 1, asked.within.unwrap_or(1));
            let sign = if space.range().min < 0 { "" } else { " --unsigned" };
            // With the room that was chosen.
            let within = if space.range() == own(width, sign) { String::new() } else { format!(" --within {within}") };
            format!(" --width {width}{within}{sign}")
        }
    };
    let encrypt = |(i, name): (usize, &String)| {
        format!("bootes encrypt --key K/client.key{} --input {name}.txt --output {name}.ct", form(i))
    };
    let files =
        |option: &str, names: &[String]| names.iter().map(|name| format!(" --{option} {name}.ct")).collect::<String>();
    let (inputs, outputs) = (files("input", &asked.inputs), files("output", &asked.outputs));
    std::iter::once(format!("bootes keygen --params {} --out K", params.name()))
        .chain(asked.inputs.iter().enumerate().map(encrypt))
        .chain([format!("bootes eval --key K/server.key {}{inputs}{outputs}", asked.eval)])
        .chain(asked.outputs.iter().map(|name| format!("bootes decrypt --key K/client.key --input {name}.ct")))
        .collect()
}

fn own(width: u32, sign: &str) -> Interval {
    if sign.is_empty() { Interval::signed(width) } else { Interval::unsigned(width) }
}
