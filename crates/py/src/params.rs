//! Parameters, by what they are to hold.
use crate::error;
use crate::function::MAX_ENTRIES;
use crate::number::{self, Ends, Number, Optional};
use crate::work::{caught, interrupted};
use bootes::planner::{Request, choose};
use bootes::{Ciphertexts, Engine, Error, FailureTarget, IntegerOp, Interval, Load, MAX_WIDTH, Space};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What slots are modulo.
pub(crate) const PRIMES: &str = "an odd prime below 2^40; with depth= also a power of two up to it";

const BITS: &str = "1 to 20";
const MODULI: &str = "2 to 2^20, or a prime below 2^40, or a power of two up to it, as slots= with depth=";

/// What there is for residues that are longer than those of any set.
fn or_integers(width: u32, p: u64) -> String {
    let modulus = if p.is_power_of_two() { format!("2^{width}") } else { p.to_string() };
    format!(
        "; or take integers={width}, with signed=False where they are encrypted, and \
         Server.run(\"(x + y) % {modulus}\", …), which wraps as it says"
    )
}

/// The values that a client encrypts, unless it is told otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Domain {
    /// Residues modulo what the parameters are for.
    Own,
    /// What a key's file does not tell, and nobody has said.
    Unsaid,
    /// Residues modulo p.
    Modulo(u64),
    /// Residues modulo 2^bits.
    Bits(u32),
    /// Integers of so many bits, of a range.
    Integers { width: u32, range: Interval },
}

impl Domain {
    /// The domain of these arguments, of which there is one at most.
    pub(crate) fn of(
        py: Python<'_>,
        bits: Option<Number>,
        modulus: Option<Number>,
        integers: Option<Number>,
        signed: bool,
        within: Option<Ends>,
    ) -> PyResult<Self> {
        let bits: Option<u32> = bits.get(py, "bits", BITS)?;
        let modulus: Option<u64> = modulus.get(py, "modulus", MODULI)?;
        let integers: Option<u32> = integers.get(py, "integers", &format!("1 to {MAX_WIDTH}"))?;
        let within = within.map(|Ends(min, max)| (min.0, max.0));
        if within.is_some_and(|(min, max)| min > max) {
            return Err(error::argument(
                py,
                "within: the first integer is above the second: expected (least, largest)",
            ));
        }
        match (bits, modulus, integers) {
            (None, None, None) if within.is_some() => Err(error::argument(py, "within= is for integers=: give both")),
            (None, None, None) if !signed => Err(error::argument(py, "signed= is for integers=: give both")),
            (None, None, None) => Ok(Self::Own),
            (_, _, None) if within.is_some() => {
                let what = "within= is for integers=: give that in place of bits= or modulus=";
                Err(error::argument(py, what))
            }
            (Some(bits), None, None) => Ok(Self::Bits(bits)),
            (None, Some(p), None) => Ok(Self::Modulo(p)),
            (None, None, Some(width)) => {
                let bits = width.clamp(1, MAX_WIDTH);
                let all = if signed { Interval::signed(bits) } else { Interval::unsigned(bits) };
                Ok(Self::Integers { width, range: within.map_or(all, |(min, max)| Interval { min, max }) })
            }
            _ => Err(error::argument(py, "more than one of bits=, modulus= and integers=: expected one at most")),
        }
    }

    /// The domain of these arguments, or this one: `within` and `signed` alone are of integers that it has.
    pub(crate) fn said(
        self,
        py: Python<'_>,
        bits: Option<Number>,
        modulus: Option<Number>,
        integers: Option<Number>,
        signed: bool,
        within: Option<Ends>,
    ) -> PyResult<Self> {
        let says_more = within.is_some() || !signed;
        let integers = match (self, bits.is_none() && modulus.is_none() && integers.is_none() && says_more) {
            (Self::Integers { width, .. }, true) => Some(Number(width.into())),
            _ => integers,
        };
        Self::of(py, bits, modulus, integers, signed, within)?.or(py, self)
    }

    /// Refuses what no set holds.
    pub(crate) fn checked(self, py: Python<'_>) -> PyResult<Self> {
        let what = match self {
            Self::Bits(bits @ 21..=MAX_WIDTH) => {
                format!("bits={bits}, expected {BITS}{}", or_integers(bits, 1 << bits.min(63)))
            }
            Self::Bits(bits @ (0 | 21..)) => format!("bits={bits}, expected {BITS}"),
            Self::Modulo(p @ ..2) => format!("modulus={p}, expected {MODULI}"),
            Self::Integers { width, .. } if !(1..=MAX_WIDTH).contains(&width) => {
                format!("integers={width}, expected 1 to {MAX_WIDTH}")
            }
            _ => return Ok(self),
        };
        Err(error::argument(py, what))
    }

