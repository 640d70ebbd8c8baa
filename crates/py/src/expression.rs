//! Expressions of vectors by name, or of the columns of a frame.
use crate::encrypted::Argument;
use crate::entries::Entries;
use crate::error;
use crate::function::{read, with_images};
use crate::server::{Server, frames};
use crate::steps::{self, Steps};
use bootes::Program;
use pyo3::prelude::*;
use std::collections::{BTreeMap, HashMap};

/// An expression with all that it is of.
pub(crate) struct Expression<'py> {
    pub(crate) program: Program,
    pub(crate) ordered: Vec<Argument<'py>>,
    pub(crate) tables: Vec<(String, Bound<'py, PyAny>)>,
    /// What a step of each result is, as frames have it.
    pub(crate) steps: Vec<Bound<'py, PyAny>>,
}

impl<'py> Expression<'py> {
    pub(crate) fn new(
        py: Python<'py>,
        text: &str,
        frame: Option<&Bound<'py, PyAny>>,
        tables: Option<HashMap<String, Bound<'py, PyAny>>>,
        inputs: Option<HashMap<String, Bound<'py, PyAny>>>,
    ) -> PyResult<Self> {
        let mut inputs = inputs.unwrap_or_default();
        let tables: Vec<_> = tables.unwrap_or_default().into_iter().collect();
        let program = match (read(text, &tables), frame) {
            (Err(refused), Some(frame)) => {
                let cure: String = frames(py)?.call_method1("unnamed", (frame, text))?.extract()?;
                return Err(match cure.is_empty() {
                    true => refused,
                    false => error::argument(py, format!("{}{cure}", refused.value(py).str()?)),
                });
            }
            (read, _) => read?,
        };
        let (mut all, mut known) = (Steps::default(), Vec::new());
        let found = |name: &String| {
            let input = match (inputs.remove(name), frame) {
                (Some(_), Some(frame)) if frame.getattr("columns")?.contains(name)? => {
                    let what = format!("{name} is a column of the frame, and {name}= is given: call one otherwise");
                    return Err(error::argument(py, what));
                }
                (Some(input), _) => Argument::named(name, &input)?,
                (None, Some(frame)) => Argument::named(name, &frames(py)?.call_method1("column", (frame, name))?)?,
                _ => {
                    let truth = match &*name.to_lowercase() {
                        "true" => ", or write 1",
                        "false" => ", or write 0",
                        _ => "",
                    };
                    let what = format!("{name} is in the expression, and no input: give {name}={truth}");
                    return Err(error::argument(py, what));
                }
            };
            let field = input.get().field.as_ref().map(|field| field.bind(py));
            known.push(all.read(&frames(py)?.call_method1("step_of", (field,))?)?);
            Ok(input)
        };
        let ordered = program.names().iter().map(found).collect::<PyResult<Vec<_>>>()?;
        if let Some(name) = inputs.keys().next() {
            let cure = match program.output_names().iter().flatten().any(|result| result == name) {
                true => format!("{name} = … names a result, and {name} == … compares"),
                false => "leave it out".into(),
            };
            return Err(error::argument(py, format!("{name}= is not in the expression: {cure}")));
        }
        let steps = steps::outputs(py, &program, &known)?;
        let steps = steps.into_iter().map(|step| all.written(py, step)).collect::<PyResult<_>>()?;
        Ok(Self { program, ordered, tables, steps })
    }
}

/// Refuses another number of inputs in order than the expression has.
pub(crate) fn check_count(py: Python<'_>, text: &str, program: &Program, count: usize) -> PyResult<()> {
    if program.inputs() == count {
        return Ok(());
    }
    let names = program.names().join(", ");
    Err(error::argument(py, format!("{text} is of {names}: expected as many inputs, in this order")))
}

/// What results are called: those without a name as they are written.
pub(crate) fn result_names(text: &str, program: &Program) -> Vec<String> {
    let written = text.split(';').map(|part| part.trim().to_string());
    written.zip(program.output_names()).map(|(written, name)| name.clone().unwrap_or(written)).collect()
}

/// The images of a table: of one value each by what it is for, of several with the number of values of each.
#[derive(IntoPyObject)]
pub(crate) enum Images {
    One(BTreeMap<i64, i64>),
    Several(Vec<u64>, Vec<i64>),
}

/// What those who send an expression elsewhere have to know: its inputs in order, what its results are called and what
/// their steps are, and the images of its tables. Inputs are given by name, or in the order of names.
#[pyfunction]
#[pyo3(name = "_expression")]
#[expect(clippy::type_complexity, reason = "what Python unpacks")]
pub(crate) fn sent<'py>(
    py: Python<'py>,
    text: &str,
    frame: Option<Bound<'py, PyAny>>,
    tables: HashMap<String, Bound<'py, PyAny>>,
    inputs: Bound<'py, PyAny>,
) -> PyResult<(Vec<(String, Bound<'py, PyAny>)>, Vec<String>, Vec<Bound<'py, PyAny>>, BTreeMap<String, Images>)> {
    let inputs = match inputs.extract::<HashMap<String, Bound<'py, PyAny>>>() {
        Ok(named) => named,
        Err(_) => {
            let inputs: Vec<Bound<'py, PyAny>> = inputs.extract()?;
            let named: Vec<_> = tables.iter().map(|(name, table)| (name.clone(), table.clone())).collect();
            let program = read(text, &named)?;
            check_count(py, text, &program, inputs.len())?;
            program.names().iter().cloned().zip(inputs).collect()
        }
    };
    let Expression { program, ordered, tables, steps } =
        Expression::new(py, text, frame.as_ref(), Some(tables), Some(inputs))?;
    let mut images: BTreeMap<String, Images> = BTreeMap::new();
    let heard = |name: &str, entries: &Entries| {
        if !entries.sizes.is_empty() {
            images.extend(entries.padded().map(|(sizes, values)| (name.into(), Images::Several(sizes, values))));
        } else if let Images::One(all) = images.entry(name.into()).or_insert(Images::One(BTreeMap::new())) {
            all.extend((entries.first..).zip(entries.values.iter().copied()));
        }
    };
    let made = with_images(py, &program, &tables, &Server::inputs(py, &ordered)?.1, heard)?;
    let inputs = program.names().iter().cloned().zip(ordered.into_iter().map(Argument::into_any)).collect();
    let names = result_names(text, &made);
    if let Some(frame) = frame {
        frames(py)?.call_method1("refuse_hidden", (frame, &names))?;
    }
    Ok((inputs, names, steps, images))
}
