//! `bootes encrypt`: integers or bytes to ciphertexts.

use serde_json::json;

use super::Outcome;
use crate::args::EncryptArgs;
use crate::error::CliError;
use crate::files;
use crate::integers::{self, Format};
use crate::report;

pub(crate) fn run(args: &EncryptArgs) -> Result<Outcome, CliError> {
    files::check_writable(&args.output)?;
    let (object, client) = super::load_client(&args.key)?;
    let text = files::read_text(&args.input)?;
    let (ciphertexts, format, time) = match args.width {
        Some(width) => {
            let (name, most) = (client.params().name().to_string(), client.params().integer_bits().unwrap_or(0));
            if width > most {
                let held =
                    if most == 0 { "no large integers".into() } else { format!("integers of at most {most} bits") };
                return Err(CliError::at(
                    &args.key,
                    format!(
                        "its parameters {name} hold {held}, but --width is {width}: make keys with bootes keygen --width"
                    ),
                ));
            }
            let mut operands = integers::operands(&[(&args.input, &text)], width)?;
            let values = operands.remove(0);
            let (ciphertexts, time) = report::timed(|| client.encrypt_integers(&values, width));
            (ciphertexts?, Format::Integers, time)
        }
        None => {
            let most = client.params().bits();
            let bits = args.bits.unwrap_or(most);
            if bits > most {
                return Err(CliError::at(
                    &args.key,
                    format!(
                        "its parameters {} hold at most {most}-bit messages, but --bits is {bits}: lower it or make other keys",
                        client.params().name()
                    ),
                ));
            }
            let (values, format) = integers::input(&args.input, &text, bits, args.bytes)?;
            let (ciphertexts, time) = report::timed(|| client.encrypt_bits(&values, bits));
            (ciphertexts?, format, time)
        }
    };
    let (bytes, seal_time) = report::timed(|| ciphertexts.to_bytes());
    let time = time + seal_time;
    files::write(&args.output, &bytes)?;
    let (count, bits) = (ciphertexts.len(), args.width.unwrap_or(ciphertexts.bits()));
    if args.json {
        report::json(&json!({
            "count": count,
            "bits": ciphertexts.bits(),
            "width": args.width,
            "input_format": format.name(),
            "params": client.params().name(),
            "key_id": files::hex(&object.header.key_id),
            "ciphertext_bytes": bytes.len(),
            "encrypt_s": time.as_secs_f64(),
        }))?;
    } else if !files::is_stream(&args.output) {
        report::line(&format!(
            "{}: {count} {bits}-bit {} ({} of {}) in {}, {}",
            args.output.display(),
            if args.width.is_some() { "integers" } else { "values" },
            format.name(),
            args.input.display(),
            report::size(bytes.len() as u64),
            report::duration(time),
        ))?;
    }
    Ok(Outcome::Right)
}
