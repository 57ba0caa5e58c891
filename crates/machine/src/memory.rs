//! How a state lies in memory: one flat vector of words.
//!
//! ```text
//! | n | shared words | directory: end of each of the n areas | areas of threads | heap |
//! area of a thread:   | header | thread-local words | frame | frame | ... |
//! frame:              | registers | pc |
//! heap:               | record | fields | record | fields | ...
//! ```
//!
//! The header holds the thread's [`Mode`], its declaration and, while it waits on a
//! monitor, how often it had taken it. A thread that has finished has zeros in place of
//! its locals and the registers of its outermost frame, so that the words behind it stay
//! where they are, and [`FINISHED`] in place of the pc.
//! A reference is the offset of an object in the heap plus one; null is zero.
//! Everything is canonical except the heap, whose order is the order of allocation;
//! [`Layout::canonical`] renumbers it by a traversal from the roots.

use crate::ir::{Home, Program, ValueType};
use raddle_model::{Kind, Object, Thread};

/// Where everything is: facts about a program that never change.
#[derive(Clone, Debug)]
pub struct Layout {
    /// For each region, where its first object is and how far apart they are.
    pub regions: Vec<RegionLayout>,
    /// How many thread-local words each thread has.
    pub thread_locals: usize,
    /// For each instruction, its function.
    pub function_of: Vec<u16>,
    /// For each instruction, how many registers its function has.
    pub frame_registers: Vec<u32>,
    /// The first word of the directory.
    directory: usize,
    /// Which words hold references: shared words, thread-local words, registers of
    /// each function, words of each record.
    references: References,
    /// For each record, how many words an instance has, its header included.
    record_words: Vec<usize>,
}

/// Where a region lies.
#[derive(Clone, Copy, Debug)]
pub struct RegionLayout {
    /// The kind of its objects.
    pub kind: Kind,
    /// The first word: of the state for a shared region, of the instance for a field.
    pub offset: usize,
    /// Words from one object to the next.
    pub stride: usize,
    /// How many objects.
    pub length: u32,
    /// Whether it is a field of a record.
    pub field: bool,
}

#[derive(Clone, Debug, Default)]
struct References {
    shared: Vec<usize>,
    thread_locals: Vec<usize>,
    registers: Vec<Vec<usize>>,
    records: Vec<Vec<usize>>,
}

/// What a thread is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It executes instructions.
    Running,
    /// It is in the wait set of the monitor of its `WaitResume` instruction.
    Waiting,
    /// It was notified and has not resumed yet.
    Notified,
    /// It has finished.
    Done,
}

/// The header of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// What it is doing.
    pub mode: Mode,
    /// Its declaration.
    pub declaration: u16,
    /// While it waits or was notified: how often it had taken the monitor.
    pub depth: u16,
}

impl Header {
    /// As one word.
    pub fn pack(self) -> u32 {
        let mode = match self.mode {
            Mode::Running => 0,
            Mode::Waiting => 1,
            Mode::Notified => 2,
            Mode::Done => 3,
        };
        mode | u32::from(self.declaration) << 2 | u32::from(self.depth) << 16
    }

    /// From one word.
    pub fn unpack(word: u32) -> Header {
        let mode = match word & 3 {
            0 => Mode::Running,
            1 => Mode::Waiting,
            2 => Mode::Notified,
            _ => Mode::Done,
        };
        Header {
            mode,
            declaration: (word >> 2 & 0x3fff) as u16,
            depth: (word >> 16) as u16,
        }
    }
}

/// The pc of a thread that has finished.
pub const FINISHED: u32 = u32::MAX;

/// The most declarations that a header can tell apart.
pub const MAX_DECLARATIONS: usize = 1 << 14;

/// The word of a monitor: zero if it is free, else its owner and how often it was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lock(pub u32);

impl Lock {
    /// Nobody owns it.
    pub const FREE: Lock = Lock(0);
    /// The most often that a monitor can be taken without being given back.
    pub const MAX_DEPTH: u16 = u16::MAX;

    /// Owned by a thread.
    pub fn owned(owner: Thread, depth: u16) -> Lock {
        Lock((owner.0 + 1) | u32::from(depth) << 16)
    }

