//! Tables, from their files.

use std::path::{Path, PathBuf};

use bootes::{Engine, FailureTarget, Function, Interval, Kind, Lut, LutError, Params, Space};

use serde_json::{Value, json};

use crate::args::TableForm;
use crate::error::CliError;
use crate::files::Text;
use crate::integers::{Domain, List, Outside, size_in_words};
use crate::need::{MAX_BITS, MAX_TABLE_BITS, Need};
use crate::report;

mod several;

pub(crate) use several::{check_sizes, faster, with_room};

/// A table with as many entries as its inputs have values.
#[derive(Clone)]
pub(crate) struct Table {
    pub(crate) lut: Lut,
    path: PathBuf,
    /// Whether the modulus of results was left to us.
    free: bool,
    /// Whether results are residues modulo what an option says.
    modular: bool,
}

impl Table {
    /// Reads a table: entry i is the image of i.
    ///
    /// Without `--out-bits` and `--modulus` the largest entry gives the width of the results. The number of entries
    /// that is no power of two [`Self::check_whole`] refuses.
    pub(crate) fn read(text: Text, form: &TableForm) -> Result<Self, CliError> {
        Self::checked(text, form, |path, length| {
            check_length(path, length, form.modulus)?;
            Ok(form.modulus.is_some() || !length.is_power_of_two())
        })
    }

    /// A table that an expression calls, with any number of entries until [`Self::on`] says what it is of.
    pub(crate) fn of_expression(text: Text, form: &TableForm) -> Result<Self, CliError> {
        Self::checked(text, form, |path, length| {
            if !(2..=1 << MAX_TABLE_BITS).contains(&length) {
                check_length(path, length, None)?;
            }
            Ok(form.modulus.is_some() || !length.is_power_of_two())
        })
    }

    /// Whether nothing says what it is of: its number of entries is no power of two, and no modulus of `form`.
    pub(crate) fn is_of_any(&self, form: &TableForm) -> bool {
        form.modulus.is_none() && !self.entries().is_power_of_two()
    }

    /// Refuses such a table, with what to do of that which `works`, for inputs of this domain, or why nothing does; of
    /// --modulus, which may be `instead` of another option.
    pub(crate) fn check_whole(
        &self,
        form: &TableForm,
        instead: &str,
        works: impl Fn(Domain) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        if !self.is_of_any(form) {
            return Ok(());
        }
        let length = self.entries();
        let above = length.next_power_of_two();
        let wider = (above.ilog2()..=MAX_TABLE_BITS).map(|bits| 1u64 << bits);
        let below = |size: &u64| works(Domain::Below(*size)).is_ok();
        let (modulo, more) = (works(Domain::Modulo(length)), wider.clone().find(below).map(|size| size - length));
        let fewer = Some(above / 2).filter(|size| *size > 1 && below(size)).map(|size| length - size);
        let sizes = match (more, fewer) {
            (Some(more), Some(fewer)) => Some(format!("add {more} or remove {fewer}")),
            (more, fewer) => more.map(|n| format!("add {n}")).or(fewer.map(|n| format!("remove {n}"))),
        };
        let modulo = match modulo {
            Ok(()) => Some(format!("give --modulus {length}{instead} for inputs modulo {length}")),
            Err(error) if sizes.is_none() => return Err(error),
            Err(_) => None,
        };
        let cures: Vec<String> = modulo.into_iter().chain(sizes).collect();
        Err(CliError::at(
            &self.path,
            format!(
                "the table has {length} entries, not a power of two: expected 2^B entries for a B-bit input, B from 1 \
                 to {MAX_TABLE_BITS}; {}",
                cures.join(", or ")
            ),
        ))
    }

