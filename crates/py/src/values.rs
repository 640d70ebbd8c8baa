//! Integers of NumPy, in and out.
use crate::error;
use crate::number::{Number, shown};
use bootes::Interval;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};
use zeroize::{Zeroize, Zeroizing};

/// An array of integers, in the order of C.
pub(crate) struct Integers {
    pub(crate) values: Zeroizing<Vec<i64>>,
    pub(crate) shape: Vec<usize>,
}

/// The integers of what is an array to NumPy: of every type of integers, and every layout.
pub(crate) fn integers(object: &Bound<'_, PyAny>, what: &str) -> PyResult<Integers> {
    let (wide, shape) = flat(object, what, i64::MAX.into())?;
    Ok(Integers { values: gathered(wide.iter().map(|&value| value as i64)), shape })
}

/// The same as values to encrypt, which may be of 64 bits without a sign; and their shape.
pub(crate) fn plaintexts(object: &Bound<'_, PyAny>) -> PyResult<(Zeroizing<Vec<i128>>, Vec<usize>)> {
    flat(object, "values to encrypt are", u64::MAX.into())
}

/// The integers of an array, from -2^63 to `last`, 2^63 - 1 or 2^64 - 1; and its shape.
fn flat(object: &Bound<'_, PyAny>, what: &str, last: i128) -> PyResult<(Zeroizing<Vec<i128>>, Vec<usize>)> {
    let py = object.py();
    let numpy = py.import("numpy")?;
    let kind_of = |array: &Bound<'_, PyAny>| array.getattr("dtype")?.getattr("kind")?.extract::<char>();
    let exactly = py.import("bootes._integers")?;
    let are_integers = |array: &Bound<'_, PyAny>| exactly.call_method1("are_integers", (array,))?.is_truthy();
    let from_arrow = || py.import("bootes._arrow")?.call_method1("numbers", (object,));
    // What has Arrow's interface alone; and columns that NumPy takes for floats, as for their nulls, tell more by it.
    let array = if speaks_arrow(object)? && !object.hasattr("__array__")? {
        from_arrow()?
    } else {
        let array = exactly.call_method1("exact", (object,))?;
        match matches!(kind_of(&array)?, 'i' | 'u' | 'b') || are_integers(&array)? || !speaks_arrow(object)? {
            true => array,
            false => from_arrow()?,
        }
    };
    let dtype = array.getattr("dtype")?;
    let (kind, size): (char, usize) = (kind_of(&array)?, array.getattr("size")?.extract()?);
    // A list of nothing is one of floats to NumPy.
    let is_empty = size == 0 && !object.is_instance(&numpy.getattr("ndarray")?)?;
    let are_finite = |array: &Bound<'_, PyAny>| -> PyResult<bool> {
        numpy.call_method1("isfinite", (array,))?.call_method0("all")?.is_truthy()
    };
    let cure = match kind {
        'i' | 'u' | 'b' => None,
        _ if is_empty => None,
        'f' | 'c' | 'M' | 'm' if !are_finite(&array)? => {
            Some("fill or drop first what is missing or infinite (NaN, NaT)")
        }
        'V' if !object.is_instance_of::<PyBytes>() => Some("take a field of them, as x[\"a\"]"),
        'f' => Some("round them and take .astype(np.int64)"),
        'c' => Some("take x.real, rounded, as np.rint(x.real).astype(np.int64)"),
        'O' if are_integers(&array)? => None,
        'O' => return Err(no_integers(object, &array, what)?),
        'S' | 'V' if object.is_instance_of::<PyBytes>() => Some("take those of bytes, np.frombuffer(x, np.uint8)"),
        'U' if object.is_instance_of::<PyString>() => {
            Some("take those of its bytes, np.frombuffer(x.encode(), np.uint8), or int(x) of a number")
        }
        'S' | 'U' => Some("take np.array(x).astype(np.int64) where all are numbers"),
        _ => Some("take numbers of their units, as x.astype(np.int64)"),
    };
    if let Some(cure) = cure {
        return Err(error::dtype(py, format!("{what} of dtype {dtype}, expected integers: {cure}")));
    }
    let shape: Vec<usize> = array.getattr("shape")?.extract()?;
    let beyond = |index: usize, value: i128| {
        let item = array.call_method0("ravel")?.get_item(index)?;
        let (shown, of) = (shown(&item.call_method0("item").unwrap_or(item)), what.trim_end_matches(" are"));
        let found =
            if shape.is_empty() { format!("{of}: {shown}") } else { format!("value number {index} is {shown}") };
        let bits = if last == i128::from(i64::MAX) { 63 } else { 64 };
        let message = format!("{found}, expected -2^63 to 2^{bits} - 1");
        Err(error::value(py, &message, index, value))
    };
    let values = match kind {
        'O' => {
            let all: Vec<Number> = array.call_method0("ravel")?.call_method0("tolist")?.extract()?;
            gathered(all.iter().map(|value| value.0))
        }
        'u' => {
            let flat = numpy.call_method1("ascontiguousarray", (&array, "uint64"))?.call_method0("ravel")?;
            gathered(flat.extract::<PyReadonlyArray1<'_, u64>>()?.as_slice()?.iter().map(|&value| value.into()))
        }
        _ => {
            let flat = numpy.call_method1("ascontiguousarray", (&array, "int64"))?.call_method0("ravel")?;
            gathered(flat.extract::<PyReadonlyArray1<'_, i64>>()?.as_slice()?.iter().map(|&value| value.into()))
        }
    };
    match values.iter().position(|&value| value < i64::MIN.into() || value > last) {
        Some(index) => beyond(index, values[index]),
        None => Ok((values, shape)),
    }
}

/// The refusal of objects some of which are no integers: of the first of them.
fn no_integers<'py>(object: &Bound<'py, PyAny>, array: &Bound<'py, PyAny>, what: &str) -> PyResult<PyErr> {
    let py = object.py();
    let kind = object.get_type().name()?;
    if array.getattr("ndim")?.extract::<usize>()? == 0 {
        let cure = match object.hasattr("__iter__")? {
            true => "take list(x), or the values of a dictionary, list(x.values())",
            false => "give a number, a list or an array",
        };
        return Ok(error::dtype(py, format!("{what} of type {kind}, expected integers: {cure}")));
    }
    for (index, value) in array.call_method0("ravel")?.try_iter()?.enumerate() {
        let value = value?;
        if value.extract::<Number>().is_err() {
            let (kind, shown) = (value.get_type().name()?, shown(&value));
            let what = format!(
                "{what} of dtype object, and number {index} is {shown} ({kind}), expected integers: take one for it"
            );
            return Ok(error::dtype(py, what));
        }
    }
    Ok(error::dtype(py, format!("{what} of dtype object, expected integers: take .astype(np.int64)")))
}

