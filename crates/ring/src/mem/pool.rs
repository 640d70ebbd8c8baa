//! The memory of buffers: small ones from the allocator, large ones straight from the kernel, by way of a pool.
//!
//! A page of the system is cleared when it is first touched, which takes longer than most operations on it. So memory of large buffers is kept
//! when they are dropped, up to a limit, joined with its free neighbours, and given out again in parts as they are asked for. Where no piece is large
//! enough, the smallest go back for new memory, so that the process grows no larger than what it uses at once. Memory is in huge pages
//! where the kernel has them: a limb of a polynomial is then one entry of the translation buffer instead of hundreds.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::collections::BTreeMap;
use std::ptr::NonNull;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::ALIGNMENT;

/// Less memory is left to the allocator.
const MIN_POOLED: usize = if cfg!(target_os = "linux") { 64 << 10 } else { usize::MAX };

/// Sizes of memory in the pool are multiples of this, which is a multiple of every system's page.
const GRAIN: usize = 64 << 10;

/// New memory is a multiple of this, a huge page of most systems.
const MAPPED: usize = 2 << 20;

/// What the pool holds at most, unless told otherwise.
const DEFAULT_LIMIT: usize = 2 << 30;

static POOL: Mutex<Pool> = Mutex::new(Pool { free: BTreeMap::new(), bytes: 0, limit: DEFAULT_LIMIT });

/// Owned memory, all of it initialised.
#[derive(Clone, Copy)]
pub(super) struct Memory {
    data: NonNull<u8>,
    bytes: usize,
}

impl Memory {
    /// `bytes` bytes, and whether they are zeros: those of the pool are unspecified. `None` if the allocator refuses.
    pub(super) fn new(bytes: usize) -> Option<(Self, bool)> {
        if bytes < MIN_POOLED {
            let layout = Layout::from_size_align(bytes, ALIGNMENT).ok()?;
            let data = match bytes {
                0 => layout.dangling_ptr(),
                // SAFETY: the layout has a non-zero size.
                _ => NonNull::new(unsafe { alloc_zeroed(layout) })?,
            };
            return Some((Self { data, bytes }, true));
        }
        let bytes = bytes.checked_next_multiple_of(GRAIN)?;
        let mapped = bytes.checked_next_multiple_of(MAPPED)?;
        let beyond = {
            let mut pool = pool();
            if let Some(data) = pool.take(bytes) {
                return Some((Self { data, bytes }, false));
            }
            // What nothing fits goes for it, so that the process does not grow.
            let keep = pool.bytes.saturating_sub(mapped);
            pool.shrink(keep)
        };
        unmap_all(beyond);
        let data = kernel::map(mapped)?;
        if mapped > bytes {
            // SAFETY: within the mapping.
            give_back(unsafe { data.add(bytes) }, mapped - bytes);
        }
        Some((Self { data, bytes }, true))
    }

    /// The first byte, aligned to [`ALIGNMENT`].
    #[inline]
    pub(super) fn data(self) -> NonNull<u8> {
        self.data
    }

    /// Gives the memory back.
    ///
    /// # Safety
    /// The caller owned it and does not use it any more; all of it is initialised.
    pub(super) unsafe fn release(self) {
        if self.bytes >= MIN_POOLED {
            give_back(self.data, self.bytes);
        } else if self.bytes > 0 {
            // SAFETY: `new` made this layout and allocated with it, and the memory's only owner is here.
            unsafe { dealloc(self.data.as_ptr(), Layout::from_size_align_unchecked(self.bytes, ALIGNMENT)) };
        }
    }
}

/// To the pool, and what is too much for it to the kernel.
fn give_back(data: NonNull<u8>, bytes: usize) {
    let beyond = pool().put(data, bytes);
    unmap_all(beyond);
}

fn unmap_all(memory: Vec<(NonNull<u8>, usize)>) {
    for (data, bytes) in memory {
        // SAFETY: it was free and is in the pool no more.
        unsafe { kernel::unmap(data, bytes) };
    }
}

/// Free memory: pieces by address, no two adjacent.
struct Pool {
    free: BTreeMap<NonNull<u8>, usize>,
    bytes: usize,
    limit: usize,
}

// SAFETY: the pool owns the memory.
unsafe impl Send for Pool {}

