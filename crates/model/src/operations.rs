//! The theory kernel: what steps do to objects, and which of it commutes.
//!
//! Every reduction asks this module. It answers for *two different threads* and one
//! object, and it knows three notions:
//!
//! - *independent* in a state (paper 002, after Godefroid): neither operation
//!   enables or disables the other, nor changes in how many ways it can go; and if
//!   both are enabled, both orders lead to the same states with the same results.
//!   [`independent`] claims it for all states, [`independent_in`] for one.
//! - *left-commutes* (paper 000, section 9.1): "theirs, then mine" can always be
//!   replaced by "mine, then theirs". See [`left_commutes`].
//! - *mover* (paper 004): commutes so with everything that others do. See [`mover`].
//!
//! An operation that fails (a release, wait or notify without owning the monitor, a
//! second start) counts as one that changes nothing and tells its thread so.
//!
//! Nothing here is taken on trust: `tests/operations.rs` executes both orders of each
//! pair from every small state, and finds for each pair that is called dependent a
//! state in which it is. Where that experiment and a paper disagree, the experiment
//! is followed and the place says so.

use crate::system::Thread;
use Operation::{
    Acquire, Add, Down, Finish, Join, Notify, NotifyAll, Read, Receive, Release, Send, Start, Up,
    Update, Wait, WaitResume, Write,
};
use Relation::{C, D, I, L, R};
use std::fmt;

/// A static name for a family of objects: a variable, all elements of an array,
/// a field of a record type in all of its instances, all threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Region(pub u32);

/// Anything that a step can touch: an element of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Object {
    /// The family it belongs to.
    pub region: Region,
    /// Which one of them.
    pub index: u32,
}

/// The kinds of objects. Each has its own operations and its own tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A variable, field or array element.
    Variable,
    /// A recursive lock with a wait set.
    Monitor,
    /// A counting semaphore.
    Semaphore,
    /// A bounded first-in first-out channel.
    Channel,
    /// A thread, as something that can be started and joined.
    Thread,
}

impl Kind {
    /// All kinds, in the order of declaration.
    pub const ALL: [Kind; 5] = [
        Kind::Variable,
        Kind::Monitor,
        Kind::Semaphore,
        Kind::Channel,
        Kind::Thread,
    ];

    /// The operations that apply to objects of this kind.
    pub const fn operations(self) -> &'static [Operation] {
        match self {
            Kind::Variable => &VARIABLE,
            Kind::Monitor => &MONITOR,
            Kind::Semaphore => &SEMAPHORE,
            Kind::Channel => &CHANNEL,
            Kind::Thread => &THREAD,
        }
    }
}

/// What a step does to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Operation {
    /// Observes the entire state of an object of any kind; may wait until it is as
    /// the thread wants it.
    Read,
    /// Overwrites a variable.
    Write,
    /// Adds to a variable, modulo its range, without telling the old value.
    Add,
    /// Any other atomic read-modify-write of a variable, such as compare-and-set.
    Update,
    /// Takes a monitor, or takes it once more.
    Acquire,
    /// Gives a monitor back, once.
    Release,
    /// Gives a monitor back entirely and joins its wait set.
    Wait,
    /// Takes a monitor again after having been notified.
    WaitResume,
    /// Moves one waiting thread, if any, out of the wait set.
    Notify,
    /// Moves all waiting threads out of the wait set.
    NotifyAll,
    /// Increments a semaphore.
    Up,
    /// Decrements a semaphore, once it is positive.
    Down,
    /// Appends to a channel of capacity at least one, once it is not full.
    Send,
    /// Takes the first element of a channel, once it is not empty.
    Receive,
    /// Starts a thread. Where threads are numbered as they start, any two starts are
    /// operations on the same object: the thread with the next number.
    Start,
    /// Waits for the end of a thread. Where the join of a thread that was not started
    /// returns at once, that one is a [`Operation::Read`].
    Join,
    /// Ends the thread that does it.
    Finish,
}

