//! Whether an access is any business of others: what the policy of
//! [`exclusive`](raddle_reduce::exclusive) gets to see of a Java program.

use raddle_jvm::heap::{Heap, Reach, Ref};
use raddle_jvm::thread::ThreadId;
use raddle_jvm::world::{Origin, flags};
use raddle_model::{Object, Thread};
use raddle_reduce::exclusive::{self, Assumption, Go, Grain, Level, Owner, View};

use super::layout;
use super::program::Program;
use super::run::Run;
use super::{monitor, variable, whole};

/// A thread, as those know it who look at locks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Holder {
    pub(crate) id: ThreadId,
    /// Its `java.lang.Thread`.
    pub(crate) object: Ref,
}

impl Holder {
    /// Whether a thread holds a lock: a monitor, or one of the library's that say who owns
    /// them.
    pub(crate) fn holds(self, program: &Program, heap: &Heap, lock: Ref) -> bool {
        let Some(found) = heap.get(lock) else {
            return false;
        };
        let known = program.known();
        found.lock.owner == self.id.0 + 1
            || program
                .class(found.class)
                .ancestors
                .contains(&known.ownable)
                && program.facts.trusts_owners()
                && heap.ref_field(lock, known.ownable_owner) == self.object
    }
}

/// A thread in the middle of a run. It goes by the machine's number.
struct Standing<'r, 'p> {
    run: &'r Run<'p>,
    heap: &'r Heap,
}

impl View for Standing<'_, '_> {
    fn grain(&self) -> Grain {
        self.run.grain
    }

    fn is_alone(&self) -> bool {
        !self.run.is_multithreaded
    }

    fn thread(&self) -> Thread {
        Thread(self.run.me.id.0)
    }

    fn holds(&self, lock: Object) -> bool {
        let run = self.run;
        run.me.holds(run.program, self.heap, Ref(lock.index))
    }

    fn holds_own(&self, variable: Object) -> bool {
        self.holds(monitor(Ref(variable.index)))
    }

    fn whole(&self, variable: Object) -> Object {
        whole(Ref(variable.index))
    }

    fn owner(&self, claimed: Object) -> Option<Owner> {
        self.run.claims.owner(claimed)
    }

    fn has_ended(&self, thread: Thread) -> bool {
        self.run.has_ended(thread)
    }
}

impl Run<'_> {
    /// What an access to an object that others can reach is to them. If it is not as it was
    /// assumed, then something weaker is assumed from now on.
    pub(super) fn access(&mut self, heap: &Heap, object: Ref, index: u32, is_write: bool) -> Go {
        let program = self.program;
        if !self.is_concurrent {
            return Go::On;
        }
        let is_constant = heap
            .get(object)
            .is_some_and(|found| found.reach == Reach::Constant);
        if is_constant {
            if is_write && self.is_multithreaded {
                self.broken = Some("the characters of a string are written".to_owned());
            }
            return match is_write || self.grain == Grain::Shared {
                true => Go::Stop,
                false => Go::On,
            };
        }
        if layout::is_unshared(program, heap, object) {
            self.keep_unshared(heap, object);
            return Go::On;
        }
        match layout::note(program, heap, object, index) {
            Some(note) => {
                let go = self.judge(heap, note, variable(object, index), is_write);
                if note.level() == Level::Free {
                    self.insist(heap, object, index);
                }
                go
            }
            // What a lambda has captured has no declaration, and is written when it is made.
            None if !is_write && self.grain != Grain::Shared => Go::On,
            None => {
                if is_write && self.is_multithreaded {
                    self.broken = Some("what a lambda has captured is written".to_owned());
                }
                Go::Stop
            }
        }
    }

    /// Sees to it that an object is for one thread only, as is said of it.
    pub(super) fn keep_unshared(&mut self, heap: &Heap, object: Ref) {
        let program = self.program;
        let (standing, claimed) = (self.standing(heap), whole(object));
        match self.claims.owner(claimed) {
            Some(owner) if standing.may(owner) || !self.is_multithreaded => {}
            Some(owner) if !standing.is_orphaned(owner) => {
                let class = heap
                    .get(object)
                    .map(|found| program.class_name(found.class));
                let class = class.unwrap_or_default().replace('/', ".");
                self.breach = Some(format!(
                    "an object of {class} is accessed by two threads, but is declared unshared"
                ));
            }
            _ => self
                .claims
                .set(claimed, Owner::Thread(Thread(self.me.id.0))),
        }
    }

    /// Under the strict discipline, sees to it that a field of the program that is not
    /// volatile is accessed with one lock held, or by one thread.
    pub(super) fn insist(&mut self, heap: &Heap, object: Ref, index: u32) {
        let program = self.program;
        let Some((class, field)) = layout::declaration(program, heap, object, index) else {
            return;
        };
        let is_own = program.class(class).origin == Origin::Program;
        if !self.is_strict
            || !is_own
            || field.flags & flags::VOLATILE != 0
            || !self.is_multithreaded
        {
            return;
        }
        let (me, held) = (self.me, self.held.iter().chain(&self.taken).copied());
        let held = held.filter(|&lock| me.holds(program, heap, lock));
        let (held, ended) = (held.map(monitor).collect(), self.ended);
        let (variable, thread) = (variable(object, index), Thread(me.id.0));
        let has_ended = |thread| is_among(ended, thread);
        if !self.claims.use_with(variable, thread, held, has_ended) {
            self.breach = Some(format!(
                "{}.{} is accessed by several threads without a lock in common",
                program.class_name(class).replace('/', "."),
                program.text(field.name),
            ));
        }
    }

    /// What an access to a variable is to others, of which something is assumed.
    pub(super) fn judge(
        &mut self,
        heap: &Heap,
        assumption: &Assumption,
        variable: Object,
        is_write: bool,
    ) -> Go {
        let book = &self.program.facts.book;
        let standing = self.standing(heap);
        match exclusive::judge(&standing, book, assumption, variable, is_write) {
            // A claim would be a step of its own; others notice the access instead.
            Go::Claim(_) if self.is_atomic => Go::Stop,
            go => go,
        }
    }

    fn standing<'r>(&'r self, heap: &'r Heap) -> Standing<'r, 'r> {
        Standing { run: self, heap }
    }

    fn has_ended(&self, thread: Thread) -> bool {
        is_among(self.ended, thread)
    }
}

/// Whether a thread is among those that have ended, of which there is a bit for each of the first.
fn is_among(ended: u128, thread: Thread) -> bool {
    thread.0 < 128 && ended >> thread.0 & 1 == 1
}
