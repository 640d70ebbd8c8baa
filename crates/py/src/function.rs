//! Functions from Python: tables as arrays, dictionaries, callables; others by name.
use crate::entries::{Entries, entries, entries_of_several};
use crate::error;
use crate::expression::check_count;
use crate::number::{Number, Optional};
use crate::values::array;
use crate::work::caught;
use bootes::{Ciphertexts, Function, Interval, Kind, Lut, LutError, MultivariateLut, Program, Space};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::collections::{BTreeSet, HashMap};

/// Entries of the largest table.
pub(crate) const MAX_ENTRIES: u64 = 1 << 20;

/// Bits of the longest results of a table.
const MAX_TABLE_BITS: u32 = 20;

/// The moduli of results.
const MODULI: &str = "2 to 2^32";
const MAX_MODULUS: u64 = 1 << 32;

/// How results are kept, where that is asked for.
#[derive(Clone, Copy)]
pub(crate) struct Results {
    pub(crate) bits: Option<u32>,
    pub(crate) modulus: Option<u64>,
    /// What else to take for residues that are too large.
    cure: &'static str,
}

impl Results {
    /// Those that are as the values.
    pub(crate) const OWN: Self = Self { bits: None, modulus: None, cure: "" };
    /// Those of an expression.
    const OF_EXPRESSION: Self = Self {
        cure: ", or for larger results Server.evaluate with out_modulus= or out_bits= in place of an expression",
        ..Self::OWN
    };

    /// Those of the arguments `out_bits` and `out_modulus`.
    pub(crate) fn of(py: Python<'_>, bits: Option<Number>, modulus: Option<Number>) -> PyResult<Self> {
        let modulus = modulus.get(py, "out_modulus", MODULI)?;
        let bits = bits.get(py, "out_bits", "1 to 20")?;
        if let Some(p) = modulus.filter(|p| !(2..=MAX_MODULUS).contains(p)) {
            return Err(error::argument(py, format!("out_modulus={p}, expected {MODULI}")));
        }
        if let (Some(bits), Some(modulus)) = (bits, modulus) {
            let what = format!("out_bits={bits} and out_modulus={modulus}: expected one of them, which results are of");
            return Err(error::argument(py, what));
        }
        Ok(Self { bits, modulus, cure: ", or out_modulus= or out_bits= for larger results" })
    }

    /// Refuses them beside what is no table: an expression, a plan.
    pub(crate) fn refused(self, py: Python<'_>) -> PyResult<()> {
        match self {
            Self { bits: None, modulus: None, .. } => Ok(()),
            _ => Err(error::argument(py, "out_bits= and out_modulus= are for tables")),
        }
    }
}

/// What inputs are.
#[derive(Clone, Copy)]
pub(crate) struct Inputs {
    pub(crate) kind: Kind,
    /// Whether tables of integers give integers.
    pub(crate) gives_integers: bool,
    /// Whether residues are kept as integers.
    pub(crate) are_kept: bool,
}

impl Inputs {
    pub(crate) fn of(vector: &Ciphertexts) -> Self {
        Self {
            kind: vector.space().kind(),
            gives_integers: vector.params().engine().tables_give_integers(),
            are_kept: !matches!(vector.space(), Space::Modular(_)),
        }
    }

    /// Programs of integers have integers throughout, with every engine.
    fn of_expression(kind: Kind) -> Self {
        Self { kind, gives_integers: true, are_kept: false }
    }
}

/// A function, and what is to be added to its inputs first, which costs nothing.
pub(crate) struct Shifted {
    pub(crate) function: Function,
    pub(crate) shift: i64,
    /// What results that an engine gives as residues are as integers, one a table.
    pub(crate) images: Vec<Option<Interval>>,
}

impl Shifted {
    pub(crate) fn of(function: Function) -> Self {
        Self { function, shift: 0, images: Vec::new() }
    }

    /// The same of integers in limbs, to which a program adds.
    fn on(self, space: Space) -> Self {
        match &self.function {
            Function::Table(lut) if self.shift != 0 && space.limbs() > 1 => {
                let mut program = Program::new();
                let (x, first) = (program.input("x"), program.constant(-i128::from(self.shift)));
                let index = program.sub(x, first);
                let image = program.table_as("f", index, lut);
                program.output(image);
                Self { function: program.into(), shift: 0, ..self }
            }
            _ => self,
        }
    }
}

