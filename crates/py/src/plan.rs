//! Plans: what an evaluation takes, before anything moves.
use crate::error;
use crate::function::{Inputs, Results, Shifted, function};
use crate::number::{self, Number, Optional};
use crate::params::{Domain, PRIMES, Params, target};
use crate::work::{caught, interrupted};
use bootes::planner::{Choice, Offer, Reason, Request, choose};
use bootes::{Engine, Error, Function, IntegerOp, Interval, Load, Lut, MAX_WIDTH, Prediction, Space};
use pyo3::prelude::*;
use std::sync::Arc;

/// What a server knows of an evaluation before it is done: printed, it tells all.
///
/// It is a function for :meth:`Server.evaluate`, for inputs like those that it was made for.
#[pyclass(frozen, module = "bootes")]
pub(crate) struct Plan {
    pub(crate) plan: Arc<bootes::Plan>,
    /// What is added to the inputs first.
    pub(crate) shift: i64,
    /// What results that an engine gives as residues are as integers.
    pub(crate) images: Vec<Option<Interval>>,
}

#[pymethods]
impl Plan {
    /// The engine.
    #[getter]
    fn engine(&self) -> String {
        self.plan.engine().to_string()
    }

    /// The algorithms.
    #[getter]
    fn algorithms(&self) -> Vec<String> {
        self.plan.algorithms()
    }

    /// log2 of the probability that a value is wrong, at most.
    #[getter]
    fn log2_p_fail(&self) -> f64 {
        self.plan.log2_p_fail()
    }

    /// Predicted seconds for so many values, on the server's threads.
    fn seconds(&self, py: Python<'_>, values: Number) -> PyResult<f64> {
        let values = number::values(py, "values", 0, values)?;
        caught(|| self.plan.seconds(values))
    }

    /// Predicted bytes of memory for so many values, keys among them.
    fn memory(&self, py: Python<'_>, values: Number) -> PyResult<u64> {
        let values = number::values(py, "values", 0, values)?;
        caught(|| Ok::<_, Error>(self.plan.prediction(values)?.memory.peak()))
    }

    /// The parameters of another engine, and predicted seconds of a conversion to it and the evaluation there, where
    /// that takes less than 7/10 of the time for so many values, keys of both being there:
    /// :meth:`Client.conversion_key`.
    ///
    /// Results stay with the other engine. None of what is no table of residues.
    fn detour(&self, py: Python<'_>, values: Number) -> PyResult<Option<(Params, f64)>> {
        let values = number::values(py, "values", 0, values)?;
        let found = interrupted(py, || self.plan.detour(values))?;
        Ok(found.map(|detour| (Params { params: detour.offer.params, domain: Domain::Own }, detour.seconds)))
    }

    fn __str__(&self) -> String {
        let words = self.plan.to_string();
        match caught(|| self.plan.prediction(1)) {
            // That of engine fhew is in its words.
            Ok(Prediction { seconds, capacity, memory, .. }) if self.plan.engine() != Engine::Fhew => format!(
                "{words}\n  predicted: {} for up to {capacity} values on the server's threads, {} of memory",
                in_seconds(seconds),
                size(memory.peak())
            ),
            _ => words,
        }
    }

    fn __repr__(&self) -> String {
        let (engine, algorithms, failure) =
            (self.engine(), self.algorithms().join(", "), in_failure(self.log2_p_fail()));
        format!("<bootes.Plan with engine {engine}, {algorithms}, failure {failure}>")
    }

    fn _repr_html_(&self) -> String {
        let words = escaped(&self.__str__());
        let mut lines = words.lines().map(str::trim);
        let title = lines.next().unwrap_or_default();
        let row = |line: &str| match line.split_once(": ") {
            Some((what, told)) => format!("<tr><th>{what}</th><td>{told}</td></tr>"),
            None => format!("<tr><td colspan=\"2\">{line}</td></tr>"),
        };
        let rows: String = lines.map(row).collect();
        format!("<table><caption>{title}</caption><tbody>{rows}</tbody></table>")
    }
}

/// The engine and set of least predicted time for a whole job, and what the others would take: from :func:`plan`.
///
/// Printed, it is a table, in a notebook too, with the client that it is for: ``Client(choice.params)`` is the same.
#[pyclass(name = "Choice", frozen, module = "bootes")]
pub(crate) struct PyChoice {
    choice: Choice,
    domain: Domain,
    count: usize,
    /// Residues as integers, and the program of them, where that is faster.
    on_integers: Option<(Request, Offer)>,
}

impl PyChoice {
    /// What is faster than the choice, in a line: the values as integers.
    fn faster(&self) -> Option<String> {
        let (request, offer) = self.on_integers.as_ref()?;
        let (Interval { min, max }, integers) = (offer.space.range(), offer.space.integers()?);
        let (function, width, set) = (request.function.to_string(), integers.width(), offer.params.name());
        let seconds = in_seconds(offer.prediction.job_seconds);
        Some(format!(
            "faster as integers: \"{function}\" of Client({set:?}, integers={width}).encrypt(x, within=({min}, \
             {max})), engine {}, job {seconds}",
            offer.params.engine()
        ))
    }

