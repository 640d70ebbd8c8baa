//! The secret side.
use crate::encrypted::{Argument, Encrypted};
use crate::error::Raise;
use crate::params::{Domain, NameOrParams, Params, params_of};
use crate::server::ServerKey;
use crate::values::{self, Integers, array};
use crate::work::{detached, watched};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::PathBuf;

/// Holds the secret keys: encrypts, decrypts, and makes the server's key.
///
/// It takes the parameters, or what :class:`Params` takes. It is not pickled: :meth:`save` and
/// :meth:`export_secret_bytes` say what they do.
///
/// Examples
/// --------
/// >>> client = bootes.Client("toy_4")        # bits=4 in earnest
/// >>> x = client.encrypt([[1, 2], [3, 15]])
/// >>> client.decrypt(x + x)
/// array([[ 2,  4],
///        [ 6, 14]])
#[pyclass(frozen, module = "bootes")]
pub(crate) struct Client {
    client: bootes::Client,
    domain: Domain,
}

#[pymethods]
impl Client {
    #[new]
    #[pyo3(
        signature = (params=None, *, bits=None, modulus=None, integers=None, slots=None, many=None, failure=-128),
        text_signature = "(params=None, *, bits=None, modulus=None, integers=None, slots=None, many=None, failure=-128)"
    )]
    #[expect(clippy::too_many_arguments, reason = "by name")]
    fn new(
        py: Python<'_>,
        params: Option<NameOrParams>,
        bits: Option<u32>,
        modulus: Option<u64>,
        integers: Option<u32>,
        slots: Option<u64>,
        many: Option<usize>,
        failure: i32,
    ) -> PyResult<Self> {
        let Params { params, domain } = params_of(py, params, bits, modulus, integers, slots, many, failure)?;
        Ok(Self { client: detached(py, || bootes::Client::generate(&params))?, domain })
    }

    /// The parameters.
    #[getter]
    fn params(&self) -> Params {
        Params { params: self.client.params(), domain: self.domain }
    }

    /// A public identifier of the keys.
    #[getter]
    fn key_id(&self) -> String {
        hex(&self.client.key_id())
    }

    /// Encrypts integers of any type and shape, which the result keeps.
    ///
    /// Parameters
    /// ----------
    /// x : array_like of int
    ///     The values: residues, whose sums wrap, unless the client was made with ``integers=``.
    /// bits, modulus, integers : int, optional
    ///     Residues modulo ``2**bits`` or ``modulus``, or integers of so many bits, whose sums do not wrap,
    ///     instead of what the client was made for.
    /// signed : bool, default True
    ///     Whether ``integers`` have a sign.
    /// within : (int, int), optional
    ///     The least and the largest of ``integers``, which is public, and travels along.
    #[pyo3(signature = (x, *, bits=None, modulus=None, integers=None, signed=true, within=None))]
    #[expect(clippy::too_many_arguments, reason = "by name")]
    fn encrypt(
        &self,
        py: Python<'_>,
        x: &Bound<'_, PyAny>,
        bits: Option<u32>,
        modulus: Option<u64>,
        integers: Option<u32>,
        signed: bool,
        within: Option<(i64, i64)>,
    ) -> PyResult<Encrypted> {
        let domain = match Domain::of(py, bits, modulus, integers, signed, within)? {
            Domain::Own => self.domain,
            domain => domain,
        };
        let Integers { values, shape } = values::integers(x, "values to encrypt are")?;
        let vector = detached(py, || domain.encrypt(&self.client, &values))?;
        Ok(Encrypted::new(vector, shape))
    }

    /// Decrypts, to an array of ``int64`` of the same shape: residues, 0 to p - 1, or integers.
    fn decrypt<'py>(&self, py: Python<'py>, x: Argument<'py>) -> PyResult<Bound<'py, PyAny>> {
        let x = x.get();
        array(py, detached(py, || self.client.decrypt(&x.vector))?, &x.shape)
    }

    /// The key that a server needs, which is public; another one at every call.
    ///
    /// Parameters
    /// ----------
    /// threads : int, optional
    ///     How many threads make it.
    /// memory : int, optional
    ///     Bytes of memory at most.
    /// progress : bool or callable, optional
    ///     Hears which part is done, from 0 to 1; True shows a bar of tqdm.
    #[pyo3(signature = (*, threads=None, memory=None, progress=None))]
    fn server_key(
        &self,
        py: Python<'_>,
        threads: Option<usize>,
        memory: Option<u64>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<ServerKey> {
        let mut builder = self.client.server_key_builder();
        if let Some(threads) = threads {
            builder = builder.threads(threads);
        }
        if let Some(bytes) = memory {
            builder = builder.memory(bytes);
        }
        let progress = crate::server::listener(py, progress)?;
        let key = watched(py, progress.as_ref(), move |_, tell| builder.progress(move |done| tell(done)).build())?;
        Ok(ServerKey { key })
    }

    /// The secret keys in bytes, a name and a seed: whoever has them decrypts. Python keeps copies of bytes as long
    /// as it likes; :meth:`save` leaves none.
    fn export_secret_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.client.export_secret_bytes())
    }

    /// A client from :meth:`export_secret_bytes`. `bits`, `modulus` or `integers` say what it encrypts.
    #[staticmethod]
    #[pyo3(signature = (data, *, bits=None, modulus=None, integers=None))]
    fn from_bytes(
        py: Python<'_>,
        data: &[u8],
        bits: Option<u32>,
        modulus: Option<u64>,
        integers: Option<u32>,
    ) -> PyResult<Self> {
        let domain = Domain::of(py, bits, modulus, integers, true, None)?;
        Ok(Self { client: bootes::Client::from_bytes(data).raised()?, domain })
    }

    /// Writes the secret keys to a file that only its owner reads, which the command line takes, too.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        detached(py, || self.client.save(path))
    }

    /// A client from a file of :meth:`save` or of the command line. `bits`, `modulus` or `integers` say what it
    /// encrypts.
    #[staticmethod]
    #[pyo3(signature = (path, *, bits=None, modulus=None, integers=None))]
    fn load(
        py: Python<'_>,
        path: PathBuf,
        bits: Option<u32>,
        modulus: Option<u64>,
        integers: Option<u32>,
    ) -> PyResult<Self> {
        let domain = Domain::of(py, bits, modulus, integers, true, None)?;
        Ok(Self { client: detached(py, || bootes::Client::load(path))?, domain })
    }

    fn __repr__(&self) -> String {
        format!("<bootes.Client of {}, key {}>", self.client.params().name(), self.key_id())
    }
}

/// Bytes in hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
