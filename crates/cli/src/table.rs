//! Tables of every kind, from their files.

use std::path::Path;

use bootes::fhew::{Candidate, Ciphertexts, Client, Params, Plan, Server};
use bootes::{FailureTarget, Interval, LargeLut, Lut, LutError, Space};

use serde_json::{Value, json};

use crate::args::{Need, TableForm};
use crate::error::CliError;
use crate::files::Text;
use crate::integers::{List, MAX_BITS, MAX_TABLE_BITS, Outside};

/// A table with as many entries as its inputs have values.
pub(crate) struct Table {
    kind: Kind,
    /// As the file has them: a table on digits has zeros after them.
    entries: usize,
    /// Results are less.
    out_modulus: u64,
}

enum Kind {
    /// On messages modulo the number of entries, for one bootstrap.
    Small(Lut),
    /// On the digits of integers.
    Large(LargeLut),
}

/// What holds messages 0 to p − 1: those of large p are integers, for tables on digits.
pub(crate) fn need(p: u64) -> Need {
    let bits = p.next_power_of_two().ilog2();
    if p <= 1 << MAX_BITS { Need::Messages(bits) } else { Need::Digits(bits) }
}

/// Encrypts messages 0 to p − 1.
pub(crate) fn encrypt(client: &Client, values: &[i64], p: u64) -> Result<Ciphertexts, bootes::Error> {
    match need(p) {
        Need::Digits(bits) => client.encrypt_within(values, 0..=p as i64 - 1, bits),
        _ => client.encrypt_modulo(&values.iter().map(|&value| value as u64).collect::<Vec<_>>(), p),
    }
}

/// "4-bit", or "modulo 10".
pub(crate) fn size_in_words(modulus: u64) -> String {
    match modulus.is_power_of_two() {
        true => format!("{}-bit", modulus.ilog2()),
        false => format!("modulo-{modulus}"),
    }
}

impl Table {
    /// Reads a table: entry i is the image of i.
    ///
    /// Without `--out-bits` and `--modulus` the largest entry gives the width of the results.
    pub(crate) fn read(text: Text, form: &TableForm) -> Result<Self, CliError> {
        let path = &text.path().to_path_buf();
        // The option limits an entry; without one the number of entries does, which is known at their end.
        let option = match (form.out_modulus.or(form.modulus), form.out_bits) {
            (Some(modulus), _) => Some(Limit { size: modulus, option: Some(format!("a result modulo {modulus}")) }),
            (None, Some(bits)) => Some(Limit { size: 1 << bits, option: Some(format!("--out-bits {bits}")) }),
            (None, None) => None,
        };
        let sizes = option.as_ref().map_or([1 << MAX_BITS, 1 << MAX_TABLE_BITS], |limit| [limit.size; 2]);
        let ranges = sizes.map(|size| 0..=i128::from(size) - 1);
        let most = 1 << MAX_TABLE_BITS;
        let too_many =
            || check_length(path, most + 1, form.modulus).err().unwrap_or_else(|| CliError::at(path, "too long"));
        let List { values, outside } = List::read(text, &ranges, most, too_many)?;
        check_length(path, values.len(), form.modulus)?;
        let large = values.len() > 1 << MAX_BITS;
        let most = if large { MAX_TABLE_BITS } else { MAX_BITS };
        if let Some(bits) = form.out_bits.filter(|&bits| bits > most) {
            return Err(CliError::at(
                path,
                format!(
                    "--out-bits is {bits}, but tables of at most 2^{MAX_BITS} entries have results of 1 to {most} bits"
                ),
            ));
        }
        let limit = option.unwrap_or(Limit { size: 1 << most, option: None });
        if let Some(outside) = &outside[usize::from(large)] {
            return Err(entry_error(path, outside, &limit, most));
        }
        let mut values: Vec<u64> = values.into_iter().map(|value| value as u64).collect();
        let out_modulus = match limit.option {
            Some(_) => limit.size,
            None => (values.iter().fold(1, |all, value| all | value) + 1).next_power_of_two(),
        };
        let entries = values.len();
        let kind = if large {
            values.resize(entries.next_power_of_two(), 0);
            LargeLut::new(values, out_modulus.next_power_of_two().ilog2().max(2)).map(Kind::Large)
        } else {
            Lut::modular(values, out_modulus).map(Kind::Small)
        };
        Ok(Self { kind: kind.map_err(|error| CliError::at(path, error))?, entries, out_modulus })
    }

