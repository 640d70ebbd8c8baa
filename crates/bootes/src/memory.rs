//! The memory of the process and of the machine.
use std::fs;
use std::path::Path;

use bootes_lattice::rns::MaskStorage;

use crate::Error;

/// So many bytes are not worth asking the system for, which takes as long as reading some hundred kilobytes.
const SMALL: u64 = 1 << 22;

/// The memory that work may take.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Room {
    /// Bytes that are available now.
    pub(crate) available: Option<u64>,
    /// A limit on all that the engine holds.
    pub(crate) limit: Option<u64>,
}

impl Room {
    /// The memory that this machine has, and this limit.
    pub(crate) fn now(limit: Option<u64>) -> Self {
        Self { available: available_memory(), limit }
    }

    /// Refuses to read what takes `needed` bytes, beyond the limit or what this machine has.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub(crate) fn check_read(limit: Option<u64>, needed: u64) -> Result<(), Error> {
        let available = if needed < SMALL { None } else { available_memory() };
        Self { available, limit }.check(0, needed)
    }

    /// Refuses work that takes `more` bytes besides those that are `held` already.
    pub(crate) fn check(self, held: u64, more: u64) -> Result<(), Error> {
        let fits = |needed, available: Option<u64>| match available {
            Some(available) if available < needed => Err(Error::Memory { needed, available }),
            _ => Ok(()),
        };
        fits(more, self.available)?;
        fits(held.saturating_add(more), self.limit)
    }
}

/// Refuses what takes so many bytes where the system gives no such piece. It asks for 33 MiB at least: of smaller
/// pieces that are freed glibc learns to keep others like them in its heap, and all that follows takes more.
///
/// # Errors
/// [`Error::Memory`].
pub(crate) fn check_addresses(bytes: usize) -> Result<(), Error> {
    let bytes = if bytes == 0 { 0 } else { bytes.max(33 << 20) };
    let needed = bytes as u64;
    let refused = |_| Error::Memory { needed, available: available_memory().unwrap_or(0).min(needed) };
    Vec::<u8>::new().try_reserve_exact(bytes).map_err(refused)
}

/// Room for `count` ciphertexts of `stride` words of a type.
///
/// # Errors
/// [`Error::CiphertextMemory`] if there is too little memory, before any is taken.
pub(crate) fn reserved_as<T>(count: usize, stride: usize) -> Result<Vec<T>, Error> {
    let needed = (count as u64).saturating_mul(stride as u64).saturating_mul(size_of::<T>() as u64);
    check_from(1 << 26, needed)?;
    let refused = |_| Error::CiphertextMemory { needed, available: available_memory().unwrap_or(0) };
    let mut out = Vec::new();
    out.try_reserve_exact(count.saturating_mul(stride)).map_err(refused)?;
    Ok(out)
}

/// Refuses to make ciphertexts that take `needed` bytes together.
///
/// # Errors
/// [`Error::CiphertextMemory`] if there is too little memory.
pub(crate) fn check_ciphertexts(needed: u64) -> Result<(), Error> {
    check_from(SMALL, needed)
}

/// Refuses to read ciphertexts that take `needed` bytes in memory, beyond the limit or what there is.
///
/// # Errors
/// [`Error::CiphertextMemory`].
pub(crate) fn check_read(needed: u64, limit: Option<u64>) -> Result<(), Error> {
    match limit.filter(|&limit| limit < needed) {
        Some(available) => Err(Error::CiphertextMemory { needed, available }),
        None => check_ciphertexts(needed),
    }
}

/// Refuses to make a set in a ring of degree N, or the maps of one, that take `words` words a coefficient, if there is
/// too little memory: known before anything is made, and wherever it is made. Toy sets are made anyway.
///
/// # Errors
/// [`Error::Memory`].
pub(crate) fn check_set(degree: u64, words: u64) -> Result<(), Error> {
    let needed = 8 * degree * words;
    if needed < 1 << 23 { Ok(()) } else { Room::now(None).check(0, needed) }
}

/// Refuses `needed` bytes that are not there; the system is not asked for fewer than `small`.
fn check_from(small: u64, needed: u64) -> Result<(), Error> {
    if needed < small {
        return Ok(());
    }
    match available_memory().filter(|&available| available < needed) {
        Some(available) => Err(Error::CiphertextMemory { needed, available }),
        None => Ok(()),
    }
}

/// `make` with masks as asked for, or else kept where that fits.
pub(crate) fn masks_that_fit<T>(
    storage: Option<MaskStorage>,
    make: impl Fn(MaskStorage) -> Result<T, Error>,
) -> Result<T, Error> {
    match make(storage.unwrap_or(MaskStorage::Expanded)) {
        Err(Error::Memory { .. }) if storage.is_none() => make(MaskStorage::Seeded),
        made => made,
    }
}

