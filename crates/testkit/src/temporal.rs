//! Temporal properties by another way than that of the search: the judge of random programs.
//!
//! Nothing is shared with `raddle_search::liveness` or with the automata of `raddle_temporal`. The
//! whole graph of the program is made. A node of the product is a state with a guess which parts of
//! the formula are true from there on: each guess must agree with that of the next state, as the
//! meaning of the operator says, and what is promised must come. A fair circle is looked for by the
//! definition, in components that are made of who reaches whom.

use raddle_model::{Fairness, Formula, Halt, Letter, Status, System, Thread};
use std::collections::HashMap;

/// The graph of a program, and what a property reads in its states.
pub struct Graph {
    /// By state: the steps to other states, and who makes them. Of a state without steps: itself.
    edges: Vec<Vec<(Option<u32>, usize)>>,
    /// By state: who can move.
    enabled: Vec<Vec<u32>>,
    letters: Vec<Letter>,
    /// By state: whether an execution ends there, if by a fault.
    ends: Vec<bool>,
}

/// A part of a formula, by number. Those of a part come before it.
enum Part {
    Constant(bool),
    Atom(u32),
    Not(usize),
    And(usize, usize),
    Or(usize, usize),
    Next(usize),
    Always(usize),
    Eventually(usize),
    Until(usize, usize),
    Unless(usize, usize),
}

/// Whether there is a fair execution of which a property is not true; `None` if the program has too
/// many states, or something that cannot be followed.
pub fn is_violated<S: System>(system: &S, property: usize, most: usize) -> Option<bool> {
    let stated = &system.temporal_properties()[property];
    let graph = Graph::of(system, Some(property), most)?;
    let mut parts = Vec::new();
    let whole = number(&stated.formula, &mut parts);
    Some(graph.has_fair_execution(&parts, whole, stated.fairness))
}

/// Whether there is a state from which no execution ends and some goes on for ever; `None` as there.
pub fn has_no_end<S: System>(system: &S, most: usize) -> Option<bool> {
    let graph = Graph::of(system, None, most)?;
    let nodes = graph.edges.len();
    let targets = |node: usize| graph.edges[node].iter().map(|it| it.1);
    // What reaches an end, and what can make so many steps, by as many rounds as there are states.
    let (mut can_end, mut goes_on) = (graph.ends.clone(), vec![true; nodes]);
    for _ in 0..nodes {
        can_end = (0..nodes)
            .map(|it| can_end[it] || targets(it).any(|to| can_end[to]))
            .collect();
        goes_on = (0..nodes)
            .map(|it| targets(it).any(|to| goes_on[to]))
            .collect();
    }
    Some((0..nodes).any(|it| !can_end[it] && goes_on[it]))
}

/// Numbers the parts of a formula; returns the number of the whole.
fn number(formula: &Formula<u32>, parts: &mut Vec<Part>) -> usize {
    let mut of = |part: &Formula<u32>| number(part, parts);
    let part = match formula {
        Formula::Constant(value) => Part::Constant(*value),
        Formula::Atom(atom) => Part::Atom(*atom),
        Formula::Not(a) => Part::Not(of(a)),
        Formula::And(a, b) => Part::And(of(a), of(b)),
        Formula::Or(a, b) => Part::Or(of(a), of(b)),
        Formula::Next(a) => Part::Next(of(a)),
        Formula::Always(a) => Part::Always(of(a)),
        Formula::Eventually(a) => Part::Eventually(of(a)),
        Formula::Until(a, b) => Part::Until(of(a), of(b)),
        Formula::Unless(a, b) => Part::Unless(of(a), of(b)),
        Formula::Implies(a, b) => {
            let a = of(a);
            let b = of(b);
            parts.push(Part::Not(a));
            Part::Or(parts.len() - 1, b)
        }
        Formula::LeadsTo(a, b) => {
            let a = of(a);
            let b = of(b);
            parts.push(Part::Not(a));
            parts.push(Part::Eventually(b));
            parts.push(Part::Or(parts.len() - 2, parts.len() - 1));
            Part::Always(parts.len() - 1)
        }
    };
    parts.push(part);
    parts.len() - 1
}

