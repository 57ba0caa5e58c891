//! Thread transition systems, as BFC reads them: `.tts`, `.prop`, `.init`.
//!
//! ```text
//! 2 4                    # two shared states, four local states
//! 0 0 -> 1 1             # shared 0 to 1 while a thread goes from local 0 to 1
//! 1 1 +> 0 2             # a thread in 1 stays there and starts another in 2
//! 0 1 -> 0 3 2 ~> 3      # all other threads in 2 go to 3
//! 0 3 ~> 1 0             # shared 0 to 1 while all threads in 3 go to 0
//! ```
//!
//! Several moves from the same local state, `2 ~> 3 2 ~> 0`, leave the choice to each
//! thread. `.prop` has a target `1|2,2,3` on each line: shared state 1, two threads in 2 and
//! one in 3. `.init` has the initial state in the same manner, exactly these threads, and
//! behind a slash the local states with any number of threads: `0|1/0`. Without it, it is
//! `0/0`.
//!
//! The places of the net are `s0`, `s1`, … and `l0`, `l1`, …, as far as they occur.

use super::{Findings, FormatError, Parsed, Wrong, number};
use crate::net::{Demand, Net, OMEGA, Place, Transition, Update};
use raddle_diagnostics::{Diagnostic, Span};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Which of the three texts an error is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The `.tts`.
    System,
    /// The `.prop`.
    Property,
    /// The `.init`.
    Initial,
}

/// Where the property of a system may be: the names of files, the most likely first.
pub fn property_files(system: &str) -> [String; 2] {
    beside(system, "prop")
}

/// Where the initial state of a system may be.
pub fn initial_files(system: &str) -> [String; 2] {
    beside(system, "init")
}

fn beside(system: &str, ending: &str) -> [String; 2] {
    let stem = system.strip_suffix(".tts").unwrap_or(system);
    [format!("{system}.{ending}"), format!("{stem}.{ending}")]
}

/// Reads a system. Without a property, the net has no targets.
pub fn parse(
    system: &str,
    property: Option<&str>,
    initial: Option<&str>,
) -> Result<Parsed, (Part, FormatError)> {
    let mut findings = Findings::default();
    let system = System::parse(system, &mut findings);
    let in_part = |part| move |trouble| (part, trouble);
    // The sizes are needed for the rest.
    let system = match system {
        Some(system) => system,
        None => {
            let nothing = findings.conclude(Net::default());
            return nothing.map_err(in_part(Part::System));
        }
    };
    let targets = system.states(property.unwrap_or_default(), Form::Target);
    let mut targets = targets.map_err(in_part(Part::Property))?;
    if property.is_some() && targets.is_empty() {
        let missing = Diagnostic::new(0..0, "there is no target", "expected one such as `1|0,2`");
        let trouble = FormatError::Malformed(vec![missing]);
        return Err((Part::Property, trouble));
    }
    let initial = system.states(initial.unwrap_or("0/0"), Form::Initial);
    let mut initial = initial.map_err(in_part(Part::Initial))?;
    let Some(initial) = initial.pop() else {
        let missing = Diagnostic::new(0..0, "there is no initial state", "expected `0/0` or so");
        return Err((Part::Initial, FormatError::Malformed(vec![missing])));
    };
    targets.dedup();
    let net = Builder::default().build(&system, &targets, &initial);
    findings.conclude(net).map_err(in_part(Part::System))
}

/// What a system is, before it becomes a net.
struct System {
    shared: u32,
    local: u32,
    steps: Vec<Step>,
}

/// Where the other threads may go that are in these local states.
type Others = BTreeMap<u32, BTreeSet<u32>>;

struct Step {
    kind: Kind,
    shared: (u32, u32),
    local: (u32, u32),
    others: Others,
    line: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// `->`: one thread moves.
    Move,
    /// `+>`: one thread starts another.
    Spawn,
    /// `~>`: all threads move.
    Broadcast,
}

/// A shared state with threads.
#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    shared: u32,
    threads: Vec<u32>,
    any_number: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Target,
    Initial,
}

