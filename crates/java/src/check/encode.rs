//! States as words: equal words, same state.
//!
//! A state has parts: its objects, its threads, its classes. What a part holds has a number,
//! the same whenever it is the same ([`Form`]); and so has a part together with the names of
//! the objects to which it refers. These numbers are the words, those of objects a few at a time
//! ([`buckets`]). The name of an object is the least way to it ([`paths`]): first from what all threads can reach, then from
//! each thread. On the way it is seen whether any object that counts as a thread's own can be reached by others; then
//! something was overlooked, and nothing is proved.
//!
//! From equal words follow equal states: a part tells the names of all to which it refers, no two objects have the same
//! name, and what cannot be reached makes no difference. And equal states have equal words, because the least way follows from the state.
//!
//! What was there when the program came to its first operation that others notice, if that is much, has the same
//! numbers in all states. Of these objects only those are written that have changed since, and none of
//! them goes away: that one more of them is out of reach makes states differ that need not, and
//! nothing else.
//!
//! A step changes a few parts, and few ways. So a copy of a state begins with what is known of the original, which is
//! brought up to date ([`mend`]). All is found anew ([`find`]) where that cannot be done. What tests run compares both.

mod buckets;
mod claims;
mod find;
mod graph;
mod mend;
mod paths;

use std::cell::Cell;
use std::sync::{Arc, Mutex, MutexGuard};

use raddle_jvm::form::{CachedForm, Form};
use raddle_jvm::heap::Ref;
use raddle_jvm::pages::share_from;
use raddle_jvm::state::{Changes, Literals, State};
use raddle_jvm::thread::{Status, Thread};
use raddle_jvm::world::ClassId;

use super::acts::Act;
use super::forms::{Draft, Forms, is_local};
use super::numbers::{Numbers, Recent, lock};
use super::program::Program;
use super::{Java, JavaState};
use buckets::{Buckets, Pair, Store};
use claims::Claims;
use graph::{Entry, Graph, Node};
use paths::{Paths, Step};

/// What is met by everybody.
const ALL: u32 = u32::MAX;

/// What is met by one thread: which one, was known at the beginning.
const SOMEBODY: u32 = u32::MAX - 1;

/// There are fewer forms and parts than this: two bits more tell what a thread is about to do.
const MOST: usize = 1 << 30;

/// The words before those of the threads.
const HEADER: usize = 8;

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
    header: [u32; HEADER],
    graph: Graph,
    classes: Arc<CachedForm>,
    classes_word: u32,
    /// By thread.
    thread_words: Vec<u32>,
    buckets: Buckets,
    /// The literals, and their word.
    literals: Arc<Literals>,
    literals_word: u32,
    claims: Claims,
}

/// Sets the word of a thread.
fn set_thread(words: &mut Vec<u32>, index: u32, word: u32) {
    let index = index as usize;
    if words.len() <= index {
        words.resize(index + 1, 0);
    }
    words[index] = word;
}

/// What has another name than before: a new one, or none any more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Shift {
    Nothing,
    /// Objects of which nothing was claimed.
    Names,
    /// Others, too.
    Claims,
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
        self.header = other.header;
        self.graph.clone_from(&other.graph);
        share_from(&mut self.classes, &other.classes);
        self.classes_word = other.classes_word;
        self.thread_words.clone_from(&other.thread_words);
        self.buckets.clone_from(&other.buckets);
        share_from(&mut self.literals, &other.literals);
        self.literals_word = other.literals_word;
        self.claims.clone_from(&other.claims);
    }
}

/// Adds words in another order, such that neighbours stand apart: a store keeps words that stand
/// together as one, and those of threads change independently.
fn spread(words: &[u32], out: &mut Vec<u32>) {
    let rows = words.len() / APART;
    for row in 0..rows {
        out.extend((0..APART).map(|column| words[column * rows + row]));
    }
}

