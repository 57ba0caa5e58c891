//! Whether an abstraction covers the steps of a program, asked once more.
//!
//! A proof for any number of threads is a net that is safe, and that the net does all that the
//! program does. A [`Recipe`] says how the net was made: how the program was looked at, and with
//! which predicates. [`rebuild`] makes the net again from the program and a recipe, and then checks
//! by code that shares nothing with [`crate::abstraction`] that each concrete step from each place
//! is one of the abstract steps from there, and that what passive threads are said to know
//! afterwards is true: for each there is one question to the solver. Nothing in a recipe has to be
//! believed: with other predicates there is another net, for which a certificate proves nothing.
//!
//! What is taken as it is: the templates ([`crate::lower`], composition, threads that are followed
//! one by one with the guard of the first violation), and how abstract steps become transitions
//! ([`crate::nets`]).

mod formulas;
#[cfg(test)]
mod tests;

use crate::abstraction::{
    self, Abstraction, NoAbstraction, Options, State, Step, initial_valuations,
};
use crate::cubes::Cube;
use crate::lower::View;
use crate::nets;
use crate::program::{Edge, Operation, Program};
use crate::queries::Queries;
use crate::refinement::{self, Configuration, Safe};
use crate::solver::{Session, Solver};
use crate::terms::{Term, Terms, Var};
use crate::weights::{Counter, counters};
use raddle_cover::Net;
use raddle_machine::ir;
use raddle_model::StopFlag;
use std::collections::{BTreeSet, HashMap};

/// How a net was made from a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recipe {
    /// The kind of threads of which some are followed one by one, and how many.
    pub tracked: Option<(u16, usize)>,
    /// The kind of threads of which so many at labels are left to another net.
    pub without: Option<(u16, usize)>,
    /// Whether threads that wait go on only when they are notified.
    pub precise_waits: bool,
    /// Whether numbers wrap around; otherwise none overflows.
    pub wraps: bool,
    /// Whether dead variables of threads that exist once are forgotten.
    pub forgets: bool,
    /// Whether followed threads count as at a label until they write something shared.
    pub widened: bool,
    /// Whether it is computed what passive threads know.
    pub precise_passive: bool,
    /// The predicates, in prefix form.
    pub predicates: Vec<String>,
}

impl Recipe {
    /// The recipe of a net; none if a predicate cannot be written down.
    pub(crate) fn of(configuration: &Configuration, found: &Safe) -> Option<Recipe> {
        let names = formulas::Names::of(&found.program);
        let predicates = found.predicates.iter();
        let predicates = predicates.map(|&it| names.write(&found.terms, it));
        let plain = |(id, count): (ir::DeclarationId, usize)| (id.0, count);
        Some(Recipe {
            tracked: configuration.view.tracked.map(plain),
            without: configuration.without.map(plain),
            precise_waits: configuration.view.precise_waits,
            wraps: configuration.view.wraps,
            forgets: configuration.forgets,
            widened: configuration.widened,
            precise_passive: found.precise_passive,
            predicates: predicates.collect::<Option<_>>()?,
        })
    }

    fn configuration(&self, asked: Asked) -> Configuration {
        let typed = |(id, count): (u16, usize)| (ir::DeclarationId(id), count);
        Configuration {
            view: View {
                tracked: self.tracked.map(typed),
                precise_waits: self.precise_waits,
                wraps: self.wraps,
            },
            forgets: self.forgets,
            widened: self.widened,
            faults: asked.faults,
            invariants: asked.invariants,
            without: self.without.map(typed),
            ..Configuration::default()
        }
    }
}

/// What is to be proved of a program.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// No assertion fails, and there is no other fault.
    pub faults: bool,
    /// Invariants hold.
    pub invariants: bool,
}

/// Whether recipes speak of all that is asked: one net for everything, or one for threads that are
/// followed and one for the rest, if there is a rest.
pub fn suffices(
    program: &ir::Program,
    asked: Asked,
    recipes: &[Recipe],
    solver: &dyn Solver,
    stop: &StopFlag,
) -> Result<(), String> {
    let is_all = |recipe: &Recipe| recipe.tracked.is_none() && recipe.without.is_none();
    if recipes.iter().any(is_all) {
        return Ok(());
    }
    let followed = recipes.iter().find_map(|recipe| recipe.tracked);
    let followed = followed.ok_or("it does not speak of all that is asked")?;
    let is_rest = |recipe: &&Recipe| recipe.tracked.is_none() && recipe.without == Some(followed);
    if recipes.iter().any(|it| is_rest(&it)) {
        return Ok(());
    }
    let rest = Recipe {
        without: Some(followed),
        ..Recipe::default()
    };
    let queries = Queries::new(solver, stop, u64::MAX);
    match refinement::prepare(program, &rest.configuration(asked), &queries) {
        Ok(program) if program.targets.is_empty() => Ok(()),
        _ => Err("it speaks of threads at labels only, and more is asked".to_owned()),
    }
}

