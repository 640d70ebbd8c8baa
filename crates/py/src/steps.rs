//! What a step of each result of an expression on columns is.
use crate::error;
use bootes::{IntegerOp, Operation, PairOp, Program};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::collections::BTreeSet;

/// What one step of a value is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Step {
    /// A number of the text, or what is made of such numbers alone. Beside a column it is in steps of it.
    Number,
    /// 0 or 1: an answer.
    Truth,
    /// So much; 1 of what counts.
    Of(f64),
    /// The number of a category, in the list of this index.
    Category(usize),
    /// What a table gives: it says nothing of its own, and goes with any.
    Image,
    /// Of an array of which nobody has said it: an integer, as far as is known.
    Untold,
    /// Of a number that the numbers of categories are a part of, which a table takes.
    Code,
}

/// The step of what counts.
const ONE: Step = Step::Of(1.0);

/// What steps of inputs are, and what comes of them, as the package's own half has it: a number, the categories, or a
/// word.
#[derive(Default)]
pub(crate) struct Steps<'py> {
    categories: Vec<Bound<'py, PyAny>>,
}

impl<'py> Steps<'py> {
    pub(crate) fn read(&mut self, step: &Bound<'py, PyAny>) -> PyResult<Step> {
        if let Ok(step) = step.extract::<f64>() {
            return Ok(Step::Of(step));
        }
        if step.is_instance_of::<PyTuple>() {
            for (i, known) in self.categories.iter().enumerate() {
                if known.eq(step)? {
                    return Ok(Step::Category(i));
                }
            }
            self.categories.push(step.clone());
            return Ok(Step::Category(self.categories.len() - 1));
        }
        Ok(match step.extract::<&str>()? {
            "boolean" => Step::Truth,
            "literal" => Step::Number,
            "image" => Step::Image,
            _ => Step::Untold,
        })
    }

    pub(crate) fn written(&self, py: Python<'py>, step: Step) -> PyResult<Bound<'py, PyAny>> {
        let word = match step {
            Step::Of(step) => return Ok(step.into_pyobject(py)?.into_any()),
            Step::Category(i) => return Ok(self.categories[i].clone()),
            Step::Truth => "boolean",
            Step::Number => "literal",
            Step::Image => "image",
            Step::Untold | Step::Code => "array",
        };
        Ok(word.into_pyobject(py)?.into_any())
    }
}

fn are_alike(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.max(b)
}

impl Step {
    fn is_one(self) -> bool {
        matches!(self, Self::Of(step) if are_alike(step, 1.0))
    }

    /// That of what counts where it is an answer.
    fn counted(self) -> Self {
        if self == Self::Truth { ONE } else { self }
    }

    /// That of a product, and of a quotient of a number; None where there is none.
    fn times(self, other: Self, of: impl Fn(f64, f64) -> f64) -> Option<Self> {
        Some(match (self, other) {
            (Self::Category(_) | Self::Code, _) | (_, Self::Category(_) | Self::Code) => return None,
            (Self::Untold, _) | (_, Self::Untold) => Self::Untold,
            (Self::Image, _) | (_, Self::Image) => Self::Image,
            (step, Self::Truth) | (Self::Truth, step) => step,
            (step, Self::Number) | (Self::Number, step) => step,
            (Self::Of(a), Self::Of(b)) => Self::Of(of(a, b)),
        })
    }

