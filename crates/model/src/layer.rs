//! A system around another one with the same states.
//!
//! A [`Layer`] says what it does otherwise; everything else is passed on here, in one place.

use crate::facets::{
    Future, Futures, Influence, Invariants, Permission, Permissions, Temporal, TemporalProperty,
};
use crate::footprint::Footprint;
use crate::operations::{Object, ObjectState, Operations, Region};
use crate::outcome::Move;
use crate::system::{Fault, Halt, Place, States, Status, System, Thread};
use crate::trace::{Event, Narrate, Obstacle, Race};
use raddle_temporal::Letter;

/// The states of a layer are those of the system below.
pub type StateOf<L> = <<L as Layer>::Below as States>::State;

/// See the documentation of the module.
pub trait Layer: Sync {
    /// The system that it is around.
    type Below: System + ?Sized;

    /// The system that it is around.
    fn below(&self) -> &Self::Below;

    /// As [`System::initial`].
    fn initial(&self) -> Result<StateOf<Self>, Halt> {
        self.below().initial()
    }

    /// As [`System::step`].
    fn step(&self, state: &mut StateOf<Self>, thread: Thread, choice: u32) -> Result<(), Halt> {
        self.below().step(state, thread, choice)
    }

    /// As [`System::footprint`].
    fn footprint(&self, state: &StateOf<Self>, thread: Thread, out: &mut Footprint) {
        self.below().footprint(state, thread, out);
    }

    /// As [`Futures::future`].
    fn future(&self, state: &StateOf<Self>, thread: Thread) -> Option<Future> {
        self.below().future(state, thread)
    }

    /// As [`Futures::future_on`].
    fn future_on(&self, state: &StateOf<Self>, thread: Thread, region: Region) -> Operations {
        self.below().future_on(state, thread, region)
    }

    /// As [`Invariants::check_invariants`].
    fn check_invariants(&self, state: &StateOf<Self>) -> Result<(), Fault> {
        self.below().check_invariants(state)
    }

    /// As [`Invariants::invariant_future`].
    fn invariant_future(&self) -> Option<Future> {
        self.below().invariant_future()
    }

    /// As [`Narrate::narrate`].
    fn narrate(
        &self,
        state: &mut StateOf<Self>,
        step: Move,
        events: &mut Vec<Event>,
    ) -> Result<(), Halt>
    where
        Self::Below: Narrate,
    {
        self.below().narrate(state, step, events)
    }
}

/// A system behind a pointer. Whatever is generic over systems is compiled once for all of them
/// whose states are alike, and not for each layer on each system.
pub struct Erased<'a, T>(pub &'a dyn Narrate<State = T>);

impl<'a, T: Clone + Send> Layer for Erased<'a, T> {
    type Below = dyn Narrate<State = T> + 'a;

    fn below(&self) -> &Self::Below {
        self.0
    }
}

impl<L: Layer> States for L {
    type State = StateOf<L>;

    fn decodes(&self) -> bool {
        self.below().decodes()
    }
}

impl<L: Layer> System for L {
    fn initial(&self) -> Result<Self::State, Halt> {
        Layer::initial(self)
    }

    fn threads(&self, state: &Self::State) -> usize {
        self.below().threads(state)
    }

    #[inline]
    fn status(&self, state: &Self::State, thread: Thread) -> Status {
        self.below().status(state, thread)
    }

    #[inline]
    fn step(&self, state: &mut Self::State, thread: Thread, choice: u32) -> Result<(), Halt> {
        Layer::step(self, state, thread, choice)
    }

    fn footprint(&self, state: &Self::State, thread: Thread, out: &mut Footprint) {
        Layer::footprint(self, state, thread, out);
    }

    fn observe(&self, state: &Self::State, object: Object) -> ObjectState {
        self.below().observe(state, object)
    }

    fn held(&self, state: &Self::State, thread: Thread, out: &mut Vec<Object>) {
        self.below().held(state, thread, out);
    }

