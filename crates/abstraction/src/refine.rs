//! New predicates from a run that is not possible.
//!
//! Candidates are the atoms of the guards that contradict each other, carried back over the
//! assignments (weakest preconditions), equations as two inequalities, what follows from two
//! of them by adding or subtracting, and comparisons of related integers. Which are taken is
//! decided by one question: the steps of the run with states of their own, linked only by
//! the predicates. A set of predicates rules the run out if the linked steps contradict each
//! other; what is not needed for that is left out, large numbers first.

use crate::program::{Program, Variable};
use crate::queries::Queries;
use crate::runs::{ALWAYS, Execution, Instances, SHARED, choices, initial_value};
use crate::solver::Name;
use crate::terms::{Term, Terms, Var, VarInfo};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// More candidates are not made of the atoms.
const MOST_CANDIDATES: usize = 150;

/// The atoms of all guards: the predicates to begin with. Where threads are followed, what the
/// others know has to show that it matters.
pub(crate) fn seeds(program: &mut Program) -> Vec<Term> {
    let environment = program.tracked.as_ref().map(|it| it.environment);
    let mut atoms = Vec::new();
    for (number, template) in program.templates.clone().into_iter().enumerate() {
        if Some(number) == environment {
            continue;
        }
        for edge in &template.edges {
            program.terms.atoms(edge.guard, &mut atoms);
        }
    }
    atoms
}

/// The variables that some step reads.
fn read(program: &Program) -> BTreeSet<Var> {
    let mut read = BTreeSet::new();
    for edge in program.templates.iter().flat_map(|it| &it.edges) {
        for term in edge.updates.values().chain([&edge.guard]) {
            read.extend(program.terms.vars(*term));
        }
    }
    read
}

/// Comparisons of integers that meet in a comparison or in an assignment.
pub(crate) fn templates(program: &mut Program) -> Vec<Term> {
    let mut owner: BTreeMap<Var, Option<usize>> = BTreeMap::new();
    let mut group: HashMap<Var, usize> = HashMap::new();
    for global in &program.globals {
        owner.insert(global.var, None);
    }
    for (number, template) in program.templates.iter().enumerate() {
        owner.extend(
            template
                .locals
                .iter()
                .map(|local| (local.var, Some(number))),
        );
    }
    let read = read(program);
    owner.retain(|var, _| program.terms.info(*var).range.is_some() && read.contains(var));
    for (number, var) in owner.keys().enumerate() {
        group.insert(*var, number);
    }
    let mut meetings: Vec<Vec<Var>> = Vec::new();
    for template in program.templates.clone() {
        for edge in &template.edges {
            let mut atoms = Vec::new();
            program.terms.atoms(edge.guard, &mut atoms);
            for atom in atoms {
                meetings.push(program.terms.vars(atom).iter().copied().collect());
            }
            for (var, value) in &edge.updates {
                let mut together = vec![*var];
                together.extend(program.terms.vars(*value));
                meetings.push(together);
            }
        }
    }
    // The same variable of threads that are followed is of one kind.
    if let Some(tracked) = &program.tracked {
        let mut names: BTreeMap<String, Vec<Var>> = BTreeMap::new();
        for var in owner.keys() {
            let name = program.terms.info(*var).name.clone();
            let mut parts = tracked.copies.iter().map(|&it| &program.templates[it].name);
            let environment = &program.templates[tracked.environment].name;
            let plain = match parts.find(|it| name.starts_with(&format!("{it}."))) {
                Some(copy) => name[copy.len() + 1..].to_owned(),
                None => match name.strip_prefix(&format!("{environment}.")) {
                    Some(rest) => rest.to_owned(),
                    None => name.split('[').next().unwrap_or(&name).to_owned(),
                },
            };
            names.entry(plain).or_default().push(*var);
        }
        meetings.extend(names.into_values());
    }
    for meeting in meetings {
        let mut groups = meeting.iter().filter_map(|var| group.get(var).copied());
        let Some(first) = groups.next() else { continue };
        let others: Vec<usize> = groups.collect();
        for number in group.values_mut() {
            if others.contains(number) {
                *number = first;
            }
        }
    }
    let mut out = Vec::new();
    let vars: Vec<(Var, Option<usize>)> = owner.into_iter().collect();
    for (position, &(a, owner_a)) in vars.iter().enumerate() {
        for &(b, owner_b) in &vars[..position] {
            let apart = matches!((owner_a, owner_b), (Some(x), Some(y)) if x != y);
            if group.get(&a) != group.get(&b) || apart {
                continue;
            }
            let (a, b) = (program.terms.of(a), program.terms.of(b));
            for predicate in [program.terms.at_least(a, b), program.terms.at_least(b, a)] {
                let mut atoms = Vec::new();
                program.terms.atoms(predicate, &mut atoms);
                for atom in atoms {
                    if !out.contains(&atom) {
                        out.push(atom);
                    }
                }
            }
        }
    }
    out
}

