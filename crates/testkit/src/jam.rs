//! The axioms of JAM21, executed: which outcomes a small litmus program has.
//!
//! JAM21 is the model of Java's access modes by Liu, Bender and Palsberg ("Compiling Volatile
//! Correctly in Java", ECOOP 2022). An execution is a graph: who reads from whom, which write is the
//! last one, in which order volatile accesses and full fences are. All graphs are made, and those kept
//! for which the axioms hold. Nothing is shared with the histories and views by which raddle executes
//! such programs; the two are compared in the tests of `raddle-litmus`.
//!
//! One thing is otherwise here: the first value of a location counts as written in opaque mode. With
//! plain first values JAM21 lets an opaque reader see the new value and then the first one again, which
//! the specification of `VarHandle` excludes.

use crate::generate::Random;
use std::collections::BTreeSet;
use std::fmt::Write;

/// How an access orders others, as methods of `VarHandle` are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// `get`, `set`.
    Plain,
    /// `getOpaque`, `setOpaque`.
    Opaque,
    /// `getAcquire`, `setRelease`.
    Ordered,
    /// `getVolatile`, `setVolatile`.
    Volatile,
}

/// What a thread does next. Locations are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Reads into a register of its own.
    Read(usize, Mode),
    /// Writes a number.
    Write(usize, Mode, i32),
    /// `getAndAdd` of one, which is volatile, or with `Acquire` or `Release` behind it.
    Add(usize, Suffix),
    /// A fence.
    Fence(Suffix),
}

/// The variant of an update or a fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suffix {
    /// As strong as there is.
    Full,
    /// Acquires only.
    Acquire,
    /// Releases only.
    Release,
}

impl Recipe {
    fn operation(self, random: &mut Random, location: usize, value: i32) -> Operation {
        let suffix = match (self.has_halves, random.below(3)) {
            (true, 1) => Suffix::Acquire,
            (true, 2) => Suffix::Release,
            _ => Suffix::Full,
        };
        let mode = self.modes[random.below(self.modes.len() as u64) as usize];
        let kind = random.below(100);
        if kind < self.fences {
            Operation::Fence(suffix)
        } else if kind < self.fences + self.updates {
            Operation::Add(location, suffix)
        } else if random.below(2) == 0 {
            Operation::Write(location, mode, value)
        } else {
            Operation::Read(location, mode)
        }
    }
}

/// A program without branches.
#[derive(Clone, Debug)]
pub struct Program {
    /// How many locations there are.
    pub locations: usize,
    /// What each thread does.
    pub threads: Vec<Vec<Operation>>,
}

/// What is seen of an execution: what each read has got, thread by thread, and then the last value of
/// each location.
pub type Outcome = Vec<i32>;

/// The outcomes of a program.
#[derive(Clone, Debug, Default)]
pub struct Outcomes {
    /// Those of executions in which nobody reads what is written because of what he does later.
    pub ordered: BTreeSet<Outcome>,
    /// Those that are only had with such load buffering (of plain accesses).
    pub buffered: BTreeSet<Outcome>,
}

/// What programs are made of.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// The modes of reads and writes.
    pub modes: &'static [Mode],
    /// Of a hundred operations so many are updates.
    pub updates: u64,
    /// And so many are fences.
    pub fences: u64,
    /// Whether updates and fences have weaker variants.
    pub has_halves: bool,
}

impl Program {
    /// A random program.
    pub fn random(random: &mut Random, recipe: Recipe) -> Program {
        let count = [2, 2, 3, 3, 4][random.below(5) as usize];
        let (least, most) = [(2, 3), (1, 3), (1, 2)][count - 2];
        let locations = if random.below(5) == 0 { 3 } else { 2 };
        let mut program = Program {
            locations: locations as usize,
            threads: vec![Vec::new(); count],
        };
        let mut value = 0;
        for thread in &mut program.threads {
            for _ in 0..least + random.below(most - least + 1) {
                value += 10;
                let location = random.below(locations) as usize;
                thread.push(recipe.operation(random, location, value));
            }
        }
        program
    }

