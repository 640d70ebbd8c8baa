//! Integers of NumPy, in and out.
use crate::error;
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
    let Flat { array, is_unsigned, shape } = flat(object, what)?;
    let values = match is_unsigned {
        true => {
            within_int64(&array)?;
            let array: PyReadonlyArray1<'_, u64> = array.extract()?;
            gathered(array.as_slice()?.iter().map(|&value| value as i64))
        }
        false => {
            let array: PyReadonlyArray1<'_, i64> = array.extract()?;
            gathered(array.as_slice()?.iter().copied())
        }
    };
    Ok(Integers { values, shape })
}

/// The same as values to encrypt, which may be of 64 bits without a sign; and their shape.
pub(crate) fn plaintexts(object: &Bound<'_, PyAny>) -> PyResult<(Zeroizing<Vec<i128>>, Vec<usize>)> {
    let Flat { array, is_unsigned, shape } = flat(object, "values to encrypt are")?;
    let values = match is_unsigned {
        true => {
            let array: PyReadonlyArray1<'_, u64> = array.extract()?;
            gathered(array.as_slice()?.iter().map(|&value| value.into()))
        }
        false => {
            let array: PyReadonlyArray1<'_, i64> = array.extract()?;
            gathered(array.as_slice()?.iter().map(|&value| value.into()))
        }
    };
    Ok((values, shape))
}

/// An array of integers of one axis.
struct Flat<'py> {
    array: Bound<'py, PyAny>,
    /// Whether they are of `uint64`, or else of `int64`.
    is_unsigned: bool,
    shape: Vec<usize>,
}

fn flat<'py>(object: &Bound<'py, PyAny>, what: &str) -> PyResult<Flat<'py>> {
    let py = object.py();
    let numpy = py.import("numpy")?;
    let masks = numpy.getattr("ma")?;
    if object.is_instance(&masks.getattr("MaskedArray")?)? && masks.call_method1("is_masked", (object,))?.is_truthy()? {
        let message = format!("{what} masked here and there: take .filled(0), or .compressed() without those");
        return Err(error::argument(py, message));
    }
    let kind_of = |array: &Bound<'_, PyAny>| array.getattr("dtype")?.getattr("kind")?.extract::<char>();
    let from_arrow = || py.import("bootes._arrow")?.call_method1("numbers", (object,));
    // What has Arrow's interface alone; and columns that NumPy takes for floats, as for their nulls, tell more by it.
    let array = if speaks_arrow(object)? && !object.hasattr("__array__")? {
        from_arrow()?
    } else {
        let array = numpy.call_method1("asarray", (object,))?;
        match matches!(kind_of(&array)?, 'i' | 'u' | 'b') || !speaks_arrow(object)? {
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
        'O' => Some("take integers of 64 bits, and as many in each row"),
        _ => Some("take .astype(np.int64) if they are numbers"),
    };
    if let Some(cure) = cure {
        return Err(error::dtype(py, format!("{what} of dtype {dtype}, expected integers: {cure}")));
    }
    let shape = array.getattr("shape")?.extract()?;
    let is_unsigned = kind == 'u';
    let name = if is_unsigned { "uint64" } else { "int64" };
    let array = numpy.call_method1("ascontiguousarray", (&array, name))?.call_method0("ravel")?;
    Ok(Flat { array, is_unsigned, shape })
}

/// Refuses what has no room in 64 bits with a sign.
fn within_int64(values: &Bound<'_, PyAny>) -> PyResult<()> {
    let found: PyReadonlyArray1<'_, u64> = values.extract()?;
    let all = found.as_slice()?;
    match all.iter().position(|&value| i64::try_from(value).is_err()) {
        None => Ok(()),
        Some(index) => {
            let message = format!("value number {index} is {}, expected at most {}", all[index], i64::MAX);
            Err(error::value(values.py(), &message, index, all[index]))
        }
    }
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
