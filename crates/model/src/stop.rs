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
#[derive(Clone, Debug)]
pub struct StopFlag(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    /// [`GO`], [`LIFTED`], or the position of a reason in [`REASONS`], from one.
    state: AtomicU8,
    /// Bytes.
    room: AtomicU64,
}

const GO: u8 = 0;
const LIFTED: u8 = u8::MAX;

/// Why a computation may be stopped.
const REASONS: [Reason; 3] = [Reason::Interrupted, Reason::Time, Reason::Memory];

impl Default for StopFlag {
    fn default() -> StopFlag {
        StopFlag(Arc::new(Shared {
            state: AtomicU8::new(GO),
            room: AtomicU64::new(u64::MAX),
        }))
    }
}

impl StopFlag {
    /// Asks for an end, for good. The first reason counts.
    pub fn set(&self, reason: &Reason) {
        let position = REASONS.iter().position(|known| known == reason);
        let state = position.unwrap_or(0) as u8 + 1;
        let (set, failed) = (Ordering::Relaxed, Ordering::Relaxed);
        // Set before, or lifted, if this fails.
        let _ = self.0.state.compare_exchange(GO, state, set, failed);
    }

    /// Whether to stop.
    #[inline]
    pub fn is_set(&self) -> bool {
        !matches!(self.0.state.load(Ordering::Relaxed), GO | LIFTED)
    }

    /// Why to stop, if so.
    pub fn reason(&self) -> Option<Reason> {
        let state = self.0.state.load(Ordering::Relaxed);
        REASONS.get(usize::from(state).checked_sub(1)?).cloned()
    }

    /// From now on the flag is not set, whoever sets it: what follows has to be done, as the
    /// replay of a violation that was found. Returns why it was set before.
    pub fn lift(&self) -> Option<Reason> {
        let state = self.0.state.swap(LIFTED, Ordering::Relaxed);
        REASONS.get(usize::from(state).checked_sub(1)?).cloned()
    }

    /// How many bytes the process may still take before it is at its limit; as far as it is
    /// known, which may be some milliseconds ago.
    pub fn room(&self) -> u64 {
        self.0.room.load(Ordering::Relaxed)
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
    fn the_first_reason_counts_until_the_flag_is_lifted() {
        let flag = StopFlag::default();
        assert_eq!((flag.is_set(), flag.reason()), (false, None));
        flag.set(&Reason::Time);
        flag.set(&Reason::Interrupted);
        let copy = flag.clone();
        assert_eq!((copy.is_set(), copy.reason()), (true, Some(Reason::Time)));
        assert_eq!(copy.lift(), Some(Reason::Time));
        flag.set(&Reason::Memory);
        assert_eq!((flag.is_set(), flag.reason()), (false, None));
        assert_eq!(flag.lift(), None);
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
