//! LWE ciphertexts as they are held, sent and expanded: never more of them in full than are at hand.
use crate::Error;
use crate::fhew::words::{Bytes, Word, with_words};
use crate::memory::reserved_as;
use bootes_lattice::lwe;
use bootes_ring::sample::MaskSeed;
use bootes_schemes::fhew::FhewParams;
use std::borrow::Cow;
use std::ops::Range;

/// How ciphertexts are held.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Form {
    /// Bodies; the mask of number i is stream `first` + i of the seed.
    Seeded { seed: MaskSeed, first: u64 },
    /// (a, b), one after the other.
    Full,
    /// The same in words of half the length: the upper halves, as in a file.
    Short,
}

/// How long ciphertexts of a set are.
#[derive(Clone, Copy)]
pub(crate) struct Layout {
    /// Bits of a word.
    bits: u32,
    /// Words of a ciphertext.
    pub(crate) stride: usize,
}

impl Layout {
    pub(crate) fn of(params: &FhewParams) -> Self {
        Self { bits: params.word_bits(), stride: params.ciphertext_dimension() + 1 }
    }

    /// Bytes of a ciphertext.
    pub(crate) fn bytes(self, form: Form) -> usize {
        let word = self.bits as usize / 8;
        match form {
            Form::Seeded { .. } => word,
            Form::Full => word * self.stride,
            Form::Short => word / 2 * self.stride,
        }
    }
}

/// LWE ciphertexts of one dimension, all limbs of a value side by side; their own, or a part of others.
#[derive(Clone)]
pub(crate) struct Samples<'a> {
    pub(crate) form: Form,
    pub(crate) layout: Layout,
    bytes: Cow<'a, [u8]>,
}

impl Samples<'static> {
    pub(crate) fn new(form: Form, layout: Layout, bytes: Vec<u8>) -> Self {
        Self { form, layout, bytes: bytes.into() }
    }

    /// Those of all, one after the other: bodies where each goes on with the streams of the one before, words of the
    /// length that is needed elsewhere.
    ///
    /// # Errors
    /// [`Error::CiphertextMemory`] if there is no room.
    pub(crate) fn concat(all: &[&Self]) -> Result<Self, Error> {
        let (layout, count) = (all[0].layout, all.iter().map(|samples| samples.count()).sum());
        let is_short = all.iter().all(|samples| samples.form == Form::Short);
        let form = Self::run(all).unwrap_or(if is_short { Form::Short } else { Form::Full });
        let mut bytes = reserved_as(count, layout.bytes(form))?;
        for samples in all {
            match form {
                Form::Full => samples.put_full(&mut bytes),
                Form::Seeded { .. } | Form::Short => bytes.extend_from_slice(&samples.bytes),
            }
        }
        Ok(Self::new(form, layout, bytes))
    }

    /// The form of seeded samples each of which goes on where the one before ends.
    fn run(all: &[&Self]) -> Option<Form> {
        let goes_on = |pair: &[&Self]| {
            let next = pair[0].form.from(pair[0].count());
            matches!(next, Form::Seeded { .. }) && next == pair[1].form
        };
        (matches!(all[0].form, Form::Seeded { .. }) && all.windows(2).all(goes_on)).then_some(all[0].form)
    }

    /// Σ_j `rows[i][j]`·columns\[j\] for each i, ciphertext by ciphertext.
    ///
    /// # Errors
    /// [`Error::CiphertextMemory`] if there is no room.
    pub(crate) fn linear_columns(columns: &[&Self], rows: &[&[i64]]) -> Result<Vec<Self>, Error> {
        let (layout, count) = (columns[0].layout, columns[0].count());
        let mut sums = Vec::new();
        for _ in rows {
            sums.push(reserved_as(count, layout.bytes(Form::Full))?);
        }
        with_words!(layout.bits, W => {
            let mut inputs = vec![vec![W::default(); layout.stride]; columns.len()];
            let mut combination = vec![W::default(); layout.stride];
            for i in 0..count {
                for (input, column) in inputs.iter_mut().zip(columns) {
                    column.piece(i..i + 1).expand_into(input);
                }
                for (sum, row) in sums.iter_mut().zip(rows) {
                    combination.fill(W::default());
                    for (input, &weight) in inputs.iter().zip(*row).filter(|(_, weight)| **weight != 0) {
                        lwe::add_mul_assign(&mut combination, input, weight);
                    }
                    W::put(&combination, sum);
                }
            }
        });
        Ok(sums.into_iter().map(|bytes| Self::new(Form::Full, layout, bytes)).collect())
    }
}

impl<'a> Samples<'a> {
    /// How many.
    pub(crate) fn count(&self) -> usize {
        self.bytes.len() / self.layout.bytes(self.form)
    }

