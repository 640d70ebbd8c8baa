//! What is sent by AES instead of as ciphertexts: the encrypted key, and arrays.
use crate::params::{Domain, Params};
use crate::place::Place;
use crate::values::hex;
use crate::work::interrupted;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyTuple, PyType};

/// The 128 bits of a key of AES, encrypted, which a server keeps: :meth:`Client.encrypt_symmetric_key`. Public, a
/// kilobyte.
#[pyclass(frozen, module = "bootes")]
pub(crate) struct SymmetricKey {
    pub(crate) key: bootes::EncryptedSymmetricKey,
}

#[pymethods]
impl SymmetricKey {
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
        Ok(Self { key: interrupted(py, || bootes::EncryptedSymmetricKey::from_bytes(&data))? })
    }

    /// Writes its file, which the command line takes, too: to a path, or a binary file that is open.
    fn save(&self, py: Python<'_>, file: Place<'_>) -> PyResult<()> {
        file.save(py, |path| self.key.save(path), || self.key.to_bytes())
    }

    /// A key from a file of :meth:`save` or of the command line: a path, or a binary file that is open.
    #[staticmethod]
    fn load(py: Python<'_>, file: Place<'_>) -> PyResult<Self> {
        let key = file.load(py, bootes::EncryptedSymmetricKey::load, bootes::EncryptedSymmetricKey::from_bytes)?;
        Ok(Self { key })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let py = slf.py();
        Ok((PyType::new::<Self>(py).getattr("from_bytes")?, (slf.get().to_bytes(py)?,)))
    }

    fn __repr__(&self) -> String {
        format!("<bootes.SymmetricKey of {}, key {}>", self.key.params().name(), self.key_id())
    }
}

/// An array as AES-128 in counter mode encrypts it, a byte a byte: :meth:`Client.encrypt_symmetric`. A server makes an
/// encrypted array of it: :meth:`Server.transcipher`. Files have no shape.
#[pyclass(frozen, module = "bootes")]
pub(crate) struct Symmetric {
    pub(crate) sent: bootes::SymmetricCiphertexts,
    pub(crate) shape: Vec<usize>,
}

impl Symmetric {
    fn of_file(sent: bootes::SymmetricCiphertexts) -> Self {
        Self { shape: vec![sent.len()], sent }
    }
}

#[pymethods]
impl Symmetric {
    /// The lengths of the axes.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.shape)
    }

    /// The number of values.
    #[getter]
    fn size(&self) -> usize {
        self.sent.len()
    }

    /// The bytes of its file.
    #[getter]
    fn nbytes(&self) -> u64 {
        self.sent.stored_bytes()
    }

    /// The parameters.
    #[getter]
    fn params(&self) -> Params {
        Params { params: self.sent.params(), domain: Domain::Own }
    }

    /// The public identifier of the keys.
    #[getter]
    fn key_id(&self) -> String {
        hex(&self.sent.key_id())
    }

    /// The bytes of its file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &interrupted(py, || self.sent.to_bytes())?))
    }

    /// An array from :meth:`to_bytes`.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: PyBackedBytes) -> PyResult<Self> {
        Ok(Self::of_file(interrupted(py, || bootes::SymmetricCiphertexts::from_bytes(&data))?))
    }

    /// Writes its file, which the command line takes, too: to a path, or a binary file that is open.
    fn save(&self, py: Python<'_>, file: Place<'_>) -> PyResult<()> {
        file.save(py, |path| self.sent.save(path), || self.sent.to_bytes())
    }

    /// An array from a file of :meth:`save` or of the command line: a path, or a binary file that is open.
    #[staticmethod]
    fn load(py: Python<'_>, file: Place<'_>) -> PyResult<Self> {
        let sent = file.load(py, bootes::SymmetricCiphertexts::load, bootes::SymmetricCiphertexts::from_bytes)?;
        Ok(Self::of_file(sent))
    }

    fn __repr__(&self) -> String {
        format!(
            "<bootes.Symmetric of {}, shape {:?}, {}, key {}>",
            self.sent.params().name(),
            self.shape,
            self.sent.space(),
            self.key_id()
        )
    }
}
