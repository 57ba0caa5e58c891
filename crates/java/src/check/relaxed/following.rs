//! What the operations of a step mean for what threads know.

use std::sync::atomic::Ordering;

use raddle_jvm::heap::{Body, Ref};
use raddle_jvm::state::State;
use raddle_jvm::thread::{Status as ThreadStatus, ThreadId};
use raddle_jvm::world::flags;
use raddle_model::Halt;
use raddle_reduce::exclusive::Level;
use raddle_views::{Fence, Memory, Mode};

use super::{
    AccessKind, Author, CLASS, Chosen, Location, MONITOR, PUBLISHED, THREAD, WORLD, given_up,
};
use crate::check::Java;
use crate::check::acts::{Act, Global, LogEntry};
use crate::check::layout::{self, declaration, is_ref_slot};
use crate::check::modes;
use crate::check::races::{MemoryAccess, accesses};

/// Arrays with more elements are not supported where it matters who knows their elements.
const MOST_ELEMENTS: usize = 256;

/// Follows the operations of one step.
pub(super) struct Following<'a> {
    pub(super) java: &'a Java,
    pub(super) machine: &'a mut State,
    pub(super) memory: &'a mut Memory<Location>,
    /// What was chosen for an access of the step, which is not made yet.
    pub(super) chosen: Option<(ThreadId, Chosen)>,
    /// The messages that were written, with their positions.
    pub(super) written: Vec<(Location, u32, Author)>,
}

