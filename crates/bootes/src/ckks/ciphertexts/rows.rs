//! Vectors cut and put together, and matrices across columns.
use super::{BatchWriter, Ciphertexts, check_key, content};
use crate::blocks::{Vector, whole_ends};
use crate::origin::Origin;
use crate::{Error, Space};
use bootes_lattice::port::RlweCiphertext;
use bootes_lattice::wire::{Reader, Writer};
use bootes_lut::ckks::BatchParams as Params;
use bootes_ring::pack::packed_word_bytes;
use bootes_schemes::ckks::noise::{ErrorBound, SlotNoise};
use std::io::Write;
use std::ops::RangeBounds;

impl Ciphertexts {
    /// A ciphertext of zeros, known to everybody, for what is planned of others modulo p with such an error.
    ///
    /// # Errors
    /// [`Error::Rlwe`] for a modulus that the set has no room for.
    pub(crate) fn head(params: &Params, key_id: [u8; 16], p: u64, error: ErrorBound) -> Result<Self, Error> {
        let log2_modulus = params.literal().log2_modulus;
        let degree = params.capacity();
        let mut w = Writer::new();
        w.u8(degree.ilog2() as u8);
        w.u8(log2_modulus as u8);
        w.u8(0);
        w.u64(p);
        w.u32(1);
        w.raw(&[0; 32]);
        w.raw(&vec![0; packed_word_bytes(degree, log2_modulus)]);
        let parts = vec![RlweCiphertext::read(degree, &mut Reader::new(w.as_bytes()))?];
        let (space, origin) = (Space::Modular(p), Origin::trivial());
        Ok(Self { params: params.clone(), key_id, space, len: 1, parts, error, origin })
    }

    /// The values of a range of whole ciphertexts, without any work.
    ///
    /// # Errors
    /// [`Error::Slice`] unless it starts at a multiple of N, and ends at one or at the end, with a value in
    /// between.
    pub(crate) fn slice(&self, range: impl RangeBounds<usize>) -> Result<Self, Error> {
        let (aligned, limbs) = (self.params.capacity(), self.space.limbs());
        let [start, end] = whole_ends(range, self.len, aligned)?;
        let parts = self.parts[start / aligned * limbs..end.div_ceil(aligned) * limbs].to_vec();
        Ok(Self::slice_of(vec![self.with_parts(parts)], end - start))
    }

    /// The values of all vectors, without any work but for fresh ones beside others, whose masks are
    /// expanded. The bound on errors is the least that holds for all; see
    /// [`Ciphertexts::concat`](crate::Ciphertexts::concat).
    ///
    /// # Errors
    /// [`Error::NoValues`] for no vector; [`Error::Unfilled`] unless all but the last have a multiple of N
    /// values; [`Error::Operands`], [`Error::OtherParams`], [`Error::OtherKey`]; [`Error::NoiseBudget`] for
    /// errors of different kinds whose common bound is beyond the promise.
    pub(crate) fn concat(vectors: &[&Self]) -> Result<Self, Error> {
        let head = Self::concat_head(vectors)?;
        let pieces = vectors.iter().map(|vector| head.expanded((*vector).clone())).collect::<Result<Vec<_>, _>>()?;
        Ok(head.with_parts(pieces.into_iter().flat_map(|piece| piece.parts).collect()))
    }

    /// Σ_j `weights[i][j]` · columns\[j\] for each i; see
    /// [`Ciphertexts::linear_columns`](crate::Ciphertexts::linear_columns).
    ///
    /// # Errors
    /// As [`Self::add`]; [`Error::NoValues`] for no column, [`Error::Lengths`] for a row of another length.
    pub(crate) fn linear_columns(columns: &[&Self], weights: &[impl AsRef<[i64]>]) -> Result<Vec<Self>, Error> {
        let name = "linear map";
        let (first, others) = columns.split_first().ok_or(Error::NoValues)?;
        others.iter().try_for_each(|other| first.check_alike(other, name))?;
        let of_row = |row: &[i64]| {
            if row.len() != columns.len() {
                return Err(Error::Lengths { what: name.into(), left: columns.len(), right: row.len() });
            }
            let mut terms = columns.iter().zip(row).filter(|(_, weight)| **weight != 0);
            let sum = match terms.next() {
                Some((column, &weight)) => column.mul_small(weight)?,
                None => first.mul_small(0)?,
            };
            terms.try_fold(sum, |sum, (column, &weight)| sum.add(&column.mul_small(weight)?))
        };
        weights.iter().map(|row| of_row(row.as_ref())).collect()
    }

