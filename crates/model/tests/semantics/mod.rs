//! A tiny executable semantics of each kind of object, against which the tables of
//! the theory kernel are checked. It is written from the meaning of the operations,
//! as plainly as possible, and shares nothing with the tables.

use raddle_model::{Kind, ObjectState, Operation, Thread};
use std::fmt::Debug;

/// An operation with its argument: the value written, the condition awaited.
pub(crate) type Action = (Operation, u8);

/// What a thread learns from its operation.
pub(crate) type Seen = String;

/// The three threads of the experiments. The first two act, the third only owns,
/// waits, or is the thread that the others start and join.
pub(crate) const THREADS: [Thread; 3] = [Thread(0), Thread(1), Thread(2)];

/// A concrete state of one object, with what its users remember about it.
pub(crate) trait Model: Clone + Ord + Debug {
    /// The kind of object.
    const KIND: Kind;

    /// Every small state.
    fn all() -> Vec<Self>;

    /// The arguments with which an operation is tried.
    fn arguments(operation: Operation) -> Vec<u8>;

    /// Every outcome of an operation: none if it is blocked.
    fn run(&self, action: Action, thread: Thread) -> Vec<(Self, Seen)>;

    /// What the kernel is told about the state.
    fn observe(&self) -> ObjectState;

    /// Whether the operation can be the next one of the thread at all.
    fn can_be_next(&self, _operation: Operation, _thread: Thread) -> bool {
        true
    }

    /// Whether the thread is there at all, so that it can be said to be blocked.
    fn is_there(&self, _thread: Thread) -> bool {
        true
    }

    /// Whether the state is small enough to go on from.
    fn is_small(&self) -> bool {
        Self::all().contains(self)
    }

    /// All actions that use an operation.
    fn actions(operation: Operation) -> Vec<Action> {
        let arguments = Self::arguments(operation);
        arguments.into_iter().map(|a| (operation, a)).collect()
    }

    /// Whether the operation is enabled.
    fn enabled(&self, action: Action, thread: Thread) -> bool {
        !self.run(action, thread).is_empty()
    }

    /// The outcome of a read: with argument zero at once, with another one only when
    /// the awaited condition holds.
    fn read(&self, condition: bool) -> Vec<(Self, Seen)> {
        if condition {
            vec![(self.clone(), format!("{self:?}"))]
        } else {
            Vec::new()
        }
    }
}

/// The outcome that there is only one, and that it tells nothing.
fn becomes<M>(state: M) -> Vec<(M, Seen)> {
    vec![(state, "done".to_owned())]
}

/// The outcome of a mistake: nothing happens, and the thread is told.
fn fails<M: Clone>(state: &M) -> Vec<(M, Seen)> {
    vec![(state.clone(), "fault".to_owned())]
}

/// A variable with values 0, 1 and 2.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Variable(pub u8);

impl Model for Variable {
    const KIND: Kind = Kind::Variable;

    fn all() -> Vec<Self> {
        (0..3).map(Variable).collect()
    }

    fn arguments(operation: Operation) -> Vec<u8> {
        match operation {
            Operation::Add => vec![1, 2],
            Operation::Read => vec![0, 1, 2, 3],
            _ => vec![0, 1, 2],
        }
    }

    fn run(&self, (operation, argument): Action, _: Thread) -> Vec<(Self, Seen)> {
        match operation {
            Operation::Read => self.read(argument == 0 || self.0 == argument - 1),
            Operation::Write => becomes(Variable(argument)),
            Operation::Add => becomes(Variable((self.0 + argument) % 3)),
            // Compare zero and set to the argument, and tell whether it was done.
            Operation::Update if self.0 == 0 => vec![(Variable(argument), "set".to_owned())],
            Operation::Update => vec![(self.clone(), "not set".to_owned())],
            _ => Vec::new(),
        }
    }

    fn observe(&self) -> ObjectState {
        ObjectState::Opaque
    }
}

/// Where a thread is with respect to a monitor.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Stand {
    /// Not waiting.
    Outside,
    /// In the wait set; it remembers how deep it was.
    Waiting(u8),
    /// Notified; it remembers how deep it was.
    Notified(u8),
}

/// A recursive monitor and three threads.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Monitor {
    pub owner: Option<Thread>,
    pub depth: u8,
    pub stands: [Stand; 3],
}

impl Monitor {
    fn those(&self, wanted: impl Fn(Stand) -> bool) -> Vec<Thread> {
        let mut threads = THREADS.to_vec();
        threads.retain(|thread| wanted(self.stands[thread.index()]));
        threads
    }

