//! `bootes keygen`: a key pair in a directory.

use bootes::fhew::Client;
use bootes::{KeyNeeds, LargeLut, Lut};
use serde_json::json;

use super::pair::Pair;
use super::{KeyUse, Outcome};
use crate::args::{Engine, KeygenArgs, Need};
use crate::batch;
use crate::error::CliError;
use crate::files;
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
        return batch::client::keygen(args, &Pair::new(args)?);
    }
    let table = match choice.need() {
        Some(Need::Messages(bits)) => Some(Lut::unstructured(bits)),
        _ => None,
    };
    let evaluates = args.algorithm.as_deref().zip(table.as_ref());
    let params = choice.choose_with(choice.need().unwrap_or(Need::Messages(1)), evaluates)?;
    if let Some(Need::Digits(bits)) = choice.need() {
        let evaluated = LargeLut::unstructured(bits).map_err(Into::into).and_then(|lut| params.check_large(&lut));
        evaluated.map_err(|error| CliError::new(format!("tables of {bits} bits: {error}")))?;
    }
    write_keys(args, &params, &Pair::new(args)?)
}

fn write_keys(args: &KeygenArgs, params: &bootes::fhew::Params, pair: &Pair) -> Result<Outcome, CliError> {
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
        super::check_memory(params, &needs, &args.memory, KeyUse::Made)?;
        let server_key = client.server_key_with(&needs)?;
        Ok::<_, bootes::Error>((client, server_key))
    });
    let (client, server_key) = keys?;
    let client_bytes = client.export_secret_bytes();
    let server_bytes = server_key.to_bytes();
    pair.write(&client_bytes, |out| out.write_all(&server_bytes))?;
    let [client_path, server_path] = pair.paths();
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
    } else if !pair.is_stream() {
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
