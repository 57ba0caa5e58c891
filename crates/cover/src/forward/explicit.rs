//! Explicit forward search: the reachable markings one by one, breadth first.
//!
//! This is the textbook's search, for nets that have few enough of them. Nets are monotone, so
//! it begins in the largest initial marking alone: whatever is covered from a smaller one is
//! covered from there. If it closes, the markings that it met are an inductive invariant; if it
//! meets a target, the way there is a run with the fewest firings from that marking.
//!
//! It gives up on nets with infinitely many markings, as soon as a loop shows that there are,
//! and on large ones: others may still know.
//!
//! The same search, confined to few tokens ([`Scope`]), finds runs with the fewest of them
//! ([`crate::fewest`]), and runs of rules that test from above ([`crate::upper`]).

use super::actions::Action;
use crate::certificate::{Answer, Certificate, Run};
use crate::monitor::{Monitor, Progress};
use crate::net::{Demand, Firing, Marking, Net, OMEGA, Place};
use crate::upper::UpperBounds;

/// Decides whether a net is safe, by looking at every reachable marking.
pub fn explicit(net: &Net, monitor: &dyn Monitor) -> Answer {
    if let Some(defect) = net.defect() {
        return Answer::Unknown(defect.to_string());
    }
    if net.most.contains(&OMEGA) {
        return Answer::Unknown("there are infinitely many initial markings".to_owned());
    }
    if net.places.len() > MOST_PLACES {
        return Answer::Unknown("there are too many places".to_owned());
    }
    let scope = Scope {
        roots: vec![net.most.clone()],
        tokens: u64::MAX,
        markings: usize::MAX,
        upper: None,
    };
    match search(net, &scope, monitor) {
        SearchEnd::Closed(markings) => Answer::Safe(Certificate::Forward(markings.to_vecs())),
        SearchEnd::Covered(run) => Answer::Unsafe(run),
        SearchEnd::GaveUp(why) => Answer::Unknown(why.to_owned()),
    }
}

/// Which markings are looked at.
pub(crate) struct Scope<'a> {
    /// Where the search begins.
    pub(crate) roots: Vec<Marking>,
    /// Markings with more tokens are left out. Who sets no limit wants infinite nets noticed.
    pub(crate) tokens: u64,
    /// The search gives up when it has met more markings.
    pub(crate) markings: usize,
    /// Bounds from above, which rules and targets have beside what the net says.
    pub(crate) upper: Option<&'a UpperBounds>,
}

/// How a search ends.
pub(crate) enum SearchEnd {
    /// These are all markings of its scope, and none covers a target.
    Closed(Markings),
    /// A run to a target, from one of the roots.
    Covered(Run),
    /// It gave up, for this reason.
    GaveUp(&'static str),
}

/// Markings, in the narrowest numbers that hold them.
pub(crate) enum Markings {
    /// At most 255 tokens in each place.
    Narrow(Table<u8>),
    /// More than that somewhere.
    Wide(Table<u32>),
}

impl Markings {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        match self {
            Markings::Narrow(table) => table.len(),
            Markings::Wide(table) => table.len(),
        }
    }

    fn to_vecs(&self) -> Vec<Marking> {
        match self {
            Markings::Narrow(table) => table.to_vecs(),
            Markings::Wide(table) => table.to_vecs(),
        }
    }
}

/// Searches within a scope, breadth first.
pub(crate) fn search(net: &Net, scope: &Scope<'_>, monitor: &dyn Monitor) -> SearchEnd {
    match Search::<u8>::new(net, scope).run(monitor) {
        Ok(table) => SearchEnd::Closed(Markings::Narrow(table)),
        Err(End::Overflow) => match Search::<u32>::new(net, scope).run(monitor) {
            Ok(table) => SearchEnd::Closed(Markings::Wide(table)),
            Err(end) => end.outcome(),
        },
        Err(end) => end.outcome(),
    }
}

