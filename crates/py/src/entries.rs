//! The entries of tables, as Python has them: arrays, dictionaries, callables.
use crate::encrypted::Encrypted;
use crate::error;
use crate::function::{MAX_ENTRIES, modulus_of, range_of};
use crate::number::shown;
use crate::values::{array, integers};
use bootes::{Interval, Kind, MultivariateLut};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::{PyMapping, PyString, PyTuple};

/// The entries of a table, as they were found.
pub(crate) struct Entries {
    pub(crate) values: Vec<i64>,
    /// Where from, for refusals.
    pub(crate) words: &'static str,
    /// What the first one is for.
    pub(crate) first: i64,
    /// Of several, how many values each of them has.
    pub(crate) sizes: Vec<u64>,
    /// Where values of several begin.
    starts: Vec<u64>,
}

impl Entries {
    /// What entry number `index` is for, in words.
    pub(crate) fn place(&self, index: usize) -> String {
        let mut rest = index as u64;
        let mut values: Vec<String> = Vec::with_capacity(self.sizes.len());
        for (size, start) in self.sizes.iter().zip(&self.starts).rev() {
            values.push((start + rest % size).to_string());
            rest /= size;
        }
        values.reverse();
        match &values[..] {
            [] => format!("x = {}", self.first + index as i64),
            values => format!("({})", values.join(", ")),
        }
    }
}

impl Entries {
    /// Those of several as an array has them, with 0 for integers below where values begin; None if it is long.
    pub(crate) fn padded(&self) -> Option<(Vec<u64>, Vec<i64>)> {
        let sizes: Vec<u64> = self.sizes.iter().zip(&self.starts).map(|(size, start)| size + start).collect();
        let entry = |x: &[u64]| {
            let mut own = x.iter().zip(&self.starts).zip(&self.sizes);
            let index = own.try_fold(0, |at, ((x, start), size)| Some(at * size + x.checked_sub(*start)?));
            index.map_or(0, |index| self.values[index as usize])
        };
        let all = sizes.iter().try_fold(1u64, |all, &size| all.checked_mul(size))?;
        (all <= 4 * MAX_ENTRIES).then(|| (sizes.clone(), MultivariateLut::images(&sizes, entry)))
    }
}

/// The entries that a Python object has for inputs of this range.
pub(crate) fn entries(f: &Bound<'_, PyAny>, kind: Kind) -> PyResult<Entries> {
    let (py, range) = (f.py(), range_of(kind));
    if f.is_instance_of::<Encrypted>() {
        return Err(error::dtype(
            py,
            "an encrypted array in place of a table: the function comes first, evaluate(f, x)",
        ));
    }
    // An array has its first entry at 0; a function, a dictionary where the integers begin.
    match f.cast::<PyMapping>() {
        Ok(mapping) if !f.hasattr("__array__")? => Ok(Entries {
            values: looked_up(mapping, domain(py, kind)?)?,
            words: "the table has",
            first: range.min as i64,
            sizes: Vec::new(),
            starts: Vec::new(),
        }),
        _ if f.is_callable() => Ok(Entries {
            values: called(f, domain(py, kind)?)?,
            words: "the function gives",
            first: range.min as i64,
            sizes: Vec::new(),
            starts: Vec::new(),
        }),
        _ => {
            // Of more axes than one, that is refused.
            let is_flat = !f.get_item(0).is_ok_and(|first| first.hasattr("__len__").unwrap_or(false));
            if let Some(len) = length(f).filter(|_| is_flat) {
                check_length(py, kind, len)?;
            }
            Ok(Entries {
                values: listed(f, "the table has", 0)?,
                words: "the table has",
                first: 0,
                sizes: Vec::new(),
                starts: Vec::new(),
            })
        }
    }
}

/// How many entries an object has, before they are there; None of what has no length.
fn length(f: &Bound<'_, PyAny>) -> Option<u64> {
    match f.call_method0("__len__") {
        Ok(len) => Some(len.extract().unwrap_or(u64::MAX)),
        // Of a range that is longer than any memory.
        Err(error) if error.is_instance_of::<PyOverflowError>(f.py()) => Some(u64::MAX),
        Err(_) => None,
    }
}

