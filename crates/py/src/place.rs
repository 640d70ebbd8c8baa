//! Where objects are written to and read from: files by their paths, and binary files that Python has open.
use crate::error;
use crate::work::interrupted;
use bootes::Error;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use std::path::PathBuf;

/// A path, or what has `write` or `read`.
#[derive(FromPyObject)]
pub(crate) enum Place<'py> {
    Path(PathBuf),
    File(Bound<'py, PyAny>),
}

impl Place<'_> {
    /// Writes an object there.
    pub(crate) fn save(
        self,
        py: Python<'_>,
        to_file: impl FnOnce(PathBuf) -> Result<(), Error> + Send,
        to_bytes: impl FnOnce() -> Result<Vec<u8>, Error> + Send,
    ) -> PyResult<()> {
        match self {
            Self::Path(path) => interrupted(py, || to_file(path)),
            Self::File(file) if !file.hasattr("write")? => {
                let kind = file.get_type().name()?;
                Err(error::dtype(py, format!("a file of type {kind}: expected a path, or a binary file that is open")))
            }
            Self::File(file) => {
                let bytes = interrupted(py, to_bytes)?;
                file.call_method1("write", (PyBytes::new(py, &bytes),)).map(drop)
            }
        }
    }

    /// Reads an object that is there alone.
    pub(crate) fn load<T: Send>(
        self,
        py: Python<'_>,
        of_file: impl FnOnce(PathBuf) -> Result<T, Error> + Send,
        of_bytes: impl FnOnce(&[u8]) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        match self {
            Self::Path(path) => interrupted(py, || of_file(path)),
            Self::File(file) if !file.hasattr("read")? => {
                let kind = file.get_type().name()?;
                Err(error::dtype(py, format!("a file of type {kind}: expected a path, or a binary file that is open")))
            }
            Self::File(file) => {
                let bytes: PyBackedBytes = file.call_method0("read")?.extract()?;
                interrupted(py, || of_bytes(&bytes))
            }
        }
    }
}
