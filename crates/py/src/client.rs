//! The secret side.
use crate::conversion::ConversionKey;
use crate::encrypted::{Argument, Encrypted};
use crate::error;
use crate::number::{self, Ends, Number, Optional};
use crate::open::{Open, in_its_process};
use crate::params::{Domain, NameOrParams, Params, params_of};
use crate::public_key::PublicKey;
use crate::server::{frames, sums};
use crate::server_key::ServerKey;
use crate::symmetric::{Symmetric, SymmetricKey};
use crate::values::{self, Integers, hex};
use crate::work::{caught, interrupted, listener, watched};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use std::path::PathBuf;

/// Holds the secret keys: encrypts, decrypts, and makes the server's key.
///
/// It takes the parameters, or what :class:`Params` takes, which is what it encrypts then: residues modulo ``2**bits``
/// or ``modulus``, whose sums wrap, or ``integers``, whose sums do not. The name of a set alone is residues modulo
/// ``2**params.bits``. It is not pickled: :meth:`save` and
/// :meth:`export_secret_bytes` say what they do. :meth:`close`, or the end of a ``with`` block, wipes the keys.
///
/// Residues of more than ``params.bits`` bits are kept as integers congruent to them, with the sets that are chosen
/// above 8 bits, unless there are ``many``. Their sums wrap all the same; what has no room is refused, and
/// :meth:`Server.run` has it. Functions of integers take them as 0 to p - 1.
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
    client: Open<bootes::Client>,
    domain: Domain,
}

impl Client {
    fn open(client: bootes::Client, domain: Domain) -> Self {
        Self {
            client: Open::new(client, "the client is closed, and its keys are wiped: load them from their file"),
            domain,
        }
    }
}

#[pymethods]
impl Client {
    #[new]
    #[pyo3(
        signature = (params=None, *, bits=None, modulus=None, integers=None, slots=None, depth=None, many=None,
                     failure=None),
        text_signature = "(params=None, *, bits=None, modulus=None, integers=None, slots=None, depth=None, \
                          many=None, failure=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "by name")]
    fn new(
        py: Python<'_>,
        params: Option<NameOrParams>,
        bits: Option<Number>,
        modulus: Option<Number>,
        integers: Option<Number>,
        slots: Option<Number>,
        depth: Option<Number>,
        many: Option<Number>,
        failure: Option<Number>,
    ) -> PyResult<Self> {
        in_its_process(py)?;
        let Params { params, domain } = params_of(py, params, bits, modulus, integers, slots, depth, many, failure)?;
        Ok(Self::open(interrupted(py, || bootes::Client::generate(&params))?, domain))
    }

    /// The parameters.
    #[getter]
    fn params(&self, py: Python<'_>) -> PyResult<Params> {
        Ok(Params { params: self.client.get(py)?.params(), domain: self.domain })
    }

    /// A public identifier of the keys.
    #[getter]
    fn key_id(&self, py: Python<'_>) -> PyResult<String> {
        Ok(hex(&self.client.get(py)?.key_id()))
    }

    /// Whether it is closed.
    #[getter]
    fn closed(&self) -> bool {
        self.client.held().is_none()
    }

    /// Wipes the keys. Nothing is encrypted or decrypted afterwards: :class:`ClosedError`.
    fn close(&self, py: Python<'_>) {
        self.client.close(py);
    }

    fn __enter__(slf: PyRef<'_, Self>) -> PyResult<PyRef<'_, Self>> {
        slf.client.get(slf.py())?;
        Ok(slf)
    }

    #[pyo3(signature = (*raised))]
    fn __exit__(&self, raised: &Bound<'_, PyTuple>) {
        self.client.close(raised.py());
    }

    /// Encrypts integers of any type and shape, which the result keeps. Ctrl-C ends it within half a
    /// second, as all that takes long.
    ///
    /// Parameters
    /// ----------
    /// x : array_like of int
    ///     The values.
    /// bits, modulus, integers : int, optional
    ///     Residues modulo ``2**bits`` or ``modulus``, or integers of so many bits, whose sums do not wrap,
    ///     instead of what the client was made for. Of ``modulus``, and of vectors, -1 is the largest residue.
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
        bits: Option<Number>,
        modulus: Option<Number>,
        integers: Option<Number>,
        signed: bool,
        within: Option<Ends>,
    ) -> PyResult<Encrypted> {
        let domain = self.domain.said(py, bits, modulus, integers, signed, within)?;
        let (mut values, shape) = values::plaintexts(x)?;
        let client = self.client.get(py)?;
        let vector = interrupted(py, || domain.encrypt(&client, &mut values))?;
        Ok(Encrypted::new(vector, shape))
    }

