//! States as words: equal words, same state.
//!
//! A state has parts: its objects, its threads, its classes. What a part holds has a number,
//! the same whenever it is the same ([`Form`]); and so has a part together with the places of
//! the objects to which it refers. These numbers are the words. The place of an object is
//! when it is met: first from what all threads can reach, then from each thread. On the way
//! it is seen whether any object that counts as a thread's own can be reached by others; then
//! something was overlooked, and nothing is proved.
//!
//! What was there when the program came to its first operation that others notice, if that is much, has the same
//! numbers in all states. Of these objects only those are written that have changed since, and none of
//! them goes away: that one more of them is out of reach makes states differ that need not, and
//! nothing else.
//!
//! Most steps change a few parts, and not which objects they refer to. So a copy of a state
//! begins with the words of the original, and the words of the parts that were written since
//! are written anew. All is done again only if the objects may have other places.

use std::cell::Cell;
use std::sync::{Arc, Mutex, MutexGuard};

use raddle_jvm::form::{CachedForm, Form};
use raddle_jvm::heap::{Dirty, Ref};
use raddle_jvm::pages::share_from;
use raddle_jvm::state::{Changes, Literals, State};
use raddle_jvm::thread::{Status, Thread};
use raddle_jvm::world::ClassId;
use raddle_reduce::exclusive::{Owner, Ownership};

use super::acts::Act;
use super::forms::{Draft, Forms, is_local};
use super::numbers::{Numbers, Recent, lock};
use super::program::Program;
use super::{Java, JavaState};

/// What is met by everybody.
const ALL: u32 = u32::MAX;

/// What is met by one thread: which one, was known at the beginning.
const SOMEBODY: u32 = u32::MAX - 1;

/// There are fewer forms and parts than this: two bits more tell what a thread is about to do.
const MOST: usize = 1 << 30;

/// The words before those of the threads.
const HEADER: usize = 8;

/// The words before the references of a thread in its part, and of an object in its.
const BEFORE_THREAD: usize = 4;
const BEFORE_OBJECT: usize = 1;

/// The positions of the words of the classes and of the claims.
const CLASSES: usize = 4;
const CLAIMS: usize = 5;

/// How far neighbours stand apart.
const APART: usize = 8;

/// A state has a multiple of so many words, so that it mostly has as many as its successors.
const BLOCK: usize = 2 * APART;

/// The words of a state, once they are known.
#[derive(Debug, Default)]
pub(super) struct Canonical {
    /// What was written since.
    pub(super) changes: Changes,
    is_known: bool,
    words: Vec<u32>,
    /// The objects by their places.
    order: Vec<Ref>,
    threads: usize,
    /// By thread and by object, the places of the objects that were met by way of it: the
    /// first one, and the one behind the last.
    meetings: Vec<(u32, u32)>,
    // What the order begins with.
    classes: Arc<CachedForm>,
    dirty: Arc<Dirty>,
    literals: Arc<Literals>,
    /// What was claimed.
    claims: Ownership,
}

impl Clone for Canonical {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &Self) {
        self.changes.clone_from(&other.changes);
        self.is_known = other.is_known;
        self.words.clone_from(&other.words);
        self.order.clone_from(&other.order);
        self.threads = other.threads;
        self.meetings.clone_from(&other.meetings);
        share_from(&mut self.classes, &other.classes);
        share_from(&mut self.dirty, &other.dirty);
        share_from(&mut self.literals, &other.literals);
        self.claims.clone_from(&other.claims);
    }
}

impl Canonical {
    /// Whether the traversal of a state begins as that of this one, and the same is claimed.
    fn begins_as(&self, state: &JavaState, threads: usize) -> bool {
        let claims = &state.claims;
        let state = &state.machine;
        self.is_known
            && self.claims.is(claims)
            && !self.changes.are_many
            && self.threads == threads
            && Arc::ptr_eq(&self.classes, &state.class_form)
            && Arc::ptr_eq(&self.dirty, state.heap.dirty_list())
            && Arc::ptr_eq(&self.literals, &state.new_literals)
    }

