//! What a net can do, arranged for firing on sparse markings, forward and backward.
//!
//! Only what matters is kept: transitions that can become possible at all, and of these only
//! those that can bring a token to a place on which a target depends. The other places of
//! the net do not occur in the bounds of a search.

use super::sparse::{Sparse, as_bound, raise, tokens_in};
use crate::net::{Firing, MOST_TOKENS, Marking, Net, OMEGA, Place, Update};

/// The transitions of a net that matter.
pub(super) struct Actions {
    pub(super) actions: Vec<Action>,
    /// For each place the actions that are looked at where it is marked.
    roused: Vec<Vec<usize>>,
    /// The actions that need nothing.
    free: Vec<usize>,
    /// Where a target may depend on the number of tokens.
    relevant: Vec<bool>,
    /// Where tokens can be at all.
    reachable: Vec<bool>,
}

/// A transition that matters.
pub(super) struct Action {
    /// Its index in the net.
    transition: usize,
    /// What it needs, also in order to leave no place with less than nothing.
    pub(super) needs: Sparse,
    /// Places whose content changes by a number.
    pub(super) shifts: Vec<(Place, i64)>,
    /// Places that get another sum.
    pub(super) moves: Vec<Update>,
    pub(super) wakes: Vec<(Place, Place)>,
}

impl Actions {
    pub(super) fn new(net: &Net) -> Actions {
        let mut actions: Vec<Action> = (0..net.transitions.len())
            .map(|transition| Action::new(net, transition))
            .collect();
        let reachable = reachable(net, &actions);
        actions.retain(|action| action.is_possible(&reachable));
        let relevant = relevant(net, &actions);
        actions.retain(|action| action.may_fill(&relevant));
        for action in &mut actions {
            action.shifts.retain(|(place, _)| relevant[place.index()]);
            action.moves.retain(|update| relevant[update.place.index()]);
        }
        let mut roused = vec![Vec::new(); net.places.len()];
        let mut free = Vec::new();
        let mut users = vec![0; net.places.len()];
        for (place, _) in actions.iter().flat_map(|action| &action.needs) {
            users[place.index()] += 1;
        }
        for (index, action) in actions.iter().enumerate() {
            // The place that fewest others need says most about who is possible.
            let rarest = action.needs.iter().min_by_key(|need| users[need.0.index()]);
            match rarest {
                Some(&(place, _)) => roused[place.index()].push(index),
                None => free.push(index),
            }
        }
        Actions {
            actions,
            roused,
            free,
            relevant,
            reachable,
        }
    }

    pub(super) fn places(&self) -> usize {
        self.relevant.len()
    }

    /// The part of a marking that matters, as a bound.
    pub(super) fn bound(&self, marking: &[u32]) -> Sparse {
        let places = (0..).map(Place).zip(marking.iter().copied());
        let matter = places.filter(|&(place, tokens)| tokens > 0 && self.relevant[place.index()]);
        matter
            .map(|(place, tokens)| (place, as_bound(u64::from(tokens))))
            .collect()
    }

    /// The bound for the whole net: there is none in places that do not matter, except that
    /// nothing gets to where no token can be.
    pub(super) fn whole(&self, bound: &[(Place, u32)]) -> Marking {
        let matters = self.relevant.iter().zip(&self.reachable);
        let mut whole: Marking = matters
            .map(|(&relevant, &reachable)| if reachable && !relevant { OMEGA } else { 0 })
            .collect();
        for &(place, tokens) in bound {
            whole[place.index()] = tokens;
        }
        whole
    }

    /// Calls back with each firing that is possible in a marking, and what it leads to. A
    /// firing names an action, not a transition.
    pub(super) fn successors(
        &self,
        desk: &mut Desk,
        marking: &[(Place, u32)],
        mut each: impl FnMut(Firing, Sparse),
    ) {
        desk.load(marking);
        let roused = marking
            .iter()
            .flat_map(|(place, _)| &self.roused[place.index()]);
        for &index in self.free.iter().chain(roused) {
            let action = &self.actions[index];
            if !desk.update(action) {
                continue;
            }
            let mut waits = false;
            for (pair, &(from, to)) in action.wakes.iter().enumerate() {
                if desk.after(from) == 0 {
                    continue;
                }
                waits = true;
                let firing = Firing {
                    transition: index,
                    wake: Some(pair),
                };
                each(firing, desk.result(marking, Some((from, to))));
            }
            if !waits {
                let firing = Firing {
                    transition: index,
                    wake: None,
                };
                each(firing, desk.result(marking, None));
            }
        }
        desk.unload(marking);
    }

    /// The marking after a firing, if it is possible.
    pub(super) fn fire(
        &self,
        desk: &mut Desk,
        marking: &[(Place, u32)],
        firing: Firing,
    ) -> Option<Sparse> {
        let action = &self.actions[firing.transition];
        desk.load(marking);
        let after = desk.update(action).then(|| match firing.wake {
            Some(pair) => {
                let &(from, to) = action.wakes.get(pair)?;
                (desk.after(from) > 0).then(|| desk.result(marking, Some((from, to))))
            }
            None => {
                let mut pairs = action.wakes.iter();
                let waits = pairs.any(|&(from, _)| desk.after(from) > 0);
                (!waits).then(|| desk.result(marking, None))
            }
        });
        desk.unload(marking);
        after.flatten()
    }