    /// Decrypts, to an array of the same shape: residues, 0 to p - 1, or integers. It is of ``int64``, for integers of
    /// 64 bits without a sign of ``uint64``, and of Python's integers where neither holds their range.
    fn decrypt<'py>(&self, py: Python<'py>, x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let x = Argument::of_results(x)?;
        let (x, client) = (x.get(), self.client.get(py)?);
        let values = interrupted(py, || client.decrypt_wide(&x.vector))?;
        values::decrypted(py, values, x.vector.space().range(), &x.shape)
    }

    /// Encrypts a table by columns: a :class:`Frame`.
    ///
    /// Parameters
    /// ----------
    /// data : DataFrame, table or mapping
    ///     Of pandas, Polars, pyarrow, DuckDB or whatever else has Arrow's C interface, or arrays by name. Columns of
    ///     integers, booleans, strings and categories, and floats that ``steps`` has. Nothing may be missing.
    /// steps : mapping, optional
    ///     What one step of a column of numbers is: a value is rounded to the nearest multiple.
    /// within : mapping, optional
    ///     The least and the largest value of a column, which are public. By default as many bits as its values take.
    /// public : list of str, optional
    ///     Columns that are not encrypted, to group by.
    /// room : int, optional
    ///     The bits that integers have room for, two more than they take by default: results that have more are made
    ///     room by a table.
    /// schema : Schema, optional
    ///     That of another frame, instead of the others: to encrypt more rows alike.
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

    /// Decrypts a :class:`Frame`, or what :meth:`Server.sum` gives: arrays by name, with those that are public.
    fn decrypt_frame<'py>(slf: &Bound<'py, Self>, frame: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        sums(slf.py())?.call_method1("decrypt", (slf, frame))
    }

    /// Encrypts bytes, or small residues, by AES-128 in counter mode: a byte a byte, instead of thousands. A server that
    /// has :meth:`encrypt_symmetric_key` makes an encrypted array of them, :meth:`Server.transcipher`, which takes
    /// seconds for sixteen bytes. The set is ``fhew_bits_2m128``. It hides, and does not authenticate.
    ///
    /// Parameters
    /// ----------
    /// x : array_like of int, or bytes
    ///     The values.
    /// bits : int, optional
    ///     Bits of a value: 8, 4, 2 or 1, and no more than messages of the set have, which is the default.
    ///
    /// Examples
    /// --------
    /// >>> client = bootes.Client("toy_bits")     # "fhew_bits_2m128" in earnest, whose values are bytes
    /// >>> server = bootes.Server(client.server_key())
    /// >>> key = client.encrypt_symmetric_key()    # once
    /// >>> x = server.transcipher(client.encrypt_symmetric([3, 15]), key)
    /// >>> client.decrypt(server.evaluate(lambda x: x * x % 16, x))
    /// array([9, 1])
    #[pyo3(signature = (x, *, bits=None))]
    fn encrypt_symmetric(&self, py: Python<'_>, x: &Bound<'_, PyAny>, bits: Option<Number>) -> PyResult<Symmetric> {
        let bits: Option<u32> = bits.get(py, "bits", "8, 4, 2 or 1")?;
        let client = self.client.get(py)?;
        let Integers { values, shape } = match x.cast::<PyBytes>() {
            Ok(bytes) => Integers {
                values: bytes.as_bytes().iter().map(|&byte| byte.into()).collect::<Vec<i64>>().into(),
                shape: vec![bytes.as_bytes().len()],
            },
            Err(_) => values::integers(x, "values to encrypt are")?,
        };
        let sent = interrupted(py, || {
            let bits = bits.map_or_else(|| client.params().symmetric_bits(), Ok)?;
            client.encrypt_symmetric_bits(&client.symmetric_key(), values.iter(), bits)
        })?;
        Ok(Symmetric { sent, shape })
    }

    /// The key of AES of :meth:`encrypt_symmetric`, its bits encrypted, for the server to keep: once is enough.
    fn encrypt_symmetric_key(&self, py: Python<'_>) -> PyResult<SymmetricKey> {
        let client = self.client.get(py)?;
        Ok(SymmetricKey { key: interrupted(py, || client.encrypt_symmetric_key(&client.symmetric_key()))? })
    }

    /// The key by which a server makes encrypted arrays of this client those of another, one of engine fhew and one of
    /// engine ckks or bfv: :meth:`ConversionKey.convert`. It is public, and another one at every call.
    fn conversion_key(&self, py: Python<'_>, to: PyRef<'_, Self>) -> PyResult<ConversionKey> {
        let (from, to) = (self.client.get(py)?, to.client.get(py)?);
        Ok(ConversionKey { key: interrupted(py, || from.conversion_key(&to))? })
    }

    /// A key that anybody encrypts with to this client, what it encrypts itself; another one at every call.
    fn public_key(&self, py: Python<'_>) -> PyResult<PublicKey> {
        let client = self.client.get(py)?;
        Ok(PublicKey::new(interrupted(py, || client.public_key())?, self.domain))
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
    /// compression : bool, default False
    ///     With the part that :meth:`Server.compress` takes: some megabytes with engine fhew, nothing with others.
    #[pyo3(signature = (*, threads=None, memory=None, progress=None, compression=false))]
    fn server_key(
        &self,
        py: Python<'_>,
        threads: Option<Number>,
        memory: Option<Number>,
        progress: Option<&Bound<'_, PyAny>>,
        compression: bool,
    ) -> PyResult<ServerKey> {
        let (threads, memory) = (number::threads(py, threads)?, number::memory(py, memory)?);
        let client = self.client.get(py)?;
        let mut builder = client.server_key_builder();
        if compression {
            builder = builder.compression();
        }
        if let Some(threads) = threads {
            builder = builder.threads(threads);
        }
        if let Some(bytes) = memory {
            builder = builder.memory(bytes);
        }
        let progress = listener(py, progress)?;
        let key = watched(py, progress.as_ref(), move |_, tell| builder.progress(move |done| tell(done)).build())?;
        Ok(ServerKey { key })
    }

    /// The secret keys in bytes, a name and a seed: whoever has them decrypts. Python keeps copies of bytes as long
    /// as it likes; :meth:`save` leaves none.
    fn export_secret_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.client.get(py)?.export_secret_bytes()))
    }

    /// A client from :meth:`export_secret_bytes`. `bits`, `modulus` or `integers` say what it encrypts, which the bytes
    /// do not tell, as those of :meth:`load`.
    #[staticmethod]
    #[pyo3(signature = (data, *, bits=None, modulus=None, integers=None))]
    fn from_bytes(
        py: Python<'_>,
        data: &[u8],
        bits: Option<Number>,
        modulus: Option<Number>,
        integers: Option<Number>,
    ) -> PyResult<Self> {
        in_its_process(py)?;
        let domain = Domain::of(py, bits, modulus, integers, true, None)?.checked(py)?;
        let client = caught(|| bootes::Client::from_bytes(data))?;
        let domain = domain.of_file(client.params().engine());
        Ok(Self::open(client, domain))
    }

    /// Writes the secret keys to a file that only its owner reads, which the command line takes, too. Keys of another
    /// client are not replaced: what was encrypted under them would be lost.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let client = self.client.get(py)?;
        // A pipe or a device holds no keys.
        let there = || path.is_file().then(|| bootes::Client::load(&path).ok()).flatten();
        let there = interrupted(py, || Ok(there().map(|other| other.key_id())))?;
        if there.is_some_and(|id| id != client.key_id()) {
            let what = "it holds the keys of another client, and what was encrypted under them would be lost: take \
                        another path, or remove the file first";
            return Err(error::argument(py, format!("{}: {what}", path.display())));
        }
        interrupted(py, || client.save(path))
    }

    /// A client from a file of :meth:`save` or of the command line. `bits`, `modulus` or `integers` say what it
    /// encrypts, which the file does not tell: without them it decrypts, and :meth:`encrypt` has to say it each time.
    /// Vectors (``slots=``) are of one kind, and need neither.
    ///
    /// Examples
    /// --------
    /// >>> import os, tempfile
    /// >>> path = os.path.join(tempfile.mkdtemp(), "client.key")
    /// >>> bootes.Client("toy_int16").save(path)              # integers=16 in earnest
    /// >>> client = bootes.Client.load(path, integers=16)
    /// >>> x = client.encrypt([40])
    /// >>> client.decrypt(x + x)
    /// array([80])
    #[staticmethod]
    #[pyo3(signature = (path, *, bits=None, modulus=None, integers=None))]
    fn load(
        py: Python<'_>,
        path: PathBuf,
        bits: Option<Number>,
        modulus: Option<Number>,
        integers: Option<Number>,
    ) -> PyResult<Self> {
        in_its_process(py)?;
        let domain = Domain::of(py, bits, modulus, integers, true, None)?.checked(py)?;
        let client = interrupted(py, || bootes::Client::load(path))?;
        let domain = domain.of_file(client.params().engine());
        Ok(Self::open(client, domain))
    }

    fn __repr__(&self) -> String {
        match self.client.held() {
            Some(client) => format!("<bootes.Client of {}, key {}>", client.params().name(), hex(&client.key_id())),
            None => "<bootes.Client, closed>".into(),
        }
    }
}
