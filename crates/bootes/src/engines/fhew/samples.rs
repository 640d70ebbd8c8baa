//! LWE ciphertexts as they are held, sent and expanded: never more of them in full than are at hand.
use crate::Error;
use crate::fhew::words::{Bytes, Word, with_words};
use crate::memory::reserved_as;
use crate::origin::MAX_LINEAGE;
use bootes_lattice::extract::mask_extract_into;
use bootes_lattice::lwe;
use bootes_lut::planning;
use bootes_ring::sample::MaskSeed;
use bootes_schemes::fhew::FhewParams;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// Ciphertexts that are converted together, so that what is small stays in the cache.
pub(crate) const TOGETHER: usize = 64;

/// Bytes that are copied between looks whether somebody still wants them.
const PIECE_BYTES: usize = 1 << 20;

/// How ciphertexts are held.
#[derive(Clone, PartialEq)]
pub(crate) enum Form {
    /// Bodies; the masks are streams of seeds.
    Seeded(Masks),
    /// (a, b), one after the other.
    Full,
    /// The same in words of half the length: the upper halves, as in a file.
    Short,
    /// Bodies of few bits; the masks are coefficients of polynomials of few bits.
    Packed(Masks<Arc<Polynomials>>, Bits),
    /// The same of what was encrypted so, by a public key.
    Public(Masks<Arc<Polynomials>>, Bits),
}

/// Masks of one source, numbers `first` to `first` + `count` − 1: streams of a seed, or coefficients.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Run<S = MaskSeed> {
    pub(crate) source: S,
    pub(crate) first: u64,
    pub(crate) count: u64,
}

/// The masks of a packed ciphertext, k·N' words of which the upper bits are used; value i of it is in coefficient
/// i·stride.
#[derive(PartialEq, Eq)]
pub(crate) struct Polynomials {
    pub(crate) masks: Vec<u64>,
    pub(crate) stride: usize,
}

/// Bits of the words of packed ciphertexts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bits {
    pub(crate) masks: u32,
    /// Whole bytes.
    pub(crate) bodies: u32,
}

impl Bits {
    /// Appends the bytes of a body, rounded.
    pub(crate) fn put_body(self, body: u64, out: &mut Vec<u8>) {
        let dropped = 64 - self.bodies;
        let half = if dropped == 0 { 0 } else { 1 << (dropped - 1) };
        out.extend((body.wrapping_add(half) >> dropped).to_le_bytes().into_iter().take(self.bodies as usize / 8));
    }
}

/// The masks of runs, at least one, one after the other, from some mask on.
#[derive(Clone, PartialEq)]
pub(crate) struct Masks<S = MaskSeed> {
    /// With the masks that are before each.
    runs: Arc<[(u64, Run<S>)]>,
    start: u64,
}

impl Masks {
    /// As many runs of seeds are told apart.
    pub(crate) const MOST: usize = MAX_LINEAGE;
}

impl<S: Clone + PartialEq> Masks<S> {
    /// Those of all, at most so many, of which two that go on with each other are one; nothing for more, or none.
    pub(crate) fn of(all: impl IntoIterator<Item = Run<S>>, most: usize) -> Option<Self> {
        let mut runs: Vec<(u64, Run<S>)> = Vec::new();
        for run in all {
            match runs.last_mut() {
                Some((_, last))
                    if run.count == 0 || last.first + last.count == run.first && last.source == run.source =>
                {
                    last.count += run.count;
                }
                Some((_, last)) if last.count == 0 => *last = run,
                last => {
                    let before = last.map_or(0, |(before, last)| *before + last.count);
                    runs.push((before, run));
                }
            }
        }
        (1..=most).contains(&runs.len()).then(|| Self { runs: runs.into(), start: 0 })
    }

    /// The runs that the first `count` of them are, one at least.
    pub(crate) fn runs(&self, count: u64) -> Vec<Run<S>> {
        let end = self.start + count;
        let cut = |(before, run): &(u64, Run<S>)| {
            let (from, to) = (self.start.max(*before), end.min(before + run.count));
            let first = run.first + (from - before).min(run.count);
            Run { source: run.source.clone(), first, count: to.saturating_sub(from) }
        };
        let runs: Vec<Run<S>> = self.runs.iter().map(cut).filter(|run| run.count > 0).collect();
        if runs.is_empty() { vec![cut(&self.runs[0])] } else { runs }
    }