    fn is_daemon(&self, state: &Self::State, thread: Thread) -> bool {
        self.below().is_daemon(state, thread)
    }

    fn is_impatient(&self, state: &Self::State, thread: Thread) -> bool {
        self.below().is_impatient(state, thread)
    }

    #[inline]
    fn encode<'a>(&self, state: &'a Self::State, scratch: &'a mut Vec<u32>) -> &'a [u32] {
        self.below().encode(state, scratch)
    }

    fn decode(&self, words: &[u32], state: &mut Self::State) {
        self.below().decode(words, state);
    }
}

impl<L: Layer> Futures for L {
    fn future(&self, state: &Self::State, thread: Thread) -> Option<Future> {
        Layer::future(self, state, thread)
    }

    fn future_on(&self, state: &Self::State, thread: Thread, region: Region) -> Operations {
        Layer::future_on(self, state, thread, region)
    }
}

impl<L: Layer> Permissions for L {
    fn is_permanent(&self, object: Object) -> bool {
        self.below().is_permanent(object)
    }

    fn instance(&self, state: &Self::State, object: Object) -> Option<u32> {
        self.below().instance(state, object)
    }

    fn is_unshared(&self, state: &Self::State, object: Object, thread: Thread) -> bool {
        self.below().is_unshared(state, object, thread)
    }

    fn permission(&self, state: &Self::State, variable: Object, thread: Thread) -> Permission {
        self.below().permission(state, variable, thread)
    }

    fn exclusive(&self, state: &Self::State, out: &mut Vec<Object>) {
        self.below().exclusive(state, out);
    }

    fn permissions(&self) -> Option<Object> {
        self.below().permissions()
    }

    fn is_conditional(&self, variable: Object) -> bool {
        self.below().is_conditional(variable)
    }

    fn influence(&self, state: &Self::State, thread: Thread) -> Influence {
        self.below().influence(state, thread)
    }
}

impl<L: Layer> Invariants for L {
    fn check_invariants(&self, state: &Self::State) -> Result<(), Fault> {
        Layer::check_invariants(self, state)
    }

    fn invariant_footprint(&self, state: &Self::State, out: &mut Footprint) {
        self.below().invariant_footprint(state, out);
    }

    fn invariant_future(&self) -> Option<Future> {
        Layer::invariant_future(self)
    }
}

impl<L: Layer> Temporal for L {
    fn temporal_properties(&self) -> &[TemporalProperty] {
        self.below().temporal_properties()
    }

    fn letter(&self, state: &Self::State, property: usize) -> Result<Letter, Fault> {
        self.below().letter(state, property)
    }

    fn is_progress(&self, state: &Self::State) -> bool {
        self.below().is_progress(state)
    }
}

impl<L: Layer<Below: Narrate>> Narrate for L {
    fn thread_name(&self, state: &Self::State, thread: Thread) -> String {
        self.below().thread_name(state, thread)
    }

    fn object_name(&self, state: &Self::State, object: Object) -> String {
        self.below().object_name(state, object)
    }

    fn next_place(&self, state: &Self::State, thread: Thread) -> Option<Place> {
        self.below().next_place(state, thread)
    }

    fn narrate(
        &self,
        state: &mut Self::State,
        step: Move,
        events: &mut Vec<Event>,
    ) -> Result<(), Halt> {
        Layer::narrate(self, state, step, events)
    }

    fn shared_values(&self, state: &Self::State) -> Vec<(String, String)> {
        self.below().shared_values(state)
    }

    fn prelude(&self) -> Vec<Event> {
        self.below().prelude()
    }

    fn race(&self, state: &Self::State) -> Option<Race> {
        self.below().race(state)
    }

    fn obstacle(&self, state: &Self::State, thread: Thread) -> Option<Obstacle> {
        self.below().obstacle(state, thread)
    }
}
