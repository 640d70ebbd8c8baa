//! Arrays of encrypted integers.
use crate::error;
use crate::index;
use crate::number::{Number, Optional, Shape};
use crate::params::{Domain, Params};
use crate::place::Place;
use crate::server::{frames, is_frame};
use crate::ufunc;
use crate::values::{Integers, hex, integers};
use crate::work::interrupted;
use bootes::{Ciphertexts, Engine};
use pyo3::basic::CompareOp;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict, PyTuple, PyType};
use std::sync::Arc;

mod argument;
mod arithmetic;

pub(crate) use argument::Argument;

/// An array of encrypted integers: of fresh ones, of results, of sums of them.
///
/// They add, subtract, and multiply by integers as arrays do: ``x + y``, ``x - 1``, ``3 * x``, and ``a @ x`` with a
/// matrix ``a`` of integers. Residues wrap; integers do not, and what has no room is refused. A bound on the noise
/// travels along: what would make results wrong more often than promised is refused, too.
///
/// They are indexed as NumPy's arrays, as far as the engine keeps values apart. ``len``, ``shape``, ``size`` and
/// ``ndim`` are NumPy's. Files, which the command line takes, too, have no shape.
#[pyclass(frozen, module = "bootes")]
#[derive(Clone)]
pub(crate) struct Encrypted {
    /// Arrays of other shapes share it.
    pub(crate) vector: Arc<Ciphertexts>,
    pub(crate) shape: Vec<usize>,
    /// What integers stand for, where a frame knows it.
    pub(crate) field: Option<Arc<Py<PyAny>>>,
}

impl Encrypted {
    /// Whether they have tables, and no functions that compare or divide: residues, but those of engine fhew.
    fn has_tables_alone(&self) -> bool {
        self.modulus().is_some() && self.vector.params().engine() != Engine::Fhew
    }

    /// Whether they have no tables either: slots modulo what is no prime.
    fn has_no_tables(&self) -> bool {
        let is_prime = |p: u64| p > 1 && (2..).take_while(|d| d * d <= p).all(|d| !p.is_multiple_of(d));
        self.vector.params().engine() == Engine::Bfv && !self.modulus().is_some_and(is_prime)
    }

    /// What has functions and tables of residues that have none.
    fn other_parameters(&self) -> String {
        let p = self.modulus().unwrap_or_default();
        format!("slots modulo {p} have sums and products alone: a client of modulus={p} has functions, or integers=")
    }

    /// The refusal of an operator that takes the server's key.
    fn of_the_server(&self, py: Python<'_>, sign: &str, text: &str, number: &str) -> PyErr {
        let bits = if sign == "^" { "; of bits, which are modulo 2, it is x + y" } else { "" };
        let cure = match self.has_tables_alone() {
            _ if self.has_no_tables() => self.other_parameters(),
            // Entries are integers.
            true if sign == "/" => "with a number c Server.evaluate(lambda x: x // c, x), a table".into(),
            true => format!("with a number c Server.evaluate(lambda x: x {sign} c, x), a table{bits}"),
            false => format!("Server.run(\"{text}\", x=x, y=y), or Server.run(\"{number}\", x=x){bits}"),
        };
        error::dtype(py, format!("x {sign} y of encrypted values takes the server's key: {cure}"))
    }

    pub(crate) fn new(vector: Ciphertexts, shape: Vec<usize>) -> Self {
        Self { vector: Arc::new(vector), shape, field: None }
    }

    /// What comes of each value.
    pub(crate) fn like(&self, vector: Ciphertexts) -> Self {
        Self::new(vector, self.shape.clone())
    }

    /// The same values in another form.
    pub(crate) fn same(&self, vector: Ciphertexts) -> Self {
        Self { field: self.field.clone(), ..self.like(vector) }
    }

    /// The same of which is known what they stand for.
    pub(crate) fn standing_for(self, field: Bound<'_, PyAny>) -> Self {
        Self { field: Some(Arc::new(field.unbind())), ..self }
    }

    fn of(vector: Ciphertexts, shape: Option<Shape>, py: Python<'_>) -> PyResult<Self> {
        let shape = shape.map_or_else(|| Ok(vec![vector.len()]), |shape| shape.lengths(py))?;
        match shape.iter().try_fold(1usize, |size, length| size.checked_mul(*length)) {
            Some(size) if size == vector.len() => Ok(Self::new(vector, shape)),
            size => {
                let size = size.map_or("too many".into(), |size| size.to_string());
                Err(error::argument(py, format!("{size} values in shape {shape:?}, and there are {}", vector.len())))
            }
        }
    }
}

