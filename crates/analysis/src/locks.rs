//! Which locks a thread holds for sure at an instruction.
//!
//! A lock is named by a [`Term`]: by how one gets to it from what does not change during a call.
//! `this`, an argument, a final field of one of these, a static final field, or a value that was not
//! defined again since. Two equal terms within a call mean the same object. What a caller holds is
//! known to the callee as far as it can be said with the callee's arguments.
//!
//! Monitors are left by the method that has entered them, as the compiler makes it. A `ReentrantLock`
//! may be unlocked by anybody: a call that may come to an `unlock` of the program forgets all of them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use raddle_jvm::world::{Origin as Source, flags};
use raddle_jvm::{ClassId, MethodId};

use crate::points_to::{InstanceId, ObjectId, PointsTo};
use crate::threads::ThreadFacts;
use crate::values::{Act, Body, Slot, Value, What};

/// How one gets to an object, from what does not change during a call.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Term {
    /// The argument with this number, the receiver first.
    Parameter(u32),
    /// A value of the method that was not defined again.
    Value(Value),
    /// What a final field holds.
    Field(Arc<Term>, u32),
    /// What a static final field holds.
    Static(ClassId, u32),
    /// The `Class` object of a class.
    Mirror(ClassId),
    /// The only object that is made somewhere.
    Single(ObjectId),
}

/// What is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum How {
    /// The monitor.
    Monitor,
    /// The lock of `java.util.concurrent`.
    Owned,
}

/// The locks that are held.
pub(crate) type Held = BTreeSet<(How, Term)>;

/// What is held at each instruction of each instance; none where control does not come.
pub(crate) struct Locks {
    rows: Vec<Vec<Option<Arc<Held>>>>,
    terms: Vec<Arc<Terms>>,
}

/// The terms of the values of a method.
type Terms = Vec<Term>;

impl Locks {
    pub(crate) fn held(&self, instance: InstanceId, pc: u32) -> Option<&Arc<Held>> {
        self.rows[instance.0 as usize].get(pc as usize)?.as_ref()
    }

    pub(crate) fn term(&self, instance: InstanceId, value: Value) -> &Term {
        &self.terms[instance.0 as usize][value as usize]
    }

    /// The objects that a term of an instance may mean; none if that is not known.
    pub(crate) fn objects(
        &self,
        points: &PointsTo<'_>,
        instance: InstanceId,
        term: &Term,
    ) -> Option<Vec<ObjectId>> {
        if let Term::Single(object) = term {
            return Some(vec![*object]);
        }
        let terms = &self.terms[instance.0 as usize];
        let value = terms.iter().position(|it| it == term)?;
        let objects = points.points(instance, value as Value).iter();
        Some(objects.map(ObjectId).collect())
    }
}

/// Finds out what is held where.
pub(crate) fn locks(points: &PointsTo<'_>, facts: &ThreadFacts) -> Locks {
    let mut by_method: BTreeMap<MethodId, Arc<Terms>> = BTreeMap::new();
    let count = points.instances.len();
    let mut terms = Vec::with_capacity(count);
    for instance in &points.instances {
        let made = by_method
            .entry(instance.method)
            .or_insert_with(|| Arc::new(terms_of(points, &instance.body)));
        // What stands for the remote parts has no values.
        terms.push(match instance.body.count {
            0 => Arc::default(),
            _ => Arc::clone(made),
        });
    }
    let mut finder = Finder {
        points,
        facts,
        unlocks: unlocks(points),
        locks: Locks {
            rows: vec![Vec::new(); count],
            terms,
        },
        entry: vec![None; count],
        pending: Vec::new(),
    };
    for root in &points.roots {
        for &entry in &root.entries {
            finder.arrive(entry, Held::new());
        }
    }
    while let Some(instance) = finder.pending.pop() {
        finder.follow(instance);
    }
    finder.locks
}

/// A term for each value.
fn terms_of(points: &PointsTo<'_>, body: &Body) -> Terms {
    let mut terms: Terms = (0..body.count).map(Term::Value).collect();
    for (index, value) in body.parameters.iter().enumerate() {
        if let Some(value) = value {
            terms[*value as usize] = Term::Parameter(index as u32);
        }
    }
    let world = points.world;
    for act in &body.acts {
        match &act.what {
            What::Cast { to, from, .. } => {
                terms[*to as usize] = terms[*from as usize].clone();
            }
            What::Mirror { to, class } => terms[*to as usize] = Term::Mirror(*class),
            What::Read {
                to: Some(to),
                slot: Slot::Static(class, slot),
                ..
            } => {
                let field = world.static_at(*class, *slot);
                if field.is_some_and(|field| field.flags & flags::FINAL != 0) {
                    terms[*to as usize] = Term::Static(*class, *slot);
                }
            }
            _ => {}
        }
    }
    terms
}