    /// A finite demand below `bound` from which a firing leads above `demand`, which is
    /// finite and below what the firing makes of `bound`. `None` if that needs more tokens
    /// than can be counted.
    pub(super) fn before(
        &self,
        bound: &[(Place, u32)],
        firing: Firing,
        demand: &[(Place, u32)],
    ) -> Option<Sparse> {
        let action = &self.actions[firing.transition];
        let mut demand = demand.to_vec();
        if let Some(&(from, to)) = firing.wake.and_then(|pair| action.wakes.get(pair)) {
            let woken = tokens_in(&demand, to);
            demand.retain(|&(place, _)| place != to);
            raise(&mut demand, to, woken.saturating_sub(1));
            let waiting = tokens_in(&demand, from) + 1;
            raise(&mut demand, from, waiting);
        }
        let mut before = action.needs.clone();
        for &(place, least) in &demand {
            if !action.changes(place) {
                raise(&mut before, place, least);
            }
        }
        for &(place, delta) in &action.shifts {
            let least = i64::from(tokens_in(&demand, place)) - delta;
            raise(&mut before, place, u32::try_from(least.max(0)).ok()?);
        }
        for update in &action.moves {
            let least = i64::from(tokens_in(&demand, update.place)) - update.delta;
            let held = update.sources.iter();
            let held: i64 = held.map(|&at| i64::from(tokens_in(&before, at))).sum();
            let mut missing = u32::try_from((least - held).max(0)).ok()?;
            // What is there anyway costs nothing; where there is no bound, tokens have to be
            // brought first.
            let is_unbounded = |&&at: &&Place| tokens_in(bound, at) == OMEGA;
            let bounded = update.sources.iter().filter(|at| !is_unbounded(at));
            for &at in bounded.chain(update.sources.iter().filter(is_unbounded)) {
                let held = tokens_in(&before, at);
                let taken = missing.min(tokens_in(bound, at).saturating_sub(held));
                raise(&mut before, at, held + taken);
                missing -= taken;
            }
            if missing > 0 {
                return None;
            }
        }
        let countable = before.iter().all(|&(_, least)| least <= MOST_TOKENS);
        countable.then_some(before)
    }

    /// The firing as the net names it.
    pub(super) fn in_net(&self, firing: Firing) -> Firing {
        Firing {
            transition: self.actions[firing.transition].transition,
            ..firing
        }
    }
}

impl Action {
    fn new(net: &Net, transition: usize) -> Action {
        let described = &net.transitions[transition];
        let mut action = Action {
            transition,
            needs: described.guard.clone(),
            shifts: Vec::new(),
            moves: Vec::new(),
            wakes: described.wakes.clone(),
        };
        for update in &described.updates {
            match update.sources[..] {
                [only] if only == update.place => {
                    let least = u32::try_from(-update.delta).unwrap_or(0);
                    raise(&mut action.needs, only, least);
                    action.shifts.push((only, update.delta));
                }
                [only] if update.delta < 0 => {
                    let least = u32::try_from(-update.delta).unwrap_or(0);
                    raise(&mut action.needs, only, least);
                    action.moves.push(update.clone());
                }
                _ => action.moves.push(update.clone()),
            }
        }
        action
    }

    /// Whether the place gets a new content (before anybody is woken).
    fn changes(&self, place: Place) -> bool {
        self.shifts.iter().any(|&(other, _)| other == place)
            || self.moves.iter().any(|update| update.place == place)
    }

    /// Whether the action can happen with tokens only in these places.
    fn is_possible(&self, marked: &[bool]) -> bool {
        let is_marked = |place: &Place| marked[place.index()];
        self.needs.iter().all(|(place, _)| is_marked(place))
            && self
                .moves
                .iter()
                .all(|update| update.delta >= 0 || update.sources.iter().any(is_marked))
    }

    /// Whether the action can bring a token to one of these places.
    fn may_fill(&self, places: &[bool]) -> bool {
        let concerns = |place: Place| places[place.index()];
        let brings = |update: &Update| {
            let mut sources = update.sources.iter();
            update.delta > 0 || sources.any(|&source| source != update.place)
        };
        self.shifts
            .iter()
            .any(|&(place, delta)| delta > 0 && concerns(place))
            || self
                .moves
                .iter()
                .any(|update| concerns(update.place) && brings(update))
            || self.wakes.iter().any(|&(_, to)| concerns(to))
    }
}