    /// This set, or the one that evaluates so many values of the domain in less time.
    fn set_for_many(
        self,
        params: bootes::Params,
        values: usize,
        target: FailureTarget,
    ) -> Result<bootes::Params, Error> {
        let p = match self {
            Self::Bits(bits) => 1 << bits,
            Self::Modulo(p) => p,
            _ => return params.many(values),
        };
        // Sets for integers, which hold the longer ones too, are compared by their shorter tables.
        let other = params.many(values)?;
        if self.held_by(&other).is_ok() {
            return Ok(other);
        }
        let function = bootes::Function::Table(bootes::Lut::unstructured_modulo(p));
        let choice = choose(&Request { function, space: Space::Modular(p), target }, &Load::of(values))?;
        // Whatever follows that table.
        let chosen = choice.offer.params;
        if chosen.depth().is_some() { bootes::Params::on(chosen.engine(), p, target) } else { Ok(chosen) }
    }

    /// Refuses what this set does not hold.
    fn held_by(self, params: &bootes::Params) -> Result<(), Error> {
        if params.engine() == Engine::Bfv {
            return Ok(());
        }
        let name = || params.name().into();
        let bits = params.bits().max(params.integer_bits().unwrap_or(0));
        let width = (params.bits() - 1).max(params.max_integer_bits().unwrap_or(0));
        match self {
            Self::Bits(found) if found > bits => Err(Error::Bits { found, max: bits, params: name() }),
            Self::Modulo(found) if found > 1 << bits => Err(Error::Modulus { found, max: 1 << bits, params: name() }),
            Self::Integers { width: found, .. } if found > width => {
                Err(Error::Width { found, max: width, params: name() })
            }
            _ => Ok(()),
        }
    }

    /// This one, or the `other` where nothing is said; refused where that is not known either.
    pub(crate) fn or(self, py: Python<'_>, other: Self) -> PyResult<Self> {
        match (self, other) {
            (Self::Own, Self::Unsaid) => Err(error::argument(
                py,
                "a key's file does not tell what it encrypts: say bits=, modulus= or integers=, here or where it is \
                 loaded",
            )),
            (Self::Own, other) => Ok(other),
            (said, _) => Ok(said),
        }
    }

    /// This one for a key that was read: vectors are of one kind, others have several.
    pub(crate) fn of_file(self, engine: Engine) -> Self {
        if self == Self::Own && engine != Engine::Bfv { Self::Unsaid } else { self }
    }

    /// Of residues modulo p, −1 is p − 1, as on the command line: of what is said to be such, and of vectors.
    fn reduce(self, of_set: Option<u64>, values: &mut [i128]) {
        let ((Self::Modulo(p), _) | (Self::Own, Some(p))) = (self, of_set) else { return };
        let p = i128::from(p);
        // Others stay, and are refused as what they are.
        values.iter_mut().for_each(|value| *value += p * i128::from((*value < 0) & (*value > -p)));
    }

    /// Encrypts values of it.
    pub(crate) fn encrypt(self, client: &bootes::Client, values: &mut [i128]) -> Result<Ciphertexts, Error> {
        self.reduce(client.params().modulus(), values);
        let values = &*values;
        match self {
            Self::Own | Self::Unsaid => client.encrypt(values),
            Self::Bits(bits) => client.encrypt_bits(values, bits),
            Self::Modulo(p) => client.encrypt_modulo(values, p),
            Self::Integers { width, range } => client.encrypt_within(values, range, width),
        }
    }

    /// The same with a public key.
    pub(crate) fn encrypt_public(self, key: &bootes::PublicKey, values: &mut [i128]) -> Result<Ciphertexts, Error> {
        self.reduce(key.params().modulus(), values);
        let values = &*values;
        match self {
            Self::Own | Self::Unsaid => key.encrypt(values),
            Self::Bits(bits) => key.encrypt_bits(values, bits),
            Self::Modulo(p) => key.encrypt_modulo(values, p),
            Self::Integers { width, range } => key.encrypt_within(values, range, width),
        }
    }
}

