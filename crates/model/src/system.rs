//! The seam between programs and searches.
//!
//! A front end turns a program into a [`System`]; a search explores one. Neither
//! knows the other. Whatever a reduction may rely on is asked through this trait:
//! which threads can move, what their next steps touch, what they may still touch
//! later, which locks they hold.

use crate::footprint::Footprint;
use crate::operations::{Object, ObjectState, Operation, Operations, Region};
use crate::outcome::Reason;
use std::fmt;

/// A concurrent program as a search sees it. A step is one transition of one thread.
///
/// Threads are numbered from zero in the order of their creation and never
/// renumbered; [`System::threads`] grows when a step starts a thread.
pub trait System: Sync {
    /// A global state. Cloning must be cheap; `clone_from` should reuse memory.
    type State: Clone + Send;

    /// The state in which nothing has happened yet.
    fn initial(&self) -> Result<Self::State, Halt>;

    /// How many threads were started so far, finished ones included.
    fn threads(&self, state: &Self::State) -> usize;

    /// Whether a thread can make a step now, and in how many ways.
    fn status(&self, state: &Self::State, thread: Thread) -> Status;

    /// Executes the next step of a ready thread. `choice` is less than the number
    /// of choices that [`System::status`] gave. After an error the state is
    /// unspecified and must be thrown away.
    fn step(&self, state: &mut Self::State, thread: Thread, choice: u32) -> Result<(), Halt>;

    /// The operations of a thread's next step, whether it is enabled or not, over
    /// all of its choices. Objects are named as in `state`.
    fn footprint(&self, state: &Self::State, thread: Thread, out: &mut Footprint);

    /// What the independence of two operations on `object` may depend on.
    fn observe(&self, state: &Self::State, object: Object) -> ObjectState;

    /// Everything a thread, and the threads it may yet start, may still do; `None`
    /// if nothing is known.
    fn future(&self, state: &Self::State, thread: Thread) -> Option<Future>;

    /// What of its future concerns the objects of one region; everything, if nothing is
    /// known.
    fn future_on(&self, state: &Self::State, thread: Thread, region: Region) -> Operations {
        let future = self.future(state, thread);
        future.map_or(Operations::ALL, |future| future.on(region))
    }

    /// The monitors that a thread holds.
    fn held(&self, state: &Self::State, thread: Thread, out: &mut Vec<Object>);

    /// Whether a thread that can move waits for somebody, and would move only because it has
    /// waited for long enough.
    fn is_impatient(&self, _state: &Self::State, _thread: Thread) -> bool {
        false
    }

    /// Whether the name of an object means the same one in every state. Those of objects
    /// on a heap, which is renumbered when a state is brought into canonical form, do not.
    fn is_permanent(&self, _object: Object) -> bool {
        false
    }

    /// What the program itself says about a thread's accesses to a variable in a state.
    fn permission(&self, _state: &Self::State, _variable: Object, _thread: Thread) -> Permission {
        Permission::Unsaid
    }

    /// The variables of a state that the program lets only one thread at a time access.
    fn exclusive(&self, _state: &Self::State, out: &mut Vec<Object>) {
        out.clear();
    }

    /// If permissions depend on more than the locks that a thread holds: an object that
    /// stands for them, and no other. Whoever checks permissions says that steps with
    /// an [`Influence`] write it, and that accesses to variables for which
    /// [`System::is_conditional`] read it.
    fn permissions(&self) -> Option<Object> {
        None
    }

    /// Whether the permission to access a variable depends on more than the locks that a
    /// thread holds.
    fn is_conditional(&self, _variable: Object) -> bool {
        false
    }

    /// What the next step of a thread may do to permissions, whatever the other threads
    /// do before it: it depends on where the thread stands and on nothing else.
    fn influence(&self, _state: &Self::State, _thread: Thread) -> Influence {
        Influence::None
    }

    /// Whether the program may end while this thread has not.
    fn is_daemon(&self, state: &Self::State, thread: Thread) -> bool;

    /// Checks the program's invariants; the first one that is false is the fault.
    fn check_invariants(&self, state: &Self::State) -> Result<(), Fault>;

    /// What [`System::check_invariants`] reads in a state, up to where it finds a fault.
    /// To be asked only if there is an [`System::invariant_future`].
    fn invariant_footprint(&self, _state: &Self::State, _out: &mut Footprint) {}

    /// Everything that the invariants may read in any state; `None` if that is not known,
    /// or if they depend on more than objects, as on where threads stand.
    fn invariant_future(&self) -> Option<Future> {
        None
    }

    /// The canonical form of a state: equal words, same state. Names that have no
    /// meaning (the order of allocation, garbage) make no difference. A system
    /// whose states are already canonical returns them as they are; another one
    /// builds the form in `scratch`.
    fn encode<'a>(&self, state: &'a Self::State, scratch: &'a mut Vec<u32>) -> &'a [u32];

    /// The state that a canonical form stands for, written over `state`.
    fn decode(&self, words: &[u32], state: &mut Self::State);
}

