//! Joins steps that nobody can tell from one.
//!
//! After Lipton (Reduction, 1975): taking a lock is a right mover, giving it back a left
//! mover, and steps on a thread's own variables, or on variables that are always accessed
//! under one and the same lock, are both. A sequence of right movers, one step of any kind
//! and left movers is joined to one step. A step that may have to wait is no left mover: a
//! thread that has done something visible must be able to go on. Steps are not joined across
//! labels that matter, loops and waits; variables that a property speaks of belong to
//! nobody.

use crate::lower::constants;
use crate::program::{Edge, Operation, Program, Variable};
use crate::solver::Solver;
use crate::terms::{Terms, Var};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Joined steps of one template are given up beyond this.
const MOST_EDGES: usize = 5000;

/// How a step commutes with those of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mover {
    Right,
    Left,
    Both,
    Neither,
}

/// Joins the steps of all templates; the error is that there are too many.
pub(crate) fn compose(program: &mut Program, solver: &dyn Solver) -> Result<(), String> {
    let private = unshared(program);
    for template in 0..program.templates.len() {
        join(program, template, &private, solver)?;
        // What is known where a joined step begins may make it impossible.
        let own = private_to(program, template);
        constants::propagate(program, template, &own);
    }
    Ok(())
}

/// The variables that only threads of one template touch, and each only its own.
pub(crate) fn private_to(program: &Program, template: usize) -> Vec<Variable> {
    if !program.templates[template].once {
        return program.templates[template].locals.clone();
    }
    let mut elsewhere: HashSet<Var> = HashSet::new();
    for (other, described) in program.templates.iter().enumerate() {
        if other != template {
            let edges = described.edges.iter();
            elsewhere.extend(edges.flat_map(|edge| edge.touched(&program.terms)));
        }
    }
    let globals = program.globals.iter().copied();
    globals
        .filter(|global| !elsewhere.contains(&global.var))
        .collect()
}

/// The variables whose accesses need no interruption: those of one thread, and those that one
/// lock protects.
fn unshared(program: &Program) -> HashSet<Var> {
    let mut users: HashMap<Var, BTreeSet<usize>> = HashMap::new();
    let mut locks: HashMap<Var, BTreeSet<usize>> = HashMap::new();
    for (number, template) in program.templates.iter().enumerate() {
        for edge in &template.edges {
            let held: BTreeSet<usize> =
                template.locations[edge.from].held.iter().copied().collect();
            for var in edge.touched(&program.terms) {
                users.entry(var).or_default().insert(number);
                match locks.get_mut(&var) {
                    Some(known) => known.retain(|lock| held.contains(lock)),
                    None => {
                        locks.insert(var, held.clone());
                    }
                }
            }
        }
    }
    let mut asked = BTreeSet::new();
    for target in &program.targets {
        for (term, _) in &target.condition {
            asked.extend(program.terms.vars(*term).iter().copied());
        }
    }
    let once = |users: &BTreeSet<usize>| match users.iter().collect::<Vec<_>>().as_slice() {
        [one] => program.templates[**one].once,
        _ => false,
    };
    let globals = program.globals.iter().map(|global| global.var);
    globals
        .filter(|var| !asked.contains(var))
        .filter(|var| {
            let protected = locks.get(var).is_some_and(|locks| !locks.is_empty());
            protected || users.get(var).is_some_and(once)
        })
        .collect()
}

fn mover(program: &Program, globals: &HashSet<Var>, unshared: &HashSet<Var>, edge: &Edge) -> Mover {
    let (mut right, mut left, mut neither) = (false, false, false);
    for operation in &edge.operations {
        match operation {
            Operation::Lock(_) => right = true,
            Operation::Unlock(_) => left = true,
            // Who notifies holds the lock, and who comes to wait needs it.
            Operation::Notify(_) | Operation::NotifyAll(_) => {}
            Operation::Start(_) => neither = true,
        }
    }
    let touched = edge.touched(&program.terms);
    neither |= touched
        .iter()
        .any(|var| globals.contains(var) && !unshared.contains(var));
    right |= edge.may_block;
    match (right, left, neither) {
        (_, _, true) | (true, true, _) => Mover::Neither,
        (true, false, false) => Mover::Right,
        (false, true, false) => Mover::Left,
        (false, false, false) => Mover::Both,
    }
}

struct Joining<'a> {
    terms: &'a mut Terms,
    out: Vec<Vec<(Edge, Mover)>>,
    is_cut: Vec<bool>,
    joined: Vec<Edge>,
    pending: Vec<usize>,
    solver: &'a dyn Solver,
    /// Whether threads that wait go on only when they are notified.
    precise: bool,
}

fn join(
    program: &mut Program,
    template: usize,
    unshared: &HashSet<Var>,
    solver: &dyn Solver,
) -> Result<(), String> {
    let globals: HashSet<Var> = program.globals.iter().map(|global| global.var).collect();
    let locations = program.templates[template].locations.len();
    let mut out: Vec<Vec<(Edge, Mover)>> = vec![Vec::new(); locations];
    for edge in &program.templates[template].edges {
        let kind = mover(program, &globals, unshared, edge);
        out[edge.from].push((edge.clone(), kind));
    }
    let described = &program.templates[template];
    let mut pending = vec![0];
    pending.extend(described.waits.iter().map(|(_, to, _)| *to));
    let precise = program.templates.iter().any(|it| !it.waits.is_empty());
    let described = &program.templates[template];
    let mut joining = Joining {
        precise,
        out,
        is_cut: described.locations.iter().map(|it| it.is_cut).collect(),
        terms: &mut program.terms,
        joined: Vec::new(),
        pending,
        solver,
    };
    let mut seen = BTreeSet::new();
    while let Some(from) = joining.pending.pop() {
        if seen.insert(from) {
            joining.follow(from, from, None, false)?;
        }
    }
    let joined = std::mem::take(&mut joining.joined);
    program.templates[template].edges = joined
        .into_iter()
        .filter(|edge| {
            edge.from != edge.to || !edge.updates.is_empty() || !edge.operations.is_empty()
        })
        .collect();
    Ok(())
}