    /// The program in herd's syntax. The question is about all that is seen.
    pub fn text(&self) -> String {
        let mut out = String::from("Java random\n{ ");
        for location in 0..self.locations {
            let _ = write!(out, "x{location}=0; ");
        }
        for thread in 0..self.threads.len() {
            for location in 0..self.locations {
                let _ = write!(out, "{thread}:X{location}=x{location}; ");
            }
        }
        out.push_str("}\n");
        let mut seen = Vec::new();
        for (index, thread) in self.threads.iter().enumerate() {
            let _ = writeln!(out, "Thread{index} {{");
            for (at, operation) in thread.iter().enumerate() {
                if let Operation::Read(..) | Operation::Add(..) = operation {
                    seen.push(format!("{index}:r{at}"));
                }
                let _ = writeln!(out, "  {}", statement(at, *operation));
            }
            out.push_str("}\n");
        }
        seen.extend((0..self.locations).map(|location| format!("x{location}")));
        let asked: Vec<String> = seen.iter().map(|it| format!("{it}=-1")).collect();
        let _ = writeln!(out, "exists ({})", asked.join(" /\\ "));
        out
    }

    /// All outcomes, by the axioms.
    pub fn outcomes(&self) -> Outcomes {
        let mut outcomes = Outcomes::default();
        Graph::of(self).outcomes(&mut outcomes);
        let Outcomes { ordered, buffered } = &mut outcomes;
        buffered.retain(|it| !ordered.contains(it));
        outcomes
    }

    /// The outcomes if there were no modes: of all interleavings.
    pub fn interleaved(&self) -> BTreeSet<Outcome> {
        let mut all = BTreeSet::new();
        let seen = self.threads.iter().map(|it| vec![0; it.len()]).collect();
        let state = (vec![0; self.threads.len()], vec![0; self.locations], seen);
        self.interleave(state, &mut all);
        all
    }

    fn interleave(
        &self,
        state: (Vec<usize>, Vec<i32>, Vec<Vec<i32>>),
        all: &mut BTreeSet<Outcome>,
    ) {
        let mut has_ended = true;
        for (index, thread) in self.threads.iter().enumerate() {
            let Some(operation) = thread.get(state.0[index]) else {
                continue;
            };
            has_ended = false;
            let mut next = state.clone();
            let at = next.0[index];
            match *operation {
                Operation::Read(location, _) => next.2[index][at] = next.1[location],
                Operation::Write(location, _, value) => next.1[location] = value,
                Operation::Add(location, _) => {
                    next.2[index][at] = next.1[location];
                    next.1[location] += 1;
                }
                Operation::Fence(_) => {}
            }
            next.0[index] += 1;
            self.interleave(next, all);
        }
        if has_ended {
            let (_, last, seen) = state;
            let reads = self.threads.iter().zip(seen).flat_map(|(thread, seen)| {
                let seen = thread.iter().zip(seen);
                let seen =
                    seen.filter(|(it, _)| matches!(it, Operation::Read(..) | Operation::Add(..)));
                seen.map(|(_, value)| value).collect::<Vec<_>>()
            });
            all.insert(reads.chain(last).collect());
        }
    }
}

fn statement(at: usize, operation: Operation) -> String {
    let suffix = |suffix| match suffix {
        Suffix::Full => "",
        Suffix::Acquire => "Acquire",
        Suffix::Release => "Release",
    };
    match operation {
        Operation::Read(location, mode) => {
            let mode = ["", "Opaque", "Acquire", "Volatile"][mode as usize];
            format!("int r{at} = X{location}.get{mode}();")
        }
        Operation::Write(location, mode, value) => {
            let mode = ["", "Opaque", "Release", "Volatile"][mode as usize];
            format!("X{location}.set{mode}({value});")
        }
        Operation::Add(location, which) => {
            format!("int r{at} = X{location}.getAndAdd{}(1);", suffix(which))
        }
        Operation::Fence(Suffix::Full) => "fullFence();".to_owned(),
        Operation::Fence(Suffix::Acquire) => "acquireFence();".to_owned(),
        Operation::Fence(Suffix::Release) => "releaseFence();".to_owned(),
    }
}

/// A set of events, or a row of a relation.
type Set = u32;

