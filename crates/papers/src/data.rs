//! The tables and their models. They are compiled in, so that an installed raddle can
//! reproduce them without its repository.

use crate::table::{Table, parse};

/// A file under `tests/papers`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name, without the extension.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

macro_rules! files {
    ($folder:literal, $extension:literal: $($name:literal),* $(,)?) => {
        &[$(File {
            name: $name,
            text: include_str!(concat!("../../../tests/papers", $folder, $name, $extension)),
        }),*]
    };
}

/// The tables, in the order in which they are shown.
pub const TABLES: &[File] = files!["/", ".txt":
    "000-section10",
    "001-table1-standard",
    "001-table1-cartesian",
    "001-ring",
    "003-point",
    "003-machines",
    "003-bakery",
    "004-counter",
];

/// The models.
pub const MODELS: &[File] = files!["/models/", ".rad":
    "barrier",
    "barrier_apart",
    "cmis",
    "counter",
    "filesystem",
    "indexer",
    "philosophers",
    "ring",
    "robots",
    "shared_array",
    "shared_ptr",
];

/// The boolean programs, which are among the examples.
pub const PROGRAMS: &[File] = &[
    File {
        name: "counters",
        text: include_str!("../../../examples/counters.cbp"),
    },
    File {
        name: "bakery_printed",
        text: include_str!("../../../examples/bakery_printed.cbp"),
    },
    File {
        name: "bakery",
        text: include_str!("../../../examples/bakery.cbp"),
    },
];

/// All tables, read.
pub fn tables() -> Result<Vec<Table>, String> {
    TABLES
        .iter()
        .map(|file| parse(file.name, file.text))
        .collect()
}

/// The text of a boolean program.
pub fn program(name: &str) -> Option<&'static str> {
    let found = PROGRAMS.iter().find(|file| file.name == name);
    found.map(|file| file.text)
}

/// The program of a model.
pub fn model(name: &str) -> Option<&'static str> {
    let found = MODELS.iter().find(|file| file.name == name);
    found.map(|file| file.text)
}
