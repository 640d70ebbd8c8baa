//! Memory: aligned buffers, and scratch space that is carved up without allocating.

mod pool;

pub use pool::{pool_limit, pooled_bytes, set_pool_limit};

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

use crate::error::RingError;
use pool::Memory;
use zeroize::{Zeroize, optimization_barrier};

/// The alignment of every buffer, in bytes: one cache line, one AVX-512 register.
pub const ALIGNMENT: usize = 64;

mod sealed {
    pub trait Sealed {}
}

/// A number type for which any bits are a value and that has no destructor.
pub trait Pod: sealed::Sealed + Copy + Default + Send + Sync + 'static {}

macro_rules! pod {
    ($($t:ty),*) => { $(impl sealed::Sealed for $t {} impl Pod for $t {})* };
}
pod!(u8, u32, u64, i64, f64, u128);

/// A heap buffer of fixed length, aligned to [`ALIGNMENT`] bytes.
///
/// Memory of large ones is kept for later ones when they are dropped: see [`set_pool_limit`]. Secrets are wiped before:
/// [`Secret`](crate::secret::Secret).
pub struct AlignedVec<T: Pod> {
    memory: Memory,
    len: usize,
    owned: PhantomData<T>,
}

// SAFETY: the buffer is owned and `T: Pod` is `Send`.
unsafe impl<T: Pod> Send for AlignedVec<T> {}
// SAFETY: shared access gives `&[T]` only and `T: Pod` is `Sync`.
unsafe impl<T: Pod> Sync for AlignedVec<T> {}

impl<T: Pod> AlignedVec<T> {
    /// `len` zeros.
    ///
    /// # Panics
    /// If the allocator refuses; see [`AlignedVec::try_new`].
    #[must_use]
    pub fn new(len: usize) -> Self {
        Self::try_new(len).unwrap_or_else(|error| panic!("{error}"))
    }

    /// `len` zeros.
    ///
    /// # Errors
    /// [`RingError::Allocation`] if the allocator refuses.
    pub fn try_new(len: usize) -> Result<Self, RingError> {
        let (mut buffer, zero) = Self::allocate(len)?;
        if !zero {
            buffer.fill(T::default());
        }
        Ok(buffer)
    }

    /// `len` unspecified values, for a caller that overwrites them all: large buffers of zeros take time to clear.
    ///
    /// # Panics
    /// If the allocator refuses.
    #[must_use]
    pub fn unspecified(len: usize) -> Self {
        Self::allocate(len).unwrap_or_else(|error| panic!("{error}")).0
    }

    /// `len` values, and whether they are zeros.
    fn allocate(len: usize) -> Result<(Self, bool), RingError> {
        let memory = len.checked_mul(size_of::<T>()).and_then(Memory::new);
        let error = RingError::Allocation { bytes: len.saturating_mul(size_of::<T>()) };
        let (memory, zero) = memory.ok_or(error)?;
        Ok((Self { memory, len, owned: PhantomData }, zero))
    }

    /// A copy of `values`.
    ///
    /// # Panics
    /// If the allocator refuses.
    #[must_use]
    pub fn from_slice(values: &[T]) -> Self {
        let mut copy = Self::unspecified(values.len());
        copy.copy_from_slice(values);
        copy
    }
}

impl<T: Pod> Drop for AlignedVec<T> {
    fn drop(&mut self) {
        // SAFETY: the buffer owned the memory, of which every byte was initialised at first and after every `T: Pod`
        // written.
        unsafe { self.memory.release() }
    }
}

impl<T: Pod> Deref for AlignedVec<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: the memory has `len` initialised values (or dangles, aligned, with `len * size_of::<T>() == 0`).
        unsafe { std::slice::from_raw_parts(self.memory.data().cast().as_ptr(), self.len) }
    }
}