    /// Refuses operands that are not added value by value.
    pub(super) fn check_alike(&self, other: &Self, operation: &'static str) -> Result<(), Error> {
        check_key("ciphertext", [other.owner(), self.owner()])?;
        if self.len() != other.len() {
            return Err(Error::Lengths { what: operation.into(), left: self.len(), right: other.len() });
        }
        self.check_kind(other, operation)
    }

    /// Refuses another key, or another encoding.
    fn check_kind(&self, other: &Self, operation: &'static str) -> Result<(), Error> {
        check_key("ciphertext", [other.owner(), self.owner()])?;
        let [left, right] = [self.space, other.space];
        let is_alike = left.moduli() == right.moduli() && left.integers().is_some() == right.integers().is_some();
        if !is_alike || self.log2_modulus() != other.log2_modulus() {
            return Err(Error::Operands { operation, left, right });
        }
        Ok(())
    }
}

impl Vector for Ciphertexts {
    type Writer<W: Write> = BatchWriter<W>;

    fn space(&self) -> Space {
        self.space
    }

    fn len(&self) -> usize {
        self.len
    }

    fn capacity(&self) -> usize {
        self.params.capacity()
    }

    fn concat_head(heads: &[&Self]) -> Result<Self, Error> {
        let (first, others) = heads.split_first().ok_or(Error::NoValues)?;
        let (mut error, mut origin, mut range) = (first.error, first.origin.clone(), first.space.range());
        let (name, aligned) = ("concatenation", first.params.capacity());
        for other in others {
            first.check_kind(other, name)?;
            range = range.union(other.space.range());
            error = larger(error, other.error);
            origin = origin.and(&other.origin);
        }
        let all_but_last = heads.iter().take(others.len()).map(|head| head.len);
        if let Some((index, len)) = all_but_last.enumerate().find(|(_, len)| !len.is_multiple_of(aligned)) {
            return Err(Error::Unfilled { index, len, aligned });
        }
        let space = first.space.with_range(name, Some(range), first.room())?;
        // One that is no seed stands for all if not all are.
        let like = heads.iter().find(|head| !head.is_fresh()).unwrap_or(first);
        let parts = like.parts[..space.limbs()].to_vec();
        let (len, key_id) = (heads.iter().map(|head| head.len).sum(), first.key_id);
        let all = Self { params: first.params.clone(), key_id, space, len, parts, error, origin };
        all.keeps_promise_of(heads, 1).map(|()| all)
    }

    /// Masks of fresh ones become words beside others.
    fn expanded(&self, piece: Self) -> Result<Self, Error> {
        if self.is_fresh() || !piece.is_fresh() {
            return Ok(piece);
        }
        let words = |part: &RlweCiphertext| part.mod_switch(part.encoding().log2_modulus());
        let parts = piece.parts.iter().map(words).collect::<Result<_, _>>()?;
        Ok(Self { parts, ..piece })
    }

    fn slice_of(pieces: Vec<Self>, len: usize) -> Self {
        let first = &pieces[0];
        let parts: Vec<RlweCiphertext> = pieces.iter().flat_map(|piece| &piece.parts).cloned().collect();
        // The noise of an encryption is in one ciphertext.
        let origin = if first.is_fresh() { content(&parts) } else { first.origin.clone() };
        Self { params: first.params.clone(), len, parts, origin, ..*first }
    }

    fn is_fresh(&self) -> bool {
        self.parts[0].is_seeded()
    }

    fn weighted_sum(columns: &[&Self], weights: &[i64]) -> Result<Self, Error> {
        Self::linear_columns(columns, &[weights])?.pop().ok_or(Error::NoValues)
    }

    fn plus(&self, constant: i64) -> Result<Self, Error> {
        self.add_constant(constant)
    }
}

/// The least bound that holds where either does.
fn larger(one: ErrorBound, other: ErrorBound) -> ErrorBound {
    let noise = SlotNoise { flat: one.noise.flat.max(other.noise.flat), keyed: one.noise.keyed.max(other.noise.keyed) };
    ErrorBound { bias: one.bias.max(other.bias), noise }
}
