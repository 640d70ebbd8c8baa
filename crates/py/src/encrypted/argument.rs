//! Encrypted arrays as arguments.
use super::Encrypted;
use crate::error;
use crate::server::is_frame;
use pyo3::prelude::*;

/// One that is given as an argument, or the refusal of something else.
#[derive(Clone)]
pub(crate) struct Argument<'py>(Bound<'py, Encrypted>);

impl Argument<'_> {
    pub(crate) fn get(&self) -> &Encrypted {
        self.0.get()
    }
}

impl<'py> FromPyObject<'_, 'py> for Argument<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let Ok(found) = object.cast::<Encrypted>() else { return Err(Self::refusal(object, "an argument")?) };
        Ok(Self(found.to_owned()))
    }
}

/// What is given to a client.
const RESULTS: &str = "what is to be decrypted";

/// What is given to be compressed.
const SENT: &str = "what is to be compressed";

impl<'py> Argument<'py> {
    /// The array that a client decrypts.
    pub(crate) fn of_results(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        let Ok(found) = object.cast::<Encrypted>() else {
            return Err(Self::refusal(object.as_borrowed(), RESULTS)?);
        };
        Ok(Self(found.to_owned()))
    }

    /// The array that a server compresses.
    pub(crate) fn to_compress(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        let Ok(found) = object.cast::<Encrypted>() else {
            return Err(Self::refusal(object.as_borrowed(), SENT)?);
        };
        Ok(Self(found.to_owned()))
    }

    /// The inputs that are given beside a function.
    pub(crate) fn beside(f: &Bound<'py, PyAny>, inputs: &[Bound<'py, PyAny>]) -> PyResult<Vec<Self>> {
        let py = f.py();
        if f.is_instance_of::<Encrypted>() {
            let what = "an encrypted array in place of a function: the function comes first, as Server.evaluate(f, x)";
            return Err(error::dtype(py, what));
        }
        let input = |(number, x): (usize, &Bound<'py, PyAny>)| match x.cast::<Encrypted>() {
            Ok(found) => Ok(Self(found.to_owned())),
            Err(_) => {
                let what = if inputs.len() == 1 { "the input".into() } else { format!("input number {}", number + 1) };
                Err(Self::refusal(x.as_borrowed(), &what)?)
            }
        };
        inputs.iter().enumerate().map(input).collect()
    }

    /// The array that an expression names so.
    pub(crate) fn named(name: &str, object: &Bound<'py, PyAny>) -> PyResult<Self> {
        let Ok(found) = object.cast::<Encrypted>() else {
            return Err(Self::refusal(object.as_borrowed(), &format!("{name}="))?);
        };
        Ok(Self(found.to_owned()))
    }

    pub(crate) fn into_any(self) -> Bound<'py, PyAny> {
        self.0.into_any()
    }

    fn refusal(object: Borrowed<'_, 'py, PyAny>, what: &str) -> PyResult<PyErr> {
        if is_frame(&object) {
            let cure = "take its columns, as frame[\"age\"], or an expression of them, Server.run(text, frame)";
            return Ok(error::dtype(object.py(), format!("{what} is a Frame, expected an encrypted array: {cure}")));
        }
        let first = object.try_iter().ok().and_then(|mut all| all.next()?.ok());
        let cure = match first {
            Some(first) if first.is_instance_of::<Encrypted>() => "give each of them, or bootes.concatenate([x, y])",
            _ if what == RESULTS || what == SENT => "it is what Client.encrypt or a server gave",
            None if object.hasattr("__index__")?
                && object.getattr("ndim").and_then(|axes| axes.extract::<usize>()).unwrap_or(0) == 0 =>
            {
                "encrypt it (Client.encrypt), or write a number in an expression, as Server.run(\"max(x, 3) - 1\", x=x)"
            }
            _ if what.contains("input") => {
                "encrypt it (Client.encrypt); sums and products with numbers w are x + w and x * w, and with a constant \
                 c take Server.sign(x - c), which is 1 where x < c"
            }
            _ if what.ends_with('=') => {
                "encrypt it (Client.encrypt), or add it before, as Server.run(\"max(x, 3)\", x=x + [1, 2])"
            }
            _ => {
                "encrypt it (Client.encrypt), or with a constant c take Server.sign(x - c), which is 1 where x < c, \
                 and Server.relu(x - c) + c, which is the larger of both"
            }
        };
        let kind = object.get_type().name()?;
        Ok(error::dtype(object.py(), format!("{what} is of type {kind}, expected an encrypted array: {cure}")))
    }
}
