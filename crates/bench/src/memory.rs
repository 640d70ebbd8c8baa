//! The most memory that the process had at once.
use std::fs;

/// Counts from now on; from the start where the system does not know how.
pub(crate) fn restart_peak() {
    // "5" sets the high-water mark to what there is now.
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// Bytes of the process at its largest; `None` where the system does not tell.
pub(crate) fn peak_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let kib: u64 =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.split_whitespace().next()?.parse().ok()?;
    Some(kib << 10)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_peak_outlives_its_cause() {
        drop(std::hint::black_box(vec![1u8; 64 << 20]));
        assert!(peak_bytes().is_some_and(|bytes| bytes >= 64 << 20));
        restart_peak();
        assert!(peak_bytes().is_some());
    }
}