/// Passes methods of [`System`] on to the field `system`, in the implementation of a system
/// around another one with the same states.
#[macro_export]
macro_rules! pass_on {
    ($($method:ident)*) => {
        $($crate::pass_on! { @ $method })*
    };
    // Of a system that can tell what it does.
    (@ thread_name) => {
        fn thread_name(&self, state: &Self::State, thread: $crate::Thread) -> String {
            self.system.thread_name(state, thread)
        }
    };
    (@ object_name) => {
        fn object_name(&self, state: &Self::State, object: $crate::Object) -> String {
            self.system.object_name(state, object)
        }
    };
    (@ next_place) => {
        fn next_place(
            &self,
            state: &Self::State,
            thread: $crate::Thread,
        ) -> Option<$crate::Place> {
            self.system.next_place(state, thread)
        }
    };
    (@ shared_values) => {
        fn shared_values(&self, state: &Self::State) -> Vec<(String, String)> {
            self.system.shared_values(state)
        }
    };
    (@ prelude) => {
        fn prelude(&self) -> Vec<$crate::Event> {
            self.system.prelude()
        }
    };
    (@ race) => {
        fn race(&self, state: &Self::State) -> Option<$crate::Race> {
            self.system.race(state)
        }
    };
    (@ obstacle) => {
        fn obstacle(
            &self,
            state: &Self::State,
            thread: $crate::Thread,
        ) -> Option<$crate::Obstacle> {
            self.system.obstacle(state, thread)
        }
    };
    (@ initial) => {
        fn initial(&self) -> Result<Self::State, $crate::Halt> {
            self.system.initial()
        }
    };
    (@ threads) => {
        fn threads(&self, state: &Self::State) -> usize {
            self.system.threads(state)
        }
    };
    (@ status) => {
        fn status(&self, state: &Self::State, thread: $crate::Thread) -> $crate::Status {
            self.system.status(state, thread)
        }
    };
    (@ step) => {
        fn step(&self, state: &mut Self::State, thread: $crate::Thread, choice: u32) -> Result<(), $crate::Halt> {
            self.system.step(state, thread, choice)
        }
    };
    (@ footprint) => {
        fn footprint(&self, state: &Self::State, thread: $crate::Thread, out: &mut $crate::Footprint)  {
            self.system.footprint(state, thread, out)
        }
    };
    (@ observe) => {
        fn observe(&self, state: &Self::State, object: $crate::Object) -> $crate::ObjectState {
            self.system.observe(state, object)
        }
    };
    (@ future) => {
        fn future(&self, state: &Self::State, thread: $crate::Thread) -> Option<$crate::Future> {
            self.system.future(state, thread)
        }
    };
    (@ future_on) => {
        fn future_on(&self, state: &Self::State, thread: $crate::Thread, region: $crate::Region) -> $crate::Operations {
            self.system.future_on(state, thread, region)
        }
    };
    (@ held) => {
        fn held(&self, state: &Self::State, thread: $crate::Thread, out: &mut Vec<$crate::Object>)  {
            self.system.held(state, thread, out)
        }
    };
    (@ is_permanent) => {
        fn is_permanent(&self, object: $crate::Object) -> bool {
            self.system.is_permanent(object)
        }
    };
    (@ permission) => {
        fn permission(&self, state: &Self::State, variable: $crate::Object, thread: $crate::Thread) -> $crate::Permission {
            self.system.permission(state, variable, thread)
        }
    };
    (@ exclusive) => {
        fn exclusive(&self, state: &Self::State, out: &mut Vec<$crate::Object>)  {
            self.system.exclusive(state, out)
        }
    };
    (@ permissions) => {
        fn permissions(&self) -> Option<$crate::Object> {
            self.system.permissions()
        }
    };
    (@ is_conditional) => {
        fn is_conditional(&self, variable: $crate::Object) -> bool {
            self.system.is_conditional(variable)
        }
    };
    (@ influence) => {
        fn influence(&self, state: &Self::State, thread: $crate::Thread) -> $crate::Influence {
            self.system.influence(state, thread)
        }
    };
    (@ is_daemon) => {
        fn is_daemon(&self, state: &Self::State, thread: $crate::Thread) -> bool {
            self.system.is_daemon(state, thread)
        }
    };
    (@ check_invariants) => {
        fn check_invariants(&self, state: &Self::State) -> Result<(), $crate::Fault> {
            self.system.check_invariants(state)
        }
    };
    (@ invariant_footprint) => {
        fn invariant_footprint(&self, state: &Self::State, out: &mut $crate::Footprint)  {
            self.system.invariant_footprint(state, out)
        }
    };
    (@ invariant_future) => {
        fn invariant_future(&self) -> Option<$crate::Future> {
            self.system.invariant_future()
        }
    };
    (@ encode) => {
        fn encode<'a>(&self, state: &'a Self::State, scratch: &'a mut Vec<u32>) -> &'a [u32] {
            self.system.encode(state, scratch)
        }
    };
    (@ decode) => {
        fn decode(&self, words: &[u32], state: &mut Self::State)  {
            self.system.decode(words, state)
        }
    };
}

/// The number of a thread, in order of creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Thread(pub u32);