/// A part of a line without blanks.
type Word<'t> = (&'t str, Span);

/// The lines of a text, without comments, with their numbers. Blank lines are left out.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().map(|(index, line)| {
        let line = line.split('#').next().unwrap_or_default();
        (index + 1, line.trim())
    });
    lines.filter(|(_, line)| !line.is_empty())
}

fn words<'t>(text: &str, line: &'t str) -> Vec<Word<'t>> {
    let words = line.split_whitespace();
    words.map(|part| word(text, part)).collect()
}

impl System {
    /// `None` if the sizes are not readable; other errors are among the findings.
    fn parse(text: &str, findings: &mut Findings) -> Option<System> {
        let mut lines = lines(text);
        let sizes = match lines.next() {
            Some((_, line)) => System::sizes(&words(text, line)),
            None => Err(expected(text.len()..text.len(), "two numbers, of states")),
        };
        let (shared, local) = match sizes {
            Ok(sizes) => sizes,
            Err(error) => {
                findings.malformed.push(*error);
                return None;
            }
        };
        let mut system = System {
            shared,
            local,
            steps: Vec::new(),
        };
        let mut broadcasts: HashMap<(u32, u32), Span> = HashMap::new();
        for (number, line) in lines {
            if findings.is_enough() {
                break;
            }
            let (_, span) = word(text, line);
            let step = match system.step(number, &words(text, line)) {
                Ok(step) => step,
                Err(error) => {
                    findings.malformed.push(*error);
                    continue;
                }
            };
            if step.kind == Kind::Spawn && !step.others.is_empty() {
                let message = "a step that starts a thread moves others, too";
                let label = "whether its own thread is among them is not known";
                let unsupported = Diagnostic::new(span, message, label);
                findings.unsupported.push(unsupported);
                continue;
            }
            if step.kind == Kind::Broadcast
                && let Some(first) = broadcasts.insert(step.shared, span.clone())
            {
                // One version of BFC makes them one step, another does not.
                let message = "two broadcasts have the same shared states";
                let label = "whether both happen together is not known";
                let unsupported = Diagnostic::new(span, message, label);
                findings
                    .unsupported
                    .push(unsupported.related(first, "the other"));
                continue;
            }
            system.steps.push(step);
        }
        Some(system)
    }

