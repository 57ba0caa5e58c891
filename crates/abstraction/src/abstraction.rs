//! Predicates turn templates into a net.
//!
//! Places: two for each shared predicate, two for each lock, and one for each template,
//! location and cube over the local and mixed predicates that threads there can have. A
//! step that writes a variable of a mixed predicate changes what *other* threads know; that
//! is a transfer. A passive thread that cannot exist beside the step goes to the place
//! `dead`, instead of blocking the step: so the net stays monotone (Kaiser, Kroening, Wahl:
//! Lost in abstraction, 2014), and `dead` only ever takes away threads that no concrete
//! state has.
//!
//! What is guaranteed: every step of every concrete execution is covered by a transition of
//! the net, so that a net that is safe means a program that is.

use crate::compose;
use crate::cubes::{Cube, MOST_PREDICATES, merged};
use crate::program::{Edge, Program};
use crate::queries::Queries;
use crate::terms::{Term, Var};
use crate::weights::{Counter, counters};
use std::collections::{BTreeSet, HashMap, HashSet};

/// How the abstraction is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    /// Whether it is computed what passive threads know after a step; otherwise they know
    /// nothing about what was written.
    pub(crate) precise_passive: bool,
    /// Whether threads come to a label where one thread may be only if nobody is there.
    pub(crate) first_violation: bool,
    /// How far the predicates may be apart that a step is computed with.
    pub(crate) depth: usize,
    /// Beyond so many transitions it is given up.
    pub(crate) most_rules: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            precise_passive: false,
            first_violation: true,
            depth: 1,
            most_rules: 12_000,
        }
    }
}

/// A place for threads: their template, location, and what they know. 2 is nothing.
pub(crate) type State = (usize, usize, Vec<u8>);

/// A step of the abstraction.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) template: usize,
    pub(crate) edge: usize,
    pub(crate) before: Cube,
    pub(crate) after: Cube,
    pub(crate) from: State,
    pub(crate) to: State,
    /// What is true of the concrete steps that it covers.
    facts: Vec<Term>,
    /// Where passive threads go, if not where they are; `None` is `dead`.
    pub(crate) passive: HashMap<State, Option<State>>,
}

/// What the predicates make of a program.
pub(crate) struct Abstraction {
    pub(crate) shared: Vec<Term>,
    /// For each template, the predicates over its variables.
    pub(crate) local: Vec<Vec<Term>>,
    pub(crate) states: Vec<State>,
    pub(crate) steps: Vec<Step>,
    /// The place in which threads of a template begin.
    pub(crate) entries: Vec<Option<State>>,
}

/// Why there is no abstraction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoAbstraction {
    /// It was to end.
    Over,
    /// It would be too large.
    TooLarge(String),
}

struct Builder<'a, 'q> {
    program: &'a mut Program,
    queries: &'a mut Queries<'q>,
    options: Options,
    globals: HashSet<Var>,
    counters: Vec<Counter>,
    /// For each template and location, the variables that may still be read.
    live: Vec<Vec<HashSet<Var>>>,
    /// For each template, its variables as those of a passive thread.
    passive_names: Vec<HashMap<Var, Term>>,
    out: Abstraction,
    known: HashSet<State>,
    pending: Vec<State>,
}

/// Sorts predicates: those over globals, and those with variables of one template. The others
/// are of no use.
pub(crate) fn classify(program: &Program, predicates: &[Term]) -> (Vec<Term>, Vec<Vec<Term>>) {
    let mut owner: HashMap<Var, usize> = HashMap::new();
    for (number, template) in program.templates.iter().enumerate() {
        owner.extend(template.locals.iter().map(|local| (local.var, number)));
    }
    let mut shared = Vec::new();
    let mut local = vec![Vec::new(); program.templates.len()];
    for &predicate in predicates {
        let vars = program.terms.vars(predicate).iter();
        let owners: BTreeSet<usize> = vars.filter_map(|var| owner.get(var).copied()).collect();
        match owners.iter().collect::<Vec<_>>().as_slice() {
            [] => shared.push(predicate),
            [template] => local[**template].push(predicate),
            _ => {}
        }
    }
    (shared, local)
}

