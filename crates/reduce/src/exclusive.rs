//! Who is alone with a variable: assumed, claimed in states, and given up where it is not so.
//!
//! **From**: paper 000 (exclusive access predicates), with the lock discipline MLD' of paper
//! 002. This is the policy for systems that run through many accesses in one step and ask before
//! each of them ([`judge`]): go on, stop, or claim first. What it may ask is a [`View`]. (A system
//! whose steps are single accesses is put together from outside, in `composed.rs`.)
//!
//! An access that only one thread may make, for as long as that thread does not give it up itself,
//! is no business of the others: the thread does not stop before it. What is assumed of all variables
//! of a kind (of a field of a class, say) is one of [`Level`], each of which only ever gives way to
//! the next, and whatever was explored before is explored again then.
//!
//! **Claims.** That a variable is guarded by a lock, or belongs to a thread, is part of the
//! state: the first access by which others could be disturbed *claims* the object (or one
//! variable of it) for a lock that the thread holds, or else for the thread. A claim is an
//! operation that others can notice, before which a thread stops. From then on the predicate
//! "the one whose claim it is" has what the theorem of 000 asks for: no two threads can
//! satisfy it together, and nobody can take it from another one. An access without it breaks the
//! discipline. Only what belongs to a thread that has ended may be claimed again.
//!
//! A thread that is alone needs no permission, for there is nobody to disturb.

use raddle_model::{Object, Thread};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

/// How much is left out of what threads could notice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grain {
    /// Nothing of what any thread can reach.
    Shared,
    /// What nobody writes once others can see it.
    #[default]
    Local,
    /// Also what is guarded by locks, or belongs to one thread.
    Guarded,
    /// Also what is between locking and unlocking: transactions.
    Transactions,
}

/// What is assumed of the variables of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Level {
    /// Nobody writes it once others can see it.
    Unwritten,
    /// Whoever accesses it holds the lock of the object that it is part of.
    Own,
    /// Objects are claimed as a whole.
    Whole,
    /// Each variable of an object is claimed by itself.
    Single,
    /// Nothing.
    Free,
}

impl Level {
    /// The level with a number; the last one for numbers that none has.
    #[inline]
    pub fn from_number(number: u8) -> Self {
        match number {
            0 => Level::Unwritten,
            1 => Level::Own,
            2 => Level::Whole,
            3 => Level::Single,
            _ => Level::Free,
        }
    }
}

/// Where it is noted what is assumed of a kind.
#[derive(Debug)]
pub struct Assumption(AtomicU8);

impl Assumption {
    /// Assumes something.
    pub fn new(level: Level) -> Self {
        Self(AtomicU8::new(level as u8))
    }

    /// What is assumed.
    #[inline]
    pub fn level(&self) -> Level {
        Level::from_number(self.0.load(Ordering::Relaxed))
    }

    /// Assumes no more than this.
    pub fn weaken(&self, level: Level) {
        self.0.fetch_max(level as u8, Ordering::Relaxed);
    }
}

/// Whether what is assumed is still to be found out, and whether something was.
#[derive(Debug, Default)]
pub struct Discoveries {
    is_news: AtomicBool,
    is_settled: AtomicBool,
}

impl Discoveries {
    /// Something was found out that makes what was explored before worthless.
    pub fn announce(&self) {
        self.is_news.store(true, Ordering::Relaxed);
    }

    /// Whether something was found out.
    #[inline]
    pub fn has_news(&self) -> bool {
        self.is_news.load(Ordering::Relaxed)
    }

    /// The same. Asking makes it old.
    pub fn take_news(&self) -> bool {
        self.is_news.swap(false, Ordering::Relaxed)
    }

    /// From now on nothing is found out any more, so that what was executed once can be executed
    /// in the same steps again.
    pub fn settle(&self) {
        self.is_settled.store(true, Ordering::Relaxed);
    }

    /// Whether nothing is found out any more.
    #[inline]
    pub fn is_settled(&self) -> bool {
        self.is_settled.load(Ordering::Relaxed)
    }