/// Whether it is a column, or a table, of some library of Arrow.
fn speaks_arrow(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(object.hasattr("__arrow_c_array__")? || object.hasattr("__arrow_c_stream__")?)
}

/// The values in one piece of memory.
fn gathered<T: Zeroize>(values: impl ExactSizeIterator<Item = T>) -> Zeroizing<Vec<T>> {
    let mut all = Zeroizing::new(Vec::with_capacity(values.len()));
    all.extend(values);
    all
}

/// An array of this shape.
pub(crate) fn array<'py>(py: Python<'py>, values: Vec<i64>, shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
    shaped(PyArray1::from_vec(py, values).into_any(), shape)
}

/// Decrypted values as an array of this shape: of `int64` where that holds their range, else of `uint64`, else of
/// Python's integers.
pub(crate) fn decrypted<'py>(
    py: Python<'py>,
    values: Vec<i128>,
    range: Interval,
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    let flat = if i64::try_from(range.min).is_ok() && i64::try_from(range.max).is_ok() {
        PyArray1::from_iter(py, values.into_iter().map(|value| value as i64)).into_any()
    } else if u64::try_from(range.min).is_ok() && u64::try_from(range.max).is_ok() {
        PyArray1::from_iter(py, values.into_iter().map(|value| value as u64)).into_any()
    } else {
        py.import("numpy")?.call_method1("array", (values, "object"))?
    };
    shaped(flat, shape)
}

fn shaped<'py>(flat: Bound<'py, PyAny>, shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
    let py = flat.py();
    match shape {
        [_] => Ok(flat),
        shape => flat.call_method1("reshape", (PyTuple::new(py, shape)?,)),
    }
}

/// Bytes in hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
