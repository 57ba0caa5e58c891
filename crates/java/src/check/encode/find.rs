//! All that is met in a state, from the beginning.

use std::sync::Arc;

use raddle_jvm::form::Form;
use raddle_jvm::heap::Ref;
use raddle_jvm::pages::share_from;

use super::graph::{Graph, Node};
use super::paths::Step;
use super::{ALL, Canonical, SOMEBODY, Shift, Writer};

/// A reference that is to be followed.
#[derive(Clone, Copy)]
pub(super) struct Meeting {
    pub(super) step: Step,
    pub(super) object: Ref,
    /// What refers to it; none for old values.
    pub(super) from: Option<Node>,
    pub(super) owner: u32,
}

/// A search in the order of paths.
struct Search<'k> {
    graph: Graph,
    /// What was known before.
    before: &'k Graph,
    /// All objects that were met, in order.
    order: Vec<Ref>,
    /// How many of them were looked into.
    done: usize,
    /// Where the roots refer to.
    seeds: Vec<Meeting>,
}

impl Writer<'_> {
    /// Meets all objects, and writes all parts. None if there are no numbers left.
    pub(super) fn find(&mut self, known: &mut Canonical) -> Option<()> {
        let state = self.machine();
        let before = std::mem::take(&mut known.graph);
        let mut search = Search {
            graph: Graph::default(),
            before: &before,
            order: Vec::new(),
            done: 0,
            seeds: Vec::new(),
        };
        let classes = self.classes_form();
        self.root(&mut search, Node::Classes, Step::CLASSES, classes, ALL)?;
        for object in state.heap.dirty() {
            let owner = self.owner_of_first(object);
            let (form, _) = self.object_form(object)?;
            self.root(
                &mut search,
                Node::Object(object),
                Step::first(object),
                form,
                owner,
            )?;
            search.order.push(object);
            search.graph.roots += 1;
        }
        search.done = search.order.len();
        for (index, thread) in self.threads() {
            let (index, form) = (index as u32, self.thread_form(thread));
            self.root(
                &mut search,
                Node::Thread(index),
                Step::thread(index),
                form,
                index,
            )?;
        }
        self.follow_seeds(&mut search)?;
        self.old_values(&mut search)?;
        let Search { graph, order, .. } = search;
        known.graph = graph;
        share_from(&mut known.classes, &state.class_form);
        self.write_all(known, &order)
    }

    fn root(
        &mut self,
        search: &mut Search<'_>,
        node: Node,
        step: Step,
        form: &Arc<Form>,
        owner: u32,
    ) -> Option<()> {
        let hint = search.before.get(node).map_or(0, |entry| entry.path);
        let path = self.path(step, hint)?;
        let entry = search.graph.get_mut(node);
        entry.path = path;
        entry.form = Some(Arc::clone(form));
        entry.owner = owner;
        let owner = Self::handed_on(node, entry);
        let meetings = form.references.iter().map(|&(label, object)| Meeting {
            step: step.then(path, label),
            object,
            from: Some(node),
            owner,
        });
        search.seeds.extend(meetings);
        Some(())
    }

    /// Follows the references of the roots in the order of their ranks: what all can reach, thread by thread, frame by
    /// frame. Those of one rank stand in the order of their paths.
    fn follow_seeds(&mut self, search: &mut Search<'_>) -> Option<()> {
        let mut seeds = std::mem::take(&mut search.seeds);
        seeds.sort_by_key(|seed| seed.step.level());
        for equal in seeds.chunk_by(|left, right| left.step.level() == right.step.level()) {
            for &seed in equal {
                self.meet(search, seed)?;
            }
            self.rest(search)?;
        }
        Some(())
    }

    /// Looks into all objects that were met.
    fn rest(&mut self, search: &mut Search<'_>) -> Option<()> {
        while let Some(&object) = search.order.get(search.done) {
            search.done += 1;
            let entry = search.graph.object(object)?;
            let Some(form) = entry.form.clone() else {
                continue;
            };
            let node = Node::Object(object);
            let (path, owner) = (entry.path, Self::handed_on(node, entry));
            let step = self.paths.step(path)?;
            for &(label, object) in &form.references {
                let meeting = Meeting {
                    step: step.then(path, label),
                    object,
                    from: Some(node),
                    owner,
                };
                self.meet(search, meeting)?;
            }
        }
        Some(())
    }

    fn meet(&mut self, search: &mut Search<'_>, meeting: Meeting) -> Option<()> {
        let object = meeting.object;
        let entry = search.graph.object_mut(object);
        if let Some(from) = meeting.from {
            entry.referrers.add(from);
        }
        if entry.is_met() {
            return Some(());
        }
        entry.path = self.path(meeting.step, search.before.path(object))?;
        entry.owner = meeting.owner;
        entry.form = self.object_form(object).map(|(form, _)| Arc::clone(form));
        search.order.push(object);
        Some(())
    }

    /// Meets the objects that can only be reached by what was written before the newest values.
    fn old_values(&mut self, search: &mut Search<'_>) -> Option<()> {
        let (state, program) = (self.state, self.program);
        let mut count = 0;
        loop {
            let old = state.relaxed.references(program, &state.machine.heap);
            let named = old.filter_map(|((object, index), value)| {
                let name = search.graph.name(&state.machine, object)?;
                Some(((name, index), value))
            });
            let mut old = Vec::from_iter(named);
            old.sort_by_key(|&(name, _)| name);
            let before = search.order.len();
            for (_, object) in old {
                let meeting = Meeting {
                    step: Step::old(count),
                    object,
                    from: None,
                    owner: ALL,
                };
                if search.graph.path(object) == 0 {
                    self.meet(search, meeting)?;
                    count += 1;
                }
            }
            if search.order.len() == before {
                return Some(());
            }
            self.rest(search)?;
        }
    }

    /// Writes the parts of all that was met.
    fn write_all(&mut self, known: &mut Canonical, order: &[Ref]) -> Option<()> {
        let threads = self.threads().map(|(index, _)| Node::Thread(index as u32));
        let objects = order.iter().map(|&object| Node::Object(object));
        let mut pairs = Vec::with_capacity(order.len());
        for node in [Node::Classes].into_iter().chain(threads).chain(objects) {
            self.write_node(known, node, &mut pairs)?;
        }
        known.buckets.fill(&mut pairs, &mut self.store())?;
        self.outline(known, Shift::Claims)
    }

    /// The owner of an object of the beginning.
    pub(super) fn owner_of_first(&self, object: Ref) -> u32 {
        match self.is_own(object) {
            true => SOMEBODY,
            false => ALL,
        }
    }
}
