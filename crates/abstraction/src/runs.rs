//! Runs of the net as executions of threads: are they possible?
//!
//! Tokens have no names. Which of several threads in a place makes a step is picked, in a few
//! orders; for each the run becomes a sequence of steps of named threads, whose guards are
//! collected in terms of initial values and choices. If they can be true together, the run
//! is one of the program.

use crate::abstraction::{Abstraction, State};
use crate::nets::{Built, Meaning};
use crate::program::Program;
use crate::solver::{Name, Solver};
use crate::terms::{Term, Terms, Var};
use raddle_cover::Run;
use std::collections::{BTreeSet, HashMap};

/// A step of a named thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moved {
    pub(crate) template: usize,
    pub(crate) edge: usize,
    pub(crate) thread: usize,
}

/// A run of the net with names for its threads.
#[derive(Clone, Debug)]
pub(crate) struct Execution {
    /// The template of each thread.
    pub(crate) threads: Vec<usize>,
    pub(crate) steps: Vec<Moved>,
}

/// How a thread is picked of those in a place.
pub(crate) const PICKS: usize = 4;

struct Token {
    template: usize,
    state: Option<State>,
    last: usize,
}

/// Gives the tokens of a run names.
pub(crate) fn decode(
    program: &Program,
    abstraction: &Abstraction,
    built: &Built,
    run: &Run,
    pick: usize,
) -> Option<Execution> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut steps = Vec::new();
    let begin = |template: usize, last: usize| Token {
        template,
        state: abstraction.entries[template].clone(),
        last,
    };
    for (time, firing) in run.firings.iter().enumerate() {
        match built.meanings.get(firing.transition)? {
            Meaning::Boot => {
                for (number, template) in program.templates.iter().enumerate() {
                    if template.once {
                        tokens.push(begin(number, time));
                    }
                }
            }
            Meaning::Spawn(template) => tokens.push(begin(*template, time)),
            Meaning::Step {
                step,
                moved,
                started,
                wakes,
            } => {
                let step = &abstraction.steps[*step];
                let there = |token: &Token| token.state.as_ref() == Some(&step.from);
                let places = (0..tokens.len()).filter(|&it| there(&tokens[it]));
                let places: Vec<usize> = places.collect();
                let active = match pick {
                    0 => places.first(),
                    1 => places.last(),
                    2 => places.iter().max_by_key(|&&it| tokens[it].last),
                    _ => places.iter().min_by_key(|&&it| tokens[it].last),
                };
                let active = *active?;
                for (number, token) in tokens.iter_mut().enumerate() {
                    if number != active
                        && let Some(state) = &token.state
                        && let Some(after) = moved.get(state)
                    {
                        token.state = after.clone();
                    }
                }
                tokens[active].state = Some(step.to.clone());
                tokens[active].last = time;
                for &template in started {
                    tokens.push(begin(template, time));
                }
                if let Some((from, to)) = firing.wake.and_then(|pair| wakes.get(pair)) {
                    let mut woken = tokens.iter_mut().enumerate();
                    let woken = woken.find(|(number, token)| {
                        *number != active && token.state.as_ref() == Some(from)
                    });
                    if let Some((_, token)) = woken {
                        token.state = Some(to.clone());
                    }
                }
                steps.push(Moved {
                    template: step.template,
                    edge: step.edge,
                    thread: active,
                });
            }
        }
    }
    Some(Execution {
        threads: tokens.iter().map(|token| token.template).collect(),
        steps,
    })
}

/// Names for variables at times and of threads.
#[derive(Default)]
pub(crate) struct Instances {
    known: HashMap<(Var, usize, usize), Var>,
    origin: HashMap<Var, (Var, usize)>,
}

impl Instances {
    /// The variable of a thread at a time.
    pub(crate) fn of(&mut self, terms: &mut Terms, var: Var, thread: usize, time: usize) -> Var {
        if let Some(&known) = self.known.get(&(var, thread, time)) {
            return known;
        }
        let mut info = terms.info(var).clone();
        info.choice = false;
        let instance = terms.var(info);
        self.known.insert((var, thread, time), instance);
        self.origin.insert(instance, (var, thread));
        instance
    }

    /// Whose variable it is.
    pub(crate) fn origin(&self, instance: Var) -> Option<(Var, usize)> {
        self.origin.get(&instance).copied()
    }
}

