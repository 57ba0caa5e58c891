//! Names: every string that class files use to refer to something, numbered.

use std::sync::RwLock;

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::arena::Arena;

/// The number of a name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Name(pub(crate) u32);

/// All names seen so far.
pub struct Names {
    texts: Arena<Box<str>>,
    numbers: RwLock<HashMap<Box<str>, Name, FixedState>>,
}

impl Names {
    pub(crate) fn new() -> Self {
        Self {
            texts: Arena::default(),
            numbers: RwLock::new(HashMap::with_hasher(FixedState::default())),
        }
    }

    /// The number of `text`.
    pub fn intern(&self, text: &str) -> Name {
        if let Some(name) = self.find(text) {
            return name;
        }
        let mut numbers = self
            .numbers
            .write()
            .unwrap_or_else(|poison| poison.into_inner());
        if let Some(&name) = numbers.get(text) {
            return name;
        }
        let name = Name(self.texts.push_with(|_| text.into()).unwrap_or(0));
        numbers.insert(text.into(), name);
        name
    }

    /// The number of `text`, if it has one already.
    pub(crate) fn find(&self, text: &str) -> Option<Name> {
        self.numbers
            .read()
            .unwrap_or_else(|poison| poison.into_inner())
            .get(text)
            .copied()
    }

    pub(crate) fn text(&self, name: Name) -> &str {
        self.texts.get(name.0).map_or("", |text| text)
    }
}
