//! Engine bfv: exact arithmetic on vectors modulo p^r, with tables modulo p, bootstrapped where it has to be.
//!
//! A ciphertext holds k values, from 2 to 2^15 as p has it; products and rotations are cheap, so this is the engine of
//! arithmetic. [`Client`] holds the secrets, [`Server`] evaluates and never sees them.
mod ciphertexts;
mod client;
mod key;
mod server;
#[cfg(test)]
mod tests;

pub(crate) use bootes_lut::bfv::SlotParams as Params;
pub(crate) use ciphertexts::{CiphertextReader, Ciphertexts};
pub(crate) use client::Client;
pub(crate) use key::ServerKey;
pub(crate) use server::{Plan, Server, check_key_memory, check_program_memory, fresh_bytes, key_memory, predict};

use std::io::{Read, Write};

use bootes_lattice::wire::{Header, ObjectKind, StreamReader, StreamWriter};
use bootes_schemes::class::SetClass;
use bootes_schemes::exact::ExactLiteral;

use crate::kept::Kept;
use crate::memory::check_set;
use crate::names::{hex, stream_name};
use crate::threads::on_all_threads;
use crate::{Error, SlotError};

/// The version of files that these objects are written with.
const VERSION: u16 = 6;

/// −log2 of the failure probability of a vector, at most.
pub(crate) const LOG2_P_FAIL: f64 = -128.0;

/// The sets that were used last.
static KEPT: Kept<Params> = Kept::new();

/// The set of that name, kept for whoever asks next.
///
/// # Errors
/// As [`named`].
pub(crate) fn by_name(name: &str) -> Result<Params, Error> {
    let params = named(name)?;
    keep(&params);
    Ok(params)
}

/// The set that somebody else names, not kept unless it was: it takes 0.2 s at most, and its memory until it is
/// dropped.
///
/// # Errors
/// [`SlotError::Set`] for a name of another form; [`Error::Lut`] for a p that has no set.
fn named(name: &str) -> Result<Params, Error> {
    KEPT.or_built(name, || {
        check_set(1 << log2_degree(name), SET_WORDS)?;
        on_all_threads(|| Ok(Params::named(name).ok_or_else(|| SlotError::Set { name: name.into() })??))
    })
}

/// Words a coefficient that a set takes while it is made, at most.
const SET_WORDS: u64 = 96;

/// That of the ring of a set of this name, if there is one.
fn log2_degree(name: &str) -> u32 {
    let of_paper = ExactLiteral::of_papers().iter().find(|set| set.name == name);
    match of_paper {
        Some(literal) => literal.log2_degree,
        None if name.starts_with("toy_") => 8,
        None => 15 + u32::from(name.ends_with("_tables")),
    }
}

/// Keeps the set of what was read whole.
fn keep(params: &Params) {
    KEPT.keep(params.name(), params);
}

/// The set for vectors modulo p^r.
///
/// # Errors
/// [`Error::Lut`] for a p that has no set.
pub(crate) fn of(p: u64, r: u32) -> Result<Params, Error> {
    match r {
        1 => by_name(&format!("slots_{p}")),
        0 => Ok(Params::new(p, r)?),
        _ => by_name(&format!("slots_{p}_{r}")),
    }
}

/// The set for vectors modulo p and tables of Z_p.
///
/// # Errors
/// [`Error::Lut`] for a p that has no set.
pub(crate) fn for_tables(p: u64) -> Result<Params, Error> {
    match by_name(&format!("slots_{p}_tables")) {
        // Where the set for arithmetic has them.
        Err(Error::Slots(SlotError::Set { .. })) => of(p, 1),
        found => found,
    }
}

/// Sets to show: of some primes with many slots, and those of papers.
pub(crate) fn names() -> impl Iterator<Item = String> {
    let ours =
        ["slots_17", "slots_127", "slots_127_2", "slots_257", "slots_257_2", "slots_65537", "slots_65537_tables"];
    ours.into_iter().map(String::from).chain(ExactLiteral::of_papers().iter().map(|set| set.name.clone()))
}

