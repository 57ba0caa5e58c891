//! Which threads run what, what happens once, and which threads may run at the same time.
//!
//! A thread is what is started on one object (of the analysis). From which of them a method may be
//! called follows from the call graph. What `main` does before it starts a thread happens before
//! everything that this thread does, and what it does after it has waited for the end of a thread that
//! is one only, after it; between other threads only their starts are looked at.

use std::collections::{BTreeMap, BTreeSet};

use raddle_jvm::MethodId;
use raddle_jvm::roles::Role;

use crate::accesses::Access;
use crate::points_to::{InstanceId, ObjectId, Origin, PointsTo};
use crate::set::Set;
use crate::values::{Body, Value, What};

/// Some threads, by their numbers. The last bit stands for all that have no bit of their own.
pub(crate) type Threads = u64;

const LAST: usize = 63;

/// The bit of a thread.
pub(crate) fn bit(thread: usize) -> Threads {
    1 << thread.min(LAST)
}

/// What is known of threads.
#[derive(Debug, Default)]
pub(crate) struct ThreadFacts {
    /// How many there are, `main` first.
    pub(crate) count: usize,
    /// Of which of them there may be several at a time.
    pub(crate) several: Threads,
    /// With which others each may run at the same time.
    pub(crate) together: Vec<Threads>,
    /// Which threads may run an instance of a method.
    pub(crate) runs: Vec<Threads>,
    /// Whether an instance is called once at most.
    once: Vec<bool>,
    /// For each instance that `main` runs: which threads may run when it is at an instruction.
    running: BTreeMap<InstanceId, Vec<Threads>>,
    /// Objects that only the thread can reach that has made them.
    pub(crate) confined: BTreeSet<ObjectId>,
}

impl ThreadFacts {
    /// Whether two threads may be at two places at the same time.
    pub(crate) fn may_meet(
        &self,
        (one, at): (usize, (InstanceId, u32)),
        (other, place): (usize, (InstanceId, u32)),
    ) -> bool {
        if one == other {
            return self.several & bit(one) != 0;
        }
        if one == 0 {
            return self.running(at) & bit(other) != 0;
        }
        if other == 0 {
            return self.running(place) & bit(one) != 0;
        }
        self.together[one] & bit(other) != 0
    }

    /// Whether two accesses may be made at the same time.
    pub(crate) fn may_meet_at(&self, one: &Access, other: &Access) -> bool {
        let (here, there) = ((one.instance, one.pc), (other.instance, other.pc));
        self.numbers(one.threads).any(|first| {
            let mut others = self.numbers(other.threads);
            others.any(|second| self.may_meet((first, here), (second, there)))
        })
    }

    /// Which threads may run when `main` is somewhere.
    pub(crate) fn running(&self, (instance, pc): (InstanceId, u32)) -> Threads {
        let known = self.running.get(&instance);
        let at = known.and_then(|all| all.get(pc as usize));
        at.copied().unwrap_or(Threads::MAX)
    }

    /// The numbers of some threads.
    pub(crate) fn numbers(&self, threads: Threads) -> impl Iterator<Item = usize> {
        (0..self.count.min(LAST + 1)).filter(move |&it| threads & bit(it) != 0)
    }
}

/// Looks at the threads of a program.
pub(crate) fn threads(points: &PointsTo<'_>) -> ThreadFacts {
    let count = points.roots.len();
    let mut facts = ThreadFacts {
        count,
        runs: vec![0; points.instances.len()],
        once: once(points),
        ..ThreadFacts::default()
    };
    for (thread, root) in points.roots.iter().enumerate() {
        let mut pending = root.entries.clone();
        while let Some(instance) = pending.pop() {
            let runs = &mut facts.runs[instance.0 as usize];
            if *runs & bit(thread) == 0 {
                *runs |= bit(thread);
                pending.extend(callees(points, instance));
            }
        }
        if !is_single(points, &facts.once, root.object) || thread >= LAST {
            facts.several |= bit(thread);
        }
    }
    facts.confined = confined(points);
    let starts = starts(points);
    facts.running = running(points, &facts, &starts);
    facts.together = together(&facts, &starts);
    facts
}