/// Results as the integers that they are.
pub(crate) fn as_integers(
    results: Vec<Ciphertexts>,
    images: &[Option<Interval>],
) -> Result<Vec<Ciphertexts>, bootes::Error> {
    let one = |(number, result): (usize, Ciphertexts)| match images.get(number) {
        Some(Some(Interval { min, max })) => result.as_integers(*min..=*max),
        _ => Ok(result),
    };
    results.into_iter().enumerate().map(one).collect()
}

/// A table, and what its results are as integers where that is asked for.
struct Table {
    lut: Lut,
    image: Option<Interval>,
}

/// The function that a Python object is, on inputs like these.
pub(crate) fn function(f: &Bound<'_, PyAny>, inputs: Inputs, results: Results) -> PyResult<Shifted> {
    let py = f.py();
    if let Ok(text) = f.cast::<PyString>() {
        results.refused(py)?;
        let text = text.to_str()?;
        let function = caught(|| text.parse::<Function>()).map_err(|refused| of_a_name(py, text, refused))?;
        return Ok(Shifted::of(function));
    }
    let entries = entries(f, inputs.kind)?;
    let shift = if inputs.kind.range().is_some() { -entries.first } else { 0 };
    let Table { lut, image } = table(py, entries, &[inputs], results)?;
    Ok(Shifted { function: lut.into(), shift, images: vec![image] })
}

/// The refusal of a text that is no function, of one name: which may be meant as an expression.
fn of_a_name(py: Python<'_>, text: &str, refused: PyErr) -> PyErr {
    let is_name = !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_');
    match refused.value(py).str() {
        Ok(line) if is_name => error::argument(py, format!("{line}; the values of {text} themselves are \"({text})\"")),
        Ok(_) if text.trim().is_empty() => error::argument(
            py,
            "a text without a function: expected the name of one, as \"relu\", or an expression, as \"x + 1\"",
        ),
        _ => refused,
    }
}

/// The function of vectors like these that a Python object is: of several, a table of all combinations.
pub(crate) fn function_of(f: &Bound<'_, PyAny>, vectors: &[&Ciphertexts], results: Results) -> PyResult<Shifted> {
    let inputs: Vec<Inputs> = vectors.iter().map(|vector| Inputs::of(vector)).collect();
    if inputs.len() < 2 || f.is_instance_of::<PyString>() {
        return Ok(function(f, inputs[0], results)?.on(vectors[0].space()));
    }
    let py = f.py();
    let kinds: Vec<Kind> = inputs.iter().map(|input| input.kind).collect();
    let entries = entries_of_several(f, &kinds, false)?;
    let sizes = entries.sizes.clone();
    let Table { lut, image } = table(py, entries, &inputs, results)?;
    let table = caught(|| MultivariateLut::new(&sizes, lut))?;
    Ok(Shifted { images: vec![image], ..Shifted::of(table.into()) })
}

/// The functions of the same vectors that Python objects are, in one: by name, or tables.
pub(crate) fn functions(fs: &Bound<'_, PyAny>, vectors: &[&Ciphertexts], results: Results) -> PyResult<Shifted> {
    let py = fs.py();
    if fs.is_instance_of::<PyString>() {
        return function(fs, Inputs::of(vectors[0]), results);
    }
    let several = fs.try_iter().ok().filter(|_| !fs.is_instance_of::<PyDict>());
    let Some(several) = several else {
        let kind = fs.get_type().name()?;
        let what = format!("functions of type {kind}: expected a list of them, as [f, g], or one of one, as [f]");
        return Err(error::dtype(py, what));
    };
    let mut fs = Vec::new();
    for f in several {
        let f = f?;
        if f.extract::<Number>().is_ok() {
            let what = "numbers in place of functions: expected a list of them, as [f, g], or [f] of one";
            return Err(error::dtype(py, what));
        }
        fs.push(f);
    }
    let has_texts = fs.iter().any(|f| f.is_instance_of::<PyString>());
    let all = fs.iter().map(|f| function_of(f, vectors, results)).collect::<PyResult<Vec<_>>>()?;
    if all.is_empty() {
        return Err(error::argument(py, "no functions: expected one or more, as [f, g]"));
    }
    let shift = all.first().map_or(0, |first| first.shift);
    if all.iter().any(|other| other.shift != shift) {
        return Err(error::argument(py, "arrays and functions of integers with a sign together: expected one kind"));
    }
    let images: Vec<Option<Interval>> = all.iter().flat_map(|shifted| shifted.images.clone()).collect();
    let mut functions: Vec<Function> = all.into_iter().map(|shifted| shifted.function).collect();
    if let [_] = functions[..] {
        return Ok(Shifted { function: functions.remove(0), shift, images });
    }
    let lut = |function: &Function| match function {
        Function::Table(lut) => Ok(lut.clone()),
        Function::Multivariate(table) => Ok(table.lut().clone()),
        Function::Program(_) if has_texts => {
            let what = "expressions among several functions: expected one text of all, as \"x + 1; x + 2\"";
            Err(error::argument(py, what))
        }
        Function::Program(_) => {
            let what = "several functions of integers in limbs: expected values that the set has in one ciphertext \
                        each: take a set for a bit more than they have";
            Err(error::argument(py, what))
        }
        other => Err(error::argument(py, format!("{other} among several functions: expected tables"))),
    };
    let luts = functions.iter().map(lut).collect::<PyResult<Vec<_>>>()?;
    if vectors.len() == 1 {
        return Ok(Shifted { function: Function::Tables(luts), shift, images });
    }
    let mut program = Program::new();
    let inputs: Vec<_> = (1..=vectors.len()).map(|i| program.input(&format!("x{i}"))).collect();
    for (i, lut) in luts.iter().enumerate() {
        let result = program.table_of(&format!("f{}", i + 1), &inputs, lut);
        program.output(result);
    }
    Ok(Shifted { images, ..Shifted::of(program.into()) })
}

