//! Monitors: the lock of each object.

use super::{Env, Trap};
use crate::heap::{Lock, Ref};
use crate::hook::At;
use crate::thread::Status;
use crate::world::ClassId;

impl Env<'_> {
    /// Enters the monitor of an object for code of a class, or blocks.
    pub(crate) fn lock(&mut self, object: Ref, by: ClassId) -> Result<(), Trap> {
        let me = self.thread.id.0 + 1;
        let at = At::calls(&self.thread.frames);
        if let Some(hook) = self.hook.as_deref_mut()
            && hook.acquire(at, &self.state.heap, object, by)
        {
            return Err(Trap::Watched);
        }
        let Some(locked) = self.state.heap.get_mut(object) else {
            return Err(Trap::Raise("java/lang/NullPointerException", None));
        };
        match locked.lock.owner {
            0 => {
                locked.lock = Lock {
                    owner: me,
                    count: 1,
                };
                if self.hook.is_some() {
                    self.thread.held.push(object);
                }
            }
            owner if owner == me => locked.lock.count += 1,
            _ => return Err(Trap::Block(Status::Entering(object))),
        }
        Ok(())
    }

    pub(crate) fn unlock(&mut self, object: Ref) {
        let me = self.thread.id.0 + 1;
        if let Some(hook) = self.hook.as_deref_mut() {
            hook.release(At::calls(&self.thread.frames), &self.state.heap, object);
        }
        if let Some(locked) = self.state.heap.get_mut(object)
            && locked.lock.owner == me
        {
            locked.lock.count -= 1;
            if locked.lock.count == 0 {
                locked.lock.owner = 0;
                self.thread.held.retain(|&held| held != object);
            }
        }
    }

    /// Whether the current thread holds the monitor of an object.
    pub(crate) fn owns(&self, object: Ref) -> bool {
        self.state
            .heap
            .get(object)
            .is_some_and(|object| object.lock.owner == self.thread.id.0 + 1)
    }

    pub(crate) fn check_owned(&self, object: Ref) -> Result<(), Trap> {
        if object.is_null() {
            return Err(Trap::Raise("java/lang/NullPointerException", None));
        }
        if self.owns(object) {
            return Ok(());
        }
        let message = "current thread is not owner".to_owned();
        Err(Trap::Raise(
            "java/lang/IllegalMonitorStateException",
            Some(message),
        ))
    }
}