/// A parameter set: `Params("toy_4")` by name, or the best one for what it is to hold.
///
/// Parameters
/// ----------
/// name : str, optional
///     The set of this name; :meth:`names` lists them. With `bits`, `modulus` or `integers` it has to hold them.
/// bits : int, optional
///     For residues modulo ``2**bits``, and any table of them.
/// modulus : int, optional
///     For residues modulo this number.
/// integers : int, optional
///     For integers of so many bits with a sign, and functions of them: ``relu``, ``max``, ``less`` ...
/// slots : int, optional
///     For vectors modulo this odd prime, with products and rotations; with `depth` also modulo a power of two up to
///     2**40, a value a ciphertext and without rotations.
/// depth : int, optional
///     With `slots`: for so many products in a row, with keys a hundred times smaller, which bootstrap nothing. The
///     prime is any below 2**40, or a power of two.
/// many : int, optional
///     How many values there are: from some thousands on they are evaluated thousands at once.
/// failure : int, default -128
///     The most that a value may be wrong, as a power of two: -128 or -64. A named set that promises less is refused.
///
/// Examples
/// --------
/// >>> params = bootes.Params(bits=8)
/// >>> params.engine, params.bits, params.log2_p_fail <= -128
/// ('fhew', 8, True)
#[pyclass(frozen, module = "bootes", from_py_object)]
#[derive(Clone)]
pub(crate) struct Params {
    pub(crate) params: bootes::Params,
    pub(crate) domain: Domain,
}

pub(crate) enum NameOrParams {
    Params(Params),
    Name(String),
}

impl FromPyObject<'_, '_> for NameOrParams {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if let Ok(params) = object.extract() {
            return Ok(Self::Params(params));
        }
        if let Ok(name) = object.extract() {
            return Ok(Self::Name(name));
        }
        let (kind, cure) = (object.get_type().name()?, "expected Params, or the name of a set; bits=8 is by its name");
        Err(error::dtype(object.py(), format!("params is of type {kind}: {cure}")))
    }
}

/// The parameters of these arguments.
#[expect(clippy::too_many_arguments, reason = "those of Python, by name")]
pub(crate) fn params_of(
    py: Python<'_>,
    params: Option<NameOrParams>,
    bits: Option<Number>,
    modulus: Option<Number>,
    integers: Option<Number>,
    slots: Option<Number>,
    depth: Option<Number>,
    many: Option<Number>,
    failure: Option<Number>,
) -> PyResult<Params> {
    let asked = failure.map(|failure| target(py, failure)).transpose()?;
    let target = asked.unwrap_or(FailureTarget::Two128);
    let domain = Domain::of(py, bits, modulus, integers, true, None)?;
    if depth.is_some() && slots.is_none() {
        return Err(error::argument(py, "depth= without slots=: expected it for vectors, as slots=65537, depth=2"));
    }
    domain.checked(py)?;
    let slots: Option<u64> = slots.get(py, "slots", PRIMES)?;
    let depth: Option<u32> = depth.get(py, "depth", "the number of products in a row, 1 or more")?;
    let many = many.map(|many| number::values(py, "many", 1, many)).transpose()?;
    if many.is_some() && params.is_some() {
        let what =
            "many= beside a parameter set, which has its number of values: expected bits=, modulus= or integers=";
        return Err(error::argument(py, what));
    }
    let new: Box<dyn FnOnce() -> Result<bootes::Params, Error> + Send> = match (params, slots, domain) {
        (Some(NameOrParams::Params(Params { params, domain: own })), None, domain) => {
            let domain = if domain == Domain::Own { own } else { domain };
            caught(|| domain.held_by(&params))?;
            interrupted(py, || asked.map_or(Ok(()), |target| params.promises(target)))?;
            return Ok(Params { params, domain });
        }
        (Some(NameOrParams::Name(name)), None, domain) => {
            let params = interrupted(py, || bootes::Params::named(&name))?;
            caught(|| domain.held_by(&params))?;
            interrupted(py, || asked.map_or(Ok(()), |target| params.promises(target)))?;
            return Ok(Params { params, domain });
        }
        (None, Some(p), Domain::Own) => Box::new(move || match depth {
            None => bootes::Params::for_vectors(p),
            Some(depth) => bootes::Params::for_vectors_to_depth(p, depth),
        }),
        (None, None, Domain::Bits(bits)) => {
            Box::new(move || bootes::Params::on(Engine::for_entries(1 << bits), 1 << bits, target))
        }
        (None, None, Domain::Modulo(p)) if p > MAX_ENTRIES => {
            let bits = p.checked_next_power_of_two().map_or(MAX_WIDTH, u64::ilog2);
            let what = format!("modulus={p}, expected {MODULI}{}", or_integers(bits, p));
            return Err(error::argument(py, what));
        }
        (None, None, Domain::Modulo(p)) => Box::new(move || bootes::Params::on(Engine::for_entries(p), p, target)),
        (None, None, Domain::Integers { width, .. }) => Box::new(move || match many {
            None => bootes::Params::integers_on(Engine::Fhew, width, target),
            Some(values) => {
                let (function, space) = (IntegerOp::Less.into(), Space::signed(width.clamp(1, MAX_WIDTH)));
                choose(&Request { function, space, target }, &Load::of(values)).map(|choice| choice.offer.params)
            }
        }),
        (None, None, Domain::Own) => {
            let what = "no parameters: expected one of bits=, modulus=, integers=, slots=, or the name of a set";
            return Err(error::argument(py, what));
        }
        _ => return Err(error::argument(py, "slots= beside another choice of parameters: expected one alone")),
    };
    let params = interrupted(py, new)?;
    interrupted(py, || asked.map_or(Ok(()), |target| params.promises(target)))?;
    let params = match many.filter(|_| integers.is_none()) {
        // A set of engine ckks is one for many already.
        Some(values) if params.engine() != Engine::Ckks => {
            interrupted(py, || domain.set_for_many(params, values, target))?
        }
        _ => params,
    };
    Ok(Params { params, domain })
}

