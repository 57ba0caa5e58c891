//! How much memory the process takes, and how much it may take: so much that it ends with the
//! verdict *unknown* before the operating system ends it without one.

use std::fs;
use std::path::{Component, Path};

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
    let groups = groups_limit(&groups, Path::new("/sys/fs/cgroup"));
    groups.into_iter().chain(addresses).min()
}

/// What the control groups of a process leave: `groups` is its `/proc/self/cgroup`, and `root` where
/// the groups are.
fn groups_limit(groups: &str, root: &Path) -> Option<u64> {
    let limits = groups.lines().filter_map(|line| group_limit(line, root));
    limits.min()
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
fn group_limit(line: &str, root: &Path) -> Option<u64> {
    let mut parts = line.splitn(3, ':').skip(1);
    let (root, names) = match parts.next()? {
        "" => (root.to_owned(), ["memory.max", "memory.current"]),
        "memory" => (
            root.join("memory"),
            ["memory.limit_in_bytes", "memory.usage_in_bytes"],
        ),
        _ => return None,
    };
    let path = root.join(parts.next()?.trim_start_matches('/'));
    // A group outside of those that a container sees has a path that leads out of them.
    if path.components().any(|it| it == Component::ParentDir) {
        return None;
    }
    let around = path
        .ancestors()
        .take_while(|folder| folder.starts_with(&root));
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
    }

    /// Control groups, each with what its files say.
    fn groups(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a folder");
        for (file, text) in files {
            let file = root.path().join(file);
            let folder = file.parent().expect("a group");
            fs::create_dir_all(folder).expect("a folder");
            fs::write(file, text).expect("a file");
        }
        root
    }

    #[test]
    fn the_narrowest_of_nested_groups_counts() {
        let root = groups(&[
            ("memory.stat", "file 12\n"),
            ("outer/memory.max", "1000\n"),
            ("outer/memory.current", "900\n"),
            ("outer/memory.stat", "anon 500\nfile 400\n"),
            ("outer/inner/memory.max", "800\n"),
            ("outer/inner/memory.current", "100\n"),
            ("outer/wide/memory.max", "max\n"),
            ("outer/wide/memory.current", "100\n"),
            ("alone/memory.max", "70\n"),
        ]);
        let limit = |group: &str| groups_limit(&format!("0::{group}\n"), root.path());
        // Of the outer one 500 are left, whatever the inner ones allow.
        assert_eq!(limit("/outer"), Some(500));
        assert_eq!(limit("/outer/inner"), Some(500));
        assert_eq!(limit("/outer/wide"), Some(500));
        // What is used is not known, and what is not there does not bound.
        assert_eq!(limit("/alone"), Some(70));
        assert_eq!(limit("/alone/gone/deeper"), Some(70));
        assert_eq!(limit("/"), None);
    }

    #[test]
    fn groups_of_the_first_version_have_other_names() {
        let root = groups(&[
            ("memory/memory.limit_in_bytes", "9223372036854771712\n"),
            ("memory/job/memory.limit_in_bytes", "1000\n"),
            ("memory/job/memory.usage_in_bytes", "700\n"),
            ("memory/job/memory.stat", "cache 50\ntotal_cache 200\n"),
            ("cpu/job/memory.limit_in_bytes", "1\n"),
            ("job/memory.max", "400\n"),
        ]);
        let limit = |lines: &str| groups_limit(lines, root.path());
        let first = "4:cpu:/job\n3:memory:/job\n1:name=systemd:/job\n";
        assert_eq!(limit(first), Some(500));
        assert_eq!(limit("3:memory:/\n"), Some(9_223_372_036_854_771_712));
        // Both versions at once.
        assert_eq!(limit(&format!("{first}0::/job\n")), Some(400));
    }

    #[test]
    fn what_no_system_writes_does_not_bound() {
        let root = groups(&[
            ("words/memory.max", "much\n"),
            ("empty/memory.max", ""),
            ("negative/memory.max", "-1\n"),
            ("large/memory.max", "99999999999999999999\n"),
            ("used/memory.max", "100\n"),
            ("used/memory.current", "some\n"),
            ("over/memory.max", "100\n"),
            ("over/memory.current", "300\n"),
            ("folder/memory.max/deeper", "100\n"),
            ("in/memory.max", "60\n"),
        ]);
        let limit = |lines: &str| groups_limit(lines, root.path());
        for group in ["words", "empty", "negative", "large", "folder"] {
            assert_eq!(limit(&format!("0::/{group}\n")), None, "{group}");
        }
        assert_eq!(limit("0::/used\n"), Some(100));
        assert_eq!(limit("0::/over\n"), Some(0));
        for lines in [
            "",
            "\n",
            "0",
            "0:",
            "0::",
            "::",
            "3:cpu:/used\n",
            "\0:\0:\0",
        ] {
            assert_eq!(limit(lines), None, "{lines:?}");
        }
        // A process outside of its container's groups.
        assert_eq!(limit("0::/in\n"), Some(60));
        assert_eq!(limit("0::/../in\n"), None);
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
