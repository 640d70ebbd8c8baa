//! Errors of the library as Python exceptions: a class for each kind, with fields.
use bootes::{BfvError, CkksLutError, ConversionError, Error, ErrorKind, FhewLutError, LutError, shortened};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ffi::CString;

/// The exception of a refusal.
pub(crate) fn of(error: &Error) -> PyErr {
    Python::attach(|py| exception(py, error).unwrap_or_else(|error| error))
}

/// An exception of this class of `bootes`.
pub(crate) fn new(py: Python<'_>, class: &str, message: &str) -> PyErr {
    let made = PyDict::new(py);
    of_class(py, class, message, &made).unwrap_or_else(|error| error)
}

/// The refusal of an argument.
pub(crate) fn argument(py: Python<'_>, message: impl AsRef<str>) -> PyErr {
    new(py, "ArgumentError", message.as_ref())
}

/// The refusal of one of several values.
pub(crate) fn value(py: Python<'_>, message: &str, index: usize, value: i128) -> PyErr {
    let fields = PyDict::new(py);
    let set = fields.set_item("index", index).and_then(|()| fields.set_item("value", value));
    set.and_then(|()| of_class(py, "ArgumentError", message, &fields)).unwrap_or_else(|error| error)
}

/// The refusal of values that are no integers, and of other arguments for their types.
pub(crate) fn dtype(py: Python<'_>, message: impl AsRef<str>) -> PyErr {
    new(py, "DtypeError", message.as_ref())
}

/// A warning of this class of `bootes`, to who called.
pub(crate) fn warn(py: Python<'_>, class: &str, message: String) -> PyResult<()> {
    let class = py.import("bootes._errors")?.getattr(class)?;
    PyErr::warn(py, &class, &CString::new(message)?, 1)
}

fn of_class(py: Python<'_>, class: &str, message: &str, fields: &Bound<'_, PyDict>) -> PyResult<PyErr> {
    let class = py.import("bootes._errors")?.getattr(class)?;
    Ok(PyErr::from_value(class.call((&*shortened(message),), Some(fields))?))
}

fn exception(py: Python<'_>, error: &Error) -> PyResult<PyErr> {
    let class = match error.kind() {
        ErrorKind::Unsupported => "UnsupportedError",
        ErrorKind::Noise => "NoiseError",
        ErrorKind::Memory => "OutOfMemoryError",
        ErrorKind::Mismatch => "MismatchError",
        ErrorKind::Data => "DataError",
        ErrorKind::Io => "FileError",
        ErrorKind::Cancelled => "CancelledError",
        ErrorKind::System => "ResourceError",
        _ => "ArgumentError",
    };
    let fields = PyDict::new(py);
    let inner = match error {
        Error::InFile { source, path } => {
            fields.set_item("filename", path)?;
            source
        }
        error => error,
    };
    let noise = |[predicted, promised]: [f64; 2]| {
        fields.set_item("predicted", predicted)?;
        fields.set_item("promised", promised)
    };
    match inner {
        Error::NoiseBudget { found, promised, .. } => noise([*found, *promised])?,
        Error::Failure { found, expected, .. } => noise([*found, *expected])?,
        Error::Bfv(BfvError::Failure { found, promised, .. }) => noise([*found, *promised])?,
        Error::Conversion(
            ConversionError::Noise { found, promised, .. } | ConversionError::Digit { found, promised, .. },
        ) => noise([*found, *promised])?,
        Error::Noise { refused: error, .. } | Error::Lut(error) => match error {
            LutError::Fhew(
                FhewLutError::Noise { found, promised, .. } | FhewLutError::OutputNoise { found, promised, .. },
            )
            | LutError::Ckks(
                CkksLutError::Noise { found, promised, .. } | CkksLutError::Integers { found, promised, .. },
            ) => noise([*found, *promised])?,
            _ => {}
        },
        Error::Memory { needed, available } | Error::CiphertextMemory { needed, available } => {
            fields.set_item("needed", needed)?;
            fields.set_item("available", available)?;
        }
        Error::Value { index, value, .. }
        | Error::Residue { index, value, .. }
        | Error::Integer { index, value, .. } => {
            fields.set_item("index", index)?;
            fields.set_item("value", value)?;
        }
        Error::File { path, source } => {
            fields.set_item("filename", path)?;
            fields.set_item("errno", source.raw_os_error())?;
        }
        _ => {}
    }
    of_class(py, class, &in_words_of_python(error.to_string()), &fields)
}