    /// Number of entries.
    pub(crate) fn entries(&self) -> u64 {
        self.entries as u64
    }

    /// Bits of the inputs.
    pub(crate) fn in_bits(&self) -> u32 {
        self.entries.next_power_of_two().ilog2()
    }

    /// Bits of the results.
    pub(crate) fn out_bits(&self) -> u32 {
        self.out_modulus.next_power_of_two().ilog2()
    }

    /// Whether it has an entry for each message of this kind, and takes that kind.
    pub(crate) fn takes(&self, space: Space) -> bool {
        let entries = Interval { min: 0, max: self.entries as i64 - 1 };
        match (&self.kind, space) {
            (Kind::Small(lut), Space::Modular(p)) => p == lut.in_modulus(),
            (Kind::Small(_), Space::Integers(integers)) => {
                entries.holds(integers.range()) && integers.width() < MAX_BITS && space.limbs() == 1
            }
            (Kind::Large(_), Space::Integers(integers)) => entries.holds(integers.range()) && space.limbs() == 1,
            _ => false,
        }
    }

    /// The table on digits of these integers that it is, where one bootstrap does not take them.
    pub(crate) fn for_inputs(self, space: Space, params: &Params) -> Result<Self, LutError> {
        let long = space.integers().is_some_and(|integers| integers.width() >= params.bits().min(MAX_BITS));
        match self.kind {
            Kind::Small(lut) if long && lut.values().len() >= 4 && self.out_modulus.is_power_of_two() => {
                let mut values = lut.values().to_vec();
                values.resize(self.entries.next_power_of_two(), 0);
                let large = LargeLut::new(values, self.out_modulus.ilog2().max(2))?;
                Ok(Self { kind: Kind::Large(large), ..self })
            }
            kind => Ok(Self { kind, ..self }),
        }
    }

    /// What holds its inputs and results.
    pub(crate) fn need(&self) -> Need {
        let bits = self.in_bits().max(self.out_bits());
        match &self.kind {
            Kind::Small(_) => Need::Messages(bits),
            Kind::Large(_) => Need::Digits(bits),
        }
    }

    /// Entry number `index`.
    pub(crate) fn image(&self, index: usize) -> i64 {
        let values = match &self.kind {
            Kind::Small(lut) => lut.values(),
            Kind::Large(lut) => lut.values(),
        };
        values[index] as i64
    }

    /// The table of one bootstrap, if it is one.
    pub(crate) fn small(&self) -> Option<&Lut> {
        match &self.kind {
            Kind::Small(lut) => Some(lut),
            Kind::Large(_) => None,
        }
    }

    /// The table of the batch engine, which needs no digits.
    pub(crate) fn batch(&self) -> Result<Lut, LutError> {
        match &self.kind {
            Kind::Small(lut) => Ok(lut.clone()),
            Kind::Large(lut) => Lut::batch(lut.values()[..self.entries].to_vec(), self.out_modulus),
        }
    }

    /// What every algorithm of one value at a time with every default set is predicted to take.
    pub(crate) fn candidates(&self, target: FailureTarget) -> Vec<Candidate> {
        match &self.kind {
            Kind::Small(lut) => bootes::fhew::candidates(lut, target),
            Kind::Large(lut) => bootes::fhew::large_candidates(lut, target),
        }
    }

