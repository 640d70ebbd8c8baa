//! Vectors cut, put together and added from files to files, a few ciphertexts at a time.
use super::rows::one_of;
use super::{CiphertextReader, CiphertextWriter, Ciphertexts};
use crate::engines::blocks::{ends, name_of};
use crate::engines::{EngineCiphertexts, EngineReader};
use crate::fhew::samples::{Samples, Source, TOGETHER};
use crate::{Error, Space};
use bootes_lattice::wire::StreamError;
use std::io::{Read, Write};
use std::ops::RangeBounds;

/// [`crate::Ciphertexts::concat`] of what is read, to `out`: what they hold.
pub(super) fn concat_to<R: Read, W: Write>(inputs: Vec<CiphertextReader<R>>, out: W) -> Result<Space, Error> {
    let heads: Vec<(&Ciphertexts, usize)> = inputs.iter().map(|input| (input.head(), input.len())).collect();
    let (head, count) = (Ciphertexts::concat_head(&heads)?, heads.iter().map(|(_, count)| count).sum());
    let mut out = CiphertextWriter::new(out, &head, count)?;
    for mut input in inputs {
        let count = input.len() * head.space.limbs();
        in_pieces(count, |count| out.put(&input.next(count)?))?;
        input.finish()?;
    }
    finish(out, &head)
}

/// [`crate::Ciphertexts::slice`] of what is read, to `out`: what they hold.
pub(super) fn slice_to<R: Read, W: Write>(
    mut input: CiphertextReader<R>,
    range: impl RangeBounds<usize>,
    out: W,
) -> Result<Space, Error> {
    let len = input.len();
    let [start, end] = ends(range, len);
    if start > end || end > len {
        return Err(Error::Slice { start, end, len, aligned: 1 });
    }
    let head = input.head().slice_head(start, end - start);
    let (mut out, limbs) = (CiphertextWriter::new(out, &head, end - start)?, head.space.limbs());
    in_pieces(start * limbs, |count| input.next(count).map(drop))?;
    in_pieces((end - start) * limbs, |count| out.put(&input.next(count)?))?;
    input.finish()?;
    finish(out, &head)
}

/// Σ_j weight_j · column_j + `constant` of what is read, to `out`: what they hold.
pub(super) fn weighted_sum_to<R: Read, W: Write>(
    columns: Vec<(i64, CiphertextReader<R>)>,
    constant: i64,
    out: W,
) -> Result<Space, Error> {
    let (weights, mut inputs): (Vec<i64>, Vec<CiphertextReader<R>>) = columns.into_iter().unzip();
    let name = name_of(&weights);
    let left = inputs.first().ok_or(Error::NoValues)?.len();
    if let Some(right) = inputs.iter().map(CiphertextReader::len).find(|&right| right != left) {
        return Err(Error::Lengths { what: name.into(), left, right });
    }
    let heads: Vec<&Ciphertexts> = inputs.iter().map(CiphertextReader::head).collect();
    let (mut head, factors) = Ciphertexts::combination_head(&heads, &weights, name)?;
    if constant != 0 {
        head = head.add_constant(constant)?;
    }
    let constants = if constant == 0 { vec![] } else { vec![head.space.encode(constant.into(), 0); TOGETHER] };
    let mut out = CiphertextWriter::new(out, &head, left)?;
    in_pieces(left * head.space.limbs(), |count| {
        let pieces = inputs.iter_mut().map(|input| input.next(count));
        let mut pieces = pieces.collect::<Result<Vec<Samples<'static>>, Error>>()?;
        let sum = match one_of(&weights) {
            Some(column) => pieces.swap_remove(column),
            None => Samples::linear_columns(&pieces.iter().collect::<Vec<_>>(), &[&factors])?.remove(0),
        };
        out.put(&if constant == 0 { sum } else { sum.plus(&constants[..count])? })
    })?;
    inputs.into_iter().try_for_each(|input| input.finish().map(drop))?;
    finish(out, &head)
}

/// Does `count` ciphertexts, as many as fit a piece at a time.
fn in_pieces(count: usize, mut done: impl FnMut(usize) -> Result<(), Error>) -> Result<(), Error> {
    (0..count).step_by(TOGETHER).try_for_each(|start| done(TOGETHER.min(count - start)))
}

fn finish<W: Write>(out: CiphertextWriter<W>, head: &Ciphertexts) -> Result<Space, Error> {
    out.finish()?.flush().map_err(StreamError::Io)?;
    Ok(head.space)
}
