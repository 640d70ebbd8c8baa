//! The evaluation side: no secrets here.
use crate::encrypted::{Argument, Encrypted};
use crate::error;
use crate::expression::{Expression, result_names};
use crate::function::{Results, Shifted, as_integers, function_of, functions, with_names, with_tables};
use crate::number::{self, Number};
use crate::open::{Open, in_its_process};
use crate::params::{Domain, Params};
use crate::plan::Plan;
use crate::server_key::ServerKey;
use crate::symmetric::{Symmetric, SymmetricKey};
use crate::values::hex;
use crate::work::{interrupted, listener, watched};
use bootes::{Ciphertexts, Engine, Function, IntegerOp, PaddingUse, Program, SpaceError};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

/// Evaluates functions of encrypted arrays, and never sees what they hold.
///
/// Threads of Python share it, and go on while it works. Ctrl-C ends an evaluation within a second. :meth:`close`, or
/// the end of a ``with`` block, gives its memory back.
///
/// Parameters
/// ----------
/// key : ServerKey
///     The client's.
/// threads : int, optional
///     How many threads work: as many as there are processors.
/// memory : int, optional
///     Bytes of memory at most, for keys, arrays and work.
/// progress : bool or callable, optional
///     Hears which part of each evaluation is done, from 0 to 1; True shows a bar of tqdm.
///
/// Examples
/// --------
/// >>> client = bootes.Client("toy_4")        # bits=4 in earnest
/// >>> server = bootes.Server(client.server_key())
/// >>> y = server.evaluate(lambda x: x * x % 16, client.encrypt([3, 5, 15]))
/// >>> client.decrypt(y)
/// array([9, 9, 1])
#[pyclass(frozen, module = "bootes")]
pub(crate) struct Server {
    server: Open<bootes::Server>,
    progress: Option<Py<PyAny>>,
}