    /// The same for values of these kinds: for an integer with a power of two entries, and for residues with one for
    /// each combination.
    pub(crate) fn on(self, kinds: &[Kind]) -> Result<Self, CliError> {
        let (found, moduli) = (self.lut.values().len(), kinds.iter().filter_map(|kind| kind.modulus()));
        let combinations = moduli.clone().fold(1u64, u64::saturating_mul);
        match kinds {
            // Of a written number, among values modulo the number of entries.
            [Kind::Integers(Interval { min, max })] if min == max && !found.is_power_of_two() => {
                if !(0..found as i128).contains(min) {
                    let line = format!(
                        "the table has {found} entries, and --expr has the number {min} for it: expected 0 to {}",
                        found - 1
                    );
                    return Err(CliError::at(&self.path, line));
                }
                self.of_residues(found as u64)
            }
            [Kind::Integers(range)] => self.on_range(*range),
            // Its expression is refused.
            _ if moduli.clone().count() < kinds.len() => Ok(self),
            [Kind::Residues(p), ..] if combinations == found as u64 => self.of_residues(*p),
            _ => {
                let moduli = report::list(moduli);
                let line = format!(
                    "the table has {found} entries, and is of residues modulo {moduli}: expected {combinations}, \
                     one for each combination"
                );
                Err(CliError::at(&self.path, line))
            }
        }
    }

    /// The same with another table's entries.
    pub(crate) fn with(self, lut: Lut) -> Self {
        Self { lut, ..self }
    }

    /// The same of so many values, with any number of entries: of integers where it is a power of two and `--modulus`
    /// is not given, else of residues, whose results are modulo that number if all of them are smaller. The modulus may
    /// be that of each value, or of their combinations.
    pub(crate) fn of_several(text: Text, form: &TableForm, operands: usize) -> Result<Self, CliError> {
        let combinations = |p: &u64| u32::try_from(operands).ok().and_then(|operands| p.checked_pow(operands));
        let each = form.modulus.as_ref().and_then(combinations);
        Self::checked(text, form, |path, length| {
            if let (Some(p), Some(each), true) = (form.modulus, each, operands > 1)
                && each != length as u64
                && p != length as u64
            {
                let line = format!(
                    "the table has {length} entries, and {operands} inputs modulo {p} {each} combinations: \
                     expected an entry for each"
                );
                return Err(CliError::at(path, line));
            }
            if form.modulus.is_some() && each != Some(length as u64) || !(2..=1 << MAX_TABLE_BITS).contains(&length) {
                check_length(path, length, form.modulus)?;
            }
            Ok(form.modulus.is_some() || !length.is_power_of_two())
        })
    }

    /// The table of a file; `is_modular` checks its number of entries, and says whether it is of residues.
    fn checked(
        text: Text,
        form: &TableForm,
        is_modular: impl Fn(&Path, usize) -> Result<bool, CliError>,
    ) -> Result<Self, CliError> {
        let path = &text.path().to_path_buf();
        // The option limits an entry; without one the number of entries does, which is known at their end.
        let option = match (form.out_bits, form.out_modulus.or(form.modulus)) {
            (Some(bits), _) => Some(Limit { size: 1 << bits, option: Some(format!("--out-bits {bits}")) }),
            (None, Some(modulus)) => Some(Limit { size: modulus, option: Some(format!("a result modulo {modulus}")) }),
            (None, None) => None,
        };
        let signed = form.modulus.is_some();
        let limit = option.unwrap_or(Limit { size: 1 << MAX_TABLE_BITS, option: None });
        let domain = if signed { Domain::Modulo(limit.size) } else { Domain::Below(limit.size) };
        let Interval { min, max } = domain.range();
        let most = 1 << MAX_TABLE_BITS;
        let too_many =
            || check_length(path, most + 1, form.modulus).err().unwrap_or_else(|| CliError::at(path, "too long"));
        let List { values, outside, .. } = List::read(text, &[min..=max], most, "", too_many)?;
        let modular = is_modular(path, values.len())?;
        if let [Some(outside)] = &outside {
            return Err(entry_error(path, outside, &limit, signed));
        }
        let values: Vec<u64> = domain.reduce(values).into_iter().map(|value| value as u64).collect();
        let (free, length) = (limit.option.is_none(), values.len() as u64);
        let out_modulus = match limit.option {
            Some(_) => limit.size,
            None if modular && values.iter().all(|&value| value < length) => length,
            None => (values.iter().fold(1, |all, value| all | value) + 1).next_power_of_two(),
        };
        let lut = Lut::modular(values, out_modulus).map_err(|error| CliError::of(path, error.into()))?;
        Ok(Self { lut, path: path.clone(), free, modular })
    }