impl<T: Pod> DerefMut for AlignedVec<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`; `&mut self` makes the access exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.memory.data().cast().as_ptr(), self.len) }
    }
}

impl<T: Pod> Clone for AlignedVec<T> {
    fn clone(&self) -> Self {
        Self::from_slice(self)
    }
}

impl<T: Pod> Zeroize for AlignedVec<T> {
    fn zeroize(&mut self) {
        self.fill(T::default());
        optimization_barrier(&**self);
    }
}

impl<T: Pod> Default for AlignedVec<T> {
    fn default() -> Self {
        Self::new(0)
    }
}

impl<T: Pod> fmt::Debug for AlignedVec<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AlignedVec<{}>(len {})", std::any::type_name::<T>(), self.len)
    }
}

/// `all` in R equal parts.
#[inline(always)]
pub(crate) fn parts_mut<T, const R: usize>(all: &mut [T]) -> [&mut [T]; R] {
    let mut rest = all.chunks_exact_mut(all.len() / R);
    std::array::from_fn(|_| rest.next().expect("the length is a multiple of R"))
}

/// The bytes of scratch that `len` values of type `T` need, rounded up to whole cache lines.
#[must_use]
pub const fn scratch_bytes<T: Pod>(len: usize) -> usize {
    (len * size_of::<T>()).next_multiple_of(ALIGNMENT)
}

/// The memory behind a [`Scratch`]: allocated once, used by many calls.
#[derive(Debug, Default)]
pub struct ScratchBuffer {
    bytes: AlignedVec<u8>,
}

impl ScratchBuffer {
    /// A buffer of at least `bytes` bytes.
    ///
    /// # Panics
    /// If the allocator refuses.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        Self { bytes: AlignedVec::new(bytes.next_multiple_of(ALIGNMENT)) }
    }

    /// The size in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// The whole buffer as scratch.
    pub fn scratch(&mut self) -> Scratch<'_> {
        Scratch { bytes: &mut self.bytes }
    }
}

/// Scratch space of which pieces are taken from the front.
#[derive(Debug)]
pub struct Scratch<'a> {
    bytes: &'a mut [u8],
}

impl<'a> Scratch<'a> {
    /// Takes `len` values, aligned to [`ALIGNMENT`] bytes, and returns them with what is left.
    ///
    /// The contents are unspecified. Needs [`scratch_bytes::<T>(len)`](scratch_bytes) bytes.
    ///
    /// # Panics
    /// If less is left: the caller did not ask the companion function how much to bring.
    #[must_use]
    pub fn take<T: Pod>(self, len: usize) -> (&'a mut [T], Self) {
        let needed = len.checked_mul(size_of::<T>()).and_then(|bytes| bytes.checked_next_multiple_of(ALIGNMENT));
        let Some(needed) = needed.filter(|&needed| needed <= self.bytes.len()) else {
            panic!(
                "scratch too small: {len} values of {} need more than {} bytes",
                std::any::type_name::<T>(),
                self.bytes.len()
            )
        };
        let (front, bytes) = self.bytes.split_at_mut(needed);
        // SAFETY: `front` has room for `len` values and is exclusively borrowed for 'a; its start is a multiple of 64
        // bytes, since the buffer's start is and only whole cache lines are taken (an empty buffer dangles at alignment
        // 64 or is not read); any bits are a value of a `Pod` type.
        let values = unsafe {
            let start = if len == 0 { NonNull::<T>::dangling().as_ptr() } else { front.as_mut_ptr().cast::<T>() };
            std::slice::from_raw_parts_mut(start, len)
        };
        (values, Self { bytes })
    }

    /// The same scratch for a shorter time, so that it can be used again afterwards.
    #[must_use]
    pub fn reborrow(&mut self) -> Scratch<'_> {
        Scratch { bytes: self.bytes }
    }

    /// The bytes left.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_aligned_and_zero() {
        for len in [0, 1, 7, 64, 1000, 1 << 20] {
            let mut buffer = AlignedVec::<u64>::new(len);
            assert_eq!(buffer.len(), len);
            assert!(len == 0 || (buffer.as_ptr() as usize).is_multiple_of(ALIGNMENT));
            assert!(buffer.iter().all(|&x| x == 0));
            buffer.fill(3);
            assert_eq!(&*buffer.clone(), &*buffer);
        }
        let bytes = usize::MAX / 16 * 8;
        assert_eq!(AlignedVec::<u64>::try_new(bytes / 8).err(), Some(RingError::Allocation { bytes }));
    }

    #[test]
    fn large_buffers_are_used_again() {
        let len = (3 << 20) + 8;
        for _ in 0..3 {
            let mut buffer = AlignedVec::<u64>::new(len);
            assert!(buffer.iter().all(|&x| x == 0));
            buffer.fill(u64::MAX);
            drop(buffer);
            assert_eq!(AlignedVec::<f64>::unspecified(len - 100).len(), len - 100);
        }
        let limit = pool_limit();
        assert!(pooled_bytes() <= limit);
        // All at once, since tests share the pool: what is kept is bounded, serves smaller buffers, and is given back.
        let buffers: Vec<_> = (0..8).map(|_| AlignedVec::<u8>::unspecified(64 << 20)).collect();
        drop(buffers);
        let kept = pooled_bytes();
        assert!((64 << 20..=limit).contains(&kept));
        let buffers: Vec<_> = (0..12).map(|_| AlignedVec::<u8>::new(5 << 20)).collect();
        assert!(pooled_bytes() < kept && buffers.iter().all(|buffer| buffer.iter().all(|&x| x == 0)));
        drop(buffers);
        // Nothing fits: what is kept goes.
        let kept = pooled_bytes();
        let large = AlignedVec::<u8>::unspecified(1 << 30);
        assert!(pooled_bytes() < kept);
        drop(large);
        set_pool_limit(0);
        assert_eq!(pooled_bytes(), 0);
        set_pool_limit(limit);
    }

    #[test]
    fn scratch_is_carved_into_aligned_pieces() {
        let mut buffer = ScratchBuffer::new(scratch_bytes::<u32>(5) + scratch_bytes::<f64>(9) + scratch_bytes::<u8>(0));
        let mut scratch = buffer.scratch();
        for _ in 0..2 {
            let (a, rest) = scratch.reborrow().take::<u32>(5);
            let (b, rest) = rest.take::<f64>(9);
            let (c, rest) = rest.take::<u8>(0);
            assert_eq!((a.len(), b.len(), c.len(), rest.bytes()), (5, 9, 0, 0));
            assert_eq!((a.as_ptr() as usize % ALIGNMENT, b.as_ptr() as usize % ALIGNMENT), (0, 0));
            a.fill(1);
            b.fill(2.0);
            assert_eq!(a[4], 1);
        }
    }

    #[test]
    #[should_panic(expected = "scratch too small")]
    fn too_little_scratch_panics() {
        let mut buffer = ScratchBuffer::new(64);
        let _ = buffer.scratch().take::<u64>(9);
    }
}
