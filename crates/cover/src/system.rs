//! A net as a concurrent program, so that a run of it is searched, replayed and told like
//! that of any other.
//!
//! There are two threads. The first puts tokens into the places whose initial number is not
//! fixed, one by one; the second fires transitions, and once it has begun the first is done.

use crate::certificate::Run;
use crate::net::{Firing, Marking, Net, covers};
use crate::upper::UpperBounds;
use raddle_model::{
    Event, Fault, FaultKind, Footprint, Futures, Halt, Invariants, Move, Narrate, Object,
    ObjectState, Operation, Permissions, Place, Region, States, Status, System, Temporal, Thread,
};

/// A net that runs.
#[derive(Clone, Copy, Debug)]
pub struct NetSystem<'a> {
    net: &'a Net,
    /// Bounds from above, to which it keeps.
    upper: Option<&'a UpperBounds>,
}

/// A marking, and whether anything has been fired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetState {
    marking: Marking,
    begun: bool,
}

/// Who chooses the initial marking.
const SETTER: Thread = Thread(0);
/// Who fires.
const FIRER: Thread = Thread(1);

/// All tokens are one object: whoever moves one may enable or disable anything.
const TOKENS: Object = Object {
    region: Region(0),
    index: 0,
};

impl<'a> NetSystem<'a> {
    /// The net as a program.
    pub fn new(net: &'a Net) -> NetSystem<'a> {
        NetSystem { net, upper: None }
    }

    /// The net with bounds from above as a program.
    pub fn bounded(net: &'a Net, upper: Option<&'a UpperBounds>) -> NetSystem<'a> {
        NetSystem { net, upper }
    }

    /// What can happen in a marking.
    fn successors(&self, marking: &[u32]) -> impl Iterator<Item = (Firing, Marking)> {
        let allows = |firing: Firing| {
            let upper = self.upper;
            upper.is_none_or(|upper| upper.allow(firing.transition, marking))
        };
        let successors = self.net.successors(marking);
        successors.filter(move |&(firing, _)| allows(firing))
    }

    /// The schedule that does what a run does; `None` if the run is not one of this net.
    pub fn schedule(&self, run: &Run) -> Option<Vec<Move>> {
        let mut schedule = Vec::new();
        let mut state = self.start();
        for (place, &wanted) in run.initial.iter().enumerate() {
            while *state.marking.get(place)? < wanted {
                let free = self.free_places(&state.marking);
                let choice = free.into_iter().position(|free| free == place)?;
                schedule.push(Move {
                    thread: SETTER,
                    choice: u32::try_from(choice).ok()?,
                });
                state.marking[place] += 1;
            }
        }
        for &firing in &run.firings {
            let choice = self
                .successors(&state.marking)
                .position(|(possible, _)| possible == firing)?;
            schedule.push(Move {
                thread: FIRER,
                choice: u32::try_from(choice).ok()?,
            });
            if !self.net.fire_in(&mut state.marking, firing) {
                return None;
            }
        }
        Some(schedule)
    }

    fn start(&self) -> NetState {
        NetState {
            marking: self.net.least.clone(),
            begun: false,
        }
    }

    /// The places that may hold one token more initially.
    fn free_places(&self, marking: &[u32]) -> Vec<usize> {
        let bounds = marking.iter().zip(&self.net.most).enumerate();
        let free = bounds.filter(|(_, (tokens, most))| tokens < most);
        free.map(|(place, _)| place).collect()
    }

    fn firing(&self, state: &NetState, choice: u32) -> Option<(Firing, Marking)> {
        self.successors(&state.marking).nth(choice as usize)
    }

    /// The transition that a choice of a step stands for, if it is one, and what it leads to.
    fn after(
        &self,
        state: &NetState,
        thread: Thread,
        choice: u32,
    ) -> Option<(Option<&'a str>, Marking)> {
        match thread {
            SETTER => {
                let place = *self.free_places(&state.marking).get(choice as usize)?;
                let mut marking = state.marking.clone();
                marking[place] += 1;
                Some((None, marking))
            }
            _ => {
                let (firing, marking) = self.firing(state, choice)?;
                let transition = &self.net.transitions[firing.transition];
                Some((Some(&transition.name), marking))
            }
        }
    }
}

impl States for NetSystem<'_> {
    type State = NetState;
}

