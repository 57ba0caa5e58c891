//! A program with what was found out about it while it was explored.

use std::ops::Deref;

use raddle_jvm::World;
use raddle_jvm::arena::Arena;
use raddle_jvm::world::ClassId;

use super::choices::Openness;
use super::layout::{FieldFacts, Layout};
use super::profile::Profile;

/// The classes of a program, which never change, and what is assumed of them.
pub(crate) struct Program {
    world: World,
    pub(crate) facts: FieldFacts,
    /// What the program leaves open, and how.
    pub(crate) open: Openness,
    layouts: Arena<Layout>,
}

impl Program {
    pub(crate) fn new(mut world: World, open: Openness) -> Self {
        let facts = FieldFacts::default();
        world.tell_classes(facts.listener());
        Self {
            world,
            facts,
            open,
            layouts: Arena::default(),
        }
    }

    /// Forgets what was found out, so that the program can be explored in another way: with this
    /// said of its classes from outside.
    pub(crate) fn forget(&mut self, profile: Profile) {
        self.facts.forget(profile);
        self.layouts = Arena::default();
    }

    /// What stands where in the objects of a class, and what is assumed of it.
    pub(crate) fn layout(&self, class: ClassId) -> &Layout {
        let make = || Layout::of(self, class);
        self.layouts.get_or_init(class.0, make)
    }

    /// The same, if anybody has asked for it before.
    pub(crate) fn known_layout(&self, class: ClassId) -> Option<&Layout> {
        self.layouts.get(class.0)
    }
}

impl Deref for Program {
    type Target = World;

    fn deref(&self) -> &World {
        &self.world
    }
}
