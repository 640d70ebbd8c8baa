//! Words of 64 bits, and of 128: which of them a set has is known when its keys are.
use bootes_ring::torus::Torus;
use std::hash::Hash;

/// Numbers as bytes, the lowest first.
pub(crate) trait Bytes: Copy + Default {
    /// Appends them to `out`.
    fn put(words: &[Self], out: &mut Vec<u8>);
    /// Overwrites `out` by those in `bytes`.
    fn get(bytes: &[u8], out: &mut [Self]);
}

macro_rules! bytes {
    ($($word:ty),*) => {$(
        impl Bytes for $word {
            fn put(words: &[Self], out: &mut Vec<u8>) {
                let at = out.len();
                out.resize(at + size_of_val(words), 0);
                let bytes = out[at..].as_chunks_mut().0;
                bytes.iter_mut().zip(words).for_each(|(bytes, word)| *bytes = word.to_le_bytes());
            }
            fn get(bytes: &[u8], out: &mut [Self]) {
                out.iter_mut().zip(bytes.as_chunks().0).for_each(|(word, &bytes)| *word = Self::from_le_bytes(bytes));
            }
        }
    )*};
}

bytes!(u32, u64, u128);

/// A word of ciphertexts. Files have the upper half of those that were evaluated.
pub(crate) trait Word: Torus + Bytes + Hash {
    /// The upper half, rounded, what is in the middle to an even one: words may be so coarse that half of them are.
    fn half(self) -> u64;
    /// Appends the bytes of upper halves to `out`.
    fn put_halves(words: &[Self], out: &mut Vec<u8>);
    /// Overwrites `out` by the words of the upper halves in `bytes`.
    fn get_halves(bytes: &[u8], out: &mut [Self]);
    /// The same fraction in 128 bits.
    fn widened(self) -> u128;
    /// The nearest fraction.
    fn nearest(fraction: u128) -> Self;
}

macro_rules! word {
    ($word:ty, $half:ty) => {
        impl Word for $word {
            fn half(self) -> u64 {
                let is_odd = self >> <$half>::BITS & 1;
                let below = (1 << (<$half>::BITS - 1)) - 1 + is_odd;
                u64::from((<$word>::wrapping_add(self, below) >> <$half>::BITS) as $half)
            }
            fn put_halves(words: &[Self], out: &mut Vec<u8>) {
                let at = out.len();
                out.resize(at + size_of_val(words) / 2, 0);
                let bytes = out[at..].as_chunks_mut().0;
                bytes.iter_mut().zip(words).for_each(|(bytes, word)| *bytes = (word.half() as $half).to_le_bytes());
            }
            fn get_halves(bytes: &[u8], out: &mut [Self]) {
                out.iter_mut().zip(bytes.as_chunks().0).for_each(|(word, &half)| {
                    *word = Self::from(<$half>::from_le_bytes(half)) << <$half>::BITS;
                });
            }
            fn widened(self) -> u128 {
                u128::from(self) << (128 - <$word>::BITS)
            }
            fn nearest(fraction: u128) -> Self {
                const BELOW: u32 = 128 - <$word>::BITS;
                let half = if BELOW == 0 { 0 } else { 1 << (BELOW.max(1) - 1) };
                (u128::wrapping_add(fraction, half) >> BELOW) as $word
            }
        }
    };
}

word!(u64, u32);
word!(u128, u64);

/// A value of one of the words.
#[derive(Clone, Debug)]
pub(crate) enum OfWords<N, W> {
    Narrow(N),
    Wide(W),
}

/// The same done to the value of whichever words.
macro_rules! of_words {
    ($of:expr, $value:ident => $done:expr) => {
        match $of {
            $crate::fhew::words::OfWords::Narrow($value) => $done,
            $crate::fhew::words::OfWords::Wide($value) => $done,
        }
    };
}

/// The same done with the type of words of so many bits.
macro_rules! with_words {
    ($bits:expr, $word:ident => $done:expr) => {
        match $bits {
            64 => {
                type $word = u64;
                $done
            }
            _ => {
                type $word = u128;
                $done
            }
        }
    };
}

pub(crate) use {of_words, with_words};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_rounded_and_come_back() {
        assert_eq!([0u64, (1 << 31) + 1, (1 << 31) - 1, u64::MAX].map(Word::half), [0, 1, 0, 0]);
        assert_eq!([0u128, (1 << 63) + 1, (1 << 63) - 1, u128::MAX].map(Word::half), [0, 1, 0, 0]);
        // What is in the middle of two becomes the even one.
        assert_eq!([1u64, 3, 5, 7].map(|x| Word::half(x << 31)), [0, 2, 2, 4]);
        assert_eq!([1u128, 3, 5, 7].map(|x| Word::half(x << 63)), [0, 2, 2, 4]);
        fn returned<W: Word>(words: &[W]) -> Vec<u64> {
            let (mut bytes, mut out) = (Vec::new(), vec![W::default(); words.len()]);
            W::put_halves(words, &mut bytes);
            W::get_halves(&bytes, &mut out);
            out.into_iter().map(W::half).collect()
        }
        assert_eq!(returned(&[7u64 << 32, (8 << 32) - 1]), [7, 8]);
        assert_eq!(returned(&[7u128 << 64, (8 << 64) - 1]), [7, 8]);
        for x in [0u64, 5, u64::MAX] {
            assert_eq!(u64::nearest(x.widened()), x);
            assert_eq!(u64::nearest(x.widened().wrapping_add((1 << 63) - 1)), x);
            assert_eq!(u64::nearest(x.widened().wrapping_add(1 << 63)), x.wrapping_add(1));
        }
        assert_eq!(u128::nearest(u128::MAX.widened()), u128::MAX);
    }
}
