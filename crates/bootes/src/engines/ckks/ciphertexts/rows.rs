//! Vectors cut and put together, and matrices across columns.
use super::file::held;
use super::{CiphertextWriter, Ciphertexts, check_key, content};
use crate::engines::blocks::name_of;
use crate::engines::blocks::{Vector, copied, whole_ends};
use crate::engines::{EngineCiphertexts, EngineRows};
use crate::origin::Origin;
use crate::{Engine, Error, Space};
use bootes_lattice::port::{RlweCiphertext, RlweEncoding};
use bootes_lattice::wire::{Reader, Writer};
use bootes_lut::ckks::TableParams as Params;
use bootes_lut::planning;
use bootes_ring::pack::packed_word_bytes;
use bootes_schemes::ckks::noise::{ErrorBound, SlotNoise};
use std::io::Write;
use std::ops::RangeBounds;

impl Ciphertexts {
    /// A value of zeros, known to everybody, for what is planned of others modulo 2^k of such a space and error.
    ///
    /// # Errors
    /// [`Error::Rlwe`] for a modulus that 2^k has no room for; [`Error::Stream`], [`Error::Bits`] for integers that the
    /// set does not hold.
    pub(crate) fn head(
        (params, key_id): (&Params, [u8; 16]),
        (space, log2_modulus): (Space, u32),
        error: ErrorBound,
        origin: Origin,
    ) -> Result<Self, Error> {
        let (space, degree) = (held(space, params)?, params.capacity());
        let zero = |p: u64| -> Result<RlweCiphertext, Error> {
            RlweEncoding::new(p, log2_modulus)?;
            let mut w = Writer::new();
            w.u8(degree.ilog2() as u8);
            w.u8(log2_modulus as u8);
            w.u8(0);
            w.u64(p);
            w.u32(1);
            w.raw(&[0; 32]);
            w.raw(&vec![0; packed_word_bytes(degree, log2_modulus)]);
            Ok(RlweCiphertext::read(degree, &mut Reader::new(w.as_bytes()))?)
        };
        let parts = space.moduli().into_iter().map(zero).collect::<Result<_, _>>()?;
        Ok(Self { params: params.clone(), key_id, space, len: 1, parts, error, origin })
    }

    /// Σ_j `row[j]` · columns\[j\], of as many values of one key.
    pub(super) fn combination(columns: &[&Self], row: &[i64], name: &'static str) -> Result<Self, Error> {
        let weighted: Vec<_> = columns.iter().zip(row).filter(|(_, weight)| **weight != 0).collect();
        match weighted[..] {
            [] => return columns[0].mul_small(0),
            [(column, 1)] => return column.copied(),
            _ => {}
        }
        let spaces: Vec<Space> = columns.iter().map(|column| column.space).collect();
        let (space, factors) = Space::combined(&spaces, row, columns[0].room(), name)?;
        let terms: Vec<_> = columns.iter().zip(factors).filter(|(_, factor)| *factor != 0).collect();
        // 2^k·x has more room than x, in the same ciphertext.
        let term = |column: &Self, factor: i64| -> Result<Self, Error> {
            let multiple = |part: &RlweCiphertext| {
                planning::wanted()?;
                let mut part = part.clone().with_plaintext_modulus(space.moduli()[0])?;
                if factor != 1 {
                    part.mul_assign(factor);
                }
                Ok(part)
            };
            let parts = column.parts.iter().map(multiple).collect::<Result<Vec<_>, Error>>()?;
            Ok(Self { space, error: column.error.times(factor as f64), ..column.with_parts(parts) })
        };
        let Some((&(first, factor), others)) = terms.split_first() else { return columns[0].mul_small(0) };
        let mut sum = term(first, factor)?;
        for &(column, factor) in others {
            sum.accumulate(&term(column, factor)?)?;
        }
        let operands: Vec<&Self> = terms.iter().map(|&(&column, _)| column).collect();
        let largest = terms.iter().map(|(_, factor)| factor.saturating_abs()).max().unwrap_or(0);
        sum.keeps_promise_of(&operands, largest)?;
        Ok(sum)
    }