    /// Notes that something is so.
    pub fn note(&self, fact: &AtomicBool) {
        if !fact.load(Ordering::Relaxed) && !self.is_settled() {
            self.announce();
            fact.store(true, Ordering::Relaxed);
        }
    }

    /// Gives an assumption up for a weaker one, unless all is settled.
    pub fn weaken(&self, assumption: &Assumption, level: Level) {
        if assumption.level() < level && !self.is_settled() {
            self.announce();
            assumption.weaken(level);
        }
    }
}

/// Whose a variable or an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// Accessed by this thread only.
    Thread(Thread),
    /// Accessed with this lock held.
    Lock(Object),
}

/// What a policy may ask about the thread that is about to access a variable.
pub trait View {
    /// How much others are taken to notice.
    fn grain(&self) -> Grain;

    /// Whether nobody else is alive, nor may be so in an equivalent execution.
    fn is_alone(&self) -> bool;

    /// The thread.
    fn thread(&self) -> Thread;

    /// Whether it holds a lock.
    fn holds(&self, lock: Object) -> bool;

    /// Whether it holds the lock of the object that a variable is part of.
    fn holds_own(&self, variable: Object) -> bool;

    /// The name of the object that a variable is part of, as a whole.
    fn whole(&self, variable: Object) -> Object;

    /// Whose a variable or an object is, if it was claimed.
    fn owner(&self, claimed: Object) -> Option<Owner>;

    /// Whether another thread has ended.
    fn has_ended(&self, thread: Thread) -> bool;

    /// Whether the thread may access what belongs to somebody.
    fn may(&self, owner: Owner) -> bool {
        match owner {
            Owner::Thread(thread) => thread == self.thread(),
            Owner::Lock(lock) => self.holds(lock),
        }
    }

    /// Whether nobody needs what belonged to somebody.
    fn is_orphaned(&self, owner: Owner) -> bool {
        matches!(owner, Owner::Thread(thread) if self.has_ended(thread))
    }
}

/// What a policy says to an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Go {
    /// Nobody else notices it.
    On,
    /// The same, once this is claimed: the variable, or the object as a whole.
    Claim(Object),
    /// Others may go on first.
    Stop,
}

/// Says what is to be done before an access to a variable that others can reach. If it is not as it
/// was assumed, then something weaker is assumed from now on.
#[inline]
pub fn judge(
    view: &impl View,
    book: &Discoveries,
    assumption: &Assumption,
    variable: Object,
    is_write: bool,
) -> Go {
    loop {
        let level = assumption.level();
        match level {
            Level::Free => return Go::Stop,
            _ if view.grain() == Grain::Shared => return Go::Stop,
            Level::Unwritten if !is_write => return Go::On,
            Level::Unwritten => {}
            Level::Own if view.holds_own(variable) => return Go::On,
            Level::Own => {}
            Level::Whole | Level::Single => {
                let claimed = match level {
                    Level::Whole => view.whole(variable),
                    _ => variable,
                };
                match view.owner(claimed) {
                    None => return Go::Claim(claimed),
                    Some(owner) if view.may(owner) => return Go::On,
                    Some(owner) if view.is_orphaned(owner) => return Go::Claim(claimed),
                    Some(_) => {}
                }
            }
        }
        // Alone, a thread does not break any discipline.
        if view.is_alone() || book.is_settled() {
            return Go::Stop;
        }
        let weaker = match level {
            _ if view.grain() < Grain::Guarded => Level::Free,
            Level::Unwritten if view.holds_own(variable) => Level::Own,
            Level::Unwritten | Level::Own => Level::Whole,
            Level::Whole => Level::Single,
            Level::Single | Level::Free => Level::Free,
        };
        book.weaken(assumption, weaker);
    }
}

/// What was claimed so far in an execution, and how variables were used that must have a lock in
/// common.
#[derive(Debug, Default)]
pub struct Ownership(Option<Arc<All>>);

#[derive(Clone, Debug, Default)]
struct All {
    owners: Vec<(Object, Owner)>,
    uses: Vec<(Object, Use)>,
}

