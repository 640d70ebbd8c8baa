//! `bootes encrypt`: integers or bytes to ciphertexts.

use serde_json::json;

use super::Outcome;
use crate::args::{EncryptArgs, Engine, Need};
use crate::batch;
use crate::error::CliError;
use crate::files::{self, Access, Output, Sealed, Text};
use crate::integers::{self, Format};
use crate::report;
use crate::table;

pub(crate) fn run(args: &EncryptArgs) -> Result<Outcome, CliError> {
    let output = Output::apart_from(&args.output, Access::Public, [&*args.key, &args.input])?;
    super::check_json(&output, args.json)?;
    let key = Sealed::open(&args.key)?;
    if batch::engine_of(&key, args.engine)? == Engine::Ckks {
        return batch::in_pool(None, || batch::client::encrypt(args, key, &output));
    }
    let (object, client) = super::load_client(key)?;
    let text = Text::open(&args.input)?;
    let params = client.params();
    let refuse = |need: Need, option: &str| match need.refusal(&params) {
        Some(refusal) => Err(CliError::at(
            &args.key,
            format!("its parameters {} {refusal}: make other keys with bootes keygen {option}", params.name()),
        )),
        None => Ok(()),
    };
    let (ciphertexts, format, time) = match args.width {
        Some(width) => {
            refuse(Need::Integers(width), "--width")?;
            let mut operands = integers::operands(vec![text], width, args.sign)?;
            let values = operands.remove(0);
            let (ciphertexts, time) = report::timed(|| args.sign.encrypt(&client, &values, width));
            (ciphertexts?, Format::Integers, time)
        }
        None => {
            let size = args.modulus.unwrap_or(1 << args.bits.unwrap_or(params.bits()));
            refuse(table::need(size), "--bits")?;
            let (values, format) = integers::input(text, size, args.bytes)?;
            let (ciphertexts, time) = report::timed(|| table::encrypt(&client, &values, size));
            (ciphertexts?, format, time)
        }
    };
    let (bytes, seal_time) = report::timed(|| ciphertexts.to_bytes());
    let time = time + seal_time;
    output.write(&bytes)?;
    let (count, space) = (ciphertexts.len(), ciphertexts.space());
    if args.json {
        report::json(&json!({
            "count": count,
            "bits": space.bits(),
            "width": args.width,
            "unsigned": args.sign.unsigned,
            "modulus": args.modulus,
            "space": space.to_string(),
            "input_format": format.name(),
            "params": client.params().name(),
            "key_id": files::hex(&object.header.key_id),
            "ciphertext_bytes": bytes.len(),
            "encrypt_s": time.as_secs_f64(),
        }))?;
    } else if !output.is_stream() {
        report::line(&format!(
            "{}: {count} {space} ({} of {}) in {}, {}",
            args.output.display(),
            format.name(),
            args.input.display(),
            report::size(bytes.len() as u64),
            report::duration(time),
        ))?;
    }
    Ok(Outcome::Right)
}