impl Operation {
    /// All operations, in the order of declaration.
    pub const ALL: [Operation; COUNT] = [
        Read, Write, Add, Update, Acquire, Release, Wait, WaitResume, Notify, NotifyAll, Up, Down,
        Send, Receive, Start, Join, Finish,
    ];

    /// The name used in reports and in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Read => "read",
            Write => "write",
            Add => "add",
            Update => "update",
            Acquire => "acquire",
            Release => "release",
            Wait => "wait",
            WaitResume => "wait-resume",
            Notify => "notify",
            NotifyAll => "notify-all",
            Up => "up",
            Down => "down",
            Send => "send",
            Receive => "receive",
            Start => "start",
            Join => "join",
            Finish => "finish",
        }
    }

    /// The kinds of objects to which the operation applies: all for a read, one for
    /// every other operation.
    pub const fn kinds(self) -> &'static [Kind] {
        match self {
            Read => &Kind::ALL,
            Write | Add | Update => &[Kind::Variable],
            Acquire | Release | Wait | WaitResume | Notify | NotifyAll => &[Kind::Monitor],
            Up | Down => &[Kind::Semaphore],
            Send | Receive => &[Kind::Channel],
            Start | Join | Finish => &[Kind::Thread],
        }
    }

    /// The operations with which this one is dependent in some state, so that a
    /// static bound of what a thread may do is asked with one intersection.
    pub const fn dependents(self) -> Operations {
        INDEPENDENT[self as usize].complement()
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How many operations there are.
const COUNT: usize = 17;

/// A set of operations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operations(u32);

impl Operations {
    /// The empty set.
    pub const NONE: Operations = Operations(0);

    /// The set of all operations.
    pub const ALL: Operations = Operations::of(&Operation::ALL);

    /// The set of these operations.
    pub const fn of(operations: &[Operation]) -> Operations {
        let mut set = Operations::NONE;
        let mut index = 0;
        while index < operations.len() {
            set = set.with(operations[index]);
            index += 1;
        }
        set
    }

    /// The set with one more operation.
    pub const fn with(self, operation: Operation) -> Operations {
        Operations(self.0 | 1 << operation as u32)
    }

    /// All operations of both sets.
    pub const fn union(self, other: Operations) -> Operations {
        Operations(self.0 | other.0)
    }

    /// Whether an operation is in the set.
    pub const fn contains(self, operation: Operation) -> bool {
        self.0 & (1 << operation as u32) != 0
    }

    /// Whether the sets have an operation in common.
    pub const fn meets(self, other: Operations) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether there is no operation in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The set without an operation.
    pub const fn without(self, operation: Operation) -> Operations {
        Operations(self.0 & !(1 << operation as u32))
    }

    /// All operations that are not in the set.
    pub const fn complement(self) -> Operations {
        Operations(self.0 ^ Operations::ALL.0)
    }

    /// The operations in the order of declaration.
    pub fn iter(self) -> impl Iterator<Item = Operation> {
        Operation::ALL
            .into_iter()
            .filter(move |&operation| self.contains(operation))
    }
}

/// The part of an object's state that the independence of operations on it may
/// depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObjectState {
    /// Nothing matters, or nothing is known. Variables and threads are opaque.
    Opaque,
    /// A monitor.
    Monitor {
        /// Who holds it.
        owner: Option<Thread>,
        /// How often it was taken without being given back.
        depth: u32,
        /// The threads in its wait set that were not notified yet.
        waiting: Vec<Thread>,
        /// The threads that were notified and have not resumed yet.
        notified: Vec<Thread>,
    },
    /// A semaphore and its value.
    Semaphore(u32),
    /// A channel.
    Channel {
        /// How many elements it holds.
        length: u32,
        /// How many it can hold.
        capacity: u32,
    },
}

// The tables. For each kind there is one matrix over the operations that apply to it.
// A row and a column are operations of two different threads on the same object; the
// letter says how the row's operation ("mine") gets along with the column's ("theirs").