/// The ways in which the parts can be true in a state with a letter.
fn guesses(parts: &[Part], letter: Letter) -> Vec<Vec<bool>> {
    let mut guesses: Vec<Vec<bool>> = vec![Vec::new()];
    for part in parts {
        let mut next = Vec::new();
        for guess in guesses {
            let known = match part {
                Part::Constant(value) => Some(*value),
                Part::Atom(atom) => Some(letter >> atom & 1 == 1),
                Part::Not(a) => Some(!guess[*a]),
                Part::And(a, b) => Some(guess[*a] && guess[*b]),
                Part::Or(a, b) => Some(guess[*a] || guess[*b]),
                _ => None,
            };
            let values = [false, true].into_iter();
            for value in values.filter(|value| known.is_none_or(|it| it == *value)) {
                let mut longer: Vec<bool> = guess.clone();
                longer.push(value);
                next.push(longer);
            }
        }
        guesses = next;
    }
    guesses
}

/// Whether what is guessed of a state agrees with what is guessed of the next one.
fn agree(parts: &[Part], here: &[bool], next: &[bool]) -> bool {
    parts.iter().enumerate().all(|(it, part)| match part {
        Part::Next(a) => here[it] == next[*a],
        Part::Always(a) => here[it] == (here[*a] && next[it]),
        Part::Eventually(a) => here[it] == (here[*a] || next[it]),
        Part::Until(a, b) | Part::Unless(a, b) => here[it] == (here[*b] || here[*a] && next[it]),
        _ => true,
    })
}

/// Whether nothing is left to come, of one part: true again and again where a guess is kept.
fn is_kept(part: &Part, it: usize, here: &[bool]) -> bool {
    match part {
        Part::Eventually(a) => !here[it] || here[*a],
        Part::Until(_, b) => !here[it] || here[*b],
        Part::Always(a) => here[it] || !here[*a],
        Part::Unless(a, b) => here[it] || !here[*a] && !here[*b],
        _ => true,
    }
}

impl Graph {
    /// Everything that can be reached, with what a property reads, if one does.
    fn of<S: System>(system: &S, property: Option<usize>, most: usize) -> Option<Graph> {
        let mut graph = Graph {
            edges: Vec::new(),
            enabled: Vec::new(),
            letters: Vec::new(),
            ends: Vec::new(),
        };
        let mut numbers = HashMap::new();
        let mut states = vec![system.initial().ok()?];
        let form = |state: &S::State| system.encode(state, &mut Vec::new()).to_vec();
        numbers.insert(form(&states[0]), 0);
        while graph.edges.len() < states.len() {
            let here = graph.edges.len();
            let state = states[here].clone();
            let letter = property.map(|it| system.letter(&state, it));
            graph.letters.push(letter.unwrap_or(Ok(0)).ok()?);
            let mut is_end = system.is_progress(&state);
            let (mut edges, mut enabled) = (Vec::new(), Vec::new());
            for thread in 0..system.threads(&state) as u32 {
                let Status::Ready { choices } = system.status(&state, Thread(thread)) else {
                    continue;
                };
                enabled.push(thread);
                for choice in 0..choices {
                    let mut next = state.clone();
                    match system.step(&mut next, Thread(thread), choice) {
                        Ok(()) => {}
                        Err(Halt::Fault(_)) => {
                            is_end = true;
                            continue;
                        }
                        Err(Halt::Pruned) => continue,
                        Err(_) => return None,
                    }
                    let new = states.len();
                    let target = *numbers.entry(form(&next)).or_insert(new);
                    if target == new {
                        states.push(next);
                    }
                    edges.push((Some(thread), target));
                }
            }
            if enabled.is_empty() {
                edges.push((None, here));
            }
            // Without daemons, the program is over when nobody can move.
            graph.ends.push(is_end || enabled.is_empty());
            graph.edges.push(edges);
            graph.enabled.push(enabled);
            if states.len() > most {
                return None;
            }
        }
        Some(graph)
    }

