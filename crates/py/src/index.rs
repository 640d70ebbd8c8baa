//! Indexing as NumPy does it.
use crate::values::{array, integers};
use crate::work::interrupted;
use bootes::{Ciphertexts, Error};
use pyo3::prelude::*;
use pyo3::types::PySlice;
use std::ops::Range;

/// The values of a vector of this shape that an index is of, and their shape: found by NumPy, on their numbers.
pub(crate) fn found(py: Python<'_>, shape: &[usize], index: &Bound<'_, PyAny>) -> PyResult<(Vec<usize>, Vec<usize>)> {
    // Pieces of a long vector take no time of the others.
    if let ([len], Ok(slice)) = (shape, index.cast::<PySlice>()) {
        let found = slice.indices(*len as isize)?;
        if found.step == 1 {
            let start = found.start as usize;
            return Ok(((start..start + found.slicelength).collect(), vec![found.slicelength]));
        }
    }
    let size: usize = shape.iter().product();
    let numbers = array(py, (0..size as i64).collect(), shape)?;
    let picked = numbers.get_item(index)?;
    let found = integers(&picked, "an index is")?;
    Ok((found.values.iter().map(|&i| i as usize).collect(), found.shape))
}

/// The numbers of the values of an array of this shape, whose axis of this number is the first one.
pub(crate) fn moved(py: Python<'_>, shape: &[usize], axis: usize) -> PyResult<Vec<usize>> {
    let size: usize = shape.iter().product();
    let numbers = array(py, (0..size as i64).collect(), shape)?;
    let moved = py.import("numpy")?.call_method1("moveaxis", (numbers, axis, 0))?;
    Ok(integers(&moved, "an index is")?.values.iter().map(|&i| i as usize).collect())
}

/// These values of a vector, one after the other.
pub(crate) fn picked(py: Python<'_>, vector: &Ciphertexts, numbers: &[usize]) -> PyResult<Ciphertexts> {
    interrupted(py, || parts(vector, numbers))
}

/// The same: a slice for each run of neighbours.
fn parts(vector: &Ciphertexts, numbers: &[usize]) -> Result<Ciphertexts, Error> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for &i in numbers {
        match runs.last_mut() {
            Some(run) if run.end == i => run.end = i + 1,
            _ => runs.push(i..i + 1),
        }
    }
    match &runs[..] {
        [] => vector.slice(0..0),
        [run] => vector.slice(run.clone()),
        runs => {
            let parts = runs.iter().map(|run| vector.slice(run.clone())).collect::<Result<Vec<_>, _>>()?;
            Ciphertexts::concat(&parts)
        }
    }
}
