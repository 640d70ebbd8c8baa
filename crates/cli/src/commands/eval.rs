//! `bootes eval`: a table, or a function of large integers, on ciphertexts, with the server key alone.

use std::path::{Path, PathBuf};

use bootes::fhew::{Ciphertexts, Params, Server, ServerKey};
use bootes::wire::ObjectKind;
use bootes::{IntegerOp, KeyNeeds};
use serde_json::json;

use super::{Encrypted, KeyUse, Outcome};
use crate::args::{Engine, EvalArgs};
use crate::batch;
use crate::error::CliError;
use crate::files::{self, Access, Output, Sealed, Text};
use crate::progress::Progress;
use crate::report;
use crate::table::Table;

/// What is to be evaluated.
enum Function<'a> {
    Table { table: Table, path: &'a Path },
    Integers { op: IntegerOp },
}

impl<'a> Function<'a> {
    fn new(args: &'a EvalArgs) -> Result<Self, CliError> {
        match (&args.table, args.op) {
            (Some(path), None) => {
                if args.input2.is_some() {
                    return Err(CliError::new(
                        "--input2 goes with --op, a function of large integers, not with --table",
                    ));
                }
                let table = Table::read(Text::open(path)?, &args.form)?;
                table.check_algorithm(path, args.algorithm.as_deref())?;
                Ok(Self::Table { table, path })
            }
            (_, Some(op)) => {
                super::check_operands(op, args.input2.as_deref())?;
                args.width.map_or(Ok(()), |width| super::check_floor(op, width))?;
                Ok(Self::Integers { op })
            }
            (None, None) => unreachable!("clap asks for one of them"),
        }
    }

    /// The same for these ciphertexts, whose integers may be too long for one bootstrap.
    fn for_inputs(self, inputs: &[Encrypted], params: &Params) -> Result<Self, CliError> {
        match self {
            Self::Table { table, path } => {
                let table = table.for_inputs(inputs[0].head().space(), params);
                Ok(Self::Table { table: table.map_err(|error| CliError::at(path, error))?, path })
            }
            integers @ Self::Integers { .. } => Ok(integers),
        }
    }

    /// Whether the ciphertexts of these files are what it takes.
    fn check(&self, args: &EvalArgs, paths: &[&PathBuf], inputs: &[Encrypted]) -> Result<(), CliError> {
        let operands: Vec<&Ciphertexts> = inputs.iter().map(Encrypted::head).collect();
        let (first, space) = (paths[0].display(), operands[0].space());
        match self {
            Self::Table { table, path } => {
                if !table.takes(space) {
                    let entries = table.entries();
                    let (power, option) = match entries.is_power_of_two() {
                        true => (format!("2^{}", entries.ilog2()), format!("--bits {}", entries.ilog2())),
                        false => (entries.to_string(), format!("--modulus {entries}")),
                    };
                    return Err(CliError::at(
                        path,
                        format!(
                            "the table has {power} entries, but {first} holds {space}: expected a table with an entry for each, or \
                             values encrypted with {option}",
                        ),
                    ));
                }
            }
            Self::Integers { op } => {
                for (path, operand) in paths.iter().zip(&operands) {
                    if !operand.are_integers() {
                        return Err(CliError::at(
                            path,
                            format!(
                                "it holds {}, but {op} takes large integers: encrypt them with --width",
                                operand.space()
                            ),
                        ));
                    }
                    if let Some(expected) = args.width
                        && operand.space().integers().is_some_and(|integers| integers.width() != expected)
                    {
                        return Err(CliError::at(
                            path,
                            format!(
                                "it holds {}, but --width is {expected}: give their width, or none",
                                operand.space()
                            ),
                        ));
                    }
                }
                super::check_floor(*op, space.bits() - 1)?;
                if let ([left, right], [one, other]) = (&operands[..], inputs)
                    && (one.len() != other.len() || left.space().moduli() != right.space().moduli())
                {
                    return Err(CliError::at(
                        paths[1],
                        format!(
                            "it holds {} {}, and {first} holds {} {space}: give one for each, of one width",
                            other.len(),
                            right.space(),
                            one.len(),
                        ),
                    ));
                }
            }
        }
        Ok(())
    }
}