impl Joining<'_> {
    /// Follows all ways from a location, with what was done since the first.
    fn follow(
        &mut self,
        first: usize,
        here: usize,
        done: Option<&Edge>,
        committed: bool,
    ) -> Result<(), String> {
        let next = self.out[here].clone();
        if let Some(done) = done {
            let may_go_on = |kind: &Mover| matches!(kind, Mover::Left | Mover::Both);
            // A transition of the net wakes one thread, and not the one that notifies.
            let notifies = |it: &Operation| matches!(it, Operation::Notify(_));
            let stops = self.is_cut[here]
                || (self.precise && done.operations.iter().any(notifies))
                || next.is_empty()
                || here == first
                || (committed && !next.iter().all(|(_, kind)| may_go_on(kind)));
            if stops {
                if self.joined.len() > MOST_EDGES {
                    return Err("there are too many ways through the code".to_owned());
                }
                self.joined.push(done.clone());
                self.pending.push(here);
                return Ok(());
            }
        }
        for (edge, kind) in next {
            let joined = match done {
                None => edge.clone(),
                Some(done) => self.then(done, &edge),
            };
            let committed = committed || matches!(kind, Mover::Left | Mover::Neither);
            if self.is_possible(&joined, done.is_some()) {
                self.follow(first, edge.to, Some(&joined), committed)?;
            }
        }
        Ok(())
    }

    /// One step after another.
    fn then(&mut self, first: &Edge, second: &Edge) -> Edge {
        let values = &first.updates;
        let guard = self.terms.substitute(second.guard, values);
        let fits = self.terms.substitute(second.fits, values);
        let mut updates = first.updates.clone();
        for (var, value) in &second.updates {
            let value = self.terms.substitute(*value, values);
            updates.insert(*var, value);
        }
        let mut operations = first.operations.clone();
        operations.extend(&second.operations);
        let mut starts = first.starts.clone();
        starts.extend(&second.starts);
        Edge {
            from: first.from,
            to: second.to,
            guard: self.terms.and(first.guard, guard),
            updates,
            fits: self.terms.and(first.fits, fits),
            operations,
            may_block: first.may_block || second.may_block,
            starts,
            place: first.place,
        }
    }

    fn is_possible(&mut self, edge: &Edge, was_joined: bool) -> bool {
        let condition = self.terms.and(edge.guard, edge.fits);
        match self.terms.as_bool(condition) {
            Some(known) => known,
            None if !was_joined => true,
            None => {
                let mut session = self.solver.session();
                session.assert(self.terms, condition);
                session.solve(&[])
            }
        }
    }
}

/// Leaves out assignments to variables that nobody reads afterwards. With `resets` such a
/// variable of a thread that exists once becomes its least harmful value instead, so that
/// predicates about it keep no history.
pub(crate) fn forget_dead(program: &mut Program, resets: bool) {
    for number in 0..program.templates.len() {
        let private = unobserved(program, number);
        let live = live(program, number, &private);
        let is_once = program.templates[number].once;
        for edge in 0..program.templates[number].edges.len() {
            let (from, to) = {
                let edge = &program.templates[number].edges[edge];
                (edge.from, edge.to)
            };
            for &var in private.difference(&live[to]) {
                let value = match program.terms.info(var).range {
                    None => program.terms.bool(false),
                    Some((low, high)) => program.terms.number(0.clamp(low, high)),
                };
                let updates = &mut program.templates[number].edges[edge].updates;
                match resets && is_once && live[from].contains(&var) {
                    true => updates.insert(var, value),
                    false => updates.remove(&var),
                };
            }
        }
    }
}

/// The variables that only threads of one template touch, each its own, and that no property
/// speaks of.
fn unobserved(program: &Program, template: usize) -> HashSet<Var> {
    let mut asked: HashSet<Var> = HashSet::new();
    for target in &program.targets {
        for (term, _) in &target.condition {
            asked.extend(program.terms.vars(*term).iter().copied());
        }
    }
    let private = private_to(program, template);
    let private = private.into_iter().map(|variable| variable.var);
    private.filter(|var| !asked.contains(var)).collect()
}

/// Which of a thread's own variables may still be read, by location.
pub(crate) fn live(program: &Program, number: usize, own: &HashSet<Var>) -> Vec<HashSet<Var>> {
    let template = &program.templates[number];
    let mut live: Vec<HashSet<Var>> = vec![HashSet::new(); template.locations.len()];
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for edge in &template.edges {
            let mut here = live[edge.from].clone();
            let own_in = |term| {
                let vars = program.terms.vars(term).iter().copied();
                vars.filter(|var| own.contains(var)).collect::<Vec<Var>>()
            };
            here.extend(own_in(edge.guard));
            here.extend(own_in(edge.fits));
            for (var, value) in &edge.updates {
                if !own.contains(var) || live[edge.to].contains(var) {
                    here.extend(own_in(*value));
                }
            }
            let after = live[edge.to].iter();
            here.extend(after.filter(|var| !edge.updates.contains_key(var)));
            changed |= here.len() != live[edge.from].len();
            live[edge.from] = here;
        }
        for (from, to, _) in &template.waits {
            let more: Vec<Var> = live[*to].difference(&live[*from]).copied().collect();
            changed |= !more.is_empty();
            live[*from].extend(more);
        }
    }
    live
}