    /// Who owns it.
    pub fn owner(self) -> Option<Thread> {
        (self.0 & 0xffff).checked_sub(1).map(Thread)
    }

    /// How often its owner took it.
    pub fn depth(self) -> u16 {
        (self.0 >> 16) as u16
    }
}

impl Layout {
    /// The layout of a verified program.
    pub fn new(program: &Program) -> Layout {
        let regions = program
            .regions
            .iter()
            .map(|region| RegionLayout {
                kind: region.kind,
                offset: match region.home {
                    Home::Shared(offset) => 1 + offset as usize,
                    // The header of the instance comes first.
                    Home::Field(_, offset) => 1 + offset as usize,
                    Home::Threads => 0,
                },
                stride: region.stride() as usize,
                length: region.length(),
                field: matches!(region.home, Home::Field(..)),
            })
            .collect();
        let mut function_of = vec![0; program.code.len()];
        for (number, function) in program.functions.iter().enumerate() {
            for owner in &mut function_of[function.entry.0 as usize..function.end.0 as usize] {
                *owner = number as u16;
            }
        }
        Layout {
            regions,
            thread_locals: program.thread_locals.len(),
            frame_registers: function_of
                .iter()
                .map(|&function| program.functions[usize::from(function)].registers.len() as u32)
                .collect(),
            function_of,
            directory: 1 + program.initial_words.len(),
            references: References::new(program),
            record_words: program
                .records
                .iter()
                .map(|record| 1 + record.initial.len())
                .collect(),
        }
    }

    /// A state with no threads, and with the instances on the heap that exist from the start.
    pub fn empty(&self, program: &Program) -> Vec<u32> {
        let mut words = vec![0];
        words.extend(program.initial_words.iter().map(|&word| word as u32));
        let instances = program.instances.iter().map(|record| {
            let record = usize::from(record.0);
            self.allocate(&mut words, record, &program.records[record].initial)
        });
        let instances: Vec<u32> = instances.collect();
        for &word in &self.references.shared {
            if let Some(instance) = (words[word] as usize).checked_sub(1) {
                words[word] = instances[instance];
            }
        }
        words
    }

    /// How many threads there are.
    #[inline]
    pub fn threads(&self, words: &[u32]) -> usize {
        words[0] as usize
    }

    /// The first word of a thread's area: its header.
    #[inline]
    pub fn area_start(&self, words: &[u32], thread: Thread) -> usize {
        match thread.index() {
            0 => self.directory + self.threads(words),
            index => words[self.directory + index - 1] as usize,
        }
    }

    /// The word after a thread's area.
    #[inline]
    pub fn area_end(&self, words: &[u32], thread: Thread) -> usize {
        words[self.directory + thread.index()] as usize
    }

    /// The first word of the heap.
    #[inline]
    pub fn heap_start(&self, words: &[u32]) -> usize {
        match self.threads(words) {
            0 => self.directory,
            threads => words[self.directory + threads - 1] as usize,
        }
    }

    /// The header of a thread.
    #[inline]
    pub fn header(&self, words: &[u32], thread: Thread) -> Header {
        Header::unpack(words[self.area_start(words, thread)])
    }

    /// Where a thread stands, if it has not finished.
    #[inline]
    pub fn pc(&self, words: &[u32], thread: Thread) -> Option<u32> {
        self.top_frame(words, thread).map(|(_, pc)| pc)
    }

    /// The innermost frame of a thread that has not finished: first register and pc.
    #[inline]
    pub fn top_frame(&self, words: &[u32], thread: Thread) -> Option<(usize, u32)> {
        let end = self.area_end(words, thread);
        match words[end - 1] {
            FINISHED => None,
            pc => Some((self.frame_base(end, pc), pc)),
        }
    }

    /// The first register of the frame that ends before `end` (its pc is the last word).
    #[inline]
    pub fn frame_base(&self, end: usize, pc: u32) -> usize {
        end - 1 - self.frame_registers[pc as usize] as usize
    }

