//! The memory of buffers, and the pool that large ones return to.
//!
//! A fresh page of the system is mapped and cleared when it is first touched, which takes longer than most operations on it. So large buffers are
//! kept when they are dropped, up to a limit, and given out again.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::collections::VecDeque;
use std::ptr::NonNull;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::ALIGNMENT;

/// Memory from this size on comes from the kernel.
const MAPPED: usize = 4 << 20;

/// Less memory is left to the allocator.
const MIN_POOLED: usize = 256 << 10;

/// What the pool holds at most, unless told otherwise.
const DEFAULT_LIMIT: usize = 256 << 20;

static POOL: Mutex<Pool> = Mutex::new(Pool { kept: VecDeque::new(), bytes: 0, limit: DEFAULT_LIMIT });

/// Owned memory, all of it initialised.
#[derive(Clone, Copy)]
pub(super) struct Memory {
    data: NonNull<u8>,
    layout: Layout,
}

// SAFETY: the memory has one owner.
unsafe impl Send for Memory {}

impl Memory {
    /// At least `bytes` bytes, and whether they are zeros: those of the pool are unspecified. `None` if the allocator refuses.
    pub(super) fn new(bytes: usize) -> Option<(Self, bool)> {
        if bytes >= MIN_POOLED
            && let Some(memory) = pool().take(bytes)
        {
            return Some((memory, false));
        }
        let layout = Layout::from_size_align(bytes, ALIGNMENT).ok()?;
        let data = match bytes {
            0 => layout.dangling_ptr(),
            // SAFETY: the layout has a non-zero size.
            1..MAPPED => NonNull::new(unsafe { alloc_zeroed(layout) })?,
            _ => map::new(bytes)?,
        };
        Some((Self { data, layout }, true))
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
        if self.layout.size() >= MIN_POOLED {
            let dropped = pool().put(self);
            dropped.into_iter().for_each(Self::free);
        } else if self.layout.size() != 0 {
            self.free();
        }
    }

    /// Only for memory that nobody else owns, of more than no bytes.
    fn free(self) {
        // SAFETY: it came from the same branch of `new` with this very size, and its only owner is here.
        unsafe {
            if self.layout.size() < MAPPED {
                dealloc(self.data.as_ptr(), self.layout);
            } else {
                map::free(self.data, self.layout.size());
            }
        }
    }
}

/// Memory straight from the kernel, zeros, in huge pages where it has them: it gives them to those who ask. A limb of a polynomial is then one entry
/// of the translation buffer instead of hundreds, and there are fewer faults at the first touch.
#[cfg(target_os = "linux")]
mod map {
    use std::ptr::{self, NonNull};

    const HUGE_PAGE: usize = 2 << 20;

    /// `bytes` bytes or more, a page aligned to its size; `None` if the kernel refuses.
    pub(super) fn new(bytes: usize) -> Option<NonNull<u8>> {
        let size = bytes.checked_next_multiple_of(HUGE_PAGE)?;
        let total = size.checked_add(HUGE_PAGE)?;
        let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a new mapping anywhere; then the parts of it before and after the aligned `size` bytes are given back, which nobody uses.
        unsafe {
            let start = libc::mmap(ptr::null_mut(), total, access, kind, -1, 0);
            if start == libc::MAP_FAILED {
                return None;
            }
            let skip = start.addr().wrapping_neg() % HUGE_PAGE;
            let data = start.byte_add(skip);
            for (part, len) in [(start, skip), (data.byte_add(size), HUGE_PAGE - skip)] {
                if len > 0 {
                    libc::munmap(part, len);
                }
            }
            // Advice that may be refused.
            libc::madvise(data, size, libc::MADV_HUGEPAGE);
            NonNull::new(data.cast())
        }
    }

    /// Gives it back.
    ///
    /// # Safety
    /// It came from [`new`] with the same `bytes`, and nobody uses it any more.
    pub(super) unsafe fn free(data: NonNull<u8>, bytes: usize) {
        // SAFETY: as promised; the size is the same as in `new`.
        unsafe {
            libc::munmap(data.as_ptr().cast(), bytes.next_multiple_of(HUGE_PAGE));
        }
    }
}

/// Memory of the allocator.
#[cfg(not(target_os = "linux"))]
mod map {
    use std::alloc::{Layout, alloc_zeroed, dealloc};
    use std::ptr::NonNull;

    use super::ALIGNMENT;

    pub(super) fn new(bytes: usize) -> Option<NonNull<u8>> {
        // SAFETY: the layout has a non-zero size: no less than `MAPPED`.
        NonNull::new(unsafe { alloc_zeroed(Layout::from_size_align(bytes, ALIGNMENT).ok()?) })
    }

    /// # Safety
    /// It came from [`new`] with the same `bytes`, and nobody uses it any more.
    pub(super) unsafe fn free(data: NonNull<u8>, bytes: usize) {
        // SAFETY: the layout is that of `new`.
        unsafe { dealloc(data.as_ptr(), Layout::from_size_align_unchecked(bytes, ALIGNMENT)) }
    }
}

/// Memory for reuse, the longest kept first.
struct Pool {
    kept: VecDeque<Memory>,
    bytes: usize,
    limit: usize,
}

fn pool() -> MutexGuard<'static, Pool> {
    POOL.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pool {
    /// The smallest memory of at least `bytes` bytes and not more than a quarter beyond, and of such the last one kept.
    fn take(&mut self, bytes: usize) -> Option<Memory> {
        let fits = |&(_, size): &(usize, usize)| size >= bytes && size - bytes <= bytes / 4;
        let sizes = self.kept.iter().map(|memory| memory.layout.size()).enumerate();
        let (i, size) = sizes.filter(fits).min_by_key(|&(i, size)| (size, usize::MAX - i))?;
        self.bytes -= size;
        self.kept.remove(i)
    }

    /// Keeps memory, and returns what has to go for it.
    fn put(&mut self, memory: Memory) -> Vec<Memory> {
        self.bytes += memory.layout.size();
        self.kept.push_back(memory);
        self.shrink()
    }

    /// What is beyond the limit.
    fn shrink(&mut self) -> Vec<Memory> {
        let mut beyond = Vec::new();
        while self.bytes > self.limit {
            let Some(memory) = self.kept.pop_front() else { break };
            self.bytes -= memory.layout.size();
            beyond.push(memory);
        }
        beyond
    }
}

/// Limits what dropped buffers keep for later ones, 256 MiB by default, to `bytes`, and gives back what is beyond: all of it for 0.
pub fn set_pool_limit(bytes: usize) {
    let beyond = {
        let mut pool = pool();
        pool.limit = bytes;
        pool.shrink()
    };
    beyond.into_iter().for_each(Memory::free);
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