/// Candidates from a run that is not possible: first the plain ones, whose number is told.
pub(crate) fn candidates(
    program: &mut Program,
    execution: &Execution,
    core: &BTreeSet<usize>,
    instances: &mut Instances,
) -> (Vec<Term>, usize) {
    let Some(&last) = core.last() else {
        return (Vec::new(), 0);
    };
    let mut current: Vec<Term> = Vec::new();
    let mut points: Vec<Vec<Term>> = Vec::new();
    let mut all: Vec<Term> = Vec::new();
    for time in (0..=last).rev() {
        let step = execution.steps[time];
        let template = program.templates[step.template].clone();
        let edge = &template.edges[step.edge];
        let mut tags: HashMap<Var, Term> = HashMap::new();
        for local in &template.locals {
            let tagged = instances.of(&mut program.terms, local.var, step.thread, ALWAYS);
            tags.insert(local.var, program.terms.of(tagged));
        }
        let mut values: HashMap<Var, Term> = HashMap::new();
        for (var, value) in &edge.updates {
            let value = program.terms.substitute(*value, &tags);
            let target = match template.locals.iter().any(|local| local.var == *var) {
                true => instances.of(&mut program.terms, *var, step.thread, ALWAYS),
                false => *var,
            };
            values.insert(target, value);
        }
        let mut next = Vec::new();
        for formula in current {
            let before = program.terms.substitute(formula, &values);
            program.terms.atoms(before, &mut next);
        }
        if core.contains(&time) {
            let guard = program.terms.substitute(edge.guard, &tags);
            program.terms.atoms(guard, &mut next);
        }
        current = next;
        for &atom in &current {
            if !all.contains(&atom) {
                all.push(atom);
            }
        }
        points.push(current.clone());
    }
    let mut out = Vec::new();
    for atom in all.clone() {
        add_untagged(program, instances, atom, &mut out);
    }
    let plain = out.len();
    for atom in closure(&mut program.terms, &points) {
        add_untagged(program, instances, atom, &mut out);
    }
    (out, plain)
}

/// A predicate about one thread, without saying which; none about several.
fn add_untagged(program: &mut Program, instances: &Instances, atom: Term, out: &mut Vec<Term>) {
    let mut values = HashMap::new();
    let mut threads = BTreeSet::new();
    for &var in program.terms.vars(atom).clone().iter() {
        if let Some((origin, thread)) = instances.origin(var) {
            threads.insert(thread);
            values.insert(var, program.terms.of(origin));
        }
    }
    if threads.len() > 1 {
        return;
    }
    let plain = program.terms.substitute(atom, &values);
    let mut atoms = Vec::new();
    program.terms.atoms(plain, &mut atoms);
    for atom in atoms {
        if !out.contains(&atom) {
            out.push(atom);
        }
    }
}

