//! Times and sizes as people write them.

use std::time::Duration;

/// A limit on memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Memory {
    /// No limit.
    Unlimited,
    /// So many bytes.
    Bytes(u64),
}

/// `30`, `30s`, `1.5h`, `200ms`.
pub(crate) fn time(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text)?;
    let factor = match unit {
        "" | "s" | "sec" => 1.0,
        "ms" => 0.001,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("`{unit}` is not a unit of time; use ms, s, m or h")),
    };
    Duration::try_from_secs_f64(number * factor).map_err(|_| "this is too long".to_owned())
}

impl std::fmt::Display for Memory {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Memory::Unlimited => write!(out, "none"),
            Memory::Bytes(bytes) => write!(out, "{bytes}"),
        }
    }
}

/// `none`, or a size.
pub(crate) fn memory(text: &str) -> Result<Memory, String> {
    match text {
        "none" => Ok(Memory::Unlimited),
        text => size(text).map(Memory::Bytes),
    }
}

/// `1000000`, `512M`, `4G`, `1.5GiB`. Units are powers of 1024.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text)?;
    let unit = unit.to_ascii_lowercase();
    let letter = unit.trim_end_matches("ib").trim_end_matches('b');
    let factor = match letter {
        "" => 1u64,
        "k" => 1 << 10,
        "m" => 1 << 20,
        "g" => 1 << 30,
        "t" => 1 << 40,
        _ => {
            return Err(format!(
                "`{unit}` is not a unit of memory; use K, M, G or T"
            ));
        }
    };
    let bytes = number * factor as f64;
    match bytes < u64::MAX as f64 {
        true => Ok(bytes as u64),
        false => Err("this is too large".to_owned()),
    }
}

fn split(text: &str) -> Result<(f64, &str), String> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.');
    let (number, unit) = text.split_at(end.unwrap_or(text.len()));
    match number.parse() {
        Ok(number) => Ok((number, unit.trim())),
        Err(_) => Err("a number is expected, with a unit if need be".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        assert_eq!(time("30"), Ok(Duration::from_secs(30)));
        assert_eq!(time("5m"), Ok(Duration::from_secs(300)));
        assert_eq!(time("1.5 h"), Ok(Duration::from_secs(5400)));
        assert_eq!(time("250ms"), Ok(Duration::from_millis(250)));
        for wrong in [
            "",
            "s",
            "-1",
            "1y",
            "1e9",
            "9".repeat(400).as_str(),
            "1.2.3",
        ] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes() {
        assert_eq!(size("17"), Ok(17));
        assert_eq!(size("4G"), Ok(4 << 30));
        assert_eq!(size("1.5kib"), Ok(1536));
        assert_eq!(size("2MB"), Ok(2 << 20));
        assert_eq!(memory("none"), Ok(Memory::Unlimited));
        for wrong in ["", "G", "-1G", "1Q", "99999999999T"] {
            assert!(memory(wrong).is_err(), "{wrong}");
        }
    }
}
