//! Keys by which values move between engines.
use crate::encrypted::{Argument, Encrypted};
use crate::index;
use crate::number::{self, Number};
use crate::params::{Domain, Params};
use crate::place::Place;
use crate::server::Server;
use crate::values::hex;
use crate::work::{interrupted, listener, watched};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyType};

/// The key by which a server makes encrypted arrays of one client those of another, of another engine:
/// :meth:`Client.conversion_key`. Public.
#[pyclass(frozen, module = "bootes")]
pub(crate) struct ConversionKey {
    pub(crate) key: bootes::ConversionKey,
}

#[pymethods]
impl ConversionKey {
    /// The parameters of the arrays that are converted.
    #[getter]
    fn source_params(&self) -> Params {
        Params { params: self.key.source_params(), domain: Domain::Own }
    }

    /// The parameters of those that come out.
    #[getter]
    fn target_params(&self) -> Params {
        Params { params: self.key.target_params(), domain: Domain::Own }
    }

    /// The public identifier of the keys that arrays come from.
    #[getter]
    fn source_key_id(&self) -> String {
        hex(&self.key.source_key_id())
    }

    /// The public identifier of the keys that they lead to.
    #[getter]
    fn target_key_id(&self) -> String {
        hex(&self.key.target_key_id())
    }

    /// The bytes of its file.
    #[getter]
    fn nbytes(&self) -> u64 {
        self.key.stored_bytes()
    }

    /// An array for the other client, of the same values: an ordinary input of its server.
    ///
    /// Parameters
    /// ----------
    /// x : Encrypted
    ///     An array of the client that the key comes from.
    /// index : optional
    ///     Which values, as NumPy indexes: a number, a slice, a list of numbers, a mask. All without it.
    /// server : Server, optional
    ///     That of the client of engine bfv, which moves values to and from its slots: needed there, and there alone.
    /// threads : int, optional
    ///     How many threads work: as many as there are processors.
    /// progress : bool or callable, optional
    ///     Hears which part is done, from 0 to 1; True shows a bar of tqdm. Ctrl-C ends it within a second.
    ///
    /// Examples
    /// --------
    /// >>> batch = bootes.Client("toy_batch_4bit")     # bits=4, many=65536 in earnest
    /// >>> single = bootes.Client("toy_4")             # bits=4
    /// >>> key, server = batch.conversion_key(single), bootes.Server(single.server_key())
    /// >>> x = batch.encrypt(np.arange(1000) % 16)
    /// >>> single.decrypt(server.evaluate(lambda x: x * x % 16, key.convert(x, [999, 5])))
    /// array([1, 9])
    #[pyo3(signature = (x, index=None, *, server=None, threads=None, progress=None))]
    fn convert(
        &self,
        py: Python<'_>,
        x: Argument<'_>,
        index: Option<&Bound<'_, PyAny>>,
        server: Option<PyRef<'_, Server>>,
        threads: Option<Number>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Encrypted> {
        let threads = number::threads(py, threads)?;
        let (x, index) = (x.get(), index.filter(|index| !index.is_none()));
        let picked = index.map(|index| index::found(py, &x.shape, index)).transpose()?;
        let progress = listener(py, progress)?;
        let server = server.map(|server| server.opened(py)).transpose()?;
        let (numbers, shape) = picked.map_or((None, None), |(numbers, shape)| (Some(numbers), Some(shape)));
        let vector = watched(py, progress.as_ref(), |cancel, tell| {
            let key = self.key.cancelled_by(cancel).watched(move |done| tell(done));
            let key = threads.map_or_else(|| key.clone(), |threads| key.with_threads(threads));
            let key = server.map_or_else(|| Ok(key.clone()), |server| key.with_server(&server))?;
            match numbers {
                Some(numbers) => key.convert(&x.vector, numbers),
                None => key.convert_all(&x.vector),
            }
        })?;
        Ok(match shape {
            Some(shape) => Encrypted::new(vector, shape),
            None => x.like(vector),
        })
    }

    /// The bytes of its file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &interrupted(py, || self.key.to_bytes())?))
    }

    /// A key from :meth:`to_bytes`.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: PyBackedBytes) -> PyResult<Self> {
        Ok(Self { key: interrupted(py, || bootes::ConversionKey::from_bytes(&data))? })
    }

    /// Writes its file, which the command line takes, too: to a path, or a binary file that is open.
    fn save(&self, py: Python<'_>, file: Place<'_>) -> PyResult<()> {
        file.save(py, |path| self.key.save(path), || self.key.to_bytes())
    }

    /// A key from a file of :meth:`save` or of the command line: a path, or a binary file that is open.
    #[staticmethod]
    fn load(py: Python<'_>, file: Place<'_>) -> PyResult<Self> {
        Ok(Self { key: file.load(py, bootes::ConversionKey::load, bootes::ConversionKey::from_bytes)? })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let py = slf.py();
        Ok((PyType::new::<Self>(py).getattr("from_bytes")?, (slf.get().to_bytes(py)?,)))
    }

    fn __repr__(&self) -> String {
        let [from, to] = [self.key.source_params(), self.key.target_params()].map(|params| params.name().to_string());
        format!(
            "<bootes.ConversionKey from {from} to {to}, keys {} and {}>",
            self.source_key_id(),
            self.target_key_id()
        )
    }
}
