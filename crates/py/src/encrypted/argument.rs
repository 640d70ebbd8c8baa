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

impl<'py> Argument<'py> {
    /// The array that a client decrypts.
    pub(crate) fn of_results(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        let Ok(found) = object.cast::<Encrypted>() else {
            return Err(Self::refusal(object.as_borrowed(), RESULTS)?);
        };
        Ok(Self(found.to_owned()))
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
            None if object.hasattr("__index__")? => {
                "encrypt it (Client.encrypt), or write a number in an expression, as Server.run(\"max(x, 3) - 1\", x=x)"
            }
            _ if what == RESULTS => "it is what Client.encrypt or a server gave",
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