    /// Refuses the choice of an algorithm where there is none.
    pub(crate) fn check_algorithm(&self, path: &Path, algorithm: Option<&str>) -> Result<(), CliError> {
        match (&self.kind, algorithm) {
            (Kind::Large(_), Some(name)) => Err(CliError::at(
                path,
                format!(
                    "the table has {} entries, which a tree on digits evaluates, but --algorithm is {name}: leave it out",
                    self.entries
                ),
            )),
            _ => Ok(()),
        }
    }

    /// Refuses parameters that are too noisy for it, as far as that is known before there are ciphertexts.
    pub(crate) fn check_params(&self, path: &Path, params: &Params) -> Result<(), CliError> {
        match &self.kind {
            Kind::Small(_) => Ok(()),
            Kind::Large(lut) => params.check_large(lut).map_err(|error| CliError::at(path, error)),
        }
    }

    /// Plans it for these ciphertexts.
    pub(crate) fn plan(
        &self,
        server: &Server,
        ciphertexts: &Ciphertexts,
        algorithm: Option<&str>,
    ) -> Result<Plan, bootes::Error> {
        match &self.kind {
            Kind::Small(lut) => server.plan(lut, ciphertexts, algorithm),
            Kind::Large(lut) => server.plan_large(lut, ciphertexts),
        }
    }

    /// Adds its sizes to a report.
    pub(crate) fn describe(&self, report: &mut Value) {
        report["bits"] = json!(self.in_bits());
        report["out_bits"] = json!(self.out_bits());
        report["modulus"] = json!(self.entries());
        report["out_modulus"] = json!(self.out_modulus);
    }

    /// "4-bit inputs, 3-bit results".
    pub(crate) fn in_words(&self) -> String {
        let [inputs, results] = [self.entries(), self.out_modulus].map(size_in_words);
        format!("{inputs} inputs, {results} results")
    }
}

/// What entries are below.
struct Limit {
    size: u64,
    /// The option that says so.
    option: Option<String>,
}

fn entry_error(path: &Path, outside: &Outside, limit: &Limit, most: u32) -> CliError {
    let Outside { index, line, text: word } = outside;
    if word.starts_with('-') {
        return CliError::at(
            path,
            format!(
                "line {line}: entry {index} is {word}: table entries are not negative; write it modulo the size of the results"
            ),
        );
    }
    let largest = limit.size - 1;
    let advice = match &limit.option {
        Some(option) => format!("{option} allows; raise it or correct the entry"),
        None => format!("tables of so many entries allow (results of 1 to {most} bits); correct the entry"),
    };
    CliError::at(path, format!("line {line}: entry {index} is {word}, more than the {largest} that {advice}"))
}