/// Where tokens can get if nobody ever takes one away.
fn reachable(net: &Net, actions: &[Action]) -> Vec<bool> {
    let mut marked: Vec<bool> = net.most.iter().map(|&most| most > 0).collect();
    loop {
        let mut has_changed = false;
        let mut mark = |marked: &mut Vec<bool>, place: Place| {
            has_changed |= !std::mem::replace(&mut marked[place.index()], true);
        };
        for action in actions {
            if !action.is_possible(&marked) {
                continue;
            }
            for &(place, _) in action.shifts.iter().filter(|(_, delta)| *delta > 0) {
                mark(&mut marked, place);
            }
            for update in &action.moves {
                let mut sources = update.sources.iter();
                if update.delta > 0 || sources.any(|source| marked[source.index()]) {
                    mark(&mut marked, update.place);
                }
            }
            for &(from, to) in &action.wakes {
                if marked[from.index()] {
                    mark(&mut marked, to);
                }
            }
        }
        if !has_changed {
            return marked;
        }
    }
}

/// The places whose tokens may help to cover a target.
fn relevant(net: &Net, actions: &[Action]) -> Vec<bool> {
    let mut relevant = vec![false; net.places.len()];
    for &(place, _) in net.targets.iter().flatten() {
        relevant[place.index()] = true;
    }
    loop {
        let mut has_changed = false;
        for action in actions {
            if !action.may_fill(&relevant) {
                continue;
            }
            let mut helps: Vec<Place> = action.needs.iter().map(|&(place, _)| place).collect();
            for update in &action.moves {
                // Sums that must not be negative are a need of their own.
                if relevant[update.place.index()] || update.delta < 0 {
                    helps.push(update.place);
                    helps.extend(&update.sources);
                }
            }
            helps.extend(action.wakes.iter().flat_map(|&(from, to)| [from, to]));
            for place in helps {
                has_changed |= !std::mem::replace(&mut relevant[place.index()], true);
            }
        }
        if !has_changed {
            return relevant;
        }
    }
}

/// Room for one marking with a number for every place, and for what an action changes.
pub(super) struct Desk {
    tokens: Vec<u32>,
    changes: Vec<(Place, u32)>,
}

impl Desk {
    pub(super) fn new(places: usize) -> Desk {
        Desk {
            tokens: vec![0; places],
            changes: Vec::new(),
        }
    }

    pub(super) fn load(&mut self, marking: &[(Place, u32)]) {
        for &(place, tokens) in marking {
            self.tokens[place.index()] = tokens;
        }
    }

    pub(super) fn unload(&mut self, marking: &[(Place, u32)]) {
        for &(place, _) in marking {
            self.tokens[place.index()] = 0;
        }
    }

    pub(super) fn tokens(&self, place: Place) -> u32 {
        self.tokens[place.index()]
    }

    /// Computes what the updates of an action change; whether it is possible.
    fn update(&mut self, action: &Action) -> bool {
        let mut needs = action.needs.iter();
        if !needs.all(|&(place, least)| self.tokens[place.index()] >= least) {
            return false;
        }
        self.changes.clear();
        for &(place, delta) in &action.shifts {
            let tokens = shifted(u64::from(self.tokens[place.index()]), delta);
            // What is taken was needed.
            let Some(tokens) = tokens else { return false };
            self.changes.push((place, tokens));
        }
        for update in &action.moves {
            let sources = update.sources.iter();
            let sum = sources.map(|source| u64::from(self.tokens[source.index()]));
            let Some(tokens) = shifted(sum.sum(), update.delta) else {
                return false;
            };
            self.changes.push((update.place, tokens));
        }
        true
    }

    /// The content of a place after the updates.
    fn after(&self, place: Place) -> u32 {
        let changed = self.changes.iter().find(|&&(other, _)| other == place);
        changed.map_or(self.tokens[place.index()], |&(_, tokens)| tokens)
    }

    /// The marking after the updates of an action, with one token moved by waking.
    fn result(&self, marking: &[(Place, u32)], wake: Option<(Place, Place)>) -> Sparse {
        let mut changes = self.changes.clone();
        for (place, delta) in wake.iter().flat_map(|&(from, to)| [(from, -1), (to, 1)]) {
            let tokens = shifted(u64::from(self.after(place)), delta).unwrap_or(0);
            changes.retain(|&(other, _)| other != place);
            changes.push((place, tokens));
        }
        changes.sort_unstable();
        let mut result = Vec::with_capacity(marking.len() + changes.len());
        let mut changes = changes.into_iter().peekable();
        for &(place, tokens) in marking {
            while let Some(earlier) = changes.next_if(|change| change.0 < place) {
                result.push(earlier);
            }
            let changed = changes.next_if(|change| change.0 == place);
            result.push(changed.unwrap_or((place, tokens)));
        }
        result.extend(changes);
        result.retain(|&(_, tokens)| tokens > 0);
        result
    }
}

/// A sum changed by a number; `None` below nothing. With a summand without bound it has none.
fn shifted(sum: u64, delta: i64) -> Option<u32> {
    if sum >= u64::from(OMEGA) {
        return Some(OMEGA);
    }
    sum.checked_add_signed(delta).map(as_bound)
}