/// Whether a set has this name, or would.
pub(crate) fn is_named(name: &str) -> bool {
    name.trim_start_matches("toy_").trim_start_matches("paper_").starts_with("slots")
}

/// A set in words, several lines.
pub(crate) fn description(params: &Params) -> String {
    let literal = params.literal();
    let security = match (literal.class, params.security_bits().map(|bits| (bits * 10.0).floor() / 10.0)) {
        (SetClass::Secure, Some(bits)) => format!("{bits:.1} bits by the least of all estimates"),
        (SetClass::Paper, Some(bits)) => {
            format!("{bits:.1} bits by the least of all estimates: a paper's set, no default")
        }
        (SetClass::Paper, None) => "no estimate, the data do not cover it: a paper's set, no default".to_string(),
        _ => "INSECURE, for tests only".to_string(),
    };
    let primes: Vec<String> = literal.primes.iter().map(|(bits, count)| format!("{count} of {bits} bits")).collect();
    let [rows, columns] = params.slots().shape();
    let tables = match params.exponent() {
        1 if params.has_tables() => format!("any, of {} entries", params.modulus()),
        1 => format!("of few coefficients only; any with the set slots_{}_tables, if there is one", params.modulus()),
        _ => "none: arithmetic only".to_string(),
    };
    let digits = params.max_exponent() - params.exponent();
    let lines = [
        ("engine", "bfv".to_string()),
        ("values", format!("modulo {}, {} a ciphertext: {rows} x {columns}", params.modulus(), rows * columns)),
        ("tables", tables),
        ("security", security),
        ("ring", format!("N = {}", params.degree())),
        ("moduli", format!("log QP = {:.1}: primes above q_0 {}", params.log2_modulus(), primes.join(", "))),
        ("keys", format!("ternary of weight {}, raised under one of weight {}", literal.weight, literal.sparse_weight)),
        ("bootstrapping", format!("modulo {}^{}, {digits} digits removed", params.base(), params.max_exponent())),
        ("gadget", format!("digits of {} primes, {} special primes", literal.digit_primes, literal.special_primes)),
        ("failure", format!("at most 2^{LOG2_P_FAIL} a vector and bootstrapping, with every key")),
        ("fingerprint", hex(&params.fingerprint())),
    ];
    let lines: String = lines.into_iter().map(|(name, value)| format!("  {name:<16}{value}\n")).collect();
    format!("parameter set {}\n{lines}", params.name())
}

/// Bytes of the name of a set in a payload.
fn name_bytes(params: &Params) -> u64 {
    8 + params.name().len() as u64
}

/// An envelope for these parameters, begun: header and name are written.
fn begin<W: Write>(
    out: W,
    kind: ObjectKind,
    params: &Params,
    key_id: [u8; 16],
    payload_bytes: u64,
) -> Result<StreamWriter<W>, Error> {
    let header = Header { kind, version: VERSION, fingerprint: params.fingerprint(), key_id };
    let mut out = StreamWriter::new(out, header, name_bytes(params) + payload_bytes)?;
    out.bytes(params.name().as_bytes())?;
    Ok(out)
}

/// Reads header and name: the parameters of an envelope.
fn parameters<R: Read>(input: &mut StreamReader<R>, what: &'static str) -> Result<Params, Error> {
    let params = named(&stream_name(input)?)?;
    if params.fingerprint() != input.header().fingerprint {
        return Err(Error::ChangedParams { what, params: params.name().into() });
    }
    Ok(params)
}

/// Refuses what belongs to another set or another key.
fn check_key(what: &'static str, [found, expected]: [(&Params, [u8; 16]); 2]) -> Result<(), Error> {
    if found.0.fingerprint() != expected.0.fingerprint() {
        return Err(Error::OtherParams { what, params: expected.0.name().into() });
    }
    if found.1 != expected.1 {
        let [found, expected] = [found.1, expected.1].map(|id| hex(&id));
        return Err(Error::OtherKey { what, found, expected });
    }
    Ok(())
}