/// Checks that a table has `--modulus` entries, or else `2^1` to `2^MAX_TABLE_BITS`.
fn check_length(path: &Path, length: usize, modulus: Option<u64>) -> Result<(), CliError> {
    let largest = 1usize << MAX_TABLE_BITS;
    let found = match length {
        0 => "holds no entries".to_string(),
        1 => "has 1 entry".to_string(),
        _ if length > largest => format!("has more than {largest} entries"),
        _ if length.is_power_of_two() => format!("has {length} = 2^{} entries", length.ilog2()),
        _ => format!("has {length} entries"),
    };
    if let Some(modulus) = modulus {
        return match length as u64 == modulus {
            true => Ok(()),
            false => Err(CliError::at(
                path,
                format!("the table {found}, but --modulus is {modulus}: give one entry a residue"),
            )),
        };
    }
    let expected = format!("expected 2^B entries for a B-bit input, B from 1 to {MAX_TABLE_BITS}");
    let advice = match length {
        0 | 1 => "give at least 2".to_string(),
        _ if length > largest => "larger tables are not in this version: shorten it".to_string(),
        _ if length.is_power_of_two() => return Ok(()),
        _ => {
            let above = length.next_power_of_two();
            format!(
                "add {} or remove {}, or give --modulus {length} for inputs modulo {length}",
                above - length,
                length - above / 2
            )
        }
    };
    let kind = if (2..=largest).contains(&length) && !length.is_power_of_two() { ", not a power of two" } else { "" };
    Err(CliError::at(path, format!("the table {found}{kind}: {expected}; {advice}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, form: &TableForm) -> Result<Table, String> {
        Table::read(Text::of("T", text.as_bytes()), form).map_err(|error| error.to_string())
    }

    fn table_of(text: &str, out_bits: Option<u32>) -> Result<Vec<i64>, String> {
        let table = read(text, &TableForm { out_bits, ..TableForm::default() })?;
        Ok((0..table.entries).map(|i| table.image(i)).collect())
    }

    #[test]
    fn tables_of_every_length() {
        for length in (0..=600usize).chain([4095, 4096, 65_536, 65_537, 1 << 17]) {
            let text = vec!["1"; length].join(" ");
            let result = table_of(&text, None);
            if length.is_power_of_two() && (2..=65_536).contains(&length) {
                assert_eq!(result.unwrap().len(), length);
            } else {
                let error = result.unwrap_err();
                let named = match length {
                    0 => "empty (0 bytes)".to_string(),
                    65_537.. => "more than 65536 entries".to_string(),
                    _ => length.to_string(),
                };
                assert!(error.contains(&named), "{error}");
                assert_eq!(error.contains("larger tables"), length > 65_536, "{error}");
                assert_eq!(error.contains(&format!("--modulus {length} ")), (2..65_536).contains(&length), "{error}");
            }
        }
    }

    #[test]
    fn moduli() {
        let form = |modulus, out_modulus| TableForm { modulus: Some(modulus), out_modulus, out_bits: None };
        let table = read("3 1 2 0 1", &form(5, None)).unwrap();
        assert_eq!((table.out_modulus, table.in_bits(), table.need()), (5, 3, Need::Messages(3)));
        assert!(table.takes(Space::Modular(5)) && !table.takes(Space::Modular(6)) && !table.takes(Space::signed(2)));
        assert_eq!(read("3 1 2 0 6", &form(5, Some(7))).unwrap().in_words(), "modulo-5 inputs, modulo-7 results");
        assert!(read("3 1 2 0 5", &form(5, None)).err().unwrap().contains("more than the 4 that a result modulo 5"));
        assert!(read("3 1 2 0", &form(5, None)).err().unwrap().contains("4 = 2^2 entries, but --modulus is 5"));
        let long: Vec<String> = (0..1000).map(|i| (i * 7 % 1000).to_string()).collect();
        let table = read(&long.join("\n"), &form(1000, None)).unwrap();
        assert_eq!((table.entries(), table.out_bits()), (1000, 10));
        assert!(table.takes(Space::unsigned(9)) && !table.takes(Space::unsigned(10)) && !table.takes(Space::signed(9)));
        assert_eq!((table.image(999), table.need()), (993, Need::Digits(10)));
    }

    #[test]
    fn table_entries_are_checked_with_their_line() {
        assert_eq!(
            table_of("0\n1 -1 2", None).unwrap_err(),
            "T: line 2: entry 2 is -1: table entries are not negative; write it modulo the size of the results"
        );
        assert!(table_of("0\n256", None).unwrap_err().contains("line 2: entry 1 is 256, more than the 255"));
        assert!(table_of("0\n4", Some(2)).unwrap_err().contains("entry 1 is 4, more than the 3 that --out-bits 2"));
        assert!(table_of("0\n4", Some(9)).unwrap_err().contains("--out-bits is 9"));
        assert!(table_of("0 99999999999999999999", None).unwrap_err().contains("more than"));
        assert!(table_of("0 1\n\nz", None).unwrap_err().contains("line 3: \"z\" is not an integer"));
        assert_eq!(table_of("3 0", Some(2)).unwrap(), [3, 0]);
        let large = vec!["65535"; 512].join(" ");
        assert!(table_of(&large, Some(16)).is_ok() && table_of(&large, Some(15)).unwrap_err().contains("32767"));
    }
}