    /// That of a sum; None where they differ.
    fn with(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Category(_) | Self::Code, _) | (_, Self::Category(_) | Self::Code) => None,
            (Self::Truth, other) | (other, Self::Truth) => match other {
                Self::Image => Some(Self::Image),
                Self::Number | Self::Truth => Some(ONE),
                other => ONE.with(other),
            },
            (step, Self::Number) | (Self::Number, step) => Some(step),
            (Self::Untold, step @ Self::Of(_)) | (step @ Self::Of(_), Self::Untold) => {
                step.is_one().then_some(Self::Untold)
            }
            (Self::Untold, _) | (_, Self::Untold) => Some(Self::Untold),
            // It is in steps of what it is beside.
            (Self::Image, step) | (step, Self::Image) => Some(step),
            (Self::Of(a), Self::Of(b)) => are_alike(a, b).then_some(self),
        }
    }

    /// That of one of both, whichever it is; None where they differ.
    fn or(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Category(a), Self::Category(b)) => (a == b).then_some(self),
            (one @ Self::Category(_), Self::Number) | (Self::Number, one @ Self::Category(_)) => Some(one),
            (Self::Category(_), step @ (Self::Image | Self::Untold))
            | (step @ (Self::Image | Self::Untold), Self::Category(_)) => Some(step),
            (Self::Truth, Self::Truth) => Some(Self::Truth),
            _ => self.with(other),
        }
    }

    /// Whether they may be compared.
    fn is_beside(self, other: Self) -> bool {
        self.is_beside_code(other) || self.or(other).is_some()
    }

    /// Whether one is a category, and the other an integer, which may be its code: they are equal or not.
    fn is_beside_code(self, other: Self) -> bool {
        match (self, other) {
            (Self::Category(_), step) | (step, Self::Category(_)) => step.is_one(),
            _ => false,
        }
    }

    /// That of what bits of both make.
    fn bits(self, other: Self) -> Option<Self> {
        Some(match (self, other) {
            (Self::Category(_), _) | (_, Self::Category(_)) => return None,
            (Self::Truth, Self::Truth) => Self::Truth,
            (Self::Number, Self::Number) => Self::Number,
            (Self::Untold, _) | (_, Self::Untold) => Self::Untold,
            (a, b) if [a, b].iter().all(|step| step.counted().is_one() || *step == Self::Number) => ONE,
            _ => Self::Image,
        })
    }
}

/// A value: its step, the inputs that it is made of, whether it counts answers, and which number it is, if it is one.
#[derive(Clone)]
struct Value {
    step: Step,
    of: BTreeSet<usize>,
    is_count: bool,
    number: Option<i128>,
    /// Of a code, what is refused where no table takes it.
    parts: Option<Box<[Value; 2]>>,
}

impl Value {
    fn is_of_categories(&self) -> bool {
        matches!(self.step, Step::Category(_) | Step::Code)
    }

    /// The refusal of a code that no table takes.
    fn refusal(&self, py: Python<'_>, program: &Program, inputs: &[Step]) -> PyErr {
        match &self.parts {
            Some(parts) => refusal(py, program, inputs, [&parts[0], &parts[1]]),
            None => refusal(py, program, inputs, [self, self]),
        }
    }

    /// Its step beside this one: of answers 0 and 1 are some, too.
    fn beside(&self, other: Step) -> Step {
        if other == Step::Truth && matches!(self.number, Some(0 | 1)) { Step::Truth } else { self.step }
    }
}