/// Makes the net of a recipe again, and checks that it covers the program. The error says why
/// not.
pub fn rebuild(
    program: &ir::Program,
    asked: Asked,
    recipe: &Recipe,
    solver: &dyn Solver,
    stop: &StopFlag,
    most: u64,
) -> Result<Net, String> {
    let mut queries = Queries::new(solver, stop, most);
    let configuration = recipe.configuration(asked);
    let prepared = refinement::prepare(program, &configuration, &queries);
    let mut prepared =
        prepared.map_err(|_| "the program cannot be looked at in this way".to_owned())?;
    let names = formulas::Names::of(&prepared);
    let mut predicates = Vec::new();
    for text in &recipe.predicates {
        let predicate = names.read(&mut prepared.terms, text)?;
        if !predicates.contains(&predicate) {
            predicates.push(predicate);
        }
    }
    let options = Options {
        precise_passive: recipe.precise_passive,
        ..Options::default()
    };
    let trouble = |trouble: NoAbstraction| match trouble {
        NoAbstraction::Over => "it takes longer than it may".to_owned(),
        NoAbstraction::TooLarge(why) => why,
    };
    let made = abstraction::build(&mut prepared, &predicates, options, &mut queries);
    let made = made.map_err(trouble)?;
    let initial = initial_valuations(&mut prepared, &made.shared, &mut queries);
    let initial = initial.map_err(trouble)?;
    let mut checker = Checker {
        counters: counters(&mut prepared),
        program: &mut prepared,
        made: &made,
        solver,
        stop,
        asked: 0,
        most,
    };
    checker.all(&initial)?;
    let built = nets::emit(&mut prepared, &made, options, &mut queries).map_err(trouble)?;
    Ok(built.net)
}

struct Checker<'a> {
    program: &'a mut Program,
    made: &'a Abstraction,
    counters: Vec<Counter>,
    solver: &'a dyn Solver,
    stop: &'a StopFlag,
    asked: u64,
    most: u64,
}

