//! Steps of random programs in random states are covered by steps of their nets.
//!
//! Threads with values make steps by chance, and tokens go along: for each step there must be a
//! transition of the net that can fire, that gives the predicates and locks the values that they
//! have, and after which each thread is in a place that knows nothing wrong of it. If threads
//! are where they must not be, the net must say so, too.

#[path = "../tests/programs.rs"]
pub(crate) mod programs;

use crate::abstraction::{self, Abstraction, Options, State};
use crate::lower::View;
use crate::nets::{self, Built, Meaning};
use crate::program::{Edge, Operation, Program, Variable};
use crate::queries::Queries;
use crate::refine;
use crate::refinement::{Configuration, prepare};
use crate::solver::Propositional;
use crate::terms::{Term, Var};
use programs::{Random, program};
use raddle_cover::net::{Firing, Marking};
use raddle_model::StopFlag;
use std::collections::HashMap;

type Values = HashMap<Var, Term>;

#[derive(Clone)]
struct Thread {
    template: usize,
    location: usize,
    own: Values,
    /// Where its token is.
    place: State,
}

#[derive(Clone)]
struct Concrete {
    shared: Values,
    locks: Vec<bool>,
    threads: Vec<Thread>,
}

struct Walk<'a> {
    program: &'a mut Program,
    abstraction: &'a Abstraction,
    built: &'a Built,
    now: Concrete,
    marking: Marking,
}

fn constant(program: &mut Program, var: Var, value: i64) -> Term {
    match program.terms.info(var).range {
        None => program.terms.bool(value != 0),
        Some((low, high)) => program.terms.number(value.clamp(low, high)),
    }
}

fn initially(program: &mut Program, random: &mut Random, variables: &[Variable]) -> Values {
    let mut values = Values::new();
    for variable in variables {
        let value = match variable.initial {
            Some(value) => value,
            None => random.below(4) as i64,
        };
        values.insert(variable.var, constant(program, variable.var, value));
    }
    values
}