/// Where assertions are checked, of states with more objects than a few some are looked at, and of very many
/// states.
const FEW: usize = 400;
const MOST_UNSEEN: usize = 1 << 15;
const FIRST_STATES: usize = 5_000;

/// How many states are written at once: many more than there are processors.
const SEATS: usize = 128;

/// Writes states down, several at once.
pub(super) struct Encoder {
    forms: Forms,
    parts: Numbers,
    paths: Paths,
    contents: Numbers,
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
    work: mend::Work,
    /// How many objects there were in states at which nobody has looked since.
    mended: usize,
    /// How many states were brought up to date.
    states: usize,
    words: Vec<u32>,
    part: Vec<u32>,
    bucket: Vec<u32>,
    recent_parts: Recent,
    recent_paths: Recent,
    recent_contents: Recent,
    draft: Draft,
}

impl Memory {
    /// Whether what was brought up to date is compared with what is found anew: always if there are few objects, in
    /// the first states.
    fn is_looked_at(&mut self, objects: usize) -> bool {
        self.mended = self.mended.wrapping_add(objects);
        self.states = self.states.saturating_add(1);
        let is_due = self.mended >= MOST_UNSEEN;
        self.mended = if is_due { 0 } else { self.mended };
        is_due || objects < FEW && self.states <= FIRST_STATES
    }
}

