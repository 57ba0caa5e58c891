//! States with their threads exchanged, and the one that stands for all of them.

use super::sorts::Sort;
use super::{Group, Symmetry};
use crate::ir::{Home, Instruction, Program};
use crate::machine::{Machine, State};
use crate::memory::{Header, Layout, Lock};
use raddle_model::{Kind, Thread};

/// So many arrangements of threads that cannot be told apart are tried.
const MOST_ARRANGEMENTS: usize = 720;

/// Puts the representative of its orbit in the place of a state.
pub(super) fn represent(machine: &Machine, symmetry: &Symmetry, state: &mut State) {
    let view = View {
        program: machine.program(),
        layout: &machine.layout,
        symmetry,
    };
    let words = &mut state.words;
    let classes: Vec<Vec<Vec<u32>>> = (0..symmetry.groups.len())
        .map(|group| view.classes(words, group))
        .collect();
    let mut best: Option<Vec<u32>> = None;
    for classes in view.arrangements(words, classes) {
        let numbers = view.numbers(words, &classes);
        let candidate = view.permuted(words, &numbers);
        if best.as_ref().is_none_or(|best| candidate < *best) {
            best = Some(candidate);
        }
    }
    if let Some(best) = best {
        *words = best;
    }
}

#[derive(Clone, Copy)]
struct View<'a> {
    program: &'a Program,
    layout: &'a Layout,
    symmetry: &'a Symmetry,
}