struct Finder<'p, 'w> {
    points: &'p PointsTo<'w>,
    facts: &'p ThreadFacts,
    /// Whether a call of an instance may unlock what somebody else has locked.
    unlocks: Vec<bool>,
    locks: Locks,
    entry: Vec<Option<Held>>,
    pending: Vec<InstanceId>,
}

impl Finder<'_, '_> {
    /// An instance is called with these locks held.
    fn arrive(&mut self, instance: InstanceId, held: Held) {
        let place = &mut self.entry[instance.0 as usize];
        let (less, is_new) = match place {
            None => (held, true),
            Some(known) => {
                let less: Held = known.intersection(&held).cloned().collect();
                let is_new = less.len() < known.len();
                (less, is_new)
            }
        };
        *place = Some(less);
        if is_new {
            self.pending.push(instance);
        }
    }

    fn follow(&mut self, id: InstanceId) {
        let instance = &self.points.instances[id.0 as usize];
        let (body, world) = (Arc::clone(&instance.body), self.points.world);
        let method = world.method(instance.method);
        self.refine_terms(id, &body);
        // Arguments may have other names here.
        let named = |term: &Term| self.named(id, &body, term);
        let entry = self.entry[id.0 as usize].iter().flatten();
        let mut held: Held = entry.map(|(how, term)| (*how, named(term))).collect();
        if method.is_synchronized() {
            match body.parameters.first() {
                Some(&Some(receiver)) if !method.is_static() => {
                    held.extend(self.names(id, receiver).map(|it| (How::Monitor, it)));
                }
                _ => {
                    held.insert((How::Monitor, Term::Mirror(method.class)));
                }
            }
        }
        let mut at: BTreeMap<u32, Vec<&Act>> = BTreeMap::new();
        for act in &body.acts {
            at.entry(act.pc).or_default().push(act);
        }
        let mut rows: Vec<Option<Arc<Held>>> = vec![None; body.next.len()];
        if rows.is_empty() {
            self.call_out(id, &held, None);
            return;
        }
        rows[0] = Some(Arc::new(held));
        let mut pending = vec![0usize];
        while let Some(pc) = pending.pop() {
            let Some(before) = rows[pc].clone() else {
                continue;
            };
            let (normal, failed) = self.after(id, &at, pc as u32, &before);
            let plain = body.plain_ways(pc);
            for (index, &next) in body.next[pc].iter().enumerate() {
                let mut after = Arc::clone(if index < plain { &normal } else { &failed });
                // What begins anew where ways meet is another object.
                if let Some(met) = body.met.get(&next) {
                    let is_gone =
                        |it: &(How, Term)| met.iter().any(|value| mentions(&it.1, *value));
                    if after.iter().any(is_gone) {
                        let kept = after.iter().filter(|it| !is_gone(it)).cloned();
                        after = Arc::new(kept.collect());
                    }
                }
                let place = &mut rows[next as usize];
                let less = match place {
                    None => after,
                    Some(known) if known.is_subset(&after) => continue,
                    Some(known) => Arc::new(known.intersection(&after).cloned().collect()),
                };
                *place = Some(less);
                pending.push(next as usize);
            }
        }
        self.locks.rows[id.0 as usize] = rows;
        let calls: Vec<u32> = {
            let instance = &self.points.instances[id.0 as usize];
            let all = instance.calls.iter().chain(&instance.initialises);
            let all: BTreeSet<u32> = all.map(|it| it.0).collect();
            all.into_iter().collect()
        };
        for pc in calls {
            let held = self.locks.rows[id.0 as usize].get(pc as usize);
            if let Some(Some(held)) = held.cloned() {
                self.call_out(id, &held, Some(pc));
            }
        }
    }

    /// How one gets to a value, and which object it is if there is one only.
    fn names(&self, id: InstanceId, value: Value) -> impl Iterator<Item = Term> {
        let points = self.points;
        let object = points.points(id, value).single().map(ObjectId);
        let object = object.filter(|&it| self.facts.is_single(points, it));
        let term = self.locks.term(id, value).clone();
        [term].into_iter().chain(object.map(Term::Single))
    }

