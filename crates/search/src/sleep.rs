//! Sleep sets on stored states: every state is visited, but by fewer steps.
//!
//! **From**: Godefroid's sleep sets (paper 002, sections 3 and 7) with the rule for states that
//! are met again (Godefroid 1996, section 5.3). A thread falls asleep when its steps were tried in a
//! state, and sleeps on after a step that is independent of its own. Who sleeps in a state is
//! not tried there: where its step leads is reached otherwise.
//!
//! With each state it is remembered who slept whenever it was visited. When it is met again and
//! some of those are awake now, their steps are made up for. As that is remembered for the threads of
//! one path, it is for depth-first search by one worker.

use foldhash::HashMap;
use raddle_model::{Footprint, System, Thread};

/// A set of threads among the first 64. The others never sleep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sleepers(u64);

impl Sleepers {
    pub(crate) fn add(&mut self, thread: Thread) {
        self.0 |= 1u64.checked_shl(thread.0).unwrap_or(0);
    }

    pub(crate) fn contains(self, thread: Thread) -> bool {
        self.0
            .checked_shr(thread.0)
            .is_some_and(|rest| rest & 1 == 1)
    }

    fn iter(self) -> impl Iterator<Item = Thread> {
        (0..64).map(Thread).filter(move |&it| self.contains(it))
    }
}

/// Who slept in which state.
#[derive(Default)]
pub(crate) struct Sleep {
    /// By the number of the state: who slept in it whenever it was visited, if anybody did.
    by_state: HashMap<u64, Sleepers>,
    footprints: [Footprint; 2],
}

impl Sleep {
    /// Those who sleep on while a thread makes its step in a state.
    pub(crate) fn after<S: System>(
        &mut self,
        system: &S,
        state: &S::State,
        thread: Thread,
        asleep: Sleepers,
    ) -> Sleepers {
        let mut still = Sleepers::default();
        if asleep == still {
            return still;
        }
        let [mine, theirs] = &mut self.footprints;
        system.footprint(state, thread, mine);
        for other in asleep.iter().filter(|&other| other != thread) {
            system.footprint(state, other, theirs);
            let observe = |object| system.observe(state, object);
            if mine.independent_in(thread, theirs, other, observe) {
                still.add(other);
            }
        }
        still
    }

    /// Remembers who sleeps in a new state.
    pub(crate) fn enter(&mut self, state: u64, asleep: Sleepers) {
        if asleep != Sleepers::default() {
            self.by_state.insert(state, asleep);
        }
    }

    /// Those who slept in a state whenever it was visited, and are awake now: if there are any,
    /// they are to be tried.
    pub(crate) fn awakened(&mut self, state: u64, asleep: Sleepers) -> Option<Sleepers> {
        let before = self.by_state.get_mut(&state)?;
        let awakened = Sleepers(before.0 & !asleep.0);
        before.0 &= asleep.0;
        if before.0 == 0 {
            self.by_state.remove(&state);
        }
        (awakened.0 != 0).then_some(awakened)
    }

    pub(crate) fn bytes(&self) -> u64 {
        // One byte of a slot tells whether it is taken.
        self.by_state.capacity() as u64 * (size_of::<(u64, Sleepers)>() as u64 + 1)
    }
}