/// What a step of each output is, of what it is of each input, in order. What is added, compared or chosen from is of
/// one step, or refused.
pub(crate) fn outputs(py: Python<'_>, program: &Program, inputs: &[Step]) -> PyResult<Vec<Step>> {
    let mut values: Vec<Value> = Vec::with_capacity(program.operations().len());
    for operation in program.operations() {
        let operands: Vec<&Value> = operation.operands().iter().map(|node| &values[node.index()]).collect();
        let step = |i: usize| operands[i].step;
        let refused = |a: usize, b: usize| refusal(py, program, inputs, [operands[a], operands[b]]);
        let is_code = |value: &&&Value| value.step == Step::Code;
        let is_part = matches!(
            operation,
            Operation::Sum(..)
                | Operation::Difference(..)
                | Operation::Product(..)
                | Operation::Integers(IntegerOp::Add | IntegerOp::Sub, _)
        );
        if !is_part
            && !matches!(operation, Operation::Table(..) | Operation::TableOf(..))
            && let Some(code) = operands.iter().find(is_code)
        {
            return Err(code.refusal(py, program, inputs));
        }
        let has_categories = operands.iter().any(|value| value.is_of_categories());
        let sum = |a: usize, b: usize| match has_categories {
            true => Ok(Step::Code),
            false => step(a).with(step(b)).ok_or_else(|| refused(a, b)),
        };
        let pair = |a: usize, b: usize| [operands[a].beside(step(b)), operands[b].beside(step(a))];
        let one_of = |a: usize, b: usize| {
            let [x, y] = pair(a, b);
            x.or(y).ok_or_else(|| refused(a, b))
        };
        let alone = |i: usize| match step(i) {
            Step::Category(_) => Err(refused(i, i)),
            step => Ok(step),
        };
        let found = match operation {
            Operation::Input(i) => inputs[*i],
            Operation::Constant(_) => Step::Number,
            Operation::Difference(..) if operands[0].number == Some(1) && step(1) == Step::Truth => Step::Truth,
            Operation::Sum(..) | Operation::Difference(..) => sum(0, 1)?,
            Operation::Product(..) if has_categories && operands.iter().any(|value| value.step == Step::Number) => {
                Step::Code
            }
            Operation::Product(..) if operands.iter().any(|value| value.step == Step::Code) => {
                let code = operands.iter().find(is_code).expect("one is");
                return Err(code.refusal(py, program, inputs));
            }
            Operation::Product(..) => step(0).times(step(1), |a, b| a * b).ok_or_else(|| refused(0, 1))?,
            Operation::Rotation(..) | Operation::Exchange(_) => step(0),
            Operation::SumSlots(_) => alone(0)?.counted(),
            Operation::Table(..) | Operation::TableOf(..) => Step::Image,
            Operation::Integers(op, _) => match op {
                IntegerOp::Sign => Step::Truth,
                IntegerOp::Less if step(0).is_beside_code(step(1)) => return Err(refused(0, 1)),
                IntegerOp::Less | IntegerOp::Equal if step(0).is_beside(step(1)) => Step::Truth,
                IntegerOp::Less | IntegerOp::Equal => return Err(refused(0, 1)),
                IntegerOp::Max | IntegerOp::Min => one_of(0, 1)?,
                IntegerOp::Add | IntegerOp::Sub => sum(0, 1)?,
                IntegerOp::Relu | IntegerOp::Abs => alone(0)?,
                IntegerOp::Floor(_) => alone(0)?.counted(),
            },
            Operation::Pair(op, ..) => match (op, step(0).counted(), step(1).counted()) {
                (PairOp::Div, Step::Number, y @ Step::Of(_)) => {
                    if y.is_one() {
                        ONE
                    } else {
                        Step::Image
                    }
                }
                (PairOp::Div, x, y) => x.times(y, |a, b| a / b).ok_or_else(|| refused(0, 1))?,
                (PairOp::Rem, ..) => sum(0, 1)?,
                (PairOp::Shl | PairOp::Shr, x, y) if y == Step::Number || y.is_one() => alone(0).map(|_| x)?,
                (PairOp::Shl | PairOp::Shr, ..) => alone(0).and_then(|_| alone(1)).map(|_| Step::Image)?,
                _ => {
                    let [x, y] = pair(0, 1);
                    x.bits(y).ok_or_else(|| refused(0, 1))?
                }
            },
            Operation::Select { .. } => {
                alone(0)?;
                one_of(1, 2)?
            }
        };
        let of = match operation {
            Operation::Input(i) => BTreeSet::from([*i]),
            // A condition is no part of what it chooses.
            Operation::Select { .. } => operands[1..].iter().flat_map(|x| x.of.clone()).collect(),
            _ => operands.iter().flat_map(|x| x.of.clone()).collect(),
        };
        let number = if let Operation::Constant(c) = operation { Some(*c) } else { None };
        let counts = |x: &&Value| x.is_count || matches!(x.step, Step::Truth | Step::Number);
        let is_count = found.is_one() && !operands.is_empty() && operands.iter().all(counts);
        let parts = (found == Step::Code).then(|| match operands.iter().find(is_code) {
            Some(code) => code.parts.clone(),
            None => Some(Box::new([operands[0].clone(), operands[1].clone()])),
        });
        values.push(Value { step: found, of, is_count, number, parts: parts.flatten() });
    }
    if let Some(code) = program.outputs().iter().map(|node| &values[node.index()]).find(|x| x.step == Step::Code) {
        return Err(code.refusal(py, program, inputs));
    }
    Ok(program.outputs().iter().map(|node| values[node.index()].step).collect())
}

