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
    // Cached files are counted as used, and given back when memory is wanted.
    let cached = fs::read_to_string("/sys/fs/cgroup/memory.stat").ok();
    let cached = cached.and_then(|text| cached_files(&text)).unwrap_or(0);
    let container = most.map(|most| most.saturating_sub(used.saturating_sub(cached)));
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

/// The line `file` of a control group's `memory.stat`: bytes of cached files.
fn cached_files(text: &str) -> Option<u64> {
    let mut lines = text.lines();
    lines
        .find_map(|line| line.strip_prefix("file "))?
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::{available, cached_files};

    #[test]
    fn cached_files_are_not_in_the_way() {
        let text = "anon 5\nfile 4096\nfile_mapped 7\n";
        assert_eq!(cached_files(text), Some(4096));
        assert_eq!(cached_files("anon 5\n"), None);
        assert_eq!(cached_files("file many\n"), None);
    }

    #[test]
    fn reads_what_linux_writes() {
        let text = "MemTotal:       100 kB\nMemAvailable:    24 kB\n";
        assert_eq!(available(text), Some(24 * 1024));
        assert_eq!(available("MemAvailable: many kB"), None);
        assert_eq!(available(""), None);
    }
}
