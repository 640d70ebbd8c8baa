//! `bootes plan --expr`: the engine, set and room of a program, and the commands that take them.
use bootes::planner::{self, Offer, Request};
use bootes::{Engine, Function, Interval, Load, Params, Program, Space};
use serde_json::json;

use super::{memory_limit, standard};
use crate::args::{PlanArgs, check_promise};
use crate::commands::{self, Outcome};
use crate::error::CliError;
use crate::report::{self, seconds};

pub(super) fn run(args: &PlanArgs, text: &str) -> Result<Outcome, CliError> {
    let program = Program::parse(text, &[]).map_err(|error| CliError::new(format!("--expr: {error}")))?;
    let (space, _) = commands::space(args.width, args.sign, args.bits, args.modulus)?;
    let count = args.count.unwrap_or(1);
    let load = Load { threads: args.threads.count(), memory: memory_limit(args), ..Load::of(count as usize) };
    let request = Request { function: Function::from(&program), space, target: args.target() };
    let offer = match (&args.params, args.engine) {
        (Some(name), engine) => {
            let set = Params::named(name)?;
            check_promise(&set, args.pfail)?;
            if let Some(engine) = engine.filter(|engine| *engine != set.engine()) {
                return Err(CliError::new(format!(
                    "{name} is a parameter set of engine {}, not {engine}: leave --engine out, or name another set",
                    set.engine()
                )));
            }
            request.offer_of(set, &load)?
        }
        (None, Some(engine)) => request.offer(engine, &load)?,
        (None, None) => planner::choose(&request, &load)?.offer,
    };
    let Offer { params, space, prediction } = &offer;
    let engine = params.engine();
    if args.json {
        report::json(&json!({
            "expression": text.trim(),
            "inputs": program.names(),
            "space": space.to_string(),
            "engine": engine.to_string(),
            "params": params.name(),
            "width": space.integers().map(|integers| integers.width()),
            "within": args.width,
            "count": args.count,
            "rotations": prediction.rotations,
            "capacity": prediction.capacity,
            "seconds": prediction.seconds,
            "cpu_seconds": prediction.cpu_seconds,
            "server_key_bytes": prediction.key_bytes,
            "memory_bytes": prediction.memory.peak(),
            "log2_failure": prediction.log2_p_fail,
            "security_bits": standard(params),
            "commands": steps(args, text.trim(), &program, &offer),
        }))?;
        return Ok(Outcome::Right);
    }
    report::line(&format!("{program} of {space}"))?;
    let rotations = match prediction.rotations {
        Some(rotations) => format!(", {rotations} rotations a value"),
        None => String::new(),
    };
    report::line(&format!(
        "choice: engine {engine}, {}{rotations}; {} for {count} on {}; wrong with {} a value; server key {}, {} of \
         memory",
        params.name(),
        seconds(prediction.seconds),
        report::threads(load.threads),
        report::probability(prediction.log2_p_fail),
        report::size(prediction.key_bytes),
        report::needed(prediction.memory.peak()),
    ))?;
    for step in steps(args, text.trim(), &program, &offer) {
        report::line(&format!("  {step}"))?;
    }
    Ok(Outcome::Right)
}

/// The commands that take the choice.
fn steps(args: &PlanArgs, text: &str, program: &Program, Offer { params, space, .. }: &Offer) -> Vec<String> {
    let form = match *space {
        Space::Modular(p) if params.engine() == Engine::Fhew => format!(" --modulus {p}"),
        Space::Modular(_) => String::new(),
        space => {
            let (width, within) = (space.bits() - 1, args.width.unwrap_or(1));
            let sign = if space.range().min < 0 { "" } else { " --unsigned" };
            // With the room that was chosen.
            let within = if space.range() == own(width, sign) { String::new() } else { format!(" --within {within}") };
            format!(" --width {width}{within}{sign}")
        }
    };
    let inputs: Vec<String> = program.names().iter().map(|name| format!("--input {name}.ct")).collect();
    let encrypt =
        |name: &String| format!("bootes encrypt --key K/client.key{form} --input {name}.txt --output {name}.ct");
    let outputs: Vec<String> = (1..=program.outputs().len()).map(|i| format!("--output r{i}.ct")).collect();
    std::iter::once(format!("bootes keygen --params {} --out K", params.name()))
        .chain(program.names().iter().map(encrypt))
        .chain([format!("bootes eval --key K/server.key --expr '{text}' {} {}", inputs.join(" "), outputs.join(" "))])
        .collect()
}

fn own(width: u32, sign: &str) -> Interval {
    if sign.is_empty() { Interval::signed(width) } else { Interval::unsigned(width) }
}