    /// A caller's term by the names of the callee.
    fn named(&self, id: InstanceId, body: &Body, term: &Term) -> Term {
        match term {
            Term::Parameter(index) => match body.parameters.get(*index as usize) {
                Some(&Some(value)) => self.locks.term(id, value).clone(),
                _ => term.clone(),
            },
            Term::Field(base, slot) => Term::Field(Arc::new(self.named(id, body, base)), *slot),
            _ => term.clone(),
        }
    }

    /// Values that are read from final fields of what is known.
    fn refine_terms(&mut self, id: InstanceId, body: &Body) {
        if body.count == 0 {
            return;
        }
        let (points, world) = (self.points, self.points.world);
        let mut terms = (*self.locks.terms[id.0 as usize]).clone();
        let mut changed = false;
        for act in &body.acts {
            let (to, found) = match &act.what {
                What::Read {
                    to: Some(to),
                    base: Some(base),
                    slot: Slot::Field(slot),
                    ..
                } => {
                    let bases = points.points(id, *base);
                    let is_final = !bases.is_empty()
                        && bases.iter().all(|object| {
                            let class = points.objects[object as usize].class;
                            // What a lambda has captured does not change.
                            world.class(class).origin == Source::Machine
                                || world
                                    .field_at(class, *slot)
                                    .is_some_and(|(_, field)| field.flags & flags::FINAL != 0)
                        });
                    let base = &terms[*base as usize];
                    // A value that is defined again leads elsewhere then.
                    match is_final && depth(base) < 3 {
                        true => (*to, Some(Term::Field(Arc::new(base.clone()), *slot))),
                        false => (*to, None),
                    }
                }
                What::Cast { to, from, .. } => (*to, Some(terms[*from as usize].clone())),
                _ => continue,
            };
            if let Some(found) = found
                && terms[to as usize] != found
            {
                terms[to as usize] = found;
                changed = true;
            }
        }
        if changed {
            self.locks.terms[id.0 as usize] = Arc::new(terms);
        }
    }

    /// What is held after an instruction, and after it has failed.
    fn after(
        &self,
        id: InstanceId,
        at: &BTreeMap<u32, Vec<&Act>>,
        pc: u32,
        before: &Arc<Held>,
    ) -> (Arc<Held>, Arc<Held>) {
        let Some(acts) = at.get(&pc) else {
            return (Arc::clone(before), Arc::clone(before));
        };
        let mut held = (**before).clone();
        let mut failed = (**before).clone();
        for act in acts {
            match &act.what {
                What::Enter(value) => {
                    for term in self.names(id, *value) {
                        held.insert((How::Monitor, term));
                    }
                }
                What::Exit(value) => {
                    for term in self.names(id, *value) {
                        let lock = (How::Monitor, term);
                        held.remove(&lock);
                        failed.remove(&lock);
                    }
                }
                What::Call { arguments, .. } => {
                    let is_unlock = |callee: &InstanceId| self.unlocks[callee.0 as usize];
                    let instance = &self.points.instances[id.0 as usize];
                    let range = (pc, InstanceId(0))..=(pc, InstanceId(u32::MAX));
                    let callees: Vec<InstanceId> =
                        instance.calls.range(range).map(|it| it.1).collect();
                    if callees.iter().any(is_unlock) {
                        held.retain(|it| it.0 != How::Owned);
                        failed.retain(|it| it.0 != How::Owned);
                    }
                    let Some(&Some(receiver)) = arguments.first() else {
                        continue;
                    };
                    let says = |what| {
                        !callees.is_empty()
                            && callees
                                .iter()
                                .all(|&it| lock_call(self.points, it) == Some(what))
                    };
                    if says(LockCall::Lock) {
                        for term in self.names(id, receiver) {
                            held.insert((How::Owned, term));
                        }
                    }
                }
                _ => {}
            }
            if let Some(defined) = defined(&act.what) {
                let is_gone = |it: &(How, Term)| mentions(&it.1, defined);
                held.retain(|it| !is_gone(it));
                failed.retain(|it| !is_gone(it));
            }
        }
        (Arc::new(held), Arc::new(failed))
    }

