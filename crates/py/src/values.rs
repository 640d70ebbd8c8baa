//! Integers of NumPy, in and out.
use crate::error;
use crate::number::Number;
use bootes::Interval;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use zeroize::{Zeroize, Zeroizing};

/// An array of integers, in the order of C.
pub(crate) struct Integers {
    pub(crate) values: Zeroizing<Vec<i64>>,
    pub(crate) shape: Vec<usize>,
}

/// The integers of what is an array to NumPy: of every type of integers, and every layout.
pub(crate) fn integers(object: &Bound<'_, PyAny>, what: &str) -> PyResult<Integers> {
    let (wide, shape) = flat(object, what)?;
    match wide.iter().position(|&value| i64::try_from(value).is_err()) {
        None => Ok(Integers { values: gathered(wide.iter().map(|&value| value as i64)), shape }),
        Some(index) => {
            let message = format!("value number {index} is {}, expected at most {}", wide[index], i64::MAX);
            Err(error::value(object.py(), &message, index, wide[index]))
        }
    }
}

/// The same as values to encrypt, which may be of 64 bits without a sign; and their shape.
pub(crate) fn plaintexts(object: &Bound<'_, PyAny>) -> PyResult<(Zeroizing<Vec<i128>>, Vec<usize>)> {
    flat(object, "values to encrypt are")
}

/// The integers of an array, of 64 bits each with or without a sign; and its shape.
fn flat(object: &Bound<'_, PyAny>, what: &str) -> PyResult<(Zeroizing<Vec<i128>>, Vec<usize>)> {
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
    let cure = match kind {
        'i' | 'u' | 'b' => None,
        _ if is_empty => None,
        'f' | 'c' => Some("round them and take .astype(np.int64)"),
        'O' if are_integers(&array)? => None,
        'O' => Some("take integers of 64 bits, and as many in each row"),
        _ => Some("take .astype(np.int64) if they are numbers"),
    };
    if let Some(cure) = cure {
        return Err(error::dtype(py, format!("{what} of dtype {dtype}, expected integers: {cure}")));
    }
    let shape = array.getattr("shape")?.extract()?;
    if kind == 'O' {
        return Ok((of_objects(&array)?, shape));
    }
    let name = if kind == 'u' { "uint64" } else { "int64" };
    let array = numpy.call_method1("ascontiguousarray", (&array, name))?.call_method0("ravel")?;
    let values = match kind {
        'u' => gathered(array.extract::<PyReadonlyArray1<'_, u64>>()?.as_slice()?.iter().map(|&value| value.into())),
        _ => gathered(array.extract::<PyReadonlyArray1<'_, i64>>()?.as_slice()?.iter().map(|&value| value.into())),
    };
    Ok((values, shape))
}

/// Python's integers of an array of objects.
fn of_objects(array: &Bound<'_, PyAny>) -> PyResult<Zeroizing<Vec<i128>>> {
    let py = array.py();
    let all: Vec<Number> = array.call_method0("ravel")?.call_method0("tolist")?.extract()?;
    for (index, value) in all.iter().enumerate() {
        if value.0 < i64::MIN.into() || value.0 > u64::MAX.into() {
            let message = format!("value number {index} is {value}, expected -2^63 to 2^64 - 1");
            return Err(error::value(py, &message, index, value.0));
        }
    }
    Ok(gathered(all.iter().map(|value| value.0)))
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