/// A relation: for each event, those that it leads to.
#[derive(Clone, PartialEq)]
struct Relation(Vec<Set>);

impl Relation {
    fn empty(count: usize) -> Self {
        Relation(vec![0; count])
    }

    fn of(count: usize, holds: impl Fn(usize, usize) -> bool) -> Self {
        let row = |a| {
            (0..count)
                .filter(|&b| holds(a, b))
                .fold(0, |row, b| row | 1 << b)
        };
        Relation((0..count).map(row).collect())
    }

    fn has(&self, a: usize, b: usize) -> bool {
        self.0[a] >> b & 1 == 1
    }

    fn add(&mut self, a: usize, b: usize) {
        self.0[a] |= 1 << b;
    }

    fn union(&self, other: &Self) -> Self {
        Relation(self.0.iter().zip(&other.0).map(|(a, b)| a | b).collect())
    }

    fn then(&self, other: &Self) -> Self {
        let row = |&row: &Set| {
            let middle = (0..other.0.len()).filter(|&it| row >> it & 1 == 1);
            middle.fold(0, |all, it| all | other.0[it])
        };
        Relation(self.0.iter().map(row).collect())
    }

    fn inverse(&self) -> Self {
        Self::of(self.0.len(), |a, b| self.has(b, a))
    }

    fn within(&self, domain: Set, range: Set) -> Self {
        let row = |(a, row): (usize, &Set)| if domain >> a & 1 == 1 { row & range } else { 0 };
        Relation(self.0.iter().enumerate().map(row).collect())
    }

    fn closure(&self) -> Self {
        let mut all = self.clone();
        loop {
            let more = all.union(&all.then(self));
            if more == all {
                return all;
            }
            all = more;
        }
    }

    fn is_acyclic(&self) -> bool {
        let closure = self.closure();
        (0..self.0.len()).all(|it| !closure.has(it, it))
    }
}

struct Event {
    thread: Option<usize>,
    location: Option<usize>,
    value: i32,
}

/// The events of a program. The first ones are the first values of locations.
struct Graph {
    events: Vec<Event>,
    locations: usize,
    po: Relation,
    reads: Set,
    writes: Set,
    updates: Set,
    first: Set,
    /// Opaque or stronger.
    opaque: Set,
    acquires: Set,
    releases: Set,
    volatile: Set,
    acquire_fences: Set,
    release_fences: Set,
    full_fences: Set,
}

/// What is chosen of an execution.
#[derive(Clone)]
struct Choices {
    /// For each reader, whom it reads from.
    from: Vec<Option<usize>>,
    /// The last write of each location.
    last: Vec<usize>,
}

impl Graph {
    fn of(program: &Program) -> Graph {
        let mut graph = Graph {
            events: Vec::new(),
            locations: program.locations,
            po: Relation::empty(0),
            reads: 0,
            writes: 0,
            updates: 0,
            first: 0,
            opaque: 0,
            acquires: 0,
            releases: 0,
            volatile: 0,
            acquire_fences: 0,
            release_fences: 0,
            full_fences: 0,
        };
        for location in 0..program.locations {
            let bit = 1 << location;
            graph.writes |= bit;
            graph.first |= bit;
            graph.opaque |= bit;
            graph.events.push(Event {
                thread: None,
                location: Some(location),
                value: 0,
            });
        }
        for (index, thread) in program.threads.iter().enumerate() {
            for &operation in thread {
                graph.add(index, operation);
            }
        }
        let events = &graph.events;
        let po = Relation::of(events.len(), |a, b| {
            a < b && events[a].thread.is_some() && events[a].thread == events[b].thread
        });
        graph.po = po;
        graph
    }