/// Makes the abstraction.
pub(crate) fn build(
    program: &mut Program,
    predicates: &[Term],
    options: Options,
    queries: &mut Queries<'_>,
) -> Result<Abstraction, NoAbstraction> {
    let (shared, local) = classify(program, predicates);
    if shared.len() > MOST_PREDICATES {
        return Err(NoAbstraction::TooLarge(
            "too many shared predicates".to_owned(),
        ));
    }
    let counters = counters(program);
    let templates = program.templates.len();
    let live = |number: usize| {
        let locals = program.templates[number].locals.iter();
        compose::live(program, number, &locals.map(|it| it.var).collect())
    };
    let mut builder = Builder {
        globals: program.globals.iter().map(|global| global.var).collect(),
        counters,
        live: (0..templates).map(live).collect(),
        passive_names: passive_names(program),
        out: Abstraction {
            shared,
            local,
            states: Vec::new(),
            steps: Vec::new(),
            entries: vec![None; templates],
        },
        known: HashSet::new(),
        pending: Vec::new(),
        program,
        queries,
        options,
    };
    builder.build()?;
    Ok(builder.out)
}

/// A second variable for each local one: a passive thread may be of the active one's template.
fn passive_names(program: &mut Program) -> Vec<HashMap<Var, Term>> {
    let mut names = Vec::new();
    for template in 0..program.templates.len() {
        let mut of_template = HashMap::new();
        for local in program.templates[template].locals.clone() {
            let mut info = program.terms.info(local.var).clone();
            info.name.push_str(" of another");
            // The same twin each time, so that questions are recognised.
            let twin = program.twin(local.var, info);
            of_template.insert(local.var, program.terms.of(twin));
        }
        names.push(of_template);
    }
    names
}

impl Builder<'_, '_> {
    fn build(&mut self) -> Result<(), NoAbstraction> {
        for template in 0..self.program.templates.len() {
            if !self.program.templates[template].started {
                self.entry(template);
            }
        }
        loop {
            while let Some(state) = self.pending.pop() {
                self.expand(state)?;
            }
            let mut step = 0;
            while step < self.out.steps.len() {
                self.move_passive(step)?;
                step += 1;
            }
            if self.pending.is_empty() {
                return Ok(());
            }
        }
    }

    fn state(&mut self, state: State) -> State {
        if self.known.insert(state.clone()) {
            self.out.states.push(state.clone());
            self.pending.push(state.clone());
        }
        state
    }

    fn is_live(&self, template: usize, location: usize, predicate: Term) -> bool {
        let own = self.program.terms.vars(predicate).iter();
        let mut own = own.filter(|var| !self.globals.contains(var));
        own.any(|var| self.live[template][location].contains(var))
    }

    /// The place in which threads of a template begin. The variables that all share may have
    /// any value then.
    fn entry(&mut self, template: usize) -> State {
        if let Some(entry) = &self.out.entries[template] {
            return entry.clone();
        }
        let locals = self.program.templates[template].locals.clone();
        let facts = self.program.initially(&locals);
        let mut cube = Vec::new();
        for predicate in self.out.local[template].clone() {
            cube.push(match self.is_live(template, 0, predicate) {
                true => self
                    .queries
                    .implied(&mut self.program.terms, &facts, predicate),
                false => 2,
            });
        }
        let entry = self.state((template, 0, cube));
        self.out.entries[template] = Some(entry.clone());
        entry
    }

    /// What a cube says.
    fn cube(&mut self, template: usize, cube: &[u8]) -> Vec<Term> {
        let predicates = self.out.local[template].clone();
        let pairs = predicates.into_iter().zip(cube);
        let terms = &mut self.program.terms;
        pairs
            .filter_map(|(predicate, value)| match value {
                0 => Some(terms.not(predicate)),
                1 => Some(predicate),
                _ => None,
            })
            .collect()
    }