/// Bytes that this process may still take without swapping, if the system tells (Linux): the least of what the machine
/// has (`MemAvailable`), what the control groups around the process leave (versions 1 and 2; file cache counts as
/// free), and what its limits of address space and data leave.
pub fn available_memory() -> Option<u64> {
    available_in(Path::new("/"))
}

/// Addresses that an allocator reserves for the threads that are yet to come, two arenas.
const RESERVED: u64 = 128 << 20;

/// [`available_memory`] by the files below `root`; what is not there limits nothing.
fn available_in(root: &Path) -> Option<u64> {
    let read = |name| fs::read_to_string(root.join(name)).unwrap_or_default();
    let machine = number_after(&read("proc/meminfo"), "MemAvailable:").map(|kibibytes| kibibytes << 10);
    let (limits, status) = (read("proc/self/limits"), read("proc/self/status"));
    let used = |name: &str| number_after(&status, name).unwrap_or(0) << 10;
    let left = |limit: &str, name: &str, reserved: u64| {
        number_after(&limits, limit).map(|limit| limit.saturating_sub(used(name) + reserved))
    };
    // Addresses of nothing are what is reserved already; one more arena may come.
    let there = ["VmData:", "VmStk:", "VmExe:", "VmLib:"].into_iter().map(used).sum();
    let reserved = RESERVED.saturating_sub(used("VmSize:").saturating_sub(there)).max(RESERVED / 2);
    let addresses = left("Max address space", "VmSize:", reserved);
    let data = left("Max data size", "VmData:", 0);
    let groups = groups_leave(&root.join("sys/fs/cgroup"), &read("proc/self/cgroup"));
    [machine, addresses, data, groups].into_iter().flatten().min()
}

/// The number that follows `name` at the beginning of a line.
fn number_after(text: &str, name: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    rest.split_whitespace().next()?.parse().ok()
}

/// The files of one version of control groups.
struct GroupFiles {
    limits: &'static [&'static str],
    used: &'static str,
    /// Lines of `memory.stat`: the file cache, of groups below too.
    cached: [&'static str; 2],
}

const VERSION_1: GroupFiles = GroupFiles {
    limits: &["memory.limit_in_bytes"],
    used: "memory.usage_in_bytes",
    cached: ["total_inactive_file ", "total_active_file "],
};

const VERSION_2: GroupFiles = GroupFiles {
    limits: &["memory.max", "memory.high"],
    used: "memory.current",
    cached: ["inactive_file ", "active_file "],
};

impl GroupFiles {
    /// The bytes that the limits of one group leave.
    fn leave(&self, group: &Path) -> Option<u64> {
        let read = |name: &str| fs::read_to_string(group.join(name)).ok();
        let number = |name: &str| read(name)?.trim().parse::<u64>().ok();
        let limit = self.limits.iter().filter_map(|name| number(name)).min()?;
        let stat = read("memory.stat").unwrap_or_default();
        let cached: u64 = self.cached.iter().filter_map(|name| number_after(&stat, name)).sum();
        Some(limit.saturating_sub(number(self.used)?.saturating_sub(cached)))
    }
}