fn callees(points: &PointsTo<'_>, instance: InstanceId) -> impl Iterator<Item = InstanceId> {
    let instance = &points.instances[instance.0 as usize];
    let all = instance.calls.iter().chain(&instance.initialises);
    all.map(|&(_, callee)| callee)
}

/// Whether there is one such object at most.
pub(crate) fn is_single(points: &PointsTo<'_>, once: &[bool], object: ObjectId) -> bool {
    let described = &points.objects[object.0 as usize];
    match described.origin {
        _ if points.several.contains(&object) => false,
        Origin::First(_) | Origin::Mirror(_) => true,
        Origin::Any => false,
        Origin::Made(..) => match points.makers.get(&object) {
            // A lambda that captures nothing.
            None => true,
            Some(makers) => {
                let mut makers = makers.iter();
                let (Some(&(maker, pc)), None) = (makers.next(), makers.next()) else {
                    return false;
                };
                let body = &points.instances[maker.0 as usize].body;
                let repeats = body.repeats.get(pc as usize).copied().unwrap_or(true);
                once[maker.0 as usize] && !repeats
            }
        },
    }
}

impl ThreadFacts {
    /// Whether there is one such object at most.
    pub(crate) fn is_single(&self, points: &PointsTo<'_>, object: ObjectId) -> bool {
        is_single(points, &self.once, object)
    }
}

/// Which instances are called once at most.
fn once(points: &PointsTo<'_>) -> Vec<bool> {
    let count = points.instances.len();
    let mut callers: Vec<Vec<(InstanceId, u32)>> = vec![Vec::new(); count];
    for (number, instance) in points.instances.iter().enumerate() {
        for &(pc, callee) in &instance.calls {
            callers[callee.0 as usize].push((InstanceId(number as u32), pc));
        }
    }
    let mut entries: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (thread, root) in points.roots.iter().enumerate() {
        for entry in &root.entries {
            entries[entry.0 as usize].push(thread);
        }
    }
    // From below: what is once is found from the beginnings on.
    let mut once = vec![false; count];
    let mut changed = true;
    while changed {
        changed = false;
        for number in 1..count {
            if once[number] {
                continue;
            }
            let instance = &points.instances[number];
            let class = points.world.method(instance.method).class;
            let is_initialiser = points.world.initializer(class) == Some(instance.method);
            let is_it = match (&callers[number][..], &entries[number][..]) {
                // A class is initialised once.
                _ if is_initialiser => callers[number].is_empty(),
                (&[(caller, pc)], []) => {
                    let body = &points.instances[caller.0 as usize].body;
                    once[caller.0 as usize]
                        && caller != crate::points_to::REMOTE
                        && !body.repeats.get(pc as usize).copied().unwrap_or(true)
                }
                ([], &[thread]) => {
                    thread == 0 || is_single(points, &once, points.roots[thread].object)
                }
                _ => false,
            };
            if is_it {
                once[number] = true;
                changed = true;
            }
        }
    }
    once
}

/// Objects that only the thread can reach that has made them: no static field, no thread and nothing
/// that is there from the beginning leads to them.
fn confined(points: &PointsTo<'_>) -> BTreeSet<ObjectId> {
    let mut escaped = vec![false; points.objects.len()];
    let mut pending: Vec<ObjectId> = Vec::new();
    let mut begin = |set: &Set| pending.extend(set.iter().map(ObjectId));
    points.static_points().for_each(&mut begin);
    begin(points.remote_points());
    pending.extend(points.roots.iter().map(|root| root.object));
    for (number, object) in points.objects.iter().enumerate() {
        let id = ObjectId(number as u32);
        // Of a lambda that captures nothing there is one for all.
        if !matches!(object.origin, Origin::Made(..)) || !points.makers.contains_key(&id) {
            pending.push(id);
        }
    }
    let mut edges: BTreeMap<ObjectId, Vec<&Set>> = BTreeMap::new();
    for (object, _, set) in points.edges() {
        edges.entry(object).or_default().push(set);
    }
    while let Some(object) = pending.pop() {
        if std::mem::replace(&mut escaped[object.0 as usize], true) {
            continue;
        }
        for set in edges.get(&object).into_iter().flatten() {
            pending.extend(set.iter().map(ObjectId));
        }
    }
    let all = (0..points.objects.len() as u32).map(ObjectId);
    all.filter(|it| !escaped[it.0 as usize]).collect()
}