    /// The same for vectors modulo a prime, which stay modulo that prime, unless another modulus was asked for.
    pub(crate) fn on_vectors(self) -> Self {
        // Entries that are too large are refused by name when it is planned.
        let p = self.entries();
        self.modulo(p)
    }

    /// The same of residues modulo p, and others, in an expression: its results are residues modulo p, too, unless
    /// another modulus was asked for. Sums of larger ones would wrap modulo what nobody asked for.
    fn of_residues(self, p: u64) -> Result<Self, CliError> {
        match self.lut.values().iter().position(|&value| value >= p) {
            _ if !self.free => Ok(self),
            None => Ok(self.modulo(p)),
            Some(index) => {
                let (entry, width) = (self.image(index), (p - 1).max(1).ilog2() + 1);
                let line = format!(
                    "entry {index} is {entry}, and results of this table are residues modulo {p}, as what it is of: \
                     expected 0 to {}; of integers (--width {width} --unsigned in place of --bits or --modulus) it \
                     gives integers",
                    p - 1
                );
                Err(CliError::at(&self.path, line))
            }
        }
    }

    /// The same with results modulo p, where all entries are such and no other modulus was asked for.
    pub(crate) fn modulo(self, p: u64) -> Self {
        match Lut::modular(self.lut.values().to_vec(), p) {
            Ok(lut) if self.free => Self { lut, ..self },
            _ => self,
        }
    }

    /// The same for integers of a range: its results are integers too, whose sums do not wrap, unless they are modulo
    /// what an option says.
    pub(crate) fn on_integers(self) -> Self {
        match Lut::new(self.lut.values().to_vec(), self.lut.out_bits()) {
            Ok(lut) if !self.modular => Self { lut, ..self },
            _ => self,
        }
    }

    /// The same for integers of a range, with any number of entries that has one for each of them.
    fn on_range(self, range: Interval) -> Result<Self, CliError> {
        let entries = self.entries();
        if entries.is_power_of_two() {
            return Ok(self.on_integers());
        }
        if !(Interval { min: 0, max: i128::from(entries) - 1 }).holds(range) {
            return Err(CliError::of(&self.path, LutError::Domain { entries, integers: range }.into()));
        }
        if !self.free {
            let line = format!(
                "the table has {entries} entries, and is of integers from {range}, whose results are integers: leave \
                 --modulus out, or encrypt values with --modulus {entries}"
            );
            return Err(CliError::at(&self.path, line));
        }
        // Integers that there are not have entries as well.
        let mut values = self.lut.values().to_vec();
        values.resize(values.len().next_power_of_two(), 0);
        let bits = values.iter().fold(1, |all, value| all | value).ilog2() + 1;
        let lut = Lut::new(values, bits).map_err(|error| CliError::of(&self.path, error.into()))?;
        Ok(Self { lut, modular: false, ..self })
    }

    /// Number of entries.
    pub(crate) fn entries(&self) -> u64 {
        self.lut.in_modulus()
    }

    /// Whether it has an entry for each message of this kind.
    pub(crate) fn takes(&self, space: Space) -> bool {
        match space.modulus() {
            Some(p) => p == self.entries(),
            None => Interval { min: 0, max: self.entries() as i128 - 1 }.holds(space.range()),
        }
    }

    /// Entry number `index`.
    pub(crate) fn image(&self, index: usize) -> i128 {
        self.lut.values()[index] as i128
    }

    /// The function that the library is asked for.
    pub(crate) fn function(&self, algorithm: Option<&str>) -> Function {
        match algorithm {
            Some(name) => Function::TableBy(self.lut.clone(), name.into()),
            None => Function::Table(self.lut.clone()),
        }
    }