    /// The first thread-local word of a thread.
    #[inline]
    pub fn locals_start(&self, words: &[u32], thread: Thread) -> usize {
        self.area_start(words, thread) + 1
    }

    /// The frames of a thread from the innermost outwards: first register and pc.
    pub fn frames<'a>(
        &'a self,
        words: &'a [u32],
        thread: Thread,
    ) -> impl Iterator<Item = (usize, u32)> + 'a {
        let bottom = self.locals_start(words, thread) + self.thread_locals;
        let mut end = match self.pc(words, thread) {
            None => bottom,
            Some(_) => self.area_end(words, thread),
        };
        std::iter::from_fn(move || {
            if end <= bottom {
                return None;
            }
            let pc = words[end - 1];
            let base = self.frame_base(end, pc);
            end = base;
            Some((base, pc))
        })
    }

    /// Adds a thread that stands at the beginning of its function; its registers are
    /// the given ones.
    pub fn add_thread(
        &self,
        words: &mut Vec<u32>,
        header: Header,
        thread_locals: impl Iterator<Item = u32>,
        registers: impl Iterator<Item = u32>,
        pc: u32,
    ) -> Thread {
        let number = self.threads(words);
        words.insert(self.directory + number, 0);
        for end in &mut words[self.directory..self.directory + number] {
            *end += 1;
        }
        let start = match number {
            0 => self.directory + 1,
            _ => words[self.directory + number - 1] as usize,
        };
        let before = words.len();
        let area = std::iter::once(header.pack())
            .chain(thread_locals)
            .chain(registers)
            .chain(std::iter::once(pc));
        words.splice(start..start, area);
        words[self.directory + number] = (start + words.len() - before) as u32;
        words[0] += 1;
        Thread(number as u32)
    }

    /// Makes room for `count` zero words at the end of a thread's area.
    pub fn grow(&self, words: &mut Vec<u32>, thread: Thread, count: usize) {
        let end = self.area_end(words, thread);
        let length = words.len();
        words.resize(length + count, 0);
        words.copy_within(end..length, end + count);
        words[end..end + count].fill(0);
        for entry in self.directory + thread.index()..self.directory + self.threads(words) {
            words[entry] += count as u32;
        }
    }

    /// Removes `count` words from the end of a thread's area.
    pub fn shrink(&self, words: &mut Vec<u32>, thread: Thread, count: usize) {
        let end = self.area_end(words, thread);
        words.copy_within(end.., end - count);
        words.truncate(words.len() - count);
        for entry in self.directory + thread.index()..self.directory + self.threads(words) {
            words[entry] -= count as u32;
        }
    }

    /// Appends an instance of a record to the heap; tells its reference.
    pub fn allocate(&self, words: &mut Vec<u32>, record: usize, initial: &[i32]) -> u32 {
        let reference = words.len() - self.heap_start(words) + 1;
        words.push(record as u32);
        words.extend(initial.iter().map(|&word| word as u32));
        reference as u32
    }

    /// The objects of the heap in order: reference and record.
    pub fn objects<'a>(&'a self, words: &'a [u32]) -> impl Iterator<Item = (u32, usize)> + 'a {
        let heap = self.heap_start(words);
        let mut next = heap;
        std::iter::from_fn(move || {
            let record = *words.get(next)? as usize;
            let reference = (next - heap + 1) as u32;
            next += self.record_words[record];
            Some((reference, record))
        })
    }

    /// The instance that a word of the heap belongs to: its number, from one, and its
    /// first word. It is the last one that begins before the word.
    pub fn instance_with(&self, words: &[u32], word: u32) -> (usize, u32) {
        let instances = self.objects(words).enumerate();
        let before = instances.take_while(|(_, (reference, _))| reference - 1 <= word);
        before.last().map_or((0, 0), |(number, (reference, _))| {
            (number + 1, reference - 1)
        })
    }

    /// What an object is to a claim about its region: the index of an element, or a
    /// reference to the instance that a field belongs to.
    pub fn accessed(&self, words: &[u32], object: Object) -> i32 {
        match self.regions[object.region.0 as usize].field {
            false => object.index as i32,
            true => self.instance_with(words, object.index).1 as i32 + 1,
        }
    }

    /// Copies a state with its heap in canonical order and without garbage: objects
    /// are numbered as a breadth-first traversal from the roots meets them.
    pub fn canonical(&self, words: &[u32], out: &mut Vec<u32>) {
        let end = self.copy(words, out);
        out.truncate(end);
    }

    /// The references to all instances that can still be reached.
    pub fn reachable(&self, words: &[u32]) -> Vec<u32> {
        let mut out = Vec::new();
        self.copy(words, &mut out);
        let heap = self.heap_start(words);
        let renamed = &out[words.len()..];
        let objects = self.objects(words).map(|(reference, _)| reference);
        debug_assert_eq!(renamed.len(), words.len() - heap);
        objects
            .filter(|&reference| renamed[reference as usize - 1] != 0)
            .collect()
    }

    /// Copies a state; returns where the copy ends. Behind it stand, for each word of the
    /// old heap, the new references to what began there.
    fn copy(&self, words: &[u32], out: &mut Vec<u32>) -> usize {
        let heap = self.heap_start(words);
        let size = words.len() - heap;
        out.clear();
        out.extend_from_slice(&words[..heap]);
        // The new references by old offset, kept behind the copy until it is done.
        out.resize(heap + 2 * size, 0);
        let mut next = heap;
        for &root in &self.references.shared {
            self.forward(words, out, heap, root, &mut next);
        }
        for thread in (0..self.threads(words)).map(|number| Thread(number as u32)) {
            let locals = self.locals_start(words, thread);
            if self.pc(words, thread).is_some() {
                for &slot in &self.references.thread_locals {
                    self.forward(words, out, heap, locals + slot, &mut next);
                }
            }
            for (base, pc) in self.frames(words, thread) {
                let function = usize::from(self.function_of[pc as usize]);
                for &register in &self.references.registers[function] {
                    self.forward(words, out, heap, base + register, &mut next);
                }
            }
        }
        let mut scanned = heap;
        while scanned < next {
            let record = out[scanned] as usize;
            for &word in &self.references.records[record] {
                self.forward(words, out, heap, scanned + 1 + word, &mut next);
            }
            scanned += self.record_words[record];
        }
        next
    }

    /// Renames the reference at `slot` of the copy, copying its object if it is new.
    fn forward(&self, words: &[u32], out: &mut [u32], heap: usize, slot: usize, next: &mut usize) {
        let Some(old) = (out[slot] as usize).checked_sub(1) else {
            return;
        };
        let size = words.len() - heap;
        let renamed = heap + size + old;
        if out[renamed] == 0 {
            let length = self.record_words[words[heap + old] as usize];
            out[*next..*next + length].copy_from_slice(&words[heap + old..heap + old + length]);
            out[renamed] = (*next - heap + 1) as u32;
            *next += length;
        }
        out[slot] = out[renamed];
    }
}

impl References {
    fn new(program: &Program) -> References {
        let mut references = References {
            registers: program
                .functions
                .iter()
                .map(|function| reference_slots(&function.registers))
                .collect(),
            thread_locals: reference_slots(&program.thread_locals),
            records: vec![Vec::new(); program.records.len()],
            shared: Vec::new(),
        };
        for region in &program.regions {
            if !matches!(region.value, ValueType::Reference(_)) {
                continue;
            }
            let words = (0..region.words()).filter(|word| match region.kind {
                Kind::Variable => true,
                // The first word of a channel is its length.
                Kind::Channel => word % region.stride() != 0,
                Kind::Monitor | Kind::Semaphore | Kind::Thread => false,
            });
            match region.home {
                Home::Shared(offset) => references
                    .shared
                    .extend(words.map(|word| 1 + (offset + word) as usize)),
                Home::Field(record, offset) => references.records[usize::from(record.0)]
                    .extend(words.map(|word| (offset + word) as usize)),
                Home::Threads => {}
            }
        }
        references
    }
}

fn reference_slots(slots: &[crate::ir::Slot]) -> Vec<usize> {
    (0..slots.len())
        .filter(|&slot| matches!(slots[slot].value, ValueType::Reference(_)))
        .collect()
}
