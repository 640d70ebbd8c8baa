//! Parts of messages that depend on what was found.

use std::borrow::Cow;

use crate::bfv::params::bootstrapped;
use crate::fhew::digits::MAX_LARGE_BITS;
use crate::table::{MAX_BITS, MAX_TABLE_BITS};
use bootes_ring::primes;

/// "a, b, c"; of many the first ones and how many more there are: no message grows with what somebody else lists.
pub fn list<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    const SHOWN: usize = 10;
    let mut items = items.into_iter();
    let shown: Vec<String> = items.by_ref().take(SHOWN).map(|item| item.to_string()).collect();
    let more = match items.count() {
        0 => String::new(),
        more => format!(" … and {more} more"),
    };
    shown.join(", ") + &more
}

/// A message, of whose middle is left out what is beyond a thousand characters: none grows with what somebody else
/// wrote.
#[must_use]
pub fn shortened(message: &str) -> Cow<'_, str> {
    const FIRST: usize = 600;
    const LAST: usize = 400;
    if message.chars().count() <= FIRST + LAST {
        return message.into();
    }
    let end = |count: usize| message.char_indices().nth(count).map_or(message.len(), |(at, _)| at);
    let start = |count: usize| message.char_indices().rev().nth(count - 1).map_or(0, |(at, _)| at);
    format!("{} … {}", &message[..end(FIRST)], &message[start(LAST)..]).into()
}

/// The most bits of results of engine fhew in one ciphertext.
const MOST_OUT_BITS: u32 = 16;

/// What has room for inputs or outputs of a table of so many bits.
pub(super) fn wider(what: &str, found: u32) -> String {
    match (what, found) {
        ("outputs" | "inputs", ..=MOST_OUT_BITS) => format!("take a set for {found} bits (Params::for_bits({found}))"),
        ("inputs", _) => format!("take a set for at least {found} bits"),
        (_, ..=MAX_TABLE_BITS) => format!(
            "take a table whose results are integers (Lut::new), which may have several ciphertexts, or for residues \
             of {found} bits engine ckks (Params::on with Engine::Ckks)"
        ),
        _ => "integers of more than one ciphertext (Lut::new) have at most 20 bits: take a table of each part".into(),
    }
}

/// Where there is room for longer integers than those of `bits` bits.
pub(super) fn longer(set: Option<&str>, residues: Option<u64>, bits: u32) -> String {
    match (set, residues) {
        (Some(set), _) => format!("take parameter set {set}"),
        // Residues that are longer than those of a set are integers there, which do not wrap.
        (None, Some(p)) => format!(
            "take integers from 0 to {} instead (Client::encrypt_within), with a set for integers, and write % {p} \
             wherever they are to wrap, as x*y % {p} == x",
            p - 1
        ),
        (None, None) => format!(
            "no set has more; take values of a narrower range, an expression with shorter ones, or, where they may \
             wrap, results modulo 2^{bits}, as (x*y) % 2^{bits} is"
        ),
    }
}

/// What takes values of so many bits together, that a bootstrap of `bits` bits does not.
pub(super) fn together(widths: &[u32], bits: u32) -> String {
    match widths.iter().sum::<u32>() {
        one @ ..=MAX_BITS if widths.len() == 1 => format!("take a set for {one} bits (Params::for_bits)"),
        all @ ..=MAX_LARGE_BITS if widths.len() > 1 && bits < all => format!(
            "take a set for {all} bits (Params::for_bits); there integers with room for all, {all} bits \
             (Client::encrypt_within a narrower range), pack for nothing"
        ),
        all @ ..=MAX_TABLE_BITS => format!("take a set of engine ckks for {all} bits (Params::on with Engine::Ckks)"),
        _ => format!("there are no tables of more than {MAX_TABLE_BITS} bits: take values of fewer"),
    }
}

/// A promise, or the share of it that a part has, in tenths.
pub(super) fn tenths(log2: f64) -> f64 {
    (log2 * 10.0).round() / 10.0
}

/// Of how many rotations a promise is.
pub(super) fn for_all(rotations: usize) -> String {
    if rotations > 1 { format!(" for all {rotations} together") } else { String::new() }
}

/// What a part of a program is of, where that is known.
pub(super) fn of(kinds: &[String]) -> String {
    if kinds.is_empty() { String::new() } else { format!(" is of {}", list(kinds)) }
}

/// The names of tables that are given, where there are some.
pub(super) fn given(tables: &[String]) -> String {
    if tables.is_empty() { String::new() } else { format!("; tables are {}", list(tables)) }
}

/// What there is instead of a function that puts values in order.
pub(super) fn in_order(name: &str) -> &'static str {
    match name {
        "sort" | "sorted" => " (smallest(1, x, y, z); smallest(2, x, y, z); … are in order)",
        "median" => " (that of three values is smallest(2, x, y, z))",
        _ => "",
    }
}

/// What a table of engine bfv is of, on values modulo this.
pub(super) fn table_of_vectors(modulus: u64) -> String {
    let others = "expected a prime modulus, the only ones of which engine bfv has tables";
    match modulus {
        prime if primes::is_prime(prime) => format!("expected {prime} entries, one for each value"),
        ..=MOST_ENTRIES => format!("{others}; take engine fhew or ckks for others"),
        _ => format!("{others}; none has tables of more than 2^{MAX_TABLE_BITS} entries, take sums and products"),
    }
}

