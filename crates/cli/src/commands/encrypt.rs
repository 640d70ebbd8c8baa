//! `bootes encrypt`: integers or bytes to ciphertexts.

use bootes::Ciphertexts;
use serde_json::json;

use super::Outcome;
use crate::args::EncryptArgs;
use crate::columns;
use crate::error::CliError;
use crate::files::{self, Output, Sealed, Text};
use crate::integers::{self, Domain, Format, Or};
use crate::need::Need;
use crate::report;

pub(crate) fn run(args: &EncryptArgs) -> Result<Outcome, CliError> {
    let outputs = super::outputs(&args.outputs, args.columns.len(), "column", [&args.key, &args.input], args.json)?;
    let key = Sealed::open(&args.key)?;
    super::check_engine(&key, args.engine)?;
    let client = super::client(key)?;
    let text = Text::open(&args.input)?;
    let params = client.params();
    let size = match (args.modulus, args.bits, params.modulus()) {
        (Some(modulus), _, _) | (None, None, Some(modulus)) => modulus,
        (None, bits, _) => 1 << bits.unwrap_or(params.bits()),
    };
    let check = |need: Need| {
        need.check(&params).map_err(|refusal| {
            let option = need.option(params.engine());
            // Integers of any length up to their longest have tables too.
            let integers = match (need, params.integer_bits()) {
                (Need::Messages(bits), Some(longest)) if bits <= longest && size.is_power_of_two() => {
                    format!(", or take integers, --width {bits} --unsigned")
                }
                _ => String::new(),
            };
            CliError::at(&args.key, format!("its {refusal}: make other keys with bootes keygen {option}{integers}"))
        })
    };
    let domain = match args.modulus.or(params.modulus()) {
        Some(_) => Domain::Modulo(size),
        None => Domain::Below(size),
    };
    let range = match args.width {
        Some(width) => {
            check(Need::Integers(width))?;
            let within = args.within.unwrap_or(width);
            let range = args.sign.range(within);
            let needed = range.width();
            if needed > width {
                return Err(CliError::new(format!(
                    "--within {within} is more than --width {width} has room for: give --width {needed}, more for sums \
                     of them, or --within {width}"
                )));
            }
            range
        }
        None => {
            check(match params.modulus() {
                Some(_) => Need::Vectors(size),
                None => Need::of_modulus(size),
            })?;
            domain.range()
        }
    };
    let (lists, format) = match args.width {
        _ if !args.columns.is_empty() => (columns::read(text, &args.columns, [range.min, range.max])?, Format::Csv),
        Some(width) if args.bytes => {
            let width = args.within.unwrap_or(width);
            if !args.sign.unsigned || width < 8 {
                return Err(CliError::new("bytes are integers without a sign: give --width 8 --unsigned, or more"));
            }
            let (values, format) = integers::input(text, Domain::Below(1 << width), true, Or::default())?;
            (vec![values], format)
        }
        Some(width) => {
            let option = if args.within.is_some() { "--within" } else { "--width" };
            let width = args.within.unwrap_or(width);
            let read = integers::operands(vec![text], width, option, args.sign);
            read.map_err(|error| match args.sign.unsigned && width >= 8 {
                true => error.or("give --bytes to take the bytes of the file as the values"),
                false => error,
            })?
        }
        None => {
            let or = Or {
                text: ", and --column NAME for a column of CSV",
                outside: params.integer_bits().map_or("", |_| ", or give --width for integers of a range"),
            };
            let (values, format) = integers::input(text, domain, args.bytes, or)?;
            (vec![values], format)
        }
    };
    let encrypt = |values: Vec<i64>| match args.width {
        Some(width) => args.sign.encrypt(&client, &values, args.within.unwrap_or(width), width),
        None => client.encrypt_modulo(domain.reduce(values), size),
    };
    let (encrypted, time) = report::timed(|| lists.into_iter().map(encrypt).collect::<Result<Vec<_>, _>>());
    let encrypted = encrypted?;
    super::write_all(&outputs, &encrypted)?;
    let (first, bytes) = (&encrypted[0], encrypted.iter().map(Ciphertexts::stored_bytes).sum());
    let (count, space) = (first.len(), first.space());
    if args.json {
        report::json(&json!({
            "engine": params.engine().to_string(),
            "count": count,
            "columns": encrypted.len(),
            "ciphertexts": encrypted.iter().map(Ciphertexts::ciphertexts).sum::<usize>(),
            "bits": space.bits(),
            "width": args.width,
            "within": args.within,
            "unsigned": args.sign.unsigned,
            "modulus": args.modulus,
            "space": space.to_string(),
            "input_format": format.name(),
            "params": params.name(),
            "key_id": files::hex(&client.key_id()),
            "ciphertext_bytes": bytes,
            "encrypt_s": time.as_secs_f64(),
        }))?;
    } else if !outputs.iter().any(Output::is_stream) {
        report::line(&format!(
            "{}: {count} {space} ({} of {}) in {}, {}",
            super::names(&args.outputs),
            format.name(),
            args.input.display(),
            report::size(bytes),
            report::duration(time),
        ))?;
    }
    Ok(Outcome::Right)
}
