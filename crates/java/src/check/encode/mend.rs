//! What is met after a step, from what was met before it.
//!
//! The nodes that were written are compared with what they held before. Where a reference by which
//! an object was met has gone, that object and all that was met by way of it is *affected*: it gets a
//! new path, or none. Where there is a new reference, an object may get a lesser path. New paths are given in the order of
//! paths, each the least of those that are known, as in shortest paths by Dijkstra. (Ramalingam and Reps, An Incremental Algorithm for
//! a Generalization of the Shortest-Path Problem, 1996; in place of their counts of tight edges, trees of least paths.)
//!
//! Whoever refers to an object with a new path is written anew, too.
//!
//! That different states have different words does not depend on paths being the least: it is enough that no two objects
//! have the same, and that every part was written after the last change of it and of the paths in it.

use std::collections::BTreeMap;
use std::sync::Arc;

use raddle_jvm::form::Form;
use raddle_jvm::heap::Ref;
use raddle_jvm::pages::share_from;
use raddle_jvm::state::Changes;

use super::buckets::Pair;
use super::find::Meeting;
use super::graph::{Graph, Node};
use super::paths::Step;
use super::{Canonical, Shift, Writer};

/// What a step has changed.
#[derive(Default)]
pub(super) struct Work {
    /// By object.
    marks: Vec<Mark>,
    round: u32,
    /// The nodes of which the parts are to be written, each once.
    nodes: Vec<Node>,
    /// References that were not there before.
    added: Vec<(Node, u32, Ref)>,
    affected: Vec<Ref>,
    /// References that may give objects a new path, by the order of the paths.
    open: BTreeMap<(u32, u32), Vec<Meeting>>,
    /// The least ones of a level.
    least: Vec<Meeting>,
    /// Objects that have got a path, with their path before.
    settled: Vec<(Ref, u32)>,
    /// How many objects had none.
    new: usize,
    /// How many objects have no path any more.
    gone: usize,
    /// What becomes of paths.
    pairs: Vec<Pair>,
}

/// What is known of an object in one round.
#[derive(Clone, Copy, Default)]
struct Mark {
    round: u32,
    /// Whether it was written.
    is_changed: bool,
    /// Whether it is one of the nodes.
    is_listed: bool,
    is_affected: bool,
    /// Whether it has got its path.
    is_settled: bool,
    /// Its place among the least ones, counted from one.
    least: u32,
}

impl Work {
    fn begin(&mut self, end: usize) {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.marks.clear();
            self.round = 1;
        }
        if self.marks.len() < end {
            self.marks.resize(end, Mark::default());
        }
        self.nodes.clear();
        self.added.clear();
        self.affected.clear();
        self.open.clear();
        self.settled.clear();
        self.pairs.clear();
        (self.new, self.gone) = (0, 0);
    }

    #[inline]
    fn mark(&self, object: Ref) -> Mark {
        let mark = self.marks.get(object.0 as usize).copied();
        mark.filter(|mark| mark.round == self.round)
            .unwrap_or_default()
    }

    #[inline]
    fn mark_mut(&mut self, object: Ref) -> Option<&mut Mark> {
        let round = self.round;
        let mark = self.marks.get_mut(object.0 as usize)?;
        if mark.round != round {
            *mark = Mark {
                round,
                ..Mark::default()
            };
        }
        Some(mark)
    }

    /// Adds a node, unless it is there.
    fn list(&mut self, node: Node) -> Option<()> {
        let is_there = match node {
            Node::Object(object) => std::mem::replace(&mut self.mark_mut(object)?.is_listed, true),
            // There are few of the others.
            _ => self.nodes.contains(&node),
        };
        if !is_there {
            self.nodes.push(node);
        }
        Some(())
    }

    fn is_affected(&self, node: Node) -> bool {
        match node {
            Node::Object(object) => self.mark(object).is_affected,
            _ => false,
        }
    }

    fn is_gone(&self, node: Node) -> bool {
        match node {
            Node::Object(object) => {
                let mark = self.mark(object);
                mark.is_affected && !mark.is_settled
            }
            _ => false,
        }
    }
}

