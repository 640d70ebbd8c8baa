//! `bootes encrypt`: integers or bytes to ciphertexts.

use bootes::{Ciphertexts, Client, Interval, Params, PublicKey};
use serde_json::json;

use super::Outcome;
use crate::args::{EncryptArgs, Sign};
use crate::columns;
use crate::error::CliError;
use crate::files::{self, Noun, Output, Sealed, Text};
use crate::integers::{self, Domain, Format, OR_COLUMN, Or, Width};
use crate::need::{MAX_TABLE_BITS, Need};
use crate::report;
use bootes::MAX_WIDTH;

/// What there is to do with a value that is no message: the fewest bits that hold it beside messages, with these keys
/// or others.
fn cures(params: &Params, messages: Domain, value: i128) -> String {
    if params.modulus().is_some() {
        return String::new();
    }
    let sign = Sign { unsigned: value >= 0 };
    let holds = |range: Interval| range.has(value) && range.has(messages.range().max);
    let least = |most: u32| (1..=most).find(|&bits| holds(sign.range(bits)));
    let bits = if sign.unsigned && matches!(messages, Domain::Below(_)) { least(MAX_TABLE_BITS) } else { None };
    match (bits, least(params.integer_bits().and(params.max_integer_bits()).unwrap_or(0))) {
        (Some(bits), _) if bits <= params.bits() => format!(", or take --bits {bits}"),
        (_, Some(bits)) => format!(", or take --width {bits}{}", if sign.unsigned { " --unsigned" } else { "" }),
        (Some(bits), None) => {
            let option = Need::Messages(bits).option(params.engine());
            format!(", or make keys with bootes keygen {option}, and take --bits {bits}")
        }
        (None, None) => String::new(),
    }
}

/// What encrypts.
enum Encryptor {
    Client(Client),
    Public(PublicKey),
}

impl Encryptor {
    /// A client key, or a public key.
    fn load(key: Sealed) -> Result<Self, CliError> {
        key.expect_encryptor()?;
        Ok(match Noun::of(key.header.kind) {
            Some(Noun::PublicKey) => Self::Public(super::public_key(key)?),
            _ => Self::Client(super::client(key)?),
        })
    }

    fn params(&self) -> Params {
        match self {
            Self::Client(client) => client.params(),
            Self::Public(key) => key.params(),
        }
    }

    fn key_id(&self) -> [u8; 16] {
        match self {
            Self::Client(client) => client.key_id(),
            Self::Public(key) => key.key_id(),
        }
    }

    fn encrypt_within(&self, values: Vec<i128>, range: Interval, width: u32) -> Result<Ciphertexts, bootes::Error> {
        match self {
            Self::Client(client) => client.encrypt_within(values, range, width),
            Self::Public(key) => key.encrypt_within(values, range, width),
        }
    }

    fn encrypt_modulo(&self, values: Vec<i128>, modulus: u64) -> Result<Ciphertexts, bootes::Error> {
        match self {
            Self::Client(client) => client.encrypt_modulo(values, modulus),
            Self::Public(key) => key.encrypt_modulo(values, modulus),
        }
    }
}

pub(crate) fn run(args: &EncryptArgs) -> Result<Outcome, CliError> {
    if args.symmetric {
        return super::transcipher::encrypt(args);
    }
    let outputs = super::outputs(&args.outputs, args.columns.len(), "column", [&args.key, &args.input], args.json)?;
    if args.sign.unsigned && args.width.is_none() {
        return Err(CliError::new(format!("how long are the integers? --unsigned needs --width W, 1 to {MAX_WIDTH}")));
    }
    let key = Sealed::open(&args.key)?;
    super::check_engine(&key, args.engine)?;
    let client = Encryptor::load(key)?;
    let text = Text::open(&args.input)?;
    let params = client.params();
    // Keys do not tell which of both they were made for.
    if let (None, None, None, Some(longest)) = (args.bits, args.width, args.modulus, params.max_integer_bits())
        && params.integer_bits().is_some_and(|bits| bits > params.bits())
    {
        let message = format!(
            "which values? Its set has integers of up to {longest} bits, and messages of up to {}, whose sums wrap: \
             give --width W or --bits B",
            params.bits()
        );
        return Err(CliError::at(&args.key, message));
    }
    let size = match (args.modulus, args.bits, params.modulus()) {
        (Some(modulus), _, _) | (None, None, Some(modulus)) => modulus,
        (None, bits, _) => 1 << bits.unwrap_or(params.bits()),
    };
    let check = |need: Need| {
        need.check(&params).map_err(|refusal| {
            if let (None, Some(other)) = (args.width, Need::beyond(size)) {
                return CliError::at(&args.key, other);
            }
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
    let width = args.width.map(|bits| Width { bits, within: args.within, sign: args.sign });
    let range = match width {
        Some(width) => {
            // Sets for messages have room for some, which tables take: of several values they are packed so, and
            // programs take them.
            let is_room = (width.within.is_some() || !params.engine().tables_give_integers())
                && params.max_integer_bits().is_none()
                && params.modulus().is_none()
                && width.bits < params.bits();
            if !is_room {
                check(Need::Integers(width.bits))?;
            }
            let (bits, within, needed) = (width.bits, width.own(), width.range().width());
            if needed > bits {
                return Err(CliError::new(format!(
                    "--within {within} is more than --width {bits} has room for: give --width {needed}, more for sums \
                     of them, or --within {bits}"
                )));
            }
            width.range()
        }
        None => {
            check(match params.modulus() {
                Some(_) => Need::Vectors(size),
                None => Need::of_values(size),
            })?;
            domain.range()
        }
    };
    let cures = |value: i128| match width {
        Some(width) => width.cures(value),
        None => cures(&params, domain, value),
    };
    let (lists, format) = match width {
        _ if !args.columns.is_empty() => {
            (columns::read(text, &args.columns, &vec![range; args.columns.len()], &cures)?, Format::Csv)
        }
        Some(width) if args.bytes => {
            if !args.sign.unsigned || width.own() < 8 {
                return Err(CliError::new("bytes are integers without a sign: give --width 8 --unsigned, or more"));
            }
            let (values, format) = integers::input(text, Domain::Below(1 << width.own()), true, Or::default())?;
            (vec![values], format)
        }
        Some(width) => {
            let or = match args.sign.unsigned && width.own() >= 8 {
                true => ", or --bytes to take the bytes of the file as the values",
                false => "",
            };
            integers::operands(vec![text], width, or)?
        }
        None => {
            let or = Or { text: OR_COLUMN, outside: &cures };
            let (values, format) = integers::input(text, domain, args.bytes, or)?;
            (vec![values], format)
        }
    };
    let encrypt = |values: Vec<i128>| match args.width {
        Some(width) => client.encrypt_within(values, args.sign.range(args.within.unwrap_or(width)), width),
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