/// How two operations of different threads on one object get along.
#[derive(Clone, Copy)]
enum Relation {
    /// Independent in every state.
    I,
    /// Commuting: whenever they can follow each other the order makes no difference;
    /// but one can disable the other, so they are dependent.
    C,
    /// Left: "theirs, mine" can be replaced by "mine, theirs", but not the reverse.
    L,
    /// Right: "mine, theirs" can be replaced by "theirs, mine", but not the reverse.
    R,
    /// Dependent: each order can do something that the other cannot.
    D,
}

/// A matrix of relations over the operations of a kind.
type Table<const N: usize> = [[Relation; N]; N];

// Variables. Only reads, and additions that do not tell what was there before, can be
// exchanged: addition modulo the range is commutative, and nobody sees the value in
// between. An update tells the old value, so the order of two updates shows.

const VARIABLE: [Operation; 4] = [Read, Write, Add, Update];

#[rustfmt::skip]
const VARIABLE_TABLE: Table<4> = [
    // read write add update
    [I, D, D, D], // read
    [D, D, D, D], // write
    [D, D, I, D], // add
    [D, D, D, D], // update
];

// Monitors. An operation that needs ownership (release, wait, notify, notify-all) does
// the same before and after anything that others do, because nobody can make or
// unmake another thread the owner; so these are independent of each other. What is
// left is the lock's becoming free (release, wait) or taken (acquire, wait-resume),
// seen by those who want it (acquire, wait-resume).
//
// A notify and the resumption of the thread that it wakes are independent too: the
// notifier still owns the monitor, so the other one cannot resume before or after.
// Fig. 3 of paper 002, which has the resumption as an acquire by a thread in the wait
// set, calls them dependent; by its own definition of independence it need not.

const MONITOR: [Operation; 7] = [Read, Acquire, Release, Wait, WaitResume, Notify, NotifyAll];

#[rustfmt::skip]
const MONITOR_TABLE: Table<7> = [
    // read acquire release wait wait-resume notify notify-all
    [I, D, D, D, D, D, D], // read
    [D, C, R, R, C, I, I], // acquire
    [D, L, I, I, L, I, I], // release
    [D, L, I, I, L, I, I], // wait
    [D, C, R, R, C, I, I], // wait-resume
    [D, I, I, I, I, I, I], // notify
    [D, I, I, I, I, I, I], // notify-all
];

// Semaphores. Values add up in any order; an up can enable a down, and a down can take
// the last unit from another one. There is no greatest value.

const SEMAPHORE: [Operation; 3] = [Read, Up, Down];

#[rustfmt::skip]
const SEMAPHORE_TABLE: Table<3> = [
    // read up down
    [I, D, D], // read
    [D, I, L], // up
    [D, R, C], // down
];

// Channels. The order of two sends is the order of the elements, the order of two
// receives is who gets which. A send and a receive work at different ends, but meet
// when the channel is empty or full.

const CHANNEL: [Operation; 3] = [Read, Send, Receive];

#[rustfmt::skip]
const CHANNEL_TABLE: Table<3> = [
    // read send receive
    [I, D, D], // read
    [D, D, D], // send
    [D, D, D], // receive
];

// Threads. Of two starts of one thread only the first succeeds. A start does not
// enable a join, which waits for the end; it enables everything that the started
// thread does, hence its finish. Two threads never finish the same one.

const THREAD: [Operation; 4] = [Read, Start, Join, Finish];

#[rustfmt::skip]
const THREAD_TABLE: Table<4> = [
    // read start join finish
    [I, D, I, D], // read
    [D, D, I, L], // start
    [I, I, I, R], // join
    [D, R, L, I], // finish
];