/// The expression on these vectors, in the order of its names.
pub(crate) fn with_names(
    text: &Bound<'_, PyAny>,
    tables: HashMap<String, Bound<'_, PyAny>>,
    vectors: &[&Ciphertexts],
    results: Results,
) -> PyResult<Shifted> {
    let py = text.py();
    results.refused(py)?;
    let Ok(text) = text.cast::<PyString>() else {
        return Err(error::argument(py, "tables= are those of an expression: expected it as a string"));
    };
    let tables: Vec<_> = tables.into_iter().collect();
    let text = text.to_str()?;
    let program = read(text, &tables)?;
    check_count(py, text, &program, vectors.len())?;
    Ok(Shifted::of(with_tables(py, &program, &tables, vectors)?.into()))
}

/// The table of these entries, on inputs like these.
fn table(py: Python<'_>, entries: Entries, inputs: &[Inputs], results: Results) -> PyResult<Table> {
    let Inputs { kind, gives_integers, are_kept } = inputs[0];
    let are_integers = kind.range().is_some();
    let (words, first) = (entries.words, entries.first);
    let of_integers = results.bits.is_some() || are_integers && results.modulus.is_none();
    let lut = if of_integers {
        let bits = results.bits.unwrap_or_else(|| bits_for(&entries.values));
        if let (None, Some((x, value))) =
            (results.bits, entries.values.iter().enumerate().max_by_key(|(_, v)| v.unsigned_abs()))
            && bits > MAX_TABLE_BITS
        {
            let place = entries.place(x);
            let (parts, expression) = parts_of(bits);
            let what = format!(
                "{words} {value} for {place}, results of {bits} bits: expected at most {MAX_TABLE_BITS}; take a table \
                 of each part, as {parts}, for an expression, as {expression}"
            );
            return Err(error::argument(py, what));
        }
        let mut values = entries.values;
        // Inputs that there are not have entries as well, and no others.
        let full = values.len().next_power_of_two().max(2);
        if let Some(range) = kind.range().filter(|_| inputs.len() == 1 && values.len() < full) {
            let (first, count) = (i128::from(first), values.len() as i128);
            if range.min < first || range.max >= first + count {
                let refused = LutError::Domain { entries: values.len() as u64, integers: range };
                return Err(error::of(&refused.into()));
            }
            values.resize(full, 0);
        } else if are_kept && inputs.len() == 1 {
            values.resize(full, 0);
        }
        caught(|| Lut::new(values, bits))?
    } else {
        let modulus = results.modulus.or_else(|| modulus_of(kind)).unwrap_or_else(|| 1 << bits_for(&entries.values));
        if let Some(index) = outside(&entries.values, modulus) {
            let (value, place, cure) = (entries.values[index], entries.place(index), results.cure);
            let what =
                format!("{words} {value} for {place}, expected residues modulo {modulus}: take % {modulus}{cure}");
            return Err(error::argument(py, what));
        }
        let mut values = entries.values;
        if are_integers && values.len() == 1 {
            // Of one integer: no table has one entry.
            values.push(0);
        }
        caught(|| Lut::modular(values, modulus))?
    };
    let last = i128::from(lut.in_modulus()) - 1;
    let among = match (inputs, kind.range()) {
        // An array has its first entry at 0; others where the integers begin.
        (&[_], Some(Interval { min, max })) => {
            let first = i128::from(first);
            Some(Interval { min: min - first, max: max - first }).filter(|own| own.min >= 0 && own.max <= last)
        }
        _ => None,
    };
    let image = (of_integers && !gives_integers).then(|| lut.image(among));
    Ok(Table { lut, image })
}