fn pool() -> MutexGuard<'static, Pool> {
    POOL.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pool {
    /// The front of the smallest piece of at least `bytes` bytes.
    fn take(&mut self, bytes: usize) -> Option<NonNull<u8>> {
        let fits = self.free.iter().filter(|&(_, &size)| size >= bytes);
        let (&data, &size) = fits.min_by_key(|&(_, &size)| size)?;
        self.free.remove(&data);
        if size > bytes {
            // SAFETY: within the piece.
            self.free.insert(unsafe { data.add(bytes) }, size - bytes);
        }
        self.bytes -= bytes;
        Some(data)
    }

    /// Keeps memory, and returns what has to go for it.
    fn put(&mut self, mut data: NonNull<u8>, bytes: usize) -> Vec<(NonNull<u8>, usize)> {
        self.bytes += bytes;
        let mut size = bytes;
        if let Some((&before, &of)) = self.free.range(..data).next_back()
            && before.addr().get() + of == data.addr().get()
        {
            self.free.remove(&before);
            (data, size) = (before, of + size);
        }
        if let Some((&after, &of)) = self.free.range(data..).next()
            && data.addr().get() + size == after.addr().get()
        {
            self.free.remove(&after);
            size += of;
        }
        self.free.insert(data, size);
        self.shrink(self.limit)
    }

    /// What is beyond `limit`: the smallest pieces, which are of least use.
    fn shrink(&mut self, limit: usize) -> Vec<(NonNull<u8>, usize)> {
        let mut beyond = Vec::new();
        while self.bytes > limit {
            let Some((&data, &size)) = self.free.iter().min_by_key(|&(_, &size)| size) else { break };
            self.free.remove(&data);
            self.bytes -= size;
            beyond.push((data, size));
        }
        beyond
    }
}

/// Limits what dropped buffers keep for later ones, 2 GiB by default, to `bytes`, and gives back what is beyond: all of it for 0.
pub fn set_pool_limit(bytes: usize) {
    let beyond = {
        let mut pool = pool();
        pool.limit = bytes;
        pool.shrink(bytes)
    };
    unmap_all(beyond);
}

/// What dropped buffers keep for later ones at most.
#[must_use]
pub fn pool_limit() -> usize {
    pool().limit
}

/// The bytes that dropped buffers keep for later ones.
#[must_use]
pub fn pooled_bytes() -> usize {
    pool().bytes
}

#[cfg(target_os = "linux")]
mod kernel {
    use std::ptr::{self, NonNull};

    const HUGE_PAGE: usize = 2 << 20;

    /// `bytes` zeros, whole pages, aligned to a huge page; `None` if the kernel refuses.
    pub(super) fn map(bytes: usize) -> Option<NonNull<u8>> {
        let total = bytes.checked_add(HUGE_PAGE)?;
        let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a new mapping anywhere; then the parts of it before and after the aligned bytes are given back, which nobody uses.
        unsafe {
            let start = libc::mmap(ptr::null_mut(), total, access, kind, -1, 0);
            if start == libc::MAP_FAILED {
                return None;
            }
            let skip = start.addr().wrapping_neg() % HUGE_PAGE;
            let data = start.byte_add(skip);
            for (part, len) in [(start, skip), (data.byte_add(bytes), HUGE_PAGE - skip)] {
                if len > 0 {
                    libc::munmap(part, len);
                }
            }
            // Systems give huge pages to those who ask; a refusal changes nothing else.
            libc::madvise(data, bytes, libc::MADV_HUGEPAGE);
            NonNull::new(data.cast())
        }
    }

    /// Gives memory back.
    ///
    /// # Safety
    /// Whole pages that came from [`map`], which nobody uses.
    pub(super) unsafe fn unmap(data: NonNull<u8>, bytes: usize) {
        // SAFETY: as promised.
        unsafe { libc::munmap(data.as_ptr().cast(), bytes) };
    }
}

/// Elsewhere nothing is pooled.
#[cfg(not(target_os = "linux"))]
mod kernel {
    use std::ptr::NonNull;

    pub(super) fn map(_: usize) -> Option<NonNull<u8>> {
        None
    }

    /// # Safety
    /// There is no such memory.
    pub(super) unsafe fn unmap(_: NonNull<u8>, _: usize) {}
}