/// Why a search ends before it has seen everything.
enum End {
    Covered(Run),
    /// A number of tokens does not fit into a cell.
    Overflow,
    GaveUp(&'static str),
}

impl End {
    fn outcome(self) -> SearchEnd {
        match self {
            End::Covered(run) => SearchEnd::Covered(run),
            End::Overflow => SearchEnd::GaveUp("the numbers get too large"),
            End::GaveUp(why) => SearchEnd::GaveUp(why),
        }
    }
}

/// The monitor is asked after so many firings.
const PATIENCE: usize = 1 << 13;

/// Every marking has a number for every place: with more places there is no room for many.
const MOST_PLACES: usize = 1 << 13;

/// The most memory that it takes, so that there is some for others.
const MOST_BYTES: usize = 1 << 30;

/// How many comparisons with ancestors each marking pays for.
const CREDIT: u64 = 32;

/// How often a loop has to grow before the net counts as infinite.
const ROUNDS: usize = 3;

struct Search<'a, C> {
    net: &'a Net,
    scope: &'a Scope<'a>,
    actions: Vec<Action>,
    /// For each place, the actions that are looked at where it is marked.
    roused: Vec<Vec<u32>>,
    free: Vec<u32>,
    table: Table<C>,
    /// How each marking was met: from which one, and by which firing.
    arrivals: Vec<Arrival>,
    /// The most tokens that any marking had until now.
    record: u64,
    credit: u64,
    firings: usize,
    /// The marking that is expanded, its number, its hash and its tokens.
    here: Vec<u32>,
    id: u32,
    hash: u64,
    tokens: u64,
}

#[derive(Clone, Copy)]
struct Arrival {
    parent: u32,
    transition: u32,
    wake: u32,
}

const NOBODY: u32 = u32::MAX;