impl System for NetSystem<'_> {
    fn initial(&self) -> Result<NetState, Halt> {
        Ok(self.start())
    }

    fn threads(&self, _state: &NetState) -> usize {
        2
    }

    fn status(&self, state: &NetState, thread: Thread) -> Status {
        let ways = match thread {
            SETTER if state.begun => return Status::Done,
            SETTER => self.free_places(&state.marking).len(),
            _ => self.successors(&state.marking).count(),
        };
        match (thread, u32::try_from(ways).unwrap_or(u32::MAX)) {
            (SETTER, 0) => Status::Done,
            (_, 0) => Status::Blocked,
            (_, choices) => Status::Ready { choices },
        }
    }

    fn step(&self, state: &mut NetState, thread: Thread, choice: u32) -> Result<(), Halt> {
        let (_, marking) = self
            .after(state, thread, choice)
            .ok_or_else(|| Halt::GaveUp("more tokens than can be counted".to_owned()))?;
        state.marking = marking;
        state.begun |= thread == FIRER;
        Ok(())
    }

    fn footprint(&self, _state: &NetState, _thread: Thread, out: &mut Footprint) {
        out.clear();
        out.add(TOKENS, Operation::Update);
    }

    fn observe(&self, _state: &NetState, _object: Object) -> ObjectState {
        ObjectState::Opaque
    }

    fn held(&self, _state: &NetState, _thread: Thread, out: &mut Vec<Object>) {
        out.clear();
    }

    fn is_daemon(&self, _state: &NetState, _thread: Thread) -> bool {
        true
    }

    fn is_impatient(&self, _: &NetState, _: Thread) -> bool {
        false
    }

    fn encode<'a>(&self, state: &'a NetState, scratch: &'a mut Vec<u32>) -> &'a [u32] {
        scratch.clear();
        scratch.extend_from_slice(&state.marking);
        scratch.push(u32::from(state.begun));
        scratch
    }

    fn decode(&self, words: &[u32], state: &mut NetState) {
        if let Some((&begun, marking)) = words.split_last() {
            state.marking.clear();
            state.marking.extend_from_slice(marking);
            state.begun = begun != 0;
        }
    }
}

impl Futures for NetSystem<'_> {}

impl Permissions for NetSystem<'_> {}

impl Temporal for NetSystem<'_> {}

impl Invariants for NetSystem<'_> {
    fn check_invariants(&self, state: &NetState) -> Result<(), Fault> {
        let keeps = |target: usize| {
            let upper = self.upper;
            upper.is_none_or(|upper| upper.keeps_target(target, &state.marking))
        };
        let mut targets = self.net.targets.iter().enumerate();
        match targets.find(|&(index, target)| covers(&state.marking, target) && keeps(index)) {
            None => Ok(()),
            Some((index, target)) => {
                let bounds = self.upper.and_then(|upper| upper.targets.get(index));
                let demands = target.iter().map(|demand| (demand, ">="));
                let bounds = bounds.into_iter().flatten().map(|bound| (bound, "<="));
                let demands = demands.chain(bounds).map(|(&(place, number), sign)| {
                    let name = &self.net.places[place.index()];
                    format!("{name} {sign} {number}")
                });
                let demands: Vec<String> = demands.collect();
                let unsafe_markings = match demands.is_empty() {
                    true => "every marking".to_owned(),
                    false => demands.join(" & "),
                };
                Err(Fault {
                    kind: FaultKind::Invariant,
                    message: format!("unsafe: {unsafe_markings}"),
                    place: None,
                })
            }
        }
    }
}

impl Narrate for NetSystem<'_> {
    fn thread_name(&self, _state: &NetState, thread: Thread) -> String {
        match thread {
            SETTER => "initially".to_owned(),
            _ => "net".to_owned(),
        }
    }

    fn object_name(&self, _state: &NetState, _object: Object) -> String {
        "the tokens".to_owned()
    }

    fn next_place(&self, _state: &NetState, _thread: Thread) -> Option<Place> {
        None
    }

    fn narrate(
        &self,
        state: &mut NetState,
        step: Move,
        events: &mut Vec<Event>,
    ) -> Result<(), Halt> {
        let told = self.after(state, step.thread, step.choice);
        let before = state.marking.clone();
        self.step(state, step.thread, step.choice)?;
        if let Some((Some(name), _)) = told {
            events.push(Event {
                place: None,
                object: name.to_owned(),
                operation: None,
                value: None,
                ..Event::default()
            });
        }
        for (place, (old, new)) in before.iter().zip(&state.marking).enumerate() {
            if old != new {
                events.push(Event {
                    place: None,
                    object: self.net.places[place].clone(),
                    operation: Some(Operation::Write),
                    value: Some(new.to_string()),
                    ..Event::default()
                });
            }
        }
        Ok(())
    }

    /// The places that hold tokens: the others would fill the screen.
    fn shared_values(&self, state: &NetState) -> Vec<(String, String)> {
        let marked = self.net.places.iter().zip(&state.marking);
        let marked = marked.filter(|&(_, &tokens)| tokens > 0);
        marked
            .map(|(name, tokens)| (name.clone(), tokens.to_string()))
            .collect()
    }
}
