//! Why a program, or a part of it, is not extracted.

use std::fmt;

use raddle_jvm::{MethodId, World, line_number, source_file};

/// A construct that has no meaning in the extracted program, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Untranslatable {
    /// What it is, in a few words.
    pub what: String,
    /// The name of the source file and the line.
    pub place: Option<(String, u32)>,
}

impl Untranslatable {
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            place: None,
        }
    }

    /// Says where it is, unless that is known.
    pub(crate) fn at(mut self, place: Option<(String, u32)>) -> Self {
        self.place = self.place.or(place);
        self
    }
}

impl fmt::Display for Untranslatable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some((file, line)) => write!(f, "{file}:{line}: {}", self.what),
            None => f.write_str(&self.what),
        }
    }
}

impl std::error::Error for Untranslatable {}

/// Where an instruction of a method stands in the source.
pub(crate) fn source_line(world: &World, method: MethodId, pc: u32) -> Option<(String, u32)> {
    let listing = world.listing(method)?;
    let line = line_number(world, method, listing.position(pc));
    let line = u32::try_from(line).ok()?;
    Some((source_file(world, method)?, line))
}