    fn sizes(words: &[Word<'_>]) -> Result<(u32, u32), Wrong> {
        let size = |index: usize| match words.get(index) {
            Some((word, span)) => whole(word, span, "the number of states"),
            None => Err(expected(after(words), "the number of local states")),
        };
        let (shared, local) = (size(0)?, size(1)?);
        if let Some((_, span)) = words.get(2) {
            return Err(expected(span.clone(), "the end of the line"));
        }
        if shared == 0 || local == 0 {
            let span = words[0].1.start..words[1].1.end;
            let message = "a system has at least one shared and one local state";
            return Err(Diagnostic::new(span, message, "there is none").into());
        }
        Ok((shared, local))
    }

    fn step(&self, line: usize, words: &[Word<'_>]) -> Result<Step, Wrong> {
        let mut next = words.iter();
        let mut word = |what: &str| {
            let word = next.next();
            word.ok_or_else(|| expected(after(words), what))
        };
        let shared = self.shared(word("a shared state")?)?;
        let local = self.local(word("a local state")?)?;
        let kind = match word("`->`, `+>` or `~>`")? {
            ("->", _) => Kind::Move,
            ("+>", _) => Kind::Spawn,
            ("~>", _) => Kind::Broadcast,
            (_, span) => return Err(expected(span.clone(), "`->`, `+>` or `~>`")),
        };
        let shared = (shared, self.shared(word("a shared state")?)?);
        let local = (local, self.local(word("a local state")?)?);
        let mut others = Others::new();
        while let Some(word) = next.next() {
            if kind == Kind::Broadcast {
                return Err(expected(word.1.clone(), "the end of the line"));
            }
            let from = self.local(word)?;
            match next.next() {
                Some(("~>", _)) => {}
                Some((_, span)) => return Err(expected(span.clone(), "`~>`")),
                None => return Err(expected(after(words), "`~>`")),
            }
            let to = next.next();
            let to = to.ok_or_else(|| expected(after(words), "a local state"))?;
            others.entry(from).or_default().insert(self.local(to)?);
        }
        // Who stays moves nowhere.
        others.retain(|from, to| to.len() > 1 || !to.contains(from));
        Ok(Step {
            kind,
            shared,
            local,
            others,
            line,
        })
    }

    fn shared(&self, (word, span): &Word<'_>) -> Result<u32, Wrong> {
        below(
            whole(word, span, "a shared state")?,
            self.shared,
            span,
            "shared",
        )
    }

    fn local(&self, (word, span): &Word<'_>) -> Result<u32, Wrong> {
        below(
            whole(word, span, "a local state")?,
            self.local,
            span,
            "local",
        )
    }

    /// The states that stand on the lines of a text.
    fn states(&self, text: &str, form: Form) -> Result<Vec<State>, FormatError> {
        let mut errors = Vec::new();
        let mut states = Vec::new();
        for (_, line) in lines(text) {
            if form == Form::Initial && !states.is_empty() {
                errors.push(*expected(word(text, line).1, "only one initial state"));
                break;
            }
            match self.state(text, line, form) {
                Ok(state) => states.push(state),
                Err(error) => errors.push(*error),
            }
        }
        match errors.is_empty() {
            true => Ok(states),
            false => Err(FormatError::Malformed(errors)),
        }
    }

    /// `shared|threads/any number`, where the second and the third part may be missing.
    fn state(&self, text: &str, written: &str, form: Form) -> Result<State, Wrong> {
        let cut = |part, sign| match str::split_once(part, sign) {
            Some((front, back)) => (front, Some(back)),
            None => (part, None),
        };
        let (front, any_number) = cut(written, '/');
        let (shared, threads) = cut(front, '|');
        if let (Form::Target, Some(surplus)) = (form, any_number) {
            return Err(expected(word(text, surplus).1, "no `/` in a target"));
        }
        let locals = |part: Option<&str>| -> Result<Vec<u32>, Wrong> {
            let part = part.filter(|part| !part.trim().is_empty());
            let pieces = part.into_iter().flat_map(|part| part.split(','));
            pieces.map(|piece| self.local(&word(text, piece))).collect()
        };
        Ok(State {
            shared: self.shared(&word(text, shared))?,
            threads: locals(threads)?,
            any_number: locals(any_number)?,
        })
    }
}

/// A part of a text, without blanks around it, and where it stands.
fn word<'t>(text: &str, part: &'t str) -> Word<'t> {
    let part = part.trim();
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    (part, start..start + part.len())
}

fn whole(word: &str, span: &Span, what: &str) -> Result<u32, Wrong> {
    let is_number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    match is_number {
        true => number(word, span),
        false => Err(expected(span.clone(), what)),
    }
}

fn below(state: u32, count: u32, span: &Span, which: &str) -> Result<u32, Wrong> {
    match state < count {
        true => Ok(state),
        false => {
            let message = format!("there is no {which} state {state}");
            let label = format!("the largest is {}", count - 1);
            Err(Diagnostic::new(span.clone(), message, label).into())
        }
    }
}

fn expected(span: Span, what: &str) -> Wrong {
    let label = format!("expected {what}");
    Diagnostic::new(span, "this line is not readable", label).into()
}