/// The parts of 16 bits of values v that are too long for a table, the last with what is left, and their sum.
fn parts_of(bits: u32) -> (String, String) {
    let last = bits.saturating_sub(MAX_TABLE_BITS - 1).div_ceil(16).max(1);
    let part = |number: u32| match number {
        0 => "v % 2**16".to_string(),
        number if number < last => format!("v // 2**{} % 2**16", 16 * number),
        number => format!("v // 2**{}", 16 * number),
    };
    let below: Vec<String> = (0..last).map(part).collect();
    let terms = "fghk".chars().zip(0..=last).map(|(table, number)| match number {
        0 => format!("{table}(x)"),
        number => format!("2^{}*{table}(x)", 16 * number),
    });
    (format!("{} and {}", below.join(", "), part(last)), terms.collect::<Vec<_>>().join(" + "))
}

/// The table of an expression, whose results are what it makes of them.
fn table_of(py: Python<'_>, entries: Entries, inputs: Inputs, results: Results) -> PyResult<Lut> {
    Ok(table(py, entries, &[inputs], results)?.lut)
}

/// The number of the first value that is no residue, of either sign.
fn outside(values: &[i64], modulus: u64) -> Option<usize> {
    let size = i64::try_from(modulus).unwrap_or(i64::MAX);
    values.iter().position(|v| !(-size < *v && *v < size))
}

/// The entries of a table as an array, of 0 first: what :meth:`Server.evaluate` takes as a function, and what
/// ``np.save`` writes for the command line.
///
/// Parameters
/// ----------
/// f : callable, ufunc, array_like or mapping
///     A function of integers, or its entries.
/// bits, modulus : int
///     It has an entry for each residue modulo ``2**bits`` or ``modulus``: one of both.
/// out_modulus : int, optional
///     Its entries are residues modulo this, instead of the same.
///
/// Examples
/// --------
/// >>> bootes.table_from(lambda x: x * x % 8, bits=3)
/// array([0, 1, 4, 1, 0, 1, 4, 1])
#[pyfunction]
#[pyo3(signature = (f, /, *, bits=None, modulus=None, out_modulus=None))]
pub(crate) fn table_from<'py>(
    f: &Bound<'py, PyAny>,
    bits: Option<Number>,
    modulus: Option<Number>,
    out_modulus: Option<Number>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = f.py();
    let bits: Option<u32> = bits.get(py, "bits", "1 to 20")?;
    let modulus: Option<u64> = modulus.get(py, "modulus", "2 to 2^20")?;
    let out_modulus: Option<u64> = out_modulus.get(py, "out_modulus", MODULI)?;
    let size = match (bits, modulus) {
        (Some(bits @ 1..=20), None) => 1 << bits,
        (None, Some(p @ 2..=MAX_ENTRIES)) => p,
        _ => return Err(error::argument(py, "expected one of bits= (1 to 20) and modulus= (2 to 2^20)")),
    };
    let out = out_modulus.unwrap_or(size);
    if !(2..=MAX_MODULUS).contains(&out) {
        return Err(error::argument(py, format!("out_modulus={out}, expected {MODULI}")));
    }
    let last = size as i64 - 1;
    let Entries { mut values, words, .. } = entries(f, Kind::Residues(size))?;
    if values.len() as u64 != size {
        let what = format!("a table of {} entries: expected {size}, one for each of 0 to {last}", values.len());
        return Err(error::argument(py, what));
    }
    if let Some(x) = outside(&values, out) {
        let value = values[x];
        let what = format!(
            "{words} {value} for x = {x}, expected residues modulo {out}: take % {out}, or out_modulus= for larger ones"
        );
        return Err(error::argument(py, what));
    }
    values.iter_mut().for_each(|value| *value = value.rem_euclid(out as i64));
    array(py, values, &[size as usize])
}