    /// A row for each engine: its name, and its cells or a reason why there are none.
    fn rows(&self) -> Vec<(String, Result<Vec<String>, String>)> {
        let row = |offer: &Offer| {
            let Prediction { job_seconds, seconds, key_bytes, log2_p_fail, memory, .. } = &offer.prediction;
            let [job, evaluation] = [job_seconds, seconds].map(|seconds| in_seconds(*seconds));
            let failure = in_failure(*log2_p_fail);
            let set = offer.params.name().to_string();
            (
                offer.params.engine().to_string(),
                Ok(vec![set, job, evaluation, size(*key_bytes), size(memory.peak()), failure]),
            )
        };
        let other = |(engine, reason): &(Engine, Reason)| match reason {
            Reason::Slower(offer) => row(offer),
            Reason::NotTried(least) => (engine.to_string(), Err(format!("its keys alone take {}", in_seconds(*least)))),
            Reason::Refused(refused) => (engine.to_string(), Err(error::in_words_of_python(refused.to_string()))),
        };
        std::iter::once(row(&self.choice.offer)).chain(self.choice.others.iter().map(other)).collect()
    }

    fn title(&self) -> String {
        let params = &self.choice.offer.params;
        let domain = match self.domain {
            Domain::Own | Domain::Unsaid => String::new(),
            Domain::Bits(bits) => format!(", bits={bits}"),
            Domain::Modulo(p) => format!(", modulus={p}"),
            Domain::Integers { width, .. } => format!(", integers={width}"),
        };
        format!("{} values, with Client({:?}{domain}), engine {}:", self.count, params.name(), params.engine())
    }
}

/// The heads of the columns.
const HEADS: [&str; 7] = ["engine", "set", "job", "evaluation", "key", "memory", "failure"];

#[pymethods]
impl PyChoice {
    /// The engine.
    #[getter]
    fn engine(&self) -> String {
        self.choice.offer.params.engine().to_string()
    }

    /// The parameters, for a client.
    #[getter]
    fn params(&self) -> Params {
        Params { params: self.choice.offer.params.clone(), domain: self.domain }
    }

    /// Predicted seconds of the whole job: keys, encryption, evaluation, decryption.
    #[getter]
    fn job_seconds(&self) -> f64 {
        self.choice.offer.prediction.job_seconds
    }

    /// Predicted seconds of the evaluation alone.
    #[getter]
    fn evaluation_seconds(&self) -> f64 {
        self.choice.offer.prediction.seconds
    }

    /// Bytes of the server key.
    #[getter]
    fn key_bytes(&self) -> u64 {
        self.choice.offer.prediction.key_bytes
    }

    /// Bytes of memory that the server takes; with engine fhew of keys and plan.
    #[getter]
    fn memory(&self) -> u64 {
        self.choice.offer.prediction.memory.peak()
    }

    /// log2 of the probability that a value is wrong, at most.
    #[getter]
    fn log2_p_fail(&self) -> f64 {
        self.choice.offer.prediction.log2_p_fail
    }

    fn __repr__(&self) -> String {
        let rows = self.rows();
        let cells = |engine: &str, cells: &[String]| [&[engine.to_string()], cells].concat();
        let heads: Vec<String> = HEADS.map(String::from).to_vec();
        let full: Vec<Vec<String>> =
            rows.iter().filter_map(|(engine, row)| Some(cells(engine, row.as_ref().ok()?))).collect();
        let width = |i: usize| full.iter().chain([&heads]).map(|row| row[i].chars().count()).max().unwrap_or(0);
        let line = |row: &[String]| -> String {
            let padded = row.iter().enumerate().map(|(i, cell)| format!("{cell:<0$}", width(i)));
            padded.collect::<Vec<_>>().join("  ").trim_end().to_string()
        };
        let body = rows.iter().map(|(engine, row)| match row {
            Ok(row) => line(&cells(engine, row)),
            Err(reason) => format!("{engine:<0$}  {reason}", width(0)),
        });
        [self.title(), line(&heads)].into_iter().chain(body).chain(self.faster()).collect::<Vec<_>>().join("\n")
    }

    fn _repr_html_(&self) -> String {
        let row = |(engine, row): (String, Result<Vec<String>, String>)| {
            let cells = match row {
                Ok(cells) => cells.iter().map(|cell| format!("<td>{}</td>", escaped(cell))).collect(),
                Err(reason) => format!("<td colspan=\"{}\">{}</td>", HEADS.len() - 1, escaped(&reason)),
            };
            format!("<tr><th>{engine}</th>{cells}</tr>")
        };
        let heads: String = HEADS.map(|head| format!("<th>{head}</th>")).concat();
        let rows: String = self.rows().into_iter().map(row).collect();
        let title = escaped(&self.title());
        let faster = self.faster().map_or(String::new(), |line| format!("<p>{}</p>", escaped(&line)));
        format!("<table><caption>{title}</caption><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>{faster}")
    }
}