/// Where threads are started: in an instance, at an instruction, which.
type Starts = BTreeMap<InstanceId, Vec<(u32, Threads)>>;

fn starts(points: &PointsTo<'_>) -> Starts {
    let mut found = Starts::new();
    for_calls(points, |id, pc, method, arguments| {
        if points.world.role(method) != Role::Start {
            return;
        }
        if let Some(&Some(thread)) = arguments.first() {
            let started = roots_of(points, points.points(id, thread));
            found.entry(id).or_default().push((pc, started));
        }
    });
    found
}

fn for_calls(
    points: &PointsTo<'_>,
    mut visit: impl FnMut(InstanceId, u32, MethodId, &[Option<Value>]),
) {
    for (number, instance) in points.instances.iter().enumerate() {
        for act in &instance.body.acts {
            if let What::Call {
                method, arguments, ..
            } = &act.what
            {
                visit(InstanceId(number as u32), act.pc, *method, arguments);
            }
        }
    }
}

fn roots_of(points: &PointsTo<'_>, objects: &Set) -> Threads {
    let roots = points.roots.iter().enumerate();
    let those = roots.filter(|(_, root)| objects.contains(root.object.0));
    those.fold(0, |all, (thread, _)| all | bit(thread))
}

/// What each thread may start, itself or by others.
fn starts_of_all(facts: &ThreadFacts, starts: &Starts) -> Vec<Threads> {
    let mut all = vec![0; facts.count];
    for (instance, sites) in starts {
        let started = sites.iter().fold(0, |all, (_, started)| all | started);
        for thread in facts.numbers(facts.runs[instance.0 as usize]) {
            all[thread] |= started;
        }
    }
    let mut changed = true;
    while changed {
        changed = false;
        for thread in 0..all.len() {
            let more = facts
                .numbers(all[thread])
                .fold(all[thread], |more, it| more | all[it]);
            changed |= more != all[thread];
            all[thread] = more;
        }
    }
    all
}

/// For each instance that `main` runs, which threads may run when it is at an instruction.
fn running(
    points: &PointsTo<'_>,
    facts: &ThreadFacts,
    starts: &Starts,
) -> BTreeMap<InstanceId, Vec<Threads>> {
    let by_thread = starts_of_all(facts, starts);
    let closed = |threads: Threads| {
        let all = facts.numbers(threads);
        all.fold(threads, |all, it| all | by_thread[it])
    };
    // What a call may start.
    let mut adds = vec![0; points.instances.len()];
    for (instance, sites) in starts {
        let started = sites.iter().fold(0, |all, (_, started)| all | started);
        adds[instance.0 as usize] = closed(started);
    }
    let mut changed = true;
    while changed {
        changed = false;
        for number in 0..points.instances.len() {
            let mine = adds[number];
            let more = callees(points, InstanceId(number as u32));
            let more = more.fold(mine, |all, it| all | adds[it.0 as usize]);
            changed |= more != mine;
            adds[number] = more;
        }
    }
    // What others than `main` may start.
    let by_others = by_thread.iter().skip(1).fold(0, |all, it| all | it);
    let mut entry: BTreeMap<InstanceId, Threads> = BTreeMap::new();
    let mut all: BTreeMap<InstanceId, Vec<Threads>> = BTreeMap::new();
    let mut pending: Vec<InstanceId> = Vec::new();
    if let Some(main) = points.roots.first() {
        for (index, &it) in main.entries.iter().enumerate() {
            // What comes when its own code has ended.
            entry.insert(it, if index == 0 { 0 } else { by_thread[0] });
            pending.push(it);
        }
    }
    while let Some(id) = pending.pop() {
        let instance = &points.instances[id.0 as usize];
        let changes = changes(points, facts, id, &adds, starts, &closed, by_others);
        let rows = follow(&instance.body, entry[&id], &changes);
        for &(pc, callee) in instance.calls.iter().chain(&instance.initialises) {
            let at = rows.get(pc as usize).copied().unwrap_or(entry[&id]);
            let known = entry.get(&callee).copied();
            let more = known.unwrap_or(0) | at;
            if known != Some(more) {
                entry.insert(callee, more);
                pending.push(callee);
            }
        }
        all.insert(id, rows);
    }
    all
}

