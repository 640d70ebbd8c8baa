//! The key that anybody encrypts with.
use crate::encrypted::Encrypted;
use crate::number::{Ends, Number};
use crate::open::in_its_process;
use crate::params::{Domain, Params};
use crate::place::Place;
use crate::server::frames;
use crate::values::{self, hex};
use crate::work::interrupted;
use bootes::Engine;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict, PyType};

/// A key that anybody encrypts with to one client, who alone decrypts: :meth:`Client.public_key`.
///
/// It encrypts what its client was made for, and is pickled with that. Its files, which are those of the command line,
/// do not tell it. Who encrypts
/// proves nothing: a server takes the arrays of anybody on trust.
///
/// Examples
/// --------
/// >>> client = bootes.Client("toy_4")        # bits=4 in earnest
/// >>> anybody = bootes.PublicKey.from_bytes(client.public_key().to_bytes(), bits=4)
/// >>> client.decrypt(anybody.encrypt([3, 15]))
/// array([ 3, 15])
#[pyclass(frozen, module = "bootes")]
pub(crate) struct PublicKey {
    key: bootes::PublicKey,
    domain: Domain,
}

impl PublicKey {
    pub(crate) fn new(key: bootes::PublicKey, domain: Domain) -> Self {
        Self { key, domain }
    }
}

#[pymethods]
impl PublicKey {
    /// The parameters.
    #[getter]
    fn params(&self) -> Params {
        Params { params: self.key.params(), domain: self.domain }
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

    /// Encrypts as :meth:`Client.encrypt` does.
    #[pyo3(signature = (x, *, bits=None, modulus=None, integers=None, signed=true, within=None))]
    #[expect(clippy::too_many_arguments, reason = "by name")]
    fn encrypt(
        &self,
        py: Python<'_>,
        x: &Bound<'_, PyAny>,
        bits: Option<Number>,
        modulus: Option<Number>,
        integers: Option<Number>,
        signed: bool,
        within: Option<Ends>,
    ) -> PyResult<Encrypted> {
        let domain = self.domain.said(py, bits, modulus, integers, signed, within)?;
        let (mut values, shape) = values::plaintexts(x)?;
        in_its_process(py)?;
        let vector = interrupted(py, || domain.encrypt_public(&self.key, &mut values))?;
        Ok(Encrypted::new(vector, shape))
    }

    /// Encrypts as :meth:`Client.encrypt_frame` does.
    #[pyo3(signature = (data, *, steps=None, within=None, public=None, room=None, schema=None))]
    fn encrypt_frame<'py>(
        slf: &Bound<'py, Self>,
        data: &Bound<'py, PyAny>,
        steps: Option<Bound<'py, PyAny>>,
        within: Option<Bound<'py, PyAny>>,
        public: Option<Bound<'py, PyAny>>,
        room: Option<Bound<'py, PyAny>>,
        schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        frames(slf.py())?.call_method1("encrypt", (slf, data, steps, within, public, room, schema))
    }

    /// The bytes of its file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &interrupted(py, || self.key.to_bytes())?))
    }

    /// A key from :meth:`to_bytes`. `bits`, `modulus` or `integers` say what it encrypts, which the bytes do not tell:
    /// without them :meth:`encrypt` has to say it each time.
    #[staticmethod]
    #[pyo3(signature = (data, *, bits=None, modulus=None, integers=None))]
    fn from_bytes(
        py: Python<'_>,
        data: PyBackedBytes,
        bits: Option<Number>,
        modulus: Option<Number>,
        integers: Option<Number>,
    ) -> PyResult<Self> {
        in_its_process(py)?;
        let domain = Domain::of(py, bits, modulus, integers, true, None)?.checked(py)?;
        let key = interrupted(py, || bootes::PublicKey::from_bytes(&data))?;
        let domain = domain.of_file(key.params().engine());
        Ok(Self { key, domain })
    }

    /// Writes its file, which the command line takes, too: to a path, or a binary file that is open.
    fn save(&self, py: Python<'_>, file: Place<'_>) -> PyResult<()> {
        file.save(py, |path| self.key.save(path), || self.key.to_bytes())
    }

    /// A key from a file of :meth:`save` or of the command line: a path, or a binary file that is open. `bits`,
    /// `modulus` or `integers` say what it encrypts, as with :meth:`from_bytes`.
    #[staticmethod]
    #[pyo3(signature = (file, *, bits=None, modulus=None, integers=None))]
    fn load(
        py: Python<'_>,
        file: Place<'_>,
        bits: Option<Number>,
        modulus: Option<Number>,
        integers: Option<Number>,
    ) -> PyResult<Self> {
        in_its_process(py)?;
        let domain = Domain::of(py, bits, modulus, integers, true, None)?.checked(py)?;
        let key = file.load(py, bootes::PublicKey::load, bootes::PublicKey::from_bytes)?;
        let domain = domain.of_file(key.params().engine());
        Ok(Self { key, domain })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let (py, named) = (slf.py(), PyDict::new(slf.py()));
        match slf.get().domain {
            // What it encrypts then, which bytes do not tell.
            Domain::Own if slf.get().key.params().engine() != Engine::Bfv => {
                named.set_item("bits", slf.get().key.params().bits())?;
            }
            Domain::Own | Domain::Unsaid => {}
            Domain::Modulo(p) => named.set_item("modulus", p)?,
            Domain::Bits(bits) => named.set_item("bits", bits)?,
            Domain::Integers { width, .. } => named.set_item("integers", width)?,
        }
        let from_bytes = PyType::new::<Self>(py).getattr("from_bytes")?;
        let made = py.import("functools")?.getattr("partial")?.call((from_bytes,), Some(&named))?;
        Ok((made, (slf.get().to_bytes(py)?,)))
    }

    fn __repr__(&self) -> String {
        let bytes = self.key.stored_bytes() as f64 / 1e3;
        format!("<bootes.PublicKey of {}, {bytes:.0} kB, key {}>", self.key.params().name(), self.key_id())
    }
}
