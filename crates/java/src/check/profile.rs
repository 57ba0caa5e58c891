//! What is said of classes from outside the program: granularity and sharing (paper 002,
//! section 10).
//!
//! Nothing here is the default, and what is taken on trust is named in the verdict.

use std::fmt;

use raddle_jvm::world::ClassId;

use super::program::Program;

/// The annotations by which a class of the program says the same of itself.
pub(crate) const ATOMIC: &str = "raddle/Atomic";
pub(crate) const UNSHARED: &str = "raddle/Unshared";

/// What is said of classes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// A call from elsewhere into these classes is one step, up to where it has to wait.
    atomic: Vec<Pattern>,
    /// Each object of these classes is accessed by one thread only; that is checked.
    unshared: Vec<Pattern>,
}

/// A class, or all classes whose names begin like this.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pattern {
    name: String,
    is_prefix: bool,
}

/// A line that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// Its number, from one.
    pub line: u32,
    /// What is wrong with it.
    pub message: String,
}

impl Profile {
    /// The operations of `java.util.concurrent` are single steps.
    pub fn trusted() -> Self {
        let name = "java/util/concurrent/".to_owned();
        let pattern = Pattern {
            name,
            is_prefix: true,
        };
        Self {
            atomic: vec![pattern],
            unshared: Vec::new(),
        }
    }

    /// Reads a profile: lines `atomic NAME` and `unshared NAME`, where the name is that of a
    /// class, or of a package followed by `.*`. Comments begin with `#`.
    pub fn parse(text: &str) -> Result<Self, BadLine> {
        let mut profile = Self::default();
        for (index, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default();
            let words: Vec<&str> = line.split_whitespace().collect();
            let bad = |message: String| BadLine {
                line: index as u32 + 1,
                message,
            };
            let list = match words.first() {
                None => continue,
                Some(&"atomic") => &mut profile.atomic,
                Some(&"unshared") => &mut profile.unshared,
                Some(other) => {
                    let told = format!("expected `atomic` or `unshared`, found `{other}`");
                    return Err(bad(told));
                }
            };
            let [_, name] = words[..] else {
                return Err(bad("expected one name of a class or package".to_owned()));
            };
            let package = name.strip_suffix('*');
            list.push(Pattern {
                name: package.unwrap_or(name).replace('.', "/"),
                is_prefix: package.is_some(),
            });
        }
        Ok(profile)
    }

    /// The lines from which [`Profile::parse`] makes it again.
    pub fn lines(&self) -> Vec<String> {
        let said = |what: &'static str, patterns: &[Pattern]| {
            let lines = patterns.iter().map(|pattern| {
                let ending = if pattern.is_prefix { "*" } else { "" };
                format!("{what} {}{ending}", pattern.name.replace('/', "."))
            });
            lines.collect::<Vec<_>>()
        };
        let mut lines = said("atomic", &self.atomic);
        lines.extend(said("unshared", &self.unshared));
        lines
    }

    /// Both together.
    pub fn and(mut self, other: Self) -> Self {
        self.atomic.extend(other.atomic);
        self.unshared.extend(other.unshared);
        self
    }

    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        self.atomic.is_empty() && self.unshared.is_empty()
    }

    pub(crate) fn has_atomic(&self) -> bool {
        !self.atomic.is_empty()
    }

    /// The classes whose operations are taken for single steps.
    pub(crate) fn atomic_names(&self) -> Vec<String> {
        self.atomic.iter().map(Pattern::to_string).collect()
    }

    pub(crate) fn is_atomic(&self, program: &Program, class: ClassId) -> bool {
        matches(&self.atomic, program.class_name(class))
    }

    pub(crate) fn is_unshared(&self, program: &Program, class: ClassId) -> bool {
        matches(&self.unshared, program.class_name(class))
    }
}

fn matches(patterns: &[Pattern], name: &str) -> bool {
    patterns.iter().any(|pattern| match pattern.is_prefix {
        true => name.starts_with(&pattern.name),
        // With its nested classes.
        false => name
            .strip_prefix(pattern.name.as_str())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('$')),
    })
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let star = if self.is_prefix { "*" } else { "" };
        write!(f, "{}{star}", self.name.replace('/', "."))
    }
}

#[cfg(test)]
mod tests {
    use super::super::layout::FieldFacts;
    use super::*;

    #[test]
    fn lines_are_understood_or_refused_with_their_number() {
        let profile = Profile::parse("# ours\natomic com.foo.*\n\nunshared Bar # per thread\n");
        let profile = profile.expect("it is right");
        assert!(matches(&profile.atomic, "com/foo/Baz"));
        assert!(!matches(&profile.atomic, "com/fool/Baz"));
        assert!(matches(&profile.unshared, "Bar$Inner"));
        assert!(!matches(&profile.unshared, "Barn"));
        let bad = |text| Profile::parse(text).map_err(|bad| bad.line);
        assert_eq!(bad("atomic A\natomc B"), Err(2));
        assert_eq!(bad("atomic"), Err(1));
        assert_eq!(bad("atomic A B"), Err(1));
    }

    #[test]
    fn what_is_trusted_is_named() {
        let mut facts = FieldFacts::default();
        assert_eq!(facts.trust(), None);
        facts.profile = Profile::trusted();
        let told = facts.trust().expect("something is trusted");
        assert!(told.contains("java.util.concurrent.*"), "{told}");
    }
}