/// What makes one value as many as there are others, where values are apart.
fn as_often(one: &Encrypted, others: &Encrypted) -> Option<String> {
    let is_one = one.vector.len() == 1 && one.vector.params().engine() == Engine::Fhew;
    let x = if one.shape == [1] { "x" } else { "x.reshape(1)" };
    let reshaped = match &others.shape[..] {
        [_] => String::new(),
        shape => format!(".reshape({})", shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    };
    let all = format!("; one value x for all is bootes.concatenate([{x}]*{}){reshaped}", others.vector.len());
    is_one.then_some(all)
}

impl Server {
    /// The server, if it is open.
    pub(crate) fn opened(&self, py: Python<'_>) -> PyResult<Arc<bootes::Server>> {
        self.server.get(py)
    }

    fn watched<T: Send>(
        &self,
        py: Python<'_>,
        progress: Option<&Bound<'_, PyAny>>,
        work: impl FnOnce(&bootes::Server) -> Result<T, bootes::Error> + Send,
    ) -> PyResult<T> {
        let server = self.server.get(py)?;
        let own = self.progress.as_ref().map(|progress| progress.bind(py));
        let progress = listener(py, progress.or(own))?;
        watched(py, progress.as_ref(), |cancel, tell| {
            work(&server.cancelled_by(cancel).watched(move |done| tell(done)))
        })
    }

    pub(crate) fn inputs<'a>(
        py: Python<'_>,
        all: &'a [Argument<'_>],
    ) -> PyResult<(&'a Encrypted, Vec<&'a Ciphertexts>)> {
        let Some(first) = all.first().map(Argument::get) else {
            return Err(error::argument(py, "no inputs: give one encrypted array at least, as Server.evaluate(f, x)"));
        };
        if let Some(other) = all.iter().map(Argument::get).find(|other| other.shape != first.shape) {
            let cure = as_often(first, other).or_else(|| as_often(other, first)).unwrap_or_default();
            let (first, other) = (&first.shape, &other.shape);
            let what = format!("shapes {first:?} and {other:?}: expected the same of all inputs{cure}");
            return Err(error::argument(py, what));
        }
        Ok((first, all.iter().map(|x| &*x.get().vector).collect()))
    }

    fn apply(&self, op: IntegerOp, inputs: &[Argument<'_>], py: Python<'_>) -> PyResult<Encrypted> {
        self.one(py, Shifted::of(op.into()), inputs, None)
    }

    /// What is 0 or 1, which frames know then.
    fn answer<'py>(&self, op: IntegerOp, inputs: &[Argument<'py>], py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        frames(py)?.call_method1("told", (self.apply(op, inputs, py)?, "boolean"))
    }

    /// Warns of operations of an expression on slots that no value is in, where these may not be 0.
    fn warn_of_padding(&self, py: Python<'_>, function: &Function, inputs: &[&Ciphertexts]) -> PyResult<()> {
        let server = self.server.get(py)?;
        let (count, capacity) = (inputs[0].len(), server.params().capacity());
        if !matches!(function, Function::Program(_)) || count.is_multiple_of(capacity) {
            return Ok(());
        }
        let plan =
            watched(py, None, |cancel, _| server.cancelled_by(cancel).plan(function.clone(), inputs.iter().copied()))?;
        for PaddingUse { operation, holds } in plan.padding_uses() {
            let what = if *operation == "sum" { "adds them" } else { "moves them among the values" };
            let (hold, zero) = match holds {
                Some(c) => (format!("hold {c} each by then"), "0, of which a constant or a table made that"),
                None => (
                    "may hold something other than 0".into(),
                    "0, of which constants and tables make something else, and whoever \
                     encrypts with a public key",
                ),
            };
            let message = format!(
                "{} of the {capacity} slots have no value, and {hold} (they are filled with {zero}): {operation} \
                 {what}; for 0 there, multiply by an encryption of {count} ones first",
                capacity - count % capacity,
            );
            error::warn(py, "PaddingWarning", message)?;
        }
        Ok(())
    }

    /// A function of one result, of inputs that are shifted first.
    fn one(
        &self,
        py: Python<'_>,
        Shifted { function, shift, images }: Shifted,
        inputs: &[Argument<'_>],
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Encrypted> {
        let (first, inputs) = Self::inputs(py, inputs)?;
        self.warn_of_padding(py, &function, &inputs)?;
        let evaluate = |server: &bootes::Server| {
            let result = server.evaluate(function, refs(&shifted(&inputs, shift)?))?;
            Ok(as_integers(vec![result], &images)?.remove(0))
        };
        Ok(first.like(self.watched(py, progress, evaluate)?))
    }

    /// All results of a plan.
    fn planned(
        &self,
        py: Python<'_>,
        plan: &Plan,
        inputs: &[Argument<'_>],
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Encrypted>> {
        let (first, inputs) = Self::inputs(py, inputs)?;
        self.warn_of_padding(py, plan.plan.function(), &inputs)?;
        let run = |server: &bootes::Server| {
            as_integers(server.run(&plan.plan, refs(&shifted(&inputs, plan.shift)?))?, &plan.images)
        };
        Ok(self.watched(py, progress, run)?.into_iter().map(|vector| first.like(vector)).collect())
    }
}

/// The same vectors with a constant added.
fn shifted<'a>(inputs: &[&'a Ciphertexts], shift: i64) -> Result<Vec<Cow<'a, Ciphertexts>>, bootes::Error> {
    let one = |x: &&'a Ciphertexts| match shift {
        0 => Ok(Cow::Borrowed(*x)),
        // It is for a table.
        shift => x.add_constant(shift).map(Cow::Owned).map_err(|error| match error {
            bootes::Error::Space(SpaceError::Limbs { space }) => SpaceError::TwoLimbs { what: "a table", space }.into(),
            error => error,
        }),
    };
    inputs.iter().map(one).collect()
}

/// What is done with frames, in Python.
pub(crate) fn frames(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import("bootes._frames")
}

/// What adds up frames, and decrypts.
pub(crate) fn sums(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import("bootes._sums")
}

/// Whether it is a frame.
pub(crate) fn is_frame(object: &Bound<'_, PyAny>) -> bool {
    object.hasattr("columns").unwrap_or(false) && object.get_type().name().is_ok_and(|name| name == "Frame")
}