    /// Tells those who are called at an instruction what is held.
    fn call_out(&mut self, id: InstanceId, held: &Held, pc: Option<u32>) {
        let instance = &self.points.instances[id.0 as usize];
        let all = instance.calls.iter().chain(&instance.initialises);
        let callees: Vec<(u32, InstanceId)> = all
            .filter(|it| pc.is_none_or(|pc| it.0 == pc))
            .copied()
            .collect();
        for (pc, callee) in callees {
            let calls = instance.body.acts.iter().rev().filter(|act| act.pc == pc);
            let mut arguments = calls.filter_map(|act| match &act.what {
                What::Call { arguments, .. } => Some(&arguments[..]),
                _ => None,
            });
            let arguments = arguments.next().unwrap_or_default();
            // Within these a lock is given up, and maybe taken back at the end.
            let gives_up = matches!(
                lock_call(self.points, callee),
                Some(LockCall::Unlock | LockCall::Await)
            );
            let is_initialiser = !instance.calls.contains(&(pc, callee));
            let mut passed = Held::new();
            for (how, term) in held {
                if gives_up && *how == How::Owned {
                    continue;
                }
                if is_global(term) {
                    passed.insert((*how, term.clone()));
                }
                if is_initialiser {
                    continue;
                }
                for (index, argument) in arguments.iter().enumerate() {
                    let Some(argument) = argument else { continue };
                    let argument = self.locks.term(id, *argument);
                    if let Some(term) = replaced(term, argument, index as u32) {
                        passed.insert((*how, term));
                    }
                }
            }
            self.arrive(callee, passed);
        }
    }
}

fn depth(term: &Term) -> u32 {
    match term {
        Term::Field(base, _) => 1 + depth(base),
        _ => 0,
    }
}

/// Whether a term means the same everywhere.
pub(crate) fn is_global(term: &Term) -> bool {
    match term {
        Term::Static(..) | Term::Mirror(_) | Term::Single(_) => true,
        Term::Field(base, _) => is_global(base),
        Term::Parameter(_) | Term::Value(_) => false,
    }
}

/// A caller's term as the callee says it, if it begins with what is the callee's argument.
fn replaced(term: &Term, argument: &Term, index: u32) -> Option<Term> {
    if term == argument {
        return Some(Term::Parameter(index));
    }
    match term {
        Term::Field(base, slot) => {
            let base = replaced(base, argument, index)?;
            Some(Term::Field(Arc::new(base), *slot))
        }
        _ => None,
    }
}

/// Whether a term goes by way of a value.
fn mentions(term: &Term, value: Value) -> bool {
    match term {
        Term::Value(mine) => *mine == value,
        Term::Field(base, _) => mentions(base, value),
        _ => false,
    }
}

fn defined(what: &What) -> Option<Value> {
    match what {
        What::New { to, .. }
        | What::Array { to, .. }
        | What::Lambda { to, .. }
        | What::Text { to }
        | What::Mirror { to, .. }
        | What::Caught { to, .. } => Some(*to),
        What::Read { to, .. } | What::Call { to, .. } | What::Handle { to, .. } => *to,
        _ => None,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LockCall {
    Lock,
    Unlock,
    /// Unlocks, waits, and locks again.
    Await,
}

const REENTRANT: &str = "java/util/concurrent/locks/ReentrantLock";
const CONDITION: &str = "java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject";

/// What a call means to a `ReentrantLock`.
fn lock_call(points: &PointsTo<'_>, callee: InstanceId) -> Option<LockCall> {
    let (world, callee) = (points.world, &points.instances[callee.0 as usize]);
    let method = world.method(callee.method);
    let (name, descriptor) = (world.text(method.name), world.text(method.descriptor));
    match (world.class_name(method.class), name, descriptor) {
        (REENTRANT, "lock" | "lockInterruptibly", "()V") => Some(LockCall::Lock),
        (REENTRANT, "unlock", "()V") => Some(LockCall::Unlock),
        (CONDITION, name, _) if name.starts_with("await") => Some(LockCall::Await),
        _ => None,
    }
}

/// Whether a call takes a lock of `java.util.concurrent`, its receiver.
pub(crate) fn is_lock_call(points: &PointsTo<'_>, callee: InstanceId) -> bool {
    lock_call(points, callee) == Some(LockCall::Lock)
}

/// Which instances may come to an `unlock` that is the program's, or of a lock that the program has.
fn unlocks(points: &PointsTo<'_>) -> Vec<bool> {
    let count = points.instances.len();
    let mut unlocks: Vec<bool> = (0..count as u32)
        .map(|it| it != 0 && lock_call(points, InstanceId(it)) == Some(LockCall::Unlock))
        .collect();
    let mut changed = true;
    while changed {
        changed = false;
        for number in 0..count {
            let instance = &points.instances[number];
            let is_it = unlocks[number]
                || instance
                    .calls
                    .iter()
                    .any(|(_, callee)| unlocks[callee.0 as usize]);
            changed |= is_it != unlocks[number];
            unlocks[number] = is_it;
        }
    }
    unlocks
}