    /// Adds what is in the same space, whatever the promise.
    fn accumulate(&mut self, other: &Self) -> Result<(), Error> {
        self.error = match self.origin.meets(&other.origin) {
            true => self.error.plus_dependent(other.error, self.params.ckks().max_slot_value()),
            false => self.error.plus(other.error),
        };
        self.origin = self.origin.and(&other.origin);
        for (x, y) in self.parts.iter_mut().zip(&other.parts) {
            planning::wanted()?;
            x.add_assign(y)?;
        }
        Ok(())
    }

    /// Refuses vectors of another key, or of another length.
    fn check_rows(&self, other: &Self, operation: &'static str) -> Result<(), Error> {
        check_key("ciphertext", [other.owner(), self.owner()])?;
        match self.len == other.len {
            true => Ok(()),
            false => Err(Error::Lengths { what: operation.into(), left: self.len, right: other.len }),
        }
    }

    /// Refuses operands that are not added value by value.
    pub(super) fn check_alike(&self, other: &Self, operation: &'static str) -> Result<(), Error> {
        self.check_rows(other, operation)?;
        self.check_kind(other, operation)
    }

    /// Refuses another key, or another encoding.
    fn check_kind(&self, other: &Self, operation: &'static str) -> Result<(), Error> {
        check_key("ciphertext", [other.owner(), self.owner()])?;
        let [left, right] = [self.space, other.space];
        let is_alike = left.moduli() == right.moduli() && left.integers().is_some() == right.integers().is_some();
        match (is_alike, self.log2_modulus() == other.log2_modulus()) {
            (false, _) => Err(Error::Operands { operation, left, right, engine: Engine::Ckks }),
            (true, false) => Err(Error::Compressed { operation: operation.into() }),
            (true, true) => Ok(()),
        }
    }
}

impl EngineRows for Ciphertexts {
    fn slice(&self, range: impl RangeBounds<usize>) -> Result<Self, Error> {
        let (aligned, limbs) = (self.params.capacity(), self.space.limbs());
        let [start, end] = whole_ends(range, self.len, aligned)?;
        let parts = copied(&self.parts[start / aligned * limbs..end.div_ceil(aligned) * limbs])?;
        Ok(Self::slice_of(vec![self.with_parts(parts)], end - start))
    }

    fn concat(vectors: &[&Self]) -> Result<Self, Error> {
        let head = Self::concat_head(vectors)?;
        let pieces = vectors.iter().map(|vector| head.expanded(vector.copied()?)).collect::<Result<Vec<_>, _>>()?;
        Ok(head.with_parts(pieces.into_iter().flat_map(|piece| piece.parts).collect()))
    }

    fn linear_columns(columns: &[&Self], weights: &[impl AsRef<[i64]>]) -> Result<Vec<Self>, Error> {
        let name = match weights {
            [row] => name_of(row.as_ref()),
            _ => "linear map",
        };
        let (first, others) = columns.split_first().ok_or(Error::NoValues)?;
        for other in others {
            first.check_rows(other, name)?;
            if first.log2_modulus() != other.log2_modulus() {
                let (left, right, engine) = (first.space, other.space, Engine::Ckks);
                return Err(Error::Operands { operation: name, left, right, engine });
            }
        }
        let of_row = |row: &[i64]| match row.len() == columns.len() {
            true => Self::combination(columns, row, name),
            false => Err(Error::Lengths { what: name.into(), left: columns.len(), right: row.len() }),
        };
        weights.iter().map(|row| of_row(row.as_ref())).collect()
    }
}

impl Vector for Ciphertexts {
    type Writer<W: Write> = CiphertextWriter<W>;

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
