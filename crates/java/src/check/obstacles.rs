//! What a thread waits for, in words of Java, and who could let it go on. What it waits for in the library
//! is in `parked.rs`.

use raddle_jvm::heap::Ref;
use raddle_jvm::network::{Request, Socket};
use raddle_jvm::state::{Initialisation, State};
use raddle_jvm::thread::{Status, ThreadId};
use raddle_jvm::world::ClassId;
use raddle_model::{Obstacle, Thread as Number};

use super::acts::Act;
use super::{Java, JavaState, sockets};

/// Nobody in particular could let it go on.
pub(super) fn waits(what: String) -> Obstacle {
    Obstacle {
        what,
        ..Obstacle::default()
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
                None => waits(format!(
                    "waits for a notification on {}",
                    self.name_of(machine, object)
                )),
            },
            Status::Returning { object, .. } => {
                self.monitor(machine, "was notified and waits for", object)
            }
            Status::Entering(object) => self.monitor(machine, "waits for", object),
            Status::AwaitingClass(class) => self.class(machine, class),
            Status::Parked { .. } => self.parked(&self.names(machine), found),
            Status::Exchanging {
                socket, request, ..
            } => self.at_socket(machine, socket, request),
            _ => match *self.pending(state, id)? {
                Act::Exchange(ref exchange) => {
                    let socket = exchange.socket(&self.program, machine)?;
                    self.at_socket(machine, socket, exchange.request)
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

    /// Whoever has the other end could let it go on. Of a server alone nobody has.
    fn at_socket(&self, state: &State, socket: Socket, request: Request) -> Obstacle {
        let what = sockets::obstacle(&state.network, socket, request);
        waits(match (request, &self.process) {
            (Request::Accept, None) => {
                format!("{what}; a client can run beside it (--process)")
            }
            _ => what,
        })
    }

    fn end_of(&self, state: &State, other: Number) -> Obstacle {
        Obstacle {
            what: format!("waits for the end of {}", self.name_of_thread(state, other)),
            holder: Some(other),
            ..Obstacle::default()
        }
    }

    fn monitor(&self, state: &State, what: &str, object: Ref) -> Obstacle {
        let owner = self.lock(state, object).owner.checked_sub(1);
        let name = self.name_of(state, object);
        self.held_by(
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
            holder: by,
            ..Obstacle::default()
        }
    }

    pub(super) fn held_by(
        &self,
        state: &State,
        what: String,
        lock: String,
        holder: Option<Number>,
    ) -> Obstacle {
        let held = holder.map(|holder| self.name_of_thread(state, holder));
        let held = held.map_or(String::new(), |name| format!(", held by {name}"));
        Obstacle {
            what: format!("{what}{held}"),
            lock: Some(lock),
            holder,
            ..Obstacle::default()
        }
    }
}