impl View<'_> {
    /// The threads of a group in classes of those that look alike, in an order that does not
    /// depend on their numbers.
    fn classes(&self, words: &[u32], group: usize) -> Vec<Vec<u32>> {
        let Group { first, count, .. } = self.symmetry.groups[group];
        let mut threads: Vec<(Vec<u32>, u32)> = (0..count)
            .map(|index| (self.signature(words, group, index), first + index))
            .collect();
        threads.sort();
        let classes = threads.chunk_by(|(a, _), (b, _)| a == b);
        let numbers = |class: &[(Vec<u32>, u32)]| class.iter().map(|(_, thread)| *thread).collect();
        classes.map(numbers).collect()
    }

    /// What a state has of a thread, without any names.
    fn signature(&self, words: &[u32], group: usize, index: u32) -> Vec<u32> {
        let layout = self.layout;
        let thread = Thread(self.symmetry.groups[group].first + index);
        let own = Own {
            group,
            index,
            thread: thread.0,
        };
        let mut out = vec![words[layout.area_start(words, thread)]];
        if layout.pc(words, thread).is_some() {
            let locals = layout.locals_start(words, thread);
            let sorts = self.symmetry.sorts.thread_locals.iter().enumerate();
            out.extend(sorts.map(|(slot, &sort)| own.anonymous(words[locals + slot], sort)));
        }
        for (depth, (base, pc)) in layout.frames(words, thread).enumerate() {
            out.push(pc);
            let registers = layout.frame_registers[pc as usize] as usize;
            let mut frame = words[base..base + registers].to_vec();
            for (slot, sort) in self.held(pc, depth) {
                frame[usize::from(slot)] = own.anonymous(frame[usize::from(slot)], sort);
            }
            out.extend(frame);
        }
        self.mentions(words, own, &mut out);
        out
    }

    /// What shared variables have of a thread: its elements of arrays, whether it is named.
    fn mentions(&self, words: &[u32], own: Own, out: &mut Vec<u32>) {
        let sorts = &self.symmetry.sorts;
        for (number, region) in self.program.regions.iter().enumerate() {
            let Home::Shared(offset) = region.home else {
                continue;
            };
            let dimensions = &sorts.dimensions[number];
            let indexed = dimensions
                .iter()
                .filter(|sort| **sort != Sort::Plain)
                .count();
            let is_own = dimensions
                .iter()
                .position(|sort| *sort == Sort::Index(own.group));
            let stride = region.stride();
            for element in 0..region.length() {
                let position = coordinates(element, &region.dimensions);
                let is_meant = match (indexed, is_own) {
                    (0, _) => true,
                    (1, Some(dimension)) => position[dimension] == own.index,
                    _ => false,
                };
                if is_meant {
                    let at = 1 + (offset + element * stride) as usize;
                    let element = &words[at..at + stride as usize];
                    let value = |&word: &u32| own.anonymous(word, sorts.values[number]);
                    match region.kind {
                        Kind::Variable => out.extend(element.iter().map(value)),
                        Kind::Monitor => {
                            out.extend(element.iter().map(|&word| own.anonymous_lock(word)))
                        }
                        Kind::Channel => {
                            out.push(element[0]);
                            out.extend(element[1..1 + element[0] as usize].iter().map(value));
                        }
                        Kind::Semaphore | Kind::Thread => out.extend(element),
                    }
                }
            }
        }
    }

    /// Orders of the threads of each group: of those in a class, all that may make a difference.
    fn arrangements(&self, words: &[u32], classes: Vec<Vec<Vec<u32>>>) -> Vec<Vec<Vec<u32>>> {
        let mut all: Vec<Vec<Vec<u32>>> = vec![vec![Vec::new(); classes.len()]];
        for (group, classes) in classes.into_iter().enumerate() {
            for class in classes {
                let room = MOST_ARRANGEMENTS / all.len();
                let orders = match class.len() == 1 || self.are_alike(words, &class) {
                    true => vec![class],
                    false => orders(&class, room),
                };
                let longer = all.iter().flat_map(|begun| {
                    orders.iter().map(move |order| {
                        let mut longer = begun.clone();
                        longer[group].extend(order);
                        longer
                    })
                });
                all = longer.collect();
            }
        }
        all
    }

    /// Whether exchanging any threads of a class gives the same state.
    fn are_alike(&self, words: &[u32], class: &[u32]) -> bool {
        let threads = self.layout.threads(words) as u32;
        let plain: Vec<u32> = (0..threads).collect();
        let same = self.permuted(words, &plain);
        class.windows(2).all(|pair| {
            let mut numbers = plain.clone();
            numbers.swap(pair[0] as usize, pair[1] as usize);
            self.permuted(words, &numbers) == same
        })
    }

    /// The new number of each thread, if those of the groups come in an order.
    fn numbers(&self, words: &[u32], orders: &[Vec<u32>]) -> Vec<u32> {
        let mut numbers: Vec<u32> = (0..self.layout.threads(words) as u32).collect();
        for (group, order) in self.symmetry.groups.iter().zip(orders) {
            for (number, &thread) in (group.first..).zip(order) {
                numbers[thread as usize] = number;
            }
        }
        numbers
    }

    /// The state in which each thread has another number, in canonical form.
    fn permuted(&self, words: &[u32], numbers: &[u32]) -> Vec<u32> {
        let layout = self.layout;
        let renaming = Renaming {
            groups: &self.symmetry.groups,
            numbers,
        };
        let threads = numbers.len();
        let directory = layout.area_start(words, Thread(0)) - threads;
        let mut out = words[..directory + threads].to_vec();
        let shared = self.program.regions.iter().enumerate();
        for (number, region) in shared.clone() {
            if let Home::Shared(offset) = region.home {
                let at = 1 + offset as usize;
                self.region(number, &words[at..], &mut out[at..], renaming);
            }
        }
        let mut order = vec![0; threads];
        for (old, &new) in (0u32..).zip(numbers) {
            order[new as usize] = old;
        }
        for (new, &old) in order.iter().enumerate() {
            let begin = out.len();
            self.area(words, Thread(old), renaming, &mut out);
            debug_assert!(out.len() > begin);
            out[directory + new] = out.len() as u32;
        }
        let heap = (layout.heap_start(words), out.len());
        out.extend_from_slice(&words[heap.0..]);
        for (reference, record) in layout.objects(words) {
            let first = reference as usize;
            for &field in &self.program.records[record].fields {
                let number = field.0 as usize;
                if let Home::Field(_, offset) = self.program.regions[number].home {
                    let at = first + offset as usize;
                    self.region(
                        number,
                        &words[heap.0 + at..],
                        &mut out[heap.1 + at..],
                        renaming,
                    );
                }
            }
        }
        if self.program.records.is_empty() {
            return out;
        }
        let mut canonical = Vec::new();
        layout.canonical(&out, &mut canonical);
        canonical
    }

    /// Copies the elements of a region that begin where `from` and `to` begin.
    fn region(&self, number: usize, from: &[u32], to: &mut [u32], renaming: Renaming<'_>) {
        let region = &self.program.regions[number];
        let sorts = &self.symmetry.sorts;
        let stride = region.stride() as usize;
        for element in 0..region.length() {
            let position = coordinates(element, &region.dimensions);
            let position = position.iter().zip(&sorts.dimensions[number]);
            let position: Vec<u32> = position
                .map(|(&it, &sort)| renaming.word(it, sort))
                .collect();
            let place = position.iter().zip(&region.dimensions);
            let place = place.fold(0, |row, (&it, &size)| row * size + it) as usize * stride;
            let element = element as usize * stride;
            let (from, to) = (
                &from[element..element + stride],
                &mut to[place..place + stride],
            );
            to.copy_from_slice(from);
            let sort = sorts.values[number];
            match region.kind {
                Kind::Variable => to[0] = renaming.word(from[0], sort),
                Kind::Monitor => to[0] = renaming.lock(from[0]),
                Kind::Channel => {
                    for value in &mut to[1..1 + from[0] as usize] {
                        *value = renaming.word(*value, sort);
                    }
                }
                Kind::Semaphore | Kind::Thread => {}
            }
        }
    }

    /// Appends the area of a thread.
    fn area(&self, words: &[u32], thread: Thread, renaming: Renaming<'_>, out: &mut Vec<u32>) {
        let layout = self.layout;
        let (start, end) = (
            layout.area_start(words, thread),
            layout.area_end(words, thread),
        );
        let shift = out.len();
        out.extend_from_slice(&words[start..end]);
        debug_assert_eq!(Header::unpack(out[shift]), layout.header(words, thread));
        if layout.pc(words, thread).is_none() {
            return;
        }
        let locals = layout.locals_start(words, thread);
        for (slot, &sort) in self.symmetry.sorts.thread_locals.iter().enumerate() {
            let word = &mut out[shift + locals - start + slot];
            *word = renaming.word(*word, sort);
        }
        for (depth, (base, pc)) in layout.frames(words, thread).enumerate() {
            for (slot, sort) in self.held(pc, depth) {
                let word = &mut out[shift + base - start + usize::from(slot)];
                *word = renaming.word(*word, sort);
            }
        }
    }

    /// The registers of a frame that hold names and are still read. What a call gives back is not there
    /// while it is made.
    fn held(&self, pc: u32, depth: usize) -> impl Iterator<Item = (u16, Sort)> + '_ {
        let awaited = match self.program.code.get((pc as usize).wrapping_sub(1)) {
            Some(Instruction::Call { result, .. }) if depth > 0 => *result,
            _ => None,
        };
        let held = self.symmetry.sorts.registers[pc as usize].iter().copied();
        held.filter(move |(slot, _)| awaited.is_none_or(|awaited| awaited.0 != *slot))
    }
}