    fn has_fair_execution(&self, parts: &[Part], whole: usize, fairness: Fairness) -> bool {
        // Nodes are states with guesses; only those that can be reached are made.
        let by_letter = |letter| guesses(parts, letter);
        let (mut nodes, mut numbers) = (Vec::new(), HashMap::new());
        for guess in by_letter(self.letters[0])
            .into_iter()
            .filter(|it| !it[whole])
        {
            numbers.insert((0, guess.clone()), nodes.len());
            nodes.push((0, guess));
        }
        let mut edges: Vec<Vec<(Option<u32>, usize)>> = Vec::new();
        while edges.len() < nodes.len() {
            let (state, here): (usize, Vec<bool>) = nodes[edges.len()].clone();
            let mut found = Vec::new();
            for &(mover, target) in &self.edges[state] {
                for guess in by_letter(self.letters[target]) {
                    if agree(parts, &here, &guess) {
                        let new = nodes.len();
                        let key = (target, guess);
                        let number = *numbers.entry(key.clone()).or_insert(new);
                        if number == new {
                            nodes.push(key);
                        }
                        found.push((mover, number));
                    }
                }
            }
            edges.push(found);
        }
        let mut parts_left: Vec<Vec<usize>> = vec![(0..nodes.len()).collect()];
        while let Some(part) = parts_left.pop() {
            for component in components(&part, &edges) {
                let is_in = |it: usize| component.binary_search(&it).is_ok();
                let inner = component.iter().flat_map(|&it| &edges[it]);
                let inner: Vec<_> = inner.filter(|it| is_in(it.1)).collect();
                if inner.is_empty() {
                    continue;
                }
                let is_met = |(it, part): (usize, &Part)| {
                    let mut guesses = component.iter().map(|&node| &nodes[node].1);
                    guesses.any(|guess| is_kept(part, it, guess))
                };
                if !parts.iter().enumerate().all(is_met) {
                    continue;
                }
                let enabled = |node: usize| &self.enabled[nodes[node].0];
                let moves = |thread: u32| inner.iter().any(|it| it.0 == Some(thread));
                let mut threads: Vec<u32> = component
                    .iter()
                    .flat_map(|&it| enabled(it).iter().copied())
                    .collect();
                threads.sort_unstable();
                threads.dedup();
                threads.retain(|&it| !moves(it));
                if fairness != Fairness::Strong {
                    let always = |thread: &u32| {
                        let mut all = component.iter();
                        all.all(|&it| enabled(it).contains(thread))
                    };
                    if fairness == Fairness::None || !threads.iter().any(always) {
                        return true;
                    }
                    continue;
                }
                if threads.is_empty() {
                    return true;
                }
                let is_free = |node: &usize| !threads.iter().any(|it| enabled(*node).contains(it));
                parts_left.push(component.iter().copied().filter(is_free).collect());
            }
        }
        false
    }
}

/// Those of some nodes that reach each other, in ascending order (Tarjan 1972, without recursion).
fn components(part: &[usize], edges: &[Vec<(Option<u32>, usize)>]) -> Vec<Vec<usize>> {
    let local: HashMap<usize, usize> = part.iter().enumerate().map(|(i, &it)| (it, i)).collect();
    let (mut order, mut low) = (vec![usize::MAX; part.len()], vec![0; part.len()]);
    let mut is_open = vec![false; part.len()];
    let (mut stack, mut found, mut next) = (Vec::new(), Vec::new(), 0);
    for root in 0..part.len() {
        if order[root] != usize::MAX {
            continue;
        }
        let mut path = vec![(root, 0)];
        while let Some(&mut (node, ref mut edge)) = path.last_mut() {
            if *edge == 0 {
                (order[node], low[node]) = (next, next);
                next += 1;
                is_open[node] = true;
                stack.push(node);
            }
            let targets = &edges[part[node]];
            if let Some(&(_, target)) = targets.get(*edge) {
                *edge += 1;
                let Some(&target) = local.get(&target) else {
                    continue;
                };
                if order[target] == usize::MAX {
                    path.push((target, 0));
                } else if is_open[target] {
                    low[node] = low[node].min(order[target]);
                }
                continue;
            }
            if low[node] == order[node] {
                let first = stack.iter().rposition(|&it| it == node).unwrap_or(0);
                let members = stack.split_off(first);
                for &it in &members {
                    is_open[it] = false;
                }
                let mut members: Vec<usize> = members.into_iter().map(|it| part[it]).collect();
                members.sort_unstable();
                found.push(members);
            }
            path.pop();
            if let Some(&mut (before, _)) = path.last_mut() {
                low[before] = low[before].min(low[node]);
            }
        }
    }
    found
}
