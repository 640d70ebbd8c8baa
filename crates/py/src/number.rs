//! Whole numbers as arguments: Python has them of any size, and what is out of range is refused by the argument's name.
use crate::error;
use bootes::Load;
use pyo3::prelude::*;
use pyo3::types::PyInt;
use std::fmt;

/// A whole number that Python gave, or the end of 128 bits that it is beyond.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number(pub(crate) i128);

impl<'py> FromPyObject<'_, 'py> for Number {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let py = object.py();
        let number = py.import("operator")?.call_method1("index", (object,)).map_err(|_| no_number(object))?;
        match number.extract() {
            Ok(number) => Ok(Self(number)),
            Err(_) => Ok(Self(if number.lt(0)? { i128::MIN } else { i128::MAX })),
        }
    }
}

/// What an object is, in few words: long ones by their length.
pub(crate) fn shown(object: &Bound<'_, PyAny>) -> String {
    /// Characters of what is shown.
    const LONGEST: usize = 60;
    let kind = || object.get_type().name().map_or_else(|_| "?".into(), |name| name.to_string());
    if let Ok(number) = object.cast::<PyInt>()
        && let Ok(bits) = number.call_method0("bit_length").and_then(|bits| bits.extract::<u64>())
        && bits > 128
    {
        let sign = if number.lt(0).unwrap_or(false) { "a negative number" } else { "a number" };
        return format!("{sign} of {bits} bits");
    }
    match object.repr().map(|text| text.to_string()) {
        Ok(text) if text.chars().count() <= LONGEST && !text.contains('\n') => text,
        Ok(_) => match object.len() {
            Ok(len) => format!("a {} of {len}", kind()),
            Err(_) => format!("a {}", kind()),
        },
        Err(_) => format!("a {}", kind()),
    }
}

/// The refusal of what is no whole number.
fn no_number(object: Borrowed<'_, '_, PyAny>) -> PyErr {
    let py = object.py();
    let kind = object.get_type().name().map_or_else(|_| "?".into(), |name| name.to_string());
    let shown = shown(&object);
    let is_whole = object.call_method0("is_integer").is_ok_and(|whole| whole.is_truthy().unwrap_or(false));
    let cure = if is_whole { format!(": take int({shown})") } else { String::new() };
    error::dtype(py, format!("{shown} of type {kind}, expected a whole number{cure}"))
}

/// The least and the largest of a range, from any two of whole numbers.
pub(crate) struct Ends(pub(crate) Number, pub(crate) Number);

impl<'py> FromPyObject<'_, 'py> for Ends {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let all: Option<Vec<Bound<'py, PyAny>>> =
            object.try_iter().ok().and_then(|all| all.take(3).collect::<PyResult<_>>().ok());
        match all.as_deref() {
            Some([min, max]) => {
                let ends: [Number; 2] = [min.extract()?, max.extract()?];
                if ends.iter().any(|end| end.is_beyond()) {
                    let (min, max) = (shown(min), shown(max));
                    let what =
                        format!("from {min} to {max} as a range, expected integers of 64 bits, as within=(0, 7)");
                    return Err(error::argument(object.py(), what));
                }
                Ok(Self(ends[0], ends[1]))
            }
            _ => {
                let shown = shown(&object);
                let what = format!("{shown} as a range, expected the least and the largest, as within=(0, 7)");
                Err(error::dtype(object.py(), what))
            }
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            i128::MIN => f.write_str("a number of -2^127 or less"),
            i128::MAX => f.write_str("a number of 2^127 or more"),
            number => write!(f, "{number}"),
        }
    }
}

impl Number {
    /// Whether it may be beyond 128 bits.
    pub(crate) fn is_beyond(self) -> bool {
        matches!(self.0, i128::MIN | i128::MAX)
    }

    /// The value of the argument of this name: "bits=-1, expected 1 to 20" where its type has not got it.
    pub(crate) fn get<T: TryFrom<i128>>(self, py: Python<'_>, name: &str, expected: &str) -> PyResult<T> {
        T::try_from(self.0).map_err(|_| error::argument(py, format!("{name}={self}, expected {expected}")))
    }
}

/// Arguments that may be left out.
pub(crate) trait Optional {
    /// As [`Number::get`], where there is one.
    fn get<T: TryFrom<i128>>(self, py: Python<'_>, name: &str, expected: &str) -> PyResult<Option<T>>;
}

impl Optional for Option<Number> {
    fn get<T: TryFrom<i128>>(self, py: Python<'_>, name: &str, expected: &str) -> PyResult<Option<T>> {
        self.map(|number| number.get(py, name, expected)).transpose()
    }
}

/// The shape of an array: a length, or one for each axis.
pub(crate) struct Shape(Vec<Number>);

impl<'py> FromPyObject<'_, 'py> for Shape {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        object.extract().map(|length| Self(vec![length])).or_else(|_| object.extract().map(Self))
    }
}

impl Shape {
    pub(crate) fn lengths(self, py: Python<'_>) -> PyResult<Vec<usize>> {
        self.0.into_iter().map(|length| length.get(py, "a length of shape", "0 or more, below 2^64")).collect()
    }
}

/// How many values an argument says that there are, from the least on.
pub(crate) fn values(py: Python<'_>, name: &str, least: u64, values: Number) -> PyResult<usize> {
    let expected = format!("{least} to {}", Load::MAX_VALUES);
    match values.get(py, name, &expected)? {
        count if (least..=Load::MAX_VALUES).contains(&count) => values.get(py, name, &expected),
        _ => Err(error::argument(py, format!("{name}={values}, expected {expected}"))),
    }
}

/// What threads of an argument are.
pub(crate) fn threads(py: Python<'_>, threads: Option<Number>) -> PyResult<Option<usize>> {
    threads.get(py, "threads", "1 or more")
}

/// The bytes of an argument.
pub(crate) fn memory(py: Python<'_>, memory: Option<Number>) -> PyResult<Option<u64>> {
    memory.get(py, "memory", "bytes, from 0 to 2^64 - 1")
}