/// Refuses an array of another length than a table on these inputs has.
fn check_length(py: Python<'_>, kind: Kind, len: u64) -> PyResult<()> {
    let many = match len {
        u64::MAX => "more than 2^63 entries".to_string(),
        1 => "1 entry".to_string(),
        len => format!("{len} entries"),
    };
    match modulus_of(kind) {
        _ if len == 0 => Ok(()),
        // Those that are kept as integers have entries of all their bits.
        Some(p) if len == p || len == p.next_power_of_two() && len <= MAX_ENTRIES => Ok(()),
        Some(p) => {
            let cure = match len < p {
                true if len == 1 => "give the others, too".to_string(),
                true => format!("give the others, too, or take residues modulo {len}"),
                false => {
                    format!("take the first {p}, f[:{p}], or a function or a dictionary, whose others are left out")
                }
            };
            let what = format!("a table of {many}: expected {p}, one for each of 0 to {}; {cure}", p - 1);
            Err(error::argument(py, what))
        }
        None if len > MAX_ENTRIES => {
            let what = format!(
                "a table of {many}: expected 2^20 at most; take inputs of fewer values (within=), or in an \
                 expression a table of each part, as f(x % 1024) and g(x / 1024 % 1024)"
            );
            Err(error::argument(py, what))
        }
        None => Ok(()),
    }
}

/// Entries of tables of several integers in expressions: what one bootstrap takes.
const MAX_PAIRS: u64 = 1 << 16;

/// An entry for each combination of values of these kinds: of as many bits as each takes, or in their ranges.
pub(crate) fn entries_of_several(f: &Bound<'_, PyAny>, kinds: &[Kind], of_ranges: bool) -> PyResult<Entries> {
    let py = f.py();
    let size = |&kind: &Kind| match (modulus_of(kind), range_of(kind)) {
        (Some(p), _) => Ok(p),
        (None, Interval { min: min @ 0.., max }) if of_ranges => Ok(((max - min) as u64).saturating_add(1)),
        (None, Interval { min: 0.., max }) => Ok((max.max(1) as u64).saturating_add(1).next_power_of_two()),
        (None, Interval { min, .. }) => {
            let what = format!(
                "a table of several integers, and one may be negative, {min} at least: expected integers from 0 on; \
                 add {0} to it, as f(x + {0}, y), and take that off in f",
                -min
            );
            Err(error::argument(py, what))
        }
    };
    let sizes = kinds.iter().map(size).collect::<PyResult<Vec<_>>>()?;
    let start = |&kind: &Kind| if of_ranges { range_of(kind).min as u64 } else { 0 };
    let starts: Vec<u64> = kinds.iter().map(start).collect();
    let entries = sizes.iter().try_fold(1u64, |all, &size| all.checked_mul(size));
    let (most, parts) =
        if of_ranges { (MAX_PAIRS, ", or parts of them, as f(x % 256, y % 256)") } else { (MAX_ENTRIES, "") };
    if entries.is_none_or(|entries| entries > most) {
        let what = format!(
            "a table of {sizes:?} values: expected 2^{} combinations at most; take inputs of fewer values \
             (within=){parts}, or an expression in place of a table",
            most.ilog2()
        );
        return Err(error::argument(py, what));
    }
    let value = |x: &[u64]| -> Vec<u64> { x.iter().zip(&starts).map(|(x, start)| x + start).collect() };
    let values = match f.is_callable() {
        true => {
            check_arguments(f, kinds.len())?;
            let image = |x: &[u64]| {
                let x = value(x);
                // Inputs that there are not have entries as well.
                let is_one = |(&x, &kind): (&u64, &Kind)| {
                    let range = range_of(kind);
                    (range.min..=range.max).contains(&x.into())
                };
                if !x.iter().zip(kinds).all(is_one) {
                    return Ok(0);
                }
                let image = f.call1(PyTuple::new(py, &x)?)?;
                let place = x.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
                integer(&image)
                    .map_err(|_| not_an_integer("the function gives", &image, &format!("({place})"), ROUNDED))
            };
            MultivariateLut::images(&sizes, image).into_iter().collect::<PyResult<Vec<_>>>()?
        }
        false => {
            let array = py.import("bootes._integers")?.call_method1("even", (f,))?;
            let shape: Vec<u64> = array.getattr("shape")?.extract()?;
            let own: Vec<u64> = kinds.iter().map(|&kind| range_of(kind).max as u64 + 1).collect();
            let full: Vec<u64> = own.iter().map(|size| size.max(&2).next_power_of_two()).collect();
            let full = if of_ranges { &full } else { &sizes };
            if shape != *full && shape != own {
                let or = if own == *full { String::new() } else { format!(" or {own:?}") };
                let what = format!("a table of shape {shape:?}, expected {full:?}{or}: an axis for each input");
                return Err(error::argument(py, what));
            }
            let values = listed(&array.call_method0("ravel")?, "the table has", 0)?;
            // Integers that there are not have entries as well.
            let entry = |x: &[u64]| {
                let index =
                    value(x).iter().zip(&shape).try_fold(0, |at, (&x, &size)| (x < size).then_some(at * size + x));
                index.map_or(0, |index| values[index as usize])
            };
            MultivariateLut::images(&sizes, entry)
        }
    };
    let words = if f.is_callable() { "the function gives" } else { "the table has" };
    Ok(Entries { values, words, first: 0, sizes, starts })
}

