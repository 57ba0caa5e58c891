//! Answers that are made up: where the machine has something in place of what a JVM would
//! answer, so that the library can go on.
//!
//! The native method that makes one up says so, and what for. The program itself does not get
//! one: whatever it would do with it proves nothing. The library may ask on its behalf and make
//! no difference of it; but what goes wrong later may come from the answer and is no fault of the
//! program. So a state knows what was made up on the way to it.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::interpret::{Env, Trap};
use crate::world::Origin;

/// What was made up in an execution, as a person would call it.
#[derive(Clone, Debug, Default)]
pub(crate) struct MadeUp {
    names: Arc<BTreeSet<&'static str>>,
    /// Whether the library has started: what it is told before is no business of a program.
    has_begun: bool,
}

impl MadeUp {
    /// From now on it is noted.
    pub(crate) fn begin(&mut self) {
        *self = Self {
            names: Arc::default(),
            has_begun: true,
        };
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// What goes wrong now may come from these; none, if nothing was made up.
    pub(crate) fn suspects(&self) -> Option<String> {
        let names: Vec<&str> = self.names.iter().copied().collect();
        (!names.is_empty()).then(|| names.join("; "))
    }
}

impl Env<'_> {
    /// Notes that the answer to the current call is made up. The program itself does not get it.
    pub(crate) fn make_up(&mut self, what: &'static str) -> Result<(), Trap> {
        if self.state.made_up.has_begun && self.is_called_by_program() {
            return Err(Trap::Unsupported(what.to_owned()));
        }
        self.doubt(what);
        Ok(())
    }

    /// Notes that what goes wrong from now on may come from what a JVM would have done here. Nothing
    /// else depends on it, so that the program may go on.
    pub(crate) fn doubt(&mut self, what: &'static str) {
        let made_up = &mut self.state.made_up;
        if made_up.has_begun && !made_up.names.contains(what) {
            Arc::make_mut(&mut made_up.names).insert(what);
        }
    }

    /// Whether it is the program itself that calls the current native method.
    pub(crate) fn is_called_by_program(&self) -> bool {
        let caller = self.thread.frames.last();
        let class = caller.map(|frame| self.world.method(frame.method).class);
        class.is_some_and(|class| self.world.class(class).origin == Origin::Program)
    }

    /// The class whose method calls the current native method.
    pub(crate) fn caller(&self) -> &str {
        let caller = self.thread.frames.last();
        caller.map_or("", |frame| {
            self.world.class_name(self.world.method(frame.method).class)
        })
    }

    /// A made-up answer.
    pub(crate) fn made_up(&mut self, what: &'static str, value: u64) -> Result<u64, Trap> {
        self.make_up(what).map(|()| value)
    }
}