impl<'a, C: Cell> Search<'a, C> {
    fn new(net: &'a Net, scope: &'a Scope<'a>) -> Search<'a, C> {
        let places = net.places.len();
        let actions: Vec<Action> = net.transitions.iter().map(Action::new).collect();
        let (roused, free) = super::actions::roused(&actions, places);
        let number = |index: usize| index as u32;
        Search {
            net,
            scope,
            actions,
            roused: roused
                .into_iter()
                .map(|list| list.into_iter().map(number).collect())
                .collect(),
            free: free.into_iter().map(number).collect(),
            table: Table::new(places),
            arrivals: Vec::new(),
            record: 0,
            credit: 0,
            firings: 0,
            here: vec![0; places],
            id: NOBODY,
            hash: 0,
            tokens: 0,
        }
    }

    fn run(mut self, monitor: &dyn Monitor) -> Result<Table<C>, End> {
        for root in &self.scope.roots {
            self.table.load(root).ok_or(End::Overflow)?;
            let hash = self.table.hash(root);
            let tokens = root.iter().map(|&tokens| u64::from(tokens)).sum();
            let arrival = Arrival {
                parent: NOBODY,
                transition: 0,
                wake: NOBODY,
            };
            self.meet(hash, tokens, arrival)?;
        }
        let mut next = 0;
        let mut asked = 0;
        let mut changes = Vec::new();
        while next < self.table.len() {
            self.go_to(next as u32);
            self.expand(&mut changes)?;
            next += 1;
            if self.firings >= asked + PATIENCE {
                asked = self.firings;
                let bytes = self.table.bytes() + self.arrivals.capacity() * size_of::<Arrival>();
                let progress = Progress {
                    procedure: "explicit",
                    elements: self.table.len() as u64,
                    bytes: bytes as u64,
                };
                if !monitor.go_on(progress) {
                    return Err(End::GaveUp("the search was stopped"));
                }
                if bytes > MOST_BYTES {
                    return Err(End::GaveUp("there are too many markings"));
                }
            }
        }
        Ok(self.table)
    }

    /// Makes a marking the one that is expanded.
    fn go_to(&mut self, id: u32) {
        self.id = id;
        self.tokens = 0;
        self.hash = 0;
        self.table.copy(id, &mut self.here);
        for (place, &tokens) in self.here.iter().enumerate() {
            if tokens > 0 {
                self.tokens += u64::from(tokens);
                self.hash = self.table.rehash(self.hash, place, 0, tokens);
            }
        }
    }

    /// Meets all successors of this marking.
    fn expand(&mut self, changes: &mut Vec<(Place, u32)>) -> Result<(), End> {
        for index in 0..self.free.len() {
            self.fire(self.free[index], changes)?;
        }
        for place in 0..self.here.len() {
            if self.here[place] > 0 {
                for index in 0..self.roused[place].len() {
                    self.fire(self.roused[place][index], changes)?;
                }
            }
        }
        Ok(())
    }

    /// Meets what a transition leads to, in each of its ways.
    fn fire(&mut self, transition: u32, changes: &mut Vec<(Place, u32)>) -> Result<(), End> {
        self.firings += 1;
        let action = &self.actions[transition as usize];
        let has_all = |needs: &Demand| {
            let mut needs = needs.iter();
            needs.all(|&(place, least)| self.here[place.index()] >= least)
        };
        let passes = |upper: &UpperBounds| upper.allow(transition as usize, &self.here);
        if !has_all(&action.needs) || !self.scope.upper.is_none_or(passes) {
            return Ok(());
        }
        changes.clear();
        for &(place, delta) in &action.shifts {
            let tokens = i64::from(self.here[place.index()]) + delta;
            changes.push((place, countable(tokens)?));
        }
        for update in &action.moves {
            let sources = update.sources.iter();
            let sum: i64 = sources.map(|at| i64::from(self.here[at.index()])).sum();
            if sum + update.delta < 0 {
                return Ok(());
            }
            changes.push((update.place, countable(sum + update.delta)?));
        }
        let mut arrival = Arrival {
            parent: self.id,
            transition,
            wake: NOBODY,
        };
        let pairs = action.wakes.len();
        let mut is_woken = false;
        for pair in 0..pairs {
            let (from, to) = self.actions[transition as usize].wakes[pair];
            let waiting = self.after(changes, from);
            if waiting > 0 {
                is_woken = true;
                arrival.wake = pair as u32;
                let arrived = self.after(changes, to);
                let kept = changes.len();
                changes.push((from, waiting - 1));
                changes.push((to, arrived + 1));
                self.arrive(changes, arrival)?;
                changes.truncate(kept);
            }
        }
        match is_woken {
            true => Ok(()),
            false => self.arrive(changes, arrival),
        }
    }

    /// The content of a place after some changes, of which the last one counts.
    fn after(&self, changes: &[(Place, u32)], place: Place) -> u32 {
        let changed = changes.iter().rev().find(|&&(other, _)| other == place);
        changed.map_or(self.here[place.index()], |&(_, tokens)| tokens)
    }

    /// Meets the marking after some changes.
    fn arrive(&mut self, changes: &[(Place, u32)], arrival: Arrival) -> Result<(), End> {
        let (mut hash, mut tokens) = (self.hash, self.tokens);
        self.table.load_again(self.id);
        for &(place, after) in changes {
            let before = self.table.loaded(place.index());
            hash = self.table.rehash(hash, place.index(), before, after);
            tokens = tokens + u64::from(after) - u64::from(before);
            self.table.set(place.index(), after).ok_or(End::Overflow)?;
        }
        self.meet(hash, tokens, arrival)
    }

    /// Stores the marking that the table has loaded, unless it is known.
    fn meet(&mut self, hash: u64, tokens: u64, arrival: Arrival) -> Result<(), End> {
        if tokens > self.scope.tokens || !self.table.insert(hash) {
            return Ok(());
        }
        self.arrivals.push(arrival);
        let id = self.table.len() as u32 - 1;
        if self.is_target() {
            return Err(End::Covered(self.run_to(id)));
        }
        if self.table.len() > self.scope.markings {
            return Err(End::GaveUp("there are too many markings"));
        }
        self.credit += CREDIT;
        if tokens > self.record {
            self.record = tokens;
            if self.scope.tokens == u64::MAX && self.grows_for_ever(id) {
                return Err(End::GaveUp("there are infinitely many markings"));
            }
        }
        Ok(())
    }

    /// Whether the loaded marking covers a target.
    fn is_target(&self) -> bool {
        let covers = |target: &Demand| {
            let mut target = target.iter();
            target.all(|&(place, least)| self.table.loaded(place.index()) >= least)
        };
        let mut targets = self.net.targets.iter().enumerate();
        targets.any(|(index, target)| {
            covers(target)
                && self.scope.upper.is_none_or(|upper| {
                    let mut bounds = upper.targets[index].iter();
                    bounds.all(|&(place, most)| self.table.loaded(place.index()) <= most)
                })
        })
    }

    /// Whether a loop leads from an ancestor of a marking above it, again and again.
    fn grows_for_ever(&mut self, id: u32) -> bool {
        let mut ancestor = self.arrivals[id as usize].parent;
        while ancestor != NOBODY && self.credit > 0 {
            self.credit -= 1;
            if self.table.is_below(ancestor, id) && self.repeats(ancestor, id) {
                return true;
            }
            ancestor = self.arrivals[ancestor as usize].parent;
        }
        false
    }

    /// Whether what leads from one marking to another can be repeated, and adds tokens again.
    fn repeats(&self, from: u32, to: u32) -> bool {
        let steps = self.firings_between(Some(from), to);
        let mut marking = vec![0; self.here.len()];
        self.table.copy(to, &mut marking);
        (0..ROUNDS).all(|_| {
            let mut after = marking.clone();
            for &firing in &steps {
                match self.net.fire(&after, firing) {
                    Some(next) => after = next,
                    None => return false,
                }
            }
            let mut pairs = marking.iter().zip(&after);
            let grows = pairs.all(|(before, after)| before <= after) && marking != after;
            marking = after;
            grows
        })
    }

    /// The firings that lead from an ancestor, or from a root, to a marking.
    fn firings_between(&self, from: Option<u32>, to: u32) -> Vec<Firing> {
        let mut steps = Vec::new();
        let mut id = to;
        while Some(id) != from {
            let Arrival {
                parent,
                transition,
                wake,
            } = self.arrivals[id as usize];
            if parent == NOBODY {
                break;
            }
            steps.push(Firing {
                transition: transition as usize,
                wake: (wake != NOBODY).then_some(wake as usize),
            });
            id = parent;
        }
        steps.reverse();
        steps
    }

    fn run_to(&self, id: u32) -> Run {
        let mut root = id;
        while self.arrivals[root as usize].parent != NOBODY {
            root = self.arrivals[root as usize].parent;
        }
        let mut initial = vec![0; self.here.len()];
        self.table.copy(root, &mut initial);
        Run {
            initial,
            firings: self.firings_between(None, id),
        }
    }
}

/// A number of tokens; an overflow if it is none.
fn countable(tokens: i64) -> Result<u32, End> {
    let counted = u32::try_from(tokens).ok();
    counted
        .filter(|&tokens| tokens < OMEGA)
        .ok_or(End::Overflow)
}

/// A number of tokens as it is stored.
pub(crate) trait Cell: Copy + Eq + Ord {
    const ZERO: Self;
    fn tokens(self) -> u32;
    fn of(tokens: u32) -> Option<Self>;
}

impl Cell for u8 {
    const ZERO: u8 = 0;