/// The most entries of a table.
const MOST_ENTRIES: u64 = 1 << MAX_TABLE_BITS;

/// A power of a prime of so many bits that there is room for, raised to so many more digits, or another prime.
pub(super) fn smaller(exponent: u32, raised: u32, bits: f64, max_bits: f64, nearest: u64) -> String {
    let most = (max_bits / bits) as u32;
    match most.saturating_sub(raised.saturating_sub(exponent)) {
        0 if bits > 17.0 => format!("a smaller prime, such as {nearest}, the largest that has a set"),
        0 => format!("another prime, such as {nearest}"),
        1 => "the prime itself".to_string(),
        power => format!("a power of at most {power}"),
    }
}

/// A set for vectors modulo p^r that bootstraps nothing, if there is one.
pub(super) fn leveled(p: u64, r: u32) -> String {
    let power = if r == 1 { String::new() } else { format!("_{r}") };
    match p.checked_pow(r).is_some_and(|modulus| modulus < 1 << 40) {
        true => format!("; or for few products in a row slots_{p}{power}_depth_1, which bootstraps nothing"),
        false => String::new(),
    }
}

/// What to do where a set has no room for a program: the least depth that has, and its set; or the set that bootstraps.
pub(super) fn cure_of_depth(deeper: Option<&(u32, String)>, bootstrapped: Option<&str>) -> String {
    let keys = |set: &str| format!("keys of the set {set}");
    let and = bootstrapped.map(|set| format!("{}, which bootstraps", keys(set)));
    match (deeper, and) {
        (Some((depth, set)), _) => format!("it takes a depth of {depth}; make {}", keys(set)),
        (None, Some(set)) => format!("make {set}"),
        (None, None) => "take fewer products in a row".into(),
    }
}

/// Where keys come from that this algorithm or function needs beside the usual ones.
pub(super) fn keys(name: &str) -> String {
    match crate::fhew::registry::by_name(name) {
        Ok(_) => format!(
            "make one with Client::server_key_builder().algorithm({name:?}), or take an algorithm without, such as \
             \"recursive\""
        ),
        Err(_) => "take parameters for integers, whose keys have them (Params::for_integers)".into(),
    }
}

/// The widths of integers that a function has, `max` bits at most.
pub(super) fn widths(op: &str, width: u32, max: u32) -> String {
    match max {
        0 => "parameters for integers, as this set is for tables alone (Params::for_integers)".into(),
        _ if op.starts_with("floor:") && (1..=max).contains(&width) => format!("floor:K with K from 1 to {width}"),
        1 => "1 bit".into(),
        _ => format!("1 to {max} bits"),
    }
}

/// The advice for integers modulo 2, which have no room for a sign.
pub(super) fn room(width: u32) -> &'static str {
    match width {
        0 => {
            "; these have room for 0 and 1 alone: give their table more (out_bits of Lut::new), or widen them \
             (Function::Widen)"
        }
        _ => "",
    }
}

/// Where results have room for more bits than so many.
pub(super) fn of_more_bits(max: u32) -> &'static str {
    match max {
        ..17 => "; take a set for integers of more (Params::for_integers)",
        _ => "",
    }
}

/// Primes with a set: the nearest, and that with the most slots.
pub(super) fn such_as(nearest: u64) -> String {
    match (nearest, bootstrapped(nearest, 1)) {
        (65537, _) => "65537, which has the most slots".into(),
        (_, Some(_)) => format!("{nearest}, or 65537, which has the most slots"),
        (_, None) => format!(
            "{nearest} for products in a row without bootstrapping (slots_{nearest}_depth_1), or 65537, which has the \
             most slots"
        ),
    }
}

/// What the set of a power of two is, beside those of other powers.
pub(super) fn of_one_value(modulus: u64) -> &'static str {
    if modulus.is_power_of_two() { ", of one value" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::list;
    use crate::{CkksLutError, LutError};

    #[test]
    fn widths_are_those_that_there_are() {
        let of = |op: &str, width, max| LutError::Width { op: op.into(), width, max }.to_string();
        assert_eq!(of("floor:9", 8, 62), "floor:9 of 8-bit integers: expected floor:K with K from 1 to 8");
        assert_eq!(of("abs", 63, 62), "abs of 63-bit integers: expected 1 to 62 bits");
        assert!(of("abs", 4, 0).contains("expected parameters for integers, as this set is for tables alone"));
    }

    #[test]
    fn lists_have_an_end() {
        assert_eq!([list([""; 0]), list(["a"]), list(["a", "b"])], ["", "a", "a, b"]);
        assert_eq!(list(0..10), "0, 1, 2, 3, 4, 5, 6, 7, 8, 9");
        assert_eq!(list(0..9000), "0, 1, 2, 3, 4, 5, 6, 7, 8, 9 … and 8990 more");
        let found = LutError::Ckks(CkksLutError::Tables { found: vec![16; 9000], max: 256 }).to_string();
        assert!(found.contains("16, 16 … and 8990 more] entries") && found.len() < 300, "{found}");
        let found =
            LutError::Ckks(CkksLutError::DigitShape { entries: 16, digits: vec![2; 9000], most: 8 }).to_string();
        assert!(found.contains("2, 2 … and 8990 more") && found.len() < 300, "{found}");
    }
}