/// Each pair stands in a matrix twice, seen from either side: both must say the same.
/// Every matrix begins with the read, and two reads are independent.
const fn is_coherent<const N: usize>(table: &Table<N>) -> bool {
    let mut coherent = matches!(table[0][0], I);
    let mut index = 0;
    while index < N * N {
        let (mine, theirs) = (table[index / N][index % N], table[index % N][index / N]);
        coherent &= matches!((mine, theirs), (I, I) | (C, C) | (L, R) | (R, L) | (D, D));
        index += 1;
    }
    coherent
}

const _: () = assert!(is_coherent(&VARIABLE_TABLE) && is_coherent(&MONITOR_TABLE));
const _: () = assert!(is_coherent(&SEMAPHORE_TABLE) && is_coherent(&CHANNEL_TABLE));
const _: () = assert!(is_coherent(&THREAD_TABLE));

/// For each operation, those of which it is independent in every state.
const INDEPENDENT: [Operations; COUNT] = collect(false);

/// For each operation, those with which it left-commutes.
const LEFT_COMMUTES: [Operations; COUNT] = collect(true);

/// Gathers the matrices into one set per operation.
const fn collect(left: bool) -> [Operations; COUNT] {
    let sets = [Operations::NONE; COUNT];
    let sets = enter(sets, &VARIABLE, &VARIABLE_TABLE, left);
    let sets = enter(sets, &MONITOR, &MONITOR_TABLE, left);
    let sets = enter(sets, &SEMAPHORE, &SEMAPHORE_TABLE, left);
    let sets = enter(sets, &CHANNEL, &CHANNEL_TABLE, left);
    enter(sets, &THREAD, &THREAD_TABLE, left)
}

/// Enters one matrix into the sets: the independent pairs or the left-commuting ones.
const fn enter<const N: usize>(
    mut sets: [Operations; COUNT],
    operations: &[Operation; N],
    table: &Table<N>,
    left: bool,
) -> [Operations; COUNT] {
    let mut index = 0;
    while index < N * N {
        let (row, column) = (index / N, index % N);
        let holds = match table[row][column] {
            I => true,
            C | L => left,
            R | D => false,
        };
        if holds {
            let mine = operations[row] as usize;
            sets[mine] = sets[mine].with(operations[column]);
        }
        index += 1;
    }
    sets
}

/// Whether two operations of different threads on the same object are independent in
/// every state. Operations of different kinds of objects never meet; should a system
/// say that they do, they are called dependent, which is the safe answer.
pub const fn independent(a: Operation, b: Operation) -> bool {
    INDEPENDENT[a as usize].contains(b)
}

/// Whether an operation left-commutes with one of another thread on the same object:
/// `with` and then `operation` can always be replaced by `operation` and then `with`,
/// leading to the same state with the same results (paper 000, section 9.1). The
/// paper's claim for release, notify and notify-all holds for wait as well, and for
/// none of them if others read the monitor.
pub const fn left_commutes(operation: Operation, with: Operation) -> bool {
    LEFT_COMMUTES[operation as usize].contains(with)
}

/// Whether two operations of different threads on an object in this state are
/// independent there (paper 002, Fig. 3; Godefroid for semaphores and channels). A
/// state that does not fit the operations counts as unknown.
pub fn independent_in(
    a: Operation,
    thread_a: Thread,
    b: Operation,
    thread_b: Thread,
    state: &ObjectState,
) -> bool {
    if thread_a == thread_b {
        return false;
    }
    if independent(a, b) {
        return true;
    }
    // The rules are symmetric; they are written for operations in declared order.
    let (a, thread_a, b, thread_b) = if a <= b {
        (a, thread_a, b, thread_b)
    } else {
        (b, thread_b, a, thread_a)
    };
    if a == Read {
        return !changes_in(b, thread_b, state);
    }
    match state {
        ObjectState::Opaque => false,
        ObjectState::Monitor { .. } => monitor_rule(a, thread_a, b, thread_b, state),
        ObjectState::Semaphore(value) => semaphore_rule(a, b, *value),
        ObjectState::Channel { length, capacity } => channel_rule(a, b, *length, *capacity),
    }
}