impl Following<'_> {
    /// An operation was made.
    pub(super) fn entry(&mut self, entry: &LogEntry) -> Result<(), Halt> {
        let java = self.java;
        let id = entry.by;
        self.add_threads(id);
        let thread = id.0 as usize;
        match entry.act {
            Act::Share(ref objects) => return self.publish(id, objects),
            Act::Begin => return Err(given_up("an atomic block")),
            Act::Acquire(object) | Act::Resume(object) => {
                self.memory.acquire(thread, (object, MONITOR));
            }
            Act::Release(object) | Act::Wait(object) => {
                self.memory.release(thread, (object, MONITOR));
            }
            Act::Join(object) | Act::IsAlive(object) => self.await_end(thread, object),
            Act::Permit(object) | Act::Interrupt(object) | Act::Sleep(object) => {
                self.pass(thread, (object, THREAD));
            }
            Act::Initialise(class) | Act::Look(class) => {
                let mirror = self.machine.class(class).mirror;
                self.memory.acquire(thread, (mirror, CLASS));
            }
            Act::Initialised(class) | Act::Settled(class) => {
                let mirror = self.machine.class(class).mirror;
                self.memory.release(thread, (mirror, CLASS));
            }
            Act::Global(Global::Memory | Global::Outside) | Act::Exchange(_) | Act::Outside(_) => {
                self.pass(thread, WORLD);
            }
            Act::Fence => self.fence(thread, entry)?,
            _ => {}
        }
        match entry.act {
            Act::Read(object, index)
            | Act::Write(object, index)
            | Act::Update(object, index)
            | Act::Attempt(object, index) => {
                let location = (object, index);
                if !java.is_modelled(&self.machine.heap, &entry.frames, location) {
                    self.own_access(thread, entry, location);
                } else if java.has_history(&self.machine.heap, &entry.frames, location) {
                    self.access(id, entry, location)?;
                } else {
                    self.protected(thread, location, !matches!(entry.act, Act::Read(..)));
                }
            }
            _ => {
                for access in accesses(&entry.act).into_iter().flatten() {
                    self.access_all(thread, entry, access)?;
                }
            }
        }
        Ok(())
    }

    /// Threads that were started know what the one knows that has started them.
    fn add_threads(&mut self, by: ThreadId) {
        let parent = (by.0 as usize).min(self.memory.threads() - 1);
        while self.memory.threads() < self.machine.threads.len() {
            self.memory.add_thread(Some(parent));
        }
    }

    /// What has ended is not waited for by what is known of it.
    pub(super) fn end(&mut self) {
        self.add_threads(ThreadId(0));
        for thread in self.machine.threads.iter().filter_map(|it| it.get()) {
            let index = thread.id.0 as usize;
            if thread.status == ThreadStatus::Ended && self.memory.is_alive(index) {
                self.memory.finish(index);
            }
        }
    }

    fn await_end(&mut self, thread: usize, object: Ref) {
        let other = self.machine.thread_of(object);
        let has_ended = |id: &ThreadId| {
            let found = self.machine.thread(*id);
            found.is_some_and(|it| it.status == ThreadStatus::Ended)
        };
        if let Some(other) = other.filter(has_ended) {
            self.memory.join(thread, other.0 as usize);
        }
    }

    /// Learns what others have left, and leaves what it knows.
    fn pass(&mut self, thread: usize, gate: Location) {
        self.memory.acquire(thread, gate);
        self.memory.release(thread, gate);
    }

    fn fence(&mut self, thread: usize, entry: &LogEntry) -> Result<(), Halt> {
        let program = &self.java.program;
        if let Some(told) = modes::fence(program, &entry.frames)
            && (told.ends_with("loadLoadFence") || told.ends_with("storeStoreFence"))
        {
            return Err(given_up(&told));
        }
        let fence = match self.java.called(&entry.frames) {
            Some("loadFence") => Fence::Acquire,
            Some("storeFence") => Fence::Release,
            _ => Fence::Full,
        };
        self.memory.fence(thread, fence);
        Ok(())
    }

    /// The library accesses a variable of its own: other than by plain fields, it orders.
    fn own_access(&mut self, thread: usize, entry: &LogEntry, location: Location) {
        let java = self.java;
        let heap = &self.machine.heap;
        let is_plain = java.called(&entry.frames).is_none()
            && declaration(&java.program, heap, location.0, location.1)
                .is_none_or(|(_, field)| field.flags & flags::VOLATILE == 0);
        if is_plain {
            return;
        }
        if !matches!(entry.act, Act::Write(..)) {
            self.memory.acquire(thread, location);
        }
        if !matches!(entry.act, Act::Read(..)) {
            self.memory.release(thread, location);
        }
    }

    /// A variable is accessed that is taken to be protected. Nothing is, if the thread does not know of
    /// the last write.
    fn protected(&mut self, thread: usize, location: Location, is_write: bool) {
        let (object, index) = location;
        let java = self.java;
        let heap = &self.machine.heap;
        if java.is_final(heap, object, index) && !self.memory.has_history(location) {
            return;
        }
        let location_of_last = match self.memory.has_history(location) {
            true => location,
            false => (object, PUBLISHED),
        };
        if !self.memory.knows(thread, location_of_last)
            && let Some(note) = layout::note(&java.program, heap, object, index)
        {
            java.program.facts.book.weaken(note, Level::Free);
        }
        if is_write {
            self.memory.overwrite(thread, location);
        }
    }

    /// Several elements or fields are accessed together.
    fn access_all(
        &mut self,
        thread: usize,
        entry: &LogEntry,
        access: MemoryAccess,
    ) -> Result<(), Halt> {
        let object = access.object;
        let heap = &self.machine.heap;
        let Some(found) = heap.get(object) else {
            return Ok(());
        };
        let count = match &found.body {
            Body::Fields(fields) => fields.len(),
            other => other.length().unwrap_or(0),
        };
        let end = access.first.saturating_add(access.length).min(count as u32);
        for index in access.first..end {
            let location = (object, index);
            let heap = &self.machine.heap;
            if !self.java.is_modelled(heap, &entry.frames, location) {
                continue;
            }
            if !self.java.has_history(heap, &entry.frames, location) {
                self.protected(thread, location, access.is_write);
                continue;
            }
            let newest = heap.field(object, index);
            if !access.is_write && !self.memory.has_history(location) {
                continue;
            }
            self.memory.introduce(location, newest);
            let ways = match access.is_write {
                true => self.memory.places(thread, location, Mode::Plain),
                false => self.memory.readable(thread, location, Mode::Plain),
            };
            let [only] = ways[..] else {
                return Err(given_up("an array that is copied while others access it"));
            };
            match access.is_write {
                true => self
                    .memory
                    .write(thread, location, Mode::Plain, only, newest),
                false => {
                    self.memory.read(thread, location, Mode::Plain, only);
                }
            }
        }
        Ok(())
    }

    /// A variable with a history is accessed, as it was chosen.
    fn access(&mut self, id: ThreadId, entry: &LogEntry, location: Location) -> Result<(), Halt> {
        let (java, thread) = (self.java, id.0 as usize);
        let is_it = |&(by, chosen): &(ThreadId, Chosen)| {
            by == id && chosen.access.location == location && chosen.position.is_some()
        };
        let heap = &self.machine.heap;
        let now = heap.field(location.0, location.1);
        let (read, write) = java.access_modes(heap, &entry.frames, &entry.act, location);
        let Some((_, chosen)) = self.chosen.take_if(|it| is_it(it)) else {
            // Nobody else can be about: it is before the first other thread begins.
            if matches!(
                entry.act,
                Act::Write(..) | Act::Update(..) | Act::Attempt(..)
            ) {
                let before = entry.before.unwrap_or(now);
                self.memory.introduce(location, before);
                let places = self.memory.places(thread, location, Mode::Plain);
                let [only] = places[..] else {
                    return Err(given_up("an access in the middle of a step"));
                };
                self.memory.write(thread, location, write, only, now);
            } else if self.memory.has_history(location) {
                let ways = self.memory.readable(thread, location, read);
                let [only] = ways[..] else {
                    return Err(given_up("an access in the middle of a step"));
                };
                self.memory.read(thread, location, read, only);
            }
            return Ok(());
        };
        let Some(position) = chosen.position else {
            return Ok(());
        };
        if (read == Mode::Plain || write == Mode::Plain) && !self.memory.knows(thread, location) {
            let is_update = matches!(chosen.access.kind, AccessKind::Update { .. });
            java.program
                .facts
                .plain_race
                .fetch_or(!is_update, Ordering::Relaxed);
        }
        match chosen.access.kind {
            AccessKind::Read(mode) => {
                self.memory.read(thread, location, mode, position);
            }
            AccessKind::Write(mode) => {
                self.memory.write(thread, location, mode, position, now);
                self.sign(entry, location, position, mode);
            }
            AccessKind::Update { modes, .. } => {
                let history = self.memory.history(location);
                let found = history.get(position as usize).map(|it| it.value);
                let is_made = found.is_some_and(|found| chosen.access.is_made(found));
                self.memory
                    .update(thread, location, modes, position, is_made.then_some(now));
                if is_made {
                    self.sign(entry, location, position + 1, modes.1.max(Mode::Opaque));
                }
            }
        }
        let newest = self.memory.history(location).last().map(|it| it.value);
        if let Some(newest) = newest.filter(|newest| *newest != now) {
            let (object, index) = location;
            self.machine.heap.set_field(object, index, newest);
        }
        Ok(())
    }

    fn sign(&mut self, entry: &LogEntry, location: Location, position: u32, mode: Mode) {
        let author = Author {
            thread: entry.by,
            place: self.java.place_of(&entry.frames),
            mode,
        };
        self.written.push((location, position, author));
    }

    /// Others can reach objects from now on, of which only the thread knows that.
    fn publish(&mut self, id: ThreadId, objects: &[Ref]) -> Result<(), Halt> {
        let thread = id.0 as usize;
        let is_concurrent = self.machine.threads.len() > self.java.own_threads as usize + 1;
        if !is_concurrent {
            return Ok(());
        }
        let frozen = self.frozen(objects);
        let fresh = objects.iter().filter(|it| !frozen.contains(it));
        for &object in fresh.clone() {
            if self.can_be_stale(object) {
                let location = (object, PUBLISHED);
                self.memory.overwrite(thread, location);
            }
        }
        for &object in fresh {
            self.publish_values(thread, object)?;
        }
        Ok(())
    }

    /// Whether an object has something that is not final.
    fn can_be_stale(&self, object: Ref) -> bool {
        let program = &self.java.program;
        let heap = &self.machine.heap;
        let Some(found) = heap.get(object) else {
            return false;
        };
        match &found.body {
            Body::Fields(fields) => (0..fields.len() as u32).any(|index| {
                declaration(program, heap, object, index)
                    .is_some_and(|(_, field)| field.flags & flags::FINAL == 0)
                    && self.java.is_modelled(heap, &[], (object, index))
            }),
            _ => true,
        }
    }

    /// What stands in the variables with histories of an object was written by the thread.
    fn publish_values(&mut self, thread: usize, object: Ref) -> Result<(), Halt> {
        let program = &self.java.program;
        let heap = &self.machine.heap;
        let Some(found) = heap.get(object) else {
            return Ok(());
        };
        let (count, is_array) = match &found.body {
            Body::Fields(fields) => (fields.len(), false),
            other => (other.length().unwrap_or(0), true),
        };
        for index in 0..count as u32 {
            let location = (object, index);
            let value = found.body.read(index as usize).unwrap_or(0);
            let note = layout::note(program, heap, object, index);
            let is_free = note.is_some_and(|note| note.level() == Level::Free);
            let is_modelled = is_array || self.java.is_modelled(heap, &[], location);
            if value == 0 || !is_free || !is_modelled || self.java.is_final(heap, object, index) {
                continue;
            }
            if count > MOST_ELEMENTS {
                return Err(given_up("a large array that is published while others run"));
            }
            let declared = declaration(program, heap, object, index);
            let mode = match declared.is_some_and(|(_, it)| it.flags & flags::VOLATILE != 0) {
                true => Mode::Release,
                false => Mode::Plain,
            };
            self.memory.introduce(location, 0);
            self.memory.write(thread, location, mode, 1, value);
        }
        Ok(())
    }

    /// Those objects that can be reached by a final field of one of them: all know what is in them.
    fn frozen(&mut self, objects: &[Ref]) -> Vec<Ref> {
        let program = &self.java.program;
        let heap = &self.machine.heap;
        let references = |object: Ref, is_all: bool| match heap.get(object).map(|it| &it.body) {
            Some(Body::Refs(refs)) if is_all => refs.to_vec(),
            Some(Body::Fields(fields)) => {
                let kept = fields.iter().enumerate().filter(|&(index, _)| {
                    let declared = declaration(program, heap, object, index as u32);
                    is_ref_slot(program, heap, object, index as u32)
                        && (is_all || declared.is_none_or(|(_, it)| it.flags & flags::FINAL != 0))
                });
                kept.map(|(_, &word)| Ref::of(word)).collect()
            }
            _ => Vec::new(),
        };
        let is_ours = |it: &Ref| objects.contains(it) || self.memory.has_history((*it, PUBLISHED));
        let mut frozen: Vec<Ref> = Vec::new();
        let mut open: Vec<Ref> = Vec::new();
        for &object in objects {
            open.extend(references(object, false).into_iter().filter(is_ours));
        }
        while let Some(object) = open.pop() {
            if !frozen.contains(&object) {
                frozen.push(object);
                open.extend(references(object, true).into_iter().filter(is_ours));
            }
        }
        for &object in &frozen {
            self.memory.reveal((object, PUBLISHED));
        }
        frozen
    }
}