pub(crate) fn run(args: &EvalArgs) -> Result<Outcome, CliError> {
    let inputs = [&args.key, &args.input].into_iter().chain(&args.table).chain(&args.input2);
    let output = Output::apart_from(&args.output, Access::Public, inputs.map(PathBuf::as_path))?;
    super::check_json(&output, args.json)?;
    let key = Sealed::open(&args.key)?;
    if batch::engine_of(&key, args.engine)? == Engine::Ckks {
        return batch::in_pool(Some(&args.threads), || batch::server::eval(args, key, &output));
    }
    super::check_algorithm(args.algorithm.as_deref())?;
    key.expect(ObjectKind::ServerKey)?;
    let threads = args.threads.here();
    let quiet = args.json || output.is_stream();
    // The small files first, and each check as soon as it can be made: the key takes seconds to load.
    let function = Function::new(args)?;
    let paths: Vec<&PathBuf> = std::iter::once(&args.input).chain(&args.input2).collect();
    let inputs = paths.iter().map(|path| Sealed::open_as(path, ObjectKind::Ciphertexts));
    let inputs = inputs.collect::<Result<Vec<_>, _>>()?;
    let matching = inputs.iter().try_for_each(|input| files::check_match(&key, input));
    let ciphertext_bytes: u64 = inputs.iter().map(|input| input.bytes).sum();
    let inputs = inputs.into_iter().map(super::ciphertexts).collect::<Result<Vec<_>, _>>()?;
    let function = function.for_inputs(&inputs, &key.params()?)?;
    function.check(args, &paths, &inputs)?;
    matching?;
    super::check_memory(&key.params()?, &KeyNeeds::default(), &args.memory, KeyUse::ReadAndExpanded)
        .map_err(|error| CliError::at(&args.key, error))?;
    let key_object = key.read(args.memory.bytes())?;
    let server_key_bytes = key_object.bytes.len();
    let (server, load_time) = report::timed(|| {
        let _spinner = Progress::spinner("loading the server key");
        let key = ServerKey::from_bytes(&key_object.bytes)?;
        drop(key_object);
        let params = key.params();
        Ok::<_, bootes::Error>((Server::within(key, args.memory.bytes())?, params))
    });
    let (server, params) = server.map_err(|error| CliError::at(&args.key, error))?;
    let operands: Vec<Ciphertexts> = inputs.iter().map(|input| input.head().clone()).collect();
    let operands: Vec<&Ciphertexts> = operands.iter().collect();
    let (count, bits) = (inputs[0].len(), operands[0].bits());
    let (plan, blamed) = match &function {
        Function::Table { table, path } => (table.plan(&server, operands[0], args.algorithm.as_deref()), *path),
        Function::Integers { op } => (server.plan_integers(*op, &operands), args.input.as_path()),
    };
    let plan = plan.map_err(|error| super::plan_error(blamed, error))?;
    if !quiet {
        report::line(&super::params::one_line(&params))?;
        report::line(plan.to_string().trim_end())?;
    }
    let (result_bytes, eval_time) = report::timed(|| {
        let bar = Progress::bar("evaluating", count);
        super::write_results(&output, &args.input, |out| {
            server.evaluate_to(&plan, inputs, vec![out], threads, &|done| bar.set(done)).map(drop)
        })
    });
    let result_bytes = result_bytes?;
    let out_space = plan.out_spaces()[0];

    let per_value_ms = eval_time.as_secs_f64() * 1e3 / count.max(1) as f64;
    if args.json {
        let security = super::params::Security::of(&params);
        let mut object = json!({
            "count": count,
            "bits": bits,
            "out_bits": out_space.bits(),
            "out_space": out_space.to_string(),
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
            "result_bytes": result_bytes,
            "peak_rss_bytes": report::peak_memory(),
            "threads": threads,
            "isa": bootes::isa().to_string(),
        });
        match &function {
            Function::Table { table, .. } => table.describe(&mut object),
            Function::Integers { op } => {
                object["op"] = json!(op.to_string());
                object["width"] = json!(bits - 1);
            }
        }
        report::json(&object)?;
    } else if !quiet {
        report::line(&format!(
            "{}: {count} results ({}) in {}; key loaded in {}, evaluated in {} with {} ({} a value){}",
            args.output.display(),
            out_space,
            report::size(result_bytes),
            report::duration(load_time),
            report::duration(eval_time),
            super::run::threads_in_words(threads),
            report::duration(eval_time.div_f64(count.max(1) as f64)),
            report::peak_memory().map_or(String::new(), |peak| format!(", peak memory {}", report::size(peak))),
        ))?;
    }
    Ok(Outcome::Right)
}