impl Walk<'_> {
    fn begun(&mut self, random: &mut Random, template: usize) -> Option<Thread> {
        let locals = self.program.templates[template].locals.clone();
        Some(Thread {
            template,
            location: 0,
            own: initially(self.program, random, &locals),
            place: self.abstraction.entries[template].clone()?,
        })
    }

    /// The initial values, and a few threads of each kind.
    fn begin(&mut self, random: &mut Random) {
        let boots: Vec<usize> = self.transitions(|it| matches!(it, Meaning::Boot));
        for template in 0..self.program.templates.len() {
            if self.program.templates[template].once {
                let thread = self.begun(random, template);
                self.now.threads.extend(thread);
            }
        }
        let now = self.now.clone();
        let fits = boots.into_iter().find_map(|transition| {
            let next = self.fire(transition, None)?;
            self.is_covered(&now, &next).then_some(next)
        });
        self.marking = fits.expect("the initial values are covered");
        for template in 0..self.program.templates.len() {
            let described = &self.program.templates[template];
            if described.once || described.started {
                continue;
            }
            for _ in 0..=random.below(3) {
                let spawn =
                    self.transitions(|it| matches!(it, Meaning::Spawn(it) if *it == template));
                let next = spawn.first().and_then(|&it| self.fire(it, None));
                self.marking = next.expect("another thread may come");
                let thread = self.begun(random, template);
                self.now.threads.extend(thread);
            }
        }
    }

    fn transitions(&self, is_it: impl Fn(&Meaning) -> bool) -> Vec<usize> {
        let all = self.built.meanings.iter().enumerate();
        all.filter(|(_, it)| is_it(it)).map(|(it, _)| it).collect()
    }

    fn fire(&self, transition: usize, wake: Option<usize>) -> Option<Marking> {
        let firing = Firing { transition, wake };
        self.built.net.fire(&self.marking, firing)
    }

    /// Whether the tokens are where they may be.
    fn is_covered(&mut self, state: &Concrete, marking: &Marking) -> bool {
        // The places are those of the predicates, of the locks and of the threads, in this order.
        let predicates = self.abstraction.shared.clone();
        for (number, &predicate) in predicates.iter().enumerate() {
            let value = self.program.terms.substitute(predicate, &state.shared);
            let value = self.program.terms.as_bool(value) == Some(true);
            let tokens = [marking[2 * number], marking[2 * number + 1]];
            if tokens != [u32::from(value), u32::from(!value)] {
                return false;
            }
        }
        let first = 2 * predicates.len();
        for (number, &held) in state.locks.iter().enumerate() {
            let tokens = [marking[first + 2 * number], marking[first + 2 * number + 1]];
            if tokens != [u32::from(!held), u32::from(held)] {
                return false;
            }
        }
        let first = first + 2 * state.locks.len();
        let mut counts: HashMap<&State, u32> = HashMap::new();
        for thread in &state.threads {
            *counts.entry(&thread.place).or_default() += 1;
        }
        let places = self.abstraction.states.iter().enumerate();
        for (number, place) in places {
            if marking[first + number] < counts.get(place).copied().unwrap_or(0) {
                return false;
            }
        }
        state.threads.iter().all(|it| self.is_true(state, it))
    }

    /// Whether a place knows nothing wrong of a thread.
    fn is_true(&mut self, state: &Concrete, thread: &Thread) -> bool {
        let (template, location, cube) = &thread.place;
        if (*template, *location) != (thread.template, thread.location) {
            return false;
        }
        let mut values = state.shared.clone();
        values.extend(thread.own.iter().map(|(var, value)| (*var, *value)));
        let predicates = self.abstraction.local[*template].clone();
        predicates.into_iter().zip(cube).all(|(predicate, known)| {
            let value = self.program.terms.substitute(predicate, &values);
            let value = self.program.terms.as_bool(value);
            *known == 2 || value.map(u8::from) == Some(*known)
        })
    }

    /// Makes an edge of a thread, with choices by chance; `None` if it is not possible.
    fn step(&mut self, random: &mut Random, number: usize, edge: &Edge) -> Option<Concrete> {
        let mut values = self.now.shared.clone();
        let own = self.now.threads[number].own.clone();
        values.extend(own);
        let formulas = edge.updates.values().chain([&edge.guard, &edge.fits]);
        let vars: Vec<Var> = formulas
            .flat_map(|it| self.program.terms.vars(*it).clone())
            .collect();
        for var in vars {
            if self.program.terms.info(var).choice {
                let value = random.below(5) as i64 - 1;
                values.insert(var, constant(self.program, var, value));
            }
        }
        for formula in [edge.guard, edge.fits] {
            let value = self.program.terms.substitute(formula, &values);
            if self.program.terms.as_bool(value) != Some(true) {
                return None;
            }
        }
        let mut next = self.now.clone();
        for (var, value) in &edge.updates {
            let value = self.program.terms.substitute(*value, &values);
            match next.threads[number].own.get_mut(var) {
                Some(own) => *own = value,
                None => {
                    next.shared.insert(*var, value);
                }
            }
        }
        next.threads[number].location = edge.to;
        for operation in &edge.operations {
            match operation {
                Operation::Lock(lock) if next.locks[*lock] => return None,
                Operation::Lock(lock) => next.locks[*lock] = true,
                Operation::Unlock(lock) => next.locks[*lock] = false,
                Operation::Notify(lock) => {
                    let waiting: Vec<usize> = (0..next.threads.len())
                        .filter(|&it| {
                            it != number && self.woken(&next.threads[it], *lock).is_some()
                        })
                        .collect();
                    if !waiting.is_empty() {
                        let one = waiting[random.below(waiting.len() as u64) as usize];
                        self.wake(&mut next.threads[one], *lock);
                    }
                }
                Operation::NotifyAll(lock) => {
                    for other in (0..next.threads.len()).filter(|&it| it != number) {
                        self.wake(&mut next.threads[other], *lock);
                    }
                }
                Operation::Start(template) => {
                    let thread = self.begun(random, *template);
                    next.threads.extend(thread);
                }
            }
        }
        Some(next)
    }

    fn woken(&self, thread: &Thread, lock: usize) -> Option<usize> {
        let mut waits = self.program.templates[thread.template].waits.iter();
        let found = waits.find(|(from, _, it)| *from == thread.location && *it == lock);
        found.map(|(_, to, _)| *to)
    }

    fn wake(&self, thread: &mut Thread, lock: usize) {
        if let Some(to) = self.woken(thread, lock) {
            thread.location = to;
        }
    }

    /// Goes along with a step, if some transition does.
    fn go_along(&mut self, number: usize, edge: usize, next: &Concrete) -> bool {
        let template = self.now.threads[number].template;
        let from = self.now.threads[number].place.clone();
        let abstraction = self.abstraction;
        let built = self.built;
        for (transition, meaning) in built.meanings.iter().enumerate() {
            let Meaning::Step {
                step, moved, wakes, ..
            } = meaning
            else {
                continue;
            };
            let step = &abstraction.steps[*step];
            if (step.template, step.edge) != (template, edge) || step.from != from {
                continue;
            }
            for wake in std::iter::once(None).chain((0..wakes.len()).map(Some)) {
                let Some(marking) = self.fire(transition, wake) else {
                    continue;
                };
                let mut after = next.clone();
                let mut is_there = true;
                for (other, thread) in after.threads.iter_mut().enumerate() {
                    let had = self.now.threads.get(other).map(|it| it.location);
                    if other == number {
                        thread.place = step.to.clone();
                    } else if let Some(to) = moved.get(&thread.place) {
                        match to {
                            Some(to) => thread.place = to.clone(),
                            None => is_there = false,
                        }
                    }
                    if let Some((from, to)) = wake.and_then(|it| wakes.get(it))
                        && had.is_some_and(|had| had != thread.location)
                        && thread.place == *from
                    {
                        thread.place = to.clone();
                    }
                }
                if is_there && self.is_covered(&after, &marking) {
                    self.now = after;
                    self.marking = marking;
                    return true;
                }
            }
        }
        false
    }

    /// Whether a thread comes where another one is although they should be alone there. As long
    /// as these are not the two that are followed, nets do not go along.
    fn meets_another(&self, number: usize, next: &Concrete) -> bool {
        let is_at = |thread: &Thread, label| {
            let here = &self.program.templates[thread.template].locations[thread.location];
            here.labels.contains(label)
        };
        self.program.tracked.is_some()
            && self
                .program
                .targets
                .iter()
                .flat_map(|it| &it.labels)
                .any(|label| {
                    let others = next.threads.iter().enumerate();
                    let mut others = others.filter(|(it, _)| *it != number);
                    is_at(&next.threads[number], label) && others.any(|(_, it)| is_at(it, label))
                })
    }

    /// Whether threads are where they must not be, those that are followed if there are any.
    fn is_wrong(&mut self) -> bool {
        let targets = self.program.targets.clone();
        let tracked = self.program.tracked.clone();
        let mut threads = self.now.threads.clone();
        threads.retain(|it| {
            let mut copies = tracked.iter().map(|tracked| &tracked.copies);
            copies.all(|copies| copies.contains(&it.template))
        });
        targets.iter().any(|target| {
            let here = |it: &Thread| &self.program.templates[it.template].locations[it.location];
            let fault = !target.is_fault || threads.iter().any(|it| here(it).is_error);
            let labels = target.labels.iter().all(|label| {
                let wanted = target.labels.iter().filter(|it| *it == label).count();
                let there = threads.iter().filter(|it| here(it).labels.contains(label));
                there.count() >= wanted
            });
            let mut condition = target.condition.iter();
            fault
                && labels
                && condition.all(|(term, value)| {
                    let term = self.program.terms.substitute(*term, &self.now.shared);
                    self.program.terms.as_bool(term) == Some(*value)
                })
        })
    }
}