#[pymethods]
impl Encrypted {
    /// NumPy leaves operations to this class.
    #[pyo3(signature = (ufunc, method, *inputs, **options))]
    fn __array_ufunc__<'py>(
        &self,
        ufunc: &Bound<'py, PyAny>,
        method: &str,
        inputs: &Bound<'py, PyTuple>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        ufunc::applied(ufunc, method, inputs, options)
    }

    /// Without it NumPy would make an array of objects.
    #[pyo3(signature = (*_arguments, **_options))]
    fn __array__(
        &self,
        py: Python<'_>,
        _arguments: &Bound<'_, PyTuple>,
        _options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let cure = "decrypt them first; or take a @ x of an array a of numbers for np.dot, bootes.concatenate for np.concatenate, x.reshape(…)";
        Err(error::dtype(py, format!("an array of NumPy of encrypted values, which are not known here: {cure}")))
    }

    #[classattr]
    fn __array_priority__() -> f64 {
        1000.0
    }

    /// Series and frames of pandas, which have 3000 and 4000, leave arithmetic to it.
    #[classattr]
    fn __pandas_priority__() -> i64 {
        5000
    }

    /// The lengths of the axes.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.shape)
    }

    /// The number of axes.
    #[getter]
    fn ndim(&self) -> usize {
        self.shape.len()
    }

    /// The number of values.
    #[getter]
    fn size(&self) -> usize {
        self.vector.len()
    }

    /// The bytes of its file.
    #[getter]
    fn nbytes(&self) -> u64 {
        self.vector.stored_bytes()
    }

    /// The modulus of residues, whose sums wrap; None of integers, whose sums do not.
    #[getter]
    fn modulus(&self) -> Option<u64> {
        self.vector.space().modulus()
    }

    /// The least and the largest that values may be.
    #[getter]
    fn range(&self) -> (i128, i128) {
        let range = self.vector.space().range();
        (range.min, range.max)
    }

    /// log2 of the factor by which the noise may grow until values would be wrong more often than promised.
    #[getter]
    fn noise_budget(&self) -> f64 {
        self.vector.noise_budget()
    }

    /// Whether it is compressed (:meth:`Server.compress`), for decryption alone.
    #[getter]
    fn is_compressed(&self) -> bool {
        self.vector.is_compressed()
    }

    /// The parameters.
    #[getter]
    fn params(&self) -> Params {
        let space = self.vector.space();
        let integers = space.integers().map(|all| Domain::Integers { width: all.width(), range: all.range() });
        let domain = space.modulus().map(Domain::Modulo).or(integers).unwrap_or(Domain::Own);
        Params { params: self.vector.params(), domain }
    }

    /// The public identifier of the keys.
    #[getter]
    fn key_id(&self) -> String {
        hex(&self.vector.key_id())
    }

    /// The same values in another shape; one length may be -1.
    #[pyo3(signature = (*shape))]
    fn reshape(&self, py: Python<'_>, shape: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let numbers = crate::values::array(py, vec![0; self.size()], &self.shape)?;
        let reshaped = numbers.call_method1("reshape", shape)?;
        Ok(Self { shape: reshaped.getattr("shape")?.extract()?, ..self.clone() })
    }

    /// The sum of all values, or over an axis: as products with ones, noise and ranges add up. Values of a ciphertext
    /// of engine ckks are not added to each other, and those of engine bfv by the server:
    /// ``Server.run("sum(x)", x=x)``.
    ///
    /// Examples
    /// --------
    /// >>> client = bootes.Client("toy_4")        # bits=4 in earnest
    /// >>> client.decrypt(client.encrypt([[1, 2], [3, 4]]).sum(axis=0))
    /// array([4, 6])
    #[pyo3(signature = (axis=None, dtype=None, out=None))]
    fn sum(
        &self,
        py: Python<'_>,
        axis: Option<Number>,
        dtype: Option<&Bound<'_, PyAny>>,
        out: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        // NumPy's own np.sum gives both.
        if dtype.is_some() || out.is_some() {
            return Err(error::argument(py, "dtype= or out= of a sum of encrypted values: leave it out"));
        }
        let axes = self.shape.len() as i64;
        let axis: Option<i64> = axis.get(py, "axis", "an axis")?;
        if let Some(axis) = axis.filter(|axis| !(-axes..axes).contains(axis)) {
            let what = format!("axis={axis}, expected one of {axes} axes: {} to {}, or none of them", -axes, axes - 1);
            return Err(error::argument(py, what));
        }
        let Some(axis) = axis.map(|axis| axis.rem_euclid(axes) as usize) else {
            return Self { shape: vec![self.size()], ..self.clone() }.summed(py, true);
        };
        let mut shape = self.shape.clone();
        let length = shape.remove(axis);
        let rest = shape.iter().product();
        let summed = if axis == shape.len() {
            Self { shape: vec![rest, length], ..self.clone() }.summed(py, false)
        } else {
            let moved = index::moved(py, &self.shape, axis)?;
            let vector =
                if axis == 0 { self.vector.clone() } else { Arc::new(index::picked(py, &self.vector, &moved)?) };
            Self { vector, shape: vec![length, rest], field: None }.summed(py, true)
        };
        Ok(Self { shape, ..summed? })
    }

    /// The same as residues, whose sums wrap.
    fn as_residues(&self, py: Python<'_>) -> PyResult<Self> {
        Ok(self.like(interrupted(py, || self.vector.as_residues())?))
    }

    /// The same as integers from `min` to `max`: residues modulo 2**b become those that are congruent, and integers
    /// stay what they are, so that the range holds theirs. A range of fewer than 2**b integers is your word that all
    /// are in it, which is not checked. Engine bfv has none.
    ///
    /// >>> client = bootes.Client("toy_4")
    /// >>> client.decrypt(client.encrypt([9, 3]).as_integers(-8, 7))
    /// array([-7,  3])
    fn as_integers(&self, py: Python<'_>, min: Number, max: Number) -> PyResult<Self> {
        if min.is_beyond() || max.is_beyond() {
            return Err(error::argument(py, format!("from {min} to {max}: expected integers of 64 bits")));
        }
        let (min, max) = (min.0, max.0);
        if min > max {
            return Err(error::argument(py, format!("min={min} is above max={max}: expected the least one first")));
        }
        Ok(self.like(interrupted(py, || self.vector.as_integers(min..=max))?))
    }

    fn __len__(&self) -> PyResult<usize> {
        self.shape.first().copied().ok_or_else(|| PyTypeError::new_err("len() of unsized object"))
    }

    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        Err(error::dtype(py, "the truth of encrypted values is not known here: decrypt them first"))
    }

    /// Without it there is no hash either.
    fn __richcmp__(&self, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<bool> {
        let (sign, both) = match op {
            CompareOp::Eq => ("==", "Server.equal(x, y)"),
            CompareOp::Ne => ("!=", "1 - Server.equal(x, y)"),
            CompareOp::Lt => ("<", "Server.less(x, y)"),
            CompareOp::Le => ("<=", "1 - Server.less(y, x)"),
            CompareOp::Gt => (">", "Server.less(y, x)"),
            CompareOp::Ge => (">=", "1 - Server.less(x, y)"),
        };
        // Residues have tables, and integers of any length programs.
        let one = match self.modulus() {
            Some(_) => format!("Server.evaluate(lambda x: x {sign} c, x)"),
            None => format!("Server.run(\"x {sign} 3\", x=x)"),
        };
        let cure = match self.has_tables_alone() {
            _ if self.has_no_tables() => self.other_parameters(),
            true => format!("with a constant {one}"),
            false => format!("{both}, or with a constant {one}"),
        };
        Err(error::dtype(other.py(), format!("x {sign} y of encrypted values takes the server's key: {cure}")))
    }

    fn __contains__(&self, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        Err(error::dtype(value.py(), "what encrypted values are is not known here: decrypt them first"))
    }

    fn __getitem__(&self, py: Python<'_>, index: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (numbers, shape) = index::found(py, &self.shape, index)?;
        Ok(Self { shape, ..self.same(index::picked(py, &self.vector, &numbers)?) })
    }

    fn __add__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.plus(other, false)
    }

    fn __radd__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.plus(other, false)
    }

    fn __sub__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.plus(other, true)
    }

    fn __rsub__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.times(-1, other.py())?.plus(other, false)
    }

    fn __neg__(&self, py: Python<'_>) -> PyResult<Self> {
        self.times(-1, py)
    }

    fn __mul__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = other.py();
        if other.cast::<Self>().is_ok() {
            let what = "a product of encrypted values takes the server's key: Server.multiply(x, y)";
            return Err(error::dtype(py, what));
        }
        match self.vector.params().engine() {
            Engine::Fhew | Engine::Bfv => self.times_each(other),
            // All values of a ciphertext have one.
            Engine::Ckks => match integers(other, "factors are")? {
                Integers { values, shape } if shape.is_empty() => self.times(values[0], py),
                _ => {
                    let what = "an array of factors: expected one integer: take Server.run(\"x*y\", x=x, y=y) with the \
                                array encrypted by the client, y (Client.encrypt), or where x has room for it by the \
                                server, 0*x + a";
                    Err(error::argument(py, what))
                }
            },
        }
    }

    fn __rmul__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.__mul__(other)
    }

    fn __matmul__(&self, matrix: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.product(matrix, false)
    }

    fn __rmatmul__(&self, matrix: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.product(matrix, true)
    }

    fn __truediv__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        Err(self.of_the_server(other.py(), "/", "x/y", "x/2"))
    }

    fn __rtruediv__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        Err(self.of_the_server(other.py(), "/", "x/y", "x/2"))
    }

    fn __floordiv__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        Err(self.of_the_server(other.py(), "//", "x/y", "x/2"))
    }

    fn __rfloordiv__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        Err(self.of_the_server(other.py(), "//", "x/y", "x/2"))
    }

    fn __mod__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        Err(self.of_the_server(other.py(), "%", "x % y", "x % 2"))
    }

    fn __rmod__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        Err(self.of_the_server(other.py(), "%", "x % y", "x % 2"))
    }

    fn __and__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        Err(self.of_the_server(other.py(), "&", "and(x, y)", "and(x, 3)"))
    }

    fn __rand__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        Err(self.of_the_server(other.py(), "&", "and(x, y)", "and(x, 3)"))
    }

    fn __or__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        Err(self.of_the_server(other.py(), "|", "or(x, y)", "or(x, 3)"))
    }

    fn __ror__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        Err(self.of_the_server(other.py(), "|", "or(x, y)", "or(x, 3)"))
    }

    fn __xor__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        Err(self.of_the_server(other.py(), "^", "xor(x, y)", "xor(x, 3)"))
    }

    fn __rxor__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        Err(self.of_the_server(other.py(), "^", "xor(x, y)", "xor(x, 3)"))
    }

    fn __lshift__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        Err(self.of_the_server(other.py(), "<<", "shl(x, y)", "shl(x, 3)"))
    }

    fn __rlshift__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        Err(self.of_the_server(other.py(), "<<", "shl(x, y)", "shl(x, 3)"))
    }

    fn __rshift__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        Err(self.of_the_server(other.py(), ">>", "shr(x, y)", "shr(x, 3)"))
    }

    fn __rrshift__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        Err(self.of_the_server(other.py(), ">>", "shr(x, y)", "shr(x, 3)"))
    }

    fn __pow__(&self, other: &Bound<'_, PyAny>, _modulo: &Bound<'_, PyAny>) -> PyResult<Self> {
        let what = "x ** n of encrypted values takes the server's key: Server.run(\"x^2\", x=x)";
        Err(error::dtype(other.py(), what))
    }

    fn __rpow__(&self, other: &Bound<'_, PyAny>, _modulo: &Bound<'_, PyAny>) -> PyResult<Self> {
        let cure = match self.has_no_tables() {
            true => self.other_parameters(),
            false => "Server.evaluate(lambda x: c**x, x)".into(),
        };
        Err(error::dtype(other.py(), format!("c ** x of encrypted values is a table of them: {cure}")))
    }

    fn __divmod__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        let cure = match self.has_tables_alone() {
            _ if self.has_no_tables() => self.other_parameters(),
            true => "with a number c Server.evaluate_all([lambda x: x // c, lambda x: x % c], x), two tables".into(),
            false => "Server.evaluate_all(\"x/y; x % y\", x, y), or Server.evaluate_all(\"x/2; x % 2\", x)".into(),
        };
        Err(error::dtype(other.py(), format!("divmod(x, y) of encrypted values takes the server's key: {cure}")))
    }

    fn __rdivmod__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.__divmod__(other)
    }

    fn __pos__(&self) -> Self {
        self.clone()
    }

    fn __int__(&self, py: Python<'_>) -> PyResult<i64> {
        Err(error::dtype(py, "what encrypted values are is not known here: decrypt them first"))
    }

    fn __float__(&self, py: Python<'_>) -> PyResult<f64> {
        Err(error::dtype(py, "what encrypted values are is not known here: decrypt them first"))
    }

    fn __invert__(&self, py: Python<'_>) -> PyResult<Self> {
        Err(error::dtype(py, "~x of encrypted values is -1 - x, and of bits 1 - x: write that"))
    }

    fn __abs__(&self, py: Python<'_>) -> PyResult<Self> {
        let other = self.other_parameters();
        let cure = match self.has_tables_alone() {
            _ if self.has_no_tables() => &*other,
            true => "as a table, Server.evaluate(lambda x: min(x, p - x), x) of residues modulo p",
            false => "Server.absolute(x)",
        };
        Err(error::dtype(py, format!("abs(x) of encrypted values takes the server's key: {cure}")))
    }

    /// The bytes of its file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &interrupted(py, || self.vector.to_bytes())?))
    }

    /// An array from :meth:`to_bytes` or a file of the command line; of one axis, or the given shape.
    #[staticmethod]
    #[pyo3(signature = (data, shape=None))]
    fn from_bytes(py: Python<'_>, data: PyBackedBytes, shape: Option<Shape>) -> PyResult<Self> {
        Self::of(interrupted(py, || Ciphertexts::from_bytes(&data))?, shape, py)
    }

    /// Writes its file, which the command line takes, too: to a path, or a binary file that is open.
    fn save(&self, py: Python<'_>, file: Place<'_>) -> PyResult<()> {
        file.save(py, |path| self.vector.save(path), || self.vector.to_bytes())
    }

    /// An array from a file, a path or a binary file that is open; of one axis, or the given shape.
    #[staticmethod]
    #[pyo3(signature = (file, shape=None))]
    fn load(py: Python<'_>, file: Place<'_>, shape: Option<Shape>) -> PyResult<Self> {
        Self::of(file.load(py, Ciphertexts::load, Ciphertexts::from_bytes)?, shape, py)
    }

    /// How many bits the limbs of integers have below the highest, where a value has several ciphertexts.
    #[getter]
    fn _limb_bits(&self) -> Option<u32> {
        let limbs = self.vector.space().integers()?.limbs();
        limbs.high.map(|_| limbs.low)
    }

    /// What integers stand for, where a frame knows it.
    #[getter]
    fn _field<'py>(&self, py: Python<'py>) -> Option<&Bound<'py, PyAny>> {
        self.field.as_ref().map(|field| field.bind(py))
    }

    /// The same array, of which is known what integers stand for.
    fn _with_field(&self, field: Bound<'_, PyAny>) -> Self {
        self.clone().standing_for(field)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (py, x) = (slf.py(), slf.get());
        let (bytes, shape) = (x.to_bytes(py)?, x.shape(py)?);
        match x._field(py) {
            None => Ok((PyType::new::<Self>(py).getattr("from_bytes")?, (bytes, shape).into_pyobject(py)?)),
            Some(field) => Ok((frames(py)?.getattr("read_array")?, (bytes, shape, field).into_pyobject(py)?)),
        }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (shape, space, params) = (self.shape(py)?.repr()?, self.vector.space(), self.vector.params());
        let noise = match self.vector.is_compressed() {
            true => "compressed".into(),
            false => format!("noise budget {:.1} bits", self.vector.noise_budget()),
        };
        Ok(format!("<bootes.Encrypted of shape {shape}, {space}, {}, {noise}>", params.name()))
    }
}