/// How a variable was used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// The first thread.
    pub first: Thread,
    /// Whether there was a second one.
    pub is_shared: bool,
    /// The locks that were held each time.
    pub locks: Vec<Object>,
}

impl Clone for Ownership {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    fn clone_from(&mut self, other: &Self) {
        if !self.is(other) {
            *self = other.clone();
        }
    }
}

impl Ownership {
    /// Whether both are one: then they say the same.
    pub fn is(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(mine), Some(theirs)) => Arc::ptr_eq(mine, theirs),
            (mine, theirs) => mine.is_none() && theirs.is_none(),
        }
    }

    /// Whose something is.
    pub fn owner(&self, claimed: Object) -> Option<Owner> {
        let found = find(self.owners(), claimed).ok()?;
        self.owners().get(found).map(|&(_, owner)| owner)
    }

    /// Says whose something is.
    pub fn set(&mut self, claimed: Object, owner: Owner) {
        match find(self.owners(), claimed) {
            Ok(index) if self.owners()[index].1 == owner => {}
            Ok(index) => self.all_mut().owners[index].1 = owner,
            Err(index) => self.all_mut().owners.insert(index, (claimed, owner)),
        }
    }

    /// Notes that a thread uses a variable with some locks held. False if there are several
    /// threads now that had no lock in common.
    pub fn use_with(
        &mut self,
        variable: Object,
        thread: Thread,
        locks: Vec<Object>,
        has_ended: impl Fn(Thread) -> bool,
    ) -> bool {
        let fresh = Use {
            first: thread,
            is_shared: false,
            locks,
        };
        let index = match find(self.uses(), variable) {
            Ok(index) => index,
            Err(index) => {
                self.all_mut().uses.insert(index, (variable, fresh));
                return true;
            }
        };
        let known = &self.uses()[index].1;
        let is_new = !known.is_shared && has_ended(known.first);
        let next = match is_new {
            true => fresh,
            false => {
                let both = known.locks.iter().copied();
                Use {
                    first: known.first,
                    is_shared: known.is_shared || known.first != thread,
                    locks: both.filter(|lock| fresh.locks.contains(lock)).collect(),
                }
            }
        };
        let is_guarded = is_new || !next.is_shared || !next.locks.is_empty();
        // Copies share what does not change.
        if next != *known {
            self.all_mut().uses[index].1 = next;
        }
        is_guarded
    }

    /// All that was claimed, in order.
    pub fn owners(&self) -> &[(Object, Owner)] {
        self.0.as_ref().map_or(&[], |all| &all.owners)
    }

    /// All uses, in order.
    pub fn uses(&self) -> &[(Object, Use)] {
        self.0.as_ref().map_or(&[], |all| &all.uses)
    }

    fn all_mut(&mut self) -> &mut All {
        Arc::make_mut(self.0.get_or_insert_default())
    }
}