/// The integers that a table has entries for.
fn domain(py: Python<'_>, kind: Kind) -> PyResult<std::ops::RangeInclusive<i64>> {
    let range = range_of(kind);
    let [min, max] = [range.min, range.max].map(|end| i64::try_from(end).ok());
    match (range.max.checked_sub(range.min), min, max) {
        (Some(last), Some(min), Some(max)) if last < MAX_ENTRIES.into() => Ok(min..=max),
        _ if kind.range().is_none() => {
            let what = format!(
                "a table has an entry for each residue, 2^20 at most, and these are modulo {}: they have sums and \
                 products",
                range.max + 1
            );
            Err(error::argument(py, what))
        }
        _ => {
            let (min, max) = (range.min, range.max);
            let what = format!(
                "a table on values from {min} to {max}: expected 2^20 at most; take inputs of fewer values (within=), \
                 or in an expression a table of each part, as f(x % 1024) and g(x / 1024 % 1024)"
            );
            Err(error::argument(py, what))
        }
    }
}

fn looked_up(table: &Bound<'_, PyMapping>, domain: std::ops::RangeInclusive<i64>) -> PyResult<Vec<i64>> {
    let py = table.py();
    let (min, max) = (*domain.start(), *domain.end());
    let entry = |x: i64| {
        let none = |_| {
            let are_texts = || table.keys()?.get_item(0).map(|key| key.is_instance_of::<PyString>());
            let cure = match are_texts() {
                Ok(true) => ": texts and categories are their codes, as {frame.code('town', 'Ulm'): 5, …}",
                _ => "",
            };
            let what = format!("the table has no entry for x = {x}, expected one for each of {min} to {max}{cure}");
            error::argument(py, what)
        };
        let entry = table.get_item(x).map_err(none)?;
        integer(&entry).map_err(|_| not_an_integer("the table has", &entry, &format!("x = {x}"), ROUNDED))
    };
    domain.map(entry).collect()
}

/// The images of a function: of a universal function at once.
fn called(f: &Bound<'_, PyAny>, domain: std::ops::RangeInclusive<i64>) -> PyResult<Vec<i64>> {
    let py = f.py();
    check_arguments(f, 1)?;
    let numpy = py.import("numpy")?;
    if f.is_instance(&numpy.getattr("ufunc")?)? {
        let (first, numbers): (i64, Vec<i64>) = (*domain.start(), domain.collect());
        let count = numbers.len();
        return listed(&f.call1((array(py, numbers, &[count])?,))?, "the function gives", first);
    }
    let image = |x: i64| {
        let image = f.call1((x,)).inspect_err(|error| {
            // Versions before 3.11 have no notes.
            let _ = error.value(py).call_method1("add_note", (format!("as a table: for x = {x}"),));
        })?;
        integer(&image).map_err(|_| not_an_integer("the function gives", &image, &format!("x = {x}"), ROUNDED))
    };
    domain.map(image).collect()
}