    /// Source of mask number i, and its number there.
    fn source(&self, i: u64) -> (&S, u64) {
        let at = self.start + i;
        let next = self.runs.partition_point(|(before, _)| *before <= at);
        let (before, run) = &self.runs[next.max(1) - 1];
        (&run.source, run.first + (at - before))
    }

    /// Those from number `start` on.
    fn from(&self, start: usize) -> Self {
        Self { runs: Arc::clone(&self.runs), start: self.start + start as u64 }
    }
}

/// How long ciphertexts of a set are.
#[derive(Clone, Copy)]
pub(crate) struct Layout {
    /// Bits of a word.
    bits: u32,
    /// Words of a ciphertext.
    pub(crate) stride: usize,
    /// Degree of the accumulator's ring.
    pub(crate) degree: usize,
}

impl Layout {
    pub(crate) fn of(params: &FhewParams) -> Self {
        Self { bits: params.word_bits(), stride: params.ciphertext_dimension() + 1, degree: params.shape().degree }
    }

    /// Bytes of a ciphertext.
    pub(crate) fn bytes(self, form: &Form) -> usize {
        let word = self.bits as usize / 8;
        match form {
            Form::Seeded(_) => word,
            Form::Full => word * self.stride,
            Form::Short => word / 2 * self.stride,
            Form::Packed(_, bits) | Form::Public(_, bits) => bits.bodies as usize / 8,
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

    /// Those of all, one after the other, in the form that they have together ([`Form::of_all`]).
    ///
    /// # Errors
    /// [`Error::CiphertextMemory`] if there is no room; [`Error::Cancelled`](crate::Error::Cancelled).
    pub(crate) fn concat(all: &[&Self], form: Form) -> Result<Self, Error> {
        let (layout, count) = (all[0].layout, all.iter().map(|samples| samples.count()).sum());
        let mut bytes = reserved_as(count, layout.bytes(&form))?;
        for samples in all {
            for start in (0..samples.count()).step_by(TOGETHER) {
                planning::wanted()?;
                samples.piece(start..samples.count().min(start + TOGETHER)).put_as(&form, &mut bytes);
            }
        }
        Ok(Self::new(form, layout, bytes))
    }

    /// Σ_j `rows[i][j]`·columns\[j\] for each i, ciphertext by ciphertext.
    ///
    /// # Errors
    /// [`Error::CiphertextMemory`] if there is no room; [`Error::Cancelled`](crate::Error::Cancelled).
    pub(crate) fn linear_columns(columns: &[&Self], rows: &[&[i64]]) -> Result<Vec<Self>, Error> {
        let (layout, count) = (columns[0].layout, columns[0].count());
        let mut sums = Vec::new();
        for _ in rows {
            sums.push(reserved_as(count, layout.bytes(&Form::Full))?);
        }
        with_words!(layout.bits, W => {
            let mut inputs = vec![vec![W::default(); layout.stride]; columns.len()];
            let mut combination = vec![W::default(); layout.stride];
            for i in 0..count {
                planning::wanted()?;
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
        self.bytes.len() / self.layout.bytes(&self.form)
    }

    /// Bytes in memory.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Those of a range.
    pub(crate) fn piece(&self, range: Range<usize>) -> Samples<'_> {
        let length = self.layout.bytes(&self.form);
        let bytes = self.bytes[range.start * length..range.end * length].into();
        Samples { form: self.form.from(range.start), layout: self.layout, bytes }
    }

    /// The same as samples of their own; seeded ones stay so.
    ///
    /// # Errors
    /// [`Error::CiphertextMemory`] if there is no room; [`Error::Cancelled`](crate::Error::Cancelled).
    pub(crate) fn owned(&self) -> Result<Samples<'static>, Error> {
        let mut bytes = reserved_as(self.bytes.len(), 1)?;
        for piece in self.bytes.chunks(PIECE_BYTES) {
            planning::wanted()?;
            bytes.extend_from_slice(piece);
        }
        Ok(Samples::new(self.form.clone(), self.layout, bytes))
    }

    /// Writes them in full: (a, b), one after the other. The words are those of the set.
    pub(crate) fn expand_into<W: Word>(&self, out: &mut [W]) {
        assert_eq!(W::BITS, self.layout.bits, "the words of the set");
        let stride = self.layout.stride;
        match &self.form {
            Form::Seeded(masks) => {
                let mut bodies = vec![W::default(); self.count()];
                W::get(&self.bytes, &mut bodies);
                for (i, (out, body)) in out.chunks_exact_mut(stride).zip(bodies).enumerate() {
                    let (mask, last) = out.split_at_mut(stride - 1);
                    let (seed, stream) = masks.source(i as u64);
                    lwe::expand_mask(seed, stream, mask);
                    last[0] = body;
                }
            }
            Form::Full => W::get(&self.bytes, out),
            Form::Short => W::get_halves(&self.bytes, out),
            Form::Packed(masks, bits) | Form::Public(masks, bits) => {
                let (mut words, width) = (vec![0u64; stride - 1], bits.bodies as usize / 8);
                for (i, (out, body)) in out.chunks_exact_mut(stride).zip(self.bytes.chunks_exact(width)).enumerate() {
                    let (polynomials, number) = masks.source(i as u64);
                    let coefficient = number as usize * polynomials.stride;
                    mask_extract_into(&mut words, &polynomials.masks, self.layout.degree, coefficient);
                    out.iter_mut().zip(&words).for_each(|(x, &word)| *x = W::from_top(word));
                    let mut bytes = [0; 8];
                    bytes[8 - width..].copy_from_slice(body);
                    out[stride - 1] = W::from_top(u64::from_le_bytes(bytes));
                }
            }
        }
    }

    /// These with constants, fractions of 2^128, added to the bodies; in full unless they are seeded, and stay so.
    ///
    /// # Errors
    /// [`Error::CiphertextMemory`] if there is no room; [`Error::Cancelled`](crate::Error::Cancelled).
    pub(crate) fn plus(&self, constants: &[u128]) -> Result<Samples<'static>, Error> {
        let form = if let Form::Seeded(_) = self.form { self.form.clone() } else { Form::Full };
        let mut bytes = reserved_as(self.count(), self.layout.bytes(&form))?;
        let length = self.layout.bytes(&self.form);
        with_words!(self.layout.bits, W => {
            let mut words = vec![W::default(); if form == Form::Full { self.layout.stride } else { 1 }];
            let body = words.len() - 1;
            for (i, &constant) in constants.iter().enumerate() {
                planning::wanted()?;
                match &form {
                    Form::Full => self.piece(i..i + 1).expand_into(&mut words),
                    _ => W::get(&self.bytes[i * length..(i + 1) * length], &mut words),
                }
                words[body] = words[body].wrapping_add(W::nearest(constant));
                W::put(&words, &mut bytes);
            }
        });
        Ok(Samples::new(form, self.layout, bytes))
    }

    /// `factors[i]`·(number i) for each i.
    ///
    /// # Errors
    /// [`Error::CiphertextMemory`] if there is no room; [`Error::Cancelled`](crate::Error::Cancelled).
    pub(crate) fn times(&self, factors: &[i64]) -> Result<Samples<'static>, Error> {
        let mut bytes = reserved_as(self.count(), self.layout.bytes(&Form::Full))?;
        with_words!(self.layout.bits, W => {
            let [mut input, mut product] = [(); 2].map(|()| vec![W::default(); self.layout.stride]);
            for (i, &factor) in factors.iter().enumerate() {
                planning::wanted()?;
                self.piece(i..i + 1).expand_into(&mut input);
                product.fill(W::default());
                lwe::add_mul_assign(&mut product, &input, factor);
                W::put(&product, &mut bytes);
            }
        });
        Ok(Samples::new(Form::Full, self.layout, bytes))
    }

    /// Σ_j `rows[i][j]`·(number j) for each i.
    ///
    /// # Errors
    /// [`Error::CiphertextMemory`] if there is no room; [`Error::Cancelled`](crate::Error::Cancelled).
    pub(crate) fn linear_map(&self, rows: &[&[i64]]) -> Result<Samples<'static>, Error> {
        let layout = self.layout;
        let mut bytes = reserved_as(rows.len(), layout.bytes(&Form::Full))?;
        with_words!(layout.bits, W => {
            let mut sums = reserved_as(rows.len(), layout.stride)?;
            sums.resize(rows.len() * layout.stride, W::default());
            let mut input = vec![W::default(); layout.stride];
            for j in 0..self.count() {
                self.piece(j..j + 1).expand_into(&mut input);
                for (sum, row) in sums.chunks_exact_mut(layout.stride).zip(rows) {
                    planning::wanted()?;
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

    /// Appends the bytes that they have in a form: their own, or words.
    pub(crate) fn put_as(&self, form: &Form, out: &mut Vec<u8>) {
        match (&self.form, form) {
            (Form::Packed(_, own), Form::Packed(_, bits)) if own != bits => {
                let [own, width] = [own.bodies, bits.bodies].map(|bits| bits as usize / 8);
                for body in self.bytes.chunks_exact(own) {
                    out.resize(out.len() + width - own, 0);
                    out.extend_from_slice(body);
                }
            }
            (Form::Full, Form::Full)
            | (Form::Short, Form::Short)
            | (_, Form::Seeded(_) | Form::Packed(..) | Form::Public(..)) => {
                out.extend_from_slice(&self.bytes);
            }
            (_, Form::Full | Form::Short) => with_words!(self.layout.bits, W => {
                let mut words = vec![W::default(); self.count() * self.layout.stride];
                self.expand_into(&mut words);
                match form {
                    Form::Short => W::put_halves(&words, out),
                    _ => W::put(&words, out),
                }
            }),
        }
    }
}

impl Form {
    /// That of fresh ciphertexts.
    pub(crate) fn seeded(run: Run) -> Self {
        Self::Seeded(Masks { runs: [(0, run)].into(), start: 0 })
    }

    /// That of the ciphertexts from number `start` on.
    pub(crate) fn from(&self, start: usize) -> Self {
        match self {
            Self::Seeded(masks) => Self::Seeded(masks.from(start)),
            Self::Packed(masks, bits) => Self::Packed(masks.from(start), *bits),
            Self::Public(masks, bits) => Self::Public(masks.from(start), *bits),
            form => form.clone(),
        }
    }

    /// That of ciphertexts of these forms, so many of each, one after the other: seeded if all are, or by a public key,
    /// of as many bits each, which tell the noise; else words of the length that is needed; packed ones, which stand
    /// beside no others, with as many bits as any has.
    pub(crate) fn of_all(all: &[(&Self, usize)]) -> Self {
        let (mut seeded, mut packed, mut public) = (Vec::new(), Vec::new(), Vec::new());
        let mut most = Bits { masks: 0, bodies: 0 };
        let (mut first, mut are_equal) = (None, true);
        for (form, count) in all {
            match form {
                Self::Seeded(masks) => seeded.extend(masks.runs(*count as u64)),
                Self::Packed(masks, bits) | Self::Public(masks, bits) => {
                    are_equal &= first.is_none_or(|first| first == bits);
                    first = Some(bits);
                    most = Bits { masks: most.masks.max(bits.masks), bodies: most.bodies.max(bits.bodies) };
                    let of_kind = if let Self::Packed(..) = form { &mut packed } else { &mut public };
                    of_kind.extend(masks.runs(*count as u64));
                }
                _ if all.iter().all(|(form, _)| **form == Self::Short) => return Self::Short,
                _ => return Self::Full,
            }
        }
        let form = match [seeded.is_empty(), packed.is_empty(), public.is_empty()] {
            [false, true, true] => Masks::of(seeded, Masks::MOST).map(Self::Seeded),
            [true, false, true] => Masks::of(packed, usize::MAX).map(|masks| Self::Packed(masks, most)),
            [true, true, false] if are_equal => Masks::of(public, usize::MAX).map(|masks| Self::Public(masks, most)),
            _ => None,
        };
        form.unwrap_or(Self::Full)
    }
}

/// Where ciphertexts come from, one piece after the other.
pub(crate) trait Source<'a> {
    /// The next `count` ciphertexts.
    fn next(&mut self, count: usize) -> Result<Samples<'a>, Error>;
}

impl<'a, S: Source<'a>> Source<'a> for &mut S {
    fn next(&mut self, count: usize) -> Result<Samples<'a>, Error> {
        (**self).next(count)
    }
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