/// Equations as inequalities, and what follows from two atoms of one point.
fn closure(terms: &mut Terms, points: &[Vec<Term>]) -> Vec<Term> {
    let mut out: Vec<Term> = Vec::new();
    let add = |terms: &mut Terms, term: Term, out: &mut Vec<Term>| {
        let mut atoms = Vec::new();
        terms.atoms(term, &mut atoms);
        for atom in atoms {
            if !out.contains(&atom) {
                out.push(atom);
            }
        }
    };
    for atoms in points {
        let mut linear = Vec::new();
        for &atom in atoms {
            let Some((parts, is_equation, number)) = terms.linear(atom) else {
                continue;
            };
            if is_equation {
                let above = terms.at_least_number(parts.clone(), number);
                add(terms, above, &mut out);
                let negated = negated(&parts);
                let below = terms.at_least_number(negated, -number);
                add(terms, below, &mut out);
            }
            linear.push((parts, number));
        }
        for (position, (a, number_a)) in linear.iter().enumerate() {
            for (b, number_b) in &linear[..position] {
                for sign in [1, -1] {
                    let mut sum: BTreeMap<Term, i64> = a.iter().copied().collect();
                    for (part, factor) in b {
                        *sum.entry(*part).or_default() += sign * factor;
                    }
                    sum.retain(|_, factor| *factor != 0);
                    let sum: Vec<(Term, i64)> = sum.into_iter().collect();
                    let small = sum.iter().all(|(_, factor)| factor.abs() == 1);
                    let vars = |parts: &[(Term, i64)]| -> Vec<Term> {
                        parts.iter().map(|(part, _)| *part).collect()
                    };
                    if sum.is_empty()
                        || sum.len() > 2
                        || !small
                        || vars(&sum) == vars(a)
                        || vars(&sum) == vars(b)
                    {
                        continue;
                    }
                    let number = number_a + sign * number_b;
                    let equal = terms.is_number(sum.clone(), number);
                    add(terms, equal, &mut out);
                    let above = terms.at_least_number(sum.clone(), number);
                    add(terms, above, &mut out);
                    let below = terms.at_least_number(negated(&sum), -number);
                    add(terms, below, &mut out);
                }
            }
        }
        if out.len() > MOST_CANDIDATES {
            break;
        }
    }
    out
}

fn negated(parts: &[(Term, i64)]) -> Vec<(Term, i64)> {
    parts
        .iter()
        .map(|(part, factor)| (*part, -*factor))
        .collect()
}

/// How little a predicate is likely to be of use elsewhere.
fn badness(terms: &Terms, atom: Term) -> (i64, usize, i64) {
    match terms.linear(atom) {
        None => (0, 0, 0),
        Some((parts, _, number)) => {
            let size = number.saturating_abs();
            ((size - 1).max(0), parts.len(), size)
        }
    }
}

/// The fewest candidates, as far as leaving out finds them, that rule a run out together with
/// the predicates there are; `None` if all of them do not.
pub(crate) fn select(
    program: &mut Program,
    execution: &Execution,
    have: &[Term],
    candidates: &[Term],
    queries: &mut Queries<'_>,
) -> Option<Vec<Term>> {
    let mut instances = Instances::default();
    let mut session = queries.solver.session();
    let predicates: Vec<Term> = have.iter().chain(candidates).copied().collect();
    let mut switches: Vec<Name> = Vec::new();
    for _ in &predicates {
        let var = program.terms.var(VarInfo {
            name: "switch".to_owned(),
            range: None,
            choice: false,
        });
        let switch = program.terms.of(var);
        switches.push(session.name(&program.terms, switch));
    }
    let globals = program.globals.clone();
    let mut before = States::initial(program, execution, &globals, &mut instances);
    for (time, step) in execution.steps.iter().enumerate() {
        let edge = program.templates[step.template].edges[step.edge].clone();
        let mut now = States::fresh(program, execution, &globals, time, &mut instances);
        for (&predicate, &switch) in predicates.iter().zip(&switches) {
            for (x, y) in both(program, execution, predicate, &before, &now) {
                if x == y {
                    continue;
                }
                let same = program.terms.equal(x, y);
                let same = session.name(&program.terms, same);
                session.assert_any(&[(switch, false), (same, true)]);
            }
        }
        let mut values = now.shared.clone();
        values.extend(
            now.own[step.thread]
                .iter()
                .map(|(var, value)| (*var, *value)),
        );
        choices(
            program,
            &edge,
            step.thread,
            time,
            &mut instances,
            &mut values,
        );
        for formula in [edge.guard, edge.fits] {
            let formula = program.terms.substitute(formula, &values);
            session.assert(&program.terms, formula);
        }
        for (var, value) in &edge.updates {
            let value = program.terms.substitute(*value, &values);
            match now.own[step.thread].get_mut(var) {
                Some(known) => *known = value,
                None => {
                    now.shared.insert(*var, value);
                }
            }
        }
        before = now;
    }
    let assume = |on: &BTreeSet<usize>| -> Vec<(Name, bool)> {
        on.iter().map(|&number| (switches[number], true)).collect()
    };
    let mut on: BTreeSet<usize> = (0..predicates.len()).collect();
    queries.asked += 1;
    if session.solve(&assume(&on)) {
        return None;
    }
    let mut order: Vec<usize> = (have.len()..predicates.len()).collect();
    order.sort_by_key(|&number| std::cmp::Reverse(badness(&program.terms, predicates[number])));
    for number in order {
        let mut fewer = on.clone();
        fewer.remove(&number);
        queries.asked += 1;
        if queries.is_over() {
            break;
        }
        if !session.solve(&assume(&fewer)) {
            on = fewer;
        }
    }
    let chosen = on.into_iter().filter(|&number| number >= have.len());
    Some(chosen.map(|number| predicates[number]).collect())
}

