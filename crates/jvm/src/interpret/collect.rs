//! Garbage collection: only when memory becomes scarce, and never seen by the program.

use super::{Env, Trap};
use crate::heap::{Body, Ref};
use crate::thread::{Status, Then, Thread};
use crate::world::World;

/// Objects of so many bytes are mapped one by one where programs run, so that trying it out does not
/// take longer than making them. Smaller ones are counted until they are as much together.
const LARGE: usize = 128 << 10;

impl Env<'_> {
    /// Makes sure that there is room for `bytes` more: in the heap of the program, and in the memory
    /// of the process, where it would not be the program that fails.
    pub(crate) fn make_room(&mut self, bytes: usize) -> Result<(), Trap> {
        self.make_room_in_heap(bytes)?;
        self.make_room_in_process(bytes)
    }

    /// Makes sure that the process can have `bytes` more.
    pub(crate) fn make_room_in_process(&mut self, bytes: usize) -> Result<(), Trap> {
        self.allocated = self.allocated.saturating_add(bytes);
        if self.allocated < LARGE {
            return Ok(());
        }
        let bytes = std::mem::take(&mut self.allocated);
        let has_room = || {
            let mut tried: Vec<u8> = Vec::new();
            self.world.stop.take_room(bytes as u64) && tried.try_reserve_exact(bytes).is_ok()
        };
        match has_room() {
            true => Ok(()),
            false => Err(Trap::Unsupported(format!(
                "there is no memory left for {bytes} bytes"
            ))),
        }
    }

    fn make_room_in_heap(&mut self, bytes: usize) -> Result<(), Trap> {
        let wanted = self.state.heap.used().saturating_add(bytes);
        if wanted <= self.state.collect_at {
            return Ok(());
        }
        if bytes <= self.state.memory_limit {
            self.collect();
        }
        let used = self.state.heap.used();
        if used.saturating_add(bytes) > self.state.memory_limit {
            self.one_of_many("heaps of more than 1 GiB");
            return Err(Trap::Raise(
                "java/lang/OutOfMemoryError",
                Some("Java heap space".to_owned()),
            ));
        }
        self.state.collect_at = (used * 2)
            .max(256 << 20)
            .max(used.saturating_add(bytes))
            .min(self.state.memory_limit);
        Ok(())
    }

    /// Forgets objects that cannot be reached. Registers that are read again are taken
    /// for references if they look like one. Only called where the machine itself holds none.
    fn collect(&mut self) {
        let mut marking = Marking {
            marked: vec![false; self.state.heap.end() as usize],
            pending: Vec::new(),
        };
        marking.thread(self.world, self.thread);
        for thread in &self.state.threads {
            if let Some(thread) = thread.get() {
                marking.thread(self.world, thread);
            }
        }
        for index in 0..self.state.classes.len() {
            if let Some(class) = self.state.classes.get(index) {
                marking.mark(class.mirror);
                marking.mark(class.failure);
            }
        }
        self.state
            .interned_strings()
            .for_each(|string| marking.mark(string));
        // What was there at the beginning stays, whoever refers to it, and so does what it refers to.
        self.state.heap.dirty().for_each(|it| marking.mark(it));
        while let Some(object) = marking.pending.pop() {
            let Some(object) = self.state.heap.get(object) else {
                continue;
            };
            match &object.body {
                Body::Fields(fields) => fields.iter().for_each(|&word| marking.mark_word(word)),
                Body::Refs(refs) => refs.iter().for_each(|&object| marking.mark(object)),
                _ => {}
            }
        }
        let marked = marking.marked;
        self.state
            .heap
            .sweep(|object| marked.get(object.0 as usize).copied().unwrap_or(false));
    }
}

struct Marking {
    marked: Vec<bool>,
    pending: Vec<Ref>,
}

impl Marking {
    fn mark(&mut self, object: Ref) {
        if let Some(mark) = self.marked.get_mut(object.0 as usize)
            && !*mark
        {
            *mark = true;
            self.pending.push(object);
        }
    }

    fn mark_word(&mut self, word: u64) {
        if word < self.marked.len() as u64 {
            self.mark(Ref(word as u32));
        }
    }

    fn thread(&mut self, world: &World, thread: &Thread) {
        self.mark(thread.object);
        self.mark(thread.uncaught);
        if let Status::Entering(object)
        | Status::Waiting { object, .. }
        | Status::Returning { object, .. } = thread.status
        {
            self.mark(object);
        }
        for (index, frame) in thread.frames.iter().enumerate() {
            if let Then::Unlock(object) = frame.then {
                self.mark(object);
            }
            thread.live_registers(world, index, |it| self.mark_word(it.value));
        }
    }
}