impl Writer<'_> {
    /// Brings what is known of the state before up to date. None if that cannot be done; then all has to be
    /// found again.
    pub(super) fn mend(&mut self, known: &mut Canonical) -> Option<()> {
        if !known.is_known || known.changes.are_many {
            return None;
        }
        let changes = std::mem::take(&mut known.changes);
        let mut work = std::mem::take(&mut self.memory.work);
        work.begin(self.machine().heap.end() as usize);
        let mended = self.mend_with(known, &changes, &mut work);
        self.memory.work = work;
        known.changes = changes;
        mended
    }

    fn mend_with(
        &mut self,
        known: &mut Canonical,
        changes: &Changes,
        work: &mut Work,
    ) -> Option<()> {
        self.compare_all(known, changes, work)?;
        let graph = &mut known.graph;
        self.spread_affected(graph, work)?;
        self.open_affected(graph, work)?;
        for index in 0..work.added.len() {
            let (node, label, object) = work.added[index];
            if !work.is_affected(node) {
                self.open(graph, work, node, label, object)?;
            }
        }
        self.settle_all(graph, work)?;
        remove(graph, work);
        self.rewrite(known, work)?;
        let objects = known.buckets.objects() + work.new - work.gone;
        known.buckets.change(&mut work.pairs, &mut self.store())?;
        // Otherwise two would have the same path.
        if known.buckets.objects() != objects {
            return None;
        }
        let settled = work.settled.iter().map(|(object, _)| object);
        let shifted =
            settled
                .chain(&work.affected)
                .map(|&object| match known.graph.is_claimed(object) {
                    true => Shift::Claims,
                    false => Shift::Names,
                });
        let shift = shifted.max().unwrap_or(Shift::Nothing);
        self.outline(known, shift)
    }

    /// Compares all nodes that were written with what they were before.
    fn compare_all(
        &mut self,
        known: &mut Canonical,
        changes: &Changes,
        work: &mut Work,
    ) -> Option<()> {
        let state = self.machine();
        let graph = &mut known.graph;
        if !Arc::ptr_eq(&known.classes, &state.class_form) {
            share_from(&mut known.classes, &state.class_form);
            let form = self.classes_form();
            self.compare(graph, work, Node::Classes, form)?;
        }
        for (index, thread) in self.threads() {
            let node = Node::Thread(index as u32);
            if !graph.is_thread_met(index) {
                let entry = graph.get_mut(node);
                entry.owner = index as u32;
                entry.path = self.path(Step::thread(index as u32), 0)?;
            } else if !changes.threads.contains(&(index as u32)) {
                continue;
            }
            let form = self.thread_form(thread);
            self.compare(graph, work, node, form)?;
        }
        for &object in &changes.objects {
            let mark = work.mark_mut(object)?;
            if std::mem::replace(&mut mark.is_changed, true) {
                continue;
            }
            if state.heap.is_first(object) {
                if graph.path(object) == 0 {
                    graph.object_mut(object).path = self.path(Step::first(object), 0)?;
                    graph.roots += 1;
                    work.new += 1;
                }
                graph.object_mut(object).owner = self.owner_of_first(object);
            } else if graph.path(object) == 0 {
                // If it is met now, then by way of another one that has changed.
                continue;
            }
            let (form, _) = self.object_form(object)?;
            self.compare(graph, work, Node::Object(object), form)?;
        }
        (graph.roots == state.heap.count_dirty()).then_some(())
    }

    /// Compares the references of a node with what they were before.
    fn compare(
        &mut self,
        graph: &mut Graph,
        work: &mut Work,
        node: Node,
        form: &Arc<Form>,
    ) -> Option<()> {
        work.list(node)?;
        let known = graph.get(node).and_then(|entry| entry.form.as_ref());
        let is_as_before = |known: &Arc<Form>| {
            known.is_local == form.is_local && known.references == form.references
        };
        if known.is_some_and(is_as_before) {
            return Some(());
        }
        let entry = graph.get_mut(node);
        let path = entry.path;
        let before = entry.form.replace(Arc::clone(form));
        let before = before.as_ref().map_or(&[][..], |form| &form.references);
        let mut old = before.iter().copied().peekable();
        let mut new = form.references.iter().copied().peekable();
        loop {
            match (old.peek(), new.peek()) {
                (None, None) => return Some(()),
                (Some(before), Some(now)) if before == now => {
                    old.next();
                    new.next();
                }
                (Some(&(label, object)), now) if now.is_none_or(|now| label <= now.0) => {
                    old.next();
                    let target = graph.object_mut(object);
                    if !target.referrers.remove(node) {
                        return None;
                    }
                    if self.leads_to(path, label, target.path) {
                        work.affected.push(object);
                    }
                }
                (_, Some(&(label, object))) => {
                    new.next();
                    graph.object_mut(object).referrers.add(node);
                    work.added.push((node, label, object));
                }
                (Some(_), None) => return None,
            }
        }
    }

    /// Whether a path goes on from another one by a label.
    fn leads_to(&self, path: u32, label: u32, end: u32) -> bool {
        let last = self.paths.step(end);
        last.is_some_and(|last| last.parent == path && last.label == label)
    }

    /// Adds what was met by way of what is affected.
    fn spread_affected(&self, graph: &Graph, work: &mut Work) -> Option<()> {
        let mut open = std::mem::take(&mut work.affected);
        while let Some(object) = open.pop() {
            let mark = work.mark_mut(object)?;
            if std::mem::replace(&mut mark.is_affected, true) {
                continue;
            }
            work.affected.push(object);
            let entry = graph.object(object)?;
            let children = entry.references().iter();
            let children = children
                .filter(|&&(label, child)| self.leads_to(entry.path, label, graph.path(child)));
            open.extend(children.map(|&(_, child)| child));
        }
        Some(())
    }

    /// Finds the references to what is affected.
    fn open_affected(&self, graph: &Graph, work: &mut Work) -> Option<()> {
        for index in 0..work.affected.len() {
            let object = work.affected[index];
            for node in graph.object(object)?.referrers.iter() {
                if work.is_affected(node) {
                    continue;
                }
                let references = graph.get(node)?.references().iter();
                for &(label, _) in references.filter(|&&(_, referred)| referred == object) {
                    self.open(graph, work, node, label, object)?;
                }
            }
        }
        Some(())
    }

    /// Notes a reference by which an object may get a path.
    fn open(
        &self,
        graph: &Graph,
        work: &mut Work,
        node: Node,
        label: u32,
        object: Ref,
    ) -> Option<()> {
        let entry = graph.get(node)?;
        let meeting = Meeting {
            step: self.paths.step(entry.path)?.then(entry.path, label),
            object,
            from: Some(node),
            owner: Self::handed_on(node, entry),
        };
        if self.is_wanted(graph, work, meeting) {
            work.open
                .entry(meeting.step.level())
                .or_default()
                .push(meeting);
        }
        Some(())
    }

    /// Whether an object has no path, or a greater one.
    fn is_wanted(&self, graph: &Graph, work: &Work, meeting: Meeting) -> bool {
        let mark = work.mark(meeting.object);
        let is_less = || {
            let known = self.paths.step(graph.path(meeting.object));
            known.is_none_or(|known| self.paths.compare(meeting.step, known).is_lt())
        };
        !mark.is_settled && (mark.is_affected || is_less())
    }

    /// Gives paths, in their order: all references that could lead to a lesser one were noted before.
    fn settle_all(&mut self, graph: &mut Graph, work: &mut Work) -> Option<()> {
        let mut least = std::mem::take(&mut work.least);
        while let Some((_, level)) = work.open.pop_first() {
            least.clear();
            for meeting in level {
                if !self.is_wanted(graph, work, meeting) {
                    continue;
                }
                let mark = work.mark_mut(meeting.object)?;
                match least.get_mut((mark.least as usize).wrapping_sub(1)) {
                    Some(known) if self.paths.compare(meeting.step, known.step).is_lt() => {
                        *known = meeting;
                    }
                    Some(_) => {}
                    None => {
                        least.push(meeting);
                        mark.least = least.len() as u32;
                    }
                }
            }
            for &meeting in &least {
                self.settle(graph, work, meeting)?;
            }
        }
        work.least = least;
        Some(())
    }

    /// Gives an object its path, and notes where it leads.
    fn settle(&mut self, graph: &mut Graph, work: &mut Work, meeting: Meeting) -> Option<()> {
        let object = meeting.object;
        let path = self.path(meeting.step, 0)?;
        let entry = graph.object_mut(object);
        let before = std::mem::replace(&mut entry.path, path);
        entry.owner = meeting.owner;
        let mark = work.mark_mut(object)?;
        mark.is_settled = true;
        if before == 0 {
            work.new += 1;
            let (form, _) = self.object_form(object)?;
            entry.form = Some(Arc::clone(form));
            for &(_, referred) in &form.references {
                let referrers = &mut graph.object_mut(referred).referrers;
                referrers.add(Node::Object(object));
            }
        }
        work.settled.push((object, before));
        work.list(Node::Object(object))?;
        let form = graph.object(object)?.form.clone()?;
        for &(label, referred) in &form.references {
            self.open(graph, work, Node::Object(object), label, referred)?;
        }
        Some(())
    }

    /// Writes the parts of all nodes that have changed, or that refer to an object with another path.
    fn rewrite(&mut self, known: &mut Canonical, work: &mut Work) -> Option<()> {
        for index in 0..work.settled.len() {
            for node in known.graph.object(work.settled[index].0)?.referrers.iter() {
                work.list(node)?;
            }
        }
        for index in 0..work.nodes.len() {
            let node = work.nodes[index];
            if work.is_gone(node) {
                continue;
            }
            self.write_node(known, node, &mut work.pairs)?;
        }
        // A path may be that of one object before and of another one now.
        work.pairs.sort_unstable();
        work.pairs.dedup_by(|next, kept| {
            let is_same = next.0 == kept.0;
            if is_same {
                kept.1 = next.1;
            }
            is_same
        });
        Some(())
    }
}

/// Takes away what is not met any more, and the paths that objects have no longer.
fn remove(graph: &mut Graph, work: &mut Work) {
    for &object in &work.affected {
        if work.mark(object).is_settled {
            continue;
        }
        let entry = graph.object_mut(object);
        work.pairs.push((entry.path, 0));
        work.gone += 1;
        entry.path = 0;
        let Some(form) = entry.form.take() else {
            continue;
        };
        for &(_, referred) in &form.references {
            let referrers = &mut graph.object_mut(referred).referrers;
            referrers.remove(Node::Object(object));
        }
    }
    let renamed = work.settled.iter().filter(|&&(_, before)| before != 0);
    work.pairs.extend(renamed.map(|&(_, before)| (before, 0)));
}