/// Refuses a function of another number of arguments, where it tells how many it has.
fn check_arguments(f: &Bound<'_, PyAny>, count: usize) -> PyResult<()> {
    let py = f.py();
    let has = match f.getattr("nin") {
        // A ufunc.
        Ok(inputs) => inputs.extract::<usize>()?,
        Err(_) => {
            let Ok(signature) = py.import("inspect")?.call_method1("signature", (f,)) else { return Ok(()) };
            if signature.call_method1("bind", PyTuple::new(py, 0..count)?).is_ok() {
                return Ok(());
            }
            signature.getattr("parameters")?.len()?
        }
    };
    if has == count {
        return Ok(());
    }
    let arguments = |count: usize| format!("{count} argument{}", if count == 1 { "" } else { "s" });
    let what = format!(
        "a function of {} where one of {} is expected: one of several takes as many arrays, Server.evaluate(f, x, y)",
        arguments(has),
        arguments(count)
    );
    Err(error::dtype(py, what))
}

/// The entries of an array of one axis, of which the first is for `first`.
fn listed(object: &Bound<'_, PyAny>, words: &str, first: i64) -> PyResult<Vec<i64>> {
    let py = object.py();
    let array = py.import("bootes._integers")?.call_method1("even", (object,))?;
    let shape: Vec<usize> = array.getattr("shape")?.extract()?;
    if shape.is_empty() {
        let (kind, shown) = (object.get_type().name()?, shown(object));
        let what = format!(
            "{shown} ({kind}) in place of a table: expected a function, an array, a list, a dictionary, or a text, as \
             \"x + 1\""
        );
        return Err(error::dtype(py, what));
    }
    if shape.len() != 1 {
        return Err(error::argument(py, format!("a table of shape {shape:?}: expected one axis")));
    }
    if shape[0] == 0 {
        return Err(error::argument(py, "a table without entries: give one for each value"));
    }
    let place = |index: usize| format!("x = {}", i128::from(first) + index as i128);
    match array.getattr("dtype")?.getattr("kind")?.extract::<char>()? {
        // It is refused, by what shows best why.
        'f' => {
            let values: Vec<f64> = array.call_method0("tolist")?.extract()?;
            let index = values.iter().position(|value| value.fract() != 0.0).unwrap_or(0);
            let shown = array.get_item(index)?.call_method0("item")?;
            Err(not_an_integer(words, &shown, &place(index), "np.rint(…).astype(int)"))
        }
        'O' => {
            let entry = |(index, entry): (usize, PyResult<Bound<'_, PyAny>>)| {
                let entry = entry?;
                integer(&entry).map_err(|_| not_an_integer(words, &entry, &place(index), ROUNDED))
            };
            array.try_iter()?.enumerate().map(entry).collect()
        }
        _ => Ok(integers(&array, "entries of a table are")?.values.to_vec()),
    }
}

fn integer(value: &Bound<'_, PyAny>) -> PyResult<i64> {
    // NumPy's truths are no integers to Python.
    let kind = value.get_type().name()?;
    match kind.to_str()? {
        "bool" | "bool_" => Ok(i64::from(value.is_truthy()?)),
        _ => value.extract(),
    }
}

/// What rounds a number.
const ROUNDED: &str = "int(round(…))";

/// The refusal of an entry, which is for this place.
fn not_an_integer(words: &str, value: &Bound<'_, PyAny>, place: &str, rounded: &str) -> PyErr {
    let kind = value.get_type().name().map_or_else(|_| "?".into(), |name| name.to_string());
    let is_finite = value.extract::<f64>().is_ok_and(f64::is_finite);
    let cure = match value.hasattr("__index__").unwrap_or(false) {
        // Of what is one, and too large, or an array of one.
        true if value.hasattr("ndim").unwrap_or(false) => "its only one, as x.item()",
        true => "one from -2^63 to 2^63 - 1",
        false if value.is_none() => "another: a function without return gives None",
        false if is_finite && !value.is_instance_of::<PyString>() => rounded,
        false => "a whole number for it",
    };
    error::dtype(
        value.py(),
        format!("{words} {} ({kind}) for {place}, expected an integer of 64 bits: take {cure}", shown(value)),
    )
}
