//! How a computation is ended from outside, wherever it is.
//!
//! Nothing below the command line looks at a clock, at signals or at the memory of the process.
//! Whoever does sets a [`StopFlag`], and whatever can take long looks at it, at least every few
//! milliseconds of work. What was cut short may be wrong, so a search whose flag was set never
//! says *holds* (`Book::close` in `raddle-search` sees to that); what it found is replayed with
//! the flag lifted.

use crate::Reason;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// Says whether to stop, why, and how much memory there is left. Copies are one and the same.
#[derive(Debug)]
pub struct StopFlag(Arc<Shared>);

impl Clone for StopFlag {
    fn clone(&self) -> StopFlag {
        StopFlag(Arc::clone(&self.0))
    }

    /// Mostly they are one already, and counting them would have processors wait for each other.
    fn clone_from(&mut self, other: &StopFlag) {
        if !Arc::ptr_eq(&self.0, &other.0) {
            *self = other.clone();
        }
    }
}

#[derive(Debug)]
struct Shared {
    /// The position of a reason in [`REASONS`], from one, or zero; and [`LIFTED`].
    state: AtomicU8,
    /// Bytes.
    room: AtomicU64,
}

/// The bit that says that the flag is lifted for a while.
const LIFTED: u8 = 0x80;

/// Why a computation may be stopped.
const REASONS: [Reason; 3] = [Reason::Interrupted, Reason::Time, Reason::Memory];

impl Default for StopFlag {
    fn default() -> StopFlag {
        StopFlag(Arc::new(Shared {
            state: AtomicU8::new(0),
            room: AtomicU64::new(u64::MAX),
        }))
    }
}

impl StopFlag {
    /// Asks for an end, for good. The first reason counts.
    pub fn set(&self, reason: &Reason) {
        let position = REASONS.iter().position(|known| known == reason);
        let number = position.unwrap_or(0) as u8 + 1;
        let first = |state: u8| (state & !LIFTED == 0).then_some(state | number);
        // It was set before, if this fails.
        let (set, get) = (Ordering::Relaxed, Ordering::Relaxed);
        let _ = self.0.state.fetch_update(set, get, first);
    }

    /// Whether to stop.
    #[inline]
    pub fn is_set(&self) -> bool {
        !matches!(self.0.state.load(Ordering::Relaxed), 0 | LIFTED..)
    }

    /// Why to stop, if so.
    #[inline]
    pub fn reason(&self) -> Option<Reason> {
        match self.is_set() {
            true => self.cause(),
            false => None,
        }
    }

    /// Why somebody has asked for an end, if so, also while the flag is lifted.
    #[cold]
    pub fn cause(&self) -> Option<Reason> {
        let number = self.0.state.load(Ordering::Relaxed) & !LIFTED;
        let index = usize::from(number).checked_sub(1)?;
        REASONS.get(index).cloned()
    }

    /// Does something that has to be done to its end, as the replay of a violation that was
    /// found: for so long the flag does not seem to be set.
    pub fn lifted<T>(&self, act: impl FnOnce() -> T) -> T {
        let before = self.0.state.fetch_or(LIFTED, Ordering::Relaxed);
        let done = act();
        if before & LIFTED == 0 {
            self.0.state.fetch_and(!LIFTED, Ordering::Relaxed);
        }
        done
    }

    /// How many bytes the process may still take before it is at its limit; as far as it is
    /// known, which may be some milliseconds ago.
    pub fn room(&self) -> u64 {
        self.0.room.load(Ordering::Relaxed)
    }

    /// Takes so many bytes of those that the process may still take; false if there are less. The
    /// next who says how many there are knows of them. While the flag is lifted there is always
    /// room: what was found is done to its end.
    pub fn take_room(&self, bytes: u64) -> bool {
        if self.0.state.load(Ordering::Relaxed) & LIFTED != 0 {
            return true;
        }
        let (set, get) = (Ordering::Relaxed, Ordering::Relaxed);
        let take = |room: u64| room.checked_sub(bytes);
        self.0.room.fetch_update(set, get, take).is_ok()
    }

    /// Gives back bytes that were taken and are free again.
    pub fn return_room(&self, bytes: u64) {
        let (set, get) = (Ordering::Relaxed, Ordering::Relaxed);
        let add = |room: u64| Some(room.saturating_add(bytes));
        let _ = self.0.room.fetch_update(set, get, add);
    }

    /// Says how many bytes the process may still take.
    pub fn set_room(&self, bytes: u64) {
        self.0.room.store(bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_reason_counts_except_while_the_flag_is_lifted() {
        let flag = StopFlag::default();
        assert_eq!((flag.is_set(), flag.reason()), (false, None));
        flag.set(&Reason::Time);
        flag.set(&Reason::Interrupted);
        let copy = flag.clone();
        assert_eq!((copy.is_set(), copy.reason()), (true, Some(Reason::Time)));
        copy.lifted(|| {
            flag.set(&Reason::Memory);
            flag.lifted(|| assert!(!flag.is_set()));
            assert_eq!((flag.is_set(), flag.reason()), (false, None));
            assert_eq!(flag.cause(), Some(Reason::Time));
        });
        assert_eq!(flag.reason(), Some(Reason::Time));
    }

    #[test]
    fn what_is_set_while_it_is_lifted_counts_afterwards() {
        let flag = StopFlag::default();
        flag.lifted(|| flag.set(&Reason::Memory));
        assert_eq!(flag.reason(), Some(Reason::Memory));
    }

    #[test]
    fn room_is_taken_once() {
        let flag = StopFlag::default();
        flag.set_room(100);
        assert!(flag.take_room(60));
        assert!(!flag.take_room(41));
        assert!(flag.take_room(40));
        flag.return_room(10);
        assert!(!flag.take_room(11));
        assert!(flag.take_room(10));
        assert!(flag.lifted(|| flag.take_room(41)));
        assert_eq!(flag.room(), 0);
    }

    #[test]
    fn each_reason_is_given_back() {
        for reason in REASONS {
            let flag = StopFlag::default();
            flag.set(&reason);
            assert_eq!(flag.reason(), Some(reason));
        }
    }
}
