//! Breadth-first search, level by level: the schedules it finds have the fewest
//! possible steps.

use crate::explore::{Arrival, Explorer, Node};
use crate::stores::{Store, push_frugally};
use raddle_model::{Move, Property, Reason, Schedule, System, Thread};

/// Visits every state, those nearest to the initial one first. Returns the bytes
/// that it needed besides the store.
pub(crate) fn search<S: System, V: Store>(explorer: &mut Explorer<'_, S, V>) -> u64 {
    let Some(mut from) = explorer.root() else {
        return 0;
    };
    let mut to = Node::new(from.state.clone());
    let mut queue = Queue::default();
    let mut log = Log::default();
    let mut candidates = Vec::new();
    queue.push(explorer, &from);
    while !explorer.book.is_stopped() && queue.pop(explorer, &mut from) {
        let (current, depth) = (queue.popped - 1, queue.depth);
        explorer.expand(&from, &mut to, depth, &mut candidates, || {
            log.schedule(current)
        });
        while !explorer.book.is_stopped() {
            let Some(candidate) = candidates.pop() else {
                break;
            };
            let step = candidate.step;
            match explorer.advance(&from, candidate, &mut to) {
                Arrival::New => match log.push(current, step) {
                    Ok(()) => queue.push(explorer, &to),
                    Err(reason) => explorer.book.excuse(reason),
                },
                Arrival::Nowhere => {}
                Arrival::Failed(fault) => {
                    let schedule = || log.schedule_with(current, step);
                    explorer
                        .book
                        .report(Property::Fault(fault), depth + 1, schedule);
                }
            }
        }
        if explorer.book.is_due() {
            let waiting = log.links.len() as u64 - u64::from(current);
            let bytes = explorer.store.bytes() + queue.bytes() + log.bytes();
            explorer.book.pulse(depth, waiting, bytes);
        }
    }
    queue.bytes() + log.bytes()
}

/// The states that were found and not yet expanded, in the form in which the
/// store writes them down.
#[derive(Default)]
struct Queue {
    level: Vec<u32>,
    position: usize,
    next_level: Vec<u32>,
    /// How many states were taken out. States are numbered in the order in which
    /// they are found, and this is also the order in which they leave the queue:
    /// it is one more than the number of the last one.
    popped: u32,
    /// The distance of the current level from the initial state.
    depth: u64,
}

impl Queue {
    fn push<S: System, V: Store>(&mut self, explorer: &Explorer<'_, S, V>, node: &Node<S::State>) {
        let mut unused = Vec::new();
        let words = node.canonical(explorer.system, &mut unused);
        // Nothing was taken out yet: this is the initial state.
        let level = match self.popped {
            0 => &mut self.level,
            _ => &mut self.next_level,
        };
        explorer.store.save(words, &node.trail, level);
    }

    fn pop<S: System, V: Store>(
        &mut self,
        explorer: &Explorer<'_, S, V>,
        node: &mut Node<S::State>,
    ) -> bool {
        if self.position == self.level.len() {
            self.level.clear();
            self.position = 0;
            std::mem::swap(&mut self.level, &mut self.next_level);
            self.depth += 1;
        }
        let rest = &self.level[self.position..];
        if rest.is_empty() {
            return false;
        }
        self.position += explorer.store.load(rest, &mut node.words, &mut node.trail);
        explorer.system.decode(&node.words, &mut node.state);
        // The log is full before this overflows.
        self.popped += 1;
        true
    }

    fn bytes(&self) -> u64 {
        4 * (self.level.capacity() + self.next_level.capacity()) as u64
    }
}

/// From where and by which step each state was found, in the order in which they
/// were found. The initial state has no entry.
#[derive(Default)]
struct Log {
    links: Vec<Link>,
}

/// Eight bytes per state, hence the narrow numbers.
struct Link {
    parent: u32,
    thread: u16,
    choice: u16,
}

impl Log {
    fn push(&mut self, parent: u32, step: Move) -> Result<(), Reason> {
        let too_many = |what| Reason::GaveUp(format!("too many {what} for breadth-first search"));
        // One is added for the initial state, one for the count in the queue.
        if self.links.len() as u64 + 2 > u64::from(u32::MAX) {
            return Err(too_many("states"));
        }
        let link = Link {
            parent,
            thread: u16::try_from(step.thread.0).map_err(|_| too_many("threads"))?,
            choice: u16::try_from(step.choice).map_err(|_| too_many("choices of a step"))?,
        };
        push_frugally(&mut self.links, link);
        Ok(())
    }

    /// How a state was found.
    fn schedule(&self, mut state: u32) -> Schedule {
        let mut schedule = Schedule::new();
        while state > 0 {
            let link = &self.links[state as usize - 1];
            schedule.push(Move {
                thread: Thread(u32::from(link.thread)),
                choice: u32::from(link.choice),
            });
            state = link.parent;
        }
        schedule.reverse();
        schedule
    }

    fn schedule_with(&self, state: u32, step: Move) -> Schedule {
        let mut schedule = self.schedule(state);
        schedule.push(step);
        schedule
    }

    fn bytes(&self) -> u64 {
        (self.links.capacity() * size_of::<Link>()) as u64
    }
}