#[pymethods]
impl Params {
    #[new]
    #[pyo3(
        signature = (name=None, *, bits=None, modulus=None, integers=None, slots=None, depth=None, many=None,
                     failure=None),
        text_signature = "(name=None, *, bits=None, modulus=None, integers=None, slots=None, depth=None, \
                          many=None, failure=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "by name")]
    fn new(
        py: Python<'_>,
        name: Option<String>,
        bits: Option<Number>,
        modulus: Option<Number>,
        integers: Option<Number>,
        slots: Option<Number>,
        depth: Option<Number>,
        many: Option<Number>,
        failure: Option<Number>,
    ) -> PyResult<Self> {
        params_of(py, name.map(NameOrParams::Name), bits, modulus, integers, slots, depth, many, failure)
    }

    /// The names of all sets of all engines; those that begin with ``toy`` are fast, and hide nothing.
    #[staticmethod]
    fn names() -> Vec<String> {
        Engine::ALL.into_iter().flat_map(bootes::Params::names).collect()
    }

    /// The name of the set.
    #[getter]
    fn name(&self) -> &str {
        self.params.name()
    }

    /// The engine: ``'fhew'``, a value at a time; ``'ckks'``, thousands at once; ``'bfv'``, vectors.
    #[getter]
    fn engine(&self) -> String {
        self.params.engine().to_string()
    }

    /// Bits of the widest residues.
    #[getter]
    fn bits(&self) -> u32 {
        self.params.bits()
    }

    /// Values that are evaluated at the price of one.
    #[getter]
    fn capacity(&self) -> usize {
        self.params.capacity()
    }

    /// Products in a row that there is room for; None where values are bootstrapped, and of other engines.
    #[getter]
    fn depth(&self) -> Option<u32> {
        self.params.depth()
    }

    /// Bits of security by the usual estimate; None for toy sets, which have none.
    #[getter]
    fn security(&self) -> Option<f64> {
        self.params.security().map(|security| security.standard)
    }

    /// log2 of the probability that a value is wrong, at most.
    #[getter]
    fn log2_p_fail(&self) -> f64 {
        self.params.log2_p_fail()
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((&str,), Bound<'py, PyDict>)> {
        let domain = PyDict::new(py);
        match self.domain {
            Domain::Own | Domain::Unsaid => {}
            Domain::Bits(bits) => domain.set_item("bits", bits)?,
            Domain::Modulo(p) => domain.set_item("modulus", p)?,
            Domain::Integers { width, .. } => domain.set_item("integers", width)?,
        }
        Ok(((self.params.name(),), domain))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.params == other.params
    }

    fn __hash__(&self) -> u64 {
        self.params.fingerprint().into_iter().take(8).fold(0, |hash, byte| hash << 8 | u64::from(byte))
    }

    fn __str__(&self) -> String {
        self.params.description()
    }

    fn __repr__(&self) -> String {
        format!("Params({:?})", self.params.name())
    }
}

/// The failure that is asked for.
pub(crate) fn target(py: Python<'_>, failure: Number) -> PyResult<FailureTarget> {
    let target = FailureTarget::ALL.into_iter().find(|target| i128::from(target.log2()) == failure.0);
    target.ok_or_else(|| error::argument(py, format!("failure={failure}, expected -128 or -64")))
}