    fn add(&mut self, thread: usize, operation: Operation) {
        let bit = 1 << self.events.len();
        let mode = |graph: &mut Graph, mode: Mode, is_read: bool| {
            if mode != Mode::Plain {
                graph.opaque |= bit;
            }
            if matches!(mode, Mode::Ordered | Mode::Volatile) {
                match is_read {
                    true => graph.acquires |= bit,
                    false => graph.releases |= bit,
                }
            }
            if mode == Mode::Volatile {
                graph.volatile |= bit;
            }
        };
        let (location, value) = match operation {
            Operation::Read(location, how) => {
                self.reads |= bit;
                mode(self, how, true);
                (Some(location), 0)
            }
            Operation::Write(location, how, value) => {
                self.writes |= bit;
                mode(self, how, false);
                (Some(location), value)
            }
            Operation::Add(location, suffix) => {
                self.reads |= bit;
                self.writes |= bit;
                self.updates |= bit;
                self.opaque |= bit;
                if suffix != Suffix::Release {
                    self.acquires |= bit;
                }
                if suffix != Suffix::Acquire {
                    self.releases |= bit;
                }
                if suffix == Suffix::Full {
                    self.volatile |= bit;
                }
                (Some(location), 0)
            }
            Operation::Fence(suffix) => {
                match suffix {
                    Suffix::Full => self.full_fences |= bit,
                    Suffix::Acquire => self.acquire_fences |= bit,
                    Suffix::Release => self.release_fences |= bit,
                }
                (None, 0)
            }
        };
        self.events.push(Event {
            thread: Some(thread),
            location,
            value,
        });
    }

    fn those(&self, set: Set) -> impl Iterator<Item = usize> {
        (0..self.events.len()).filter(move |&it| set >> it & 1 == 1)
    }

    fn writes_to(&self, location: Option<usize>) -> Vec<usize> {
        let writes = self.those(self.writes);
        writes
            .filter(|&it| self.events[it].location == location)
            .collect()
    }

    fn outcomes(&self, out: &mut Outcomes) {
        let mut choices = Choices {
            from: vec![None; self.events.len()],
            last: vec![0; self.locations],
        };
        let reads: Vec<usize> = self.those(self.reads).collect();
        self.choose_from(&reads, &mut choices, out);
    }

    fn choose_from(&self, reads: &[usize], choices: &mut Choices, out: &mut Outcomes) {
        let Some((&read, rest)) = reads.split_first() else {
            return self.choose_last(0, choices, out);
        };
        for write in self.writes_to(self.events[read].location) {
            if write != read {
                choices.from[read] = Some(write);
                self.choose_from(rest, choices, out);
            }
        }
    }

    fn choose_last(&self, location: usize, choices: &mut Choices, out: &mut Outcomes) {
        if location == self.locations {
            return self.judge(choices, out);
        }
        for write in self.writes_to(Some(location)) {
            // The first value is the last one only if there is no other.
            let is_first = write == location;
            if !is_first || self.writes_to(Some(location)).len() == 1 {
                choices.last[location] = write;
                self.choose_last(location + 1, choices, out);
            }
        }
    }

    fn judge(&self, choices: &Choices, out: &mut Outcomes) {
        let count = self.events.len();
        let rf = Relation::of(count, |write, read| choices.from[read] == Some(write));
        let po_rf = self.po.union(&rf);
        // no-thin-air
        if !po_rf.within(!0, self.opaque).is_acyclic() {
            return;
        }
        let Some(outcome) = self.outcome(choices) else {
            return;
        };
        let is_ordered = po_rf.is_acyclic();
        if out.ordered.contains(&outcome) || !is_ordered && out.buffered.contains(&outcome) {
            return;
        }
        if self.is_coherent(&rf, choices) {
            match is_ordered {
                true => out.ordered.insert(outcome),
                false => out.buffered.insert(outcome),
            };
        }
    }

    /// Nothing, if an update reads from itself by way of others.
    fn outcome(&self, choices: &Choices) -> Option<Outcome> {
        let value = |mut event: usize| {
            for added in 0..=self.events.len() {
                if self.updates >> event & 1 == 0 {
                    return Some(self.events[event].value + added as i32);
                }
                event = choices.from[event]?;
            }
            None
        };
        let reads = self.those(self.reads);
        let read = reads.map(|read| value(choices.from[read]?));
        let last = choices.last.iter().map(|&write| value(write));
        read.chain(last).collect()
    }