/// Which engine and set take the least time for a job, and how much, before there are keys.
///
/// Parameters
/// ----------
/// f : callable, ufunc, array_like, mapping or str, optional
///     What is evaluated, as :meth:`Server.evaluate` takes it: without it a table without structure, or of
///     ``integers`` the comparison of two.
/// bits, modulus, integers, slots : int
///     What the values are, as for :class:`Params`: one of them.
/// count : int, default 1
///     How many values there are.
/// threads : int, optional
///     How many threads work, on a machine that has as many: as many as there are processors here.
/// memory : int, optional
///     Bytes of memory at most.
/// failure : int, default -128
///     The most that a value may be wrong, as a power of two: -128 or -64.
///
/// Examples
/// --------
/// >>> bootes.plan(bits=8, count=16).engine, bootes.plan(bits=8, count=65536).engine
/// ('fhew', 'ckks')
#[pyfunction]
#[pyo3(
    signature = (
        f=None, *, bits=None, modulus=None, integers=None, slots=None, count=Number(1), threads=None, memory=None,
        failure=Number(-128)
    ),
    text_signature = "(f=None, *, bits=None, modulus=None, integers=None, slots=None, count=1, threads=None, \
                      memory=None, failure=-128)"
)]
#[expect(clippy::too_many_arguments, reason = "by name")]
pub(crate) fn plan(
    py: Python<'_>,
    f: Option<&Bound<'_, PyAny>>,
    bits: Option<Number>,
    modulus: Option<Number>,
    integers: Option<Number>,
    slots: Option<Number>,
    count: Number,
    threads: Option<Number>,
    memory: Option<Number>,
    failure: Number,
) -> PyResult<PyChoice> {
    let target = target(py, failure)?;
    let count = number::values(py, "count", 0, count)?;
    let (threads, memory) = (number::threads(py, threads)?, number::memory(py, memory)?);
    if threads == Some(0) {
        return Err(error::argument(py, "0 threads, expected at least 1"));
    }
    let slots: Option<u64> = slots.get(py, "slots", PRIMES)?;
    let modulus = modulus.or(slots.map(|p| Number(p.into())));
    let domain = Domain::of(py, bits, modulus, integers, true, None)?;
    let p = match domain {
        Domain::Bits(bits @ 1..=20) => Some(1 << bits),
        Domain::Modulo(p @ 2..=1_048_576) => Some(p),
        // Of vectors, which have no table without structure.
        Domain::Modulo(p @ ..=1_099_511_627_776) if slots.is_some() && f.is_some() => Some(p),
        Domain::Integers { width: 1..=MAX_WIDTH, .. } => None,
        _ => {
            domain.checked(py)?;
            let what = format!(
                "expected one of bits= (1 to 20), modulus= (2 to 2^20), integers= (1 to {MAX_WIDTH}) and slots= \
                 ({PRIMES}, with a function)"
            );
            return Err(error::argument(py, what));
        }
    };
    let space = match (domain, p) {
        (_, Some(p)) => Space::Modular(p),
        (Domain::Integers { width, .. }, _) => Space::signed(width),
        _ => Space::signed(1),
    };
    let (function, space) = match (f, p, domain) {
        (Some(f), ..) => {
            let inputs = Inputs { kind: space.kind(), gives_integers: true, are_kept: false };
            let Shifted { function, shift, .. } = function(f, inputs, Results::OWN)?;
            // Of integers with a sign a table is one of those without, a constant more.
            match domain {
                Domain::Integers { width, .. } if shift != 0 => (function, Space::unsigned(width)),
                _ => (function, space),
            }
        }
        (None, Some(p), _) => (Function::Table(Lut::unstructured_modulo(p)), space),
        (None, None, _) => (IntegerOp::Less.into(), space),
    };
    let load = Load { memory, ..Load::of(count) };
    let load = Load { threads: threads.unwrap_or(load.threads), ..load };
    let request = Request { function, space, target };
    let (choice, on_integers) = interrupted(py, || {
        let choice = choose(&request, &load)?;
        let on_integers = request.faster_on_integers(Some(&choice.offer), None, &load);
        Ok((choice, on_integers))
    })?;
    // Vectors are of one kind.
    let domain = if choice.offer.params.engine() == Engine::Bfv { Domain::Own } else { domain };
    Ok(PyChoice { choice, domain, count, on_integers })
}

/// A text as one of HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A probability, rounded up.
fn in_failure(log2: f64) -> String {
    format!("2^{:.0}", log2.max(-1000.0).ceil())
}

fn in_seconds(seconds: f64) -> String {
    match seconds {
        s if s >= 100.0 => format!("{s:.0} s"),
        s if s >= 1.0 => format!("{s:.1} s"),
        s if s >= 1e-3 => format!("{:.1} ms", s * 1e3),
        s => format!("{:.1} µs", s * 1e6),
    }
}

fn size(bytes: u64) -> String {
    match bytes as f64 {
        b if b >= 1e9 => format!("{:.1} GB", b / 1e9),
        b => format!("{:.1} MB", b / 1e6),
    }
}
