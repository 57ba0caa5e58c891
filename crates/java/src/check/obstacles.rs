//! What a thread waits for, in words of Java, and who could let it go on.

use raddle_jvm::heap::Ref;
use raddle_jvm::state::{Initialisation, State};
use raddle_jvm::thread::{Status, Thread, ThreadId};
use raddle_jvm::world::ClassId;
use raddle_model::{Obstacle, Thread as Number};

use super::acts::Act;
use super::{Java, JavaState, sockets};

/// Whoever has the other end could let it go on.
fn at_socket(what: String) -> Obstacle {
    Obstacle {
        what,
        lock: None,
        holder: None,
    }
}

impl Java {
    /// Why a thread cannot go on.
    pub(super) fn obstacle_of(&self, state: &JavaState, thread: Number) -> Option<Obstacle> {
        let id = self.id(thread);
        let machine = &state.machine;
        let found = machine.thread(id)?;
        Some(match found.status {
            Status::Waiting { object, .. } => match self.thread_of(machine, object) {
                Some(other) => self.end_of(machine, other),
                None => Obstacle {
                    what: format!(
                        "waits for a notification on {} that no thread will give",
                        self.name_of(machine, object)
                    ),
                    lock: None,
                    holder: None,
                },
            },
            Status::Returning { object, .. } => {
                self.monitor(machine, "was notified and waits for", object)
            }
            Status::Entering(object) => self.monitor(machine, "waits for", object),
            Status::AwaitingClass(class) => self.class(machine, class),
            Status::Parked { .. } => self.blocker(machine, found),
            Status::Exchanging {
                socket, request, ..
            } => at_socket(sockets::obstacle(&machine.network, socket, request)),
            _ => match *self.pending(state, id)? {
                Act::Exchange(ref exchange) => {
                    let socket = exchange.socket(&self.program, machine)?;
                    let what = sockets::obstacle(&machine.network, socket, exchange.request);
                    at_socket(what)
                }
                Act::Acquire(object) => self.monitor(machine, "waits for", object),
                Act::Finish => {
                    self.monitor(machine, "has come to its end and waits for", found.object)
                }
                Act::Join(object) => self.end_of(machine, self.thread_of(machine, object)?),
                Act::Initialise(class) => self.class(machine, class),
                _ => return None,
            },
        })
    }

    fn end_of(&self, state: &State, other: Number) -> Obstacle {
        Obstacle {
            what: format!("waits for the end of {}", self.name_of_thread(state, other)),
            lock: None,
            holder: Some(other),
        }
    }

    fn monitor(&self, state: &State, what: &str, object: Ref) -> Obstacle {
        let owner = self.lock(state, object).owner.checked_sub(1);
        let name = self.name_of(state, object);
        self.held(
            state,
            format!("{what} the monitor of {name}"),
            name,
            owner.map(|owner| self.number(ThreadId(owner))),
        )
    }

    fn class(&self, state: &State, class: ClassId) -> Obstacle {
        let by = match state.class(class).initialisation {
            Initialisation::By(by) => Some(self.number(by)),
            _ => None,
        };
        let name = self.class_name(class);
        let what = match by {
            Some(by) => {
                let by = self.name_of_thread(state, by);
                format!("waits until {by} has initialised {name}")
            }
            None => format!("waits for the initialisation of {name}"),
        };
        Obstacle {
            what,
            lock: None,
            holder: by,
        }
    }

    /// A parked thread says for what it parks, and a lock of the library whose it is.
    fn blocker(&self, state: &State, thread: &Thread) -> Obstacle {
        let program = &self.program;
        let slot = program.slot_of(program.known().thread, "parkBlocker");
        let blocker = slot.map_or(Ref::NULL, |slot| state.heap.ref_field(thread.object, slot));
        let inside = self.inside(&thread.frames);
        let inside = inside.map_or(String::new(), |inside| format!(" in {inside}"));
        let Some(found) = state.heap.get(blocker) else {
            return Obstacle {
                what: format!("is parked{inside}, and no thread will unpark it"),
                lock: None,
                holder: None,
            };
        };
        let owner = program.slot_of(found.class, "exclusiveOwnerThread");
        let owner = owner.map(|slot| state.heap.ref_field(blocker, slot));
        let owner = owner.and_then(|owner| self.thread_of(state, owner));
        let name = self.name_of(state, blocker);
        if program
            .class_name(found.class)
            .ends_with("$ConditionObject")
        {
            return Obstacle {
                what: format!("waits for a signal on {name} that nobody will give"),
                lock: None,
                holder: None,
            };
        }
        self.held(
            state,
            format!("is parked{inside}, waiting for {name}"),
            name,
            owner,
        )
    }

    fn held(&self, state: &State, what: String, lock: String, holder: Option<Number>) -> Obstacle {
        let held = holder.map(|holder| self.name_of_thread(state, holder));
        let held = held.map_or(String::new(), |name| format!(", held by {name}"));
        Obstacle {
            what: format!("{what}{held}"),
            lock: Some(lock),
            holder,
        }
    }
}