    /// The position of an object among the parts; none if it was not met.
    fn position(&self, state: &State, object: Ref) -> Option<usize> {
        let threads = HEADER + self.threads;
        if state.heap.is_first(object) {
            let place = state.heap.dirty().position(|dirty| dirty == object)?;
            return Some(threads + place);
        }
        Some(threads + self.dirty.count() + self.place(object)?)
    }

    fn place(&self, object: Ref) -> Option<usize> {
        self.order.iter().position(|&other| other == object)
    }

    fn get(&self, position: usize) -> u32 {
        let word = self.words.get(spread(position, self.words.len()));
        word.copied().unwrap_or(0)
    }

    fn set(&mut self, position: usize, word: u32) {
        let at = spread(position, self.words.len());
        if let Some(place) = self.words.get_mut(at) {
            *place = word;
        }
    }
}

/// Where a word stands among so many. Neighbours stand apart: a store keeps words that stand
/// together as one, and those of threads change independently.
fn spread(position: usize, length: usize) -> usize {
    let rows = (length / APART).max(1);
    position % rows * APART + position / rows
}

/// The number of the object at a place: behind those of the library.
fn number_at(place: usize) -> u32 {
    u32::MAX - place as u32
}

fn place_of(number: u32) -> usize {
    (u32::MAX - number) as usize
}

/// How many states are written at once: many more than there are processors.
const SEATS: usize = 128;

/// Writes states down, several at once.
pub(super) struct Encoder {
    forms: Forms,
    parts: Numbers,
    memories: [Mutex<Memory>; SEATS],
}

/// Where a state was written last, so that each worker keeps to memory of its own: when two
/// want the same, one goes elsewhere and remembers it. A copy over a state stays in the
/// place of that.
#[derive(Debug, Default)]
pub(super) struct Slot(Cell<usize>);

impl Clone for Slot {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    fn clone_from(&mut self, _: &Self) {}
}

/// Memory that is used again and again, for one state at a time.
#[derive(Default)]
struct Memory {
    /// By object.
    met: Vec<Met>,
    round: u32,
    /// What was known before everything is done again.
    before: Canonical,
    words: Vec<u32>,
    part: Vec<u32>,
    recent: Recent,
    draft: Draft,
}

/// When an object was met last.
#[derive(Clone, Copy, Default)]
struct Met {
    round: u32,
    place: u32,
    /// By whom.
    owner: u32,
}

impl Default for Encoder {
    fn default() -> Self {
        Self {
            forms: Forms::default(),
            parts: Numbers::default(),
            memories: std::array::from_fn(|_| Mutex::default()),
        }
    }
}

impl Encoder {
    /// Writes a state down. Gives what was overlooked, if anything was.
    pub(super) fn encode(
        &self,
        java: &Java,
        state: &JavaState,
        words: &mut Vec<u32>,
    ) -> Option<String> {
        let mut memory = self.take_slot(&state.slot);
        self.encode_with(&mut memory, java, state, words)
    }

