//! The public key that a client gives to a server.
use crate::params::{Domain, Params};
use crate::place::Place;
use crate::values::hex;
use crate::work::interrupted;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyType};

/// The public key that a client gives to a server.
#[pyclass(frozen, module = "bootes")]
pub(crate) struct ServerKey {
    pub(crate) key: bootes::ServerKey,
}

#[pymethods]
impl ServerKey {
    /// The parameters.
    #[getter]
    fn params(&self) -> Params {
        Params { params: self.key.params(), domain: Domain::Own }
    }

    /// The public identifier of the keys.
    #[getter]
    fn key_id(&self) -> String {
        hex(&self.key.key_id())
    }

    /// The bytes of its file.
    #[getter]
    fn nbytes(&self) -> u64 {
        self.key.stored_bytes()
    }

    /// The bytes of its file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &interrupted(py, || self.key.to_bytes())?))
    }

    /// A key from :meth:`to_bytes`.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: PyBackedBytes) -> PyResult<Self> {
        Ok(Self { key: interrupted(py, || bootes::ServerKey::from_bytes(&data))? })
    }

    /// Writes its file, which the command line takes, too: to a path, or a binary file that is open.
    fn save(&self, py: Python<'_>, file: Place<'_>) -> PyResult<()> {
        file.save(py, |path| self.key.save(path), || self.key.to_bytes())
    }

    /// A key from a file of :meth:`save` or of the command line: a path, or a binary file that is open.
    #[staticmethod]
    fn load(py: Python<'_>, file: Place<'_>) -> PyResult<Self> {
        Ok(Self { key: file.load(py, bootes::ServerKey::load, bootes::ServerKey::from_bytes)? })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let py = slf.py();
        Ok((PyType::new::<Self>(py).getattr("from_bytes")?, (slf.get().to_bytes(py)?,)))
    }

    fn __repr__(&self) -> String {
        let bytes = self.key.stored_bytes() as f64 / 1e6;
        format!("<bootes.ServerKey of {}, {bytes:.1} MB, key {}>", self.key.params().name(), self.key_id())
    }
}
