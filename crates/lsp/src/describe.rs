//! What is said of a name on which the mouse rests.

use crate::document::Document;
use raddle_diagnostics::Declaration;
use raddle_model::Region;
use raddle_reduce::accesses::{Accesses, ClaimStatus, NamedGuard, Variable};
use std::fmt::Write;

/// The declaration, what it is, and what is known of the accesses to it, in Markdown.
pub(crate) fn declaration(
    document: &Document,
    declaration: &Declaration,
    accesses: Option<&Accesses>,
) -> String {
    let line = document.line(declaration.span.start);
    // A fence that is longer than any in the line cannot be closed by it.
    let fence = "`".repeat(longest_run(line, '`').max(2) + 1);
    let name = document.text.get(declaration.span.clone());
    let name = name.unwrap_or_default();
    let mut out = format!(
        "{fence}\n{line}\n{fence}\n`{name}` is {}.",
        declaration.what
    );
    if let (Some(region), Some(accesses)) = (declaration.region, accesses) {
        out.push_str("\n\n");
        out.push_str(&guards(accesses, region));
    }
    out
}

/// How many elements of an array are told one by one.
const TOLD: usize = 8;

fn guards(accesses: &Accesses, region: Region) -> String {
    let seen = accesses.variables.iter();
    let seen: Vec<&Variable> = seen.filter(|it| it.region == region).collect();
    let mut out = String::new();
    let is_same = |it: &&Variable| (&it.guards, it.claim) == (&seen[0].guards, seen[0].claim);
    match seen.as_slice() {
        // Locks and the like are not data.
        [] => return out,
        [first, ..] if seen.iter().all(is_same) => out.push_str(&sentence(first)),
        several => {
            for variable in several.iter().take(TOLD) {
                // Writing to a text cannot fail.
                let _ = writeln!(out, "- `{}`: {}", variable.name, sentence(variable));
            }
            if several.len() > TOLD {
                let _ = writeln!(out, "- … and {} more", several.len() - TOLD);
            }
        }
    }
    let states = accesses.states;
    let _ = match accesses.is_complete {
        true => write!(out, "\n\n*Seen in all {states} states.*"),
        false => write!(out, "\n\n*Seen in {states} states; there are more.*"),
    };
    out
}

/// What is known of a variable.
fn sentence(variable: &Variable) -> String {
    let guards = variable.guards.iter();
    let locks: Vec<String> = guards
        .filter_map(|guard| match guard {
            NamedGuard::Lock(name) => Some(format!("`{name}`")),
            NamedGuard::Own(name) => Some(format!("`{name}` of the same instance")),
            NamedGuard::Thread(_) | NamedGuard::Reading => None,
        })
        .collect();
    let thread = variable.guards.iter().find_map(|guard| match guard {
        NamedGuard::Thread(name) => Some(name),
        _ => None,
    });
    let mut seen = if let Some(name) = thread {
        format!("Accessed by `{name}` only.")
    } else if variable.guards.contains(&NamedGuard::Reading) {
        "Never written.".to_owned()
    } else if !locks.is_empty() {
        format!("Protected by {} at every access.", locks.join(" and "))
    } else {
        "Accessed by several threads, with no lock in common.".to_owned()
    };
    seen.push_str(match variable.claim {
        ClaimStatus::Unsaid if variable.guards.is_empty() => "",
        ClaimStatus::Unsaid => " The program does not claim that: it is a guess, and checked.",
        ClaimStatus::Unprotected => " The program says that it is not protected.",
        ClaimStatus::Kept => " What the program claims about accesses to it is kept.",
        ClaimStatus::Broken => " **What the program claims about accesses to it is not so.**",
    });
    seen
}

fn longest_run(text: &str, wanted: char) -> usize {
    let runs = text.split(|character| character != wanted);
    runs.map(str::len).max().unwrap_or(0)
}