fn refusal(py: Python<'_>, program: &Program, inputs: &[Step], operands: [&Value; 2]) -> PyErr {
    let names = |of: &BTreeSet<usize>| of.iter().map(|&i| program.names()[i].clone()).collect::<Vec<_>>().join(", ");
    let has = |of: fn(&Step) -> bool| operands.iter().find(|x| of(&x.step));
    if let Some(category) = has(|step| matches!(step, Step::Category(_))) {
        let name = names(&category.of);
        let cure =
            match operands.iter().all(|x| matches!(x.step, Step::Category(_))) && operands[0].of != operands[1].of {
                true => "make both of one list, as pandas.Categorical(x, categories=…)",
                false => "take conditions, as f\"{} == {frame.code('{}', …)}\", or a table, as f({})",
            };
        let cure = cure.replace("{}", &name);
        return error::argument(py, format!("{name} has categories, which are compared and chosen alone: {cure}"));
    }
    let step = |x: &Value| if let Step::Of(step) = x.step { step } else { 1.0 };
    let other = operands.iter().map(|x| step(x)).find(|step| !are_alike(*step, 1.0)).unwrap_or(1.0);
    let words = |x: &Value| match x.step {
        Step::Truth => format!("0 or 1 of {}", names(&x.of)),
        _ if x.is_count => format!("a count of {}", names(&x.of)),
        Step::Untold => format!("{} in steps that nobody has said", names(&x.of)),
        _ => format!("{} in steps of {}", names(&x.of), rounded(step(x))),
    };
    let [first, second] = operands.map(words);
    // Where each is as its columns are, they may have the smaller step.
    let are_plain = operands.iter().all(|x| x.of.iter().all(|&i| inputs[i] == x.step || inputs[i] == Step::Truth));
    let cure = if operands.iter().any(|x| x.step == Step::Truth || x.is_count) {
        let count = (1.0 / other).round();
        let count = if are_alike(count * other, 1.0) { count } else { 1.0 };
        format!("say how many steps an answer is, as {count}*(…)")
    } else if let Some(untold) = has(|step| *step == Step::Untold) {
        let all = untold.of.iter().filter(|&&i| inputs[i] == Step::Untold).map(|&i| &program.names()[i]);
        let all: Vec<_> = all.collect();
        let assigned = all.iter().map(|name| format!("{name}={name}")).collect::<Vec<_>>().join(", ");
        let said = all.iter().map(|name| format!("{name}={}", rounded(other))).collect::<Vec<_>>().join(", ");
        format!("say it, as frame.assign({assigned}).as_numbers({said})")
    } else if are_plain {
        let least = rounded(operands.map(step).into_iter().fold(f64::INFINITY, f64::min));
        let of = operands.iter().flat_map(|x| &x.of).filter(|&&i| inputs[i] != Step::Truth);
        let all: BTreeSet<String> = of.map(|&i| format!("{:?}: {least}", program.names()[i])).collect();
        let all = all.into_iter().collect::<Vec<_>>().join(", ");
        format!("encrypt them with one step, steps={{{}}}", all.replace('"', "'"))
    } else {
        "make steps of the one of the other by a table, which says nothing of its own".into()
    };
    error::argument(py, format!("{first} beside {second}: {cure}"))
}

/// The number in a few digits: products of steps are no decimals.
fn rounded(step: f64) -> f64 {
    format!("{step:.9e}").parse().unwrap_or(step)
}
