//! The memory of buffers, and the pool that large ones return to.
//!
//! A fresh page of the system is mapped and cleared when it is first touched, which takes longer than most operations on it. So large buffers are
//! kept when they are dropped, up to a limit, and given out again.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::collections::VecDeque;
use std::ptr::NonNull;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::ALIGNMENT;

/// Memory from twice this size on is aligned to huge pages, which the kernel then may use for it.
const HUGE_PAGE: usize = 2 << 20;

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
        let align = if bytes < 2 * HUGE_PAGE { ALIGNMENT } else { HUGE_PAGE };
        let layout = Layout::from_size_align(bytes, align).ok()?;
        let data = if bytes == 0 {
            layout.dangling_ptr()
        } else {
            // SAFETY: the layout has a non-zero size.
            NonNull::new(unsafe { alloc_zeroed(layout) })?
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
        // SAFETY: it was allocated with this very layout, and its only owner is here.
        unsafe { dealloc(self.data.as_ptr(), self.layout) }
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