    fn expand(&mut self, state: State) -> Result<(), NoAbstraction> {
        let (template, location, cube) = &state;
        let (template, location) = (*template, *location);
        for (from, to, _) in self.program.templates[template].waits.clone() {
            if from == location {
                self.state((template, to, cube.clone()));
            }
        }
        for number in 0..self.program.templates[template].edges.len() {
            let edge = &self.program.templates[template].edges[number];
            if edge.from != location {
                continue;
            }
            let edge = edge.clone();
            for operation in &edge.operations {
                if let crate::program::Operation::Start(started) = operation {
                    self.entry(*started);
                }
            }
            self.post(template, number, &edge, &state)?;
        }
        Ok(())
    }

    /// The abstract steps of an edge from a place.
    fn post(
        &mut self,
        template: usize,
        number: usize,
        edge: &Edge,
        from: &State,
    ) -> Result<(), NoAbstraction> {
        if self.queries.is_over() {
            return Err(NoAbstraction::Over);
        }
        let mut base = self.cube(template, &from.2);
        base.push(edge.guard);
        base.push(edge.fits);
        for counter in &self.counters {
            base.push(counter.fact(self.program, (template, edge.from), None));
            let after = counter.fact(self.program, (template, edge.to), None);
            base.push(self.program.terms.substitute(after, &edge.updates));
        }
        if !self.queries.possible(&self.program.terms, &base) {
            return Ok(());
        }
        let relevant = self.relevant(template, edge, &from.2);
        let found = self.solutions(template, edge, &base, &relevant)?;
        for (before, (after, known)) in merged(found) {
            let mut facts = base.clone();
            for (number, value) in before.literals() {
                facts.push(self.literal(self.out.shared[number], value));
            }
            for (number, value) in after.literals() {
                let predicate = self.after(edge, self.out.shared[number]);
                facts.push(self.literal(predicate, value));
            }
            for &(number, value) in &known {
                let predicate = self.after(edge, self.out.local[template][number]);
                facts.push(self.literal(predicate, value));
            }
            let to = self.known_after(template, edge, &from.2, &facts, &known, &relevant.vars);
            let to = self.state((template, edge.to, to));
            if self.out.steps.len() >= self.options.most_rules {
                return Err(NoAbstraction::TooLarge(
                    "too many abstract steps".to_owned(),
                ));
            }
            self.out.steps.push(Step {
                template,
                edge: number,
                before,
                after,
                from: from.clone(),
                to,
                facts,
                passive: HashMap::new(),
            });
        }
        Ok(())
    }

    fn literal(&mut self, predicate: Term, value: bool) -> Term {
        match value {
            true => predicate,
            false => self.program.terms.not(predicate),
        }
    }

    /// A predicate after a step, in terms of what was before it.
    fn after(&mut self, edge: &Edge, predicate: Term) -> Term {
        self.program.terms.substitute(predicate, &edge.updates)
    }

    fn writes(&self, edge: &Edge, predicate: Term) -> bool {
        let vars = self.program.terms.vars(predicate).iter();
        vars.into_iter().any(|var| edge.updates.contains_key(var))
    }

    /// The predicates that a step is computed with.
    fn relevant(&mut self, template: usize, edge: &Edge, cube: &[u8]) -> Relevant {
        let shared = self.out.shared.clone();
        let local = self.out.local[template].clone();
        let written: Vec<usize> = (0..shared.len())
            .filter(|&it| self.writes(edge, shared[it]))
            .collect();
        let written_local: Vec<usize> = (0..local.len())
            .filter(|&it| {
                self.writes(edge, local[it]) && self.is_live(template, edge.to, local[it])
            })
            .collect();
        let mut vars: HashSet<Var> = self
            .program
            .terms
            .vars(edge.guard)
            .iter()
            .copied()
            .collect();
        let mut after = Vec::new();
        after.extend(written.iter().map(|&it| shared[it]));
        after.extend(written_local.iter().map(|&it| local[it]));
        for predicate in after {
            let predicate = self.after(edge, predicate);
            vars.extend(self.program.terms.vars(predicate).iter().copied());
        }
        for (var, value) in &edge.updates {
            if self.globals.contains(var) {
                vars.insert(*var);
                vars.extend(self.program.terms.vars(*value).iter().copied());
            }
        }
        let terms = &self.program.terms;
        let known = local.iter().zip(cube).filter(|(_, value)| **value != 2);
        let known: Vec<Term> = known.map(|(predicate, _)| *predicate).collect();
        for _ in 0..self.options.depth {
            let mut more = vars.clone();
            for predicate in known.iter().chain(&shared) {
                let mut used = terms.vars(*predicate).iter();
                if used.any(|var| vars.contains(var)) {
                    more.extend(terms.vars(*predicate).iter().copied());
                }
            }
            if more.len() == vars.len() {
                break;
            }
            vars = more;
        }
        let before = (0..shared.len())
            .filter(|&it| terms.vars(shared[it]).iter().any(|var| vars.contains(var)));
        Relevant {
            before: before.collect(),
            written,
            written_local,
            vars,
        }
    }

