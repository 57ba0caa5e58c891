//! What threads share, for reading.

use std::fmt::Write as _;

use crate::sharing::{Protection, Sharing};

impl Sharing {
    /// For reading.
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        let names = self.threads.iter().map(|it| match it.is_several {
            true => format!("{} (any number)", it.name),
            false => it.name.clone(),
        });
        let _ = writeln!(out, "threads: {}", names.collect::<Vec<_>>().join(", "));
        for field in &self.fields {
            let locks = match &field.protection {
                Protection::Locked(locks) if !locks.is_empty() => {
                    format!(" by {}", locks.join(", "))
                }
                _ => String::new(),
            };
            let _ = writeln!(
                out,
                "\n{}.{}: {}{locks}",
                field.class,
                field.name,
                field.protection.name()
            );
            if let Some(warning) = &field.warning {
                let _ = writeln!(out, "  warning: {warning}");
            }
            for access in &field.accesses {
                let what = access.what();
                let by = access.threads.iter().filter_map(|&it| self.threads.get(it));
                let by: Vec<&str> = by.map(|it| it.name.as_str()).collect();
                let under = match (&access.locks[..], access.is_initial) {
                    (_, true) => " before anybody else can see it".to_owned(),
                    ([], _) => String::new(),
                    (locks, _) => format!(" under {}", locks.join(", ")),
                };
                let _ = writeln!(
                    out,
                    "  {}:{}: {what} in {} by {}{under}",
                    access.line.file,
                    access.line.line,
                    access.line.method,
                    by.join(", ")
                );
            }
        }
        if !self.nested.is_empty() {
            out.push_str("\nlocks that are taken while others are held:\n");
        }
        for it in &self.nested {
            let _ = writeln!(
                out,
                "  {} while {} is held, at {}:{}",
                it.inner, it.outer, it.line.file, it.line.line
            );
        }
        for cycle in &self.cycles {
            let _ = writeln!(
                out,
                "  warning: {} are taken in different orders",
                cycle.join(" and ")
            );
        }
        if !self.unknown.is_empty() {
            out.push_str("\nnot known, so that something may be missing:\n");
            for unknown in &self.unknown {
                let _ = writeln!(out, "  {unknown}");
            }
        }
        out
    }
}
