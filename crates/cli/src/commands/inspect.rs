//! `bootes inspect`: what a file is, and whether it is whole.

use bootes::{MaskStorage, Params, ServerKey, Space};
use serde_json::json;

use super::Outcome;
use crate::args::InspectArgs;
use crate::error::CliError;
use crate::files::{self, Noun, Sealed, read_error};
use crate::report;

pub(crate) fn run(args: &InspectArgs) -> Result<Outcome, CliError> {
    let file = Sealed::open(&args.file)?;
    let (header, bytes) = (file.header, file.bytes);
    let (params, contents) = contents(file)?;
    if args.json {
        let mut description = json!({
            "engine": params.engine().to_string(),
            "kind": header.kind.to_string(),
            "version": header.version,
            "params": params.name(),
            "fingerprint": files::hex(&header.fingerprint),
            "key_id": files::hex(&header.key_id),
            "bytes": bytes,
            "checksum_ok": true,
        });
        match &contents {
            Contents::Ciphertexts { count, ciphertexts, space, noise_budget, compressed } => {
                description["compressed"] = json!(compressed);
                description["count"] = json!(count);
                description["ciphertexts"] = json!(ciphertexts);
                description["bits"] = json!(space.bits());
                description["integers"] = json!(space.integers().is_some());
                description["modulus"] = json!(space.modulus());
                description["range"] = report::numbers([space.range().min, space.range().max]);
                description["space"] = json!(space.to_string());
                description["noise_budget_bits"] = json!(noise_budget);
            }
            Contents::ServerKey { additional, expanded } => {
                description["additional_keys"] = json!(additional);
                description["memory_bytes"] = json!(expanded);
            }
            Contents::SymmetricKey { id } => description["symmetric_key_id"] = json!(files::hex(id)),
            Contents::SymmetricCiphertexts { count, space, id, counter } => {
                description["count"] = json!(count);
                description["bits"] = json!(space.bits());
                description["space"] = json!(space.to_string());
                description["symmetric_key_id"] = json!(files::hex(id));
                description["counter"] = json!(files::hex(counter));
            }
            Contents::ConversionKey { to, id } => {
                description["target_engine"] = json!(to.engine().to_string());
                description["target_params"] = json!(to.name());
                description["target_key_id"] = json!(files::hex(id));
            }
            Contents::ClientKey | Contents::PublicKey => {}
        }
        report::json(&description)?;
        return Ok(Outcome::Right);
    }
    let mut rows = vec![
        ("kind", header.kind.to_string()),
        ("format version", header.version.to_string()),
        ("parameters", params.name().to_string()),
        ("fingerprint", files::hex(&header.fingerprint)),
        ("key", files::hex(&header.key_id)),
        ("size", report::size(bytes)),
    ];
    match contents {
        Contents::Ciphertexts { count, ciphertexts, space, noise_budget, compressed } => {
            let held = match params.capacity() {
                1 => format!("{count}, {space}"),
                _ => format!("{ciphertexts} of {}, {space}", report::values(count)),
            };
            rows.push(("ciphertexts", held));
            rows.push(match compressed {
                true => ("compressed", "yes: for decryption, rows and concatenations alone".to_string()),
                false => ("noise budget", format!("{noise_budget:.1} bits, for sums and products with constants")),
            });
        }
        Contents::SymmetricKey { id } => {
            rows.push(("symmetric key", files::hex(&id)));
            rows.push(("secret", "no: give this file to the server".to_string()));
        }
        Contents::SymmetricCiphertexts { count, space, id, counter } => {
            rows.push(("values", format!("{count}, {space}, by AES-128 in counter mode")));
            rows.push(("symmetric key", files::hex(&id)));
            rows.push(("first counter", files::hex(&counter)));
        }
        Contents::ConversionKey { to, id } => {
            rows.push(("to parameters", to.name().to_string()));
            rows.push(("to key", files::hex(&id)));
            rows.push(("secret", "no: give this file to the server".to_string()));
        }
        Contents::PublicKey => {
            rows.push(("secret", "no: give this file to whoever is to encrypt".to_string()));
        }
        Contents::ClientKey => rows.push(("secret", "yes: keep this file to yourself".to_string())),
        Contents::ServerKey { additional, expanded } => {
            if !additional.is_empty() {
                rows.push(("additional keys", additional));
            }
            let [seeded, kept] = expanded.map(report::size);
            let memory = if seeded == kept { kept } else { format!("{seeded}, or {kept} with its masks") };
            rows.push(("memory", memory));
            rows.push(("secret", "no: give this file to the server".to_string()));
        }
    }
    rows.push(("checksum", "right".to_string()));
    let text: String = rows.into_iter().map(|(name, value)| format!("{name:<16}{value}\n")).collect();
    report::out(text.as_bytes())?;
    Ok(Outcome::Right)
}

/// The content, as far as it is known.
enum Contents {
    ClientKey,
    PublicKey,
    /// `expanded`: bytes in memory, masks as seeds or kept.
    ServerKey {
        additional: String,
        expanded: [u64; 2],
    },
    Ciphertexts {
        count: usize,
        ciphertexts: usize,
        space: Space,
        noise_budget: f64,
        compressed: bool,
    },
    /// Where it leads to.
    ConversionKey {
        to: Params,
        id: [u8; 16],
    },
    SymmetricKey {
        id: [u8; 16],
    },
    SymmetricCiphertexts {
        count: usize,
        space: Space,
        id: [u8; 16],
        counter: [u8; 16],
    },
}

/// Reads the whole object, which checks its checksum and every field.
fn contents(file: Sealed) -> Result<(Params, Contents), CliError> {
    let path = file.path.clone();
    Ok(match Noun::of(file.header.kind) {
        Some(Noun::ClientKey) => {
            let client = super::client(file)?;
            (client.params(), Contents::ClientKey)
        }
        Some(Noun::PublicKey) => (super::public_key(file)?.params(), Contents::PublicKey),
        Some(Noun::ServerKey) => {
            let key: ServerKey = super::server_key(file, None)?;
            let expanded = [MaskStorage::Seeded, MaskStorage::Expanded].map(|masks| key.expanded_bytes(masks));
            (key.params(), Contents::ServerKey { additional: key.additional().to_string(), expanded })
        }
        Some(Noun::Ciphertexts) => {
            let ciphertexts = super::ciphertexts(file, None)?;
            let (params, count, space) = (ciphertexts.params(), ciphertexts.len(), ciphertexts.space());
            let (pieces, head) = (ciphertexts.ciphertexts(), ciphertexts.head());
            let (noise_budget, compressed) = (head.noise_budget(), head.is_compressed());
            ciphertexts.finish().map_err(|error| read_error(&path, error))?;
            (params, Contents::Ciphertexts { count, ciphertexts: pieces, space, noise_budget, compressed })
        }
        Some(Noun::ConversionKey) => {
            let key = super::convert::conversion_key(file)?;
            (key.source_params(), Contents::ConversionKey { to: key.target_params(), id: key.target_key_id() })
        }
        Some(Noun::SymmetricKey) => {
            let key = super::transcipher::symmetric_key(file)?;
            (key.params(), Contents::SymmetricKey { id: key.id() })
        }
        Some(Noun::SymmetricCiphertexts) => {
            let sent = super::transcipher::symmetric_ciphertexts(file)?;
            let (count, space, id) = (sent.len(), sent.space(), sent.symmetric_key_id());
            (sent.params(), Contents::SymmetricCiphertexts { count, space, id, counter: sent.counter() })
        }
        None => return Err(CliError::at(&path, format!("this program cannot inspect a {}", file.header.kind))),
    })
}
