//! What a step of each result of an expression on columns is.
use crate::error;
use bootes::{IntegerOp, Operation, PairOp, Program};
use pyo3::prelude::*;
use std::collections::BTreeSet;

/// What one step of a value is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Step {
    /// It counts: a number of the text, 0 or 1. Beside a column it is in steps of it.
    Number,
    /// So much.
    Of(f64),
    /// Nobody has said, as of images under a table.
    Unknown,
}

impl Step {
    /// As the package's own half has them: 0 of what counts, and None of what is not known.
    pub(crate) fn read(step: Option<f64>) -> Self {
        match step {
            None => Self::Unknown,
            Some(step) if step > 0.0 => Self::Of(step),
            Some(_) => Self::Number,
        }
    }

    pub(crate) fn written(self) -> Option<f64> {
        match self {
            Self::Unknown => None,
            Self::Of(step) => Some(step),
            Self::Number => Some(0.0),
        }
    }

    /// That of a product, and of a quotient of a number.
    fn times(self, other: Self, of: impl Fn(f64, f64) -> f64) -> Self {
        match (self, other) {
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            (step, Self::Number) | (Self::Number, step) => step,
            (Self::Of(a), Self::Of(b)) => Self::Of(of(a, b)),
        }
    }

    /// That of values of both; None where they differ.
    fn with(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Unknown, _) | (_, Self::Unknown) => Some(Self::Unknown),
            (step, Self::Number) | (Self::Number, step) => Some(step),
            (Self::Of(a), Self::Of(b)) => ((a - b).abs() <= 1e-9 * a.max(b)).then_some(self),
        }
    }
}

/// A value: its step, and the inputs that it is made of.
#[derive(Clone)]
struct Value {
    step: Step,
    of: BTreeSet<usize>,
}

/// What a step of each output is, of what it is of each input, in order. What is added, compared or chosen from is of
/// one step, or refused.
pub(crate) fn outputs(py: Python<'_>, program: &Program, inputs: &[Step]) -> PyResult<Vec<Step>> {
    let mut values: Vec<Value> = Vec::with_capacity(program.operations().len());
    for operation in program.operations() {
        let operands: Vec<&Value> = operation.operands().iter().map(|node| &values[node.index()]).collect();
        let step = |i: usize| operands[i].step;
        let same = |a: usize, b: usize| {
            step(a).with(step(b)).ok_or_else(|| refusal(py, program, inputs, [operands[a], operands[b]]))
        };
        let found = match operation {
            Operation::Input(i) => inputs[*i],
            Operation::Constant(_) => Step::Number,
            Operation::Sum(..) | Operation::Difference(..) => same(0, 1)?,
            Operation::Product(..) => step(0).times(step(1), |a, b| a * b),
            Operation::Rotation(..) | Operation::Exchange(_) | Operation::SumSlots(_) => step(0),
            Operation::Table(..) | Operation::TableOf(..) => Step::Unknown,
            Operation::Integers(op, _) => match op {
                IntegerOp::Sign => Step::Number,
                IntegerOp::Less | IntegerOp::Equal => same(0, 1).map(|_| Step::Number)?,
                IntegerOp::Max | IntegerOp::Min | IntegerOp::Add | IntegerOp::Sub => same(0, 1)?,
                IntegerOp::Relu | IntegerOp::Abs | IntegerOp::Floor(_) => step(0),
            },
            Operation::Pair(op, ..) => match (op, step(0), step(1)) {
                (PairOp::Div, Step::Number, Step::Of(_)) => Step::Unknown,
                (PairOp::Div, x, y) => x.times(y, |a, b| a / b),
                (PairOp::Rem, ..) => same(0, 1)?,
                (PairOp::Shl | PairOp::Shr, x, Step::Number) => x,
                (_, Step::Number, Step::Number) => Step::Number,
                _ => Step::Unknown,
            },
            Operation::Select { .. } => same(1, 2)?,
        };
        let of = match operation {
            Operation::Input(i) => BTreeSet::from([*i]),
            // A condition is no part of what it chooses.
            Operation::Select { .. } => operands[1..].iter().flat_map(|x| x.of.clone()).collect(),
            _ => operands.iter().flat_map(|x| x.of.clone()).collect(),
        };
        values.push(Value { step: found, of });
    }
    Ok(program.outputs().iter().map(|node| values[node.index()].step).collect())
}

fn refusal(py: Python<'_>, program: &Program, inputs: &[Step], operands: [&Value; 2]) -> PyErr {
    let names = |of: &BTreeSet<usize>| of.iter().map(|&i| program.names()[i].clone()).collect::<Vec<_>>();
    let step = |x: &Value| if let Step::Of(step) = x.step { step } else { 1.0 };
    let [first, second] = operands.map(|x| format!("{} in steps of {}", names(&x.of).join(", "), rounded(step(x))));
    // Where each is as its columns are, they may have the smaller step.
    let are_plain = operands.iter().all(|x| x.of.iter().all(|&i| inputs[i] == x.step || inputs[i] == Step::Number));
    let cure = match are_plain {
        true => {
            let least = rounded(operands.map(step).into_iter().fold(f64::INFINITY, f64::min));
            let of = operands.iter().flat_map(|x| &x.of).filter(|&&i| inputs[i] != Step::Number);
            let all: BTreeSet<String> = of.map(|&i| format!("{:?}: {least}", program.names()[i])).collect();
            let all = all.into_iter().collect::<Vec<_>>().join(", ");
            format!("encrypt them with one step, steps={{{}}}", all.replace('"', "'"))
        }
        false => "make steps of the one of the other by a table, which says nothing of its own".into(),
    };
    error::argument(py, format!("{first} beside {second}: {cure}"))
}

/// The number in a few digits: products of steps are no decimals.
fn rounded(step: f64) -> f64 {
    format!("{step:.9e}").parse().unwrap_or(step)
}