fn refs<'a>(vectors: &'a [Cow<'_, Ciphertexts>]) -> Vec<&'a Ciphertexts> {
    vectors.iter().map(AsRef::as_ref).collect()
}

#[pymethods]
impl Server {
    #[new]
    #[pyo3(signature = (key, *, threads=None, memory=None, progress=None))]
    fn new(
        py: Python<'_>,
        key: &Bound<'_, PyAny>,
        threads: Option<Number>,
        memory: Option<Number>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let Ok(key) = key.cast::<ServerKey>() else {
            let kind = key.get_type().name()?;
            let cure = "take Client.server_key(), or ServerKey.load(path)";
            return Err(error::dtype(py, format!("a key of type {kind}, expected a ServerKey: {cure}")));
        };
        let (threads, memory) = (number::threads(py, threads)?, number::memory(py, memory)?);
        in_its_process(py)?;
        let key = &key.get().key;
        let server = interrupted(py, || {
            // It takes the key, and Python keeps its own.
            let mut builder = bootes::Server::builder(key.clone());
            if let Some(threads) = threads {
                builder = builder.threads(threads);
            }
            if let Some(bytes) = memory {
                builder = builder.memory(bytes);
            }
            builder.build()
        })?;
        Ok(Self { server: Open::new(server, "the server is closed: make another of its key"), progress })
    }

    /// The parameters.
    #[getter]
    fn params(&self, py: Python<'_>) -> PyResult<Params> {
        Ok(Params { params: self.server.get(py)?.params(), domain: Domain::Own })
    }

    /// The public identifier of the keys.
    #[getter]
    fn key_id(&self, py: Python<'_>) -> PyResult<String> {
        Ok(hex(&self.server.get(py)?.key_id()))
    }

    /// Whether it is closed.
    #[getter]
    fn closed(&self) -> bool {
        self.server.held().is_none()
    }

    /// Gives its memory back, when evaluations that go on are over. None is begun afterwards: :class:`ClosedError`.
    fn close(&self, py: Python<'_>) {
        self.server.close(py);
    }

    fn __enter__(slf: PyRef<'_, Self>) -> PyResult<PyRef<'_, Self>> {
        slf.server.get(slf.py())?;
        Ok(slf)
    }

    #[pyo3(signature = (*raised))]
    fn __exit__(&self, raised: &Bound<'_, PyTuple>) {
        self.server.close(raised.py());
    }

    /// Evaluates a function of one result, value by value.
    ///
    /// Parameters
    /// ----------
    /// f : callable, ufunc, array_like, mapping or str
    ///     A table: as the function that it is, from integers to integers; its entries in order, of 0 first; or a
    ///     dictionary. Or the name of a function of integers (``relu``, ``max``, ``floor:3`` ...), or with engine bfv
    ///     what is written with their names in order, ``"x*y + 3*rot(x, 1)"``. Or a :class:`Plan`. Of several inputs,
    ///     with engine fhew, a function of as many arguments, or an array with an axis for each.
    /// inputs : Encrypted
    ///     As many arrays as the function takes, of one shape.
    /// out_bits : int, optional
    ///     Of a table: results are integers, with room for so many bits, as many as one ciphertext has. Those that are
    ///     longer have limbs, whose sums are expressions, which give them room.
    /// out_modulus : int, optional
    ///     Of a table: results are residues modulo this, instead of what the inputs are.
    /// progress : bool or callable, optional
    ///     Hears which part is done, instead of the server's.
    #[pyo3(signature = (f, /, *inputs, out_bits=None, out_modulus=None, progress=None))]
    fn evaluate(
        &self,
        f: &Bound<'_, PyAny>,
        inputs: Vec<Bound<'_, PyAny>>,
        out_bits: Option<Number>,
        out_modulus: Option<Number>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Encrypted> {
        let py = f.py();
        let inputs = Argument::beside(f, &inputs)?;
        let results = Results::of(py, out_bits, out_modulus)?;
        if let Ok(plan) = f.cast::<Plan>() {
            results.refused(py)?;
            let mut results = self.planned(py, plan.get(), &inputs, progress)?;
            return match (results.pop(), results.len()) {
                (Some(result), 0) => Ok(result),
                _ => Err(error::argument(py, "a plan of several results: take Server.evaluate_all")),
            };
        }
        let (_, columns) = Self::inputs(py, &inputs)?;
        self.one(py, function_of(f, &columns, results)?, &inputs, progress)
    }

    /// Evaluates an expression of several inputs: ``server.run("select(x > y, x, x*y)", x=x, y=y)``, or of the columns
    /// of a frame: ``server.run("score = 3*age + f(income)", frame, tables={"f": f})``.
    ///
    /// Parameters
    /// ----------
    /// text : str
    ///     Of ``+ - * ^``, integers, names of inputs and tables. With engines fhew and ckks also
    ///     ``/ % < <= > >= == !=``, ``select(c, x, y)``, ``abs``, ``relu``, ``sign``, ``not``, ``shl`` and ``shr`` of
    ///     integers, and ``min``, ``max``, ``and``, ``or``, ``xor`` of any number of them, as ``max(x, y, z)``, value
    ///     by value: ``max(x)`` is x, and the largest of an array ``max(a, b)`` of its halves, of those again; with
    ///     engine bfv ``rot(x, n)``, ``swap(x)``, ``sum(x)``, ``dot(x, y)``. ``sum(x, y)`` adds up two or more.
    /// frame : Frame, optional
    ///     The vectors by the names of its columns. Then the results, of which there may be several, are columns of a
    ///     frame: ``"high = age > 40; high * income"``.
    /// tables : mapping, optional
    ///     Tables by name, as :meth:`evaluate` takes them.
    /// progress : bool or callable, optional
    ///     Hears which part is done, instead of the server's.
    /// **inputs : Encrypted
    ///     The vectors by name.
    #[pyo3(signature = (text, frame=None, /, *, tables=None, progress=None, **inputs))]
    fn run<'py>(
        &self,
        py: Python<'py>,
        text: &str,
        frame: Option<Bound<'py, PyAny>>,
        tables: Option<HashMap<String, Bound<'py, PyAny>>>,
        progress: Option<&Bound<'py, PyAny>>,
        inputs: Option<HashMap<String, Bound<'py, PyAny>>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let expression = Expression::new(py, text, frame.as_ref(), tables, inputs)?;
        let Expression { program, ordered, tables, .. } = &expression;
        if program.outputs().len() > 1 && frame.is_none() {
            let tables = if tables.is_empty() { "" } else { ", tables=…" };
            let given = program.names().join(", ");
            let results = program.output_names().iter().zip(1..).map(|(name, i)| match name {
                Some(name) => name.clone(),
                None => format!("r{i}"),
            });
            let results = results.collect::<Vec<_>>().join(", ");
            let what = format!(
                "the expression has several results: {results} = server.evaluate_all(expression, {given}{tables}) \
                 gives them, or run of a Frame, by name"
            );
            return Err(error::argument(py, what));
        }
        let program = with_tables(py, program, tables, &Self::inputs(py, ordered)?.1)?;
        let Some(frame) = frame else {
            let found = self.one(py, Shifted::of(program.into()), ordered, progress)?;
            return frames(py)?.call_method1("told", (found, &expression.steps[0]));
        };
        let (first, columns) = Self::inputs(py, ordered)?;
        let names = result_names(text, &program);
        frames(py)?.call_method1("refuse_hidden", (&frame, &names))?;
        let function = Function::from(program);
        self.warn_of_padding(py, &function, &columns)?;
        let vectors = self.watched(py, progress, |server| server.evaluate_all(function, columns))?;
        let results: Vec<_> = names.into_iter().zip(vectors.into_iter().map(|vector| first.like(vector))).collect();
        frames(py)?.call_method1("results", (frame, results, expression.steps))
    }

    /// The sums of a frame's columns, all of them or by a public column, for :meth:`Client.decrypt_frame`.
    ///
    /// With engine fhew the server adds up; what has no room for its sum is given more by a table, and what has none
    /// left even so stays in several parts. With engine ckks values of a ciphertext are not added to each other: the
    /// client adds up what it decrypts.
    ///
    /// Parameters
    /// ----------
    /// frame : Frame
    ///     What there is to add.
    /// columns : str or list of str, optional
    ///     The columns: all by default.
    /// by : str or array_like, optional
    ///     A public column of the frame, or a label for each row: a sum for each label.
    /// progress : bool or callable, optional
    ///     Hears which part is done, instead of the server's.
    #[pyo3(signature = (frame, columns=None, *, by=None, progress=None))]
    fn sum<'py>(
        slf: &Bound<'py, Self>,
        frame: &Bound<'py, PyAny>,
        columns: Option<&Bound<'py, PyAny>>,
        by: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let own = slf.get().progress.as_ref().map(|progress| progress.bind(py));
        sums(py)?.call_method1("sums", (slf, frame, columns, by, progress.or(own)))
    }

    /// What an evaluation takes and promises, for inputs like these: a :class:`Plan`, which :meth:`evaluate` takes as a
    /// function. Of an expression with a frame, inputs by name or ``tables`` it is what :meth:`run` would do.
    #[pyo3(signature = (f, /, *inputs, out_bits=None, out_modulus=None, tables=None, **named))]
    fn plan<'py>(
        &self,
        f: &Bound<'py, PyAny>,
        inputs: Vec<Bound<'py, PyAny>>,
        out_bits: Option<Number>,
        out_modulus: Option<Number>,
        tables: Option<HashMap<String, Bound<'py, PyAny>>>,
        named: Option<HashMap<String, Bound<'py, PyAny>>>,
    ) -> PyResult<Plan> {
        let py = f.py();
        let frame = inputs.first().filter(|first| inputs.len() == 1 && is_frame(first));
        if frame.is_some() || tables.is_some() || named.is_some() {
            let Ok(text) = f.cast::<PyString>() else {
                let what = "a frame, or inputs by name, beside what is no expression: expected one, as \"x + 1\"";
                return Err(error::argument(py, what));
            };
            if inputs.len() > usize::from(frame.is_some()) || out_bits.is_some() || out_modulus.is_some() {
                let what = "an expression with tables= or inputs by name beside other arguments: expected all by name";
                return Err(error::argument(py, what));
            }
            let Expression { program, ordered, tables, .. } =
                Expression::new(py, text.to_str()?, frame, tables, named)?;
            let columns = Self::inputs(py, &ordered)?.1;
            let program = with_tables(py, &program, &tables, &columns)?;
            if let Some(frame) = frame {
                frames(py)?.call_method1("refuse_hidden", (frame, result_names(text.to_str()?, &program)))?;
            }
            let server = self.server.get(py)?;
            let plan = watched(py, None, |cancel, _| server.cancelled_by(cancel).plan(program, columns))?;
            return Ok(Plan { plan: Arc::new(plan), shift: 0, images: Vec::new() });
        }
        let inputs = Argument::beside(f, &inputs)?;
        let (_, columns) = Self::inputs(py, &inputs)?;
        let results = Results::of(py, out_bits, out_modulus)?;
        let Shifted { function, shift, images } = function_of(f, &columns, results)?;
        let server = self.server.get(py)?;
        let plan = watched(py, None, |cancel, _| {
            server.cancelled_by(cancel).plan(function, refs(&shifted(&columns, shift)?))
        })?;
        Ok(Plan { plan: Arc::new(plan), shift, images })
    }

    /// Evaluates several tables of the same values, which takes less time than one after the other, or a function of
    /// several results, as ``"digits:2"``: a list of arrays.
    ///
    /// An expression has its inputs in the order of its names: ``server.evaluate_all("x + y; carry(x, y)", x, y,
    /// tables={"carry": lambda x, y: x * y})``.
    #[pyo3(signature = (fs, /, *inputs, tables=None, out_bits=None, out_modulus=None, progress=None))]
    fn evaluate_all(
        &self,
        fs: &Bound<'_, PyAny>,
        inputs: Vec<Bound<'_, PyAny>>,
        tables: Option<HashMap<String, Bound<'_, PyAny>>>,
        out_bits: Option<Number>,
        out_modulus: Option<Number>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Encrypted>> {
        let py = fs.py();
        let inputs = Argument::beside(fs, &inputs)?;
        let results = Results::of(py, out_bits, out_modulus)?;
        if let Ok(plan) = fs.cast::<Plan>() {
            results.refused(py)?;
            if tables.is_some() {
                return Err(error::argument(py, "tables= are those of an expression, and a plan has its own"));
            }
            return self.planned(py, plan.get(), &inputs, progress);
        }
        let (first, columns) = Self::inputs(py, &inputs)?;
        let Shifted { function, shift, images } = match tables {
            Some(tables) => with_names(fs, tables, &columns, results)?,
            None => functions(fs, &columns, results)?,
        };
        self.warn_of_padding(py, &function, &columns)?;
        let evaluate = |server: &bootes::Server| {
            as_integers(server.evaluate_all(function, refs(&shifted(&columns, shift)?))?, &images)
        };
        let vectors = self.watched(py, progress, evaluate)?;
        Ok(vectors.into_iter().map(|vector| first.like(vector)).collect())
    }

    /// 1 where x < 0, else 0.
    fn sign<'py>(&self, py: Python<'py>, x: Argument<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.answer(IntegerOp::Sign, &[x], py)
    }

    /// max(x, 0).
    fn relu(&self, py: Python<'_>, x: Argument<'_>) -> PyResult<Encrypted> {
        self.apply(IntegerOp::Relu, &[x], py)
    }

    /// ``|x|``.
    fn absolute(&self, py: Python<'_>, x: Argument<'_>) -> PyResult<Encrypted> {
        self.apply(IntegerOp::Abs, &[x], py)
    }

    /// The larger of both, value by value.
    fn maximum(&self, py: Python<'_>, x: Argument<'_>, y: Argument<'_>) -> PyResult<Encrypted> {
        self.apply(IntegerOp::Max, &[x, y], py)
    }

    /// The smaller of both, value by value.
    fn minimum(&self, py: Python<'_>, x: Argument<'_>, y: Argument<'_>) -> PyResult<Encrypted> {
        self.apply(IntegerOp::Min, &[x, y], py)
    }

    /// 1 where x < y, else 0.
    fn less<'py>(&self, py: Python<'py>, x: Argument<'py>, y: Argument<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.answer(IntegerOp::Less, &[x, y], py)
    }

    /// 1 where x = y, else 0.
    fn equal<'py>(&self, py: Python<'py>, x: Argument<'py>, y: Argument<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.answer(IntegerOp::Equal, &[x, y], py)
    }

    /// The same values in fewer bytes, to be sent and decrypted: thousands of results of 8 bits take four bytes each
    /// instead of eight thousand with engine fhew. They are sliced, concatenated, saved and decrypted as before; sums
    /// and functions of them are refused. Keys of engine fhew have a part for it
    /// (``client.server_key(compression=True)``). With engine ckks results have half the bits or less, and with both
    /// others what is left of their noise budget.
    ///
    /// Examples
    /// --------
    /// >>> client = bootes.Client("toy_4")        # bits=4 in earnest
    /// >>> server = bootes.Server(client.server_key(compression=True))
    /// >>> y = server.compress(server.evaluate(lambda x: x * x % 16, client.encrypt([3, 5, 15])))
    /// >>> client.decrypt(y)
    /// array([9, 9, 1])
    #[pyo3(signature = (x, *, progress=None))]
    fn compress(
        &self,
        py: Python<'_>,
        x: &Bound<'_, PyAny>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Encrypted> {
        let x = Argument::to_compress(x)?;
        let x = x.get();
        Ok(x.same(self.watched(py, progress, |server| server.compress(&x.vector))?))
    }

    /// An encrypted array of what was sent by AES (:meth:`Client.encrypt_symmetric`), with the encrypted key of its
    /// client: residues, which any function takes. Seconds a block of sixteen bytes.
    #[pyo3(signature = (x, key, *, progress=None))]
    fn transcipher(
        &self,
        py: Python<'_>,
        x: &Symmetric,
        key: &SymmetricKey,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Encrypted> {
        let vector = self.watched(py, progress, |server| server.transcipher(&x.sent, &key.key))?;
        Ok(Encrypted::new(vector, x.shape.clone()))
    }

    /// The products of vectors, value by value, with engine bfv.
    fn multiply(&self, py: Python<'_>, x: Argument<'_>, y: Argument<'_>) -> PyResult<Encrypted> {
        let all = [x, y];
        let (first, columns) = Self::inputs(py, &all)?;
        Ok(first.like(self.watched(py, None, |server| server.multiply(columns[0], columns[1]))?))
    }

    /// Vectors whose rows of slots are moved to the left, with engine bfv.
    fn rotate(&self, py: Python<'_>, x: Argument<'_>, by: Number) -> PyResult<Encrypted> {
        let by = by.get(py, "by", "an integer of 64 bits")?;
        let mut program = Program::new();
        let input = program.input("x");
        let rotated = program.rotate(input, by);
        program.output(rotated);
        self.one(py, Shifted::of(program.into()), &[x], None)
    }

    fn __repr__(&self) -> String {
        let Some(server) = self.server.held() else { return "<bootes.Server, closed>".into() };
        let bytes = server.key_bytes() as f64 / 1e6;
        format!("<bootes.Server of {}, {bytes:.1} MB, key {}>", server.params().name(), hex(&server.key_id()))
    }
}
