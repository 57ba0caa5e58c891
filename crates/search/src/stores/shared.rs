//! Stores that many threads share.
//!
//! Each thread has a [`Store`] of its own, with what it needs to itself, and all of them look
//! into the same tables. Who looks holds the tables for reading, and keeps them for as long as
//! nobody wants to change them: a look costs no lock. Only a table that is full is changed, by
//! one thread for all, when the others have let go; they look whether they should with every
//! state.
//!
//! Nobody who holds the tables waits for anything else ([`Store::rest`]).

use super::disk::Disk;
use super::fingerprint::{confusion, has_room};
use super::hash::{hash_words, scatter, unscatter};
use super::interner::Item;
use super::plan::{Parts, Plan};
use super::shared_interner::{SharedInterner, Spare};
use super::shared_set::SharedSet;
use super::tree::{load_root, save_root};
use super::{Origin, Store, Trail};
use crate::snapshot::{Reader, Writer};
use crate::sync::{AtomicUsize, Ordering, RwLock, RwLockReadGuard};
use std::io;
use std::sync::PoisonError;

/// A store that many threads share.
pub(crate) trait Shared: Sync + Sized {
    /// What one thread has of it.
    type Share<'a>: Store
    where
        Self: 'a;

    /// What it becomes when it has no more room.
    type Thinner: Shared;

    /// Tells what it writes from what others do.
    const KIND: u64 = 0;

    /// A store for one more thread.
    fn share(&self) -> Self::Share<'_>;

    /// A smaller store of the same states; none if there is none, or if it were not much smaller
    /// than `most` bytes. This one can only give back states afterwards ([`Store::load`]).
    fn thin(&mut self, _most: u64) -> Option<Self::Thinner> {
        None
    }