/// Names of the library, and what they are called here; longer ones first.
const NAMES: [(&str, &str); 45] = [
    ("Client::encrypt_integers or encrypt_unsigned", "Client.encrypt(…, integers=…)"),
    ("Client::encrypt_integers", "Client.encrypt(…, integers=…)"),
    ("Client::encrypt_within", "Client.encrypt(…, integers=…, within=…)"),
    ("Client::encrypt_unsigned", "Client.encrypt(…, integers=…, signed=False)"),
    ("Client::server_key_builder().compression()", "Client.server_key(compression=True)"),
    ("Client::encrypt_bits", "Client.encrypt(…, bits=…)"),
    ("x.constants(w) for w", "0*x + w for w"),
    ("take encrypt_unsigned", "take signed=False"),
    ("take encrypt_integers", "take signed=True"),
    ("take decrypt", "take Client.decrypt"),
    ("categories are integers", "categories are integers, as f\"town == {frame.code('town', 'Ulm')}\""),
    ("Params::for_bits, for_modulus", "Params(bits=…), modulus=…"),
    ("(Params::for_bits)", "(Params(bits=…))"),
    ("Params::for_bits(", "Params(bits="),
    ("Params::for_integers(", "Params(integers="),
    ("Params::for_integers", "Params(integers=…)"),
    ("Params::integers_on(Engine::Ckks, …)", "Params(integers=…, many=…)"),
    ("Params::on with Engine::Ckks", "Params(modulus=…, many=…)"),
    ("Params::for_vectors(", "Params(slots="),
    ("Params::named(", "Params("),
    ("Params::named", "Params(name)"),
    ("Params::on", "Params(modulus=…)"),
    ("by Ciphertexts::linear_map", "by x.sum(), and columns of a frame by Server.sum(frame)"),
    ("Ciphertexts::as_residues", "Encrypted.as_residues()"),
    ("Ciphertexts::as_integers", "Encrypted.as_integers(…)"),
    ("as_integers of residues", "as_integers(…) of residues"),
    (
        "\"sum(a, b)\" or \"3*a - 4*b\" (Program::parse) of parts of the vector",
        "\"sum(a, b)\" or \"3*a - 4*b\" of parts of the array (Server.run(\"sum(a, b)\", a=x[:n], b=x[n:]))",
    ),
    (
        "IntegerOp::Add and Sub",
        "Server.run(\"x + y\", x=x, y=y), and so x - 1, or 3*x of a narrower range, and of parts of an array \
         Server.run(\"sum(a, b)\", a=x[:n], b=x[n:])",
    ),
    ("with ConversionKey::with_server", "with convert(…, server=…)"),
    ("Server::evaluate_all", "Server.evaluate_all"),
    ("Server::run, eval --expr", "Server.evaluate"),
    ("Server::run", "Server.evaluate"),
    (
        "out_bits of Lut::new, as of the identity on results",
        "out_bits= of a table, as in Server.evaluate(lambda x: x, x, out_bits=…) on results",
    ),
    ("out_bits of Lut::new", "out_bits of Server.evaluate"),
    ("Lut::modular(values, ", "Server.evaluate(…, out_modulus="),
    ("(Client::encrypt_modulo)", "(Client.encrypt(…, modulus=…))"),
    ("(Lut::modular)", "(Server.evaluate(…, out_modulus=…))"),
    ("y\" (Program::parse)", "y\" (Server.run(…, x=x, y=y))"),
    ("y)\" (Program::parse)", "y)\" (Server.run(…, x=x, y=y))"),
    ("y + 5\" (Program::parse)", "y + 5\" (Server.run(…, x=x, y=y))"),
    ("(Program::parse)", "(Server.run(…, x=x))"),
    ("(encrypt_within 0..=", "(within=(0, "),
    (", encrypt_unsigned, relu, abs, add_constant)", "), signed=False, Server.relu, Server.absolute, x + c)"),
    ("(Lut::new)", "(out_bits of Server.evaluate)"),
    ("(Function::Widen)", "(Server.evaluate(\"widen:…\", x))"),
];

/// The same line in the words of this package.
pub(crate) fn in_words_of_python(message: String) -> String {
    let message = NAMES.iter().fold(message, |message, (rust, python)| message.replace(rust, python));
    let mut parts = message.split("Function::Widen(");
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |message, part| match part.split_once(')') {
        Some((width, rest)) => format!("{message}Server.evaluate(\"widen:{width}\", x){rest}"),
        None => message + part,
    })
}
