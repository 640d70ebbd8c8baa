//! The readers of texts of users, as functions of bytes: for tests and fuzzers, no interface of the command.
#![allow(missing_docs, reason = "no interface: names say what is read")]

use bootes::{Interval, Lut, Program};

use crate::args::TableForm;
use crate::error::CliError;
use crate::files::Text;
use crate::integers::{Domain, Or};
use crate::npy::{self, Array};
use crate::table::Table;
use crate::{columns, integers, named};

type Found<T> = Result<T, String>;

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn line(error: CliError) -> String {
    error.to_string()
}

/// A text of which so many bytes are read at once.
fn text(bytes: &[u8], piece: usize) -> Text {
    Text::of_bytes("X", bytes.to_vec(), piece)
}

pub fn npy(bytes: &[u8], piece: usize) -> Found<Vec<i128>> {
    let mut text = text(bytes, piece);
    if !npy::is_array(&mut text).map_err(line)? {
        return Err("it does not begin as an array".into());
    }
    let (array, mut values) = (Array::new(text).map_err(line)?, Vec::new());
    let take = |some: &[i128]| {
        values.extend_from_slice(some);
        Ok(())
    };
    array.for_each(take).map(|()| values).map_err(line)
}

pub fn npy_of(values: &[i128]) -> Found<Vec<u8>> {
    npy::output(values).map_err(line)
}

pub fn csv(bytes: &[u8], piece: usize, names: &[String], [min, max]: [i128; 2]) -> Found<Vec<Vec<i128>>> {
    let ranges = vec![Interval { min, max }; names.len()];
    columns::read(text(bytes, piece), names, &ranges, &integers::no_cures).map_err(line)
}

/// Values below `size`, and the name of their format.
pub fn integers(
    bytes: &[u8],
    piece: usize,
    size: u64,
    modular: bool,
    as_bytes: bool,
) -> Found<(Vec<i128>, &'static str)> {
    let domain = if modular { Domain::Modulo(size) } else { Domain::Below(size) };
    let read = integers::input(text(bytes, piece), domain, as_bytes, Or::default());
    read.map(|(values, format)| (values, format.name())).map_err(line)
}

pub fn table(
    bytes: &[u8],
    piece: usize,
    modulus: Option<u64>,
    out_modulus: Option<u64>,
    out_bits: Option<u32>,
) -> Found<Lut> {
    let form = TableForm { out_bits, modulus, out_modulus };
    let table = Table::read(text(bytes, piece), &form).map_err(line)?;
    table.check_whole(&form, "", |_| Ok(())).map_err(line).map(|()| table.lut)
}

pub fn program(text: &str, inputs: usize) -> Found<Program> {
    let program = named::program(text, &[]).map_err(line)?;
    named::check_inputs(&program, inputs, ("file", "give an --input for each")).map_err(line).map(|()| program)
}
