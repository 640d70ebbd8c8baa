//! `bootes decrypt`: ciphertexts to integers or bytes.

use bootes::wire::ObjectKind;
use serde_json::json;

use super::Outcome;
use crate::args::{DecryptArgs, Engine};
use crate::batch;
use crate::error::CliError;
use crate::files::{self, Sealed};
use crate::integers::{self, Format};
use crate::report;

pub(crate) fn run(args: &DecryptArgs) -> Result<Outcome, CliError> {
    let output = super::output(args.output.as_deref(), args.json, [&args.key, &args.input])?;
    let key = Sealed::open(&args.key)?;
    if batch::engine_of(&key, args.engine)? == Engine::Ckks {
        return batch::in_pool(None, || batch::client::decrypt(args, key, output.as_ref()));
    }
    key.expect(ObjectKind::ClientKey)?;
    let input = Sealed::open_as(&args.input, ObjectKind::Ciphertexts)?;
    files::check_match(&key, &input)?;
    let (key, client) = super::load_client(key)?;
    let ciphertexts = super::ciphertexts(input)?;
    let space = ciphertexts.head().space();
    let (values, time) = report::timed(|| client.decrypt_from(ciphertexts));
    let values = values.map_err(|error| batch::read_error(&args.input, error))?;
    let format = if args.bytes { Format::Bytes } else { Format::Integers };
    if let Some(output) = &output {
        output.write(&integers::output(&values, format)?)?;
    }
    if args.json {
        let mut object = json!({
            "count": values.len(),
            "bits": space.bits(),
            "space": space.to_string(),
            "integers": space.integers().is_some(),
            "range": [space.range().min, space.range().max],
            "params": client.params().name(),
            "key_id": files::hex(&key.header.key_id),
            "decrypt_s": time.as_secs_f64(),
        });
        if args.output.is_none() {
            object["values"] = json!(values);
        }
        report::json(&object)?;
    } else if let Some(output) = &output {
        if output.is_stream() {
            return Ok(Outcome::Right);
        }
        report::line(&format!(
            "{}: {} {} as {}, {}",
            output.path().display(),
            values.len(),
            space,
            format.name(),
            report::duration(time),
        ))?;
    } else {
        report::out(&integers::output(&values, format)?)?;
    }
    Ok(Outcome::Right)
}