impl Thread {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a thread can do in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It can make its next step, in `choices` (at least one) different ways.
    Ready {
        /// The number of outcomes of the step.
        choices: u32,
    },
    /// Its next step waits for another thread. Its footprint tells for what.
    Blocked,
    /// It has finished.
    Done,
}

/// What a program says about a thread's accesses to a variable: the exclusive access
/// predicates of papers 000 and 004.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// Nothing.
    Unsaid,
    /// Any thread may access it at any time.
    Unprotected,
    /// This thread may access it now, and no other.
    Granted,
    /// This thread must not access it now.
    Denied,
}

/// What a step may do to the permissions of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Influence {
    /// Nothing; or it takes one away that no two threads can ever have together.
    None,
    /// It may take one away, but gives none.
    Takes,
    /// It may give one.
    Gives,
}

/// Why a step did not lead to a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The program did something wrong: a violation.
    Fault(Fault),
    /// An assumption of the program failed: this execution does not count.
    Pruned,
    /// raddle cannot go on (a limit of the machine, an unsupported feature). The
    /// verdict can no longer be *holds*.
    GaveUp(String),
    /// A [`crate::StopFlag`] was set in the middle of the step, for this reason.
    Stopped(Reason),
}

/// Something that a program did wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What sort of mistake.
    pub kind: FaultKind,
    /// What exactly, in the program's own terms.
    pub message: String,
    /// Where in the source.
    pub place: Option<Place>,
}

/// The sorts of mistakes that end an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaultKind {
    /// An assertion is false.
    Assertion,
    /// An invariant is false.
    Invariant,
    /// A statement was reached that must not be.
    Unreachable,
    /// An array was indexed outside of its bounds.
    IndexOutOfRange,
    /// A null reference was followed.
    NullDereference,
    /// Division or remainder by zero.
    DivisionByZero,
    /// A ranged integer was given a value outside of its range.
    RangeOverflow,
    /// A monitor was released, waited on or notified by a thread that does not own it.
    IllegalMonitorState,
    /// Recursion went deeper than the limit.
    StackOverflow,
    /// More was allocated than the limit.
    HeapExhausted,
    /// A variable was accessed by a thread that must not access it then.
    Discipline,
    /// An exception ended a thread.
    Exception,
    /// Two threads are about to access a variable, and nothing orders them.
    Race,
}

impl FaultKind {
    /// All kinds, in the order of declaration.
    pub const ALL: [FaultKind; 13] = [
        FaultKind::Assertion,
        FaultKind::Invariant,
        FaultKind::Unreachable,
        FaultKind::IndexOutOfRange,
        FaultKind::NullDereference,
        FaultKind::DivisionByZero,
        FaultKind::RangeOverflow,
        FaultKind::IllegalMonitorState,
        FaultKind::StackOverflow,
        FaultKind::HeapExhausted,
        FaultKind::Discipline,
        FaultKind::Exception,
        FaultKind::Race,
    ];

    /// Whether it is a state that is wrong, rather than the step that leads to it.
    pub fn is_of_state(self) -> bool {
        matches!(self, FaultKind::Invariant | FaultKind::Race)
    }

    /// The name used in reports, in JSON and in expectations.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::Assertion => "assertion",
            FaultKind::Invariant => "invariant",
            FaultKind::Unreachable => "unreachable",
            FaultKind::IndexOutOfRange => "index-out-of-range",
            FaultKind::NullDereference => "null-dereference",
            FaultKind::DivisionByZero => "division-by-zero",
            FaultKind::RangeOverflow => "range-overflow",
            FaultKind::IllegalMonitorState => "illegal-monitor-state",
            FaultKind::StackOverflow => "stack-overflow",
            FaultKind::HeapExhausted => "heap-exhausted",
            FaultKind::Discipline => "discipline",
            FaultKind::Exception => "exception",
            FaultKind::Race => "race",
        }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A position in the source of a program. Lines and columns count from one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Which of the program's source files.
    pub file: u32,
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
}

/// An upper bound of what a thread may still do: for each region, which operations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Future {
    regions: Vec<Operations>,
}

impl Future {
    /// Adds an operation on any object of a region.
    pub fn add(&mut self, region: Region, operation: Operation) {
        let index = region.0 as usize;
        if self.regions.len() <= index {
            self.regions.resize(index + 1, Operations::NONE);
        }
        self.regions[index] = self.regions[index].with(operation);
    }

    /// Adds everything of another future; tells whether anything was new.
    pub fn merge(&mut self, other: &Future) -> bool {
        if self.regions.len() < other.regions.len() {
            self.regions.resize(other.regions.len(), Operations::NONE);
        }
        let mut grew = false;
        for (mine, theirs) in self.regions.iter_mut().zip(&other.regions) {
            let both = mine.union(*theirs);
            grew |= both != *mine;
            *mine = both;
        }
        grew
    }

    /// The operations that may still happen to objects of a region.
    pub fn on(&self, region: Region) -> Operations {
        self.regions
            .get(region.0 as usize)
            .copied()
            .unwrap_or(Operations::NONE)
    }
}