    /// Writes down all that is in it. Nobody has a share.
    fn write(&self, _: &mut Writer<'_>) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Reads what another one has written into this one, which is empty.
    fn read(&mut self, _: &mut Reader<'_>) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Tables that many look into and seldom anybody changes.
struct Tables<T> {
    tables: RwLock<T>,
    /// How many want to change them.
    wanted: AtomicUsize,
}

impl<T> Tables<T> {
    fn new(tables: T) -> Tables<T> {
        Tables {
            tables: RwLock::new(tables),
            wanted: AtomicUsize::new(0),
        }
    }

    fn get_mut(&mut self) -> &mut T {
        self.tables
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the tables when everybody has let go of them. The caller has.
    #[cold]
    fn change<R>(&self, change: impl FnOnce(&mut T) -> R) -> R {
        self.wanted.fetch_add(1, Ordering::Relaxed);
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        self.wanted.fetch_sub(1, Ordering::Relaxed);
        change(&mut tables)
    }
}

/// One thread's view of the tables.
struct View<'a, T> {
    tables: &'a Tables<T>,
    held: Option<RwLockReadGuard<'a, T>>,
}

impl<'a, T> View<'a, T> {
    fn new(tables: &'a Tables<T>) -> View<'a, T> {
        View { tables, held: None }
    }

    /// Lets go of the tables if somebody wants to change them.
    #[inline]
    fn give_way(&mut self) {
        if self.tables.wanted.load(Ordering::Relaxed) > 0 {
            self.held = None;
        }
    }

    #[inline]
    fn look(&mut self) -> &T {
        self.held.get_or_insert_with(|| {
            let tables = self.tables.tables.read();
            tables.unwrap_or_else(PoisonError::into_inner)
        })
    }

    /// A look by somebody who may not hold them.
    #[inline]
    fn glance<R>(&self, look: impl FnOnce(&T) -> R) -> R {
        match &self.held {
            Some(held) => look(held),
            None => {
                let tables = self.tables.tables.read();
                look(&tables.unwrap_or_else(PoisonError::into_inner))
            }
        }
    }

    #[cold]
    fn change<R>(&mut self, change: impl FnOnce(&mut T) -> R) -> R {
        self.held = None;
        self.tables.change(change)
    }

    /// Adds a number to one of the tables; tells whether it is new.
    #[inline]
    fn insert(
        &mut self,
        number: u64,
        set: impl Fn(&T) -> &SharedSet,
        set_mut: impl Fn(&mut T) -> &mut SharedSet,
    ) -> bool {
        loop {
            if let Some(is_new) = set(self.look()).insert(number) {
                return is_new;
            }
            self.change(|tables| set_mut(tables).grow(number));
        }
    }
}

/// An exact store: states are trees whose equal parts are kept once (`plan.rs`).
pub(crate) struct SharedTree {
    tables: Tables<Forest>,
    threads: usize,
}

struct Forest {
    leaves: SharedInterner,
    groups: SharedInterner,
    /// The roots, scattered.
    roots: SharedSet,
}

impl Forest {
    #[inline]
    fn parts<'a>(&'a self, spares: &'a mut Spares) -> SharedParts<'a> {
        SharedParts {
            leaves: &self.leaves,
            groups: &self.groups,
            spares,
        }
    }
}

impl SharedTree {
    /// A store for so many threads.
    pub(crate) fn new(threads: usize, disk: Option<Disk>) -> SharedTree {
        SharedTree {
            tables: Tables::new(Forest {
                leaves: SharedInterner::with_room(256),
                groups: SharedInterner::with_room(256),
                roots: SharedSet::new(threads, disk),
            }),
            threads,
        }
    }
}

impl Shared for SharedTree {
    type Share<'a> = TreeShare<'a>;
    type Thinner = SharedFingerprints;
    const KIND: u64 = 1;

    fn thin(&mut self, most: u64) -> Option<SharedFingerprints> {
        let Forest {
            leaves,
            groups,
            roots,
        } = self.tables.get_mut();
        let mut fingerprints = roots.another(self.threads);
        let (mut plan, mut spares) = (Plan::default(), Spares::default());
        let (mut words, mut trail) = (Vec::new(), Trail::default());
        let parts = SharedParts {
            leaves,
            groups,
            spares: &mut spares,
        };
        if !has_room(roots.len(), most) {
            return None;
        }
        roots.drain(|root| {
            plan.unfold(&parts, unscatter(root), &mut words, &mut trail);
            fingerprints.add(hash_words(&words));
        });
        // What is missing there would be missing here.
        roots.failure().is_none().then(|| SharedFingerprints {
            tables: Tables::new(fingerprints),
        })
    }

    fn write(&self, out: &mut Writer<'_>) -> io::Result<()> {
        let view = View::new(&self.tables);
        view.glance(|forest| {
            forest.leaves.write(out)?;
            forest.groups.write(out)?;
            forest.roots.write(out)
        })
    }

    fn read(&mut self, input: &mut Reader<'_>) -> io::Result<()> {
        let forest = self.tables.get_mut();
        forest.leaves.read(input)?;
        forest.groups.read(input)?;
        forest.roots.read(input)
    }

    fn share(&self) -> TreeShare<'_> {
        TreeShare {
            view: View::new(&self.tables),
            plan: Plan::default(),
            spares: Spares::default(),
        }
    }
}

/// One thread's part in a [`SharedTree`].
pub(crate) struct TreeShare<'a> {
    view: View<'a, Forest>,
    plan: Plan,
    spares: Spares,
}

#[derive(Default)]
struct Spares {
    leaf: Spare,
    group: Spare,
}

struct SharedParts<'a> {
    leaves: &'a SharedInterner,
    groups: &'a SharedInterner,
    spares: &'a mut Spares,
}

impl Parts for SharedParts<'_> {
    #[inline]
    fn number_leaf(&mut self, leaf: Item) -> Option<u32> {
        self.leaves.intern(leaf, &mut self.spares.leaf)
    }

    #[inline]
    fn number_group(&mut self, group: Item) -> Option<u32> {
        self.groups.intern(group, &mut self.spares.group)
    }

    #[inline]
    fn leaf(&self, number: u32) -> Item {
        self.leaves.get(number)
    }

    #[inline]
    fn group(&self, number: u32) -> Item {
        self.groups.get(number)
    }
}