/// The values of variables at a time.
struct States {
    shared: HashMap<Var, Term>,
    own: Vec<HashMap<Var, Term>>,
}

impl States {
    /// What there is in the beginning. Threads begin with what they begin with, whenever they
    /// do.
    fn initial(
        program: &mut Program,
        execution: &Execution,
        globals: &[Variable],
        instances: &mut Instances,
    ) -> States {
        let mut shared = HashMap::new();
        for &global in globals {
            shared.insert(
                global.var,
                initial_value(program, global, SHARED, instances),
            );
        }
        let mut own = Vec::new();
        for (thread, &template) in execution.threads.iter().enumerate() {
            let mut values = HashMap::new();
            for local in program.templates[template].locals.clone() {
                values.insert(local.var, initial_value(program, local, thread, instances));
            }
            own.push(values);
        }
        States { shared, own }
    }

    fn fresh(
        program: &mut Program,
        execution: &Execution,
        globals: &[Variable],
        time: usize,
        instances: &mut Instances,
    ) -> States {
        let mut shared = HashMap::new();
        for global in globals {
            let instance = instances.of(&mut program.terms, global.var, SHARED, time);
            shared.insert(global.var, program.terms.of(instance));
        }
        let mut own = Vec::new();
        for (thread, &template) in execution.threads.iter().enumerate() {
            let mut values = HashMap::new();
            for local in program.templates[template].locals.clone() {
                let instance = instances.of(&mut program.terms, local.var, thread, time);
                values.insert(local.var, program.terms.of(instance));
            }
            own.push(values);
        }
        States { shared, own }
    }
}

/// A predicate in two states, for each thread that it may be about.
fn both(
    program: &mut Program,
    execution: &Execution,
    predicate: Term,
    before: &States,
    now: &States,
) -> Vec<(Term, Term)> {
    let vars = program.terms.vars(predicate).clone();
    let is_own = |number: usize| {
        let locals = &program.templates[number].locals;
        locals.iter().any(|local| vars.contains(&local.var))
    };
    let owners: Vec<usize> = (0..program.templates.len())
        .filter(|&it| is_own(it))
        .collect();
    let threads: Vec<Option<usize>> = match owners.as_slice() {
        [] => vec![None],
        [owner] => {
            let all = execution.threads.iter().enumerate();
            all.filter(|(_, template)| *template == owner)
                .map(|(it, _)| Some(it))
                .collect()
        }
        _ => Vec::new(),
    };
    let instance = |program: &mut Program, states: &States, thread: Option<usize>| {
        let mut values = states.shared.clone();
        if let Some(thread) = thread {
            values.extend(states.own[thread].iter().map(|(var, value)| (*var, *value)));
        }
        program.terms.substitute(predicate, &values)
    };
    let mut out = Vec::new();
    for thread in threads {
        let first = instance(program, before, thread);
        let second = instance(program, now, thread);
        out.push((first, second));
    }
    out
}
