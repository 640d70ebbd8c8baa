//! What memory there is.

/// Bytes that a process may take without swapping (`MemAvailable` of Linux), if the system tells.
pub fn available_memory() -> Option<u64> {
    let info = std::fs::read_to_string("/proc/meminfo").ok()?;
    let kibibytes: u64 =
        info.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes * 1024)
}