impl Store for TreeShare<'_> {
    #[inline]
    fn number(
        &mut self,
        words: &[u32],
        origin: Option<Origin<'_>>,
        trail: &mut Trail,
    ) -> Option<u64> {
        self.plan.prepare(words.len())?;
        self.view.give_way();
        loop {
            let mut parts = self.view.look().parts(&mut self.spares);
            let number = self.plan.number(&mut parts, words, origin, trail);
            if number.is_some() {
                return number;
            }
            let has_room = self.view.change(|forest| {
                let leaves = forest.leaves.grow();
                forest.groups.grow() && leaves
            });
            has_room.then_some(())?;
        }
    }

    #[inline]
    fn insert(&mut self, number: u64) -> bool {
        let number = scatter(number);
        self.view.insert(number, |it| &it.roots, |it| &mut it.roots)
    }

    #[inline]
    fn contains(&self, number: u64) -> bool {
        self.view.glance(|it| it.roots.contains(scatter(number)))
    }

    #[inline]
    fn touch(&self, number: u64) -> u64 {
        self.view.glance(|it| it.roots.touch(scatter(number)))
    }

    #[inline]
    fn restore(&mut self, number: u64, words: &mut Vec<u32>, trail: &mut Trail) -> bool {
        let parts = self.view.look().parts(&mut self.spares);
        self.plan.unfold(&parts, number, words, trail);
        true
    }

    fn save(&self, _words: &[u32], trail: &Trail, queue: &mut Vec<u32>) {
        save_root(trail, queue);
    }

    fn load(&mut self, queue: &[u32], words: &mut Vec<u32>, trail: &mut Trail) -> usize {
        load_root(self, queue, words, trail)
    }

    fn rest(&mut self) {
        self.view.held = None;
    }

    fn bytes(&self) -> u64 {
        let tables = |it: &Forest| it.leaves.bytes() + it.groups.bytes() + it.roots.bytes();
        self.view.glance(tables) + self.plan.bytes()
    }

    fn failure(&self) -> Option<String> {
        self.view.glance(|it| it.roots.failure().map(str::to_owned))
    }
}

/// Keeps a hash of 64 bits of each state.
pub(crate) struct SharedFingerprints {
    tables: Tables<SharedSet>,
}

impl SharedFingerprints {
    /// A store for so many threads.
    pub(crate) fn new(threads: usize, disk: Option<Disk>) -> SharedFingerprints {
        SharedFingerprints {
            tables: Tables::new(SharedSet::new(threads, disk)),
        }
    }
}

impl Shared for SharedFingerprints {
    type Share<'a> = FingerprintShare<'a>;
    type Thinner = SharedFingerprints;
    const KIND: u64 = 2;

    fn write(&self, out: &mut Writer<'_>) -> io::Result<()> {
        View::new(&self.tables).glance(|hashes| hashes.write(out))
    }

    fn read(&mut self, input: &mut Reader<'_>) -> io::Result<()> {
        self.tables.get_mut().read(input)
    }

    fn share(&self) -> FingerprintShare<'_> {
        FingerprintShare {
            view: View::new(&self.tables),
        }
    }
}

/// One thread's part in [`SharedFingerprints`].
pub(crate) struct FingerprintShare<'a> {
    view: View<'a, SharedSet>,
}

impl Store for FingerprintShare<'_> {
    #[inline]
    fn number(&mut self, words: &[u32], _: Option<Origin<'_>>, _: &mut Trail) -> Option<u64> {
        self.view.give_way();
        self.view.look();
        Some(hash_words(words))
    }

    #[inline]
    fn insert(&mut self, number: u64) -> bool {
        self.view.insert(number, |set| set, |set| set)
    }

    #[inline]
    fn contains(&self, number: u64) -> bool {
        self.view.glance(|set| set.contains(number))
    }

    #[inline]
    fn touch(&self, number: u64) -> u64 {
        self.view.glance(|set| set.touch(number))
    }

    fn rest(&mut self) {
        self.view.held = None;
    }

    fn bytes(&self) -> u64 {
        self.view.glance(SharedSet::bytes)
    }

    fn failure(&self) -> Option<String> {
        self.view.glance(|it| it.failure().map(str::to_owned))
    }

    fn omission_probability(&self, states: u64) -> f64 {
        confusion(states)
    }
}
