//! How much memory the process takes, and how much it may take: so much that it ends with the
//! verdict *unknown* before the operating system ends it without one.

use std::fs;
use std::path::{Path, PathBuf};

/// What the process takes, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Usage {
    /// In memory.
    pub(crate) resident: u64,
    /// Addresses, which can be limited, too (`ulimit -v`).
    addresses: u64,
}

/// What the process takes now; `None` if that cannot be found out.
pub(crate) fn usage() -> Option<Usage> {
    parse_usage(&fs::read_to_string("/proc/self/status").ok()?)
}

fn parse_usage(status: &str) -> Option<Usage> {
    Some(Usage {
        resident: kilobytes(status, "VmRSS:")?,
        addresses: kilobytes(status, "VmSize:")?,
    })
}

/// How much the process may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bound {
    /// Bytes in memory.
    pub(crate) resident: u64,
    /// Addresses.
    addresses: u64,
}

impl Bound {
    /// So many bytes in memory, and as many addresses as the process is allowed to have.
    pub(crate) fn new(resident: u64) -> Bound {
        let addresses = address_limit();
        Bound {
            resident,
            addresses: addresses.unwrap_or(u64::MAX),
        }
    }

    /// The part of it that a search may use up, with what was there before.
    pub(crate) fn for_search(self) -> u64 {
        self.resident - self.resident / 8
    }

    /// What is left before a search has to end. It is to end a little before the limit, for what
    /// is taken until it does.
    pub(crate) fn room(self, usage: Usage) -> u64 {
        let resident = self.for_search().saturating_sub(usage.resident);
        let addresses = (self.addresses - self.addresses / 16).saturating_sub(usage.addresses);
        resident.min(addresses)
    }

    /// Whether the limit is exceeded so far that nothing must go on. A search that goes over to a
    /// smaller store has both for a moment.
    pub(crate) fn is_exceeded(self, usage: Usage) -> bool {
        usage.resident > self.resident.saturating_add(self.resident / 4)
            || usage.addresses > self.addresses - self.addresses / 32
    }
}

/// The limit if nobody says: three quarters of the available memory in bytes; `None` if that
/// cannot be found out.
pub(crate) fn default_limit() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo").ok();
    let machine = machine.and_then(|text| kilobytes(&text, "MemAvailable:"));
    let least = machine.into_iter().chain(ceiling()).min()?;
    Some(least / 4 * 3)
}

/// What the process can have at the most, whoever allows it more: a container, a control group
/// or a shell may allow less than the machine has.
pub(crate) fn ceiling() -> Option<u64> {
    let taken = usage().map_or(0, |usage| usage.addresses - usage.resident);
    let addresses = address_limit().map(|most| most.saturating_sub(taken));
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let groups = groups.lines().filter_map(group_limit);
    groups.chain(addresses).min()
}

/// How many addresses the process may have, if they are limited.
fn address_limit() -> Option<u64> {
    parse_address_limit(&fs::read_to_string("/proc/self/limits").ok()?)
}

fn parse_address_limit(limits: &str) -> Option<u64> {
    let mut lines = limits.lines();
    let line = lines.find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// What a control group and those around it leave. `line` is one of `/proc/self/cgroup`: of the
/// second version of control groups `0::PATH`, of the first one `N:memory:PATH`.
fn group_limit(line: &str) -> Option<u64> {
    let mut parts = line.splitn(3, ':').skip(1);
    let (root, names) = match parts.next()? {
        "" => ("/sys/fs/cgroup", ["memory.max", "memory.current"]),
        "memory" => (
            "/sys/fs/cgroup/memory",
            ["memory.limit_in_bytes", "memory.usage_in_bytes"],
        ),
        _ => return None,
    };
    let path: PathBuf = Path::new(root).join(parts.next()?.trim_start_matches('/'));
    let around = path
        .ancestors()
        .take_while(|folder| folder.starts_with(root));
    around.filter_map(|folder| left_in(folder, names)).min()
}

fn left_in(folder: &Path, [most, used]: [&str; 2]) -> Option<u64> {
    let number = |name| -> Option<u64> {
        let text = fs::read_to_string(folder.join(name)).ok()?;
        text.trim().parse().ok()
    };
    let most = number(most)?;
    // Cached files are counted as used, and given back when memory is wanted.
    let cached = fs::read_to_string(folder.join("memory.stat")).ok();
    let cached = cached.and_then(|text| cached_files(&text)).unwrap_or(0);
    let used = number(used).unwrap_or(0).saturating_sub(cached);
    Some(most.saturating_sub(used))
}

/// A line with a number of kilobytes, as Linux writes them, in bytes.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let number: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    number.checked_mul(1024)
}

/// The bytes of cached files in a control group's `memory.stat`.
fn cached_files(text: &str) -> Option<u64> {
    let number = |name: &str| {
        text.lines()
            .find_map(|line| line.strip_prefix(name)?.parse().ok())
    };
    number("total_cache ").or_else(|| number("file "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cached_files_are_not_in_the_way() {
        let text = "anon 5\nfile 4096\nfile_mapped 7\n";
        assert_eq!(cached_files(text), Some(4096));
        assert_eq!(cached_files("anon 5\n"), None);
        assert_eq!(cached_files("file many\n"), None);
        assert_eq!(cached_files("cache 1\ntotal_cache 8192\n"), Some(8192));
    }

    #[test]
    fn reads_what_linux_writes() {
        let text = "MemTotal:       100 kB\nMemAvailable:    24 kB\n";
        assert_eq!(kilobytes(text, "MemAvailable:"), Some(24 * 1024));
        assert_eq!(kilobytes("MemAvailable: many kB", "MemAvailable:"), None);
        assert_eq!(kilobytes("", "MemAvailable:"), None);
        let status = "Name:\tx\nVmSize:\t  300 kB\nVmRSS:\t  20 kB\n";
        let usage = Usage {
            resident: 20 << 10,
            addresses: 300 << 10,
        };
        assert_eq!(parse_usage(status), Some(usage));
        let limits = "Limit   Soft Limit   Hard Limit   Units\n\
                      Max address space         1048576   unlimited   bytes\n";
        assert_eq!(parse_address_limit(limits), Some(1 << 20));
        let limits = "Max address space         unlimited   unlimited   bytes\n";
        assert_eq!(parse_address_limit(limits), None);
        assert_eq!(group_limit("3:cpu:/"), None);
    }

    #[test]
    fn a_bound_is_for_memory_and_for_addresses() {
        let bound = Bound {
            resident: 1600,
            addresses: 8000,
        };
        let usage = |resident, addresses| Usage {
            resident,
            addresses,
        };
        assert_eq!(bound.room(usage(1000, 1000)), 400);
        assert_eq!(bound.room(usage(1000, 7400)), 100);
        assert_eq!(bound.room(usage(1450, 1000)), 0);
        assert!(!bound.is_exceeded(usage(1550, 1000)));
        assert!(!bound.is_exceeded(usage(2000, 1000)));
        assert!(bound.is_exceeded(usage(2001, 1000)));
        assert!(!bound.is_exceeded(usage(1000, 7750)));
        assert!(bound.is_exceeded(usage(1000, 7751)));
    }
}