/// A thread that is looked at.
#[derive(Clone, Copy)]
struct Own {
    group: usize,
    index: u32,
    thread: u32,
}

impl Own {
    const SELF: u32 = u32::MAX - 1;
    const OTHER: u32 = u32::MAX - 2;

    /// A word without names: whether it names this thread, or another one.
    fn anonymous(self, word: u32, sort: Sort) -> u32 {
        let is_own = match sort {
            Sort::Plain => return word,
            Sort::Reference => return word.min(1),
            Sort::Thread => word == self.thread,
            Sort::Index(group) => group == self.group && word == self.index,
        };
        match (is_own, word as i32) {
            (true, _) => Own::SELF,
            (false, 0..) => Own::OTHER,
            (false, _) => word,
        }
    }

    fn anonymous_lock(self, word: u32) -> u32 {
        match Lock(word).owner() {
            None => word,
            Some(owner) if owner.0 == self.thread => Own::SELF,
            Some(_) => Own::OTHER,
        }
    }
}

/// New numbers for threads, and new indices by that.
#[derive(Clone, Copy)]
struct Renaming<'a> {
    groups: &'a [Group],
    numbers: &'a [u32],
}

impl Renaming<'_> {
    fn word(self, word: u32, sort: Sort) -> u32 {
        match sort {
            Sort::Plain | Sort::Reference => word,
            Sort::Thread => self.numbers.get(word as usize).copied().unwrap_or(word),
            Sort::Index(group) => {
                let group = &self.groups[group];
                match word < group.count {
                    true => self.numbers[(group.first + word) as usize] - group.first,
                    false => word,
                }
            }
        }
    }

    fn lock(self, word: u32) -> u32 {
        let lock = Lock(word);
        match lock.owner() {
            None => word,
            Some(owner) => {
                let owner = self.word(owner.0, Sort::Thread);
                Lock::owned(Thread(owner), lock.depth()).0
            }
        }
    }
}

/// The indices of an element, by its number row by row.
fn coordinates(element: u32, sizes: &[u32]) -> Vec<u32> {
    let mut rest = element;
    let mut position: Vec<u32> = sizes
        .iter()
        .rev()
        .map(|&size| {
            let index = rest % size;
            rest /= size;
            index
        })
        .collect();
    position.reverse();
    position
}

/// All orders of some threads, or only one, if there are more than `most`.
fn orders(threads: &[u32], most: usize) -> Vec<Vec<u32>> {
    let count = (1..=threads.len()).try_fold(1usize, |all, it| all.checked_mul(it));
    if count.is_none_or(|count| count > most.max(1)) {
        return vec![threads.to_vec()];
    }
    let mut all = vec![Vec::new()];
    for _ in threads {
        let longer = all.iter().flat_map(|begun: &Vec<u32>| {
            let left = threads.iter().filter(|it| !begun.contains(it));
            left.map(|&next| [&begun[..], &[next]].concat())
        });
        all = longer.collect();
    }
    all
}