/// Some of the predicates that a refinement may use, those of the property among them.
pub(crate) fn some_predicates(program: &mut Program, random: &mut Random) -> Vec<Term> {
    let mut predicates: Vec<Term> = Vec::new();
    for target in &program.targets {
        predicates.extend(target.condition.iter().map(|(term, _)| *term));
    }
    let mut all = refine::seeds(program);
    all.extend(refine::templates(program));
    for predicate in all {
        if random.below(3) != 0 && predicates.len() < 6 {
            predicates.push(predicate);
        }
    }
    predicates.sort();
    predicates.dedup();
    predicates
}

#[test]
fn every_step_is_covered_by_a_transition() {
    let mut random = Random::new(29);
    let (mut nets, mut steps, mut wrong, mut met) = (0, 0, 0, 0);
    for _ in 0..240 {
        let source = program(&mut random);
        let ir = raddle_lang::compile(&source).expect(&source);
        let is_tracked = source.contains("count(here0) <= 1") && random.below(2) == 0;
        let configuration = Configuration {
            widened: is_tracked && random.below(3) == 0,
            view: View {
                tracked: is_tracked.then(|| (ir.replicated[0], 2)),
                precise_waits: random.below(2) == 0,
                ..View::default()
            },
            forgets: random.below(2) == 0,
            faults: true,
            invariants: true,
            ..Configuration::default()
        };
        let stop = StopFlag::default();
        let mut queries = Queries::new(&Propositional, &stop, 20_000);
        let Ok(mut program) = prepare(&ir, &configuration, &queries) else {
            continue;
        };
        let predicates = some_predicates(&mut program, &mut random);
        let options = Options {
            precise_passive: random.below(2) == 0,
            ..Options::default()
        };
        let made = abstraction::build(&mut program, &predicates, options, &mut queries);
        let Ok(made) = made else { continue };
        let Ok(built) = nets::emit(&mut program, &made, options, &mut queries) else {
            continue;
        };
        nets += 1;
        for _ in 0..if is_tracked { 24 } else { 8 } {
            let globals = program.globals.clone();
            let shared = initially(&mut program, &mut random, &globals);
            let locks = vec![false; program.locks.len()];
            let mut walk = Walk {
                program: &mut program,
                abstraction: &made,
                built: &built,
                now: Concrete {
                    shared,
                    locks,
                    threads: Vec::new(),
                },
                marking: built.net.least.clone(),
            };
            walk.begin(&mut random);
            for _ in 0..40 {
                let number = random.below(walk.now.threads.len() as u64) as usize;
                let thread = &walk.now.threads[number];
                let edges = walk.program.templates[thread.template].edges.iter();
                let edges: Vec<usize> = edges
                    .enumerate()
                    .filter(|(_, edge)| edge.from == thread.location)
                    .map(|(edge, _)| edge)
                    .collect();
                if edges.is_empty() {
                    continue;
                }
                let number_of_edge = edges[random.below(edges.len() as u64) as usize];
                let edge = walk.program.templates[thread.template].edges[number_of_edge].clone();
                let Some(next) = walk.step(&mut random, number, &edge) else {
                    continue;
                };
                steps += 1;
                let goes_along = walk.go_along(number, number_of_edge, &next);
                if !goes_along && walk.meets_another(number, &next) {
                    break;
                }
                assert!(
                    goes_along,
                    "no transition covers a step at line {:?} of\n{source}\nwith {:?}",
                    edge.place.map(|it| it.line),
                    predicates
                        .iter()
                        .map(|&it| walk.program.terms.show(it))
                        .collect::<Vec<_>>(),
                );
                if walk.is_wrong() {
                    wrong += 1;
                    met += usize::from(is_tracked);
                    assert!(
                        walk.built.net.is_unsafe(&walk.marking),
                        "the net does not see what is wrong in\n{source}"
                    );
                }
            }
        }
    }
    assert!(
        nets > 120 && steps > 10_000 && wrong > 100 && met > 20,
        "{nets} nets, {steps} steps, {wrong} states that are wrong, {met} of followed threads"
    );
}