/// An expression as it is read, before its tables are made.
pub(crate) fn read(text: &str, tables: &[(String, Bound<'_, PyAny>)]) -> PyResult<Program> {
    // Equal ones would be one table.
    let stand_in = |(i, (name, _)): (usize, &(String, _))| {
        let lut = caught(|| Lut::modular(vec![0; i + 2], 2))?;
        Ok((name.clone(), lut))
    };
    let all = tables.iter().enumerate().map(stand_in).collect::<PyResult<Vec<_>>>()?;
    let all: Vec<(&str, &Lut)> = all.iter().map(|(name, lut)| (name.as_str(), lut)).collect();
    caught(|| Program::parse(text, &all))
}

/// The expression on these vectors, in the order of their names in it: functions and dictionaries have entries for what
/// they are of at each place.
pub(crate) fn with_tables(
    py: Python<'_>,
    read: &Program,
    tables: &[(String, Bound<'_, PyAny>)],
    vectors: &[&Ciphertexts],
) -> PyResult<Program> {
    with_images(py, read, tables, vectors, |_, _| ())
}

/// The same; `images` hears of the entries of each table.
pub(crate) fn with_images(
    py: Python<'_>,
    read: &Program,
    tables: &[(String, Bound<'_, PyAny>)],
    vectors: &[&Ciphertexts],
    mut images: impl FnMut(&str, &Entries),
) -> PyResult<Program> {
    let all: Vec<Kind> = vectors.iter().map(|vector| vector.space().kind()).collect();
    let mut used = BTreeSet::new();
    let table = |name: &str, kinds: &[Kind]| {
        used.insert(name.to_string());
        let Some((_, f)) = tables.iter().find(|(other, _)| other == name) else {
            unreachable!("{name} was read");
        };
        if f.is_instance_of::<PyString>() {
            let what = format!("{name} is no table: expected a function, an array, a dictionary");
            return Err(Refused(error::argument(py, what)));
        }
        let results = Results::OF_EXPRESSION;
        let &[kind] = kinds else {
            let has = |of: fn(Kind) -> bool, kinds: &[Kind]| kinds.iter().any(|&kind| of(kind));
            let are_residues = |kind: Kind| kind.modulus().is_some();
            if has(|kind| kind.range().is_some(), kinds) && (has(are_residues, kinds) || has(are_residues, &all)) {
                // The expression is refused.
                return Ok((caught(|| Lut::modular(vec![0; 2], 2))?, 0));
            }
            let are_joined =
                kinds.iter().all(|kind| kind.range().is_some()) && kinds.iter().any(|kind| kind.constant().is_none());
            let entries = entries_of_several(f, kinds, are_joined)?;
            images(name, &entries);
            // As the first of them, results are; of integers, those of the number that they are together.
            let kind = match are_joined {
                true => Kind::Integers(Interval { min: 0, max: entries.values.len() as i128 - 1 }),
                false => kinds[0],
            };
            return Ok((table_of(py, entries, Inputs::of_expression(kind), results)?, 0));
        };
        let entries = entries(f, kind)?;
        images(name, &entries);
        let first = if kind.range().is_some() { entries.first } else { 0 };
        Ok((table_of(py, entries, Inputs::of_expression(kind), results)?, first.into()))
    };
    let program = read.with_tables_of_ranges(&all, table).map_err(|Refused(error)| error)?;
    match tables.iter().map(|(name, _)| name).filter(|&name| !used.contains(name)).min() {
        None => Ok(program),
        Some(name) => {
            let names: Vec<_> = used.iter().map(String::as_str).collect();
            let there = if names.is_empty() { "has none".into() } else { format!("has {}", names.join(", ")) };
            let what = format!("tables= has {name:?}, and the expression {there}: leave it out, or use it");
            Err(error::argument(py, what))
        }
    }
}

/// A refusal of a program with tables.
struct Refused(PyErr);

impl From<PyErr> for Refused {
    fn from(error: PyErr) -> Self {
        Self(error)
    }
}

impl From<LutError> for Refused {
    fn from(error: LutError) -> Self {
        Self(error::of(&bootes::Error::from(error)))
    }
}

pub(crate) fn range_of(kind: Kind) -> Interval {
    match kind {
        Kind::Residues(p) => Interval { min: 0, max: i128::from(p) - 1 },
        Kind::Integers(range) => range,
    }
}

/// The modulus of residues, which results have too.
pub(crate) fn modulus_of(kind: Kind) -> Option<u64> {
    match kind {
        Kind::Residues(p) => Some(p),
        Kind::Integers(_) => None,
    }
}

/// Bits that hold all of these integers, from the least of them.
fn bits_for(values: &[i64]) -> u32 {
    let Interval { min, max } = Interval::of(values.iter().copied().chain([0])).unwrap_or(Interval { min: 0, max: 0 });
    (max - min).max(1).ilog2() + 1
}