fn after(words: &[Word<'_>]) -> Span {
    let end = words.last().map_or(0, |(_, span)| span.end);
    end..end
}

/// Makes a net of a system.
#[derive(Default)]
struct Builder {
    net: Net,
    shared: BTreeMap<u32, Place>,
    local: BTreeMap<u32, Place>,
    choosing: BTreeMap<Others, Choosing>,
    /// Where a thread arrives, and with which shared state, once the others have chosen.
    arriving: BTreeMap<(Place, Place), Place>,
    /// Which ends of choosing are among the transitions.
    ends: BTreeSet<(Place, Place)>,
}

/// Threads choose where to go, one after the other, while no shared state lets anybody do
/// something else. Who has not chosen in the end is lost; that makes no difference to what
/// can be covered.
#[derive(Clone, Debug)]
struct Choosing {
    /// Has a token while it goes on.
    phase: Place,
    /// Where those wait who have not chosen. Who may stay, and where nobody else comes to,
    /// can as well wait where it is.
    waiting: BTreeMap<u32, Place>,
}

/// What a step does to its places: the sources of their new contents, and what is added.
type Effects = BTreeMap<Place, (Vec<Place>, i64)>;

impl Builder {
    fn build(mut self, system: &System, targets: &[State], initial: &State) -> Net {
        self.number_places(system, targets, initial);
        let net = &mut self.net;
        net.least = vec![0; net.places.len()];
        net.least[self.shared[&initial.shared].index()] = 1;
        for thread in &initial.threads {
            net.least[self.local[thread].index()] += 1;
        }
        net.most = net.least.clone();
        for thread in &initial.any_number {
            net.most[self.local[thread].index()] = OMEGA;
        }
        for target in targets {
            let mut demand: BTreeMap<Place, u32> = BTreeMap::new();
            demand.insert(self.shared[&target.shared], 1);
            for thread in &target.threads {
                *demand.entry(self.local[thread]).or_default() += 1;
            }
            self.net.targets.push(demand.into_iter().collect());
        }
        for step in &system.steps {
            self.step(step);
        }
        self.net
    }

    fn number_places(&mut self, system: &System, targets: &[State], initial: &State) {
        let states = || targets.iter().chain([initial]);
        let steps = || system.steps.iter();
        let mut shared: BTreeSet<u32> = states().map(|state| state.shared).collect();
        shared.extend(steps().flat_map(|step| [step.shared.0, step.shared.1]));
        let mut local: BTreeSet<u32> = BTreeSet::new();
        for state in states() {
            local.extend(state.threads.iter().chain(&state.any_number));
        }
        for step in steps() {
            local.extend([step.local.0, step.local.1]);
            local.extend(step.others.keys());
            local.extend(step.others.values().flatten());
        }
        for state in shared {
            let place = self.place(format!("s{state}"));
            self.shared.insert(state, place);
        }
        for state in local {
            let place = self.place(format!("l{state}"));
            self.local.insert(state, place);
        }
    }

    fn place(&mut self, name: String) -> Place {
        let place = Place(self.net.places.len() as u32);
        self.net.places.push(name);
        place
    }

    /// A place that is empty initially.
    fn empty_place(&mut self, name: String) -> Place {
        self.net.least.push(0);
        self.net.most.push(0);
        self.place(name)
    }

    fn step(&mut self, step: &Step) {
        let name = format!("line {}", step.line);
        let shared = (self.shared[&step.shared.0], self.shared[&step.shared.1]);
        let local = (self.local[&step.local.0], self.local[&step.local.1]);
        let mut guard: Demand = vec![(shared.0, 1)];
        let mut effects = Effects::new();
        match step.kind {
            Kind::Broadcast => {
                add(&mut effects, shared.0, -1);
                add(&mut effects, shared.1, 1);
                carry(&mut effects, local.0, local.1);
            }
            Kind::Spawn => {
                guard.push((local.0, 1));
                add(&mut effects, shared.0, -1);
                add(&mut effects, shared.1, 1);
                add(&mut effects, local.1, 1);
            }
            Kind::Move => {
                guard.push((local.0, 1));
                add(&mut effects, shared.0, -1);
                let is_choice = step.others.values().any(|to| to.len() > 1);
                let choosing = is_choice.then(|| self.choosing(&step.others));
                // Where the contents of the thread's place are afterwards; the thread itself
                // is not among them.
                let mut rest = local.0;
                for (from, to) in &step.others {
                    let waiting = choosing.as_ref().and_then(|it| it.waiting.get(from));
                    let target = match (to.len(), to.first()) {
                        (1, Some(to)) => Some(self.local[to]),
                        _ => waiting.copied(),
                    };
                    let Some(target) = target else { continue };
                    let from = self.local[from];
                    carry(&mut effects, from, target);
                    if from == local.0 {
                        rest = target;
                    }
                }
                add(&mut effects, rest, -1);
                match choosing {
                    Some(choosing) => {
                        let arriving = self.arriving(&choosing, shared.1, local.1);
                        add(&mut effects, choosing.phase, 1);
                        add(&mut effects, arriving, 1);
                    }
                    None => {
                        add(&mut effects, local.1, 1);
                        add(&mut effects, shared.1, 1);
                    }
                }
            }
        }
        self.net.transitions.push(transition(name, guard, effects));
    }

    /// The places for a choice, with the transitions that make it.
    fn choosing(&mut self, others: &Others) -> Choosing {
        if let Some(choosing) = self.choosing.get(others) {
            return choosing.clone();
        }
        let name = format!("choosing {}", self.choosing.len() + 1);
        let phase = self.empty_place(name.clone());
        let mut waiting = BTreeMap::new();
        for (from, to) in others.iter().filter(|(_, to)| to.len() > 1) {
            let mut arrivals = others.iter().filter(|(other, _)| *other != from);
            let may_stay = to.contains(from) && !arrivals.any(|(_, to)| to.contains(from));
            let source = match may_stay {
                true => self.local[from],
                false => {
                    let place = self.empty_place(format!("l{from} {name}"));
                    waiting.insert(*from, place);
                    place
                }
            };
            for to in to.iter().filter(|to| !may_stay || *to != from) {
                let mut effects = Effects::new();
                add(&mut effects, source, -1);
                add(&mut effects, self.local[to], 1);
                let guard = vec![(phase, 1), (source, 1)];
                let name = format!("{name}: l{from} to l{to}");
                self.net.transitions.push(transition(name, guard, effects));
            }
        }
        let choosing = Choosing { phase, waiting };
        self.choosing.insert(others.clone(), choosing.clone());
        choosing
    }

    /// The place of who waits for the others to choose, with the transition that ends it.
    fn arriving(&mut self, choosing: &Choosing, shared: Place, local: Place) -> Place {
        let name = |place: Place, net: &Net| net.places[place.index()].clone();
        let arriving = match self.arriving.get(&(shared, local)) {
            Some(&place) => place,
            None => {
                let (shared, local) = (name(shared, &self.net), name(local, &self.net));
                self.empty_place(format!("arriving {shared} {local}"))
            }
        };
        self.arriving.insert((shared, local), arriving);
        if self.ends.insert((choosing.phase, arriving)) {
            let mut effects = Effects::new();
            add(&mut effects, choosing.phase, -1);
            add(&mut effects, arriving, -1);
            add(&mut effects, shared, 1);
            add(&mut effects, local, 1);
            for &waiting in choosing.waiting.values() {
                effects.insert(waiting, (Vec::new(), 0));
            }
            let guard = vec![(choosing.phase, 1), (arriving, 1)];
            let name = format!("{} ends", name(choosing.phase, &self.net));
            self.net.transitions.push(transition(name, guard, effects));
        }
        arriving
    }
}

fn add(effects: &mut Effects, place: Place, tokens: i64) {
    let kept = || (vec![place], 0);
    effects.entry(place).or_insert_with(kept).1 += tokens;
}

/// All tokens of a place go to another.
fn carry(effects: &mut Effects, from: Place, to: Place) {
    if from == to {
        return;
    }
    add(effects, from, 0);
    add(effects, to, 0);
    if let Some((sources, _)) = effects.get_mut(&from) {
        sources.retain(|&source| source != from);
    }
    if let Some((sources, _)) = effects.get_mut(&to) {
        sources.push(from);
    }
}

fn transition(name: String, mut guard: Demand, effects: Effects) -> Transition {
    guard.sort_unstable();
    let updates = effects.into_iter().map(|(place, (sources, delta))| Update {
        place,
        sources,
        delta,
    });
    let changes = |update: &Update| update.sources != [update.place] || update.delta != 0;
    Transition {
        name,
        guard,
        updates: updates.filter(changes).collect(),
        wakes: Vec::new(),
    }
}
