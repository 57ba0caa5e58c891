//! Whether an access is any business of others, and what becomes of an assumption that it
//! breaks.

use super::guards::{Access, Grain, Guard, Level, MONITOR, Note, WHOLE};
use super::hook::{Hook, has_ended};
use super::layout;
use crate::heap::{Heap, Reach, Ref};
use crate::thread::ThreadId;
use crate::world::{Origin, World, flags};

impl Hook {
    /// What an access to an object that others can reach is to them. If it is not as it was
    /// assumed, then something weaker is assumed from now on.
    pub(super) fn access(
        &mut self,
        world: &World,
        heap: &Heap,
        object: Ref,
        index: u32,
        is_write: bool,
    ) -> Access {
        if !self.is_concurrent {
            return Access::Hidden;
        }
        let is_constant = heap
            .get(object)
            .is_some_and(|found| found.reach == Reach::Constant);
        if is_constant {
            if is_write && self.is_multithreaded {
                self.broken = Some("the characters of a string are written".to_owned());
            }
            return match is_write || self.grain == Grain::Shared {
                true => Access::Open,
                false => Access::Hidden,
            };
        }
        if layout::is_unshared(world, heap, object) {
            self.keep_unshared(world, heap, object);
            return Access::Hidden;
        }
        match layout::note(world, heap, object, index) {
            Some(note) => self.judge(world, heap, note, (object, index), is_write),
            // What a lambda has captured has no declaration, and is written when it is made.
            None if !is_write && self.grain != Grain::Shared => Access::Hidden,
            None => {
                if is_write && self.is_multithreaded {
                    self.broken = Some("what a lambda has captured is written".to_owned());
                }
                Access::Open
            }
        }
    }

    /// Sees to it that an object is for one thread only, as is said of it.
    pub(super) fn keep_unshared(&mut self, world: &World, heap: &Heap, object: Ref) {
        match self.claims.get(object, WHOLE) {
            Some(guard) if self.me.may(world, heap, guard) || !self.is_multithreaded => {}
            Some(guard) if !self.is_orphaned(guard) => {
                let class = heap.get(object).map(|found| world.class_name(found.class));
                let class = class.unwrap_or_default().replace('/', ".");
                self.breach = Some(format!(
                    "an object of {class} is accessed by two threads, but is said to be unshared"
                ));
            }
            _ => self.claims.set(object, WHOLE, Guard::Thread(self.me.id)),
        }
    }

    /// Under the strict discipline, sees to it that a field of the program that is not
    /// volatile is accessed with one lock held, or by one thread.
    pub(super) fn insist(&mut self, world: &World, heap: &Heap, object: Ref, index: u32) {
        let Some((class, field)) = layout::declaration(world, heap, object, index) else {
            return;
        };
        let is_own = world.class(class).origin == Origin::Program;
        if !self.is_strict
            || !is_own
            || field.flags & flags::VOLATILE != 0
            || !self.is_multithreaded
        {
            return;
        }
        let (me, held) = (self.me, self.held.iter().chain(&self.taken).copied());
        let held = held.filter(|&lock| me.holds(world, heap, lock)).collect();
        let ended = self.ended;
        let is_gone = |id: ThreadId| has_ended(ended, id);
        if !self.claims.use_with(object, index, me.id, held, is_gone) {
            self.breach = Some(format!(
                "{}.{} is accessed by several threads without a lock in common",
                world.class_name(class).replace('/', "."),
                world.text(field.name),
            ));
        }
    }

    pub(super) fn judge(
        &mut self,
        world: &World,
        heap: &Heap,
        note: &Note,
        (object, index): (Ref, u32),
        is_write: bool,
    ) -> Access {
        loop {
            let level = note.level();
            let slot = match level {
                Level::Whole => WHOLE,
                _ => index,
            };
            // A claim would be a step of its own; others notice the access instead.
            let claim = match self.is_atomic {
                true => Access::Open,
                false => Access::Claim(slot),
            };
            match level {
                Level::Free => {
                    if index != MONITOR {
                        self.insist(world, heap, object, index);
                    }
                    return Access::Open;
                }
                _ if self.grain == Grain::Shared => return Access::Open,
                Level::Unwritten if !is_write => return Access::Hidden,
                Level::Unwritten => {}
                Level::Own if self.me.holds(world, heap, object) => return Access::Hidden,
                Level::Own => {}
                Level::Whole | Level::Single => match self.claims.get(object, slot) {
                    None => return claim,
                    Some(guard) if self.me.may(world, heap, guard) => return Access::Hidden,
                    Some(guard) if self.is_orphaned(guard) => return claim,
                    Some(_) => {}
                },
            }
            // Alone, a thread does not break any discipline.
            if !self.is_multithreaded || world.facts.is_settled() {
                return Access::Open;
            }
            let weaker = match level {
                _ if self.grain < Grain::Guarded => Level::Free,
                Level::Unwritten if self.me.holds(world, heap, object) => Level::Own,
                Level::Unwritten | Level::Own => Level::Whole,
                Level::Whole => Level::Single,
                Level::Single | Level::Free => Level::Free,
            };
            world.facts.weaken(note, weaker);
        }
    }

    /// Whether whoever has claimed something does not need it any more.
    pub(crate) fn is_orphaned(&self, guard: Guard) -> bool {
        matches!(guard, Guard::Thread(id) if has_ended(self.ended, id))
    }
}
