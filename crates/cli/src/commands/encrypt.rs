//! `bootes encrypt`: integers or bytes to ciphertexts.

use serde_json::json;

use super::Outcome;
use crate::args::EncryptArgs;
use crate::error::CliError;
use crate::files;
use crate::integers;
use crate::report;

pub(crate) fn run(args: &EncryptArgs) -> Result<Outcome, CliError> {
    files::check_writable(&args.output)?;
    let (object, client) = super::load_client(&args.key)?;
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
    let text = files::read_text(&args.input)?;
    let (values, format) = integers::input(&args.input, &text, bits, args.bytes)?;
    let (bytes, time) = report::timed(|| client.encrypt_bits(&values, bits).map(|ciphertexts| ciphertexts.to_bytes()));
    let bytes = bytes?;
    files::write(&args.output, &bytes)?;
    if args.json {
        report::json(&json!({
            "count": values.len(),
            "bits": bits,
            "input_format": format.name(),
            "params": client.params().name(),
            "key_id": files::hex(&object.header.key_id),
            "ciphertext_bytes": bytes.len(),
            "encrypt_s": time.as_secs_f64(),
        }))?;
    } else if !files::is_stream(&args.output) {
        report::line(&format!(
            "{}: {} {bits}-bit values ({} of {}) in {}, {}",
            args.output.display(),
            values.len(),
            format.name(),
            args.input.display(),
            report::size(bytes.len() as u64),
            report::duration(time),
        ))?;
    }
    Ok(Outcome::Right)
}