impl Default for Encoder {
    fn default() -> Self {
        Self {
            forms: Forms::default(),
            parts: Numbers::default(),
            paths: Paths::default(),
            contents: Numbers::default(),
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
            paths: &self.paths,
            contents: &self.contents,
            memory,
            leak: None,
        };
        if writer.mend(known).is_none() {
            if writer.find(known).is_none() {
                writer.memory.draft.is_starved = true;
            }
        } else if cfg!(debug_assertions) && writer.memory.is_looked_at(known.buckets.objects()) {
            let mut again = Canonical::default();
            let leak = writer.leak;
            let found = writer.find(&mut again);
            // What was found out meanwhile may have changed how parts are written.
            debug_assert!(
                found.is_none()
                    || java.has_news()
                    || again.header == known.header
                        && again.buckets.words() == known.buckets.words()
                        && again.claims.buckets.words() == known.claims.buckets.words()
                        && again.graph.agrees(&known.graph)
                        && writer.leak.is_none() == leak.is_none(),
                "a part has changed unnoticed"
            );
        }
        let leak = writer.leak.or(writer.memory.draft.leak.take());
        // What can be reached by old values alone may change without any part.
        known.is_known = leak.is_none() && !state.relaxed.is_on();
        known.changes.clear();
        known.graph.freeze();
        writer.words(known, words);
        if state.relaxed.is_on() {
            writer.relaxed(&known.graph, words);
        }
        let machine = &state.machine;
        if machine.files.is_changed() || machine.memory.is_changed() {
            words.extend(self.forms.outside(&mut memory.draft, machine));
        }
        self.network(memory, java, state, words);
        let numbers = [self.forms.len(), self.parts.len(), self.paths.len()];
        if numbers.iter().any(|&count| count >= MOST) {
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
    paths: &'a Paths,
    contents: &'a Numbers,
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

    fn thread_form(&mut self, thread: &'a Thread) -> &'a Arc<Form> {
        let (program, heap) = (self.program, &self.machine().heap);
        let draft = &mut self.memory.draft;
        self.forms.thread(draft, program, heap, thread)
    }

    fn classes_form(&mut self) -> &'a Arc<Form> {
        let state = self.machine();
        self.forms
            .classes(&mut self.memory.draft, self.program, state)
    }

    /// An object's form, if there is such an object.
    fn object_form(&mut self, object: Ref) -> Option<(&'a Arc<Form>, ClassId)> {
        let heap = &self.machine().heap;
        let found = heap.get(object)?;
        let draft = &mut self.memory.draft;
        let form = self.forms.object(draft, self.program, heap, object, found);
        Some((form, found.class))
    }

    /// Begins a thread's part.
    fn begin_thread(&mut self, index: u32) -> Option<()> {
        let thread = self.machine().threads.get(index as usize)?.get()?;
        let form = self.thread_form(thread);
        // Where a thread stands does not say for what: it may have come back to an instruction to
        // do something else there, such as to take a monitor after it has waited for a class.
        let pending = self.state.pending.get(index as usize);
        let pending = pending.and_then(Option::as_ref);
        // When a time limit ends only matters if the program can tell the time.
        let until = match thread.status {
            Status::Waiting { until, .. } | Status::Parked { until } if self.tells_time => until,
            _ => None,
        };
        let until = until.unwrap_or(0);
        self.memory.part.extend([
            form.number,
            pending.map_or(0, Act::kind),
            until as u32,
            (until >> 32) as u32,
        ]);
        Some(())
    }

    /// Begins the part of a node.
    fn begin_part(&mut self, graph: &Graph, node: Node) -> Option<()> {
        self.memory.part.clear();
        let form = match node {
            Node::Thread(index) => return self.begin_thread(index),
            Node::Classes => self.classes_form(),
            Node::Object(object) => match self.object_form(object) {
                Some((form, _)) => form,
                None => return Some(()),
            },
        };
        let word = form.number << 1 | u32::from(form.is_local);
        self.memory.part.push(word);
        if let Node::Object(object) = node
            && form.is_local
            && graph.object(object)?.owner == ALL
        {
            self.note_leak(object);
        }
        Some(())
    }

    /// Adds the names of the objects to which a node refers. None if one of them has none.
    fn refer(&mut self, graph: &Graph, node: Node) -> Option<()> {
        let entry = graph.get(node)?;
        let mine = Self::handed_on(node, entry);
        for &(_, object) in entry.references() {
            let referred = graph.object(object).filter(|it| it.is_met())?;
            self.memory.part.push(referred.path);
            let theirs = referred.owner;
            let is_known = [mine, theirs].contains(&SOMEBODY);
            let is_one = mine == theirs && mine != ALL || is_known && mine != ALL && theirs != ALL;
            if !is_one && referred.form.as_ref().is_some_and(|form| form.is_local) {
                self.note_leak(object);
            }
        }
        Some(())
    }

    /// An object that counts as a thread's own is met by others.
    fn note_leak(&mut self, object: Ref) {
        if let Some(found) = self.machine().heap.get(object) {
            self.leak.get_or_insert(found.class);
        }
    }

    /// Who meets what a node refers to. Whoever meets an object that is not a thread's own, what it refers to is
    /// everybody's.
    fn handed_on(node: Node, entry: &Entry) -> u32 {
        let is_local = entry.form.as_ref().is_some_and(|form| form.is_local);
        match node {
            Node::Object(_) if !is_local => ALL,
            _ => entry.owner,
        }
    }

    /// Writes the part of a node. That of an object is noted with its path.
    fn write_node(
        &mut self,
        known: &mut Canonical,
        node: Node,
        pairs: &mut Vec<Pair>,
    ) -> Option<()> {
        let graph = &known.graph;
        self.begin_part(graph, node)?;
        self.refer(graph, node)?;
        let part = self.part()?;
        match node {
            Node::Classes => known.classes_word = part,
            Node::Thread(index) => set_thread(&mut known.thread_words, index, part),
            Node::Object(object) => pairs.push((graph.path(object), part)),
        }
        Some(())
    }

    /// The number of the part that is written. None if there is none left.
    fn part(&mut self) -> Option<u32> {
        let Memory {
            recent_parts, part, ..
        } = &mut *self.memory;
        let number = self.parts.number(recent_parts, part);
        (number != 0).then_some(number)
    }

    /// The number of a path, which may be one that is known. None if there is none left.
    fn path(&mut self, step: Step, hint: u32) -> Option<u32> {
        if self.paths.step(hint) == Some(step) {
            return Some(hint);
        }
        let number = self.paths.number(&mut self.memory.recent_paths, step);
        (number != 0).then_some(number)
    }

    fn store(&mut self) -> Store<'_> {
        Store {
            contents: self.contents,
            recent: &mut self.memory.recent_contents,
            buffer: &mut self.memory.bucket,
        }
    }

    /// Writes what is known of the state as a whole.
    fn outline(&mut self, known: &mut Canonical, shift: Shift) -> Option<()> {
        let state = self.machine();
        let Canonical { claims, graph, .. } = known;
        self.claims(claims, graph, shift == Shift::Claims)?;
        if shift >= Shift::Names || !Arc::ptr_eq(&known.literals, &state.new_literals) {
            share_from(&mut known.literals, &state.new_literals);
            self.literals(&known.graph);
            known.literals_word = self.part()?;
        }
        let clock = if self.tells_time { state.clock } else { 0 };
        // What goes wrong after a made-up answer is another thing than without.
        let is_doubtful = u32::from(!state.made_up.is_empty());
        let threads = (state.threads.len() as u32) << 1 | is_doubtful;
        known.header = [
            0,
            state.next_hash,
            clock as u32,
            (clock >> 32) as u32,
            known.classes_word,
            // How the rest is divided.
            known.buckets.words().len() as u32,
            known.literals_word,
            threads,
        ];
        Some(())
    }

    /// Adds all words.
    fn words(&mut self, known: &Canonical, out: &mut Vec<u32>) {
        let parts = self.threads();
        let parts = parts.map(|(index, _)| known.thread_words.get(index).copied().unwrap_or(0));
        let words = &mut self.memory.words;
        words.clear();
        words.extend(known.header);
        words.extend(parts);
        words.extend(known.buckets.words());
        words.extend(known.claims.buckets.words());
        words.resize(words.len().next_multiple_of(BLOCK), 0);
        spread(words, out);
    }

    /// A literal matters as one only if the program can still see it.
    fn literals(&mut self, graph: &Graph) {
        let state = self.machine();
        let literals = state.new_literals.iter().filter_map(|&literal| {
            let name = graph.name(state, state.interned(literal))?;
            Some([literal.0, name])
        });
        self.memory.part.clear();
        self.memory.part.extend(literals.flatten());
    }

    /// Writes what threads may still read. Only after all objects were met.
    fn relaxed(&self, graph: &Graph, words: &mut Vec<u32>) {
        let (program, state) = (self.program, self.machine());
        let name = |(object, index): (Ref, u32)| {
            let met = graph.name(state, object)?;
            Some(u64::from(met) << 32 | u64::from(index))
        };
        let value = |(object, index): (Ref, u32), value| match super::layout::is_ref_slot(
            program,
            &state.heap,
            object,
            index,
        ) {
            true => graph
                .name(state, Ref::of(value))
                .map_or(u64::MAX, u64::from),
            false => value,
        };
        self.state.relaxed.encode(name, value, words);
    }

    /// Whether an object counts as a thread's own.
    fn is_own(&self, object: Ref) -> bool {
        let heap = &self.machine().heap;
        let found = heap.get(object);
        !heap.is_boot(object) && found.is_some_and(|found| is_local(self.program, found))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_spread_one_to_one_and_neighbours_stand_apart() {
        for length in (BLOCK as u32..20 * BLOCK as u32).step_by(BLOCK) {
            let words: Vec<u32> = (0..length).collect();
            let mut out = Vec::new();
            spread(&words, &mut out);
            let mut sorted = out.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, words);
            let place = |word| out.iter().position(|&it| it == word).expect("there");
            let apart = words
                .windows(2)
                .filter(|pair| place(pair[0]).abs_diff(place(pair[1])) >= APART);
            // But where a column of them ends.
            assert!(apart.count() >= words.len() - APART);
        }
    }
}