    fn waiting(&self) -> Vec<Thread> {
        self.those(|stand| matches!(stand, Stand::Waiting(_)))
    }

    fn notified(&self) -> Vec<Thread> {
        self.those(|stand| matches!(stand, Stand::Notified(_)))
    }

    fn wake(&mut self, thread: Thread) {
        if let Stand::Waiting(depth) = self.stands[thread.index()] {
            self.stands[thread.index()] = Stand::Notified(depth);
        }
    }

    fn acquire(mut self, thread: Thread) -> Vec<(Self, Seen)> {
        if self.owner.is_some_and(|owner| owner != thread) {
            return Vec::new();
        }
        self.owner = Some(thread);
        self.depth += 1;
        becomes(self)
    }

    fn release(mut self) -> Vec<(Self, Seen)> {
        self.depth -= 1;
        if self.depth == 0 {
            self.owner = None;
        }
        becomes(self)
    }

    fn wait(mut self, thread: Thread) -> Vec<(Self, Seen)> {
        self.stands[thread.index()] = Stand::Waiting(self.depth);
        self.owner = None;
        self.depth = 0;
        becomes(self)
    }

    fn wait_resume(mut self, thread: Thread) -> Vec<(Self, Seen)> {
        let Stand::Notified(depth) = self.stands[thread.index()] else {
            return Vec::new();
        };
        if self.owner.is_some() {
            return Vec::new();
        }
        self.stands[thread.index()] = Stand::Outside;
        self.owner = Some(thread);
        self.depth = depth;
        becomes(self)
    }

    fn notify(self) -> Vec<(Self, Seen)> {
        let waiting = self.waiting();
        if waiting.is_empty() {
            return becomes(self);
        }
        let woken = waiting.into_iter().map(|thread| {
            let mut next = self.clone();
            next.wake(thread);
            (next, "done".to_owned())
        });
        woken.collect()
    }

    fn notify_all(mut self) -> Vec<(Self, Seen)> {
        for thread in THREADS {
            self.wake(thread);
        }
        becomes(self)
    }
}

impl Model for Monitor {
    const KIND: Kind = Kind::Monitor;

    fn all() -> Vec<Self> {
        let stands = [
            Stand::Outside,
            Stand::Waiting(1),
            Stand::Waiting(2),
            Stand::Notified(1),
            Stand::Notified(2),
        ];
        let owned = |thread| [(Some(thread), 1), (Some(thread), 2)];
        let mut owners = vec![(None, 0)];
        owners.extend(THREADS.into_iter().flat_map(owned));
        let mut all = Vec::new();
        for (owner, depth) in owners {
            for index in 0..125 {
                let stands = [stands[index % 5], stands[index / 5 % 5], stands[index / 25]];
                let idle = |owner: Thread| stands[owner.index()] == Stand::Outside;
                if owner.is_none_or(idle) {
                    all.push(Monitor {
                        owner,
                        depth,
                        stands,
                    });
                }
            }
        }
        all
    }

    fn arguments(operation: Operation) -> Vec<u8> {
        match operation {
            Operation::Read => vec![0, 1, 2, 3, 4],
            _ => vec![0],
        }
    }

    fn run(&self, (operation, argument): Action, thread: Thread) -> Vec<(Self, Seen)> {
        let owns = self.owner == Some(thread);
        match operation {
            Operation::Read => self.read(match argument {
                0 => true,
                1 => self.owner.is_none(),
                2 => self.owner.is_some(),
                3 => self.depth > 1,
                _ => !self.notified().is_empty(),
            }),
            Operation::Acquire => self.clone().acquire(thread),
            Operation::WaitResume => self.clone().wait_resume(thread),
            _ if !owns => fails(self),
            Operation::Release => self.clone().release(),
            Operation::Wait => self.clone().wait(thread),
            Operation::Notify => self.clone().notify(),
            Operation::NotifyAll => self.clone().notify_all(),
            _ => Vec::new(),
        }
    }

    fn observe(&self) -> ObjectState {
        ObjectState::Monitor {
            owner: self.owner,
            depth: u32::from(self.depth),
            waiting: self.waiting(),
            notified: self.notified(),
        }
    }

    /// A thread in the wait set can only resume, and only such a thread can.
    fn can_be_next(&self, operation: Operation, thread: Thread) -> bool {
        let outside = self.stands[thread.index()] == Stand::Outside;
        outside != (operation == Operation::WaitResume)
    }

    fn is_small(&self) -> bool {
        self.depth <= 2
    }
}