    fn tokens(self) -> u32 {
        u32::from(self)
    }

    fn of(tokens: u32) -> Option<u8> {
        u8::try_from(tokens).ok()
    }
}

impl Cell for u32 {
    const ZERO: u32 = 0;

    fn tokens(self) -> u32 {
        self
    }

    fn of(tokens: u32) -> Option<u32> {
        Some(tokens)
    }
}

/// Markings that are all different, one after the other in one vector, with a hash table.
///
/// The hash of a marking is a sum of a number for each place, times its tokens: that of a
/// successor follows from what changes.
pub(crate) struct Table<C> {
    places: usize,
    rows: Vec<C>,
    count: usize,
    /// The number of a marking plus one, and above it 32 bits of its hash; zero where free.
    slots: Vec<u64>,
    numbers: Vec<u64>,
    /// The marking that is to be looked up.
    next: Vec<C>,
}

impl<C: Cell> Table<C> {
    fn new(places: usize) -> Table<C> {
        let mut seed: u64 = 0x9e37_79b9_7f4a_7c15;
        let number = |_| {
            // Steele, Lea and Flood's SplitMix64.
            seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (seed ^ seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            (mixed ^ mixed >> 31) | 1
        };
        Table {
            places,
            rows: Vec::new(),
            count: 0,
            slots: vec![0; 1 << 10],
            numbers: (0..places).map(number).collect(),
            next: vec![C::ZERO; places],
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.count
    }

    fn bytes(&self) -> usize {
        self.rows.capacity() * size_of::<C>() + self.slots.capacity() * size_of::<u64>()
    }

    fn row(&self, id: u32) -> &[C] {
        &self.rows[id as usize * self.places..(id as usize + 1) * self.places]
    }

    fn copy(&self, id: u32, to: &mut [u32]) {
        for (to, cell) in to.iter_mut().zip(self.row(id)) {
            *to = cell.tokens();
        }
    }

    fn to_vecs(&self) -> Vec<Marking> {
        let rows = (0..self.count as u32).map(|id| self.row(id));
        rows.map(|row| row.iter().map(|cell| cell.tokens()).collect())
            .collect()
    }

    fn is_below(&self, smaller: u32, larger: u32) -> bool {
        let mut pairs = self.row(smaller).iter().zip(self.row(larger));
        pairs.all(|(smaller, larger)| smaller <= larger)
    }

    fn hash(&self, marking: &[u32]) -> u64 {
        let places = marking.iter().enumerate();
        places.fold(0, |hash, (place, &tokens)| {
            self.rehash(hash, place, 0, tokens)
        })
    }

    /// The hash after a place has got other tokens.
    fn rehash(&self, hash: u64, place: usize, before: u32, after: u32) -> u64 {
        let difference = u64::from(after).wrapping_sub(u64::from(before));
        hash.wrapping_add(self.numbers[place].wrapping_mul(difference))
    }

    fn load(&mut self, marking: &[u32]) -> Option<()> {
        for (cell, &tokens) in self.next.iter_mut().zip(marking) {
            *cell = C::of(tokens)?;
        }
        Some(())
    }

    /// Loads a marking that is stored.
    fn load_again(&mut self, id: u32) {
        let begin = id as usize * self.places;
        self.next
            .copy_from_slice(&self.rows[begin..begin + self.places]);
    }

    fn loaded(&self, place: usize) -> u32 {
        self.next[place].tokens()
    }

    fn set(&mut self, place: usize, tokens: u32) -> Option<()> {
        self.next[place] = C::of(tokens)?;
        Some(())
    }

    /// Stores what is loaded, with its hash; whether it is new.
    fn insert(&mut self, hash: u64) -> bool {
        if 2 * (self.count + 1) > self.slots.len() {
            self.grow();
        }
        let mixed = (hash ^ hash >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        let tag = mixed >> 32;
        let mask = self.slots.len() - 1;
        let mut slot = tag as usize & mask;
        while self.slots[slot] != 0 {
            let id = (self.slots[slot] as u32).wrapping_sub(1);
            if self.slots[slot] >> 32 == tag && self.row(id) == self.next {
                return false;
            }
            slot = (slot + 1) & mask;
        }
        self.count += 1;
        self.slots[slot] = tag << 32 | self.count as u64;
        self.rows.extend_from_slice(&self.next);
        true
    }

    fn grow(&mut self) {
        let larger = vec![0; 2 * self.slots.len()];
        let mask = larger.len() - 1;
        for entry in std::mem::replace(&mut self.slots, larger) {
            if entry != 0 {
                let mut slot = (entry >> 32) as usize & mask;
                while self.slots[slot] != 0 {
                    slot = (slot + 1) & mask;
                }
                self.slots[slot] = entry;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::{check_run, check_safe};
    use crate::formats::spec;
    use crate::monitor::Unwatched;

    fn read(text: &str) -> Net {
        spec::parse(text).expect("it is well-formed").net
    }

    #[test]
    fn a_finite_net_is_closed() {
        let net = read(
            "vars a b rules a >= 1 -> a' = a - 1, b' = b + 1; b >= 2 -> a' = a + 1, b' = b - 2; \
             init a = 5, b = 0 target b >= 6",
        );
        let Answer::Safe(certificate) = explicit(&net, &Unwatched) else {
            panic!("it is safe");
        };
        assert_eq!(check_safe(&net, &certificate), Ok(()));
    }

    /// A place with more tokens than a byte counts.
    #[test]
    fn large_numbers_are_counted() {
        let net = read(
            "vars a b rules a >= 1 -> a' = a - 1, b' = b + 1; \
             init a = 1000, b = 0 target b >= 1000",
        );
        let Answer::Unsafe(run) = explicit(&net, &Unwatched) else {
            panic!("it is unsafe");
        };
        assert_eq!(run.firings.len(), 1000);
        assert!(check_run(&net, &run).is_ok());
    }

    #[test]
    fn an_infinite_net_is_given_up() {
        let growing = "vars go a b rules go >= 1 -> a' = a + 1; a >= 2 -> a' = 0, b' = 1; \
                       init go = 1, a = 0, b = 0 target b >= 2";
        assert_eq!(
            explicit(&read(growing), &Unwatched),
            Answer::Unknown("there are infinitely many markings".to_owned())
        );
        let wide = "vars a rules a >= 1 -> ; init a >= 0 target a >= 2";
        assert_eq!(
            explicit(&read(wide), &Unwatched),
            Answer::Unknown("there are infinitely many initial markings".to_owned())
        );
    }

    /// What grows once and never again is finite.
    #[test]
    fn a_transfer_that_grows_once_is_not_taken_for_infinite() {
        let net =
            read("vars go a b rules go >= 1 -> b' = a; init go = 1, a = 2, b = 0 target b >= 3");
        assert!(matches!(explicit(&net, &Unwatched), Answer::Safe(_)));
    }
}