    /// All valuations of the relevant predicates before, and of the written ones after.
    fn solutions(
        &mut self,
        template: usize,
        edge: &Edge,
        base: &[Term],
        relevant: &Relevant,
    ) -> Result<BTreeSet<(Cube, Result_)>, NoAbstraction> {
        let mut session = self.queries.solver.session();
        for &fact in base {
            session.assert(&self.program.terms, fact);
        }
        let mut names = Vec::new();
        for &number in &relevant.before {
            let predicate = self.out.shared[number];
            names.push(session.name(&self.program.terms, predicate));
        }
        for &number in &relevant.written {
            let predicate = self.after(edge, self.out.shared[number]);
            names.push(session.name(&self.program.terms, predicate));
        }
        for &number in &relevant.written_local {
            let predicate = self.after(edge, self.out.local[template][number]);
            names.push(session.name(&self.program.terms, predicate));
        }
        let mut found = BTreeSet::new();
        loop {
            self.queries.asked += 1;
            if self.queries.is_over() {
                return Err(NoAbstraction::Over);
            }
            if !session.solve(&[]) {
                break;
            }
            let values: Vec<bool> = names.iter().map(|&name| session.value(name)).collect();
            let mut rest = values.iter().copied();
            let (mut before, mut after) = (Cube::default(), Cube::default());
            for &number in &relevant.before {
                before.set(number, rest.next().unwrap_or(false));
            }
            for &number in &relevant.written {
                after.set(number, rest.next().unwrap_or(false));
            }
            let local = relevant.written_local.iter().copied().zip(rest);
            found.insert((before, (after, local.collect())));
            if names.is_empty() {
                break;
            }
            if found.len() > self.options.most_rules {
                return Err(NoAbstraction::TooLarge(
                    "a step has too many cases".to_owned(),
                ));
            }
            let other: Vec<_> = names
                .iter()
                .copied()
                .zip(values.iter().map(|it| !it))
                .collect();
            session.assert_any(&other);
        }
        Ok(found)
    }

    /// What the active thread knows after its step.
    fn known_after(
        &mut self,
        template: usize,
        edge: &Edge,
        before: &[u8],
        facts: &[Term],
        known: &[(usize, bool)],
        vars: &HashSet<Var>,
    ) -> Vec<u8> {
        let mut after = Vec::new();
        for (number, predicate) in self.out.local[template].clone().into_iter().enumerate() {
            let found = known.iter().find(|(it, _)| *it == number);
            let mut used = self.program.terms.vars(predicate).iter();
            let touches = used.any(|var| vars.contains(var));
            after.push(match found {
                _ if !self.is_live(template, edge.to, predicate) => 2,
                Some((_, value)) => u8::from(*value),
                None if self.writes(edge, predicate) || (before[number] == 2 && touches) => {
                    let predicate = self.after(edge, predicate);
                    self.queries
                        .implied(&mut self.program.terms, facts, predicate)
                }
                None => before[number],
            });
        }
        after
    }

    /// Finds out where passive threads go, from all places that there are by now.
    fn move_passive(&mut self, step: usize) -> Result<(), NoAbstraction> {
        let mut place = 0;
        while place < self.out.states.len() {
            let state = self.out.states[place].clone();
            place += 1;
            if self.out.steps[step].passive.contains_key(&state) {
                continue;
            }
            let after = self.passive(step, &state)?;
            let after = after.map(|cube| self.state((state.0, state.1, cube)));
            self.out.steps[step].passive.insert(state, after);
        }
        Ok(())
    }