impl Checker<'_> {
    fn all(&mut self, initial: &[Cube]) -> Result<(), String> {
        let made = self.made;
        self.initial(initial)?;
        self.counters()?;
        for state in &made.states {
            self.state(state)?;
        }
        for step in &made.steps {
            self.others(step)?;
        }
        Ok(())
    }

    fn terms(&mut self) -> &mut Terms {
        &mut self.program.terms
    }

    fn signed(&mut self, predicate: Term, value: bool) -> Term {
        match value {
            true => predicate,
            false => self.terms().not(predicate),
        }
    }

    /// Fails if some facts do not exclude that all conjunctions of literals are false.
    fn covers(&mut self, facts: &[Term], cases: &[Vec<Term>], what: &str) -> Result<(), String> {
        self.asked += 1;
        if self.stop.is_set() || self.asked > self.most {
            return Err("it takes longer than it may".to_owned());
        }
        // What is among the facts, or is true anyway, need not be asked.
        let is_known = |terms: &Terms, literal: &Term| {
            terms.as_bool(*literal) == Some(true) || facts.contains(literal)
        };
        let terms = &self.program.terms;
        if cases
            .iter()
            .any(|case| case.iter().all(|it| is_known(terms, it)))
        {
            return Ok(());
        }
        let mut session: Box<dyn Session> = self.solver.session();
        for &fact in facts {
            session.assert(terms, fact);
        }
        for case in cases {
            let literals: BTreeSet<Term> = case.iter().copied().collect();
            let literals = literals.into_iter().filter(|it| !is_known(terms, it));
            let names: Vec<_> = literals
                .map(|it| (session.name(terms, it), false))
                .collect();
            session.assert_any(&names);
        }
        match session.solve(&[]) {
            true => Err(match self.solver.failure() {
                Some(why) => why,
                None => format!("{what} is not covered"),
            }),
            false => Ok(()),
        }
    }

    /// What a place says of a thread in it.
    fn knows(&mut self, (template, _, cube): &State) -> Vec<Term> {
        let made = self.made;
        let predicates = made.local[*template].iter().zip(cube);
        let literals = predicates.filter(|(_, value)| **value < 2);
        let literals: Vec<(Term, bool)> = literals.map(|(it, value)| (*it, *value == 1)).collect();
        let signed = literals.into_iter();
        signed.map(|(it, value)| self.signed(it, value)).collect()
    }

    fn initial(&mut self, valuations: &[Cube]) -> Result<(), String> {
        let made = self.made;
        let globals = self.program.globals.clone();
        let facts = self.program.initially(&globals);
        let mut cases = Vec::new();
        for valuation in valuations {
            let literals = valuation.literals();
            let case = literals.map(|(number, value)| self.signed(made.shared[number], value));
            cases.push(case.collect());
        }
        self.covers(&facts, &cases, "a beginning of the program")?;
        for (number, entry) in made.entries.iter().enumerate() {
            let starts = self.program.templates.iter().flat_map(|it| &it.edges);
            let mut starts = starts.flat_map(|edge| &edge.operations);
            let is_started = starts.any(|it| *it == Operation::Start(number));
            let template = &self.program.templates[number];
            let Some(entry) = entry else {
                match template.started && !is_started {
                    true => continue,
                    false => return Err("threads have no beginning".to_owned()),
                }
            };
            if (entry.0, entry.1) != (number, 0) || !made.states.contains(entry) {
                return Err("threads begin elsewhere".to_owned());
            }
            let locals = template.locals.clone();
            let facts = self.program.initially(&locals);
            let case = self.knows(entry);
            self.covers(&facts, &[case], "the beginning of a thread")?;
        }
        Ok(())
    }

    /// Every edge changes a number that counts threads by the difference of the weights of its
    /// ends, and none of those of which there are many counts against the others.
    fn counters(&mut self) -> Result<(), String> {
        for counter in self.counters.clone() {
            let wrong = || "a number does not count threads".to_owned();
            let mut globals = self.program.globals.iter();
            if !globals.any(|it| it.var == counter.var && it.initial == Some(counter.initial)) {
                return Err(wrong());
            }
            for number in 0..self.program.templates.len() {
                let template = self.program.templates[number].clone();
                let weights = counter.weights.get(number).ok_or_else(wrong)?;
                let is_one_sided = weights.values().all(|it| it * counter.sign >= 0);
                if weights.get(&0) != Some(&0) || !(template.once || is_one_sided) {
                    return Err(wrong());
                }
                for edge in template
                    .edges
                    .iter()
                    .filter(|it| weights.contains_key(&it.from))
                {
                    let to = weights.get(&edge.to).ok_or_else(wrong)?;
                    let change = to - weights[&edge.from];
                    let old = self.terms().of(counter.var);
                    let new = edge.updates.get(&counter.var).copied().unwrap_or(old);
                    let expected = self.terms().sum(vec![(old, 1)], change);
                    let is_it = self.terms().equal(new, expected);
                    self.covers(&[edge.guard, edge.fits], &[vec![is_it]], "a count")?;
                }
                for (from, to, _) in &template.waits {
                    if weights.contains_key(from) && weights.get(from) != weights.get(to) {
                        return Err(wrong());
                    }
                }
            }
        }
        Ok(())
    }

    /// What numbers that count threads are at least, or at most, with threads at some locations,
    /// each another one.
    fn counted(&mut self, threads: &[(usize, usize)]) -> Vec<Term> {
        let mut facts = Vec::new();
        for counter in self.counters.clone() {
            let mut sum = counter.initial;
            for &(template, location) in threads {
                sum += counter.weights[template]
                    .get(&location)
                    .copied()
                    .unwrap_or(0);
            }
            // Those that exist once are somewhere, too.
            for (number, template) in self.program.templates.iter().enumerate() {
                if template.once && threads.iter().all(|(it, _)| *it != number) {
                    let weights = counter.weights[number].values().copied();
                    let least = weights.map(|it| it * counter.sign).min();
                    sum += least.unwrap_or(0) * counter.sign;
                }
            }
            let current = self.terms().of(counter.var);
            let sum = self.terms().number(sum);
            facts.push(match counter.sign > 0 {
                true => self.terms().at_least(current, sum),
                false => self.terms().at_least(sum, current),
            });
        }
        facts
    }

    /// The same before and after a step of the first thread.
    fn counted_around(
        &mut self,
        edge: &Edge,
        at: (usize, usize),
        other: &[(usize, usize)],
    ) -> Vec<Term> {
        let mut threads = vec![at];
        threads.extend(other);
        let mut facts = self.counted(&threads);
        threads[0].1 = edge.to;
        for fact in self.counted(&threads) {
            let after = self.terms().substitute(fact, &edge.updates);
            facts.push(after);
        }
        facts
    }

    /// What is true of the concrete steps that an abstract one covers: predicates that all share
    /// have the values that it says, and those of which it says nothing keep theirs.
    fn literals(&mut self, step: &Step, edge: &Edge) -> Vec<Term> {
        let made = self.made;
        let mut literals = Vec::new();
        for (number, &predicate) in made.shared.iter().enumerate() {
            let after = self.terms().substitute(predicate, &edge.updates);
            if let Some(value) = step.before.get(number) {
                literals.push(self.signed(predicate, value));
            }
            match step.after.get(number) {
                Some(value) => literals.push(self.signed(after, value)),
                None if after != predicate => {
                    let terms = self.terms();
                    let (not, not_after) = (terms.not(predicate), terms.not(after));
                    let (up, down) = (terms.or(not, after), terms.or(predicate, not_after));
                    literals.extend([up, down]);
                }
                None => {}
            }
        }
        for known in self.knows(&step.to) {
            let after = self.terms().substitute(known, &edge.updates);
            literals.push(after);
        }
        literals
    }

    /// Each concrete step from a place is one of the abstract ones from there.
    fn state(&mut self, state: &State) -> Result<(), String> {
        let made = self.made;
        let (template, location, _) = *state;
        let described = self.program.templates.get(template);
        let edges = described.map(|it| it.edges.clone()).unwrap_or_default();
        for (number, edge) in edges
            .iter()
            .enumerate()
            .filter(|(_, it)| it.from == location)
        {
            let mut facts = self.knows(state);
            facts.extend([edge.guard, edge.fits]);
            facts.extend(self.counted_around(edge, (template, location), &[]));
            let steps = made.steps.iter().filter(|step| {
                (step.template, step.edge) == (template, number) && step.from == *state
            });
            let mut cases = Vec::new();
            for step in steps {
                if (step.to.0, step.to.1) != (template, edge.to) || !made.states.contains(&step.to)
                {
                    return Err("a step leads elsewhere".to_owned());
                }
                cases.push(self.literals(step, edge));
            }
            let place = edge.place.map_or(0, |place| place.line);
            self.covers(&facts, &cases, &format!("a step in line {place}"))?;
        }
        for (from, to, _) in &self.program.templates[template].waits {
            let notified = (template, *to, state.2.clone());
            if *from == location && !made.states.contains(&notified) {
                return Err("a thread that is notified has no place".to_owned());
            }
        }
        Ok(())
    }

    /// What other threads know after a step is true, or they cannot be there.
    fn others(&mut self, step: &Step) -> Result<(), String> {
        let made = self.made;
        let edge = self.program.templates[step.template].edges[step.edge].clone();
        let at = (step.template, edge.from);
        let mut facts = self.knows(&step.from);
        facts.extend([edge.guard, edge.fits]);
        facts.extend(self.literals(step, &edge));
        for state in &made.states {
            // There is one of these, and it is the one that moves.
            if self.program.templates[state.0].once && state.0 == step.template {
                continue;
            }
            let after = step.passive.get(state).cloned();
            let after = after.unwrap_or_else(|| Some(state.clone()));
            let names = self.another(state.0);
            let mut before = facts.clone();
            for known in self.knows(state) {
                let known = self.terms().substitute(known, &names);
                before.push(known);
            }
            let Some(after) = after else {
                before.extend(self.counted_around(&edge, at, &[(state.0, state.1)]));
                self.covers(&before, &[], "a thread that is taken away")?;
                continue;
            };
            let notifies = |it: &Operation| matches!(it, Operation::NotifyAll(_));
            let is_kept = made.states.contains(&after) && (after.0, after.1) == (state.0, state.1);
            let has_place = self.program.templates[state.0]
                .waits
                .iter()
                .all(|(from, to, _)| {
                    let notified = (after.0, *to, after.2.clone());
                    *from != state.1 || made.states.contains(&notified)
                });
            if !is_kept || (edge.operations.iter().any(notifies) && !has_place) {
                return Err("a passive thread has no place".to_owned());
            }
            let mut case = Vec::new();
            for known in self.knows(&after) {
                let known = self.terms().substitute(known, &names);
                case.push(self.terms().substitute(known, &edge.updates));
            }
            if case.iter().all(|it| before.contains(it)) {
                continue;
            }
            before.extend(self.counted_around(&edge, at, &[(state.0, state.1)]));
            self.covers(&before, &[case], "what a passive thread knows")?;
        }
        Ok(())
    }

    /// The variables of another thread of a template.
    fn another(&mut self, template: usize) -> HashMap<Var, Term> {
        let mut names = HashMap::new();
        for local in self.program.templates[template].locals.clone() {
            let info = self.program.terms.info(local.var).clone();
            let twin = self.program.twin(local.var, info);
            let twin = self.terms().of(twin);
            names.insert(local.var, twin);
        }
        names
    }
}
