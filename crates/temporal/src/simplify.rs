//! Automata with fewer states that accept the same words.

use crate::automaton::{Automaton, Transition};
use std::collections::{BTreeMap, BTreeSet};

/// The same words with fewer states: what leads nowhere is left out, states from which the same can
/// be done become one, and of the accepting sets only those remain that make a difference.
pub(crate) fn simplified(automaton: Automaton) -> Automaton {
    let merged = merge(automaton);
    let pruned = prune(merged);
    merge(with_fewer_sets(pruned))
}

/// Makes one state of those whose transitions are the same, if the states they lead to are.
fn merge(mut automaton: Automaton) -> Automaton {
    let mut classes = vec![0u32; automaton.states.len()];
    let mut number = 1;
    loop {
        let mut numbers = BTreeMap::new();
        let signatures = automaton
            .states
            .iter()
            .enumerate()
            .map(|(state, transitions)| {
                let transitions = transitions.iter().map(|it| Transition {
                    target: classes[it.target as usize],
                    ..*it
                });
                // A state stays apart from those it was told from before.
                (classes[state], transitions.collect::<BTreeSet<_>>())
            });
        // The initial state comes first.
        let next: Vec<u32> = signatures
            .map(|signature| {
                let next = numbers.len() as u32;
                *numbers.entry(signature).or_insert(next)
            })
            .collect();
        classes = next;
        if numbers.len() == number {
            break;
        }
        number = numbers.len();
    }
    let mut states = vec![
        None;
        if automaton.states.is_empty() {
            0
        } else {
            number
        }
    ];
    for (state, transitions) in automaton.states.iter().enumerate() {
        let kept = &mut states[classes[state] as usize];
        if kept.is_none() {
            let transitions = transitions.iter().map(|it| Transition {
                target: classes[it.target as usize],
                ..*it
            });
            *kept = Some(without_weaker(transitions.collect()));
        }
    }
    automaton.states = states.into_iter().flatten().collect();
    automaton
}

/// Without transitions that can be taken only where a better one to the same state can.
fn without_weaker(mut transitions: Vec<Transition>) -> Vec<Transition> {
    transitions.sort_unstable();
    transitions.dedup();
    let is_weaker = |one: &Transition, other: &Transition| {
        one != other
            && one.target == other.target
            && other.present & one.present == other.present
            && other.absent & one.absent == other.absent
            && other.sets & one.sets == one.sets
    };
    let all = transitions.clone();
    transitions.retain(|one| !all.iter().any(|other| is_weaker(one, other)));
    transitions
}

/// Leaves out states from which no word is accepted. Outside of components in which a run can be
/// accepting it makes no difference which sets a transition belongs to: there it belongs to none.
fn prune(mut automaton: Automaton) -> Automaton {
    let components = components(&automaton);
    let is_within =
        |state: usize, it: &Transition| components[state] == components[it.target as usize];
    let mut found = BTreeMap::new();
    for (state, transitions) in automaton.states.iter().enumerate() {
        for it in transitions.iter().filter(|it| is_within(state, it)) {
            *found.entry(components[state]).or_insert(0) |= it.sets;
        }
    }
    let accepts = |state: usize| found.get(&components[state]) == Some(&automaton.sets);
    let mut is_live: Vec<bool> = (0..automaton.states.len()).map(accepts).collect();
    let can_accept = is_live.clone();
    let mut grew = true;
    while grew {
        grew = false;
        for (state, transitions) in automaton.states.iter().enumerate() {
            let leads_on = || transitions.iter().any(|it| is_live[it.target as usize]);
            if !is_live[state] && leads_on() {
                is_live[state] = true;
                grew = true;
            }
        }
    }
    if is_live.first() != Some(&true) {
        automaton.states.clear();
        return automaton;
    }
    let mut next = 0;
    let numbers: Vec<u32> = is_live
        .iter()
        .map(|&is_live| {
            next += u32::from(is_live);
            next.saturating_sub(1)
        })
        .collect();
    for (state, transitions) in automaton.states.iter_mut().enumerate() {
        transitions.retain(|it| is_live[it.target as usize]);
        for it in transitions {
            if !(can_accept[state] && components[state] == components[it.target as usize]) {
                it.sets = 0;
            }
            it.target = numbers[it.target as usize];
        }
    }
    let states = std::mem::take(&mut automaton.states).into_iter();
    let live = states.zip(is_live).filter(|(_, is_live)| *is_live);
    automaton.states = live.map(|(state, _)| state).collect();
    automaton
}

/// Leaves out sets that are met by whoever meets another one again and again, and gives the others
/// the lowest bits.
fn with_fewer_sets(mut automaton: Automaton) -> Automaton {
    let all: Vec<u32> = (0..u32::BITS)
        .filter(|bit| automaton.sets >> bit & 1 == 1)
        .collect();
    let components = components(&automaton);
    let mut within = Vec::new();
    let mut is_accepting = true;
    for (state, transitions) in automaton.states.iter().enumerate() {
        for it in transitions {
            if components[state] == components[it.target as usize] {
                within.push(it.sets);
                // Where no run is accepting, no transition is in a set.
                is_accepting &= it.sets != 0;
            }
        }
    }
    let has = |sets: u32, bit: u32| sets >> bit & 1 == 1;
    let mut kept: Vec<u32> = Vec::new();
    for (index, &bit) in all.iter().enumerate() {
        let implies = |other: u32| within.iter().all(|&it| !has(it, other) || has(it, bit));
        let is_everywhere = is_accepting && within.iter().all(|&it| has(it, bit));
        let rest = kept.iter().chain(&all[index + 1..]);
        if !is_everywhere && !rest.copied().any(implies) {
            kept.push(bit);
        }
    }
    automaton.sets = (1u32 << kept.len()).wrapping_sub(1);
    if kept.len() == u32::BITS as usize {
        return automaton;
    }
    for it in automaton.states.iter_mut().flatten() {
        let bits = kept.iter().enumerate();
        it.sets = bits.map(|(to, &bit)| (it.sets >> bit & 1) << to).sum();
    }
    automaton
}

/// By state: the number of its strongly connected component. Automata are small.
fn components(automaton: &Automaton) -> Vec<usize> {
    let number = automaton.states.len();
    let reached: Vec<Vec<bool>> = (0..number)
        .map(|from| {
            let mut reached = vec![false; number];
            let mut next = vec![from];
            while let Some(state) = next.pop() {
                for it in &automaton.states[state] {
                    let target = it.target as usize;
                    if !std::mem::replace(&mut reached[target], true) {
                        next.push(target);
                    }
                }
            }
            reached
        })
        .collect();
    let is_with = |a: usize, b: usize| a == b || reached[a][b] && reached[b][a];
    (0..number)
        .map(|a| (0..number).find(|&b| is_with(a, b)).unwrap_or(a))
        .collect()
}