/// A semaphore with values from 0 to 3.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Semaphore(pub u32);

impl Model for Semaphore {
    const KIND: Kind = Kind::Semaphore;

    fn all() -> Vec<Self> {
        (0..4).map(Semaphore).collect()
    }

    fn arguments(operation: Operation) -> Vec<u8> {
        match operation {
            Operation::Read => vec![0, 1, 2],
            _ => vec![0],
        }
    }

    fn run(&self, (operation, argument): Action, _: Thread) -> Vec<(Self, Seen)> {
        match operation {
            Operation::Read => self.read(match argument {
                0 => true,
                1 => self.0 == 0,
                _ => self.0 >= 2,
            }),
            Operation::Up => becomes(Semaphore(self.0 + 1)),
            Operation::Down if self.0 > 0 => becomes(Semaphore(self.0 - 1)),
            _ => Vec::new(),
        }
    }

    fn observe(&self) -> ObjectState {
        ObjectState::Semaphore(self.0)
    }
}

/// A channel of capacity one or two with elements 0 and 1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Channel {
    pub capacity: usize,
    pub elements: Vec<u8>,
}

impl Model for Channel {
    const KIND: Kind = Kind::Channel;

    fn all() -> Vec<Self> {
        let contents: [&[u8]; 7] = [&[], &[0], &[1], &[0, 0], &[0, 1], &[1, 0], &[1, 1]];
        let mut all = Vec::new();
        for capacity in 1..=2 {
            for elements in contents.iter().filter(|c| c.len() <= capacity) {
                let elements = elements.to_vec();
                all.push(Channel { capacity, elements });
            }
        }
        all
    }

    fn arguments(operation: Operation) -> Vec<u8> {
        match operation {
            Operation::Read => vec![0, 1, 2],
            Operation::Send => vec![0, 1],
            _ => vec![0],
        }
    }

    fn run(&self, (operation, argument): Action, _: Thread) -> Vec<(Self, Seen)> {
        let mut next = self.clone();
        match operation {
            Operation::Read => self.read(match argument {
                0 => true,
                1 => self.elements.is_empty(),
                _ => self.elements.len() == self.capacity,
            }),
            Operation::Send if self.elements.len() < self.capacity => {
                next.elements.push(argument);
                becomes(next)
            }
            Operation::Receive if !self.elements.is_empty() => {
                let element = next.elements.remove(0);
                vec![(next, element.to_string())]
            }
            _ => Vec::new(),
        }
    }

    fn observe(&self) -> ObjectState {
        ObjectState::Channel {
            length: self.elements.len() as u32,
            capacity: self.capacity as u32,
        }
    }
}

/// How far a thread is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Phase {
    NotStarted,
    Running,
    Finished,
}

/// One of the threads as an object.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Started {
    pub thread: Thread,
    pub phase: Phase,
}

impl Model for Started {
    const KIND: Kind = Kind::Thread;

    fn all() -> Vec<Self> {
        let phases = [Phase::NotStarted, Phase::Running, Phase::Finished];
        let with = |thread| phases.map(|phase| Started { thread, phase });
        THREADS.into_iter().flat_map(with).collect()
    }

    fn arguments(operation: Operation) -> Vec<u8> {
        match operation {
            Operation::Read => vec![0, 1, 2],
            _ => vec![0],
        }
    }

    fn run(&self, (operation, argument): Action, thread: Thread) -> Vec<(Self, Seen)> {
        let with = |phase| Started {
            thread: self.thread,
            phase,
        };
        if !self.is_there(thread) {
            return Vec::new();
        }
        match operation {
            Operation::Read => self.read(match argument {
                0 => true,
                1 => self.phase == Phase::Running,
                _ => self.phase == Phase::Finished,
            }),
            Operation::Start if self.phase == Phase::NotStarted => becomes(with(Phase::Running)),
            Operation::Start => fails(self),
            Operation::Join if self.phase == Phase::Finished => becomes(self.clone()),
            Operation::Finish => becomes(with(Phase::Finished)),
            _ => Vec::new(),
        }
    }

    fn observe(&self) -> ObjectState {
        ObjectState::Opaque
    }

    /// A thread ends itself and nobody else.
    fn can_be_next(&self, operation: Operation, thread: Thread) -> bool {
        operation != Operation::Finish || thread == self.thread
    }

    /// A thread that has not started or has finished does nothing.
    fn is_there(&self, thread: Thread) -> bool {
        thread != self.thread || self.phase == Phase::Running
    }
}