    /// Whether there is an order of volatile accesses and full fences, and one of the updates of
    /// each location, with which coherence has no cycle.
    fn is_coherent(&self, rf: &Relation, choices: &Choices) -> bool {
        let (po, all) = (&self.po, !0);
        let is_last = |write: usize| choices.last.contains(&write);
        let same = |a: usize, b: usize| {
            a != b
                && self.events[a].location.is_some()
                && self.events[a].location == self.events[b].location
        };
        let writes =
            |a: usize, b: usize| self.writes >> a & self.writes >> b & 1 == 1 && same(a, b);
        let count = self.events.len();
        let coherent =
            |relation: &Relation| Relation::of(count, |a, b| relation.has(a, b) && writes(a, b));
        let final_writes = Relation::of(count, |a, b| writes(a, b) && is_last(b));
        let through = |fences: Set| po.within(all, fences).then(po);
        let svo = through(self.release_fences).within(all, self.writes);
        let svo = svo.union(&through(self.acquire_fences).within(self.reads, all));
        let spush = through(self.full_fences);
        let ra = po
            .within(all, self.releases)
            .union(&po.within(self.acquires, all));
        let volint = po.within(self.volatile, self.volatile);
        let push = spush.union(&volint);
        let into = svo.union(&ra).union(&push);
        let pushing: Vec<usize> = (0..count).filter(|&it| push.0[it] != 0).collect();
        let before = final_writes.union(rf).union(po);
        let po_loc = Relation::of(count, |a, b| po.has(a, b) && same(a, b));
        let read_by = rf.inverse();
        let initial = Relation::of(count, |a, b| {
            self.first >> a & 1 == 1 && b != a && writes(a, b)
        });
        let reread = coherent(&rf.then(po).then(&read_by)).within(self.opaque, self.opaque);
        let fixed = reread.union(&initial).union(&final_writes);
        let mut orders = Vec::new();
        self.orders_of_updates(0, &Relation::empty(count), &mut orders);
        permutations(&pushing, &before, &mut Vec::new(), &mut |order| {
            let mut pushto = Relation::empty(count);
            for (at, &earlier) in order.iter().enumerate() {
                order[at + 1..]
                    .iter()
                    .for_each(|&later| pushto.add(earlier, later));
            }
            let vvo = into.union(rf).union(&pushto.then(&push));
            let vo = vvo.closure().union(&po_loc);
            let co = fixed
                .union(&coherent(&vo))
                .union(&coherent(&vo.then(&read_by)))
                .union(&coherent(&vo.then(po)));
            orders.iter().any(|updates| {
                let mut co = co.union(updates);
                let undone = rf.within(all, self.updates).inverse();
                loop {
                    let more = co.union(&coherent(&undone.then(&co)));
                    if more == co {
                        return co.is_acyclic();
                    }
                    co = more;
                }
            })
        })
    }

    /// All orders of the updates of each location.
    fn orders_of_updates(&self, location: usize, so_far: &Relation, out: &mut Vec<Relation>) {
        if location == self.locations {
            out.push(so_far.clone());
            return;
        }
        let updates = self.those(self.updates);
        let those: Vec<usize> = updates
            .filter(|&it| self.events[it].location == Some(location))
            .collect();
        let none = Relation::empty(self.events.len());
        permutations(&those, &none, &mut Vec::new(), &mut |order| {
            let mut orders = so_far.clone();
            for (at, &earlier) in order.iter().enumerate() {
                order[at + 1..]
                    .iter()
                    .for_each(|&later| orders.add(earlier, later));
            }
            self.orders_of_updates(location + 1, &orders, out);
            false
        });
    }
}

/// Whether a linear order of these that respects a relation satisfies a condition.
fn permutations(
    those: &[usize],
    before: &Relation,
    so_far: &mut Vec<usize>,
    wanted: &mut impl FnMut(&[usize]) -> bool,
) -> bool {
    if so_far.len() == those.len() {
        return wanted(so_far);
    }
    for &next in those {
        let is_free = !so_far.contains(&next)
            && those
                .iter()
                .all(|&it| so_far.contains(&it) || !before.has(it, next));
        if is_free {
            so_far.push(next);
            if permutations(those, before, so_far, wanted) {
                return true;
            }
            so_far.pop();
        }
    }
    false
}