    /// Refuses the choice of an algorithm where there is none.
    pub(crate) fn check_algorithm(&self, path: &Path, algorithm: Option<&str>) -> Result<(), CliError> {
        match algorithm {
            Some(name) if self.lut.in_bits() > MAX_BITS => Err(CliError::at(
                path,
                format!(
                    "the table has {} entries, which a tree on digits evaluates, but --algorithm is {name}: leave it out",
                    self.entries()
                ),
            )),
            _ => Ok(()),
        }
    }

    /// Refuses parameters that are too noisy for it, as far as that is known before there are ciphertexts.
    pub(crate) fn check_params(&self, path: &Path, params: &Params) -> Result<(), CliError> {
        params.check(&self.lut).map_err(|error| CliError::of(path, error))
    }

    /// Adds its sizes to a report.
    pub(crate) fn describe(&self, report: &mut Value) {
        report["bits"] = json!(self.lut.in_bits());
        report["out_bits"] = json!(self.lut.out_bits());
        report["modulus"] = json!(self.entries());
        report["out_modulus"] = json!(self.lut.out_modulus());
    }

    /// "4-bit inputs, 3-bit results".
    pub(crate) fn in_words(&self) -> String {
        let [inputs, results] = [self.entries(), self.lut.out_modulus()].map(size_in_words);
        format!("{inputs} inputs, {results} results")
    }
}