/// When the dependent pairs of monitor operations are independent all the same. This
/// is Fig. 3 of paper 002 with three changes that the experiment calls for: releasing
/// one level of several frees nothing; wait-resume has rows of its own, and is no
/// concern of others until its thread was notified; notify needs no condition.
fn monitor_rule(a: Operation, i: Thread, b: Operation, j: Thread, state: &ObjectState) -> bool {
    let ObjectState::Monitor {
        owner,
        depth,
        notified,
        ..
    } = state
    else {
        return false;
    };
    let taken = owner.is_some();
    let owns = |thread| *owner == Some(thread);
    let asleep = |thread| !notified.contains(&thread);
    match (a, b) {
        (Acquire, Acquire) => taken,
        (Acquire, Release) => !owns(j) || *depth > 1,
        (Acquire, Wait) => !owns(j),
        (Acquire, WaitResume) => taken || asleep(j),
        (Release, WaitResume) => !owns(i) || *depth > 1 || asleep(j),
        (Wait, WaitResume) => !owns(i) || asleep(j),
        (WaitResume, WaitResume) => taken || asleep(i) || asleep(j),
        _ => false,
    }
}

/// When the dependent pairs of semaphore operations are independent all the same:
/// two downs unless they compete for the last unit, an up and a down unless the down
/// waits for it.
fn semaphore_rule(a: Operation, b: Operation, value: u32) -> bool {
    match (a, b) {
        (Up, Down) => value > 0,
        (Down, Down) => value != 1,
        _ => false,
    }
}

/// When the dependent pairs of channel operations are independent all the same: two
/// of the same sort only if both are blocked, a send and a receive if both are not.
fn channel_rule(a: Operation, b: Operation, length: u32, capacity: u32) -> bool {
    match (a, b) {
        (Send, Send) => length >= capacity,
        (Send, Receive) => 0 < length && length < capacity,
        (Receive, Receive) => length == 0,
        _ => false,
    }
}

/// Whether an operation can change the object.
pub const fn changes(operation: Operation) -> bool {
    CHANGING.contains(operation)
}

/// The operations that can change an object: all that do more than look.
const CHANGING: Operations = Operations::ALL.without(Read).without(Join);

/// Whether an operation of a thread is enabled in this state and changes it.
pub fn changes_in(operation: Operation, thread: Thread, state: &ObjectState) -> bool {
    use ObjectState::{Channel, Monitor, Semaphore};
    match (operation, state) {
        (Acquire, Monitor { owner, .. }) => owner.is_none_or(|owner| owner == thread),
        (Release | Wait, Monitor { owner, .. }) => *owner == Some(thread),
        (
            WaitResume,
            Monitor {
                owner, notified, ..
            },
        ) => owner.is_none() && notified.contains(&thread),
        (Notify | NotifyAll, Monitor { owner, waiting, .. }) => {
            *owner == Some(thread) && !waiting.is_empty()
        }
        (Down, Semaphore(value)) => *value > 0,
        (Send, Channel { length, capacity }) => length < capacity,
        (Receive, Channel { length, .. }) => *length > 0,
        _ => changes(operation),
    }
}

/// Whether a thread may have to wait before it can do an operation. A read may be
/// that of an awaited condition.
pub const fn may_block(operation: Operation) -> bool {
    !enabled_by(operation).is_empty()
}

/// The operations of others without one of which a blocked operation stays blocked;
/// none if it never blocks.
pub const fn enabled_by(operation: Operation) -> Operations {
    match operation {
        Read => CHANGING,
        Acquire => FREEING,
        WaitResume => FREEING.union(WAKING),
        Down => Operations::of(&[Up]),
        Send => Operations::of(&[Receive]),
        Receive => Operations::of(&[Send]),
        Join => Operations::of(&[Finish]),
        Write | Add | Update | Release | Wait | Notify | NotifyAll | Up | Start | Finish => {
            Operations::NONE
        }
    }
}

