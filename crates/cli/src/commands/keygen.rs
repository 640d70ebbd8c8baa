//! `bootes keygen`: a key pair in a directory.

use std::fs;
use std::path::{Path, PathBuf};

use bootes::{Client, KeyNeeds, LargeLut};
use serde_json::json;

use super::Outcome;
use crate::args::{Engine, KeygenArgs, Need};
use crate::batch;
use crate::error::CliError;
use crate::files::{self, Access};
use crate::progress::Progress;
use crate::report;

pub(crate) fn run(args: &KeygenArgs) -> Result<Outcome, CliError> {
    let choice = &args.choice;
    let named = choice.params.as_deref().map(Engine::of_set);
    let engine = args.engine.or(named).unwrap_or(Engine::Fhew);
    if choice.need().is_none() && choice.params.is_none() {
        return Err(CliError::new(
            "which parameters? give --bits B (1 to 16), --width W (1 to 32) or --params NAME (see bootes params)",
        ));
    }
    super::check_algorithm(args.algorithm.as_deref())?;
    if engine == Engine::Ckks {
        return in_directory(args, |client, server| batch::client::keygen(args, client, server));
    }
    let params = choice.choose(choice.need().unwrap_or(Need::Messages(1)))?;
    if let Some(Need::Digits(bits)) = choice.need() {
        let evaluated = LargeLut::unstructured(bits).map_err(Into::into).and_then(|lut| params.check_large(&lut));
        evaluated.map_err(|error| CliError::new(format!("tables of {bits} bits: {error}")))?;
    }
    in_directory(args, |client, server| write_keys(args, &params, client, server))
}

/// Calls `write` with the names of both keys, in a directory that exists, and where nothing is in the way.
fn in_directory(
    args: &KeygenArgs,
    write: impl FnOnce(&Path, &Path) -> Result<Outcome, CliError>,
) -> Result<Outcome, CliError> {
    // Without a directory both names are given.
    let directory = args.out.clone().unwrap_or_default();
    let name = |given: &Option<PathBuf>, name: &str| given.clone().unwrap_or_else(|| directory.join(name));
    let (client, server) = (name(&args.client, "client.key"), name(&args.server, "server.key"));
    if client == server {
        return Err(CliError::at(&client, "it would be both keys: give --client and --server two names"));
    }
    let made = match &args.out {
        Some(directory) => make_directory(directory)?,
        None => false,
    };
    let result = check_paths(args, [&client, &server]).and_then(|()| write(&client, &server));
    if result.is_err() && made {
        // Leave nothing behind; a directory that is not empty any more is somebody else's.
        let _ = fs::remove_dir(&directory);
    }
    result
}

/// Refuses to replace keys without being told to.
fn check_paths(args: &KeygenArgs, paths: [&Path; 2]) -> Result<(), CliError> {
    for path in paths {
        if !args.force && path.symlink_metadata().is_ok() {
            return Err(CliError::at(
                path,
                "it exists, and what was encrypted under it would be lost; choose another --out, or --force to replace it",
            ));
        }
        files::check_writable(path)?;
    }
    Ok(())
}

/// Whether the directory is new.
fn make_directory(path: &Path) -> Result<bool, CliError> {
    if path.is_dir() {
        return Ok(false);
    }
    fs::create_dir_all(path).map_err(|error| match fs::metadata(path) {
        Ok(_) => CliError::at(path, "it is a file, but --out expects a directory; choose another"),
        Err(_) => CliError::io("write", path, &error),
    })?;
    Ok(true)
}

fn write_keys(
    args: &KeygenArgs,
    params: &bootes::Params,
    client_path: &Path,
    server_path: &Path,
) -> Result<Outcome, CliError> {
    let (keys, time) = report::timed(|| {
        let _spinner = Progress::spinner("generating keys");
        let client = Client::generate(params)?;
        let mut needs = KeyNeeds::default();
        if let Some(algorithm) = &args.algorithm {
            // For tables of every size.
            for bits in 1..=params.bits() {
                needs = needs.and(params.extra_keys(algorithm, bits)?);
            }
        }
        super::check_memory(params, &needs, &args.memory)?;
        let server_key = client.server_key_with(&needs)?;
        Ok::<_, bootes::Error>((client, server_key))
    });
    let (client, server_key) = keys?;
    let client_bytes = client.export_secret_bytes();
    let server_bytes = server_key.to_bytes();
    // Both are safe on disk before either has its name.
    let client_file = files::stage(client_path, &client_bytes, Access::Owner)?;
    let server_file = files::stage(server_path, &server_bytes, Access::Public)?;
    client_file.commit()?;
    server_file.commit().inspect_err(|_| {
        // A client key without its server key is of no use, and nothing was encrypted under it yet.
        let _ = fs::remove_file(client_path);
    })?;

    let security = super::params::Security::of(params);
    let additional = server_key.additional();
    if args.json {
        report::json(&json!({
            "params": params.name(),
            "bits": params.bits(),
            "integer_bits": params.integer_bits(),
            "additional_keys": additional.to_string(),
            "log2_p_fail": params.log2_p_fail(),
            "security_bits": security.standard,
            "security_bits_strict": security.strict,
            "key_id": files::hex(&client.key_id()),
            "client_key": client_path.display().to_string(),
            "server_key": server_path.display().to_string(),
            "client_key_bytes": client_bytes.len(),
            "server_key_bytes": server_bytes.len(),
            "keygen_s": time.as_secs_f64(),
            "peak_rss_bytes": report::peak_memory(),
            "isa": bootes::isa().to_string(),
        }))?;
    } else {
        report::line(&super::params::one_line(params))?;
        let rows = [
            vec![
                client_path.display().to_string(),
                report::size(client_bytes.len() as u64),
                "secret: keep it".to_string(),
            ],
            vec![
                server_path.display().to_string(),
                report::size(server_bytes.len() as u64),
                match additional.is_empty() {
                    true => "for the server".to_string(),
                    false => format!("for the server, with {additional}"),
                },
            ],
        ];
        report::out(report::columns("lrl", &rows).as_bytes())?;
        report::line(&format!("key {}, made in {}", files::short_hex(&client.key_id()), report::duration(time)))?;
    }
    Ok(Outcome::Right)
}