    /// What a passive thread knows after a step; `None` if it cannot be there.
    fn passive(&mut self, step: usize, state: &State) -> Result<Option<Vec<u8>>, NoAbstraction> {
        let (template, location, cube) = state;
        let Step {
            template: active,
            edge,
            ..
        } = self.out.steps[step];
        let edge = self.program.templates[active].edges[edge].clone();
        if !edge.updates.keys().any(|var| self.globals.contains(var)) {
            return Ok(Some(cube.clone()));
        }
        let predicates = self.out.local[*template].clone();
        let is_hit = |this: &Self, predicate: Term| {
            let mut vars = this.program.terms.vars(predicate).iter();
            vars.any(|var| this.globals.contains(var) && edge.updates.contains_key(var))
                && this.is_live(*template, *location, predicate)
        };
        let hit: Vec<bool> = predicates.iter().map(|&it| is_hit(self, it)).collect();
        let at = (*template, *location);
        let counts =
            |counter: &Counter| edge.updates.contains_key(&counter.var) && counter.counts(at);
        let counts = self.counters.iter().any(counts);
        if !hit.contains(&true) && !counts {
            return Ok(Some(cube.clone()));
        }
        if self.queries.is_over() {
            return Err(NoAbstraction::Over);
        }
        let names = self.passive_names[*template].clone();
        let mut facts = self.out.steps[step].facts.clone();
        for fact in self.cube(*template, cube) {
            facts.push(self.program.terms.substitute(fact, &names));
        }
        for counter in &self.counters {
            facts.push(counter.fact(self.program, (active, edge.from), Some(at)));
            let after = counter.fact(self.program, (active, edge.to), Some(at));
            facts.push(self.program.terms.substitute(after, &edge.updates));
        }
        let precise = self.options.precise_passive;
        if (precise || counts) && !self.queries.possible(&self.program.terms, &facts) {
            return Ok(None);
        }
        let mut after = cube.clone();
        for (number, &predicate) in predicates.iter().enumerate() {
            if !hit[number] {
                continue;
            }
            after[number] = match precise {
                false => 2,
                true => {
                    // Its own variables are its own; what all share is what the step wrote.
                    let own = self.program.terms.substitute(predicate, &names);
                    let later = self.program.terms.substitute(own, &edge.updates);
                    self.queries.implied(&mut self.program.terms, &facts, later)
                }
            };
        }
        Ok(Some(after))
    }
}

/// The written shared predicates, and the written local ones, after a step.
type Result_ = (Cube, Vec<(usize, bool)>);

struct Relevant {
    before: Vec<usize>,
    written: Vec<usize>,
    written_local: Vec<usize>,
    vars: HashSet<Var>,
}

/// All initial valuations of predicates over variables that all share.
pub(crate) fn initial_valuations(
    program: &mut Program,
    shared: &[Term],
    queries: &mut Queries<'_>,
) -> Result<Vec<Cube>, NoAbstraction> {
    let globals = program.globals.clone();
    let facts = program.initially(&globals);
    let mut session = queries.solver.session();
    for fact in facts {
        session.assert(&program.terms, fact);
    }
    let names: Vec<_> = shared
        .iter()
        .map(|&it| session.name(&program.terms, it))
        .collect();
    let mut found = Vec::new();
    loop {
        queries.asked += 1;
        if queries.is_over() {
            return Err(NoAbstraction::Over);
        }
        if !session.solve(&[]) {
            return Ok(found);
        }
        let mut cube = Cube::default();
        let values: Vec<bool> = names.iter().map(|&name| session.value(name)).collect();
        for (number, &value) in values.iter().enumerate() {
            cube.set(number, value);
        }
        found.push(cube);
        if names.is_empty() {
            return Ok(found);
        }
        if found.len() > 1000 {
            return Err(NoAbstraction::TooLarge(
                "too many initial valuations".to_owned(),
            ));
        }
        let other: Vec<_> = names
            .iter()
            .copied()
            .zip(values.iter().map(|it| !it))
            .collect();
        session.assert_any(&other);
    }
}