    /// Bytes in memory.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Those of a range.
    pub(crate) fn piece(&self, range: Range<usize>) -> Samples<'_> {
        let length = self.layout.bytes(self.form);
        let bytes = self.bytes[range.start * length..range.end * length].into();
        Samples { form: self.form.from(range.start), layout: self.layout, bytes }
    }

    /// The same as samples of their own; seeded ones stay so.
    ///
    /// # Errors
    /// [`Error::CiphertextMemory`] if there is no room.
    pub(crate) fn owned(&self) -> Result<Samples<'static>, Error> {
        let mut bytes = reserved_as(self.bytes.len(), 1)?;
        bytes.extend_from_slice(&self.bytes);
        Ok(Samples::new(self.form, self.layout, bytes))
    }

    /// Writes them in full: (a, b), one after the other. The words are those of the set.
    pub(crate) fn expand_into<W: Word>(&self, out: &mut [W]) {
        assert_eq!(W::BITS, self.layout.bits, "the words of the set");
        let stride = self.layout.stride;
        match self.form {
            Form::Seeded { seed, first } => {
                let mut bodies = vec![W::default(); self.count()];
                W::get(&self.bytes, &mut bodies);
                for (i, (out, body)) in out.chunks_exact_mut(stride).zip(bodies).enumerate() {
                    let (mask, last) = out.split_at_mut(stride - 1);
                    lwe::expand_mask(&seed, first + i as u64, mask);
                    last[0] = body;
                }
            }
            Form::Full => W::get(&self.bytes, out),
            Form::Short => W::get_halves(&self.bytes, out),
        }
    }

    /// Appends them in full.
    fn put_full(&self, out: &mut Vec<u8>) {
        match self.form {
            Form::Full => out.extend_from_slice(&self.bytes),
            Form::Seeded { .. } | Form::Short => with_words!(self.layout.bits, W => {
                let mut words = vec![W::default(); self.layout.stride];
                for i in 0..self.count() {
                    self.piece(i..i + 1).expand_into(&mut words);
                    W::put(&words, out);
                }
            }),
        }
    }

    /// These in full, with constants, fractions of 2^128, added to the bodies.
    ///
    /// # Errors
    /// [`Error::CiphertextMemory`] if there is no room.
    pub(crate) fn plus(&self, constants: &[u128]) -> Result<Samples<'static>, Error> {
        let mut bytes = reserved_as(self.count(), self.layout.bytes(Form::Full))?;
        with_words!(self.layout.bits, W => {
            let (mut words, body) = (vec![W::default(); self.layout.stride], self.layout.stride - 1);
            for (i, &constant) in constants.iter().enumerate() {
                self.piece(i..i + 1).expand_into(&mut words);
                words[body] = words[body].wrapping_add(W::nearest(constant));
                W::put(&words, &mut bytes);
            }
        });
        Ok(Samples::new(Form::Full, self.layout, bytes))
    }

    /// Σ_j `rows[i][j]`·(number j) for each i.
    ///
    /// # Errors
    /// [`Error::CiphertextMemory`] if there is no room.
    pub(crate) fn linear_map(&self, rows: &[&[i64]]) -> Result<Samples<'static>, Error> {
        let layout = self.layout;
        let mut bytes = reserved_as(rows.len(), layout.bytes(Form::Full))?;
        with_words!(layout.bits, W => {
            let mut sums = reserved_as(rows.len(), layout.stride)?;
            sums.resize(rows.len() * layout.stride, W::default());
            let mut input = vec![W::default(); layout.stride];
            for j in 0..self.count() {
                self.piece(j..j + 1).expand_into(&mut input);
                for (sum, row) in sums.chunks_exact_mut(layout.stride).zip(rows) {
                    match row[j] {
                        0 => {}
                        weight => lwe::add_mul_assign(sum, &input, weight),
                    }
                }
            }
            W::put(&sums, &mut bytes);
        });
        Ok(Samples::new(Form::Full, layout, bytes))
    }

    /// Appends the bytes that a file of this form has of them.
    pub(crate) fn put_as(&self, form: Form, out: &mut Vec<u8>) {
        match (self.form, form) {
            (Form::Seeded { .. } | Form::Short, _) | (Form::Full, Form::Full) => out.extend_from_slice(&self.bytes),
            (Form::Full, _) => with_words!(self.layout.bits, W => {
                let mut words = vec![W::default(); self.count() * self.layout.stride];
                self.expand_into(&mut words);
                W::put_halves(&words, out);
            }),
        }
    }

    /// Whether one of them, which are in full, has no mask.
    pub(crate) fn has_trivial(&self) -> bool {
        let (ciphertext, word) = (self.layout.bytes(Form::Full), self.layout.bits as usize / 8);
        self.bytes.chunks_exact(ciphertext).any(|bytes| bytes[..ciphertext - word].iter().all(|&byte| byte == 0))
    }
}

impl Form {
    /// That of the ciphertexts from number `start` on.
    pub(crate) fn from(self, start: usize) -> Self {
        match self {
            Self::Seeded { seed, first } => Self::Seeded { seed, first: first + start as u64 },
            form => form,
        }
    }
}

/// Where ciphertexts come from, one piece after the other.
pub(crate) trait Source<'a> {
    /// The next `count` ciphertexts.
    fn next(&mut self, count: usize) -> Result<Samples<'a>, Error>;
}

/// Ciphertexts in memory.
pub(crate) struct Cursor<'a> {
    pub(crate) samples: &'a Samples<'static>,
    pub(crate) at: usize,
}

impl<'a> Source<'a> for Cursor<'a> {
    fn next(&mut self, count: usize) -> Result<Samples<'a>, Error> {
        let start = self.at;
        self.at += count;
        Ok(self.samples.piece(start..self.at))
    }
}