/// What an instruction of an instance may start, and for whose end it waits.
fn changes(
    points: &PointsTo<'_>,
    facts: &ThreadFacts,
    id: InstanceId,
    adds: &[Threads],
    starts: &Starts,
    closed: &dyn Fn(Threads) -> Threads,
    by_others: Threads,
) -> BTreeMap<u32, (Threads, Threads)> {
    let instance = &points.instances[id.0 as usize];
    let mut changes: BTreeMap<u32, (Threads, Threads)> = BTreeMap::new();
    for &(pc, callee) in instance.calls.iter().chain(&instance.initialises) {
        changes.entry(pc).or_default().0 |= adds[callee.0 as usize];
    }
    for &(pc, started) in starts.get(&id).into_iter().flatten() {
        changes.entry(pc).or_default().0 |= closed(started);
    }
    for act in &instance.body.acts {
        let What::Call {
            method, arguments, ..
        } = &act.what
        else {
            continue;
        };
        let (world, called) = (points.world, points.world.method(*method));
        let is_join = called.class == world.known().thread
            && world.text(called.name) == "join"
            && world.text(called.descriptor) == "()V";
        let Some(&Some(receiver)) = arguments.first().filter(|_| is_join) else {
            continue;
        };
        let Some(object) = points.points(id, receiver).single() else {
            continue;
        };
        // Who waits for a thread that is not started yet does not wait: nobody else may start it then.
        let thread = points.roots.iter().position(|root| root.object.0 == object);
        let is_waited_for = |it: &usize| (facts.several | by_others) & bit(*it) == 0;
        if let Some(thread) = thread.filter(is_waited_for) {
            changes.entry(act.pc).or_default().1 |= bit(thread);
        }
    }
    changes
}

/// Which threads may run before each instruction.
fn follow(
    body: &Body,
    entry: Threads,
    changes: &BTreeMap<u32, (Threads, Threads)>,
) -> Vec<Threads> {
    let count = body.next.len();
    let mut rows = vec![0; count];
    let mut reached = vec![false; count];
    let mut pending = vec![0];
    if count == 0 {
        return rows;
    }
    (rows[0], reached[0]) = (entry, true);
    while let Some(pc) = pending.pop() {
        let (adds, waits) = changes.get(&(pc as u32)).copied().unwrap_or_default();
        let plain = body.plain_ways(pc);
        for (index, &next) in body.next[pc].iter().enumerate() {
            let after = match index < plain {
                true => (rows[pc] | adds) & !waits,
                // It was interrupted, or anything else.
                false => rows[pc] | adds,
            };
            let next = next as usize;
            if !reached[next] || rows[next] | after != rows[next] {
                (rows[next], reached[next]) = (rows[next] | after, true);
                pending.push(next);
            }
        }
    }
    rows
}

/// With which others each thread may run at the same time.
fn together(facts: &ThreadFacts, starts: &Starts) -> Vec<Threads> {
    let count = facts.count;
    let mut together = vec![0; count];
    let relate = |together: &mut Vec<Threads>, one: usize, others: Threads| {
        together[one] |= others;
        for other in facts.numbers(others) {
            together[other] |= bit(one);
        }
    };
    let by_thread = starts_of_all(facts, starts);
    for (id, sites) in starts {
        for &(pc, started) in sites {
            for starter in facts.numbers(facts.runs[id.0 as usize]) {
                let running = match starter {
                    0 => facts.running((*id, pc)) | bit(0),
                    // What runs beside the one who starts it, and what that has started.
                    _ => Threads::MAX,
                };
                let all = facts.numbers(started);
                for thread in all {
                    // Those that are there, and those that come of it.
                    let others = (running | by_thread[thread]) & !(bit(thread) & !facts.several);
                    relate(&mut together, thread, others);
                    for other in facts.numbers(by_thread[thread]) {
                        relate(
                            &mut together,
                            other,
                            running & !(bit(other) & !facts.several),
                        );
                    }
                }
            }
        }
    }
    together
}