fn find<T>(all: &[(Object, T)], object: Object) -> Result<usize, usize> {
    all.binary_search_by_key(&object, |&(object, _)| object)
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_model::Region;
    use std::collections::HashSet;

    const FIELD: Region = Region(1);
    const WHOLE: Region = Region(2);
    const LOCK: Region = Region(3);

    fn of(region: Region, index: u32) -> Object {
        Object { region, index }
    }

    /// Thread 0 or 1 of a program in which objects are numbers.
    #[derive(Default)]
    struct Toy {
        thread: u32,
        grain: Grain,
        held: HashSet<u32>,
        claims: Ownership,
        ended: HashSet<u32>,
        is_alone: bool,
    }

    impl View for Toy {
        fn grain(&self) -> Grain {
            self.grain
        }
        fn is_alone(&self) -> bool {
            self.is_alone
        }
        fn thread(&self) -> Thread {
            Thread(self.thread)
        }
        fn holds(&self, lock: Object) -> bool {
            self.held.contains(&lock.index)
        }
        fn holds_own(&self, variable: Object) -> bool {
            self.held.contains(&variable.index)
        }
        fn whole(&self, variable: Object) -> Object {
            of(WHOLE, variable.index)
        }
        fn owner(&self, claimed: Object) -> Option<Owner> {
            self.claims.owner(claimed)
        }
        fn has_ended(&self, thread: Thread) -> bool {
            self.ended.contains(&thread.0)
        }
    }

    fn guarded(thread: u32) -> Toy {
        Toy {
            thread,
            grain: Grain::Guarded,
            ..Toy::default()
        }
    }

    #[test]
    fn assumptions_give_way_one_after_the_other() {
        let (book, field) = (Discoveries::default(), Assumption::new(Level::Unwritten));
        let x = of(FIELD, 7);
        let mut toy = guarded(0);
        assert_eq!(judge(&toy, &book, &field, x, false), Go::On);
        assert!(!book.has_news());
        toy.held.insert(7);
        assert_eq!(judge(&toy, &book, &field, x, true), Go::On);
        assert_eq!(field.level(), Level::Own);
        assert!(book.take_news());
        toy.held.clear();
        assert_eq!(
            judge(&toy, &book, &field, x, false),
            Go::Claim(of(WHOLE, 7))
        );
        toy.claims.set(of(WHOLE, 7), Owner::Lock(of(LOCK, 5)));
        assert_eq!(judge(&toy, &book, &field, x, false), Go::Claim(x));
        assert_eq!(field.level(), Level::Single);
        toy.claims.set(x, Owner::Thread(Thread(1)));
        assert_eq!(judge(&toy, &book, &field, x, false), Go::Stop);
        assert_eq!(field.level(), Level::Free);
    }

    #[test]
    fn who_has_claimed_something_goes_on_and_what_nobody_needs_is_claimed_again() {
        let (book, field) = (Discoveries::default(), Assumption::new(Level::Single));
        let x = of(FIELD, 7);
        let mut toy = guarded(0);
        toy.claims.set(x, Owner::Lock(of(LOCK, 5)));
        toy.held.insert(5);
        assert_eq!(judge(&toy, &book, &field, x, true), Go::On);
        toy.claims.set(x, Owner::Thread(Thread(1)));
        toy.ended.insert(1);
        assert_eq!(judge(&toy, &book, &field, x, true), Go::Claim(x));
        assert!(!book.has_news());
    }

    #[test]
    fn nothing_is_given_up_by_who_is_alone_or_once_all_is_settled() {
        let (book, field) = (Discoveries::default(), Assumption::new(Level::Unwritten));
        let x = of(FIELD, 7);
        let mut toy = guarded(0);
        toy.is_alone = true;
        assert_eq!(judge(&toy, &book, &field, x, true), Go::Stop);
        toy.is_alone = false;
        book.settle();
        assert_eq!(judge(&toy, &book, &field, x, true), Go::Stop);
        assert_eq!(field.level(), Level::Unwritten);
        assert!(!book.has_news());
    }

    #[test]
    fn a_smaller_grain_believes_in_no_guards() {
        let (book, field) = (Discoveries::default(), Assumption::new(Level::Unwritten));
        let x = of(FIELD, 7);
        let mut toy = guarded(0);
        toy.grain = Grain::Shared;
        assert_eq!(judge(&toy, &book, &field, x, false), Go::Stop);
        toy.grain = Grain::Local;
        toy.held.insert(7);
        assert_eq!(judge(&toy, &book, &field, x, true), Go::Stop);
        assert_eq!(field.level(), Level::Free);
    }

    #[test]
    fn several_threads_need_a_lock_in_common() {
        let mut claims = Ownership::default();
        let x = of(FIELD, 7);
        let locks = |all: &[u32]| all.iter().map(|&it| of(LOCK, it)).collect::<Vec<_>>();
        let nobody = |_| false;
        assert!(claims.use_with(x, Thread(0), locks(&[]), |_| false));
        assert!(claims.use_with(x, Thread(1), locks(&[1, 2]), |it| it == Thread(0)));
        assert!(claims.use_with(x, Thread(2), locks(&[2, 3]), nobody));
        assert!(!claims.use_with(x, Thread(1), locks(&[1]), nobody));
    }
}
