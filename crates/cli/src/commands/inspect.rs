//! `bootes inspect`: what a file is, and whether it is whole.

use bootes::Space;
use bootes::fhew::{Client, ServerKey};
use bootes::wire::ObjectKind;
use serde_json::json;

use super::Outcome;
use crate::args::InspectArgs;
use crate::batch;
use crate::error::CliError;
use crate::files::{self, Sealed};
use crate::report;

pub(crate) fn run(args: &InspectArgs) -> Result<Outcome, CliError> {
    let file = Sealed::open(&args.file)?;
    if file.is_batch() {
        return batch::in_pool(None, || batch::server::inspect(file, args.json));
    }
    let (header, params, bytes) = (file.header, file.params()?, file.bytes);
    let contents = contents(file)?;
    if args.json {
        let mut description = json!({
            "kind": header.kind.to_string(),
            "version": header.version,
            "params": params.name(),
            "fingerprint": files::hex(&header.fingerprint),
            "key_id": files::hex(&header.key_id),
            "bytes": bytes,
            "checksum_ok": true,
        });
        match &contents {
            Contents::Ciphertexts { count, space } => {
                description["count"] = json!(count);
                description["bits"] = json!(space.bits());
                description["integers"] = json!(space.integers().is_some());
                description["range"] = json!([space.range().min, space.range().max]);
                description["space"] = json!(space.to_string());
            }
            Contents::ServerKey { additional } => description["additional_keys"] = json!(additional),
            Contents::ClientKey => {}
        }
        report::json(&description)?;
    } else {
        let mut rows = vec![
            ("kind", header.kind.to_string()),
            ("format version", header.version.to_string()),
            ("parameters", params.name().to_string()),
            ("fingerprint", files::hex(&header.fingerprint)),
            ("key", files::hex(&header.key_id)),
            ("size", report::size(bytes)),
        ];
        match contents {
            Contents::Ciphertexts { count, space } => rows.push(("ciphertexts", format!("{count}, {space}"))),
            Contents::ClientKey => {
                rows.push(("secret", "yes: keep this file to yourself".to_string()));
            }
            Contents::ServerKey { additional } => {
                if !additional.is_empty() {
                    rows.push(("additional keys", additional));
                }
                rows.push(("secret", "no: give this file to the server".to_string()));
            }
        }
        rows.push(("checksum", "right".to_string()));
        let mut text = String::new();
        for (name, value) in rows {
            text.push_str(&format!("{name:<16}{value}\n"));
        }
        report::out(text.as_bytes())?;
    }
    Ok(Outcome::Right)
}

/// What can be said of the content.
enum Contents {
    ClientKey,
    ServerKey { additional: String },
    Ciphertexts { count: usize, space: Space },
}

/// Reads the whole object, which checks its checksum and every field.
fn contents(file: Sealed) -> Result<Contents, CliError> {
    let path = file.path.clone();
    let contents = match file.header.kind {
        ObjectKind::ClientKey => Client::from_bytes(&file.read(None)?.bytes).map(|_| Contents::ClientKey),
        ObjectKind::ServerKey => ServerKey::from_bytes(&file.read(None)?.bytes)
            .map(|key| Contents::ServerKey { additional: key.additional().to_string() }),
        ObjectKind::Ciphertexts => {
            let ciphertexts = super::ciphertexts(file)?;
            let (count, space) = (ciphertexts.len(), ciphertexts.head().space());
            ciphertexts.finish().map(|_| Contents::Ciphertexts { count, space })
        }
        kind => {
            return Err(CliError::at(&path, format!("this program cannot inspect a {kind}")));
        }
    };
    contents.map_err(|error| batch::read_error(&path, error))
}
