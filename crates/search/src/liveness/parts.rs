//! Parts of a component that are strongly fair.
//!
//! A thread that can move somewhere in a component and moves nowhere in it is passed over by every
//! circle that comes to such a place. What is left without these places falls into components, each
//! of which is looked at in the same way.

use super::lasso::Component;
use super::product::{Edge, Key, Product, Summary, Threads, mover, transitions};
use super::states::Node;
use crate::components::for_each_component;
use foldhash::fast::FixedState;
use raddle_model::{Fairness, Halt, System};
use std::collections::HashMap;

/// A part of a component, given by its members and the one where it was entered, in which there is
/// a strongly fair circle that the automaton accepts.
pub(super) fn strongly_fair<S: System>(
    product: &mut Product<'_, S>,
    state: &S::State,
    place: u32,
    members: &Component,
) -> Result<Option<Component>, Halt> {
    let graph = Graph::new(product, state, place, members)?;
    let mut parts = vec![(0..graph.keys.len() as u32).collect::<Vec<u32>>()];
    while let Some(part) = parts.pop() {
        for component in graph.components(&part) {
            let Some(summary) = graph.summary(&component) else {
                continue;
            };
            if summary.sets != product.automaton.sets {
                continue;
            }
            let passed_over = summary.passed_over(Fairness::Strong);
            if passed_over == 0 {
                let keys = component.iter().map(|&node| graph.keys[node as usize]);
                return Ok(Some(keys.collect()));
            }
            let is_free = |node: &u32| graph.enabled[*node as usize] & passed_over == 0;
            parts.push(component.into_iter().filter(is_free).collect());
        }
    }
    Ok(None)
}

/// A component with all of its steps.
struct Graph {
    keys: Vec<Key>,
    enabled: Vec<Threads>,
    /// From which, to which.
    edges: Vec<(u32, u32, Edge)>,
}

impl Graph {
    fn new<S: System>(
        product: &mut Product<'_, S>,
        state: &S::State,
        place: u32,
        members: &Component,
    ) -> Result<Graph, Halt> {
        let mut graph = Graph {
            keys: Vec::new(),
            enabled: Vec::new(),
            edges: Vec::new(),
        };
        let mut numbers: HashMap<Key, u32, FixedState> = HashMap::default();
        let mut first = Node::new(state.clone());
        let full = || Halt::GaveUp("there is no room for a component".to_owned());
        let number = product.states.number(None, &mut first).ok_or_else(full)?;
        let key = Key { number, place };
        numbers.insert(key, 0);
        graph.keys.push(key);
        let mut open = vec![(0, product.states.keep(&first))];
        let (mut node, mut to) = (first, Node::new(state.clone()));
        let mut moves = Vec::new();
        while let Some((from, kept)) = open.pop() {
            product
                .states
                .come_back(graph.keys[from as usize].number, kept.as_ref(), &mut node);
            let (enabled, letter) = product.look(&node.state, &mut moves)?;
            let place = graph.keys[from as usize].place;
            let index = from as usize;
            graph.enabled.resize(graph.enabled.len().max(index + 1), 0);
            graph.enabled[index] = enabled;
            for &step in &moves {
                let number = match product.states.advance(&node, Some(step), &mut to) {
                    Ok(number) => number.ok_or_else(full)?,
                    Err(Halt::Stopped(reason)) => return Err(Halt::Stopped(reason)),
                    Err(_) => continue,
                };
                product.states.settle(&mut to);
                for it in transitions(product.automaton, place, letter) {
                    let key = Key {
                        number,
                        place: it.target,
                    };
                    if !members.contains(&key) {
                        continue;
                    }
                    let next = graph.keys.len() as u32;
                    let target = *numbers.entry(key).or_insert(next);
                    if target == next {
                        graph.keys.push(key);
                        open.push((target, product.states.keep(&to)));
                    }
                    let edge = Edge {
                        sets: it.sets,
                        mover: mover(step),
                    };
                    graph.edges.push((from, target, edge));
                }
            }
        }
        graph
            .edges
            .sort_unstable_by_key(|&(from, to, _)| (from, to));
        Ok(graph)
    }

    /// The edges from a node.
    fn from(&self, node: u32) -> &[(u32, u32, Edge)] {
        let start = self.edges.partition_point(|it| it.0 < node);
        let end = self.edges.partition_point(|it| it.0 <= node);
        &self.edges[start..end]
    }

    /// The components of a part, whose nodes are in ascending order.
    fn components(&self, part: &[u32]) -> Vec<Vec<u32>> {
        let number = |node: u32| part.binary_search(&node).ok().map(|it| it as u32);
        let mut edges = Vec::new();
        for (from, &node) in part.iter().enumerate() {
            let targets = self.from(node).iter().filter_map(|it| number(it.1));
            edges.extend(targets.map(|to| (from as u32, to)));
        }
        let mut found = Vec::new();
        for_each_component(part.len(), &mut edges, &mut |members, _| {
            let mut members: Vec<u32> = members.iter().map(|&it| part[it as usize]).collect();
            members.sort_unstable();
            found.push(members);
        });
        found
    }

    /// What the circles of a component have together; `None` if there is no circle.
    fn summary(&self, component: &[u32]) -> Option<Summary> {
        let &first = component.first()?;
        let mut summary = Summary::of_state(self.enabled[first as usize]);
        let mut has_edges = false;
        for &node in component {
            summary.add(Summary::of_state(self.enabled[node as usize]));
            for &(_, to, edge) in self.from(node) {
                if component.binary_search(&to).is_ok() {
                    summary.add_edge(edge);
                    has_edges = true;
                }
            }
        }
        has_edges.then_some(summary)
    }
}
