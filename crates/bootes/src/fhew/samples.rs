//! LWE ciphertexts as they are held, sent and expanded: never more of them in full than are at hand.
use crate::Error;
use crate::memory::reserved_as;
use bootes_lattice::lwe;
use bootes_ring::sample::MaskSeed;
use std::borrow::Cow;

/// LWE ciphertexts of one dimension, all limbs of a value side by side.
#[derive(Clone)]
pub(crate) enum Samples {
    /// Bodies; the mask of number i is stream `first` + i of the seed.
    Seeded { seed: MaskSeed, first: u64, bodies: Vec<u64> },
    /// (a, b), one after the other.
    Full(Vec<u64>),
    /// The same in words of 32 bits: the tops of those of 64, as in a file.
    Short(Vec<u32>),
}

impl Samples {
    /// How many.
    pub(crate) fn count(&self, stride: usize) -> usize {
        match self {
            Self::Seeded { bodies, .. } => bodies.len(),
            Self::Full(words) => words.len() / stride,
            Self::Short(words) => words.len() / stride,
        }
    }

    /// The stream of the first mask, of seeded ones.
    pub(crate) fn first(&self) -> u64 {
        match self {
            Self::Seeded { first, .. } => *first,
            Self::Full(_) | Self::Short(_) => 0,
        }
    }

    /// Bytes in memory.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Self::Seeded { bodies: words, .. } | Self::Full(words) => 8 * words.len() as u64,
            Self::Short(words) => 4 * words.len() as u64,
        }
    }

    /// Those of a range.
    pub(crate) fn piece(&self, range: std::ops::Range<usize>, stride: usize) -> Piece<'_> {
        let words = range.start * stride..range.end * stride;
        match self {
            Self::Seeded { seed, first, bodies } => {
                Piece::Seeded { seed: *seed, first: first + range.start as u64, bodies: bodies[range].into() }
            }
            Self::Full(all) => Piece::Full(&all[words]),
            Self::Short(all) => Piece::Short(all[words].into()),
        }
    }

    /// The same as vectors of their own; seeded ones stay so.
    ///
    /// # Errors
    /// [`Error::CiphertextMemory`] if there is no room.
    pub(crate) fn slice(&self, range: std::ops::Range<usize>, stride: usize) -> Result<Self, Error> {
        Ok(match self.piece(range, stride) {
            Piece::Seeded { seed, first, bodies } => Self::Seeded { seed, first, bodies: copied(&bodies)? },
            Piece::Full(words) => Self::Full(copied(words)?),
            Piece::Short(words) => Self::Short(copied(&words)?),
        })
    }

    /// Those of all, one after the other: bodies where each goes on with the streams of the one before, words of the
    /// length that is needed elsewhere.
    ///
    /// # Errors
    /// [`Error::CiphertextMemory`] if there is no room.
    pub(crate) fn concat(all: &[&Self], stride: usize) -> Result<Self, Error> {
        let count = all.iter().map(|samples| samples.count(stride)).sum();
        if let Some((seed, first)) = Self::run(all) {
            let mut bodies = reserved_as(count, 1)?;
            all.iter().for_each(|samples| match samples {
                Self::Seeded { bodies: more, .. } => bodies.extend_from_slice(more),
                Self::Full(_) | Self::Short(_) => {}
            });
            return Ok(Self::Seeded { seed, first, bodies });
        }
        if all.iter().all(|samples| matches!(samples, Self::Short(_))) {
            let mut words = reserved_as(count, stride)?;
            all.iter().for_each(|samples| match samples {
                Self::Short(more) => words.extend_from_slice(more),
                Self::Seeded { .. } | Self::Full(_) => {}
            });
            return Ok(Self::Short(words));
        }
        let mut words = zeros(count, stride)?;
        let mut rest = &mut words[..];
        for samples in all {
            let count = samples.count(stride);
            let (these, others) = std::mem::take(&mut rest).split_at_mut(count * stride);
            samples.piece(0..count, stride).expand_into(these, stride);
            rest = others;
        }
        Ok(Self::Full(words))
    }

    /// The seed, and its first stream, of samples each of which goes on where the one before ends.
    fn run(all: &[&Self]) -> Option<(MaskSeed, u64)> {
        let streams = |samples: &&Self| match samples {
            Self::Seeded { seed, first, bodies } => Some((*seed, *first, first + bodies.len() as u64)),
            Self::Full(_) | Self::Short(_) => None,
        };
        let runs: Vec<_> = all.iter().map(streams).collect::<Option<_>>()?;
        let goes_on = |pair: &[(MaskSeed, u64, u64)]| (pair[0].0, pair[0].2) == (pair[1].0, pair[1].1);
        runs.windows(2).all(goes_on).then(|| (runs[0].0, runs[0].1))
    }

    /// All of them in full.
    ///
    /// # Errors
    /// [`Error::CiphertextMemory`] if there is no room.
    pub(crate) fn expanded(&self, stride: usize) -> Result<Vec<u64>, Error> {
        let count = self.count(stride);
        let mut words = zeros(count, stride)?;
        self.piece(0..count, stride).expand_into(&mut words, stride);
        Ok(words)
    }
}

/// Some ciphertexts of a vector in a row.
pub(crate) enum Piece<'a> {
    Seeded { seed: MaskSeed, first: u64, bodies: Cow<'a, [u64]> },
    Full(&'a [u64]),
    Short(Cow<'a, [u32]>),
}

impl Piece<'_> {
    /// Writes them in full: (a, b), `stride` words each.
    pub(crate) fn expand_into(&self, out: &mut [u64], stride: usize) {
        match self {
            Self::Seeded { seed, first, bodies } => {
                for (i, (out, &body)) in out.chunks_exact_mut(stride).zip(bodies.iter()).enumerate() {
                    let (mask, last) = out.split_at_mut(stride - 1);
                    lwe::expand_mask(seed, first + i as u64, mask);
                    last[0] = body;
                }
            }
            Self::Full(words) => out.copy_from_slice(words),
            Self::Short(words) => out.iter_mut().zip(words.iter()).for_each(|(out, &x)| *out = u64::from(x) << 32),
        }
    }
}

/// Where ciphertexts come from, one piece after the other.
pub(crate) trait Source<'a> {
    /// The next `count` ciphertexts.
    fn next(&mut self, count: usize) -> Result<Piece<'a>, Error>;
}

/// Ciphertexts in memory.
pub(crate) struct Cursor<'a> {
    pub(crate) samples: &'a Samples,
    pub(crate) stride: usize,
    pub(crate) at: usize,
}

impl<'a> Source<'a> for Cursor<'a> {
    fn next(&mut self, count: usize) -> Result<Piece<'a>, Error> {
        let start = self.at;
        self.at += count;
        Ok(self.samples.piece(start..self.at, self.stride))
    }
}

/// A torus element in a file: 32 bits, rounded.
pub(crate) fn short(x: u64) -> u32 {
    (x.wrapping_add(1 << 31) >> 32) as u32
}

fn copied<T: Copy>(words: &[T]) -> Result<Vec<T>, Error> {
    let mut out = reserved_as(words.len(), 1)?;
    out.extend_from_slice(words);
    Ok(out)
}

/// As many ciphertexts of zeros.
///
/// # Errors
/// As [`reserved_as`].
pub(crate) fn zeros(count: usize, stride: usize) -> Result<Vec<u64>, Error> {
    let mut out = reserved_as(count, stride)?;
    out.resize(count * stride, 0);
    Ok(out)
}