/// Refuses tables of so many entries that the named set has not, or none of the named engine, or none at all.
pub(crate) fn check_sets(
    size: u64,
    named: Option<&Params>,
    engine: Option<Engine>,
    target: FailureTarget,
) -> Result<(), CliError> {
    if let Some(set) = named {
        let need = if set.modulus().is_some() { Need::VectorTables(size) } else { Need::of_modulus(size) };
        return need.check(set).map_err(|refusal| CliError::new(format!("the {refusal}: name another set")));
    }
    let engines = Engine::ALL.into_iter().filter(|&one| engine.is_none_or(|engine| engine == one));
    let mut refused = None;
    for engine in engines {
        match Params::on(engine, size, target) {
            Ok(_) => return Ok(()),
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    refused.map_or(Ok(()), |error| Err(error.into()))
}

/// The limit that entries are below.
struct Limit {
    size: u64,
    /// The option that says so.
    option: Option<String>,
}

fn entry_error(path: &Path, outside: &Outside, limit: &Limit, signed: bool) -> CliError {
    let Outside { index, line, text: word } = outside;
    // Its index is said anyway.
    let line = line.map_or(String::new(), |line| format!("line {line}: "));
    if word.starts_with('-') && !signed {
        return CliError::at(
            path,
            format!(
                "{line}entry {index} is {word}: table entries are not negative; run and eval take \
                 those of residues with --modulus in place of --bits; for integers add a constant to all entries, \
                 which bootes linear --weights 1 --constant takes off the results"
            ),
        );
    }
    let largest = limit.size - 1;
    if word.starts_with('-') {
        return CliError::at(
            path,
            format!("{line}entry {index} is {word}, expected -{largest} to {largest}; correct it"),
        );
    }
    let advice = match &limit.option {
        Some(option) => format!("{option} allows; raise it or correct the entry"),
        None => format!("tables allow (results of 1 to {MAX_TABLE_BITS} bits); correct the entry"),
    };
    CliError::at(path, format!("{line}entry {index} is {word}, more than the {largest} that {advice}"))
}

/// Checks that a table has `--modulus` entries, or else 2 to `2^MAX_TABLE_BITS`.
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
        _ => return Ok(()),
    };
    Err(CliError::at(path, format!("the table {found}: {expected}; {advice}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, form: &TableForm) -> Result<Table, String> {
        let table = Table::read(Text::of("T", text.as_bytes()), form);
        let whole = table.and_then(|table| table.check_whole(form, "", |_| Ok(())).map(|()| table));
        whole.map_err(|error| error.to_string())
    }

    fn table_of(text: &str, out_bits: Option<u32>) -> Result<Vec<i128>, String> {
        let table = read(text, &TableForm { out_bits, ..TableForm::default() })?;
        Ok((0..table.entries() as usize).map(|i| table.image(i)).collect())
    }

    #[test]
    fn tables_of_every_length() {
        for length in (0..=600usize).chain([4095, 4096, 65_536, 65_537, 1 << 20, (1 << 20) + 1]) {
            let text = vec!["1"; length].join(" ");
            let result = table_of(&text, None);
            let most = 1 << MAX_TABLE_BITS;
            if length.is_power_of_two() && (2..=most).contains(&length) {
                assert_eq!(result.unwrap().len(), length);
            } else {
                let error = result.unwrap_err();
                let named = match length {
                    0 => "empty (0 bytes)".to_string(),
                    _ if length > most => "more than 1048576 entries".to_string(),
                    _ => length.to_string(),
                };
                assert!(error.contains(&named), "{error}");
                assert_eq!(error.contains("larger tables"), length > most, "{error}");
                assert_eq!(error.contains(&format!("--modulus {length} ")), (2..most).contains(&length), "{error}");
            }
        }
    }

    #[test]
    fn moduli() {
        let form = |modulus, out_modulus| TableForm { modulus: Some(modulus), out_modulus, out_bits: None };
        let table = read("3 1 2 0 1", &form(5, None)).unwrap();
        assert_eq!((table.lut.out_modulus(), table.lut.in_bits()), (5, 3));
        assert!(table.takes(Space::Modular(5)) && !table.takes(Space::Modular(6)) && !table.takes(Space::signed(2)));
        assert_eq!(read("3 1 2 0 6", &form(5, Some(7))).unwrap().in_words(), "modulo-5 inputs, modulo-7 results");
        assert!(read("3 1 2 0 5", &form(5, None)).err().unwrap().contains("more than the 4 that a result modulo 5"));
        assert!(read("3 1 2 0", &form(5, None)).err().unwrap().contains("4 = 2^2 entries, but --modulus is 5"));
        let negative = read("3 1 2 0 -1", &form(5, None)).unwrap();
        assert_eq!((negative.image(4), negative.lut.out_modulus()), (4, 5));
        assert!(read("3 1 2 0 -5", &form(5, None)).err().unwrap().contains("entry 4 is -5, expected -4 to 4"));
        let long: Vec<String> = (0..1000).map(|i| (i * 7 % 1000).to_string()).collect();
        let table = read(&long.join("\n"), &form(1000, None)).unwrap();
        assert_eq!((table.entries(), table.lut.out_bits()), (1000, 10));
        assert!(table.takes(Space::unsigned(9)) && !table.takes(Space::unsigned(10)) && !table.takes(Space::signed(9)));
        assert_eq!(table.image(999), 993);
    }

    #[test]
    fn table_entries_are_checked_with_their_line() {
        let negative = table_of("0\n1 -1 2", None).unwrap_err();
        assert!(negative.starts_with("T: line 2: entry 2 is -1: table entries are not negative; "), "{negative}");
        assert_eq!(table_of("0\n511", None).unwrap(), [0, 511]);
        let error = table_of("0\n1048576", None).unwrap_err();
        assert!(error.contains("line 2: entry 1 is 1048576, more than the 1048575"), "{error}");
        assert!(table_of("0\n4", Some(2)).unwrap_err().contains("entry 1 is 4, more than the 3 that --out-bits 2"));
        assert_eq!(table_of("0\n4", Some(9)).unwrap(), [0, 4]);
        assert!(table_of("0 99999999999999999999", None).unwrap_err().contains("more than"));
        assert!(table_of("0 1\n\nz", None).unwrap_err().contains("line 3: \"z\" is not an integer"));
        assert_eq!(table_of("3 0", Some(2)).unwrap(), [3, 0]);
        let large = vec!["65535"; 512].join(" ");
        assert!(table_of(&large, Some(16)).is_ok() && table_of(&large, Some(15)).unwrap_err().contains("32767"));
    }
}