/// The bytes that the groups of a process leave, from its own up to the root; `membership` is its `/proc/self/cgroup`.
fn groups_leave(mount: &Path, membership: &str) -> Option<u64> {
    let groups = membership.lines().filter_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, path) = (fields.next()?, fields.next()?.trim_start_matches('/'));
        match controllers {
            "" => Some((mount.to_path_buf(), VERSION_2, path)),
            _ => controllers.split(',').any(|name| name == "memory").then(|| (mount.join("memory"), VERSION_1, path)),
        }
    });
    groups
        .flat_map(|(mount, files, path)| Path::new(path).ancestors().map(move |group| files.leave(&mount.join(group))))
        .flatten()
        .min()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So that who gives what it needs is not refused again.
    #[test]
    fn what_is_needed_is_rounded_up_and_what_there_is_down() {
        let line = |needed, available| Error::Memory { needed, available }.to_string();
        assert!(line(104_590_001, 104_599_999).starts_with("it needs 104.60 MB of memory, and 104.59 MB are"));
        assert!(line(3_210_000_001, 1_509_999_999).starts_with("it needs 3.22 GB of memory, and 1.50 GB are"));
        let line = Error::CiphertextMemory { needed: 1, available: 9_999 }.to_string();
        assert!(line.starts_with("the ciphertexts take 0.01 MB of memory, and 0.00 MB are"), "{line}");
    }

    #[test]
    fn too_little_memory_is_said_with_both_figures() {
        let room = |available, limit| Room { available, limit };
        for right in [room(None, None), room(Some(10), None), room(Some(10), Some(15)), room(None, Some(15))] {
            assert!(right.check(5, 10).is_ok(), "{right:?}");
        }
        let of = |room: Room| match room.check(5, 10) {
            Err(Error::Memory { needed, available }) => Some((needed, available)),
            _ => None,
        };
        assert_eq!([room(Some(9), None), room(None, Some(14))].map(of), [Some((10, 9)), Some((15, 14))]);
        let error = room(Some(1_500_000_000), None).check(0, 3_210_000_000).unwrap_err();
        assert_eq!(
            error.to_string(),
            "it needs 3.21 GB of memory, and 1.50 GB are available: allow or free more, or take a smaller parameter set"
        );
    }

    /// A tree of these files.
    fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a temporary directory");
        for (name, text) in files {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
            fs::write(path, text).expect("a file");
        }
        root
    }

    fn available(files: &[(&str, &str)]) -> Option<u64> {
        available_in(tree(files).path())
    }

    const MACHINE: (&str, &str) = ("proc/meminfo", "MemTotal:  9000 kB\nMemFree:  1 kB\nMemAvailable:  8000 kB\n");

    #[test]
    fn what_is_not_there_limits_nothing() {
        assert_eq!(available(&[]), None);
        assert_eq!(available(&[MACHINE]), Some(8000 << 10));
        let unlimited = [
            MACHINE,
            ("proc/self/limits", "Max address space         unlimited            unlimited            bytes\n"),
            ("proc/self/cgroup", "0::/a\nnonsense\n"),
            ("sys/fs/cgroup/a/memory.max", "max\n"),
            ("sys/fs/cgroup/a/memory.high", "max\n"),
            ("sys/fs/cgroup/a/memory.current", "5000\n"),
        ];
        assert_eq!(available(&unlimited), Some(8000 << 10));
        // A limit without what is used says nothing; a path out of the mounted tree leads nowhere.
        let partial = [("proc/self/cgroup", "0::/../b\n"), ("sys/fs/cgroup/memory.max", "10\n"), ("sys/fs/b/x", "")];
        assert_eq!(available(&partial), None);
    }

    #[test]
    fn addresses_that_are_left_count() {
        let of = |limits: &str| {
            let status = ("proc/self/status", "VmPeak:  3000 kB\nVmSize:  1000 kB\nVmData:  500 kB\nVmLib:  500 kB\n");
            available(&[MACHINE, ("proc/self/limits", limits), status])
        };
        let addresses = RESERVED + 5_000_000;
        let space = format!("Max address space  {addresses}  unlimited  bytes\n");
        assert_eq!(of(&format!("Max data size  7000000 7 bytes\n{space}")), Some(5_000_000 - (1000 << 10)));
        assert_eq!(of(&format!("Max data size  4000000 7 bytes\n{space}")), Some(4_000_000 - (500 << 10)));
        assert_eq!(of("Max data size  unlimited unlimited bytes\nMax address space  4096  4096  bytes\n"), Some(0));
        // Two threads' arenas are there.
        let status = ("proc/self/status", "VmSize:  140000 kB\nVmData:  1000 kB\nVmStk:  1 kB\nVmLib:  999 kB\n");
        let limits = ("proc/self/limits", "Max address space  215000000  unlimited  bytes\n");
        assert_eq!(available(&[MACHINE, limits, status]), Some(215_000_000 - RESERVED / 2 - (140_000 << 10)));
    }

    #[test]
    fn the_least_of_the_groups_counts() {
        let mut files = vec![
            MACHINE,
            ("proc/self/cgroup", "0::/a/b\n"),
            ("sys/fs/cgroup/a/b/memory.max", "4000000\n"),
            ("sys/fs/cgroup/a/b/memory.current", "1500000\n"),
            // "file" has shared memory too, which is not free.
            ("sys/fs/cgroup/a/b/memory.stat", "anon 1\nfile 900000\ninactive_file 300000\nactive_file 200000\n"),
        ];
        assert_eq!(available(&files), Some(3_000_000));
        files.push(("sys/fs/cgroup/a/b/memory.high", "3500000\n"));
        assert_eq!(available(&files), Some(2_500_000));
        files.extend([("sys/fs/cgroup/a/memory.max", "9000000\n"), ("sys/fs/cgroup/a/memory.current", "8000000\n")]);
        assert_eq!(available(&files), Some(1_000_000));
        files.extend([("sys/fs/cgroup/memory.max", "100\n"), ("sys/fs/cgroup/memory.current", "200\n")]);
        assert_eq!(available(&files), Some(0));
    }

    #[test]
    fn groups_of_version_1_count_too() {
        let mut files = vec![
            MACHINE,
            ("proc/self/cgroup", "5:cpu:/x\n4:hugetlb,memory:/a\n0::/\n"),
            ("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "4000000\n"),
            ("sys/fs/cgroup/memory/a/memory.usage_in_bytes", "1500000\n"),
            ("sys/fs/cgroup/memory/a/memory.stat", "inactive_file 7\ntotal_inactive_file 100000\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
            ("sys/fs/cgroup/memory/memory.usage_in_bytes", "1500000\n"),
        ];
        assert_eq!(available(&files), Some(2_600_000));
        // In a container that sees the names of the host, its own group is the root of what is mounted.
        files[1].1 = "4:memory:/host/a\n";
        files[5].1 = "2000000\n";
        assert_eq!(available(&files), Some(500_000));
    }
}