/// Arrays one after the other, along the first axis; of frames that hold the same, their rows.
#[pyfunction]
pub(crate) fn concatenate<'py>(py: Python<'py>, arrays: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let Ok(all) = arrays.try_iter() else {
        let kind = arrays.get_type().name()?;
        return Err(error::dtype(py, format!("arrays of type {kind}, expected a list of them, [x, y]")));
    };
    let all = all.collect::<PyResult<Vec<_>>>()?;
    if all.first().is_some_and(is_frame) {
        return frames(py)?.call_method1("concatenate", (all,));
    }
    let arrays = all.iter().map(|x| x.extract::<Argument<'_>>()).collect::<PyResult<Vec<_>>>()?;
    let arrays: Vec<&Encrypted> = arrays.iter().map(Argument::get).collect();
    let Some(first) = arrays.first() else {
        return Err(error::argument(py, "no arrays to put together: give one at least"));
    };
    let shapes = || arrays.iter().map(|x| &x.shape[..]);
    if shapes().any(|shape| shape.is_empty() || shape[1..] != first.shape[1..]) {
        let shapes = shapes().map(|shape| format!("{shape:?}")).collect::<Vec<_>>().join(", ");
        return Err(error::argument(py, format!("shapes {shapes}: expected one axis at least, and the others alike")));
    }
    let len = shapes().map(|shape| shape[0]).sum();
    let vector = interrupted(py, || Ciphertexts::concat(arrays.iter().map(|x| &*x.vector)))?;
    let found = Encrypted::new(vector, [&[len], &first.shape[1..]].concat());
    let field = frames(py)?.call_method1("field_of_all", (arrays.iter().map(|x| x._field(py)).collect::<Vec<_>>(),))?;
    let found = if field.is_none() { found } else { found.standing_for(field) };
    Ok(Bound::new(py, found)?.into_any())
}