    #[inline]
    fn take_slot(&self, slot: &Slot) -> MutexGuard<'_, Memory> {
        let first = slot.0.get();
        for number in (first..SEATS).chain(0..first) {
            if let Ok(memory) = self.memories[number].try_lock() {
                slot.0.set(number);
                return memory;
            }
        }
        lock(&self.memories[first])
    }

    fn encode_with(
        &self,
        memory: &mut Memory,
        java: &Java,
        state: &JavaState,
        words: &mut Vec<u32>,
    ) -> Option<String> {
        if state.is_over {
            words.push(1);
            self.network(memory, java, state, words);
            return None;
        }
        let mut known = state.canonical.borrow_mut();
        let known = &mut *known;
        let program = &java.program;
        let mut writer = Writer {
            program,
            state,
            own_threads: java.own_threads,
            tells_time: program.facts.tells_time(),
            forms: &self.forms,
            parts: &self.parts,
            memory,
            leak: None,
        };
        if !writer.mend(known) {
            writer.find(known);
        } else if cfg!(debug_assertions) {
            let mut again = known.clone();
            writer.find(&mut again);
            // What was found out meanwhile may have changed how parts are written.
            debug_assert!(
                again.words == known.words || java.has_news(),
                "a part has changed unnoticed"
            );
        }
        let leak = writer.leak.or(writer.memory.draft.leak.take());
        // What can be reached by old values alone may change without any part.
        known.is_known = leak.is_none() && !state.relaxed.is_on();
        known.changes.clear();
        words.extend_from_slice(&known.words);
        if state.relaxed.is_on() {
            writer.relaxed(words);
        }
        let machine = &state.machine;
        if machine.files.is_changed() || machine.memory.is_changed() {
            words.extend(self.forms.outside(&mut memory.draft, machine));
        }
        self.network(memory, java, state, words);
        if self.forms.len() >= MOST || self.parts.len() >= MOST {
            return Some("there are too many different objects".to_owned());
        }
        if memory.draft.is_starved {
            return Some("there is no memory left to compare arrays".to_owned());
        }
        leak.map(|class| {
            format!(
                "an object of {} is shared, which went unnoticed",
                program.class_name(class).replace('/', ".")
            )
        })
    }

    /// Adds a number for what the sockets are like, if there are any: as a last word that there
    /// is not without, as those of what is outside of objects are two. Of several processes, which have them together, the first one tells it.
    fn network(&self, memory: &mut Memory, java: &Java, state: &JavaState, words: &mut Vec<u32>) {
        let network = &state.machine.network;
        if java.is_first() && !network.is_empty() {
            let draft = &mut memory.draft;
            words.push(self.forms.network(draft, &state.machine.heap, network));
        }
    }
}

struct Writer<'a> {
    program: &'a Program,
    state: &'a JavaState,
    own_threads: u32,
    tells_time: bool,
    forms: &'a Forms,
    parts: &'a Numbers,
    memory: &'a mut Memory,
    leak: Option<ClassId>,
}