/// The time of what has no time.
pub(crate) const ALWAYS: usize = usize::MAX;
/// The thread of what is shared.
pub(crate) const SHARED: usize = usize::MAX;

/// Why an execution is not possible: the steps whose guards contradict each other. `None` if
/// it is possible.
pub(crate) fn contradiction(
    program: &mut Program,
    execution: &Execution,
    instances: &mut Instances,
    solver: &dyn Solver,
) -> Option<BTreeSet<usize>> {
    let conditions = conditions(program, execution, instances);
    let mut session = solver.session();
    let mut names: Vec<(usize, Name)> = Vec::new();
    for (step, &condition) in conditions.iter().enumerate() {
        if program.terms.as_bool(condition) != Some(true) {
            names.push((step, session.name(&program.terms, condition)));
        }
    }
    let assume = |names: &[(usize, Name)]| -> Vec<(Name, bool)> {
        names.iter().map(|(_, name)| (*name, true)).collect()
    };
    if session.solve(&assume(&names)) {
        return None;
    }
    let core = session.core();
    names.retain(|(_, name)| core.contains(name));
    // As few as possible, the earlier the better to leave out.
    let mut position = 0;
    while position < names.len() {
        let mut fewer = names.clone();
        fewer.remove(position);
        if session.solve(&assume(&fewer)) {
            position += 1;
        } else {
            names = fewer;
        }
    }
    Some(names.into_iter().map(|(step, _)| step).collect())
}

/// The guard of each step in terms of initial values and choices.
fn conditions(
    program: &mut Program,
    execution: &Execution,
    instances: &mut Instances,
) -> Vec<Term> {
    let mut shared: HashMap<Var, Term> = HashMap::new();
    for global in program.globals.clone() {
        let value = initial_value(program, global, SHARED, instances);
        shared.insert(global.var, value);
    }
    let mut own: Vec<HashMap<Var, Term>> = Vec::new();
    for (thread, &template) in execution.threads.iter().enumerate() {
        let mut values = HashMap::new();
        for local in program.templates[template].locals.clone() {
            let value = initial_value(program, local, thread, instances);
            values.insert(local.var, value);
        }
        own.push(values);
    }
    let mut conditions = Vec::new();
    for (time, step) in execution.steps.iter().enumerate() {
        let edge = program.templates[step.template].edges[step.edge].clone();
        let mut values = shared.clone();
        values.extend(own[step.thread].iter().map(|(var, value)| (*var, *value)));
        choices(program, &edge, step.thread, time, instances, &mut values);
        let guard = program.terms.substitute(edge.guard, &values);
        let fits = program.terms.substitute(edge.fits, &values);
        conditions.push(program.terms.and(guard, fits));
        for (var, value) in &edge.updates {
            let value = program.terms.substitute(*value, &values);
            match own[step.thread].get_mut(var) {
                Some(known) => *known = value,
                None => {
                    shared.insert(*var, value);
                }
            }
        }
    }
    conditions
}

/// The value with which a variable begins.
pub(crate) fn initial_value(
    program: &mut Program,
    variable: crate::program::Variable,
    thread: usize,
    instances: &mut Instances,
) -> Term {
    let terms = &mut program.terms;
    match (variable.initial, terms.info(variable.var).range) {
        (Some(value), None) => terms.bool(value != 0),
        (Some(value), Some(_)) => terms.number(value),
        (None, _) => {
            let instance = instances.of(terms, variable.var, thread, ALWAYS);
            terms.of(instance)
        }
    }
}

/// Gives the choices of a step names of their own.
pub(crate) fn choices(
    program: &mut Program,
    edge: &crate::program::Edge,
    thread: usize,
    time: usize,
    instances: &mut Instances,
    values: &mut HashMap<Var, Term>,
) {
    let mut vars: BTreeSet<Var> = program.terms.vars(edge.guard).clone();
    vars.extend(program.terms.vars(edge.fits));
    for value in edge.updates.values() {
        vars.extend(program.terms.vars(*value));
    }
    for var in vars {
        if program.terms.info(var).choice {
            let instance = instances.of(&mut program.terms, var, thread, time);
            values.insert(var, program.terms.of(instance));
        }
    }
}
