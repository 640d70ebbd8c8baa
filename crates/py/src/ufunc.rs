//! What NumPy's functions do with encrypted arrays: what the operators of Python do.
use crate::encrypted::Encrypted;
use crate::error;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// Universal functions, and the methods that they are of the first operand, and of the second.
const METHODS: [(&str, &str, &str); 25] = [
    ("add", "__add__", "__radd__"),
    ("subtract", "__sub__", "__rsub__"),
    ("multiply", "__mul__", "__rmul__"),
    ("matmul", "__matmul__", "__rmatmul__"),
    ("negative", "__neg__", ""),
    ("positive", "__pos__", ""),
    ("divide", "__truediv__", "__rtruediv__"),
    ("true_divide", "__truediv__", "__rtruediv__"),
    ("floor_divide", "__floordiv__", "__rfloordiv__"),
    ("remainder", "__mod__", "__rmod__"),
    ("divmod", "__divmod__", "__rdivmod__"),
    ("power", "__pow__", "__rpow__"),
    ("absolute", "__abs__", ""),
    ("invert", "__invert__", ""),
    ("bitwise_and", "__and__", "__rand__"),
    ("bitwise_or", "__or__", "__ror__"),
    ("bitwise_xor", "__xor__", "__rxor__"),
    ("left_shift", "__lshift__", "__rlshift__"),
    ("right_shift", "__rshift__", "__rrshift__"),
    ("equal", "__eq__", "__eq__"),
    ("not_equal", "__ne__", "__ne__"),
    ("less", "__lt__", "__gt__"),
    ("less_equal", "__le__", "__ge__"),
    ("greater", "__gt__", "__lt__"),
    ("greater_equal", "__ge__", "__le__"),
];

/// A universal function of operands of which one at least is encrypted.
pub(crate) fn applied<'py>(
    ufunc: &Bound<'py, PyAny>,
    method: &str,
    inputs: &Bound<'py, PyTuple>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = ufunc.py();
    let name: String = ufunc.getattr("__name__")?.extract()?;
    let refused = |what: &str, cure: &str| Err(error::dtype(py, format!("{what} of encrypted values: {cure}")));
    if method != "__call__" {
        return refused(&format!("np.{name}.{method}"), "sums are x.sum(axis=…); others take x[i] one by one");
    }
    if let Some(option) = options.and_then(|options| options.keys().iter().next()) {
        let cure = match option.to_string().as_str() {
            "out" => "no array of NumPy holds results: write a = a + x in place of a += x".to_string(),
            option => format!("leave {option}= out"),
        };
        return refused(&format!("np.{name} with {option}="), &cure);
    }
    let is_encrypted = |i: usize| inputs.get_item(i).is_ok_and(|input| input.is_instance_of::<Encrypted>());
    match METHODS.iter().find(|(known, ..)| *known == name) {
        Some((_, own, _)) if is_encrypted(0) => {
            inputs.get_item(0)?.call_method1(*own, inputs.get_slice(1, inputs.len()))
        }
        Some((_, _, other)) => inputs.get_item(1)?.call_method1(*other, (inputs.get_item(0)?,)),
        None => {
            let cure = match (name.as_str(), inputs.len()) {
                ("maximum" | "minimum", _) => {
                    format!("Server.{name}(x, y), or Server.run(\"{}(x, 3)\", x=x)", &name[..3])
                }
                (_, 1) => format!("Server.evaluate of a table of integers, as lambda v: int(np.{name}(v))"),
                _ => "Server.run of an expression, as Server.run(\"x*y\", x=x, y=y)".into(),
            };
            refused(&format!("np.{name}"), &format!("it takes the server's key: {cure}"))
        }
    }
}