impl<'a> Writer<'a> {
    fn machine(&self) -> &'a State {
        &self.state.machine
    }

    /// The program's threads with their numbers.
    fn threads(&self) -> impl Iterator<Item = (usize, &'a Thread)> + use<'a> {
        let own = self.own_threads as usize;
        let all = self.machine().threads.iter().enumerate();
        let all = all.filter(move |&(index, _)| index == 0 || index > own);
        all.filter_map(|(index, thread)| Some((index, thread.get()?)))
    }

    fn thread_form(&mut self, thread: &'a Thread) -> &'a Form {
        let (program, heap) = (self.program, &self.machine().heap);
        let draft = &mut self.memory.draft;
        self.forms.thread(draft, program, heap, thread)
    }

    /// An object's form, if there is such an object.
    fn object_form(&mut self, object: Ref) -> Option<(&'a Form, ClassId)> {
        let heap = &self.machine().heap;
        let found = heap.get(object)?;
        let draft = &mut self.memory.draft;
        let form = self.forms.object(draft, self.program, heap, object, found);
        Some((form, found.class))
    }

    /// Begins a thread's part.
    fn begin_thread(&mut self, index: usize, thread: &Thread, form: &Form) {
        // Where a thread stands does not say for what: it may have come back to an instruction to
        // do something else there, such as to take a monitor after it has waited for a class.
        let pending = self.state.pending.get(index).and_then(Option::as_ref);
        // When a time limit ends only matters if the program can tell the time.
        let until = match thread.status {
            Status::Waiting { until, .. } | Status::Parked { until } if self.tells_time => until,
            _ => None,
        };
        let until = until.unwrap_or(0);
        let part = &mut self.memory.part;
        part.clear();
        part.extend([
            form.number,
            pending.map_or(0, Act::kind),
            until as u32,
            (until >> 32) as u32,
        ]);
    }

    fn begin_object(&mut self, form: &Form) {
        self.memory.part.clear();
        self.memory
            .part
            .push(form.number << 1 | u32::from(form.is_local));
    }

    /// The number of the part that is written.
    fn number(&mut self) -> u32 {
        let Memory { recent, part, .. } = &mut *self.memory;
        self.parts.number(recent, part)
    }

    /// What comes before the parts. The words of the classes and of the claims come with them.
    fn header(&mut self) -> [u32; HEADER] {
        let state = self.machine();
        let clock = if self.tells_time { state.clock } else { 0 };
        let dirty = self.forms.dirty(&mut self.memory.draft, &state.heap).number;
        // What goes wrong after a made-up answer is another thing than without.
        let is_doubtful = u32::from(!state.made_up.is_empty());
        let threads = (state.threads.len() as u32) << 1 | is_doubtful;
        let (low, high) = (clock as u32, (clock >> 32) as u32);
        [0, state.next_hash, low, high, 0, 0, dirty, threads]
    }

    /// Writes the parts anew that have changed. False if objects may have other places.
    fn mend(&mut self, known: &mut Canonical) -> bool {
        let count = self.threads().count();
        if !known.begins_as(self.state, count) {
            return false;
        }
        let [_, hash, low, high, .., threads] = self.header();
        for (position, word) in [(1, hash), (2, low), (3, high), (7, threads)] {
            known.set(position, word);
        }
        let changes = std::mem::take(&mut known.changes);
        let threads = self.threads().enumerate();
        let is_mended = threads
            .filter(|&(_, (index, _))| changes.threads.contains(&(index as u32)))
            .all(|(place, (index, thread))| {
                let form = self.thread_form(thread);
                self.begin_thread(index, thread, form);
                self.mend_part(known, HEADER + place, form, BEFORE_THREAD)
            })
            && changes
                .objects
                .iter()
                .all(|&object| self.mend_object(known, object));
        known.changes = changes;
        is_mended
    }

    fn mend_object(&mut self, known: &mut Canonical, object: Ref) -> bool {
        let Some(position) = known.position(self.machine(), object) else {
            // If it is met now, then by way of another one that has changed.
            return true;
        };
        let Some((form, _)) = self.object_form(object) else {
            return false;
        };
        self.begin_object(form);
        let old = self.parts.words(known.get(position));
        let was_local = old.first().is_some_and(|word| word & 1 != 0);
        was_local == form.is_local && self.mend_part(known, position, form, BEFORE_OBJECT)
    }

    /// Writes a part anew whose beginning is written, if the same objects are met by way of
    /// it as before, and in the same order: all others must have been met earlier. If that
    /// is so for all parts, then all objects are met in the same order.
    fn mend_part(
        &mut self,
        known: &mut Canonical,
        position: usize,
        form: &Form,
        before: usize,
    ) -> bool {
        let part = &mut self.memory.part;
        let Some(old) = self.parts.words(known.get(position)).get(before..) else {
            return false;
        };
        let Some(&(first, end)) = known.meetings.get(position - HEADER) else {
            return false;
        };
        let mut next = first as usize;
        let mut old = old.iter();
        for &object in &form.references {
            let as_before = old.next().map(|&number| place_of(number));
            let as_before = as_before.filter(|&place| known.order.get(place) == Some(&object));
            let Some(place) = as_before.or_else(|| known.place(object)) else {
                return false;
            };
            let is_own = || {
                let found = self.state.machine.heap.get(object);
                found.is_none_or(|found| is_local(self.program, found))
            };
            if place > next || as_before.is_none() && is_own() {
                return false;
            }
            next += usize::from(place == next);
            part.push(number_at(place));
        }
        if next != end as usize {
            return false;
        }
        let number = self.number();
        known.set(position, number);
        true
    }

    /// Meets all objects, and writes all parts.
    fn find(&mut self, known: &mut Canonical) {
        let state = self.machine();
        let memory = &mut *self.memory;
        memory.round = memory.round.wrapping_add(1);
        if memory.round == 0 {
            memory.met.clear();
            memory.round = 1;
        }
        let end = state.heap.end() as usize;
        if memory.met.len() < end {
            memory.met.resize(end, Met::default());
        }
        std::mem::swap(known, &mut memory.before);
        known.order.clear();
        known.meetings.clear();
        share_from(&mut known.classes, &state.class_form);
        share_from(&mut known.dirty, state.heap.dirty_list());
        share_from(&mut known.literals, &state.new_literals);
        known.claims.clone_from(&self.state.claims);
        let mut words = std::mem::take(&mut memory.words);
        words.clear();
        words.extend(self.header());
        known.threads = self.threads().count();
        words.resize(HEADER + known.threads, 0);
        known.meetings.resize(known.threads, (0, 0));

        let classes = self
            .forms
            .classes(&mut self.memory.draft, self.program, state);
        self.begin_object(classes);
        self.refer(known, classes, ALL);
        words[CLASSES] = self.number();
        for object in state.heap.dirty() {
            let is_own = self.is_own(object);
            self.memory.met[object.0 as usize].owner = if is_own { SOMEBODY } else { ALL };
            self.object(known, &mut words, object);
        }
        let mut done = 0;
        self.rest(known, &mut words, &mut done);
        for (place, (index, thread)) in self.threads().enumerate() {
            let form = self.thread_form(thread);
            self.begin_thread(index, thread, form);
            known.meetings[place] = self.refer(known, form, index as u32);
            words[HEADER + place] = self.number();
            self.rest(known, &mut words, &mut done);
        }
        self.old_values(known, &mut words, &mut done);
        self.claims();
        words[CLAIMS] = self.number();
        // A literal matters as one only if the program can still see it.
        for &literal in state.new_literals.iter() {
            let string = state.interned(literal);
            if state.heap.is_first(string) {
                words.extend([literal.0, string.0]);
            } else if let Some(met) = self.memory.met.get(string.0 as usize)
                && met.round == self.memory.round
            {
                words.extend([literal.0, number_at(met.place as usize)]);
            }
        }
        words.resize(words.len().next_multiple_of(BLOCK), 0);
        known.words.clear();
        known.words.resize(words.len(), 0);
        for (position, &word) in words.iter().enumerate() {
            known.set(position, word);
        }
        self.memory.words = words;
    }

    /// Meets the objects that can only be reached by what was written before the newest values.
    fn old_values(&mut self, known: &mut Canonical, words: &mut Vec<u32>, done: &mut usize) {
        loop {
            let old = self
                .state
                .relaxed
                .references(self.program, &self.machine().heap);
            let old = old
                .filter_map(|((object, index), value)| Some(((self.met(object)?, index), value)));
            let mut old = Vec::from_iter(old);
            old.sort_by_key(|&(name, _)| name);
            let before = known.order.len();
            for (_, value) in old {
                self.meet(known, value, ALL);
            }
            if known.order.len() == before {
                return;
            }
            self.rest(known, words, done);
        }
    }

    /// Writes what threads may still read. Only after all objects were met.
    fn relaxed(&self, words: &mut Vec<u32>) {
        let (program, heap) = (self.program, &self.machine().heap);
        let name = |(object, index): (Ref, u32)| {
            let met = self.met(object)?;
            Some(u64::from(met) << 32 | u64::from(index))
        };
        let value = |(object, index): (Ref, u32), value| match super::layout::is_ref_slot(
            program, heap, object, index,
        ) {
            true => self.met(Ref::of(value)).map_or(u64::MAX, u64::from),
            false => value,
        };
        self.state.relaxed.encode(name, value, words);
    }

    /// Of what can still be reached: whose it is.
    fn claims(&mut self) {
        let claims = &self.state.claims;
        let owners = claims.owners().iter().filter_map(|&(claimed, owner)| {
            let (sort, whose) = match owner {
                Owner::Thread(thread) => (0, thread.0),
                // Nobody can ever hold a lock that is out of reach.
                Owner::Lock(lock) => (1, self.met(Ref(lock.index)).unwrap_or(0)),
            };
            Some([self.met(Ref(claimed.index))?, claimed.region.0, sort, whose])
        });
        let mut owners: Vec<[u32; 4]> = owners.collect();
        owners.sort_unstable();
        let uses = claims.uses().iter().filter_map(|(variable, known)| {
            let met = known
                .locks
                .iter()
                .filter_map(|lock| self.met(Ref(lock.index)));
            let mut locks: Vec<u32> = met.collect();
            locks.sort_unstable();
            let many = locks.len() as u32;
            let mut words = vec![
                self.met(Ref(variable.index))?,
                variable.region.0,
                known.first.0,
            ];
            words.extend([u32::from(known.is_shared), many]);
            words.append(&mut locks);
            Some(words)
        });
        let mut uses: Vec<Vec<u32>> = uses.collect();
        uses.sort_unstable();
        let words = &mut self.memory.part;
        words.clear();
        words.extend([owners.len() as u32, uses.len() as u32]);
        words.extend(owners.iter().flatten());
        words.extend(uses.iter().flatten());
    }

    /// The number of an object that was met.
    fn met(&self, object: Ref) -> Option<u32> {
        if object.is_null() || self.machine().heap.is_first(object) {
            return Some(object.0);
        }
        let met = self.memory.met.get(object.0 as usize)?;
        (met.round == self.memory.round).then(|| number_at(met.place as usize))
    }

    /// Whether an object counts as a thread's own.
    fn is_own(&self, object: Ref) -> bool {
        let heap = &self.machine().heap;
        let found = heap.get(object);
        !heap.is_boot(object) && found.is_some_and(|found| is_local(self.program, found))
    }

    fn rest(&mut self, known: &mut Canonical, words: &mut Vec<u32>, done: &mut usize) {
        while let Some(&object) = known.order.get(*done) {
            *done += 1;
            self.object(known, words, object);
        }
    }

    /// Writes an object, of which it is known by whom it was met.
    fn object(&mut self, known: &mut Canonical, words: &mut Vec<u32>, object: Ref) {
        let Some((form, class)) = self.object_form(object) else {
            known.meetings.push((0, 0));
            words.push(0);
            return;
        };
        self.begin_object(form);
        let met = &mut self.memory.met[object.0 as usize];
        let mut owner = met.owner;
        if !form.is_local {
            // Whoever meets it, what it refers to is everybody's.
            met.owner = ALL;
            owner = ALL;
        } else if owner == ALL {
            self.leak.get_or_insert(class);
        }
        let meetings = self.refer(known, form, owner);
        known.meetings.push(meetings);
        // Mostly the word that stood here before.
        let old = self.memory.before.get(words.len());
        words.push(match self.parts.words(old) == self.memory.part {
            true => old,
            false => self.number(),
        });
    }

    /// Adds the numbers of the objects to which a part refers. Gives the places of those
    /// that are met by way of it: the first one, and the one behind the last.
    fn refer(&mut self, known: &mut Canonical, form: &Form, owner: u32) -> (u32, u32) {
        let first = known.order.len() as u32;
        for &object in &form.references {
            if let Some(place) = self.meet(known, object, owner) {
                self.memory.part.push(number_at(place as usize));
            }
        }
        (first, known.order.len() as u32)
    }

    /// The place of an object that is met by somebody.
    fn meet(&mut self, known: &mut Canonical, object: Ref, owner: u32) -> Option<u32> {
        let round = self.memory.round;
        let met = self.memory.met.get_mut(object.0 as usize)?;
        if met.round != round {
            let place = known.order.len() as u32;
            *met = Met {
                round,
                place,
                owner,
            };
            known.order.push(object);
        } else if met.owner != owner && ![met.owner, owner].contains(&SOMEBODY) && met.owner != ALL
        {
            // Another one than its owner meets it.
            if let Some(found) = self.state.machine.heap.get(object)
                && is_local(self.program, found)
            {
                self.leak.get_or_insert(found.class);
            }
        }
        Some(met.place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_spread_one_to_one_and_neighbours_stand_apart() {
        for length in (BLOCK..20 * BLOCK).step_by(BLOCK) {
            let places: Vec<usize> = (0..length).map(|at| spread(at, length)).collect();
            let mut sorted = places.clone();
            sorted.sort_unstable();
            assert!(sorted.into_iter().eq(0..length));
            let apart = places
                .windows(2)
                .filter(|pair| pair[0].abs_diff(pair[1]) >= APART);
            // But where a column of them ends.
            assert!(apart.count() >= length - APART);
        }
    }
}