/// The operations that give a monitor back.
const FREEING: Operations = Operations::of(&[Release, Wait]);

/// The operations that end the sleep of a thread in a wait set.
const WAKING: Operations = Operations::of(&[Notify, NotifyAll]);

/// The operations of others without one of which an operation, blocked in this state,
/// stays blocked; none if it is not blocked, except that a read always counts as
/// blocked, because what it waits for is not known here. For a thread that was not notified these
/// are the notifications: whatever else it waits for, it waits for one of them.
pub fn enabled_by_in(operation: Operation, thread: Thread, state: &ObjectState) -> Operations {
    use ObjectState::{Channel, Monitor, Semaphore};
    match (operation, state) {
        (WaitResume, Monitor { notified, .. }) if !notified.contains(&thread) => WAKING,
        (Acquire | WaitResume, Monitor { owner, .. }) => match owner {
            Some(owner) if *owner != thread => FREEING,
            _ => Operations::NONE,
        },
        (Down, Semaphore(value)) if *value > 0 => Operations::NONE,
        (Send, Channel { length, capacity }) if length < capacity => Operations::NONE,
        (Receive, Channel { length, .. }) if *length > 0 => Operations::NONE,
        _ => enabled_by(operation),
    }
}

/// In which direction an operation can be moved across what other threads do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mover {
    /// It can be done later: after the operation of another thread that follows it.
    Right,
    /// It can be done earlier: before the operation of another thread that precedes it.
    Left,
    /// Both.
    Both,
    /// Neither.
    Neither,
}

impl Mover {
    /// Whether it can be done earlier.
    pub const fn is_left(self) -> bool {
        matches!(self, Mover::Left | Mover::Both)
    }

    /// Whether it can be done later.
    pub const fn is_right(self) -> bool {
        matches!(self, Mover::Right | Mover::Both)
    }
}

/// How an operation can be moved across the operations of other threads on the object
/// (paper 004, section 5), if nobody reads a synchronisation object; if somebody may,
/// ask [`mover_against`]. An access to a variable is a mover in both directions while
/// its thread has exclusive access, which only the caller can know; else in none.
///
/// Notify needs no ownership for this: without it, it fails wherever it is done. A
/// thread can only move after its start, so that its finish need not move across it.
/// Nothing that a started thread does can move before its start, so start is not a
/// right mover; and it is a left one only if nobody else can start the same thread.
pub const fn mover(operation: Operation) -> Mover {
    match operation {
        Acquire | WaitResume => Mover::Right,
        Release | Wait => Mover::Left,
        Notify | NotifyAll => Mover::Both,
        Down | Join => Mover::Right,
        Up | Finish => Mover::Left,
        Send | Receive => Mover::Neither,
        Start => Mover::Neither,
        Read | Write | Add | Update => Mover::Neither,
    }
}

/// How an operation of a thread can be moved when it is done in this state. On a
/// monitor that the thread owns, one level more or less is nobody else's business:
/// a re-entrant acquire and its release move in both directions. Section 5.2 of paper
/// 004 has them as right and left movers, which merges transactions that are two.
pub fn mover_in(operation: Operation, thread: Thread, state: &ObjectState) -> Mover {
    match (operation, state) {
        (Acquire, ObjectState::Monitor { owner, .. }) if *owner == Some(thread) => Mover::Both,
        (Release, ObjectState::Monitor { owner, depth, .. })
            if *owner == Some(thread) && *depth > 1 =>
        {
            Mover::Both
        }
        _ => mover(operation),
    }
}

/// How an operation can be moved if these are all the operations that other threads
/// may do to the object.
pub fn mover_against(operation: Operation, others: Operations) -> Mover {
    let left = others.iter().all(|other| left_commutes(operation, other));
    let right = others.iter().all(|other| left_commutes(other, operation));
    match (left, right) {
        (true, true) => Mover::Both,
        (true, false) => Mover::Left,
        (false, true) => Mover::Right,
        (false, false) => Mover::Neither,
    }
}
