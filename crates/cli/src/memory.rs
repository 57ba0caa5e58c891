//! How much memory a search may use if nobody says: so much that it ends with the
//! verdict *unknown* before the operating system ends it without one.

use std::fs;

/// Three quarters of the available memory in bytes; `None` if that cannot be found out.
pub(crate) fn default_limit() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo").ok();
    let machine = machine.and_then(|text| available(&text));
    // A container may be allowed less than the machine has.
    let number = |path| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let most = number("/sys/fs/cgroup/memory.max");
    let used = number("/sys/fs/cgroup/memory.current").unwrap_or(0);
    let container = most.map(|most| most.saturating_sub(used));
    let least = [machine, container].into_iter().flatten().min()?;
    Some(least / 4 * 3)
}

/// The line `MemAvailable` of `/proc/meminfo`, in bytes.
fn available(text: &str) -> Option<u64> {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let number: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    number.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::available;

    #[test]
    fn reads_what_linux_writes() {
        let text = "MemTotal:       100 kB\nMemAvailable:    24 kB\n";
        assert_eq!(available(text), Some(24 * 1024));
        assert_eq!(available("MemAvailable: many kB"), None);
        assert_eq!(available(""), None);
    }
}
